/* SPDX-License-Identifier: MIT */
/*
 * The pure cores of Clampler, for programs that want no layer: what the driver's sampler is for a GL sampler and a
 * view, SPIR-V that does the rest, and blending for attachments without alpha. See docs/embedding.md.
 *
 * No Vulkan call, no global, no lock: any thread may call any function at any time. Types of vulkan_core.h are plain
 * data. What is passed in is borrowed for the call; chains (pNext) are not followed. Structures begin zeroed, so that
 * members of later versions have their default.
 */
#ifndef CLAMPLER_H_
#define CLAMPLER_H_ 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan_clampler.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of this interface: greater numbers only add. The library is linked statically, with the header that it came with. */
#define CLAMPLER_INTERFACE_VERSION 1u
uint32_t clampler_version(void);

enum clampler_result {
    CLAMPLER_SUCCESS,       /* the output is filled */
    CLAMPLER_UNCHANGED,     /* rewriting: nothing to do; the program's words serve */
    CLAMPLER_BAD_INPUT,     /* a token, or words that do not parse; the message says which */
    CLAMPLER_UNSUPPORTED,   /* rewriting: no module can be made that fits the layout; the message says why */
    CLAMPLER_OUT_OF_MEMORY, /* rewriting: nothing is left behind */
};

/* What the device has enabled, and its limits. False costs work in shaders and is never wrong. */
struct clampler_device {
    bool mirror_clamp_to_edge;               /* samplerMirrorClampToEdge */
    bool anisotropy;                         /* samplerAnisotropy */
    bool custom_border_color;                /* customBorderColors */
    bool custom_border_color_without_format; /* customBorderColorWithoutFormat */
    bool border_swizzle;                     /* borderColorSwizzle */
    bool border_swizzle_from_image;          /* borderColorSwizzleFromImage */
    bool non_seamless_cube;                  /* nonSeamlessCubeMap */
    bool shader_resource_min_lod;            /* shaderResourceMinLod */
    bool filter_minmax;                      /* samplerFilterMinmax */
    bool minmax_swizzle;                     /* filterMinmaxImageComponentMapping */
    float max_lod_bias;                      /* maxSamplerLodBias, in levels */
    float max_anisotropy;                    /* maxSamplerAnisotropy */
};

/* The view that a combined image sampler puts together with the sampler. */
struct clampler_view {
    const VkImageViewCreateInfo *info;
    const VkImageViewGLStateCreateInfoCLAMPLER *gl; /* NULL: none */
    uint32_t width, height;                         /* texels of the view's level 0 */
    uint32_t depth;                                 /* 3D: texels; arrays: layers; cubes: faces; else 1 */
    uint32_t levels;                                /* 1 to 31 */
    bool linear;                                    /* SAMPLED_IMAGE_FILTER_LINEAR of format and tiling */
    bool minmax;                                    /* SAMPLED_IMAGE_FILTER_MINMAX */
    bool unorm_twin; /* sRGB formats: the image allows a view of the format without decoding */
};

/* Which view the descriptor gets. */
enum clampler_view_kind {
    CLAMPLER_VIEW_PLAIN,      /* with the identity as components */
    CLAMPLER_VIEW_SAMPLED,    /* with `components` */
    CLAMPLER_VIEW_UNORM,      /* with `components`, of the format without sRGB decoding */
    CLAMPLER_VIEW_INCOMPLETE, /* with ZERO, ZERO, ZERO, ONE */
};

/* `sampler.pNext` leads to the structures beside it: set it anew in copies. */
struct clampler_resolved {
    VkSamplerCreateInfo sampler; /* what the driver gets, with its chain */
    VkSamplerReductionModeCreateInfo reduction;
    VkSamplerCustomBorderColorCreateInfoEXT border;
    VkSamplerBorderColorComponentMappingCreateInfoEXT mapping;
    enum clampler_view_kind view;
    VkComponentMapping components;
    uint32_t record[16]; /* what the shader reads beside the descriptor; zeros ask for nothing */
    uint32_t tier;       /* of the shader: 0, the program's own; 1, moved coordinates; 2, filters. Lookups with offsets,
                            gathers, biases and comparisons may need tier 2 where `record` is not zero */
    char message[320];   /* what is emulated and why; on CLAMPLER_BAD_INPUT, which field is wrong */
};

/* CLAMPLER_SUCCESS or CLAMPLER_BAD_INPUT. `flags` are VkSamplerCreateInfo's. Allocates nothing. */
enum clampler_result clampler_resolve(const VkSamplerGLStateCreateInfoCLAMPLER *sampler, VkSamplerCreateFlags flags,
                                      const struct clampler_view *view, const struct clampler_device *device,
                                      struct clampler_resolved *resolved);

/* Records of the combined image samplers of a binding: `first_record` is that of array element 0. */
struct clampler_binding {
    uint32_t binding, first_record, count;
};

/* A descriptor set. Its record buffer holds `record_count` records of 64 bytes. */
struct clampler_set {
    const struct clampler_binding *bindings; /* ascending */
    uint32_t binding_count;
    uint32_t record_binding; /* a binding of the set that the program has not; UINT32_MAX: the set has no records */
    uint32_t record_count;
    bool storage; /* a storage buffer, else a uniform buffer */
};

struct clampler_rewrite_info {
    const uint32_t *words;
    size_t word_count;
    const struct clampler_set *sets; /* by DescriptorSet */
    uint32_t set_count;
    uint32_t tier;      /* 1 or 2; 2 serves every record */
    bool cpu;           /* the device is a CPU: no branches around lookups */
    float max_lod_bias; /* as in struct clampler_device */
    /* Like realloc(): memory NULL allocates; size 0 frees and returns NULL. NULL: the C library's. */
    void *(*reallocate)(void *user, void *memory, size_t size);
    void *user;
};

struct clampler_rewritten {
    uint32_t *words; /* the caller frees them: by reallocate(user, words, 0), else by free() */
    size_t word_count;
    uint32_t lookups; /* how many were rewritten */
    char message[160];
};

/* Time and memory are bounded by the size of the input. Output is a function of the input, byte for byte. */
enum clampler_result clampler_rewrite(const struct clampler_rewrite_info *info, struct clampler_rewritten *rewritten);

/*
 * The blend state of an attachment without alpha in a format that has one: its alpha reads as 1 and is never written.
 * `logic`: logic operations are on. VK_BLEND_FACTOR_SRC_ALPHA_SATURATE is 0: the source's alpha is not negative, as it
 * may be in formats of floats and SNORM.
 */
VkPipelineColorBlendAttachmentState clampler_blend(const VkPipelineColorBlendAttachmentState *state, bool logic);

#ifdef __cplusplus
}
#endif

#endif
