/* SPDX-License-Identifier: MIT */
/*
 * Rewrite: SPIR-V words x layout of records x options -> SPIR-V words, or "nothing to do".
 *
 * A pure core: no Vulkan call, no global state that changes, no lock. Any number of threads may call it at once. Output
 * is a function of the input alone, byte for byte, so that drivers' pipeline caches keep working. The arithmetic that
 * is added is the GLSL in shaders/, compiled at build time and linked into the module.
 *
 * Input is never trusted: in a module that cannot be indexed only the numbers of bindings change to the layout's. If
 * none changes the result is SPIRV_MALFORMED, and the caller passes the program's words on, with a log line.
 */
#ifndef CLAMPLER_SPIRV_H
#define CLAMPLER_SPIRV_H

#include <assert.h> /* static_assert, for C++ as well */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPIRV_NO_RECORD UINT32_MAX

/*
 * Limits of a rewrite by the size of its input: ids, words of one section, and steps of searches beyond the passes over
 * the module. They bound time and memory, whatever bound up to SPIR-V's own a module declares. A module that would need
 * more is not changed, with a message.
 */
static inline uint64_t spirv_most_ids(uint64_t word_count)
{
    return (UINT64_C(1) << 18) + 16 * word_count; /* tools that take instructions away leave holes */
}

static inline uint64_t spirv_most_words(uint64_t word_count)
{
    return 65536 + 512 * word_count;
}

static inline uint64_t spirv_most_steps(uint64_t word_count)
{
    return (UINT64_C(1) << 20) + 64 * word_count;
}

enum spirv_result {
    SPIRV_UNCHANGED, /* nothing to do: use the words that were given; output is empty */
    SPIRV_REWRITTEN, /* output holds the new module */
    SPIRV_MALFORMED, /* the words do not parse; output is empty, `message` says where. If spirv_scan() parses them, they
                        fit the layout */
    SPIRV_OUT_OF_MEMORY, /* an allocation failed; output is empty */
    SPIRV_UNSUPPORTED,   /* no module can be made that fits the layout; output is empty, `message` says why */
};

/* The facts of one scan of a module; cheap enough for every vkCreateShaderModule. */
struct spirv_facts {
    bool samples;    /* some instruction reads an image through a sampler: "a lookup" below, or as drivers alone can; or
                        it may be a site (module/site.h) for which there is no fact of its own */
    bool pairs;      /* some image and some sampler are declared by themselves and put together */
    bool offsets;    /* some lookup, with implicit or explicit LOD, has a texel offset */
    bool gathers;    /* some lookup is a gather */
    bool biases;     /* some lookup has a Bias operand */
    bool queries;    /* some instruction queries the levels that a lookup would sample */
    bool least_lods; /* some lookup has a MinLod operand */
    bool drefs;      /* some lookup compares */
    bool uncompared; /* some lookup does not */
    bool integers;   /* some of those instructions may read an image of integers */
    bool cubes;      /* a sampled cube image is declared */
    bool fetches_buffers; /* some instruction may fetch from a uniform texel buffer or ask for its size: the module has
                             both such an image type and such an instruction */
    bool fetches_images;  /* likewise for fetches from other images that are sampled, and queries of a level's size */
    bool reads_inputs;    /* likewise for reads of input attachments */
    bool specialized_sizes; /* some descriptor array's length is a specialization constant */
    bool descriptor_sizes;  /* the module queries sizes of descriptors in heaps: it is rewritten in tier 0, too */
    uint32_t lookups;       /* how many lookups, each as often as it is written */
    uint32_t version;       /* SPIR-V version word */
};

/* Adds what needs follow of a module (need/need.h) to the facts of all modules of a pipeline. */
static inline void spirv_facts_add(struct spirv_facts *all, const struct spirv_facts *facts)
{
    all->samples |= facts->samples;
    all->pairs |= facts->pairs;
    all->uncompared |= facts->uncompared;
    all->offsets |= facts->offsets;
    all->gathers |= facts->gathers;
    all->fetches_buffers |= facts->fetches_buffers;
    all->fetches_images |= facts->fetches_images;
    all->reads_inputs |= facts->reads_inputs;
    all->biases |= facts->biases;
    all->queries |= facts->queries;
    all->least_lods |= facts->least_lods;
    all->drefs |= facts->drefs;
    all->integers |= facts->integers;
    all->cubes |= facts->cubes;
}

/* Does the module have anything that records can change? */
static inline bool spirv_follows_records(const struct spirv_facts *facts)
{
    return facts->samples || facts->fetches_buffers || facts->fetches_images || facts->reads_inputs;
}

/*
 * Application-managed descriptors (descriptor buffers and heaps) have their record index embedded behind the driver's
 * bytes, because the layer cannot place a record beside them. The root table has all addresses; the shader finds it by
 * its address in the push constants (layer/base/record/root.h).
 */
enum spirv_index_from {
    SPIRV_INDEX_NONE,
    SPIRV_INDEX_PUSHED,         /* index_stride times the word at push_offset in the push constants */
    SPIRV_INDEX_INDIRECT,       /* index_stride times the word at address_offset behind the address at push_offset */
    SPIRV_INDEX_INDIRECT_ARRAY, /* likewise, but a word for each element, one behind the other, instead of `stride` */
    SPIRV_INDEX_SHADER_RECORD,  /* index_stride times the word at push_offset in the shader record of ray tracing */
};

enum record_half {
    HALF_BOTH,
    HALF_IMAGE,
    HALF_SAMPLER,
    HALF_KINDS,
};

struct spirv_embedded {
    uint32_t base; /* index of the address in the root table from which bytes are counted: of mappings a heap's, of sets
                      the set's */
    /*
     * Bytes from there to the record index of element 0, by the type that the shader declares: for mutable types they
     * differ.
     */
    uint32_t offset[HALF_KINDS];
    uint32_t stride; /* bytes from one element to the next */
    enum spirv_index_from index_from;
    uint32_t push_offset, address_offset, index_stride;
    uint32_t index_shift, index_mask; /* the bits of the word that are the index; mask 0: all */
    uint32_t unused;                  /* in the place of padding (spirv_layout_key) */
    /*
     * Constant record indices of embedded samplers, which are in no memory: one for each element, of mappings one for
     * all elements; NULL: record indices are in memory. Borrowed for the call.
     */
    const uint32_t *record_indices;
};

#define SPIRV_EMBEDDED_WORDS 12u /* in front of the pointer */
static_assert(sizeof(struct spirv_embedded) == SPIRV_EMBEDDED_WORDS * sizeof(uint32_t) + sizeof(uint32_t *),
              "spirv_layout_key() has all members");

/* One binding of a set layout, in the driver's layout. */
struct spirv_binding {
    uint32_t binding;     /* the number in the program's shader */
    uint32_t new_binding; /* the number in the driver's layout; differs for variable-count bindings only */
    uint32_t
        first_record; /* index of the record of array element 0; SPIRV_NO_RECORD: lookups through it are not changed */
    uint32_t count;   /* descriptors in the binding (the upper bound for variable counts) */
    uint32_t split;   /* 1: combined image samplers, each of which has SPIRV_RECORDS_OF_SPLIT records one behind
                          the other: its own, its image's and its sampler's alone; 0: one record each */
    /*
     * Application-managed: the binding has so many of the driver's descriptors for each of the program's, so code
     * multiplies indices and array lengths; 0, 1: one.
     */
    uint32_t scale;
    /*
     * Samplers among these: the index among the driver's descriptors for each of the program's that is a nearest
     * sampler (all levels, no bias), 1 or more; 0: none.
     */
    uint32_t nearest;
    /*
     * Combined image samplers: the bit of element 0 in the set's mask words (base/record/record.h), + 1, where the
     * set's records begin with those; the next elements have the next bits, as far as a word reaches. 0: no bits.
     */
    uint32_t mask_bit;
    struct spirv_embedded embedded; /* where set->embedded: the place of its record indices */
};

#define SPIRV_BINDING_WORDS 8u
static_assert(sizeof(struct spirv_binding) == SPIRV_BINDING_WORDS * sizeof(uint32_t) + sizeof(struct spirv_embedded),
              "spirv_layout_key() has all members");

#define SPIRV_RECORDS_OF_SPLIT 3u
#define SPIRV_RECORDS_MOST 0xffffffu /* in a set: lookups through sets with more are not changed */

struct spirv_set {
    const struct spirv_binding *bindings; /* ascending by `binding` */
    uint32_t binding_count;
    uint32_t record_binding; /* binding of the record buffer; SPIRV_NO_RECORD: the set has no records */
    uint32_t record_count;   /* records in the buffer: the length of the array in a uniform buffer */
    uint32_t storage;        /* 1: the record buffer is a storage buffer (read-only); 0: a uniform buffer */
    uint32_t nearest; /* binding of a sampler with nearest filters, all levels and no bias, + 1; 0: there is none */
    /*
     * 1: the descriptors have embedded record indices: there is no buffer, record_binding is SPIRV_NO_RECORD, and
     * first_record and record_count only distinguish records. The records of a split sampler have the next two indices.
     */
    uint32_t embedded;
};

#define SPIRV_SET_WORDS 6u /* behind the pointer */
static_assert(sizeof(struct spirv_set) == sizeof(struct spirv_binding *) + SPIRV_SET_WORDS * sizeof(uint32_t),
              "spirv_layout_key() has all members");

/* The resource types of a mapping; the bits are VkSpirvResourceTypeFlagBitsEXT's. */
enum spirv_resource {
    SPIRV_RESOURCE_SAMPLER = 1u << 0,
    SPIRV_RESOURCE_SAMPLED_IMAGE = 1u << 1,
    SPIRV_RESOURCE_READ_ONLY_IMAGE = 1u << 2,
    SPIRV_RESOURCE_READ_WRITE_IMAGE = 1u << 3,
    SPIRV_RESOURCE_COMBINED = 1u << 4,
};

/*
 * Bindings that a program maps to descriptor heaps. Where two have a binding, the first counts. Elements are counted
 * from the first binding on: that of an array element is binding - first_binding + its index.
 */
struct spirv_mapping {
    uint32_t set, first_binding, binding_count;
    uint32_t resources;                     /* enum spirv_resource, and bits of other resources */
    uint32_t followed;                      /* 0: it does not lead to a descriptor in a heap */
    uint32_t combined_image_mask;           /* of the index of a combined one's image, which may be packed; 0: all */
    struct spirv_embedded image;            /* for variables that are images, or combined image samplers */
    struct spirv_embedded sampler;          /* for variables that are samplers */
    struct spirv_embedded combined_sampler; /* the sampler of a combined image sampler: the two lie in two heaps */
};

#define SPIRV_MAPPING_WORDS 6u
static_assert(sizeof(struct spirv_mapping) ==
                  SPIRV_MAPPING_WORDS * sizeof(uint32_t) + 3 * sizeof(struct spirv_embedded),
              "spirv_layout_key() has all members");

/* Descriptor heaps as the program sees them: the values of OpConstantSizeOfEXT; 0: there are none. */
struct spirv_heaps {
    uint32_t image_size, sampler_size, buffer_size;    /* shown to the program, in bytes */
    uint32_t image_index_offset, sampler_index_offset; /* bytes from a descriptor to its record index */
    uint32_t image_base, sampler_base;                 /* indices of the heaps' addresses in the root table */
    uint32_t nearest_set, nearest; /* set, and binding + 1, of a nearest sampler; 0: there is none */
};

#define SPIRV_HEAPS_WORDS 9u
static_assert(sizeof(struct spirv_heaps) == SPIRV_HEAPS_WORDS * sizeof(uint32_t), "spirv_layout_key() has all members");

/* The pipeline layout for the rewriter: index = DescriptorSet decoration. Borrowed for the call. */
struct spirv_layout {
    const struct spirv_set *sets;
    uint32_t set_count;
    /*
     * With embedded record indices: the offset of the root table's address in the push constants, a multiple of 8
     * behind the program's own; 0: there is none, and record indices are not read.
     */
    uint32_t root_at;
    const struct spirv_mapping *mappings; /* of this stage; NULL: none */
    uint32_t mapping_count;
    struct spirv_heaps heaps;
};

static_assert(sizeof(struct spirv_layout) ==
                  2 * sizeof(struct spirv_set *) + 3 * sizeof(uint32_t) + sizeof(struct spirv_heaps),
              "spirv_layout_key() has all members");

/*
 * All members of a layout that a rewrite reads, as words: layouts of equal keys give equal words. Returns how many, and
 * writes them if `words` is not NULL.
 */
size_t spirv_layout_key(const struct spirv_layout *layout, uint32_t *words);

enum spirv_form {
    SPIRV_FORM_GPU, /* implicit LOD: the program's lookup, then in a branch a second one where clamping moved the
                       coordinate */
    SPIRV_FORM_CPU, /* implicit LOD: no branch, gradients of the unclamped coordinate, one lookup */
};

/* Ways to a texel of an emulated uniform texel buffer that rewritten code must know; bits of texel_paths. */
enum spirv_texel_path {
    SPIRV_TEXEL_VIEWS = 1u << 0, /* TEXEL_PATH_WORDS and TEXEL_PATH_BLOCKS */
    /* TEXEL_PATH_ADDRESS: the module gets the capability PhysicalStorageBufferAddresses. */
    SPIRV_TEXEL_ADDRESSES = 1u << 1,
    SPIRV_TEXEL_NARROW = 1u << 2, /* with either: formats that have components of less than 32 bits */
};

/*
 * How tier 2 filters. Where the driver can filter the views of all records that act, it looks up at the edge, once for
 * each level, and the shader places the border. Lookups that this does not serve (gathers, comparisons, cubes,
 * integers, residency) are filtered texel by texel in every form.
 */
enum spirv_filter {
    SPIRV_FILTER_TEXELS,
    SPIRV_FILTER_LEVELS, /* by the driver; not with `extras` */
    SPIRV_FILTER_LEVEL,  /* likewise, and all views of records that act have one level */
    SPIRV_FILTER_PROBES, /* as LEVELS, and once for each probe of an anisotropic filter */
    SPIRV_FILTER_COUNT
};

struct spirv_options {
    /*
     * 0: nothing but renumbered Binding decorations and scaled arrays. 1: coordinates are moved for records with
     * RECORD_COORDS. 2: also filters in the shader for records with RECORD_FILTER (and _IF_MIPS, _IF_OFFSET when they
     * apply).
     */
    uint32_t tier;
    enum spirv_form form;
    float max_lod_bias; /* the driver's maxSamplerLodBias: the code adds the part of GL's sums beyond it. 0: no limit */
    float own_lod_bias; /* the limit of samplers without GL state, where that is more than max_lod_bias; 0: it is not */
    float most_lod_bias;      /* GL's bound for the sum of all biases, the shader's included; 0: 16 */
    enum spirv_filter filter; /* of tier 2 */
    bool extras;     /* tier 2 for records that take reductions, or texels as sRGB encodes them, or probes: the filter
                        has code for them */
    bool rectangles; /* views have GL state: records with RECORD_RECTANGLE can occur, and such in which comparisons that
                        fail give a value; else there is no code for them */
    bool masks;      /* tier 1: no record of the combined image samplers with mask bits moves more than those say; other
                        lookups follow their records */
    bool votes;      /* the device has VK_EXT_shader_subgroup_vote enabled: tier 1's GPU form branches by subgroups */
    /*
     * Lookups with gradients of the program's own never stand behind a branch of the rewriter's: NVIDIA's driver
     * (580.159) executes those of volumes, cubes and comparisons for each pixel of a quad alone, and there the first
     * pixel then gets the contents of other registers (tests/README.md). The cost: with separate sampler and image such
     * a lookup is executed even if the shader filters instead.
     */
    bool gradients_in_front;
    /* Tier 2 reads texels of all images through a nearest sampler, as those of cubes, where their set has one. */
    bool texels_sampled;
    uint32_t texel_paths; /* enum spirv_texel_path; TEXEL_PATH_NATIVE is always known */
};

/* Memory comes from here alone. Like realloc(): memory NULL allocates; size 0 frees and returns NULL. */
struct spirv_allocator {
    void *(*reallocate)(void *user, void *memory, size_t size);
    void *user;
};

struct spirv_output {
    uint32_t *words; /* from the allocator; the caller frees it with reallocate(user, words, 0) */
    size_t word_count;
    uint32_t rewritten_lookups; /* how many lookups were rewritten */
    uint32_t rewritten_reads;   /* how many sites of other kinds: texel buffers, input attachments */
    char message[160]; /* why the module is malformed, or the first reason why a site was not changed; "" if none */
};

/* Reads the module once. SPIRV_UNCHANGED with *facts filled, or SPIRV_MALFORMED with *facts zero. Allocates nothing. */
enum spirv_result spirv_scan(const uint32_t *words, size_t word_count, struct spirv_facts *facts);

/* Images and samplers that a module, or all modules of a pipeline, put together by themselves. */
#define SPIRV_PAIRED_SETS 8u
struct spirv_pairing {
    bool splits; /* some combined image sampler is taken apart: the records for splitting them are read */
    /*
     * Samplers that some lookup goes through which does not compare: a word for each set, a bit for each binding, both
     * by their number modulo the number of words or bits.
     */
    uint64_t uncompared[SPIRV_PAIRED_SETS];
};

static inline uint64_t spirv_pairing_bit(uint32_t binding)
{
    return UINT64_C(1) << binding % 64u;
}

/* Of code that is not known. */
static inline void spirv_pairing_unknown(struct spirv_pairing *pairing)
{
    for (uint32_t i = 0; i < SPIRV_PAIRED_SETS; i++)
        pairing->uncompared[i] = UINT64_MAX;
}

/*
 * Adds what the module puts together. SPIRV_UNCHANGED, or SPIRV_MALFORMED or SPIRV_OUT_OF_MEMORY, which add nothing. A
 * NULL allocator means the C library's.
 */
enum spirv_result spirv_find_pairs(const uint32_t *words, size_t word_count, const struct spirv_layout *layout,
                                   const struct spirv_allocator *allocator, struct spirv_pairing *pairing);

/* Colours whose alpha a fragment shader shall write as 1, multiplied before by what it was. */
struct spirv_alpha_one {
    const char *entry;    /* the shader's name in the module */
    uint32_t locations;   /* bit i: location i */
    uint32_t integers;    /* of those: whose channels are integers */
    uint32_t times_alpha; /* of those, floats: multiplied by alpha */
    uint32_t times_rest;  /* likewise: by 1 - alpha */
};

/*
 * Finds the locations whose alpha spirv_write_alpha_one() can replace by 1: outputs of four channels in one variable,
 * in a module with one entry point for the function; if they are multiplied, outputs of 32 bits, so that the product is
 * rounded only once, in memory. Returns 0 if memory ran out.
 */
uint32_t spirv_find_alpha_one(const uint32_t *words, size_t word_count, const struct spirv_alpha_one *wanted,
                              const struct spirv_allocator *allocator);

/*
 * Writes the shader with these locations' alpha replaced; all of them were found before. `*output` is overwritten; no
 * lookups are counted.
 */
enum spirv_result spirv_write_alpha_one(const uint32_t *words, size_t word_count, const struct spirv_alpha_one *wanted,
                                        const struct spirv_allocator *allocator, struct spirv_output *output);

/* `*output` is overwritten. A NULL allocator means the C library's. */
enum spirv_result spirv_rewrite(const uint32_t *words, size_t word_count, const struct spirv_layout *layout,
                                const struct spirv_options *options, const struct spirv_allocator *allocator,
                                struct spirv_output *output);

#endif
