/* SPDX-License-Identifier: MIT */
/*
 * The code layer: loaded nearest a driver that has no VK_EXT_shader_module_identifier, it gives it one. Like a driver
 * with a cache on disk it knows, as long as the process lives, all code that pipelines were compiled from, whichever
 * device made them; pipelines that may not be compiled (FAIL_ON_PIPELINE_COMPILE_REQUIRED) are made of such code alone.
 *
 * Many devices, one after the other, of one instance at a time.
 */
#ifndef CLAMPLER_INTEGRATION_CODE_H
#define CLAMPLER_INTEGRATION_CODE_H

#include <stdatomic.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#define CODE_LAYER "VK_LAYER_CLAMPLER_TEST_code"
#define CODE_CONTROL_SYMBOL "code_control"

struct code_control {
    _Atomic(uint32_t) identified; /* stages that arrived as an identifier alone */
};

#endif
