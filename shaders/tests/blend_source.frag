#version 450
/* SPDX-License-Identifier: MIT */
/*
 * What blending tests draw: a different colour and alpha in each of 16 x 16 pixels, to as many attachments as OUTPUTS
 * says. DUAL: a second source beside it. NEGATIVE: alpha is from -1 to 0. INTEGER, SIGNED: unsigned numbers instead, or
 * signed ones.
 */
#ifndef OUTPUTS
#define OUTPUTS 1
#endif
#ifdef INTEGER
#define VECTOR uvec4
#elif defined(SIGNED)
#define VECTOR ivec4
#else
#define VECTOR vec4
#endif
#ifdef DUAL
layout(location = 0, index = 0) out VECTOR color0;
layout(location = 0, index = 1) out VECTOR second;
#else
layout(location = 0) out VECTOR color0;
#if OUTPUTS > 1
layout(location = 1) out VECTOR color1;
#endif
#if OUTPUTS > 2
layout(location = 2) out VECTOR color2;
#endif
#endif

void main()
{
    vec2 at = floor(gl_FragCoord.xy);
    vec4 source = vec4(at.x, at.y, 15.0 - at.x, mod(at.x * 7.0 + at.y * 3.0, 16.0)) / 15.0;
#ifdef NEGATIVE
    source.w -= 1.0;
#endif
#if defined(INTEGER) || defined(SIGNED)
    source *= 15.0;
#endif
    color0 = VECTOR(source);
#ifdef DUAL
    second = VECTOR(1.0 - source.wxyz);
#endif
#if OUTPUTS > 1
    color1 = VECTOR(source);
#endif
#if OUTPUTS > 2
    color2 = VECTOR(source);
#endif
}
