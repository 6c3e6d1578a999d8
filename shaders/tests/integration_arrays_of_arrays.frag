#version 450
/* SPDX-License-Identifier: MIT */
/*
 * Two arrays of three combined image samplers in one binding: red is one of the six a row, under constant indices;
 * green is the one that a push constant knows, in every row.
 */
layout(push_constant) uniform Chosen
{
    int array, element;
} chosen;
layout(set = 0, binding = 0) uniform sampler2D units[2][3];
layout(location = 0) out vec4 color;
void main()
{
    vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, 0.5);
    float rows[6] = float[](texture(units[0][0], at).r, texture(units[0][1], at).r, texture(units[0][2], at).r,
                            texture(units[1][0], at).r, texture(units[1][1], at).r, texture(units[1][2], at).r);
    color = vec4(rows[int(gl_FragCoord.y)], texture(units[chosen.array][chosen.element], at).r, 0.0, 1.0);
}
