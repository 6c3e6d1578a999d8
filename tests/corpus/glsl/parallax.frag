#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D albedo_map;
layout(set = 0, binding = 1) uniform sampler2D height_map;
layout(set = 0, binding = 2) uniform sampler2D normal_map;
layout(location = 0) in vec2 coord;
layout(location = 1) in vec3 view;
layout(location = 2) in vec3 light;
layout(location = 0) out vec4 color;
vec2 march(vec2 start, vec3 direction)
{
    float layers = mix(32.0, 8.0, abs(direction.z));
    float step_depth = 1.0 / layers, depth = 0.0;
    vec2 step_coord = direction.xy / direction.z * 0.08 / layers;
    vec2 at = start, dx = dFdx(start), dy = dFdy(start);
    float height = 1.0 - textureGrad(height_map, at, dx, dy).r;
    while (depth < height) {
        at -= step_coord;
        height = 1.0 - textureGrad(height_map, at, dx, dy).r;
        depth += step_depth;
    }
    vec2 before = at + step_coord;
    float after_gap = height - depth;
    float before_gap = 1.0 - textureGrad(height_map, before, dx, dy).r - depth + step_depth;
    return mix(at, before, after_gap / (after_gap - before_gap));
}
void main()
{
    vec2 at = march(coord, normalize(view));
    if (any(lessThan(at, vec2(0.0))) || any(greaterThan(at, vec2(1.0))))
        discard;
    vec3 n = normalize(texture(normal_map, at).rgb * 2.0 - 1.0);
    color = texture(albedo_map, at) * max(dot(n, normalize(light)), 0.1);
}
