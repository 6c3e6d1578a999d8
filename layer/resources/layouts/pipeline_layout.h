/* SPDX-License-Identifier: MIT */
/*
 * Pipeline layouts (pipeline_layout.c), and those that the layer makes for commands that name none (dynamic_layout.c).
 * Counted: pipelines keep them when the program destroys theirs. Immutable after creation but for the count.
 */
#ifndef CLAMPLER_LAYOUTS_PIPELINE_LAYOUT_H
#define CLAMPLER_LAYOUTS_PIPELINE_LAYOUT_H

#include <stdatomic.h>

#include "layouts/layouts.h"
#include "layouts/set_layout.h"
#include "need/need.h"
#include "objects/table.h"
#include "objects/track.h"
#include "sampling/sampler.h"
#include "spirv/spirv.h"

struct heap_mappings;
struct kept_layout;

/*
 * How descriptors reach shaders. Sets hold the records beside their descriptors (descriptors/), pushed ones too. Where
 * the program places descriptors itself, a record index lies behind each, and a root table leads to the records
 * (recording/recording/bound_model.h).
 */
enum binding_model {
    BINDING_SETS,
    BINDING_BUFFERS, /* some set is in a descriptor buffer */
    BINDING_HEAPS,   /* heap_layout.h */
    BINDING_MODELS,
};

struct pipeline_layout {
    atomic_uint references;
    VkPipelineLayout duplicate; /* the layer's duplicate, if something is compiled later; else VK_NULL_HANDLE */
    uint32_t set_count;
    struct set_layout **sets;  /* referenced; NULL: not known or empty */
    struct kept_layout **kept; /* of each set, referenced; NULL: nothing */
    struct spirv_set *spirv_sets;
    struct spirv_layout spirv; /* over spirv_sets */
    bool records;              /* some set has records */
    bool split;                /* some set has records of split samplers */
    bool masks;                /* some set has mask words */
    bool renumbered;
    bool immutable; /* some set has immutable samplers of the driver's */
    bool rooted;    /* the driver's has all push constants, for all stages (layouts_rooted) */
    enum binding_model model;
    struct heap_mappings *mappings; /* of one stage; NULL: none */
};

static inline struct pipeline_layout *pipeline_layout_find(struct track *track, VkPipelineLayout handle)
{
    return table_find(&track->layouts->pipeline_layouts, HANDLE_KEY(handle));
}

/* An empty layout with one reference, or NULL; `pipeline_layout_fill` gives it its sets (false: out of memory). */
struct pipeline_layout *pipeline_layout_create(struct track *track);
bool pipeline_layout_fill(struct track *track, uint32_t set_count, const VkDescriptorSetLayout *sets,
                          struct pipeline_layout *layout);
/*
 * VK_ERROR_OUT_OF_DEVICE_MEMORY, with a message that names the call, where the layout with its records exceeds the
 * driver's limits, which are then those that Vulkan requires.
 */
VkResult pipeline_layout_check(const struct track *track, const struct pipeline_layout *layout, const char *call);
/*
 * Nothing is ever compiled with this layout, so the immutable samplers of its set layouts need not be kept. Called
 * before it is used.
 */
void pipeline_layout_binds_only(struct track *track, VkPipelineLayout handle);
struct pipeline_layout *pipeline_layout_ref(struct pipeline_layout *layout); /* NULL gives NULL */
void pipeline_layout_unref(struct track *track, struct pipeline_layout *layout);

/*
 * RECORD_NEED_* that shaders with these facts follow: without mask words there is one form of tier 1. In heaps combined
 * image samplers are pairs as well.
 */
static inline uint32_t pipeline_layout_follows(const struct pipeline_layout *layout, const struct spirv_facts *facts)
{
    const bool pairs = facts->pairs || layout->model == BINDING_HEAPS;
    return needs_followed(facts) & (layout->masks ? UINT32_MAX : ~(uint32_t)RECORD_NEED_BOUNDS) &
           (pairs ? UINT32_MAX : ~(uint32_t)RECORD_NEED_FILTER_IF_UNCOMPARED);
}

/* May it be compiled with at any time, as long as it is referenced? */
static inline bool pipeline_layout_lasts(const struct track *track, const struct pipeline_layout *layout)
{
    return !layout->immutable || samplers_wait(track);
}

/* The driver's create-info for a layout of the program's; it points to the program's memory and to this subsystem's. */
VkPipelineLayoutCreateInfo pipeline_layout_driver(const struct track *track, const VkPipelineLayoutCreateInfo *program,
                                                  bool rooted);

/*
 * A layout for a pipeline of the layer's that is bound between the program's. The pipeline uses neither sets nor push
 * constants, but the layout has all push constants: some drivers keep only as many as the bound layout has, and the
 * program's must survive (section "Push Constant Updates").
 */
VkResult layer_layout_create(struct track *track, VkShaderStageFlags stages, VkPipelineLayout *layout);

/*
 * The layout that a command names: `layout`, or where that is VK_NULL_HANDLE one made for the structure in the
 * command's chain, when it is first needed (dynamic_layout.c). None is made where set `set` has nothing of the layer's;
 * for DYNAMIC_LAYOUT_ANY one is made in any case.
 * VK_NULL_HANDLE with *error set: out of memory.
 */
#define DYNAMIC_LAYOUT_ANY UINT32_MAX
VkPipelineLayout dynamic_layout(struct track *track, VkPipelineLayout layout, const void *chain, uint32_t set,
                                VkResult *error);
/*
 * Before a set layout is destroyed, since its handle may be reused: searches find no layout with it any more. Layouts
 * stay for commands that were recorded with them.
 */
void dynamic_layouts_retire(struct track *track, VkDescriptorSetLayout set_layout);
/* At the end of the device. */
void dynamic_layouts_finish(struct track *track);

#endif
