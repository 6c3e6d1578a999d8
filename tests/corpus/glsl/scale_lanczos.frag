#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D source;
layout(constant_id = 1) const int LOBES = 3;
layout(push_constant) uniform Push
{
    vec2 size;
};
layout(location = 0) in vec2 coord;
layout(location = 0) out vec4 color;
float kernel(float x)
{
    if (abs(x) < 1e-4)
        return 1.0;
    float p = 3.14159265 * x;
    return float(LOBES) * sin(p) * sin(p / float(LOBES)) / (p * p);
}
void main()
{
    vec2 p = coord * size - 0.5, first = floor(p);
    float total = 0.0;
    color = vec4(0.0);
    for (int y = 1 - LOBES; y <= LOBES; y++)
        for (int x = 1 - LOBES; x <= LOBES; x++) {
            vec2 at = first + vec2(x, y);
            float w = kernel(p.x - at.x) * kernel(p.y - at.y);
            color += textureLod(source, (at + 0.5) / size, 0.0) * w;
            total += w;
        }
    color /= total;
}
