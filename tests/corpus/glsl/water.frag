#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D normal_map;
layout(set = 0, binding = 1) uniform sampler2D reflection_map;
layout(set = 0, binding = 2) uniform sampler2D refraction_map;
layout(set = 0, binding = 3) uniform sampler2D foam_map;
layout(location = 0) in vec4 clip;
layout(location = 1) in vec2 coord;
layout(location = 2) in vec3 view;
layout(push_constant) uniform Push
{
    float time;
};
layout(location = 0) out vec4 color;
void main()
{
    vec2 a = texture(normal_map, coord + time * vec2(0.02, 0.01)).rg,
         b = texture(normal_map, coord * 3.0 - time * 0.03).rg;
    vec2 bend = (a + b - 1.0) * 0.05;
    vec4 at = clip + vec4(bend * clip.w, 0.0, 0.0);
    vec4 above = textureProj(reflection_map, at), below = textureProj(refraction_map, at.xyw, -1.0);
    float f = 0.02 + 0.98 * pow(1.0 - max(normalize(view).y, 0.0), 5.0);
    color = mix(below, above, f) + texture(foam_map, coord * 8.0 + bend).r * 0.2;
}
