/* SPDX-License-Identifier: MIT */
/*
 * Puts into words the reasons that the stages of resolving a pair (resolve/pair.h) left: for the log, for dumps and for
 * CLAMPLER_GET_PAIR_REASON. Nothing depends on these words.
 */
#include <stdio.h>
#include <string.h>

#include "resolve/pair.h"
#include "resolve/wrap.h"
#include "text/text.h"

/* Reasons are collected into one line. */
struct line {
    char *text;
    size_t size, length;
};

static void add(struct line *line, const char *words)
{
    size_t length = strlen(words);
    if (line->length + 1 >= line->size)
        return;
    if (length > line->size - 1 - line->length)
        length = line->size - 1 - line->length;
    memcpy(line->text + line->length, words, length);
    line->length += length;
    line->text[line->length] = '\0';
}

static void begin(struct line *line)
{
    if (line->length)
        add(line, "; ");
}

static const char *const words[WHY_COUNT] = {
    [WHY_INCOMPLETE] = "integers under a linear filter are incomplete: (0, 0, 0, 1)",
    [WHY_INTEGER_NEAREST] = "nearest filters: integers cannot be filtered",
    [WHY_FORMAT_NEAREST] = "nearest filters: the view's format cannot be filtered",
    [WHY_FORMAT_SHADER] = "filtered in the shader: the view's format cannot be filtered by the driver",
    [WHY_FORMAT_LEFT] = "the view's format cannot be filtered, which linear_fallback = off leaves to the driver",
    [WHY_SAMPLERS_FULL] = "filtered in the shader: the driver has as many samplers as it can",
    [WHY_NOT_DEPTH] = "not compared: the view shows no depth",
    [WHY_COMPARED_CONSTANT] = "compared never or always: the view's swizzle shows a constant of the result",
    [WHY_RECTANGLE] = "texel coordinates divided by the size",
    [WHY_BORDERED] = "filtered in the shader: the image has border texels around the texture",
    [WHY_SRGB_VIEW] = "sRGB not decoded: a UNORM view",
    [WHY_SRGB_SHADER] = "filtered in the shader: sRGB not decoded, and no UNORM view is available",
    [WHY_TEXEL_MODES] = "mirroring and repeating are not allowed with unnormalised coordinates",
    [WHY_FACES_SHADER] = "filtered in the shader: the driver has seamless cubes only",
    [WHY_FACES_MODES] = "filtered in the shader: no mode of the driver wraps the faces like this",
    [WHY_LEVELS] = "filtered in the shader: the bounds differ from level to level",
    [WHY_BIAS_SUM] = "the shader adds the part of its own bias beyond the device's limit",
    [WHY_LEAST_LOD] = "the shader keeps least levels of detail from choosing a level",
    [WHY_COMPARE_FAIL] = "comparisons that fail give the texture's value, in the shader",
    [WHY_DREF] = "the value to compare with clamped: fixed-point depth in floats",
    [WHY_ISOTROPIC_GRADIENTS] = "isotropic: the driver ignores gradients under anisotropy",
    [WHY_ISOTROPIC_FORMAT] = "isotropic: the view's format cannot be filtered",
    [WHY_ISOTROPIC_DEVICE] = "isotropic: the device has no anisotropy",
    [WHY_TRILINEAR] = "not anisotropic: the shader filters trilinearly here",
    [WHY_CUBIC] = "cubic in the shader",
    [WHY_PROBES] = "anisotropic in the shader, by probes",
    [WHY_REDUCTION_DEVICE] = "minimum or maximum in the shader: the device has none",
    [WHY_REDUCTION_COMPARE] = "weighted average: no minimum or maximum of comparisons",
    [WHY_REDUCTION_FORMAT] = "minimum or maximum in the shader: the view's format has none",
    [WHY_REDUCTION_SWIZZLE] = "minimum or maximum in the shader: the device has none of swizzled views",
    [WHY_REDUCTION_DRIVER] = "minimum or maximum in the shader: the driver's are wrong for two filters or levels",
    [WHY_BORDER_DEVICE] = "the driver cannot show the border colour: the shader places it",
    [WHY_BORDER_SETTING] = "border_color = shader: the shader places the border colour",
    [WHY_BORDER_FORMAT] = "the driver needs a format with the border colour, and none is known: the shader places it",
    [WHY_BORDER_SWIZZLE] = "the driver does not swizzle the border colour with the view: the shader places it",
    [WHY_BORDER_ANY_VIEW] = "the border colour is beyond [0, 1], which some views clamp: the shader places it",
};

static void add_wraps(const struct resolved_pair *pair, struct line *line)
{
    const uint8_t *wraps = pair->wanted.wrap;
    for (uint32_t axis = 0; axis < wrap_axes(pair); axis++) {
        const struct wrap_rule *rule = wrap_rule_of(pair, axis);
        /* Programs set all axes alike: once is enough. */
        bool said = (axis > 0 && wraps[axis] == wraps[axis - 1]) || (axis > 1 && wraps[axis] == wraps[0]);
        if (!rule || !rule->reason || said)
            continue;
        begin(line);
        add(line, wrap_mode(wraps[axis])->name);
        add(line, ": ");
        add(line, rule->reason);
    }
}

static void add_cut_bias(const struct resolved_pair *pair, struct line *line)
{
    char text[80], number[TEXT_NUMBER];
    snprintf(text, sizeof(text), "the shader adds the LOD bias beyond the device's %s",
             text_number((double)pair->caps->max_lod_bias, number));
    add(line, text);
}

void reason_of_pair(const struct resolved_pair *pair, char *text, size_t size)
{
    struct line line = {text, size, 0};
    text[0] = '\0';
    for (uint32_t why = 0; why < WHY_COUNT; why++) {
        if (!(pair->why >> why & 1))
            continue;
        if (why == WHY_WRAPS) {
            add_wraps(pair, &line);
            continue;
        }
        bool only_gathers = why == WHY_GATHERS && !line.length;
        begin(&line);
        if (why == WHY_BIAS_CUT)
            add_cut_bias(pair, &line);
        else if (why == WHY_GATHERS)
            add(&line,
                only_gathers ? "native, but for gathers: filtered in the shader" : "gathers filtered in the shader");
        else
            add(&line, words[why]);
    }
    if (!line.length)
        add(&line, "native");
}
