/* SPDX-License-Identifier: MIT */
#include "guests/rsx_vulkan.h"

#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

/* A format as Vulkan keeps it, its channels as OpenGL has them, and A, R, G and B of the guest's format in these. */
struct mapping {
    enum rsx_color color;
    VkFormat format;
    uint32_t base_format;
    uint32_t sources[4];
    VkComponentMapping channels;
};

static const struct mapping mappings[] = {
    {RSX_B8, VK_FORMAT_R8_UNORM, GL_RED, {GL_ONE, GL_RED, GL_RED, GL_RED}, {0}},
    {RSX_G8B8, VK_FORMAT_R8G8_UNORM, GL_RG, {GL_GREEN, GL_RED, GL_GREEN, GL_RED}, {0}},
    {RSX_A1R5G5B5, VK_FORMAT_A1R5G5B5_UNORM_PACK16, GL_RGBA, {GL_ALPHA, GL_RED, GL_GREEN, GL_BLUE}, {0}},
    {RSX_D1R5G5B5, VK_FORMAT_A1R5G5B5_UNORM_PACK16, GL_RGB, {GL_ALPHA, GL_RED, GL_GREEN, GL_BLUE}, {0}},
    /* Of four bits each, this is the one order that every device has. */
    {RSX_A4R4G4B4,
     VK_FORMAT_B4G4R4A4_UNORM_PACK16,
     GL_RGBA,
     {GL_ALPHA, GL_RED, GL_GREEN, GL_BLUE},
     NVIDIA_CHANNELS(G, R, A, B)},
    {RSX_R5G6B5, VK_FORMAT_R5G6B5_UNORM_PACK16, GL_RGB, {GL_ALPHA, GL_RED, GL_GREEN, GL_BLUE}, {0}},
    {RSX_A8R8G8B8, VK_FORMAT_B8G8R8A8_UNORM, GL_RGBA, {GL_ALPHA, GL_RED, GL_GREEN, GL_BLUE}, {0}},
    {RSX_D8R8G8B8, VK_FORMAT_B8G8R8A8_UNORM, GL_RGB, {GL_ALPHA, GL_RED, GL_GREEN, GL_BLUE}, {0}},
    {RSX_DEPTH16, VK_FORMAT_D16_UNORM, GL_DEPTH_COMPONENT, {GL_ALPHA, GL_RED, GL_GREEN, GL_BLUE}, {0}},
};

static const struct mapping *mapping_of(enum rsx_color color)
{
    for (size_t i = 0; i < sizeof(mappings) / sizeof(*mappings); i++)
        if (mappings[i].color == color)
            return &mappings[i];
    abort();
}

/*
 * The guest's words in this machine's order, level after level. Of its border texels the one beside the texture is
 * taken: no address mode reads another.
 */
static void copy_texels(const struct rsx_unit *unit, const struct rsx_shape *shape, const struct nvidia_host *host)
{
    uint8_t *to = host->texels;
    for (uint32_t level = 0; level < shape->levels; level++) {
        int32_t at[3], inside[3], image[3], margin[3];
        for (uint32_t axis = 0; axis < 3; axis++) {
            inside[axis] = (int32_t)nvidia_level_size(shape->size[axis], level);
            image[axis] = (int32_t)nvidia_level_size(host->stored[axis], level);
            margin[axis] = axis < shape->axes ? (int32_t)host->margin : 0;
        }
        for (at[2] = -margin[2]; at[2] < image[2] - margin[2]; at[2]++)
            for (at[1] = -margin[1]; at[1] < image[1] - margin[1]; at[1]++)
                for (at[0] = -margin[0]; at[0] < image[0] - margin[0]; at[0]++) {
                    const bool taken = at[0] < inside[0] + margin[0] && at[1] < inside[1] + margin[1];
                    const uint32_t word = taken ? rsx_texel_word(unit, shape, level, at) : 0;
                    for (uint32_t byte = 0; byte < shape->texel; byte++)
                        *to++ = (uint8_t)(word >> 8 * byte);
                }
    }
}

struct nvidia_host rsx_host(const struct rsx_unit *unit)
{
    static const enum rsx_channel order[4] = {RSX_FROM_R, RSX_FROM_G, RSX_FROM_B, RSX_FROM_A};
    const struct rsx_shape shape = rsx_shape_of(unit);
    const struct mapping *mapping = mapping_of(shape.color);
    struct nvidia_host host = {
        .format = mapping->format,
        .base_format = mapping->base_format,
        .channels = mapping->channels,
        .margin = shape.margin ? 1 : 0,
        .plain = !shape.margin &&
                 (shape.color == RSX_A8R8G8B8 || shape.color == RSX_A1R5G5B5 || shape.color == RSX_DEPTH16) &&
                 (unit->control1 & 0xffff) == RSX_CONTROL1_IDENTITY,
    };
    for (unsigned c = 0; c < 4; c++) {
        const enum rsx_source source = rsx_crossbar(unit, order[c]);
        host.swizzle[c] = source == RSX_IS_ZERO ? GL_ZERO : source == RSX_IS_ONE ? GL_ONE : mapping->sources[source];
    }
    for (uint32_t axis = 0; axis < 3; axis++)
        host.stored[axis] = shape.size[axis] << (axis < shape.axes && shape.margin);
    nvidia_color(unit->border_color, host.border.float32);
    host.texels = nvidia_host_texels(&host, shape.levels);
    copy_texels(unit, &shape, &host);
    return host;
}
