#version 450
/* SPDX-License-Identifier: MIT */
/*
 * Row 0: a texel as the view shows it. Row 1: comparisons with 0, and in all columns but the first with 1/2. SEPARATE:
 * image and samplers are descriptors of their own.
 */
layout(location = 0) out vec4 color;
#ifdef SEPARATE
layout(set = 0, binding = 0) uniform texture2D texels;
layout(set = 0, binding = 1) uniform sampler how;
layout(set = 0, binding = 2) uniform samplerShadow compared;
#define IMAGE sampler2D(texels, how)
#define SHADOW sampler2DShadow(texels, compared)
#else
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 1) uniform sampler2DShadow shadow;
#define IMAGE image
#define SHADOW shadow
#endif
void main()
{
    const float reference = gl_FragCoord.x < 1.0 ? 0.0 : 0.5;
    if (gl_FragCoord.y < 1.0)
        color = textureLod(IMAGE, vec2(0.5), 0.0);
    else
        color = vec4(textureLod(SHADOW, vec3(0.5, 0.5, reference), 0.0));
}
