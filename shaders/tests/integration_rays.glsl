#version 460
#ifdef NV
#extension GL_NV_ray_tracing : require
#define accelerationStructureEXT accelerationStructureNV
#define gl_LaunchIDEXT gl_LaunchIDNV
#define gl_RayFlagsOpaqueEXT gl_RayFlagsOpaqueNV
#define rayPayloadEXT rayPayloadNV
#define rayPayloadInEXT rayPayloadInNV
#define traceRayEXT traceNV
#else
#extension GL_EXT_ray_tracing : require
#endif
/* SPDX-License-Identifier: MIT */
/*
 * The pixels of integration_lookup.comp, looked up by ray tracing stages: rows 0 and 1 by the ray generation shader, 2
 * and 3 by the miss shader, 4 and 5 by the closest hit shader. DEFINES: RAYGEN, MISS or HIT; NV for the other
 * extension.
 */
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 1) buffer Pixels
{
    vec4 pixels[48];
};
layout(set = 1, binding = 0) uniform accelerationStructureEXT world;

float looked_up()
{
    vec2 at = vec2((float(gl_LaunchIDEXT.x) + 0.5) * 3.0 / 8.0 - 1.0, 0.5);
    return textureLod(image, at, 0.0).r;
}

#ifdef RAYGEN
layout(location = 0) rayPayloadEXT vec2 found; /* the texel, and the number of the stage that looked it up */
void main()
{
    uint row = gl_LaunchIDEXT.y;
    float to = row < 4u ? -1.0 : 1.0;
    found = vec2(-1.0);
    if (row < 2u)
        found = vec2(looked_up(), 0.0);
    else
        traceRayEXT(world, gl_RayFlagsOpaqueEXT, 0xffu, 0u, 0u, 0u, vec3(0.0), 0.001, vec3(0.0, 0.0, to), 10.0, 0);
    pixels[row * 8u + gl_LaunchIDEXT.x] = vec4(found, 0.0, 1.0);
}
#else
layout(location = 0) rayPayloadInEXT vec2 found;
void main()
{
#ifdef MISS
    found = vec2(looked_up(), 1.0);
#else
    found = vec2(looked_up(), 2.0);
#endif
}
#endif
