/* SPDX-License-Identifier: MIT */
/*
 * What Vulkan's registry says of the things that a profile can name: tables that generate_registry.py writes from the
 * installed vk.xml. Constant data; any thread may read it.
 */
#ifndef LIMITED_DRIVER_REGISTRY_H
#define LIMITED_DRIVER_REGISTRY_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

enum registry_type { TYPE_U32, TYPE_I32, TYPE_U64, TYPE_I64, TYPE_SIZE, TYPE_FLOAT, TYPE_BOOL };

/* The registry's `limittype`: which direction makes a device poorer. */
enum registry_limit {
    LIMIT_NONE,    /* not to be compared: a profile cannot set it */
    LIMIT_MAX,     /* smaller is poorer */
    LIMIT_MIN,     /* larger is poorer */
    LIMIT_BITMASK, /* fewer bits are poorer; booleans too */
    LIMIT_RANGE,   /* a pair: narrower is poorer */
};

/* The first three structures are the ones without an sType, in this order. */
enum { REGISTRY_FEATURES, REGISTRY_LIMITS, REGISTRY_SPARSE_PROPERTIES };

/* A structure of features or properties. */
struct registry_structure {
    const char *name;
    VkStructureType type; /* VK_STRUCTURE_TYPE_MAX_ENUM: none */
    bool feature;         /* else properties */
    uint32_t first;       /* its members in registry_members */
    uint32_t count;
    uint32_t core;          /* the Vulkan version that has it, 0: none */
    const char *extensions; /* that have it, one space between names */
};

/* A member of such a structure; arrays and extents have several elements. */
struct registry_member {
    const char *name;
    uint16_t structure; /* in registry_structures */
    uint16_t offset;    /* bytes */
    uint16_t size;      /* bytes, of all elements */
    uint8_t type;       /* enum registry_type, of an element */
    uint8_t limit;      /* enum registry_limit */
};

struct registry_name {
    const char *name;
    uint64_t value;
};

struct registry_command {
    const char *name;       /* with its "vk" */
    uint32_t core;          /* the Vulkan version that has it, 0: none */
    const char *extensions; /* that have it, one space between names */
};

extern const struct registry_structure registry_structures[];
extern const uint32_t registry_structure_count;
extern const struct registry_member registry_members[];
extern const uint32_t registry_member_count;
extern const struct registry_name registry_formats[]; /* in order of value */
extern const uint32_t registry_format_count;
extern const struct registry_name registry_format_features[]; /* VK_FORMAT_FEATURE_2_<name>_BIT */
extern const uint32_t registry_format_feature_count;
extern const struct registry_command registry_commands[]; /* in order of name */
extern const uint32_t registry_command_count;
extern const char *const registry_extensions[];
extern const uint32_t registry_extension_count;

#endif
