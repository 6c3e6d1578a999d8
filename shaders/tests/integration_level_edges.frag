#version 450
/* SPDX-License-Identifier: MIT */
/*
 * Rows: textureLod at the mirror line; textureLodOffset and textureGatherOffset one texel beside it (the second of the
 * gather's texels); textureQueryLod, an eighth of what it gives; textureGather from a cube, the first two texels that
 * lie beside each other. Columns: levels of detail from -1 on, half a level apart. SEPARATE: images and samplers are
 * descriptors of their own.
 */
layout(location = 0) out vec4 color;
#ifdef SEPARATE
layout(set = 0, binding = 0) uniform texture2D texels;
layout(set = 0, binding = 1) uniform sampler how;
layout(set = 0, binding = 2) uniform textureCube faces;
#define IMAGE sampler2D(texels, how)
#define CUBE samplerCube(faces, how)
#else
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 2) uniform samplerCube cube;
#define IMAGE image
#define CUBE cube
#endif
void main()
{
    const vec2 at = vec2(0.0, 0.5);
    const float lod = floor(gl_FragCoord.x) * 0.5 - 1.0;
    const vec2 queried = textureQueryLod(IMAGE, gl_FragCoord.xy / vec2(textureSize(IMAGE, 0)));
    switch (int(gl_FragCoord.y)) {
    case 0:
        color = textureLod(IMAGE, at, lod);
        break;
    case 1:
        color = textureLodOffset(IMAGE, at, lod, ivec2(1, 0));
        break;
    case 2:
        color = vec4(textureGatherOffset(IMAGE, at, ivec2(1, 0)).y);
        break;
    case 3:
        color = vec4(queried / 8.0, 0.0, 0.0);
        break;
    default:
        color = vec4(textureGather(CUBE, vec3(1.0, 0.0, 0.35)).xy, 0.0, 0.0);
        break;
    }
}
