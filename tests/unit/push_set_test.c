/* SPDX-License-Identifier: MIT */
/* Push sets that are ordinary sets below (layer/recording/push/push_set.c), above a driver that notes what it gets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fake_driver.h"
#include "commands/command_buffer.h"
#include "layouts/set_layout.h"
#include "objects/track.h"
#include "push/push.h"
#include "push/push_set.h"

enum { WRITES = 16, SIZES = 16, SETS_OF_POOL = 32, SET_LAYOUT = 7, STRANGE = 99 };

/* ---- A driver that notes what it gets ---- */

struct saved {
    VkDescriptorSet set;
    VkDescriptorType type;
    uint32_t binding, element;
    uint64_t what; /* the handle that was written */
};

static struct {
    struct saved writes[WRITES];
    uint32_t write_count;
    VkDescriptorPoolSize sizes[SIZES]; /* of the last pool */
    uint32_t size_count, max_sets;
    uint32_t pools, pools_made, resets; /* alive; made ever; calls */
    uint32_t sets;                      /* taken ever */
    uint32_t pool_of_last;
} driver;

static VKAPI_ATTR VkResult VKAPI_CALL take_pool(VkDevice handle, const VkDescriptorPoolCreateInfo *info,
                                                const VkAllocationCallbacks *callbacks, VkDescriptorPool *pool)
{
    (void)handle, (void)callbacks;
    assert_true(info->poolSizeCount <= SIZES);
    memcpy(driver.sizes, info->pPoolSizes, info->poolSizeCount * sizeof(*info->pPoolSizes));
    driver.size_count = info->poolSizeCount;
    driver.max_sets = info->maxSets;
    driver.pools++;
    *pool = HANDLE(VkDescriptorPool, ++driver.pools_made);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL drop_pool(VkDevice handle, VkDescriptorPool pool,
                                            const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)callbacks;
    assert_true(pool);
    driver.pools--;
}

static VKAPI_ATTR VkResult VKAPI_CALL reset_pool(VkDevice handle, VkDescriptorPool pool,
                                                 VkDescriptorPoolResetFlags flags)
{
    (void)handle, (void)pool, (void)flags;
    driver.resets++;
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL take_set(VkDevice handle, const VkDescriptorSetAllocateInfo *info,
                                               VkDescriptorSet *set)
{
    (void)handle;
    assert_int_equal(info->descriptorSetCount, 1);
    assert_true(info->pSetLayouts[0] == HANDLE(VkDescriptorSetLayout, SET_LAYOUT));
    driver.pool_of_last = (uint32_t)(uintptr_t)info->descriptorPool;
    *set = HANDLE(VkDescriptorSet, ++driver.sets);
    return VK_SUCCESS;
}

static uint64_t what_is_written(const VkWriteDescriptorSet *write)
{
    switch (write->descriptorType) {
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR: {
        const VkWriteDescriptorSetAccelerationStructureKHR *chain = write->pNext;
        assert_int_equal(chain->sType, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR);
        assert_int_equal(chain->accelerationStructureCount, 1);
        return (uint64_t)chain->pAccelerationStructures[0];
    }
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV: {
        const VkWriteDescriptorSetAccelerationStructureNV *chain = write->pNext;
        assert_int_equal(chain->sType, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_NV);
        assert_int_equal(chain->accelerationStructureCount, 1);
        return (uint64_t)chain->pAccelerationStructures[0];
    }
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        assert_null(write->pNext);
        return (uint64_t)write->pBufferInfo->buffer;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        assert_null(write->pNext);
        return (uint64_t)*write->pTexelBufferView;
    default:
        assert_null(write->pNext);
        return (uint64_t)write->pImageInfo->imageView;
    }
}

static VKAPI_ATTR void VKAPI_CALL take_writes(VkDevice handle, uint32_t count, const VkWriteDescriptorSet *writes,
                                              uint32_t copies, const VkCopyDescriptorSet *copied)
{
    (void)handle, (void)copied;
    assert_int_equal(copies, 0);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(writes[i].descriptorCount, 1);
        assert_true(driver.write_count < WRITES);
        driver.writes[driver.write_count++] =
            (struct saved){writes[i].dstSet, writes[i].descriptorType, writes[i].dstBinding, writes[i].dstArrayElement,
                           what_is_written(&writes[i])};
    }
}

static struct instance instance;
struct device device = {.instance = &instance,
                        .next = {.CreateDescriptorPool = take_pool,
                                 .DestroyDescriptorPool = drop_pool,
                                 .ResetDescriptorPool = reset_pool,
                                 .AllocateDescriptorSets = take_set,
                                 .UpdateDescriptorSets = take_writes},
                        .track = &track};
static struct command command;

/* ---- Layouts ---- */

#define PLAIN(BINDING, BELOW, TYPE, COUNT)                                                                             \
    {                                                                                                                  \
        .binding = (BINDING), .new_binding = (BELOW), .type = VK_DESCRIPTOR_TYPE_##TYPE, .count = (COUNT),             \
        .first_record = SPIRV_NO_RECORD                                                                                \
    }

static struct set_layout layout_of(struct binding *bindings, uint32_t count)
{
    return (struct set_layout){.bindings = bindings,
                               .binding_count = count,
                               .nearest_binding = SPIRV_NO_RECORD,
                               .variable = UINT32_MAX,
                               .duplicate = HANDLE(VkDescriptorSetLayout, SET_LAYOUT)};
}

static struct push_state push;

static void begin(struct set_layout *layout)
{
    memset(&driver, 0, sizeof(driver));
    fake_track_begin();
    command = (struct command){.device = &device, .track = &track};
    push = (struct push_state){.layout = layout};
    assert_true(push_sets_init(&track, &push));
}

static void end(void)
{
    push_sets_finish(&track, &push);
    assert_null(push.pools);
    assert_null(push.descriptors);
    assert_int_equal(driver.pools, 0);
    assert_int_equal(atomic_load(&track.counters.live_objects), 0);
}

static void keep(uint32_t binding, uint32_t element, VkDescriptorType type, uint32_t count, const void *chain)
{
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .pNext = chain,
                                        .dstBinding = binding,
                                        .dstArrayElement = element,
                                        .descriptorCount = count,
                                        .descriptorType = type};
    push_sets_keep(&track, &push, &write);
}

static void expect_write(uint32_t number, VkDescriptorType type, uint32_t binding, uint32_t element, uint64_t what)
{
    assert_true(number < driver.write_count);
    const struct saved *saved = &driver.writes[number];
    assert_true(saved->set == HANDLE(VkDescriptorSet, driver.sets));
    assert_int_equal(saved->type, type);
    assert_int_equal(saved->binding, binding);
    assert_int_equal(saved->element, element);
    assert_int_equal(saved->what, what);
}

/* ---- Tests ---- */

/* A chain of fewer structures than descriptors is a program's fault: nothing behind its end is read. */
static void structures_are_kept_as_far_as_the_chain_has_them(void **state)
{
    (void)state;
    struct binding bindings[] = {PLAIN(0, 1, ACCELERATION_STRUCTURE_KHR, 3), PLAIN(4, 5, ACCELERATION_STRUCTURE_NV, 3)};
    struct set_layout layout = layout_of(bindings, 2);
    const VkAccelerationStructureKHR khr[] = {HANDLE(VkAccelerationStructureKHR, 11),
                                              HANDLE(VkAccelerationStructureKHR, 12),
                                              HANDLE(VkAccelerationStructureKHR, STRANGE)};
    const VkAccelerationStructureNV nv[] = {HANDLE(VkAccelerationStructureNV, 21),
                                            HANDLE(VkAccelerationStructureNV, 22),
                                            HANDLE(VkAccelerationStructureNV, STRANGE)};
    const VkWriteDescriptorSetAccelerationStructureKHR two = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = 2,
        .pAccelerationStructures = khr};
    const VkWriteDescriptorSetAccelerationStructureNV two_nv = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_NV,
        .accelerationStructureCount = 2,
        .pAccelerationStructures = nv};
    begin(&layout);
    keep(0, 0, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 3, &two);
    keep(4, 0, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV, 3, &two_nv);
    assert_non_null(push_sets_acquire(&command, &push));
    assert_int_equal(driver.write_count, 4);
    for (uint32_t i = 0; i < 2; i++) {
        expect_write(i, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 1, i, 11 + i);
        expect_write(2 + i, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV, 5, i, 21 + i);
    }
    end();
    /* The structure of the other type says nothing, and what is without one is not written. */
    begin(&layout);
    keep(0, 0, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 1, &two_nv);
    keep(0, 1, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 1, NULL);
    keep(4, 0, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV, 1, &two);
    keep(4, 1, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV, 1, NULL);
    assert_non_null(push_sets_acquire(&command, &push));
    assert_int_equal(driver.write_count, 0);
    end();
}

/* Writes run over into bindings that follow, and the last one counts. */
static void a_set_has_all_that_was_pushed(void **state)
{
    (void)state;
    struct binding bindings[] = {PLAIN(0, 1, STORAGE_BUFFER, 2), PLAIN(3, 4, STORAGE_BUFFER, 2),
                                 PLAIN(4, 5, UNIFORM_TEXEL_BUFFER, 1), PLAIN(6, 7, STORAGE_IMAGE, 1)};
    struct set_layout layout = layout_of(bindings, 4);
    const VkDescriptorBufferInfo buffers[] = {
        {.buffer = HANDLE(VkBuffer, 31)}, {.buffer = HANDLE(VkBuffer, 32)}, {.buffer = HANDLE(VkBuffer, 33)}};
    const VkBufferView view = HANDLE(VkBufferView, 41);
    const VkDescriptorImageInfo image = {.imageView = HANDLE(VkImageView, 51)};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstArrayElement = 1,
                                  .descriptorCount = 3,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .pBufferInfo = buffers,
                                  .pTexelBufferView = &view,
                                  .pImageInfo = &image};
    begin(&layout);
    push_sets_keep(&track, &push, &write); /* 0[1], 3[0], 3[1] */
    write = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                   .dstBinding = 3,
                                   .descriptorCount = 1,
                                   .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                   .pBufferInfo = buffers};
    push_sets_keep(&track, &push, &write);
    write = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                   .dstBinding = 4,
                                   .descriptorCount = 1,
                                   .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                                   .pTexelBufferView = &view};
    push_sets_keep(&track, &push, &write);
    write = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                   .dstBinding = 6,
                                   .descriptorCount = 1,
                                   .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                   .pImageInfo = &image};
    push_sets_keep(&track, &push, &write);
    for (uint32_t i = 0; i < 2; i++) { /* the next draw's set has the same */
        driver.write_count = 0;
        assert_non_null(push_sets_acquire(&command, &push));
        assert_int_equal(driver.write_count, 5);
        expect_write(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, 1, 31);
        expect_write(1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4, 0, 31);
        expect_write(2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4, 1, 33);
        expect_write(3, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 5, 0, 41);
        expect_write(4, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 7, 0, 51);
    }
    push_sets_clear(&push);
    driver.write_count = 0;
    assert_non_null(push_sets_acquire(&command, &push));
    assert_int_equal(driver.write_count, 0);
    end();
}

static uint32_t size_of(VkDescriptorType type)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < driver.size_count; i++)
        total += driver.sizes[i].type == type ? driver.sizes[i].descriptorCount : 0;
    return total;
}

/* Pools have room for what their sets hold, the records' buffer and a nearest sampler among them. */
static void pools_have_room_for_their_sets_and_are_used_again(void **state)
{
    (void)state;
    struct binding bindings[] = {PLAIN(0, 1, STORAGE_IMAGE, 3), PLAIN(2, 3, UNIFORM_TEXEL_BUFFER, 1),
                                 PLAIN(3, 4, STORAGE_IMAGE, 2)};
    for (uint32_t form = 0; form < 2; form++) {
        struct set_layout layout = layout_of(bindings, 3);
        layout.storage = form;
        layout.nearest_binding = form ? 9 : SPIRV_NO_RECORD;
        begin(&layout);
        for (uint32_t i = 0; i < SETS_OF_POOL; i++) {
            assert_non_null(push_sets_acquire(&command, &push));
            assert_int_equal(driver.pool_of_last, 1);
        }
        assert_int_equal(driver.max_sets, SETS_OF_POOL);
        assert_int_equal(size_of(VK_DESCRIPTOR_TYPE_STORAGE_IMAGE), 5 * SETS_OF_POOL);
        assert_int_equal(size_of(VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER), SETS_OF_POOL);
        assert_int_equal(size_of(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER), form ? SETS_OF_POOL : 0);
        assert_int_equal(size_of(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER), form ? 0 : SETS_OF_POOL);
        assert_int_equal(size_of(VK_DESCRIPTOR_TYPE_SAMPLER), form ? SETS_OF_POOL : 0);
        assert_non_null(push_sets_acquire(&command, &push));
        assert_int_equal(driver.pool_of_last, 2);
        push_sets_reset(&device, &push);
        assert_int_equal(driver.resets, 2);
        push_sets_reset(&device, &push); /* nothing is taken */
        assert_int_equal(driver.resets, 2);
        for (uint32_t i = 0; i < 2 * SETS_OF_POOL; i++)
            assert_non_null(push_sets_acquire(&command, &push));
        assert_int_equal(driver.pools_made, 2);
        assert_int_equal(command.error, VK_SUCCESS);
        end();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structures_are_kept_as_far_as_the_chain_has_them),
        cmocka_unit_test(a_set_has_all_that_was_pushed),
        cmocka_unit_test(pools_have_room_for_their_sets_and_are_used_again),
    };
    return cmocka_run_group_tests_name("push_set", tests, NULL, NULL);
}
