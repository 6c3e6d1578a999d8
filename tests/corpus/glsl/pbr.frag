#version 450
/* SPDX-License-Identifier: MIT */
// Metal and roughness with image-based light.
layout(set = 0, binding = 0) uniform Frame
{
    mat4 view_projection;
    vec4 eye;
    vec4 light_position[4];
    vec4 light_color[4];
    float exposure;
    float levels;
};
layout(set = 1, binding = 0) uniform sampler2D albedo_map;
layout(set = 1, binding = 1) uniform sampler2D normal_map;
layout(set = 1, binding = 2) uniform sampler2D surface_map;
layout(set = 1, binding = 3) uniform sampler2D emission_map;
layout(set = 2, binding = 0) uniform samplerCube irradiance_map;
layout(set = 2, binding = 1) uniform samplerCube radiance_map;
layout(set = 2, binding = 2) uniform sampler2D brdf_table;
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 coord;
layout(location = 0) out vec4 color;
const float PI = 3.14159265;

float distribution(float n_dot_h, float roughness)
{
    float a2 = roughness * roughness * roughness * roughness;
    float d = n_dot_h * n_dot_h * (a2 - 1.0) + 1.0;
    return a2 / (PI * d * d);
}

float visibility(float n_dot_v, float n_dot_l, float roughness)
{
    float k = (roughness + 1.0) * (roughness + 1.0) / 8.0;
    return 1.0 / ((n_dot_v * (1.0 - k) + k) * (n_dot_l * (1.0 - k) + k) * 4.0);
}

vec3 fresnel(float cosine, vec3 f0)
{
    return f0 + (1.0 - f0) * pow(clamp(1.0 - cosine, 0.0, 1.0), 5.0);
}

void main()
{
    vec4 base = texture(albedo_map, coord);
    if (base.a < 0.5)
        discard;
    vec3 surface = texture(surface_map, coord).rgb;
    vec3 bump = texture(normal_map, coord).xyz * 2.0 - 1.0;
    vec3 n = normalize(normal), t = normalize(tangent.xyz - n * dot(n, tangent.xyz));
    n = normalize(mat3(t, cross(n, t) * tangent.w, n) * bump);
    vec3 v = normalize(eye.xyz - position);
    float roughness = max(surface.g, 0.04), metal = surface.b;
    vec3 f0 = mix(vec3(0.04), base.rgb, metal);
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 4; i++) {
        vec3 to_light = light_position[i].xyz - position;
        vec3 l = normalize(to_light), h = normalize(l + v);
        float n_dot_l = max(dot(n, l), 0.0);
        vec3 f = fresnel(max(dot(h, v), 0.0), f0);
        vec3 specular =
            f * distribution(max(dot(n, h), 0.0), roughness) * visibility(max(dot(n, v), 0.001), n_dot_l, roughness);
        sum += ((1.0 - f) * (1.0 - metal) * base.rgb / PI + specular) * light_color[i].rgb * n_dot_l /
               dot(to_light, to_light);
    }
    vec3 ambient = texture(irradiance_map, n).rgb * base.rgb * (1.0 - metal);
    vec2 brdf = texture(brdf_table, vec2(max(dot(n, v), 0.0), roughness)).rg;
    vec3 reflected = textureLod(radiance_map, reflect(-v, n), roughness * levels).rgb * (f0 * brdf.x + brdf.y);
    color = vec4((sum + (ambient + reflected) * surface.r + texture(emission_map, coord).rgb) * exposure, base.a);
}
