#version 450
/* SPDX-License-Identifier: MIT */
/*
 * Ground as games have it: four materials of three textures each, of which a pixel reads those that have a share,
 * cliffs from the side, details near the eye, a light map, and a shadow of five samples. 26 lookups, nearly all in
 * branches.
 */
layout(set = 0, binding = 0) uniform sampler2D shares;
layout(set = 0, binding = 1) uniform sampler2D grass_color;
layout(set = 0, binding = 2) uniform sampler2D grass_normal;
layout(set = 0, binding = 3) uniform sampler2D grass_surface;
layout(set = 0, binding = 4) uniform sampler2D rock_color;
layout(set = 0, binding = 5) uniform sampler2D rock_normal;
layout(set = 0, binding = 6) uniform sampler2D rock_surface;
layout(set = 0, binding = 7) uniform sampler2D sand_color;
layout(set = 0, binding = 8) uniform sampler2D sand_normal;
layout(set = 0, binding = 9) uniform sampler2D sand_surface;
layout(set = 0, binding = 10) uniform sampler2D snow_color;
layout(set = 0, binding = 11) uniform sampler2D snow_normal;
layout(set = 0, binding = 12) uniform sampler2D snow_surface;
layout(set = 0, binding = 13) uniform sampler2D detail;
layout(set = 0, binding = 14) uniform sampler2D light_map;
layout(set = 0, binding = 15) uniform sampler2D shadow;
layout(set = 0, binding = 16) uniform Scene
{
    mat4 shadow_of_world;
    vec4 eye, sun, sun_color, sky_color;
    vec4 scales; /* of the four materials */
    vec4 window; /* size, and one over it */
    float detail_distance, cliff_slope, wetness, has_light_map;
} scene;
layout(location = 0) out vec4 color;

struct Ground {
    vec3 albedo;
    vec3 normal;
    vec3 surface; /* occlusion, roughness, height */
};

void blend(inout Ground sum, vec3 albedo, vec3 normal, vec3 surface, float share)
{
    sum.albedo += share * albedo;
    sum.normal += share * (normal * 2.0 - 1.0);
    sum.surface += share * surface;
}

float lit(vec3 at)
{
    vec4 place = scene.shadow_of_world * vec4(at, 1.0);
    vec3 p = place.xyz / place.w;
    if (any(greaterThan(abs(p.xy - 0.5), vec2(0.5))))
        return 1.0;
    float first = step(p.z, texture(shadow, p.xy).r);
    if (p.z > 0.999)
        return first;
    float sum = first;
    sum += step(p.z, texture(shadow, p.xy + vec2(0.0005, 0.0002)).r);
    sum += step(p.z, texture(shadow, p.xy + vec2(-0.0002, 0.0005)).r);
    sum += step(p.z, texture(shadow, p.xy + vec2(-0.0005, -0.0002)).r);
    sum += step(p.z, texture(shadow, p.xy + vec2(0.0002, -0.0005)).r);
    return sum * 0.2;
}

void main()
{
    vec2 at = gl_FragCoord.xy * scene.window.zw;
    vec3 world = vec3(at.x, 0.1 * sin(at.x * 7.0) * cos(at.y * 5.0), at.y) * 512.0;
    vec3 up = normalize(vec3(-0.7 * cos(at.x * 7.0), 1.0, 0.5 * sin(at.y * 5.0)));
    vec4 share = texture(shares, at);
    Ground ground = Ground(vec3(0.0), vec3(0.0), vec3(0.0));
    if (share.r > 0.01) {
        vec2 uv = world.xz * scene.scales.x;
        blend(ground, texture(grass_color, uv).rgb, texture(grass_normal, uv).xyz, texture(grass_surface, uv).xyz,
              share.r);
    }
    if (share.g > 0.01) {
        vec2 uv = world.xz * scene.scales.y;
        vec3 rock = texture(rock_color, uv).rgb;
        vec3 normal = texture(rock_normal, uv).xyz;
        if (up.y < scene.cliff_slope) {
            vec2 x = world.zy * scene.scales.y, z = world.xy * scene.scales.y;
            vec3 sides = up * up;
            rock = rock * sides.y + texture(rock_color, x).rgb * sides.x + texture(rock_color, z).rgb * sides.z;
            normal = normal * sides.y + texture(rock_normal, x).xyz * sides.x + texture(rock_normal, z).xyz * sides.z;
        }
        blend(ground, rock, normal, texture(rock_surface, uv).xyz, share.g);
    }
    if (share.b > 0.01) {
        vec2 uv = world.xz * scene.scales.z;
        blend(ground, texture(sand_color, uv).rgb, texture(sand_normal, uv).xyz, texture(sand_surface, uv).xyz,
              share.b);
    }
    if (share.a > 0.01) {
        vec2 uv = world.xz * scene.scales.w;
        blend(ground, texture(snow_color, uv).rgb, texture(snow_normal, uv).xyz, texture(snow_surface, uv).xyz,
              share.a);
    }
    float away = distance(world, scene.eye.xyz);
    if (away < scene.detail_distance) {
        vec3 near = texture(detail, world.xz * 4.0).rgb;
        if (away < 0.25 * scene.detail_distance)
            near *= texture(detail, world.xz * 16.0 + ground.surface.z).rgb * 2.0;
        ground.albedo *= mix(near * 2.0, vec3(1.0), away / scene.detail_distance);
    }
    vec3 normal = normalize(up + vec3(ground.normal.x, 0.0, ground.normal.y));
    if (scene.wetness > 0.0) {
        float puddle = scene.wetness * (1.0 - texture(detail, world.xz * 0.05).a);
        normal = mix(normal, vec3(0.0, 1.0, 0.0), puddle);
        ground.surface.y *= 1.0 - puddle;
    }
    vec3 ambient = scene.sky_color.rgb;
    if (scene.has_light_map != 0.0)
        ambient = texture(light_map, at).rgb;
    vec3 eye = normalize(scene.eye.xyz - world);
    float shine = pow(max(dot(normal, normalize(eye + scene.sun.xyz)), 0.0), 2.0 / max(ground.surface.y, 0.05));
    vec3 light = scene.sun_color.rgb * lit(world) * (max(dot(normal, scene.sun.xyz), 0.0) + shine);
    color = vec4(ground.albedo * (ambient * ground.surface.x + light), 1.0);
}
