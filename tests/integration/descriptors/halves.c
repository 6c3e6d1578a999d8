/* SPDX-License-Identifier: MIT */
/*
 * Combined image samplers that shaders take apart: the texture and the sampler of one binding are declared by
 * themselves. Together again they must draw what the combined image sampler draws, in the same tier.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/shared/scene.h"
#include "integration_halves_combined.h"
#include "integration_halves_compared.h"
#include "integration_halves_elements.h"
#include "integration_halves_function.h"
#include "integration_halves_function_elements.h"
#include "integration_halves_image.h"
#include "integration_halves_other_elements.h"
#include "integration_halves_sampler.h"
#include "integration_halves_swapped.h"
#include "integration_halves_own.h"

enum { LEVELS = 3, LARGEST = 4, CHANNELS = 4, GATHER_ROW = 3, OFFSET_ROW = 4 };

static const uint32_t wraps[] = {
    TOKEN_REPEAT,                 /* GL_REPEAT */
    TOKEN_MIRRORED_REPEAT,        /* GL_MIRRORED_REPEAT */
    TOKEN_CLAMP_TO_EDGE,          /* GL_CLAMP_TO_EDGE */
    TOKEN_CLAMP_TO_BORDER,        /* GL_CLAMP_TO_BORDER */
    TOKEN_CLAMP,                  /* GL_CLAMP */
    TOKEN_MIRROR_CLAMP,           /* GL_MIRROR_CLAMP_EXT */
    TOKEN_MIRROR_CLAMP_TO_EDGE,   /* GL_MIRROR_CLAMP_TO_EDGE_EXT */
    TOKEN_MIRROR_CLAMP_TO_BORDER, /* GL_MIRROR_CLAMP_TO_BORDER_EXT */
};
enum { WRAPS = sizeof(wraps) / sizeof(wraps[0]) };

static const struct {
    uint32_t min, mag;
} filters[] = {
    {TOKEN_NEAREST, TOKEN_NEAREST},             /* GL_NEAREST */
    {TOKEN_LINEAR, TOKEN_LINEAR},               /* GL_LINEAR */
    {TOKEN_NEAREST, TOKEN_LINEAR},              /* mixed */
    {TOKEN_LINEAR_MIPMAP_LINEAR, TOKEN_LINEAR}, /* GL_LINEAR_MIPMAP_LINEAR */
};
enum { FILTERS = sizeof(filters) / sizeof(filters[0]) };

/* The first is a standard colour, so that the driver may place it. */
static const float borders[][4] = {{1, 1, 1, 1}, {0.25f, 0.5f, 0.75f, 1.0f}};
enum { BORDERS = sizeof(borders) / sizeof(borders[0]) };

static VkSampler make_sampler(struct scene *scene, unsigned wrap, unsigned filter, unsigned border)
{
    VkSamplerGLStateCreateInfoCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
        .wrapS = wraps[wrap],
        .wrapT = wraps[wrap],
        .wrapR = wraps[wrap],
        .minFilter = filters[filter].min,
        .magFilter = filters[filter].mag,
        .minLod = -1000,
        .maxLod = 1000,
    };
    memcpy(gl.borderColor.float32, borders[border], sizeof(gl.borderColor.float32));
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl};
    return harness_sampler(&scene->vk, &info);
}

static void make_texture(struct scene *scene, struct harness_image *image, uint8_t seed)
{
    uint8_t texels[CHANNELS * (16 + 4 + 1)];
    for (unsigned i = 0; i < sizeof(texels); i++)
        texels[i] = (uint8_t)(i * 37u + seed + i / 7u * 11u);
    harness_image_create(&scene->vk, image,
                         &(struct harness_image_params){.type = VK_IMAGE_VIEW_TYPE_2D,
                                                        .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                        .width = LARGEST,
                                                        .height = LARGEST,
                                                        .levels = LEVELS},
                         texels);
}

/* What a program drew, to be compared with another's. */
struct drawn {
    float pixels[SCENE_ROWS][SCENE_COLUMNS][CHANNELS];
    uint64_t tiers[3];
};

static void draw(struct scene *scene, const struct scene_program *program, VkDescriptorSet set, struct drawn *drawn)
{
    scene_draw(scene, program->pipeline, program->layout, 1, &set);
    memcpy(drawn->pixels, scene->pixels, sizeof(drawn->pixels));
    memcpy(drawn->tiers, scene->drew, sizeof(drawn->tiers));
}

static void expect_same(const struct drawn *wanted, const struct drawn *found, float tolerance, const char *what)
{
    for (unsigned i = 0; i < SCENE_ROWS * SCENE_COLUMNS * CHANNELS; i++) {
        const float a = (&wanted->pixels[0][0][0])[i], b = (&found->pixels[0][0][0])[i];
        if (fabsf(a - b) <= tolerance)
            continue;
        print_error("%s: row %u, column %u, channel %u is %f, not %f\n", what, i / CHANNELS / SCENE_COLUMNS,
                    i / CHANNELS % SCENE_COLUMNS, i % CHANNELS, (double)b, (double)a);
        fail();
    }
}

static const char *case_name(unsigned wrap, unsigned filter, unsigned border)
{
    static char name[80];
    snprintf(name, sizeof(name), "wrap 0x%04X, min 0x%04X, mag 0x%04X, border %u", wraps[wrap], filters[filter].min,
             filters[filter].mag, border);
    return name;
}

/* Every state through both programs, which must agree in pixels and tiers. The second has an array. */
static void compare(struct scene *scene, const struct scene_program *combined, const struct scene_program *halves,
                    uint32_t elements)
{
    struct harness_image texture;
    uint64_t tiers[3] = {0};
    make_texture(scene, &texture, 5);
    VkDescriptorSet one = harness_set(&scene->vk, combined->set_layout);
    VkDescriptorSet other = harness_set(&scene->vk, halves->set_layout);
    for (unsigned i = 0; i < WRAPS * FILTERS * BORDERS; i++) {
        const unsigned wrap = i % WRAPS, filter = i / WRAPS % FILTERS, border = i / WRAPS / FILTERS;
        struct drawn wanted, found;
        VkSampler sampler = make_sampler(scene, wrap, filter, border);
        harness_write_image(&scene->vk, one, 0, 0, SCENE_COMBINED, sampler, texture.view);
        for (uint32_t element = 0; element < elements; element++)
            harness_write_image(&scene->vk, other, 0, element, SCENE_COMBINED,
                                element + 1 == elements ? sampler : scene->samplers[SCENE_EDGE], texture.view);
        draw(scene, combined, one, &wanted);
        draw(scene, halves, other, &found);
        expect_same(&wanted, &found, 0.0f, case_name(wrap, filter, border));
        assert_memory_equal(wanted.tiers, found.tiers, sizeof(wanted.tiers));
        for (unsigned tier = 0; tier < 3; tier++)
            tiers[tier] += found.tiers[tier];
        vkDestroySampler(scene->vk.device, sampler, NULL);
    }
    assert_true(tiers[0] > 0 && tiers[1] > 0 && tiers[2] > 0);
    harness_image_destroy(&scene->vk, &texture);
}

static void halves_of_one_descriptor_are_the_descriptor(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    struct scene scene;
    struct scene_program combined, halves;
    scene_open(&scene, NULL);
    scene_program_create(&scene, &combined, HARNESS_SPIRV(integration_halves_combined), &binding, 1, 0, NULL);
    scene_program_create(&scene, &halves, HARNESS_SPIRV(integration_halves_own), &binding, 1, 0, NULL);
    compare(&scene, &combined, &halves, 1);
    scene_program_destroy(&scene, &halves);
    scene_program_destroy(&scene, &combined);
    scene_close(&scene);
}

static void halves_of_one_element_are_the_element(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding one = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    static const VkDescriptorSetLayoutBinding three = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 3);
    struct scene scene;
    struct scene_program combined, halves;
    scene_open(&scene, NULL);
    scene_program_create(&scene, &combined, HARNESS_SPIRV(integration_halves_combined), &one, 1, 0, NULL);
    scene_program_create(&scene, &halves, HARNESS_SPIRV(integration_halves_elements), &three, 1, 0, NULL);
    compare(&scene, &combined, &halves, 3);
    scene_program_destroy(&scene, &halves);
    scene_program_destroy(&scene, &combined);
    scene_close(&scene);
}

/*
 * Halves of two bindings, with elements: where the image and the sampler come from that the lookups put together, and
 * what else the set has.
 */
struct crossing {
    struct harness_spirv code;
    VkDescriptorSetLayoutBinding bindings[2];
    uint32_t binding_count;
    struct place {
        uint32_t binding, element;
    } image, sampler;
};

static void write_half(struct scene *scene, VkDescriptorSet set, const struct crossing *crossing,
                       const struct place *place, VkSampler sampler, VkImageView view)
{
    uint32_t b = 0;
    while (crossing->bindings[b].binding != place->binding)
        b++;
    harness_write_image(&scene->vk, set, place->binding, place->element, crossing->bindings[b].descriptorType, sampler,
                        view);
}

/* Everything that the lookups do not read has another sampler and another image. */
static void write_rest(struct scene *scene, VkDescriptorSet set, const struct crossing *crossing, VkSampler sampler,
                       VkImageView view)
{
    for (uint32_t b = 0; b < crossing->binding_count; b++)
        for (uint32_t i = 0; i < crossing->bindings[b].descriptorCount; i++)
            write_half(scene, set, crossing, &(struct place){crossing->bindings[b].binding, i}, sampler, view);
}

enum way {
    WAY_KEPT,   /* into one set, which was read before */
    WAY_LATE,   /* into a new set */
    WAY_COPIED, /* copied to a set that was read before, from one that was not */
    WAY_PUSHED,
};

static void copy_all(struct scene *scene, const struct crossing *crossing, VkDescriptorSet from, VkDescriptorSet to)
{
    for (uint32_t b = 0; b < crossing->binding_count; b++) {
        const VkCopyDescriptorSet copy = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                          .srcSet = from,
                                          .srcBinding = crossing->bindings[b].binding,
                                          .dstSet = to,
                                          .dstBinding = crossing->bindings[b].binding,
                                          .descriptorCount = crossing->bindings[b].descriptorCount};
        vkUpdateDescriptorSets(scene->vk.device, 0, NULL, 1, &copy);
    }
}

/* The bindings, pushed one after the other, each with all its elements; `infos` are of all, in order. */
static void draw_pushed(struct scene *scene, const struct scene_program *program, const struct crossing *crossing,
                        const VkDescriptorImageInfo *infos, struct drawn *drawn)
{
    const PFN_vkCmdPushDescriptorSetKHR push = HARNESS_PROC(&scene->vk, vkCmdPushDescriptorSetKHR);
    VkCommandBuffer commands = scene_begin(scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, program->pipeline);
    for (uint32_t b = 0; b < crossing->binding_count; b++) {
        const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstBinding = crossing->bindings[b].binding,
                                            .descriptorCount = crossing->bindings[b].descriptorCount,
                                            .descriptorType = SCENE_COMBINED,
                                            .pImageInfo = infos};
        push(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, program->layout, 0, 1, &write);
        infos += crossing->bindings[b].descriptorCount;
    }
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(scene, commands);
    memcpy(drawn->pixels, scene->pixels, sizeof(drawn->pixels));
    memcpy(drawn->tiers, scene->drew, sizeof(drawn->tiers));
}

enum { ELEMENTS = 3 };

/* What is pushed: the image at its place, the sampler at its own, and others everywhere else. */
static void fill_pushed(const struct crossing *crossing, VkSampler sampler, VkImageView view, VkSampler other_sampler,
                        VkImageView other_view, VkDescriptorImageInfo *infos)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < crossing->binding_count; b++) {
        const uint32_t number = crossing->bindings[b].binding;
        for (uint32_t i = 0; i < crossing->bindings[b].descriptorCount; i++) {
            const bool samples = crossing->sampler.binding == number && crossing->sampler.element == i,
                       shows = crossing->image.binding == number && crossing->image.element == i;
            assert_true(count < ELEMENTS);
            infos[count++] = (VkDescriptorImageInfo){samples ? sampler : other_sampler, shows ? view : other_view,
                                                     VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
        }
    }
}

/* With states of their own on either side, each of which would draw something else. */
static void cross(const struct crossing *crossing, enum way way)
{
    static const char *const extensions[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    struct scene scene;
    struct scene_program combined, halves = {0};
    struct harness_image texture, other_texture;
    uint64_t tiers[3] = {0};
    const bool one_place = memcmp(&crossing->image, &crossing->sampler, sizeof(crossing->image)) == 0;
    scene_open(&scene, &(struct harness_vulkan_params){.device_extensions = extensions,
                                                       .device_extension_count = way == WAY_PUSHED});
    make_texture(&scene, &texture, 5);
    make_texture(&scene, &other_texture, 90);
    VkSampler other_sampler = make_sampler(&scene, 0, 0, 0);
    scene_program_create(&scene, &combined, HARNESS_SPIRV(integration_halves_combined), &binding, 1, 0, NULL);
    VkDescriptorSet one = harness_set(&scene.vk, combined.set_layout), other = VK_NULL_HANDLE, read = VK_NULL_HANDLE;
    scene_program_create(&scene, &halves, crossing->code, crossing->bindings, crossing->binding_count,
                         way == WAY_PUSHED ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR : 0, NULL);
    if (way == WAY_COPIED)
        read = harness_set(&scene.vk, halves.set_layout);
    for (unsigned i = 0; i < WRAPS * FILTERS * BORDERS; i++) {
        const unsigned wrap = i % WRAPS, filter = i / WRAPS % FILTERS, border = i / WRAPS / FILTERS;
        struct drawn wanted, found;
        VkSampler sampler = make_sampler(&scene, wrap, filter, border);
        if (way != WAY_PUSHED && (!other || way == WAY_LATE)) {
            other = harness_set(&scene.vk, halves.set_layout);
            write_rest(&scene, other, crossing, other_sampler, other_texture.view);
        }
        VkDescriptorImageInfo pushed[ELEMENTS];
        fill_pushed(crossing, sampler, texture.view, other_sampler, other_texture.view, pushed);
        if (other) {
            write_half(&scene, other, crossing, &crossing->image, other_sampler, texture.view);
            write_half(&scene, other, crossing, &crossing->sampler, sampler,
                       one_place ? texture.view : other_texture.view);
        }
        if (read)
            copy_all(&scene, crossing, other, read);
        harness_write_image(&scene.vk, one, 0, 0, SCENE_COMBINED, sampler, texture.view);
        draw(&scene, &combined, one, &wanted);
        if (way == WAY_PUSHED)
            draw_pushed(&scene, &halves, crossing, pushed, &found);
        else
            draw(&scene, &halves, read ? read : other, &found);
        expect_same(&wanted, &found, 1.5f / 255.0f, case_name(wrap, filter, border));
        /* Everything that is emulated for the one is for the other; the shader may have to filter a little more. */
        for (unsigned tier = 0; tier < 3; tier++) {
            assert_true(!wanted.tiers[tier] || found.tiers[tier] || (tier < 2 && found.tiers[2]));
            tiers[tier] += found.tiers[tier];
        }
        vkDestroySampler(scene.vk.device, sampler, NULL);
    }
    assert_true(tiers[0] > 0 && tiers[1] > 0 && tiers[2] > 0);
    vkDestroySampler(scene.vk.device, other_sampler, NULL);
    harness_image_destroy(&scene.vk, &texture);
    harness_image_destroy(&scene.vk, &other_texture);
    scene_program_destroy(&scene, &halves);
    scene_program_destroy(&scene, &combined);
    scene_close(&scene);
}

#define TWO_COMBINED                                                                                                   \
    {                                                                                                                  \
        SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1), SCENE_BINDING(1, COMBINED_IMAGE_SAMPLER, 1)                       \
    }

static void halves_of_two_descriptors_are_a_pair(void **state)
{
    (void)state;
    const struct crossing swapped = {HARNESS_SPIRV(integration_halves_swapped), TWO_COMBINED, 2, .image = {1, 0},
                                     .sampler = {0, 0}};
    for (enum way way = WAY_KEPT; way <= WAY_PUSHED; way++)
        cross(&swapped, way);
}

static void a_half_meets_a_separate_sampler(void **state)
{
    (void)state;
    const struct crossing crossing = {HARNESS_SPIRV(integration_halves_image),
                                      {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1), SCENE_BINDING(1, SAMPLER, 1)},
                                      2,
                                      .image = {0, 0},
                                      .sampler = {1, 0}};
    cross(&crossing, WAY_KEPT);
}

static void a_half_meets_a_separate_image(void **state)
{
    (void)state;
    const struct crossing crossing = {HARNESS_SPIRV(integration_halves_sampler),
                                      {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1), SCENE_BINDING(1, SAMPLED_IMAGE, 1)},
                                      2,
                                      .image = {1, 0},
                                      .sampler = {0, 0}};
    cross(&crossing, WAY_KEPT);
}

static void halves_of_two_elements_are_a_pair(void **state)
{
    (void)state;
    const struct crossing crossing = {HARNESS_SPIRV(integration_halves_other_elements),
                                      {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, ELEMENTS)},
                                      1,
                                      .image = {0, 2},
                                      .sampler = {0, 1}};
    for (enum way way = WAY_KEPT; way <= WAY_PUSHED; way++)
        cross(&crossing, way);
}

static void halves_are_passed_to_functions(void **state)
{
    (void)state;
    const struct crossing swapped = {HARNESS_SPIRV(integration_halves_function), TWO_COMBINED, 2, .image = {1, 0},
                                     .sampler = {0, 0}};
    const struct crossing elements = {HARNESS_SPIRV(integration_halves_function_elements),
                                      {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 3)},
                                      1,
                                      .image = {0, 2},
                                      .sampler = {0, 2}};
    cross(&swapped, WAY_KEPT);
    cross(&elements, WAY_KEPT);
}

/*
 * Compares in a descriptor with a depth image only: with the image of colours that it stands beside, the driver has a
 * sampler that does not compare. No sampler asks for a tier with any image here, but its half does.
 */
static void a_half_asks_where_no_descriptor_does(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = TWO_COMBINED;
    static const float depths[LARGEST] = {0.25f, 0.75f, 0.4f, 0.9f};
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                   .wrapS = TOKEN_REPEAT,
                                                   .wrapT = TOKEN_REPEAT,
                                                   .wrapR = TOKEN_REPEAT,
                                                   .minFilter = TOKEN_NEAREST,
                                                   .magFilter = TOKEN_NEAREST,
                                                   .maxLod = 1000,
                                                   .compareMode = TOKEN_COMPARE_REF_TO_TEXTURE,
                                                   .compareFunc = TOKEN_LEQUAL,
                                                   .cubeMapSeamless = VK_TRUE};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl};
    struct scene scene;
    struct scene_program program;
    struct harness_image colors, deep;
    scene_open_device(&scene, NULL);
    scene_make(&scene, false);
    make_texture(&scene, &colors, 5);
    harness_image_create(
        &scene.vk, &deep,
        &(struct harness_image_params){
            .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_D32_SFLOAT, .width = LARGEST, .height = 1},
        depths);
    VkSampler sampler = harness_sampler(&scene.vk, &info);
    scene_program_create(&scene, &program, HARNESS_SPIRV(integration_halves_compared), bindings, 2, 0, NULL);
    VkDescriptorSet set = harness_set(&scene.vk, program.set_layout);
    harness_write_image(&scene.vk, set, 0, 0, SCENE_COMBINED, sampler, colors.view);
    harness_write_image(&scene.vk, set, 1, 0, SCENE_COMBINED, sampler, deep.view);
    scene_draw(&scene, program.pipeline, program.layout, 1, &set);
    assert_int_equal(scene.drew[2], 1);
    for (unsigned x = 0; x < SCENE_COLUMNS; x++)
        assert_true(scene.pixels[0][x][0] == (0.5f <= depths[x * LARGEST / SCENE_COLUMNS] ? 1.0f : 0.0f));
    scene_program_destroy(&scene, &program);
    vkDestroySampler(scene.vk.device, sampler, NULL);
    harness_image_destroy(&scene.vk, &deep);
    harness_image_destroy(&scene.vk, &colors);
    scene_close(&scene);
}

/*
 * Two sets in one command buffer, which need the same: the second is bound where the first was. Their halves were read
 * by no draw before; `sent`: what they have as a whole was.
 */
static void draw_one_after_the_other(struct scene *scene, unsigned filter, bool sent)
{
    static const VkDescriptorSetLayoutBinding bindings[] = TWO_COMBINED;
    enum { CLAMP = 4 };
    const VkSampler samplers[2] = {make_sampler(scene, CLAMP, filter, 0), make_sampler(scene, CLAMP, filter, 1)};
    struct scene_program combined, halves;
    struct harness_image texture;
    VkDescriptorSet sets[2];
    struct drawn wanted[2], found;
    make_texture(scene, &texture, 5);
    scene_program_create(scene, &combined, HARNESS_SPIRV(integration_halves_combined), bindings, 2, 0, NULL);
    scene_program_create(scene, &halves, HARNESS_SPIRV(integration_halves_swapped), bindings, 2, 0, NULL);
    VkDescriptorSet one = harness_set(&scene->vk, combined.set_layout);
    for (unsigned i = 0; i < 2; i++) {
        sets[i] = harness_set(&scene->vk, halves.set_layout);
        for (uint32_t b = 0; b < 2; b++) {
            harness_write_image(&scene->vk, sets[i], b, 0, SCENE_COMBINED, samplers[i], texture.view);
            harness_write_image(&scene->vk, one, b, 0, SCENE_COMBINED, samplers[i], texture.view);
        }
        draw(scene, &combined, sent ? sets[i] : one, &wanted[i]);
    }
    assert_memory_not_equal(wanted[0].pixels, wanted[1].pixels, sizeof(wanted[0].pixels));
    VkCommandBuffer commands = scene_begin(scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, halves.pipeline);
    for (unsigned i = 0; i < 2; i++) {
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, halves.layout, 0, 1, &sets[i], 0, NULL);
        vkCmdDraw(commands, 3, 1, 0, 0);
    }
    scene_end(scene, commands);
    memcpy(found.pixels, scene->pixels, sizeof(found.pixels));
    expect_same(&wanted[1], &found, 1.5f / 255.0f, case_name(CLAMP, filter, 1));
    assert_int_equal(scene->drew[1] + scene->drew[2], 2);
    scene_program_destroy(scene, &halves);
    scene_program_destroy(scene, &combined);
    harness_image_destroy(&scene->vk, &texture);
    for (unsigned i = 0; i < 2; i++)
        vkDestroySampler(scene->vk.device, samplers[i], NULL);
}

static void take_apart(enum harness_linking linking)
{
    scene_skip_lacking(NULL, linking, HARNESS_SETS_PLAIN, NULL, 0);
    for (unsigned sent = 0; sent < 2; sent++) {
        for (unsigned filter = 0; filter < FILTERS; filter++) {
            struct scene scene; /* a device that has seen no halves */
            scene_open(&scene, &(struct harness_vulkan_params){.linking = linking});
            draw_one_after_the_other(&scene, filter, sent);
            scene_close(&scene);
        }
    }
}

static void every_set_has_halves_of_its_own(void **state)
{
    (void)state;
    take_apart(HARNESS_MONOLITHIC);
}

static void linked_pipelines_take_apart(void **state)
{
    (void)state;
    take_apart(HARNESS_LIBRARY);
}

static void fast_linked_pipelines_take_apart(void **state)
{
    (void)state;
    take_apart(HARNESS_FAST_LINKED);
}

/* The driver's sampler is made for the cube that it stands beside: another image is not looked up through it. */
static void the_sampler_of_a_cube_meets_another_image(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding single = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    static const VkDescriptorSetLayoutBinding bindings[] = TWO_COMBINED;
    static const uint8_t texels[6 * 4 * 4 * 4];
    const struct harness_image_params params = {.type = VK_IMAGE_VIEW_TYPE_CUBE,
                                                .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                .width = 4,
                                                .height = 4,
                                                .levels = 1,
                                                .layers = 6};
    struct scene scene;
    struct scene_program combined, halves;
    struct harness_image texture, cube;
    uint64_t filtered = 0;
    scene_open(&scene, NULL);
    const bool swiftshader = strstr(scene.vk.properties.deviceName, "SwiftShader");
    scene_program_create(&scene, &combined, HARNESS_SPIRV(integration_halves_combined), &single, 1, 0, NULL);
    scene_program_create(&scene, &halves, HARNESS_SPIRV(integration_halves_swapped), bindings, 2, 0, NULL);
    make_texture(&scene, &texture, 5);
    harness_image_create(&scene.vk, &cube, &params, texels);
    VkDescriptorSet one = harness_set(&scene.vk, combined.set_layout);
    VkDescriptorSet two = harness_set(&scene.vk, halves.set_layout);
    for (unsigned i = 0; i < WRAPS * FILTERS; i++) {
        struct drawn wanted, found;
        VkSampler sampler = make_sampler(&scene, i % WRAPS, i / WRAPS, 1);
        harness_write_image(&scene.vk, one, 0, 0, SCENE_COMBINED, sampler, texture.view);
        harness_write_image(&scene.vk, two, 0, 0, SCENE_COMBINED, sampler, cube.view);
        harness_write_image(&scene.vk, two, 1, 0, SCENE_COMBINED, scene.samplers[SCENE_EDGE], texture.view);
        draw(&scene, &combined, one, &wanted);
        draw(&scene, &halves, two, &found);
        /*
         * SwiftShader's own lookups with offsets take other texels between two levels, and its gathers have mirrored
         * texels in the coordinate's order (tests/README.md).
         */
        if (wanted.tiers[0] && swiftshader && filters[i / WRAPS].min == TOKEN_LINEAR_MIPMAP_LINEAR)
            memcpy(wanted.pixels[OFFSET_ROW], found.pixels[OFFSET_ROW], sizeof(wanted.pixels[OFFSET_ROW]));
        if (wanted.tiers[0] && swiftshader && wraps[i % WRAPS] == TOKEN_MIRROR_CLAMP_TO_EDGE)
            memcpy(wanted.pixels[GATHER_ROW], found.pixels[GATHER_ROW], sizeof(wanted.pixels[GATHER_ROW]));
        /* One may be the driver's own lookup, whose level of detail is its own; the cube's sampler is 87 off. */
        expect_same(&wanted, &found, 4.0f / 255.0f, case_name(i % WRAPS, i / WRAPS, 1));
        filtered += found.tiers[2];
        vkDestroySampler(scene.vk.device, sampler, NULL);
    }
    assert_true(filtered > 0);
    harness_image_destroy(&scene.vk, &cube);
    harness_image_destroy(&scene.vk, &texture);
    scene_program_destroy(&scene, &halves);
    scene_program_destroy(&scene, &combined);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sampler_of_a_cube_meets_another_image),
        cmocka_unit_test(halves_of_one_descriptor_are_the_descriptor),
        cmocka_unit_test(halves_of_one_element_are_the_element),
        cmocka_unit_test(halves_of_two_descriptors_are_a_pair),
        cmocka_unit_test(a_half_meets_a_separate_sampler),
        cmocka_unit_test(a_half_meets_a_separate_image),
        cmocka_unit_test(halves_of_two_elements_are_a_pair),
        cmocka_unit_test(halves_are_passed_to_functions),
        cmocka_unit_test(a_half_asks_where_no_descriptor_does),
        cmocka_unit_test(every_set_has_halves_of_its_own),
        cmocka_unit_test(linked_pipelines_take_apart),
        cmocka_unit_test(fast_linked_pipelines_take_apart),
    };
    return cmocka_run_group_tests_name("halves", tests, NULL, NULL);
}
