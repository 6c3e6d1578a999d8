/* SPDX-License-Identifier: MIT */
/*
 * Blend state of pipelines where attachments have no alpha (pipeline_blend.c). Constant once a pipeline is made.
 */
#ifndef CLAMPLER_PIPELINES_PIPELINE_BLEND_H
#define CLAMPLER_PIPELINES_PIPELINE_BLEND_H

#include "attachments/attachments.h"
#include "pipelines/pipelines.h"

struct graphics_state;

/* Attachments whose alpha a shader writes as 1, and those of them whose colours it multiplies before (blend_source). */
struct written_alpha {
    uint32_t all, times_alpha, times_rest;
};

/* Outputs of a fragment shader whose alpha can be written, and those of them whose colours can be multiplied. */
struct writable_alpha {
    uint32_t floats, integers, multiplied;
};

/* Facts of a pipeline that matter in passes with orders of channels. */
struct pipeline_order_facts {
    bool coverage, one; /* alpha-to-coverage and alpha-to-one are on, if that is not dynamic */
    bool coverage_dynamic, one_dynamic;
    bool constants_dynamic; /* blend constants are */
    bool advanced_dynamic;  /* advanced equations are */
    bool reads_inputs;      /* a shader may read input attachments */
    struct order_numbers numbers;
};

/* The blend state of a graphics pipeline. All zero: attachments without alpha make no difference to it. */
struct pipeline_blend {
    uint32_t count;               /* colour attachments */
    uint32_t affected;            /* those whose states change if they have no alpha */
    uint32_t keep;                /* those whose alpha is kept by blending then */
    struct written_alpha written; /* those where a variant's shader may write it; multiplied as static state wants */
    uint32_t multiplied;          /* of those: whose colours the shader can multiply, where dynamic state wants it */
    uint32_t integers;            /* likewise: in formats of integers */
    uint32_t negative;            /* attachments in whose format the source's alpha may be negative */
    bool coverage;                /* alpha-to-coverage is dynamic */
    bool at_once;   /* the variant is made with the pipeline, because there were attachments without alpha of all these
                       formats */
    uint32_t parts; /* BLEND_* that change and that the program left static */
    uint32_t dynamic;            /* BLEND_* that are dynamic in the program's pipeline */
    uint32_t layer_dynamic;      /* of `parts`: those that the layer makes dynamic in the pipelines it makes */
    bool logic;                  /* logic operations are on, if that is not dynamic */
    bool independent;            /* attachments may have different states (the feature independentBlend) */
    bool passthrough_is_dynamic; /* the program's handle is already such a pipeline */
    bool orders;                 /* its attachments may have orders of channels (pipeline_order.h) */
    struct pipeline_order_facts order_facts;
    bool unchanged; /* none of `parts` can be changed: draws write the program's alpha */
    VkPipelineColorBlendAttachmentState states[COLOR_ATTACHMENTS];
};

/* The key of the variant for a mask; 0: the program's own state. */
#define VARIANT_DYNAMIC UINT32_MAX /* the one variant whose blend state alone the layer sets while recording */

/*
 * Keys of struct order_variant (pipeline_order.h): attachment 7 would be multiplied by alpha and by 1 - alpha, which no
 * other key says.
 */
#define KEY_ORDER 0x80800000u
#define KEY_ORDERS 0x007fffffu /* how many there may be */
static inline bool key_is_order(uint32_t key)
{
    return (key & KEY_ORDER) == KEY_ORDER && key != VARIANT_DYNAMIC;
}

/* Reads the blend state of a pipeline that is being created. */
void pipeline_blend_read(const struct track *track, const struct graphics_state *graphics,
                         struct pipeline_blend *blend);

/*
 * Reduces `written` when the pipeline is complete: to attachments for which its fragment shader can write 1, and if no
 * other state reads the program's alpha.
 */
struct saved_info;
void pipeline_blend_confirm(const struct saved_info *saved_info, struct pipeline_blend *blend);

/* Reads blend->order_facts when the pipeline is complete. `reads_inputs`: as they have it. */
void pipeline_order_confirm(const struct saved_info *saved_info, bool reads_inputs, struct pipeline_blend *blend);

_Static_assert(4 * COLOR_ATTACHMENTS <= 32, "keys of variants have four bits an attachment");

/* The key of the variant of a fragment shader object; 0: the program's own. */
static inline uint32_t written_alpha_key(struct written_alpha written)
{
    return written.all << COLOR_ATTACHMENTS | (written.times_alpha & written.all) << 2 * COLOR_ATTACHMENTS |
           (written.times_rest & written.all) << 3 * COLOR_ATTACHMENTS;
}

/* `mask`: the attachments without alpha; `written`: the part of blend->written that the shader shall write. */
static inline uint32_t pipeline_blend_key(const struct pipeline_blend *blend, uint32_t mask,
                                          struct written_alpha written)
{
    mask &= blend->affected;
    written.all &= mask;
    if (written.all)
        return mask | written_alpha_key(written);
    if (!mask || blend->passthrough_is_dynamic || !blend->parts)
        return 0;
    return blend->parts == blend->layer_dynamic ? VARIANT_DYNAMIC : mask;
}

/* The mask of the variant with that key, and the alpha that its shader writes; the second also for shader objects. */
static inline uint32_t pipeline_blend_mask(uint32_t key)
{
    return key == VARIANT_DYNAMIC ? key : key_is_order(key) ? 0 : key & ((1u << COLOR_ATTACHMENTS) - 1);
}

static inline struct written_alpha pipeline_blend_written(uint32_t key)
{
    /* No attachment's colours are multiplied by both, so that no other variant's key is that of VARIANT_DYNAMIC. */
    if (key == VARIANT_DYNAMIC || key_is_order(key))
        return (struct written_alpha){.all = 0};
    return (struct written_alpha){pipeline_blend_mask(key >> COLOR_ATTACHMENTS),
                                  pipeline_blend_mask(key >> 2 * COLOR_ATTACHMENTS),
                                  pipeline_blend_mask(key >> 3 * COLOR_ATTACHMENTS)};
}

/*
 * The states that a variant has, in memory to free() with *memory once the pipeline is made: dynamic ones added,
 * static ones rewritten for the key. False if memory runs out.
 */
bool pipeline_blend_apply(const struct pipeline_blend *blend, uint32_t key, VkGraphicsPipelineCreateInfo *info,
                          void **memory);

/* The same of a variant for orders of channels. */
bool pipeline_order_apply(const struct order_variant *variant, VkGraphicsPipelineCreateInfo *info, void **memory);

/* The attachments whose states change: without independent blending those that are not used follow the others. */
uint32_t pipeline_blend_changed(const struct pipeline_blend *blend, uint32_t mask);

#endif
