#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D source;
layout(constant_id = 0) const int TAPS = 5;
layout(push_constant) uniform Push
{
    vec2 step_size;
};
layout(location = 0) in vec2 coord;
layout(location = 0) out vec4 color;
const float weight[5] = float[5](0.227027, 0.194595, 0.121622, 0.054054, 0.016216);
void main()
{
    color = texture(source, coord) * weight[0];
    for (int i = 1; i < TAPS; i++) {
        color += texture(source, coord + step_size * float(i)) * weight[i];
        color += texture(source, coord - step_size * float(i)) * weight[i];
    }
}
