/* SPDX-License-Identifier: MIT */
/* What both sides of the process can draw, found out before anything is drawn. One per process, set by main. */
#ifndef RANDOM_DRAWABLE_H
#define RANDOM_DRAWABLE_H

#include "program.h"

enum { FORMATS_MAX = 96 };
/* What incomplete textures are looked up as. */
enum incomplete_kind { INCOMPLETE_FLOAT, INCOMPLETE_INTEGER, INCOMPLETE_DEPTH, INCOMPLETE_SHADOW, INCOMPLETE_KINDS };

struct drawable {
    bool format[FORMATS_MAX][RANDOM_TARGETS]; /* textures */
    bool attachment[FORMATS_MAX];             /* drawn to and blended */
    bool every_blend[FORMATS_MAX]; /* in any order of channels, alone in its pass: the layer has every equation */
    bool stage[RANDOM_STAGES];
    bool (*says)(const struct lookup *lookup); /* NULL: everything; else what is drawn at all */
    bool mirror_clamp;                         /* OpenGL has EXT_texture_mirror_clamp */
    bool mirror_line;                          /* and its lower bound 1/(2N), shown by a control */
    bool depth_alpha;     /* OpenGL shows DEPTH_TEXTURE_MODE GL_ALPHA as (0, 0, 0, D), shown by a control */
    bool compared_alpha;  /* and comparisons under it as their result, by a control: section 11.1.3.5 leaves 0 of it */
    bool stencil_red;     /* stencil is in red, whatever DEPTH_TEXTURE_MODE is, by a control; else views say it */
    bool level_offset;    /* Vulkan's driver moves the texels of both levels that it blends, by a control */
    bool unsigned_border; /* floats without a sign have no negative border, by a control */
    bool decode;          /* EXT_texture_sRGB_decode */
    bool exact_border;    /* border colours are not rounded to what formats hold, by a control */
    bool blend_off;       /* Vulkan's driver ignores equations of attachments that are not blended, by a control */
    bool gather_mirrors;  /* Vulkan's driver gathers mirrored coordinates as OpenGL does, by a control */
    bool gather_bounds;   /* Vulkan's driver gathers from the base level whatever bounds levels, by a control */
    bool block_compute;   /* Vulkan's driver shows compressed textures to compute shaders, by a control */
    bool fetch_base;      /* Vulkan's driver fetches from views' first levels, by a control */
    bool integer_base;    /* integer textures of several levels with GL_NEAREST show the base level, by a control */
    bool cube_wraps;      /* cubes that are not seamless are wrapped face by face, by a control */
    bool array_levels;    /* 1D arrays of any width have levels, by a control */
    bool array_index;     /* arrays of images at an index that is pushed: shaderSampledImageArrayDynamicIndexing */
    bool gather_offset;   /* gathers with offsets that are no constants: Vulkan's shaderImageGatherExtended */
    bool cube_clamp;      /* GL_CLAMP blends the border in along faces of cubes, by a control */
    bool mirror_gather;   /* gathers have the texels of EXT_texture_mirror_clamp in the order of |s|, by a control */
    bool mirror_offset;   /* offsets are added before those modes mirror, by a control */
    bool rectangle_gradient; /* gradients of rectangles are in texels, and minify, by controls */
    bool rectangle_levels;   /* rectangles take a least and a greatest level: NVIDIA answers GL_INVALID_OPERATION */
    bool incomplete[RANDOM_TARGETS]
                   [INCOMPLETE_KINDS]; /* such textures are (0, 0, 0, 1) and compare as 0, by controls */
    bool incomplete_border;            /* and have no border colour around them, by a control */
    bool alpha_apart;                  /* GL_ALPHA as a target is blended by the equation of alpha, by a control */
};
extern struct drawable random_drawable;

#endif
