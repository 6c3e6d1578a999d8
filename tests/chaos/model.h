/* SPDX-License-Identifier: MIT */
/*
 * What lookups of the chaos must give, by the reference sampler (tests/reference); texel buffers by their bytes. Pure
 * but for the textures and the bytes that it reads, which nobody writes.
 */
#ifndef CLAMPLER_CHAOS_MODEL_H
#define CLAMPLER_CHAOS_MODEL_H

#include "chaos/chaos.h"

/* Formats of texel buffers. */
struct texel_format {
    VkFormat vulkan;
    uint32_t base_format; /* GL's; 0: the format's own */
    uint8_t size;
    bool emulated; /* needs glBufferView, or a driver that has the format */
};

enum { TEXEL_FORMATS = 5 };
extern const struct texel_format texel_formats[TEXEL_FORMATS];

/* One lookup at all coordinates: of a view through a sampler, or (`sampler` NULL) of a texel buffer. */
struct model_lookup {
    const struct device *device;
    enum lookup_operation operation;
    const struct pushed *pushed;
    const struct view *view;
    const struct sampler *sampler;
    const struct texel_view *texels;
};

bool model_is_cubic(const struct sampler *sampler);

/* Are its levels those of derivatives, by which footprints are anisotropic? */
bool model_computes_levels(const struct model_lookup *lookup);

/*
 * Compares sixteen results of four values. True if all may be; else `text` says in words what differs, and from what.
 */
bool model_accepts(const struct model_lookup *lookup, const float seen[COORDINATES][4], char *text, size_t size);

#endif
