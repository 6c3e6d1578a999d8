#version 450
/* SPDX-License-Identifier: MIT */
/*
 * Rows: textureLod, textureGrad, the first of the four texels of a gather. Columns: levels of detail from -1 on, half a
 * level apart. SEPARATE: image and sampler are descriptors of their own.
 */
layout(location = 0) out vec4 color;
#ifdef SEPARATE
layout(set = 0, binding = 0) uniform texture2D texels;
layout(set = 0, binding = 1) uniform sampler how;
#define IMAGE sampler2D(texels, how)
#else
layout(set = 0, binding = 0) uniform sampler2D image;
#define IMAGE image
#endif
void main()
{
    const vec2 at = vec2(0.5);
    const float lod = floor(gl_FragCoord.x) * 0.5 - 1.0;
    const vec2 step = vec2(exp2(lod), 0.0) / vec2(textureSize(IMAGE, 0));
    switch (int(gl_FragCoord.y)) {
    case 0:
        color = textureLod(IMAGE, at, lod);
        break;
    case 1:
        color = textureGrad(IMAGE, at, step, step.yx);
        break;
    default:
        color = vec4(textureGather(IMAGE, at).x);
        break;
    }
}
