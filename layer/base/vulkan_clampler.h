/*
 * Copyright (c) 2026 The Clampler authors SPDX-License-Identifier: MIT
 *
 * VK_CLAMPLER_gl_sampler: OpenGL's sampler semantics for Vulkan programs.
 *
 * A device extension that the layer VK_LAYER_CLAMPLER_gl_sampler implements above any driver. It is not registered with
 * Khronos; its enumerants are 1000999000 + n. The header needs nothing but vulkan_core.h, in C99 and C++17.
 *
 * GL tokens are OpenGL's own numbers (GL_CLAMP is 0x2900) in uint32_t; this header defines none of GL's names. A token
 * of 0 stands for GL's default in that place. A token that GL does not allow in its place makes the create call return
 * VK_ERROR_VALIDATION_FAILED_EXT, with a message through VK_EXT_debug_utils and the layer's log; nothing is created.
 *
 * The structures hold no resources: the layer reads them during the call they are passed to and keeps no pointer to
 * them, so any thread may build them and free them when the call has returned.
 */
#ifndef VULKAN_CLAMPLER_H_
#define VULKAN_CLAMPLER_H_ 1

#include <vulkan/vulkan_core.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VK_CLAMPLER_gl_sampler 1
#define VK_CLAMPLER_GL_SAMPLER_SPEC_VERSION 6
#define VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME "VK_CLAMPLER_gl_sampler"

#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER ((VkStructureType)1000999000)
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_PROPERTIES_CLAMPLER ((VkStructureType)1000999001)
#define VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER ((VkStructureType)1000999002)
#define VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER ((VkStructureType)1000999003)
#define VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER ((VkStructureType)1000999004)
#define VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_STATE_CLAMPLER ((VkStructureType)1000999005)
#define VK_STRUCTURE_TYPE_GL_SAMPLER_FORMAT_PROPERTIES_CLAMPLER ((VkStructureType)1000999009)
#define VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_CHANNEL_ORDER_CREATE_INFO_CLAMPLER ((VkStructureType)1000999010)
#define VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_CHANNEL_ORDER_CLAMPLER ((VkStructureType)1000999011)
#define VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER ((VkStructureType)1000999012)

/*
 * Address modes for programs that are not OpenGL: legal in VkSamplerCreateInfo::addressModeU, V and W once the feature
 * glSampler is enabled. They compute what GL_CLAMP, GL_MIRROR_CLAMP_EXT and GL_MIRROR_CLAMP_TO_BORDER_EXT compute
 * (OpenGL 4.6 compatibility, section 8.14.2, and EXT_texture_mirror_clamp), with the sampler's own border colour.
 */
#define VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER ((VkSamplerAddressMode)1000999006)
#define VK_SAMPLER_ADDRESS_MODE_GL_MIRROR_CLAMP_CLAMPLER ((VkSamplerAddressMode)1000999007)
#define VK_SAMPLER_ADDRESS_MODE_GL_MIRROR_CLAMP_TO_BORDER_CLAMPLER ((VkSamplerAddressMode)1000999008)

/* One bit for each semantic, in VkPhysicalDeviceGLSamplerPropertiesCLAMPLER. */
typedef VkFlags64 VkGLSemanticFlagsCLAMPLER;
typedef VkFlags64 VkGLSemanticFlagBitsCLAMPLER;

#define VK_GL_SEMANTIC_CLAMP_BIT_CLAMPLER (1ULL << 0)                  /* GL_CLAMP */
#define VK_GL_SEMANTIC_MIRROR_CLAMP_BIT_CLAMPLER (1ULL << 1)           /* GL_MIRROR_CLAMP_EXT */
#define VK_GL_SEMANTIC_MIRROR_CLAMP_TO_BORDER_BIT_CLAMPLER (1ULL << 2) /* GL_MIRROR_CLAMP_TO_BORDER_EXT */
#define VK_GL_SEMANTIC_LINEAR_FILTER_BIT_CLAMPLER (1ULL << 3)          /* linear filtering of every sampled format */
#define VK_GL_SEMANTIC_LINEAR_DEPTH_BIT_CLAMPLER (1ULL << 4)           /* linear filtering of depth without compare */
#define VK_GL_SEMANTIC_BORDER_COLOR_BIT_CLAMPLER (1ULL << 5)           /* any border colour, any number of samplers */
#define VK_GL_SEMANTIC_BORDER_SWIZZLE_BIT_CLAMPLER (1ULL << 6)         /* border colours follow the view's swizzle */
#define VK_GL_SEMANTIC_NON_SEAMLESS_CUBE_BIT_CLAMPLER (1ULL << 7)      /* cubes filtered face by face */
#define VK_GL_SEMANTIC_SRGB_DECODE_SKIP_BIT_CLAMPLER (1ULL << 8)       /* GL_SKIP_DECODE_EXT */
#define VK_GL_SEMANTIC_LOD_BIAS_BIT_CLAMPLER (1ULL << 9)               /* biases beyond maxSamplerLodBias */
#define VK_GL_SEMANTIC_RECTANGLE_BIT_CLAMPLER (1ULL << 10)             /* texel coordinates without Vulkan's bans */
#define VK_GL_SEMANTIC_ALPHA_TO_ONE_BIT_CLAMPLER (1ULL << 11)          /* attachments without alpha on RGBA formats */
#define VK_GL_SEMANTIC_RGB32_TEXEL_BUFFER_BIT_CLAMPLER (1ULL << 12)    /* 96-bit uniform texel buffers */
#define VK_GL_SEMANTIC_LARGE_TEXEL_BUFFER_BIT_CLAMPLER (1ULL << 13)    /* beyond maxTexelBufferElements */
#define VK_GL_SEMANTIC_LEGACY_TEXEL_BUFFER_BIT_CLAMPLER (1ULL << 14)   /* LUMINANCE, ALPHA, INTENSITY buffers */
#define VK_GL_SEMANTIC_CHANNEL_ORDER_BIT_CLAMPLER (1ULL << 15)         /* attachments in any order of channels */

/*
 * Chains to VkPhysicalDeviceFeatures2 (what the layer offers on this device) and to VkDeviceCreateInfo (what the
 * program wants). A feature that was not enabled is not emulated: its structures are then refused with
 * VK_ERROR_VALIDATION_FAILED_EXT. Asking for a feature that is not offered makes vkCreateDevice return
 * VK_ERROR_FEATURE_NOT_PRESENT.
 */
typedef struct VkPhysicalDeviceGLSamplerFeaturesCLAMPLER {
    VkStructureType sType; /* VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER */
    void *pNext;
    VkBool32 glSampler;             /* VkSamplerGLStateCreateInfoCLAMPLER and the address modes */
    VkBool32 glImageView;           /* VkImageViewGLStateCreateInfoCLAMPLER */
    VkBool32 glBufferView;          /* VkBufferViewGLStateCreateInfoCLAMPLER */
    VkBool32 alphaToOneAttachments; /* attachments whose view has a base format without alpha */
    VkBool32 linearFilterEmulation; /* filtering in the shader where a format lacks it */
} VkPhysicalDeviceGLSamplerFeaturesCLAMPLER;

/*
 * Chains to VkPhysicalDeviceProperties2. Every semantic is in exactly one of the two words, or in neither where it is
 * not available on this device.
 */
typedef struct VkPhysicalDeviceGLSamplerPropertiesCLAMPLER {
    VkStructureType sType; /* VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_PROPERTIES_CLAMPLER */
    void *pNext;
    VkGLSemanticFlagsCLAMPLER nativeSemantics;   /* the driver does it: costs nothing */
    VkGLSemanticFlagsCLAMPLER emulatedSemantics; /* the layer does it */
    VkDeviceSize maxTexelBufferElements;         /* texels of the largest usable buffer view */
    float maxTextureLodBias;                     /* bound of the sum of all biases, in levels */
    uint32_t maxCustomBorderColors;              /* distinct border colours in use at once; UINT32_MAX: no limit */
} VkPhysicalDeviceGLSamplerPropertiesCLAMPLER;

/* One bit for each thing that OpenGL does with a format, in VkGLSamplerFormatPropertiesCLAMPLER. */
typedef VkFlags64 VkGLFormatFeatureFlagsCLAMPLER;
typedef VkFlags64 VkGLFormatFeatureFlagBitsCLAMPLER;

#define VK_GL_FORMAT_FEATURE_LINEAR_FILTER_BIT_CLAMPLER (1ULL << 0)        /* linear filters of sampled images */
#define VK_GL_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT_CLAMPLER (1ULL << 1) /* uniform texel buffers */
#define VK_GL_FORMAT_FEATURE_ALPHA_TO_ONE_BIT_CLAMPLER (1ULL << 2)         /* colour attachments without alpha */
#define VK_GL_FORMAT_FEATURE_CHANNEL_ORDER_BIT_CLAMPLER (1ULL << 3)        /* colour attachments in any order */
#define VK_GL_FORMAT_FEATURE_CHANNEL_ORDER_BLEND_BIT_CLAMPLER (1ULL << 4)  /* ... with every blend equation */

/*
 * Chains to VkFormatProperties2 (since spec version 3): what the format can do on a device that enables the features of
 * this extension. Every bit is in one of the two words at most; a bit in neither is not available. Filters and
 * attachments are those of images with optimal tiling. An older layer leaves the structure as it is: programs that ask
 * start with zeros, and compare the extension's specVersion.
 */
typedef struct VkGLSamplerFormatPropertiesCLAMPLER {
    VkStructureType sType; /* VK_STRUCTURE_TYPE_GL_SAMPLER_FORMAT_PROPERTIES_CLAMPLER */
    void *pNext;
    VkGLFormatFeatureFlagsCLAMPLER nativeFeatures;   /* the driver does it */
    VkGLFormatFeatureFlagsCLAMPLER emulatedFeatures; /* the layer does it, with the features linearFilterEmulation,
                                                        glBufferView and alphaToOneAttachments */
} VkGLSamplerFormatPropertiesCLAMPLER;

/*
 * Chains to VkSamplerCreateInfo and replaces all of its fields but `flags`; it also wins over chained reduction-mode
 * and border-colour structures. A sampler YCbCr conversion chained beside it is an error. Needs the feature glSampler.
 * Infinite and NaN numbers are taken as GL's default for their field.
 */
typedef struct VkSamplerGLStateCreateInfoCLAMPLER {
    VkStructureType sType; /* VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER */
    const void *pNext;
    uint32_t wrapS;                /* GL_TEXTURE_WRAP_S; 0: GL_REPEAT */
    uint32_t wrapT;                /* GL_TEXTURE_WRAP_T; 0: GL_REPEAT */
    uint32_t wrapR;                /* GL_TEXTURE_WRAP_R; 0: GL_REPEAT */
    uint32_t minFilter;            /* GL_TEXTURE_MIN_FILTER; 0: GL_NEAREST_MIPMAP_LINEAR; since spec version 5 also
                                      GL_CUBIC_IMG and the two others of GL_IMG_texture_filter_cubic */
    uint32_t magFilter;            /* GL_TEXTURE_MAG_FILTER; 0: GL_LINEAR; since spec version 5 also GL_CUBIC_IMG */
    float minLod;                  /* GL_TEXTURE_MIN_LOD, in levels; below 0 counts as 0 */
    float maxLod;                  /* GL_TEXTURE_MAX_LOD, in levels; below minLod: the two are swapped */
    float lodBias;                 /* GL_TEXTURE_LOD_BIAS, in levels; the sum of both of these and the shader's bias is
                                      bounded by maxTextureLodBias */
    float unitLodBias;             /* the texture unit's GL_TEXTURE_LOD_BIAS (GL_TEXTURE_FILTER_CONTROL), in levels */
    float maxAnisotropy;           /* GL_TEXTURE_MAX_ANISOTROPY; 0 and 1: off; above the device's limit: the limit */
    uint32_t compareMode;          /* GL_TEXTURE_COMPARE_MODE; 0: GL_NONE */
    uint32_t compareFunc;          /* GL_TEXTURE_COMPARE_FUNC; 0: GL_LEQUAL */
    VkClearColorValue borderColor; /* GL_TEXTURE_BORDER_COLOR; the sampled view decides which member is meant, and to
                                      which range it is clamped; what is not a number counts as 0 there */
    VkBool32 cubeMapSeamless;      /* GL_TEXTURE_CUBE_MAP_SEAMLESS */
    uint32_t srgbDecode;           /* GL_TEXTURE_SRGB_DECODE_EXT; 0: GL_DECODE_EXT */
    uint32_t reductionMode;        /* GL_TEXTURE_REDUCTION_MODE_ARB; 0: GL_WEIGHTED_AVERAGE_ARB */
} VkSamplerGLStateCreateInfoCLAMPLER;

/*
 * Chains to VkImageViewCreateInfo. Texels pass through baseFormat, then depthMode, then swizzle. Comparisons see the
 * depth alone, and their result goes the same way, as red beside 0, 0 and 1; lookups that compare return the first
 * component of that: the result, or 0 or 1 where red shows a constant. They take GL_ALPHA as depthMode for
 * GL_INTENSITY. The same holds of VkImageViewCreateInfo::components of a view without this structure. Needs the feature
 * glImageView. The stencil index is red beside 0, 0 and 1 whatever depthMode is: a program for which it goes through
 * the mode, as in section 8.23.1 of OpenGL 4.6, says so by the swizzle.
 *
 * A swizzle of four zeros is the identity. VkImageViewCreateInfo::components are ignored, with one exception: GL_ZERO
 * is 0, so that four times GL_ZERO are four zeros beside VK_COMPONENT_SWIZZLE_ZERO in all four components.
 *
 * Where the channels of a base format live in the view's format: alpha in its alpha; in formats without one, ALPHA in
 * red and LUMINANCE_ALPHA's in green; everything else from red on. Channels that the format lacks are 0, alpha 1.
 * Colour base formats on depth or stencil formats, depth and stencil ones on colour formats, and LUMINANCE_ALPHA on one
 * channel are refused, as are a target that does not fit viewType (1D targets also take 2D views) and an internalFormat
 * of another kind (integer, depth, colour) than the view's format.
 */
typedef struct VkImageViewGLStateCreateInfoCLAMPLER {
    VkStructureType sType; /* VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER */
    const void *pNext;
    uint32_t target;         /* GL_TEXTURE_…; GL_TEXTURE_RECTANGLE makes coordinates texels; 0: from viewType */
    uint32_t internalFormat; /* the GL format the texture stands for: what border colours and comparisons are clamped
                                to, unless the VkFormat holds less; 0, and unsized formats: what the VkFormat says */
    uint32_t baseFormat; /* GL_RED … GL_INTENSITY, GL_DEPTH_COMPONENT …; 0: internalFormat's, else the VkFormat's */
    uint32_t swizzle[4]; /* GL_TEXTURE_SWIZZLE_R … A: GL_RED … GL_ALPHA, GL_ONE; 0 is GL_ZERO; four zeros: see above */
    uint32_t depthMode;       /* GL_DEPTH_TEXTURE_MODE: GL_LUMINANCE, GL_INTENSITY, GL_ALPHA, GL_RED; 0: GL_RED */
    VkBool32 stencilSampling; /* GL_DEPTH_STENCIL_TEXTURE_MODE is GL_STENCIL_INDEX; ignored without stencil */
} VkImageViewGLStateCreateInfoCLAMPLER;

/*
 * Chains to VkImageViewCreateInfo beside VkImageViewGLStateCreateInfoCLAMPLER (since spec version 5), and with it to
 * VkPhysicalDeviceImageFormatInfo2, where it is a query for whether such a view may be an attachment. Needs the feature
 * glImageView, and alphaToOneAttachments where such views are attachments.
 *
 * `channels` says where each channel of the base format is kept: in a channel of the view's format;
 * VK_COMPONENT_SWIZZLE_IDENTITY: where it is without this structure; VK_COMPONENT_SWIZZLE_ZERO and _ONE: nowhere. Then
 * it reads as that constant, in lookups and in blending, and is never written. GL_LUMINANCE, GL_LUMINANCE_ALPHA and
 * GL_INTENSITY have red in the place of luminance and intensity. What the base format lacks must be IDENTITY.
 *
 * VK_ERROR_FORMAT_NOT_SUPPORTED: a channel that the view's format lacks; two channels of the base format in one of the
 * view's format, where the view's usage has VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT; in sRGB formats, and in formats of
 * integers of several sizes, alpha and another channel in each other's place.
 */
typedef struct VkImageViewGLChannelOrderCreateInfoCLAMPLER {
    VkStructureType sType; /* VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_CHANNEL_ORDER_CREATE_INFO_CLAMPLER */
    const void *pNext;
    VkComponentMapping channels; /* of red, green, blue and alpha of the base format */
} VkImageViewGLChannelOrderCreateInfoCLAMPLER;

/*
 * Chains to VkImageViewCreateInfo (since spec version 5): state of a texture that is not its texels'. Without
 * VkImageViewGLStateCreateInfoCLAMPLER beside it, it stands beside one of zeros. Needs the feature glImageView.
 */
typedef struct VkImageViewGLTextureStateCreateInfoCLAMPLER {
    VkStructureType sType; /* VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER */
    const void *pNext;
    VkBool32 incomplete;    /* the texture is not complete: lookups and fetches give (0, 0, 0, 1), comparisons 0; no
                               swizzle and no border show */
    uint32_t borderWidth;   /* 0: the texture has no border texels; else, at most 1023, how many texels of each level of
                               the image are in front of the texture along each axis: 1 in OpenGL */
    float compareFailValue; /* GL_TEXTURE_COMPARE_FAIL_VALUE_ARB: what a comparison gives that fails; clamped to [0, 1];
                               what is not a number counts as 0 */
    VkExtent3D extent;      /* since spec version 6; ignored where borderWidth is 0: texels of the view's first level
                               without border, 1 along axes that the view does not have. Level k has
                               max(1, extent >> k), and the image's level must have borderWidth + 1 texels more */
} VkImageViewGLTextureStateCreateInfoCLAMPLER;

/*
 * Chains to VkBufferViewCreateInfo, and to VkDescriptorAddressInfoEXT and VkTexelBufferDescriptorInfoEXT of uniform
 * texel buffers. Needs the feature glBufferView.
 */
typedef struct VkBufferViewGLStateCreateInfoCLAMPLER {
    VkStructureType sType; /* VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER */
    const void *pNext;
    uint32_t internalFormat; /* the sized GL format the texture stands for; 0: what the VkFormat says */
    uint32_t baseFormat;     /* GL_RED … GL_INTENSITY; 0: what the VkFormat says */
} VkBufferViewGLStateCreateInfoCLAMPLER;

/*
 * Chains to VkCommandBufferInheritanceInfo. Without it the views of the inherited framebuffer decide; without those the
 * mask is 0, which the log says once.
 */
typedef struct VkCommandBufferInheritanceGLStateCLAMPLER {
    VkStructureType sType; /* VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_STATE_CLAMPLER */
    const void *pNext;
    uint32_t alphaToOneMask; /* bit i: colour attachment i of the pass that is continued has no alpha */
} VkCommandBufferInheritanceGLStateCLAMPLER;

/* GL state of an attachment: its view's. */
typedef struct VkGLAttachmentChannelsCLAMPLER {
    uint32_t baseFormat;         /* as in VkImageViewGLStateCreateInfoCLAMPLER; 0: what the VkFormat has */
    VkComponentMapping channels; /* as in VkImageViewGLChannelOrderCreateInfoCLAMPLER */
} VkGLAttachmentChannelsCLAMPLER;

/*
 * Chains to VkCommandBufferInheritanceInfo (since spec version 5), and wins over alphaToOneMask. The views of the
 * inherited framebuffer decide without it. Needs the feature alphaToOneAttachments.
 */
typedef struct VkCommandBufferInheritanceGLChannelOrderCLAMPLER {
    VkStructureType sType; /* VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_CHANNEL_ORDER_CLAMPLER */
    const void *pNext;
    uint32_t colorAttachmentCount; /* of the pass that is continued; attachments beyond it are as their VkFormats are */
    const VkGLAttachmentChannelsCLAMPLER *pColorAttachments;
} VkCommandBufferInheritanceGLChannelOrderCLAMPLER;

/*
 * Aliases: the names that generators derive from the extension's name, with one capital for each word. The names above
 * keep GL's capitals, as Vulkan does with acronyms.
 */
typedef VkPhysicalDeviceGLSamplerFeaturesCLAMPLER VkPhysicalDeviceGlSamplerFeaturesCLAMPLER;
typedef VkPhysicalDeviceGLSamplerPropertiesCLAMPLER VkPhysicalDeviceGlSamplerPropertiesCLAMPLER;

#ifdef __cplusplus
}
#endif

#endif
