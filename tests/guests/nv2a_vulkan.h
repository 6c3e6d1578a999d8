/* SPDX-License-Identifier: MIT */
/*
 * What an emulator does with a texture stage: an image, a view and a sampler of Vulkan that stand for its registers.
 * All that Vulkan lacks is said to the layer, in words of VK_CLAMPLER_gl_sampler; no shader knows the registers.
 */
#ifndef CLAMPLER_GUESTS_NV2A_VULKAN_H
#define CLAMPLER_GUESTS_NV2A_VULKAN_H

#include "guests/nv2a.h"
#include "harness/resources/resources.h"

struct nv2a_texture {
    struct harness_image image;
    VkSampler sampler;
};

/*
 * In which words samplers are described: OpenGL's (VkSamplerGLStateCreateInfoCLAMPLER), or Vulkan's with the address
 * mode VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER for ADDR_CLAMP_OGL alone, as an emulator writes that has the rest
 * already.
 */
enum nv2a_words { NV2A_WORDS_OPENGL, NV2A_WORDS_ADDRESS_MODES };

/*
 * Whether Vulkan itself has the rest: colours of the border that show as they are, and no border texels. Else
 * NV2A_WORDS_ADDRESS_MODES does not serve.
 */
bool nv2a_has_address_modes(const struct nv2a_stage *stage);

/* The caller destroys it. The device has glSampler and glImageView, and for ADDRESS_MODES custom border colours. */
void nv2a_texture_create(struct harness_vulkan *vk, struct nv2a_texture *texture, const struct nv2a_stage *stage,
                         enum nv2a_words words);
void nv2a_texture_destroy(struct harness_vulkan *vk, struct nv2a_texture *texture);

#endif
