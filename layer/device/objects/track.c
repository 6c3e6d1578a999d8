/* SPDX-License-Identifier: MIT */
/* Host memory, and errors for bad input, for all subsystems of a device. */
#include <stdlib.h>
#include <string.h>

#include "device/message.h"
#include "objects/pnext.h"
#include "objects/track.h"

/* ---- Host memory ---- */

void *object_alloc(struct track *track, const VkAllocationCallbacks *callbacks, size_t size)
{
    enum { ALIGNMENT = 16 };
    void *memory =
        callbacks ? callbacks->pfnAllocation(callbacks->pUserData, size, ALIGNMENT, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT)
                  : malloc(size);
    if (!memory)
        return NULL;
    memset(memory, 0, size);
    count(&track->counters.live_objects, 1);
    count(&track->counters.live_bytes, size);
    return memory;
}

void object_free(struct track *track, const VkAllocationCallbacks *callbacks, void *memory, size_t size)
{
    if (!memory)
        return;
    count(&track->counters.live_objects, (uint64_t)-1);
    count(&track->counters.live_bytes, (uint64_t)0 - size);
    if (callbacks)
        callbacks->pfnFree(callbacks->pUserData, memory);
    else
        free(memory);
}

/* ---- Bad input ---- */

VkResult refuse_about(struct track *track, const struct message_object *objects, const char *call, const char *why)
{
    message_about(track->device, LOG_ERROR, objects, "%s: %s", call, why);
    return VK_ERROR_VALIDATION_FAILED_EXT;
}

VkResult refuse(struct track *track, const char *call, const char *why)
{
    return refuse_about(track, NULL, call, why);
}

VkResult refuse_misplaced(struct track *track, const char *call, const void *chain, VkStructureType belongs)
{
    const char *name = pnext_misplaced(chain, belongs);
    if (!name)
        return VK_SUCCESS;
    message_about(track->device, LOG_ERROR, NULL, "%s: %s does not belong in this chain", call, name);
    return VK_ERROR_VALIDATION_FAILED_EXT;
}
