/* SPDX-License-Identifier: MIT */
/*
 * Push descriptors. The records of a push set live in a ring of the command buffer: every time they change, the next
 * draw that reads them gets a complete, fresh block, pushed beside the program's own descriptors.
 */
#include <stdlib.h>
#include <string.h>

#include "push/push.h"
#include "commands/command_buffer.h"
#include "commands/ring.h"
#include "descriptors/split.h"
#include "descriptors/records.h"
#include "descriptors/save.h"
#include "descriptors/pool.h"
#include "descriptors/template.h"
#include "descriptors/update.h"
#include "device/device.h"
#include "layouts/pipeline_layout.h"
#include "layouts/set_layout.h"
#include "layouts/layouts.h"
#include "objects/track.h"
#include "push/push_set.h"
#include "spirv/spirv.h"

static void forget(struct command *command, struct push_state *push)
{
    push_sets_finish(command->track, push);
    object_free(command->track, NULL, push->records.store.shadow, shadow_bytes(push->records.store.count));
    set_layout_unref(command->track, push->layout);
    push->layout = NULL;
    push->records = (struct records){0};
}

/*
 * The program may have destroyed layouts that it did not push to in a whole recording, so nothing is kept for them. A
 * reset that directly follows another one says nothing about that.
 */
static void forget_unused(struct command *command)
{
    bool any = false;
    for (const struct push_state *push = command->push_states; push; push = push->next)
        any |= push->used;
    for (struct push_state **link = &command->push_states; any && *link;) {
        struct push_state *push = *link;
        if (push->used) {
            push->used = false;
            link = &push->next;
            continue;
        }
        *link = push->next;
        forget(command, push);
        object_free(command->track, NULL, push, sizeof(*push));
    }
}

void push_reset(struct command *command)
{
    for (struct push_state *push = command->push_states; push; push = push->next)
        push_sets_reset(command->device, push);
    forget_unused(command);
    for (uint32_t i = 0; i < POINT_COUNT * command->set_limit; i++)
        push_unbind(&command->set_storage[i]);
}

void push_finish(struct command *command)
{
    while (command->push_states) {
        struct push_state *push = command->push_states;
        command->push_states = push->next;
        forget(command, push);
        object_free(command->track, NULL, push, sizeof(*push));
    }
}

/* ---- Pushed descriptors ---- */

static bool same_immutable(const struct binding *a, const struct binding *b)
{
    if (!a->immutable != !b->immutable || !a->native_handles != !b->native_handles)
        return false;
    for (uint32_t i = 0; a->immutable && i < a->count; i++) {
        if (a->immutable[i].handle != b->immutable[i].handle)
            return false;
    }
    return !a->native_handles || !memcmp(a->native_handles, b->native_handles, a->count * sizeof(*a->native_handles));
}

/* Pushed descriptors stay valid with identically defined layouts (section "Push Descriptor Updates"). */
static bool same_layout(const struct set_layout *a, const struct set_layout *b)
{
    if (a == b)
        return true;
    if (a->binding_count != b->binding_count || a->record_binding != b->record_binding)
        return false;
    for (uint32_t i = 0; i < a->binding_count; i++) {
        const struct binding *x = &a->bindings[i], *y = &b->bindings[i];
        if (x->binding != y->binding || x->type != y->type || x->count != y->count ||
            x->first_record != y->first_record || !same_immutable(x, y))
            return false;
    }
    return true;
}

/* Says of new records whether saving a push may be enough. */
static void begin_records(struct push_state *push)
{
    if (push->layout->push_converted || layout_is_special(push->layout))
        records_become(&push->records, RECORDS_NOT_SAVED, 0);
}

static bool adopt_layout(struct command *command, struct push_state *push, struct set_layout *layout)
{
    struct track *track = command->track;
    struct record *memory = object_alloc(track, NULL, shadow_bytes(layout->record_count));
    push->layout = set_layout_ref(layout);
    if (memory)
        records_place(&push->records, layout, memory, layout->record_count);
    return memory && (!layout->push_converted || push_sets_init(track, push));
}

static void clear(struct push_state *push)
{
    struct record *memory = push->records.store.shadow;
    memset(memory, 0, shadow_bytes(push->layout->record_count));
    push->records = (struct records){0};
    records_place(&push->records, push->layout, memory, push->layout->record_count);
    begin_records(push);
    push_sets_clear(push);
}

/*
 * The state of a push to (point, set) under a layout: with the descriptors that were pushed there before if the layout
 * is the same, else empty. Each layout has a state of its own, because draws that are recorded already may use those of
 * other layouts. NULL if the layer has nothing in the layout, or, with command->error set, if memory runs out.
 */
static struct push_state *push_open(struct command *command, uint32_t point, uint32_t set, VkPipelineLayout handle)
{
    struct pipeline_layout *pipeline_layout = pipeline_layout_find(command->track, handle);
    struct set_layout *layout = pipeline_layout && set < pipeline_layout->set_count ? pipeline_layout->sets[set] : NULL;
    if (!layout || set >= command->set_limit) {
        if (set < command->set_limit)
            push_unbind(&command->points[point].sets[set]);
        return NULL;
    }
    struct bound_set *slot = &command->points[point].sets[set];
    struct push_state *push = slot->push;
    if (!push || !same_layout(push->layout, layout)) {
        for (push = command->push_states; push; push = push->next) {
            if (push->point == point && push->set == set && (!push->layout || push->layout == layout))
                break;
        }
        if (!push) {
            push = object_alloc(command->track, NULL, sizeof(*push));
            if (!push)
                goto out_of_memory;
            push->point = point;
            push->set = set;
            push->next = command->push_states;
            command->push_states = push;
        }
        if (!push->layout && !adopt_layout(command, push, layout)) {
            forget(command, push);
            goto out_of_memory;
        }
        clear(push);
    }
    push->program_layout = handle;
    push->used = true;
    push->dirty = true;
    slot->push = push;
    command->points[point].dirty = BIND_CHANGED;
    return push;
out_of_memory:
    command->error = VK_ERROR_OUT_OF_HOST_MEMORY;
    push_unbind(slot);
    return NULL;
}

struct pushing {
    struct command *command;
    struct push_state *push;
    VkPipelineBindPoint bind_point;
    VkPipelineLayout layout;
    bool differs; /* the driver must get other descriptors than the program's */
};

static void emit_push(const VkWriteDescriptorSet *write, void *user)
{
    const struct pushing *p = user;
    p->command->device->next.CmdPushDescriptorSetKHR(p->command->handle, p->bind_point, p->layout, p->push->set, 1,
                                                     write);
}

static void take_records(const VkWriteDescriptorSet *write, void *user)
{
    struct pushing *p = user;
    if (!records_save_one_write(p->command->track, &p->push->records, write))
        p->differs |= records_write(p->command->track, &p->push->records, p->push->layout, write);
}

/* The writes behind the saved ones. */
static void take_rest(const VkWriteDescriptorSet *write, void *user)
{
    struct pushing *p = user;
    if (split_follow(&p->push->records, p->push->layout))
        split_put_written(p->command->track, &p->push->records, p->push->layout, write);
    if (p->push->descriptors)
        push_sets_keep(p->command->track, p->push, write);
}

static inline bool has_rest(struct push_state *push)
{
    return push->descriptors || split_follow(&push->records, push->layout);
}

static void push_to_driver(const VkWriteDescriptorSet *write, void *user)
{
    const struct pushing *p = user;
    driver_write(p->command->track, p->push->layout, write, emit_push, user);
}

/* Pushes the template's entries by writes, and by `rest` those that the layer cannot write. */
static void push_by_writes(struct pushing *p, const struct update_template *update, const void *data)
{
    const struct command *command = p->command;
    template_visit(update, data, push_to_driver, p);
    if (update->rest)
        command->device->next.CmdPushDescriptorSetWithTemplateKHR(command->handle, update->rest, p->layout,
                                                                  p->push->set, data);
}

/*
 * The program never pushes immutable samplers of SAMPLER bindings. Where the layer made them mutable, every push writes
 * them and their records, not only the first one: binding a set under an incompatible layout disturbs them, and the
 * next push must restore them.
 */
static void push_standing(const struct pushing *p)
{
    struct push_state *push = p->push;
    write_standing(p->command->track, &push->records, push->layout, 0, VK_NULL_HANDLE,
                   push->descriptors ? NULL : emit_push, (void *)(uintptr_t)p);
}

/* ---- Making it current ---- */

bool push_flush(struct command *command, struct push_state *push, VkPipelineLayout layout)
{
    struct device *device = command->device;
    VkPipelineBindPoint bind_point = bind_point_of(push->point);
    struct ring_piece piece;
    uint32_t bytes = push->layout->place_count * (uint32_t)sizeof(struct record);
    if (!ring_acquire(command, bytes, &piece))
        return false;
    records_flush(command->track, &push->records, push->layout);
    split_copy(command->track, &push->records, push->layout, push->layout->place_count, piece.mapped);
    const VkDescriptorImageInfo nearest = {.sampler = command->track->layouts->nearest_sampler};
    const uint32_t write_count = push->layout->nearest_binding == SPIRV_NO_RECORD ? 1 : 2;
    VkWriteDescriptorSet writes[] = {
        {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
         .dstBinding = push->layout->record_binding,
         .descriptorCount = 1,
         .descriptorType =
             push->layout->storage ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
         .pBufferInfo = &piece.where},
        {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
         .dstBinding = push->layout->nearest_binding,
         .descriptorCount = 1,
         .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER,
         .pImageInfo = &nearest},
    };
    if (!push->layout->push_converted) {
        device->next.CmdPushDescriptorSetKHR(command->handle, bind_point, layout, push->set, write_count, writes);
        push->dirty = false;
        return true;
    }
    VkDescriptorSet set = push_sets_acquire(command, push);
    if (!set)
        return false;
    writes[0].dstSet = writes[1].dstSet = set;
    device->next.UpdateDescriptorSets(device->handle, write_count, writes, 0, NULL);
    device->next.CmdBindDescriptorSets(command->handle, bind_point, layout, push->set, 1, &set, 0, NULL);
    push->dirty = false;
    return true;
}

/* ---- Hooks ---- */

/* While no draw can need more than tier 0, the needs of pushed descriptors are not computed. */
static void remember_needs(const struct command *command, struct bound_set *slot)
{
    const bool emulates = atomic_load_explicit(&command->track->may_emulate, memory_order_relaxed);
    slot->needs = emulates ? push_needs(command->track, slot->push) : 0;
    slot->unknown = !emulates;
}

/*
 * True: the program's own call is passed on where push_open() returned NULL, because the layer has nothing in the
 * layout. Not if memory ran out: the driver's layout may not be one for push descriptors.
 */
static bool passes_unopened(const struct command *command)
{
    return !command || command->error == VK_SUCCESS;
}

/*
 * One push by writes. Returns whether the program's own call must be passed on: true unless the layer has changed or
 * saved the writes.
 */
static bool push_writes(struct command *command, VkPipelineBindPoint bind_point, VkPipelineLayout layout, uint32_t set,
                        uint32_t write_count, const VkWriteDescriptorSet *writes)
{
    uint32_t point = point_of(bind_point);
    struct push_state *push = command ? push_open(command, point, set, layout) : NULL;
    if (!push)
        return passes_unopened(command);
    struct pushing p = {command, push, bind_point, layout, push->layout->driver_immutable};
    push_standing(&p);
    for (uint32_t i = 0; i < write_count; i++)
        take_records(&writes[i], &p);
    for (uint32_t i = 0; has_rest(push) && i < write_count; i++)
        take_rest(&writes[i], &p);
    for (uint32_t i = 0; p.differs && !push->descriptors && i < write_count; i++)
        push_to_driver(&writes[i], &p);
    remember_needs(command, &command->points[point].sets[set]);
    return !push->descriptors && !p.differs;
}

/* A push that is passed on, most often because the layer has nothing in the layout. */
struct unopened {
    const struct device *device;
    VkCommandBuffer handle;
    VkPipelineBindPoint bind_point;
    VkPipelineLayout layout;
    uint32_t set;
};

static void emit_unopened(const VkWriteDescriptorSet *write, void *user)
{
    const struct unopened *to = user;
    to->device->next.CmdPushDescriptorSetKHR(to->handle, to->bind_point, to->layout, to->set, 1, write);
}

/* Names of immutable SAMPLER descriptors are ignored, and so is their pointer. */
static bool push_names_surplus(const struct unopened *to, const VkWriteDescriptorSet *write)
{
    struct track *track = to->device->track;
    if (!atomic_load_explicit(&track->device->surplus_handles, memory_order_relaxed))
        return false;
    const struct pipeline_layout *known = pipeline_layout_find(track, to->layout);
    const struct set_layout *layout = known && to->set < known->set_count ? known->sets[to->set] : NULL;
    const struct binding *binding = layout ? set_layout_binding(layout, write->dstBinding) : NULL;
    return !(binding && binding_stands(binding)) && write_names_surplus(track, write);
}

static void push_unresolved(const VkWriteDescriptorSet *write, void *user)
{
    const struct unopened *to = user;
    if (push_names_surplus(to, write))
        write_unresolved(to->device->track, write, emit_unopened, user);
    else
        emit_unopened(write, user);
}

static bool any_surplus(const struct unopened *to, uint32_t count, const VkWriteDescriptorSet *writes)
{
    bool any = false;
    for (uint32_t i = 0; i < count; i++)
        any |= push_names_surplus(to, &writes[i]);
    return any;
}

static bool push_template(struct command *command, const struct update_template *update, VkPipelineBindPoint bind_point,
                          VkPipelineLayout layout, uint32_t set, const void *data)
{
    uint32_t point = point_of(bind_point);
    struct push_state *push = command && update ? push_open(command, point, set, layout) : NULL;
    if (command && !push && update && template_resolves(command->track, update)) {
        struct unopened unopened = {command->device, command->handle, bind_point, layout, set};
        template_visit(update, data, push_unresolved, &unopened);
        return false;
    }
    if (!push)
        return passes_unopened(command);
    struct pushing p = {command, push, bind_point, layout, push->layout->driver_immutable};
    push_standing(&p);
    template_write(command->track, &push->records, update, data, take_records, &p);
    if (has_rest(push))
        template_visit(update, data, take_rest, &p);
    if (p.differs && !push->descriptors)
        push_by_writes(&p, update, data);
    remember_needs(command, &command->points[point].sets[set]);
    return !push->descriptors && !p.differs;
}

/* ---- Pushes that only have to be saved ---- */

_Static_assert((uint32_t)POINT_GRAPHICS == (uint32_t)VK_PIPELINE_BIND_POINT_GRAPHICS &&
                   (uint32_t)POINT_COMPUTE == (uint32_t)VK_PIPELINE_BIND_POINT_COMPUTE,
               "one number for both");

/*
 * The state of a push, if one with the same layout was made there in this recording and no object of the device
 * requires emulation. NULL: push_open() finds it.
 */
AT_ONCE struct push_state *push_again(const struct command *command, VkPipelineBindPoint bind_point,
                                      VkPipelineLayout layout, uint32_t set)
{
    const struct track *track = command->track;
    if ((uint32_t)bind_point > POINT_COMPUTE || set >= command->set_limit)
        return NULL;
    struct push_state *push = command->points[bind_point].sets[set].push;
    if (!push || push->program_layout != layout ||
        atomic_load_explicit(&track->requires_emulation, memory_order_relaxed) ||
        atomic_load_explicit(&track->may_emulate, memory_order_relaxed))
        return NULL;
    return push;
}

AT_ONCE void push_saved(struct command *command, struct push_state *push, VkPipelineBindPoint bind_point)
{
    struct bind_point *point = &command->points[bind_point];
    point->sets[push->set].needs = 0;
    point->sets[push->set].unknown = true;
    point->dirty = BIND_CHANGED;
    push->dirty = true;
}

/* False: nothing was done. */
AT_ONCE bool save_writes(struct records *records, const struct track *track, uint32_t count,
                         const VkWriteDescriptorSet *writes)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!save_single(records, &writes[i]) && !type_passes(track, writes[i].descriptorType))
            return false;
    }
    return !records_are(records, RECORDS_NOT_SAVED);
}

AS_CALLED void push_any(VkCommandBuffer commandBuffer, VkPipelineBindPoint pipelineBindPoint, VkPipelineLayout layout,
                        uint32_t set, uint32_t descriptorWriteCount, const VkWriteDescriptorSet *pDescriptorWrites)
{
    struct command *command = command_of(commandBuffer);
    const struct device *device = device_of(commandBuffer);
    struct unopened unopened = {device, commandBuffer, pipelineBindPoint, layout, set};
    if (!push_writes(command, pipelineBindPoint, layout, set, descriptorWriteCount, pDescriptorWrites))
        return;
    const bool passes = !any_surplus(&unopened, descriptorWriteCount, pDescriptorWrites);
    for (uint32_t i = 0; !passes && i < descriptorWriteCount; i++)
        push_unresolved(&pDescriptorWrites[i], &unopened);
    if (passes)
        device->next.CmdPushDescriptorSetKHR(commandBuffer, pipelineBindPoint, layout, set, descriptorWriteCount,
                                             pDescriptorWrites);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdPushDescriptorSetKHR(VkCommandBuffer commandBuffer,
                                                        VkPipelineBindPoint pipelineBindPoint, VkPipelineLayout layout,
                                                        uint32_t set, uint32_t descriptorWriteCount,
                                                        const VkWriteDescriptorSet *pDescriptorWrites)
{
    struct command *command = command_last(commandBuffer);
    struct push_state *push = command ? push_again(command, pipelineBindPoint, layout, set) : NULL;
    if (push && save_writes(&push->records, command->track, descriptorWriteCount, pDescriptorWrites)) {
        push_saved(command, push, pipelineBindPoint);
        command->device->next.CmdPushDescriptorSetKHR(commandBuffer, pipelineBindPoint, layout, set,
                                                      descriptorWriteCount, pDescriptorWrites);
    } else {
        push_any(commandBuffer, pipelineBindPoint, layout, set, descriptorWriteCount, pDescriptorWrites);
    }
}

AS_CALLED void push_any_with(VkCommandBuffer commandBuffer, VkDescriptorUpdateTemplate descriptorUpdateTemplate,
                             VkPipelineLayout layout, uint32_t set, const void *pData)
{
    struct command *command = command_of(commandBuffer);
    struct device *device = device_of(commandBuffer);
    struct update_template *update = template_find(device->track, descriptorUpdateTemplate);
    struct push_state *push = NULL;
    if (command && update && update->how == TEMPLATE_SAVES_RUNS)
        push = push_again(command, update->bind_point, layout, set);
    if (push && template_save_at_once(update, false, &push->records, pData))
        push_saved(command, push, update->bind_point);
    else if (!push_template(command, update, update ? update->bind_point : VK_PIPELINE_BIND_POINT_GRAPHICS, layout, set,
                            pData))
        return;
    device->next.CmdPushDescriptorSetWithTemplateKHR(commandBuffer, descriptorUpdateTemplate, layout, set, pData);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdPushDescriptorSetWithTemplateKHR(VkCommandBuffer commandBuffer,
                                                                    VkDescriptorUpdateTemplate descriptorUpdateTemplate,
                                                                    VkPipelineLayout layout, uint32_t set,
                                                                    const void *pData)
{
    struct command *command = command_last(commandBuffer);
    const struct update_template *update =
        command ? table_probe(&command->track->descriptors->templates, HANDLE_KEY(descriptorUpdateTemplate)) : NULL;
    if (update && update->how == TEMPLATE_SAVES_ONE) {
        struct push_state *push = push_again(command, update->bind_point, layout, set);
        if (push && template_save_at_once(update, true, &push->records, pData)) {
            push_saved(command, push, update->bind_point);
            command->device->next.CmdPushDescriptorSetWithTemplateKHR(commandBuffer, descriptorUpdateTemplate, layout,
                                                                      set, pData);
            return;
        }
    }
    push_any_with(commandBuffer, descriptorUpdateTemplate, layout, set, pData);
}

/*
 * The second generation of these commands takes the layout in a chain where it is dynamic, and stages in place of one
 * bind point: each bind point that the stages belong to gets the push. VK_SHADER_STAGE_ALL also has stages of bind
 * points that the device or the queue lacks, where nothing may be pushed.
 */
static bool has_point(const struct command *command, uint32_t point)
{
    const struct device_dispatch *next = &command->device->next;
    const VkQueueFlags flags = command->pool ? command->pool->queue_flags : ~(VkQueueFlags)0;
    switch (point) {
    case POINT_GRAPHICS:
        return flags & VK_QUEUE_GRAPHICS_BIT;
    case POINT_COMPUTE:
        return flags & VK_QUEUE_COMPUTE_BIT;
    case POINT_RAY_TRACING:
        return (flags & VK_QUEUE_COMPUTE_BIT) && (next->CmdTraceRaysKHR || next->CmdTraceRaysNV);
    case POINT_SUBPASS_SHADING:
        return (flags & VK_QUEUE_GRAPHICS_BIT) && next->CmdSubpassShadingHUAWEI;
    default:
        return false;
    }
}

/* The layout that is named, or the layer's copy of the one in the command's chain. */
static VkPipelineLayout layout_of(struct command *command, VkPipelineLayout layout, const void *chain, uint32_t set)
{
    return command ? dynamic_layout(command->track, layout, chain, set, &command->error) : layout;
}

VKAPI_ATTR void VKAPI_CALL hook_CmdPushDescriptorSet2KHR(VkCommandBuffer commandBuffer,
                                                         const VkPushDescriptorSetInfoKHR *pInfo)
{
    struct command *command = command_of(commandBuffer);
    const VkPipelineLayout layout = layout_of(command, pInfo->layout, pInfo->pNext, pInfo->set);
    bool pass = true, any = false;
    for (uint32_t point = 0; point < POINT_COUNT; point++) {
        if (!(pInfo->stageFlags & point_stages(point)) || (command && !has_point(command, point)))
            continue;
        bool down = push_writes(command, bind_point_of(point), layout, pInfo->set, pInfo->descriptorWriteCount,
                                pInfo->pDescriptorWrites);
        pass = any ? pass && down : down;
        any = true;
    }
    const struct device *device = device_of(commandBuffer);
    struct unopened unopened = {device, commandBuffer, VK_PIPELINE_BIND_POINT_MAX_ENUM, layout, pInfo->set};
    const bool resolves = pass && any_surplus(&unopened, pInfo->descriptorWriteCount, pInfo->pDescriptorWrites);
    for (uint32_t point = 0; resolves && point < POINT_COUNT; point++) {
        unopened.bind_point = bind_point_of(point);
        const bool has = (pInfo->stageFlags & point_stages(point)) && (!command || has_point(command, point));
        for (uint32_t i = 0; has && i < pInfo->descriptorWriteCount; i++)
            push_unresolved(&pInfo->pDescriptorWrites[i], &unopened);
    }
    if (pass && !resolves)
        device->next.CmdPushDescriptorSet2KHR(commandBuffer, pInfo);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdPushDescriptorSetWithTemplate2KHR(
    VkCommandBuffer commandBuffer, const VkPushDescriptorSetWithTemplateInfoKHR *pInfo)
{
    struct command *command = command_of(commandBuffer);
    struct device *device = device_of(commandBuffer);
    const struct update_template *update = template_find(device->track, pInfo->descriptorUpdateTemplate);
    const VkPipelineLayout layout = layout_of(command, pInfo->layout, pInfo->pNext, pInfo->set);
    if (push_template(command, update, update ? update->bind_point : VK_PIPELINE_BIND_POINT_GRAPHICS, layout,
                      pInfo->set, pInfo->pData))
        device->next.CmdPushDescriptorSetWithTemplate2KHR(commandBuffer, pInfo);
}
