/* SPDX-License-Identifier: MIT */
/*
 * One side of a pair: a device with the layer or without it, and the objects that its calls are measured with.
 *
 * Every function ends the process on failure (harness/device/vulkan.h). A side belongs to one thread.
 */
#ifndef CLAMPLER_BENCH_SIDE_H
#define CLAMPLER_BENCH_SIDE_H

#include <stdbool.h>

#include "harness/resources/heap.h"
#include "harness/drawing/pipeline.h"
#include "harness/resources/resources.h"
#include "harness/drawing/shader_objects.h"
#include "harness/device/vulkan.h"

enum {
    SIDE_UNITS = 4, /* combined image samplers of a set */
    SIDE_SETS = 64,
    SIDE_SAMPLERS = 8,
    SIDE_TEXTURES = 4,
    SIDE_PUSH_BYTES = 4 * sizeof(float), /* that textured.frag is pushed */
};

/* What lies between the program and the driver. */
enum side_layers {
    SIDE_PLAIN,       /* nothing */
    SIDE_INERT,       /* Clampler, extension not enabled */
    SIDE_ACTIVE,      /* Clampler, extension and glSampler enabled */
    SIDE_NULL,        /* a layer that returns at once from draws, binds and writes */
    SIDE_ACTIVE_NULL, /* Clampler above that one */
    SIDE_COUNTED,     /* a layer that counts pipelines */
    SIDE_ACTIVE_COUNTED,
};

struct side {
    struct harness_vulkan vk;
    bool active; /* the extension is enabled */
    struct harness_target target;
    struct harness_image textures[SIDE_TEXTURES];
    VkSampler samplers[SIDE_SAMPLERS]; /* wrap modes that every driver has; all filters and modes differ */
    VkSampler clamps[SIDE_UNITS];      /* GL_CLAMP, trilinear; without the extension CLAMP_TO_BORDER */
    VkSampler mixtures[SIDE_UNITS];    /* the same with magnification filter NEAREST, which tier 2 serves */
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet sets[SIDE_SETS]; /* of plain samplers */
    VkDescriptorSet clamped;         /* of `clamps` */
    VkDescriptorSet filtered;        /* of `mixtures` */
    float more_down; /* further textures down the target than across it: footprints are longer than wide */
    bool in_blocks;  /* new pipelines' lookups stand in blocks of their own */
    /* Of pipelines, and in passes, where sets are heaps; else NULL. */
    const VkShaderDescriptorSetAndBindingMappingInfoEXT *mapping;
    const struct harness_heaps *heaps;
    VkPipeline pipeline;            /* shaders/bench/textured.frag, of the kind that the side was opened for */
    struct harness_objects objects; /* the same as linked shader objects, where that is HARNESS_OBJECTS */
    VkCommandBuffer commands;
    /* The first layer's own pointers, without the loader's trampolines. */
    PFN_vkCmdDraw draw;
    PFN_vkCmdBindDescriptorSets bind;
    PFN_vkCmdBindPipeline bind_pipeline;
    PFN_vkCmdBindShadersEXT bind_shaders; /* NULL where the side has no shader objects */
    PFN_vkUpdateDescriptorSets update;
};

/* `width`, `height`: of the target, in pixels. */
void side_open(struct side *side, enum side_layers layers, uint32_t width, uint32_t height);
/* The same with pipelines of another kind than whole ones. */
void side_open_kind(struct side *side, enum side_layers layers, enum harness_linking kind, uint32_t width,
                    uint32_t height);
/*
 * The same with what else the device needs: layers and the extension of `more` are those of the side. Where its sets
 * are not plain ones, the sets, their layouts, the pipeline and all samplers with GL state are for the caller to make;
 * side_close destroys all that stands in *side.
 */
void side_open_device(struct side *side, enum side_layers layers, const struct harness_vulkan_params *more,
                      uint32_t width, uint32_t height);
/* The same with sets, but no GL state anywhere: side->clamps, side->mixtures and sets of them are not there. */
void side_open_without_gl(struct side *side, enum side_layers layers, const struct harness_vulkan_params *more,
                          uint32_t width, uint32_t height);
void side_close(struct side *side);

/* Another target size. */
void side_resize(struct side *side, uint32_t width, uint32_t height);

/* What a sampler is created from. It must not move. */
struct side_sampler {
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    VkSamplerCreateInfo info;
};

/* That of side->mixtures (`nearest`) or side->clamps, and that of side->samplers[i]. */
void side_describe_clamp(const struct side *side, bool nearest, struct side_sampler *sampler);
void side_describe_plain(uint32_t i, struct side_sampler *sampler);

/* Fills side->mixtures or side->clamps. */
void side_create_clamps(struct side *side, bool nearest);

/* A pipeline of textured.frag whose words no pipeline of this process or an earlier one had; the caller destroys it. */
VkPipeline side_new_pipeline(struct side *side);

/* How the textured triangle lies on its textures: what is measured depends on it. */
struct side_placement {
    float span;   /* textures across the target */
    float margin; /* how far outside [0, 1] the coordinates begin */
};

/*
 * Begins side->commands with the pass, `pipeline` and `set` bound, in the given placement; side_end ends both. Where
 * the side has shader objects they are bound, and `pipeline` is not used.
 */
void side_begin(struct side *side, VkPipeline pipeline, VkDescriptorSet set, struct side_placement placement);
void side_end(struct side *side);

/* side_begin with no set bound; heaps are. */
void side_begin_pass(struct side *side, VkPipeline pipeline, struct side_placement placement);

/* Submits side->commands and waits. */
void side_submit(struct side *side);

#endif
