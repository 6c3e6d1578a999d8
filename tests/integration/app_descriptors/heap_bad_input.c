/* SPDX-License-Identifier: MIT */
/*
 * What programs must not do with descriptor heaps, and the layer answers: the driver does what it does, no memory is
 * read that is not the program's or the layer's, and a message says what is wrong. Drivers that read descriptors where
 * they are told to do so may stop a GPU here, so that only those on the CPU are asked.
 */
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/app_descriptors/heap_scene.h"
#include "integration_heap_separate.h"
#include "integration_heap_single.h"
#ifdef HEAP_SHADERS
#include "integration_heap_fragment.h"
#endif

static const uint32_t numbers_of_nobody[] = {0xffffffff, 0x80000000, 1u << 20, (1u << 20) - 1, 0xfffff000, 0};
enum { NUMBERS = sizeof(numbers_of_nobody) / sizeof(numbers_of_nobody[0]) };

/* Descriptors lie from here on, in both heaps. */
enum { AT = 4096, MOST_BYTES = 1024 };

static const VkDescriptorType kinds[2] = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_SAMPLER};

/* What the driver alone needs, and what is shown. */
struct sizes {
    uint32_t driver[2], shown[2]; /* images, samplers */
};

static struct sizes open_alone(struct heap_scene *f)
{
    heap_scene_open_alone(f);
    if (f->scene.vk.properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU) {
        heap_scene_close(f);
        print_message("not tried on a GPU\n");
        skip();
    }
    const VkPhysicalDeviceDescriptorHeapPropertiesEXT driver = heap_scene_driver();
    return (struct sizes){{(uint32_t)driver.imageDescriptorSize, (uint32_t)driver.samplerDescriptorSize},
                          {harness_heap_stride(&f->heaps, kinds[0]), harness_heap_stride(&f->heaps, kinds[1])}};
}

/* The layer has said something, and nobody else. */
static void expect_message(const struct heap_scene *f)
{
    if (!f->native)
        assert_true(harness_layer_messages() > 0);
    harness_messages_reset();
}

static void expect_all(const struct heap_scene *f, enum scene_sampler sampler)
{
    if (!f->native)
        scene_expect_tier(&f->scene, f->tier);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f->scene, row, sampler, SCENE_STEPS);
}

/* The driver has its border where a record would say GL_CLAMP. */
static enum scene_sampler asking(const struct heap_scene *f)
{
    return f->tier ? SCENE_CLAMP : SCENE_BORDER;
}

/* integration_single.frag, its image and its sampler at these offsets. */
static VkPipeline single_at(struct heap_scene *f, uint32_t image, uint32_t sampler)
{
    const VkDescriptorSetAndBindingMappingEXT mapping =
        harness_heap_mapping(0, 0, 1, (struct harness_heap_place){image, 0}, (struct harness_heap_place){sampler, 0});
    const VkShaderDescriptorSetAndBindingMappingInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = 1,
        .pMappings = &mapping};
    return heap_scene_pipeline(f, VK_SHADER_STAGE_FRAGMENT_BIT, HARNESS_SPIRV(integration_heap_single), &info);
}

/* One descriptor of a kind, into so many bytes. */
static VkResult write_into(struct heap_scene *f, unsigned kind, void *bytes, size_t size)
{
    const VkHostAddressRangeEXT range = {bytes, size};
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    const VkSamplerCreateInfo sampler = scene_sampler_info(asking(f), &gl);
    const VkImageViewCreateInfo view = harness_image_view_info(&f->scene.textures[SCENE_STEPS]);
    const VkImageDescriptorInfoEXT image = {.sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT,
                                            .pView = &view,
                                            .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkResourceDescriptorInfoEXT resource = {.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
                                                  .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                                  .data = {.pImage = &image}};
    return kind ? f->heaps.write_samplers(f->scene.vk.device, 1, &sampler, &range)
                : f->heaps.write_resources(f->scene.vk.device, 1, &resource, &range);
}

/* Both descriptors to their places, in ranges that are so much larger than their sizes. */
static void write_at(struct heap_scene *f, const struct sizes *sizes, size_t more)
{
    write_into(f, 0, f->heaps.resources.bytes + AT, sizes->shown[0] + more);
    write_into(f, 1, f->heaps.samplers.bytes + AT, sizes->shown[1] + more);
}

/*
 * Too small for the number, but not for the driver: it gets what is its own, and its sampler is what is seen. Too small
 * for both: nothing is written.
 */
static void ranges_that_are_too_small_have_no_records(void **state)
{
    (void)state;
    struct heap_scene f;
    const struct sizes sizes = open_alone(&f);
    unsigned char untouched[MOST_BYTES];
    memset(untouched, 0xa5, sizeof(untouched));
    VkPipeline pipeline = single_at(&f, AT, AT);
    for (unsigned tier = 0; tier <= heap_scene_tiers(&f); tier++) {
        unsigned char *places[2] = {f.heaps.resources.bytes + AT, f.heaps.samplers.bytes + AT};
        heap_scene_raise(&f, tier);
        for (unsigned kind = 0; kind < 2; kind++) {
            const size_t small[] = {0, 1, sizes.driver[kind] / 2, sizes.driver[kind] - 1};
            for (unsigned i = 0; i < 4 && !f.native; i++) { /* which the driver alone would not notice */
                unsigned char bytes[MOST_BYTES];
                memcpy(bytes, untouched, sizeof(bytes));
                assert_int_equal(write_into(&f, kind, bytes, small[i]), VK_SUCCESS);
                assert_memory_equal(bytes, untouched, sizeof(bytes));
            }
            memset(places[kind], 0xa5, MOST_BYTES);
            assert_int_equal(write_into(&f, kind, places[kind], sizes.driver[kind]), VK_SUCCESS);
            assert_memory_equal(places[kind] + sizes.driver[kind], untouched, MOST_BYTES - sizes.driver[kind]);
        }
        heap_scene_draw(&f, pipeline, NULL, 0);
        expect_all(&f, SCENE_BORDER);
        for (unsigned kind = 0; kind < 2; kind++)
            assert_int_equal(write_into(&f, kind, places[kind], sizes.shown[kind]), VK_SUCCESS);
        heap_scene_draw(&f, pipeline, NULL, 0);
        expect_all(&f, asking(&f));
    }
    expect_message(&f);
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    heap_scene_close(&f);
}

/* Larger ones have the record as well. */
static void ranges_may_be_larger(void **state)
{
    (void)state;
    struct heap_scene f;
    const struct sizes sizes = open_alone(&f);
    VkPipeline pipeline = single_at(&f, AT, AT);
    for (unsigned tier = 0; tier <= heap_scene_tiers(&f); tier++) {
        heap_scene_raise(&f, tier);
        for (unsigned more = 1; more < 70; more += 17) {
            write_at(&f, &sizes, more);
            heap_scene_draw(&f, pipeline, NULL, 0);
            expect_all(&f, asking(&f));
        }
    }
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    heap_scene_close(&f);
}

/* ---- Numbers ---- */

/* Draws a pipeline that looks at one image and one sampler, whose numbers are garbage. */
static void draw_garbage(struct heap_scene *f, VkPipeline pipeline, const void *data, size_t size,
                         unsigned char *const bytes[2], const struct sizes *sizes)
{
    for (unsigned i = 0; i < 3 * NUMBERS; i++) {
        for (unsigned kind = 0; kind < 2; kind++) {
            write_into(f, kind, bytes[kind], sizes->shown[kind]);
            if (!f->native && i % 3 != 1 - kind)
                memcpy(bytes[kind] + sizes->driver[kind], &numbers_of_nobody[i / 3], sizeof(numbers_of_nobody[0]));
        }
        heap_scene_draw(f, pipeline, data, size);
        /* Without its number an image has no size for the sampler's record to count in; without the sampler's there is
         * none. */
        if (i % 3 != 0)
            expect_all(f, SCENE_BORDER);
    }
    for (unsigned kind = 0; kind < 2; kind++)
        write_into(f, kind, bytes[kind], sizes->shown[kind]);
    heap_scene_draw(f, pipeline, data, size);
    expect_all(f, asking(f));
}

static void numbers_that_nobody_wrote_ask_for_nothing(void **state)
{
    (void)state;
    struct heap_scene f;
    const struct sizes sizes = open_alone(&f);
    unsigned char *const bytes[2] = {f.heaps.resources.bytes + AT, f.heaps.samplers.bytes + AT};
    VkPipeline pipeline = single_at(&f, AT, AT);
    for (unsigned tier = 0; tier <= heap_scene_tiers(&f); tier++) {
        heap_scene_raise(&f, tier);
        draw_garbage(&f, pipeline, NULL, 0, bytes, &sizes);
    }
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    heap_scene_close(&f);
}

static void numbers_that_nobody_wrote_ask_for_nothing_through_untyped_pointers(void **state)
{
    (void)state;
#ifdef HEAP_SHADERS
    struct heap_scene f;
    const struct sizes sizes = open_alone(&f);
    uint32_t pushed[2 * SCENE_ROWS + 2] = {0};
    unsigned char *bytes[2] = {f.heaps.resources.bytes, f.heaps.samplers.bytes};
    for (unsigned kind = 0; kind < 2; kind++) {
        const uint32_t element = AT / sizes.shown[kind];
        bytes[kind] += element * sizes.shown[kind];
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            pushed[kind * SCENE_ROWS + row] = element;
    }
    VkPipeline pipeline =
        heap_scene_pipeline(&f, VK_SHADER_STAGE_FRAGMENT_BIT, HARNESS_SPIRV(integration_heap_fragment), NULL);
    for (unsigned tier = 0; tier <= heap_scene_tiers(&f); tier++) {
        heap_scene_raise(&f, tier);
        draw_garbage(&f, pipeline, pushed, sizeof(pushed), bytes, &sizes);
    }
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    heap_scene_close(&f);
#else
    print_message("glslang lacks GL_EXT_descriptor_heap\n");
    skip();
#endif
}

/* ---- Descriptors of nothing ---- */

/* Zero is read through a null image, whatever its sampler asks for. */
static void null_images_read_as_zero(void **state)
{
    (void)state;
    struct heap_scene f;
    const struct sizes sizes = open_alone(&f);
    const VkResourceDescriptorInfoEXT null = {.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
                                              .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE};
    const VkHostAddressRangeEXT range = {f.heaps.resources.bytes + AT, sizes.shown[0]};
    VkPipeline pipeline = single_at(&f, AT, AT);
    for (unsigned tier = 0; tier <= heap_scene_tiers(&f); tier++) {
        heap_scene_raise(&f, tier);
        for (unsigned row = 0; row < SCENE_ROWS; row++) {
            const enum scene_sampler sampler = heap_scene_rows(tier)[row];
            heap_scene_put_sampler(&f, AT, sampler);
            assert_int_equal(f.heaps.write_resources(f.scene.vk.device, 1, &null, &range), VK_SUCCESS);
            heap_scene_draw(&f, pipeline, NULL, 0);
            expect_all(&f, SCENE_NOTHING);
            heap_scene_put_texture(&f, AT, SCENE_STEPS);
            heap_scene_draw(&f, pipeline, NULL, 0);
            expect_all(&f, sampler);
        }
    }
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    heap_scene_close(&f);
}

/* ---- Where descriptors lie ---- */

/* As far apart as the driver's are: the next one lies on the number, but for the last. */
static void strides_that_leave_no_room_cost_the_records(void **state)
{
    (void)state;
    struct heap_scene f;
    const struct sizes sizes = open_alone(&f);
    const struct harness_heap_place place[2] = {{AT, sizes.driver[0]}, {AT, sizes.driver[1]}};
    VkDescriptorSetAndBindingMappingEXT mappings[] = {
        harness_heap_mapping(0, 1, 1, place[0], place[1]),
        harness_heap_mapping_of_samplers(0, 3, 2, place[1]),
    };
    mappings[0].resourceMask = VK_SPIRV_RESOURCE_TYPE_SAMPLED_IMAGE_BIT_EXT;
    const VkShaderDescriptorSetAndBindingMappingInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = 2,
        .pMappings = mappings};
    VkPipeline pipeline =
        heap_scene_pipeline(&f, VK_SHADER_STAGE_FRAGMENT_BIT, HARNESS_SPIRV(integration_heap_separate), &info);
    for (unsigned tier = 0; tier <= heap_scene_tiers(&f); tier++) {
        heap_scene_raise(&f, tier);
        /* Each descriptor restores what the number of the one before has taken of it. Binding 4 lies on element 1. */
        for (unsigned i = 0; i < 2; i++) {
            heap_scene_put_texture(&f, AT + i * sizes.driver[0], SCENE_STEPS);
            heap_scene_put_sampler(&f, AT + i * sizes.driver[1], i ? SCENE_EDGE : asking(&f));
        }
        heap_scene_draw(&f, pipeline, NULL, 0);
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            scene_expect_row(&f.scene, row, row % 3 ? SCENE_EDGE : SCENE_BORDER, SCENE_STEPS);
    }
    expect_message(&f);
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    heap_scene_close(&f);
}

/* Draws with heaps that begin and end elsewhere than they do. */
static void draw_bound(struct heap_scene *f, VkPipeline pipeline, VkDeviceSize moved, VkDeviceSize size,
                       VkDeviceSize reserved)
{
    VkCommandBuffer commands = scene_begin(&f->scene);
    for (unsigned kind = 0; kind < 2; kind++) {
        const struct harness_heap *heap = kind ? &f->heaps.samplers : &f->heaps.resources;
        const VkBindHeapInfoEXT info = {.sType = VK_STRUCTURE_TYPE_BIND_HEAP_INFO_EXT,
                                        .heapRange = {heap->address + moved, size},
                                        .reservedRangeOffset = reserved ? size - reserved : 0,
                                        .reservedRangeSize = reserved};
        (kind ? f->heaps.bind_samplers : f->heaps.bind_resources)(commands, &info);
    }
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f->scene, commands);
}

/* The driver reads descriptors behind the range; the layer finds no record there. */
static void descriptors_behind_the_heaps_have_no_records(void **state)
{
    (void)state;
    struct heap_scene f;
    const struct sizes sizes = open_alone(&f);
    VkPipeline pipeline = single_at(&f, AT, AT);
    for (unsigned tier = 0; tier <= heap_scene_tiers(&f); tier++) {
        heap_scene_raise(&f, tier);
        write_at(&f, &sizes, 0);
        const VkDeviceSize too_small[] = {0, 3, 4, AT, AT + sizes.driver[1]};
        for (unsigned i = 0; i < sizeof(too_small) / sizeof(too_small[0]); i++) {
            draw_bound(&f, pipeline, 0, too_small[i], 0);
            expect_all(&f, SCENE_BORDER);
        }
        /* The heap ends with the last number. */
        draw_bound(&f, pipeline, 0, AT + (sizes.driver[0] > sizes.driver[1] ? sizes.driver[0] : sizes.driver[1]) + 4,
                   0);
        expect_all(&f, asking(&f));
    }
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    heap_scene_close(&f);
}

/* The layer needs none of its own: ranges go to the driver as they are, whatever their size. */
static void reserved_ranges_are_the_drivers(void **state)
{
    (void)state;
    struct heap_scene f;
    const struct sizes sizes = open_alone(&f);
    VkPipeline pipeline = single_at(&f, AT, AT);
    for (unsigned tier = 0; tier <= heap_scene_tiers(&f); tier++) {
        heap_scene_raise(&f, tier);
        write_at(&f, &sizes, 0);
        for (VkDeviceSize reserved = 0; reserved < 512; reserved = 2 * reserved + 16) {
            draw_bound(&f, pipeline, 0, HEAP_SCENE_BYTES, reserved);
            expect_all(&f, asking(&f));
        }
    }
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    heap_scene_close(&f);
}

static void heaps_that_are_not_aligned_have_no_records(void **state)
{
    (void)state;
    struct heap_scene f;
    const struct sizes sizes = open_alone(&f);
    VkPipeline pipeline = single_at(&f, AT, AT);
    for (unsigned tier = 0; tier <= heap_scene_tiers(&f); tier++) {
        heap_scene_raise(&f, tier);
        for (unsigned off = 1; off < 4; off++) {
            heap_scene_put_texture(&f, AT, SCENE_STEPS);
            heap_scene_put_sampler(&f, AT, off % 2 ? SCENE_BORDER : SCENE_EDGE);
            memmove(f.heaps.resources.bytes + AT + off, f.heaps.resources.bytes + AT, sizes.shown[0]);
            memmove(f.heaps.samplers.bytes + AT + off, f.heaps.samplers.bytes + AT, sizes.shown[1]);
            draw_bound(&f, pipeline, off, HEAP_SCENE_BYTES - off, 0);
            expect_all(&f, off % 2 ? SCENE_BORDER : SCENE_EDGE);
        }
    }
    expect_message(&f);
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    heap_scene_close(&f);
}

/* The driver takes them as they are; the layer leaves such lookups alone, and says so. */
static void offsets_of_mappings_that_are_not_aligned_are_left_alone(void **state)
{
    (void)state;
    struct heap_scene f;
    const struct sizes sizes = open_alone(&f);
    VkPipeline pipeline = single_at(&f, AT + 2, AT + 2);
    for (unsigned tier = 0; tier <= heap_scene_tiers(&f); tier++) {
        heap_scene_raise(&f, tier);
        write_at(&f, &sizes, 0);
        memmove(f.heaps.resources.bytes + AT + 2, f.heaps.resources.bytes + AT, sizes.shown[0]);
        memmove(f.heaps.samplers.bytes + AT + 2, f.heaps.samplers.bytes + AT, sizes.shown[1]);
        heap_scene_draw(&f, pipeline, NULL, 0);
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            scene_expect_row(&f.scene, row, SCENE_BORDER, SCENE_STEPS);
    }
    expect_message(&f);
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    heap_scene_close(&f);
}

static void gl_state_of_texel_buffers_needs_its_feature(void **state)
{
    (void)state;
    struct heap_scene f;
    struct harness_buffer texels;
    unsigned char bytes[MOST_BYTES], untouched[MOST_BYTES];
    open_alone(&f);
    harness_buffer_create(&f.scene.vk, &texels,
                          VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, 64,
                          NULL);
    const VkHostAddressRangeEXT range = {bytes, harness_heap_stride(&f.heaps, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER)};
    memset(untouched, 0xa5, sizeof(untouched));
    memcpy(bytes, untouched, sizeof(bytes));
    for (unsigned plain = f.native; plain < 2; plain++) {
        const VkBufferViewGLStateCreateInfoCLAMPLER gl = {
            .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, .baseFormat = TOKEN_LUMINANCE};
        const VkTexelBufferDescriptorInfoEXT about = {
            .sType = VK_STRUCTURE_TYPE_TEXEL_BUFFER_DESCRIPTOR_INFO_EXT,
            .pNext = plain ? NULL : &gl,
            .format = VK_FORMAT_R8_UNORM,
            .addressRange = {harness_buffer_address(&f.scene.vk, &texels), 64}};
        const VkResourceDescriptorInfoEXT resource = {.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
                                                      .type = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                                                      .data = {.pTexelBuffer = &about}};
        const VkResult result = f.heaps.write_resources(f.scene.vk.device, 1, &resource, &range);
        if (plain) {
            assert_int_equal(result, VK_SUCCESS);
            assert_int_equal(harness_layer_messages(), 0);
            assert_memory_not_equal(bytes, untouched, range.size);
        } else {
            assert_int_equal(result, VK_ERROR_VALIDATION_FAILED_EXT);
            assert_int_equal(harness_layer_messages(), 1);
            assert_non_null(strstr(harness_layer_message(0), "vkWriteResourceDescriptorsEXT"));
            assert_non_null(strstr(harness_layer_message(0), "feature glBufferView"));
            assert_memory_equal(bytes, untouched, sizeof(bytes));
        }
        harness_messages_reset();
    }
    harness_buffer_destroy(&f.scene.vk, &texels);
    heap_scene_close(&f);
}

/* Messages about what stands in a descriptor's create-info name the call that the program made. */
static void refused_states_name_the_call(void **state)
{
    (void)state;
    struct heap_scene f;
    unsigned char bytes[MOST_BYTES];
    open_alone(&f);
    if (f.native) {
        heap_scene_close(&f);
        skip();
    }
    const VkHostAddressRangeEXT range = {bytes, sizeof(bytes)};
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    const VkSamplerCreateInfo sampler = scene_sampler_info(SCENE_CLAMP, &gl);
    gl.wrapS = TOKEN_LUMINANCE;
    assert_int_equal(f.heaps.write_samplers(f.scene.vk.device, 1, &sampler, &range), VK_ERROR_VALIDATION_FAILED_EXT);
    assert_int_equal(harness_layer_messages(), 1);
    assert_non_null(strstr(harness_layer_message(0), "vkWriteSamplerDescriptorsEXT"));
    harness_messages_reset();

    const VkImageViewGLStateCreateInfoCLAMPLER unasked = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER};
    VkImageViewCreateInfo view = harness_image_view_info(&f.scene.textures[SCENE_STEPS]);
    view.pNext = &unasked;
    const VkImageDescriptorInfoEXT image = {.sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT,
                                            .pView = &view,
                                            .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkResourceDescriptorInfoEXT resource = {.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
                                                  .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                                  .data = {.pImage = &image}};
    assert_int_equal(f.heaps.write_resources(f.scene.vk.device, 1, &resource, &range), VK_ERROR_VALIDATION_FAILED_EXT);
    assert_int_equal(harness_layer_messages(), 1);
    assert_non_null(strstr(harness_layer_message(0), "vkWriteResourceDescriptorsEXT"));
    assert_non_null(strstr(harness_layer_message(0), "feature glImageView"));
    harness_messages_reset();
    heap_scene_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_that_are_too_small_have_no_records),
        cmocka_unit_test(ranges_may_be_larger),
        cmocka_unit_test(numbers_that_nobody_wrote_ask_for_nothing),
        cmocka_unit_test(numbers_that_nobody_wrote_ask_for_nothing_through_untyped_pointers),
        cmocka_unit_test(null_images_read_as_zero),
        cmocka_unit_test(strides_that_leave_no_room_cost_the_records),
        cmocka_unit_test(descriptors_behind_the_heaps_have_no_records),
        cmocka_unit_test(reserved_ranges_are_the_drivers),
        cmocka_unit_test(heaps_that_are_not_aligned_have_no_records),
        cmocka_unit_test(offsets_of_mappings_that_are_not_aligned_are_left_alone),
        cmocka_unit_test(gl_state_of_texel_buffers_needs_its_feature),
        cmocka_unit_test(refused_states_name_the_call),
    };
    return cmocka_run_group_tests_name("heap_bad_input", tests, NULL, NULL);
}
