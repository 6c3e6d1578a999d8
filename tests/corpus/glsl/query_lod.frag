#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform samplerCube around;
layout(location = 0) in vec3 coord;
layout(location = 0) out vec4 color;
void main()
{
    vec2 level = textureQueryLod(source, coord.xy) + textureQueryLod(around, coord);
    color = textureLod(source, coord.xy, level.y + 0.5) * textureLod(around, coord, floor(level.x));
}
