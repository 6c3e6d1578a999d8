/* SPDX-License-Identifier: MIT */
#include "gl/gl_tokens.h"
#include "integration/shared/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* OpenGL's numbers. */
enum {
    GL_NEAREST_TOKEN = TOKEN_NEAREST,
    GL_LINEAR_TOKEN = TOKEN_LINEAR,
    GL_CLAMP_TOKEN = TOKEN_CLAMP,
    GL_CLAMP_TO_EDGE_TOKEN = TOKEN_CLAMP_TO_EDGE,
    GL_MIRROR_CLAMP_TOKEN = TOKEN_MIRROR_CLAMP,
};

enum { TEXELS = 4 };

static const uint8_t texels[SCENE_TEXTURES][TEXELS] = {
    [SCENE_RAMP] = {51, 102, 153, 204},
    [SCENE_STEPS] = {20, 180, 60, 240},
};

/* ---- What is expected ---- */

/* Columns reach from -1 to 2 on the axis of the texture; a pixel is one and a half texels, so lookups are minified. */
static double coordinate(unsigned column)
{
    return ((double)column + 0.5) * 3.0 / SCENE_COLUMNS - 1.0;
}

static double texel(enum scene_sampler sampler, enum scene_texture texture, int index)
{
    const double border = 1.0;
    bool edge = sampler == SCENE_EDGE || sampler == SCENE_GL_EDGE;
    if (edge)
        index = index < 0 ? 0 : index >= TEXELS ? TEXELS - 1 : index;
    if (index < 0 || index >= TEXELS)
        return border;
    return texels[texture][index] / 255.0;
}

float scene_expected(enum scene_sampler sampler, enum scene_texture texture, unsigned column)
{
    double u = coordinate(column) * TEXELS;
    if (sampler == SCENE_NOTHING)
        return 0.0f;
    if (sampler == SCENE_CLAMP || sampler == SCENE_MIXED)
        u = fmin(fmax(u, 0.0), TEXELS);
    if (sampler == SCENE_MAGNIFIED) /* a nearest lookup of GL_CLAMP never meets the border */
        return (float)texel(SCENE_EDGE, texture, (int)floor(u));
    if (sampler == SCENE_MIRROR)
        u = fmin(fmax(fabs(u), 0.5), TEXELS);
    double base = floor(u - 0.5), weight = u - 0.5 - base;
    return (float)(texel(sampler, texture, (int)base) * (1.0 - weight) +
                   texel(sampler, texture, (int)base + 1) * weight);
}

void scene_expect_row_at(const struct scene *scene, unsigned row, enum scene_sampler sampler,
                         enum scene_texture texture, const char *file, int line)
{
    static const char *const names[] = {"CLAMP_TO_EDGE",
                                        "CLAMP_TO_BORDER",
                                        "GL_CLAMP_TO_EDGE",
                                        "GL_CLAMP",
                                        "GL_MIRROR_CLAMP",
                                        "GL_CLAMP (mixed)",
                                        "",
                                        "nothing",
                                        "GL_CLAMP (mixed, magnified)"};
    const double tolerance = sampler == SCENE_NOTHING ? 0.0 : 1.5 / 255.0;
    for (unsigned x = 0; x < SCENE_COLUMNS; x++) {
        double expected = scene_expected(sampler, texture, x), found = scene->pixels[row][x][0];
        if (fabs(expected - found) <= tolerance)
            continue;
        print_error("%s:%d: row %u, column %u (s = %g) is %.4f, but %s of texture %d is %.4f\n", file, line, row, x,
                    coordinate(x), found, names[sampler], (int)texture, expected);
        _fail(file, line);
    }
}

void scene_expect_tier_at(const struct scene *scene, unsigned tier, const char *file, int line)
{
    bool fine = scene->drew[tier] > 0;
    for (unsigned other = 0; other < 3; other++)
        fine &= other == tier || scene->drew[other] == 0;
    if (fine)
        return;
    print_error("%s:%d: tier %u expected; draws of tiers 0, 1, 2: %u, %u, %u\n", file, line, tier,
                (unsigned)scene->drew[0], (unsigned)scene->drew[1], (unsigned)scene->drew[2]);
    _fail(file, line);
}

void scene_expect_own_code_at(const struct scene *scene, const char *file, int line)
{
    scene_expect_tier_at(scene, 0, file, line);
    const struct clampler_counters counters = harness_counters(&scene->vk);
    if (!counters.modules_rewritten && !counters.pipelines[1] && !counters.pipelines[2])
        return;
    print_error("%s:%d: the program's own code expected; %u modules rewritten, pipelines of tiers 1, 2: %u, %u\n", file,
                line, (unsigned)counters.modules_rewritten, (unsigned)counters.pipelines[1],
                (unsigned)counters.pipelines[2]);
    _fail(file, line);
}

void scene_expect_no_messages(const char *file, int line)
{
    if (harness_messages() == 0)
        return;
    print_error("%s:%d: %u messages of the validation layer\n", file, line, harness_messages());
    _fail(file, line);
}

/* ---- Making ---- */

VkSamplerCreateInfo scene_sampler_info(enum scene_sampler sampler, VkSamplerGLStateCreateInfoCLAMPLER *gl)
{
    VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                .magFilter = VK_FILTER_LINEAR,
                                .minFilter = VK_FILTER_LINEAR,
                                .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                .borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE};
    if (sampler == SCENE_EDGE)
        return info;
    if (sampler == SCENE_BORDER) {
        info.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
        return info;
    }
    *gl = (VkSamplerGLStateCreateInfoCLAMPLER){
        .sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
        .wrapS = sampler == SCENE_GL_EDGE  ? GL_CLAMP_TO_EDGE_TOKEN
                 : sampler == SCENE_MIRROR ? GL_MIRROR_CLAMP_TOKEN
                                           : GL_CLAMP_TOKEN,
        .wrapT = GL_CLAMP_TO_EDGE_TOKEN,
        .wrapR = GL_CLAMP_TO_EDGE_TOKEN,
        .minFilter = GL_LINEAR_TOKEN,
        .magFilter = sampler == SCENE_MIXED ? GL_NEAREST_TOKEN : GL_LINEAR_TOKEN,
        .maxLod = 1000.0f,
        .borderColor = {.float32 = {1, 1, 1, 1}},
    };
    info.pNext = gl;
    return info;
}

static void create_textures(struct scene *scene)
{
    for (unsigned i = 0; i < SCENE_TEXTURES; i++)
        harness_image_create(
            &scene->vk, &scene->textures[i],
            &(struct harness_image_params){
                .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R8_UNORM, .width = TEXELS, .height = 1},
            texels[i]);
}

static void open_device(struct scene *scene, bool gl_sampler, const struct harness_vulkan_params *params)
{
    struct harness_vulkan_params full = params ? *params : (struct harness_vulkan_params){0};
    if (!full.layers)
        full.layers = harness_test_layers("clampler:validation");
    full.gl_sampler = gl_sampler;
    harness_vulkan_hold_driver();
    harness_messages_reset();
    memset(scene, 0, sizeof(*scene));
    harness_vulkan_open(&scene->vk, &full);
    if (!scene->vk.counters)
        harness_fail("the layer is not active on this device");
}

void scene_open_device(struct scene *scene, const struct harness_vulkan_params *params)
{
    open_device(scene, true, params);
}

void scene_open_unmodified(struct scene *scene, const struct harness_vulkan_params *params)
{
    setenv("VK_CLAMPLER_FORCE_ACTIVE", "true", 1);
    open_device(scene, false, params);
    unsetenv("VK_CLAMPLER_FORCE_ACTIVE");
    scene_make(scene, false);
}

void scene_open(struct scene *scene, const struct harness_vulkan_params *params)
{
    scene_open_device(scene, params);
    scene_make(scene, true);
}

void scene_add_sampler(struct scene *scene, enum scene_sampler sampler)
{
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    VkSamplerCreateInfo info = scene_sampler_info(sampler, &gl);
    scene->samplers[sampler] = harness_sampler(&scene->vk, &info);
}

void scene_make(struct scene *scene, bool gl_samplers)
{
    create_textures(scene);
    for (unsigned i = 0; i < SCENE_SAMPLERS; i++) {
        scene->samplers[i] = VK_NULL_HANDLE;
        if (gl_samplers || i < SCENE_GL_EDGE)
            scene_add_sampler(scene, (enum scene_sampler)i);
    }
    harness_target_create(&scene->vk, &scene->target, VK_FORMAT_R32G32B32A32_SFLOAT, SCENE_COLUMNS, SCENE_ROWS);
}

void scene_open_with_setting(struct scene *scene, const char *key, const char *value,
                             const struct harness_vulkan_params *params)
{
    char name[96], kept[96] = "";
    snprintf(name, sizeof(name), "VK_CLAMPLER_%s", key);
    const char *before = getenv(name);
    snprintf(kept, sizeof(kept), "%s", before ? before : "");
    setenv(name, value, 1);
    scene_open(scene, params);
    if (before)
        setenv(name, kept, 1);
    else
        unsetenv(name);
}

void scene_close(struct scene *scene)
{
    harness_target_destroy(&scene->vk, &scene->target);
    for (unsigned i = 0; i < SCENE_SAMPLERS; i++)
        vkDestroySampler(scene->vk.device, scene->samplers[i], NULL);
    for (unsigned i = 0; i < SCENE_TEXTURES; i++)
        harness_image_destroy(&scene->vk, &scene->textures[i]);
    harness_vulkan_close(&scene->vk);
    scene_expect_silence();
}

/* ---- Drawing ---- */

void scene_skip_lacking(const char *layers, enum harness_linking linking, enum harness_sets sets,
                        const char *const *extensions, uint32_t count)
{
    struct harness_vulkan vk;
    char name[VK_MAX_EXTENSION_NAME_SIZE] = "";
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = layers});
    const char *lacks = harness_lacks(&vk, linking, sets);
    for (uint32_t i = 0; i < count && extensions[i] && !lacks; i++)
        lacks = harness_has_extension(&vk, extensions[i]) ? NULL : extensions[i];
    if (lacks)
        strncpy(name, lacks, sizeof(name) - 1);
    harness_vulkan_close(&vk);
    if (!lacks)
        return;
    print_message("the driver lacks %s\n", name);
    skip();
}

void scene_skip_without(const char *extension)
{
    if (harness_driver_has(extension))
        return;
    print_message("the driver lacks %s\n", extension);
    skip();
}

void scene_mark(struct scene *scene)
{
    scene->before = harness_counters(&scene->vk);
}

void scene_take(struct scene *scene)
{
    struct clampler_counters now = harness_counters(&scene->vk);
    for (unsigned tier = 0; tier < 3; tier++) {
        scene->drew[tier] = now.draws[tier] - scene->before.draws[tier];
        scene->pipelines[tier] = now.pipelines[tier] - scene->before.pipelines[tier];
    }
}

VkCommandBuffer scene_begin(struct scene *scene)
{
    scene_mark(scene);
    VkCommandBuffer commands = harness_begin(&scene->vk);
    harness_target_begin(&scene->target, commands);
    return commands;
}

VkCommandBuffer scene_begin_for_secondaries(struct scene *scene)
{
    scene_mark(scene);
    VkCommandBuffer commands = harness_begin(&scene->vk);
    VkClearValue clear = {.color = {.float32 = {0, 0, 0, 0}}};
    VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                  .renderPass = scene->target.pass,
                                  .framebuffer = scene->target.framebuffer,
                                  .renderArea = {{0, 0}, {SCENE_COLUMNS, SCENE_ROWS}},
                                  .clearValueCount = 1,
                                  .pClearValues = &clear};
    vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    return commands;
}

VkCommandBuffer scene_secondary(struct scene *scene, VkCommandBufferUsageFlags usage)
{
    VkCommandBuffer commands;
    VkCommandBufferInheritanceInfo inherited = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                .renderPass = scene->target.pass,
                                                .framebuffer = scene->target.framebuffer};
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = usage | VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                      .pInheritanceInfo = &inherited};
    harness_commands(&scene->vk, VK_COMMAND_BUFFER_LEVEL_SECONDARY, 1, &commands);
    HARNESS_VK(vkBeginCommandBuffer(commands, &begin));
    return commands;
}

void scene_end(struct scene *scene, VkCommandBuffer commands)
{
    harness_target_end(commands);
    harness_submit(&scene->vk, commands);
    scene_take(scene);
    harness_target_read(&scene->vk, &scene->target, scene->pixels);
}

void scene_draw(struct scene *scene, VkPipeline pipeline, VkPipelineLayout layout, uint32_t set_count,
                const VkDescriptorSet *sets)
{
    VkCommandBuffer commands = scene_begin(scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    if (set_count)
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, set_count, sets, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(scene, commands);
}

void scene_dispatch(struct scene *scene, VkPipeline pipeline, VkPipelineLayout layout, VkDescriptorSet set,
                    const struct harness_buffer *pixels)
{
    memset(pixels->map, 0, sizeof(scene->pixels));
    scene_mark(scene);
    VkCommandBuffer commands = harness_begin(&scene->vk);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    vkCmdDispatch(commands, 1, 1, 1);
    harness_submit(&scene->vk, commands);
    scene_take(scene);
    memcpy(scene->pixels, pixels->map, sizeof(scene->pixels));
}

VkDescriptorImageInfo scene_info(const struct scene *scene, enum scene_sampler sampler, enum scene_texture texture)
{
    return (VkDescriptorImageInfo){scene->samplers[sampler], scene->textures[texture].view,
                                   VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
}

void scene_write(struct scene *scene, VkDescriptorSet set, uint32_t binding, uint32_t element, VkDescriptorType type,
                 enum scene_sampler sampler, enum scene_texture texture)
{
    harness_write_image(&scene->vk, set, binding, element, type, scene->samplers[sampler],
                        scene->textures[texture].view);
}

/* ---- Programs ---- */

void scene_program_create(struct scene *scene, struct scene_program *program, struct harness_spirv fragment,
                          const VkDescriptorSetLayoutBinding *bindings, uint32_t binding_count,
                          VkDescriptorSetLayoutCreateFlags flags, const void *layout_next)
{
    VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .pNext = layout_next,
                                            .flags = flags,
                                            .bindingCount = binding_count,
                                            .pBindings = bindings};
    HARNESS_VK(vkCreateDescriptorSetLayout(scene->vk.device, &info, NULL, &program->set_layout));
    program->layout = harness_pipeline_layout(&scene->vk, &program->set_layout, 1, 0);
    program->pipeline = harness_graphics_pipeline(
        &scene->vk, &scene->target, &(struct harness_graphics_params){.fragment = fragment, .layout = program->layout});
}

void scene_program_destroy(struct scene *scene, struct scene_program *program)
{
    harness_graphics_pipeline_destroy(&scene->vk, program->pipeline);
    harness_layouts_destroy(&scene->vk, program->layout, program->set_layout);
    *program = (struct scene_program){0};
}

void scene_expect_drawn_at(struct scene *scene, VkPipeline pipeline, VkPipelineLayout layout, VkDescriptorSet set,
                           enum scene_sampler sampler, unsigned tier, const char *file, int line)
{
    scene_write(scene, set, 0, 0, SCENE_COMBINED, sampler, SCENE_STEPS);
    scene_draw(scene, pipeline, layout, 1, &set);
    scene_expect_tier_at(scene, tier, file, line);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row_at(scene, row, sampler, SCENE_STEPS, file, line);
}
