/* SPDX-License-Identifier: MIT */
/* The two that draw cases of channel orders: OpenGL, and Vulkan under the layer. */
#ifndef CLAMPLER_DIFFERENTIAL_ORDER_VOICES_H
#define CLAMPLER_DIFFERENTIAL_ORDER_VOICES_H

#include "differential/order_case.h"
#include "harness/drawing/blending.h"
#include "harness/drawing/shader_objects.h"
#include "harness/opengl/gl.h"

/* ---- OpenGL (order_gl.c) ---- */

struct order_gl {
    struct harness_gl gl;
    GLuint plain, dual, integer, lookup, lookup_integer; /* programs */
    struct harness_gl_target looked;
    struct {
        GLuint texture, framebuffer;
        bool complete; /* this OpenGL renders to the format */
    } targets[ORDER_KINDS];
};

/* What OpenGL has in an attachment: by glReadPixels, and by lookups. */
struct order_gl_drawn {
    float read[ORDER_PIXELS][4], looked[ORDER_PIXELS][4];
};

bool order_gl_open(struct order_gl *gl, char *why, size_t why_size);
/* Each attachment is drawn by itself. False: this OpenGL does not render to the format. */
bool order_gl_draw(struct order_gl *gl, const struct order_case *one, uint32_t attachment,
                   struct order_gl_drawn *drawn);

/* ---- Vulkan (order_vulkan.c) ---- */

struct order_ways {
    enum blending_style style;
    enum harness_linking linking;
    bool dynamic; /* parts of blend state, another choice in each case */
    VkSampleCountFlagBits samples;
};

struct order_target {
    bool drawable;    /* the driver renders to the format, in that many samples */
    bool every_blend; /* the layer has every equation for it (VK_GL_FORMAT_FEATURE_CHANNEL_ORDER_BLEND_BIT_CLAMPLER) */
    struct harness_image image, resolved; /* the second: with more than one sample */
    struct harness_buffer upload;
    VkDescriptorSet set; /* of what is looked up */
};

struct order_vulkan {
    struct harness_vulkan vk;
    struct order_ways ways;
    VkPipelineLayout layout, lookup_layout;
    VkDescriptorSetLayout set_layout;
    VkSampler sampler;
    struct harness_target looked;
    VkPipeline lookups[2]; /* of numbers, of integers */
    struct harness_buffer readback;
    struct order_target targets[ORDER_KINDS];
    struct blending_pass load, clear; /* of the kinds of the last draw */
    uint32_t count;                   /* of those; 0: none */
    enum order_kind kinds[ORDER_ATTACHMENTS];
};

/* What an attachment holds before the draw and after it, and what lookups show then. */
struct order_drawn {
    struct order_pixels before, after;
    float looked[ORDER_PIXELS][4];
};

struct order_vulkan_drawn {
    VkResult result; /* of vkEndCommandBuffer; anything but VK_SUCCESS: nothing was drawn */
    struct order_drawn attachments[ORDER_ATTACHMENTS];
};

void order_vulkan_open(struct order_vulkan *vulkan, const char *layers, const struct order_ways *ways);
void order_vulkan_close(struct order_vulkan *vulkan);

/* What the driver lacks for a case, or NULL; a static string. */
const char *order_vulkan_lacks(const struct order_vulkan *vulkan, const struct order_case *one);

/* `turn`: which parts of blend state are dynamic, if any are. */
void order_vulkan_draw(struct order_vulkan *vulkan, const struct order_case *one, uint32_t turn,
                       struct order_vulkan_drawn *drawn);

#endif
