#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform isampler3D ids;
layout(location = 0) in vec3 coord;
layout(location = 0) out ivec4 id;
void main()
{
    id = texture(ids, coord) + textureOffset(ids, coord, ivec3(1, 0, -1)) + textureProj(ids, vec4(coord, 2.0));
}
