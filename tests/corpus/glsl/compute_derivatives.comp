#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(derivative_group_quadsNV) in;
layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1, rgba8) uniform writeonly image2D target;
void main()
{
    vec2 at = vec2(gl_GlobalInvocationID.xy) / 256.0;
    imageStore(target, ivec2(gl_GlobalInvocationID.xy), texture(source, at * at) + texture(source, at, 1.0));
}
