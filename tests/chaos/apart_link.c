/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "chaos/apart.h"
#include "harness/drawing/pipeline_parts.h"

/* The build makes these (CMakeLists.txt). */
#include "chaos_apart_float.h"
#include "chaos_apart_signed.h"
#include "chaos_apart_unsigned.h"
#include "chaos_apart_vertex.h"

enum { SIZE = 16, BYTES_MOST = SIZE * SIZE * 16, PARTS = 4, LIBRARIES_MOST = PARTS + 1, RGBA = 0xf, RGB = 0x7 };

/* Formats of every way in which alpha is kept, and of all numbers. */
static const struct {
    VkFormat format;
    bool blends;
    struct harness_spirv code;
} formats[] = {
    {VK_FORMAT_R8G8B8A8_UNORM, true, {chaos_apart_float, sizeof(chaos_apart_float)}},
    {VK_FORMAT_R16G16B16A16_SFLOAT, true, {chaos_apart_float, sizeof(chaos_apart_float)}},
    {VK_FORMAT_R32G32B32A32_SFLOAT, true, {chaos_apart_float, sizeof(chaos_apart_float)}},
    {VK_FORMAT_R8G8B8A8_SNORM, true, {chaos_apart_float, sizeof(chaos_apart_float)}},
    {VK_FORMAT_R32G32B32A32_UINT, false, {chaos_apart_unsigned, sizeof(chaos_apart_unsigned)}},
    {VK_FORMAT_R8G8B8A8_UINT, false, {chaos_apart_unsigned, sizeof(chaos_apart_unsigned)}},
    {VK_FORMAT_R32G32B32A32_SINT, false, {chaos_apart_signed, sizeof(chaos_apart_signed)}},
};
enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };

#define F(NAME) VK_BLEND_FACTOR_##NAME
static const VkPipelineColorBlendAttachmentState states[] = {
    {.colorWriteMask = RGBA},
    {.colorWriteMask = VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_A_BIT},
    {VK_TRUE, F(SRC_ALPHA), F(ZERO), VK_BLEND_OP_ADD, F(ONE), F(ZERO), VK_BLEND_OP_ADD, RGBA},
    {VK_TRUE, F(SRC_ALPHA), F(ONE_MINUS_SRC_ALPHA), VK_BLEND_OP_ADD, F(ONE), F(ONE), VK_BLEND_OP_ADD, RGBA},
    {VK_TRUE, F(DST_ALPHA), F(ONE_MINUS_DST_ALPHA), VK_BLEND_OP_ADD, F(DST_ALPHA), F(ONE), VK_BLEND_OP_ADD, RGBA},
};
enum { STATES = sizeof(states) / sizeof(states[0]), FIRST_THAT_BLENDS = 2 };

/* Libraries, of which the first `nested` are linked into one first; the link brings what is left. */
struct form {
    VkFlags libraries[PARTS];
    unsigned count, nested;
    VkFlags own;
    bool optimized;
};

/* The parts in any order, in groups; the last group may be the link's own. No library has all of them. */
static struct form choose_form(struct dice *dice)
{
    struct form form = {.optimized = dice_one_in(dice, 2)};
    VkFlags left = PIPELINE_ALL_PARTS;
    while (left) {
        VkFlags group = 0;
        do {
            VkFlags bit;
            do
                bit = 1u << dice_below(dice, PARTS);
            while (!(left & bit));
            group |= bit;
            left &= ~bit;
        } while (left && dice_one_in(dice, 3));
        if (group == PIPELINE_ALL_PARTS || (!left && form.count && dice_one_in(dice, 2)))
            form.own = group;
        else
            form.libraries[form.count++] = group;
    }
    const unsigned most = form.own ? form.count : form.count - 1;
    if (most > 1 && dice_one_in(dice, 2))
        form.nested = 2 + dice_below(dice, most - 1);
    return form;
}

static void make(const struct pipeline_parts *parts, const struct form *form, VkPipeline *pipeline,
                 VkPipeline libraries[LIBRARIES_MOST])
{
    VkPipeline linked[LIBRARIES_MOST];
    uint32_t link_count = 0, count = 0;
    for (unsigned i = 0; i < form->count; i++) {
        linked[link_count++] = libraries[count++] = pipeline_of_parts(parts, form->libraries[i], true, false, NULL, 0);
        if (i + 1 != form->nested)
            continue;
        libraries[count] = pipeline_of_parts(parts, 0, true, false, linked, link_count);
        linked[0] = libraries[count++];
        link_count = 1;
    }
    *pipeline = pipeline_of_parts(parts, form->own, false, form->optimized, linked, link_count);
}

/*
 * What a form draws over a clear colour, with views of a base format, in an order of channels, or (0) Vulkan's own,
 * whose alpha is 1.
 */
static void draw(struct harness_vulkan *vk, unsigned number, uint32_t base_format, VkComponentMapping channels,
                 const VkPipelineColorBlendAttachmentState *state, const struct form *form, bool rendering,
                 unsigned char pixels[BYTES_MOST])
{
    const VkFormat format = formats[number].format;
    VkClearColorValue clear = {.float32 = {0.75f, 0.25f, 0.5f, base_format ? 0.375f : 1}};
    struct harness_image image;
    struct blending_pass pass;
    VkPipeline pipeline, libraries[LIBRARIES_MOST] = {VK_NULL_HANDLE};
    if (!formats[number].blends)
        clear = (VkClearColorValue){.uint32 = {3, 1, 2, base_format ? 3 : 1}};
    blending_image_create(
        vk, &image,
        &(struct blending_image_params){
            .format = format, .width = SIZE, .height = SIZE, .base_format = base_format, .channels = channels},
        NULL);
    blending_pass_create(vk, &pass,
                         &(struct blending_pass_params){.style = rendering ? BLENDING_DYNAMIC : BLENDING_PASS,
                                                        .count = 1,
                                                        .views = {image.view},
                                                        .formats = {format},
                                                        .width = SIZE,
                                                        .height = SIZE,
                                                        .load = VK_ATTACHMENT_LOAD_OP_CLEAR});
    const VkPipelineLayout layout = harness_pipeline_layout(vk, NULL, 0, 0);
    const struct pipeline_parts parts = {
        .vk = vk,
        .pass = &pass,
        .format = format,
        .layout = layout,
        .state = state,
        .modules = {harness_module(vk, HARNESS_SPIRV(chaos_apart_vertex)), harness_module(vk, formats[number].code)}};
    make(&parts, form, &pipeline, libraries);
    for (unsigned i = 0; i < 2; i++)
        vkDestroyShaderModule(vk->device, parts.modules[i], NULL);
    blending_draw(vk, &pass, &clear, pipeline);
    memset(pixels, 0, BYTES_MOST);
    blending_image_read(vk, &image, pixels);
    vkDestroyPipeline(vk->device, pipeline, NULL);
    for (unsigned i = 0; i < LIBRARIES_MOST; i++)
        vkDestroyPipeline(vk->device, libraries[i], NULL);
    vkDestroyPipelineLayout(vk->device, layout, NULL);
    blending_pass_destroy(vk, &pass);
    harness_image_destroy(vk, &image);
}

static bool can_be_drawn(const struct harness_vulkan *vk, unsigned number)
{
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(vk->physical, formats[number].format, &properties);
    const VkFormatFeatureFlags needed = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_TRANSFER_SRC_BIT |
                                        VK_FORMAT_FEATURE_TRANSFER_DST_BIT |
                                        (formats[number].blends ? VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT
                                                                : VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT);
    return (properties.optimalTilingFeatures & needed) == needed;
}

static const VkComponentMapping natural; /* all IDENTITY */

bool apart_link(struct actor *actor, struct dice *dice)
{
    static const struct form whole = {.own = PIPELINE_ALL_PARTS};
    struct device *device = actor->device;
    const unsigned number = dice_below(dice, FORMATS),
                   state = dice_below(dice, formats[number].blends ? STATES : FIRST_THAT_BLENDS);
    const struct form form = choose_form(dice);
    const bool rendering = device->rendering && dice_one_in(dice, 2);
    unsigned char expected[BYTES_MOST], found[BYTES_MOST];
    /* Views of integers and floats without alpha ask for a filter wherever borders are sampled. */
    if (!device->libraries || !device->without_alpha || device->mild || !can_be_drawn(&device->vk, number))
        return false;
    VkPipelineColorBlendAttachmentState control = states[state];
    control.colorWriteMask &= RGB;
    if (control.dstColorBlendFactor == F(ONE_MINUS_DST_ALPHA)) { /* alpha is 1 */
        control.srcColorBlendFactor = F(ONE);
        control.dstColorBlendFactor = F(ZERO);
    }
    pthread_mutex_lock(&device->queue);
    draw(&device->vk, number, 0, natural, &control, &whole, false, expected);
    draw(&device->vk, number, GL_RGB, natural, &states[state], &form, rendering, found);
    pthread_mutex_unlock(&device->queue);
    if (memcmp(expected, found, sizeof(found)) != 0)
        chaos_fail(actor, "libraries %x %x %x %x (%u nested) and %x draw VkFormat %d in state %u as no whole pipeline",
                   form.libraries[0], form.libraries[1], form.libraries[2], form.libraries[3], form.nested, form.own,
                   formats[number].format, state);
    return true;
}

/* ---- Orders of channels ---- */

/* Bytes of a channel, of formats with four. */
static size_t channel_bytes(VkFormat format)
{
    return harness_texel_size(format) / 4;
}

static void choose_order(unsigned order[4], struct dice *dice)
{
    for (unsigned i = 0; i < 4; i++) {
        const unsigned place = dice_below(dice, i + 1);
        order[i] = order[place];
        order[place] = i;
    }
}

/* Of attachments that keep alpha elsewhere no factor reads it, and the layer refuses to draw: there alpha stays. */
static void leave_alpha(unsigned order[4], const VkPipelineColorBlendAttachmentState *state)
{
    for (unsigned i = 0; i < 3 && state->srcColorBlendFactor == F(DST_ALPHA); i++) {
        if (order[i] != 3)
            continue;
        order[i] = order[3];
        order[3] = 3;
    }
}

/* What reads alpha reads it where it is kept. So each channel comes to what it comes to in its own place. */
bool apart_order(struct actor *actor, struct dice *dice)
{
    static const struct form whole = {.own = PIPELINE_ALL_PARTS};
    struct device *device = actor->device;
    const unsigned number = dice_below(dice, FORMATS),
                   state = dice_below(dice, formats[number].blends ? STATES : FIRST_THAT_BLENDS);
    const struct form form = device->libraries && dice_one_in(dice, 2) ? choose_form(dice) : whole;
    const bool rendering = device->rendering && dice_one_in(dice, 2);
    const size_t bytes = channel_bytes(formats[number].format);
    unsigned order[4];
    unsigned char expected[BYTES_MOST], found[BYTES_MOST];
    choose_order(order, dice);
    leave_alpha(order, &states[state]);
    if (!device->orders || !can_be_drawn(&device->vk, number))
        return false;
#define KEPT(C) ((VkComponentSwizzle)(VK_COMPONENT_SWIZZLE_R + order[C]))
    const VkComponentMapping channels = {KEPT(0), KEPT(1), KEPT(2), KEPT(3)};
    pthread_mutex_lock(&device->queue);
    draw(&device->vk, number, GL_RGBA, natural, &states[state], &whole, false, expected);
    draw(&device->vk, number, GL_RGBA, channels, &states[state], &form, rendering, found);
    pthread_mutex_unlock(&device->queue);
    for (unsigned i = 0; i < SIZE * SIZE * 4; i++) {
        const unsigned char *from = expected + i * bytes, *to = found + (i / 4 * 4 + order[i % 4]) * bytes;
        if (memcmp(from, to, bytes) != 0)
            chaos_fail(
                actor,
                "channel %u of pixel %u, kept in channel %u (%u %u %u %u) of VkFormat %d, is drawn in state %u as "
                "nowhere else: %02x %02x, not %02x %02x",
                i % 4, i / 4, order[i % 4], order[0], order[1], order[2], order[3], formats[number].format, state,
                to[0], to[bytes - 1], from[0], from[bytes - 1]);
    }
    actor->ordered++;
    return true;
}
