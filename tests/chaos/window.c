/* SPDX-License-Identifier: MIT */
#include "chaos/window.h"

#include "chaos/dice.h"

enum { PIECE = 64 * 1024 };

static void fill(struct device *device)
{
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = PIECE,
                                       .memoryTypeIndex = device->window_type};
    while (device->piece_count < WINDOW_PIECES) {
        const VkResult result = vkAllocateMemory(device->vk.device, &info, NULL, &device->pieces[device->piece_count]);
        if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY)
            break;
        if (result != VK_SUCCESS)
            chaos_fail(NULL, "filling the window: %d", result);
        device->piece_count++;
    }
    device->window_fills++;
}

void window_open(struct device *device, bool full)
{
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
                                         VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(device->vk.physical, &memory);
    const uint32_t last = memory.memoryTypeCount - 1;
    const VkMemoryType *type = &memory.memoryTypes[last];
    device->window = type->propertyFlags == wanted && memory.memoryHeaps[type->heapIndex].size <= WINDOW_PIECES * PIECE;
    device->window_type = last;
    if (device->window && full)
        fill(device);
}

void window_close(struct device *device)
{
    while (device->piece_count > 0)
        vkFreeMemory(device->vk.device, device->pieces[--device->piece_count], NULL);
}

bool window_change(struct device *device, struct dice *dice)
{
    if (!device->window)
        return false;
    if (device->piece_count == 0 || dice_below(dice, 2)) {
        fill(device);
        return true;
    }
    for (unsigned i = 1 + dice_below(dice, device->piece_count); i > 0; i--)
        vkFreeMemory(device->vk.device, device->pieces[--device->piece_count], NULL);
    return true;
}
