#version 450
/* SPDX-License-Identifier: MIT */
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) out vec3 weight;
void main()
{
    for (int i = 0; i < 3; i++) {
        weight = vec3(i == 0, i == 1, i == 2);
        gl_Position = gl_in[i].gl_Position;
        EmitVertex();
    }
    EndPrimitive();
}
