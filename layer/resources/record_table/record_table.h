/* SPDX-License-Identifier: MIT */
/*
 * The table of records by record index, for application-managed descriptors (descriptor buffers and heaps), beside
 * which the layer cannot place a record. Each content is stored once in memory of the GPU, which shaders reach through
 * a word that never moves (record/root.h). It is counted: the view, the sampler state or the image that a descriptor
 * was made from holds a reference.
 *
 * Any thread. record_table_acquire() and _release() take `lock`. Writes of descriptors find record indices that were
 * acquired before in a struct index_list, without a lock.
 */
#ifndef CLAMPLER_RECORD_TABLE_RECORD_TABLE_H
#define CLAMPLER_RECORD_TABLE_RECORD_TABLE_H

#include <pthread.h>
#include <stdatomic.h>

#include "objects/memory.h"
#include "objects/track.h"
#include "objects/units.h"
#include "record/record.h"
#include "record/root.h"

/*
 * A combined image sampler has three records: of the pair, of its image alone, of its sampler alone
 * (spirv_binding.split).
 */
enum { RECORD_RUN_MOST = 3, RECORD_BUCKETS = 4096 };

/* Record indices of one chunk; the first table of records has as many. */
#define RECORD_CHUNK_BITS 10u
#define RECORD_CHUNK_RECORDS (1u << RECORD_CHUNK_BITS)
enum {
    RECORD_CHUNKS = 1u << (ROOT_INDEX_BITS - RECORD_CHUNK_BITS),
    RECORD_TABLES = ROOT_INDEX_BITS - RECORD_CHUNK_BITS + 1
};

/* The record indices of a chunk that are in use, and the runs that begin there. */
struct record_chunk {
    struct units units;
    struct record_run *runs; /* RECORD_CHUNK_RECORDS of them, by the place of their first record */
};

/* This subsystem's state of one device. */
struct record_table {
    pthread_mutex_t lock;
    struct memory_slice way;  /* the word with the newest table's address, and zeros */
    _Atomic(uint64_t) newest; /* that word, of which no copy is read */
    /* Each with twice the records of the one before it. All stay: shaders in flight may have read the word before. */
    struct memory_slice tables[RECORD_TABLES];
    uint32_t table_count;
    struct record_chunk *chunks[RECORD_CHUNKS];
    uint32_t chunk_count;
    uint32_t buckets[RECORD_BUCKETS]; /* record index + 1 of the first run with such a hash; 0: none */
};

/* False: out of memory. Device memory is taken by record_table_open, where a device needs record indices. */
bool record_table_init(struct track *track);
void record_table_finish(struct track *track);

/*
 * VK_SUCCESS, or the driver's error: the device address of the word is record_table_address from then on. May be called
 * again, and is by the first record_table_acquire.
 */
VkResult record_table_open(struct track *track);
static inline VkDeviceAddress record_table_address(const struct record_table *table)
{
    return table->way.address;
}

/* That of memory in which nothing but zeros is read. */
VkDeviceAddress record_table_zeros(const struct record_table *table);

/*
 * The record index of a run of `count` records (1 or RECORD_RUN_MOST) of this content, with one more reference. 0,
 * which needs no release, if all of them are zero, or, with a line in the log, if there is no memory or no record index
 * left.
 */
uint32_t record_table_acquire(struct track *track, const struct record *records, uint32_t count);
void record_table_release(struct track *track, uint32_t record_index);
/*
 * True: the record index is that of a run of one record with this content. Only for record indices that the caller has
 * acquired.
 */
bool record_table_is(const struct record_table *table, uint32_t record_index, const struct record *record);

/* ---- Lists of record indices ---- */

/* The key of the record of a view alone, or of a sampler state alone. */
#define INDEX_ALONE UINT64_C(1)
/*
 * Of a sampler state: the key of its record where the sampler is embedded or in a heap. Of a view: the key of its pair
 * with no state.
 */
#define INDEX_EMBEDDED UINT64_C(2)

/* A record index that was acquired for a key, which is never 0. */
struct index_entry {
    struct index_entry *next;
    uint64_t key;
    uint32_t record_index;
};

/* Grows at its head; read without a lock. Zeroed memory is an empty one. */
struct index_list {
    _Atomic(struct index_entry *) first;
};

/* False: there is no record index for the key. */
static inline bool index_find(const struct index_list *list, uint64_t key, uint32_t *record_index)
{
    const struct index_entry *entry = atomic_load_explicit(&list->first, memory_order_acquire);
    while (entry && entry->key != key)
        entry = entry->next;
    *record_index = entry ? entry->record_index : 0;
    return entry != NULL;
}

/* Acquires a record index and inserts it for the key. If another thread was faster, both entries have the same one. */
uint32_t index_add(struct track *track, struct index_list *list, uint64_t key, const struct record *records,
                   uint32_t count);

/* Releases all record indices. No thread may read the list any more. */
void indices_release(struct track *track, struct index_list *list);

#endif
