/* SPDX-License-Identifier: MIT */
/*
 * Alpha in memory of attachments without alpha, on a driver: every way in which memory changes or a pass loads
 * (layer/semantics/filled/ways.h), by itself with the number of fills that it takes, and all of them in any order
 * against a model, over subresources of two levels and three layers, with views of other formats, secondary command
 * buffers and aliases. What counts as one must be one in memory, and nothing is filled without need.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/drawing/passes.h"
#include "integration/attachments/alpha_scene.h"
#include "integration/layers/faults.h"

enum {
    SIZE = 4,
    LEVELS = 2,
    LAYERS = 3,
    SUBRESOURCES = LEVELS * LAYERS,
    BYTES = SIZE * SIZE * 4,
    ORDERS = 100,
    STEPS = 40,
    LOAD_OP_NONE = 1000400000,
    STORE_OP_NONE = 1000301000,
};

/* What a subresource is filled as. */
enum kind { NO_KIND, BYTES_KIND, PACKED_KIND };

enum views { ONE, PLAIN, WORDS, PACKED, VIEWS };

struct states {
    struct alpha_scene base;
    bool aliased;
    VkImage image, alias, source, samples; /* the alias has the image's memory, or is the image */
    VkDeviceMemory memory, source_memory, samples_memory;
    VkImageView views[VIEWS][SUBRESOURCES], all, samples_views[2]; /* with alpha, without */
    VkRenderPass loads, from_undefined, unused;
    VkFramebuffer framebuffers[SUBRESOURCES], unused_framebuffers[SUBRESOURCES];
    struct harness_buffer noise, read;
    VkCommandBuffer secondaries[4]; /* executed as often as one likes */
};

/* ---- Objects ---- */

static uint32_t level_of(uint32_t s)
{
    return s / LAYERS;
}

static VkExtent3D extent_of(uint32_t s)
{
    return (VkExtent3D){SIZE >> level_of(s), SIZE >> level_of(s), 1};
}

static VkImageSubresourceLayers layers_of(uint32_t s)
{
    return (VkImageSubresourceLayers){VK_IMAGE_ASPECT_COLOR_BIT, level_of(s), s % LAYERS, 1};
}

static VkImageSubresourceRange range_of(uint32_t s)
{
    return (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, level_of(s), 1, s % LAYERS, 1};
}

static VkImage create_image(struct states *f, const VkImageCreateInfo *info, VkDeviceMemory *memory)
{
    struct harness_vulkan *vk = &f->base.vk;
    VkMemoryRequirements needs;
    VkImage image;
    HARNESS_VK(vkCreateImage(vk->device, info, NULL, &image));
    vkGetImageMemoryRequirements(vk->device, image, &needs);
    const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                           .allocationSize = needs.size,
                                           .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
    if (!*memory)
        HARNESS_VK(vkAllocateMemory(vk->device, &allocate, NULL, memory));
    HARNESS_VK(vkBindImageMemory(vk->device, image, *memory, 0));
    return image;
}

static VkImageView create_view(struct states *f, VkImage image, VkFormat format, uint32_t base_format,
                               VkImageSubresourceRange range)
{
    const VkImageViewGLStateCreateInfoCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, .baseFormat = base_format};
    const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .pNext = base_format ? &gl : NULL,
                                        .image = image,
                                        .viewType =
                                            range.layerCount > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
                                        .format = format,
                                        .subresourceRange = range};
    VkImageView view;
    HARNESS_VK(vkCreateImageView(f->base.vk.device, &info, NULL, &view));
    return view;
}

static VkRenderPass create_pass(struct states *f, VkImageLayout initial, VkAttachmentLoadOp load, bool used)
{
    const VkAttachmentDescription attachment = {.format = ALPHA_FORMAT,
                                                .samples = VK_SAMPLE_COUNT_1_BIT,
                                                .loadOp = load,
                                                .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                                .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                                .initialLayout = initial,
                                                .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
    const VkSubpassDescription subpass = {.colorAttachmentCount = used ? 1u : 0u, .pColorAttachments = &reference};
    return harness_pass(&f->base.vk, &attachment, 1, &subpass, 1);
}

static VkFramebuffer create_framebuffer(struct states *f, VkRenderPass pass, VkImageView view, VkExtent3D extent)
{
    return harness_framebuffer(&f->base.vk, pass, &view, 1, extent.width, extent.height);
}

/* ---- Recording ---- */

static void add_barrier(VkCommandBuffer commands)
{
    const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = all, .dstAccessMask = all};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
                         &barrier, 0, NULL, 0, NULL);
}

static void move(VkCommandBuffer commands, VkImage image, VkImageLayout before, VkImageLayout after,
                 VkImageSubresourceRange range)
{
    const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .srcAccessMask = all,
                                          .dstAccessMask = all,
                                          .oldLayout = before,
                                          .newLayout = after,
                                          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .image = image,
                                          .subresourceRange = range};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL,
                         0, NULL, 1, &barrier);
}

struct rendering {
    VkImageView view, resolved;
    VkAttachmentLoadOp load;
    VkAttachmentStoreOp store;
    uint32_t s, layers; /* 0: 1 */
    bool part;          /* of the area */
};

/* Clears with alpha 0, in every format. */
static void render(VkCommandBuffer commands, const struct rendering *r)
{
    const VkExtent3D extent = extent_of(r->s);
    const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                             .imageView = r->view,
                                             .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                             .resolveMode =
                                                 r->resolved ? VK_RESOLVE_MODE_AVERAGE_BIT : VK_RESOLVE_MODE_NONE,
                                             .resolveImageView = r->resolved,
                                             .resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                             .loadOp = r->load,
                                             .storeOp = r->store};
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea = {{0, 0}, {r->part ? 1 : extent.width, extent.height}},
                                  .layerCount = r->layers ? r->layers : 1,
                                  .colorAttachmentCount = 1,
                                  .pColorAttachments = &color};
    vkCmdBeginRendering(commands, &info);
    vkCmdEndRendering(commands);
}

static void render_pass(VkCommandBuffer commands, VkRenderPass pass, VkFramebuffer framebuffer, uint32_t s)
{
    const VkExtent3D extent = extent_of(s);
    const VkClearValue clear = {.color = {.float32 = {0, 0, 0, 0}}};
    const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = pass,
                                         .framebuffer = framebuffer,
                                         .renderArea = {{0, 0}, {extent.width, extent.height}},
                                         .clearValueCount = 1,
                                         .pClearValues = &clear};
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(commands);
}

static void upload_to(const struct states *f, VkCommandBuffer commands, VkImage image, uint32_t s)
{
    const VkBufferImageCopy region = {.imageSubresource = layers_of(s), .imageExtent = extent_of(s)};
    vkCmdCopyBufferToImage(commands, f->noise.buffer, image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
}

/* ---- Ways ---- */

#define LOAD VK_ATTACHMENT_LOAD_OP_LOAD
#define CLEAR VK_ATTACHMENT_LOAD_OP_CLEAR
#define STORE VK_ATTACHMENT_STORE_OP_STORE

/* One pass over the view of a kind. */
#define PASS(NAME, VIEW, ...)                                                                                          \
    static void NAME(struct states *f, VkCommandBuffer commands, uint32_t s)                                           \
    {                                                                                                                  \
        const struct rendering rendering = {.view = f->views[VIEW][s], .s = s, __VA_ARGS__};                           \
        render(commands, &rendering);                                                                                  \
    }
PASS(load, ONE, .load = LOAD, .store = STORE)
PASS(load_part, ONE, .load = LOAD, .store = STORE, .part = true)
PASS(load_and_drop, ONE, .load = LOAD, .store = VK_ATTACHMENT_STORE_OP_DONT_CARE)
PASS(clear, ONE, .load = CLEAR, .store = STORE)
PASS(clear_part, ONE, .load = CLEAR, .store = STORE, .part = true)
PASS(clear_and_drop, ONE, .load = CLEAR, .store = (VkAttachmentStoreOp)STORE_OP_NONE)
PASS(not_cared, ONE, .load = VK_ATTACHMENT_LOAD_OP_DONT_CARE, .store = STORE)
PASS(not_loaded, ONE, .load = (VkAttachmentLoadOp)LOAD_OP_NONE, .store = STORE)
PASS(clear_plain, PLAIN, .load = CLEAR, .store = STORE)
PASS(load_plain, PLAIN, .load = LOAD, .store = STORE)
PASS(clear_words, WORDS, .load = CLEAR, .store = STORE)
PASS(load_packed, PACKED, .load = LOAD, .store = STORE)
PASS(clear_packed, PACKED, .load = CLEAR, .store = STORE)

static void resolve_plain(struct states *f, VkCommandBuffer commands, uint32_t s)
{
    const struct rendering rendering = {
        .view = f->samples_views[0], .resolved = f->views[ONE][s], .load = CLEAR, .store = STORE, .s = s};
    render(commands, &rendering);
}

static void resolve_one(struct states *f, VkCommandBuffer commands, uint32_t s)
{
    const struct rendering rendering = {
        .view = f->samples_views[1], .resolved = f->views[ONE][s], .load = CLEAR, .store = STORE, .s = s};
    render(commands, &rendering);
}

static void resolve_to_plain(struct states *f, VkCommandBuffer commands, uint32_t s)
{
    const struct rendering rendering = {
        .view = f->samples_views[1], .resolved = f->views[PLAIN][s], .load = CLEAR, .store = STORE, .s = s};
    render(commands, &rendering);
}

static void pass_loads(struct states *f, VkCommandBuffer commands, uint32_t s)
{
    render_pass(commands, f->loads, f->framebuffers[s], s);
}

static void pass_from_undefined(struct states *f, VkCommandBuffer commands, uint32_t s)
{
    render_pass(commands, f->from_undefined, f->framebuffers[s], s);
}

static void pass_unused(struct states *f, VkCommandBuffer commands, uint32_t s)
{
    render_pass(commands, f->unused, f->unused_framebuffers[s], s);
}

static void upload(struct states *f, VkCommandBuffer commands, uint32_t s)
{
    upload_to(f, commands, f->image, s);
}

static void upload_to_alias(struct states *f, VkCommandBuffer commands, uint32_t s)
{
    upload_to(f, commands, f->alias, s);
}

static void upload2(struct states *f, VkCommandBuffer commands, uint32_t s)
{
    const VkBufferImageCopy2 region = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2, .imageSubresource = layers_of(s), .imageExtent = extent_of(s)};
    const VkCopyBufferToImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2,
                                           .srcBuffer = f->noise.buffer,
                                           .dstImage = f->image,
                                           .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                           .regionCount = 1,
                                           .pRegions = &region};
    vkCmdCopyBufferToImage2(commands, &info);
}

static void copy(struct states *f, VkCommandBuffer commands, uint32_t s)
{
    const VkImageCopy region = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                .dstSubresource = layers_of(s),
                                .extent = {1, 1, 1}}; /* a part */
    vkCmdCopyImage(commands, f->source, VK_IMAGE_LAYOUT_GENERAL, f->image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
}

static void copy2(struct states *f, VkCommandBuffer commands, uint32_t s)
{
    const VkImageCopy2 region = {.sType = VK_STRUCTURE_TYPE_IMAGE_COPY_2,
                                 .srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                 .dstSubresource = layers_of(s),
                                 .extent = extent_of(s)};
    const VkCopyImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2,
                                   .srcImage = f->source,
                                   .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                   .dstImage = f->image,
                                   .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                   .regionCount = 1,
                                   .pRegions = &region};
    vkCmdCopyImage2(commands, &info);
}

static void blit(struct states *f, VkCommandBuffer commands, uint32_t s)
{
    const VkExtent3D extent = extent_of(s);
    const VkImageBlit region = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                .srcOffsets = {{0, 0, 0}, {SIZE, SIZE, 1}},
                                .dstSubresource = layers_of(s),
                                .dstOffsets = {{0, 0, 0}, {(int32_t)extent.width, (int32_t)extent.height, 1}}};
    vkCmdBlitImage(commands, f->source, VK_IMAGE_LAYOUT_GENERAL, f->image, VK_IMAGE_LAYOUT_GENERAL, 1, &region,
                   VK_FILTER_NEAREST);
}

static void resolve_image(struct states *f, VkCommandBuffer commands, uint32_t s)
{
    const VkImageResolve region = {
        .srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .dstSubresource = layers_of(s), .extent = {1, 1, 1}};
    const struct rendering rendering = {.view = f->samples_views[0], .load = CLEAR, .store = STORE, .s = 0};
    render(commands, &rendering);
    add_barrier(commands);
    vkCmdResolveImage(commands, f->samples, VK_IMAGE_LAYOUT_GENERAL, f->image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
}

/* The image is seen with alpha as well: the program's is stored. */
static void clear_image(struct states *f, VkCommandBuffer commands, uint32_t s)
{
    const VkClearColorValue color = {.float32 = {0.2f, 0.4f, 0.6f, 0}};
    const VkImageSubresourceRange range = range_of(s);
    vkCmdClearColorImage(commands, f->image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
}

static void from_undefined(struct states *f, VkCommandBuffer commands, uint32_t s)
{
    move(commands, f->image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, range_of(s));
}

static void there_and_back(struct states *f, VkCommandBuffer commands, uint32_t s)
{
    move(commands, f->image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, range_of(s));
    move(commands, f->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL, range_of(s));
    move(commands, f->image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL, range_of(s));
}

static void from_undefined2(struct states *f, VkCommandBuffer commands, uint32_t s)
{
    const VkImageMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                           .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                           .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
                                           .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                           .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
                                           .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                           .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                           .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                           .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                           .image = f->image,
                                           .subresourceRange = range_of(s)};
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(commands, &info);
}

static void execute_empty(struct states *f, VkCommandBuffer commands, uint32_t s)
{
    (void)s;
    vkCmdExecuteCommands(commands, 1, &f->secondaries[0]);
}

/* It uploads to the first subresource. */
static void execute_upload(struct states *f, VkCommandBuffer commands, uint32_t s)
{
    (void)s;
    vkCmdExecuteCommands(commands, 1, &f->secondaries[1]);
}

/* It clears the first subresource through a view with alpha, and was recorded before there was one without. */
static void execute_early(struct states *f, VkCommandBuffer commands, uint32_t s)
{
    (void)s;
    vkCmdExecuteCommands(commands, 1, &f->secondaries[2]);
}

/* It loads, and fills, the first subresource. */
static void execute_load(struct states *f, VkCommandBuffer commands, uint32_t s)
{
    (void)s;
    vkCmdExecuteCommands(commands, 1, &f->secondaries[3]);
}

static void load_all(struct states *f, VkCommandBuffer commands, uint32_t s)
{
    (void)s;
    const struct rendering rendering = {.view = f->all, .load = LOAD, .store = STORE, .s = 0, .layers = LAYERS};
    render(commands, &rendering);
}

/* What a way leaves: the kind of its subresource, or this. */
enum { LEAVES = 100, FORGETS, FILLS_LEVEL, SECONDARY_FILLS };

static const struct way {
    const char *name;
    void (*record)(struct states *f, VkCommandBuffer commands, uint32_t s);
    enum kind loads; /* it fills what is not of that kind */
    uint32_t after;
    uint32_t fills; /* always */
    bool first;     /* of the first subresource alone: lavapipe 22.3 resolves into the first layer, whichever it is */
} ways[] = {
    {"load", load, BYTES_KIND, BYTES_KIND, 0, false},
    {"load of a part", load_part, BYTES_KIND, BYTES_KIND, 0, false},
    {"load, not stored", load_and_drop, BYTES_KIND, NO_KIND, 0, false},
    {"load of all layers", load_all, BYTES_KIND, FILLS_LEVEL, 0, true},
    {"clear", clear, NO_KIND, BYTES_KIND, 0, false},
    {"clear of a part", clear_part, BYTES_KIND, BYTES_KIND, 0, false},
    {"clear, STORE_OP_NONE", clear_and_drop, NO_KIND, NO_KIND, 0, false},
    {"DONT_CARE", not_cared, NO_KIND, BYTES_KIND, 0, false},
    {"LOAD_OP_NONE", not_loaded, NO_KIND, NO_KIND, 0, false},
    {"clear with alpha", clear_plain, NO_KIND, NO_KIND, 0, false},
    {"load with alpha", load_plain, NO_KIND, NO_KIND, 0, false},
    {"clear as R32_UINT", clear_words, NO_KIND, NO_KIND, 0, false},
    {"load as A2B10G10R10", load_packed, PACKED_KIND, PACKED_KIND, 0, false},
    {"clear as A2B10G10R10", clear_packed, NO_KIND, PACKED_KIND, 0, false},
    {"resolve from alpha", resolve_plain, NO_KIND, BYTES_KIND, 1, true},
    {"resolve from one", resolve_one, NO_KIND, BYTES_KIND, 0, true},
    {"resolve to alpha", resolve_to_plain, NO_KIND, NO_KIND, 0, true},
    {"render pass", pass_loads, BYTES_KIND, BYTES_KIND, 0, false},
    {"render pass from UNDEFINED", pass_from_undefined, NO_KIND, BYTES_KIND, 0, false},
    {"unused attachment", pass_unused, NO_KIND, LEAVES, 0, false},
    {"upload", upload, NO_KIND, NO_KIND, 0, false},
    {"upload to an alias", upload_to_alias, NO_KIND, NO_KIND, 0, false},
    {"upload 2", upload2, NO_KIND, NO_KIND, 0, false},
    {"copy", copy, NO_KIND, NO_KIND, 0, false},
    {"copy 2", copy2, NO_KIND, NO_KIND, 0, false},
    {"blit", blit, NO_KIND, NO_KIND, 0, false},
    {"resolve of images", resolve_image, NO_KIND, NO_KIND, 0, false},
    {"clear of the image", clear_image, NO_KIND, NO_KIND, 0, false},
    {"from UNDEFINED", from_undefined, NO_KIND, NO_KIND, 0, false},
    {"from UNDEFINED 2", from_undefined2, NO_KIND, NO_KIND, 0, false},
    {"layouts and back", there_and_back, NO_KIND, LEAVES, 0, false},
    {"empty secondary", execute_empty, NO_KIND, LEAVES, 0, false},
    {"secondary that uploads", execute_upload, NO_KIND, FORGETS, 0, false},
    {"secondary from before", execute_early, NO_KIND, FORGETS, 0, false},
    {"secondary that loads", execute_load, NO_KIND, SECONDARY_FILLS, 0, false},
};
enum { WAYS = sizeof(ways) / sizeof(ways[0]) };

static bool can(const struct states *f, const struct way *way)
{
    return way->record != not_loaded || f->base.vk.has_wanted;
}

/* ---- The model ---- */

struct model {
    bool aliased; /* nothing is known when a pass loads */
    enum kind memory[SUBRESOURCES];
    uint32_t kinds; /* that this recording has filled */
    uint64_t fills;
};

static bool is_of(const struct model *model, uint32_t s, enum kind kind, bool level)
{
    bool all = true;
    for (uint32_t i = level ? 0 : s; i < (level ? LAYERS : s + 1); i++)
        all &= model->memory[i] == kind;
    return all && !model->aliased;
}

static void play(struct model *model, const struct way *way, uint32_t s)
{
    const bool level = way->after == FILLS_LEVEL;
    model->fills += way->fills + (way->loads && !is_of(model, s, way->loads, level));
    if (way->loads)
        model->kinds |= 1u << way->loads;
    switch (way->after) {
    case LEAVES:
        return;
    case FILLS_LEVEL:
        for (uint32_t i = 0; i < LAYERS; i++)
            model->memory[i] = BYTES_KIND;
        return;
    case SECONDARY_FILLS:
        model->kinds |= 1u << BYTES_KIND;
        if ((model->kinds & (model->kinds - 1)) == 0)
            return;
        /* Others of this recording's may have been filled as another kind there. */
        memset(model->memory, 0, sizeof(model->memory));
        model->kinds = 0;
        return;
    case FORGETS:
        memset(model->memory, 0, sizeof(model->memory));
        model->kinds = 0;
        return;
    default:
        model->memory[s] = (enum kind)way->after;
        if (way->after)
            model->kinds |= 1u << way->after;
    }
}

/* ---- Before and after ---- */

static VkCommandBuffer begin_secondary(struct states *f, uint32_t index)
{
    const VkCommandBufferInheritanceInfo inherits = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                                            .pInheritanceInfo = &inherits};
    harness_commands(&f->base.vk, VK_COMMAND_BUFFER_LEVEL_SECONDARY, 1, &f->secondaries[index]);
    HARNESS_VK(vkBeginCommandBuffer(f->secondaries[index], &begin));
    return f->secondaries[index];
}

static void record_secondaries(struct states *f, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        const VkCommandBuffer commands = begin_secondary(f, i);
        add_barrier(commands);
        if (i == 1)
            upload(f, commands, 0);
        else if (i == 2)
            clear_plain(f, commands, 0);
        else if (i == 3)
            load(f, commands, 0);
        add_barrier(commands);
        HARNESS_VK(vkEndCommandBuffer(commands));
    }
}

static void open_views(struct states *f)
{
    static const VkFormat formats[VIEWS] = {[ONE] = ALPHA_FORMAT,
                                            [PLAIN] = ALPHA_FORMAT,
                                            [WORDS] = VK_FORMAT_R32_UINT,
                                            [PACKED] = VK_FORMAT_A2B10G10R10_UNORM_PACK32};
    const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, LAYERS};
    for (uint32_t s = 0; s < SUBRESOURCES; s++)
        f->views[PLAIN][s] = create_view(f, f->image, ALPHA_FORMAT, 0, range_of(s));
    record_secondaries(f, 0, 3); /* the third is from before the image has a view without alpha */
    for (uint32_t s = 0; s < SUBRESOURCES; s++) {
        for (enum views view = 0; view < VIEWS; view++) {
            if (view != PLAIN)
                f->views[view][s] =
                    create_view(f, f->image, formats[view], view == WORDS ? 0 : GL_RGB_BASE, range_of(s));
        }
        f->framebuffers[s] = create_framebuffer(f, f->loads, f->views[ONE][s], extent_of(s));
        f->unused_framebuffers[s] = create_framebuffer(f, f->unused, f->views[ONE][s], extent_of(s));
    }
    f->all = create_view(f, f->image, ALPHA_FORMAT, GL_RGB_BASE, all);
    record_secondaries(f, 3, 4);
}

static void open_images(struct states *f)
{
    VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                              .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT |
                                       (f->aliased ? (VkImageCreateFlags)VK_IMAGE_CREATE_ALIAS_BIT : 0u),
                              .imageType = VK_IMAGE_TYPE_2D,
                              .format = ALPHA_FORMAT,
                              .extent = {SIZE, SIZE, 1},
                              .mipLevels = LEVELS,
                              .arrayLayers = LAYERS,
                              .samples = VK_SAMPLE_COUNT_1_BIT,
                              .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                       VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    f->image = create_image(f, &info, &f->memory);
    f->alias = f->aliased ? create_image(f, &info, &f->memory) : f->image;
    info.flags = 0;
    info.mipLevels = info.arrayLayers = 1;
    f->source = create_image(f, &info, &f->source_memory);
    info.samples = VK_SAMPLE_COUNT_4_BIT;
    info.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    f->samples = create_image(f, &info, &f->samples_memory);
    f->samples_views[0] = create_view(f, f->samples, ALPHA_FORMAT, 0, range_of(0));
    f->samples_views[1] = create_view(f, f->samples, ALPHA_FORMAT, GL_RGB_BASE, range_of(0));
}

static void upload_noise(struct states *f)
{
    const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0,
                                         VK_REMAINING_ARRAY_LAYERS};
    VkCommandBuffer commands = harness_begin(&f->base.vk);
    move(commands, f->image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, all);
    if (f->aliased)
        move(commands, f->alias, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, all);
    move(commands, f->source, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, all);
    move(commands, f->samples, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, all);
    for (uint32_t s = 0; s < SUBRESOURCES; s++)
        upload_to(f, commands, f->image, s);
    upload_to(f, commands, f->source, 0);
    harness_submit(&f->base.vk, commands);
}

static void states_open(struct states *f, bool aliased)
{
    static const VkPhysicalDeviceVulkan13Features features = {.sType =
                                                                  VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                              .synchronization2 = VK_TRUE,
                                                              .dynamicRendering = VK_TRUE};
    static const VkPhysicalDeviceFeatures core = {.independentBlend = VK_TRUE};
    uint8_t noise[BYTES];
    *f = (struct states){.aliased = aliased};
    alpha_open_with(&f->base, (struct harness_vulkan_params){.gl_sampler = true,
                                                             .alpha_to_one = true,
                                                             .wanted_extension = "VK_EXT_load_store_op_none",
                                                             .device_next = &features,
                                                             .features = &core});
    for (uint32_t i = 0; i < BYTES; i++)
        noise[i] = (uint8_t)(i % 4 == 3 ? i / 4 * 3 : i); /* no alpha of it is 1, in any format */
    harness_buffer_create(&f->base.vk, &f->noise, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, BYTES, noise);
    harness_buffer_create(&f->base.vk, &f->read, VK_BUFFER_USAGE_TRANSFER_DST_BIT, BYTES * SUBRESOURCES, NULL);
    f->loads = create_pass(f, VK_IMAGE_LAYOUT_GENERAL, LOAD, true);
    f->from_undefined = create_pass(f, VK_IMAGE_LAYOUT_UNDEFINED, VK_ATTACHMENT_LOAD_OP_DONT_CARE, true);
    f->unused = create_pass(f, VK_IMAGE_LAYOUT_GENERAL, CLEAR, false);
    open_images(f);
    open_views(f);
    upload_noise(f);
}

static void states_close(struct states *f)
{
    const VkDevice device = f->base.vk.device;
    vkFreeCommandBuffers(device, f->base.vk.pool, 4, f->secondaries);
    for (uint32_t s = 0; s < SUBRESOURCES; s++) {
        vkDestroyFramebuffer(device, f->framebuffers[s], NULL);
        vkDestroyFramebuffer(device, f->unused_framebuffers[s], NULL);
        for (enum views view = 0; view < VIEWS; view++)
            vkDestroyImageView(device, f->views[view][s], NULL);
    }
    vkDestroyImageView(device, f->all, NULL);
    vkDestroyImageView(device, f->samples_views[0], NULL);
    vkDestroyImageView(device, f->samples_views[1], NULL);
    vkDestroyRenderPass(device, f->loads, NULL);
    vkDestroyRenderPass(device, f->from_undefined, NULL);
    vkDestroyRenderPass(device, f->unused, NULL);
    if (f->aliased)
        vkDestroyImage(device, f->alias, NULL);
    vkDestroyImage(device, f->image, NULL);
    vkDestroyImage(device, f->source, NULL);
    vkDestroyImage(device, f->samples, NULL);
    vkFreeMemory(device, f->memory, NULL);
    vkFreeMemory(device, f->source_memory, NULL);
    vkFreeMemory(device, f->samples_memory, NULL);
    harness_buffer_destroy(&f->base.vk, &f->noise);
    harness_buffer_destroy(&f->base.vk, &f->read);
    alpha_close(&f->base);
}

static void read_all(struct states *f, VkCommandBuffer commands)
{
    for (uint32_t s = 0; s < SUBRESOURCES; s++) {
        const VkBufferImageCopy region = {
            .bufferOffset = s * BYTES, .imageSubresource = layers_of(s), .imageExtent = extent_of(s)};
        vkCmdCopyImageToBuffer(commands, f->image, VK_IMAGE_LAYOUT_GENERAL, f->read.buffer, 1, &region);
    }
    add_barrier(commands);
}

/* Whether all texels of a subresource have alpha 1 in the formats of a kind. */
static bool is_filled(const struct states *f, uint32_t s, enum kind kind)
{
    const uint8_t *texels = (const uint8_t *)f->read.map + s * BYTES;
    const VkExtent3D extent = extent_of(s);
    bool filled = true;
    for (uint32_t i = 0; i < extent.width * extent.height; i++)
        filled &= kind == BYTES_KIND ? texels[i * 4 + 3] == 255 : texels[i * 4 + 3] >> 6 == 3;
    return filled;
}

/* One way between two loads: how many fills that takes, and that alpha is 1 at the end. */
static void take_way(struct states *f, const struct way *way, bool known)
{
    struct model model = {.aliased = f->aliased};
    upload_noise(f);
    const uint64_t before = harness_counters(&f->base.vk).alpha_fills;
    VkCommandBuffer commands = harness_begin(&f->base.vk);
    if (known) {
        load(f, commands, 0);
        play(&model, &ways[0], 0);
    }
    add_barrier(commands);
    way->record(f, commands, 0);
    play(&model, way, 0);
    add_barrier(commands);
    load(f, commands, 0);
    play(&model, &ways[0], 0);
    add_barrier(commands);
    read_all(f, commands);
    const uint64_t fills = harness_counters(&f->base.vk).alpha_fills - before;
    if (fills != model.fills)
        fail_msg("%s, %s: %u fills, not %u", way->name, known ? "of one" : "of what is unknown", (unsigned)fills,
                 (unsigned)model.fills);
    harness_submit(&f->base.vk, commands);
    if (!is_filled(f, 0, BYTES_KIND))
        fail_msg("%s: alpha is not 1", way->name);
}

static void each_way_takes_its_fills(bool aliased)
{
    struct states f;
    states_open(&f, aliased);
    for (uint32_t w = 0; w < WAYS; w++) {
        if (can(&f, &ways[w])) {
            take_way(&f, &ways[w], false);
            take_way(&f, &ways[w], true);
        }
    }
    states_close(&f);
}

static void each_way_by_itself_takes_its_fills(void **state)
{
    (void)state;
    each_way_takes_its_fills(false);
}

static void each_way_of_an_alias_is_filled_again(void **state)
{
    (void)state;
    each_way_takes_its_fills(true);
}

static uint32_t random_state = 1;

static uint32_t dice(uint32_t sides)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 12) % sides;
}

/* What the recording knows to be one is one in memory, and what every pass loads was. */
static void play_orders(bool aliased)
{
    struct states f;
    states_open(&f, aliased);
    for (uint32_t order = 0; order < ORDERS; order++) {
        struct model model = {.aliased = aliased};
        const uint64_t before = harness_counters(&f.base.vk).alpha_fills;
        VkCommandBuffer commands = harness_begin(&f.base.vk);
        for (uint32_t step = 0; step < STEPS; step++) {
            const struct way *way = &ways[dice(3) ? dice(WAYS) : dice(6)];
            const uint32_t s = way->first ? 0 : dice(SUBRESOURCES);
            if (!can(&f, way))
                continue;
            way->record(&f, commands, s);
            play(&model, way, s);
            add_barrier(commands);
            const uint64_t fills = harness_counters(&f.base.vk).alpha_fills - before;
            if (fills != model.fills)
                fail_msg("order %u, step %u, %s of %u: %u fills, not %u", order, step, way->name, s, (unsigned)fills,
                         (unsigned)model.fills);
        }
        read_all(&f, commands);
        harness_submit(&f.base.vk, commands);
        for (uint32_t s = 0; s < SUBRESOURCES && !aliased; s++) {
            if (model.memory[s] && !is_filled(&f, s, model.memory[s]))
                fail_msg("order %u: subresource %u is not one", order, s);
        }
        commands = harness_begin(&f.base.vk);
        for (uint32_t s = 0; s < SUBRESOURCES; s++)
            load(&f, commands, s);
        add_barrier(commands);
        read_all(&f, commands);
        harness_submit(&f.base.vk, commands);
        for (uint32_t s = 0; s < SUBRESOURCES; s++)
            assert_true(is_filled(&f, s, BYTES_KIND));
    }
    states_close(&f);
}

static void all_ways_in_any_order_are_as_the_model_has_them(void **state)
{
    (void)state;
    play_orders(false);
}

static void all_ways_in_any_order_with_an_alias(void **state)
{
    (void)state;
    play_orders(true);
}

/* ---- Ways that take an image of their own ---- */

/* An image whose only view has no alpha, of four by four texels. */
struct alone {
    struct alpha_scene scene;
    VkImage image;
    VkDeviceMemory memory;
    VkImageView view;
    struct harness_buffer read;
};

static VkImageCreateInfo alone_info(VkImageTiling tiling, VkImageLayout layout)
{
    return (VkImageCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                               .imageType = VK_IMAGE_TYPE_2D,
                               .format = ALPHA_FORMAT,
                               .extent = {SIZE, SIZE, 1},
                               .mipLevels = 1,
                               .arrayLayers = 1,
                               .samples = VK_SAMPLE_COUNT_1_BIT,
                               .tiling = tiling,
                               .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                        VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                               .initialLayout = layout};
}

static void alone_open(struct alone *f, const VkImageCreateInfo *info, const void *allocate_next, bool mapped)
{
    struct harness_vulkan *vk = &f->scene.vk;
    VkMemoryRequirements needs;
    HARNESS_VK(vkCreateImage(vk->device, info, NULL, &f->image));
    vkGetImageMemoryRequirements(vk->device, f->image, &needs);
    uint32_t type = 0;
    const VkMemoryPropertyFlags wanted =
        mapped ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT : 0u;
    while (!(needs.memoryTypeBits >> type & 1) || (vk->memory.memoryTypes[type].propertyFlags & wanted) != wanted)
        assert_true(++type < vk->memory.memoryTypeCount);
    const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                           .pNext = allocate_next,
                                           .allocationSize = needs.size,
                                           .memoryTypeIndex = type};
    HARNESS_VK(vkAllocateMemory(vk->device, &allocate, NULL, &f->memory));
    HARNESS_VK(vkBindImageMemory(vk->device, f->image, f->memory, 0));
    const VkImageViewGLStateCreateInfoCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, .baseFormat = GL_RGB_BASE};
    const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .pNext = &gl,
                                        .image = f->image,
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                        .format = ALPHA_FORMAT,
                                        .subresourceRange = range_of(0)};
    HARNESS_VK(vkCreateImageView(vk->device, &view, NULL, &f->view));
    harness_buffer_create(vk, &f->read, VK_BUFFER_USAGE_TRANSFER_DST_BIT, BYTES, NULL);
}

static void alone_close(struct alone *f)
{
    const VkDevice device = f->scene.vk.device;
    vkDestroyImageView(device, f->view, NULL);
    vkDestroyImage(device, f->image, NULL);
    vkFreeMemory(device, f->memory, NULL);
    harness_buffer_destroy(&f->scene.vk, &f->read);
}

static void alone_read(struct alone *f, VkCommandBuffer commands)
{
    const VkBufferImageCopy region = {.imageSubresource = layers_of(0), .imageExtent = extent_of(0)};
    add_barrier(commands);
    vkCmdCopyImageToBuffer(commands, f->image, VK_IMAGE_LAYOUT_GENERAL, f->read.buffer, 1, &region);
    add_barrier(commands);
}

/* A pass that takes the image from a layout that no barrier leads to; how many fills it took. */
static uint64_t take_from(struct alone *f, VkImageLayout layout, VkAttachmentLoadOp op, uint32_t width)
{
    struct states passes = {.base = f->scene};
    const VkRenderPass pass = create_pass(&passes, layout, op, true);
    const VkFramebuffer framebuffer = create_framebuffer(&passes, pass, f->view, extent_of(0));
    const VkClearValue clear = {.color = {.float32 = {1, 1, 1, 0}}};
    const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = pass,
                                         .framebuffer = framebuffer,
                                         .renderArea = {{0, 0}, {width, SIZE}},
                                         .clearValueCount = 1,
                                         .pClearValues = &clear};
    const uint64_t before = harness_counters(&f->scene.vk).alpha_fills;
    VkCommandBuffer commands = harness_begin(&f->scene.vk);
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(commands);
    alone_read(f, commands);
    harness_submit(&f->scene.vk, commands);
    vkDestroyFramebuffer(f->scene.vk.device, framebuffer, NULL);
    vkDestroyRenderPass(f->scene.vk.device, pass, NULL);
    return harness_counters(&f->scene.vk).alpha_fills - before;
}

static void expect_read(const struct alone *f, uint32_t cleared, uint8_t (*color)(uint32_t texel, uint32_t channel))
{
    const uint8_t *texels = f->read.map;
    for (uint32_t i = 0; i < SIZE * SIZE; i++) {
        for (uint32_t c = 0; c < 4; c++)
            assert_int_equal(texels[i * 4 + c], c == 3 || i % SIZE < cleared ? 255 : color(i, c));
    }
}

static uint8_t hosts_color(uint32_t texel, uint32_t channel)
{
    return (uint8_t)(texel * 4 + channel);
}

static uint8_t zero_color(uint32_t texel, uint32_t channel)
{
    (void)texel, (void)channel;
    return 0;
}

/* Loads, and clears of a part: what stays is filled, in another layout than the image's own, and the pass goes on
 * there. */
static void passes_that_take_what_the_host_wrote_find_one(void **state)
{
    (void)state;
    for (uint32_t cleared = 0; cleared <= SIZE; cleared += SIZE / 2) {
        struct alone f;
        void *map;
        alpha_open(&f.scene);
        const VkImageCreateInfo info = alone_info(VK_IMAGE_TILING_LINEAR, VK_IMAGE_LAYOUT_PREINITIALIZED);
        VkImageFormatProperties properties;
        if (vkGetPhysicalDeviceImageFormatProperties(f.scene.vk.physical, info.format, info.imageType, info.tiling,
                                                     info.usage, 0, &properties) != VK_SUCCESS) {
            print_message("images of linear tiling cannot be attachments\n");
            alpha_close(&f.scene);
            skip();
        }
        alone_open(&f, &info, NULL, true);
        const VkImageSubresource subresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
        VkSubresourceLayout layout;
        vkGetImageSubresourceLayout(f.scene.vk.device, f.image, &subresource, &layout);
        HARNESS_VK(vkMapMemory(f.scene.vk.device, f.memory, 0, VK_WHOLE_SIZE, 0, &map));
        for (uint32_t i = 0; i < SIZE * SIZE; i++) {
            for (uint32_t c = 0; c < 4; c++)
                ((uint8_t *)map)[layout.offset + i / SIZE * layout.rowPitch + i % SIZE * 4 + c] =
                    c == 3 ? 0 : hosts_color(i, c);
        }
        vkUnmapMemory(f.scene.vk.device, f.memory);
        assert_int_equal(
            take_from(&f, VK_IMAGE_LAYOUT_PREINITIALIZED, cleared ? CLEAR : LOAD, cleared ? cleared : SIZE),
            cleared < SIZE);
        expect_read(&f, cleared, hosts_color);
        alone_close(&f);
        alpha_close(&f.scene);
    }
}

/* VK_EXT_zero_initialize_device_memory: nothing may go back into that layout. */
static void passes_that_take_zeros_find_one(void **state)
{
    (void)state;
    enum { ZERO_INITIALIZED = 1000620000, ZERO_INITIALIZE_BIT = 8 };
    static const char *const extensions[] = {"VK_EXT_zero_initialize_device_memory"};
    struct harness_features features = {.sType = (VkStructureType)ZERO_INITIALIZED, .enabled = {VK_TRUE}};
    const VkPhysicalDeviceVulkan13Features core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                   .pNext = &features,
                                                   .dynamicRendering = VK_TRUE};
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = ZERO_INITIALIZE_BIT};
    if (!harness_driver_has(extensions[0])) {
        print_message("the driver lacks %s\n", extensions[0]);
        skip();
    }
    for (uint32_t cleared = 0; cleared <= SIZE; cleared += SIZE / 2) {
        struct alone f;
        alpha_open_with(&f.scene, (struct harness_vulkan_params){.gl_sampler = true,
                                                                 .alpha_to_one = true,
                                                                 .device_extensions = extensions,
                                                                 .device_extension_count = 1,
                                                                 .device_next = &core});
        const VkImageCreateInfo info = alone_info(VK_IMAGE_TILING_OPTIMAL, (VkImageLayout)ZERO_INITIALIZED);
        alone_open(&f, &info, &flags, false);
        assert_int_equal(
            take_from(&f, (VkImageLayout)ZERO_INITIALIZED, cleared ? CLEAR : LOAD, cleared ? cleared : SIZE),
            cleared < SIZE);
        expect_read(&f, cleared, zero_color);
        alone_close(&f);
        alpha_close(&f.scene);
    }
}

/* vkCmdClearColorImage of an image that is seen without alpha alone stores 1: the load behind it fills nothing. */
static void clears_of_images_without_alpha_fill(void **state)
{
    (void)state;
    struct alone f;
    const VkClearColorValue color = {.float32 = {1, 1, 1, 0}};
    const VkImageSubresourceRange range = range_of(0);
    alpha_open(&f.scene);
    const VkImageCreateInfo info = alone_info(VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_LAYOUT_UNDEFINED);
    alone_open(&f, &info, NULL, false);
    VkCommandBuffer commands = harness_begin(&f.scene.vk);
    move(commands, f.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, range);
    vkCmdClearColorImage(commands, f.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
    add_barrier(commands);
    const struct rendering rendering = {.view = f.view, .load = LOAD, .store = STORE};
    render(commands, &rendering);
    alone_read(&f, commands);
    harness_submit(&f.scene.vk, commands);
    assert_int_equal(harness_counters(&f.scene.vk).alpha_fills, 0);
    expect_read(&f, SIZE, zero_color);
    alone_close(&f);
    alpha_close(&f.scene);
}

/* ---- Slices of 3D images ---- */

/*
 * A 3D image's slices are attachments one by one. Barriers move all of its slices at once, but with maintenance9 those
 * that they name: what is filled must not move others, and what a barrier makes undefined is filled again.
 */
static void move_slices(bool counted)
{
    enum { SLICES = 4, LOADED = 2, MAINTENANCE_9 = 1000584000 };
    static const char *const extensions[] = {"VK_KHR_maintenance9"};
    struct harness_features features = {.sType = (VkStructureType)MAINTENANCE_9, .enabled = {VK_TRUE}};
    const VkPhysicalDeviceVulkan13Features core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                   .pNext = counted ? &features : NULL,
                                                   .dynamicRendering = VK_TRUE};
    if (counted && !harness_driver_has(extensions[0])) {
        print_message("the driver lacks %s\n", extensions[0]);
        skip();
    }
    struct alone f;
    alpha_open_with(&f.scene, (struct harness_vulkan_params){.gl_sampler = true,
                                                             .alpha_to_one = true,
                                                             .device_extensions = extensions,
                                                             .device_extension_count = counted,
                                                             .device_next = &core});
    VkImageCreateInfo info = alone_info(VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_LAYOUT_UNDEFINED);
    info.imageType = VK_IMAGE_TYPE_3D;
    info.flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
    info.extent.depth = SLICES;
    struct states made = {.base = f.scene};
    f.memory = VK_NULL_HANDLE;
    f.image = create_image(&made, &info, &f.memory);
    const VkImageSubresourceRange loaded = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, LOADED, 1};
    f.view = create_view(&made, f.image, ALPHA_FORMAT, GL_RGB_BASE, loaded);
    harness_buffer_create(&f.scene.vk, &f.read, VK_BUFFER_USAGE_TRANSFER_DST_BIT, BYTES, NULL);

    const struct rendering rendering = {.view = f.view, .load = LOAD, .store = STORE};
    VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, VK_REMAINING_ARRAY_LAYERS};
    uint64_t fills = 0;
    VkCommandBuffer commands = harness_begin(&f.scene.vk);
    move(commands, f.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, all);
    render(commands, &rendering);
    assert_int_equal(harness_counters(&f.scene.vk).alpha_fills, ++fills);
    add_barrier(commands);
    render(commands, &rendering);
    assert_int_equal(harness_counters(&f.scene.vk).alpha_fills, fills);
    if (counted) {
        all.baseArrayLayer = LOADED - 1; /* another */
        all.layerCount = 1;
        move(commands, f.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, all);
        render(commands, &rendering);
        assert_int_equal(harness_counters(&f.scene.vk).alpha_fills, fills);
        all.baseArrayLayer = LOADED;
    }
    move(commands, f.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, all);
    render(commands, &rendering);
    assert_int_equal(harness_counters(&f.scene.vk).alpha_fills, ++fills);
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageOffset = {0, 0, LOADED},
                                      .imageExtent = {SIZE, SIZE, 1}};
    add_barrier(commands);
    vkCmdCopyImageToBuffer(commands, f.image, VK_IMAGE_LAYOUT_GENERAL, f.read.buffer, 1, &region);
    add_barrier(commands);
    harness_submit(&f.scene.vk, commands);
    for (uint32_t i = 0; i < SIZE * SIZE; i++)
        assert_int_equal(((const uint8_t *)f.read.map)[i * 4 + 3], 255);
    alone_close(&f);
    alpha_close(&f.scene);
}

static void slices_move_with_their_image(void **state)
{
    (void)state;
    move_slices(false);
}

static void slices_that_barriers_count_move_alone(void **state)
{
    (void)state;
    move_slices(true);
}

/* ---- A format that is newer than the others ---- */

/* VK_FORMAT_A1B5G5R5_UNORM_PACK16, of maintenance5: cleared without alpha, uploaded and loaded. */
static void newer_formats_are_filled(void **state)
{
    (void)state;
    enum { A1B5G5R5 = 1000470000, MAINTENANCE_5 = 1000470000 };
    struct harness_features features = {.sType = (VkStructureType)MAINTENANCE_5, .enabled = {VK_TRUE}};
    struct alone f;
    VkFormatProperties properties;
    alpha_open_extension(&f.scene, "VK_KHR_maintenance5", VK_MAKE_API_VERSION(0, 1, 3, 260), &features);
    vkGetPhysicalDeviceFormatProperties(f.scene.vk.physical, (VkFormat)A1B5G5R5, &properties);
    if (!(properties.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT)) {
        print_message("the driver does not render to A1B5G5R5\n");
        alpha_close(&f.scene);
        skip();
    }
    VkImageCreateInfo info = alone_info(VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_LAYOUT_UNDEFINED);
    info.format = (VkFormat)A1B5G5R5;
    struct states made = {.base = f.scene};
    f.memory = VK_NULL_HANDLE;
    f.image = create_image(&made, &info, &f.memory);
    f.view = create_view(&made, f.image, info.format, GL_RGB_BASE, range_of(0));
    harness_buffer_create(&f.scene.vk, &f.read, VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                          BYTES, NULL);
    const VkBufferImageCopy region = {.imageSubresource = layers_of(0), .imageExtent = extent_of(0)};
    for (uint32_t loads = 0; loads < 2; loads++) {
        const struct rendering rendering = {.view = f.view, .load = loads ? LOAD : CLEAR, .store = STORE};
        uint16_t *texels = f.read.map;
        memset(texels, 0, BYTES);
        VkCommandBuffer commands = harness_begin(&f.scene.vk);
        move(commands, f.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, range_of(0));
        vkCmdCopyBufferToImage(commands, f.read.buffer, f.image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
        add_barrier(commands);
        render(commands, &rendering);
        alone_read(&f, commands);
        harness_submit(&f.scene.vk, commands);
        for (uint32_t i = 0; i < SIZE * SIZE; i++)
            assert_int_equal(texels[i], 0x8000);
        assert_int_equal(harness_counters(&f.scene.vk).alpha_fills, loads);
    }
    alone_close(&f);
    alpha_close(&f.scene);
}

/* ---- Conditions that a secondary command buffer inherits ---- */

/*
 * Such a fill is perhaps not drawn: the next pass that loads is filled again, there and behind it. lavapipe executes
 * secondaries under conditions, and does not say so.
 */
static void fills_under_an_inherited_condition_count_as_not_done(void **state)
{
    (void)state;
    static const char *const extensions[] = {VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME};
    VkPhysicalDeviceConditionalRenderingFeaturesEXT condition = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT,
        .conditionalRendering = VK_TRUE,
        .inheritedConditionalRendering = VK_TRUE};
    const VkPhysicalDeviceVulkan13Features core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                   .pNext = &condition,
                                                   .dynamicRendering = VK_TRUE};
    struct alone f;
    struct fault_control *control = faults_open();
    if (!harness_driver_has(extensions[0])) {
        print_message("the driver lacks %s\n", extensions[0]);
        skip();
    }
    control->promise_inherited = true;
    alpha_open_with(&f.scene, (struct harness_vulkan_params){.layers = "clampler:validation:" FAULT_LAYER,
                                                             .gl_sampler = true,
                                                             .alpha_to_one = true,
                                                             .device_extensions = extensions,
                                                             .device_extension_count = 1,
                                                             .device_next = &core});
    const VkImageCreateInfo info = alone_info(VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_LAYOUT_UNDEFINED);
    alone_open(&f, &info, NULL, false);
    struct harness_buffer never;
    harness_buffer_create(&f.scene.vk, &never, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT, 4, NULL);
    const struct rendering rendering = {.view = f.view, .load = LOAD, .store = STORE};
    const VkCommandBufferInheritanceConditionalRenderingInfoEXT inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT,
        .conditionalRenderingEnable = VK_TRUE};
    const VkCommandBufferInheritanceInfo inherits = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                     .pNext = &inherited};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .pInheritanceInfo = &inherits};
    VkCommandBuffer secondary;
    harness_commands(&f.scene.vk, VK_COMMAND_BUFFER_LEVEL_SECONDARY, 1, &secondary);
    HARNESS_VK(vkBeginCommandBuffer(secondary, &begin));
    render(secondary, &rendering);
    add_barrier(secondary);
    render(secondary, &rendering);
    HARNESS_VK(vkEndCommandBuffer(secondary));
    assert_int_equal(harness_counters(&f.scene.vk).alpha_fills, 2);
    const VkConditionalRenderingBeginInfoEXT when = {.sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
                                                     .buffer = never.buffer};
    const VkClearColorValue color = {.float32 = {0, 0, 0, 0}};
    const VkImageSubresourceRange range = range_of(0);
    VkCommandBuffer commands = harness_begin(&f.scene.vk);
    move(commands, f.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, range);
    vkCmdClearColorImage(commands, f.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range); /* with alpha 1 */
    add_barrier(commands);
    HARNESS_PROC(&f.scene.vk, vkCmdBeginConditionalRenderingEXT)(commands, &when);
    vkCmdExecuteCommands(commands, 1, &secondary);
    HARNESS_PROC(&f.scene.vk, vkCmdEndConditionalRenderingEXT)(commands);
    add_barrier(commands);
    render(commands, &rendering);
    assert_int_equal(harness_counters(&f.scene.vk).alpha_fills, 3);
    alone_read(&f, commands);
    harness_submit(&f.scene.vk, commands);
    expect_read(&f, 0, zero_color);
    vkFreeCommandBuffers(f.scene.vk.device, f.scene.vk.pool, 1, &secondary);
    harness_buffer_destroy(&f.scene.vk, &never);
    alone_close(&f);
    alpha_close(&f.scene);
    control->promise_inherited = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_by_itself_takes_its_fills),
        cmocka_unit_test(each_way_of_an_alias_is_filled_again),
        cmocka_unit_test(all_ways_in_any_order_are_as_the_model_has_them),
        cmocka_unit_test(all_ways_in_any_order_with_an_alias),
        cmocka_unit_test(passes_that_take_what_the_host_wrote_find_one),
        cmocka_unit_test(passes_that_take_zeros_find_one),
        cmocka_unit_test(clears_of_images_without_alpha_fill),
        cmocka_unit_test(slices_move_with_their_image),
        cmocka_unit_test(slices_that_barriers_count_move_alone),
        cmocka_unit_test(newer_formats_are_filled),
        cmocka_unit_test(fills_under_an_inherited_condition_count_as_not_done),
    };
    return cmocka_run_group_tests_name("alpha_states", tests, NULL, NULL);
}
