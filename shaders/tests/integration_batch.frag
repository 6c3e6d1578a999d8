#version 450
/* SPDX-License-Identifier: MIT */
/*
 * Lookups of one kind or another in a row. ALONE puts each into a block of its own, where it has to be filtered by
 * itself; without it they stand in one block, and share what they can. Both must draw the same. CPU drivers compile
 * many filters in one shader slowly: hence several small shaders (KIND) instead of one. SEPARATE makes every unit two
 * descriptors, which changes nothing.
 */
#ifdef SEPARATE
layout(set = 0, binding = 0) uniform texture2D images[4];
layout(set = 0, binding = 1) uniform texture2D one_image;
layout(set = 0, binding = 2) uniform sampler samplers[5];
#define UNIT(i) sampler2D(images[i], samplers[i])
#define UNIT_PARAMETERS texture2D image, sampler with
#define UNIT_PARAMETER sampler2D(image, with)
#define PASS(i) images[i], samplers[i]
#define PASS_ONE one_image, samplers[4]
#define ONE sampler2D(one_image, samplers[4])
#else
layout(set = 0, binding = 0) uniform sampler2D units[4];
layout(set = 0, binding = 1) uniform sampler2D one;
#define UNIT(i) units[i]
#define UNIT_PARAMETERS sampler2D unit
#define UNIT_PARAMETER unit
#define PASS(i) units[i]
#define PASS_ONE one
#define ONE one
#endif
layout(location = 0) out vec4 color;

#ifdef ALONE
#define PLACE if (gl_FragCoord.z >= 0.0)
#else
#define PLACE
#endif

vec4 through(UNIT_PARAMETERS, vec2 at)
{
    vec4 texel = vec4(0.0), other = vec4(0.0);
    PLACE texel = texture(UNIT_PARAMETER, at * 0.9);
    PLACE other = texture(UNIT_PARAMETER, at * 1.1);
    return texel + other * 0.5;
}

/* In blocks of their own. */
vec4 of_each(vec2 at, float yes)
{
    vec4 sum = vec4(0.0);
    if (yes >= 0.0)
        sum += texture(UNIT(0), at);
    if (yes >= 0.0)
        sum += texture(UNIT(1), at * vec2(1.0, 0.5)) * 0.5;
    if (yes >= 0.0)
        sum += textureLod(UNIT(2), at + 0.125, 0.0);
    if (yes >= 0.0)
        sum += textureOffset(UNIT(3), at, ivec2(1, 0)) * 0.5;
    return sum;
}

#define PLACED(texel)                                                                                                  \
    if (gl_FragCoord.z >= 0.0)                                                                                         \
        sum += 0.25 * (texel);
#define PLACES(p)                                                                                                      \
    PLACED(texture(UNIT(0), p))                                                                                        \
    PLACED(texture(UNIT(1), vec2(1.0, 0.5) * (p)) * 0.5)                                                               \
    PLACED(textureLod(UNIT(2), 0.125 + (p), 0.0))                                                                      \
    PLACED(textureOffset(UNIT(3), p, ivec2(1, 0)) * 0.5)

void main()
{
    const vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, 0.5);
    const int row = int(gl_FragCoord.y);
    vec4 sum = vec4(0.0), a = vec4(0.0), b = vec4(0.0), c = vec4(0.0), d = vec4(0.0);
    float seen[4] = float[](0.0, 0.0, 0.0, 0.0);
#if KIND == 0 /* local variables between the lookups, and one that depends on the others */
    PLACE a = texture(UNIT(0), at);
    sum += a;
    PLACE b = texture(UNIT(1), at * vec2(1.0, 0.5));
    sum = sum * 0.5 + b;
    seen[row & 3] = sum.r;
    PLACE c = texture(UNIT(2), at + 0.125);
    sum += c * seen[row & 3];
    seen[(row + 1) & 3] += c.r;
    PLACE d = texture(ONE, vec2(sum.r, 0.5));
    sum += d * 0.5;
#elif KIND == 1 /* levels of detail of every kind */
    PLACE a = textureLod(UNIT(0), at, 0.0);
    PLACE b = textureGrad(UNIT(1), at, vec2(0.01, 0.0), vec2(0.0, 0.01));
    PLACE c = textureLod(UNIT(2), at * 1.25, 0.0);
    PLACE d = texture(UNIT(3), at, 0.5);
    seen[1] = a.r;
    sum = a + b * 0.5 + c * 0.25 + d * seen[1];
#elif KIND == 2 /* offsets, projection */
    PLACE a = textureOffset(UNIT(0), at, ivec2(1, 0));
    PLACE b = textureProj(UNIT(1), vec3(at * 2.0, 2.0));
    PLACE c = textureOffset(UNIT(2), at, ivec2(-2, 1));
    PLACE d = textureProj(UNIT(3), vec3(at * 0.5, 0.5));
    sum = a + b * 0.5 + c * 0.25 + d * 0.125;
#elif KIND == 3 /* a function that is given the sampler */
    sum = through(PASS_ONE, at) + through(PASS(3), at) * 0.5;
#elif KIND == 6 /* an image that is found through an index, behind one that is not */
    const int last = min(textureSize(ONE, 0).x, 3);
    PLACE a = texture(UNIT(0), at);
    PLACE b = texture(UNIT(last), at * 0.9);
    PLACE c = texture(UNIT(last), at * 1.1);
    PLACE d = texture(UNIT(last - 1), at * 1.2);
    sum = a + b * 0.5 + c * 0.25 + d * 0.125;
#elif KIND == 7 /* images whose records do not lie at one distance, in the order of the lookups */
    PLACE a = texture(UNIT(2), at);
    PLACE b = texture(UNIT(0), at * 0.9);
    PLACE c = texture(UNIT(3), at * 1.1);
    PLACE d = texture(UNIT(1), at * 1.2);
    sum = a + b * 0.5 + c * 0.25 + d * 0.125;
#elif KIND == 8 /* and first at one distance, then at another */
    PLACE a = texture(UNIT(0), at);
    PLACE b = texture(UNIT(1), at * 0.9);
    PLACE c = texture(UNIT(3), at * 1.1);
    PLACE d = texture(UNIT(2), at * 1.2);
    sum = a + b * 0.5 + c * 0.25 + d * 0.125;
#elif KIND == 4 /* many lookups, of all units; ALONE has code for one of each */
#ifdef ALONE
    for (int i = 0; i < 4; i++)
        sum += of_each(at * (1.0 - 0.03 * float(i)), gl_FragCoord.z) * 0.25;
#else
    PLACES(at);
    PLACES(at * 0.97);
    PLACES(at * 0.94);
    PLACES(at * 0.91);
#endif
#else /* a function with lookups, called several times */
#ifdef ALONE
    for (int i = 0; i < 4; i++)
        sum += of_each(at * (1.0 - 0.03 * float(i)), gl_FragCoord.z) * 0.25;
#else
    sum += of_each(at, gl_FragCoord.z) * 0.25;
    sum += of_each(at * 0.97, gl_FragCoord.z) * 0.25;
    sum += of_each(at * 0.94, gl_FragCoord.z) * 0.25;
    sum += of_each(at * 0.91, gl_FragCoord.z) * 0.25;
#endif
#endif
    color = vec4(sum.r, seen[1], seen[2] + a.r, 1.0);
}
