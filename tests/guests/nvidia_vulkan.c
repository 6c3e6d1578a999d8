/* SPDX-License-Identifier: MIT */
#include "guests/nvidia_vulkan.h"

#include <stdlib.h>

#include <GL/gl.h>
#include <GL/glext.h>

void *nvidia_host_texels(const struct nvidia_host *host, uint32_t levels)
{
    size_t texels = 0;
    for (uint32_t level = 0; level < levels; level++) {
        size_t of_level = 1;
        for (uint32_t axis = 0; axis < 3; axis++)
            of_level *= nvidia_level_size(host->stored[axis], level);
        texels += of_level;
    }
    void *memory = calloc(texels, harness_texel_size(host->format));
    if (!memory)
        abort();
    return memory;
}

/* The guest has the depth in front of the comparison, OpenGL and Vulkan the reference. */
static uint32_t compare_op(uint32_t zfunc)
{
    return (zfunc & 2) | (zfunc >> 2 & 1) | (zfunc & 1) << 2;
}

static VkSampler sampler_in_opengls_words(struct harness_vulkan *vk, const struct nvidia_stage *stage,
                                          VkClearColorValue border)
{
    static const uint32_t modes[] = {[NVIDIA_WRAP] = GL_REPEAT,
                                     [NVIDIA_MIRROR] = GL_MIRRORED_REPEAT,
                                     [NVIDIA_CLAMP_TO_EDGE] = GL_CLAMP_TO_EDGE,
                                     [NVIDIA_BORDER] = GL_CLAMP_TO_BORDER,
                                     [NVIDIA_CLAMP] = GL_CLAMP,
                                     [NVIDIA_MIRROR_ONCE_CLAMP_TO_EDGE] = GL_MIRROR_CLAMP_TO_EDGE,
                                     [NVIDIA_MIRROR_ONCE_BORDER] = GL_MIRROR_CLAMP_TO_BORDER_EXT,
                                     [NVIDIA_MIRROR_ONCE_CLAMP] = GL_MIRROR_CLAMP_EXT};
    static const uint32_t filters[] = {[NVIDIA_NEAREST] = GL_NEAREST,
                                       [NVIDIA_LINEAR] = GL_LINEAR,
                                       [NVIDIA_NEAREST_NEAREST] = GL_NEAREST_MIPMAP_NEAREST,
                                       [NVIDIA_LINEAR_NEAREST] = GL_LINEAR_MIPMAP_NEAREST,
                                       [NVIDIA_NEAREST_LINEAR] = GL_NEAREST_MIPMAP_LINEAR,
                                       [NVIDIA_LINEAR_LINEAR] = GL_LINEAR_MIPMAP_LINEAR};
    const VkSamplerGLStateCreateInfoCLAMPLER state = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
        .wrapS = modes[stage->address[0]],
        .wrapT = modes[stage->address[1]],
        .wrapR = modes[stage->address[2]],
        .minFilter = filters[stage->min],
        .magFilter = filters[stage->mag],
        .minLod = stage->min_lod,
        .maxLod = stage->max_lod,
        .lodBias = stage->lod_bias,
        .compareMode = stage->depth ? GL_COMPARE_REF_TO_TEXTURE : GL_NONE,
        .compareFunc = GL_NEVER + compare_op(stage->zfunc),
        .borderColor = border,
    };
    return harness_sampler(vk, &(VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &state});
}

static VkSampler sampler_in_vulkans_words(struct harness_vulkan *vk, const struct nvidia_stage *stage,
                                          VkClearColorValue color)
{
    static const VkSamplerAddressMode modes[] = {
        [NVIDIA_WRAP] = VK_SAMPLER_ADDRESS_MODE_REPEAT,
        [NVIDIA_MIRROR] = VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT,
        [NVIDIA_CLAMP_TO_EDGE] = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        [NVIDIA_BORDER] = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
        [NVIDIA_CLAMP] = VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER,
        [NVIDIA_MIRROR_ONCE_CLAMP_TO_EDGE] = VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE,
        [NVIDIA_MIRROR_ONCE_BORDER] = VK_SAMPLER_ADDRESS_MODE_GL_MIRROR_CLAMP_TO_BORDER_CLAMPLER,
        [NVIDIA_MIRROR_ONCE_CLAMP] = VK_SAMPLER_ADDRESS_MODE_GL_MIRROR_CLAMP_CLAMPLER,
    };
    const bool levels = stage->min > NVIDIA_LINEAR;
    const VkSamplerCustomBorderColorCreateInfoEXT border = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
        .customBorderColor = color,
    };
    /* "Sampler": without levels 0.25 is what keeps magnification and minification apart. */
    return harness_sampler(vk, &(VkSamplerCreateInfo){
                                   .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                   .pNext = &border,
                                   .magFilter = stage->mag == NVIDIA_LINEAR ? VK_FILTER_LINEAR : VK_FILTER_NEAREST,
                                   .minFilter = stage->min & 1 ? VK_FILTER_NEAREST : VK_FILTER_LINEAR,
                                   .mipmapMode = stage->min > NVIDIA_LINEAR_NEAREST ? VK_SAMPLER_MIPMAP_MODE_LINEAR
                                                                                    : VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                   .addressModeU = modes[stage->address[0]],
                                   .addressModeV = modes[stage->address[1]],
                                   .addressModeW = modes[stage->address[2]],
                                   .mipLodBias = stage->lod_bias,
                                   .minLod = levels               ? stage->min_lod
                                             : stage->min_lod > 0 ? 0.25f
                                                                  : 0,
                                   .maxLod = levels ? stage->max_lod : 0.25f,
                                   .compareEnable = stage->depth,
                                   .compareOp = (VkCompareOp)compare_op(stage->zfunc),
                                   .borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT,
                               });
}

void nvidia_texture_create(struct harness_vulkan *vk, struct nvidia_texture *texture, const struct nvidia_stage *stage,
                           const struct nvidia_host *host, enum nvidia_words words)
{
    static const VkImageViewType types[] = {VK_IMAGE_VIEW_TYPE_1D, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_3D};
    const VkImageViewGLTextureStateCreateInfoCLAMPLER bordered = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER,
        .borderWidth = host->margin,
        .extent = {stage->size[0], stage->size[1], stage->size[2]},
    };
    const VkImageViewGLChannelOrderCreateInfoCLAMPLER order = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_CHANNEL_ORDER_CREATE_INFO_CLAMPLER,
        .pNext = host->margin ? &bordered : NULL,
        .channels = host->channels,
    };
    const VkImageViewGLStateCreateInfoCLAMPLER state = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
        .pNext = stage->depth ? order.pNext : &order,
        .baseFormat = host->base_format,
        .swizzle = {host->swizzle[0], host->swizzle[1], host->swizzle[2], host->swizzle[3]},
    };
    harness_image_create(vk, &texture->image,
                         &(struct harness_image_params){.type = types[stage->axes - 1],
                                                        .format = host->format,
                                                        .width = host->stored[0],
                                                        .height = host->stored[1],
                                                        .depth = host->stored[2],
                                                        .levels = stage->levels,
                                                        .view_next = words == NVIDIA_WORDS_OPENGL ? &state : NULL},
                         host->texels);
    texture->sampler = words == NVIDIA_WORDS_OPENGL ? sampler_in_opengls_words(vk, stage, host->border)
                                                    : sampler_in_vulkans_words(vk, stage, host->border);
}

void nvidia_texture_destroy(struct harness_vulkan *vk, struct nvidia_texture *texture)
{
    vkDestroySampler(vk->device, texture->sampler, NULL);
    harness_image_destroy(vk, &texture->image);
}
