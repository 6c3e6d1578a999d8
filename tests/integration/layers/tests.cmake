# SPDX-License-Identifier: MIT
# Layers nearest the driver: what each does is what its manifest says.
set(descriptions
    "fault:Makes chosen calls fail"
    "code:Gives a driver identifiers of shader modules and pipeline binaries"
    "type:Gives a driver a type of descriptors that nobody knows"
    "talker:Talks to messengers while a driver compiles"
    "promise:Gives a driver swapchains without a window, shared images and custom resolves")
foreach(entry IN LISTS descriptions)
    string(REGEX REPLACE ":.*" "" name ${entry})
    string(REGEX REPLACE "^[^:]*:" "" description ${entry})
    set(extensions)
    if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/${name}_layer/extensions.json)
        file(READ ${CMAKE_CURRENT_LIST_DIR}/${name}_layer/extensions.json extensions)
    endif()
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}_layer)
    configure_file(${CMAKE_CURRENT_LIST_DIR}/layer.json.in ${folder}/VkLayer_${name}.json @ONLY)
    configure_file(${CMAKE_CURRENT_LIST_DIR}/layer.map.in ${folder}/${name}.map @ONLY)
    add_library(${name}_layer MODULE ${CMAKE_CURRENT_LIST_DIR}/${name}_layer/${name}.c)
    target_include_directories(${name}_layer PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_include_directories(${name}_layer SYSTEM PRIVATE ${VULKAN_HEADERS})
    target_link_libraries(${name}_layer PRIVATE clampler_base clampler_warnings)
    target_link_options(${name}_layer PRIVATE -Wl,--version-script=${folder}/${name}.map -Wl,-Bsymbolic)
    set_target_properties(${name}_layer PROPERTIES OUTPUT_NAME VkLayer_${name} C_VISIBILITY_PRESET hidden
        LINK_DEPENDS ${folder}/${name}.map LIBRARY_OUTPUT_DIRECTORY ${folder})
endforeach()
target_link_libraries(code_layer PRIVATE Threads::Threads)
