/* SPDX-License-Identifier: MIT */
/*
 * The flags of create-infos of pipelines, which have two forms: the member `flags`, and those of a
 * VkPipelineCreateFlags2CreateInfo in the chain, which take the other's place (specification, VkPipelineCreateFlags2).
 * Nothing else in the layer reads or writes either (tests/packaging/create_infos_test.py).
 */
#ifndef CLAMPLER_OBJECTS_PIPELINE_FLAGS_H
#define CLAMPLER_OBJECTS_PIPELINE_FLAGS_H

#include <stdbool.h>

#include <vulkan/vulkan_core.h>

#include "newer_vulkan.h"

/* What create-infos of all kinds of pipelines begin with. */
struct pipeline_info_head {
    VkStructureType sType;
    const void *pNext;
    VkPipelineCreateFlags flags;
};
struct pipeline_info_head pipeline_info_head(const void *info);

/* The flags of a create-info of any kind of pipeline. */
VkFlags64 pipeline_flags(const void *info);

/* VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR: binaries will be asked for. */
static const VkFlags64 pipeline_captured = UINT64_C(0x80000000);

/*
 * The flags that are about the call that makes a pipeline, and not about the pipeline: whatever is made in that call in
 * the place of what the program named has them, and nothing that is made later.
 */
static const VkFlags64 pipeline_flags_of_call = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT |
                                                VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT |
                                                UINT64_C(0x80000000) /* pipeline_captured */;

/* Other flags for a create-info; what it points to then. All zero: nothing. It must not move while that is used. */
struct other_flags {
    VkPipelineCreateFlags2CreateInfoKHR wide;
    void *chain;
};

/*
 * Gives a create-info, which is the layer's, other flags in the form that it has; its chain, which may be the
 * program's, is replaced for that, not changed. False, with nothing changed, if memory runs out.
 */
bool pipeline_flags_replace(void *info, VkFlags64 flags, struct other_flags *other);
void pipeline_flags_finish(struct other_flags *other);

/* Takes flags out of a create-info whose chain is the layer's own copy. */
void pipeline_flags_strip(void *info, VkFlags64 flags);

#endif
