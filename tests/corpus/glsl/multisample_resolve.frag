#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2DMS source;
layout(set = 0, binding = 1) uniform sampler2D weights;
layout(constant_id = 0) const int SAMPLES = 4;
layout(location = 0) out vec4 color;
void main()
{
    color = vec4(0.0);
    for (int i = 0; i < SAMPLES; i++)
        color += texelFetch(source, ivec2(gl_FragCoord.xy), i) * texture(weights, vec2(float(i), 0.5)).r;
}
