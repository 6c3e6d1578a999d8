/* SPDX-License-Identifier: MIT */
#include "chaos/actors.h"

#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "chaos/apart.h"
#include "chaos/commands.h"
#include "chaos/objects.h"
#include "chaos/placed.h"
#include "chaos/sets.h"
#include "chaos/window.h"
#include "harness/device/environment.h"

static bool loud;
enum { NOTHING_YET = UINT32_MAX };
static _Atomic(uint64_t) latest = NOTHING_YET; /* the operation that was begun last, by whichever actor */

void chaos_fail(const struct actor *actor, const char *format, ...)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    pthread_mutex_lock(&lock); /* and nobody else fails */
    fflush(stdout);
    if (actor && actor->operation)
        fprintf(stderr, "FAILED at operation %llu (%s %u %u %x): ", (unsigned long long)actor->operation_number,
                operation_name((enum operation_kind)actor->operation->kind), actor->device->number, actor->number,
                actor->operation->number);
    else
        fprintf(stderr, "FAILED: ");
    fprintf(stderr, "%s\n", text);
    fflush(stderr);
    _exit(1);
}

/* A driver's threads crash later than what they do was asked for; all that is there is said. */
static void crash(int number)
{
    char text[96];
    const unsigned long long at = atomic_load_explicit(&latest, memory_order_relaxed);
    const int length = at == NOTHING_YET
                           ? snprintf(text, sizeof(text), "FAILED before the first operation: signal %d\n", number)
                           : snprintf(text, sizeof(text), "FAILED at operation %llu: signal %d\n", at, number);
    if (length > 0 && write(STDERR_FILENO, text, (size_t)length) < 0)
        _exit(2);
    _exit(1);
}

void actors_note_crashes(void)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
    static char stack[1 << 16]; /* of the main thread: its own may have run over */
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof(stack)};
    struct sigaction action = {.sa_flags = SA_ONSTACK};
    action.sa_handler = crash;
    sigaltstack(&other, NULL);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]) && !HARNESS_SANITIZED; i++)
        sigaction(numbers[i], &action, NULL);
}

/* ---- Coming and going ---- */

void actor_open(struct actor *actor, struct device *device, unsigned number)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 1};
    const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &size};
    *actor = (struct actor){.device = device, .number = number};
    harness_buffer_create(
        &device->vk, &actor->results,
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
            (device->buffers || device->heaps ? (VkFlags)VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0),
        RESULT_BYTES, NULL);
    HARNESS_VK(vkCreateDescriptorPool(device->vk.device, &pool, NULL, &actor->results_pool));
    const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = actor->results_pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &device->results_layout};
    HARNESS_VK(vkAllocateDescriptorSets(device->vk.device, &info, &actor->results_set));
    const VkDescriptorBufferInfo buffer = {actor->results.buffer, 0, (VkDeviceSize)2 * REGION_VECTORS * 16};
    harness_write_buffers(&device->vk, actor->results_set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 1, &buffer);
    for (unsigned i = 0; i < POOLS; i++)
        sets_make_pool(actor, i);
    placed_open(actor);
    commands_open(actor);
}

void actor_close(struct actor *actor)
{
    const VkDevice device = actor->device->vk.device;
    commands_close(actor);
    for (unsigned i = 0; i < POOLS; i++)
        vkDestroyDescriptorPool(device, actor->pools[i].handle, NULL);
    vkDestroyDescriptorPool(device, actor->results_pool, NULL);
    for (unsigned i = 0; i < PIPELINE_LAYOUTS; i++)
        object_destroy_pipeline_layout(actor->device, &actor->pipeline_layouts[i]);
    for (unsigned kind = 0; kind < OBJECT_KINDS; kind++)
        for (unsigned i = 0; i < object_places((enum object_kind)kind); i++)
            if (object_life(&actor->own, (enum object_kind)kind, i)->lives)
                object_destroy(actor->device, &actor->own, (enum object_kind)kind, i);
    for (unsigned i = PIPELINES; i < PIPELINES + PLACED_PIPELINES; i++)
        if (actor->own.pipelines[i].life.lives)
            object_destroy_pipeline(actor->device, &actor->own.pipelines[i]);
    placed_close(actor);
    harness_buffer_destroy(&actor->device->vk, &actor->results);
}

/* ---- Objects ---- */

/* Another one in a place of the actor's store, or none. What has the old one's handle next is left to the driver. */
static void replace(struct actor *actor, enum object_kind kind, struct dice *dice)
{
    const unsigned place = dice_below(dice, object_places(kind));
    struct life *life = object_life(&actor->own, kind, place);
    const bool left = dice_one_in(dice, 6);
    if (life->lives) {
        commands_let_go_of_object(actor, kind, (struct ref){0, (uint8_t)place, life->generation}, dice);
        object_destroy(actor->device, &actor->own, kind, place);
        life->lives = false;
        if (left)
            return;
    }
    object_make(actor->device, &actor->own, kind, place, dice);
}

/*
 * Nobody looks at a retired object, but partially bound sets may have it still. Validation layers (1.4.363) believe
 * that it is looked at, and that its end is the end of command buffers that such a set is bound in.
 */
static void end_retired(struct device *device, enum object_kind kind, unsigned place, struct dice *dice)
{
    struct life *life = object_life(&device->shared, kind, place);
    for (unsigned i = 0; i < device->actor_count && device->validated; i++)
        commands_let_go_of_object(&device->actors[i], kind, (struct ref){1, (uint8_t)place, life->generation}, dice);
    object_destroy(device, &device->shared, kind, place);
    life->retired = false;
}

/* Others may read about the same objects, but not about those that are this actor's to destroy. */
static bool destroy_retired(struct actor *actor, struct dice *dice)
{
    struct store *shared = &actor->device->shared;
    if (actor->device->validated && actor->device->actor_count > 1) /* others' command buffers are theirs */
        return false;
    for (unsigned kind = 0; kind < OBJECT_KINDS; kind++)
        for (unsigned i = 0; i < object_places((enum object_kind)kind); i++) {
            struct life *life = object_life(shared, (enum object_kind)kind, i);
            if (life->owner == actor->number && life->retired)
                end_retired(actor->device, (enum object_kind)kind, i, dice);
        }
    return true;
}

/* No thread runs. */
static void share(struct device *device, struct dice *dice)
{
    const enum object_kind kind = (enum object_kind)dice_below(dice, OBJECT_KINDS);
    const unsigned place = dice_below(dice, object_places(kind));
    struct life *life = object_life(&device->shared, kind, place);
    if (life->retired)
        end_retired(device, kind, place, dice);
    if (!life->lives) {
        object_make(device, &device->shared, kind, place, dice);
        return;
    }
    for (unsigned i = 0; i < device->actor_count; i++)
        commands_let_go_of_object(&device->actors[i], kind, (struct ref){1, (uint8_t)place, life->generation}, dice);
    life->lives = false;
    life->retired = true;
    life->owner = (uint8_t)dice_below(dice, device->actor_count);
}

/* A pipeline of a certain kind in a place of the actor's store. */
static bool replace_pipeline(struct actor *actor, bool binary, struct dice *dice)
{
    const unsigned place = dice_below(dice, PIPELINES);
    struct pipeline *pipeline = &actor->own.pipelines[place];
    if (binary ? !actor->device->peer : !actor->device->cache_control)
        return false;
    if (pipeline->life.lives) {
        commands_let_go_of_object(actor, OBJECT_PIPELINE, (struct ref){0, (uint8_t)place, pipeline->life.generation},
                                  dice);
        object_destroy(actor->device, &actor->own, OBJECT_PIPELINE, place);
    }
    if (binary)
        object_make_binary_pipeline(actor, pipeline, dice);
    else
        object_make_flagged_pipeline(actor, pipeline, dice);
    pipeline->life.lives = true;
    pipeline->life.generation++;
    return true;
}

/* ---- Operations ---- */

/* Where the device has neither descriptor buffers nor heaps, they are all left out. */
static bool perform_placed(struct actor *actor, const struct operation *operation, struct dice *dice)
{
    bool done = false;
    if (operation->kind == OPERATION_PLACED_PIPELINE)
        done = record_placed_pipeline(actor, PIPELINES + dice_below(dice, PLACED_PIPELINES), dice);
    else if (operation->kind == OPERATION_PLACED_SET)
        done = placed_renew_set(actor, dice);
    else if (operation->kind == OPERATION_PLACED_UPDATE)
        done = placed_update(actor, dice);
    else if (operation->kind == OPERATION_PLACED_RECORD)
        done = record_placed(actor, dice_below(dice, COMMANDS), dice);
    else
        done = placed_anew(actor, dice);
    actor->placed_operations += done;
    return done;
}

static bool perform(struct actor *actor, const struct operation *operation)
{
    struct dice dice = dice_of(operation->number);
    const unsigned commands = dice_below(&dice, COMMANDS), pool = dice_below(&dice, POOLS),
                   set = dice_below(&dice, SETS);
    switch ((enum operation_kind)operation->kind) {
    case OPERATION_SAMPLER:
    case OPERATION_VIEW:
    case OPERATION_TEXEL_VIEW:
    case OPERATION_LAYOUT:
    case OPERATION_TEMPLATE:
    case OPERATION_PIPELINE:
        replace(actor, (enum object_kind)(operation->kind - OPERATION_SAMPLER + OBJECT_SAMPLER), &dice);
        return true;
    case OPERATION_RETIRED:
        return destroy_retired(actor, &dice);
    case OPERATION_ALLOCATE:
        return sets_allocate(actor, &dice);
    case OPERATION_FREE:
        return sets_free(actor, set, &dice);
    case OPERATION_RESET_POOL:
    case OPERATION_DESTROY_POOL:
        sets_reset_pool(actor, pool, operation->kind == OPERATION_DESTROY_POOL, &dice);
        return true;
    case OPERATION_UPDATE:
        return sets_update(actor, &dice);
    case OPERATION_UPDATE_WITH_TEMPLATE:
        return sets_update_with_template(actor, &dice);
    case OPERATION_UPDATE_BY_TWO:
        return sets_update_by_two(actor, &dice);
    case OPERATION_RECORD:
        return record_one(actor, commands, &dice);
    case OPERATION_SECONDARY:
        return record_secondary(actor, commands, &dice);
    case OPERATION_SUBMIT:
        return commands_submit(actor, commands, false, &dice);
    case OPERATION_SUBMIT_AGAIN:
        return commands_submit(actor, commands, true, &dice);
    case OPERATION_WAIT:
        commands_wait(actor, commands);
        return true;
    case OPERATION_FREE_COMMANDS:
        commands_free(actor, commands);
        return true;
    case OPERATION_RESET_COMMANDS:
        commands_reset_pool(actor);
        return true;
    case OPERATION_PLACED_PIPELINE:
    case OPERATION_PLACED_SET:
    case OPERATION_PLACED_UPDATE:
    case OPERATION_PLACED_RECORD:
    case OPERATION_PLACED_ANEW:
        return perform_placed(actor, operation, &dice);
    case OPERATION_FLAGGED:
    case OPERATION_BINARY:
        return replace_pipeline(actor, operation->kind == OPERATION_BINARY, &dice);
    case OPERATION_LINK:
        return apart_link(actor, &dice);
    case OPERATION_FILL:
        return apart_fill(actor, &dice);
    case OPERATION_GUEST:
        return apart_guest(actor, &dice);
    case OPERATION_ORDER:
        return apart_order(actor, &dice);
    case OPERATION_COMPARE:
        return apart_compare(actor, &dice);
    default:
        return false;
    }
}

/* ---- Threads ---- */

/* A part of the list in which no device has an operation of its own. */
struct part {
    struct actor *actor;
    const struct operations *operations;
    size_t first, end;
    bool checked;
    pthread_t thread;
    bool any;
};

static void *perform_part(void *user)
{
    const struct part *part = user;
    struct actor *actor = part->actor;
    for (size_t i = part->first; i < part->end; i++) {
        const struct operation *operation = &part->operations->list[i];
        if (operation->device != actor->device->number || (unsigned)operation->actor != actor->number)
            continue;
        actor->operation = operation;
        actor->operation_number = i;
        atomic_store_explicit(&latest, i, memory_order_relaxed);
        if (loud)
            fprintf(stderr, "%zu: %s %u %u %x\n", i, operation_name((enum operation_kind)operation->kind),
                    operation->device, actor->number, operation->number);
        const bool done = perform(actor, operation);
        actor->left_out += !done;
        actor->performed[operation->kind] += done;
        if (part->checked && harness_messages())
            chaos_fail(actor, "the validation layer said something");
    }
    return NULL;
}

static void perform_parts(struct device *devices, const struct operations *operations, size_t first, size_t end,
                          bool checked)
{
    struct part parts[CHAOS_DEVICES * CHAOS_THREADS];
    const unsigned count = operations->devices * operations->threads;
    for (unsigned i = 0; i < count; i++)
        parts[i] = (struct part){.actor = &devices[i / operations->threads].actors[i % operations->threads],
                                 .operations = operations,
                                 .first = first,
                                 .end = end,
                                 .checked = checked};
    for (size_t i = first; i < end; i++)
        parts[operations->list[i].device * operations->threads + (unsigned)operations->list[i].actor].any = true;
    for (unsigned i = 0; i < count; i++) {
        if (count == 1)
            perform_part(&parts[i]);
        else if (parts[i].any && pthread_create(&parts[i].thread, NULL, perform_part, &parts[i]) != 0)
            harness_fail("no thread could be made");
    }
    for (unsigned i = 0; i < count && count > 1; i++)
        if (parts[i].any)
            pthread_join(parts[i].thread, NULL);
}

void actors_perform(struct device *devices, const struct operations *operations, bool checked, bool verbose)
{
    loud = verbose;
    for (size_t i = 0; i < operations->count;) {
        size_t end = i;
        while (end < operations->count && operations->list[end].actor >= 0)
            end++;
        if (end > i)
            perform_parts(devices, operations, i, end, checked);
        for (i = end; i < operations->count && operations->list[i].actor < 0; i++) {
            struct dice dice = dice_of(operations->list[i].number);
            struct device *device = &devices[operations->list[i].device];
            device->actors[0].operation = &operations->list[i];
            device->actors[0].operation_number = i;
            if (operations->list[i].kind == OPERATION_WINDOW)
                device->actors[0].left_out += !window_change(device, &dice);
            else
                share(device, &dice);
            if (checked && harness_messages())
                chaos_fail(&device->actors[0], "the validation layer said something");
        }
    }
    for (unsigned i = 0; i < operations->devices; i++)
        for (unsigned j = 0; j < operations->threads; j++)
            commands_wait_all(&devices[i].actors[j]);
}
