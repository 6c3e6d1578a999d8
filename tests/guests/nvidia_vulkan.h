/* SPDX-License-Identifier: MIT */
/*
 * What an emulator does with a texture stage: an image, a view and a sampler of Vulkan that stand for its registers.
 * All that Vulkan lacks is said to the layer, in words of VK_CLAMPLER_gl_sampler; no shader knows the registers.
 */
#ifndef CLAMPLER_GUESTS_NVIDIA_VULKAN_H
#define CLAMPLER_GUESTS_NVIDIA_VULKAN_H

#include "guests/nvidia.h"
#include "harness/resources/resources.h"

/* The texture as Vulkan keeps it. */
struct nvidia_host {
    VkFormat format;
    uint32_t base_format;        /* the format's channels, as OpenGL has them */
    uint32_t swizzle[4];         /* OpenGL's; zeros: none */
    VkComponentMapping channels; /* where the image keeps red, green, blue and alpha; zeros: there */
    VkClearColorValue border;    /* in these channels */
    uint32_t margin;             /* texels in front of the texture in each level, where its border is texels */
    uint32_t stored[3];          /* texels of the base level, with those of the margin */
    void *texels;                /* linear, level after level; the caller frees them */
    bool plain;                  /* Vulkan shows the same without base format, swizzle, channels and margin */
};

/* Zeroes of all levels, for `texels`. */
void *nvidia_host_texels(const struct nvidia_host *host, uint32_t levels);

#define NVIDIA_CHANNELS(r, g, b, a)                                                                                    \
    {                                                                                                                  \
        VK_COMPONENT_SWIZZLE_##r, VK_COMPONENT_SWIZZLE_##g, VK_COMPONENT_SWIZZLE_##b, VK_COMPONENT_SWIZZLE_##a         \
    }

struct nvidia_texture {
    struct harness_image image;
    VkSampler sampler;
};

/*
 * In which words samplers are described: OpenGL's (VkSamplerGLStateCreateInfoCLAMPLER), or Vulkan's with the three
 * address modes of the extension, as an emulator writes that has the rest already: for plain textures.
 */
enum nvidia_words { NVIDIA_WORDS_OPENGL, NVIDIA_WORDS_ADDRESS_MODES };

/* The caller destroys it. The device has glSampler and glImageView, and for ADDRESS_MODES custom border colours. */
void nvidia_texture_create(struct harness_vulkan *vk, struct nvidia_texture *texture, const struct nvidia_stage *stage,
                           const struct nvidia_host *host, enum nvidia_words words);
void nvidia_texture_destroy(struct harness_vulkan *vk, struct nvidia_texture *texture);

#endif
