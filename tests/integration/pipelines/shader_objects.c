/* SPDX-License-Identifier: MIT */
/*
 * Shader objects (VK_EXT_shader_object): draws and dispatches bind shaders of the tier that their records need, linked
 * or not, from SPIR-V or from binaries, and when what they were created with is gone. Skipped where the driver lacks
 * the extension.
 */
#include <stdlib.h>
#include <string.h>

#include "newer_vulkan.h"
#include "harness/drawing/shader_objects.h"
#include "integration/layers/code_layer/code.h"
#include "integration/layers/faults.h"
#include "integration/shared/scene.h"
#include "integration_shader_object.h"
#include "integration_shader_object_fragment.h"
#include "integration_shader_object_vertex.h"

enum way { UNLINKED, LINKED, BINARY, WAYS };

struct fixture {
    struct scene scene;
    VkDescriptorSetLayout set_layout; /* what shaders are made with; destroyed behind it */
    VkDescriptorSetLayout lasting;    /* the same, for sets */
    VkPipelineLayout layout;
    VkDescriptorSet set, other;
    VkShaderEXT shaders[2]; /* vertex, fragment; or compute */
    unsigned shader_count;
};

#define CALL(F, NAME) HARNESS_PROC(&(F)->scene.vk, vk##NAME)

static struct code_control *control;

static void open_fixture_with(struct fixture *f, const char *layers, const VkDescriptorSetLayoutBinding *bindings,
                              uint32_t binding_count)
{
    static const char *const extensions[] = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME};
    VkPhysicalDeviceVulkan13Features rendering = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                  .dynamicRendering = VK_TRUE};
    VkPhysicalDeviceShaderObjectFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
        .pNext = &rendering,
        .shaderObject = VK_TRUE};
    scene_skip_without(VK_EXT_SHADER_OBJECT_EXTENSION_NAME);
    memset(f, 0, sizeof(*f));
    scene_open(&f->scene, &(struct harness_vulkan_params){.layers = layers,
                                                          .device_extensions = extensions,
                                                          .device_extension_count = 1,
                                                          .device_next = &features});
    f->set_layout = harness_set_layout(&f->scene.vk, bindings, binding_count);
    harness_one_set(&f->scene.vk, bindings, binding_count, &f->lasting, &f->layout, &f->set);
    f->other = harness_set(&f->scene.vk, f->lasting);
}

static void open_fixture(struct fixture *f, const VkDescriptorSetLayoutBinding *bindings, uint32_t binding_count)
{
    open_fixture_with(f, NULL, bindings, binding_count);
}

static void destroy_shaders(struct fixture *f)
{
    for (unsigned i = 0; i < f->shader_count; i++)
        CALL(f, DestroyShaderEXT)(f->scene.vk.device, f->shaders[i], NULL);
    f->shader_count = 0;
}

static void close_fixture(struct fixture *f)
{
    destroy_shaders(f);
    harness_layouts_destroy(&f->scene.vk, f->layout, f->lasting);
    scene_close(&f->scene);
}

/* ---- Making ---- */

static VkShaderCreateInfoEXT shader_info(const struct fixture *f, VkShaderStageFlagBits stage,
                                         struct harness_spirv code)
{
    return (VkShaderCreateInfoEXT){.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                   .stage = stage,
                                   .nextStage = stage == VK_SHADER_STAGE_VERTEX_BIT ? VK_SHADER_STAGE_FRAGMENT_BIT : 0,
                                   .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                   .codeSize = code.bytes,
                                   .pCode = code.words,
                                   .pName = "main",
                                   .setLayoutCount = 1,
                                   .pSetLayouts = &f->set_layout};
}

/* Binaries of the shaders, which are destroyed and made again from those. */
static void exchange_for_binaries(struct fixture *f, VkShaderCreateInfoEXT *infos)
{
    void *data[2] = {NULL};
    for (unsigned i = 0; i < f->shader_count; i++) {
        size_t size = 0, too_small = 8;
        HARNESS_VK(CALL(f, GetShaderBinaryDataEXT)(f->scene.vk.device, f->shaders[i], &size, NULL));
        data[i] = aligned_alloc(16, (size + 15) & ~(size_t)15);
        assert_non_null(data[i]);
        assert_int_equal(CALL(f, GetShaderBinaryDataEXT)(f->scene.vk.device, f->shaders[i], &too_small, data[i]),
                         VK_INCOMPLETE);
        HARNESS_VK(CALL(f, GetShaderBinaryDataEXT)(f->scene.vk.device, f->shaders[i], &size, data[i]));
        infos[i].codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
        infos[i].codeSize = size;
        infos[i].pCode = data[i];
    }
    const unsigned count = f->shader_count;
    destroy_shaders(f);
    HARNESS_VK(CALL(f, CreateShadersEXT)(f->scene.vk.device, count, infos, NULL, f->shaders));
    f->shader_count = count;
    for (unsigned i = 0; i < 2; i++)
        free(data[i]);
}

/* Everything that they are made with is gone when it returns. */
static void make(struct fixture *f, enum way way, VkShaderCreateInfoEXT *infos, unsigned count)
{
    for (unsigned i = 0; i < count && way == LINKED; i++)
        infos[i].flags |= VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;
    HARNESS_VK(CALL(f, CreateShadersEXT)(f->scene.vk.device, count, infos, NULL, f->shaders));
    f->shader_count = count;
    if (way == BINARY)
        exchange_for_binaries(f, infos);
    vkDestroyDescriptorSetLayout(f->scene.vk.device, f->set_layout, NULL);
    f->set_layout = VK_NULL_HANDLE;
    memset(infos, 0xee, count * sizeof(*infos));
}

/* ---- Compute ---- */

static const enum scene_sampler samplers[] = {SCENE_EDGE, SCENE_CLAMP, SCENE_MIXED, SCENE_MIRROR, SCENE_BORDER};
static const unsigned tiers[] = {0, 1, 2, 1, 0};
enum { STEPS = sizeof(tiers) / sizeof(tiers[0]) };

static void dispatches_bind_shaders_of_their_tier(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {
        {0, SCENE_COMBINED, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    static const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    for (unsigned way = 0; way < WAYS; way++) {
        struct fixture f;
        struct harness_buffer pixels;
        uint64_t made = 0;
        if (way == LINKED)
            continue; /* there is nothing to link with */
        open_fixture(&f, bindings, 2);
        harness_buffer_create(&f.scene.vk, &pixels, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, sizeof(f.scene.pixels), NULL);
        harness_write_buffer(&f.scene.vk, f.set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, pixels.buffer);
        VkShaderCreateInfoEXT info = shader_info(&f, stage, HARNESS_SPIRV(integration_shader_object));
        make(&f, (enum way)way, &info, 1);
        for (unsigned i = 0; i < STEPS; i++) {
            scene_write(&f.scene, f.set, 0, 0, SCENE_COMBINED, samplers[i], SCENE_STEPS);
            memset(pixels.map, 0, sizeof(f.scene.pixels));
            scene_mark(&f.scene);
            VkCommandBuffer commands = harness_begin(&f.scene.vk);
            CALL(&f, CmdBindShadersEXT)(commands, 1, &stage, f.shaders);
            vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, f.layout, 0, 1, &f.set, 0, NULL);
            vkCmdDispatch(commands, 1, 1, 1);
            harness_submit(&f.scene.vk, commands);
            scene_take(&f.scene);
            scene_expect_tier(&f.scene, tiers[i]);
            made += f.scene.pipelines[1] + f.scene.pipelines[2];
            memcpy(f.scene.pixels, pixels.map, sizeof(f.scene.pixels));
            /* The lookup names level 0, where the sampler of mixed filters is nearest. */
            for (unsigned row = 0; row < SCENE_ROWS && samplers[i] != SCENE_MIXED; row++)
                scene_expect_row(&f.scene, row, samplers[i], SCENE_STEPS);
        }
        assert_int_equal(made, 2);
        harness_buffer_destroy(&f.scene.vk, &pixels);
        close_fixture(&f);
    }
}

/* ---- Graphics ---- */

static const VkDescriptorSetLayoutBinding one_texture[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1)};

static void bind(const struct fixture *f, VkCommandBuffer commands)
{
    static const VkShaderStageFlagBits stages[2] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT};
    CALL(f, CmdBindShadersEXT)(commands, 2, stages, f->shaders);
    harness_objects_set_state(&f->scene.vk, &f->scene.target, 2, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, commands);
}

static VkCommandBuffer begin(struct fixture *f)
{
    scene_mark(&f->scene);
    VkCommandBuffer commands = harness_begin(&f->scene.vk);
    harness_target_begin_rendering(&f->scene.target, commands);
    return commands;
}

static void draw(const struct fixture *f, VkCommandBuffer commands, VkDescriptorSet set)
{
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->layout, 0, 1, &set, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
}

static void end(struct fixture *f, VkCommandBuffer commands)
{
    harness_target_end_rendering(&f->scene.target, commands);
    harness_submit(&f->scene.vk, commands);
    scene_take(&f->scene);
    harness_target_read(&f->scene.vk, &f->scene.target, f->scene.pixels);
}

static void expect_all_rows(const struct fixture *f, enum scene_sampler sampler)
{
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f->scene, row, sampler, SCENE_STEPS);
}

static void make_both(struct fixture *f, enum way way)
{
    VkShaderCreateInfoEXT infos[2] = {
        shader_info(f, VK_SHADER_STAGE_VERTEX_BIT, HARNESS_SPIRV(integration_shader_object_vertex)),
        shader_info(f, VK_SHADER_STAGE_FRAGMENT_BIT, HARNESS_SPIRV(integration_shader_object_fragment))};
    make(f, way, infos, 2);
}

static void draws_bind_shaders_of_their_tier(void **state)
{
    (void)state;
    for (unsigned way = 0; way < WAYS; way++) {
        struct fixture f;
        uint64_t made = 0;
        open_fixture(&f, one_texture, 1);
        make_both(&f, (enum way)way);
        for (unsigned i = 0; i < STEPS; i++) {
            scene_write(&f.scene, f.set, 0, 0, SCENE_COMBINED, samplers[i], SCENE_STEPS);
            VkCommandBuffer commands = begin(&f);
            bind(&f, commands);
            draw(&f, commands, f.set);
            end(&f, commands);
            scene_expect_tier(&f.scene, tiers[i]);
            made += f.scene.pipelines[1] + f.scene.pipelines[2];
            expect_all_rows(&f, samplers[i]);
        }
        assert_int_equal(made, way == LINKED ? 4 : 2); /* what is linked is exchanged together */
        close_fixture(&f);
    }
}

/* In one command buffer: the tier follows the sets, and the plain shaders come back. */
static void the_tier_changes_from_draw_to_draw(void **state)
{
    (void)state;
    for (unsigned way = 0; way < WAYS; way++) {
        struct fixture f;
        open_fixture(&f, one_texture, 1);
        make_both(&f, (enum way)way);
        scene_write(&f.scene, f.set, 0, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_STEPS);
        scene_write(&f.scene, f.other, 0, 0, SCENE_COMBINED, SCENE_EDGE, SCENE_STEPS);
        for (unsigned last = 0; last < 2; last++) {
            VkCommandBuffer commands = begin(&f);
            bind(&f, commands);
            draw(&f, commands, f.other);
            draw(&f, commands, f.set);
            draw(&f, commands, f.other);
            if (last)
                draw(&f, commands, f.set);
            bind(&f, commands); /* the program binds its shaders again: the last draw's set is still bound */
            vkCmdDraw(commands, 3, 1, 0, 0);
            end(&f, commands);
            assert_int_equal(f.scene.drew[0], last ? 2 : 3);
            assert_int_equal(f.scene.drew[1], last ? 3 : 1);
            expect_all_rows(&f, last ? SCENE_CLAMP : SCENE_EDGE);
        }
        close_fixture(&f);
    }
}

/* Nothing of shader objects is left behind secondary command buffers: a pipeline takes their place. */
static void a_pipeline_is_bound_after_executing_secondaries(void **state)
{
    (void)state;
    static const VkShaderStageFlagBits stages[2] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT};
    struct fixture f;
    open_fixture(&f, one_texture, 1);
    make_both(&f, UNLINKED);
    VkPipeline pipeline = harness_graphics_pipeline(
        &f.scene.vk, &f.scene.target,
        &(struct harness_graphics_params){.fragment = HARNESS_SPIRV(integration_shader_object_fragment),
                                          .layout = f.layout});
    scene_write(&f.scene, f.set, 0, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_STEPS);
    for (unsigned round = 0; round < 2; round++) {
        VkCommandBuffer secondary;
        const VkCommandBufferInheritanceInfo nothing = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
        harness_commands(&f.scene.vk, VK_COMMAND_BUFFER_LEVEL_SECONDARY, 1, &secondary);
        HARNESS_VK(vkBeginCommandBuffer(
            secondary, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                                   .pInheritanceInfo = &nothing}));
        HARNESS_VK(vkEndCommandBuffer(secondary));
        scene_mark(&f.scene);
        VkCommandBuffer commands = harness_begin(&f.scene.vk);
        CALL(&f, CmdBindShadersEXT)(commands, 2, stages, f.shaders);
        vkCmdExecuteCommands(commands, 1, &secondary);
        harness_target_begin(&f.scene.target, commands);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        draw(&f, commands, f.set);
        scene_end(&f.scene, commands);
        scene_expect_tier(&f.scene, 1);
        expect_all_rows(&f, SCENE_CLAMP);
        vkFreeCommandBuffers(f.scene.vk.device, f.scene.vk.pool, 1, &secondary);
    }
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    close_fixture(&f);
}

/* What is no binary of the layer's has no SPIR-V that tiers could be made of. The first null handle tells which it is.
 */
static void binaries_of_others_are_incompatible(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, one_texture, 1);
    _Alignas(16) static const unsigned char junk[256] = {1, 2, 3};
    VkShaderCreateInfoEXT infos[2] = {
        shader_info(&f, VK_SHADER_STAGE_VERTEX_BIT, HARNESS_SPIRV(integration_shader_object_vertex)),
        shader_info(&f, VK_SHADER_STAGE_FRAGMENT_BIT, HARNESS_SPIRV(integration_shader_object_fragment))};
    infos[1].codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
    infos[1].codeSize = sizeof(junk);
    infos[1].pCode = junk;
    assert_int_equal(CALL(&f, CreateShadersEXT)(f.scene.vk.device, 2, infos, NULL, f.shaders),
                     VK_INCOMPATIBLE_SHADER_BINARY_EXT);
    assert_true(f.shaders[0] != VK_NULL_HANDLE);
    assert_true(f.shaders[1] == VK_NULL_HANDLE);
    f.shader_count = 1;
    vkDestroyDescriptorSetLayout(f.scene.vk.device, f.set_layout, NULL);
    close_fixture(&f);
}

/*
 * Stages that are linked are bound together, so none may keep its tier while another changes it: where one has a
 * structure in its chain that the layer does not know, none is linked for the driver.
 */
static void linked_shaders_of_which_one_keeps_its_tier_are_not_linked(void **state)
{
    (void)state;
    const VkBaseInStructure unknown = {.sType = (VkStructureType)1000998877};
    for (unsigned one = 0; one < 3; one++) {
        struct fixture f;
        open_fixture_with(&f, "clampler:" CODE_LAYER, one_texture, 1);
        VkShaderCreateInfoEXT infos[2] = {
            shader_info(&f, VK_SHADER_STAGE_VERTEX_BIT, HARNESS_SPIRV(integration_shader_object_vertex)),
            shader_info(&f, VK_SHADER_STAGE_FRAGMENT_BIT, HARNESS_SPIRV(integration_shader_object_fragment))};
        if (one < 2)
            infos[one].pNext = &unknown;
        const uint32_t linked = atomic_load(&control->linked), unlinked = atomic_load(&control->unlinked);
        make(&f, LINKED, infos, 2);
        assert_int_equal(atomic_load(&control->linked) - linked, one < 2 ? 0 : 2);
        assert_int_equal(atomic_load(&control->unlinked) - unlinked, one < 2 ? 2 : 0);
        for (unsigned i = 0; i < STEPS; i++) {
            scene_write(&f.scene, f.set, 0, 0, SCENE_COMBINED, samplers[i], SCENE_STEPS);
            VkCommandBuffer commands = begin(&f);
            bind(&f, commands);
            draw(&f, commands, f.set);
            end(&f, commands);
            scene_expect_tier(&f.scene, one == 1 ? 2 : tiers[i]);
            expect_all_rows(&f, samplers[i]);
        }
        close_fixture(&f);
    }
}

int main(void)
{
    control = test_layer_open("code", CODE_CONTROL_SYMBOL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dispatches_bind_shaders_of_their_tier),
        cmocka_unit_test(draws_bind_shaders_of_their_tier),
        cmocka_unit_test(the_tier_changes_from_draw_to_draw),
        cmocka_unit_test(a_pipeline_is_bound_after_executing_secondaries),
        cmocka_unit_test(binaries_of_others_are_incompatible),
        cmocka_unit_test(linked_shaders_of_which_one_keeps_its_tier_are_not_linked),
    };
    return cmocka_run_group_tests_name("shader_objects", tests, NULL, NULL);
}
