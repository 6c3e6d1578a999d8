/* SPDX-License-Identifier: MIT */
/* Reads and writes flags of create-infos: in the chain where they stand there, else in the member. */
#include "objects/pipeline_flags.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "device/structure_chain.h"
#include "objects/pnext.h"

static const VkPipelineCreateFlags2CreateInfoKHR *wide_of(const void *chain)
{
    return pnext_find(chain, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR);
}

/* By bytes: the create-info is of another type, which goes on where the head has its padding. */
enum { HEAD_BYTES = offsetof(struct pipeline_info_head, flags) + sizeof(VkPipelineCreateFlags) };
_Static_assert(offsetof(VkGraphicsPipelineCreateInfo, flags) == offsetof(struct pipeline_info_head, flags) &&
                   offsetof(VkComputePipelineCreateInfo, flags) == offsetof(struct pipeline_info_head, flags) &&
                   offsetof(VkRayTracingPipelineCreateInfoKHR, flags) == offsetof(struct pipeline_info_head, flags) &&
                   offsetof(VkRayTracingPipelineCreateInfoNV, flags) == offsetof(struct pipeline_info_head, flags),
               "create-infos of all kinds begin alike");

struct pipeline_info_head pipeline_info_head(const void *info)
{
    struct pipeline_info_head head;
    memcpy(&head, info, HEAD_BYTES);
    return head;
}

static void write_head(void *info, const struct pipeline_info_head *head)
{
    memcpy(info, head, HEAD_BYTES);
}

VkFlags64 pipeline_flags(const void *info)
{
    const struct pipeline_info_head head = pipeline_info_head(info);
    const VkPipelineCreateFlags2CreateInfoKHR *wide = wide_of(head.pNext);
    return wide ? wide->flags : head.flags;
}

bool pipeline_flags_replace(void *info, VkFlags64 flags, struct other_flags *other)
{
    static const VkStructureType replaced[] = {VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR};
    struct pipeline_info_head head = pipeline_info_head(info);
    /* Where nobody used the wide form, drivers may not know it. */
    if (wide_of(head.pNext) || flags >> 31) {
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
    write_head(info, &head);
    return true;
}

void pipeline_flags_finish(struct other_flags *other)
{
    free(other->chain);
    *other = (struct other_flags){.chain = NULL};
}

void pipeline_flags_strip(void *info, VkFlags64 flags)
{
    struct pipeline_info_head head = pipeline_info_head(info);
    VkPipelineCreateFlags2CreateInfoKHR *wide = (VkPipelineCreateFlags2CreateInfoKHR *)(uintptr_t)wide_of(head.pNext);
    head.flags &= ~(VkPipelineCreateFlags)flags;
    if (wide)
        wide->flags &= ~flags;
    write_head(info, &head);
}
