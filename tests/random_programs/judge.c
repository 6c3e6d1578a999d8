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

/*
 * Both draw it natively: OpenGL's and the driver's pictures, malloc'ed; false: one of them has no such draw. `manners`:
 * with the program's own manner, else with sets and pipelines.
 */
static bool draw_without_layer(const struct program *p, bool manners, uint32_t **opengl, uint32_t **vulkan)
{
    struct pictures a, b;
    gl_voice_run(p, &a, NULL, NULL);
    vulkan_voice_run(p, &b, manners ? "none" : NULL, !manners);
    *opengl = a.draws[p->count - 1];
    *vulkan = b.draws[p->count - 1];
    a.draws[p->count - 1] = b.draws[p->count - 1] = NULL;
    pictures_free(&a);
    pictures_free(&b);
    if (*opengl && *vulkan && !a.trouble[0])
        return true;
    free(*opengl);
    free(*vulkan);
    return false;
}

static bool draw_natively(const struct program *p, uint32_t **opengl, uint32_t **vulkan)
{
    return draw_without_layer(p, false, opengl, vulkan);
}

static float number_of(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof(number));
    return number;
}

/* How far apart two numbers are: what is infinite or no number is far from all but its like. Never no number. */
static float distance_of(float a, float b)
{
    if ((isnan(a) && isnan(b)) || a == b)
        return 0;
    const float distance = fabsf(a - b);
    return isnan(distance) ? INFINITY : distance;
}

/* How far from a number another one may be. */
static float allowance(float tolerance, float number)
{
    return isfinite(number) ? tolerance * fmaxf(1, fabsf(number)) : 0;
}

static float pixel_difference(const uint32_t *a, const uint32_t *b, int pixel)
{
    float greatest = 0;
    for (int i = pixel * 4; i < pixel * 4 + 4; i++)
        greatest = fmaxf(greatest, distance_of(number_of(a[i]), number_of(b[i])));
    return greatest;
}

/* Whether less than a `share` of two pictures' pixels are further apart than `distance`; frees both. */
static bool are_alike(uint32_t *a, uint32_t *b, float distance, float share)
{
    int apart = 0;
    for (int i = 0; i < PIXELS; i++)
        apart += pixel_difference(a, b, i) > distance;
    free(a);
    free(b);
    return (float)apart < share * PIXELS;
}

static float greatest_difference(const uint32_t *a, const uint32_t *b)
{
    float greatest = 0;
    for (int i = 0; i < PIXELS; i++)
        greatest = fmaxf(greatest, pixel_difference(a, b, i));
    if (!isfinite(greatest))
        harness_fail("a control of the judge's shows what is no number");
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
        gl_voice_run(p, &pictures, NULL, NULL);
    else
        vulkan_voice_run(p, &pictures, NULL, true);
    uint32_t *picture = pictures.draws[p->count - 1];
    pictures.draws[p->count - 1] = NULL;
    if (pictures.trouble[0])
        harness_fail("OpenGL answers %s, in a control of the judge's", pictures.trouble);
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
    /* Steps that no level of few bits falls in with. */
    struct operation draw = draw_across(FUNCTION_LOD, 0);
    const float level = 0.00137f, dy = 2.9f / 64.37f;
    draw.numbers[22] = level, draw.numbers[23] = dy;
    add(&p, draw);
    uint32_t *picture = drawn(&p, opengl);
    float worst = 0;
    for (int y = 0; y < SIDE; y++)
        worst = fmaxf(worst, fabsf(number_of(picture[(size_t)y * SIDE * 4]) - level - dy * ((float)y + 0.5f)));
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
    /* Steps that no weight of few bits falls in with. */
    struct operation draw = draw_across(FUNCTION_LOD, 0);
    const float origin = 0.00137f, dx = 1 / 64.37f, dy = 0.000213f;
    draw.numbers[0] = origin, draw.numbers[4] = dx, draw.numbers[8] = dy;
    add(&p, draw);
    uint32_t *picture = drawn(&p, opengl);
    float worst = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            /* The texels' centres lie at 1/4 and 3/4. */
            const float s = origin + dx * ((float)x + 0.5f) + dy * ((float)y + 0.5f);
            const float share = fminf(fmaxf(2 * s - 0.5f, 0), 1);
            worst = fmaxf(worst, fabsf(number_of(picture[(y * SIDE + x) * 4]) - share));
        }
    free(picture);
    return worst;
}

/* A texture of a control's, of two texels along each axis. */
static struct texture_state small_texture(int axes, const char *format)
{
    static const enum random_target targets[] = {RANDOM_1D, RANDOM_2D, RANDOM_3D};
    return (struct texture_state){.target = targets[axes - 1],
                                  .format = &random_formats[format_named(format)],
                                  .width = 2,
                                  .height = axes > 1 ? 2 : 1,
                                  .depth = axes > 2 ? 2 : 1,
                                  .layers = 1,
                                  .levels = 1};
}

/* A filter's weights along one axis, pixel by pixel, as a ramp shows them; of comparisons as theirs does. */
static uint32_t *draw_shares(bool opengl, struct operation draw, bool compares)
{
    const char *format = compares ? "DEPTH32F" : "R32F";
    struct texture_state ramp = small_texture(1, format);
    struct lookup l = {.texture = &ramp,
                       .sampler = {.max_lod = 1000, .wrap = {GL_CLAMP_TO_EDGE, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_EDGE}}};
    struct program p;
    ramp.target = RANDOM_2D; /* depth may not be in 1D */
    begin_like(&p, &l, format_named(format), SEED_RAMP, GL_LINEAR, GL_LINEAR);
    add_parameter(&p, PARAMETER_COMPARE_MODE, compares ? GL_COMPARE_REF_TO_TEXTURE : GL_NONE, 0);
    draw.numbers[20] = 0.5f;
    add(&p, draw);
    return drawn(&p, opengl);
}

/*
 * Linear filters along two and three axes, of floats or of the results of comparisons: the distance from what the
 * weights of each axis make of the texels, as a share of their difference. These weights are the same driver's, of one
 * axis alone. Depth has no third axis: there it is the share of a second level.
 */
static float product_error(bool opengl, int axes, bool compares)
{
    enum { SEED = 11 };
    const char *format = compares ? "DEPTH32F" : "R32F";
    struct texture_state t = small_texture(compares ? 2 : axes, format);
    struct lookup l = {.texture = &t,
                       .sampler = {.max_lod = 1000, .wrap = {GL_CLAMP_TO_EDGE, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_EDGE}}};
    const bool between = compares && axes > 2;
    t.levels = between ? 2 : 1;
    t.greatest = t.levels - 1;
    /* Along each axis other steps, which no weight of few bits falls in with. */
    const float origin[3] = {0.00137f, 0.00211f, 0.00173f}, dx[3] = {1 / 64.37f, 0.000213f, 0.0113f},
                dy[3] = {0.000213f, 1 / 64.21f, 0.00071f}, level = 0.00137f, level_dy = 0.9f / 64.37f;
    uint32_t *shares[3] = {NULL, NULL, NULL};
    struct program p;
    struct operation draw = draw_across(FUNCTION_LOD, 0);
    uint32_t *texels[2] = {texels_make(&t, 0, SEED), between ? texels_make(&t, 1, SEED) : NULL};
    float number[8], low = INFINITY, high = -INFINITY;
    for (int k = 0; k < 1 << axes; k++) {
        number[k] = number_of(between && k > 3 ? texels[1][0] : texels[0][k]);
        low = fminf(low, number[k]);
        high = fmaxf(high, number[k]);
    }
    if (compares) {
        draw.numbers[20] = 0.5f * (low + high);
        for (int k = 0; k < 1 << axes; k++)
            number[k] = draw.numbers[20] <= number[k];
        low = 0, high = 1;
    }
    for (int axis = 0; axis < axes; axis++) {
        struct operation one = draw;
        if (between && axis == 2) {
            begin_like(&p, &l, format_named("R32F"), SEED_LEVELS, GL_NEAREST_MIPMAP_LINEAR, GL_NEAREST);
            one.numbers[22] = level, one.numbers[23] = level_dy;
            add(&p, one);
            shares[axis] = drawn(&p, opengl);
            draw.numbers[22] = level, draw.numbers[23] = level_dy;
            continue;
        }
        one.numbers[0] = origin[axis], one.numbers[4] = dx[axis], one.numbers[8] = dy[axis];
        shares[axis] = draw_shares(opengl, one, compares);
        draw.numbers[axis] = origin[axis], draw.numbers[4 + axis] = dx[axis], draw.numbers[8 + axis] = dy[axis];
    }
    begin_like(&p, &l, format_named(format), SEED, between ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR, GL_LINEAR);
    add_parameter(&p, PARAMETER_COMPARE_MODE, compares ? GL_COMPARE_REF_TO_TEXTURE : GL_NONE, 0);
    add(&p, draw);
    uint32_t *picture = drawn(&p, opengl);
    float worst = 0;
    for (int i = 0; i < PIXELS; i++) {
        double exact = 0;
        for (int k = 0; k < 1 << axes; k++) {
            double weight = 1;
            for (int axis = 0; axis < axes; axis++) {
                const double share = (double)number_of(shares[axis][i * 4]);
                weight *= k >> axis & 1 ? share : 1 - share;
            }
            exact += weight * (double)number[k];
        }
        worst = fmaxf(worst, fabsf(number_of(picture[i * 4]) - (float)exact) / (high - low));
    }
    free(picture);
    free(texels[0]);
    free(texels[1]);
    for (int axis = 0; axis < axes; axis++)
        free(shares[axis]);
    return worst;
}

/* Gathers of 8 bits with a sign: how far what they show is from the nearest number that such a texel holds. */
static float gather_error(bool opengl)
{
    const struct texture_state t = {.target = RANDOM_2D, .width = 8, .height = 8, .depth = 1, .layers = 1, .levels = 1};
    struct lookup l = {.texture = &t, .sampler = {.max_lod = 1000}};
    struct program p;
    begin_like(&p, &l, format_named("R8_SNORM"), 5, GL_NEAREST, GL_NEAREST);
    add(&p, draw_across(FUNCTION_GATHER, 0));
    uint32_t *picture = drawn(&p, opengl);
    float worst = 0;
    for (int i = 0; i < PIXELS * 4; i++) {
        const float codes = number_of(picture[i]) * 127;
        worst = fmaxf(worst, fabsf(codes - rintf(codes)) / 127);
    }
    free(picture);
    return worst;
}

/*
 * The last texel of the last face is 1 and others are 0: how far coordinates on faces are off, as a share of a texel,
 * which the driver divides by what the direction's third component is.
 */
static float face_error(bool opengl)
{
    const struct texture_state t = {
        .target = RANDOM_CUBE, .width = 2, .height = 2, .depth = 1, .layers = 1, .levels = 1};
    struct lookup l = {.texture = &t, .sampler = {.max_lod = 1000}};
    struct program p;
    begin_like(&p, &l, format_named("R32F"), SEED_RAMP, GL_LINEAR, GL_LINEAR);
    struct operation draw = draw_across(FUNCTION_LOD, 0);
    const float from = -0.9137f, dx = 1.83f / 64.37f, far = 1.37f, dy = 0.0371f;
    const float numbers[12] = {from, -far / 2, -far, 0, dx, 0, 0, 0, 0, -dy / 2, -dy, 0};
    memcpy(draw.numbers, numbers, sizeof(numbers));
    add(&p, draw);
    uint32_t *picture = drawn(&p, opengl);
    float worst = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const float along = from + dx * ((float)x + 0.5f), depth = far + dy * ((float)y + 0.5f);
            const float s = 0.5f * (1 - along / depth);
            if (s > 0.25f && s < 0.75f) /* no other face's texels */
                worst = fmaxf(worst, fabsf(number_of(picture[(y * SIDE + x) * 4]) - (2 * s - 0.5f)));
        }
    free(picture);
    return worst;
}

/*
 * The same numbers as texels of few bits and as floats, filtered along up to three axes and between levels: by how much
 * the pictures differ.
 */
static float code_error(bool opengl, const char *format, const char *floats, int seed)
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
        for (int linear = 0; linear < 2; linear++) { /* drivers have ways of their own for texels between levels */
            const uint32_t min = linear ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST_MIPMAP_LINEAR;
            uint32_t *pictures[2];
            for (int k = 0; k < 2; k++) {
                struct program p;
                begin_like(&p, &l, format_named(k ? floats : format), seed, min, linear ? GL_LINEAR : GL_NEAREST);
                add(&p, draw_across(FUNCTION_LOD, 2));
                pictures[k] = drawn(&p, opengl);
            }
            worst = fmaxf(worst, greatest_difference(pictures[0], pictures[1]));
            free(pictures[0]);
            free(pictures[1]);
        }
    }
    return worst;
}

/* The same of bytes, in two dimensions and one level: what paints look up. */
static float flat_error(bool opengl)
{
    const struct texture_state t = {.target = RANDOM_2D, .width = 4, .height = 4, .depth = 1, .layers = 1, .levels = 1};
    struct lookup l = {.texture = &t, .sampler = {.max_lod = 1000, .wrap = {GL_REPEAT, GL_REPEAT, GL_REPEAT}}};
    uint32_t *pictures[2];
    for (int k = 0; k < 2; k++) {
        struct program p;
        begin_like(&p, &l, format_named(k ? "R32F" : "R8"), SEED_BYTES, GL_LINEAR, GL_LINEAR);
        add(&p, draw_across(FUNCTION_LOD, 0));
        pictures[k] = drawn(&p, opengl);
    }
    const float difference = greatest_difference(pictures[0], pictures[1]);
    free(pictures[0]);
    free(pictures[1]);
    return difference;
}

static float code_errors(const char *format, const char *floats, int seed)
{
    return code_error(true, format, floats, seed) + code_error(false, format, floats, seed);
}

enum { TEXELS_SEED = 5 };

/* Draws each texel of a format, SIDE by SIDE of them, at its own pixel. */
static uint32_t *draw_texels(bool opengl, int format, enum random_function function, enum random_stage stage)
{
    const struct texture_state t = {
        .target = RANDOM_2D, .width = SIDE, .height = SIDE, .depth = 1, .layers = 1, .levels = 1};
    struct lookup l = {.texture = &t, .sampler = {.max_lod = 1000}};
    struct operation draw = {OPERATION_DRAW, {(int32_t)function, (int32_t)stage, 0}, {[4] = 1, [9] = 1}};
    struct program p;
    begin_like(&p, &l, format, TEXELS_SEED, GL_NEAREST, GL_NEAREST);
    for (int i = 4; function == FUNCTION_LOD && i < 10; i++) /* texels in the place of numbers */
        draw.numbers[i] /= SIDE;
    add(&p, draw);
    return drawn(&p, opengl);
}

/* By how much the two decode blocks of a compressed format otherwise: what is more than two codes is no rounding. */
static float block_error(const struct format *format)
{
    static float known[FORMATS_MAX];
    const int number = (int)(format - random_formats);
    if (format->texels != TEXEL_BLOCK || known[number] > 0)
        return known[number];
    uint32_t *opengl = draw_texels(true, number, FUNCTION_FETCH, STAGE_FRAG),
             *vulkan = draw_texels(false, number, FUNCTION_FETCH, STAGE_FRAG);
    known[number] = 1e-6f + fminf(greatest_difference(opengl, vulkan), 2 / 255.0f);
    free(opengl);
    free(vulkan);
    return known[number];
}

/*
 * By how much one of the two shows texels of a packed format otherwise when it samples them than when it fetches them:
 * some paths of llvmpipe have 8 bits of each.
 */
static float packed_error(const struct format *format)
{
    static float known[FORMATS_MAX];
    const int number = (int)(format - random_formats);
    if (format->vulkan_channels || format->texels != TEXEL_BITS || known[number] != 0)
        return known[number];
    for (int opengl = 0; opengl < 2; opengl++) {
        uint32_t *fetched = draw_texels(opengl, number, FUNCTION_FETCH, STAGE_FRAG),
                 *sampled = draw_texels(opengl, number, FUNCTION_LOD, STAGE_FRAG);
        known[number] = fmaxf(known[number], 1e-6f + greatest_difference(fetched, sampled));
        free(fetched);
        free(sampled);
    }
    return known[number];
}

/* What OpenGL and the driver make of bytes that are sRGB, texel by texel. */
static float decode_difference(void)
{
    const int format = format_named("SRGB8_ALPHA8");
    uint32_t *opengl = draw_texels(true, format, FUNCTION_FETCH, STAGE_FRAG),
             *vulkan = draw_texels(false, format, FUNCTION_FETCH, STAGE_FRAG);
    const float difference = greatest_difference(opengl, vulkan);
    free(opengl);
    free(vulkan);
    return difference;
}

/*
 * Bytes that are sRGB against section 8.24: OpenGL's, and those that a shader of the driver's decodes, as the layer's
 * do where the driver's view does not.
 */
static float decode_error(bool opengl)
{
    const struct texture_state t = {.target = RANDOM_2D,
                                    .format = &random_formats[format_named("RGBA8")],
                                    .width = SIDE,
                                    .height = SIDE,
                                    .depth = 1,
                                    .layers = 1,
                                    .levels = 1};
    uint32_t *picture = opengl ? draw_texels(true, format_named("SRGB8_ALPHA8"), FUNCTION_FETCH, STAGE_FRAG)
                               : draw_texels(false, format_named("RGBA8"), FUNCTION_DECODED, STAGE_FRAG),
             *codes = texels_make(&t, 0, TEXELS_SEED);
    float worst = 0;
    for (int i = 0; i < PIXELS * 4; i++) {
        const double c = codes[i] / 255.0, linear = srgb_decode(c);
        if (i % 4 < 3 && (opengl || c > 0.04045))
            worst = fmaxf(worst, fabsf(number_of(picture[i]) - (float)linear));
    }
    free(picture);
    free(codes);
    return worst;
}

/* Whether the driver draws what is not blended, whatever the equation that is not used. */
static bool ignores_equations(void)
{
    random_drawable.blend_off = true;
    const int format = format_named("RGBA8");
    if (!random_drawable.attachment[format])
        return true;
    const struct program p = {
        .count = 5,
        .operations = {{OPERATION_TEXTURE, {0, RANDOM_2D, format, 1, 1, 1, 1, 1, 7}, {0}},
                       {OPERATION_TARGET, {1, 0, 0, 0}, {0}},
                       {OPERATION_BLEND, {0, 0, GL_ZERO, GL_ONE, GL_FUNC_ADD, GL_ZERO, GL_ONE, GL_FUNC_ADD, 15}, {0}},
                       {OPERATION_PAINT, {0}, {0}},
                       {OPERATION_UNIT, {0, 0, -1}, {0}}}};
    struct program all = p;
    add(&all, (struct operation){OPERATION_DRAW, {FUNCTION_FETCH, STAGE_FRAG, 0}, {0}});
    uint32_t *picture = drawn(&all, false);
    const bool painted = fmaxf(fabsf(number_of(picture[0])), fabsf(number_of(picture[3]))) < 0.01f;
    free(picture);
    return painted;
}

/* Whether the driver's fetches count levels from the view's first one. */
static bool fetches_from_base(void)
{
    random_drawable.fetch_base = true;
    const struct texture_state t = {
        .target = RANDOM_2D, .width = 16, .height = 16, .depth = 1, .layers = 1, .levels = 4, .base = 2, .greatest = 3};
    struct lookup l = {.texture = &t, .sampler = {.max_lod = 1000}};
    struct program p;
    begin_like(&p, &l, format_named("R32F"), SEED_LEVELS, GL_NEAREST, GL_NEAREST);
    add(&p, (struct operation){OPERATION_DRAW, {FUNCTION_FETCH, STAGE_FRAG, 0}, {[4] = 1, [9] = 1}});
    uint32_t *picture = drawn(&p, false);
    bool good = true;
    for (int i = 0; i < PIXELS; i++)
        good &= fabsf(number_of(picture[i * 4]) - 2) < 0.01f;
    free(picture);
    return good;
}

/*
 * Whether the driver's gathers at -s are those at s under MIRROR_CLAMP_TO_EDGE, as OpenGL's are: a coordinate is
 * mirrored before there are texels. True as well where it has no such mode: all of them are the layer's there.
 */
static bool mirrors_gathers(void)
{
    const struct texture_state t = {.target = RANDOM_2D, .width = 8, .height = 8, .depth = 1, .layers = 1, .levels = 1};
    struct lookup l = {.texture = &t, .sampler = {.max_lod = 1000}};
    struct program p;
    random_drawable.gather_mirrors = true;
    begin_like(&p, &l, format_named("R32F"), 5, GL_NEAREST, GL_NEAREST);
    for (int i = 0; i < 2; i++)
        add_parameter(&p, (enum random_parameter)(PARAMETER_WRAP_S + i), GL_MIRROR_CLAMP_TO_EDGE, 0);
    struct operation draw = {OPERATION_DRAW, {FUNCTION_GATHER, STAGE_FRAG, 0}, {-0.5137f, -0.5219f}};
    add(&p, draw);
    uint32_t *opengl, *vulkan;
    return !draw_natively(&p, &opengl, &vulkan) || are_alike(opengl, vulkan, 0.001f, 1);
}

/* Whether the driver gathers from the base level where the sampler's bounds leave another one alone. */
static bool gathers_from_base(void)
{
    const struct texture_state t = {
        .target = RANDOM_2D, .width = 8, .height = 8, .depth = 1, .layers = 1, .levels = 3, .greatest = 2};
    struct lookup l = {.texture = &t, .sampler = {.min_lod = 1, .max_lod = 1}};
    struct program p;
    random_drawable.gather_bounds = true;
    begin_like(&p, &l, format_named("R32F"), SEED_LEVELS, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST);
    add(&p, draw_across(FUNCTION_GATHER, 0));
    return are_alike(drawn(&p, true), drawn(&p, false), 0.5f, 1 / 16.0f);
}

/* Whether the driver's compute shaders see compressed textures that nothing has drawn with. */
static bool computes_blocks(void)
{
    int format = 0;
    random_drawable.block_compute = true;
    while (format < random_format_count &&
           (random_formats[format].texels != TEXEL_BLOCK || !random_drawable.format[format][RANDOM_2D]))
        format++;
    if (format == random_format_count || !random_drawable.stage[STAGE_COMP])
        return true;
    return are_alike(draw_texels(true, format, FUNCTION_FETCH, STAGE_COMP),
                     draw_texels(false, format, FUNCTION_FETCH, STAGE_COMP), 0.02f, 1 / 32.0f);
}

/* Whether the driver moves the texels of both levels that it blends: between two levels, by an offset that is constant.
 */
static bool moves_both_levels(void)
{
    random_drawable.level_offset = true;
    const struct texture_state t = {
        .target = RANDOM_2D, .width = 16, .height = 16, .depth = 1, .layers = 1, .levels = 3, .greatest = 2};
    struct lookup l = {.texture = &t, .sampler = {.max_lod = 1000, .wrap = {GL_REPEAT, GL_REPEAT, GL_REPEAT}}};
    struct program p;
    begin_like(&p, &l, format_named("R32F"), 5, GL_NEAREST_MIPMAP_LINEAR, GL_NEAREST);
    struct operation draw = draw_across(FUNCTION_LOD_OFFSET, 0);
    draw.numbers[0] = draw.numbers[1] = 0.0031f; /* nearest texels a quarter off their edges at level 0 */
    draw.numbers[22] = 0.5f;
    add(&p, draw);
    return are_alike(drawn(&p, true), drawn(&p, false), 0.05f, 1 / 16.0f);
}

void judge_calibrate(struct precision *precision)
{
    *precision = (struct precision){
        .weight = weight_error(true, "R32F"),
        .bytes = code_errors("R8", "R32F", SEED_BYTES),
        .flat = flat_error(true) + flat_error(false),
        .words = code_errors("R16", "R32F", SEED_WORDS),
        .srgb = code_errors("SRGB8_ALPHA8", "RGBA32F", SEED_SRGB),
        .halves = code_errors("R16F", "R32F", SEED_HALVES),
        .small = {code_errors("R11F_G11F_B10F", "RGBA32F", SEED_F11), code_errors("RGB9_E5", "RGBA32F", SEED_E5)},
        .gathered = gather_error(true) + gather_error(false),
        .face = face_error(true) + face_error(false),
        .level = level_error(true)};
    /*
     * The driver's own error, and no less than the half of a step of what it states: who draws with its bits is as
     * precise as it is (subTexelPrecisionBits). Shares of levels have 8 bits in the layer's shaders.
     */
    const float weight = weight_error(false, "R32F"), levels = level_error(false);
    float texel;
    vulkan_voice_precision(&texel);
    precision->weight += fmaxf(weight, texel / 2) + 1e-5f;
    precision->steps = texel > 0 ? 1 / texel : 0;
    precision->level += fmaxf(levels, 1 / 512.0f) + 1e-5f;
    for (int axes = 2; axes <= 3; axes++) {
        precision->products[axes - 2] = product_error(true, axes, false) + product_error(false, axes, false);
        precision->compared[axes - 2] = product_error(true, axes, true) + product_error(false, axes, true);
    }
    precision->decode = decode_difference();
    precision->decoded = decode_error(true) + decode_error(false);
    random_drawable.level_offset = moves_both_levels();
    random_drawable.blend_off = ignores_equations();
    random_drawable.fetch_base = fetches_from_base();
    random_drawable.block_compute = computes_blocks();
    random_drawable.gather_mirrors = mirrors_gathers();
    random_drawable.gather_bounds = gathers_from_base();
}

/* ---- one draw ---- */

struct trial {
    const struct program *program;
    const struct pictures *given; /* what was painted */
    struct machine machine;       /* before the draw */
    const struct operation *draw;
    uint32_t number;
    struct lookup lookup;
    const uint32_t *opengl, *vulkan;
    const struct precision *precision;
    float tolerance; /* at numbers of the magnitude 1 */
    float product;   /* of linear filters along several directions, as a share of the contrast */
    bool exact, blends;
    float contrast[4]; /* find_contrast() */
    bool suspicious[PIXELS];
    float excess[PIXELS]; /* of those: by how much they are further off than is allowed; 0 and less: they agree */
    bool at_level[PIXELS];
};

static bool filters(const struct lookup *l)
{
    return l->sampler.mag_filter != GL_NEAREST ||
           (l->sampler.min_filter != GL_NEAREST && l->sampler.min_filter != GL_NEAREST_MIPMAP_NEAREST);
}

/* The filter of smaller levels, within one. */
static bool is_minified_linear(const struct sampler_state *s)
{
    return s->min_filter == GL_LINEAR || s->min_filter == GL_LINEAR_MIPMAP_NEAREST ||
           s->min_filter == GL_LINEAR_MIPMAP_LINEAR;
}

static bool is_gather(int function)
{
    return function == FUNCTION_GATHER || function == FUNCTION_GATHER_ALPHA || function == FUNCTION_GATHER_OFFSET;
}

static bool near(const struct trial *t, float expected, float seen)
{
    return distance_of(expected, seen) <= allowance(t->tolerance, expected);
}

static bool same(const struct trial *t, int pixel)
{
    for (int c = 0; c < 4; c++) {
        const uint32_t a = t->opengl[pixel * 4 + c], b = t->vulkan[pixel * 4 + c];
        if (a != b && (t->exact || !near(t, number_of(a), number_of(b))))
            return false;
    }
    return true;
}

static bool is_cube(const struct texture_state *t)
{
    return t->target == RANDOM_CUBE || t->target == RANDOM_CUBE_ARRAY;
}

static int axes_of(const struct texture_state *t)
{
    if (t->target == RANDOM_1D || t->target == RANDOM_1D_ARRAY)
        return 1;
    return t->target == RANDOM_3D || is_cube(t) ? 3 : 2;
}

static bool has_levels(const struct lookup *l)
{
    return l->sampler.min_filter != GL_NEAREST && l->sampler.min_filter != GL_LINEAR && texture_levels(l->texture) > 1;
}

/* The levels that a lookup may see, whatever is rounded: without a filter of levels, and in gathers, the base alone. */
static void seen_levels(const struct lookup *l, bool gathers, int *first, int *last)
{
    const float rounded = 0.01f;
    const int most = has_levels(l) && !gathers ? texture_levels(l->texture) - 1 : 0;
    const float least = floorf(fmaxf(l->sampler.min_lod - rounded, 0)),
                greatest = ceilf(fmaxf(l->sampler.max_lod + rounded, 0));
    *first = l->texture->base + (int)fminf(least, (float)most);
    *last = l->texture->base + (int)fminf(greatest, (float)most);
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
    /* A border's mirror is the shader's; faces of cubes have two axes, and seamless ones none that is wrapped. */
    const bool cube = is_cube(l->texture);
    const int axes = cube ? (l->sampler.seamless ? 0 : 2) : axes_of(l->texture);
    if (random_drawable.mirror_line || l->mirror_level >= 0 || l->texture->target == RANDOM_BUFFER ||
        l->texture->border || function == FUNCTION_FETCH || function == FUNCTION_SIZE ||
        !(filters(l) || is_gather(function)))
        return false;
    int first, last;
    seen_levels(l, is_gather(function), &first, &last);
    for (int i = 0; i < axes; i++) {
        if (l->sampler.wrap[i] != GL_MIRROR_CLAMP_EXT && l->sampler.wrap[i] != GL_MIRROR_CLAMP_TO_BORDER_EXT)
            continue;
        float at = p->origin[i] + p->dx[i] * x + p->dy[i] * y, offset = 0;
        if (function == FUNCTION_PROJ || function == FUNCTION_PROJ_LOD)
            at /= p->origin[3] + p->dx[3] * x + p->dy[3] * y;
        if (function == FUNCTION_OFFSET || function == FUNCTION_LOD_OFFSET || function == FUNCTION_GRAD_OFFSET)
            offset = offsets[i];
        else if (function == FUNCTION_GATHER_OFFSET && i < 2)
            offset = p->offset[i];
        const int sizes[] = {l->texture->width, l->texture->height, l->texture->depth};
        for (int level = first; level <= last; level++)
            if (cube || fabsf(at * (float)level_size(sizes[i], level) + offset) < 0.51f)
                return true;
    }
    return false;
}

/*
 * Whether a gather's footprint is at a corner of a cube: three texels meet there, and OpenGL leaves open what comes in
 * the place of the fourth (section 8.15).
 */
static bool at_open_corner(const struct trial *t, int pixel)
{
    const struct lookup *l = &t->lookup;
    const struct parameters *p = &l->parameters;
    const float x = (float)(pixel % SIDE) + 0.5f, y = (float)(pixel / SIDE) + 0.5f;
    if (!is_gather(t->draw->integers[0]) || l->texture->target != RANDOM_CUBE || !l->sampler.seamless)
        return false;
    float at[3], far = 0;
    for (int i = 0; i < 3; i++) {
        at[i] = fabsf(p->origin[i] + p->dx[i] * x + p->dy[i] * y);
        far = fmaxf(far, at[i]);
    }
    const float edge = far * (1 - 1.01f / (float)level_size(l->texture->width, l->texture->base));
    return at[0] >= edge && at[1] >= edge && at[2] >= edge;
}

/*
 * Levels of detail, behind biases and bounds of the sampler's. What OpenGL and the driver without the layer take shows
 * in textures whose texels are their level's number; the equations of section 8.14.1, which drivers may approximate and
 * the layer's shaders do not, are computed.
 */
enum level_of {
    LEVEL_OPENGL,
    LEVEL_DRIVER,
    LEVEL_GRADIENTS, /* the driver's, of the same derivatives as gradients, with the biases that its samplers lack */
    LEVEL_EXACT,     /* by the equations; of projections with the derivatives of each row of a quad */
    LEVEL_COARSE,    /* with those of its first row and column */
    /* The same two with the sampler's bias in the steps that the extension allows ("Level of Detail"). */
    LEVEL_STEPS,
    LEVEL_COARSE_STEPS,
    LEVELS_OF
};

struct levels {
    bool counts;          /* the level says which texels or which filter */
    bool measured;        /* by a lookup that is not given it */
    float *of[LEVELS_OF]; /* PIXELS each; NULL: not known */
    float *unbound;       /* OpenGL's, before the sampler's bounds */
};

/* Which function takes a level or bias that is given pixel by pixel, in OpenGL. */
struct placing {
    bool possible, added;
    enum random_function function;
};

static bool is_given(int function)
{
    return function == FUNCTION_LOD || function == FUNCTION_LOD_OFFSET || function == FUNCTION_PROJ_LOD;
}

static bool has_function(const struct trial *t, enum random_function function)
{
    struct operation own = *t->draw;
    struct lookup l;
    own.integers[0] = (int32_t)function;
    return machine_lookup(&t->machine, &own, &l);
}

static struct placing find_placing(const struct trial *t)
{
    const enum random_function own = (enum random_function)t->draw->integers[0];
    const bool moves = own == FUNCTION_OFFSET || own == FUNCTION_LOD_OFFSET || own == FUNCTION_GRAD_OFFSET;
    const bool projects = own == FUNCTION_PROJ || own == FUNCTION_PROJ_LOD;
    const enum random_function given = moves ? FUNCTION_LOD_OFFSET : projects ? FUNCTION_PROJ_LOD : FUNCTION_LOD;
    if (has_function(t, given))
        return (struct placing){true, false, given};
    if (own == FUNCTION_GRAD || own == FUNCTION_GRAD_OFFSET)
        return (struct placing){true, true, own};
    if ((own == FUNCTION_TEXTURE || own == FUNCTION_BIAS) && has_function(t, FUNCTION_BIAS))
        return (struct placing){true, true, FUNCTION_BIAS};
    return (struct placing){false, false, own};
}

static float bounded(const struct sampler_state *s, float level)
{
    return fminf(fmaxf(level, s->min_lod), s->max_lod);
}

/* The axis that a direction's face lies along: exactly at a tie z comes before y before x. */
static int major_axis(const float at[3])
{
    const float x = fabsf(at[0]), y = fabsf(at[1]), z = fabsf(at[2]);
    return z >= x && z >= y ? 2 : y >= x ? 1 : 0;
}

/* How a coordinate changes from pixel to pixel along x and y, on the face of cubes. False: it is the same everywhere.
 */
static void changes_of(const struct trial *t, int pixel, bool coarse, float changes[2][3])
{
    const struct parameters *p = &t->lookup.parameters;
    const int function = t->draw->integers[0];
    const bool given = function == FUNCTION_GRAD || function == FUNCTION_GRAD_OFFSET;
    const float *along[] = {given ? p->gradient_x : p->dx, given ? p->gradient_y : p->dy};
    const float x = (float)(pixel % SIDE) + 0.5f, y = (float)(pixel / SIDE) + 0.5f;
    float at[3];
    for (int i = 0; i < 3; i++)
        at[i] = p->origin[i] + p->dx[i] * x + p->dy[i] * y;
    const int far = major_axis(at);
    const float left = floorf(x / 2) * 2 + 0.5f, top = floorf(y / 2) * 2 + 0.5f;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) {
            changes[k][i] = along[k][i];
            if (is_cube(t->lookup.texture)) {
                const float sign = at[far] < 0 ? -1 : 1;
                changes[k][i] = i == far ? 0
                                         : 0.5f * (along[k][i] * fabsf(at[far]) - at[i] * sign * along[k][far]) /
                                               (at[far] * at[far]);
            } else if (function == FUNCTION_PROJ) {
                const float from[2] = {k == 0 ? left : coarse ? left : x, k == 1 ? top : coarse ? top : y};
                const float to[2] = {from[0] + (k == 0), from[1] + (k == 1)};
                const float a = p->origin[i] + p->dx[i] * from[0] + p->dy[i] * from[1],
                            b = p->origin[i] + p->dx[i] * to[0] + p->dy[i] * to[1];
                const float q = p->origin[3] + p->dx[3] * from[0] + p->dy[3] * from[1],
                            r = p->origin[3] + p->dx[3] * to[0] + p->dy[3] * to[1];
                changes[k][i] = b / r - a / q;
            }
        }
}

#define STATED_STEPS 256.0f

/* The sampler's part of the bias, in steps or not. */
static float sampler_bias(const struct lookup *l, bool steps)
{
    const float bias = l->sampler.bias + l->unit_bias;
    return steps ? roundf(bias * STATED_STEPS) / STATED_STEPS : bias;
}

/* By the equations of section 8.14.1, before it is bounded. */
static float exact_level(const struct trial *t, int pixel, bool coarse, bool steps)
{
    const struct lookup *l = &t->lookup;
    const struct texture_state *x = l->texture;
    const struct parameters *p = &l->parameters;
    const int function = t->draw->integers[0];
    const float biases = sampler_bias(l, steps), row = (float)(pixel / SIDE) + 0.5f;
    if (is_given(function))
        return p->level + p->level_dy * row + biases;
    if (t->draw->integers[1] != STAGE_FRAG && function == FUNCTION_TEXTURE)
        return biases;
    const int axes = axes_of(x),
              sizes[] = {x->width, is_cube(x) ? x->width : x->height, is_cube(x) ? x->width : x->depth};
    float changes[2][3], longest = 0;
    changes_of(t, pixel, coarse, changes);
    for (int k = 0; k < 2; k++) {
        float square = 0;
        for (int i = 0; i < axes; i++) {
            const float size = x->target == RANDOM_RECTANGLE ? 1 : (float)level_size(sizes[i], x->base);
            square += changes[k][i] * changes[k][i] * size * size;
        }
        longest = fmaxf(longest, square);
    }
    return 0.5f * log2f(fmaxf(longest, 1e-30f)) + biases +
           (function == FUNCTION_BIAS ? p->level + p->level_dy * row : 0);
}

/* A control's draw: from unit 0, and of a rectangle in the coordinates of 2D. */
static struct operation control_draw(const struct trial *t)
{
    const struct texture_state *x = t->lookup.texture;
    struct operation draw = *t->draw;
    draw.integers[2] = 0;
    const bool scaled = x->target == RANDOM_RECTANGLE && draw.integers[0] != FUNCTION_FETCH;
    for (int i = 0; scaled && i < 5; i++) { /* origin to gradient_y */
        draw.numbers[4 * i] /= (float)x->width;
        draw.numbers[4 * i + 1] /= (float)x->height;
    }
    return draw;
}

/* Where a bias is added: by the sampler, by OpenGL's unit, by the shader. */
struct biases {
    float sampler, unit, shader;
};

static struct biases own_biases(const struct lookup *l)
{
    return (struct biases){l->sampler.bias, l->unit_bias, 0};
}

/* Beyond the limit of the driver's samplers the layer's shaders have the rest of the bias, as longer gradients. */
static bool is_beyond_limit(const struct trial *t)
{
    return fabsf(sampler_bias(&t->lookup, true)) > t->precision->most_bias;
}

static struct biases limited_biases(const struct trial *t)
{
    const float all = sampler_bias(&t->lookup, true), most = t->precision->most_bias,
                held = fminf(fmaxf(all, -most), most);
    return (struct biases){held, 0, all - held};
}

/*
 * What OpenGL and the driver take, unbounded: by the same gradients in a texture that has MORE levels more, whose
 * levels above the base show magnified lookups apart. It is larger along its longest side alone, with longer gradients
 * along the others, which comes to the same; cubes are larger altogether.
 */
static bool measure_levels(const struct trial *t, enum random_function function, struct biases biases, float *opengl,
                           float *driver)
{
    enum { MORE = 4 };
    const struct lookup *l = &t->lookup;
    const struct texture_state *x = l->texture;
    static const enum random_target targets[RANDOM_TARGETS] = {
        RANDOM_1D, RANDOM_2D, RANDOM_3D, RANDOM_CUBE, RANDOM_1D, RANDOM_2D, RANDOM_CUBE, RANDOM_2D, RANDOM_2D};
    const int axes = axes_of(x);
    struct texture_state large = {.target = targets[x->target],
                                  .width = level_size(x->width, x->base),
                                  .height = axes > 1 ? level_size(x->height, x->base) : 1,
                                  .depth = x->target == RANDOM_3D ? level_size(x->depth, x->base) : 1,
                                  .layers = 1,
                                  .levels = LEVELS_MAX,
                                  .greatest = LEVELS_MAX};
    struct lookup own = *l;
    own.texture = &large;
    own.sampler.min_lod = -1000;
    own.sampler.max_lod = 1000;
    own.sampler.bias = biases.sampler;
    own.unit_bias = biases.unit;
    struct operation draw = control_draw(t);
    draw.integers[0] = (int32_t)function;
    int32_t *const sides[] = {&large.width, &large.height, &large.depth};
    const int longest = large.depth > large.width && large.depth > large.height ? 2 : large.height > large.width;
    for (int axis = 0; axis < 3; axis++) {
        if (axis == longest || (is_cube(x) && axis < 2))
            *sides[axis] <<= MORE;
        for (int i = 0; axis != longest && !is_cube(x) && i < 5; i++) /* origin to gradient_y */
            draw.numbers[4 * i + axis] *= 1 << MORE;
    }
    const bool graded = function == FUNCTION_GRAD || function == FUNCTION_BIASED_GRAD;
    if (graded && t->draw->integers[0] != FUNCTION_GRAD && t->draw->integers[0] != FUNCTION_GRAD_OFFSET)
        memcpy(draw.numbers + 12, draw.numbers + 4, 8 * sizeof(float));
    if (graded && t->draw->integers[0] != FUNCTION_BIAS)
        draw.numbers[22] = draw.numbers[23] = 0;
    draw.numbers[22] += biases.shader;
    struct program p;
    uint32_t *pictures[2];
    begin_like(&p, &own, format_named("R32F"), SEED_LEVELS, GL_NEAREST_MIPMAP_LINEAR, GL_NEAREST);
    add(&p, draw);
    if (!draw_natively(&p, &pictures[0], &pictures[1]))
        return false;
    for (int i = 0; i < PIXELS; i++) {
        opengl[i] = number_of(pictures[0][i * 4]) - MORE;
        driver[i] = number_of(pictures[1][i * 4]) - MORE;
    }
    free(pictures[0]);
    free(pictures[1]);
    return true;
}

static void free_levels(struct levels *levels)
{
    for (int k = 0; k < LEVELS_OF; k++)
        free(levels->of[k]);
    free(levels->unbound);
}

static void bound_all(const struct trial *t, float *levels)
{
    for (int i = 0; i < PIXELS; i++)
        levels[i] = bounded(&t->lookup.sampler, levels[i]);
}

static void find_levels(const struct trial *t, struct levels *levels)
{
    const struct lookup *l = &t->lookup;
    const enum random_function function = (enum random_function)t->draw->integers[0];
    *levels = (struct levels){
        .counts = !is_gather((int)function) &&
                  (has_levels(l) || is_minified_linear(&l->sampler) != (l->sampler.mag_filter == GL_LINEAR))};
    if (!levels->counts)
        return;
    for (int k = 0; k < LEVELS_OF; k++)
        levels->of[k] = harness_alloc(PIXELS, sizeof(float));
    levels->unbound = harness_alloc(PIXELS, sizeof(float));
    for (int i = 0; i < PIXELS; i++) {
        levels->of[LEVEL_EXACT][i] = exact_level(t, i, false, false);
        levels->of[LEVEL_COARSE][i] = exact_level(t, i, true, false);
        levels->of[LEVEL_STEPS][i] = exact_level(t, i, false, true);
        levels->of[LEVEL_COARSE_STEPS][i] = exact_level(t, i, true, true);
    }
    /* Offsets move no level. */
    const enum random_function plain = function == FUNCTION_OFFSET        ? FUNCTION_TEXTURE
                                       : function == FUNCTION_GRAD_OFFSET ? FUNCTION_GRAD
                                                                          : function;
    float *opengl = levels->of[LEVEL_OPENGL], *driver = levels->of[LEVEL_DRIVER], *graded = levels->of[LEVEL_GRADIENTS];
    levels->measured = !is_given((int)function) && measure_levels(t, plain, own_biases(l), opengl, driver);
    if (!levels->measured) {
        memcpy(opengl, levels->of[LEVEL_EXACT], PIXELS * sizeof(float));
        memcpy(driver, opengl, PIXELS * sizeof(float));
    }
    /* Derivatives may be taken in advance: the same by gradients, with a bias in them, which are the same everywhere
     * without projection. */
    float *unused = harness_alloc(PIXELS, sizeof(float));
    const bool beyond = is_beyond_limit(t), biased = plain == FUNCTION_BIAS || beyond;
    if (!levels->measured || (plain != FUNCTION_TEXTURE && plain != FUNCTION_BIAS) ||
        t->draw->integers[1] != STAGE_FRAG ||
        !measure_levels(t, biased ? FUNCTION_BIASED_GRAD : FUNCTION_GRAD, beyond ? limited_biases(t) : own_biases(l),
                        unused, graded))
        memcpy(graded, driver, PIXELS * sizeof(float));
    free(unused);
    memcpy(levels->unbound, opengl, PIXELS * sizeof(float));
    for (int k = 0; k < LEVELS_OF; k++)
        bound_all(t, levels->of[k]);
}

/* Shares of the greatest shift of levels: what lies between may be on the other side of where filters switch. */
static const float bias_steps[] = {0, -1, 1, -0.5f, 0.5f, -0.2f, 0.2f, -0.05f, 0.05f};
enum {
    BIAS_STEPS = sizeof(bias_steps) / sizeof(bias_steps[0]),
    SNAPS_MAX = 9,
    SHIFTS_MAX = (27 + SNAPS_MAX) * 5 + BIAS_STEPS
};

/* Whether a draw magnifies whatever is rounded: its level is 0 and nothing is added, or its greatest one is no more. */
static bool is_magnified(const struct trial *t)
{
    const struct parameters *p = &t->lookup.parameters;
    const struct sampler_state *s = &t->lookup.sampler;
    const int function = t->draw->integers[0];
    const bool said = is_given(function) || (function == FUNCTION_TEXTURE && t->draw->integers[1] != STAGE_FRAG);
    const float level = is_given(function) ? fmaxf(fabsf(p->level), fabsf(p->level_dy)) : 0;
    const bool zero = said && !(fmaxf(level, fmaxf(fabsf(s->bias), fabsf(t->lookup.unit_bias))) > 0);
    return s->max_lod <= 0 || (zero && s->min_lod <= 0);
}

/* By how much drivers round levels: one that is measured was rounded once more. */
static float level_shift(const struct trial *t, const struct levels *levels)
{
    return levels->counts && !is_magnified(t) ? t->precision->level * (levels->measured ? 1.5f : 1) : 0;
}

/* The least step of floats that are as large as the coordinate is in the draw. */
static float float_step(const struct trial *t, int axis)
{
    const struct parameters *p = &t->lookup.parameters;
    const float along = fabsf(p->dx[axis]) + fabsf(p->dy[axis]);
    return (fabsf(p->origin[axis]) + (float)SIDE * along) * 1.2e-7f;
}

/* A driver's rounding of the coordinate along one axis, at a level counted from the base. */
static float coordinate_shift(const struct trial *t, int axis, int level)
{
    const struct texture_state *x = t->lookup.texture;
    const bool cube = is_cube(x);
    const int sizes[] = {x->width, x->height, cube ? x->width : x->depth};
    const float texel =
        x->target == RANDOM_RECTANGLE ? 1.0f : (cube ? 2.0f : 1.0f) / (float)level_size(sizes[axis], x->base + level);
    return float_step(t, axis) +
           (cube ? fmaxf(t->precision->weight, t->precision->face) : t->precision->weight) * texel;
}

/*
 * Where a filter goes over from one pair of texels to the next, what lies between two shifts may be outside of them:
 * there the driver's own steps are taken, rounded to the nearest, and down or up along each axis.
 */
static bool is_snapped(const struct trial *t)
{
    return t->precision->steps > 0;
}

static int snap_count(const struct trial *t)
{
    return is_snapped(t) ? 1 + (1 << axes_of(t->lookup.texture)) : 0;
}

static struct shift snapped(const struct trial *t, int level, int k)
{
    const struct texture_state *x = t->lookup.texture;
    const int sizes[] = {x->width, x->height, is_cube(x) ? x->width : x->depth};
    struct shift s = {.level = 0};
    for (int i = 0; i < axes_of(x); i++) {
        s.up[i] = k == 0 ? 0.5f : (float)((k - 1) >> i & 1);
        s.steps[i] =
            t->precision->steps * (x->target == RANDOM_RECTANGLE ? 1.0f : (float)level_size(sizes[i], x->base + level));
    }
    return s;
}

/*
 * Where a reference is one number for all pixels and texels are floats, both are compared as they are: they are not
 * moved, so that equal ones stay equal.
 */
static bool compares_exactly(const struct trial *t)
{
    const struct lookup *l = &t->lookup;
    const int function = t->draw->integers[0];
    const bool floats = l->texture->format->texels == TEXEL_DEPTH || l->texture->format->texels == TEXEL_STENCIL;
    return l->shadow && floats && !(l->parameters.reference_dx < 0 || l->parameters.reference_dx > 0) &&
           function != FUNCTION_PROJ && function != FUNCTION_PROJ_LOD;
}

/* One level's shifts: a driver's rounding further along each axis, with each of the shifts of levels. */
static int shifts_of(const struct trial *t, int level, float bias, struct shift *shifts)
{
    const int axes = axes_of(t->lookup.texture);
    int count = 0, combinations = axes == 1 ? 3 : axes == 2 ? 9 : 27;
    const float reference = compares_exactly(t) ? 0 : 1e-6f;
    for (int b = 0; b < (bias > 0 ? (int)BIAS_STEPS : 1); b++)
        for (int k = 0; k < combinations; k++) {
            if (b > 2 && k != combinations / 2) /* smaller shifts of levels: alone */
                continue;
            struct shift s = {.bias = bias_steps[b] * bias, .reference = (float)(k % 3 - 1) * reference};
            for (int i = 0, rest = k; i < axes; i++, rest /= 3)
                s.coordinate[i] = (float)(rest % 3 - 1) * coordinate_shift(t, i, level);
            if (count < SHIFTS_MAX)
                shifts[count++] = s;
        }
    for (int k = -1; k <= 1 && t->lookup.shadow && reference > 0; k += 2) /* the reference alone */
        if (count < SHIFTS_MAX)
            shifts[count++] = (struct shift){.reference = (float)k * reference};
    for (int k = 0; k < snap_count(t) && count < SHIFTS_MAX; k++)
        shifts[count++] = snapped(t, level, k);
    return count;
}

/* A coordinate at a pixel, and the sum of what it is made of, which floats are rounded to. */
static float coordinate_at(const struct parameters *p, int i, int pixel, float *size)
{
    const float x = (float)(pixel % SIDE) + 0.5f, y = (float)(pixel / SIDE) + 0.5f;
    *size = fabsf(p->origin[i]) + fabsf(p->dx[i]) * x + fabsf(p->dy[i]) * y;
    return p->origin[i] + p->dx[i] * x + p->dy[i] * y;
}

/*
 * By how much, in texels, floats round a coordinate at a pixel: far from the texture they have few bits for texels, and
 * fewer where what divides is a small difference.
 */
static float float_rounding(const struct trial *t, int pixel)
{
    const struct texture_state *x = t->lookup.texture;
    const int sizes[] = {x->width, x->height, x->depth}, function = t->draw->integers[0];
    const bool projects = function == FUNCTION_PROJ || function == FUNCTION_PROJ_LOD;
    float made, divides = 0, sum = 0;
    const float q = projects ? coordinate_at(&t->lookup.parameters, 3, pixel, &divides) : 1;
    for (int i = 0; i < axes_of(x) && !is_cube(x); i++) {
        const float at = coordinate_at(&t->lookup.parameters, i, pixel, &made) / q;
        sum += (made + fabsf(at) * divides) / fabsf(q) *
               (x->target == RANDOM_RECTANGLE ? 1 : (float)level_size(sizes[i], x->base));
    }
    return fminf(6e-8f * sum, 1);
}

/*
 * By how much a pixel is further off than is allowed. OpenGL must have drawn nearly the same, or the pixel must lie
 * between pictures that are near it: no further than `reach`, by which the step from one shift to the next can move
 * what a filter blends. Those on the other side of a jump are further, and make no range with these.
 */
static float excess_of(const struct trial *t, const uint32_t *const *pictures, int count, int pixel, float reach)
{
    float low[4] = {INFINITY, INFINITY, INFINITY, INFINITY}, high[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    float least = INFINITY, between = 0;
    bool any = false;
    const float product = t->product + (t->blends ? float_rounding(t, pixel) : 0);
    for (int k = 0; k < count; k++) {
        const uint32_t *drawn = pictures[k] + (size_t)pixel * 4;
        float excess = -INFINITY;
        bool near = true;
        for (int c = 0; c < 4; c++) {
            const float a = number_of(drawn[c]), off = distance_of(a, number_of(t->vulkan[pixel * 4 + c]));
            const float allowed = allowance(t->tolerance, a) + product * t->contrast[c];
            excess = fmaxf(excess, off - allowed);
            near &= off <= reach * t->contrast[c] + allowed;
        }
        least = fminf(least, excess);
        any |= near;
        for (int c = 0; c < 4 && near; c++) {
            low[c] = fminf(low[c], number_of(drawn[c]));
            high[c] = fmaxf(high[c], number_of(drawn[c]));
        }
    }
    for (int c = 0; c < 4 && any; c++) {
        const float seen = number_of(t->vulkan[pixel * 4 + c]);
        const float allowed = allowance(t->tolerance, fmaxf(fabsf(low[c]), fabsf(high[c]))) + product * t->contrast[c];
        between = fmaxf(between, fmaxf(low[c] - seen, seen - high[c]) - allowed);
    }
    return any ? fminf(least, between) : least;
}

static bool drawn_exactly(const struct trial *t, const uint32_t *const *pictures, int count, int pixel)
{
    for (int k = 0; k < count; k++)
        if (memcmp(pictures[k] + (size_t)pixel * 4, t->vulkan + (size_t)pixel * 4, 16) == 0)
            return true;
    return false;
}

static void note(struct trial *t, const uint32_t *const *pictures, int count, int pixel, float reach)
{
    if (t->exact)
        t->excess[pixel] = drawn_exactly(t, pictures, count, pixel) ? 0 : t->excess[pixel];
    else
        t->excess[pixel] = fminf(t->excess[pixel], excess_of(t, pictures, count, pixel, reach));
}

/* Draws with OpenGL, each a rounding further. */
static uint32_t *draw_shifts(const struct trial *t, const struct shift *shifts, int count, const uint32_t **pictures)
{
    uint32_t *all = harness_alloc((size_t)count * PIXELS * 4, sizeof(*all));
    struct shifts request = {.operation = t->number, .count = count, .by = shifts, .pictures = all};
    struct pictures again;
    gl_voice_run(t->program, &again, t->given, &request);
    pictures_free(&again);
    for (int k = 0; k < count; k++)
        pictures[k] = all + (size_t)k * PIXELS * 4;
    return all;
}

/* Between two levels, each by the driver's own steps: in one they may be rounded up, and in the other down. */
static void try_snapped(struct trial *t, const float *taken, const bool *wanted, int level, float shift, float reach)
{
    enum { SHARES = 3 };
    struct shift shifts[2 * SNAPS_MAX];
    const uint32_t *pictures[2 * SNAPS_MAX], *mixes[SNAPS_MAX * SNAPS_MAX * SHARES];
    const int snaps = snap_count(t), count = snaps * snaps * SHARES;
    for (int k = 0; k < 2 * snaps; k++) {
        shifts[k] = snapped(t, level + k / snaps, k % snaps);
        shifts[k].pinned = shifts[k].minified = true;
        shifts[k].level = (float)(level + k / snaps);
    }
    uint32_t *all = draw_shifts(t, shifts, 2 * snaps, pictures);
    float *mixed = harness_alloc((size_t)count * PIXELS * 4, sizeof(*mixed));
    for (int m = 0; m < count; m++) {
        float *own = mixed + (size_t)m * PIXELS * 4;
        const uint32_t *a = pictures[m / SHARES % snaps], *b = pictures[snaps + m / SHARES / snaps];
        for (int i = 0; i < PIXELS * 4; i++) {
            const float at = taken[i / 4] - (float)level + shift * (float)(m % SHARES - 1);
            const float share = fminf(fmaxf(at, 0), 1);
            own[i] = (1 - share) * number_of(a[i]) + share * number_of(b[i]);
        }
        mixes[m] = (const uint32_t *)own;
    }
    for (int i = 0; i < PIXELS; i++)
        if (wanted[i] && t->excess[i] > 0 && taken[i] >= (float)level && taken[i] <= (float)(level + 1))
            note(t, mixes, count, i, reach);
    free(mixed);
    free(all);
}

static bool mixes_levels(const struct trial *t, int level)
{
    const uint32_t min = t->lookup.sampler.min_filter;
    return !t->exact && is_snapped(t) && (min == GL_LINEAR_MIPMAP_LINEAR || min == GL_NEAREST_MIPMAP_LINEAR) &&
           has_levels(&t->lookup) && level + 1 < texture_levels(t->lookup.texture);
}

/* OpenGL's draw with the levels of a control: how its lookup is made to take them. */
struct leveling {
    struct placing placing;
    const float *levels; /* given, or added */
    float bias;          /* or one for all */
};

/* Shares of what levels are apart that no rounding of theirs makes. */
#define LEVELS_SAME 1e-4f
#define LEVELS_ALIKE 5e-4f

/*
 * How levels are had: those of `whose` for the pixels that are wanted. What no lookup is given it has by a bias, which
 * is the same for all of them but LEVELS_ALIKE (next_group).
 */
static void find_leveling(const struct levels *levels, enum level_of whose, const bool *wanted, struct placing placing,
                          float *added, struct leveling *leveling)
{
    float least = INFINITY, most = -INFINITY;
    *leveling = (struct leveling){.placing = placing, .levels = levels->of[whose]};
    if (placing.possible && !placing.added)
        return;
    for (int i = 0; i < PIXELS; i++) {
        added[i] = levels->of[whose][i] - levels->unbound[i];
        if (!wanted[i])
            continue;
        least = fminf(least, added[i]);
        most = fmaxf(most, added[i]);
    }
    leveling->levels = placing.possible ? added : NULL;
    leveling->bias = placing.possible || whose == LEVEL_OPENGL ? 0 : 0.5f * (least + most);
}

/*
 * The next of the pixels that are left and whose levels one draw has: all where lookups are given levels or add to
 * their own, else those that one bias serves.
 */
static bool next_group(const struct trial *t, const struct levels *levels, enum level_of whose, bool *left, bool *group)
{
    const bool all = whose == LEVEL_OPENGL || find_placing(t).possible;
    float bias = 0;
    bool any = false;
    for (int i = 0; i < PIXELS; i++) {
        const float own = all ? 0 : levels->of[whose][i] - levels->unbound[i];
        bias = left[i] && !any ? own : bias;
        group[i] = left[i] && fabsf(own - bias) < LEVELS_ALIKE;
        any |= left[i];
        left[i] &= !group[i];
    }
    return any;
}

/*
 * Above level 0 the filter of smaller ones is used, whatever the quad's other pixels have: by that alone. Where
 * OpenGL's own level is a little below 0, or its filters change within a quad, no draw of its at that level shows it.
 */
static void try_minified(struct trial *t, const float *taken, const bool *near, struct shift *shifts, int count,
                         float shift, float reach)
{
    const uint32_t *pictures[SHIFTS_MAX];
    for (int k = 0; k < count; k++)
        shifts[k].minified = true;
    uint32_t *all = draw_shifts(t, shifts, count, pictures);
    for (int i = 0; i < PIXELS; i++)
        if (near[i] && t->excess[i] > 0 && taken[i] > -shift)
            note(t, pictures, count, i, reach);
    free(all);
}

/* Whether a lookup at the level `taken` shows the texels of `level` alone, by the filter of smaller levels. */
static bool is_alone(const struct lookup *l, float taken, int level, float shift)
{
    const uint32_t min = l->sampler.min_filter;
    const float distance = fabsf(taken - (float)level);
    const bool nearest = min == GL_NEAREST_MIPMAP_NEAREST || min == GL_LINEAR_MIPMAP_NEAREST;
    if (taken + shift <= 0) /* the filter of larger levels, also where what is exactly 0 is not rounded */
        return false;
    if (distance <= shift)
        return true;
    const bool last = !has_levels(l) || (level == texture_levels(l->texture) - 1 && taken >= (float)level);
    return last || (nearest && distance <= 0.5f + shift);
}

/* OpenGL a rounding further, at the levels of one control; `own`: at the level that it takes in that very draw. */
static void try_shifts(struct trial *t, const struct levels *levels, enum level_of whose, const bool *wanted, bool own)
{
    const int count = has_levels(&t->lookup) ? texture_levels(t->lookup.texture) : 1;
    const float shift = level_shift(t, levels), *taken = levels->of[whose];
    const float reach = (float)axes_of(t->lookup.texture) * t->precision->weight + 0.5f * shift;
    struct leveling leveling = {.bias = 0};
    float *added = harness_alloc(PIXELS, sizeof(*added));
    struct shift shifts[SHIFTS_MAX];
    const uint32_t *pictures[SHIFTS_MAX];
    if (levels->counts && !own)
        find_leveling(levels, whose, wanted, find_placing(t), added, &leveling);
    for (int level = 0; level < count; level++) {
        bool near[PIXELS], any = false, left = false;
        for (int i = 0; i < PIXELS; i++) {
            const float at = levels->counts ? fminf(fmaxf(taken[i], 0), (float)(count - 1)) : 0;
            near[i] = wanted[i] && t->excess[i] > 0 && fabsf(at - (float)level) < 1.01f;
            any |= near[i];
        }
        if (!any)
            continue;
        const int n = shifts_of(t, level, shift, shifts);
        for (int k = 0; k < n; k++) {
            shifts[k].levels = leveling.levels;
            shifts[k].function = leveling.placing.function;
            shifts[k].added = leveling.placing.added;
            shifts[k].away = leveling.bias;
        }
        /* The level alone by one filter: a rounding further, or OpenGL's own level, may lie on its other side. */
        const int whole = levels->counts ? shifts_of(t, level, 0, shifts + n) : 0;
        for (int k = n; k < n + whole; k++) {
            shifts[k].pinned = shifts[k].minified = true;
            shifts[k].level = (float)level;
        }
        const int magnified = levels->counts && !level ? shifts_of(t, 0, 0, shifts + n + whole) : 0;
        for (int k = n + whole; k < n + whole + magnified; k++)
            shifts[k].magnified = true;
        uint32_t *all = draw_shifts(t, shifts, n + whole + magnified, pictures);
        for (int i = 0; i < PIXELS; i++) {
            if (!near[i])
                continue;
            note(t, pictures, n, i, reach);
            if (whole && is_alone(&t->lookup, taken[i], level, shift))
                note(t, pictures + n, whole, i, reach);
            if (magnified && taken[i] <= shift)
                note(t, pictures + n + whole, magnified, i, reach);
            left |= t->excess[i] > 0;
        }
        free(all);
        if (left && levels->counts &&
            is_minified_linear(&t->lookup.sampler) != (t->lookup.sampler.mag_filter == GL_LINEAR))
            try_minified(t, taken, near, shifts, n, shift, reach);
        if (left && mixes_levels(t, level))
            try_snapped(t, taken, near, level, shift, reach);
    }
    free(added);
}

/* Those that agree with no picture yet, and have another level than OpenGL's but for OpenGL's own. */
static bool find_wanted(const struct trial *t, const struct levels *levels, int whose, bool *wanted)
{
    bool any = false;
    for (int i = 0; i < PIXELS; i++) {
        wanted[i] = t->suspicious[i] && t->excess[i] > 0 &&
                    (!whose || fabsf(levels->of[whose][i] - levels->of[LEVEL_OPENGL][i]) > LEVELS_SAME);
        any |= wanted[i];
    }
    return any;
}

/*
 * At OpenGL's own level first, which need not be the one that its control shows: it may follow from a size in front of
 * the base level's, which is rounded down. Then at those of controls: OpenGL's, the driver's without the layer, and
 * that of the equations.
 */
static void try_levels(struct trial *t, const struct levels *levels)
{
    enum { GROUPS_MAX = 64 }; /* of draws that no lookup takes long for */
    bool wanted[PIXELS], left[PIXELS], group[PIXELS];
    if (find_wanted(t, levels, LEVEL_OPENGL, wanted))
        try_shifts(t, levels, LEVEL_OPENGL, wanted, true);
    for (int whose = 0; levels->counts && whose < (int)LEVELS_OF; whose++) {
        if (!find_wanted(t, levels, whose, wanted))
            continue;
        memcpy(left, wanted, sizeof(left));
        for (int groups = 0; groups < GROUPS_MAX && next_group(t, levels, (enum level_of)whose, left, group); groups++)
            try_shifts(t, levels, (enum level_of)whose, group, false);
        for (int i = 0; whose && i < PIXELS; i++)
            t->at_level[i] |= wanted[i] && t->excess[i] <= 0;
    }
}

/* ---- native controls of the same state ---- */

/* The same draw by OpenGL and by the driver without the layer, in words that both have. */
struct native {
    bool drawn, same; /* same: it says all of the draw's state, and its texels */
    uint32_t *opengl, *vulkan;
};

/* The format of a control: the draw's own where Vulkan has it, else one that holds its codes. */
static const struct format *control_format(const struct lookup *l)
{
    const struct format *f = l->texture->format;
    const bool skips = f->srgb && l->sampler.decode == GL_SKIP_DECODE_EXT;
    const bool plain = f->base == GL_RED || f->base == GL_RG || f->base == GL_RGB || f->base == GL_RGBA;
    if (f->depth || (!skips && !f->ordered && plain && (!f->vulkan_channels || f->vulkan_channels == f->channels)))
        return f;
    static const char *const others[][3] = {{"R8", "RG8", "RGBA8"},
                                            {"R16", "RGBA16", "RGBA16"},
                                            {"R16F", "RGBA16F", "RGBA16F"},
                                            {"R32F", "RG32F", "RGBA32F"},
                                            {"R8", "RG8", "SRGB8_ALPHA8"}};
    const int kind = f->texels == TEXEL_FLOAT  ? 3
                     : f->texels == TEXEL_HALF ? 2
                     : f->srgb && !skips       ? 4
                     : f->bits == 16           ? 1
                                               : 0;
    if (format_is_integer(f))
        return &random_formats[format_named("RGBA8UI")];
    return &random_formats[format_named(others[kind][f->channels > 2 ? 2 : f->channels - 1])];
}

/* The draw's own texels in that format, in slot 0. True: it is the draw's own. */
static bool add_control_texture(struct program *p, const struct lookup *l)
{
    const struct texture_state *x = l->texture;
    const struct format *f = control_format(l);
    const int32_t like = f == x->format ? 0 : (int32_t)(x->format - random_formats) + 1;
    add(p, (struct operation){OPERATION_TEXTURE,
                              {0, (int32_t)(x->target == RANDOM_RECTANGLE ? RANDOM_2D : x->target),
                               (int32_t)(f - random_formats), x->width, x->height, x->depth, x->layers, x->levels,
                               x->seeds[0], like},
                              {0}});
    return f == x->format;
}

/* Vulkan's own mode that is nearest. */
static uint32_t control_wrap(uint32_t wrap)
{
    switch (wrap) {
    case GL_CLAMP:
        return GL_CLAMP_TO_EDGE;
    case GL_MIRROR_CLAMP_EXT:
    case GL_MIRROR_CLAMP_TO_BORDER_EXT:
        return GL_MIRROR_CLAMP_TO_EDGE;
    default:
        return wrap;
    }
}

/* Does the view show the format's channels as they are? */
static bool is_plain_view(const struct lookup *l)
{
    const struct texture_state *t = l->texture;
    if (l->shadow)
        return t->depth_mode != GL_ALPHA && t->swizzle[0] == GL_RED;
    return !t->format->depth || t->stencil || t->depth_mode == GL_RED;
}

/* `borders`: with those that Vulkan has words for. `seamless`: whatever the draw's is. */
static bool write_control(struct program *p, const struct trial *t, bool borders, bool seamless)
{
    const struct lookup *l = &t->lookup;
    const struct texture_state *x = l->texture;
    const struct format *f = control_format(l);
    *p = (struct program){.count = 0};
    const bool plain = add_control_texture(p, l) && x->target != RANDOM_RECTANGLE && is_plain_view(l);
    bool same = plain && (!seamless || l->sampler.seamless);
    for (int level = 1; level < x->levels; level++)
        add(p, (struct operation){OPERATION_UPLOAD, {0, level, x->seeds[level]}, {0}});
    /* Seamless cubes are not wrapped (section 8.13.1). */
    const bool cube = x->target == RANDOM_CUBE || x->target == RANDOM_CUBE_ARRAY;
    for (int i = 0; i < 3; i++) {
        uint32_t wrap = control_wrap(l->sampler.wrap[i]);
        if (!borders && wrap == GL_CLAMP_TO_BORDER)
            wrap = GL_CLAMP_TO_EDGE;
        same &= wrap == l->sampler.wrap[i] || (cube && l->sampler.seamless);
        add_parameter(p, (enum random_parameter)(PARAMETER_WRAP_S + i), wrap, 0);
    }
    add_parameter(p, PARAMETER_MIN_FILTER, l->sampler.min_filter, 0);
    add_parameter(p, PARAMETER_MAG_FILTER, l->sampler.mag_filter, 0);
    add_parameter(p, PARAMETER_MIN_LOD, 0, l->sampler.min_lod);
    add_parameter(p, PARAMETER_MAX_LOD, 0, l->sampler.max_lod);
    add_parameter(p, PARAMETER_LOD_BIAS, 0, l->sampler.bias);
    add_parameter(p, PARAMETER_SEAMLESS, seamless || l->sampler.seamless, 0);
    add_parameter(p, PARAMETER_COMPARE_MODE, l->sampler.compare_mode, 0);
    add_parameter(p, PARAMETER_COMPARE_FUNC, l->sampler.compare_func, 0);
    add_parameter(p, PARAMETER_DEPTH_MODE, GL_RED, 0);
    add_parameter(p, PARAMETER_STENCIL, x->stencil, 0);
    struct operation border = {OPERATION_BORDER, {0, 0}, {0}};
    /* Clamped to what the format holds, as OpenGL does: Vulkan does not. */
    for (int i = 0; i < 4; i++)
        border.numbers[i] =
            f->step > 0 && f->type != GL_BYTE ? fminf(fmaxf(l->sampler.border[i], 0), 1) : l->sampler.border[i];
    add(p, border);
    if (plain)
        add(p, (struct operation){
                   OPERATION_SWIZZLE,
                   {0, (int32_t)x->swizzle[0], (int32_t)x->swizzle[1], (int32_t)x->swizzle[2], (int32_t)x->swizzle[3]},
                   {0}});
    add(p, (struct operation){OPERATION_LEVELS, {0, x->base, x->greatest}, {0}});
    add(p, (struct operation){OPERATION_UNIT, {0, 0, -1}, {l->unit_bias}});
    add(p, control_draw(t));
    return same;
}

/* Whether the driver has words for what the control looks up. */
static bool is_sayable(const struct program *p)
{
    struct machine m;
    struct lookup l;
    machine_init(&m);
    for (uint32_t i = 0; i + 1 < p->count; i++)
        machine_step(&m, &p->operations[i]);
    return machine_lookup(&m, &p->operations[p->count - 1], &l) && vulkan_voice_says(&l);
}

/* Texel buffers have no sampler: what drivers do otherwise hangs on descriptors and pipelines, so the manner is kept.
 */
static void draw_buffer_control(const struct trial *t, struct native *native)
{
    struct program p = {.manner = t->program->manner};
    native->same = add_control_texture(&p, &t->lookup);
    add(&p, (struct operation){OPERATION_UNIT, {0, 0, -1}, {0}});
    add(&p, control_draw(t));
    native->drawn =
        control_format(&t->lookup)->buffer && draw_without_layer(&p, true, &native->opengl, &native->vulkan);
}

static void draw_control(const struct trial *t, struct native *native)
{
    struct program p;
    *native = (struct native){.drawn = false};
    if (t->lookup.texture->target == RANDOM_BUFFER)
        draw_buffer_control(t, native);
    if (t->lookup.texture->target == RANDOM_BUFFER || t->draw->integers[0] == FUNCTION_SIZE || t->lookup.incomplete ||
        t->lookup.texture->border || t->lookup.texture->painted) /* whose texels no seed says */
        return;
    for (int tries = 0; tries < 4 && !native->drawn; tries++) {
        native->same = write_control(&p, t, tries == 0 || tries == 2, tries > 1);
        if (is_sayable(&p))
            native->drawn = draw_natively(&p, &native->opengl, &native->vulkan);
    }
}

/*
 * Depth with 24 bits that Vulkan keeps as floats: the driver without the layer does not know that references are
 * clamped to [0, 1], and says nothing of others.
 */
static bool is_controlled(const struct trial *t, const struct native *native, int pixel)
{
    const struct parameters *p = &t->lookup.parameters;
    const float reference = p->reference + p->reference_dx * ((float)(pixel % SIDE) + 0.5f);
    return native->drawn && (!t->lookup.shadow || t->lookup.texture->format->texels != TEXEL_DEPTH24 ||
                             (reference >= 0 && reference <= 1));
}

/* Of one pixel, between OpenGL and the driver without the layer. What is no number excuses nothing. */
static float native_difference(const struct trial *t, const struct native *native, int pixel)
{
    const float difference =
        is_controlled(t, native, pixel) ? pixel_difference(native->opengl, native->vulkan, pixel) : -INFINITY;
    return isfinite(difference) ? difference : -INFINITY;
}

/* What was looked up, in words that failures are sorted by. */
static void describe(const struct trial *t, int pixel, const struct native *native, char *text, size_t size)
{
    static const char *const targets[RANDOM_TARGETS] = {"1D",       "2D",         "3D",        "cube",  "1D array",
                                                        "2D array", "cube array", "rectangle", "buffer"};
    static const char *const functions[RANDOM_FUNCTIONS] = {
        "texture",    "bias",        "lod",    "grad",         "proj",          "proj lod", "offset",
        "lod offset", "grad offset", "gather", "gather alpha", "gather offset", "fetch",    "size"};
    const struct lookup *l = &t->lookup;
    const struct texture_state *x = l->texture;
    const struct sampler_state *s = &l->sampler;
    snprintf(text, size,
             "%s of %s%s%s %s %dx%dx%d, levels %d to %d, filters %04x %04x, wrap %04x %04x %04x%s%s%s, levels of "
             "detail %g to "
             "%g, bias %g + %g; native control: %s%s, OpenGL and it differ by %g",
             functions[t->draw->integers[0]], l->incomplete ? "incomplete " : "", x->border ? "bordered " : "",
             targets[x->target], x->format->name, x->width, x->height, x->depth, x->base, x->greatest, s->min_filter,
             s->mag_filter, s->wrap[0], s->wrap[1], s->wrap[2], s->seamless ? ", seamless" : "",
             l->shadow ? ", compares" : "", x->painted ? ", painted" : "", (double)s->min_lod, (double)s->max_lod,
             (double)s->bias, (double)l->unit_bias, native->drawn ? "drawn" : "not drawn",
             native->same ? ", the same state" : "", (double)native_difference(t, native, pixel));
}

static void fail(const struct trial *t, int pixel, struct verdict *v, const struct levels *levels,
                 const struct native *native)
{
    if (v->failed)
        return;
    v->failed = true;
    v->operation = t->number;
    v->pixel = (uint32_t)pixel;
    memcpy(v->opengl, t->opengl + pixel * 4, 16);
    memcpy(v->vulkan, t->vulkan + pixel * 4, 16);
    const int used = snprintf(v->why, sizeof(v->why), "off by %g more than tolerance %g and products %g",
                              (double)t->excess[pixel], (double)t->tolerance, (double)t->product);
    if (levels->counts)
        snprintf(v->why + used, sizeof(v->why) - (size_t)used,
                 "; level of OpenGL %g, of the driver %g, by gradients %g, exact %g, coarse %g",
                 (double)levels->of[LEVEL_OPENGL][pixel], (double)levels->of[LEVEL_DRIVER][pixel],
                 (double)levels->of[LEVEL_GRADIENTS][pixel], (double)levels->of[LEVEL_EXACT][pixel],
                 (double)levels->of[LEVEL_COARSE][pixel]);
    describe(t, pixel, native, v->state, sizeof(v->state));
}

/* Pixels that are natively drawn so, bit for bit, in the very same state. True: others are left. */
static bool try_native(struct trial *t, const struct native *native, struct judged *judged)
{
    bool left = false;
    for (int i = 0; i < PIXELS; i++) {
        if (!t->suspicious[i])
            continue;
        if (is_controlled(t, native, i) && native->same && memcmp(native->vulkan + i * 4, t->vulkan + i * 4, 16) == 0) {
            t->suspicious[i] = false;
            judged->native++;
        }
        left |= t->suspicious[i];
    }
    return left;
}

static bool has_border(const struct lookup *l)
{
    bool has = false;
    for (int i = 0; i < axes_of(l->texture) && !(is_cube(l->texture) && l->sampler.seamless); i++)
        has |= l->sampler.wrap[i] != GL_REPEAT && l->sampler.wrap[i] != GL_MIRRORED_REPEAT &&
               l->sampler.wrap[i] != GL_CLAMP_TO_EDGE && l->sampler.wrap[i] != GL_MIRROR_CLAMP_TO_EDGE;
    return has;
}

/* By how much texels that a lookup blends may differ: all that the format and the border hold. */
static float contrast_of(const struct lookup *l)
{
    const struct format *f = l->texture->format;
    const bool floats = f->texels == TEXEL_FLOAT || f->texels == TEXEL_HALF;
    const bool small = f->texels == TEXEL_F11 || f->texels == TEXEL_E5;
    const float texels = f->type == GL_BYTE ? 2 : l->shadow ? 1 : floats ? 4 : small ? 2 : 1;
    float border = 0;
    for (int i = 0; i < 4 && (floats || small) && has_border(l); i++)
        border = fmaxf(border, fabsf(l->sampler.border[i]));
    return texels + border;
}

/* The same, and what was drawn. */
static void find_contrast(struct trial *t)
{
    const float held = contrast_of(&t->lookup);
    for (int c = 0; c < 4; c++) {
        float low = INFINITY, high = -INFINITY;
        for (int i = 0; i < PIXELS; i++) {
            const float number = number_of(t->opengl[i * 4 + c]);
            low = isfinite(number) ? fminf(low, number) : low;
            high = isfinite(number) ? fmaxf(high, number) : high;
        }
        t->contrast[c] = fmaxf(high - low, held);
    }
}

static void look_closer(struct trial *t, const struct native *native, struct judged *judged, struct verdict *verdict)
{
    const int function = t->draw->integers[0];
    struct levels levels = {0};
    const bool placed =
        function != FUNCTION_FETCH && function != FUNCTION_SIZE && t->lookup.texture->target != RANDOM_BUFFER;
    for (int i = 0; i < PIXELS; i++)
        t->excess[i] = t->exact ? INFINITY : excess_of(t, &t->opengl, 1, i, 0);
    find_contrast(t);
    if (placed) {
        find_levels(t, &levels);
        try_levels(t, &levels);
    }
    for (int i = 0; i < PIXELS; i++) {
        if (!t->suspicious[i])
            continue;
        if (t->excess[i] <= 0) {
            judged->leveled += t->at_level[i];
            judged->shifted += !t->at_level[i];
            continue;
        }
        if (!t->exact && t->excess[i] <= native_difference(t, native, i)) {
            judged->controlled++;
            continue;
        }
        fail(t, i, verdict, &levels, native);
        break;
    }
    free_levels(&levels);
}

static bool blends_texels(const struct lookup *l, int function)
{
    return (filters(l) || is_gather(function)) && function != FUNCTION_FETCH && !l->shadow;
}

/* Of what a lookup shows, at numbers of the magnitude 1. */
static float tolerance_of(const struct lookup *l, int function, const struct precision *precision)
{
    const struct format *f = l->texture->format;
    const bool blends = blends_texels(l, function);
    /* Gathers show texels as they are. sRGB is decoded as a control shows; other formats exactly. */
    const bool weighed = blends && !is_gather(function);
    const bool decodes = function == FUNCTION_FETCH && f->srgb; /* always: EXT_texture_sRGB_decode */
    const bool decoded = l->sampler.decode == GL_DECODE_EXT;
    const float codes = !weighed                  ? 0
                        : f->srgb && decoded      ? precision->srgb
                        : f->texels == TEXEL_HALF ? precision->halves
                        : f->texels == TEXEL_F11  ? precision->small[0]
                        : f->texels == TEXEL_E5   ? precision->small[1]
                        : f->step <= 0            ? 0
                        : f->step >= 1 / 255.0f   ? precision->bytes
                                                  : precision->words;
    return 3e-6f + codes + (blends ? 1e-5f : 0) + (f->srgb && decoded && !weighed ? precision->decode : 0) +
           (decodes && !decoded ? precision->decoded : 0) +
           (is_gather(function) && f->type == GL_BYTE ? precision->gathered : 0) +
           (function == FUNCTION_FETCH ? 0 : packed_error(f)) + block_error(f);
}

static void judge_draw(struct trial *t, struct judged *judged, struct verdict *verdict)
{
    const struct lookup *l = &t->lookup;
    const int function = t->draw->integers[0];
    bool any = false;
    t->exact = l->type != SAMPLE_FLOAT || function == FUNCTION_SIZE;
    t->blends = blends_texels(l, function);
    t->tolerance = tolerance_of(l, function, t->precision);
    for (int i = 0; i < PIXELS; i++) {
        t->suspicious[i] = !same(t, i);
        if (t->suspicious[i] && at_mirror_line(t, i)) {
            t->suspicious[i] = false;
            judged->mirror_line++;
        }
        if (t->suspicious[i] && at_open_corner(t, i)) {
            t->suspicious[i] = false;
            judged->corners++;
        }
        any |= t->suspicious[i];
    }
    judged->pixels += PIXELS;
    if (!any)
        return;
    const uint32_t min = l->sampler.min_filter;
    const bool between = has_levels(l) && (min == GL_LINEAR_MIPMAP_LINEAR || min == GL_NEAREST_MIPMAP_LINEAR);
    const int directions = axes_of(l->texture) + between;
    const bool weighs = filters(l) && !is_gather(function) && function != FUNCTION_FETCH && directions > 1;
    if (weighs)
        t->product = (l->shadow ? t->precision->compared : t->precision->products)[directions > 2];
    struct native native;
    draw_control(t, &native);
    if (try_native(t, &native, judged))
        look_closer(t, &native, judged, verdict);
    if (native.drawn) {
        free(native.opengl);
        free(native.vulkan);
    }
}

/* ---- a clear or a paint ---- */

/* One attachment of it: what both make of the texels that Vulkan had there before, as numbers. */
struct step {
    const struct program *program;
    const struct pictures *given;
    const struct machine *machine;
    const struct precision *precision;
    const struct operation *operation;
    uint32_t number;
    int attachment;
    const struct format *format;
    size_t texels;
    int channels;
    float *low, *high, *vulkan; /* OpenGL's lie between the first two */
};

static void take_numbers(const struct step *s, const uint32_t *codes, float *numbers)
{
    for (size_t i = 0; i < s->texels; i++)
        for (int c = 0; c < s->channels; c++)
            numbers[i * (size_t)s->channels + (size_t)c] =
                code_number(s->format, codes + i * (size_t)s->format->channels, c);
}

/* By how much a texel is further from OpenGL's than the format rounds. */
static float step_excess(const struct step *s, size_t texel)
{
    float excess = -INFINITY;
    for (int c = 0; c < s->channels; c++) {
        const size_t i = texel * (size_t)s->channels + (size_t)c;
        const float seen = s->vulkan[i], low = s->low[i], high = s->high[i];
        const float greatest = fmaxf(fabsf(seen), fmaxf(fabsf(low), fabsf(high)));
        const float off = fminf(distance_of(low, seen), distance_of(seen, high));
        if (!(low <= seen && seen <= high) && off > 0)
            excess = fmaxf(excess, off - (isfinite(greatest) ? code_step(s->format, c, greatest) : 0));
    }
    return excess;
}

static bool is_beyond(const struct step *s, size_t *texel)
{
    for (*texel = 0; *texel < s->texels; ++*texel)
        if (step_excess(s, *texel) > 0)
            return true;
    return false;
}

/*
 * What is looked up: OpenGL's coordinates and results a rounding further, as draws of that lookup may have them. Linear
 * filters have no jumps: whatever lies between is right.
 */
static int shifts_of_step(const struct step *s, struct shift *shifts)
{
    enum { PLACES = 9, WAYS = 5 };
    struct trial t = {.program = s->program, .draw = s->operation, .precision = s->precision};
    const struct lookup *l = &t.lookup;
    struct precision flat = *s->precision;
    flat.bytes = flat.flat;
    machine_paint_lookup(s->machine, &t.lookup);
    t.lookup.parameters.dx[0] = s->operation->numbers[24];
    t.lookup.parameters.dy[1] = s->operation->numbers[25];
    const float off = tolerance_of(l, FUNCTION_LOD, &flat) + s->precision->products[0] * contrast_of(l);
    const int snaps = snap_count(&t), count = (PLACES + snaps) * WAYS;
    for (int k = 0; k < count; k++) {
        const int place = k / WAYS, way = k % WAYS - 1;
        shifts[k] = place < PLACES ? (struct shift){.level = 0} : snapped(&t, 0, place - PLACES);
        for (int i = 0; i < 2 && place < PLACES; i++)
            shifts[k].coordinate[i] = (float)((i ? place / 3 : place % 3) - 1) * coordinate_shift(&t, i, 0);
        shifts[k].result[0] = way < 0 ? 0 : way & 1 ? off : -off;
        shifts[k].result[1] = way < 0 ? 0 : way & 2 ? off : -off;
    }
    return count;
}

/* OpenGL's numbers may be those as well. */
static void widen(const struct step *s, const float *numbers)
{
    for (size_t i = 0; i < s->texels * (size_t)s->channels; i++) {
        s->low[i] = fminf(s->low[i], numbers[i]);
        s->high[i] = fmaxf(s->high[i], numbers[i]);
    }
}

static void draw_step(const struct step *s, struct shifts *request)
{
    struct pictures again;
    gl_voice_run(s->program, &again, s->given, request);
    pictures_free(&again);
}

static void widen_by_shifts(const struct step *s)
{
    struct shift shifts[SHIFTS_MAX];
    const size_t words = s->texels * (size_t)s->format->channels, numbers = s->texels * (size_t)s->channels;
    const int count = shifts_of_step(s, shifts);
    uint32_t *all = harness_alloc((size_t)count * words, sizeof(*all));
    float *own = harness_alloc(numbers, sizeof(*own));
    struct shifts request = {.operation = s->number, .count = count, .by = shifts, .pictures = all};
    draw_step(s, &request);
    for (int k = 0; k < count; k++) {
        take_numbers(s, all + (size_t)k * words, own);
        widen(s, own);
    }
    free(request.before);
    free(request.floats);
    free(own);
    free(all);
}

/* A format of the same numbers with all channels in their places. */
static int natural_format(const struct format *f)
{
    const char *const name = f->texels == TEXEL_HALF    ? "RGBA16F"
                             : f->texels == TEXEL_FLOAT ? "RGBA32F"
                             : !f->vulkan_channels      ? f->name
                             : f->bits == 16            ? "RGBA16"
                                                        : "RGBA8";
    return format_named(name);
}

/* The driver without the layer paints the same over the same texels: codes in that format; NULL: it cannot. */
static uint32_t *paint_natively(const struct step *s, const uint32_t *before)
{
    enum { CLEAR = 2, PAINT = 5 };
    const int format = natural_format(s->format);
    const struct format *f = &random_formats[format];
    const struct attachment_state *a = &s->machine->attachments[s->attachment];
    const struct texture_state *t = &s->machine->textures[a->texture];
    const struct blend_state b = machine_blend(s->machine, s->attachment);
    if (!random_drawable.attachment[format])
        return NULL;
    static const uint32_t ones[] = {[TEXEL_HALF] = 0x3c00, [TEXEL_FLOAT] = 0x3f800000};
    const size_t channels = (size_t)f->channels;
    uint32_t *codes = harness_alloc(s->texels * channels, sizeof(*codes));
    for (size_t i = 0; i < s->texels; i++) {
        if (channels == 4)
            codes[4 * i + 3] = f->texels == TEXEL_BITS ? (1u << f->bits) - 1 : ones[f->texels];
        for (size_t c = 0; c < (size_t)s->format->channels; c++)
            codes[channels * i + (size_t)blended_channel(s->format, (int)c)] =
                before[i * (size_t)s->format->channels + c];
    }
    struct program p = {.manner = {.through = THROUGH_MODES}};
    struct operation constant = {OPERATION_CONSTANT, {0}, {0}}, own = {OPERATION_PAINT, {0}, {0}};
    memcpy(constant.numbers, s->machine->constant, sizeof(s->machine->constant));
    memcpy(own.numbers, s->operation->numbers + (ptrdiff_t)s->attachment * 12, 12 * sizeof(float));
    add(&p, (struct operation){
                OPERATION_TEXTURE,
                {0, RANDOM_2D, format, level_size(t->width, a->level), level_size(t->height, a->level), 1, 1, 1, 5},
                {0}});
    add(&p, (struct operation){OPERATION_TARGET, {1, 0, 0, 0}, {0}});
    add(&p, (struct operation){OPERATION_CLEAR, {0}, {0}});
    add(&p, constant);
    add(&p, (struct operation){OPERATION_BLEND,
                               {0, b.on, (int32_t)b.source, (int32_t)b.destination, (int32_t)b.equation,
                                (int32_t)b.source_alpha, (int32_t)b.destination_alpha, (int32_t)b.equation_alpha,
                                (int32_t)(s->format->alpha_zero ? b.mask & 7 : b.mask)},
                               {0}});
    add(&p, own);
    struct pictures given = {.painted = {[CLEAR] = {codes}}}, painted;
    vulkan_voice_run_by_steps(&p, &painted, &given, "none");
    free(codes);
    codes = painted.painted[PAINT][0];
    painted.painted[PAINT][0] = NULL;
    pictures_free(&painted);
    return codes;
}

/*
 * Whatever lies between OpenGL's texel, what it makes of the same colours and texels as floats, and the driver's
 * without the layer: those two show by how much blending is rounded there. The driver's is without what a paint looks
 * up.
 */
static void widen_natively(const struct step *s)
{
    struct shifts request = {.operation = s->number, .attachment = s->attachment};
    float *own = harness_alloc(s->texels * (size_t)s->channels, sizeof(*own));
    draw_step(s, &request);
    for (size_t i = 0; i < s->texels; i++)
        for (int c = 0; c < s->channels; c++)
            own[i * (size_t)s->channels + (size_t)c] = request.floats[4 * i + (size_t)blended_channel(s->format, c)];
    widen(s, own);
    uint32_t *codes = s->operation->integers[0] ? NULL : paint_natively(s, request.before);
    const struct format *f = &random_formats[natural_format(s->format)];
    for (size_t i = 0; codes && i < s->texels; i++)
        for (int c = 0; c < s->channels; c++)
            own[i * (size_t)s->channels + (size_t)c] =
                code_number(f, codes + i * (size_t)f->channels, f->vulkan_channels ? blended_channel(s->format, c) : c);
    if (codes)
        widen(s, own);
    free(codes);
    free(request.before);
    free(request.floats);
    free(own);
}

static void fail_step(const struct step *s, size_t texel, struct verdict *v)
{
    const struct attachment_state *a = &s->machine->attachments[s->attachment];
    const struct texture_state *t = &s->machine->textures[a->texture];
    const struct blend_state b = machine_blend(s->machine, s->attachment);
    const size_t width = (size_t)level_size(t->width, a->level);
    const bool paints = s->operation->kind == OPERATION_PAINT;
    v->failed = true;
    v->operation = s->number;
    v->pixel = (uint32_t)(texel / width * SIDE + texel % width);
    for (int c = 0; c < s->channels; c++) {
        const size_t i = texel * (size_t)s->channels + (size_t)c;
        memcpy(&v->opengl[c], &s->low[i], sizeof(float));
        memcpy(&v->vulkan[c], &s->vulkan[i], sizeof(float));
    }
    snprintf(v->why, sizeof(v->why), "what is %s is off by %g more than a step of the format",
             paints ? "painted" : "cleared", (double)step_excess(s, texel));
    snprintf(v->state, sizeof(v->state),
             "attachment %d of %d, %s %dx%d, %s, colours %04x %04x %04x, alpha %04x %04x %04x, mask %x%s",
             s->attachment, s->machine->attachment_count, t->format->name, (int)width, level_size(t->height, a->level),
             b.on ? "blended" : "not blended", b.source, b.destination, b.equation, b.source_alpha, b.destination_alpha,
             b.equation_alpha, b.mask, paints && s->operation->integers[0] ? ", with a lookup" : "");
}

/* What a format rounds to; else, of what was looked up, OpenGL a rounding further; else between native controls. */
static void judge_attachment(const struct step *s, struct judged *judged, struct verdict *verdict)
{
    size_t texel;
    judged->painted++;
    if (!is_beyond(s, &texel))
        return;
    const bool paints = s->operation->kind == OPERATION_PAINT;
    if (!format_is_integer(s->format) && paints && s->operation->integers[0] && s->attachment == 0)
        widen_by_shifts(s);
    if (!is_beyond(s, &texel)) {
        judged->paint_shifted++;
        return;
    }
    if (!format_is_integer(s->format) && paints)
        widen_natively(s);
    if (is_beyond(s, &texel))
        fail_step(s, texel, verdict);
    else
        judged->paint_controlled++;
}

/* Each attachment that an operation draws to. */
static void judge_step(struct step *s, const struct pictures *opengl, const struct pictures *vulkan,
                       struct judged *judged, struct verdict *verdict)
{
    for (s->attachment = 0; s->attachment < s->machine->attachment_count && !verdict->failed; s->attachment++) {
        const uint32_t *a = opengl->painted[s->number][s->attachment], *b = vulkan->painted[s->number][s->attachment];
        if (s->operation->kind == OPERATION_CLEAR && s->attachment != s->operation->integers[0])
            continue;
        if (!a || !b)
            harness_fail("nothing was read of what operation %u leaves", (unsigned)s->number);
        s->format = s->machine->textures[s->machine->attachments[s->attachment].texture].format;
        s->texels = attached_texels(s->machine, s->attachment);
        s->channels = code_channels(s->format);
        const size_t numbers = s->texels * (size_t)s->channels;
        s->low = harness_alloc(numbers * 3, sizeof(float));
        s->high = s->low + numbers;
        s->vulkan = s->high + numbers;
        take_numbers(s, a, s->low);
        take_numbers(s, a, s->high);
        take_numbers(s, b, s->vulkan);
        judge_attachment(s, judged, verdict);
        free(s->low);
    }
}

/* ---- a program ---- */

void judge(const struct program *program, const struct pictures *opengl, const struct pictures *vulkan,
           const struct precision *precision, struct judged *judged, struct verdict *verdict)
{
    struct machine m;
    *verdict = (struct verdict){0};
    machine_init(&m);
    for (uint32_t i = 0; i < program->count && !verdict->failed; i++) {
        const struct operation *o = &program->operations[i];
        if (!machine_step(&m, o))
            continue;
        if (o->kind == OPERATION_CLEAR || o->kind == OPERATION_PAINT) {
            struct step step = {.program = program,
                                .given = vulkan,
                                .machine = &m,
                                .precision = precision,
                                .operation = o,
                                .number = i};
            judge_step(&step, opengl, vulkan, judged, verdict);
        }
        if (o->kind != OPERATION_DRAW)
            continue;
        if (!opengl->draws[i] || !vulkan->draws[i])
            harness_fail("operation %u was not drawn by both", (unsigned)i);
        struct trial t = {.program = program,
                          .given = vulkan,
                          .machine = m,
                          .draw = o,
                          .number = i,
                          .opengl = opengl->draws[i],
                          .vulkan = vulkan->draws[i],
                          .precision = precision};
        machine_lookup(&t.machine, o, &t.lookup);
        judge_draw(&t, judged, verdict);
    }
}
