/* SPDX-License-Identifier: MIT */
/*
 * Border colours against a model of drivers: any base format, swizzle, colour and device. Whatever the ladder takes,
 * the driver's border must come out as GL's, and where the shader places it the record must hold it. Drivers that say
 * nothing of swizzles may follow the view's mapping or not: both are tried.
 *
 * The right colour is worked out here once more, from the tables of OpenGL 4.6 compatibility (8.18, 8.14.2), in
 * letters.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "resolve/resolve.h"
#include "resolve_pair.h"

enum kind { FLOATS, UNSIGNED, SIGNED };

static const struct format {
    VkFormat format;
    const char *channels;
    enum kind kind;
    double low, high;          /* of what a channel can be; equal: anything */
    uint32_t internal;         /* the GL format that it stands for; 0: itself */
    double requires_emulation; /* the greatest blue (floats) or alpha (integers), if that is another one; else 0 */
} formats[] = {
    {VK_FORMAT_R8G8B8A8_UNORM, "RGBA", FLOATS, 0, 1, 0, 0},
    {VK_FORMAT_R8G8B8A8_SRGB, "RGBA", FLOATS, 0, 1, 0, 0},
    {VK_FORMAT_R8G8B8A8_SNORM, "RGBA", FLOATS, -1, 1, 0, 0},
    {VK_FORMAT_R8G8_UNORM, "RG", FLOATS, 0, 1, 0, 0},
    {VK_FORMAT_R8_UNORM, "R", FLOATS, 0, 1, 0, 0},
    {VK_FORMAT_R16_SNORM, "R", FLOATS, -1, 1, 0, 0},
    {VK_FORMAT_B5G6R5_UNORM_PACK16, "RGB", FLOATS, 0, 1, 0, 0},
    {VK_FORMAT_R16G16_SFLOAT, "RG", FLOATS, -65504, 65504, 0, 0},
    {VK_FORMAT_R32G32B32A32_SFLOAT, "RGBA", FLOATS, 0, 0, 0, 0},
    {VK_FORMAT_R32_SFLOAT, "R", FLOATS, 0, 0, 0, 0},
    {VK_FORMAT_BC1_RGB_UNORM_BLOCK, "RGB", FLOATS, 0, 1, 0, 0},
    {VK_FORMAT_BC3_UNORM_BLOCK, "RGBA", FLOATS, 0, 1, 0, 0},
    {VK_FORMAT_EAC_R11G11_SNORM_BLOCK, "RG", FLOATS, -1, 1, 0, 0},
    {VK_FORMAT_ASTC_8x8_SRGB_BLOCK, "RGBA", FLOATS, 0, 1, 0, 0},
    {VK_FORMAT_R8G8B8A8_UINT, "RGBA", UNSIGNED, 0, 255, 0, 0},
    {VK_FORMAT_R8G8_SINT, "RG", SIGNED, -128, 127, 0, 0},
    {VK_FORMAT_R16_UINT, "R", UNSIGNED, 0, 65535, 0, 0},
    {VK_FORMAT_R32G32B32A32_SINT, "RGBA", SIGNED, 0, 0, 0, 0},
    {VK_FORMAT_A2B10G10R10_UINT_PACK32, "RGBA", UNSIGNED, 0, 1023, 0, 3},
    {VK_FORMAT_A2R10G10B10_SINT_PACK32, "RGBA", SIGNED, -512, 511, 0, 1},
    {VK_FORMAT_B10G11R11_UFLOAT_PACK32, "RGB", FLOATS, 0, 65024, 0, 64512},
    {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, "RGB", FLOATS, 0, 65408, 0, 0},
    {VK_FORMAT_R16G16_UINT, "RG", UNSIGNED, 0, 255, 0x8232 /* R8UI */, 0},
    {VK_FORMAT_R32G32B32A32_SINT, "RGBA", SIGNED, -128, 127, 0x8D8E /* RGBA8I */, 0},
    {VK_FORMAT_R32G32B32A32_SINT, "RGBA", SIGNED, -32768, 32767, 0x8D88 /* RGBA16I */, 0},
    {VK_FORMAT_R32G32B32A32_UINT, "RGBA", UNSIGNED, 0, 65535, 0x8D76 /* RGBA16UI */, 0},
    {VK_FORMAT_R16G16B16A16_UINT, "RGBA", UNSIGNED, 0, 1023, 0x906F /* RGB10_A2UI */, 3},
    {VK_FORMAT_R8G8B8A8_UINT, "RGBA", UNSIGNED, 0, 255, 0x8D70 /* RGBA32UI, of which 8 bits are left */, 0},
    {VK_FORMAT_R32G32_UINT, "RG", UNSIGNED, 0, 255, 0x8D81 /* LUMINANCE_ALPHA8UI */, 0},
    {VK_FORMAT_R32G32B32A32_SFLOAT, "RGBA", FLOATS, -65504, 65504, 0x881A /* RGBA16F */, 0},
    {VK_FORMAT_R16G16B16A16_SFLOAT, "RGBA", FLOATS, 0, 65024, 0x8C3A /* R11F_G11F_B10F */, 64512},
    {VK_FORMAT_R32G32B32A32_SFLOAT, "RGBA", FLOATS, 0, 65408, 0x8C3D /* RGB9_E5 */, 0},
    {VK_FORMAT_R16G16B16A16_SFLOAT, "RGBA", FLOATS, 0, 1, 0x8058 /* RGBA8 */, 0},
};

static const struct base {
    uint32_t token;
    const char *shows;
} bases[] = {
    {TOKEN_RED, "R001"},
    {TOKEN_RG, "RG01"},
    {TOKEN_RGB, "RGB1"},
    {TOKEN_RGBA, "RGBA"},
    {TOKEN_ALPHA, "000A"},
    {TOKEN_LUMINANCE, "RRR1"},
    {TOKEN_LUMINANCE_ALPHA, "RRRA"},
    {TOKEN_INTENSITY, "RRRR"},
};

static uint64_t random_state = 88172645463325252u;

static uint32_t below(uint32_t bound)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 32) % bound;
}

struct scene {
    const struct format *format;
    const struct base *base;
    char swizzle[5]; /* "RGBA01" */
    uint32_t color[4];
    struct resolve_caps caps;
    struct view_facts view;
    VkComponentMapping mapping;
    struct sampler_state state;
};

static uint32_t token_of(char letter)
{
    return letter == '0' ? 0 : letter == '1' ? 1 : 0x1903u + (uint32_t)(strchr("RGBA", letter) - "RGBA");
}

static uint32_t any_color(enum kind kind)
{
    static const float floats[] = {0, 1, 0, 1, 0.5f, 0.25f, -0.5f, 2, -3, 65000, 65200, 1e6f, -1e6f};
    static const uint32_t ints[] = {0, 1, 0, 1, 2, 7, 255, 256, 1024, 70000, 0xFFFFFFFF, 0xFFFFFF00, 0x80000000};
    uint32_t bits;
    if (kind != FLOATS)
        return ints[below(sizeof(ints) / sizeof(*ints))];
    memcpy(&bits, &floats[below(sizeof(floats) / sizeof(*floats))], sizeof(bits));
    return bits;
}

/* False: GL does not keep such a texture there. */
static bool make_scene(struct scene *s)
{
    s->format = &formats[below(sizeof(formats) / sizeof(*formats))];
    s->base = &bases[below(sizeof(bases) / sizeof(*bases))];
    bool swizzled = below(2);
    for (int i = 0; i < 4; i++) {
        s->swizzle[i] = swizzled ? "RGBARGBA01"[below(10)] : "RGBA"[i];
        s->color[i] = any_color(s->format->kind);
    }
    s->swizzle[4] = '\0';
    if (strcmp(s->swizzle, "0000") == 0)
        return false; /* stands for identity */
    s->caps = (struct resolve_caps){.custom_border_color = below(4) != 0,
                                    .custom_border_color_without_format = below(2),
                                    .border_swizzle = below(2),
                                    .border_swizzle_from_image = false,
                                    .gl_fallback = RESOLVE_FALLBACK_NEAREST,
                                    .max_lod_bias = 16.0f,
                                    .max_anisotropy = 16.0f};
    s->caps.border_swizzle_from_image = s->caps.border_swizzle && below(2);
    VkSamplerGLStateCreateInfoCLAMPLER sampler = {.wrapS = TOKEN_CLAMP_TO_BORDER,
                                                  .wrapT = TOKEN_CLAMP_TO_BORDER,
                                                  .minFilter = TOKEN_NEAREST,
                                                  .magFilter = TOKEN_NEAREST};
    VkImageViewGLStateCreateInfoCLAMPLER view = {.internalFormat = s->format->internal,
                                                 .baseFormat = s->base->token,
                                                 .swizzle = {token_of(s->swizzle[0]), token_of(s->swizzle[1]),
                                                             token_of(s->swizzle[2]), token_of(s->swizzle[3])}};
    VkImageViewCreateInfo info = {.viewType = VK_IMAGE_VIEW_TYPE_2D,
                                  .format = s->format->format,
                                  .subresourceRange.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    const char *why;
    memcpy(&sampler.borderColor, s->color, sizeof(s->color));
    assert_true(resolve_gl_state(&sampler, 0, &s->caps, &s->state, &why));
    if (!view_facts_from_gl(&view, &info, &s->view, &s->mapping, &why))
        return false;
    s->view.linear = true;
    return true;
}

/* `channel`: 0 red .. 3 alpha. */
static uint32_t clamped(const struct format *format, int channel, uint32_t bits)
{
    float value;
    double low = format->low, high = format->high;
    if (low == high)
        return bits;
    if (format->requires_emulation > 0 && channel == (format->kind == FLOATS ? 2 : 3)) {
        high = format->requires_emulation;
        low = format->kind == SIGNED ? -high - 1 : low;
    }
    double number = format->kind == SIGNED ? (double)(int32_t)bits : (double)bits;
    if (format->kind == FLOATS) {
        memcpy(&value, &bits, sizeof(value));
        number = (double)value;
    }
    number = number < low ? low : number > high ? high : number;
    if (format->kind != FLOATS)
        return format->kind == SIGNED ? (uint32_t)(int32_t)number : (uint32_t)number;
    value = (float)number;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static uint32_t one_of(const struct format *format)
{
    return format->kind == FLOATS ? 0x3F800000 : 1;
}

/* Can the format keep what GL calls this channel of the base format? */
static bool keeps(const struct scene *s, char letter)
{
    if (letter != 'A' || strchr(s->format->channels, 'A'))
        return strchr(s->format->channels, letter) != NULL;
    return s->base->token == TOKEN_ALPHA ||
           s->base->token == TOKEN_LUMINANCE_ALPHA; /* ALPHA in red, LUMINANCE_ALPHA's in green */
}

/* What GL shows. */
static void right_color(const struct scene *s, uint32_t color[4])
{
    for (int i = 0; i < 4; i++) {
        char letter = s->swizzle[i];
        if (letter != '0' && letter != '1') {
            char shown = s->base->shows[strchr("RGBA", letter) - "RGBA"];
            letter = shown == '0' || shown == '1' ? shown : keeps(s, shown) ? shown : shown == 'A' ? '1' : '0';
        }
        const int channel = letter == '0' || letter == '1' ? 0 : (int)(strchr("RGBA", letter) - "RGBA");
        color[i] = letter == '0'   ? 0
                   : letter == '1' ? one_of(s->format)
                                   : clamped(s->format, channel, s->color[channel]);
    }
}

static void sampler_color(const struct driver_sampler *driver, uint32_t color[4])
{
    static const uint32_t one_float = 0x3F800000;
    VkBorderColor border = driver->info.borderColor;
    if (driver->custom_border) {
        memcpy(color, &driver->border, 4 * sizeof(*color));
        return;
    }
    bool integer = border & 1, white = border >= VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
    bool opaque = border >= VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK;
    color[0] = color[1] = color[2] = white ? (integer ? 1 : one_float) : 0;
    color[3] = opaque ? (integer ? 1 : one_float) : 0;
}

/* What a driver shows: it adds what the format lacks, and swizzles, or shows its colour as it is. */
static void shown_color(const struct scene *s, const uint32_t color[4], bool swizzles, uint32_t shown[4])
{
    const VkComponentSwizzle mapping[4] = {s->mapping.r, s->mapping.g, s->mapping.b, s->mapping.a};
    bool identity = !mapping[0] && !mapping[1] && !mapping[2] && !mapping[3];
    for (int i = 0; i < 4; i++) {
        VkComponentSwizzle from = mapping[i] ? mapping[i] : (VkComponentSwizzle)(VK_COMPONENT_SWIZZLE_R + i);
        char letter = "=01RGBA"[from];
        if (!identity && !swizzles)
            shown[i] = color[i];
        else if (letter == '0' || letter == '1')
            shown[i] = letter == '1' ? one_of(s->format) : 0;
        else if (strchr(s->format->channels, letter))
            shown[i] = color[strchr("RGBA", letter) - "RGBA"];
        else
            shown[i] = letter == 'A' ? one_of(s->format) : 0;
    }
}

/* A driver with the extension follows the mapping that it is told, or that of the view if it can. */
static bool may_ignore_mapping(const struct scene *s, const struct driver_sampler *driver)
{
    if (!s->caps.border_swizzle)
        return true;
    if (s->caps.border_swizzle_from_image)
        return false;
    if (driver->border_mapping)
        assert_memory_equal(&driver->mapping, &s->mapping, sizeof(s->mapping));
    return !driver->border_mapping;
}

static void assert_shows(const struct scene *s, const struct driver_sampler *driver, bool swizzles)
{
    uint32_t color[4], shown[4], right[4];
    right_color(s, right);
    sampler_color(driver, color);
    shown_color(s, color, swizzles, shown);
    for (int i = 0; i < 4; i++)
        if (shown[i] != right[i])
            fail_msg("format %d base 0x%04X swizzle %s channel %d: 0x%08X, right is 0x%08X (driver %s)",
                     (int)s->format->format, (unsigned)s->base->token, s->swizzle, i, (unsigned)shown[i],
                     (unsigned)right[i], swizzles ? "swizzles" : "does not swizzle");
}

static void every_border_is_right_on_every_driver(void **unused)
{
    (void)unused;
    long native = 0, custom = 0, app_descriptors = 0;
    for (int i = 0; i < 300000; i++) {
        struct scene s;
        struct resolved result;
        if (!make_scene(&s))
            continue;
        resolve_pair(&s.state, &s.view, &s.caps, &result);
        if (result.tier == 2) {
            uint32_t right[4];
            right_color(&s, right);
            assert_memory_equal(result.record.border, right, sizeof(right));
            app_descriptors++;
            continue;
        }
        assert_int_equal(result.tier, 0);
        bool integer = result.driver.info.borderColor == VK_BORDER_COLOR_INT_CUSTOM_EXT ||
                       (!result.driver.custom_border && (result.driver.info.borderColor & 1));
        assert_int_equal(integer, s.format->kind != FLOATS);
        assert_shows(&s, &result.driver, true);
        if (may_ignore_mapping(&s, &result.driver))
            assert_shows(&s, &result.driver, false);
        if (result.driver.custom_border)
            custom++;
        else
            native++;
    }
    /* All steps of the ladder were taken. */
    assert_true(native > 10000 && custom > 10000 && app_descriptors > 10000);
}

/* Where a standard colour or a fixed point of the mapping serves, no pair goes to the shader. */
static void the_shader_places_only_what_the_driver_cannot_show(void **unused)
{
    (void)unused;
    for (int i = 0; i < 100000; i++) {
        struct scene s;
        struct resolved result;
        uint32_t right[4], shown[2][4];
        if (!make_scene(&s))
            continue;
        resolve_pair(&s.state, &s.view, &s.caps, &result);
        if (result.tier != 2)
            continue;
        right_color(&s, right);
        shown_color(&s, right, true, shown[0]);
        shown_color(&s, right, false, shown[1]);
        bool fixed = memcmp(shown[0], right, sizeof(right)) == 0 && memcmp(shown[1], right, sizeof(right)) == 0;
        assert_false(fixed && s.caps.custom_border_color);
        assert_false(s.caps.border_swizzle && s.caps.custom_border_color);
    }
}

/* The colour of a sampler and an image that meet in the shader, as shaders/filter.glsl makes it of both records. */
static void color_of_pair(const struct record *image, const struct record *sampler, uint32_t one, uint32_t color[4])
{
    const uint32_t kind = image->border[0] >> RECORD_BORDER_KIND_SHIFT & RECORD_BORDER_KIND_MASK;
    uint32_t all[6] = {0, one, 0, 0, 0, 0};
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t bits = sampler->border[i];
        const uint32_t high = image->border[i == (kind == RECORD_BORDER_KIND_FLOAT ? 2 : 3) ? 3 : 2];
        const int32_t most = (int32_t)high, whole = (int32_t)bits;
        const float value = record_float(bits), least = record_float(image->border[1]), greatest = record_float(high);
        if (kind == RECORD_BORDER_KIND_UINT)
            all[RECORD_BORDER_R + i] = bits < high ? bits : high;
        else if (kind == RECORD_BORDER_KIND_SINT)
            all[RECORD_BORDER_R + i] = (uint32_t)(whole > most ? most : whole < ~most ? ~most : whole);
        else
            all[RECORD_BORDER_R + i] = record_bits(value > greatest ? greatest : value < least ? least : value);
    }
    for (uint32_t i = 0; i < 4; i++)
        color[i] = all[image->border[0] >> 3 * i & RECORD_BORDER_SELECTOR_MASK];
}

static void records_of_pairs_hold_every_border(void **unused)
{
    (void)unused;
    for (int i = 0; i < 100000; i++) {
        struct scene s;
        struct resolved sampler;
        struct record image;
        uint32_t right[4], color[4];
        if (!make_scene(&s))
            continue;
        resolve_pair(&s.state, NULL, &s.caps, &sampler);
        resolve_image_record(&s.view, &s.caps, &image);
        right_color(&s, right);
        color_of_pair(&image, &sampler.record, one_of(s.format), color);
        assert_memory_equal(color, right, sizeof(right));
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_border_is_right_on_every_driver),
        cmocka_unit_test(the_shader_places_only_what_the_driver_cannot_show),
        cmocka_unit_test(records_of_pairs_hold_every_border),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
