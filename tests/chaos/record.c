/* SPDX-License-Identifier: MIT */
/* Recording dispatches and draws, and what each of their lookups reads. */
#include <string.h>

#include "chaos/commands.h"
#include "chaos/draws.h"
#include "chaos/model.h"
#include "chaos/placed.h"
#include "chaos/sets.h"

enum { ALL = VK_SHADER_STAGE_ALL };

/* ---- Lookups ---- */

static const struct shape_lookup *lookup_of(const struct dispatch *dispatch, unsigned set, unsigned lookup)
{
    return &shape_of(dispatch->program.keys[set].shape)->lookups[lookup];
}

unsigned record_lookup_view(const struct device *device, const struct dispatch *dispatch, unsigned set, unsigned lookup)
{
    return shape_descriptor(lookup_of(dispatch, set, lookup)->view, device->dynamic, dispatch->pushed.shift);
}

unsigned record_lookup_sampler(const struct device *device, const struct dispatch *dispatch, unsigned set,
                               unsigned lookup)
{
    const struct shape_run run = lookup_of(dispatch, set, lookup)->sampler;
    return run.count ? shape_descriptor(run, device->dynamic, dispatch->pushed.shift)
                     : record_lookup_view(device, dispatch, set, lookup);
}

bool record_lookup_lives(const struct actor *actor, const struct dispatch *dispatch, unsigned set, unsigned lookup)
{
    const struct bound *bound = &dispatch->sets[set];
    const unsigned view = record_lookup_view(actor->device, dispatch, set, lookup),
                   sampler = record_lookup_sampler(actor->device, dispatch, set, lookup);
    return view < bound->count && sampler < bound->count &&
           content_lives(actor, bound->key, view, &bound->contents.of[view]) &&
           content_lives(actor, bound->key, sampler, &bound->contents.of[sampler]);
}

/* ---- What a dispatch has ---- */

/* Coordinates are odd multiples of 1/64: no texel's edge, and exact on the host as on the GPU. */
static float coordinate(struct dice *dice)
{
    return (float)(2 * (int)dice_below(dice, 110) - 79) / 64.0f;
}

static void choose_pushed(struct pushed *pushed, struct dice *dice)
{
    static const float levels[] = {0, 0, 0, 0.75f, 1, 1.5f, -1, 2};
    static const float gradients[] = {1 / 64.0f, 0.125f, 0.25f, 0.5f, 0.75f};
    *pushed = (struct pushed){
        .base = {coordinate(dice), coordinate(dice)},
        .step = {(float)(2 * (1 + dice_below(dice, 12))) / 64.0f, (float)(2 * dice_below(dice, 16)) / 64.0f},
        .gradient = {gradients[dice_below(dice, 5)], gradients[dice_below(dice, 5)]},
        .lod = levels[dice_below(dice, 8)],
        .texel = (int32_t)dice_below(dice, 5),
        .shift = (int32_t)dice_below(dice, 4)};
}

/* Which lookups are done: those that may be, in partial sets, of which some are left out. */
static uint32_t choose_mask(const struct actor *actor, const struct dispatch *dispatch, struct dice *dice)
{
    uint32_t mask = 0;
    for (unsigned set = 0; set < 2; set++)
        for (unsigned i = 0; i < shape_of(dispatch->program.keys[set].shape)->lookup_count; i++)
            if (record_lookup_lives(actor, dispatch, set, i) && (!actor->device->dynamic || dice_below(dice, 12)))
                mask |= 1u << (SHAPE_LOOKUPS * set + i);
    return mask;
}

/* ---- Sets ---- */

static bool is_pushed(struct key key)
{
    return key.flavour == FLAVOUR_PUSH;
}

/* The sets of a program; what they lack is written. */
static bool choose_sets(struct actor *actor, struct dispatch *dispatch, struct dice *dice)
{
    unsigned places[2] = {SETS, SETS};
    for (unsigned i = 0; i < 2; i++) {
        const struct key key = dispatch->program.keys[i];
        dispatch->sets[i] = (struct bound){.key = key};
        if (!key.shape || is_pushed(key))
            continue;
        places[i] = sets_of_key(actor, key, dice);
        if (places[i] == SETS)
            return false;
    }
    for (unsigned i = 0; i < 2; i++) {
        const struct key key = dispatch->program.keys[i];
        if (places[i] == SETS)
            continue;
        if (!actor->sets[places[i]].lives || !key_equal(actor->sets[places[i]].key, key))
            return false; /* it went while the other one was made */
        if ((!set_is_partial(key) || dice_one_in(dice, 2)) && !sets_complete(actor, places[i], dice) &&
            !set_is_partial(key))
            return false;
    }
    for (unsigned i = 0; i < 2; i++)
        if (places[i] != SETS) {
            const struct set *set = &actor->sets[places[i]];
            dispatch->sets[i] = (struct bound){.any = true,
                                               .set = (uint8_t)places[i],
                                               .version = set->version,
                                               .key = set->key,
                                               .count = set->count,
                                               .contents = set->contents};
        }
    return true;
}

static void bind_set(struct recorder *r, VkPipelineBindPoint point, VkPipelineLayout layout,
                     const struct dispatch *dispatch, unsigned set, struct dice *dice)
{
    struct binding_state *state = &r->bound[point];
    const struct bound *bound = &dispatch->sets[set];
    if (!bound->any)
        return;
    if (state->sets[set].any && state->sets[set].set == bound->set && state->sets[set].version == bound->version &&
        dice_one_in(dice, 2))
        return;
    vkCmdBindDescriptorSets(r->handle, point, layout, set + 1, 1, &r->actor->sets[bound->set].handle, 0, NULL);
    state->sets[set].any = true;
    state->sets[set].set = bound->set;
    state->sets[set].version = bound->version;
}

/* All sets in one call, or one by one in any order. */
static void bind_sets(struct recorder *r, VkPipelineBindPoint point, VkPipelineLayout layout,
                      const struct dispatch *dispatch, struct dice *dice)
{
    struct binding_state *state = &r->bound[point];
    const uint32_t offset = (uint32_t)(dispatch->region & ~1u) * REGION_VECTORS * 16;
    if (!state->any || !key_equal(state->keys[0], dispatch->program.keys[0]) ||
        !key_equal(state->keys[1], dispatch->program.keys[1]))
        *state = (struct binding_state){.any = true, .keys = {dispatch->program.keys[0], dispatch->program.keys[1]}};
    if (dispatch->sets[0].any && dispatch->sets[1].any && dice_one_in(dice, 2)) {
        const VkDescriptorSet sets[3] = {r->actor->results_set, r->actor->sets[dispatch->sets[0].set].handle,
                                         r->actor->sets[dispatch->sets[1].set].handle};
        vkCmdBindDescriptorSets(r->handle, point, layout, 0, 3, sets, 1, &offset);
        for (unsigned i = 0; i < 2; i++) {
            state->sets[i].any = true;
            state->sets[i].set = dispatch->sets[i].set;
            state->sets[i].version = dispatch->sets[i].version;
        }
        return;
    }
    const unsigned first = dice_below(dice, 2);
    bind_set(r, point, layout, dispatch, first, dice);
    vkCmdBindDescriptorSets(r->handle, point, layout, 0, 1, &r->actor->results_set, 1, &offset);
    bind_set(r, point, layout, dispatch, !first, dice);
}

/* ---- Pushes ---- */

struct push {
    struct contents contents;
    struct descriptor_info infos[SHAPE_DESCRIPTORS];
    uint32_t chosen; /* bits */
};

/* Bindings are pushed whole: lavapipe 22.3.6 puts what is pushed to another element than the first to the first. */
static unsigned bindings_of(struct key key, const struct push *push, VkWriteDescriptorSet writes[SHAPE_BINDINGS],
                            VkDescriptorImageInfo images[SHAPE_DESCRIPTORS], VkBufferView texels[SHAPE_DESCRIPTORS],
                            VkDescriptorUpdateTemplateEntry entries[SHAPE_BINDINGS])
{
    const struct shape *shape = shape_of(key.shape);
    unsigned count = 0;
    for (unsigned i = 0; i < shape->descriptor_count; i++) {
        images[i] = push->infos[i].image;
        texels[i] = push->infos[i].texels;
    }
    for (unsigned i = 0, first = 0; i < shape->binding_count; first += shape->bindings[i++].count) {
        const struct shape_binding *binding = &shape->bindings[i];
        if (!(push->chosen >> first & 1))
            continue;
        entries[count] = (VkDescriptorUpdateTemplateEntry){binding->number,
                                                           0,
                                                           binding->count,
                                                           binding->type,
                                                           descriptor_info_offset(binding->type, first),
                                                           sizeof(struct descriptor_info)};
        writes[count++] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                                 .dstBinding = binding->number,
                                                 .descriptorCount = binding->count,
                                                 .descriptorType = binding->type,
                                                 .pImageInfo = &images[first],
                                                 .pTexelBufferView = &texels[first]};
    }
    return count;
}

/* By writes, or by a template that is gone when the call returns. */
static void push_descriptors(const struct recorder *r, VkPipelineBindPoint point, VkPipelineLayout layout,
                             struct key key, const struct push *push, bool by_template)
{
    const struct device *device = r->actor->device;
    VkWriteDescriptorSet writes[SHAPE_BINDINGS];
    VkDescriptorImageInfo images[SHAPE_DESCRIPTORS];
    VkBufferView texels[SHAPE_DESCRIPTORS];
    VkDescriptorUpdateTemplateEntry entries[SHAPE_BINDINGS];
    VkDescriptorUpdateTemplate template;
    const unsigned count = bindings_of(key, push, writes, images, texels, entries);
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = count,
        .pDescriptorUpdateEntries = entries,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
        .pipelineBindPoint = point,
        .pipelineLayout = layout,
        .set = 2};
    if (!count)
        return;
    if (!by_template) {
        device->push_descriptors(r->handle, point, layout, 2, count, writes);
        return;
    }
    HARNESS_VK(vkCreateDescriptorUpdateTemplate(device->vk.device, &info, NULL, &template));
    device->push_template(r->handle, template, layout, 2, push->infos);
    vkDestroyDescriptorUpdateTemplate(device->vk.device, template, NULL);
}

/* What is pushed stays until sets are bound with another layout: later pushes may be of a part. */
static bool push_set(struct recorder *r, VkPipelineBindPoint point, VkPipelineLayout layout, struct dispatch *dispatch,
                     struct dice *dice)
{
    struct binding_state *state = &r->bound[point];
    const struct key key = dispatch->program.keys[1];
    struct push push = {.contents = state->push};
    const struct shape *shape = shape_of(key.shape);
    const enum mood mood = (enum mood)dice_below(dice, MOODS);
    for (unsigned i = 0, first = 0; i < shape->binding_count; first += shape->bindings[i++].count) {
        bool live = state->pushed;
        for (unsigned j = first; j < first + shape->bindings[i].count; j++)
            live &= content_lives(r->actor, key, j, &state->push.of[j]);
        if (live && dice_one_in(dice, 2))
            continue;
        for (unsigned j = first; j < first + shape->bindings[i].count; j++) {
            if (!content_choose(r->actor, key, j, mood, dice, &push.contents.of[j], &push.infos[j]))
                return false;
            push.chosen |= 1u << j;
        }
    }
    push_descriptors(r, point, layout, key, &push, r->actor->device->push_template && dice_one_in(dice, 3));
    state->pushed = true;
    state->push = push.contents;
    dispatch->sets[1] = (struct bound){.any = true,
                                       .pushed = true,
                                       .key = key,
                                       .count = shape_of(key.shape)->descriptor_count,
                                       .contents = push.contents};
    return true;
}

/* ---- Dispatches ---- */

static bool choose_pipeline(struct recorder *r, struct dispatch *dispatch, struct dice *dice)
{
    for (unsigned tries = 0; tries < 8; tries++) {
        if (!object_choose(r->actor, OBJECT_PIPELINE, dice, &dispatch->pipeline))
            return false;
        const struct store *store = dispatch->pipeline.shared ? &r->actor->device->shared : &r->actor->own;
        dispatch->program = store->pipelines[dispatch->pipeline.index].program;
        const bool compute = program_shaders[dispatch->program.shader].compute;
        const bool rendering = store->pipelines[dispatch->pipeline.index].rendering;
        if (r->point < 0 ||
            ((r->point == VK_PIPELINE_BIND_POINT_COMPUTE) == compute && (compute || rendering == r->rendering)))
            return true;
    }
    return false;
}

/* Which lookups are done, of descriptors as they are bound now. */
static void choose_lookups(const struct actor *actor, struct dispatch *dispatch, struct dice *dice)
{
    for (unsigned set = 0; set < 2; set++)
        for (unsigned i = 0; i < dispatch->sets[set].count; i++)
            dispatch->sets[set].alive |=
                (uint8_t)(content_lives(actor, dispatch->sets[set].key, i, &dispatch->sets[set].contents.of[i]) << i);
    dispatch->pushed.mask = choose_mask(actor, dispatch, dice);
    dispatch->pushed.first = (dispatch->region & 1u) * REGION_VECTORS;
}

static VkPipelineLayout layout_for(const struct recorder *r, const struct dispatch *dispatch, struct dice *dice)
{
    struct actor *actor = r->actor;
    uint32_t used = 0;
    for (unsigned i = 0; i < COMMANDS; i++)
        used |= actor->commands[i].state == COMMANDS_RECORDING ? actor->commands[i].layouts : 0;
    const unsigned place = object_pipeline_layout(actor, dispatch->program.keys, used, dice);
    r->commands->layouts |= 1u << place;
    return actor->pipeline_layouts[place].handle;
}

static void add_dispatch(const struct recorder *r, const struct dispatch *dispatch)
{
    const uint8_t flavour = dispatch->program.keys[0].flavour;
    const bool objects =
        draw_pipeline(r->actor, dispatch)->object && draw_point(dispatch) == VK_PIPELINE_BIND_POINT_GRAPHICS;
    r->commands->dispatches[r->commands->count++] = *dispatch;
    r->commands->kinds |= (uint8_t)(flavour < FLAVOURS          ? KIND_POOLS
                                    : flavour == FLAVOUR_BUFFER ? KIND_BUFFERS
                                                                : KIND_HEAPS);
    r->commands->others |= !objects;
    r->actor->dispatched++;
}

static bool record(struct recorder *r, struct dispatch *dispatch, struct dice *dice)
{
    const VkPipelineBindPoint point = draw_point(dispatch);
    const VkPipelineLayout layout = layout_for(r, dispatch, dice);
    dispatch->region = (uint8_t)(r->number * DISPATCHES + r->commands->count);
    const bool first = dice_one_in(dice, 2);
    if (first)
        draw_bind_pipeline(r, point, dispatch);
    r->commands->placed = 0;
    bind_sets(r, point, layout, dispatch, dice);
    if (is_pushed(dispatch->program.keys[1]) && !push_set(r, point, layout, dispatch, dice)) {
        r->commands->state = COMMANDS_INVALID; /* something is bound that no dispatch tells of */
        return false;
    }
    choose_lookups(r->actor, dispatch, dice);
    vkCmdPushConstants(r->handle, layout, ALL, 0, sizeof(dispatch->pushed), &dispatch->pushed);
    if (!first)
        draw_bind_pipeline(r, point, dispatch);
    draw_work(r, point, draw_pipeline(r->actor, dispatch)->rendering);
    add_dispatch(r, dispatch);
    return true;
}

/*
 * Validation layers (1.4.363) believe that a set in a descriptor buffer is still bound where heaps, or other sets, have
 * taken its place: there such a command buffer has nothing else. Lavapipe (26, without the layer as well) spoils its
 * own memory where descriptor buffers and heaps are in one command buffer.
 */
static bool mixes(const struct actor *actor, const struct commands *commands, const struct key keys[2])
{
    const uint8_t kinds = commands->state == COMMANDS_RECORDING ? commands->kinds : 0;
    const bool more = keys[0].flavour == FLAVOUR_BUFFER;
    if (actor->device->validated && kinds && more != (kinds == KIND_BUFFERS))
        return true;
    return actor->device->keep_libraries &&
           ((more && (kinds & KIND_HEAPS)) || (keys[0].flavour == FLAVOUR_HEAP && (kinds & KIND_BUFFERS)));
}

/* At most half of the pipeline layouts are taken by what is being recorded: others can be made anew. */
static bool has_room(const struct actor *actor, const struct commands *commands)
{
    uint32_t used = 0;
    for (unsigned i = 0; i < COMMANDS; i++)
        used |= actor->commands[i].state == COMMANDS_RECORDING ? actor->commands[i].layouts : 0;
    return commands->count < DISPATCHES && __builtin_popcount(used) < PIPELINE_LAYOUTS - 1;
}

bool record_one(struct actor *actor, unsigned number, struct dice *dice)
{
    struct commands *commands = &actor->commands[number];
    struct recorder r = {actor, commands, number, VK_NULL_HANDLE, commands->bound, false, -1, false};
    struct dispatch dispatch = {.region = 0};
    if (!has_room(actor, commands) && commands->state == COMMANDS_RECORDING)
        commands_submit(actor, number, false, dice);
    if (!choose_pipeline(&r, &dispatch, dice) || !choose_sets(actor, &dispatch, dice) ||
        mixes(actor, commands, dispatch.program.keys))
        return false;
    choose_pushed(&dispatch.pushed, dice);
    commands_begin(actor, number, dice);
    if (!has_room(actor, commands))
        return false;
    r.handle = commands->handle;
    return record(&r, &dispatch, dice);
}

/* ---- Descriptors in buffers and in heaps ---- */

/* One of the actor's own, made now if there is none in the place. */
static void choose_placed_pipeline(struct actor *actor, struct dispatch *dispatch, struct dice *dice)
{
    const unsigned place = PIPELINES + dice_below(dice, PLACED_PIPELINES);
    struct pipeline *pipeline = &actor->own.pipelines[place];
    if (!pipeline->life.lives)
        record_placed_pipeline(actor, place, dice);
    dispatch->program = pipeline->program;
    dispatch->pipeline = (struct ref){0, (uint8_t)place, pipeline->life.generation};
}

bool record_placed_pipeline(struct actor *actor, unsigned place, struct dice *dice)
{
    struct pipeline *pipeline = &actor->own.pipelines[place];
    enum flavour flavour;
    if (!placed_choose_flavour(actor->device, dice, &flavour))
        return false;
    if (pipeline->life.lives) {
        commands_let_go_of_object(actor, OBJECT_PIPELINE, (struct ref){0, (uint8_t)place, pipeline->life.generation},
                                  dice);
        object_destroy_pipeline(actor->device, pipeline);
    }
    object_make_placed_pipeline(actor->device, pipeline, flavour, dice);
    pipeline->life.lives = true;
    pipeline->life.generation++;
    return true;
}

static bool choose_placed_sets(struct actor *actor, struct dispatch *dispatch, struct dice *dice)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct key key = dispatch->program.keys[i];
        dispatch->sets[i] = (struct bound){.key = key};
        if (!key.shape)
            continue;
        const unsigned place = placed_set_of_key(actor, key, dice_below(dice, 4), dice);
        if (place == ALL_SETS)
            return false;
        dispatch->sets[i].any = true;
        dispatch->sets[i].set = (uint8_t)place;
    }
    for (unsigned i = 0; i < 2; i++) {
        struct bound *bound = &dispatch->sets[i];
        const struct set *set = &actor->sets[bound->set];
        if (!bound->any)
            continue;
        if (!set->lives || !key_equal(set->key, bound->key))
            return false; /* it went while the other one was chosen */
        bound->version = set->version;
        bound->count = set->count;
        bound->contents = set->contents;
    }
    return true;
}

/*
 * Sets of another kind than the one that is bound are bound anew, at both bind points. Descriptor buffers are bound
 * once in a command buffer of lavapipe's: where they are bound again it gives back what it had made of them before,
 * which offsets of other sets and of the other bind point still point to, and then gives it back twice (26.2.6, without
 * the layer as well).
 */
static void record_placed_work(struct recorder *r, struct dispatch *dispatch, struct dice *dice)
{
    const VkPipelineBindPoint point = draw_point(dispatch);
    const uint8_t flavour = dispatch->program.keys[0].flavour, kinds = r->commands->kinds;
    bool again = r->commands->placed != flavour || dice_one_in(dice, 4);
    if (flavour == FLAVOUR_BUFFER && r->actor->device->keep_libraries)
        again = !(kinds & KIND_BUFFERS);
    dispatch->region = (uint8_t)(r->number * DISPATCHES + r->commands->count);
    const bool first = dice_one_in(dice, 2);
    if (first)
        draw_bind_pipeline(r, point, dispatch);
    choose_lookups(r->actor, dispatch, dice);
    if (flavour == FLAVOUR_HEAP) {
        placed_bind_heaps(r->actor, r->handle, dispatch, again);
    } else {
        const VkPipelineLayout layout = layout_for(r, dispatch, dice);
        placed_bind_buffers(r->actor, r->handle, point, layout, dispatch, again);
        vkCmdPushConstants(r->handle, layout, ALL, 0, sizeof(dispatch->pushed), &dispatch->pushed);
    }
    memset(r->commands->bound, 0, sizeof(r->commands->bound));
    r->commands->placed = flavour;
    if (!first)
        draw_bind_pipeline(r, point, dispatch);
    draw_work(r, point, draw_pipeline(r->actor, dispatch)->rendering);
    add_dispatch(r, dispatch);
}

bool record_placed(struct actor *actor, unsigned number, struct dice *dice)
{
    struct commands *commands = &actor->commands[number];
    struct recorder r = {actor, commands, number, VK_NULL_HANDLE, commands->bound, false, -1, false};
    struct dispatch dispatch = {.region = 0};
    if (!actor->device->buffers && !actor->device->heaps)
        return false;
    if (!has_room(actor, commands) && commands->state == COMMANDS_RECORDING)
        commands_submit(actor, number, false, dice);
    choose_placed_pipeline(actor, &dispatch, dice);
    if (!choose_placed_sets(actor, &dispatch, dice) || mixes(actor, commands, dispatch.program.keys))
        return false;
    choose_pushed(&dispatch.pushed, dice);
    commands_begin(actor, number, dice);
    if (!has_room(actor, commands))
        return false;
    r.handle = commands->handle;
    record_placed_work(&r, &dispatch, dice);
    return true;
}

/* ---- Secondary command buffers ---- */

/* What it draws with is chosen before it begins: sets that change would end the recording. */
bool record_secondary(struct actor *actor, unsigned number, struct dice *dice)
{
    struct commands *commands = &actor->commands[number];
    struct binding_state bound[2] = {{.any = false}, {.any = false}};
    struct recorder r = {actor, commands, number, VK_NULL_HANDLE, bound, true, (int)dice_below(dice, 2), false};
    struct dice aside = dice_of(dice->state);
    struct dispatch dispatches[2] = {{.region = 0}, {.region = 0}};
    bool chosen[2];
    r.rendering = actor->device->graphics_objects && dice_one_in(&aside, 2);
    for (unsigned i = 0; i < 2; i++) {
        chosen[i] = choose_pipeline(&r, &dispatches[i], dice) && choose_sets(actor, &dispatches[i], dice);
        choose_pushed(&dispatches[i].pushed, dice);
    }
    for (unsigned set = 0; set < 2; set++) { /* of the first, they may have gone while the second's were chosen */
        struct bound *bound = &dispatches[0].sets[set];
        const struct set *now = &actor->sets[bound->set];
        if (!bound->any)
            continue;
        chosen[0] &= now->lives && now->version == bound->version;
        bound->contents = now->contents;
    }
    commands_begin(actor, number, dice);
    if (!has_room(actor, commands) || commands->secondary_count == SECONDARIES ||
        (actor->device->validated && (commands->kinds & KIND_BUFFERS)))
        return false;
    r.handle = commands->secondaries[commands->secondary_count++];
    draw_begin_secondary(&r);
    bool any = false;
    for (unsigned i = 0; i < 2 && commands->state == COMMANDS_RECORDING; i++)
        any |= chosen[i] && has_room(actor, commands) && record(&r, &dispatches[i], dice);
    if (commands->state == COMMANDS_RECORDING)
        draw_execute_secondary(&r);
    return any;
}
