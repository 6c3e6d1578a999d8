/* SPDX-License-Identifier: MIT */
/*
 * Rewriter: the module that is being written. It has the growing sections, which assemble.h puts together at the end,
 * the current position in them, and the state of each part, which the part's own header declares.
 *
 * A failed allocation sets `out_of_memory`; later writes then do nothing, so that callers need not check each.
 */
#ifndef CLAMPLER_SPIRV_REWRITER_H
#define CLAMPLER_SPIRV_REWRITER_H

#include "spirv/module/module.h"

struct words {
    uint32_t *data;
    uint32_t count;
    uint32_t capacity;
};

struct rewriter {
    struct module *m;
    const struct spirv_layout *layout;
    const struct spirv_options *options;
    const struct spirv_allocator *allocator;
    bool out_of_memory;
    uint64_t most_words; /* of a section: spirv_most_words() */
    const char *exceeds; /* the limit that would be exceeded; out_of_memory is true as well */

    struct words names;
    struct words annotations;
    struct words globals;
    struct words body;
    struct words variables; /* of the function that is being written */
    bool no_variables;      /* it begins with debug information, behind which validators take no variable */
    uint32_t next_id;

    uint32_t function; /* program's id of the one that is being written */
    uint32_t label;    /* of the block that is being written */
    uint32_t block;    /* its number, counted over the module */

    bool votes; /* pixels of a subgroup may be asked to branch together */
    bool voted; /* they were */

    struct types *types;                 /* types.h */
    struct constants *constants;         /* constants.h */
    struct library *library;             /* library.h */
    struct memory *memory;               /* memory.h */
    struct embedded *embedded;           /* embedded.h */
    struct plans *plans;                 /* plan.h */
    struct record_loads *records;        /* records.h */
    struct known_records *known;         /* bounds.h */
    struct early_records *texel_buffers; /* texel_buffer.h */
    struct texel_memory *texel_memory;   /* texel_memory.h */
};

#endif
