/* SPDX-License-Identifier: MIT */
/*
 * The one list of intercepted entry points. It drives declarations (hook_<name>), look-up in vkGet*ProcAddr, and
 * dispatch.
 *
 * INSTANCE_HOOK(name)       always answered by vkGetInstanceProcAddr DEVICE_HOOK(name)         answered for every
 * device, inert or not ACTIVE_HOOK(name)         answered only where the device is active (device.h) and the next layer
 * knows the name ACTIVE_ALIAS(alias, name) another name of the same command: found in the next layer under `alias`,
 * served by hook_<name> ALPHA_HOOK, ALPHA_ALIAS   the same, only where attachments may be alpha-to-one (struct device:
 * alpha_to_one) TEXEL_HOOK, TEXEL_ALIAS   the same, only where texel buffers are emulated (struct device:
 * texel_buffers)
 *
 * Names are without their "vk". Every hook has the command's own prototype.
 */
#define INSTANCE_HOOKS(INSTANCE_HOOK)                                                                                  \
    INSTANCE_HOOK(GetInstanceProcAddr)                                                                                 \
    INSTANCE_HOOK(CreateInstance)                                                                                      \
    INSTANCE_HOOK(DestroyInstance)                                                                                     \
    INSTANCE_HOOK(CreateDevice)                                                                                        \
    INSTANCE_HOOK(EnumerateInstanceExtensionProperties)                                                                \
    INSTANCE_HOOK(EnumerateInstanceLayerProperties)                                                                    \
    INSTANCE_HOOK(EnumerateDeviceExtensionProperties)                                                                  \
    INSTANCE_HOOK(EnumerateDeviceLayerProperties)                                                                      \
    INSTANCE_HOOK(GetPhysicalDeviceFeatures2)                                                                          \
    INSTANCE_HOOK(GetPhysicalDeviceFeatures2KHR)                                                                       \
    INSTANCE_HOOK(GetPhysicalDeviceFormatProperties)                                                                   \
    INSTANCE_HOOK(GetPhysicalDeviceFormatProperties2)                                                                  \
    INSTANCE_HOOK(GetPhysicalDeviceFormatProperties2KHR)                                                               \
    INSTANCE_HOOK(GetPhysicalDeviceProperties)                                                                         \
    INSTANCE_HOOK(GetPhysicalDeviceProperties2)                                                                        \
    INSTANCE_HOOK(GetPhysicalDeviceProperties2KHR)                                                                     \
    INSTANCE_HOOK(CreateDebugUtilsMessengerEXT)                                                                        \
    INSTANCE_HOOK(DestroyDebugUtilsMessengerEXT)

#define DEVICE_HOOKS(DEVICE_HOOK)                                                                                      \
    DEVICE_HOOK(GetDeviceProcAddr)                                                                                     \
    DEVICE_HOOK(DestroyDevice)

#define ACTIVE_HOOKS(ACTIVE_HOOK, ACTIVE_ALIAS)                                                                        \
    /* sampling/sampler.c */                                                                                           \
    ACTIVE_HOOK(CreateSampler)                                                                                         \
    ACTIVE_HOOK(DestroySampler)                                                                                        \
    /* sampling/image.c */                                                                                             \
    ACTIVE_HOOK(CreateImage)                                                                                           \
    ACTIVE_HOOK(DestroyImage)                                                                                          \
    ACTIVE_HOOK(GetDeviceImageMemoryRequirements)                                                                      \
    ACTIVE_ALIAS(GetDeviceImageMemoryRequirementsKHR, GetDeviceImageMemoryRequirements)                                \
    ACTIVE_HOOK(GetDeviceImageSparseMemoryRequirements)                                                                \
    ACTIVE_ALIAS(GetDeviceImageSparseMemoryRequirementsKHR, GetDeviceImageSparseMemoryRequirements)                    \
    /* views/view.c */                                                                                                 \
    ACTIVE_HOOK(CreateImageView)                                                                                       \
    ACTIVE_HOOK(DestroyImageView)                                                                                      \
    /* texel_buffers/buffer_view.c */                                                                                  \
    ACTIVE_HOOK(CreateBufferView)                                                                                      \
    /* sampling/image.c */                                                                                             \
    ACTIVE_HOOK(CreateSwapchainKHR)                                                                                    \
    ACTIVE_HOOK(DestroySwapchainKHR)                                                                                   \
    ACTIVE_HOOK(GetSwapchainImagesKHR)                                                                                 \
    /* layouts/set_layout.c */                                                                                         \
    ACTIVE_HOOK(CreateDescriptorSetLayout)                                                                             \
    ACTIVE_HOOK(DestroyDescriptorSetLayout)                                                                            \
    ACTIVE_HOOK(GetDescriptorSetLayoutSupport)                                                                         \
    ACTIVE_ALIAS(GetDescriptorSetLayoutSupportKHR, GetDescriptorSetLayoutSupport)                                      \
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
    ACTIVE_ALIAS(CreateDescriptorUpdateTemplateKHR, CreateDescriptorUpdateTemplate)                                    \
    ACTIVE_HOOK(DestroyDescriptorUpdateTemplate)                                                                       \
    ACTIVE_ALIAS(DestroyDescriptorUpdateTemplateKHR, DestroyDescriptorUpdateTemplate)                                  \
    /* descriptors/update.c */                                                                                         \
    ACTIVE_HOOK(UpdateDescriptorSetWithTemplate)                                                                       \
    ACTIVE_ALIAS(UpdateDescriptorSetWithTemplateKHR, UpdateDescriptorSetWithTemplate)                                  \
    /* push/push.c */                                                                                                  \
    ACTIVE_HOOK(CmdPushDescriptorSetKHR)                                                                               \
    ACTIVE_ALIAS(CmdPushDescriptorSet, CmdPushDescriptorSetKHR)                                                        \
    ACTIVE_HOOK(CmdPushDescriptorSetWithTemplateKHR)                                                                   \
    ACTIVE_ALIAS(CmdPushDescriptorSetWithTemplate, CmdPushDescriptorSetWithTemplateKHR)                                \
    ACTIVE_HOOK(CmdPushDescriptorSet2KHR)                                                                              \
    ACTIVE_ALIAS(CmdPushDescriptorSet2, CmdPushDescriptorSet2KHR)                                                      \
    ACTIVE_HOOK(CmdPushDescriptorSetWithTemplate2KHR)                                                                  \
    ACTIVE_ALIAS(CmdPushDescriptorSetWithTemplate2, CmdPushDescriptorSetWithTemplate2KHR)                              \
    /* pipelines/shader_module.c */                                                                                    \
    ACTIVE_HOOK(CreateShaderModule)                                                                                    \
    ACTIVE_HOOK(DestroyShaderModule)                                                                                   \
    ACTIVE_HOOK(CreateShadersEXT)                                                                                      \
    /* attachments/render_pass.c */                                                                                    \
    ACTIVE_HOOK(CreateRenderPass)                                                                                      \
    ACTIVE_HOOK(CreateRenderPass2)                                                                                     \
    ACTIVE_ALIAS(CreateRenderPass2KHR, CreateRenderPass2)                                                              \
    ACTIVE_HOOK(DestroyRenderPass)                                                                                     \
    /* pipelines/create_pipelines.c */                                                                                 \
    ACTIVE_HOOK(CreateGraphicsPipelines)                                                                               \
    ACTIVE_HOOK(CreateComputePipelines)                                                                                \
    ACTIVE_HOOK(CreateRayTracingPipelinesKHR)                                                                          \
    ACTIVE_HOOK(CreateRayTracingPipelinesNV)                                                                           \
    ACTIVE_HOOK(DestroyPipeline)                                                                                       \
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
    ACTIVE_HOOK(CmdBindShadersEXT)                                                                                     \
    ACTIVE_HOOK(CmdBindDescriptorSets)                                                                                 \
    ACTIVE_HOOK(CmdBindDescriptorSets2KHR)                                                                             \
    ACTIVE_ALIAS(CmdBindDescriptorSets2, CmdBindDescriptorSets2KHR)                                                    \
    ACTIVE_HOOK(CmdExecuteCommands)                                                                                    \
    /* blits/blit.c */                                                                                                 \
    ACTIVE_HOOK(CmdBlitImage)                                                                                          \
    ACTIVE_HOOK(CmdBlitImage2)                                                                                         \
    ACTIVE_ALIAS(CmdBlitImage2KHR, CmdBlitImage2)                                                                      \
    /* commands/condition.c */                                                                                         \
    ACTIVE_HOOK(CmdBeginConditionalRenderingEXT)                                                                       \
    ACTIVE_HOOK(CmdEndConditionalRenderingEXT)                                                                         \
    /* recording/draw.c */                                                                                             \
    ACTIVE_HOOK(CmdDraw)                                                                                               \
    ACTIVE_HOOK(CmdDrawIndexed)                                                                                        \
    ACTIVE_HOOK(CmdDrawIndirect)                                                                                       \
    ACTIVE_HOOK(CmdDrawIndexedIndirect)                                                                                \
    ACTIVE_HOOK(CmdDrawIndirectCount)                                                                                  \
    ACTIVE_ALIAS(CmdDrawIndirectCountKHR, CmdDrawIndirectCount)                                                        \
    ACTIVE_ALIAS(CmdDrawIndirectCountAMD, CmdDrawIndirectCount)                                                        \
    ACTIVE_HOOK(CmdDrawIndexedIndirectCount)                                                                           \
    ACTIVE_ALIAS(CmdDrawIndexedIndirectCountKHR, CmdDrawIndexedIndirectCount)                                          \
    ACTIVE_ALIAS(CmdDrawIndexedIndirectCountAMD, CmdDrawIndexedIndirectCount)                                          \
    ACTIVE_HOOK(CmdDrawIndirectByteCountEXT)                                                                           \
    ACTIVE_HOOK(CmdDrawMultiEXT)                                                                                       \
    ACTIVE_HOOK(CmdDrawMultiIndexedEXT)                                                                                \
    ACTIVE_HOOK(CmdDrawMeshTasksNV)                                                                                    \
    ACTIVE_HOOK(CmdDrawMeshTasksIndirectNV)                                                                            \
    ACTIVE_HOOK(CmdDrawMeshTasksIndirectCountNV)                                                                       \
    ACTIVE_HOOK(CmdDrawMeshTasksEXT)                                                                                   \
    ACTIVE_HOOK(CmdDrawMeshTasksIndirectEXT)                                                                           \
    ACTIVE_HOOK(CmdDrawMeshTasksIndirectCountEXT)                                                                      \
    ACTIVE_HOOK(CmdDrawClusterHUAWEI)                                                                                  \
    ACTIVE_HOOK(CmdDrawClusterIndirectHUAWEI)                                                                          \
    ACTIVE_HOOK(CmdDispatch)                                                                                           \
    ACTIVE_HOOK(CmdDispatchIndirect)                                                                                   \
    ACTIVE_HOOK(CmdDispatchBase)                                                                                       \
    ACTIVE_ALIAS(CmdDispatchBaseKHR, CmdDispatchBase)                                                                  \
    ACTIVE_HOOK(CmdTraceRaysKHR)                                                                                       \
    ACTIVE_HOOK(CmdTraceRaysIndirectKHR)                                                                               \
    ACTIVE_HOOK(CmdTraceRaysNV)                                                                                        \
    ACTIVE_HOOK(CmdTraceRaysIndirect2KHR)

#define ALPHA_HOOKS(ALPHA_HOOK, ALPHA_ALIAS)                                                                           \
    /* alpha/framebuffer.c */                                                                                          \
    ALPHA_HOOK(CreateFramebuffer)                                                                                      \
    ALPHA_HOOK(DestroyFramebuffer)                                                                                     \
    /* alpha/pass.c */                                                                                                 \
    ALPHA_HOOK(CmdBeginRenderPass)                                                                                     \
    ALPHA_HOOK(CmdBeginRenderPass2)                                                                                    \
    ALPHA_ALIAS(CmdBeginRenderPass2KHR, CmdBeginRenderPass2)                                                           \
    ALPHA_HOOK(CmdNextSubpass)                                                                                         \
    ALPHA_HOOK(CmdNextSubpass2)                                                                                        \
    ALPHA_ALIAS(CmdNextSubpass2KHR, CmdNextSubpass2)                                                                   \
    ALPHA_HOOK(CmdEndRenderPass)                                                                                       \
    ALPHA_HOOK(CmdEndRenderPass2)                                                                                      \
    ALPHA_ALIAS(CmdEndRenderPass2KHR, CmdEndRenderPass2)                                                               \
    ALPHA_HOOK(CmdBeginRendering)                                                                                      \
    ALPHA_ALIAS(CmdBeginRenderingKHR, CmdBeginRendering)                                                               \
    ALPHA_HOOK(CmdEndRendering)                                                                                        \
    ALPHA_ALIAS(CmdEndRenderingKHR, CmdEndRendering)                                                                   \
    ALPHA_HOOK(CmdEndRendering2EXT)                                                                                    \
    ALPHA_ALIAS(CmdEndRendering2KHR, CmdEndRendering2EXT)                                                              \
    /* alpha/clear.c */                                                                                                \
    ALPHA_HOOK(CmdClearAttachments)                                                                                    \
    ALPHA_HOOK(CmdClearColorImage)                                                                                     \
    /* alpha/blend.c */                                                                                                \
    ALPHA_HOOK(CmdSetColorBlendEnableEXT)                                                                              \
    ALPHA_HOOK(CmdSetColorBlendEquationEXT)                                                                            \
    ALPHA_HOOK(CmdSetColorBlendAdvancedEXT)                                                                            \
    ALPHA_HOOK(CmdSetColorWriteMaskEXT)                                                                                \
    /* commands/dynamic_state.c */                                                                                     \
    ALPHA_HOOK(CmdSetLineWidth)                                                                                        \
    ALPHA_HOOK(CmdSetCullMode)                                                                                         \
    ALPHA_ALIAS(CmdSetCullModeEXT, CmdSetCullMode)                                                                     \
    ALPHA_HOOK(CmdSetFrontFace)                                                                                        \
    ALPHA_ALIAS(CmdSetFrontFaceEXT, CmdSetFrontFace)                                                                   \
    ALPHA_HOOK(CmdSetPrimitiveTopology)                                                                                \
    ALPHA_ALIAS(CmdSetPrimitiveTopologyEXT, CmdSetPrimitiveTopology)                                                   \
    ALPHA_HOOK(CmdSetDepthTestEnable)                                                                                  \
    ALPHA_ALIAS(CmdSetDepthTestEnableEXT, CmdSetDepthTestEnable)                                                       \
    ALPHA_HOOK(CmdSetDepthWriteEnable)                                                                                 \
    ALPHA_ALIAS(CmdSetDepthWriteEnableEXT, CmdSetDepthWriteEnable)                                                     \
    ALPHA_HOOK(CmdSetDepthCompareOp)                                                                                   \
    ALPHA_ALIAS(CmdSetDepthCompareOpEXT, CmdSetDepthCompareOp)                                                         \
    ALPHA_HOOK(CmdSetDepthBoundsTestEnable)                                                                            \
    ALPHA_ALIAS(CmdSetDepthBoundsTestEnableEXT, CmdSetDepthBoundsTestEnable)                                           \
    ALPHA_HOOK(CmdSetStencilTestEnable)                                                                                \
    ALPHA_ALIAS(CmdSetStencilTestEnableEXT, CmdSetStencilTestEnable)                                                   \
    ALPHA_HOOK(CmdSetRasterizerDiscardEnable)                                                                          \
    ALPHA_ALIAS(CmdSetRasterizerDiscardEnableEXT, CmdSetRasterizerDiscardEnable)                                       \
    ALPHA_HOOK(CmdSetDepthBiasEnable)                                                                                  \
    ALPHA_ALIAS(CmdSetDepthBiasEnableEXT, CmdSetDepthBiasEnable)                                                       \
    ALPHA_HOOK(CmdSetPrimitiveRestartEnable)                                                                           \
    ALPHA_ALIAS(CmdSetPrimitiveRestartEnableEXT, CmdSetPrimitiveRestartEnable)                                         \
    ALPHA_HOOK(CmdSetPatchControlPointsEXT)                                                                            \
    ALPHA_HOOK(CmdSetLogicOpEXT)                                                                                       \
    ALPHA_HOOK(CmdSetTessellationDomainOriginEXT)                                                                      \
    ALPHA_HOOK(CmdSetDepthClampEnableEXT)                                                                              \
    ALPHA_HOOK(CmdSetPolygonModeEXT)                                                                                   \
    ALPHA_HOOK(CmdSetRasterizationSamplesEXT)                                                                          \
    ALPHA_HOOK(CmdSetAlphaToCoverageEnableEXT)                                                                         \
    ALPHA_HOOK(CmdSetAlphaToOneEnableEXT)                                                                              \
    ALPHA_HOOK(CmdSetLogicOpEnableEXT)                                                                                 \
    ALPHA_HOOK(CmdSetRasterizationStreamEXT)                                                                           \
    ALPHA_HOOK(CmdSetConservativeRasterizationModeEXT)                                                                 \
    ALPHA_HOOK(CmdSetExtraPrimitiveOverestimationSizeEXT)                                                              \
    ALPHA_HOOK(CmdSetDepthClipEnableEXT)                                                                               \
    ALPHA_HOOK(CmdSetSampleLocationsEnableEXT)                                                                         \
    ALPHA_HOOK(CmdSetProvokingVertexModeEXT)                                                                           \
    ALPHA_HOOK(CmdSetLineRasterizationModeEXT)                                                                         \
    ALPHA_HOOK(CmdSetLineStippleEnableEXT)                                                                             \
    ALPHA_HOOK(CmdSetDepthClipNegativeOneToOneEXT)                                                                     \
    ALPHA_HOOK(CmdSetAttachmentFeedbackLoopEnableEXT)                                                                  \
    ALPHA_HOOK(CmdSetDiscardRectangleEnableEXT)                                                                        \
    ALPHA_HOOK(CmdSetDiscardRectangleModeEXT)                                                                          \
    ALPHA_HOOK(CmdSetViewportWScalingEnableNV)                                                                         \
    ALPHA_HOOK(CmdSetCoverageToColorEnableNV)                                                                          \
    ALPHA_HOOK(CmdSetCoverageToColorLocationNV)                                                                        \
    ALPHA_HOOK(CmdSetCoverageModulationModeNV)                                                                         \
    ALPHA_HOOK(CmdSetCoverageModulationTableEnableNV)                                                                  \
    ALPHA_HOOK(CmdSetShadingRateImageEnableNV)                                                                         \
    ALPHA_HOOK(CmdSetRepresentativeFragmentTestEnableNV)                                                               \
    ALPHA_HOOK(CmdSetCoverageReductionModeNV)                                                                          \
    ALPHA_HOOK(CmdSetDiscardRectangleEXT)                                                                              \
    ALPHA_HOOK(CmdSetExclusiveScissorNV)                                                                               \
    ALPHA_HOOK(CmdSetExclusiveScissorEnableNV)                                                                         \
    ALPHA_HOOK(CmdSetViewportWScalingNV)                                                                               \
    ALPHA_HOOK(CmdSetViewportSwizzleNV)                                                                                \
    ALPHA_HOOK(CmdSetCoverageModulationTableNV)                                                                        \
    ALPHA_HOOK(CmdSetDepthBias2EXT)                                                                                    \
    ALPHA_HOOK(CmdSetDepthClampRangeEXT)                                                                               \
    ALPHA_HOOK(CmdSetSampleLocationsEXT)                                                                               \
    ALPHA_HOOK(CmdSetFragmentShadingRateEnumNV)                                                                        \
    ALPHA_HOOK(CmdSetViewport)                                                                                         \
    ALPHA_HOOK(CmdSetScissor)                                                                                          \
    ALPHA_HOOK(CmdSetViewportWithCount)                                                                                \
    ALPHA_ALIAS(CmdSetViewportWithCountEXT, CmdSetViewportWithCount)                                                   \
    ALPHA_HOOK(CmdSetScissorWithCount)                                                                                 \
    ALPHA_ALIAS(CmdSetScissorWithCountEXT, CmdSetScissorWithCount)                                                     \
    ALPHA_HOOK(CmdSetDepthBias)                                                                                        \
    ALPHA_HOOK(CmdSetBlendConstants)                                                                                   \
    ALPHA_HOOK(CmdSetDepthBounds)                                                                                      \
    ALPHA_HOOK(CmdSetStencilCompareMask)                                                                               \
    ALPHA_HOOK(CmdSetStencilWriteMask)                                                                                 \
    ALPHA_HOOK(CmdSetStencilReference)                                                                                 \
    ALPHA_HOOK(CmdSetStencilOp)                                                                                        \
    ALPHA_ALIAS(CmdSetStencilOpEXT, CmdSetStencilOp)                                                                   \
    ALPHA_HOOK(CmdSetColorWriteEnableEXT)                                                                              \
    ALPHA_HOOK(CmdSetSampleMaskEXT)                                                                                    \
    ALPHA_HOOK(CmdSetLineStippleEXT)                                                                                   \
    ALPHA_HOOK(CmdSetVertexInputEXT)                                                                                   \
    ALPHA_HOOK(CmdSetFragmentShadingRateKHR)                                                                           \
    ALPHA_ALIAS(CmdSetLineStippleKHR, CmdSetLineStippleEXT)                                                            \
    ALPHA_ALIAS(CmdSetLineStipple, CmdSetLineStippleEXT)                                                               \
    /* alpha/dirty.c */                                                                                                \
    ALPHA_HOOK(CmdCopyBufferToImage)                                                                                   \
    ALPHA_HOOK(CmdCopyBufferToImage2)                                                                                  \
    ALPHA_ALIAS(CmdCopyBufferToImage2KHR, CmdCopyBufferToImage2)                                                       \
    ALPHA_HOOK(CmdCopyImage)                                                                                           \
    ALPHA_HOOK(CmdCopyImage2)                                                                                          \
    ALPHA_ALIAS(CmdCopyImage2KHR, CmdCopyImage2)                                                                       \
    ALPHA_HOOK(CmdResolveImage)                                                                                        \
    ALPHA_HOOK(CmdResolveImage2)                                                                                       \
    ALPHA_ALIAS(CmdResolveImage2KHR, CmdResolveImage2)

#define TEXEL_HOOKS(TEXEL_HOOK, TEXEL_ALIAS)                                                                           \
    /* texel_buffers/buffer_view.c */                                                                                  \
    TEXEL_HOOK(DestroyBufferView)                                                                                      \
    /* texel_buffers/buffer.c */                                                                                       \
    TEXEL_HOOK(CreateBuffer)                                                                                           \
    TEXEL_HOOK(DestroyBuffer)                                                                                          \
    TEXEL_HOOK(GetDeviceBufferMemoryRequirements)                                                                      \
    TEXEL_ALIAS(GetDeviceBufferMemoryRequirementsKHR, GetDeviceBufferMemoryRequirements)                               \
    TEXEL_HOOK(AllocateMemory)                                                                                         \
    /* barriers/barrier.c */                                                                                           \
    TEXEL_HOOK(CmdPipelineBarrier2)                                                                                    \
    TEXEL_ALIAS(CmdPipelineBarrier2KHR, CmdPipelineBarrier2)                                                           \
    TEXEL_HOOK(CmdSetEvent2)                                                                                           \
    TEXEL_ALIAS(CmdSetEvent2KHR, CmdSetEvent2)                                                                         \
    TEXEL_HOOK(CmdWaitEvents2)                                                                                         \
    TEXEL_ALIAS(CmdWaitEvents2KHR, CmdWaitEvents2)
