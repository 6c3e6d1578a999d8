/* SPDX-License-Identifier: MIT */
/*
 * Set layouts with a binding of records (set_layout.c, layout_plan.c). Counted: pipelines and sets keep them when the
 * program destroys theirs. Immutable after creation but for the count.
 */
#ifndef CLAMPLER_LAYOUTS_SET_LAYOUT_H
#define CLAMPLER_LAYOUTS_SET_LAYOUT_H

#include <stdatomic.h>

#include "layouts/layouts.h"
#include "objects/table.h"
#include "objects/track.h"
#include "sampling/sampler.h"
#include "spirv/spirv.h"

struct immutable {
    VkSampler handle;
    struct sampler sampler; /* its state is referenced */
};

struct binding {
    uint32_t binding, new_binding;
    VkDescriptorType type;
    uint32_t count;              /* descriptors; the upper bound of a variable count */
    uint32_t first_record;       /* SPIRV_NO_RECORD: no records */
    uint32_t first_place;        /* the same in the buffer, where those of split samplers may stand between them */
    uint32_t first_bit;          /* of the set's mask words, of combined image samplers; RECORD_MASK_BITS: none */
    bool split;                  /* combined image samplers, each with room for the records of both when it is split */
    struct immutable *immutable; /* `count` immutable samplers that the layer writes itself, or NULL */
    bool immutable_native; /* immutable samplers that the driver's layout has, too: records are zero, whatever a write
                              names */
    VkSampler *native_handles; /* their `count` handles, by which layouts are compared, or NULL */
    uint32_t scale;    /* app-managed: descriptors of the driver's for each of the program's; 0: as the program says */
    uint32_t nearest;  /* app-managed samplers: spirv_binding.nearest */
    uint32_t stride;   /* app-managed, with `scale`: bytes from one of the program's descriptors to the next */
    VkSampler *driver; /* app-managed: the driver's immutable samplers, `scale` for each of the program's, or NULL */
    uint32_t *record_indices;                  /* embedded samplers: their record indices, or NULL */
    uint32_t index_offset_of_half[HALF_KINDS]; /* app-managed: bytes from a descriptor to its record index, by the type
                                                  that the shader declares */
};

/* The properties of a binding that most writes read. */
struct binding_brief {
    uint32_t count;            /* descriptors; 0: there is no such binding */
    uint32_t first_record;     /* SPIRV_NO_RECORD: no records */
    uint32_t one;              /* 1, for a comparison of both words with a write of one descriptor */
    VkDescriptorType saved_as; /* writes of this type may only save their handles; MAX_ENUM: none (save.h) */
};

/*
 * A binding of immutable SAMPLER descriptors: writes, pushes and templates of it are ignored, with their pointer
 * (section "Push Descriptor Updates").
 */
static inline bool binding_stands(const struct binding *binding)
{
    return binding->type == VK_DESCRIPTOR_TYPE_SAMPLER && (binding->immutable || binding->immutable_native);
}

/* Are these elements all within it? */
static inline bool brief_has(const struct binding_brief *brief, uint32_t element, uint32_t count)
{
    return element < brief->count && count <= brief->count - element;
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
    struct binding_brief *briefs;         /* by binding number, too; NULL where the other is */
    uint32_t index_count;
    uint32_t record_binding; /* SPIRV_NO_RECORD: no records, the driver's layout is the program's */
    uint32_t record_count;
    uint32_t place_count;     /* records that the buffer has room for, mask words and split samplers' included */
    uint32_t nearest_binding; /* of a nearest sampler, where one may be needed; or SPIRV_NO_RECORD */
    uint32_t variable;        /* index of the variable-count binding, or UINT32_MAX */
    bool storage;             /* records in a storage buffer */
    bool masks;               /* the buffer begins with mask words (struct record_masks) */
    bool split;               /* some binding has room for split samplers */
    bool samplers;            /* some descriptors with records are samplers of their own, or may become such; or any are
                                 samplers, where their texels are sampled (spirv_options.texels_sampled) */
    bool renumbered;          /* bindings of the layer's stand before some of the program's, moved or not */
    bool driver_immutable;    /* some immutable samplers are written by the layer */
    bool mutable_records;     /* some mutable descriptors have records */
    bool immutable_combined;  /* some combined image samplers with records have immutable samplers of any kind */
    unsigned relaxed;         /* RELAXED_* of the bindings with records, and of the layout's flags */
    bool app_descriptors;     /* application-managed descriptors: records by record index */
    bool by_stage;            /* bound by stage: app-managed descriptors are not followed */
    bool embedded;            /* of embedded immutable samplers, which are in no memory */
    bool push;                /* created as a push descriptor layout by the program */
    bool push_converted;      /* and the driver's layout is not one for push descriptors, for lack of a slot */
    VkDescriptorSetLayout duplicate; /* push_converted: the layer's duplicate, to allocate sets with */
};

static inline struct set_layout *set_layout_find(struct track *track, VkDescriptorSetLayout handle)
{
    return table_find(&track->layouts->set_layouts, HANDLE_KEY(handle));
}

/*
 * mutable_types(): the types that a mutable binding of a layout, or a mutable size of a pool, may have: the list at
 * that index of the structure in the chain; NULL: none. mutable_holds_samplers(): whether SAMPLER is in that list.
 */
const VkMutableDescriptorTypeListEXT *mutable_types(const void *chain, uint32_t index);
bool mutable_holds_samplers(const void *chain, uint32_t index);

/*
 * Gives the first combined image samplers their bits of mask words, and the layout mask words if there are any; called
 * once its bindings have their records. `room`: the buffer has a place for the words. None where descriptors are
 * written while others are read: there a writer uploads its own record alone.
 */
void set_layout_assign_bits(struct set_layout *layout, bool room);

struct set_layout *set_layout_ref(struct set_layout *layout); /* NULL gives NULL */
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

/* True: descriptors of this type have records on this device. Depends on the program's features and on settings. */
bool type_has_records(const struct device *device, VkDescriptorType type);

#endif
