/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include <cairo.h>

#include "demo/picture.h"
#include "harness/vulkan.h"

static uint8_t *pixel_at(const struct picture *picture, uint32_t x, uint32_t y)
{
    return picture->rgba + ((size_t)y * picture->width + x) * 4;
}

static void set_pixel(const struct picture *picture, uint32_t x, uint32_t y, uint32_t rgb)
{
    if (x >= picture->width || y >= picture->height)
        return;
    uint8_t *pixel = pixel_at(picture, x, y);
    pixel[0] = (uint8_t)(rgb >> 16);
    pixel[1] = (uint8_t)(rgb >> 8);
    pixel[2] = (uint8_t)rgb;
    pixel[3] = 255;
}

struct picture picture_create(uint32_t width, uint32_t height, uint32_t rgb)
{
    struct picture picture = {width, height, harness_alloc((size_t)width * height, 4)};
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            set_pixel(&picture, x, y, rgb);
    return picture;
}

struct picture picture_from_render(const uint8_t *rgba, uint32_t width, uint32_t height)
{
    struct picture picture = {width / 2, height / 2, harness_alloc((size_t)width / 2 * height / 2, 4)};
    for (uint32_t y = 0; y < picture.height; y++) {
        const uint8_t *rows = rgba + (size_t)(height - 2 - 2 * y) * width * 4;
        for (uint32_t x = 0; x < picture.width; x++) {
            for (uint32_t c = 0; c < 4; c++) {
                const uint8_t *from = rows + (size_t)x * 8 + c, *above = from + (size_t)width * 4;
                pixel_at(&picture, x, y)[c] = (uint8_t)((from[0] + from[4] + above[0] + above[4] + 2) / 4);
            }
        }
    }
    return picture;
}

struct picture picture_difference(const struct picture *a, const struct picture *b, uint32_t gain, uint32_t *greatest)
{
    struct picture picture = picture_create(a->width, a->height, 0);
    *greatest = 0;
    for (uint32_t y = 0; y < a->height; y++) {
        for (uint32_t x = 0; x < a->width; x++) {
            for (uint32_t c = 0; c < 3; c++) {
                uint32_t difference = (uint32_t)abs(pixel_at(a, x, y)[c] - pixel_at(b, x, y)[c]);
                *greatest = difference > *greatest ? difference : *greatest;
                pixel_at(&picture, x, y)[c] = (uint8_t)(difference * gain > 255 ? 255 : difference * gain);
            }
        }
    }
    return picture;
}

void picture_paste(struct picture *onto, const struct picture *from, uint32_t x, uint32_t y)
{
    for (uint32_t row = 0; row < from->height && y + row < onto->height; row++) {
        uint32_t width = x + from->width > onto->width ? onto->width - x : from->width;
        memcpy(pixel_at(onto, x, y + row), pixel_at(from, 0, row), (size_t)width * 4);
    }
}

/* How much of each pixel a line of text covers, as a surface of `height` rows. */
static cairo_surface_t *cover(uint32_t width, uint32_t height, uint32_t size, const char *text)
{
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, (int)width, (int)height);
    cairo_t *cairo = cairo_create(surface);
    cairo_font_extents_t font;
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cairo, options);
    cairo_select_font_face(cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, size);
    cairo_font_extents(cairo, &font);
    cairo_move_to(cairo, 0, font.ascent);
    cairo_show_text(cairo, text);
    cairo_font_options_destroy(options);
    cairo_destroy(cairo);
    cairo_surface_flush(surface);
    return surface;
}

void picture_text(struct picture *onto, uint32_t x, uint32_t y, uint32_t size, uint32_t rgb, const char *text)
{
    if (x >= onto->width || y >= onto->height)
        return;
    const uint32_t width = onto->width - x, height = onto->height - y < 2 * size ? onto->height - y : 2 * size;
    cairo_surface_t *surface = cover(width, height, size, text);
    const uint8_t *covered = cairo_image_surface_get_data(surface);
    const size_t stride = (size_t)cairo_image_surface_get_stride(surface);
    for (uint32_t row = 0; covered && row < height; row++) {
        for (uint32_t column = 0; column < width; column++) {
            uint8_t *pixel = pixel_at(onto, x + column, y + row);
            const uint32_t share = covered[row * stride + column];
            for (uint32_t c = 0; c < 3; c++)
                pixel[c] = (uint8_t)((pixel[c] * (255 - share) + (rgb >> (16 - 8 * c) & 0xff) * share + 127) / 255);
        }
    }
    cairo_surface_destroy(surface);
}

void picture_destroy(struct picture *picture)
{
    free(picture->rgba);
    *picture = (struct picture){0};
}
