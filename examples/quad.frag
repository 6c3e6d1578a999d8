// SPDX-License-Identifier: MIT
// An ordinary lookup: what GL's state changes about it is the layer's business.
#version 450

layout(binding = 0) uniform sampler2D image;
layout(location = 0) in vec2 coordinate;
layout(location = 0) out vec4 color;

void main()
{
    color = texture(image, coordinate);
}
