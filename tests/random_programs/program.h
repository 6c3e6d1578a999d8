/* SPDX-License-Identifier: MIT */
/*
 * A random program: a list of operations on textures, samplers, units and attachments, as plain data. It is drawn from
 * a seed (generate.c), written and read as text (text.c), run by OpenGL (gl_voice.c) and by Vulkan (vulkan_voice.c).
 *
 * Both voices walk through the operations with a machine of their own (machine.c): what is bound, and the state of
 * everything. Whatever a voice needs to know for a draw it takes from there, so that both draw the same thing or
 * nothing. The machine says nothing of what comes out: OpenGL does.
 */
#ifndef RANDOM_PROGRAM_H
#define RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <vulkan/vulkan_core.h>

#include "format.h"

enum {
    SIDE = 64,            /* pixels of a draw, along each axis */
    PIXELS = SIDE * SIDE, /* lookups of a draw */
    TEXTURES = 6,
    SAMPLERS = 4,
    UNITS = 3,
    ATTACHMENTS = 2,
    LEVELS_MAX = 10,
    OPERATIONS_MAX = 510,
    DRAWS_MAX = 84,
    INTEGERS = 11,
    NUMBERS = 28,
};

enum random_target {
    RANDOM_1D,
    RANDOM_2D,
    RANDOM_3D,
    RANDOM_CUBE,
    RANDOM_1D_ARRAY,
    RANDOM_2D_ARRAY,
    RANDOM_CUBE_ARRAY,
    RANDOM_RECTANGLE,
    RANDOM_BUFFER,
    RANDOM_TARGETS,
};

enum random_function {
    FUNCTION_TEXTURE,
    FUNCTION_BIAS,
    FUNCTION_LOD,
    FUNCTION_GRAD,
    FUNCTION_PROJ,
    FUNCTION_PROJ_LOD,
    FUNCTION_OFFSET,
    FUNCTION_LOD_OFFSET,
    FUNCTION_GRAD_OFFSET,
    FUNCTION_GATHER, /* of the first channel; FUNCTION_GATHER_ALPHA of the last */
    FUNCTION_GATHER_ALPHA,
    FUNCTION_GATHER_OFFSET,
    FUNCTION_FETCH,
    FUNCTION_SIZE,
    RANDOM_FUNCTIONS,
    /* The judge's: a texel that the shader decodes as sRGB, by the equation of section 8.24; a bias as gradients. */
    FUNCTION_DECODED = RANDOM_FUNCTIONS,
    FUNCTION_BIASED_GRAD,
};

/* Which descriptors a shader reads: one of both, image and sampler apart, or the last of three. */
enum random_form { FORM_COMBINED, FORM_SEPARATE, FORM_ARRAY, RANDOM_FORMS };
enum { ARRAY_ELEMENTS = 3 };

/*
 * How one shader looks up several: in two bindings of a set, in two sets, in a combined binding and in an image with a
 * sampler, in one image by two samplers, in two images by one sampler, and in three elements of an array at an index
 * that is pushed, combined or apart.
 */
enum random_together {
    TOGETHER_BINDINGS,
    TOGETHER_SETS,
    TOGETHER_BESIDE,
    TOGETHER_SAMPLERS,
    TOGETHER_IMAGES,
    TOGETHER_ARRAY,
    TOGETHER_ARRAYS,
    RANDOM_TOGETHERS,
};
enum { TOGETHER_MOST = 3 };

enum random_stage { STAGE_FRAG, STAGE_VERT, STAGE_TESC, STAGE_TESE, STAGE_GEOM, STAGE_COMP, RANDOM_STAGES };

enum random_kind {
    OPERATION_TEXTURE, /* slot, target, format, width, height, depth, layers, levels, seed of its texels; for the judge:
                          1 and the number of the format whose codes its texels have; 1: it has a border of a texel */
    OPERATION_SAMPLER, /* slot: a new sampler object in OpenGL's initial state */
    OPERATION_PARAMETER,  /* of a texture or a sampler, slot, which, token; number */
    OPERATION_BORDER,     /* of a texture or a sampler, slot; 4 numbers */
    OPERATION_SWIZZLE,    /* texture, 4 tokens */
    OPERATION_LEVELS,     /* texture, base level, greatest level */
    OPERATION_INCOMPLETE, /* texture, enum incomplete_way */
    OPERATION_UNIT,       /* unit, texture, sampler or -1; bias of the unit */
    OPERATION_UPLOAD,     /* texture, level, seed */
    OPERATION_COPY,       /* from texture, to texture: level 0 */
    OPERATION_TARGET,     /* count, then texture, level, layer of each attachment */
    OPERATION_BLEND,      /* attachment, on, source, destination, equation of colour, the same of alpha, mask */
    OPERATION_CONSTANT,   /* 4 numbers */
    OPERATION_CLEAR,      /* attachment; 4 numbers */
    OPERATION_PAINT,      /* whether unit 0 is looked up; colours: base and two slopes of each attachment */
    OPERATION_DRAW,       /* function, stage, unit; see struct parameters */
    OPERATION_TOGETHER,   /* enum random_together: the draws behind it, of a unit each, have one shader */
    OPERATION_SUBMIT,     /* what came before is drawn; 1: views, samplers are destroyed, and made anew */
    OPERATION_KINDS,
};

enum random_parameter {
    PARAMETER_WRAP_S,
    PARAMETER_WRAP_T,
    PARAMETER_WRAP_R,
    PARAMETER_MIN_FILTER,
    PARAMETER_MAG_FILTER,
    PARAMETER_COMPARE_MODE,
    PARAMETER_COMPARE_FUNC,
    PARAMETER_DECODE,
    PARAMETER_MIN_LOD,
    PARAMETER_MAX_LOD,
    PARAMETER_LOD_BIAS,
    PARAMETER_SEAMLESS,   /* of the context in OpenGL: set before each draw */
    PARAMETER_DEPTH_MODE, /* of textures alone */
    PARAMETER_STENCIL,    /* likewise: DEPTH_STENCIL_TEXTURE_MODE */
    RANDOM_PARAMETERS,
};

/* Why a texture is not complete in OpenGL. */
enum incomplete_way {
    COMPLETE,
    INCOMPLETE_BASE,   /* its base level is not there */
    INCOMPLETE_LEVELS, /* its greatest level is not there: complete for filters without levels */
    INCOMPLETE_FACE,   /* the faces of a cube differ in size */
    INCOMPLETE_LINEAR, /* integers with a linear filter: complete for others */
    INCOMPLETE_WAYS,
};

struct operation {
    enum random_kind kind;
    int32_t integers[INTEGERS];
    float numbers[NUMBERS];
};

/* How the Vulkan voice says it: what a translator chooses once. */
enum random_binding {
    BINDING_COMBINED,
    BINDING_SEPARATE,
    BINDING_PUSH,
    BINDING_TEMPLATE,
    BINDING_AFTER_BIND,
    BINDING_IMMUTABLE,
    BINDING_BUFFER,        /* VK_EXT_descriptor_buffer */
    BINDING_ARRAY,         /* the last element of an array, whose others hold the same image by other samplers */
    BINDING_HEAP,          /* VK_EXT_descriptor_heap: bindings are mapped to places whose numbers are pushed */
    BINDING_HEAP_EMBEDDED, /* the same, with the sampler in the pipeline */
    BINDING_HEAP_UNTYPED,  /* shaders look into heaps themselves, at places whose numbers are pushed */
    RANDOM_BINDINGS,
};
enum random_pipelines {
    PIPELINES_STATIC,
    PIPELINES_DYNAMIC, /* blend state set dynamically (VK_EXT_extended_dynamic_state3) */
    PIPELINES_LIBRARY,
    PIPELINES_FAST_LINKED,
    PIPELINES_OBJECTS,
    RANDOM_PIPELINES,
};
enum random_through {
    THROUGH_GL,       /* the extension's structures */
    THROUGH_MODES,    /* its address modes, and Vulkan's own words for the rest of the sampler where it has them */
    THROUGH_STANDARD, /* standard Vulkan, above a driver that lacks it and the setting `offer` */
    RANDOM_THROUGHS,
};

struct manner {
    enum random_binding binding;
    enum random_pipelines pipelines;
    enum random_through through;
    bool render_pass; /* else dynamic rendering */
    bool secondary;   /* draws of lookups are recorded into secondary command buffers */
};

struct program {
    uint64_t seed;
    struct manner manner;
    uint32_t count;
    struct operation operations[OPERATIONS_MAX];
};

/* What all the shaders read, 7 vec4: coordinate = origin + x * dx + y * dy in pixels' centres. */
struct parameters {
    float origin[4], dx[4], dy[4];
    float gradient_x[4], gradient_y[4];
    float reference, reference_dx, level, level_dy; /* `level` is the shader's bias as well */
    float offset[2], fetch_level, tile;             /* of gathers; of fetches; where the draw lies in a taller target */
};

/* ---- text.c ---- */
void program_write(const struct program *program, FILE *file);
/* False with a message on standard error. */
bool program_read(struct program *program, FILE *file);

/* ---- generate.c ---- */
/* What the process can draw; what cannot be is left out while drawing, not while generating. */
struct generate_params {
    bool alone;        /* without the fourth end: one lookup of a shader */
    bool standard;     /* only what THROUGH_STANDARD can say */
    uint32_t bindings; /* bits of enum random_binding that the driver has */
    uint32_t pipelines;
};
void program_generate(struct program *program, uint64_t seed, uint64_t number, const struct generate_params *params);

/* splitmix64, the only source of chance. */
static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* ---- machine.c ---- */
struct sampler_state {
    uint32_t wrap[3], min_filter, mag_filter, compare_mode, compare_func, decode;
    float min_lod, max_lod, bias;
    bool seamless;
    float border[4]; /* integer textures: rounded */
};

struct texture_state {
    bool alive;
    enum random_target target;
    const struct format *format;
    int width, height, depth, layers, levels;
    struct sampler_state sampler;
    uint32_t swizzle[4];
    uint32_t depth_mode;
    bool stencil;
    int base, greatest; /* levels shown: base to greatest */
    uint32_t version;   /* of what a view shows */
    int32_t seeds[LEVELS_MAX];
    enum incomplete_way way;
    bool border;               /* one texel around it */
    bool painted;              /* its texels are not those of its seeds alone */
    const struct format *like; /* whose codes its texels have; NULL: its own */
};

struct unit_state {
    int texture, sampler; /* -1: none */
    float bias;
};

struct blend_state {
    bool on;
    uint32_t source, destination, equation, source_alpha, destination_alpha, equation_alpha;
    uint32_t mask; /* bits R, G, B, A */
};

struct attachment_state {
    int texture, level, layer;
};

struct machine {
    struct texture_state textures[TEXTURES];
    struct sampler_state samplers[SAMPLERS];
    bool sampler_alive[SAMPLERS];
    struct unit_state units[UNITS];
    struct blend_state blend[ATTACHMENTS];
    struct attachment_state attachments[ATTACHMENTS];
    int attachment_count;
    float constant[4];
    bool depth_alpha; /* OpenGL has DEPTH_TEXTURE_MODE GL_ALPHA as the specification has it */
};

void machine_init(struct machine *machine);

/*
 * Carries out what changes state. False: the operation is not to be performed now, by nobody: what it needs is not
 * there, or OpenGL would leave the result undefined. True: state is as the operation has it, and voices perform it.
 */
bool machine_step(struct machine *machine, const struct operation *operation);

/* What a draw looks up: state that counts, OpenGL's rules applied. */
struct lookup {
    const struct texture_state *texture;
    int texture_slot, sampler_slot;
    struct sampler_state sampler;
    float unit_bias;
    bool shadow;
    bool incomplete;  /* as OpenGL has it: (0, 0, 0, 1), or 0 where it compares */
    int mirror_level; /* whose half texel bounds coordinates, where OpenGL lacks that bound; -1: it is not told so */
    enum sample_type type;                            /* what the shader reads */
    const struct random_shader *shader[RANDOM_FORMS]; /* NULL: there is none */
    struct parameters parameters;
};
/* For OPERATION_DRAW. False: such a draw does not exist. */
bool machine_lookup(const struct machine *machine, const struct operation *operation, struct lookup *lookup);
/*
 * For OPERATION_TOGETHER with that number: the lookups of the draws behind it, and the shader that has them all. NULL:
 * there is none, and each is drawn by a shader of its own.
 */
struct random_together_shader;
const struct random_together_shader *machine_together(const struct machine *machine, const struct program *program,
                                                      uint32_t number, struct lookup lookups[TOGETHER_MOST]);
/* How an attachment is blended: as the program says, unless this OpenGL cannot tell equations of GL_ALPHA apart. */
struct blend_state machine_blend(const struct machine *machine, int attachment);
/* For OPERATION_PAINT that looks up. */
bool machine_paint_lookup(const struct machine *machine, struct lookup *lookup);

/* Levels that lookups see, from 0; size of a level, at least 1. */
int texture_levels(const struct texture_state *texture);
int level_size(int size, int level);
/* Of an image's level, with the border: width, height, depth. */
void image_size(const struct texture_state *texture, int level, int size[3]);
int texture_faces(const struct texture_state *texture); /* layers of images: faces of cubes count */

/* Texels of a level, one face or slice after the other: canonical codes, as format.h has them; free() them. */
uint32_t *texels_make(const struct texture_state *texture, int level, uint64_t seed);
size_t texels_count(const struct texture_state *texture, int level);
/* For OpenGL and Vulkan; free() them. */
void *texels_for_gl(const struct format *format, const uint32_t *codes, size_t count);
void *texels_for_vulkan(const struct format *format, const uint32_t *codes, size_t count);
/* And back; free() them. */
uint32_t *texels_of_gl(const struct format *format, const void *bytes, size_t count);
uint32_t *texels_of_vulkan(const struct format *format, const void *bytes, size_t count);
/* Bytes of a texel in OpenGL and in Vulkan. */
size_t texel_bytes_for_gl(const struct format *format);
size_t texel_bytes_for_vulkan(const struct format *format);

/* Of what can be drawn to: OpenGL's channels, the number of one, and by how much two may be apart that are rounded. */
int code_channels(const struct format *format);
float code_number(const struct format *format, const uint32_t *texel, int channel);
float code_step(const struct format *format, int channel, float number);

/* Where blending has a channel of OpenGL's: red, green, blue, alpha. */
int blended_channel(const struct format *format, int channel);

/* What an attachment is of a texture: texels of its level. */
size_t attached_texels(const struct machine *machine, int attachment);

/* The number of a code from 0 to 1 of sRGB (section 8.24). */
double srgb_decode(double code);

/*
 * Seeds of what is not random: each texel of level n is n (floats); the last texel is 1 and others are 0 (floats);
 * bytes, words of 16 bits, bytes of which three are sRGB, halves, or texels of R11F_G11F_B10F or
 * RGB9_E5, which floats have as numbers.
 */
enum {
    SEED_LEVELS = -1,
    SEED_RAMP = -2,
    SEED_BYTES = -3,
    SEED_WORDS = -4,
    SEED_SRGB = -5,
    SEED_HALVES = -6,
    SEED_F11 = -7,
    SEED_E5 = -8
};

/* ---- shaders, made by compile_shaders.py ---- */
struct random_shader {
    enum random_target target;
    enum sample_type type;
    bool shadow;
    enum random_function function;
    enum random_stage stage;
    enum random_form form;
    const uint32_t *words;
    size_t bytes;
    const char *defines; /* for OpenGL */
};
extern const struct random_shader random_shaders[];
extern const size_t random_shader_count;

/* Of several lookups: target, type, comparison, function and stage of each alone count. */
struct random_together_shader {
    enum random_together form;
    int count;
    struct random_shader lookups[TOGETHER_MOST];
    struct random_shader shader;
};
extern const struct random_together_shader random_togethers[];
extern const size_t random_together_count;

/* Other modules: helpers of stages, and what paints. */
enum random_helper {
    HELPER_FULL_VERT, /* a triangle over everything */
    HELPER_PASS_VERT, /* points, handed on */
    HELPER_FLAT_FRAG, /* writes what came from the stage before */
    HELPER_PASS_TESC,
    HELPER_TESE_OF_TESC,
    HELPER_PAINT_FLOAT, /* frag */
    HELPER_PAINT_INT,
    HELPER_PAINT_UINT,
    HELPER_PAINT_LOOKUP,
    HELPER_PAINT_LOOKUP_SEPARATE,
    RANDOM_HELPERS,
};
extern const struct random_shader random_helpers[RANDOM_HELPERS];
extern const char random_lookup_source[], random_paint_source[];

#endif
