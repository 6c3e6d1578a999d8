#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in vec4 vertex;
layout(location = 0) out vec4 color;
void main()
{
    color = vertex;
}
