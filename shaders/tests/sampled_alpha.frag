#version 450
/* SPDX-License-Identifier: MIT */
/* Shows the alpha that a lookup returns, and its red. */
layout(set = 0, binding = 0) uniform sampler2D texture_unit;
layout(location = 0) out vec4 color;
void main()
{
    vec4 texel = texture(texture_unit, gl_FragCoord.xy / 16.0);
    color = vec4(texel.a, texel.r, 0.0, 1.0);
}
