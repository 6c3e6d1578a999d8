/* SPDX-License-Identifier: MIT */
/*
 * channel_orders [--full|--short] [--out FOLDER] [--profile NAME] [--above] [--no-validation] [--without-vulkan]
 *                [--passes pass|pass2|imageless|dynamic] [--pipelines monolithic|library|fast-linked|objects]
 *                [--dynamic|--all-dynamic] [--secondary] [--alpha-to-one] [--samples N [--resolve-image]]
 *                [--share I/N] [--kinds I/N] [--fault NAME] [--only WORDS] [--list-refused] [--quiet] [--seed N]
 *
 * Draws to attachments whose channels are not where Vulkan has them (order_case.h), with OpenGL, with Vulkan under the
 * layer, and by arithmetic, and compares what memory holds and what lookups show. Status 0 if every case is OpenGL's
 * (to one step of the format) and the specification's, or was refused by a message and by the command buffer's result
 * where the format properties and order_must_draw() allow that; the layer moved outputs; the validation layer was
 * silent (below Clampler, or with --above over it) and no limit of the profile was violated. Writes
 * channel_orders-NAME.json, NAME being the options.
 *
 * Where the layer must have moved something (order_must_move), it must have counted the case's draw.
 *
 * --without-vulkan: OpenGL against arithmetic alone. --share: every Nth case, from the Ith on; --kinds: every Nth kind.
 * --only: cases whose description has these words. --list-refused: prints what is refused. --fault: a planted fault,
 * which must be found.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential/order_voices.h"
#include "harness/text/json.h"
#include "limited_driver/limited_driver.h"

struct options {
    const char *profile, *out, *fault, *only;
    struct order_ways ways;
    const char *style, *linking;
    unsigned share, shares; /* of the cases, in turn */
    unsigned kinds, every;  /* the kinds whose number leaves `kinds` over when it is divided by `every` */
    bool full, above, no_validation, without_vulkan, list_refused;
};

struct tally {
    uint32_t cases, failed, refused, moved, deviates, gl_deviates, without_gl,
        left_out; /* the last: what the driver lacks */
};

enum { PRINTED = 12 };

/* ---- Options ---- */

static const char usage[] =
    "usage: channel_orders [--full|--short] [--out FOLDER] [--profile NAME] [--above] [--no-validation]\n"
    "                      [--without-vulkan] [--passes pass|pass2|imageless|dynamic]\n"
    "                      [--pipelines monolithic|library|fast-linked|objects] [--dynamic|--all-dynamic]\n"
    "                      [--secondary] [--alpha-to-one] [--samples N [--resolve-image]] [--share I/N] [--kinds I/N]\n"
    "                      [--fault NAME] [--only WORDS] [--list-refused]";

static unsigned one_of(const char *word, const char *const *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(word, words[i]) == 0)
            return i;
    }
    harness_fail("%s: %s", word, usage);
}

static bool read_flag(struct options *options, const char *word)
{
    const struct {
        const char *name;
        bool *flag, value;
    } flags[] = {{"--full", &options->full, true},
                 {"--short", &options->full, false},
                 {"--above", &options->above, true},
                 {"--no-validation", &options->no_validation, true},
                 {"--without-vulkan", &options->without_vulkan, true},
                 {"--list-refused", &options->list_refused, true},
                 {"--dynamic", &options->ways.dynamic, true},
                 {"--all-dynamic", &options->ways.all_dynamic, true},
                 {"--secondary", &options->ways.secondary, true},
                 {"--alpha-to-one", &options->ways.one, true},
                 {"--resolve-image", &options->ways.resolve_image, true}};
    for (unsigned i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        if (strcmp(word, flags[i].name) == 0) {
            *flags[i].flag = flags[i].value;
            return true;
        }
    }
    return strcmp(word, "--quiet") == 0; /* what the suites beside this one know; there is nothing random here */
}

static struct options read_options(int count, char **arguments)
{
    static const char *const styles[] = {"pass", "pass2", "imageless", "dynamic"};
    static const char *const linkings[] = {"monolithic", "library", "fast-linked", "objects"};
    struct options options = {.profile = "full",
                              .out = "build",
                              .ways = {.samples = VK_SAMPLE_COUNT_1_BIT},
                              .style = "pass",
                              .linking = "monolithic"};
    const char *seed = NULL, *samples = "1", *share = "0/1", *kinds = "0/1";
    const struct {
        const char *name, **value;
    } values[] = {{"--profile", &options.profile},
                  {"--out", &options.out},
                  {"--fault", &options.fault},
                  {"--only", &options.only},
                  {"--passes", &options.style},
                  {"--pipelines", &options.linking},
                  {"--samples", &samples},
                  {"--seed", &seed},
                  {"--share", &share},
                  {"--kinds", &kinds}};
    for (int i = 1; i < count; i++) {
        bool known = read_flag(&options, arguments[i]);
        for (unsigned v = 0; v < sizeof(values) / sizeof(values[0]) && !known; v++) {
            known = i + 1 < count && strcmp(arguments[i], values[v].name) == 0;
            if (known)
                *values[v].value = arguments[++i];
        }
        if (!known)
            harness_fail("%s: %s", arguments[i], usage);
    }
    options.ways.full = options.full;
    options.ways.style = (enum blending_style)one_of(options.style, styles, 4);
    options.ways.linking = (enum harness_linking)one_of(options.linking, linkings, 4);
    options.ways.samples = (VkSampleCountFlagBits)atoi(samples);
    if (sscanf(kinds, "%u/%u", &options.kinds, &options.every) != 2 || options.kinds >= options.every)
        harness_fail("%s: %s", kinds, usage);
    if (sscanf(share, "%u/%u", &options.share, &options.shares) != 2 || options.share >= options.shares)
        harness_fail("%s: %s", share, usage);
    if (options.ways.linking == HARNESS_OBJECTS)
        options.ways.style = BLENDING_DYNAMIC;
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

enum verdict { FINE, REFUSED, DEVIATES, GL_DEVIATES, FAILED };

struct suite {
    struct options options;
    struct order_vulkan vulkan;
    struct order_gl gl;
    bool kin, has_gl;    /* Vulkan's driver and OpenGL's are one maker's, as their names begin */
    bool mesa_software;  /* lavapipe or llvmpipe draws */
    bool nvidia;         /* NVIDIA's driver does */
    uint32_t seen, turn; /* cases of all shares, and those that were drawn */
    uint32_t messages;   /* of the validation layer, before this case */
};

/* One pixel of an attachment by all of them. `has_gl`: the last two are there. */
struct pixel {
    const struct order_case *one;
    uint32_t attachment, index;
    bool has_gl;
    float before[4], after[4], looked[4], gl[4], gl_looked[4];
};

static float apart(enum order_number number, bool blends)
{
    if (number == ORDER_SRGB)
        return (blends ? 8.0f : 1.0f) / 255.0f;
    if (number == ORDER_SNORM)
        return (blends ? 4.0f : 0.1f) / 127.0f;
    return (blends ? 2.5f : 0.1f) / 255.0f; /* drivers blend 8-bit colours with 8-bit factors */
}

static enum verdict judge_before(const struct pixel *pixel, const char **what)
{
    const enum order_kind kind = pixel->one->draw.attachments[pixel->attachment].kind;
    const struct order_info *info = order_info(kind);
    float expected[4];
    order_expect_contents(pixel->one, pixel->attachment, pixel->index, expected);
    for (uint32_t c = 0; c < 4; c++) {
        if (order_keeps(info, c) && !order_near(kind, c, pixel->before[c], expected[c], apart(info->number, false))) {
            *what = "before the draw";
            return FAILED;
        }
    }
    return FINE;
}

/* Drivers of two makers may be on either side of the specification's value, each within its steps. */
static bool as_opengl(const struct suite *suite, const struct pixel *pixel, uint32_t c, bool specified)
{
    const enum order_kind kind = pixel->one->draw.attachments[pixel->attachment].kind;
    if (!pixel->has_gl)
        return true;
    if (!specified)
        return fabsf(pixel->after[c] - pixel->gl[c]) < 0.1f / 255.0f; /* the same bits, as numbers */
    return suite->kin ? order_step(kind, c, pixel->after[c], pixel->gl[c])
                      : order_near(kind, c, pixel->after[c], pixel->gl[c], apart(order_info(kind)->number, true));
}

/*
 * Is what the specification does not say what OpenGL draws on the same driver? Asked of numbers that drivers are known
 * to blend in their own way, natively too: of SNORM, and on NVIDIA of dark sRGB. NVIDIA's OpenGL reads SNORM as (2c +
 * 1) / 255, which is off by one step.
 */
static bool deviates_natively(const struct suite *suite, const struct pixel *pixel, uint32_t c)
{
    const enum order_kind kind = pixel->one->draw.attachments[pixel->attachment].kind;
    const enum order_number number = order_info(kind)->number;
    if (!suite->kin || !pixel->has_gl || (number != ORDER_SNORM && (number != ORDER_SRGB || suite->mesa_software)))
        return false;
    return order_step(kind, c, pixel->after[c], pixel->gl[c]) ||
           (number == ORDER_SNORM && !suite->mesa_software && fabsf(pixel->after[c] - pixel->gl[c]) < 1.1f / 127.0f);
}

static enum verdict judge_after(const struct suite *suite, const struct pixel *pixel, const char **what)
{
    const struct order_attachment *of = &pixel->one->draw.attachments[pixel->attachment];
    const struct order_info *info = order_info(of->kind);
    const float off = apart(info->number, of->blend.blendEnable);
    float expected[4];
    bool clamps[4];
    enum verdict verdict = FINE;
    order_expect(pixel->one, pixel->attachment, pixel->index, pixel->before, expected, clamps);
    for (uint32_t c = 0; c < 4; c++) {
        /*
         * Mesa's software blends SNORM without clamping factors, and lets -1 overflow; NVIDIA clamps
         * them otherwise than Vulkan says. Other differences from the
         * specification must be OpenGL's on the same driver, too.
         */
        const bool overflows =
            (suite->mesa_software || suite->nvidia) && clamps[c] && of->blend.blendEnable && !pixel->one->draw.logic;
        if (!order_keeps(info, c) || (info->number == ORDER_SNORM && overflows))
            continue;
        const bool as_specified = pixel->one->draw.logic
                                      ? order_near(of->kind, c, pixel->after[c], expected[c], -0.4f / 255.0f)
                                      : order_near(of->kind, c, pixel->after[c], expected[c], off);
        *what = as_specified ? "OpenGL's" : "after the draw";
        if (!as_specified && deviates_natively(suite, pixel, c)) {
            verdict = verdict == FINE ? DEVIATES : verdict;
            continue;
        }
        if (!as_specified)
            return FAILED;
        if (!as_opengl(suite, pixel, c, !pixel->one->draw.logic))
            verdict = GL_DEVIATES;
    }
    return verdict;
}

/*
 * How far a lookup may be from the channel's number: sRGB is decoded by tables, and NVIDIA's texture units widen
 * channels of fewer than 8 bits to 8.
 */
static float looked_apart(const struct order_info *info, uint32_t channel)
{
    const uint32_t at = info->at[channel];
    if (info->number == ORDER_SRGB)
        return 1.0f / 255.0f;
    return at < 4 && info->bits[at] < 8 ? 1.0f / 255.0f : 1e-5f;
}

static enum verdict judge_looked(const struct pixel *pixel, const char **what)
{
    const enum order_kind kind = pixel->one->draw.attachments[pixel->attachment].kind;
    float expected[4];
    order_looked(kind, pixel->after, expected);
    for (uint32_t c = 0; c < 4; c++) {
        if (fabsf(pixel->looked[c] - expected[c]) >
            looked_apart(order_info(kind), c) * fmaxf(1.0f, fabsf(expected[c]))) {
            *what = "looked up";
            return FAILED;
        }
        /* OpenGL shows the constants and the copies, too. */
        const bool constant = expected[c] == 0.0f || expected[c] == 1.0f;
        const bool alpha_zero = c == 3 && order_info(kind)->at[3] == ORDER_ZERO;
        if (pixel->has_gl && constant && !order_keeps(order_info(kind), c) && order_info(kind)->base != GL_LUMINANCE &&
            order_info(kind)->base != GL_LUMINANCE_ALPHA && order_info(kind)->base != GL_INTENSITY && !alpha_zero &&
            pixel->gl_looked[c] != expected[c]) {
            *what = "looked up by OpenGL";
            return GL_DEVIATES;
        }
    }
    return FINE;
}

static enum verdict judge_pixel(const struct suite *suite, const struct pixel *pixel, char *why, size_t why_size)
{
    const enum order_kind kind = pixel->one->draw.attachments[pixel->attachment].kind;
    const char *what = "";
    float expected[4], looked[4];
    bool clamps[4];
    enum verdict verdict = judge_before(pixel, &what);
    if (verdict == FINE)
        verdict = judge_after(suite, pixel, &what);
    if (verdict <= DEVIATES) {
        const enum verdict looked_up = judge_looked(pixel, &what);
        verdict = looked_up > verdict ? looked_up : verdict;
    }
    if (verdict == FINE)
        return FINE;
    order_expect(pixel->one, pixel->attachment, pixel->index, pixel->before, expected, clamps);
    order_looked(kind, pixel->after, looked);
    snprintf(why, why_size,
             "%s, attachment %u, pixel %u: before %g %g %g %g, after %g %g %g %g, specification %g %g %g %g, OpenGL %g "
             "%g %g %g, looked up %g %g %g %g, to be %g %g %g %g",
             what, pixel->attachment, pixel->index, (double)pixel->before[0], (double)pixel->before[1],
             (double)pixel->before[2], (double)pixel->before[3], (double)pixel->after[0], (double)pixel->after[1],
             (double)pixel->after[2], (double)pixel->after[3], (double)expected[0], (double)expected[1],
             (double)expected[2], (double)expected[3], (double)pixel->gl[0], (double)pixel->gl[1], (double)pixel->gl[2],
             (double)pixel->gl[3], (double)pixel->looked[0], (double)pixel->looked[1], (double)pixel->looked[2],
             (double)pixel->looked[3], (double)looked[0], (double)looked[1], (double)looked[2], (double)looked[3]);
    return verdict;
}

/* Without Vulkan, OpenGL's pixels stand in for its own, over what the specification says was there before. */
static void fill_pixel(const struct suite *suite, const struct order_vulkan_drawn *vulkan,
                       const struct order_gl_drawn *gl, struct pixel *pixel)
{
    const uint32_t i = pixel->attachment;
    const enum order_kind kind = pixel->one->draw.attachments[i].kind;
    if (pixel->has_gl) {
        for (uint32_t c = 0; c < 4; c++) /* Mesa reads the least SNORM as below -1 */
            pixel->gl[c] = fmaxf(gl->read[pixel->index][c],
                                 order_info(kind)->number == ORDER_SNORM ? -1.0f : gl->read[pixel->index][c]);
        memcpy(pixel->gl_looked, gl->looked[pixel->index], sizeof(pixel->gl_looked));
    }
    if (!suite->options.without_vulkan) {
        order_decode(kind, &vulkan->attachments[i].before, pixel->index, pixel->before);
        order_decode(kind, &vulkan->attachments[i].after, pixel->index, pixel->after);
        memcpy(pixel->looked, vulkan->attachments[i].looked[pixel->index], sizeof(pixel->looked));
        return;
    }
    order_expect_contents(pixel->one, i, pixel->index, pixel->before);
    order_round(kind, pixel->before);
    for (uint32_t c = 0; c < 4; c++) {
        const bool keeps = order_keeps(order_info(kind), c);
        pixel->after[c] = keeps ? pixel->gl[c] : pixel->before[c];
    }
    memcpy(pixel->looked, pixel->gl_looked, sizeof(pixel->looked));
    if (order_info(kind)->at[3] == ORDER_ZERO)
        pixel->looked[3] = 0.0f; /* OpenGL's attachment has no alpha */
}

/*
 * Lookups at other places than texels' middles, each voice's by what its own fetches show. Drivers filter with weights
 * of 8 bits.
 */
static enum verdict judge_sampled(enum order_kind kind, const char *whose, uint32_t way, float looked[][4],
                                  float sampled[][4], char *why, size_t why_size)
{
    const bool alpha_lost = strcmp(whose, "OpenGL") == 0 && order_info(kind)->at[3] == ORDER_ZERO;
    for (uint32_t i = 0; i < ORDER_PIXELS; i++) {
        float expected[4];
        order_expect_sampled(kind, way, looked, i, expected);
        for (uint32_t c = 0; c < (alpha_lost ? 3 : 4); c++) {
            const float apart = order_is_integer(kind) ? 0.0f : 2.5f / 255.0f;
            if (fabsf(sampled[i][c] - expected[c]) <= apart * fmaxf(1.0f, fabsf(expected[c])))
                continue;
            snprintf(why, why_size, "%s, sampled in way %u, pixel %u: %g %g %g %g, to be %g %g %g %g", whose, way, i,
                     (double)sampled[i][0], (double)sampled[i][1], (double)sampled[i][2], (double)sampled[i][3],
                     (double)expected[0], (double)expected[1], (double)expected[2], (double)expected[3]);
            return FAILED;
        }
    }
    return FINE;
}

static enum verdict judge_attachment(struct suite *suite, const struct order_case *one, uint32_t attachment,
                                     struct order_vulkan_drawn *vulkan, struct tally *tally, char *why, size_t why_size)
{
    static struct order_gl_drawn gl;
    const enum order_kind kind = one->draw.attachments[attachment].kind;
    const uint32_t way = order_lookup_way(kind, suite->turn - 1, suite->options.full);
    const bool has_gl = suite->has_gl && order_gl_draw(&suite->gl, one, attachment, way, &gl);
    enum verdict worst = FINE;
    tally->without_gl += !has_gl;
    if (!has_gl && suite->options.without_vulkan)
        return FINE;
    for (uint32_t i = 0; i < ORDER_PIXELS && worst != FAILED; i++) {
        struct pixel pixel = {.one = one, .attachment = attachment, .index = i, .has_gl = has_gl};
        fill_pixel(suite, vulkan, &gl, &pixel);
        const enum verdict verdict = judge_pixel(suite, &pixel, why, why_size);
        if (verdict > worst)
            worst = verdict;
    }
    if (worst <= DEVIATES && !suite->options.without_vulkan &&
        judge_sampled(kind, "Vulkan", way, vulkan->attachments[attachment].looked,
                      vulkan->attachments[attachment].sampled, why, why_size))
        worst = FAILED;
    if (worst <= DEVIATES && has_gl && judge_sampled(kind, "OpenGL", way, gl.looked, gl.sampled, why, why_size))
        worst = GL_DEVIATES;
    return worst;
}

/* A command buffer that did not end: the layer must have said why, and must not have been able to draw it. */
static enum verdict judge_refusal(const struct suite *suite, const struct order_case *one, char *why, size_t why_size)
{
    const struct order_target *target = &suite->vulkan.targets[one->draw.attachments[0].kind];
    const char *said = harness_layer_messages() ? harness_layer_message(0) : NULL;
    /* Outputs in arrays and in parts of a location may stay as they are. */
    const bool plain = one->draw.shape < ORDER_SPLIT;
    /* A second source stands for factors that the attachment's order has no words for, where the device has one. */
    const bool lacks = !suite->vulkan.vk.features.dualSrcBlend && said && strstr(said, "dualSrcBlend");
    const bool must = plain && !lacks && order_must_draw(&one->draw);
    const bool promised = plain && one->draw.count == 1 && target->every_blend;
    snprintf(why, why_size, "refused%s: %s",
             promised ? " though the format has every equation"
             : must   ? " though it can be expressed"
                      : "",
             said ? said : "without a message");
    return said && !promised && !must ? REFUSED : FAILED;
}

static enum verdict judge(struct suite *suite, const struct order_case *one, struct tally *tally, char *why,
                          size_t why_size)
{
    static struct order_vulkan_drawn vulkan;
    enum verdict worst = FINE;
    suite->turn++;
    if (!suite->options.without_vulkan) {
        suite->messages += harness_messages();
        harness_messages_reset(); /* those of the layer are kept up to a number */
        order_vulkan_draw(&suite->vulkan, one, suite->turn - 1, &vulkan);
        if (vulkan.result != VK_SUCCESS)
            return judge_refusal(suite, one, why, why_size);
        tally->moved += vulkan.ordered != 0;
        if (!vulkan.ordered && order_must_move(&one->draw)) {
            snprintf(why, why_size, "the layer moved nothing");
            return FAILED;
        }
    }
    for (uint32_t i = 0; i < one->draw.count && worst != FAILED; i++) {
        const enum verdict verdict = judge_attachment(suite, one, i, &vulkan, tally, why, why_size);
        if (verdict > worst)
            worst = verdict;
    }
    return worst;
}

static void run_case(struct suite *suite, const struct order_case *one, const char *text, struct tally *tally)
{
    char why[1024] = "";
    const enum verdict verdict = judge(suite, one, tally, why, sizeof(why));
    tally->cases++;
    tally->deviates += verdict == DEVIATES;
    tally->gl_deviates += verdict == GL_DEVIATES;
    tally->refused += verdict == REFUSED;
    tally->failed += verdict == FAILED;
    if (verdict == REFUSED && suite->options.list_refused)
        printf("refused: %s\n  %s\n", text, why);
    if (verdict >= GL_DEVIATES && tally->failed + tally->gl_deviates <= PRINTED)
        printf("%s %s\n  %s\n", verdict == FAILED ? "FAILED" : "OpenGL deviates:", text, why);
}

static void run_kind(struct suite *suite, enum order_kind kind, struct tally *tally)
{
    size_t count;
    char text[512];
    struct order_case *cases = order_cases(kind, suite->options.full, &count);
    for (size_t i = 0; i < count && suite->messages < PRINTED; i++) {
        cases[i].draw.one = suite->options.ways.one;
        order_describe(&cases[i], text, sizeof(text));
        if (suite->options.only && !strstr(text, suite->options.only))
            continue;
        if (suite->seen++ % suite->options.shares != suite->options.share)
            continue;
        if (!suite->options.without_vulkan && order_vulkan_lacks(&suite->vulkan, &cases[i]))
            tally->left_out++;
        else
            run_case(suite, &cases[i], text, tally);
    }
    free(cases);
}

/* ---- The report ---- */

static void write_json(const struct suite *suite, const char *driver, const char *gl, const struct tally *tallies,
                       uint64_t moved)
{
    char path[1024];
    struct harness_json json;
    const struct order_ways *ways = &suite->options.ways;
    snprintf(path, sizeof(path), "%s/channel_orders-%s-%s-%s-%u%s%s%s%s%s-%u-%u.json", suite->options.out,
             suite->options.profile, suite->options.style, suite->options.linking, (unsigned)ways->samples,
             ways->dynamic       ? "-dynamic"
             : ways->all_dynamic ? "-all-dynamic"
                                 : "",
             ways->secondary ? "-secondary" : "", ways->one ? "-alpha-to-one" : "",
             ways->resolve_image ? "-resolve-image" : "", suite->options.without_vulkan ? "-opengl" : "",
             suite->options.share, suite->options.kinds);
    harness_json_open(&json, path);
    harness_json_object(&json, NULL);
    harness_json_string(&json, "profile", suite->options.profile);
    harness_json_string(&json, "vulkan", driver);
    harness_json_string(&json, "opengl", gl);
    harness_json_integer(&json, "outputs_moved", (int64_t)moved);
    harness_json_array(&json, "kinds");
    for (enum order_kind kind = 0; kind < ORDER_KINDS; kind++) {
        harness_json_object(&json, NULL);
        harness_json_string(&json, "kind", order_info(kind)->name);
        harness_json_integer(&json, "cases", tallies[kind].cases);
        harness_json_integer(&json, "failed", tallies[kind].failed);
        harness_json_integer(&json, "refused", tallies[kind].refused);
        harness_json_integer(&json, "moved", tallies[kind].moved);
        harness_json_integer(&json, "driver_deviates", tallies[kind].deviates);
        harness_json_integer(&json, "opengl_deviates", tallies[kind].gl_deviates);
        harness_json_integer(&json, "without_opengl", tallies[kind].without_gl);
        harness_json_integer(&json, "left_out", tallies[kind].left_out);
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

static void open_all(struct suite *suite, char *why, size_t why_size)
{
    const struct options *options = &suite->options;
    harness_messages_reset();
    if (options->fault)
        setenv("CLAMPLER_TEST_FAULT", options->fault, 1);
    if (!options->without_vulkan) {
        harness_skip_where_dropped(layers_of(options));
        order_vulkan_open(&suite->vulkan, layers_of(options), &options->ways);
    }
    suite->has_gl = order_gl_open(&suite->gl, why, why_size);
    if (suite->has_gl)
        snprintf(why, why_size, "%s", suite->gl.gl.renderer);
    const char *device = options->without_vulkan ? "none" : suite->vulkan.vk.properties.deviceName;
    suite->kin = options->without_vulkan || strncmp(why, device, 6) == 0;
    suite->mesa_software = strncmp(options->without_vulkan ? why : device, "llvmpipe", 8) == 0;
    suite->nvidia = strncmp(options->without_vulkan ? why : device, "NVIDIA", 6) == 0;
    printf("Vulkan: %s\nOpenGL: %s%s\nProfile %s, %s form, %s, %s, %u samples%s, layers %s\n", device,
           suite->has_gl ? "" : "none: ", why, options->profile, options->full ? "full" : "short", options->style,
           options->linking, (unsigned)options->ways.samples, options->ways.dynamic ? ", dynamic blend state" : "",
           options->without_vulkan ? "none" : layers_of(options));
}

int main(int count, char **arguments)
{
    static struct suite suite;
    static struct tally tallies[ORDER_KINDS];
    struct tally all = {0};
    char why[256] = "";
    suite.options = read_options(count, arguments);
    setvbuf(stdout, NULL, _IOLBF, 0);
    open_all(&suite, why, sizeof(why));
    const bool vulkan = !suite.options.without_vulkan;
    for (enum order_kind kind = 0; kind < ORDER_KINDS; kind++) {
        struct tally *tally = &tallies[kind];
        if (kind % suite.options.every != suite.options.kinds)
            continue;
        run_kind(&suite, kind, tally);
        printf("%-26s %6u cases, %u failed, %u moved, %u refused%s, %u where the driver deviates, %u where OpenGL "
               "deviates, %u without OpenGL, %u left out\n",
               order_info(kind)->name, tally->cases, tally->failed, tally->moved, tally->refused,
               vulkan && suite.vulkan.targets[kind].every_blend ? " (none may be)" : "", tally->deviates,
               tally->gl_deviates, tally->without_gl, tally->left_out);
        all.cases += tally->cases;
        /*
         * What Vulkan draws is then as specified, and OpenGLs differ in what they do with floats beyond 0 and 1.
         * Whether the specification is understood --without-vulkan shows, where OpenGL alone must be as specified.
         */
        all.failed += tally->failed + (vulkan ? 0 : tally->gl_deviates);
        all.refused += tally->refused;
    }
    const uint64_t moved = vulkan ? harness_counters(&suite.vulkan.vk).outputs_moved : 0;
    const uint32_t violated = vulkan ? violations(&suite.vulkan.vk) : 0;
    write_json(&suite, vulkan ? suite.vulkan.vk.properties.deviceName : "none", why, tallies, moved);
    if (vulkan)
        order_vulkan_close(&suite.vulkan);
    suite.messages += harness_messages();
    printf(
        "%u cases, %u failed, %u refused; outputs were moved in %u variants; %u validation messages, %u violations\n",
        all.cases, all.failed, all.refused, (unsigned)moved, suite.messages, violated);
    const bool bad = !suite.has_gl || !all.cases || all.failed || (vulkan && !moved) || suite.messages || violated;
    return suite.options.fault ? all.failed == 0 : bad;
}
