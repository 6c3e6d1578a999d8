/* SPDX-License-Identifier: MIT */
/*
 * What both scenes are made of: textures that functions paint, quads that a camera sees, GL sampler state.
 * Single-threaded; a failure ends the process.
 */
#ifndef CLAMPLER_DEMO_PARTS_H
#define CLAMPLER_DEMO_PARTS_H

#include "demo/scene.h"

struct color {
    float r, g, b;
};

/* From a to b as t goes from 0 to 1. */
struct color color_mix(struct color a, struct color b, float t);

/* Appends a square texture with all mip levels, its colours asked for at x and y from 0 to 1; returns its index. */
uint32_t scene_add_texture(struct scene *scene, uint32_t size, struct color (*paint)(float x, float y));

/* A camera at `eye` that looks along -z, turned to the right and tilted down, in radians; world units are metres. */
struct camera {
    float aspect, focal, tilt, turn;
    float eye[3];
};

struct corner {
    float world[3];
    float coordinate[2];
};

/* Appends a quad, its corners as those of a triangle strip, all of them in front of the camera. */
struct scene_object *scene_add_quad(struct scene *scene, const struct camera *camera, const struct corner corners[4],
                                    float light);

/* Appends an untextured rectangle in clip space, with one colour below and another above. */
void scene_add_plain(struct scene *scene, const float low[2], const float high[2], struct color bottom,
                     struct color top);

/* The same wrap mode for s and t, and an opaque border colour. */
VkSamplerGLStateCreateInfoCLAMPLER scene_state(uint32_t wrap, uint32_t min_filter, struct color border);

#endif
