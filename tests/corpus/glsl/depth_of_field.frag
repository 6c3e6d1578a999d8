#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform texture2D scene;
layout(set = 0, binding = 1) uniform texture2D depth_image;
layout(set = 0, binding = 2) uniform sampler smooth_sampler;
layout(set = 0, binding = 3) uniform sampler sharp_sampler;
layout(push_constant) uniform Push
{
    float focus;
    float range;
};
layout(location = 0) in vec2 coord;
layout(location = 0) out vec4 color;
float blur(vec2 at)
{
    return clamp(abs(textureLod(sampler2D(depth_image, sharp_sampler), at, 0.0).r - focus) / range, 0.0, 1.0);
}
void main()
{
    float size = blur(coord) * 8.0;
    vec4 sum = texture(sampler2D(scene, smooth_sampler), coord);
    float total = 1.0, radius = 0.5, angle = 0.0;
    while (radius < size) {
        vec2 at = coord + vec2(cos(angle), sin(angle)) * radius * 0.002;
        float w = smoothstep(radius - 0.5, radius + 0.5, blur(at) * 8.0);
        sum += mix(sum / total, texture(sampler2D(scene, smooth_sampler), at), w);
        total += 1.0;
        angle += 2.39996;
        radius += 0.5 / radius;
    }
    color = sum / total;
}
