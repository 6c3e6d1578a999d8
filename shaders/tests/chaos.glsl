#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_EXT_nonuniform_qualifier : enable
/*
 * The lookups of one program of the chaos (tests/chaos/shapes.c mirrors the bindings): FIRST says what set 1 has,
 * SECOND what set 2 has (0: there is no such set), LOOK which function looks up, DYNAMIC whether arrays are indexed by
 * what is pushed and lookups left out whose bit of the mask is zero.
 *
 * Sixteen coordinates, one an invocation or a pixel. Lookup l of coordinate c goes to element 16 * l + c.
 */
layout(push_constant) uniform Pushed
{
    vec2 base, step;
    vec2 gradient;
    float lod;
    int texel;
    uint mask;
    int shift;
    uint first;
} pushed;

layout(std430, set = 0, binding = 0) writeonly buffer Results
{
    vec4 seen[];
} results;

#if FIRST == 1
layout(set = 1, binding = 0) uniform sampler2D units[4];
layout(set = 1, binding = 2) uniform sampler2D single;
#elif FIRST == 2
layout(set = 1, binding = 0) uniform sampler2D units[2];
layout(set = 1, binding = 1) uniform sampler how;
layout(set = 1, binding = 2) uniform texture2D image;
layout(set = 1, binding = 5) uniform samplerBuffer buffered;
#elif FIRST == 3
layout(set = 1, binding = 0) uniform sampler2D units[2];
layout(set = 1, binding = 1) uniform sampler how;
layout(set = 1, binding = 2) uniform texture2D image;
#endif
#if SECOND == 1
layout(set = 2, binding = 0) uniform texture2D images[2];
layout(set = 2, binding = 1) uniform sampler samplers[2];
#elif SECOND == 2
layout(set = 2, binding = 0) uniform samplerBuffer texels[2];
layout(set = 2, binding = 3) uniform samplerBuffer others;
#elif SECOND == 3
layout(set = 2, binding = 0) uniform sampler2D before;
layout(set = 2, binding = 1) uniform sampler2D many[4];
#endif

#if LOOK == 0
#define SEE(s) textureLod(s, at, pushed.lod)
#elif LOOK == 1
#define SEE(s) textureLodOffset(s, at, pushed.lod, ivec2(2, -3))
#elif LOOK == 2
#define SEE(s) textureGrad(s, at, vec2(pushed.gradient.x, 0.0), vec2(0.0, pushed.gradient.y))
#elif LOOK == 3
#define SEE(s) textureGather(s, at, 0)
#elif LOOK == 4
#define SEE(s) texture(s, at)
#elif LOOK == 5 // a texel of the nearest level that there is, as tests/harness has it
#define LEVEL(s) clamp(int(pushed.lod), 0, textureQueryLevels(s) - 1)
#define SIZE(s) textureSize(s, LEVEL(s))
#define SEE(s) texelFetch(s, min(ivec2(fract(at) * vec2(SIZE(s))), SIZE(s) - 1), LEVEL(s))
#else
#define SEE(s) vec4(textureQueryLod(s, at), 0.0, 1.0)
#endif

#ifdef DYNAMIC
#define OF(i, n) ((i + pushed.shift) % n)
#define PUT(l, value)                                                                                                  \
    if ((pushed.mask >> (l)&1u) != 0u) {                                                                               \
        results.seen[pushed.first + uint(l) * 16u + where] = value;                                                    \
    }
#else
#define OF(i, n) i
#define PUT(l, value) results.seen[pushed.first + uint(l) * 16u + where] = value;
#endif
#define BOTH(t, s) sampler2D(t, s)

#ifdef COMPUTE
layout(local_size_x = 8, local_size_y = 2) in;
#else
layout(location = 0) out vec4 color;
#endif

void main()
{
#ifdef COMPUTE
    const uvec2 place = gl_LocalInvocationID.xy;
#else
    const uvec2 place = uvec2(gl_FragCoord.xy);
    color = vec4(1.0);
#endif
    const uint where = place.y * 8u + place.x;
    const vec2 at = pushed.base + pushed.step * vec2(place);
#if FIRST == 1
#ifdef DYNAMIC
    for (int i = 0; i < 4; i++) {
        PUT(i, SEE(units[OF(i, 4)]))
    }
#else
    PUT(0, SEE(units[0]))
    PUT(1, SEE(units[1]))
    PUT(2, SEE(units[2]))
    PUT(3, SEE(units[3]))
#endif
    PUT(4, SEE(single))
#elif FIRST == 2 || FIRST == 3
    PUT(0, SEE(units[OF(0, 2)]))
    PUT(1, SEE(units[OF(1, 2)]))
    PUT(2, SEE(BOTH(image, how)))
#if FIRST == 2
    PUT(3, texelFetch(buffered, pushed.texel + int(where)))
#endif
#endif
#if SECOND == 1
    PUT(5, SEE(BOTH(images[OF(0, 2)], samplers[OF(0, 2)])))
    PUT(6, SEE(BOTH(images[OF(1, 2)], samplers[OF(0, 2)])))
    PUT(7, SEE(BOTH(images[OF(0, 2)], samplers[OF(1, 2)])))
    PUT(8, SEE(BOTH(images[OF(1, 2)], samplers[OF(1, 2)])))
#elif SECOND == 2
    PUT(5, texelFetch(texels[OF(0, 2)], pushed.texel + int(where)))
    PUT(6, texelFetch(texels[OF(1, 2)], pushed.texel + int(where)))
    PUT(7, texelFetch(others, pushed.texel + int(where)))
#elif SECOND == 3
    PUT(5, SEE(before))
#ifdef DYNAMIC
    for (int i = 0; i < 4; i++) {
        PUT(i + 6, SEE(many[OF(i, 4)]))
    }
#else
    PUT(6, SEE(many[0]))
    PUT(7, SEE(many[1]))
    PUT(8, SEE(many[2]))
    PUT(9, SEE(many[3]))
#endif
#endif
}
