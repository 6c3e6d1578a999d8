# SPDX-License-Identifier: MIT
# clampler_shader(TARGET SOURCE NAME [STAGE stage] [ENV env] [OPTIMIZED] [DEFINES ...]): compiles SOURCE (in shaders/) at build time
# to ${CMAKE_CURRENT_BINARY_DIR}/NAME.h, which defines `const uint32_t NAME[]` (include it in one
# file of TARGET, after stdint.h), and makes TARGET depend on it.
# ENV is glslang's --target-env (vulkan1.0 by default). OPTIMIZED is what SPIRV-Tools make of it: equal values are one.
#
# The shaders of a folder are compiled by one process (compile_modules.cpp); those that are optimised, and all of a build
# without that program, as the demo's, by glslangValidator one by one.
function(clampler_shader target source name)
    cmake_parse_arguments(ARG "OPTIMIZED" "STAGE;ENV" "DEFINES" ${ARGN})
    set(input ${PROJECT_SOURCE_DIR}/shaders/${source})
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}.h)
    if(NOT ARG_ENV)
        set(ARG_ENV vulkan1.0)
    endif()
    if(NOT ARG_STAGE)
        string(REGEX REPLACE ".*[.]" "" ARG_STAGE ${source})
    endif()
    target_sources(${target} PRIVATE ${output})
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
    set(shader ${input} ${ARG_STAGE} ${ARG_ENV} ${name} ${output} ${ARG_DEFINES})
    if(ARG_OPTIMIZED)
        list(APPEND shader optimized)
    endif()
    get_property(known DIRECTORY PROPERTY CLAMPLER_SHADER_${name})
    if(known) # of another target, which has the same
        if(NOT known STREQUAL shader)
            message(FATAL_ERROR "two shaders are called ${name}: ${known} and ${shader}")
        endif()
        return()
    endif()
    set_property(DIRECTORY PROPERTY CLAMPLER_SHADER_${name} "${shader}")
    if(TARGET compile_modules AND NOT ARG_OPTIMIZED)
        get_property(lines DIRECTORY PROPERTY CLAMPLER_SHADERS)
        if(NOT lines)
            cmake_language(DEFER CALL clampler_shaders_of_folder)
        endif()
        string(REPLACE ";" "\t" line "${shader}")
        set_property(DIRECTORY APPEND PROPERTY CLAMPLER_SHADERS "${line}")
        set_property(DIRECTORY APPEND PROPERTY CLAMPLER_SHADER_INPUTS ${input})
        set_property(DIRECTORY APPEND PROPERTY CLAMPLER_SHADER_OUTPUTS ${output})
        return()
    endif()
    set(flags)
    foreach(define ${ARG_DEFINES})
        list(APPEND flags -D${define})
    endforeach()
    if(ARG_OPTIMIZED)
        list(APPEND flags -Os)
    endif()
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${GLSLANG} --quiet -V --target-env ${ARG_ENV} -S ${ARG_STAGE} ${flags} --vn ${name} -o ${output} ${input}
        DEPENDS ${input}
        COMMENT "Compiling shaders/${source} as ${name}"
        VERBATIM)
endfunction()

# What clampler_shader gathered, at the end of the folder's CMakeLists.txt.
function(clampler_shaders_of_folder)
    get_property(lines DIRECTORY PROPERTY CLAMPLER_SHADERS)
    get_property(inputs DIRECTORY PROPERTY CLAMPLER_SHADER_INPUTS)
    get_property(outputs DIRECTORY PROPERTY CLAMPLER_SHADER_OUTPUTS)
    list(REMOVE_DUPLICATES inputs)
    list(JOIN lines "\n" text)
    set(list ${CMAKE_CURRENT_BINARY_DIR}/shaders.list)
    file(CONFIGURE OUTPUT ${list} CONTENT "${text}\n" @ONLY)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
    add_custom_command(
        OUTPUT ${outputs}
        COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0 $<TARGET_FILE:compile_modules> --headers ${list}
        DEPENDS compile_modules ${list} ${inputs}
        COMMENT "Compiling the shaders of ${folder}"
        VERBATIM)
endfunction()

# clampler_text(TARGET SOURCE NAME): the text of SOURCE (in shaders/) as `static const char NAME[]` in NAME.h, for
# OpenGL, which compiles at run time.
set(CLAMPLER_EMBED_TEXT ${CMAKE_CURRENT_LIST_DIR}/embed_text.py CACHE INTERNAL "")
function(clampler_text target source name)
    set(input ${PROJECT_SOURCE_DIR}/shaders/${source})
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}.h)
    add_custom_command(
        OUTPUT ${output}
        COMMAND Python3::Interpreter ${CLAMPLER_EMBED_TEXT} ${input} ${name} ${output}
        DEPENDS ${input} ${CLAMPLER_EMBED_TEXT}
        COMMENT "Embedding shaders/${source} as ${name}"
        VERBATIM)
    target_sources(${target} PRIVATE ${output})
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
