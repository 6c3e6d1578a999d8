/* SPDX-License-Identifier: MIT */
/*
 * The state of command buffers with their bindings (command_buffer.c), and conditional rendering (condition.c). One
 * thread records into a command buffer at a time; a lock is taken only where a thread changes to another command buffer
 * for the first time.
 */
#ifndef CLAMPLER_COMMANDS_COMMAND_BUFFER_H
#define CLAMPLER_COMMANDS_COMMAND_BUFFER_H

#include <stdatomic.h>

#include "commands/pass.h"
#include "descriptors/pool.h"
#include "filled/filled.h"
#include "layouts/set_layout.h"
#include "modules/shader_module.h"
#include "need/need.h"
#include "objects/track.h"
#include "pipelines/pipeline_order.h"
#include "pipelines/tiers.h"

/* POINT_OTHER: bind points that the layer does not follow, which must not disturb the others. */
enum { POINT_GRAPHICS, POINT_COMPUTE, POINT_RAY_TRACING, POINT_SUBPASS_SHADING, POINT_OTHER, POINT_COUNT };

/* Beside RECORD_NEED_*: an update-after-bind set, which may come to have all needs of the device. */
#define BOUND_NEEDS_OPEN (1u << 31)

/* Whether a draw must choose its tier again. */
enum bind_change {
    BIND_SETTLED, /* nothing changed since the last draw */
    BIND_CHANGED, /* a binding changed that may change the draw's needs */
    BIND_OPEN, /* no binding changed, but the device's needs may have risen, which bound update-after-bind sets follow
                */
};

struct bound_set {
    uint32_t needs; /* RECORD_NEED_* of the set when it was bound, and BOUND_NEEDS_OPEN */
    /*
     * It was bound while no draw could need a tier above 0: its needs are not known, and 0 here. The first set that
     * makes draws need one is bound later, and the draw after that looks these needs up.
     */
    bool unknown;
    bool not_uploaded; /* its records were not uploaded when it was bound, and no draw has done so since
                          (descriptors/records.h) */
    VkDescriptorSet set;
    struct push_state *push; /* push descriptors in this place, or NULL */
};

/* A shader object that the program has bound to a stage, and its variant that a draw has bound. */
struct bound_shader {
    VkShaderStageFlagBits stage;
    VkShaderEXT program;
    struct shader_object *object; /* NULL: nothing of the layer's in it, or none is bound */
    VkShaderEXT bound;            /* the driver's, of some tier */
};

enum {
    BOUND_SHADERS = 32,         /* a stage is a bit of VkShaderStageFlagBits */
    SHADERS_MIXED = TIER_COUNT, /* tier of a bind point: some stages were bound after a draw had exchanged others */
};

/* The state that the driver's command buffer has at a bind point. */
struct driver_state {
    VkPipeline pipeline; /* known or not; VK_NULL_HANDLE: none, or shader objects */
    uint32_t group;      /* of shaders in `pipeline`, 1 more; 0: bound without one */
    uint32_t tier, key;  /* of the variant that is bound */
};

struct bind_point {
    /* The state that the program has bound. */
    struct pipeline *pipeline; /* NULL: nothing, or nothing of the layer's in it */
    bool shaders;              /* shader objects instead */
    struct bound_set *sets;    /* track->device's maxBoundDescriptorSets of them */
    struct driver_state driver;
    uint8_t dirty;         /* enum bind_change, of the next draw */
    uint64_t device_needs; /* BIND_OPEN: the word (device_needs_word) that the last draw followed */
};

/* The program's conditional rendering, and where its predicate lies. */
struct condition {
    enum { CONDITION_NONE, CONDITION_IN_BUFFER, CONDITION_AT_ADDRESS } begun;
    VkConditionalRenderingBeginInfoEXT buffer;
    VkConditionalRenderingBeginInfo2EXT address;
};

struct command {
    _Atomic(VkCommandBuffer) handle; /* VK_NULL_HANDLE: not in use; a thread that had it last may look at it any time */
    struct device *device;
    struct track *track;
    struct command_pool *pool;
    struct command *previous, *next; /* in the pool */
    struct bind_point points[POINT_COUNT];
    bool secondary;
    bool feedback; /* transform feedback is active: the graphics pipeline must stay */
    struct pass_state pass;
    struct pass_memory pass_memory;
    struct order_pass orders; /* of the attachments of the pass */
    struct command_blend blend;
    struct dynamic_state *dynamic;  /* NULL where the layer never draws in this command buffer */
    struct filled_recording filled; /* the effects of this recording on the alpha of images (alpha/change.h) */
    VkResult error;                 /* for vkEndCommandBuffer */
    uint64_t draws[TIER_COUNT];
    uint32_t open_follows[TIER_COUNT];   /* by tier: the needs that pipelines follow which were drawn with sets of
                                            BOUND_NEEDS_OPEN */
    struct push_state *push_states;      /* all of the command buffer's, in use or not */
    struct ring *ring;                   /* memory of this recording (ring.h) */
    struct bound_state *app_descriptors; /* NULL without application-managed descriptors (recording/bound.h) */
    struct blit_scratch *scratch;        /* memory of blits, in use or not */
    struct bound_shader shaders[BOUND_SHADERS]; /* by stage, in no order */
    uint32_t shader_count;
    bool inherits_condition;       /* it inherits conditional rendering */
    struct condition condition;    /* begun here */
    struct bound_set *set_storage; /* of all points */
    uint32_t set_limit;            /* sets of one point */
};

struct command_pool {
    struct command *commands;
    uint32_t family;          /* of queues */
    VkQueueFlags queue_flags; /* of that; looked up only where blits or pushes may need it */
    bool compute;             /* the queue has compute, which blits may need */
};

/*
 * The last command buffer that this thread recorded into. State memory stays until its device goes, so that `handle` in
 * it can be read to check whether it is still the same command buffer. The epoch grows when a device is destroyed,
 * which invalidates all threads' caches.
 */
struct last_command {
    VkCommandBuffer handle;
    struct command *command;
    uint64_t epoch;
};
extern THREAD_LOCAL struct last_command last_command;
extern _Atomic(uint64_t) command_epoch;

/* Looks the command buffer up in its device's table, and caches it. */
struct command *command_find(VkCommandBuffer handle);

/* Its state if it is the thread's last command buffer, else NULL. */
static inline struct command *command_last(VkCommandBuffer handle)
{
    const struct last_command *last = &last_command;
    if (last->handle == handle && last->epoch == atomic_load_explicit(&command_epoch, memory_order_relaxed) &&
        atomic_load_explicit(&last->command->handle, memory_order_relaxed) == handle)
        return last->command;
    return NULL;
}

/* The command buffer's state, or NULL if the layer has not seen it. */
static inline struct command *command_of(VkCommandBuffer handle)
{
    struct command *command = command_last(handle);
    return command ? command : command_find(handle);
}

/* Conversions between POINT_* and Vulkan's bind points and stages. */
static inline uint32_t point_of(VkPipelineBindPoint bind_point)
{
    switch (bind_point) {
    case VK_PIPELINE_BIND_POINT_COMPUTE:
        return POINT_COMPUTE;
    case VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR:
        return POINT_RAY_TRACING;
    case VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI:
        return POINT_SUBPASS_SHADING;
    case VK_PIPELINE_BIND_POINT_GRAPHICS:
        return POINT_GRAPHICS;
    default:
        return POINT_OTHER;
    }
}

VkPipelineBindPoint bind_point_of(uint32_t point);
VkShaderStageFlags point_stages(uint32_t point);

/*
 * The program binds shader objects (NULL shaders: none). `shaders_rebind` binds the shaders of these stages again in
 * the next layer, after a pipeline of the layer's own; `shaders_unbind` forgets them, because the program has bound a
 * pipeline.
 */
void shaders_bound(struct command *command, uint32_t count, const VkShaderStageFlagBits *stages,
                   const VkShaderEXT *shaders);
void shaders_unbind(struct command *command, VkShaderStageFlags stages);
void shaders_rebind(const struct command *command, VkShaderStageFlags stages);

/*
 * Ends the program's conditional rendering before commands of the layer's own, and begins it again after them
 * (condition.c).
 */
void condition_suspend(const struct command *command);
void condition_resume(const struct command *command);

/* The program has set state by which alpha is written. */
static inline void blend_set_stale(struct command *command)
{
    if (!command || !(command->pass.mask || command->blend.program_key || order_pass_any(&command->orders)))
        return;
    command->blend.stale = true;
    command->blend.solved_for = NULL;
    command->points[POINT_GRAPHICS].dirty = BIND_CHANGED;
}

#endif
