#version 450
/* SPDX-License-Identifier: MIT */
/* Fetches and sizes of every kind of image that may have a border, and some that have none; through parameters, too. */
#extension GL_EXT_samplerless_texture_functions : require

layout(local_size_x = 4) in;
layout(set = 0, binding = 0) uniform sampler1D s1;
layout(set = 0, binding = 1) uniform usampler1DArray s1a;
layout(set = 0, binding = 2) uniform sampler2D s2[3];
layout(set = 0, binding = 3) uniform isampler2DArray s2a;
layout(set = 0, binding = 4) uniform sampler3D s3;
layout(set = 0, binding = 5) uniform samplerCubeArray cubes;
layout(set = 0, binding = 6) uniform texture2D t2;
layout(set = 0, binding = 7) uniform utexture3D t3;
layout(set = 0, binding = 8) uniform sampler2DMS many;
layout(set = 0, binding = 9) uniform samplerBuffer buffers;
layout(set = 0, binding = 10) uniform sampler how;
layout(set = 0, binding = 11) uniform sampler2DArrayShadow shadows;
layout(set = 1, binding = 0) buffer Results
{
    vec4 results[];
};

vec4 through(sampler2D image, ivec2 at)
{
    return texelFetch(image, at, 1) + vec4(textureSize(image, at.x), 0, 0);
}

vec4 through_apart(texture2D image, ivec2 at)
{
    return texelFetch(image, at, 0) + vec4(textureSize(image, 2), 0, 0);
}

void main()
{
    const ivec3 at = ivec3(gl_GlobalInvocationID) - 1;
    const int i = int(gl_LocalInvocationIndex);
    vec4 sum = texelFetch(s1, at.x, 0) + vec4(textureSize(s1, i));
    sum += vec4(texelFetchOffset(s1a, at.xy, 1, 3)) + vec4(textureSize(s1a, 1), 0, 0);
    sum += through(s2[1], at.xy) + texelFetchOffset(s2[i & 1], at.xy, i, ivec2(2, -1));
    sum += vec4(texelFetch(s2a, at, 0)) + vec4(textureSize(s2a, 0), 0);
    sum += texelFetchOffset(s3, at, 2, ivec3(1, 2, -3)) + vec4(textureSize(s3, 1), 0);
    sum += vec4(textureSize(cubes, i), 0) + texture(cubes, vec4(at, 1)) + textureGather(cubes, vec4(at, 0), 1);
    sum += through_apart(t2, at.xy) + vec4(texelFetch(t3, at, 0)) + vec4(textureSize(t3, i), 0);
    sum += texelFetch(many, at.xy, 2) + vec4(textureSize(many), 0, 0);
    sum += texelFetch(buffers, at.x) + vec4(textureSize(buffers));
    sum += textureLod(sampler2D(t2, how), vec2(at), 1.0) + textureGather(s2[0], vec2(at), 2);
    sum +=
        textureGradOffset(shadows, vec4(at, 0.5), vec2(1), vec2(2), ivec2(1)) + textureGather(shadows, vec3(at), 0.5);
    results[i] = sum;
}
