/* SPDX-License-Identifier: MIT */
/* What every program has that draws a picture without a window, and nothing that knows of the layer. */
#ifndef CLAMPLER_EXAMPLES_PLUMBING_H
#define CLAMPLER_EXAMPLES_PLUMBING_H

#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

/* Ends the program with a message unless the result is VK_SUCCESS. */
void check(VkResult result, const char *call);
#define CHECK(call) check((call), #call)

struct plumbing {
    VkPhysicalDevice physical;
    VkDevice device;
    uint32_t texture_size, target_size;
    VkImage texture, target; /* R8_UNORM, and R8G8B8A8_UNORM */
    VkDeviceMemory texture_memory, target_memory;
    VkBuffer shared; /* the texels before the draw, the picture after it */
    VkDeviceMemory shared_memory;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkPipeline pipeline;
    VkCommandPool commands;
};

/* Returns the mapped memory of `shared`. */
uint8_t *plumbing_make(struct plumbing *p, VkPhysicalDevice physical, VkDevice device, uint32_t texture_size,
                       uint32_t target_size);

/* Brings the texels to the texture, draws the quad and brings the picture back. */
void plumbing_draw(const struct plumbing *p, VkQueue queue, VkSampler sampler, VkImageView texture, VkImageView target);

void plumbing_destroy(struct plumbing *p);

#endif
