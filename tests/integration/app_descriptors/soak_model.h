/* SPDX-License-Identifier: MIT */
/*
 * What the soaks of placed descriptors (descriptor_soak.c, heap_soak.c) have in common: chance from one seed, samplers
 * that ask for a tier, and what a lookup through a sampler must give. Their shader is integration_soak.comp: each
 * dispatch looks up, at every column of the scene, through sixteen combined image samplers, and through four images
 * and four samplers in every combination.
 *
 *     CLAMPLER_SOAK_LOOKUPS=N   how many lookups at least, in each tier (default 100000)
 *     CLAMPLER_SOAK_SEED=N      another seed than 1
 */
#ifndef CLAMPLER_INTEGRATION_SOAK_MODEL_H
#define CLAMPLER_INTEGRATION_SOAK_MODEL_H

#include "integration/shared/scene.h"

enum {
    SOAK_TEXELS = 4,
    SOAK_UNITS = 16, /* combined image samplers; behind them images and samplers apart */
    SOAK_APART = 4,
    SOAK_LOOKUPS = 32, /* each at all columns */
    SOAK_GROUP = SOAK_LOOKUPS * SCENE_COLUMNS,
    SOAK_DISPATCHES = 6,       /* at most, of a submission */
    SOAK_BINDING_IMAGES = 1,   /* behind the combined ones, whose binding is 0 */
    SOAK_BINDING_SAMPLERS = 2, /* both apart */
    SOAK_BINDING_RESULTS = 3,  /* a storage buffer */
    SOAK_MASK_WORDS = 16,      /* at the beginning of the results: which lookups of a dispatch may be done */
    SOAK_RESULT_BYTES = 4 * (SOAK_MASK_WORDS + SOAK_DISPATCHES * SOAK_GROUP),
};

struct soak_random {
    uint64_t state;
};

/* From CLAMPLER_SOAK_SEED. */
struct soak_random soak_seed(void);
uint32_t soak_below(struct soak_random *random, uint32_t bound);
/* From CLAMPLER_SOAK_LOOKUPS. */
uint64_t soak_wanted(void);

struct soak_wrap;

struct soak_sampler {
    const struct soak_wrap *wrap;
    float border;
    bool gl, mixed; /* has the GL structure; has filters that differ, so that it asks for tier 2 */
};

/* A sampler that asks for no more than that tier. */
struct soak_sampler soak_choose_sampler(struct soak_random *random, unsigned tier);
VkSamplerCreateInfo soak_sampler_info(const struct soak_sampler *sampler, VkSamplerGLStateCreateInfoCLAMPLER *gl);

/* Fills the texels of an image that is SOAK_TEXELS wide, in R8. */
void soak_fill(struct soak_random *random, uint8_t texels[SOAK_TEXELS]);

/* Which descriptors a lookup is through: 0 to SOAK_UNITS - 1 combined, behind that of images or samplers apart. */
unsigned soak_image_of(unsigned lookup);
unsigned soak_sampler_of(unsigned lookup);

/* Fails, with `where` in the message, if a lookup at a column has not given what it must. */
void soak_expect(const struct soak_sampler *sampler, const uint8_t texels[SOAK_TEXELS], unsigned column, float seen,
                 const char *where);

#endif
