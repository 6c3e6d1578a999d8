/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "shrink.h"

static bool try_without(struct program *program, uint32_t first, uint32_t count,
                        bool (*fails)(const struct program *, void *), void *user)
{
    struct program shorter = *program;
    memmove(shorter.operations + first, shorter.operations + first + count,
            (shorter.count - first - count) * sizeof(shorter.operations[0]));
    shorter.count -= count;
    if (!shorter.count || !fails(&shorter, user))
        return false;
    *program = shorter;
    return true;
}

static void try_manner(struct program *program, struct manner manner, bool (*fails)(const struct program *, void *),
                       void *user)
{
    struct program other = *program;
    other.manner = manner;
    if (memcmp(&other.manner, &program->manner, sizeof(manner)) != 0 && fails(&other, user))
        *program = other;
}

/* Numbers that need not be what they are: zeros. */
static void try_zeros(struct program *program, bool (*fails)(const struct program *, void *), void *user)
{
    for (uint32_t i = 0; i < program->count; i++)
        for (int k = 0; k < NUMBERS; k++) {
            struct program other = *program;
            if (program->operations[i].numbers[k] == 0)
                continue;
            other.operations[i].numbers[k] = 0;
            if (fails(&other, user))
                *program = other;
        }
}

void program_shrink(struct program *program, bool (*fails)(const struct program *, void *user), void *user)
{
    for (uint32_t size = program->count / 2; size > 0; size /= 2) {
        bool shorter = true;
        while (shorter) {
            shorter = false;
            for (uint32_t first = program->count; first >= size; first = first > size ? first - size : 0) {
                if (first <= program->count && try_without(program, first - size, size, fails, user))
                    shorter = true;
                if (first == size)
                    break;
            }
            shorter &= size == 1;
        }
    }
    struct manner plain = program->manner;
    plain.render_pass = false;
    try_manner(program, plain, fails, user);
    plain = program->manner;
    plain.secondary = false;
    try_manner(program, plain, fails, user);
    plain = program->manner;
    plain.pipelines = PIPELINES_STATIC;
    try_manner(program, plain, fails, user);
    plain = program->manner;
    plain.binding = BINDING_COMBINED;
    try_manner(program, plain, fails, user);
    try_zeros(program, fails, user);
}
