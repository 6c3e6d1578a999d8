#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D luma_map;
layout(location = 0) in vec2 coord;
layout(location = 0) out vec2 edges;
void main()
{
    vec4 a = textureGather(luma_map, coord, 1);
    vec4 b = textureGatherOffset(luma_map, coord, ivec2(-1, -1), 1);
    float sides = abs(a.w - b.z) + abs(a.w - a.z), verticals = abs(a.w - b.x) + abs(a.w - a.x);
    edges = step(vec2(0.1), vec2(sides, verticals));
    if (dot(edges, vec2(1.0)) == 0.0)
        discard;
}
