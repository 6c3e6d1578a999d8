/* SPDX-License-Identifier: MIT */
/*
 * What the extensions VK_KHR_maintenance5 to 11 brought to the calls that the layer is in: wide flags of pipelines with
 * code in their stages, sets bound and pushed by structures, the end of rendering, offsets of lookups that are
 * computed. Skipped where the driver lacks what a test needs.
 */
#include <stdlib.h>
#include <string.h>

#include "newer_vulkan.h"
#include "integration/shared/parts.h"
#include "integration_maintenance_compute.h"
#include "integration_maintenance_fragment.h"
#include "integration_maintenance_offset.h"

enum { FIRST = 5, LAST = 11, EXTENSIONS = LAST - FIRST + 1 };

static const char *const names[EXTENSIONS] = {
    "VK_KHR_maintenance5", "VK_KHR_maintenance6",  "VK_KHR_maintenance7",  "VK_KHR_maintenance8",
    "VK_KHR_maintenance9", "VK_KHR_maintenance10", "VK_KHR_maintenance11",
};
static const VkStructureType types[EXTENSIONS] = {
    (VkStructureType)1000470000, (VkStructureType)1000545000, (VkStructureType)1000562000, (VkStructureType)1000574000,
    (VkStructureType)1000584000, (VkStructureType)1000630000, (VkStructureType)1000657000,
};

static const VkDescriptorSetLayoutBinding binding = {.descriptorType = SCENE_COMBINED,
                                                     .descriptorCount = 1,
                                                     .stageFlags =
                                                         VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT};

struct fixture {
    struct scene scene;
    struct parts parts;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    unsigned latest; /* the last of the extensions that the driver has */
};

#define CALL(F, NAME) HARNESS_PROC(&(F)->scene.vk, vk##NAME)

/* With all of the extensions that are there, at least up to `needed`. */
static void open_fixture(struct fixture *f, unsigned needed, struct harness_spirv fragment,
                         VkDescriptorSetLayoutCreateFlags flags, uint32_t push_bytes)
{
    const char *extensions[EXTENSIONS + 1] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    struct harness_features features[EXTENSIONS];
    VkPhysicalDeviceVulkan13Features core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                             .dynamicRendering = VK_TRUE,
                                             .maintenance4 = VK_TRUE};
    const VkPhysicalDeviceFeatures basic = {.shaderImageGatherExtended = VK_TRUE};
    void *chain = &core;
    uint32_t count = 1;
    scene_skip_without(names[needed - FIRST]);
    for (unsigned i = 0; i < EXTENSIONS && harness_driver_has(names[i]); i++) {
        features[i] = (struct harness_features){.sType = types[i], .pNext = chain, .enabled = {VK_TRUE}};
        chain = &features[i];
        extensions[count++] = names[i];
        f->latest = FIRST + i;
    }
    print_message("up to VK_KHR_maintenance%u\n", f->latest);
    scene_open(&f->scene, &(struct harness_vulkan_params){.device_extensions = extensions,
                                                          .device_extension_count = count,
                                                          .device_next = chain,
                                                          .features = &basic});
    const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                  .flags = flags,
                                                  .bindingCount = 1,
                                                  .pBindings = &binding};
    HARNESS_VK(vkCreateDescriptorSetLayout(f->scene.vk.device, &info, NULL, &f->set_layout));
    f->layout = harness_pipeline_layout(&f->scene.vk, &f->set_layout, 1, push_bytes);
    parts_open(&f->scene, &f->parts, fragment, f->layout);
}

static void close_fixture(struct fixture *f)
{
    parts_close(&f->scene, &f->parts);
    harness_layouts_destroy(&f->scene.vk, f->layout, f->set_layout);
    scene_close(&f->scene);
}

static void bind_sets(const struct fixture *f, VkCommandBuffer commands, VkShaderStageFlags stages, VkDescriptorSet set)
{
    const VkBindDescriptorSetsInfoKHR info = {.sType = VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_SETS_INFO_KHR,
                                              .stageFlags = stages,
                                              .layout = f->layout,
                                              .descriptorSetCount = 1,
                                              .pDescriptorSets = &set};
    CALL(f, CmdBindDescriptorSets2KHR)(commands, &info);
}

static void expect_all_rows(const struct fixture *f, enum scene_sampler sampler)
{
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f->scene, row, sampler, SCENE_STEPS);
}

static const enum scene_sampler samplers[] = {SCENE_EDGE, SCENE_CLAMP, SCENE_MIXED, SCENE_BORDER};
static const unsigned tiers[] = {0, 1, 2, 0};
enum { STEPS = sizeof(tiers) / sizeof(tiers[0]) };

/* ---- Wide flags, code in the stages, rendering that ends by a structure ---- */

static void pipelines_of_inline_code_and_wide_flags_have_tiers(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, 5, HARNESS_SPIRV(integration_maintenance_fragment), 0, 0);
    const struct harness_spirv code[2] = {harness_covering_triangle(), HARNESS_SPIRV(integration_maintenance_fragment)};
    VkShaderModuleCreateInfo modules[2];
    VkFormat format = VK_FORMAT_R32G32B32A32_SFLOAT;
    VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                               .colorAttachmentCount = 1,
                                               .pColorAttachmentFormats = &format};
    VkPipelineCreateFlags2CreateInfoKHR flags = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR,
                                                 .pNext = &rendering,
                                                 .flags = VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT};
    VkPipelineShaderStageCreateInfo program[2] = {f.parts.stages[0], f.parts.stages[1]};
    for (unsigned i = 0; i < 2; i++) {
        modules[i] = (VkShaderModuleCreateInfo){
            .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = code[i].bytes, .pCode = code[i].words};
        f.parts.stages[i].module = VK_NULL_HANDLE;
        f.parts.stages[i].pNext = &modules[i];
    }
    f.parts.info.pNext = &flags;
    f.parts.info.renderPass = VK_NULL_HANDLE;
    VkPipeline pipeline = parts_create(&f.scene, &f.parts);
    memset(modules, 0xee, sizeof(modules));
    memset(&flags, 0xee, sizeof(flags));
    memset(&rendering, 0xee, sizeof(rendering));
    for (unsigned i = 0; i < 2; i++)
        f.parts.stages[i] = program[i];
    VkDescriptorSet set = harness_set(&f.scene.vk, f.set_layout);
    for (unsigned i = 0; i < STEPS; i++) {
        scene_write(&f.scene, set, 0, 0, SCENE_COMBINED, samplers[i], SCENE_STEPS);
        scene_mark(&f.scene);
        VkCommandBuffer commands = harness_begin(&f.scene.vk);
        harness_target_begin_rendering(&f.scene.target, commands);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.layout, 0, 1, &set, 0, NULL);
        vkCmdDraw(commands, 3, 1, 0, 0);
        harness_target_end_rendering(&f.scene.target, commands);
        harness_submit(&f.scene.vk, commands);
        scene_take(&f.scene);
        harness_target_read(&f.scene.vk, &f.scene.target, f.scene.pixels);
        scene_expect_tier(&f.scene, tiers[i]);
        expect_all_rows(&f, samplers[i]);
    }
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    close_fixture(&f);
}

/* ---- Sets and pushes by structures ---- */

/* One call binds for graphics and compute; each point chooses its tier by what is bound there. */
static void one_call_binds_sets_for_several_points(void **state)
{
    (void)state;
    const VkDescriptorSetLayoutBinding bindings[] = {
        binding, {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    struct fixture f;
    struct harness_buffer pixels;
    open_fixture(&f, 6, HARNESS_SPIRV(integration_maintenance_fragment), 0, 0);
    struct harness_vulkan *vk = &f.scene.vk;
    VkDescriptorSetLayout set_layout = harness_set_layout(vk, bindings, 2);
    VkPipelineLayout layout = harness_pipeline_layout(vk, &set_layout, 1, 0);
    VkPipeline compute = harness_compute_pipeline(vk, HARNESS_SPIRV(integration_maintenance_compute), layout);
    f.parts.info.layout = layout;
    VkPipeline graphics = parts_create(&f.scene, &f.parts);
    harness_buffer_create(vk, &pixels, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, sizeof(f.scene.pixels), NULL);
    VkDescriptorSet set = harness_set(vk, set_layout);
    harness_write_buffer(vk, set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, pixels.buffer);
    for (unsigned i = 0; i < STEPS; i++) {
        scene_write(&f.scene, set, 0, 0, SCENE_COMBINED, samplers[i], SCENE_STEPS);
        memset(pixels.map, 0, sizeof(f.scene.pixels));
        const VkBindDescriptorSetsInfoKHR info = {.sType = VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_SETS_INFO_KHR,
                                                  .stageFlags =
                                                      VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT,
                                                  .layout = layout,
                                                  .descriptorSetCount = 1,
                                                  .pDescriptorSets = &set};
        scene_mark(&f.scene);
        VkCommandBuffer commands = harness_begin(vk);
        CALL(&f, CmdBindDescriptorSets2KHR)(commands, &info);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute);
        vkCmdDispatch(commands, 1, 1, 1);
        harness_target_begin(&f.scene.target, commands);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, graphics);
        vkCmdDraw(commands, 3, 1, 0, 0);
        scene_end(&f.scene, commands);
        assert_int_equal(f.scene.drew[tiers[i]], 2);
        expect_all_rows(&f, samplers[i]);
        /* The dispatch names level 0, where the sampler of mixed filters is nearest. */
        memcpy(f.scene.pixels, pixels.map, sizeof(f.scene.pixels));
        if (samplers[i] != SCENE_MIXED)
            expect_all_rows(&f, samplers[i]);
    }
    harness_buffer_destroy(vk, &pixels);
    vkDestroyPipeline(vk->device, compute, NULL);
    vkDestroyPipeline(vk->device, graphics, NULL);
    harness_layouts_destroy(vk, layout, set_layout);
    close_fixture(&f);
}

static void push(const struct fixture *f, VkCommandBuffer commands, VkDescriptorUpdateTemplate update,
                 const VkDescriptorImageInfo *image)
{
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .descriptorCount = 1,
                                        .descriptorType = SCENE_COMBINED,
                                        .pImageInfo = image};
    const VkPushDescriptorSetInfoKHR written = {.sType = VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_INFO_KHR,
                                                .stageFlags =
                                                    VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT,
                                                .layout = f->layout,
                                                .descriptorWriteCount = 1,
                                                .pDescriptorWrites = &write};
    const VkPushDescriptorSetWithTemplateInfoKHR templated = {
        .sType = VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_WITH_TEMPLATE_INFO_KHR,
        .descriptorUpdateTemplate = update,
        .layout = f->layout,
        .pData = image};
    if (update)
        CALL(f, CmdPushDescriptorSetWithTemplate2KHR)(commands, &templated);
    else
        CALL(f, CmdPushDescriptorSet2KHR)(commands, &written);
}

static void descriptors_are_pushed_by_structures(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, 6, HARNESS_SPIRV(integration_maintenance_fragment),
                 VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR, 0);
    VkPipeline pipeline = parts_create(&f.scene, &f.parts);
    const VkDescriptorUpdateTemplateEntry entry = {.descriptorCount = 1, .descriptorType = SCENE_COMBINED};
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .pipelineLayout = f.layout};
    VkDescriptorUpdateTemplate update;
    HARNESS_VK(vkCreateDescriptorUpdateTemplate(f.scene.vk.device, &info, NULL, &update));
    for (unsigned i = 0; i < 2 * STEPS; i++) {
        const VkDescriptorImageInfo image = scene_info(&f.scene, samplers[i / 2], SCENE_STEPS);
        VkCommandBuffer commands = scene_begin(&f.scene);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        push(&f, commands, i % 2 ? update : VK_NULL_HANDLE, &image);
        vkCmdDraw(commands, 3, 1, 0, 0);
        scene_end(&f.scene, commands);
        scene_expect_tier(&f.scene, tiers[i / 2]);
        expect_all_rows(&f, samplers[i / 2]);
    }
    vkDestroyDescriptorUpdateTemplate(f.scene.vk.device, update, NULL);
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    close_fixture(&f);
}

/* ---- Offsets of lookups that are computed ---- */

enum { OP_SAMPLE_IMPLICIT = 87, OP_GATHER = 96, CONST_OFFSET = 0x8, OFFSET = 0x10 };

/*
 * The shader gathers at an offset that is pushed, which GLSL has always had, and looks up at one that is constant: the
 * lookup gets the gather's.
 */
static uint32_t *with_computed_offset(struct harness_spirv code)
{
    uint32_t *words = malloc(code.bytes), pushed = 0, exchanged = 0;
    assert_non_null(words);
    memcpy(words, code.words, code.bytes);
    for (size_t at = 5; at < code.bytes / 4; at += words[at] >> 16) {
        const uint32_t op = words[at] & 0xffff, count = words[at] >> 16;
        if (op == OP_GATHER && count == 8 && words[at + 6] == OFFSET)
            pushed = words[at + 7];
        if (op == OP_SAMPLE_IMPLICIT && count == 7 && words[at + 5] == CONST_OFFSET && pushed) {
            words[at + 5] = OFFSET;
            words[at + 6] = pushed;
            exchanged++;
        }
    }
    assert_int_equal(exchanged, 1);
    return words;
}

static void draw_at_offset(struct fixture *f, VkPipeline pipeline, VkDescriptorSet set, int32_t offset)
{
    VkCommandBuffer commands = scene_begin(&f->scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    bind_sets(f, commands, VK_SHADER_STAGE_FRAGMENT_BIT, set);
    vkCmdPushConstants(commands, f->layout, VK_SHADER_STAGE_ALL, 0, sizeof(offset), &offset);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f->scene, commands);
}

static void computed_offsets_are_those_of_constants(void **state)
{
    (void)state;
    static const int32_t offsets[] = {3, 0, -2};
    struct fixture f;
    open_fixture(&f, 8, HARNESS_SPIRV(integration_maintenance_offset), 0, sizeof(int32_t));
    VkPipeline constant = parts_create(&f.scene, &f.parts);
    uint32_t *words = with_computed_offset(HARNESS_SPIRV(integration_maintenance_offset));
    vkDestroyShaderModule(f.scene.vk.device, f.parts.stages[1].module, NULL);
    f.parts.stages[1].module =
        harness_module(&f.scene.vk, (struct harness_spirv){words, sizeof(integration_maintenance_offset)});
    VkPipeline computed = parts_create(&f.scene, &f.parts);
    VkDescriptorSet set = harness_set(&f.scene.vk, f.set_layout);
    for (unsigned i = 0; i < STEPS; i++) {
        float expected[SCENE_ROWS][SCENE_COLUMNS][4];
        scene_write(&f.scene, set, 0, 0, SCENE_COMBINED, samplers[i], SCENE_STEPS);
        for (unsigned o = 0; o < 3; o++) {
            /* The constant is the first of the offsets. */
            draw_at_offset(&f, constant, set, offsets[o]);
            scene_expect_tier(&f.scene, tiers[i]);
            memcpy(expected, f.scene.pixels, sizeof(expected));
            draw_at_offset(&f, computed, set, offsets[o]);
            scene_expect_tier(&f.scene, tiers[i]);
            if (o == 0)
                assert_memory_equal(f.scene.pixels, expected, sizeof(expected));
            else
                assert_memory_not_equal(f.scene.pixels, expected, sizeof(expected));
            if (o == 1)
                expect_all_rows(&f, samplers[i]);
        }
    }
    free(words);
    vkDestroyPipeline(f.scene.vk.device, constant, NULL);
    vkDestroyPipeline(f.scene.vk.device, computed, NULL);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pipelines_of_inline_code_and_wide_flags_have_tiers),
        cmocka_unit_test(one_call_binds_sets_for_several_points),
        cmocka_unit_test(descriptors_are_pushed_by_structures),
        cmocka_unit_test(computed_offsets_are_those_of_constants),
    };
    return cmocka_run_group_tests_name("maintenance", tests, NULL, NULL);
}
