#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_ARB_sparse_texture2 : require
#extension GL_ARB_sparse_texture_clamp : require

// Every lookup that GLSL has, on every kind of image.

layout(set = 0, binding = 0) uniform sampler1D s1;
layout(set = 0, binding = 1) uniform sampler1DArray s1a;
layout(set = 0, binding = 2) uniform sampler2D s2;
layout(set = 0, binding = 3) uniform sampler2DArray s2a;
layout(set = 0, binding = 4) uniform sampler3D s3;
layout(set = 0, binding = 5) uniform samplerCube sc;
layout(set = 0, binding = 6) uniform sampler2DShadow h2;
layout(set = 0, binding = 7) uniform sampler2DArrayShadow h2a;
layout(set = 0, binding = 8) uniform sampler1DShadow h1;
layout(set = 0, binding = 9) uniform sampler1DArrayShadow h1a;
layout(set = 0, binding = 10) uniform isampler2D i2;
layout(set = 0, binding = 11) uniform usampler2DArray u2a;
layout(set = 0, binding = 12) uniform samplerCubeShadow hc;
layout(set = 0, binding = 13) uniform isampler3D i3;
layout(set = 1, binding = 0) uniform texture2D t;
layout(set = 1, binding = 1) uniform sampler s;
layout(set = 2, binding = 5) uniform samplerShadow sh;

layout(location = 0) in vec4 c;
layout(location = 0) out vec4 o;
layout(location = 1) out ivec4 oi;
layout(location = 2) out uvec4 ou;

const ivec2 offsets[4] = ivec2[4](ivec2(0, 1), ivec2(2, 3), ivec2(-4, -5), ivec2(6, 7));

void implicit_lod()
{
    o += texture(s1, c.x) + texture(s1a, c.xy) + texture(s2, c.xy) + texture(s2a, c.xyz) + texture(s3, c.xyz);
    o += texture(sc, c.xyz) + texture(s2, c.xy, c.w);
    o += textureOffset(s2, c.xy, ivec2(1, -2)) + textureOffset(s2, c.xy, ivec2(1, -2), c.z);
    o += textureOffset(s1, c.x, 3) + textureOffset(s3, c.xyz, ivec3(1, 2, 3)) + textureOffset(s2a, c.xyz, ivec2(2, 3));
    o.x += texture(h2, c.xyz) + texture(h2a, c) + texture(h1, c.xyz) + texture(h1a, c.xyz) + texture(hc, c);
    o.x += textureOffset(h2, c.xyz, ivec2(3, 3));
    o += textureClampARB(s2, c.xy, c.z) + textureClampARB(s2, c.xy, c.z, c.w);
    o += textureOffsetClampARB(s2, c.xy, ivec2(1), c.z) + textureClampARB(s2a, c.xyz, c.w);
    oi += texture(i2, c.xy) + texture(i3, c.xyz);
    ou += texture(u2a, c.xyz);
}

void projective()
{
    o += textureProj(s2, c.xyz) + textureProj(s2, c) + textureProj(s1, c.xy) + textureProj(s3, c);
    o += textureProjOffset(s2, c.xyz, ivec2(1, 1)) + textureProj(s2, c.xyz, c.w);
    o.x += textureProj(h2, c) + textureProj(h1, c) + textureProjLod(h2, c, c.x) + textureProjOffset(h2, c, ivec2(2, 2));
    o +=
        textureProjLod(s2, c, c.w) + textureProjLodOffset(s2, c, c.w, ivec2(1, 1)) + textureProjGrad(s2, c, c.zw, c.wz);
}

void explicit_lod()
{
    o +=
        textureLod(s1, c.x, c.w) + textureLod(s2, c.xy, c.w) + textureLod(s2a, c.xyz, c.w) + textureLod(s3, c.xyz, c.w);
    o += textureLodOffset(s2, c.xy, c.w, ivec2(2, 2)) + textureLod(sc, c.xyz, c.w);
    o += textureGrad(s2, c.xy, c.zw, c.wz) + textureGrad(s3, c.xyz, c.xzw, c.wzz) + textureGrad(s1, c.x, c.z, c.w);
    o += textureGradOffset(s2, c.xy, c.zw, c.wz, ivec2(1, 1)) + textureGrad(s2a, c.xyz, c.zw, c.wz);
    o.x += textureGrad(h2, c.xyz, c.zw, c.wz) + textureLod(h2, c.xyz, c.w) + textureLod(h1, c.xyz, c.w);
    o += textureGradClampARB(s2, c.xy, c.xy, c.yz, c.w);
    oi += textureLod(i2, c.xy, c.z);
}

void gather()
{
    o += textureGather(s2, c.xy) + textureGather(s2, c.xy, 2) + textureGatherOffset(s2, c.xy, ivec2(1, 2), 1);
    o += textureGatherOffset(s2, c.xy, ivec2(c.xy)) + textureGather(s2a, c.xyz, 1) + textureGather(sc, c.xyz);
    o += textureGatherOffsets(s2, c.xy, offsets, 3) + textureGather(h2, c.xy, c.z);
    o += textureGatherOffset(h2a, c.xyz, c.z, ivec2(1, 2)) + textureGatherOffsets(h2, c.xy, c.w, offsets);
    oi += textureGather(i2, c.xy, 1) + textureGatherOffsets(i2, c.xy, offsets);
    ou += textureGather(u2a, c.xyz, 3) + textureGatherOffsets(u2a, c.xyz, offsets, 2);
}

void separate()
{
    o += texture(sampler2D(t, s), c.xy) + textureLod(sampler2D(t, s), c.xy, c.z);
    o += textureOffset(sampler2D(t, s), c.xy, ivec2(1, 1));
    o.y += texture(sampler2DShadow(t, sh), c.xyz);
}

void left_alone()
{
    o += textureQueryLod(s2, c.xy).xyxy + texelFetch(s2, ivec2(1), 0) + vec4(textureSize(s2, 0), 0, 0);
    oi += texelFetch(i2, ivec2(1), 0);
}

int code;
vec4 f4;
ivec4 i4;
uvec4 u4;
float f1;

void sparse()
{
    code = sparseTextureARB(s2, c.xy, f4) + sparseTextureARB(s2, c.xy, f4, c.w);
    code += sparseTextureLodARB(s2, c.xy, c.w, f4) + sparseTextureOffsetARB(s2, c.xy, ivec2(1, 1), f4);
    code += sparseTextureGradARB(s3, c.xyz, c.xyz, c.yzx, f4) + sparseTextureARB(h2, c.xyz, f1);
    code += sparseTextureLodARB(h2, c.xyz, c.w, f1) + sparseTextureARB(i2, c.xy, i4);
    code += sparseTextureGatherARB(s2, c.xy, f4, 1) + sparseTextureGatherOffsetARB(s2, c.xy, ivec2(1, 1), f4);
    code += sparseTextureGatherOffsetsARB(s2, c.xy, offsets, f4, 2) + sparseTextureGatherARB(h2, c.xy, c.z, f4);
    code += sparseTextureGatherARB(u2a, c.xyz, u4) + sparseTextureClampARB(s2, c.xy, c.z, f4);
    code += sparseTextureGradClampARB(s2, c.xy, c.xy, c.yx, c.z, f4);
    code += sparseTextureARB(sampler2D(t, s), c.xy, f4) + sparseTextureARB(sampler2DShadow(t, sh), c.xyz, f1);
    code += sparseTextureOffsetARB(sampler2D(t, s), c.xy, ivec2(1, 1), f4, c.z);
    code += sparseTextureGatherARB(sampler2D(t, s), c.xy, f4, 2) + sparseTextureGatherARB(sampler2D(t, sh), c.xy, f4);
    o += f4 + f1;
    oi += i4;
    ou += u4;
    o.z += sparseTexelsResidentARB(code) ? 1.0 : 0.0;
}

void main()
{
    o = vec4(0.0);
    oi = ivec4(0);
    ou = uvec4(0u);
    implicit_lod();
    projective();
    explicit_lod();
    gather();
    separate();
    left_alone();
    sparse();
}
