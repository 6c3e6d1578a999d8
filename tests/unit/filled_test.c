/* SPDX-License-Identifier: MIT */
/*
 * The table of what happens to alpha in memory (layer/semantics/filled), played through against models that know
 * nothing of it: every combination of a pass and of a resolve against memory of two texels, and any ways in any order,
 * of several recordings at a time, against what is in memory. Both ways: what counts as one is one, and nothing is
 * filled or forgotten without need. Undefined contents are the worst ones.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "blend/blend.h"
#include "filled/filled.h"
#include "filled/ways.h"

#define LOAD_OP_NONE ((VkAttachmentLoadOp)1000400000)
#define STORE_OP_NONE ((VkAttachmentStoreOp)1000301000)

/* ---- One pass ---- */

/* Whether alpha is 1 within the area of the pass, and outside of it. */
struct texels {
    bool inside, outside;
};

static bool all_one(const struct texels *memory, bool covered)
{
    return memory->inside && (covered || memory->outside);
}

/* What Vulkan and the layer's draws and clears make of memory, whatever the table says. Worst case. */
static void play_pass(const struct filled_load *load, struct texels *memory)
{
    if (load->layout == FILLED_LAYOUT_UNDEFINED)
        *memory = (struct texels){false, false};
    if (!load->used)
        return;
    const bool undefined = load->layout == FILLED_LAYOUT_UNDEFINED && load->fills; /* then the layer clears */
    if (!load->resumed && (load->load == VK_ATTACHMENT_LOAD_OP_CLEAR || load->load == VK_ATTACHMENT_LOAD_OP_DONT_CARE ||
                           (load->load == VK_ATTACHMENT_LOAD_OP_LOAD && undefined)))
        memory->inside = load->fills;
    if (!load->resumed && load->load == LOAD_OP_NONE)
        memory->inside = false;
    if (!load->fills)
        memory->inside = false; /* a draw with alpha */
    if (load->store != VK_ATTACHMENT_STORE_OP_STORE)
        memory->inside = false;
}

static void check_pass(const struct filled_load *load, enum filled_state state)
{
    const struct filled_loaded loaded = filled_load(load);
    struct texels memory = {state == FILLED_ONE, state == FILLED_ONE};
    const bool reads = load->fills && load->used && !load->resumed && load->layout != FILLED_LAYOUT_UNDEFINED &&
                       load->load != LOAD_OP_NONE && (load->load == VK_ATTACHMENT_LOAD_OP_LOAD || !load->covered);
    assert_true(loaded.before == FILLED_LEAVES || loaded.before == FILLED_FILLS);
    assert_int_equal(loaded.before == FILLED_FILLS, reads && load->fillable); /* neither too little nor too much */
    if (loaded.before == FILLED_FILLS)
        memory = (struct texels){true, true};
    play_pass(load, &memory);
    const bool one = loaded.after == FILLED_FILLS || (loaded.after == FILLED_LEAVES && state == FILLED_ONE);
    assert_int_equal(one, all_one(&memory, load->covered));
}

static void every_pass_leaves_what_the_table_says(void **state)
{
    (void)state;
    static const VkAttachmentLoadOp loads[] = {VK_ATTACHMENT_LOAD_OP_LOAD, VK_ATTACHMENT_LOAD_OP_CLEAR,
                                               VK_ATTACHMENT_LOAD_OP_DONT_CARE, LOAD_OP_NONE};
    static const VkAttachmentStoreOp stores[] = {VK_ATTACHMENT_STORE_OP_STORE, VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                                 STORE_OP_NONE};
    uint32_t played = 0;
    for (uint32_t bits = 0; bits < 32; bits++) {
        for (uint32_t i = 0; i < 4 * 3 * 3 * 3; i++) {
            const struct filled_load load = {.fills = bits & 1,
                                             .used = bits & 2,
                                             .covered = bits & 4,
                                             .fillable = bits & 8,
                                             .resumed = bits & 16,
                                             .load = loads[i % 4],
                                             .layout = (enum filled_layout)(1u << i / 4 % 3),
                                             .store = stores[i / 12 % 3]};
            const enum filled_state before = (enum filled_state)(i / 36);
            /* An image that is one has left the layout that it was created in, and what goes on is in no such layout.
             */
            if (load.layout == FILLED_LAYOUT_INITIAL && before == FILLED_ONE)
                continue;
            if (load.resumed && (load.layout != FILLED_LAYOUT_KEPT || !load.used))
                continue; /* dynamic rendering */
            check_pass(&load, before);
            played++;
        }
    }
    assert_true(played > 1500);
}

static void every_resolve_leaves_what_the_table_says(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 64; bits++) {
        const struct filled_resolve resolve = {.fills = bits & 1,
                                               .alpha_one = bits & 2,
                                               .covered = bits & 4,
                                               .fillable = bits & 8,
                                               .store = bits & 16 ? VK_ATTACHMENT_STORE_OP_STORE
                                                                  : VK_ATTACHMENT_STORE_OP_DONT_CARE};
        const bool before = bits & 32;
        const struct filled_resolved resolved = filled_resolve(&resolve);
        struct texels memory = {before, before};
        memory.inside = resolve.fills && resolve.alpha_one && resolve.store == VK_ATTACHMENT_STORE_OP_STORE;
        const bool fill = resolve.fills && !resolve.alpha_one && resolve.fillable && (bits & 16);
        assert_int_equal(resolved.end == FILLED_FILLS, fill);
        assert_true(resolved.end == FILLED_FILLS || resolved.end == FILLED_LEAVES);
        bool one = resolved.begin == FILLED_FILLS || (resolved.begin == FILLED_LEAVES && before);
        assert_true(!one || !fill); /* it is not one until it is filled */
        if (!fill && resolve.store == VK_ATTACHMENT_STORE_OP_STORE)
            assert_int_equal(one, all_one(&memory, resolve.covered));
        else
            assert_false(one);
    }
}

/* ---- Any ways in any order ---- */

enum { LEVELS = 2, LAYERS = 3, SUBRESOURCES = LEVELS * LAYERS, RECORDINGS = 3, KINDS = 2, MOST_STEPS = 8 };

static uint32_t random_state;

static uint32_t dice(uint32_t sides)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 12) % sides;
}

struct step {
    enum filled_effect effect;
    struct filled_range range;
    uint32_t kind;
};

/* A recording, and memory as it is where nothing but that recording is executed: the kind that it is filled as, or 0.
 */
struct recorder {
    struct filled_recording recording;
    uint32_t memory[SUBRESOURCES];
    bool lost[SUBRESOURCES]; /* another recording has filled it since */
};

/* A secondary command buffer, of which all is known to the model. */
struct secondary {
    struct filled_recording recording;
    struct step steps[MOST_STEPS];
    uint32_t count;
};

static bool within(struct filled_range range, uint32_t subresource)
{
    const uint32_t level = subresource / LAYERS, layer = subresource % LAYERS;
    return level >= range.level && level - range.level < range.level_count && layer >= range.layer &&
           layer - range.layer < range.layer_count;
}

static struct filled_range any_range(void)
{
    struct filled_range range = {dice(LEVELS), 1 + dice(LEVELS), dice(LAYERS), 1 + dice(LAYERS)};
    if (!dice(4))
        range.level_count = range.layer_count = UINT32_MAX; /* VK_REMAINING_* */
    return range;
}

static struct step any_step(void)
{
    struct step step = {(enum filled_effect)dice(4), any_range(), 1 + dice(KINDS)};
    if (dice(2))
        step.effect = FILLED_FILLS;
    return step;
}

static void change_memory(uint32_t memory[SUBRESOURCES], const struct step *step)
{
    for (uint32_t i = 0; i < SUBRESOURCES; i++) {
        if (within(step->range, i) && step->effect != FILLED_LEAVES)
            memory[i] = step->effect == FILLED_FILLS ? step->kind : 0;
    }
}

static void lose(struct recorder recorders[RECORDINGS], const struct recorder *by, const struct step *step)
{
    for (uint32_t r = 0; r < RECORDINGS && step->effect == FILLED_FILLS; r++) {
        for (uint32_t i = 0; i < SUBRESOURCES; i++) {
            if (within(step->range, i))
                recorders[r].lost[i] = &recorders[r] != by;
        }
    }
}

static void check_state(const struct filled *filled, const struct recorder *recorder)
{
    const struct filled_range range = any_range();
    const uint32_t kind = 1 + dice(KINDS);
    bool one = true, lost = false;
    for (uint32_t i = 0; i < SUBRESOURCES; i++) {
        if (within(range, i)) {
            one &= recorder->memory[i] == kind;
            lost |= recorder->lost[i];
        }
    }
    const bool reported = filled_state(filled, range, &recorder->recording, kind) == FILLED_ONE;
    assert_true(!reported || one);         /* not too little is filled */
    assert_true(reported || !one || lost); /* not too much */
}

static uint64_t last_number;

static void begin(struct recorder *recorder)
{
    memset(recorder, 0, sizeof(*recorder));
    filled_begin(&recorder->recording, ++last_number);
}

static void record(struct filled *filled, struct secondary *secondary, struct recorder recorders[RECORDINGS])
{
    secondary->count = dice(MOST_STEPS);
    filled_begin(&secondary->recording, ++last_number);
    for (uint32_t i = 0; i < secondary->count; i++) {
        struct step *step = &secondary->steps[i];
        *step = any_step();
        if (dice(3))
            step->effect = dice(2) ? FILLED_FILLS : FILLED_LEAVES;
        if (dice(2))
            step->kind = 1;
        /* Before the image has marks, too: what it did is needed when it is executed. */
        filled_apply(dice(2) ? filled : NULL, step->range, &secondary->recording, step->effect, step->kind);
        lose(recorders, NULL, step);
    }
}

static void execute(struct recorder *recorder, const struct secondary *secondary)
{
    bool dirties = secondary == NULL;
    uint32_t kinds = recorder->recording.kinds;
    for (uint32_t i = 0; secondary && i < secondary->count; i++) {
        const struct step *step = &secondary->steps[i];
        change_memory(recorder->memory, step);
        dirties |= step->effect == FILLED_DIRTIES || step->effect == FILLED_FORGETS;
        if (step->effect == FILLED_FILLS)
            kinds |= 1u << step->kind;
    }
    const bool forgets = filled_execute(&recorder->recording, secondary ? &secondary->recording : NULL);
    /* Where all was filled as one kind, nothing is forgotten; what the secondary filled, it may tell nobody. */
    if (!dirties && (kinds & (kinds - 1)) == 0)
        assert_false(forgets);
    if (forgets) {
        filled_forget(&recorder->recording, ++last_number);
        memset(recorder->memory, 0, sizeof(recorder->memory));
    }
    for (uint32_t i = 0; i < SUBRESOURCES && secondary && !forgets; i++)
        recorder->lost[i] |= secondary->recording.kinds != 0;
}

static void any_ways_in_any_order_are_as_memory_is(void **state)
{
    (void)state;
    struct recorder recorders[RECORDINGS];
    struct secondary secondaries[2];
    struct filled *filled = calloc(1, filled_bytes(LEVELS, LAYERS));
    assert_non_null(filled);
    filled_init(filled, LEVELS, LAYERS);
    random_state = 1;
    for (uint32_t r = 0; r < RECORDINGS; r++)
        begin(&recorders[r]);
    for (uint32_t i = 0; i < 2; i++)
        record(filled, &secondaries[i], recorders);
    for (uint32_t i = 0; i < 200000; i++) {
        struct recorder *recorder = &recorders[dice(4) ? 0 : dice(RECORDINGS)];
        const struct step step = any_step();
        switch (dice(16)) {
        case 0:
            begin(recorder);
            break;
        case 1:
            record(filled, &secondaries[dice(2)], recorders);
            break;
        case 2:
            execute(recorder, dice(8) ? &secondaries[dice(2)] : NULL);
            break;
        default:
            filled_apply(filled, step.range, &recorder->recording, step.effect, step.kind);
            change_memory(recorder->memory, &step);
            lose(recorders, recorder, &step);
        }
        for (uint32_t r = 0; r < RECORDINGS; r++)
            check_state(filled, &recorders[r]);
    }
    free(filled);
}

/* ---- Threads ---- */

static struct filled *shared;
static _Atomic(uint64_t) numbers;

static void *hammer(void *user)
{
    (void)user;
    const struct filled_range all = {0, UINT32_MAX, 0, UINT32_MAX}, first = {0, 1, 1, 1};
    uintptr_t wrong = 0, seen = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        struct filled_recording recording;
        filled_begin(&recording, atomic_fetch_add(&numbers, 1) + 1);
        wrong += filled_state(shared, all, &recording, 1) != FILLED_UNKNOWN;
        filled_apply(shared, all, &recording, FILLED_FILLS, 1);
        seen += filled_state(shared, all, &recording, 1) == FILLED_ONE;
        filled_apply(shared, first, &recording, FILLED_DIRTIES, 0);
        wrong += filled_state(shared, all, &recording, 1) == FILLED_ONE;
        wrong += filled_state(shared, first, &recording, 1) == FILLED_ONE;
    }
    return (void *)(wrong ? UINTPTR_MAX : seen);
}

static void threads_take_nobody_elses_word(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    uintptr_t seen = 0;
    shared = calloc(1, filled_bytes(LEVELS, LAYERS));
    assert_non_null(shared);
    filled_init(shared, LEVELS, LAYERS);
    for (uint32_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, hammer, NULL), 0);
    for (uint32_t i = 0; i < THREADS; i++) {
        void *result;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_true((uintptr_t)result != UINTPTR_MAX);
        seen += (uintptr_t)result;
    }
    assert_true(seen > 0);
    free(shared);
}

/* ---- Commands, barriers, images ---- */

static void commands_that_know_no_alpha_dirty(void **state)
{
    (void)state;
#define ROW(NAME, EFFECT) assert_int_equal(filled_effect(FILLED_##NAME), FILLED_DIRTIES);
    FILLED_COMMANDS(ROW)
#undef ROW
    assert_int_equal(filled_effect(FILLED_CLEAR_TO_ONE), FILLED_FILLS);
    assert_int_equal(filled_effect(FILLED_FILL), FILLED_FILLS);
    assert_int_equal(filled_effect(FILLED_GATED_FILL), FILLED_FORGETS);
    assert_int_equal(filled_effect(FILLED_HOST_WAIT), FILLED_FORGETS);
    assert_int_equal(filled_effect(FILLED_MIXED_PASS), FILLED_FORGETS);
    assert_int_equal(filled_effect(FILLED_UNKNOWING_PASS), FILLED_FORGETS);
    assert_int_equal(filled_effect(FILLED_UNCHANGED_DRAW), FILLED_FORGETS);
    assert_int_equal(filled_effect(FILLED_SECONDARY), FILLED_FORGETS);
}

static void barriers_keep_contents_but_for_these(void **state)
{
    (void)state;
    static const VkImageLayout layouts[] = {VK_IMAGE_LAYOUT_UNDEFINED,
                                            VK_IMAGE_LAYOUT_PREINITIALIZED,
                                            (VkImageLayout)1000620000 /* ZERO_INITIALIZED_EXT */,
                                            VK_IMAGE_LAYOUT_GENERAL,
                                            VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                            VK_IMAGE_LAYOUT_PRESENT_SRC_KHR};
    static const uint32_t families[] = {VK_QUEUE_FAMILY_IGNORED, 0, 1, VK_QUEUE_FAMILY_EXTERNAL,
                                        VK_QUEUE_FAMILY_FOREIGN_EXT};
    for (uint32_t i = 0; i < 36; i++) {
        for (uint32_t j = 0; j < 25; j++) {
            const VkImageLayout before = layouts[i / 6], after = layouts[i % 6];
            const uint32_t from = families[j / 5], to = families[j % 5];
            const enum filled_effect effect = filled_effect(filled_barrier(before, after, from, to));
            if (before != after && i / 6 < 3)
                assert_int_equal(effect, FILLED_DIRTIES); /* undefined, the host's, zeros */
            else
                assert_int_equal(effect, from != to ? FILLED_FORGETS : FILLED_LEAVES);
        }
    }
}

static void images_that_others_write_are_unseen(void **state)
{
    (void)state;
    const VkFlags64 seen = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                           VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
    const VkFlags64 harmless = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_SPARSE_BINDING_BIT |
                               VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
    assert_false(filled_unseen(harmless, seen, VK_IMAGE_TILING_OPTIMAL));
    assert_true(filled_unseen(harmless, seen, VK_IMAGE_TILING_LINEAR));
    assert_true(filled_unseen(harmless, seen, VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT));
    assert_true(filled_unseen(harmless | VK_IMAGE_CREATE_ALIAS_BIT, seen, VK_IMAGE_TILING_OPTIMAL));
    assert_true(filled_unseen(harmless | VK_IMAGE_CREATE_SPARSE_ALIASED_BIT, seen, VK_IMAGE_TILING_OPTIMAL));
    assert_true(filled_unseen(harmless, seen | VK_IMAGE_USAGE_STORAGE_BIT, VK_IMAGE_TILING_OPTIMAL));
    assert_true(filled_unseen(harmless, seen | 0x00400000 /* HOST_TRANSFER */, VK_IMAGE_TILING_OPTIMAL));
    for (uint32_t usage = 0x0400; usage <= 0x8000; usage *= 2) { /* VIDEO_DECODE_DST to VIDEO_ENCODE_DPB */
        const bool writes = usage == 0x0400 || usage == 0x1000 || usage == 0x8000;
        assert_int_equal(filled_unseen(harmless, seen | usage, VK_IMAGE_TILING_OPTIMAL), writes);
    }
    assert_true(filled_unseen(harmless, seen | 0x00800000 /* TENSOR_ALIASING */, VK_IMAGE_TILING_OPTIMAL));
}

/* ---- Kinds ---- */

/* Where alpha lies in a texel, and what is there if it is 1, from the format's name alone. */
struct one {
    uint32_t bits, first, count; /* of the texel; of alpha, from its lowest on */
    uint32_t value;
};

static uint32_t value_of_one(const char *name, uint32_t count)
{
    const uint32_t all = count == 32 ? UINT32_MAX : (1u << count) - 1;
    if (strstr(name, "SNORM"))
        return all >> 1;
    if (strstr(name, "UNORM") || strstr(name, "SRGB"))
        return all;
    if (strstr(name, "SFLOAT"))
        return count == 16 ? 0x3c00 : 0x3f800000;
    return 1;
}

static struct one one_of(const char *name)
{
    struct one one = {0, 0, 0, 0};
    const bool packed = strstr(name, "_PACK");
    for (const char *at = name; strchr("RGBA", *at) && *at;) {
        char *end;
        const char channel = *at;
        const uint32_t count = (uint32_t)strtoul(at + 1, &end, 10);
        if (packed)
            one.first = channel == 'A' ? 0 : one.first + count; /* behind alpha come lower bits */
        else if (channel == 'A')
            one.first = one.bits;
        if (channel == 'A')
            one.count = count;
        one.bits += count;
        at = end;
    }
    one.value = value_of_one(name, one.count);
    return one;
}

static void formats_of_a_kind_have_the_same_ones(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < BLEND_FORMATS; i++) {
        const struct blend_format *a = blend_format_at(i);
        const struct one of_a = one_of(a->name + sizeof("VK_FORMAT_") - 1);
        assert_true(of_a.count > 0);
        assert_true(blend_format_kind(a) >= 1 && blend_format_kind(a) < FILLED_KINDS);
        for (uint32_t j = 0; j < BLEND_FORMATS; j++) {
            const struct blend_format *b = blend_format_at(j);
            const struct one of_b = one_of(b->name + sizeof("VK_FORMAT_") - 1);
            assert_int_equal(blend_format_kind(a) == blend_format_kind(b), !memcmp(&of_a, &of_b, sizeof(of_a)));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pass_leaves_what_the_table_says),
        cmocka_unit_test(every_resolve_leaves_what_the_table_says),
        cmocka_unit_test(any_ways_in_any_order_are_as_memory_is),
        cmocka_unit_test(threads_take_nobody_elses_word),
        cmocka_unit_test(commands_that_know_no_alpha_dirty),
        cmocka_unit_test(barriers_keep_contents_but_for_these),
        cmocka_unit_test(images_that_others_write_are_unseen),
        cmocka_unit_test(formats_of_a_kind_have_the_same_ones),
    };
    return cmocka_run_group_tests_name("filled", tests, NULL, NULL);
}
