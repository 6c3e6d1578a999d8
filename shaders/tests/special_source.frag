#version 450
/* SPDX-License-Identifier: MIT */
/*
 * What tests of float attachments draw: numbers that 16 bits do not hold, infinities and none, in colour and alpha,
 * each beside each other. CHANNELS 3: without alpha. DUAL: a second source. OUTPUTS 2: the same once more.
 */
#ifndef CHANNELS
#define CHANNELS 4
#endif
#if CHANNELS == 4
#define VECTOR vec4
#define VALUE value
#else
#define VECTOR vec3
#define VALUE value.rgb
#endif
#ifdef DUAL
layout(location = 0, index = 0) out VECTOR color0;
layout(location = 0, index = 1) out vec4 second;
#else
layout(location = 0) out VECTOR color0;
#endif
#if defined(OUTPUTS) && OUTPUTS > 1
layout(location = 1) out VECTOR color1;
#endif

/* 0, -0, 1, -1, infinities, none, below and above what halves hold, 0.5, 0.1, pi. */
const uint bits[16] =
    uint[](0u, 0x80000000u, 0x3f800000u, 0xbf800000u, 0x7f800000u, 0xff800000u, 0x7fc00000u, 0x33800000u, 0xb7803000u,
           0x477fe000u, 0x477ff000u, 0x7149f2cau, 0x0da24260u, 0x3f000000u, 0x3dcccccdu, 0x40490fdbu);

float special(uint index)
{
    return uintBitsToFloat(bits[index % 16u]);
}

void main()
{
    uvec2 at = uvec2(gl_FragCoord.xy);
    vec4 value = vec4(special(at.x), special(at.x + at.y), special(at.x * 3u + 5u * at.y), special(at.y));
    color0 = VALUE;
#ifdef DUAL
    second = value.wzyx;
#endif
#if defined(OUTPUTS) && OUTPUTS > 1
    color1 = VALUE;
#endif
}
