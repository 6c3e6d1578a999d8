/* SPDX-License-Identifier: MIT */
/*
 * Passes over one or more colour attachments in every way that Vulkan has, and pipelines with any blend state: what
 * tests of attachments without alpha draw with. Images stay in VK_IMAGE_LAYOUT_GENERAL. Every function ends the process
 * on failure (see vulkan.h).
 */
#ifndef CLAMPLER_HARNESS_BLENDING_H
#define CLAMPLER_HARNESS_BLENDING_H

#include "harness/drawing/pipeline.h"

enum { BLENDING_ATTACHMENTS = 4 };

enum blending_style {
    BLENDING_PASS,      /* VkRenderPass and VkFramebuffer */
    BLENDING_PASS2,     /* the same through the commands of Vulkan 1.2 */
    BLENDING_IMAGELESS, /* a framebuffer without views */
    BLENDING_DYNAMIC,   /* dynamic rendering */
    BLENDING_STYLES,
};

/* What a colour attachment is. */
struct blending_image_params {
    VkFormat format;
    uint32_t width, height;
    uint32_t layers;             /* 0: 1; more: an array view */
    uint32_t base_format;        /* of the view's GL structure, GL's number; 0: no such structure */
    VkComponentMapping channels; /* of the view's order; all IDENTITY: no such structure */
    VkImageUsageFlags usage;     /* beyond colour attachment, copies and sampling */
    VkImageCreateFlags flags;
    VkSampleCountFlagBits samples; /* 0: 1; more: no texels */
};

/* With `texels` uploaded (NULL: undefined), in GENERAL. */
void blending_image_create(struct harness_vulkan *vk, struct harness_image *image,
                           const struct blending_image_params *params, const void *texels);

/* A second view of the image: like its own but for the base format, and the order of channels where one is given. */
VkImageView blending_view(struct harness_vulkan *vk, const struct harness_image *image, uint32_t base_format);
VkImageView blending_view_in_order(struct harness_vulkan *vk, const struct harness_image *image, uint32_t base_format,
                                   VkComponentMapping channels);

/* Pixels of layer 0, tightly packed. */
void blending_image_read(struct harness_vulkan *vk, const struct harness_image *image, void *pixels);

struct blending_pass_params {
    enum blending_style style;
    uint32_t count;
    VkImageView views[BLENDING_ATTACHMENTS]; /* VK_NULL_HANDLE: unused */
    VkFormat formats[BLENDING_ATTACHMENTS];
    uint32_t width, height;
    VkAttachmentLoadOp load;
    uint32_t view_mask;                         /* multiview; 0: none */
    VkSampleCountFlagBits samples;              /* 0: 1 */
    VkImageView resolves[BLENDING_ATTACHMENTS]; /* of all or of none, not in BLENDING_IMAGELESS */
    VkImageUsageFlags image_usage;              /* imageless: of the images */
    uint32_t image_layers;                      /* imageless: of the views; 0: 1 */
};

struct blending_pass {
    struct blending_pass_params params;
    VkRenderPass pass;
    VkFramebuffer framebuffer;
};

void blending_pass_create(struct harness_vulkan *vk, struct blending_pass *pass,
                          const struct blending_pass_params *params);
void blending_pass_destroy(struct harness_vulkan *vk, struct blending_pass *pass);

/* `clears`: one colour an attachment; may be NULL where the load op is not CLEAR. */
void blending_pass_begin(const struct blending_pass *pass, VkCommandBuffer commands, const VkClearColorValue *clears,
                         VkSubpassContents contents);
void blending_pass_end(const struct blending_pass *pass, VkCommandBuffer commands);

struct blending_pipeline_params {
    struct harness_spirv vertex; /* zero: a triangle that covers everything */
    struct harness_spirv fragment;
    VkPipelineLayout layout;
    VkPipelineColorBlendAttachmentState states[BLENDING_ATTACHMENTS];
    float constants[4];
    bool logic;
    VkLogicOp logic_op;
    bool alpha_to_coverage;
    bool alpha_to_one; /* alphaToOneEnable */
    const VkDynamicState *dynamic;
    uint32_t dynamic_count;
    bool uncounted; /* attachmentCount is 0: Vulkan ignores it where equations, enables and write masks are dynamic */
    VkPipelineCreateFlags flags;
    uint32_t subpass;
    const void *next;       /* chained to the create-info; dynamic rendering only */
    const void *blend_next; /* chained to the blend state */
};

/*
 * Draws a triangle over everything with 3 vertices. Whole, or linked from four libraries, as the device was opened for
 * (harness_vulkan_params::linking); then to be destroyed by harness_graphics_pipeline_destroy.
 */
VkPipeline blending_pipeline(struct harness_vulkan *vk, const struct blending_pass *pass,
                             const struct blending_pipeline_params *params);

/* One pass with one draw, submitted and waited for. */
void blending_draw(struct harness_vulkan *vk, const struct blending_pass *pass, const VkClearColorValue *clears,
                   VkPipeline pipeline);

#endif
