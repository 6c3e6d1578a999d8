#version 450
/* SPDX-License-Identifier: MIT */
/* textureQueryLod, a sixteenth of what it gives and of 4 more, at a level of detail of 1.25. */
layout(location = 0) out vec4 color;
#ifdef SEPARATE
layout(set = 0, binding = 0) uniform texture2D image;
layout(set = 0, binding = 1) uniform sampler how;
#define IMAGE sampler2D(image, how)
#else
layout(set = 0, binding = 0) uniform sampler2D image;
#define IMAGE image
#endif

void main()
{
    const vec2 at = gl_FragCoord.xy * exp2(1.25) / vec2(textureSize(IMAGE, 0));
    color = vec4((textureQueryLod(IMAGE, at) + 4.0) / 16.0, texture(IMAGE, at).r, 0.0);
}
