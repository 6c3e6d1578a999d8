#version 450
/* SPDX-License-Identifier: MIT */
/*
 * Arrays of descriptors under indices that only a push constant knows: six combined image samplers, or (SEPARATE) two
 * images and three samplers. Row 0 is one lookup of the element; row 1 the same in a function that got it as a
 * parameter; row 2 of the element behind it.
 */
layout(push_constant) uniform Chosen
{
    int image, sampler_;
} chosen;
layout(location = 0) out vec4 color;
#ifdef SEPARATE
layout(set = 0, binding = 0) uniform texture2D images[2];
layout(set = 0, binding = 1) uniform sampler samplers[3];
#define ELEMENT(i) sampler2D(images[chosen.image], samplers[(chosen.sampler_ + (i)) % 3])
float looked_up(texture2D image, sampler how, vec2 at)
{
    return texture(sampler2D(image, how), at).r;
}
#define LOOKED_UP(at) looked_up(images[chosen.image], samplers[chosen.sampler_], at)
#else
layout(set = 0, binding = 0) uniform sampler2D units[6];
#define ELEMENT(i) units[(chosen.sampler_ + (i)) % 6]
float looked_up(sampler2D unit, vec2 at)
{
    return texture(unit, at).r;
}
#define LOOKED_UP(at) looked_up(units[chosen.sampler_], at)
#endif
void main()
{
    vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, 0.5);
    float rows[3] = float[](texture(ELEMENT(0), at).r, LOOKED_UP(at), texture(ELEMENT(1), at).r);
    color = vec4(rows[int(gl_FragCoord.y) % 3], 0.0, 0.0, 1.0);
}
