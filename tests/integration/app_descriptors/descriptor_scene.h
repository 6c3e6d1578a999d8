/* SPDX-License-Identifier: MIT */
/*
 * The scene of tests with descriptor buffers: scene.h's textures, samplers and target, whose descriptors are bytes in
 * buffers. Draws have the tier of the device's mark, so the samplers that ask for more come one after the other
 * (descriptor_scene_raise).
 *
 * With CLAMPLER_TEST_LAYERS=none the same tests draw with the driver alone and its own samplers: then the tests, and
 * the driver, are right without the layer. CLAMPLER_TEST_LEAST_TIER is the tier of all draws where what the environment
 * says of the driver asks for more than samplers do.
 */
#ifndef CLAMPLER_INTEGRATION_DESCRIPTOR_SCENE_H
#define CLAMPLER_INTEGRATION_DESCRIPTOR_SCENE_H

#include "harness/resources/descriptor_buffer.h"
#include "harness/drawing/shader_objects.h"
#include "integration/shared/scene.h"

enum { DESCRIPTOR_SCENE_SETS = 4, DESCRIPTOR_SCENE_BYTES = 1 << 17 };

struct descriptor_scene {
    struct scene scene;
    struct harness_descriptors descriptors;
    struct harness_descriptor_buffer buffer; /* filled with ones where nothing was written */
    bool native;                             /* without the layer: only EDGE and BORDER are there, nothing is counted */
    unsigned least;                          /* the tier of the environment */
    unsigned tier;                           /* of draws from here on */
};

/* What to open beside descriptor buffers, addresses, synchronization2 and descriptor indexing. */
struct descriptor_scene_params {
    const char *extensions[4]; /* NULL behind the last */
    const void *next;          /* their features */
    enum harness_linking linking;
    bool alone;                     /* without the validation layer */
    bool unmodified;                /* the program knows nothing of the layer, which a setting makes active */
    const char *missing, *fallback; /* settings assume_missing and linear_fallback; NULL: those of the environment */
};

/* The running test is skipped where the driver lacks something. `params` may be NULL. */
void descriptor_scene_open(struct descriptor_scene *f, const struct descriptor_scene_params *params);
/*
 * The same for programs with a set layout of one binding, number 0, whose descriptors are images or samplers, as
 * Direct3D 12's may have it. The layout is the program's. Skipped as well where the driver has no such bindings.
 */
VkDescriptorSetLayout descriptor_scene_open_mutable(struct descriptor_scene *f, uint32_t descriptors);
/* The elements of that binding are so many bytes apart. */
size_t descriptor_scene_mutable_stride(const struct descriptor_scene *f);
void descriptor_scene_close(struct descriptor_scene *f);

/* Sizes of descriptors as the driver alone shows them. */
VkPhysicalDeviceDescriptorBufferPropertiesEXT descriptor_scene_driver(void);

/* The greatest tier that descriptor_scene_raise can reach: 0 without the layer. */
unsigned descriptor_scene_tiers(const struct descriptor_scene *f);

/* Makes the samplers of that tier; all draws are of it from here on. */
void descriptor_scene_raise(struct descriptor_scene *f, unsigned tier);

/* Six samplers that together ask for that tier, one a row; textures go by turns. */
const enum scene_sampler *descriptor_scene_rows(unsigned tier);
enum scene_texture descriptor_scene_texture(unsigned row);

/* ---- Programs ---- */

struct descriptor_program {
    VkDescriptorSetLayout sets[DESCRIPTOR_SCENE_SETS];
    uint32_t set_count;
    VkPipelineLayout layout;
    VkPipelineBindPoint point;
    VkPipeline pipeline;
    struct harness_objects *objects; /* in the place of the pipeline where scene.vk.linking says so */
};

/* The program owns the set layouts. `stage`: fragment or compute. */
void descriptor_program_create(struct descriptor_scene *f, struct descriptor_program *program,
                               VkShaderStageFlagBits stage, struct harness_spirv code,
                               const VkDescriptorSetLayout *sets, uint32_t set_count, uint32_t push_bytes);
/* The same for fragment shaders, to be drawn row by row: descriptor_scene_draw_row. */
void descriptor_program_create_rows(struct descriptor_scene *f, struct descriptor_program *program,
                                    struct harness_spirv code, const VkDescriptorSetLayout *sets, uint32_t set_count,
                                    uint32_t push_bytes);
/* A fragment shader and one set of these bindings, without push constants. */
void descriptor_program_of(struct descriptor_scene *f, struct descriptor_program *program, struct harness_spirv code,
                           const VkDescriptorSetLayoutBinding *bindings, uint32_t count);
void descriptor_program_destroy(struct descriptor_scene *f, struct descriptor_program *program);

/* ---- Descriptors ---- */

/* A set of the program's layout `number` in the scene's buffer. */
struct harness_descriptor_set descriptor_scene_set(struct descriptor_scene *f, const struct descriptor_program *program,
                                                   uint32_t number);

/* Writes a combined image sampler, a sampled image or a sampler. */
void descriptor_scene_write(struct descriptor_scene *f, const struct harness_descriptor_set *set, uint32_t binding,
                            uint32_t element, VkDescriptorType type, enum scene_sampler sampler,
                            enum scene_texture texture);

/* ---- Drawing ---- */

/* A command buffer in the target's pass (or rendering, with shader objects), with the scene's buffer bound. */
VkCommandBuffer descriptor_scene_begin(struct descriptor_scene *f);
void descriptor_scene_end(struct descriptor_scene *f, VkCommandBuffer commands);

void descriptor_scene_bind(struct descriptor_scene *f, const struct descriptor_program *program,
                           VkCommandBuffer commands);
/* The program's set `number` in the scene's buffer. */
void descriptor_scene_offset(struct descriptor_scene *f, const struct descriptor_program *program,
                             VkCommandBuffer commands, uint32_t number, const struct harness_descriptor_set *set);

/* One draw of one row, by programs that were made for it. */
void descriptor_scene_draw_row(VkCommandBuffer commands, unsigned row);

/* One draw with one set: all of the above. */
void descriptor_scene_draw(struct descriptor_scene *f, const struct descriptor_program *program,
                           const struct harness_descriptor_set *set);

/* ---- What must hold ---- */

/* All draws were of the scene's tier. */
#define descriptor_scene_expect_tier(f) descriptor_scene_expect_tier_at((f), __FILE__, __LINE__)
void descriptor_scene_expect_tier_at(const struct descriptor_scene *f, const char *file, int line);

/* Each row shows its texture through its sampler, and all draws were of the scene's tier. */
#define descriptor_scene_expect_rows(f, samplers) descriptor_scene_expect_rows_at((f), (samplers), __FILE__, __LINE__)
void descriptor_scene_expect_rows_at(const struct descriptor_scene *f, const enum scene_sampler *samplers,
                                     const char *file, int line);

/* All rows show one texture through one sampler. */
#define descriptor_scene_expect_all(f, sampler, texture)                                                               \
    descriptor_scene_expect_all_at((f), (sampler), (texture), __FILE__, __LINE__)
void descriptor_scene_expect_all_at(const struct descriptor_scene *f, enum scene_sampler sampler,
                                    enum scene_texture texture, const char *file, int line);

#endif
