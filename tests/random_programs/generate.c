/* SPDX-License-Identifier: MIT */
/*
 * Draws a program from a seed. What OpenGL leaves undefined is not drawn, here or in machine.c:
 *
 *   - texels of levels that are not there, and fetches outside of an image (the shader takes the remainder);
 *   - reading a texture that is drawn to;
 *   - levels whose base is not there, or above the greatest: such textures are incomplete, which is a state of its own;
 *   - integer textures with linear filters: incomplete in OpenGL, nearest in Vulkan (both voices make them nearest);
 *   - a least level of detail above the greatest;
 *   - projection by numbers that are not positive; directions of cubes of length 0;
 *   - implicit derivatives outside of fragment shaders and behind branches; gradients that are not numbers;
 *   - integer border colours beyond the format, and colours beyond 24 bits of precision in integer attachments;
 *   - references of comparisons that are exactly the depth of a texel, but for depth in floats: OpenGL rounds other
 *     depth, and what it divides, as it likes;
 *   - anisotropic footprints: implementations choose them.
 *
 * One full expression draws one number: C leaves open in which order arguments and initializers are evaluated, and a
 * seed would be another program with another compiler (generate_test.c).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "drawable.h"
#include "program.h"

/*
 * Of a program without its ends, without its second end, without the last part of that, and without its third and
 * its fourth end. And units of what is in front of the fourth one. */
enum {
    OPERATIONS_FIRST = 160,
    DRAWS_FIRST = 32,
    OPERATIONS_END = 200,
    DRAWS_END = 40,
    OPERATIONS_AGAIN = 320,
    DRAWS_AGAIN = 60,
    OPERATIONS_BOUNDS = 350,
    DRAWS_BOUNDS = 63,
    OPERATIONS_LAST = 430,
    DRAWS_LAST = 75,
    UNITS_ALONE = 2
};

struct author {
    struct program *program;
    uint64_t state;
    const struct generate_params *params;
    struct machine machine;          /* what the program has come to */
    uint32_t operations, draws_most; /* that the program may have */
    bool paints;                     /* more than it looks up, into what has its channels elsewhere */
    int draws;
};

static uint32_t below(struct author *a, uint32_t n)
{
    return (uint32_t)((random_next(&a->state) >> 32) * n >> 32);
}

static bool one_in(struct author *a, uint32_t n)
{
    return below(a, n) == 0;
}

static float between(struct author *a, float low, float high)
{
    return low + (high - low) * (float)(random_next(&a->state) >> 40) / 16777216.0f;
}

#define PICK(a, ...)                                                                                                   \
    ((const uint32_t[]){__VA_ARGS__})[below(a, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))]

/* Of texels. */
static int some_seed(struct author *a)
{
    return 1 + (int)below(a, 1000000);
}

/* Adds it if it can be carried out now. */
static bool add(struct author *a, const struct operation *o)
{
    if (a->program->count == a->operations || (o->kind == OPERATION_DRAW && a->draws == (int)a->draws_most) ||
        !machine_step(&a->machine, o))
        return false;
    a->program->operations[a->program->count++] = *o;
    a->draws += o->kind == OPERATION_DRAW;
    return true;
}

static int some_format(struct author *a, bool buffer)
{
    for (;;) {
        const int i = (int)below(a, (uint32_t)random_format_count);
        const struct format *f = &random_formats[i];
        const bool plain = f->base == GL_RED || f->base == GL_RG || f->base == GL_RGBA || f->depth;
        if (a->params->standard && (!plain || f->ordered || f->texels == TEXEL_DEPTH24 ||
                                    (f->vulkan_channels && f->vulkan_channels != f->channels && !f->depth)))
            continue;
        if (!buffer || f->buffer)
            return i;
    }
}

/* A texture to paint into whose channels are kept elsewhere: blending of those is the layer's to find. */
static bool add_moved_texture(struct author *a, int slot)
{
    const bool zero = one_in(a, 4);
    int format;
    do
        format = (int)below(a, (uint32_t)random_format_count);
    while (!format_moves(&random_formats[format]) || (zero && !random_formats[format].alpha_zero));
    const int width = (int)PICK(a, 8, 13, 16, 21, 32), height = (int)PICK(a, 8, 11, 16, 19);
    const int levels = (int)PICK(a, 1, 2, 4), seed = some_seed(a);
    return add(a, &(struct operation){.kind = OPERATION_TEXTURE,
                                      .integers = {slot, RANDOM_2D, format, width, height, 1, 1, levels, seed}});
}

static bool is_array(enum random_target target)
{
    return target == RANDOM_1D_ARRAY || target == RANDOM_2D_ARRAY || target == RANDOM_CUBE_ARRAY;
}

static bool add_texture(struct author *a, int slot)
{
    const enum random_target target =
        (enum random_target)PICK(a, RANDOM_1D, RANDOM_2D, RANDOM_2D, RANDOM_2D, RANDOM_2D, RANDOM_3D, RANDOM_CUBE,
                                 RANDOM_1D_ARRAY, RANDOM_2D_ARRAY, RANDOM_CUBE_ARRAY, RANDOM_RECTANGLE, RANDOM_BUFFER);
    const bool cube = target == RANDOM_CUBE || target == RANDOM_CUBE_ARRAY;
    const int width =
        target == RANDOM_BUFFER ? 1 + (int)below(a, 300) : (int)PICK(a, 1, 2, 3, 4, 5, 7, 8, 8, 13, 16, 16, 21, 32, 37);
    const int height = (int)PICK(a, 1, 2, 3, 4, 6, 8, 8, 11, 16, 16, 19, 32);
    const bool flat = target == RANDOM_1D || target == RANDOM_1D_ARRAY || target == RANDOM_BUFFER;
    if (target == RANDOM_RECTANGLE && a->params->standard)
        return false;
    const int format = some_format(a, target == RANDOM_BUFFER);
    const int depth = target == RANDOM_3D ? (int)PICK(a, 1, 2, 3, 5, 8) : 1;
    const int layers = is_array(target) ? 1 + (int)below(a, 4) : 1;
    const int levels = (int)PICK(a, 1, 2, 3, 4, 8, 8), seed = some_seed(a);
    return add(a, &(struct operation){.kind = OPERATION_TEXTURE,
                                      .integers = {slot, (int32_t)target, format, width,
                                                   cube   ? width
                                                   : flat ? 1
                                                          : height,
                                                   depth, layers, levels, seed}});
}

static uint32_t some_wrap(struct author *a)
{
    if (a->params->standard)
        return PICK(a, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_BORDER, GL_CLAMP_TO_BORDER, GL_REPEAT, GL_MIRRORED_REPEAT,
                    GL_MIRROR_CLAMP_TO_EDGE);
    return PICK(a, GL_CLAMP, GL_CLAMP, GL_CLAMP, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_BORDER, GL_REPEAT, GL_MIRRORED_REPEAT,
                GL_MIRROR_CLAMP_EXT, GL_MIRROR_CLAMP_TO_EDGE, GL_MIRROR_CLAMP_TO_BORDER_EXT);
}

static void add_parameter(struct author *a, bool object, int slot)
{
    struct operation o = {.kind = OPERATION_PARAMETER,
                          .integers = {object, slot, (int32_t)below(a, RANDOM_PARAMETERS), 0}};
    uint32_t token = 0;
    switch ((enum random_parameter)o.integers[2]) {
    case PARAMETER_WRAP_S:
    case PARAMETER_WRAP_T:
    case PARAMETER_WRAP_R:
        token = some_wrap(a);
        break;
    case PARAMETER_MIN_FILTER:
        token = PICK(a, GL_NEAREST, GL_LINEAR, GL_NEAREST_MIPMAP_NEAREST, GL_LINEAR_MIPMAP_NEAREST,
                     GL_NEAREST_MIPMAP_LINEAR, GL_LINEAR_MIPMAP_LINEAR);
        break;
    case PARAMETER_MAG_FILTER:
        token = PICK(a, GL_NEAREST, GL_LINEAR);
        break;
    case PARAMETER_COMPARE_MODE:
        token = PICK(a, GL_NONE, GL_COMPARE_REF_TO_TEXTURE);
        break;
    case PARAMETER_COMPARE_FUNC:
        token = PICK(a, GL_NEVER, GL_LESS, GL_LEQUAL, GL_GREATER, GL_GEQUAL, GL_ALWAYS);
        break;
    case PARAMETER_DECODE:
        token = a->params->standard ? GL_DECODE_EXT : PICK(a, GL_DECODE_EXT, GL_SKIP_DECODE_EXT);
        break;
    case PARAMETER_MIN_LOD:
        o.numbers[0] = between(a, -2, 3);
        break;
    case PARAMETER_MAX_LOD:
        o.numbers[0] = one_in(a, 3) ? 1000 : between(a, 0, 5);
        break;
    case PARAMETER_LOD_BIAS:
        o.numbers[0] = between(a, -2, 2);
        break;
    case PARAMETER_SEAMLESS:
        token = below(a, 2);
        break;
    case PARAMETER_DEPTH_MODE:
        token = a->params->standard      ? GL_RED
                : a->machine.depth_alpha ? PICK(a, GL_RED, GL_LUMINANCE, GL_INTENSITY, GL_ALPHA)
                                         : PICK(a, GL_RED, GL_LUMINANCE, GL_INTENSITY);
        break;
    default:
        token = below(a, 2);
        break;
    }
    o.integers[3] = (int32_t)token;
    add(a, &o);
}

static void add_border(struct author *a, bool object, int slot)
{
    struct operation o = {.kind = OPERATION_BORDER, .integers = {object, slot}};
    const bool bytes = one_in(a, 2);
    for (int i = 0; i < 4; i++)
        o.numbers[i] = bytes ? (float)below(a, 101) : between(a, -0.5f, 1.5f);
    add(a, &o);
}

/* Something of a sampler or a texture is another from here on. */
static void add_change(struct author *a)
{
    const bool object = one_in(a, 3);
    const int slot = (int)below(a, object ? SAMPLERS : TEXTURES);
    switch (below(a, 10)) {
    case 0:
        add_border(a, object, slot);
        break;
    case 1: {
        struct operation swizzle = {.kind = OPERATION_SWIZZLE, .integers = {slot}};
        swizzle.integers[1] = (int32_t)PICK(a, GL_RED, GL_GREEN, GL_ONE, GL_ALPHA);
        swizzle.integers[2] = (int32_t)PICK(a, GL_RED, GL_GREEN, GL_BLUE, GL_ZERO);
        swizzle.integers[3] = (int32_t)PICK(a, GL_RED, GL_BLUE, GL_ALPHA, GL_ONE);
        swizzle.integers[4] = (int32_t)PICK(a, GL_ALPHA, GL_GREEN, GL_RED, GL_ZERO, GL_ONE);
        add(a, &swizzle);
        break;
    }
    case 2: {
        const int base = (int)below(a, 3), greatest = base + (int)below(a, 5);
        add(a, &(struct operation){.kind = OPERATION_LEVELS, .integers = {slot, base, greatest}});
        break;
    }
    case 3: {
        const int level = (int)below(a, 3), seed = some_seed(a);
        add(a, &(struct operation){.kind = OPERATION_UPLOAD, .integers = {slot, level, seed}});
        break;
    }
    case 4:
        add(a, &(struct operation){.kind = OPERATION_COPY, .integers = {slot, (int)below(a, TEXTURES)}});
        break;
    default:
        add_parameter(a, object, slot);
        break;
    }
}

static bool add_unit(struct author *a, int unit)
{
    const int texture = (int)below(a, TEXTURES), sampler = (int)below(a, 2 * SAMPLERS) - SAMPLERS;
    const float bias = one_in(a, 3) ? between(a, -1.5f, 1.5f) : 0;
    return add(a, &(struct operation){.kind = OPERATION_UNIT, .integers = {unit, texture, sampler}, .numbers = {bias}});
}

/* Coordinates across an axis of `size` texels: how many textures wide the picture is, and where it begins. */
static void span(struct author *a, int axis, struct parameters *p, int size, bool texels)
{
    const float wide = one_in(a, 3)   ? between(a, 0.2f, 0.8f)
                       : one_in(a, 4) ? between(a, 5, 40)
                                      : between(a, 2.5f, 4.5f);
    const float scale = texels ? (float)size : 1.0f, middle = one_in(a, 2) ? 0.5f : one_in(a, 2) ? 0.0f : 1.0f;
    p->origin[axis] = (middle - wide * between(a, 0.4f, 0.6f)) * scale;
    const float step = wide * scale / SIDE;
    if (axis == 1)
        p->dy[axis] = step;
    else
        p->dx[axis] = step;
    if (axis == 2 || one_in(a, 3)) { /* turned */
        p->dx[axis] += step * between(a, -0.3f, 0.3f);
        p->dy[axis] += step * between(a, -0.6f, 0.6f);
    }
    const float gradient = exp2f(between(a, -1.5f, 3.5f)) / (texels ? 1.0f : (float)size);
    p->gradient_x[axis] = gradient * between(a, 0.1f, 1);
    p->gradient_y[axis] = gradient * between(a, -1, 0.8f);
}

static struct parameters some_parameters(struct author *a, const struct texture_state *t, int function)
{
    struct parameters p = {0};
    const bool texels = t->target == RANDOM_RECTANGLE;
    const int sizes[] = {level_size(t->width, t->base), level_size(t->height, t->base), level_size(t->depth, t->base)};
    const int layer = t->target == RANDOM_1D_ARRAY ? 1 : t->target == RANDOM_2D_ARRAY ? 2 : -1;
    if (function == FUNCTION_FETCH || t->target == RANDOM_BUFFER) {
        p.dx[0] = 1;
        p.dy[1] = 1;
        p.dy[0] = t->target == RANDOM_1D || t->target == RANDOM_BUFFER ? 7 : 0;
        p.dy[2] = 0.21f;
    } else if (t->target == RANDOM_CUBE || t->target == RANDOM_CUBE_ARRAY) {
        const int major = (int)below(a, 3), across = (major + 1) % 3, up = (major + 2) % 3;
        const float wide = one_in(a, 2) ? between(a, 0.3f, 1.5f) : between(a, 2, 6);
        p.origin[major] = one_in(a, 2) ? 1.0f : -1.0f;
        p.origin[across] = -wide * between(a, 0.4f, 0.6f);
        p.origin[up] = -wide * between(a, 0.4f, 0.6f);
        p.dx[across] = p.dy[up] = wide / SIDE;
        p.dx[up] = wide / SIDE * between(a, -0.4f, 0.4f);
        for (int i = 0; i < 3; i++) {
            p.gradient_x[i] = i == across ? exp2f(between(a, -1, 3)) / (float)sizes[0] : 0;
            p.gradient_y[i] = i == up ? exp2f(between(a, -1, 3)) / (float)sizes[0] : 0;
        }
        p.origin[3] = (float)below(a, (uint32_t)t->layers);
    } else {
        for (int i = 0; i < (t->target == RANDOM_3D ? 3 : 2); i++)
            span(a, i, &p, sizes[i], texels);
        if (layer >= 0) {
            p.dx[layer] = 0;
            p.dy[layer] = one_in(a, 2) ? ((float)t->layers + 0.7f) / SIDE : 0;
            p.origin[layer] = p.dy[layer] > 0 ? -0.713f : (float)below(a, (uint32_t)t->layers) + 0.21f;
            p.gradient_x[layer] = p.gradient_y[layer] = 0;
        }
    }
    if (function == FUNCTION_PROJ || function == FUNCTION_PROJ_LOD) {
        p.origin[3] = 1.31f;
        p.dx[3] = between(a, -0.003f, 0.004f);
        p.dy[3] = between(a, -0.003f, 0.004f);
    }
    p.reference = between(a, -0.15f, 0.1f);
    p.reference_dx = between(a, 0.011f, 0.019f);
    p.level = function == FUNCTION_BIAS ? between(a, -2, 0) : between(a, -1.5f, 2);
    p.level_dy = one_in(a, 3) ? 0 : between(a, 0.0f, 0.07f);
    p.offset[0] = (float)((int)below(a, 16) - 8);
    p.offset[1] = (float)((int)below(a, 16) - 8);
    p.fetch_level = (float)below(a, (uint32_t)texture_levels(t));
    return p;
}

static bool add_draw(struct author *a, int function, int stage, int unit)
{
    const int texture = a->machine.units[unit].texture;
    if (texture < 0 || !a->machine.textures[texture].alive)
        return false;
    struct operation o = {.kind = OPERATION_DRAW, .integers = {function, stage, unit}};
    const struct parameters p = some_parameters(a, &a->machine.textures[texture], function);
    for (unsigned i = 0; i < NUMBERS; i++)
        o.numbers[i] = ((const float *)&p)[i];
    return add(a, &o);
}

/* A function that the texture of the unit has. */
static bool choose_draw(struct author *a, int unit, int *function, int *stage)
{
    for (int tries = 0; tries < 20; tries++) {
        *function = (int)below(a, RANDOM_FUNCTIONS);
        *stage = one_in(a, 2) ? (int)STAGE_FRAG : (int)below(a, RANDOM_STAGES);
        if (*function == FUNCTION_SIZE && !one_in(a, 4))
            continue;
        struct lookup lookup;
        if (machine_lookup(&a->machine,
                           &(struct operation){.kind = OPERATION_DRAW, .integers = {*function, *stage, unit}}, &lookup))
            return true;
    }
    return false;
}

/*
 * What asks for nothing but coordinates that are saturated: sets say so with a bit for each element of an array of
 * samplers, and shaders look no further.
 */
static void saturate(struct author *a, int unit)
{
    const struct unit_state *u = &a->machine.units[unit];
    const bool object = u->sampler >= 0;
    const struct {
        enum random_parameter name;
        uint32_t token;
    } state[] = {{PARAMETER_WRAP_S, GL_CLAMP},      {PARAMETER_WRAP_T, GL_CLAMP},
                 {PARAMETER_WRAP_R, GL_CLAMP},      {PARAMETER_MIN_FILTER, GL_LINEAR},
                 {PARAMETER_MAG_FILTER, GL_LINEAR}, {PARAMETER_COMPARE_MODE, GL_NONE}};
    for (size_t i = 0; i < sizeof(state) / sizeof(state[0]); i++)
        add(a, &(struct operation){.kind = OPERATION_PARAMETER,
                                   .integers = {object, object ? u->sampler : u->texture, (int32_t)state[i].name,
                                                (int32_t)state[i].token}});
}

/* One function and stage, again and again, while what it reads changes: the pipeline stays, the state does not. */
static void add_draws(struct author *a)
{
    int function, stage;
    const int unit = (int)below(a, UNITS_ALONE);
    if (!add_unit(a, unit))
        return;
    if (a->program->manner.binding == BINDING_ARRAY && one_in(a, 2))
        saturate(a, unit);
    if (!choose_draw(a, unit, &function, &stage))
        return;
    for (int again = 1 + (int)below(a, 5); again > 0; again--) {
        if (!add_draw(a, function, stage, unit))
            return;
        for (int changes = (int)below(a, 4); changes > 0; changes--) {
            if (one_in(a, 4))
                add_unit(a, unit);
            else
                add_change(a);
        }
    }
}

/*
 * What no state of a driver can say when channels are kept elsewhere, the layer refuses, and a program is lost for it:
 * two operations in the colours of one format, factors of an alpha that lies in a colour, and among several attachments
 * whatever needs a second source. It is drawn now and then.
 */
struct blending {
    bool one_operation, no_stored_alpha, zero_alpha, alone;
};

static bool keeps_alpha_in_colour(const struct format *f)
{
    return format_moves(f) && (f->base == GL_RGBA || f->base == GL_LUMINANCE_ALPHA || f->base == GL_ALPHA) &&
           !f->alpha_zero;
}

static struct blending careful(struct author *a, int attachment)
{
    struct blending b = {0};
    const struct machine *m = &a->machine;
    if (attachment >= m->attachment_count || one_in(a, 24))
        return b;
    const struct format *f = m->textures[m->attachments[attachment].texture].format;
    b.one_operation = format_moves(f);
    b.no_stored_alpha = keeps_alpha_in_colour(f);
    b.zero_alpha = f->alpha_zero;
    for (int i = 0; i < m->attachment_count; i++)
        b.alone |= m->attachment_count > 1 && format_moves(m->textures[m->attachments[i].texture].format);
    return b;
}

static uint32_t some_factor(struct author *a, bool source, bool stored_alpha)
{
    if (!stored_alpha)
        return PICK(a, GL_ZERO, GL_ONE, GL_SRC_COLOR, GL_ONE_MINUS_SRC_COLOR, GL_DST_COLOR, GL_ONE_MINUS_DST_COLOR,
                    GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_CONSTANT_COLOR, GL_ONE_MINUS_CONSTANT_COLOR,
                    GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA);
    return source && one_in(a, 8) ? GL_SRC_ALPHA_SATURATE
                                  : PICK(a, GL_ZERO, GL_ONE, GL_ONE, GL_SRC_COLOR, GL_ONE_MINUS_SRC_COLOR, GL_DST_COLOR,
                                         GL_ONE_MINUS_DST_COLOR, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_DST_ALPHA,
                                         GL_ONE_MINUS_DST_ALPHA, GL_CONSTANT_COLOR, GL_ONE_MINUS_CONSTANT_COLOR,
                                         GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA);
}

static uint32_t some_equation(struct author *a)
{
    return PICK(a, GL_FUNC_ADD, GL_FUNC_ADD, GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT, GL_MIN, GL_MAX);
}

/* Factors that the shader can multiply in by itself. */
static uint32_t some_source_factor(struct author *a)
{
    return PICK(a, GL_ONE, GL_SRC_COLOR, GL_ONE_MINUS_SRC_COLOR, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

static void add_blend(struct author *a, int attachment)
{
    const struct blending b = careful(a, attachment);
    const bool stored = !b.no_stored_alpha;
    const uint32_t equation = some_equation(a), other = some_equation(a), ways = below(a, 3);
    uint32_t factors[4]; /* of colours, source and destination, and of alpha */
    for (int i = 0; i < 4; i++)
        factors[i] = b.zero_alpha && one_in(a, 3) ? PICK(a, GL_DST_ALPHA, GL_ONE_MINUS_DST_ALPHA)
                                                  : some_factor(a, i % 2 == 0, stored);
    /* Where alpha lies in a colour: the colours' factors, or another source's that is the shader's, or any. */
    if (!stored && ways < 2) {
        factors[2] = ways ? some_source_factor(a) : factors[0];
        factors[3] = factors[1];
    }
    const bool on = !one_in(a, 4) && !b.alone;
    const int32_t mask = one_in(a, 3) ? (int32_t)below(a, 16) : 15;
    add(a, &(struct operation){.kind = OPERATION_BLEND,
                               .integers = {attachment, on, (int32_t)factors[0], (int32_t)factors[1], (int32_t)equation,
                                            (int32_t)factors[2], (int32_t)factors[3],
                                            (int32_t)(b.one_operation ? equation : other), mask}});
}

/* Numbers that every attachment of the pass holds: integers for integers. */
static void some_colours(struct author *a, struct operation *o, bool integers, int count, float low, float high)
{
    for (int i = 0; i < count; i++)
        o->numbers[i] = integers ? (float)below(a, 100) : between(a, low, high);
}

/* Half of them are of such as have their channels elsewhere, if there is one. */
static int some_target(struct author *a)
{
    const int slot = (int)below(a, TEXTURES);
    const bool moved = a->paints || one_in(a, 2);
    for (int i = 0; moved && i < TEXTURES; i++) {
        const struct texture_state *t = &a->machine.textures[(slot + i) % TEXTURES];
        if (t->alive && t->target == RANDOM_2D && format_moves(t->format))
            return (slot + i) % TEXTURES;
    }
    return slot;
}

/* Paints; `lookup` may be NULL, else it may add a lookup to colours that are not integers. */
static void add_colours(struct author *a, bool integers, bool (*lookup)(struct author *a, int unit))
{
    struct operation paint = {.kind = OPERATION_PAINT};
    some_colours(a, &paint, integers, 4, 0.05f, 0.9f);
    some_colours(a, &paint, integers, 24, 0, 0.02f);
    for (int i = 0; i < 4; i++) {
        paint.numbers[i] = integers ? (float)below(a, 100) : between(a, 0.05f, 0.9f);
        paint.numbers[12 + i] = integers ? (float)below(a, 100) : between(a, 0.05f, 0.9f);
        for (int k = 1; k < 3; k++) {
            paint.numbers[4 * k + i] = integers ? (float)below(a, 2) : between(a, -0.01f, 0.01f);
            paint.numbers[12 + 4 * k + i] = integers ? (float)below(a, 2) : between(a, -0.01f, 0.01f);
        }
    }
    if (lookup && !integers && one_in(a, 2) && lookup(a, 0)) {
        paint.integers[0] = 1;
        paint.numbers[24] = between(a, 0.02f, 0.3f);
        paint.numbers[25] = between(a, 0.02f, 0.3f);
        paint.numbers[26] = between(a, 0, 2);
    }
    if (!add(a, &paint)) {
        paint.integers[0] = 0;
        add(a, &paint);
    }
}

/* What has come of it, texel by texel, then through whatever the texture's own state is. */
static void show_attachments(struct author *a, int count)
{
    for (int i = 0; i < count; i++) {
        const struct attachment_state at = a->machine.attachments[i];
        const struct texture_state *t = &a->machine.textures[at.texture];
        if (t->target == RANDOM_CUBE || at.level < t->base || at.level > t->greatest ||
            !add(a, &(struct operation){.kind = OPERATION_UNIT, .integers = {1, at.texture, -1}}))
            continue;
        struct operation draw = {.kind = OPERATION_DRAW, .integers = {FUNCTION_FETCH, STAGE_FRAG, 1}};
        draw.numbers[4] = draw.numbers[9] = 1; /* x goes along x, y along y */
        draw.numbers[2] = (float)at.layer;
        draw.numbers[26] = (float)(at.level - t->base);
        add(a, &draw);
        add_draw(a, one_in(a, 2) ? FUNCTION_TEXTURE : FUNCTION_GRAD, STAGE_FRAG, 1);
    }
}

static void add_paint(struct author *a)
{
    const int count = one_in(a, a->paints ? 12 : 3) ? 2 : 1;
    const int first = some_target(a), second = (int)below(a, TEXTURES);
    const int first_level = (int)below(a, 3), second_level = (int)below(a, 3);
    struct operation o = {.kind = OPERATION_TARGET,
                          .integers = {count, first, first_level, 0, second, second_level, 0}};
    for (int i = 0; i < 2; i++) {
        const struct texture_state *t = &a->machine.textures[o.integers[1 + 3 * i]];
        if (t->alive)
            o.integers[3 + 3 * i] = (int)below(a, (uint32_t)texture_faces(t));
    }
    if (!add(a, &o))
        return;
    const bool integers = format_is_integer(a->machine.textures[first].format);
    if (one_in(a, 2))
        for (int i = 0; i < count; i++) {
            struct operation clear = {.kind = OPERATION_CLEAR, .integers = {i}};
            some_colours(a, &clear, integers, 4, -0.1f, 1.1f);
            add(a, &clear);
        }
    for (int again = 1 + (int)below(a, 2); again > 0; again--) {
        for (int i = 0; i < count; i++)
            add_blend(a, i);
        struct operation constant = {.kind = OPERATION_CONSTANT};
        some_colours(a, &constant, false, 4, 0, 1);
        add(a, &constant);
        add_colours(a, integers, add_unit);
    }
    show_attachments(a, count);
}

/*
 * The end of a program, with a stream of its own, so that what is in front of it stays as it is when more is drawn
 * here: textures that are not complete, textures with a border, and state that is rare.
 */

/* Draws of a unit, again and again, while its texture is complete and is not. */
static void add_incomplete(struct author *a)
{
    const int slot = (int)below(a, TEXTURES), unit = (int)below(a, UNITS_ALONE);
    const int sampler = one_in(a, 2) ? (int)below(a, SAMPLERS) : -1;
    int function, stage;
    if (!add(a, &(struct operation){.kind = OPERATION_UNIT, .integers = {unit, slot, sampler}}))
        return;
    for (int again = 3; again > 0; again--) {
        bool said = false;
        for (int tries = 0; tries < 10 && !said; tries++) {
            const int way = again == 2 ? COMPLETE : 1 + (int)below(a, INCOMPLETE_WAYS - 1);
            said = add(a, &(struct operation){.kind = OPERATION_INCOMPLETE, .integers = {slot, way}});
        }
        if (!said || !choose_draw(a, unit, &function, &stage))
            continue;
        add_draw(a, function, stage, unit);
        add_parameter(a, sampler >= 0, sampler >= 0 ? sampler : slot);
        add_draw(a, function, stage, unit);
    }
    add(a, &(struct operation){.kind = OPERATION_INCOMPLETE, .integers = {slot, COMPLETE}});
}

static void add_bordered(struct author *a)
{
    const int slot = (int)below(a, TEXTURES), unit = (int)below(a, UNITS_ALONE);
    const enum random_target target =
        (enum random_target)PICK(a, RANDOM_1D, RANDOM_2D, RANDOM_2D, RANDOM_2D_ARRAY, RANDOM_3D);
    const int sampler = one_in(a, 2) ? (int)below(a, SAMPLERS) : -1;
    int function, stage;
    bool made = false;
    for (int tries = 0; tries < 10 && !made; tries++) {
        const int format = some_format(a, false), width = (int)PICK(a, 1, 2, 3, 5, 8, 13, 16);
        const int height = target == RANDOM_1D ? 1 : (int)PICK(a, 1, 2, 4, 7, 8, 16);
        const int depth = target == RANDOM_3D ? (int)PICK(a, 1, 2, 3, 5) : 1;
        const int layers = target == RANDOM_2D_ARRAY ? 1 + (int)below(a, 3) : 1, seed = some_seed(a);
        made = add(a, &(struct operation){
                          .kind = OPERATION_TEXTURE,
                          .integers = {slot, (int32_t)target, format, width, height, depth, layers, 1, seed, 0, 1}});
    }
    if (!made || !add(a, &(struct operation){.kind = OPERATION_UNIT, .integers = {unit, slot, sampler}}))
        return;
    add_border(a, sampler >= 0, sampler >= 0 ? sampler : slot);
    for (int again = 3; again > 0; again--) {
        for (int i = 0; i < 3; i++)
            add(a, &(struct operation){.kind = OPERATION_PARAMETER,
                                       .integers = {sampler >= 0, sampler >= 0 ? sampler : slot, PARAMETER_WRAP_S + i,
                                                    (int32_t)some_wrap(a)}});
        add_parameter(a, sampler >= 0, sampler >= 0 ? sampler : slot);
        if (choose_draw(a, unit, &function, &stage))
            add_draw(a, function, stage, unit);
    }
}

/* Comparisons by equality, every swizzle of each channel, and stencil. */
static void add_rare(struct author *a)
{
    const int unit = (int)below(a, UNITS_ALONE), slot = (int)below(a, TEXTURES);
    int function, stage;
    struct operation swizzle = {.kind = OPERATION_SWIZZLE, .integers = {slot}};
    const bool renewed = one_in(a, 4);
    for (int i = 0; i < random_format_count && renewed; i++) {
        if (random_formats[i].texels != TEXEL_STENCIL)
            continue;
        const int width = (int)PICK(a, 1, 5, 8, 16), height = (int)PICK(a, 1, 4, 7, 16);
        const int levels = (int)PICK(a, 1, 2, 4), seed = some_seed(a);
        add(a, &(struct operation){.kind = OPERATION_TEXTURE,
                                   .integers = {slot, RANDOM_2D, i, width, height, 1, 1, levels, seed}});
    }
    add(a, &(struct operation){.kind = OPERATION_PARAMETER, .integers = {0, slot, PARAMETER_STENCIL, 1}});
    for (int i = 0; i < 4; i++)
        swizzle.integers[1 + i] = (int32_t)PICK(a, GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA, GL_ZERO, GL_ONE);
    add(a, &swizzle);
    add(a, &(struct operation){.kind = OPERATION_PARAMETER,
                               .integers = {0, slot, PARAMETER_COMPARE_FUNC, (int32_t)PICK(a, GL_EQUAL, GL_NOTEQUAL)}});
    if (add(a, &(struct operation){.kind = OPERATION_UNIT, .integers = {unit, slot, -1}}) &&
        choose_draw(a, unit, &function, &stage))
        add_draw(a, function, stage, unit);
}

static void add_end(struct author *a, uint64_t seed, uint64_t number)
{
    a->state = 0xd1b54a32d192ed03u + seed * 0xda942042e4dd58b5u + number * 0x2545f4914f6cdd1du;
    a->operations = OPERATIONS_END;
    a->draws_most = (uint32_t)a->draws + DRAWS_END - DRAWS_FIRST;
    a->draws_most = a->draws_most < DRAWS_END ? a->draws_most : DRAWS_END;
    if (a->params->standard)
        return;
    if (one_in(a, 2))
        add_incomplete(a);
    else
        add_bordered(a);
    add_rare(a);
}

/*
 * The second end, with a stream of its own as well: submits in the midst of the program with what is made and written
 * anew between them, and states that come together too seldom in front of it.
 */

static void set(struct author *a, bool object, int slot, enum random_parameter name, uint32_t token)
{
    add(a, &(struct operation){.kind = OPERATION_PARAMETER, .integers = {object, slot, (int32_t)name, (int32_t)token}});
}

static void set_levels(struct author *a, bool object, int slot, float least, float most)
{
    const struct operation bounds[] = {
        {.kind = OPERATION_PARAMETER, .integers = {object, slot, PARAMETER_MIN_LOD, 0}, .numbers = {least}},
        {.kind = OPERATION_PARAMETER, .integers = {object, slot, PARAMETER_MAX_LOD, 0}, .numbers = {most}}};
    add(a, &bounds[0]);
    add(a, &bounds[1]);
}

/* A new texture in a slot; false: there is no such format for the target. */
static bool add_some(struct author *a, int slot, enum random_target target, int format, int levels)
{
    const bool cube = target == RANDOM_CUBE || target == RANDOM_CUBE_ARRAY;
    const bool flat = target == RANDOM_1D || target == RANDOM_1D_ARRAY;
    const int drawn = (int)PICK(a, 1, 2, 3, 5, 8, 8, 16, 21), width = levels > 1 ? 16 : drawn;
    const int height = cube ? width : flat ? 1 : (int)PICK(a, 1, 2, 4, 7, 8, 16);
    const int depth = target == RANDOM_3D ? (int)PICK(a, 2, 3, 5, 8) : 1;
    const int layers = is_array(target) ? 1 + (int)below(a, 3) : 1, seed = some_seed(a);
    return add(a, &(struct operation){
                      .kind = OPERATION_TEXTURE,
                      .integers = {slot, (int32_t)target, format, width, height, depth, layers, levels, seed}});
}

/* What is chosen from; where there is but one it takes no chance. */
struct choice {
    uint32_t count, of[8];
};
#define CHOICE(...)                                                                                                    \
    (struct choice)                                                                                                    \
    {                                                                                                                  \
        sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t),                                                    \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

static uint32_t choose(struct author *a, const struct choice *choice)
{
    return choice->of[choice->count > 1 ? below(a, choice->count) : 0];
}

enum { ANY_FORMAT = -1 };

/* A new texture of one of the targets, in ten tries: not every target has each format. */
static bool some_texture(struct author *a, int slot, struct choice targets, int format, struct choice levels)
{
    for (int tries = 0; tries < 10; tries++) {
        const int most = (int)choose(a, &levels), own = format == ANY_FORMAT ? some_format(a, false) : format;
        const enum random_target target = (enum random_target)choose(a, &targets);
        if (add_some(a, slot, target, own, most))
            return true;
    }
    return false;
}

/* The unit's texture with its own sampler, or with an object that is new. */
static bool add_bound(struct author *a, int unit, int slot, bool object)
{
    const int sampler = (int)below(a, SAMPLERS);
    if (object)
        add(a, &(struct operation){.kind = OPERATION_SAMPLER, .integers = {sampler}});
    return add(a, &(struct operation){.kind = OPERATION_UNIT, .integers = {unit, slot, object ? sampler : -1}});
}

/*
 * The same lookup again and again, each time in another command buffer: by the set of the one before, which is written
 * anew, and with views and samplers that may have the handles of others. Often the border alone is another.
 */
static void add_submits(struct author *a)
{
    const int unit = (int)below(a, UNITS_ALONE), slot = (int)below(a, TEXTURES);
    const bool object = one_in(a, 2);
    int function, stage;
    if (!a->machine.textures[slot].alive || a->machine.textures[slot].target == RANDOM_BUFFER || one_in(a, 2))
        some_texture(a, slot, CHOICE(RANDOM_2D, RANDOM_2D, RANDOM_1D, RANDOM_3D, RANDOM_2D_ARRAY), ANY_FORMAT,
                     CHOICE(1, 1, 3));
    if (!add_bound(a, unit, slot, object))
        return;
    const int holder = object ? a->machine.units[unit].sampler : slot;
    add_border(a, object, holder);
    if (one_in(a, 2))
        saturate(a, unit);
    else
        for (int i = 0; i < 3; i++)
            set(a, object, holder, (enum random_parameter)(PARAMETER_WRAP_S + i), some_wrap(a));
    if (!choose_draw(a, unit, &function, &stage))
        return;
    for (int again = 5; again > 0; again--) {
        add_draw(a, function, stage, unit);
        const bool views = one_in(a, 2), samplers = one_in(a, 2);
        add(a, &(struct operation){.kind = OPERATION_SUBMIT, .integers = {views, samplers}});
        switch (below(a, 6)) {
        case 0: {
            struct operation swizzle = {.kind = OPERATION_SWIZZLE, .integers = {slot}};
            swizzle.integers[1] = (int32_t)PICK(a, GL_RED, GL_GREEN, GL_BLUE, GL_ONE);
            swizzle.integers[2] = (int32_t)PICK(a, GL_RED, GL_GREEN, GL_ALPHA, GL_ZERO);
            swizzle.integers[3] = (int32_t)PICK(a, GL_RED, GL_BLUE, GL_ALPHA, GL_ZERO);
            swizzle.integers[4] = (int32_t)PICK(a, GL_RED, GL_GREEN, GL_ALPHA, GL_ONE);
            add(a, &swizzle);
            break;
        }
        case 1: {
            const uint32_t wrap = some_wrap(a);
            set(a, object, holder, (enum random_parameter)(PARAMETER_WRAP_S + (int)below(a, 3)), wrap);
            break;
        }
        case 2: { /* another image, of another kind of texels perhaps */
            const int levels = (int)PICK(a, 1, 1, 3);
            add_some(a, slot, a->machine.textures[slot].target, some_format(a, false), levels);
            add_bound(a, unit, slot, object);
            if (!choose_draw(a, unit, &function, &stage))
                return;
            break;
        }
        default:
            add_border(a, object, holder);
            break;
        }
    }
}

/* A texel of the texture's first level that lookups see. */
static float some_texel(struct author *a, const struct texture_state *t)
{
    uint32_t *codes = texels_make(t, t->base, (uint64_t)(int64_t)t->seeds[t->base]);
    const uint32_t texel = below(a, (uint32_t)texels_count(t, t->base));
    float depth = 0;
    if (codes)
        memcpy(&depth, &codes[(size_t)texel * (size_t)t->format->channels], sizeof(depth));
    free(codes);
    return depth;
}

/* Comparisons: projected, with texels that are equal to the reference, and with references beyond [0, 1]. */
static void add_compared(struct author *a)
{
    static const enum texel_kind kinds[] = {TEXEL_DEPTH24, TEXEL_DEPTH,   TEXEL_STENCIL,
                                            TEXEL_BITS,    TEXEL_DEPTH24, TEXEL_DEPTH};
    const int unit = (int)below(a, UNITS_ALONE), slot = (int)below(a, TEXTURES);
    const enum texel_kind kind = kinds[below(a, sizeof(kinds) / sizeof(kinds[0]))];
    const bool object = one_in(a, 2);
    const enum random_target target = (enum random_target)PICK(
        a, RANDOM_2D, RANDOM_2D, RANDOM_2D, RANDOM_1D, RANDOM_RECTANGLE, RANDOM_2D_ARRAY, RANDOM_1D_ARRAY, RANDOM_CUBE);
    int format = 0, function, stage;
    while (format < random_format_count && (!random_formats[format].depth || random_formats[format].texels != kind))
        format++;
    if (format == random_format_count || !add_some(a, slot, target, format, (int)PICK(a, 1, 1, 3)) ||
        !add_bound(a, unit, slot, object))
        return;
    const int holder = object ? a->machine.units[unit].sampler : slot;
    add_border(a, object, holder);
    for (int i = 0; i < 3; i++)
        set(a, object, holder, (enum random_parameter)(PARAMETER_WRAP_S + i), some_wrap(a));
    set(a, object, holder, PARAMETER_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    set(a, object, holder, PARAMETER_MIN_FILTER, PICK(a, GL_LINEAR, GL_NEAREST, GL_LINEAR_MIPMAP_NEAREST));
    set(a, object, holder, PARAMETER_MAG_FILTER, PICK(a, GL_LINEAR, GL_NEAREST));
    for (int again = 4; again > 0; again--) {
        const struct texture_state *t = &a->machine.textures[slot];
        set(a, object, holder, PARAMETER_COMPARE_FUNC,
            PICK(a, GL_LESS, GL_LEQUAL, GL_GREATER, GL_GEQUAL, GL_EQUAL, GL_NOTEQUAL));
        struct lookup lookup;
        struct operation draw = {.kind = OPERATION_DRAW,
                                 .integers = {one_in(a, 4) ? FUNCTION_PROJ_LOD : FUNCTION_PROJ, STAGE_FRAG, unit}};
        if (one_in(a, 2) || !machine_lookup(&a->machine, &draw, &lookup)) {
            if (!choose_draw(a, unit, &function, &stage))
                return;
            draw.integers[0] = function;
            draw.integers[1] = stage;
        }
        struct parameters p = some_parameters(a, t, draw.integers[0]);
        const bool projects = draw.integers[0] == FUNCTION_PROJ || draw.integers[0] == FUNCTION_PROJ_LOD;
        if (one_in(a, 2) && !projects && (kind == TEXEL_DEPTH || kind == TEXEL_STENCIL)) {
            p.reference = some_texel(a, t);
            p.reference_dx = 0;
        } else if (one_in(a, 2)) {
            p.reference = between(a, -0.5f, -0.2f);
            p.reference_dx = between(a, 0.025f, 0.035f);
        }
        memcpy(draw.numbers, &p, sizeof(p));
        add(a, &draw);
    }
}

/* Three axes, of which the second or the third is mirrored, and filters that differ. */
static void add_third(struct author *a)
{
    const int unit = (int)below(a, UNITS_ALONE), slot = (int)below(a, TEXTURES);
    const bool object = one_in(a, 2);
    int function, stage;
    if (!some_texture(a, slot, CHOICE(RANDOM_3D), ANY_FORMAT, CHOICE(1, 1, 3)) || !add_bound(a, unit, slot, object))
        return;
    const int holder = object ? a->machine.units[unit].sampler : slot;
    add_border(a, object, holder);
    for (int again = 3; again > 0; again--) {
        const bool third = one_in(a, 2);
        const uint32_t mirrored =
            PICK(a, GL_MIRRORED_REPEAT, GL_MIRROR_CLAMP_TO_EDGE, GL_MIRROR_CLAMP_EXT, GL_MIRROR_CLAMP_TO_BORDER_EXT);
        const uint32_t straight = PICK(a, GL_REPEAT, GL_CLAMP_TO_EDGE, GL_CLAMP, GL_CLAMP_TO_BORDER);
        set(a, object, holder, PARAMETER_WRAP_S, PICK(a, GL_CLAMP, GL_CLAMP, GL_REPEAT, GL_MIRROR_CLAMP_EXT));
        set(a, object, holder, PARAMETER_WRAP_T, third ? straight : mirrored);
        set(a, object, holder, PARAMETER_WRAP_R, third ? mirrored : straight);
        set(a, object, holder, PARAMETER_MAG_FILTER, PICK(a, GL_LINEAR, GL_NEAREST));
        set(a, object, holder, PARAMETER_MIN_FILTER,
            PICK(a, GL_LINEAR, GL_NEAREST, GL_LINEAR_MIPMAP_NEAREST, GL_NEAREST_MIPMAP_NEAREST));
        if (choose_draw(a, unit, &function, &stage))
            add_draw(a, function, stage, unit);
    }
}

/* sRGB, decoded and not in turn. */
static void add_srgb(struct author *a)
{
    const int unit = (int)below(a, UNITS_ALONE), slot = (int)below(a, TEXTURES);
    const bool object = one_in(a, 2);
    int format = 0, function, stage;
    while (format < random_format_count && (!random_formats[format].srgb || random_formats[format].channels < 4))
        format++;
    format += format < random_format_count - 1 && random_formats[format + 1].srgb && one_in(a, 3);
    if (format == random_format_count ||
        !some_texture(a, slot, CHOICE(RANDOM_2D, RANDOM_2D, RANDOM_1D, RANDOM_3D, RANDOM_CUBE, RANDOM_2D_ARRAY), format,
                      CHOICE(1, 1, 3)) ||
        !add_bound(a, unit, slot, object))
        return;
    const int holder = object ? a->machine.units[unit].sampler : slot;
    for (int again = 4; again > 0; again--) {
        set(a, object, holder, PARAMETER_DECODE, again % 2 ? GL_DECODE_EXT : GL_SKIP_DECODE_EXT);
        add_parameter(a, object, holder);
        if (choose_draw(a, unit, &function, &stage))
            add_draw(a, function, stage, unit);
    }
}

/* EXT_texture_mirror_clamp under linear filters, about the mirror line and at levels that the shader gives. */
static void add_mirrored(struct author *a)
{
    const int unit = (int)below(a, UNITS_ALONE), slot = (int)below(a, TEXTURES);
    const bool object = one_in(a, 2);
    if (!some_texture(a, slot, CHOICE(RANDOM_2D, RANDOM_2D, RANDOM_1D, RANDOM_3D, RANDOM_2D_ARRAY), ANY_FORMAT,
                      CHOICE(5)) ||
        !add_bound(a, unit, slot, object))
        return;
    const int holder = object ? a->machine.units[unit].sampler : slot;
    add_border(a, object, holder);
    for (int again = 3; again > 0; again--) {
        for (int i = 0; i < 3; i++)
            set(a, object, holder, (enum random_parameter)(PARAMETER_WRAP_S + i),
                PICK(a, GL_MIRROR_CLAMP_EXT, GL_MIRROR_CLAMP_EXT, GL_MIRROR_CLAMP_TO_BORDER_EXT, GL_CLAMP));
        set(a, object, holder, PARAMETER_MAG_FILTER, GL_LINEAR);
        set(a, object, holder, PARAMETER_MIN_FILTER, PICK(a, GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR_MIPMAP_LINEAR));
        const struct texture_state *t = &a->machine.textures[slot];
        struct parameters p = some_parameters(a, t, FUNCTION_LOD);
        for (int i = 0; i < (t->target == RANDOM_3D ? 3 : t->target == RANDOM_1D ? 1 : 2); i++) {
            const float wide = between(a, 0.3f, 2.5f);
            p.origin[i] = -wide * between(a, 0.35f, 0.65f);
            p.dx[i] = i == 1 ? 0 : wide / SIDE;
            p.dy[i] = i == 1 ? wide / SIDE : 0;
        }
        p.level = (float)below(a, (uint32_t)texture_levels(t));
        p.level_dy = 0;
        struct operation draw = {
            .kind = OPERATION_DRAW,
            .integers = {FUNCTION_LOD, one_in(a, 2) ? (int)STAGE_FRAG : (int)below(a, RANDOM_STAGES), unit}};
        memcpy(draw.numbers, &p, sizeof(p));
        add(a, &draw);
    }
}

/*
 * Levels that nothing rounds, by two filters that differ: those that the shader gives, 0 most often, or the bounds of
 * the sampler's, and 0 outside of fragment shaders.
 */
static void add_whole(struct author *a)
{
    const int unit = (int)below(a, UNITS_ALONE), slot = (int)below(a, TEXTURES);
    const bool object = one_in(a, 2);
    int function, stage;
    if (!some_texture(
            a, slot,
            CHOICE(RANDOM_2D, RANDOM_2D, RANDOM_1D, RANDOM_3D, RANDOM_CUBE, RANDOM_2D_ARRAY, RANDOM_CUBE_ARRAY),
            ANY_FORMAT, CHOICE(1, 5)) ||
        !add_bound(a, unit, slot, object))
        return;
    const int holder = object ? a->machine.units[unit].sampler : slot;
    add_border(a, object, holder);
    for (int again = 3; again > 0; again--) {
        const bool linear = one_in(a, 2);
        for (int i = 0; i < 3; i++)
            set(a, object, holder, (enum random_parameter)(PARAMETER_WRAP_S + i), some_wrap(a));
        set(a, object, holder, PARAMETER_MAG_FILTER, linear ? GL_LINEAR : GL_NEAREST);
        set(a, object, holder, PARAMETER_MIN_FILTER,
            linear ? PICK(a, GL_NEAREST, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST_MIPMAP_LINEAR)
                   : PICK(a, GL_LINEAR, GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR_MIPMAP_LINEAR));
        const bool bounds = one_in(a, 3);
        const float most = bounds ? (float)PICK(a, 0, 0, 1, 2) : 1000;
        set_levels(a, object, holder, bounds && one_in(a, 2) ? most : -1000, most);
        if (!choose_draw(a, unit, &function, &stage))
            return;
        struct operation draw = {.kind = OPERATION_DRAW, .integers = {function, stage, unit}};
        struct lookup lookup;
        if (!bounds) {
            draw.integers[0] = one_in(a, 2) ? FUNCTION_LOD : FUNCTION_TEXTURE;
            draw.integers[1] = draw.integers[0] == FUNCTION_LOD ? (int)below(a, RANDOM_STAGES) : (int)STAGE_VERT;
            if (!machine_lookup(&a->machine, &draw, &lookup))
                continue;
        }
        const struct texture_state *t = &a->machine.textures[slot];
        struct parameters p = some_parameters(a, t, draw.integers[0]);
        if (draw.integers[0] == FUNCTION_LOD || draw.integers[0] == FUNCTION_LOD_OFFSET) {
            p.level = one_in(a, 2) ? 0 : (float)below(a, (uint32_t)texture_levels(t));
            p.level_dy = 0;
        }
        memcpy(draw.numbers, &p, sizeof(p));
        add(a, &draw);
    }
}

/*
 * Between two levels that the sampler's bounds leave: greatest and least ones that are not whole, in floats, whose
 * filters hide no share of a level. By two filters that differ, so that shaders filter: both, where there is no least
 * one above 0.
 */
static void add_bounds(struct author *a)
{
    const int unit = (int)below(a, UNITS_ALONE), slot = (int)below(a, TEXTURES);
    const bool object = one_in(a, 2);
    int format, function, stage;
    do
        format = some_format(a, false);
    while (random_formats[format].texels != TEXEL_FLOAT && random_formats[format].texels != TEXEL_HALF);
    if (!some_texture(a, slot, CHOICE(RANDOM_2D, RANDOM_2D, RANDOM_1D, RANDOM_3D, RANDOM_CUBE, RANDOM_2D_ARRAY), format,
                      CHOICE(5)) ||
        !add_bound(a, unit, slot, object))
        return;
    const int holder = object ? a->machine.units[unit].sampler : slot;
    add_border(a, object, holder);
    for (int again = 3; again > 0; again--) {
        const bool linear = one_in(a, 2);
        for (int i = 0; i < 3; i++)
            set(a, object, holder, (enum random_parameter)(PARAMETER_WRAP_S + i),
                one_in(a, 2) ? GL_CLAMP : some_wrap(a));
        set(a, object, holder, PARAMETER_MAG_FILTER, linear ? GL_LINEAR : GL_NEAREST);
        set(a, object, holder, PARAMETER_MIN_FILTER, linear ? GL_NEAREST_MIPMAP_LINEAR : GL_LINEAR_MIPMAP_LINEAR);
        const float least = one_in(a, 3) ? between(a, 0.1f, 1.4f) : -1000, most = between(a, 1.6f, 3.4f);
        set_levels(a, object, holder, least, most);
        if (!choose_draw(a, unit, &function, &stage))
            return;
        struct operation draw = {.kind = OPERATION_DRAW, .integers = {function, stage, unit}};
        if (!one_in(a, 3))
            draw.integers[0] = FUNCTION_LOD;
        struct parameters p = some_parameters(a, &a->machine.textures[slot], draw.integers[0]);
        if (draw.integers[0] == FUNCTION_LOD) {
            p.level = between(a, -1, 1);
            p.level_dy = 5.0f / SIDE;
        }
        memcpy(draw.numbers, &p, sizeof(p));
        add(a, &draw);
    }
}

static void add_again(struct author *a, uint64_t seed, uint64_t number)
{
    enum { PARTS = 4 };
    static void (*const parts[PARTS])(struct author *) = {add_compared, add_third, add_srgb, add_mirrored};
    a->state = 0xa0761d6478bd642fu + seed * 0xe7037ed1a0b428dbu + number * 0x8ebc6af09c88c6e3u;
    a->operations = OPERATIONS_AGAIN;
    a->draws_most = DRAWS_AGAIN;
    if (a->params->standard)
        return;
    add_submits(a);
    const uint32_t without = below(a, PARTS);
    for (uint32_t i = 0; i < PARTS; i++)
        if (i != without)
            parts[i](a);
    add_whole(a);
    a->operations = OPERATIONS_BOUNDS;
    a->draws_most = DRAWS_BOUNDS;
    add_bounds(a);
}

/*
 * The third end, likewise with a stream of its own: attachments side by side and without alpha, copies of what was
 * painted, and comparisons that always or never pass.
 */

/* Formats that lack alpha, which is there in memory, and have their channels in their places. */
static bool lacks_alpha(const struct format *f)
{
    return f->attachment && f->sample == SAMPLE_FLOAT && !f->ordered && f->vulkan_channels == 4 &&
           (f->base == GL_RGB || f->base == GL_RG || f->base == GL_RED);
}

static int some_attachment(struct author *a, bool without_alpha)
{
    const bool moved = !without_alpha && one_in(a, 4);
    for (;;) {
        const int i = (int)below(a, (uint32_t)random_format_count);
        const struct format *f = &random_formats[i];
        if (f->attachment && f->sample == SAMPLE_FLOAT && random_drawable.attachment[i] && format_moves(f) == moved &&
            (!without_alpha || lacks_alpha(f)))
            return i;
    }
}

/* Factors that read the destination's alpha, half of them. */
static uint32_t some_factor_of_alpha(struct author *a, bool source)
{
    if (one_in(a, 2))
        return some_factor(a, source, true);
    return source ? PICK(a, GL_DST_ALPHA, GL_ONE_MINUS_DST_ALPHA, GL_SRC_ALPHA_SATURATE)
                  : PICK(a, GL_DST_ALPHA, GL_ONE_MINUS_DST_ALPHA);
}

static void add_blend_of_alpha(struct author *a, int attachment)
{
    const struct blending b = careful(a, attachment);
    const bool on = !b.alone && !one_in(a, 6);
    uint32_t factors[4], equations[2];
    for (int i = 0; i < 4; i++)
        factors[i] = some_factor_of_alpha(a, i % 2 == 0);
    for (int i = 0; i < 2; i++)
        equations[i] = PICK(a, GL_FUNC_ADD, GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT);
    const int32_t mask = one_in(a, 4) ? (int32_t)below(a, 16) : 15;
    add(a, &(struct operation){.kind = OPERATION_BLEND,
                               .integers = {attachment, on, (int32_t)factors[0], (int32_t)factors[1],
                                            (int32_t)equations[0], (int32_t)factors[2], (int32_t)factors[3],
                                            (int32_t)equations[1], mask}});
}

/* Two attachments of one size, one of which lacks alpha; or that one alone. Then it is copied, and shown. */
static void add_attached(struct author *a)
{
    const int first = (int)below(a, TEXTURES - 1), second = first + 1, count = one_in(a, 4) ? 1 : 2;
    const int lacking = count == 1 ? 0 : (int)below(a, 2);
    const int width = (int)PICK(a, 3, 8, 16, 21), height = (int)PICK(a, 2, 8, 13, 16);
    for (int i = 0; i < count; i++) {
        const int format = some_attachment(a, i == lacking), seed = some_seed(a);
        if (!add(a, &(struct operation){.kind = OPERATION_TEXTURE,
                                        .integers = {first + i, RANDOM_2D, format, width, height, 1, 1, 1, seed}}))
            return;
    }
    if (!add(a, &(struct operation){.kind = OPERATION_TARGET, .integers = {count, first, 0, 0, second, 0, 0}}))
        return;
    const int cleared = (int)below(a, 2 * ATTACHMENTS);
    if (cleared < count) {
        struct operation clear = {.kind = OPERATION_CLEAR, .integers = {cleared}};
        some_colours(a, &clear, false, 4, -0.1f, 1.1f);
        add(a, &clear);
    }
    for (int again = 1 + (int)below(a, 2); again > 0; again--) {
        for (int i = 0; i < count; i++)
            add_blend_of_alpha(a, i);
        struct operation constant = {.kind = OPERATION_CONSTANT};
        some_colours(a, &constant, false, 4, 0, 1);
        add(a, &constant);
        add_colours(a, false, NULL);
    }
    show_attachments(a, count);
    /* The one that lacks alpha in another, with what is in the place of alpha. */
    const int from = first + lacking, to = first + count < TEXTURES ? first + count : first - 1;
    const struct texture_state *t = &a->machine.textures[from];
    const int format = (int)(t->format - random_formats), seed = some_seed(a);
    if (to < 0 ||
        !add(a, &(struct operation){.kind = OPERATION_TEXTURE,
                                    .integers = {to, RANDOM_2D, format, 8, 8, 1, 1, 1, seed}}) ||
        !add(a, &(struct operation){.kind = OPERATION_COPY, .integers = {from, to}}))
        return;
    add_border(a, false, to);
    for (int i = 0; i < 2; i++) {
        const uint32_t wrap = some_wrap(a);
        set(a, false, to, (enum random_parameter)(PARAMETER_WRAP_S + i), wrap);
    }
    if (add(a, &(struct operation){.kind = OPERATION_UNIT, .integers = {1, to, -1}}))
        add_draw(a, one_in(a, 2) ? FUNCTION_TEXTURE : FUNCTION_GATHER_ALPHA, STAGE_FRAG, 1);
}

/* Comparisons that never pass, and such as always do: at borders, and on all faces of cubes. */
static void add_constant_compared(struct author *a)
{
    const int unit = (int)below(a, UNITS_ALONE), slot = (int)below(a, TEXTURES);
    const bool object = one_in(a, 2);
    const enum random_target target =
        (enum random_target)PICK(a, RANDOM_2D, RANDOM_CUBE, RANDOM_CUBE, RANDOM_1D, RANDOM_2D_ARRAY, RANDOM_CUBE_ARRAY);
    int format, function, stage;
    do
        format = some_format(a, false);
    while (!random_formats[format].depth);
    const int levels = (int)PICK(a, 1, 3);
    if (!add_some(a, slot, target, format, levels) || !add_bound(a, unit, slot, object))
        return;
    const int holder = object ? a->machine.units[unit].sampler : slot;
    add_border(a, object, holder);
    for (int i = 0; i < 3; i++) {
        const uint32_t wrap = some_wrap(a);
        set(a, object, holder, (enum random_parameter)(PARAMETER_WRAP_S + i), wrap);
    }
    const uint32_t mag = PICK(a, GL_LINEAR, GL_NEAREST), seamless = below(a, 2);
    set(a, object, holder, PARAMETER_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    set(a, object, holder, PARAMETER_MAG_FILTER, mag);
    set(a, object, holder, PARAMETER_SEAMLESS, seamless);
    for (int again = 0; again < 2; again++) {
        const uint32_t compare = PICK(a, GL_NEVER, GL_ALWAYS, GL_LEQUAL);
        set(a, object, holder, PARAMETER_COMPARE_FUNC, compare);
        if (choose_draw(a, unit, &function, &stage))
            add_draw(a, function, stage, unit);
    }
}

static void add_last(struct author *a, uint64_t seed, uint64_t number)
{
    a->state = 0x589965cc75374cc3u + seed * 0x1d8e4e27c47d124fu + number * 0xeb44accab455d165u;
    a->operations = OPERATIONS_LAST;
    a->draws_most = DRAWS_LAST;
    if (a->params->standard)
        return;
    add_attached(a);
    add_constant_compared(a);
}

/*
 * The fourth end, with a stream of its own once more: several lookups of one shader, each in a state of its own, of
 * which one is bound to something else while the others stay.
 */

struct together {
    const struct random_together_shader *shader;
    int slots[TOGETHER_MOST], samplers[TOGETHER_MOST]; /* -1: the texture's own */
};

/* A texture for a lookup of the shader. */
static bool add_looked_up(struct author *a, int slot, const struct random_shader *s)
{
    for (int tries = 0; tries < 20; tries++) {
        const int levels = (int)PICK(a, 1, 1, 3, 5);
        int format;
        do
            format = some_format(a, false);
        while (random_formats[format].sample != s->type || random_formats[format].depth != s->shadow);
        if (add_some(a, slot, s->target, format, levels))
            return true;
    }
    return false;
}

static void add_state(struct author *a, const struct together *t, int unit)
{
    const bool object = t->samplers[unit] >= 0;
    const int holder = object ? t->samplers[unit] : t->slots[unit];
    add_border(a, object, holder);
    for (int i = 0; i < 3; i++) {
        const uint32_t wrap = some_wrap(a);
        set(a, object, holder, (enum random_parameter)(PARAMETER_WRAP_S + i), wrap);
    }
    const uint32_t min = PICK(a, GL_NEAREST, GL_LINEAR, GL_LINEAR, GL_LINEAR_MIPMAP_NEAREST, GL_NEAREST_MIPMAP_NEAREST,
                              GL_LINEAR_MIPMAP_LINEAR);
    const uint32_t mag = PICK(a, GL_NEAREST, GL_LINEAR), seamless = below(a, 2);
    set(a, object, holder, PARAMETER_MIN_FILTER, min);
    set(a, object, holder, PARAMETER_MAG_FILTER, mag);
    set(a, object, holder, PARAMETER_SEAMLESS, seamless);
    if (!t->shader->lookups[unit].shadow)
        return;
    const uint32_t compare = PICK(a, GL_LESS, GL_LEQUAL, GL_GREATER, GL_GEQUAL);
    set(a, object, holder, PARAMETER_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    set(a, object, holder, PARAMETER_COMPARE_FUNC, compare);
}

static bool bind_unit(struct author *a, const struct together *t, int unit)
{
    return add(a, &(struct operation){.kind = OPERATION_UNIT, .integers = {unit, t->slots[unit], t->samplers[unit]}});
}

/* All of them by one shader. False: one cannot be drawn, or there is no room. */
static bool draw_together(struct author *a, const struct together *t)
{
    const int count = t->shader->count;
    struct operation draws[TOGETHER_MOST];
    struct lookup lookup;
    for (int i = 0; i < count; i++) {
        const struct random_shader *s = &t->shader->lookups[i];
        draws[i] = (struct operation){.kind = OPERATION_DRAW, .integers = {(int32_t)s->function, (int32_t)s->stage, i}};
        if (!machine_lookup(&a->machine, &draws[i], &lookup) || lookup.shadow != s->shadow)
            return false;
        const struct parameters p = some_parameters(a, &a->machine.textures[t->slots[i]], (int)s->function);
        memcpy(draws[i].numbers, &p, sizeof(p));
    }
    if (a->draws + count > (int)a->draws_most || a->program->count + (uint32_t)count >= a->operations)
        return false;
    add(a, &(struct operation){.kind = OPERATION_TOGETHER, .integers = {(int32_t)t->shader->form}});
    for (int i = 0; i < count; i++)
        add(a, &draws[i]);
    return true;
}

/* One unit shows another texture, or its own in another state. */
static void rebind(struct author *a, struct together *t)
{
    const enum random_together form = t->shader->form;
    const int unit = (int)below(a, (uint32_t)t->shader->count);
    const bool object = t->samplers[unit] >= 0;
    const int holder = object ? t->samplers[unit] : t->slots[unit];
    const uint32_t what = below(a, 5);
    if (what == 0) {
        add_border(a, object, holder);
    } else if (what == 1) {
        for (int i = 0; i < 3; i++) {
            const uint32_t wrap = some_wrap(a);
            set(a, object, holder, (enum random_parameter)(PARAMETER_WRAP_S + i), wrap);
        }
    } else if (what == 2 && form != TOGETHER_IMAGES) { /* another sampler */
        if (object)
            add(a, &(struct operation){.kind = OPERATION_SAMPLER, .integers = {holder}});
        add_state(a, t, unit);
    } else if (form != TOGETHER_SAMPLERS) { /* another texture */
        int slot = t->slots[unit];
        for (bool taken = true; taken;) {
            slot = (slot + 1) % TEXTURES;
            taken = false;
            for (int i = 0; i < t->shader->count; i++)
                taken |= t->slots[i] == slot;
        }
        if (!add_looked_up(a, slot, &t->shader->lookups[unit]))
            return;
        t->slots[unit] = slot;
        if (!object)
            add_state(a, t, unit);
        bind_unit(a, t, unit);
    } else {
        add_state(a, t, unit);
    }
}

static void add_together(struct author *a, enum random_together form)
{
    size_t first = 0, rows = 0;
    for (size_t i = 0; i < random_together_count; i++) {
        first += random_togethers[i].form < form;
        rows += random_togethers[i].form == form;
    }
    struct together t = {.shader = &random_togethers[first + below(a, (uint32_t)rows)]};
    const int slot = (int)below(a, TEXTURES), sampler = (int)below(a, SAMPLERS), ways = (int)below(a, 3);
    for (int i = 0; i < t.shader->count; i++) {
        const bool object = form == TOGETHER_SAMPLERS || form == TOGETHER_IMAGES || ways == 0 || (ways == 1 && i == 1);
        t.slots[i] = form == TOGETHER_SAMPLERS ? slot : (slot + i) % TEXTURES;
        t.samplers[i] = !object ? -1 : form == TOGETHER_IMAGES ? sampler : (sampler + i) % SAMPLERS;
        if ((i == 0 || form != TOGETHER_SAMPLERS) && !add_looked_up(a, t.slots[i], &t.shader->lookups[i]))
            return;
        if (object && (i == 0 || form != TOGETHER_IMAGES))
            add(a, &(struct operation){.kind = OPERATION_SAMPLER, .integers = {t.samplers[i]}});
        if (i == 0 || form != TOGETHER_IMAGES)
            add_state(a, &t, i);
        bind_unit(a, &t, i);
    }
    for (int again = 0; again < 3; again++) {
        if (again) {
            if (one_in(a, 2)) {
                const bool views = one_in(a, 4), samplers = one_in(a, 4);
                add(a, &(struct operation){.kind = OPERATION_SUBMIT, .integers = {views, samplers}});
            }
            rebind(a, &t);
        }
        draw_together(a, &t);
    }
}

static void add_fourth(struct author *a, uint64_t seed, uint64_t number)
{
    a->state = 0x2f0b4c47a3e7d9c1u + seed * 0x9fb21c651e98df25u + number * 0xd6e8feb86659fd93u;
    a->operations = OPERATIONS_MAX;
    a->draws_most = (uint32_t)a->draws + DRAWS_MAX - DRAWS_LAST;
    if (a->params->standard || a->params->alone)
        return;
    /* In a command buffer of their own, whose draws the layer counts. */
    add(a, &(struct operation){.kind = OPERATION_SUBMIT});
    add_together(a, (enum random_together)((number + seed) % RANDOM_TOGETHERS));
}

/* The turn of a bit of `bits`: each has its turn before one comes again. */
static uint32_t in_turn(uint32_t bits, uint64_t turn)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < 32; i++)
        count += bits >> i & 1;
    uint64_t skipped = turn % count;
    for (uint32_t i = 0;; i++)
        if (bits >> i & 1 && skipped-- == 0)
            return i;
}

void program_generate(struct program *program, uint64_t seed, uint64_t number, const struct generate_params *params)
{
    enum { TOGETHER = 2 }; /* programs of one manner: opening devices takes its time */
    const uint64_t turn = number / TOGETHER;
    struct author a = {.program = program,
                       .params = params,
                       .operations = OPERATIONS_FIRST,
                       .draws_most = DRAWS_FIRST,
                       .state = seed * 0x2545f4914f6cdd1du + number / TOGETHER};
    *program = (struct program){.seed = seed};
    program->manner.binding = (enum random_binding)in_turn(params->bindings, turn);
    program->manner.pipelines = (enum random_pipelines)in_turn(params->pipelines, turn / 2 + seed);
    program->manner.through = params->standard ? THROUGH_STANDARD : one_in(&a, 6) ? THROUGH_MODES : THROUGH_GL;
    program->manner.render_pass = one_in(&a, 2) && program->manner.pipelines != PIPELINES_OBJECTS;
    program->manner.secondary = one_in(&a, 3);
    /* Seeds are not a step of random_next() apart: the streams of two would be one. */
    a.state = 0x9e3779b97f4a7c15u + (seed - 1) * 0xd1342543de82ef95u + number;
    machine_init(&a.machine);
    a.paints = !params->standard && one_in(&a, 4);
    for (int i = 0; i < TEXTURES; i++) {
        const bool moved =
            (a.paints ? i < TEXTURES - 2 : i == 0 && one_in(&a, 2)) && !params->standard && add_moved_texture(&a, i);
        for (int tries = 0; !moved && tries < 10 && !add_texture(&a, i); tries++)
            ;
        add_border(&a, false, i);
        for (int k = 2 + (int)below(&a, 5); k > 0; k--)
            add_parameter(&a, false, i);
    }
    for (int i = 0; i < SAMPLERS; i++) {
        if (one_in(&a, 2))
            continue;
        add(&a, &(struct operation){.kind = OPERATION_SAMPLER, .integers = {i}});
        add_border(&a, true, i);
        for (int k = 2 + (int)below(&a, 5); k > 0; k--)
            add_parameter(&a, true, i);
    }
    for (int turns = 0; turns < 60 && program->count < OPERATIONS_FIRST - 12; turns++) {
        if (a.paints ? !one_in(&a, 6) : one_in(&a, 4))
            add_paint(&a);
        else
            add_draws(&a);
        if (one_in(&a, 5) && !(a.paints && add_moved_texture(&a, (int)below(&a, TEXTURES))))
            add_texture(&a, (int)below(&a, TEXTURES));
    }
    add_end(&a, seed, number);
    add_again(&a, seed, number);
    add_last(&a, seed, number);
    add_fourth(&a, seed, number);
}
