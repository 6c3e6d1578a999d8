#version 450
/* SPDX-License-Identifier: MIT */
layout(push_constant) uniform Push
{
    vec4 eye;
    float time;
};
layout(location = 0) in vec2 coord;
layout(location = 0) out vec4 color;
float scene(vec3 p)
{
    float ball = length(p - vec3(0.0, sin(time), 0.0)) - 1.0;
    vec3 q = abs(p - vec3(2.0, 0.0, 0.0)) - 0.75;
    float box = length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0);
    return min(min(ball, box), p.y + 1.5);
}
void main()
{
    vec3 d = normalize(vec3(coord * 2.0 - 1.0, 1.5));
    float t = 0.0;
    for (int i = 0; i < 128; i++) {
        float s = scene(eye.xyz + d * t);
        t += s;
        if (s < 0.001 || t > 100.0)
            break;
    }
    vec3 p = eye.xyz + d * t;
    vec2 e = vec2(0.001, 0.0);
    vec3 n = normalize(vec3(scene(p + e.xyy) - scene(p - e.xyy), scene(p + e.yxy) - scene(p - e.yxy),
                            scene(p + e.yyx) - scene(p - e.yyx)));
    color = t > 100.0 ? vec4(0.5, 0.7, 1.0, 1.0) : vec4(vec3(max(dot(n, vec3(0.577)), 0.1)), 1.0);
}
