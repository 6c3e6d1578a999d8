#version 450
/* SPDX-License-Identifier: MIT */
/* Writes where the pixel is, so that a test sees which pixels were drawn. */
layout(location = 0) out vec4 color;
void main()
{
    color = vec4(gl_FragCoord.xy, -2.0, 1.0);
}
