/* SPDX-License-Identifier: MIT */
/* The two that draw cases of blending: OpenGL, and Vulkan under the layer. */
#ifndef CLAMPLER_DIFFERENTIAL_BLEND_VOICES_H
#define CLAMPLER_DIFFERENTIAL_BLEND_VOICES_H

#include "differential/blend_case.h"
#include "harness/drawing/blending.h"
#include "harness/opengl/gl.h"

/* Bytes of the largest target: 8 a pixel. */
struct blend_pixels {
    uint64_t data[BLEND_PIXELS];
};

/* ---- OpenGL (blend_gl.c) ---- */

struct blend_gl {
    struct harness_gl gl;
    GLuint plain, dual, integer, special; /* programs */
    struct {
        GLuint texture, framebuffer;
        bool complete;            /* this OpenGL renders to the format */
    } targets[BLEND_FAMILIES][2]; /* with alpha: [1] */
};

bool blend_gl_open(struct blend_gl *gl, char *why, size_t why_size);
/* False: this OpenGL does not render to the format. */
bool blend_gl_draw(struct blend_gl *gl, const struct blend_case *one, struct blend_pixels *pixels);

/* ---- Vulkan (blend_vulkan.c) ---- */

struct blend_vulkan {
    struct harness_vulkan vk;
    VkPipelineLayout layout;
    struct harness_buffer upload[BLEND_FAMILIES], readback;
    struct {
        struct harness_image image;
        struct blending_pass load, clear;
        VkPipeline replace; /* draws without blending */
    } targets[BLEND_FAMILIES][2];
    bool drawable[BLEND_FAMILIES];
};

/* `layers` NULL: the driver alone, where no view says that it has no alpha. */
void blend_vulkan_open(struct blend_vulkan *vulkan, const char *layers);
void blend_vulkan_close(struct blend_vulkan *vulkan);

/* What the driver lacks for a draw, or NULL; a static string. */
const char *blend_vulkan_lacks(const struct blend_vulkan *vulkan, const struct blend_draw *draw);

/* The pipeline of a draw, made for the target without alpha and used for both. */
VkPipeline blend_vulkan_pipeline(struct blend_vulkan *vulkan, const struct blend_draw *draw);
/* `before`: memory when the draw of the case began. */
void blend_vulkan_draw(struct blend_vulkan *vulkan, const struct blend_case *one, VkPipeline pipeline,
                       struct blend_pixels *before, struct blend_pixels *after);

/*
 * The case by the driver alone (opened without layers): memory as it was before the layer's draw, but for alpha, which
 * is 1 and not written where the attachment has none.
 */
void blend_vulkan_control(struct blend_vulkan *native, const struct blend_case *one, const struct blend_pixels *before,
                          struct blend_pixels *after);

#endif
