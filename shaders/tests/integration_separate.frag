#version 450
/* SPDX-License-Identifier: MIT */
/* Two sampled images and three samplers: row = image * 3 + sampler. */
layout(set = 0, binding = 1) uniform texture2D images[2];
layout(set = 0, binding = 3) uniform sampler samplers[2];
layout(set = 0, binding = 4) uniform sampler last;
layout(location = 0) out vec4 color;
void main()
{
    vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, 0.5);
    float rows[6] =
        float[](texture(sampler2D(images[0], samplers[0]), at).r, texture(sampler2D(images[0], samplers[1]), at).r,
                texture(sampler2D(images[0], last), at).r, texture(sampler2D(images[1], samplers[0]), at).r,
                texture(sampler2D(images[1], samplers[1]), at).r, texture(sampler2D(images[1], last), at).r);
    color = vec4(rows[int(gl_FragCoord.y)], 0.0, 0.0, 1.0);
}
