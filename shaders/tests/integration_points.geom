#version 450
/* SPDX-License-Identifier: MIT */
/* Looks up what the vertex stage says, point by point. */
layout(points) in;
layout(points, max_vertices = 1) out;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(location = 0) flat in vec4 at[];
layout(location = 0) flat out vec4 looked_up;
void main()
{
    gl_Position = gl_in[0].gl_Position;
    looked_up = vec4(textureLod(image, at[0].xy, 0.0).r, 0.0, 0.0, 1.0);
    EmitVertex();
    EndPrimitive();
}
