/* SPDX-License-Identifier: MIT */
/* Prints the extension's structures as the validation layer's custom_stype_list wants them: number, size, and so on. */
#include <stdio.h>

#include <vulkan_clampler.h>

#define ROW(NUMBER, TYPE)                                                                                              \
    {                                                                                                                  \
        NUMBER, sizeof(TYPE)                                                                                           \
    }

int main(void)
{
    static const struct {
        VkStructureType number;
        size_t size;
    } rows[] = {
        ROW(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER, VkPhysicalDeviceGLSamplerFeaturesCLAMPLER),
        ROW(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_PROPERTIES_CLAMPLER,
            VkPhysicalDeviceGLSamplerPropertiesCLAMPLER),
        ROW(VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER, VkSamplerGLStateCreateInfoCLAMPLER),
        ROW(VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, VkImageViewGLStateCreateInfoCLAMPLER),
        ROW(VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, VkBufferViewGLStateCreateInfoCLAMPLER),
        ROW(VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_STATE_CLAMPLER, VkCommandBufferInheritanceGLStateCLAMPLER),
        ROW(VK_STRUCTURE_TYPE_GL_SAMPLER_FORMAT_PROPERTIES_CLAMPLER, VkGLSamplerFormatPropertiesCLAMPLER),
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        printf("%s%u:%zu", i ? ":" : "", (unsigned)rows[i].number, rows[i].size);
    printf("\n");
    return 0;
}
