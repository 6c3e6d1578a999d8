/* SPDX-License-Identifier: MIT */
/*
 * Lookups as plain data: what is sampled, through which sampler, with which GLSL function, in which stage. The same
 * lookup runs on Vulkan and on OpenGL, thousands of coordinates at a time.
 */
#ifndef CLAMPLER_HARNESS_LOOKUP_H
#define CLAMPLER_HARNESS_LOOKUP_H

#include "harness/resources/descriptor_buffer.h"
#include "harness/images/format.h"
#include "harness/opengl/gl.h"
#include "harness/resources/heap_shader.h"
#include "harness/drawing/pipeline.h"
#include "harness/drawing/shader_objects.h"

/* RECTANGLE: a 2D image whose coordinates are texels. CUBE: six layers; CUBE_ARRAY: six for each cube. */
enum lookup_dimension {
    LOOKUP_1D,
    LOOKUP_1D_ARRAY,
    LOOKUP_2D,
    LOOKUP_2D_ARRAY,
    LOOKUP_3D,
    LOOKUP_RECTANGLE,
    LOOKUP_CUBE,
    LOOKUP_CUBE_ARRAY,
    LOOKUP_DIMENSIONS,
};

/*
 * GLSL's lookup functions. Offsets of OFFSET forms are constant: 2 along s, -3 along t, 1 along r. GATHER_OFFSET takes
 * its offset from the input, GATHER_OFFSETS has (0,0) (3,-2) (-4,1) (1,5). MIN_LOD forms give the least level of detail
 * (GL_ARB_sparse_texture_clamp, Vulkan's shaderResourceMinLod). QUERY_LOD samples nothing: its result is the level that
 * would be sampled, the level of detail before it is clamped, 0 and 1. FETCH takes the texel that the fraction of the
 * coordinate falls on, of the nearest level and layer that there is. RECTANGLE has no biases, and one level.
 */
enum lookup_operation {
    LOOKUP_IMPLICIT,
    LOOKUP_BIAS,
    LOOKUP_LOD,
    LOOKUP_GRAD,
    LOOKUP_PROJ,
    LOOKUP_PROJ_LOD,
    LOOKUP_PROJ_GRAD,
    LOOKUP_MIN_LOD,
    LOOKUP_MIN_LOD_BIAS,
    LOOKUP_MIN_LOD_GRAD,
    LOOKUP_QUERY_LOD,
    LOOKUP_FETCH,
    LOOKUP_OFFSET,
    LOOKUP_BIAS_OFFSET,
    LOOKUP_LOD_OFFSET,
    LOOKUP_GRAD_OFFSET,
    LOOKUP_PROJ_OFFSET,
    LOOKUP_PROJ_GRAD_OFFSET,
    LOOKUP_MIN_LOD_OFFSET,
    LOOKUP_GATHER,
    LOOKUP_GATHER_OFFSET,
    LOOKUP_GATHER_OFFSETS,
    LOOKUP_OPERATIONS,
};

enum lookup_kind { LOOKUP_FLOAT, LOOKUP_UINT, LOOKUP_SHADOW, LOOKUP_INT };

/* Implicit LOD is for FRAGMENT only. OpenGL runs every lookup in its fragment stage: the others compute the same. */
enum lookup_stage { LOOKUP_FRAGMENT, LOOKUP_VERTEX, LOOKUP_COMPUTE };

/*
 * Other lookups in Vulkan's shader, in front of the one that counts: of the neighbour, and of the same texture
 * elsewhere. It needs nothing of them, or its coordinate depends on their results, which do not change it. They are
 * drawn with two triangles, so that quads along their edge have helper invocations. For FRAGMENT and IMPLICIT alone,
 * and coordinates that are an affine function of the pixel.
 */
enum lookup_company { LOOKUP_ALONE, LOOKUP_BEHIND, LOOKUP_DEPENDENT };

struct lookup {
    enum lookup_dimension dimension;
    enum lookup_operation operation;
    enum lookup_kind kind;
    enum lookup_stage stage;
    bool separate;      /* Vulkan: a sampled image and a sampler instead of one combined descriptor */
    uint32_t component; /* of gathers that do not compare: 0..3 */
    enum lookup_company company;
};

/* The operation gives a least level of detail: neither API has that everywhere. */
bool lookup_has_min_lod(enum lookup_operation operation);

/* Whether the tests have such a lookup compiled. */
bool lookup_exists(const struct lookup *lookup);

/* One element: shaders/tests/lookup.glsl mirrors it. */
struct lookup_input {
    float p[4];     /* s, t, r, then the array layer, or q of projective lookups */
    float extra[4]; /* level of detail or bias, compare value, dynamic offsets along s and t */
    float dx[4];    /* derivatives along x and y, for GRAD; implicit ones come from neighbours' p. dx[3]: MIN_LOD's */
    float dy[4];
};

/* A grid of inputs is `width` x `height`; implicit derivatives are differences in its 2 x 2 blocks. */
struct lookup_grid {
    uint32_t width, height; /* even */
};

/* Texels as in harness_image_create: level after level, in each level layer after layer. */
struct lookup_texture {
    enum lookup_dimension dimension;
    enum lookup_format format;
    uint32_t width, height, depth, layers, levels; /* zero counts as 1 */
    const void *texels;
    bool bordered; /* `texels` have one more at each end of each axis of each level: border texels of OpenGL 1 */
};

/* Texels of a level along each axis, without border, and as they are in memory. */
void lookup_level_size(const struct lookup_texture *texture, uint32_t level, uint32_t size[3]);
void lookup_level_memory(const struct lookup_texture *texture, uint32_t level, uint32_t size[3]);

/*
 * The image without a border that has a bordered texture in it, `margin` texels in front of it in each level, among
 * other texels. The caller frees its texels.
 */
struct lookup_texture lookup_margined(const struct lookup_texture *texture, uint32_t margin);

/* Texels of a texture, all levels and layers; bytes of one texel (or block), and of all. */
size_t lookup_texel_count(const struct lookup_texture *texture);
size_t lookup_texel_size(enum lookup_format format);
size_t lookup_texture_size(const struct lookup_texture *texture);

/* How a Vulkan sampler stands for GL sampler state. */
enum lookup_sampler_form {
    LOOKUP_SAMPLER_GL,       /* VkSamplerGLStateCreateInfoCLAMPLER, all other fields left at nonsense-free defaults */
    LOOKUP_SAMPLER_PRIVATE,  /* VkSamplerCreateInfo with the private address modes where GL's have no Vulkan name */
    LOOKUP_SAMPLER_NAIVE,    /* VkSamplerCreateInfo with the nearest mode that Vulkan has: what a port would write */
    LOOKUP_SAMPLER_STANDARD, /* the same state in Vulkan's own words: lookup_vulkan_standard_sampler */
};

/*
 * A Vulkan sampler for GL state. PRIVATE and NAIVE use VK_EXT_custom_border_color unless the border is transparent
 * black, opaque black or opaque white; `unnormalized` asks for texel coordinates. The caller destroys it.
 */
VkSampler lookup_vulkan_sampler(struct harness_vulkan *vk, const VkSamplerGLStateCreateInfoCLAMPLER *state,
                                enum lookup_sampler_form form, bool unnormalized);

/* The border of a sampler in Vulkan's own words. */
struct lookup_border {
    VkClearColorValue color;    /* of the format's channels, before the view's mapping */
    bool integer;               /* such are the colour and the texels */
    VkFormat format;            /* that the sampler names; VK_FORMAT_UNDEFINED: none */
    VkComponentMapping mapping; /* the view's */
    bool named, srgb;           /* the sampler names that, too, and whether texels are decoded */
};

/*
 * A Vulkan sampler for GL state by the standard extensions alone: custom border colours and their mapping, faces of
 * cubes alone, minima and maxima. Only for states without GL's own wrap modes. The caller destroys it.
 */
VkSampler lookup_vulkan_standard_sampler(struct harness_vulkan *vk, const VkSamplerGLStateCreateInfoCLAMPLER *state,
                                         const struct lookup_border *border, bool unnormalized);

/* ---- Vulkan ---- */

/* Bindings of the shaders, and of a descriptor that those alone read which look up in company. */
enum { LOOKUP_TEXTURE, LOOKUP_INPUTS, LOOKUP_SAMPLER, LOOKUP_RESULTS, LOOKUP_NEIGHBOUR, LOOKUP_BINDINGS };

/* Descriptors in heaps; of shaders that have combined image samplers, and of those that have textures and samplers. */
struct lookup_heaps {
    struct harness_heaps heaps;
    struct harness_heap_binding places[2][LOOKUP_BINDINGS], spare;
    VkDescriptorSetAndBindingMappingEXT mappings[2][LOOKUP_BINDINGS];
    VkShaderDescriptorSetAndBindingMappingInfoEXT mapping[2];
};

/* Push constants: the grid, and for lookups in company the first coordinate and its steps along x and y. */
struct lookup_push {
    int32_t width, height, unused[2];
    float p[4], dx[4], dy[4];
};
#define LOOKUP_PUSH_BYTES ((uint32_t)sizeof(struct lookup_push))

struct lookup_vulkan {
    struct harness_vulkan *vk;
    struct lookup_grid grid;
    struct harness_target target;
    struct harness_buffer inputs, results;
    VkDescriptorPool pool;
    VkDescriptorSetLayout set_layouts[2]; /* combined, separate */
    VkPipelineLayout layouts[2];
    VkDescriptorSet sets[2]; /* none where descriptors are pushed, or lie in a buffer */
    uint32_t mutables[2];    /* bits of bindings that are mutable */
    /* Where descriptors lie in a descriptor buffer: */
    struct harness_descriptors descriptors;
    struct harness_descriptor_buffer buffer;
    struct harness_descriptor_set buffered[2];
    struct lookup_heaps heaps; /* where descriptors lie in heaps */
    VkDescriptorSetLayout spare_layout;
    VkDescriptorSet spare; /* that no lookup binds: lookup_vulkan_write_spare */
    /* One place for each compiled lookup, made when first used; the second where the device has HARNESS_OBJECTS. */
    VkPipeline *pipelines;
    struct harness_objects *objects;
    struct harness_image neighbour_image; /* of the other descriptor */
    VkSampler neighbour_samplers[2];      /* that asks for nothing, and for a filter in the shader */
    bool beside_filter;                   /* that descriptor asks for a filter: lookup_vulkan_set_beside_filter */
};

void lookup_vulkan_open(struct lookup_vulkan *lookups, struct harness_vulkan *vk, struct lookup_grid grid);
void lookup_vulkan_close(struct lookup_vulkan *lookups);

/* Uploads; the caller destroys it with harness_image_destroy. Its view is of all of it, as a sampled texture. */
void lookup_vulkan_image(struct harness_vulkan *vk, struct harness_image *image, const struct lookup_texture *texture);

/* Without the layer: a view of the whole image, of sRGB, in the format that is not decoded; likewise. */
VkImageView lookup_vulkan_undecoded(struct harness_vulkan *vk, const struct harness_image *image);

/* A view with GL state beside it, of the image from its level `first` on; the caller destroys it. */
VkImageView lookup_vulkan_view(struct harness_vulkan *vk, const struct harness_image *image,
                               const VkImageViewGLStateCreateInfoCLAMPLER *state,
                               const VkImageViewGLTextureStateCreateInfoCLAMPLER *texture, uint32_t first,
                               float least_level);

/* A view with a mapping, of the stencil or of all other aspects, from the image's level `first` on; likewise. */
VkImageView lookup_vulkan_mapped_view(struct harness_vulkan *vk, const struct harness_image *image,
                                      VkComponentMapping mapping, bool stencil, uint32_t first, float least_level);

/*
 * Says what the sets' other descriptor asks for, a filter in the shader or nothing: whether a shader reads it or not,
 * the layer draws with the tier that the whole set needs. For devices with `glSampler`, and those whose custom border
 * colours the layer offers.
 */
void lookup_vulkan_set_beside_filter(struct lookup_vulkan *lookups, bool beside_filter);

/* Creates that other descriptor's sampler, and writes it nowhere: the device has had it, and that is all. */
void lookup_vulkan_raise_mark(struct lookup_vulkan *lookups);

/* Writes a descriptor that no lookup reads: then the driver has a sampler for the pair. */
void lookup_vulkan_write_spare(struct lookup_vulkan *lookups, VkImageView view, VkSampler sampler);

/* Samples at every input; `rgba` gets four floats each. Waits for the result. */
void lookup_vulkan_run(struct lookup_vulkan *lookups, const struct lookup *lookup, VkImageView view, VkSampler sampler,
                       const struct lookup_input *inputs, float *rgba);

/* ---- OpenGL ---- */

struct lookup_gl {
    struct harness_gl *gl;
    struct lookup_grid grid;
    struct harness_gl_target target;
    GLuint buffer;
    GLuint *programs; /* one place for each compiled lookup, made when first used */
};

void lookup_gl_open(struct lookup_gl *lookups, struct harness_gl *gl, struct lookup_grid grid);
void lookup_gl_close(struct lookup_gl *lookups);

/* The sized format of a base format (0: the format's own) with this format's channels; 0 if OpenGL has none. */
GLenum lookup_gl_internal_format(enum lookup_format format, GLenum base_format);

/* The same bytes as a texture of that sized format. */
GLuint lookup_gl_image(const struct harness_gl *gl, const struct lookup_texture *texture, GLenum base_format);

/* The same; 0 and the error where this OpenGL refuses the format for that kind of texture. */
GLuint lookup_gl_try_image(const struct harness_gl *gl, const struct lookup_texture *texture, GLenum base_format,
                           GLenum *error);
GLenum lookup_gl_target(enum lookup_dimension dimension);

void lookup_gl_run(struct lookup_gl *lookups, const struct lookup *lookup, GLuint texture, GLuint sampler,
                   const struct lookup_input *inputs, float *rgba);

#endif
