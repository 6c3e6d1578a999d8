#version 460
/* SPDX-License-Identifier: MIT */
#extension GL_EXT_ray_query : require
// since: 1.2
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) uniform sampler2D albedo_map;
layout(location = 0) in vec3 world;
layout(location = 1) in vec2 coord;
layout(location = 0) out vec4 color;
void main()
{
    rayQueryEXT query;
    rayQueryInitializeEXT(query, scene, gl_RayFlagsTerminateOnFirstHitEXT, 0xff, world, 0.01, vec3(0.0, 1.0, 0.0),
                          100.0);
    while (rayQueryProceedEXT(query)) {
        vec2 b = rayQueryGetIntersectionBarycentricsEXT(query, false);
        if (textureLod(albedo_map, b, 0.0).a > 0.5)
            rayQueryConfirmIntersectionEXT(query);
    }
    float lit = rayQueryGetIntersectionTypeEXT(query, true) == gl_RayQueryCommittedIntersectionNoneEXT ? 1.0 : 0.3;
    color = texture(albedo_map, coord) * lit;
}
