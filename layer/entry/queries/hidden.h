/* SPDX-License-Identifier: MIT */
/*
 * Reasons for hiding an extension of the driver's where settings make the layer active, for the log and `clampler
 * caps`.
 */
#ifndef CLAMPLER_QUERIES_HIDDEN_H
#define CLAMPLER_QUERIES_HIDDEN_H

#include <string.h>

static inline const char *hidden_reason(const char *extension)
{
    return strcmp(extension, "VK_VALVE_descriptor_set_host_mapping")
               ? "this driver's descriptors leave no room for record indices within the sizes that Vulkan "
                 "allows"
               : "programs write sets in memory, where the layer cannot write records beside them";
}

#endif
