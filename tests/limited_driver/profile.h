/* SPDX-License-Identifier: MIT */
/*
 * A profile: what the limited driver hides of the device below it. README.md describes the text format.
 *
 * Plain data and pure functions, no Vulkan call. A profile is filled by one thread (profile_parse, profile_load, then
 * profile_finish) and read-only from then on, when any thread may read it.
 */
#ifndef LIMITED_DRIVER_PROFILE_H
#define LIMITED_DRIVER_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

#include "registry.h"

/* Where a format's features are used. */
enum profile_tiling { PROFILE_LINEAR, PROFILE_OPTIMAL, PROFILE_BUFFER, PROFILE_TILINGS };

/* A limit's value as the profile gives it: `real` for floats, `whole` for the rest (signed ones by two's complement).
 */
union profile_value {
    uint64_t whole;
    double real;
};

enum { PROFILE_ELEMENTS = 4 }; /* of the longest limit that can be set */

struct profile;

/* An empty profile, which hides nothing; NULL without memory. */
struct profile *profile_create(void);
void profile_destroy(struct profile *profile);

/*
 * Adds the rules of a text; `source` stands in messages, `folder` is where `include` looks. Adds the rules of a file:
 * a name without '/' is FOLDER/NAME.txt. Both return false at the first wrong line and leave the reason in
 * profile_error().
 */
bool profile_parse(struct profile *profile, const char *text, const char *source, const char *folder);
bool profile_load(struct profile *profile, const char *name, const char *folder);
const char *profile_error(const struct profile *profile);

/* Draws the conclusions: structures of hidden extensions are hidden too. Call once, after the last rule. */
void profile_finish(struct profile *profile);

/* The Vulkan version that the profile allows at most; UINT32_MAX: any. */
uint32_t profile_api_version(const struct profile *profile);

/* Bytes of the GPU's memory that the host sees, where the profile says how many; 0: as the driver has it. */
VkDeviceSize profile_window(const struct profile *profile);

bool profile_hides_extension(const struct profile *profile, const char *name);

/* Whether every version and extension that has the command is hidden; false for commands the registry has not. */
bool profile_hides_command(const struct profile *profile, const char *name);

/* Whether a feature of that name is hidden in any structure. */
bool profile_hides_feature(const struct profile *profile, const char *name);

/* The first element of a limit that the profile sets; false where it sets none of that name. */
bool profile_limit(const struct profile *profile, const char *name, union profile_value *value);

/* Hidden bits of VkFormatFeatureFlags2. */
uint64_t profile_hidden_format_features(const struct profile *profile, VkFormat format, enum profile_tiling tiling);

/* Takes what is hidden out of a structure's members (index in registry_structures). */
void profile_reduce(const struct profile *profile, uint32_t structure, void *data);

/* The same for every known structure of a chain of query results. */
void profile_reduce_chain(const struct profile *profile, void *chain);

/* The name of the first member of a feature structure that is VK_TRUE although it is hidden; NULL: none. */
const char *profile_hidden_feature_in(const struct profile *profile, uint32_t structure, const void *data);

/* The structure of that sType in registry_structures, UINT32_MAX where there is none. */
uint32_t profile_structure(VkStructureType type);

#endif
