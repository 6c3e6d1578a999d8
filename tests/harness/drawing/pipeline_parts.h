/* SPDX-License-Identifier: MIT */
/* Pipelines in parts, as VK_EXT_graphics_pipeline_library has them: each part in any create-info. */
#ifndef CLAMPLER_HARNESS_PIPELINE_PARTS_H
#define CLAMPLER_HARNESS_PIPELINE_PARTS_H

#include "harness/drawing/blending.h"

enum {
    PIPELINE_ALL_PARTS = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
                         VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
                         VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
                         VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT,
};

/* What the pipeline is for: one attachment of a format, over all of which three vertices draw. */
struct pipeline_parts {
    struct harness_vulkan *vk;
    const struct blending_pass *pass;
    VkFormat format;
    VkPipelineLayout layout;
    const VkPipelineColorBlendAttachmentState *state;
    VkShaderModule modules[2]; /* of vertices and of fragments */
};

/*
 * One create-info that brings these parts (VkGraphicsPipelineLibraryFlagBitsEXT), linked with `count` libraries; a
 * library itself if `library`.
 */
VkPipeline pipeline_of_parts(const struct pipeline_parts *of, VkFlags brings, bool library, bool optimized,
                             const VkPipeline *libraries, uint32_t count);

#endif
