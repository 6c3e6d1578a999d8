#version 450
/* SPDX-License-Identifier: MIT */
layout(local_size_x = 256) in;
layout(std430, set = 0, binding = 0) buffer Data
{
    uint data[];
};
shared uint values[256];
void main()
{
    uint i = gl_LocalInvocationIndex;
    values[i] = data[gl_GlobalInvocationID.x];
    barrier();
    for (uint d = 1u; d < 256u; d *= 2u) {
        uint left = i >= d ? values[i - d] : 0u;
        barrier();
        values[i] += left;
        barrier();
    }
    data[gl_GlobalInvocationID.x] = values[i];
}
