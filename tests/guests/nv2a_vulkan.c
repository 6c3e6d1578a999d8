/* SPDX-License-Identifier: MIT */
#include "guests/nv2a_vulkan.h"

#include <stdlib.h>

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

#define CHANNELS(r, g, b, a)                                                                                           \
    {                                                                                                                  \
        VK_COMPONENT_SWIZZLE_##r, VK_COMPONENT_SWIZZLE_##g, VK_COMPONENT_SWIZZLE_##b, VK_COMPONENT_SWIZZLE_##a         \
    }

static const struct mapping mappings[] = {
    {NV2A_SZ_Y8, VK_FORMAT_R8_UNORM, GL_LUMINANCE, {0}, {0}, false},
    {NV2A_SZ_AY8, VK_FORMAT_R8_UNORM, GL_INTENSITY, {0}, {0}, false},
    {NV2A_SZ_A8, VK_FORMAT_R8_UNORM, GL_ALPHA, {GL_ONE, GL_ONE, GL_ONE, GL_ALPHA}, {0}, false},
    {NV2A_SZ_A8Y8, VK_FORMAT_R8G8_UNORM, GL_LUMINANCE_ALPHA, {0}, {0}, false},
    {NV2A_SZ_G8B8, VK_FORMAT_R8G8_UNORM, GL_RG, {GL_RED, GL_GREEN, GL_RED, GL_GREEN}, {0}, false},
    {NV2A_SZ_A1R5G5B5, VK_FORMAT_A1R5G5B5_UNORM_PACK16, GL_RGBA, {0}, {0}, true},
    {NV2A_SZ_X1R5G5B5, VK_FORMAT_A1R5G5B5_UNORM_PACK16, GL_RGB, {0}, {0}, false},
    /* Of four bits each, this is the one order that every device has. */
    {NV2A_SZ_A4R4G4B4, VK_FORMAT_B4G4R4A4_UNORM_PACK16, GL_RGBA, {0}, CHANNELS(G, R, A, B), false},
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

static bool mag_tent(const struct nv2a_stage *stage)
{
    return nv2a_mag_filter(stage) == NV2A_FILTER_TENT_LOD0;
}

/* The border's colour: red, green, blue, alpha, in the channels of the texels that it stands beside. */
static VkClearColorValue border_color(const struct nv2a_stage *stage, enum nv2a_color color)
{
    VkClearColorValue border = {{0}};
    for (unsigned c = 0; c < 4; c++)
        border.float32[c] = (float)(stage->bordercolor >> (c < 3 ? 16 - 8 * c : 24) & 0xff) / 255.0f;
    if (color == NV2A_SZ_G8B8) /* blue is kept as red */
        border.float32[0] = border.float32[2];
    return border;
}

/* The guest has the depth in front of the comparison, OpenGL and Vulkan the reference. */
static uint32_t compare_op(const struct nv2a_stage *stage)
{
    const uint32_t zfunc = stage->shadowctl & NV2A_SHADOWCTL_SHADOW_ZFUNC_MASK;
    return (zfunc & 2) | (zfunc >> 2 & 1) | (zfunc & 1) << 2;
}

static VkSampler sampler_in_opengls_words(struct harness_vulkan *vk, const struct nv2a_stage *stage,
                                          const struct nv2a_shape *shape)
{
    static const uint32_t modes[] = {[NV2A_ADDR_WRAP] = GL_REPEAT,
                                     [NV2A_ADDR_MIRROR] = GL_MIRRORED_REPEAT,
                                     [NV2A_ADDR_CLAMP_TO_EDGE] = GL_CLAMP_TO_EDGE,
                                     [NV2A_ADDR_BORDER] = GL_CLAMP_TO_BORDER,
                                     [NV2A_ADDR_CLAMP_OGL] = GL_CLAMP};
    static const uint32_t filters[] = {[NV2A_FILTER_BOX_LOD0] = GL_NEAREST,
                                       [NV2A_FILTER_TENT_LOD0] = GL_LINEAR,
                                       [NV2A_FILTER_BOX_NEARESTLOD] = GL_NEAREST_MIPMAP_NEAREST,
                                       [NV2A_FILTER_TENT_NEARESTLOD] = GL_LINEAR_MIPMAP_NEAREST,
                                       [NV2A_FILTER_BOX_TENT_LOD] = GL_NEAREST_MIPMAP_LINEAR,
                                       [NV2A_FILTER_TENT_TENT_LOD] = GL_LINEAR_MIPMAP_LINEAR};
    const VkSamplerGLStateCreateInfoCLAMPLER state = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
        .wrapS = modes[nv2a_address_of(stage, 0)],
        .wrapT = modes[nv2a_address_of(stage, 1)],
        .wrapR = modes[nv2a_address_of(stage, 2)],
        .minFilter = filters[nv2a_min_filter(stage)],
        .magFilter = mag_tent(stage) ? GL_LINEAR : GL_NEAREST,
        .minLod = nv2a_lod_bound(stage, NV2A_TEXCTL0_MIN_LOD_SHIFT),
        .maxLod = nv2a_lod_bound(stage, NV2A_TEXCTL0_MAX_LOD_SHIFT),
        .lodBias = nv2a_lod_bias(stage),
        .compareMode = shape->depth ? GL_COMPARE_REF_TO_TEXTURE : GL_NONE,
        .compareFunc = GL_NEVER + compare_op(stage),
        .borderColor = border_color(stage, shape->color),
    };
    return harness_sampler(vk, &(VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &state});
}

static VkSampler sampler_in_vulkans_words(struct harness_vulkan *vk, const struct nv2a_stage *stage,
                                          const struct nv2a_shape *shape)
{
    static const VkSamplerAddressMode modes[] = {
        [NV2A_ADDR_WRAP] = VK_SAMPLER_ADDRESS_MODE_REPEAT,
        [NV2A_ADDR_MIRROR] = VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT,
        [NV2A_ADDR_CLAMP_TO_EDGE] = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        [NV2A_ADDR_BORDER] = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
        [NV2A_ADDR_CLAMP_OGL] = VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER,
    };
    const enum nv2a_filter min = nv2a_min_filter(stage);
    const bool levels = min > NV2A_FILTER_TENT_LOD0;
    const VkSamplerCustomBorderColorCreateInfoEXT border = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
        .customBorderColor = border_color(stage, shape->color),
    };
    /* "Sampler": without levels 0.25 is what keeps magnification and minification apart. */
    return harness_sampler(vk, &(VkSamplerCreateInfo){
                                   .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                   .pNext = &border,
                                   .magFilter = mag_tent(stage) ? VK_FILTER_LINEAR : VK_FILTER_NEAREST,
                                   .minFilter = min & 1 ? VK_FILTER_NEAREST : VK_FILTER_LINEAR,
                                   .mipmapMode = min > NV2A_FILTER_TENT_NEARESTLOD ? VK_SAMPLER_MIPMAP_MODE_LINEAR
                                                                                   : VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                   .addressModeU = modes[nv2a_address_of(stage, 0)],
                                   .addressModeV = modes[nv2a_address_of(stage, 1)],
                                   .addressModeW = modes[nv2a_address_of(stage, 2)],
                                   .mipLodBias = nv2a_lod_bias(stage),
                                   .minLod = levels ? nv2a_lod_bound(stage, NV2A_TEXCTL0_MIN_LOD_SHIFT)
                                             : nv2a_lod_bound(stage, NV2A_TEXCTL0_MIN_LOD_SHIFT) > 0 ? 0.25f
                                                                                                     : 0,
                                   .maxLod = levels ? nv2a_lod_bound(stage, NV2A_TEXCTL0_MAX_LOD_SHIFT) : 0.25f,
                                   .compareEnable = shape->depth,
                                   .compareOp = (VkCompareOp)compare_op(stage),
                                   .borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT,
                               });
}

bool nv2a_has_address_modes(const struct nv2a_stage *stage)
{
    const struct nv2a_shape shape = nv2a_shape_of(stage);
    return !shape.margin && mapping_of(shape.color)->plain;
}

/* Out of Morton order, level after level. */
static void *linear_texels(const struct nv2a_stage *stage, const struct nv2a_shape *shape)
{
    uint8_t *texels = malloc(nv2a_memory_size(shape)), *to = texels;
    if (!texels)
        abort();
    for (uint32_t level = 0; level < shape->levels; level++) {
        uint32_t at[3], size[3];
        for (uint32_t axis = 0; axis < 3; axis++)
            size[axis] = nv2a_level_size(shape->stored[axis], level);
        for (at[2] = 0; at[2] < size[2]; at[2]++)
            for (at[1] = 0; at[1] < size[1]; at[1]++)
                for (at[0] = 0; at[0] < size[0]; at[0]++)
                    for (uint32_t byte = 0; byte < shape->texel; byte++)
                        *to++ = stage->memory[nv2a_texel_place(shape, level, at) + byte];
    }
    return texels;
}

void nv2a_texture_create(struct harness_vulkan *vk, struct nv2a_texture *texture, const struct nv2a_stage *stage,
                         enum nv2a_words words)
{
    static const VkImageViewType types[] = {VK_IMAGE_VIEW_TYPE_1D, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_3D};
    const struct nv2a_shape shape = nv2a_shape_of(stage);
    const struct mapping *mapping = mapping_of(shape.color);
    const VkImageViewGLTextureStateCreateInfoCLAMPLER bordered = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER,
        .borderWidth = shape.margin,
        .extent = {shape.size[0], shape.size[1], shape.size[2]},
    };
    const VkImageViewGLChannelOrderCreateInfoCLAMPLER order = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_CHANNEL_ORDER_CREATE_INFO_CLAMPLER,
        .pNext = shape.margin ? &bordered : NULL,
        .channels = mapping->channels,
    };
    const VkImageViewGLStateCreateInfoCLAMPLER state = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
        .pNext = shape.depth ? order.pNext : &order,
        .baseFormat = mapping->base_format,
        .swizzle = {mapping->swizzle[0], mapping->swizzle[1], mapping->swizzle[2], mapping->swizzle[3]},
    };
    void *texels = linear_texels(stage, &shape);
    harness_image_create(vk, &texture->image,
                         &(struct harness_image_params){.type = types[shape.axes - 1],
                                                        .format = mapping->format,
                                                        .width = shape.stored[0],
                                                        .height = shape.stored[1],
                                                        .depth = shape.stored[2],
                                                        .levels = shape.levels,
                                                        .view_next = words == NV2A_WORDS_OPENGL ? &state : NULL},
                         texels);
    free(texels);
    texture->sampler = words == NV2A_WORDS_OPENGL ? sampler_in_opengls_words(vk, stage, &shape)
                                                  : sampler_in_vulkans_words(vk, stage, &shape);
}

void nv2a_texture_destroy(struct harness_vulkan *vk, struct nv2a_texture *texture)
{
    vkDestroySampler(vk->device, texture->sampler, NULL);
    harness_image_destroy(vk, &texture->image);
}
