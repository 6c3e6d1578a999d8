#version 450
/* SPDX-License-Identifier: MIT */
/*
 * Six lookups, one a row, of a combined image sampler at binding 0; or (IMAGE, SAMPLER) of a texture and a sampler that
 * are declared at these bindings, which may be combined image samplers in the layout. ELEMENTS: the bindings are arrays
 * of that many, whose elements IMAGE_ELEMENT and SAMPLER_ELEMENT are looked up. FUNCTION: in a function that got the
 * two as parameters.
 */
layout(location = 0) out vec4 color;
#ifdef INDEXED
layout(push_constant) uniform Chosen
{
    int image, sampler_;
} chosen;
#define IMAGE_ELEMENT chosen.image
#define SAMPLER_ELEMENT chosen.sampler_
#endif
#ifdef ELEMENTS
layout(set = 0, binding = IMAGE) uniform texture2D images[ELEMENTS];
layout(set = 0, binding = SAMPLER) uniform sampler samplers[ELEMENTS];
#define HALF_IMAGE images[IMAGE_ELEMENT]
#define HALF_SAMPLER samplers[SAMPLER_ELEMENT]
#elif defined(IMAGE)
layout(set = 0, binding = IMAGE) uniform texture2D image;
layout(set = 0, binding = SAMPLER) uniform sampler how;
#define HALF_IMAGE image
#define HALF_SAMPLER how
#else
layout(set = 0, binding = 0) uniform sampler2D unit;
#endif

#ifdef IMAGE
#define UNIT sampler2D(HALF_IMAGE, HALF_SAMPLER)
#else
#define UNIT unit
#endif
#ifdef FUNCTION
vec4 explicit_level(texture2D image_, sampler how_, vec2 at)
{
    return textureLod(sampler2D(image_, how_), at, 0.0);
}
#define EXPLICIT explicit_level(HALF_IMAGE, HALF_SAMPLER, at)
#else
#define EXPLICIT textureLod(UNIT, at, 0.0)
#endif

void main()
{
    vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, gl_FragCoord.x * 2.25 / 8.0 - 0.7);
    vec4 rows[6] = vec4[](texture(UNIT, at), EXPLICIT, textureLod(UNIT, at, 1.25), textureGather(UNIT, at),
                          textureOffset(UNIT, at, ivec2(1, -1)), textureGrad(UNIT, at, vec2(0.6, 0.1), vec2(0.1, 0.3)));
    color = rows[int(gl_FragCoord.y)];
}
