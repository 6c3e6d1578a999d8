/* SPDX-License-Identifier: MIT */
/*
 * A case of the differential suite: plain data, drawn by OpenGL, by Vulkan under the layer, and evaluated by the
 * reference sampler. Cases are made by generators, one for each family (families.c, pairs.c).
 */
#ifndef CLAMPLER_DIFFERENTIAL_CASE_H
#define CLAMPLER_DIFFERENTIAL_CASE_H

#include "harness/lookups/lookup.h"

/* What a case is about; results are reported by family. A new semantic adds a family here and a row in families.c. */
enum family {
    FAMILY_CLAMP,            /* GL_CLAMP on every axis, every filter, every dimension */
    FAMILY_MIRROR,           /* the three mirror clamp modes likewise */
    FAMILY_NATIVE_WRAPS,     /* the modes that every Vulkan driver has */
    FAMILY_MIXED_FILTERS,    /* magnification and minification filters that differ */
    FAMILY_AXES,             /* a mode of its own for each axis */
    FAMILY_LOD,              /* level of detail from derivatives, within and beyond the texture */
    FAMILY_LOD_RANGE,        /* biases and ranges of the level of detail */
    FAMILY_OPERATIONS,       /* every GLSL lookup function */
    FAMILY_STAGES,           /* vertex, fragment and compute; combined and separate descriptors */
    FAMILY_OFFSETS,          /* texel offsets */
    FAMILY_GATHER,           /* gathers */
    FAMILY_MIRRORED_GATHERS, /* gathers along one axis that is mirrored */
    FAMILY_COMPARE,          /* depth comparison */
    FAMILY_ARRAYS,           /* array layers, within and beyond the array */
    FAMILY_RECTANGLE,        /* texel coordinates */
    FAMILY_BORDER,           /* border colours, few and many at a time */
    FAMILY_INTEGER,          /* integer texels, never filtered */
    FAMILY_ANISOTROPY,       /* anisotropic filters */
    FAMILY_COMPONENTS,       /* gathers of each component */
    FAMILY_CUBES,            /* cubes and cube arrays, faces filtered together or alone */
    FAMILY_VIEWS,            /* base formats, depth modes, swizzles */
    FAMILY_BORDER_VIEWS,     /* border colours through views, by type of format */
    FAMILY_FALLBACK,         /* linear filters of formats that the driver cannot filter */
    FAMILY_DEPTH,            /* depth without comparison; values to compare with beyond [0, 1]; stencil */
    FAMILY_INCOMPLETE,       /* linear filters of integer textures */
    FAMILY_BASE_LEVEL,       /* filters without mipmaps on textures with levels */
    FAMILY_BIAS,             /* biases, within the driver's limit and beyond */
    FAMILY_TEXELS,           /* rectangle textures: texel coordinates under GL state */
    FAMILY_SRGB,             /* decoding left out */
    FAMILY_REDUCTION,        /* minimum and maximum of the footprint */
    FAMILY_LOD_QUERY,        /* textureQueryLod */
    FAMILY_FETCH,            /* texelFetch, which no sampler acts on */
    FAMILY_VIEW_LEVELS,      /* least levels of detail of views */
    FAMILY_COMPANY,          /* several lookups in one shader, with levels from derivatives */
    FAMILY_FIRST_LEVELS,     /* views whose first level is not the image's */
    FAMILY_GRADIENTS,        /* gradients of the shader's own, in shaders that follow records */
    FAMILY_FAIL_VALUES,      /* comparisons that fail give the texture's value */
    FAMILY_UNFINISHED,       /* textures that are not complete */
    FAMILY_CUBIC,            /* cubic filters */
    FAMILY_TEXTURE_BORDERS,  /* textures that have border texels */
    FAMILY_PAIRS,            /* every pair of values of any two parameters */
    FAMILY_RANDOM,           /* parameters drawn at random from the printed seed */
    FAMILY_COMBINATIONS,     /* likewise, those of views, borders, cubes and fallbacks among them, in every format */
    FAMILIES,
};

const char *family_name(enum family family);

/* What texels hold. */
enum case_contents {
    CONTENTS_SCRAMBLED, /* neighbours differ by at most a third of the range; levels by more */
    CONTENTS_LEVELS, /* RGBA32F: formats: every level a red of its own and no green, so that a colour tells its level */
};

/* GL_IMG_texture_filter_cubic, which OpenGL's headers lack. */
#define CASE_CUBIC 0x9139u
#define CASE_CUBIC_MIPMAP_NEAREST 0x913au
#define CASE_CUBIC_MIPMAP_LINEAR 0x913bu

struct case_texture {
    enum lookup_format format;
    enum case_contents contents;
    uint32_t size[3]; /* width, height, depth or layers; what the dimension lacks is ignored */
    uint32_t levels;  /* 0: all */
    uint32_t border;  /* 0: none; else it has border texels, so many of Vulkan's image in front of it */
};

/* Where a case samples: a grid of CASE_GRID x CASE_GRID lookups. */
#define CASE_GRID 32u
enum case_pattern_kind {
    PATTERN_SWEEP, /* about -2.3 to 3.1 times the texture across the grid, jittered, with the places where modes bend */
    PATTERN_AFFINE, /* an affine function of the pixel, for derivatives; on cubes within one face for each 2 x 2 block
                     */
};
struct case_pattern {
    enum case_pattern_kind kind;
    uint32_t seed; /* of the jitter */
    float texels;  /* AFFINE: texels of level 0 from pixel to pixel along s */
    float stretch; /* as many times more along t */
    float turn;    /* radians */
    float middle;  /* the coordinate in the middle of the grid */
};

struct diff_case {
    enum family family;
    struct lookup lookup; /* dimension, function, kind, stage, separate or combined descriptor */
    struct case_texture texture;
    VkSamplerGLStateCreateInfoCLAMPLER state;  /* GL sampler state; sType and pNext are not used */
    enum lookup_sampler_form form;             /* GL structure or private address modes */
    bool viewed;                               /* `view` is beside the image view */
    VkImageViewGLStateCreateInfoCLAMPLER view; /* GL view state; sType and pNext are not used */
    bool texture_incomplete;                   /* the texture lacks levels */
    float compare_fail;                        /* GL_TEXTURE_COMPARE_FAIL_VALUE_ARB */
    float view_least;                          /* the view's least level of detail; 0: it has none */
    uint32_t view_first;  /* Vulkan: levels that the image has before those of `texture`, which the view shows */
    bool gpu_form;        /* the layer's setting `form`: gpu, else cpu */
    bool shader_fallback; /* `linear_fallback`: shader, else nearest */
    bool incomplete;      /* `integer_linear`: incomplete, else nearest */
    bool beside_filter;   /* another descriptor of the set asks for a filter in the shader: tier 2 draws, whatever this
                             asks */
    bool crowded;         /* with CASE_CROWD more samplers with custom borders alive */
    struct case_pattern pattern;
};

#define CASE_CROWD 32u

/* A growing array of cases; the owner frees `cases`. */
struct case_list {
    struct diff_case *cases;
    size_t count, capacity;
};
void case_add(struct case_list *list, const struct diff_case *one);

/* Fills the grid of inputs for a case. */
void case_inputs(const struct diff_case *one, struct lookup_input *inputs);

/* One line of text about a case: every parameter. */
void case_describe(const struct diff_case *one, char *text, size_t size);

/* ---- What a case is ---- */

int case_axes(const struct diff_case *one); /* axes that wrap: 1 to 3; cubes: 2 on each face */
bool case_is_cube(const struct diff_case *one);
bool case_is_integer(const struct diff_case *one); /* what is sampled is: an integer format, or the stencil */
enum reference_kind case_kind(const struct diff_case *one);
bool case_has_wrap(const struct diff_case *one, uint32_t wrap);
bool case_mirrors(const struct diff_case *one);      /* MIRROR_CLAMP or MIRROR_CLAMP_TO_BORDER on some axis */
bool case_computes_lod(const struct diff_case *one); /* the level of detail comes from derivatives */
bool case_implicit(const struct diff_case *one);     /* from those of neighbouring pixels */
bool case_gathers(const struct diff_case *one);
bool case_has_offset(const struct diff_case *one); /* a texel offset, gathers not counted */
bool case_compares(const struct diff_case *one);
bool case_filter_linear(uint32_t filter);
bool case_filter_cubic(uint32_t filter);
bool case_is_cubic(const struct diff_case *one); /* some filter of the state is */
bool case_filter_mipmapped(uint32_t filter);
bool case_filters(const struct diff_case *one); /* some filter of the state is linear, that between levels included */
float case_shader_bias(const struct diff_case *one); /* what the lookup itself adds to the level of detail */
uint32_t case_base(const struct diff_case *one);     /* the view's base format; 0: the texture's own */
uint32_t case_level_count(const struct diff_case *one);

#endif
