/*
 * Track: what the layer remembers of the program's objects, and the hooks that keep it true. Internal to layer/track.
 *
 * Handles are never wrapped: every object here stands beside a driver object and is found by its handle. Objects that
 * the program may destroy while the layer still needs them (layouts, modules, render passes) carry a reference count
 * and, where the driver must see them again, a duplicate of the layer's own.
 *
 *   sampler.c image.c view.c   what is sampled, and how
 *   state.c pair.c             sampler states as identities; what they become with classes of views
 *   formats.c                  what formats can do, and how large their blocks are
 *   layout.c pipeline_layout.c set layouts with a record binding, pipeline layouts
 *   pool.c memory.c units.c    sets and the memory of their records
 *   update.c template.c push.c descriptor writes, and the records written beside them
 *   halves.c                   records of the halves of combined image samplers that shaders take apart
 *   push_set.h                 push sets that are ordinary sets below
 *   descriptor_copy.c          descriptor copies, and the records that go with them
 *   shader.c renderpass.c      what pipelines are made of
 *   attachment.h               attachments without alpha: attachment.c framebuffer.c clear.c blend.c
 *   pipeline.c recipe.c        pipelines and their tiers
 *   graphics_state.h           what Vulkan does not ignore of a graphics pipeline's create-info
 *   command.c draw.c           what is bound, and the tier that a draw needs
 *   blit.c blit_region.c       linear blits
 *   blit_scratch.c             their pipeline and memory
 */
#ifndef CLAMPLER_TRACK_TRACK_H
#define CLAMPLER_TRACK_TRACK_H

#include <stdatomic.h>
#include <string.h>

#include "chain/chain.h"
#include "counters.h"
#include "record.h"
#include "track/attachment.h"
#include "track/blit.h"
#include "track/dynamic_state.h"
#include "track/fill.h"
#include "track/graphics_state.h"
#include "track/memory.h"
#include "track/table.h"

/*
 * Unsigned representation of any handle, as tables and messages take it. Handles of objects that are not dispatchable
 * are pointers where pointers have 64 bits, else 64-bit numbers, which must not go through a pointer's size.
 */
#define HANDLE_KEY(handle) _Generic((handle), uint64_t : (handle), default : (uintptr_t)(handle))

enum { STATE_BUCKETS = 1024, SHARED_BUCKETS = 256, COUNT_SHARDS = 64 };

/* Sampler states by content. */
struct states {
    pthread_mutex_t lock;
    struct interned *buckets[STATE_BUCKETS];
    uint32_t last_id;
    bool wrapped; /* all numbers were used once */
};

/*
 * What is counted on hot paths: a thread has a shard of its own, so that counting is no more than an addition. Threads
 * beyond the number of shards share them, and may then lose a count.
 */
struct count_shard {
    _Alignas(64) _Atomic(uint64_t) records_written;
    _Atomic(uint64_t) pair_hits[3];
};

struct track {
    struct device *device;
    struct count_shard shards[COUNT_SHARDS]; /* [0]: of nobody */
    _Atomic(uint64_t) serial;                /* of no other device of the process, ever */
    struct states states;
    pthread_mutex_t pair_lock; /* for making pairs: shared, pair_count, and the lists of states */
    struct table pairs;        /* by state id << 32 | view key */
    uint32_t pair_count;
    struct shared_sampler *shared[SHARED_BUCKETS]; /* by content */
    _Atomic(uint64_t) odd_views;                   /* alive now (view.c) */
    pthread_mutex_t command_lock;                  /* spare_commands */
    struct command *spare_commands;                /* freed by the program; the memory stays until the device goes */
    struct table samplers, images, views, buffers, buffer_views, set_layouts, pipeline_layouts, pools, sets, templates,
        modules, render_passes, framebuffers, pipelines, command_pools, commands, swapchains;
    struct table formats; /* by format + 1: struct format_features */
    pthread_mutex_t formats_lock;
    struct memory_heap heap;
    struct blits blits;
    struct resolve_caps caps_without_border; /* the device's, when no more custom border colours can be had */
    uint32_t border_limit;                   /* samplers with a custom border colour that the driver takes */
    _Atomic(uint32_t) border_samplers;       /* alive now */
    struct alpha_setting alpha_setting;
    uint64_t kept_formats;        /* alpha_formats_read */
    _Atomic(bool) halves;         /* some shader takes combined image samplers apart */
    pthread_mutex_t note_lock;    /* for following what was noted of descriptors (halves.c) */
    _Atomic(bool) alpha_seen;     /* some view was alpha-to-one */
    _Atomic(uint64_t) recordings; /* of command buffers, begun so far (fill_new_recording) */
    struct table fills;           /* by format and samples: struct fill_kind */
    pthread_mutex_t fill_lock;
    VkPipelineLayout fill_layout;
    pthread_mutex_t dynamic_layout_lock;              /* changes of the two lists */
    _Atomic(struct dynamic_layout *) dynamic_layouts; /* searched without the lock */
    struct dynamic_layout *retired_dynamic_layouts;   /* a set layout of theirs is gone */
    struct module_cache *module_cache;
    VkSampler nearest_sampler;      /* immutable in set layouts (layout.c); VK_NULL_HANDLE: no room for it */
    VkPipelineCache pipeline_cache; /* for tiers compiled later; VK_NULL_HANDLE works too */
    pthread_mutex_t tier_locks[16]; /* one pipeline's tiers are compiled under one of them */
    struct counters {
        _Atomic(uint64_t) draws[3], pipelines[3], modules_rewritten, driver_samplers, push_sets_converted,
            blits_nearest, blits_shader, live_objects, live_bytes, blend_variants, blend_updates, alpha_kept,
            alpha_fills;
    } counters;
};

static inline void count(_Atomic(uint64_t) *counter, uint64_t amount)
{
    atomic_fetch_add_explicit(counter, amount, memory_order_relaxed);
}

/* The first structure of that type in a chain, or NULL. */
static inline const void *pnext_find(const void *chain, VkStructureType type)
{
    for (const VkBaseInStructure *s = chain; s; s = s->pNext) {
        if (s->sType == type)
            return s;
    }
    return NULL;
}

/* ---- Host memory (track.c) ---- */

/*
 * Zeroed memory for an object of the program's, from its allocation callbacks if it gave some. `object_free` takes the
 * same size and compatible callbacks; memory may be NULL.
 */
void *object_alloc(struct track *track, const VkAllocationCallbacks *callbacks, size_t size);
void object_free(struct track *track, const VkAllocationCallbacks *callbacks, void *memory, size_t size);

/*
 * Bad input: says what is wrong with a call and returns VK_ERROR_VALIDATION_FAILED_EXT. `refuse_misplaced` looks for
 * structures of the extension in a chain where they do not belong (`belongs` 0: nowhere);
 * VK_SUCCESS if there are none.
 */
VkResult refuse(struct track *track, const char *call, const char *why);
VkResult refuse_misplaced(struct track *track, const char *call, const void *chain, VkStructureType belongs);

/* For shards: one thread writes. */
static inline void count_own(_Atomic(uint64_t) *counter)
{
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + 1, memory_order_relaxed);
}

/* ---- Sampler states (state.c) ---- */

/* A sampler state that some sampler or set layout has. All but the list of pairs is constant. */
struct interned {
    struct interned *next; /* in its bucket; under the states' lock, as the references are */
    uint32_t references;
    uint32_t id;   /* of no other state while a thread may remember it, never 0 */
    bool plain;    /* asks for nothing, whatever the view */
    bool ordinary; /* asks for nothing unless the view is odd */
    struct sampler_state state;
    struct pair *pairs; /* under pair_lock */
};

bool states_init(struct states *states);
void states_finish(struct states *states);

/* The object of this content with one more reference; NULL: out of memory. */
struct interned *state_ref(struct track *track, const struct sampler_state *content);
void state_keep(struct track *track, struct interned *state); /* one more reference; NULL stays NULL */
void state_unref(struct track *track, struct interned *state);

/* ---- Samplers (sampler.c) ---- */

/* What is known of a program's sampler: not an object of its own, but packed into the table of samplers. */
struct sampler {
    struct interned *state; /* NULL: unknown, or opaque */
    uint32_t bits;
};

enum {
    SAMPLER_PLAIN = 1u << 0,       /* as its state is */
    SAMPLER_ORDINARY = 1u << 1,    /* as its state is */
    SAMPLER_BORDER_SLOT = 1u << 2, /* the program's own custom border colour, which the driver counts */
    SAMPLER_BITS = 7,
    SAMPLER_OPAQUE = 1u << 3, /* YCbCr conversion or subsampled: must stay as it is. Packed: no state, but bits */
};

static inline struct sampler sampler_find(struct track *track, VkSampler handle)
{
    const uintptr_t packed = (uintptr_t)table_find(&track->samplers, HANDLE_KEY(handle));
    const struct sampler sampler = {(struct interned *)(packed & ~(uintptr_t)SAMPLER_BITS),
                                    (uint32_t)(packed & SAMPLER_BITS)};
    return packed && !sampler.state ? (struct sampler){NULL, SAMPLER_OPAQUE} : sampler;
}

/* ---- Buffers and their views (buffer.c, buffer_view.c); only where texel buffers are emulated ---- */

struct buffer {
    VkDeviceSize size;       /* as the program created it */
    VkDeviceSize size_below; /* of the driver's buffer */
    bool address;            /* it was created with an address that the layer may load from */
};

struct buffer_view {
    VkBufferView handle;
    struct record record; /* zero: the driver's view serves as it is */
};

static inline struct buffer_view *buffer_view_find(struct track *track, VkBufferView handle)
{
    return table_find(&track->buffer_views, HANDLE_KEY(handle));
}

/* ---- Images and views (image.c) ---- */

struct image {
    VkImageType type;
    VkFormat format;
    VkExtent3D extent;
    uint32_t levels, layers;
    VkImageTiling tiling;
    VkImageCreateFlags flags;
    VkSampleCountFlagBits samples;
    VkImageUsageFlags usage, stencil_usage;
    bool unorm_views; /* sRGB: views without decoding can be had */
    bool swapchain;
    bool always_dirty;                      /* it is written where nobody sees it: by shaders, by the host */
    _Atomic(bool) alpha_views, plain_views; /* it has had views that are alpha-to-one, and others */
    _Atomic(uint32_t) dirt;                 /* writes of it that were recorded and know nothing of alpha */
};

static inline struct image *image_find(struct track *track, VkImage handle)
{
    return table_find(&track->images, HANDLE_KEY(handle));
}

enum { RESOLVE_VIEWS = RESOLVE_VIEW_INCOMPLETE + 1 };

struct view {
    VkImageView handle;
    VkImageView below[RESOLVE_VIEWS]; /* by enum resolve_view: a twin, or the handle */
    uint32_t key;                     /* of the facts */
    bool gl;                          /* has GL view state */
    bool opaque;                      /* YCbCr conversion: stays as it is */
    bool odd;                         /* ordinary samplers may ask for something with it */
    struct view_facts facts;
    struct record alone; /* of a SAMPLED_IMAGE descriptor */
    uint32_t alone_needs;
    struct record part; /* what it adds to a pair's decision */
    struct attachment_view attachment;
    bool alpha_to_one; /* sampling gives alpha 1 whatever is in memory */
};

static inline struct view *view_find(struct track *track, VkImageView handle)
{
    return table_find(&track->views, HANDLE_KEY(handle));
}

/* Whether a view of the layer's may have a usage of its own: since Vulkan 1.1, or where the program's view has one. */
static inline bool view_takes_usage(const struct device *device, const VkImageViewCreateInfo *program)
{
    return device->api_version >= VK_API_VERSION_1_1 ||
           pnext_find(program->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO);
}

/* ---- Pairs (pair.c) ---- */

struct shared_sampler;

/* What a sampler state becomes with views of one key; constant. */
struct pair {
    struct pair *next; /* of the same state */
    uint64_t key;
    VkSampler sampler; /* shared by all samplers of the state; VK_NULL_HANDLE: the program's own serves */
    struct shared_sampler *shared;
    enum resolve_view view;
    bool without_border; /* the driver had no room for one more custom border colour */
    bool nothing;        /* its records are zero */
    uint32_t needs;      /* RECORD_NEED_* of its records, but for MIPS, which views of one key may differ in */
    struct record decision;
};

/* The last pair of this thread, and where it counts. */
struct last_pair {
    uint64_t serial, key;
    const struct pair *pair;
    uint32_t shard; /* 0: none yet */
};
extern _Thread_local struct last_pair last_pair;

/* The shard that this thread counts in. */
uint32_t thread_shard_take(void);
static inline uint32_t thread_shard_of(const struct last_pair *last)
{
    return last->shard ? last->shard : thread_shard_take();
}
static inline uint32_t thread_shard(void)
{
    return thread_shard_of(&last_pair);
}

uint64_t new_serial(void);

const struct pair *pair_look_up(struct track *track, struct interned *state, const struct view *view, uint64_t key,
                                struct last_pair *last);

/*
 * The pair of a state and a view, NULL: of the state alone. Good until the thread asks for the next one, at least.
 * Never NULL. Takes no lock but for pairs that were not met before.
 */
static inline const struct pair *pair_of_thread(struct track *track, struct interned *state, const struct view *view,
                                                struct last_pair *last)
{
    const uint64_t key = (uint64_t)state->id << 32 | (view ? view->key : 0);
    if (last->key == key && last->serial == atomic_load_explicit(&track->serial, memory_order_relaxed)) {
        count_own(&track->shards[last->shard].pair_hits[0]);
        return last->pair;
    }
    return pair_look_up(track, state, view, key, last);
}
static inline const struct pair *pair_of(struct track *track, struct interned *state, const struct view *view)
{
    return pair_of_thread(track, state, view, &last_pair);
}

/* Destroys the pairs of a state that nobody has any more. */
void pairs_forget(struct track *track, struct interned *state);

/* Driver samplers with a custom border colour are limited; false: there is no room for one more. */
bool border_slot_take(struct track *track);
void border_slot_give(struct track *track);

/* ---- Formats (formats.c) ---- */

/*
 * What images of a format and tiling can do; asked of the driver once, then without a lock. Images with DRM modifiers,
 * and all of them where memory has run out, count as filterable.
 */
VkFormatFeatureFlags2 format_features(struct track *track, VkFormat format, VkImageTiling tiling);
bool format_filters_linear(struct track *track, VkFormat format, VkImageTiling tiling);
void formats_finish(struct track *track);

/* Texels of a block of a compressed format; 1 x 1 for others. */
VkExtent2D format_block(VkFormat format);

/* What the size of an image is divided by for a plane of a format of several; 1 x 1 for planes of full size. */
VkExtent2D format_plane_divisor(VkFormat format, VkImageAspectFlags plane);

/* ---- Set layouts and pipeline layouts (layout.c, pipeline_layout.c) ---- */

struct immutable {
    VkSampler handle;
    struct sampler sampler; /* its state is referenced */
};

struct binding {
    uint32_t binding, new_binding;
    VkDescriptorType type;
    uint32_t count;              /* descriptors; the upper bound of a variable count */
    uint32_t first_record;       /* SPIRV_NO_RECORD: no records */
    uint32_t first_place;        /* the same in the buffer, where halves may stand between them */
    bool halves;                 /* combined image samplers, each with room for the records of its halves */
    struct immutable *immutable; /* `count` immutable samplers that the layer writes itself, or NULL */
    bool immutable_plain; /* immutable samplers that stay the driver's: records are zero, whatever a write names */
    VkSampler *plain;     /* their `count` handles, which tell layouts apart, or NULL */
};

/*
 * A binding of immutable samplers without images: what writes, pushes and templates have for it is ignored, their
 * pointer included (section "Push Descriptor Updates").
 */
static inline bool binding_stands(const struct binding *binding)
{
    return binding->type == VK_DESCRIPTOR_TYPE_SAMPLER && (binding->immutable || binding->immutable_plain);
}

/*
 * Immutable after creation but for the reference count. `bindings` ascends by binding number and leaves out bindings
 * with no descriptors, so that a write that runs over continues in the next element.
 */
struct set_layout {
    atomic_uint references;
    uint32_t binding_count;
    struct binding *bindings;
    struct spirv_binding *spirv_bindings; /* the same for the rewriter */
    uint16_t *index_of;                   /* binding number -> index, UINT16_MAX for none; NULL: search */
    uint32_t index_count;
    uint32_t record_binding; /* SPIRV_NO_RECORD: no records, the driver's layout is the program's */
    uint32_t record_count;
    uint32_t place_count;      /* records that the buffer has room for, those of halves included */
    uint32_t nearest_binding;  /* of a nearest sampler, where there are samplers of their own; or SPIRV_NO_RECORD */
    uint32_t variable;         /* index of the variable-count binding, or UINT32_MAX */
    bool storage;              /* records in a storage buffer */
    bool halves;               /* some binding has room for halves */
    bool samplers;             /* some descriptors with records are samplers of their own, or may become such */
    bool renumbered;           /* the variable-count binding moved up */
    bool immutable_below;      /* some immutable samplers are written by the layer */
    bool immutable_combined;   /* some combined image samplers with records have immutable samplers of any kind */
    bool update_after_bind;    /* some recorded binding may change after binding: the tier is fixed at creation */
    bool update_while_bound;   /* the same, or while it is bound and what changes is not used */
    bool push;                 /* created as a push descriptor layout by the program */
    bool push_converted;       /* and made an ordinary layout below, for lack of a slot */
    VkDescriptorSetLayout own; /* push_converted: the layer's duplicate, to allocate sets with */
};

static inline struct set_layout *set_layout_find(struct track *track, VkDescriptorSetLayout handle)
{
    return table_find(&track->set_layouts, HANDLE_KEY(handle));
}

/*
 * The types that a mutable binding of a layout, or a mutable size of a pool, may have: the list at that index of the
 * structure in the chain. NULL: there is none. The second asks whether SAMPLER is among them.
 */
const VkMutableDescriptorTypeListEXT *mutable_types(const void *chain, uint32_t index);
bool mutable_holds_samplers(const void *chain, uint32_t index);

struct set_layout *set_layout_ref(struct set_layout *layout); /* NULL stays NULL */
void set_layout_unref(struct track *track, struct set_layout *layout);

/* The binding with that number, or NULL; by search where the layout has no index. */
const struct binding *set_layout_search(const struct set_layout *layout, uint32_t number);
static inline const struct binding *set_layout_binding(const struct set_layout *layout, uint32_t number)
{
    if (!layout->index_of)
        return set_layout_search(layout, number);
    uint32_t index = number < layout->index_count ? layout->index_of[number] : UINT16_MAX;
    return index == UINT16_MAX ? NULL : &layout->bindings[index];
}

struct pipeline_layout {
    atomic_uint references;
    VkPipelineLayout own; /* the layer's duplicate, if something is compiled later; else VK_NULL_HANDLE */
    uint32_t set_count;
    struct set_layout **sets; /* referenced; NULL: not known or empty */
    struct spirv_set *spirv_sets;
    struct spirv_layout spirv; /* over spirv_sets */
    bool records;              /* some set has records */
    bool halves;               /* some set has room for those of halves */
    bool renumbered;
    bool fixed; /* some set may change after binding */
};

static inline struct pipeline_layout *pipeline_layout_find(struct track *track, VkPipelineLayout handle)
{
    return table_find(&track->pipeline_layouts, HANDLE_KEY(handle));
}

/* An empty layout with one reference, or NULL; `pipeline_layout_fill` gives it its sets (false: out of memory). */
struct pipeline_layout *pipeline_layout_create(struct track *track);
bool pipeline_layout_fill(struct track *track, uint32_t set_count, const VkDescriptorSetLayout *sets,
                          struct pipeline_layout *layout);
struct pipeline_layout *pipeline_layout_ref(struct pipeline_layout *layout); /* NULL stays NULL */
void pipeline_layout_unref(struct track *track, struct pipeline_layout *layout);

/*
 * A layout for a pipeline of the layer's own that has neither sets nor push constants, to be bound between the
 * program's. It has all push constants nevertheless: drivers that keep only as many as the bound layout has then keep
 * the program's, which binding another layout must not disturb (section "Push Constant Updates").
 */
VkResult own_layout_create(struct track *track, VkShaderStageFlags stages, VkPipelineLayout *layout);

/*
 * The layout that a command names: `layout`, or where that is VK_NULL_HANDLE one for the structure in the command's
 * chain, made when it is first needed (dynamic_layout.c). Layouts whose set `set` has nothing of the layer's need none.
 * VK_NULL_HANDLE with command->error set if memory runs out. `command` may be NULL.
 */
VkPipelineLayout dynamic_layout(struct command *command, VkPipelineLayout layout, const void *chain, uint32_t set);
/* A set layout goes: its handle may come again. What was made with it stays for what is being recorded. */
void dynamic_layouts_retire(struct track *track, VkDescriptorSetLayout set_layout);
/* At the end of the device. */
void dynamic_layouts_finish(struct track *track);

/* ---- Pools and sets (pool.c) ---- */

struct pool {
    VkAllocationCallbacks callbacks; /* the program's, for the sets; pfnAllocation NULL: none */
    struct set *sets;                /* those that have records or special bindings */
    struct arena *arenas;
    uint32_t record_capacity; /* records that the pool's sizes allow for */
    uint32_t max_sets;
    bool can_free; /* sets can be freed one by one */
};

/* What some descriptors need, and how many of them each. */
struct need_counts {
    _Atomic(uint32_t) any; /* RECORD_NEED_* that some descriptor has */
    uint32_t counts[RECORD_NEED_KINDS];
};

/*
 * One of them needs something else. Descriptors that may change after binding may be written by several threads at once
 * (VkDescriptorBindingFlagBits). Pipelines that see them have one tier, so it does no harm that the needs of such a set
 * only grow.
 */
static inline void needs_change(struct need_counts *needs, bool concurrent, uint32_t before, uint32_t after)
{
    if (concurrent) {
        atomic_fetch_or_explicit(&needs->any, after, memory_order_relaxed);
        return;
    }
    uint32_t any = atomic_load_explicit(&needs->any, memory_order_relaxed) | after;
    for (uint32_t more = after & ~before; more; more &= more - 1)
        needs->counts[__builtin_ctz(more)]++;
    for (uint32_t less = before & ~after; less; less &= less - 1) {
        if (--needs->counts[__builtin_ctz(less)] == 0)
            any &= ~(less & -less);
    }
    atomic_store_explicit(&needs->any, any, memory_order_relaxed);
}

/* What the host keeps of a descriptor beside its record's copy. */
struct descriptor_note {
    uint32_t needs;             /* RECORD_NEED_* of the record, bit 31: it is not zero */
    uint32_t half_needs;        /* RECORD_NEED_* of the records of its halves, where they are kept */
    _Atomic(uint32_t) layout;   /* of an image: the VkImageLayout that was written + 1; 0: nothing was */
    _Atomic(VkImageView) view;  /* that was written, by the program's handle; may be gone */
    _Atomic(VkSampler) sampler; /* likewise; of no account where the layout has immutable ones */
};

/* What a note says of the last write. A draw may read the note while another thread writes it (halves.c). */
struct written {
    uint32_t layout;
    VkImageView view;
    VkSampler sampler;
};

static inline struct written note_read(const struct descriptor_note *note)
{
    return (struct written){
        atomic_load_explicit(&note->layout, memory_order_relaxed),
        atomic_load_explicit(&note->view, memory_order_relaxed),
        atomic_load_explicit(&note->sampler, memory_order_relaxed),
    };
}

static inline void note_write(struct descriptor_note *note, struct written written)
{
    atomic_store_explicit(&note->layout, written.layout, memory_order_relaxed);
    atomic_store_explicit(&note->view, written.view, memory_order_relaxed);
    atomic_store_explicit(&note->sampler, written.sampler, memory_order_relaxed);
}

/* The records of one set, in its memory and on the host. */
struct records {
    uint32_t count;
    bool concurrent; /* several threads may write records: the needs only grow */
    struct need_counts needs;
    _Atomic(bool) halves_wanted; /* whoever notes a write puts the records of its halves, too */
    _Atomic(bool) halves;        /* those of all descriptors are there */
    struct need_counts half_needs;
    struct record *gpu;            /* where shaders read them; write only; NULL: sent later */
    struct record *shadow;         /* what is there */
    struct descriptor_note *notes; /* of each of them; right behind the records */
};

/* Bytes of a host copy of records and of the notes. */
static inline size_t shadow_bytes(uint32_t record_count)
{
    return record_count * (sizeof(struct record) + sizeof(struct descriptor_note));
}

struct set {
    VkDescriptorSet handle;
    struct pool *pool;
    struct set *previous, *next;
    struct set_layout *layout; /* referenced */
    struct arena *arena;
    uint32_t first_unit, unit_count; /* of the arena */
    uint32_t place_count;            /* records that its memory has room for */
    uint32_t variable_count;         /* descriptors that this set has of its layout's variable-count binding */
    struct records records;
    _Alignas(struct descriptor_note) struct record shadow[]; /* the notes behind them */
};

static inline struct set *set_find(struct track *track, VkDescriptorSet handle)
{
    return table_find(&track->sets, HANDLE_KEY(handle));
}

/* ---- Records (update.c) ---- */

/* Does it ask the shader for nothing, and say nothing? */
static inline bool record_is_zero(const struct record *record)
{
    static const struct record zero;
    return record->flags == 0 && memcmp(record, &zero, sizeof(zero)) == 0;
}

/* Do descriptors of this type have records on this device? Hangs on what the program enabled and on settings. */
bool type_has_records(const struct device *device, VkDescriptorType type);

/*
 * Where writes of a type have their infos. The other members are ignored (section "Descriptor Set Updates") and may
 * hold anything: nothing reads them.
 */
enum info_kind {
    INFO_IMAGES,        /* pImageInfo */
    INFO_BUFFERS,       /* pBufferInfo */
    INFO_TEXEL_BUFFERS, /* pTexelBufferView */
    INFO_CHAINED,       /* a structure in the chain, for all of the write */
};
enum info_kind info_kind(VkDescriptorType type);

/*
 * What a descriptor of an image, a sampler or both becomes: its record, and what the driver gets in the place of
 * *program. `immutable` replaces the sampler if not NULL; `fixed`: the sampler is immutable below and plain,
 * whatever *program names. Unknown handles give a zero record and stay as they are. True if *below differs from
 * *program.
 */
bool descriptor_resolve(struct track *track, VkDescriptorType type, const VkDescriptorImageInfo *program,
                        const struct immutable *immutable, bool fixed, VkDescriptorImageInfo *below,
                        struct record *record);

/* Puts the record of a binding's element in its place: shadow, GPU memory and needs. */
void records_put(struct track *track, struct records *records, const struct binding *binding, uint32_t element,
                 const struct record *record);

/*
 * Puts the records of everything that one write names; runs on into following bindings as the write does. True if the
 * driver must get something else than what the write names: see write_below.
 */
bool records_write(struct track *track, struct records *records, const struct set_layout *layout,
                   const VkWriteDescriptorSet *write);

/* A piece of a write within one binding. */
struct write_run {
    const struct binding *binding;
    uint32_t element; /* first array element in the binding */
    uint32_t first;   /* first info of the write */
    uint32_t count;
};

/* The next piece; starts with *run all zero, false after the last. */
bool write_next_run(const struct set_layout *layout, const VkWriteDescriptorSet *write, struct write_run *run);

enum { WRITE_CHUNK = 32 }; /* infos that are copied to the stack at a time */

/*
 * Calls `emit` with writes as the driver gets them: binding numbers as they are below, one binding a write, the
 * samplers and views that serve what the program's stand for, the layer's samplers in place of immutable ones. No
 * allocation, whatever the size.
 */
void write_below(struct track *track, const struct set_layout *layout, const VkWriteDescriptorSet *write,
                 void (*emit)(const VkWriteDescriptorSet *write, void *user), void *user);

/* A write to a set as `emit` of write_below; `user` is the device. */
void emit_update(const VkWriteDescriptorSet *write, void *user);

/* ---- Halves of combined image samplers (halves.c) ---- */

/*
 * Where a shader puts the image of one combined image sampler together with a sampler from elsewhere, or the other way
 * round, their own records do not help: they say what image and sampler need together. The buffer has room behind each
 * for what image and sampler would have as descriptors of their own. It is filled from the first draw on that reads it.
 */

/* Place of a record in the buffer; those of the image's and the sampler's half are the next two. */
static inline uint32_t binding_place(const struct binding *binding, uint32_t element)
{
    return binding->first_place + element * (binding->halves ? SPIRV_RECORDS_OF_HALVES : 1u);
}

/*
 * Must the records of halves follow what was noted? The first does not say it for certain, but costs nothing. The
 * second is for the thread that has just noted something: where a draw may begin to read halves at the same time, it
 * either sees what was noted or is seen here, by the fences on both sides (the other is in halves.c).
 */
static inline bool halves_may_follow(const struct records *records, const struct set_layout *layout)
{
    return layout->halves &&
           (layout->update_while_bound || atomic_load_explicit(&records->halves_wanted, memory_order_relaxed));
}

static inline bool halves_follow(const struct records *records, const struct set_layout *layout)
{
    if (!halves_may_follow(records, layout))
        return false;
    if (layout->update_while_bound)
        atomic_thread_fence(memory_order_seq_cst);
    return atomic_load_explicit(&records->halves_wanted, memory_order_relaxed);
}

/* Puts the records of the halves of some elements, from what was noted of their last writes. Locks. */
void halves_put(struct track *track, struct records *records, const struct binding *binding, uint32_t element,
                uint32_t count);

/* The same for everything that one write names. */
void halves_put_written(struct track *track, struct records *records, const struct set_layout *layout,
                        const VkWriteDescriptorSet *write);

/*
 * Notes outlive the views and samplers that they name, which other threads may destroy. Whoever looks such an object up
 * does so between the first two, and has done with it by the second. Whoever destroys one calls the third after it has
 * left its table, and before it is freed.
 */
void notes_follow_begin(struct track *track);
void notes_follow_end(struct track *track);
void notes_forgotten(struct track *track);

struct bound_set;

/* What the halves of all descriptors of a bound set need, which are there from now on. */
uint32_t halves_of_bound(struct track *track, const struct bound_set *bound);

/* Fills fresh memory with the records of a set; those of halves are zero unless somebody reads them. */
void halves_copy(struct track *track, const struct records *records, const struct set_layout *layout,
                 struct record *memory);

/* ---- Copies (descriptor_copy.c) ---- */

/* Copies the records; `from` or `to` is NULL where the layer has nothing in that set. */
void copy_records(struct track *track, const struct set *from, struct set *to, const VkCopyDescriptorSet *copy);

/* Must the driver get something else than the copy as it is: copy_below? */
bool copy_is_special(const struct set *from, const struct set *to);

/* The copy as the driver gets it, where copy_records has run for it, and for no later one yet. */
void copy_below(struct track *track, const struct set *from, const struct set *to, const VkCopyDescriptorSet *copy);

/* ---- Templates (template.c) ---- */

struct update_template {
    struct set_layout *layout;      /* referenced; NULL: nothing of the layer's in it */
    bool push;                      /* for vkCmdPushDescriptorSetWithTemplate */
    VkPipelineBindPoint bind_point; /* of a push template */
    uint32_t entry_count;
    VkDescriptorUpdateTemplateEntry entries[]; /* as the program gave them */
};

/*
 * Calls `visit` with a write (dstSet NULL) for each entry of the template, split so that its infos fit the stack; data
 * is the program's raw memory. Writes to bindings that stand have no infos, and nothing is read for them.
 */
void template_visit(const struct update_template *update, const void *data,
                    void (*visit)(const VkWriteDescriptorSet *write, void *user), void *user);

static inline struct update_template *template_find(struct track *track, VkDescriptorUpdateTemplate handle)
{
    return table_find(&track->templates, HANDLE_KEY(handle));
}

/* ---- Shader modules (shader.c) ---- */

struct module {
    atomic_uint references;
    struct spirv_facts facts; /* zero if the words do not parse: the module is never changed */
    bool malformed;
    uint64_t hash; /* of the words */
    size_t word_count;
    uint32_t words[];
};

static inline struct module *module_find(struct track *track, VkShaderModule handle)
{
    return table_find(&track->modules, HANDLE_KEY(handle));
}

/* What a module's content is known by in messages and dumps; equal words, equal hash. */
uint64_t module_hash(const uint32_t *words, size_t word_count);

/* A module object for these words, with one reference, or NULL if memory runs out. */
struct module *module_create(struct track *track, const uint32_t *words, size_t word_count);
struct module *module_ref(struct module *module);
void module_unref(struct track *track, struct module *module);

/* ---- Settings for those who look inside (inspect.c) ---- */

/*
 * Dumps and validates a rewritten module where the settings say so. False: it is not valid and must not be used, which
 * has been said. May be called by several threads at once.
 */
bool inspect_rewrite(struct track *track, const struct module *module, const struct pipeline_layout *layout,
                     uint32_t tier, const struct spirv_output *output);

/*
 * The words of a module at a tier, under a pipeline layout. VK_SUCCESS with *words NULL: the module's own. Else *words
 * belongs to the caller, who frees it with free().
 */
VkResult module_at_tier(struct track *track, const struct module *module, const struct pipeline_layout *layout,
                        uint32_t tier, uint32_t **words, size_t *word_count);

/* Does it take combined image samplers of these sets apart? Yes if memory runs out. */
bool module_takes_halves(const struct module *module, const struct pipeline_layout *layout);

/* The same as a driver's module; *created stays VK_NULL_HANDLE if the module's own words serve and `always` is false.
 */
VkResult module_below(struct track *track, const struct module *module, const struct pipeline_layout *layout,
                      uint32_t tier, bool always, VkShaderModule *created);

/* ---- Rewritten modules by content (module_cache.c); thread-safe ---- */

struct module_cache *module_cache_create(void); /* NULL: out of memory */
void module_cache_destroy(struct track *track, struct module_cache *cache);

/* True with a copy (malloc) of the cached words, or *words NULL if rewriting left the module as it was. */
bool module_cache_get(struct module_cache *cache, const struct module *module, const struct pipeline_layout *layout,
                      uint32_t tier, uint32_t **words, size_t *word_count);
/* Keeps a copy; forgets what was used longest ago where that exceeds the byte limit. Fails silently. */
void module_cache_put(struct track *track, struct module_cache *cache, struct module *module,
                      const struct pipeline_layout *layout, uint32_t tier, const uint32_t *words, size_t word_count);

/* ---- Render passes (renderpass.c) ---- */

struct pass_attachment {
    VkFormat format;
    uint32_t with_alpha; /* blend_format_index() + 1 of the format if it has alpha, else 0 */
    VkAttachmentLoadOp load;
    VkAttachmentStoreOp store;
    VkImageLayout initial, final;
};

/* Nothing in it is worth keeping when the pass begins. */
static inline bool pass_attachment_undefined(const struct pass_attachment *attachment)
{
    return attachment->load == VK_ATTACHMENT_LOAD_OP_DONT_CARE ||
           (attachment->load == VK_ATTACHMENT_LOAD_OP_LOAD && attachment->initial == VK_IMAGE_LAYOUT_UNDEFINED);
}

struct subpass_facts {
    bool color, depth;                  /* it uses such attachments */
    uint32_t color_count;               /* COLOR_ATTACHMENTS at most */
    uint32_t colors[COLOR_ATTACHMENTS]; /* attachments, or VK_ATTACHMENT_UNUSED */
    uint32_t resolves[COLOR_ATTACHMENTS];
};

struct render_pass {
    atomic_uint references;
    VkRenderPass own;      /* the layer's duplicate */
    VkRenderPass clearing; /* the same, but what need not be loaded of formats with alpha is cleared; or none */
    uint32_t views;        /* multiview: those that all subpasses render; 0 without */
    uint32_t attachment_count;
    struct pass_attachment *attachments;
    uint32_t subpass_count;
    struct subpass_facts subpasses[];
};

static inline struct render_pass *render_pass_find(struct track *track, VkRenderPass handle)
{
    return table_find(&track->render_passes, HANDLE_KEY(handle));
}

struct render_pass *render_pass_ref(struct render_pass *pass); /* NULL stays NULL */
void render_pass_unref(struct track *track, struct render_pass *pass);

/* ---- Pipelines ---- */

/* Stages of a pipeline while it is created (stages.c): the module of each stage and, where replaced, the new one. */
struct stages {
    uint32_t count;
    VkPipelineShaderStageCreateInfo *infos; /* shallow copies of the program's, modules replaced by stages_to_tier */
    struct module **modules;                /* referenced; NULL: code that the layer has not seen */
    VkShaderModule *replaced;               /* VK_NULL_HANDLE where the program's own serves */
    void **chains;                          /* memory of chains that leave the inline code out */
    bool identifiers;                       /* some stage is only the identifier of a module */
    bool unseen;                            /* the layer has not seen the code of some stage */
};

/* VK_SUCCESS, or VK_ERROR_OUT_OF_HOST_MEMORY with nothing kept. */
VkResult stages_open(struct track *track, uint32_t stage_count, const VkPipelineShaderStageCreateInfo *infos,
                     struct stages *stages);
/* Puts modules of a tier in the place of those that differ there; *changed says whether any does. */
VkResult stages_to_tier(struct track *track, struct stages *stages, const struct pipeline_layout *layout, uint32_t tier,
                        bool *changed);
/* What any of the stages does, as spirv_scan found out. */
struct spirv_facts stages_facts(const struct stages *stages);
/* Does some stage take combined image samplers of these sets apart? */
bool stages_take_halves(const struct stages *stages, const struct pipeline_layout *layout);
bool stages_transform_feedback(const struct stages *stages);
/* Destroys the replaced modules, too: the pipelines made of them must exist by now. */
void stages_close(struct track *track, struct stages *stages);

/*
 * What is needed to compile the tiers of a pipeline later, when all of the program's inputs may be gone (recipe.c).
 */
struct recipe {
    VkGraphicsPipelineCreateInfo *graphics; /* deep copies, one block each, freed with free(); one of the two is set */
    VkComputePipelineCreateInfo *compute;
    uint32_t stage_count;
    struct module **modules;         /* referenced; one a stage */
    struct render_pass *render_pass; /* referenced, or NULL */
};

/*
 * VK_SUCCESS; VK_INCOMPLETE if a structure in the chain is not known and cannot be copied; VK_ERROR_OUT_OF_HOST_MEMORY.
 * On anything but VK_SUCCESS the recipe is empty.
 */
VkResult recipe_graphics(struct track *track, const struct graphics_state *state, const struct stages *stages,
                         const struct pipeline_layout *layout, struct recipe *recipe);
VkResult recipe_compute(struct track *track, const VkComputePipelineCreateInfo *info, const struct stages *stages,
                        const struct pipeline_layout *layout, struct recipe *recipe);
void recipe_finish(struct track *track, struct recipe *recipe);
/* Compiles a tier; `blend` NULL: with the recipe's own blend state, else with that for the mask. */
VkResult recipe_compile(struct track *track, const struct recipe *recipe, const struct pipeline_layout *layout,
                        uint32_t tier, const struct pipeline_blend *blend, uint32_t mask, VkPipeline *pipeline);

/*
 * Tiers as pipelines are kept by them. What few records ask of tier 2's filter (spirv_options.extras) is compiled only
 * where it is needed, as a tier of its own that counts as the second. TIER_NEAREST counts as the first: pipelines that
 * get no other tier are made of it where separate samplers may filter images that cannot be filtered.
 */
enum { TIER_FILTER = 2, TIER_EXTRAS = 3, TIER_NEAREST = 4, TIER_COUNT = 5 };

static inline uint32_t tier_told(uint32_t tier)
{
    return tier < TIER_FILTER ? tier : tier == TIER_NEAREST ? 1 : TIER_FILTER;
}

struct pipeline {
    VkPipeline handle;
    VkPipelineBindPoint bind_point;
    struct pipeline_layout *layout; /* referenced */
    uint32_t follows;               /* RECORD_NEED_* that some shader can act on; 0: the plain pipeline serves always */
    bool halves;                    /* some shader takes combined image samplers apart */
    bool fixed;                     /* one tier for its whole life: `handle` is that tier's */
    uint32_t fixed_tier;
    _Atomic(VkPipeline) tiers[TIER_COUNT]; /* [0] is the program's own */
    _Atomic(VkResult) failed[TIER_COUNT];  /* why compiling that tier failed: not tried again */
    struct recipe recipe;                  /* empty where nothing is compiled later */
    struct pipeline_blend blend;
    _Atomic(struct variant *) variants; /* for alpha-to-one attachments; in front of the list is the newest */
};

static inline struct pipeline *pipeline_find(struct track *track, VkPipeline handle)
{
    return table_find(&track->pipelines, HANDLE_KEY(handle));
}

/*
 * The driver's pipeline of that tier, compiled now if it is the first time; any thread. VK_NULL_HANDLE and *error if
 * that fails.
 */
VkPipeline pipeline_tier(struct track *track, struct pipeline *pipeline, uint32_t tier, VkResult *error);

/* The same for the variant of that tier with that key (pipeline_blend_key). */
VkPipeline pipeline_variant(struct track *track, struct pipeline *pipeline, uint32_t tier, uint32_t key,
                            VkResult *error);

/* The driver's pipeline if it has been compiled, else VK_NULL_HANDLE. No lock. */
VkPipeline pipeline_compiled(const struct pipeline *pipeline, uint32_t tier, uint32_t key);

/* The tier that pipelines get whose tier must be known when they are created. */
uint32_t fixed_tier(const struct track *track);

/* ---- Command buffers (command.c, draw.c, push.c) ---- */

enum { POINT_GRAPHICS, POINT_COMPUTE, POINT_RAY_TRACING, POINT_COUNT };

struct bound_set {
    uint32_t needs; /* RECORD_NEED_* of the set when it was bound */
    VkDescriptorSet set;
    struct push_state *push; /* push descriptors in this place, or NULL */
};

struct bind_point {
    struct pipeline *pipeline; /* NULL: nothing bound, or nothing of the layer's in it */
    VkPipeline bound;          /* the driver pipeline, known or not; VK_NULL_HANDLE: none, or shader objects */
    uint32_t tier;             /* of the driver pipeline that is bound */
    uint32_t key;              /* of its variant */
    bool shaders;              /* shader objects are bound instead */
    bool dirty;                /* something was bound since the last draw that may change what it needs */
    struct bound_set *sets;    /* track->device's maxBoundDescriptorSets of them */
};

struct command {
    _Atomic(VkCommandBuffer) handle; /* VK_NULL_HANDLE: not in use; a thread that had it last may look at it any time */
    struct device *device;
    struct track *track;
    struct command_pool *pool;
    struct command *previous, *next; /* in the pool */
    struct bind_point points[POINT_COUNT];
    bool secondary;
    struct pass_state pass;
    struct command_blend blend;
    struct dynamic_state *dynamic; /* NULL where nothing is drawn by the layer in between */
    uint64_t recording;            /* unique, never 0 (fill_new_recording) */
    bool dirties;                  /* it writes images and knows nothing of their alpha */
    VkResult error;                /* for vkEndCommandBuffer */
    uint64_t draws[TIER_COUNT];
    struct push_state *push_states; /* all of the command buffer's, in use or not */
    struct push_ring *ring;         /* memory of pushed records */
    struct blit_scratch *scratch;   /* memory of blits, in use or not */
    VkShaderEXT compute_shader;     /* the shader object that is bound for compute, if points[POINT_COMPUTE] has none */
    bool inherits_condition;        /* conditional rendering of the command buffer that executes it */
    VkConditionalRenderingBeginInfoEXT conditional; /* begun here; its buffer is VK_NULL_HANDLE if not */
    struct bound_set *set_storage;                  /* of all points */
    uint32_t set_limit;                             /* sets of one point */
};

struct command_pool {
    struct command *commands;
    bool compute; /* its queue family has compute; looked up only where blits may need it */
};

/*
 * The last command buffer that this thread recorded into. State memory stays until its device goes, so that `handle` in
 * it can be read to see whether it is still the one that is meant. The epoch grows when a device goes: whatever a
 * thread remembers from before is void.
 */
struct last_command {
    VkCommandBuffer handle;
    struct command *command;
    uint64_t epoch;
};
extern _Thread_local struct last_command last_command;
extern _Atomic(uint64_t) command_epoch;

/* Looks the command buffer up in its device's table, and remembers it. */
struct command *command_find(VkCommandBuffer handle);

/* Its state if it is the thread's last command buffer, else NULL. */
static inline struct command *command_last(VkCommandBuffer handle)
{
    const struct last_command *last = &last_command;
    if (last->handle == handle && last->epoch == atomic_load_explicit(&command_epoch, memory_order_relaxed) &&
        atomic_load_explicit(&last->command->handle, memory_order_relaxed) == handle)
        return last->command;
    return NULL;
}

/* The command buffer's state, or NULL if the layer has not seen it. */
static inline struct command *command_of(VkCommandBuffer handle)
{
    struct command *command = command_last(handle);
    return command ? command : command_find(handle);
}

/* Between POINT_* and Vulkan's bind points and stages. */
uint32_t point_of(VkPipelineBindPoint bind_point);
VkPipelineBindPoint bind_point_of(uint32_t point);
VkShaderStageFlags point_stages(uint32_t point);

/*
 * Brings the tier and what was pushed up to date before a draw or dispatch, where something was bound since the last.
 * False, with command->error set: what was pushed cannot be made current, so the draw must not reach the driver.
 */
bool draw_prepare(struct command *command, struct bind_point *point);

/* Frees the spare command buffers' memory, at the end of the device. */
void commands_finish(struct track *track);

/* The program's conditional rendering, ended and begun again around what the layer records by itself (condition.c). */
void condition_suspend(const struct command *command);
void condition_resume(const struct command *command);

struct push_state {
    struct push_state *next;
    uint32_t point, set;             /* its place */
    struct set_layout *layout;       /* referenced */
    VkPipelineLayout program_layout; /* of the last push */
    bool used;                       /* since the last reset */
    bool dirty;                      /* the GPU has not seen the newest records (converted: descriptors) */
    struct records records;
    struct push_descriptor *descriptors; /* converted only: all that was pushed, by binding and element */
    uint32_t descriptor_count;
    struct push_pool *pools; /* converted only */
};

/* Another set was bound in this place: what was pushed there is gone. */
static inline void push_unbind(struct bound_set *slot)
{
    slot->push = NULL;
}

/*
 * Makes what was pushed current for a draw: the records, or the whole set where it was converted. `layout` is
 * compatible with everything that is bound. False, with command->error set: there was no memory for it.
 */
bool push_flush(struct command *command, struct push_state *push, VkPipelineLayout layout);

/* Nothing is pushed any more, and memory may be used again: after vkBeginCommandBuffer and resets. */
void push_reset(struct command *command);
void push_finish(struct command *command);

/* ---- Small things ---- */

/*
 * OR_NULL(result, &handle): the result of a creation below. What one that failed leaves in its output is undefined
 * (section "Return Codes"); here it is VK_NULL_HANDLE, so that nobody takes it for an object.
 */
#define OR_NULL(RESULT, OUTPUT) or_null((RESULT), (OUTPUT), sizeof(*(OUTPUT)))
static inline VkResult or_null(VkResult result, void *output, size_t size)
{
    if (result != VK_SUCCESS)
        memset(output, 0, size);
    return result;
}

/* Copies the callbacks, or leaves pfnAllocation NULL. `callbacks_of` gives them back as Vulkan takes them. */
static inline void callbacks_keep(VkAllocationCallbacks *kept, const VkAllocationCallbacks *callbacks)
{
    if (callbacks)
        *kept = *callbacks;
    else
        *kept = (VkAllocationCallbacks){0};
}

static inline const VkAllocationCallbacks *callbacks_of(const VkAllocationCallbacks *kept)
{
    return kept->pfnAllocation ? kept : NULL;
}

#endif
