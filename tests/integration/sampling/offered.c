/* SPDX-License-Identifier: MIT */
/*
 * Samplers of Vulkan's standard extensions on a device that has none of them, but for the layer's setting `offer`: the
 * same lookups as on the driver alone, which has them, with every kind of set and of pipeline. Validation below the
 * layer judges what the driver gets by what the limited driver shows.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lookups/lookup.h"
#include "harness/resources/heap.h"
#include "integration/shared/scene.h"
#include "limited_driver/limited_driver.h"
#include "newer_vulkan.h"

enum { SIZE = 16, PIXELS = SIZE * SIZE, LEVELS = 3, SIDE = 8 };

/* What a case asks of the device. */
enum { BORDER = 1, SWIZZLE = 2, MIRROR = 4, FACES = 8, MINMAX = 16, ANISOTROPY = 32, LINEAR = 64, CUBIC = 128 };

struct offered_case {
    const char *name;
    unsigned needs;
    unsigned tier; /* the lowest that draws it where descriptors are combined */
    enum lookup_format format;
    enum lookup_dimension dimension;
    VkSamplerCreateInfo info;
    float border[4];
    VkComponentMapping view;
    bool named; /* the sampler names the view's mapping */
    VkFormat border_format;
    VkSamplerReductionMode reduction;
    VkCubicFilterWeightsQCOM weights;
};

#define EDGE VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE
#define TO_BORDER VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER
#define REPEATED VK_SAMPLER_ADDRESS_MODE_REPEAT
#define MIRRORED VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE
#define CUSTOM VK_BORDER_COLOR_FLOAT_CUSTOM_EXT
#define SAMPLER(FILTER, U, V, COLOR)                                                                                   \
    {                                                                                                                  \
        .magFilter = VK_FILTER_##FILTER, .minFilter = VK_FILTER_##FILTER, .addressModeU = (U), .addressModeV = (V),    \
        .addressModeW = (V), .borderColor = (COLOR), .maxLod = 1                                                       \
    }
/* At level 0, however it is looked up. */
#define CUBIC_SAMPLER(U, V)                                                                                            \
    {                                                                                                                  \
        .magFilter = VK_FILTER_CUBIC_EXT, .minFilter = VK_FILTER_CUBIC_EXT,                                            \
        .mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST, .addressModeU = (U), .addressModeV = (V), .addressModeW = (V),   \
        .borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE, .maxLod = 0.25f                                             \
    }
#define MAPPING(R, G, B, A)                                                                                            \
    {                                                                                                                  \
        VK_COMPONENT_SWIZZLE_##R, VK_COMPONENT_SWIZZLE_##G, VK_COMPONENT_SWIZZLE_##B, VK_COMPONENT_SWIZZLE_##A         \
    }

static const struct offered_case cases[] = {
    {.name = "custom border",
     .needs = BORDER,
     .tier = 2,
     .format = LOOKUP_RGBA8,
     .dimension = LOOKUP_2D,
     .info = SAMPLER(LINEAR, TO_BORDER, TO_BORDER, CUSTOM),
     .border = {0.25f, 0.5f, 0.75f, 0.125f}},
    {.name = "custom border that is standard",
     .needs = BORDER,
     .tier = 0,
     .format = LOOKUP_RGBA8,
     .dimension = LOOKUP_2D,
     .info = SAMPLER(LINEAR, TO_BORDER, EDGE, CUSTOM),
     .border = {1, 1, 1, 1}},
    {.name = "custom border by name",
     .needs = BORDER,
     .tier = 2,
     .format = LOOKUP_RGBA8,
     .dimension = LOOKUP_2D,
     .info = SAMPLER(NEAREST, TO_BORDER, EDGE, CUSTOM),
     .border = {0.75f, 0.5f, 0.25f, 1},
     .border_format = VK_FORMAT_R8G8B8A8_UNORM},
    {.name = "custom border out of reach",
     .needs = BORDER,
     .tier = 0,
     .format = LOOKUP_RGBA8,
     .dimension = LOOKUP_2D,
     .info = SAMPLER(LINEAR, EDGE, EDGE, CUSTOM),
     .border = {0.75f, 0.5f, 0.25f, 1}},
    {.name = "custom border of a volume",
     .needs = BORDER,
     .tier = 2,
     .format = LOOKUP_RGBA8,
     .dimension = LOOKUP_3D,
     .info = SAMPLER(LINEAR, EDGE, TO_BORDER, CUSTOM),
     .border = {0.1f, 0.9f, 0.4f, 0.6f}},
    {.name = "custom border of floats",
     .needs = BORDER | LINEAR,
     .tier = 2,
     .format = LOOKUP_RGBA32F,
     .dimension = LOOKUP_2D,
     .info = SAMPLER(LINEAR, TO_BORDER, TO_BORDER, CUSTOM),
     .border = {2, -1, 0.5f, 3}},
    {.name = "linear floats",
     .needs = LINEAR,
     .tier = 2,
     .format = LOOKUP_RGBA32F,
     .dimension = LOOKUP_2D,
     .info = SAMPLER(LINEAR, EDGE, EDGE, VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK)},
    {.name = "custom border, mapped",
     .needs = BORDER | SWIZZLE,
     .tier = 2,
     .format = LOOKUP_RGBA8,
     .dimension = LOOKUP_2D,
     .info = SAMPLER(LINEAR, TO_BORDER, TO_BORDER, CUSTOM),
     .border = {0.25f, 0.5f, 0.75f, 0.125f},
     .view = MAPPING(B, A, ONE, R),
     .named = true},
    {.name = "opaque black, mapped",
     .needs = SWIZZLE,
     .tier = 2,
     .format = LOOKUP_RGBA8,
     .dimension = LOOKUP_2D,
     .info = SAMPLER(LINEAR, TO_BORDER, TO_BORDER, VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK),
     .view = MAPPING(A, R, ZERO, G),
     .named = true},
    {.name = "mirror",
     .needs = MIRROR,
     .tier = 1,
     .format = LOOKUP_RGBA8,
     .dimension = LOOKUP_2D,
     .info = SAMPLER(LINEAR, MIRRORED, MIRRORED, VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE)},
    {.name = "mirror and custom border",
     .needs = MIRROR | BORDER,
     .tier = 2,
     .format = LOOKUP_RGBA8,
     .dimension = LOOKUP_2D,
     .info = SAMPLER(LINEAR, MIRRORED, TO_BORDER, CUSTOM),
     .border = {0.3f, 0.2f, 0.1f, 1}},
    {.name = "faces alone",
     .needs = FACES,
     .tier = 2,
     .format = LOOKUP_RGBA8,
     .dimension = LOOKUP_CUBE,
     .info = {.flags = VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT,
              .magFilter = VK_FILTER_LINEAR,
              .minFilter = VK_FILTER_LINEAR,
              .addressModeU = EDGE,
              .addressModeV = EDGE,
              .addressModeW = EDGE,
              .maxLod = 1}},
    {.name = "minimum",
     .needs = MINMAX,
     .tier = 2,
     .format = LOOKUP_R8,
     .dimension = LOOKUP_2D,
     .info = SAMPLER(LINEAR, EDGE, EDGE, VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE),
     .reduction = VK_SAMPLER_REDUCTION_MODE_MIN},
    {.name = "maximum and custom border",
     .needs = MINMAX | BORDER,
     .tier = 2,
     .format = LOOKUP_R8,
     .dimension = LOOKUP_2D,
     .info = SAMPLER(LINEAR, TO_BORDER, EDGE, CUSTOM),
     .border = {0.5f, 0, 0, 1},
     .reduction = VK_SAMPLER_REDUCTION_MODE_MAX},
    {.name = "cubic",
     .needs = CUBIC,
     .tier = 2,
     .format = LOOKUP_RGBA8,
     .dimension = LOOKUP_2D,
     .info = CUBIC_SAMPLER(EDGE, EDGE)},
    {.name = "cubic, repeated",
     .needs = CUBIC,
     .tier = 2,
     .format = LOOKUP_R8,
     .dimension = LOOKUP_2D,
     .info = CUBIC_SAMPLER(REPEATED, VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT)},
    {.name = "cubic over the border",
     .needs = CUBIC,
     .tier = 2,
     .format = LOOKUP_RGBA8,
     .dimension = LOOKUP_2D,
     .info = CUBIC_SAMPLER(TO_BORDER, EDGE)},
    {.name = "cubic minimum",
     .needs = CUBIC | MINMAX,
     .tier = 2,
     .format = LOOKUP_R8,
     .dimension = LOOKUP_2D,
     .info = CUBIC_SAMPLER(EDGE, REPEATED),
     .reduction = VK_SAMPLER_REDUCTION_MODE_MIN},
    {.name = "cubic maximum",
     .needs = CUBIC | MINMAX,
     .tier = 2,
     .format = LOOKUP_R8,
     .dimension = LOOKUP_2D,
     .info = CUBIC_SAMPLER(REPEATED, EDGE),
     .reduction = VK_SAMPLER_REDUCTION_MODE_MAX},
    {.name = "zero tangent cardinal",
     .needs = CUBIC,
     .tier = 2,
     .format = LOOKUP_RGBA8,
     .dimension = LOOKUP_2D,
     .info = CUBIC_SAMPLER(EDGE, REPEATED),
     .weights = VK_CUBIC_FILTER_WEIGHTS_ZERO_TANGENT_CARDINAL_QCOM},
    {.name = "B-spline",
     .needs = CUBIC,
     .tier = 2,
     .format = LOOKUP_RGBA8,
     .dimension = LOOKUP_2D,
     .info = CUBIC_SAMPLER(EDGE, TO_BORDER),
     .weights = VK_CUBIC_FILTER_WEIGHTS_B_SPLINE_QCOM},
    {.name = "Mitchell-Netravali",
     .needs = CUBIC,
     .tier = 2,
     .format = LOOKUP_R8,
     .dimension = LOOKUP_2D,
     .info = CUBIC_SAMPLER(REPEATED, REPEATED),
     .weights = VK_CUBIC_FILTER_WEIGHTS_MITCHELL_NETRAVALI_QCOM},
    {.name = "average by name",
     .needs = MINMAX,
     .tier = 0,
     .format = LOOKUP_R8,
     .dimension = LOOKUP_2D,
     .info = SAMPLER(LINEAR, EDGE, EDGE, VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE)},
    {.name = "anisotropy",
     .needs = ANISOTROPY,
     .tier = 2,
     .format = LOOKUP_RGBA8,
     .dimension = LOOKUP_2D,
     .info = {.magFilter = VK_FILTER_LINEAR,
              .minFilter = VK_FILTER_LINEAR,
              .addressModeU = EDGE,
              .addressModeV = EDGE,
              .addressModeW = EDGE,
              .anisotropyEnable = VK_TRUE,
              .maxAnisotropy = 16,
              .maxLod = 1}},
    {.name = "bias",
     .needs = 0,
     .tier = 1,
     .format = LOOKUP_RGBA8,
     .dimension = LOOKUP_2D,
     .info = {.magFilter = VK_FILTER_LINEAR,
              .minFilter = VK_FILTER_LINEAR,
              .mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST,
              .addressModeU = EDGE,
              .addressModeV = EDGE,
              .addressModeW = EDGE,
              .mipLodBias = -5.75f,
              .maxLod = VK_LOD_CLAMP_NONE}},
};
enum { CASES = sizeof(cases) / sizeof(*cases) };

/* How each is looked up; the explicit levels of LOD are 6 and 0 under the bias, which leaves 0.25 of them. */
static const struct way {
    enum lookup_operation operation;
    enum lookup_stage stage;
    bool separate;
} ways[] = {
    {LOOKUP_LOD, LOOKUP_FRAGMENT, false},
    {LOOKUP_LOD, LOOKUP_COMPUTE, true},
    {LOOKUP_GRAD, LOOKUP_COMPUTE, false},
    {LOOKUP_IMPLICIT, LOOKUP_FRAGMENT, true},
};
enum { WAYS = sizeof(ways) / sizeof(*ways) };

/* ---- Devices ---- */

struct fixture {
    struct harness_vulkan vk;
    struct lookup_vulkan lookups;
    bool offered, poor;
};

struct kind {
    enum harness_linking linking;
    enum harness_sets sets;
    const char *profile, *rules; /* of the limited driver */
    const char *layers;          /* NULL: validation below */
    bool gl;                     /* the program enables VK_CLAMPLER_gl_sampler as well */
    const char *offer;           /* NULL: missing */
};

/* What the driver has by itself of what a case needs. */
static unsigned driver_has(void)
{
    struct harness_vulkan vk;
    VkPhysicalDeviceVulkan12Features core12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &core12};
    VkFormatProperties format;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "none"});
    vkGetPhysicalDeviceFeatures2(vk.physical, &features);
    vkGetPhysicalDeviceFormatProperties(vk.physical, VK_FORMAT_R32G32B32A32_SFLOAT, &format);
    const bool border = harness_has_extension(&vk, VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME);
    const bool swizzle = harness_has_extension(&vk, VK_EXT_BORDER_COLOR_SWIZZLE_EXTENSION_NAME);
    const bool faces = harness_has_extension(&vk, VK_EXT_NON_SEAMLESS_CUBE_MAP_EXTENSION_NAME);
    const bool linear = format.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    harness_vulkan_close(&vk);
    return (border ? BORDER : 0) | (swizzle ? SWIZZLE : 0) | (core12.samplerMirrorClampToEdge ? MIRROR : 0) |
           (faces ? FACES : 0) | (core12.samplerFilterMinmax ? MINMAX : 0) | (linear ? LINEAR : 0) | ANISOTROPY;
}

static void open_fixture(struct fixture *f, bool offered, const struct kind *kind, unsigned has)
{
    const bool swizzles = !kind->offer && (offered || has & SWIZZLE), minmax = kind->offer && kind->gl;
    const char *const extension =
        minmax ? VK_EXT_SAMPLER_FILTER_MINMAX_EXTENSION_NAME : VK_EXT_BORDER_COLOR_SWIZZLE_EXTENSION_NAME;
    const VkPhysicalDeviceBorderColorSwizzleFeaturesEXT swizzle = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BORDER_COLOR_SWIZZLE_FEATURES_EXT,
        .borderColorSwizzle = VK_TRUE,
        .borderColorSwizzleFromImage = offered};
    const struct harness_vulkan_params params = {.layers = !offered       ? "none"
                                                           : kind->layers ? kind->layers
                                                                          : "clampler:validation:limited",
                                                 .device_extensions = &extension,
                                                 .device_extension_count = swizzles || minmax,
                                                 .device_next = swizzles ? &swizzle : NULL,
                                                 .sampling_features = true,
                                                 .non_seamless_cube = true,
                                                 .filter_cubic = offered && !kind->offer,
                                                 .cubic_weights = !kind->layers, /* which older validation lacks */
                                                 .gl_sampler = offered && kind->gl,
                                                 .linking = kind->linking,
                                                 .sets = kind->sets};
    memset(f, 0, sizeof(*f));
    f->offered = offered;
    f->poor = strstr(kind->rules, "ustomBorderColor"); /* the driver draws some borders */
    harness_messages_reset();
    setenv("VK_CLAMPLER_OFFER", kind->offer ? kind->offer : "missing", 1);
    setenv("LIMITED_DRIVER_PROFILE", kind->profile, 1);
    setenv("LIMITED_DRIVER_RULES", kind->rules, 1);
    assert_int_equal(harness_vulkan_try(&f->vk, &params), VK_SUCCESS);
    if (offered) {
        assert_non_null(f->vk.counters);
        assert_true(kind->offer || (f->vk.anisotropy && f->vk.non_seamless_cube && f->vk.filter_cubic));
        assert_true(kind->offer || kind->gl ||
                    (f->vk.custom_border_color && f->vk.mirror_clamp_to_edge && f->vk.minmax));
    }
    lookup_vulkan_open(&f->lookups, &f->vk, (struct lookup_grid){SIZE, SIZE});
}

static void close_fixture(struct fixture *f)
{
    const PFN_limitedDriverGetViolations get =
        (PFN_limitedDriverGetViolations)vkGetDeviceProcAddr(f->vk.device, "vkGetViolationsLIMITED");
    assert_true(!f->offered || get);
    assert_int_equal(get ? get(f->vk.device, 0, NULL) : 0, 0);
    lookup_vulkan_close(&f->lookups);
    harness_vulkan_close(&f->vk);
    scene_expect_silence();
}

/* ---- One case ---- */

static VkSampler make_sampler(struct fixture *f, const struct offered_case *one)
{
    VkSamplerCreateInfo info = one->info;
    VkSamplerCustomBorderColorCreateInfoEXT border = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT, .format = one->border_format};
    VkSamplerBorderColorComponentMappingCreateInfoEXT mapping = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT, .components = one->view};
    VkSamplerReductionModeCreateInfo reduction = {.sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
                                                  .reductionMode = one->reduction};
    info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
    memcpy(border.customBorderColor.float32, one->border, sizeof(one->border));
    if (info.borderColor == CUSTOM) {
        border.pNext = info.pNext;
        info.pNext = &border;
    }
    if (one->named && !f->offered) { /* what is offered follows the view without a name as well */
        mapping.pNext = info.pNext;
        info.pNext = &mapping;
    }
    if (one->needs & MINMAX) {
        reduction.pNext = info.pNext;
        info.pNext = &reduction;
    }
    VkSamplerCubicWeightsCreateInfoQCOM weights = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CUBIC_WEIGHTS_CREATE_INFO_QCOM,
                                                   .pNext = info.pNext,
                                                   .cubicWeights = one->weights};
    if (one->weights)
        info.pNext = &weights;
    if (one->needs & ANISOTROPY && !f->offered) /* its derivatives are as long as each other */
        info.anisotropyEnable = VK_FALSE;
    return harness_sampler(&f->vk, &info);
}

/* The same each time. */
static const uint8_t *fill_texels(const struct offered_case *one, size_t count)
{
    static uint8_t texels[6 * 2 * SIDE * SIDE * SIDE * 16];
    const size_t size = lookup_texel_size(one->format);
    uint32_t random = 1;
    for (size_t i = 0; i < count; i++) {
        random = random * 1664525u + 1013904223u;
        format_fill(one->format, random, 0, texels + i * size);
    }
    return texels;
}

static void make_texture(struct fixture *f, const struct offered_case *one, struct harness_image *image)
{
    const bool cube = one->dimension == LOOKUP_CUBE, volume = one->dimension == LOOKUP_3D;
    struct lookup_texture texture = {.dimension = one->dimension,
                                     .format = one->format,
                                     .width = SIDE,
                                     .height = SIDE,
                                     .depth = volume ? SIDE : 1,
                                     .layers = cube ? 6 : 1,
                                     .levels = LEVELS};
    texture.texels = fill_texels(one, lookup_texel_count(&texture));
    lookup_vulkan_image(&f->vk, image, &texture);
}

static VkImageView make_view(struct fixture *f, const struct offered_case *one, const struct harness_image *image)
{
    VkImageViewCreateInfo info = harness_image_view_info(image);
    VkImageView view;
    info.components = one->view;
    HARNESS_VK(vkCreateImageView(f->vk.device, &info, NULL, &view));
    harness_known_view(&f->vk, view, &info);
    return view;
}

static void fill(const struct offered_case *one, struct lookup_input *inputs)
{
    const float step = 3.0f / SIZE;
    for (int i = 0; i < PIXELS; i++) {
        const float s = ((float)(i % SIZE) + 0.37f) * step - 1, t = ((float)(i / SIZE) + 0.41f) * step - 1;
        inputs[i] =
            (struct lookup_input){.p = {s, t, one->dimension == LOOKUP_CUBE ? (i % 3) ? 0.9f : -0.9f : s - t, 1},
                                  .extra = {one->info.mipLodBias != 0 ? (i % 2 ? 6.0f : 0.0f) : 0.0f, 0.5f, 0, 0},
                                  .dx = {0.01f, 0, 0, 0},
                                  .dy = {0, 0.01f, 0, 0}};
    }
}

/* Whether it says the same on both devices, whatever they make of derivatives. */
static bool compares(const struct offered_case *one, const struct way *way)
{
    return way->operation == LOOKUP_LOD || (one->info.mipLodBias == 0 && one->dimension != LOOKUP_CUBE);
}

typedef float drawn[WAYS][PIXELS * 4];

static void draw_case(struct fixture *f, const struct offered_case *one, drawn found)
{
    struct lookup_input inputs[PIXELS];
    struct harness_image image;
    fill(one, inputs);
    make_texture(f, one, &image);
    VkSampler sampler = make_sampler(f, one);
    VkImageView view = make_view(f, one, &image);
    for (unsigned way = 0; way < WAYS; way++) {
        const struct lookup lookup = {.dimension = one->dimension,
                                      .operation = ways[way].operation,
                                      .stage = ways[way].stage,
                                      .separate = ways[way].separate};
        const struct clampler_counters before = harness_counters(&f->vk);
        uint64_t draws = 0;
        if (!compares(one, &ways[way]))
            continue;
        /* Only the shader knows that a linear sampler and a format without such filters are never used together. */
        harness_messages_excuse(one->needs & LINEAR && lookup.separate ? EXCUSE_FILTERS : EXCUSE_NOTHING);
        lookup_vulkan_run(&f->lookups, &lookup, view, sampler, inputs, found[way]);
        harness_messages_excuse(EXCUSE_NOTHING);
        const struct clampler_counters after = harness_counters(&f->vk);
        for (unsigned tier = one->tier; tier < 3; tier++)
            draws += after.draws[tier] - before.draws[tier];
        const bool expects = f->offered && !f->poor;
        if (expects && !draws)
            print_error("%s: way %u was not drawn by tier %u\n", one->name, way, one->tier);
        assert_true(!expects || draws);
    }
    vkDestroyImageView(f->vk.device, view, NULL);
    vkDestroySampler(f->vk.device, sampler, NULL);
    harness_image_destroy(&f->vk, &image);
}

static void expect_alike(const struct offered_case *one, drawn found, drawn expected)
{
    for (unsigned way = 0; way < WAYS; way++) {
        unsigned wrong = 0;
        for (int i = 0; i < PIXELS * 4 && compares(one, &ways[way]); i++) {
            const float a = found[way][i], b = expected[way][i];
            const float most = 4.0f / 255 * fmaxf(1, fabsf(b)); /* filters of 8 bits */
            if (!(fabsf(a - b) <= most) && wrong++ < 3)
                print_error("%s: way %u, element %d: %f, not %f\n", one->name, way, i, (double)a, (double)b);
        }
        assert_int_equal(wrong, 0);
    }
}

/* ---- Cubic filters, which no driver at hand has: by the specification, "Texel Cubic Filtering" ---- */

/* The matrices, but for the last number of the second, which the specification prints as 1: its shares are not 1 then.
 */
static double cubic_share(VkCubicFilterWeightsQCOM weights, double t, int texel)
{
    static const struct {
        double divisor, powers[4][4];
    } kinds[] = {{2, {{0, 2, 0, 0}, {-1, 0, 1, 0}, {2, -5, 4, -1}, {-1, 3, -3, 1}}},
                 {2, {{0, 2, 0, 0}, {-2, 0, 2, 0}, {4, -4, 2, -2}, {-2, 2, -2, 2}}},
                 {6, {{1, 4, 1, 0}, {-3, 0, 3, 0}, {3, -6, 3, 0}, {-1, 3, -3, 1}}},
                 {18, {{1, 16, 1, 0}, {-9, 0, 9, 0}, {15, -36, 27, -6}, {-7, 21, -21, 7}}}};
    double share = 0, power = 1;
    for (int i = 0; i < 4; i++, power *= t)
        share += kinds[weights].powers[i][texel] * power;
    return share / kinds[weights].divisor;
}

/* -1: the border. */
static int wrapped(VkSamplerAddressMode mode, int i)
{
    const int once = (i % (2 * SIDE) + 2 * SIDE) % (2 * SIDE);
    switch (mode) {
    case VK_SAMPLER_ADDRESS_MODE_REPEAT:
        return once % SIDE;
    case VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT:
        return once < SIDE ? once : 2 * SIDE - 1 - once;
    case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER:
        return i < 0 || i >= SIDE ? -1 : i;
    default:
        return i < 0 ? 0 : i >= SIDE ? SIDE - 1 : i;
    }
}

static double texel_of(const struct offered_case *one, const uint8_t *texels, int x, int y, int channel)
{
    const int channels = one->format == LOOKUP_R8 ? 1 : 4;
    const int i = wrapped(one->info.addressModeU, x), j = wrapped(one->info.addressModeV, y);
    if (channel >= channels)
        return channel == 3 ? 1 : 0;
    return i < 0 || j < 0 ? 1 : texels[(j * SIDE + i) * channels + channel] / 255.0;
}

static double cubic_of(const struct offered_case *one, const uint8_t *texels, const float p[4], int channel)
{
    const double u = (double)p[0] * SIDE - 0.5, v = (double)p[1] * SIDE - 0.5;
    const int i = (int)floor(u), j = (int)floor(v);
    double sum = 0, least = 1, most = 0;
    for (int n = 0; n < 16; n++) {
        const double share = cubic_share(one->weights, u - i, n % 4) * cubic_share(one->weights, v - j, n / 4);
        const double texel = texel_of(one, texels, i - 1 + n % 4, j - 1 + n / 4, channel);
        sum += share * texel;
        least = fmin(least, texel);
        most = fmax(most, texel);
    }
    return one->reduction == VK_SAMPLER_REDUCTION_MODE_MIN   ? least
           : one->reduction == VK_SAMPLER_REDUCTION_MODE_MAX ? most
                                                             : sum;
}

static void judge_cubic(const struct offered_case *one, drawn found)
{
    const uint8_t *texels = fill_texels(one, SIDE * SIDE);
    struct lookup_input inputs[PIXELS];
    fill(one, inputs);
    for (unsigned way = 0; way < WAYS; way++) {
        for (int i = 0; i < PIXELS * 4; i++)
            found[way][i] = (float)cubic_of(one, texels, inputs[i / 4].p, i % 4);
    }
}

/* ---- Every kind of device ---- */

static drawn expected[CASES];
static bool known[CASES]; /* the driver draws the case by itself */

static void draw_alone(unsigned has)
{
    struct fixture f;
    open_fixture(&f, false, &(struct kind){HARNESS_MONOLITHIC, HARNESS_SETS_PLAIN, "", "", NULL, false, NULL}, has);
    for (unsigned i = 0; i < CASES; i++) {
        known[i] = cases[i].needs & CUBIC || (cases[i].needs & ~has) == 0;
        if (cases[i].needs & CUBIC)
            judge_cubic(&cases[i], expected[i]);
        else if (known[i])
            draw_case(&f, &cases[i], expected[i]);
    }
    close_fixture(&f);
}

static void compare_case(struct fixture *f, unsigned i)
{
    static drawn found;
    draw_case(f, &cases[i], found);
    if (known[i])
        expect_alike(&cases[i], found, expected[i]);
}

/* Where biases are offered, every sampler with levels is emulated: those cases are drawn once with them. */
#define BIASES "limit maxSamplerLodBias 16"

static void compare(const struct kind *kind)
{
    const unsigned has = driver_has();
    struct fixture f;
    scene_skip_lacking("none", kind->linking, kind->sets, NULL, 0);
    /* Under settings the layer hides descriptors that have no room for record indices (docs/limits.md). */
    setenv("VK_CLAMPLER_OFFER", "missing", 1);
    setenv("LIMITED_DRIVER_PROFILE", kind->profile, 1);
    scene_skip_lacking("clampler:limited", kind->linking, kind->sets, NULL, 0);
    draw_alone(has);
    open_fixture(&f, true, kind, has);
    for (unsigned i = 0; i < CASES; i++) {
        const bool native = f.poor && cases[i].needs & ANISOTROPY;
        if (!native && (cases[i].info.mipLodBias == 0 || kind->rules[0] == '\0') &&
            (!cases[i].weights || f.vk.cubic_weights))
            compare_case(&f, i);
    }
    assert_true(harness_counters(&f.vk).draws[2] > 0);
    close_fixture(&f);
}

/* A device that lacks what the case needs, and nothing else. */
static void one_case_at_a_time(void **state)
{
    (void)state;
    static const struct {
        unsigned need;
        const char *profile;
    } profiles[] = {
        {BORDER, "no-custom-border"},    {SWIZZLE, "no-border-swizzle"}, {MIRROR, "no-mirror-clamp-to-edge"},
        {FACES, "no-non-seamless-cube"}, {MINMAX, "no-minmax"},          {LINEAR, "no-linear-float32"}};
    draw_alone(driver_has());
    for (unsigned i = 0; i < CASES; i++) {
        char profile[128] = "small-window"; /* which nothing here sees */
        const bool bias = cases[i].info.mipLodBias != 0, anisotropy = cases[i].needs & ANISOTROPY;
        struct fixture f;
        for (size_t p = 0; p < sizeof(profiles) / sizeof(*profiles); p++) {
            if (cases[i].needs & profiles[p].need)
                snprintf(profile + strlen(profile), sizeof(profile) - strlen(profile), ":%s", profiles[p].profile);
        }
        open_fixture(&f, true,
                     &(struct kind){HARNESS_MONOLITHIC, HARNESS_SETS_PLAIN, profile,
                                    bias         ? "limit maxSamplerLodBias 2"
                                    : anisotropy ? "hide feature samplerAnisotropy"
                                                 : "",
                                    NULL, false, NULL},
                     SWIZZLE);
        compare_case(&f, i);
        close_fixture(&f);
    }
}

/* What the program sends is right on a device that has what is offered. */
static void validated_above(void **state)
{
    (void)state;
    compare(&(struct kind){HARNESS_MONOLITHIC, HARNESS_SETS_PLAIN, "bare-samplers", BIASES,
                           "validation:clampler:limited", false, NULL});
}

static void sets_with_biases(void **state)
{
    (void)state;
    compare(&(struct kind){HARNESS_MONOLITHIC, HARNESS_SETS_PLAIN, "bare-samplers", "", NULL, false, NULL});
}

/*
 * A footprint thirty times as long as wide is covered by sixteen probes of level 0; trilinear filters take level 1
 * (EXT_texture_filter_anisotropic). With samplers of Vulkan and of OpenGL.
 */
static void slanted_footprints_are_covered_by_probes(void **state)
{
    (void)state;
    static uint8_t texels[(SIDE * SIDE + SIDE / 2 * SIDE / 2) * 4];
    const struct lookup lookup = {.dimension = LOOKUP_2D, .operation = LOOKUP_GRAD, .stage = LOOKUP_COMPUTE};
    static const char rules[] = "hide feature samplerAnisotropy\nlimit maxSamplerAnisotropy 1";
    memset(texels + SIDE * SIDE * 4, 255, SIDE / 2 * SIDE / 2 * 4);
    for (int i = 0; i < 4; i++) {
        const bool trilinear = i % 2, gl = i / 2;
        const struct kind kind = {HARNESS_MONOLITHIC, HARNESS_SETS_PLAIN, "", rules, NULL, gl, NULL};
        static float found[PIXELS * 4];
        struct lookup_input inputs[PIXELS];
        struct harness_image image;
        struct fixture f;
        if (trilinear)
            setenv("VK_CLAMPLER_ANISOTROPY", "trilinear", 1);
        open_fixture(&f, true, &kind, SWIZZLE);
        unsetenv("VK_CLAMPLER_ANISOTROPY");
        lookup_vulkan_image(&f.vk, &image,
                            &(struct lookup_texture){.dimension = LOOKUP_2D,
                                                     .format = LOOKUP_RGBA8,
                                                     .width = SIDE,
                                                     .height = SIDE,
                                                     .levels = 2,
                                                     .texels = texels});
        const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                          .magFilter = VK_FILTER_LINEAR,
                                          .minFilter = VK_FILTER_LINEAR,
                                          .anisotropyEnable = VK_TRUE,
                                          .maxAnisotropy = 16,
                                          .maxLod = VK_LOD_CLAMP_NONE};
        const VkSamplerGLStateCreateInfoCLAMPLER state_of_gl = {
            .sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
            .minFilter = 0x2703, /* GL_LINEAR_MIPMAP_LINEAR */
            .magFilter = 0x2601, /* GL_LINEAR */
            .maxLod = 1000,
            .maxAnisotropy = 16};
        const VkSamplerCreateInfo info_of_gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &state_of_gl};
        VkSampler sampler = harness_sampler(&f.vk, gl ? &info_of_gl : &info);
        for (int p = 0; p < PIXELS; p++)
            inputs[p] = (struct lookup_input){
                .p = {(float)(p % SIZE) / SIZE, (float)(p / SIZE) / SIZE, 0, 1}, .dx = {0.3f}, .dy = {0, 0.01f}};
        lookup_vulkan_run(&f.lookups, &lookup, image.view, sampler, inputs, found);
        for (int p = 0; p < PIXELS * 4; p++)
            assert_true(fabsf(found[p] - (float)trilinear) < 0.01f);
        vkDestroySampler(f.vk.device, sampler, NULL);
        harness_image_destroy(&f.vk, &image);
        close_fixture(&f);
    }
}

/* ---- Minima of formats that the driver cannot filter ---- */

static float least_of(const float *texels, float s, float t)
{
    const int i = (int)floorf(s * SIDE - 0.5f), j = (int)floorf(t * SIDE - 0.5f);
    float least = INFINITY;
    for (int n = 0; n < 4; n++) {
        const int x = i + n % 2, y = j + n / 2;
        least = fminf(least, texels[(y < 0       ? 0
                                     : y >= SIDE ? SIDE - 1
                                                 : y) *
                                        SIDE +
                                    (x < 0       ? 0
                                     : x >= SIDE ? SIDE - 1
                                                 : x)]);
    }
    return least;
}

static void expect_minima(struct fixture *f, const struct harness_image *image, VkSampler sampler, const float *texels)
{
    static float found[PIXELS * 4];
    struct lookup_input inputs[PIXELS];
    for (int p = 0; p < PIXELS; p++)
        inputs[p] = (struct lookup_input){
            .p = {((float)(p % SIZE) + 0.4f) / SIZE, ((float)(p / SIZE) + 0.3f) / SIZE, 0, 1}, .dx = {0.01f}};
    for (unsigned way = 0; way < WAYS; way++) {
        const struct lookup lookup = {.dimension = LOOKUP_2D,
                                      .operation = ways[way].operation,
                                      .stage = ways[way].stage,
                                      .separate = ways[way].separate};
        const uint64_t before = harness_counters(&f->vk).draws[2];
        harness_messages_excuse(lookup.separate ? EXCUSE_FILTERS : EXCUSE_NOTHING);
        lookup_vulkan_run(&f->lookups, &lookup, image->view, sampler, inputs, found);
        harness_messages_excuse(EXCUSE_NOTHING);
        assert_true(harness_counters(&f->vk).draws[2] > before);
        for (int p = 0; p < PIXELS; p++) {
            if (found[p * 4] != least_of(texels, inputs[p].p[0], inputs[p].p[1]))
                fail_msg("way %u, pixel %d: %f", way, p, (double)found[p * 4]);
        }
    }
}

/*
 * Offered minima are a promise of every float format, whatever linear_fallback makes of its linear filters, and without
 * an offer of those.
 */
static void minima_need_no_linear_filters(void **state)
{
    (void)state;
    static const struct {
        const char *fallback, *offer;
        bool gl;
    } rows[] = {{NULL, NULL, false},
                {"off", NULL, false},
                {"shader", NULL, false},
                {"nearest", NULL, false},
                {"nearest", "filter_minmax", true},
                {NULL, "filter_minmax", false},
                {"off", "filter_minmax", false},
                {NULL, "filter_minmax", true}};
    float texels[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++)
        texels[i] = (float)(i * 29 % 64) - 20;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct kind kind = {
            .profile = "no-minmax:no-linear-float32", .rules = "", .gl = rows[i].gl, .offer = rows[i].offer};
        struct harness_image image;
        struct fixture f;
        print_message("linear_fallback %s, offer %s%s\n", rows[i].fallback ? rows[i].fallback : "unset",
                      rows[i].offer ? rows[i].offer : "missing", rows[i].gl ? ", VK_CLAMPLER_gl_sampler" : "");
        if (rows[i].fallback)
            setenv("VK_CLAMPLER_LINEAR_FALLBACK", rows[i].fallback, 1);
        open_fixture(&f, true, &kind, driver_has());
        unsetenv("VK_CLAMPLER_LINEAR_FALLBACK");
        VkFormatProperties format;
        vkGetPhysicalDeviceFormatProperties(f.vk.physical, VK_FORMAT_R32_SFLOAT, &format);
        assert_true(format.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_MINMAX_BIT);
        lookup_vulkan_image(
            &f.vk, &image,
            &(struct lookup_texture){
                .dimension = LOOKUP_2D, .format = LOOKUP_R32F, .width = SIDE, .height = SIDE, .texels = texels});
        const VkSamplerReductionModeCreateInfo reduction = {.sType =
                                                                VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
                                                            .reductionMode = VK_SAMPLER_REDUCTION_MODE_MIN};
        const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                          .pNext = &reduction,
                                          .magFilter = VK_FILTER_LINEAR,
                                          .minFilter = VK_FILTER_LINEAR,
                                          .addressModeU = EDGE,
                                          .addressModeV = EDGE,
                                          .addressModeW = EDGE};
        VkSampler sampler = harness_sampler(&f.vk, &info);
        expect_minima(&f, &image, sampler, texels);
        vkDestroySampler(f.vk.device, sampler, NULL);
        harness_image_destroy(&f.vk, &image);
        close_fixture(&f);
    }
}

/* Border colours that the driver has for few samplers, or with a format alone. */
static void poor_border_colors(void **state)
{
    (void)state;
    static const char *const rules[] = {"limit maxCustomBorderColorSamplers 1",
                                        "hide feature customBorderColorWithoutFormat"};
    scene_skip_without(VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME);
    for (int i = 0; i < 2; i++)
        compare(
            &(struct kind){HARNESS_MONOLITHIC, HARNESS_SETS_PLAIN, "no-linear-float32", rules[i], NULL, false, NULL});
}

#define KIND(NAME, LINKING, SETS)                                                                                      \
    static void NAME(void **state)                                                                                     \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        compare(&(struct kind){HARNESS_##LINKING, HARNESS_SETS_##SETS, "bare-samplers", BIASES, NULL, false, NULL});   \
    }
KIND(sets, MONOLITHIC, PLAIN)
KIND(sets_after_bind, MONOLITHIC, AFTER_BIND)
KIND(mutable_sets, MONOLITHIC, MUTABLE)
KIND(pushed_sets, MONOLITHIC, PUSH)
KIND(descriptor_buffers, MONOLITHIC, DESCRIPTOR_BUFFER)
KIND(heaps, MONOLITHIC, HEAP)
KIND(libraries, LIBRARY, PLAIN)
KIND(fast_linked_libraries, FAST_LINKED, PLAIN)
KIND(shader_objects, OBJECTS, PLAIN)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets),
        cmocka_unit_test(sets_after_bind),
        cmocka_unit_test(mutable_sets),
        cmocka_unit_test(pushed_sets),
        cmocka_unit_test(descriptor_buffers),
        cmocka_unit_test(heaps),
        cmocka_unit_test(libraries),
        cmocka_unit_test(fast_linked_libraries),
        cmocka_unit_test(shader_objects),
        cmocka_unit_test(one_case_at_a_time),
        cmocka_unit_test(validated_above),
        cmocka_unit_test(slanted_footprints_are_covered_by_probes),
        cmocka_unit_test(sets_with_biases),
        cmocka_unit_test(minima_need_no_linear_filters),
        cmocka_unit_test(poor_border_colors),
    };
    return cmocka_run_group_tests_name("offered", tests, NULL, NULL);
}
