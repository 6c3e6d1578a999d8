/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "harness/drawing/passes.h"
#include "chaos/apart.h"
#include "harness/drawing/blending.h"

enum { SIZE = 4, PIXELS = SIZE * SIZE, SUBPASSES = 10, OF_A_SUBPASS = 8, MANY = SUBPASSES * OF_A_SUBPASS };

struct image {
    VkImage image;
    VkDeviceMemory memory;
};

/*
 * Lavapipe (26.2.6) draws four pixels at a time and four rows, of which it writes back those that there are none of:
 * behind the last level of a compressed image lies what may not be its own.
 */
static void create_image(const struct harness_vulkan *vk, const VkImageCreateInfo *info, struct image *image)
{
    enum { BEHIND = 4096 };
    VkMemoryRequirements needs;
    HARNESS_VK(vkCreateImage(vk->device, info, NULL, &image->image));
    vkGetImageMemoryRequirements(vk->device, image->image, &needs);
    const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = needs.size + BEHIND,
                                         .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
    HARNESS_VK(vkAllocateMemory(vk->device, &memory, NULL, &image->memory));
    HARNESS_VK(vkBindImageMemory(vk->device, image->image, image->memory, 0));
}

static void create_small(const struct harness_vulkan *vk, VkSampleCountFlagBits samples, struct image *image)
{
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = VK_FORMAT_R8G8B8A8_UNORM,
                                    .extent = {SIZE, SIZE, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = samples,
                                    .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                             (samples == VK_SAMPLE_COUNT_1_BIT ? VK_IMAGE_USAGE_TRANSFER_SRC_BIT : 0u)};
    create_image(vk, &info, image);
}

static void destroy_image(const struct harness_vulkan *vk, const struct image *image)
{
    vkDestroyImage(vk->device, image->image, NULL);
    vkFreeMemory(vk->device, image->memory, NULL);
}

static VkImageView view_of(const struct harness_vulkan *vk, VkImage image, VkFormat format, uint32_t level,
                           bool without)
{
    const VkImageViewGLStateCreateInfoCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, .baseFormat = GL_RGB};
    const VkImageViewUsageCreateInfo usage = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
                                              .pNext = without ? &gl : NULL,
                                              .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
    const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .pNext = &usage,
                                        .image = image,
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                        .format = format,
                                        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, 0, 1}};
    VkImageView view;
    HARNESS_VK(vkCreateImageView(vk->device, &info, NULL, &view));
    return view;
}

static void wait_for_all(VkCommandBuffer commands)
{
    const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = all, .dstAccessMask = all};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0,
                         NULL);
}

/* ---- Many attachments, many resolves ---- */

/* Each attachment of a subpass is cleared; in some subpasses it has several samples, which are resolved. */
struct many {
    uint32_t subpasses, in[SUBPASSES], count, resolves;
    bool resolved[SUBPASSES], without[MANY];
    struct image single[MANY], multiple[MANY];
    VkImageView views[2 * MANY];
    VkRenderPass pass;
    VkFramebuffer framebuffer;
};

static void choose_many(const struct device *device, struct many *many, struct dice *dice)
{
    *many = (struct many){.subpasses = 1 + dice_below(dice, SUBPASSES)};
    for (uint32_t i = 0; i < many->subpasses; i++) {
        many->in[i] = 1 + dice_below(dice, OF_A_SUBPASS);
        many->resolved[i] = dice_one_in(dice, 2);
        many->count += many->in[i];
        many->resolves += many->resolved[i] ? many->in[i] : 0;
    }
    for (uint32_t i = 0; i < many->count; i++)
        many->without[i] = dice_one_in(dice, 2) && device->without_alpha;
}

static VkAttachmentDescription attachment_of(VkSampleCountFlagBits samples, bool resolved)
{
    return (VkAttachmentDescription){.format = VK_FORMAT_R8G8B8A8_UNORM,
                                     .samples = samples,
                                     .loadOp = resolved ? VK_ATTACHMENT_LOAD_OP_DONT_CARE : VK_ATTACHMENT_LOAD_OP_CLEAR,
                                     .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                     .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                     .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                     .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
}

/* Attachments come first, what some are resolved to behind them; image i of `single` has what attachment i shows. */
static void create_many(const struct harness_vulkan *vk, struct many *many)
{
    static const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    VkAttachmentDescription attachments[2 * MANY];
    VkAttachmentReference from[MANY], to[MANY];
    VkSubpassDescription subpasses[SUBPASSES] = {{0}};
    uint32_t at = 0, resolve = 0;
    /* No layers of one image: lavapipe 22 resolves all to the first. */
    for (uint32_t i = 0; i < many->count; i++)
        create_small(vk, VK_SAMPLE_COUNT_1_BIT, &many->single[i]);
    for (uint32_t i = 0; i < many->resolves; i++)
        create_small(vk, VK_SAMPLE_COUNT_4_BIT, &many->multiple[i]);
    for (uint32_t i = 0; i < many->subpasses; i++) {
        subpasses[i].colorAttachmentCount = many->in[i];
        subpasses[i].pColorAttachments = &from[at];
        subpasses[i].pResolveAttachments = many->resolved[i] ? &to[at] : NULL;
        for (uint32_t j = 0; j < many->in[i]; j++, at++) {
            const bool resolved = many->resolved[i];
            from[at] = (VkAttachmentReference){at, VK_IMAGE_LAYOUT_GENERAL};
            to[at] = (VkAttachmentReference){many->count + resolve, VK_IMAGE_LAYOUT_GENERAL};
            const VkImageView shown = view_of(vk, many->single[at].image, format, 0, many->without[at]);
            attachments[at] = attachment_of(resolved ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT, false);
            many->views[at] = resolved ? view_of(vk, many->multiple[resolve].image, format, 0, false) : shown;
            if (!resolved)
                continue;
            attachments[many->count + resolve] = attachment_of(VK_SAMPLE_COUNT_1_BIT, true);
            many->views[many->count + resolve++] = shown;
        }
    }
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = many->count + many->resolves,
                                         .pAttachments = attachments,
                                         .subpassCount = many->subpasses,
                                         .pSubpasses = subpasses};
    HARNESS_VK(vkCreateRenderPass(vk->device, &info, NULL, &many->pass));
    many->framebuffer = harness_framebuffer(vk, many->pass, many->views, info.attachmentCount, SIZE, SIZE);
}

static void record_many(const struct many *many, VkCommandBuffer commands, VkBuffer buffer)
{
    VkClearValue clears[MANY];
    for (uint32_t i = 0; i < many->count; i++)
        clears[i].color = (VkClearColorValue){.float32 = {(float)i / 255, (float)(i + 100) / 255, 0.2f, 0}};
    const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = many->pass,
                                         .framebuffer = many->framebuffer,
                                         .renderArea = {{0, 0}, {SIZE, SIZE}},
                                         .clearValueCount = many->count,
                                         .pClearValues = clears};
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    for (uint32_t i = 1; i < many->subpasses; i++)
        vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(commands);
    wait_for_all(commands);
    for (uint32_t i = 0; i < many->count; i++) {
        const VkBufferImageCopy copy = {.bufferOffset = (VkDeviceSize)i * PIXELS * 4,
                                        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                        .imageExtent = {SIZE, SIZE, 1}};
        vkCmdCopyImageToBuffer(commands, many->single[i].image, VK_IMAGE_LAYOUT_GENERAL, buffer, 1, &copy);
    }
    wait_for_all(commands);
}

static void expect_many(const struct actor *actor, const struct many *many, const uint8_t (*found)[4])
{
    for (uint32_t i = 0; i < many->count * PIXELS; i++) {
        const uint32_t layer = i / PIXELS;
        const uint8_t expected[4] = {(uint8_t)layer, (uint8_t)(layer + 100), 51, many->without[layer] ? 255 : 0};
        if (memcmp(found[i], expected, sizeof(expected)) != 0)
            chaos_fail(actor, "attachment %u of %u, %s alpha (%u resolves), is %u %u %u %u", layer, many->count,
                       many->without[layer] ? "without" : "with", many->resolves, found[i][0], found[i][1], found[i][2],
                       found[i][3]);
    }
}

static void fill_many(struct actor *actor, struct dice *dice)
{
    struct harness_vulkan *vk = &actor->device->vk;
    struct many many;
    struct harness_buffer buffer;
    choose_many(actor->device, &many, dice);
    create_many(vk, &many);
    harness_buffer_create(vk, &buffer, VK_BUFFER_USAGE_TRANSFER_DST_BIT, (VkDeviceSize)many.count * PIXELS * 4, NULL);
    VkCommandBuffer commands = harness_begin(vk);
    record_many(&many, commands, buffer.buffer);
    harness_submit(vk, commands);
    expect_many(actor, &many, buffer.map);
    harness_buffer_destroy(vk, &buffer);
    vkDestroyFramebuffer(vk->device, many.framebuffer, NULL);
    vkDestroyRenderPass(vk->device, many.pass, NULL);
    for (uint32_t i = 0; i < many.count + many.resolves; i++)
        vkDestroyImageView(vk->device, many.views[i], NULL);
    for (uint32_t i = 0; i < many.count; i++)
        destroy_image(vk, &many.single[i]);
    for (uint32_t i = 0; i < many.resolves; i++)
        destroy_image(vk, &many.multiple[i]);
}

/* ---- Views whose texels are blocks ---- */

enum { LEVELS = 6 };

struct blocks {
    VkFormat format, view;
    uint32_t bytes; /* of a block of 4 by 4 */
    VkExtent2D size;
};

static uint32_t blocks_along(uint32_t size, uint32_t level)
{
    return ((size >> level ? size >> level : 1) + 3) / 4;
}

static size_t level_at(const struct blocks *blocks, uint32_t level)
{
    size_t at = 0;
    for (uint32_t i = 0; i < level; i++)
        at += (size_t)blocks_along(blocks->size.width, i) * blocks_along(blocks->size.height, i) * blocks->bytes;
    return at;
}

static void copy_blocks(const struct blocks *blocks, VkCommandBuffer commands, VkImage image, VkBuffer buffer,
                        bool into_image)
{
    VkBufferImageCopy regions[LEVELS];
    for (uint32_t i = 0; i < LEVELS; i++) {
        const uint32_t width = blocks->size.width >> i, height = blocks->size.height >> i;
        regions[i] = (VkBufferImageCopy){.bufferOffset = level_at(blocks, i),
                                         .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, i, 0, 1},
                                         .imageExtent = {width ? width : 1, height ? height : 1, 1}};
    }
    if (into_image)
        vkCmdCopyBufferToImage(commands, buffer, image, VK_IMAGE_LAYOUT_GENERAL, LEVELS, regions);
    else
        vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_GENERAL, buffer, LEVELS, regions);
    wait_for_all(commands);
}

static void load_view(const struct blocks *blocks, VkImageView view, uint32_t level, VkCommandBuffer commands)
{
    const VkRenderingAttachmentInfo attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                  .imageView = view,
                                                  .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                  .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                                  .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    const VkRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = {{0, 0}, {blocks_along(blocks->size.width, level), blocks_along(blocks->size.height, level)}},
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &attachment};
    vkCmdBeginRendering(commands, &rendering);
    vkCmdEndRendering(commands);
    wait_for_all(commands);
}

/* Alpha is the last quarter of a block: 1 in the level that was filled; nothing else has changed. */
static void expect_blocks(const struct actor *actor, const struct blocks *blocks, const uint8_t *before,
                          const uint8_t *after, uint32_t filled)
{
    for (size_t at = 0; at < level_at(blocks, LEVELS); at++) {
        const uint32_t within = (uint32_t)(at % blocks->bytes), alpha = blocks->bytes / 4 * 3;
        const bool one = at >= level_at(blocks, filled) && at < level_at(blocks, filled + 1) && within >= alpha;
        if (after[at] != (one ? within == alpha : before[at]))
            chaos_fail(actor, "byte %zu of VkFormat %d, %u by %u, whose level %u was filled, is %u for %u", at,
                       blocks->format, blocks->size.width, blocks->size.height, filled, after[at],
                       one ? within == alpha : before[at]);
    }
}

/* llvmpipe draws to rows of whole 16 bytes alone. */
static bool fill_blocks(struct actor *actor, const struct blocks *blocks, uint32_t level)
{
    struct harness_vulkan *vk = &actor->device->vk;
    struct harness_buffer before, after;
    struct image image;
    VkImageFormatProperties properties;
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT |
                                             VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = blocks->format,
                                    .extent = {blocks->size.width, blocks->size.height, 1},
                                    .mipLevels = LEVELS,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                             VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT};
    if (blocks_along(blocks->size.width, level) * blocks->bytes % 16 != 0 ||
        vkGetPhysicalDeviceImageFormatProperties(vk->physical, info.format, info.imageType, info.tiling, info.usage,
                                                 info.flags, &properties) != VK_SUCCESS)
        return false;
    const size_t bytes = level_at(blocks, LEVELS);
    uint8_t *noise = harness_alloc(bytes, 1);
    for (size_t i = 0; i < bytes; i++)
        noise[i] = (uint8_t)(i * 37 + i / 251 + 2);
    create_image(vk, &info, &image);
    harness_buffer_create(vk, &before, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, bytes, noise);
    harness_buffer_create(vk, &after, VK_BUFFER_USAGE_TRANSFER_DST_BIT, bytes, NULL);
    const VkImageMemoryBarrier to_general = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image.image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0, 1}};
    const VkImageView view = view_of(vk, image.image, blocks->view, level, true);
    VkCommandBuffer commands = harness_begin(vk);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL,
                         0, NULL, 1, &to_general);
    copy_blocks(blocks, commands, image.image, before.buffer, true);
    load_view(blocks, view, level, commands);
    copy_blocks(blocks, commands, image.image, after.buffer, false);
    harness_submit(vk, commands);
    expect_blocks(actor, blocks, noise, after.map, level);
    vkDestroyImageView(vk->device, view, NULL);
    harness_buffer_destroy(vk, &before);
    harness_buffer_destroy(vk, &after);
    free(noise);
    destroy_image(vk, &image);
    return true;
}

bool apart_fill(struct actor *actor, struct dice *dice)
{
    static const struct blocks all[] = {
        {VK_FORMAT_BC3_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, {0, 0}},
        {VK_FORMAT_BC7_SRGB_BLOCK, VK_FORMAT_R32G32B32A32_SINT, 16, {0, 0}},
        {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, VK_FORMAT_R16G16B16A16_UINT, 8, {0, 0}},
        {VK_FORMAT_BC4_UNORM_BLOCK, VK_FORMAT_R16G16B16A16_SINT, 8, {0, 0}},
    };
    struct device *device = actor->device;
    bool done = true;
    pthread_mutex_lock(&device->queue);
    if (device->blocks && device->without_alpha && dice_one_in(dice, 2)) {
        struct blocks blocks = all[dice_below(dice, sizeof(all) / sizeof(all[0]))];
        blocks.size = (VkExtent2D){32 + dice_below(dice, 64), 32 + dice_below(dice, 64)};
        done = fill_blocks(actor, &blocks, dice_below(dice, LEVELS));
    } else {
        fill_many(actor, dice);
    }
    pthread_mutex_unlock(&device->queue);
    return done;
}
