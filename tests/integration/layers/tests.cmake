# SPDX-License-Identifier: MIT
# Layers nearest the driver: one makes chosen calls fail, one gives the driver names for code, one a type of descriptors,
# one talks to messengers, one has attachments that no driver has.
foreach(name fault code type talker promise)
    add_library(${name}_layer MODULE ${CMAKE_CURRENT_LIST_DIR}/${name}_layer/${name}.c)
    target_include_directories(${name}_layer PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_include_directories(${name}_layer SYSTEM PRIVATE ${VULKAN_HEADERS})
    target_link_libraries(${name}_layer PRIVATE clampler_base clampler_warnings)
    target_link_options(${name}_layer PRIVATE
        -Wl,--version-script=${CMAKE_CURRENT_LIST_DIR}/${name}_layer/${name}.map -Wl,-Bsymbolic)
    set_target_properties(${name}_layer PROPERTIES OUTPUT_NAME VkLayer_${name} C_VISIBILITY_PRESET hidden
        LINK_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/${name}_layer/${name}.map
        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${name}_layer)
    configure_file(${CMAKE_CURRENT_LIST_DIR}/${name}_layer/VkLayer_${name}.json.in
        ${CMAKE_CURRENT_BINARY_DIR}/${name}_layer/VkLayer_${name}.json COPYONLY)
endforeach()
target_link_libraries(code_layer PRIVATE Threads::Threads)
