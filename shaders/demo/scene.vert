#version 450
/* SPDX-License-Identifier: MIT */
/* The demo's scene, for Vulkan and OpenGL alike: clip-space vertices, made on the CPU. */
layout(location = 0) in vec4 position;
layout(location = 1) in vec2 coordinate;
layout(location = 2) in vec4 shade; /* rgb: light, a: how much of the texture shows */
layout(location = 0) out vec2 texture_coordinate;
layout(location = 1) out vec4 texture_shade;
void main()
{
    gl_Position = position;
    texture_coordinate = coordinate;
    texture_shade = shade;
}
