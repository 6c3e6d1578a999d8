#version 450
/* SPDX-License-Identifier: MIT */
/* A uniform buffer and nothing that is sampled. */
layout(set = 0, binding = 0) uniform Color
{
    vec4 value;
};
layout(location = 0) out vec4 color;
void main()
{
    color = value;
}
