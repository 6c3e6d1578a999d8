/* SPDX-License-Identifier: MIT */
/*
 * The flags of create-infos of pipelines, which have two forms: the member `flags`, and those of a
 * VkPipelineCreateFlags2CreateInfo in the chain, which take the other's place (specification, VkPipelineCreateFlags2).
 * Nothing else in the layer reads or writes either (tests/packaging/create_infos_test.py).
 */
#ifndef CLAMPLER_OBJECTS_PIPELINE_FLAGS_H
#define CLAMPLER_OBJECTS_PIPELINE_FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan_core.h>

#include "device/structure_chain.h"
#include "newer_vulkan.h"
#include "objects/pnext.h"

/* The members that create-infos of all kinds of pipelines begin with. */
struct pipeline_info_head {
    VkStructureType sType;
    const void *pNext;
    VkPipelineCreateFlags flags;
};

/* By bytes: the create-info is of another type, which goes on where the head has its padding. */
enum { PIPELINE_HEAD_BYTES = offsetof(struct pipeline_info_head, flags) + sizeof(VkPipelineCreateFlags) };
_Static_assert(offsetof(VkGraphicsPipelineCreateInfo, flags) == offsetof(struct pipeline_info_head, flags) &&
                   offsetof(VkComputePipelineCreateInfo, flags) == offsetof(struct pipeline_info_head, flags) &&
                   offsetof(VkRayTracingPipelineCreateInfoKHR, flags) == offsetof(struct pipeline_info_head, flags) &&
                   offsetof(VkRayTracingPipelineCreateInfoNV, flags) == offsetof(struct pipeline_info_head, flags),
               "create-infos of all kinds begin alike");

static inline struct pipeline_info_head pipeline_info_head(const void *info)
{
    struct pipeline_info_head head;
    memcpy(&head, info, PIPELINE_HEAD_BYTES);
    return head;
}

static inline void pipeline_info_write(void *info, const struct pipeline_info_head *head)
{
    memcpy(info, head, PIPELINE_HEAD_BYTES);
}

/* The wide form; NULL: the create-info has the narrow one. */
static inline const VkPipelineCreateFlags2CreateInfoKHR *pipeline_flags_wide(const void *chain)
{
    return pnext_find(chain, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR);
}

/* The flags of a create-info of any kind of pipeline. */
static inline VkFlags64 pipeline_flags(const void *info)
{
    const struct pipeline_info_head head = pipeline_info_head(info);
    const VkPipelineCreateFlags2CreateInfoKHR *wide = pipeline_flags_wide(head.pNext);
    return wide ? wide->flags : head.flags;
}

/* VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR: binaries will be asked for. */
static const VkFlags64 pipeline_captured = UINT64_C(0x80000000);

/*
 * The flags of the creating call rather than of the pipeline: pipelines that the layer makes in that call have them,
 * pipelines that it makes later do not.
 */
static const VkFlags64 pipeline_flags_of_call = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT |
                                                VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT |
                                                UINT64_C(0x80000000) /* pipeline_captured */;

/* Storage for other flags of a create-info. All zero: none. It must not move while the create-info is used. */
struct other_flags {
    VkPipelineCreateFlags2CreateInfoKHR wide;
    void *chain;
};

/*
 * Gives a create-info, which is the layer's, other flags in the form that it has; its chain, which may be the
 * program's, is replaced for that, not changed. False, with nothing changed, if memory runs out.
 */
static inline bool pipeline_flags_replace(void *info, VkFlags64 flags, struct other_flags *other)
{
    static const VkStructureType replaced[] = {VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR};
    struct pipeline_info_head head = pipeline_info_head(info);
    /* Where the program did not use the wide form, the driver may not know it. */
    if (pipeline_flags_wide(head.pNext) || flags >> 31) {
        void *rest, *memory;
        if (!pnext_copy_without(head.pNext, replaced, 1, &rest, &memory))
            return false;
        free(other->chain);
        other->chain = memory;
        other->wide = (VkPipelineCreateFlags2CreateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR, .pNext = rest, .flags = flags};
        head.pNext = &other->wide;
    } else {
        head.flags = (VkPipelineCreateFlags)flags;
    }
    pipeline_info_write(info, &head);
    return true;
}

static inline void pipeline_flags_finish(struct other_flags *other)
{
    free(other->chain);
    *other = (struct other_flags){.chain = NULL};
}

/* Takes flags out of a create-info whose chain is the layer's own copy. */
static inline void pipeline_flags_strip(void *info, VkFlags64 flags)
{
    struct pipeline_info_head head = pipeline_info_head(info);
    VkPipelineCreateFlags2CreateInfoKHR *wide =
        (VkPipelineCreateFlags2CreateInfoKHR *)(uintptr_t)pipeline_flags_wide(head.pNext);
    head.flags &= ~(VkPipelineCreateFlags)flags;
    if (wide)
        wide->flags &= ~flags;
    pipeline_info_write(info, &head);
}

#endif
