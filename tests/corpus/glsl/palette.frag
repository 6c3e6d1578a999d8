#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform usampler2D indices;
layout(set = 0, binding = 1) uniform sampler1D palette;
layout(set = 0, binding = 2) uniform isampler2DArray shifts;
layout(location = 0) in vec2 coord;
layout(location = 0) out vec4 color;
void main()
{
    uint i = texture(indices, coord).r;
    int shift = textureLod(shifts, vec3(coord, float(i & 3u)), 0.0).r;
    uvec4 around = textureGather(indices, coord);
    color = textureLod(palette, (float(int(i) + shift) + 0.5) / 256.0, 0.0);
    if (any(notEqual(around, uvec4(i))))
        color.rgb *= 0.5;
}
