/* SPDX-License-Identifier: MIT */
/*
 * Classification of sampler states by rules (classify.h), beside resolve_decide of the same states with every kind of
 * view: all pairs of parameters' values, each pair completed in several ways, and a million of random states.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "format/format.h"
#include "gl/gl_tokens.h"
#include "resolve/border.h"
#include "resolve/classify.h"
#include "resolve/wrap.h"
#include "resolve_pair.h"

/* ---- Views ---- */

static struct {
    struct view_facts facts;
    bool gl; /* only where the program enables glImageView */
    bool requires_emulation;
} views[512];
static uint32_t view_count;

/* What the image and the driver add: each has an effect of its own. */
enum { AS_MOST, UNFILTERABLE, NEITHER_REDUCIBLE, NOT_REDUCIBLE, ONE_LEVEL, LEAST_LEVEL, BORDERED, KINDS };

/* The first `kinds` of them. */
static void add_views(const struct view_facts *facts, uint32_t kinds, bool gl)
{
    for (uint32_t kind = 0; kind < kinds; kind++) {
        struct view_facts view = *facts;
        view.levels = kind == ONE_LEVEL ? 1 : 4;
        view.least_level = kind == LEAST_LEVEL ? 1.5f : 0.0f;
        view.linear = kind != UNFILTERABLE && kind != NEITHER_REDUCIBLE;
        view.minmax = kind != NEITHER_REDUCIBLE && kind != NOT_REDUCIBLE;
        view.unorm_auxiliary = view.srgb && kind != ONE_LEVEL;
        view.width = view.height = view.depth = 8;
        view.border = kind == BORDERED && gl; /* of GL's views alone */
        view.stored[0] = view.stored[1] = view.stored[2] = 16;
        assert_true(view_count < sizeof(views) / sizeof(views[0]));
        views[view_count].facts = view;
        views[view_count].gl = gl;
        views[view_count++].requires_emulation = view_facts_require_emulation(&view);
    }
}

static VkImageViewCreateInfo info_of(VkFormat format, VkImageViewType type)
{
    const uint32_t bits = format_info(format).bits;
    return (VkImageViewCreateInfo){.viewType = type,
                                   .format = format,
                                   .subresourceRange.aspectMask = bits & FORMAT_DEPTH     ? VK_IMAGE_ASPECT_DEPTH_BIT
                                                                  : bits & FORMAT_STENCIL ? VK_IMAGE_ASPECT_STENCIL_BIT
                                                                                          : VK_IMAGE_ASPECT_COLOR_BIT};
}

static void add_gl_view(VkFormat format, VkImageViewType type, const VkImageViewGLStateCreateInfoCLAMPLER *gl)
{
    const VkImageViewCreateInfo info = info_of(format, type);
    struct view_facts facts = {0};
    VkComponentMapping mapping;
    const char *why = NULL;
    if (!view_facts_from_gl(gl, &info, &facts, &mapping, &why))
        fail_msg("%s", why);
    add_views(&facts, KINDS, true);
}

static int make_views(void **state)
{
    static const VkFormat formats[] = {
        /* Of every type: */
        VK_FORMAT_R8G8B8A8_UNORM,
        VK_FORMAT_R8G8B8A8_SRGB,
        VK_FORMAT_R32G32B32A32_SFLOAT,
        VK_FORMAT_R8G8B8A8_UINT,
        VK_FORMAT_D16_UNORM,
        /* Of two dimensions: */
        VK_FORMAT_R8_UNORM,
        VK_FORMAT_R8G8B8A8_SNORM,
        VK_FORMAT_B5G6R5_UNORM_PACK16,
        VK_FORMAT_R16G16_SFLOAT,
        VK_FORMAT_B10G11R11_UFLOAT_PACK32,
        VK_FORMAT_R32_SINT,
        VK_FORMAT_S8_UINT,
        VK_FORMAT_D32_SFLOAT_S8_UINT,
        VK_FORMAT_BC3_SRGB_BLOCK,
    };
    enum { OF_EVERY_TYPE = 5 };
    static const VkComponentMapping mappings[] = {
        {VK_COMPONENT_SWIZZLE_IDENTITY, VK_COMPONENT_SWIZZLE_IDENTITY, VK_COMPONENT_SWIZZLE_IDENTITY,
         VK_COMPONENT_SWIZZLE_IDENTITY},
        {VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_A},
        {VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_ONE},
        {VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_ONE, VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_R},
        {VK_COMPONENT_SWIZZLE_ONE, VK_COMPONENT_SWIZZLE_A, VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_ZERO},
    };
    static const VkImageViewType types[] = {VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_1D, VK_IMAGE_VIEW_TYPE_3D,
                                            VK_IMAGE_VIEW_TYPE_CUBE, VK_IMAGE_VIEW_TYPE_2D_ARRAY};
    (void)state;
    for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++)
        for (size_t f = 0; f < (t ? OF_EVERY_TYPE : sizeof(formats) / sizeof(formats[0])); f++)
            for (size_t m = 0; m < (t ? 1 : sizeof(mappings) / sizeof(mappings[0])); m++) {
                VkImageViewCreateInfo info = info_of(formats[f], types[t]);
                struct view_facts facts = {0};
                info.components = mappings[m];
                view_facts_from_vk(&info, &facts);
                add_views(&facts, m ? UNFILTERABLE + 1 : KINDS, false);
            }
    const VkFormat color = VK_FORMAT_R8G8B8A8_UNORM, depth = VK_FORMAT_D32_SFLOAT;
    const VkImageViewType flat = VK_IMAGE_VIEW_TYPE_2D;
    add_gl_view(color, flat, &(VkImageViewGLStateCreateInfoCLAMPLER){.target = TOKEN_TEXTURE_RECTANGLE});
    add_gl_view(depth, flat, &(VkImageViewGLStateCreateInfoCLAMPLER){.internalFormat = 0x81A6}); /* DEPTH_COMPONENT24 */
    add_gl_view(depth, flat, &(VkImageViewGLStateCreateInfoCLAMPLER){.depthMode = TOKEN_LUMINANCE});
    add_gl_view(depth, flat, &(VkImageViewGLStateCreateInfoCLAMPLER){.depthMode = TOKEN_ALPHA});
    add_gl_view(color, flat, &(VkImageViewGLStateCreateInfoCLAMPLER){.baseFormat = TOKEN_RGB});
    add_gl_view(VK_FORMAT_R8_UNORM, flat, &(VkImageViewGLStateCreateInfoCLAMPLER){.baseFormat = TOKEN_ALPHA});
    add_gl_view(VK_FORMAT_R8G8_SRGB, flat,
                &(VkImageViewGLStateCreateInfoCLAMPLER){.baseFormat = TOKEN_LUMINANCE_ALPHA});
    add_gl_view(VK_FORMAT_R32G32B32A32_SFLOAT, flat,
                &(VkImageViewGLStateCreateInfoCLAMPLER){.internalFormat = 0x8058}); /* RGBA8 */
    return 0;
}

/* ---- States and devices ---- */

/* How many values each parameter has. The first leaves a state alone, or is what most devices have. */
#define PARAMETERS(ROW)                                                                                                \
    ROW(GL, 2)                                                                                                         \
    ROW(WRAP_S, 8)                                                                                                     \
    ROW(WRAP_T, 8)                                                                                                     \
    ROW(WRAP_R, 8)                                                                                                     \
    ROW(MAG, 3)                                                                                                        \
    ROW(MIN, 3)                                                                                                        \
    ROW(MIPS, 3)                                                                                                       \
    ROW(BORDER, 14)                                                                                                    \
    ROW(BORDER_INTEGER, 2)                                                                                             \
    ROW(BORDER_FORMAT, 2)                                                                                              \
    ROW(BORDER_MAPPING, 2)                                                                                             \
    ROW(COMPARE, 9)                                                                                                    \
    ROW(ANISOTROPY, 3)                                                                                                 \
    ROW(REDUCTION, 3)                                                                                                  \
    ROW(SRGB_SKIP, 2)                                                                                                  \
    ROW(CUBE_FACES, 2)                                                                                                 \
    ROW(UNNORMALIZED, 2)                                                                                               \
    ROW(BIAS, 6)                                                                                                       \
    ROW(LODS, 6)                                                                                                       \
    ROW(CAPS_MIRROR, 2)                                                                                                \
    ROW(CAPS_GRADIENTS, 2)                                                                                             \
    ROW(CAPS_BORDER, 2)                                                                                                \
    ROW(CAPS_BORDER_FORMAT, 2)                                                                                         \
    ROW(CAPS_BORDER_FULL, 2)                                                                                           \
    ROW(CAPS_BORDER_SWIZZLE, 3)                                                                                        \
    ROW(CAPS_BORDER_IN_SHADER, 2)                                                                                      \
    ROW(CAPS_CUBE_FACES, 2)                                                                                            \
    ROW(CAPS_LEAST_LODS, 2)                                                                                            \
    ROW(CAPS_MINMAX, 2)                                                                                                \
    ROW(CAPS_MINMAX_SWIZZLE, 2)                                                                                        \
    ROW(CAPS_MINMAX_BLENDS, 2)                                                                                         \
    ROW(CAPS_GL_VIEWS, 2)                                                                                              \
    ROW(CAPS_INTEGER_INCOMPLETE, 2)                                                                                    \
    ROW(CAPS_GL_FALLBACK, 3)                                                                                           \
    ROW(CAPS_VK_FALLBACK, 3)                                                                                           \
    ROW(CAPS_BIAS, 4)                                                                                                  \
    ROW(CAPS_BIAS_ASSUMED, 2)                                                                                          \
    ROW(CAPS_OFFERED, 10)

#define NAME(PARAMETER, COUNT) PARAMETER,
enum { PARAMETERS(NAME) COUNT };
#undef NAME
#define VALUES(PARAMETER, COUNT) COUNT,
static const uint8_t counts[COUNT] = {PARAMETERS(VALUES)};
#undef VALUES
#define WORD(PARAMETER, COUNT) #PARAMETER,
static const char *const names[COUNT] = {PARAMETERS(WORD)};
#undef WORD

static const float borders[][4] = {
    {0, 0, 0, 0},      {0, 0, 0, 1},
    {1, 1, 1, 1},      {1, 1, 1, 0},
    {0, 1, 1, 1},      {1, 0, 0, 1},
    {0.5f, 0, 0, 1},   {2, 2, 2, 2},
    {-1, 0, 0, 0},     {0, 0, 0, -0.0f},
    {0, NAN, 0, 1},    {1, 1, 1, INFINITY},
    {0, 0, 1e-45f, 1}, {1, 0.25f, 0.75f, 0.5f},
};
_Static_assert(sizeof(borders) / sizeof(borders[0]) == 14, "as many as BORDER has values");

static const float lods[][2] = {{0, 1000}, {0, 0}, {0, 0.25f}, {0, 0.5f}, {2, 5}, {-1000, 1000}};

/* Nothing, each bit of enum resolve_offer alone, and all of them; as devices have it, without what the driver has. */
static uint32_t offered(uint8_t value, const struct resolve_caps *caps)
{
    uint32_t bits = value == 0 ? 0 : value == 9 ? (1u << 8) - 1 : 1u << (value - 1);
    if (caps->mirror_clamp_to_edge)
        bits &= ~(uint32_t)RESOLVE_OFFER_MIRROR_CLAMP;
    if (caps->non_seamless_cube)
        bits &= ~(uint32_t)RESOLVE_OFFER_CUBE_FACES;
    if (caps->border_swizzle_from_image)
        bits &= ~(uint32_t)RESOLVE_OFFER_BORDER_SWIZZLE;
    if (resolve_lod_bias_is_native(caps->max_lod_bias))
        bits &= ~(uint32_t)RESOLVE_OFFER_LOD_BIAS;
    return bits;
}

static void make_caps(const uint8_t *value, struct resolve_caps *caps)
{
    static const float limits[] = {15, 2, 4, 16};
    *caps = (struct resolve_caps){
        .mirror_clamp_to_edge = !value[CAPS_MIRROR],
        .anisotropy = true,
        .anisotropy_ignores_gradients = value[CAPS_GRADIENTS],
        .custom_border_color = !value[CAPS_BORDER],
        .custom_border_color_without_format = !value[CAPS_BORDER] && !value[CAPS_BORDER_FORMAT],
        .border_full = value[CAPS_BORDER_FULL],
        .border_swizzle = value[CAPS_BORDER_SWIZZLE],
        .border_swizzle_from_image = value[CAPS_BORDER_SWIZZLE] == 2,
        .border_in_shader = value[CAPS_BORDER_IN_SHADER],
        .non_seamless_cube = !value[CAPS_CUBE_FACES],
        .least_lods = value[CAPS_LEAST_LODS],
        .sampler_filter_minmax = !value[CAPS_MINMAX],
        .minmax_swizzle = value[CAPS_MINMAX_SWIZZLE],
        .gl_views = value[CAPS_GL_VIEWS],
        .minmax_blends = value[CAPS_MINMAX_BLENDS],
        .integer_incomplete = value[CAPS_INTEGER_INCOMPLETE],
        .gl_fallback = value[CAPS_GL_FALLBACK],
        .vk_fallback = value[CAPS_VK_FALLBACK],
        .max_lod_bias = limits[value[CAPS_BIAS]],
        .max_lod_bias_assumed = value[CAPS_BIAS_ASSUMED],
        .max_anisotropy = 16,
    };
    caps->offered = offered(value[CAPS_OFFERED], caps);
}

static const float biases[] = {0, 1, -3, 15.5f, 20, -127};
static const float anisotropies[] = {0, 1, 8};

static void make_gl_state(const uint8_t *value, const struct resolve_caps *caps, struct sampler_state *state)
{
    static const uint32_t min_filters[3][3] = {
        {TOKEN_NEAREST, TOKEN_NEAREST_MIPMAP_NEAREST, TOKEN_NEAREST_MIPMAP_LINEAR},
        {TOKEN_LINEAR, TOKEN_LINEAR_MIPMAP_NEAREST, TOKEN_LINEAR_MIPMAP_LINEAR},
        {TOKEN_LINEAR, TOKEN_LINEAR_MIPMAP_NEAREST, TOKEN_LINEAR_MIPMAP_LINEAR},
    };
    static const uint32_t reductions[] = {TOKEN_WEIGHTED_AVERAGE, TOKEN_MIN, TOKEN_MAX};
    const char *why = NULL;
    VkSamplerGLStateCreateInfoCLAMPLER gl = {
        .wrapS = wrap_mode(value[WRAP_S])->token,
        .wrapT = wrap_mode(value[WRAP_T])->token,
        .wrapR = wrap_mode(value[WRAP_R])->token,
        .minFilter = min_filters[value[MIN]][value[MIPS]],
        .magFilter = value[MAG] ? TOKEN_LINEAR : TOKEN_NEAREST,
        .minLod = lods[value[LODS]][0],
        .maxLod = lods[value[LODS]][1],
        .lodBias = biases[value[BIAS]],
        .maxAnisotropy = anisotropies[value[ANISOTROPY]],
        .compareMode = value[COMPARE] ? TOKEN_COMPARE_REF_TO_TEXTURE : 0,
        .compareFunc = value[COMPARE] ? TOKEN_NEVER + value[COMPARE] - 1u : 0,
        .cubeMapSeamless = !value[CUBE_FACES],
        .srgbDecode = value[SRGB_SKIP] ? TOKEN_SKIP_DECODE : TOKEN_DECODE,
        .reductionMode = reductions[value[REDUCTION]],
    };
    memcpy(&gl.borderColor, borders[value[BORDER]], sizeof(gl.borderColor));
    if (!resolve_gl_state(&gl, 0, caps, state, &why))
        fail_msg("%s", why);
}

static void make_vk_state(const uint8_t *value, const struct resolve_caps *caps, struct sampler_state *state)
{
    static const VkFilter filters[] = {VK_FILTER_NEAREST, VK_FILTER_LINEAR, VK_FILTER_CUBIC_EXT};
    const bool integer = value[BORDER_INTEGER];
    const bool without = caps->custom_border_color_without_format || caps->offered & RESOLVE_OFFER_BORDER_COLOR;
    const bool named = value[BORDER_FORMAT] || !without;
    VkSamplerCustomBorderColorCreateInfoEXT custom = {.sType =
                                                          VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
                                                      .format = named ? VK_FORMAT_R8G8B8A8_UNORM : VK_FORMAT_UNDEFINED};
    const VkSamplerBorderColorComponentMappingCreateInfoEXT mapping = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT,
        .pNext = &custom,
        .components = {.r = VK_COMPONENT_SWIZZLE_B}};
    const VkSamplerReductionModeCreateInfo reduction = {.sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
                                                        .pNext =
                                                            value[BORDER_MAPPING] ? (const void *)&mapping : &custom,
                                                        .reductionMode = (VkSamplerReductionMode)value[REDUCTION]};
    const VkSamplerCreateInfo info = {
        .pNext = &reduction,
        .flags = value[CUBE_FACES] ? VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT : 0,
        .magFilter = filters[value[MAG]],
        .minFilter = filters[value[MIN]],
        .mipmapMode = value[MIPS] == 2 ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST,
        .addressModeU = wrap_mode(value[WRAP_S])->mode,
        .addressModeV = wrap_mode(value[WRAP_T])->mode,
        .addressModeW = wrap_mode(value[WRAP_R])->mode,
        .mipLodBias = biases[value[BIAS]],
        .anisotropyEnable = value[ANISOTROPY] != 0,
        .maxAnisotropy = anisotropies[value[ANISOTROPY]],
        .compareEnable = value[COMPARE] != 0,
        .compareOp = value[COMPARE] ? (VkCompareOp)(value[COMPARE] - 1) : VK_COMPARE_OP_NEVER,
        .minLod = lods[value[LODS]][0],
        .maxLod = lods[value[LODS]][1],
        .borderColor = integer ? VK_BORDER_COLOR_INT_CUSTOM_EXT : VK_BORDER_COLOR_FLOAT_CUSTOM_EXT,
        .unnormalizedCoordinates = value[UNNORMALIZED],
    };
    for (uint32_t i = 0; i < 4; i++) {
        const float color = borders[value[BORDER]][i];
        if (integer)
            custom.customBorderColor.uint32[i] = color >= 1.0f ? (uint32_t)fminf(color, 2.0f) : 0;
        else
            custom.customBorderColor.float32[i] = color;
    }
    state_of_vk(&info, state);
}

static void make(const uint8_t *value, struct sampler_state *state, struct resolve_caps *caps)
{
    make_caps(value, caps);
    if (value[GL])
        make_gl_state(value, caps, state);
    else
        make_vk_state(value, caps, state);
}

/* ---- What resolve_decide makes of them ---- */

/* What classify.h leaves to the driver. */
static bool is_left_alone(const struct sampler_state *state, const struct view_facts *view,
                          const struct resolve_caps *caps, const struct driver_sampler *driver)
{
    if (state->gl)
        return false;
    if (state->compare && !caps->gl_views && view->mapping != VIEW_MAPPING_IDENTITY && view->depth_aspect)
        return true;
    return !resolve_is_emulated(state, caps) && driver->custom_border && state->border_format == VK_FORMAT_UNDEFINED &&
           border_needs_name(view, caps);
}

static bool is_native(const struct sampler_state *state, const struct view_facts *view, const struct resolve_caps *caps)
{
    struct resolve_result result;
    resolve_decide(state, view, caps, &result);
    return (result.program_suffices && result.needs == 0 && !resolve_terms_any(&result.terms) &&
            result.terms.record.lod == 0 && result.view <= RESOLVE_VIEW_SAMPLED) ||
           is_left_alone(state, view, caps, &result.driver);
}

/* The views that decided last are asked first. */
static uint32_t decided_last[2];

static bool asks(const struct sampler_state *state, const struct resolve_caps *caps, bool requires_emulation)
{
    uint32_t *last = &decided_last[requires_emulation];
    for (uint32_t i = 0; i < view_count; i++) {
        const uint32_t at = (*last + i) % view_count;
        if (views[at].requires_emulation != requires_emulation || (views[at].gl && !caps->gl_views) ||
            is_native(state, &views[at].facts, caps))
            continue;
        *last = at;
        return true;
    }
    return false;
}

static enum sampler_emulation resolved_class(const struct sampler_state *state, const struct resolve_caps *caps)
{
    if (asks(state, caps, false))
        return SAMPLER_EMULATED_ALWAYS;
    return asks(state, caps, true) ? SAMPLER_EMULATED_WITH_SOME_VIEWS : SAMPLER_EMULATED_NEVER;
}

static uint32_t seen[3], seen_alone[2];

static void compare(const uint8_t *value)
{
    struct sampler_state state;
    struct resolve_caps caps;
    struct resolve_result alone;
    make(value, &state, &caps);
    const enum sampler_emulation expected = resolved_class(&state, &caps),
                                 found = sampler_state_classify(&state, &caps);
    resolve_decide(&state, NULL, &caps, &alone);
    const bool native_alone = sampler_state_is_native_alone(&state, &caps);
    seen[found]++;
    seen_alone[native_alone]++;
    if (found == expected && native_alone == alone.program_suffices)
        return;
    for (uint32_t i = 0; i < COUNT; i++) {
        if (value[i])
            print_error("%s=%u ", names[i], value[i]);
    }
    fail_msg("is %d by rules and %d by resolve; alone %d and %d", found, expected, native_alone,
             alone.program_suffices);
}

/* ---- Tests ---- */

static uint32_t random_below(uint32_t most)
{
    static uint64_t random = 20251126;
    random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((random >> 33) % most);
}

/* `rare`: of so many parameters one is chosen at random; the others keep their first value. */
static void fill(uint8_t *value, uint32_t rare)
{
    for (uint32_t i = 0; i < COUNT; i++)
        value[i] = random_below(rare) ? 0 : (uint8_t)random_below(counts[i]);
}

static void test_pairs(void **unused)
{
    (void)unused;
    for (uint32_t first = 0; first < COUNT; first++)
        for (uint32_t second = first + 1; second < COUNT; second++)
            for (uint32_t values = 0; values < (uint32_t)counts[first] * counts[second]; values++)
                for (uint32_t gl = 0; gl < 2; gl++)
                    for (uint32_t way = 0; way < 2; way++) {
                        uint8_t value[COUNT] = {0};
                        if (way)
                            fill(value, 4);
                        value[GL] = (uint8_t)gl;
                        value[first] = (uint8_t)(values % counts[first]);
                        value[second] = (uint8_t)(values / counts[first]);
                        compare(value);
                    }
}

static void test_random(void **unused)
{
    (void)unused;
    memset(seen, 0, sizeof(seen));
    memset(seen_alone, 0, sizeof(seen_alone));
    for (uint32_t i = 0; i < 1000000; i++) {
        static const uint32_t rare[] = {1, 2, 4};
        uint8_t value[COUNT];
        fill(value, rare[i % 3]);
        value[GL] = i % 8 != 0; /* others are mostly native, which takes all views to find */
        compare(value);
    }
    for (int i = 0; i < 3; i++)
        assert_true(seen[i] > 10000);
    assert_true(seen_alone[0] > 10000 && seen_alone[1] > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, make_views, NULL);
}
