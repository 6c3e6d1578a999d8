/* SPDX-License-Identifier: MIT */
/* Memory of one recording, in slices of the heap of records. */
#include "commands/ring.h"

#include "device/device.h"
#include "objects/memory.h"
#include "objects/track.h"

enum { RING_BYTES = 64 * 1024 };

struct ring {
    struct ring *next;
    struct memory_slice slice;
    uint32_t used; /* bytes */
};

/* One more slice at the head of the ring. */
static VkResult ring_grow(struct command *command, uint32_t bytes)
{
    struct ring *ring = object_alloc(command->track, NULL, sizeof(*ring));
    VkResult result = ring ? memory_acquire(command->device, &command->track->heap,
                                            bytes > RING_BYTES ? bytes : RING_BYTES, &ring->slice)
                           : VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result != VK_SUCCESS) {
        object_free(command->track, NULL, ring, sizeof(*ring));
        return result;
    }
    ring->next = command->ring;
    command->ring = ring;
    return VK_SUCCESS;
}

bool ring_acquire(struct command *command, uint32_t bytes, struct ring_piece *piece)
{
    const VkPhysicalDeviceLimits *limits = &command->device->properties.limits;
    VkDeviceSize align = limits->minStorageBufferOffsetAlignment > limits->minUniformBufferOffsetAlignment
                             ? limits->minStorageBufferOffsetAlignment
                             : limits->minUniformBufferOffsetAlignment;
    align = align > sizeof(uint64_t) ? align : sizeof(uint64_t); /* of the addresses in roots */
    const uint32_t step = (uint32_t)((bytes + align - 1) / align * align);
    struct ring *ring = command->ring;
    while (ring && ring->slice.size - ring->used < step)
        ring = ring->next;
    if (!ring) {
        const VkResult result = ring_grow(command, step);
        if (result != VK_SUCCESS) {
            command->error = result;
            return false;
        }
        ring = command->ring;
    }
    piece->where = (VkDescriptorBufferInfo){ring->slice.buffer, ring->slice.offset + ring->used, bytes};
    piece->address = ring->slice.address ? ring->slice.address + ring->used : 0;
    piece->mapped = (char *)ring->slice.mapped + ring->used;
    ring->used += step;
    return true;
}

void ring_reset(struct command *command)
{
    for (struct ring *ring = command->ring; ring; ring = ring->next)
        ring->used = 0;
}

void ring_finish(struct command *command)
{
    while (command->ring) {
        struct ring *ring = command->ring;
        command->ring = ring->next;
        memory_release(command->device, &command->track->heap, &ring->slice);
        object_free(command->track, NULL, ring, sizeof(*ring));
    }
}
