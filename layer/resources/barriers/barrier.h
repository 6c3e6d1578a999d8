/* SPDX-License-Identifier: MIT */
/*
 * Widens the program's barriers and dependencies, which must also cover the layer's own reads: texels by address, and
 * attachments whose alpha is kept by blending. Commands are widened by layer/recording/recording, render passes by
 * layer/resources/attachments, both through this header. No state.
 */
#ifndef CLAMPLER_BARRIERS_BARRIER_H
#define CLAMPLER_BARRIERS_BARRIER_H

#include <stdbool.h>

#include <vulkan/vulkan_core.h>

struct device;

/*
 * The memory barrier that a dependency needs besides: VK_ACCESS_2_SHADER_SAMPLED_READ_BIT covers fetches from uniform
 * texel buffers, but not the loads by address that the layer may make of them, which are storage reads.
 * VK_ACCESS_SHADER_READ_BIT, all that older barriers can say, has both in it.
 *
 * `family`: of the queue that the command is recorded for. A release to another family needs no more, because nothing
 * on this queue reads afterwards. An acquire names source stages of the other family, which this queue may lack
 * (VUID-vkCmdPipelineBarrier2-srcStageMask-09673): so the added barrier waits for the acquire itself, in the acquire's
 * destination stages. `acquires`: there are such.
 */
struct barrier_added {
    VkMemoryBarrier2 barrier;
    bool needed, acquires;
};
struct barrier_added barrier_added(const struct device *device, const VkDependencyInfo *info, uint32_t family);

/*
 * A render pass's create-info whose dependencies were widened, and the memory behind it. Dependencies that name only
 * sampled reads get storage reads. Where alpha may be kept by blending (`keeps`), dependencies that name only writes of
 * colour attachments get reads of them. Barriers need no such reads: loading an attachment is a read already, and a
 * pass that does not load one clears it before anything is blended.
 */
struct barrier_pass {
    VkRenderPassCreateInfo2 info;
    VkSubpassDependency2 *dependencies;
    VkMemoryBarrier2 *barriers;
    void **chains;
};

/* Makes *pass of the program's. False: out of memory. _close() frees what is behind it, also after a failure. */
bool barrier_pass_open(const struct device *device, const VkRenderPassCreateInfo2 *info, bool keeps,
                       struct barrier_pass *pass);
void barrier_pass_close(struct barrier_pass *pass);

/* The same of the first version, whose dependencies cannot name only sampled reads. free(pass->dependencies) after. */
struct barrier_pass1 {
    VkRenderPassCreateInfo info;
    VkSubpassDependency *dependencies;
};
bool barrier_pass1_open(const VkRenderPassCreateInfo *info, bool keeps, struct barrier_pass1 *pass);

#endif
