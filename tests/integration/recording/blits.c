/* SPDX-License-Identifier: MIT */
/*
 * Linear blits from formats that the driver cannot filter (semantics of linear fallbacks), against the specification:
 * on a driver whose formats are hidden, with the validation layer above it.
 */
#include <stdlib.h>
#include <string.h>

#include "integration/recording/blit_scene.h"
#include "limited_driver/limited_driver.h"

#define FLOAT32 VK_FORMAT_R32G32B32A32_SFLOAT
#define ALL_UNFILTERABLE "hide format * image SAMPLED_IMAGE_FILTER_LINEAR"

/* ---- Geometry ---- */

static const struct blits_one geometries[] = {
    {.name = "larger",
     .source = BLITS_IMAGE(2D, 1, 1, 7, 5, 1),
     .target = BLITS_IMAGE(2D, 1, 1, 16, 11, 1),
     .offsets = {{{0, 0, 0}, {7, 5, 1}}, {{0, 0, 0}, {16, 11, 1}}}},
    {.name = "smaller",
     .source = BLITS_IMAGE(2D, 1, 1, 33, 20, 1),
     .target = BLITS_IMAGE(2D, 1, 1, 7, 6, 1),
     .second_generation = true,
     .offsets = {{{0, 0, 0}, {33, 20, 1}}, {{0, 0, 0}, {7, 6, 1}}}},
    {.name = "the same size",
     .source = BLITS_IMAGE(2D, 1, 1, 8, 8, 1),
     .target = BLITS_IMAGE(2D, 1, 1, 8, 8, 1),
     .general = true,
     .offsets = {{{0, 0, 0}, {8, 8, 1}}, {{0, 0, 0}, {8, 8, 1}}}},
    {.name = "a part into a part",
     .source = BLITS_IMAGE(2D, 1, 1, 9, 7, 1),
     .target = BLITS_IMAGE(2D, 1, 1, 21, 17, 1),
     .offsets = {{{2, 1, 0}, {6, 4, 1}}, {{3, 5, 0}, {16, 12, 1}}}},
    {.name = "mirrored along x, by the source",
     .source = BLITS_IMAGE(2D, 1, 1, 9, 7, 1),
     .target = BLITS_IMAGE(2D, 1, 1, 21, 17, 1),
     .offsets = {{{8, 1, 0}, {1, 4, 1}}, {{3, 5, 0}, {16, 12, 1}}}},
    {.name = "mirrored along y, by the target",
     .source = BLITS_IMAGE(2D, 1, 1, 9, 7, 1),
     .target = BLITS_IMAGE(2D, 1, 1, 21, 17, 1),
     .general = true,
     .second_generation = true,
     .offsets = {{{0, 0, 0}, {9, 7, 1}}, {{1, 16, 0}, {20, 2, 1}}}},
    {.name = "mirrored along both, by both",
     .source = BLITS_IMAGE(2D, 1, 1, 9, 7, 1),
     .target = BLITS_IMAGE(2D, 1, 1, 5, 4, 1),
     .offsets = {{{9, 7, 0}, {0, 0, 1}}, {{5, 0, 0}, {0, 4, 1}}}},
    {.name = "1D",
     .source = BLITS_IMAGE(1D, 1, 1, 13, 1, 1),
     .target = BLITS_IMAGE(1D, 1, 1, 29, 1, 1),
     .offsets = {{{1, 0, 0}, {13, 1, 1}}, {{0, 0, 0}, {28, 1, 1}}}},
    {.name = "1D array",
     .source = BLITS_IMAGE(1D, 1, 4, 13, 1, 1),
     .target = BLITS_IMAGE(1D, 1, 3, 9, 1, 1),
     .second_generation = true,
     .offsets = {{{0, 0, 1}, {13, 1, 3}}, {{9, 0, 0}, {0, 1, 2}}}},
    {.name = "2D array",
     .source = BLITS_IMAGE(2D, 1, 5, 6, 5, 1),
     .target = BLITS_IMAGE(2D, 1, 4, 9, 8, 1),
     .offsets = {{{0, 0, 2}, {6, 5, 5}}, {{0, 1, 1}, {9, 8, 4}}}},
    {.name = "3D",
     .source = BLITS_IMAGE(3D, 1, 1, 5, 4, 6),
     .target = BLITS_IMAGE(3D, 1, 1, 9, 7, 4),
     .offsets = {{{0, 0, 0}, {5, 4, 6}}, {{0, 0, 0}, {9, 7, 4}}}},
    {.name = "3D, part, mirrored along z",
     .source = BLITS_IMAGE(3D, 1, 1, 5, 4, 6),
     .target = BLITS_IMAGE(3D, 1, 1, 9, 7, 12),
     .general = true,
     .second_generation = true,
     .offsets = {{{0, 1, 5}, {5, 4, 1}}, {{1, 0, 2}, {9, 7, 11}}}},
    {.name = "level to level",
     .source = BLITS_IMAGE(2D, 4, 2, 40, 36, 1),
     .target = BLITS_IMAGE(2D, 3, 2, 50, 60, 1),
     .source_level = 2,
     .target_level = 1,
     .offsets = {{{0, 0, 0}, {10, 9, 2}}, {{0, 0, 0}, {25, 30, 2}}}},
    {.name = "3D level to level",
     .source = BLITS_IMAGE(3D, 3, 1, 12, 16, 20),
     .target = BLITS_IMAGE(3D, 2, 1, 9, 7, 10),
     .source_level = 1,
     .target_level = 1,
     .offsets = {{{0, 0, 0}, {6, 8, 10}}, {{0, 0, 0}, {4, 3, 5}}}},
    {.name = "3D to 2D",
     .source = BLITS_IMAGE(3D, 1, 1, 5, 4, 6),
     .target = BLITS_IMAGE(2D, 1, 1, 9, 7, 1),
     .offsets = {{{0, 0, 1}, {5, 4, 4}}, {{0, 0, 0}, {9, 7, 1}}}},
    {.name = "2D to 3D",
     .source = BLITS_IMAGE(2D, 1, 1, 5, 4, 1),
     .target = BLITS_IMAGE(3D, 1, 1, 9, 7, 4),
     .second_generation = true,
     .offsets = {{{0, 0, 0}, {5, 4, 1}}, {{0, 0, 1}, {9, 7, 4}}}},
    {.name = "one texel",
     .source = BLITS_IMAGE(2D, 1, 1, 1, 1, 1),
     .target = BLITS_IMAGE(2D, 1, 1, 3, 3, 1),
     .offsets = {{{0, 0, 0}, {1, 1, 1}}, {{0, 0, 0}, {3, 3, 1}}}},
    {.name = "many texels into one",
     .source = BLITS_IMAGE(2D, 1, 1, 300, 200, 1),
     .target = BLITS_IMAGE(2D, 1, 1, 1, 1, 1),
     .offsets = {{{0, 0, 0}, {300, 200, 1}}, {{0, 0, 0}, {1, 1, 1}}}},
};

#define GEOMETRIES (sizeof(geometries) / sizeof(geometries[0]))

/* What drivers lose that filter themselves: 8 bits of weight, three times, between values from -4 to 4. */
#define DRIVER_SLACK (3 * 8 / 256.0)

static void every_geometry(struct blits_fixture *f, VkFormat format, const char *skipped, double slack)
{
    for (unsigned i = 0; i < GEOMETRIES; i++) {
        struct blits_one b = geometries[i];
        if (skipped && !strcmp(b.name, skipped))
            continue;
        b.source.format = b.target.format = blit_format(format);
        b.either_edge = slack > 0;
        blits_run(&f->vk, &b, slack);
    }
}

static void every_geometry_is_the_specifications(void **state)
{
    (void)state;
    struct blits_fixture f;
    blits_open(&f, "include no-linear-float32", "shader", true, NULL);
    every_geometry(&f, FLOAT32, NULL, 0);
    every_geometry(&f, VK_FORMAT_R32_SFLOAT, NULL, 0);
    blits_expect(&f, 0, 2 * GEOMETRIES);
    blits_close(&f);
}

/*
 * The driver itself, where it can: the same reference, so that the reference is no invention of this test. Drivers
 * blit by drawing, so coordinates are a little off. lavapipe 22.3 writes a 2D source to other slices than those asked.
 */
static void drivers_that_filter_are_left_alone(void **state)
{
    (void)state;
    struct blits_fixture f;
    blits_open(&f, NULL, "shader", false, NULL);
    every_geometry(&f, FLOAT32, "2D to 3D", DRIVER_SLACK);
    blits_expect(&f, 0, 0);
    blits_close(&f);
}

/* Queries promise what the layer does: validation above it finds nothing wrong with the program's own blits. */
static void programs_are_promised_linear_filters(void **state)
{
    (void)state;
    struct blits_fixture f;
    blits_open(&f, "include no-linear-float32", "shader", true,
               &(struct harness_vulkan_params){.layers = "validation:clampler:limited"});
    VkFormatProperties3 wide = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3};
    VkFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &wide};
    vkGetPhysicalDeviceFormatProperties2(f.vk.physical, FLOAT32, &properties);
    const VkFormatFeatureFlags linear = VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    assert_true(blits_has_features(&f.vk, FLOAT32, linear));
    assert_true(properties.formatProperties.optimalTilingFeatures & linear);
    assert_true(wide.optimalTilingFeatures & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT);
    assert_false(blits_has_features(&f.vk, VK_FORMAT_R32_UINT, linear));
    every_geometry(&f, FLOAT32, NULL, 0);
    blits_expect(&f, 0, GEOMETRIES);
    blits_close(&f);
}

/* ---- Formats ---- */

/* Every format that the driver can blit from, to every format that it can blit to, with linear filters hidden. */
static void every_pair_of_formats_converts(void **state)
{
    (void)state;
    struct blits_fixture f;
    unsigned pairs = 0, from = 0;
    blits_open(&f, ALL_UNFILTERABLE, "shader", false, NULL);
    for (uint32_t s = 0; s < blit_format_count; s++) {
        if (!blits_has_features(&f.vk, blit_formats[s].format, VK_FORMAT_FEATURE_BLIT_SRC_BIT))
            continue;
        from++;
        for (uint32_t t = 0; t < blit_format_count; t++) {
            if (!blits_has_features(&f.vk, blit_formats[t].format, VK_FORMAT_FEATURE_BLIT_DST_BIT))
                continue;
            struct blits_one b = geometries[3];
            b.source.format = &blit_formats[s];
            b.target.format = &blit_formats[t];
            blits_run(&f.vk, &b, 0);
            pairs++;
        }
    }
    print_message("%u pairs of formats, from %u formats\n", pairs, from);
    assert_true(from >= 20 && pairs >= 400);
    blits_expect(&f, 0, pairs);
    blits_close(&f);
}

/* ---- Sizes ---- */

/* More than the scratch memory holds, and more rows than one dispatch has. */
static void large_blits_are_done_in_parts(void **state)
{
    (void)state;
    struct blits_fixture f;
    blits_open(&f, "include no-linear-float32", "shader", false, NULL);
    struct blits_one wide = {
        .name = "large",
        .source = BLITS_IMAGE(2D, 1, 1, 2048, 1536, 1),
        .target = BLITS_IMAGE(2D, 1, 1, 1100, 900, 1),
        .offsets = {{{2048, 0, 0}, {0, 1536, 1}}, {{10, 20, 0}, {1090, 890, 1}}},
    };
    wide.source.format = wide.target.format = blit_format(FLOAT32);
    blits_run(&f.vk, &wide, 0);
    struct blits_one layered = {
        .name = "many rows",
        .source = BLITS_IMAGE(1D, 1, 2000, 3, 1, 1),
        .target = BLITS_IMAGE(1D, 1, 2000, 5, 1, 1),
        .offsets = {{{0, 0, 0}, {3, 1, 2000}}, {{0, 0, 0}, {5, 1, 2000}}},
    };
    layered.source.format = layered.target.format = blit_format(VK_FORMAT_R32_SFLOAT);
    blits_run(&f.vk, &layered, 0);
    struct blits_one rows = {
        .name = "many rows of slices",
        .source = BLITS_IMAGE(3D, 1, 1, 2, 300, 256),
        .target = BLITS_IMAGE(3D, 1, 1, 1, 280, 256),
        .offsets = {{{0, 0, 0}, {2, 300, 256}}, {{0, 0, 0}, {1, 280, 256}}},
    };
    rows.source.format = rows.target.format = blit_format(VK_FORMAT_R32_SFLOAT);
    blits_run(&f.vk, &rows, 0);
    blits_expect(&f, 0, 3);
    blits_close(&f);
}

/* ---- Cubic blits, which the layer offers ---- */

/* Volumes have none (VUID-vkCmdBlitImage-filter-00237), nor have 1D images; weights are vkCmdBlitImage2's. */
static void every_cubic_geometry(struct blits_fixture *f, VkFormat format, uint32_t cubic, unsigned *count)
{
    for (unsigned i = 0; i < GEOMETRIES; i++) {
        struct blits_one b = geometries[i];
        if (b.source.type != VK_IMAGE_TYPE_2D)
            continue;
        b.source.format = b.target.format = blit_format(format);
        b.second_generation |= cubic > 1;
        b.offsets.cubic = cubic;
        blits_run(&f->vk, &b, 0);
        ++*count;
    }
}

static void offered_cubic_blits_are_the_specifications(void **state)
{
    (void)state;
    static const char *const layers[] = {"clampler:validation:limited", "validation:clampler:limited"};
    for (int i = 0; i < 2; i++) {
        struct blits_fixture f;
        unsigned count = 0;
        setenv("VK_CLAMPLER_OFFER", "filter_cubic", 1);
        blits_open(&f, "include no-filter-cubic", "auto", true,
                   &(struct harness_vulkan_params){.layers = layers[i], .filter_cubic = true, .cubic_weights = !i});
        unsetenv("VK_CLAMPLER_OFFER");
        assert_true(f.vk.filter_cubic);
        for (uint32_t cubic = 1; cubic <= (i ? 1 : 4); cubic++)
            every_cubic_geometry(&f, VK_FORMAT_R8G8B8A8_UNORM, cubic, &count);
        every_cubic_geometry(&f, VK_FORMAT_R16G16B16A16_SFLOAT, 1, &count);
        blits_expect(&f, 0, count);
        every_geometry(&f, VK_FORMAT_R16G16B16A16_SFLOAT, "2D to 3D", DRIVER_SLACK);
        blits_expect(&f, 0, 0);
        blits_close(&f);
    }
}

/* Every format that has the feature, to every format that it can be blitted to. */
static void every_pair_of_formats_is_filtered_cubically(void **state)
{
    (void)state;
    struct blits_fixture f;
    unsigned pairs = 0;
    setenv("VK_CLAMPLER_OFFER", "filter_cubic", 1);
    blits_open(&f, "include no-filter-cubic", "auto", true, &(struct harness_vulkan_params){.filter_cubic = true});
    unsetenv("VK_CLAMPLER_OFFER");
    for (uint32_t s = 0; s < blit_format_count; s++) {
        if (!blits_has_features(&f.vk, blit_formats[s].format,
                                VK_FORMAT_FEATURE_BLIT_SRC_BIT | VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_CUBIC_BIT_EXT))
            continue;
        for (uint32_t t = 0; t < blit_format_count; t++) {
            if (!blits_has_features(&f.vk, blit_formats[t].format, VK_FORMAT_FEATURE_BLIT_DST_BIT))
                continue;
            struct blits_one b = geometries[3];
            b.source.format = &blit_formats[s];
            b.target.format = &blit_formats[t];
            b.offsets.cubic = 1 + pairs % 4;
            b.second_generation = true;
            blits_run(&f.vk, &b, 0);
            pairs++;
        }
    }
    print_message("%u pairs of formats\n", pairs);
    assert_true(pairs >= 400);
    blits_expect(&f, 0, pairs);
    blits_close(&f);
}

/* ---- What is asked for ---- */

/* The nearest texel: u of the specification, rounded down. */
static void expect_nearest(const struct blit_texture *source, const struct blit_offsets *offsets, const uint8_t *texels,
                           const int32_t size[3])
{
    for (int32_t i = 0; i < size[0] * size[1]; i++) {
        const int32_t at[2] = {i % size[0], i / size[0]};
        int32_t texel[2];
        for (unsigned a = 0; a < 2; a++) {
            double scale = (double)(offsets->source[1][a] - offsets->source[0][a]) /
                           (offsets->target[1][a] - offsets->target[0][a]);
            texel[a] = (int32_t)((at[a] + 0.5 - offsets->target[0][a]) * scale + offsets->source[0][a]);
        }
        const uint32_t bytes = source->format->bytes;
        assert_memory_equal(texels + (size_t)i * bytes,
                            source->texels + (size_t)(texel[1] * source->size[0] + texel[0]) * bytes, bytes);
    }
}

/* Blits `geometries[0]`, of any format without numbers, and gives the result. */
static void run_nearest(struct blits_fixture *f, VkFormat format, uint32_t bytes, bool second_generation)
{
    const struct blit_format plain = {.format = format, .name = "plain", .bytes = bytes, .bits = {8}};
    struct blits_one b = geometries[0];
    struct harness_buffer in, out;
    b.second_generation = second_generation;
    b.source.format = b.target.format = &plain;
    blits_make_image(&f->vk, &b.source);
    blits_make_image(&f->vk, &b.target);
    struct blit_texture source = blits_make_texture(&b.source, 0), target = blits_make_texture(&b.target, 0);
    for (size_t i = 0; i < blits_texture_bytes(&source); i++)
        source.texels[i] = (uint8_t)(i / bytes);
    harness_buffer_create(&f->vk, &in, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, blits_texture_bytes(&source), source.texels);
    harness_buffer_create(&f->vk, &out, VK_BUFFER_USAGE_TRANSFER_DST_BIT, blits_texture_bytes(&target), NULL);
    VkBufferImageCopy up = blits_whole_level(&b.source, 0), down = blits_whole_level(&b.target, 0);
    VkCommandBuffer commands = harness_begin(&f->vk);
    blits_change_layout(commands, &b.source, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    blits_change_layout(commands, &b.target, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    vkCmdCopyBufferToImage(commands, in.buffer, b.source.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &up);
    blits_change_layout(commands, &b.source, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                        VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    blits_record(commands, &b);
    blits_change_layout(commands, &b.target, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                        VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkCmdCopyImageToBuffer(commands, b.target.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, out.buffer, 1, &down);
    harness_submit(&f->vk, commands);
    expect_nearest(&source, &b.offsets, out.map, target.size);
    harness_buffer_destroy(&f->vk, &in);
    harness_buffer_destroy(&f->vk, &out);
    blits_destroy_image(&f->vk, &b.source);
    blits_destroy_image(&f->vk, &b.target);
    free(source.texels);
    free(target.texels);
}

static void the_extension_makes_them_nearest(void **state)
{
    (void)state;
    struct blits_fixture f;
    blits_open(&f, "include no-linear-float32", NULL, true, NULL);
    run_nearest(&f, FLOAT32, 16, false);
    run_nearest(&f, FLOAT32, 16, true);
    blits_expect(&f, 2, 0);
    blits_close(&f);
}

static void the_extensions_filter_emulation_filters_them(void **state)
{
    (void)state;
    struct blits_fixture f;
    blits_open(&f, "include no-linear-float32", NULL, true, &(struct harness_vulkan_params){.filter_emulation = true});
    every_geometry(&f, FLOAT32, NULL, 0);
    blits_expect(&f, 0, GEOMETRIES);
    blits_close(&f);
}

static void a_setting_makes_them_nearest(void **state)
{
    (void)state;
    struct blits_fixture f;
    blits_open(&f, "include no-linear-float32", "nearest", true, NULL);
    run_nearest(&f, FLOAT32, 16, false);
    blits_expect(&f, 1, 0);
    blits_close(&f);
}

/* No linear filter is defined for integers, whatever the setting. The layer says that it cannot. */
static void integers_are_nearest(void **state)
{
    (void)state;
    struct blits_fixture f;
    blits_open(&f, "include no-linear-float32", "shader", true, NULL);
    run_nearest(&f, VK_FORMAT_R32_UINT, 4, false);
    blits_expect(&f, 1, 0);
    assert_true(harness_layer_messages() > 0);
    assert_non_null(strstr(harness_layer_message(harness_layer_messages() - 1), "nearest"));
    blits_close(&f);
}

static void devices_without_addresses_are_nearest(void **state)
{
    (void)state;
    struct blits_fixture f;
    blits_open(&f, "include no-linear-float32; hide feature bufferDeviceAddress", "shader", true, NULL);
    run_nearest(&f, FLOAT32, 16, true);
    blits_expect(&f, 1, 0);
    assert_true(harness_layer_messages() > 0);
    assert_non_null(strstr(harness_layer_message(harness_layer_messages() - 1), "address"));
    blits_close(&f);
}

static void expect_filtered(const char *rules, const void *device_next, uint32_t api_version)
{
    struct blits_fixture f;
    blits_open(&f, rules, "shader", true,
               &(struct harness_vulkan_params){.device_next = device_next, .api_version = api_version});
    struct blits_one b = geometries[3];
    b.source.format = b.target.format = blit_format(FLOAT32);
    blits_run(&f.vk, &b, 0);
    blits_expect(&f, 0, 1);
    blits_close(&f);
}

/* The layer enables the feature that it needs beside what the program enables, in core or by the extension. */
static void addresses_can_be_had_whatever_the_program_enables(void **state)
{
    (void)state;
    static const VkPhysicalDeviceVulkan12Features all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                         .samplerMirrorClampToEdge = VK_TRUE};
    static const VkPhysicalDeviceBufferDeviceAddressFeatures off = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
    static const VkPhysicalDeviceBufferDeviceAddressFeatures on = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES, .bufferDeviceAddress = VK_TRUE};
    expect_filtered("include no-linear-float32", &all, 0);
    expect_filtered("include no-linear-float32", &off, 0);
    expect_filtered("include no-linear-float32", &on, 0);
    if (!harness_driver_has(VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME)) {
        print_message("without the extension of Vulkan 1.1: the driver lacks it\n");
        return;
    }
    expect_filtered("include mobile", NULL, 0);                             /* Vulkan 1.1 below, and the extension */
    expect_filtered("include no-linear-float32", NULL, VK_API_VERSION_1_1); /* above, too */
}

/* Each has memory of its own, by a number in a table: there is another table where one is full. */
static void any_number_of_command_buffers_blits(void **state)
{
    (void)state;
    enum { MANY = 4100 };
    static VkCommandBuffer recorded[MANY];
    struct blits_fixture f;
    blits_open(&f, "include no-linear-float32", "shader", false, NULL);
    struct blits_one b = geometries[0];
    b.source.format = b.target.format = blit_format(FLOAT32);
    blits_prepare(&f.vk, &b);
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    harness_commands(&f.vk, VK_COMMAND_BUFFER_LEVEL_PRIMARY, MANY, recorded);
    for (unsigned i = 0; i < MANY; i++) {
        HARNESS_VK(vkBeginCommandBuffer(recorded[i], &begin));
        blits_record(recorded[i], &b);
        HARNESS_VK(vkEndCommandBuffer(recorded[i]));
    }
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &recorded[MANY - 1]};
    HARNESS_VK(vkQueueSubmit(f.vk.queue, 1, &submit, VK_NULL_HANDLE));
    HARNESS_VK(vkQueueWaitIdle(f.vk.queue));
    blits_check(&f.vk, &b, 0);
    blits_expect(&f, 0, MANY);
    vkFreeCommandBuffers(f.vk.device, f.vk.pool, MANY, recorded);
    blits_discard(&f.vk, &b);
    blits_close(&f);
}

/* Off, and without extension and setting: the driver gets what the program sent, and the limited driver says so. */
static void off_leaves_them_alone(void **state)
{
    (void)state;
    static const char *const values[] = {"off", "auto"};
    for (unsigned i = 0; i < 2; i++) {
        struct blits_fixture f;
        blits_open(&f, "include no-linear-float32", values[i], false, NULL);
        struct blits_one b = geometries[0];
        b.source.format = b.target.format = blit_format(FLOAT32);
        blits_run(&f.vk, &b, DRIVER_SLACK);
        blits_expect(&f, 0, 0);
        PFN_limitedDriverGetViolations get =
            (PFN_limitedDriverGetViolations)vkGetDeviceProcAddr(f.vk.device, "vkGetViolationsLIMITED");
        assert_int_equal(get(f.vk.device, 0, NULL), 1);
        assert_true(harness_messages() > 0); /* of validation, which judges by the limited driver */
        harness_vulkan_close(&f.vk);
        harness_messages_reset();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_geometry_is_the_specifications),
        cmocka_unit_test(drivers_that_filter_are_left_alone),
        cmocka_unit_test(programs_are_promised_linear_filters),
        cmocka_unit_test(every_pair_of_formats_converts),
        cmocka_unit_test(offered_cubic_blits_are_the_specifications),
        cmocka_unit_test(every_pair_of_formats_is_filtered_cubically),
        cmocka_unit_test(large_blits_are_done_in_parts),
        cmocka_unit_test(the_extension_makes_them_nearest),
        cmocka_unit_test(the_extensions_filter_emulation_filters_them),
        cmocka_unit_test(a_setting_makes_them_nearest),
        cmocka_unit_test(integers_are_nearest),
        cmocka_unit_test(devices_without_addresses_are_nearest),
        cmocka_unit_test(addresses_can_be_had_whatever_the_program_enables),
        cmocka_unit_test(any_number_of_command_buffers_blits),
        cmocka_unit_test(off_leaves_them_alone),
    };
    harness_vulkan_hold_driver();
    return cmocka_run_group_tests_name("blits", tests, NULL, NULL);
}
