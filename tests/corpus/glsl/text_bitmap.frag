#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2DArray pages;
layout(location = 0) in vec3 coord;
layout(location = 1) in vec4 tint;
layout(location = 0) out vec4 color;
void main()
{
    color = vec4(tint.rgb, tint.a * texture(pages, coord).r);
}
