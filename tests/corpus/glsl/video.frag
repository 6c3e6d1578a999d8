#version 450
/* SPDX-License-Identifier: MIT */
// Three planes to RGB.
layout(set = 0, binding = 0) uniform sampler2D plane_y;
layout(set = 0, binding = 1) uniform sampler2D plane_u;
layout(set = 0, binding = 2) uniform sampler2D plane_v;
layout(location = 0) in vec2 coord;
layout(location = 0) out vec4 color;
void main()
{
    vec3 yuv = vec3(texture(plane_y, coord).r, texture(plane_u, coord).r, texture(plane_v, coord).r);
    yuv = (yuv - vec3(16.0, 128.0, 128.0) / 255.0) * vec3(1.164, 1.0, 1.0);
    color = vec4(mat3(1.0, 1.0, 1.0, 0.0, -0.391, 2.018, 1.596, -0.813, 0.0) * yuv, 1.0);
}
