#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D scene;
layout(set = 0, binding = 1) uniform sampler2D bloom;
layout(set = 0, binding = 2) uniform sampler3D grading;
layout(set = 0, binding = 3) uniform sampler2D luminance;
layout(constant_id = 0) const int OPERATOR = 1;
layout(location = 0) in vec2 coord;
layout(location = 0) out vec4 color;
vec3 filmic(vec3 x)
{
    return clamp(x * (2.5 * x + 0.03) / (x * (2.4 * x + 0.6) + 0.14), 0.0, 1.0);
}
void main()
{
    float average = textureLod(luminance, vec2(0.5), 16.0).r;
    vec3 c = texture(scene, coord).rgb + texture(bloom, coord).rgb * 0.2;
    c *= 0.18 / max(average, 0.001);
    switch (OPERATOR) {
    case 0:
        c = c / (1.0 + c);
        break;
    case 1:
        c = filmic(c);
        break;
    default:
        c = clamp(c, 0.0, 1.0);
    }
    c = pow(c, vec3(1.0 / 2.2));
    color = vec4(texture(grading, c * (31.0 / 32.0) + 0.5 / 32.0).rgb, 1.0);
}
