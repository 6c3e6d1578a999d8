/* Barriers that must cover reads that the layer adds: loads for fetches, and blending that keeps alpha. */
#ifndef CLAMPLER_BARRIERS_BARRIER_H
#define CLAMPLER_BARRIERS_BARRIER_H

#include <stdbool.h>

#include <vulkan/vulkan_core.h>

struct device;

/*
 * A render pass's create-info whose dependencies were widened, and the memory behind it: dependencies that name only
 * sampled reads get storage reads, and where alpha may be kept by blending (`keeps`), those that name only writes of
 * colour attachments get their reads. Barriers need not have those: a pass that does not load an attachment, which is
 * such a read, clears it before anything is blended.
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
