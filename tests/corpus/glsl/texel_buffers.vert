#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform samplerBuffer places;
layout(set = 0, binding = 1) uniform isamplerBuffer joints;
layout(set = 0, binding = 2) uniform utextureBuffer flags;
layout(location = 0) out vec4 color;
void main()
{
    int i = gl_VertexIndex;
    color = unpackUnorm4x8(texelFetch(flags, i).r);
    gl_Position = texelFetch(places, texelFetch(joints, i).x) * float(textureSize(places));
}
