/* SPDX-License-Identifier: MIT */
#include "chaos/sets.h"

#include "chaos/commands.h"
#include "chaos/objects.h"

enum { POOL_FREE, POOL_PLAIN, POOL_AFTER_BIND };

/* ---- Pools ---- */

void sets_make_pool(struct actor *actor, unsigned pool)
{
    const struct device *device = actor->device;
    static const VkDescriptorType either[] = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                              VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER};
    const VkMutableDescriptorTypeListEXT lists[] = {{0, NULL}, {0, NULL}, {0, NULL}, {0, NULL}, {2, either}};
    const VkMutableDescriptorTypeCreateInfoEXT mutables = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = 5,
        .pMutableDescriptorTypeLists = lists};
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, POOL_SETS * SHAPE_DESCRIPTORS},
                                          {VK_DESCRIPTOR_TYPE_SAMPLER, POOL_SETS * SHAPE_DESCRIPTORS},
                                          {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, POOL_SETS * SHAPE_DESCRIPTORS},
                                          {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, POOL_SETS * SHAPE_DESCRIPTORS},
                                          {VK_DESCRIPTOR_TYPE_MUTABLE_EXT, POOL_SETS * SHAPE_DESCRIPTORS}};
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .pNext = device->mutable_types ? &mutables : NULL,
        .flags =
            (pool == POOL_PLAIN ? 0 : (VkFlags)VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT) |
            (pool == POOL_AFTER_BIND && device->after_bind ? (VkFlags)VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT
                                                           : 0),
        .maxSets = POOL_SETS,
        .poolSizeCount = device->mutable_types ? 5 : 4,
        .pPoolSizes = sizes};
    HARNESS_VK(vkCreateDescriptorPool(device->vk.device, &info, NULL, &actor->pools[pool].handle));
}

void sets_reset_pool(struct actor *actor, unsigned pool, bool destroy, struct dice *dice)
{
    for (unsigned i = 0; i < SETS; i++) {
        struct set *set = &actor->sets[i];
        if (!set->lives || set->pool != pool)
            continue;
        commands_let_go_of_set(actor, i, true, dice);
        set->lives = false;
        set->version++;
    }
    if (destroy) {
        vkDestroyDescriptorPool(actor->device->vk.device, actor->pools[pool].handle, NULL);
        sets_make_pool(actor, pool);
    } else {
        HARNESS_VK(vkResetDescriptorPool(actor->device->vk.device, actor->pools[pool].handle, 0));
    }
}

/* ---- Sets ---- */

static const struct set_layout *layout_of(const struct actor *actor, const struct set *set)
{
    const struct store *store = set->layout.shared ? &actor->device->shared : &actor->own;
    return &store->layouts[set->layout.index];
}

bool set_may_be_written(const struct actor *actor, const struct set *set)
{
    const struct life *life = &layout_of(actor, set)->life;
    return set->lives && life->lives && life->generation == set->layout.generation;
}

bool sets_free(struct actor *actor, unsigned place, struct dice *dice)
{
    struct set *set = &actor->sets[place];
    if (!set->lives || set->pool == POOL_PLAIN)
        return false;
    commands_let_go_of_set(actor, place, true, dice);
    HARNESS_VK(vkFreeDescriptorSets(actor->device->vk.device, actor->pools[set->pool].handle, 1, &set->handle));
    set->lives = false;
    set->version++;
    return true;
}

static unsigned pool_for(const struct actor *actor, struct key key, struct dice *dice)
{
    const unsigned any = dice_below(dice, POOLS);
    unsigned count = 0;
    const unsigned pool = key.flavour == FLAVOUR_AFTER_BIND ? POOL_AFTER_BIND : any;
    for (unsigned i = 0; i < SETS; i++)
        count += actor->sets[i].lives && actor->sets[i].pool == pool;
    return count < POOL_SETS ? pool : POOLS;
}

static bool allocate_at(struct actor *actor, unsigned place, struct ref layout, struct dice *dice)
{
    const struct store *store = layout.shared ? &actor->device->shared : &actor->own;
    const struct set_layout *from = &store->layouts[layout.index];
    const struct shape *shape = shape_of(from->key.shape);
    const bool varies = from->key.shape == SHAPE_VARIABLE && set_is_partial(from->key) && actor->device->variable;
    const uint32_t variable = dice_below(dice, 5);
    const unsigned pool = pool_for(actor, from->key, dice);
    struct set *set = &actor->sets[place];
    if (pool == POOLS)
        return false;
    const VkDescriptorSetVariableDescriptorCountAllocateInfo count = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
        .descriptorSetCount = 1,
        .pDescriptorCounts = &variable};
    const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .pNext = varies ? &count : NULL,
                                              .descriptorPool = actor->pools[pool].handle,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &from->handle};
    const VkResult result = vkAllocateDescriptorSets(actor->device->vk.device, &info, &set->handle);
    if (result == VK_ERROR_FRAGMENTED_POOL || result == VK_ERROR_OUT_OF_POOL_MEMORY)
        return false;
    HARNESS_VK(result);
    set->lives = true;
    set->key = from->key;
    set->pool = (uint8_t)pool;
    set->count = (uint8_t)(varies ? shape->descriptor_count - 4 + variable : shape->descriptor_count);
    set->version++;
    set->layout.shared = layout.shared;
    set->layout.index = layout.index;
    set->layout.generation = layout.generation;
    set->contents = (struct contents){0};
    return true;
}

/* A place without a set, which may mean that one is freed; SETS if there is none. */
static unsigned empty_place(struct actor *actor, struct dice *dice)
{
    const unsigned start = dice_below(dice, SETS);
    for (unsigned i = 0; i < SETS; i++)
        if (!actor->sets[(start + i) % SETS].lives)
            return (start + i) % SETS;
    for (unsigned i = 0; i < SETS; i++)
        if (sets_free(actor, (start + i) % SETS, dice))
            return (start + i) % SETS;
    return SETS;
}

bool sets_allocate(struct actor *actor, struct dice *dice)
{
    struct ref layout;
    if (!object_choose(actor, OBJECT_LAYOUT, dice, &layout))
        return false;
    const unsigned place = empty_place(actor, dice);
    return place != SETS && allocate_at(actor, place, layout, dice);
}

/* A layout of that key, which is made if need be in the actor's own store. */
static struct ref layout_of_key(struct actor *actor, struct key key, struct dice *dice)
{
    struct store *const stores[2] = {&actor->own, &actor->device->shared};
    for (unsigned i = 0; i < 2 * LAYOUTS; i++) {
        const struct set_layout *layout = &stores[i % 2]->layouts[i / 2];
        if (layout->life.lives && key_equal(layout->key, key))
            return (struct ref){(uint8_t)(i % 2), (uint8_t)(i / 2), layout->life.generation};
    }
    const unsigned place = dice_below(dice, LAYOUTS);
    struct set_layout *layout = &actor->own.layouts[place];
    if (layout->life.lives)
        object_destroy(actor->device, &actor->own, OBJECT_LAYOUT, place);
    layout->key = key;
    layout->handle = object_new_layout(actor->device, key);
    layout->life.lives = true;
    return (struct ref){0, (uint8_t)place, ++layout->life.generation};
}

unsigned sets_of_key(struct actor *actor, struct key key, struct dice *dice)
{
    const unsigned start = dice_below(dice, SETS);
    const bool another = dice_one_in(dice, 8);
    for (unsigned i = 0; i < SETS && !another; i++) {
        const unsigned place = (start + i) % SETS;
        if (actor->sets[place].lives && key_equal(actor->sets[place].key, key))
            return place;
    }
    const struct ref layout = layout_of_key(actor, key, dice);
    const unsigned place = empty_place(actor, dice);
    if (place == SETS)
        return SETS;
    if (allocate_at(actor, place, layout, dice))
        return place;
    sets_reset_pool(actor, key.flavour == FLAVOUR_AFTER_BIND ? POOL_AFTER_BIND : dice_below(dice, POOLS),
                    dice_one_in(dice, 2), dice);
    return allocate_at(actor, place, layout, dice) ? place : SETS;
}
