/* SPDX-License-Identifier: MIT */
/*
 * Texel view: format, range and GL state of a uniform texel buffer x what the device can do -> the driver's view and
 * the record that makes up the difference. OpenGL 4.6 section 8.9 and table 8.18; Vulkan section "Buffer Views".
 *
 * Pure: no Vulkan call, no global, no lock, no allocation.
 */
#ifndef CLAMPLER_TEXEL_VIEW_H
#define CLAMPLER_TEXEL_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "record/record.h"
#include "vulkan_clampler.h"

/* The most bytes that an emulated view can cover: they are counted in 32 bits. */
#define TEXEL_VIEW_BYTES UINT64_C(0xfffffff0)

/* Capabilities of the device, gathered once at device creation. */
struct texel_caps {
    bool views;                /* fetches of 32-bit words through the driver's view may be used */
    bool addresses;            /* loads through device addresses may be used */
    bool addresses_first;      /* where both are possible, loads are faster */
    bool narrow;               /* formats with components of less than 32 bits may be emulated */
    VkDeviceSize max_elements; /* maxTexelBufferElements */
    VkDeviceSize alignment;    /* of offsets of the driver's views, in bytes; a power of two */
};

struct texel_view_request {
    VkFormat format;
    VkDeviceSize offset, range;     /* bytes, as the program gave them; range may be VK_WHOLE_SIZE */
    VkDeviceSize size;              /* bytes of the buffer as the program created it */
    VkDeviceSize driver_size;       /* bytes of the driver's buffer, at least `size` */
    VkDeviceAddress address;        /* of the buffer; 0: it has none */
    bool native;                    /* the driver has UNIFORM_TEXEL_BUFFER for the format */
    bool gl;                        /* the next two are given */
    uint32_t internal_format, base; /* GL tokens; 0: what the format says */
};

enum texel_view_kind {
    TEXEL_VIEW_AS_IS,    /* the program's create-info is used; the record is zero */
    TEXEL_VIEW_REPLACED, /* the driver's view is made of the format, offset and range of the result */
    TEXEL_VIEW_REFUSED,  /* GL state that is not allowed or that this device cannot give; `reason` says why */
};

struct texel_view_result {
    enum texel_view_kind kind;
    VkFormat format;
    VkDeviceSize offset, range;
    struct texel_record record;
    char reason[200]; /* one line; "" for TEXEL_VIEW_AS_IS */
};

void texel_view_resolve(const struct texel_view_request *request, const struct texel_caps *caps,
                        struct texel_view_result *result);

/* Is the format in GL's table of buffer textures? Those can be read on every device. */
bool texel_view_is_listed(VkFormat format);

/* Texels of the largest view that every format of GL's table can have. */
VkDeviceSize texel_view_reach(const struct texel_caps *caps);

#endif
