# SPDX-License-Identifier: MIT
# What programs are told, what they may not do, and devices on which the layer is or is not.
# Programs of each version of the extension, by its own header.
integration_test(published)
target_link_libraries(integration_published PRIVATE m)
clampler_shader(integration_published tests/integration_published.frag integration_published)
clampler_shader(integration_published tests/integration_published.frag integration_published_separate DEFINES SEPARATE)
foreach(version 1 2 3 4 5 today)
    set(folder ${PROJECT_SOURCE_DIR}/tests/published/${version})
    if(version STREQUAL today)
        set(folder ${PROJECT_SOURCE_DIR}/layer/base)
    endif()
    add_library(published_${version} OBJECT ${PROJECT_SOURCE_DIR}/tests/published/published_program.c)
    target_include_directories(published_${version} BEFORE PRIVATE ${folder} ${PROJECT_SOURCE_DIR}/tests)
    target_compile_definitions(published_${version} PRIVATE PUBLISHED=published_${version})
    target_include_directories(published_${version} SYSTEM PRIVATE ${VULKAN_HEADERS})
    target_link_libraries(published_${version} PRIVATE clampler_warnings)
    target_sources(integration_published PRIVATE $<TARGET_OBJECTS:published_${version}>)
endforeach()

integration_test(object_names)
clampler_shader(integration_object_names tests/integration_single.frag integration_object_names_single)
clampler_shader(integration_object_names tests/integration_lookup.comp integration_object_names_compute)
integration_test(format_properties)
add_dependencies(integration_format_properties limited_driver)
clampler_shader(integration_format_properties tests/integration_channels.frag integration_channels)

integration_test(valid_usage)
integration_test(bad_input)
clampler_shader(integration_bad_input tests/integration_single.frag integration_single)

integration_test(inert)
target_link_libraries(integration_inert PRIVATE clampler_entry) # the list of hooks
clampler_shader(integration_inert tests/integration_single.frag integration_single)

integration_test(instances)
clampler_shader(integration_instances tests/integration_single.frag integration_single)

integration_test(settings)
clampler_shader(integration_settings tests/integration_single.frag integration_single)
add_test(NAME integration_settings_locales COMMAND ${PROJECT_SOURCE_DIR}/tests/unit/locales_test.sh
         $<TARGET_FILE:integration_settings>)
set_tests_properties(integration_settings_locales PROPERTIES SKIP_RETURN_CODE 77)
foreach(test settings object_names) # which have rewritten modules validated, some of which are not valid
    add_dependencies(integration_${test} planted_invalid_module)
    if(TARGET clampler-spirv-tools)
        add_dependencies(integration_${test} clampler-spirv-tools)
    endif()
endforeach()

integration_test(offers)
add_dependencies(integration_offers limited_driver)
