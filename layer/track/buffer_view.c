/* Buffer views: what fetching from a uniform texel buffer needs to know of it. */
#include "track/track.h"

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateBufferView(VkDevice handle, const VkBufferViewCreateInfo *pCreateInfo,
                                                     const VkAllocationCallbacks *pAllocator, VkBufferView *pView)
{
    struct device *device = device_of(handle);
    struct track *track = device->track;
    const VkStructureType belongs = VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER;
    if (refuse_misplaced(track, "vkCreateBufferView", pCreateInfo->pNext, belongs) != VK_SUCCESS)
        return VK_ERROR_VALIDATION_FAILED_EXT;
    if (pnext_find(pCreateInfo->pNext, belongs) && !device->enabled.glBufferView)
        return refuse(track, "vkCreateBufferView",
                      "VkBufferViewGLStateCreateInfoCLAMPLER needs the feature glBufferView, which is not enabled");
    return device->next.CreateBufferView(handle, pCreateInfo, pAllocator, pView);
}
