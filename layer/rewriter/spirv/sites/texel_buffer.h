/* SPDX-License-Identifier: MIT */
/*
 * Texel buffer: fetches from uniform texel buffers, and queries of their size, that follow the record of the view. The
 * arithmetic is shaders/texel_buffer.glsl.
 */
#ifndef CLAMPLER_SPIRV_TEXEL_BUFFER_H
#define CLAMPLER_SPIRV_TEXEL_BUFFER_H

#include "spirv/sites/plan.h"
#include "spirv/sites/texel_memory.h"
#include "spirv/write/writer.h"

/* A texel buffer's record, loaded once where its function begins. */
struct early_record {
    uint32_t set, first; /* as in struct record_source */
    uint32_t id;
};

#define EARLY_RECORDS 16u

/* The records that were loaded at the beginning of the current function. */
struct early_records {
    struct early_record early[EARLY_RECORDS];
    uint32_t early_count;
};

/* The types of a fetch's texel, and of the struct that has it beside its residency; 0: not sparse. False: unknown. */
bool fetched_type(const struct module *m, const uint32_t *inst, uint32_t *texel, uint32_t *sparse);

/* The scalar of a 32-bit numeric type; false for anything else. */
bool texel_scalar(const struct module *m, uint32_t type, enum scalar *scalar);

/* A fetch taken apart. */
struct texel_fetch {
    const uint32_t *words; /* the instruction */
    uint32_t result_type, result, coordinate;
    uint32_t
        sparse_type; /* of a sparse fetch: the struct of residency and texel; 0: none. result_type is the texel's */
    uint32_t texel;  /* the id that it gets: `result`, where that is no struct */
    enum scalar texels;
    const struct site_plan *plan;
    uint32_t record; /* first half, as a value */
    uint32_t index;  /* the coordinate as 32 unsigned bits */
};

#define TEXEL_GROUP_MOST 32u

/* Fetches that follow the same record and do not depend on each other's texels: they share one branch. */
struct texel_group {
    uint32_t record;
    uint32_t count;
    const struct texel_fetch *fetches[TEXEL_GROUP_MOST];
};

/* Fills the plan of a SITE_TEXEL_FETCH or SITE_TEXEL_COUNT; false if it stays as it is. */
bool texel_buffer_plan(struct rewriter *r, const struct site *site, struct site_plan *plan);

/* Writes the code that replaces the instruction. */
void texel_buffer_rewrite(struct rewriter *r, const struct site *site, const struct site_plan *plan);

/* Reads the site and writes the values at its place: the record and the index. */
void texel_fetch_open(struct rewriter *r, const struct site *site, const struct site_plan *plan, struct texel_fetch *f);

/* Writes the fetches of a group; the block `merge` goes on behind them. */
void texel_group_write(struct rewriter *r, const struct texel_group *g, uint32_t merge);

/*
 * Writes loads of the records that sites of this kind will need before `end` of the program's words, at the beginning
 * of a function; `first_site` is its first one. In the CPU form alone: such drivers load again for every fetch.
 */
void texel_buffer_load_early(struct rewriter *r, uint32_t first_site, uint32_t end);

#endif
