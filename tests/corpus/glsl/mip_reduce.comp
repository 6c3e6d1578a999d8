#version 450
/* SPDX-License-Identifier: MIT */
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D level;
layout(set = 0, binding = 1, r32f) uniform writeonly image2D next;
void main()
{
    ivec2 size = imageSize(next), at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, size)))
        return;
    vec4 d = textureGather(level, (vec2(at) + 0.5) / vec2(size));
    imageStore(next, at, vec4(max(max(d.x, d.y), max(d.z, d.w))));
}
