/* SPDX-License-Identifier: MIT */
/*
 * The corpus pack: compiled modules in one file, written by corpus_compile and read by tests, fuzzer and benchmark.
 *
 * The file is 32-bit words in the machine's byte order (it never leaves the build folder): PACK_MAGIC, then modules one
 * after the other, each a header of PACK_HEADER_WORDS words, the name, padded with zeros to whole words, and the words
 * of the module.
 */
#ifndef CORPUS_PACK_H
#define CORPUS_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PACK_MAGIC 0x4B415043u
#define PACK_HEADER_WORDS 5u

/* Where the shader's source comes from. */
enum pack_origin {
    PACK_GLSL,      /* written by hand, in glsl/ */
    PACK_HLSL,      /* written by hand, in hlsl/ */
    PACK_ASSEMBLY,  /* written by hand in assembly, in spirv/ */
    PACK_GENERATED, /* from generate.py's table */
    PACK_INSTALLED, /* found on this machine */
    PACK_ORIGINS
};

/* How the module was made from it. */
enum pack_variant {
    PACK_PLAIN,
    PACK_DEBUG,     /* glslangValidator -g */
    PACK_DEBUG_VS,  /* glslangValidator -gVS: NonSemantic.Shader.DebugInfo.100 with source */
    PACK_OPTIMIZED, /* spirv-opt -O: values in SSA form, phis, functions inlined */
    PACK_VARIANTS
};

/* The words of a module's header in the file. */
enum pack_header {
    PACK_HEADER_NAME_WORDS,
    PACK_HEADER_WORD_COUNT,
    PACK_HEADER_ENVIRONMENT, /* Vulkan version: 10, 11, 12, 13 */
    PACK_HEADER_ORIGIN,
    PACK_HEADER_VARIANT,
};

struct pack_module {
    const char *name; /* the source's file name, NUL-terminated; points into the pack */
    uint32_t environment;
    enum pack_origin origin;
    enum pack_variant variant;
    const uint32_t *words; /* points into the pack */
    size_t word_count;
};

struct pack {
    struct pack_module *modules;
    size_t module_count;
    uint32_t *data;
};

/* Reads `path`. On failure *pack is empty and the reason is on stderr. */
bool pack_read(const char *path, struct pack *pack);

/* Frees what pack_read() gave; all of its modules go. */
void pack_free(struct pack *pack);

#ifdef __cplusplus
}
#endif

#endif
