/* SPDX-License-Identifier: MIT */
/* Images: facts for their views, and the formats of auxiliary views. */
#include "sampling/image.h"

#include <stdlib.h>
#include <string.h>

#include "deviations/deviations.h"
#include "device/device.h"
#include "device/message.h"
#include "device/object_names.h"
#include "device/structure_chain.h"
#include "filled/filled.h"
#include "filled/ways.h"
#include "format/format.h"
#include "newer_vulkan.h"
#include "objects/pnext.h"
#include "objects/resource_flags.h"
#include "objects/table.h"
#include "objects/track.h"
#include "sampling/format.h"
#include "sampling/saved_writes.h"
#include "sampling/sampling.h"
#include "record_table/record_table.h"

/* ---- Views without sRGB decoding ---- */

/*
 * Sampling an sRGB texture without decoding (GL_SKIP_DECODE_EXT) takes a UNORM view of the image, which Vulkan allows
 * only if the image is mutable. A function of the create-info alone, so that queries of memory requirements can be
 * changed in the same way.
 */
struct image_plan {
    VkImageCreateInfo info; /* for the driver */
    VkImageFormatListCreateInfo list;
    VkFormat *formats;
    void *chain;
    struct other_image_flags flags;
    bool unorm_views;       /* a UNORM view is available */
    bool other_unorm_views; /* of views of other formats than the image's, too */
};

static void image_plan_close(struct image_plan *plan)
{
    free(plan->formats);
    free(plan->chain);
    free(plan->flags.chain);
}

/* True: other processes or devices use the image, so its create-info must not change. */
static bool is_shared(const VkImageCreateInfo *info)
{
    for (const VkBaseInStructure *s = info->pNext; s; s = s->pNext) {
        switch ((uint32_t)s->sType) {
        case VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO:
        case VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_CONTROL_EXT:
            break;
        default:
            if (!is_image_flags(s->sType))
                return true;
        }
    }
    return info->tiling != VK_IMAGE_TILING_OPTIMAL && info->tiling != VK_IMAGE_TILING_LINEAR;
}

static bool supports_mutable(const struct device *device, const VkImageCreateInfo *info)
{
    VkImageFormatProperties properties;
    const VkFlags64 usage = image_create_usage(info), flags = image_create_flags(info);
    return !((usage | flags) >> 32) && /* which the query does not return */
           device->instance->next.GetPhysicalDeviceImageFormatProperties(
               device->physical, info->format, info->imageType, info->tiling, (VkImageUsageFlags)usage,
               (VkImageCreateFlags)flags | VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT, &properties) == VK_SUCCESS &&
           (properties.sampleCounts & info->samples) && properties.maxMipLevels >= info->mipLevels &&
           properties.maxArrayLayers >= info->arrayLayers;
}

static bool lists(const VkImageFormatListCreateInfo *list, VkFormat format)
{
    for (uint32_t i = 0; i < list->viewFormatCount; i++) {
        if (list->pViewFormats[i] == format)
            return true;
    }
    return false;
}

/* Has the list beside each format that is decoded from sRGB the one that is not? */
static bool lists_unorm_views(const VkImageFormatListCreateInfo *list)
{
    for (uint32_t i = 0; i < list->viewFormatCount; i++) {
        const VkFormat unorm = format_unorm(list->pViewFormats[i]);
        if (unorm != VK_FORMAT_UNDEFINED && !lists(list, unorm))
            return false;
    }
    return true;
}

/* The program's formats, or the image's own, and the UNORM one. False: out of memory. */
static bool list_formats(const VkImageFormatListCreateInfo *program, VkFormat unorm, struct image_plan *plan)
{
    static const VkStructureType replaced[] = {VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO};
    const uint32_t count = program ? program->viewFormatCount : 0;
    void *rest = NULL;
    plan->formats = malloc((count + 2) * sizeof(*plan->formats));
    if (!plan->formats || !pnext_copy_without(plan->info.pNext, replaced, 1, &rest, &plan->chain))
        return false;
    uint32_t used = 0;
    for (; used < count; used++)
        plan->formats[used] = program->pViewFormats[used];
    if (!used)
        plan->formats[used++] = plan->info.format;
    plan->formats[used++] = unorm;
    plan->list = (VkImageFormatListCreateInfo){
        .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
        .pNext = rest,
        .viewFormatCount = used,
        .pViewFormats = plan->formats,
    };
    plan->info.pNext = &plan->list;
    return true;
}

/* True: a view without decoding shows the same texels, not decoded. */
static bool decodes_all_views(const struct device *device, VkFormat format)
{
    return (device->deviations & DEVIATION_BLOCK_VIEWS) && format_block(format).width > 1;
}

/* False: out of memory. Close it in every case. */
static bool image_plan_open(const struct device *device, const VkImageCreateInfo *info, struct image_plan *plan)
{
    const VkImageFormatListCreateInfo *program =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO);
    const VkFormat unorm = format_unorm(info->format);
    const VkFlags64 usage = image_create_usage(info);
    *plan = (struct image_plan){.info = *info};
    if (!device->caps.enabled.glSampler || unorm == VK_FORMAT_UNDEFINED || !(usage & VK_IMAGE_USAGE_SAMPLED_BIT) ||
        (device->instance->settings.assume_missing & MISSING_SRGB_VIEWS) || decodes_all_views(device, info->format))
        return true;
    const bool is_mutable = image_create_flags(info) & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    const bool listed = program && program->viewFormatCount;
    if (is_mutable && (!listed || lists(program, unorm))) {
        plan->unorm_views = true;
        plan->other_unorm_views = !listed || lists_unorm_views(program);
        return true;
    }
    /* Imageless framebuffers repeat flags and formats of their images, and say too little to be changed alike. */
    const VkFlags64 attachment = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
    const bool repeated = device->caps.imageless_framebuffers && (usage & attachment);
    if (repeated || is_shared(info) || !supports_mutable(device, info))
        return true;
    plan->unorm_views = true;
    return image_flags_add(&plan->info, VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT, &plan->flags) &&
           (!(device->caps.image_format_list || program) || list_formats(program, unorm, plan));
}

/* ---- Images ---- */

void image_say_shared(const struct track *track, VkObjectType type, uint64_t handle)
{
    static struct message_place said;
    message_about_once(&said, track->device, LOG_INFO, ABOUT({type, handle}),
                       "an attachment without alpha shares its memory with other images or processes: its alpha is "
                       "filled before every pass that loads it");
}

enum { SWAPCHAIN_IMAGES = 64 };

struct swapchain {
    _Atomic(VkImage) handles[SWAPCHAIN_IMAGES]; /* of those that are in the table of images; several threads may ask */
    struct image images[SWAPCHAIN_IMAGES];
};

/* The program makes an image of a swapchain's memory: both have the same contents. */
static void share_swapchain(struct track *track, const VkImageCreateInfo *info)
{
    const VkImageSwapchainCreateInfoKHR *given =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_SWAPCHAIN_CREATE_INFO_KHR);
    struct swapchain *swapchain = given ? table_find(&track->sampling->swapchains, HANDLE_KEY(given->swapchain)) : NULL;
    for (uint32_t i = 0; swapchain && i < SWAPCHAIN_IMAGES; i++)
        atomic_store_explicit(&swapchain->images[i].unseen, true, memory_order_relaxed);
    if (swapchain && track->device->caps.rgbx_attachments)
        image_say_shared(track, VK_OBJECT_TYPE_SWAPCHAIN_KHR, HANDLE_KEY(given->swapchain));
}

/* True: the chain says that other objects or processes may use the image's memory; also for unknown structures. */
static bool names_others(const VkBaseInStructure *s)
{
    switch ((uint32_t)s->sType) {
    case VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO:
        return ((const VkExternalMemoryImageCreateInfo *)(const void *)s)->handleTypes;
    case VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO_NV:
        return ((const VkExternalMemoryImageCreateInfoNV *)(const void *)s)->handleTypes;
    case VK_STRUCTURE_TYPE_IMAGE_SWAPCHAIN_CREATE_INFO_KHR:
        return ((const VkImageSwapchainCreateInfoKHR *)(const void *)s)->swapchain;
    case VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO:
    case VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_CONTROL_EXT:
    case VK_STRUCTURE_TYPE_DEDICATED_ALLOCATION_IMAGE_CREATE_INFO_NV:
    case VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_LIST_CREATE_INFO_EXT: /* by tiling */
    case VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT:
    case 1000023013: /* VIDEO_PROFILE_LIST_INFO_KHR: by usage */
    case 1000316010: /* OPAQUE_CAPTURE_DESCRIPTOR_DATA_CREATE_INFO_EXT */
    case 1000464002: /* OPTICAL_FLOW_IMAGE_FORMAT_INFO_NV */
    case 1000575002: /* IMAGE_ALIGNMENT_CONTROL_CREATE_INFO_MESA */
    case 1000135007: /* OPAQUE_CAPTURE_DATA_CREATE_INFO_EXT */
    case 1000631003: /* DATA_GRAPH_OPTICAL_FLOW_IMAGE_FORMAT_INFO_ARM */
    case 1000687001: /* IMAGE_TILING_CONTROL_CREATE_INFO_EXT */
        return false;
    default:
        return !is_image_flags(s->sType);
    }
}

/* True: the image shares memory with another image, a swapchain's image, or a user outside of the device. */
static bool shares_memory(const VkImageCreateInfo *info)
{
    bool shares = filled_shares_memory(image_create_flags(info));
    for (const VkBaseInStructure *s = info->pNext; s; s = s->pNext)
        shares |= names_others(s);
    return shares;
}

static void remember_image(struct image *image, const VkImageCreateInfo *info, const struct image_plan *plan)
{
    const VkFlags64 usage = image_create_usage(info), flags = image_create_flags(info);
    const bool shared = shares_memory(info);
    *image = (struct image){
        .type = info->imageType,
        .format = info->format,
        .extent = info->extent,
        .levels = info->mipLevels,
        .layers = info->arrayLayers,
        .tiling = info->tiling,
        .flags = flags,
        .samples = info->samples,
        .swapchain = pnext_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_SWAPCHAIN_CREATE_INFO_KHR) != NULL,
        .shared = shared,
        .unseen = shared || filled_unseen(flags, usage, info->tiling),
        .usage = usage,
        .stencil_usage = image_create_stencil_usage(info),
        .unorm_views = plan->unorm_views,
        .other_unorm_views = plan->other_unorm_views,
    };
}

/* Frees the parts of an image. */
static void image_finish(struct track *track, struct image *image)
{
    struct filled *filled = atomic_load_explicit(&image->filled, memory_order_acquire);
    indices_release(track, &image->record_indices);
    object_free(track, NULL, filled, filled ? filled_bytes(filled->levels, filled->layers) : 0);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateImage(VkDevice handle, const VkImageCreateInfo *pCreateInfo,
                                                const VkAllocationCallbacks *pAllocator, VkImage *pImage)
{
    struct device *device = device_of(handle);
    struct track *track = device->track;
    if (refuse_misplaced(track, "vkCreateImage", pCreateInfo->pNext, (VkStructureType)0) != VK_SUCCESS)
        return VK_ERROR_VALIDATION_FAILED_EXT;
    struct image_plan plan;
    struct image *image = NULL;
    VkImage created = VK_NULL_HANDLE;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (image_plan_open(device, pCreateInfo, &plan) && (image = object_alloc(track, pAllocator, sizeof(*image)))) {
        remember_image(image, pCreateInfo, &plan);
        result = device->next.CreateImage(handle, &plan.info, pAllocator, &created);
    }
    image_plan_close(&plan);
    result = TRACKED_INSERT(result, track, &track->sampling->images, Image, created, image, pAllocator);
    if (result != VK_SUCCESS) {
        object_free(track, pAllocator, image, sizeof(*image));
        return result;
    }
    share_swapchain(track, pCreateInfo);
    *pImage = created;
    return VK_SUCCESS;
}

/* Queries the requirements of the image that the layer would make. */
VKAPI_ATTR void VKAPI_CALL hook_GetDeviceImageMemoryRequirements(VkDevice handle,
                                                                 const VkDeviceImageMemoryRequirements *pInfo,
                                                                 VkMemoryRequirements2 *pMemoryRequirements)
{
    struct device *device = device_of(handle);
    struct image_plan plan;
    VkDeviceImageMemoryRequirements for_driver = *pInfo;
    if (image_plan_open(device, pInfo->pCreateInfo, &plan))
        for_driver.pCreateInfo = &plan.info;
    device->next.GetDeviceImageMemoryRequirements(handle, &for_driver, pMemoryRequirements);
    image_plan_close(&plan);
}

VKAPI_ATTR void VKAPI_CALL hook_GetDeviceImageSparseMemoryRequirements(
    VkDevice handle, const VkDeviceImageMemoryRequirements *pInfo, uint32_t *pSparseMemoryRequirementCount,
    VkSparseImageMemoryRequirements2 *pSparseMemoryRequirements)
{
    struct device *device = device_of(handle);
    struct image_plan plan;
    VkDeviceImageMemoryRequirements for_driver = *pInfo;
    if (image_plan_open(device, pInfo->pCreateInfo, &plan))
        for_driver.pCreateInfo = &plan.info;
    device->next.GetDeviceImageSparseMemoryRequirements(handle, &for_driver, pSparseMemoryRequirementCount,
                                                        pSparseMemoryRequirements);
    image_plan_close(&plan);
}

/* Likewise the places of texels, which a program may ask for before it makes the image. */
VKAPI_ATTR void VKAPI_CALL hook_GetDeviceImageSubresourceLayoutKHR(VkDevice handle,
                                                                   const VkDeviceImageSubresourceInfoKHR *pInfo,
                                                                   VkSubresourceLayout2EXT *pLayout)
{
    struct device *device = device_of(handle);
    struct image_plan plan;
    VkDeviceImageSubresourceInfoKHR for_driver = *pInfo;
    if (image_plan_open(device, pInfo->pCreateInfo, &plan))
        for_driver.pCreateInfo = &plan.info;
    device->next.GetDeviceImageSubresourceLayoutKHR(handle, &for_driver, pLayout);
    image_plan_close(&plan);
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyImage(VkDevice handle, VkImage image, const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct image *known = table_remove(&device->track->sampling->images, HANDLE_KEY(image));
    object_gone(&device->names, VK_OBJECT_TYPE_IMAGE, HANDLE_KEY(image));
    gone_add(GONE_IMAGES);
    device->next.DestroyImage(handle, image, pAllocator);
    if (known)
        image_finish(device->track, known);
    object_free(device->track, pAllocator, known, sizeof(*known));
}

/* ---- Images of swapchains: the driver makes them, the program may sample them ---- */

/* NULL: out of memory. */
static struct swapchain *swapchain_open(struct track *track, const VkSwapchainCreateInfoKHR *info,
                                        const VkAllocationCallbacks *callbacks)
{
    struct swapchain *swapchain = object_alloc(track, callbacks, sizeof(*swapchain));
    const VkFlags64 usage = swapchain_usage(info);
    for (uint32_t i = 0; swapchain && i < SWAPCHAIN_IMAGES; i++)
        swapchain->images[i] = (struct image){
            .type = VK_IMAGE_TYPE_2D,
            .format = info->imageFormat,
            .extent = {info->imageExtent.width, info->imageExtent.height, 1},
            .levels = 1,
            .layers = info->imageArrayLayers,
            .tiling = VK_IMAGE_TILING_OPTIMAL,
            .usage = usage,
            .stencil_usage = usage,
            .swapchain = true,
            .samples = VK_SAMPLE_COUNT_1_BIT,
            .unseen = filled_unseen(0, usage, VK_IMAGE_TILING_OPTIMAL),
        };
    return swapchain;
}

/* The driver has made all of them, or has failed. On failure none is left. */
static VkResult swapchains_adopt(struct device *device, VkResult result, uint32_t count, struct swapchain **swapchains,
                                 const VkSwapchainKHR *created, const VkAllocationCallbacks *callbacks)
{
    struct table *table = &device->track->sampling->swapchains;
    const bool made = result == VK_SUCCESS;
    uint32_t inserted = 0;
    while (result == VK_SUCCESS && inserted < count) {
        if (table_insert(table, HANDLE_KEY(created[inserted]), swapchains[inserted]))
            inserted++;
        else
            result = VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    for (uint32_t i = 0; made && result != VK_SUCCESS && i < count; i++) {
        if (i < inserted)
            table_remove(table, HANDLE_KEY(created[i]));
        device->next.DestroySwapchainKHR(device->handle, created[i], callbacks);
    }
    for (uint32_t i = 0; result != VK_SUCCESS && i < count; i++)
        object_free(device->track, callbacks, swapchains[i], sizeof(**swapchains));
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateSwapchainKHR(VkDevice handle, const VkSwapchainCreateInfoKHR *pCreateInfo,
                                                       const VkAllocationCallbacks *pAllocator,
                                                       VkSwapchainKHR *pSwapchain)
{
    struct device *device = device_of(handle);
    struct swapchain *swapchain = swapchain_open(device->track, pCreateInfo, pAllocator);
    VkSwapchainKHR created = VK_NULL_HANDLE;
    if (!swapchain)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult result = device->next.CreateSwapchainKHR(handle, pCreateInfo, pAllocator, &created);
    result = swapchains_adopt(device, result, 1, &swapchain, &created, pAllocator);
    if (result == VK_SUCCESS)
        *pSwapchain = created;
    return result;
}

/* VK_KHR_display_swapchain: all or none. */
VKAPI_ATTR VkResult VKAPI_CALL hook_CreateSharedSwapchainsKHR(VkDevice handle, uint32_t swapchainCount,
                                                              const VkSwapchainCreateInfoKHR *pCreateInfos,
                                                              const VkAllocationCallbacks *pAllocator,
                                                              VkSwapchainKHR *pSwapchains)
{
    struct device *device = device_of(handle);
    struct swapchain **swapchains = calloc(swapchainCount ? swapchainCount : 1, sizeof(struct swapchain *));
    VkResult result = swapchains ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < swapchainCount; i++)
        pSwapchains[i] = VK_NULL_HANDLE;
    for (uint32_t i = 0; result == VK_SUCCESS && i < swapchainCount; i++) {
        swapchains[i] = swapchain_open(device->track, &pCreateInfos[i], pAllocator);
        if (!swapchains[i])
            result = VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (result == VK_SUCCESS)
        result = device->next.CreateSharedSwapchainsKHR(handle, swapchainCount, pCreateInfos, pAllocator, pSwapchains);
    if (swapchains)
        result = swapchains_adopt(device, result, swapchainCount, swapchains, pSwapchains, pAllocator);
    for (uint32_t i = 0; result != VK_SUCCESS && i < swapchainCount; i++)
        pSwapchains[i] = VK_NULL_HANDLE;
    free(swapchains);
    return result;
}

VKAPI_ATTR void VKAPI_CALL hook_DestroySwapchainKHR(VkDevice handle, VkSwapchainKHR swapchain,
                                                    const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct swapchain *known = table_remove(&device->track->sampling->swapchains, HANDLE_KEY(swapchain));
    for (uint32_t i = 0; known && i < SWAPCHAIN_IMAGES; i++) {
        const VkImage image = atomic_load_explicit(&known->handles[i], memory_order_relaxed);
        if (!image)
            continue;
        table_remove(&device->track->sampling->images, HANDLE_KEY(image));
        object_gone(&device->names, VK_OBJECT_TYPE_IMAGE, HANDLE_KEY(image));
    }
    gone_add(GONE_IMAGES);
    device->next.DestroySwapchainKHR(handle, swapchain, pAllocator);
    for (uint32_t i = 0; known && i < SWAPCHAIN_IMAGES; i++)
        image_finish(device->track, &known->images[i]);
    object_free(device->track, pAllocator, known, sizeof(*known));
}

VKAPI_ATTR VkResult VKAPI_CALL hook_GetSwapchainImagesKHR(VkDevice handle, VkSwapchainKHR swapchain, uint32_t *pCount,
                                                          VkImage *pImages)
{
    struct device *device = device_of(handle);
    VkResult result = device->next.GetSwapchainImagesKHR(handle, swapchain, pCount, pImages);
    struct swapchain *known = table_find(&device->track->sampling->swapchains, HANDLE_KEY(swapchain));
    if (!pImages || !known || (result != VK_SUCCESS && result != VK_INCOMPLETE))
        return result;
    for (uint32_t i = 0; i < *pCount && i < SWAPCHAIN_IMAGES; i++) {
        const bool there = atomic_load_explicit(&known->handles[i], memory_order_relaxed) == pImages[i];
        /* If the image cannot be remembered, it is sampled by the sampler's state alone: no reason to fail. */
        if (!there && table_insert(&device->track->sampling->images, HANDLE_KEY(pImages[i]), &known->images[i]))
            atomic_store_explicit(&known->handles[i], pImages[i], memory_order_relaxed);
    }
    return result;
}
