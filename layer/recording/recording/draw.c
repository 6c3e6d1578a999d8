/* SPDX-License-Identifier: MIT */
/*
 * Draws and dispatches: the tier of a pipeline is chosen here, because nothing can change it afterwards. In the common
 * case, where nothing bound since the last draw changes the choice, this costs one comparison.
 */
#include "ahead/ahead.h"
#include "alpha/order.h"
#include "alpha/pass.h"
#include "commands/command_buffer.h"
#include "descriptors/split.h"
#include "descriptors/pool.h"
#include "descriptors/records.h"
#include "device/device.h"
#include "modules/shader_module.h"
#include "need/need.h"
#include "objects/track.h"
#include "pipelines/pipeline_order.h"
#include "pipelines/tiers.h"
#include "pipelines/pipeline_blend.h"
#include "pipelines/pipelines.h"
#include "shader_objects/shader_objects.h"
#include "layouts/pipeline_layout.h"
#include "recording/bound.h"
#include "recording/choose_variant.h"
#include "push/push.h"
#include "recording/recording.h"
#include "sampling/device_needs.h"
#include "vulkan_commands.h"
#include "spirv/spirv.h"

_Static_assert(RECORD_NEED_KINDS <= 31, "BOUND_NEEDS_OPEN has a bit of its own");

void bound_look_up(struct track *track, struct bound_set *bound)
{
    bound->unknown = false;
    if (bound->push) {
        bound->needs = push_needs(track, bound->push);
        return;
    }
    struct set *set = set_find(track, bound->set);
    if (set)
        records_flush(track, &set->records, set->layout);
    bound->needs = set ? records_needs(&set->records) : 0;
    if (set && records_are(&set->records, RECORDS_OPEN))
        bound->needs |= BOUND_NEEDS_OPEN;
    bound->not_uploaded = set && records_not_uploaded(&set->records);
}

static struct set *upload_bound(struct track *track, struct bound_set *bound)
{
    struct set *set = bound->set && !bound->push ? set_find(track, bound->set) : NULL;
    if (set && bound->not_uploaded)
        set_upload(track, set);
    bound->not_uploaded = false;
    return set;
}

/* The needs of the records of split samplers in a bound set. Makes these records; from now on, writes update them. */
static uint32_t split_of_bound(struct track *track, struct bound_set *bound)
{
    struct push_state *push = bound->push;
    if (push) {
        if (!push->layout->split)
            return 0;
        push->dirty |= !records_are(&push->records, RECORDS_SPLIT_MADE);
        return split_needed(track, &push->records, push->layout);
    }
    struct set *set = upload_bound(track, bound);
    return set && set->layout->split ? split_needed(track, &set->records, set->layout) : 0;
}

/* ---- What a draw reads ---- */

/* Bits of one word: of two bytes that were just written, a processor that reads both waits for the cache. */
enum {
    READS_GENERATED = 1, /* by shaders that the device chooses, perhaps other ones than those that are bound */
    READS_SPLIT = 2,     /* split combined image samplers, too */
    READS_PLACED = 4,    /* by record index, descriptors that the program places */
};

/* Sets that the next draw may read records of, and what decides which variant it takes. */
struct draw_reads {
    uint32_t sets; /* the first ones */
    uint32_t how;  /* READS_* */
    enum binding_model model;
    uint32_t open_follows; /* RECORD_NEED_* that its shaders follow of what is not known before submission */
    struct variant_facts facts;
};

static void add_layout(const struct pipeline_layout *layout, bool split, struct draw_reads *reads)
{
    reads->how |= split ? READS_SPLIT : 0u;
    if (layout->model == BINDING_SETS)
        return;
    reads->how |= READS_PLACED;
    reads->model = layout->model;
}

static uint32_t ordered_shader(struct command *command, const struct shader_object *object, bool generated)
{
    if (!generated)
        return order_shader_key(command, object);
    order_refuse(command, "generated commands",
                 "shader objects draw to attachments whose channels are in another order");
    return 0;
}

/* Shaders that the layer has nothing to do with are no objects of its own. */
static void add_shaders(struct command *command, VkShaderStageFlags stages, struct draw_reads *reads)
{
    reads->sets = 0;
    for (uint32_t i = 0; i < command->shader_count; i++) {
        const struct bound_shader *shader = &command->shaders[i];
        if (!(shader->stage & stages) || !shader->object)
            continue;
        ahead_drawn(command->track, &shader->object->ahead);
        const struct pipeline_layout *layout = shader->object->layout;
        if (layout->records && layout->set_count > reads->sets)
            reads->sets = layout->set_count;
        const bool fragment = shader->stage == VK_SHADER_STAGE_FRAGMENT_BIT;
        if (fragment && order_pass_any(&command->orders))
            reads->facts.key = ordered_shader(command, shader->object, reads->how & READS_GENERATED);
        else if (fragment && command->pass.mask && !(reads->how & READS_GENERATED))
            reads->facts.key = blend_shader_key(command, &shader->object->writable);
        add_layout(layout, shader->object->pairing.splits, reads);
        shader_object_requires(shader->object, &reads->facts.follows, &reads->facts.least_tier);
    }
}

static struct draw_reads draw_reads(struct command *command, const struct bind_point *point, bool generated)
{
    struct pipeline *pipeline = point->pipeline;
    struct draw_reads reads = {
        .sets = command->set_limit,
        .how = generated ? READS_GENERATED : 0,
        .facts = {.bound_tier = point->driver.tier,
                  .bound_key = point->driver.key,
                  .stays = pipeline && command->feedback && point == &command->points[POINT_GRAPHICS]}};
    if (pipeline) {
        const struct pipeline_layout *layout = pipeline->layout;
        reads.facts.follows = pipeline->fixed ? 0 : pipeline->follows;
        reads.facts.least_tier = pipeline->fixed_tier;
        reads.facts.key = order_pass_any(&command->orders) ? order_pipeline_key(command, pipeline, true)
                                                           : blend_key(command, &pipeline->blend);
        pipeline_drawn(command->track, pipeline, reads.facts.key);
        if (layout) {
            reads.sets = layout->set_count;
            add_layout(layout, pipeline->pairing.splits, &reads);
        }
    } else if (point->shaders) {
        add_shaders(command, point_stages((uint32_t)(point - command->points)), &reads);
    }
    if (reads.sets > command->set_limit)
        reads.sets = command->set_limit;
    if (generated) {
        reads.how = (reads.how & ~(uint32_t)READS_SPLIT) | (atomic_load(&command->track->split) ? READS_SPLIT : 0);
        reads.facts.generated_tier = fixed_tier(command->track, reads.facts.follows);
    }
    return reads;
}

/* ---- What it needs ---- */

/* Bindings of a set with samplers that some lookup of the shaders goes through without comparing. */
static uint64_t uncompared_by_shaders(const struct command *command, const struct bind_point *point, uint32_t set)
{
    const VkShaderStageFlags stages = point_stages((uint32_t)(point - command->points));
    uint64_t bindings = 0;
    if (point->pipeline)
        return point->pipeline->pairing.uncompared[set % SPIRV_PAIRED_SETS];
    for (uint32_t i = 0; i < command->shader_count && point->shaders; i++) {
        const struct bound_shader *shader = &command->shaders[i];
        if (shader->stage & stages && shader->object)
            bindings |= shader->object->pairing.uncompared[set % SPIRV_PAIRED_SETS];
    }
    return bindings;
}

/*
 * Does some lookup go without comparing through a sampler of the set that compares? Ordinary programs have none, but
 * sets with samplers of both kinds.
 */
static bool looks_uncompared(const struct command *command, const struct bind_point *point, uint32_t set)
{
    const struct bound_set *bound = &point->sets[set];
    const struct set *known = bound->push ? NULL : set_find(command->track, bound->set);
    const struct records *records = bound->push ? &bound->push->records : known ? &known->records : NULL;
    return records && records_uncompared_bindings(records) & uncompared_by_shaders(command, point, set);
}

/*
 * RECORD_NEED_* of all that the draw reads, and BOUND_NEEDS_OPEN where that may change without a call in this command
 * buffer. Shaders whose tier is fixed above passthrough read records even where no record has needs. A split combined
 * sampler may have needs where the combined one has none: the driver's sampler suits the image beside it
 * (descriptors/split.c).
 */
static uint32_t draw_needs(const struct command *command, struct bind_point *point, struct draw_reads *reads)
{
    struct track *track = command->track;
    const uint64_t device_word = device_needs_word(track);
    const uint32_t device_needs = device_needs_of(device_word, reads->facts.follows);
    const bool split = reads->how & READS_SPLIT;
    const bool looks = (reads->how & (READS_GENERATED | READS_SPLIT)) || reads->facts.least_tier > 0 ||
                       atomic_load_explicit(&track->may_emulate, memory_order_relaxed);
    /* The layer does not know the content of descriptors in the program's own memory. */
    uint32_t needs = reads->how & READS_PLACED ? BOUND_NEEDS_OPEN : 0;
    bool open_uncompared = reads->how & (READS_PLACED | READS_GENERATED);
    for (uint32_t i = 0; i < reads->sets; i++) {
        if (looks && point->sets[i].unknown)
            bound_look_up(track, &point->sets[i]);
        uint32_t of_set = point->sets[i].needs | (split ? split_of_bound(track, &point->sets[i]) : 0);
        if (of_set & reads->facts.follows & RECORD_NEED_FILTER_IF_UNCOMPARED && !looks_uncompared(command, point, i))
            of_set &= ~(uint32_t)RECORD_NEED_FILTER_IF_UNCOMPARED;
        open_uncompared |= of_set & BOUND_NEEDS_OPEN && uncompared_by_shaders(command, point, i);
        needs |= of_set;
    }
    reads->open_follows =
        reads->facts.follows & (open_uncompared ? UINT32_MAX : ~(uint32_t)RECORD_NEED_FILTER_IF_UNCOMPARED);
    if (needs & BOUND_NEEDS_OPEN) {
        /* Descriptors that may change then have no mask words. */
        needs |= device_needs & ~(uint32_t)RECORD_NEED_BOUNDS &
                 (open_uncompared ? UINT32_MAX : ~(uint32_t)RECORD_NEED_FILTER_IF_UNCOMPARED);
        if (split && (device_needs & DEVICE_NEEDS_SPLIT_FILTER))
            needs |= RECORD_NEED_FILTER | RECORD_NEED_TEXELS;
        point->device_needs = device_word;
    }
    /*
     * As long as its samplers allow, a device has one variant of tier 1: by mask words, or by records. While transform
     * feedback is active nothing else can be bound, and what is bound is right for these sets.
     */
    if (needs & RECORD_NEED_COORDS && !reads->facts.stays)
        needs |= device_needs & RECORD_NEED_BOUNDS;
    return needs;
}

/* ---- The variant ---- */

static void bind_pipeline_variant(struct command *command, struct bind_point *point, uint32_t tier, uint32_t key)
{
    VkResult error = VK_SUCCESS;
    const VkPipeline for_driver = pipeline_tier(command->track, point->pipeline, tier, key, TIER_AT_DRAW, &error);
    if (!for_driver) {
        /* The draw uses the tier that it has; vkEndCommandBuffer returns it. */
        command->error = error;
        return;
    }
    command->device->next.CmdBindPipeline(command->handle, bind_point_of((uint32_t)(point - command->points)),
                                          for_driver);
    point->driver = (struct driver_state){.pipeline = for_driver, .tier = tier, .key = key};
    command->blend.stale = true;
}

/*
 * All stages of the point are bound in the tier, those that are linked in any case, but for those that have one tier
 * for good, below which the others do not stay.
 */
static void bind_shader_variants(struct command *command, struct bind_point *point, uint32_t tier, uint32_t key)
{
    const VkShaderStageFlags stages = point_stages((uint32_t)(point - command->points));
    bool changes = false;
    point->driver.tier = tier;
    point->driver.key = 0;
    for (uint32_t i = 0; i < command->shader_count; i++) {
        struct bound_shader *shader = &command->shaders[i];
        VkResult error = VK_SUCCESS;
        if (!(shader->stage & stages) || !shader->object)
            continue;
        VkShaderEXT bound = VK_NULL_HANDLE;
        if (key && shader->stage == VK_SHADER_STAGE_FRAGMENT_BIT)
            bound = shader_object_variant(command->track, shader->object, shader->object->follows ? tier : 0, key);
        if (!bound && key_is_order(key) && shader->stage == VK_SHADER_STAGE_FRAGMENT_BIT)
            command->error = VK_ERROR_VALIDATION_FAILED_EXT; /* the message is given */
        if (bound)
            point->driver.key = key;
        else
            bound = shader_object_bound(command->track, shader->object, tier, &error);
        if (error != VK_SUCCESS)
            command->error = error; /* vkEndCommandBuffer returns it */
        changes |= bound != shader->bound;
        shader->bound = bound;
    }
    if (changes)
        shaders_rebind(command, stages);
}

/* No pipeline may be bound while transform feedback is active: it continues with the pipeline that it began with. */
static void warn_of_feedback(const struct command *command, const struct bind_point *point, uint32_t tier)
{
    static struct message_place said;
    message_about_once(
        &said, command->device, LOG_WARN,
        ABOUT({VK_OBJECT_TYPE_PIPELINE, HANDLE_KEY(point->pipeline->handle)},
              {VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE_KEY(command->handle)}),
        "descriptors that were bound after transform feedback began need another variant of tier %u of a pipeline, "
        "which is bound in tier %u until feedback ends: bind them before vkCmdBeginTransformFeedbackEXT",
        tier_reported(tier), tier_reported(point->driver.tier));
}

static void bind_variant(struct command *command, struct bind_point *point, const struct variant_choice *choice)
{
    if (choice->too_late)
        warn_of_feedback(command, point, choice->tier);
    if (!choice->binds && choice->key != point->driver.key &&
        (key_is_order(choice->key) || key_is_order(point->driver.key)))
        order_refuse(command, "a draw",
                     "blend state changed during transform feedback so that outputs move to other channels");
    if (!choice->binds)
        return;
    if (point->pipeline)
        bind_pipeline_variant(command, point, choice->tier, choice->key);
    else if (point->shaders)
        bind_shader_variants(command, point, choice->tier, choice->key);
}

/* ---- Records ---- */

static bool layout_takes(const struct pipeline_layout *layout, uint32_t set, const struct push_state *push)
{
    const struct set_layout *there = layout && set < layout->set_count ? layout->sets[set] : NULL;
    return there && there->push && there->push_converted == push->layout->push_converted &&
           there->record_binding == push->layout->record_binding && there->storage == push->layout->storage &&
           there->nearest_binding == push->layout->nearest_binding;
}

/*
 * True: these shaders read the set that was pushed. A set pushed for another pipeline, or for other shader objects, may
 * still be remembered where these have an allocated set, another push layout, or no set. Then no shader reads its
 * records, and the driver's layout may have no binding for them, or differ from that of the bound sets.
 */
static bool takes_push(const struct command *command, const struct bind_point *point, bool generated, uint32_t set,
                       const struct push_state *push)
{
    const VkShaderStageFlags stages = point_stages((uint32_t)(point - command->points));
    if (point->pipeline)
        return layout_takes(point->pipeline->layout, set, push);
    for (uint32_t i = 0; i < command->shader_count && point->shaders; i++) {
        const struct bound_shader *shader = &command->shaders[i];
        if ((shader->stage & stages) && shader->object && layout_takes(shader->object->layout, set, push))
            return true;
    }
    return generated; /* pipelines that the layer does not know read no records */
}

/* Uploads pushed descriptors that the draw reads. A converted set is uploaded in any case. */
static bool upload_pushed(struct command *command, const struct bind_point *point, const struct draw_reads *reads,
                          bool reads_records)
{
    const struct pipeline *pipeline = point->pipeline;
    bool ready = true;
    for (uint32_t i = 0; i < reads->sets; i++) {
        struct push_state *push = point->sets[i].push;
        if (push && push->dirty && (reads_records || !pipeline || push->layout->push_converted) &&
            takes_push(command, point, reads->how & READS_GENERATED, i, push) &&
            !push_flush(command, push, pipeline ? pipeline->layout->duplicate : push->program_layout))
            ready = false;
    }
    return ready;
}

/* The GPU gets the records that the draw reads; passthrough shaders read none. False: some cannot be made current. */
static bool upload_records(struct command *command, struct bind_point *point, const struct draw_reads *reads)
{
    const bool reads_records = (reads->how & READS_GENERATED) || point->driver.tier > 0;
    for (uint32_t i = 0; i < reads->sets && reads_records; i++) {
        if (point->sets[i].not_uploaded)
            upload_bound(command->track, &point->sets[i]);
    }
    bool ready = !command->push_states || upload_pushed(command, point, reads, reads_records);
    if (!command->app_descriptors)
        return ready;
    if (!reads_records || !(reads->how & READS_PLACED))
        bound_restore(command);
    else if (!bound_flush(command, point, reads->model))
        ready = false;
    return ready;
}

bool draw_prepare(struct command *command, struct bind_point *point, bool generated)
{
    if (!generated && point->dirty == BIND_OPEN && point->device_needs == device_needs_word(command->track))
        return true;
    struct draw_reads reads = draw_reads(command, point, generated);
    const uint32_t needs = draw_needs(command, point, &reads);
    const struct variant_choice choice = choose_variant(&reads.facts, needs, generated);
    point->dirty = needs & BOUND_NEEDS_OPEN ? BIND_OPEN : BIND_SETTLED;
    bind_variant(command, point, &choice);
    if (needs & BOUND_NEEDS_OPEN)
        command->open_follows[point->driver.tier] |= reads.open_follows;
    if (command->device->caps.rgbx_attachments && point == &command->points[POINT_GRAPHICS])
        blend_flush(command, point);
    const bool ready = upload_records(command, point, &reads);
    if (!ready || generated)
        point->dirty = BIND_CHANGED;
    return ready;
}

/* ---- Hooks ---- */

/*
 * For draws before which something was bound, and for command buffers that are not the last one of the thread
 * (`command` is NULL then). NULL: the draw cannot be recorded, because a set that it needs could not be made;
 * vkEndCommandBuffer returns it.
 */
static inline const struct device *before(VkCommandBuffer handle, struct command *command, uint32_t point_index)
{
    if (!command)
        command = command_find(handle);
    if (!command)
        return device_of(handle);
    struct bind_point *point = &command->points[point_index];
    if (point->dirty && !draw_prepare(command, point, false))
        return NULL;
    command->draws[point->driver.tier]++;
    return command->device;
}

/*
 * The hook of a command that uses a pipeline: prepares a bind point and calls the next layer. The preparation is a
 * function of its own, so that the hook always ends in a tail call and needs no stack.
 */
#define DRAW(POINT, NAME)                                                                                              \
    static __attribute__((noinline)) void prepared_##NAME(PARAMETERS_##NAME, struct command *command)                  \
    {                                                                                                                  \
        const struct device *device = before(commandBuffer, command, POINT);                                           \
        if (device)                                                                                                    \
            device->next.NAME(ARGUMENTS_##NAME);                                                                       \
    }                                                                                                                  \
    VKAPI_ATTR void VKAPI_CALL hook_##NAME(PARAMETERS_##NAME)                                                          \
    {                                                                                                                  \
        struct command *command = command_last(commandBuffer);                                                         \
        if (command && !command->points[POINT].dirty) {                                                                \
            command->draws[command->points[POINT].driver.tier]++;                                                      \
            command->device->next.NAME(ARGUMENTS_##NAME);                                                              \
        } else {                                                                                                       \
            prepared_##NAME(ARGUMENTS_##NAME, command);                                                                \
        }                                                                                                              \
    }

#define GRAPHICS(NAME) DRAW(POINT_GRAPHICS, NAME)
GRAPHICS_DRAWS(GRAPHICS)
#define COMPUTE(NAME) DRAW(POINT_COMPUTE, NAME)
COMPUTE_DRAWS(COMPUTE)
#define SUBPASS_SHADING(NAME) DRAW(POINT_SUBPASS_SHADING, NAME)
SUBPASS_SHADING_DRAWS(SUBPASS_SHADING)
#define RAY_TRACING(NAME) DRAW(POINT_RAY_TRACING, NAME)
RAY_TRACING_DRAWS(RAY_TRACING)

/* ---- Transform feedback ---- */

static void feedback_begins(struct command *command)
{
    if (!command)
        return;
    struct bind_point *point = &command->points[POINT_GRAPHICS];
    if (point->dirty)
        draw_prepare(command, point, false);
    command->feedback = true;
    /* Dynamic state may change meanwhile, but the shader must stay: then none may write alpha as that state is now. */
    const struct pipeline *pipeline = point->pipeline;
    if (pipeline && pipeline_blend_written(point->driver.key).all &&
        (pipeline->blend.dynamic || pipeline->blend.coverage)) {
        const struct written_alpha none = {.all = 0};
        bind_pipeline_variant(command, point, point->driver.tier,
                              pipeline_blend_key(&pipeline->blend, command->pass.mask, none));
        point->dirty = BIND_CHANGED;
    }
}

static void feedback_ended(struct command *command)
{
    if (!command)
        return;
    command->feedback = false;
    command->points[POINT_GRAPHICS].dirty = BIND_CHANGED; /* what had to wait, also of sets that may still be written */
}

VKAPI_ATTR void VKAPI_CALL hook_CmdBeginTransformFeedbackEXT(PARAMETERS_CmdBeginTransformFeedbackEXT)
{
    feedback_begins(command_of(commandBuffer));
    device_of(commandBuffer)->next.CmdBeginTransformFeedbackEXT(ARGUMENTS_CmdBeginTransformFeedbackEXT);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdEndTransformFeedbackEXT(PARAMETERS_CmdEndTransformFeedbackEXT)
{
    device_of(commandBuffer)->next.CmdEndTransformFeedbackEXT(ARGUMENTS_CmdEndTransformFeedbackEXT);
    feedback_ended(command_of(commandBuffer));
}

VKAPI_ATTR void VKAPI_CALL hook_CmdBeginTransformFeedback2EXT(PARAMETERS_CmdBeginTransformFeedback2EXT)
{
    feedback_begins(command_of(commandBuffer));
    device_of(commandBuffer)->next.CmdBeginTransformFeedback2EXT(ARGUMENTS_CmdBeginTransformFeedback2EXT);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdEndTransformFeedback2EXT(PARAMETERS_CmdEndTransformFeedback2EXT)
{
    device_of(commandBuffer)->next.CmdEndTransformFeedback2EXT(ARGUMENTS_CmdEndTransformFeedback2EXT);
    feedback_ended(command_of(commandBuffer));
}
