#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_EXT_nonuniform_qualifier : require
/* Images and samplers of one binding whose descriptors are either: row by row an even one through an odd one. */
layout(set = 0, binding = 0) uniform texture2D images[];
layout(set = 0, binding = 0) uniform sampler samplers[];
layout(location = 0) out vec4 color;
void main()
{
    vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, 0.5);
    float rows[6] =
        float[](texture(sampler2D(images[0], samplers[1]), at).r, texture(sampler2D(images[2], samplers[3]), at).r,
                texture(sampler2D(images[4], samplers[5]), at).r, texture(sampler2D(images[6], samplers[7]), at).r,
                texture(sampler2D(images[8], samplers[9]), at).r, texture(sampler2D(images[10], samplers[11]), at).r);
    color = vec4(rows[int(gl_FragCoord.y)], 0.0, 0.0, 1.0);
}
