/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "differential/deviations.h"
#include "differential/evidence.h"
#include "differential/versions.h"

static bool mirrors(const struct facts *facts, const struct diff_case *one)
{
    (void)facts;
    return case_mirrors(one) && !one->texture_incomplete;
}

static bool shows_border_of_nothing(const struct facts *facts, const struct diff_case *one)
{
    (void)facts;
    return one->texture_incomplete &&
           (case_mirrors(one) || case_has_wrap(one, GL_CLAMP) || case_has_wrap(one, GL_CLAMP_TO_BORDER));
}

static bool samples_anisotropic_and_moved(const struct facts *facts, const struct diff_case *one)
{
    return one->state.maxAnisotropy > 1 && facts_tier(facts, one) > 0 && !facts_probes(facts, one);
}

static bool reads_faces_borders(const struct facts *facts, const struct diff_case *one)
{
    (void)facts;
    return one->texture.border && case_is_cube(one) && one->state.cubeMapSeamless;
}

static bool compares_with_nothing(const struct facts *facts, const struct diff_case *one)
{
    (void)facts;
    return one->texture_incomplete && case_compares(one);
}

static bool reads_integers_without_mipmaps(const struct facts *facts, const struct diff_case *one)
{
    (void)facts;
    return case_is_integer(one) && !case_filter_mipmapped(one->state.minFilter) && case_level_count(one) > 1;
}

static bool shows_depth_as_alpha(const struct facts *facts, const struct diff_case *one)
{
    (void)facts;
    return one->viewed && one->view.depthMode == GL_ALPHA && !case_compares(one);
}

static bool compares_through_alpha(const struct facts *facts, const struct diff_case *one)
{
    (void)facts;
    return one->viewed && one->view.depthMode == GL_ALPHA && case_compares(one);
}

static bool is_incomplete(const struct facts *facts, const struct diff_case *one)
{
    (void)facts;
    return facts_incomplete(one) || (one->texture_incomplete && case_is_integer(one));
}

static bool wraps_faces(const struct facts *facts, const struct diff_case *one)
{
    (void)facts;
    return case_is_cube(one) && !one->state.cubeMapSeamless &&
           !(one->state.wrapS == GL_CLAMP_TO_EDGE && one->state.wrapT == GL_CLAMP_TO_EDGE);
}

/* What tier 2 filters for certain, it wraps by itself. */
static bool wraps_faces_itself(const struct facts *facts, const struct diff_case *one)
{
    return wraps_faces(facts, one) && (one->crowded || facts_tiers(facts, one).least < 2);
}

static bool reduces_between_levels(const struct facts *facts, const struct diff_case *one)
{
    (void)facts;
    return one->state.reductionMode && case_level_count(one) > 1 &&
           (one->state.minFilter == GL_LINEAR_MIPMAP_LINEAR || one->state.minFilter == GL_NEAREST_MIPMAP_LINEAR);
}

static bool reduces_two_ways(const struct facts *facts, const struct diff_case *one)
{
    const uint32_t minified = one->state.minFilter;
    const bool between = minified == GL_LINEAR_MIPMAP_LINEAR || minified == GL_NEAREST_MIPMAP_LINEAR;
    (void)facts;
    return one->state.reductionMode && ((between && case_level_count(one) > 1) ||
                                        case_filter_linear(minified) != case_filter_linear(one->state.magFilter));
}

static bool reduces_seamless_cubes(const struct facts *facts, const struct diff_case *one)
{
    const bool cube = one->lookup.dimension == LOOKUP_CUBE || one->lookup.dimension == LOOKUP_CUBE_ARRAY;
    (void)facts;
    return one->state.reductionMode && cube && one->state.cubeMapSeamless;
}

/* Where the driver's own minima and maxima are asked for; GL's states are filtered by the layer there. */
static bool reduces_two_ways_itself(const struct facts *facts, const struct diff_case *one)
{
    return reduces_two_ways(facts, one) && one->form == LOOKUP_SAMPLER_STANDARD && facts_tiers(facts, one).least < 2;
}

/* Where the layer leaves the bound to the driver; what cases' shaders add to the sampler's bias is in case_shader_bias.
 */
static bool sums_biases_beyond_the_bound(const struct facts *facts, const struct diff_case *one)
{
    float sampler = one->state.lodBias + one->state.unitLodBias;
    float sum = sampler + case_shader_bias(one);
    return facts->most_bias <= facts->lod_bias && fabsf(sum) > facts->most_bias && fabsf(sampler) <= facts->most_bias;
}

static bool bounds_biases_apart(const struct facts *facts, const struct diff_case *one)
{
    return sums_biases_beyond_the_bound(facts, one) ||
           (case_shader_bias(one) != 0 && fabsf(one->state.lodBias + one->state.unitLodBias) > facts->most_bias);
}

static bool mixes_filters_of_texels(const struct facts *facts, const struct diff_case *one)
{
    (void)facts;
    return one->lookup.dimension == LOOKUP_RECTANGLE && one->state.minFilter != one->state.magFilter;
}

static void clamp_to_edge(struct diff_case *control)
{
    control->state.wrapS = control->state.wrapT = control->state.wrapR = GL_CLAMP_TO_EDGE;
    control->gpu_form = control->crowded = false;
}

/* textureGrad with equal gradients: nothing is anisotropic about it, so the reference sampler knows the level. */
static void sample_with_gradients(struct diff_case *control)
{
    clamp_to_edge(control);
    control->lookup.operation = LOOKUP_GRAD;
    control->pattern = (struct case_pattern){PATTERN_AFFINE, 0, 6, 1, 0, 0.5f};
}

static void blend_a_volume(struct diff_case *control)
{
    *control = (struct diff_case){.lookup = {LOOKUP_3D, LOOKUP_IMPLICIT, LOOKUP_FLOAT, LOOKUP_FRAGMENT, false, 0},
                                  .texture = {LOOKUP_RGBA8, CONTENTS_SCRAMBLED, {64, 32, 16}, 1},
                                  .state = {.minFilter = GL_LINEAR, .magFilter = GL_LINEAR, .maxLod = 1000},
                                  .pattern = {PATTERN_AFFINE, 0, 1, 1, 0, 0.5f}};
    clamp_to_edge(control);
}

/* The same minimum or maximum, by the driver alone. */
static void reduce(struct diff_case *control)
{
    const uint32_t mode = control->state.reductionMode;
    evidence_native_control(control);
    control->state.reductionMode = mode;
}

/* The case itself under modes that every driver has: what it shows of levels and weights, no layer had a hand in. */
static void repeat(struct diff_case *control)
{
    evidence_native_control(control);
}

/* Likewise on faces that are filtered alone, which the driver's own extension does. */
static void wrap_native_faces(struct diff_case *control)
{
    evidence_native_control(control);
    control->state.cubeMapSeamless = VK_FALSE;
    control->state.wrapS = control->state.wrapT = control->state.wrapR = GL_CLAMP_TO_BORDER;
    control->state.borderColor = (VkClearColorValue){.float32 = {1, 1, 1, 1}};
    control->lookup.component = 0; /* which every format has */
}

/* The same gather, mirrored by the driver's own mode. */
static void mirror_to_edge(struct diff_case *control)
{
    const uint32_t s = control->state.wrapS, t = control->state.wrapT;
    evidence_native_control(control);
    if (s == GL_MIRROR_CLAMP_TO_EDGE)
        control->state.wrapS = s;
    if (t == GL_MIRROR_CLAMP_TO_EDGE)
        control->state.wrapT = t;
}

static bool computes_levels(const struct facts *facts, const struct diff_case *one)
{
    (void)facts;
    const bool between_filters = case_filter_linear(one->state.minFilter) != case_filter_linear(one->state.magFilter);
    const bool between_levels = case_level_count(one) > 1 && case_filter_mipmapped(one->state.minFilter);
    return case_computes_lod(one) && (between_levels || between_filters);
}

static bool blends_three_directions(const struct facts *facts, const struct diff_case *one)
{
    bool blends = case_filter_linear(one->state.minFilter) || case_filter_linear(one->state.magFilter);
    bool levels = one->state.minFilter == GL_LINEAR_MIPMAP_LINEAR || one->state.minFilter == GL_NEAREST_MIPMAP_LINEAR;
    (void)facts;
    return blends && case_axes(one) + levels >= 3;
}

static bool blends_many_bytes(const struct facts *facts, const struct diff_case *one)
{
    const struct format *format = format_of(one->texture.format);
    return format->bits == 8 && format->class != FORMAT_FLOAT && blends_three_directions(facts, one);
}

/* White beside dark texels: weights show most. Modes that every driver has; the edges lie within the grid. */
static void blend_a_volume_and_levels(struct diff_case *control)
{
    blend_a_volume(control);
    control->lookup.operation = LOOKUP_LOD;
    control->texture = (struct case_texture){LOOKUP_RGBA8, CONTENTS_SCRAMBLED, {16, 8, 4}, 5, 0};
    control->state.minFilter = GL_LINEAR_MIPMAP_LINEAR;
    control->state.wrapS = control->state.wrapT = control->state.wrapR = GL_CLAMP_TO_BORDER;
    control->state.borderColor = (VkClearColorValue){.float32 = {1, 1, 1, 1}};
    control->pattern = (struct case_pattern){PATTERN_AFFINE, 0, 0.61f, 0.47f, 0.6f, 0.5f};
}

static bool gathers_mirrored(const struct facts *facts, const struct diff_case *one)
{
    (void)facts;
    return case_gathers(one) && case_mirrors(one);
}

/* Where the layer leaves the gather to the driver's own mode. */
static bool gathers_mirrored_to_edge(const struct facts *facts, const struct diff_case *one)
{
    const bool mirrored = one->state.wrapS == GL_MIRROR_CLAMP_TO_EDGE || one->state.wrapT == GL_MIRROR_CLAMP_TO_EDGE;
    return mirrored && case_gathers(one) && facts_tiers(facts, one).least < 2;
}

static bool compares_in_16_bits(const struct facts *facts, const struct diff_case *one)
{
    (void)facts;
    return one->lookup.kind == LOOKUP_SHADOW && one->texture.format == LOOKUP_DEPTH16;
}

/* A texel offset in each of two levels: under nearest filters, or linear ones that the driver applies itself. */
static bool offsets_in_two_levels(const struct facts *facts, const struct diff_case *one)
{
    struct diff_case alone = *one;
    alone.beside_filter = false;
    const struct tier_range tiers = facts_tiers(facts, &alone);
    const bool driver = (one->form == LOOKUP_SAMPLER_STANDARD ? tiers.least : tiers.most) < 2;
    return case_has_offset(one) && case_level_count(one) > 1 &&
           (one->state.minFilter == GL_NEAREST_MIPMAP_LINEAR ||
            (one->state.minFilter == GL_LINEAR_MIPMAP_LINEAR && driver));
}

static bool compares_at_gradients_of_vertices(const struct facts *facts, const struct diff_case *one)
{
    (void)facts;
    return one->lookup.kind == LOOKUP_SHADOW && one->lookup.stage == LOOKUP_VERTEX &&
           one->lookup.operation == LOOKUP_GRAD && one->state.minFilter == GL_NEAREST_MIPMAP_LINEAR;
}

static bool takes_gradients_of_cubes(const struct facts *facts, const struct diff_case *one)
{
    (void)facts;
    return case_is_cube(one) && one->lookup.operation == LOOKUP_GRAD;
}

static bool queries_the_base_level(const struct facts *facts, const struct diff_case *one)
{
    (void)facts;
    return one->lookup.operation == LOOKUP_QUERY_LOD && fmaxf(one->state.minLod, one->state.maxLod) <= 0 &&
           case_filter_mipmapped(one->state.minFilter);
}

static bool queries_cubes(const struct facts *facts, const struct diff_case *one)
{
    (void)facts;
    return one->lookup.operation == LOOKUP_QUERY_LOD && case_is_cube(one);
}

/* Vulkan's filters without mipmaps have a range of levels that ends at 1/4 (VkSamplerCreateInfo). */
static bool queries_a_short_range(const struct facts *facts, const struct diff_case *one)
{
    (void)facts;
    return one->lookup.operation == LOOKUP_QUERY_LOD && one->form == LOOKUP_SAMPLER_STANDARD &&
           (!case_filter_mipmapped(one->state.minFilter) || one->state.maxLod <= 0) && case_level_count(one) > 1;
}

static bool fetches_behind_levels(const struct facts *facts, const struct diff_case *one)
{
    (void)facts;
    return one->lookup.operation == LOOKUP_FETCH && one->view_first > 0;
}

static bool samples_anisotropic(const struct facts *facts, const struct diff_case *one)
{
    (void)facts;
    return one->state.maxAnisotropy > 1;
}

static const char
    levels_condition[] = "levels of detail from derivatives",
    levels_evidence[] =
        "Vulkan and OpenGL draw the same level under native wrap modes, which is further off than the "
        "approximations that section 8.14.1 allows. The same lookup under REPEAT, by the driver alone, is "
        "off as well, in each case that is excused.",
    directions_condition[] = "linear filters along three directions or more, levels counted",
    directions_evidence[] =
        "Weights of three directions are multiplied with too few bits: up to one "
        "tolerance beyond the tolerance. A volume under CLAMP_TO_BORDER, by the driver alone, is off as "
        "well.",
    depth16_condition[] = "comparisons with 16-bit depth",
    depth16_evidence[] =
        "The reference value is rounded to 16 bits, so that it equals texels that differ from it by less. "
        "The same comparison under REPEAT, by the driver alone, is off as well, in each case that is "
        "excused.";

static const char
    small_condition[] = "minima and maxima between two levels",
    small_evidence[] =
        "A level whose share is about 2/256 takes no part in the minimum or maximum. The same lookup under "
        "REPEAT, by the driver alone, is off as well, in each case that is excused.";

static const char meeting_condition[] = "minima and maxima where faces of cubes meet",
                  meeting_evidence[] =
                      "Some values at the edges of faces are not the minimum or maximum of the texels that a seamless "
                      "filter takes. The same "
                      "lookup under REPEAT, by the driver alone, is off as well, in each case that is excused.";

static const char
    query_condition[] = "queries of levels of cubes",
    query_evidence[] =
        "Where a coordinate of the face changes its sign between two pixels, textureQueryLod gives a level that is up "
        "to 7 off; lookups at the same coordinates sample the right level. The same query under REPEAT, by the driver "
        "alone, is off as well, in each case that is excused.";

static const char
    bias_condition[] = "a sampler's and a shader's bias whose sum is beyond the bound",
    bias_evidence[] =
        "The sum is not bounded by GL_MAX_TEXTURE_LOD_BIAS (OpenGL 8.14.1), nor by maxSamplerLodBias (Vulkan, "
        "\"LOD Operation\"). The same lookup under REPEAT, by the driver alone, is off as well, in each case "
        "that is excused.";

static const char
    bytes_condition[] = "linear filters of 8-bit textures along three directions or more, levels counted",
    bytes_evidence[] =
        "llvmpipe rounds to 8 bits after each of the three directions it blends along: up to 1.5/255 off the exact "
        "value. "
        "OpenGL and Vulkan are off alike, by the same values, with the driver's own CLAMP_TO_EDGE and no layer too.";

static const char faces_condition[] = "cubes that are not seamless, under other wrap modes than CLAMP_TO_EDGE",
                  faces_evidence[] = "llvmpipe clamps faces to their edges whatever the modes are. Section 8.14.2 "
                                     "wraps s and t of a face as those of a "
                                     "two-dimensional texture.";

static const char mirror_condition[] = "MIRROR_CLAMP and MIRROR_CLAMP_TO_BORDER",
                  mirror_evidence[] =
                      "The lower bound 1/(2N) of EXT_texture_mirror_clamp is left out, so border is blended in at the "
                      "mirror line, and gathered. The reference sampler and NVIDIA's OpenGL (4.6, 580.159) agree with "
                      "the specification there: .100 where llvmpipe gives .438, for texels .1 .2 .3 .4 and a white "
                      "border. The reference sampler without that bound draws what these two draw, in every value.";

/* In tolerances: any distance, though OpenGL is right (judge.c). */
#define GROSS 1e9

const struct deviation deviations[] = {
    {DEVIATION_OPENGL, "llvmpipe", "Mesa 22.3 to 26.2", mirror_condition, mirror_evidence, 0, mirrors, NULL, false},
    {DEVIATION_OPENGL, "softpipe", "Mesa 22.3 to 26.2", mirror_condition, mirror_evidence, 0, mirrors, NULL, false},
    {DEVIATION_OPENGL, "llvmpipe", "Mesa 22.3 to 26.2",
     "integer textures with levels under minification filter NEAREST",
     "A level other than the base level is read, though the filter has no mipmaps. The reference sampler, lavapipe and "
     "OpenGL's own float textures read the base level (section 8.14.3).",
     0, reads_integers_without_mipmaps, NULL, false},
    {DEVIATION_OPENGL, "llvmpipe", "Mesa 22.3 to 26.2", "depth mode ALPHA",
     "Shaders of GLSL 1.30 and later get the depth in every channel, not 0, 0, 0 and the depth (section 8.23.1): Mesa "
     "takes ALPHA for INTENSITY there (compute_texture_format_swizzle). The other depth modes are right.",
     0, shows_depth_as_alpha, NULL, false},
    {DEVIATION_OPENGL, "NVIDIA", "580.159", "depth mode ALPHA",
     "Lookups that compare give 0 where the depth mode is ALPHA and the swizzle does not move alpha to red (sections "
     "8.23.1 and 11.1.3.5, read together). Vulkan under the layer, the reference sampler and Mesa take ALPHA for "
     "INTENSITY there (docs/semantics.md).",
     0, compares_through_alpha, NULL, false},
    {DEVIATION_OPENGL, "NVIDIA", "580.159", "seamless cubes with border texels",
     "Footprints that cross an edge blend texels which the neighbouring face does not have there. Section 8.13.1 takes "
     "the "
     "neighbour's texel wherever a position would lie in the border. Cubes whose faces are filtered alone, and "
     "textures "
     "of every other kind, show their borders as Vulkan under the layer and the reference sampler do.",
     0, reads_faces_borders, NULL, false},
    {DEVIATION_OPENGL, "llvmpipe", "Mesa 22.3 to 26.2", "incomplete integer textures",
     "The alpha of an incomplete texture is 1056964608, the bits of 0.5 in a float: Mesa puts an RGBA8 texture in the "
     "place "
     "of the integer one. Section 8.17 asks for 0, 0, 0, 1; the other channels are 0.",
     0, is_incomplete, NULL, false},
    {DEVIATION_OPENGL, "llvmpipe", "Mesa 25.0 to 26.2", "comparisons of incomplete textures",
     "Mesa puts a texture of depth 0 in the place of the incomplete one and compares with that: 1 where 0 passes. "
     "Section "
     "11.1.3.5 has the first component of an incomplete texture be 0, whatever is compared, as Mesa 22.3 has it.",
     0, compares_with_nothing, NULL, false},
    {DEVIATION_OPENGL, "llvmpipe", "Mesa 22.3 to 26.2", "incomplete textures under modes that read the border",
     "Mesa puts a texture of one texel in the place of the incomplete one, around which the sampler's border colour is "
     "sampled. Section 11.1.3.5 has R, G, B and A of an incomplete texture be 0, 0, 0, 1, and gives it no border.",
     0, shows_border_of_nothing, NULL, false},
    {DEVIATION_OPENGL, "llvmpipe", "Mesa 22.3 to 26.2", "rectangle textures with filters that differ",
     "Derivatives in texels are multiplied by the texture's size once more, so that nearly everything counts as "
     "minified. "
     "Rectangle textures with equal filters are right.",
     0, mixes_filters_of_texels, NULL, false},
    {DEVIATION_OPENGL, "NVIDIA", "580.159", "rectangle textures with filters that differ",
     "Minified textures (more than a texel from pixel to pixel, by gradients that are given) are magnified. Vulkan "
     "under "
     "the layer and the reference sampler minify.",
     0, mixes_filters_of_texels, NULL, false},
    {DEVIATION_OPENGL, "NVIDIA", "580.159", "incomplete integer textures",
     "Integer textures under linear filters are sampled like those under nearest ones. Section 8.17 calls them "
     "incomplete, which are 0, 0, 0, 1.",
     0, is_incomplete, NULL, false},
    {DEVIATION_OPENGL, "llvmpipe", "Mesa 22.3 to 26.2", faces_condition, faces_evidence, 0, wraps_faces, NULL, false},
    {DEVIATION_VULKAN, "llvmpipe", "Mesa 22.3 to 26.2", faces_condition, faces_evidence, 0, wraps_faces_itself,
     wrap_native_faces, true},
    {DEVIATION_OPENGL, "llvmpipe", "Mesa 22.3 to 26.2", bytes_condition, bytes_evidence, 0.5, blends_many_bytes, NULL,
     false},
    {DEVIATION_VULKAN, "llvmpipe", "Mesa 22.3 to 26.2", bytes_condition, bytes_evidence, 0.5, blends_many_bytes,
     blend_a_volume, false},
    {DEVIATION_VULKAN, "llvmpipe", "Mesa 22.3 to 25.0", "anisotropy where the coordinate is moved",
     "textureGrad ignores its gradients under anisotropyEnable and takes the derivatives of the coordinate. The layer "
     "samples isotropically for that reason. The native control is CLAMP_TO_EDGE with equal gradients.",
     0, samples_anisotropic_and_moved, sample_with_gradients, false},
    {DEVIATION_OPENGL, "llvmpipe", "Mesa 22.3 to 26.2", bias_condition, bias_evidence, 0, bounds_biases_apart, repeat,
     true},
    {DEVIATION_VULKAN, "llvmpipe", "Mesa 22.3 to 26.2", bias_condition, bias_evidence, 0, sums_biases_beyond_the_bound,
     repeat, true},
    {DEVIATION_OPENGL, "llvmpipe", "Mesa 22.3 to 26.2", "minima and maxima of filters that differ, or between levels",
     "Minima are those of linear filters for all pixels of a vector of which some have one, and the minima, or maxima, "
     "of "
     "two levels are blended. ARB_texture_filter_minmax: the filters choose the texels, of which the least or greatest "
     "is "
     "taken. The reference sampler and the layer, which filters itself on this driver, agree.",
     0, reduces_two_ways, NULL, false},
    {DEVIATION_VULKAN, "llvmpipe", "Mesa 22.3 to 26.2", "minima and maxima of filters that differ, or between levels",
     "The same as in OpenGL. The same lookup under REPEAT, by the driver alone, is off as well, in each case that is "
     "excused.",
     0, reduces_two_ways_itself, reduce, true},
    {DEVIATION_OPENGL, "llvmpipe", "Mesa 22.3 to 26.2", "queries of levels under a greatest level of detail of 0",
     "textureQueryLod's first result is not clamped to the range where that ends at level 0: a level that no lookup "
     "samples. The reference sampler and lavapipe clamp (section 8.14.1), and llvmpipe does with any other range.",
     0, queries_the_base_level, NULL, false},
    {DEVIATION_OPENGL, "llvmpipe", "Mesa 22.3 to 26.2", query_condition, query_evidence, 0, queries_cubes, repeat,
     true},
    {DEVIATION_VULKAN, "llvmpipe", "Mesa 22.3 to 26.2", query_condition, query_evidence, GROSS, queries_cubes, repeat,
     true},
    {DEVIATION_VULKAN, "llvmpipe", "Mesa 22.3 to 26.2", "queries of levels under a range that ends at level 0 or 1/4",
     "textureQueryLod's first result is not clamped to the sampler's range (\"LOD Query\"): a level that no lookup "
     "samples. The same query under REPEAT, by the driver alone, is off as well, in each case that is excused.",
     GROSS, queries_a_short_range, repeat, true},
    {DEVIATION_VULKAN, "NVIDIA", "580.159", small_condition, small_evidence, 0, reduces_between_levels, reduce, true},
    {DEVIATION_OPENGL, "NVIDIA", "580.159", small_condition, small_evidence, 0, reduces_between_levels, NULL, false},
    {DEVIATION_VULKAN, "NVIDIA", "580.159", meeting_condition, meeting_evidence, 0, reduces_seamless_cubes, reduce,
     true},
    {DEVIATION_OPENGL, "NVIDIA", "580.159", meeting_condition, meeting_evidence, 0, reduces_seamless_cubes, NULL,
     false},
    {DEVIATION_VULKAN, "NVIDIA", "580.159", levels_condition, levels_evidence, 0, computes_levels, repeat, true},
    {DEVIATION_OPENGL, "NVIDIA", "580.159", levels_condition, levels_evidence, 0, computes_levels, repeat, true},
    {DEVIATION_VULKAN, "NVIDIA", "580.159", depth16_condition, depth16_evidence, 0, compares_in_16_bits, repeat, true},
    {DEVIATION_OPENGL, "NVIDIA", "580.159", "gathers under MIRROR_CLAMP and MIRROR_CLAMP_TO_BORDER",
     "Where the coordinate is mirrored, texels come in the mirrored order, and nearest filters give the edge where the "
     "footprint, which is the linear filter's, reaches the border. EXT_texture_mirror_clamp mirrors the coordinate, "
     "before there is a footprint; Vulkan under the layer, the reference sampler and llvmpipe agree.",
     0, gathers_mirrored, NULL, false},
    {DEVIATION_OPENGL, "NVIDIA", "580.159", depth16_condition, depth16_evidence, 0, compares_in_16_bits, repeat, true},
    {DEVIATION_OPENGL, "llvmpipe", "Mesa 22.3 to 26.2", "levels under anisotropy",
     "A footprint of 3 x 3 texels, which nothing is anisotropic about, is sampled at level 1.0 in the place of "
     "log2(3), "
     "and one of 8 x 2 texels under maxAnisotropy 2 at 1.0, where EXT_texture_filter_anisotropic's least is log2(8 / "
     "2). "
     "lavapipe draws the same; SwiftShader is within the bounds.",
     0, samples_anisotropic, NULL, false},
    {DEVIATION_VULKAN, "SwiftShader", "", "offsets between two levels",
     "textureLodOffset and its kin under NEAREST_MIPMAP_LINEAR and LINEAR_MIPMAP_LINEAR read other texels of the two "
     "levels than the offset "
     "says. "
     "OpenGL and the reference sampler agree. The same lookup under REPEAT, by the driver alone, is off as well, in "
     "each "
     "case that is excused.",
     GROSS, offsets_in_two_levels, repeat, true},
    {DEVIATION_VULKAN, "SwiftShader", "", "comparisons between two levels by gradients, in vertex shaders",
     "In one case of 1,241 the level is up to 0.02 off (3.115 for 3.136), in 30 of 1,024 values, and OpenGL's is "
     "further "
     "off to the same side (3.104). The driver draws it by itself, with the program's own code and without bias. "
     "Without "
     "the layer the same lookup is right: why is open, so there is no control, and the bound is narrow.",
     2, compares_at_gradients_of_vertices, NULL, false},
    {DEVIATION_VULKAN, "SwiftShader", "", "fetches through views whose first level is not the image's",
     "texelFetch of a view from level B on reads level max(lod, B) of the view. Nothing of the layer's has a part in "
     "the "
     "program's own fetches: the driver alone shows the same, in each case that is excused.",
     GROSS, fetches_behind_levels, repeat, true},
    {DEVIATION_VULKAN, "SwiftShader", "", "queries of levels of cubes",
     "textureQueryLod gives levels of detail by another approximation than OpenGL, up to half a level off; both are "
     "within what section 8.14.1 allows. Nothing of the layer's has a part in them, so there is no control.",
     GROSS, queries_cubes, NULL, false},
    {DEVIATION_VULKAN, "SwiftShader", "", "gathers under MIRROR_CLAMP_TO_EDGE",
     "Texels of the mirrored side come in the order of the absolute coordinate. Vulkan mirrors the texel's index "
     "(wrapping "
     "operation), as OpenGL does (table 8.20), so that they keep the footprint's order. The same gather with the "
     "driver's "
     "own mode, by the driver alone, is off as well, in each case that is excused.",
     INFINITY, gathers_mirrored_to_edge, mirror_to_edge, true},
    {DEVIATION_VULKAN, "SwiftShader", "", "gradients of cubes",
     "textureGrad of cubes reads other levels or texels than OpenGL and the reference sampler, which agree. The same "
     "lookup under REPEAT, by the driver alone, is off as well, in each case that is excused.",
     GROSS, takes_gradients_of_cubes, repeat, true},
    {DEVIATION_VULKAN, "NVIDIA", "580.159", directions_condition, directions_evidence, 1, blends_three_directions,
     blend_a_volume_and_levels, false},
    {DEVIATION_OPENGL, "NVIDIA", "580.159", directions_condition, directions_evidence, 1, blends_three_directions,
     blend_a_volume_and_levels, false},
};
const size_t deviation_count = sizeof(deviations) / sizeof(deviations[0]);

bool deviation_model(const struct deviation *entry, struct diff_case *one)
{
    uint32_t *const wraps[3] = {&one->state.wrapS, &one->state.wrapT, &one->state.wrapR};
    if (entry->applies != mirrors)
        return false;
    for (int axis = 0; axis < 3; axis++)
        if (*wraps[axis] == GL_MIRROR_CLAMP_EXT)
            *wraps[axis] = REFERENCE_MIRROR_CLAMP_TO_LINE;
        else if (*wraps[axis] == GL_MIRROR_CLAMP_TO_BORDER_EXT)
            *wraps[axis] = REFERENCE_MIRROR_CLAMP_TO_BORDER_AND_LINE;
    return true;
}

const struct deviation *deviation_find(const struct deviation_seen *seen, const struct facts *facts,
                                       const struct diff_case *one, const struct deviation *after)
{
    for (size_t i = after ? (size_t)(after - deviations) + 1 : 0; i < deviation_count; i++) {
        const struct deviation *entry = &deviations[i];
        bool near_enough = entry->most == 0 || seen->excess <= entry->most;
        if (entry->side == seen->side && near_enough && strstr(seen->driver, entry->driver) &&
            version_is_in(seen->version, entry->version) && entry->applies(facts, one))
            return entry;
    }
    return NULL;
}
