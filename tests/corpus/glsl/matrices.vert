#version 450
/* SPDX-License-Identifier: MIT */
layout(std430, set = 0, binding = 0) readonly buffer Instances
{
    mat4x3 transforms[];
};
layout(set = 0, binding = 1) uniform Camera
{
    mat4 view_projection;
    vec4 planes[6];
};
layout(location = 0) in vec3 position;
layout(location = 0) out vec3 world;
layout(location = 1) flat out uint instance;
out gl_PerVertex
{
    vec4 gl_Position;
    float gl_ClipDistance[6];
};
void main()
{
    world = transforms[gl_InstanceIndex] * vec4(position, 1.0);
    instance = uint(gl_InstanceIndex);
    gl_Position = view_projection * vec4(world, 1.0);
    for (int i = 0; i < 6; i++)
        gl_ClipDistance[i] = dot(planes[i], vec4(world, 1.0));
}
