#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D slide;
layout(set = 0, binding = 1) uniform sampler1D falloff;
layout(set = 0, binding = 2) uniform sampler2DShadow shadow;
layout(location = 0) in vec4 at;
layout(location = 0) out vec4 color;
void main()
{
    if (at.w <= 0.0)
        discard;
    float lit = textureProj(shadow, at) * textureProj(falloff, at.zw).r;
    color = textureProjGrad(slide, at.xyw, dFdx(at.xy), dFdy(at.xy)) * lit;
    color += 0.1 * textureProjOffset(slide, at, ivec2(1, 1)) * textureProjLod(falloff, at.zw, 0.0);
}
