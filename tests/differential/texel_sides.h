/* SPDX-License-Identifier: MIT */
/* The two sides of the suite of buffer textures: Vulkan under the layer, and a real OpenGL. */
#ifndef CLAMPLER_DIFFERENTIAL_TEXEL_SIDES_H
#define CLAMPLER_DIFFERENTIAL_TEXEL_SIDES_H

#include "differential/texel_case.h"
#include "harness/opengl/gl.h"
#include "harness/drawing/pipeline.h"

/* ---- Vulkan ---- */

struct texel_vulkan_params {
    const char *layers;  /* as harness_vulkan_params has them */
    const char *path;    /* value of the setting texel_path */
    const char *missing; /* value of the setting assume_missing, "" for nothing */
    bool by_setting;     /* texel_buffers=emulate and no extension, in place of the feature glBufferView */
    bool offered;        /* with by_setting: offer=missing does it, and not texel_buffers */
    bool gpu_assisted;   /* the validation layer looks at what shaders do as well */
};

struct texel_vulkan {
    struct harness_vulkan vk;
    VkDescriptorSetLayout set_layout[2]; /* one texel buffer; three */
    VkPipelineLayout layout[2];
    struct harness_target target;
    struct harness_buffer indices, texels;
    VkPipeline pipelines[CLASSES][STAGES][FORMS]; /* made when first needed */
    bool by_setting, above;                       /* above: the validation layer sees what the program gives */
    VkDeviceSize most_elements;                   /* what the layer promises */
    struct texel_driver { /* what there is below the layer, less what assume_missing hides from it */
        bool forms[FORMS], stages[STAGES];
        bool formats[128];   /* by row: uniform texel buffers */
        VkFlags others[128]; /* by row: what else buffers of the format can be, storage texel buffers above all */
        uint32_t most_elements, alignment;
    } driver;
};

void texel_vulkan_open(struct texel_vulkan *side, const struct texel_vulkan_params *params);
void texel_vulkan_close(struct texel_vulkan *side);

/* Must this case be emulated on this device? From the driver's formats and limits, not from the layer. */
bool texel_vulkan_must_emulate(const struct texel_vulkan *side, const struct texel_case *one);

enum texel_outcome {
    TEXEL_DRAWN,
    TEXEL_LEFT_OUT, /* beyond what the device promises, or a form that it cannot express */
};

/*
 * Looks at the texels of `bytes`. *tier is that of the draw or dispatch, *size what textureSize said. Indices from
 * `count` on are not looked at.
 */
enum texel_outcome texel_vulkan_draw(struct texel_vulkan *side, const struct texel_case *one, const void *bytes,
                                     const int32_t *indices, uint32_t count, uint32_t bits[][4], uint32_t *size,
                                     uint32_t *tier);

/* ---- OpenGL ---- */

struct texel_gl {
    struct harness_gl gl;
    GLuint programs[CLASSES];
    struct harness_gl_target targets[CLASSES];
    GLint most_elements;
    GLint alignment;
};

bool texel_gl_open(struct texel_gl *side, char *why, size_t why_size);
void texel_gl_close(struct texel_gl *side);

/* The same in OpenGL. False: it has no such buffer texture. */
bool texel_gl_draw(struct texel_gl *side, const struct texel_case *one, const void *bytes, const int32_t *indices,
                   uint32_t count, uint32_t bits[][4], uint32_t *size);

#endif
