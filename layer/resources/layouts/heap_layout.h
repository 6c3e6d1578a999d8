/* SPDX-License-Identifier: MIT */
/*
 * Stands for a pipeline layout where descriptors are in heaps (VK_EXT_descriptor_heap): how the shader of one stage
 * reaches them. Bindings may be mapped to heaps in the stage's chain; samplers that are embedded there are replaced,
 * and where code looks up cubes a nearest one is embedded beside them. Counted, as other pipeline layouts are;
 * immutable.
 */
#ifndef CLAMPLER_LAYOUTS_HEAP_LAYOUT_H
#define CLAMPLER_LAYOUTS_HEAP_LAYOUT_H

#include "layouts/pipeline_layout.h"
#include "newer_vulkan.h"

/* A copy of a chain in which mappings are replaced; zero: the program's own is used. It must not move. */
struct heap_chain {
    VkShaderDescriptorSetAndBindingMappingInfoEXT info;
    void *memory;
    bool used;
};

/*
 * The layout of a stage with this chain, with one reference: that of the device, or one with the stage's mappings.
 * `cubes`: its code may look up cubes. Where the driver must get other mappings, *chain is replaced by the chain in
 * *replaced. NULL: *result has the error.
 */
struct pipeline_layout *heap_layout_of_stage(struct track *track, bool cubes, const void **chain,
                                             struct heap_chain *replaced, VkResult *result);
void heap_chain_finish(struct heap_chain *chain);

/*
 * The layout of all pipelines with descriptors in heaps, without a reference; NULL: by `flags` the pipeline has none.
 */
struct pipeline_layout *heap_layout_of_pipeline(struct track *track, VkFlags64 flags);

/* With the device; false: out of memory. */
bool heap_layout_open(struct track *track);

/* Of a layout that goes. */
void heap_mappings_finish(struct track *track, struct heap_mappings *mappings);

#endif
