/* SPDX-License-Identifier: MIT */
/*
 * Descriptors as they are written into heaps: all bytes of one follow from what it is made of, none behind it are
 * written, and those of YCbCr conversions, which take several of the driver's, lie beside the layer's. Samplers that
 * pipelines embed are the program's, GL state and all.
 */
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/app_descriptors/heap_scene.h"
#include "integration/shared/conversion.h"
#include "integration_heap_descriptors.h"
#include "integration_heap_single.h"

enum { BYTES = 1024 };

/* ---- Bytes ---- */

/* One descriptor, which takes what is shown of the room. */
static void write_one(struct heap_scene *f, VkDescriptorType type, unsigned char *bytes, size_t room)
{
    const VkHostAddressRangeEXT range = {bytes, room};
    const VkDevice device = f->scene.vk.device;
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    const VkSamplerCreateInfo sampler = scene_sampler_info(SCENE_EDGE, &gl);
    const VkImageViewCreateInfo view = harness_image_view_info(&f->scene.textures[SCENE_RAMP]);
    const VkImageDescriptorInfoEXT image = {.sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT,
                                            .pView = &view,
                                            .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    VkResourceDescriptorInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT, .type = type, .data.pImage = &image};
    if (type == VK_DESCRIPTOR_TYPE_SAMPLER)
        HARNESS_VK(f->heaps.write_samplers(device, 1, &sampler, &range));
    else
        HARNESS_VK(f->heaps.write_resources(device, 1, &info, &range));
}

/* Again and again, so that some are copies of what was written before. */
static void expect_the_same(struct heap_scene *f, VkDescriptorType type, size_t size, size_t room)
{
    unsigned char first[BYTES], again[BYTES];
    memset(first, 0, sizeof(first));
    write_one(f, type, first, room);
    for (int fill = 0xa5; fill < 0xaa; fill++) {
        memset(again, fill, sizeof(again));
        write_one(f, type, again, room);
        assert_memory_equal(first, again, size);
        for (size_t at = size; at < BYTES; at++) {
            assert_int_equal(first[at], 0);
            assert_int_equal(again[at], fill);
        }
    }
}

static void bytes_follow_from_what_is_described(void **state)
{
    (void)state;
    struct heap_scene f;
    heap_scene_open(&f);
    heap_scene_raise(&f, heap_scene_tiers(&f));
    const size_t sampler = (size_t)f.heaps.properties.samplerDescriptorSize;
    const size_t image = (size_t)f.heaps.properties.imageDescriptorSize;
    expect_the_same(&f, VK_DESCRIPTOR_TYPE_SAMPLER, sampler, sampler);
    expect_the_same(&f, VK_DESCRIPTOR_TYPE_SAMPLER, sampler, BYTES);
    expect_the_same(&f, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, image, image);
    expect_the_same(&f, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, image, BYTES);
    heap_scene_close(&f);
}

/* ---- Conversions ---- */

static void open_with_conversion(struct heap_scene *f, struct conversion *c)
{
    VkPhysicalDeviceSamplerYcbcrConversionFeatures features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES,
        .samplerYcbcrConversion = VK_TRUE};
    heap_scene_open_with(f, &features, NULL, 0);
    if (!conversion_descriptors(&f->scene.vk)) {
        print_message("the driver has no images of two planes\n");
        heap_scene_close(f);
        skip();
    }
    conversion_open(&f->scene.vk, c, NULL);
}

/* Two of them, then one and three other combined image samplers. */
struct places {
    struct harness_heap_place conversions, images, samplers;
};

static VkPipeline create_pipeline(struct heap_scene *f, const struct conversion *c, const struct places *at)
{
    struct harness_heap_place sampler = at->samplers, image = at->images, conversion = at->conversions;
    VkDescriptorSetAndBindingMappingEXT mappings[4];
    for (uint32_t i = 0; i < 2; i++, conversion.offset += conversion.stride) {
        mappings[i] = harness_heap_mapping(0, i, 1, conversion, sampler);
        mappings[i].sourceData.constantOffset.pEmbeddedSampler = &c->sampler_info;
    }
    mappings[2] = harness_heap_mapping(0, 2, 1, image, sampler);
    image.offset += image.stride;
    sampler.offset += sampler.stride;
    mappings[3] = harness_heap_mapping(0, 5, 1, image, sampler);
    const VkShaderDescriptorSetAndBindingMappingInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = 4,
        .pMappings = mappings};
    return heap_scene_pipeline(f, VK_SHADER_STAGE_FRAGMENT_BIT, HARNESS_SPIRV(integration_heap_descriptors), &info);
}

static void write_conversion(struct heap_scene *f, const struct conversion *c, uint32_t offset)
{
    const VkImageDescriptorInfoEXT image = {.sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT,
                                            .pView = &c->view_info,
                                            .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkResourceDescriptorInfoEXT info = {.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
                                              .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                              .data.pImage = &image};
    const VkHostAddressRangeEXT range = {f->heaps.resources.bytes + offset,
                                         (size_t)f->heaps.properties.imageDescriptorSize * c->descriptors};
    HARNESS_VK(f->heaps.write_resources(f->scene.vk.device, 1, &info, &range));
}

static struct places take_places(struct heap_scene *f, const struct conversion *c)
{
    struct places at;
    at.images.stride = harness_heap_stride(&f->heaps, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
    at.samplers.stride = harness_heap_stride(&f->heaps, VK_DESCRIPTOR_TYPE_SAMPLER);
    at.conversions.stride = at.images.stride * c->descriptors;
    at.conversions.offset = harness_heaps_take(&f->heaps, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 2 * c->descriptors);
    at.images.offset = harness_heaps_take(&f->heaps, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, SCENE_ROWS);
    at.samplers.offset = harness_heaps_take(&f->heaps, VK_DESCRIPTOR_TYPE_SAMPLER, SCENE_ROWS);
    return at;
}

static void draw_tier(struct heap_scene *f, const struct conversion *c, const struct places *at, VkPipeline pipeline)
{
    const enum scene_sampler *rows = heap_scene_rows(f->tier);
    for (unsigned i = 0; i < 2 && c->handle; i++)
        write_conversion(f, c, at->conversions.offset + i * at->conversions.stride);
    for (unsigned row = 2; row < SCENE_ROWS; row++) {
        heap_scene_put_texture(f, at->images.offset + (row - 2) * at->images.stride, heap_scene_texture(row));
        heap_scene_put_sampler(f, at->samplers.offset + (row - 2) * at->samplers.stride, rows[row]);
    }
    heap_scene_draw(f, pipeline, NULL, 0);
    if (!f->native)
        scene_expect_tier(&f->scene, f->tier);
    for (unsigned row = 2; row < SCENE_ROWS; row++)
        scene_expect_row(&f->scene, row, rows[row], heap_scene_texture(row));
    for (unsigned i = 0; i < 2 * SCENE_COLUMNS; i++)
        assert_float_equal(f->scene.pixels[i / SCENE_COLUMNS][i % SCENE_COLUMNS][0], CONVERSION_RED / 255.0f,
                           1.0f / 255.0f);
}

static void conversions_beside_other_samplers(void **state)
{
    (void)state;
    struct heap_scene f;
    struct conversion c;
    open_with_conversion(&f, &c);
    const struct places at = take_places(&f, &c);
    VkPipeline pipeline = create_pipeline(&f, &c, &at);
    for (unsigned tier = 0; tier <= heap_scene_tiers(&f); tier++) {
        heap_scene_raise(&f, tier);
        draw_tier(&f, &c, &at, pipeline);
    }
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    conversion_close(&f.scene.vk, &c);
    heap_scene_close(&f);
}

/* Pipelines are compiled in other tiers when the program has no conversion any more. */
static void conversions_stay_while_pipelines_are_compiled_with_them(void **state)
{
    (void)state;
    struct heap_scene f;
    struct conversion c;
    open_with_conversion(&f, &c);
    const struct places at = take_places(&f, &c);
    VkPipeline pipeline = create_pipeline(&f, &c, &at);
    draw_tier(&f, &c, &at, pipeline);
    if (!f.native) { /* the driver has compiled it */
        vkDestroySamplerYcbcrConversion(f.scene.vk.device, c.handle, NULL);
        c.handle = VK_NULL_HANDLE;
    }
    for (unsigned tier = 1; tier <= heap_scene_tiers(&f); tier++) {
        heap_scene_raise(&f, tier);
        draw_tier(&f, &c, &at, pipeline);
    }
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    conversion_close(&f.scene.vk, &c);
    heap_scene_close(&f);
}

/* How many modules are rewritten for a draw through one combined image sampler. */
static uint64_t rewritten_for(struct heap_scene *f, const struct places *at, const VkSamplerCreateInfo *embedded)
{
    const uint64_t before = harness_counters(&f->scene.vk).modules_rewritten;
    VkDescriptorSetAndBindingMappingEXT mapping =
        harness_heap_mapping(0, 0, 1, embedded ? at->conversions : at->images, at->samplers);
    mapping.sourceData.constantOffset.pEmbeddedSampler = embedded;
    const VkShaderDescriptorSetAndBindingMappingInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = 1,
        .pMappings = &mapping};
    VkPipeline pipeline =
        heap_scene_pipeline(f, VK_SHADER_STAGE_FRAGMENT_BIT, HARNESS_SPIRV(integration_heap_single), &info);
    heap_scene_draw(f, pipeline, NULL, 0);
    vkDestroyPipeline(f->scene.vk.device, pipeline, NULL);
    return harness_counters(&f->scene.vk).modules_rewritten - before;
}

/* Where others have their number, these have a plane. */
static void no_numbers_are_read_of_conversions(void **state)
{
    (void)state;
    struct heap_scene f;
    struct conversion c;
    open_with_conversion(&f, &c);
    const struct places at = take_places(&f, &c);
    heap_scene_raise(&f, heap_scene_tiers(&f));
    write_conversion(&f, &c, at.conversions.offset);
    heap_scene_put_texture(&f, at.images.offset, SCENE_RAMP);
    heap_scene_put_sampler(&f, at.samplers.offset, SCENE_EDGE);
    assert_int_equal(rewritten_for(&f, &at, &c.sampler_info), 0);
    assert_true(f.native || rewritten_for(&f, &at, NULL) >= 1); /* each tier that is compiled counts */
    conversion_close(&f.scene.vk, &c);
    heap_scene_close(&f);
}

/* ---- Embedded samplers ---- */

static VkPipeline create_embedded(struct heap_scene *f, const struct places *at, const VkSamplerCreateInfo *sampler)
{
    VkDescriptorSetAndBindingMappingEXT mapping = harness_heap_mapping(0, 0, 1, at->images, at->samplers);
    mapping.sourceData.constantOffset.pEmbeddedSampler = sampler;
    const VkShaderDescriptorSetAndBindingMappingInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = 1,
        .pMappings = &mapping};
    return heap_scene_pipeline(f, VK_SHADER_STAGE_FRAGMENT_BIT, HARNESS_SPIRV(integration_heap_single), &info);
}

static struct places take_image(struct heap_scene *f)
{
    const struct places at = {.images = {harness_heaps_take(&f->heaps, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1),
                                         harness_heap_stride(&f->heaps, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE)},
                              .samplers = {0, harness_heap_stride(&f->heaps, VK_DESCRIPTOR_TYPE_SAMPLER)}};
    heap_scene_put_texture(f, at.images.offset, SCENE_STEPS);
    return at;
}

static void embedded_samplers_have_gl_state(void **state)
{
    static const struct {
        enum scene_sampler sampler;
        unsigned tier; /* once it and those before it are there */
    } steps[] = {{SCENE_EDGE, 0},  {SCENE_BORDER, 0}, {SCENE_GL_EDGE, 0},
                 {SCENE_CLAMP, 1}, {SCENE_MIRROR, 1}, {SCENE_MIXED, 2}};
    struct heap_scene f;
    (void)state;
    heap_scene_open(&f);
    const struct places at = take_image(&f);
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && (!f.native || i < 2); i++) {
        VkSamplerGLStateCreateInfoCLAMPLER gl;
        const VkSamplerCreateInfo info = scene_sampler_info(steps[i].sampler, &gl);
        VkPipeline pipeline = create_embedded(&f, &at, &info);
        heap_scene_draw(&f, pipeline, NULL, 0);
        if (!f.native)
            scene_expect_tier(&f.scene, steps[i].tier);
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            scene_expect_row(&f.scene, row, steps[i].sampler, SCENE_STEPS);
        vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    }
    heap_scene_close(&f);
}

/* Drivers take no custom colours there: the shader places them. */
static void embedded_samplers_have_borders_of_every_colour(void **state)
{
    static const float red = 0.375f;
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                   .wrapS = TOKEN_CLAMP_TO_BORDER,
                                                   .wrapT = TOKEN_CLAMP_TO_BORDER,
                                                   .wrapR = TOKEN_CLAMP_TO_BORDER,
                                                   .minFilter = TOKEN_NEAREST,
                                                   .magFilter = TOKEN_NEAREST,
                                                   .maxLod = 1000,
                                                   .borderColor = {.float32 = {red, 0, 0, 1}}};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl};
    struct heap_scene f;
    (void)state;
    heap_scene_open(&f);
    if (f.native) {
        heap_scene_close(&f);
        skip();
    }
    const struct places at = take_image(&f);
    VkPipeline pipeline = create_embedded(&f, &at, &info);
    heap_scene_draw(&f, pipeline, NULL, 0);
    scene_expect_tier(&f.scene, 2);
    for (unsigned row = 0; row < SCENE_ROWS; row++) {
        assert_float_equal(f.scene.pixels[row][0][0], red, 1e-3f);
        assert_float_equal(f.scene.pixels[row][SCENE_COLUMNS - 1][0], red, 1e-3f);
    }
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    heap_scene_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_follow_from_what_is_described),
        cmocka_unit_test(conversions_beside_other_samplers),
        cmocka_unit_test(conversions_stay_while_pipelines_are_compiled_with_them),
        cmocka_unit_test(no_numbers_are_read_of_conversions),
        cmocka_unit_test(embedded_samplers_have_gl_state),
        cmocka_unit_test(embedded_samplers_have_borders_of_every_colour),
    };
    return cmocka_run_group_tests_name("heap_descriptors", tests, NULL, NULL);
}
