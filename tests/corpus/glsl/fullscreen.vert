#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) out vec2 coord;
void main()
{
    coord = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2);
    gl_Position = vec4(coord * 2.0 - 1.0, 0.0, 1.0);
}
