#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform samplerCubeShadow shadow_cube;
layout(set = 0, binding = 1) uniform samplerCubeArrayShadow shadow_cubes;
layout(location = 0) in vec3 to_light;
layout(location = 1) flat in int light;
layout(location = 0) out float shade;
void main()
{
    float depth = length(to_light) / 50.0;
    shade = light < 0 ? texture(shadow_cube, vec4(to_light, depth))
                      : texture(shadow_cubes, vec4(to_light, float(light)), depth);
}
