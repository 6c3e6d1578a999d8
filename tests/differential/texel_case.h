/* SPDX-License-Identifier: MIT */
/*
 * Cases of the suite of buffer textures: plain data, generated, and what the specification says of each.
 *
 * A case is a format of GL's table of buffer textures, a number of texels, where they lie in their buffer, and how a
 * shader looks at them. All sides look at the same bytes with the same indices.
 */
#ifndef CLAMPLER_DIFFERENTIAL_TEXEL_CASE_H
#define CLAMPLER_DIFFERENTIAL_TEXEL_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

enum texel_kind { KIND_UNORM, KIND_FLOAT, KIND_SINT, KIND_UINT };
enum texel_class { CLASS_FLOAT, CLASS_SINT, CLASS_UINT, CLASSES }; /* samplerBuffer, isamplerBuffer, usamplerBuffer */

/* A row of OpenGL 4.6 compatibility's table 8.24 (core: 8.18). */
struct texel_row {
    const char *name;
    uint32_t internal; /* GL's sized internal format */
    uint32_t base;     /* GL's base format */
    VkFormat format;   /* where its channels live */
    uint8_t components, bits;
    uint8_t kind; /* enum texel_kind */
};

extern const struct texel_row texel_rows[];
extern const uint32_t texel_row_count;

bool texel_is_legacy(const struct texel_row *row); /* ALPHA, LUMINANCE, LUMINANCE_ALPHA, INTENSITY */
enum texel_class texel_class_of(const struct texel_row *row);
uint32_t texel_row_bytes(const struct texel_row *row);

enum texel_stage {
    STAGE_COMPUTE,
    STAGE_VERTEX,
    STAGE_FRAGMENT,
    STAGE_GEOMETRY,
    STAGE_TESS_CONTROL,
    STAGE_TESS_EVALUATION,
    STAGES
};
enum texel_form { FORM_SINGLE, FORM_ARRAY, FORM_DYNAMIC, FORM_NON_UNIFORM, FORMS }; /* ARRAY of the shader */

struct texel_case {
    uint16_t row;
    uint8_t stage, form; /* enums above; forms other than FORM_SINGLE are looked at in compute */
    uint32_t elements;   /* texels */
    uint32_t offset;     /* bytes before texel 0 */
    uint32_t tail;       /* bytes of the range behind the last texel, less than a texel */
    uint32_t behind;     /* bytes of the buffer behind the range; VK_WHOLE_SIZE and glTexBuffer only where 0 */
    bool whole;          /* VK_WHOLE_SIZE */
    bool gl_state;       /* the GL structure names format and base; legacy rows always do */
    uint32_t seed;       /* of contents and indices */
};

struct texel_cases {
    struct texel_case *cases;
    size_t count, capacity;
};

/* One more; its seed is scrambled. */
void texel_add(struct texel_cases *list, struct texel_case one);

/*
 * All rows with all sizes, offsets, tails, stages and forms, one thing changed at a time, and `random` combinations.
 * Every `stride`-th case is kept, and the first of each row.
 */
void texel_generate(struct texel_cases *list, uint32_t seed, uint32_t random, uint32_t stride);

void texel_describe(const struct texel_case *one, char *text, size_t size);

enum { TEXEL_INDICES = 60 };

/* Indices inside first, *inside of them, then some outside, negative ones too. */
void texel_indices(const struct texel_case *one, int32_t indices[TEXEL_INDICES], uint32_t *inside);

/* Bytes of the case's buffer; texel_fill() writes them. */
size_t texel_buffer_bytes(const struct texel_case *one);
void texel_fill(const struct texel_case *one, void *bytes);

/* What a fetch returns, as 32-bit patterns: from the bytes alone, by the specification. */
void texel_expected(const struct texel_case *one, const void *bytes, int32_t index, uint32_t bits[4]);

/* Equal, or equal but for rounding of a normalised component, or both not a number. */
bool texel_same(const struct texel_case *one, const uint32_t expected[4], const uint32_t found[4]);

#endif
