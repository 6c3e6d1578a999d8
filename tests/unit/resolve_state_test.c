/* SPDX-License-Identifier: MIT */
/*
 * Reading sampler state: GL tokens and numbers, Vulkan's own create-infos, canonical form, and the driver's sampler
 * that comes of it. The wrap modes' rules are in resolve_test.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "resolve/resolve.h"
#include "resolve/wrap.h"
#include "resolve_pair.h"
#include "resolve_pair.h"

typedef VkSamplerGLStateCreateInfoCLAMPLER gl_info;

static const struct resolve_caps full = {.mirror_clamp_to_edge = true,
                                         .anisotropy = true,
                                         .custom_border_color = true,
                                         .custom_border_color_without_format = true,
                                         .non_seamless_cube = true,
                                         .sampler_filter_minmax = true,
                                         .max_lod_bias = 16.0f,
                                         .max_anisotropy = 16.0f};

/* What glGenSamplers gives. */
static gl_info gl_defaults(void)
{
    return (gl_info){.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                     .minLod = -1000.0f,
                     .maxLod = 1000.0f,
                     .maxAnisotropy = 1.0f};
}

static struct sampler_state state_of(const gl_info *gl)
{
    struct sampler_state state;
    const char *why = NULL;
    assert_true(resolve_gl_state(gl, 0, &full, &state, &why));
    return state;
}

static struct resolved pair_of(const gl_info *gl, const struct view_facts *view, const struct resolve_caps *caps)
{
    struct sampler_state state;
    const char *why = NULL;
    struct resolved result;
    assert_true(resolve_gl_state(gl, 0, caps, &state, &why));
    resolve_pair(&state, view, caps, &result);
    return result;
}

static void assert_same_state(const gl_info *a, const gl_info *b)
{
    struct sampler_state first = state_of(a), second = state_of(b);
    assert_memory_equal(&first, &second, sizeof(first));
}

static void assert_other_state(const gl_info *a, const gl_info *b)
{
    struct sampler_state first = state_of(a), second = state_of(b);
    assert_memory_not_equal(&first, &second, sizeof(first));
}

/* Every token field: its offset, the tokens that OpenGL allows there, and some that it allows elsewhere or nowhere. */
static const struct token_field {
    const char *name;
    size_t offset;
    uint32_t allowed[12]; /* ends with 0, which is itself allowed: the default, equal to the first token */
    uint32_t refused[10]; /* ends with 0 */
} token_fields[] = {
    {"wrapS",
     offsetof(gl_info, wrapS),
     {TOKEN_REPEAT, TOKEN_CLAMP, TOKEN_CLAMP_TO_BORDER, TOKEN_CLAMP_TO_EDGE, TOKEN_MIRRORED_REPEAT, TOKEN_MIRROR_CLAMP,
      TOKEN_MIRROR_CLAMP_TO_EDGE, TOKEN_MIRROR_CLAMP_TO_BORDER},
     {1, TOKEN_NEAREST, 0x2902, 0x28FF, 0x812E, 0x8371, 0x8741, 0x8913, 0xFFFFFFFF}},
    {"wrapT",
     offsetof(gl_info, wrapT),
     {TOKEN_REPEAT, TOKEN_CLAMP, TOKEN_CLAMP_TO_BORDER, TOKEN_CLAMP_TO_EDGE, TOKEN_MIRRORED_REPEAT, TOKEN_MIRROR_CLAMP,
      TOKEN_MIRROR_CLAMP_TO_EDGE, TOKEN_MIRROR_CLAMP_TO_BORDER},
     {2, TOKEN_LINEAR, 0x2902, 0x812E, 0x8744, 0x80000000}},
    {"wrapR",
     offsetof(gl_info, wrapR),
     {TOKEN_REPEAT, TOKEN_CLAMP, TOKEN_CLAMP_TO_BORDER, TOKEN_CLAMP_TO_EDGE, TOKEN_MIRRORED_REPEAT, TOKEN_MIRROR_CLAMP,
      TOKEN_MIRROR_CLAMP_TO_EDGE, TOKEN_MIRROR_CLAMP_TO_BORDER},
     {5, TOKEN_LINEAR_MIPMAP_LINEAR, 0x8911, 1000999006}},
    {"minFilter",
     offsetof(gl_info, minFilter),
     {TOKEN_NEAREST_MIPMAP_LINEAR, TOKEN_NEAREST, TOKEN_LINEAR, TOKEN_NEAREST_MIPMAP_NEAREST,
      TOKEN_LINEAR_MIPMAP_NEAREST, TOKEN_LINEAR_MIPMAP_LINEAR, TOKEN_CUBIC_IMG, TOKEN_CUBIC_MIPMAP_LINEAR_IMG},
     {1, 0x9138, 0x913C, 0x25FF, 0x2602, 0x26FF, 0x2704, TOKEN_CLAMP, 0xFFFFFFFF}},
    {"magFilter",
     offsetof(gl_info, magFilter),
     {TOKEN_LINEAR, TOKEN_NEAREST, TOKEN_CUBIC_IMG},
     {1, TOKEN_CUBIC_MIPMAP_NEAREST_IMG, 0x2602, TOKEN_NEAREST_MIPMAP_NEAREST, TOKEN_LINEAR_MIPMAP_NEAREST,
      TOKEN_NEAREST_MIPMAP_LINEAR, TOKEN_LINEAR_MIPMAP_LINEAR, 0xFFFFFFFF}},
    {"compareMode",
     offsetof(gl_info, compareMode),
     {0, TOKEN_COMPARE_REF_TO_TEXTURE},
     {1, 0x884D, 0x884F, 0x0203, 0xFFFFFFFF}},
    {"compareFunc",
     offsetof(gl_info, compareFunc),
     {0x0203, 0x0200, 0x0201, 0x0202, 0x0204, 0x0205, 0x0206, 0x0207},
     {1, 0x01FF, 0x0208, TOKEN_COMPARE_REF_TO_TEXTURE, 0xFFFFFFFF}},
    {"srgbDecode", offsetof(gl_info, srgbDecode), {TOKEN_DECODE, TOKEN_SKIP_DECODE}, {1, 0x8A48, 0x8A4B, 0xFFFFFFFF}},
    {"reductionMode",
     offsetof(gl_info, reductionMode),
     {TOKEN_WEIGHTED_AVERAGE, TOKEN_MIN, TOKEN_MAX},
     {1, 2, 0x8006, 0x8009, 0x9366, 0x9368, 0xFFFFFFFF}},
};

static gl_info with_token(const struct token_field *field, uint32_t token)
{
    gl_info gl = gl_defaults();
    memcpy((char *)&gl + field->offset, &token, sizeof(token));
    return gl;
}

static void every_token_that_gl_allows_is_taken(void **initial)
{
    const struct token_field *field = *initial;
    for (size_t i = 0; i == 0 || field->allowed[i]; i++) {
        gl_info gl = with_token(field, field->allowed[i]);
        struct sampler_state state;
        const char *why = "unset";
        assert_true(resolve_gl_state(&gl, 0, &full, &state, &why));
        assert_null(why);
    }
}

static void zero_is_the_default_token(void **initial)
{
    const struct token_field *field = *initial;
    gl_info zero = with_token(field, 0), first = with_token(field, field->allowed[0]);
    assert_same_state(&zero, &first);
}

static void other_tokens_are_refused_by_name(void **initial)
{
    const struct token_field *field = *initial;
    static const struct sampler_state zero;
    for (size_t i = 0; field->refused[i]; i++) {
        gl_info gl = with_token(field, field->refused[i]);
        struct sampler_state state;
        memset(&state, 0xAA, sizeof(state));
        const char *why = NULL;
        assert_false(resolve_gl_state(&gl, 0, &full, &state, &why));
        assert_non_null(why);
        assert_int_equal(strncmp(why, field->name, strlen(field->name)), 0);
        assert_non_null(strstr(why, "GL_"));
        assert_memory_equal(&state, &zero, sizeof(state));
    }
}

/* "GL_" and the mode's name, which "_EXT" may follow, as a word of the text. */
static bool names_mode(const char *text, const char *mode)
{
    char name[64];
    snprintf(name, sizeof(name), "GL_%s", mode);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        const char *end = at + strlen(name);
        end += strncmp(end, "_EXT", 4) == 0 ? 4 : 0;
        if (*end == ',' || *end == '\0')
            return true;
    }
    return false;
}

static void a_refused_wrap_mode_is_told_which_there_are(void **unused)
{
    (void)unused;
    for (uint32_t axis = 0; axis < 3; axis++) {
        for (uint8_t wrap = 0; wrap <= RECORD_WRAP_MASK; wrap++) {
            if (!names_mode(wrap_no_mode(axis), wrap_mode(wrap)->name))
                fail_msg("%s: it does not name %s", wrap_no_mode(axis), wrap_mode(wrap)->name);
        }
    }
}

static void tokens_mean_what_gl_says(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t token;
        uint8_t wrap;
    } wraps[] = {{TOKEN_REPEAT, RECORD_WRAP_REPEAT},
                 {TOKEN_MIRRORED_REPEAT, RECORD_WRAP_MIRRORED_REPEAT},
                 {TOKEN_CLAMP_TO_EDGE, RECORD_WRAP_CLAMP_TO_EDGE},
                 {TOKEN_CLAMP_TO_BORDER, RECORD_WRAP_CLAMP_TO_BORDER},
                 {TOKEN_MIRROR_CLAMP_TO_EDGE, RECORD_WRAP_MIRROR_CLAMP_TO_EDGE},
                 {TOKEN_CLAMP, RECORD_WRAP_CLAMP},
                 {TOKEN_MIRROR_CLAMP, RECORD_WRAP_MIRROR_CLAMP},
                 {TOKEN_MIRROR_CLAMP_TO_BORDER, RECORD_WRAP_MIRROR_CLAMP_TO_BORDER}};
    for (size_t i = 0; i < sizeof(wraps) / sizeof(*wraps); i++) {
        gl_info gl = gl_defaults();
        gl.wrapS = wraps[i].token;
        gl.wrapT = wraps[(i + 1) % 8].token;
        gl.wrapR = wraps[(i + 2) % 8].token;
        struct sampler_state state = state_of(&gl);
        assert_int_equal(state.wrap[0], wraps[i].wrap);
        assert_int_equal(state.wrap[1], wraps[(i + 1) % 8].wrap);
        assert_int_equal(state.wrap[2], wraps[(i + 2) % 8].wrap);
    }
    static const struct {
        uint32_t token;
        uint8_t linear, mip;
    } filters[] = {{TOKEN_NEAREST, 0, 0},
                   {TOKEN_LINEAR, 1, 0},
                   {TOKEN_NEAREST_MIPMAP_NEAREST, 0, 1},
                   {TOKEN_LINEAR_MIPMAP_NEAREST, 1, 1},
                   {TOKEN_NEAREST_MIPMAP_LINEAR, 0, 2},
                   {TOKEN_LINEAR_MIPMAP_LINEAR, 1, 2}};
    for (size_t i = 0; i < sizeof(filters) / sizeof(*filters); i++) {
        gl_info gl = gl_defaults();
        gl.minFilter = filters[i].token;
        struct sampler_state state = state_of(&gl);
        assert_int_equal(state.min_linear, filters[i].linear);
        assert_int_equal(state.mip_mode, filters[i].mip);
        assert_int_equal(state.mag_linear, 1);
    }
    static const VkCompareOp compares[8] = {VK_COMPARE_OP_NEVER,
                                            VK_COMPARE_OP_LESS,
                                            VK_COMPARE_OP_EQUAL,
                                            VK_COMPARE_OP_LESS_OR_EQUAL,
                                            VK_COMPARE_OP_GREATER,
                                            VK_COMPARE_OP_NOT_EQUAL,
                                            VK_COMPARE_OP_GREATER_OR_EQUAL,
                                            VK_COMPARE_OP_ALWAYS};
    for (uint32_t i = 0; i < 8; i++) {
        gl_info gl = gl_defaults();
        gl.compareMode = TOKEN_COMPARE_REF_TO_TEXTURE;
        gl.compareFunc = 0x0200 + i;
        assert_int_equal(state_of(&gl).compare, compares[i] + 1);
    }
}

static void infinite_and_nan_numbers_are_the_defaults(void **unused)
{
    (void)unused;
    static const float strange[] = {NAN, -NAN, INFINITY, -INFINITY};
    static const size_t fields[] = {offsetof(gl_info, minLod), offsetof(gl_info, maxLod), offsetof(gl_info, lodBias),
                                    offsetof(gl_info, unitLodBias), offsetof(gl_info, maxAnisotropy)};
    gl_info defaults = gl_defaults();
    for (size_t field = 0; field < sizeof(fields) / sizeof(*fields); field++)
        for (size_t i = 0; i < sizeof(strange) / sizeof(*strange); i++) {
            gl_info gl = gl_defaults();
            memcpy((char *)&gl + fields[field], &strange[i], sizeof(strange[i]));
            assert_same_state(&gl, &defaults);
        }
    gl_info huge = gl_defaults();
    huge.lodBias = huge.unitLodBias = 3e38f; /* finite, but not their sum */
    assert_float_equal(state_of(&huge).lod_bias, 127.0f, 0.0f);
}

static void lod_bounds_are_ordered_and_cut(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t min_filter; /* with a nearest magnification filter */
        float min, max, driver_min, driver_max;
    } rows[] = {
        {TOKEN_LINEAR_MIPMAP_LINEAR, -1000, 1000, 0, 1000},
        {TOKEN_LINEAR_MIPMAP_LINEAR, 2, 5, 2, 5},
        {TOKEN_LINEAR_MIPMAP_LINEAR, 5, 2, 2, 5},
        {TOKEN_LINEAR_MIPMAP_LINEAR, -3, 4, 0, 4},
        {TOKEN_LINEAR_MIPMAP_LINEAR, 7, -3, 0, 7},
        {TOKEN_LINEAR_MIPMAP_LINEAR, 0, 1e30f, 0, 1000},
        {TOKEN_LINEAR_MIPMAP_LINEAR, -7, 1e-3f, 0, 1e-3f},
        /* Without mipmaps the range only says which of the two filters can be used. */
        {TOKEN_LINEAR, -1000, 1000, 0, 0.25f},
        {TOKEN_LINEAR, 0, 0.125f, 0, 0.125f},
        /* ... and nothing at all where it leaves but one. */
        {TOKEN_LINEAR, 1, 1000, 0, 0.25f},
        {TOKEN_LINEAR, -5, 0, 0, 0.25f},
        {TOKEN_NEAREST, 1, 5, 0, 0.25f},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        gl_info gl = gl_defaults();
        gl.minFilter = rows[i].min_filter;
        gl.magFilter = TOKEN_NEAREST;
        gl.minLod = rows[i].min;
        gl.maxLod = rows[i].max;
        struct resolved result = pair_of(&gl, NULL, &full);
        assert_float_equal(result.driver.info.minLod, rows[i].driver_min, 0.0f);
        assert_float_equal(result.driver.info.maxLod, rows[i].driver_max, 0.0f);
    }
}

static void without_mipmaps_the_range_picks_the_filter(void **unused)
{
    (void)unused;
    gl_info gl = gl_defaults();
    gl.minFilter = TOKEN_LINEAR;
    gl.magFilter = TOKEN_NEAREST;
    struct resolved both = pair_of(&gl, NULL, &full);
    assert_int_equal(both.driver.info.magFilter, VK_FILTER_NEAREST);
    assert_int_equal(both.driver.info.minFilter, VK_FILTER_LINEAR);
    assert_int_equal(both.driver.info.mipmapMode, VK_SAMPLER_MIPMAP_MODE_NEAREST);
    gl.minLod = 1.0f;
    struct resolved minified = pair_of(&gl, NULL, &full);
    assert_int_equal(minified.driver.info.magFilter, VK_FILTER_LINEAR);
    gl.minLod = -1000.0f;
    gl.maxLod = 0.0f;
    struct resolved magnified = pair_of(&gl, NULL, &full);
    assert_int_equal(magnified.driver.info.minFilter, VK_FILTER_NEAREST);
}

static void biases_add_up_in_steps_of_one_256th(void **unused)
{
    (void)unused;
    static const struct {
        float texture, unit, device_limit, state, driver;
    } rows[] = {
        {0, 0, 16, 0, 0},
        {1.5f, -0.25f, 16, 1.25f, 1.25f},
        {0.001f, 0, 16, 0, 0},
        {0.002f, 0, 16, 1 / 256.0f, 1 / 256.0f},
        {-0.002f, 0, 16, -1 / 256.0f, -1 / 256.0f},
        {0.3f, 0, 16, 77 / 256.0f, 77 / 256.0f},
        {12, 12, 16, 24, 16},
        {-30, 2, 16, -28, -16},
        {-23.5f, -24.5f, 16, -48, -16},
        {15.5f, 0, 15, 15.5f, 15},
        {1000, 1000, 16, 127, 16},
        {20, -10, 16, 10, 10},
        {9, 0, 4, 9, 4},
        {-9, 0, 4, -9, -4},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        gl_info gl = gl_defaults();
        gl.lodBias = rows[i].texture;
        gl.unitLodBias = rows[i].unit;
        assert_float_equal(state_of(&gl).lod_bias, rows[i].state, 0.0f);
        struct resolve_caps caps = full;
        caps.max_lod_bias = rows[i].device_limit;
        struct resolved result = pair_of(&gl, NULL, &caps);
        assert_float_equal(result.driver.info.mipLodBias, rows[i].driver, 0.0f);
        assert_int_equal(rows[i].state == rows[i].driver, strcmp(result.reason, "native") == 0);
    }
    gl_info gl = gl_defaults();
    gl.lodBias = -0.001f;
    assert_false(signbit(state_of(&gl).lod_bias));
}

static void anisotropy_stays_within_the_device(void **unused)
{
    (void)unused;
    static const struct {
        float asked, limit;
        bool enabled;
        float used; /* 0: off */
    } rows[] = {{0, 16, true, 0},   {1, 16, true, 0},   {0.5f, 16, true, 0}, {-4, 16, true, 0}, {2.5f, 16, true, 2.5f},
                {16, 16, true, 16}, {64, 16, true, 16}, {8, 2, true, 2},     {8, 1, true, 0},   {8, 16, false, 0}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        gl_info gl = gl_defaults();
        gl.maxAnisotropy = rows[i].asked;
        struct resolve_caps caps = full;
        caps.anisotropy = rows[i].enabled;
        caps.max_anisotropy = rows[i].limit;
        struct resolved result = pair_of(&gl, NULL, &caps);
        assert_int_equal(result.driver.info.anisotropyEnable, rows[i].used > 0);
        if (rows[i].used > 0)
            assert_float_equal(result.driver.info.maxAnisotropy, rows[i].used, 0.0f);
    }
}

/* Magnified always, so that only the base level is read: but anisotropy may look at the mipmap mode. */
static void a_level_range_of_nothing_is_the_base_level(void **unused)
{
    (void)unused;
    gl_info mipmapped = gl_defaults(), plain = gl_defaults();
    mipmapped.minFilter = TOKEN_LINEAR_MIPMAP_LINEAR;
    mipmapped.maxLod = plain.maxLod = 0.0f;
    plain.minFilter = TOKEN_LINEAR;
    assert_same_state(&mipmapped, &plain);
    mipmapped.maxAnisotropy = plain.maxAnisotropy = 4.0f;
    assert_int_equal(state_of(&mipmapped).mip_mode, 2);
    assert_int_equal(state_of(&plain).mip_mode, 0);
}

/* The same of the private address modes, whose states have Vulkan's own ranges; states without them are the driver's.
 */
static void a_vulkan_level_range_chooses_one_filter_and_one_level(void **unused)
{
    (void)unused;
    const VkSamplerCreateInfo clamp = {.magFilter = VK_FILTER_NEAREST,
                                       .minFilter = VK_FILTER_LINEAR,
                                       .addressModeU = VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER,
                                       .maxAnisotropy = 4.0f};
    const struct {
        VkSamplerMipmapMode mips;
        VkBool32 anisotropy, unnormalized;
        float min, max;
        uint8_t mag_linear, min_linear;
        float folded_min, folded_max;
    } rows[] = {
        {VK_SAMPLER_MIPMAP_MODE_NEAREST, 0, 0, 0, 0, 0, 0, 0, 0.25f},
        {VK_SAMPLER_MIPMAP_MODE_NEAREST, 0, 0, -2, -1, 0, 0, 0, 0.25f},
        {VK_SAMPLER_MIPMAP_MODE_NEAREST, 0, 0, 0, 0.125f, 0, 1, 0, 0.125f},
        {VK_SAMPLER_MIPMAP_MODE_NEAREST, 0, 0, 1, 3, 1, 1, 1, 3},
        {VK_SAMPLER_MIPMAP_MODE_LINEAR, 0, 0, 0, 0, 0, 0, 0, 0}, /* 1/4 would blend */
        {VK_SAMPLER_MIPMAP_MODE_NEAREST, 1, 0, 0, 0, 0, 0, 0, 0},
        {VK_SAMPLER_MIPMAP_MODE_NEAREST, 0, 1, 0, 0, 0, 0, 0, 0}, /* Vulkan requires 0 */
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct sampler_state state;
        VkSamplerCreateInfo info = clamp;
        info.mipmapMode = rows[i].mips;
        info.anisotropyEnable = rows[i].anisotropy;
        info.unnormalizedCoordinates = rows[i].unnormalized;
        info.minLod = rows[i].min;
        info.maxLod = rows[i].max;
        state_of_vk(&info, &state);
        assert_int_equal(state.mag_linear, rows[i].mag_linear);
        assert_int_equal(state.min_linear, rows[i].min_linear);
        assert_float_equal(state.min_lod, rows[i].folded_min, 0.0f);
        assert_float_equal(state.max_lod, rows[i].folded_max, 0.0f);
        info.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
        state_of_vk(&info, &state);
        assert_int_equal(state.mag_linear, 0);
        assert_int_equal(state.min_linear, 1);
        assert_float_equal(state.min_lod, rows[i].min, 0.0f);
        assert_float_equal(state.max_lod, rows[i].max, 0.0f);
    }
}

static void equal_meaning_is_equal_bytes(void **unused)
{
    (void)unused;
    gl_info a = gl_defaults(), b = gl_defaults();
    b.compareFunc = 0x0207; /* without comparison */
    assert_same_state(&a, &b);
    b = gl_defaults();
    b.borderColor.float32[1] = 0.5f; /* REPEAT never reads it */
    assert_same_state(&a, &b);
    b.wrapR = TOKEN_CLAMP;
    assert_other_state(&a, &b);
    b = gl_defaults();
    b.minLod = -3.0f;
    b.maxLod = 5000.0f;
    assert_same_state(&a, &b);
    b = gl_defaults();
    b.lodBias = -0.0f;
    b.maxAnisotropy = 0.0f;
    b.cubeMapSeamless = VK_FALSE;
    assert_same_state(&a, &b);
    b.cubeMapSeamless = VK_TRUE;
    assert_other_state(&a, &b);
    a.cubeMapSeamless = 2; /* as good a truth as 1 */
    assert_same_state(&a, &b);
    a.cubeMapSeamless = VK_FALSE;
    b = gl_defaults();
    b.pNext = &a;
    assert_same_state(&a, &b);
    a.minFilter = b.minFilter = TOKEN_LINEAR;
    b.maxLod = 3.0f; /* one filter, one level: no range matters */
    assert_same_state(&a, &b);
}

static void different_meaning_is_different_bytes(void **unused)
{
    (void)unused;
    gl_info a = gl_defaults();
    for (size_t i = 0; i < sizeof(token_fields) / sizeof(*token_fields); i++)
        for (size_t j = 1; token_fields[i].allowed[j]; j++) {
            if (strcmp(token_fields[i].name, "compareFunc") == 0)
                a.compareMode = TOKEN_COMPARE_REF_TO_TEXTURE;
            gl_info b = with_token(&token_fields[i], token_fields[i].allowed[j]);
            b.compareMode = b.compareMode ? b.compareMode : a.compareMode;
            assert_other_state(&a, &b);
            a = gl_defaults();
        }
    static const size_t numbers[] = {offsetof(gl_info, minLod), offsetof(gl_info, maxLod), offsetof(gl_info, lodBias),
                                     offsetof(gl_info, unitLodBias), offsetof(gl_info, maxAnisotropy)};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
        gl_info b = gl_defaults();
        static const float two = 2.0f;
        memcpy((char *)&b + numbers[i], &two, sizeof(two));
        assert_other_state(&a, &b);
    }
    struct sampler_state plain = state_of(&a), flagged;
    const char *why;
    assert_true(resolve_gl_state(&a, 2, &full, &flagged, &why));
    assert_memory_not_equal(&plain, &flagged, sizeof(plain));
}

int main(void)
{
    enum { FIELDS = sizeof(token_fields) / sizeof(*token_fields) };
    static const struct CMUnitTest named[] = {
        cmocka_unit_test(a_refused_wrap_mode_is_told_which_there_are),
        cmocka_unit_test(tokens_mean_what_gl_says),
        cmocka_unit_test(infinite_and_nan_numbers_are_the_defaults),
        cmocka_unit_test(lod_bounds_are_ordered_and_cut),
        cmocka_unit_test(without_mipmaps_the_range_picks_the_filter),
        cmocka_unit_test(biases_add_up_in_steps_of_one_256th),
        cmocka_unit_test(anisotropy_stays_within_the_device),
        cmocka_unit_test(a_level_range_of_nothing_is_the_base_level),
        cmocka_unit_test(a_vulkan_level_range_chooses_one_filter_and_one_level),
        cmocka_unit_test(equal_meaning_is_equal_bytes),
        cmocka_unit_test(different_meaning_is_different_bytes),
    };
    enum { NAMED = sizeof(named) / sizeof(*named) };
    static struct CMUnitTest tests[3 * FIELDS + NAMED];
    static char names[3 * FIELDS][64];
    static const struct {
        const char *what;
        CMUnitTestFunction test;
    } checks[3] = {{"every token that GL allows is taken", every_token_that_gl_allows_is_taken},
                   {"zero is the default token", zero_is_the_default_token},
                   {"other tokens are refused by name", other_tokens_are_refused_by_name}};
    for (size_t i = 0; i < 3 * FIELDS; i++) {
        const struct token_field *field = &token_fields[i / 3];
        strcpy(names[i], field->name);
        strcat(strcat(names[i], ": "), checks[i % 3].what);
        tests[i] = (struct CMUnitTest){names[i], checks[i % 3].test, NULL, NULL, (void *)(uintptr_t)field};
    }
    memcpy(tests + 3 * FIELDS, named, sizeof(named));
    return _cmocka_run_group_tests("resolve_state", tests, 3 * FIELDS + NAMED, NULL, NULL);
}
