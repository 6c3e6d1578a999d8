/* Vulkan's formats, from the registry that the build uses. */
#ifndef CLAMPLER_CLI_FORMATS_H
#define CLAMPLER_CLI_FORMATS_H

#include <stdint.h>

#include <vulkan/vulkan_core.h>

enum format_facts {
    FORMAT_ALPHA = 1,
    FORMAT_DEPTH = 2,
    FORMAT_INTEGER = 4, /* also stencil alone */
    FORMAT_RGB32 = 8,   /* three components of 32 bits */
};

struct format {
    VkFormat format;
    const char *name; /* without VK_FORMAT_ */
    uint32_t facts;   /* enum format_facts */
};

extern const struct format formats[]; /* ends with a name of NULL */

#endif
