/* SPDX-License-Identifier: MIT */
/* Memory of stricter alignment than malloc()'s. Thread-safe. */
#ifndef CLAMPLER_PLATFORM_ALIGNED_H
#define CLAMPLER_PLATFORM_ALIGNED_H

#include <stddef.h>

/* As aligned_alloc(): `size` is a multiple of the alignment. NULL: out of memory. For aligned_release() alone. */
void *aligned_acquire(size_t alignment, size_t size);

/* Accepts NULL. */
void aligned_release(void *memory);

#endif
