/* SPDX-License-Identifier: MIT */
/*
 * Creation of pipelines: the part that all kinds share (creation.c), and the hooks of each kind (create_graphics.c,
 * create_compute.c, create_rays.c). The program's handle is the passthrough pipeline; layer/pipelines/pipelines
 * compiles the other tiers when a draw first needs them. Where the tier cannot be chosen later (ray tracing, pipelines
 * that the GPU selects), the program's pipeline itself is made at the fixed tier.
 *
 * A creation belongs to the call that makes the pipeline, and to one thread.
 */
#ifndef CLAMPLER_CREATION_CREATION_H
#define CLAMPLER_CREATION_CREATION_H

#include "objects/pipeline_flags.h"
#include "pipelines/tiers.h"

/* One pipeline. */
struct creation {
    VkFlags64 flags;                /* the program's, in either form */
    struct pipeline_layout *layout; /* borrowed; NULL: nothing of the layer's in its shaders */
    struct stages stages;
    struct pipeline *pipeline; /* NULL: nothing of the layer's in it at all */
    void *memory;              /* of changed blend state, for the driver's call */
    struct shader_groups groups;
    struct saved_info_call whole; /* of a pipeline that is linked in a fixed tier: its parts are compiled as one */
    struct other_flags others;    /* of a pipeline that is made alone although its call has several */
    bool required;                /* it cannot be made without its SPIR-V (VK_PIPELINE_COMPILE_REQUIRED) */
};

/* Flags of pipelines that the GPU selects; the second is VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT. */
static const VkFlags64 creation_unexchangeable = VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV | UINT64_C(0x4000000000);

/*
 * Begins the creation of a pipeline of any kind. `known` may be NULL. `info` is the program's create-info. `always`:
 * the pipeline is tracked even if its layout has no records. On anything but VK_SUCCESS nothing is kept;
 * VK_PIPELINE_COMPILE_REQUIRED: the program must provide the SPIR-V.
 */
VkResult creation_open(struct track *track, struct pipeline_layout *known, const void *info, uint32_t stage_count,
                       const VkPipelineShaderStageCreateInfo *stages, bool always, struct creation *creation);

/*
 * The last step before the driver makes a pipeline of any kind: the saved create-info is made or not needed, so the
 * tier of the modules is known. *stages, the program's own, are replaced if the driver gets others. On failure nothing
 * is kept.
 */
VkResult creation_finish(struct track *track, struct creation *creation, VkResult saved_info_result,
                         const VkPipelineShaderStageCreateInfo **stages);

/* Frees what was not adopted; accepts a zeroed structure. */
void creation_close(struct track *track, struct creation *creation);

/* One call for pipelines of one kind. */
struct creation_call {
    struct device *device;
    VkPipelineCache cache;
    uint32_t count;
    const void *infos; /* the program's */
    const VkAllocationCallbacks *callbacks;
    VkPipeline *pipelines;
};

struct creation_kind {
    size_t info_size; /* of one create-info */
    /* Begins a creation, and changes `info`, a copy of the program's, for the driver. */
    VkResult (*open)(struct track *track, void *info, struct creation *creation);
    VkResult (*create)(const struct creation_call *call, const void *infos); /* calls the next layer */
};

/* Creates all pipelines of a call, in the next layer and here; returns the program's result. */
VkResult creation_run(const struct creation_kind *kind, const struct creation_call *call);

#endif
