#version 450
/* SPDX-License-Identifier: MIT */
// What a blit must leave as it was: two sets, one with a dynamic offset, and push constants.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 1, binding = 0) buffer Results
{
    vec4 results[];
};
layout(push_constant) uniform Push
{
    float at;
    uint index;
};
void main()
{
    results[index] = vec4(textureLod(image, vec2(at, 0.5), 0.0).r, at, float(index), 1.0);
}
