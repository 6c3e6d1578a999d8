/* SPDX-License-Identifier: MIT */
/*
 * What tests of blits share: devices whose formats are hidden, images that only blits use, and one blit compared with
 * the specification. Failures end the running cmocka test.
 */
#ifndef CLAMPLER_INTEGRATION_BLIT_SCENE_H
#define CLAMPLER_INTEGRATION_BLIT_SCENE_H

#include "integration/recording/blit_reference.h"
#include "integration/shared/scene.h"

struct blits_fixture {
    struct harness_vulkan vk;
    struct clampler_counters before;
    bool limited;
};

/*
 * A device with Clampler, validation and, unless `rules` is NULL, the limited driver with these rules. `fallback` is
 * the setting linear_fallback; NULL: none, and the program has enabled the extension. `params` may be NULL, and its
 * layers too; gl_sampler and sync_validation in it are not looked at.
 */
void blits_open(struct blits_fixture *f, const char *rules, const char *fallback, bool sync,
                const struct harness_vulkan_params *params);

/* Fails if validation said anything, or the limited driver recorded a violation. */
void blits_close(struct blits_fixture *f);

/* How many blits were made nearest and filtered since the fixture was opened or the last call. */
void blits_expect(struct blits_fixture *f, uint64_t nearest, uint64_t shader);

bool blits_has_features(struct harness_vulkan *vk, VkFormat format, VkFormatFeatureFlags wanted);

/* ---- Images with no usage but copies ---- */

struct blits_image {
    VkImage image;
    VkDeviceMemory memory;
    VkImageType type;
    const struct blit_format *format;
    VkExtent3D extent; /* of level 0 */
    uint32_t levels, layers;
    VkImageCreateFlags flags; /* more of them */
};

#define BLITS_IMAGE(TYPE, LEVELS, LAYERS, ...)                                                                         \
    {                                                                                                                  \
        .type = VK_IMAGE_TYPE_##TYPE, .levels = (LEVELS), .layers = (LAYERS), .extent = { __VA_ARGS__ }                \
    }

void blits_make_image(struct harness_vulkan *vk, struct blits_image *s);
void blits_destroy_image(struct harness_vulkan *vk, struct blits_image *s);
/* All levels and layers; between transfers. */
void blits_change_layout(VkCommandBuffer commands, const struct blits_image *s, VkImageLayout before,
                         VkImageLayout after);
/* One level, all its layers or slices; free() its texels. */
struct blit_texture blits_make_texture(const struct blits_image *s, uint32_t level);
size_t blits_texture_bytes(const struct blit_texture *t);
VkBufferImageCopy blits_whole_level(const struct blits_image *s, uint32_t level);

/* ---- One blit ---- */

struct blits_one {
    const char *name;
    struct blits_image source, target;
    uint32_t source_level, target_level;
    struct blit_offsets offsets;                      /* z: layers where both have layers */
    bool general;                                     /* layout GENERAL for both */
    bool second_generation;                           /* vkCmdBlitImage2 */
    bool either_edge;                                 /* another implementation's blit: it may clamp to the region */
    const void *given;                                /* the source's texels; NULL: numbers by chance */
    struct blit_texture source_texels, target_texels; /* before the blit; filled in by blits_prepare */
};

/* The command alone: the images are there and in their layouts. */
void blits_record(VkCommandBuffer commands, struct blits_one *b);

/* Makes the images and fills them; every texel of the target's level compared; the images destroyed. */
void blits_prepare(struct harness_vulkan *vk, struct blits_one *b);
void blits_get(struct harness_vulkan *vk, struct blits_one *b, struct harness_buffer *after); /* the target's level */
void blits_check(struct harness_vulkan *vk, struct blits_one *b, double slack);
void blits_discard(struct harness_vulkan *vk, struct blits_one *b);

/* All of it. */
void blits_run(struct harness_vulkan *vk, struct blits_one *b, double slack);

#endif
