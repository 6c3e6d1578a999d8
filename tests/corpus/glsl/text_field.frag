#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D glyphs;
layout(push_constant) uniform Push
{
    vec4 fill;
    vec4 outline;
    float width;
};
layout(location = 0) in vec2 coord;
layout(location = 0) out vec4 color;
float median(vec3 v)
{
    return max(min(v.r, v.g), min(max(v.r, v.g), v.b));
}
void main()
{
    float d = median(texture(glyphs, coord).rgb) - 0.5;
    float edge = fwidth(d);
    float inside = smoothstep(-edge, edge, d), border = smoothstep(-edge, edge, d + width);
    color = mix(outline * border, fill, inside);
    if (color.a <= 0.0)
        discard;
}
