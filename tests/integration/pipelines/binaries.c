/* SPDX-License-Identifier: MIT */
/*
 * What programs keep on disk of their pipelines. Pipelines that are made from binaries alone (VK_KHR_pipeline_binary)
 * have tiers as others, and what was written under the layer is never taken for what was written without it, nor the
 * other way round: all keys differ. Pipeline caches may be exchanged: drivers find nothing in them but what was
 * compiled from the same code.
 *
 * Where the driver has no pipeline binaries, a layer below gives them to it (code_layer).
 */
#include <stdlib.h>
#include <string.h>

#include "newer_vulkan.h"
#include "integration/layers/code_layer/code.h"
#include "integration/layers/faults.h"
#include "integration/shared/parts.h"
#include "integration_binaries_compute.h"
#include "integration_binaries_single.h"
#include "integration_binaries_solid.h"

#define CALL(F, NAME) HARNESS_PROC(&(F)->scene.vk, vk##NAME)

static const VkFlags64 captures = UINT64_C(0x80000000); /* VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR */
static struct code_control *control;

struct fixture {
    struct scene scene;
    bool layer, libraries; /* what it has */
    bool native;           /* the driver has pipeline binaries of its own */
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set;
    struct parts parts;
};

static const VkDescriptorSetLayoutBinding bindings[] = {
    {0, SCENE_COMBINED, 1, VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT, NULL},
    {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};

static bool driver_has(const char *extension)
{
    struct harness_vulkan vk;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "none"});
    bool has = harness_has_extension(&vk, extension);
    harness_vulkan_close(&vk);
    return has;
}

/* `layer`: with Clampler. */
static void open_fixture(struct fixture *f, bool layer, bool filter_emulation)
{
    const char *extensions[4] = {VK_KHR_PIPELINE_BINARY_EXTENSION_NAME};
    uint32_t extension_count = 1;
    VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
        .graphicsPipelineLibrary = VK_TRUE};
    const bool native = driver_has(VK_KHR_PIPELINE_BINARY_EXTENSION_NAME);
    const bool maintenance = driver_has(VK_KHR_MAINTENANCE_5_EXTENSION_NAME);
    struct {
        VkStructureType type;
        void *next;
        VkBool32 maintenance5;
    } maintenance5 = {(VkStructureType)1000470000, NULL, VK_TRUE};
    VkPhysicalDevicePipelineBinaryFeaturesKHR binaries = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_FEATURES_KHR, .pipelineBinaries = VK_TRUE};
    VkPhysicalDeviceVulkan13Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = &binaries, .maintenance4 = VK_TRUE};
    if (maintenance) {
        extensions[extension_count++] = VK_KHR_MAINTENANCE_5_EXTENSION_NAME;
        binaries.pNext = &maintenance5;
    }
    memset(f, 0, sizeof(*f));
    f->native = native;
    f->libraries = driver_has(VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME);
    if (f->libraries) {
        extensions[extension_count++] = VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME;
        extensions[extension_count++] = VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME;
        libraries.pNext = binaries.pNext;
        binaries.pNext = &libraries;
    }
    const struct harness_vulkan_params params = {.layers = native  ? layer ? "clampler" : "none"
                                                           : layer ? "clampler:" CODE_LAYER
                                                                   : CODE_LAYER,
                                                 .device_extensions = extensions,
                                                 .device_extension_count = extension_count,
                                                 .device_next = &features,
                                                 .filter_emulation = filter_emulation};
    if (layer)
        scene_open_device(&f->scene, &params);
    else
        harness_vulkan_open(&f->scene.vk, &params);
    f->layer = layer;
    scene_make(&f->scene, layer);
    harness_one_set(&f->scene.vk, bindings, 2, &f->set_layout, &f->layout, &f->set);
    parts_open(&f->scene, &f->parts, HARNESS_SPIRV(integration_binaries_single), f->layout);
}

static void close_fixture(struct fixture *f)
{
    parts_close(&f->scene, &f->parts);
    harness_layouts_destroy(&f->scene.vk, f->layout, f->set_layout);
    scene_close(&f->scene);
}

/* ---- What is kept on disk ---- */

enum { BINARIES_MOST = 8 };

struct disk {
    VkPipelineBinaryKeyKHR device_key, pipeline_key;
    uint32_t count;
    VkPipelineBinaryKeyKHR keys[BINARIES_MOST];
    VkPipelineBinaryDataKHR data[BINARIES_MOST]; /* malloc */
};

static void forget(struct disk *disk)
{
    for (uint32_t i = 0; i < disk->count; i++)
        free(disk->data[i].pData);
}

static bool same_key(const VkPipelineBinaryKeyKHR *a, const VkPipelineBinaryKeyKHR *b)
{
    return a->keySize == b->keySize && !memcmp(a->key, b->key, a->keySize);
}

static void expect_other_keys(const struct disk *a, const struct disk *b)
{
    assert_false(same_key(&a->device_key, &b->device_key));
    assert_false(same_key(&a->pipeline_key, &b->pipeline_key));
    for (uint32_t i = 0; i < a->count && i < b->count; i++)
        assert_false(same_key(&a->keys[i], &b->keys[i]));
}

static void read_keys(struct fixture *f, void *info, struct disk *disk)
{
    VkPipelineCreateInfoKHR create = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR, .pNext = info};
    disk->device_key.sType = disk->pipeline_key.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR;
    HARNESS_VK(CALL(f, GetPipelineKeyKHR)(f->scene.vk.device, NULL, &disk->device_key));
    HARNESS_VK(CALL(f, GetPipelineKeyKHR)(f->scene.vk.device, &create, &disk->pipeline_key));
}

static uint32_t binaries_of(struct fixture *f, VkPipeline pipeline, VkPipelineBinaryKHR *binaries)
{
    const VkPipelineBinaryCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR,
                                                .pipeline = pipeline};
    VkPipelineBinaryHandlesInfoKHR handles = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR};
    HARNESS_VK(CALL(f, CreatePipelineBinariesKHR)(f->scene.vk.device, &info, NULL, &handles));
    assert_true(handles.pipelineBinaryCount >= 1 && handles.pipelineBinaryCount <= BINARIES_MOST);
    handles.pPipelineBinaries = binaries;
    HARNESS_VK(CALL(f, CreatePipelineBinariesKHR)(f->scene.vk.device, &info, NULL, &handles));
    return handles.pipelineBinaryCount;
}

static void destroy_binaries(struct fixture *f, uint32_t count, const VkPipelineBinaryKHR *binaries)
{
    for (uint32_t i = 0; i < count; i++)
        CALL(f, DestroyPipelineBinaryKHR)(f->scene.vk.device, binaries[i], NULL);
}

/* Keys and data of a pipeline that was captured. */
static void save(struct fixture *f, VkPipeline pipeline, struct disk *disk)
{
    VkPipelineBinaryKHR binaries[BINARIES_MOST];
    disk->count = binaries_of(f, pipeline, binaries);
    for (uint32_t i = 0; i < disk->count; i++) {
        const VkPipelineBinaryDataInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_DATA_INFO_KHR,
                                                  .pipelineBinary = binaries[i]};
        size_t size = 0, small = 8;
        disk->keys[i].sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR;
        HARNESS_VK(CALL(f, GetPipelineBinaryDataKHR)(f->scene.vk.device, &info, &disk->keys[i], &size, NULL));
        disk->data[i] = (VkPipelineBinaryDataKHR){size, malloc(size)};
        assert_non_null(disk->data[i].pData);
        assert_int_equal(
            CALL(f, GetPipelineBinaryDataKHR)(f->scene.vk.device, &info, &disk->keys[i], &small, disk->data[i].pData),
            VK_ERROR_NOT_ENOUGH_SPACE_KHR);
        HARNESS_VK(
            CALL(f, GetPipelineBinaryDataKHR)(f->scene.vk.device, &info, &disk->keys[i], &size, disk->data[i].pData));
    }
    destroy_binaries(f, disk->count, binaries);
    const VkReleaseCapturedPipelineDataInfoKHR release = {
        .sType = VK_STRUCTURE_TYPE_RELEASE_CAPTURED_PIPELINE_DATA_INFO_KHR, .pipeline = pipeline};
    HARNESS_VK(CALL(f, ReleaseCapturedPipelineDataKHR)(f->scene.vk.device, &release, NULL));
}

static VkResult load(struct fixture *f, const struct disk *disk, VkPipelineBinaryKHR *binaries)
{
    const VkPipelineBinaryKeysAndDataKHR all = {disk->count, disk->keys, disk->data};
    const VkPipelineBinaryCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR,
                                                .pKeysAndDataInfo = &all};
    VkPipelineBinaryHandlesInfoKHR handles = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR,
                                              .pipelineBinaryCount = disk->count,
                                              .pPipelineBinaries = binaries};
    return CALL(f, CreatePipelineBinariesKHR)(f->scene.vk.device, &info, NULL, &handles);
}

/* ---- Pipelines ---- */

static VkPipelineCreateFlags2CreateInfoKHR capture_flags(void)
{
    return (VkPipelineCreateFlags2CreateInfoKHR){.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR,
                                                 .flags = captures};
}

/* A pipeline of the parts, kept. */
static void make_and_save(struct fixture *f, struct disk *disk)
{
    const VkPipelineCreateFlags2CreateInfoKHR flags = capture_flags();
    f->parts.info.pNext = &flags;
    VkPipeline pipeline = parts_create(&f->scene, &f->parts);
    read_keys(f, &f->parts.info, disk);
    save(f, pipeline, disk);
    vkDestroyPipeline(f->scene.vk.device, pipeline, NULL);
    f->parts.info.pNext = NULL;
}

/* A pipeline of the parts without code. */
static VkPipeline make_from(struct fixture *f, uint32_t count, const VkPipelineBinaryKHR *binaries)
{
    const VkPipelineBinaryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR, .binaryCount = count, .pPipelineBinaries = binaries};
    const uint32_t before = atomic_load(&control->from_binaries);
    for (unsigned i = 0; i < 2; i++) {
        vkDestroyShaderModule(f->scene.vk.device, f->parts.stages[i].module, NULL);
        f->parts.stages[i].module = VK_NULL_HANDLE;
    }
    f->parts.info.pNext = &info;
    VkPipeline pipeline = parts_create(&f->scene, &f->parts);
    f->parts.info.pNext = NULL;
    if (!f->native)
        assert_int_equal(atomic_load(&control->from_binaries), before + 2);
    return pipeline;
}

static const enum scene_sampler samplers[] = {SCENE_EDGE, SCENE_CLAMP, SCENE_MIXED, SCENE_MIRROR, SCENE_BORDER};
static const unsigned tiers[] = {0, 1, 2, 1, 0};
enum { STEPS = sizeof(tiers) / sizeof(tiers[0]) };

static void draw(struct fixture *f, VkPipeline pipeline, enum scene_sampler sampler)
{
    scene_write(&f->scene, f->set, 0, 0, SCENE_COMBINED, sampler, SCENE_STEPS);
    if (f->layer)
        scene_mark(&f->scene);
    VkCommandBuffer commands = harness_begin(&f->scene.vk);
    harness_target_begin(&f->scene.target, commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->layout, 0, 1, &f->set, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    harness_target_end(commands);
    harness_submit(&f->scene.vk, commands);
    if (f->layer)
        scene_take(&f->scene);
    harness_target_read(&f->scene.vk, &f->scene.target, f->scene.pixels);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f->scene, row, sampler, SCENE_STEPS);
}

/* Each sampler in its tier, no tier compiled twice. Without the layer there is one form, and no sampler of GL's. */
static void expect_drawn(struct fixture *f, VkPipeline pipeline)
{
    uint64_t compiled = 0;
    for (unsigned i = 0; i < STEPS; i++) {
        if (!f->layer && tiers[i])
            continue;
        draw(f, pipeline, samplers[i]);
        if (!f->layer)
            continue;
        scene_expect_tier(&f->scene, tiers[i]);
        compiled += f->scene.pipelines[1] + f->scene.pipelines[2];
    }
    assert_int_equal(compiled, f->layer ? 2 : 0);
}

/* ---- Binaries ---- */

static void a_pipeline_is_made_from_binaries_of_another_run(void **state)
{
    (void)state;
    for (unsigned layer = 0; layer < 2; layer++) {
        struct fixture f;
        struct disk disk = {.count = 0}, again = {.count = 0};
        VkPipelineBinaryKHR binaries[BINARIES_MOST];
        open_fixture(&f, layer, false);
        make_and_save(&f, &disk);
        close_fixture(&f);
        open_fixture(&f, layer, false);
        read_keys(&f, &f.parts.info, &again);
        assert_true(same_key(&disk.device_key, &again.device_key));
        HARNESS_VK(load(&f, &disk, binaries));
        VkPipeline pipeline = make_from(&f, disk.count, binaries);
        destroy_binaries(&f, disk.count, binaries);
        forget(&disk);
        expect_drawn(&f, pipeline);
        vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
        close_fixture(&f);
    }
}

static void a_pipeline_is_made_from_binaries_of_the_same_run(void **state)
{
    (void)state;
    struct fixture f;
    VkPipelineBinaryKHR binaries[BINARIES_MOST];
    const VkPipelineCreateFlags2CreateInfoKHR flags = capture_flags();
    open_fixture(&f, true, false);
    f.parts.info.pNext = &flags;
    VkPipeline first = parts_create(&f.scene, &f.parts);
    const uint32_t count = binaries_of(&f, first, binaries);
    expect_drawn(&f, first);
    vkDestroyPipeline(f.scene.vk.device, first, NULL);
    VkPipeline pipeline = make_from(&f, count, binaries);
    expect_drawn(&f, pipeline);
    destroy_binaries(&f, count, binaries);
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    close_fixture(&f);
}

static void a_compute_pipeline_is_made_from_binaries(void **state)
{
    (void)state;
    struct fixture f;
    struct disk disk = {.count = 0};
    struct harness_buffer pixels;
    VkPipelineBinaryKHR binaries[BINARIES_MOST];
    VkPipelineCreateFlags2CreateInfoKHR flags = capture_flags();
    VkPipeline pipeline;
    open_fixture(&f, true, false);
    VkShaderModule module = harness_module(&f.scene.vk, HARNESS_SPIRV(integration_binaries_compute));
    VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                        .pNext = &flags,
                                        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                  .module = module,
                                                  .pName = "main"},
                                        .layout = f.layout};
    HARNESS_VK(vkCreateComputePipelines(f.scene.vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    save(&f, pipeline, &disk);
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    vkDestroyShaderModule(f.scene.vk.device, module, NULL);
    HARNESS_VK(load(&f, &disk, binaries));
    const VkPipelineBinaryInfoKHR from = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR, .binaryCount = disk.count, .pPipelineBinaries = binaries};
    info.pNext = &from;
    info.stage.module = VK_NULL_HANDLE;
    HARNESS_VK(vkCreateComputePipelines(f.scene.vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    destroy_binaries(&f, disk.count, binaries);
    forget(&disk);
    harness_buffer_create(&f.scene.vk, &pixels, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, sizeof(f.scene.pixels), NULL);
    harness_write_buffer(&f.scene.vk, f.set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, pixels.buffer);
    for (unsigned i = 0; i < STEPS; i++) {
        scene_write(&f.scene, f.set, 0, 0, SCENE_COMBINED, samplers[i], SCENE_STEPS);
        scene_dispatch(&f.scene, pipeline, f.layout, f.set, &pixels);
        scene_expect_tier(&f.scene, tiers[i]);
        /* The lookup names level 0, where the sampler of mixed filters is nearest. */
        for (unsigned row = 0; row < SCENE_ROWS && samplers[i] != SCENE_MIXED; row++)
            scene_expect_row(&f.scene, row, samplers[i], SCENE_STEPS);
    }
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    harness_buffer_destroy(&f.scene.vk, &pixels);
    close_fixture(&f);
}

/* Half of the parts as a library: captured without binaries, made from them with some. */
static VkPipeline make_half(struct fixture *f, bool behind, uint32_t count, const VkPipelineBinaryKHR *binaries)
{
    const VkGraphicsPipelineLibraryCreateInfoEXT brings = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        .flags = behind ? VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
                              VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT
                        : VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
                              VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT};
    const VkPipelineBinaryInfoKHR from = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR,
                                          .pNext = &brings,
                                          .binaryCount = count,
                                          .pPipelineBinaries = binaries};
    VkPipelineCreateFlags2CreateInfoKHR flags = capture_flags();
    VkPipelineShaderStageCreateInfo stage = f->parts.stages[behind];
    VkGraphicsPipelineCreateInfo info = f->parts.info;
    VkPipeline library;
    flags.pNext = count ? (const void *)&from : &brings;
    flags.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR | (count ? 0 : captures);
    if (count)
        stage.module = VK_NULL_HANDLE;
    info.pNext = &flags;
    info.stageCount = 1;
    info.pStages = &stage;
    HARNESS_VK(vkCreateGraphicsPipelines(f->scene.vk.device, VK_NULL_HANDLE, 1, &info, NULL, &library));
    return library;
}

static void libraries_are_made_from_binaries(void **state)
{
    (void)state;
    struct fixture f;
    VkPipeline halves[2], pipeline;
    open_fixture(&f, true, false);
    for (unsigned i = 0; i < 2 && f.libraries; i++) {
        struct disk disk = {.count = 0};
        VkPipelineBinaryKHR binaries[BINARIES_MOST];
        VkPipeline first = make_half(&f, i, 0, NULL);
        save(&f, first, &disk);
        vkDestroyPipeline(f.scene.vk.device, first, NULL);
        HARNESS_VK(load(&f, &disk, binaries));
        halves[i] = make_half(&f, i, disk.count, binaries);
        destroy_binaries(&f, disk.count, binaries);
        forget(&disk);
    }
    if (f.libraries) {
        const VkPipelineLibraryCreateInfoKHR linked = {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = 2, .pLibraries = halves};
        const VkGraphicsPipelineCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &linked, .layout = f.layout};
        HARNESS_VK(vkCreateGraphicsPipelines(f.scene.vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
        expect_drawn(&f, pipeline);
        vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
        for (unsigned i = 0; i < 2; i++)
            vkDestroyPipeline(f.scene.vk.device, halves[i], NULL);
    }
    close_fixture(&f);
}

/* Programs keep a binary once, by its key: pipelines whose stages are not all the same must not share one. */
static void binaries_with_other_code_behind_them_have_other_keys(void **state)
{
    (void)state;
    struct fixture f;
    struct disk disks[2] = {{.count = 0}, {.count = 0}};
    open_fixture(&f, true, false);
    for (unsigned i = 0; i < 2; i++) {
        make_and_save(&f, &disks[i]);
        vkDestroyShaderModule(f.scene.vk.device, f.parts.stages[1].module, NULL);
        f.parts.stages[1].module = harness_module(&f.scene.vk, HARNESS_SPIRV(integration_binaries_solid));
    }
    for (uint32_t i = 0; i < disks[0].count; i++) {
        for (uint32_t j = 0; j < disks[1].count; j++)
            assert_false(same_key(&disks[0].keys[i], &disks[1].keys[j]));
    }
    forget(&disks[0]);
    forget(&disks[1]);
    close_fixture(&f);
}

/* ---- Written with the layer and read without it, and the other way round ---- */

static void keys_are_others_than_without_the_layer(void **state)
{
    (void)state;
    struct fixture f;
    struct disk with = {.count = 0}, without = {.count = 0}, emulating = {.count = 0};
    open_fixture(&f, true, false);
    make_and_save(&f, &with);
    close_fixture(&f);
    open_fixture(&f, true, true);
    make_and_save(&f, &emulating);
    close_fixture(&f);
    open_fixture(&f, false, false);
    make_and_save(&f, &without);
    close_fixture(&f);
    expect_other_keys(&with, &without);
    expect_other_keys(&with, &emulating);
    expect_other_keys(&emulating, &without);
    forget(&with);
    forget(&without);
    forget(&emulating);
}

/* A program that does not look at the keys finds that the layer has none of these. */
static void binaries_of_others_are_missing(void **state)
{
    (void)state;
    struct fixture f;
    struct disk disk = {.count = 0};
    VkPipelineBinaryKHR binaries[BINARIES_MOST];
    open_fixture(&f, false, false);
    make_and_save(&f, &disk);
    close_fixture(&f);
    open_fixture(&f, true, false);
    memset(binaries, 0xee, sizeof(binaries));
    assert_int_equal(load(&f, &disk, binaries), VK_PIPELINE_BINARY_MISSING_KHR);
    for (uint32_t i = 0; i < disk.count; i++)
        assert_true(binaries[i] == VK_NULL_HANDLE);
    forget(&disk);

    /* Nor has it those that are cut off, at whatever byte. */
    make_and_save(&f, &disk);
    for (size_t size = 0; size < disk.data[0].dataSize; size += size < 128 ? 1 : 61) {
        struct disk cut = disk;
        cut.count = 1;
        cut.data[0].dataSize = size;
        cut.data[0].pData = malloc(size + 1); /* so that sanitizers see what is read behind it */
        memcpy(cut.data[0].pData, disk.data[0].pData, size);
        assert_int_equal(load(&f, &cut, binaries), VK_PIPELINE_BINARY_MISSING_KHR);
        free(cut.data[0].pData);
    }
    forget(&disk);
    close_fixture(&f);
}

/* ---- Pipeline caches ---- */

static VkPipelineCache make_cache(struct fixture *f, size_t size, const void *data)
{
    const VkPipelineCacheCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO, .initialDataSize = size, .pInitialData = data};
    VkPipelineCache cache;
    HARNESS_VK(vkCreatePipelineCache(f->scene.vk.device, &info, NULL, &cache));
    return cache;
}

/*
 * What was compiled with the layer is in the cache that is read without it, and the other way round, by turns. The
 * program's cache gets the program's pipeline, and no tier of it.
 */
static void pipeline_caches_may_be_exchanged(void **state)
{
    (void)state;
    for (unsigned first = 0; first < 2; first++) {
        size_t size = 0;
        void *data = NULL;
        for (unsigned run = 0; run < 4; run++) {
            struct fixture f;
            VkPipeline pipeline;
            open_fixture(&f, (first + run) % 2, false);
            VkPipelineCache cache = make_cache(&f, size, data);
            HARNESS_VK(vkCreateGraphicsPipelines(f.scene.vk.device, cache, 1, &f.parts.info, NULL, &pipeline));
            const uint64_t programs = (uint64_t)cache;
            if (!f.native)
                assert_int_equal(atomic_load(&control->cache), programs);
            expect_drawn(&f, pipeline);
            if (!f.native && f.layer)
                assert_int_not_equal(atomic_load(&control->cache), programs);
            free(data);
            HARNESS_VK(vkGetPipelineCacheData(f.scene.vk.device, cache, &size, NULL));
            data = malloc(size);
            assert_non_null(data);
            HARNESS_VK(vkGetPipelineCacheData(f.scene.vk.device, cache, &size, data));
            vkDestroyPipelineCache(f.scene.vk.device, cache, NULL);
            vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
            close_fixture(&f);
        }
        free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pipeline_is_made_from_binaries_of_another_run),
        cmocka_unit_test(a_pipeline_is_made_from_binaries_of_the_same_run),
        cmocka_unit_test(a_compute_pipeline_is_made_from_binaries),
        cmocka_unit_test(libraries_are_made_from_binaries),
        cmocka_unit_test(binaries_with_other_code_behind_them_have_other_keys),
        cmocka_unit_test(keys_are_others_than_without_the_layer),
        cmocka_unit_test(binaries_of_others_are_missing),
        cmocka_unit_test(pipeline_caches_may_be_exchanged),
    };
    control = test_layer_open("code", CODE_CONTROL_SYMBOL);
    harness_vulkan_hold_driver();
    return cmocka_run_group_tests_name("binaries", tests, NULL, NULL);
}
