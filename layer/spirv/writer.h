/*
 * The module that is being written: growing sections that are put together at the end, and what every part of the
 * rewriter needs to write instructions. A failed allocation is remembered in `out_of_memory`; writing then goes on into
 * nothing, so that callers need not look at every step.
 */
#ifndef CLAMPLER_SPIRV_WRITER_H
#define CLAMPLER_SPIRV_WRITER_H

#include "spirv/library.h"
#include "spirv/module.h"
#include "spirv/plan.h"

struct known_records;

struct words {
    uint32_t *data;
    uint32_t count;
    uint32_t capacity;
};

/* The record buffer of one set, declared when a lookup first needs it. */
struct record_buffer {
    uint32_t variable; /* id, 0: not declared */
    uint32_t pointer;  /* type of a pointer to a uvec4 in it */
    bool by_parameter; /* some call passes an identity in this set */
    uint32_t nearest;  /* id of the set's nearest sampler, 0: not declared */
};

/* How filters are written, see loops.h. */
enum filter_manner {
    FILTER_LOOPS,
    FILTER_LOOPS_SHARED, /* CPU form: by lookups of several images, too */
    FILTER_LOOP_FREE,
};

/* An array in memory that addresses lead to; zeros: not declared yet. */
struct memory_type {
    uint32_t base, element; /* types of pointers to the block with the array, and to an element */
    uint32_t element_type;
    uint32_t stride; /* and alignment, bytes */
};

/* A texel buffer's record, loaded once where its function begins. */
struct early_record {
    uint32_t set, first; /* as in struct record_source */
    uint32_t id;
};

#define EARLY_RECORDS 16u
#define CONSTANTS_KEPT 64u

struct rewriter {
    struct module *m;
    const struct spirv_layout *layout;
    const struct spirv_options *options;
    const struct spirv_allocator *allocator;
    bool out_of_memory;

    struct words names;
    struct words annotations;
    struct words globals;
    struct words body;
    struct words variables; /* of the function that is being written */
    bool no_variables;      /* it begins with debug information, behind which validators take no variable */
    uint32_t next_id;
    uint32_t import; /* GLSL.std.450 as used by the library, 0: not needed yet */

    uint32_t function; /* program's id of the one that is being written */
    uint32_t label;    /* of the block that is being written */
    uint32_t block;    /* its number, counted over the module */

    struct site_plan *plans; /* one for each site of the module */
    uint32_t planned_reads;  /* sites that will be rewritten and are no lookups */
    uint32_t sites_left_alone;
    const char *left_alone_why; /* the first reason */
    const char *remark;         /* the first thing that was left out otherwise */
    enum filter_manner manner;
    uint32_t filter_loops; /* written */
    bool images_apart;     /* some lookups of a block have a loop of their own for their image */
    struct words pending;  /* parameters that take a record, whose calls are still to be looked at */

    struct record_buffer *buffers;            /* one for each set of the layout */
    uint32_t record_function;                 /* id of the function that loads a record by identity, 0: not needed */
    struct early_record early[EARLY_RECORDS]; /* of the function that is being written */
    uint32_t early_count;
    struct known_records *known;                 /* of the block that is being written (bounds.h) */
    bool votes;                                  /* pixels of a subgroup may be asked to branch together */
    bool voted;                                  /* they were */
    struct memory_type texel_words, texel_pairs; /* for loads from the memory of texels */
    uint32_t texel_function;                     /* id of the function that loads a texel from memory, 0: not needed */

    uint32_t bool_type;
    uint32_t vectors[SCALAR_COUNT][5]; /* [scalar][components] */
    struct words types;                /* types.c: where they are declared, by content */
    uint32_t type_count;               /* entries of it */
    uint32_t constants_kept;
    struct {
        uint32_t type, value, id;
    } constants[CONSTANTS_KEPT];

    bool inlines; /* functions of the library are written where they are called: what that takes, calls take as well */
    const struct library_table *library;
    uint32_t linked[LIBRARY_LOCAL_COUNT]; /* local id -> id in this module, 0: not yet */
    bool placed[LIBRARY_FUNCTION_COUNT];  /* function has been written */
};

/* Makes room for `count` more words than there is; false if there is no memory, remembered. */
bool words_enlarge(struct rewriter *r, struct words *words, uint32_t count);

/* `count` words at the end of a section; NULL if there is no memory. */
static inline uint32_t *words_grow(struct rewriter *r, struct words *words, uint32_t count)
{
    if (r->out_of_memory || (count > words->capacity - words->count && !words_enlarge(r, words, count))) {
        return NULL;
    }
    uint32_t *place = words->data + words->count;
    words->count += count;
    return place;
}

void words_append(struct rewriter *r, struct words *words, const uint32_t *data, uint32_t count);
void words_drop(struct rewriter *r, struct words *words);

/* Moves the words from `from` to the end to `to`, in front of what was there. */
void words_move_back(struct words *words, uint32_t from, uint32_t to);

static inline uint32_t new_id(struct rewriter *r)
{
    return r->next_id++;
}

/* Writes one instruction into `section`: opcode and the words behind it. */
void write_to(struct rewriter *r, struct words *section, uint32_t opcode, const uint32_t *operands, uint32_t count);

/* Writes a value into the current block and returns its id. */
uint32_t write_value(struct rewriter *r, uint32_t opcode, uint32_t type, const uint32_t *operands, uint32_t count);

#define OPERANDS(...) (const uint32_t[]){__VA_ARGS__}, (uint32_t)(sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define WRITE(r, opcode, ...) write_to(r, &(r)->body, opcode, OPERANDS(__VA_ARGS__))
#define VALUE(r, opcode, type, ...) write_value(r, opcode, type, OPERANDS(__VA_ARGS__))

/* A type that the module has, or a new one. `operands` are the words behind the result. */
uint32_t declare_type(struct rewriter *r, uint32_t opcode, const uint32_t *operands, uint32_t count);
#define TYPE(r, opcode, ...) declare_type(r, opcode, OPERANDS(__VA_ARGS__))
uint32_t type_bool(struct rewriter *r);
uint32_t type_sampler(struct rewriter *r);
uint32_t type_vector(struct rewriter *r, enum scalar scalar, uint32_t components); /* 1: the scalar itself */

uint32_t constant_of(struct rewriter *r, uint32_t type, uint32_t bits);
uint32_t constant_uint(struct rewriter *r, uint32_t value);
uint32_t constant_int(struct rewriter *r, int32_t value);
uint32_t constant_float(struct rewriter *r, float value);
uint32_t constant_bool(struct rewriter *r, bool value);
uint32_t constant_null(struct rewriter *r, uint32_t type);

/* Control flow. */
void begin_block(struct rewriter *r, uint32_t label);
void write_branch(struct rewriter *r, uint32_t label);
void write_selection(struct rewriter *r, uint32_t condition, uint32_t yes, uint32_t no, uint32_t merge);

/* An array in the memory of the function that is being written. Only where r->no_variables does not forbid it. */
struct local_array {
    uint32_t variable;
    uint32_t element; /* type of a pointer to an element */
    uint32_t element_type;
};
struct local_array local_array(struct rewriter *r, uint32_t type, uint32_t count);
void local_array_store(struct rewriter *r, const struct local_array *array, uint32_t index, uint32_t value);
uint32_t local_array_load(struct rewriter *r, const struct local_array *array, uint32_t index);

void write_name(struct rewriter *r, uint32_t id, const char *name);

/* Gives `id` the decorations RelaxedPrecision and NonUniform as far as `marks` has them. */
void decorate_like(struct rewriter *r, uint32_t id, uint32_t marks);

#endif
