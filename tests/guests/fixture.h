/* SPDX-License-Identifier: MIT */
/*
 * A device under the layer that draws guests' texture stages on a grid of lookups, and compares each value with the
 * guest's arithmetic (nvidia.h).
 */
#ifndef CLAMPLER_GUESTS_FIXTURE_H
#define CLAMPLER_GUESTS_FIXTURE_H

#include "guests/nvidia_vulkan.h"
#include "harness/lookups/lookup.h"

enum { GUEST_GRID = 32 };

/* One for the process. */
struct guest_fixture {
    struct harness_vulkan vk;
    struct lookup_vulkan lookups;
    struct lookup_input inputs[GUEST_GRID * GUEST_GRID];
    float drawn[GUEST_GRID * GUEST_GRID * 4];
    uint64_t stages, values;
};
extern struct guest_fixture guest;

/* For cmocka's groups. */
int guest_open(void **state);
int guest_close(void **state);

/* Random bytes; the caller frees them. */
uint8_t *guest_memory(size_t size, uint32_t seed);

/*
 * Draws a stage, fails the test where a value is not the guest's, and says in which tier it was drawn. Frees the host's
 * texels.
 */
unsigned guest_check(const struct nvidia_stage *stage, const struct nvidia_host *host, enum nvidia_words words,
                     bool separate);

/* Writes a PNG of columns and rows of stages that `tile` draws, by guest_paint(). */
struct guest_picture {
    uint32_t columns, rows;
    uint8_t *pixels;
};
void guest_picture(const char *path, uint32_t columns, uint32_t rows,
                   void (*tile)(const struct guest_picture *picture, uint32_t column, uint32_t row));
/* Draws from -0.5 to 1.5 along each axis, in the base level. Frees the host's texels. */
void guest_paint(const struct guest_picture *picture, uint32_t column, uint32_t row, const struct nvidia_stage *stage,
                 const struct nvidia_host *host);

#endif
