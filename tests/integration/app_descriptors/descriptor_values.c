/* SPDX-License-Identifier: MIT */
/*
 * Descriptor buffers: what descriptors say. Wrap modes and border colours of every kind, combined image samplers that
 * shaders take apart, texel buffers, null descriptors, sizes, and numbers of records that nobody wrote.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/app_descriptors/descriptor_scene.h"
#include "integration_descriptor_halves_combined.h"
#include "integration_descriptor_halves_elements.h"
#include "integration_descriptor_halves_function.h"
#include "integration_descriptor_halves_image.h"
#include "integration_descriptor_halves_indexed.h"
#include "integration_descriptor_halves_other_elements.h"
#include "integration_descriptor_halves_own.h"
#include "integration_descriptor_halves_sampler.h"
#include "integration_descriptor_halves_swapped.h"
#include "integration_descriptor_single.h"
#include "integration_descriptor_texels.h"
#include "integration_descriptor_texels_drawn.h"

static const VkDescriptorSetLayoutBinding single_binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);

/* ---- Wrap modes and borders ---- */

enum { TEXELS = 4 };

static const struct wrap {
    uint32_t mode;
    double low, high; /* the coordinate in texels is kept between them */
    bool mirrors;
} wraps[] = {{TOKEN_CLAMP_TO_EDGE, 0.5, TEXELS - 0.5, false},
             {TOKEN_CLAMP_TO_BORDER, -0.5, TEXELS + 0.5, false},
             {TOKEN_CLAMP, 0, TEXELS, false},
             {TOKEN_MIRROR_CLAMP, 0.5, TEXELS, true},
             {TOKEN_MIRROR_CLAMP_TO_EDGE, 0.5, TEXELS - 0.5, true},
             {TOKEN_MIRROR_CLAMP_TO_BORDER, 0.5, TEXELS + 0.5, true}};
enum { WRAPS = sizeof(wraps) / sizeof(wraps[0]) };

/* White is a colour that every driver has. */
static const float borders[] = {1.0f, 0.3f};
enum { BORDERS = sizeof(borders) / sizeof(borders[0]) };

static double ramp_texel(int index, float border)
{
    static const double texels[TEXELS] = {51 / 255.0, 102 / 255.0, 153 / 255.0, 204 / 255.0};
    return index < 0 || index >= TEXELS ? (double)border : texels[index];
}

static float wrapped(const struct wrap *wrap, float border, unsigned column)
{
    const double s = ((double)column + 0.5) * 3.0 / SCENE_COLUMNS - 1.0, t = (wrap->mirrors ? fabs(s) : s) * TEXELS;
    const double u = fmin(fmax(t, wrap->low), wrap->high) - 0.5, base = floor(u), weight = u - base;
    return (float)(ramp_texel((int)base, border) * (1.0 - weight) + ramp_texel((int)base + 1, border) * weight);
}

static VkSampler wrap_sampler(struct descriptor_scene *f, const struct wrap *wrap, float border)
{
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                   .wrapS = wrap->mode,
                                                   .wrapT = TOKEN_CLAMP_TO_EDGE,
                                                   .wrapR = TOKEN_CLAMP_TO_EDGE,
                                                   .minFilter = TOKEN_LINEAR,
                                                   .magFilter = TOKEN_LINEAR,
                                                   .maxLod = 1000.0f,
                                                   .borderColor = {.float32 = {border, border, border, 1}}};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl};
    return harness_sampler(&f->scene.vk, &info);
}

/* `missing`: what the layer takes the driver to lack. All draws are of one tier at last, because the mark only rises.
 */
static void wraps_and_borders(const char *missing, unsigned last_tier)
{
    struct descriptor_scene f;
    struct descriptor_program program;
    descriptor_scene_open(&f, &(struct descriptor_scene_params){.missing = missing});
    if (f.native) {
        print_message("the driver has no samplers with OpenGL's modes\n");
        descriptor_scene_close(&f);
        skip();
    }
    descriptor_program_of(&f, &program, HARNESS_SPIRV(integration_descriptor_single), &single_binding, 1);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    for (unsigned i = 0; i < WRAPS * BORDERS * 2; i++) {
        const struct wrap *wrap = &wraps[i % WRAPS];
        const float border = borders[i / WRAPS % BORDERS];
        VkSampler sampler = wrap_sampler(&f, wrap, border);
        harness_descriptor_put_image(&set, 0, 0, SCENE_COMBINED, sampler, f.scene.textures[SCENE_RAMP].view);
        descriptor_scene_draw(&f, &program, &set);
        if (i >= WRAPS * BORDERS)
            scene_expect_tier(&f.scene, last_tier > f.tier ? last_tier : f.tier);
        for (unsigned x = 0; x < SCENE_COLUMNS; x++) {
            const float wanted = wrapped(wrap, border, x), found = f.scene.pixels[2][x][0];
            if (fabsf(found - wanted) <= 1.5f / 255.0f)
                continue;
            print_error("wrap 0x%04X, border %g, column %u is %f, not %f\n", wrap->mode, (double)border, x,
                        (double)found, (double)wanted);
            fail();
        }
        vkDestroySampler(f.scene.vk.device, sampler, NULL);
    }
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

static void wrap_modes_and_border_colours(void **state)
{
    (void)state;
    wraps_and_borders(NULL, 1);
}

static void border_colours_that_the_driver_lacks(void **state)
{
    (void)state;
    wraps_and_borders("custom_border_color,mirror_clamp_to_edge", 2);
}

/* ---- Halves ---- */

/* How a shader puts together again what it took from combined image samplers, or separate descriptors. */
static const struct halves {
    const uint32_t *words;
    size_t bytes;
    uint32_t count[2];         /* of bindings 0 and 1; 0: there is none */
    VkDescriptorType types[2]; /* of them */
    uint32_t image[2], how[2]; /* binding and element of the texture and of the sampler */
    bool indexed;              /* the elements are push constants */
} halves[] = {
#define HALVES(NAME) integration_descriptor_halves_##NAME, sizeof(integration_descriptor_halves_##NAME)
    {HALVES(own), {1, 0}, {SCENE_COMBINED}, {0, 0}, {0, 0}, false},
    {HALVES(elements), {3, 0}, {SCENE_COMBINED}, {0, 2}, {0, 2}, false},
    {HALVES(other_elements), {3, 0}, {SCENE_COMBINED}, {0, 2}, {0, 1}, false},
    {HALVES(swapped), {1, 1}, {SCENE_COMBINED, SCENE_COMBINED}, {1, 0}, {0, 0}, false},
    {HALVES(function), {1, 1}, {SCENE_COMBINED, SCENE_COMBINED}, {1, 0}, {0, 0}, false},
    {HALVES(image), {1, 1}, {SCENE_COMBINED, VK_DESCRIPTOR_TYPE_SAMPLER}, {0, 0}, {1, 0}, false},
    {HALVES(sampler), {1, 1}, {SCENE_COMBINED, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE}, {1, 0}, {0, 0}, false},
    {HALVES(indexed), {3, 0}, {SCENE_COMBINED}, {0, 1}, {0, 2}, true},
#undef HALVES
};

static void draw_halves(struct descriptor_scene *f, const struct descriptor_program *program,
                        const struct harness_descriptor_set *set, const struct halves *how,
                        float pixels[SCENE_ROWS][SCENE_COLUMNS][4])
{
    const int32_t elements[2] = {how ? (int32_t)how->image[1] : 0, how ? (int32_t)how->how[1] : 0};
    VkCommandBuffer commands = descriptor_scene_begin(f);
    descriptor_scene_bind(f, program, commands);
    descriptor_scene_offset(f, program, commands, 0, set);
    vkCmdPushConstants(commands, program->layout, VK_SHADER_STAGE_ALL, 0, sizeof(elements), elements);
    vkCmdDraw(commands, 3, 1, 0, 0);
    descriptor_scene_end(f, commands);
    descriptor_scene_expect_tier(f);
    memcpy(pixels, f->scene.pixels, sizeof(f->scene.pixels));
}

static void create_halves(struct descriptor_scene *f, struct descriptor_program *program, struct harness_spirv code,
                          const uint32_t count[2], const VkDescriptorType types[2])
{
    const VkDescriptorSetLayoutBinding bindings[2] = {{0, types[0], count[0], VK_SHADER_STAGE_FRAGMENT_BIT, NULL},
                                                      {1, types[1], count[1], VK_SHADER_STAGE_FRAGMENT_BIT, NULL}};
    const VkDescriptorSetLayout layout =
        harness_descriptor_layout(&f->descriptors, bindings, count[1] ? 2 : 1, 0, NULL);
    descriptor_program_create(f, program, VK_SHADER_STAGE_FRAGMENT_BIT, code, &layout, 1, 8);
}

/*
 * The texture of one descriptor and the sampler of another, both beside a texture or sampler of other kinds: as a
 * combined image sampler of the two.
 */
static void compare_halves(struct descriptor_scene *f, const struct halves *how, enum scene_sampler sampler,
                           const struct descriptor_program *combined, const struct harness_descriptor_set *whole)
{
    static float wanted[SCENE_ROWS][SCENE_COLUMNS][4], found[SCENE_ROWS][SCENE_COLUMNS][4];
    struct descriptor_program program;
    const VkDeviceSize used = f->buffer.used;
    create_halves(f, &program, (struct harness_spirv){how->words, how->bytes}, how->count, how->types);
    const struct harness_descriptor_set set = descriptor_scene_set(f, &program, 0);
    for (uint32_t binding = 0; binding < 2; binding++)
        for (uint32_t element = 0; element < how->count[binding]; element++) {
            const bool image = how->image[0] == binding && how->image[1] == element;
            const bool is_sampler = how->how[0] == binding && how->how[1] == element;
            descriptor_scene_write(f, &set, binding, element, how->types[binding], is_sampler ? sampler : SCENE_EDGE,
                                   image ? SCENE_STEPS : SCENE_RAMP);
        }
    descriptor_scene_write(f, whole, 0, 0, SCENE_COMBINED, sampler, SCENE_STEPS);
    draw_halves(f, combined, whole, NULL, wanted);
    scene_expect_row(&f->scene, 0, sampler, SCENE_STEPS);
    draw_halves(f, &program, &set, how, found);
    scene_expect_row(&f->scene, 0, sampler, SCENE_STEPS);
    for (unsigned i = 0; i < SCENE_ROWS * SCENE_COLUMNS * 4; i++)
        assert_float_equal((&found[0][0][0])[i], (&wanted[0][0][0])[i], 0.5f / 255.0f);
    descriptor_program_destroy(f, &program);
    f->buffer.used = used;
}

static void textures_and_samplers_of_combined_ones_apart(void **state)
{
    (void)state;
    static const uint32_t one[2] = {1, 0};
    static const VkDescriptorType types[2] = {SCENE_COMBINED, SCENE_COMBINED};
    struct descriptor_scene f;
    struct descriptor_program combined;
    descriptor_scene_open(&f, NULL);
    create_halves(&f, &combined, HARNESS_SPIRV(integration_descriptor_halves_combined), one, types);
    const struct harness_descriptor_set whole = descriptor_scene_set(&f, &combined, 0);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        descriptor_scene_raise(&f, tier);
        for (unsigned i = 0; i < sizeof(halves) / sizeof(halves[0]); i++)
            for (unsigned row = 0; row < 3; row++)
                compare_halves(&f, &halves[i], descriptor_scene_rows(tier)[row], &combined, &whole);
    }
    descriptor_program_destroy(&f, &combined);
    descriptor_scene_close(&f);
}

/* ---- Descriptors of nothing ---- */

/* Zero is read through a null image, whatever its sampler asks for. */
static void null_images_read_as_zero(void **state)
{
    (void)state;
    const VkPhysicalDeviceRobustness2FeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT, .nullDescriptor = VK_TRUE};
    struct descriptor_scene f;
    struct descriptor_program program;
    descriptor_scene_open(
        &f, &(struct descriptor_scene_params){.extensions = {VK_EXT_ROBUSTNESS_2_EXTENSION_NAME}, .next = &features});
    descriptor_program_of(&f, &program, HARNESS_SPIRV(integration_descriptor_single), &single_binding, 1);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        descriptor_scene_raise(&f, tier);
        for (unsigned row = 0; row < SCENE_ROWS; row++) {
            const enum scene_sampler sampler = descriptor_scene_rows(tier)[row];
            harness_descriptor_put_image(&set, 0, 0, SCENE_COMBINED, f.scene.samplers[sampler], VK_NULL_HANDLE);
            descriptor_scene_draw(&f, &program, &set);
            descriptor_scene_expect_all(&f, SCENE_NOTHING, SCENE_RAMP);
            descriptor_scene_write(&f, &set, 0, 0, SCENE_COMBINED, sampler, SCENE_RAMP);
            descriptor_scene_draw(&f, &program, &set);
            descriptor_scene_expect_all(&f, sampler, SCENE_RAMP);
        }
    }
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

/* ---- Sizes and numbers ---- */

static void expect_size(size_t shown, size_t driver, bool carries)
{
    const size_t times = driver >= sizeof(uint32_t) ? 2 : (driver + sizeof(uint32_t) + driver - 1) / driver;
    assert_int_equal(shown, carries ? times * driver : driver);
}

/*
 * Descriptors that are sampled through take the least multiple of the driver's size with room for a number, samplers
 * also for two nearest ones.
 */
static void sizes_have_room_for_the_numbers_of_records(void **state)
{
    (void)state;
    struct descriptor_scene f;
    descriptor_scene_open(&f, NULL);
    const bool carries = !f.native;
    const VkPhysicalDeviceDescriptorBufferPropertiesEXT shown = f.descriptors.properties,
                                                        driver = descriptor_scene_driver();
    expect_size(shown.samplerDescriptorSize - (carries ? 2 * driver.samplerDescriptorSize : 0),
                driver.samplerDescriptorSize, carries);
    expect_size(shown.sampledImageDescriptorSize, driver.sampledImageDescriptorSize, carries);
    expect_size(shown.combinedImageSamplerDescriptorSize, driver.combinedImageSamplerDescriptorSize, carries);
    expect_size(shown.storageImageDescriptorSize, driver.storageImageDescriptorSize, false);
    expect_size(shown.storageBufferDescriptorSize, driver.storageBufferDescriptorSize, false);
    expect_size(shown.uniformBufferDescriptorSize, driver.uniformBufferDescriptorSize, false);
    expect_size(shown.storageTexelBufferDescriptorSize, driver.storageTexelBufferDescriptorSize, false);
    descriptor_scene_close(&f);
}

/* Bindings hold what they count, and lie one beside the other. */
static void bindings_have_the_room_that_sizes_say(void **state)
{
    (void)state;
    enum { BINDINGS = 6 };
    static const VkDescriptorSetLayoutBinding bindings[BINDINGS] = {
        SCENE_BINDING(0, STORAGE_BUFFER, 3), SCENE_BINDING(1, COMBINED_IMAGE_SAMPLER, 5),
        SCENE_BINDING(3, SAMPLER, 4),        SCENE_BINDING(4, UNIFORM_BUFFER, 1),
        SCENE_BINDING(7, SAMPLED_IMAGE, 9),  SCENE_BINDING(9, STORAGE_IMAGE, 2)};
    struct descriptor_scene f;
    VkDeviceSize begin[BINDINGS], end[BINDINGS], size;
    descriptor_scene_open(&f, NULL);
    const VkDescriptorSetLayout layout = harness_descriptor_layout(&f.descriptors, bindings, BINDINGS, 0, NULL);
    f.descriptors.layout_size(f.scene.vk.device, layout, &size);
    for (unsigned i = 0; i < BINDINGS; i++) {
        f.descriptors.binding_offset(f.scene.vk.device, layout, bindings[i].binding, &begin[i]);
        end[i] = begin[i] +
                 bindings[i].descriptorCount * harness_descriptor_size(&f.descriptors, bindings[i].descriptorType);
        assert_true(end[i] <= size);
        for (unsigned other = 0; other < i; other++)
            assert_true(end[i] <= begin[other] || end[other] <= begin[i]);
    }
    vkDestroyDescriptorSetLayout(f.scene.vk.device, layout, NULL);
    descriptor_scene_close(&f);
}

/* A size that is not the shown one: nothing is written behind it, and the layer says so. */
static void sizes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    static const VkDescriptorType types[] = {SCENE_COMBINED, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                             VK_DESCRIPTOR_TYPE_SAMPLER};
    struct descriptor_scene f;
    descriptor_scene_open(&f, &(struct descriptor_scene_params){.alone = true});
    if (f.native) {
        print_message("only the layer answers\n");
        descriptor_scene_close(&f);
        skip();
    }
    descriptor_scene_raise(&f, 1);
    const VkPhysicalDeviceDescriptorBufferPropertiesEXT driver = descriptor_scene_driver();
    const size_t sizes[] = {driver.combinedImageSamplerDescriptorSize, driver.sampledImageDescriptorSize,
                            driver.samplerDescriptorSize};
    const VkDescriptorImageInfo image = scene_info(&f.scene, SCENE_CLAMP, SCENE_RAMP);
    for (unsigned i = 0; i < 3; i++) {
        unsigned char bytes[1024], untouched[1024];
        const size_t wrong[] = {sizes[i], sizes[i] - 1, 1};
        VkDescriptorGetInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT, .type = types[i]};
        if (types[i] == VK_DESCRIPTOR_TYPE_SAMPLER)
            info.data.pSampler = &image.sampler;
        else
            info.data.pCombinedImageSampler = &image;
        memset(untouched, 0xa5, sizeof(untouched));
        for (unsigned w = 0; w < 3; w++) {
            memset(bytes, 0xa5, sizeof(bytes));
            f.descriptors.get(f.scene.vk.device, &info, wrong[w], bytes);
            assert_memory_equal(bytes + wrong[w], untouched, sizeof(bytes) - wrong[w]);
        }
    }
    assert_true(harness_layer_messages() > 0);
    harness_messages_reset();
    descriptor_scene_close(&f);
}

/* Numbers that no descriptor ever got read as the record that asks for nothing: what is left is the driver's sampler.
 */
static void numbers_that_nobody_wrote_ask_for_nothing(void **state)
{
    (void)state;
    static const uint32_t numbers[] = {0xffffffff, 0x80000000, 1u << 20, (1u << 20) - 1, 0xfffff000, 0};
    struct descriptor_scene f;
    struct descriptor_program program;
    descriptor_scene_open(&f, NULL);
    descriptor_program_of(&f, &program, HARNESS_SPIRV(integration_descriptor_single), &single_binding, 1);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    const size_t driver = descriptor_scene_driver().combinedImageSamplerDescriptorSize;
    unsigned char *bytes = harness_descriptor_at(&set, 0, 0, 0);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        descriptor_scene_raise(&f, tier);
        for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
            const enum scene_sampler plain = i % 2 ? SCENE_BORDER : SCENE_EDGE;
            descriptor_scene_write(&f, &set, 0, 0, SCENE_COMBINED, plain, SCENE_STEPS);
            if (!f.native)
                memcpy(bytes + driver, &numbers[i], sizeof(numbers[i]));
            descriptor_scene_draw(&f, &program, &set);
            descriptor_scene_expect_tier(&f);
            if (f.least)
                continue; /* those of the driver filter nothing there */
            for (unsigned row = 0; row < SCENE_ROWS; row++)
                scene_expect_row(&f.scene, row, plain, SCENE_STEPS);
            if (tier == 0)
                continue;
            /* GL_CLAMP is the driver's border without its record. */
            descriptor_scene_write(&f, &set, 0, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_STEPS);
            memcpy(bytes + driver, &numbers[i], sizeof(numbers[i]));
            descriptor_scene_draw(&f, &program, &set);
            descriptor_scene_expect_tier(&f);
            scene_expect_row(&f.scene, 3, SCENE_BORDER, SCENE_STEPS);
            descriptor_scene_write(&f, &set, 0, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_STEPS);
            descriptor_scene_draw(&f, &program, &set);
            descriptor_scene_expect_all(&f, SCENE_CLAMP, SCENE_STEPS);
        }
    }
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

static uint32_t push_constants_of(const struct harness_vulkan *vk, void *next)
{
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = next};
    vkGetPhysicalDeviceProperties2(vk->physical, &properties);
    return properties.properties.limits.maxPushConstantsSize;
}

/*
 * What shaders of descriptor buffers find behind the program's push constants is taken from its limit: for programs
 * that ask as those with the extension do, and for all where a setting makes the layer active.
 */
static void limits_leave_room_behind_the_programs_push_constants(void **state)
{
    (void)state;
    VkPhysicalDeviceGLSamplerPropertiesCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_PROPERTIES_CLAMPLER};
    struct harness_vulkan plain;
    struct descriptor_scene f;
    descriptor_scene_open(&f, NULL);
    harness_vulkan_open(&plain, &(struct harness_vulkan_params){.layers = "none"});
    const uint32_t driver = plain.properties.limits.maxPushConstantsSize;
    harness_vulkan_close(&plain);
    assert_int_equal(push_constants_of(&f.scene.vk, f.native ? NULL : &gl), f.native ? driver : driver - 8);
    descriptor_scene_close(&f);
    setenv("VK_CLAMPLER_GL_CLAMP", "edge", 1);
    harness_vulkan_open(&plain, &(struct harness_vulkan_params){.layers = f.native ? "none" : "clampler"});
    unsetenv("VK_CLAMPLER_GL_CLAMP");
    /* Programs that know nothing of the layer may ask for all that Vulkan requires. */
    assert_int_equal(plain.properties.limits.maxPushConstantsSize, driver);
    assert_int_equal(push_constants_of(&plain, NULL), driver);
    harness_vulkan_close(&plain);
}

/* ---- Many samplers ---- */

/* The number that a combined image sampler carries. */
static uint32_t number_of(const struct descriptor_scene *f, const unsigned char *bytes)
{
    uint32_t number;
    memcpy(&number, bytes + harness_descriptor_size(&f->descriptors, SCENE_COMBINED) / 2, sizeof(number));
    return number;
}

/*
 * More records than the table has at first: borders that the shader places, each with a record of its own. What was
 * recorded while the table was small follows numbers that only a larger one has.
 */
static void records_outgrow_their_table(void **state)
{
    (void)state;
    enum { MANY = 1500, LOOK = 97 };
    static VkSampler samplers[MANY];
    const struct wrap *clamp = &wraps[2];
    struct descriptor_scene f;
    struct descriptor_program program;
    uint32_t most = 0;
    descriptor_scene_open(&f, &(struct descriptor_scene_params){.missing = "custom_border_color"});
    if (f.native) {
        print_message("the driver has no records\n");
        descriptor_scene_close(&f);
        skip();
    }
    descriptor_program_of(&f, &program, HARNESS_SPIRV(integration_descriptor_single), &single_binding, 1);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    const size_t size = harness_descriptor_size(&f.descriptors, SCENE_COMBINED);
    unsigned char *stored = harness_alloc(MANY, size);
    VkCommandBuffer early = VK_NULL_HANDLE;
    for (unsigned i = 0; i < MANY; i++) {
        if (i == 1) { /* the mark is what it will be */
            early = descriptor_scene_begin(&f);
            descriptor_scene_bind(&f, &program, early);
            descriptor_scene_offset(&f, &program, early, 0, &set);
            vkCmdDraw(early, 3, 1, 0, 0);
        }
        samplers[i] = wrap_sampler(&f, clamp, (float)(i + 1) / (MANY + 1));
        harness_descriptor_image(&f.descriptors, SCENE_COMBINED, samplers[i], f.scene.textures[SCENE_RAMP].view,
                                 stored + i * size);
        const uint32_t number = number_of(&f, stored + i * size);
        most = number > most ? number : most;
    }
    assert_true(most >= 2 * MANY); /* three records for each, and 1,024 in the first table */
    for (unsigned i = MANY - 1; i < MANY; i -= LOOK) {
        memcpy(harness_descriptor_at(&set, 0, 0, size), stored + i * size, size);
        if (i == MANY - 1)
            descriptor_scene_end(&f, early);
        else
            descriptor_scene_draw(&f, &program, &set);
        scene_expect_tier(&f.scene, 2);
        for (unsigned x = 0; x < SCENE_COLUMNS; x++)
            assert_float_equal(f.scene.pixels[1][x][0], wrapped(clamp, (float)(i + 1) / (MANY + 1), x), 1.5f / 255.0f);
    }
    for (unsigned i = 0; i < MANY; i++)
        vkDestroySampler(f.scene.vk.device, samplers[i], NULL);
    free(stored);
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

/* A view that stays meets a sampler of the same state again and again, as programs make them for each frame. */
static void samplers_that_come_again_leave_nothing_behind(void **state)
{
    (void)state;
    enum { TIMES = 300, WARM = 10 };
    struct descriptor_scene f;
    unsigned char bytes[512];
    uint64_t before = 0;
    descriptor_scene_open(&f, NULL);
    for (unsigned i = 0; i < TIMES && !f.native; i++) {
        VkSampler sampler = wrap_sampler(&f, &wraps[i % WRAPS], borders[i / WRAPS % BORDERS]);
        harness_descriptor_image(&f.descriptors, SCENE_COMBINED, sampler, f.scene.textures[SCENE_RAMP].view, bytes);
        vkDestroySampler(f.scene.vk.device, sampler, NULL);
        if (i == WARM + WRAPS * BORDERS)
            before = harness_counters(&f.scene.vk).live_bytes;
    }
    assert_true(harness_counters(&f.scene.vk).live_bytes <= before);
    descriptor_scene_close(&f);
}

/* ---- Texel buffers ---- */

/* Addresses of 96-bit texels, which the layer takes the driver to lack, and of others; see integration_texels.comp. */
static void texel_buffers(const char *path)
{
    enum { TEXEL_COUNT = 3 };
    const VkDescriptorType uniform = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    static const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 2, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    struct descriptor_scene f;
    struct descriptor_program program;
    struct harness_buffer texels, seen;
    const VkBufferUsageFlags address = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    setenv("VK_CLAMPLER_TEXEL_PATH", path, 1);
    setenv("VK_CLAMPLER_TEXEL_BUFFERS", "emulate", 1);
    descriptor_scene_open(&f, &(struct descriptor_scene_params){.missing = "rgb32_texel_buffer"});
    unsetenv("VK_CLAMPLER_TEXEL_PATH");
    unsetenv("VK_CLAMPLER_TEXEL_BUFFERS");
    const VkDescriptorSetLayout layout = harness_descriptor_layout(&f.descriptors, bindings, 3, 0, NULL);
    descriptor_program_create(&f, &program, VK_SHADER_STAGE_COMPUTE_BIT, HARNESS_SPIRV(integration_descriptor_texels),
                              &layout, 1, 0);
    harness_buffer_create(&f.scene.vk, &texels, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | address, 64, NULL);
    harness_buffer_create(&f.scene.vk, &seen, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | address, 112, NULL);
    for (uint32_t i = 0; i < 16; i++)
        ((float *)texels.map)[i] = (float)(i + 1);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    const VkDeviceAddress at = harness_buffer_address(&f.scene.vk, &texels);
    harness_descriptor_put_range(&set, 0, 0, uniform, at, TEXEL_COUNT * 12, VK_FORMAT_R32G32B32_SFLOAT);
    harness_descriptor_put_range(&set, 1, 0, uniform, at, 64, VK_FORMAT_R32G32B32A32_SFLOAT);
    harness_descriptor_put_range(&set, 1, 1, uniform, at, 16, VK_FORMAT_R32_SFLOAT);
    harness_descriptor_put_range(&set, 2, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                 harness_buffer_address(&f.scene.vk, &seen), seen.size, VK_FORMAT_UNDEFINED);
    const struct harness_descriptor_buffer *buffers[] = {&f.buffer};
    scene_mark(&f.scene);
    VkCommandBuffer commands = harness_begin(&f.scene.vk);
    harness_descriptor_buffers_bind(&f.descriptors, commands, buffers, 1);
    descriptor_scene_bind(&f, &program, commands);
    descriptor_scene_offset(&f, &program, commands, 0, &set);
    vkCmdDispatch(commands, 1, 1, 1);
    harness_submit(&f.scene.vk, commands);
    scene_take(&f.scene);
    if (!f.native)
        assert_true(f.scene.drew[1] + f.scene.drew[2] == 1);
    const float(*found)[4] = seen.map;
    for (unsigned texel = 0; texel < TEXEL_COUNT; texel++)
        for (unsigned c = 0; c < 4; c++) /* twice what was fetched, once in a loop and once outside */
            assert_float_equal(found[texel][c], c < 3 ? 2.0f * (float)(texel * 3 + c + 1) : 2.0f, 0);
    assert_float_equal(found[4][0], TEXEL_COUNT, 0);
    assert_float_equal(found[5][0], 1, 0);
    assert_float_equal(found[6][0], 4, 0);
    harness_buffer_destroy(&f.scene.vk, &texels);
    harness_buffer_destroy(&f.scene.vk, &seen);
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

static void texel_buffers_by_address(void **state)
{
    (void)state;
    texel_buffers("addresses");
}

static void texel_buffers_by_views(void **state)
{
    (void)state;
    texel_buffers("views");
}

/* Draws with pipelines and shader objects: texels of 96 bits, which the layer takes the driver to lack, and others. */
static void draws_fetch_texels(enum harness_linking linking)
{
    const VkDescriptorType uniform = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    static const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 2, VK_SHADER_STAGE_FRAGMENT_BIT, NULL}};
    struct descriptor_scene f;
    struct descriptor_program program;
    struct harness_buffer texels;
    setenv("VK_CLAMPLER_TEXEL_BUFFERS", "emulate", 1);
    descriptor_scene_open(&f, &(struct descriptor_scene_params){.missing = "rgb32_texel_buffer", .linking = linking});
    unsetenv("VK_CLAMPLER_TEXEL_BUFFERS");
    descriptor_program_of(&f, &program, HARNESS_SPIRV(integration_descriptor_texels_drawn), bindings, 2);
    harness_buffer_create(&f.scene.vk, &texels,
                          VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                          SCENE_COLUMNS * 12, NULL);
    for (uint32_t i = 0; i < SCENE_COLUMNS * 3; i++)
        ((float *)texels.map)[i] = (float)(i + 1);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    const VkDeviceAddress at = harness_buffer_address(&f.scene.vk, &texels);
    harness_descriptor_put_range(&set, 0, 0, uniform, at, SCENE_COLUMNS * 12, VK_FORMAT_R32G32B32_SFLOAT);
    harness_descriptor_put_range(&set, 1, 0, uniform, at, SCENE_COLUMNS * 4, VK_FORMAT_R32_SFLOAT);
    harness_descriptor_put_range(&set, 1, 1, uniform, at, SCENE_COLUMNS * 8, VK_FORMAT_R32G32_SFLOAT);
    descriptor_scene_draw(&f, &program, &set);
    if (!f.native)
        assert_true(f.scene.drew[1] + f.scene.drew[2] == 1);
    for (unsigned x = 0; x < SCENE_COLUMNS; x++) {
        assert_float_equal(f.scene.pixels[0][x][0], (float)(x * 3 + 1), 0);
        assert_float_equal(f.scene.pixels[0][x][1], (float)(x * 3 + 2), 0);
        assert_float_equal(f.scene.pixels[0][x][2], (float)(x + 1), 0);
        assert_float_equal(f.scene.pixels[0][x][3], (float)(x * 2 + 1), 0);
    }
    harness_buffer_destroy(&f.scene.vk, &texels);
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

static void pipelines_fetch_texels(void **state)
{
    (void)state;
    draws_fetch_texels(HARNESS_MONOLITHIC);
}

static void libraries_fetch_texels(void **state)
{
    (void)state;
    draws_fetch_texels(HARNESS_LIBRARY);
}

static void shader_objects_fetch_texels(void **state)
{
    (void)state;
    draws_fetch_texels(HARNESS_OBJECTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrap_modes_and_border_colours),
        cmocka_unit_test(border_colours_that_the_driver_lacks),
        cmocka_unit_test(textures_and_samplers_of_combined_ones_apart),
        cmocka_unit_test(null_images_read_as_zero),
        cmocka_unit_test(sizes_have_room_for_the_numbers_of_records),
        cmocka_unit_test(bindings_have_the_room_that_sizes_say),
        cmocka_unit_test(sizes_that_do_not_fit_are_refused),
        cmocka_unit_test(numbers_that_nobody_wrote_ask_for_nothing),
        cmocka_unit_test(limits_leave_room_behind_the_programs_push_constants),
        cmocka_unit_test(records_outgrow_their_table),
        cmocka_unit_test(samplers_that_come_again_leave_nothing_behind),
        cmocka_unit_test(texel_buffers_by_address),
        cmocka_unit_test(texel_buffers_by_views),
        cmocka_unit_test(pipelines_fetch_texels),
        cmocka_unit_test(libraries_fetch_texels),
        cmocka_unit_test(shader_objects_fetch_texels),
    };
    return cmocka_run_group_tests_name("descriptor_values", tests, NULL, NULL);
}
