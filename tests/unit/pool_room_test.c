/* SPDX-License-Identifier: MIT */
/*
 * The memory of a pool's records, taken at once, has room for all sets that the pool's sizes allow (pool.c), and what
 * vkAllocateDescriptorSets returns where there is none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "descriptors/descriptors.h"
#include "descriptors/pool.h"
#include "fake_driver.h"
#include "layouts/set_layout.h"
#include "objects/memory.h"
#include "objects/table.h"

static uintptr_t last_set;

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

/* What memory above a size, and mapping it, end with; of both VK_SUCCESS: there is some. */
static struct {
    VkDeviceSize most, last;
    VkResult allocated, mapped;
} small = {UINT64_MAX, 0, VK_SUCCESS, VK_SUCCESS};

static VKAPI_ATTR VkResult VKAPI_CALL take_memory(VkDevice handle, const VkMemoryAllocateInfo *info,
                                                  const VkAllocationCallbacks *callbacks, VkDeviceMemory *memory)
{
    small.last = info->allocationSize;
    return small.last > small.most && small.allocated != VK_SUCCESS ? small.allocated
                                                                    : made_memory(handle, info, callbacks, memory);
}

static VKAPI_ATTR VkResult VKAPI_CALL map_memory(VkDevice handle, VkDeviceMemory memory, VkDeviceSize offset,
                                                 VkDeviceSize size, VkMemoryMapFlags flags, void **mapped)
{
    return small.last > small.most && small.mapped != VK_SUCCESS
               ? small.mapped
               : made_memory_map(handle, memory, offset, size, flags, mapped);
}

/* As large as the buffer, unlike those of the fake driver. */
static VkDeviceSize buffer_size;

static VKAPI_ATTR VkResult VKAPI_CALL take_buffer(VkDevice handle, const VkBufferCreateInfo *info,
                                                  const VkAllocationCallbacks *callbacks, VkBuffer *buffer)
{
    buffer_size = info->size;
    return made_buffer(handle, info, callbacks, buffer);
}

static VKAPI_ATTR void VKAPI_CALL say_needs(VkDevice handle, VkBuffer buffer, VkMemoryRequirements *needs)
{
    made_buffer_needs(handle, buffer, needs);
    needs->size = buffer_size;
}

static struct instance instance;
struct device device = {.instance = &instance,
                        .properties.limits.maxStorageBufferRange = 1u << 27,
                        .caps = {.record_storage = true, .enabled = {.glSampler = VK_TRUE}},
                        .next = {FAKE_LAYOUTS_AND_MODULES, .CreateBuffer = take_buffer,
                                 .DestroyBuffer = made_buffer_drop, .GetBufferMemoryRequirements = say_needs,
                                 .AllocateMemory = take_memory, .FreeMemory = made_memory_drop,
                                 .BindBufferMemory = made_memory_bind, .MapMemory = map_memory,
                                 .GetBufferDeviceAddress = made_buffer_address, .CreateDescriptorPool = fake_pool,
                                 .DestroyDescriptorPool = fake_pool_drop, .AllocateDescriptorSets = take_sets,
                                 .UpdateDescriptorSets = take_update},
                        .track = &track};

static int open_track(void **state)
{
    (void)state;
    fake_track_begin();
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

/* What one set of `count` combined image samplers ends with, in a pool for as many sets. */
static VkResult allocate_one(uint32_t count, uint32_t sets)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, count,
                                                  VK_SHADER_STAGE_ALL, NULL};
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, sets * count};
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = sets,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    assert_int_equal(hook_CreateDescriptorSetLayout(NULL, &layout, NULL, &set_layout), VK_SUCCESS);
    assert_int_equal(hook_CreateDescriptorPool(NULL, &info, NULL, &pool), VK_SUCCESS);
    const VkDescriptorSetAllocateInfo one = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                             .descriptorPool = pool,
                                             .descriptorSetCount = 1,
                                             .pSetLayouts = &set_layout};
    const VkResult result = hook_AllocateDescriptorSets(NULL, &one, &set);
    hook_DestroyDescriptorPool(NULL, pool, NULL);
    hook_DestroyDescriptorSetLayout(NULL, set_layout, NULL);
    return result;
}

/* Results of vkAllocateMemory and vkMapMemory that vkAllocateDescriptorSets does not have. */
static void results_are_those_of_the_command(void **state)
{
    static const struct {
        VkResult allocated, mapped, due;
    } rows[] = {{VK_ERROR_OUT_OF_HOST_MEMORY, VK_SUCCESS, VK_ERROR_OUT_OF_HOST_MEMORY},
                {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_SUCCESS, VK_ERROR_OUT_OF_DEVICE_MEMORY},
                {VK_ERROR_TOO_MANY_OBJECTS, VK_SUCCESS, VK_ERROR_OUT_OF_DEVICE_MEMORY},
                {VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS, VK_SUCCESS, VK_ERROR_UNKNOWN},
                {VK_SUCCESS, VK_ERROR_MEMORY_MAP_FAILED, VK_ERROR_OUT_OF_DEVICE_MEMORY}};
    (void)state;
    small.most = 0;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        small.allocated = rows[i].allocated;
        small.mapped = rows[i].mapped;
        assert_int_equal(allocate_one(1, 1), rows[i].due);
    }
    small.most = UINT64_MAX;
}

/* Address space may have room for one set's records where it has none for the whole pool's. */
static void what_cannot_be_mapped_at_once_is_taken_in_parts(void **state)
{
    (void)state;
    small.most = 1 << 20;
    small.allocated = VK_SUCCESS;
    small.mapped = VK_ERROR_MEMORY_MAP_FAILED;
    assert_int_equal(allocate_one(16, 1024), VK_SUCCESS);
    assert_true(small.last <= small.most);
    small.most = UINT64_MAX;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_first_memory_has_room_for_all_sets, open_track, close_track),
        cmocka_unit_test_setup_teardown(results_are_those_of_the_command, open_track, close_track),
        cmocka_unit_test_setup_teardown(what_cannot_be_mapped_at_once_is_taken_in_parts, open_track, close_track),
    };
    return cmocka_run_group_tests_name("pool_room", tests, NULL, NULL);
}
