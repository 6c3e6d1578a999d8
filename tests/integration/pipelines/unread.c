/* SPDX-License-Identifier: MIT */
/*
 * Modules that the rewriter cannot follow, by every way that a module reaches the driver, under layouts whose bindings
 * moved and under those whose bindings did not: a row for each kind of which a driver makes anything. Where words can
 * be told apart, the bindings are those of the driver's layout and lookups do what its sampler does; where they cannot,
 * creation fails with a message. spirv/unread_test.c has a row for each refusal.
 */
#include <stdlib.h>
#include <string.h>

#include <spirv/unified1/spirv.h>
#include "integration/pipelines/unread_paths.h"
#include "spirv/module/inst.h"

enum { MOST_IDS = 0x3fffff }; /* SPIR-V's universal limit */

/* ---- Kinds ---- */

struct module {
    uint32_t *words;
    size_t count;
};

static size_t at_of(const struct module *m, uint32_t opcode)
{
    for (size_t at = HEADER_WORDS; at < m->count; at += inst_length(m->words + at)) {
        if (inst_opcode(m->words + at) == opcode)
            return at;
    }
    fail_msg("no instruction %u", (unsigned)opcode);
    return 0;
}

static void insert(struct module *m, size_t at, const uint32_t *words, size_t count)
{
    m->words = realloc(m->words, (m->count + count) * sizeof(*m->words));
    assert_non_null(m->words);
    memmove(m->words + at + count, m->words + at, (m->count - at) * sizeof(*m->words));
    memcpy(m->words + at, words, count * sizeof(*words));
    m->count += count;
}

static void nothing(struct module *m)
{
    (void)m;
}

static void many_ids(struct module *m)
{
    m->words[HEADER_BOUND] = 3000000;
}

static void more_ids(struct module *m)
{
    m->words[HEADER_BOUND] = MOST_IDS + 1;
}

/* Drivers read capabilities wherever they stand in front of types. */
static void out_of_section(struct module *m)
{
    const uint32_t shader[2] = {INST_WORD0(SpvOpCapability, 2), SpvCapabilityShader};
    insert(m, at_of(m, SpvOpTypeVoid), shader, 2);
}

/* No variable more fits the instruction that lists them (SPIR-V 1.4). */
static void interface_full(struct module *m)
{
    enum { LONGEST = 0xffff };
    static uint32_t more[LONGEST];
    const size_t at = at_of(m, SpvOpEntryPoint);
    const uint32_t length = inst_length(m->words + at), variable = m->words[at + length - 1];
    for (uint32_t i = length; i < LONGEST; i++)
        more[i] = variable;
    insert(m, at + length, more + length, LONGEST - length);
    m->words[at] = INST_WORD0(SpvOpEntryPoint, LONGEST);
}

static void cut_short(struct module *m)
{
    m->words[at_of(m, SpvOpFunction)] = INST_WORD0(SpvOpFunction, 0xffff);
}

/* The array of descriptors is loaded as a whole, in front of all else. */
static void loaded_whole(struct module *m)
{
    uint32_t array = 0, pointer = 0, variable = 0;
    for (size_t at = HEADER_WORDS; at < m->count; at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        const uint32_t opcode = inst_opcode(inst);
        if (opcode == SpvOpTypeArray)
            array = inst[1];
        else if (opcode == SpvOpTypePointer && inst[2] == SpvStorageClassUniformConstant && inst[3] == array)
            pointer = inst[1];
        else if (opcode == SpvOpVariable && pointer && inst[1] == pointer)
            variable = inst[2];
        if (variable)
            break;
    }
    assert_int_not_equal(variable, 0);
    size_t at = at_of(m, SpvOpLabel);
    at += inst_length(m->words + at);
    while (inst_opcode(m->words + at) == SpvOpVariable || inst_opcode(m->words + at) == SpvOpLine)
        at += inst_length(m->words + at);
    const uint32_t load[4] = {INST_WORD0(SpvOpLoad, 4), array, m->words[HEADER_BOUND]++, variable};
    insert(m, at, load, 4);
}

/*
 * FOLLOWED: records are. LEFT: lookups do what the driver's sampler does, in a module of other bindings where those
 * moved, and in the program's own words where they did not. REFUSED: creation fails.
 */
enum outcome { FOLLOWED, LEFT, REFUSED };

static const struct kind {
    void (*damage)(struct module *module);
    enum outcome outcome;
    const char *message;
    bool slow; /* for the driver, which goes over all of it: by one path alone */
} kinds[] = {
    {nothing, FOLLOWED, NULL, false},
    {many_ids, FOLLOWED, NULL, true},
    {more_ids, LEFT, "unreasonable size or bound", true},
    {out_of_section, LEFT, "instruction out of its section", false},
    {interface_full, LEFT, "takes more variables of entry points than a module of its size may", true},
    {cut_short, REFUSED, "does not parse as SPIR-V", false},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static const struct kind whole = {loaded_whole, REFUSED, "an array of descriptors is used as a whole", false};

/* ---- What becomes of them ---- */

static struct module module_of(enum unread_path path, const struct kind *kind)
{
    const struct harness_spirv code = unread_code(path);
    struct module module = {malloc(code.bytes), code.bytes / sizeof(uint32_t)};
    assert_non_null(module.words);
    memcpy(module.words, code.words, code.bytes);
    kind->damage(&module);
    return module;
}

/* The layer has said this, and nothing else. */
static void expect_messages(const char *message)
{
    const uint32_t count = harness_layer_messages();
    assert_true(message ? count > 0 : count == 0);
    for (uint32_t i = 0; i < count; i++) {
        if (!strstr(harness_layer_message(i), message))
            fail_msg("\"%s\" is no message of \"%s\"", harness_layer_message(i), message);
    }
    harness_messages_reset();
}

static void expect_no_handles(const struct unread *u)
{
    const bool object = u->path == UNREAD_OBJECT || u->path == UNREAD_OBJECTS || u->path == UNREAD_OBJECTS_LINKED ||
                        u->path == UNREAD_GENERATED_OBJECTS;
    assert_true(u->pipeline == VK_NULL_HANDLE);
    assert_true(u->shaders[0] == VK_NULL_HANDLE);
    assert_true(object || u->libraries[1] == VK_NULL_HANDLE);
    assert_true(u->libraries[0] != (VkPipeline)UNREAD_NO_HANDLE);
}

static void expect_refused(struct unread *u, struct harness_spirv code, const struct kind *kind)
{
    assert_int_equal(unread_create(u, code), VK_ERROR_UNKNOWN);
    expect_no_handles(u);
    expect_messages(kind->message);
}

static void expect_drawn(struct unread *u, struct harness_spirv code, const struct kind *kind)
{
    const struct clampler_counters before = harness_counters(&u->scene.vk);
    HARNESS_VK(unread_create(u, code));
    unread_draw(u, SCENE_CLAMP);
    const struct clampler_counters after = harness_counters(&u->scene.vk);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&u->scene, row, kind->outcome == FOLLOWED ? SCENE_CLAMP : SCENE_BORDER, SCENE_STEPS);
    const bool own = kind->outcome != FOLLOWED && u->kind == UNREAD_STILL;
    assert_int_equal(after.modules_rewritten > before.modules_rewritten, !own);
    assert_int_equal(u->scene.drew[0], 0);
    assert_true(u->scene.drew[1] + u->scene.drew[2] > 0);
    expect_messages(kind->message);
}

/* SwiftShader 5.0 ends the process where its SPIR-V optimizer runs out of ids, of the program's own words as well. */
static bool driver_dies_of(const struct unread *u, const struct kind *kind)
{
    const bool dies = kind->damage == more_ids && strstr(u->scene.vk.properties.deviceName, "SwiftShader");
    if (dies)
        print_message("left out: the driver dies of a module that has no id left\n");
    return dies;
}

static void run(const struct kind *list, unsigned count, enum unread_layout layout)
{
    unsigned opened = 0;
    harness_vulkan_hold_driver();
    for (unsigned path = 0; path < UNREAD_PATHS; path++) {
        struct unread u;
        if (!unread_open(&u, (enum unread_path)path, layout))
            continue;
        opened++;
        for (unsigned i = 0; i < count; i++) {
            /* What does not parse is the driver's to judge where it is no affair of the layer's. */
            if ((layout == UNREAD_STILL && list[i].outcome == REFUSED) || (list[i].slow && path != UNREAD_COMPUTE) ||
                driver_dies_of(&u, &list[i]))
                continue;
            struct module module = module_of(u.path, &list[i]);
            const struct harness_spirv code = {module.words, module.count * sizeof(*module.words)};
            print_message("%s, %s\n", unread_path_names[path], list[i].message ? list[i].message : "followed");
            if (list[i].outcome == REFUSED)
                expect_refused(&u, code, &list[i]);
            else
                expect_drawn(&u, code, &list[i]);
            unread_destroy(&u);
            free(module.words);
        }
        unread_close(&u);
    }
    assert_true(opened > 0);
}

static void bindings_that_moved_are_the_drivers(void **state)
{
    (void)state;
    run(kinds, KINDS, UNREAD_MOVED);
}

static void bindings_that_stay_are_the_programs(void **state)
{
    (void)state;
    run(kinds, KINDS, UNREAD_STILL);
}

/* Arrays of several of the driver's descriptors: what cannot be made fit is refused, and nothing else is. */
static void placed_descriptors_that_cannot_be_found_are_refused(void **state)
{
    (void)state;
    scene_skip_without(VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME);
    run(&whole, 1, UNREAD_PLACED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bindings_that_moved_are_the_drivers),
        cmocka_unit_test(bindings_that_stay_are_the_programs),
        cmocka_unit_test(placed_descriptors_that_cannot_be_found_are_refused),
    };
    return cmocka_run_group_tests_name("unread", tests, NULL, NULL);
}
