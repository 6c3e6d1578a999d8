/* SPDX-License-Identifier: MIT */
#include "promise.h"

#include <stdlib.h>
#include <string.h>

#include "harness/device/one_device_layer.h"

enum { COLORS = 8, BARRIERS = 16, ATTACHMENTS = 16, PASSES = 64, MORE = 3 };

LAYER_EXPORT struct promise_control promise_control;

static PFN_vkEnumerateDeviceExtensionProperties next_extensions;

#define COMMANDS(ENTRY)                                                                                                \
    ENTRY(CmdPipelineBarrier)                                                                                          \
    ENTRY(CmdCopyBufferToImage)                                                                                        \
    ENTRY(CmdCopyImageToBuffer)                                                                                        \
    ENTRY(CmdBeginRendering)                                                                                           \
    ENTRY(CmdBeginRenderPass)                                                                                          \
    ENTRY(CreateRenderPass)
#define OTHERS(ENTRY)                                                                                                  \
    ENTRY(CreateImage)                                                                                                 \
    ENTRY(DestroyImage)                                                                                                \
    ENTRY(GetImageMemoryRequirements)                                                                                  \
    ENTRY(AllocateMemory)                                                                                              \
    ENTRY(FreeMemory)                                                                                                  \
    ENTRY(BindImageMemory)                                                                                             \
    ENTRY(CmdEndRendering)
/* Of extensions that the driver lacks, or has for windows only. */
#define PROMISED(ENTRY)                                                                                                \
    ENTRY(CreateSwapchainKHR)                                                                                          \
    ENTRY(CreateSharedSwapchainsKHR)                                                                                   \
    ENTRY(DestroySwapchainKHR)                                                                                         \
    ENTRY(GetSwapchainImagesKHR)
COMMANDS(NEXT_DECLARE)
OTHERS(NEXT_DECLARE)

/* ---- Swapchains ---- */

struct swapchain {
    VkImage image;
    VkDeviceMemory memory;
};

static VKAPI_ATTR VkResult VKAPI_CALL promise_CreateSwapchainKHR(VkDevice device, const VkSwapchainCreateInfoKHR *info,
                                                                 const VkAllocationCallbacks *callbacks,
                                                                 VkSwapchainKHR *made)
{
    struct swapchain *swapchain = calloc(1, sizeof(*swapchain));
    VkMemoryRequirements needs;
    const VkImageCreateInfo image = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                     .imageType = VK_IMAGE_TYPE_2D,
                                     .format = info->imageFormat,
                                     .extent = {info->imageExtent.width, info->imageExtent.height, 1},
                                     .mipLevels = 1,
                                     .arrayLayers = info->imageArrayLayers,
                                     .samples = VK_SAMPLE_COUNT_1_BIT,
                                     .usage = info->imageUsage};
    (void)callbacks;
    if (!swapchain || NEXT(CreateImage)(device, &image, NULL, &swapchain->image) != VK_SUCCESS)
        abort();
    NEXT(GetImageMemoryRequirements)(device, swapchain->image, &needs);
    const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                           .allocationSize = needs.size,
                                           .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
    if (NEXT(AllocateMemory)(device, &allocate, NULL, &swapchain->memory) != VK_SUCCESS ||
        NEXT(BindImageMemory)(device, swapchain->image, swapchain->memory, 0) != VK_SUCCESS)
        abort();
    *made = (VkSwapchainKHR)(uintptr_t)swapchain;
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL promise_CreateSharedSwapchainsKHR(VkDevice device, uint32_t count,
                                                                        const VkSwapchainCreateInfoKHR *infos,
                                                                        const VkAllocationCallbacks *callbacks,
                                                                        VkSwapchainKHR *made)
{
    for (uint32_t i = 0; i < count; i++)
        promise_CreateSwapchainKHR(device, &infos[i], callbacks, &made[i]);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL promise_DestroySwapchainKHR(VkDevice device, VkSwapchainKHR handle,
                                                              const VkAllocationCallbacks *callbacks)
{
    struct swapchain *swapchain = (struct swapchain *)(uintptr_t)handle;
    (void)callbacks;
    if (!swapchain)
        return;
    NEXT(DestroyImage)(device, swapchain->image, NULL);
    NEXT(FreeMemory)(device, swapchain->memory, NULL);
    free(swapchain);
}

static VKAPI_ATTR VkResult VKAPI_CALL promise_GetSwapchainImagesKHR(VkDevice device, VkSwapchainKHR handle,
                                                                    uint32_t *count, VkImage *images)
{
    (void)device;
    if (images && *count)
        images[0] = ((const struct swapchain *)(uintptr_t)handle)->image;
    *count = 1;
    return VK_SUCCESS;
}

/* ---- Layouts ---- */

static VkImageLayout below(VkImageLayout layout)
{
    return layout == VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR ? VK_IMAGE_LAYOUT_GENERAL : layout;
}

static VKAPI_ATTR void VKAPI_CALL promise_CmdPipelineBarrier(VkCommandBuffer commands, VkPipelineStageFlags before,
                                                             VkPipelineStageFlags behind, VkDependencyFlags flags,
                                                             uint32_t memory_count, const VkMemoryBarrier *memories,
                                                             uint32_t buffer_count,
                                                             const VkBufferMemoryBarrier *buffers, uint32_t image_count,
                                                             const VkImageMemoryBarrier *images)
{
    VkImageMemoryBarrier copies[BARRIERS];
    if (image_count > BARRIERS)
        abort();
    for (uint32_t i = 0; i < image_count; i++) {
        copies[i] = images[i];
        copies[i].oldLayout = below(images[i].oldLayout);
        copies[i].newLayout = below(images[i].newLayout);
        if (images[i].oldLayout == VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR &&
            images[i].newLayout != VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR)
            atomic_fetch_add(&promise_control.left, 1);
    }
    NEXT(CmdPipelineBarrier)
    (commands, before, behind, flags, memory_count, memories, buffer_count, buffers, image_count, copies);
}

static VKAPI_ATTR void VKAPI_CALL promise_CmdCopyBufferToImage(VkCommandBuffer commands, VkBuffer from, VkImage to,
                                                               VkImageLayout layout, uint32_t count,
                                                               const VkBufferImageCopy *regions)
{
    NEXT(CmdCopyBufferToImage)(commands, from, to, below(layout), count, regions);
}

static VKAPI_ATTR void VKAPI_CALL promise_CmdCopyImageToBuffer(VkCommandBuffer commands, VkImage from,
                                                               VkImageLayout layout, VkBuffer to, uint32_t count,
                                                               const VkBufferImageCopy *regions)
{
    NEXT(CmdCopyImageToBuffer)(commands, from, below(layout), to, count, regions);
}

/* Passes with an attachment in that layout; the oldest are forgotten. */
static VkRenderPass shared_passes[PASSES];
static uint32_t shared_pass_count;

static VKAPI_ATTR void VKAPI_CALL promise_CmdBeginRenderPass(VkCommandBuffer commands,
                                                             const VkRenderPassBeginInfo *info,
                                                             VkSubpassContents contents)
{
    bool shared = false;
    for (uint32_t i = 0; i < PASSES; i++)
        shared |= shared_passes[i] == info->renderPass;
    atomic_fetch_add(&promise_control.shared, shared);
    NEXT(CmdBeginRenderPass)(commands, info, contents);
}

static VKAPI_ATTR VkResult VKAPI_CALL promise_CreateRenderPass(VkDevice device, const VkRenderPassCreateInfo *info,
                                                               const VkAllocationCallbacks *callbacks,
                                                               VkRenderPass *pass)
{
    VkRenderPassCreateInfo copy = *info;
    VkAttachmentDescription attachments[ATTACHMENTS];
    VkSubpassDescription subpass;
    VkAttachmentReference colors[COLORS];
    bool shared = false;
    if (info->attachmentCount > ATTACHMENTS)
        abort();
    for (uint32_t i = 0; i < info->attachmentCount; i++) {
        attachments[i] = info->pAttachments[i];
        shared |= attachments[i].initialLayout == VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR;
        attachments[i].initialLayout = below(attachments[i].initialLayout);
        attachments[i].finalLayout = below(attachments[i].finalLayout);
    }
    copy.pAttachments = attachments;
    if (info->subpassCount == 1 && info->pSubpasses->colorAttachmentCount <= COLORS) {
        subpass = *info->pSubpasses;
        for (uint32_t i = 0; i < subpass.colorAttachmentCount; i++) {
            colors[i] = subpass.pColorAttachments[i];
            colors[i].layout = below(colors[i].layout);
        }
        subpass.pColorAttachments = colors;
        copy.pSubpasses = &subpass;
    }
    const VkResult result = NEXT(CreateRenderPass)(device, &copy, callbacks, pass);
    if (result == VK_SUCCESS && shared)
        shared_passes[shared_pass_count++ % PASSES] = *pass;
    return result;
}

/* ---- Custom resolves ---- */

/* What the rendering that is being recorded resolves into by draws. */
static struct {
    VkRenderingInfo info;
    VkRenderingAttachmentInfo colors[COLORS];
} resolves;

static VKAPI_ATTR void VKAPI_CALL promise_CmdBeginRendering(VkCommandBuffer commands, const VkRenderingInfo *info)
{
    VkRenderingInfo copy = *info;
    VkRenderingAttachmentInfo colors[COLORS];
    if (info->colorAttachmentCount > COLORS)
        abort();
    copy.flags &= ~(VkRenderingFlags)PROMISE_RENDERING_CUSTOM_RESOLVE;
    copy.pColorAttachments = colors;
    resolves.info = copy;
    resolves.info.pColorAttachments = resolves.colors;
    for (uint32_t i = 0; i < info->colorAttachmentCount; i++) {
        colors[i] = info->pColorAttachments[i];
        if (colors[i].imageLayout == VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR)
            atomic_fetch_add(&promise_control.shared, 1);
        colors[i].imageLayout = below(colors[i].imageLayout);
        resolves.colors[i] = (VkRenderingAttachmentInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
        if (colors[i].resolveMode != PROMISE_RESOLVE_MODE_CUSTOM)
            continue;
        resolves.colors[i].imageView = colors[i].resolveImageView;
        resolves.colors[i].imageLayout = colors[i].resolveImageLayout;
        resolves.colors[i].loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
        resolves.colors[i].storeOp = VK_ATTACHMENT_STORE_OP_STORE;
        colors[i].resolveMode = VK_RESOLVE_MODE_NONE;
        colors[i].resolveImageView = VK_NULL_HANDLE;
    }
    NEXT(CmdBeginRendering)(commands, &copy);
}

static VKAPI_ATTR void VKAPI_CALL promise_CmdBeginCustomResolveEXT(VkCommandBuffer commands, const void *info)
{
    (void)info;
    NEXT(CmdEndRendering)(commands);
    NEXT(CmdBeginRendering)(commands, &resolves.info);
}

/* ---- Chain ---- */

static const VkExtensionProperties more[MORE] = {{VK_KHR_SHARED_PRESENTABLE_IMAGE_EXTENSION_NAME, 1},
                                                 {VK_KHR_DISPLAY_SWAPCHAIN_EXTENSION_NAME, 10},
                                                 {"VK_EXT_custom_resolve", 1}};

static VKAPI_ATTR VkResult VKAPI_CALL promise_CreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                                           const VkAllocationCallbacks *allocator, VkDevice *device)
{
    VkDeviceCreateInfo copy = *info;
    const char **names = calloc(info->enabledExtensionCount + 1, sizeof(*names));
    if (!names)
        abort();
    copy.enabledExtensionCount = 0;
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        bool promised = false;
        for (uint32_t j = 0; j < MORE; j++)
            promised |= !strcmp(info->ppEnabledExtensionNames[i], more[j].extensionName);
        if (!promised)
            names[copy.enabledExtensionCount++] = info->ppEnabledExtensionNames[i];
    }
    copy.ppEnabledExtensionNames = names;
    const VkResult result = layer_create_device(physical, info, &copy, allocator, device);
    free(names);
    if (result != VK_SUCCESS)
        return result;
    COMMANDS(NEXT_OF_DEVICE)
    OTHERS(NEXT_OF_DEVICE)
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL promise_CreateInstance(const VkInstanceCreateInfo *info,
                                                             const VkAllocationCallbacks *allocator,
                                                             VkInstance *instance)
{
    const VkResult result = layer_create_instance(info, allocator, instance);
    if (result != VK_SUCCESS)
        return result;
    next_extensions =
        (PFN_vkEnumerateDeviceExtensionProperties)next_instance_proc(*instance, "vkEnumerateDeviceExtensionProperties");
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL promise_EnumerateDeviceExtensionProperties(VkPhysicalDevice physical,
                                                                                 const char *layer, uint32_t *count,
                                                                                 VkExtensionProperties *list)
{
    const uint32_t room = *count;
    VkResult result = next_extensions(physical, layer, count, list);
    if (!list)
        *count += MORE;
    for (uint32_t i = 0; list && i < MORE; i++) {
        if (result == VK_SUCCESS && *count < room)
            list[(*count)++] = more[i];
        else
            result = VK_INCOMPLETE;
    }
    return result;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL promise_GetDeviceProcAddr(VkDevice device, const char *name);

#define COMMAND(NAME) LAYER_COMMAND("vk" #NAME, promise_##NAME),
static const struct layer_command promised[] = {PROMISED(COMMAND) COMMAND(CmdBeginCustomResolveEXT)};

static PFN_vkVoidFunction find(const char *name)
{
    static const struct layer_command commands[] = {
        COMMANDS(COMMAND) LAYER_COMMAND("vkCmdBeginRenderingKHR", promise_CmdBeginRendering),
        COMMAND(CreateInstance) COMMAND(CreateDevice) COMMAND(EnumerateDeviceExtensionProperties)
            LAYER_LOOK_UP(promise_GetDeviceProcAddr)};
    PFN_vkVoidFunction own = LAYER_COMMAND_FIND(commands, name);
    return own ? own : LAYER_COMMAND_FIND(promised, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL promise_GetDeviceProcAddr(VkDevice device, const char *name)
{
    PFN_vkVoidFunction own = LAYER_COMMAND_FIND(promised, name);
    return own ? own : layer_GetDeviceProcAddr(device, name);
}

LAYER_EXPORTS(promise_GetDeviceProcAddr)
