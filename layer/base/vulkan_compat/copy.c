/* SPDX-License-Identifier: MIT */
/* The walk over structures that makes a deep copy: once to add up the sizes, once to copy. */
#include "copy.h"

#include <stdlib.h>
#include <string.h>

/*
 * One walk does both phases. While measuring, `block` is NULL and only `used` grows; while copying, every piece lands
 * where the measuring walk counted it.
 */
struct copier {
    unsigned char *block;
    size_t used; /* bytes, a multiple of the strictest alignment */
    bool overflow;
    bool unknown;
    VkStructureType unknown_type;
};

static void copy_fields(struct copier *copier, int type, const void *source, unsigned char *target);

/* Space for `count` elements, NULL while measuring. */
static void *reserve(struct copier *copier, size_t count, size_t size)
{
    const size_t align = _Alignof(max_align_t);
    void *place = copier->block ? copier->block + copier->used : NULL;
    if (count > (SIZE_MAX / 2 - copier->used - align) / (size ? size : 1)) {
        copier->overflow = true;
        return NULL;
    }
    copier->used += (count * size + align - 1) / align * align;
    return place;
}

static void *copy_bytes(struct copier *copier, const void *source, size_t count, size_t size)
{
    void *place = reserve(copier, count, size);
    if (place)
        memcpy(place, source, count * size);
    return place;
}

static void *copy_elements(struct copier *copier, const struct copy_field *field, const void *source, size_t count)
{
    unsigned char *target = copy_bytes(copier, source, count, field->element_size);
    if (field->element < 0)
        return target;
    for (size_t i = 0; i < count && !copier->overflow; i++) {
        const size_t at = i * field->element_size;
        copy_fields(copier, field->element, (const unsigned char *)source + at, target ? target + at : NULL);
    }
    return target;
}

/* Arrays of pointers: to strings where the field has no element size. */
static void *copy_pointers(struct copier *copier, const struct copy_field *field, const void *source, size_t count)
{
    const void *const *pointers = source;
    const void **target = reserve(copier, count, sizeof(*target));
    for (size_t i = 0; i < count && !copier->overflow; i++) {
        const void *copy = NULL;
        if (pointers[i] && field->kind == FIELD_STRINGS)
            copy = copy_bytes(copier, pointers[i], strlen(pointers[i]) + 1, 1);
        else if (pointers[i])
            copy = copy_elements(copier, field, pointers[i], 1);
        if (target)
            target[i] = copy;
    }
    return target;
}

/* The first structure of a chain; the rest follows through its own pNext. */
static void *copy_chain(struct copier *copier, const void *source)
{
    const VkBaseInStructure *base = source;
    const int type = copy_type_of(base->sType);
    if (type < 0) {
        if (!copier->unknown)
            copier->unknown_type = base->sType;
        copier->unknown = true;
        return NULL;
    }
    unsigned char *target = copy_bytes(copier, source, 1, copy_types[type].size);
    copy_fields(copier, type, source, target);
    return target;
}

static size_t element_count(const struct copy_field *field, const unsigned char *source)
{
    uint64_t count = field->fixed_count;
    if (field->count_size == sizeof(uint32_t)) {
        uint32_t value;
        memcpy(&value, source + field->count, sizeof(value));
        count = value;
    } else if (field->count_size == sizeof(uint64_t)) {
        memcpy(&count, source + field->count, sizeof(count));
    }
    return (size_t)((count + field->add) / (field->divide ? field->divide : 1));
}

static bool selected(const struct copy_field *field, const unsigned char *source)
{
    uint32_t value;
    if (!field->condition)
        return true;
    memcpy(&value, source + field->selector, sizeof(value));
    return value >= field->first && value <= field->last;
}

static const void *copy_pointer(struct copier *copier, const struct copy_field *field, const unsigned char *source)
{
    const void *pointer;
    const size_t count = element_count(field, source);
    memcpy(&pointer, source + field->offset, sizeof(pointer));
    if (!pointer || !selected(field, source))
        return NULL;
    switch (field->kind) {
    case FIELD_CHAIN:
        return copy_chain(copier, pointer);
    case FIELD_STRING:
        return copy_bytes(copier, pointer, strlen(pointer) + 1, 1);
    case FIELD_ARRAY:
        return count ? copy_elements(copier, field, pointer, count) : NULL;
    default:
        return count ? copy_pointers(copier, field, pointer, count) : NULL;
    }
}

/* `target` already holds the bytes of `source`; its pointers are replaced. NULL while measuring. */
static void copy_fields(struct copier *copier, int type, const void *source, unsigned char *target)
{
    const unsigned char *bytes = source;
    for (size_t i = 0; i < copy_types[type].field_count && !copier->overflow; i++) {
        const struct copy_field *field = &copy_types[type].fields[i];
        if (field->kind == FIELD_HELD) {
            for (size_t j = 0; selected(field, bytes) && j < field->fixed_count; j++) {
                const size_t at = field->offset + j * field->element_size;
                copy_fields(copier, field->element, bytes + at, target ? target + at : NULL);
            }
            continue;
        }
        const void *copy = copy_pointer(copier, field, bytes);
        if (target)
            memcpy(target + field->offset, &copy, sizeof(copy));
    }
}

static void walk(struct copier *copier, int type, const void *source)
{
    unsigned char *target = copy_bytes(copier, source, 1, copy_types[type].size);
    copy_fields(copier, type, source, target);
}

void *copy_structure(int type, const void *source, enum copy_result *result)
{
    struct copier copier = {0};
    walk(&copier, type, source);
    *result = copier.overflow ? COPY_OUT_OF_MEMORY : copier.unknown ? COPY_UNKNOWN_STRUCTURE : COPY_OK;
    if (*result != COPY_OK)
        return NULL;
    void *block = malloc(copier.used);
    if (!block) {
        *result = COPY_OUT_OF_MEMORY;
        return NULL;
    }
    copier = (struct copier){.block = block};
    walk(&copier, type, source);
    return block;
}

VkStructureType copy_unknown(int type, const void *source)
{
    struct copier copier = {0};
    walk(&copier, type, source);
    return copier.unknown ? copier.unknown_type : VK_STRUCTURE_TYPE_MAX_ENUM;
}
