/* SPDX-License-Identifier: MIT */
/*
 * blend [--profile NAME] [--full|--short] [--out FOLDER] [--above] [--no-validation] [--no-fill] [--alpha keep|mask]
 *       [--control] [--quiet] [--seed N]
 *
 * --alpha: how draws leave alpha at 1 (setting alpha_write); without it, as the layer chooses for the device.
 * --control: every case is drawn by the driver alone as well, where alpha is 1 in memory, and must be the same.
 * --no-fill: the layer does not fill alpha in memory, so that blend state alone must be right.
 *
 * Blends to attachments with and without alpha, with OpenGL and with Vulkan under the layer, and compares what memory
 * holds. Status 0 if every pixel of every case is OpenGL's (to one step of the format) and near the specification's or
 * what the driver is known to make of it (blend_deviations.h), the alpha of attachments without alpha is 1, the layer
 * acted where it had to, the validation layer was silent (below Clampler, or with --above over it) and no limit of the
 * profile was violated. Writes blend-PROFILE.json.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential/blend_deviations.h"
#include "differential/blend_voices.h"
#include "harness/text/json.h"
#include "limited_driver/limited_driver.h"

struct options {
    const char *profile, *out, *alpha;
    bool full, above, no_validation, no_fill, control;
};

struct tally {
    uint32_t cases, failed, gl_deviates, deviates, without_gl, left_out; /* the last: what the driver lacks */
};

enum { PRINTED = 12 };

static struct options read_options(int count, char **arguments)
{
    struct options options = {.profile = "full", .out = "build"};
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--full") == 0)
            options.full = true;
        else if (strcmp(arguments[i], "--short") == 0)
            options.full = false;
        else if (strcmp(arguments[i], "--above") == 0)
            options.above = true;
        else if (strcmp(arguments[i], "--no-validation") == 0)
            options.no_validation = true;
        else if (strcmp(arguments[i], "--no-fill") == 0)
            options.no_fill = true;
        else if (strcmp(arguments[i], "--control") == 0)
            options.control = true;
        else if (strcmp(arguments[i], "--alpha") == 0 && i + 1 < count)
            options.alpha = arguments[++i];
        else if (strcmp(arguments[i], "--quiet") == 0)
            continue; /* what the suites beside this one know; there is nothing random here */
        else if (strcmp(arguments[i], "--seed") == 0 && i + 1 < count)
            i++;
        else if (strcmp(arguments[i], "--profile") == 0 && i + 1 < count)
            options.profile = arguments[++i];
        else if (strcmp(arguments[i], "--out") == 0 && i + 1 < count)
            options.out = arguments[++i];
        else
            harness_fail("usage: blend [--profile NAME] [--full|--short] [--out FOLDER] [--above] [--no-validation] "
                         "[--no-fill] [--alpha keep|mask] [--control]");
    }
    return options;
}

static const char *layers_of(const struct options *options)
{
    const bool full = strcmp(options->profile, "full") == 0;
    if (!full)
        setenv("LIMITED_DRIVER_PROFILE", options->profile, 1);
    if (options->no_validation)
        return full ? "clampler" : "clampler:limited";
    if (options->above)
        return full ? "validation:clampler" : "validation:clampler:limited";
    return full ? "clampler:validation" : "clampler:validation:limited";
}

/* ---- One case ---- */

/* Without the layer's filling of alpha memory keeps its noise, and blend state alone must be right. */
static bool fills;

static bool near(enum blend_family family, float a, float b, float steps_off)
{
    const float steps = blend_family(family)->steps;
    if (steps == 0)
        return a == b || (isnan(a) && isnan(b));
    const float scale = family == BLEND_FLOAT16 ? fmaxf(1.0f, fmaxf(fabsf(a), fabsf(b))) : 1.0f;
    return fabsf(a - b) <= (steps_off + 0.01f) * scale / steps;
}

static bool colors_near(enum blend_family family, const float a[4], const float b[4], bool alpha, float steps)
{
    bool fine = near(family, a[0], b[0], steps) && near(family, a[1], b[1], steps) && near(family, a[2], b[2], steps);
    if (alpha) /* two bits of alpha: a step of them is a third */
        fine &= family == BLEND_RGB10 ? fabsf(a[3] - b[3]) < 0.34f : near(family, a[3], b[3], steps);
    return fine;
}

/* Drivers blend 8-bit colours with 8-bit factors, so that the specification's own value is a few steps away. */
static float specified_steps(enum blend_family family)
{
    return family == BLEND_SRGB8 ? 8.0f : family == BLEND_UNORM8 ? 3.0f : 2.0f;
}

enum verdict { FINE, DEVIATES, GL_DEVIATES, FAILED };

/* All that draws. */
struct suite {
    const struct options *options;
    struct blend_vulkan vulkan, native;
    struct blend_gl gl;
    bool kin;                /* Vulkan's driver and OpenGL's are one maker's, as their names begin */
    bool has_gl, has_native; /* the driver alone is opened when it is asked first */
    char driver_info[256];
};

/* What one case holds before and after, by all of them. */
struct drawn {
    const struct blend_case *one;
    struct blend_pixels before, vulkan, gl, native;
    bool has_gl, has_native;
};

static void draw_native(struct suite *suite, struct drawn *drawn)
{
    if (!suite->has_native) {
        blend_vulkan_open(&suite->native, NULL);
        harness_driver_info(&suite->native.vk, suite->driver_info, sizeof(suite->driver_info));
    }
    suite->has_native = true;
    if (!drawn->has_native)
        blend_vulkan_control(&suite->native, drawn->one, &drawn->before, &drawn->native);
    drawn->has_native = true;
}

/* A deviation is the driver's own: there is an entry, and the driver alone draws the same. */
static bool excused(struct suite *suite, struct drawn *drawn, const struct blend_deviating *pixel)
{
    float control[4];
    draw_native(suite, drawn);
    blend_decode(drawn->one->draw.family, &drawn->native, pixel->index, control);
    return blend_deviation_find(suite->native.vk.properties.deviceName, suite->driver_info, pixel) &&
           colors_near(drawn->one->draw.family, pixel->found, control, drawn->one->alpha, 1);
}

static enum verdict judge_pixel(struct suite *suite, struct drawn *drawn, uint32_t index, char *why, size_t why_size)
{
    const struct blend_case *one = drawn->one;
    const enum blend_family family = one->draw.family;
    const bool specified = !one->draw.logic && blend_has_numbers(family);
    float was[4], found[4], from_gl[4] = {0}, expected[4] = {0}, control[4] = {0};
    blend_decode(family, &drawn->before, index, was);
    blend_decode(family, &drawn->vulkan, index, found);
    blend_decode(family, &drawn->gl, index, from_gl);
    blend_decode(family, &drawn->native, index, control);
    if (specified)
        blend_reference(one, index, was, expected);
    const bool ones = !fills || one->alpha || (found[3] == 1.0f && (was[3] == 1.0f || one->contents == BLEND_UPLOADED));
    const bool as_specified = !specified || colors_near(family, found, expected, one->alpha, specified_steps(family));
    /* Drivers of two makers may be on either side of the specification's value, each within its steps. */
    const float apart = suite->kin || !specified ? 1 : specified_steps(family);
    const bool as_gl = !drawn->has_gl || colors_near(family, found, from_gl, one->alpha, apart);
    /* What becomes of infinities and of what halves cannot hold is each maker's: the driver alone decides. */
    const bool as_maker = as_gl || (!suite->kin && family == BLEND_SPECIAL16);
    const bool as_native = !drawn->has_native || colors_near(family, found, control, one->alpha, 1);
    if (ones && as_specified && as_maker && as_native)
        return FINE;
    if (ones && as_gl && as_native && drawn->has_gl &&
        excused(suite, drawn, &(struct blend_deviating){one, index, found, expected}))
        return DEVIATES;
    snprintf(why, why_size,
             "pixel %u: Vulkan %g %g %g %g, OpenGL %g %g %g %g, specification %g %g %g %g, before %g %g %g %g%s", index,
             (double)found[0], (double)found[1], (double)found[2], (double)found[3], (double)from_gl[0],
             (double)from_gl[1], (double)from_gl[2], (double)from_gl[3], (double)expected[0], (double)expected[1],
             (double)expected[2], (double)expected[3], (double)was[0], (double)was[1], (double)was[2], (double)was[3],
             as_native ? "" : "; the driver alone draws something else");
    return ones && as_specified && specified && as_native ? GL_DEVIATES : FAILED;
}

static enum verdict judge(struct suite *suite, struct drawn *drawn, char *why, size_t why_size)
{
    enum verdict worst = FINE;
    for (uint32_t i = 0; i < BLEND_PIXELS && worst != FAILED; i++) {
        const enum verdict verdict = judge_pixel(suite, drawn, i, why, why_size);
        if (verdict > worst)
            worst = verdict;
    }
    return worst;
}

static void run_case(struct suite *suite, const struct blend_case *one, VkPipeline pipeline, struct tally *tally)
{
    struct drawn drawn = {.one = one};
    char why[512], text[256];
    blend_vulkan_draw(&suite->vulkan, one, pipeline, &drawn.before, &drawn.vulkan);
    drawn.has_gl = suite->has_gl && blend_gl_draw(&suite->gl, one, &drawn.gl);
    if (suite->options->control || (!suite->kin && one->draw.family == BLEND_SPECIAL16))
        draw_native(suite, &drawn);
    const enum verdict verdict = judge(suite, &drawn, why, sizeof(why));
    tally->cases++;
    tally->without_gl += !drawn.has_gl;
    tally->gl_deviates += verdict == GL_DEVIATES;
    tally->deviates += verdict == DEVIATES;
    tally->failed += verdict == FAILED;
    if (verdict >= GL_DEVIATES && tally->failed + tally->gl_deviates <= PRINTED) {
        blend_describe(one, text, sizeof(text));
        printf("%s %s\n  %s\n", verdict == FAILED ? "FAILED" : "OpenGL deviates:", text, why);
    }
}

static void run_family(struct suite *suite, enum blend_family family, struct tally *tally)
{
    size_t count;
    struct blend_draw *draws = blend_draws(family, suite->options->full, &count);
    for (size_t i = 0; i < count && harness_messages() < PRINTED; i++) {
        if (blend_vulkan_lacks(&suite->vulkan, &draws[i])) {
            tally->left_out += 2 * BLEND_CONTENTS;
            continue;
        }
        VkPipeline pipeline = blend_vulkan_pipeline(&suite->vulkan, &draws[i]);
        for (unsigned kind = 0; kind < 2 * BLEND_CONTENTS; kind++) {
            const struct blend_case one = {
                .draw = draws[i], .alpha = kind & 1, .contents = (enum blend_contents)(kind / 2)};
            run_case(suite, &one, pipeline, tally);
        }
        vkDestroyPipeline(suite->vulkan.vk.device, pipeline, NULL);
    }
    free(draws);
}

/* ---- The report ---- */

static void write_json(const struct options *options, const char *driver, const char *gl, const struct tally *tallies,
                       const struct clampler_counters *counters)
{
    char path[1024];
    struct harness_json json;
    snprintf(path, sizeof(path), "%s/blend-%s.json", options->out, options->profile);
    harness_json_open(&json, path);
    harness_json_object(&json, NULL);
    harness_json_string(&json, "profile", options->profile);
    harness_json_string(&json, "vulkan", driver);
    harness_json_string(&json, "opengl", gl);
    harness_json_integer(&json, "blend_variants", (int64_t)counters->blend_variants);
    harness_json_integer(&json, "blend_updates", (int64_t)counters->blend_updates);
    harness_json_integer(&json, "alpha_kept", (int64_t)counters->alpha_kept);
    harness_json_integer(&json, "alpha_written", (int64_t)counters->alpha_written);
    harness_json_integer(&json, "alpha_fills", (int64_t)counters->alpha_fills);
    harness_json_array(&json, "families");
    for (enum blend_family family = BLEND_UNORM8; family < BLEND_FAMILIES; family++) {
        harness_json_object(&json, NULL);
        harness_json_string(&json, "family", blend_family(family)->name);
        harness_json_integer(&json, "cases", tallies[family].cases);
        harness_json_integer(&json, "failed", tallies[family].failed);
        harness_json_integer(&json, "driver_deviates", tallies[family].deviates);
        harness_json_integer(&json, "opengl_deviates", tallies[family].gl_deviates);
        harness_json_integer(&json, "without_opengl", tallies[family].without_gl);
        harness_json_integer(&json, "left_out", tallies[family].left_out);
        harness_json_end(&json);
    }
    harness_json_end(&json);
    harness_json_end(&json);
    harness_json_close(&json);
    printf("Written: %s\n", path);
}

static uint32_t violations(const struct harness_vulkan *vk)
{
    PFN_limitedDriverGetViolations get =
        (PFN_limitedDriverGetViolations)vkGetDeviceProcAddr(vk->device, "vkGetViolationsLIMITED");
    return get ? get(vk->device, 0, NULL) : 0;
}

int main(int count, char **arguments)
{
    static struct suite suite;
    struct blend_vulkan *vulkan = &suite.vulkan;
    struct tally tallies[BLEND_FAMILIES] = {{0}};
    char why[256] = "";
    const struct options options = read_options(count, arguments);
    suite.options = &options;
    fills = !options.no_fill;
    if (!fills)
        setenv("VK_CLAMPLER_ASSUME_MISSING", "alpha_fill", 1);
    if (options.alpha)
        setenv("VK_CLAMPLER_ALPHA_WRITE", options.alpha, 1);
    setvbuf(stdout, NULL, _IOLBF, 0);
    harness_messages_reset();
    harness_skip_where_dropped(layers_of(&options));
    blend_vulkan_open(vulkan, layers_of(&options));
    suite.has_gl = blend_gl_open(&suite.gl, why, sizeof(why));
    const char *renderer = suite.has_gl ? suite.gl.gl.renderer : why;
    suite.kin = strncmp(renderer, vulkan->vk.properties.deviceName, 6) == 0;
    printf("Vulkan: %s\nOpenGL: %s%s\nProfile %s, %s form, layers %s\n", vulkan->vk.properties.deviceName,
           suite.has_gl ? "" : "none: ", renderer, options.profile, options.full ? "full" : "short",
           layers_of(&options));
    uint32_t failed = !suite.has_gl;
    for (enum blend_family family = BLEND_UNORM8; family < BLEND_FAMILIES; family++) {
        if (vulkan->drawable[family])
            run_family(&suite, family, &tallies[family]);
        const struct tally *tally = &tallies[family];
        printf("%-8s %6u cases, %u failed, %u where the driver deviates, %u where OpenGL deviates, %u without OpenGL, "
               "%u left out\n",
               blend_family(family)->name, tally->cases, tally->failed, tally->deviates, tally->gl_deviates,
               tally->without_gl, tally->left_out);
        failed += tally->failed + tally->gl_deviates;
    }
    const struct clampler_counters counters = harness_counters(&vulkan->vk);
    const uint32_t acted = (uint32_t)(counters.blend_variants + counters.blend_updates);
    const uint32_t violated = violations(&vulkan->vk);
    write_json(&options, vulkan->vk.properties.deviceName, renderer, tallies, &counters);
    if (suite.has_native)
        blend_vulkan_close(&suite.native);
    blend_vulkan_close(vulkan);
    const bool keep = options.alpha && strcmp(options.alpha, "keep") == 0;
    const bool other_way = options.alpha && (keep != (counters.alpha_kept > 0) || keep != (counters.alpha_written > 0));
    printf("%u variants, %u updates of blend state, %u keep alpha, %u write it, %u fills of alpha; %u validation "
           "messages, %u "
           "violations\n",
           (unsigned)counters.blend_variants, (unsigned)counters.blend_updates, (unsigned)counters.alpha_kept,
           (unsigned)counters.alpha_written, (unsigned)counters.alpha_fills, harness_messages(), violated);
    return failed || !acted || other_way || fills != (counters.alpha_fills > 0) || harness_messages() || violated;
}
