/* SPDX-License-Identifier: MIT */
/*
 * Commands that draw, dispatch or trace rays, by the bind point that they use: draw.c makes the hook of each, and
 * entry_points.h lists them. Parameters come from the registry.
 */
#ifndef CLAMPLER_RECORDING_DRAWS_H
#define CLAMPLER_RECORDING_DRAWS_H

#define GRAPHICS_DRAWS(DRAW)                                                                                           \
    DRAW(CmdDraw)                                                                                                      \
    DRAW(CmdDrawIndexed)                                                                                               \
    DRAW(CmdDrawIndirect)                                                                                              \
    DRAW(CmdDrawIndexedIndirect)                                                                                       \
    DRAW(CmdDrawIndirectCount)                                                                                         \
    DRAW(CmdDrawIndexedIndirectCount)                                                                                  \
    DRAW(CmdDrawIndirectByteCountEXT)                                                                                  \
    DRAW(CmdDrawIndirect2KHR)                                                                                          \
    DRAW(CmdDrawIndexedIndirect2KHR)                                                                                   \
    DRAW(CmdDrawIndirectCount2KHR)                                                                                     \
    DRAW(CmdDrawIndexedIndirectCount2KHR)                                                                              \
    DRAW(CmdDrawIndirectByteCount2EXT)                                                                                 \
    DRAW(CmdDrawMultiEXT)                                                                                              \
    DRAW(CmdDrawMultiIndexedEXT)                                                                                       \
    DRAW(CmdDrawMeshTasksNV)                                                                                           \
    DRAW(CmdDrawMeshTasksIndirectNV)                                                                                   \
    DRAW(CmdDrawMeshTasksIndirectCountNV)                                                                              \
    DRAW(CmdDrawMeshTasksEXT)                                                                                          \
    DRAW(CmdDrawMeshTasksIndirectEXT)                                                                                  \
    DRAW(CmdDrawMeshTasksIndirectCountEXT)                                                                             \
    DRAW(CmdDrawMeshTasksIndirect2EXT)                                                                                 \
    DRAW(CmdDrawMeshTasksIndirectCount2EXT)                                                                            \
    DRAW(CmdDrawClusterHUAWEI)                                                                                         \
    DRAW(CmdDrawClusterIndirectHUAWEI)

#define COMPUTE_DRAWS(DRAW)                                                                                            \
    DRAW(CmdDispatch)                                                                                                  \
    DRAW(CmdDispatchIndirect)                                                                                          \
    DRAW(CmdDispatchTileQCOM)                                                                                          \
    DRAW(CmdDispatchIndirect2KHR)                                                                                      \
    DRAW(CmdDispatchBase)

#define SUBPASS_SHADING_DRAWS(DRAW) DRAW(CmdSubpassShadingHUAWEI)

#define RAY_TRACING_DRAWS(DRAW)                                                                                        \
    DRAW(CmdTraceRaysKHR)                                                                                              \
    DRAW(CmdTraceRaysIndirectKHR)                                                                                      \
    DRAW(CmdTraceRaysIndirect2KHR)                                                                                     \
    DRAW(CmdTraceRaysNV)

#endif
