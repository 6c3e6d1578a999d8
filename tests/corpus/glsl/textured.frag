#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D image;
layout(location = 0) in vec2 coord;
layout(location = 0) out vec4 color;
void main()
{
    color = texture(image, coord);
}
