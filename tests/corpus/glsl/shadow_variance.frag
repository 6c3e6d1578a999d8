#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D moments_map;
layout(location = 0) in vec4 at;
layout(location = 0) out float shade;
void main()
{
    vec2 moments = textureProj(moments_map, at).rg;
    float depth = at.z / at.w;
    float variance = max(moments.y - moments.x * moments.x, 0.00002);
    float d = depth - moments.x;
    shade = d <= 0.0 ? 1.0 : smoothstep(0.2, 1.0, variance / (variance + d * d));
}
