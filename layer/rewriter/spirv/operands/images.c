/* SPDX-License-Identifier: MIT */
/*
 * Lookups of one batch may read several images. Their code is written once; where it reads a texel there is a switch
 * with a case for each image.
 */
#include "spirv/operands/images.h"

#include <spirv/unified1/spirv.h>

uint32_t images_each(struct rewriting *w, uint32_t type, uint32_t (*emit)(struct rewriting *w, const void *user),
                     const void *user)
{
    struct rewriter *r = w->r;
    const struct images *images = w->images;
    if (!images)
        return emit(w, user);
    struct rewriting each = *w;
    each.images = NULL;
    if (images->count == 1) {
        each.l.sampled_image = images->sampled_images[0];
        return emit(&each, user);
    }
    /* Selector, default, then literal and label for all but the last image, which is the default. */
    uint32_t labels[IMAGES_MOST], operands[2 * IMAGES_MOST], phi[2 * IMAGES_MOST];
    for (uint32_t i = 0; i < images->count; i++) {
        labels[i] = new_id(r);
        operands[i + 1 < images->count ? 2 * i + 3 : 1] = labels[i];
    }
    operands[0] = images->selector;
    for (uint32_t i = 0; i + 1 < images->count; i++)
        operands[2 * i + 2] = i;
    uint32_t merge = new_id(r);
    WRITE(r, SpvOpSelectionMerge, merge, SpvSelectionControlMaskNone);
    write_to(r, &r->body, SpvOpSwitch, operands, 2 * images->count);
    for (uint32_t i = 0; i < images->count; i++) {
        begin_block(r, labels[i]);
        each.l.sampled_image = images->sampled_images[i];
        phi[2 * i] = emit(&each, user);
        phi[2 * i + 1] = r->label;
        write_branch(r, merge);
    }
    begin_block(r, merge);
    return write_value(r, SpvOpPhi, type, phi, 2 * images->count);
}

/* The pointer that a value was loaded from; else the value itself. */
static uint32_t pointer_of(const struct module *m, uint32_t id)
{
    const uint32_t *inst = module_definition(m, id);
    return (inst_opcode(inst)) == SpvOpLoad ? inst[3] : id;
}

bool images_same(const struct module *m, uint32_t a, uint32_t b)
{
    const uint32_t *x = module_definition(m, a);
    const uint32_t *y = module_definition(m, b);
    if (inst_opcode(x) == SpvOpSampledImage && inst_opcode(y) == SpvOpSampledImage)
        return pointer_of(m, x[3]) == pointer_of(m, y[3]) && pointer_of(m, x[4]) == pointer_of(m, y[4]);
    return pointer_of(m, a) == pointer_of(m, b);
}

uint32_t images_add(const struct module *m, struct images *images, uint32_t sampled_image)
{
    uint32_t i = 0;
    while (i < images->count && !images_same(m, images->sampled_images[i], sampled_image))
        i++;
    if (i == images->count)
        images->sampled_images[images->count++] = sampled_image;
    return i;
}
