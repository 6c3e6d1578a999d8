#version 450
/* SPDX-License-Identifier: MIT */
layout(push_constant) uniform Push
{
    vec2 center;
    float zoom;
    int limit;
};
layout(location = 0) in vec2 coord;
layout(location = 0) out vec4 color;
void main()
{
    dvec2 c = dvec2(center) + dvec2(coord - 0.5) * zoom, z = dvec2(0.0);
    int i = 0;
    for (; i < limit && dot(z, z) < 4.0; i++)
        z = dvec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
    float t = float(i) / float(limit);
    color = vec4(t, sqrt(t), 1.0 - t, 1.0);
}
