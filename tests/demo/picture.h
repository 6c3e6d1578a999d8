/* SPDX-License-Identifier: MIT */
/* The demo's PNG: three pictures side by side, their differences beneath, and words. */
#ifndef CLAMPLER_DEMO_PICTURE_H
#define CLAMPLER_DEMO_PICTURE_H

#include <stdint.h>

/* 8-bit RGBA, rows from the top, tightly packed. */
struct picture {
    uint32_t width, height;
    uint8_t *rgba; /* owned; free() */
};

struct picture picture_create(uint32_t width, uint32_t height, uint32_t rgb);

/* Half the size, each pixel the average of four; `rgba` has its rows from the bottom and is `width` x `height`. */
struct picture picture_from_render(const uint8_t *rgba, uint32_t width, uint32_t height);

/* |a - b| times `gain`, opaque; *greatest gets the greatest difference of a channel, 0 to 255. */
struct picture picture_difference(const struct picture *a, const struct picture *b, uint32_t gain, uint32_t *greatest);

void picture_paste(struct picture *onto, const struct picture *from, uint32_t x, uint32_t y);

/* One line of UTF-8 in DejaVu Sans, of `size` pixels an em; x and y are its top left corner. */
void picture_text(struct picture *onto, uint32_t x, uint32_t y, uint32_t size, uint32_t rgb, const char *text);

void picture_destroy(struct picture *picture);

#endif
