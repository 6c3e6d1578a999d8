#version 450
/* SPDX-License-Identifier: MIT */
/* Alpha 1, in the numbers of the attachment: VECTOR is vec4, uvec4 or ivec4. Only alpha is written. */
layout(location = 0) out VECTOR color;
void main()
{
    color = VECTOR(1);
}
