#version 450
/* SPDX-License-Identifier: MIT */
/* The sampler of one combined image sampler compares the depth image of another with one half. */
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) uniform samplerShadow how;
layout(set = 0, binding = 1) uniform texture2D image;

void main()
{
    color = vec4(textureLod(sampler2DShadow(image, how), vec3(gl_FragCoord.x / 8.0, 0.5, 0.5), 0.0));
}
