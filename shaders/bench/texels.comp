#version 450
/* SPDX-License-Identifier: MIT */

// Sixteen texels of a texel buffer for each invocation, at indices that only the invocation knows.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform samplerBuffer texels;
layout(std430, set = 0, binding = 2) writeonly buffer Sums
{
    vec4 of[];
} sums;
layout(push_constant) uniform Pushed
{
    uint mask;   // number of texels - 1, a power of two
    uint apart;  // texels from what an invocation reads to what its neighbour reads
    uint stride; // and to what it reads next itself
} pushed;

#define ONE(i) sum += texelFetch(texels, int((first + pushed.stride * (i)) & pushed.mask))
#define FOUR(i) ONE(i), ONE(i + 1u), ONE(i + 2u), ONE(i + 3u)

void main()
{
    const uint first = gl_GlobalInvocationID.x * pushed.apart;
    vec4 sum = vec4(0.0);
    FOUR(0u), FOUR(4u), FOUR(8u), FOUR(12u);
    sums.of[gl_GlobalInvocationID.x] = sum;
}
