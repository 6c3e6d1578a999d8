#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D source;
layout(location = 0) in vec2 coord;
layout(location = 0) out vec4 color;
void main()
{
    vec4 center = textureOffset(source, coord, ivec2(0, 0));
    vec4 near = textureOffset(source, coord, ivec2(-1, -1)) + textureOffset(source, coord, ivec2(1, -1)) +
                textureOffset(source, coord, ivec2(-1, 1)) + textureOffset(source, coord, ivec2(1, 1));
    vec4 far = textureOffset(source, coord, ivec2(-2, 0)) + textureOffset(source, coord, ivec2(2, 0)) +
               textureOffset(source, coord, ivec2(0, -2)) + textureOffset(source, coord, ivec2(0, 2));
    color = center * 0.25 + near * 0.125 + far * 0.0625;
}
