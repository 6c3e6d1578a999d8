#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_EXT_nonuniform_qualifier : require
/* Six images of a heap, whose descriptors may have other types as well, by two samplers: one a row of the target. */
layout(set = 0, binding = 0) uniform sampler samplers[2];
layout(set = 0, binding = 3) uniform texture2D heap[];
layout(location = 0) out vec4 color;
void main()
{
    vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, 0.5);
    float rows[6] =
        float[](texture(sampler2D(heap[0], samplers[0]), at).r, texture(sampler2D(heap[1], samplers[1]), at).r,
                texture(sampler2D(heap[2], samplers[0]), at).r, texture(sampler2D(heap[3], samplers[1]), at).r,
                texture(sampler2D(heap[4], samplers[0]), at).r, texture(sampler2D(heap[5], samplers[1]), at).r);
    color = vec4(rows[int(gl_FragCoord.y)], 0.0, 0.0, 1.0);
}
