/* SPDX-License-Identifier: MIT */
/*
 * Images: those of lookups that share code. Which of them is meant is known when the shader runs.
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
 * The value, of that type, that `emit` writes for the lookup's image: in a switch with a case for each image where code
 * is shared. `emit` writes no control flow.
 */
uint32_t images_each(struct rewriting *w, uint32_t type, uint32_t (*emit)(struct rewriting *w, const void *user),
                     const void *user);

/* Do two lookups read the same image through the same sampler? They do if both come from the same pointers. */
bool images_same(const struct module *m, uint32_t a, uint32_t b);

/* The index of a sampled image, which is put in if it is not there yet. */
uint32_t images_index(const struct module *m, struct images *images, uint32_t sampled_image);

#endif
