#version 450
/* SPDX-License-Identifier: MIT */
/*
 * Six combined image samplers in three bindings with holes between them, one a row of the target. The coordinate goes
 * from -1 to 2 over the eight columns. Every lookup is done in every row, so that all have their derivatives.
 * SINGLE: the first two have a binding each, as those with embedded samplers must.
 */
#ifdef SINGLE
layout(set = 0, binding = 0) uniform sampler2D first_0;
layout(set = 0, binding = 1) uniform sampler2D first_1;
#define FIRST(i) first_##i
#else
layout(set = 0, binding = 0) uniform sampler2D first[2];
#define FIRST(i) first[i]
#endif
layout(set = 0, binding = 2) uniform sampler2D second;
layout(set = 0, binding = 5) uniform sampler2D third[3];
layout(location = 0) out vec4 color;
void main()
{
    vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, 0.5);
    float rows[6] = float[](texture(FIRST(0), at).r, texture(FIRST(1), at).r, texture(second, at).r,
                            texture(third[0], at).r, texture(third[1], at).r, texture(third[2], at).r);
    color = vec4(rows[int(gl_FragCoord.y)], 0.0, 0.0, 1.0);
}
