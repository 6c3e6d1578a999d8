/* SPDX-License-Identifier: MIT */
/*
 * What tests of attachments without alpha share: a device, targets whose colours and alpha are noise, and the result
 * that the driver's own blending gives where alpha is 1 in memory and not written.
 */
#ifndef CLAMPLER_INTEGRATION_ALPHA_SCENE_H
#define CLAMPLER_INTEGRATION_ALPHA_SCENE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gl/gl_tokens.h"
#include "harness/drawing/blending.h"

enum {
    ALPHA_SIZE = 16,
    ALPHA_PIXELS = ALPHA_SIZE * ALPHA_SIZE,
    GL_RED_BASE = TOKEN_RED,
    GL_ALPHA_BASE = TOKEN_ALPHA,
    GL_RGB_BASE = TOKEN_RGB,
    GL_RGBA_BASE = TOKEN_RGBA,
};

#define ALPHA_RGB (VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT)
#define ALPHA_RGBA (ALPHA_RGB | VK_COLOR_COMPONENT_A_BIT)
#define ALPHA_FORMAT VK_FORMAT_R8G8B8A8_UNORM

typedef uint8_t alpha_pixels[ALPHA_PIXELS][4];

/* Colours: DST_ALPHA and ONE_MINUS_DST_ALPHA; alpha is written. */
extern const VkPipelineColorBlendAttachmentState alpha_reads_alpha;
/* SRC_ALPHA_SATURATE and DST_COLOR. */
extern const VkPipelineColorBlendAttachmentState alpha_saturates;
/* No blending. */
extern const VkPipelineColorBlendAttachmentState alpha_replaces;

struct alpha_scene {
    struct harness_vulkan vk;
    VkPipelineLayout layout;
    bool dynamic; /* the driver has dynamic blend state, so that one variant serves all masks */
};

/* With the layers of CLAMPLER_TEST_LAYERS, else "clampler:validation", unless given. */
void alpha_open_with(struct alpha_scene *scene, struct harness_vulkan_params params);
/* With the features alphaToOneAttachments and what the tests draw with. */
void alpha_open(struct alpha_scene *scene);
/* The same with dynamic blend state for the tests, where the driver has it (scene->dynamic). */
void alpha_open_dynamic(struct alpha_scene *scene);
/*
 * A device with dynamic rendering, one extension and its feature; the running test is skipped where the driver lacks
 * it. `since`: a version of Vulkan that has the extension, which an older validation layer does not know: the device
 * goes without, and a test that wants it above the layer is skipped.
 */
void alpha_open_extension(struct alpha_scene *scene, const char *extension, uint32_t since, void *feature);
/* Fails if validation said anything. */
void alpha_close(struct alpha_scene *scene);

/* Whether shaders shall write the alpha of floats and integers: unless the setting says that it is masked. */
bool alpha_is_written(void);

/* The noise. */
void alpha_noise(alpha_pixels texels, bool ones);

/* A target with noise; in alpha as well, or 1 there. base_format 0: a view without GL state. */
void alpha_target(struct alpha_scene *scene, struct harness_image *image, uint32_t base_format, bool ones);

struct blending_pass_params alpha_pass(enum blending_style style, VkImageView view, VkAttachmentLoadOp load);
VkPipeline alpha_pipeline(struct alpha_scene *scene, const struct blending_pass *pass,
                          const VkPipelineColorBlendAttachmentState *state);

/* A target with noise, as alpha_target makes it, and a pass over it. */
void alpha_attach(struct alpha_scene *scene, struct harness_image *image, struct blending_pass *pass,
                  enum blending_style style, uint32_t base_format, bool ones, VkAttachmentLoadOp load);
void alpha_detach(struct alpha_scene *scene, struct harness_image *image, struct blending_pass *pass);

/* One draw to a new target with noise; what it holds then. */
void alpha_drawn(struct alpha_scene *scene, uint32_t base_format, bool ones,
                 const VkPipelineColorBlendAttachmentState *state, alpha_pixels pixels);

/* What the driver blends where alpha is 1 in memory and not written. */
void alpha_native(struct alpha_scene *scene, const VkPipelineColorBlendAttachmentState *state, alpha_pixels pixels);

#define alpha_expect_colors(found, expected) alpha_expect_colors_at((found), (expected), __FILE__, __LINE__)
void alpha_expect_colors_at(alpha_pixels found, alpha_pixels expected, const char *file, int line);
#define alpha_expect_alpha(found, alpha) alpha_expect_alpha_at((found), (alpha), __FILE__, __LINE__)
void alpha_expect_alpha_at(alpha_pixels found, uint8_t alpha, const char *file, int line);

#endif
