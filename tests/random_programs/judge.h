/* SPDX-License-Identifier: MIT */
/* Whether two voices drew the same; see README.md for what counts as the same. */
#ifndef RANDOM_JUDGE_H
#define RANDOM_JUDGE_H

#include "voices.h"

/* Measured by controls at the start of a process. */
struct precision {
    float weight;    /* of a linear filter's weights, as a share of a texel: OpenGL's and the driver's error together */
    float steps;     /* of weights, in a texel: what the driver states */
    float bytes;     /* of what filters of 8-bit formats come to beyond that */
    float flat;      /* the same of 8-bit formats in two dimensions and one level */
    float words;     /* the same of 16-bit formats */
    float srgb;      /* the same of sRGB; its decoding is in it */
    float halves;    /* the same of halves */
    float small[2];  /* the same of R11F_G11F_B10F and of RGB9_E5 */
    float gathered;  /* of what gathers show of 8 bits with a sign */
    float level;     /* of the share of two levels */
    float most_bias; /* of the samplers below the layer; where the layer has shaders add the rest, else infinite */
    float face;      /* of coordinates on faces of cubes, as a share of a texel */
    float decode;    /* by which the two decode sRGB otherwise */
    float decoded;   /* by which OpenGL and the driver's shaders decode sRGB otherwise than by its equation */
    float products[2]; /* of weights of two and three directions, as a share of the texels' difference: both together */
    float compared[2]; /* the same of the results of comparisons */
};
void judge_calibrate(struct precision *precision);

struct verdict {
    bool failed;
    uint32_t operation, pixel;
    uint32_t opengl[4], vulkan[4];
    char why[512], state[1024]; /* state: what was looked up, and what the native control came to */
};

struct judged {
    uint64_t pixels;           /* compared */
    uint64_t native;           /* that the driver draws without the layer, bit for bit, in the very same state */
    uint64_t shifted;          /* that agree with OpenGL a driver's rounding further */
    uint64_t leveled;          /* that agree with OpenGL at another level, which a control shows */
    uint64_t controlled;       /* that differ by no more than a native control of the same state does there */
    uint64_t corners;          /* left out, because OpenGL leaves open what is gathered there */
    uint64_t mirror_line;      /* left out, because OpenGL deviates there */
    uint64_t painted;          /* attachments of clears and paints */
    uint64_t paint_shifted;    /* that agree with OpenGL a rounding further of what was looked up */
    uint64_t paint_controlled; /* that lie between it and the same blended as floats or natively */
};

/* `vulkan`: with what was painted, which OpenGL's pictures have followed (gl_voice_run). */
void judge(const struct program *program, const struct pictures *opengl, const struct pictures *vulkan,
           const struct precision *precision, struct judged *judged, struct verdict *verdict);

#endif
