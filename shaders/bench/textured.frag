#version 450
/* SPDX-License-Identifier: MIT */
/*
 * Bound by sampling: four combined image samplers, 16 lookups a pixel. SEED makes each module a new one for the
 * driver: the benchmark replaces its default value in the SPIR-V words.
 */
layout(constant_id = 0) const float SEED = 0.73125;
layout(set = 0, binding = 0) uniform sampler2D unit0;
layout(set = 0, binding = 1) uniform sampler2D unit1;
layout(set = 0, binding = 2) uniform sampler2D unit2;
layout(set = 0, binding = 3) uniform sampler2D unit3;
layout(push_constant) uniform Placement
{
    vec2 scale;  /* coordinates per pixel */
    vec2 origin; /* coordinate of pixel 0 */
} placement;
layout(location = 0) out vec4 color;

/* No function: all lookups stand in one block, as optimised shaders have them. With BLOCKS each has one of its own. */
#ifdef BLOCKS
#define one(unit, at) (gl_FragCoord.z >= 0.0 ? texture(unit, at) : vec4(0.0))
#else
#define one(unit, at) texture(unit, at)
#endif
#define four(at) (one(unit0, at) + one(unit1, (at).yx) + one(unit2, 0.9375 * (at)) + one(unit3, 1.0625 * (at).yx))

void main()
{
    vec2 at = gl_FragCoord.xy * placement.scale + placement.origin;
    vec4 sum = four(at);
    sum += four(at + vec2(0.013, -0.021));
    sum += four(at + vec2(-0.031, 0.017));
    sum += four(at * 1.03125);
    color = sum * (SEED / 16.0);
}
