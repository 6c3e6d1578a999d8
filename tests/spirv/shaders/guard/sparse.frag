#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_ARB_sparse_texture2 : require
#extension GL_ARB_sparse_texture_clamp : require

// As in pairs.frag, with images that may not be resident.

layout(set = 0, binding = 0) uniform texture2D t;
layout(set = 0, binding = 1) uniform texture3D t3;
layout(set = 0, binding = 2) uniform itexture2D ti;
layout(set = 1, binding = 0) uniform sampler s;

layout(location = 0) in vec4 c;
layout(location = 0) out vec4 o;

void main()
{
    vec4 a, b, d, e;
    ivec4 i;
    int code = sparseTextureARB(sampler2D(t, s), c.xy, a) + sparseTextureARB(sampler2D(t, s), c.yz, b, c.w);
    code += sparseTextureLodARB(sampler3D(t3, s), c.xyz, c.w, d) + sparseTextureARB(isampler2D(ti, s), c.xy, i);
    code += sparseTextureGatherOffsetARB(sampler2D(t, s), c.xy, ivec2(1, 1), e);
    o = sparseTexelsResidentARB(code) ? a + b + d + e + vec4(i) : vec4(0.0);
}
