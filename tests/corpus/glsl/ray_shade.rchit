#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_EXT_nonuniform_qualifier : require
// since: 1.2
struct Vertex { vec4 position; vec4 normal; vec4 coord; };
layout(std430, set = 0, binding = 1) readonly buffer Vertices { Vertex vertices[]; };
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 1, binding = 0) uniform sampler2D maps[64];
layout(location = 0) rayPayloadInEXT vec4 result;
layout(location = 1) rayPayloadEXT float shade;
hitAttributeEXT vec2 where;
void main()
{
    vec3 weight = vec3(1.0 - where.x - where.y, where);
    vec4 coord = vec4(0.0), normal = vec4(0.0);
    for (int i = 0; i < 3; i++) {
        coord += vertices[gl_PrimitiveID * 3 + i].coord * weight[i];
        normal += vertices[gl_PrimitiveID * 3 + i].normal * weight[i];
    }
    vec4 albedo = textureLod(maps[nonuniformEXT(gl_InstanceCustomIndexEXT)], coord.xy, gl_HitTEXT * 0.1);
    shade = 0.0;
    vec3 p = gl_WorldRayOriginEXT + gl_WorldRayDirectionEXT * gl_HitTEXT;
    traceRayEXT(scene, gl_RayFlagsTerminateOnFirstHitEXT, 0xff, 0, 1, 1, p, 0.01, normal.xyz, 100.0, 1);
    result = albedo * (0.2 + shade);
}
