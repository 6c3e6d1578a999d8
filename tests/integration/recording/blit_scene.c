/* SPDX-License-Identifier: MIT */
#include "integration/recording/blit_scene.h"

#include <stdlib.h>
#include <string.h>

#include "limited_driver/limited_driver.h"
#include "newer_vulkan.h"

/* ---- Devices ---- */

void blits_open(struct blits_fixture *f, const char *rules, const char *fallback, bool sync,
                const struct harness_vulkan_params *params)
{
    struct harness_vulkan_params full = params ? *params : (struct harness_vulkan_params){0};
    *f = (struct blits_fixture){.limited = rules != NULL};
    if (rules)
        setenv("LIMITED_DRIVER_RULES", rules, 1);
    if (fallback)
        setenv("VK_CLAMPLER_LINEAR_FALLBACK", fallback, 1);
    harness_messages_reset();
    if (!full.layers)
        full.layers = rules ? "clampler:validation:limited" : "clampler:validation";
    full.gl_sampler = !fallback;
    full.sync_validation = sync;
    harness_vulkan_open(&f->vk, &full);
    unsetenv("VK_CLAMPLER_LINEAR_FALLBACK");
    unsetenv("LIMITED_DRIVER_RULES");
    f->before = harness_counters(&f->vk);
}

void blits_expect(struct blits_fixture *f, uint64_t nearest, uint64_t shader)
{
    struct clampler_counters now = harness_counters(&f->vk);
    assert_int_equal(now.blits_nearest - f->before.blits_nearest, nearest);
    assert_int_equal(now.blits_shader - f->before.blits_shader, shader);
    f->before = now;
}

void blits_close(struct blits_fixture *f)
{
    if (f->limited) {
        PFN_limitedDriverGetViolations get =
            (PFN_limitedDriverGetViolations)vkGetDeviceProcAddr(f->vk.device, "vkGetViolationsLIMITED");
        assert_non_null(get);
        assert_int_equal(get(f->vk.device, 0, NULL), 0);
    }
    harness_vulkan_close(&f->vk);
    scene_expect_silence();
}

bool blits_has_features(struct harness_vulkan *vk, VkFormat format, VkFormatFeatureFlags wanted)
{
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(vk->physical, format, &properties);
    return (properties.optimalTilingFeatures & wanted) == wanted;
}

/* ---- Images that only blits use ---- */

void blits_make_image(struct harness_vulkan *vk, struct blits_image *s)
{
    VkMemoryRequirements needs;
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .flags = s->flags,
        .imageType = s->type,
        .format = s->format->format,
        .extent = s->extent,
        .mipLevels = s->levels,
        .arrayLayers = s->layers,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
    };
    HARNESS_VK(vkCreateImage(vk->device, &info, NULL, &s->image));
    vkGetImageMemoryRequirements(vk->device, s->image, &needs);
    uint32_t type = 0;
    while (!(needs.memoryTypeBits >> type & 1))
        type++;
    const VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = type};
    HARNESS_VK(vkAllocateMemory(vk->device, &allocate, NULL, &s->memory));
    HARNESS_VK(vkBindImageMemory(vk->device, s->image, s->memory, 0));
}

void blits_destroy_image(struct harness_vulkan *vk, struct blits_image *s)
{
    vkDestroyImage(vk->device, s->image, NULL);
    vkFreeMemory(vk->device, s->memory, NULL);
}

void blits_change_layout(VkCommandBuffer commands, const struct blits_image *s, VkImageLayout before,
                         VkImageLayout after)
{
    const VkImageMemoryBarrier info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
        .oldLayout = before,
        .newLayout = after,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = s->image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, s->levels, 0, s->layers},
    };
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL,
                         1, &info);
}

static int32_t level_size(uint32_t size, uint32_t level)
{
    return size >> level ? (int32_t)(size >> level) : 1;
}

struct blit_texture blits_make_texture(const struct blits_image *s, uint32_t level)
{
    bool volume = s->type == VK_IMAGE_TYPE_3D;
    struct blit_texture t = {
        .format = s->format,
        .size = {level_size(s->extent.width, level), level_size(s->extent.height, level),
                 volume ? level_size(s->extent.depth, level) : (int32_t)s->layers},
        .layers = !volume,
    };
    t.texels = harness_alloc((size_t)t.size[0] * (size_t)t.size[1] * (size_t)t.size[2], s->format->bytes);
    return t;
}

size_t blits_texture_bytes(const struct blit_texture *t)
{
    return (size_t)t->size[0] * (size_t)t->size[1] * (size_t)t->size[2] * t->format->bytes;
}

VkBufferImageCopy blits_whole_level(const struct blits_image *s, uint32_t level)
{
    return (VkBufferImageCopy){
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, s->layers},
        .imageExtent = {(uint32_t)level_size(s->extent.width, level), (uint32_t)level_size(s->extent.height, level),
                        (uint32_t)level_size(s->extent.depth, level)},
    };
}

/* ---- One blit ---- */

static void put_subresource(const struct blits_image *s, uint32_t level, bool both_layers, int32_t ends[2][3],
                            VkImageSubresourceLayers *subresource, VkOffset3D offsets[2])
{
    *subresource = (VkImageSubresourceLayers){VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1};
    for (unsigned i = 0; i < 2; i++)
        offsets[i] = (VkOffset3D){ends[i][0], ends[i][1], ends[i][2]};
    if (both_layers) {
        subresource->baseArrayLayer = (uint32_t)ends[0][2];
        subresource->layerCount = (uint32_t)(ends[1][2] - ends[0][2]);
    }
    if (s->type != VK_IMAGE_TYPE_3D) {
        offsets[0].z = 0;
        offsets[1].z = 1;
    }
}

void blits_record(VkCommandBuffer commands, struct blits_one *b)
{
    VkImageLayout from = b->general ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    VkImageLayout to = b->general ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    bool layers = b->source.type != VK_IMAGE_TYPE_3D && b->target.type != VK_IMAGE_TYPE_3D;
    VkImageBlit region;
    put_subresource(&b->source, b->source_level, layers, b->offsets.source, &region.srcSubresource, region.srcOffsets);
    put_subresource(&b->target, b->target_level, layers, b->offsets.target, &region.dstSubresource, region.dstOffsets);
    if (!b->second_generation) {
        vkCmdBlitImage(commands, b->source.image, from, b->target.image, to, 1, &region,
                       b->offsets.cubic ? VK_FILTER_CUBIC_EXT : VK_FILTER_LINEAR);
        return;
    }
    VkImageBlit2 region2 = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_BLIT_2,
        .srcSubresource = region.srcSubresource,
        .srcOffsets = {region.srcOffsets[0], region.srcOffsets[1]},
        .dstSubresource = region.dstSubresource,
        .dstOffsets = {region.dstOffsets[0], region.dstOffsets[1]},
    };
    const VkBlitImageCubicWeightsInfoQCOM weights = {
        .sType = VK_STRUCTURE_TYPE_BLIT_IMAGE_CUBIC_WEIGHTS_INFO_QCOM,
        .cubicWeights = (VkCubicFilterWeightsQCOM)(b->offsets.cubic ? b->offsets.cubic - 1 : 0)};
    vkCmdBlitImage2(commands, &(VkBlitImageInfo2){
                                  .sType = VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2,
                                  .pNext = b->offsets.cubic > 1 ? &weights : NULL,
                                  .srcImage = b->source.image,
                                  .srcImageLayout = from,
                                  .dstImage = b->target.image,
                                  .dstImageLayout = to,
                                  .regionCount = 1,
                                  .pRegions = &region2,
                                  .filter = b->offsets.cubic ? VK_FILTER_CUBIC_EXT : VK_FILTER_LINEAR,
                              });
}

static bool within(const struct blit_offsets *offsets, const int32_t at[3])
{
    for (unsigned i = 0; i < 3; i++) {
        int32_t a = offsets->target[0][i], b = offsets->target[1][i];
        if (at[i] < (a < b ? a : b) || at[i] >= (a < b ? b : a))
            return false;
    }
    return true;
}

/* Every texel of the target's level: what was blitted as expected, everything else as it was. */
static void compare(const struct blits_one *b, const struct blit_texture *source, const struct blit_texture *before,
                    const uint8_t *after, double slack)
{
    for (int32_t i = 0; i < before->size[0] * before->size[1] * before->size[2]; i++) {
        const uint32_t bytes = before->format->bytes;
        const int32_t at[3] = {i % before->size[0], i / before->size[0] % before->size[1],
                               i / before->size[0] / before->size[1]};
        const uint8_t *texel = after + (size_t)i * bytes;
        double expected[4], found = 0;
        unsigned channel = 0;
        if (!within(&b->offsets, at)) {
            if (memcmp(texel, before->texels + (size_t)i * bytes, bytes) == 0)
                continue;
            print_error("%s: texel %d,%d,%d was not blitted, but has changed\n", b->name, at[0], at[1], at[2]);
            fail();
        }
        if (b->either_edge) {
            blit_expected(source, &b->offsets, at, true, expected);
            if (blit_agrees(before->format, texel, expected, slack, &channel, &found))
                continue;
        }
        blit_expected(source, &b->offsets, at, false, expected);
        if (blit_agrees(before->format, texel, expected, slack, &channel, &found))
            continue;
        print_error("%s: %s to %s: texel %d,%d,%d channel %u is %.6f, expected %.6f\n", b->name, source->format->name,
                    before->format->name, at[0], at[1], at[2], channel, found, expected[channel]);
        fail();
    }
}

void blits_prepare(struct harness_vulkan *vk, struct blits_one *b)
{
    struct harness_buffer in, before;
    blits_make_image(vk, &b->source);
    blits_make_image(vk, &b->target);
    b->source_texels = blits_make_texture(&b->source, b->source_level);
    b->target_texels = blits_make_texture(&b->target, b->target_level);
    if (b->given)
        memcpy(b->source_texels.texels, b->given, blits_texture_bytes(&b->source_texels));
    else
        blit_texture_fill(&b->source_texels, 7);
    blit_texture_fill(&b->target_texels, 11);
    harness_buffer_create(vk, &in, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, blits_texture_bytes(&b->source_texels),
                          b->source_texels.texels);
    harness_buffer_create(vk, &before, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, blits_texture_bytes(&b->target_texels),
                          b->target_texels.texels);
    VkBufferImageCopy up = blits_whole_level(&b->source, b->source_level);
    VkBufferImageCopy down = blits_whole_level(&b->target, b->target_level);
    VkCommandBuffer commands = harness_begin(vk);
    blits_change_layout(commands, &b->source, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    blits_change_layout(commands, &b->target, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    vkCmdCopyBufferToImage(commands, in.buffer, b->source.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &up);
    vkCmdCopyBufferToImage(commands, before.buffer, b->target.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &down);
    blits_change_layout(commands, &b->source, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                        b->general ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    blits_change_layout(commands, &b->target, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                        b->general ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    harness_submit(vk, commands);
    harness_buffer_destroy(vk, &in);
    harness_buffer_destroy(vk, &before);
}

void blits_get(struct harness_vulkan *vk, struct blits_one *b, struct harness_buffer *after)
{
    VkBufferImageCopy down = blits_whole_level(&b->target, b->target_level);
    VkImageLayout to = b->general ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    harness_buffer_create(vk, after, VK_BUFFER_USAGE_TRANSFER_DST_BIT, blits_texture_bytes(&b->target_texels), NULL);
    VkCommandBuffer commands = harness_begin(vk);
    blits_change_layout(commands, &b->target, to, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkCmdCopyImageToBuffer(commands, b->target.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, after->buffer, 1, &down);
    blits_change_layout(commands, &b->target, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to);
    const VkMemoryBarrier host = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                  .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                  .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &host, 0, NULL, 0,
                         NULL);
    harness_submit(vk, commands);
}

void blits_check(struct harness_vulkan *vk, struct blits_one *b, double slack)
{
    struct harness_buffer after;
    blits_get(vk, b, &after);
    compare(b, &b->source_texels, &b->target_texels, after.map, slack);
    harness_buffer_destroy(vk, &after);
}

void blits_discard(struct harness_vulkan *vk, struct blits_one *b)
{
    blits_destroy_image(vk, &b->source);
    blits_destroy_image(vk, &b->target);
    free(b->source_texels.texels);
    free(b->target_texels.texels);
}

void blits_run(struct harness_vulkan *vk, struct blits_one *b, double slack)
{
    blits_prepare(vk, b);
    VkCommandBuffer commands = harness_begin(vk);
    blits_record(commands, b);
    harness_submit(vk, commands);
    blits_check(vk, b, slack);
    blits_discard(vk, b);
}
