#version 450
/* SPDX-License-Identifier: MIT */
struct Joint {
    mat4 matrix;
};
layout(std430, set = 0, binding = 0) readonly buffer Joints
{
    Joint joints[];
};
layout(push_constant) uniform Draw
{
    mat4 view_projection;
    uint first_joint;
};
layout(location = 0) in vec3 position;
layout(location = 1) in uvec4 joint;
layout(location = 2) in vec4 weight;
layout(location = 0) out vec3 world;
void main()
{
    mat4 skin = mat4(0.0);
    for (int i = 0; i < 4; i++)
        skin += joints[first_joint + joint[i]].matrix * weight[i];
    vec4 moved = skin * vec4(position, 1.0);
    world = moved.xyz;
    gl_Position = view_projection * moved;
}
