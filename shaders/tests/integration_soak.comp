#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_EXT_nonuniform_qualifier : require
/*
 * Eight lookups each of sixteen combined image samplers, and of four images through four samplers: one work group, one
 * result a lookup. Descriptors that nobody may read are left out: the mask of this dispatch has no bit for them.
 */
layout(local_size_x = 8, local_size_y = 32) in;
layout(push_constant) uniform Dispatch
{
    int number;
} dispatched;
layout(set = 0, binding = 0) uniform sampler2D units[16];
layout(set = 0, binding = 1) uniform texture2D images[4];
layout(set = 0, binding = 2) uniform sampler samplers[4];
layout(std430, set = 0, binding = 3) buffer Results
{
    uint masks[16];
    float seen[];
} results;
void main()
{
    vec2 at = vec2((float(gl_LocalInvocationID.x) + 0.5) * 3.0 / 8.0 - 1.0, 0.5);
    int one = int(gl_LocalInvocationID.y);
    int image = one / 4 % 4, how = one % 4;
    float found = -1.0;
    if ((results.masks[dispatched.number] >> one & 1u) != 0u) {
        if (one < 16) {
            found = textureLod(units[nonuniformEXT(one)], at, 0.0).r;
        } else {
            found = textureLod(sampler2D(images[nonuniformEXT(image)], samplers[nonuniformEXT(how)]), at, 0.0).r;
        }
    }
    results.seen[dispatched.number * 256 + int(gl_LocalInvocationIndex)] = found;
}
