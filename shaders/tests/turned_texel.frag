#version 450
/* SPDX-License-Identifier: MIT */
/* 1 minus what a fetch returns at the same place, each channel from the next one. */
layout(set = 0, binding = 0) uniform sampler2D texture_unit;
layout(location = 0) out vec4 color;
void main()
{
    color = 1.0 - texelFetch(texture_unit, ivec2(gl_FragCoord.xy), 0).gbar;
}
