/* SPDX-License-Identifier: MIT */
/* Preloaded into programs that do not say it themselves: at their end it says how many frames the driver showed by xcb.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static atomic_uint frames;

/* As xcb declares them, but for the structs of one unsigned that they return. */
unsigned xcb_put_image(void *connection, uint8_t format, uint32_t drawable, uint32_t context, uint16_t width,
                       uint16_t height, int16_t x, int16_t y, uint8_t left_pad, uint8_t depth, uint32_t size,
                       const uint8_t *data);
unsigned xcb_present_pixmap(void *connection, uint32_t window, uint32_t pixmap, uint32_t serial, uint32_t valid,
                            uint32_t update, int16_t x, int16_t y, uint32_t crtc, uint32_t wait, uint32_t idle,
                            uint32_t options, uint64_t target, uint64_t divisor, uint64_t remainder, uint32_t count,
                            const void *notifies);

unsigned xcb_put_image(void *connection, uint8_t format, uint32_t drawable, uint32_t context, uint16_t width,
                       uint16_t height, int16_t x, int16_t y, uint8_t left_pad, uint8_t depth, uint32_t size,
                       const uint8_t *data)
{
    __typeof__(xcb_put_image) *next = (__typeof__(xcb_put_image) *)dlsym(RTLD_NEXT, "xcb_put_image");
    atomic_fetch_add(&frames, 1);
    return next(connection, format, drawable, context, width, height, x, y, left_pad, depth, size, data);
}

unsigned xcb_present_pixmap(void *connection, uint32_t window, uint32_t pixmap, uint32_t serial, uint32_t valid,
                            uint32_t update, int16_t x, int16_t y, uint32_t crtc, uint32_t wait, uint32_t idle,
                            uint32_t options, uint64_t target, uint64_t divisor, uint64_t remainder, uint32_t count,
                            const void *notifies)
{
    __typeof__(xcb_present_pixmap) *next = (__typeof__(xcb_present_pixmap) *)dlsym(RTLD_NEXT, "xcb_present_pixmap");
    atomic_fetch_add(&frames, 1);
    return next(connection, window, pixmap, serial, valid, update, x, y, crtc, wait, idle, options, target, divisor,
                remainder, count, notifies);
}

__attribute__((destructor)) static void say(void)
{
    if (atomic_load(&frames))
        fprintf(stderr, "frames: %u\n", atomic_load(&frames));
}
