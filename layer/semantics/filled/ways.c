/* SPDX-License-Identifier: MIT */
/* The rows of the table: the effect of every way on the alpha in memory. */
#include "filled/ways.h"

/* Newer than some headers. */
#define LAYOUT_ZERO_INITIALIZED ((VkImageLayout)1000620000)
#define LOAD_OP_NONE ((VkAttachmentLoadOp)1000400000)
#define USAGE_HOST_TRANSFER 0x00400000u
#define USAGE_TENSOR_ALIASING 0x00800000u                /* VK_ARM_tensors */
#define USAGE_VIDEO_WRITES (0x0400u | 0x1000u | 0x8000u) /* DECODE_DST, DECODE_DPB, ENCODE_DPB */

/* ---- Commands and events ---- */

static const uint8_t effects[FILLED_WAYS] = {
#define ROW(NAME, EFFECT) [FILLED_##NAME] = FILLED_##EFFECT,
    FILLED_COMMANDS(ROW) FILLED_EVENTS(ROW)
#undef ROW
};

enum filled_effect filled_effect(enum filled_way way)
{
    return (enum filled_effect)effects[way];
}

enum filled_layout filled_layout(VkImageLayout layout)
{
    return layout == VK_IMAGE_LAYOUT_UNDEFINED                                             ? FILLED_LAYOUT_UNDEFINED
           : layout == VK_IMAGE_LAYOUT_PREINITIALIZED || layout == LAYOUT_ZERO_INITIALIZED ? FILLED_LAYOUT_INITIAL
                                                                                           : FILLED_LAYOUT_KEPT;
}

/* Equal layouts say nothing, even UNDEFINED (VkImageMemoryBarrier2, "if oldLayout and newLayout are equal"). */
enum filled_way filled_barrier(VkImageLayout before, VkImageLayout after, uint32_t from, uint32_t to)
{
    const enum filled_layout layout = before == after ? FILLED_LAYOUT_KEPT : filled_layout(before);
    return layout == FILLED_LAYOUT_UNDEFINED ? FILLED_BARRIER_UNDEFINED
           : layout == FILLED_LAYOUT_INITIAL ? FILLED_BARRIER_INITIAL
           : from != to                      ? FILLED_TRANSFER
                                             : FILLED_BARRIER_KEPT;
}

/* ---- Images ---- */

bool filled_shares_memory(VkFlags64 flags)
{
    return flags & (VK_IMAGE_CREATE_ALIAS_BIT | VK_IMAGE_CREATE_SPARSE_ALIASED_BIT);
}

/* Shaders write storage images, the host images of linear tiling and of its transfers, codecs theirs; tensors alias
 * images. */
bool filled_unseen(VkFlags64 flags, VkFlags64 usage, VkImageTiling tiling)
{
    return filled_shares_memory(flags) || tiling != VK_IMAGE_TILING_OPTIMAL ||
           (usage & (VK_IMAGE_USAGE_STORAGE_BIT | USAGE_HOST_TRANSFER | USAGE_TENSOR_ALIASING | USAGE_VIDEO_WRITES));
}

/* ---- Passes ---- */

enum { NO = 1, YES = 2, ANY = NO | YES };

/* Load operations as bits: LOAD, CLEAR and what is cleared in its place, NONE. */
enum { LOADS = 1, CLEARS = 2, NONE = 4, ANY_LOAD = LOADS | CLEARS | NONE };
enum {
    KEPT = FILLED_LAYOUT_KEPT,
    UNDEFINED = FILLED_LAYOUT_UNDEFINED,
    INITIAL = FILLED_LAYOUT_INITIAL,
    ANY_LAYOUT = KEPT | UNDEFINED | INITIAL
};

/*
 * The first row that fits counts. Where the initial layout is UNDEFINED, LOAD is a clear. What is outside of the area
 * of a clear stays, and is filled in front of it, since it is seen from outside.
 */
static const struct row {
    uint8_t fills, used, resumed, load, layout, covered, fillable;
    uint8_t before, after;
} rows[] = {
    /* fills used resumed load layout covered fillable: before, after */
    {ANY, NO, ANY, ANY_LOAD, KEPT, ANY, ANY, FILLED_LEAVES, FILLED_LEAVES},        /* no operation is done */
    {ANY, NO, ANY, ANY_LOAD, ANY_LAYOUT, ANY, ANY, FILLED_LEAVES, FILLED_DIRTIES}, /* but the layout changes */
    {NO, YES, ANY, ANY_LOAD, ANY_LAYOUT, ANY, ANY, FILLED_LEAVES, FILLED_DIRTIES}, /* whatever alpha is written */
    {YES, YES, YES, ANY_LOAD, ANY_LAYOUT, ANY, ANY, FILLED_LEAVES, FILLED_LEAVES}, /* as the first part left it */
    {YES, YES, NO, NONE, ANY_LAYOUT, ANY, ANY, FILLED_LEAVES, FILLED_DIRTIES},     /* undefined within the pass */
    {YES, YES, NO, CLEARS, ANY_LAYOUT, YES, ANY, FILLED_LEAVES, FILLED_FILLS},
    {YES, YES, NO, LOADS, UNDEFINED, YES, ANY, FILLED_LEAVES, FILLED_FILLS},
    {YES, YES, NO, CLEARS | LOADS, UNDEFINED, NO, ANY, FILLED_LEAVES, FILLED_DIRTIES}, /* outside of the area */
    {YES, YES, NO, CLEARS | LOADS, KEPT | INITIAL, ANY, YES, FILLED_FILLS, FILLED_FILLS},
    {YES, YES, NO, CLEARS | LOADS, KEPT, ANY, NO, FILLED_LEAVES, FILLED_LEAVES},
    {ANY, ANY, ANY, ANY_LOAD, ANY_LAYOUT, ANY, ANY, FILLED_LEAVES, FILLED_DIRTIES},
};

static uint32_t is(bool value)
{
    return value ? YES : NO;
}

static uint32_t load_bit(VkAttachmentLoadOp load)
{
    return load == VK_ATTACHMENT_LOAD_OP_LOAD ? LOADS : load == LOAD_OP_NONE ? NONE : CLEARS;
}

static bool fits(const struct row *row, const struct filled_load *load)
{
    return (row->fills & is(load->fills)) && (row->used & is(load->used)) && (row->resumed & is(load->resumed)) &&
           (row->load & load_bit(load->load)) && (row->layout & load->layout) && (row->covered & is(load->covered)) &&
           (row->fillable & is(load->fillable));
}

/* Only STORE keeps the contents when the pass ends: under the other operations they are undefined then. */
static enum filled_effect stored(enum filled_effect effect, VkAttachmentStoreOp store)
{
    return store == VK_ATTACHMENT_STORE_OP_STORE ? effect : FILLED_DIRTIES;
}

struct filled_loaded filled_load(const struct filled_load *load)
{
    const struct row *row = rows;
    while (!fits(row, load))
        row++;
    struct filled_loaded loaded = {(enum filled_effect)row->before, (enum filled_effect)row->after};
    if (load->used)
        loaded.after = stored(loaded.after, load->store);
    return loaded;
}

struct filled_resolved filled_resolve(const struct filled_resolve *resolve)
{
    if (!resolve->fills)
        return (struct filled_resolved){FILLED_DIRTIES, FILLED_LEAVES};
    if (resolve->alpha_one) /* what is resolved is alpha 1; what is outside of the area stays */
        return (struct filled_resolved){stored(resolve->covered ? FILLED_FILLS : FILLED_LEAVES, resolve->store),
                                        FILLED_LEAVES};
    return (struct filled_resolved){FILLED_DIRTIES, resolve->fillable && resolve->store == VK_ATTACHMENT_STORE_OP_STORE
                                                        ? FILLED_FILLS
                                                        : FILLED_LEAVES};
}
