# SPDX-License-Identifier: MIT
# Sets: writes, copies, templates, pushes, immutable samplers, arrays, halves, and what is written before GL state comes.
integration_test(descriptors ABOVE)
clampler_shader(integration_descriptors tests/integration_combined.frag integration_combined)
clampler_shader(integration_descriptors tests/integration_separate.frag integration_separate)

integration_test(templates ABOVE SOURCES descriptors/every_type.c)
clampler_shader(integration_templates tests/integration_combined.frag integration_combined)
clampler_shader(integration_templates tests/integration_every_type.frag integration_every_type_inline DEFINES INLINE)

integration_test(template_entries SOURCES descriptors/every_type.c layers/faults.c)
add_dependencies(integration_template_entries type_layer)
target_link_libraries(integration_template_entries PRIVATE ${CMAKE_DL_LIBS})
clampler_shader(integration_template_entries tests/integration_every_type.frag integration_every_type)

integration_test(immutable ABOVE)
clampler_shader(integration_immutable tests/integration_combined.frag integration_combined)
clampler_shader(integration_immutable tests/integration_separate.frag integration_separate)

integration_test(ignored SOURCES descriptors/every_type.c)
clampler_shader(integration_ignored tests/integration_every_type.frag integration_every_type)

integration_test(push ABOVE SOURCES descriptors/every_type.c)
clampler_shader(integration_push tests/integration_combined.frag integration_combined)
clampler_shader(integration_push tests/integration_every_type.frag integration_every_type)
clampler_shader(integration_push tests/integration_two_sets.frag integration_two_sets)
integration_test(pushed_before)
clampler_shader(integration_pushed_before tests/integration_two_sets.frag integration_pushed_both)
clampler_shader(integration_pushed_before tests/integration_single.frag integration_pushed_first)
clampler_shader(integration_pushed_before tests/integration_uniform.frag integration_pushed_uniform)

# Descriptors that were written before the device had GL state.
add_library(integration_noted_scene STATIC descriptors/noted_scene.c descriptors/noted_ways.c)
target_link_libraries(integration_noted_scene PUBLIC integration_scene PRIVATE clampler_warnings m)
clampler_shader(integration_noted_scene tests/integration_noted.glsl integration_noted STAGE frag)
clampler_shader(integration_noted_scene tests/integration_noted.glsl integration_noted_together STAGE frag
                DEFINES TOGETHER)
clampler_shader(integration_noted_scene tests/integration_noted.glsl integration_noted_compute STAGE comp
                DEFINES COMPUTE)
integration_test(noted ABOVE)
target_link_libraries(integration_noted PRIVATE integration_noted_scene)
integration_test(noted_devices)
target_link_libraries(integration_noted_devices PRIVATE integration_noted_scene)
integration_test(noted_writes ABOVE)
target_link_libraries(integration_noted_writes PRIVATE integration_noted_scene)
clampler_shader(integration_noted_writes tests/integration_combined.frag integration_noted_combined)
clampler_shader(integration_noted_writes tests/integration_single.frag integration_noted_single)

integration_test(noted_handles ABOVE)
target_link_libraries(integration_noted_handles PRIVATE m)
clampler_shader(integration_noted_handles tests/integration_single.frag integration_noted_handles_single)

integration_test(arrays ABOVE)
clampler_shader(integration_arrays tests/integration_arrays.frag integration_arrays_combined)
clampler_shader(integration_arrays tests/integration_arrays.frag integration_arrays_separate DEFINES SEPARATE)
add_test(NAME integration_arrays_gpu_form COMMAND integration_arrays)
set_tests_properties(integration_arrays_gpu_form PROPERTIES ENVIRONMENT VK_CLAMPLER_GL_SAMPLER_FORM=gpu)

integration_test(masks ABOVE)
target_link_libraries(integration_masks PRIVATE m)
clampler_shader(integration_masks tests/integration_masks.frag integration_masks_block)
clampler_shader(integration_masks tests/integration_masks.frag integration_masks_blocks DEFINES BLOCKS)
add_test(NAME integration_masks_gpu_form COMMAND integration_masks)
set_tests_properties(integration_masks_gpu_form PROPERTIES ENVIRONMENT VK_CLAMPLER_GL_SAMPLER_FORM=gpu)
add_test(NAME integration_masks_without_votes COMMAND integration_masks)
set_tests_properties(integration_masks_without_votes PROPERTIES
    ENVIRONMENT "VK_CLAMPLER_GL_SAMPLER_FORM=gpu;VK_CLAMPLER_GL_SAMPLER_ASSUME_MISSING=subgroup_vote")
# The test sees what it is for: each element of an array reads the bit of the first.
add_test(NAME integration_masks_finds_mask_bit COMMAND integration_masks)
add_dependencies(integration_masks planted_mask_bit)
set_tests_properties(integration_masks_finds_mask_bit PROPERTIES
    ENVIRONMENT "CLAMPLER_TEST_FAULT=mask_bit;CLAMPLER_TEST_FILTER=many_units_move*"
    PASS_REGULAR_EXPRESSION "unit [0-9]+ of kind [0-9]+, column")

integration_test(halves ABOVE)
target_link_libraries(integration_halves PRIVATE m)
clampler_shader(integration_halves tests/integration_halves.frag integration_halves_combined)
clampler_shader(integration_halves tests/integration_halves_compared.frag integration_halves_compared)
clampler_shader(integration_halves tests/integration_halves.frag integration_halves_own DEFINES IMAGE=0 SAMPLER=0)
clampler_shader(integration_halves tests/integration_halves.frag integration_halves_elements
                DEFINES IMAGE=0 SAMPLER=0 ELEMENTS=3 IMAGE_ELEMENT=2 SAMPLER_ELEMENT=2)
foreach(kind "other_elements IMAGE=0 SAMPLER=0 ELEMENTS=3 IMAGE_ELEMENT=2 SAMPLER_ELEMENT=1" "swapped IMAGE=1 SAMPLER=0"
             "image IMAGE=0 SAMPLER=1" "sampler IMAGE=1 SAMPLER=0" "function IMAGE=1 SAMPLER=0 FUNCTION"
             "function_elements IMAGE=0 SAMPLER=0 ELEMENTS=3 IMAGE_ELEMENT=2 SAMPLER_ELEMENT=2 FUNCTION")
    separate_arguments(kind)
    list(POP_FRONT kind name)
    clampler_shader(integration_halves tests/integration_halves.frag integration_halves_${name} DEFINES ${kind})
endforeach()

integration_test(halves_threads SOURCES layers/faults.c)
add_dependencies(integration_halves_threads fault_layer)
target_link_libraries(integration_halves_threads PRIVATE m)
clampler_shader(integration_halves_threads tests/integration_halves.frag integration_halves_combined)
clampler_shader(integration_halves_threads tests/integration_halves.frag integration_halves_swapped
                DEFINES IMAGE=1 SAMPLER=0)
add_test(NAME integration_halves_gpu_form COMMAND integration_halves)
set_tests_properties(integration_halves_gpu_form PROPERTIES ENVIRONMENT VK_CLAMPLER_GL_SAMPLER_FORM=gpu)

integration_test(bindless SOURCES layers/faults.c)
add_dependencies(integration_bindless fault_layer limited_driver)
target_link_libraries(integration_bindless PRIVATE ${CMAKE_DL_LIBS} m)
clampler_shader(integration_bindless tests/integration_bindless.frag integration_bindless)
clampler_shader(integration_bindless tests/integration_bindless.frag integration_bindless_nonuniform DEFINES NONUNIFORM)
clampler_shader(integration_bindless tests/integration_buffers.frag integration_buffers)
clampler_shader(integration_bindless tests/integration_single.frag integration_single)
clampler_shader(integration_bindless tests/integration_integers.frag integration_integers)
clampler_shader(integration_bindless tests/integration_separate.frag integration_separate)

integration_test(late_pairs SOURCES layers/faults.c)
add_dependencies(integration_late_pairs fault_layer limited_driver)
target_link_libraries(integration_late_pairs PRIVATE ${CMAKE_DL_LIBS} m)
clampler_shader(integration_late_pairs tests/integration_single.frag integration_late_pairs)

integration_test(relaxed SOURCES layers/faults.c)
add_dependencies(integration_relaxed fault_layer)
target_link_libraries(integration_relaxed PRIVATE ${CMAKE_DL_LIBS} m)
clampler_shader(integration_relaxed tests/integration_combined.frag integration_relaxed_combined)
clampler_shader(integration_relaxed tests/integration_separate.frag integration_relaxed_separate)
integration_test(immutable_samplers)
add_dependencies(integration_immutable_samplers limited_driver)
target_link_libraries(integration_immutable_samplers PRIVATE integration_conversion)
clampler_shader(integration_immutable_samplers tests/integration_lookup.comp integration_immutable_compute)
clampler_shader(integration_immutable_samplers tests/integration_single.frag integration_immutable_single)

integration_test(mutable ABOVE)
clampler_shader(integration_mutable tests/integration_mutable.frag integration_mutable)
