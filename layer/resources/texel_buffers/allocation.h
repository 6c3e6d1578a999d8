/* SPDX-License-Identifier: MIT */
/*
 * Structures in the chains of VkMemoryAllocateInfo and of VkBufferCreateInfo: the two tables.
 * tests/unit/allocation_test.py checks against the registry that none is missing. A structure without a row counts as
 * ALLOCATION_OWN: buffers with addresses must not lie in memory without them
 * (VUID-vkBindBufferMemory-bufferDeviceAddress-03339), so a structure of foreign memory is foreign itself.
 */
#ifndef CLAMPLER_TEXEL_BUFFERS_ALLOCATION_H
#define CLAMPLER_TEXEL_BUFFERS_ALLOCATION_H

/*
 * ALLOCATION_OWN: the memory is the program's own, or the structure's members say whether it is (buffer.c).
 * ALLOCATION_FOREIGN: it is shared with others, so that all buffers in it must be shared as well, or it holds no
 * buffers of the layer's kind.
 */
enum { ALLOCATION_OWN, ALLOCATION_FOREIGN };

/* By number: some are declared for certain platforms or by newer headers alone. */
#define ALLOCATION_STRUCTURES(ROW)                                                                                     \
    ROW(VkDedicatedAllocationMemoryAllocateInfoNV, 1000026002, ALLOCATION_FOREIGN)                                     \
    ROW(VkExportMemoryAllocateInfoNV, 1000056001, ALLOCATION_FOREIGN)                                                  \
    ROW(VkImportMemoryWin32HandleInfoNV, 1000057000, ALLOCATION_FOREIGN)                                               \
    ROW(VkExportMemoryWin32HandleInfoNV, 1000057001, ALLOCATION_OWN)                                                   \
    ROW(VkMemoryAllocateFlagsInfo, 1000060000, ALLOCATION_OWN)                                                         \
    ROW(VkExportMemoryAllocateInfo, 1000072002, ALLOCATION_OWN)                                                        \
    ROW(VkImportMemoryWin32HandleInfoKHR, 1000073000, ALLOCATION_FOREIGN)                                              \
    ROW(VkExportMemoryWin32HandleInfoKHR, 1000073001, ALLOCATION_OWN)                                                  \
    ROW(VkImportMemoryFdInfoKHR, 1000074000, ALLOCATION_FOREIGN)                                                       \
    ROW(VkMemoryDedicatedAllocateInfo, 1000127001, ALLOCATION_OWN)                                                     \
    ROW(VkImportAndroidHardwareBufferInfoANDROID, 1000129003, ALLOCATION_FOREIGN)                                      \
    ROW(VkImportMemoryHostPointerInfoEXT, 1000178000, ALLOCATION_FOREIGN)                                              \
    ROW(VkMemoryPriorityAllocateInfoEXT, 1000238001, ALLOCATION_OWN)                                                   \
    ROW(VkMemoryOpaqueCaptureAddressAllocateInfo, 1000257003, ALLOCATION_OWN)                                          \
    ROW(VkExportMetalObjectCreateInfoEXT, 1000311000, ALLOCATION_OWN)                                                  \
    ROW(VkImportMetalBufferInfoEXT, 1000311005, ALLOCATION_FOREIGN)                                                    \
    ROW(VkImportMemoryZirconHandleInfoFUCHSIA, 1000364000, ALLOCATION_FOREIGN)                                         \
    ROW(VkImportMemoryBufferCollectionFUCHSIA, 1000366001, ALLOCATION_FOREIGN)                                         \
    ROW(VkImportMemorySciBufInfoNV, 1000374000, ALLOCATION_FOREIGN)                                                    \
    ROW(VkExportMemorySciBufInfoNV, 1000374001, ALLOCATION_FOREIGN)                                                    \
    ROW(VkImportNativeBufferInfoOHOS, 1000452003, ALLOCATION_FOREIGN)                                                  \
    ROW(VkMemoryDedicatedAllocateInfoTensorARM, 1000460014, ALLOCATION_FOREIGN)                                        \
    ROW(VkImportScreenBufferInfoQNX, 1000529002, ALLOCATION_FOREIGN)                                                   \
    ROW(VkImportMemoryMetalHandleInfoEXT, 1000602000, ALLOCATION_FOREIGN)                                              \
    ROW(VkBufferDeviceAddressAlignmentAllocateInfoVALVE, 1000709002, ALLOCATION_OWN)

#define BUFFER_STRUCTURES(ROW)                                                                                         \
    ROW(VkVideoProfileListInfoKHR, 1000023013, ALLOCATION_OWN)                                                         \
    ROW(VkDedicatedAllocationBufferCreateInfoNV, 1000026001, ALLOCATION_FOREIGN)                                       \
    ROW(VkExternalMemoryBufferCreateInfo, 1000072000, ALLOCATION_OWN)                                                  \
    ROW(VkBufferDeviceAddressCreateInfoEXT, 1000244002, ALLOCATION_OWN)                                                \
    ROW(VkBufferOpaqueCaptureAddressCreateInfo, 1000257002, ALLOCATION_OWN)                                            \
    ROW(VkOpaqueCaptureDescriptorDataCreateInfoEXT, 1000316010, ALLOCATION_OWN)                                        \
    ROW(VkBufferCollectionBufferCreateInfoFUCHSIA, 1000366005, ALLOCATION_FOREIGN)                                     \
    ROW(VkBufferUsageFlags2CreateInfo, 1000470006, ALLOCATION_OWN)                                                     \
    ROW(VkBufferDeviceAddressAlignmentAllocateInfoVALVE, 1000709002, ALLOCATION_OWN)

#endif
