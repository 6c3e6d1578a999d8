/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "harness/text/names.h"

const char *name_of_wrap(uint32_t wrap)
{
    switch (wrap) {
    case GL_CLAMP:
        return "CLAMP";
    case GL_MIRROR_CLAMP_EXT:
        return "MIRROR_CLAMP";
    case GL_MIRROR_CLAMP_TO_BORDER_EXT:
        return "MIRROR_CLAMP_TO_BORDER";
    case GL_CLAMP_TO_EDGE:
        return "CLAMP_TO_EDGE";
    case GL_CLAMP_TO_BORDER:
        return "CLAMP_TO_BORDER";
    case GL_MIRRORED_REPEAT:
        return "MIRRORED_REPEAT";
    case GL_MIRROR_CLAMP_TO_EDGE:
        return "MIRROR_CLAMP_TO_EDGE";
    default:
        return "REPEAT";
    }
}

const char *name_of_filter(uint32_t filter)
{
    switch (filter) {
    case GL_NEAREST:
        return "NEAREST";
    case GL_LINEAR:
        return "LINEAR";
    case GL_NEAREST_MIPMAP_NEAREST:
        return "NEAREST_MIPMAP_NEAREST";
    case GL_LINEAR_MIPMAP_NEAREST:
        return "LINEAR_MIPMAP_NEAREST";
    case GL_LINEAR_MIPMAP_LINEAR:
        return "LINEAR_MIPMAP_LINEAR";
    case 0x9139: /* GL_IMG_texture_filter_cubic */
        return "CUBIC";
    case 0x913A:
        return "CUBIC_MIPMAP_NEAREST";
    case 0x913B:
        return "CUBIC_MIPMAP_LINEAR";
    default:
        return "NEAREST_MIPMAP_LINEAR";
    }
}

const char *name_of_dimension(enum lookup_dimension dimension)
{
    static const char *const names[LOOKUP_DIMENSIONS] = {
        [LOOKUP_1D] = "1D",     [LOOKUP_1D_ARRAY] = "1D array",
        [LOOKUP_2D] = "2D",     [LOOKUP_2D_ARRAY] = "2D array",
        [LOOKUP_3D] = "3D",     [LOOKUP_RECTANGLE] = "rectangle",
        [LOOKUP_CUBE] = "cube", [LOOKUP_CUBE_ARRAY] = "cube array",
    };
    return names[dimension];
}

const char *name_of_operation(enum lookup_operation operation)
{
    static const char *const names[LOOKUP_OPERATIONS] = {
        [LOOKUP_IMPLICIT] = "texture",
        [LOOKUP_BIAS] = "texture with bias",
        [LOOKUP_LOD] = "textureLod",
        [LOOKUP_GRAD] = "textureGrad",
        [LOOKUP_PROJ] = "textureProj",
        [LOOKUP_PROJ_LOD] = "textureProjLod",
        [LOOKUP_PROJ_GRAD] = "textureProjGrad",
        [LOOKUP_MIN_LOD] = "textureClamp",
        [LOOKUP_MIN_LOD_BIAS] = "textureClamp with bias",
        [LOOKUP_MIN_LOD_GRAD] = "textureGradClamp",
        [LOOKUP_QUERY_LOD] = "textureQueryLod",
        [LOOKUP_FETCH] = "texelFetch",
        [LOOKUP_OFFSET] = "textureOffset",
        [LOOKUP_BIAS_OFFSET] = "textureOffset with bias",
        [LOOKUP_LOD_OFFSET] = "textureLodOffset",
        [LOOKUP_GRAD_OFFSET] = "textureGradOffset",
        [LOOKUP_PROJ_OFFSET] = "textureProjOffset",
        [LOOKUP_PROJ_GRAD_OFFSET] = "textureProjGradOffset",
        [LOOKUP_MIN_LOD_OFFSET] = "textureOffsetClamp",
        [LOOKUP_GATHER] = "textureGather",
        [LOOKUP_GATHER_OFFSET] = "textureGatherOffset",
        [LOOKUP_GATHER_OFFSETS] = "textureGatherOffsets",
    };
    return names[operation];
}

const char *name_of_token(uint32_t token)
{
    static const struct {
        uint32_t token;
        const char *name;
    } names[] = {
        {GL_ZERO, "ZERO"},
        {GL_ONE, "ONE"},
        {GL_RED, "RED"},
        {GL_GREEN, "GREEN"},
        {GL_BLUE, "BLUE"},
        {GL_ALPHA, "ALPHA"},
        {GL_RG, "RG"},
        {GL_RGB, "RGB"},
        {GL_RGBA, "RGBA"},
        {GL_LUMINANCE, "LUMINANCE"},
        {GL_LUMINANCE_ALPHA, "LUMINANCE_ALPHA"},
        {GL_INTENSITY, "INTENSITY"},
        {GL_DEPTH_COMPONENT, "DEPTH_COMPONENT"},
        {GL_DEPTH_COMPONENT24, "DEPTH_COMPONENT24"},
        {GL_DEPTH_STENCIL, "DEPTH_STENCIL"},
        {GL_STENCIL_INDEX, "STENCIL_INDEX"},
    };
    static char number[16]; /* reports are written by one thread */
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (names[i].token == token)
            return names[i].name;
    snprintf(number, sizeof(number), "%#x", token);
    return number;
}
