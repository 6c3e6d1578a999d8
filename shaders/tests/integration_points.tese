#version 450
/* SPDX-License-Identifier: MIT */
/* Four points in the same place: the mean of what the two tessellation stages look up. */
layout(quads, point_mode) in;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(location = 0) in vec4 controlled[];
layout(location = 0) flat out vec4 looked_up;
void main()
{
    gl_Position = gl_in[0].gl_Position;
    float here = textureLod(image, controlled[0].xy, 0.0).r;
    looked_up = vec4((controlled[0].z + here) * 0.5, 0.0, 0.0, 1.0);
}
