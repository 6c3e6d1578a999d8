/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include <ft2build.h>
#include FT_FREETYPE_H

#include "demo/picture.h"
#include "harness/device/vulkan.h"

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

/* The code point that the text begins with, which it leaves behind. */
static uint32_t next_character(const char **text)
{
    const uint8_t *bytes = (const uint8_t *)*text;
    const uint32_t count = bytes[0] < 0x80 ? 1 : bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4;
    uint32_t character = count == 1 ? bytes[0] : bytes[0] & (0x7fu >> count);
    for (uint32_t i = 1; i < count; i++)
        character = character << 6 | (bytes[i] & 0x3f);
    *text += count;
    return character;
}

/* Mixes a colour in, by how much of each pixel a character covers. */
static void paint(struct picture *onto, uint32_t left, uint32_t top, uint32_t rgb, const FT_Bitmap *covered)
{
    for (uint32_t row = 0; row < covered->rows && top + row < onto->height; row++) {
        for (uint32_t column = 0; column < covered->width && left + column < onto->width; column++) {
            uint8_t *pixel = pixel_at(onto, left + column, top + row);
            const uint32_t share = covered->buffer[(size_t)row * (uint32_t)covered->pitch + column];
            for (uint32_t c = 0; c < 3; c++)
                pixel[c] = (uint8_t)((pixel[c] * (255 - share) + (rgb >> (16 - 8 * c) & 0xff) * share + 127) / 255);
        }
    }
}

void picture_text(struct picture *onto, uint32_t x, uint32_t y, uint32_t size, uint32_t rgb, const char *text)
{
    FT_Library library;
    FT_Face face;
    if (FT_Init_FreeType(&library))
        return;
    if (FT_New_Face(library, DEMO_FONT, 0, &face) == 0) {
        FT_Set_Pixel_Sizes(face, 0, size);
        const int64_t base = y + face->size->metrics.ascender / 64;
        for (int64_t pen = x; *text; pen += face->glyph->advance.x / 64) {
            if (FT_Load_Char(face, next_character(&text), FT_LOAD_RENDER))
                break;
            paint(onto, (uint32_t)(pen + face->glyph->bitmap_left), (uint32_t)(base - face->glyph->bitmap_top), rgb,
                  &face->glyph->bitmap);
        }
        FT_Done_Face(face);
    }
    FT_Done_FreeType(library);
}

void picture_destroy(struct picture *picture)
{
    free(picture->rgba);
    *picture = (struct picture){0};
}
