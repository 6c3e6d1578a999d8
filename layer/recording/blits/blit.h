/* SPDX-License-Identifier: MIT */
/*
 * Blits that the layer filters itself, linear ones of formats that the driver cannot filter and offered cubic ones:
 *
 *   source image ──copy──► box │ scratch memory │ tile ──copy──► target image
 *                            └─► shaders/blit.comp ─┘
 *
 * Texels are copied out of the source, filtered in memory and copied into the target. So images need no usage and no
 * layout beyond what blits need anyway, and any format that can be described as components works. The shader finds its
 * memory through an address: it uses no descriptors and no push constants, and disturbs only the program's compute
 * pipeline, which is bound again.
 */
#ifndef CLAMPLER_BLITS_BLIT_H
#define CLAMPLER_BLITS_BLIT_H

#include "objects/memory.h"
#include "objects/units.h"
#include "vulkan_formats.h"

struct command;
struct image;
struct track;

/* ---- What shaders/blit.comp reads ---- */

struct blit_texels {
    uint32_t first_word; /* counted from behind the parameters */
    uint32_t bytes;
    uint32_t kind; /* enum texel_kind */
    uint32_t unused;
    uint32_t bits[4], shift[4];
};

struct blit_parameters {
    struct blit_texels source, target;
    int32_t level_size[4];
    int32_t box_origin[4], box_size[4];
    int32_t tile_origin[4], tile_size[4];
    int32_t source_first[4], source_second[4];
    int32_t target_first[4], target_second[4];
    uint32_t group_texels, group_words, row_groups;
    uint32_t cubic; /* 0: linear, else cubic: 1 + VkCubicFilterWeightsQCOM */
};

/* ---- Coordinates of a blit (blit_axis.c); pure ---- */

struct blit_axis {
    int32_t source[2], target[2]; /* the region's offsets along this axis */
    int32_t size;                 /* of the source's level */
    int32_t reach;                /* texels that the filter reads beyond the two around a coordinate, each way */
};

/*
 * The lower of the two source texels that target texel x lies between; it may be outside of the image (section "Image
 * Copies with Scaling"). The target's offsets differ.
 */
int32_t blit_lower_texel(const struct blit_axis *axis, int32_t x);

/* The source texels that `count` target texels from `first` read, at least one. */
void blit_source_range(const struct blit_axis *axis, int32_t first, int32_t count, int32_t *low, int32_t *texels);

/* An upper bound of the texels that `count` target texels read, at least one, wherever they are. */
uint64_t blit_range_bound(const struct blit_axis *axis, int32_t count);

/* ---- Shared by all blits of a device (blit_scratch.c) ---- */

/* Addresses of scratch memory by slot, and the pipeline whose shader reads them. */
struct blit_table {
    struct blit_table *next; /* made before it: all of its slots were taken */
    struct memory_slice addresses;
    struct units slots;
    VkPipelineLayout layout; /* no sets */
    VkPipeline pipeline;
};

struct blits {
    pthread_mutex_t lock;      /* for the next two; the driver is not called while it is locked */
    struct blit_table *tables; /* the first is made by the first blit, another where no slot is free */
    struct memory_heap heap;   /* scratch memory */
};

/* False: out of memory. Only for devices with device->caps.buffer_address do the others do anything. */
bool blits_init(struct track *track);
void blits_finish(struct track *track);

/* Scratch memory of one command buffer. Blits of one command buffer use it one after the other. */
struct blit_scratch {
    struct blit_scratch *next;
    struct memory_slice slice;
    struct blit_table *table; /* NULL: none yet */
    uint32_t slot;            /* in the table */
    bool used;                /* since the last reset */
};

/*
 * At least `bytes` of scratch memory that lives until the command buffer is reset. NULL with command->error set if
 * there is none.
 */
struct blit_scratch *blit_scratch_acquire(struct command *command, uint32_t bytes);

/* After vkBeginCommandBuffer and resets: frees scratch memory that the last recording did not use. */
void blit_reset(struct command *command);
void blit_finish(struct command *command);

/* ---- Recording (blit_region.c) ---- */

struct blit {
    VkImage source, target;
    VkImageLayout source_layout, target_layout;
    const struct image *source_image, *target_image;
    const struct texel_layout *source_texels, *target_texels;
    uint32_t cubic; /* as in struct blit_parameters */
    uint32_t region_count;
    const VkImageBlit *regions; /* regions_2 if NULL */
    const VkImageBlit2 *regions_2;
};

/* Records the blit, filtered. False with command->error set, and nothing recorded, if that fails. */
bool blit_record(struct command *command, const struct blit *blit);

#endif
