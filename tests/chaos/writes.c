/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "chaos/commands.h"
#include "chaos/objects.h"
#include "chaos/sets.h"

enum { WRITES = 3, COPIES = 3 };

/* ---- Contents ---- */

/* Images are in SHADER_READ_ONLY_OPTIMAL. */
bool content_choose(struct actor *actor, struct key key, unsigned descriptor, enum mood mood, struct dice *dice,
                    struct content *content, struct descriptor_info *info)
{
    uint32_t element;
    const struct shape_binding *binding = shape_binding_of(shape_of(key.shape), descriptor, &element);
    *content = (struct content){0};
    *info = (struct descriptor_info){.image.imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    if (binding->type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER) {
        if (!object_choose(actor, OBJECT_TEXEL_VIEW, dice, &content->view))
            return false;
        info->texels = object_texel_view(actor, content->view)->handle;
        return true;
    }
    if (binding->type != VK_DESCRIPTOR_TYPE_SAMPLER) {
        if (!object_choose(actor, OBJECT_VIEW, dice, &content->view))
            return false;
        info->image.imageView = object_view(actor, content->view)->handle;
    }
    if (binding->type != VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE && !binding->immutable) {
        if (!object_choose_sampler(actor, mood, dice, &content->sampler))
            return false;
        info->image.sampler = object_sampler(actor, content->sampler)->handle;
    }
    return true;
}

bool content_lives(const struct actor *actor, struct key key, unsigned descriptor, const struct content *content)
{
    uint32_t element;
    const struct shape_binding *binding = shape_binding_of(shape_of(key.shape), descriptor, &element);
    if (binding->type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER)
        return object_texel_view(actor, content->view) != NULL;
    if (binding->type != VK_DESCRIPTOR_TYPE_SAMPLER && !object_view(actor, content->view))
        return false;
    return binding->type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE || binding->immutable ||
           object_sampler(actor, content->sampler) != NULL;
}

/* ---- Runs: descriptors that one write or one copy may go over ---- */

static unsigned run_from(const struct set *set, unsigned descriptor)
{
    const struct shape *shape = shape_of(set->key.shape);
    uint32_t element;
    const struct shape_binding *first = shape_binding_of(shape, descriptor, &element);
    const bool within = set->key.flavour == FLAVOUR_MUTABLE || set->key.shape == SHAPE_VARIABLE;
    unsigned count = 1;
    for (unsigned i = descriptor + 1; i < set->count; i++, count++) {
        const struct shape_binding *binding = shape_binding_of(shape, i, &element);
        if (binding->type != first->type || binding->immutable != first->immutable || (within && binding != first))
            break;
    }
    return count;
}

static bool choose_set(struct actor *actor, struct dice *dice, unsigned *place)
{
    const unsigned start = dice_below(dice, SETS);
    for (unsigned i = 0; i < SETS; i++) {
        *place = (start + i) % SETS;
        if (actor->sets[*place].count && set_may_be_written(actor, &actor->sets[*place]))
            return true;
    }
    return false;
}

static enum mood mood_of(unsigned place)
{
    return (enum mood)(place % MOODS);
}

/* ---- One call ---- */

/* What a call does to the model, once it is made: command buffers may be submitted before that. */
struct change {
    unsigned set, first, count;
    unsigned from_set, from_first; /* of copies */
    struct contents contents;      /* of writes, from 0 on */
};

struct call {
    struct change written[WRITES], copied[COPIES];
    VkWriteDescriptorSet writes[WRITES];
    struct descriptor_info infos[WRITES][SHAPE_DESCRIPTORS];
    VkDescriptorImageInfo images[WRITES][SHAPE_DESCRIPTORS];
    VkBufferView texels[WRITES][SHAPE_DESCRIPTORS];
    VkCopyDescriptorSet copies[COPIES];
    uint32_t write_count, copy_count;
};

/* `descriptor` and on, as many as `count`, in a set that may be written. */
static bool add_write(struct actor *actor, struct call *call, unsigned place, unsigned descriptor, unsigned count,
                      struct dice *dice)
{
    const struct set *set = &actor->sets[place];
    const uint32_t number = call->write_count;
    struct change *change = &call->written[number];
    uint32_t element;
    const struct shape_binding *binding = shape_binding_of(shape_of(set->key.shape), descriptor, &element);
    for (unsigned i = 0; i < count; i++) {
        if (!content_choose(actor, set->key, descriptor + i, mood_of(place), dice, &change->contents.of[i],
                            &call->infos[number][i]))
            return false;
        call->images[number][i] = call->infos[number][i].image;
        call->texels[number][i] = call->infos[number][i].texels;
    }
    change->set = place;
    change->first = descriptor;
    change->count = count;
    call->writes[call->write_count++] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                                               .dstSet = set->handle,
                                                               .dstBinding = binding->number,
                                                               .dstArrayElement = element,
                                                               .descriptorCount = count,
                                                               .descriptorType = binding->type,
                                                               .pImageInfo = call->images[number],
                                                               .pTexelBufferView = call->texels[number]};
    return true;
}

/*
 * The other type of a mutable binding: what a shader that expects the first one may not read. Validation layers
 * (1.4.363) believe that the set still has it when it has been written over.
 */
static bool add_other_type(struct actor *actor, struct call *call, unsigned place, unsigned descriptor,
                           struct dice *dice)
{
    const struct set *set = &actor->sets[place];
    const uint32_t number = call->write_count;
    uint32_t element;
    const struct shape_binding *binding = shape_binding_of(shape_of(set->key.shape), descriptor, &element);
    const bool image = binding->type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    struct ref ref;
    if (!object_choose(actor, image ? OBJECT_VIEW : OBJECT_TEXEL_VIEW, dice, &ref))
        return false;
    if (image)
        call->images[number][0] = (VkDescriptorImageInfo){VK_NULL_HANDLE, object_view(actor, ref)->handle,
                                                          VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    else
        call->texels[number][0] = object_texel_view(actor, ref)->handle;
    call->written[number] = (struct change){.set = place, .first = descriptor, .count = 1};
    call->writes[call->write_count++] = (VkWriteDescriptorSet){
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = set->handle,
        .dstBinding = binding->number,
        .dstArrayElement = element,
        .descriptorCount = 1,
        .descriptorType = image ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE : VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
        .pImageInfo = call->images[number],
        .pTexelBufferView = call->texels[number]};
    return true;
}

static void choose_write(struct actor *actor, struct call *call, struct dice *dice)
{
    unsigned place;
    if (!choose_set(actor, dice, &place))
        return;
    const struct set *set = &actor->sets[place];
    const unsigned descriptor = dice_below(dice, set->count);
    uint32_t element;
    if (object_unwritable(set->key) >> descriptor & 1)
        return;
    commands_let_go_of_set(actor, place, false, dice);
    if (object_is_mutable(set->key, shape_binding_of(shape_of(set->key.shape), descriptor, &element)) &&
        dice_one_in(dice, 4) && !actor->device->validated)
        add_other_type(actor, call, place, descriptor, dice);
    else
        add_write(actor, call, place, descriptor, 1 + dice_below(dice, run_from(set, descriptor)), dice);
}

/* The specification's conditions for a copy, more narrow where bindings are mutable or have immutable samplers. */
static unsigned copies_between(const struct set *from, unsigned first, const struct set *to, unsigned second)
{
    uint32_t element;
    const struct shape_binding *a = shape_binding_of(shape_of(from->key.shape), first, &element);
    const struct shape_binding *b = shape_binding_of(shape_of(to->key.shape), second, &element);
    const bool mutable = from->key.flavour == FLAVOUR_MUTABLE || to->key.flavour == FLAVOUR_MUTABLE;
    if (a->type != b->type || (from->pool == 2) != (to->pool == 2) ||
        (from->key.flavour == FLAVOUR_AFTER_BIND) != (to->key.flavour == FLAVOUR_AFTER_BIND))
        return 0;
    if ((mutable || a->immutable || b->immutable) && (!key_equal(from->key, to->key) || first != second))
        return 0;
    const unsigned runs[2] = {run_from(from, first), run_from(to, second)};
    return runs[0] < runs[1] ? runs[0] : runs[1];
}

static void choose_copy(struct actor *actor, struct call *call, struct dice *dice)
{
    unsigned from_place, to_place;
    if (!choose_set(actor, dice, &to_place) || !choose_set(actor, dice, &from_place))
        return;
    for (unsigned tries = 0; tries < 8 && mood_of(from_place) != mood_of(to_place); tries++)
        choose_set(actor, dice, &from_place);
    const struct set *from = &actor->sets[from_place], *to = &actor->sets[to_place];
    const unsigned first = dice_below(dice, from->count), second = dice_below(dice, to->count);
    unsigned count = copies_between(from, first, to, second);
    if (!count || (object_unwritable(to->key) >> second & 1))
        return;
    count = 1 + dice_below(dice, count);
    for (unsigned i = 0; i < count && actor->device->validated; i++)
        if (!content_lives(actor, from->key, first + i, &from->contents.of[first + i]))
            return;
    if (from == to && first < second + count && second < first + count)
        return;
    uint32_t elements[2];
    const struct shape_binding *a = shape_binding_of(shape_of(from->key.shape), first, &elements[0]);
    const struct shape_binding *b = shape_binding_of(shape_of(to->key.shape), second, &elements[1]);
    commands_let_go_of_set(actor, to_place, false, dice);
    call->copied[call->copy_count] =
        (struct change){to_place, second, count, from_place, first, {{{{0, 0, 0}, {0, 0, 0}}}}};
    call->copies[call->copy_count++] = (VkCopyDescriptorSet){.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                                             .srcSet = from->handle,
                                                             .srcBinding = a->number,
                                                             .srcArrayElement = elements[0],
                                                             .dstSet = to->handle,
                                                             .dstBinding = b->number,
                                                             .dstArrayElement = elements[1],
                                                             .descriptorCount = count};
}

static bool finish(struct actor *actor, struct call *call)
{
    vkUpdateDescriptorSets(actor->device->vk.device, call->write_count, call->writes, call->copy_count, call->copies);
    for (uint32_t i = 0; i < call->write_count; i++) {
        const struct change *change = &call->written[i];
        for (unsigned j = 0; j < change->count; j++)
            actor->sets[change->set].contents.of[change->first + j] = change->contents.of[j];
    }
    for (uint32_t i = 0; i < call->copy_count; i++) {
        const struct change *change = &call->copied[i];
        for (unsigned j = 0; j < change->count; j++)
            actor->sets[change->set].contents.of[change->first + j] =
                actor->sets[change->from_set].contents.of[change->from_first + j];
    }
    return call->write_count || call->copy_count;
}

bool sets_update(struct actor *actor, struct dice *dice)
{
    struct call call = {.write_count = 0};
    for (unsigned i = dice_below(dice, WRITES + 1); i; i--)
        choose_write(actor, &call, dice);
    for (unsigned i = dice_below(dice, COPIES + 1); i; i--)
        choose_copy(actor, &call, dice);
    return finish(actor, &call);
}

bool sets_complete(struct actor *actor, unsigned place, struct dice *dice)
{
    const struct set *set = &actor->sets[place];
    const uint32_t unwritable = object_unwritable(set->key);
    bool unref_layout = false;
    for (unsigned i = 0; i < set->count; i++) {
        struct call call = {.write_count = 0};
        if ((unwritable >> i & 1) || content_lives(actor, set->key, i, &set->contents.of[i]))
            continue;
        if (!set_may_be_written(actor, set))
            return false;
        if (!unref_layout)
            commands_let_go_of_set(actor, place, false, dice);
        unref_layout = true;
        if (!add_write(actor, &call, place, i, 1, dice))
            return false;
        finish(actor, &call);
    }
    return true;
}

/* ---- Two threads ---- */

enum { TIMES = 4 }; /* that each thread makes its write */

struct second {
    VkDevice device;
    const VkWriteDescriptorSet *write;
};

static void *write_again(void *user)
{
    const struct second *second = user;
    for (unsigned i = 0; i < TIMES; i++)
        vkUpdateDescriptorSets(second->device, 1, second->write, 0, NULL);
    return NULL;
}

/* Different descriptors of it may be written by several threads at once (VkDescriptorBindingFlagBits). */
static bool takes_two(const struct device *device, const struct set *set)
{
    return set->count > 1 &&
           (set->key.flavour == FLAVOUR_AFTER_BIND || (set->key.flavour == FLAVOUR_PARTIAL && device->pending));
}

/* A write that begins in [first, end) and ends there. */
static bool add_write_within(struct actor *actor, struct call *call, unsigned place, unsigned first, unsigned end,
                             struct dice *dice)
{
    const struct set *set = &actor->sets[place];
    const unsigned descriptor = first + dice_below(dice, end - first), run = run_from(set, descriptor);
    const unsigned most = run < end - descriptor ? run : end - descriptor;
    return !(object_unwritable(set->key) >> descriptor & 1) &&
           add_write(actor, call, place, descriptor, 1 + dice_below(dice, most), dice);
}

bool sets_update_by_two(struct actor *actor, struct dice *dice)
{
    struct call call = {.write_count = 0};
    const unsigned start = dice_below(dice, SETS);
    unsigned tries = 0;
    while (tries < SETS && !(set_may_be_written(actor, &actor->sets[(start + tries) % SETS]) &&
                             takes_two(actor->device, &actor->sets[(start + tries) % SETS])))
        tries++;
    const unsigned place = (start + tries) % SETS;
    if (tries == SETS)
        return false;
    const unsigned count = actor->sets[place].count, middle = 1 + dice_below(dice, count - 1);
    if (!add_write_within(actor, &call, place, 0, middle, dice) ||
        !add_write_within(actor, &call, place, middle, count, dice))
        return false;
    commands_let_go_of_set(actor, place, false, dice);
    struct second both[2] = {{actor->device->vk.device, &call.writes[0]}, {actor->device->vk.device, &call.writes[1]}};
    pthread_t thread;
    if (pthread_create(&thread, NULL, write_again, &both[1]))
        chaos_fail(actor, "no thread");
    write_again(&both[0]);
    pthread_join(thread, NULL);
    return finish(actor, &call); /* once more, and the model */
}

/* ---- Templates ---- */

/* A template and a set for it; sets of other keys are passed over. */
static const struct template *choose_template(struct actor *actor, struct dice *dice, unsigned *place)
{
    for (unsigned tries = 0; tries < 8; tries++) {
        struct ref ref;
        if (!object_choose(actor, OBJECT_TEMPLATE, dice, &ref))
            return NULL;
        const struct store *store = ref.shared ? &actor->device->shared : &actor->own;
        const struct template *template = &store->templates[ref.index];
        const unsigned start = dice_below(dice, SETS);
        for (unsigned i = 0; i < SETS; i++) {
            *place = (start + i) % SETS;
            const struct set *set = &actor->sets[*place];
            if (set_may_be_written(actor, set) && key_equal(set->key, template->key))
                return template;
        }
    }
    return NULL;
}

bool sets_update_with_template(struct actor *actor, struct dice *dice)
{
    unsigned place;
    struct descriptor_info infos[SHAPE_DESCRIPTORS];
    const struct template *template = choose_template(actor, dice, &place);
    if (!template)
        return false;
    memset(infos, 0x7a, sizeof(infos)); /* where nothing is read, there is nothing to be read */
    struct set *set = &actor->sets[place];
    struct contents contents = set->contents;
    for (unsigned i = 0; i < set->count; i++) {
        if (template->skipped >> i & 1)
            continue;
        if (!content_choose(actor, set->key, i, mood_of(place), dice, &contents.of[i], &infos[i]))
            return false;
    }
    commands_let_go_of_set(actor, place, false, dice);
    set->contents = contents;
    vkUpdateDescriptorSetWithTemplate(actor->device->vk.device, set->handle, template->handle, infos);
    return true;
}
