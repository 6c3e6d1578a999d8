#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_quad : require
// since: 1.1
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) uniform sampler2D source;
layout(std430, set = 0, binding = 1) buffer Sums
{
    vec4 sums[];
};
void main()
{
    vec4 c = textureLod(source, vec2(gl_GlobalInvocationID.xy) / 1024.0, 0.0);
    c = subgroupAdd(c) + subgroupQuadSwapHorizontal(c);
    if (subgroupElect())
        sums[gl_WorkGroupID.x] = c;
}
