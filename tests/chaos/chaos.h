/* SPDX-License-Identifier: MIT */
/*
 * The chaos: a random program that uses descriptors in every way, and a model on the host of what each of its lookups
 * must give. README.md here says what it does and how it is run; the parts are
 *
 *     operations.h   the program as plain data: a list of operations, from a seed or from a file
 *     shapes.h       what set layouts and shaders are like
 *     palette.h      what samplers, images and views of a device are mostly like
 *     objects.h      samplers, views, layouts, templates, pipelines
 *     sets.h         descriptor pools, sets, writes and copies
 *     placed.h       sets in descriptor buffers and in heaps
 *     commands.h     command buffers: recording, submitting, and comparing what came out with the model
 *     actors.h       devices and threads; performs operations
 *     shrink.h       cuts a list of operations to what still fails
 *
 * An *actor* is a thread of one device, with objects of its own that no other actor touches. Objects in a device's
 * `shared` store are used by all of its actors; only operations of that device itself, during which no thread runs,
 * put them there and retire them. A retired object is destroyed by one of the actors while the others go on.
 *
 * An operation has a number of its own from which everything about it follows, and the state of the model. What it
 * cannot be done to is left out. So a list may be cut anywhere, and is done the same way each time.
 */
#ifndef CLAMPLER_CHAOS_H
#define CLAMPLER_CHAOS_H

#include <pthread.h>

#include "chaos/dice.h"
#include "chaos/shapes.h"
#include "harness/resources/descriptor_buffer.h"
#include "harness/resources/heap.h"
#include "harness/lookups/lookup_reference.h"

enum {
    CHAOS_DEVICES = 4,
    CHAOS_THREADS = 8, /* of each device */
    IMAGES = 8,
    IMAGE_LEVELS = 3, /* of each image, which is 4 x 4 */
    IMMUTABLE_GROUPS = 2,
    TEXEL_BYTES = 512, /* of the buffer that texel buffers look at */
    SAMPLERS = 10,     /* the sizes of stores */
    VIEWS = 10,
    TEXEL_VIEWS = 6,
    LAYOUTS = 10,
    TEMPLATES = 6,
    PIPELINES = 6,
    PLACED_PIPELINES = 4, /* with descriptors in buffers and in heaps: an actor's own, behind those */
    PIPELINE_LAYOUTS = 8, /* of each actor, as is what follows */
    POOLS = 3,
    POOL_SETS = 8,
    SETS = 16,
    PLACED_SETS = 6, /* of each kind, behind those */
    ALL_SETS = SETS + 2 * PLACED_SETS,
    PLACED_BUFFERS = 2,
    COMMANDS = 4,
    SECONDARIES = 2, /* of each command buffer */
    DISPATCHES = 8,  /* at most, of each command buffer */
    REGION_VECTORS = 256,
    WINDOW_PIECES = 64, /* of 64 KiB, that fill the small window of the GPU's memory */
    RESULT_BYTES = COMMANDS * DISPATCHES * REGION_VECTORS * 16,
};

/* ---- Objects ---- */

/* In every object: whether there is one in this place, and how many there have been. */
struct life {
    bool lives;
    bool retired; /* of shared objects: the model has it no longer; its actor destroys it */
    uint8_t owner;
    uint32_t generation;
};

/* A sampler or a view as a descriptor has it. Generation 0 is none. */
struct ref {
    uint8_t shared; /* which store */
    uint8_t index;
    uint32_t generation;
};

/* What it may ask for: nothing, other coordinates, or anything. */
enum mood { MOOD_CALM, MOOD_COORDINATES, MOOD_WILD, MOODS };

struct sampler {
    struct life life;
    VkSampler handle;
    bool gl; /* has the GL structure; else it is one of Vulkan's, which means the same */
    enum mood mood;
    VkSamplerGLStateCreateInfoCLAMPLER state;
    /* Of those in Vulkan's words that have extensions' (`offered`): chained to each other. */
    bool offered;
    VkSamplerCustomBorderColorCreateInfoEXT border;
    VkSamplerReductionModeCreateInfo reduction;
};

struct view {
    struct life life;
    VkImageView handle;
    bool gl;
    uint8_t image;
    uint8_t first;                        /* level of the image; views end with the last one */
    VkImageViewMinLodCreateInfoEXT least; /* of detail, counted from the image's first level; 0: none */
    VkImageViewGLStateCreateInfoCLAMPLER state;
    bool stated; /* has the structure of textures' states, which is: */
    VkImageViewGLTextureStateCreateInfoCLAMPLER texture;
};

struct texel_view {
    struct life life;
    VkBufferView handle;
    uint8_t kind;    /* number in the table of texel formats */
    uint32_t offset; /* bytes into the device's buffer of texels */
    uint32_t count;  /* texels */
};

struct set_layout {
    struct life life;
    VkDescriptorSetLayout handle;
    struct key key;
};

struct template
{
    struct life life;
    VkDescriptorUpdateTemplate handle;
    VkDescriptorSetLayout layout; /* kept for validation layers */
    struct key key;
    uint8_t skipped; /* bits of descriptors that it does not write; it may have entries for immutable samplers */
};

struct pipeline_layout {
    VkPipelineLayout handle;
    struct key keys[2];
    VkDescriptorSetLayout sets[2]; /* kept for validation layers */
};

struct pipeline {
    struct life life;
    VkPipeline handle;
    struct pipeline_layout layout; /* kept for validation layers */
    struct program program;
    bool object;             /* shader objects stand in the place of a pipeline */
    bool rendering;          /* draws are within vkCmdBeginRendering, not in a render pass */
    VkPipeline libraries[2]; /* where the driver does not do without them */
    VkShaderEXT shaders[2];  /* of compute, or of vertices and fragments */
};

struct store {
    struct sampler samplers[SAMPLERS];
    struct view views[VIEWS];
    struct texel_view texel_views[TEXEL_VIEWS];
    struct set_layout layouts[LAYOUTS];
    struct template templates[TEMPLATES];
    struct pipeline pipelines[PIPELINES + PLACED_PIPELINES];
};

/* ---- Sets ---- */

/* What a descriptor shows. Which of the two count follows from its type. */
struct content {
    struct ref view; /* of an image, or of a buffer */
    struct ref sampler;
};

struct contents {
    struct content of[SHAPE_DESCRIPTORS];
};

struct set {
    bool lives;
    VkDescriptorSet handle;
    struct key key;
    uint8_t pool;
    uint8_t count;    /* descriptors; fewer than the shape's where their number varies */
    uint32_t version; /* changes with every change that command buffers do not survive */
    struct {
        bool shared;
        uint8_t index;
        uint32_t generation;
    } layout;
    struct contents contents;
};

struct pool {
    VkDescriptorPool handle;
};

/* What placed sets of an actor lie in. Set number i of a kind has place number i in heaps, i / 2 in a buffer. */
struct placed {
    struct harness_descriptors *descriptors; /* of the device, as it is with this extension */
    struct harness_descriptor_buffer buffers[PLACED_BUFFERS];
    struct harness_heaps heaps;
    VkDescriptorSetLayout layouts[PLACED_SETS]; /* of the sets in buffers */
};

/* ---- Commands ---- */

/* A set as a dispatch has it. */
struct bound {
    bool any, pushed;
    uint8_t set; /* of the actor */
    uint32_t version;
    struct key key;
    uint8_t count;
    uint8_t alive; /* bits of descriptors that showed something when they were bound */
    struct contents contents;
};

struct dispatch {
    struct program program;
    struct ref pipeline;
    struct bound sets[2]; /* numbers 1 and 2 */
    struct pushed pushed;
    uint8_t region;
};

enum commands_state {
    COMMANDS_NONE, /* not allocated */
    COMMANDS_INITIAL,
    COMMANDS_RECORDING,
    COMMANDS_EXECUTABLE,
    COMMANDS_PENDING,
    COMMANDS_INVALID, /* to be reset */
};

/* What is bound in a command buffer at one bind point. */
struct binding_state {
    bool any; /* the pipeline layout that sets were bound with is known */
    struct key keys[2];
    struct {
        bool any;
        uint8_t set;
        uint32_t version;
    } sets[2];
    bool pushed;
    struct contents push;
};

enum { KIND_POOLS = 1, KIND_BUFFERS = 2, KIND_HEAPS = 4 }; /* of sets */

struct commands {
    enum commands_state state;
    VkCommandBuffer handle;
    VkCommandBuffer secondaries[SECONDARIES];
    uint8_t secondary_count; /* recorded */
    VkFence fence;
    uint8_t count;
    struct dispatch dispatches[DISPATCHES];
    struct binding_state bound[2]; /* compute, graphics */
    uint32_t layouts;              /* bits of pipeline layouts that it was recorded with */
    bool once;                     /* it may be submitted once only */
    uint8_t kinds;                 /* KIND_... of the sets that are bound in it */
    bool others;                   /* something else than draws with shader objects */
    uint8_t placed;                /* the flavour of placed sets that is bound; 0: none */
};

/* ---- Actors and devices ---- */

/* Lookups that are counted apart; one may be of several kinds. */
enum seen {
    SEEN_FETCH,
    SEEN_UNDECODED, /* a fetch through a sampler that does not decode sRGB */
    SEEN_QUERY,
    SEEN_FIRST,       /* through views of some levels */
    SEEN_LEAST,       /* through views with a least level of detail */
    SEEN_INCOMPLETE,  /* of textures that are incomplete */
    SEEN_BORDERED,    /* of textures with border texels */
    SEEN_CUBIC,       /* through cubic filters */
    SEEN_OFFERED,     /* through samplers of extensions that the layer offers */
    SEEN_ANISOTROPIC, /* through anisotropic ones of these, with gradients or implicit derivatives */
    SEEN_KINDS,
};

struct device;

struct actor {
    struct device *device;
    unsigned number; /* among the device's */
    struct store own;
    struct pipeline_layout pipeline_layouts[PIPELINE_LAYOUTS];
    struct pool pools[POOLS];
    VkDescriptorPool results_pool;
    VkDescriptorSet results_set;
    struct harness_buffer results;
    VkCommandPool command_pool;
    struct placed placed;
    struct set sets[ALL_SETS];
    struct commands commands[COMMANDS];
    uint64_t compared, dispatched, left_out;
    uint64_t performed[64]; /* by kind of operation: of those that were not left out */
    uint64_t binaries, refused_binaries, compile_required;
    uint64_t ordered, judged_comparisons;                           /* of apart.h's operations that were done */
    uint64_t seen[SEEN_KINDS];                                      /* lookups that were compared */
    uint64_t placed_operations, placed_drew[2][3], object_draws[3]; /* by kind, and by tier: where one thread runs, of
                                                                 command buffers that have nothing else */
    const struct operation *operation;                              /* that it is at, for messages */
    uint64_t operation_number;
};

/*
 * What most samplers and views of a device are like. Drivers such as llvmpipe compile code anew for every combination
 * of states that shaders meet; where all were chosen anew each time, that would be most of what a run does. Samplers
 * differ in their border colours, images in their texels.
 */
struct palette {
    VkSamplerGLStateCreateInfoCLAMPLER samplers[MOODS];
    VkSamplerGLStateCreateInfoCLAMPLER offered; /* that Vulkan's samplers can have by extensions */
    enum lookup_format formats[2];
    struct {
        bool gl;
        uint32_t base_format, depth_mode, swizzle[4]; /* GL's */
    } views[2];
};

/* Where placed sets are in a heap: the first one, from a descriptor to the next, from a set to the next. Bytes. */
struct set_bytes {
    uint32_t first, stride, set;
};

struct texture {
    struct harness_image image;
    enum lookup_format format;
    uint32_t margin; /* of a texture with border texels: texels of the image in front of it; 0: it is the image */
    struct lookup_reference reference;
};

struct device {
    struct harness_vulkan vk;
    unsigned number;
    /* What it has. */
    bool dynamic, partial, pending, after_bind, variable, push, mutable_types, libraries, objects, filters_all;
    bool graphics_objects, buffers, heaps, immutable_entries;
    bool rendering, without_alpha, blocks, cache_control, flags2, statistics;
    bool fetches, queries, first_levels;
    bool texture_states, orders; /* incomplete textures, border texels and what comparisons give; orders of channels */
    bool cubic, offered;         /* the limited driver is below, and the layer offers what it lacks */
    bool least_levels;           /* of views; samplers have mipmaps and one filter of texels */
    bool several;                /* there are other devices, with threads of their own */
    bool raised, mild;           /* objects have asked for everything; nothing asks for more than other coordinates */
    bool keep_libraries;         /* the driver does not survive that they go before what is linked from them */
    bool validated;        /* validation layers want layouts of pushed sets to live as long as something is pushed */
    bool gl, buffer_views; /* without the layer: nothing of OpenGL's, so that faults of drivers show */
    pthread_mutex_t queue;
    struct palette palette;
    struct texture textures[IMAGES];
    struct harness_buffer texels;
    struct sampler immutable[IMMUTABLE_GROUPS][SHAPE_DESCRIPTORS];
    VkDescriptorSetLayout results_layout;
    struct harness_image target;
    VkRenderPass pass;
    VkFramebuffer framebuffer;
    struct harness_descriptors descriptors; /* where the device has descriptor buffers */
    VkDescriptorSetLayout placed_results_layout;
    VkDeviceAddress texels_address;
    struct set_bytes heap_resources, heap_samplers;
    uint32_t heap_results; /* from a descriptor of results to the next */
    PFN_vkCmdPushDescriptorSetKHR push_descriptors;
    PFN_vkCmdPushDescriptorSetWithTemplateKHR push_template;
    struct device *peer; /* with other features, whose binaries of shader objects are taken; NULL: none */
    struct store shared;
    bool window; /* the driver has a small one of the GPU's memory (window.h) */
    uint32_t window_type, piece_count;
    uint64_t window_fills;
    VkDeviceMemory pieces[WINDOW_PIECES];
    unsigned actor_count;
    struct actor *actors;
};

/* ---- Failing ---- */

/* Ends the process with status 1: `actor` may be NULL. The message has the number of the operation. */
_Noreturn void chaos_fail(const struct actor *actor, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
