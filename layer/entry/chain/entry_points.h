/* SPDX-License-Identifier: MIT */
/*
 * The one list of intercepted entry points. It drives declarations (hook_<name>), look-up in vkGet*ProcAddr, and
 * dispatch.
 *
 *   INSTANCE_HOOK(name)         always answered by vkGetInstanceProcAddr
 *   DEVICE_HOOK(name)           answered for every device, inert or not
 *   ACTIVE_HOOK(name)           answered only where the device is active (device.h) and the next layer knows the name;
 *                               inert devices reach SetDebugUtilsObject{Name,Tag}EXT by hook_GetInstanceProcAddr, too
 *   OFFERED_HOOK(name)          answered whatever the next layer knows, where the condition in HOOK_GROUPS holds
 *   others                      the same as ACTIVE_HOOK, where the condition beside the list in HOOK_GROUPS holds
 *
 * Other names of commands of devices come from the registry (ALIASES_<name> in vulkan_commands.h): each is found in the
 * next layer under its own name, and has the same hook.
 *
 * Names are without their "vk". Every hook has the command's own prototype.
 */
#include "chain/alpha_entry_points.h"
#include "vulkan_commands.h"

#define INSTANCE_HOOKS(INSTANCE_HOOK)                                                                                  \
    INSTANCE_HOOK(GetInstanceProcAddr)                                                                                 \
    INSTANCE_HOOK(CreateInstance)                                                                                      \
    INSTANCE_HOOK(DestroyInstance)                                                                                     \
    INSTANCE_HOOK(CreateDevice)                                                                                        \
    INSTANCE_HOOK(EnumerateInstanceExtensionProperties)                                                                \
    INSTANCE_HOOK(EnumerateInstanceLayerProperties)                                                                    \
    INSTANCE_HOOK(EnumerateDeviceExtensionProperties)                                                                  \
    INSTANCE_HOOK(EnumerateDeviceLayerProperties)                                                                      \
    INSTANCE_HOOK(GetPhysicalDeviceFeatures)                                                                           \
    INSTANCE_HOOK(GetPhysicalDeviceFeatures2)                                                                          \
    INSTANCE_HOOK(GetPhysicalDeviceFeatures2KHR)                                                                       \
    INSTANCE_HOOK(GetPhysicalDeviceFormatProperties)                                                                   \
    INSTANCE_HOOK(GetPhysicalDeviceFormatProperties2)                                                                  \
    INSTANCE_HOOK(GetPhysicalDeviceFormatProperties2KHR)                                                               \
    INSTANCE_HOOK(GetPhysicalDeviceImageFormatProperties2)                                                             \
    INSTANCE_HOOK(GetPhysicalDeviceImageFormatProperties2KHR)                                                          \
    INSTANCE_HOOK(GetPhysicalDeviceProperties)                                                                         \
    INSTANCE_HOOK(GetPhysicalDeviceProperties2)                                                                        \
    INSTANCE_HOOK(GetPhysicalDeviceProperties2KHR)                                                                     \
    INSTANCE_HOOK(GetPhysicalDeviceDescriptorSizeEXT)                                                                  \
    INSTANCE_HOOK(CreateDebugUtilsMessengerEXT)                                                                        \
    INSTANCE_HOOK(DestroyDebugUtilsMessengerEXT)                                                                       \
    INSTANCE_HOOK(CreateDebugReportCallbackEXT)                                                                        \
    INSTANCE_HOOK(DestroyDebugReportCallbackEXT)

#define DEVICE_HOOKS(DEVICE_HOOK)                                                                                      \
    DEVICE_HOOK(GetDeviceProcAddr)                                                                                     \
    DEVICE_HOOK(DestroyDevice)

#define ACTIVE_HOOKS(ACTIVE_HOOK)                                                                                      \
    /* device/object_names.c */                                                                                        \
    ACTIVE_HOOK(SetDebugUtilsObjectNameEXT)                                                                            \
    /* sampling/sampler.c */                                                                                           \
    ACTIVE_HOOK(CreateSampler)                                                                                         \
    ACTIVE_HOOK(DestroySampler)                                                                                        \
    ACTIVE_HOOK(CreateSamplerYcbcrConversion)                                                                          \
    ACTIVE_HOOK(DestroySamplerYcbcrConversion)                                                                         \
    /* sampling/surplus_objects.c */                                                                                   \
    ACTIVE_HOOK(SetPrivateData)                                                                                        \
    ACTIVE_HOOK(GetPrivateData)                                                                                        \
    ACTIVE_HOOK(DestroyPrivateDataSlot)                                                                                \
    ACTIVE_HOOK(SetDebugUtilsObjectTagEXT)                                                                             \
    ACTIVE_HOOK(DebugMarkerSetObjectTagEXT)                                                                            \
    ACTIVE_HOOK(DebugMarkerSetObjectNameEXT)                                                                           \
    ACTIVE_HOOK(GetImageViewHandleNVX)                                                                                 \
    ACTIVE_HOOK(GetImageViewHandle64NVX)                                                                               \
    /* sampling/image.c */                                                                                             \
    ACTIVE_HOOK(CreateImage)                                                                                           \
    ACTIVE_HOOK(DestroyImage)                                                                                          \
    ACTIVE_HOOK(GetDeviceImageMemoryRequirements)                                                                      \
    ACTIVE_HOOK(GetDeviceImageSparseMemoryRequirements)                                                                \
    ACTIVE_HOOK(GetDeviceImageSubresourceLayoutKHR)                                                                    \
    /* views/view.c */                                                                                                 \
    ACTIVE_HOOK(CreateImageView)                                                                                       \
    ACTIVE_HOOK(DestroyImageView)                                                                                      \
    /* texel_buffers/buffer_view.c */                                                                                  \
    ACTIVE_HOOK(CreateBufferView)                                                                                      \
    /* sampling/image.c */                                                                                             \
    ACTIVE_HOOK(CreateSwapchainKHR)                                                                                    \
    ACTIVE_HOOK(CreateSharedSwapchainsKHR)                                                                             \
    ACTIVE_HOOK(DestroySwapchainKHR)                                                                                   \
    ACTIVE_HOOK(GetSwapchainImagesKHR)                                                                                 \
    /* layouts/set_layout.c */                                                                                         \
    ACTIVE_HOOK(CreateDescriptorSetLayout)                                                                             \
    ACTIVE_HOOK(DestroyDescriptorSetLayout)                                                                            \
    ACTIVE_HOOK(GetDescriptorSetLayoutSupport)                                                                         \
    ACTIVE_HOOK(GetDescriptorSetLayoutHostMappingInfoVALVE)                                                            \
    /* layouts/pipeline_layout.c */                                                                                    \
    ACTIVE_HOOK(CreatePipelineLayout)                                                                                  \
    ACTIVE_HOOK(DestroyPipelineLayout)                                                                                 \
    /* descriptors/pool.c */                                                                                           \
    ACTIVE_HOOK(CreateDescriptorPool)                                                                                  \
    ACTIVE_HOOK(DestroyDescriptorPool)                                                                                 \
    ACTIVE_HOOK(ResetDescriptorPool)                                                                                   \
    ACTIVE_HOOK(AllocateDescriptorSets)                                                                                \
    ACTIVE_HOOK(FreeDescriptorSets)                                                                                    \
    /* descriptors/update.c */                                                                                         \
    ACTIVE_HOOK(UpdateDescriptorSets)                                                                                  \
    /* descriptors/template.c */                                                                                       \
    ACTIVE_HOOK(CreateDescriptorUpdateTemplate)                                                                        \
    ACTIVE_HOOK(DestroyDescriptorUpdateTemplate)                                                                       \
    /* descriptors/update.c */                                                                                         \
    ACTIVE_HOOK(UpdateDescriptorSetWithTemplate)                                                                       \
    /* push/push.c */                                                                                                  \
    ACTIVE_HOOK(CmdPushDescriptorSetKHR)                                                                               \
    ACTIVE_HOOK(CmdPushDescriptorSetWithTemplateKHR)                                                                   \
    ACTIVE_HOOK(CmdPushDescriptorSet2KHR)                                                                              \
    ACTIVE_HOOK(CmdPushDescriptorSetWithTemplate2KHR)                                                                  \
    /* app_descriptors/descriptor.c: of surplus samplers, also where descriptors have no room for records */           \
    ACTIVE_HOOK(GetDescriptorEXT)                                                                                      \
    /* modules/shader_module.c */                                                                                      \
    ACTIVE_HOOK(CreateShaderModule)                                                                                    \
    ACTIVE_HOOK(DestroyShaderModule)                                                                                   \
    /* modules/identifiers.c */                                                                                        \
    ACTIVE_HOOK(GetShaderModuleIdentifierEXT)                                                                          \
    ACTIVE_HOOK(GetShaderModuleCreateInfoIdentifierEXT)                                                                \
    /* shader_objects/shader_objects.c */                                                                              \
    ACTIVE_HOOK(CreateShadersEXT)                                                                                      \
    ACTIVE_HOOK(DestroyShaderEXT)                                                                                      \
    /* shader_objects/shader_binary.c */                                                                               \
    ACTIVE_HOOK(GetShaderBinaryDataEXT)                                                                                \
    /* shader_objects/generated_layouts.c */                                                                           \
    ACTIVE_HOOK(CreateIndirectExecutionSetEXT)                                                                         \
    ACTIVE_HOOK(CreateIndirectCommandsLayoutEXT)                                                                       \
    /* attachments/render_pass.c */                                                                                    \
    ACTIVE_HOOK(CreateRenderPass)                                                                                      \
    ACTIVE_HOOK(CreateRenderPass2)                                                                                     \
    ACTIVE_HOOK(DestroyRenderPass)                                                                                     \
    /* creation/create_graphics.c */                                                                                   \
    ACTIVE_HOOK(CreateGraphicsPipelines)                                                                               \
    /* creation/create_compute.c */                                                                                    \
    ACTIVE_HOOK(CreateComputePipelines)                                                                                \
    ACTIVE_HOOK(GetPipelineIndirectMemoryRequirementsNV)                                                               \
    /* creation/create_rays.c */                                                                                       \
    ACTIVE_HOOK(CreateRayTracingPipelinesKHR)                                                                          \
    ACTIVE_HOOK(CreateRayTracingPipelinesNV)                                                                           \
    /* creation/creation.c */                                                                                          \
    ACTIVE_HOOK(DestroyPipeline)                                                                                       \
    /* pipelines/pipeline_binary.c */                                                                                  \
    ACTIVE_HOOK(CreatePipelineBinariesKHR)                                                                             \
    ACTIVE_HOOK(DestroyPipelineBinaryKHR)                                                                              \
    ACTIVE_HOOK(GetPipelineKeyKHR)                                                                                     \
    ACTIVE_HOOK(GetPipelineBinaryDataKHR)                                                                              \
    ACTIVE_HOOK(ReleaseCapturedPipelineDataKHR)                                                                        \
    /* recording/command_buffers.c */                                                                                  \
    ACTIVE_HOOK(CreateCommandPool)                                                                                     \
    ACTIVE_HOOK(DestroyCommandPool)                                                                                    \
    ACTIVE_HOOK(ResetCommandPool)                                                                                      \
    ACTIVE_HOOK(AllocateCommandBuffers)                                                                                \
    ACTIVE_HOOK(FreeCommandBuffers)                                                                                    \
    ACTIVE_HOOK(BeginCommandBuffer)                                                                                    \
    ACTIVE_HOOK(EndCommandBuffer)                                                                                      \
    ACTIVE_HOOK(ResetCommandBuffer)                                                                                    \
    ACTIVE_HOOK(CmdBindPipeline)                                                                                       \
    ACTIVE_HOOK(CmdBindPipelineShaderGroupNV)                                                                          \
    ACTIVE_HOOK(CmdBindShadersEXT)                                                                                     \
    ACTIVE_HOOK(CmdBindDescriptorSets)                                                                                 \
    ACTIVE_HOOK(CmdBindDescriptorSets2KHR)                                                                             \
    ACTIVE_HOOK(CmdExecuteCommands)                                                                                    \
    /* blits/blit.c */                                                                                                 \
    ACTIVE_HOOK(CmdBlitImage)                                                                                          \
    ACTIVE_HOOK(CmdBlitImage2)                                                                                         \
    /* commands/condition.c */                                                                                         \
    ACTIVE_HOOK(CmdBeginConditionalRenderingEXT)                                                                       \
    ACTIVE_HOOK(CmdBeginConditionalRendering2EXT)                                                                      \
    ACTIVE_HOOK(CmdEndConditionalRenderingEXT)                                                                         \
    /* recording/generated.c */                                                                                        \
    ACTIVE_HOOK(GetGeneratedCommandsMemoryRequirementsEXT)                                                             \
    ACTIVE_HOOK(CmdPreprocessGeneratedCommandsEXT)                                                                     \
    ACTIVE_HOOK(CmdExecuteGeneratedCommandsEXT)                                                                        \
    ACTIVE_HOOK(GetGeneratedCommandsMemoryRequirementsNV)                                                              \
    ACTIVE_HOOK(CmdPreprocessGeneratedCommandsNV)                                                                      \
    ACTIVE_HOOK(CmdExecuteGeneratedCommandsNV)                                                                         \
    /* recording/submit.c */                                                                                           \
    ACTIVE_HOOK(QueueSubmit)                                                                                           \
    ACTIVE_HOOK(QueueSubmit2)                                                                                          \
    /* recording/draw.c */                                                                                             \
    ACTIVE_HOOK(CmdBeginTransformFeedbackEXT)                                                                          \
    ACTIVE_HOOK(CmdEndTransformFeedbackEXT)                                                                            \
    ACTIVE_HOOK(CmdBeginTransformFeedback2EXT)                                                                         \
    ACTIVE_HOOK(CmdEndTransformFeedback2EXT)                                                                           \
    GRAPHICS_DRAWS(ACTIVE_HOOK)                                                                                        \
    COMPUTE_DRAWS(ACTIVE_HOOK)                                                                                         \
    SUBPASS_SHADING_DRAWS(ACTIVE_HOOK)                                                                                 \
    RAY_TRACING_DRAWS(ACTIVE_HOOK)

#define TEXEL_HOOKS(TEXEL_HOOK)                                                                                        \
    /* texel_buffers/buffer_view.c */                                                                                  \
    TEXEL_HOOK(DestroyBufferView)                                                                                      \
    /* texel_buffers/buffer.c */                                                                                       \
    TEXEL_HOOK(CreateBuffer)                                                                                           \
    TEXEL_HOOK(DestroyBuffer)                                                                                          \
    TEXEL_HOOK(GetDeviceBufferMemoryRequirements)                                                                      \
    TEXEL_HOOK(AllocateMemory)                                                                                         \
    /* recording/barriers.c */                                                                                         \
    TEXEL_HOOK(CmdSetEvent2)

#define BARRIER_HOOKS(BARRIER_HOOK)                                                                                    \
    /* recording/barriers.c */                                                                                         \
    BARRIER_HOOK(CmdPipelineBarrier2)                                                                                  \
    BARRIER_HOOK(CmdWaitEvents2)

#define APP_DESCRIPTOR_HOOKS(APP_DESCRIPTOR_HOOK)                                                                      \
    /* recording/bound_buffers.c */                                                                                    \
    APP_DESCRIPTOR_HOOK(CmdBindDescriptorBuffersEXT)                                                                   \
    APP_DESCRIPTOR_HOOK(CmdSetDescriptorBufferOffsetsEXT)                                                              \
    APP_DESCRIPTOR_HOOK(CmdSetDescriptorBufferOffsets2EXT)                                                             \
    APP_DESCRIPTOR_HOOK(CmdPushConstants)                                                                              \
    APP_DESCRIPTOR_HOOK(CmdPushConstants2KHR)

#define HEAP_HOOKS(HEAP_HOOK)                                                                                          \
    /* app_descriptors/heap.c */                                                                                       \
    HEAP_HOOK(WriteSamplerDescriptorsEXT)                                                                              \
    HEAP_HOOK(WriteResourceDescriptorsEXT)                                                                             \
    /* recording/bound_heaps.c */                                                                                      \
    HEAP_HOOK(CmdBindSamplerHeapEXT)                                                                                   \
    HEAP_HOOK(CmdBindResourceHeapEXT)                                                                                  \
    HEAP_HOOK(CmdPushDataEXT)

/* Answered also where the next layer does not know them: commands of extensions that the layer offers. */
#define OFFERED_HOOKS(OFFERED_HOOK)                                                                                    \
    /* sampling/border_index.c */                                                                                      \
    OFFERED_HOOK(RegisterCustomBorderColorEXT)                                                                         \
    OFFERED_HOOK(UnregisterCustomBorderColorEXT)

/*
 * GROUP(list, condition) for each list of hooks that not all devices have: those of which the condition holds.
 * `device` is a const struct device *.
 */
#define HOOK_GROUPS(GROUP)                                                                                             \
    GROUP(ACTIVE_HOOKS, device->active)                                                                                \
    GROUP(ALPHA_HOOKS, device->caps.rgbx_attachments) /* attachments may have no alpha */                              \
    GROUP(TEXEL_HOOKS, device->caps.texel_buffers)    /* texel buffers are emulated */                                 \
    GROUP(BARRIER_HOOKS, device->caps.rgbx_attachments || device->caps.texel_buffers)                                  \
    GROUP(APP_DESCRIPTOR_HOOKS, device->caps.app_descriptors.buffers) /* the program places descriptors in buffers */  \
    GROUP(HEAP_HOOKS, device->caps.app_descriptors.heaps)             /* in heaps */                                   \
    GROUP(OFFERED_HOOKS, device->caps.border_indices)                 /* the layer offers border colours there */
