/* SPDX-License-Identifier: MIT */
/*
 * The map from dispatch keys to devices, and the one device that is found without it. Every hook begins with
 * device_of() or device_known(), so looking up takes no lock.
 */
#include <pthread.h>

#include "device/device.h"
#include "dispatch_map/dispatch_map.h"

struct dispatch_map device_map = DISPATCH_MAP_INITIALIZER;
struct known_device known_device; /* written under the map's lock */

struct device *device_of(const void *dispatchable)
{
    return dispatch_map_find(&device_map, dispatch_key(dispatchable));
}

/* Call under the map's lock. */
static void know(void *object)
{
    struct device *device = object;
    if (!device->active || atomic_load_explicit(&known_device.key, memory_order_relaxed))
        return;
    known_device.device = device;
    atomic_store_explicit(&known_device.key, device->key, memory_order_release);
}

bool device_publish(struct device *device)
{
    device->key = dispatch_key(device->handle);
    if (!dispatch_map_insert(&device_map, device->key, device))
        return false;
    pthread_mutex_lock(&device_map.writers);
    know(device);
    pthread_mutex_unlock(&device_map.writers);
    return true;
}

/* Another active device becomes the known one, if there is any. */
void device_withdraw(VkDevice handle)
{
    const void *key = dispatch_key(handle);
    dispatch_map_remove(&device_map, key);
    pthread_mutex_lock(&device_map.writers);
    if (atomic_load_explicit(&known_device.key, memory_order_relaxed) == key) {
        atomic_store_explicit(&known_device.key, NULL, memory_order_relaxed);
        dispatch_map_visit(&device_map, know);
    }
    pthread_mutex_unlock(&device_map.writers);
}
