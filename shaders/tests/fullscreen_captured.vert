#version 450
/* SPDX-License-Identifier: MIT */
/* The triangle of fullscreen.vert, whose positions transform feedback captures. */
out gl_PerVertex
{
    layout(xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) vec4 gl_Position;
};

void main()
{
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 - 1.0;
    gl_Position = vec4(corner, 0.0, 1.0);
}
