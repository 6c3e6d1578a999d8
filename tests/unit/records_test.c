/* SPDX-License-Identifier: MIT */
/*
 * The one protocol of a set's records (layer/resources/descriptors/records.h): which flags of bindings, layouts and
 * pools choose which way, and what has come to the GPU's memory when threads that write, upload and split one set meet,
 * in each way. Run under a thread sanitizer, too.
 */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "descriptors/pool.h"
#include "descriptors/records.h"
#include "descriptors/split.h"
#include "descriptors/update.h"
#include "descriptor_type/relaxed.h"
#include "fake_driver.h"
#include "gl/gl_tokens.h"
#include "objects/track.h"
#include "sampling/pair.h"
#include "sampling/sampler.h"
#include "vulkan_clampler.h"

/* ---- Flags ---- */

/* As section "Descriptor Set Layout" and the host-only pools of VK_EXT_mutable_descriptor_type say. */
static bool is_shared(VkFlags binding, VkFlags layout, VkFlags pool)
{
    const VkFlags bindings =
                      VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT | VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT,
                  layouts = 0xf7, pools = 0x1b; /* known, and about something else */
    return (binding & ~bindings) || (layout & ~layouts) || (pool & ~pools);
}

static void every_combination_of_flags_has_its_way(void **state)
{
    enum { BINDINGS = 1 << 5, LAYOUTS = 1 << 9, POOLS = 1 << 6, KINDS = 4 };
    (void)state;
    for (VkFlags i = 0; i < (VkFlags)BINDINGS * LAYOUTS * POOLS * KINDS; i++) {
        const VkFlags binding = i % BINDINGS, layout = i / BINDINGS % LAYOUTS, pool = i / BINDINGS / LAYOUTS % POOLS;
        const unsigned kind = i / BINDINGS / LAYOUTS / POOLS;
        const bool special = kind & 1, immutable = kind & 2, shared = is_shared(binding, layout, pool);
        const uint32_t mode = records_mode(
            relaxed_by_binding(binding) | relaxed_by_layout(layout) | relaxed_by_pool(pool), special, immutable);
        uint32_t expected = 0;
        if (shared)
            expected |= RECORDS_SHARED;
        if (binding & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT)
            expected |= RECORDS_OPEN;
        if (special)
            expected |= RECORDS_SPECIAL;
        if (shared || special || immutable)
            expected |= RECORDS_NOT_SAVED;
        if (mode != expected)
            fail_msg("binding 0x%x, layout 0x%x, pool 0x%x, kind %u: 0x%x, not 0x%x", binding, layout, pool, kind, mode,
                     expected);
    }
}

/* ---- A set: samplers of their own, and combined image samplers that shaders take apart ---- */

enum { EACH = 48, OWN = 0, COMBINED = 1, PLACES = EACH + EACH * SPIRV_RECORDS_OF_SPLIT, SAMPLERS = 3 };

static struct instance instance;
struct device device;
static const void *dispatch = &device; /* what the loader has in front of every handle */
static VkSampler samplers[SAMPLERS];

struct bed {
    struct binding bindings[2];
    struct binding_brief briefs[2];
    struct set_layout layout;
    struct pool pool;
    struct set *set;
    struct record gpu[PLACES + 1];
    VkSampler last[2][EACH]; /* what was written last */
};

static VKAPI_ATTR void VKAPI_CALL take_update(VkDevice handle, uint32_t write_count, const VkWriteDescriptorSet *writes,
                                              uint32_t copy_count, const VkCopyDescriptorSet *copies)
{
    (void)handle, (void)write_count, (void)writes, (void)copy_count, (void)copies;
}

/* GL_CLAMP in one direction each, whose records differ; one that asks for nothing. */
static void create_samplers(void)
{
    for (uint32_t i = 0; i < SAMPLERS; i++) {
        const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                       .wrapS = i == 0 ? TOKEN_CLAMP : TOKEN_REPEAT,
                                                       .wrapT = i == 1 ? TOKEN_CLAMP : TOKEN_REPEAT,
                                                       .wrapR = TOKEN_REPEAT,
                                                       .minFilter = TOKEN_LINEAR,
                                                       .magFilter = TOKEN_LINEAR,
                                                       .maxLod = 1000,
                                                       .cubeMapSeamless = VK_TRUE};
        const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl};
        assert_int_equal(hook_CreateSampler(NULL, &info, NULL, &samplers[i]), VK_SUCCESS);
    }
}

static int open_track(void **state)
{
    (void)state;
    fake_track_begin();
    fake_driver = (struct fake_driver){.last = 0x1000};
    device = (struct device){.next = {.CreateSampler = fake_sampler,
                                      .DestroySampler = fake_sampler_drop,
                                      .UpdateDescriptorSets = take_update},
                             .instance = &instance,
                             .properties = {.limits = {.maxSamplerAllocationCount = 4000}},
                             .caps = {.resolve = {.gl_fallback = RESOLVE_FALLBACK_SHADER, .max_lod_bias = 16},
                                      .enabled = {.glSampler = VK_TRUE},
                                      .record_storage = true},
                             .track = &track};
    atomic_store(&track.serial, new_serial());
    if (!sampling_init(&track) || !descriptors_init(&track))
        return -1;
    sampling_read_limits(&track);
    create_samplers();
    return 0;
}

static int close_track(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SAMPLERS; i++)
        hook_DestroySampler(NULL, samplers[i], NULL);
    descriptors_finish(&track);
    sampling_finish(&track);
    return 0;
}

static void open_bed(struct bed *bed, uint32_t mode)
{
    memset(bed, 0, sizeof(*bed));
    const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_SAMPLER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER};
    for (uint32_t i = 0; i < 2; i++) {
        bed->bindings[i] = (struct binding){.binding = i,
                                            .new_binding = i,
                                            .type = types[i],
                                            .count = EACH,
                                            .first_record = i * EACH,
                                            .first_place = i * EACH,
                                            .split = i == COMBINED};
        bed->briefs[i] = (struct binding_brief){EACH, i * EACH, 1, types[i]};
    }
    bed->layout = (struct set_layout){.bindings = bed->bindings,
                                      .binding_count = 2,
                                      .briefs = bed->briefs,
                                      .index_count = 2,
                                      .record_count = 2 * EACH,
                                      .place_count = PLACES,
                                      .split = true};
    bed->set = calloc(1, sizeof(struct set) + shadow_bytes(2 * EACH));
    assert_non_null(bed->set);
    bed->set->layout = &bed->layout;
    bed->set->handle = HANDLE(VkDescriptorSet, bed->set);
    bed->set->place_count = PLACES;
    records_place(&bed->set->records, &bed->layout, bed->set->shadow, 2 * EACH);
    bed->set->records.upload.gpu = bed->gpu;
    atomic_store(&bed->set->records.state, mode);
    assert_true(table_insert(&track.sets, HANDLE_KEY(bed->set->handle), bed->set));
}

static void close_bed(struct bed *bed)
{
    assert_non_null(table_remove(&track.sets, HANDLE_KEY(bed->set->handle)));
    free(bed->set);
}

static void write_one(struct bed *bed, uint32_t binding, uint32_t element, VkSampler sampler)
{
    const VkDescriptorImageInfo info = {.sampler = sampler};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = bed->set->handle,
                                        .dstBinding = binding,
                                        .dstArrayElement = element,
                                        .descriptorCount = 1,
                                        .descriptorType = bed->bindings[binding].type,
                                        .pImageInfo = &info};
    hook_UpdateDescriptorSets(HANDLE(VkDevice, &dispatch), 1, &write, 0, NULL);
    bed->last[binding][element] = sampler;
}

/* What shaders read is what was written last: of samplers of their own, and of split ones. */
static void expect_written(struct bed *bed)
{
    static const struct record zero;
    for (uint32_t i = 0; i < EACH; i++) {
        const VkDescriptorImageInfo info = {.sampler = bed->last[OWN][i]};
        VkDescriptorImageInfo for_driver;
        struct record own, image, sampler;
        descriptor_resolve(&track, VK_DESCRIPTOR_TYPE_SAMPLER, &info, NULL, false, &for_driver, &own);
        assert_memory_equal(&bed->gpu[i], &own, sizeof(own));
        pair_split(&track, sampler_find(&track, bed->last[COMBINED][i]).state, NULL, &image, &sampler);
        const struct record *places = &bed->gpu[EACH + i * SPIRV_RECORDS_OF_SPLIT];
        assert_memory_equal(&places[HALF_BOTH], &zero, sizeof(zero));
        assert_memory_equal(&places[HALF_IMAGE], &image, sizeof(image));
        assert_memory_equal(&places[HALF_SAMPLER], &sampler, sizeof(sampler));
    }
}

/* ---- Threads ---- */

enum { ROUNDS = 400, WRITERS = 2, RECORDERS = 2 };

struct worker {
    pthread_t thread;
    atomic_uint *waited_for; /* threads that have not begun */
    struct bed *bed;
    unsigned number, round;
};

static void begin_together(const struct worker *worker)
{
    atomic_fetch_sub(worker->waited_for, 1);
    for (unsigned i = 0; atomic_load(worker->waited_for); i++)
        if (i > 1000)
            sched_yield();
}

/* Half of the descriptors each. */
static void write_share(struct bed *bed, unsigned number, unsigned round)
{
    for (unsigned flip = 0; flip <= round % 2; flip++)
        for (uint32_t i = number; i < 2 * EACH; i += WRITERS)
            write_one(bed, i / EACH, i % EACH, samplers[(round + flip + i) % SAMPLERS]);
}

static void *run_writer(void *user)
{
    const struct worker *worker = user;
    begin_together(worker);
    write_share(worker->bed, worker->number, worker->round);
    return NULL;
}

/* What draws do; the second splits. */
static void *run_recorder(void *user)
{
    const struct worker *worker = user;
    struct set *set = worker->bed->set;
    begin_together(worker);
    for (unsigned i = 0; i < worker->round % 16 * 20; i++)
        atomic_load(worker->waited_for); /* into the midst of what is written */
    records_flush(&track, &set->records, set->layout);
    records_needs(&set->records);
    if (records_not_uploaded(&set->records))
        set_upload(&track, set);
    if (worker->number % 2)
        split_needed(&track, &set->records, set->layout);
    return NULL;
}

static void run(struct bed *bed, unsigned writers, unsigned recorders, unsigned round)
{
    struct worker workers[WRITERS + RECORDERS];
    atomic_uint waited_for = writers + recorders;
    for (unsigned i = 0; i < writers + recorders; i++) {
        workers[i] = (struct worker){.waited_for = &waited_for, .bed = bed, .number = i, .round = round};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, i < writers ? run_writer : run_recorder, &workers[i]),
                         0);
    }
    for (unsigned i = 0; i < writers + recorders; i++)
        pthread_join(workers[i].thread, NULL);
}

/* Whoever writes has the set to itself; those who record with it do so at once. */
static void one_writer_and_then_recorders(void **state)
{
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct bed bed;
        open_bed(&bed, records_mode(RELAXED_NOT, false, false));
        for (unsigned again = 0; again < 3; again++) {
            for (unsigned number = 0; number < WRITERS; number++)
                write_share(&bed, number, round + again);
            run(&bed, 0, RECORDERS, round);
            expect_written(&bed);
            assert_false(records_not_uploaded(&bed.set->records));
        }
        close_bed(&bed);
    }
}

static void writers_and_recorders(unsigned relaxed)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct bed bed;
        open_bed(&bed, records_mode(relaxed, false, false));
        run(&bed, WRITERS, RECORDERS, round);
        expect_written(&bed);
        assert_false(records_not_uploaded(&bed.set->records));
        assert_false(records_are(&bed.set->records, RECORDS_STALE | RECORDS_NEWER | RECORDS_UPLOADING));
        close_bed(&bed);
    }
}

/* Different descriptors of one set, while others record with it: UPDATE_UNUSED_WHILE_PENDING. */
static void writers_of_a_shared_set_and_recorders(void **state)
{
    (void)state;
    writers_and_recorders(relaxed_by_binding(VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT));
}

/* UPDATE_AFTER_BIND. */
static void writers_of_an_open_set_and_recorders(void **state)
{
    (void)state;
    writers_and_recorders(relaxed_by_binding(VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT));
}

/* Sets of host-only pools are never bound. They are copied from; here to one that is. */
static void writers_of_a_set_that_the_host_alone_has(void **state)
{
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct bed from, to;
        open_bed(&from, records_mode(relaxed_by_pool(VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT), false, false));
        open_bed(&to, records_mode(RELAXED_NOT, false, false));
        from.set->records.upload.gpu = NULL;
        run(&from, WRITERS, 0, round);
        for (uint32_t i = 0; i < 2; i++) {
            const VkCopyDescriptorSet copy = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                              .srcSet = from.set->handle,
                                              .srcBinding = i,
                                              .dstSet = to.set->handle,
                                              .dstBinding = i,
                                              .descriptorCount = EACH};
            hook_UpdateDescriptorSets(HANDLE(VkDevice, &dispatch), 0, NULL, 1, &copy);
        }
        memcpy(to.last, from.last, sizeof(to.last));
        run(&to, 0, RECORDERS, round);
        expect_written(&to);
        close_bed(&from);
        close_bed(&to);
    }
}

/* ---- Mask words ---- */

/* A bed whose records begin with mask words: of the first 32 combined image samplers. */
static void open_masked_bed(struct bed *bed, uint32_t mode)
{
    open_bed(bed, mode);
    bed->layout.masks = true;
    bed->layout.place_count = bed->set->place_count = PLACES + 1;
    bed->bindings[OWN].first_place = 1;
    bed->bindings[OWN].first_bit = RECORD_MASK_BITS;
    bed->bindings[COMBINED].first_place = 1 + EACH;
    bed->bindings[COMBINED].first_bit = 0;
}

/* `axes`: bits of those that are saturated; -1: the record of a mirror, which no mask word has. */
static void put_record(struct bed *bed, uint32_t element, int axes)
{
    const bool mirrors = axes < 0;
    const uint32_t near = mirrors ? record_near(0.5f / 16) : record_near(-0.0f), far = record_far(1.0f);
    const bool s = mirrors || (axes & 1), t = mirrors || (axes & 2), r = !mirrors && (axes & 4);
    const struct record record = {.flags = RECORD_COORDS | 1u << RECORD_LEVELS_SHIFT,
                                  .near = {s ? near : 0, t ? near : 0},
                                  .far = {s ? far : 0, t ? far : 0},
                                  .third = {r ? near : 0, r ? far : 0}};
    records_put(&track, &bed->set->records, &bed->bindings[COMBINED], element,
                axes == 0 ? &(struct record){0} : &record);
}

static void expect_masks(struct bed *bed, const int *axes)
{
    const struct record_masks *masks = (const struct record_masks *)(const void *)bed->gpu;
    assert_false(records_not_uploaded(&bed->set->records));
    for (uint32_t axis = 0; axis < 3; axis++)
        for (uint32_t i = 0; i < RECORD_MASK_BITS; i++)
            if ((masks->axes[axis] >> i & 1u) != (axes[i] > 0 && (axes[i] >> axis & 1)))
                fail_msg("descriptor %u, axis %u: 0x%x", i, axis, masks->axes[axis]);
    for (uint32_t i = 0; i < EACH; i++) /* records lie behind them */
        assert_memory_equal(&bed->gpu[1 + EACH + i * SPIRV_RECORDS_OF_SPLIT], &bed->set->records.store.shadow[EACH + i],
                            sizeof(struct record));
}

/* Whatever was written, copied, or written again since the last upload; bits of others stay. */
static void mask_words_follow_the_records_that_are_uploaded(void **state)
{
    (void)state;
    struct bed bed, other;
    int axes[EACH] = {0}, others[EACH] = {0};
    uint32_t random = 1;
    open_masked_bed(&bed, records_mode(RELAXED_NOT, false, false));
    open_masked_bed(&other, records_mode(RELAXED_NOT, false, false));
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < round % 7; i++) {
            random = random * 1664525u + 1013904223u;
            const uint32_t element = (random >> 8) % EACH;
            axes[element] = (int)(random >> 20) % 9 - 1;
            put_record(&bed, element, axes[element]);
        }
        if (records_not_uploaded(&bed.set->records))
            set_upload(&track, bed.set);
        expect_masks(&bed, axes);
        const uint32_t from = round % EACH, to = round * 5 % EACH;
        records_put_copy(&track, &other.set->records, &other.bindings[COMBINED], to, &bed.set->records, EACH + from);
        others[to] = axes[from];
        if (records_not_uploaded(&other.set->records))
            set_upload(&track, other.set);
        expect_masks(&other, others);
    }
    close_bed(&other);
    close_bed(&bed);
}

/* As push descriptors are uploaded: at once, to new memory each time. */
static void copies_of_all_records_begin_with_mask_words(void **state)
{
    (void)state;
    struct bed bed;
    int axes[EACH] = {0};
    open_masked_bed(&bed, records_mode(RELAXED_NOT, false, false));
    for (uint32_t i = 0; i < EACH; i++)
        put_record(&bed, i, axes[i] = (int)i % 9 - 1);
    memset(bed.gpu, 0xff, sizeof(bed.gpu));
    split_copy(&track, &bed.set->records, &bed.layout, PLACES + 1, bed.gpu);
    bed.set->records.upload.gpu = NULL;
    expect_masks(&bed, axes);
    bed.set->records.upload.gpu = bed.gpu;
    close_bed(&bed);
}

int main(void)
{
#define TEST(NAME) cmocka_unit_test_setup_teardown(NAME, open_track, close_track)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_combination_of_flags_has_its_way),
        TEST(one_writer_and_then_recorders),
        TEST(writers_of_a_shared_set_and_recorders),
        TEST(writers_of_an_open_set_and_recorders),
        TEST(writers_of_a_set_that_the_host_alone_has),
        TEST(mask_words_follow_the_records_that_are_uploaded),
        TEST(copies_of_all_records_begin_with_mask_words),
    };
    return cmocka_run_group_tests_name("records", tests, NULL, NULL);
}
