/* SPDX-License-Identifier: MIT */
/* The Vulkan voice's own: one device, and what a program has made on it. */
#ifndef RANDOM_VULKAN_VOICE_H
#define RANDOM_VULKAN_VOICE_H

#include "harness/drawing/passes.h"
#include "harness/drawing/pipeline.h"
#include "harness/drawing/shader_objects.h"
#include "harness/resources/descriptor_buffer.h"
#include "harness/resources/heap_shader.h"
#include "voices.h"

/* Objects of a program, which end with it. */
enum kept_kind { KEPT_IMAGE, KEPT_BUFFER, KEPT_VIEW, KEPT_BUFFER_VIEW, KEPT_SAMPLER, KEPT_FRAMEBUFFER };
struct kept {
    struct kept *next;
    enum kept_kind kind;
    uint64_t handle, memory;
};

struct voice_texture {
    VkImage image;
    struct harness_buffer buffer;
    VkImageView view; /* of `version` of the machine's texture */
    VkBufferView buffer_view;
    uint32_t version;
    bool incomplete;
};

enum layout_kind { LAYOUT_COMBINED, LAYOUT_SEPARATE, LAYOUT_TEXELS, LAYOUT_ARRAY, LAYOUT_TOGETHER, LAYOUT_KINDS };

enum { VOICE_SETS = 256, SHARED_SETS = 256, SHARED_PLACES = 3 };

/* What push constants are: the shader's, and behind them where descriptors lie in heaps. */
struct voice_constants {
    float parameters[sizeof(struct parameters) / sizeof(float)];
    uint32_t resource, sampler;
    float resource_number, sampler_number; /* the same */
};

/* Binding 0 and 1: what is looked up; 2: results of compute shaders. In heaps there are mappings and no layouts. */
struct voice_layout {
    struct voice_layout *next;
    enum layout_kind kind;
    VkSampler immutable; /* or embedded */
    VkDescriptorSetAndBindingMappingEXT mappings[3];
    VkShaderDescriptorSetAndBindingMappingInfoEXT mapping;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout pipeline_layout, twin; /* the same twice */
    VkDescriptorUpdateTemplate template;
    enum random_together form;    /* of LAYOUT_TOGETHER */
    VkDescriptorSetLayout second; /* of set 1, or none */
};

/* A program's samplers, by what they were made of. */
struct voice_sampler {
    struct voice_sampler *next;
    struct sampler_state state;
    float unit_bias;
    enum sample_type type;
    VkSampler sampler;
};

struct voice_set {
    const struct voice_layout *layout;
    VkDescriptorSet set;
    struct harness_descriptor_set placed;
    uint32_t slot;     /* its number in heaps */
    VkSampler sampler; /* what it holds; the program's */
    VkSampler other;   /* of the other elements */
    VkImageView view;
    VkBufferView buffer_view;
    int texture;
    bool written, used; /* in this program */
    bool begun;         /* what may not be written late has been */
};

/* A set of several lookups. */
struct voice_shared {
    const struct voice_layout *layout;
    uint32_t set;
    VkDescriptorSet handle;
    bool used, known; /* in this command buffer; what it holds is there yet */
    VkDescriptorImageInfo infos[SHARED_PLACES][TOGETHER_MOST];
};

struct voice_pipeline {
    struct voice_pipeline *next;
    const uint32_t *words;
    const struct voice_layout *layout;
    VkFormat formats[ATTACHMENTS];
    uint32_t count;
    VkRenderPass pass;
    VkPipelineColorBlendAttachmentState blend[ATTACHMENTS];
    VkPipeline pipeline;
    bool objects, compute;
    struct harness_objects shaders;
};

struct voice_pass {
    struct voice_pass *next;
    VkFormat formats[ATTACHMENTS];
    uint32_t count;
    VkRenderPass pass;
};

/* What an attachment held once an operation was through. */
struct voice_step {
    uint32_t operation;
    int attachment;
    const struct format *format;
    size_t count;
    struct harness_buffer buffer;
};

enum pass { PASS_NONE, PASS_RESULTS, PASS_PAINT };

struct voice_device {
    struct voice_device *next;
    struct harness_vulkan vk;
    bool native, standard;
    bool counted;                       /* the layer's counters are in those of the process, */
    struct clampler_counters by_itself; /* but for what is not counted */
    struct manner opened;               /* for which the device has been opened */
    bool custom_border, non_seamless;
    struct {
        VkImage image;
        VkDeviceMemory memory;
        VkImageView view;
    } results;
    struct harness_buffer read, computed_results;
    struct voice_layout *layouts;
    struct voice_pipeline *pipelines;
    struct voice_pass *passes;
    struct voice_sampler *samplers;
    struct voice_set sets[VOICE_SETS];
    uint32_t set_count;
    VkDescriptorPool pool, shared_pool;
    struct voice_shared shared[SHARED_SETS];
    uint32_t shared_count;
    struct {
        const struct random_together_shader *shader; /* NULL: draws have one lookup each */
        uint32_t number;                             /* of the operation; its draws are behind it */
        struct lookup lookups[TOGETHER_MOST];
        VkDescriptorImageInfo infos[SHARED_PLACES][TOGETHER_MOST];
    } together;
    struct {
        const struct voice_layout *layout; /* NULL: something else is bound */
        VkPipelineBindPoint point;
        VkDescriptorSet sets[2];
        VkDescriptorImageInfo pushed[SHARED_PLACES][TOGETHER_MOST];
    } shared_bound;
    uint32_t buffer_draws, buffer_together; /* of the command buffer, and those of several lookups */
    struct clampler_counters at_beginning;  /* of the command buffer */
    struct harness_descriptors descriptors;
    struct harness_descriptor_buffer descriptor_buffer;
    struct {
        struct harness_heaps heaps;
        uint32_t resources, samplers, results; /* the first place of each */
    } heap;
    uint32_t slot; /* in heaps: of the set that is bound */
    /* The program that is being drawn. */
    struct manner manner;
    struct machine machine;
    struct voice_texture textures[TEXTURES];
    struct kept *kept;
    VkCommandBuffer commands;
    VkCommandBuffer primary; /* while `commands` is a secondary one */
    VkCommandBuffer secondaries[DRAWS_MAX + 1];
    uint32_t secondary_count;
    enum pass pass;
    uint32_t draws, drawn[DRAWS_MAX];
    bool computed[DRAWS_MAX];
    bool may_refuse, objects_bound;
    struct voice_set shown; /* what the draw before was bound to: its handles alone */
    bool rebound;           /* it differs from the one before that */
    const struct voice_pipeline *used;
    uint32_t passes_begun;
    VkSampler gone[VOICE_SETS]; /* those that were destroyed before, the last ones */
    uint32_t gone_count;
    VkImageView gone_views[VOICE_SETS];
    uint32_t gone_view_count;
    bool by_steps; /* what each clear and paint leaves is read */
    const struct pictures *given;
    struct voice_step steps[OPERATIONS_MAX * ATTACHMENTS];
    uint32_t step_count; /* that are recorded */
};

extern struct voice_drawn voice_counts;

/* ---- vulkan_voice.c ---- */
void voice_keep(struct voice_device *d, enum kept_kind kind, uint64_t handle, uint64_t memory);
VkImageUsageFlags voice_usage(const struct format *format, enum random_target target);
VkImageType voice_image_type(enum random_target target);

/* May image and sampler be two descriptors? */
bool voice_may_be_apart(const struct voice_device *d, const struct lookup *l);

/* ---- vulkan_device.c ---- */
void voice_open(struct voice_device *d, const char *layers);

/* ---- vulkan_samplers.c ---- */
static inline bool voice_in_heaps(const struct voice_device *d)
{
    return harness_sets_are_heaps(d->vk.sets);
}

/* lavapipe 26.2 frees samplers that are embedded in a library once more with each pipeline that is linked from it. */
static inline bool voice_may_link(const struct voice_device *d)
{
    return d->opened.binding != BINDING_HEAP_EMBEDDED;
}

bool voice_can_say(const struct voice_device *d, const struct lookup *l);
VkSampler voice_sampler(struct voice_device *d, const struct lookup *l);
/* One that asks for nothing, for views of the same lookup. */
VkSampler voice_nearest_sampler(struct voice_device *d, const struct lookup *l);
VkImageView voice_view(struct voice_device *d, const struct lookup *l);
VkBufferView voice_buffer_view(struct voice_device *d, int slot);
VkImageView voice_attachment_view(struct voice_device *d, const struct attachment_state *a);

/* ---- vulkan_sets.c ---- */
/* `texture` NULL: a layout for what looks nothing up. */
const struct voice_layout *voice_layout(struct voice_device *d, const struct lookup *l, enum random_form form);
void voice_bind(struct voice_device *d, const struct lookup *l, const struct voice_layout *layout,
                VkPipelineBindPoint point);
/* What shaders read as push constants: parameters, and places in heaps. */
void voice_push(struct voice_device *d, const struct voice_layout *layout, const void *parameters);
/* The shader as the device's sets have it; to be freed where it is another. */
struct harness_spirv voice_code(struct voice_device *d, const struct random_shader *shader);
void voice_sets_open(struct voice_device *d);
void voice_sets_begin(struct voice_device *d);
/* All sets may be taken again: what is recorded has been drawn. */
void voice_sets_again(struct voice_device *d);
void voice_sets_write_late(struct voice_device *d); /* those that are written once they are bound */
void voice_sets_close(struct voice_device *d);
/* Pipelines know one of two layouts that are the same; sets and constants come by the other, too. */
VkPipelineLayout voice_some_layout(const struct voice_device *d, const struct voice_layout *layout);

/* ---- vulkan_together.c ---- */
/* At OPERATION_TOGETHER: what the draws behind it share, if there is a shader of all. */
void voice_together_begin(struct voice_device *d, const struct program *program, uint32_t number);
int voice_together_chosen(const struct voice_device *d, uint32_t number);
const struct voice_layout *voice_together_bind(struct voice_device *d, VkPipelineBindPoint point);
void voice_together_write_late(struct voice_device *d);
/* Sets may be taken again; `forget`: what they hold may be no more. */
void voice_together_again(struct voice_device *d, bool forget);
void voice_together_close(struct voice_device *d);

/* ---- vulkan_pipelines.c ---- */
VkRenderPass voice_render_pass(struct voice_device *d, const VkFormat *formats, uint32_t count);
void voice_use(struct voice_device *d, const struct random_shader *shader, const struct voice_layout *layout);
void voice_use_painter(struct voice_device *d, bool looks, bool apart, const struct voice_layout *layout);
void voice_pipelines_end(struct voice_device *d); /* what goes with the program */
void voice_pipelines_close(struct voice_device *d);

#endif
