/* SPDX-License-Identifier: MIT */
/* Aligned memory from Windows' C library, where free() does not take it. */
#include "platform/aligned.h"

#include <malloc.h>

void *aligned_take(size_t alignment, size_t size)
{
    return _aligned_malloc(size, alignment);
}

void aligned_give(void *memory)
{
    _aligned_free(memory);
}
