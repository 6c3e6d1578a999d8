/* SPDX-License-Identifier: MIT */
/*
 * The one table of flags by which descriptor bindings, pools and layouts relax external synchronization. A flag without
 * a row is one of a newer extension; it counts as RELAXED_THREADS, which is correct for every set.
 * tests/integration/descriptors/relaxed.c has a test for each row that relaxes something, and
 * tests/unit/relaxed_flags_test.py checks the rows against the registry.
 */
#ifndef CLAMPLER_DESCRIPTOR_TYPE_RELAXED_H
#define CLAMPLER_DESCRIPTOR_TYPE_RELAXED_H

#include <vulkan/vulkan_core.h>

/*
 * RELAXED_THREADS: several threads may write different descriptors of a set at the same time, and others bind it
 * meanwhile. RELAXED_OPEN: commands that were recorded before a write see it, so that what a set needs is unknown when
 * they are recorded.
 */
enum { RELAXED_NOT = 0, RELAXED_THREADS = 1, RELAXED_OPEN = 2 };

/*
 * VkDescriptorBindingFlagBits (section "Descriptor Set Layout"): UPDATE_AFTER_BIND is "partially exempt from the
 * external synchronization requirement in vkUpdateDescriptorSetWithTemplate and vkUpdateDescriptorSets", and
 * UPDATE_UNUSED_WHILE_PENDING "in the same way". PARTIALLY_BOUND is about what is not written.
 */
#define RELAXED_BINDING_FLAGS(FLAG)                                                                                    \
    FLAG(VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT, 0x1, RELAXED_THREADS | RELAXED_OPEN)                             \
    FLAG(VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT, 0x2, RELAXED_THREADS)                                  \
    FLAG(VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT, 0x4, RELAXED_NOT)                                                  \
    FLAG(VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT, 0x8, RELAXED_NOT)

/*
 * VkDescriptorPoolCreateFlagBits (section "Allocation of Descriptor Sets"): sets of HOST_ONLY pools "can be updated
 * concurrently in different threads", whatever their layouts say. UPDATE_AFTER_BIND is said again by the bindings that
 * it is about.
 */
#define RELAXED_POOL_FLAGS(FLAG)                                                                                       \
    FLAG(VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT, 0x1, RELAXED_NOT)                                          \
    FLAG(VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT, 0x2, RELAXED_NOT)                                            \
    FLAG(VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT, 0x4, RELAXED_THREADS)                                            \
    FLAG(VK_DESCRIPTOR_POOL_CREATE_ALLOW_OVERALLOCATION_SETS_BIT_NV, 0x8, RELAXED_NOT)                                 \
    FLAG(VK_DESCRIPTOR_POOL_CREATE_ALLOW_OVERALLOCATION_POOLS_BIT_NV, 0x10, RELAXED_NOT)

/*
 * VkDescriptorSetLayoutCreateFlagBits (section "Descriptor Set Layout"): none says how sets are synchronised. Those of
 * layouts with HOST_ONLY_POOL come from such pools (VUID-VkDescriptorSetAllocateInfo-pSetLayouts-04610).
 */
#define RELAXED_LAYOUT_FLAGS(FLAG)                                                                                     \
    FLAG(VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT, 0x1, RELAXED_NOT)                                        \
    FLAG(VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT, 0x2, RELAXED_NOT)                                 \
    FLAG(VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_EXT, 0x4, RELAXED_NOT)                                     \
    FLAG(VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT, 0x10, RELAXED_NOT)                                 \
    FLAG(VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT, 0x20, RELAXED_NOT)                       \
    FLAG(VK_DESCRIPTOR_SET_LAYOUT_CREATE_PER_STAGE_BIT_NV, 0x40, RELAXED_NOT)                                          \
    FLAG(VK_DESCRIPTOR_SET_LAYOUT_CREATE_INDIRECT_BINDABLE_BIT_NV, 0x80, RELAXED_NOT)

/* RELAXED_* of flags. */
#define RELAXED_KNOWN(NAME, BIT, WHAT) | (BIT)
#define RELAXED_WHAT(NAME, BIT, WHAT) | (flags & (BIT) ? (unsigned)(WHAT) : 0u)
#define RELAXED_FUNCTION(NAME, ROWS)                                                                                   \
    static inline unsigned NAME(VkFlags flags)                                                                         \
    {                                                                                                                  \
        return (flags & ~(0u ROWS(RELAXED_KNOWN)) ? (unsigned)RELAXED_THREADS : 0u) ROWS(RELAXED_WHAT);                \
    }
RELAXED_FUNCTION(relaxed_by_binding, RELAXED_BINDING_FLAGS)
RELAXED_FUNCTION(relaxed_by_pool, RELAXED_POOL_FLAGS)
RELAXED_FUNCTION(relaxed_by_layout, RELAXED_LAYOUT_FLAGS)
#undef RELAXED_FUNCTION
#undef RELAXED_WHAT
#undef RELAXED_KNOWN

#endif
