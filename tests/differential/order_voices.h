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
    GLuint sources[2][2], duals[2][2];      /* programs: of draws beyond 0 and 1, with alphaToOneEnable */
    GLuint integer, lookups[2], sampled[2]; /* the last two: of numbers, of integers */
    GLuint samplers[ORDER_BORDERS][ORDER_LOOKUPS];
    struct harness_gl_target looked;
    struct {
        GLuint texture, framebuffer;
        bool complete; /* this OpenGL renders to the format */
    } targets[ORDER_KINDS];
};

/* What OpenGL has in an attachment: by glReadPixels, by fetches, and by lookups. */
struct order_gl_drawn {
    float read[ORDER_PIXELS][4], looked[ORDER_PIXELS][4], sampled[ORDER_PIXELS][4];
};

bool order_gl_open(struct order_gl *gl, char *why, size_t why_size);
/*
 * Each attachment is drawn by itself; `lookup`: how it is sampled. False: this OpenGL does not render to the format, or
 * has no factor like the draw's.
 */
bool order_gl_draw(struct order_gl *gl, const struct order_case *one, uint32_t attachment, uint32_t lookup,
                   struct order_gl_drawn *drawn);

/* ---- Vulkan (order_vulkan.c) ---- */

struct order_ways {
    enum blending_style style;
    enum harness_linking linking;
    bool full;        /* every lookup of every kind */
    bool dynamic;     /* parts of blend state, another choice in each case */
    bool all_dynamic; /* all parts, in each case */
    bool secondary;   /* draws are in secondary command buffers */
    bool one;         /* alphaToOneEnable */
    VkSampleCountFlagBits samples;
    bool resolve_image; /* samples are resolved by vkCmdResolveImage */
};

struct order_target {
    bool drawable;    /* the driver renders to the format, in that many samples */
    bool every_blend; /* the layer has every equation for it (VK_GL_FORMAT_FEATURE_CHANNEL_ORDER_BLEND_BIT_CLAMPLER) */
    struct harness_image image, resolved; /* the second: with more than one sample */
    struct harness_buffer upload;
    VkDescriptorSet set; /* of what is looked up */
};

/* What draws: a pipeline, or shader objects; and all that it was made from. */
struct order_drawer {
    VkPipeline pipeline;
    struct harness_objects objects;
    uint32_t parts; /* of blend state that are dynamic */
    struct order_drawer_key {
        const void *fragment;
        uint32_t count, logic, logic_op, parts;
        VkFormat formats[ORDER_ATTACHMENTS];
        VkPipelineColorBlendAttachmentState states[ORDER_ATTACHMENTS];
        float constants[4];
    } key;
};
enum { ORDER_DRAWERS = 64 };

struct order_vulkan {
    struct harness_vulkan vk;
    struct order_ways ways;
    VkPipelineLayout layout, lookup_layout;
    VkDescriptorSetLayout set_layout;
    VkSampler sampler, samplers[ORDER_BORDERS][ORDER_LOOKUPS];
    VkDescriptorSet sampled_sets[ORDER_ATTACHMENTS]; /* written in each case */
    struct harness_target looked;
    VkPipeline lookups[2], sampled[2];          /* of numbers, of integers */
    struct order_drawer drawers[ORDER_DRAWERS]; /* of earlier cases, too */
    uint32_t next_drawer;                       /* that makes room */
    VkCommandBuffer secondaries[2];             /* of the case */
    VkResult secondary_result;                  /* of vkEndCommandBuffer of those */
    struct harness_buffer readback;
    struct order_target targets[ORDER_KINDS];
    struct blending_pass load, clear; /* of the kinds of the last draw */
    uint32_t count;                   /* of those; 0: none */
    enum order_kind kinds[ORDER_ATTACHMENTS];
};

/* What an attachment holds before the draw and after it, and what fetches and lookups show then. */
struct order_drawn {
    struct order_pixels before, after;
    float looked[ORDER_PIXELS][4], sampled[ORDER_PIXELS][4];
};

struct order_vulkan_drawn {
    VkResult result;  /* of vkEndCommandBuffer; anything but VK_SUCCESS: nothing was drawn */
    uint64_t ordered; /* draws for which the layer had state or a shader of its own */
    struct order_drawn attachments[ORDER_ATTACHMENTS];
};

void order_vulkan_open(struct order_vulkan *vulkan, const char *layers, const struct order_ways *ways);
void order_vulkan_close(struct order_vulkan *vulkan);

/* What the driver lacks for a case, or NULL; a static string. */
const char *order_vulkan_lacks(const struct order_vulkan *vulkan, const struct order_case *one);

/* `turn`: which parts of blend state are dynamic, if any are, what secondaries inherit, and how the views are sampled.
 */
void order_vulkan_draw(struct order_vulkan *vulkan, const struct order_case *one, uint32_t turn,
                       struct order_vulkan_drawn *drawn);

#endif
