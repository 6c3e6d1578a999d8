#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_EXT_nonuniform_qualifier : require
// since: 1.2
layout(set = 0, binding = 0) uniform sampler2D maps[];
layout(set = 0, binding = 0) uniform sampler2DArray arrays[];
layout(set = 1, binding = 5) uniform samplerCube cubes[];
layout(location = 0) in vec3 at;
layout(location = 1) flat in ivec3 which;
layout(location = 0) out vec4 color;
void main()
{
    color = texture(maps[nonuniformEXT(which.x)], at.xy);
    if (which.y >= 0)
        color *= texture(arrays[which.y], at);
    color += textureLod(cubes[nonuniformEXT(which.z)], at, 2.0);
}
