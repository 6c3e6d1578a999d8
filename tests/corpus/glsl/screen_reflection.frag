#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D color_map;
layout(set = 0, binding = 1) uniform sampler2D depth_map;
layout(set = 0, binding = 2) uniform sampler2D normal_map;
layout(set = 0, binding = 3) uniform Camera
{
    mat4 projection;
    mat4 inverse_projection;
};
layout(location = 0) in vec2 coord;
layout(location = 0) out vec4 color;
vec3 view_place(vec2 at)
{
    vec4 p = inverse_projection * vec4(at * 2.0 - 1.0, textureLod(depth_map, at, 0.0).r, 1.0);
    return p.xyz / p.w;
}
bool trace(vec3 start, vec3 direction, out vec2 hit)
{
    vec3 p = start;
    float stride = 0.1;
    for (int i = 0; i < 40; i++) {
        p += direction * stride;
        vec4 clip = projection * vec4(p, 1.0);
        hit = clip.xy / clip.w * 0.5 + 0.5;
        if (hit != clamp(hit, 0.0, 1.0))
            return false;
        float gap = view_place(hit).z - p.z;
        if (gap > 0.0) {
            if (gap < 0.3)
                return true;
            p -= direction * stride;
            stride *= 0.5;
        } else {
            stride *= 1.1;
        }
    }
    return false;
}
void main()
{
    vec3 p = view_place(coord);
    vec4 surface = texture(normal_map, coord);
    vec2 hit;
    color = vec4(0.0);
    if (surface.a > 0.1 && trace(p, reflect(normalize(p), normalize(surface.xyz * 2.0 - 1.0)), hit)) {
        vec2 edge = smoothstep(0.0, 0.1, hit) * smoothstep(1.0, 0.9, hit);
        color = vec4(textureLod(color_map, hit, (1.0 - surface.a) * 5.0).rgb, edge.x * edge.y);
    }
}
