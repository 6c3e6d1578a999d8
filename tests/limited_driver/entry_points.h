/* SPDX-License-Identifier: MIT */
/*
 * The one list of intercepted entry points, without their "vk". It drives declarations (hook_<name>), dispatch tables
 * and look-up.
 *
 * HOOK(name)         served by hook_<name>, which finds the next layer's in `next.<name>`
 * ALIAS(alias, name) another name of the same command. Below, whichever of the two is there is called.
 */
#ifndef LIMITED_DRIVER_ENTRY_POINTS_H
#define LIMITED_DRIVER_ENTRY_POINTS_H

#define INSTANCE_HOOKS(HOOK, ALIAS)                                                                                    \
    HOOK(GetInstanceProcAddr)                                                                                          \
    HOOK(CreateInstance)                                                                                               \
    HOOK(DestroyInstance)                                                                                              \
    HOOK(CreateDevice)                                                                                                 \
    HOOK(EnumerateDeviceExtensionProperties)                                                                           \
    HOOK(GetPhysicalDeviceFeatures)                                                                                    \
    HOOK(GetPhysicalDeviceFeatures2)                                                                                   \
    ALIAS(GetPhysicalDeviceFeatures2KHR, GetPhysicalDeviceFeatures2)                                                   \
    HOOK(GetPhysicalDeviceProperties)                                                                                  \
    HOOK(GetPhysicalDeviceProperties2)                                                                                 \
    ALIAS(GetPhysicalDeviceProperties2KHR, GetPhysicalDeviceProperties2)                                               \
    HOOK(GetPhysicalDeviceFormatProperties)                                                                            \
    HOOK(GetPhysicalDeviceFormatProperties2)                                                                           \
    ALIAS(GetPhysicalDeviceFormatProperties2KHR, GetPhysicalDeviceFormatProperties2)                                   \
    HOOK(GetPhysicalDeviceImageFormatProperties)                                                                       \
    HOOK(GetPhysicalDeviceImageFormatProperties2)                                                                      \
    ALIAS(GetPhysicalDeviceImageFormatProperties2KHR, GetPhysicalDeviceImageFormatProperties2)                         \
    /* memory.c */                                                                                                     \
    HOOK(GetPhysicalDeviceMemoryProperties)                                                                            \
    HOOK(GetPhysicalDeviceMemoryProperties2)                                                                           \
    ALIAS(GetPhysicalDeviceMemoryProperties2KHR, GetPhysicalDeviceMemoryProperties2)

#define DEVICE_HOOKS(HOOK, ALIAS)                                                                                      \
    HOOK(GetDeviceProcAddr)                                                                                            \
    HOOK(DestroyDevice)                                                                                                \
    /* memory.c */                                                                                                     \
    HOOK(AllocateMemory)                                                                                               \
    HOOK(FreeMemory)                                                                                                   \
    HOOK(GetBufferMemoryRequirements)                                                                                  \
    HOOK(GetImageMemoryRequirements)                                                                                   \
    HOOK(GetBufferMemoryRequirements2)                                                                                 \
    ALIAS(GetBufferMemoryRequirements2KHR, GetBufferMemoryRequirements2)                                               \
    HOOK(GetImageMemoryRequirements2)                                                                                  \
    ALIAS(GetImageMemoryRequirements2KHR, GetImageMemoryRequirements2)                                                 \
    HOOK(GetDeviceBufferMemoryRequirements)                                                                            \
    ALIAS(GetDeviceBufferMemoryRequirementsKHR, GetDeviceBufferMemoryRequirements)                                     \
    HOOK(GetDeviceImageMemoryRequirements)                                                                             \
    ALIAS(GetDeviceImageMemoryRequirementsKHR, GetDeviceImageMemoryRequirements)                                       \
    /* resource.c */                                                                                                   \
    HOOK(CreateBuffer)                                                                                                 \
    HOOK(DestroyBuffer)                                                                                                \
    HOOK(CreateBufferView)                                                                                             \
    HOOK(CreateImage)                                                                                                  \
    HOOK(DestroyImage)                                                                                                 \
    HOOK(CreateImageView)                                                                                              \
    HOOK(DestroyImageView)                                                                                             \
    HOOK(CreateSampler)                                                                                                \
    HOOK(DestroySampler)                                                                                               \
    HOOK(CreateSamplerYcbcrConversion)                                                                                 \
    ALIAS(CreateSamplerYcbcrConversionKHR, CreateSamplerYcbcrConversion)                                               \
    HOOK(DestroySamplerYcbcrConversion)                                                                                \
    ALIAS(DestroySamplerYcbcrConversionKHR, DestroySamplerYcbcrConversion)                                             \
    /* layout.c */                                                                                                     \
    HOOK(CreateDescriptorSetLayout)                                                                                    \
    HOOK(DestroyDescriptorSetLayout)                                                                                   \
    HOOK(GetDescriptorSetLayoutSupport)                                                                                \
    ALIAS(GetDescriptorSetLayoutSupportKHR, GetDescriptorSetLayoutSupport)                                             \
    HOOK(CreatePipelineLayout)                                                                                         \
    HOOK(DestroyPipelineLayout)                                                                                        \
    /* descriptor.c */                                                                                                 \
    HOOK(AllocateDescriptorSets)                                                                                       \
    HOOK(FreeDescriptorSets)                                                                                           \
    HOOK(ResetDescriptorPool)                                                                                          \
    HOOK(DestroyDescriptorPool)                                                                                        \
    HOOK(UpdateDescriptorSets)                                                                                         \
    HOOK(CreateDescriptorUpdateTemplate)                                                                               \
    ALIAS(CreateDescriptorUpdateTemplateKHR, CreateDescriptorUpdateTemplate)                                           \
    HOOK(DestroyDescriptorUpdateTemplate)                                                                              \
    ALIAS(DestroyDescriptorUpdateTemplateKHR, DestroyDescriptorUpdateTemplate)                                         \
    HOOK(UpdateDescriptorSetWithTemplate)                                                                              \
    ALIAS(UpdateDescriptorSetWithTemplateKHR, UpdateDescriptorSetWithTemplate)                                         \
    HOOK(CmdPushDescriptorSetKHR)                                                                                      \
    ALIAS(CmdPushDescriptorSet, CmdPushDescriptorSetKHR)                                                               \
    HOOK(CmdPushDescriptorSetWithTemplateKHR)                                                                          \
    ALIAS(CmdPushDescriptorSetWithTemplate, CmdPushDescriptorSetWithTemplateKHR)                                       \
    HOOK(CmdPushDescriptorSet2KHR)                                                                                     \
    ALIAS(CmdPushDescriptorSet2, CmdPushDescriptorSet2KHR)                                                             \
    HOOK(CmdPushDescriptorSetWithTemplate2KHR)                                                                         \
    ALIAS(CmdPushDescriptorSetWithTemplate2, CmdPushDescriptorSetWithTemplate2KHR)                                     \
    /* pipeline.c */                                                                                                   \
    HOOK(CreateRenderPass)                                                                                             \
    HOOK(CreateRenderPass2)                                                                                            \
    ALIAS(CreateRenderPass2KHR, CreateRenderPass2)                                                                     \
    HOOK(DestroyRenderPass)                                                                                            \
    HOOK(CreateGraphicsPipelines)                                                                                      \
    HOOK(CreateComputePipelines)                                                                                       \
    HOOK(CmdSetColorBlendEnableEXT)                                                                                    \
    HOOK(CmdSetColorBlendEquationEXT)                                                                                  \
    HOOK(CmdSetColorBlendAdvancedEXT)                                                                                  \
    HOOK(CmdSetColorWriteMaskEXT)                                                                                      \
    HOOK(CmdBlitImage)                                                                                                 \
    HOOK(CmdBlitImage2)                                                                                                \
    ALIAS(CmdBlitImage2KHR, CmdBlitImage2)

#endif
