/* SPDX-License-Identifier: MIT */
/* Splits the regions of a blit into tiles that fit the scratch memory, and records them. */
#include "blits/blit.h"
#include "commands/command_buffer.h"
#include "objects/track.h"
#include "sampling/image.h"

enum {
    SCRATCH_MAX = 32 << 20, /* bytes; larger regions are split */
    LINES_MAX = 65535,      /* rows of all slices of a tile: maxComputeWorkGroupCount[1] is at least that */
    GROUP_SIZE = 64,        /* local_size_x of the shader */
    ALIGNMENT = 48,         /* copies start at multiples of 4 and of the texel's size, which divides 48 */
};

/* ---- Regions ---- */

struct region {
    struct blit_axis axis[3];
    int32_t origin[3], size[3]; /* of the target */
    VkImageSubresourceLayers source, target;
    bool source_layers, target_layers; /* z counts array layers */
};

/* Layers are a third axis that maps one to one, unless an image is 3D: then the other has one layer. */
static void read_layers(const struct blit *blit, struct region *region)
{
    bool source_3d = blit->source_image->type == VK_IMAGE_TYPE_3D;
    bool target_3d = blit->target_image->type == VK_IMAGE_TYPE_3D;
    uint32_t layers = region->source.layerCount == VK_REMAINING_ARRAY_LAYERS
                          ? blit->source_image->layers - region->source.baseArrayLayer
                          : region->source.layerCount;
    struct blit_axis *z = &region->axis[2];
    region->source_layers = !source_3d;
    region->target_layers = !target_3d;
    if (!source_3d && !target_3d)
        *z = (struct blit_axis){{0, (int32_t)layers}, {0, (int32_t)layers}, (int32_t)layers, 0};
    else if (!source_3d)
        z->size = 1;
}

static void read_region(const struct blit *blit, uint32_t index, struct region *region)
{
    const VkImageBlit *old = blit->regions ? &blit->regions[index] : NULL;
    const VkImageBlit2 *new = blit->regions ? NULL : &blit->regions_2[index];
    const VkOffset3D *source = old ? old->srcOffsets : new->srcOffsets;
    const VkOffset3D *target = old ? old->dstOffsets : new->dstOffsets;
    *region = (struct region){
        .source = old ? old->srcSubresource : new->srcSubresource,
        .target = old ? old->dstSubresource : new->dstSubresource,
    };
    const VkExtent3D *extent = &blit->source_image->extent;
    uint32_t level = region->source.mipLevel;
    const int32_t reach = blit->cubic ? 1 : 0; /* volumes have no cubic blits (VUID-vkCmdBlitImage-filter-00237) */
    region->axis[0] = (struct blit_axis){
        {source[0].x, source[1].x}, {target[0].x, target[1].x}, (int32_t)level_size(extent->width, level), reach};
    region->axis[1] = (struct blit_axis){
        {source[0].y, source[1].y}, {target[0].y, target[1].y}, (int32_t)level_size(extent->height, level), reach};
    region->axis[2] = (struct blit_axis){
        {source[0].z, source[1].z}, {target[0].z, target[1].z}, (int32_t)level_size(extent->depth, level), 0};
    read_layers(blit, region);
    for (unsigned i = 0; i < 3; i++) {
        const int32_t *ends = region->axis[i].target;
        region->origin[i] = ends[0] < ends[1] ? ends[0] : ends[1];
        region->size[i] = ends[0] < ends[1] ? ends[1] - ends[0] : ends[0] - ends[1];
    }
}

static bool region_empty(const struct region *region)
{
    return region->size[0] == 0 || region->size[1] == 0 || region->size[2] == 0;
}

/* ---- Tiles ---- */

/* Texels of a row that fill whole words. */
static uint32_t group_texels(const struct texel_layout *texels)
{
    return texels->bytes % 4 == 0 ? 1 : texels->bytes % 2 == 0 ? 2 : 4;
}

static uint32_t row_groups(const struct texel_layout *texels, int32_t width)
{
    return ((uint32_t)width + group_texels(texels) - 1) / group_texels(texels);
}

/* Scratch memory that a tile of that size takes at most. */
static uint64_t tile_bytes(const struct blit *blit, const struct region *region, const int32_t size[3])
{
    uint64_t box = blit->source_texels->bytes, row = row_groups(blit->target_texels, size[0]);
    for (unsigned i = 0; i < 3; i++)
        box *= blit_range_bound(&region->axis[i], size[i]);
    uint64_t tile =
        row * group_texels(blit->target_texels) * blit->target_texels->bytes * (uint64_t)size[1] * (uint64_t)size[2];
    return sizeof(struct blit_parameters) + box + tile + 3 * ALIGNMENT;
}

/* The largest tile that fits: whole slices if possible, else whole rows. Returns its bytes. */
static uint32_t choose_tile(const struct blit *blit, const struct region *region, int32_t size[3])
{
    for (unsigned i = 0; i < 3; i++)
        size[i] = region->size[i];
    uint64_t bytes = tile_bytes(blit, region, size);
    while (bytes > SCRATCH_MAX || (int64_t)size[1] * size[2] > LINES_MAX) {
        unsigned axis = size[2] > 1 ? 2 : size[1] > 1 ? 1 : 0;
        if (size[axis] == 1)
            break;
        size[axis] = (size[axis] + 1) / 2;
        bytes = tile_bytes(blit, region, size);
    }
    return (uint32_t)bytes;
}

/* ---- Recording ---- */

static void barrier(const struct command *command, VkPipelineStageFlags before, VkAccessFlags written,
                    VkPipelineStageFlags after, VkAccessFlags access)
{
    const VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = written, .dstAccessMask = access};
    command->device->next.CmdPipelineBarrier(command->handle, before, after, 0, 1, &memory, 0, NULL, 0, NULL);
}

static struct blit_texels texels_at(const struct texel_layout *layout, uint32_t offset)
{
    struct blit_texels texels = {
        .first_word = (offset - (uint32_t)sizeof(struct blit_parameters)) / 4,
        .bytes = layout->bytes,
        .kind = layout->kind,
    };
    for (unsigned c = 0; c < 4; c++) {
        texels.bits[c] = layout->bits[c];
        texels.shift[c] = layout->shift[c];
    }
    return texels;
}

/* The next place in the scratch memory where a copy may start. */
static uint32_t aligned(const struct blit_scratch *scratch, uint32_t offset)
{
    uint32_t rest = (uint32_t)((scratch->slice.offset + offset) % ALIGNMENT);
    return rest ? offset + ALIGNMENT - rest : offset;
}

/* A copy between an image and scratch memory; z counts layers or slices. `row_texels` 0: rows are tightly packed. */
static VkBufferImageCopy copy_of(const struct blit_scratch *scratch, uint32_t offset, uint32_t row_texels,
                                 const VkImageSubresourceLayers *subresource, bool layers, const int32_t origin[3],
                                 const int32_t size[3])
{
    VkBufferImageCopy copy = {
        .bufferOffset = scratch->slice.offset + offset,
        .bufferRowLength = row_texels,
        .imageSubresource = *subresource,
        .imageOffset = {origin[0], origin[1], layers ? 0 : origin[2]},
        .imageExtent = {(uint32_t)size[0], (uint32_t)size[1], layers ? 1 : (uint32_t)size[2]},
    };
    copy.imageSubresource.layerCount = 1;
    if (layers) {
        copy.imageSubresource.baseArrayLayer += (uint32_t)origin[2];
        copy.imageSubresource.layerCount = (uint32_t)size[2];
    }
    return copy;
}

static void fill_parameters(const struct region *region, const struct texel_layout *target,
                            struct blit_parameters *parameters)
{
    for (unsigned i = 0; i < 3; i++) {
        const struct blit_axis *axis = &region->axis[i];
        parameters->level_size[i] = axis->size;
        parameters->source_first[i] = axis->source[0];
        parameters->source_second[i] = axis->source[1];
        parameters->target_first[i] = axis->target[0];
        parameters->target_second[i] = axis->target[1];
        blit_source_range(axis, parameters->tile_origin[i], parameters->tile_size[i], &parameters->box_origin[i],
                          &parameters->box_size[i]);
    }
    parameters->group_texels = group_texels(target);
    parameters->group_words = group_texels(target) * target->bytes / 4;
    parameters->row_groups = row_groups(target, parameters->tile_size[0]);
}

/*
 * The first barrier also lets the program's own barriers reach these commands, which may name blits alone, and the last
 * one (blit_record) lets these commands reach the program's: both are of the stage that contains all copies and blits.
 */
static void record_tile(const struct command *command, const struct blit *blit, const struct region *region,
                        const struct blit_scratch *scratch, struct blit_parameters *parameters)
{
    const VkPipelineStageFlags copies = VK_PIPELINE_STAGE_TRANSFER_BIT, shader = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const struct device_dispatch *next = &command->device->next;
    const VkBuffer buffer = scratch->slice.buffer;
    fill_parameters(region, blit->target_texels, parameters);
    uint32_t box = aligned(scratch, sizeof(*parameters));
    uint32_t box_bytes = blit->source_texels->bytes * (uint32_t)parameters->box_size[0] *
                         (uint32_t)parameters->box_size[1] * (uint32_t)parameters->box_size[2];
    uint32_t tile = aligned(scratch, box + box_bytes);
    parameters->source = texels_at(blit->source_texels, box);
    parameters->target = texels_at(blit->target_texels, tile);

    const VkBufferImageCopy in =
        copy_of(scratch, box, 0, &region->source, region->source_layers, parameters->box_origin, parameters->box_size);
    const VkBufferImageCopy out =
        copy_of(scratch, tile, parameters->row_groups * parameters->group_texels, &region->target,
                region->target_layers, parameters->tile_origin, parameters->tile_size);
    barrier(command, copies | shader, VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_SHADER_WRITE_BIT, copies,
            VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
    next->CmdUpdateBuffer(command->handle, buffer, scratch->slice.offset, sizeof(*parameters), parameters);
    next->CmdCopyImageToBuffer(command->handle, blit->source, blit->source_layout, buffer, 1, &in);
    barrier(command, copies, VK_ACCESS_TRANSFER_WRITE_BIT, shader,
            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    next->CmdDispatchBase(command->handle, 0, 0, scratch->slot, (parameters->row_groups + GROUP_SIZE - 1) / GROUP_SIZE,
                          (uint32_t)(parameters->tile_size[1] * parameters->tile_size[2]), 1);
    barrier(command, shader, VK_ACCESS_SHADER_WRITE_BIT, copies, VK_ACCESS_TRANSFER_READ_BIT);
    next->CmdCopyBufferToImage(command->handle, buffer, blit->target, blit->target_layout, 1, &out);
}

static void record_region(const struct command *command, const struct blit *blit, const struct region *region,
                          const struct blit_scratch *scratch)
{
    int32_t most[3], at[3];
    choose_tile(blit, region, most);
    for (at[2] = 0; at[2] < region->size[2]; at[2] += most[2]) {
        for (at[1] = 0; at[1] < region->size[1]; at[1] += most[1]) {
            for (at[0] = 0; at[0] < region->size[0]; at[0] += most[0]) {
                struct blit_parameters parameters = {.cubic = blit->cubic};
                for (unsigned i = 0; i < 3; i++) {
                    int32_t left = region->size[i] - at[i];
                    parameters.tile_origin[i] = region->origin[i] + at[i];
                    parameters.tile_size[i] = left < most[i] ? left : most[i];
                }
                record_tile(command, blit, region, scratch, &parameters);
            }
        }
    }
}

static void restore_compute(struct command *command)
{
    const struct bind_point *point = &command->points[POINT_COMPUTE];
    if (point->driver.pipeline)
        command->device->next.CmdBindPipeline(command->handle, VK_PIPELINE_BIND_POINT_COMPUTE, point->driver.pipeline);
    else if (point->shaders)
        shaders_rebind(command, VK_SHADER_STAGE_COMPUTE_BIT);
}

bool blit_record(struct command *command, const struct blit *blit)
{
    struct device *device = command->device;
    struct region region;
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < blit->region_count; i++) {
        int32_t size[3];
        read_region(blit, i, &region);
        uint32_t needed = region_empty(&region) ? 0 : choose_tile(blit, &region, size);
        bytes = needed > bytes ? needed : bytes;
    }
    if (!bytes)
        return true;
    const struct blit_scratch *scratch = blit_scratch_acquire(command, bytes);
    if (!scratch)
        return false;

    condition_suspend(command);
    device->next.CmdBindPipeline(command->handle, VK_PIPELINE_BIND_POINT_COMPUTE, scratch->table->pipeline);
    for (uint32_t i = 0; i < blit->region_count; i++) {
        read_region(blit, i, &region);
        if (!region_empty(&region))
            record_region(command, blit, &region, scratch);
    }
    barrier(command, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
            VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
    restore_compute(command);
    condition_resume(command);
    return true;
}
