/* SPDX-License-Identifier: MIT */
#include "guests/nv2a_vulkan.h"

#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

/* A format as Vulkan keeps it, its channels as OpenGL has them, and where Vulkan keeps these where that differs. */
struct mapping {
    enum nv2a_color color;
    VkFormat format;
    uint32_t base_format;
    uint32_t swizzle[4]; /* zeros: none */
    VkComponentMapping channels;
    bool plain; /* Vulkan shows the same without any of this */
};

static const struct mapping mappings[] = {
    {NV2A_SZ_Y8, VK_FORMAT_R8_UNORM, GL_LUMINANCE, {0}, {0}, false},
    {NV2A_SZ_AY8, VK_FORMAT_R8_UNORM, GL_INTENSITY, {0}, {0}, false},
    {NV2A_SZ_A8, VK_FORMAT_R8_UNORM, GL_ALPHA, {GL_ONE, GL_ONE, GL_ONE, GL_ALPHA}, {0}, false},
    {NV2A_SZ_A8Y8, VK_FORMAT_R8G8_UNORM, GL_LUMINANCE_ALPHA, {0}, {0}, false},
    {NV2A_SZ_G8B8, VK_FORMAT_R8G8_UNORM, GL_RG, {GL_RED, GL_GREEN, GL_RED, GL_GREEN}, {0}, false},
    {NV2A_SZ_A1R5G5B5, VK_FORMAT_A1R5G5B5_UNORM_PACK16, GL_RGBA, {0}, {0}, true},
    {NV2A_SZ_X1R5G5B5, VK_FORMAT_A1R5G5B5_UNORM_PACK16, GL_RGB, {0}, {0}, false},
    /* Of four bits each, this is the one order that every device has. */
    {NV2A_SZ_A4R4G4B4, VK_FORMAT_B4G4R4A4_UNORM_PACK16, GL_RGBA, {0}, NVIDIA_CHANNELS(G, R, A, B), false},
    {NV2A_SZ_R5G6B5, VK_FORMAT_R5G6B5_UNORM_PACK16, GL_RGB, {0}, {0}, false},
    {NV2A_SZ_A8R8G8B8, VK_FORMAT_B8G8R8A8_UNORM, GL_RGBA, {0}, {0}, true},
    {NV2A_SZ_X8R8G8B8, VK_FORMAT_B8G8R8A8_UNORM, GL_RGB, {0}, {0}, false},
    {NV2A_SZ_A8B8G8R8, VK_FORMAT_R8G8B8A8_UNORM, GL_RGBA, {0}, {0}, true},
    {NV2A_SZ_DEPTH_Y16_FIXED, VK_FORMAT_D16_UNORM, GL_DEPTH_COMPONENT, {0}, {0}, true},
};

static const struct mapping *mapping_of(enum nv2a_color color)
{
    for (size_t i = 0; i < sizeof(mappings) / sizeof(*mappings); i++)
        if (mappings[i].color == color)
            return &mappings[i];
    abort();
}

/* Out of Morton order, level after level. */
static void copy_texels(const struct nv2a_stage *stage, const struct nv2a_shape *shape, uint8_t *to)
{
    for (uint32_t level = 0; level < shape->levels; level++) {
        uint32_t at[3], size[3];
        for (uint32_t axis = 0; axis < 3; axis++)
            size[axis] = nvidia_level_size(shape->stored[axis], level);
        for (at[2] = 0; at[2] < size[2]; at[2]++)
            for (at[1] = 0; at[1] < size[1]; at[1]++)
                for (at[0] = 0; at[0] < size[0]; at[0]++)
                    for (uint32_t byte = 0; byte < shape->texel; byte++)
                        *to++ = stage->memory[nv2a_texel_place(shape, level, at) + byte];
    }
}

struct nvidia_host nv2a_host(const struct nv2a_stage *stage)
{
    const struct nv2a_shape shape = nv2a_shape_of(stage);
    const struct mapping *mapping = mapping_of(shape.color);
    struct nvidia_host host = {
        .format = mapping->format,
        .base_format = mapping->base_format,
        .channels = mapping->channels,
        .margin = shape.margin,
        .plain = mapping->plain && !shape.margin,
    };
    memcpy(host.swizzle, mapping->swizzle, sizeof(host.swizzle));
    memcpy(host.stored, shape.stored, sizeof(host.stored));
    nvidia_color(stage->bordercolor, host.border.float32);
    if (shape.color == NV2A_SZ_G8B8) /* blue is kept as red */
        host.border.float32[0] = host.border.float32[2];
    host.texels = nvidia_host_texels(&host, shape.levels);
    copy_texels(stage, &shape, host.texels);
    return host;
}
