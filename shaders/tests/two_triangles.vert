#version 450
/* SPDX-License-Identifier: MIT */
/* Two triangles that cover the target, a strip of four vertices: quads along their edge have helper invocations. */
void main()
{
    gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 - 1.0, 0.0, 1.0);
}
