/* SPDX-License-Identifier: MIT */
#include "chaos/operations.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chaos/chaos.h"

enum { SEGMENT = 120, LATE = 3 }; /* operations of each actor, before the device has one */

/* How often an operation comes, among the sum of all. */
static const struct {
    const char *name;
    unsigned weight;
} kinds[OPERATIONS] = {
    [OPERATION_SAMPLER] = {"sampler", 250},
    [OPERATION_VIEW] = {"view", 250},
    [OPERATION_TEXEL_VIEW] = {"texel-view", 100},
    [OPERATION_LAYOUT] = {"layout", 60},
    [OPERATION_TEMPLATE] = {"template", 60},
    [OPERATION_PIPELINE] = {"pipeline", 8},
    [OPERATION_RETIRED] = {"retired", 40},
    [OPERATION_ALLOCATE] = {"allocate", 100},
    [OPERATION_FREE] = {"free", 60},
    [OPERATION_RESET_POOL] = {"reset-pool", 20},
    [OPERATION_DESTROY_POOL] = {"destroy-pool", 10},
    [OPERATION_UPDATE] = {"update", 1200},
    [OPERATION_UPDATE_WITH_TEMPLATE] = {"update-with-template", 250},
    [OPERATION_UPDATE_BY_TWO] = {"update-by-two", 120},
    [OPERATION_RECORD] = {"record", 700},
    [OPERATION_SECONDARY] = {"secondary", 120},
    [OPERATION_SUBMIT] = {"submit", 300},
    [OPERATION_SUBMIT_AGAIN] = {"submit-again", 150},
    [OPERATION_WAIT] = {"wait", 150},
    [OPERATION_FREE_COMMANDS] = {"free-commands", 20},
    [OPERATION_RESET_COMMANDS] = {"reset-commands", 10},
    [OPERATION_PLACED_PIPELINE] = {"placed-pipeline", 12},
    [OPERATION_PLACED_SET] = {"placed-set", 60},
    [OPERATION_PLACED_UPDATE] = {"placed-update", 600},
    [OPERATION_PLACED_RECORD] = {"placed-record", 600},
    [OPERATION_PLACED_ANEW] = {"placed-anew", 4},
    [OPERATION_FLAGGED] = {"flagged-pipeline", 0},
    [OPERATION_BINARY] = {"binary-pipeline", 0},
    [OPERATION_LINK] = {"link", 0},
    [OPERATION_FILL] = {"fill", 0},
    [OPERATION_GUEST] = {"guest", 0},
    [OPERATION_ORDER] = {"order", 0},
    [OPERATION_COMPARE] = {"compare", 0},
    [OPERATION_SHARE] = {"share", 0},
    [OPERATION_WINDOW] = {"window", 0},
};

const char *operation_name(enum operation_kind kind)
{
    return kinds[kind].name;
}

/* `placed`: also those of placed descriptors, which devices of even seeds have none of. */
static enum operation_kind choose_kind(bool placed, struct dice *dice)
{
    unsigned sum = 0, kind = 0;
    for (unsigned i = 0; i < (placed ? OPERATION_FLAGGED : OPERATION_PLACED_PIPELINE); i++)
        sum += kinds[i].weight;
    unsigned chosen = dice_below(dice, sum);
    while (chosen >= kinds[kind].weight)
        chosen -= kinds[kind++].weight;
    return (enum operation_kind)kind;
}

/* ---- From a seed ---- */

static void add(struct operations *operations, size_t most, enum operation_kind kind, unsigned device, int actor,
                struct dice *dice)
{
    const uint32_t number = dice_below(dice, UINT32_MAX);
    if (operations->count < most)
        operations->list[operations->count++] =
            (struct operation){(uint8_t)kind, (uint8_t)device, (int8_t)actor, number};
}

static void add_first(struct operations *operations, size_t most, unsigned device, int actor, struct dice *dice)
{
    static const enum operation_kind first[] = {
        OPERATION_SAMPLER,    OPERATION_SAMPLER,  OPERATION_SAMPLER,  OPERATION_SAMPLER,
        OPERATION_VIEW,       OPERATION_VIEW,     OPERATION_VIEW,     OPERATION_TEXEL_VIEW,
        OPERATION_TEXEL_VIEW, OPERATION_LAYOUT,   OPERATION_LAYOUT,   OPERATION_LAYOUT,
        OPERATION_TEMPLATE,   OPERATION_TEMPLATE, OPERATION_PIPELINE, OPERATION_PIPELINE};
    for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++)
        add(operations, most, first[i], device, actor, dice);
}

/* What came last has dice of its own: what came before does what it did. */
static void add_late(struct operations *operations, size_t most, unsigned actors, unsigned threads, struct dice *dice)
{
    for (unsigned i = 0; i < LATE * actors; i++) {
        const unsigned actor = dice_below(dice, actors);
        const unsigned kinds_of_it = (operations->capabilities ? OPERATION_SHARE : OPERATION_ORDER) - OPERATION_FLAGGED;
        const enum operation_kind kind = (enum operation_kind)(OPERATION_FLAGGED + dice_below(dice, kinds_of_it));
        add(operations, most, kind, actor / threads, (int)(actor % threads), dice);
    }
}

void operations_generate(struct operations *operations, uint64_t seed, unsigned devices, unsigned threads, bool more,
                         bool lookups, bool capabilities, size_t count)
{
    struct dice dice = dice_of(seed), late = dice_of(~seed), windows = dice_of(seed + UINT64_MAX / 2);
    *operations = (struct operations){.seed = seed,
                                      .devices = devices,
                                      .threads = threads,
                                      .more = more,
                                      .lookups = lookups,
                                      .capabilities = capabilities,
                                      .list = harness_alloc(count, sizeof(struct operation))};
    for (unsigned i = 0; i < devices * threads; i++)
        add_first(operations, count, i / threads, (int)(i % threads), &dice);
    while (operations->count < count) {
        if (more)
            add_late(operations, count, devices * threads, threads, &late);
        for (unsigned i = 0; i < SEGMENT * threads * devices; i++) {
            const unsigned actor = dice_below(&dice, devices * threads);
            add(operations, count, choose_kind(more && seed % 2, &dice), actor / threads, (int)(actor % threads),
                &dice);
        }
        for (unsigned i = 0; i < devices; i++)
            for (unsigned more = 1 + dice_below(&dice, 3); more; more--)
                add(operations, count, OPERATION_SHARE, i, -1, &dice);
        for (unsigned i = 0; i < devices && capabilities; i++)
            if (dice_below(&windows, 2))
                add(operations, count, OPERATION_WINDOW, i, -1, &windows);
    }
}

/* ---- Files ---- */

static bool read_operation(const char *line, const struct operations *operations, struct operation *operation)
{
    char name[32], actor[8];
    unsigned device;
    unsigned kind = 0;
    if (sscanf(line, "%31s %u %7s %" SCNx32, name, &device, actor, &operation->number) != 4)
        return false;
    while (kind < OPERATIONS && strcmp(kinds[kind].name, name) != 0)
        kind++;
    const long number = actor[0] == '-' ? -1 : strtol(actor, NULL, 10);
    operation->kind = (uint8_t)kind;
    operation->device = (uint8_t)device;
    operation->actor = (int8_t)number;
    return kind < OPERATIONS && device < operations->devices && number < (long)operations->threads &&
           (number == -1) == (kind >= OPERATION_SHARE);
}

bool operations_read(struct operations *operations, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[2048];
    size_t room = 1024, number = 0;
    *operations = (struct operations){.list = harness_alloc(room, sizeof(struct operation))};
    if (!file)
        fprintf(stderr, "chaos: %s cannot be read\n", path);
    while (file && fgets(line, sizeof(line), file)) {
        number++;
        if (line[0] == '#' || line[0] == '\n')
            continue;
        if (!operations->devices) {
            if (sscanf(line, "seed %" SCNu64 " devices %u threads %u", &operations->seed, &operations->devices,
                       &operations->threads) == 3 &&
                operations->devices && operations->devices <= CHAOS_DEVICES && operations->threads &&
                operations->threads <= CHAOS_THREADS) {
                operations->more = strstr(line, " more") != NULL;
                operations->lookups = strstr(line, " lookups") != NULL;
                operations->capabilities = strstr(line, " capabilities") != NULL;
                continue;
            }
            operations->devices = 0;
        }
        if (operations->count == room) {
            room *= 2;
            operations->list = realloc(operations->list, room * sizeof(struct operation));
            if (!operations->list)
                harness_fail("no memory for %zu operations", room);
        }
        if (!operations->devices || !read_operation(line, operations, &operations->list[operations->count++])) {
            fprintf(stderr, "chaos: %s, line %zu is no operation: %s", path, number, line);
            fclose(file);
            return false;
        }
    }
    if (file)
        fclose(file);
    return file != NULL;
}

bool operations_write(const struct operations *operations, const char *path, const char *comment)
{
    FILE *file = fopen(path, "w");
    bool good = file != NULL;
    if (good) {
        fprintf(file, "%sseed %" PRIu64 " devices %u threads %u%s%s%s\n", comment ? comment : "", operations->seed,
                operations->devices, operations->threads, operations->more ? " more" : "",
                operations->lookups ? " lookups" : "", operations->capabilities ? " capabilities" : "");
        for (size_t i = 0; i < operations->count; i++) {
            const struct operation *operation = &operations->list[i];
            if (operation->actor < 0)
                fprintf(file, "%s %u - %" PRIx32 "\n", kinds[operation->kind].name, operation->device,
                        operation->number);
            else
                fprintf(file, "%s %u %d %" PRIx32 "\n", kinds[operation->kind].name, operation->device,
                        operation->actor, operation->number);
        }
        good = !ferror(file);
        good &= fclose(file) == 0;
    }
    if (!good)
        fprintf(stderr, "chaos: %s cannot be written\n", path);
    return good;
}
