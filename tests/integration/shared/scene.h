/* SPDX-License-Identifier: MIT */
/*
 * The scene of the integration tests: two textures of four texels in a row, samplers that need tier 0, 1 and 2, and a
 * target of one pixel per lookup, eight columns (coordinates) by six rows (lookups of the shader).
 *
 * A test binds what it is about, draws, and says which sampler and texture each row must show and which tier must have
 * drawn it. Expected values come from a formula of their own (shared semantics of OpenGL's wrap modes, section 8.14.2
 * of OpenGL 4.6 compatibility), not from the layer.
 *
 * One scene belongs to one thread. Failures end the running cmocka test.
 */
#ifndef CLAMPLER_INTEGRATION_SCENE_H
#define CLAMPLER_INTEGRATION_SCENE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/drawing/pipeline.h"

enum { SCENE_COLUMNS = 8, SCENE_ROWS = 6 };

enum scene_sampler {
    SCENE_EDGE,     /* Vulkan's CLAMP_TO_EDGE, linear: tier 0 */
    SCENE_BORDER,   /* Vulkan's CLAMP_TO_BORDER, white, linear: tier 0 */
    SCENE_GL_EDGE,  /* GL structure with GL_CLAMP_TO_EDGE, linear: tier 0 */
    SCENE_CLAMP,    /* GL structure with GL_CLAMP, linear, white: tier 1 */
    SCENE_MIRROR,   /* GL structure with GL_MIRROR_CLAMP_EXT, linear, white: tier 1 */
    SCENE_MIXED,    /* GL structure with GL_CLAMP, linear when minified, nearest when magnified: tier 2 */
    SCENE_SAMPLERS, /* how many */
    SCENE_NOTHING,  /* for scene_expect_row: the pixels are zero */
    SCENE_MAGNIFIED /* for scene_expect_row: SCENE_MIXED where it is nearest, as in lookups that name level 0 */
};

enum scene_texture { SCENE_RAMP, SCENE_STEPS, SCENE_TEXTURES };

struct scene {
    struct harness_vulkan vk;
    struct harness_target target;
    struct harness_image textures[SCENE_TEXTURES];
    VkSampler samplers[SCENE_SAMPLERS];

    /* Of the last draw: */
    float pixels[SCENE_ROWS][SCENE_COLUMNS][4];
    uint64_t drew[3];      /* draws and dispatches by tier */
    uint64_t pipelines[3]; /* driver pipelines created, by tier */
    struct clampler_counters before;
};

/*
 * Opens a device and makes the scene. `params` may be NULL; gl_sampler is always enabled, and layers are those of the
 * environment's CLAMPLER_TEST_LAYERS, else "clampler:validation", unless given.
 */
void scene_open(struct scene *scene, const struct harness_vulkan_params *params);

/*
 * The two steps of scene_open: the device, and what is made once the device in scene->vk is open. Without gl_samplers
 * those of Vulkan alone: for devices without the extension, and for tests that add the others later.
 */
void scene_open_device(struct scene *scene, const struct harness_vulkan_params *params);
void scene_make(struct scene *scene, bool gl_samplers);
void scene_add_sampler(struct scene *scene, enum scene_sampler sampler);

/* scene_open for an unmodified program, which the layer follows all the same (force_active): Vulkan's samplers alone.
 */
void scene_open_unmodified(struct scene *scene, const struct harness_vulkan_params *params);

/* scene_open with the environment's VK_CLAMPLER_<key> set to `value` while the instance is created. */
void scene_open_with_setting(struct scene *scene, const char *key, const char *value,
                             const struct harness_vulkan_params *params);

/* Destroys it and fails if validation said anything since scene_open. */
void scene_close(struct scene *scene);

/* Like scene_close, for tests that have closed the device themselves or want to look in between. */
void scene_expect_no_messages(const char *file, int line);

/*
 * The running test is skipped, with the reason, where programs under these layers do not get pipelines and sets of
 * these kinds, or one of the device extensions (`count`, up to a NULL).
 */
void scene_skip_lacking(const char *layers, enum harness_linking linking, enum harness_sets sets,
                        const char *const *extensions, uint32_t count);

/* The running test is skipped, with the reason, where the driver lacks the device extension. */
void scene_skip_without(const char *extension);

/* The create-infos of the samplers: `gl` is used, and chained, by those that have the GL structure. */
VkSamplerCreateInfo scene_sampler_info(enum scene_sampler sampler, VkSamplerGLStateCreateInfoCLAMPLER *gl);

/* The sampler's wrap mode applied to the texture at the coordinate of a column; linear filtering. */
float scene_expected(enum scene_sampler sampler, enum scene_texture texture, unsigned column);

/* Remembers the counters: what scene_end and scene_take report counts from here. scene_begin calls it. */
void scene_mark(struct scene *scene);
/* scene->drew and scene->pipelines from the last scene_mark. */
void scene_take(struct scene *scene);

/* A command buffer within the target's pass; scene_end ends both, submits and reads the pixels. */
VkCommandBuffer scene_begin(struct scene *scene);
void scene_end(struct scene *scene, VkCommandBuffer commands);

/*
 * The same with secondary command buffers: the pass has them as its contents, and scene_secondary gives one that has
 * begun within it. The caller ends it, executes it, and frees it with vkFreeCommandBuffers (vk.pool).
 */
VkCommandBuffer scene_begin_for_secondaries(struct scene *scene);
VkCommandBuffer scene_secondary(struct scene *scene, VkCommandBufferUsageFlags usage);

/* Binds and draws: all of the above in one. `set_count` may be 0. */
void scene_draw(struct scene *scene, VkPipeline pipeline, VkPipelineLayout layout, uint32_t set_count,
                const VkDescriptorSet *sets);

/* The same by one work group, which writes the buffer; what it wrote becomes the scene's pixels. */
void scene_dispatch(struct scene *scene, VkPipeline pipeline, VkPipelineLayout layout, VkDescriptorSet set,
                    const struct harness_buffer *pixels);

/* Writes one combined image sampler, sampled image or sampler. */
void scene_write(struct scene *scene, VkDescriptorSet set, uint32_t binding, uint32_t element, VkDescriptorType type,
                 enum scene_sampler sampler, enum scene_texture texture);
VkDescriptorImageInfo scene_info(const struct scene *scene, enum scene_sampler sampler, enum scene_texture texture);

/* ---- A pipeline with its layouts: what most tests need ---- */

struct scene_program {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
};

void scene_program_create(struct scene *scene, struct scene_program *program, struct harness_spirv fragment,
                          const VkDescriptorSetLayoutBinding *bindings, uint32_t binding_count,
                          VkDescriptorSetLayoutCreateFlags flags, const void *layout_next);
void scene_program_destroy(struct scene *scene, struct scene_program *program);

/* A binding that the fragment stage sees. */
#define SCENE_BINDING(number, kind, descriptors)                                                                       \
    {                                                                                                                  \
        .binding = (number), .descriptorType = VK_DESCRIPTOR_TYPE_##kind, .descriptorCount = (descriptors),            \
        .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT                                                                     \
    }

#define SCENE_COMBINED VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER

/* ---- What must hold ---- */

/* The row shows texture through sampler. */
#define scene_expect_row(scene, row, sampler, texture)                                                                 \
    scene_expect_row_at((scene), (row), (sampler), (texture), __FILE__, __LINE__)
void scene_expect_row_at(const struct scene *scene, unsigned row, enum scene_sampler sampler,
                         enum scene_texture texture, const char *file, int line);

/* All draws since scene_mark were of that tier, and there was at least one. */
#define scene_expect_tier(scene, tier) scene_expect_tier_at((scene), (tier), __FILE__, __LINE__)
void scene_expect_tier_at(const struct scene *scene, unsigned tier, const char *file, int line);

/* The same of tier 0, and since the device was made no code was rewritten. */
#define scene_expect_own_code(scene) scene_expect_own_code_at((scene), __FILE__, __LINE__)
void scene_expect_own_code_at(const struct scene *scene, const char *file, int line);

/*
 * Writes binding 0 with the sampler and texture SCENE_STEPS, draws, and expects all rows to show that, in the tier.
 */
#define scene_expect_drawn(scene, pipeline, layout, set, sampler, tier)                                                \
    scene_expect_drawn_at((scene), (pipeline), (layout), (set), (sampler), (tier), __FILE__, __LINE__)
void scene_expect_drawn_at(struct scene *scene, VkPipeline pipeline, VkPipelineLayout layout, VkDescriptorSet set,
                           enum scene_sampler sampler, unsigned tier, const char *file, int line);

#define scene_expect_silence() scene_expect_no_messages(__FILE__, __LINE__)

#endif
