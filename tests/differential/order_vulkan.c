/* SPDX-License-Identifier: MIT */
#include "differential/order_voices.h"

#include <string.h>

#include "order_lookup.h"
#include "order_lookup_integer.h"
#include "order_sampled.h"
#include "order_sampled_integer.h"
#include "order_source_array.h"
#include "order_source_dual.h"
#include "order_source_integer.h"
#include "order_source_integer2.h"
#include "order_source_negative.h"
#include "order_source_negative2.h"
#include "order_source_negative3.h"
#include "order_source_negative_dual.h"
#include "order_source_plain.h"
#include "order_source_plain2.h"
#include "order_source_plain3.h"
#include "order_source_scalar.h"
#include "order_source_split.h"
#include "order_source_three.h"

enum { MOST_DYNAMIC = 6 };

static struct harness_spirv shader_of(const struct order_draw *draw)
{
    const bool negative = draw->negative;
    if (order_is_integer(draw->attachments[0].kind))
        return draw->count == 1 ? HARNESS_SPIRV(order_source_integer) : HARNESS_SPIRV(order_source_integer2);
    if (order_reads_second(draw))
        return negative ? HARNESS_SPIRV(order_source_negative_dual) : HARNESS_SPIRV(order_source_dual);
    switch (draw->shape) {
    case ORDER_THREE:
        return HARNESS_SPIRV(order_source_three);
    case ORDER_SCALAR:
        return HARNESS_SPIRV(order_source_scalar);
    case ORDER_SPLIT:
        return HARNESS_SPIRV(order_source_split);
    case ORDER_ARRAY:
        return HARNESS_SPIRV(order_source_array);
    default:
        break;
    }
    if (draw->count == 1)
        return negative ? HARNESS_SPIRV(order_source_negative) : HARNESS_SPIRV(order_source_plain);
    if (draw->count == 2)
        return negative ? HARNESS_SPIRV(order_source_negative2) : HARNESS_SPIRV(order_source_plain2);
    return negative ? HARNESS_SPIRV(order_source_negative3) : HARNESS_SPIRV(order_source_plain3);
}

/* ---- Opening ---- */

static bool can_draw(struct order_vulkan *vulkan, enum order_kind kind)
{
    const struct order_info *info = order_info(kind);
    VkFormatProperties properties;
    VkImageFormatProperties image;
    const VkFormatFeatureFlags wanted =
        order_is_integer(kind) ? VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT : VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT;
    vkGetPhysicalDeviceFormatProperties(vulkan->vk.physical, info->format, &properties);
    return properties.optimalTilingFeatures & wanted &&
           vkGetPhysicalDeviceImageFormatProperties(vulkan->vk.physical, info->format, VK_IMAGE_TYPE_2D,
                                                    VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, 0,
                                                    &image) == VK_SUCCESS &&
           image.sampleCounts & vulkan->ways.samples;
}

/* The layer has orders for whatever the driver renders to. */
static bool has_every_blend(struct order_vulkan *vulkan, enum order_kind kind)
{
    VkGLSamplerFormatPropertiesCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_GL_SAMPLER_FORMAT_PROPERTIES_CLAMPLER};
    VkFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &gl};
    vkGetPhysicalDeviceFormatProperties2(vulkan->vk.physical, order_info(kind)->format, &properties);
    const VkGLFormatFeatureFlagsCLAMPLER features = gl.nativeFeatures | gl.emulatedFeatures;
    if (!(features & VK_GL_FORMAT_FEATURE_CHANNEL_ORDER_BIT_CLAMPLER))
        harness_fail("%s: the driver renders to the format, and the layer offers no order of its channels",
                     order_info(kind)->name);
    return features & VK_GL_FORMAT_FEATURE_CHANNEL_ORDER_BLEND_BIT_CLAMPLER;
}

static void write_set(struct order_vulkan *vulkan, struct order_target *target)
{
    const bool resolves = vulkan->ways.samples != VK_SAMPLE_COUNT_1_BIT;
    const VkDescriptorImageInfo image = {vulkan->sampler, resolves ? target->resolved.view : target->image.view,
                                         VK_IMAGE_LAYOUT_GENERAL};
    target->set = harness_set(&vulkan->vk, vulkan->set_layout);
    harness_write_images(&vulkan->vk, target->set, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, &image);
}

static void open_target(struct order_vulkan *vulkan, enum order_kind kind)
{
    const struct order_info *info = order_info(kind);
    struct order_target *target = &vulkan->targets[kind];
    struct blending_image_params params = {.format = info->format,
                                           .width = ORDER_SIZE,
                                           .height = ORDER_SIZE,
                                           .base_format = info->base,
                                           .samples = vulkan->ways.samples,
                                           .channels = info->channels};
    struct order_pixels texels;
    target->drawable = can_draw(vulkan, kind);
    if (!target->drawable)
        return;
    target->every_blend = has_every_blend(vulkan, kind);
    order_texels(kind, &texels);
    harness_buffer_create(&vulkan->vk, &target->upload, VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                          ORDER_PIXELS * info->texel_size, &texels);
    blending_image_create(&vulkan->vk, &target->image, &params, NULL);
    params.samples = VK_SAMPLE_COUNT_1_BIT;
    if (vulkan->ways.samples != VK_SAMPLE_COUNT_1_BIT)
        blending_image_create(&vulkan->vk, &target->resolved, &params, NULL);
    write_set(vulkan, target);
}

static bool is_dynamic(const struct order_ways *ways)
{
    return ways->dynamic || ways->all_dynamic;
}

static void open_device(struct order_vulkan *vulkan, const char *layers)
{
    static const char *const extensions[] = {VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME};
    static const VkPhysicalDeviceFeatures features = {.independentBlend = VK_TRUE},
                                          wanted = {.dualSrcBlend = VK_TRUE, .logicOp = VK_TRUE, .alphaToOne = VK_TRUE};
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
        .extendedDynamicState3ColorBlendEnable = VK_TRUE,
        .extendedDynamicState3ColorBlendEquation = VK_TRUE,
        .extendedDynamicState3ColorWriteMask = VK_TRUE};
    VkPhysicalDeviceDynamicRenderingFeatures rendering = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES, .dynamicRendering = VK_TRUE};
    VkPhysicalDeviceImagelessFramebufferFeatures imageless = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGELESS_FRAMEBUFFER_FEATURES, .imagelessFramebuffer = VK_TRUE};
    const struct order_ways *ways = &vulkan->ways;
    /* The harness asks for dynamic rendering with shader objects itself. */
    void *next = ways->style == BLENDING_IMAGELESS                                     ? (void *)&imageless
                 : ways->style == BLENDING_DYNAMIC && ways->linking != HARNESS_OBJECTS ? (void *)&rendering
                                                                                       : NULL;
    if (is_dynamic(ways)) {
        dynamic.pNext = next;
        next = &dynamic;
    }
    harness_vulkan_open(&vulkan->vk, &(struct harness_vulkan_params){.layers = layers,
                                                                     .gl_sampler = true,
                                                                     .alpha_to_one = true,
                                                                     .features = &features,
                                                                     .wanted = &wanted,
                                                                     .device_next = next,
                                                                     .device_extensions = extensions,
                                                                     .device_extension_count = is_dynamic(ways),
                                                                     .linking = ways->linking});
}

static void open_lookups(struct order_vulkan *vulkan)
{
    struct harness_vulkan *vk = &vulkan->vk;
    const VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                                  .descriptorCount = 1,
                                                  .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT};
    const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                         .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                         .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
    vulkan->set_layout = harness_set_layout(vk, &binding, 1);
    vulkan->lookup_layout = harness_pipeline_layout(vk, &vulkan->set_layout, 1, 0);
    vulkan->sampler = harness_sampler(vk, &sampler);
    harness_target_create(vk, &vulkan->looked, VK_FORMAT_R32G32B32A32_SFLOAT, ORDER_SIZE, ORDER_SIZE);
    const struct harness_spirv shaders[] = {HARNESS_SPIRV(order_lookup), HARNESS_SPIRV(order_lookup_integer),
                                            HARNESS_SPIRV(order_sampled), HARNESS_SPIRV(order_sampled_integer)};
    for (unsigned i = 0; i < 4; i++)
        *(i < 2 ? &vulkan->lookups[i] : &vulkan->sampled[i - 2]) = harness_graphics_pipeline(
            vk, &vulkan->looked,
            &(struct harness_graphics_params){.fragment = shaders[i], .layout = vulkan->lookup_layout});
    for (enum order_border border = ORDER_BORDER_PLAIN; border < ORDER_BORDERS; border++) {
        for (uint32_t way = 0; way < ORDER_LOOKUPS; way++) {
            const VkSamplerGLStateCreateInfoCLAMPLER state = order_lookup_state(way, border);
            const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &state};
            vulkan->samplers[border][way] = harness_sampler(vk, &info);
        }
    }
    for (uint32_t i = 0; i < ORDER_ATTACHMENTS; i++)
        vulkan->sampled_sets[i] = harness_set(vk, vulkan->set_layout);
}

void order_vulkan_open(struct order_vulkan *vulkan, const char *layers, const struct order_ways *ways)
{
    *vulkan = (struct order_vulkan){.ways = *ways};
    open_device(vulkan, layers);
    open_lookups(vulkan);
    vulkan->layout = harness_pipeline_layout(&vulkan->vk, NULL, 0, 0);
    harness_buffer_create(&vulkan->vk, &vulkan->readback, VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                          ORDER_ATTACHMENTS * sizeof(struct order_drawn), NULL);
    for (enum order_kind kind = 0; kind < ORDER_KINDS; kind++)
        open_target(vulkan, kind);
}

static void close_drawer(struct order_vulkan *vulkan, struct order_drawer *drawer);

static void close_passes(struct order_vulkan *vulkan)
{
    if (vulkan->count) {
        blending_pass_destroy(&vulkan->vk, &vulkan->load);
        blending_pass_destroy(&vulkan->vk, &vulkan->clear);
    }
    vulkan->count = 0;
}

void order_vulkan_close(struct order_vulkan *vulkan)
{
    struct harness_vulkan *vk = &vulkan->vk;
    close_passes(vulkan);
    for (enum order_kind kind = 0; kind < ORDER_KINDS; kind++) {
        struct order_target *target = &vulkan->targets[kind];
        if (!target->drawable)
            continue;
        harness_image_destroy(vk, &target->image);
        if (target->resolved.image)
            harness_image_destroy(vk, &target->resolved);
        harness_buffer_destroy(vk, &target->upload);
    }
    for (uint32_t i = 0; i < ORDER_DRAWERS; i++)
        close_drawer(vulkan, &vulkan->drawers[i]);
    for (unsigned i = 0; i < 2; i++) {
        harness_graphics_pipeline_destroy(vk, vulkan->lookups[i]);
        harness_graphics_pipeline_destroy(vk, vulkan->sampled[i]);
    }
    for (unsigned i = 0; i < ORDER_BORDERS * ORDER_LOOKUPS; i++)
        vkDestroySampler(vk->device, vulkan->samplers[i / ORDER_LOOKUPS][i % ORDER_LOOKUPS], NULL);
    harness_target_destroy(vk, &vulkan->looked);
    vkDestroySampler(vk->device, vulkan->sampler, NULL);
    harness_layouts_destroy(vk, vulkan->lookup_layout, vulkan->set_layout);
    harness_buffer_destroy(vk, &vulkan->readback);
    vkDestroyPipelineLayout(vk->device, vulkan->layout, NULL);
    harness_vulkan_close(vk);
}

const char *order_vulkan_lacks(const struct order_vulkan *vulkan, const struct order_case *one)
{
    const struct order_draw *draw = &one->draw;
    const bool samples = vulkan->ways.samples != VK_SAMPLE_COUNT_1_BIT;
    for (uint32_t i = 0; i < draw->count; i++) {
        if (!vulkan->targets[draw->attachments[i].kind].drawable)
            return "the format as an attachment";
        if (samples && order_is_integer(draw->attachments[i].kind))
            return "resolves of integers";
    }
    if (samples && one->contents == ORDER_UPLOADED)
        return "copies to samples";
    if (draw->logic && !vulkan->vk.features.logicOp)
        return "logicOp";
    if (draw->one && (draw->count > 1 || order_is_integer(draw->attachments[0].kind)))
        return "alphaToOneEnable of several attachments, or of integers"; /* some are refused */
    if (draw->one && !vulkan->vk.features.alphaToOne)
        return "alphaToOne";
    return order_reads_second(draw) && !vulkan->vk.features.dualSrcBlend ? "dualSrcBlend" : NULL;
}

/* ---- Drawing ---- */

static void open_passes(struct order_vulkan *vulkan, const struct order_draw *draw)
{
    struct blending_pass_params params = {.style = vulkan->ways.style,
                                          .count = draw->count,
                                          .width = ORDER_SIZE,
                                          .height = ORDER_SIZE,
                                          .load = VK_ATTACHMENT_LOAD_OP_LOAD,
                                          .samples = vulkan->ways.samples};
    bool same = vulkan->count == draw->count;
    for (uint32_t i = 0; i < draw->count; i++) {
        const enum order_kind kind = draw->attachments[i].kind;
        same = same && vulkan->kinds[i] == kind;
        params.views[i] = vulkan->targets[kind].image.view;
        params.resolves[i] = vulkan->ways.resolve_image ? VK_NULL_HANDLE : vulkan->targets[kind].resolved.view;
        params.formats[i] = order_info(kind)->format;
    }
    if (same)
        return;
    close_passes(vulkan);
    blending_pass_create(&vulkan->vk, &vulkan->load, &params);
    params.load = VK_ATTACHMENT_LOAD_OP_CLEAR;
    blending_pass_create(&vulkan->vk, &vulkan->clear, &params);
    vulkan->count = draw->count;
    for (uint32_t i = 0; i < draw->count; i++)
        vulkan->kinds[i] = draw->attachments[i].kind;
}

/* Parts of blend state that are dynamic. */
enum { DYNAMIC_CONSTANTS = 1, DYNAMIC_BLENDING = 2, DYNAMIC_MASK = 4, DYNAMIC_ALL = 7 };

static uint32_t list_dynamic(uint32_t parts, VkDynamicState *states)
{
    uint32_t count = 0;
    if (parts & DYNAMIC_CONSTANTS)
        states[count++] = VK_DYNAMIC_STATE_BLEND_CONSTANTS;
    if (parts & DYNAMIC_BLENDING) {
        states[count++] = VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT;
        states[count++] = VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT;
    }
    if (parts & DYNAMIC_MASK)
        states[count++] = VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT;
    return count;
}

static void set_dynamic(struct order_vulkan *vulkan, VkCommandBuffer commands, const struct order_draw *draw,
                        uint32_t parts)
{
    VkBool32 enables[ORDER_ATTACHMENTS];
    VkColorBlendEquationEXT equations[ORDER_ATTACHMENTS];
    VkColorComponentFlags masks[ORDER_ATTACHMENTS];
    for (uint32_t i = 0; i < draw->count; i++) {
        const VkPipelineColorBlendAttachmentState *blend = &draw->attachments[i].blend;
        enables[i] = blend->blendEnable;
        masks[i] = blend->colorWriteMask;
        equations[i] =
            (VkColorBlendEquationEXT){blend->srcColorBlendFactor, blend->dstColorBlendFactor, blend->colorBlendOp,
                                      blend->srcAlphaBlendFactor, blend->dstAlphaBlendFactor, blend->alphaBlendOp};
    }
    if (parts & DYNAMIC_CONSTANTS)
        vkCmdSetBlendConstants(commands, order_constants(draw));
    if (parts & DYNAMIC_BLENDING) {
        HARNESS_PROC(&vulkan->vk, vkCmdSetColorBlendEnableEXT)(commands, 0, draw->count, enables);
        HARNESS_PROC(&vulkan->vk, vkCmdSetColorBlendEquationEXT)(commands, 0, draw->count, equations);
    }
    if (parts & DYNAMIC_MASK)
        HARNESS_PROC(&vulkan->vk, vkCmdSetColorWriteMaskEXT)(commands, 0, draw->count, masks);
}

static uint32_t dynamic_parts(const struct order_ways *ways, uint32_t turn)
{
    return ways->linking == HARNESS_OBJECTS || ways->all_dynamic ? DYNAMIC_ALL
           : ways->dynamic                                       ? turn % DYNAMIC_ALL + 1
                                                                 : 0;
}

/* Where a part is dynamic, the pipeline has something else. */
static void drawer_key(const struct order_vulkan *vulkan, const struct order_draw *draw, uint32_t parts,
                       struct order_drawer_key *key)
{
    memset(key, 0, sizeof(*key));
    key->fragment = shader_of(draw).words;
    key->parts = parts;
    if (vulkan->ways.linking == HARNESS_OBJECTS)
        return;
    key->count = draw->count;
    key->logic = draw->logic;
    key->logic_op = draw->logic ? (uint32_t)draw->logic_op : 0;
    for (uint32_t i = 0; i < draw->count; i++) {
        const enum order_kind kind = draw->attachments[i].kind;
        VkPipelineColorBlendAttachmentState *state = &key->states[i];
        key->formats[i] = order_info(kind)->format;
        if (parts & DYNAMIC_BLENDING)
            state->blendEnable = !order_is_integer(kind);
        else if (draw->attachments[i].blend.blendEnable)
            *state = draw->attachments[i].blend;
        state->colorWriteMask = parts & DYNAMIC_MASK ? 0x6 : draw->attachments[i].blend.colorWriteMask;
    }
    if (!(parts & DYNAMIC_CONSTANTS))
        memcpy(key->constants, order_constants(draw), sizeof(key->constants));
}

static void open_drawer(struct order_vulkan *vulkan, const struct order_draw *draw, struct order_drawer *drawer)
{
    const struct order_drawer_key *key = &drawer->key;
    VkDynamicState states[MOST_DYNAMIC];
    if (vulkan->ways.linking == HARNESS_OBJECTS) {
        harness_objects_create(
            &vulkan->vk, &drawer->objects,
            &(struct harness_objects_params){.fragment = shader_of(draw)}); /* linked ones are refused */
        return;
    }
    struct blending_pipeline_params params = {.fragment = shader_of(draw),
                                              .layout = vulkan->layout,
                                              .logic = draw->logic,
                                              .logic_op = draw->logic_op,
                                              .alpha_to_one = vulkan->ways.one,
                                              .dynamic = states,
                                              .dynamic_count = list_dynamic(key->parts, states)};
    memcpy(params.states, key->states, sizeof(key->states));
    memcpy(params.constants, key->constants, sizeof(params.constants));
    drawer->pipeline = blending_pipeline(&vulkan->vk, &vulkan->load, &params);
}

static void close_drawer(struct order_vulkan *vulkan, struct order_drawer *drawer)
{
    if (drawer->objects.count)
        harness_objects_destroy(&vulkan->vk, &drawer->objects);
    if (drawer->pipeline)
        harness_graphics_pipeline_destroy(&vulkan->vk, drawer->pipeline);
    *drawer = (struct order_drawer){.pipeline = VK_NULL_HANDLE};
}

/* One like that which an earlier case drew with, or a new one. `but`: another one of this case, or NULL. */
static struct order_drawer *find_drawer(struct order_vulkan *vulkan, const struct order_draw *draw, uint32_t turn,
                                        const struct order_drawer *but)
{
    struct order_drawer_key key;
    drawer_key(vulkan, draw, dynamic_parts(&vulkan->ways, turn), &key);
    for (uint32_t i = 0; i < ORDER_DRAWERS; i++) {
        if (memcmp(&vulkan->drawers[i].key, &key, sizeof(key)) == 0)
            return &vulkan->drawers[i];
    }
    struct order_drawer *drawer = &vulkan->drawers[vulkan->next_drawer++ % ORDER_DRAWERS];
    if (drawer == but)
        drawer = &vulkan->drawers[vulkan->next_drawer++ % ORDER_DRAWERS];
    close_drawer(vulkan, drawer);
    drawer->key = key;
    open_drawer(vulkan, draw, drawer);
    return drawer;
}

static void bind_objects(struct order_vulkan *vulkan, VkCommandBuffer commands, const struct order_draw *draw,
                         struct order_drawer *drawer)
{
    const struct harness_target size = {.width = ORDER_SIZE, .height = ORDER_SIZE};
    const VkSampleMask mask = 0xf;
    harness_objects_bind(&vulkan->vk, &drawer->objects, &size, commands);
    HARNESS_PROC(&vulkan->vk, vkCmdSetRasterizationSamplesEXT)(commands, vulkan->ways.samples);
    HARNESS_PROC(&vulkan->vk, vkCmdSetSampleMaskEXT)(commands, vulkan->ways.samples, &mask);
    if (vulkan->vk.features.alphaToOne)
        HARNESS_PROC(&vulkan->vk, vkCmdSetAlphaToOneEnableEXT)(commands, draw->one);
    if (!vulkan->vk.features.logicOp)
        return;
    HARNESS_PROC(&vulkan->vk, vkCmdSetLogicOpEnableEXT)(commands, draw->logic);
    HARNESS_PROC(&vulkan->vk, vkCmdSetLogicOpEXT)(commands, draw->logic_op);
}

static void draw_inside(struct order_vulkan *vulkan, VkCommandBuffer commands, const struct order_draw *draw,
                        struct order_drawer *drawer)
{
    if (vulkan->ways.linking == HARNESS_OBJECTS)
        bind_objects(vulkan, commands, draw, drawer);
    else
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, drawer->pipeline);
    set_dynamic(vulkan, commands, draw, drawer->key.parts);
    vkCmdDraw(commands, 3, 1, 0, 0);
}

/* It inherits orders by the framebuffer in every other case that has one with views, else by the structure. */
static VkResult begin_secondary(struct order_vulkan *vulkan, const struct order_draw *draw, uint32_t turn,
                                VkCommandBuffer secondary)
{
    const enum blending_style style = vulkan->ways.style;
    const bool views = style == BLENDING_PASS || style == BLENDING_PASS2, by_views = views && turn % 2;
    VkGLAttachmentChannelsCLAMPLER channels[ORDER_ATTACHMENTS];
    VkFormat formats[ORDER_ATTACHMENTS];
    for (uint32_t i = 0; i < draw->count; i++) {
        const struct order_info *info = order_info(draw->attachments[i].kind);
        channels[i] = (VkGLAttachmentChannelsCLAMPLER){info->base, info->channels};
        formats[i] = info->format;
    }
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .colorAttachmentCount = draw->count,
        .pColorAttachmentFormats = formats,
        .rasterizationSamples = vulkan->ways.samples};
    const VkCommandBufferInheritanceGLChannelOrderCLAMPLER orders = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_CHANNEL_ORDER_CLAMPLER,
        .pNext = style == BLENDING_DYNAMIC ? &rendering : NULL,
        .colorAttachmentCount = draw->count,
        .pColorAttachments = channels};
    const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                        .pNext = by_views ? NULL : &orders,
                                                        .renderPass = vulkan->load.pass,
                                                        .framebuffer =
                                                            by_views ? vulkan->load.framebuffer : VK_NULL_HANDLE};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                            .pInheritanceInfo = &inheritance};
    return vkBeginCommandBuffer(secondary, &begin);
}

/* `which`: the first or the second draw of the case. */
static void draw_once(struct order_vulkan *vulkan, VkCommandBuffer commands, const struct order_draw *draw,
                      uint32_t turn, uint32_t which, struct order_drawer *drawer)
{
    const bool apart = vulkan->ways.secondary;
    VkCommandBuffer secondary = vulkan->secondaries[which];
    if (apart) {
        HARNESS_VK(begin_secondary(vulkan, draw, turn, secondary));
        draw_inside(vulkan, secondary, draw, drawer);
        const VkResult ended = vkEndCommandBuffer(secondary);
        vulkan->secondary_result = ended != VK_SUCCESS ? ended : vulkan->secondary_result;
    }
    blending_pass_begin(&vulkan->load, commands, NULL,
                        apart ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS : VK_SUBPASS_CONTENTS_INLINE);
    if (!apart)
        draw_inside(vulkan, commands, draw, drawer);
    else if (vulkan->secondary_result == VK_SUCCESS)
        vkCmdExecuteCommands(commands, 1, &secondary);
    blending_pass_end(&vulkan->load, commands);
}

static VkClearColorValue clear_value(enum order_kind kind)
{
    VkClearColorValue color;
    if (order_is_integer(kind))
        memcpy(color.uint32, order_clear_integers, sizeof(color.uint32));
    else
        memcpy(color.float32, order_clear_color(kind), sizeof(color.float32));
    return color;
}

static void clear_in_pass(struct order_vulkan *vulkan, VkCommandBuffer commands, const struct order_draw *draw)
{
    const VkClearRect rect = {{{0, 0}, {ORDER_SIZE, ORDER_SIZE}}, 0, 1};
    blending_pass_begin(&vulkan->load, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
    for (uint32_t i = 0; i < draw->count; i++) {
        const VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT, i, {clear_value(draw->attachments[i].kind)}};
        vkCmdClearAttachments(commands, 1, &clear, 1, &rect);
    }
    blending_pass_end(&vulkan->load, commands);
}

static void clear_images(struct order_vulkan *vulkan, VkCommandBuffer commands, const struct order_draw *draw)
{
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    for (uint32_t i = 0; i < draw->count; i++) {
        const enum order_kind kind = draw->attachments[i].kind;
        const VkClearColorValue color = clear_value(kind);
        vkCmdClearColorImage(commands, vulkan->targets[kind].image.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
    }
    harness_barrier(commands);
    if (vulkan->ways.samples == VK_SAMPLE_COUNT_1_BIT || vulkan->ways.resolve_image)
        return;
    blending_pass_begin(&vulkan->load, commands, NULL, VK_SUBPASS_CONTENTS_INLINE); /* resolves */
    blending_pass_end(&vulkan->load, commands);
}

static void upload(struct order_vulkan *vulkan, VkCommandBuffer commands, const struct order_draw *draw)
{
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {ORDER_SIZE, ORDER_SIZE, 1}};
    for (uint32_t i = 0; i < draw->count && vulkan->ways.samples == VK_SAMPLE_COUNT_1_BIT; i++) {
        const struct order_target *target = &vulkan->targets[draw->attachments[i].kind];
        vkCmdCopyBufferToImage(commands, target->upload.buffer, target->image.image, VK_IMAGE_LAYOUT_GENERAL, 1,
                               &region);
    }
    harness_barrier(commands);
}

static const struct harness_image *shown(const struct order_vulkan *vulkan, enum order_kind kind)
{
    const struct order_target *target = &vulkan->targets[kind];
    return vulkan->ways.samples == VK_SAMPLE_COUNT_1_BIT ? &target->image : &target->resolved;
}

/* What passes do that have resolve attachments. */
static void resolve_images(struct order_vulkan *vulkan, VkCommandBuffer commands, const struct order_draw *draw)
{
    const VkImageResolve region = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                   .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                   .extent = {ORDER_SIZE, ORDER_SIZE, 1}};
    for (uint32_t i = 0; i < draw->count && vulkan->ways.resolve_image; i++) {
        const struct order_target *target = &vulkan->targets[draw->attachments[i].kind];
        harness_barrier(commands);
        vkCmdResolveImage(commands, target->image.image, VK_IMAGE_LAYOUT_GENERAL, target->resolved.image,
                          VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    }
}

/* In the buffer that is read back. */
#define PLACE(attachment, member) ((attachment) * sizeof(struct order_drawn) + offsetof(struct order_drawn, member))

static void copy_out(struct order_vulkan *vulkan, VkCommandBuffer commands, VkImage image, VkImageLayout layout,
                     VkDeviceSize offset)
{
    const VkBufferImageCopy region = {.bufferOffset = offset,
                                      .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {ORDER_SIZE, ORDER_SIZE, 1}};
    harness_barrier(commands);
    vkCmdCopyImageToBuffer(commands, image, layout, vulkan->readback.buffer, 1, &region);
    harness_barrier(commands);
}

static void look_up(struct order_vulkan *vulkan, VkCommandBuffer commands, VkPipeline pipeline, VkDescriptorSet set)
{
    harness_target_begin(&vulkan->looked, commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, vulkan->lookup_layout, 0, 1, &set, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    harness_target_end(commands);
}

/* By another sampler in each case. */
static void write_sampled(struct order_vulkan *vulkan, const struct order_draw *draw, uint32_t turn)
{
    for (uint32_t i = 0; i < draw->count; i++) {
        const enum order_kind kind = draw->attachments[i].kind;
        const uint32_t way = order_lookup_way(kind, turn, vulkan->ways.full);
        const VkDescriptorImageInfo image = {vulkan->samplers[order_border_of(kind)][way], shown(vulkan, kind)->view,
                                             VK_IMAGE_LAYOUT_GENERAL};
        harness_write_images(&vulkan->vk, vulkan->sampled_sets[i], 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                             &image);
    }
}

static void put_contents(struct order_vulkan *vulkan, VkCommandBuffer commands, const struct order_case *one,
                         uint32_t turn, const struct order_draw *plain, struct order_drawer *replace)
{
    VkClearColorValue colors[ORDER_ATTACHMENTS];
    upload(vulkan, commands, &one->draw); /* noise below what is drawn, as well */
    switch (one->contents) {
    case ORDER_LOAD_CLEARED:
        for (uint32_t i = 0; i < one->draw.count; i++)
            colors[i] = clear_value(one->draw.attachments[i].kind);
        blending_pass_begin(&vulkan->clear, commands, colors, VK_SUBPASS_CONTENTS_INLINE);
        blending_pass_end(&vulkan->clear, commands);
        break;
    case ORDER_ATTACHMENTS_CLEARED:
        clear_in_pass(vulkan, commands, &one->draw);
        break;
    case ORDER_IMAGE_CLEARED:
        clear_images(vulkan, commands, &one->draw);
        break;
    case ORDER_DRAWN:
        draw_once(vulkan, commands, plain, turn, 0, replace);
        break;
    default:
        break;
    }
}

static void record(struct order_vulkan *vulkan, VkCommandBuffer commands, const struct order_case *one, uint32_t turn,
                   const struct order_draw *plain, struct order_drawer *replace, struct order_drawer *drawer)
{
    put_contents(vulkan, commands, one, turn, plain, replace);
    resolve_images(vulkan, commands, &one->draw);
    for (uint32_t i = 0; i < one->draw.count; i++)
        copy_out(vulkan, commands, shown(vulkan, one->draw.attachments[i].kind)->image, VK_IMAGE_LAYOUT_GENERAL,
                 PLACE(i, before));
    draw_once(vulkan, commands, &one->draw, turn, 1, drawer);
    resolve_images(vulkan, commands, &one->draw);
    for (uint32_t i = 0; i < one->draw.count; i++) {
        const enum order_kind kind = one->draw.attachments[i].kind;
        const bool integer = order_is_integer(kind);
        copy_out(vulkan, commands, shown(vulkan, kind)->image, VK_IMAGE_LAYOUT_GENERAL, PLACE(i, after));
        look_up(vulkan, commands, vulkan->lookups[integer], vulkan->targets[kind].set);
        copy_out(vulkan, commands, vulkan->looked.color.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, PLACE(i, looked));
        look_up(vulkan, commands, vulkan->sampled[integer], vulkan->sampled_sets[i]);
        copy_out(vulkan, commands, vulkan->looked.color.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, PLACE(i, sampled));
    }
}

void order_vulkan_draw(struct order_vulkan *vulkan, const struct order_case *one, uint32_t turn,
                       struct order_vulkan_drawn *drawn)
{
    struct harness_vulkan *vk = &vulkan->vk;
    struct order_draw plain = one->draw;
    struct order_drawer *replace = NULL;
    plain.logic = false;
    plain.shape = ORDER_VECTOR;
    for (uint32_t i = 0; i < plain.count; i++)
        plain.attachments[i].blend = (VkPipelineColorBlendAttachmentState){.colorWriteMask = 0xf};
    open_passes(vulkan, &one->draw);
    if (one->contents == ORDER_DRAWN)
        replace = find_drawer(vulkan, &plain, turn, NULL);
    struct order_drawer *drawer = find_drawer(vulkan, &one->draw, turn, replace);
    write_sampled(vulkan, &one->draw, turn);
    vulkan->secondary_result = VK_SUCCESS;
    if (vulkan->ways.secondary)
        harness_commands(vk, VK_COMMAND_BUFFER_LEVEL_SECONDARY, 2, vulkan->secondaries);
    const uint64_t ordered = harness_counters(vk).ordered_draws;
    VkCommandBuffer commands = harness_begin(vk);
    record(vulkan, commands, one, turn, &plain, replace, drawer);
    drawn->result = harness_try_submit(vk, commands);
    if (vulkan->secondary_result != VK_SUCCESS)
        drawn->result = vulkan->secondary_result;
    drawn->ordered = harness_counters(vk).ordered_draws - ordered;
    memcpy(drawn->attachments, vulkan->readback.map, sizeof(drawn->attachments));
    if (vulkan->ways.secondary)
        vkFreeCommandBuffers(vk->device, vk->pool, 2, vulkan->secondaries);
}
