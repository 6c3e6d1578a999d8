#version 450
/* SPDX-License-Identifier: MIT */
/* Reads all of a set of 16 combined image samplers, for draws that are not executed. */
layout(set = 1, binding = 0) uniform sampler2D units[16];
layout(location = 0) out vec4 color;

void main()
{
    color = vec4(0.0);
    for (int i = 0; i < 16; i++)
        color += texture(units[i], gl_FragCoord.xy);
}
