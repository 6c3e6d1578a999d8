/* SPDX-License-Identifier: MIT */
/* The shared part of all binding models of application-managed descriptors: state, and the pushing of root tables. */
#include "recording/bound.h"

#include <string.h>

#include "commands/command_buffer.h"
#include "commands/ring.h"
#include "device/app_descriptors.h"
#include "device/device.h"
#include "device/message.h"
#include "layouts/pipeline_layout.h"
#include "objects/track.h"
#include "record/root.h"
#include "record_table/record_table.h"
#include "recording/bound_model.h"

static const struct bound_model *const models[BINDING_MODELS] = {
    [BINDING_BUFFERS] = &bound_in_buffers,
    [BINDING_HEAPS] = &bound_in_heaps,
};

/* ---- State ---- */

static size_t state_bytes(const struct command *command)
{
    return sizeof(struct bound_state) +
           (BOUND_BUFFERS_MOST + (size_t)POINT_COUNT * command->set_limit) * sizeof(VkDeviceAddress);
}

bool bound_init(struct command *command)
{
    if (!app_descriptors_any(&command->device->caps.app_descriptors))
        return true;
    command->app_descriptors = object_alloc(command->track, NULL, state_bytes(command));
    if (!command->app_descriptors)
        return false;
    command->app_descriptors->buffers = (VkDeviceAddress *)(command->app_descriptors + 1);
    for (uint32_t p = 0; p < POINT_COUNT; p++)
        command->app_descriptors->points[p].sets =
            command->app_descriptors->buffers + BOUND_BUFFERS_MOST + p * command->set_limit;
    return true;
}

void bound_reset(struct command *command)
{
    struct bound_state *bound = command->app_descriptors;
    if (!bound)
        return;
    memset(bound->pushes_behind, 0, sizeof(bound->pushes_behind));
    bound_forget_pushed(command);
    for (uint32_t m = 0; m < BINDING_MODELS; m++) {
        if (models[m])
            models[m]->reset(command);
    }
}

void bound_inherit(struct command *command, const void *chain)
{
    for (uint32_t m = 0; m < BINDING_MODELS && command->app_descriptors; m++) {
        if (models[m] && models[m]->inherit)
            models[m]->inherit(command, chain);
    }
}

void bound_finish(struct command *command)
{
    object_free(command->track, NULL, command->app_descriptors, state_bytes(command));
}

VkDeviceAddress bound_whole_word(const struct command *command, VkDeviceAddress address, const char *what)
{
    static struct message_place said;
    if (address % sizeof(uint32_t) == 0)
        return address;
    message_about_once(
        &said, command->device, LOG_ERROR, ABOUT({VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE_KEY(command->handle)}),
        "%s at 0x%llx is not aligned: records of its descriptors are not found, and samplers do what the "
        "driver's do",
        what, (unsigned long long)address);
    return address - address % sizeof(uint32_t);
}

/* ---- What is pushed ---- */

void bound_forget_pushed(struct command *command)
{
    if (command->app_descriptors)
        memset(command->app_descriptors->pushed, 0, sizeof(command->app_descriptors->pushed));
}

void bound_pushed_over(struct command *command, enum binding_model model)
{
    if (!command->app_descriptors->pushed[model])
        return;
    command->app_descriptors->pushed[model] = 0;
    bound_changed(command, POINT_COUNT);
}

void bound_pushed_over_others(struct command *command, enum binding_model model)
{
    for (uint32_t m = 0; m < BINDING_MODELS; m++) {
        if (m != (uint32_t)model)
            bound_pushed_over(command, (enum binding_model)m);
    }
}

void bound_keep_behind(struct command *command, enum binding_model model, uint32_t offset, uint32_t size,
                       const void *values)
{
    struct bound_state *bound = command->app_descriptors;
    const uint32_t root_at = models[model]->root_at(command->device);
    const uint32_t root_end = root_at + (uint32_t)sizeof(bound->behind[0]);
    const uint32_t first = offset > root_at ? offset : root_at;
    const uint32_t end = offset + size < root_end ? offset + size : root_end;
    if (first >= end)
        return;
    memcpy((char *)&bound->behind[model] + (first - root_at), (const char *)values + (first - offset), end - first);
    bound->pushes_behind[model] = true;
    bound_pushed_over(command, model);
}

/* ---- Roots ---- */

VkDeviceAddress bound_write_root(struct command *command, const VkDeviceAddress *bases, uint32_t count, uint32_t places)
{
    struct ring_piece piece;
    const size_t bytes = count * sizeof(*bases);
    if (!ring_acquire(command, (uint32_t)(sizeof(struct root) + bytes), &piece))
        return 0;
    struct root *root = piece.mapped;
    const struct record_table *table = command->track->record_table;
    root->table = record_table_address(table);
    for (uint32_t i = 0; i < count; i++)
        root->bases[i] = i < places && !bases[i] ? record_table_zeros(table) : bases[i];
    return piece.address;
}

void bound_restore(struct command *command)
{
    struct bound_state *bound = command->app_descriptors;
    for (uint32_t m = 0; m < BINDING_MODELS; m++) {
        if (!bound->pushed[m] || !bound->pushes_behind[m])
            continue;
        models[m]->push(command, &bound->behind[m]);
        bound_pushed_over(command, (enum binding_model)m);
    }
}

bool bound_flush(struct command *command, struct bind_point *point, enum binding_model model)
{
    struct bound_state *bound = command->app_descriptors;
    if (!bound || !models[model])
        return true;
    const uint32_t index = (uint32_t)(point - command->points);
    const VkDeviceAddress root = models[model]->root(command, index);
    if (!root || bound->pushed[model] == root)
        return root;
    models[model]->push(command, &root);
    /* All bind points share what is pushed: other models' addresses, and other bind points' draws, must push again. */
    bound_forget_pushed(command);
    bound->pushed[model] = root;
    bound_changed(command, index);
    return true;
}
