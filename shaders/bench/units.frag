#version 450
/* SPDX-License-Identifier: MIT */
/* Eight texture units, as a game of the fixed-function age binds them; for rebinding. */
layout(set = 0, binding = 0) uniform sampler2D units[8];
layout(location = 0) out vec4 color;

void main()
{
    vec2 at = gl_FragCoord.xy * (1.25 / 32.0) - 0.125;
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 8; i++)
        sum += texture(units[i], at);
    color = sum / 8.0;
}
