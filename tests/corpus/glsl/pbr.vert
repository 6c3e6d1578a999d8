#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform Frame
{
    mat4 view_projection;
};
layout(push_constant) uniform Object
{
    mat4 model;
};
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 coord;
layout(location = 0) out vec3 world_position;
layout(location = 1) out vec3 world_normal;
layout(location = 2) out vec4 world_tangent;
layout(location = 3) out vec2 world_coord;
void main()
{
    vec4 world = model * vec4(position, 1.0);
    mat3 turn = mat3(model);
    world_position = world.xyz;
    world_normal = turn * normal;
    world_tangent = vec4(turn * tangent.xyz, tangent.w);
    world_coord = coord;
    gl_Position = view_projection * world;
}
