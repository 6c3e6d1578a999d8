#version 450
/* SPDX-License-Identifier: MIT */

layout(set = 0, binding = 0) uniform sampler2D s;
layout(set = 0, binding = 1) uniform sampler2DArray sa;

void main()
{
    vec2 c = vec2(gl_VertexIndex);
    gl_Position =
        textureLod(s, c, 0) + texture(s, c) + textureGather(sa, vec3(c, 1)) + textureLodOffset(s, c, 0, ivec2(1));
}
