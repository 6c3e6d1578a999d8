/* SPDX-License-Identifier: MIT */
/* Remembers for each instance the places that gave their message. */
#include "device/instance.h"
#include "device/message.h"

bool message_first(struct message_place *place, struct instance *instance)
{
    enum { BITS = 64, PLACES = BITS * sizeof(instance->said) / sizeof(instance->said[0]) };
    static _Atomic(uint32_t) places;
    uint32_t number = atomic_load_explicit(&place->number, memory_order_relaxed);
    if (!number) {
        const uint32_t next = atomic_fetch_add_explicit(&places, 1, memory_order_relaxed) + 1;
        number = atomic_compare_exchange_strong(&place->number, &number, next) ? next : number;
    }
    number %= PLACES;
    const uint64_t bit = UINT64_C(1) << number % BITS;
    return !(atomic_fetch_or_explicit(&instance->said[number / BITS], bit, memory_order_relaxed) & bit);
}
