#version 450
/* SPDX-License-Identifier: MIT */
/* As integration_single.frag, of integers, which are shown in 255ths. */
layout(set = 0, binding = 0) uniform usampler2D image;
layout(location = 0) out vec4 color;
void main()
{
    vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, 0.5);
    color = vec4(float(texture(image, at).r) / 255.0, 0.0, 0.0, 1.0);
}
