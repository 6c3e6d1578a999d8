#version 450
/* SPDX-License-Identifier: MIT */
layout(local_size_x = 64) in;
struct Box {
    vec4 low;
    vec4 high;
};
struct Draw {
    uint count;
    uint instances;
    uint first;
    int base;
    uint instance;
};
layout(std430, set = 0, binding = 0) readonly buffer Boxes
{
    Box boxes[];
};
layout(std430, set = 0, binding = 1) writeonly buffer Draws
{
    Draw draws[];
};
layout(std430, set = 0, binding = 2) buffer Count
{
    uint visible;
};
layout(set = 0, binding = 3) uniform sampler2D depth_pyramid;
layout(push_constant) uniform Push
{
    mat4 view_projection;
    vec2 size;
    uint count;
};
void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= count)
        return;
    vec3 low = vec3(1.0), high = vec3(0.0);
    for (int corner = 0; corner < 8; corner++) {
        vec4 p = view_projection *
                 vec4(mix(boxes[i].low.xyz, boxes[i].high.xyz, vec3(corner & 1, corner >> 1 & 1, corner >> 2)), 1.0);
        vec3 at = vec3(p.xy / p.w * 0.5 + 0.5, p.z / p.w);
        low = min(low, at);
        high = max(high, at);
    }
    vec2 extent = (high.xy - low.xy) * size;
    float level = ceil(log2(max(extent.x, extent.y)));
    float behind = textureLod(depth_pyramid, (low.xy + high.xy) * 0.5, level).r;
    if (low.z <= behind) {
        uint slot = atomicAdd(visible, 1u);
        draws[slot] = Draw(36u, 1u, 0u, 0, i);
    }
}
