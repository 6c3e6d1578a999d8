/* SPDX-License-Identifier: MIT */
/*
 * Runs of records are found by their content, so that each is kept once. The table grows by another one of twice the
 * size; record indices and records stay until the device goes: descriptors may name them at any time.
 */
#include "record_table/record_table.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "device/held.h"
#include "device/message.h"
#include "hash.h"
#include "objects/memory.h"
#include "objects/units.h"
#include "record/root.h"
#include "objects/track.h"

enum {
    WAY_BYTES = MEMORY_UNIT, /* the word, alone in its unit */
    ZERO_BYTES = RECORD_CHUNK_RECORDS * sizeof(struct record),
};

struct record_run {
    uint32_t references; /* 0: no run begins here */
    uint32_t count;
    uint32_t next; /* record index + 1 of the next run in the bucket */
    struct record records[RECORD_RUN_MOST];
};

bool record_table_init(struct track *track)
{
    return pthread_mutex_init(&track->record_table->lock, NULL) == 0;
}

static void chunk_delete(struct record_chunk *chunk)
{
    if (!chunk)
        return;
    units_finish(&chunk->units);
    free(chunk->runs);
    free(chunk);
}

void record_table_finish(struct track *track)
{
    struct record_table *table = track->record_table;
    for (uint32_t i = 0; i < table->chunk_count; i++)
        chunk_delete(table->chunks[i]);
    for (uint32_t i = 0; i < table->table_count; i++)
        memory_release(track->device, &track->heap, &table->tables[i]);
    memory_release(track->device, &track->heap, &table->way);
    pthread_mutex_destroy(&table->lock);
}

VkDeviceAddress record_table_zeros(const struct record_table *table)
{
    return table->way.address + WAY_BYTES;
}

/* ---- The way to records ---- */

static uint32_t bits_of_table(uint32_t i)
{
    return RECORD_CHUNK_BITS + i;
}

static struct record_run *run_of(const struct record_table *table, uint32_t record_index)
{
    return &table->chunks[record_index >> RECORD_CHUNK_BITS]->runs[record_index & (RECORD_CHUNK_RECORDS - 1)];
}

/* Mapped memory may be write-combined: it is written in order and never read. */
static void fill_table(const struct record_table *table, struct record *records, uint32_t bits)
{
    memset(records, 0, sizeof(*records) << bits);
    for (uint32_t i = 0; i < table->chunk_count; i++) {
        for (uint32_t place = 0; place < RECORD_CHUNK_RECORDS; place++) {
            const struct record_run *run = &table->chunks[i]->runs[place];
            if (run->references != 0)
                memcpy(&records[i << RECORD_CHUNK_BITS | place], run->records, run->count * sizeof(*records));
        }
    }
}

/*
 * A table that is larger than all, with what they have. Shaders in flight may follow it at once, so its contents must
 * arrive before the word: the atomic exchange flushes the processor's write-combining buffers.
 */
static VkResult add_table(struct track *track)
{
    struct record_table *table = track->record_table;
    if (table->table_count == RECORD_TABLES)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    const uint32_t bits = bits_of_table(table->table_count);
    struct memory_slice *slice = &table->tables[table->table_count];
    VkResult result = memory_acquire(track->device, &track->heap, (uint32_t)sizeof(struct record) << bits, slice);
    if (result != VK_SUCCESS)
        return result;
    fill_table(table, slice->mapped, bits);
    const uint64_t word = slice->address | bits;
    _Atomic(uint64_t) *way = table->way.mapped;
    atomic_exchange_explicit(&table->newest, word, memory_order_seq_cst);
    atomic_store_explicit(way, word, memory_order_release);
    table->table_count++;
    return VK_SUCCESS;
}

static VkResult open_table(struct track *track)
{
    struct record_table *table = track->record_table;
    VkResult result = memory_acquire(track->device, &track->heap, WAY_BYTES + ZERO_BYTES, &table->way);
    if (result != VK_SUCCESS)
        return result;
    memset(table->way.mapped, 0, WAY_BYTES + ZERO_BYTES);
    result = add_table(track);
    if (result != VK_SUCCESS)
        memory_release(track->device, &track->heap, &table->way);
    return result;
}

VkResult record_table_open(struct track *track)
{
    struct record_table *table = track->record_table;
    VkResult result = VK_SUCCESS;
    struct held_messages held;
    messages_hold(&held);
    pthread_mutex_lock(&table->lock);
    if (!table->way.block)
        result = open_table(track);
    pthread_mutex_unlock(&table->lock);
    messages_release(&held);
    /* Descriptors with record indices may be written after commands are recorded. */
    atomic_store_explicit(&track->open_sets, true, memory_order_relaxed);
    return result;
}

/* ---- Runs ---- */

/*
 * Adds a chunk of record indices, and another table first if the newest is full. Call under the lock. False: out of
 * memory.
 */
static bool add_chunk(struct track *track)
{
    struct record_table *table = track->record_table;
    struct record_chunk *chunk = table->chunk_count < RECORD_CHUNKS ? calloc(1, sizeof(*chunk)) : NULL;
    if (!chunk)
        return false;
    const bool full = table->chunk_count << RECORD_CHUNK_BITS == 1u << bits_of_table(table->table_count - 1);
    chunk->runs = calloc(RECORD_CHUNK_RECORDS, sizeof(*chunk->runs));
    if (!chunk->runs || !units_init(&chunk->units, RECORD_CHUNK_RECORDS) || (full && add_table(track) != VK_SUCCESS)) {
        chunk_delete(chunk);
        return false;
    }
    if (table->chunk_count == 0)
        units_acquire(&chunk->units, 1); /* record index 0 */
    table->chunks[table->chunk_count++] = chunk;
    return true;
}

static uint32_t *bucket_of(struct record_table *table, const struct record *records, uint32_t count)
{
    uint32_t words[RECORD_RUN_MOST * sizeof(*records) / sizeof(uint32_t)];
    memcpy(words, records, count * sizeof(*records));
    const uint64_t hash = hash_words(count, words, count * sizeof(*records) / sizeof(words[0]));
    return &table->buckets[hash >> 32 & (RECORD_BUCKETS - 1)];
}

/* Under the lock: the record index of free places for a run; UNITS_NONE: there is no memory, or no record index left.
 */
static uint32_t take_places(struct track *track, uint32_t count)
{
    struct record_table *table = track->record_table;
    /* The newest chunks are the emptiest. */
    for (uint32_t i = table->chunk_count; i-- > 0;) {
        if (RECORD_CHUNK_RECORDS - table->chunks[i]->units.taken < count)
            continue;
        const uint32_t place = units_acquire(&table->chunks[i]->units, count);
        if (place != UNITS_NONE)
            return i << RECORD_CHUNK_BITS | place;
    }
    if (!add_chunk(track))
        return UNITS_NONE;
    const uint32_t chunk = table->chunk_count - 1;
    return chunk << RECORD_CHUNK_BITS | units_acquire(&table->chunks[chunk]->units, count);
}

static uint32_t add_run(struct track *track, uint32_t *bucket, const struct record *records, uint32_t count)
{
    struct record_table *table = track->record_table;
    const uint32_t record_index = take_places(track, count);
    if (record_index == UNITS_NONE)
        return 0;
    struct record_run *run = run_of(table, record_index);
    *run = (struct record_run){.references = 1, .count = count, .next = *bucket};
    memcpy(run->records, records, count * sizeof(*records));
    for (uint32_t i = table->table_count; i-- > 0 && record_index >> bits_of_table(i) == 0;)
        memcpy((struct record *)table->tables[i].mapped + record_index, records, count * sizeof(*records));
    *bucket = record_index + 1;
    return record_index;
}

static bool run_is_zero(const struct record *records, uint32_t count)
{
    static const struct record zeros[RECORD_RUN_MOST];
    return memcmp(records, zeros, count * sizeof(*records)) == 0;
}

uint32_t record_table_acquire(struct track *track, const struct record *records, uint32_t count)
{
    static struct message_place said;
    struct record_table *table = track->record_table;
    if (run_is_zero(records, count))
        return 0;
    /* Descriptors may be made before any layout is. */
    const bool opened = record_table_open(track) == VK_SUCCESS;
    struct held_messages held;
    messages_hold(&held);
    pthread_mutex_lock(&table->lock);
    uint32_t *bucket = bucket_of(table, records, count);
    uint32_t record_index = *bucket;
    while (record_index != 0) {
        struct record_run *run = run_of(table, record_index - 1);
        if (run->count == count && memcmp(run->records, records, count * sizeof(*records)) == 0)
            break;
        record_index = run->next;
    }
    if (record_index != 0)
        run_of(table, --record_index)->references++;
    else if (opened)
        record_index = add_run(track, bucket, records, count);
    pthread_mutex_unlock(&table->lock);
    messages_release(&held);
    if (record_index == 0)
        message_about_once(
            &said, track->device, LOG_ERROR, NULL,
            "there is no memory for the record of a descriptor, or %u records are alive: lookups through it "
            "have the driver's own semantics",
            ROOT_INDICES);
    return record_index;
}

bool record_table_is(const struct record_table *table, uint32_t record_index, const struct record *record)
{
    static const struct record zeros;
    const struct record *known = record_index == 0 ? &zeros : run_of(table, record_index)->records;
    return memcmp(known, record, sizeof(*record)) == 0;
}

void record_table_release(struct track *track, uint32_t record_index)
{
    struct record_table *table = track->record_table;
    if (record_index == 0)
        return;
    pthread_mutex_lock(&table->lock);
    struct record_run *run = run_of(table, record_index);
    if (--run->references == 0) {
        uint32_t *link = bucket_of(table, run->records, run->count);
        while (*link != record_index + 1)
            link = &run_of(table, *link - 1)->next;
        *link = run->next;
        units_release(&table->chunks[record_index >> RECORD_CHUNK_BITS]->units,
                      record_index & (RECORD_CHUNK_RECORDS - 1), run->count);
    }
    pthread_mutex_unlock(&table->lock);
}

uint32_t index_add(struct track *track, struct index_list *list, uint64_t key, const struct record *records,
                   uint32_t count)
{
    const uint32_t record_index = record_table_acquire(track, records, count);
    if (record_index == 0 && !run_is_zero(records, count))
        return 0; /* there may be room for it the next time */
    struct index_entry *entry = object_alloc(track, NULL, sizeof(*entry));
    if (!entry) { /* the record index stays taken until the device goes */
        static struct message_place said;
        message_about_once(&said, track->device, LOG_WARN, NULL,
                           "there is no memory to remember the record of a descriptor");
        return record_index;
    }
    *entry = (struct index_entry){.key = key, .record_index = record_index};
    entry->next = atomic_load_explicit(&list->first, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&list->first, &entry->next, entry, memory_order_release,
                                                  memory_order_relaxed)) {
    }
    return record_index;
}

void indices_release(struct track *track, struct index_list *list)
{
    struct index_entry *entry = atomic_exchange_explicit(&list->first, NULL, memory_order_acquire);
    while (entry) {
        struct index_entry *next = entry->next;
        record_table_release(track, entry->record_index);
        object_free(track, NULL, entry, sizeof(*entry));
        entry = next;
    }
}
