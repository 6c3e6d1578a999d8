#version 450
/* SPDX-License-Identifier: MIT */
/* Rows 0 to 2 look up set 0, rows 3 to 5 set 1. */
layout(set = 0, binding = 0) uniform sampler2D zero;
layout(set = 1, binding = 0) uniform sampler2D one;
layout(location = 0) out vec4 color;
void main()
{
    vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, 0.5);
    float in_zero = texture(zero, at).r, in_one = texture(one, at).r;
    color = vec4(gl_FragCoord.y < 3.0 ? in_zero : in_one, 0.0, 0.0, 1.0);
}
