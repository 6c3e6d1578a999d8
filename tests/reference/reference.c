/* SPDX-License-Identifier: MIT */
#include "reference.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "cube.h"
#include "wrap.h"

#define MOST_BIAS 16.0f      /* levels: GL_MAX_TEXTURE_LOD_BIAS where the sampler names no other */
#define MAX_CANDIDATES 3     /* of one axis */
#define UNTELLABLE 0.25      /* texels: an error at which more than one texel boundary comes into reach */
#define FLOAT_PRECISION 2e-7 /* of a coordinate's product with the size, relative */

const struct reference_precision reference_hardware = {1.0f / 512, 1.0f / 64, 1.0f / 128, 1.0f / 256, false, false};

/* One lookup, with all that stays the same from level to level. */
struct job {
    bool whole_footprint; /* reduction modes: texels without a share count too */
    float least_share;    /* reduction modes: texels with less do not count */
    const struct reference_texture *texture;
    const struct reference_sampler *sampler;
    const struct reference_lookup *lookup;
    const struct reference_precision *precision;
    int axes;
    int32_t layer;
    bool compares;
    bool integer;
    bool undefined;
    bool cube, seamless;
    struct reference_cube_place place; /* cubes */
    int corner; /* what stands where no texel is: 0 the mean of the three around it, 1..3 one of them */
};

/* A value and the range around it. */
struct range {
    union reference_color value, low, high;
};

/* The taps of one axis: the ideal one first, then those at the ends of the coordinate's uncertainty. */
struct axis {
    struct reference_tap tap[MAX_CANDIDATES + 1];
    int count;
};

static int axes_of(enum reference_target target)
{
    switch (target) {
    case REFERENCE_1D:
    case REFERENCE_1D_ARRAY:
        return 1;
    case REFERENCE_3D:
        return 3;
    default:
        return 2;
    }
}

static int32_t size_of(const struct reference_level *level, int axis)
{
    return axis == 0 ? level->width : axis == 1 ? level->height : level->depth;
}

static bool compare(uint32_t func, float reference, float depth)
{
    switch (func) {
    case 0x0200:
        return false;
    case 0x0201:
        return reference < depth;
    case 0x0202:
        return reference == depth;
    case 0x0203:
        return reference <= depth;
    case 0x0204:
        return reference > depth;
    case 0x0205:
        return reference != depth;
    case 0x0206:
        return reference >= depth;
    default:
        assert(func == 0x0207);
        return true;
    }
}

/* Through the view: base format, depth mode and swizzle. */
static union reference_color seen(const struct job *job, const enum reference_select select[4],
                                  const union reference_color *color)
{
    const union reference_color one = {.f = {1.0f}};
    union reference_color result = *color;
    for (int c = 0; c < 4; c++) {
        if (select[c] >= REFERENCE_SELECT_R)
            result.u[c] = color->u[select[c] - REFERENCE_SELECT_R];
        else if (select[c] != REFERENCE_SELECT_SAME)
            result.u[c] = select[c] == REFERENCE_SELECT_ZERO ? 0 : job->integer ? 1 : one.u[0];
    }
    return result;
}

static union reference_color compared(const struct job *job, float depth)
{
    float reference = job->lookup->reference;
    if (job->texture->kind == REFERENCE_DEPTH_UNORM) {
        reference = fminf(fmaxf(reference, 0.0f), 1.0f);
        depth = fminf(fmaxf(depth, 0.0f), 1.0f); /* the border is a depth like any other */
    }
    float passes = compare(job->sampler->compare_func, reference, depth) ? 1.0f : job->texture->compare_fail;
    return (union reference_color){.f = {passes, 0.0f, 0.0f, 1.0f}};
}

static union reference_color read_texel(const struct job *job, const struct reference_level *level, int32_t layer,
                                        int32_t x, int32_t y, int32_t z)
{
    const int32_t place[3] = {x, y, z};
    size_t index = (size_t)layer;
    for (int axis = 2; axis >= 0; axis--) {
        const int32_t border = job->texture->bordered && axis < job->axes ? 1 : 0;
        index = index * (size_t)(size_of(level, axis) + 2 * border) + (size_t)(place[axis] + border);
    }
    union reference_color texel = level->texels[index];
    if (job->compares)
        texel = compared(job, texel.f[0]);
    return seen(job, job->texture->select, &texel);
}

static union reference_color read_beyond_edge(const struct job *job, const struct reference_level *level, int32_t x,
                                              int32_t y)
{
    const int32_t first = job->layer - job->place.face, last = level->width - 1;
    const int32_t inside[2] = {x < 0 ? 0 : x > last ? last : x, y < 0 ? 0 : y > last ? last : y};
    const int32_t around[3][2] = {{inside[0], inside[1]}, {x, inside[1]}, {inside[0], y}};
    int32_t face = job->place.face, place[2] = {x, y};
    if (reference_cube_neighbour(level->width, &face, &place[0], &place[1]))
        return read_texel(job, level, first + face, place[0], place[1], 0);
    union reference_color mean = {.f = {0.0f, 0.0f, 0.0f, 0.0f}};
    for (int i = 0; i < 3; i++) {
        face = job->place.face;
        memcpy(place, around[i], sizeof(place));
        reference_cube_neighbour(level->width, &face, &place[0], &place[1]);
        union reference_color one = read_texel(job, level, first + face, place[0], place[1], 0);
        if (job->corner == i + 1)
            return one;
        for (int c = 0; c < 4; c++)
            mean.f[c] += one.f[c] / 3;
    }
    return mean;
}

static bool is_off(int32_t i, int32_t size)
{
    return i < 0 || i >= size;
}

static union reference_color fetch(const struct job *job, const struct reference_level *level, int32_t x, int32_t y,
                                   int32_t z)
{
    const bool beside = is_off(x, level->width) || is_off(y, level->height);
    if (job->seamless && beside)
        return read_beyond_edge(job, level, x, y);
    if ((beside || is_off(z, level->depth)) && !job->texture->bordered) {
        if (!job->compares)
            return seen(job, job->texture->border_select, &job->sampler->border);
        union reference_color border = compared(job, job->sampler->border.f[0]);
        return seen(job, job->texture->select, &border);
    }
    return read_texel(job, level, job->layer, x, y, z);
}

static void extend(struct range *range, const union reference_color *value, const struct job *job)
{
    for (int c = 0; c < 4; c++) {
        if (job->texture->kind == REFERENCE_UINT) {
            range->low.u[c] = value->u[c] < range->low.u[c] ? value->u[c] : range->low.u[c];
            range->high.u[c] = value->u[c] > range->high.u[c] ? value->u[c] : range->high.u[c];
        } else if (job->integer) {
            range->low.i[c] = value->i[c] < range->low.i[c] ? value->i[c] : range->low.i[c];
            range->high.i[c] = value->i[c] > range->high.i[c] ? value->i[c] : range->high.i[c];
        } else {
            range->low.f[c] = fminf(range->low.f[c], value->f[c]);
            range->high.f[c] = fmaxf(range->high.f[c], value->f[c]);
        }
    }
}

static uint32_t wrap_of(const struct job *job, int axis)
{
    return job->seamless ? REFERENCE_SEAMLESS : job->sampler->wrap[axis];
}

/* The coordinate of an axis in texels of the level, unwrapped, and its uncertainty. */
static double texel_coordinate(struct job *job, const struct reference_level *level, int axis, int32_t offset,
                               double *uncertainty)
{
    double u = job->cube ? job->place.st[axis] : job->lookup->coordinate[axis];
    if (isnan(u)) {
        job->undefined = true;
        u = 0.0;
    }
    if (job->texture->target != REFERENCE_RECTANGLE)
        u *= size_of(level, axis);
    uint32_t wrap = wrap_of(job, axis);
    *uncertainty = job->precision->texel + fabs(u) * FLOAT_PRECISION;
    if (!(*uncertainty < UNTELLABLE)) {
        /* The other modes have clamped such a coordinate long before. */
        if (wrap == REFERENCE_REPEAT || wrap == REFERENCE_MIRRORED_REPEAT)
            job->undefined = true;
        *uncertainty = 0.0;
    }
    return u + offset;
}

typedef struct reference_tap (*wrap_function)(uint32_t mode, double u, int32_t size);

/*
 * The value is piecewise linear in each coordinate, or constant under the nearest filter. Its kinks and steps are at
 * multiples of half a texel, of which the uncertainty meets one at most; so its extremes are at the ends or there.
 */
static void find_taps(struct job *job, const struct reference_level *level, int number, int32_t offset,
                      wrap_function wrap, struct axis *axis)
{
    if (number >= job->axes) {
        axis->count = 1;
        axis->tap[0] = (struct reference_tap){0, 0, 0.0f};
        return;
    }
    double uncertainty;
    double u = texel_coordinate(job, level, number, offset, &uncertainty);
    uint32_t mode = wrap_of(job, number);
    int32_t size = size_of(level, number);
    axis->tap[0] = wrap(mode, u, size);
    axis->count = 1;
    if (uncertainty <= 0.0)
        return;
    double points[MAX_CANDIDATES] = {u - uncertainty, u + uncertainty, floor(u * 2.0 + 0.5) * 0.5};
    int count = fabs(points[2] - u) < uncertainty ? 3 : 2;
    for (int i = 0; i < count; i++) {
        struct reference_tap tap = wrap(mode, points[i], size);
        const struct reference_tap *ideal = &axis->tap[0];
        if (tap.i0 != ideal->i0 || tap.i1 != ideal->i1 || tap.weight < ideal->weight || tap.weight > ideal->weight)
            axis->tap[axis->count++] = tap;
    }
}

/* A texel joins with its share; the first sets what the reduction modes compare with. */
static void join(const struct job *job, union reference_color *sum, const union reference_color *texel, float weight,
                 bool first)
{
    for (int c = 0; c < 4; c++) {
        if (job->sampler->reduction == REFERENCE_AVERAGE)
            sum->f[c] += weight * texel->f[c];
        else if (first)
            sum->f[c] = texel->f[c];
        else
            sum->f[c] = job->sampler->reduction == REFERENCE_MINIMUM ? fminf(sum->f[c], texel->f[c])
                                                                     : fmaxf(sum->f[c], texel->f[c]);
    }
}

static union reference_color blend_taps(const struct job *job, const struct reference_level *level,
                                        const struct reference_tap *x, const struct reference_tap *y,
                                        const struct reference_tap *z)
{
    if (job->integer)
        return fetch(job, level, x->i0, y->i0, z->i0);
    union reference_color sum = {.f = {0.0f, 0.0f, 0.0f, 0.0f}};
    bool first = true;
    for (int corner = 0; corner < 1 << job->axes; corner++) {
        float weight = corner & 1 ? x->weight : 1.0f - x->weight;
        weight *= corner & 2 ? y->weight : 1.0f - y->weight;
        weight *= corner & 4 ? z->weight : 1.0f - z->weight;
        /* So that an infinite texel does not show where it has no share. */
        if (!(weight > job->least_share) && !job->whole_footprint)
            continue;
        union reference_color texel =
            fetch(job, level, corner & 1 ? x->i1 : x->i0, corner & 2 ? y->i1 : y->i0, corner & 4 ? z->i1 : z->i0);
        join(job, &sum, &texel, weight, first);
        first = false;
    }
    return sum;
}

/* ---- Cubic filters (Vulkan, "Texel Filtering": Catmull-Rom) ---- */

/* One axis of a footprint: four texels and their shares. */
struct cubic_axis {
    int32_t texel[4];
    float share[4];
    int count; /* 1: no axis of the texture */
};

static struct cubic_axis cubic_at(const struct job *job, const struct reference_level *level, int axis, double u)
{
    struct cubic_axis found = {.count = 1, .share = {1.0f}};
    if (axis >= job->axes)
        return found;
    const double t = reference_wrap_cubic(wrap_of(job, axis), u, size_of(level, axis), found.texel);
    const double shares[4] = {-0.5 * t + t * t - 0.5 * t * t * t, 1.0 - 2.5 * t * t + 1.5 * t * t * t,
                              0.5 * t + 2.0 * t * t - 1.5 * t * t * t, -0.5 * t * t + 0.5 * t * t * t};
    for (int i = 0; i < 4; i++)
        found.share[i] = (float)shares[i];
    found.count = 4;
    return found;
}

static union reference_color blend_cubic(const struct job *job, const struct reference_level *level,
                                         const struct cubic_axis axis[3])
{
    union reference_color sum = {.f = {0.0f, 0.0f, 0.0f, 0.0f}};
    bool first = true;
    for (int z = 0; z < axis[2].count; z++)
        for (int y = 0; y < axis[1].count; y++)
            for (int x = 0; x < axis[0].count; x++) {
                const float share = axis[0].share[x] * axis[1].share[y] * axis[2].share[z];
                if (!(fabsf(share) > job->least_share) && !job->whole_footprint)
                    continue;
                const union reference_color texel =
                    fetch(job, level, axis[0].texel[x], axis[1].texel[y], axis[2].texel[z]);
                join(job, &sum, &texel, share, first);
                first = false;
            }
    return sum;
}

/* The range is that of the coordinate's uncertainty each way: the filter is smooth. */
static struct range sample_cubic(struct job *job, const struct reference_level *level)
{
    struct cubic_axis near[3][3];
    for (int axis = 0; axis < 3; axis++) {
        double uncertainty = 0.0;
        const double u =
            axis < job->axes ? texel_coordinate(job, level, axis, job->lookup->offset[axis], &uncertainty) : 0.0;
        for (int way = 0; way < 3; way++)
            near[axis][way] = cubic_at(job, level, axis, u + (way == 1 ? -uncertainty : way == 2 ? uncertainty : 0.0));
    }
    struct range range;
    range.value = blend_cubic(job, level, (struct cubic_axis[]){near[0][0], near[1][0], near[2][0]});
    range.low = range.high = range.value;
    /* Of minima and maxima a texel without a share, or with less than hardware's last bit, may count or not. */
    const int variants = job->sampler->reduction != REFERENCE_AVERAGE ? 3 : 1;
    for (int i = 1; i < 27 * variants; i++) {
        job->whole_footprint = i / 27 == 1;
        job->least_share = i / 27 == 2 ? 1.0f / 256 : 0.0f;
        const union reference_color value =
            blend_cubic(job, level, (struct cubic_axis[]){near[0][i % 3], near[1][i / 3 % 3], near[2][i / 9 % 3]});
        extend(&range, &value, job);
    }
    job->whole_footprint = false;
    job->least_share = 0.0f;
    return range;
}

/* One level under one filter. */
static struct range sample_level(struct job *job, int32_t number, int linear)
{
    const struct reference_level *level = &job->texture->level[number];
    if (linear == 2 && !job->integer && !job->cube)
        return sample_cubic(job, level);
    wrap_function wrap = linear && !job->integer ? reference_wrap_linear : reference_wrap_nearest;
    struct axis axis[3];
    for (int i = 0; i < 3; i++)
        find_taps(job, level, i, job->lookup->offset[i], wrap, &axis[i]);
    struct range range;
    range.value = blend_taps(job, level, &axis[0].tap[0], &axis[1].tap[0], &axis[2].tap[0]);
    range.low = range.high = range.value;
    /* Section 8.13.1 recommends the mean where three faces meet; one of the three texels will do. */
    const int variants = job->seamless ? 4 : job->sampler->reduction != REFERENCE_AVERAGE ? 3 : 1;
    for (int variant = 0; variant < variants; variant++) {
        job->corner = job->seamless ? variant : 0;
        /*
         * A share of nothing, and one that is nothing but for rounding, are hard to tell: a texel with it may count.
         * And shares have 8 bits in hardware: a texel with less than the last bit may not.
         */
        job->whole_footprint = !job->seamless && variant == 1;
        job->least_share = !job->seamless && variant == 2 ? 1.0f / 256 : 0.0f;
        for (int z = 0; z < axis[2].count; z++)
            for (int y = 0; y < axis[1].count; y++)
                for (int x = 0; x < axis[0].count; x++) {
                    union reference_color value =
                        blend_taps(job, level, &axis[0].tap[x], &axis[1].tap[y], &axis[2].tap[z]);
                    extend(&range, &value, job);
                }
    }
    job->corner = 0;
    job->whole_footprint = false;
    job->least_share = 0.0f;
    return range;
}

static union reference_color mix(const struct job *job, const union reference_color *a, const union reference_color *b,
                                 float weight)
{
    union reference_color mixed = {.f = {0.0f, 0.0f, 0.0f, 0.0f}};
    join(job, &mixed, a, 1.0f - weight, true);
    join(job, &mixed, b, weight, false);
    return mixed;
}

static void merge(struct range *into, const struct range *range, const struct job *job)
{
    extend(into, &range->low, job);
    extend(into, &range->high, job);
}

/* 0: nearest, 1: linear, 2: cubic. */
static int is_linear(uint32_t filter)
{
    return filter >= REFERENCE_CUBIC ? 2 : (int)(filter & 1u); /* so OpenGL numbers them, with mipmaps and without */
}

/* Section 8.14.3: the level nearest to a level of detail; exactly between two it is the finer one. */
static int32_t nearest_level(const struct job *job, float lod)
{
    float last = (float)(job->texture->levels - 1);
    if (lod <= 0.5f)
        return 0;
    return lod > last ? (int32_t)last : (int32_t)ceilf(lod + 0.5f) - 1;
}

/* The coarser one, which Vulkan allows as well (section "LOD Operation and Image Level(s) Selection"). */
static int32_t coarser_nearest_level(const struct job *job, float lod)
{
    int32_t last = job->texture->levels - 1;
    if (lod < 0.5f)
        return 0;
    return lod > (float)last ? last : (int32_t)floorf(lod + 0.5f) < last ? (int32_t)floorf(lod + 0.5f) : last;
}

static struct range sample_mixture(struct job *job, int linear, float lod)
{
    float last = (float)(job->texture->levels - 1);
    if (lod >= last)
        return sample_level(job, (int32_t)last, linear);
    int32_t level = (int32_t)floorf(lod);
    float weight = lod - (float)level;
    struct range finer = sample_level(job, level, linear);
    if (!(weight > 0.0f))
        return finer;
    struct range coarser = sample_level(job, level + 1, linear);
    return (struct range){mix(job, &finer.value, &coarser.value, weight), mix(job, &finer.low, &coarser.low, weight),
                          mix(job, &finer.high, &coarser.high, weight)};
}

/* Between two levels: linear in the level of detail, with kinks at whole numbers. */
static struct range sample_between(struct job *job, int linear, float lod, float from, float to)
{
    struct range result = sample_mixture(job, linear, lod);
    float last = (float)(job->texture->levels - 1);
    to = fminf(to, last);
    for (float point = from; point < to; point = floorf(point) + 1.0f) {
        struct range other = sample_mixture(job, linear, point);
        merge(&result, &other, job);
    }
    struct range other = sample_mixture(job, linear, to);
    merge(&result, &other, job);
    return result;
}

static struct range sample_minified(struct job *job, float lod, float from, float to)
{
    uint32_t filter = job->sampler->min_filter;
    int linear = is_linear(filter);
    if (filter == REFERENCE_NEAREST || filter == REFERENCE_LINEAR || filter == REFERENCE_CUBIC)
        return sample_level(job, 0, linear);
    if (filter == REFERENCE_NEAREST_MIPMAP_LINEAR || filter == REFERENCE_LINEAR_MIPMAP_LINEAR ||
        filter == REFERENCE_CUBIC_MIPMAP_LINEAR)
        if (!job->integer)
            return sample_between(job, linear, lod, fmaxf(from, 0.0f), fmaxf(to, 0.0f));
    int32_t ideal = nearest_level(job, lod);
    struct range result = sample_level(job, ideal, linear);
    for (int32_t level = nearest_level(job, from); level <= coarser_nearest_level(job, to); level++)
        if (level != ideal) {
            struct range other = sample_level(job, level, linear);
            merge(&result, &other, job);
        }
    return result;
}

/* Section 8.15: where LINEAR magnifies and a NEAREST_MIPMAP filter minifies, the switch-over point may be 1/2. */
static float latest_switch_over(const struct job *job)
{
    uint32_t min = job->sampler->min_filter;
    bool either = min == REFERENCE_NEAREST_MIPMAP_NEAREST || min == REFERENCE_NEAREST_MIPMAP_LINEAR;
    return job->precision->switch_over && either && is_linear(job->sampler->mag_filter) ? 0.5f : 0.0f;
}

/* A level of detail and the range in which implementations may see it. */
struct lod {
    float value, from, to;
    bool computed;
};

/* Section 8.14.1: lengths of the derivatives in texels of the base level. */
static struct lod computed_lod(const struct job *job)
{
    double squares[2] = {0.0, 0.0};
    double greatest = 0.0, sum = 0.0, ddx[3], ddy[3];
    for (int axis = 0; axis < 3; axis++) {
        ddx[axis] = job->lookup->ddx[axis];
        ddy[axis] = job->lookup->ddy[axis];
    }
    if (job->cube) {
        const float *p = job->lookup->coordinate;
        const double direction[3] = {p[0], p[1], p[2]};
        reference_cube_derivatives(job->place.face, direction, job->lookup->ddx, ddx);
        reference_cube_derivatives(job->place.face, direction, job->lookup->ddy, ddy);
    }
    for (int axis = 0; axis < job->axes; axis++) {
        double scale = job->texture->target == REFERENCE_RECTANGLE ? 1.0 : size_of(&job->texture->level[0], axis);
        double dx = ddx[axis] * scale, dy = ddy[axis] * scale;
        squares[0] += dx * dx;
        squares[1] += dy * dy;
        double longer = fmax(fabs(dx), fabs(dy));
        greatest = fmax(greatest, longer);
        sum += longer;
    }
    struct lod lod = {.computed = true};
    lod.value = (float)(0.5 * log2(fmax(squares[0], squares[1])));
    float tolerance = job->precision->lod;
    lod.from = (job->precision->approximate_rho ? (float)log2(greatest) : lod.value) - tolerance;
    lod.to = (job->precision->approximate_rho ? (float)log2(sum) : lod.value) + tolerance;
    return lod;
}

static float clamped(float value, float low, float high)
{
    return !(value > low) ? low : value > high ? high : value; /* NaN: low */
}

/* With all biases, before it is clamped. */
static struct lod unclamped_lod(const struct job *job)
{
    const struct reference_sampler *sampler = job->sampler;
    const struct reference_lookup *lookup = job->lookup;
    struct lod lod;
    if (lookup->operation == REFERENCE_LOD) {
        float fraction = job->precision->lod_fraction;
        lod = (struct lod){lookup->lod, lookup->lod - fraction, lookup->lod + fraction, false};
    } else {
        lod = computed_lod(job);
    }
    float bias = sampler->lod_bias + (lookup->operation == REFERENCE_IMPLICIT ? lookup->bias : 0.0f);
    const float most = sampler->most_bias > 0 ? sampler->most_bias : MOST_BIAS;
    bias = clamped(bias, -most, most);
    lod.value += bias;
    lod.from += bias;
    lod.to += bias;
    return lod;
}

static struct lod lod_of(const struct job *job)
{
    const struct reference_sampler *sampler = job->sampler;
    const struct reference_lookup *lookup = job->lookup;
    struct lod lod = unclamped_lod(job);
    float low = fmaxf(fminf(sampler->min_lod, sampler->max_lod), 0.0f);
    if (lookup->operation == REFERENCE_IMPLICIT || lookup->operation == REFERENCE_GRAD)
        low = fmaxf(low, lookup->min_lod);
    float high = fmaxf(fmaxf(sampler->min_lod, sampler->max_lod), 0.0f);
    lod.value = clamped(lod.value, low, high);
    lod.from = clamped(lod.from, low, high);
    lod.to = clamped(lod.to, low, high);
    return lod;
}

/* Sections 8.14.1 and 8.15, as the shading language's textureQueryLod gives them. */
static struct range query_lod(const struct job *job)
{
    const struct lod all = unclamped_lod(job), lod = lod_of(job);
    const uint32_t filter = job->sampler->min_filter;
    const float last = (float)(job->texture->levels - 1);
    struct range range = {
        .value = {.f = {0, all.value, 0, 1}}, .low = {.f = {0, all.from, 0, 1}}, .high = {.f = {0, all.to, 0, 1}}};
    if (filter == REFERENCE_NEAREST || filter == REFERENCE_LINEAR || filter == REFERENCE_CUBIC)
        return range;
    const bool between = filter == REFERENCE_NEAREST_MIPMAP_LINEAR || filter == REFERENCE_LINEAR_MIPMAP_LINEAR ||
                         filter == REFERENCE_CUBIC_MIPMAP_LINEAR;
    range.value.f[0] = between && !job->integer ? fminf(lod.value, last) : (float)nearest_level(job, lod.value);
    range.low.f[0] = between && !job->integer ? fminf(lod.from, last) : (float)nearest_level(job, lod.from);
    range.high.f[0] = between && !job->integer ? fminf(lod.to, last) : (float)coarser_nearest_level(job, lod.to);
    return range;
}

static struct range sample_filtered(struct job *job, float *lod_used)
{
    struct lod lod = lod_of(job);
    *lod_used = lod.value;
    const float least_level = job->texture->least_level, last = (float)(job->texture->levels - 1);
    if (least_level > 0)
        return sample_minified(job, fmaxf(fminf(lod.value, last), least_level),
                               fmaxf(fminf(lod.from, last), least_level), fmaxf(fminf(lod.to, last), least_level));
    bool magnified = lod.value <= 0.0f;
    /* A given level of detail is exact enough to tell which side of the switch-over point it is on, but for its last
     * bit, and so is a bound. */
    float least = (lod.computed ? lod.from : lod.value) - job->precision->lod_bit;
    bool may_magnify = least <= latest_switch_over(job);
    bool may_minify = (lod.computed ? lod.to : lod.value) > 0.0f;
    struct range magnifying, minifying;
    if (may_magnify)
        magnifying = sample_level(job, 0, is_linear(job->sampler->mag_filter));
    if (may_minify)
        minifying = sample_minified(job, lod.value, lod.from, lod.to);
    if (!may_minify)
        return magnifying;
    if (!may_magnify)
        return minifying;
    if (magnified) {
        merge(&magnifying, &minifying, job);
        return magnifying;
    }
    merge(&minifying, &magnifying, job);
    return minifying;
}

/* One texel of a gather: `right` and `upper` say which of the two in s and t. */
static struct range gather_texel(struct job *job, const int32_t offset[2], bool right, bool upper)
{
    const struct reference_level *level = &job->texture->level[0];
    struct axis axis[2];
    for (int i = 0; i < 2; i++)
        find_taps(job, level, i, offset[i], reference_wrap_gather, &axis[i]);
    struct range range;
    for (int y = 0; y < axis[1].count; y++)
        for (int x = 0; x < axis[0].count; x++) {
            const struct reference_tap *s = &axis[0].tap[x], *t = &axis[1].tap[y];
            const int32_t i = right ? s->i1 : s->i0, j = upper ? t->i1 : t->i0;
            union reference_color texel = fetch(job, level, i, j, 0);
            /* Nothing says what is gathered from where three faces meet. */
            job->undefined |= job->seamless && is_off(i, level->width) && is_off(j, level->height);
            if (x + y == 0)
                range = (struct range){texel, texel, texel};
            else
                extend(&range, &texel, job);
        }
    return range;
}

/* Section 8.15.1 of the shading language: (i0,j1) (i1,j1) (i1,j0) (i0,j0). */
static struct range sample_gather(struct job *job)
{
    static const bool right[4] = {false, true, true, false}, upper[4] = {true, true, false, false};
    const struct reference_lookup *lookup = job->lookup;
    uint32_t component = job->compares ? 0 : lookup->component;
    struct range gathered;
    for (int i = 0; i < 4; i++) {
        struct range texel = lookup->has_offsets ? gather_texel(job, lookup->offsets[i], false, false)
                                                 : gather_texel(job, lookup->offset, right[i], upper[i]);
        gathered.value.u[i] = texel.value.u[component];
        gathered.low.u[i] = texel.low.u[component];
        gathered.high.u[i] = texel.high.u[component];
    }
    return gathered;
}

static void find_face(struct job *job)
{
    const float *p = job->lookup->coordinate;
    const double direction[3] = {p[0], p[1], p[2]};
    job->cube = true;
    job->seamless = job->sampler->seamless;
    job->undefined = !isfinite(p[0] + p[1] + p[2]) || !(fabsf(p[0]) + fabsf(p[1]) + fabsf(p[2]) > 0);
    if (!job->undefined)
        job->place = reference_cube_place(direction);
    if (job->texture->target == REFERENCE_CUBE_ARRAY)
        job->layer = 6 * (int32_t)clamped(rintf(job->lookup->layer), 0.0f, (float)(job->texture->layers / 6 - 1));
    job->layer += job->place.face;
}

static void sample_isotropic(const struct reference_texture *texture, const struct reference_sampler *sampler,
                             const struct reference_lookup *lookup, const struct reference_precision *precision,
                             struct reference_result *result)
{
    struct job job = {.texture = texture,
                      .sampler = sampler,
                      .lookup = lookup,
                      .precision = precision ? precision : &reference_hardware,
                      .axes = axes_of(texture->target)};
    job.integer = texture->kind == REFERENCE_INT || texture->kind == REFERENCE_UINT;
    job.compares =
        sampler->compare && (texture->kind == REFERENCE_DEPTH_UNORM || texture->kind == REFERENCE_DEPTH_FLOAT);
    if (texture->target == REFERENCE_1D_ARRAY || texture->target == REFERENCE_2D_ARRAY)
        job.layer = (int32_t)clamped(rintf(lookup->layer), 0.0f, (float)(texture->layers - 1));
    if (texture->target == REFERENCE_CUBE || texture->target == REFERENCE_CUBE_ARRAY)
        find_face(&job);

    result->lod = 0.0f;
    struct range range = lookup->operation == REFERENCE_GATHER      ? sample_gather(&job)
                         : lookup->operation == REFERENCE_QUERY_LOD ? query_lod(&job)
                                                                    : sample_filtered(&job, &result->lod);
    result->rgba = range.value;
    result->low = range.low;
    result->high = range.high;
    result->undefined = job.undefined;
}

/* ---- Anisotropy ---- */

/* EXT_texture_filter_anisotropic: the lengths of the footprint in texels, and which derivative is the longer one. */
struct footprint {
    double longer, shorter;
    const float *along;
};

static struct footprint footprint_of(const struct reference_texture *texture, const struct reference_lookup *lookup)
{
    double x = 0.0, y = 0.0;
    for (int axis = 0; axis < axes_of(texture->target); axis++) {
        const double scale = texture->target == REFERENCE_RECTANGLE ? 1.0 : size_of(&texture->level[0], axis);
        x += pow((double)lookup->ddx[axis] * scale, 2.0);
        y += pow((double)lookup->ddy[axis] * scale, 2.0);
    }
    x = sqrt(x);
    y = sqrt(y);
    return x >= y ? (struct footprint){x, y, lookup->ddx} : (struct footprint){y, x, lookup->ddy};
}

static void add_share(union reference_color *sum, const union reference_color *value, float share)
{
    for (int c = 0; c < 4; c++)
        sum->f[c] += value->f[c] * share;
}

/*
 * The average of `count` isotropic lookups along the longer derivative, at i / (count + 1) - 1/2 of it, each with the
 * level of detail of that derivative divided by their number.
 */
static void sample_probes(const struct reference_texture *texture, const struct reference_sampler *sampler,
                          const struct reference_lookup *lookup, const struct reference_precision *precision, int count,
                          const float *along, struct reference_result *result)
{
    *result = (struct reference_result){0};
    for (int i = 1; i <= count; i++) {
        struct reference_lookup probe = *lookup;
        struct reference_result one;
        for (int axis = 0; axis < 3; axis++) {
            probe.coordinate[axis] += along[axis] * ((float)i / (float)(count + 1) - 0.5f);
            probe.ddx[axis] /= (float)count;
            probe.ddy[axis] /= (float)count;
        }
        sample_isotropic(texture, sampler, &probe, precision, &one);
        add_share(&result->rgba, &one.rgba, 1.0f / (float)count);
        add_share(&result->low, &one.low, 1.0f / (float)count);
        add_share(&result->high, &one.high, 1.0f / (float)count);
        result->lod = one.lod;
        result->undefined |= one.undefined;
    }
}

/* As many as the footprint is longer than wide, and no more than it is texels long. */
static int count_of(const struct footprint *footprint, double precision, float most)
{
    const double ratio = footprint->longer / fmax(footprint->shorter, 1e-15);
    const double wanted = ceil(fmin(ratio, footprint->longer) * precision);
    return wanted > 1.0 ? (int)fmin(wanted, floor(fmin((double)most, 16.0))) : 1;
}

/* Where the derivatives leave two numbers of probes possible, either will do. */
static void sample_anisotropic(const struct reference_texture *texture, const struct reference_sampler *sampler,
                               const struct reference_lookup *lookup, const struct reference_precision *precision,
                               struct reference_result *result)
{
    const struct footprint footprint = footprint_of(texture, lookup);
    const int least = count_of(&footprint, 0.99, sampler->max_anisotropy),
              most = count_of(&footprint, 1.01, sampler->max_anisotropy);
    sample_probes(texture, sampler, lookup, precision, least, footprint.along, result);
    for (int count = least + 1; count <= most; count++) {
        struct reference_result other;
        sample_probes(texture, sampler, lookup, precision, count, footprint.along, &other);
        for (int c = 0; c < 4; c++) {
            result->low.f[c] = fminf(result->low.f[c], other.low.f[c]);
            result->high.f[c] = fmaxf(result->high.f[c], other.high.f[c]);
        }
    }
}

void reference_sample(const struct reference_texture *texture, const struct reference_sampler *sampler,
                      const struct reference_lookup *lookup, const struct reference_precision *precision,
                      struct reference_result *result)
{
    const bool cube = texture->target == REFERENCE_CUBE || texture->target == REFERENCE_CUBE_ARRAY;
    const bool integer = texture->kind == REFERENCE_INT || texture->kind == REFERENCE_UINT;
    const bool computed = lookup->operation == REFERENCE_IMPLICIT || lookup->operation == REFERENCE_GRAD;
    if (computed && sampler->max_anisotropy >= 2.0f && !cube && !integer && sampler->reduction == REFERENCE_AVERAGE)
        sample_anisotropic(texture, sampler, lookup, precision, result);
    else
        sample_isotropic(texture, sampler, lookup, precision, result);
}

bool reference_accepts(const struct reference_result *result, enum reference_kind kind,
                       const union reference_color *value, float tolerance, uint32_t channels)
{
    if (result->undefined)
        return true;
    for (int c = 0; c < 4; c++) {
        if (!(channels >> c & 1u))
            continue;
        bool inside;
        if (kind == REFERENCE_UINT)
            inside = value->u[c] >= result->low.u[c] && value->u[c] <= result->high.u[c];
        else if (kind == REFERENCE_INT)
            inside = value->i[c] >= result->low.i[c] && value->i[c] <= result->high.i[c];
        else
            inside = value->f[c] >= result->low.f[c] - tolerance && value->f[c] <= result->high.f[c] + tolerance;
        if (!inside)
            return false;
    }
    return true;
}
