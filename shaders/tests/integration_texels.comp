#version 450
/* SPDX-License-Identifier: MIT */

// Four texels of a texel buffer (three of them twice and more) and its size, the first texel of another, and one whose
// index the other knows: some in a loop, others in one block, where they can share code but for the last.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform samplerBuffer texels;
layout(set = 0, binding = 1) uniform samplerBuffer others[2];
layout(std430, set = 0, binding = 2) buffer Seen
{
    vec4 of[7];
} seen;

void main()
{
    for (int i = 0; i < 3; i++) {
        seen.of[i] = texelFetch(texels, i);
    }
    const vec4 first = texelFetch(texels, 0);
    const vec4 second = texelFetch(texels, 1);
    const vec4 other = texelFetch(others[1], 0);
    const vec4 again = texelFetch(texels, 2);
    const vec4 fourth = texelFetch(texels, 3);
    const vec4 third = texelFetch(texels, 2);
    const vec4 known = texelFetch(texels, int(other.x));
    seen.of[0] += first;
    seen.of[1] += second;
    seen.of[2] += 0.5 * (third + again);
    seen.of[3] = fourth;
    seen.of[4] = vec4(float(textureSize(texels)), 0.0, 0.0, 0.0);
    seen.of[5] = other;
    seen.of[6] = known;
}
