/* SPDX-License-Identifier: MIT */
#ifndef CLAMPLER_FAILURES_EVERY_H
#define CLAMPLER_FAILURES_EVERY_H

#include <vulkan/vulkan.h>

struct every {
    VkImage image;
    VkBuffer buffer;
    VkPipeline pipeline;
    VkPipelineLayout pipelinelayout;
};

/*
 * Records every command that the layer hooks and that needs nothing special, with as little in it as may be. Generated
 * (failures_every.c). Nothing of it may reach the driver.
 */
void every_command(VkDevice device, VkCommandBuffer commandBuffer, const struct every *with);

#endif
