/* SPDX-License-Identifier: MIT */
/*
 * Packs binaries: a head, the driver's binary, which must be aligned to 16 bytes where shader objects are made of it
 * (VUID-VkShaderCreateInfoEXT-pCode-08492), and from the next multiple of 4 each stage with its words. It may lie
 * anywhere, so nothing but bytes is read of it.
 */
#include "modules/packed_code.h"

#include <stdlib.h>
#include <string.h>

#include "modules/code_key.h"

struct head {
    char magic[16];
    uint64_t key;          /* code_key() of its device */
    uint64_t pushes;       /* packed.rooted */
    uint64_t payload_size; /* bytes */
    uint64_t stage_count;
};
_Static_assert(sizeof(struct head) % 16 == 0, "the payload stays aligned");

struct stage_head {
    uint32_t stage;
    uint32_t word_count; /* 0: no module */
};

static const char magic[16] = "CLAMPLER " CLAMPLER_VERSION;

static size_t stages_at(size_t payload_size)
{
    return sizeof(struct head) + ((payload_size + 3) & ~(size_t)3);
}

size_t packed_size(size_t payload_size, const struct packed_stage *stages, uint32_t stage_count)
{
    size_t size = stages_at(payload_size) + stage_count * sizeof(struct stage_head);
    for (uint32_t i = 0; i < stage_count; i++)
        size += stages[i].module ? stages[i].module->word_count * sizeof(uint32_t) : 0;
    return size;
}

unsigned char *packed_write(const struct track *track, bool rooted, void *data, size_t payload_size,
                            const struct packed_stage *stages, uint32_t stage_count)
{
    struct head head = {
        .key = code_key(track), .pushes = rooted, .payload_size = payload_size, .stage_count = stage_count};
    unsigned char *bytes = data, *at = bytes + stages_at(payload_size);
    memcpy(head.magic, magic, sizeof(magic));
    memcpy(bytes, &head, sizeof(head));
    memset(bytes + sizeof(head) + payload_size, 0, stages_at(payload_size) - sizeof(head) - payload_size);
    for (uint32_t i = 0; i < stage_count; i++) {
        const struct shader_module *module = stages[i].module;
        const struct stage_head stage = {(uint32_t)stages[i].stage, module ? (uint32_t)module->word_count : 0};
        memcpy(at, &stage, sizeof(stage));
        at += sizeof(stage);
        if (module)
            memcpy(at, module->words, module->word_count * sizeof(uint32_t));
        at += stage.word_count * sizeof(uint32_t);
    }
    return bytes + sizeof(head);
}

bool packed_open(const struct track *track, const void *data, size_t size, struct packed *packed)
{
    struct head head;
    if (size < sizeof(head))
        return false;
    memcpy(&head, data, sizeof(head));
    if (memcmp(head.magic, magic, sizeof(magic)) != 0 || head.payload_size > size - sizeof(head) ||
        stages_at((size_t)head.payload_size) > size)
        return false;
    *packed = (struct packed){.same_code = head.key == code_key(track),
                              .rooted = head.pushes,
                              .payload = (const unsigned char *)data + sizeof(head),
                              .payload_size = (size_t)head.payload_size,
                              .stages = (const unsigned char *)data + stages_at((size_t)head.payload_size)};
    size_t left = size - stages_at(packed->payload_size);
    const unsigned char *at = packed->stages;
    for (uint64_t i = 0; i < head.stage_count; i++) {
        struct stage_head stage;
        if (left < sizeof(stage))
            return false;
        memcpy(&stage, at, sizeof(stage));
        left -= sizeof(stage);
        if (stage.word_count > left / sizeof(uint32_t))
            return false;
        left -= stage.word_count * sizeof(uint32_t);
        at += sizeof(stage) + stage.word_count * sizeof(uint32_t);
    }
    packed->stage_count = (uint32_t)head.stage_count;
    return true;
}

bool packed_next(struct track *track, struct packed *packed, struct packed_stage *stage)
{
    struct stage_head head;
    memcpy(&head, packed->stages, sizeof(head));
    const unsigned char *words = packed->stages + sizeof(head);
    packed->stages = words + head.word_count * sizeof(uint32_t);
    *stage = (struct packed_stage){(VkShaderStageFlagBits)head.stage, NULL};
    if (head.word_count)
        stage->module = module_create(track, (const uint32_t *)(const void *)words, head.word_count);
    return stage->module || !head.word_count;
}
