/* SPDX-License-Identifier: MIT */
/* Memory that asks for more alignment than malloc() gives. Thread-safe. */
#ifndef CLAMPLER_PLATFORM_ALIGNED_H
#define CLAMPLER_PLATFORM_ALIGNED_H

#include <stddef.h>

/* As aligned_alloc(): `size` is a multiple of the alignment. NULL: out of memory. For aligned_give() alone. */
void *aligned_take(size_t alignment, size_t size);

/* Accepts NULL. */
void aligned_give(void *memory);

#endif
