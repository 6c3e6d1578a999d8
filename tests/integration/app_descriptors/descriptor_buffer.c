/* SPDX-License-Identifier: MIT */
/*
 * Descriptor buffers: every kind of descriptor that is sampled through. Descriptors carry the numbers of their records
 * as bytes of their own; nothing tells the layer where the program writes them.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "integration/app_descriptors/descriptor_scene.h"
#include "integration_descriptor_arrays.h"
#include "integration_descriptor_arrays_of_arrays.h"
#include "integration_descriptor_arrays_separate.h"
#include "integration_descriptor_bindless.h"
#include "integration_descriptor_combined.h"
#include "integration_descriptor_mutable.h"
#include "integration_descriptor_nonuniform.h"
#include "integration_descriptor_one_heap.h"
#include "integration_descriptor_samplers_apart.h"
#include "integration_descriptor_separate.h"
#include "integration_descriptor_single.h"

#define IMAGE VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
#define SAMPLER VK_DESCRIPTOR_TYPE_SAMPLER

static const VkDescriptorSetLayoutBinding single_binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);

/* ---- Arrays ---- */

static void arrays_of_combined_samplers_under_constant_indices(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 2),
                                                            SCENE_BINDING(2, COMBINED_IMAGE_SAMPLER, 1),
                                                            SCENE_BINDING(5, COMBINED_IMAGE_SAMPLER, 3)};
    static const struct {
        uint32_t binding, element;
    } units[SCENE_ROWS] = {{0, 0}, {0, 1}, {2, 0}, {5, 0}, {5, 1}, {5, 2}};
    struct descriptor_scene f;
    struct descriptor_program program;
    descriptor_scene_open(&f, NULL);
    descriptor_program_of(&f, &program, HARNESS_SPIRV(integration_descriptor_combined), bindings, 3);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const enum scene_sampler *rows = descriptor_scene_rows(tier);
        descriptor_scene_raise(&f, tier);
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            descriptor_scene_write(&f, &set, units[row].binding, units[row].element, SCENE_COMBINED, rows[row],
                                   descriptor_scene_texture(row));
        descriptor_scene_draw(&f, &program, &set);
        descriptor_scene_expect_rows(&f, rows);
    }
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

/* Drivers may find what such an element reads by its number in the array, which is longer there. */
static void arrays_of_input_attachments_are_told_of(void **state)
{
    (void)state;
    struct descriptor_scene f;
    descriptor_scene_open(&f, NULL);
    for (uint32_t count = 1; count < 3; count++) {
        const VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
                                                      .descriptorCount = count,
                                                      .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT};
        vkDestroyDescriptorSetLayout(f.scene.vk.device, harness_descriptor_layout(&f.descriptors, &binding, 1, 0, NULL),
                                     NULL);
        assert_int_equal(harness_layer_messages(), count > 1 && !f.native ? 1 : 0);
    }
    harness_messages_reset();
    descriptor_scene_close(&f);
}

/* Draws with push constants of two numbers. */
static void draw_chosen(struct descriptor_scene *f, const struct descriptor_program *program,
                        const struct harness_descriptor_set *set, int32_t first, int32_t second)
{
    const int32_t chosen[2] = {first, second};
    VkCommandBuffer commands = descriptor_scene_begin(f);
    descriptor_scene_bind(f, program, commands);
    descriptor_scene_offset(f, program, commands, 0, set);
    vkCmdPushConstants(commands, program->layout, VK_SHADER_STAGE_ALL, 0, sizeof(chosen), chosen);
    vkCmdDraw(commands, 3, 1, 0, 0);
    descriptor_scene_end(f, commands);
    descriptor_scene_expect_tier(f);
}

static void arrays_of_combined_samplers_under_indices_that_nobody_knows(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, SCENE_ROWS);
    struct descriptor_scene f;
    struct descriptor_program program;
    descriptor_scene_open(&f, NULL);
    const VkDescriptorSetLayout layout = harness_descriptor_layout(&f.descriptors, &binding, 1, 0, NULL);
    descriptor_program_create(&f, &program, VK_SHADER_STAGE_FRAGMENT_BIT, HARNESS_SPIRV(integration_descriptor_arrays),
                              &layout, 1, 8);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const enum scene_sampler *rows = descriptor_scene_rows(tier);
        descriptor_scene_raise(&f, tier);
        for (unsigned i = 0; i < SCENE_ROWS; i++)
            descriptor_scene_write(&f, &set, 0, i, SCENE_COMBINED, rows[i], descriptor_scene_texture(i));
        for (unsigned i = 0; i < SCENE_ROWS; i++) {
            const unsigned next = (i + 1) % SCENE_ROWS;
            draw_chosen(&f, &program, &set, 0, (int32_t)i);
            scene_expect_row(&f.scene, 0, rows[i], descriptor_scene_texture(i));
            scene_expect_row(&f.scene, 1, rows[i], descriptor_scene_texture(i));
            scene_expect_row(&f.scene, 2, rows[next], descriptor_scene_texture(next));
        }
    }
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

static void arrays_of_images_and_samplers_under_indices_that_nobody_knows(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, SAMPLED_IMAGE, 2),
                                                            SCENE_BINDING(1, SAMPLER, 3)};
    struct descriptor_scene f;
    struct descriptor_program program;
    descriptor_scene_open(&f, NULL);
    const VkDescriptorSetLayout layout = harness_descriptor_layout(&f.descriptors, bindings, 2, 0, NULL);
    descriptor_program_create(&f, &program, VK_SHADER_STAGE_FRAGMENT_BIT,
                              HARNESS_SPIRV(integration_descriptor_arrays_separate), &layout, 1, 8);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    for (unsigned i = 0; i < 2; i++)
        descriptor_scene_write(&f, &set, 0, i, IMAGE, SCENE_EDGE, i ? SCENE_STEPS : SCENE_RAMP);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const enum scene_sampler *samplers = descriptor_scene_rows(tier);
        descriptor_scene_raise(&f, tier);
        for (unsigned i = 0; i < 3; i++)
            descriptor_scene_write(&f, &set, 1, i, SAMPLER, samplers[i], SCENE_RAMP);
        for (unsigned i = 0; i < 6; i++) {
            const enum scene_texture texture = i / 3 ? SCENE_STEPS : SCENE_RAMP;
            draw_chosen(&f, &program, &set, (int32_t)(i / 3), (int32_t)(i % 3));
            scene_expect_row(&f.scene, 0, samplers[i % 3], texture);
            scene_expect_row(&f.scene, 1, samplers[i % 3], texture);
            scene_expect_row(&f.scene, 2, samplers[(i + 1) % 3], texture);
        }
    }
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

/* ---- Arrays of arrays ---- */

struct array_scene {
    struct descriptor_scene f;
    struct descriptor_program program;
    struct harness_descriptor_set set;
};

static void open_arrays(struct array_scene *a)
{
    static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, SCENE_ROWS);
    descriptor_scene_open(&a->f, &(struct descriptor_scene_params){.alone = true});
    const VkDescriptorSetLayout layout = harness_descriptor_layout(&a->f.descriptors, &binding, 1, 0, NULL);
    descriptor_program_create(&a->f, &a->program, VK_SHADER_STAGE_FRAGMENT_BIT,
                              HARNESS_SPIRV(integration_descriptor_arrays_of_arrays), &layout, 1, 8);
    a->set = descriptor_scene_set(&a->f, &a->program, 0);
}

static void close_arrays(struct array_scene *a)
{
    descriptor_program_destroy(&a->f, &a->program);
    descriptor_scene_close(&a->f);
}

static void draw_arrays(struct array_scene *a, const enum scene_sampler *rows, unsigned unit)
{
    for (unsigned i = 0; i < SCENE_ROWS; i++)
        descriptor_scene_write(&a->f, &a->set, 0, i, SCENE_COMBINED, rows[i], descriptor_scene_texture(i));
    draw_chosen(&a->f, &a->program, &a->set, (int32_t)(unit / 3), (int32_t)(unit % 3));
}

static bool shows_unit(const struct array_scene *a, unsigned row, unsigned channel, const enum scene_sampler *rows,
                       unsigned unit)
{
    bool shows = true;
    for (unsigned x = 0; x < SCENE_COLUMNS; x++)
        shows &= fabs(a->f.scene.pixels[row][x][channel] -
                      scene_expected(rows[unit], descriptor_scene_texture(unit), x)) <= 1.5 / 255.0;
    return shows;
}

/* The control: does the driver alone find every element? NVIDIA's 580 takes element [1][0] of [2][3] for [0][1]. */
static bool driver_knows_arrays_of_arrays(void)
{
    const enum scene_sampler *rows = descriptor_scene_rows(0);
    const char *layers = getenv("CLAMPLER_TEST_LAYERS");
    char before[64];
    struct array_scene a;
    bool knows = true;
    snprintf(before, sizeof(before), "%s", layers ? layers : "");
    setenv("CLAMPLER_TEST_LAYERS", "none", 1);
    open_arrays(&a);
    if (layers)
        setenv("CLAMPLER_TEST_LAYERS", before, 1);
    else
        unsetenv("CLAMPLER_TEST_LAYERS");
    for (unsigned unit = 0; unit < SCENE_ROWS; unit++) {
        draw_arrays(&a, rows, unit);
        knows &= shows_unit(&a, unit, 0, rows, unit) && shows_unit(&a, 0, 1, rows, unit);
    }
    close_arrays(&a);
    return knows;
}

/* Vulkan's rules for SPIR-V know one array around descriptors, of which validation tells; most drivers take more. */
static void arrays_of_arrays(void **state)
{
    (void)state;
    struct array_scene a;
    open_arrays(&a); /* skips where there are no descriptor buffers */
    close_arrays(&a);
    if (!a.f.least && !driver_knows_arrays_of_arrays()) {
        print_message("the driver alone takes elements of arrays of arrays for others\n");
        skip();
    }
    open_arrays(&a);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&a.f); tier++) {
        const enum scene_sampler *rows = descriptor_scene_rows(tier);
        descriptor_scene_raise(&a.f, tier);
        for (unsigned unit = 0; unit < SCENE_ROWS; unit++) {
            draw_arrays(&a, rows, unit);
            descriptor_scene_expect_rows(&a.f, rows);
            assert_true(shows_unit(&a, 0, 1, rows, unit));
        }
    }
    close_arrays(&a);
}

/* ---- Arrays without a length ---- */

/*
 * An array without a length, whose count the layout leaves open. The set has five of the 24 that are allowed, and ends
 * with the buffer.
 */
static void arrays_without_a_length(bool nonuniform)
{
    enum { MOST = 24, FEW = SCENE_ROWS };
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1),
                                                            SCENE_BINDING(1, COMBINED_IMAGE_SAMPLER, MOST)};
    static const VkDescriptorBindingFlags binding_flags[] = {0, VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT |
                                                                    VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 2,
        .pBindingFlags = binding_flags};
    struct descriptor_scene f;
    struct descriptor_program program;
    descriptor_scene_open(&f, NULL);
    const size_t size = harness_descriptor_size(&f.descriptors, SCENE_COMBINED);
    const VkDeviceSize alignment = f.descriptors.properties.descriptorBufferOffsetAlignment;
    const VkDescriptorSetLayout layout = harness_descriptor_layout(&f.descriptors, bindings, 2, 0, &flags);
    descriptor_program_create(&f, &program, VK_SHADER_STAGE_FRAGMENT_BIT,
                              nonuniform ? HARNESS_SPIRV(integration_descriptor_nonuniform)
                                         : HARNESS_SPIRV(integration_descriptor_bindless),
                              &layout, 1, 0);
    struct harness_descriptor_set set = {.descriptors = &f.descriptors, .layout = layout};
    f.descriptors.binding_offset(f.scene.vk.device, layout, 1, &set.size);
    set.size += FEW * size;
    set.offset = (DESCRIPTOR_SCENE_BYTES - set.size) / alignment * alignment;
    set.bytes = (unsigned char *)f.buffer.buffer.map + set.offset;
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const enum scene_sampler *rows = descriptor_scene_rows(tier);
        descriptor_scene_raise(&f, tier);
        descriptor_scene_write(&f, &set, 0, 0, SCENE_COMBINED, rows[0], SCENE_RAMP);
        for (unsigned row = nonuniform ? 0 : 1; row < SCENE_ROWS; row++)
            descriptor_scene_write(&f, &set, 1, nonuniform ? row : row - 1, SCENE_COMBINED, rows[row],
                                   descriptor_scene_texture(row));
        descriptor_scene_draw(&f, &program, &set);
        descriptor_scene_expect_rows(&f, rows);
    }
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

static void arrays_without_a_length_under_constant_indices(void **state)
{
    (void)state;
    arrays_without_a_length(false);
}

static void arrays_without_a_length_under_indices_that_differ_in_a_quad(void **state)
{
    (void)state;
    arrays_without_a_length(true);
}

/* ---- Images and samplers apart ---- */

static void separate_images_and_samplers(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(1, SAMPLED_IMAGE, 2),
                                                            SCENE_BINDING(3, SAMPLER, 2), SCENE_BINDING(4, SAMPLER, 1)};
    struct descriptor_scene f;
    struct descriptor_program program;
    descriptor_scene_open(&f, NULL);
    descriptor_program_of(&f, &program, HARNESS_SPIRV(integration_descriptor_separate), bindings, 3);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    for (unsigned i = 0; i < 2; i++)
        descriptor_scene_write(&f, &set, 1, i, IMAGE, SCENE_EDGE, i ? SCENE_STEPS : SCENE_RAMP);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const enum scene_sampler *samplers = descriptor_scene_rows(tier);
        descriptor_scene_raise(&f, tier);
        for (unsigned i = 0; i < 3; i++)
            descriptor_scene_write(&f, &set, i < 2 ? 3 : 4, i % 2, SAMPLER, samplers[i], SCENE_RAMP);
        descriptor_scene_draw(&f, &program, &set);
        descriptor_scene_expect_tier(&f);
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            scene_expect_row(&f.scene, row, samplers[row % 3], row / 3 ? SCENE_STEPS : SCENE_RAMP);
    }
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

/*
 * Where set 1 of samplers comes from: a buffer of samplers beside one of images, or nowhere, because the layout has
 * them: embedded ones, or immutable ones that are also in memory.
 */
enum samplers_from { FROM_THEIR_BUFFER, FROM_THE_LAYOUT, FROM_BOTH };

struct apart {
    struct descriptor_scene f;
    struct descriptor_program program;
    struct harness_descriptor_buffer samplers;
    struct harness_descriptor_set images, sampler_set;
    enum samplers_from from;
};

static void open_apart(struct apart *a, enum samplers_from from, const enum scene_sampler *samplers, unsigned tier)
{
    static const VkDescriptorSetLayoutBinding image_binding = SCENE_BINDING(0, SAMPLED_IMAGE, 2);
    VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, SAMPLER, 1), SCENE_BINDING(1, SAMPLER, 1),
                                               SCENE_BINDING(2, SAMPLER, 1)};
    struct descriptor_scene *f = &a->f;
    VkDescriptorSetLayout layouts[2];
    a->from = from;
    descriptor_scene_raise(f, tier);
    for (unsigned i = 0; i < 3 && from != FROM_THEIR_BUFFER; i++)
        bindings[i].pImmutableSamplers = &f->scene.samplers[samplers[i]];
    layouts[0] = harness_descriptor_layout(&f->descriptors, &image_binding, 1, 0, NULL);
    layouts[1] = harness_descriptor_layout(
        &f->descriptors, bindings, 3,
        from == FROM_THE_LAYOUT ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT : 0, NULL);
    descriptor_program_create(f, &a->program, VK_SHADER_STAGE_FRAGMENT_BIT,
                              HARNESS_SPIRV(integration_descriptor_samplers_apart), layouts, 2, 0);
    a->images = descriptor_scene_set(f, &a->program, 0);
    for (unsigned i = 0; i < 2; i++)
        descriptor_scene_write(f, &a->images, 0, i, IMAGE, SCENE_EDGE, i ? SCENE_STEPS : SCENE_RAMP);
    if (from == FROM_THE_LAYOUT)
        return;
    harness_descriptor_buffer_create(&f->descriptors, &a->samplers, VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT,
                                     1 << 14);
    a->samplers.used = 1;
    a->sampler_set = harness_descriptor_set_take(&f->descriptors, &a->samplers, layouts[1]);
    for (unsigned i = 0; i < 3; i++)
        descriptor_scene_write(f, &a->sampler_set, bindings[i].binding, 0, SAMPLER, samplers[i], SCENE_RAMP);
}

static void draw_apart(struct apart *a)
{
    struct descriptor_scene *f = &a->f;
    const struct harness_descriptor_buffer *buffers[] = {&a->samplers, &f->buffer};
    VkCommandBuffer commands = descriptor_scene_begin(f);
    if (a->from != FROM_THE_LAYOUT)
        harness_descriptor_buffers_bind(&f->descriptors, commands, buffers, 2);
    descriptor_scene_bind(f, &a->program, commands);
    harness_descriptor_offset(&f->descriptors, commands, a->program.point, a->program.layout, 0,
                              a->from == FROM_THE_LAYOUT ? 0 : 1, a->images.offset);
    if (a->from == FROM_THE_LAYOUT)
        f->descriptors.bind_embedded(commands, a->program.point, a->program.layout, 1);
    else
        harness_descriptor_offset(&f->descriptors, commands, a->program.point, a->program.layout, 1, 0,
                                  a->sampler_set.offset);
    vkCmdDraw(commands, 3, 1, 0, 0);
    descriptor_scene_end(f, commands);
}

static void samplers_come_from(enum samplers_from from)
{
    struct apart a;
    descriptor_scene_open(&a.f, NULL);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&a.f); tier++) {
        const enum scene_sampler *samplers = descriptor_scene_rows(tier);
        open_apart(&a, from, samplers, tier);
        draw_apart(&a);
        descriptor_scene_expect_tier(&a.f);
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            scene_expect_row(&a.f.scene, row, samplers[row % 3], row / 3 ? SCENE_STEPS : SCENE_RAMP);
        descriptor_program_destroy(&a.f, &a.program);
        if (from != FROM_THE_LAYOUT)
            harness_descriptor_buffer_destroy(&a.f.descriptors, &a.samplers);
    }
    descriptor_scene_close(&a.f);
}

static void samplers_in_a_buffer_of_their_own(void **state)
{
    (void)state;
    samplers_come_from(FROM_THEIR_BUFFER);
}

/* lavapipe 26.2 dies of draws with embedded samplers: a process of its own tries it with the driver alone. */
static const char try_embedded[] = "--try-embedded";

static bool driver_embeds(void)
{
    char *const arguments[] = {"descriptors", (char *)(uintptr_t)try_embedded, NULL};
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        setenv("CLAMPLER_TEST_LAYERS", "none", 1);
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        execv("/proc/self/exe", arguments);
        _exit(1);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void embedded_immutable_samplers(void **state)
{
    if (!*state && !driver_embeds()) {
        print_message("the driver alone dies of embedded samplers\n");
        skip();
    }
    samplers_come_from(FROM_THE_LAYOUT);
}

static void immutable_samplers(void **state)
{
    (void)state;
    samplers_come_from(FROM_BOTH);
}

/* The sampler of the layout is written with the image, as descriptor buffers ask for. */
static void immutable_samplers_of_combined_ones(void **state)
{
    (void)state;
    struct descriptor_scene f;
    descriptor_scene_open(&f, NULL);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const enum scene_sampler sampler = descriptor_scene_rows(tier)[1];
        VkDescriptorSetLayoutBinding binding = single_binding;
        struct descriptor_program program;
        descriptor_scene_raise(&f, tier);
        binding.pImmutableSamplers = &f.scene.samplers[sampler];
        descriptor_program_of(&f, &program, HARNESS_SPIRV(integration_descriptor_single), &binding, 1);
        const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
        descriptor_scene_write(&f, &set, 0, 0, SCENE_COMBINED, sampler, SCENE_STEPS);
        descriptor_scene_draw(&f, &program, &set);
        descriptor_scene_expect_all(&f, sampler, SCENE_STEPS);
        descriptor_program_destroy(&f, &program);
    }
    descriptor_scene_close(&f);
}

/* ---- Mutable descriptors ---- */

/* Images of a heap whose descriptors were storage buffers before. */
static void mutable_descriptors(void **state)
{
    (void)state;
    enum { HEAP = 3, DESCRIPTORS = 12 };
    static const VkDescriptorType heap_types[] = {IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
    static const VkMutableDescriptorTypeListEXT lists[] = {{0, NULL}, {2, heap_types}};
    static const VkMutableDescriptorTypeCreateInfoEXT types = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = 2,
        .pMutableDescriptorTypeLists = lists};
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, SAMPLER, 2),
                                                            SCENE_BINDING(HEAP, MUTABLE_EXT, DESCRIPTORS)};
    const VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT,
        .mutableDescriptorType = VK_TRUE};
    const struct descriptor_scene_params params = {.extensions = {VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME},
                                                   .next = &features};
    struct descriptor_scene f;
    struct descriptor_program program;
    struct harness_buffer storage;
    descriptor_scene_open(&f, &params);
    harness_buffer_create(&f.scene.vk, &storage,
                          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, 64, NULL);
    const VkDeviceAddress address = harness_buffer_address(&f.scene.vk, &storage);
    const VkDescriptorSetLayout layout = harness_descriptor_layout(&f.descriptors, bindings, 2, 0, &types);
    descriptor_program_create(&f, &program, VK_SHADER_STAGE_FRAGMENT_BIT, HARNESS_SPIRV(integration_descriptor_mutable),
                              &layout, 1, 0);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    /* A descriptor that may be either takes the room of the larger one. */
    const size_t image = harness_descriptor_size(&f.descriptors, IMAGE),
                 buffer = harness_descriptor_size(&f.descriptors, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER),
                 stride = image > buffer ? image : buffer;
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const enum scene_sampler *samplers = descriptor_scene_rows(tier);
        descriptor_scene_raise(&f, tier);
        for (unsigned i = 0; i < DESCRIPTORS; i++)
            harness_descriptor_range(&f.descriptors, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, address, storage.size,
                                     VK_FORMAT_UNDEFINED, harness_descriptor_at(&set, HEAP, i, stride));
        for (unsigned i = 0; i < SCENE_ROWS; i++)
            harness_descriptor_image(&f.descriptors, IMAGE, VK_NULL_HANDLE,
                                     f.scene.textures[descriptor_scene_texture(i)].view,
                                     harness_descriptor_at(&set, HEAP, i, stride));
        for (unsigned i = 0; i < 2; i++)
            descriptor_scene_write(&f, &set, 0, i, SAMPLER, samplers[i], SCENE_RAMP);
        descriptor_scene_draw(&f, &program, &set);
        descriptor_scene_expect_tier(&f);
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            scene_expect_row(&f.scene, row, samplers[row % 2], descriptor_scene_texture(row));
    }
    harness_buffer_destroy(&f.scene.vk, &storage);
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

/* One binding for all, as Direct3D 12's programs may have it: a descriptor is an image or a sampler. */
static void images_and_samplers_in_one_heap(void **state)
{
    (void)state;
    struct descriptor_scene f;
    struct descriptor_program program;
    const VkDescriptorSetLayout layout = descriptor_scene_open_mutable(&f, 2 * SCENE_ROWS);
    descriptor_program_create(&f, &program, VK_SHADER_STAGE_FRAGMENT_BIT,
                              HARNESS_SPIRV(integration_descriptor_one_heap), &layout, 1, 0);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    const size_t stride = descriptor_scene_mutable_stride(&f);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const enum scene_sampler *rows = descriptor_scene_rows(tier);
        descriptor_scene_raise(&f, tier);
        for (unsigned row = 0; row < SCENE_ROWS; row++) {
            harness_descriptor_image(&f.descriptors, IMAGE, VK_NULL_HANDLE,
                                     f.scene.textures[descriptor_scene_texture(row)].view,
                                     harness_descriptor_at(&set, 0, 2 * row, stride));
            harness_descriptor_image(&f.descriptors, SAMPLER, f.scene.samplers[rows[row]], VK_NULL_HANDLE,
                                     harness_descriptor_at(&set, 0, 2 * row + 1, stride));
        }
        descriptor_scene_draw(&f, &program, &set);
        descriptor_scene_expect_rows(&f, rows);
    }
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

/*
 * A set's number says too little of where its records are: the driver's own semantics, and descriptors as far apart as
 * the program placed them. No driver here has the extension; none minds the flag.
 */
static void sets_that_are_bound_by_stage_are_the_drivers(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 2),
                                                            SCENE_BINDING(2, COMBINED_IMAGE_SAMPLER, 1),
                                                            SCENE_BINDING(5, COMBINED_IMAGE_SAMPLER, 3)};
    const VkFlags by_stage = 0x40; /* VK_DESCRIPTOR_SET_LAYOUT_CREATE_PER_STAGE_BIT_NV */
    struct descriptor_scene f;
    struct descriptor_program program;
    descriptor_scene_open(&f, &(struct descriptor_scene_params){.alone = true});
    if (f.least) {
        descriptor_scene_close(&f);
        print_message("the driver's own semantics are no filter here\n");
        skip();
    }
    const VkDescriptorSetLayout layout = harness_descriptor_layout(&f.descriptors, bindings, 3, by_stage, NULL);
    descriptor_program_create(&f, &program, VK_SHADER_STAGE_FRAGMENT_BIT,
                              HARNESS_SPIRV(integration_descriptor_combined), &layout, 1, 0);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    descriptor_scene_raise(&f, descriptor_scene_tiers(&f));
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        descriptor_scene_write(&f, &set,
                               row < 2   ? 0
                               : row < 3 ? 2
                                         : 5,
                               row < 2   ? row
                               : row < 3 ? 0
                                         : row - 3,
                               SCENE_COMBINED, descriptor_scene_rows(0)[row], descriptor_scene_texture(row));
    descriptor_scene_draw(&f, &program, &set);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f.scene, row, descriptor_scene_rows(0)[row], descriptor_scene_texture(row));
    if (!f.native) {
        scene_expect_tier(&f.scene, 0);
        assert_int_equal(harness_layer_messages(), 1);
        assert_non_null(strstr(harness_layer_message(0), "bound by stage"));
        harness_messages_reset();
    }
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

int main(int count, char **arguments)
{
    static int tries; /* makes a state that is not NULL */
    const struct CMUnitTest embedded[] = {cmocka_unit_test_prestate(embedded_immutable_samplers, &tries)};
    if (count > 1 && strcmp(arguments[1], try_embedded) == 0)
        return cmocka_run_group_tests_name("embedded samplers", embedded, NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_of_combined_samplers_under_constant_indices),
        cmocka_unit_test(arrays_of_input_attachments_are_told_of),
        cmocka_unit_test(arrays_of_combined_samplers_under_indices_that_nobody_knows),
        cmocka_unit_test(arrays_of_images_and_samplers_under_indices_that_nobody_knows),
        cmocka_unit_test(arrays_of_arrays),
        cmocka_unit_test(arrays_without_a_length_under_constant_indices),
        cmocka_unit_test(arrays_without_a_length_under_indices_that_differ_in_a_quad),
        cmocka_unit_test(separate_images_and_samplers),
        cmocka_unit_test(samplers_in_a_buffer_of_their_own),
        cmocka_unit_test(embedded_immutable_samplers),
        cmocka_unit_test(immutable_samplers),
        cmocka_unit_test(immutable_samplers_of_combined_ones),
        cmocka_unit_test(mutable_descriptors),
        cmocka_unit_test(images_and_samplers_in_one_heap),
        cmocka_unit_test(sets_that_are_bound_by_stage_are_the_drivers),
    };
    return cmocka_run_group_tests_name("descriptor_buffer", tests, NULL, NULL);
}
