/* SPDX-License-Identifier: MIT */
/*
 * Shaders that take textures and samplers out of heaps themselves, by untyped pointers: at the strides that descriptors
 * have, at strides of the program's own, and as members of structs.
 */
#include <string.h>

#include "integration/app_descriptors/heap_scene.h"
#ifdef HEAP_SHADERS
#include "integration_heap_compute.h"
#include "integration_heap_constant.h"
#include "integration_heap_fragment.h"
#include "integration_heap_members.h"
#include "integration_heap_members_compute.h"
#include "integration_heap_strided.h"

enum { OWN_STRIDE = 256, MEMBERS_AT = 64, SPREAD = 3 };

/* What the shaders have pushed (integration_heap.glsl). */
struct pushed {
    uint32_t textures[SCENE_ROWS], samplers[SCENE_ROWS];
    uint32_t pixels, samplers_at;
};

/* How a shader counts. */
struct places {
    uint32_t textures, texture_stride; /* byte of texture 0, and from one to the next */
    uint32_t samplers;                 /* byte of sampler 0 */
};

/* Rows' descriptors are spread over the heaps, in another order than the rows. */
static struct pushed write_rows(struct heap_scene *f, const struct places *places, const enum scene_sampler *samplers)
{
    const uint32_t sampler_stride = harness_heap_stride(&f->heaps, VK_DESCRIPTOR_TYPE_SAMPLER);
    const uint32_t buffer_stride = harness_heap_stride(&f->heaps, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
    struct pushed pushed = {.samplers_at = places->samplers};
    for (uint32_t row = 0; row < SCENE_ROWS; row++) {
        pushed.textures[row] = 1 + row * 5 % SCENE_ROWS * 2;
        pushed.samplers[row] = row * 7 % SCENE_ROWS * 2;
        heap_scene_put_texture(f, places->textures + pushed.textures[row] * places->texture_stride,
                               heap_scene_texture(row));
        heap_scene_put_sampler(f, places->samplers + pushed.samplers[row] * sampler_stride, samplers[row]);
    }
    pushed.pixels = HEAP_SCENE_BYTES / 2 / buffer_stride;
    heap_scene_put_pixels(f, pushed.pixels * buffer_stride);
    return pushed;
}

/* Looks up in every tier that there is. */
static void look_up(struct harness_spirv code, VkShaderStageFlagBits stage,
                    struct places (*places_of)(struct heap_scene *f))
{
    struct heap_scene f;
    heap_scene_open(&f);
    const struct places places = places_of(&f);
    harness_heap_take(&f.heaps.samplers, HEAP_SCENE_BYTES / 2, 1); /* heap_scene_raise writes behind it */
    VkPipeline pipeline = heap_scene_pipeline(&f, stage, code, NULL);
    for (unsigned tier = 0; tier <= heap_scene_tiers(&f); tier++) {
        const enum scene_sampler *samplers = heap_scene_rows(tier);
        heap_scene_raise(&f, tier);
        const struct pushed pushed = write_rows(&f, &places, samplers);
        if (stage == VK_SHADER_STAGE_COMPUTE_BIT)
            heap_scene_dispatch(&f, pipeline, &pushed, sizeof(pushed));
        else
            heap_scene_draw(&f, pipeline, &pushed, sizeof(pushed));
        enum scene_sampler expected[SCENE_ROWS];
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            expected[row] =
                stage == VK_SHADER_STAGE_COMPUTE_BIT && samplers[row] == SCENE_MIXED ? SCENE_MAGNIFIED : samplers[row];
        heap_scene_expect_rows(&f, expected);
    }
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    heap_scene_close(&f);
}

static struct places at_sizes(struct heap_scene *f)
{
    return (struct places){0, harness_heap_stride(&f->heaps, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE), 0};
}

static struct places at_own_strides(struct heap_scene *f)
{
    (void)f;
    return (struct places){0, OWN_STRIDE, 0};
}

/* What the compiler makes of the structs: members and structs are aligned to the size of an image's descriptor. */
static struct places as_members(struct heap_scene *f)
{
    const uint32_t image = harness_heap_stride(&f->heaps, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
    return (struct places){MEMBERS_AT + image + 2 * image, 3 * image,
                           SPREAD * harness_heap_stride(&f->heaps, VK_DESCRIPTOR_TYPE_SAMPLER)};
}

static void fragments_index_by_the_sizes_of_descriptors(void **state)
{
    (void)state;
    look_up(HARNESS_SPIRV(integration_heap_fragment), VK_SHADER_STAGE_FRAGMENT_BIT, at_sizes);
}

static void dispatches_write_into_a_buffer_of_the_heap(void **state)
{
    (void)state;
    look_up(HARNESS_SPIRV(integration_heap_compute), VK_SHADER_STAGE_COMPUTE_BIT, at_sizes);
}

static void strides_are_the_programs_own(void **state)
{
    (void)state;
    look_up(HARNESS_SPIRV(integration_heap_strided), VK_SHADER_STAGE_FRAGMENT_BIT, at_own_strides);
}

static void descriptors_are_members_of_structs(void **state)
{
    (void)state;
    look_up(HARNESS_SPIRV(integration_heap_members), VK_SHADER_STAGE_FRAGMENT_BIT, as_members);
    look_up(HARNESS_SPIRV(integration_heap_members_compute), VK_SHADER_STAGE_COMPUTE_BIT, as_members);
}

static void indices_may_be_constant(void **state)
{
    (void)state;
    struct heap_scene f;
    heap_scene_open(&f);
    const uint32_t stride = harness_heap_stride(&f.heaps, VK_DESCRIPTOR_TYPE_SAMPLER);
    VkPipeline pipeline =
        heap_scene_pipeline(&f, VK_SHADER_STAGE_FRAGMENT_BIT, HARNESS_SPIRV(integration_heap_constant), NULL);
    harness_heap_take(&f.heaps.samplers, HEAP_SCENE_BYTES / 2, 1);
    for (unsigned tier = 0; tier <= heap_scene_tiers(&f); tier++) {
        static const enum scene_sampler asking[] = {SCENE_BORDER, SCENE_MIRROR, SCENE_MIXED};
        heap_scene_raise(&f, tier);
        heap_scene_put_texture(&f, 0, SCENE_STEPS);
        heap_scene_put_sampler(&f, stride, asking[tier]);
        heap_scene_draw(&f, pipeline, NULL, 0);
        if (!f.native)
            scene_expect_tier(&f.scene, tier);
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            scene_expect_row(&f.scene, row, asking[tier], SCENE_STEPS);
    }
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    heap_scene_close(&f);
}

/* Descriptors go along where the GPU copies them, as all that they carry does. */
static void descriptors_are_copied_as_bytes(void **state)
{
    (void)state;
    struct heap_scene f;
    heap_scene_open(&f);
    const struct places places = at_sizes(&f);
    const enum scene_sampler *samplers = heap_scene_rows(heap_scene_tiers(&f));
    harness_heap_take(&f.heaps.samplers, HEAP_SCENE_BYTES / 2, 1);
    heap_scene_raise(&f, heap_scene_tiers(&f));
    struct pushed pushed = write_rows(&f, &places, samplers);
    VkPipeline pipeline =
        heap_scene_pipeline(&f, VK_SHADER_STAGE_FRAGMENT_BIT, HARNESS_SPIRV(integration_heap_fragment), NULL);
    const uint32_t moved = 40, stride = places.texture_stride;
    VkCommandBuffer commands = harness_begin(&f.scene.vk);
    const VkDeviceSize begins = (VkDeviceSize)(f.heaps.resources.bytes - (unsigned char *)f.heaps.resources.buffer.map);
    const VkBufferCopy copy = {begins, begins + moved * stride, 16 * stride};
    vkCmdCopyBuffer(commands, f.heaps.resources.buffer.buffer, f.heaps.resources.buffer.buffer, 1, &copy);
    harness_heaps_barrier(commands);
    harness_submit(&f.scene.vk, commands);
    memset(f.heaps.resources.bytes, 0xff, 16 * stride);
    for (uint32_t row = 0; row < SCENE_ROWS; row++)
        pushed.textures[row] += moved;
    heap_scene_draw(&f, pipeline, &pushed, sizeof(pushed));
    heap_scene_expect_rows(&f, samplers);
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    heap_scene_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fragments_index_by_the_sizes_of_descriptors),
        cmocka_unit_test(dispatches_write_into_a_buffer_of_the_heap),
        cmocka_unit_test(strides_are_the_programs_own),
        cmocka_unit_test(descriptors_are_members_of_structs),
        cmocka_unit_test(indices_may_be_constant),
        cmocka_unit_test(descriptors_are_copied_as_bytes),
    };
    return cmocka_run_group_tests_name("heap_untyped", tests, NULL, NULL);
}
#else
static void compilers_know_heaps(void **state)
{
    (void)state;
    print_message("glslang lacks GL_EXT_descriptor_heap\n");
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(compilers_know_heaps)};
    return cmocka_run_group_tests_name("heap_untyped", tests, NULL, NULL);
}
#endif
