#version 450
/* SPDX-License-Identifier: MIT */
/* What the constants say: which row is looked up and what is added to it; defaults that show if they get lost. */
layout(constant_id = 3) const int shown = 5;
layout(constant_id = 7) const float added = 100.0;
layout(constant_id = 8) const bool looks_up = false;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main()
{
    vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, 0.5);
    float value = looks_up ? texture(image, at).r : 50.0;
    color = vec4(int(gl_FragCoord.y) == shown ? value + added : 0.0, 0.0, 0.0, 1.0);
}
