/* SPDX-License-Identifier: MIT */
/*
 * Deep copies of create-infos: the walk over the generated tables (vulkan_copy.c).
 *
 * A copy is one block from malloc(), freed with free(). It holds the structure, everything its pointers lead to by the
 * registry's `len` attributes, and its whole pNext chain. Counts of 0 and NULL pointers read nothing and copy as NULL.
 * Handles, and `void *` members without a length, are copied as they are.
 *
 * Pointers that Vulkan ignores must not be followed. The walk skips pImmutableSamplers of bindings that are not
 * samplers, and pQueueFamilyIndices without VK_SHARING_MODE_CONCURRENT. Where more than one structure decides, the
 * caller sets the pointer to NULL or the count to 0 in a shallow copy first: state of graphics pipelines that is
 * dynamic, or without meaning under rasterizerDiscardEnable, in a library, or beside a render pass
 * (VkGraphicsPipelineCreateInfo's description says which).
 *
 * Pointers to output (pipeline creation feedback) lead to memory in the block: results are written there, not into the
 * program's memory.
 *
 * All functions are thread-safe; none keeps a pointer to the source.
 */
#ifndef CLAMPLER_COPY_H
#define CLAMPLER_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

enum copy_result {
    COPY_OK,
    COPY_UNKNOWN_STRUCTURE, /* a chain holds an sType that the registry does not know, or cannot say how to copy */
    COPY_OUT_OF_MEMORY,
};

/*
 * Size in bytes of the structure with this sType, 0 if it is not known. Knows all structures of the registry but those
 * of platform extensions, the loader's own two, and this project's.
 */
size_t pnext_size(VkStructureType type);

/* ---- Between the walk and the tables ---- */

enum copy_field_kind {
    FIELD_CHAIN,    /* pNext */
    FIELD_ARRAY,    /* pointer to elements */
    FIELD_STRING,   /* pointer to a string with its end */
    FIELD_STRINGS,  /* pointer to pointers to strings */
    FIELD_POINTERS, /* pointer to pointers to one element each */
    FIELD_HELD,     /* elements held by value that have pointers themselves */
};

struct copy_field {
    enum copy_field_kind kind;
    uint16_t offset;       /* of the member in its structure, bytes */
    uint16_t element_size; /* bytes */
    int16_t element;       /* index into copy_types, -1: elements without pointers */

    /* Number of elements: fixed_count if count_size is 0, else (member at `count` + add) / divide. */
    uint16_t count;
    uint8_t count_size; /* bytes of that member: 0, 4 or 8 */
    uint8_t add;
    uint8_t divide; /* 0 counts as 1 */
    uint16_t fixed_count;

    /* If `condition`: only where the 32-bit member at `selector` is in first..last. Else the pointer becomes NULL. */
    bool condition;
    uint16_t selector;
    uint32_t first, last;
};

struct copy_type {
    const struct copy_field *fields;
    uint16_t field_count;
    uint16_t size; /* bytes */
};

extern const struct copy_type copy_types[];

/*
 * Index into copy_types of a structure that may be in a chain, -1 if there is none. Where a structure belongs is not
 * asked: newer registries let it be in more places.
 */
int copy_type_of(VkStructureType type);

/* NULL, with *result saying why, or the copy of `source`, which is of type copy_types[type]. */
void *copy_structure(int type, const void *source, enum copy_result *result);

/* The first sType that stops such a copy, VK_STRUCTURE_TYPE_MAX_ENUM if none does. */
VkStructureType copy_unknown(int type, const void *source);

#endif
