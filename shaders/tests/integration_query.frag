#version 450
/* SPDX-License-Identifier: MIT */
/* textureQueryLod, an eighth of what it gives, at a level of detail of 1.25, of an image and a sampler that compares.
 */
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) uniform texture2D image;
layout(set = 0, binding = 1) uniform samplerShadow how;

void main()
{
    const vec2 at = gl_FragCoord.xy * exp2(1.25) / vec2(textureSize(sampler2DShadow(image, how), 0));
    color = vec4(textureQueryLod(sampler2DShadow(image, how), at) / 8.0,
                 texture(sampler2DShadow(image, how), vec3(at, 0.5)), 0.0);
}
