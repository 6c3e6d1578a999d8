# SPDX-License-Identifier: MIT
# Descriptors that programs place themselves: buffers and heaps.
# The rewriter's code alone, without the layer.
integration_test(numbers)
target_link_libraries(integration_numbers PRIVATE clampler_rewriter)
clampler_shader(integration_numbers tests/integration_numbers.comp integration_numbers ENV vulkan1.1)

# Descriptor buffers: under the layer, with the driver alone, on a driver that filters nothing, and in the GPUs' form.
add_library(integration_descriptor_scene STATIC app_descriptors/descriptor_scene.c)
target_link_libraries(integration_descriptor_scene PUBLIC integration_scene PRIVATE clampler_warnings)
function(descriptor_test name)
    integration_test(${name})
    target_link_libraries(integration_${name} PRIVATE integration_descriptor_scene m)
    add_dependencies(integration_${name} limited_driver)
    add_test(NAME integration_${name}_driver_alone COMMAND integration_${name})
    set_tests_properties(integration_${name}_driver_alone PROPERTIES ENVIRONMENT CLAMPLER_TEST_LAYERS=none)
    add_test(NAME integration_${name}_unfilterable COMMAND integration_${name})
    set_tests_properties(integration_${name}_unfilterable PROPERTIES ENVIRONMENT
        "CLAMPLER_TEST_LAYERS=clampler:validation:limited;CLAMPLER_TEST_LEAST_TIER=2;VK_CLAMPLER_LINEAR_FALLBACK=shader;\
LIMITED_DRIVER_RULES=hide format VK_FORMAT_R8_UNORM image SAMPLED_IMAGE_FILTER_LINEAR")
    add_test(NAME integration_${name}_gpu_form COMMAND integration_${name})
    set_tests_properties(integration_${name}_gpu_form PROPERTIES ENVIRONMENT VK_CLAMPLER_GL_SAMPLER_FORM=gpu)
    foreach(test ${name} ${name}_driver_alone ${name}_unfilterable ${name}_gpu_form)
        set_property(TEST integration_${test} PROPERTY LABELS newest)
    endforeach()
endfunction()

descriptor_test(descriptor_bad_input)
foreach(shader chosen separate single)
    clampler_shader(integration_descriptor_bad_input tests/integration_${shader}.frag integration_descriptor_${shader})
endforeach()

descriptor_test(descriptor_buffer)
foreach(shader "arrays arrays" "arrays_separate arrays SEPARATE" "arrays_of_arrays arrays_of_arrays" "bindless bindless"
        "nonuniform bindless NONUNIFORM" "combined combined" "mutable mutable" "one_heap one_heap" "samplers_apart samplers_apart"
        "separate separate" "single single")
    separate_arguments(shader)
    list(POP_FRONT shader name file)
    clampler_shader(integration_descriptor_buffer tests/integration_${file}.frag integration_descriptor_${name}
                    DEFINES ${shader})
endforeach()

descriptor_test(descriptor_commands)
target_sources(integration_descriptor_commands PRIVATE recording/blit_scene.c recording/blit_reference.c)
clampler_shader(integration_descriptor_commands tests/integration_lookup.comp integration_descriptor_compute)
clampler_shader(integration_descriptor_commands tests/integration_single.frag integration_descriptor_single)
clampler_shader(integration_descriptor_commands tests/integration_two_sets.frag integration_descriptor_two_sets)

descriptor_test(descriptor_libraries)
clampler_shader(integration_descriptor_libraries tests/integration_single.frag integration_descriptor_libraries_single)
clampler_shader(integration_descriptor_libraries tests/pushed.frag integration_descriptor_libraries_pushed)
descriptor_test(descriptor_conversions)
target_link_libraries(integration_descriptor_conversions PRIVATE integration_conversion)
clampler_shader(integration_descriptor_conversions tests/integration_combined.frag integration_descriptor_conversions)

descriptor_test(descriptor_cubes)
clampler_shader(integration_descriptor_cubes tests/integration_cubes_apart.frag integration_descriptor_cubes)
clampler_shader(integration_descriptor_cubes tests/integration_cubes_apart.frag integration_descriptor_cubes_in_one
                DEFINES ONE_BINDING)

descriptor_test(descriptor_programs)
clampler_shader(integration_descriptor_programs tests/integration_combined.frag integration_descriptor_combined)
clampler_shader(integration_descriptor_programs tests/integration_lookup.comp integration_descriptor_compute)
clampler_shader(integration_descriptor_programs tests/integration_pushed_words.frag integration_descriptor_pushed_words)
clampler_shader(integration_descriptor_programs tests/integration_single.frag integration_descriptor_single)

descriptor_test(descriptor_soak)
target_sources(integration_descriptor_soak PRIVATE app_descriptors/soak_model.c)
clampler_shader(integration_descriptor_soak tests/integration_soak.comp integration_descriptor_soak)

descriptor_test(descriptor_unmodified)
clampler_shader(integration_descriptor_unmodified tests/integration_last_words.frag integration_descriptor_last_words)
clampler_shader(integration_descriptor_unmodified tests/integration_pushed_words.frag
                integration_descriptor_pushed_words)

descriptor_test(descriptor_values)
clampler_shader(integration_descriptor_values tests/integration_single.frag integration_descriptor_single)
clampler_shader(integration_descriptor_values tests/integration_texels.comp integration_descriptor_texels)
clampler_shader(integration_descriptor_values tests/integration_texels.frag integration_descriptor_texels_drawn)
foreach(shader "combined" "own IMAGE=0 SAMPLER=0" "elements IMAGE=0 SAMPLER=0 ELEMENTS=3 IMAGE_ELEMENT=2 SAMPLER_ELEMENT=2"
        "other_elements IMAGE=0 SAMPLER=0 ELEMENTS=3 IMAGE_ELEMENT=2 SAMPLER_ELEMENT=1" "swapped IMAGE=1 SAMPLER=0"
        "image IMAGE=0 SAMPLER=1" "sampler IMAGE=1 SAMPLER=0" "function IMAGE=1 SAMPLER=0 FUNCTION"
        "indexed IMAGE=0 SAMPLER=0 ELEMENTS=3 INDEXED")
    separate_arguments(shader)
    list(POP_FRONT shader name)
    clampler_shader(integration_descriptor_values tests/integration_halves.frag integration_descriptor_halves_${name}
                    DEFINES ${shader})
endforeach()

descriptor_test(descriptor_halves)
target_link_libraries(integration_descriptor_halves PRIVATE m)
clampler_shader(integration_descriptor_halves tests/integration_halves_compared.frag
                integration_descriptor_halves_compared)
clampler_shader(integration_descriptor_halves tests/integration_halves.frag integration_descriptor_halves_swapped
                DEFINES IMAGE=1 SAMPLER=0)

# Below the layer GPU-assisted validation, where it works (tests/README.md).
foreach(name programs soak)
    add_test(NAME integration_descriptor_${name}_gpu_assisted COMMAND integration_descriptor_${name})
    set_tests_properties(integration_descriptor_${name}_gpu_assisted PROPERTIES
        ENVIRONMENT "VK_LAYER_GPUAV_ENABLE=1;CLAMPLER_SOAK_LOOKUPS=10000" LABELS newest)
endforeach()

# Descriptor heaps: under the layer, with the driver alone, and in the GPUs' form. Shaders that take descriptors out of
# heaps themselves need a compiler that knows how.
add_library(integration_heap_scene STATIC app_descriptors/heap_scene.c)
target_link_libraries(integration_heap_scene PUBLIC integration_scene PRIVATE clampler_warnings)
execute_process(COMMAND ${GLSLANG} --quiet -V --target-env vulkan1.3 -S comp -DCOMPUTE -o ${CMAKE_CURRENT_BINARY_DIR}/heap.spv
                        ${PROJECT_SOURCE_DIR}/shaders/tests/integration_heap.glsl
                RESULT_VARIABLE without_heaps OUTPUT_QUIET ERROR_QUIET)
integration_test(heap_descriptors)
target_link_libraries(integration_heap_descriptors PRIVATE integration_heap_scene integration_conversion)
clampler_shader(integration_heap_descriptors tests/integration_combined.frag integration_heap_descriptors DEFINES SINGLE)
clampler_shader(integration_heap_descriptors tests/integration_single.frag integration_heap_single)
add_test(NAME integration_heap_descriptors_driver_alone COMMAND integration_heap_descriptors)
set_tests_properties(integration_heap_descriptors_driver_alone PROPERTIES ENVIRONMENT CLAMPLER_TEST_LAYERS=none)
integration_test(heap_beside)
target_link_libraries(integration_heap_beside PRIVATE integration_heap_scene)
clampler_shader(integration_heap_beside tests/integration_lookup.comp integration_heap_beside)
clampler_shader(integration_heap_beside tests/integration_lookup.comp integration_heap_beside_pushed DEFINES PUSHED)
integration_test(heap_untyped)
target_link_libraries(integration_heap_untyped PRIVATE integration_heap_scene)
add_test(NAME integration_heap_untyped_driver_alone COMMAND integration_heap_untyped)
set_tests_properties(integration_heap_untyped_driver_alone PROPERTIES ENVIRONMENT CLAMPLER_TEST_LAYERS=none)
add_test(NAME integration_heap_untyped_gpu_form COMMAND integration_heap_untyped)
set_tests_properties(integration_heap_untyped_gpu_form PROPERTIES ENVIRONMENT VK_CLAMPLER_GL_SAMPLER_FORM=gpu)
# Handles that come again, in descriptor buffers and heaps.
integration_test(descriptor_reuse)
target_link_libraries(integration_descriptor_reuse PRIVATE integration_descriptor_scene integration_heap_scene)
integration_test(heap_bad_input)
target_link_libraries(integration_heap_bad_input PRIVATE integration_heap_scene)
clampler_shader(integration_heap_bad_input tests/integration_separate.frag integration_heap_separate)
clampler_shader(integration_heap_bad_input tests/integration_single.frag integration_heap_single)
add_test(NAME integration_heap_bad_input_driver_alone COMMAND integration_heap_bad_input)
set_tests_properties(integration_heap_bad_input_driver_alone PROPERTIES ENVIRONMENT CLAMPLER_TEST_LAYERS=none)
add_test(NAME integration_heap_bad_input_gpu_form COMMAND integration_heap_bad_input)
set_tests_properties(integration_heap_bad_input_gpu_form PROPERTIES ENVIRONMENT VK_CLAMPLER_GL_SAMPLER_FORM=gpu)
integration_test(heap_numbers)
target_link_libraries(integration_heap_numbers PRIVATE integration_heap_scene clampler_rewriter)
foreach(test bad_input untyped numbers)
    if(without_heaps)
        break()
    endif()
    target_compile_definitions(integration_heap_${test} PRIVATE HEAP_SHADERS)
    foreach(shader "compute comp COMPUTE" "constant frag CONSTANT" "fragment frag FRAGMENT" "function frag FUNCTION" "many frag MANY" "members frag MEMBERS"
            "members_compute comp COMPUTE MEMBERS" "strided frag STRIDE=256")
        separate_arguments(shader)
        list(POP_FRONT shader name stage)
        clampler_shader(integration_heap_${test} tests/integration_heap.glsl integration_heap_${name} STAGE ${stage}
                        ENV vulkan1.3 DEFINES ${shader})
    endforeach()
endforeach()

integration_test(heap_soak SOURCES app_descriptors/soak_model.c)
target_link_libraries(integration_heap_soak PRIVATE m)
clampler_shader(integration_heap_soak tests/integration_soak.comp integration_heap_soak)
add_test(NAME integration_heap_soak_driver_alone COMMAND integration_heap_soak)
set_tests_properties(integration_heap_soak_driver_alone PROPERTIES ENVIRONMENT CLAMPLER_TEST_LAYERS=none)
add_test(NAME integration_heap_soak_gpu_form COMMAND integration_heap_soak)
set_tests_properties(integration_heap_soak_gpu_form PROPERTIES ENVIRONMENT VK_CLAMPLER_GL_SAMPLER_FORM=gpu)
foreach(form "" _driver_alone _gpu_form)
    set_property(TEST integration_heap_bad_input${form} PROPERTY LABELS newest)
endforeach()
