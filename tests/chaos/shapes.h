/* SPDX-License-Identifier: MIT */
/*
 * What set layouts and shaders of the chaos are like. shaders/tests/chaos.glsl has the same bindings. Static tables:
 * any thread may read them.
 */
#ifndef CLAMPLER_CHAOS_SHAPES_H
#define CLAMPLER_CHAOS_SHAPES_H

#include "harness/lookups/lookup.h"
#include "harness/drawing/pipeline.h"

enum { SHAPE_DESCRIPTORS = 5, SHAPE_BINDINGS = 4, SHAPE_LOOKUPS = 5, PROGRAM_LOOKUPS = 10, COORDINATES = 16 };

/* Numbers 1 and on are FIRST of the shader, and behind SHAPE_FIRSTS SECOND. */
enum shape_number {
    SHAPE_NONE,
    SHAPE_COMBINED,  /* an array of combined image samplers, a hole, and one more: writes run over */
    SHAPE_MIXED,     /* combined, sampler, image, texel buffer */
    SHAPE_IMMUTABLE, /* combined and a sampler, both immutable, and an image */
    SHAPE_FIRSTS = SHAPE_IMMUTABLE,
    SHAPE_SEPARATE, /* images and samplers, each with each */
    SHAPE_TEXELS,   /* texel buffers */
    SHAPE_VARIABLE, /* a last binding whose number of descriptors varies, where the device has that */
    SHAPES,
};

/* How a layout has its bindings. */
enum flavour {
    FLAVOUR_PLAIN,
    FLAVOUR_PARTIAL,    /* descriptors that a dispatch does not read need not be valid */
    FLAVOUR_AFTER_BIND, /* that, and sets may change while they are bound */
    FLAVOUR_PUSH,
    FLAVOUR_MUTABLE,
    FLAVOURS, /* of sets that pools have; those of the others are bytes (placed.h) */
    FLAVOUR_BUFFER = FLAVOURS,
    FLAVOUR_HEAP,
};

/* Layouts of equal keys are identically defined. */
struct key {
    uint8_t shape, flavour, group; /* which immutable samplers */
};

static inline bool key_equal(struct key a, struct key b)
{
    return a.shape == b.shape && a.flavour == b.flavour && a.group == b.group;
}

/* Descriptors are bytes in a buffer or in heaps. */
static inline bool key_is_placed(struct key key)
{
    return key.flavour >= FLAVOURS;
}

struct shape_binding {
    uint8_t number, count;
    VkDescriptorType type;
    bool immutable, varies;
};

/* One lookup: of a run of descriptors (first, count, which); a count above one is an index where the device has it. */
struct shape_run {
    uint8_t first, count, which;
};

struct shape_lookup {
    struct shape_run view, sampler; /* sampler's count 0: a fetch from a texel buffer */
};

struct shape {
    const char *name;
    uint8_t binding_count, lookup_count, descriptor_count;
    struct shape_binding bindings[SHAPE_BINDINGS];
    struct shape_lookup lookups[SHAPE_LOOKUPS];
};

const struct shape *shape_of(unsigned number);

/* The binding that a descriptor of a shape is in; `element` gets which of its descriptors it is. */
const struct shape_binding *shape_binding_of(const struct shape *shape, unsigned descriptor, uint32_t *element);

/* The descriptor of a run under a pushed shift. */
static inline unsigned shape_descriptor(struct shape_run run, bool dynamic, int32_t shift)
{
    return run.first + (dynamic ? (run.which + (unsigned)shift) % run.count : run.which);
}

/* One descriptor, in the forms that calls take it. */
struct descriptor_info {
    VkDescriptorImageInfo image;
    VkBufferView texels;
};

/* Where descriptor number `i` is in an array of them, as templates have it. */
static inline size_t descriptor_info_offset(VkDescriptorType type, unsigned i)
{
    return i * sizeof(struct descriptor_info) + (type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
                                                     ? offsetof(struct descriptor_info, texels)
                                                     : offsetof(struct descriptor_info, image));
}

/* ---- Programs ---- */

/* Push constants of the shader. */
struct pushed {
    float base[2], step[2], gradient[2];
    float lod;
    int32_t texel;
    uint32_t mask;
    int32_t shift;
    uint32_t first;
};

struct program {
    uint8_t shader; /* number in the table of shaders */
    struct key keys[2];
};

struct program_shader {
    uint8_t shapes[2];
    bool compute, dynamic;
    enum lookup_operation operation;
    struct harness_spirv code;
};

extern const struct program_shader program_shaders[];
extern const unsigned program_shader_count;

#endif
