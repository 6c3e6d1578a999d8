#version 450
/* SPDX-License-Identifier: MIT */
/* The last eight of 256 bytes of push constants as green and blue. */
layout(push_constant) uniform Pushed
{
    layout(offset = 248) uint words[2];
};
layout(location = 0) out vec4 color;
void main()
{
    color = vec4(0.0, float(words[0]), float(words[1]), 1.0);
}
