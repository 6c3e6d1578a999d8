#version 450
/* SPDX-License-Identifier: MIT */

// As in pairs.frag, with cubes and comparisons: no lookup that chooses a level by derivatives may be left.

layout(set = 0, binding = 0) uniform textureCube t;
layout(set = 0, binding = 1) uniform textureCubeArray ta;
layout(set = 1, binding = 0) uniform sampler s;

layout(location = 0) in vec4 c;
layout(location = 0) out vec4 o;

vec4 of_pair(textureCube image, sampler with, vec3 at)
{
    return textureLod(samplerCube(image, with), at, c.w);
}

vec4 handed_on(textureCube image, sampler with)
{
    return of_pair(image, with, c.xyz) + of_pair(image, with, c.zyx);
}

void main()
{
    o = texture(samplerCube(t, s), c.xyz) + texture(samplerCubeArray(ta, s), c, c.x);
    if (c.x > 0.5) {
        o += textureGrad(samplerCube(t, s), c.xyz, c.yzx, c.zxy);
    }
    if (c.y > 0.5) {
        o += textureGather(samplerCube(t, s), c.xyz, 3);
    }
    o += handed_on(t, s);
}
