#version 450
/* SPDX-License-Identifier: MIT */
/* A triangle from a vertex buffer: recipes must keep the vertex input state. */
layout(location = 2) in vec2 corner;
void main()
{
    gl_Position = vec4(corner, 0.0, 1.0);
}
