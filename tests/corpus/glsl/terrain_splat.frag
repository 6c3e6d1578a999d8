#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D weight_map;
layout(set = 0, binding = 1) uniform sampler2DArray layer_colors;
layout(set = 0, binding = 2) uniform sampler2DArray layer_normals;
layout(set = 0, binding = 3) uniform sampler2D far_map;
layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec4 color;
vec4 three_planes(sampler2DArray images, vec3 p, vec3 blend, float layer)
{
    return texture(images, vec3(p.yz, layer)) * blend.x + texture(images, vec3(p.zx, layer)) * blend.y +
           texture(images, vec3(p.xy, layer)) * blend.z;
}
void main()
{
    vec4 weights = texture(weight_map, world.xz / 1024.0);
    vec3 blend = pow(abs(normal), vec3(4.0));
    blend /= blend.x + blend.y + blend.z;
    vec4 albedo = vec4(0.0), bump = vec4(0.0);
    for (int i = 0; i < 4; i++) {
        if (weights[i] > 0.01) {
            albedo += weights[i] * three_planes(layer_colors, world * 0.25, blend, float(i));
            bump += weights[i] * three_planes(layer_normals, world * 0.25, blend, float(i));
        }
    }
    float fade = clamp(length(world) / 500.0, 0.0, 1.0);
    color = mix(albedo, texture(far_map, world.xz / 4096.0), fade) *
            max(dot(normalize(normal + bump.xyz), vec3(0.3, 0.9, 0.3)), 0.0);
}
