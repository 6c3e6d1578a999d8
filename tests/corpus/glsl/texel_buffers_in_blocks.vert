#version 450
/* SPDX-License-Identifier: MIT */
// Fetches that may share code, and what keeps them apart: other buffers, other types at one binding, results that the
// next index needs, stores in between, loops, functions.
layout(set = 0, binding = 0) uniform samplerBuffer matrices;
layout(set = 0, binding = 0) uniform usamplerBuffer matrix_bits;
layout(set = 0, binding = 1) uniform isamplerBuffer joints;
layout(set = 0, binding = 2) uniform samplerBuffer morphs[3];
layout(std430, set = 0, binding = 3) buffer Log
{
    uint entries[];
} log_buffer;
layout(location = 0) in vec4 position;
layout(location = 1) flat out uvec4 bits;

mat4 matrix(samplerBuffer from, int first)
{
    return mat4(texelFetch(from, first), texelFetch(from, first + 1), texelFetch(from, first + 2),
                texelFetch(from, first + 3));
}

void main()
{
    const int i = gl_VertexIndex;
    const ivec4 joint = texelFetch(joints, i);
    const vec4 row0 = texelFetch(matrices, joint.x * 3);
    const vec4 row1 = texelFetch(matrices, joint.x * 3 + 1);
    const uvec4 raw0 = texelFetch(matrix_bits, joint.x * 3);
    const uvec4 raw1 = texelFetch(matrix_bits, joint.x * 3 + 1);
    const uvec4 raw2 = texelFetch(matrix_bits, joint.x * 3 + 2);
    log_buffer.entries[0] = raw0.x;
    const vec4 row2 = texelFetch(matrices, joint.x * 3 + 2);
    vec4 moved = vec4(dot(row0, position), dot(row1, position), dot(row2, position), 1.0);
    moved += texelFetch(morphs[0], i) + texelFetch(morphs[0], i + 1) + texelFetch(morphs[0], i + 2) +
             texelFetch(morphs[2], i) + texelFetch(morphs[2], int(moved.x));
    for (int k = 0; k < joint.y; k++) {
        moved += texelFetch(matrices, k) * texelFetch(matrices, k + 64) + texelFetch(matrices, k + textureSize(joints));
    }
    bits = raw0 + raw1 + raw2;
    gl_Position = matrix(matrices, joint.z) * matrix(morphs[1], joint.w) * moved;
}
