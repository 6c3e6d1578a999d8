/* SPDX-License-Identifier: MIT */
/*
 * Submissions. Draws with update-after-bind sets were recorded in the tier of the device's needs. If samplers or views
 * with other needs were created since, and descriptors with them were written, those draws are wrong: they cannot be
 * recorded anew, so the log gets a warning.
 */
#include "ahead/ahead.h"
#include "commands/command_buffer.h"
#include "commands/commands.h"
#include "device/device.h"
#include "device/held.h"
#include "device/message.h"
#include "need/need.h"
#include "objects/table.h"
#include "objects/track.h"
#include "recording/recording.h"
#include "sampling/device_needs.h"

static bool outgrown(const struct command *command, uint64_t needs_now)
{
    for (uint32_t tier = TIER_PASSTHROUGH; tier < TIER_COUNT; tier++) {
        const uint32_t follows = command->open_follows[tier] & ~(uint32_t)RECORD_NEED_BOUNDS; /* as draws do */
        if (follows && (uint32_t)needs_tier(device_needs_of(needs_now, follows) & follows) > tier)
            return true;
    }
    return false;
}

static void check(struct track *track, VkCommandBuffer handle)
{
    static struct message_place said;
    const struct command *command = table_find(&track->commands->buffers, HANDLE_KEY(handle));
    if (!command || !outgrown(command, device_needs_word(track)))
        return;
    count(&track->counters.outgrown_submits, 1);
    message_about_once(
        &said, track->device, LOG_WARN, ABOUT({VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE_KEY(handle)}),
        "a command buffer draws with update-after-bind descriptors, and samplers or views that may require a higher "
        "tier were created after it was recorded: lookups through them keep the tier of the recording");
}

/* Without such sets there is nothing to look up. */
static bool open_sets(const struct device *device)
{
    return atomic_load_explicit(&device->track->open_sets, memory_order_relaxed);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_QueueSubmit(VkQueue queue, uint32_t submitCount, const VkSubmitInfo *pSubmits,
                                                VkFence fence)
{
    struct device *device = device_of(queue);
    messages_report_left(device->instance);
    ahead_submitted(device->track);
    for (uint32_t i = 0; i < submitCount && open_sets(device); i++) {
        for (uint32_t j = 0; j < pSubmits[i].commandBufferCount; j++)
            check(device->track, pSubmits[i].pCommandBuffers[j]);
    }
    return device->next.QueueSubmit(queue, submitCount, pSubmits, fence);
}

static void check_submit2(const struct device *device, uint32_t count, const VkSubmitInfo2 *submits)
{
    for (uint32_t i = 0; i < count && open_sets(device); i++) {
        for (uint32_t j = 0; j < submits[i].commandBufferInfoCount; j++)
            check(device->track, submits[i].pCommandBufferInfos[j].commandBuffer);
    }
}

VKAPI_ATTR VkResult VKAPI_CALL hook_QueueSubmit2(VkQueue queue, uint32_t submitCount, const VkSubmitInfo2 *pSubmits,
                                                 VkFence fence)
{
    struct device *device = device_of(queue);
    messages_report_left(device->instance);
    ahead_submitted(device->track);
    check_submit2(device, submitCount, pSubmits);
    return device->next.QueueSubmit2(queue, submitCount, pSubmits, fence);
}
