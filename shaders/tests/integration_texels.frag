#version 450
/* SPDX-License-Identifier: MIT */

// A texel of 96 bits and one of 32 for each column.
layout(set = 0, binding = 0) uniform samplerBuffer texels;
layout(set = 0, binding = 1) uniform samplerBuffer others[2];
layout(location = 0) out vec4 color;

void main()
{
    const int column = int(gl_FragCoord.x);
    color = vec4(texelFetch(texels, column).xy, texelFetch(others[0], column).x, texelFetch(others[1], column).x);
}
