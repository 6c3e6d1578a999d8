#version 450
/* SPDX-License-Identifier: MIT */
// Blocker search with a plain depth lookup, then a filter whose width depends on it, with a rotated disc.
layout(set = 0, binding = 0) uniform texture2D depth_image;
layout(set = 0, binding = 1) uniform sampler point_sampler;
layout(set = 0, binding = 2) uniform samplerShadow compare_sampler;
layout(location = 0) in vec3 at;
layout(location = 0) out float shade;
const vec2 disc[8] = vec2[8](vec2(-0.7, 0.2), vec2(0.3, 0.8), vec2(0.9, -0.1), vec2(-0.2, -0.9), vec2(0.5, 0.4),
                             vec2(-0.4, 0.6), vec2(0.1, -0.3), vec2(-0.6, -0.5));
float noise(vec2 p)
{
    return fract(52.98 * fract(dot(p, vec2(0.0671, 0.00583))));
}
void main()
{
    float angle = noise(gl_FragCoord.xy) * 6.2831853;
    mat2 turn = mat2(cos(angle), sin(angle), -sin(angle), cos(angle));
    float blockers = 0.0, sum = 0.0;
    for (int i = 0; i < 8; i++) {
        float depth = textureLod(sampler2D(depth_image, point_sampler), at.xy + turn * disc[i] * 0.02, 0.0).r;
        if (depth < at.z) {
            sum += depth;
            blockers += 1.0;
        }
    }
    if (blockers == 0.0) {
        shade = 1.0;
        return;
    }
    float width = (at.z - sum / blockers) * 0.1;
    shade = 0.0;
    for (int i = 0; i < 8; i++)
        shade +=
            textureLod(sampler2DShadow(depth_image, compare_sampler), vec3(at.xy + turn * disc[i] * width, at.z), 0.0);
    shade /= 8.0;
}
