#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D scene;
layout(set = 0, binding = 1) uniform sampler2D velocity;
layout(location = 0) in vec2 coord;
layout(location = 0) out vec4 color;
void main()
{
    vec2 v = texture(velocity, coord).xy * 0.5;
    int count = clamp(int(length(v) * 512.0), 1, 24);
    color = texture(scene, coord);
    for (int i = 1; i < count; i++)
        color += texture(scene, coord + v * (float(i) / float(count - 1) - 0.5), 0.0);
    color /= float(count);
}
