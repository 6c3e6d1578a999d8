/* SPDX-License-Identifier: MIT */
/*
 * Shaders that declare their descriptors at bindings, changed so that they take them out of heaps themselves, by
 * untyped pointers (SPV_EXT_descriptor_heap): what compilers are too old for.
 */
#ifndef CLAMPLER_HARNESS_HEAP_SHADER_H
#define CLAMPLER_HARNESS_HEAP_SHADER_H

#include "harness/resources/heap.h"
#include "harness/drawing/pipeline.h"

/*
 * Where a binding's descriptor lies: byte offsets in the heaps, of which combined image samplers use both. `pushed`: it
 * lies so many descriptors behind, which push constants say, whose first member is an array of vec4: z (the resource)
 * and w (the sampler) of the array's element of that number, as floats; 0: it lies just there.
 */
struct harness_heap_binding {
    uint32_t set, binding;
    uint32_t resource, sampler;
    uint32_t pushed;
};

/*
 * The words are malloc'ed. Images and buffers are elements of arrays whose stride is OpConstantSizeOfEXT, so their
 * offsets must be multiples of harness_heap_stride; so are samplers whose place is pushed, and others are members of
 * structs. Arrays of descriptors, uniform
 * buffers beside storage buffers of SPIR-V 1.0, and descriptors that are passed to functions are not known here: such
 * shaders fail.
 */
struct harness_spirv harness_heap_shader(const struct harness_heaps *heaps, struct harness_spirv code,
                                         const struct harness_heap_binding *bindings, uint32_t count);

#endif
