#version 450
/* SPDX-License-Identifier: MIT */
/* One combined image sampler, the same in every row; SET says in which set it is. */
#ifndef SET
#define SET 0
#endif
layout(set = SET, binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main()
{
    vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, 0.5);
    color = vec4(texture(image, at).r, 0.0, 0.0, 1.0);
}
