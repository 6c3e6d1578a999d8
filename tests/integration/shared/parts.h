/* SPDX-License-Identifier: MIT */
/*
 * The parts of a graphics pipeline for the scene's target, for tests that change them before the pipeline is created.
 */
#ifndef CLAMPLER_INTEGRATION_PARTS_H
#define CLAMPLER_INTEGRATION_PARTS_H

#include "integration/shared/scene.h"

enum { PARTS_STAGES = 5, PARTS_DYNAMIC = 16 };

/* Everything points within the structure: it must not be copied. */
struct parts {
    VkPipelineShaderStageCreateInfo stages[PARTS_STAGES]; /* [0] vertex, [1] fragment, then whatever was added */
    VkPipelineVertexInputStateCreateInfo input;
    VkPipelineInputAssemblyStateCreateInfo assembly;
    VkViewport viewport;
    VkRect2D scissor;
    VkPipelineViewportStateCreateInfo viewports;
    VkPipelineRasterizationStateCreateInfo raster;
    VkPipelineMultisampleStateCreateInfo samples;
    VkPipelineColorBlendAttachmentState attachment;
    VkPipelineColorBlendStateCreateInfo blend;
    VkDynamicState dynamic[PARTS_DYNAMIC];
    VkPipelineDynamicStateCreateInfo dynamic_state;
    VkGraphicsPipelineCreateInfo info;
};

/* A triangle over the whole target and the given fragment shader; the modules belong to the parts. */
void parts_open(struct scene *scene, struct parts *parts, struct harness_spirv fragment, VkPipelineLayout layout);
/* Destroys the modules that are left (VK_NULL_HANDLE: gone already). */
void parts_close(struct scene *scene, struct parts *parts);

/* One more stage with a module of its own. */
void parts_add_stage(struct scene *scene, struct parts *parts, VkShaderStageFlagBits stage, struct harness_spirv code);
void parts_add_dynamic(struct parts *parts, VkDynamicState state);

/* Replaces the vertex shader. */
void parts_set_vertex(struct scene *scene, struct parts *parts, struct harness_spirv code);

VkPipeline parts_create(struct scene *scene, const struct parts *parts);

#endif
