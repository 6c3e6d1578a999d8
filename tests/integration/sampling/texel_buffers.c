/* SPDX-License-Identifier: MIT */
/* Texel buffers that the driver is taken to lack: every way to write a descriptor, and what is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gl/gl_tokens.h"
#include "integration/shared/scene.h"
#include "integration_texels.h"

enum { GL_LUMINANCE_TOKEN = TOKEN_LUMINANCE, TEXELS = 3, DESCRIPTORS = 3 };
/* Texels of the largest view: by addresses 4 GiB of 16-byte texels, by views what Vulkan requires of every driver. */
enum { ADDRESS_REACH = (1 << 28) - 1, REQUIRED_REACH = 65536 };

struct fixture {
    struct harness_vulkan vk;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorSet set;
    struct harness_buffer buffer, seen;
    VkBufferView rgb, luminance, native;
    bool push;
};

static bool without_validation; /* for devices that are opened from here on */

/* 1, 2, 3, and so on: three RGB texels, and behind them what must not be seen. */
static void fill(struct fixture *f)
{
    for (uint32_t i = 0; i < 16; i++)
        ((float *)f->buffer.map)[i] = (float)(i + 1);
}

static VkBufferView make_view(struct fixture *f, VkFormat format, VkDeviceSize range, const void *next)
{
    const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                         .pNext = next,
                                         .buffer = f->buffer.buffer,
                                         .format = format,
                                         .range = range};
    VkBufferView view;
    HARNESS_VK(vkCreateBufferView(f->vk.device, &info, NULL, &view));
    return view;
}

static void open_device(struct fixture *f, const char *path, const char *missing, bool push)
{
    static const char *const extensions[] = {VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME,
                                             VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    const VkPhysicalDeviceGLSamplerFeaturesCLAMPLER features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER, .glBufferView = VK_TRUE};
    const char *layers = without_validation ? "clampler" : harness_test_layers("clampler:validation");
    *f = (struct fixture){.push = push};
    setenv("VK_CLAMPLER_TEXEL_PATH", path, 1);
    setenv("VK_CLAMPLER_ASSUME_MISSING", missing, 1);
    harness_vulkan_open(&f->vk, &(struct harness_vulkan_params){.layers = layers,
                                                                .device_next = &features,
                                                                .device_extensions = extensions,
                                                                .device_extension_count = push ? 2 : 1});
    unsetenv("VK_CLAMPLER_TEXEL_PATH");
    unsetenv("VK_CLAMPLER_ASSUME_MISSING");
    harness_messages_reset();
}

static void open_fixture(struct fixture *f, const char *path, bool push, bool convert)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 2, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    const VkBufferViewGLStateCreateInfoCLAMPLER luminance = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, .baseFormat = GL_LUMINANCE_TOKEN};
    open_device(f, path, convert ? "rgb32_texel_buffer,push_slot" : "rgb32_texel_buffer", push);
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = push ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR : 0,
        .bindingCount = DESCRIPTORS,
        .pBindings = bindings};
    HARNESS_VK(vkCreateDescriptorSetLayout(f->vk.device, &layout, NULL, &f->set_layout));
    f->layout = harness_pipeline_layout(&f->vk, &f->set_layout, 1, 0);
    f->pipeline = harness_compute_pipeline(&f->vk, HARNESS_SPIRV(integration_texels), f->layout);
    harness_buffer_create(&f->vk, &f->buffer, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, 64, NULL);
    harness_buffer_create(&f->vk, &f->seen, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 112, NULL);
    fill(f);
    f->rgb = make_view(f, VK_FORMAT_R32G32B32_SFLOAT, TEXELS * 12, NULL);
    f->luminance = make_view(f, VK_FORMAT_R32_SFLOAT, 16, &luminance);
    f->native = make_view(f, VK_FORMAT_R32G32B32A32_SFLOAT, 64, NULL);
    if (!push)
        f->set = harness_set(&f->vk, f->set_layout);
}

static void close_device(struct fixture *f)
{
    harness_vulkan_close(&f->vk);
    assert_int_equal(harness_messages(), 0);
}

static void close_fixture(struct fixture *f)
{
    const VkBufferView views[] = {f->rgb, f->luminance, f->native};
    for (unsigned i = 0; i < 3; i++)
        vkDestroyBufferView(f->vk.device, views[i], NULL);
    harness_buffer_destroy(&f->vk, &f->buffer);
    harness_buffer_destroy(&f->vk, &f->seen);
    vkDestroyPipeline(f->vk.device, f->pipeline, NULL);
    harness_layouts_destroy(&f->vk, f->layout, f->set_layout);
    close_device(f);
}

/* ---- Writing ---- */

static void make_writes(const struct fixture *f, const VkBufferView views[DESCRIPTORS],
                        const VkDescriptorBufferInfo *seen, VkWriteDescriptorSet writes[2])
{
    /* Runs on from binding 0 into the two elements of binding 1. */
    writes[0] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .dstSet = f->set,
                                       .descriptorCount = DESCRIPTORS,
                                       .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                                       .pTexelBufferView = views};
    writes[1] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .dstSet = f->set,
                                       .dstBinding = 2,
                                       .descriptorCount = 1,
                                       .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                       .pBufferInfo = seen};
}

struct template_data {
    VkBufferView views[DESCRIPTORS];
    VkDescriptorBufferInfo seen;
};

/* `runs_on`: one entry from binding 0 into binding 1; else one for each. */
static VkDescriptorUpdateTemplate make_template(const struct fixture *f, bool runs_on)
{
    const VkDescriptorUpdateTemplateEntry entries[] = {
        {2, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, offsetof(struct template_data, seen), 0},
        {0, 0, runs_on ? 3u : 1u, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 0, sizeof(VkBufferView)},
        {1, 0, 2, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, sizeof(VkBufferView), sizeof(VkBufferView)}};
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = runs_on ? 2 : 3,
        .pDescriptorUpdateEntries = entries,
        .templateType = f->push ? VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR
                                : VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = f->push ? VK_NULL_HANDLE : f->set_layout,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE,
        .pipelineLayout = f->layout};
    VkDescriptorUpdateTemplate update;
    HARNESS_VK(vkCreateDescriptorUpdateTemplate(f->vk.device, &info, NULL, &update));
    return update;
}

static void copy_from_another_set(struct fixture *f, const VkWriteDescriptorSet writes[2])
{
    VkDescriptorSet source = harness_set(&f->vk, f->set_layout);
    VkWriteDescriptorSet own[2] = {writes[0], writes[1]};
    VkCopyDescriptorSet copies[3];
    own[0].dstSet = own[1].dstSet = source;
    vkUpdateDescriptorSets(f->vk.device, 2, own, 0, NULL);
    for (uint32_t binding = 0; binding < 3; binding++)
        copies[binding] = (VkCopyDescriptorSet){.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                                .srcSet = source,
                                                .srcBinding = binding,
                                                .dstSet = f->set,
                                                .dstBinding = binding,
                                                .descriptorCount = binding == 1 ? 2 : 1};
    vkUpdateDescriptorSets(f->vk.device, 0, NULL, 3, copies);
    vkFreeDescriptorSets(f->vk.device, f->vk.descriptors, 1, &source);
}

enum way { BY_WRITE, BY_TEMPLATE, BY_COPY, WAYS, BY_TEMPLATE_THAT_RUNS_ON };

/* Dispatches with the three views in place and returns the tier. */
static unsigned look(struct fixture *f, enum way way, VkBufferView first, VkBufferView other)
{
    const struct template_data data = {{first, f->native, other}, {f->seen.buffer, 0, VK_WHOLE_SIZE}};
    const bool templated = way == BY_TEMPLATE || way == BY_TEMPLATE_THAT_RUNS_ON;
    VkDescriptorUpdateTemplate update = templated ? make_template(f, way == BY_TEMPLATE_THAT_RUNS_ON) : VK_NULL_HANDLE;
    VkWriteDescriptorSet writes[2];
    make_writes(f, data.views, &data.seen, writes);
    memset(f->seen.map, 0, (size_t)f->seen.size);
    const struct clampler_counters before = harness_counters(&f->vk);
    VkCommandBuffer commands = harness_begin(&f->vk);
    if (f->push && templated)
        HARNESS_PROC(&f->vk, vkCmdPushDescriptorSetWithTemplateKHR)(commands, update, f->layout, 0, &data);
    else if (f->push)
        HARNESS_PROC(&f->vk, vkCmdPushDescriptorSetKHR)
    (commands, VK_PIPELINE_BIND_POINT_COMPUTE, f->layout, 0, 2, writes);
    else if (templated) vkUpdateDescriptorSetWithTemplate(f->vk.device, f->set, update, &data);
    else if (way == BY_COPY) copy_from_another_set(f, writes);
    else vkUpdateDescriptorSets(f->vk.device, 2, writes, 0, NULL);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, f->pipeline);
    if (!f->push)
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, f->layout, 0, 1, &f->set, 0, NULL);
    vkCmdDispatch(commands, 1, 1, 1);
    harness_submit(&f->vk, commands);
    vkDestroyDescriptorUpdateTemplate(f->vk.device, update, NULL);
    const struct clampler_counters after = harness_counters(&f->vk);
    assert_int_equal(after.draws[0] + after.draws[1] - before.draws[0] - before.draws[1], 1);
    return after.draws[1] > before.draws[1] ? 1 : 0;
}

static void expect_texel(const struct fixture *f, uint32_t place, float r, float g, float b, float a)
{
    const float expected[4] = {r, g, b, a};
    assert_memory_equal((const float *)f->seen.map + 4 * place, expected, sizeof(expected));
}

static void expect_each_view(struct fixture *f, enum way way)
{
    assert_int_equal(look(f, way, f->rgb, f->native), 1);
    for (uint32_t i = 0; i < TEXELS; i++) /* each seen twice */
        expect_texel(f, i, 2 * (float)(3 * i + 1), 2 * (float)(3 * i + 2), 2 * (float)(3 * i + 3), 2);
    expect_texel(f, 3, 0, 0, 0, 1); /* outside */
    expect_texel(f, 4, TEXELS, 0, 0, 0);
    expect_texel(f, 5, 1, 2, 3, 4);
    expect_texel(f, 6, 4, 5, 6, 1);
    assert_int_equal(look(f, way, f->native, f->luminance), 1);
    expect_texel(f, 0, 2, 4, 6, 8);
    expect_texel(f, 3, 13, 14, 15, 16);
    expect_texel(f, 4, 4, 0, 0, 0);
    expect_texel(f, 5, 1, 1, 1, 1);
    expect_texel(f, 6, 5, 6, 7, 8);
    assert_int_equal(look(f, way, f->luminance, f->native), 1);
    for (uint32_t i = 0; i < TEXELS; i++)
        expect_texel(f, i, 2 * (float)(i + 1), 2 * (float)(i + 1), 2 * (float)(i + 1), 2);
    expect_texel(f, 3, 4, 4, 4, 1);
    expect_texel(f, 6, 2, 2, 2, 1);
    assert_int_equal(look(f, way, f->native, f->native), 0);
    expect_texel(f, 1, 2 * 5, 2 * 6, 2 * 7, 2 * 8);
    expect_texel(f, 4, 4, 0, 0, 0);
    expect_texel(f, 6, 5, 6, 7, 8);
}

static const char *const paths[] = {"views", "addresses", "auto"};

static void written_copied_and_templated_views_bring_their_records(void **state)
{
    (void)state;
    for (unsigned path = 0; path < 3; path++) {
        struct fixture f;
        open_fixture(&f, paths[path], false, false);
        for (enum way way = BY_WRITE; way < WAYS; way++)
            expect_each_view(&f, way);
        close_fixture(&f);
    }
}

static void pushed_views_bring_their_records(void **state)
{
    (void)state;
    for (unsigned convert = 0; convert < 2; convert++) {
        struct fixture f;
        open_fixture(&f, paths[convert], true, convert);
        expect_each_view(&f, BY_WRITE);
        expect_each_view(&f, BY_TEMPLATE);
        close_fixture(&f);
    }
}

/*
 * An entry of a template that runs on from one binding into a longer one. Without the validation layer: of 1.3.239 it
 * takes the third view for a view of the third binding, says so and reads beyond its own data.
 */
static void templates_may_run_on_into_the_next_binding(void **state)
{
    (void)state;
    without_validation = true;
    for (unsigned i = 0; i < 4; i++) {
        const bool push = i > 1, convert = i == 3;
        struct fixture f;
        open_fixture(&f, paths[i % 2], push, convert);
        expect_each_view(&f, BY_TEMPLATE_THAT_RUNS_ON);
        close_fixture(&f);
    }
    without_validation = false;
}

/* A pool whose sizes name texel buffers alone has room for their records. */
static void pools_of_texel_buffers_alone_have_room_for_records(void **state)
{
    (void)state;
    struct fixture f;
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 2 * DESCRIPTORS},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2}};
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 2, .poolSizeCount = 2, .pPoolSizes = sizes};
    open_fixture(&f, "auto", false, false);
    VkDescriptorPool pool;
    HARNESS_VK(vkCreateDescriptorPool(f.vk.device, &info, NULL, &pool));
    VkDescriptorSet sets[2], first = f.set;
    const VkDescriptorSetLayout layouts[2] = {f.set_layout, f.set_layout};
    const VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                  .descriptorPool = pool,
                                                  .descriptorSetCount = 2,
                                                  .pSetLayouts = layouts};
    HARNESS_VK(vkAllocateDescriptorSets(f.vk.device, &allocate, sets));
    for (unsigned i = 0; i < 2; i++) {
        f.set = sets[i];
        expect_each_view(&f, BY_WRITE);
    }
    f.set = first;
    vkDestroyDescriptorPool(f.vk.device, pool, NULL);
    close_fixture(&f);
}

/* What a buffer would need is what it needs: the layer's may be longer than the program's, and has an address. */
static void memory_requirements_foretell_those_of_the_buffer(void **state)
{
    (void)state;
    for (unsigned path = 0; path < 2; path++) {
        struct fixture f;
        open_device(&f, paths[path], "large_texel_buffer", false);
        for (VkDeviceSize size = 1; size < 200; size += 13) {
            const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                             .size = size,
                                             .usage = VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT};
            const VkDeviceBufferMemoryRequirements question = {
                .sType = VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS, .pCreateInfo = &info};
            VkMemoryRequirements2 foretold = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
            VkMemoryRequirements needed;
            VkBuffer buffer;
            vkGetDeviceBufferMemoryRequirements(f.vk.device, &question, &foretold);
            HARNESS_VK(vkCreateBuffer(f.vk.device, &info, NULL, &buffer));
            vkGetBufferMemoryRequirements(f.vk.device, buffer, &needed);
            assert_int_equal(foretold.memoryRequirements.size, needed.size);
            assert_int_equal(foretold.memoryRequirements.alignment, needed.alignment);
            assert_int_equal(foretold.memoryRequirements.memoryTypeBits, needed.memoryTypeBits);
            assert_true(needed.size >= (size + 15) / 16 * 16);
            vkDestroyBuffer(f.vk.device, buffer, NULL);
        }
        close_device(&f);
    }
}

/* ---- Refusals, and what a program may ask ---- */

static bool said(const char *first, const char *second)
{
    for (uint32_t i = 0; i < harness_layer_messages(); i++) {
        if (strstr(harness_layer_message(i), first) && strstr(harness_layer_message(i), second))
            return true;
    }
    return false;
}

static void expect_refused(struct fixture *f, VkBuffer buffer, VkFormat format, const void *next, const char *first,
                           const char *second)
{
    const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                         .pNext = next,
                                         .buffer = buffer,
                                         .format = format,
                                         .range = VK_WHOLE_SIZE};
    const VkBufferView untouched = (VkBufferView)(uintptr_t)0x5eed;
    VkBufferView view = untouched;
    const struct clampler_counters before = harness_counters(&f->vk);
    harness_messages_reset();
    assert_int_equal(vkCreateBufferView(f->vk.device, &info, NULL, &view), VK_ERROR_VALIDATION_FAILED_EXT);
    assert_ptr_equal(view, untouched);
    assert_true(said(first, second));
    const struct clampler_counters after = harness_counters(&f->vk);
    assert_int_equal(after.live_objects, before.live_objects);
    assert_int_equal(after.live_bytes, before.live_bytes);
    assert_int_equal(harness_messages(), 0);
    harness_messages_reset();
}

static void gl_state_that_is_not_allowed_is_refused(void **state)
{
    (void)state;
    static const struct {
        VkFormat format;
        uint32_t internal, base;
        const char *field, *value;
    } rows[] = {
        {VK_FORMAT_R8_UNORM, 0, TOKEN_DEPTH_COMPONENT, "baseFormat", "0x1902"}, /* GL_DEPTH_COMPONENT */
        {VK_FORMAT_R8_UNORM, 0x8d7d, 0, "internalFormat", "0x8D7D"},            /* GL_RGB8UI */
        {VK_FORMAT_R8_UNORM, 0, TOKEN_LUMINANCE_ALPHA, "baseFormat",
         "0x190A"}, /* GL_LUMINANCE_ALPHA has no place in it */
        {VK_FORMAT_R8_UNORM, 0x8040, TOKEN_ALPHA, "baseFormat", "0x1906"},
    };
    struct fixture f;
    struct harness_buffer uniform;
    open_fixture(&f, "auto", false, false);
    harness_buffer_create(&f.vk, &uniform, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 64, NULL);
    VkBufferViewGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        gl.internalFormat = rows[i].internal;
        gl.baseFormat = rows[i].base;
        expect_refused(&f, f.buffer.buffer, rows[i].format, &gl, rows[i].field, rows[i].value);
    }
    gl.internalFormat = gl.baseFormat = 0;
    if (!getenv("CLAMPLER_TEST_LAYERS")) /* the validation layer above would say so too */
        expect_refused(&f, uniform.buffer, VK_FORMAT_R8_UNORM, &gl, "vkCreateBufferView", "UNIFORM_TEXEL_BUFFER");
    const VkImageViewGLStateCreateInfoCLAMPLER misplaced = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER};
    expect_refused(&f, f.buffer.buffer, VK_FORMAT_R8_UNORM, &misplaced, "vkCreateBufferView",
                   "VkImageViewGLStateCreateInfoCLAMPLER");
    harness_buffer_destroy(&f.vk, &uniform);
    close_fixture(&f);
}

static bool file_says(const char *path, const char *what)
{
    static char text[1 << 16];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    return strstr(text, what) != NULL;
}

static void the_log_says_how_texels_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *path, *device, *view;
    } rows[] = {{"views", "texel buffers by views", "no uniform texel buffers of this format: fetches of 32-bit words"},
                {"addresses", "texel buffers by address",
                 "no uniform texel buffers of this format: loads through its address"}};
    for (unsigned i = 0; i < 2; i++) {
        char path[] = "/tmp/clampler-texels-XXXXXX";
        const int file = mkstemp(path);
        struct fixture f;
        assert_true(file >= 0);
        close(file);
        setenv("VK_CLAMPLER_LOG_FILE", path, 1);
        setenv("VK_CLAMPLER_LOG_LEVEL", "debug", 1);
        open_fixture(&f, rows[i].path, false, false);
        unsetenv("VK_CLAMPLER_LOG_FILE");
        unsetenv("VK_CLAMPLER_LOG_LEVEL");
        close_fixture(&f);
        assert_true(file_says(path, rows[i].device));
        assert_true(file_says(path, rows[i].view));
        unlink(path);
    }
}

static void properties_say_what_is_native_and_what_is_emulated(void **state)
{
    (void)state;
    static const struct {
        const char *path, *missing;
        VkFlags64 native, emulated;
        uint32_t reach; /* texels of the largest view; 0: as many as the driver has, or more by addresses */
    } rows[] = {
        {"auto", "", VK_GL_SEMANTIC_RGB32_TEXEL_BUFFER_BIT_CLAMPLER | VK_GL_SEMANTIC_LARGE_TEXEL_BUFFER_BIT_CLAMPLER, 0,
         0},
        {"auto", "rgb32_texel_buffer,large_texel_buffer", 0,
         VK_GL_SEMANTIC_RGB32_TEXEL_BUFFER_BIT_CLAMPLER | VK_GL_SEMANTIC_LARGE_TEXEL_BUFFER_BIT_CLAMPLER,
         ADDRESS_REACH},
        {"views", "rgb32_texel_buffer,large_texel_buffer", 0, VK_GL_SEMANTIC_RGB32_TEXEL_BUFFER_BIT_CLAMPLER,
         REQUIRED_REACH},
    };
    const VkFlags64 both =
        VK_GL_SEMANTIC_RGB32_TEXEL_BUFFER_BIT_CLAMPLER | VK_GL_SEMANTIC_LARGE_TEXEL_BUFFER_BIT_CLAMPLER;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct fixture f;
        open_device(&f, rows[i].path, rows[i].missing, false);
        VkPhysicalDeviceGLSamplerPropertiesCLAMPLER gl = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_PROPERTIES_CLAMPLER};
        VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                                  .pNext = &gl};
        VkFormatProperties rgb32;
        vkGetPhysicalDeviceProperties2(f.vk.physical, &properties);
        vkGetPhysicalDeviceFormatProperties(f.vk.physical, VK_FORMAT_R32G32B32_SFLOAT, &rgb32);
        const bool has = rgb32.bufferFeatures & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT;
        if (i > 0 || (has && properties.properties.limits.maxTexelBufferElements >= 1u << 27)) {
            assert_int_equal(gl.nativeSemantics & both, rows[i].native);
            assert_int_equal(gl.emulatedSemantics & both, rows[i].emulated);
        }
        if (rows[i].reach)
            assert_int_equal(gl.maxTexelBufferElements, rows[i].reach);
        else
            assert_true(gl.maxTexelBufferElements >= properties.properties.limits.maxTexelBufferElements);
        assert_true(gl.emulatedSemantics & VK_GL_SEMANTIC_LEGACY_TEXEL_BUFFER_BIT_CLAMPLER);
        close_device(&f);
    }
}

int main(void)
{
    harness_vulkan_hold_driver();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_copied_and_templated_views_bring_their_records),
        cmocka_unit_test(pushed_views_bring_their_records),
        cmocka_unit_test(templates_may_run_on_into_the_next_binding),
        cmocka_unit_test(pools_of_texel_buffers_alone_have_room_for_records),
        cmocka_unit_test(memory_requirements_foretell_those_of_the_buffer),
        cmocka_unit_test(gl_state_that_is_not_allowed_is_refused),
        cmocka_unit_test(the_log_says_how_texels_are_read),
        cmocka_unit_test(properties_say_what_is_native_and_what_is_emulated),
    };
    return cmocka_run_group_tests_name("texel_buffers", tests, NULL, NULL);
}
