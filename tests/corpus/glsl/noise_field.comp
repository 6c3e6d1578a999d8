#version 450
/* SPDX-License-Identifier: MIT */
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
layout(set = 0, binding = 0, rgba16f) uniform writeonly image3D target;
vec3 hash(uvec3 p)
{
    p = (p >> 8u ^ p.yzx) * 1103515245u;
    p = (p >> 8u ^ p.yzx) * 1103515245u;
    return vec3(p) / float(0xffffffffu);
}
void main()
{
    vec3 p = vec3(gl_GlobalInvocationID) / 16.0;
    float nearest = 1e9, value = 0.0, weight = 0.5;
    for (int octave = 0; octave < 4; octave++) {
        for (int i = 0; i < 27; i++) {
            vec3 cell = floor(p) + vec3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
            nearest = min(nearest, distance(p, cell + hash(uvec3(ivec3(cell) & 255))));
        }
        value += weight * nearest;
        weight *= 0.5;
        p *= 2.0;
    }
    imageStore(target, ivec3(gl_GlobalInvocationID), vec4(value));
}
