#version 450
/* SPDX-License-Identifier: MIT */
/* A picture for a window of 256 x 192: colours by place, rings, and an alpha that is anything but 1. */
layout(location = 0) out vec4 color;
void main()
{
    vec2 at = gl_FragCoord.xy / vec2(256.0, 192.0);
    float ring = step(0.5, fract(length(at - 0.5) * 8.0));
    color = vec4(at, ring, 0.25 + 0.5 * ring);
}
