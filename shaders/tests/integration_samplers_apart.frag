#version 450
/* SPDX-License-Identifier: MIT */
/* Two images of set 0 through three samplers of set 1: row = image * 3 + sampler. */
layout(set = 0, binding = 0) uniform texture2D images[2];
layout(set = 1, binding = 0) uniform sampler first;
layout(set = 1, binding = 1) uniform sampler second;
layout(set = 1, binding = 2) uniform sampler third;
layout(location = 0) out vec4 color;
void main()
{
    vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, 0.5);
    float rows[6] = float[](texture(sampler2D(images[0], first), at).r, texture(sampler2D(images[0], second), at).r,
                            texture(sampler2D(images[0], third), at).r, texture(sampler2D(images[1], first), at).r,
                            texture(sampler2D(images[1], second), at).r, texture(sampler2D(images[1], third), at).r);
    color = vec4(rows[int(gl_FragCoord.y)], 0.0, 0.0, 1.0);
}
