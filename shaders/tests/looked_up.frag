#version 450
/* SPDX-License-Identifier: MIT */
/* Hands on what the vertex stage looked up. */
layout(location = 0) flat in vec4 looked_up;
layout(location = 0) out vec4 color;
void main()
{
    color = looked_up;
}
