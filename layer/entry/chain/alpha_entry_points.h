/* SPDX-License-Identifier: MIT */
/* The entry points (entry_points.h) that are hooked only on devices whose attachments may have no alpha. */
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
    ALPHA_HOOK(CmdSetRenderingInputAttachmentIndicesKHR)                                                               \
    /* alpha/clear.c */                                                                                                \
    ALPHA_HOOK(CmdClearAttachments)                                                                                    \
    ALPHA_HOOK(CmdClearColorImage)                                                                                     \
    /* alpha/blend.c */                                                                                                \
    ALPHA_HOOK(CmdSetColorBlendEnableEXT)                                                                              \
    ALPHA_HOOK(CmdSetColorBlendEquationEXT)                                                                            \
    ALPHA_HOOK(CmdSetColorBlendAdvancedEXT)                                                                            \
    ALPHA_HOOK(CmdSetColorWriteMaskEXT)                                                                                \
    /* commands/dynamic_state.c */                                                                                     \
    STATE_COMMANDS(ALPHA_HOOK)                                                                                         \
    ALPHA_HOOK(CmdSetCoverageModulationTableNV)                                                                        \
    ALPHA_HOOK(CmdSetDepthBias2EXT)                                                                                    \
    ALPHA_HOOK(CmdSetDepthClampRangeEXT)                                                                               \
    ALPHA_HOOK(CmdSetSampleLocationsEXT)                                                                               \
    ALPHA_HOOK(CmdSetFragmentShadingRateEnumNV)                                                                        \
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
