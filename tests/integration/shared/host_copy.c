/* SPDX-License-Identifier: MIT */
#include "integration/shared/host_copy.h"

/* Of both directions: the members have the same places. */
struct region {
    VkStructureType sType;
    const void *pNext;
    void *host;
    uint32_t row_length, image_height;
    VkImageSubresourceLayers subresource;
    VkOffset3D offset;
    VkExtent3D extent;
};

struct copy {
    VkStructureType sType;
    const void *pNext;
    VkFlags flags;
    VkImage image;
    VkImageLayout layout;
    uint32_t region_count;
    const struct region *regions;
};

struct transition {
    VkStructureType sType;
    const void *pNext;
    VkImage image;
    VkImageLayout before, after;
    VkImageSubresourceRange range;
};

typedef VkResult(VKAPI_PTR *PFN_copy)(VkDevice device, const struct copy *copy);
typedef VkResult(VKAPI_PTR *PFN_transition)(VkDevice device, uint32_t count, const struct transition *transitions);

enum {
    MEMORY_TO_IMAGE = 1000270002, /* VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY_EXT, and so on */
    IMAGE_TO_MEMORY = 1000270003,
    COPY_IMAGE_TO_MEMORY = 1000270004,
    COPY_MEMORY_TO_IMAGE = 1000270005,
    TRANSITION = 1000270006,
};

void host_copy_transition(struct harness_vulkan *vk, VkImage image, VkImageLayout before)
{
    const struct transition transition = {.sType = (VkStructureType)TRANSITION,
                                          .image = image,
                                          .before = before,
                                          .after = VK_IMAGE_LAYOUT_GENERAL,
                                          .range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    HARNESS_VK(((PFN_transition)harness_proc(vk, "vkTransitionImageLayoutEXT"))(vk->device, 1, &transition));
}

void host_copy_create(struct harness_vulkan *vk, struct harness_image *image, VkFormat format, VkExtent3D extent)
{
    harness_image_create(vk, image,
                         &(struct harness_image_params){.type = VK_IMAGE_VIEW_TYPE_2D,
                                                        .format = format,
                                                        .width = extent.width,
                                                        .height = extent.height,
                                                        .usage = VK_IMAGE_USAGE_SAMPLED_BIT | HOST_COPY_USAGE},
                         NULL);
    host_copy_transition(vk, image->image, VK_IMAGE_LAYOUT_UNDEFINED);
}

static void copy_image(struct harness_vulkan *vk, const char *command, struct copy copy, VkStructureType region_type,
                       VkExtent3D extent, void *texels)
{
    const struct region region = {
        .sType = region_type, .host = texels, .subresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .extent = extent};
    copy.layout = VK_IMAGE_LAYOUT_GENERAL;
    copy.region_count = 1;
    copy.regions = &region;
    HARNESS_VK(((PFN_copy)harness_proc(vk, command))(vk->device, &copy));
}

void host_copy_to_image(struct harness_vulkan *vk, VkImage image, VkExtent3D extent, const void *texels)
{
    copy_image(vk, "vkCopyMemoryToImageEXT",
               (struct copy){.sType = (VkStructureType)COPY_MEMORY_TO_IMAGE, .image = image},
               (VkStructureType)MEMORY_TO_IMAGE, extent, (void *)(uintptr_t)texels);
}

void host_copy_from_image(struct harness_vulkan *vk, VkImage image, VkExtent3D extent, void *texels)
{
    copy_image(vk, "vkCopyImageToMemoryEXT",
               (struct copy){.sType = (VkStructureType)COPY_IMAGE_TO_MEMORY, .image = image},
               (VkStructureType)IMAGE_TO_MEMORY, extent, texels);
}
