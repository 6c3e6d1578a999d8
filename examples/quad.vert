// SPDX-License-Identifier: MIT
// A quad without buffers, whose texture coordinates go half a texture beyond each edge.
#version 450

layout(location = 0) out vec2 coordinate;

void main()
{
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
    coordinate = corner * 2.0 - 0.5;
    gl_Position = vec4((corner * 2.0 - 1.0) * 0.75, 0.0, 1.0);
}
