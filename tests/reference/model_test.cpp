/* SPDX-License-Identifier: MIT */
/*
 * The layer's whole chain of thought without a GPU: resolve's driver sampler and record, and the arithmetic of shaders/
 * as it stands there, with the reference sampler in the place of an ideal Vulkan driver, against the reference sampler
 * as OpenGL.
 *
 * Random lookups, of cubes too; every disagreement is printed with all that is needed to repeat it. Small domains are
 * gone through whole: sRGB numbers, the flags of pairs. With a fault planted in the shaders (tests/faults), some
 * lookup has to be wrong.
 *
 * Usage: model_test [--planted | LOOKUPS [SEED]]
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "shader_model.hpp"

extern "C" {
#define _Static_assert static_assert
#include "reference/cube.h"
#include "reference/reference.h"
#include "need/need.h"
#include "resolve/resolve.h"
#include "unit/resolve_pair.h"
}

namespace
{
/* Wrap modes; the first five by the driver's numbers. */
const uint32_t wrap_modes[8] = {REFERENCE_REPEAT,          REFERENCE_MIRRORED_REPEAT,       REFERENCE_CLAMP_TO_EDGE,
                                REFERENCE_CLAMP_TO_BORDER, REFERENCE_MIRROR_CLAMP_TO_EDGE,  REFERENCE_CLAMP,
                                REFERENCE_MIRROR_CLAMP,    REFERENCE_MIRROR_CLAMP_TO_BORDER};
const uint32_t min_filters[6] = {REFERENCE_NEAREST,
                                 REFERENCE_LINEAR,
                                 REFERENCE_NEAREST_MIPMAP_NEAREST,
                                 REFERENCE_LINEAR_MIPMAP_NEAREST,
                                 REFERENCE_NEAREST_MIPMAP_LINEAR,
                                 REFERENCE_LINEAR_MIPMAP_LINEAR};
const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 16, 23, 29, 32, 41, 47};
const uint32_t rectangle_modes[3] = {REFERENCE_CLAMP, REFERENCE_CLAMP_TO_EDGE, REFERENCE_CLAMP_TO_BORDER};
enum { MOST_LEVELS = 6, GREATEST = 47, DEEPEST = 4 };

/*
 * Of a value. Everything is exact but for floats' rounding and the record's LOD range, which is rounded to 1/256; where
 * that is more than this, a rounded level is another level.
 */
const float tolerance = 0.004f;

uint64_t random_state;

uint32_t below(uint32_t bound)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return static_cast<uint32_t>(random_state >> 20) % bound;
}

float unit()
{
    return static_cast<float>(below(1u << 20)) / static_cast<float>(1u << 20);
}

union reference_color texels[MOST_LEVELS][GREATEST * GREATEST * DEEPEST * DEEPEST];

/* One lookup, and the device it happens on. */
struct scene {
    reference_texture texture;
    reference_sampler sampler;
    reference_lookup lookup;
    resolve_caps caps;
    bool unfilterable; /* by the driver; the shader does it */
    bool separate;     /* sampler and image are descriptors of their own */
    bool branch;       /* the form that looks up again only where the coordinate moved */
    int axes;
};

/* What resolve makes of it. */
struct resolution {
    resolved result;
    struct record record; /* as the shader sees it, with the border that it makes of two records' */
    uint32_t needs;
};

int axes_of(reference_target target)
{
    return target == REFERENCE_3D ? 3 : target == REFERENCE_1D || target == REFERENCE_1D_ARRAY ? 1 : 2;
}

bool has_offset(const reference_lookup &lookup)
{
    return lookup.has_offsets || lookup.offset[0] || lookup.offset[1] || lookup.offset[2];
}

/* As the rewriter tells the shader's record_filters. */
uint32_t conditions_of(const reference_lookup &lookup)
{
    return (has_offset(lookup) ? RECORD_FILTER_IF_OFFSET : 0u) |
           (lookup.operation == REFERENCE_GATHER ? RECORD_FILTER_IF_GATHER : 0u);
}

void choose_texture(scene &s)
{
    static const reference_target targets[] = {REFERENCE_1D,       REFERENCE_1D_ARRAY, REFERENCE_2D,
                                               REFERENCE_2D_ARRAY, REFERENCE_3D,       REFERENCE_RECTANGLE};
    reference_texture &t = s.texture;
    t.target = targets[below(6)];
    s.axes = axes_of(t.target);
    int size[3] = {1, 1, 1};
    for (int axis = 0; axis < s.axes; axis++)
        size[axis] = axis < 2 ? sizes[below(sizeof(sizes) / sizeof(*sizes))] : sizes[below(4)];
    bool array = t.target == REFERENCE_1D_ARRAY || t.target == REFERENCE_2D_ARRAY;
    t.layers = array ? 1 + static_cast<int>(below(DEEPEST)) : 1;
    int most = 1;
    while (most < MOST_LEVELS && (size[0] >> most || size[1] >> most || size[2] >> most))
        most++;
    t.levels =
        below(2) || t.target == REFERENCE_RECTANGLE ? 1 : 1 + static_cast<int>(below(static_cast<uint32_t>(most)));
    for (int i = 0; i < t.levels; i++)
        t.level[i] = {size[0] >> i ? size[0] >> i : 1, size[1] >> i ? size[1] >> i : 1, size[2] >> i ? size[2] >> i : 1,
                      texels[i]};
}

void choose_sampler(scene &s)
{
    reference_sampler &p = s.sampler;
    for (uint32_t &wrap : p.wrap)
        wrap = wrap_modes[below(3) ? 4 + below(4) : below(8)];
    bool rectangle = s.texture.target == REFERENCE_RECTANGLE;
    for (uint32_t &wrap : p.wrap)
        wrap = rectangle ? rectangle_modes[below(3)] : wrap;
    p.min_filter = min_filters[below(rectangle ? 2 : 6)];
    p.mag_filter = min_filters[below(2)];
    p.min_lod = below(4) ? -1000.0f : static_cast<float>(below(512)) / 256.0f;
    p.max_lod = below(4) ? 1000.0f : static_cast<float>(below(768)) / 256.0f;
    p.lod_bias = below(4)   ? 0.0f
                 : below(4) ? static_cast<float>(below(512)) / 256.0f - 1.0f
                 : below(4) ? static_cast<float>(below(8192)) / 256.0f - 16.0f
                            : static_cast<float>(below(25600)) / 256.0f - 50.0f;
    p.compare = below(8) == 0;
    p.compare_func = 0x0200 + below(8);
    if (!p.compare && below(6) == 0)
        p.reduction = below(2) ? REFERENCE_MINIMUM : REFERENCE_MAXIMUM;
    s.texture.kind = p.compare ? REFERENCE_DEPTH_UNORM : REFERENCE_FLOAT;
    for (float &channel : p.border.f)
        channel = unit();
}

void choose_lookup(scene &s)
{
    reference_lookup &l = s.lookup;
    l.operation = static_cast<reference_operation>(below(s.axes == 2 ? 4 : 3));
    bool offset = below(3) == 0;
    const reference_level &base = s.texture.level[0];
    const int size[3] = {base.width, base.height, base.depth};
    for (int axis = 0; axis < s.axes; axis++) {
        float n = static_cast<float>(size[axis]);
        /* Anywhere, or exactly where texels begin or have their centres. */
        float texel = static_cast<float>(static_cast<int>(below(static_cast<uint32_t>(8 * size[axis])))) / 2.0f - 2 * n;
        bool rectangle = s.texture.target == REFERENCE_RECTANGLE;
        l.coordinate[axis] = (below(2) ? unit() * 6.0f - 3.0f : texel / n) * (rectangle ? n : 1.0f);
        l.offset[axis] = offset ? static_cast<int>(below(16)) - 8 : 0;
        float scale = std::exp2(unit() * 6.0f - 3.0f) / (rectangle ? 1.0f : n);
        l.ddx[axis] = (unit() - 0.5f) * scale;
        l.ddy[axis] = (unit() - 0.5f) * scale;
    }
    l.layer = unit() * 5.0f - 1.0f;
    l.lod = unit() * 6.0f - 1.0f;
    l.bias =
        l.operation == REFERENCE_IMPLICIT && below(3) == 0 ? (unit() * 2.0f - 1.0f) * (below(4) ? 1.0f : 40.0f) : 0.0f;
    l.reference = unit() * 1.2f - 0.1f;
    l.component = s.sampler.compare ? 0 : below(4);
    l.has_offsets = l.operation == REFERENCE_GATHER && below(4) == 0;
    for (auto &each : l.offsets)
        for (int32_t &o : each)
            o = static_cast<int>(below(16)) - 8;
}

scene random_scene()
{
    scene s = {};
    choose_texture(s);
    choose_sampler(s);
    choose_lookup(s);
    s.caps.mirror_clamp_to_edge = below(2);
    s.caps.sampler_filter_minmax = below(2);
    s.caps.custom_border_color = s.caps.custom_border_color_without_format = true;
    static const float limits[] = {2.0f, 4.0f, 15.0f, 16.0f};
    s.caps.max_lod_bias = limits[below(4)];
    s.sampler.most_bias = resolve_most_lod_bias(s.caps.max_lod_bias);
    s.caps.max_anisotropy = 16.0f;
    s.caps.gl_fallback = RESOLVE_FALLBACK_NEAREST;
    s.unfilterable = below(8) == 0;
    if (s.unfilterable)
        s.caps.gl_fallback = RESOLVE_FALLBACK_SHADER;
    s.separate = below(3) == 0;
    s.branch = below(2);
    return s;
}

/* As layer/rewriter/spirv/operands/rewriting.c has them. */
float bias_limit(const scene &s)
{
    return std::fmin(s.caps.max_lod_bias, s.sampler.most_bias);
}

float all_biases(const scene &s, float bias, const shader::uvec4 &word)
{
    return shader::all_biases(bias, bias_limit(s), s.sampler.most_bias, word);
}

VkSamplerGLStateCreateInfoCLAMPLER gl_state(const reference_sampler &p)
{
    VkSamplerGLStateCreateInfoCLAMPLER gl = {};
    gl.wrapS = p.wrap[0];
    gl.wrapT = p.wrap[1];
    gl.wrapR = p.wrap[2];
    gl.minFilter = p.min_filter;
    gl.magFilter = p.mag_filter;
    gl.minLod = p.min_lod;
    gl.maxLod = p.max_lod;
    gl.lodBias = p.lod_bias;
    gl.compareMode = p.compare ? 0x884E : 0;
    gl.compareFunc = p.compare_func;
    gl.cubeMapSeamless = p.seamless;
    gl.reductionMode = p.reduction == REFERENCE_MINIMUM ? 0x8007 : p.reduction == REFERENCE_MAXIMUM ? 0x8008 : 0;
    std::memcpy(&gl.borderColor, p.border.f, sizeof(gl.borderColor));
    return gl;
}

view_facts facts_of(const reference_texture &t)
{
    static const VkImageViewType types[] = {
        VK_IMAGE_VIEW_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D_ARRAY, VK_IMAGE_VIEW_TYPE_2D,  VK_IMAGE_VIEW_TYPE_2D_ARRAY,
        VK_IMAGE_VIEW_TYPE_3D, VK_IMAGE_VIEW_TYPE_2D,       VK_IMAGE_VIEW_TYPE_CUBE};
    VkImageViewCreateInfo info = {};
    view_facts view;
    info.viewType = types[t.target];
    info.format = t.kind == REFERENCE_DEPTH_UNORM ? VK_FORMAT_D16_UNORM : VK_FORMAT_R8G8B8A8_UNORM;
    info.subresourceRange.aspectMask =
        t.kind == REFERENCE_DEPTH_UNORM ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
    view_facts_from_vk(&info, &view);
    view.width = static_cast<uint32_t>(t.level[0].width);
    view.height = static_cast<uint32_t>(t.level[0].height);
    view.depth = static_cast<uint32_t>(t.target == REFERENCE_3D ? t.level[0].depth : t.layers);
    view.levels = static_cast<uint8_t>(t.levels);
    view.linear = view.minmax = true;
    view.rectangle = t.target == REFERENCE_RECTANGLE;
    return view;
}

resolution resolve(const scene &s)
{
    VkSamplerGLStateCreateInfoCLAMPLER gl = gl_state(s.sampler);
    view_facts view = facts_of(s.texture);
    view.linear = view.minmax = !s.unfilterable;
    sampler_state state;
    const char *why;
    resolution r = {};
    if (!resolve_gl_state(&gl, 0, &s.caps, &state, &why)) {
        std::printf("refused: %s\n", why);
        std::exit(1);
    }
    resolve_pair(&state, &view, &s.caps, &r.result);
    r.record = r.result.record;
    r.needs = r.result.needs;
    if (s.separate) {
        struct record image;
        resolved alone;
        resolve_pair(&state, nullptr, &s.caps, &alone);
        r.record = alone.record;
        r.needs = alone.needs;
        r.needs |= resolve_image_record(&view, &s.caps, &image);
        uint32_t words[16], more[16];
        std::memcpy(words, &r.record, sizeof(words));
        std::memcpy(more, &image, sizeof(more));
        for (int i = 0; i < 4; i++)
            words[i] |= more[i];
        const shader::uvec4 border =
            shader::pair_border({words[4], words[5], words[6], words[7]}, {more[4], more[5], more[6], more[7]},
                                0x3f800000u, s.sampler.compare);
        const shader::uvec4 decided =
            shader::record_of_pair({words[0], words[1], words[2], words[3]}, {more[12], more[13], more[14], more[15]},
                                   {words[12], words[13], words[14], words[15]}, s.sampler.compare,
                                   s.texture.target == REFERENCE_CUBE, s.lookup.operation == REFERENCE_GATHER);
        const shader::uvec4 image_bounds = {more[8], more[9], more[10], more[11]};
        const shader::uvec4 bounds =
            shader::pair_bounds(decided, image_bounds, {words[8], words[9], words[10], words[11]});
        const shader::uvec4 rest = shader::pair_rest(decided, image_bounds, {more[12], more[13], more[14], more[15]},
                                                     {words[12], words[13], words[14], words[15]}, s.axes == 3);
        const shader::uvec4 quarters[] = {decided, border, bounds, rest};
        std::memcpy(words, quarters, sizeof(words));
        std::memcpy(&r.record, words, sizeof(words));
    }
    return r;
}

/* Must the host give this lookup's pipeline tier 2? A lower bound: it does not know which lookup meets which image. */
bool host_gives_filter(const scene &s, uint32_t needs)
{
    return needs & RECORD_NEED_FILTER || (needs & RECORD_NEED_FILTER_IF_OFFSET && has_offset(s.lookup)) ||
           (needs & RECORD_NEED_FILTER_IF_GATHER && s.lookup.operation == REFERENCE_GATHER) ||
           (needs & RECORD_NEED_FILTER_IF_MIPS && needs & RECORD_NEED_MIPS) ||
           (needs & RECORD_NEED_FILTER_IF_BIAS_OFFSET && has_offset(s.lookup) && s.lookup.bias != 0.0f) ||
           (needs & RECORD_NEED_LINEAR && needs & RECORD_NEED_UNFILTERABLE) ||
           (needs & RECORD_NEED_REDUCTION && needs & RECORD_NEED_NO_MINMAX) ||
           (needs & RECORD_NEED_BORDER && needs & RECORD_NEED_BORDER_OTHER);
}

shader::uvec4 quarter(const struct record &record, int number)
{
    uint32_t words[16];
    std::memcpy(words, &record, sizeof(words));
    return {words[4 * number], words[4 * number + 1], words[4 * number + 2], words[4 * number + 3]};
}

shader::vec3 three(const float *from)
{
    return {from[0], from[1], from[2]};
}

shader::ivec3 three(const int32_t *from, int count)
{
    return {from[0], from[1], count > 2 ? from[2] : 0};
}

/* What OpImageFetch gives for a tap. */
shader::vec4 fetch(const scene &s, const shader::Tap &tap, int layer)
{
    const reference_level &level = s.texture.level[tap.level];
    int y = s.axes > 1 ? tap.texel.y : 0, z = s.axes > 2 ? tap.texel.z : 0;
    if (tap.level < 0 || tap.level >= s.texture.levels || layer < 0 || layer >= s.texture.layers || tap.texel.x < 0 ||
        tap.texel.x >= level.width || y < 0 || y >= level.height || z < 0 || z >= level.depth) {
        std::printf("a fetch outside the image\n");
        std::exit(1);
    }
    const float *f =
        level.texels[((static_cast<size_t>(layer) * level.depth + z) * level.height + y) * level.width + tap.texel.x].f;
    return {f[0], f[1], f[2], f[3]};
}

/* Every other lookup is filtered without a loop: tap by tap of those that there may be. */
unsigned filtered_lookups;

/* The numbers of taps, in the order in which one loop, or one loop in another, meets them. */
struct tap_numbers {
    int count, number[16];
};

tap_numbers numbers_of(int left, int step, int levels_left, int corners)
{
    tap_numbers taps = {};
    for (int first = 0; levels_left != 0; first += corners, levels_left >>= 1) {
        for (int i = first, rest = left; rest != 0; i += step, rest >>= 1)
            taps.number[taps.count++] = i;
    }
    return taps;
}

/* A tap joins what was sampled before it. */
shader::vec4 joined(const scene &s, const shader::vec4 &before, const shader::vec4 &texel, float compared, float weight,
                    int tap, uint32_t reduction)
{
    shader::vec4 sum = before;
    if (s.lookup.operation == REFERENCE_GATHER)
        return s.sampler.compare ? shader::gather_add_result(sum, compared, tap)
                                 : shader::gather_add_float(sum, texel, static_cast<int>(s.lookup.component), tap);
    if (!s.sampler.compare)
        return shader::filter_reduce(sum, texel, weight, reduction);
    sum.x = shader::filter_add_result(sum.x, compared, weight);
    return sum;
}

/* Tier 2, as layer/rewriter/spirv/lookup/filter.c arranges the shader's functions. */
reference_color filtered(const scene &s, const struct record &record)
{
    const shader::uvec4 word = quarter(record, 0);
    const shader::uvec4 border = {record.border[0], record.border[1], record.border[2], record.border[3]};
    const reference_lookup &l = s.lookup;
    const bool gather = l.operation == REFERENCE_GATHER;
    const bool loop_free = filtered_lookups % 3 == 1, nested = filtered_lookups % 3 == 2;
    filtered_lookups++;
    const shader::vec3 place = three(l.coordinate);
    const shader::ivec3 offset = three(l.offset, 3);
    const int layer = s.texture.layers > 1 ? shader::filter_layer(l.layer, word) : 0;
    const uint32_t reduction = shader::record_reduction({0u, 0u, 0u, record.more});
    const bool moves = has_offset(l);
    const int corners = 1 << s.axes;
    shader::vec3 plan(0.0f);
    shader::vec4 sum(gather || s.sampler.compare ? shader::vec4(0.0f) : shader::filter_none(reduction));
    int left = 15, step = 1, levels_left = 1;
    const bool flat = s.axes == 2 && !moves; /* the library has functions for those, made of the others */
    if (!gather) {
        float lod = l.operation == REFERENCE_LOD ? l.lod
                    : flat ? shader::filter_flat_lod({l.ddx[0], l.ddx[1]}, {l.ddy[0], l.ddy[1]}, word)
                           : shader::filter_lod(three(l.ddx), three(l.ddy), word, s.axes);
        const float biases = all_biases(s, l.bias, word);
        plan = flat ? shader::filter_flat_plan(lod, biases, -1000.0f, word)
                    : shader::filter_plan(lod, biases, -1000.0f, false, word);
        left = loop_free ? (1 << 2 * corners) - 1
               : nested  ? shader::filter_corners_left(plan, s.axes)
                         : shader::filter_left(plan, s.axes);
        step = loop_free || nested ? 1 : shader::filter_step(plan, s.axes);
        levels_left = nested ? shader::filter_levels_left(plan) : 1;
    }
    const tap_numbers taps = numbers_of(left, step, levels_left, corners);
    for (int k = 0; k < taps.count; k++) {
        const int i = taps.number[k];
        const shader::Tap tap =
            gather ? shader::gather_tap(place, l.has_offsets ? three(l.offsets[i], 2) : offset, moves, l.has_offsets,
                                        word, 0, i)
            : loop_free && flat
                ? shader::filter_flat_corner({place.x, place.y}, plan, word, i & (corners - 1), i >= corners)
            : loop_free
                ? shader::filter_corner(place, offset, moves, plan, word, s.axes, i & (corners - 1), i >= corners)
            : flat ? shader::filter_flat_tap({place.x, place.y}, plan, word, i)
                   : shader::filter_tap(place, offset, moves, plan, word, s.axes, i);
        const shader::vec4 texel = shader::filter_texel_float(fetch(s, tap, layer), border, tap.border);
        const float reference = shader::clamp_reference(l.reference, word);
        const float compared = shader::filter_compare(texel.x, reference, word);
        sum = joined(s, sum, texel, compared, tap.weight, i, reduction);
    }
    return {{sum.x, sum.y, sum.z, sum.w}};
}

reference_sampler driver_sampler_of(const scene &s, const VkSamplerCreateInfo &info)
{
    reference_sampler p = s.sampler;
    p.wrap[0] = wrap_modes[info.addressModeU];
    p.wrap[1] = wrap_modes[info.addressModeV];
    p.wrap[2] = wrap_modes[info.addressModeW];
    p.mag_filter = info.magFilter == VK_FILTER_LINEAR ? REFERENCE_LINEAR : REFERENCE_NEAREST;
    p.min_filter = (info.mipmapMode == VK_SAMPLER_MIPMAP_MODE_LINEAR ? REFERENCE_NEAREST_MIPMAP_LINEAR
                                                                     : REFERENCE_NEAREST_MIPMAP_NEAREST) +
                   (info.minFilter == VK_FILTER_LINEAR);
    p.min_lod = info.minLod;
    p.max_lod = info.maxLod;
    p.lod_bias = info.mipLodBias;
    return p;
}

/* A driver that knows no rectangles, and whose sum of biases has a limit of its own. */
reference_color look_up(const scene &s, reference_sampler driver, reference_lookup lookup)
{
    reference_texture texture = s.texture;
    if (texture.target == REFERENCE_RECTANGLE)
        texture.target = REFERENCE_2D;
    const float limit = s.caps.max_lod_bias;
    driver.lod_bias = std::fmin(std::fmax(driver.lod_bias + lookup.bias, -limit), limit);
    lookup.bias = 0.0f;
    reference_result result;
    reference_sample(&texture, &driver, &lookup, nullptr, &result);
    return result.rgba;
}

void put(float *to, const shader::vec3 &v)
{
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

/* What tier 1 takes from a record, as layer/rewriter/spirv/lookup/bounds.c has it. */
struct tier1 {
    shader::uvec4 word, box, rest;
    shader::uvec2 third;
    shader::vec3 scale;
};

tier1 tier1_of(const scene &s, const struct record &record)
{
    const shader::uvec4 word = quarter(record, 0), rest = quarter(record, 3);
    const shader::vec2 scale = s.axes == 2 ? shader::record_scale(rest) : shader::vec2(1.0f);
    return {shader::record_normalized(word),
            shader::record_bounds(quarter(record, 2)),
            rest,
            shader::record_third(rest),
            {scale.x, scale.y, 1.0f}};
}

shader::vec3 bounded(const scene &s, const tier1 &t, const shader::vec3 &at)
{
    if (s.axes == 3)
        return shader::bounded_3(at, t.box, t.third);
    if (s.axes == 1)
        return {shader::bounded_1(at.x, t.box), at.y, at.z};
    const shader::vec2 place = shader::bounded_2({at.x, at.y}, t.box);
    return {place.x, place.y, at.z};
}

bool moves(const scene &s, const tier1 &t, const shader::vec3 &at)
{
    return s.axes == 3   ? shader::moves_3(at, t.box, t.third)
           : s.axes == 2 ? shader::moves_2({at.x, at.y}, t.box)
                         : shader::moves_1(at.x, t.box);
}

/* The coordinate that is looked up instead is another one exactly where the test says so. */
void check_test(const scene &s, const tier1 &t, const shader::vec3 &at)
{
    if (shader::any(shader::notEqual(bounded(s, t, at), at)) != moves(s, t, at)) {
        std::printf("a test that does not say whether the coordinate moves\n");
        std::exit(1);
    }
}

bool has_own_bias(const scene &s)
{
    return s.lookup.bias != 0.0f;
}

/* The lookup at another coordinate, as layer/rewriter/spirv/lookup/sample.c writes it. */
reference_color look_up_at(const scene &s, const reference_sampler &driver, const tier1 &t, const shader::vec3 &place)
{
    reference_lookup l = s.lookup;
    const float rest = has_own_bias(s) ? shader::bias_rest(l.bias, bias_limit(s), s.sampler.most_bias, t.word)
                                       : l.bias + shader::uintBitsToFloat(t.rest.z);
    const float gradient = shader::gradient_scale(rest);
    l.has_offsets = false;
    std::memset(l.offset, 0, sizeof(l.offset));
    put(l.coordinate, place);
    put(l.ddx, three(l.ddx) * t.scale * gradient);
    put(l.ddy, three(l.ddy) * t.scale * gradient);
    l.lod += rest;
    l.bias = 0.0f;
    if (l.operation == REFERENCE_IMPLICIT)
        l.operation = REFERENCE_GRAD;
    return look_up(s, driver, l);
}

/* The program's lookup, but for a coordinate that the driver takes otherwise. */
reference_color plain(const scene &s, const reference_sampler &driver, const tier1 &t)
{
    reference_lookup l = s.lookup;
    put(l.coordinate, three(l.coordinate) * t.scale);
    put(l.ddx, three(l.ddx) * t.scale);
    put(l.ddy, three(l.ddy) * t.scale);
    return look_up(s, driver, l);
}

/* Tiers 0 and 1 on a driver that does what Vulkan says. */
reference_color moved(const scene &s, const resolution &r)
{
    const shader::uvec4 word = quarter(r.record, 0);
    const tier1 t = tier1_of(s, r.record);
    const reference_sampler driver = driver_sampler_of(s, r.result.driver.info);
    const reference_lookup &l = s.lookup;
    const shader::vec3 place = three(l.coordinate) * t.scale;
    const bool offset = has_offset(l);
    const bool implicit = l.operation == REFERENCE_IMPLICIT;
    const bool bias = has_own_bias(s) ? shader::record_has(word, RECORD_BIAS) : shader::rest_always(t.rest);
    /* As the rewriter asks. */
    if (offset ? !(has_own_bias(s) ? shader::bias_or_coordinate_moves(word) : shader::record_moves(word))
               : s.branch && implicit && !bias && !moves(s, t, place))
        return plain(s, driver, t);
    if (l.has_offsets) {
        reference_color four = {};
        for (int i = 0; i < 4; i++) {
            const shader::vec3 at = shader::fold_offset(place, three(l.offsets[i], 2), t.word, 0);
            four.f[i] = look_up_at(s, driver, t, bounded(s, t, at)).f[3];
        }
        return four;
    }
    const int level =
        l.operation == REFERENCE_LOD ? shader::sampled_level(l.lod, all_biases(s, 0.0f, t.word), t.word) : 0;
    const shader::vec3 at = offset ? shader::fold_offset(place, three(l.offset, 3), t.word, level) : place;
    check_test(s, t, at);
    if (s.branch && implicit && !bias && !moves(s, t, at))
        return plain(s, driver, t);
    return look_up_at(s, driver, t, bounded(s, t, at));
}

void print_scene(const scene &s, const resolution &r, const reference_result &ideal, const reference_color &got)
{
    const reference_lookup &l = s.lookup;
    const reference_level &base = s.texture.level[0];
    std::printf("target %d %dx%dx%d levels %d layers %d; wrap %X %X %X min %X mag %X lod %g..%g bias %g compare %X; "
                "operation %d at %g %g %g offset %d %d %d four %d lod %g bias %g reference %g; mirror %d separate %d\n"
                "  %s\n",
                s.texture.target, base.width, base.height, base.depth, s.texture.levels, s.texture.layers,
                s.sampler.wrap[0], s.sampler.wrap[1], s.sampler.wrap[2], s.sampler.min_filter, s.sampler.mag_filter,
                static_cast<double>(s.sampler.min_lod), static_cast<double>(s.sampler.max_lod),
                static_cast<double>(s.sampler.lod_bias), s.sampler.compare ? s.sampler.compare_func : 0, l.operation,
                static_cast<double>(l.coordinate[0]), static_cast<double>(l.coordinate[1]),
                static_cast<double>(l.coordinate[2]), l.offset[0], l.offset[1], l.offset[2], l.has_offsets,
                static_cast<double>(ideal.lod), static_cast<double>(l.bias), static_cast<double>(l.reference),
                s.caps.mirror_clamp_to_edge, s.separate, r.result.reason);
    for (int c = 0; c < 4; c++)
        std::printf("  channel %d: %g, right is %g (%g to %g)\n", c, static_cast<double>(got.f[c]),
                    static_cast<double>(ideal.rgba.f[c]), static_cast<double>(ideal.low.f[c]),
                    static_cast<double>(ideal.high.f[c]));
}

/* How close a level of detail is to where the record's rounded range, not the reference's, makes it another level. */
bool range_decides_the_level(const scene &s, const reference_result &ideal)
{
    float rest = ideal.lod + 0.5f - std::floor(ideal.lod + 0.5f);
    bool at_bound = ideal.lod == s.sampler.min_lod || ideal.lod == s.sampler.max_lod;
    return at_bound && (rest < 0.002f || rest > 0.998f);
}

struct outcome {
    long right[3], wrong[3], disagreements;
};

outcome run(long lookups, uint64_t seed, int shown)
{
    outcome o = {};
    random_state = seed;
    for (long i = 0; i < lookups; i++) {
        scene s = random_scene();
        resolution r = resolve(s);
        bool filters = shader::record_filters(quarter(r.record, 0), conditions_of(s.lookup));
        bool given = host_gives_filter(s, r.needs);
        /* Offsets ask for the filter where a bias is made up for; a pipeline without a bias is left alone. */
        if (r.needs & RECORD_NEED_FILTER_IF_BIAS_OFFSET && s.lookup.bias == 0.0f)
            filters = given;
        if (filters && !given)
            o.disagreements++;
        reference_result ideal;
        reference_sample(&s.texture, &s.sampler, &s.lookup, nullptr, &ideal);
        if (ideal.undefined || range_decides_the_level(s, ideal))
            continue;
        reference_color got = filters ? filtered(s, r.record) : moved(s, r);
        uint32_t channels = s.sampler.compare && s.lookup.operation != REFERENCE_GATHER ? 1 : 15;
        int tier = filters ? 2 : shader::record_moves(quarter(r.record, 0)) ? 1 : 0;
        if (reference_accepts(&ideal, s.texture.kind, &got, tolerance, channels))
            o.right[tier]++;
        else if (o.wrong[tier]++, shown-- > 0)
            print_scene(s, r, ideal, got);
    }
    return o;
}

/* ---- Cubes: always tier 2's here, by drivers that filter neither faces nor formats ---- */

/* What a driver's nearest sampler without bounds of the level gives for a tap's direction: a face's own texel. */
shader::vec4 sample_cube(const scene &s, const shader::vec3 &direction, float lod)
{
    const int face = shader::cube_face(direction);
    const shader::vec3 c = shader::cube_coordinate(direction, face);
    const reference_level &level = s.texture.level[static_cast<int>(lod)];
    const float n = static_cast<float>(level.width), x = c.x * n, y = c.y * n;
    const bool centred = std::fabs(x - std::floor(x) - 0.5f) < 0.01f && std::fabs(y - std::floor(y) - 0.5f) < 0.01f;
    if (!centred || x < 0.0f || y < 0.0f || x >= n || y >= n || lod != std::floor(lod)) {
        std::printf("a tap beside the texels' centres\n");
        std::exit(1);
    }
    const int texel = (face * level.height + static_cast<int>(y)) * level.width + static_cast<int>(x);
    const float *f = level.texels[texel].f;
    return {f[0], f[1], f[2], f[3]};
}

/* As layer/rewriter/spirv/lookup/filter.c and filter_tap.c arrange the shader's functions. */
reference_color cube_filtered(const scene &s, const struct record &record)
{
    const shader::uvec4 word = quarter(record, 0);
    const shader::uvec4 border = {record.border[0], record.border[1], record.border[2], record.border[3]};
    const reference_lookup &l = s.lookup;
    const bool gather = l.operation == REFERENCE_GATHER;
    const bool loop_free = filtered_lookups % 3 == 1, nested = filtered_lookups % 3 == 2;
    filtered_lookups++;
    const shader::vec3 direction = three(l.coordinate);
    const int face = shader::cube_face(direction);
    const shader::vec3 place = shader::cube_coordinate(direction, face);
    const uint32_t reduction = shader::record_reduction({0u, 0u, 0u, record.more});
    shader::vec3 plan(0.0f);
    shader::vec4 sum(gather || s.sampler.compare ? shader::vec4(0.0f) : shader::filter_none(reduction));
    int left = 15, step = 1, levels_left = 1;
    if (!gather) {
        const shader::vec3 dx = shader::cube_gradient(direction, three(l.ddx), face);
        const shader::vec3 dy = shader::cube_gradient(direction, three(l.ddy), face);
        float lod = l.operation == REFERENCE_LOD ? l.lod : shader::filter_lod(dx, dy, word, 2);
        plan = shader::filter_plan(lod, all_biases(s, l.bias, word), -1000.0f, false, word);
        left = loop_free ? 255 : nested ? shader::filter_corners_left(plan, 2) : shader::filter_left(plan, 2);
        step = loop_free || nested ? 1 : shader::filter_step(plan, 2);
        levels_left = nested ? shader::filter_levels_left(plan) : 1;
    }
    const tap_numbers taps = numbers_of(left, step, levels_left, 4);
    for (int k = 0; k < taps.count; k++) {
        const int i = taps.number[k];
        const shader::Tap tap = gather      ? shader::cube_gather_tap(place, word, 0, i)
                                : loop_free ? shader::cube_corner(place, plan, word, i & 3, i >= 4)
                                            : shader::cube_tap(place, plan, word, i);
        const shader::vec3 to = shader::cube_texel_direction(tap, face, word);
        const shader::vec4 own = sample_cube(s, to, shader::cube_tap_lod(tap, 0.0f));
        const shader::vec4 texel = shader::filter_texel_float(own, border, tap.border);
        const float reference = shader::clamp_reference(l.reference, word);
        const float compared =
            shader::cube_compared(shader::filter_compare(own.x, reference, word), border, tap.border, reference, word);
        sum = joined(s, sum, texel, compared, tap.weight, i, reduction);
    }
    return {{sum.x, sum.y, sum.z, sum.w}};
}

scene random_cube()
{
    static const int cube_sizes[] = {1, 2, 3, 4, 5, 7, 16};
    scene s = {};
    s.texture.target = REFERENCE_CUBE;
    s.axes = 2;
    s.texture.layers = 6;
    int size = cube_sizes[below(7)];
    s.texture.levels = below(2) ? 1 : 3;
    for (int i = 0; i < s.texture.levels; i++) {
        int n = size >> i ? size >> i : 1;
        s.texture.level[i] = {n, n, 1, texels[i]};
    }
    choose_sampler(s);
    s.sampler.seamless = below(2);
    reference_lookup &l = s.lookup;
    l.operation = static_cast<reference_operation>(below(4));
    float greatest = 0.0f;
    for (int i = 0; i < 3; i++) {
        l.coordinate[i] = unit() * 2.0f - 1.0f;
        greatest = std::fmax(greatest, std::fabs(l.coordinate[i]));
    }
    if (below(2)) /* near edges and corners */
        for (float &c : l.coordinate)
            c = below(2) ? (c < 0.0f ? -greatest : greatest) * (0.9f + 0.09f * unit()) : c;
    for (int i = 0; i < 3; i++) {
        l.ddx[i] = (unit() - 0.5f) * 0.4f;
        l.ddy[i] = (unit() - 0.5f) * 0.4f;
    }
    l.lod = unit() * 4.0f - 1.0f;
    l.reference = unit() * 1.2f - 0.1f;
    l.component = s.sampler.compare ? 0 : below(4);
    s.caps.max_lod_bias = s.caps.max_anisotropy = 16.0f;
    s.sampler.most_bias = 16.0f;
    s.caps.custom_border_color = s.caps.custom_border_color_without_format = true;
    s.caps.gl_fallback = RESOLVE_FALLBACK_SHADER;
    s.unfilterable = true;
    return s;
}

/* A corner's missing texel may be anything of a gather. */
bool at_corner(const scene &s)
{
    const shader::vec3 direction = three(s.lookup.coordinate);
    const shader::vec3 c = shader::cube_coordinate(direction, shader::cube_face(direction));
    const float edge = 0.5f / static_cast<float>(s.texture.level[0].width) + 0.002f;
    return s.sampler.seamless && s.lookup.operation == REFERENCE_GATHER && std::fmin(c.x, 1.0f - c.x) < edge &&
           std::fmin(c.y, 1.0f - c.y) < edge;
}

int run_cubes(long lookups, int shown)
{
    long right = 0, wrong = 0;
    for (long i = 0; i < lookups; i++) {
        scene s = random_cube();
        resolution r = resolve(s);
        if (!shader::record_filters(quarter(r.record, 0), conditions_of(s.lookup)) || at_corner(s))
            continue;
        reference_result ideal;
        reference_sample(&s.texture, &s.sampler, &s.lookup, nullptr, &ideal);
        if (ideal.undefined || range_decides_the_level(s, ideal))
            continue;
        reference_color got = cube_filtered(s, r.record);
        uint32_t channels = s.sampler.compare && s.lookup.operation != REFERENCE_GATHER ? 1 : 15;
        bool accepted = reference_accepts(&ideal, s.texture.kind, &got, tolerance, channels);
        right += accepted;
        wrong += !accepted;
        if (!accepted && shown-- > 0)
            print_scene(s, r, ideal, got);
    }
    std::printf("cubes: %ld right, %ld wrong\n", right, wrong);
    return wrong != 0 || right == 0;
}

/* ---- All of what is small ---- */

/* Every 8-bit number comes back from its decoded value, alpha as it is; nothing happens to others. */
int check_srgb()
{
    int failed = 0;
    for (int v = 0; v < 256; v++) {
        const float stored = static_cast<float>(v) / 255.0f;
        const float decoded = stored <= 0.04045f ? stored / 12.92f : std::pow((stored + 0.055f) / 1.055f, 2.4f);
        const shader::vec4 texel(decoded, decoded, decoded, stored);
        const shader::vec4 alpha_last = shader::skip_decoding(texel, 8u);
        const shader::vec4 green_plain = shader::skip_decoding({decoded, stored, decoded, decoded}, 2u);
        for (float channel : {alpha_last.x, alpha_last.y, alpha_last.z, alpha_last.w, green_plain.x, green_plain.y,
                              green_plain.z, green_plain.w})
            failed += std::fabs(channel - stored) > 1.0e-6f;
    }
    const shader::uvec4 rg(RECORD_BORDER_R | RECORD_BORDER_R << 3 | RECORD_BORDER_A << 6 | RECORD_BORDER_ONE << 9, 0u,
                           0u, 0u);
    failed += shader::srgb_plain_of_pair(rg) != 4u;
    std::printf("sRGB: %d numbers wrong\n", failed);
    return failed != 0;
}

/* Every combination of a pair's flags against what the contract of the record says in words. */
int check_pairs()
{
    const uint32_t filters[] = {0, RECORD_MAG_LINEAR, RECORD_MIN_LINEAR, RECORD_MIP_LINEAR};
    long failed = 0;
    for (uint32_t bits = 0; bits < 256u * 4u * 8u * 8u * 2u; bits++) {
        const uint32_t lod = bits << 24, linear = filters[bits >> 8 & 3u];
        const bool compared = bits >> 10 & 1u, cube = bits >> 11 & 1u, gather = bits >> 12 & 1u;
        const uint32_t both = RECORD_MORE_REDUCES_FOR_GL | RECORD_MORE_REDUCES_FOR_VULKAN;
        const bool offered = bits >> 16 & 1u && bits >> 13 & 1u;
        const uint32_t more = bits >> 13 & 1u ? RECORD_MORE_NO_MINMAX | (offered ? both : 0u) : 0u;
        const uint32_t wanted = bits >> 14 & 1u ? 2u << RECORD_MORE_REDUCTION_SHIFT : 0u;
        const uint32_t alone = bits >> 15 & 1u ? RECORD_MORE_FACES_ALONE : 0u;
        const shader::uvec4 decided = shader::record_of_pair(
            {linear | 1u << RECORD_LEVELS_SHIFT, 0u, 0u, lod}, {0u, 0u, 0u, more},
            {0u, 0u, 0u, wanted | alone | (wanted ? RECORD_MORE_REDUCES_FOR_VULKAN : 0u)}, compared, cube, gather);
        const bool unfilterable = lod & RECORD_PAIR_UNFILTERABLE && linear && !compared;
        const bool incomplete = lod & RECORD_PAIR_INCOMPLETE && linear;
        const bool faces = cube && lod & RECORD_PAIR_NON_SEAMLESS && (gather || linear & ~RECORD_MIP_LINEAR);
        const bool border = lod & RECORD_PAIR_BORDER && lod & RECORD_PAIR_BORDER_OTHER;
        const bool srgb = lod & RECORD_PAIR_SRGB_SKIP && lod & RECORD_PAIR_SRGB;
        const bool nearest = unfilterable && lod & RECORD_PAIR_TO_NEAREST && !(offered && wanted);
        const bool reduced = more && wanted && linear && !compared && !gather;
        failed +=
            ((decided.x & RECORD_FILTER) != 0) != (unfilterable || incomplete || faces || border || srgb || reduced);
        failed += (decided.x & (RECORD_MAG_LINEAR | RECORD_MIN_LINEAR | RECORD_MIP_LINEAR)) != (nearest ? 0 : linear);
        failed += ((decided.x & RECORD_MIP_NEAREST) != 0) != (nearest && linear == RECORD_MIP_LINEAR);
        failed += ((decided.w & RECORD_PAIR_INCOMPLETE) != 0) != incomplete;
        failed +=
            ((decided.w & RECORD_PAIR_NON_SEAMLESS) != 0) != ((lod & RECORD_PAIR_NON_SEAMLESS) || (alone && cube));
    }
    std::printf("pairs: %ld combinations wrong\n", failed);
    return failed != 0;
}

/* Incomplete textures: (0, 0, 0, 1), whatever was read. Borders of pairs: ranges first, then selectors. */
int check_texels()
{
    const shader::uvec4 none(0u), incomplete(0u, 0u, 0u, uint32_t{RECORD_PAIR_INCOMPLETE});
    const shader::ivec4 texel(7, -8, 9, -10);
    const shader::ivec4 as_is = shader::filter_texel_int(texel, {1u, 2u, 3u, 4u}, false, none);
    const shader::ivec4 border = shader::filter_texel_int(texel, {1u, 2u, 3u, 4u}, true, none);
    const shader::ivec4 black = shader::filter_texel_int(texel, {1u, 2u, 3u, 4u}, true, incomplete);
    int failed = as_is.x != 7 || as_is.w != -10 || border.x != 1 || border.w != 4 || black.x || black.y || black.z ||
                 black.w != 1;
    const uint32_t one = 0x3f800000u, two = 0x40000000u, minus_two = 0xc0000000u;
    const uint32_t bgra = RECORD_BORDER_B | RECORD_BORDER_G << 3 | RECORD_BORDER_ZERO << 6 | RECORD_BORDER_ONE << 9;
    const shader::uvec4 colour = {two, minus_two, one, two};
    const uint32_t infinite = 0x7f800000u, minus = 0x80000000u;
    const shader::uvec4 free = shader::pair_border(colour, {bgra, infinite | minus, infinite, infinite}, one, false);
    const shader::uvec4 unorm = shader::pair_border(colour, {bgra, 0u, one, one}, one, false);
    const shader::uvec4 snorm = shader::pair_border(colour, {bgra, one | minus, one, one}, one, true);
    failed += free.x != one || free.y != minus_two || free.z != 0 || free.w != one;
    failed += unorm.y != 0 || snorm.x != one || snorm.y != (one | minus);
    /* Blue of floats and alpha of integers have bounds of their own, and what is not a number is 0. */
    const uint32_t rgba = RECORD_BORDER_R | RECORD_BORDER_G << 3 | RECORD_BORDER_B << 6 | RECORD_BORDER_A << 9;
    const uint32_t uints = RECORD_BORDER_KIND_UINT << RECORD_BORDER_KIND_SHIFT;
    const uint32_t sints = RECORD_BORDER_KIND_SINT << RECORD_BORDER_KIND_SHIFT;
    const shader::uvec4 large =
        shader::pair_border({infinite, 0x7fc00000u, infinite, minus_two}, {rgba, 0u, two, one}, one, false);
    const shader::uvec4 whole =
        shader::pair_border({2000u, 7u, 0xffffffffu, 0xffffffffu}, {rgba | uints, 0u, 1023u, 3u}, 1u, false);
    const shader::uvec4 signs =
        shader::pair_border({2000u, 0xfffffff9u, 0xfffff000u, 0xfffff000u}, {rgba | sints, 0u, 511u, 1u}, 1u, false);
    failed += large.x != two || large.y != 0 || large.z != one || large.w != 0;
    failed += whole.x != 1023 || whole.y != 7 || whole.z != 1023 || whole.w != 3;
    failed += signs.x != 511 || signs.y != 0xfffffff9u || signs.z != 0xfffffe00u || signs.w != 0xfffffffeu;
    std::printf("texels and borders: %d wrong\n", failed);
    return failed != 0;
}

/* Every comparison of what is not a number: only NOT_EQUAL and ALWAYS hold. */
int check_not_numbers()
{
    const float none = std::nanf(""), pairs[][2] = {{none, 0.5f}, {0.5f, none}, {none, none}};
    int failed = 0;
    for (uint32_t op = VK_COMPARE_OP_NEVER; op <= VK_COMPARE_OP_ALWAYS; op++)
        for (const auto &pair : pairs) {
            const float right = op == VK_COMPARE_OP_NOT_EQUAL || op == VK_COMPARE_OP_ALWAYS ? 1.0f : 0.0f;
            const shader::uvec4 word = {(op + 1) << RECORD_COMPARE_SHIFT, 0u, 0u, 0u};
            failed += shader::filter_compare(pair[0], pair[1], word) != right;
        }
    std::printf("comparisons of what is no number: %d wrong\n", failed);
    return failed != 0;
}

/*
 * At the centre of a texel a footprint begins with that: the one before has no share of 8 bits. The coordinate is
 * rounded, and repeated by some periods.
 */
int check_gathers_at_centres()
{
    int failed = 0;
    for (const uint32_t wrap : {RECORD_WRAP_REPEAT, RECORD_WRAP_MIRRORED_REPEAT, RECORD_WRAP_CLAMP_TO_EDGE,
                                RECORD_WRAP_CLAMP_TO_BORDER, RECORD_WRAP_CLAMP})
        for (uint32_t size = 1; size <= 1024; size++)
            for (uint32_t i = 0; i < size; i += size < 100 ? 1 : size / 61) {
                const bool repeats = wrap == RECORD_WRAP_REPEAT || wrap == RECORD_WRAP_MIRRORED_REPEAT;
                for (int period = repeats ? -4 : 0; period <= (repeats ? 4 : 0); period += 2) {
                    const float s =
                        (static_cast<float>(i) + 0.5f) / static_cast<float>(size) + static_cast<float>(period);
                    const shader::uvec4 word = {wrap << RECORD_WRAP_S_SHIFT | wrap << RECORD_WRAP_T_SHIFT |
                                                    1u << RECORD_LEVELS_SHIFT,
                                                size | size << RECORD_HEIGHT_SHIFT, 1u, 0u};
                    const shader::Tap tap = shader::gather_tap({s, s, 0.0f}, {0, 0, 0}, false, false, word, 0, 3);
                    failed += tap.border || tap.texel.x != static_cast<int>(i) || tap.texel.y != static_cast<int>(i);
                }
            }
    std::printf("gathers at the centres of texels: %d wrong\n", failed);
    return failed != 0;
}

/* Positions beyond the edges of large faces lead into the neighbour that the specification has there. */
int check_large_faces()
{
    int failed = 0;
    for (const int32_t size : {2, 4096, 4731, 6000, 8191, 8192, 12001, 16384})
        for (int32_t face = 0; face < 6; face++)
            for (int32_t along = 0; along < size; along += along < 64 || along >= size - 64 ? 1 : (size - 128) / 8 + 1)
                for (int edge = 0; edge < 4; edge++) {
                    const int32_t beyond = edge & 1 ? size : -1;
                    int32_t other = face, x = edge < 2 ? beyond : along, y = edge < 2 ? along : beyond;
                    const shader::uvec4 word = {
                        1u << RECORD_LEVELS_SHIFT,
                        static_cast<uint32_t>(size) | static_cast<uint32_t>(size) << RECORD_HEIGHT_SHIFT, 1u, 0u};
                    const shader::Tap tap = {{x, y, 0}, 0, 1.0f, false};
                    const shader::vec3 to = shader::cube_texel_direction(tap, face, word);
                    const int seen = shader::cube_face(to);
                    const shader::vec3 place = shader::cube_coordinate(to, seen);
                    reference_cube_neighbour(size, &other, &x, &y);
                    failed += seen != other || static_cast<int32_t>(place.x * static_cast<float>(size)) != x ||
                              static_cast<int32_t>(place.y * static_cast<float>(size)) != y;
                }
    std::printf("texels beyond the edges of large faces: %d wrong\n", failed);
    return failed != 0;
}
} // namespace

int main(int argc, char **argv)
{
    const bool planted = argc == 2 && std::strcmp(argv[1], "--planted") == 0;
    long lookups = planted ? 20000 : argc > 1 ? std::atol(argv[1]) : 200000;
    uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : 88172645463325252ull;
    random_state = seed;
    for (auto &level : texels)
        for (auto &texel : level)
            for (float &channel : texel.f)
                channel = unit();
    if (planted) {
        outcome o = run(lookups, seed, 0);
        long found = o.wrong[0] + o.wrong[1] + o.wrong[2];
        std::printf("%ld lookups wrong\n", found);
        return found == 0;
    }
    int failed = 0;
    outcome o = run(lookups, seed, 8);
    for (int tier = 0; tier < 3; tier++) {
        std::printf("tier %d: %ld right, %ld wrong\n", tier, o.right[tier], o.wrong[tier]);
        failed += o.wrong[tier] != 0 || o.right[tier] == 0;
    }
    std::printf("%ld lookups that the shader filters were not given tier 2, or that move and were not asked about\n",
                o.disagreements);
    failed += o.disagreements != 0;

    failed += run_cubes(lookups / 2, 8) + check_srgb() + check_pairs() + check_texels() + check_not_numbers() +
              check_large_faces() + check_gathers_at_centres();
    return failed != 0;
}
