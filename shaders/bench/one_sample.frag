#version 450
/* SPDX-License-Identifier: MIT */
/*
 * Bound by sampling: UNITS combined image samplers, one lookup of each. With BLOCKS each lookup has a block of its own;
 * with CLAMPS the program saturates its coordinates itself.
 */
layout(set = 0, binding = 0) uniform sampler2D unit0;
layout(set = 0, binding = 1) uniform sampler2D unit1;
layout(set = 0, binding = 2) uniform sampler2D unit2;
layout(set = 0, binding = 3) uniform sampler2D unit3;
layout(set = 0, binding = 4) uniform sampler2D unit4;
layout(set = 0, binding = 5) uniform sampler2D unit5;
layout(set = 0, binding = 6) uniform sampler2D unit6;
layout(set = 0, binding = 7) uniform sampler2D unit7;
layout(set = 0, binding = 8) uniform sampler2D unit8;
layout(set = 0, binding = 9) uniform sampler2D unit9;
layout(set = 0, binding = 10) uniform sampler2D unit10;
layout(set = 0, binding = 11) uniform sampler2D unit11;
layout(set = 0, binding = 12) uniform sampler2D unit12;
layout(set = 0, binding = 13) uniform sampler2D unit13;
layout(set = 0, binding = 14) uniform sampler2D unit14;
layout(set = 0, binding = 15) uniform sampler2D unit15;
layout(push_constant) uniform Placement
{
    vec2 scale;  /* coordinates per pixel */
    vec2 origin; /* coordinate of pixel 0 */
} placement;
layout(location = 0) out vec4 color;

#ifdef CLAMPS
#define look(unit, at) texture(unit, clamp(at, 0.0, 1.0))
#else
#define look(unit, at) texture(unit, at)
#endif
#ifdef BLOCKS
#define one(i) (gl_FragCoord.z >= -float(i) ? look(unit##i, at * (1.0 + 0.001 * float(i))) : vec4(0.0))
#else
#define one(i) look(unit##i, at *(1.0 + 0.001 * float(i)))
#endif

void main()
{
    vec2 at = gl_FragCoord.xy * placement.scale + placement.origin;
    vec4 sum = one(0);
#if UNITS > 1
    sum += one(1);
    sum += one(2);
    sum += one(3);
    sum += one(4);
    sum += one(5);
    sum += one(6);
    sum += one(7);
#endif
#if UNITS > 8
    sum += one(8);
    sum += one(9);
    sum += one(10);
    sum += one(11);
    sum += one(12);
    sum += one(13);
    sum += one(14);
    sum += one(15);
#endif
    color = sum / float(UNITS);
}
