/* SPDX-License-Identifier: MIT */
#include "chaos/palette.h"

/* ---- Samplers ---- */

static uint32_t one_of(struct dice *dice, const uint32_t *numbers, uint32_t count)
{
    return numbers[dice_below(dice, count)];
}
#define ONE_OF(dice, numbers) one_of((dice), (numbers), sizeof(numbers) / sizeof((numbers)[0]))

static const uint32_t calm_wraps[] = {GL_REPEAT, GL_CLAMP_TO_EDGE, GL_MIRRORED_REPEAT};
static const uint32_t moved_wraps[] = {GL_CLAMP, GL_MIRROR_CLAMP_EXT, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_BORDER};
static const uint32_t all_wraps[] = {GL_REPEAT,
                                     GL_CLAMP,
                                     GL_CLAMP_TO_EDGE,
                                     GL_CLAMP_TO_BORDER,
                                     GL_MIRRORED_REPEAT,
                                     GL_MIRROR_CLAMP_EXT,
                                     GL_MIRROR_CLAMP_TO_EDGE_EXT,
                                     GL_MIRROR_CLAMP_TO_BORDER_EXT};
static const uint32_t min_filters[] = {GL_NEAREST,
                                       GL_LINEAR,
                                       GL_NEAREST_MIPMAP_NEAREST,
                                       GL_LINEAR_MIPMAP_NEAREST,
                                       GL_NEAREST_MIPMAP_LINEAR,
                                       GL_LINEAR_MIPMAP_LINEAR};

static void choose_wraps(VkSamplerGLStateCreateInfoCLAMPLER *state, enum mood mood, struct dice *dice)
{
    uint32_t *const wraps[] = {&state->wrapS, &state->wrapT, &state->wrapR};
    for (unsigned i = 0; i < 3; i++)
        *wraps[i] = mood == MOOD_CALM          ? ONE_OF(dice, calm_wraps)
                    : mood == MOOD_COORDINATES ? ONE_OF(dice, moved_wraps)
                                               : ONE_OF(dice, all_wraps);
}

static void choose_filters(VkSamplerGLStateCreateInfoCLAMPLER *state, enum mood mood, struct dice *dice)
{
    static const uint32_t linear[] = {GL_LINEAR, GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR_MIPMAP_LINEAR};
    static const uint32_t nearest[] = {GL_NEAREST, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST_MIPMAP_LINEAR};
    const bool filters = !dice_one_in(dice, 3);
    state->magFilter = filters ? GL_LINEAR : GL_NEAREST;
    state->minFilter = mood == MOOD_WILD ? ONE_OF(dice, min_filters)
                       : filters         ? ONE_OF(dice, linear)
                                         : ONE_OF(dice, nearest);
    state->maxLod = 1000;
    if (mood != MOOD_WILD)
        return;
    if (dice_one_in(dice, 6))
        state->minLod = 1;
    if (dice_one_in(dice, 6))
        state->maxLod = 1;
    if (dice_one_in(dice, 6))
        state->lodBias = (float)dice_below(dice, 5) * 0.5f - 1;
    if (dice_one_in(dice, 4))
        state->srgbDecode = GL_SKIP_DECODE_EXT;
    if (dice_one_in(dice, 16))
        state->reductionMode = dice_one_in(dice, 2) ? GL_MIN : GL_MAX;
    if (state->reductionMode && state->minFilter == GL_NEAREST_MIPMAP_LINEAR) /* lavapipe blends those of two levels */
        state->minFilter = GL_NEAREST_MIPMAP_NEAREST;
    if (state->reductionMode && state->minFilter == GL_LINEAR_MIPMAP_LINEAR)
        state->minFilter = GL_LINEAR_MIPMAP_NEAREST;
}

/*
 * Beside a least level of the view drivers differ in whether lookups magnify, and in which of two bounds wins; and half
 * a texel at the mirror line is that of another level (docs/limits.md).
 */
static void suit_least_levels(VkSamplerGLStateCreateInfoCLAMPLER *state)
{
    const bool linear = state->magFilter == GL_LINEAR,
               between = state->minFilter == GL_LINEAR_MIPMAP_LINEAR || state->minFilter == GL_NEAREST_MIPMAP_LINEAR;
    uint32_t *const wraps[] = {&state->wrapS, &state->wrapT, &state->wrapR};
    state->minFilter = linear ? (between ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR_MIPMAP_NEAREST)
                              : (between ? GL_NEAREST_MIPMAP_LINEAR : GL_NEAREST_MIPMAP_NEAREST);
    state->maxLod = 1000;
    for (unsigned i = 0; i < 3 && !linear; i++)
        if (*wraps[i] == GL_MIRROR_CLAMP_EXT || *wraps[i] == GL_MIRROR_CLAMP_TO_BORDER_EXT)
            *wraps[i] = GL_MIRROR_CLAMP_TO_EDGE_EXT;
}

/*
 * What Vulkan's samplers can have by extensions that the layer offers, in GL's words: other filters and wraps than
 * moods have, and one colour in all channels, which is the border however a view maps it.
 */
static void choose_offered(const struct device *device, VkSamplerGLStateCreateInfoCLAMPLER *state, struct dice *dice)
{
    static const uint32_t wraps[] = {GL_REPEAT,          GL_CLAMP_TO_EDGE,   GL_CLAMP_TO_BORDER,
                                     GL_CLAMP_TO_BORDER, GL_MIRRORED_REPEAT, GL_MIRROR_CLAMP_TO_EDGE_EXT};
    static const float degrees[] = {2, 2.5f, 4, 16};
    *state = (VkSamplerGLStateCreateInfoCLAMPLER){.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER};
    state->wrapS = ONE_OF(dice, wraps);
    state->wrapT = ONE_OF(dice, wraps);
    state->wrapR = GL_REPEAT;
    state->minFilter = ONE_OF(dice, min_filters);
    state->magFilter = dice_one_in(dice, 2) ? GL_LINEAR : GL_NEAREST;
    state->maxLod = 1000;
    if (dice_one_in(dice, 3)) {
        state->minFilter = REFERENCE_CUBIC;
        state->magFilter = REFERENCE_CUBIC;
    } else if (dice_one_in(dice, 3)) {
        state->minFilter =
            state->minFilter == GL_NEAREST || state->minFilter == GL_LINEAR ? GL_LINEAR : GL_LINEAR_MIPMAP_NEAREST;
        state->magFilter = GL_LINEAR;
        state->reductionMode = dice_one_in(dice, 2) ? GL_MIN : GL_MAX;
    } else if (dice_one_in(dice, 2)) { /* the layer's probes, which the reference sampler has as well */
        state->minFilter = state->minFilter == GL_NEAREST ? GL_LINEAR : state->minFilter;
        state->magFilter = GL_LINEAR;
        state->maxAnisotropy = degrees[dice_below(dice, 4)];
    }
    if (device->least_levels)
        suit_least_levels(state);
}

/* Of dice of their own: what came before does what it did. */
static void choose_capabilities(struct device *device, struct dice aside)
{
    VkSamplerGLStateCreateInfoCLAMPLER *wild = &device->palette.samplers[MOOD_WILD];
    if (device->cubic && !device->least_levels && dice_one_in(&aside, 3)) {
        static const uint32_t cubic[] = {REFERENCE_CUBIC, REFERENCE_CUBIC_MIPMAP_NEAREST,
                                         REFERENCE_CUBIC_MIPMAP_LINEAR};
        wild->minFilter = ONE_OF(&aside, cubic);
        wild->magFilter = dice_one_in(&aside, 4) ? GL_LINEAR : REFERENCE_CUBIC;
        wild->reductionMode = 0;
    }
    choose_offered(device, &device->palette.offered, &aside);
}

void palette_choose_state(const struct device *device, VkSamplerGLStateCreateInfoCLAMPLER *state, enum mood mood,
                          struct dice *dice)
{
    *state = (VkSamplerGLStateCreateInfoCLAMPLER){.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER};
    choose_wraps(state, mood, dice);
    choose_filters(state, mood, dice);
    if (device->least_levels)
        suit_least_levels(state);
}

/* ---- Views ---- */

static uint32_t choose_base(const struct format *format, struct dice *dice)
{
    static const uint32_t of_one[] = {0, GL_RED, GL_ALPHA, GL_LUMINANCE, GL_INTENSITY};
    static const uint32_t of_two[] = {0, GL_RED, GL_RG, GL_LUMINANCE, GL_LUMINANCE_ALPHA};
    static const uint32_t of_four[] = {0,           GL_RGB, GL_RGBA, GL_RG, GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA,
                                       GL_INTENSITY};
    static const uint32_t of_srgb[] = {0, GL_RGB, GL_RGBA};
    return format->srgb            ? ONE_OF(dice, of_srgb)
           : format->channels == 1 ? ONE_OF(dice, of_one)
           : format->channels == 2 ? ONE_OF(dice, of_two)
                                   : ONE_OF(dice, of_four);
}

/* Of a quarter more devices images are of sRGB, and most samplers that ask for anything do not decode it: for fetches.
 */
static void choose_decoding(struct palette *palette, struct dice aside)
{
    if (dice_one_in(&aside, 4))
        palette->formats[0] = palette->formats[1] = LOOKUP_SRGB8_ALPHA8;
    if (palette->formats[0] == LOOKUP_SRGB8_ALPHA8 && dice_below(&aside, 4))
        palette->samplers[MOOD_WILD].srgbDecode = GL_SKIP_DECODE_EXT;
}

/* Images are of one format and views of one kind; or of two, on a few devices. */
void palette_choose(struct device *device, struct dice *dice)
{
    static const enum lookup_format formats[] = {LOOKUP_R8,   LOOKUP_RGBA8,   LOOKUP_SRGB8_ALPHA8, LOOKUP_RG8,
                                                 LOOKUP_R32F, LOOKUP_RGBA16F, LOOKUP_RGBA8_SNORM,  LOOKUP_DEPTH32F};
    static const uint32_t depth_modes[] = {0, GL_RED, GL_LUMINANCE, GL_INTENSITY, GL_ALPHA};
    static const uint32_t swizzles[] = {GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA, GL_ONE, GL_ZERO};
    struct palette *palette = &device->palette;
    const bool two_formats = dice_one_in(dice, 4), two_kinds = dice_one_in(dice, 4);
    for (unsigned i = 0; i < MOODS; i++)
        palette_choose_state(device, &palette->samplers[i], (enum mood)i, dice);
    if (device->mild) { /* what moved coordinates are enough for */
        VkSamplerGLStateCreateInfoCLAMPLER *state = &palette->samplers[MOOD_COORDINATES];
        state->wrapS = GL_CLAMP;
        state->wrapT = GL_CLAMP_TO_EDGE;
        state->magFilter = state->minFilter = GL_LINEAR;
    }
    for (unsigned i = 0; i < 2; i++) {
        palette->formats[i] =
            formats[dice_below(dice, device->gl && !device->mild ? 8 : 7)]; /* the last one needs GL views */
        if (!two_formats)
            palette->formats[i] = palette->formats[0];
    }
    if (device->fetches)
        choose_decoding(palette, dice_of(~dice->state));
    if (device->cubic || device->offered)
        choose_capabilities(device, dice_of(dice->state ^ 0x9e3779b9));
    for (unsigned i = 0; i < 2; i++) {
        const enum lookup_format format = palette->formats[i];
        const bool depth = format_is_depth(format), swizzled = dice_one_in(dice, 2);
        palette->views[i].gl = device->gl && !device->mild && (depth || dice_one_in(dice, 2));
        if (!palette->views[i].gl)
            continue;
        if (depth)
            palette->views[i].depth_mode = ONE_OF(dice, depth_modes);
        else
            palette->views[i].base_format = choose_base(format_of(format), dice);
        for (unsigned c = 0; c < 4 && swizzled; c++)
            palette->views[i].swizzle[c] = ONE_OF(dice, swizzles);
    }
    if (!two_formats && !two_kinds)
        palette->views[1] = palette->views[0];
}
