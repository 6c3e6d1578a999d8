/* SPDX-License-Identifier: MIT */
#include "chaos/commands.h"

#include <string.h>

#include "chaos/model.h"
#include "chaos/sets.h"

/* ---- Coming and going ---- */

static void allocate(struct actor *actor, struct commands *commands)
{
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = actor->command_pool,
                                        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                        .commandBufferCount = 1};
    HARNESS_VK(vkAllocateCommandBuffers(actor->device->vk.device, &info, &commands->handle));
    info.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY;
    info.commandBufferCount = SECONDARIES;
    HARNESS_VK(vkAllocateCommandBuffers(actor->device->vk.device, &info, commands->secondaries));
    commands->state = COMMANDS_INITIAL;
}

void commands_open(struct actor *actor)
{
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = actor->device->vk.family};
    HARNESS_VK(vkCreateCommandPool(actor->device->vk.device, &pool, NULL, &actor->command_pool));
    for (unsigned i = 0; i < COMMANDS; i++)
        HARNESS_VK(vkCreateFence(actor->device->vk.device, &fence, NULL, &actor->commands[i].fence));
}

void commands_close(struct actor *actor)
{
    commands_wait_all(actor);
    for (unsigned i = 0; i < COMMANDS; i++)
        vkDestroyFence(actor->device->vk.device, actor->commands[i].fence, NULL);
    vkDestroyCommandPool(actor->device->vk.device, actor->command_pool, NULL);
}

void commands_free(struct actor *actor, unsigned number)
{
    struct commands *commands = &actor->commands[number];
    commands_wait(actor, number);
    if (commands->state == COMMANDS_NONE)
        return;
    vkFreeCommandBuffers(actor->device->vk.device, actor->command_pool, 1, &commands->handle);
    vkFreeCommandBuffers(actor->device->vk.device, actor->command_pool, SECONDARIES, commands->secondaries);
    commands->state = COMMANDS_NONE;
}

void commands_reset_pool(struct actor *actor)
{
    commands_wait_all(actor);
    HARNESS_VK(vkResetCommandPool(actor->device->vk.device, actor->command_pool, 0));
    for (unsigned i = 0; i < COMMANDS; i++)
        if (actor->commands[i].state != COMMANDS_NONE)
            actor->commands[i].state = COMMANDS_INITIAL;
}

void commands_begin(struct actor *actor, unsigned number, struct dice *dice)
{
    struct commands *commands = &actor->commands[number];
    commands_wait(actor, number);
    if (commands->state == COMMANDS_RECORDING)
        return;
    if (commands->state == COMMANDS_NONE)
        allocate(actor, commands);
    if (commands->state == COMMANDS_INVALID || dice_one_in(dice, 4)) {
        HARNESS_VK(vkResetCommandBuffer(commands->handle, 0));
        for (unsigned i = 0; i < SECONDARIES; i++)
            HARNESS_VK(vkResetCommandBuffer(commands->secondaries[i], 0));
    }
    commands->once = dice_one_in(dice, 4);
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = commands->once ? (VkFlags)VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT : 0};
    HARNESS_VK(vkBeginCommandBuffer(commands->handle, &begin));
    commands->state = COMMANDS_RECORDING;
    commands->count = commands->secondary_count = 0;
    commands->layouts = 0;
    commands->placed = commands->kinds = 0;
    commands->others = false;
    memset(commands->bound, 0, sizeof(commands->bound));
}

/* ---- Submitting ---- */

/* A set as it is now, where it may change while it is bound. */
static bool refresh(const struct actor *actor, struct bound *bound)
{
    const struct set *set = &actor->sets[bound->set];
    if (!bound->any || bound->pushed)
        return true;
    if (!set->lives || set->version != bound->version)
        return false;
    if (set_changes_late(bound->key))
        bound->contents = set->contents;
    return true;
}

static bool may_be_submitted(const struct actor *actor, struct dispatch *dispatch)
{
    const struct store *store = dispatch->pipeline.shared ? &actor->device->shared : &actor->own;
    const struct life *life = &store->pipelines[dispatch->pipeline.index].life;
    if (!life->lives || life->generation != dispatch->pipeline.generation)
        return false;
    for (unsigned set = 0; set < 2; set++) {
        struct bound *bound = &dispatch->sets[set];
        if (!refresh(actor, bound))
            return false;
        for (unsigned i = 0; i < bound->count && !set_changes_late(bound->key); i++)
            if ((bound->alive >> i & 1) && !content_lives(actor, bound->key, i, &bound->contents.of[i]))
                return false;
        for (unsigned i = 0; i < SHAPE_LOOKUPS; i++)
            if ((dispatch->pushed.mask >> (SHAPE_LOOKUPS * set + i) & 1) &&
                !record_lookup_lives(actor, dispatch, set, i))
                return false;
    }
    return true;
}

static float *results_of(const struct actor *actor, const struct dispatch *dispatch)
{
    return (float *)actor->results.map + (size_t)dispatch->region * REGION_VECTORS * 4;
}

/* The layer counts the draws of a command buffer when it ends. */
static void count_draws(struct actor *actor, const struct commands *commands, const struct clampler_counters *before)
{
    const struct clampler_counters after = harness_counters(&actor->device->vk);
    for (unsigned tier = 0; tier < 3; tier++) {
        const uint64_t drew = after.draws[tier] - before->draws[tier];
        for (unsigned kind = 0; kind < 2; kind++)
            actor->placed_drew[kind][tier] += commands->kinds == (kind ? KIND_HEAPS : KIND_BUFFERS) ? drew : 0;
        actor->object_draws[tier] += commands->others ? 0 : drew;
    }
}

static void end(struct actor *actor, struct commands *commands)
{
    const struct clampler_counters before = harness_counters(&actor->device->vk);
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands->handle, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                         VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    HARNESS_VK(vkEndCommandBuffer(commands->handle));
    if (actor->device->actor_count == 1)
        count_draws(actor, commands, &before);
    commands->state = COMMANDS_EXECUTABLE;
}

bool commands_submit(struct actor *actor, unsigned number, bool again, struct dice *dice)
{
    struct commands *commands = &actor->commands[number];
    struct device *device = actor->device;
    if (commands->state != (again ? COMMANDS_EXECUTABLE : COMMANDS_RECORDING) || !commands->count ||
        (again && commands->once))
        return false;
    for (unsigned i = 0; i < commands->count; i++)
        if (!may_be_submitted(actor, &commands->dispatches[i])) {
            commands->state = COMMANDS_INVALID;
            return false;
        }
    if (!again)
        end(actor, commands);
    for (unsigned i = 0; i < commands->count; i++)
        memset(results_of(actor, &commands->dispatches[i]), 0xff, (size_t)REGION_VECTORS * 16);
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands->handle};
    pthread_mutex_lock(&device->queue);
    HARNESS_VK(vkQueueSubmit(device->vk.queue, 1, &info, commands->fence));
    pthread_mutex_unlock(&device->queue);
    commands->state = COMMANDS_PENDING;
    if (dice_below(dice, 4))
        commands_wait(actor, number);
    return true;
}

/* ---- Comparing ---- */

static const struct sampler *sampler_of(const struct actor *actor, const struct bound *bound, unsigned descriptor)
{
    uint32_t element;
    const struct shape_binding *binding = shape_binding_of(shape_of(bound->key.shape), descriptor, &element);
    return binding->immutable ? &actor->device->immutable[bound->key.group][descriptor]
                              : object_sampler(actor, bound->contents.of[descriptor].sampler);
}

static void count_lookup(struct actor *actor, const struct model_lookup *of)
{
    const bool fetches = of->operation == LOOKUP_FETCH;
    if (of->texels)
        return;
    const bool srgb = format_of(actor->device->textures[of->view->image].format)->srgb;
    actor->seen[SEEN_FETCH] += fetches;
    actor->seen[SEEN_UNDECODED] += fetches && srgb && of->sampler->state.srgbDecode == GL_SKIP_DECODE_EXT;
    actor->seen[SEEN_QUERY] += of->operation == LOOKUP_QUERY_LOD;
    actor->seen[SEEN_FIRST] += of->view->first > 0;
    actor->seen[SEEN_LEAST] += of->view->least.minLod > 0;
    actor->seen[SEEN_INCOMPLETE] += of->view->texture.incomplete;
    actor->seen[SEEN_BORDERED] += of->view->texture.borderWidth > 0;
    actor->seen[SEEN_CUBIC] += model_is_cubic(of->sampler);
    actor->seen[SEEN_OFFERED] += of->sampler->offered;
    actor->seen[SEEN_ANISOTROPIC] += of->sampler->state.maxAnisotropy > 1 && model_computes_levels(of);
}

static void compare_lookup(struct actor *actor, const struct dispatch *dispatch, unsigned set, unsigned lookup)
{
    const struct bound *bound = &dispatch->sets[set];
    const unsigned view = record_lookup_view(actor->device, dispatch, set, lookup),
                   sampler = record_lookup_sampler(actor->device, dispatch, set, lookup);
    const struct shape *shape = shape_of(bound->key.shape);
    const unsigned number = SHAPE_LOOKUPS * set + lookup;
    const float *seen = results_of(actor, dispatch) + (size_t)number * COORDINATES * 4;
    struct model_lookup of = {.device = actor->device,
                              .operation = program_shaders[dispatch->program.shader].operation,
                              .pushed = &dispatch->pushed};
    char text[1024];
    if (shape->lookups[lookup].sampler.count) {
        of.view = object_view(actor, bound->contents.of[view].view);
        of.sampler = sampler_of(actor, bound, sampler);
    } else {
        of.texels = object_texel_view(actor, bound->contents.of[view].view);
    }
    actor->compared += COORDINATES;
    count_lookup(actor, &of);
    if (!model_accepts(&of, (const float(*)[4])seen, text, sizeof(text)))
        chaos_fail(actor, "%s, lookup %u of a set %s%s, flavour %u, place %u: %s",
                   program_shaders[dispatch->program.shader].compute ? "dispatch" : "draw", lookup, shape->name,
                   bound->pushed ? " (pushed)" : "", bound->key.flavour, bound->set, text);
}

void commands_wait(struct actor *actor, unsigned number)
{
    struct commands *commands = &actor->commands[number];
    const VkDevice device = actor->device->vk.device;
    if (commands->state != COMMANDS_PENDING)
        return;
    HARNESS_VK(vkWaitForFences(device, 1, &commands->fence, VK_TRUE, UINT64_MAX));
    HARNESS_VK(vkResetFences(device, 1, &commands->fence));
    commands->state = commands->once ? COMMANDS_INVALID : COMMANDS_EXECUTABLE;
    for (unsigned i = 0; i < commands->count; i++)
        for (unsigned number_of = 0; number_of < PROGRAM_LOOKUPS; number_of++)
            if (commands->dispatches[i].pushed.mask >> number_of & 1)
                compare_lookup(actor, &commands->dispatches[i], number_of / SHAPE_LOOKUPS, number_of % SHAPE_LOOKUPS);
}

void commands_wait_all(struct actor *actor)
{
    for (unsigned i = 0; i < COMMANDS; i++)
        commands_wait(actor, i);
}

/* ---- Letting go ---- */

static bool equal(struct ref a, struct ref b)
{
    return a.generation == b.generation && a.index == b.index && a.shared == b.shared;
}

static bool has_set(const struct commands *commands, unsigned set, uint32_t version)
{
    for (unsigned i = 0; i < commands->count; i++)
        for (unsigned j = 0; j < 2; j++) {
            const struct bound *bound = &commands->dispatches[i].sets[j];
            if (bound->any && !bound->pushed && bound->set == set && bound->version == version)
                return true;
        }
    return false;
}

static bool has_object(const struct commands *commands, enum object_kind kind, struct ref ref)
{
    for (unsigned i = 0; i < commands->count; i++) {
        const struct dispatch *dispatch = &commands->dispatches[i];
        if (kind == OBJECT_PIPELINE && equal(dispatch->pipeline, ref))
            return true;
        for (unsigned set = 0; set < 2; set++)
            for (unsigned j = 0; j < dispatch->sets[set].count; j++) {
                const struct content *content = &dispatch->sets[set].contents.of[j];
                const struct ref seen = kind == OBJECT_SAMPLER ? content->sampler : content->view;
                uint32_t element;
                const bool texels = shape_binding_of(shape_of(dispatch->sets[set].key.shape), j, &element)->type ==
                                    VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
                if (kind != OBJECT_PIPELINE && equal(seen, ref) &&
                    (kind == OBJECT_SAMPLER || texels == (kind == OBJECT_TEXEL_VIEW)))
                    return true;
            }
    }
    return false;
}

static void unref_layout(struct actor *actor, unsigned number, struct dice *dice)
{
    struct commands *commands = &actor->commands[number];
    if (commands->state == COMMANDS_RECORDING && dice_below(dice, 4))
        commands_submit(actor, number, false, dice);
    commands_wait(actor, number);
    commands->state = COMMANDS_INVALID;
}

void commands_let_go_of_set(struct actor *actor, unsigned set, bool goes, struct dice *dice)
{
    const bool late = set_changes_late(actor->sets[set].key) && !goes;
    for (unsigned i = 0; i < COMMANDS; i++) {
        const enum commands_state state = actor->commands[i].state;
        if ((state != COMMANDS_RECORDING && state != COMMANDS_EXECUTABLE && state != COMMANDS_PENDING) ||
            !has_set(&actor->commands[i], set, actor->sets[set].version))
            continue;
        if (late)
            commands_wait(actor, i);
        else
            unref_layout(actor, i, dice);
    }
    actor->sets[set].version += !late;
}

void commands_let_go_of_object(struct actor *actor, enum object_kind kind, struct ref ref, struct dice *dice)
{
    if (kind == OBJECT_LAYOUT || kind == OBJECT_TEMPLATE)
        return;
    for (unsigned i = 0; i < COMMANDS; i++) {
        const enum commands_state state = actor->commands[i].state;
        if ((state == COMMANDS_RECORDING || state == COMMANDS_EXECUTABLE || state == COMMANDS_PENDING) &&
            has_object(&actor->commands[i], kind, ref))
            unref_layout(actor, i, dice);
    }
}
