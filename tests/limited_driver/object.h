/* SPDX-License-Identifier: MIT */
/*
 * What the layer remembers of objects: a table from a handle and its type to a small structure. Drivers may give one
 * handle to several equal objects, so entries count references. Not thread-safe: the device's lock guards it.
 */
#ifndef LIMITED_DRIVER_OBJECT_H
#define LIMITED_DRIVER_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

/* How a sampler filters and what border it has, as far as views matter to that. */
struct sampler {
    bool linear;         /* a linear filter or mipmap mode, without compare */
    bool cubic;          /* a cubic filter */
    bool minmax;         /* a reduction mode that is not the average */
    bool compare;        /* depth comparison */
    bool border;         /* opaque black or custom border that an address mode reaches */
    bool border_mapping; /* VkSamplerBorderColorComponentMappingCreateInfoEXT */
    bool custom_border;
    VkSamplerYcbcrConversion conversion;
    uint32_t border_color[4]; /* bits of the border's channels, and of 1 in their type */
    uint32_t border_one;
};

struct image {
    VkFormat format;
    VkImageTiling tiling;
    VkImageUsageFlags usage;
};

struct view {
    VkFormat format;
    VkImageTiling tiling;
    bool swizzled;
    VkComponentMapping components;
};

struct buffer {
    VkDeviceSize size;
    VkBufferUsageFlags usage;
};

/* A binding of a set layout. */
struct binding {
    uint32_t number;
    VkDescriptorType type;
    uint32_t count;
    VkShaderStageFlags stages;
    VkSampler *immutable; /* count handles; NULL: none */
    uint64_t *serials;    /* of their objects: a handle may come again */
};

/* Shared by layouts, sets and pipeline layouts, which may outlive the VkDescriptorSetLayout. */
struct set_layout {
    uint32_t references;
    VkDescriptorSetLayoutCreateFlags flags;
    uint32_t binding_count;
    struct binding *bindings; /* in order of number */
};

struct pipeline_layout {
    uint32_t set_count;
    struct set_layout **sets; /* a NULL for VK_NULL_HANDLE */
};

struct set {
    struct set_layout *layout;
    VkDescriptorPool pool;
};

struct template
{
    uint32_t entry_count;
    VkDescriptorUpdateTemplateEntry *entries;
};

enum { RENDER_PASS_ATTACHMENTS = 16 };
struct subpass {
    uint32_t count;
    VkFormat formats[RENDER_PASS_ATTACHMENTS]; /* of colour attachments; UNDEFINED: unused */
};

struct render_pass {
    uint32_t subpass_count;
    struct subpass *subpasses;
};

struct object {
    struct object *next; /* of the bucket */
    VkObjectType type;
    uint64_t handle, serial; /* no other object has this number */
    uint32_t references;
    union {
        struct sampler sampler;
        struct image image;
        struct view view;
        struct buffer buffer;
        struct set_layout *set_layout;
        struct pipeline_layout pipeline_layout;
        struct set set;
        struct template template;
        struct render_pass render_pass;
        VkDeviceSize window_bytes; /* of memory that is in the window (memory.c) */
    };
};

enum { OBJECT_BUCKETS = 4096 };
struct object_table {
    struct object *buckets[OBJECT_BUCKETS];
    uint64_t serial; /* of the newest */
};

/* The handle of a non-dispatchable object as a number. */
#define HANDLE(object) ((uint64_t)(object))

struct object *object_find(const struct object_table *table, VkObjectType type, uint64_t handle);

/*
 * The entry of a new object, zeroed; of one with that handle already, with one more reference and `*known` true. NULL
 * without memory: the object then stays unjudged.
 */
struct object *object_add(struct object_table *table, VkObjectType type, uint64_t handle, bool *known);

/* Takes a reference away, and with the last one the entry and what it owns. Unknown handles are nothing. */
void object_remove(struct object_table *table, VkObjectType type, uint64_t handle);

/* Removes the sets of a pool. */
void object_remove_sets(struct object_table *table, VkDescriptorPool pool);

/* Removes everything. */
void object_clear(struct object_table *table);

/* Lets go of a set layout; NULL is nothing. */
void set_layout_release(struct set_layout *layout);

/* The binding of that number, NULL: none. */
const struct binding *set_layout_binding(const struct set_layout *layout, uint32_t number);

#endif
