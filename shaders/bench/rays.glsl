#version 460
#extension GL_EXT_ray_tracing : require
/* SPDX-License-Identifier: MIT */
/*
 * One ray a pixel, which hits: the closest hit shader looks four textures up as textured.frag does, 16 lookups, or with
 * ONE one lookup. DEFINES: RAYGEN, MISS or HIT.
 */
layout(set = 0, binding = 0) uniform sampler2D unit0;
layout(set = 0, binding = 1) uniform sampler2D unit1;
layout(set = 0, binding = 2) uniform sampler2D unit2;
layout(set = 0, binding = 3) uniform sampler2D unit3;
layout(set = 1, binding = 0) uniform accelerationStructureEXT world;
layout(set = 1, binding = 1) buffer Pixels
{
    vec4 pixels[];
};
layout(push_constant) uniform Placement
{
    vec2 scale;  /* coordinates per pixel */
    vec2 origin; /* coordinate of pixel 0 */
} placement;

#ifdef RAYGEN
layout(location = 0) rayPayloadEXT vec4 found;
void main()
{
    found = vec4(0.0);
    traceRayEXT(world, gl_RayFlagsOpaqueEXT, 0xffu, 0u, 0u, 0u, vec3(0.0), 0.001, vec3(0.0, 0.0, 1.0), 10.0, 0);
    pixels[gl_LaunchIDEXT.y * gl_LaunchSizeEXT.x + gl_LaunchIDEXT.x] = found;
}
#else
layout(location = 0) rayPayloadInEXT vec4 found;

#define four(at)                                                                                                       \
    (textureLod(unit0, at, lod) + textureLod(unit1, (at).yx, lod) + textureLod(unit2, 0.9375 * (at), lod) +            \
     textureLod(unit3, 1.0625 * (at).yx, lod))

void main()
{
#ifdef MISS
    found = vec4(1.0);
#else
    /* Textures are 1,024 texels wide. */
    float lod = log2(max(1024.0 * placement.scale.x, 1.0));
    vec2 at = (vec2(gl_LaunchIDEXT.xy) + 0.5) * placement.scale + placement.origin;
#ifdef ONE
    found = textureLod(unit0, at, lod);
#else
    vec4 sum = four(at);
    sum += four(at + vec2(0.013, -0.021));
    sum += four(at + vec2(-0.031, 0.017));
    sum += four(at * 1.03125);
    found = sum / 16.0;
#endif
#endif
}
#endif
