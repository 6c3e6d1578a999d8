#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D small;
layout(set = 0, binding = 1) uniform sampler2D large;
layout(push_constant) uniform Push
{
    float radius;
    float strength;
};
layout(location = 0) in vec2 coord;
layout(location = 0) out vec4 color;
void main()
{
    vec2 d = radius / vec2(textureSize(small, 0));
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 9; i++) {
        vec2 at = vec2(i % 3 - 1, i / 3 - 1);
        sum += texture(small, coord + at * d) * (4.0 / exp2(abs(at.x) + abs(at.y)));
    }
    color = texture(large, coord) + sum / 16.0 * strength;
}
