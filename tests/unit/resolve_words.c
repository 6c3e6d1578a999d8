/* SPDX-License-Identifier: MIT */
#include "gl/gl_tokens.h"
#include "resolve_words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
    const char *name;
    uint32_t value;
};

#define FIND(LIST, NAME, VALUE) find(LIST, sizeof(LIST) / sizeof(*(LIST)), NAME, VALUE)

static bool find(const struct word *list, size_t count, const char *name, uint32_t *value)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0) {
            *value = list[i].value;
            return true;
        }
    return false;
}

static const struct word wraps[] = {
    {"REPEAT", TOKEN_REPEAT},
    {"MIRRORED_REPEAT", TOKEN_MIRRORED_REPEAT},
    {"CLAMP_TO_EDGE", TOKEN_CLAMP_TO_EDGE},
    {"CLAMP_TO_BORDER", TOKEN_CLAMP_TO_BORDER},
    {"CLAMP", TOKEN_CLAMP},
    {"MIRROR_CLAMP", TOKEN_MIRROR_CLAMP},
    {"MIRROR_TO_EDGE", TOKEN_MIRROR_CLAMP_TO_EDGE},
    {"MIRROR_TO_BORDER", TOKEN_MIRROR_CLAMP_TO_BORDER},
};

/* Minification and magnification filter in one. */
static const struct {
    const char *name;
    uint32_t min, mag;
} filters[] = {
    {"nearest", TOKEN_NEAREST, TOKEN_NEAREST},
    {"linear", TOKEN_LINEAR, TOKEN_LINEAR},
    {"nearest_mips", TOKEN_NEAREST_MIPMAP_NEAREST, TOKEN_NEAREST},
    {"bilinear_mips", TOKEN_LINEAR_MIPMAP_NEAREST, TOKEN_LINEAR},
    {"nearest_between", TOKEN_NEAREST_MIPMAP_LINEAR, TOKEN_NEAREST},
    {"trilinear", TOKEN_LINEAR_MIPMAP_LINEAR, TOKEN_LINEAR},
    {"mag_linear", TOKEN_NEAREST, TOKEN_LINEAR},
    {"min_linear", TOKEN_LINEAR, TOKEN_NEAREST},
};

static const struct word formats[] = {
    {"RGBA8", VK_FORMAT_R8G8B8A8_UNORM},
    {"BGRA8", VK_FORMAT_B8G8R8A8_UNORM},
    {"RG8", VK_FORMAT_R8G8_UNORM},
    {"R8", VK_FORMAT_R8_UNORM},
    {"A8", (VkFormat)1000470001},
    {"RGBA8_SNORM", VK_FORMAT_R8G8B8A8_SNORM},
    {"SRGB8", VK_FORMAT_R8G8B8A8_SRGB},
    {"B5G6R5", VK_FORMAT_B5G6R5_UNORM_PACK16},
    {"RGBA16F", VK_FORMAT_R16G16B16A16_SFLOAT},
    {"R16F", VK_FORMAT_R16_SFLOAT},
    {"RGBA32F", VK_FORMAT_R32G32B32A32_SFLOAT},
    {"R11G11B10F", VK_FORMAT_B10G11R11_UFLOAT_PACK32},
    {"RGB9E5", VK_FORMAT_E5B9G9R9_UFLOAT_PACK32},
    {"RGBA8UI", VK_FORMAT_R8G8B8A8_UINT},
    {"RGBA8I", VK_FORMAT_R8G8B8A8_SINT},
    {"RGBA32UI", VK_FORMAT_R32G32B32A32_UINT},
    {"RGB10A2UI", VK_FORMAT_A2B10G10R10_UINT_PACK32},
    {"R8UI", VK_FORMAT_R8_UINT},
    {"D16", VK_FORMAT_D16_UNORM},
    {"D24S8", VK_FORMAT_D24_UNORM_S8_UINT},
    {"D32F", VK_FORMAT_D32_SFLOAT},
    {"S8", VK_FORMAT_S8_UINT},
    {"BC1_RGB", VK_FORMAT_BC1_RGB_UNORM_BLOCK},
    {"BC3", VK_FORMAT_BC3_UNORM_BLOCK},
    {"BC3_SRGB", VK_FORMAT_BC3_SRGB_BLOCK},
    {"BC4_SNORM", VK_FORMAT_BC4_SNORM_BLOCK},
    {"BC6H", VK_FORMAT_BC6H_UFLOAT_BLOCK},
    {"ETC2", VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK},
    {"EAC_RG", VK_FORMAT_EAC_R11G11_SNORM_BLOCK},
    {"ASTC", VK_FORMAT_ASTC_4x4_UNORM_BLOCK},
    {"PVRTC", (VkFormat)1000054000},
    {"VENDOR", (VkFormat)1000999999}, /* a format that nobody knows */
};

static const struct word types[] = {
    {"1D", VK_IMAGE_VIEW_TYPE_1D},
    {"2D", VK_IMAGE_VIEW_TYPE_2D},
    {"3D", VK_IMAGE_VIEW_TYPE_3D},
    {"cube", VK_IMAGE_VIEW_TYPE_CUBE},
    {"2D_array", VK_IMAGE_VIEW_TYPE_2D_ARRAY},
    {"cube_array", VK_IMAGE_VIEW_TYPE_CUBE_ARRAY},
};

static const struct word bases[] = {
    {"RED", TOKEN_RED},
    {"RG", TOKEN_RG},
    {"RGB", TOKEN_RGB},
    {"RGBA", TOKEN_RGBA},
    {"ALPHA", TOKEN_ALPHA},
    {"LUMINANCE", TOKEN_LUMINANCE},
    {"LUMINANCE_ALPHA", TOKEN_LUMINANCE_ALPHA},
    {"INTENSITY", TOKEN_INTENSITY},
    {"DEPTH", TOKEN_DEPTH_COMPONENT},
    {"STENCIL", TOKEN_STENCIL_INDEX},
};

static const struct word internals[] = {
    {"RGBA8", 0x8058}, {"RGBA8_SNORM", 0x8F97}, {"LUMINANCE8", 0x8040}, {"DEPTH24", 0x81A6}, {"DEPTH32F", 0x8CAC},
};

/* ---- Reading ---- */

static void unknown(const char *word)
{
    fail_msg("the word \"%s\" is not known", word);
}

static bool begins(const char *word, const char *with, const char **rest)
{
    size_t length = strlen(with);
    *rest = word + length;
    return strncmp(word, with, length) == 0;
}

static void read_color(const char *text, VkClearColorValue *color)
{
    bool integer = text[0] == '#';
    char *at = (char *)(uintptr_t)(integer ? text + 1 : text);
    for (int i = 0; i < 4; i++, at += *at == ',') {
        if (integer)
            color->uint32[i] = (uint32_t)strtoll(at, &at, 10);
        else
            color->float32[i] = strtof(at, &at);
    }
}

static bool read_filter(const char *word, VkSamplerGLStateCreateInfoCLAMPLER *gl)
{
    for (size_t i = 0; i < sizeof(filters) / sizeof(*filters); i++)
        if (strcmp(filters[i].name, word) == 0) {
            gl->minFilter = filters[i].min;
            gl->magFilter = filters[i].mag;
            return true;
        }
    return false;
}

/*
 * Wrap modes (of all axes; S: T: R: in front for one), filters, compare, lod=LOW..HIGH, bias=LEVELS, aniso=RATIO,
 * border=R,G,B,A (#: integers), minimum, maximum, skip_decode, faces (cubes are not seamless).
 */
static void read_state(const char *word, VkSamplerGLStateCreateInfoCLAMPLER *gl)
{
    const char *rest;
    uint32_t value;
    if (FIND(wraps, word, &value))
        gl->wrapS = gl->wrapT = gl->wrapR = value;
    else if (word[0] && word[1] == ':' && FIND(wraps, word + 2, &value))
        *(word[0] == 'S' ? &gl->wrapS : word[0] == 'T' ? &gl->wrapT : &gl->wrapR) = value;
    else if (read_filter(word, gl))
        return;
    else if (strcmp(word, "compare") == 0)
        gl->compareMode = TOKEN_COMPARE_REF_TO_TEXTURE;
    else if (begins(word, "lod=", &rest)) {
        gl->minLod = strtof(rest, NULL);
        gl->maxLod = strtof(strstr(rest, "..") + 2, NULL);
    } else if (begins(word, "bias=", &rest))
        gl->lodBias = strtof(rest, NULL);
    else if (begins(word, "aniso=", &rest))
        gl->maxAnisotropy = strtof(rest, NULL);
    else if (begins(word, "border=", &rest))
        read_color(rest, &gl->borderColor);
    else if (strcmp(word, "minimum") == 0)
        gl->reductionMode = TOKEN_MIN;
    else if (strcmp(word, "maximum") == 0)
        gl->reductionMode = TOKEN_MAX;
    else if (strcmp(word, "skip_decode") == 0)
        gl->srgbDecode = TOKEN_SKIP_DECODE;
    else if (strcmp(word, "faces") == 0)
        gl->cubeMapSeamless = VK_FALSE;
    else
        unknown(word);
}

/* vk: a plain Vulkan sampler with the GL words' meaning; only modes and filters that Vulkan has, private modes among
 * them. */
static void as_vulkan(const VkSamplerGLStateCreateInfoCLAMPLER *gl, struct sampler_state *state)
{
    static const struct word modes[] = {
        {"", VK_SAMPLER_ADDRESS_MODE_REPEAT},
        {"", VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT},
        {"", VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE},
        {"", VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER},
        {"", VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER},
    };
    VkSamplerAddressMode mode = VK_SAMPLER_ADDRESS_MODE_REPEAT;
    for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++)
        if (wraps[i].value == gl->wrapS)
            mode = (VkSamplerAddressMode)modes[i].value;
    const VkSamplerReductionModeCreateInfo reduction = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
        .reductionMode = gl->reductionMode == TOKEN_MIN   ? VK_SAMPLER_REDUCTION_MODE_MIN
                         : gl->reductionMode == TOKEN_MAX ? VK_SAMPLER_REDUCTION_MODE_MAX
                                                          : VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .pNext = &reduction,
                                      .flags = gl->cubeMapSeamless ? 0u : 4u,
                                      .magFilter = gl->magFilter & 1 ? VK_FILTER_LINEAR : VK_FILTER_NEAREST,
                                      .minFilter = gl->minFilter & 1 ? VK_FILTER_LINEAR : VK_FILTER_NEAREST,
                                      .mipmapMode = gl->minFilter & 2 ? VK_SAMPLER_MIPMAP_MODE_LINEAR
                                                                      : VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                      .addressModeU = mode,
                                      .addressModeV = mode,
                                      .addressModeW = mode,
                                      .mipLodBias = gl->lodBias,
                                      .anisotropyEnable = gl->maxAnisotropy > 1.0f,
                                      .maxAnisotropy = gl->maxAnisotropy,
                                      .maxLod = 1000.0f,
                                      .borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE};
    state_of_vk(&info, state);
}

struct read_view {
    VkImageViewCreateInfo info;
    VkImageViewGLStateCreateInfoCLAMPLER gl;
    bool has_gl, linear, minima, auxiliary, alone;
    uint8_t levels;
};

static void read_swizzle(const char *letters, struct read_view *view)
{
    static const char known[] = "RGBA";
    for (int i = 0; i < 4; i++) {
        const char *place = strchr(known, letters[i]);
        view->gl.swizzle[i] = letters[i] == '0' ? 0 : letters[i] == '1' ? 1 : 0x1903u + (uint32_t)(place - known);
    }
}

static VkComponentSwizzle component(char letter)
{
    static const char known[] = "=01RGBA"; /* VkComponentSwizzle's order */
    return (VkComponentSwizzle)(strchr(known, letter) - known);
}

/*
 * A format, a type (2D), mips (five levels, else one), unfilterable, minima (the device has them of formats that it
 * does not filter otherwise), twin (sRGB: a UNORM view is available), and GL state: base=, internal=, depth=,
 * swizzle=RGBA01, rectangle, stencil. mapping=RGBA01= are a program's own components. alone.
 */
static void read_view(const char *word, struct read_view *view)
{
    const char *rest;
    uint32_t value;
    if (FIND(formats, word, &value))
        view->info.format = (VkFormat)value;
    else if (FIND(types, word, &value))
        view->info.viewType = (VkImageViewType)value;
    else if (strcmp(word, "mips") == 0)
        view->levels = 5;
    else if (strcmp(word, "unfilterable") == 0)
        view->linear = false;
    else if (strcmp(word, "minima") == 0)
        view->minima = true;
    else if (strcmp(word, "twin") == 0)
        view->auxiliary = true;
    else if (strcmp(word, "alone") == 0)
        view->alone = true;
    else if (begins(word, "mapping=", &rest))
        view->info.components =
            (VkComponentMapping){component(rest[0]), component(rest[1]), component(rest[2]), component(rest[3])};
    else {
        view->has_gl = true;
        if (begins(word, "base=", &rest) && FIND(bases, rest, &value))
            view->gl.baseFormat = value;
        else if (begins(word, "internal=", &rest) && FIND(internals, rest, &value))
            view->gl.internalFormat = value;
        else if (begins(word, "depth=", &rest) && FIND(bases, rest, &value))
            view->gl.depthMode = value;
        else if (begins(word, "swizzle=", &rest))
            read_swizzle(rest, view);
        else if (strcmp(word, "rectangle") == 0)
            view->gl.target = TOKEN_TEXTURE_RECTANGLE;
        else if (strcmp(word, "stencil") == 0)
            view->gl.stencilSampling = VK_TRUE;
        else
            unknown(word);
    }
}

static void finish_view(struct read_view *read, struct view_facts *view)
{
    VkFormat format = read->info.format;
    bool depth =
        format == VK_FORMAT_D16_UNORM || format == VK_FORMAT_D24_UNORM_S8_UINT || format == VK_FORMAT_D32_SFLOAT;
    VkComponentMapping mapping;
    const char *why;
    read->info.subresourceRange.aspectMask = depth                         ? VK_IMAGE_ASPECT_DEPTH_BIT
                                             : format == VK_FORMAT_S8_UINT ? VK_IMAGE_ASPECT_STENCIL_BIT
                                                                           : VK_IMAGE_ASPECT_COLOR_BIT;
    if (!read->has_gl)
        view_facts_from_vk(&read->info, view);
    else if (!view_facts_from_gl(&read->gl, &read->info, view, &mapping, &why))
        fail_msg("the view is refused: %s", why);
    view->width = 64;
    view->height = 32;
    view->depth = 1;
    view->levels = read->levels;
    view->linear = read->linear && !view->integer;
    view->minmax = view->linear || read->minima;
    view->unorm_auxiliary = read->auxiliary;
}

/*
 * What differs from a device that has everything and is told of swizzles: -custom, -format (border colours name
 * theirs), -swizzle, +from_image, -cubes, -mirror, -minmax, +blends, -aniso, bias=LIMIT; what the layer offers:
 * offers_minmax; settings: shader, off, vk_nearest, vk_shader, incomplete, border_shader, fault.
 */
static void read_caps(const char *word, struct resolve_caps *caps)
{
    const char *rest;
    if (begins(word, "bias=", &rest))
        caps->max_lod_bias = strtof(rest, NULL);
    else if (strcmp(word, "-custom") == 0)
        caps->custom_border_color = false;
    else if (strcmp(word, "-format") == 0)
        caps->custom_border_color_without_format = false;
    else if (strcmp(word, "-swizzle") == 0)
        caps->border_swizzle = false;
    else if (strcmp(word, "+from_image") == 0)
        caps->border_swizzle_from_image = true;
    else if (strcmp(word, "-cubes") == 0)
        caps->non_seamless_cube = false;
    else if (strcmp(word, "-mirror") == 0)
        caps->mirror_clamp_to_edge = false;
    else if (strcmp(word, "-minmax") == 0)
        caps->sampler_filter_minmax = false;
    else if (strcmp(word, "-minmax_swizzle") == 0)
        caps->minmax_swizzle = false;
    else if (strcmp(word, "+blends") == 0)
        caps->minmax_blends = true;
    else if (strcmp(word, "-aniso") == 0)
        caps->anisotropy = false;
    else if (strcmp(word, "-gradients") == 0)
        caps->anisotropy_ignores_gradients = true;
    else if (strcmp(word, "offers_minmax") == 0)
        caps->offered |= RESOLVE_OFFER_MINMAX;
    else if (strcmp(word, "shader") == 0)
        caps->gl_fallback = RESOLVE_FALLBACK_SHADER;
    else if (strcmp(word, "off") == 0)
        caps->gl_fallback = RESOLVE_FALLBACK_OFF;
    else if (strcmp(word, "vk_nearest") == 0)
        caps->vk_fallback = RESOLVE_FALLBACK_NEAREST;
    else if (strcmp(word, "vk_shader") == 0)
        caps->vk_fallback = RESOLVE_FALLBACK_SHADER;
    else if (strcmp(word, "incomplete") == 0)
        caps->integer_incomplete = true;
    else if (strcmp(word, "border_shader") == 0)
        caps->border_in_shader = true;
    else
        unknown(word);
}

/* The next word of a list; false after the last. */
static bool next_word(const char **list, char word[64])
{
    *list += strspn(*list, " ");
    size_t length = strcspn(*list, " ");
    if (!length)
        return false;
    assert_true(length < 64);
    memcpy(word, *list, length);
    word[length] = '\0';
    *list += length;
    return true;
}

void words_read(const char *state, const char *view, const char *caps, struct words_pair *pair)
{
    VkSamplerGLStateCreateInfoCLAMPLER gl = {
        .minFilter = TOKEN_LINEAR, .minLod = -1000.0f, .maxLod = 1000.0f, .cubeMapSeamless = VK_TRUE};
    struct read_view read = {
        .info = {.viewType = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R8G8B8A8_UNORM}, .linear = true, .levels = 1};
    bool vulkan = false;
    const char *why;
    char word[64];
    memset(pair, 0, sizeof(*pair));
    pair->caps = (struct resolve_caps){.mirror_clamp_to_edge = true,
                                       .anisotropy = true,
                                       .custom_border_color = true,
                                       .custom_border_color_without_format = true,
                                       .border_swizzle = true,
                                       .non_seamless_cube = true,
                                       .sampler_filter_minmax = true,
                                       .minmax_swizzle = true,
                                       .gl_fallback = RESOLVE_FALLBACK_NEAREST,
                                       .max_lod_bias = 16.0f,
                                       .max_anisotropy = 16.0f};
    while (next_word(&caps, word))
        read_caps(word, &pair->caps);
    while (next_word(&state, word))
        if (strcmp(word, "vk") == 0)
            vulkan = true;
        else
            read_state(word, &gl);
    if (vulkan)
        as_vulkan(&gl, &pair->state);
    else
        assert_true(resolve_gl_state(&gl, 0, &pair->caps, &pair->state, &why));
    while (next_word(&view, word))
        read_view(word, &read);
    finish_view(&read, &pair->view);
    pair->alone = read.alone;
}

/* ---- Writing ---- */

static void add(char *text, size_t size, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

void words_of_border(const uint32_t border[4], bool integer, char *text, size_t size)
{
    float f[4];
    memcpy(f, border, sizeof(f));
    text[0] = '\0';
    if (integer)
        add(text, size, "#%d %d %d %d", (int)border[0], (int)border[1], (int)border[2], (int)border[3]);
    else
        add(text, size, "%g %g %g %g", (double)f[0], (double)f[1], (double)f[2], (double)f[3]);
}

static void add_border(const struct driver_sampler *driver, char *text, size_t size)
{
    static const char *const names[] = {[VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK] = " black",
                                        [VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE] = " white",
                                        [VK_BORDER_COLOR_INT_TRANSPARENT_BLACK] = " #clear",
                                        [VK_BORDER_COLOR_INT_OPAQUE_BLACK] = " #black",
                                        [VK_BORDER_COLOR_INT_OPAQUE_WHITE] = " #white"};
    if (!driver->custom_border) {
        if (driver->info.borderColor)
            add(text, size, "%s", names[driver->info.borderColor]);
        return;
    }
    char color[64];
    words_of_border(driver->border.uint32, driver->info.borderColor == VK_BORDER_COLOR_INT_CUSTOM_EXT, color,
                    sizeof(color));
    add(text, size, " (%s)", color);
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]) && driver->border_format; i++)
        if ((VkFormat)formats[i].value == driver->border_format) {
            add(text, size, " named=%s", formats[i].name);
            break;
        }
}

void words_of_driver(const struct resolved *result, char *text, size_t size)
{
    static const char *const modes[] = {"REPEAT", "MIRRORED_REPEAT", "TO_EDGE", "TO_BORDER", "MIRROR_TO_EDGE"};
    const struct driver_sampler *driver = &result->driver;
    const VkSamplerCreateInfo *info = &driver->info;
    text[0] = '\0';
    /* magnification, minification, mipmaps: N nearest, L linear */
    add(text, size, "%c%c%c %s", "NL"[info->magFilter], "NL"[info->minFilter], "NL"[info->mipmapMode],
        modes[info->addressModeU]);
    if (info->addressModeV != info->addressModeU || info->addressModeW != info->addressModeU)
        add(text, size, "/%s/%s", modes[info->addressModeV], modes[info->addressModeW]);
    add_border(driver, text, size);
    if (driver->border_mapping)
        add(text, size, " mapping=%c%c%c%c%s", "=01RGBA"[driver->mapping.r], "=01RGBA"[driver->mapping.g],
            "=01RGBA"[driver->mapping.b], "=01RGBA"[driver->mapping.a], driver -> border_srgb ? " srgb" : "");
    if (info->compareEnable)
        add(text, size,
            info->compareOp == VK_COMPARE_OP_NEVER    ? " compare=never"
            : info->compareOp == VK_COMPARE_OP_ALWAYS ? " compare=always"
                                                      : " compare");
    if (info->mipLodBias != 0.0f)
        add(text, size, " bias=%g", (double)info->mipLodBias);
    bool all_levels = info->minLod == 0.0f && info->maxLod == 1000.0f,
         base = info->minLod == 0.0f && info->maxLod == 0.25f;
    if (!all_levels)
        add(text, size, base ? " base" : " lod=%g..%g", (double)info->minLod, (double)info->maxLod);
    if (info->anisotropyEnable)
        add(text, size, " aniso=%g", (double)info->maxAnisotropy);
    if (info->flags & 4)
        add(text, size, " faces");
    if (driver->reduction)
        add(text, size, driver->reduction == VK_SAMPLER_REDUCTION_MODE_MIN ? " minimum" : " maximum");
    if (result->program_suffices)
        add(text, size, " own");
}

void words_of_asks(const struct resolved *result, char *text, size_t size)
{
    static const struct word flags[] = {
        {" RECTANGLE", RECORD_RECTANGLE},
        {" COORDS", RECORD_COORDS},
        {" FILTER", RECORD_FILTER},
        {" IF_MIPS", RECORD_FILTER_IF_MIPS},
        {" IF_OFFSET", RECORD_FILTER_IF_OFFSET},
        {" IF_GATHER", RECORD_FILTER_IF_GATHER},
        {" BIAS", RECORD_BIAS},
    };
    static const struct word pairs[] = {
        {" BORDER", RECORD_PAIR_BORDER},
        {" NON_SEAMLESS", RECORD_PAIR_NON_SEAMLESS},
        {" SRGB_SKIP", RECORD_PAIR_SRGB_SKIP},
    };
    static const char *const views[] = {" plain view", "", " UNORM view", " incomplete view"};
    text[0] = '\0';
    add(text, size, "%u", (unsigned)result->tier);
    for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
        if (result->record.flags & flags[i].value)
            add(text, size, "%s", flags[i].name);
    /* Of both in one the pair flags below SRGB_SKIP are channels. */
    uint32_t pair_flags = result->record.lod;
    const bool together = result->view == RESOLVE_VIEW_UNORM || pair_flags & RECORD_PAIR_SRGB;
    if (together && pair_flags & RECORD_PAIR_SRGB_SKIP)
        pair_flags &= ~RECORD_PAIR_BORDER;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
        if (pair_flags & pairs[i].value)
            add(text, size, "%s", pairs[i].name);
    if (result->record.depth_bias & RECORD_DEPTH_PROMOTED)
        add(text, size, " DREF");
    add(text, size, "%s", views[result->view]);
}
