#version 450
/* SPDX-License-Identifier: MIT */
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform sampler2D depth_map;
layout(set = 0, binding = 2, r8) uniform writeonly image2D target;
layout(push_constant) uniform Push
{
    vec2 texel;
};
void main()
{
    vec2 at = (vec2(gl_GlobalInvocationID.xy) + 0.5) * texel;
    float middle = textureLod(depth_map, at, 0.0).r, sum = 0.0, total = 0.0;
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            vec2 p = at + vec2(x, y) * 2.0 * texel;
            vec4 values = textureGather(source, p), depths = textureGather(depth_map, p);
            vec4 w = max(vec4(0.0), 1.0 - abs(depths - middle) * 100.0);
            sum += dot(values, w);
            total += dot(w, vec4(1.0));
        }
    }
    imageStore(target, ivec2(gl_GlobalInvocationID.xy), vec4(sum / max(total, 0.001)));
}
