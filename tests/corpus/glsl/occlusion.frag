#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D depth_map;
layout(set = 0, binding = 1) uniform sampler2D normal_map;
layout(set = 0, binding = 2) uniform sampler2D noise_map;
layout(set = 0, binding = 3) uniform Kernel
{
    mat4 projection;
    mat4 inverse_projection;
    vec4 kernel[32];
    vec2 noise_scale;
};
layout(location = 0) in vec2 coord;
layout(location = 0) out float open;
vec3 place(vec2 at)
{
    vec4 p = inverse_projection * vec4(at * 2.0 - 1.0, texture(depth_map, at).r, 1.0);
    return p.xyz / p.w;
}
void main()
{
    vec3 p = place(coord), n = normalize(texture(normal_map, coord).xyz * 2.0 - 1.0);
    vec3 random = vec3(texture(noise_map, coord * noise_scale).xy * 2.0 - 1.0, 0.0);
    vec3 t = normalize(random - n * dot(random, n));
    mat3 base = mat3(t, cross(n, t), n);
    float hidden = 0.0;
    for (int i = 0; i < 32; i++) {
        vec3 s = p + base * kernel[i].xyz * 0.5;
        vec4 clip = projection * vec4(s, 1.0);
        float there = place(clip.xy / clip.w * 0.5 + 0.5).z;
        hidden += there >= s.z + 0.025 ? smoothstep(0.0, 1.0, 0.5 / abs(p.z - there)) : 0.0;
    }
    open = 1.0 - hidden / 32.0;
}
