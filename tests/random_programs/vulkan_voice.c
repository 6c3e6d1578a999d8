/* SPDX-License-Identifier: MIT */
/*
 * Programs drawn with Vulkan, as a translator does it that hands state over as it has it. A program is one command
 * buffer, or several where it submits: draws into tiles of one tall image, passes that paint, uploads and copies
 * between them. Sets are written anew for each command buffer and stay allocated, so that what a set held before is
 * something else. vulkan_samplers.c has samplers and views, vulkan_pipelines.c what draws.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "vulkan_voice.h"

static struct voice_device *devices;
static char device_name[1024];
static struct clampler_counters counted;
struct voice_drawn voice_counts;

/* ---- memory, images ---- */

static uint32_t memory_type(const struct harness_vulkan *vk, uint32_t bits)
{
    for (uint32_t i = 0; i < vk->memory.memoryTypeCount; i++)
        if (bits >> i & 1 && vk->memory.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)
            return i;
    for (uint32_t i = 0; i < vk->memory.memoryTypeCount; i++)
        if (bits >> i & 1)
            return i;
    harness_fail("no memory type for an image");
}

static VkDeviceMemory bind_memory(struct voice_device *d, VkImage image)
{
    VkMemoryRequirements needs;
    VkDeviceMemory memory;
    vkGetImageMemoryRequirements(d->vk.device, image, &needs);
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = needs.size,
                                       .memoryTypeIndex = memory_type(&d->vk, needs.memoryTypeBits)};
    HARNESS_VK(vkAllocateMemory(d->vk.device, &info, NULL, &memory));
    HARNESS_VK(vkBindImageMemory(d->vk.device, image, memory, 0));
    return memory;
}

void voice_keep(struct voice_device *d, enum kept_kind kind, uint64_t handle, uint64_t memory)
{
    struct kept *kept = harness_alloc(1, sizeof(*kept));
    *kept = (struct kept){d->kept, kind, handle, memory};
    d->kept = kept;
}

static void drop(struct voice_device *d, const struct kept *k)
{
    switch (k->kind) {
    case KEPT_IMAGE:
        vkDestroyImage(d->vk.device, (VkImage)k->handle, NULL);
        vkFreeMemory(d->vk.device, (VkDeviceMemory)k->memory, NULL);
        break;
    case KEPT_BUFFER:
        vkDestroyBuffer(d->vk.device, (VkBuffer)k->handle, NULL);
        vkFreeMemory(d->vk.device, (VkDeviceMemory)k->memory, NULL);
        break;
    case KEPT_VIEW:
        d->gone_views[d->gone_view_count++ % VOICE_SETS] = (VkImageView)k->handle;
        vkDestroyImageView(d->vk.device, (VkImageView)k->handle, NULL);
        break;
    case KEPT_BUFFER_VIEW:
        vkDestroyBufferView(d->vk.device, (VkBufferView)k->handle, NULL);
        break;
    case KEPT_SAMPLER:
        vkDestroySampler(d->vk.device, (VkSampler)k->handle, NULL);
        break;
    case KEPT_FRAMEBUFFER:
        vkDestroyFramebuffer(d->vk.device, (VkFramebuffer)k->handle, NULL);
        break;
    }
}

static bool drops_all(const struct voice_device *d, const struct kept *k)
{
    (void)d, (void)k;
    return true;
}

static bool drops_samplers(const struct voice_device *d, const struct kept *k)
{
    (void)d;
    return k->kind == KEPT_SAMPLER;
}

/* Views of textures and attachments, and images and buffers that no texture has any more. */
static bool drops_views(const struct voice_device *d, const struct kept *k)
{
    if (k->kind == KEPT_SAMPLER)
        return false;
    for (int i = 0; i < TEXTURES; i++)
        if ((k->kind == KEPT_IMAGE && k->handle == (uint64_t)d->textures[i].image) ||
            (k->kind == KEPT_BUFFER && k->handle == (uint64_t)d->textures[i].buffer.buffer))
            return false;
    return true;
}

static void drop_kept(struct voice_device *d, bool (*drops)(const struct voice_device *d, const struct kept *k))
{
    for (struct kept **place = &d->kept; *place;) {
        struct kept *k = *place;
        if (!drops(d, k)) {
            place = &k->next;
            continue;
        }
        *place = k->next;
        drop(d, k);
        free(k);
    }
}

static struct harness_buffer staging(struct voice_device *d, const void *bytes, size_t size)
{
    struct harness_buffer buffer;
    harness_buffer_create(&d->vk, &buffer, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, size, bytes);
    voice_keep(d, KEPT_BUFFER, (uint64_t)buffer.buffer, (uint64_t)buffer.memory);
    return buffer;
}

static VkImageAspectFlags aspects_of(const struct format *f)
{
    return !f->depth                    ? (VkImageAspectFlags)VK_IMAGE_ASPECT_COLOR_BIT
           : f->texels == TEXEL_STENCIL ? VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT
                                        : (VkImageAspectFlags)VK_IMAGE_ASPECT_DEPTH_BIT;
}

VkImageUsageFlags voice_usage(const struct format *f, enum random_target target)
{
    const bool drawn = f->attachment && (target == RANDOM_2D || target == RANDOM_2D_ARRAY || target == RANDOM_CUBE ||
                                         target == RANDOM_RECTANGLE);
    return VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
           (drawn && random_drawable.attachment[f - random_formats] ? (VkFlags)VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT : 0);
}

VkImageType voice_image_type(enum random_target target)
{
    return target == RANDOM_1D || target == RANDOM_1D_ARRAY ? VK_IMAGE_TYPE_1D
           : target == RANDOM_3D                            ? VK_IMAGE_TYPE_3D
                                                            : VK_IMAGE_TYPE_2D;
}

static void full_barrier(VkCommandBuffer commands)
{
    const VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .srcAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                 .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all,
                         0, NULL, 0, NULL);
}

static void to_general(VkCommandBuffer commands, VkImage image, VkImageAspectFlags aspects)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {aspects, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL,
                         0, NULL, 1, &barrier);
}

/* ---- passes ---- */

/* Continues a pass of one attachment: commands go there until the pass ends. */
static void begin_secondary(struct voice_device *d, const VkFormat *format)
{
    const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = d->vk.pool,
                                              .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                              .commandBufferCount = 1};
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = format,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const bool pass = d->manner.render_pass;
    const VkCommandBufferInheritanceGLStateCLAMPLER state = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_STATE_CLAMPLER, .pNext = pass ? NULL : &rendering};
    const bool extended = !d->native && !d->standard;
    const VkCommandBufferInheritanceInfo inherited = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                      .pNext = extended ? &state : state.pNext,
                                                      .renderPass =
                                                          pass ? voice_render_pass(d, format, 1) : VK_NULL_HANDLE};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT |
                                                     VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                            .pInheritanceInfo = &inherited};
    VkCommandBuffer *made = &d->secondaries[d->secondary_count++];
    HARNESS_VK(vkAllocateCommandBuffers(d->vk.device, &info, made));
    HARNESS_VK(vkBeginCommandBuffer(*made, &begin));
    d->primary = d->commands;
    d->commands = *made;
    d->shared_bound.layout = NULL;
}

static void end_secondary(struct voice_device *d)
{
    HARNESS_VK(vkEndCommandBuffer(d->commands));
    vkCmdExecuteCommands(d->primary, 1, &d->commands);
    d->commands = d->primary;
    d->primary = VK_NULL_HANDLE;
    d->shared_bound.layout = NULL;
}

static void end_pass(struct voice_device *d)
{
    if (d->pass == PASS_NONE)
        return;
    if (d->primary)
        end_secondary(d);
    if (d->manner.render_pass)
        vkCmdEndRenderPass(d->commands);
    else
        vkCmdEndRendering(d->commands);
    d->pass = PASS_NONE;
    full_barrier(d->commands);
}

static void begin_pass(struct voice_device *d, const VkFormat *formats, const VkImageView *views, uint32_t count,
                       uint32_t width, uint32_t height, bool secondary)
{
    if (d->manner.render_pass) {
        VkRenderPass pass = voice_render_pass(d, formats, count);
        VkFramebuffer framebuffer = harness_framebuffer(&d->vk, pass, views, count, width, height);
        voice_keep(d, KEPT_FRAMEBUFFER, (uint64_t)framebuffer, 0);
        const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                             .renderPass = pass,
                                             .framebuffer = framebuffer,
                                             .renderArea = {{0, 0}, {width, height}}};
        vkCmdBeginRenderPass(d->commands, &begin,
                             secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS : VK_SUBPASS_CONTENTS_INLINE);
        return;
    }
    VkRenderingAttachmentInfo attachments[ATTACHMENTS];
    for (uint32_t i = 0; i < count; i++)
        attachments[i] = (VkRenderingAttachmentInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                     .imageView = views[i],
                                                     .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                     .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                                     .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .flags = secondary ? (VkFlags)VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT : 0,
                                  .renderArea = {{0, 0}, {width, height}},
                                  .layerCount = 1,
                                  .colorAttachmentCount = count,
                                  .pColorAttachments = attachments};
    vkCmdBeginRendering(d->commands, &info);
}

static void begin_results(struct voice_device *d)
{
    static const VkFormat format = VK_FORMAT_R32G32B32A32_UINT;
    if (d->pass == PASS_RESULTS)
        return;
    end_pass(d);
    begin_pass(d, &format, &d->results.view, 1, SIDE, SIDE * DRAWS_MAX, d->manner.secondary);
    if (d->manner.secondary)
        begin_secondary(d, &format);
    voice_counts.passes_again += d->passes_begun++ && !d->native;
    d->pass = PASS_RESULTS;
}

/* The size of what is attached. */
static VkExtent2D begin_paint(struct voice_device *d)
{
    const struct machine *m = &d->machine;
    VkFormat formats[ATTACHMENTS] = {VK_FORMAT_UNDEFINED};
    VkImageView views[ATTACHMENTS] = {VK_NULL_HANDLE};
    const struct attachment_state *a = &m->attachments[0];
    const struct texture_state *first = &m->textures[a->texture];
    const VkExtent2D size = {(uint32_t)level_size(first->width, a->level),
                             (uint32_t)level_size(first->height, a->level)};
    if (d->pass == PASS_PAINT)
        return size;
    end_pass(d);
    for (int i = 0; i < m->attachment_count; i++) {
        formats[i] = m->textures[m->attachments[i].texture].format->vulkan;
        views[i] = voice_attachment_view(d, &m->attachments[i]);
    }
    begin_pass(d, formats, views, (uint32_t)m->attachment_count, size.width, size.height, false);
    d->pass = PASS_PAINT;
    return size;
}

/* ---- textures ---- */

/* Descriptors name buffers by their addresses. */
static bool has_addresses(const struct voice_device *d)
{
    return d->opened.binding == BINDING_BUFFER || voice_in_heaps(d);
}

static void upload_aspect(struct voice_device *d, const struct texture_state *t, VkImage image, int level,
                          VkImageAspectFlags aspect, const void *bytes, size_t size)
{
    const struct harness_buffer buffer = staging(d, bytes, size);
    int whole[3];
    image_size(t, level, whole);
    const VkBufferImageCopy region = {.imageSubresource = {aspect, (uint32_t)level, 0, (uint32_t)texture_faces(t)},
                                      .imageExtent = {(uint32_t)whole[0], (uint32_t)whole[1], (uint32_t)whole[2]}};
    vkCmdCopyBufferToImage(d->commands, buffer.buffer, image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
}

static void upload_level(struct voice_device *d, const struct texture_state *t, int slot, int level, uint64_t seed)
{
    const struct format *f = t->format;
    const size_t count = texels_count(t, level);
    uint32_t *codes = texels_make(t, level, seed);
    void *bytes = texels_for_vulkan(f, codes, count);
    const size_t texel = texel_bytes_for_vulkan(f);
    if (t->target == RANDOM_BUFFER) {
        const struct harness_buffer from = staging(d, bytes, count * texel);
        const VkBufferCopy region = {0, 0, count * texel};
        vkCmdCopyBuffer(d->commands, from.buffer, d->textures[slot].buffer.buffer, 1, &region);
    } else {
        upload_aspect(d, t, d->textures[slot].image, level,
                      f->depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT, bytes, count * texel);
    }
    if (f->texels == TEXEL_STENCIL) {
        for (size_t i = 0; i < count; i++)
            ((unsigned char *)bytes)[i] = (unsigned char)codes[2 * i + 1];
        upload_aspect(d, t, d->textures[slot].image, level, VK_IMAGE_ASPECT_STENCIL_BIT, bytes, count);
    }
    free(bytes);
    free(codes);
}

static void make_texture(struct voice_device *d, int slot, uint64_t seed)
{
    const struct texture_state *t = &d->machine.textures[slot];
    struct voice_texture *made = &d->textures[slot];
    *made = (struct voice_texture){0};
    end_pass(d);
    if (t->target == RANDOM_BUFFER) {
        harness_buffer_create(&d->vk, &made->buffer,
                              VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                  (has_addresses(d) ? (VkFlags)VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0),
                              (VkDeviceSize)(t->width * t->format->channels * t->format->bits / 8), NULL);
        voice_keep(d, KEPT_BUFFER, (uint64_t)made->buffer.buffer, (uint64_t)made->buffer.memory);
        upload_level(d, t, slot, 0, seed);
        full_barrier(d->commands);
        return;
    }
    const bool cube = t->target == RANDOM_CUBE || t->target == RANDOM_CUBE_ARRAY;
    int size[3];
    image_size(t, 0, size);
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .flags = cube ? (VkFlags)VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
                                    .imageType = voice_image_type(t->target),
                                    .format = t->format->vulkan,
                                    .extent = {(uint32_t)size[0], (uint32_t)size[1], (uint32_t)size[2]},
                                    .mipLevels = (uint32_t)t->levels,
                                    .arrayLayers = (uint32_t)texture_faces(t),
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = voice_usage(t->format, t->target)};
    HARNESS_VK(vkCreateImage(d->vk.device, &info, NULL, &made->image));
    voice_keep(d, KEPT_IMAGE, (uint64_t)made->image, (uint64_t)bind_memory(d, made->image));
    to_general(d->commands, made->image, aspects_of(t->format));
    for (int level = 0; level < t->levels; level++)
        upload_level(d, t, slot, level, seed);
    full_barrier(d->commands);
}

static void copy(struct voice_device *d, int from_slot, int to_slot)
{
    const struct texture_state *from = &d->machine.textures[from_slot], *to = &d->machine.textures[to_slot];
    const int faces = texture_faces(from) < texture_faces(to) ? texture_faces(from) : texture_faces(to);
    const VkImageCopy region = {.srcSubresource = {aspects_of(from->format), 0, 0, (uint32_t)faces},
                                .dstSubresource = {aspects_of(to->format), 0, 0, (uint32_t)faces},
                                .extent = {(uint32_t)(from->width < to->width ? from->width : to->width),
                                           (uint32_t)(from->height < to->height ? from->height : to->height),
                                           (uint32_t)(from->depth < to->depth ? from->depth : to->depth)}};
    end_pass(d);
    vkCmdCopyImage(d->commands, d->textures[from_slot].image, VK_IMAGE_LAYOUT_GENERAL, d->textures[to_slot].image,
                   VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    full_barrier(d->commands);
}

/* ---- draws ---- */

static void set_area(struct voice_device *d, uint32_t y, uint32_t width, uint32_t height)
{
    const VkViewport viewport = {0, (float)y, (float)width, (float)height, 0, 1};
    const VkRect2D scissor = {{0, (int32_t)y}, {width, height}};
    vkCmdSetViewport(d->commands, 0, 1, &viewport);
    vkCmdSetScissor(d->commands, 0, 1, &scissor);
}

void vulkan_voice_drawn(struct voice_drawn *drawn)
{
    *drawn = voice_counts;
}

static bool draws_plain_lookups;

void vulkan_voice_draw_plain_lookups(void)
{
    draws_plain_lookups = true;
}

/*
 * A separate sampler does not know that its image is no depth, and compares. Some drivers end the process there
 * (harness_ends_by_plain_lookups): image and sampler are then one descriptor.
 */
bool voice_may_be_apart(const struct voice_device *d, const struct lookup *l)
{
    const bool plain = l->sampler.compare_mode != GL_NONE && !l->shadow && l->texture->target != RANDOM_BUFFER;
    if (!plain || draws_plain_lookups || !harness_ends_by_plain_lookups(&d->vk))
        return true;
    voice_counts.joined += !d->native;
    return false;
}

/* What the program's manner has a shader for. */
static enum random_form form_of(const struct voice_device *d, const struct lookup *l)
{
    /* In heaps, sampler objects are apart from textures. */
    const bool apart = d->manner.binding == BINDING_SEPARATE || (voice_in_heaps(d) && l->sampler_slot >= 0);
    const enum random_form form = apart && voice_may_be_apart(d, l)    ? FORM_SEPARATE
                                  : d->manner.binding == BINDING_ARRAY ? FORM_ARRAY
                                                                       : FORM_COMBINED;
    return l->shader[form] ? form : FORM_COMBINED;
}

/* What the draw was bound by: some lookups have no shader for the device's manner, and buffers no sampler. */
static enum random_binding binding_of(const struct voice_device *d, enum random_form form, bool texels)
{
    switch (d->opened.binding) {
    case BINDING_ARRAY:
        return form == FORM_ARRAY ? BINDING_ARRAY : BINDING_COMBINED;
    case BINDING_SEPARATE:
        return form == FORM_SEPARATE ? BINDING_SEPARATE : BINDING_COMBINED;
    case BINDING_IMMUTABLE:
        return texels ? BINDING_COMBINED : BINDING_IMMUTABLE;
    case BINDING_HEAP_EMBEDDED:
        return texels ? BINDING_HEAP : BINDING_HEAP_EMBEDDED;
    default:
        return d->opened.binding;
    }
}

static void count_draw(const struct voice_device *d, const struct random_shader *shader, const struct lookup *l,
                       int chosen)
{
    const enum random_pipelines kind = d->opened.pipelines;
    const bool two = (shader->stage == STAGE_FRAG || shader->stage == STAGE_VERT) && voice_may_link(d);
    if (d->native)
        return;
    voice_counts.stages[shader->stage]++;
    voice_counts.functions[shader->function]++;
    voice_counts.targets[l->texture->target]++;
    voice_counts.secondaries += d->primary != VK_NULL_HANDLE;
    voice_counts.incomplete += l->incomplete;
    voice_counts.border += l->texture->border;
    voice_counts.blocks += l->texture->format->texels == TEXEL_BLOCK;
    if (chosen >= 0) {
        voice_counts.together[d->together.shader->form]++;
        voice_counts.together_functions[shader->function]++;
    }
    /* Shaders with several lookups have no immutable samplers. */
    voice_counts.bindings[binding_of(d, shader->form, l->texture->target == RANDOM_BUFFER || chosen >= 0)]++;
    if (d->objects_bound)
        voice_counts.pipelines[PIPELINES_OBJECTS]++;
    else if (two && (kind == PIPELINES_LIBRARY || kind == PIPELINES_FAST_LINKED))
        voice_counts.pipelines[kind]++;
    else
        voice_counts.pipelines[PIPELINES_STATIC]++;
}

static void draw(struct voice_device *d, const struct operation *o, uint32_t number)
{
    struct lookup l;
    machine_lookup(&d->machine, o, &l);
    const int chosen = voice_together_chosen(d, number);
    const enum random_form form = chosen >= 0 ? FORM_COMBINED : form_of(d, &l);
    const struct random_shader *shader = l.shader[form];
    const uint32_t tile = d->draws;
    struct parameters p = l.parameters;
    p.tile = (float)(SIDE * tile);
    if (shader->stage == STAGE_COMP)
        end_pass(d);
    else
        begin_results(d);
    const VkPipelineBindPoint point =
        shader->stage == STAGE_COMP ? VK_PIPELINE_BIND_POINT_COMPUTE : VK_PIPELINE_BIND_POINT_GRAPHICS;
    if (chosen >= 0) {
        const struct voice_layout *layout = voice_together_bind(d, point);
        voice_use(d, &d->together.shader->shader, layout);
        d->slot = (uint32_t)chosen; /* the shader takes it for the number of the lookup */
        voice_push(d, layout, &p);
        d->slot = 0;
    } else {
        const struct voice_layout *layout = voice_layout(d, &l, form);
        voice_bind(d, &l, layout, point);
        voice_use(d, shader, layout);
        voice_push(d, layout, &p);
    }
    if (shader->stage == STAGE_COMP) {
        vkCmdDispatch(d->commands, SIDE / 8, SIDE / 8, 1);
        full_barrier(d->commands);
    } else if (!d->objects_bound) {
        set_area(d, SIDE * tile, SIDE, SIDE);
        vkCmdDraw(d->commands, shader->stage == STAGE_FRAG ? 3 : PIXELS, 1, 0, 0);
    } else {
        const VkViewport viewport = {0, (float)(SIDE * tile), SIDE, SIDE, 0, 1};
        const VkRect2D scissor = {{0, (int32_t)(SIDE * tile)}, {SIDE, SIDE}};
        vkCmdSetViewportWithCount(d->commands, 1, &viewport);
        vkCmdSetScissorWithCount(d->commands, 1, &scissor);
        vkCmdDraw(d->commands, shader->stage == STAGE_FRAG ? 3 : PIXELS, 1, 0, 0);
    }
    d->drawn[tile] = number;
    d->computed[tile] = shader->stage == STAGE_COMP;
    count_draw(d, shader, &l, chosen);
    d->draws++;
    d->buffer_draws++;
    d->buffer_together += chosen >= 0;
}

static void clear(struct voice_device *d, const struct operation *o)
{
    const VkExtent2D size = begin_paint(d);
    VkClearAttachment attachment = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
                                    .colorAttachment = (uint32_t)o->integers[0]};
    const VkClearRect all = {{{0, 0}, size}, 0, 1};
    const enum sample_type type = d->machine.textures[d->machine.attachments[o->integers[0]].texture].format->sample;
    for (int i = 0; i < 4; i++) {
        if (type == SAMPLE_FLOAT)
            attachment.clearValue.color.float32[i] = o->numbers[i];
        else
            attachment.clearValue.color.int32[i] = (int32_t)lrintf(o->numbers[i]);
    }
    vkCmdClearAttachments(d->commands, 1, &attachment, 1, &all);
}

static void paint(struct voice_device *d, const struct operation *o)
{
    struct lookup l = {0};
    const bool looks = o->integers[0] && machine_paint_lookup(&d->machine, &l);
    const enum random_form form =
        looks && d->manner.binding == BINDING_SEPARATE && voice_may_be_apart(d, &l) ? FORM_SEPARATE : FORM_COMBINED;
    const VkExtent2D size = begin_paint(d);
    if (!looks) /* any layout does: nothing of it is read */
        l.texture = NULL;
    d->buffer_draws++;
    const struct voice_layout *layout = voice_layout(d, &l, form);
    if (looks)
        voice_bind(d, &l, layout, VK_PIPELINE_BIND_POINT_GRAPHICS);
    voice_use_painter(d, looks, form == FORM_SEPARATE, layout);
    set_area(d, 0, size.width, size.height);
    voice_counts.pipelines[PIPELINES_DYNAMIC] += !d->native && d->opened.pipelines == PIPELINES_DYNAMIC;
    vkCmdSetBlendConstants(d->commands, d->machine.constant);
    voice_push(d, layout, o->numbers);
    vkCmdDraw(d->commands, 3, 1, 0, 0);
    /* Equations of one attachment must not be refused where the layer says so of the format. */
    for (int i = 0; i < d->machine.attachment_count; i++) {
        const struct format *f = d->machine.textures[d->machine.attachments[i].texture].format;
        const bool every = random_drawable.every_blend[f - random_formats] && d->machine.attachment_count == 1;
        d->may_refuse |= format_moves(f) && !every;
    }
}

/* Records that what a clear or a paint leaves is read. */
static void read_steps(struct voice_device *d, const struct operation *o, uint32_t number)
{
    const struct machine *m = &d->machine;
    for (int k = 0; d->by_steps && k < m->attachment_count; k++) {
        if (o->kind == OPERATION_CLEAR && k != o->integers[0])
            continue;
        const struct attachment_state *a = &m->attachments[k];
        const struct texture_state *t = &m->textures[a->texture];
        struct voice_step *step = &d->steps[d->step_count++];
        *step = (struct voice_step){number, k, t->format, attached_texels(m, k), {0}};
        harness_buffer_create(&d->vk, &step->buffer, VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                              step->count * texel_bytes_for_vulkan(t->format), NULL);
        voice_keep(d, KEPT_BUFFER, (uint64_t)step->buffer.buffer, (uint64_t)step->buffer.memory);
        const VkBufferImageCopy region = {
            .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, (uint32_t)a->level, (uint32_t)a->layer, 1},
            .imageExtent = {(uint32_t)level_size(t->width, a->level), (uint32_t)level_size(t->height, a->level), 1}};
        end_pass(d);
        vkCmdCopyImageToBuffer(d->commands, d->textures[a->texture].image, VK_IMAGE_LAYOUT_GENERAL, step->buffer.buffer,
                               1, &region);
        full_barrier(d->commands);
        if (!d->given || !d->given->painted[number][k])
            continue;
        void *bytes = texels_for_vulkan(t->format, d->given->painted[number][k], step->count);
        const struct harness_buffer from = staging(d, bytes, step->count * texel_bytes_for_vulkan(t->format));
        vkCmdCopyBufferToImage(d->commands, from.buffer, d->textures[a->texture].image, VK_IMAGE_LAYOUT_GENERAL, 1,
                               &region);
        full_barrier(d->commands);
        free(bytes);
    }
}

/* They have been read. */
static void take_steps(struct voice_device *d, struct pictures *pictures)
{
    for (uint32_t i = 0; i < d->step_count; i++) {
        const struct voice_step *step = &d->steps[i];
        pictures->painted[step->operation][step->attachment] =
            texels_of_vulkan(step->format, step->buffer.map, step->count);
    }
    d->step_count = 0;
}

static void perform(struct voice_device *d, const struct program *program, uint32_t number)
{
    const struct operation *o = &program->operations[number];
    const int32_t *i = o->integers;
    switch (o->kind) {
    case OPERATION_TEXTURE:
        make_texture(d, i[0], (uint64_t)(int64_t)i[8]);
        break;
    case OPERATION_UPLOAD:
        end_pass(d);
        upload_level(d, &d->machine.textures[i[0]], i[0], i[1], (uint64_t)(int64_t)i[2]);
        full_barrier(d->commands);
        break;
    case OPERATION_COPY:
        copy(d, i[0], i[1]);
        break;
    case OPERATION_TARGET:
        if (d->pass == PASS_PAINT)
            end_pass(d);
        break;
    case OPERATION_CLEAR:
        clear(d, o);
        read_steps(d, o, number);
        break;
    case OPERATION_PAINT:
        paint(d, o);
        read_steps(d, o, number);
        break;
    case OPERATION_TOGETHER:
        voice_together_begin(d, program, number);
        break;
    case OPERATION_DRAW:
        draw(d, o, number);
        break;
    default:
        break;
    }
}

static void read_back(struct voice_device *d, struct pictures *pictures)
{
    for (uint32_t i = 0; i < d->draws; i++) {
        const struct harness_buffer *from = d->computed[i] ? &d->computed_results : &d->read;
        pictures->draws[d->drawn[i]] = harness_alloc(PIXELS * 4, sizeof(uint32_t));
        memcpy(pictures->draws[d->drawn[i]], (const char *)from->map + (size_t)i * PIXELS * 16, PIXELS * 16);
        pictures->lookups += PIXELS;
    }
}

/* Ends the command buffer, and draws it. */
static VkResult submit(struct voice_device *d)
{
    voice_sets_write_late(d);
    const VkResult result = harness_try_submit(&d->vk, d->commands);
    if (d->secondary_count)
        vkFreeCommandBuffers(d->vk.device, d->vk.pool, d->secondary_count, d->secondaries);
    d->secondary_count = 0;
    if (!d->native && d->buffer_together && d->buffer_together == d->buffer_draws) {
        const struct clampler_counters after = harness_counters(&d->vk);
        for (int i = 0; i < 3; i++)
            voice_counts.together_tiers[i] += after.draws[i] - d->at_beginning.draws[i];
    }
    return result;
}

static void begin_commands(struct voice_device *d)
{
    d->commands = harness_begin(&d->vk);
    d->buffer_draws = d->buffer_together = 0;
    if (!d->native)
        d->at_beginning = harness_counters(&d->vk);
}

/* The program goes on in another command buffer: sets are written anew, and views and samplers may be others. */
static void go_on(struct voice_device *d, bool views, bool samplers)
{
    if (samplers) {
        voice_pipelines_end(d);
        drop_kept(d, drops_samplers);
    }
    if (views) {
        drop_kept(d, drops_views);
        for (int i = 0; i < TEXTURES; i++) {
            d->textures[i].view = VK_NULL_HANDLE;
            d->textures[i].buffer_view = VK_NULL_HANDLE;
        }
    }
    voice_sets_again(d);
    voice_together_again(d, views || samplers);
    voice_counts.submits += !d->native;
    d->used = NULL;
    d->shown = (struct voice_set){.texture = 0};
    d->objects_bound = false;
    begin_commands(d);
}

static void run(struct voice_device *d, const struct program *program, struct pictures *pictures)
{
    static const VkClearColorValue zero;
    const VkImageSubresourceRange whole = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    d->manner = program->manner;
    d->pass = PASS_NONE;
    d->draws = d->passes_begun = d->step_count = 0;
    d->used = NULL;
    d->may_refuse = d->objects_bound = false;
    memset(d->textures, 0, sizeof(d->textures));
    voice_sets_begin(d);
    machine_init(&d->machine);
    harness_messages_reset();
    begin_commands(d);
    vkCmdClearColorImage(d->commands, d->results.image, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &whole);
    full_barrier(d->commands);
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < program->count && result == VK_SUCCESS; i++) {
        const struct operation *o = &program->operations[i];
        if (!machine_step(&d->machine, o))
            continue;
        if (o->kind != OPERATION_SUBMIT) {
            perform(d, program, i);
            continue;
        }
        end_pass(d);
        result = submit(d);
        take_steps(d, pictures);
        if (result == VK_SUCCESS)
            go_on(d, o->integers[0] != 0, o->integers[1] != 0);
    }
    if (result == VK_SUCCESS) {
        end_pass(d);
        const VkBufferImageCopy all = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                       .imageExtent = {SIDE, SIDE * DRAWS_MAX, 1}};
        vkCmdCopyImageToBuffer(d->commands, d->results.image, VK_IMAGE_LAYOUT_GENERAL, d->read.buffer, 1, &all);
        full_barrier(d->commands);
        result = submit(d);
        take_steps(d, pictures);
    }
    if (result != VK_SUCCESS && !d->may_refuse)
        harness_fail("%s from vkEndCommandBuffer: %s", harness_result_name(result),
                     harness_layer_messages() ? harness_layer_message(0) : "no message");
    if (result != VK_SUCCESS)
        snprintf(pictures->refused, sizeof(pictures->refused), "%s",
                 harness_layer_messages() ? harness_layer_message(0) : "refused without a message");
    else
        read_back(d, pictures);
    voice_pipelines_end(d);
    drop_kept(d, drops_all);
}

/* ---- devices ---- */

static void make_results(struct voice_device *d)
{
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = VK_FORMAT_R32G32B32A32_UINT,
                                    .extent = {SIDE, SIDE * DRAWS_MAX, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                             VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    HARNESS_VK(vkCreateImage(d->vk.device, &info, NULL, &d->results.image));
    d->results.memory = bind_memory(d, d->results.image);
    const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .image = d->results.image,
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                        .format = info.format,
                                        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    HARNESS_VK(vkCreateImageView(d->vk.device, &view, NULL, &d->results.view));
    VkCommandBuffer commands = harness_begin(&d->vk);
    to_general(commands, d->results.image, VK_IMAGE_ASPECT_COLOR_BIT);
    harness_submit(&d->vk, commands);
    harness_buffer_create(&d->vk, &d->read, VK_BUFFER_USAGE_TRANSFER_DST_BIT, (VkDeviceSize)DRAWS_MAX * PIXELS * 16,
                          NULL);
    harness_buffer_create(&d->vk, &d->computed_results,
                          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                              (has_addresses(d) ? (VkFlags)VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0),
                          (VkDeviceSize)DRAWS_MAX * PIXELS * 16, NULL);
}

static void add_counters(struct clampler_counters *sum, const struct clampler_counters *more)
{
    for (size_t i = 0; i < sizeof(*sum) / sizeof(uint64_t); i++)
        ((uint64_t *)sum)[i] += ((const uint64_t *)more)[i];
}

static void subtract_counters(struct clampler_counters *from, const struct clampler_counters *less)
{
    for (size_t i = 0; i < sizeof(*from) / sizeof(uint64_t); i++)
        ((uint64_t *)from)[i] -= ((const uint64_t *)less)[i];
}

static void count_device(struct voice_device *d)
{
    if (d->native || d->counted)
        return;
    struct clampler_counters counters = harness_counters(&d->vk);
    subtract_counters(&counters, &d->by_itself);
    add_counters(&counted, &counters);
    for (int i = 0; i < 3; i++)
        voice_counts.tiers[d->opened.binding][i] += counters.draws[i];
    d->counted = true;
}

static void close_device(struct voice_device *d)
{
    count_device(d);
    voice_pipelines_close(d);
    vkDestroyImageView(d->vk.device, d->results.view, NULL);
    vkDestroyImage(d->vk.device, d->results.image, NULL);
    vkFreeMemory(d->vk.device, d->results.memory, NULL);
    harness_buffer_destroy(&d->vk, &d->read);
    harness_buffer_destroy(&d->vk, &d->computed_results);
    harness_vulkan_close(&d->vk);
    free(d);
}

/* How many stay open: processes side by side share what a driver has for all devices. */
#define DEVICES_OPEN 24

/* The device for a program's manner, in front of the others; the one that was used longest ago is closed for it. */
static struct voice_device *device_for(const struct program *program, const char *layers)
{
    const bool native = strcmp(layers, "none") == 0;
    int count = 0;
    struct voice_device **last = &devices;
    for (struct voice_device **at = &devices; *at; at = &(*at)->next, count++) {
        struct voice_device *d = *at;
        last = at;
        if (d->native != native || d->opened.binding != program->manner.binding ||
            d->opened.pipelines != program->manner.pipelines)
            continue;
        *at = d->next;
        d->next = devices;
        devices = d;
        return d;
    }
    if (count >= DEVICES_OPEN) {
        struct voice_device *oldest = *last;
        *last = NULL;
        close_device(oldest);
    }
    struct voice_device *d = harness_alloc(1, sizeof(*d));
    d->native = native;
    d->opened = program->manner;
    d->standard = !native && program->manner.through == THROUGH_STANDARD;
    voice_open(d, layers);
    char driver[256];
    harness_driver_info(&d->vk, driver, sizeof(driver));
    snprintf(device_name, sizeof(device_name), "%s, %s", d->vk.properties.deviceName, driver);
    make_results(d);
    d->next = devices;
    devices = d;
    return d;
}

/* What has been counted before something that is not. */
struct before {
    struct voice_drawn drawn;
    struct clampler_counters counters;
};

static struct before begin_uncounted(struct voice_device *d)
{
    struct before before = {.drawn = voice_counts};
    if (!d->native)
        before.counters = harness_counters(&d->vk);
    return before;
}

static void end_uncounted(struct voice_device *d, const struct before *before)
{
    voice_counts = before->drawn;
    if (d->native)
        return;
    const struct clampler_counters after = harness_counters(&d->vk);
    subtract_counters(&d->by_itself, &before->counters);
    add_counters(&d->by_itself, &after);
}

void vulkan_voice_run(const struct program *program, struct pictures *pictures, const char *layers, bool native)
{
    struct program own = *program;
    *pictures = (struct pictures){0};
    if (native)
        own.manner = (struct manner){.through = THROUGH_MODES};
    if (native || strcmp(layers, "none") == 0)
        own.manner.through = THROUGH_MODES;
    struct voice_device *d = device_for(&own, native ? "none" : layers);
    const struct before before = begin_uncounted(d);
    run(d, &own, pictures);
    if (pictures->refused[0])
        end_uncounted(d, &before);
}

void vulkan_voice_run_by_steps(const struct program *program, struct pictures *pictures, const struct pictures *given,
                               const char *layers)
{
    struct voice_device *d = device_for(program, layers);
    const struct before before = begin_uncounted(d);
    *pictures = (struct pictures){0};
    d->by_steps = true;
    d->given = given;
    run(d, program, pictures);
    d->by_steps = false;
    d->given = NULL;
    end_uncounted(d, &before);
}

const char *vulkan_voice_name(void)
{
    const struct program native = {.manner = {.through = THROUGH_MODES}};
    if (!devices)
        device_for(&native, "none");
    return device_name;
}

bool vulkan_voice_says(const struct lookup *lookup)
{
    const struct program native = {.manner = {.through = THROUGH_MODES}};
    return voice_can_say(device_for(&native, "none"), lookup);
}

void vulkan_voice_precision(float *texel)
{
    *texel = 0;
    for (const struct voice_device *d = devices; d; d = d->next)
        *texel = ldexpf(1, -(int)d->vk.properties.limits.subTexelPrecisionBits);
}

void vulkan_voice_count(struct clampler_counters *sum)
{
    for (struct voice_device *d = devices; d; d = d->next)
        count_device(d);
    *sum = counted;
}

void vulkan_voice_close(void)
{
    while (devices) {
        struct voice_device *d = devices;
        devices = d->next;
        close_device(d);
    }
}
