/* SPDX-License-Identifier: MIT */
/*
 * Pipelines: their tiers and variants, and the stages and saved create-infos that these are compiled from. A pipeline
 * is owned by its handle, or, if the handle is destroyed meanwhile, by the worker that compiles a tier of it. Any
 * thread may read its atomic fields.
 */
#ifndef CLAMPLER_PIPELINES_TIERS_H
#define CLAMPLER_PIPELINES_TIERS_H

#include <stdatomic.h>

#include "ahead/ahead.h"
#include "attachments/render_pass.h"
#include "layouts/heap_layout.h"
#include "layouts/pipeline_layout.h"
#include "need/need.h"
#include "objects/table.h"
#include "objects/track.h"
#include "pipelines/graphics_state.h"
#include "pipelines/pipeline_blend.h"
#include "objects/pipeline_flags.h"
#include "pipelines/pipelines.h"
#include "modules/shader_module.h"

/* ---- Stages (stages.c): of one call, for one thread ---- */

/* The module of each stage and, where replaced, the new one. */
struct stages {
    uint32_t count;
    VkPipelineShaderStageCreateInfo *infos; /* shallow copies of the program's, modules replaced by stages_to_tier */
    struct shader_module **modules;         /* referenced; NULL: code that the layer has not seen */
    VkShaderModule *replaced;               /* VK_NULL_HANDLE: the program's own module */
    void **chains;                          /* memory of chains that leave inline code and identifiers out */
    struct pipeline_layout **layouts;       /* referenced; NULL: that of the pipeline */
    struct heap_chain *mapped;              /* chains with other mappings of bindings to heaps */
    bool *identified;                       /* the stage has only the identifier of its module */
    enum binding_model model;
    bool compiled; /* binaries are there: drivers look at no module */
    bool unknown;  /* some stage has an identifier of which no module is known */
    bool unseen;   /* the layer has not seen the code of some stage */
};

/*
 * VK_SUCCESS, or an error with nothing kept. `chain` is that of the create-info.
 */
VkResult stages_open(struct track *track, const void *chain, enum binding_model model, uint32_t stage_count,
                     const VkPipelineShaderStageCreateInfo *infos, struct stages *stages);
/* Puts modules of a tier in the place of those that differ there; *changed says whether any does. */
VkResult stages_to_tier(struct track *track, struct stages *stages, const struct pipeline_layout *layout, uint32_t tier,
                        bool *changed);
/* Adds the facts of the modules (spirv_scan); NULL: an unknown module. */
void facts_of_modules(struct shader_module *const *modules, uint32_t module_count, struct spirv_facts *all);
struct spirv_facts stages_facts(const struct stages *stages);
/* Adds what the stages put together of these sets (module_find_pairs). */
VkResult stages_find_pairs(const struct track *track, const struct stages *stages, const struct pipeline_layout *layout,
                           struct spirv_pairing *pairing);
/* Destroys the replaced modules, too: the pipelines made of them must exist by now. */
void stages_close(struct track *track, struct stages *stages);

/* ---- Saved create-infos (saved_info.c) ---- */

/*
 * The saved copy of one create-info, from which tiers are compiled later: a whole pipeline, or parts of one
 * (VK_EXT_graphics_pipeline_library). Counted, because linked pipelines keep the parts of their libraries. Constant
 * after creation, so any thread may compile from it.
 */
struct saved_info_part {
    atomic_uint references;
    VkGraphicsPipelineLibraryFlagsEXT brings;
    VkFlags64 flags;                        /* of the create-info, without those for libraries and linking */
    VkGraphicsPipelineCreateInfo *graphics; /* deep copies, one block each, freed with free(); one of the two is set */
    VkComputePipelineCreateInfo *compute;
    uint32_t stage_count;
    struct shader_module **modules;   /* referenced; one a stage */
    struct pipeline_layout **layouts; /* referenced; one a stage, NULL: that of the pipeline */
    struct pipeline_layout *layout;   /* referenced: of its shaders; or NULL */
    struct render_pass *render_pass;  /* referenced, or NULL */
};

/* The four parts that libraries may have, and the last link's own create-info. */
enum { SAVED_INFO_PARTS = 5 };

struct saved_info {
    bool whole; /* of a pipeline that draws bind: a library's parts are no pipeline yet, and never compiled */
    uint32_t count;
    struct saved_info_part *parts[SAVED_INFO_PARTS]; /* referenced */
};

/*
 * VK_SUCCESS; VK_INCOMPLETE if a structure in the chain is not known and cannot be copied; VK_ERROR_OUT_OF_HOST_MEMORY.
 * On anything but VK_SUCCESS the saved create-info is empty. `layout` may be NULL.
 */
VkResult saved_info_graphics(struct track *track, const struct graphics_state *state, const struct stages *stages,
                             struct pipeline_layout *layout, struct saved_info *saved_info);
VkResult saved_info_compute(struct track *track, const VkComputePipelineCreateInfo *info, const struct stages *stages,
                            struct pipeline_layout *layout, struct saved_info *saved_info);
/* Adds the parts of another saved create-info, a library's. False, with nothing added, if there are none, or too many
 * in all. */
bool saved_info_add(struct saved_info *saved_info, const struct saved_info *library);
void saved_info_finish(struct track *track, struct saved_info *saved_info);
/* The facts of all its shaders together. */
struct spirv_facts saved_info_facts(const struct saved_info *saved_info);
/* Adds what the shaders put together of these sets (module_find_pairs). */
VkResult saved_info_find_pairs(const struct track *track, const struct saved_info *saved_info,
                               const struct pipeline_layout *layout, struct spirv_pairing *pairing);
/* May it be compiled at any time (pipeline_layout_lasts), as far as its stages have layouts of their own? */
bool saved_info_lasts(const struct track *track, const struct saved_info *saved_info);
/* ---- Parts as one (linked_libraries.c) ---- */

/* One create-info of all parts of a saved create-info of graphics, but for its stages and its layout. Points into the
 * parts. */
struct linked_libraries {
    VkGraphicsPipelineCreateInfo info;
    VkPipelineDynamicStateCreateInfo dynamic;
    struct other_flags flags;
    VkPipelineRobustnessCreateInfoEXT robustness;        /* of vertex inputs */
    VkDynamicState *states;                              /* owned */
    VkPipelineRobustnessCreateInfoEXT *stage_robustness; /* owned; in the chains of stages */
    void *chains[SAVED_INFO_PARTS];
};

/*
 * False, with nothing kept, if memory runs out. It must not move. `stages` are those of all parts, in the parts' order:
 * structures of a create-info that hold for all of its stages are added to their chains, and live as long as
 * `linked_libraries`.
 */
bool saved_info_link(const struct saved_info *saved_info, VkPipelineShaderStageCreateInfo *stages,
                     struct linked_libraries *linked_libraries);
void linked_libraries_finish(struct linked_libraries *linked_libraries);

/* A create-info of graphics of all parts in a tier, with what it points to; `info` is not set for compute. */
struct saved_info_call {
    VkGraphicsPipelineCreateInfo info;
    struct linked_libraries linked_libraries;
    VkPipelineShaderStageCreateInfo *stages; /* those of the tier, `made` of them with modules of the layer's */
    uint32_t made;
    struct other_flags flags; /* of `info`, where those of the call were added */
};

/* Close it whatever is returned. It must not move in between. */
VkResult saved_info_call_open(struct track *track, const struct saved_info *saved_info,
                              const struct pipeline_layout *layout, uint32_t tier, struct saved_info_call *call);
void saved_info_call_close(struct track *track, struct saved_info_call *call);
/* Adds flags to a create-info of that call. False: out of memory. */
bool saved_info_call_add_flags(struct saved_info_call *call, void *info, VkFlags64 flags);
/*
 * Compiles a tier. `blend` NULL: with the saved create-info's own blend state. `flags` are added to the saved
 * create-info's own.
 */
VkResult saved_info_compile(struct track *track, const struct saved_info *saved_info,
                            const struct pipeline_layout *layout, uint32_t tier, const struct pipeline_blend *blend,
                            uint32_t key, VkFlags64 flags, VkPipeline *pipeline);

/* ---- Tiers (tiers.c) ---- */

/* A pipeline with records or attachments that may have no alpha; others are in no table. */
struct pipeline {
    VkPipeline handle;
    _Atomic(uint64_t) lives;        /* the handle, 0 once the program has destroyed it: for messages */
    struct pipeline_layout *layout; /* referenced */
    uint32_t follows; /* RECORD_NEED_* that some shader can act on; 0: the passthrough pipeline is always right */
    struct spirv_pairing pairing;
    bool fixed; /* one tier for its whole life: `handle` is that tier's */
    uint32_t fixed_tier;
    struct tier_slot tiers[TIER_COUNT]; /* [0] is the program's own */
    struct ahead_work ahead;
    _Atomic(uint32_t) drawn_key;  /* of the last draw that was remembered */
    struct binary_code *code;     /* code for its binaries; NULL: none will be captured */
    struct saved_info saved_info; /* empty: nothing is compiled later */
    struct pipeline_blend blend;
    _Atomic(struct variant *) variants; /* for attachments without alpha; in front of the list is the newest */
};

static inline struct pipeline *pipeline_find(struct track *track, VkPipeline handle)
{
    return table_find(&track->pipelines->pipelines, HANDLE_KEY(handle));
}

/* ---- Groups of shaders in the chain of a graphics pipeline (shader_groups.c): of one call ---- */

/* All zero: there are none. It must not move once it is in a chain. */
struct shader_groups {
    VkGraphicsPipelineShaderGroupsCreateInfoNV info;
    VkGraphicsShaderGroupCreateInfoNV *groups;
    struct stages *stages; /* one each */
    void *chain;           /* memory of the chain behind `info` */
};

/* Adds the facts of the groups' shaders to the pipeline, which has a layout with records. Close it in any case. */
VkResult shader_groups_open(struct track *track, const void *chain, struct pipeline *pipeline,
                            struct shader_groups *groups);
/* Puts code of the pipeline's tier in their places; *chain is replaced if there are any. */
VkResult shader_groups_to_tier(struct track *track, struct shader_groups *groups, const struct pipeline *pipeline,
                               const void **chain);
void shader_groups_close(struct track *track, struct shader_groups *groups);

/*
 * The driver's pipeline of that tier, in the variant with that key (pipeline_blend_key), compiled now if it is the
 * first time; any thread. VK_NULL_HANDLE and *error if that fails.
 */
VkPipeline pipeline_tier(struct track *track, struct pipeline *pipeline, uint32_t tier, uint32_t key,
                         enum tier_cause cause, VkResult *error);

/* A draw uses the pipeline in the variant with that key. */
static inline void pipeline_drawn(struct track *track, struct pipeline *pipeline, uint32_t key)
{
    if (ahead_drawn(track, &pipeline->ahead))
        atomic_store_explicit(&pipeline->drawn_key, key, memory_order_relaxed);
}

/* The driver's pipeline if it has been compiled, else VK_NULL_HANDLE. No lock. */
VkPipeline pipeline_compiled(const struct pipeline *pipeline, uint32_t tier, uint32_t key);

#endif
