/* SPDX-License-Identifier: MIT */
/* The public header alone, as C99 and as C++17: everything in it can be used. */
#include <vulkan/vulkan_clampler.h>

int main(void)
{
    VkPhysicalDeviceGLSamplerFeaturesCLAMPLER features = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER, 0, VK_TRUE, VK_TRUE, VK_TRUE, VK_TRUE, VK_TRUE};
    VkPhysicalDeviceGLSamplerPropertiesCLAMPLER properties = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_PROPERTIES_CLAMPLER,
        0,
        VK_GL_SEMANTIC_CLAMP_BIT_CLAMPLER,
        VK_GL_SEMANTIC_CHANNEL_ORDER_BIT_CLAMPLER,
        0,
        0,
        0};
    VkSamplerGLStateCreateInfoCLAMPLER sampler;
    VkImageViewGLStateCreateInfoCLAMPLER view;
    VkBufferViewGLStateCreateInfoCLAMPLER buffer;
    VkCommandBufferInheritanceGLStateCLAMPLER inheritance;
    VkImageViewGLChannelOrderCreateInfoCLAMPLER order;
    VkImageViewGLTextureStateCreateInfoCLAMPLER texture;
    VkCommandBufferInheritanceGLChannelOrderCLAMPLER orders;
    VkGLAttachmentChannelsCLAMPLER attachment;
    sampler.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER;
    view.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER;
    buffer.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER;
    inheritance.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_STATE_CLAMPLER;
    texture.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER;
    order.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_CHANNEL_ORDER_CREATE_INFO_CLAMPLER;
    orders.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_CHANNEL_ORDER_CLAMPLER;
    orders.pColorAttachments = &attachment;
    return order.sType == orders.sType || order.sType == texture.sType || features.glSampler != VK_TRUE ||
           properties.nativeSemantics != 1 || sampler.sType == view.sType || buffer.sType == inheritance.sType ||
           VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER == VK_SAMPLER_ADDRESS_MODE_GL_MIRROR_CLAMP_CLAMPLER ||
           sizeof(VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME) < 2;
}
