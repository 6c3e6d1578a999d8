/* SPDX-License-Identifier: MIT */
/*
 * The driver's sampler: plain create-infos come through unchanged, private address modes and GL state become something
 * that every device allows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "need/need.h"
#include "record/layout.h"
#include "resolve/pair.h"
#include "resolve/classify.h"
#include "resolve/resolve.h"
#include "resolve_pair.h"

#define GL_CLAMP_MODE VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER
#define GL_MIRROR_MODE VK_SAMPLER_ADDRESS_MODE_GL_MIRROR_CLAMP_CLAMPLER
#define GL_MIRROR_BORDER_MODE VK_SAMPLER_ADDRESS_MODE_GL_MIRROR_CLAMP_TO_BORDER_CLAMPLER

static const struct resolve_caps full = {.mirror_clamp_to_edge = true,
                                         .anisotropy = true,
                                         .custom_border_color = true,
                                         .custom_border_color_without_format = true,
                                         .non_seamless_cube = true,
                                         .sampler_filter_minmax = true,
                                         .max_lod_bias = 16.0f,
                                         .max_anisotropy = 16.0f};
static const struct resolve_caps least = {.max_lod_bias = 2.0f, .max_anisotropy = 1.0f};

static struct view_facts view_of(VkFormat format)
{
    const VkImageViewCreateInfo info = {
        .viewType = VK_IMAGE_VIEW_TYPE_2D, .format = format, .subresourceRange.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    struct view_facts view;
    view_facts_from_vk(&info, &view);
    view.width = view.height = 8;
    view.depth = 1;
    view.linear = view.minmax = !view.integer;
    return view;
}

/* A create-info in which every field has a value of its own, and those that do not count have the value they come back
 * with. */
static VkSamplerCreateInfo vk_sampler(void)
{
    return (VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                 .magFilter = VK_FILTER_LINEAR,
                                 .minFilter = VK_FILTER_NEAREST,
                                 .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
                                 .addressModeU = VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT,
                                 .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                 .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                 .mipLodBias = 0.3f, /* no multiple of 1/256 */
                                 .anisotropyEnable = VK_TRUE,
                                 .maxAnisotropy = 7.5f,
                                 .compareEnable = VK_TRUE,
                                 .compareOp = VK_COMPARE_OP_GREATER,
                                 .minLod = -2.5f,
                                 .maxLod = 12345.0f,
                                 .borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE};
}

static struct resolved pair_of_vk(const VkSamplerCreateInfo *info, const struct view_facts *view,
                                  const struct resolve_caps *caps)
{
    struct sampler_state state;
    struct resolved result;
    state_of_vk(info, &state);
    resolve_pair(&state, view, caps, &result);
    return result;
}

/* Field by field, but for pNext: the structure has padding. */
static void assert_same_info(const VkSamplerCreateInfo *a, const VkSamplerCreateInfo *b)
{
    assert_int_equal(a->sType, b->sType);
    assert_int_equal(a->flags, b->flags);
    assert_int_equal(a->magFilter, b->magFilter);
    assert_int_equal(a->minFilter, b->minFilter);
    assert_int_equal(a->mipmapMode, b->mipmapMode);
    assert_int_equal(a->addressModeU, b->addressModeU);
    assert_int_equal(a->addressModeV, b->addressModeV);
    assert_int_equal(a->addressModeW, b->addressModeW);
    assert_float_equal(a->mipLodBias, b->mipLodBias, 0.0f);
    assert_int_equal(a->anisotropyEnable, b->anisotropyEnable);
    assert_float_equal(a->maxAnisotropy, b->maxAnisotropy, 0.0f);
    assert_int_equal(a->compareEnable, b->compareEnable);
    assert_int_equal(a->compareOp, b->compareOp);
    assert_float_equal(a->minLod, b->minLod, 0.0f);
    assert_float_equal(a->maxLod, b->maxLod, 0.0f);
    assert_int_equal(a->borderColor, b->borderColor);
    assert_int_equal(a->unnormalizedCoordinates, b->unnormalizedCoordinates);
}

/* Comes out as it went in, whatever the device, and asks for nothing. */
static void assert_unchanged(const VkSamplerCreateInfo *info)
{
    struct resolved result = pair_of_vk(info, NULL, &least);
    static const struct record zero;
    assert_same_info(&result.driver.info, info);
    assert_null(result.driver.info.pNext);
    assert_memory_equal(&result.record, &zero, sizeof(zero));
    assert_int_equal(result.needs, 0);
    assert_int_equal(result.tier, 0);
    assert_string_equal(result.reason, "native");
    assert_false(resolve_has_private_modes(info));
}

static void plain_samplers_come_through_unchanged(void **unused)
{
    (void)unused;
    VkSamplerCreateInfo info = vk_sampler();
    assert_unchanged(&info);
    for (int mode = VK_SAMPLER_ADDRESS_MODE_REPEAT; mode <= VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE; mode++) {
        info.addressModeU = (VkSamplerAddressMode)mode;
        assert_unchanged(&info);
    }
    for (int color = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK; color <= VK_BORDER_COLOR_INT_OPAQUE_WHITE; color++) {
        info.borderColor = (VkBorderColor)color;
        /* Transparent black is the same colour for both kinds, but the kind is the program's to say. */
        assert_unchanged(&info);
    }
    info.magFilter = info.minFilter = VK_FILTER_CUBIC_EXT;
    info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST;
    assert_unchanged(&info);
    info.maxAnisotropy = 1.0f; /* enabled all the same */
    assert_unchanged(&info);
    info.flags = VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT;
    assert_unchanged(&info);
    VkSamplerCreateInfo rectangle = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                     .maxAnisotropy = 1.0f,
                                     .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                     .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                     .unnormalizedCoordinates = VK_TRUE};
    assert_unchanged(&rectangle);
}

static void chained_reduction_and_border_come_through(void **unused)
{
    (void)unused;
    VkSamplerCustomBorderColorCreateInfoEXT border = {.sType =
                                                          VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
                                                      .customBorderColor = {.uint32 = {3, 4, 5, 6}},
                                                      .format = VK_FORMAT_R8G8B8A8_UINT};
    VkSamplerReductionModeCreateInfo reduction = {.sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
                                                  .pNext = &border,
                                                  .reductionMode = VK_SAMPLER_REDUCTION_MODE_MAX};
    VkSamplerCreateInfo info = vk_sampler();
    info.pNext = &reduction;
    info.borderColor = VK_BORDER_COLOR_INT_CUSTOM_EXT;
    assert_unchanged(&info);
    struct resolved result = pair_of_vk(&info, NULL, &least);
    struct driver_sampler_chain chain;
    const VkSamplerCreateInfo *out = resolve_driver_info(&result.driver, &chain);
    const VkSamplerReductionModeCreateInfo *out_reduction = out->pNext;
    assert_int_equal(out_reduction->sType, VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO);
    assert_int_equal(out_reduction->reductionMode, VK_SAMPLER_REDUCTION_MODE_MAX);
    const VkSamplerCustomBorderColorCreateInfoEXT *out_border = out_reduction->pNext;
    assert_int_equal(out_border->sType, VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT);
    assert_int_equal(out_border->format, VK_FORMAT_R8G8B8A8_UINT);
    assert_memory_equal(&out_border->customBorderColor, &border.customBorderColor, sizeof(border.customBorderColor));
    assert_null(out_border->pNext);

    /* A border that cannot be read is no border: the state is that of the sampler without the chain. */
    info.addressModeV = VK_SAMPLER_ADDRESS_MODE_REPEAT;
    VkSamplerCreateInfo bare = info;
    bare.borderColor = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
    reduction.pNext = NULL;
    bare.pNext = &reduction;
    struct sampler_state a, b;
    reduction.pNext = &border;
    state_of_vk(&info, &a);
    reduction.pNext = NULL;
    state_of_vk(&bare, &b);
    assert_memory_equal(&a, &b, sizeof(a));
    assert_false(pair_of_vk(&info, NULL, &full).driver.custom_border);
}

static void a_driver_sampler_without_extras_has_no_chain(void **unused)
{
    (void)unused;
    VkSamplerCreateInfo info = vk_sampler();
    struct resolved result = pair_of_vk(&info, NULL, &full);
    struct driver_sampler_chain chain;
    memset(&chain, 0xAA, sizeof(chain));
    const VkSamplerCreateInfo *out = resolve_driver_info(&result.driver, &chain);
    assert_ptr_equal(out, &chain.info);
    assert_null(out->pNext);
}

static void private_modes_become_modes_of_the_driver(void **unused)
{
    (void)unused;
    static const struct {
        VkSamplerAddressMode mode;
        VkFilter filter;
        bool mirror;
        VkSamplerAddressMode driver;
        uint32_t bits;
    } rows[] = {
        {GL_CLAMP_MODE, VK_FILTER_NEAREST, false, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, 0},
        {GL_CLAMP_MODE, VK_FILTER_LINEAR, false, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, RECORD_COORDS},
        {GL_CLAMP_MODE, VK_FILTER_CUBIC_EXT, false, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, RECORD_COORDS},
        {GL_MIRROR_MODE, VK_FILTER_NEAREST, true, VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE, 0},
        {GL_MIRROR_MODE, VK_FILTER_NEAREST, false, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, RECORD_COORDS},
        {GL_MIRROR_MODE, VK_FILTER_LINEAR, true, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, RECORD_COORDS},
        {GL_MIRROR_BORDER_MODE, VK_FILTER_NEAREST, true, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, RECORD_COORDS},
        {GL_MIRROR_BORDER_MODE, VK_FILTER_LINEAR, true, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, RECORD_COORDS},
    };
    struct view_facts view = view_of(VK_FORMAT_R8G8B8A8_UNORM);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct resolve_caps caps = full;
        caps.mirror_clamp_to_edge = rows[i].mirror;
        VkSamplerCreateInfo info = vk_sampler();
        info.addressModeU = rows[i].mode;
        info.magFilter = info.minFilter = rows[i].filter;
        assert_true(resolve_has_private_modes(&info));
        struct resolved result = pair_of_vk(&info, &view, &caps);
        VkSamplerCreateInfo expected = info;
        expected.addressModeU = rows[i].driver;
        assert_same_info(&result.driver.info, &expected); /* all else is kept */
        assert_int_equal(result.record.flags & (RECORD_COORDS | RECORD_FILTER), rows[i].bits);
    }
    VkSamplerCreateInfo info = vk_sampler();
    info.addressModeV = GL_CLAMP_MODE;
    assert_true(resolve_has_private_modes(&info));
    info.addressModeV = VK_SAMPLER_ADDRESS_MODE_REPEAT;
    info.addressModeW = GL_MIRROR_BORDER_MODE;
    assert_true(resolve_has_private_modes(&info));
}

static void a_private_mode_takes_the_samplers_own_border(void **unused)
{
    (void)unused;
    VkSamplerCreateInfo info = vk_sampler();
    info.addressModeU = GL_CLAMP_MODE;
    info.minFilter = VK_FILTER_LINEAR;
    struct resolved result = pair_of_vk(&info, NULL, &full);
    static const float white[4] = {1, 1, 1, 1};
    assert_memory_equal(result.record.border, white, sizeof(white));
    info.borderColor = VK_BORDER_COLOR_INT_OPAQUE_BLACK;
    result = pair_of_vk(&info, NULL, &full);
    static const uint32_t black[4] = {0, 0, 0, 1};
    assert_memory_equal(result.record.border, black, sizeof(black));
}

static bool has_custom_color(const VkSamplerCreateInfo *info, const struct view_facts *view,
                             const struct resolve_caps *caps)
{
    const struct resolved result = pair_of_vk(info, view, caps);
    const VkBorderColor color = result.driver.info.borderColor;
    assert_int_equal(result.driver.custom_border,
                     color == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT || color == VK_BORDER_COLOR_INT_CUSTOM_EXT);
    if (view) /* else it is the shader's to show it */
        assert_int_equal(result.tier == 2, !result.driver.custom_border);
    return result.driver.custom_border;
}

/* As for GL state: the program's own sampler has none, and where a pair can have none the shader places it. */
static void custom_colors_of_private_modes_are_few(void **unused)
{
    (void)unused;
    const VkSamplerCustomBorderColorCreateInfoEXT border = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
        .customBorderColor = {.float32 = {0.25f, 0.5f, 0.75f, 1}},
        .format = VK_FORMAT_R8G8B8A8_UNORM};
    const struct view_facts view = view_of(VK_FORMAT_R8G8B8A8_UNORM);
    struct resolve_caps full_up = full, by_setting = full;
    full_up.custom_border_color = false;
    full_up.border_full = true;
    by_setting.border_in_shader = true;
    VkSamplerCreateInfo info = vk_sampler();
    info.pNext = &border;
    info.borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
    info.addressModeU = info.addressModeV = info.addressModeW = GL_CLAMP_MODE;
    info.minFilter = info.magFilter = VK_FILTER_LINEAR;
    info.compareEnable = info.anisotropyEnable = VK_FALSE;
    assert_true(has_custom_color(&info, &view, &full));
    assert_false(has_custom_color(&info, &view, &full_up));
    assert_false(has_custom_color(&info, &view, &by_setting));
    struct sampler_state state;
    struct driver_sampler own;
    state_of_vk(&info, &state);
    resolve_program_sampler(&state, &full, &own);
    assert_false(own.custom_border);
    assert_true(own.info.borderColor <= VK_BORDER_COLOR_INT_OPAQUE_WHITE);
    assert_memory_equal(pair_of_vk(&info, &view, &full_up).record.border, &border.customBorderColor, 16);

    /* Vulkan's own modes: what the program asked for itself, but for samplers that the layer makes. */
    info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    state_of_vk(&info, &state);
    resolve_program_sampler(&state, &by_setting, &own);
    assert_true(own.custom_border);
    assert_true(has_custom_color(&info, &view, &by_setting));
    assert_false(has_custom_color(&info, &view, &full_up));
}

/* What the program names of its border's mapping reaches every sampler that the driver gets in its place. */
static void a_border_mapping_is_that_of_the_view_that_is_bound(void **unused)
{
    (void)unused;
    const VkComponentMapping swapped = {VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_R,
                                        VK_COMPONENT_SWIZZLE_ONE};
    const VkComponentMapping as_named = {VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_IDENTITY, VK_COMPONENT_SWIZZLE_R,
                                         VK_COMPONENT_SWIZZLE_ONE};
    const VkSamplerBorderColorComponentMappingCreateInfoEXT named = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT,
        .components = as_named,
        .srgb = VK_TRUE};
    struct resolve_caps caps = full;
    caps.border_swizzle = true;
    caps.vk_fallback = caps.gl_fallback = RESOLVE_FALLBACK_NEAREST;
    for (int private_mode = 0; private_mode < 2; private_mode++) {
        VkImageViewCreateInfo shown = {.viewType = VK_IMAGE_VIEW_TYPE_2D,
                                       .format = VK_FORMAT_R8G8B8A8_SRGB,
                                       .components = swapped,
                                       .subresourceRange.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
        VkSamplerCreateInfo info = vk_sampler();
        struct view_facts view;
        view_facts_from_vk(&shown, &view);
        view.width = view.height = 8;
        view.linear = false;
        info.pNext = &named;
        info.compareEnable = info.anisotropyEnable = VK_FALSE;
        info.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK;
        info.addressModeU = info.addressModeV = info.addressModeW =
            private_mode ? GL_MIRROR_BORDER_MODE : VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
        struct resolved result = pair_of_vk(&info, &view, &caps);
        assert_false(result.program_suffices); /* nearest */
        assert_true(result.driver.border_mapping && result.driver.border_srgb);
        assert_memory_equal(&result.driver.mapping, &swapped, sizeof(swapped));
        struct driver_sampler_chain chain;
        const VkSamplerBorderColorComponentMappingCreateInfoEXT *out =
            resolve_driver_info(&result.driver, &chain)->pNext;
        assert_int_equal(out->sType, named.sType);
        assert_true(out->srgb);

        /* Where nothing else differs the program's own serves: both say the same. */
        view.linear = true;
        assert_int_equal(pair_of_vk(&info, &view, &caps).program_suffices, true);

        /* A view with another mapping below than the program's components: GL state, or none for comparisons. */
        shown.components.a = VK_COMPONENT_SWIZZLE_ZERO;
        view_facts_from_vk(&shown, &view);
        view.linear = true;
        result = pair_of_vk(&info, &view, &caps);
        assert_memory_equal(&result.driver.mapping, &shown.components, sizeof(swapped));
        shown.format = VK_FORMAT_D32_SFLOAT;
        shown.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
        view_facts_from_vk(&shown, &view);
        view.linear = true;
        info.compareEnable = VK_TRUE;
        result = pair_of_vk(&info, &view, &caps);
        assert_int_equal(result.view, RESOLVE_VIEW_UNMAPPED);
        assert_false(result.driver.border_mapping);
    }
}

/* VUID-VkSamplerCreateInfo-unnormalizedCoordinates-01074. */
static void texel_coordinates_only_clamp(void **unused)
{
    (void)unused;
    static const struct {
        VkSamplerAddressMode u, v;
        VkFilter filter;
        VkSamplerAddressMode driver_u, driver_v;
        bool coords, says_so;
    } rows[] = {
        {GL_CLAMP_MODE, GL_CLAMP_MODE, VK_FILTER_LINEAR, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
         VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, true, false},
        {GL_CLAMP_MODE, GL_CLAMP_MODE, VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
         VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, false, false},
        {GL_MIRROR_MODE, GL_CLAMP_MODE, VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
         VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, true, true},
        {GL_MIRROR_MODE, GL_CLAMP_MODE, VK_FILTER_LINEAR, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
         VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, true, true},
        {GL_CLAMP_MODE, VK_SAMPLER_ADDRESS_MODE_REPEAT, VK_FILTER_LINEAR, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
         VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, true, true},
        {VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE, GL_CLAMP_MODE, VK_FILTER_NEAREST,
         VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, true, true},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                    .magFilter = rows[i].filter,
                                    .minFilter = rows[i].filter,
                                    .addressModeU = rows[i].u,
                                    .addressModeV = rows[i].v,
                                    .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                    .unnormalizedCoordinates = VK_TRUE};
        struct resolved result = pair_of_vk(&info, NULL, &full);
        assert_int_equal(result.driver.info.addressModeU, rows[i].driver_u);
        assert_int_equal(result.driver.info.addressModeV, rows[i].driver_v);
        assert_int_equal(result.driver.info.unnormalizedCoordinates, VK_TRUE);
        assert_int_equal((result.record.flags & RECORD_COORDS) != 0, rows[i].coords);
        assert_int_not_equal(result.record.flags & RECORD_UNNORMALIZED, 0);
        /* One level, whatever the view has. */
        assert_int_equal(result.needs & ~(uint32_t)(RECORD_NEED_FILTER_IF_GATHER | RECORD_NEED_LINEAR),
                         rows[i].coords ? RECORD_NEED_COORDS : 0);
        assert_int_equal(strstr(result.reason, "unnormalised") != NULL, rows[i].says_so);
    }
}

/* A moved coordinate needs the gradients that it is looked up with. */
static void anisotropy_yields_where_the_driver_ignores_gradients(void **unused)
{
    (void)unused;
    struct resolve_caps caps = full;
    caps.anisotropy_ignores_gradients = true;
    for (int moves = 0; moves < 2; moves++) {
        VkSamplerGLStateCreateInfoCLAMPLER gl = {.wrapS = moves ? TOKEN_CLAMP : TOKEN_REPEAT,
                                                 .minFilter = TOKEN_LINEAR_MIPMAP_LINEAR,
                                                 .magFilter = TOKEN_LINEAR,
                                                 .maxLod = 1000.0f,
                                                 .maxAnisotropy = 8.0f};
        struct sampler_state state;
        const char *why = NULL;
        struct resolved result;
        assert_true(resolve_gl_state(&gl, 0, &caps, &state, &why));
        resolve_pair(&state, NULL, &caps, &result);
        assert_int_equal(result.driver.info.anisotropyEnable, !moves);
        assert_int_equal(strstr(result.reason, "isotropic") != NULL, moves);
        resolve_pair(&state, NULL, &full, &result);
        assert_int_equal(result.driver.info.anisotropyEnable, VK_TRUE);
    }
}

static struct sampler_state anisotropic(uint32_t min, uint32_t mag, float asked, const struct resolve_caps *caps)
{
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.wrapS = TOKEN_CLAMP_TO_BORDER,
                                                   .wrapT = TOKEN_CLAMP_TO_BORDER,
                                                   .minFilter = min,
                                                   .magFilter = mag,
                                                   .maxLod = 1000.0f,
                                                   .maxAnisotropy = asked,
                                                   .borderColor = {.float32 = {0, 0.37f, 0, 0}}};
    struct sampler_state state;
    const char *why = NULL;
    assert_true(resolve_gl_state(&gl, 0, caps, &state, &why));
    return state;
}

/* Tier 2 names levels, and drivers may be anisotropic whatever level is named. */
static void samplers_that_are_filtered_have_no_anisotropy(void **unused)
{
    (void)unused;
    struct resolve_caps caps = full;
    struct resolved result;
    const struct view_facts view = view_of(VK_FORMAT_R8G8B8A8_UNORM);
    caps.custom_border_color = false;
    for (int linear = 0; linear < 2; linear++) {
        const struct sampler_state state =
            anisotropic(linear ? TOKEN_LINEAR_MIPMAP_LINEAR : TOKEN_NEAREST_MIPMAP_NEAREST,
                        linear ? TOKEN_LINEAR : TOKEN_NEAREST, 8.0f, &caps);
        for (int alone = 0; alone < 2; alone++) {
            resolve_pair(&state, alone ? NULL : &view, &caps, &result);
            assert_true(result.record.flags & RECORD_FILTER);
            assert_int_equal(result.driver.info.anisotropyEnable, VK_FALSE);
        }
    }
}

/* As many probes as the sampler allows, at most 16; none of nearest filters, and none where a setting says so. */
static void anisotropic_samplers_have_probes_in_tier_2(void **unused)
{
    (void)unused;
    const struct {
        uint32_t min, mag;
        float asked;
        bool trilinear;
        uint32_t probes;
    } rows[] = {
        {TOKEN_LINEAR_MIPMAP_LINEAR, TOKEN_LINEAR, 8, false, 8},
        {TOKEN_LINEAR_MIPMAP_LINEAR, TOKEN_NEAREST, 16, false, 16},
        {TOKEN_LINEAR_MIPMAP_NEAREST, TOKEN_LINEAR, 2.5f, false, 2},
        {TOKEN_LINEAR, TOKEN_LINEAR, 100, false, 16},
        {TOKEN_LINEAR_MIPMAP_LINEAR, TOKEN_LINEAR, 1.5f, false, 1},
        {TOKEN_LINEAR_MIPMAP_LINEAR, TOKEN_LINEAR, 1, false, 1},
        {TOKEN_NEAREST_MIPMAP_NEAREST, TOKEN_LINEAR, 8, false, 1},
        {TOKEN_LINEAR_MIPMAP_LINEAR, TOKEN_LINEAR, 8, true, 1},
    };
    struct resolve_caps caps = full;
    const struct view_facts view = view_of(VK_FORMAT_R8G8B8A8_UNORM);
    caps.custom_border_color = false;
    caps.max_anisotropy = 64;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        caps.trilinear = rows[i].trilinear;
        const struct sampler_state state = anisotropic(rows[i].min, rows[i].mag, rows[i].asked, &caps);
        for (int alone = 0; alone < 2; alone++) {
            struct resolved result;
            resolve_pair(&state, alone ? NULL : &view, &caps, &result);
            assert_true(result.record.flags & RECORD_FILTER);
            assert_int_equal((result.record.more >> RECORD_MORE_PROBES_SHIFT & RECORD_MORE_PROBES_MASK) + 1,
                             rows[i].probes);
            assert_int_equal((result.needs & RECORD_NEED_PROBES) != 0, rows[i].probes > 1);
            assert_int_equal(result.driver.info.anisotropyEnable, VK_FALSE);
        }
    }
}

/* Where the layer offers anisotropy, nearest minification to levels has probes beside linear magnification. */
static void offered_anisotropy_has_probes_of_nearest_minification(void **unused)
{
    (void)unused;
    const struct {
        VkFilter min, mag;
        float most_lod;
        bool offered;
        uint32_t probes;
    } rows[] = {
        {VK_FILTER_NEAREST, VK_FILTER_LINEAR, 7, true, 8},     {VK_FILTER_NEAREST, VK_FILTER_NEAREST, 7, true, 1},
        {VK_FILTER_NEAREST, VK_FILTER_LINEAR, 0.25f, true, 1}, {VK_FILTER_LINEAR, VK_FILTER_NEAREST, 0.25f, true, 8},
        {VK_FILTER_NEAREST, VK_FILTER_LINEAR, 7, false, 1},
    };
    const struct view_facts view = view_of(VK_FORMAT_R8G8B8A8_UNORM);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct resolve_caps caps = full;
        struct sampler_state state;
        struct resolved result;
        const VkSamplerCreateInfo info = {.minFilter = rows[i].min,
                                          .magFilter = rows[i].mag,
                                          .anisotropyEnable = VK_TRUE,
                                          .maxAnisotropy = 8,
                                          .maxLod = rows[i].most_lod};
        caps.offered = rows[i].offered ? RESOLVE_OFFER_ANISOTROPY : 0;
        resolve_vk_state(&info, &(struct sampler_chain){.others = false}, &state);
        resolve_pair(&state, &view, &caps, &result);
        assert_int_equal((result.record.more >> RECORD_MORE_PROBES_SHIFT & RECORD_MORE_PROBES_MASK) + 1,
                         rows[i].probes);
        assert_int_equal((result.needs & RECORD_NEED_PROBES) != 0, rows[i].probes > 1);
        assert_int_equal((result.record.flags & RECORD_FILTER) != 0, rows[i].probes > 1);
    }
}

/* Where the driver's sampler filters otherwise, the shader takes texels. */
static void texels_are_taken_where_the_driver_filters_otherwise(void **unused)
{
    (void)unused;
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {
        .wrapS = TOKEN_CLAMP, .minFilter = TOKEN_LINEAR, .magFilter = TOKEN_NEAREST, .maxLod = 1000.0f};
    const VkSamplerCreateInfo cubic = {.magFilter = VK_FILTER_CUBIC_EXT,
                                       .minFilter = VK_FILTER_NEAREST,
                                       .addressModeU = VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER};
    for (enum resolve_fallback fallback = RESOLVE_FALLBACK_OFF; fallback <= RESOLVE_FALLBACK_SHADER; fallback++) {
        struct resolve_caps caps = full;
        struct view_facts view = view_of(VK_FORMAT_R32G32B32A32_SFLOAT);
        struct sampler_state state;
        struct record image;
        struct resolved result;
        const char *why = NULL;
        caps.gl_fallback = caps.vk_fallback = (uint8_t)fallback;
        assert_true(resolve_gl_state(&gl, 0, &caps, &state, &why));
        for (int linear = 0; linear < 2; linear++) {
            view.linear = linear;
            resolve_pair(&state, &view, &caps, &result);
            const bool filters = result.record.flags & RECORD_FILTER;
            assert_int_equal(filters, linear || fallback != RESOLVE_FALLBACK_NEAREST);
            assert_int_equal(result.needs & RECORD_NEED_TEXELS ? 1 : 0, filters && !linear);
            const uint32_t needs = resolve_image_record(&view, &caps, &image);
            assert_int_equal((needs & (RECORD_NEED_TEXELS | RECORD_NEED_UNFILTERABLE)) != 0, !linear);
        }
        view.linear = true;
        state_of_vk(&cubic, &state);
        resolve_pair(&state, &view, &caps, &result);
        assert_true(result.record.flags & RECORD_FILTER);
        assert_true(result.needs & RECORD_NEED_TEXELS);
    }
}

/* Only the shader has them, but for what has no cubic filter. */
static void cubic_filters_are_the_shaders(void **unused)
{
    (void)unused;
    const uint32_t mag = RECORD_MORE_CUBIC_MAG, min = RECORD_MORE_CUBIC_MIN;
    const struct {
        uint32_t min_filter, mag_filter, compare, reduction;
        VkImageViewType type;
        uint32_t bits; /* 0: not cubic */
    } rows[] = {{TOKEN_CUBIC_IMG, TOKEN_CUBIC_IMG, 0, 0, VK_IMAGE_VIEW_TYPE_2D, mag | min},
                {TOKEN_LINEAR, TOKEN_CUBIC_IMG, 0, 0, VK_IMAGE_VIEW_TYPE_3D, mag},
                {TOKEN_CUBIC_MIPMAP_LINEAR_IMG, TOKEN_NEAREST, 0, 0, VK_IMAGE_VIEW_TYPE_2D_ARRAY, min},
                {TOKEN_CUBIC_IMG, TOKEN_CUBIC_IMG, 0, 0, VK_IMAGE_VIEW_TYPE_CUBE, 0},
                {TOKEN_CUBIC_IMG, TOKEN_CUBIC_IMG, TOKEN_COMPARE_REF_TO_TEXTURE, 0, VK_IMAGE_VIEW_TYPE_2D, 0},
                {TOKEN_CUBIC_IMG, TOKEN_CUBIC_IMG, 0, TOKEN_MIN, VK_IMAGE_VIEW_TYPE_2D, mag | min},
                {TOKEN_NEAREST, TOKEN_CUBIC_IMG, 0, TOKEN_MAX, VK_IMAGE_VIEW_TYPE_2D, mag}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const VkSamplerGLStateCreateInfoCLAMPLER gl = {.minFilter = rows[i].min_filter,
                                                       .magFilter = rows[i].mag_filter,
                                                       .maxLod = 1000.0f,
                                                       .cubeMapSeamless = VK_TRUE,
                                                       .maxAnisotropy = 8.0f,
                                                       .compareMode = rows[i].compare,
                                                       .reductionMode = rows[i].reduction};
        struct view_facts view = view_of(rows[i].compare ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_R8G8B8A8_UNORM);
        struct sampler_state state;
        struct resolved result;
        const char *why = NULL;
        view.type = (uint8_t)rows[i].type;
        assert_true(resolve_gl_state(&gl, 0, &full, &state, &why));
        resolve_pair(&state, &view, &full, &result);
        const uint32_t mode = result.record.more >> RECORD_MORE_REDUCTION_SHIFT & RECORD_MORE_REDUCTION_MASK;
        assert_int_equal(mode == RECORD_MORE_REDUCTION_CUBIC, rows[i].bits != 0);
        assert_int_not_equal(result.driver.info.magFilter, VK_FILTER_CUBIC_EXT);
        assert_int_not_equal(result.driver.info.minFilter, VK_FILTER_CUBIC_EXT);
        if (!rows[i].bits)
            continue;
        const uint32_t reduction =
            result.record.more >> RECORD_MORE_CUBIC_REDUCTION_SHIFT & RECORD_MORE_CUBIC_REDUCTION_MASK;
        assert_int_equal(reduction, state.reduction);
        assert_int_equal(result.driver.reduction, VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE);
        assert_int_equal(result.record.more & (mag | min), rows[i].bits);
        assert_true(result.record.flags & RECORD_FILTER);
        assert_int_equal(needs_tier(result.needs), TIER_FILTER_EXTRAS);
        assert_false(result.driver.info.anisotropyEnable);
        assert_int_equal(sampler_state_classify(&state, &full), SAMPLER_EMULATED_ALWAYS);
    }
}

/*
 * A sampler of Vulkan alone: a driver's own filter is left to it, with weights and range clamp, alone and beside views
 * that require emulation; one that is offered is the shader's and never the driver's.
 */
static void cubic_filters_of_vulkan_are_native_or_offered(void **unused)
{
    (void)unused;
    static const VkSamplerReductionMode modes[] = {VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE,
                                                   VK_SAMPLER_REDUCTION_MODE_MIN, VK_SAMPLER_REDUCTION_MODE_MAX,
                                                   VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE_RANGECLAMP_QCOM};
    for (uint32_t i = 0; i < 2 * 4 * 4 * 2; i++) {
        const bool offered = i % 2, alone = i / 32;
        const VkSamplerCubicWeightsCreateInfoQCOM weights = {
            .sType = VK_STRUCTURE_TYPE_SAMPLER_CUBIC_WEIGHTS_CREATE_INFO_QCOM,
            .cubicWeights = (VkCubicFilterWeightsQCOM)(i / 2 % 4)};
        const VkSamplerReductionModeCreateInfo reduction = {.sType =
                                                                VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
                                                            .pNext = &weights,
                                                            .reductionMode = modes[i / 8 % 4]};
        const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                          .pNext = &reduction,
                                          .magFilter = VK_FILTER_CUBIC_EXT,
                                          .minFilter = VK_FILTER_CUBIC_EXT,
                                          .maxLod = 4.0f};
        struct resolve_caps caps = full;
        struct view_facts view = view_of(VK_FORMAT_R8G8B8A8_UNORM);
        struct sampler_chain chain;
        struct sampler_state state;
        struct resolved result;
        struct driver_sampler_chain made;
        caps.offered = offered ? RESOLVE_OFFER_CUBIC : 0;
        resolve_chain(info.pNext, &chain);
        assert_false(chain.others);
        resolve_vk_state(&info, &chain, &state);
        resolve_pair(&state, alone ? NULL : &view, &caps, &result);
        assert_int_equal(resolve_is_emulated(&state, &caps), offered);
        const VkSamplerCreateInfo *driver = resolve_driver_info(&result.driver, &made);
        const uint32_t more = result.record.more;
        if (!offered) {
            assert_int_equal(result.needs, 0);
            assert_int_equal(driver->magFilter, VK_FILTER_CUBIC_EXT);
            assert_int_equal(driver->minFilter, VK_FILTER_CUBIC_EXT);
            assert_int_equal(result.driver.reduction, reduction.reductionMode);
            assert_int_equal(result.driver.cubic_weights, weights.cubicWeights);
            const VkBaseInStructure *last = driver->pNext;
            while (last && last->pNext)
                last = last->pNext;
            assert_true(!weights.cubicWeights || (last && last->sType == weights.sType));
            continue;
        }
        const bool average = i / 8 % 4 % 3 == 0; /* no range is clamped */
        assert_int_equal(driver->magFilter, VK_FILTER_LINEAR);
        assert_int_equal(driver->minFilter, VK_FILTER_LINEAR);
        assert_null(driver->pNext);
        assert_int_equal(needs_tier(result.needs), TIER_FILTER_EXTRAS);
        assert_int_equal(more >> RECORD_MORE_REDUCTION_SHIFT & RECORD_MORE_REDUCTION_MASK, RECORD_MORE_REDUCTION_CUBIC);
        assert_int_equal(more >> RECORD_MORE_CUBIC_WEIGHTS_SHIFT & RECORD_MORE_CUBIC_WEIGHTS_MASK, i / 2 % 4);
        assert_int_equal(more >> RECORD_MORE_CUBIC_REDUCTION_SHIFT & RECORD_MORE_CUBIC_REDUCTION_MASK,
                         average ? 0 : reduction.reductionMode);
    }
}

/* Comparisons under linear filters need no linear feature of the format: the driver's are used. */
static void comparisons_are_filtered_by_the_driver_without_the_feature(void **unused)
{
    (void)unused;
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.wrapS = TOKEN_CLAMP,
                                                   .minFilter = TOKEN_LINEAR,
                                                   .magFilter = TOKEN_NEAREST,
                                                   .maxLod = 1000.0f,
                                                   .compareMode = TOKEN_COMPARE_REF_TO_TEXTURE,
                                                   .compareFunc = TOKEN_NEVER + VK_COMPARE_OP_LESS};
    for (enum resolve_fallback fallback = RESOLVE_FALLBACK_OFF; fallback <= RESOLVE_FALLBACK_SHADER; fallback++) {
        struct resolve_caps caps = full;
        struct view_facts view = view_of(VK_FORMAT_D16_UNORM);
        struct sampler_state state;
        struct resolved result;
        const char *why = NULL;
        caps.gl_fallback = caps.vk_fallback = (uint8_t)fallback;
        view.linear = false;
        assert_true(resolve_gl_state(&gl, 0, &caps, &state, &why));
        resolve_pair(&state, &view, &caps, &result);
        assert_true(result.record.flags & RECORD_FILTER);
        assert_false(result.needs & RECORD_NEED_TEXELS);
        assert_int_equal(result.driver.info.minFilter, VK_FILTER_LINEAR);
    }
}

/* GL border colours: CLAMP_TO_BORDER, so that the driver needs one. */
static void borders_take_a_standard_colour_where_one_matches(void **unused)
{
    (void)unused;
    static const struct {
        bool integer_view;
        VkClearColorValue color;
        VkBorderColor driver;
    } rows[] = {
        {false, {.float32 = {0, 0, 0, 0}}, VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK},
        {false, {.float32 = {-0.0f, 0, 0, -0.0f}}, VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK},
        {false, {.float32 = {0, 0, 0, 1}}, VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK},
        {false, {.float32 = {1, 1, 1, 1}}, VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE},
        {false, {.float32 = {1, 1, 1, 0}}, VK_BORDER_COLOR_FLOAT_CUSTOM_EXT},
        {false, {.float32 = {1, 0, 0, 1}}, VK_BORDER_COLOR_FLOAT_CUSTOM_EXT},
        {false, {.float32 = {0, 1, 1, 1}}, VK_BORDER_COLOR_FLOAT_CUSTOM_EXT},
        {false, {.float32 = {1, 1, 0, 1}}, VK_BORDER_COLOR_FLOAT_CUSTOM_EXT},
        {false, {.float32 = {0.5f, 0.5f, 0.5f, 1}}, VK_BORDER_COLOR_FLOAT_CUSTOM_EXT},
        {false, {.float32 = {1, 1, 1, 0.5f}}, VK_BORDER_COLOR_FLOAT_CUSTOM_EXT},
        {false, {.uint32 = {1, 1, 1, 1}}, VK_BORDER_COLOR_FLOAT_CUSTOM_EXT}, /* integers under a float view */
        {true, {.uint32 = {0, 0, 0, 0}}, VK_BORDER_COLOR_INT_TRANSPARENT_BLACK},
        {true, {.uint32 = {0, 0, 0, 1}}, VK_BORDER_COLOR_INT_OPAQUE_BLACK},
        {true, {.uint32 = {1, 1, 1, 1}}, VK_BORDER_COLOR_INT_OPAQUE_WHITE},
        {true, {.uint32 = {7, 1, 1, 1}}, VK_BORDER_COLOR_INT_CUSTOM_EXT},
        {true, {.float32 = {1, 1, 1, 1}}, VK_BORDER_COLOR_INT_CUSTOM_EXT}, /* floats under an integer view */
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct view_facts view = view_of(rows[i].integer_view ? VK_FORMAT_R32G32B32A32_UINT : VK_FORMAT_R8G8B8A8_SNORM);
        VkSamplerGLStateCreateInfoCLAMPLER gl = {
            .wrapS = TOKEN_CLAMP_TO_BORDER, .maxLod = 1000, .borderColor = rows[i].color};
        struct sampler_state state;
        const char *why;
        struct resolved result;
        assert_true(resolve_gl_state(&gl, 0, &full, &state, &why));
        assert_memory_equal(state.border, &rows[i].color, sizeof(state.border));
        resolve_pair(&state, &view, &full, &result);
        bool custom =
            rows[i].driver == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT || rows[i].driver == VK_BORDER_COLOR_INT_CUSTOM_EXT;
        assert_int_equal(result.driver.info.borderColor, rows[i].driver);
        assert_int_equal(result.driver.custom_border, custom);
        if (custom) {
            assert_memory_equal(&result.driver.border, &rows[i].color, sizeof(rows[i].color));
            assert_int_equal(result.driver.border_format, VK_FORMAT_UNDEFINED);
        }
    }
}

static struct resolved red_border(const struct resolve_caps *caps, VkFormat format, uint32_t wrap)
{
    VkSamplerGLStateCreateInfoCLAMPLER gl = {.wrapS = wrap,
                                             .maxLod = 1000,
                                             .magFilter = TOKEN_NEAREST,
                                             .minFilter = TOKEN_NEAREST,
                                             .borderColor = {.float32 = {1, 0, 0, 1}}};
    struct view_facts view = view_of(format);
    struct sampler_state state;
    const char *why;
    struct resolved result;
    assert_true(resolve_gl_state(&gl, 0, caps, &state, &why));
    resolve_pair(&state, format ? &view : NULL, caps, &result);
    return result;
}

static void custom_borders_obey_the_device(void **unused)
{
    (void)unused;
    static const VkFormat rgba8 = VK_FORMAT_R8G8B8A8_UNORM, packed = VK_FORMAT_B5G6R5_UNORM_PACK16;
    struct resolve_caps named = full;
    named.custom_border_color_without_format = false;
    /* Without the feature the format has to be given; some formats always. */
    assert_int_equal(red_border(&full, rgba8, TOKEN_CLAMP_TO_BORDER).driver.border_format, VK_FORMAT_UNDEFINED);
    assert_int_equal(red_border(&full, packed, TOKEN_CLAMP_TO_BORDER).driver.border_format, packed);
    assert_int_equal(red_border(&full, VK_FORMAT_B4G4R4A4_UNORM_PACK16, TOKEN_CLAMP_TO_BORDER).driver.border_format,
                     VK_FORMAT_B4G4R4A4_UNORM_PACK16);
    assert_int_equal(red_border(&full, VK_FORMAT_B5G5R5A1_UNORM_PACK16, TOKEN_CLAMP_TO_BORDER).driver.border_format,
                     VK_FORMAT_B5G5R5A1_UNORM_PACK16);
    assert_int_equal(red_border(&named, rgba8, TOKEN_CLAMP_TO_BORDER).driver.border_format, rgba8);
    assert_true(red_border(&full, 0, TOKEN_CLAMP_TO_BORDER).driver.custom_border);
    /* No format is known for a separate sampler, no custom colour at all on the least device. */
    struct resolved unnamed = red_border(&named, 0, TOKEN_CLAMP_TO_BORDER),
                    none = red_border(&least, rgba8, TOKEN_CLAMP_TO_BORDER);
    assert_false(unnamed.driver.custom_border);
    assert_non_null(strstr(unnamed.reason, "the shader places it"));
    assert_false(none.driver.custom_border);
    assert_int_equal(none.driver.info.borderColor, VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK);
    assert_non_null(strstr(none.reason, "the shader places it"));
    assert_int_equal(none.tier, 2);
    /* CLAMP with nearest filters is CLAMP_TO_EDGE below, which reads no border. */
    struct resolved edge = red_border(&full, rgba8, TOKEN_CLAMP);
    assert_false(edge.driver.custom_border);
    assert_int_equal(edge.driver.info.borderColor, VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK);
}

/* Alpha first, then brightness, as far as the six standard colours go. */
static void without_custom_colours_the_shader_places_the_border(void **unused)
{
    (void)unused;
    static const struct {
        bool integer_view;
        VkClearColorValue color;
        VkBorderColor driver;
    } rows[] = {
        {false, {.float32 = {1, 1, 1, .25f}}, VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK},
        {false, {.float32 = {-5, -5, -5, .1f}}, VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK},
        {false, {.float32 = {.2f, .2f, .2f, 1}}, VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK},
        {false, {.float32 = {9, 0, 0, 1}}, VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK},
        {false, {.float32 = {1, 1, 0, 1}}, VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE},
        {false, {.float32 = {.6f, .6f, .6f, .6f}}, VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE},
        {true, {.uint32 = {1, 0, 0, 0}}, VK_BORDER_COLOR_INT_TRANSPARENT_BLACK},
        {true, {.uint32 = {9, 0, 0, 1}}, VK_BORDER_COLOR_INT_OPAQUE_BLACK},
        {true, {.uint32 = {9, 9, 0, 255}}, VK_BORDER_COLOR_INT_OPAQUE_WHITE},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct view_facts view = view_of(rows[i].integer_view ? VK_FORMAT_R8G8B8A8_UINT : VK_FORMAT_R8G8B8A8_UNORM);
        VkSamplerGLStateCreateInfoCLAMPLER gl = {
            .wrapS = TOKEN_CLAMP_TO_BORDER, .maxLod = 1000, .borderColor = rows[i].color};
        struct sampler_state state;
        const char *why;
        struct resolved result;
        assert_true(resolve_gl_state(&gl, 0, &least, &state, &why));
        resolve_pair(&state, &view, &least, &result);
        assert_int_equal(result.driver.info.borderColor, rows[i].driver);
        assert_non_null(strstr(result.reason, "the shader places it"));
    }
}

static void reduction_and_seams_need_the_device(void **unused)
{
    (void)unused;
    VkSamplerGLStateCreateInfoCLAMPLER gl = {.maxLod = 1000, .reductionMode = TOKEN_MIN};
    struct view_facts depth = view_of(VK_FORMAT_D16_UNORM);
    struct sampler_state state;
    const char *why;
    struct resolved result;
    assert_true(resolve_gl_state(&gl, VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT, &full, &state, &why));
    resolve_pair(&state, &depth, &full, &result);
    assert_int_equal(result.driver.reduction, VK_SAMPLER_REDUCTION_MODE_MIN);
    /* VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT beside the program's own */
    assert_int_equal(result.driver.info.flags, 4 | VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT);
    resolve_pair(&state, &depth, &least, &result);
    assert_int_equal(result.driver.reduction, VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE);
    assert_string_not_equal(result.reason, "native");
    assert_int_equal(result.driver.info.flags, VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT);

    /* VUID-VkSamplerCreateInfo-compareEnable-01423 */
    gl.compareMode = TOKEN_COMPARE_REF_TO_TEXTURE;
    gl.cubeMapSeamless = VK_TRUE;
    assert_true(resolve_gl_state(&gl, 0, &full, &state, &why));
    resolve_pair(&state, &depth, &full, &result);
    assert_int_equal(result.driver.info.compareEnable, VK_TRUE);
    assert_int_equal(result.driver.reduction, VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE);
    assert_int_equal(result.driver.info.flags, 0);
}

/*
 * Nearest texels are reduced to themselves, and comparisons are not reduced (section 8.14.2): of a sampler that
 * compares what is no depth is.
 */
static void shaders_reduce_what_linear_filters_blend(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t min, mag, compare;
        bool reduces;
    } cases[] = {
        {TOKEN_NEAREST, TOKEN_NEAREST, 0, false},
        {TOKEN_NEAREST, TOKEN_LINEAR, 0, true},
        {TOKEN_LINEAR, TOKEN_NEAREST, 0, true},
        {TOKEN_LINEAR, TOKEN_LINEAR, TOKEN_COMPARE_REF_TO_TEXTURE, true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const VkSamplerGLStateCreateInfoCLAMPLER gl = {.maxLod = 1000,
                                                       .wrapS = TOKEN_CLAMP,
                                                       .minFilter = cases[i].min,
                                                       .magFilter = cases[i].mag,
                                                       .compareMode = cases[i].compare,
                                                       .reductionMode = TOKEN_MAX};
        struct sampler_state state;
        const char *why;
        struct resolved result;
        assert_true(resolve_gl_state(&gl, 0, &full, &state, &why));
        resolve_pair(&state, NULL, &full, &result);
        const uint32_t reduction = result.record.more >> RECORD_MORE_REDUCTION_SHIFT & RECORD_MORE_REDUCTION_MASK;
        assert_int_equal(reduction, cases[i].reduces ? VK_SAMPLER_REDUCTION_MODE_MAX : 0);
        assert_int_equal(!!(result.record.more & RECORD_MORE_REDUCES_FOR_GL), cases[i].reduces);
        assert_int_equal(!!(result.needs & RECORD_NEED_REDUCTION), cases[i].reduces && !cases[i].compare);
        assert_int_equal(!!(result.needs & RECORD_NEED_FILTER_IF_UNCOMPARED), cases[i].compare != 0);
    }
}

/* What cannot be filtered keeps its mipmaps: shaders that move coordinates choose the nearest level. */
static void nearest_fallbacks_keep_levels(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t min, levels;
    } cases[] = {
        {TOKEN_LINEAR, 0},
        {TOKEN_LINEAR_MIPMAP_NEAREST, RECORD_MIP_NEAREST},
        {TOKEN_LINEAR_MIPMAP_LINEAR, RECORD_MIP_NEAREST},
        {TOKEN_NEAREST_MIPMAP_LINEAR, RECORD_MIP_NEAREST},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const VkSamplerGLStateCreateInfoCLAMPLER gl = {
            .maxLod = 1000, .wrapS = TOKEN_MIRROR_CLAMP, .minFilter = cases[i].min, .magFilter = TOKEN_LINEAR};
        struct view_facts integers = view_of(VK_FORMAT_R8G8B8A8_UINT);
        struct sampler_state state;
        const char *why;
        struct resolved result;
        integers.levels = 4;
        assert_true(resolve_gl_state(&gl, 0, &least, &state, &why));
        resolve_pair(&state, &integers, &least, &result);
        assert_true(result.record.flags & RECORD_COORDS);
        assert_int_equal(result.record.flags & (RECORD_MIP_NEAREST | RECORD_MIP_LINEAR), cases[i].levels);
        assert_int_equal(result.driver.info.mipmapMode, VK_SAMPLER_MIPMAP_MODE_NEAREST);
    }
}

/* What the specification demands of any VkSamplerCreateInfo, for states at random. */
static void assert_legal(const struct driver_sampler *driver, const struct resolve_caps *caps)
{
    const VkSamplerCreateInfo *info = &driver->info;
    assert_int_equal(info->sType, VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
    assert_true(info->mipLodBias <= caps->max_lod_bias && info->mipLodBias >= -caps->max_lod_bias);
    assert_true(info->maxLod >= info->minLod && info->minLod >= 0.0f);
    if (info->anisotropyEnable)
        assert_true(caps->anisotropy && info->maxAnisotropy >= 1.0f && info->maxAnisotropy <= caps->max_anisotropy);
    assert_true(info->magFilter <= VK_FILTER_LINEAR && info->minFilter <= VK_FILTER_LINEAR);
    assert_true(info->mipmapMode <= VK_SAMPLER_MIPMAP_MODE_LINEAR);
    VkSamplerAddressMode last = caps->mirror_clamp_to_edge ? VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE
                                                           : VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    assert_true(info->addressModeU <= last && info->addressModeV <= last && info->addressModeW <= last);
    assert_true(info->compareOp <= VK_COMPARE_OP_ALWAYS);
    if (driver->reduction != VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE)
        assert_true(caps->sampler_filter_minmax && !info->compareEnable);
    bool custom =
        info->borderColor == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT || info->borderColor == VK_BORDER_COLOR_INT_CUSTOM_EXT;
    assert_int_equal(custom, driver->custom_border);
    if (custom) {
        assert_true(caps->custom_border_color);
        assert_true(caps->custom_border_color_without_format || driver->border_format != VK_FORMAT_UNDEFINED);
    }
    assert_int_equal(info->unnormalizedCoordinates, VK_FALSE);
    assert_true((info->flags & 4) == 0 || caps->non_seamless_cube);
}

static uint32_t below(uint32_t bound)
{
    return (uint32_t)rand() % bound;
}

static void any_gl_state_gives_a_legal_sampler(void **unused)
{
    (void)unused;
    static const uint32_t wraps[] = {
        TOKEN_REPEAT,          TOKEN_CLAMP,        TOKEN_CLAMP_TO_BORDER,      TOKEN_CLAMP_TO_EDGE,
        TOKEN_MIRRORED_REPEAT, TOKEN_MIRROR_CLAMP, TOKEN_MIRROR_CLAMP_TO_EDGE, TOKEN_MIRROR_CLAMP_TO_BORDER};
    static const uint32_t min_filters[] = {TOKEN_NEAREST,
                                           TOKEN_LINEAR,
                                           TOKEN_NEAREST_MIPMAP_NEAREST,
                                           TOKEN_LINEAR_MIPMAP_NEAREST,
                                           TOKEN_NEAREST_MIPMAP_LINEAR,
                                           TOKEN_LINEAR_MIPMAP_LINEAR};
    static const uint32_t reductions[] = {0, TOKEN_MIN, TOKEN_MAX};
    static const float numbers[] = {-1000.0f, -1.0f, 0.0f, 0.125f, 0.5f, 1.0f, 3.3f, 14.0f, 1000.0f, 1e30f};
    srand(1);
    for (int i = 0; i < 20000; i++) {
#define PICK(array) array[below(sizeof(array) / sizeof(*array))]
        VkSamplerGLStateCreateInfoCLAMPLER gl = {.wrapS = PICK(wraps),
                                                 .wrapT = PICK(wraps),
                                                 .wrapR = PICK(wraps),
                                                 .minFilter = PICK(min_filters),
                                                 .magFilter = TOKEN_NEAREST + below(2),
                                                 .minLod = PICK(numbers),
                                                 .maxLod = PICK(numbers),
                                                 .lodBias = PICK(numbers),
                                                 .unitLodBias = PICK(numbers),
                                                 .maxAnisotropy = PICK(numbers),
                                                 .compareMode = below(2) ? TOKEN_COMPARE_REF_TO_TEXTURE : 0,
                                                 .compareFunc = 0x0200 + below(8),
                                                 .borderColor = {.float32 = {PICK(numbers), 0, 0, PICK(numbers)}},
                                                 .cubeMapSeamless = below(2),
                                                 .reductionMode = PICK(reductions)};
        struct resolve_caps caps = {.mirror_clamp_to_edge = below(2),
                                    .anisotropy = below(2),
                                    .custom_border_color = below(2),
                                    .custom_border_color_without_format = below(2),
                                    .non_seamless_cube = below(2),
                                    .sampler_filter_minmax = below(2),
                                    .max_lod_bias = below(2) ? 2.0f : 15.0f,
                                    .max_anisotropy = below(2) ? 1.0f : 16.0f};
        struct view_facts view = {.width = 1 + below(64),
                                  .height = 1,
                                  .depth = 1,
                                  .levels = (uint8_t)(1 + below(6)),
                                  .type = (uint8_t)below(7),
                                  .integer = below(4) == 0,
                                  .depth_aspect = below(2),
                                  .linear = below(2),
                                  .format = VK_FORMAT_R8G8B8A8_UNORM};
#undef PICK
        struct sampler_state state;
        const char *why;
        struct resolved result;
        assert_true(resolve_gl_state(&gl, 0, &caps, &state, &why));
        resolve_pair(&state, below(2) ? &view : NULL, &caps, &result);
        assert_legal(&result.driver, &caps);
        assert_true(strlen(result.reason) > 0);
    }
}

/* A separate sampler asks for its reduction of images that the driver has none of; a combined one is decided here. */
static void reductions_are_the_shaders_where_the_driver_has_none(void **unused)
{
    (void)unused;
    struct resolve_caps caps = full;
    struct sampler_state state = {.gl = 1,
                                  .mag_linear = 1,
                                  .min_linear = 1,
                                  .seamless = 1,
                                  .max_lod = 0.25f,
                                  .reduction = VK_SAMPLER_REDUCTION_MODE_MAX};
    struct view_facts view = view_of(VK_FORMAT_R8G8B8A8_UNORM);
    view.levels = 1;
    const uint32_t most = VK_SAMPLER_REDUCTION_MODE_MAX << RECORD_MORE_REDUCTION_SHIFT;
    struct record image;
    struct resolved result;
    for (int lacking = 0; lacking < 3; lacking++) {
        view.minmax = lacking != 1;
        caps.sampler_filter_minmax = lacking != 2;
        resolve_pair(&state, &view, &caps, &result);
        assert_int_equal(result.tier, lacking ? 2 : 0);
        assert_int_equal(result.record.more & ~RECORD_MORE_MAGNIFIED, lacking ? most : 0);
        assert_int_equal(result.driver.reduction,
                         lacking ? VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE : VK_SAMPLER_REDUCTION_MODE_MAX);
        uint32_t needs = resolve_image_record(&view, &caps, &image);
        assert_int_equal(image.more & ~RECORD_MORE_MAGNIFIED,
                         RECORD_MORE_NOT_COMPARED | (lacking ? RECORD_MORE_NO_MINMAX : RECORD_MORE_REDUCES_FOR_GL) |
                             (lacking != 1 ? RECORD_MORE_REDUCES_FOR_VULKAN : 0));
        assert_int_equal(needs, lacking ? RECORD_NEED_NO_MINMAX : 0);
        resolve_pair(&state, NULL, &caps, &result);
        assert_int_equal(result.record.more, most | RECORD_MORE_REDUCES_FOR_GL);
        assert_int_equal(result.needs & RECORD_NEED_REDUCTION, RECORD_NEED_REDUCTION);
        assert_int_equal(result.driver.reduction, caps.sampler_filter_minmax
                                                      ? VK_SAMPLER_REDUCTION_MODE_MAX
                                                      : VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE);
    }
}

/*
 * What the layer offers, of separate descriptors: the shader reduces floats that the driver does not, whatever their
 * fallback; integers are the driver's, where it has them but lacks swizzled views.
 */
static void offered_reductions_of_separate_descriptors(void **unused)
{
    (void)unused;
    const uint32_t both = RECORD_MORE_REDUCES_FOR_GL | RECORD_MORE_REDUCES_FOR_VULKAN;
    const struct sampler_state state = {.mag_linear = 1, .min_linear = 1, .seamless = 1, .reduction = 1};
    for (uint8_t fallback = RESOLVE_FALLBACK_OFF; fallback <= RESOLVE_FALLBACK_SHADER; fallback++) {
        struct resolve_caps caps = least;
        struct view_facts view = view_of(VK_FORMAT_R32_SFLOAT);
        struct record image;
        struct resolved alone;
        caps.offered = RESOLVE_OFFER_MINMAX;
        caps.gl_fallback = fallback;
        view.linear = view.minmax = false;
        uint32_t needs = resolve_image_record(&view, &caps, &image);
        assert_int_equal(image.more & (both | RECORD_MORE_NO_MINMAX), both | RECORD_MORE_NO_MINMAX);
        resolve_pair(&state, NULL, &caps, &alone);
        assert_int_equal(needs_tier(alone.needs | needs), TIER_FILTER_EXTRAS);

        caps.sampler_filter_minmax = true;
        view.minmax = true;
        resolve_image_record(&view, &caps, &image);
        assert_int_equal(image.more & (both | RECORD_MORE_NO_MINMAX), both);
        view.mapping = VIEW_MAPPING_EXACT;
        resolve_image_record(&view, &caps, &image);
        assert_int_equal(image.more & (both | RECORD_MORE_NO_MINMAX), both | RECORD_MORE_NO_MINMAX);

        view = view_of(VK_FORMAT_R32_UINT);
        view.minmax = true;
        resolve_image_record(&view, &caps, &image);
        resolve_pair(&state, NULL, &caps, &alone);
        assert_int_equal(image.more & alone.record.more & both, RECORD_MORE_REDUCES_FOR_VULKAN);
        assert_int_equal(image.more & RECORD_MORE_NO_MINMAX, 0);
        assert_int_equal(alone.driver.reduction, VK_SAMPLER_REDUCTION_MODE_MIN);
    }
}

/* A sampler alone names no format, so these are not sampled through one that has a colour of its own. */
static void images_whose_format_must_be_named_are_read_texel_by_texel(void **test)
{
    (void)test;
    static const VkFormat formats[] = {VK_FORMAT_B4G4R4A4_UNORM_PACK16, VK_FORMAT_B5G6R5_UNORM_PACK16,
                                       VK_FORMAT_B5G5R5A1_UNORM_PACK16, VK_FORMAT_R5G6B5_UNORM_PACK16};
    for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
        struct resolve_caps caps = full;
        struct view_facts view = view_of(formats[i]);
        struct record image;
        view.linear = true;
        for (unsigned without = 0; without < 2; without++) {
            caps.custom_border_color_without_format = without;
            const uint32_t needs = resolve_image_record(&view, &caps, &image);
            assert_int_equal(needs & RECORD_NEED_TEXELS, without && i < 3 ? RECORD_NEED_TEXELS : 0);
            assert_int_equal(needs & RECORD_NEED_BORDER_OTHER, without && i == 3 ? 0 : RECORD_NEED_BORDER_OTHER);
        }
    }
}

/*
 * Combined with an image that the driver reduces, whatever else is made up for: extras only where tier 2 is needed
 * anyway, and no tier of its own beside images that the driver does not reduce.
 */
static void reductions_of_the_drivers_ask_for_no_tier(void **unused)
{
    (void)unused;
    const struct resolve_caps caps = full;
    const struct sampler_state state = {.gl = 1,
                                        .mag_linear = 1,
                                        .min_linear = 1,
                                        .seamless = 1,
                                        .max_lod = 0.25f,
                                        .wrap = {RECORD_WRAP_CLAMP, RECORD_WRAP_CLAMP, RECORD_WRAP_CLAMP},
                                        .reduction = VK_SAMPLER_REDUCTION_MODE_MAX};
    struct view_facts view = view_of(VK_FORMAT_R8G8B8A8_UNORM);
    struct resolved result;
    view.levels = 1;
    view.minmax = true;
    resolve_pair(&state, &view, &caps, &result);
    assert_int_equal(result.driver.reduction, VK_SAMPLER_REDUCTION_MODE_MAX);
    assert_int_not_equal(result.record.more & RECORD_MORE_REDUCTION_MASK << RECORD_MORE_REDUCTION_SHIFT, 0);
    assert_int_equal(result.needs & (RECORD_NEED_COORDS | RECORD_NEED_FILTER), RECORD_NEED_COORDS);
    assert_int_equal(result.needs & (RECORD_NEED_REDUCTION | RECORD_NEED_PAIR_REDUCTION), RECORD_NEED_PAIR_REDUCTION);
}

/* Every reason has words of its own; a text that is too short is filled to its last byte. */
/* Any state with any view, or alone, has one of nine: without comparison, or with one of VkCompareOp. */
static void states_that_compare_alike_share_where_the_driver_is_full(void **state)
{
    static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R32G32_UINT};
    struct resolve_caps caps = full;
    struct driver_sampler common[VK_COMPARE_OP_ALWAYS + 2];
    bool known[VK_COMPARE_OP_ALWAYS + 2] = {false};
    (void)state;
    caps.samplers_full = true;
    for (uint32_t i = 0; i < 4096; i++) {
        VkSamplerCreateInfo info = vk_sampler();
        const uint32_t compared = i % 9;
        info.compareEnable = compared != 0;
        info.compareOp = compared ? (VkCompareOp)(compared - 1) : VK_COMPARE_OP_NEVER;
        info.magFilter = i >> 4 & 1 ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
        info.addressModeU = i >> 5 & 1 ? GL_CLAMP_MODE : VK_SAMPLER_ADDRESS_MODE_REPEAT;
        info.addressModeV = (VkSamplerAddressMode)(i >> 6 & 3);
        info.borderColor = (VkBorderColor)(i % 6);
        info.anisotropyEnable = i >> 8 & 1;
        info.maxLod = (float)(i >> 9);
        info.flags = i >> 11 & 1 ? VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT : 0;
        struct sampler_state sampler;
        struct view_facts view = view_of(formats[i % 3]);
        struct resolved resolved;
        state_of_vk(&info, &sampler);
        if (i >> 7 & 1)
            view.type = VK_IMAGE_VIEW_TYPE_CUBE;
        resolve_pair(&sampler, i % 4 ? &view : NULL, &caps, &resolved);
        assert_true(resolved.record.flags & RECORD_FILTER && resolved.record.more & RECORD_MORE_TEXELS);
        assert_int_equal(resolved.tier, 2);
        assert_non_null(strstr(resolved.reason, "as many samplers as it can"));
        if (!known[compared])
            common[compared] = resolved.driver;
        known[compared] = true;
        assert_memory_equal(&common[compared], &resolved.driver, sizeof(resolved.driver));
    }
}

static void reasons_are_named_and_cut_where_the_text_ends(void **state)
{
    char all[WHY_COUNT][256], whole[256], cut[256];
    (void)state;
    for (uint32_t why = 0; why < WHY_COUNT; why++) {
        const struct resolved_pair pair = {.why = UINT64_C(1) << why, .caps = &least};
        reason_of_pair(&pair, all[why], sizeof(all[why]));
        assert_true(all[why][0]);
        assert_true(why == WHY_WRAPS || strcmp(all[why], "native") != 0); /* those come with an axis */
        for (uint32_t other = 0; other < why; other++)
            assert_string_not_equal(all[why], all[other]);
    }
    const struct resolved_pair pair = {.why = UINT64_C(1) << WHY_DREF | UINT64_C(1) << WHY_TRILINEAR, .caps = &least};
    reason_of_pair(&pair, whole, sizeof(whole));
    assert_int_equal(strlen(whole), strlen(all[WHY_DREF]) + strlen("; ") + strlen(all[WHY_TRILINEAR]));
    for (size_t size = 1; size <= strlen(whole) + 2; size++) {
        memset(cut, 'x', sizeof(cut));
        reason_of_pair(&pair, cut, size);
        assert_int_equal(strlen(cut), size <= strlen(whole) ? size - 1 : strlen(whole));
        assert_memory_equal(cut, whole, strlen(cut));
        assert_int_equal(cut[size], 'x');
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_samplers_come_through_unchanged),
        cmocka_unit_test(chained_reduction_and_border_come_through),
        cmocka_unit_test(a_driver_sampler_without_extras_has_no_chain),
        cmocka_unit_test(reductions_are_the_shaders_where_the_driver_has_none),
        cmocka_unit_test(offered_reductions_of_separate_descriptors),
        cmocka_unit_test(reductions_of_the_drivers_ask_for_no_tier),
        cmocka_unit_test(private_modes_become_modes_of_the_driver),
        cmocka_unit_test(a_private_mode_takes_the_samplers_own_border),
        cmocka_unit_test(custom_colors_of_private_modes_are_few),
        cmocka_unit_test(a_border_mapping_is_that_of_the_view_that_is_bound),
        cmocka_unit_test(texel_coordinates_only_clamp),
        cmocka_unit_test(borders_take_a_standard_colour_where_one_matches),
        cmocka_unit_test(anisotropy_yields_where_the_driver_ignores_gradients),
        cmocka_unit_test(samplers_that_are_filtered_have_no_anisotropy),
        cmocka_unit_test(anisotropic_samplers_have_probes_in_tier_2),
        cmocka_unit_test(offered_anisotropy_has_probes_of_nearest_minification),
        cmocka_unit_test(texels_are_taken_where_the_driver_filters_otherwise),
        cmocka_unit_test(cubic_filters_are_the_shaders),
        cmocka_unit_test(cubic_filters_of_vulkan_are_native_or_offered),
        cmocka_unit_test(comparisons_are_filtered_by_the_driver_without_the_feature),
        cmocka_unit_test(custom_borders_obey_the_device),
        cmocka_unit_test(without_custom_colours_the_shader_places_the_border),
        cmocka_unit_test(reduction_and_seams_need_the_device),
        cmocka_unit_test(shaders_reduce_what_linear_filters_blend),
        cmocka_unit_test(nearest_fallbacks_keep_levels),
        cmocka_unit_test(any_gl_state_gives_a_legal_sampler),
        cmocka_unit_test(states_that_compare_alike_share_where_the_driver_is_full),
        cmocka_unit_test(images_whose_format_must_be_named_are_read_texel_by_texel),
        cmocka_unit_test(reasons_are_named_and_cut_where_the_text_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
