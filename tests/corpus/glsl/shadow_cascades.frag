#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2DArrayShadow cascades;
layout(set = 0, binding = 1) uniform Cascades
{
    mat4 matrix[4];
    vec4 ends;
};
layout(location = 0) in vec3 world;
layout(location = 1) in float distance_to_eye;
layout(location = 0) out float shade;
void main()
{
    int layer = int(dot(vec4(greaterThan(vec4(distance_to_eye), ends)), vec4(1.0)));
    if (layer > 3) {
        shade = 1.0;
        return;
    }
    vec4 p = matrix[layer] * vec4(world, 1.0);
    vec4 at = vec4(p.xy * 0.5 + 0.5, float(layer), p.z);
    shade = texture(cascades, at);
    shade += textureGrad(cascades, at, vec2(0.001, 0.0), vec2(0.0, 0.001));
    vec4 around = textureGather(cascades, at.xyz, at.w);
    shade = (shade + dot(around, vec4(0.25))) / 3.0;
    float edge = max(abs(p.x), abs(p.y));
    if (layer < 3 && edge > 0.9) {
        vec4 q = matrix[layer + 1] * vec4(world, 1.0);
        shade = mix(shade, texture(cascades, vec4(q.xy * 0.5 + 0.5, layer + 1, q.z)), (edge - 0.9) * 10.0);
    }
}
