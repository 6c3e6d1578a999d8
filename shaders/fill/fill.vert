#version 450
/* SPDX-License-Identifier: MIT */
/* A triangle over everything, without vertices. */
void main()
{
    gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
