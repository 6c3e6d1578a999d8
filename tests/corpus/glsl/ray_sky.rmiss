#version 460
#extension GL_EXT_ray_tracing : require
// since: 1.2
layout(set = 0, binding = 2) uniform sampler2D panorama;
layout(location = 0) rayPayloadInEXT vec4 result;
void main()
{
    vec3 d = gl_WorldRayDirectionEXT;
    result = textureLod(panorama, vec2(atan(d.z, d.x) * 0.15915 + 0.5, acos(d.y) * 0.31831), 0.0);
}
