/* SPDX-License-Identifier: MIT */
/*
 * Draws with update-after-bind sets are recorded before their descriptors are written. What a sampler and a view come
 * to then may depend on the room that the driver has left: for custom border colours, or for samplers at all. The
 * samplers were there when the draw was recorded, so it must show them.
 */
#include <math.h>
#include <stdlib.h>

#include "gl/gl_tokens.h"
#include "integration/layers/faults.h"
#include "integration/shared/scene.h"
#include "integration_late_pairs.h"
#include "limited_driver/limited_driver.h"

enum { TEXELS = 4, MOST = 40 };

static const char border_colours[] = VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME;

static const uint8_t bytes[TEXELS] = {20, 180, 60, 240};

struct fixture {
    struct scene scene;
    struct scene_program program, before; /* sets of `before` are written before they are bound */
    VkDescriptorPool pool;
    VkDescriptorSet late, early;
    struct harness_image image;
    VkSampler samplers[MOST];
    uint32_t count;
};

static void create_programs(struct fixture *f)
{
    static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    static const VkDescriptorBindingFlags flags = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
    static const VkDescriptorSetLayoutBindingFlagsCreateInfo binding_flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 1,
        .pBindingFlags = &flags};
    static const VkDescriptorPoolSize sizes[] = {{SCENE_COMBINED, 4}};
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .flags = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT,
                                             .maxSets = 1,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = sizes};
    scene_program_create(&f->scene, &f->before, HARNESS_SPIRV(integration_late_pairs), &binding, 1, 0, NULL);
    scene_program_create(&f->scene, &f->program, HARNESS_SPIRV(integration_late_pairs), &binding, 1,
                         VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT, &binding_flags);
    f->early = harness_set(&f->scene.vk, f->before.set_layout);
    HARNESS_VK(vkCreateDescriptorPool(f->scene.vk.device, &info, NULL, &f->pool));
    const VkDescriptorPool kept = f->scene.vk.descriptors;
    f->scene.vk.descriptors = f->pool;
    f->late = harness_set(&f->scene.vk, f->program.set_layout);
    f->scene.vk.descriptors = kept;
}

/* Of OpenGL's states, which differ in their borders: the driver's sampler of each has a colour of its own. */
static float border_of(uint32_t number)
{
    return (float)(number + 1) / 64.0f;
}

static VkSampler sampler_of(struct fixture *f, float border)
{
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                   .wrapS = TOKEN_CLAMP_TO_BORDER,
                                                   .wrapT = TOKEN_CLAMP_TO_EDGE,
                                                   .minFilter = TOKEN_LINEAR,
                                                   .magFilter = TOKEN_LINEAR,
                                                   .maxLod = 1000,
                                                   .cubeMapSeamless = VK_TRUE,
                                                   .borderColor = {.float32 = {border, 0, 0, 1}}};
    return harness_sampler(&f->scene.vk,
                           &(VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl});
}

/* The program's own, with a border colour that is Vulkan's. */
static VkSampler own_sampler(struct fixture *f, uint32_t number)
{
    const VkSamplerCustomBorderColorCreateInfoEXT border = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
        .customBorderColor = {.float32 = {0, border_of(number), 0, 1}},
        .format = VK_FORMAT_R8G8B8A8_UNORM};
    const VkSamplerAddressMode mode = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    return harness_sampler(&f->scene.vk, &(VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                                                .pNext = &border,
                                                                .addressModeU = mode,
                                                                .addressModeV = mode,
                                                                .addressModeW = mode,
                                                                .borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT});
}

static void open_fixture(struct fixture *f, const char *rules, uint32_t count)
{
    static const char *const names[] = {border_colours};
    VkPhysicalDeviceCustomBorderColorFeaturesEXT borders = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT, .customBorderColors = VK_TRUE};
    VkPhysicalDeviceVulkan12Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                 .pNext = &borders,
                                                 .descriptorIndexing = VK_TRUE,
                                                 .descriptorBindingSampledImageUpdateAfterBind = VK_TRUE};
    const struct harness_image_params params = {
        .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R8_UNORM, .width = TEXELS, .height = 1};
    scene_skip_without(border_colours);
    struct fault_control *control = faults_open();
    *f = (struct fixture){.count = 0};
    control->promise_indexing = true; /* lavapipe of Mesa 22.3 works with what it does not promise */
    faults_arm(control, 0, VK_SUCCESS);
    setenv("LIMITED_DRIVER_RULES", rules, 1);
    scene_open_device(&f->scene, &(struct harness_vulkan_params){.layers = "clampler:validation:limited:" FAULT_LAYER,
                                                                 .device_next = &features,
                                                                 .device_extensions = names,
                                                                 .device_extension_count = 1});
    unsetenv("LIMITED_DRIVER_RULES");
    scene_make(&f->scene, false);
    create_programs(f);
    harness_image_create(&f->scene.vk, &f->image, &params, bytes);
    for (; f->count < count; f->count++)
        f->samplers[f->count] = sampler_of(f, border_of(f->count));
}

static void close_fixture(struct fixture *f)
{
    const PFN_limitedDriverGetViolations get =
        (PFN_limitedDriverGetViolations)vkGetDeviceProcAddr(f->scene.vk.device, "vkGetViolationsLIMITED");
    assert_non_null(get);
    assert_int_equal(get(f->scene.vk.device, 0, NULL), 0);
    while (f->count)
        vkDestroySampler(f->scene.vk.device, f->samplers[--f->count], NULL);
    harness_image_destroy(&f->scene.vk, &f->image);
    vkDestroyDescriptorPool(f->scene.vk.device, f->pool, NULL);
    scene_program_destroy(&f->scene, &f->program);
    scene_program_destroy(&f->scene, &f->before);
    scene_close(&f->scene);
    faults_open()->promise_indexing = false;
}

static double texel_of(double border, int index)
{
    return index < 0 || index >= TEXELS ? border : bytes[index] / 255.0;
}

/* Section 8.14 of OpenGL 4.6 compatibility. */
static void expect_picture(const struct fixture *f, uint32_t number)
{
    for (unsigned x = 0; x < SCENE_COLUMNS; x++) {
        const double u = (((double)x + 0.5) * 3.0 / SCENE_COLUMNS - 1.0) * TEXELS, base = floor(u - 0.5),
                     weight = u - 0.5 - base, border = (double)border_of(number),
                     right = texel_of(border, (int)base) * (1 - weight) + texel_of(border, (int)base + 1) * weight,
                     found = (double)f->scene.pixels[0][x][0];
        if (!(fabs(right - found) <= 4.0 / 256))
            print_error("sampler %u, column %u: %.4f, not %.4f\n", number, x, found, right);
        assert_true(fabs(right - found) <= 4.0 / 256);
    }
}

static void write_sampler(struct fixture *f, VkDescriptorSet set, uint32_t number)
{
    harness_write_image(&f->scene.vk, set, 0, 0, SCENE_COMBINED, f->samplers[number], f->image.view);
}

/* Returns the tier. */
static unsigned draw_early(struct fixture *f, uint32_t number)
{
    write_sampler(f, f->early, number);
    scene_draw(&f->scene, f->before.pipeline, f->before.layout, 1, &f->early);
    expect_picture(f, number);
    return f->scene.drew[2] ? 2 : f->scene.drew[1] ? 1 : 0;
}

/* `others`: samplers of the program's own, with border colours. */
struct room {
    const char *rules;
    uint32_t count, others;
};

static void open_room(struct fixture *f, const struct room *room, VkSampler others[MOST])
{
    open_fixture(f, room->rules, room->count);
    for (uint32_t i = 0; i < room->others; i++)
        others[i] = own_sampler(f, i);
}

static void close_room(struct fixture *f, const struct room *room, const VkSampler others[MOST])
{
    for (uint32_t i = 0; i < room->others; i++)
        vkDestroySampler(f->scene.vk.device, others[i], NULL);
    close_fixture(f);
}

/* The first whose pair the driver has no room for. */
static uint32_t first_without_room(const struct room *room)
{
    struct fixture f;
    VkSampler others[MOST];
    uint32_t number = 0;
    open_room(&f, room, others);
    while (number < room->count && draw_early(&f, number) < 2)
        number++;
    assert_true(number > 0 && number < room->count);
    close_room(&f, room, others);
    return number;
}

static void draw_late(struct fixture *f, uint32_t number)
{
    VkCommandBuffer commands = scene_begin(&f->scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->program.pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->program.layout, 0, 1, &f->late, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    write_sampler(f, f->late, number);
    scene_end(&f->scene, commands);
    expect_picture(f, number);
}

static void draw_without_room(const struct room *room)
{
    const uint32_t full = first_without_room(room);
    struct fixture f;
    VkSampler others[MOST];
    open_room(&f, room, others);
    for (uint32_t number = 0; number < full; number++)
        draw_early(&f, number);
    draw_late(&f, full);
    assert_int_equal(f.scene.drew[2], 1);
    assert_int_equal(harness_counters(&f.scene.vk).outgrown_submits, 0);
    close_room(&f, room, others);
}

static void without_room_for_border_colours(void **state)
{
    (void)state;
    draw_without_room(&(struct room){"limit maxCustomBorderColorSamplers 24", 30, 0});
}

static void without_room_beside_the_programs_own_border_colours(void **state)
{
    (void)state;
    draw_without_room(&(struct room){"limit maxCustomBorderColorSamplers 24", 20, 5});
}

static void without_room_for_samplers(void **state)
{
    (void)state;
    draw_without_room(&(struct room){"limit maxSamplerAllocationCount 64", 30, 0});
}

/* With room for all that are there at once, draws have the tier that they need. */
static void with_room(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, "limit maxCustomBorderColorSamplers 24; limit maxSamplerAllocationCount 128", 20);
    for (uint32_t i = 0; i < 200; i++)
        vkDestroySampler(f.scene.vk.device, sampler_of(&f, 0.5f + (float)i / 1024.0f), NULL);
    for (uint32_t number = 0; number < f.count; number++) {
        draw_late(&f, number);
        assert_int_equal(f.scene.drew[0], 1);
    }
    assert_int_equal(harness_counters(&f.scene.vk).outgrown_submits, 0);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_room_for_border_colours),
        cmocka_unit_test(without_room_beside_the_programs_own_border_colours),
        cmocka_unit_test(without_room_for_samplers),
        cmocka_unit_test(with_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
