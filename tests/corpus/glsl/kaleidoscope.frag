#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D a;
layout(set = 0, binding = 1) uniform sampler2D b;
layout(location = 0) in vec2 coord;
layout(push_constant) uniform Push
{
    int rounds;
    float time;
};
layout(location = 0) out vec4 color;
vec4 choose(sampler2D s, sampler2D t, vec2 p, int i)
{
    if ((i & 1) == 0)
        return texture(s, p);
    return texture(t, p.yx);
}
void main()
{
    vec2 p = coord * 2.0 - 1.0;
    color = vec4(0.0);
    for (int i = 0; i < rounds; i++) {
        float angle = mod(atan(p.y, p.x) + time, 1.0471976) - 0.5235988;
        p = length(p) * vec2(cos(angle), sin(angle));
        for (int j = i; j > 0; j -= 2) {
            vec4 c = i > 2 ? choose(a, b, p, j) : choose(b, a, p, j);
            if (c.a == 0.0)
                continue;
            color += c / float(i + 1);
            if (color.a > 1.0)
                return;
        }
        p = p * 1.5 - color.xy;
    }
}
