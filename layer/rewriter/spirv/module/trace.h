/* SPDX-License-Identifier: MIT */
/* Trace: finds the record of a descriptor's value or pointer. Reads the module, writes nothing. */
#ifndef CLAMPLER_SPIRV_TRACE_H
#define CLAMPLER_SPIRV_TRACE_H

#include "spirv/module/module.h"

enum record_origin {
    ORIGIN_UNKNOWN,   /* cannot be known from the code */
    ORIGIN_NONE,      /* the layout has no record for this descriptor: lookups are not changed */
    ORIGIN_SET,       /* in the records of a set */
    ORIGIN_PARAMETER, /* of a function: the record's identity travels beside it */
    ORIGIN_HEAP,      /* its record index is in a descriptor heap */
};

#define RECORD_STEPS 8u

/*
 * Record = first + the sum of index * stride. ORIGIN_HEAP: of bindings that are mapped to heaps the element, counted
 * from the mapping's first one; else the bytes from the heap's beginning to the record index.
 */
struct record_source {
    enum record_origin origin;
    enum record_half half;     /* the type of the value: an image, a sampler, or both in one */
    enum record_half declared; /* the same of the variable, or of the parameter */
    bool split;    /* ORIGIN_SET: split samplers have records of their own, which `first` and strides count */
    bool embedded; /* ORIGIN_SET, ORIGIN_HEAP: the descriptor has an embedded record index */
    uint32_t set;  /* ORIGIN_SET */
    const struct spirv_binding *binding; /* ORIGIN_SET */
    const struct spirv_mapping *mapping; /* ORIGIN_HEAP: of a binding; NULL: there is none */
    uint32_t base;      /* ORIGIN_HEAP, without a mapping: index of the heap's address in the root table */
    uint32_t parameter; /* ORIGIN_PARAMETER: id */
    uint32_t first;     /* ORIGIN_PARAMETER: in descriptors from the parameter's own on, as strides are */
    uint32_t step_count;
    struct {
        uint32_t index; /* id of an integer */
        uint32_t stride;
        uint32_t stride_id; /* ORIGIN_HEAP: id of an integer constant in the place of `stride`; 0: none */
    } steps[RECORD_STEPS];
};

/* `id` is an image, sampler or sampled image, or a pointer to one or to an array of them. */
void trace_descriptor(const struct module *m, const struct spirv_layout *layout, uint32_t id,
                      struct record_source *source);

/* Do two sources lead to the same record, as far as their ids show? */
bool trace_same_source(const struct record_source *a, const struct record_source *b);

/* Is a value, or what it points to, or an element of that, an image, a sampler or both? */
enum record_half trace_half(const struct module *m, uint32_t id);

/* Of a half of a combined image sampler: the source leads to the record of the whole descriptor from then on. */
void trace_take_whole(struct record_source *source);

/* Does the source lead to the record of one half of a combined image sampler? */
bool trace_is_half(const struct module *m, const struct record_source *source);

/*
 * The sources of a lookup's sampled image: one for a combined image sampler, be it declared as such or as the texture
 * and the sampler that it is made of; two for a pair, the image's first.
 */
uint32_t trace_sampled_image(const struct module *m, const struct spirv_layout *layout, uint32_t id,
                             struct record_source sources[2]);

/* The layout's entry for a binding, NULL if there is none. */
const struct spirv_binding *trace_binding(const struct spirv_layout *layout, uint32_t set, uint32_t binding);

/* Are the layout's descriptors in heaps? Then no set has records, and combined image samplers are two descriptors. */
static inline bool trace_is_in_heaps(const struct spirv_layout *layout)
{
    return layout->mapping_count != 0 || layout->heaps.image_size != 0;
}

/* The layout of a source's record index, in sets and through mappings; NULL: none. */
static inline const struct spirv_embedded *trace_embedded(const struct record_source *source)
{
    if (!source->mapping)
        return &source->binding->embedded;
    if (source->half != HALF_SAMPLER)
        return &source->mapping->image;
    return source->declared == HALF_SAMPLER ? &source->mapping->sampler : &source->mapping->combined_sampler;
}

/* Is the set usable as a place of records? */
bool trace_has_records(const struct spirv_layout *layout, uint32_t set);

#endif
