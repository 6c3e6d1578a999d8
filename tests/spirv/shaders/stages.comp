#version 450
/* SPDX-License-Identifier: MIT */

layout(local_size_x = 4) in;
layout(set = 0, binding = 0) uniform sampler3D s;
layout(set = 0, binding = 1, rgba8) writeonly uniform image2D image;

void main()
{
    vec3 c = vec3(gl_GlobalInvocationID);
    imageStore(image, ivec2(0), textureLod(s, c, 1.5) + textureGrad(s, c, vec3(2), vec3(3)));
}
