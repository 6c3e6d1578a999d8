/* SPDX-License-Identifier: MIT */
/* Those who run programs: OpenGL, and Vulkan under the layer or without it. Failures of theirs end the process. */
#ifndef RANDOM_VOICES_H
#define RANDOM_VOICES_H

#include "drawable.h"
#include "harness/device/vulkan.h"
#include "harness/opengl/gl.h"
#include "program.h"

/*
 * What every draw of a program came to: PIXELS times 4 words, as the shader gave them; NULL: not drawn. And, if that is
 * asked for, what each clear and paint left in the levels and layers that it drew to, as codes.
 */
struct pictures {
    uint32_t *draws[OPERATIONS_MAX];
    uint32_t *painted[OPERATIONS_MAX][ATTACHMENTS];
    char refused[256]; /* Vulkan: why the program could not be drawn, though it is valid; else empty */
    char trouble[512]; /* OpenGL: the call that it answers with an error, and which; else empty */
    bool unsupported;  /* it is no error, but a framebuffer that OpenGL need not have */
    uint64_t lookups;
};
void pictures_free(struct pictures *pictures);

/* A draw once more with something slightly different: OpenGL's own answer to what drivers may round otherwise. */
struct shift {
    float coordinate[3]; /* added; to what is divided by the projection */
    float reference, bias;
    float away;     /* a bias as well, which is no rounding: what bounds levels is not moved by it */
    float steps[3]; /* coordinates are whole numbers of these steps, rounded down from `up` more; 0: they are not */
    float up[3];
    bool pinned; /* at this level, whatever the draw's is */
    float level;
    bool minified, magnified; /* by the filter of smaller levels at level 0 as well, or that of larger ones at any */
    /*
     * At levels that are given pixel by pixel (PIXELS): by another function that takes them, without any bias or range
     * of the sampler's; or `added` to those of the draw, as biases or by longer gradients, without that range. NULL:
     * at the draw's.
     */
    const float *levels;
    enum random_function function;
    bool added;
    float result[2]; /* added to what a paint looks up: to colours, and to alpha */
};
struct shifts {
    uint32_t operation; /* the draw, or a paint with a lookup */
    int count;
    const struct shift *by;
    uint32_t *pictures; /* count times PIXELS times 4; of a paint, count times the codes of attachment 0 */
    int attachment;     /* of a paint: what was in it before, as codes, and it as floats (RGBA), to be freed */
    uint32_t *before;
    float *floats;
};

/* ---- gl_voice.c ---- */
/* Opens OpenGL, and with `ask` finds out what it can draw. False: there is none, `why` says it. */
bool gl_voice_open(bool ask, char *why, size_t size);
/*
 * `given` may be NULL: else what it painted takes the place of what OpenGL painted, step by step, so that what follows
 * is of the same texels. `shifts` may be NULL.
 */
void gl_voice_run(const struct program *program, struct pictures *pictures, const struct pictures *given,
                  struct shifts *shifts);
const char *gl_voice_name(void);

/* ---- vulkan_voice.c ---- */
/* Which formats the driver has, for random_drawable; and bits of manners, for the generator. */
void vulkan_voice_ask(const char *layers, uint32_t *bindings, uint32_t *pipelines);
/*
 * Runs it; what is refused is not counted. `native`: by the driver alone, without any layer; the program's samplers
 * must be such as Vulkan has. Devices are opened as they are needed, and some of them stay open.
 */
void vulkan_voice_run(const struct program *program, struct pictures *pictures, const char *layers, bool native);
/*
 * Once more, and reads what each clear and paint leaves: passes end there. Nothing of it is counted. `given` may be
 * NULL, as gl_voice_run has it; with the layers "none" it is drawn natively.
 */
void vulkan_voice_run_by_steps(const struct program *program, struct pictures *pictures, const struct pictures *given,
                               const char *layers);
/* What the layer's draws were bound and made by; fast links of pipelines of two stages alone, as the harness has them.
 */
struct voice_drawn {
    uint64_t bindings[RANDOM_BINDINGS], pipelines[RANDOM_PIPELINES];
    uint64_t stages[RANDOM_STAGES], functions[RANDOM_FUNCTIONS], targets[RANDOM_TARGETS];
    uint64_t tiers[RANDOM_BINDINGS][3]; /* the layer's draws, by its counters, once devices are closed */
    uint64_t secondaries, blocks;       /* recorded into secondary command buffers; of compressed textures */
    uint64_t rebound;                   /* with the pipeline of the draw before, and other descriptors */
    uint64_t twins;                     /* sets and constants bound by a layout that is just like the pipeline's */
    uint64_t late;                      /* sets written once they were bound */
    uint64_t sets_anew;                 /* that held something else in a program before */
    uint64_t views_again;               /* of a texture that had one */
    uint64_t samplers_again;            /* at a handle that another had */
    uint64_t views_at_handle;           /* the same */
    uint64_t submits;                   /* in the midst of programs */
    uint64_t passes_again;              /* of results, begun again in a program */
    uint64_t incomplete, border;        /* lookups in textures that are not complete, and in such as have a border */
    /* Of shaders with several lookups: draws by form and function, of what is chosen; by tier; and sets of which a part
     * is written or pushed, or of which one is bound. */
    uint64_t together[RANDOM_TOGETHERS], together_functions[RANDOM_FUNCTIONS], together_tiers[3], together_parts;
    uint64_t joined; /* with image and sampler in one descriptor, because the driver would end else */
};
/* Samplers that compare are apart from images that are no depth even where some draws would end the process. */
void vulkan_voice_draw_plain_lookups(void);
void vulkan_voice_drawn(struct voice_drawn *drawn);
/* Adds up what the layer counted on all devices, those that are closed as well; nothing may be drawn any more. */
void vulkan_voice_count(struct clampler_counters *sum);
void vulkan_voice_close(void);
const char *vulkan_voice_name(void);
/* Has the driver without the layer words for this sampler? */
bool vulkan_voice_says(const struct lookup *lookup);
/* Has standard Vulkan, with all that the layer offers? */
bool vulkan_voice_offers(const struct lookup *lookup);
/* The limit of biases of the driver's samplers, with the layers below this one. */
float vulkan_voice_most_bias(const char *layers);
/* Steps of weights within a level, as the driver states them; a device must have been opened. */
void vulkan_voice_precision(float *texel);

#endif
