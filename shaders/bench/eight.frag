#version 450
/* SPDX-License-Identifier: MIT */
/*
 * Eight texture units of a translator. Without the layer it makes a variant for each combination of units whose sampler
 * has GL_CLAMP, and saturates their coordinates: CLAMPS has a bit for each.
 */
layout(constant_id = 0) const uint CLAMPS = 0;
layout(set = 0, binding = 0) uniform sampler2D unit0;
layout(set = 0, binding = 1) uniform sampler2D unit1;
layout(set = 0, binding = 2) uniform sampler2D unit2;
layout(set = 0, binding = 3) uniform sampler2D unit3;
layout(set = 0, binding = 4) uniform sampler2D unit4;
layout(set = 0, binding = 5) uniform sampler2D unit5;
layout(set = 0, binding = 6) uniform sampler2D unit6;
layout(set = 0, binding = 7) uniform sampler2D unit7;
layout(location = 0) out vec4 color;

vec2 wrapped(uint unit, vec2 at)
{
    return (CLAMPS >> unit & 1u) != 0u ? clamp(at, 0.0, 1.0) : at;
}

void main()
{
    vec2 at = gl_FragCoord.xy * (1.25 / 32.0) - 0.125;
    vec4 sum = texture(unit0, wrapped(0u, at));
    sum += texture(unit1, wrapped(1u, at * 1.1));
    sum += texture(unit2, wrapped(2u, at * 1.2));
    sum += texture(unit3, wrapped(3u, at * 1.3));
    sum += texture(unit4, wrapped(4u, at * 1.4));
    sum += texture(unit5, wrapped(5u, at * 1.5));
    sum += texture(unit6, wrapped(6u, at * 1.6));
    sum += texture(unit7, wrapped(7u, at * 1.7));
    color = sum / 8.0;
}
