#version 450
/* SPDX-License-Identifier: MIT */
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Places
{
    vec4 places[];
};
layout(std430, set = 0, binding = 1) buffer Speeds
{
    vec4 speeds[];
};
layout(push_constant) uniform Push
{
    uint count;
    float step_time;
};
shared vec4 tile[64];
void main()
{
    uint i = gl_GlobalInvocationID.x;
    vec4 me = i < count ? places[i] : vec4(0.0);
    vec3 force = vec3(0.0);
    for (uint first = 0u; first < count; first += 64u) {
        uint j = first + gl_LocalInvocationIndex;
        tile[gl_LocalInvocationIndex] = j < count ? places[j] : vec4(0.0);
        barrier();
        for (int k = 0; k < 64; k++) {
            vec3 d = tile[k].xyz - me.xyz;
            float r = dot(d, d) + 0.01;
            force += d * tile[k].w * inversesqrt(r * r * r);
        }
        barrier();
    }
    if (i < count) {
        vec4 speed = speeds[i] + vec4(force * step_time, 0.0);
        speeds[i] = speed;
        places[i] = vec4(me.xyz + speed.xyz * step_time, me.w);
    }
}
