/* SPDX-License-Identifier: MIT */
/* The debug-utils callback behind harness_messages(); see vulkan.h. Thread-safe. */
#ifndef CLAMPLER_HARNESS_MESSAGES_H
#define CLAMPLER_HARNESS_MESSAGES_H

#include <vulkan/vulkan.h>

VKAPI_ATTR VkBool32 VKAPI_CALL harness_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                               VkDebugUtilsMessageTypeFlagsEXT types,
                                               const VkDebugUtilsMessengerCallbackDataEXT *data, void *user);

/* Which validation layer there is, whose known faults do not count. Before instances are created. */
void harness_messages_ask_validation(void);

#endif
