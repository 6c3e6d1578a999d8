#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D albedo_map;
layout(set = 0, binding = 1) uniform sampler2D normal_map;
layout(set = 0, binding = 2) uniform sampler2D depth_map;
struct Light {
    vec4 place;
    vec4 color;
};
layout(std430, set = 0, binding = 3) readonly buffer Lights
{
    uint count;
    Light lights[];
};
layout(set = 0, binding = 4) uniform Camera
{
    mat4 inverse_projection;
};
layout(location = 0) in vec2 coord;
layout(location = 0) out vec4 color;
vec3 unfold(vec2 e)
{
    vec3 n = vec3(e, 1.0 - abs(e.x) - abs(e.y));
    if (n.z < 0.0)
        n.xy = (1.0 - abs(n.yx)) * sign(n.xy);
    return normalize(n);
}
void main()
{
    float depth = textureLod(depth_map, coord, 0.0).r;
    if (depth == 1.0) {
        color = vec4(0.0);
        return;
    }
    vec4 place = inverse_projection * vec4(coord * 2.0 - 1.0, depth, 1.0);
    place /= place.w;
    vec3 albedo = textureLod(albedo_map, coord, 0.0).rgb;
    vec3 n = unfold(textureLod(normal_map, coord, 0.0).xy);
    vec3 sum = albedo * 0.05;
    for (uint i = 0u; i < count; i++) {
        vec3 way = lights[i].place.xyz - place.xyz;
        float far = dot(way, way);
        float range = lights[i].place.w;
        if (far > range * range)
            continue;
        float fall = 1.0 - sqrt(far) / range;
        sum += albedo * lights[i].color.rgb * max(dot(n, way) * inversesqrt(far), 0.0) * fall * fall;
    }
    color = vec4(sum, 1.0);
}
