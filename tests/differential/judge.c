/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential/judge.h"

/*
 * Precisions of the reference sampler. Ideal: what a lookup with a given or exactly computed level of detail must give.
 * Loose: what section 8.14.1 allows where the level comes from derivatives; software renderers take log2 as linear
 * between powers of two, which is 0.09 off at most, hence 0.1.
 */
static const struct reference_precision ideal = {1.0f / 512, 1.0f / 64, 1.0f / 128, 1.0f / 256, false, false};
static const struct reference_precision loose = {1.0f / 512, 0.1f, 1.0f / 128, 1.0f / 256, true, true};

/* One case while it is judged. */
struct trial {
    struct voices *voices;
    const struct diff_case *one;
    struct judge_pictures *pictures;
    struct judgement *judgement;
    const struct reference_result *allowed; /* by the loose precision */
    double tolerance[4];                    /* by channel */
    uint32_t channels;
};

/*
 * Nearest filters are texel-exact: 1e-5 is the rounding of a conversion to float. Beside that, drivers may keep a
 * border colour in the texture's format, decode sRGB by approximation and widen compressed colours of 5 bits by
 * repeating bits.
 */
static double exact_tolerance(const struct format *format)
{
    if (format->class == FORMAT_SNORM)
        return 0.51 / 127; /* borders of the format's 8 bits; texels differ by twice that at least */
    if (format->srgb || format->class == FORMAT_COMPRESSED)
        return 1.0 / 255;
    if (format->bits == 16 && format->class == FORMAT_FLOAT)
        return 1.0 / 2048;
    return format->bits == 16 ? 1.0 / 65535 : 1e-5;
}

/*
 * Blends: 1/255 on 8-bit formats and of comparisons, twice that where the range is twice as wide; on float formats
 * 1/256 of the greatest magnitude that can be blended, as weights have 8 bits.
 */
static void set_tolerances(struct trial *trial)
{
    const struct diff_case *one = trial->one;
    const VkSamplerGLStateCreateInfoCLAMPLER *state = &one->state;
    const struct format *format = format_of(one->texture.format);
    bool blends = case_filters(one) && !case_gathers(one) && !case_is_integer(one);
    double blended = 1.0 / 255 + 1e-6;
    if (one->lookup.operation == LOOKUP_QUERY_LOD) { /* levels, whatever the format */
        for (int c = 0; c < 4; c++)
            trial->tolerance[c] = 1.0 / 256;
        return;
    }
    if (format->class == FORMAT_SNORM || format->srgb || format->class == FORMAT_COMPRESSED)
        blended *= 2;
    for (int c = 0; c < 4; c++) {
        bool floats = format->class == FORMAT_FLOAT || case_kind(one) == REFERENCE_DEPTH_FLOAT;
        double magnitude = case_is_integer(one) ? 1 : fmax(1, fabs((double)state->borderColor.float32[c]));
        if (case_base(one) || one->viewed) /* another channel of the border may show here */
            for (int other = 0; other < 4 && !case_is_integer(one); other++)
                magnitude = fmax(magnitude, fabs((double)state->borderColor.float32[other]));
        trial->tolerance[c] = !blends ? exact_tolerance(format) * magnitude : floats ? magnitude / 256 : blended;
    }
}

/* To `tolerances` times the tolerance. */
static bool same(const struct trial *trial, const float *a, const float *b, double tolerances)
{
    for (int c = 0; c < 4; c++)
        if ((trial->channels & (1u << c)) && !(fabs((double)a[c] - (double)b[c]) <= tolerances * trial->tolerance[c]))
            return false;
    return true;
}

/* Results are floats whatever the texture's kind; integers below 2^24 survive that. */
static bool accepts(const struct trial *trial, const struct reference_result *result, const float *value)
{
    const enum reference_kind kind = case_kind(trial->one);
    union reference_color color;
    memcpy(color.f, value, sizeof(color.f));
    for (int c = 0; c < 4; c++)
        if (kind == REFERENCE_UINT)
            color.u[c] = (uint32_t)value[c];
        else if (kind == REFERENCE_INT)
            color.i[c] = (int32_t)value[c];
    for (uint32_t c = 0; c < 4; c++)
        if ((trial->channels & (1u << c)) &&
            !reference_accepts(result, kind, &color, (float)trial->tolerance[c], 1u << c))
            return false;
    return true;
}

/* How far a value is outside the range that its result allows, beyond the tolerance; in tolerances. */
static double excess_of(const struct trial *trial, const struct reference_result *result, const float *value)
{
    double most = 0;
    if (case_is_integer(trial->one))
        return INFINITY; /* integers are right or wrong */
    for (int c = 0; c < 4; c++) {
        if (!(trial->channels & (1u << c)))
            continue;
        double below = (double)result->low.f[c] - (double)value[c],
               above = (double)value[c] - (double)result->high.f[c];
        most = fmax(most, fmax(below, above) / trial->tolerance[c] - 1);
    }
    return most;
}

static const struct deviation *next_deviation(const struct trial *trial, enum deviation_side side, double excess,
                                              const struct deviation *after)
{
    const struct voices *voices = trial->voices;
    const struct deviation_seen opengl = {side, voices->gl.renderer, voices->gl.version, excess};
    const struct deviation_seen vulkan = {side, voices->voice[0].vk.properties.deviceName, voices->driver_info, excess};
    return deviation_find(side == DEVIATION_OPENGL ? &opengl : &vulkan, &voices->facts, trial->one, after);
}

static const struct deviation *known_deviation(const struct trial *trial, enum deviation_side side, double excess)
{
    return next_deviation(trial, side, excess, NULL);
}

/* Small errors that the Vulkan driver is known for: OpenGL may take another path, and be exact. */
static bool is_small_known_error(const struct trial *trial, double excess)
{
    const struct deviation *known = known_deviation(trial, DEVIATION_VULKAN, excess);
    return known && known->most > 0;
}

static void note_in(struct judged *kind, uint32_t index, double excess)
{
    if (!kind->count || excess > kind->excess) {
        kind->worst = index;
        kind->excess = excess;
    }
    kind->count++;
}

static void note(struct trial *trial, struct judged *kind, uint32_t index, double excess)
{
    struct judgement *judgement = trial->judgement;
    if (!judgement->failed.count && !judgement->gl_deviates.count && !judgement->vulkan_deviates.count)
        judgement->first = index;
    if (kind == &judgement->failed && !judgement->failed.count)
        judgement->first = index;
    note_in(kind, index, excess);
}

/* ---- With the reference sampler ---- */

static void judge_value(struct trial *trial, uint32_t index, bool gl_known_to_deviate)
{
    const struct judge_pictures *pictures = trial->pictures;
    struct judgement *judgement = trial->judgement;
    const struct reference_result *expected = &pictures->expected[index], *allowed = &trial->allowed[index];
    const float *vulkan = pictures->vulkan + (size_t)index * 4, *gl = pictures->gl + (size_t)index * 4;
    /*
     * The layer scales gradients by 2^bias, so that anisotropy survives, where OpenGL adds the bias to log2's result.
     * With a log2 that is linear in pieces the two differ by a few hundredths of a level (seen on an NVIDIA H200).
     */
    const enum lookup_operation operation = trial->one->lookup.operation;
    const VkSamplerGLStateCreateInfoCLAMPLER *state = &trial->one->state;
    bool made_up = fabsf(state->lodBias + state->unitLodBias) > trial->voices->facts.lod_bias;
    bool biased =
        made_up || operation == LOOKUP_BIAS || operation == LOOKUP_BIAS_OFFSET || operation == LOOKUP_MIN_LOD_BIAS;
    bool has_gl = pictures->has_gl, witness = has_gl && !gl_known_to_deviate && !biased;
    /* Where the layer gives gradients in the place of derivatives, two approximations of the level meet. */
    bool gradients = judgement->tier > 0 && case_implicit(trial->one) && accepts(trial, allowed, gl);
    bool agree = has_gl && same(trial, vulkan, gl, gradients ? 2 : 1);
    if (accepts(trial, expected, vulkan)) {
        if (has_gl && !agree && !accepts(trial, allowed, gl))
            note(trial, &judgement->gl_deviates, index, excess_of(trial, allowed, gl));
    } else if (accepts(trial, allowed, vulkan) && (agree || !witness)) {
        judgement->within_specification++;
    } else if (accepts(trial, allowed, vulkan) && !accepts(trial, allowed, gl)) {
        note(trial, &judgement->gl_deviates, index, excess_of(trial, allowed, gl));
    } else if (agree || is_small_known_error(trial, excess_of(trial, allowed, vulkan)) ||
               ((gl_known_to_deviate || !has_gl) && known_deviation(trial, DEVIATION_VULKAN, 0))) {
        note(trial, &judgement->vulkan_deviates, index, excess_of(trial, allowed, vulkan));
    } else {
        note(trial, &judgement->failed, index, excess_of(trial, allowed, vulkan));
    }
}

/* ---- Anisotropy, which the reference sampler does not model ---- */

/* The level in a value of a CONTENTS_LEVELS texture under a green border, or -1 where nearly all of it is border. */
static float level_in(const float value[4])
{
    float texture = 1 - value[1];
    return texture < 0.1f ? -1 : (0.9f - value[0] / texture) / 0.1f;
}

/*
 * EXT_texture_filter_anisotropic: between log2(Pmax / N) and log2(Pmax). Where N is the driver's own choice, it may be
 * anything up to the sampler's greatest: *least.
 */
static void level_bounds(const struct trial *trial, float *low, float *high, float *least)
{
    const struct lookup_input *input = trial->voices->inputs;
    const struct diff_case *one = trial->one;
    double x = 0, y = 0;
    for (int axis = 0; axis < 2; axis++) {
        double size = one->texture.size[axis];
        x += pow((double)input->dx[axis] * size, 2);
        y += pow((double)input->dy[axis] * size, 2);
    }
    double longer = sqrt(fmax(x, y)), shorter = sqrt(fmin(x, y));
    double samples = fmin(ceil(longer / shorter - 1e-4), (double)one->state.maxAnisotropy);
    double last = (double)case_level_count(one) - 1;
    *low = (float)fmin(fmax(log2(longer / samples), 0), last);
    *high = (float)fmin(fmax(log2(longer), 0), last);
    *least = (float)fmin(fmax(log2(longer / (double)one->state.maxAnisotropy), 0), last);
}

/* Whether OpenGL and Vulkan are the same maker's, as their names begin: then they draw alike. */
static bool are_kin(const struct voices *voices)
{
    return strncmp(voices->gl.renderer, voices->voice[0].vk.properties.deviceName, 6) == 0;
}

static void judge_level(struct trial *trial, uint32_t index, float low, float high, float least)
{
    struct judgement *judgement = trial->judgement;
    float vulkan = level_in(trial->pictures->vulkan + (size_t)index * 4);
    float gl = level_in(trial->pictures->gl + (size_t)index * 4);
    const float slack = 0.15f; /* levels: as loose.lod, and half as much again for the colour's 8 bits of a weight */
    if (vulkan < -0.5f || (trial->pictures->has_gl && gl < -0.5f))
        return;
    bool inside = vulkan >= low - slack && vulkan <= high + slack;
    bool agree = trial->pictures->has_gl && fabsf(vulkan - gl) < slack;
    /* Where the shader filters without probes (cubes, reductions), the level is that of the longer side. */
    bool trilinear = facts_tiers(&trial->voices->facts, trial->one).least == 2 && fabsf(vulkan - high) < slack;
    if (agree || trilinear || (inside && !trial->pictures->has_gl))
        return;
    /* Drivers of other makers choose other levels, each within bounds of its own. */
    if (!are_kin(trial->voices) &&
        (inside || (judgement->tier == 0 && vulkan >= least - slack && vulkan <= high + slack))) {
        if (gl < low - slack || gl > high + slack)
            note(trial, &judgement->gl_deviates, index, (double)fabsf(vulkan - gl));
        else
            judgement->within_specification++;
        return;
    }
    if (trial->pictures->vulkan[(size_t)index * 4 + 1] > 0.02f) {
        /* How far a filter reaches beyond the edge is the driver's choice, and the two levels reach differently far. */
        if (vulkan < floorf(low) - slack || vulkan > ceilf(high) + slack)
            note(trial, &judgement->failed, index, (double)fmaxf(floorf(low) - vulkan, vulkan - ceilf(high)));
        return;
    }
    note(trial, inside ? &judgement->vulkan_deviates : &judgement->failed, index, (double)fabsf(vulkan - gl));
}

/* ---- The verdict ---- */

struct judged judge_against_reference(struct voices *voices, const struct diff_case *one, const float *rgba)
{
    struct trial trial = {.voices = voices, .one = one, .channels = lookup_reference_channels(&one->lookup)};
    struct reference_result *results = harness_alloc(VOICES_VALUES, sizeof(*results));
    struct judged off = {0};
    set_tolerances(&trial);
    voices_reference(voices, one, case_computes_lod(one) ? &loose : &ideal, results);
    for (uint32_t i = 0; i < VOICES_VALUES; i++)
        if (!accepts(&trial, &results[i], rgba + (size_t)i * 4))
            note_in(&off, i, excess_of(&trial, &results[i], rgba + (size_t)i * 4));
    free(results);
    return off;
}

/* Draws the control on the driver alone: values that are off there are off without any layer. */
static bool draw_control(struct trial *trial, const struct deviation *deviation, uint32_t attempt)
{
    struct voices *voices = trial->voices;
    struct diff_case control = *trial->one;
    control.texture.border = 0;
    deviation->native_control(&control);
    control.pattern.seed += attempt;
    control.pattern.turn += 0.37f * (float)attempt;
    if (deviation->side == DEVIATION_OPENGL && !voices_gl_is_witness(voices, &control))
        return false;
    struct diff_case isotropic = control;
    isotropic.state.maxAnisotropy = 1;
    float *drawn = harness_alloc(VOICES_VALUES, 4 * sizeof(*drawn));
    case_inputs(&control, voices->inputs);
    if (deviation->side == DEVIATION_VULKAN)
        voices_draw_vulkan(voices, VOICE_NATIVE, &control, drawn, NULL);
    else
        voices_draw_gl(voices, &control, drawn);
    struct judged off = judge_against_reference(voices, &isotropic, drawn);
    case_inputs(trial->one, voices->inputs);
    free(drawn);
    return off.count > 0;
}

/* A control that does not show the deviation takes the excuse away. */
static bool control_deviates(struct trial *trial, const struct deviation *deviation)
{
    static enum { UNKNOWN, DEVIATES, IS_RIGHT } * known;
    /* Small errors show in few values: other places are tried, until one does. */
    enum { ATTEMPTS = 16 };
    if (deviation->each)
        return draw_control(trial, deviation, 0);
    if (!known)
        known = harness_alloc(deviation_count, sizeof(*known));
    size_t index = (size_t)(deviation - deviations);
    for (uint32_t i = 0; i < ATTEMPTS && known[index] == UNKNOWN; i++)
        if (draw_control(trial, deviation, i))
            known[index] = DEVIATES;
    if (known[index] == UNKNOWN)
        known[index] = IS_RIGHT;
    return known[index] == DEVIATES;
}

/* The entry that excuses: the first one whose control, if it has any, deviates. *known: some entry knows of it. */
static const struct deviation *excuse(struct trial *trial, enum deviation_side side, double excess, bool *known)
{
    const struct deviation *entry = known_deviation(trial, side, excess);
    *known = entry != NULL;
    while (entry && entry->native_control && !control_deviates(trial, entry))
        entry = next_deviation(trial, side, excess, entry);
    return entry;
}

/*
 * Of the values of OpenGL that the specification does not allow, those that are not what the entry says of the driver
 * either, nor what another entry excuses.
 */
static uint32_t count_unexplained(struct trial *trial, const struct deviation *entry)
{
    struct diff_case model = *trial->one;
    uint32_t count = 0;
    if (!deviation_model(entry, &model))
        return 0;
    struct reference_result *drawn = harness_alloc(VOICES_VALUES, sizeof(*drawn));
    voices_reference(trial->voices, &model, case_computes_lod(&model) ? &loose : &ideal, drawn);
    for (uint32_t i = 0; i < VOICES_VALUES; i++) {
        const float *gl = trial->pictures->gl + (size_t)i * 4;
        if (accepts(trial, &trial->allowed[i], gl) || accepts(trial, &drawn[i], gl))
            continue;
        const double excess = excess_of(trial, &drawn[i], gl);
        const struct deviation *other = next_deviation(trial, DEVIATION_OPENGL, excess, entry);
        while (other && other->native_control && !control_deviates(trial, other))
            other = next_deviation(trial, DEVIATION_OPENGL, excess, other);
        count += !other;
    }
    free(drawn);
    return count;
}

static void conclude(struct trial *trial)
{
    struct judgement *judgement = trial->judgement;
    judgement->verdict =
        judgement->gl_deviates.count || judgement->vulkan_deviates.count ? VERDICT_DEVIATING : VERDICT_PASSED;
    if (judgement->wrong_tier) {
        judgement->verdict = VERDICT_FAILED;
        return;
    }
    if (judgement->failed.count) {
        snprintf(judgement->why, sizeof(judgement->why), "%u values are neither the specification's nor OpenGL's",
                 judgement->failed.count);
        judgement->verdict = VERDICT_FAILED;
        return;
    }
    bool known;
    if (judgement->gl_deviates.count) {
        judgement->gl = excuse(trial, DEVIATION_OPENGL, judgement->gl_deviates.excess, &known);
        if (!judgement->gl) {
            snprintf(judgement->why, sizeof(judgement->why), "OpenGL deviates in %u values, and %s",
                     judgement->gl_deviates.count,
                     known ? "native wrap modes show nothing of the kind" : "no table entry knows it to");
            judgement->verdict = VERDICT_FAILED;
            return;
        }
        const uint32_t unexplained = trial->pictures->has_reference ? count_unexplained(trial, judgement->gl) : 0;
        if (unexplained) {
            snprintf(judgement->why, sizeof(judgement->why), "OpenGL deviates in %u values otherwise than by: %s",
                     unexplained, judgement->gl->condition);
            judgement->verdict = VERDICT_FAILED;
            return;
        }
    }
    if (judgement->vulkan_deviates.count) {
        judgement->vulkan = excuse(trial, DEVIATION_VULKAN, judgement->vulkan_deviates.excess, &known);
        if (judgement->vulkan)
            return;
        snprintf(judgement->why, sizeof(judgement->why), "%u values are not the specification's, and %s",
                 judgement->vulkan_deviates.count,
                 known ? "the driver alone does not deviate" : "no table entry knows the driver to deviate");
        judgement->verdict = VERDICT_FAILED;
    }
}

/*
 * Descriptors in heaps are not known when a draw is recorded. Fetches follow what any combined image sampler of the
 * device asks then, which the mark does not know. The lookups beside, which do not compare, are looked after as if they
 * were through the sampler that compares.
 */
static int most_tier(const struct voices *voices, const struct diff_case *one, int most)
{
    if (!harness_sets_are_heaps(voices->sets))
        return most;
    if (one->lookup.company != LOOKUP_ALONE && one->lookup.separate && one->form == LOOKUP_SAMPLER_GL &&
        one->state.compareMode)
        return 2;
    return one->lookup.operation == LOOKUP_FETCH && most < 1 ? 1 : most;
}

static void draw(struct trial *trial)
{
    struct voices *voices = trial->voices;
    struct judgement *judgement = trial->judgement;
    uint64_t draws[4];
    case_inputs(trial->one, voices->inputs);
    trial->pictures->has_gl = voices_gl_is_witness(voices, trial->one);
    if (trial->pictures->has_gl)
        voices_draw_gl(voices, trial->one, trial->pictures->gl);
    judgement->reference_alone = !trial->pictures->has_gl;
    if (voices->without_vulkan)
        return;
    const struct facts *facts = &voices->facts;
    const enum lookup_format format = trial->one->texture.format;
    /* The driver below may lack linear filters that the layer offers. */
    const bool lacks = facts_unfilterable(facts, trial->one) || facts->offered.linear[format];
    const bool reduces = trial->one->state.reductionMode;
    const bool fetch = trial->one->lookup.operation == LOOKUP_FETCH; /* of a pair that nothing is looked up through */
    bool pairs_in_shader = trial->one->lookup.separate && case_filters(trial->one) &&
                           (case_is_integer(trial->one) || lacks || (reduces && !facts->minmax[format]));
    const bool reduces_alone = facts_reduces_alone(facts, trial->one) || (reduces && facts->offered.linear[format]);
    pairs_in_shader |= fetch && trial->one->lookup.separate && lacks;
    harness_messages_excuse(pairs_in_shader || reduces_alone ? EXCUSE_FILTERS : EXCUSE_NOTHING);
    const struct tier_range tiers = voices_tiers(voices, trial->one);
    voices_draw_vulkan(voices, voice_of(trial->one), trial->one, trial->pictures->vulkan, draws);
    harness_messages_excuse(EXCUSE_NOTHING);
    judgement->tier = draws[2] ? 2 : draws[1] ? 1 : 0;
    judgement->by_driver = draws[2] && !draws[3];
    const int most = most_tier(voices, trial->one, tiers.most);
    judgement->wrong_tier =
        draws[0] + draws[1] + draws[2] != 1 || judgement->tier < tiers.least || judgement->tier > most;
    if (judgement->wrong_tier)
        snprintf(judgement->why, sizeof(judgement->why),
                 "tier %d should have drawn once (at most %d); tiers 0, 1, 2 drew %llu, %llu, %llu times", tiers.least,
                 most, (unsigned long long)draws[0], (unsigned long long)draws[1], (unsigned long long)draws[2]);
    if (judgement->wrong_tier || !draws[2] || voices_have_mark(voices))
        return;
    const bool texels = facts_by_texels(&voices->facts, trial->one) && judgement->by_driver;
    const bool driver = facts_by_driver(&voices->facts, trial->one) && !judgement->by_driver;
    judgement->wrong_tier = texels || driver;
    if (judgement->wrong_tier)
        snprintf(judgement->why, sizeof(judgement->why), "tier 2 should have filtered %s",
                 texels ? "texel by texel" : "by the driver's own filter");
}

/* Where Vulkan is left out, it is what it should be. */
static void take_expected(const struct diff_case *one, struct judge_pictures *pictures)
{
    const enum reference_kind kind = case_kind(one);
    for (size_t i = 0; i < VOICES_VALUES * 4; i++) {
        const union reference_color *color = &pictures->expected[i / 4].rgba;
        pictures->vulkan[i] = kind == REFERENCE_UINT  ? (float)color->u[i % 4]
                              : kind == REFERENCE_INT ? (float)color->i[i % 4]
                                                      : color->f[i % 4];
    }
}

void judge(struct voices *voices, const struct diff_case *one, struct judge_pictures *pictures,
           struct judgement *judgement)
{
    static struct reference_result allowed[VOICES_VALUES];
    struct trial trial = {voices, one, pictures, judgement, allowed, {0}, lookup_reference_channels(&one->lookup)};
    *judgement = (struct judgement){.verdict = VERDICT_PASSED};
    set_tolerances(&trial);
    draw(&trial);
    pictures->has_reference = judgement->has_reference = voices_reference_is_witness(voices, one);
    const struct deviation *gl_known = pictures->has_gl ? known_deviation(&trial, DEVIATION_OPENGL, 0) : NULL;
    bool gl_is_off = gl_known && !gl_known->native_control; /* else its control decides */
    if (pictures->has_reference) {
        voices_reference(voices, one, &ideal, pictures->expected);
        if (case_computes_lod(one))
            voices_reference(voices, one, &loose, allowed);
        else
            memcpy(allowed, pictures->expected, sizeof(allowed));
        if (voices->without_vulkan)
            take_expected(one, pictures);
        for (uint32_t i = 0; i < VOICES_VALUES; i++)
            judge_value(&trial, i, gl_is_off);
    } else {
        float low, high, least;
        level_bounds(&trial, &low, &high, &least);
        for (uint32_t i = 0; i < VOICES_VALUES; i++)
            judge_level(&trial, i, low, high, least);
    }
    conclude(&trial);
}
