/* SPDX-License-Identifier: MIT */
/*
 * Memory that buffers with addresses may lie in (layer/resources/texel_buffers/buffer.c), above a driver that notes
 * what it gets: the program's own flags, device mask and chain go down with the one flag that the layer adds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "objects/memory.h"
#include "fake_driver.h"

enum { MASK = 5, MOST = 4 };

/* ---- A driver that notes what it gets ---- */

static struct {
    const void *info;
    VkMemoryAllocateFlags flags;
    uint32_t mask, structures;
    VkStructureType types[MOST];
} driver;

static VKAPI_ATTR VkResult VKAPI_CALL take_memory(VkDevice handle, const VkMemoryAllocateInfo *info,
                                                  const VkAllocationCallbacks *callbacks, VkDeviceMemory *made)
{
    (void)handle, (void)callbacks, (void)made;
    memset(&driver, 0, sizeof(driver));
    driver.info = info;
    assert_int_equal(info->allocationSize, 4096);
    for (const VkBaseInStructure *node = info->pNext; node; node = node->pNext) {
        assert_true(driver.structures < MOST);
        driver.types[driver.structures++] = node->sType;
        if (node->sType == VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO) {
            driver.flags |= ((const VkMemoryAllocateFlagsInfo *)(const void *)node)->flags;
            driver.mask = ((const VkMemoryAllocateFlagsInfo *)(const void *)node)->deviceMask;
        }
    }
    return VK_SUCCESS;
}

static struct instance instance;
struct device device = {.instance = &instance,
                        .memory.memoryTypeCount = 1,
                        .caps.texel.addresses = true,
                        .next = {.AllocateMemory = take_memory},
                        .track = &track};

static unsigned times(VkStructureType type)
{
    unsigned found = 0;
    for (uint32_t i = 0; i < driver.structures; i++)
        found += driver.types[i] == type;
    return found;
}

/* The program's flags at each place of a chain of three. */
static void the_programs_flags_go_down_with_the_layers(void **state)
{
    const VkMemoryAllocateFlags given[] = {0, VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT,
                                           VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT |
                                               VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT};
    (void)state;
    for (unsigned place = 0; place < 3; place++) {
        for (unsigned i = 0; i < sizeof(given) / sizeof(*given); i++) {
            VkMemoryDedicatedAllocateInfo dedicated = {.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO};
            VkMemoryPriorityAllocateInfoEXT priority = {.sType = VK_STRUCTURE_TYPE_MEMORY_PRIORITY_ALLOCATE_INFO_EXT,
                                                        .priority = 0.25f};
            VkMemoryAllocateFlagsInfo flags = {
                .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, .flags = given[i], .deviceMask = MASK};
            const void *chain[3] = {&dedicated, &priority}, **links[3] = {&dedicated.pNext, &priority.pNext};
            chain[2] = chain[place];
            links[2] = links[place];
            chain[place] = &flags;
            links[place] = &flags.pNext;
            *links[0] = chain[1];
            *links[1] = chain[2];
            const VkMemoryAllocateInfo info = {
                .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = chain[0], .allocationSize = 4096};
            const VkMemoryAllocateFlagsInfo before = flags;
            VkDeviceMemory made;
            assert_int_equal(hook_AllocateMemory(NULL, &info, NULL, &made), VK_SUCCESS);
            assert_int_equal(driver.flags, given[i] | VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT);
            assert_int_equal(driver.mask, MASK);
            assert_int_equal(driver.structures, 3);
            assert_int_equal(times(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO), 1);
            assert_int_equal(times(VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO), 1);
            assert_int_equal(times(VK_STRUCTURE_TYPE_MEMORY_PRIORITY_ALLOCATE_INFO_EXT), 1);
            assert_memory_equal(&flags, &before, sizeof(flags)); /* the program's own stays as it is */
        }
    }
}

static void without_flags_of_the_programs_the_layers_are_added(void **state)
{
    const VkMemoryPriorityAllocateInfoEXT priority = {.sType = VK_STRUCTURE_TYPE_MEMORY_PRIORITY_ALLOCATE_INFO_EXT};
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = &priority, .allocationSize = 4096};
    VkDeviceMemory made;
    (void)state;
    assert_int_equal(hook_AllocateMemory(NULL, &info, NULL, &made), VK_SUCCESS);
    assert_int_equal(driver.flags, VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT);
    assert_int_equal(driver.mask, 0);
    assert_int_equal(driver.structures, 2);
}

/* What asks for addresses already, or is nothing for them, goes down as it came. */
static void what_needs_nothing_goes_down_as_it_came(void **state)
{
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryDedicatedAllocateInfo image = {.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
                                                 .image = (VkImage)(uintptr_t)1};
    const VkExportMemoryAllocateInfo shared = {.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                               .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    const void *const chains[] = {&flags, &image, &shared};
    VkDeviceMemory made;
    (void)state;
    for (unsigned i = 0; i < sizeof(chains) / sizeof(*chains); i++) {
        const VkMemoryAllocateInfo info = {
            .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = chains[i], .allocationSize = 4096};
        assert_int_equal(hook_AllocateMemory(NULL, &info, NULL, &made), VK_SUCCESS);
        assert_ptr_equal(driver.info, &info);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_programs_flags_go_down_with_the_layers),
        cmocka_unit_test(without_flags_of_the_programs_the_layers_are_added),
        cmocka_unit_test(what_needs_nothing_goes_down_as_it_came),
    };
    return cmocka_run_group_tests_name("track_memory", tests, NULL, NULL);
}
