#version 450
/* SPDX-License-Identifier: MIT */
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
layout(set = 0, binding = 0) uniform Camera
{
    mat4 view;
    mat4 projection;
};
layout(set = 0, binding = 1) uniform sampler1D size_curve;
layout(location = 0) in float age[];
layout(location = 0) out vec2 coord;
layout(location = 1) out float fade;
void main()
{
    float size = texture(size_curve, age[0]).r;
    vec4 p = view * gl_in[0].gl_Position;
    for (int i = 0; i < 4; i++) {
        vec2 corner = vec2(i & 1, i >> 1);
        gl_Position = projection * (p + vec4((corner - 0.5) * size, 0.0, 0.0));
        coord = corner;
        fade = 1.0 - age[0];
        EmitVertex();
    }
    EndPrimitive();
}
