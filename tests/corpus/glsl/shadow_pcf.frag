#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2DShadow shadow_map;
layout(set = 0, binding = 1) uniform sampler2D albedo_map;
layout(location = 0) in vec4 in_light;
layout(location = 1) in vec2 coord;
layout(location = 0) out vec4 color;
float lit(vec4 at)
{
    vec2 texel = 1.0 / vec2(textureSize(shadow_map, 0));
    vec3 p = at.xyz / at.w;
    float sum = 0.0;
    for (int y = -2; y <= 2; y++)
        for (int x = -2; x <= 2; x++)
            sum += texture(shadow_map, vec3(p.xy + vec2(x, y) * texel, p.z - 0.001));
    return sum / 25.0;
}
void main()
{
    color = texture(albedo_map, coord) * (0.2 + 0.8 * lit(in_light));
}
