# SPDX-License-Identifier: MIT
# clampler_shader(TARGET SOURCE NAME [STAGE stage] [ENV env] [OPTIMIZED] [DEFINES ...]): compiles SOURCE (in shaders/) at build time
# to ${CMAKE_CURRENT_BINARY_DIR}/NAME.h, which defines `const uint32_t NAME[]` (include it in one
# file of TARGET, after stdint.h), and makes TARGET depend on it.
# ENV is glslang's --target-env (vulkan1.0 by default). OPTIMIZED is what SPIRV-Tools make of it: equal values are one.
function(clampler_shader target source name)
    cmake_parse_arguments(ARG "OPTIMIZED" "STAGE;ENV" "DEFINES" ${ARGN})
    set(input ${PROJECT_SOURCE_DIR}/shaders/${source})
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}.h)
    set(flags)
    foreach(define ${ARG_DEFINES})
        list(APPEND flags -D${define})
    endforeach()
    if(ARG_STAGE)
        list(APPEND flags -S ${ARG_STAGE})
    endif()
    if(ARG_OPTIMIZED)
        list(APPEND flags -Os)
    endif()
    if(NOT ARG_ENV)
        set(ARG_ENV vulkan1.0)
    endif()
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${GLSLANG} --quiet -V --target-env ${ARG_ENV} ${flags} --vn ${name} -o ${output} ${input}
        DEPENDS ${input}
        COMMENT "Compiling shaders/${source} as ${name}"
        VERBATIM)
    target_sources(${target} PRIVATE ${output})
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
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
