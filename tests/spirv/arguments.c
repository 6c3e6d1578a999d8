/* SPDX-License-Identifier: MIT */
#include "arguments.h"

#include <stdlib.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

enum { HEADER_WORDS = 5, BOUND = 3, MARK_RELAXED = 1, MARK_OURS = 2 };

static const char prefix[] = "clampler_";

static uint32_t find(const uint32_t *words, size_t word_count, uint8_t *marks, uint32_t bound)
{
    for (size_t at = HEADER_WORDS; at < word_count;) {
        const uint32_t *inst = words + at;
        const uint32_t length = inst[0] >> SpvWordCountShift;
        if (length == 0 || length > word_count - at)
            return 0;
        at += length;
        switch (inst[0] & SpvOpCodeMask) {
        case SpvOpName:
            if (length > 1 + sizeof(prefix) / 4 && inst[1] < bound && memcmp(inst + 2, prefix, sizeof(prefix) - 1) == 0)
                marks[inst[1]] |= MARK_OURS;
            break;
        case SpvOpDecorate:
            if (length == 3 && inst[1] < bound && inst[2] == SpvDecorationRelaxedPrecision)
                marks[inst[1]] |= MARK_RELAXED;
            break;
        case SpvOpFunctionCall:
            for (uint32_t i = 4; inst[3] < bound && marks[inst[3]] & MARK_OURS && i < length; i++) {
                if (inst[i] < bound && marks[inst[i]] & MARK_RELAXED)
                    return inst[i];
            }
            break;
        default:
            break;
        }
    }
    return 0;
}

uint32_t arguments_find_relaxed(const uint32_t *words, size_t word_count)
{
    const uint32_t bound = word_count > HEADER_WORDS ? words[BOUND] : 0;
    uint8_t *marks = bound > 0 ? calloc(bound, 1) : NULL;
    const uint32_t found = marks ? find(words, word_count, marks, bound) : 0;
    free(marks);
    return found;
}
