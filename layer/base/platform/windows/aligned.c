/* SPDX-License-Identifier: MIT */
/* Aligned memory from Windows' C library, where free() does not take it. */
#include "platform/aligned.h"

#include <malloc.h>

void *aligned_acquire(size_t alignment, size_t size)
{
    return _aligned_malloc(size, alignment);
}

void aligned_release(void *memory)
{
    _aligned_free(memory);
}
