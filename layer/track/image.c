/* Images and views: what sampling through a view needs to know of it. */
#include "track/pnext.h"
#include "track/track.h"

#include <stdlib.h>

/* VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT (VK_EXT_host_image_copy), for older headers. */
#define IMAGE_USAGE_HOST_TRANSFER 0x00400000u

static void remember_image(struct image *image, const VkImageCreateInfo *info)
{
    *image = (struct image){
        .type = info->imageType,
        .format = info->format,
        .extent = info->extent,
        .levels = info->mipLevels,
        .layers = info->arrayLayers,
        .tiling = info->tiling,
        .flags = info->flags,
        .samples = info->samples,
        .usage = info->usage,
        .always_dirty = (info->usage & (VK_IMAGE_USAGE_STORAGE_BIT | IMAGE_USAGE_HOST_TRANSFER)) ||
                        info->tiling == VK_IMAGE_TILING_LINEAR,
        .dirt = 1,
    };
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateImage(VkDevice handle, const VkImageCreateInfo *pCreateInfo,
                                                const VkAllocationCallbacks *pAllocator, VkImage *pImage)
{
    struct device *device = device_of(handle);
    if (refuse_misplaced(device->track, "vkCreateImage", pCreateInfo->pNext, (VkStructureType)0) != VK_SUCCESS)
        return VK_ERROR_VALIDATION_FAILED_EXT;
    struct image *image = object_alloc(device->track, pAllocator, sizeof(*image));
    if (!image)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    remember_image(image, pCreateInfo);
    VkImage created = VK_NULL_HANDLE;
    VkResult result = device->next.CreateImage(handle, pCreateInfo, pAllocator, &created);
    if (result == VK_SUCCESS && !table_insert(&device->track->images, HANDLE_KEY(created), image)) {
        device->next.DestroyImage(handle, created, pAllocator);
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (result != VK_SUCCESS) {
        object_free(device->track, pAllocator, image, sizeof(*image));
        return result;
    }
    *pImage = created;
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyImage(VkDevice handle, VkImage image, const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct image *known = table_remove(&device->track->images, HANDLE_KEY(image));
    device->next.DestroyImage(handle, image, pAllocator);
    object_free(device->track, pAllocator, known, sizeof(*known));
}

static uint32_t level_size(uint32_t size, uint32_t level)
{
    return size >> level ? size >> level : 1;
}

/* Slices of a 3D image are the layers of its 2D views (VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT). */
static uint32_t layer_count(const struct image *image, const VkImageSubresourceRange *range)
{
    uint32_t all =
        image->type == VK_IMAGE_TYPE_3D ? level_size(image->extent.depth, range->baseMipLevel) : image->layers;
    return range->layerCount == VK_REMAINING_ARRAY_LAYERS ? all - range->baseArrayLayer : range->layerCount;
}

/*
 * Width and height of the view's first level (section "Image Views"): a plane may be smaller than the image, and texels
 * of an uncompressed view of a compressed image are its blocks (VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT).
 */
static VkExtent2D view_size(const struct image *image, const VkImageViewCreateInfo *info)
{
    const uint32_t level = info->subresourceRange.baseMipLevel;
    const VkExtent2D plane = format_plane_divisor(image->format, info->subresourceRange.aspectMask);
    VkExtent2D size = {level_size(image->extent.width / plane.width, level),
                       level_size(image->extent.height / plane.height, level)};
    const VkExtent2D blocks = format_block(image->format), own = format_block(info->format);
    if (own.width == 1 && own.height == 1) {
        size.width = (size.width + blocks.width - 1) / blocks.width;
        size.height = (size.height + blocks.height - 1) / blocks.height;
    }
    return size;
}

static void read_facts(struct track *track, const struct image *image, const VkImageViewCreateInfo *info,
                       struct view_facts *facts)
{
    const VkImageSubresourceRange *range = &info->subresourceRange;
    resolve_vk_view(info, facts);
    facts->linear = true;
    if (!image)
        return;
    uint32_t levels =
        range->levelCount == VK_REMAINING_MIP_LEVELS ? image->levels - range->baseMipLevel : range->levelCount;
    const VkExtent2D size = view_size(image, info);
    facts->levels = (uint8_t)(levels > RECORD_LEVELS_MASK ? RECORD_LEVELS_MASK : levels);
    facts->width = size.width;
    facts->height = size.height;
    facts->depth = image->type == VK_IMAGE_TYPE_3D && info->viewType == VK_IMAGE_VIEW_TYPE_3D
                       ? level_size(image->extent.depth, range->baseMipLevel)
                       : layer_count(image, range);
    facts->linear = format_filters_linear(track, info->format, image->tiling);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateImageView(VkDevice handle, const VkImageViewCreateInfo *pCreateInfo,
                                                    const VkAllocationCallbacks *pAllocator, VkImageView *pView)
{
    struct device *device = device_of(handle);
    struct track *track = device->track;
    const VkStructureType belongs = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER;
    if (refuse_misplaced(track, "vkCreateImageView", pCreateInfo->pNext, belongs) != VK_SUCCESS)
        return VK_ERROR_VALIDATION_FAILED_EXT;
    const VkImageViewGLStateCreateInfoCLAMPLER *gl = pnext_find(pCreateInfo->pNext, belongs);
    if (gl && !device->enabled.glImageView && !device->enabled.alphaToOneAttachments)
        return refuse(track, "vkCreateImageView",
                      "VkImageViewGLStateCreateInfoCLAMPLER needs the feature glImageView, which is not enabled");
    struct view *view = object_alloc(track, pAllocator, sizeof(*view));
    if (!view)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    struct image *image = table_find(&track->images, HANDLE_KEY(pCreateInfo->image));
    read_facts(track, image, pCreateInfo, &view->facts);
    view->alpha_to_one = attachment_view(track, image, pCreateInfo->format, gl ? gl->baseFormat : 0, &view->attachment);
    VkImageViewCreateInfo info = *pCreateInfo;
    void *rest, *memory = NULL;
    VkResult result = VK_SUCCESS;
    if (gl && !pnext_copy_without(pCreateInfo->pNext, &belongs, 1, &rest, &memory))
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    else if (gl)
        info.pNext = rest;
    if (result == VK_SUCCESS)
        result = device->next.CreateImageView(handle, &info, pAllocator, &view->handle);
    free(memory);
    if (result == VK_SUCCESS && view->attachment.one) {
        result = fill_create(track, pCreateInfo, image, view->attachment.format, &view->attachment.fill);
        if (result != VK_SUCCESS)
            device->next.DestroyImageView(handle, view->handle, pAllocator);
    }
    if (result == VK_SUCCESS && !table_insert(&track->views, HANDLE_KEY(view->handle), view)) {
        device->next.DestroyImageView(handle, view->handle, pAllocator);
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (result != VK_SUCCESS) {
        fill_destroy(track, view->attachment.fill);
        object_free(track, pAllocator, view, sizeof(*view));
        return result;
    }
    *pView = view->handle;
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyImageView(VkDevice handle, VkImageView view,
                                                 const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct view *known = table_remove(&device->track->views, HANDLE_KEY(view));
    if (known)
        fill_destroy(device->track, known->attachment.fill);
    device->next.DestroyImageView(handle, view, pAllocator);
    object_free(device->track, pAllocator, known, sizeof(*known));
}

/* ---- Images of swapchains: the driver makes them, the program may sample them ---- */

struct swapchain {
    struct image image; /* what each of its images is */
    uint32_t known;     /* images that are in the table of images */
    VkImage images[];
};

enum { SWAPCHAIN_IMAGES = 64 };

static const size_t SWAPCHAIN_BYTES = sizeof(struct swapchain) + SWAPCHAIN_IMAGES * sizeof(VkImage);

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateSwapchainKHR(VkDevice handle, const VkSwapchainCreateInfoKHR *pCreateInfo,
                                                       const VkAllocationCallbacks *pAllocator,
                                                       VkSwapchainKHR *pSwapchain)
{
    struct device *device = device_of(handle);
    struct swapchain *swapchain = object_alloc(device->track, pAllocator, SWAPCHAIN_BYTES);
    if (!swapchain)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    swapchain->image = (struct image){
        .type = VK_IMAGE_TYPE_2D,
        .format = pCreateInfo->imageFormat,
        .extent = {pCreateInfo->imageExtent.width, pCreateInfo->imageExtent.height, 1},
        .levels = 1,
        .layers = pCreateInfo->imageArrayLayers,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .swapchain = true,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = pCreateInfo->imageUsage,
        .always_dirty = pCreateInfo->imageUsage & VK_IMAGE_USAGE_STORAGE_BIT,
        .dirt = 1,
    };
    VkSwapchainKHR created = VK_NULL_HANDLE;
    VkResult result = device->next.CreateSwapchainKHR(handle, pCreateInfo, pAllocator, &created);
    if (result == VK_SUCCESS && !table_insert(&device->track->swapchains, HANDLE_KEY(created), swapchain)) {
        device->next.DestroySwapchainKHR(handle, created, pAllocator);
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (result != VK_SUCCESS) {
        object_free(device->track, pAllocator, swapchain, SWAPCHAIN_BYTES);
        return result;
    }
    *pSwapchain = created;
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL hook_DestroySwapchainKHR(VkDevice handle, VkSwapchainKHR swapchain,
                                                    const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct swapchain *known = table_remove(&device->track->swapchains, HANDLE_KEY(swapchain));
    for (uint32_t i = 0; known && i < known->known; i++)
        table_remove(&device->track->images, HANDLE_KEY(known->images[i]));
    device->next.DestroySwapchainKHR(handle, swapchain, pAllocator);
    object_free(device->track, pAllocator, known, SWAPCHAIN_BYTES);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_GetSwapchainImagesKHR(VkDevice handle, VkSwapchainKHR swapchain, uint32_t *pCount,
                                                          VkImage *pImages)
{
    struct device *device = device_of(handle);
    VkResult result = device->next.GetSwapchainImagesKHR(handle, swapchain, pCount, pImages);
    struct swapchain *known = table_find(&device->track->swapchains, HANDLE_KEY(swapchain));
    if (!pImages || !known || (result != VK_SUCCESS && result != VK_INCOMPLETE))
        return result;
    for (uint32_t i = 0; i < *pCount && i < SWAPCHAIN_IMAGES; i++) {
        bool there = i < known->known && known->images[i] == pImages[i];
        /* An image that is not remembered is sampled with the sampler's facts alone: nothing to fail for. */
        if (!there && table_insert(&device->track->images, HANDLE_KEY(pImages[i]), &known->image)) {
            known->images[i] = pImages[i];
            if (known->known < i + 1)
                known->known = i + 1;
        }
    }
    return result;
}
