/* SPDX-License-Identifier: MIT */
/*
 * Pipeline binaries (VK_KHR_pipeline_binary). The driver has compiled the program's own pipeline; each binary also has
 * the SPIR-V of the pipeline's stages, so that pipelines made from binaries have tiers. All keys differ from those
 * without the layer, because the code is right only for the layer's layouts.
 */
#ifndef CLAMPLER_PIPELINES_PIPELINE_BINARY_H
#define CLAMPLER_PIPELINES_PIPELINE_BINARY_H

#include <stdatomic.h>

#include "modules/packed_code.h"
#include "newer_vulkan.h"
#include "objects/track.h"

/* The code of a pipeline, by the number of its stages; counted, does not change. */
struct binary_code {
    atomic_uint references;
    uint32_t count;
    struct packed_stage stages[]; /* modules are referenced */
};

/* With one reference, and a reference to each module. NULL: out of memory. */
struct binary_code *binary_code_create(struct track *track, uint32_t count,
                                       const VkPipelineShaderStageCreateInfo *stages,
                                       struct shader_module *const *modules);
struct binary_code *binary_code_ref(struct binary_code *code);
void binary_code_unref(struct track *track, struct binary_code *code);

/*
 * Is a pipeline with this chain made from binaries? *code is the code of its stages, borrowed from one of them, or
 * NULL: the pipeline they were captured from has nothing of the layer's.
 */
bool binary_code_chained(struct track *track, const void *chain, const struct binary_code **code);

#endif
