/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "harness/images/png.h"
#include "harness/device/vulkan.h"

void harness_png_write(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height)
{
    uint8_t *rgb = harness_alloc((size_t)width * height, 3);
    png_image image = {.version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGB};
    for (size_t i = 0; i < (size_t)width * height; i++)
        memcpy(rgb + i * 3, rgba + i * 4, 3);
    if (!png_image_write_to_file(&image, path, 0, rgb, 0, NULL))
        harness_fail("cannot write %s: %s", path, image.message);
    free(rgb);
}

uint8_t *harness_png_read(const char *path, uint32_t *width, uint32_t *height)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path))
        harness_fail("cannot read %s: %s", path, image.message);
    image.format = PNG_FORMAT_RGBA;
    uint8_t *rgba = harness_alloc(PNG_IMAGE_SIZE(image), 1);
    if (!png_image_finish_read(&image, NULL, rgba, 0, NULL))
        harness_fail("cannot read %s: %s", path, image.message);
    *width = image.width;
    *height = image.height;
    return rgba;
}
