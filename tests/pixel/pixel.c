/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/text/names.h"
#include "pixel/pixel.h"

#define PRINTED_MISSES 4

void pixel_open(struct pixel *pixel, uint32_t extent, bool validation_above)
{
    const bool above = validation_above && harness_structures_arrive("validation:clampler");
    const char *layers = harness_test_layers(above ? "validation:clampler" : "clampler:validation");
    char why[200];
    *pixel = (struct pixel){.grid = {extent, extent}};
    const size_t count = (size_t)pixel->grid.width * pixel->grid.height;
    harness_messages_reset();
    harness_vulkan_open(&pixel->vk, &(struct harness_vulkan_params){
                                        .layers = layers,
                                        .gl_sampler = true,
                                        .sampling_features = true,
                                    });
    lookup_vulkan_open(&pixel->vulkan, &pixel->vk, pixel->grid);
    pixel->has_gl = harness_gl_open(&pixel->gl, why, sizeof(why));
    if (pixel->has_gl) {
        lookup_gl_open(&pixel->opengl, &pixel->gl, pixel->grid);
        printf("Vulkan: %s; OpenGL: %s\n", pixel->vk.properties.deviceName, pixel->gl.renderer);
    } else {
        printf("Vulkan: %s; no OpenGL: %s\n", pixel->vk.properties.deviceName, why);
    }
    pixel->inputs = harness_alloc(count, sizeof(*pixel->inputs));
    pixel->got = harness_alloc(count, 4 * sizeof(float));
    pixel->drawn = harness_alloc(count, 4 * sizeof(float));
    pixel->expected = harness_alloc(count, sizeof(*pixel->expected));
}

uint32_t pixel_close(struct pixel *pixel)
{
    printf("%llu cases, %llu values: %llu as the specification has it, %llu as OpenGL draws it; OpenGL itself "
           "deviates in %llu\n",
           (unsigned long long)pixel->counts.cases, (unsigned long long)pixel->counts.values,
           (unsigned long long)pixel->counts.by_reference, (unsigned long long)pixel->counts.by_opengl_alone,
           (unsigned long long)pixel->counts.opengl_deviates);
    if (pixel->has_gl) {
        lookup_gl_close(&pixel->opengl);
        harness_gl_close(&pixel->gl);
    }
    lookup_vulkan_close(&pixel->vulkan);
    harness_vulkan_close(&pixel->vk);
    free(pixel->inputs);
    free(pixel->got);
    free(pixel->drawn);
    free(pixel->expected);
    return harness_messages();
}

static struct {
    struct pixel *pixel;
    uint32_t extent;
    bool validation_above;
} all;

static int open_all(void **state)
{
    (void)state;
    pixel_open(all.pixel, all.extent, all.validation_above);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    return pixel_close(all.pixel) != 0;
}

int pixel_run(const char *name, const struct CMUnitTest *tests, size_t count, struct pixel *pixel, uint32_t extent,
              bool validation_above)
{
    const char *only = getenv("CLAMPLER_TEST_FILTER");
    if (only)
        cmocka_set_test_filter(only);
    all.pixel = pixel;
    all.extent = extent;
    all.validation_above = validation_above;
    return cmocka_run_all(name, tests, count, open_all, close_all);
}

/* ---- Textures ---- */

static uint32_t scrambled(uint32_t x)
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

static struct lookup_texture shape(enum lookup_dimension dimension, enum lookup_format format, const uint32_t size[3],
                                   uint32_t levels)
{
    struct lookup_texture texture = {
        .dimension = dimension, .format = format, .width = size[0], .height = 1, .depth = 1, .layers = 1};
    if (dimension != LOOKUP_1D && dimension != LOOKUP_1D_ARRAY)
        texture.height = dimension == LOOKUP_CUBE ? size[0] : size[1];
    if (dimension == LOOKUP_3D)
        texture.depth = size[2];
    if (dimension == LOOKUP_1D_ARRAY || dimension == LOOKUP_2D_ARRAY)
        texture.layers = size[2];
    if (dimension == LOOKUP_CUBE)
        texture.layers = 6;
    uint32_t longest = texture.width | texture.height | texture.depth;
    texture.levels = levels;
    for (; !levels && longest; longest /= 2)
        texture.levels++;
    return texture;
}

void pixel_texture_create(struct pixel *pixel, struct pixel_texture *texture, enum lookup_dimension dimension,
                          enum lookup_format format, const uint32_t size[3], uint32_t levels)
{
    *texture = (struct pixel_texture){.texture = shape(dimension, format, size, levels)};
    size_t texel_size = lookup_texel_size(format), count = lookup_texel_count(&texture->texture), index = 0;
    uint8_t *texels = harness_alloc(count, texel_size);
    for (uint32_t level = 0; level < texture->texture.levels; level++) {
        struct lookup_texture one = texture->texture;
        one.levels = level + 1;
        for (; index < lookup_texel_count(&one); index++)
            format_fill(format, scrambled((uint32_t)index + level * 7919), level, texels + index * texel_size);
    }
    texture->texture.texels = texels;
    lookup_vulkan_image(&pixel->vk, &texture->vulkan, &texture->texture);
    if (pixel->has_gl)
        texture->gl = lookup_gl_image(&pixel->gl, &texture->texture, 0);
    if (dimension != LOOKUP_CUBE)
        lookup_reference_open(&texture->reference, &texture->texture);
    texture->texture.texels = NULL;
    free(texels);
}

void pixel_texture_destroy(struct pixel *pixel, struct pixel_texture *texture)
{
    harness_image_destroy(&pixel->vk, &texture->vulkan);
    if (pixel->has_gl)
        glDeleteTextures(1, &texture->gl);
    lookup_reference_close(&texture->reference);
}

/* ---- Tiers ---- */

static bool linear(uint32_t filter)
{
    return filter == GL_LINEAR || filter == GL_LINEAR_MIPMAP_NEAREST || filter == GL_LINEAR_MIPMAP_LINEAR;
}

static bool mipmapped(uint32_t filter)
{
    return filter != GL_LINEAR && filter != GL_NEAREST;
}

static int axis_tier(uint32_t wrap, bool mag_linear, bool min_linear, bool levels)
{
    bool mixed = mag_linear != min_linear, nearest = !mag_linear && !min_linear;
    switch (wrap) {
    case GL_CLAMP:
        return nearest ? 0 : mixed ? 2 : 1;
    case GL_MIRROR_CLAMP_EXT:
        return nearest ? 0 : mixed || levels ? 2 : 1;
    case GL_MIRROR_CLAMP_TO_BORDER_EXT:
        return min_linear && levels ? 2 : 1;
    default:
        return 0;
    }
}

int pixel_expected_tier(const struct pixel_case *test)
{
    static const int axes[LOOKUP_DIMENSIONS] = {1, 1, 2, 2, 3, 2, 0};
    const uint32_t wraps[3] = {test->state.wrapS, test->state.wrapT, test->state.wrapR};
    bool integer = test->lookup.kind == LOOKUP_UINT;
    bool mag_linear = linear(test->state.magFilter) && !integer, min_linear = linear(test->state.minFilter) && !integer;
    bool levels = mipmapped(test->state.minFilter) && test->texture->texture.levels > 1;
    if (test->lookup.dimension == LOOKUP_RECTANGLE)
        min_linear = mag_linear;
    int tier = 0;
    for (int axis = 0; axis < axes[test->lookup.dimension]; axis++) {
        int needed = axis_tier(wraps[axis], mag_linear, min_linear, levels);
        tier = needed > tier ? needed : tier;
    }
    bool gathers = test->lookup.operation >= LOOKUP_GATHER;
    bool offset = !gathers && test->lookup.operation >= LOOKUP_OFFSET;
    return tier == 1 && offset && levels ? 2 : tier;
}

/* ---- Comparison ---- */

static bool is_witness(const struct pixel *pixel, const struct pixel_case *test)
{
    const uint32_t wraps[3] = {test->state.wrapS, test->state.wrapT, test->state.wrapR};
    bool mirrors = false;
    for (int i = 0; i < 3 && test->lookup.dimension != LOOKUP_CUBE; i++)
        mirrors |= wraps[i] == GL_MIRROR_CLAMP_EXT || wraps[i] == GL_MIRROR_CLAMP_TO_BORDER_EXT;
    /* Mesa's software renderers leave out the mirror modes' lower bound (semantics of EXT_texture_mirror_clamp). */
    return pixel->has_gl && !(mirrors && (pixel->gl.mesa_software || !pixel->gl.mirror_clamp));
}

/* The level of detail comes from derivatives. */
static bool computes_lod(const struct lookup *lookup)
{
    switch (lookup->operation) {
    case LOOKUP_LOD:
    case LOOKUP_LOD_OFFSET:
    case LOOKUP_PROJ_LOD:
    case LOOKUP_GATHER:
    case LOOKUP_GATHER_OFFSET:
    case LOOKUP_GATHER_OFFSETS:
        return false;
    default:
        return true;
    }
}

/* What decides a case; see pixel.h. */
struct witnesses {
    bool gl, reference;
    const struct reference_precision *precision;
};

static struct witnesses witnesses_of(const struct pixel *pixel, const struct pixel_case *test)
{
    /*
     * Software renderers, and some GPUs, take log2 as linear between powers of two: 0.09 off at most. A shader's bias
     * scales the gradients of a moved coordinate (so that anisotropy survives) and meets that line at another place
     * than a bias that is added to the level.
     */
    static const struct reference_precision approximate = {1.0f / 512, 0.1f, 1.0f / 128, 1.0f / 256, true, true};
    bool gl = is_witness(pixel, test), computed = computes_lod(&test->lookup);
    /*
     * The layer scales gradients by 2^bias where OpenGL adds the bias to log2's result. With a log2 that is linear in
     * pieces the two differ by a few hundredths of a level (seen on an NVIDIA H200), so OpenGL cannot decide alone.
     */
    bool biased = test->lookup.operation == LOOKUP_BIAS || test->lookup.operation == LOOKUP_BIAS_OFFSET;
    struct witnesses witnesses = {gl, true, computed && (!gl || biased) ? &approximate : NULL};
    if (test->state.maxAnisotropy > 1 || test->lookup.dimension == LOOKUP_CUBE)
        witnesses.reference = false; /* not modelled */
    return witnesses;
}

static void draw_gl(struct pixel *pixel, const struct pixel_case *test)
{
    GLuint sampler = harness_gl_sampler(&pixel->gl, &test->state, HARNESS_GL_BORDER_FLOAT);
    lookup_gl_run(&pixel->opengl, &test->lookup, test->texture->gl, sampler, pixel->inputs, pixel->drawn);
    pixel->gl.DeleteSamplers(1, &sampler);
}

/* Draws on Vulkan; false if another tier drew than the one that should. */
static bool draw_vulkan(struct pixel *pixel, const struct pixel_case *test)
{
    bool rectangle = test->lookup.dimension == LOOKUP_RECTANGLE;
    VkSampler sampler = lookup_vulkan_sampler(&pixel->vk, &test->state, test->form, rectangle);
    struct clampler_counters before = harness_counters(&pixel->vk);
    lookup_vulkan_run(&pixel->vulkan, &test->lookup, test->texture->vulkan.view, sampler, pixel->inputs, pixel->got);
    struct clampler_counters after = harness_counters(&pixel->vk);
    vkDestroySampler(pixel->vk.device, sampler, NULL);
    int tier = test->tier < 0 ? pixel_expected_tier(test) : test->tier;
    for (int i = 0; i < 3; i++) {
        uint64_t draws = after.draws[i] - before.draws[i];
        if (draws != (i == tier)) {
            printf("tier %d drew %llu times, tier %d should have drawn once\n", i, (unsigned long long)draws, tier);
            return false;
        }
    }
    return true;
}

static bool same(const float *a, const float *b, uint32_t channels, double tolerance)
{
    for (int c = 0; c < 4; c++)
        if ((channels & (1u << c)) && !(fabs((double)a[c] - (double)b[c]) <= tolerance))
            return false;
    return true;
}

/* Vulkan's results are floats whatever the texture's kind; integers below 2^24 survive that. */
static bool accepts(const struct pixel_case *test, const struct reference_result *result, const float *value,
                    double tolerance)
{
    uint32_t channels = lookup_reference_channels(&test->lookup);
    union reference_color color;
    memcpy(color.f, value, sizeof(color.f));
    if (test->lookup.kind == LOOKUP_UINT)
        for (int c = 0; c < 4; c++)
            color.u[c] = (uint32_t)value[c];
    return reference_accepts(result, test->texture->reference.texture.kind, &color, (float)tolerance, channels);
}

static void print_color(const char *label, const struct pixel_case *test, const float *color)
{
    uint32_t channels = lookup_reference_channels(&test->lookup);
    printf("    %-10s", label);
    for (int c = 0; c < 4; c++)
        if (channels & (1u << c))
            printf(" %10.6f", (double)color[c]);
    putchar('\n');
}

static void print_miss(const struct pixel *pixel, const struct pixel_case *test, const struct witnesses *witnesses,
                       uint32_t index)
{
    const struct lookup_input *input = &pixel->inputs[index];
    const struct reference_result *result = &pixel->expected[index];
    printf("  input %u: p %.9g %.9g %.9g %.9g, extra %.9g %.9g %.9g %.9g\n", index, (double)input->p[0],
           (double)input->p[1], (double)input->p[2], (double)input->p[3], (double)input->extra[0],
           (double)input->extra[1], (double)input->extra[2], (double)input->extra[3]);
    print_color("got", test, pixel->got + (size_t)index * 4);
    if (witnesses->gl)
        print_color("OpenGL", test, pixel->drawn + (size_t)index * 4);
    if (witnesses->reference && test->lookup.kind != LOOKUP_UINT) {
        print_color("reference", test, result->rgba.f);
        print_color("  low", test, result->low.f);
        print_color("  high", test, result->high.f);
        printf("    LOD %g\n", (double)result->lod);
    }
}

static void print_case(const struct pixel_case *test)
{
    static const char *const kinds[] = {"float", "uint", "shadow"}, *const stages[] = {"fragment", "vertex", "compute"},
                             *const forms[] = {"GL structure", "private modes", "naive"};
    printf("%s: %s, %s, %s, %s%s, %s/%s/%s, min %s, mag %s, %s\n", test->name,
           name_of_dimension(test->lookup.dimension), name_of_operation(test->lookup.operation),
           kinds[test->lookup.kind], stages[test->lookup.stage], test->lookup.separate ? ", separate" : "",
           name_of_wrap(test->state.wrapS), name_of_wrap(test->state.wrapT), name_of_wrap(test->state.wrapR),
           name_of_filter(test->state.minFilter), name_of_filter(test->state.magFilter), forms[test->form]);
}

static double tolerance_of(const struct pixel_case *test)
{
    if (test->tolerance > 0)
        return test->tolerance;
    bool blends = linear(test->state.minFilter) || linear(test->state.magFilter) ||
                  test->state.minFilter == GL_NEAREST_MIPMAP_LINEAR;
    return blends && test->lookup.operation < LOOKUP_GATHER ? 1.0 / 255 + 1e-6 : 1e-5;
}

/* Counts the values that neither the specification nor OpenGL has. */
static uint32_t count_misses(struct pixel *pixel, const struct pixel_case *test, const struct witnesses *witnesses)
{
    const double tolerance = tolerance_of(test);
    const uint32_t count = pixel->grid.width * pixel->grid.height;
    const uint32_t channels = lookup_reference_channels(&test->lookup);
    uint32_t misses = 0;
    for (uint32_t i = 0; i < count; i++) {
        const float *got = pixel->got + (size_t)i * 4, *drawn = pixel->drawn + (size_t)i * 4;
        bool specified = witnesses->reference && accepts(test, &pixel->expected[i], got, tolerance);
        bool as_drawn = witnesses->gl && same(got, drawn, channels, tolerance);
        bool gl_deviates =
            witnesses->gl && witnesses->reference && !accepts(test, &pixel->expected[i], drawn, tolerance);
        pixel->counts.by_reference += specified;
        pixel->counts.by_opengl_alone += !specified && as_drawn;
        pixel->counts.opengl_deviates += gl_deviates;
        if (specified || as_drawn)
            continue;
        if (misses++ == 0)
            print_case(test);
        if (misses <= PRINTED_MISSES)
            print_miss(pixel, test, witnesses, i);
    }
    pixel->counts.cases++;
    pixel->counts.values += count;
    return misses;
}

bool pixel_check(struct pixel *pixel, const struct pixel_case *test)
{
    const struct witnesses witnesses = witnesses_of(pixel, test);
    if (!witnesses.gl && !witnesses.reference)
        return true;
    if (!draw_vulkan(pixel, test)) {
        print_case(test);
        return false;
    }
    if (witnesses.gl)
        draw_gl(pixel, test);
    if (witnesses.reference)
        lookup_reference_run(&test->texture->reference, &test->lookup, &test->state, NULL, pixel->grid, pixel->inputs,
                             witnesses.precision, pixel->expected);
    uint32_t misses = count_misses(pixel, test, &witnesses);
    if (misses > test->allowed_misses)
        printf("  %u of %u values miss\n", misses, pixel->grid.width * pixel->grid.height);
    return misses <= test->allowed_misses;
}
