/* Barriers that must cover the loads that the layer makes of fetches. */
#ifndef CLAMPLER_TRACK_BARRIER_H
#define CLAMPLER_TRACK_BARRIER_H

#include <stdbool.h>

#include <vulkan/vulkan_core.h>

struct device;

/* A render pass's create-info whose dependencies were widened, and the memory behind it. */
struct barrier_pass {
    VkRenderPassCreateInfo2 info;
    VkSubpassDependency2 *dependencies;
    VkMemoryBarrier2 *barriers;
    void **chains;
};

/*
 * Makes *pass from the program's create-info; dependencies that name only sampled reads get storage reads. False: out
 * of memory. barrier_pass_close() frees what is behind it, also after a failure.
 */
bool barrier_pass_open(const struct device *device, const VkRenderPassCreateInfo2 *info, struct barrier_pass *pass);
void barrier_pass_close(struct barrier_pass *pass);

#endif
