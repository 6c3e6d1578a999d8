#version 450
/* SPDX-License-Identifier: MIT */
layout(quads, fractional_even_spacing, cw) in;
layout(set = 0, binding = 0) uniform sampler2D height_map;
layout(set = 0, binding = 1) uniform Camera
{
    mat4 view_projection;
};
layout(location = 0) in vec2 in_coord[];
layout(location = 0) out vec2 coord;
layout(location = 1) out vec3 normal;
void main()
{
    vec2 at = gl_TessCoord.xy;
    coord = mix(mix(in_coord[0], in_coord[1], at.x), mix(in_coord[3], in_coord[2], at.x), at.y);
    float h = texture(height_map, coord).r;
    float dx = textureLodOffset(height_map, coord, 0.0, ivec2(1, 0)).r - h;
    float dz = textureLodOffset(height_map, coord, 0.0, ivec2(0, 1)).r - h;
    normal = normalize(vec3(-dx, 0.01, -dz));
    vec4 p = mix(mix(gl_in[0].gl_Position, gl_in[1].gl_Position, at.x),
                 mix(gl_in[3].gl_Position, gl_in[2].gl_Position, at.x), at.y);
    p.y += h * 40.0;
    gl_Position = view_projection * p;
}
