/* SPDX-License-Identifier: MIT */
/* The memory of a pool's records, taken at once, has room for all sets that the pool's sizes allow (pool.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "descriptors/descriptors.h"
#include "descriptors/pool.h"
#include "fake_driver.h"
#include "layouts/set_layout.h"
#include "objects/memory.h"
#include "objects/table.h"
#include "track/subsystems.h"

static uintptr_t last_set;

static VKAPI_ATTR VkResult VKAPI_CALL take_pool(VkDevice handle, const VkDescriptorPoolCreateInfo *info,
                                                const VkAllocationCallbacks *callbacks, VkDescriptorPool *pool)
{
    (void)handle, (void)info, (void)callbacks;
    *pool = HANDLE(VkDescriptorPool, 11);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL drop_pool(VkDevice handle, VkDescriptorPool pool,
                                            const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)pool, (void)callbacks;
}

static VKAPI_ATTR VkResult VKAPI_CALL take_sets(VkDevice handle, const VkDescriptorSetAllocateInfo *info,
                                                VkDescriptorSet *sets)
{
    (void)handle;
    for (uint32_t i = 0; i < info->descriptorSetCount; i++)
        sets[i] = HANDLE(VkDescriptorSet, ++last_set);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL take_update(VkDevice handle, uint32_t write_count, const VkWriteDescriptorSet *writes,
                                              uint32_t copy_count, const VkCopyDescriptorSet *copies)
{
    (void)handle, (void)write_count, (void)writes, (void)copy_count, (void)copies;
}

static struct instance instance;
static struct subsystems subsystems;
static struct track track = {SUBSYSTEMS_OF(subsystems)};
struct device device = {.instance = &instance,
                        .properties.limits.maxStorageBufferRange = 1u << 27,
                        .caps = {.record_storage = true, .enabled = {.glSampler = VK_TRUE}},
                        .next = {FAKE_LAYOUTS_AND_MODULES, MADE_MEMORY, .CreateDescriptorPool = take_pool,
                                 .DestroyDescriptorPool = drop_pool, .AllocateDescriptorSets = take_sets,
                                 .UpdateDescriptorSets = take_update},
                        .track = &track};

static int open_track(void **state)
{
    (void)state;
    memset(&subsystems, 0, sizeof(subsystems));
    track = (struct track){.device = &device, SUBSYSTEMS_OF(subsystems)};
    fake_driver = (struct fake_driver){.last = 0x1000};
    made_memory_open(&device);
    return memory_heap_init(&track.heap, false) && descriptors_init(&track) &&
                   table_init(&subsystems.sampling.samplers) && table_init(&subsystems.layouts.set_layouts) &&
                   table_init(&subsystems.layouts.kept)
               ? 0
               : -1;
}

static int close_track(void **state)
{
    (void)state;
    table_finish(&subsystems.layouts.kept);
    table_finish(&subsystems.layouts.set_layouts);
    table_finish(&subsystems.sampling.samplers);
    descriptors_finish(&track);
    memory_heap_finish(&device, &track.heap);
    return 0;
}

/* So many that rounding the memory up leaves no room for another set. */
enum { SETS = 1025, MOST = 4 };

/* Sets with `count` combined image samplers each, as many as the pool names, all from its first memory. */
static void fill_pool(uint32_t count)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, count,
                                                  VK_SHADER_STAGE_ALL, NULL};
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
    VkDescriptorSetLayout set_layout;
    assert_int_equal(hook_CreateDescriptorSetLayout(NULL, &layout, NULL, &set_layout), VK_SUCCESS);
    const struct set_layout *known = set_layout_find(&track, set_layout);
    assert_true(known->masks && known->split); /* nothing in their records is left out */

    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, SETS * count};
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = SETS,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    VkDescriptorPool pool;
    assert_int_equal(hook_CreateDescriptorPool(NULL, &info, NULL, &pool), VK_SUCCESS);
    const struct arena *arena = NULL;
    for (uint32_t i = 0; i < SETS; i++) {
        const VkDescriptorSetAllocateInfo one = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                 .descriptorPool = pool,
                                                 .descriptorSetCount = 1,
                                                 .pSetLayouts = &set_layout};
        VkDescriptorSet set;
        assert_int_equal(hook_AllocateDescriptorSets(NULL, &one, &set), VK_SUCCESS);
        if (i == 0)
            arena = set_find(&track, set)->arena;
        assert_non_null(arena);
        if (set_find(&track, set)->arena != arena)
            fail_msg("set %u of %u, with %u descriptors, has memory of its own", i, SETS, count);
    }
    hook_DestroyDescriptorPool(NULL, pool, NULL);
    hook_DestroyDescriptorSetLayout(NULL, set_layout, NULL);
}

static void the_first_memory_has_room_for_all_sets(void **state)
{
    static const VkDeviceSize alignments[] = {16, 256};
    (void)state;
    for (unsigned i = 0; i < sizeof(alignments) / sizeof(*alignments); i++) {
        device.properties.limits.minStorageBufferOffsetAlignment = alignments[i];
        for (uint32_t count = 1; count <= MOST; count++)
            fill_pool(count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_first_memory_has_room_for_all_sets, open_track, close_track),
    };
    return cmocka_run_group_tests_name("pool_room", tests, NULL, NULL);
}
