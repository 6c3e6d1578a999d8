/* SPDX-License-Identifier: MIT */
/*
 * Shader objects and their tiers (shader_objects.c), and their binaries (shader_binary.c). A shader object is owned by
 * its handle, or by a worker that still makes a tier of it when the handle is destroyed. Any thread may read its atomic
 * members.
 */
#ifndef CLAMPLER_SHADER_OBJECTS_SHADER_OBJECTS_H
#define CLAMPLER_SHADER_OBJECTS_SHADER_OBJECTS_H

#include "ahead/ahead.h"
#include "layouts/kept_layout.h"
#include "layouts/pipeline_layout.h"
#include "modules/shader_module.h"
#include "newer_vulkan.h"
#include "need/need.h"
#include "objects/table.h"
#include "objects/track.h"
#include "pipelines/pipeline_blend.h"
#include "pipelines/pipelines.h"

/* This subsystem's state of one device. */
struct shader_objects {
    struct table objects; /* struct shader_object */
};

/* False: out of memory. */
bool shader_objects_init(struct track *track);
void shader_objects_finish(struct track *track);

/*
 * A shader object. Those without records are kept as well, because another device, which has other features, may make a
 * shader with records from their binary. Where one stage changes its tier, all stages that are linked with it must be
 * bound again. The program's handle is the passthrough shader; of one that the GPU may select it is the shader of the
 * fixed tier.
 */
struct shader_object {
    VkShaderEXT handle;
    _Atomic(uint64_t) lives; /* as pipeline.lives */
    bool rooted;             /* it has all push constants (layouts_rooted) */
    bool linked;
    struct spirv_pairing pairing;
    bool fixed;                         /* `handle` is of fixed_tier and is always bound */
    uint32_t fixed_tier;                /* 0 for others */
    uint32_t follows;                   /* RECORD_NEED_* that it can act on */
    struct writable_alpha writable;     /* of a fragment shader that is not linked, and whose tiers may change */
    struct tier_slot tiers[TIER_COUNT]; /* [0] is the program's own */
    _Atomic(struct variant *) variants; /* by written_alpha_key(), for attachments without alpha */
    struct ahead_work ahead;
    struct shader_module *module;            /* referenced */
    struct pipeline_layout *layout;          /* referenced: of its set layouts */
    VkShaderCreateInfoEXT info;              /* without code; what it points to is owned, in the next three */
    VkComputePipelineCreateInfo *stage_copy; /* name, specialization and chain */
    VkPushConstantRange *ranges;
    VkDescriptorSetLayout *set_layouts; /* duplicates */
    struct kept_layout **kept;          /* referenced: whose they are */
};

static inline struct shader_object *shader_object_find(struct track *track, VkShaderEXT handle)
{
    return table_find(&track->shader_objects->objects, HANDLE_KEY(handle));
}

/*
 * Shaders that are bound together have one tier: adds what an object follows, and raises *tier to one that it has for
 * good.
 */
static inline void shader_object_requires(const struct shader_object *object, uint32_t *follows, uint32_t *tier)
{
    if (object->fixed_tier > *tier)
        *tier = object->fixed_tier;
    *follows |= object->fixed ? 0 : object->follows;
}

/*
 * The driver's shader of that tier, made now if it is the first time; any thread. The program's own, with *error set,
 * if that fails.
 */
VkShaderEXT shader_object_tier(struct track *track, struct shader_object *object, uint32_t tier, VkResult *error);

/* The same of the variant with that key, which is not 0; VK_NULL_HANDLE if that fails. */
VkShaderEXT shader_object_variant(struct track *track, struct shader_object *object, uint32_t tier, uint32_t key);

/* The shader to bind where a bind point's shaders are of that tier: the same, or the handle where there is no other. */
VkShaderEXT shader_object_bound(struct track *track, struct shader_object *object, uint32_t tier, VkResult *error);

/*
 * Binaries contain the driver's binary of the passthrough shader, and the SPIR-V. *info has a binary of the program's:
 * it is replaced by the driver's part, or by the SPIR-V if that part is of a device with other code. *module is the
 * module of that SPIR-V, with a reference. `rooted` as the object has it. VK_INCOMPATIBLE_SHADER_BINARY_EXT: it is none
 * of the layer's, or of another version.
 */
VkResult shader_binary_open(struct track *track, VkShaderCreateInfoEXT *info, bool rooted,
                            struct shader_module **module);
void shader_code_of_module(const struct shader_module *module, VkShaderCreateInfoEXT *info);

#endif
