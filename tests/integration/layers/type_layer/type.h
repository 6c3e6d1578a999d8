/* SPDX-License-Identifier: MIT */
/*
 * A layer for tests, nearest the driver: gives it a type of descriptors that no header knows, as an extension of the
 * future would. Those are uniform buffers. Templates have a VkDescriptorBufferInfo for each; how a write would name
 * them only the extension could say, so that a write of that type is wrong.
 */
#ifndef CLAMPLER_INTEGRATION_TYPE_H
#define CLAMPLER_INTEGRATION_TYPE_H

#include <stdatomic.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#define TYPE_LAYER "VK_LAYER_CLAMPLER_TEST_type"
#define TYPE_CONTROL_SYMBOL "type_control"
#define TYPE_UNKNOWN ((VkDescriptorType)1000999900)

/*
 * Devices have VK_VALVE_descriptor_set_host_mapping as well. Buffers of devices with more than one family of queues are
 * counted by how they are shared; the driver gets the first family alone. vkGetDescriptorSetLayoutHostMappingInfoVALVE
 * gives the number of the binding that arrives as the offset. Memory that is asked for is counted by its priority
 * (VkMemoryPriorityAllocateInfoEXT), and where the driver has none left.
 */
struct type_control {
    _Atomic(uint32_t) templates; /* entries of that type in templates that were made */
    _Atomic(uint32_t) written;   /* writes of that type, which nobody can make */
    _Atomic(uint32_t) exclusive, concurrent;
    _Atomic(uint32_t) families;             /* of the last concurrent buffer */
    _Atomic(uint32_t) allocations, refused; /* refused: of these */
    _Atomic(uint32_t) highest, middling;    /* likewise, with the priorities 1 and 0.5 */
};

#endif
