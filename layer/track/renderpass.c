/* Render passes: pipelines compiled later need one that is compatible, when the program's may be gone. */
#include "track/track.h"

static size_t pass_bytes(uint32_t subpass_count)
{
    return sizeof(struct render_pass) + subpass_count * sizeof(struct subpass_facts);
}

struct render_pass *render_pass_ref(struct render_pass *pass)
{
    if (pass)
        atomic_fetch_add_explicit(&pass->references, 1, memory_order_relaxed);
    return pass;
}

void render_pass_unref(struct track *track, struct render_pass *pass)
{
    if (!pass || atomic_fetch_sub_explicit(&pass->references, 1, memory_order_acq_rel) != 1)
        return;
    if (pass->own)
        track->device->next.DestroyRenderPass(track->device->handle, pass->own, NULL);
    object_free(track, NULL, pass, pass_bytes(pass->subpass_count));
}

static struct render_pass *pass_create(struct track *track, uint32_t subpass_count)
{
    struct render_pass *pass = object_alloc(track, NULL, pass_bytes(subpass_count));
    if (pass) {
        atomic_init(&pass->references, 1);
        pass->subpass_count = subpass_count;
    }
    return pass;
}

/* The driver has answered for both: the program's pass and the duplicate. */
static VkResult pass_adopt(struct track *track, struct render_pass *pass, VkResult result, VkRenderPass created,
                           const VkAllocationCallbacks *callbacks, VkRenderPass *out)
{
    if (result == VK_SUCCESS && !table_insert(&track->render_passes, HANDLE_KEY(created), pass))
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result != VK_SUCCESS) {
        track->device->next.DestroyRenderPass(track->device->handle, created, callbacks);
        render_pass_unref(track, pass);
        return result;
    }
    *out = created;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateRenderPass(VkDevice handle, const VkRenderPassCreateInfo *pCreateInfo,
                                                     const VkAllocationCallbacks *pAllocator, VkRenderPass *pRenderPass)
{
    struct device *device = device_of(handle);
    struct render_pass *pass = pass_create(device->track, pCreateInfo->subpassCount);
    if (!pass)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < pCreateInfo->subpassCount; i++) {
        const VkSubpassDescription *subpass = &pCreateInfo->pSubpasses[i];
        pass->subpasses[i].color = subpass->colorAttachmentCount > 0;
        pass->subpasses[i].depth =
            subpass->pDepthStencilAttachment && subpass->pDepthStencilAttachment->attachment != VK_ATTACHMENT_UNUSED;
    }
    VkRenderPass created = VK_NULL_HANDLE;
    VkResult result = device->next.CreateRenderPass(handle, pCreateInfo, pAllocator, &created);
    if (result == VK_SUCCESS)
        result = device->next.CreateRenderPass(handle, pCreateInfo, NULL, &pass->own);
    return pass_adopt(device->track, pass, result, created, pAllocator, pRenderPass);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateRenderPass2(VkDevice handle, const VkRenderPassCreateInfo2 *pCreateInfo,
                                                      const VkAllocationCallbacks *pAllocator,
                                                      VkRenderPass *pRenderPass)
{
    struct device *device = device_of(handle);
    struct render_pass *pass = pass_create(device->track, pCreateInfo->subpassCount);
    if (!pass)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < pCreateInfo->subpassCount; i++) {
        const VkSubpassDescription2 *subpass = &pCreateInfo->pSubpasses[i];
        pass->subpasses[i].color = subpass->colorAttachmentCount > 0;
        pass->subpasses[i].depth =
            subpass->pDepthStencilAttachment && subpass->pDepthStencilAttachment->attachment != VK_ATTACHMENT_UNUSED;
    }
    VkRenderPass created = VK_NULL_HANDLE;
    VkResult result = device->next.CreateRenderPass2(handle, pCreateInfo, pAllocator, &created);
    if (result == VK_SUCCESS)
        result = device->next.CreateRenderPass2(handle, pCreateInfo, NULL, &pass->own);
    return pass_adopt(device->track, pass, result, created, pAllocator, pRenderPass);
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyRenderPass(VkDevice handle, VkRenderPass renderPass,
                                                  const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct render_pass *pass = table_remove(&device->track->render_passes, HANDLE_KEY(renderPass));
    device->next.DestroyRenderPass(handle, renderPass, pAllocator);
    render_pass_unref(device->track, pass);
}
