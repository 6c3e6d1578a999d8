#include "auto_layout.h"

#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/module/inst.h"

#define UNKNOWN_LENGTH 64u

/* The instruction that defines `id` among types, constants and variables; NULL if there is none. */
static const uint32_t *definition(const uint32_t *words, size_t count, uint32_t id)
{
    for (size_t at = HEADER_WORDS; at < count; at += inst_length(words + at)) {
        uint32_t opcode = inst_opcode(words + at);
        if (opcode == SpvOpFunction) {
            return NULL;
        }
        bool type = opcode >= SpvOpTypeVoid && opcode <= SpvOpTypeForwardPointer;
        bool constant = opcode >= SpvOpConstantTrue && opcode <= SpvOpSpecConstantOp;
        if ((type && words[at + 1] == id) || ((constant || opcode == SpvOpVariable) && words[at + 2] == id)) {
            return words + at;
        }
    }
    return NULL;
}

static bool decoration(const uint32_t *words, size_t count, uint32_t id, uint32_t which, uint32_t *value)
{
    for (size_t at = HEADER_WORDS; at < count; at += inst_length(words + at)) {
        if (inst_opcode(words + at) == SpvOpFunction) {
            return false;
        }
        if (inst_opcode(words + at) == SpvOpDecorate && inst_length(words + at) > 3 && words[at + 1] == id &&
            words[at + 2] == which) {
            *value = words[at + 3];
            return true;
        }
    }
    return false;
}

/* What a binding's variables are. */
enum { IMAGES = 1, SAMPLERS = 2 };

/*
 * Descriptors of a variable of this pointee type; 0 if it holds no sampler, sampled image or uniform texel buffer.
 * Which of them in *kinds.
 */
static uint32_t descriptors(const uint32_t *words, size_t count, uint32_t type, uint32_t *kinds)
{
    uint32_t total = 1;
    for (int depth = 0; depth < 4; depth++) {
        const uint32_t *inst = definition(words, count, type);
        uint32_t opcode = inst != NULL ? inst_opcode(inst) : 0;
        if (opcode == SpvOpTypeArray || opcode == SpvOpTypeRuntimeArray) {
            const uint32_t *length = opcode == SpvOpTypeArray ? definition(words, count, inst[3]) : NULL;
            bool known = length != NULL && inst_opcode(length) == SpvOpConstant && length[3] > 0 && length[3] < 65536;
            total *= known ? length[3] : UNKNOWN_LENGTH;
            total = total < 65536 ? total : 65536;
            type = inst[2];
            continue;
        }
        bool sampled =
            opcode == SpvOpTypeImage && inst[IMAGE_SAMPLED] != IMAGE_IS_STORAGE && inst[IMAGE_DIM] != SpvDimSubpassData;
        *kinds = opcode == SpvOpTypeSampledImage ? IMAGES | SAMPLERS
                 : opcode == SpvOpTypeSampler    ? SAMPLERS
                 : sampled                       ? IMAGES
                                                 : 0;
        return *kinds != 0 ? total : 0;
    }
    return 0;
}

static bool parses(const uint32_t *words, size_t count)
{
    struct spirv_facts facts;
    return spirv_scan(words, count, &facts) != SPIRV_MALFORMED;
}

struct found {
    uint32_t set, binding, count;
    uint32_t kinds;
};

static uint32_t find_all(const uint32_t *words, size_t count, struct found *all)
{
    uint32_t total = 0;
    for (size_t at = HEADER_WORDS; at < count && total < AUTO_LAYOUT_BINDINGS; at += inst_length(words + at)) {
        uint32_t opcode = inst_opcode(words + at);
        if (opcode == SpvOpFunction) {
            break;
        }
        struct found f = {0};
        if (opcode != SpvOpVariable || !decoration(words, count, words[at + 2], SpvDecorationBinding, &f.binding) ||
            !decoration(words, count, words[at + 2], SpvDecorationDescriptorSet, &f.set) || f.set >= AUTO_LAYOUT_SETS) {
            continue;
        }
        const uint32_t *pointer = definition(words, count, words[at + 1]);
        bool is_pointer = pointer != NULL && inst_opcode(pointer) == SpvOpTypePointer;
        f.count = is_pointer ? descriptors(words, count, pointer[3], &f.kinds) : 0;
        /* Kept in order of set and binding. */
        uint32_t place = total;
        while (place > 0 &&
               (all[place - 1].set > f.set || (all[place - 1].set == f.set && all[place - 1].binding > f.binding))) {
            place--;
        }
        memmove(all + place + 1, all + place, (total - place) * sizeof(*all));
        all[place] = f;
        total++;
    }
    return total;
}

/* One binding may be declared by several variables: the largest counts. `halves` holds their kinds until the end. */
static void add_binding(struct auto_layout *result, const struct found *f)
{
    struct spirv_set *set = &result->sets[f->set];
    struct spirv_binding *last = set->binding_count != 0 ? &result->bindings[result->binding_total - 1] : NULL;
    if (last != NULL && last->binding == f->binding) {
        last->halves |= f->kinds;
        if (f->count > last->count) {
            set->record_count += f->count - last->count;
            last->first_record = last->count == 0 ? set->record_count - f->count : last->first_record;
            last->count = f->count;
        }
        return;
    }
    struct spirv_binding *binding = &result->bindings[result->binding_total++];
    set->bindings = set->binding_count == 0 ? binding : set->bindings;
    set->binding_count++;
    binding->binding = binding->new_binding = f->binding;
    binding->count = f->count;
    binding->halves = f->kinds;
    binding->first_record = f->count != 0 ? set->record_count : SPIRV_NO_RECORD;
    set->record_count += f->count;
    set->record_binding = f->binding + 1;
}

/* An image and a sampler in one binding are a combined image sampler. */
static void place_halves(struct auto_layout *result, bool wanted)
{
    for (uint32_t i = 0; i < AUTO_LAYOUT_SETS; i++) {
        struct spirv_set *set = &result->sets[i];
        uint32_t records = 0;
        for (uint32_t j = 0; j < set->binding_count; j++) {
            struct spirv_binding *binding = (struct spirv_binding *)&set->bindings[j];
            binding->halves = wanted && binding->halves == (IMAGES | SAMPLERS);
            if (binding->first_record != SPIRV_NO_RECORD && wanted) {
                binding->first_record = records;
                records += binding->count * (binding->halves != 0 ? SPIRV_RECORDS_OF_HALVES : 1);
            }
        }
        set->record_count = wanted ? records : set->record_count;
    }
}

void auto_layout(const uint32_t *words, size_t word_count, unsigned options, struct auto_layout *result)
{
    memset(result, 0, sizeof(*result));
    result->layout.sets = result->sets;
    result->layout.set_count = AUTO_LAYOUT_SETS;
    for (uint32_t i = 0; i < AUTO_LAYOUT_SETS; i++) {
        result->sets[i].record_binding = SPIRV_NO_RECORD;
        result->sets[i].storage = (options & AUTO_LAYOUT_STORAGE) != 0;
    }
    struct found all[AUTO_LAYOUT_BINDINGS + 1];
    uint32_t total = parses(words, word_count) ? find_all(words, word_count, all) : 0;
    for (uint32_t i = 0; i < total; i++) {
        add_binding(result, &all[i]);
    }
    place_halves(result, (options & AUTO_LAYOUT_HALVES) != 0);
    for (uint32_t i = 0; i < AUTO_LAYOUT_SETS; i++) {
        struct spirv_set *set = &result->sets[i];
        if (set->record_count != 0 && (options & AUTO_LAYOUT_NEAREST)) {
            set->nearest = set->record_binding + 2 + 1;
        }
        if (set->record_count == 0) {
            set->record_binding = SPIRV_NO_RECORD;
        } else if (options & AUTO_LAYOUT_RENUMBER) {
            struct spirv_binding *last = (struct spirv_binding *)&set->bindings[set->binding_count - 1];
            set->record_binding = last->binding;
            last->new_binding = last->binding + 1;
        }
    }
}
