/* SPDX-License-Identifier: MIT */
#include "integration/app_descriptors/soak_model.h"

#include <math.h>
#include <stdlib.h>

#include "gl/gl_tokens.h"

struct soak_wrap {
    uint32_t mode;
    VkSamplerAddressMode native;
    double low, high; /* the coordinate in texels is kept between them */
    bool mirrors;
};

static const struct soak_wrap wraps[] = {
    {TOKEN_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, 0.5, SOAK_TEXELS - 0.5, false},
    {TOKEN_CLAMP_TO_BORDER, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, -0.5, SOAK_TEXELS + 0.5, false},
    {TOKEN_CLAMP, 0, 0, SOAK_TEXELS, false},
    {TOKEN_MIRROR_CLAMP, 0, 0.5, SOAK_TEXELS, true},
    {TOKEN_MIRROR_CLAMP_TO_EDGE, 0, 0.5, SOAK_TEXELS - 0.5, true},
    {TOKEN_MIRROR_CLAMP_TO_BORDER, 0, 0.5, SOAK_TEXELS + 0.5, true}};
enum { WRAPS = sizeof(wraps) / sizeof(wraps[0]), NATIVE_WRAPS = 2 };

/* ---- Chance ---- */

static uint64_t number_from(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

struct soak_random soak_seed(void)
{
    return (struct soak_random){number_from("CLAMPLER_SOAK_SEED", 1)};
}

uint64_t soak_wanted(void)
{
    return number_from("CLAMPLER_SOAK_LOOKUPS", 100000);
}

uint32_t soak_below(struct soak_random *random, uint32_t bound)
{
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random->state >> 33) % bound);
}

struct soak_sampler soak_choose_sampler(struct soak_random *random, unsigned tier)
{
    return (struct soak_sampler){
        .wrap = &wraps[soak_below(random, tier ? WRAPS : NATIVE_WRAPS)],
        .border = tier == 2 ? (float)soak_below(random, 65) / 64.0f : (float)soak_below(random, 2),
        .gl = tier != 0,
        .mixed = tier == 2 && soak_below(random, 2),
    };
}

void soak_fill(struct soak_random *random, uint8_t texels[SOAK_TEXELS])
{
    for (unsigned i = 0; i < SOAK_TEXELS; i++)
        texels[i] = (uint8_t)soak_below(random, 256);
}

/* ---- Lookups ---- */

VkSamplerCreateInfo soak_sampler_info(const struct soak_sampler *sampler, VkSamplerGLStateCreateInfoCLAMPLER *gl)
{
    /* Lookups have level 0: they are magnified. */
    *gl = (VkSamplerGLStateCreateInfoCLAMPLER){.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                               .wrapS = sampler->wrap->mode,
                                               .wrapT = TOKEN_CLAMP_TO_EDGE,
                                               .wrapR = TOKEN_CLAMP_TO_EDGE,
                                               .minFilter = sampler->mixed ? TOKEN_NEAREST : TOKEN_LINEAR,
                                               .magFilter = TOKEN_LINEAR,
                                               .maxLod = 1000.0f,
                                               .borderColor = {.float32 = {sampler->border, 0, 0, sampler->border}}};
    return (VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                 .pNext = sampler->gl ? gl : NULL,
                                 .magFilter = VK_FILTER_LINEAR,
                                 .minFilter = VK_FILTER_LINEAR,
                                 .addressModeU = sampler->wrap->native,
                                 .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                 .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                 .borderColor = sampler->border > 0 ? VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE
                                                                    : VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK};
}

unsigned soak_image_of(unsigned lookup)
{
    return lookup < SOAK_UNITS ? lookup : SOAK_UNITS + lookup / SOAK_APART % SOAK_APART;
}

unsigned soak_sampler_of(unsigned lookup)
{
    return lookup < SOAK_UNITS ? lookup : SOAK_UNITS + lookup % SOAK_APART;
}

static double texel(const struct soak_sampler *sampler, const uint8_t texels[SOAK_TEXELS], int index)
{
    return index < 0 || index >= SOAK_TEXELS ? (double)sampler->border : texels[index] / 255.0;
}

static double expected(const struct soak_sampler *sampler, const uint8_t texels[SOAK_TEXELS], unsigned column)
{
    const struct soak_wrap *wrap = sampler->wrap;
    const double at = ((double)column + 0.5) * 3.0 / SCENE_COLUMNS - 1.0;
    const double t = (wrap->mirrors ? fabs(at) : at) * SOAK_TEXELS;
    const double u = fmin(fmax(t, wrap->low), wrap->high) - 0.5, base = floor(u), weight = u - base;
    return texel(sampler, texels, (int)base) * (1.0 - weight) + texel(sampler, texels, (int)base + 1) * weight;
}

void soak_expect(const struct soak_sampler *sampler, const uint8_t texels[SOAK_TEXELS], unsigned column, float seen,
                 const char *where)
{
    const double wanted = expected(sampler, texels, column);
    if (fabs(wanted - (double)seen) <= 1.5 / 255.0)
        return;
    print_error("%s, column %u: wrap 0x%04X, border %g is %f, not %f\n", where, column, sampler->wrap->mode,
                (double)sampler->border, (double)seen, wanted);
    fail();
}
