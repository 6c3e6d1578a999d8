#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler1D gradient;
layout(set = 0, binding = 1) uniform sampler1DArray gradients;
layout(set = 0, binding = 2) uniform sampler1DShadow thresholds;
layout(set = 0, binding = 3) uniform sampler1DArrayShadow threshold_rows;
layout(location = 0) in float t;
layout(location = 1) in float row;
layout(location = 0) out vec4 color;
void main()
{
    color = texture(gradient, t) + texture(gradients, vec2(t * 2.0, row), 0.5);
    color *= texture(thresholds, vec3(t, 0.0, 0.5)) + texture(threshold_rows, vec3(t, row, 0.25));
    color += textureLod(gradient, -t, 1.0) + textureGrad(gradients, vec2(t, row), 0.1, 0.2);
}
