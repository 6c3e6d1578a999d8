/* SPDX-License-Identifier: MIT */
/*
 * Code that a program keeps is right on every device that takes it. Devices that lay sets out otherwise, or have other
 * code, by features that the program enables or by settings, have other keys of pipelines; binaries of shader objects
 * made on one of them draw right on all. A row for each feature and setting that counts, and for some that do not.
 *
 * The keys are asked for above a layer that gives drivers pipeline binaries (code_layer). The binaries need a driver
 * with shader objects.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "newer_vulkan.h"
#include "integration/layers/code_layer/code.h"
#include "integration/layers/faults.h"
#include "integration/shared/scene.h"
#include "integration_key.h"
#include "integration_key_plain.h"

#define CALL(VK, NAME) HARNESS_PROC((VK), vk##NAME)

enum features { VIEWS = 1, TEXELS = 2, FILTERS = 4, ONES = 8, PLACED = 16, INERT = 32, LATE = 64 };

static const struct row {
    const char *name;
    uint32_t features; /* of enum features, beside glSampler */
    const char *key, *value;
    bool other; /* its code is not that of the first row */
} rows[] = {
    {"the extension", 0, NULL, NULL, false},
    {"views", VIEWS, NULL, NULL, true},
    {"texel buffers", TEXELS, NULL, NULL, true},
    {"filters", FILTERS, NULL, NULL, true},
    {"attachments without alpha", VIEWS | ONES, NULL, NULL, true},
    {"all of them", VIEWS | TEXELS | FILTERS | ONES, NULL, NULL, true},
    {"descriptor buffers", PLACED, NULL, NULL, true},
    {"descriptor buffers, used", PLACED | LATE, NULL, NULL, true},
    {"texel_buffers", 0, "TEXEL_BUFFERS", "emulate", true},
    {"texel_path", TEXELS, "TEXEL_PATH", "addresses", true},
    {"form", 0, "FORM", "gpu", true},
    {"uniform_records", 0, "ASSUME_MISSING", "uniform_records", true},
    {"push_slot", 0, "ASSUME_MISSING", "push_slot", true},
    {"lod_bias", 0, "ASSUME_MISSING", "lod_bias", true},
    {"linear_fallback", 0, "LINEAR_FALLBACK", "shader", true},
    {"gl_clamp", 0, "GL_CLAMP", "edge,border", true},
    {"alpha_to_one", 0, "ALPHA_TO_ONE", "R8G8B8A8_UNORM", true},
    {"tiers", 0, "TIERS", "eager", false},
    {"border_color", 0, "BORDER_COLOR", "shader", false},
    {"integer_linear", 0, "INTEGER_LINEAR", "incomplete", false},
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static bool offers(const struct row *row)
{
    return !(row->features & PLACED) || harness_driver_has(VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME);
}

/* A device of the row with some more extensions, `next` their features; `arrays`: with arrays of any size. */
static void open_row(const struct row *row, const char *layers, const char *const *given, uint32_t given_count,
                     const void *next, bool arrays, struct harness_vulkan *vk)
{
    const bool placed = row->features & PLACED, inert = row->features & INERT;
    const char *extensions[8];
    uint32_t count = 0;
    for (; count < given_count; count++)
        extensions[count] = given[count];
    VkPhysicalDeviceDescriptorBufferFeaturesEXT buffers = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
        .pNext = (void *)(uintptr_t)next,
        .descriptorBuffer = VK_TRUE};
    VkPhysicalDeviceVulkan12Features features12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                   .pNext = placed ? (void *)&buffers : buffers.pNext,
                                                   .descriptorIndexing = arrays,
                                                   .descriptorBindingVariableDescriptorCount = arrays,
                                                   .runtimeDescriptorArray = arrays,
                                                   .bufferDeviceAddress = placed,
                                                   .shaderStorageBufferArrayNonUniformIndexing = arrays};
    const VkPhysicalDeviceGLSamplerFeaturesCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER,
        .pNext = &features12,
        .glSampler = VK_TRUE,
        .glImageView = (row->features & VIEWS) != 0,
        .glBufferView = (row->features & TEXELS) != 0,
        .linearFilterEmulation = (row->features & FILTERS) != 0,
        .alphaToOneAttachments = (row->features & ONES) != 0};
    if (placed)
        extensions[count++] = VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME;
    if (!inert)
        extensions[count++] = VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME;
    char name[64] = "";
    if (row->key) {
        snprintf(name, sizeof(name), "VK_CLAMPLER_%s", row->key);
        setenv(name, row->value, 1);
    }
    harness_vulkan_open(vk, &(struct harness_vulkan_params){.layers = layers,
                                                            .device_extensions = extensions,
                                                            .device_extension_count = count,
                                                            .device_next = inert ? (const void *)&features12 : &gl});
    if (row->key)
        unsetenv(name);
}

/* ---- Keys of pipelines ---- */

static void key_of(const struct row *row, VkPipelineBinaryKeyKHR *key)
{
    static const char *const extensions[] = {VK_KHR_PIPELINE_BINARY_EXTENSION_NAME};
    const VkPhysicalDevicePipelineBinaryFeaturesKHR binaries = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_FEATURES_KHR, .pipelineBinaries = VK_TRUE};
    struct harness_vulkan vk;
    open_row(row, "clampler:" CODE_LAYER, extensions, 1, &binaries, false, &vk);
    memset(key, 0, sizeof(*key));
    key->sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR;
    HARNESS_VK(CALL(&vk, GetPipelineKeyKHR)(vk.device, NULL, key));
    harness_vulkan_close(&vk);
}

static bool are_equal(const VkPipelineBinaryKeyKHR *a, const VkPipelineBinaryKeyKHR *b)
{
    return a->keySize == b->keySize && memcmp(a->key, b->key, a->keySize) == 0;
}

static void devices_with_other_code_have_other_keys(void **state)
{
    (void)state;
    static VkPipelineBinaryKeyKHR keys[ROWS];
    VkPipelineBinaryKeyKHR again;
    for (unsigned i = 0; i < ROWS; i++) {
        if (!offers(&rows[i]) || (rows[i].features & LATE))
            continue;
        key_of(&rows[i], &keys[i]);
        key_of(&rows[i], &again);
        assert_true(keys[i].keySize > 0 && are_equal(&keys[i], &again));
        if (!rows[i].other && !are_equal(&keys[i], &keys[0]))
            fail_msg("%s: another key, though the code is the same", rows[i].name);
        for (unsigned j = 0; j < i && rows[i].other; j++) {
            if (are_equal(&keys[i], &keys[j]))
                fail_msg("%s and %s have the same key", rows[i].name, rows[j].name);
        }
    }
}

/* ---- Binaries of shader objects ---- */

/*
 * Whether the sets of the program have a sampler. Without one they have records, and binaries something of the layer's,
 * on some of the devices alone: where texel buffers are emulated.
 */
static bool samples;

struct sets {
    VkDescriptorSetLayout layouts[2];
    VkPipelineLayout layout;
};

static const VkPushConstantRange pushed = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(float)};

static void make_layouts(struct harness_vulkan *vk, const struct row *row, struct sets *sets)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    const VkDescriptorBindingFlags flags[] = {0, VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo variable = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 2,
        .pBindingFlags = flags};
    const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                  .pNext = &variable,
                                                  .bindingCount = 2,
                                                  .pBindings = bindings + 1};
    if (row->features & LATE) { /* from here on layouts have the root, on drivers where they get it late */
        const VkDescriptorSetLayoutCreateInfo placed = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                        .flags =
                                                            VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT,
                                                        .bindingCount = 1,
                                                        .pBindings = bindings};
        VkDescriptorSetLayout first;
        HARNESS_VK(vkCreateDescriptorSetLayout(vk->device, &placed, NULL, &first));
        vkDestroyDescriptorSetLayout(vk->device, first, NULL);
    }
    sets->layouts[0] = harness_set_layout(vk, bindings, samples);
    HARNESS_VK(vkCreateDescriptorSetLayout(vk->device, &info, NULL, &sets->layouts[1]));
    const VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 2,
                                               .pSetLayouts = sets->layouts,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &pushed};
    HARNESS_VK(vkCreatePipelineLayout(vk->device, &layout, NULL, &sets->layout));
}

static void destroy_layouts(struct harness_vulkan *vk, const struct sets *sets)
{
    vkDestroyPipelineLayout(vk->device, sets->layout, NULL);
    for (unsigned i = 0; i < 2; i++)
        vkDestroyDescriptorSetLayout(vk->device, sets->layouts[i], NULL);
}

static VkResult make_shader(struct harness_vulkan *vk, const struct sets *sets, const void *binary, size_t size,
                            VkShaderEXT *shader)
{
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                        .codeType =
                                            binary ? VK_SHADER_CODE_TYPE_BINARY_EXT : VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = binary    ? size
                                                    : samples ? sizeof(integration_key)
                                                              : sizeof(integration_key_plain),
                                        .pCode = binary    ? binary
                                                 : samples ? integration_key
                                                           : integration_key_plain,
                                        .pName = "main",
                                        .setLayoutCount = 2,
                                        .pSetLayouts = sets->layouts,
                                        .pushConstantRangeCount = 1,
                                        .pPushConstantRanges = &pushed};
    *shader = VK_NULL_HANDLE;
    return CALL(vk, CreateShadersEXT)(vk->device, 1, &info, NULL, shader);
}

/* What the shader writes: 7.5, 8.5, 9.5, 10.5. */
static void expect_right(struct harness_vulkan *vk, const struct sets *sets, VkShaderEXT shader, const char *maker,
                         const char *user)
{
    const uint32_t counts[] = {0, 4};
    const VkDescriptorSetVariableDescriptorCountAllocateInfo variable = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
        .descriptorSetCount = 2,
        .pDescriptorCounts = counts};
    const VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                  .pNext = &variable,
                                                  .descriptorPool = vk->descriptors,
                                                  .descriptorSetCount = 2,
                                                  .pSetLayouts = sets->layouts};
    const float seven = 7, half = 0.5f;
    struct harness_buffer buffers[4], texels;
    struct harness_image image;
    VkDescriptorBufferInfo infos[4];
    VkDescriptorSet bound[2];
    HARNESS_VK(vkAllocateDescriptorSets(vk->device, &allocate, bound));
    for (unsigned i = 0; i < 4; i++) {
        harness_buffer_create(vk, &buffers[i], VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 64, NULL);
        memset(buffers[i].map, 0, 64);
        infos[i] = (VkDescriptorBufferInfo){buffers[i].buffer, 0, 64};
    }
    harness_buffer_create(vk, &texels, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, 64, NULL);
    memcpy(texels.map, &seven, sizeof(seven));
    const VkBufferViewCreateInfo view_info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                              .buffer = texels.buffer,
                                              .format = VK_FORMAT_R32_SFLOAT,
                                              .range = 64};
    VkBufferView view;
    HARNESS_VK(vkCreateBufferView(vk->device, &view_info, NULL, &view));
    harness_image_create(
        vk, &image,
        &(struct harness_image_params){
            .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R8G8B8A8_UNORM, .width = 1, .height = 1},
        &seven);
    const VkSamplerCreateInfo sampler_info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    VkSampler sampler = harness_sampler(vk, &sampler_info);
    const VkDescriptorImageInfo sampled = {sampler, image.view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkWriteDescriptorSet writes[] = {{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = bound[0],
                                            .descriptorCount = 1,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                            .pImageInfo = &sampled},
                                           {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = bound[1],
                                            .descriptorCount = 1,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                                            .pTexelBufferView = &view},
                                           {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = bound[1],
                                            .dstBinding = 1,
                                            .descriptorCount = 4,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                            .pBufferInfo = infos}};
    vkUpdateDescriptorSets(vk->device, samples ? 3 : 2, writes + !samples, 0, NULL);
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    VkCommandBuffer commands = harness_begin(vk);
    CALL(vk, CmdBindShadersEXT)(commands, 1, &stage, &shader);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, sets->layout, 0, 2, bound, 0, NULL);
    vkCmdPushConstants(commands, sets->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(half), &half);
    vkCmdDispatch(commands, 1, 1, 1);
    harness_submit(vk, commands);
    for (unsigned i = 0; i < 4; i++) {
        float found;
        memcpy(&found, buffers[i].map, sizeof(found));
        if (found != 7.5f + (float)i)
            fail_msg("made on \"%s\", used on \"%s\": %g for %g", maker, user, (double)found, 7.5 + i);
        harness_buffer_destroy(vk, &buffers[i]);
    }
    vkDestroySampler(vk->device, sampler, NULL);
    vkDestroyBufferView(vk->device, view, NULL);
    harness_image_destroy(vk, &image);
    harness_buffer_destroy(vk, &texels);
    vkFreeDescriptorSets(vk->device, vk->descriptors, 2, bound);
}

static struct kept {
    void *data; /* NULL: the driver has not what the row needs */
    size_t size;
    uint8_t uuid[VK_UUID_SIZE];
} kept[ROWS];

static void open_objects(const struct row *row, struct harness_vulkan *vk)
{
    static const char *const extensions[] = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME};
    const VkPhysicalDeviceVulkan13Features rendering = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                        .dynamicRendering = VK_TRUE};
    const VkPhysicalDeviceShaderObjectFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
        .pNext = (void *)(uintptr_t)&rendering,
        .shaderObject = VK_TRUE};
    open_row(row, "clampler:validation", extensions, 1, &features, true, vk);
}

static void keep_binary(const struct row *row, struct kept *binary)
{
    struct harness_vulkan vk;
    struct sets sets;
    VkShaderEXT shader;
    open_objects(row, &vk);
    VkPhysicalDeviceShaderObjectPropertiesEXT properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 query = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &properties};
    vkGetPhysicalDeviceProperties2(vk.physical, &query);
    memcpy(binary->uuid, properties.shaderBinaryUUID, VK_UUID_SIZE);
    make_layouts(&vk, row, &sets);
    HARNESS_VK(make_shader(&vk, &sets, NULL, 0, &shader));
    HARNESS_VK(CALL(&vk, GetShaderBinaryDataEXT)(vk.device, shader, &binary->size, NULL));
    binary->data = aligned_alloc(16, (binary->size + 15) & ~(size_t)15);
    assert_non_null(binary->data);
    HARNESS_VK(CALL(&vk, GetShaderBinaryDataEXT)(vk.device, shader, &binary->size, binary->data));
    CALL(&vk, DestroyShaderEXT)(vk.device, shader, NULL);
    destroy_layouts(&vk, &sets);
    harness_vulkan_close(&vk);
}

static void expect_names(void)
{
    for (unsigned i = 0; i < ROWS; i++) {
        /* Features are not known when the name is asked for. */
        const bool same = !rows[i].other || !rows[i].key;
        if (kept[i].data && (memcmp(kept[i].uuid, kept[0].uuid, VK_UUID_SIZE) == 0) != same)
            fail_msg("%s: the name of binaries is %s", rows[i].name, same ? "another" : "the same");
    }
}

static void expect_binaries(void)
{
    static const struct row inert = {.name = "inert", .features = INERT};
    struct kept foreign;
    struct harness_vulkan vk;
    struct sets sets;
    VkShaderEXT shader;
    scene_skip_without(VK_EXT_SHADER_OBJECT_EXTENSION_NAME);
    harness_messages_reset();
    keep_binary(&inert, &foreign);
    for (unsigned i = 0; i < ROWS; i++) {
        if (offers(&rows[i]))
            keep_binary(&rows[i], &kept[i]);
    }
    expect_names();
    for (unsigned user = 0; user < ROWS; user++) {
        if (!kept[user].data)
            continue;
        open_objects(&rows[user], &vk);
        make_layouts(&vk, &rows[user], &sets);
        for (unsigned maker = 0; maker < ROWS; maker++) {
            if (!kept[maker].data)
                continue;
            HARNESS_VK(make_shader(&vk, &sets, kept[maker].data, kept[maker].size, &shader));
            expect_right(&vk, &sets, shader, rows[maker].name, rows[user].name);
            CALL(&vk, DestroyShaderEXT)(vk.device, shader, NULL);
        }
        assert_int_equal(make_shader(&vk, &sets, foreign.data, foreign.size, &shader),
                         VK_INCOMPATIBLE_SHADER_BINARY_EXT);
        destroy_layouts(&vk, &sets);
        harness_vulkan_close(&vk);
    }
    for (unsigned i = 0; i < ROWS; i++)
        free(kept[i].data);
    free(foreign.data);
    assert_int_equal(harness_messages(), 0);
}

static void binaries_are_right_on_every_device(void **state)
{
    (void)state;
    samples = true;
    expect_binaries();
}

static void binaries_without_records_are_right_on_every_device(void **state)
{
    (void)state;
    samples = false;
    expect_binaries();
}

int main(void)
{
    test_layer_open("code", CODE_CONTROL_SYMBOL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_with_other_code_have_other_keys),
        cmocka_unit_test(binaries_are_right_on_every_device),
        cmocka_unit_test(binaries_without_records_are_right_on_every_device),
    };
    return cmocka_run_group_tests_name("code_keys", tests, NULL, NULL);
}
