/* SPDX-License-Identifier: MIT */
#include "object.h"

#include <stdlib.h>
#include <string.h>

static uint32_t bucket_of(VkObjectType type, uint64_t handle)
{
    uint64_t mixed = (handle ^ ((uint64_t)type << 56)) * 0x9e3779b97f4a7c15ull;
    return (uint32_t)(mixed >> 32) % OBJECT_BUCKETS;
}

struct object *object_find(const struct object_table *table, VkObjectType type, uint64_t handle)
{
    if (!handle)
        return NULL;
    struct object *object = table->buckets[bucket_of(type, handle)];
    while (object && (object->handle != handle || object->type != type))
        object = object->next;
    return object;
}

struct object *object_add(struct object_table *table, VkObjectType type, uint64_t handle, bool *known)
{
    struct object *object = object_find(table, type, handle);
    *known = object != NULL;
    if (object) {
        object->references++;
        return object;
    }
    object = calloc(1, sizeof(*object));
    if (!object)
        return NULL;
    struct object **bucket = &table->buckets[bucket_of(type, handle)];
    object->type = type;
    object->handle = handle;
    object->serial = ++table->serial;
    object->references = 1;
    object->next = *bucket;
    *bucket = object;
    return object;
}

void set_layout_release(struct set_layout *layout)
{
    if (!layout || --layout->references)
        return;
    for (uint32_t i = 0; i < layout->binding_count; i++) {
        free(layout->bindings[i].immutable);
        free(layout->bindings[i].serials);
    }
    free(layout->bindings);
    free(layout);
}

const struct binding *set_layout_binding(const struct set_layout *layout, uint32_t number)
{
    for (uint32_t i = 0; i < layout->binding_count; i++)
        if (layout->bindings[i].number == number)
            return &layout->bindings[i];
    return NULL;
}

static void object_free(struct object *object)
{
    switch (object->type) {
    case VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT:
        set_layout_release(object->set_layout);
        break;
    case VK_OBJECT_TYPE_DESCRIPTOR_SET:
        set_layout_release(object->set.layout);
        break;
    case VK_OBJECT_TYPE_PIPELINE_LAYOUT:
        for (uint32_t i = 0; i < object->pipeline_layout.set_count; i++)
            set_layout_release(object->pipeline_layout.sets[i]);
        free(object->pipeline_layout.sets);
        break;
    case VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE:
        free(object->template.entries);
        break;
    case VK_OBJECT_TYPE_RENDER_PASS:
        free(object->render_pass.subpasses);
        break;
    default:
        break;
    }
    free(object);
}

void object_remove(struct object_table *table, VkObjectType type, uint64_t handle)
{
    struct object **link = &table->buckets[bucket_of(type, handle)];
    while (*link && ((*link)->handle != handle || (*link)->type != type))
        link = &(*link)->next;
    struct object *object = *link;
    if (!object || --object->references)
        return;
    *link = object->next;
    object_free(object);
}

void object_remove_sets(struct object_table *table, VkDescriptorPool pool)
{
    for (uint32_t i = 0; i < OBJECT_BUCKETS; i++) {
        struct object **link = &table->buckets[i];
        while (*link) {
            struct object *object = *link;
            if (object->type == VK_OBJECT_TYPE_DESCRIPTOR_SET && object->set.pool == pool) {
                *link = object->next;
                object_free(object);
            } else {
                link = &object->next;
            }
        }
    }
}

void object_clear(struct object_table *table)
{
    for (uint32_t i = 0; i < OBJECT_BUCKETS; i++) {
        while (table->buckets[i]) {
            struct object *object = table->buckets[i];
            table->buckets[i] = object->next;
            object_free(object);
        }
    }
}
