/* SPDX-License-Identifier: MIT */
/*
 * Images: the images of a batch's lookups. The lookups share code, which selects one of the images when the shader
 * runs.
 */
#ifndef CLAMPLER_SPIRV_IMAGES_H
#define CLAMPLER_SPIRV_IMAGES_H

#include "spirv/operands/rewriting.h"

#define IMAGES_MOST 32u /* lookups that share code */

struct images {
    uint32_t count;
    uint32_t sampled_images[IMAGES_MOST]; /* the lookups' own operands */
    uint32_t selector;                    /* uint: index of the image */
};

/*
 * Calls `emit`, which writes code that reads w->l.sampled_image, and returns the value that it writes, of that type.
 * Where lookups share code, `emit` is called once for each image, in the cases of a switch.
 */
uint32_t images_each(struct rewriting *w, uint32_t type, uint32_t (*emit)(struct rewriting *w, const void *user),
                     const void *user);

/* Do two lookups read the same image through the same sampler? They do if both are loaded from the same pointers:
 * nothing can be stored to a descriptor. */
bool images_same(const struct module *m, uint32_t a, uint32_t b);

/* The index of a sampled image, which is put in if it is not there yet. */
uint32_t images_add(const struct module *m, struct images *images, uint32_t sampled_image);

#endif
