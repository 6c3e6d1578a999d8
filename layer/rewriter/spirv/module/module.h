/* SPDX-License-Identifier: MIT */
/*
 * The program's module: flat words and one entry per id. After module_index() only the entries' marks and their members
 * for the rewrite change.
 */
#ifndef CLAMPLER_SPIRV_MODULE_H
#define CLAMPLER_SPIRV_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spirv/module/inst.h"
#include "spirv/spirv.h"

enum id_mark {
    MARK_NON_UNIFORM = 1u << 0,  /* decorated so */
    MARK_RELAXED = 1u << 1,      /* decorated RelaxedPrecision */
    MARK_SPLIT = 1u << 2,        /* label: the block is split */
    MARK_LOOP = 1u << 3,         /* label: a loop header */
    MARK_SELF_LOOP = 1u << 4,    /* label: a loop header that is its own continue target */
    MARK_WHOLE = 1u << 5,        /* label: a block that must not be split */
    MARK_TAKES_RECORD = 1u << 6, /* parameter: a record id travels beside it */
    MARK_ALTERED = 1u << 7,      /* function: has parameters that take records */
    MARK_BATCHED = 1u << 8,      /* label: the block is written in batches */
    MARK_WAITS = 1u << 9, /* value: is defined behind a batch. Variable: an access to it is. `rank` has the batch */
    MARK_ROOM_KNOWN = 1u << 12,    /* function: it is known whether MARK_NO_ROOM holds */
    MARK_NO_ROOM = 1u << 13,       /* function: records cannot travel beside its parameters, which are so many, or which
                                    * an instruction gives that is no call */
    MARK_GROUP_MOVED = 1u << 14,   /* decoration group: its Binding is not that of all its targets */
    MARK_RESOURCE_HEAP = 1u << 15, /* variable: the heap of images and buffers */
    MARK_SAMPLER_HEAP = 1u << 16,  /* variable: the heap of samplers */
    MARK_UNIFORM = 1u << 17,       /* decorated Uniform or UniformId */
    MARK_FLAT = 1u << 18,          /* decorated Flat, as all integers are that fragments get */
    MARK_BUILT_IN = 1u << 19,      /* decorated so; heaps too */
    MARK_REACHED = 1u << 20,       /* function: called from the current entry point */
    MARK_HOISTED = 1u << 21,       /* type: was declared further up */
};

/* The entry of an id. Members of a union are for different kinds of ids. 0 is "none", but for `index`. */
struct id_entry {
    uint32_t definition; /* word offset of the defining instruction */
    union {
        uint32_t set;       /* descriptor, decoration group: set + 1 */
        uint32_t function;  /* parameter: id of its function */
        uint32_t last_call; /* function: the last call of it, for module_next_call() */
    };
    union {
        uint32_t binding;    /* descriptor, decoration group: binding + 1 */
        uint32_t index;      /* parameter: which one of its function; counts from 0 */
        uint32_t loop_merge; /* label of a loop header: offset of its OpLoopMerge */
    };
    /* Set while the module is rewritten, and 0 before that, but for group_binding. */
    union {
        uint32_t group_binding;    /* decoration group: offset of the OpDecorate that gives it a Binding */
        uint32_t last_block;       /* label: id of the last of the blocks that it is split into */
        uint32_t written_in;       /* OpSampledImage, OpLoad, images' OpCompositeExtract: number of its block */
        uint32_t record_parameter; /* parameter: id of the new parameter that carries its record */
        uint32_t shape;            /* while reshaped, all ids: the shape of its pointee, + 1; 0: not known */
    };
    uint32_t marks; /* enum id_mark */
    union {
        uint32_t layout; /* type, where m->heaps: offset of the first decoration that says where its parts lie */
        uint32_t clones; /* while reshaped, type: index + 1 of the first type that was made of it */
        uint32_t rank;   /* value, variable: under MARK_WAITS, how many batches of its run are in front of it */
    };
};

/* Entries of so many consecutive ids. Pages of which no word of the module can be an id share one of zeros. */
#define IDS_A_PAGE 64u

struct site; /* site.h */

struct call {
    uint32_t offset;
    uint32_t function; /* id of the function that it is in */
    uint32_t next;     /* another call of the function that it calls, for module_next_call() */
};

struct module {
    const uint32_t *words;
    uint32_t word_count;
    uint32_t bound;
    uint32_t version;
    struct id_entry **pages;  /* of ids: module_id() */
    struct id_entry *entries; /* those of all pages but the shared one */
    uint32_t entry_count;
    uint32_t free_id, free_end; /* ids that no word of the module can be: for new code */

    struct site *sites;
    uint32_t site_count;
    struct call *calls;
    uint32_t call_count;
    uint32_t *types; /* offsets of the types that must not be declared twice */
    uint32_t type_count;
    uint32_t *bindings; /* offsets of OpDecorate ... Binding */
    uint32_t binding_count;

    uint32_t glsl_import;     /* id of GLSL.std.450, 0: not imported */
    uint32_t debug_import;    /* id of NonSemantic.Shader.DebugInfo.* or OpenCL.DebugInfo.100, 0: neither */
    bool kernel;              /* declares the capability Kernel: an OpenCL module */
    bool relaxed;             /* some value is decorated RelaxedPrecision */
    bool heaps;               /* declares DescriptorHeapEXT: all access to descriptors may be non-uniform */
    uint32_t memory_model_at; /* offset: imports end here */
    uint32_t entry_points_at; /* offsets: first entry point, and behind the last one */
    uint32_t entry_points_end;
    uint32_t names_end;       /* offset of the first instruction behind names and strings */
    uint32_t annotations_end; /* offset of the first type, constant or variable */
    uint32_t functions_at;    /* offset of the first function */
    uint32_t functions_end;   /* behind the last one: graphs may follow */

    uint64_t *steps; /* that searches may still take; 0: their results must not be used */
    void *memory;    /* holds all arrays above */
};

/*
 * Reads the module. On SPIRV_REWRITTEN the module is ready and module_drop() frees it; on any other result nothing is
 * allocated. `message` has MODULE_MESSAGE characters and is written to for SPIRV_MALFORMED only.
 */
#define MODULE_MESSAGE 160u
#define MODULE_GREATEST_BOUND 0x3fffffu /* SPIR-V's universal limit */

/* The entry of an id that is a word of the module, and below the bound. Others must not be written to. */
static inline struct id_entry *module_id(const struct module *m, uint32_t id)
{
    return m->pages[id / IDS_A_PAGE] + id % IDS_A_PAGE;
}

/* The bound of a module that has the ids from free_id to `next_id` besides. */
static inline uint32_t module_bound_with(const struct module *m, uint32_t next_id)
{
    return next_id > m->bound ? next_id : m->bound;
}

enum spirv_result module_index(struct module *m, const uint32_t *words, size_t word_count,
                               const struct spirv_allocator *allocator, char *message);
void module_drop(struct module *m, const struct spirv_allocator *allocator);

extern const uint32_t module_no_instruction[1];
extern const struct spirv_allocator module_c_allocator; /* the C library's */

/* ---- Memory of ids (ids.c), for module_index() ---- */

enum { ID_PAGES_MOST = (MODULE_GREATEST_BOUND + 1u) / IDS_A_PAGE };

struct id_plan {
    uint32_t pages, used; /* of the bound, and those of them that are made */
    bool all;             /* every one */
    uint64_t made[ID_PAGES_MOST / 64];
};

/* ids_plan() counts by the module's words and bound; ids_make() then places the entries in the module's `memory`. */
void ids_plan(const struct module *m, struct id_plan *plan);
size_t ids_bytes(const struct id_plan *plan);
void ids_place(struct module *m, const struct id_plan *plan, void *memory);

/* Consumes steps of searches; false: none are left, and the search must end. */
static inline bool module_search(const struct module *m, uint64_t steps)
{
    *m->steps = *m->steps > steps ? *m->steps - steps : 0;
    return *m->steps != 0;
}

/* The instruction that defines an id, whole as the grammar wants it; a single word 0 where there is none. */
static inline const uint32_t *module_definition(const struct module *m, uint32_t id)
{
    return id < m->bound && module_id(m, id)->definition != 0 ? m->words + module_id(m, id)->definition
                                                              : module_no_instruction;
}

static inline uint32_t module_opcode(const struct module *m, uint32_t id)
{
    return id < m->bound && module_id(m, id)->definition != 0 ? inst_opcode(m->words + module_id(m, id)->definition)
                                                              : 0;
}

static inline uint32_t module_marks(const struct module *m, uint32_t id)
{
    return id < m->bound ? module_id(m, id)->marks : 0;
}

/*
 * Does the instruction end its block? For an unknown instruction the next one decides: a label, or the end of the
 * function, is always behind a block.
 */
bool module_ends_block(const struct module *m, uint32_t at);

/*
 * Iterates over the calls of a function: returns the index + 1 of the first if `call` is 0, else of the next one after
 * `call`; 0 at the end.
 */
static inline uint32_t module_next_call(const struct module *m, uint32_t function, uint32_t call)
{
    uint32_t next = call != 0 ? m->calls[call - 1].next : module_id(m, function)->last_call;
    bool there = next != 0 && next <= m->call_count && (call == 0 || next < call);
    return there && m->words[m->calls[next - 1].offset + 3] == function ? next : 0;
}

/* The argument of a call, by its index + 1, that becomes a parameter; 0 if the call has too few. */
static inline uint32_t module_argument(const struct module *m, uint32_t call, uint32_t parameter)
{
    const uint32_t *inst = m->words + m->calls[call - 1].offset;
    uint32_t index = module_id(m, parameter)->index;
    return index < inst_length(inst) - 4 ? inst[4 + index] : 0;
}

enum scalar { SCALAR_FLOAT, SCALAR_INT, SCALAR_UINT, SCALAR_COUNT };

/* The type of a value; 0 if the id is no value. */
uint32_t module_type_of(const struct module *m, uint32_t id);

/* Unsigned value of a 32-bit OpConstant; false for anything else. */
bool module_constant(const struct module *m, uint32_t id, uint32_t *value);

#endif
