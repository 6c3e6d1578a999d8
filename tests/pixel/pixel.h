/* SPDX-License-Identifier: MIT */
/*
 * Pixel tests: one lookup, thousands of coordinates, on Vulkan under the layer, on the reference sampler and on OpenGL.
 *
 * A value passes if it lies in the range that the specification leaves (the reference sampler's low to high, widened by
 * the case's tolerance), or if it is what OpenGL draws, to within the tolerance. Where the level of detail is computed
 * from derivatives, drivers may approximate: the ideal one or OpenGL's must come out; where OpenGL is no witness,
 * anything within the bounds of section 8.14.1.
 *
 * Environment: CLAMPLER_TEST_LAYERS, the layers to open, nearest the program first; CLAMPLER_TEST_FILTER, the names of
 * the tests to run, with * and ?.
 */
#ifndef CLAMPLER_PIXEL_PIXEL_H
#define CLAMPLER_PIXEL_PIXEL_H

#include "harness/lookups/lookup.h"
#include "harness/lookups/lookup_reference.h"

/* A texture on all three sides. */
struct pixel_texture {
    struct lookup_texture texture;
    struct harness_image vulkan;
    GLuint gl;
    struct lookup_reference reference; /* not for cubes */
};

struct pixel {
    struct harness_vulkan vk;
    struct lookup_vulkan vulkan;
    bool has_gl;
    struct harness_gl gl;
    struct lookup_gl opengl;
    struct lookup_grid grid;
    struct lookup_input *inputs; /* filled before pixel_check */
    float *got, *drawn;          /* Vulkan's and OpenGL's results */
    struct reference_result *expected;
    struct {
        uint64_t cases, values, by_reference, by_opengl_alone, opengl_deviates;
    } counts;
};

/*
 * Opens Vulkan, and OpenGL where there is one, for grids of `extent` x `extent` lookups. `validation_above`:
 * "validation:clampler", where the extension's structures arrive so and the user did not choose.
 */
void pixel_open(struct pixel *pixel, uint32_t extent, bool validation_above);
/* Prints what was compared, closes all, and returns the number of messages of the validation layer. */
uint32_t pixel_close(struct pixel *pixel);

/* The program's main(): all tests, or those of the environment, on an open `pixel`. Its status. */
struct CMUnitTest;
int pixel_run(const char *name, const struct CMUnitTest *tests, size_t count, struct pixel *pixel, uint32_t extent,
              bool validation_above);
#define PIXEL_RUN(name, tests, pixel, extent, validation_above)                                                        \
    pixel_run(name, tests, sizeof(tests) / sizeof(*(tests)), pixel, extent, validation_above)

/*
 * Texels that differ from their neighbours by at most a third of the range, so that 8 bits of a weight stay within
 * 1/255, and from level to level by more. `size`: width, height, depth or layers; axes that the dimension lacks are
 * ignored. levels 0: all of them.
 */
void pixel_texture_create(struct pixel *pixel, struct pixel_texture *texture, enum lookup_dimension dimension,
                          enum lookup_format format, const uint32_t size[3], uint32_t levels);
void pixel_texture_destroy(struct pixel *pixel, struct pixel_texture *texture);

struct pixel_case {
    const char *name; /* printed with a failure */
    struct lookup lookup;
    struct pixel_texture *texture;
    VkSamplerGLStateCreateInfoCLAMPLER state;
    enum lookup_sampler_form form;
    double tolerance;        /* 0: exact to 1/100,000 for nearest filters, else 1/255 */
    int tier;                /* the tier that must draw; negative: pixel_expected_tier */
    uint32_t allowed_misses; /* values of all that may miss; 0 but for a reason written where it is not */
};

/* Runs a case on pixel->inputs. Prints the first misses. False if it fails. */
bool pixel_check(struct pixel *pixel, const struct pixel_case *test);

/* The tier that serves a case on a device with MIRROR_CLAMP_TO_EDGE, by the rules of design and specification. */
int pixel_expected_tier(const struct pixel_case *test);

/* ---- Coordinates ---- */

/*
 * Scattered coordinates from about -2.3 to 3.1 times the texture, the places where modes bend (0, 1, -1, 2 and half
 * texels beside them) among them; explicit LODs from -1 to `levels`, compare values from -0.1 to 1.1, gradients that
 * give such LODs, q from 0.5 to 2, layers beyond both ends, offsets from -8 to 7.
 */
void pixel_scatter(struct pixel *pixel, const struct pixel_texture *texture, const struct lookup *lookup);

/*
 * Coordinates that are an affine function of the pixel: `texels` of level 0 from pixel to pixel along s, `stretch`
 * times as many along t, turned by `turn` radians, the middle of the grid at coordinate `middle` of both axes.
 */
void pixel_affine(struct pixel *pixel, const struct pixel_texture *texture, const struct lookup *lookup, float texels,
                  float stretch, float turn, float middle);

/* State with GL's defaults but for these, all wrap modes the same, and an orange border. */
VkSamplerGLStateCreateInfoCLAMPLER pixel_state(uint32_t wrap, uint32_t min_filter, uint32_t mag_filter);

#define PIXEL_WRAPS 8
extern const uint32_t pixel_wraps[PIXEL_WRAPS];

/* NEAREST, LINEAR, both mixed pairs, and pairs with mipmaps: minification, magnification. */
#define PIXEL_FILTERS 9
extern const uint32_t pixel_filters[PIXEL_FILTERS][2];

#endif
