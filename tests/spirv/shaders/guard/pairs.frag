#version 450
/* SPDX-License-Identifier: MIT */

// Lookups through samplers and images that are descriptors of their own: in a block together, in blocks of their own,
// in loops, through arrays and parameters, with every kind of operand. No cubes, whose texels nothing fetches.

layout(set = 0, binding = 0) uniform texture2D t;
layout(set = 0, binding = 1) uniform texture2DArray ta;
layout(set = 0, binding = 2) uniform texture3D t3;
layout(set = 0, binding = 3) uniform texture1D t1;
layout(set = 0, binding = 4) uniform itexture2D ti;
layout(set = 0, binding = 5) uniform utexture3D tu;
layout(set = 0, binding = 6) uniform texture2D images[4];
layout(set = 1, binding = 0) uniform sampler s;
layout(set = 1, binding = 1) uniform sampler samplers[2];

layout(location = 0) in vec4 c;
layout(location = 1) flat in ivec2 n;
layout(location = 0) out vec4 o;

const ivec2 offsets[4] = ivec2[4](ivec2(0, 1), ivec2(2, 3), ivec2(-1, 0), ivec2(1, -2));

vec4 of_pair(texture2D image, sampler with, vec2 uv)
{
    return texture(sampler2D(image, with), uv);
}

void together()
{
    const vec4 a = texture(sampler2D(t, s), c.xy);
    const vec4 b = texture(sampler2D(t, samplers[1]), c.yz);
    const vec4 d = texture(sampler2D(images[1], s), c.zw, c.x);
    const vec4 e = textureLod(sampler2D(images[2], s), c.xy, c.z);
    const vec4 f = textureGrad(sampler2D(images[3], samplers[0]), c.xy, c.zw, c.wz);
    const vec4 g = texture(sampler2DArray(ta, s), c.xyz) + texture(sampler3D(t3, s), c.xyz);
    o += a + b * d + e - f * g;
}

void alone()
{
    if (c.x > 0.5) {
        o += texture(sampler1D(t1, s), c.x);
    }
    if (c.y > 0.5) {
        o += textureOffset(sampler2D(t, s), c.xy, ivec2(1, -1), c.z);
    }
    if (c.z > 0.5) {
        o += textureProj(sampler2D(t, s), c.xyz);
    }
    if (c.w > 0.5) {
        o += textureProjOffset(sampler3D(t3, s), c, ivec3(1));
    }
    if (c.x > 0.6) {
        o += textureLodOffset(sampler2D(t, samplers[1]), c.xy, c.z, ivec2(2));
    }
    if (c.y > 0.6) {
        o += textureGather(sampler2D(t, s), c.xy, 2) + textureGatherOffsets(sampler2D(t, s), c.xy, offsets, 1);
    }
    if (c.z > 0.6) {
        o += vec4(texture(isampler2D(ti, s), c.xy)) + vec4(textureLod(usampler3D(tu, s), c.xyz, c.w));
    }
    for (int i = 0; i < n.x; i++) {
        o += texture(sampler2D(images[i & 3], samplers[n.y]), c.xy);
    }
}

void main()
{
    o = vec4(0.0);
    together();
    alone();
    o += of_pair(t, s, c.xy) + of_pair(images[n.x], samplers[n.y], c.xy);
}
