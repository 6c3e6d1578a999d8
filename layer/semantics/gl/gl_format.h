/* SPDX-License-Identifier: MIT */
/*
 * GL format: the properties of OpenGL's internal formats that sampling depends on. Pure, and constant. OpenGL's tokens
 * are in gl_tokens.h.
 */
#ifndef CLAMPLER_GL_FORMAT_H
#define CLAMPLER_GL_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "format/range.h"

enum gl_format_kind {
    GL_FORMAT_ANY,   /* unsized: the VkFormat decides */
    GL_FORMAT_UNORM, /* sRGB and fixed-point depth as well */
    GL_FORMAT_SNORM,
    GL_FORMAT_FLOAT,
    GL_FORMAT_INTEGER,
    GL_FORMAT_STENCIL,
};

struct gl_format {
    uint32_t token;
    uint32_t base; /* base format: one of GL's tokens */
    enum gl_format_kind kind;
    enum view_range range; /* of a sized colour or depth format's channels; NONE where nothing bounds them */
    bool in_buffers;       /* a buffer texture can have it */
};

/* False if the token is no internal format of a texture. */
bool gl_format_find(uint32_t token, struct gl_format *format);

#endif
