#version 450
/* SPDX-License-Identifier: MIT */
/* Looks up what the vertex stage says; the evaluation stage does so once more. */
layout(vertices = 1) out;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(location = 0) flat in vec4 at[];
layout(location = 0) out vec4 evaluated[];
void main()
{
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    evaluated[gl_InvocationID] = vec4(at[gl_InvocationID].xy, textureLod(image, at[gl_InvocationID].xy, 0.0).r, 1.0);
    gl_TessLevelOuter = float[](1.0, 1.0, 1.0, 1.0);
    gl_TessLevelInner = float[](1.0, 1.0);
}
