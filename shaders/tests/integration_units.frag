#version 450
/* SPDX-License-Identifier: MIT */
/* Eight texture units; each row of the target adds up two of them. */
layout(set = 0, binding = 0) uniform sampler2D units[8];
layout(location = 0) out vec4 color;
void main()
{
    vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, 0.5);
    float rows[8] =
        float[](texture(units[0], at).r, texture(units[1], at).r, texture(units[2], at).r, texture(units[3], at).r,
                texture(units[4], at).r, texture(units[5], at).r, texture(units[6], at).r, texture(units[7], at).r);
    int row = int(gl_FragCoord.y);
    color = vec4(row < 4 ? rows[row] : (rows[row] + rows[row + 2]) * 0.5, 0.0, 0.0, 1.0);
}
