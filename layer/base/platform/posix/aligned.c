/* SPDX-License-Identifier: MIT */
/* Aligned memory as C11 has it, which Windows' C library has not. */
#include "platform/aligned.h"

#include <stdlib.h>

void *aligned_acquire(size_t alignment, size_t size)
{
    return aligned_alloc(alignment, size);
}

void aligned_release(void *memory)
{
    free(memory);
}
