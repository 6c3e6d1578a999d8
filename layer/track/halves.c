/*
 * Records of the halves of combined image samplers. Shaders that take those apart are few, so that writes of
 * descriptors do nothing for them until a draw meets one: it fills the records of all descriptors of its sets, and
 * from then on each write does.
 */
#include <string.h>

#include "track/track.h"

struct half_records {
    struct record image, sampler;
    uint32_t needs;
};

static struct sampler sampler_of(struct track *track, const struct binding *binding, uint32_t element,
                                 const struct descriptor_note *note)
{
    if (binding->immutable)
        return binding->immutable[element].sampler;
    return binding->immutable_plain ? (struct sampler){NULL, SAMPLER_PLAIN} : sampler_find(track, note->sampler);
}

/*
 * What image and sampler would have as descriptors of their own. But the driver's objects are those that were chosen
 * for the two together. A sampler that is not the one for all views serves no other image: the shader filters. A view
 * without decoding from sRGB has nothing to be encoded again.
 */
static struct half_records halves_of(struct track *track, const struct binding *binding, uint32_t element,
                                     const struct descriptor_note *note)
{
    struct half_records halves = {0};
    const struct view *view = note->layout && note->view ? view_find(track, note->view) : NULL;
    const struct sampler sampler = note->layout ? sampler_of(track, binding, element, note) : (struct sampler){0};
    VkSampler below = VK_NULL_HANDLE;
    if (view && view->opaque)
        view = NULL;
    if (view)
        halves.image = view->alone;
    if (view && sampler.state && !(sampler.bits & SAMPLER_PLAIN)) {
        const struct pair *pair = pair_of(track, sampler.state, view);
        below = pair->sampler;
        if (pair->view == RESOLVE_VIEW_UNORM)
            halves.image.lod &= ~RECORD_PAIR_SRGB;
    }
    const struct pair *alone = sampler.state ? pair_of(track, sampler.state, NULL) : NULL;
    if (alone && !alone->nothing) {
        halves.sampler = alone->decision;
        halves.sampler.flags |= alone->sampler == below ? 0u : RECORD_FILTER;
    }
    halves.needs = record_needs(&halves.image) | record_needs(&halves.sampler);
    return halves;
}

/* ---- Sets ---- */

static void put(struct track *track, struct records *records, const struct binding *binding, uint32_t element)
{
    const uint32_t index = binding->first_record + element;
    if (!binding->halves || index >= records->count)
        return;
    struct descriptor_note *note = &records->notes[index];
    const struct half_records halves = halves_of(track, binding, element, note);
    needs_change(&records->half_needs, records->concurrent, note->half_needs, halves.needs);
    note->half_needs = halves.needs;
    if (!records->gpu)
        return; /* they are made when the records are sent */
    struct record *place = records->gpu + binding_place(binding, element);
    place[HALF_IMAGE] = halves.image;
    place[HALF_SAMPLER] = halves.sampler;
}

/*
 * Sets that may change after binding may be written while a draw fills their halves: what was noted when the lock is
 * taken counts, and whoever notes something later takes it, too.
 */
void halves_put(struct track *track, struct records *records, const struct binding *binding, uint32_t element)
{
    if (records->concurrent)
        pthread_mutex_lock(&track->half_lock);
    put(track, records, binding, element);
    if (records->concurrent)
        pthread_mutex_unlock(&track->half_lock);
}

static void put_all(struct track *track, struct records *records, const struct set_layout *layout)
{
    for (uint32_t b = 0; b < layout->binding_count; b++) {
        const struct binding *binding = &layout->bindings[b];
        for (uint32_t i = 0; binding->halves && i < binding->count && binding->first_record + i < records->count; i++)
            put(track, records, binding, i);
    }
}

static void fill(struct track *track, struct set *set)
{
    pthread_mutex_lock(&track->half_lock);
    if (!atomic_load_explicit(&set->records.halves, memory_order_relaxed)) {
        if (set->records.concurrent) {
            atomic_store(&set->records.halves, true); /* before the notes are read: see put_hot */
            atomic_thread_fence(memory_order_seq_cst);
        }
        put_all(track, &set->records, set->layout);
        atomic_store_explicit(&set->records.halves, true, memory_order_release);
    }
    pthread_mutex_unlock(&track->half_lock);
}

static uint32_t halves_of_pushed(struct track *track, struct push_state *push)
{
    if (!push->layout->halves)
        return 0;
    if (!push->records.halves) {
        push->records.halves = push->dirty = true;
        put_all(track, &push->records, push->layout);
    }
    return push->records.half_needs.any;
}

uint32_t halves_of_bound(struct track *track, const struct bound_set *bound)
{
    if (bound->push)
        return halves_of_pushed(track, bound->push);
    struct set *set = bound->set ? set_find(track, bound->set) : NULL;
    if (!set || !set->layout->halves)
        return 0;
    if (!atomic_load_explicit(&set->records.halves, memory_order_acquire))
        fill(track, set);
    return atomic_load_explicit(&set->records.half_needs.any, memory_order_relaxed);
}

/* ---- Memory ---- */

void halves_copy(struct track *track, const struct records *records, const struct set_layout *layout,
                 struct record *memory)
{
    if (!layout->halves) {
        memcpy(memory, records->shadow, records->count * sizeof(*memory));
        return;
    }
    for (uint32_t b = 0; b < layout->binding_count; b++) {
        const struct binding *binding = &layout->bindings[b];
        for (uint32_t i = 0; binding->first_record != SPIRV_NO_RECORD && i < binding->count; i++) {
            const uint32_t index = binding->first_record + i;
            struct record *place = memory + binding_place(binding, i);
            place[HALF_BOTH] = records->shadow[index];
            if (binding->halves && records->halves) {
                const struct half_records halves = halves_of(track, binding, i, &records->notes[index]);
                place[HALF_IMAGE] = halves.image;
                place[HALF_SAMPLER] = halves.sampler;
            }
        }
    }
}

void halves_clear(const struct set_layout *layout, uint32_t record_count, struct record *memory)
{
    static const struct record zero;
    if (!layout->halves) {
        memset(memory, 0, record_count * sizeof(*memory));
        return;
    }
    for (uint32_t b = 0; b < layout->binding_count; b++) {
        const struct binding *binding = &layout->bindings[b];
        for (uint32_t i = 0;
             binding->first_record != SPIRV_NO_RECORD && i < binding->count && binding->first_record + i < record_count;
             i++)
            memory[binding_place(binding, i)] = zero;
    }
}
