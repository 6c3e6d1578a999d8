/* SPDX-License-Identifier: MIT */
/* PNG files (libpng). A failure ends the process with status 1, naming the file. */
#ifndef CLAMPLER_HARNESS_PNG_H
#define CLAMPLER_HARNESS_PNG_H

#include <stdint.h>

/* Writes 8-bit RGBA pixels (sRGB), rows from the top, `width` * 4 bytes each, as an opaque RGB file. */
void harness_png_write(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height);

/* Reads any PNG as 8-bit RGBA; the caller frees the result with free(). */
uint8_t *harness_png_read(const char *path, uint32_t *width, uint32_t *height);

#endif
