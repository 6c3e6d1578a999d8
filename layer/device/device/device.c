/* SPDX-License-Identifier: MIT */
/* The map from dispatch keys to devices. Every hook begins with device_of(), so looking up takes no lock. */
#include "device/device.h"
#include "dispatch_map/dispatch_map.h"

struct dispatch_map device_map = DISPATCH_MAP_INITIALIZER;

struct device *device_of(const void *dispatchable)
{
    return dispatch_map_find(&device_map, dispatch_key(dispatchable));
}

bool device_publish(struct device *device)
{
    return dispatch_map_insert(&device_map, dispatch_key(device->handle), device);
}

void device_withdraw(VkDevice handle)
{
    dispatch_map_remove(&device_map, dispatch_key(handle));
}
