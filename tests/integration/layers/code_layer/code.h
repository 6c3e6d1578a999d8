/* SPDX-License-Identifier: MIT */
/*
 * The code layer: loaded nearest a driver that lacks VK_EXT_shader_module_identifier and VK_KHR_pipeline_binary, it
 * gives it both. A pipeline has a binary for each stage, whose data are the SPIR-V that the driver got. Like a driver
 * with a cache on disk the layer knows, as long as the process lives, all code that pipelines were compiled from,
 * whichever device made them; pipelines that may not be compiled (FAIL_ON_PIPELINE_COMPILE_REQUIRED) are made of such
 * code alone.
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

enum { CODE_ASKED = 4096 };

struct code_control {
    _Atomic(uint32_t) identified;       /* stages that arrived as an identifier alone */
    _Atomic(uint32_t) from_binaries;    /* stages that were made from a binary */
    _Atomic(uint64_t) cache;            /* the pipeline cache that came with the last pipeline */
    _Atomic(uint32_t) linked, unlinked; /* shader objects that were asked for, by that */
    _Atomic(uint32_t) pushed;           /* bytes of push constants that the last shader object was made for, */
    _Atomic(uint32_t) set_pushed;       /* the last set of shaders that generated commands choose from, */
    _Atomic(uint32_t) layout_pushed;    /* and the layout that the last layout of generated commands chained */
    /* Of create-infos, in the order in which they arrived: */
    _Atomic(uint32_t) asked;
    _Atomic(uint64_t) flags[CODE_ASKED];       /* in either form */
    _Atomic(uint32_t) stages[CODE_ASKED];      /* how many it had */
    _Atomic(uint32_t) validations[CODE_ASKED]; /* stages that named a validation cache */
    _Atomic(uint64_t) named[CODE_ASKED];       /* the object that a stage's name is of */
    _Atomic(uint64_t) shaded[CODE_ASKED];      /* the render pass whose subpass it shades (VK_HUAWEI_subpass_shading) */
};

#endif
