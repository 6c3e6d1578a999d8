#version 450
/* SPDX-License-Identifier: MIT */
/*
 * A texture of 4 x 2 texels and two levels, by rows: sizes; fetches from level 0 and 1, with and without an offset;
 * lookups. Along a row one texel further in each column, from -2 on. FETCHES: no lookup at all. INTEGERS, beside
 * FETCHES: the texture has some, of 255 each. QUERIES, beside INTEGERS: the level of detail alone, where a pixel is two
 * texels. Some are done by functions that get the texture.
 */
layout(location = 0) out vec4 color;
#ifdef INTEGERS
#define OF_TEXTURE(KIND) u##KIND
#define COLOR(TEXEL) (vec4(TEXEL) / 255.0)
#else
#define OF_TEXTURE(KIND) KIND
#define COLOR(TEXEL) TEXEL
#endif
#ifdef SEPARATE
layout(set = 0, binding = 0) uniform OF_TEXTURE(texture2D) image;
layout(set = 0, binding = 1) uniform sampler how;
#define TEXTURE OF_TEXTURE(sampler2D)(image, how)
#define TEXELS image
#define TEXELS_TYPE OF_TEXTURE(texture2D)
#extension GL_EXT_samplerless_texture_functions : require
#else
layout(set = 0, binding = 0) uniform OF_TEXTURE(sampler2D) combined;
#define TEXTURE combined
#define TEXELS combined
#define TEXELS_TYPE OF_TEXTURE(sampler2D)
#endif

#ifdef QUERIES
void main()
{
    color = vec4(textureQueryLod(TEXTURE, gl_FragCoord.xy * 2.0 / vec2(4.0, 2.0)).y / 4.0);
}
#else
ivec2 size_through(TEXELS_TYPE texels, int level)
{
    return textureSize(texels, level);
}

vec4 fetch_through(TEXELS_TYPE texels, ivec2 at)
{
    return COLOR(texelFetch(texels, at, size_through(texels, 0).x / 8));
}

void main()
{
    const ivec2 pixel = ivec2(gl_FragCoord.xy);
    const int x = pixel.x - 2;
    if (pixel.y == 0)
        color = vec4(textureSize(TEXELS, 0), size_through(TEXELS, pixel.x % 2)) / 64.0;
    else if (pixel.y == 1)
        color = COLOR(texelFetch(TEXELS, ivec2(x, 1), 0));
    else if (pixel.y == 2)
        color = COLOR(texelFetchOffset(TEXELS, ivec2(x + 3, 0), 1, ivec2(-3, -1)));
    else if (pixel.y == 3)
        color = fetch_through(TEXELS, ivec2(3, pixel.x - 3));
#ifdef FETCHES
    else
        color = vec4(0.0);
#else
    else if (pixel.y == 4)
        color = textureLod(TEXTURE, vec2(float(x) + 0.5, 2.5) / vec2(4.0, 2.0), 0.0);
    else
        color = textureLod(TEXTURE, vec2(float(x) + 0.5, -0.5) / vec2(2.0, 1.0), 1.0);
#endif
}
#endif
