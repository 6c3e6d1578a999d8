/* SPDX-License-Identifier: MIT */
/*
 * Binaries for programs: the driver's binary of the passthrough tier (the payload), and behind it the SPIR-V that other
 * tiers are made from. Binaries of other versions of the layer are refused. The payload is right on devices that lay
 * sets out alike and have the same code (code_key.h); the SPIR-V is right on all.
 */
#ifndef CLAMPLER_MODULES_PACKED_CODE_H
#define CLAMPLER_MODULES_PACKED_CODE_H

#include "modules/shader_module.h"
#include "objects/track.h"

/* The code of one stage. */
struct packed_stage {
    VkShaderStageFlagBits stage;
    struct shader_module *module; /* NULL: code that the layer has not seen */
};

/* The contents of a binary; points into it. */
struct packed {
    bool same_code;               /* the payload is of a device with the same code */
    bool rooted;                  /* as packed_write() got it */
    const unsigned char *payload; /* aligned to 16 bytes as the binary is */
    size_t payload_size;
    uint32_t stage_count;
    const unsigned char *stages; /* of packed_next */
};

/* Bytes of a binary. */
size_t packed_size(size_t payload_size, const struct packed_stage *stages, uint32_t stage_count);
/*
 * Writes all but the payload, whose place it returns. `data` has packed_size bytes. `rooted`: it has all push constants
 * (layouts_rooted), where that is not the same as long as the device lives.
 */
unsigned char *packed_write(const struct track *track, bool rooted, void *data, size_t payload_size,
                            const struct packed_stage *stages, uint32_t stage_count);

/* False: none of the layer's, of another version, or cut off. */
bool packed_open(const struct track *track, const void *data, size_t size, struct packed *packed);
/* The next of its stages, with a reference to a new module. False: out of memory. */
bool packed_next(struct track *track, struct packed *packed, struct packed_stage *stage);

#endif
