/* SPDX-License-Identifier: MIT */
/* Compiled with PUBLISHED as the name of the program, and the folder of that version's header in front of all others.
 */
#include "published/published.h"

#include <string.h>

#include <vulkan_clampler.h>

#include "published/published_members.h"

enum { NEAREST = 0x2600, CLAMP_TO_EDGE = 0x812F, COMPARE_REF_TO_TEXTURE = 0x884E, LEQUAL = 0x0203 };

#define STRUCTURE(TYPE) {#TYPE, 0, sizeof(TYPE)},
#define MEMBER(TYPE, NAME) {#TYPE "::" #NAME, offsetof(TYPE, NAME), sizeof(((TYPE *)0)->NAME)},
static const struct published_size sizes[] = {PUBLISHED_STRUCTURES(STRUCTURE, MEMBER)};

#define VALUE(NAME) {#NAME, (uint64_t)NAME},
static const struct published_value values[] = {PUBLISHED_VALUES(VALUE)};

static VkResult make_view(VkDevice device, VkImage image, VkFormat format, const struct published_view *view,
                          VkImageView *made)
{
    VkImageViewGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
                                               .depthMode = view->depth_mode};
    memcpy(gl.swizzle, view->swizzle, sizeof(gl.swizzle));
    const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .pNext = &gl,
                                        .image = image,
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                        .format = format,
                                        .components = view->components,
                                        .subresourceRange = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1}};
    return vkCreateImageView(device, &info, NULL, made);
}

static VkResult make_sampler(VkDevice device, uint32_t compares, VkSampler *made)
{
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                   .wrapS = CLAMP_TO_EDGE,
                                                   .wrapT = CLAMP_TO_EDGE,
                                                   .minFilter = NEAREST,
                                                   .magFilter = NEAREST,
                                                   .compareMode = compares ? COMPARE_REF_TO_TEXTURE : 0,
                                                   .compareFunc = compares ? LEQUAL : 0};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl};
    return vkCreateSampler(device, &info, NULL, made);
}

const struct published_program PUBLISHED = {VK_CLAMPLER_GL_SAMPLER_SPEC_VERSION,
                                            sizes,
                                            sizeof(sizes) / sizeof(sizes[0]),
                                            values,
                                            sizeof(values) / sizeof(values[0]),
                                            make_view,
                                            make_sampler};
