#version 450
/* SPDX-License-Identifier: MIT */
layout(local_size_x = 256) in;
struct Particle {
    vec4 place;
    vec4 speed;
};
layout(std430, set = 0, binding = 0) buffer Particles
{
    Particle particles[];
};
layout(set = 0, binding = 1) uniform sampler3D wind;
layout(set = 0, binding = 2) uniform sampler2D depth_map;
layout(push_constant) uniform Push
{
    mat4 view_projection;
    float step_time;
    uint count;
};
void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= count)
        return;
    Particle p = particles[i];
    vec3 push = texture(wind, p.place.xyz * 0.01).xyz * 2.0 - 1.0;
    p.speed.xyz += (push * 4.0 - vec3(0.0, 9.81, 0.0)) * step_time;
    vec3 next = p.place.xyz + p.speed.xyz * step_time;
    vec4 clip = view_projection * vec4(next, 1.0);
    vec2 at = clip.xy / clip.w * 0.5 + 0.5;
    if (all(greaterThan(at, vec2(0.0))) && all(lessThan(at, vec2(1.0)))) {
        float depth = textureLod(depth_map, at, 0.0).r;
        if (clip.z / clip.w > depth)
            p.speed.xyz = reflect(p.speed.xyz, vec3(0.0, 1.0, 0.0)) * 0.5;
    }
    p.place.xyz += p.speed.xyz * step_time;
    p.place.w -= step_time;
    particles[i] = p;
}
