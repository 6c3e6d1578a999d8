#version 450
/* SPDX-License-Identifier: MIT */
/*
 * The row is a level, the column a texel of it: looked up at its centre, but for the last column, which lies outside.
 * Red is the answer, in the layer 1 of arrays. KIND: 0 1D, 1 1D array, 2 2D, 3 2D array, 4 3D, 5 2D of unsigned
 * integers. SEPARATE: image and sampler are descriptors of their own.
 */
layout(location = 0) out vec4 color;
#if KIND == 0
#define DIMENSION 1D
#define AT(s) (s)
#elif KIND == 1
#define DIMENSION 1DArray
#define AT(s) vec2(s, 1.0)
#elif KIND == 2
#define DIMENSION 2D
#define AT(s) vec2(s, middle)
#elif KIND == 3
#define DIMENSION 2DArray
#define AT(s) vec3(s, middle, 1.0)
#elif KIND == 4
#define DIMENSION 3D
#define AT(s) vec3(s, middle, middle)
#elif KIND == 5
#define DIMENSION 2D
#define AT(s) vec2(s, middle)
#endif
#define JOINED(a, b) a##b
#define NAMED(a, b) JOINED(a, b)
#if KIND == 5
#define TEXTURE NAMED(utexture, DIMENSION)
#define SAMPLER NAMED(usampler, DIMENSION)
#else
#define TEXTURE NAMED(texture, DIMENSION)
#define SAMPLER NAMED(sampler, DIMENSION)
#endif
#ifdef SEPARATE
layout(set = 0, binding = 0) uniform TEXTURE texels;
layout(set = 0, binding = 1) uniform sampler how;
#define IMAGE SAMPLER(texels, how)
#else
layout(set = 0, binding = 0) uniform SAMPLER image;
#define IMAGE image
#endif
void main()
{
    const int level = int(gl_FragCoord.y) % textureQueryLevels(IMAGE);
    const int column = int(gl_FragCoord.x);
#if KIND == 0
    const int first = textureSize(IMAGE, 0);
#else
    const int first = textureSize(IMAGE, 0).x;
#endif
    const int size = max(first >> level, 1); // lavapipe asks for one level's size in all pixels
    const float middle = 0.5 / float(size);
    const float s = column == 7 ? 2.5 : (float(column % size) + 0.5) / float(size);
    color = vec4(textureLod(IMAGE, AT(s), float(level)));
}
