/* SPDX-License-Identifier: MIT */
/*
 * Cubes whose faces are filtered one by one: samplers of GL's and of Vulkan's own that say so, filtered by the driver
 * or in the shader. Every face has one value at each level, so that what comes from another face, another level or the
 * border shows.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/shared/scene.h"
#include "integration_cube.h"
#include "integration_cube_compared.h"
#include "integration_cube_compared_separate.h"
#include "integration_cube_corners.h"
#include "integration_cube_separate.h"

enum { SIZE = 4, FACES = 6, LEVELS = 2, TEXELS = FACES * (SIZE * SIZE + SIZE / 2 * SIZE / 2) };

/* OpenGL's numbers. */
enum {
    GL_NEAREST_MIPMAP_NEAREST_TOKEN = TOKEN_NEAREST_MIPMAP_NEAREST,
    GL_NEAREST_TOKEN = TOKEN_NEAREST,
    GL_REPEAT_TOKEN = TOKEN_REPEAT,
    GL_LESS_TOKEN = 0x0201,
    GL_COMPARE_TOKEN = TOKEN_COMPARE_REF_TO_TEXTURE,
};

/* As in integration_cube.frag. */
static const double directions[SCENE_COLUMNS][3] = {{1, 0.1, 0.93}, {0.93, 0.1, 1}, {-0.93, -0.2, 1}, {-1, -0.2, -0.93},
                                                    {0.2, 1, 0.93}, {0.3, 0.93, 1}, {0.3, -1, -0.93}, {0.92, 0.93, -1}};
enum { ROW_LEVEL_0, ROW_LEVEL_1, ROW_GATHER };

/* OpenGL 4.6 compatibility, section 8.13, table 8.19. */
static unsigned face_of(const double d[3], double place[2])
{
    const unsigned axis = fabs(d[0]) > fabs(d[1]) && fabs(d[0]) > fabs(d[2]) ? 0 : fabs(d[1]) > fabs(d[2]) ? 1 : 2;
    const double sign = d[axis] < 0 ? -1 : 1, length = fabs(d[axis]);
    const double sc = axis == 0 ? -sign * d[2] : axis == 1 ? d[0] : sign * d[0];
    const double tc = axis == 1 ? sign * d[2] : -d[1];
    place[0] = (sc / length + 1) / 2;
    place[1] = (tc / length + 1) / 2;
    return 2 * axis + (sign < 0);
}

static float value_of(unsigned face, unsigned level)
{
    return (float)(face + 1 + 10 * level);
}

/* Depth that a comparison with half tells apart, the other way round at the other level. */
static float depth_of(unsigned face, unsigned level)
{
    return (face + level) & 1 ? 0.75f : 0.25f;
}

struct fixture {
    struct scene scene;
    struct scene_program program;
    struct harness_image cube;
    VkDescriptorSet set;
    bool separate;
};

/* `setting` is a fallback for plain samplers, or NULL; `missing` names what the layer must not use of the driver. */
static void open_device(struct fixture *f, bool gl, const char *missing, const char *key, const char *value)
{
    const struct harness_vulkan_params params = {
        .layers = "clampler:validation", .gl_sampler = gl, .non_seamless_cube = !gl};
    memset(f, 0, sizeof(*f));
    harness_vulkan_hold_driver();
    harness_messages_reset();
    setenv("VK_CLAMPLER_FORCE_ACTIVE", "true", 1);
    if (missing)
        setenv("VK_CLAMPLER_ASSUME_MISSING", missing, 1);
    if (key)
        setenv(key, value, 1);
    harness_vulkan_open(&f->scene.vk, &params);
    unsetenv("VK_CLAMPLER_FORCE_ACTIVE");
    unsetenv("VK_CLAMPLER_ASSUME_MISSING");
    if (key)
        unsetenv(key);
    assert_non_null(f->scene.vk.counters);
    scene_make(&f->scene, gl);
}

static void make_cube(struct fixture *f, VkFormat format, float (*value)(unsigned face, unsigned level))
{
    float texels[TEXELS];
    size_t count = 0;
    for (unsigned level = 0; level < LEVELS; level++)
        for (unsigned face = 0; face < FACES; face++)
            for (int i = 0; i < (SIZE >> level) * (SIZE >> level); i++)
                texels[count++] = value(face, level);
    harness_image_create(&f->scene.vk, &f->cube,
                         &(struct harness_image_params){.type = VK_IMAGE_VIEW_TYPE_CUBE,
                                                        .format = format,
                                                        .width = SIZE,
                                                        .height = SIZE,
                                                        .layers = FACES,
                                                        .levels = LEVELS},
                         texels);
}

static void make_program(struct fixture *f, bool compared, bool separate)
{
    static const VkDescriptorSetLayoutBinding combined[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1)};
    static const VkDescriptorSetLayoutBinding apart[] = {SCENE_BINDING(0, SAMPLED_IMAGE, 1),
                                                         SCENE_BINDING(1, SAMPLER, 1)};
    const struct harness_spirv code = compared   ? separate ? HARNESS_SPIRV(integration_cube_compared_separate)
                                                            : HARNESS_SPIRV(integration_cube_compared)
                                        : separate ? HARNESS_SPIRV(integration_cube_separate)
                                                 : HARNESS_SPIRV(integration_cube);
    f->separate = separate;
    scene_program_create(&f->scene, &f->program, code, separate ? apart : combined, separate ? 2 : 1, 0, NULL);
    f->set = harness_set(&f->scene.vk, f->program.set_layout);
}

static void end_program(struct fixture *f)
{
    HARNESS_VK(vkFreeDescriptorSets(f->scene.vk.device, f->scene.vk.descriptors, 1, &f->set));
    scene_program_destroy(&f->scene, &f->program);
}

static void close_device(struct fixture *f)
{
    harness_image_destroy(&f->scene.vk, &f->cube);
    scene_close(&f->scene);
}

static void draw(struct fixture *f, VkSampler sampler)
{
    const VkDescriptorType type = f->separate ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE : SCENE_COMBINED;
    harness_write_image(&f->scene.vk, f->set, 0, 0, type, f->separate ? VK_NULL_HANDLE : sampler, f->cube.view);
    if (f->separate)
        harness_write_image(&f->scene.vk, f->set, 1, 0, VK_DESCRIPTOR_TYPE_SAMPLER, sampler, VK_NULL_HANDLE);
    scene_draw(&f->scene, f->program.pipeline, f->program.layout, 1, &f->set);
}

static bool shows(const struct fixture *f, unsigned row, unsigned column, double wanted)
{
    return fabs((double)f->scene.pixels[row][column][0] - wanted) <= 4.0 / 256 * fmax(fabs(wanted), 1);
}

static void expect(const struct fixture *f, unsigned row, unsigned column, double wanted)
{
    if (!shows(f, row, column, wanted))
        print_error("row %u, column %u: %f, not %f\n", row, column, (double)f->scene.pixels[row][column][0], wanted);
    assert_true(shows(f, row, column, wanted));
}

/* ---- Vulkan's own samplers ---- */

static VkSampler plain_sampler(struct fixture *f, bool seamless)
{
    const VkSamplerCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .flags = seamless ? 0 : (VkSamplerCreateFlags)VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT,
        .magFilter = VK_FILTER_LINEAR,
        .minFilter = VK_FILTER_LINEAR,
        .mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .maxLod = VK_LOD_CLAMP_NONE};
    return harness_sampler(&f->scene.vk, &info);
}

/* Faces that are alone show themselves; others a part of the next one. */
static void expect_faces(const struct fixture *f, bool alone)
{
    for (unsigned column = 0; column < SCENE_COLUMNS; column++) {
        double place[2];
        const unsigned face = face_of(directions[column], place);
        for (unsigned row = ROW_LEVEL_0; row <= ROW_LEVEL_1; row++) {
            if (alone)
                expect(f, row, column, (double)value_of(face, row));
            else
                assert_false(shows(f, row, column, (double)value_of(face, row)));
        }
        for (unsigned row = ROW_GATHER; row < SCENE_ROWS && alone; row++)
            expect(f, row, column, (double)value_of(face, 0));
    }
}

/* What the driver draws alone, and what the shader must draw in its place. */
static void draw_plain(const char *missing, const char *fallback, unsigned tier)
{
    struct fixture f;
    open_device(&f, false, missing, fallback ? "VK_CLAMPLER_LINEAR_FALLBACK" : NULL, fallback);
    if (!f.scene.vk.non_seamless_cube) {
        scene_close(&f.scene);
        skip();
    }
    make_cube(&f, VK_FORMAT_R32_SFLOAT, value_of);
    VkSampler alone = plain_sampler(&f, false), together = plain_sampler(&f, true);
    for (int separate = 0; separate < 2; separate++) {
        make_program(&f, false, separate);
        draw(&f, alone);
        scene_expect_tier(&f.scene, tier);
        expect_faces(&f, true);
        draw(&f, together);
        expect_faces(&f, false);
        end_program(&f);
    }
    vkDestroySampler(f.scene.vk.device, alone, NULL);
    vkDestroySampler(f.scene.vk.device, together, NULL);
    close_device(&f);
}

static void plain_samplers_keep_to_a_face_in_the_driver(void **state)
{
    (void)state;
    draw_plain(NULL, NULL, 0);
}

static void plain_samplers_keep_to_a_face_in_the_shader(void **state)
{
    (void)state;
    draw_plain("linear_float32", "shader", 2);
}

/*
 * Where three faces of a seamless cube meet there is no fourth texel: the mean of the three is in its place
 * (OpenGL 4.6, section 8.14.3), at each corner of a face.
 */
static void corners_are_the_mean_of_three_faces(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    for (int shader = 0; shader < 2; shader++) {
        struct fixture f;
        open_device(&f, false, shader ? "linear_float32" : NULL, shader ? "VK_CLAMPLER_LINEAR_FALLBACK" : NULL,
                    "shader");
        make_cube(&f, VK_FORMAT_R32_SFLOAT, value_of);
        VkSampler together = plain_sampler(&f, true);
        scene_program_create(&f.scene, &f.program, HARNESS_SPIRV(integration_cube_corners), &binding, 1, 0, NULL);
        f.set = harness_set(&f.scene.vk, f.program.set_layout);
        draw(&f, together);
        scene_expect_tier(&f.scene, shader ? 2 : 0);
        for (unsigned column = 0; column < SCENE_COLUMNS; column++) {
            const unsigned x = column >> 2 & 1, y = column >> 1 & 1, z = column & 1; /* 1: the negative face */
            for (unsigned level = 0; level < LEVELS; level++)
                expect(&f, level, column,
                       ((double)value_of(x, level) + (double)value_of(2 + y, level) + (double)value_of(4 + z, level)) /
                           3);
        }
        end_program(&f);
        vkDestroySampler(f.scene.vk.device, together, NULL);
        close_device(&f);
    }
}

/* The share of a footprint along an axis that lies on the face: GL_CLAMP's other half is border. */
static double inside(double place, unsigned size)
{
    const double u = place * size;
    return u < 0.5 ? 0.5 + u : u > size - 0.5 ? 0.5 + size - u : 1;
}

/* The border of a program that has none is transparent black. */
static void gl_clamp_acts_on_each_face(void **state)
{
    (void)state;
    struct fixture f;
    open_device(&f, false, "non_seamless_cube", "VK_CLAMPLER_GL_CLAMP", "edge");
    if (!f.scene.vk.non_seamless_cube) {
        scene_close(&f.scene);
        skip();
    }
    make_cube(&f, VK_FORMAT_R32_SFLOAT, value_of);
    VkSampler alone = plain_sampler(&f, false), together = plain_sampler(&f, true);
    for (int separate = 0; separate < 2; separate++) {
        make_program(&f, false, separate);
        draw(&f, alone);
        scene_expect_tier(&f.scene, 2);
        for (unsigned column = 0; column < SCENE_COLUMNS; column++) {
            double place[2];
            const unsigned face = face_of(directions[column], place);
            for (unsigned level = 0; level < LEVELS; level++)
                expect(&f, level, column,
                       (double)value_of(face, level) * inside(place[0], SIZE >> level) *
                           inside(place[1], SIZE >> level));
        }
        draw(&f, together); /* seamless cubes have no wrap modes */
        expect_faces(&f, false);
        for (unsigned column = 0; column < SCENE_COLUMNS; column++)
            assert_true(f.scene.pixels[ROW_LEVEL_0][column][0] > 0.9f);
        end_program(&f);
    }
    vkDestroySampler(f.scene.vk.device, alone, NULL);
    vkDestroySampler(f.scene.vk.device, together, NULL);
    close_device(&f);
}

/* ---- Gathers ---- */

static VkSampler gl_sampler(struct fixture *f, float bias, float least, bool compares)
{
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
        .wrapS = GL_REPEAT_TOKEN,
        .wrapT = GL_REPEAT_TOKEN,
        .minFilter = GL_NEAREST_MIPMAP_NEAREST_TOKEN,
        .magFilter = GL_NEAREST_TOKEN,
        .minLod = least,
        .maxLod = 1000,
        .lodBias = bias,
        .compareMode = compares ? GL_COMPARE_TOKEN : 0,
        .compareFunc = compares ? GL_LESS_TOKEN : 0,
    };
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl};
    return harness_sampler(&f->scene.vk, &info);
}

static const struct {
    float bias, least;
} ranges[] = {{0, 0}, {1, 0}, {0, 1}, {-1, 0.75f}, {3, 2}};

static void expect_gathers_of_colors(const struct fixture *f, float bias, float least)
{
    for (unsigned column = 0; column < SCENE_COLUMNS; column++) {
        double place[2];
        const unsigned face = face_of(directions[column], place);
        for (unsigned row = ROW_LEVEL_0; row <= ROW_LEVEL_1; row++) {
            const float lod = fminf(fmaxf((float)row + bias, least), LEVELS - 1);
            expect(f, row, column, (double)value_of(face, lod > 0.5f));
        }
        for (unsigned row = ROW_GATHER; row < SCENE_ROWS; row++)
            expect(f, row, column, (double)value_of(face, 0));
    }
}

/* A gather reads the base level, whatever the sampler's bias and range (section 8.15). */
static void gather(bool compares, unsigned tier, const char *missing)
{
    struct fixture f;
    open_device(&f, true, missing, NULL, NULL);
    make_cube(&f, compares ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_R32_SFLOAT, compares ? depth_of : value_of);
    for (int separate = 0; separate < 2; separate++) {
        make_program(&f, compares, separate);
        for (unsigned i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
            VkSampler sampler = gl_sampler(&f, ranges[i].bias, ranges[i].least, compares);
            draw(&f, sampler);
            scene_expect_tier(&f.scene, tier);
            if (!compares)
                expect_gathers_of_colors(&f, ranges[i].bias, ranges[i].least);
            for (unsigned column = 0; column < SCENE_COLUMNS && compares; column++) {
                double place[2];
                const unsigned face = face_of(directions[column], place);
                expect(&f, 0, column, 0.5f < depth_of(face, 0) ? 1 : 0);
            }
            vkDestroySampler(f.scene.vk.device, sampler, NULL);
        }
        end_program(&f);
    }
    close_device(&f);
}

static void gathers_read_the_base_level(void **state)
{
    (void)state;
    gather(false, 2, "non_seamless_cube");
    gather(true, 2, "non_seamless_cube");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_samplers_keep_to_a_face_in_the_driver),
        cmocka_unit_test(plain_samplers_keep_to_a_face_in_the_shader),
        cmocka_unit_test(corners_are_the_mean_of_three_faces),
        cmocka_unit_test(gl_clamp_acts_on_each_face),
        cmocka_unit_test(gathers_read_the_base_level),
    };
    return cmocka_run_group_tests_name("cubes", tests, NULL, NULL);
}
