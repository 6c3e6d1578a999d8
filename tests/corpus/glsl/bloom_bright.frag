#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D scene;
layout(push_constant) uniform Push
{
    float threshold;
    float knee;
};
layout(location = 0) in vec2 coord;
layout(location = 0) out vec4 color;
void main()
{
    vec3 c = texture(scene, coord).rgb;
    float brightness = max(c.r, max(c.g, c.b));
    float soft = clamp(brightness - threshold + knee, 0.0, 2.0 * knee);
    soft = soft * soft / (4.0 * knee + 0.0001);
    color = vec4(c * max(soft, brightness - threshold) / max(brightness, 0.0001), 1.0);
}
