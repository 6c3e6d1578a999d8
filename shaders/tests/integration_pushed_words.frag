#version 450
/* SPDX-License-Identifier: MIT */
/*
 * One combined image sampler, the same in every row, and push constants of 248 bytes: green is the word of that number,
 * of 48, blue the fourteen words behind them, those of the left columns.
 */
layout(push_constant) uniform Pushed
{
    uint words[62];
};
layout(set = 0, binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main()
{
    vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, 0.5);
    int number = int(gl_FragCoord.y) * 8 + int(gl_FragCoord.x);
    color = vec4(texture(image, at).r, float(words[number]), number < 14 ? float(words[48 + number]) : 0.0, 1.0);
}
