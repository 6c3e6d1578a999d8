/* SPDX-License-Identifier: MIT */
/*
 * What the first published header has: structures with their members, and values. Expanded under each version's header
 * and today's, which must agree.
 */
#define PUBLISHED_STRUCTURES(STRUCTURE, MEMBER)                                                                        \
    STRUCTURE(VkPhysicalDeviceGLSamplerFeaturesCLAMPLER)                                                               \
    MEMBER(VkPhysicalDeviceGLSamplerFeaturesCLAMPLER, sType)                                                           \
    MEMBER(VkPhysicalDeviceGLSamplerFeaturesCLAMPLER, pNext)                                                           \
    MEMBER(VkPhysicalDeviceGLSamplerFeaturesCLAMPLER, glSampler)                                                       \
    MEMBER(VkPhysicalDeviceGLSamplerFeaturesCLAMPLER, glImageView)                                                     \
    MEMBER(VkPhysicalDeviceGLSamplerFeaturesCLAMPLER, glBufferView)                                                    \
    MEMBER(VkPhysicalDeviceGLSamplerFeaturesCLAMPLER, alphaToOneAttachments)                                           \
    MEMBER(VkPhysicalDeviceGLSamplerFeaturesCLAMPLER, linearFilterEmulation)                                           \
    STRUCTURE(VkPhysicalDeviceGLSamplerPropertiesCLAMPLER)                                                             \
    MEMBER(VkPhysicalDeviceGLSamplerPropertiesCLAMPLER, sType)                                                         \
    MEMBER(VkPhysicalDeviceGLSamplerPropertiesCLAMPLER, pNext)                                                         \
    MEMBER(VkPhysicalDeviceGLSamplerPropertiesCLAMPLER, nativeSemantics)                                               \
    MEMBER(VkPhysicalDeviceGLSamplerPropertiesCLAMPLER, emulatedSemantics)                                             \
    MEMBER(VkPhysicalDeviceGLSamplerPropertiesCLAMPLER, maxTexelBufferElements)                                        \
    MEMBER(VkPhysicalDeviceGLSamplerPropertiesCLAMPLER, maxTextureLodBias)                                             \
    MEMBER(VkPhysicalDeviceGLSamplerPropertiesCLAMPLER, maxCustomBorderColors)                                         \
    STRUCTURE(VkSamplerGLStateCreateInfoCLAMPLER)                                                                      \
    MEMBER(VkSamplerGLStateCreateInfoCLAMPLER, sType)                                                                  \
    MEMBER(VkSamplerGLStateCreateInfoCLAMPLER, pNext)                                                                  \
    MEMBER(VkSamplerGLStateCreateInfoCLAMPLER, wrapS)                                                                  \
    MEMBER(VkSamplerGLStateCreateInfoCLAMPLER, wrapT)                                                                  \
    MEMBER(VkSamplerGLStateCreateInfoCLAMPLER, wrapR)                                                                  \
    MEMBER(VkSamplerGLStateCreateInfoCLAMPLER, minFilter)                                                              \
    MEMBER(VkSamplerGLStateCreateInfoCLAMPLER, magFilter)                                                              \
    MEMBER(VkSamplerGLStateCreateInfoCLAMPLER, minLod)                                                                 \
    MEMBER(VkSamplerGLStateCreateInfoCLAMPLER, maxLod)                                                                 \
    MEMBER(VkSamplerGLStateCreateInfoCLAMPLER, lodBias)                                                                \
    MEMBER(VkSamplerGLStateCreateInfoCLAMPLER, unitLodBias)                                                            \
    MEMBER(VkSamplerGLStateCreateInfoCLAMPLER, maxAnisotropy)                                                          \
    MEMBER(VkSamplerGLStateCreateInfoCLAMPLER, compareMode)                                                            \
    MEMBER(VkSamplerGLStateCreateInfoCLAMPLER, compareFunc)                                                            \
    MEMBER(VkSamplerGLStateCreateInfoCLAMPLER, borderColor)                                                            \
    MEMBER(VkSamplerGLStateCreateInfoCLAMPLER, cubeMapSeamless)                                                        \
    MEMBER(VkSamplerGLStateCreateInfoCLAMPLER, srgbDecode)                                                             \
    MEMBER(VkSamplerGLStateCreateInfoCLAMPLER, reductionMode)                                                          \
    STRUCTURE(VkImageViewGLStateCreateInfoCLAMPLER)                                                                    \
    MEMBER(VkImageViewGLStateCreateInfoCLAMPLER, sType)                                                                \
    MEMBER(VkImageViewGLStateCreateInfoCLAMPLER, pNext)                                                                \
    MEMBER(VkImageViewGLStateCreateInfoCLAMPLER, target)                                                               \
    MEMBER(VkImageViewGLStateCreateInfoCLAMPLER, internalFormat)                                                       \
    MEMBER(VkImageViewGLStateCreateInfoCLAMPLER, baseFormat)                                                           \
    MEMBER(VkImageViewGLStateCreateInfoCLAMPLER, swizzle)                                                              \
    MEMBER(VkImageViewGLStateCreateInfoCLAMPLER, depthMode)                                                            \
    MEMBER(VkImageViewGLStateCreateInfoCLAMPLER, stencilSampling)                                                      \
    STRUCTURE(VkBufferViewGLStateCreateInfoCLAMPLER)                                                                   \
    MEMBER(VkBufferViewGLStateCreateInfoCLAMPLER, sType)                                                               \
    MEMBER(VkBufferViewGLStateCreateInfoCLAMPLER, pNext)                                                               \
    MEMBER(VkBufferViewGLStateCreateInfoCLAMPLER, internalFormat)                                                      \
    MEMBER(VkBufferViewGLStateCreateInfoCLAMPLER, baseFormat)                                                          \
    STRUCTURE(VkCommandBufferInheritanceGLStateCLAMPLER)                                                               \
    MEMBER(VkCommandBufferInheritanceGLStateCLAMPLER, sType)                                                           \
    MEMBER(VkCommandBufferInheritanceGLStateCLAMPLER, pNext)                                                           \
    MEMBER(VkCommandBufferInheritanceGLStateCLAMPLER, alphaToOneMask)

#define PUBLISHED_VALUES(VALUE)                                                                                        \
    VALUE(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER)                                              \
    VALUE(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_PROPERTIES_CLAMPLER)                                            \
    VALUE(VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER)                                                     \
    VALUE(VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER)                                                  \
    VALUE(VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER)                                                 \
    VALUE(VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_STATE_CLAMPLER)                                              \
    VALUE(VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER)                                                                   \
    VALUE(VK_SAMPLER_ADDRESS_MODE_GL_MIRROR_CLAMP_CLAMPLER)                                                            \
    VALUE(VK_SAMPLER_ADDRESS_MODE_GL_MIRROR_CLAMP_TO_BORDER_CLAMPLER)                                                  \
    VALUE(VK_GL_SEMANTIC_CLAMP_BIT_CLAMPLER)                                                                           \
    VALUE(VK_GL_SEMANTIC_MIRROR_CLAMP_BIT_CLAMPLER)                                                                    \
    VALUE(VK_GL_SEMANTIC_MIRROR_CLAMP_TO_BORDER_BIT_CLAMPLER)                                                          \
    VALUE(VK_GL_SEMANTIC_LINEAR_FILTER_BIT_CLAMPLER)                                                                   \
    VALUE(VK_GL_SEMANTIC_LINEAR_DEPTH_BIT_CLAMPLER)                                                                    \
    VALUE(VK_GL_SEMANTIC_BORDER_COLOR_BIT_CLAMPLER)                                                                    \
    VALUE(VK_GL_SEMANTIC_BORDER_SWIZZLE_BIT_CLAMPLER)                                                                  \
    VALUE(VK_GL_SEMANTIC_NON_SEAMLESS_CUBE_BIT_CLAMPLER)                                                               \
    VALUE(VK_GL_SEMANTIC_SRGB_DECODE_SKIP_BIT_CLAMPLER)                                                                \
    VALUE(VK_GL_SEMANTIC_LOD_BIAS_BIT_CLAMPLER)                                                                        \
    VALUE(VK_GL_SEMANTIC_RECTANGLE_BIT_CLAMPLER)                                                                       \
    VALUE(VK_GL_SEMANTIC_ALPHA_TO_ONE_BIT_CLAMPLER)                                                                    \
    VALUE(VK_GL_SEMANTIC_RGB32_TEXEL_BUFFER_BIT_CLAMPLER)                                                              \
    VALUE(VK_GL_SEMANTIC_LARGE_TEXEL_BUFFER_BIT_CLAMPLER)                                                              \
    VALUE(VK_GL_SEMANTIC_LEGACY_TEXEL_BUFFER_BIT_CLAMPLER)
