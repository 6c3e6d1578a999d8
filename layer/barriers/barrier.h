/* SPDX-License-Identifier: MIT */
/*
 * Barriers and dependencies of passes are the program's, but must also cover what the layer reads: texels by address,
 * and attachments whose alpha is kept by blending. Hooks widen them; render passes are widened by layer/attachments
 * through this header. No state.
 */
#ifndef CLAMPLER_BARRIERS_BARRIER_H
#define CLAMPLER_BARRIERS_BARRIER_H

#include <stdbool.h>

#include <vulkan/vulkan_core.h>

struct device;

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
