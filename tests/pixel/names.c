#include "pixel/pixel.h"

const uint32_t pixel_wraps[PIXEL_WRAPS] = {
    GL_CLAMP,  GL_MIRROR_CLAMP_EXT, GL_MIRROR_CLAMP_TO_BORDER_EXT, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_BORDER,
    GL_REPEAT, GL_MIRRORED_REPEAT,  GL_MIRROR_CLAMP_TO_EDGE,
};

const uint32_t pixel_filters[PIXEL_FILTERS][2] = {
    {GL_NEAREST, GL_NEAREST},
    {GL_LINEAR, GL_LINEAR},
    {GL_NEAREST, GL_LINEAR},
    {GL_LINEAR, GL_NEAREST},
    {GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST},
    {GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR},
    {GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR},
    {GL_NEAREST_MIPMAP_LINEAR, GL_LINEAR},
    {GL_LINEAR_MIPMAP_LINEAR, GL_NEAREST},
};

const char *pixel_wrap_name(uint32_t wrap)
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

const char *pixel_filter_name(uint32_t filter)
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
    default:
        return "NEAREST_MIPMAP_LINEAR";
    }
}

const char *pixel_dimension_name(enum lookup_dimension dimension)
{
    static const char *const names[LOOKUP_DIMENSIONS] = {"1D", "1D array", "2D", "2D array", "3D", "rectangle", "cube"};
    return names[dimension];
}

const char *pixel_operation_name(enum lookup_operation operation)
{
    static const char *const names[LOOKUP_OPERATIONS] = {
        "texture",          "texture with bias",   "textureLod",
        "textureGrad",      "textureProj",         "textureProjLod",
        "textureProjGrad",  "textureOffset",       "textureOffset with bias",
        "textureLodOffset", "textureGradOffset",   "textureProjOffset",
        "textureGather",    "textureGatherOffset", "textureGatherOffsets"};
    return names[operation];
}
