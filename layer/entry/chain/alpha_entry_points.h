/* SPDX-License-Identifier: MIT */
/*
 * The part of the list of intercepted entry points (entry_points.h) that only devices get on which attachments may be
 * without alpha.
 */
#ifndef CLAMPLER_CHAIN_ALPHA_ENTRY_POINTS_H
#define CLAMPLER_CHAIN_ALPHA_ENTRY_POINTS_H

#define ALPHA_HOOKS(ALPHA_HOOK)                                                                                        \
    /* alpha/framebuffer.c */                                                                                          \
    ALPHA_HOOK(CreateFramebuffer)                                                                                      \
    ALPHA_HOOK(DestroyFramebuffer)                                                                                     \
    /* alpha/pass.c */                                                                                                 \
    ALPHA_HOOK(CmdBeginRenderPass)                                                                                     \
    ALPHA_HOOK(CmdBeginRenderPass2)                                                                                    \
    ALPHA_HOOK(CmdNextSubpass)                                                                                         \
    ALPHA_HOOK(CmdNextSubpass2)                                                                                        \
    ALPHA_HOOK(CmdEndRenderPass)                                                                                       \
    ALPHA_HOOK(CmdEndRenderPass2)                                                                                      \
    ALPHA_HOOK(CmdBeginRendering)                                                                                      \
    ALPHA_HOOK(CmdBeginCustomResolveEXT)                                                                               \
    ALPHA_HOOK(CmdEndRendering)                                                                                        \
    ALPHA_HOOK(CmdEndRendering2EXT)                                                                                    \
    ALPHA_HOOK(CmdSetRenderingAttachmentLocationsKHR)                                                                  \
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
    ALPHA_HOOK(CmdSetFrontFace)                                                                                        \
    ALPHA_HOOK(CmdSetPrimitiveTopology)                                                                                \
    ALPHA_HOOK(CmdSetDepthTestEnable)                                                                                  \
    ALPHA_HOOK(CmdSetDepthWriteEnable)                                                                                 \
    ALPHA_HOOK(CmdSetDepthCompareOp)                                                                                   \
    ALPHA_HOOK(CmdSetDepthBoundsTestEnable)                                                                            \
    ALPHA_HOOK(CmdSetStencilTestEnable)                                                                                \
    ALPHA_HOOK(CmdSetRasterizerDiscardEnable)                                                                          \
    ALPHA_HOOK(CmdSetDepthBiasEnable)                                                                                  \
    ALPHA_HOOK(CmdSetPrimitiveRestartEnable)                                                                           \
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
    ALPHA_HOOK(CmdSetScissorWithCount)                                                                                 \
    ALPHA_HOOK(CmdSetDepthBias)                                                                                        \
    ALPHA_HOOK(CmdSetBlendConstants)                                                                                   \
    ALPHA_HOOK(CmdSetDepthBounds)                                                                                      \
    ALPHA_HOOK(CmdSetStencilCompareMask)                                                                               \
    ALPHA_HOOK(CmdSetStencilWriteMask)                                                                                 \
    ALPHA_HOOK(CmdSetStencilReference)                                                                                 \
    ALPHA_HOOK(CmdSetStencilOp)                                                                                        \
    ALPHA_HOOK(CmdSetColorWriteEnableEXT)                                                                              \
    ALPHA_HOOK(CmdSetSampleMaskEXT)                                                                                    \
    ALPHA_HOOK(CmdSetLineStippleEXT)                                                                                   \
    ALPHA_HOOK(CmdSetVertexInputEXT)                                                                                   \
    ALPHA_HOOK(CmdSetFragmentShadingRateKHR)                                                                           \
    /* commands/shading_rates.c */                                                                                     \
    ALPHA_HOOK(CmdSetViewportShadingRatePaletteNV)                                                                     \
    ALPHA_HOOK(CmdSetCoarseSampleOrderNV)                                                                              \
    /* commands/vertex_buffers.c */                                                                                    \
    ALPHA_HOOK(CmdBindVertexBuffers)                                                                                   \
    ALPHA_HOOK(CmdBindVertexBuffers2)                                                                                  \
    ALPHA_HOOK(CmdBindVertexBuffers3KHR)                                                                               \
    /* alpha/layouts.c */                                                                                              \
    ALPHA_HOOK(CmdPipelineBarrier)                                                                                     \
    ALPHA_HOOK(CmdWaitEvents)                                                                                          \
    /* alpha/dirty.c */                                                                                                \
    ALPHA_HOOK(CmdCopyBufferToImage)                                                                                   \
    ALPHA_HOOK(CmdCopyBufferToImage2)                                                                                  \
    ALPHA_HOOK(CmdCopyImage)                                                                                           \
    ALPHA_HOOK(CmdCopyMemoryToImageKHR)                                                                                \
    ALPHA_HOOK(CmdCopyMemoryToImageIndirectKHR)                                                                        \
    ALPHA_HOOK(CmdCopyMemoryToImageIndirectNV)                                                                         \
    ALPHA_HOOK(CmdCopyImage2)                                                                                          \
    ALPHA_HOOK(CmdResolveImage)                                                                                        \
    ALPHA_HOOK(CmdResolveImage2)

#endif
