/* SPDX-License-Identifier: MIT */
/* What resolving a pair costs where no cache has it: the pure function alone, over pairs that ask for much and little.
 */
#include <string.h>

#include "bench/bench.h"
#include "bench/figures.h"
#include "bench/pairs.h"
#include "gl/gl_tokens.h"
#include "harness/device/vulkan.h"
#include "resolve/resolve.h"

enum { SAMPLERS = 4, VIEWS = 4, PAIRS = SAMPLERS * VIEWS, SAMPLES = 31 };

struct subject {
    struct resolve_caps caps;
    struct sampler_state states[SAMPLERS];
    struct view_facts views[VIEWS];
    uint32_t rounds;
};

static void prepare(struct subject *subject)
{
    static const VkSamplerGLStateCreateInfoCLAMPLER samplers[SAMPLERS] = {
        {.minFilter = TOKEN_LINEAR_MIPMAP_LINEAR, .maxLod = 1000.0f},
        {.wrapS = TOKEN_CLAMP,
         .wrapT = TOKEN_CLAMP,
         .minFilter = TOKEN_LINEAR_MIPMAP_LINEAR,
         .maxLod = 1000.0f,
         .maxAnisotropy = 8.0f},
        {.wrapS = TOKEN_CLAMP_TO_BORDER,
         .wrapT = TOKEN_CLAMP_TO_BORDER,
         .minFilter = TOKEN_LINEAR,
         .borderColor.float32 = {0.5f, 0.25f, 0.0f, 1.0f}},
        {.wrapS = TOKEN_MIRROR_CLAMP,
         .minFilter = TOKEN_LINEAR_MIPMAP_LINEAR,
         .maxLod = 1000.0f,
         .compareMode = TOKEN_COMPARE_REF_TO_TEXTURE},
    };
    static const VkFormat formats[VIEWS] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R8_UNORM,
                                            VK_FORMAT_D16_UNORM};
    subject->caps = (struct resolve_caps){.anisotropy = true,
                                          .custom_border_color = true,
                                          .custom_border_color_without_format = true,
                                          .gl_fallback = RESOLVE_FALLBACK_SHADER,
                                          .max_lod_bias = 16.0f,
                                          .max_anisotropy = 16.0f};
    for (uint32_t i = 0; i < SAMPLERS; i++) {
        const char *why = NULL;
        if (!resolve_gl_state(&samplers[i], 0, &subject->caps, &subject->states[i], &why))
            harness_fail("a sampler of the benchmark is refused: %s", why);
    }
    for (uint32_t i = 0; i < VIEWS; i++) {
        const VkImageViewCreateInfo info = {.viewType = VK_IMAGE_VIEW_TYPE_2D,
                                            .format = formats[i],
                                            .subresourceRange.aspectMask =
                                                i == 3 ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT};
        view_facts_from_vk(&info, &subject->views[i]);
        subject->views[i].levels = 5;
        subject->views[i].linear = i != 1; /* as drivers have it of 32-bit floats */
    }
}

/* Nanoseconds a pair. */
static double run(const struct subject *subject)
{
    uint32_t needs = 0;
    double start = bench_now(BENCH_THREAD);
    for (uint32_t round = 0; round < subject->rounds; round++)
        for (uint32_t i = 0; i < PAIRS; i++) {
            struct resolve_result result;
            resolve_decide(&subject->states[i / VIEWS], &subject->views[i % VIEWS], &subject->caps, &result);
            needs |= result.needs;
        }
    if (!needs) /* some pairs ask for something: nothing can be left out */
        harness_fail("no pair of the benchmark needs anything");
    return (bench_now(BENCH_THREAD) - start) / (double)subject->rounds / PAIRS;
}

void bench_resolve(const struct bench_options *options)
{
    struct subject subject = {.rounds = bench_count(options, 1000, 100, 1)};
    double samples[SAMPLES];
    prepare(&subject);
    run(&subject);
    for (uint32_t i = 0; i < SAMPLES; i++)
        samples[i] = run(&subject);
    struct spread spread = spread_of(samples, SAMPLES);
    figure_set("resolve.miss_ns", spread.median, "%d pairs, reasons written; %.0f to %.0f", PAIRS, spread.low,
               spread.high);
}
