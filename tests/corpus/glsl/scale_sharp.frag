#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D source;
layout(location = 0) in vec2 coord;
layout(location = 0) out vec4 color;
void main()
{
    vec4 r = textureGather(source, coord, 0), g = textureGather(source, coord, 1), b = textureGather(source, coord, 2);
    vec4 l = r * 0.3 + g * 0.6 + b * 0.1;
    ivec2 best = ivec2(0);
    vec4 far = textureGatherOffsets(source, coord, ivec2[4](ivec2(-1, -1), ivec2(2, -1), ivec2(2, 2), ivec2(-1, 2)), 1);
    vec2 f = fract(coord * vec2(textureSize(source, 0)) - 0.5);
    vec4 w = vec4((1.0 - f.x) * f.y, f.x * f.y, f.x * (1.0 - f.y), (1.0 - f.x) * (1.0 - f.y));
    w *= 1.0 + (l - dot(l, vec4(0.25))) * 0.5 - abs(far - g) * 0.1;
    color = vec4(dot(r, w), dot(g, w), dot(b, w), 1.0) / dot(w, vec4(1.0));
}
