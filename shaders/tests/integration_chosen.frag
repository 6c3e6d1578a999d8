#version 450
/* SPDX-License-Identifier: MIT */
/*
 * One of two combined image samplers of an array, by an index that nobody checks, or the one of another set, which is
 * not looked at otherwise.
 */
layout(push_constant) uniform Chosen
{
    int element, other_set;
} chosen;
layout(set = 0, binding = 0) uniform sampler2D units[2];
layout(set = 1, binding = 0) uniform sampler2D other;
layout(location = 0) out vec4 color;
void main()
{
    vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, 0.5);
    if (chosen.other_set != 0) {
        color = vec4(texture(other, at).r, 0.0, 0.0, 1.0);
    } else {
        color = vec4(texture(units[chosen.element], at).r, 0.0, 0.0, 1.0);
    }
}
