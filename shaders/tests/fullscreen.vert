#version 450
/* SPDX-License-Identifier: MIT */
/*
 * A triangle that covers the whole target under a viewport of twice its size; needs no vertex buffer. It stays within
 * the clip volume: drivers that clip would cut a larger one in two along a diagonal of the target, and lookups whose
 * derivatives come from the pixels beside the cut would see helper invocations there.
 */
void main()
{
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 - 1.0;
    gl_Position = vec4(corner, 0.0, 1.0);
}
