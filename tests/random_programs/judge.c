/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "judge.h"

/* ---- small programs that the judge draws himself ---- */

static int format_named(const char *name)
{
    for (int i = 0; i < random_format_count; i++)
        if (strcmp(random_formats[i].name, name) == 0)
            return i;
    harness_fail("no format %s", name);
}

static void add(struct program *p, struct operation o)
{
    p->operations[p->count++] = o;
}

static void add_parameter(struct program *p, enum random_parameter name, uint32_t token, float number)
{
    add(p, (struct operation){OPERATION_PARAMETER, {0, 0, (int32_t)name, (int32_t)token}, {number}});
}

/* A texture like that of a lookup, in slot 0 and unit 0, in another format; wrapped as Vulkan does without borders. */
static void begin_like(struct program *p, const struct lookup *l, int format, int seed, uint32_t min, uint32_t mag)
{
    const struct texture_state *t = l->texture;
    *p = (struct program){.count = 0};
    add(p, (struct operation){OPERATION_TEXTURE,
                              {0, (int32_t)(t->target == RANDOM_RECTANGLE ? RANDOM_2D : t->target), format, t->width,
                               t->height, t->depth, t->layers, t->levels, seed},
                              {0}});
    for (int i = 0; i < 3; i++) {
        const uint32_t wrap = l->sampler.wrap[i];
        const bool native = wrap == GL_REPEAT || wrap == GL_MIRRORED_REPEAT;
        add_parameter(p, (enum random_parameter)(PARAMETER_WRAP_S + i), native ? wrap : GL_CLAMP_TO_EDGE, 0);
    }
    add_parameter(p, PARAMETER_MIN_FILTER, min, 0);
    add_parameter(p, PARAMETER_MAG_FILTER, mag, 0);
    add_parameter(p, PARAMETER_MIN_LOD, 0, l->sampler.min_lod);
    add_parameter(p, PARAMETER_MAX_LOD, 0, l->sampler.max_lod);
    add_parameter(p, PARAMETER_LOD_BIAS, 0, l->sampler.bias);
    add_parameter(p, PARAMETER_SEAMLESS, 1, 0);
    add(p, (struct operation){OPERATION_LEVELS, {0, t->base, t->greatest}, {0}});
    add(p, (struct operation){OPERATION_UNIT, {0, 0, -1}, {l->unit_bias}});
}

/* Both draw it natively: OpenGL's and the driver's pictures, malloc'ed; false: one of them has no such draw. */
static bool draw_natively(const struct program *p, uint32_t **opengl, uint32_t **vulkan)
{
    struct pictures a, b;
    gl_voice_run(p, &a, NULL);
    vulkan_voice_run(p, &b, NULL, true);
    *opengl = a.draws[p->count - 1];
    *vulkan = b.draws[p->count - 1];
    a.draws[p->count - 1] = b.draws[p->count - 1] = NULL;
    pictures_free(&a);
    pictures_free(&b);
    if (*opengl && *vulkan)
        return true;
    free(*opengl);
    free(*vulkan);
    return false;
}

static float number_of(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof(number));
    return number;
}

static float greatest_difference(const uint32_t *a, const uint32_t *b)
{
    float greatest = 0;
    for (int i = 0; i < PIXELS * 4; i++)
        greatest = fmaxf(greatest, fabsf(number_of(a[i]) - number_of(b[i])));
    return greatest;
}

/* ---- calibration ---- */

static struct operation draw_across(enum random_function function, float levels)
{
    /* All of the texture, along x and y; along z or the levels slower. */
    return (struct operation){OPERATION_DRAW,
                              {(int32_t)function, STAGE_FRAG, 0},
                              {0, 0, 0.11f, 0, 1 / 64.0f, 0, 0.0031f, 0, 0, 1 / 64.0f, 0.0093f, 0,
                               0, 0, 0,     0, 0,         0, 0,       0, 0, 0,         0.0f,    levels / 64.0f}};
}

static uint32_t *drawn(const struct program *p, bool opengl)
{
    struct pictures pictures;
    if (opengl)
        gl_voice_run(p, &pictures, NULL);
    else
        vulkan_voice_run(p, &pictures, NULL, true);
    uint32_t *picture = pictures.draws[p->count - 1];
    pictures.draws[p->count - 1] = NULL;
    pictures_free(&pictures);
    if (!picture)
        harness_fail("a control of the judge's cannot be drawn");
    return picture;
}

/* Level codes, blended along y: the distance from a straight line. */
static float level_error(bool opengl)
{
    const struct texture_state t = {
        .target = RANDOM_2D, .width = 16, .height = 16, .depth = 1, .layers = 1, .levels = 4, .greatest = 3};
    struct lookup l = {.texture = &t, .sampler = {.max_lod = 1000}};
    struct program p;
    begin_like(&p, &l, format_named("RGBA32F"), SEED_LEVELS, GL_NEAREST_MIPMAP_LINEAR, GL_NEAREST);
    add(&p, draw_across(FUNCTION_LOD, 3));
    uint32_t *picture = drawn(&p, opengl);
    float worst = 0;
    for (int y = 0; y < SIDE; y++)
        worst = fmaxf(worst, fabsf(number_of(picture[(size_t)y * SIDE * 4]) - 3 / 64.0f * ((float)y + 0.5f)));
    free(picture);
    return worst;
}

/* Two texels of floats: the distance from a straight line, as a share of their difference. */
static float weight_error(bool opengl, const char *format)
{
    const struct texture_state t = {.target = RANDOM_1D, .width = 2, .height = 1, .depth = 1, .layers = 1, .levels = 1};
    struct lookup l = {.texture = &t,
                       .sampler = {.max_lod = 1000, .wrap = {GL_CLAMP_TO_EDGE, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_EDGE}}};
    struct program p;
    begin_like(&p, &l, format_named(format), SEED_RAMP, GL_LINEAR, GL_LINEAR);
    add(&p, draw_across(FUNCTION_LOD, 0));
    uint32_t *picture = drawn(&p, opengl);
    float worst = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            /* What draw_across gives: s = (x + 1/2) / 64; the texels' centres lie at 1/4 and 3/4. */
            const float s = ((float)x + 0.5f) / 64.0f, share = fminf(fmaxf(2 * s - 0.5f, 0), 1);
            worst = fmaxf(worst, fabsf(number_of(picture[(y * SIDE + x) * 4]) - share));
        }
    free(picture);
    return worst;
}

/* The same bytes as 8-bit texels and as floats, filtered along up to three axes and between levels. */
static float byte_error(bool opengl)
{
    float worst = 0;
    for (int i = 0; i < 3; i++) {
        static const enum random_target targets[] = {RANDOM_1D, RANDOM_2D, RANDOM_3D};
        const struct texture_state t = {.target = targets[i],
                                        .width = 4,
                                        .height = i ? 4 : 1,
                                        .depth = i > 1 ? 4 : 1,
                                        .layers = 1,
                                        .levels = 3,
                                        .greatest = 2};
        struct lookup l = {.texture = &t, .sampler = {.max_lod = 1000, .wrap = {GL_REPEAT, GL_REPEAT, GL_REPEAT}}};
        uint32_t *pictures[2];
        for (int k = 0; k < 2; k++) {
            struct program p;
            begin_like(&p, &l, format_named(k ? "R32F" : "R8"), SEED_BYTES, GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR);
            add(&p, draw_across(FUNCTION_LOD, 2));
            pictures[k] = drawn(&p, opengl);
        }
        worst = fmaxf(worst, greatest_difference(pictures[0], pictures[1]));
        free(pictures[0]);
        free(pictures[1]);
    }
    return worst;
}

/* Levels of gradients of several lengths: the distance from their logarithms, which drivers approximate. */
static float gradient_error(bool opengl)
{
    enum { STEPS = 12 };
    const struct texture_state t = {
        .target = RANDOM_2D, .width = 16, .height = 16, .depth = 1, .layers = 1, .levels = 5, .greatest = 4};
    struct lookup l = {.texture = &t, .sampler = {.max_lod = 1000}};
    struct program p;
    float worst = 0;
    begin_like(&p, &l, format_named("RGBA32F"), SEED_LEVELS, GL_NEAREST_MIPMAP_LINEAR, GL_NEAREST);
    const uint32_t first = p.count;
    for (int i = 0; i < STEPS; i++) {
        struct operation draw = draw_across(FUNCTION_GRAD, 0);
        draw.numbers[12] = exp2f(1 + (float)i / STEPS) / 16;
        add(&p, draw);
    }
    struct pictures pictures;
    if (opengl)
        gl_voice_run(&p, &pictures, NULL);
    else
        vulkan_voice_run(&p, &pictures, NULL, true);
    for (int i = 0; i < STEPS; i++)
        worst = fmaxf(worst, fabsf(number_of(pictures.draws[first + (uint32_t)i][0]) - 1 - (float)i / STEPS));
    pictures_free(&pictures);
    return worst;
}

void judge_calibrate(struct precision *precision)
{
    *precision = (struct precision){.weight = weight_error(true, "R32F"),
                                    .bytes = byte_error(true) + byte_error(false),
                                    .level = level_error(true)};
    /*
     * The driver's own error, and no less than the half of a step of what it states: who draws with its bits is as
     * precise as it is (subTexelPrecisionBits, mipmapPrecisionBits).
     */
    const float weight = weight_error(false, "R32F"), levels = level_error(false);
    float texel, level;
    vulkan_voice_precision(&texel, &level);
    precision->weight += fmaxf(weight, texel / 2) + 1e-5f;
    precision->level += fmaxf(levels, level / 2) + 1e-5f;
    precision->gradient = gradient_error(true) + gradient_error(false);
}

/* ---- one draw ---- */

struct trial {
    const struct program *program;
    const struct operation *draw;
    uint32_t number;
    struct lookup lookup;
    const uint32_t *opengl, *vulkan;
    const struct precision *precision;
    float error;     /* of what was painted */
    float tolerance; /* at numbers of the magnitude 1 */
    bool exact;
    bool suspicious[PIXELS];
};

static bool filters(const struct lookup *l)
{
    return l->sampler.mag_filter != GL_NEAREST ||
           (l->sampler.min_filter != GL_NEAREST && l->sampler.min_filter != GL_NEAREST_MIPMAP_NEAREST);
}

static bool is_gather(int function)
{
    return function == FUNCTION_GATHER || function == FUNCTION_GATHER_ALPHA || function == FUNCTION_GATHER_OFFSET;
}

static bool near(const struct trial *t, float low, float high, float seen, float more)
{
    const float allowed = (t->tolerance + more) * fmaxf(1, fmaxf(fabsf(low), fabsf(high))) + t->error;
    return seen >= low - allowed && seen <= high + allowed;
}

static bool same(const struct trial *t, int pixel)
{
    for (int c = 0; c < 4; c++) {
        const uint32_t a = t->opengl[pixel * 4 + c], b = t->vulkan[pixel * 4 + c];
        if (a != b && (t->exact || !near(t, number_of(a), number_of(a), number_of(b), 0)))
            return false;
    }
    return true;
}

/*
 * Whether a lookup blends across the mirror line, where this OpenGL lacks the lower bound of EXT_texture_mirror_clamp:
 * at some level the coordinate is within half a texel of 0.
 */
static bool at_mirror_line(const struct trial *t, int pixel)
{
    static const float offsets[] = {3, -2, 1};
    const struct lookup *l = &t->lookup;
    const struct parameters *p = &l->parameters;
    const int function = t->draw->integers[0];
    const float x = (float)(pixel % SIDE) + 0.5f, y = (float)(pixel / SIDE) + 0.5f;
    if (random_drawable.mirror_line || l->texture->target == RANDOM_BUFFER || function == FUNCTION_FETCH)
        return false;
    for (int i = 0; i < 3; i++) {
        if (l->sampler.wrap[i] != GL_MIRROR_CLAMP_EXT && l->sampler.wrap[i] != GL_MIRROR_CLAMP_TO_BORDER_EXT)
            continue;
        float at = p->origin[i] + p->dx[i] * x + p->dy[i] * y, offset = 0;
        if (function == FUNCTION_PROJ || function == FUNCTION_PROJ_LOD)
            at /= p->origin[3] + p->dx[3] * x + p->dy[3] * y;
        if (function == FUNCTION_OFFSET || function == FUNCTION_LOD_OFFSET || function == FUNCTION_GRAD_OFFSET)
            offset = offsets[i];
        else if (function == FUNCTION_GATHER_OFFSET && i < 2)
            offset = p->offset[i];
        const bool cube = l->texture->target == RANDOM_CUBE || l->texture->target == RANDOM_CUBE_ARRAY;
        const int sizes[] = {l->texture->width, l->texture->height, l->texture->depth};
        for (int level = l->texture->base; level <= l->texture->greatest; level++)
            if (cube || fabsf(at * (float)level_size(sizes[i], level) + offset) < 0.51f)
                return true;
    }
    return false;
}

/* The levels that OpenGL and the driver take, by textures whose texels are their level's number. */
struct levels {
    bool known;
    float *opengl;    /* PIXELS */
    float *apart;     /* PIXELS: by how much the driver's levels differ, implicit ones and those of gradients */
    float difference; /* the greatest of these where they are near each other */
};

/* Levels that differ by more than this are not one level and its rounding: such pixels are excused, one by one. */
#define LEVELS_NEAR 0.25f

static bool has_levels(const struct lookup *l)
{
    return l->sampler.min_filter != GL_NEAREST && l->sampler.min_filter != GL_LINEAR && texture_levels(l->texture) > 1;
}

static void find_levels(const struct trial *t, struct levels *levels)
{
    const struct lookup *l = &t->lookup;
    struct program p;
    struct operation draw = *t->draw;
    uint32_t *opengl, *vulkan;
    *levels =
        (struct levels){.opengl = harness_alloc(PIXELS, sizeof(float)), .apart = harness_alloc(PIXELS, sizeof(float))};
    if (!has_levels(l) || is_gather(draw.integers[0]))
        return;
    draw.integers[2] = 0;
    begin_like(&p, l, format_named("RGBA32F"), SEED_LEVELS, GL_NEAREST_MIPMAP_LINEAR, GL_NEAREST);
    add(&p, draw);
    if (!draw_natively(&p, &opengl, &vulkan))
        return;
    levels->known = true;
    for (int i = 0; i < PIXELS; i++) {
        levels->opengl[i] = number_of(opengl[i * 4]) - (float)l->texture->base;
        levels->apart[i] = fabsf(number_of(opengl[i * 4]) - number_of(vulkan[i * 4]));
    }
    /* Derivatives may be taken in advance: the same by gradients, which are the same everywhere without projection. */
    if (draw.integers[0] == FUNCTION_TEXTURE || draw.integers[0] == FUNCTION_OFFSET) {
        struct operation gradient = draw;
        gradient.integers[0] = FUNCTION_GRAD;
        memcpy(gradient.numbers + 12, gradient.numbers + 4, 8 * sizeof(float));
        p.operations[p.count - 1] = gradient;
        uint32_t *plain, *graded;
        if (draw_natively(&p, &plain, &graded)) {
            for (int i = 0; i < PIXELS; i++)
                levels->apart[i] = fmaxf(levels->apart[i], fabsf(number_of(opengl[i * 4]) - number_of(graded[i * 4])));
            free(plain);
            free(graded);
        }
    }
    for (int i = 0; i < PIXELS; i++)
        if (levels->apart[i] < LEVELS_NEAR)
            levels->difference = fmaxf(levels->difference, levels->apart[i]);
    free(opengl);
    free(vulkan);
}

/* Shares of the greatest shift of levels: what lies between may be on the other side of where filters switch. */
static const float bias_steps[] = {0, -1, 1, -0.5f, 0.5f, -0.2f, 0.2f, -0.05f, 0.05f};
enum { BIAS_STEPS = sizeof(bias_steps) / sizeof(bias_steps[0]), SHIFTS_MAX = 27 * 3 + BIAS_STEPS };

/* By how much the level may be another: precision, and what controls of this very draw have shown. */
static float level_shift(const struct trial *t, const struct levels *levels)
{
    const int function = t->draw->integers[0];
    const bool given = function == FUNCTION_LOD || function == FUNCTION_LOD_OFFSET || function == FUNCTION_PROJ_LOD;
    return has_levels(&t->lookup) || !given
               ? levels->difference + t->precision->level + (given ? 0 : t->precision->gradient)
               : 0;
}

/* One level's shifts: a driver's rounding further along each axis, with each of the shifts of levels. */
static int shifts_of(const struct trial *t, int level, float bias, struct shift *shifts)
{
    const struct texture_state *x = t->lookup.texture;
    const bool cube = x->target == RANDOM_CUBE || x->target == RANDOM_CUBE_ARRAY;
    const int axes = x->target == RANDOM_1D || x->target == RANDOM_1D_ARRAY ? 1
                     : x->target == RANDOM_3D || cube                       ? 3
                                                                            : 2;
    const int sizes[] = {x->width, x->height, cube ? x->width : x->depth};
    int count = 0, combinations = axes == 1 ? 3 : axes == 2 ? 9 : 27;
    for (int b = 0; b < (bias > 0 ? (int)BIAS_STEPS : 1); b++)
        for (int k = 0; k < combinations; k++) {
            if (b > 2 && k != combinations / 2) /* smaller shifts of levels: alone */
                continue;
            struct shift s = {.bias = bias_steps[b] * bias, .reference = (float)(k % 3 - 1) * 1e-6f};
            for (int i = 0, rest = k; i < axes; i++, rest /= 3) {
                const float texel = x->target == RANDOM_RECTANGLE
                                        ? 1.0f
                                        : (cube ? 2.0f : 1.0f) / (float)level_size(sizes[i], x->base + level);
                s.coordinate[i] = (float)(rest % 3 - 1) * t->precision->weight * texel;
                if (t->draw->integers[0] == FUNCTION_PROJ || t->draw->integers[0] == FUNCTION_PROJ_LOD)
                    s.coordinate[i] *= t->lookup.parameters.origin[3];
            }
            if (count < SHIFTS_MAX)
                shifts[count++] = s;
        }
    return count;
}

/* Takes pixels off the suspicious ones that OpenGL itself draws so, a rounding further. */
static void try_shifts(struct trial *t, const struct levels *levels, float *low, float *high)
{
    const int count = has_levels(&t->lookup) ? texture_levels(t->lookup.texture) : 1;
    struct shift shifts[SHIFTS_MAX];
    uint32_t *pictures = harness_alloc((size_t)SHIFTS_MAX * PIXELS * 4, sizeof(uint32_t));
    for (int level = 0; level < count; level++) {
        bool any = false;
        for (int i = 0; i < PIXELS && !any; i++)
            any = t->suspicious[i] && (!levels->known || fabsf(levels->opengl[i] - (float)level) < 1.01f);
        if (!any)
            continue;
        struct pictures again;
        const int n = shifts_of(t, level, level_shift(t, levels), shifts);
        const struct shifts request = {t->number, n, shifts, pictures};
        gl_voice_run(t->program, &again, &request);
        pictures_free(&again);
        for (int i = 0; i < PIXELS; i++) {
            if (!t->suspicious[i] || (levels->known && fabsf(levels->opengl[i] - (float)level) >= 1.01f))
                continue;
            for (int k = 0; k < n; k++)
                for (int c = 0; c < 4; c++) {
                    const float seen = number_of(pictures[((size_t)k * PIXELS + (size_t)i) * 4 + (size_t)c]);
                    low[i * 4 + c] = fminf(low[i * 4 + c], seen);
                    high[i * 4 + c] = fmaxf(high[i * 4 + c], seen);
                }
        }
    }
    free(pictures);
}

static bool within(const struct trial *t, const float *low, const float *high, int pixel, float more)
{
    for (int c = 0; c < 4; c++)
        if (!near(t, low[pixel * 4 + c], high[pixel * 4 + c], number_of(t->vulkan[pixel * 4 + c]), more))
            return false;
    return true;
}

/* Integers, a rounding further: takes pixels off that one of the pictures has. */
static void try_shifts_exactly(struct trial *t, const struct levels *levels, struct judged *judged)
{
    const int count = has_levels(&t->lookup) ? texture_levels(t->lookup.texture) : 1;
    struct shift shifts[SHIFTS_MAX];
    uint32_t *pictures = harness_alloc((size_t)SHIFTS_MAX * PIXELS * 4, sizeof(uint32_t));
    for (int level = 0; level < count; level++) {
        struct pictures again;
        const int n = shifts_of(t, level, level_shift(t, levels), shifts);
        const struct shifts request = {t->number, n, shifts, pictures};
        gl_voice_run(t->program, &again, &request);
        pictures_free(&again);
        for (int i = 0; i < PIXELS; i++)
            for (int k = 0; k < n && t->suspicious[i]; k++)
                if (memcmp(pictures + ((size_t)k * PIXELS + (size_t)i) * 4, t->vulkan + i * 4, 16) == 0) {
                    t->suspicious[i] = false;
                    judged->shifted++;
                }
    }
    free(pictures);
}

/* By how much OpenGL and the driver differ in the same draw where nothing needs emulation. */
static float native_difference(const struct trial *t)
{
    const struct lookup *l = &t->lookup;
    const struct format *f = l->texture->format;
    const bool plain = !f->ordered && (f->vulkan_channels == f->channels || f->depth) && !l->texture->stencil &&
                       f->base != GL_ALPHA && f->base != GL_LUMINANCE && f->base != GL_INTENSITY &&
                       f->base != GL_LUMINANCE_ALPHA;
    struct program p;
    struct operation draw = *t->draw;
    uint32_t *opengl, *vulkan;
    if (l->shadow)
        return 0;
    begin_like(&p, l, plain ? (int)(f - random_formats) : format_named("RGBA8"), 77, l->sampler.min_filter,
               l->sampler.mag_filter);
    draw.integers[2] = 0;
    add(&p, draw);
    if (!draw_natively(&p, &opengl, &vulkan))
        return 0;
    const float difference = greatest_difference(opengl, vulkan);
    free(opengl);
    free(vulkan);
    return difference;
}

static void fail(const struct trial *t, int pixel, struct verdict *v, const struct levels *levels)
{
    if (v->failed)
        return;
    v->failed = true;
    v->operation = t->number;
    v->pixel = (uint32_t)pixel;
    memcpy(v->opengl, t->opengl + pixel * 4, 16);
    memcpy(v->vulkan, t->vulkan + pixel * 4, 16);
    snprintf(v->why, sizeof(v->why), "tolerance %g, painted %g, level %g, levels differ by %g", (double)t->tolerance,
             (double)t->error, levels->known ? (double)levels->opengl[pixel] : 0.0, (double)levels->difference);
}

static void look_closer(struct trial *t, struct judged *judged, struct verdict *verdict)
{
    struct levels levels;
    float *low = harness_alloc(PIXELS * 4, sizeof(float)), *high = harness_alloc(PIXELS * 4, sizeof(float));
    for (int i = 0; i < PIXELS * 4; i++)
        low[i] = high[i] = number_of(t->opengl[i]);
    const int function = t->draw->integers[0];
    const bool placed =
        function != FUNCTION_FETCH && function != FUNCTION_SIZE && t->lookup.texture->target != RANDOM_BUFFER;
    if (placed)
        find_levels(t, &levels);
    else
        levels = (struct levels){0};
    if (placed && t->exact)
        try_shifts_exactly(t, &levels, judged);
    else if (placed)
        try_shifts(t, &levels, low, high);
    float native = -1;
    for (int i = 0; i < PIXELS; i++) {
        if (!t->suspicious[i])
            continue;
        if (levels.known && levels.apart[i] >= LEVELS_NEAR) {
            judged->controlled++;
            continue;
        }
        if (placed && !t->exact && within(t, low, high, i, 0)) {
            judged->shifted++;
            continue;
        }
        if (placed && !t->exact && native < 0)
            native = native_difference(t);
        if (placed && !t->exact && within(t, low, high, i, native)) {
            judged->controlled++;
            continue;
        }
        fail(t, i, verdict, &levels);
        break;
    }
    free(levels.opengl);
    free(levels.apart);
    free(low);
    free(high);
}

static void judge_draw(struct trial *t, struct judged *judged, struct verdict *verdict)
{
    const struct lookup *l = &t->lookup;
    const int function = t->draw->integers[0];
    bool any = false;
    t->exact = l->type != SAMPLE_FLOAT || function == FUNCTION_SIZE;
    const float step = l->texture->format->step;
    const bool blends = (filters(l) || is_gather(function)) && function != FUNCTION_FETCH && !l->shadow;
    /* sRGB is decoded to 8 bits or more; other formats exactly. */
    t->tolerance = 3e-6f + (blends && step >= 1 / 255.0f ? t->precision->bytes : 0) + (blends ? 1e-5f : 0);
    for (int i = 0; i < PIXELS; i++) {
        t->suspicious[i] = !same(t, i);
        if (t->suspicious[i] && at_mirror_line(t, i)) {
            t->suspicious[i] = false;
            judged->mirror_line++;
        }
        any |= t->suspicious[i];
    }
    judged->pixels += PIXELS;
    if (any)
        look_closer(t, judged, verdict);
}

/* ---- a program ---- */

/* By how much blending may be off: what a format rounds to, and what was there. */
static float painted_error(const struct machine *m, int slot, float before, bool looks, float looked_up,
                           const struct precision *precision)
{
    const struct format *f = m->textures[slot].format;
    const float step = f->step > 0 ? f->step : f->bits == 32 ? 1e-5f : 4e-3f;
    float lookup = 0;
    if (looks) {
        struct lookup l;
        machine_paint_lookup(m, &l);
        float contrast = 4;
        for (int i = 0; i < 4; i++)
            contrast = fmaxf(contrast, fabsf(l.sampler.border[i]));
        lookup = 2 * precision->weight * contrast + precision->bytes + looked_up;
    }
    return format_is_integer(f) ? 0 : 2 * before + 1.01f * step + 2 * lookup;
}

void judge(const struct program *program, const struct pictures *opengl, const struct pictures *vulkan,
           const struct precision *precision, struct judged *judged, struct verdict *verdict)
{
    struct machine m;
    float error[TEXTURES] = {0};
    *verdict = (struct verdict){0};
    machine_init(&m);
    for (uint32_t i = 0; i < program->count && !verdict->failed; i++) {
        const struct operation *o = &program->operations[i];
        const int32_t *n = o->integers;
        if (!machine_step(&m, o))
            continue;
        if (o->kind == OPERATION_TEXTURE)
            error[n[0]] = 0;
        if (o->kind == OPERATION_COPY)
            error[n[1]] = fmaxf(error[n[1]], error[n[0]]);
        if (o->kind == OPERATION_CLEAR || o->kind == OPERATION_PAINT)
            for (int k = 0; k < m.attachment_count; k++) {
                const int slot = m.attachments[k].texture;
                const bool looks = o->kind == OPERATION_PAINT && n[0];
                error[slot] =
                    painted_error(&m, slot, error[slot], looks, looks ? error[m.units[0].texture] : 0, precision);
            }
        if (o->kind != OPERATION_DRAW || !opengl->draws[i] || !vulkan->draws[i])
            continue;
        struct trial t = {.program = program,
                          .draw = o,
                          .number = i,
                          .opengl = opengl->draws[i],
                          .vulkan = vulkan->draws[i],
                          .precision = precision,
                          .error = error[m.units[n[2]].texture]};
        machine_lookup(&m, o, &t.lookup);
        judge_draw(&t, judged, verdict);
    }
}
