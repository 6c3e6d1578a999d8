#version 450
/* SPDX-License-Identifier: MIT */
/*
 * A different colour and alpha in each of 16 x 16 pixels, as blend_source.frag has them, to OUTPUTS attachments, in
 * each of which the channels are one further. DUAL: a second source beside it. INTEGER: unsigned numbers instead.
 * NEGATIVE: from below 0 to above 1. CHANNELS: how many an output has; SPLIT: each location is two variables of two
 * channels; ARRAY: all outputs are one array. PLACED: what a program writes that knows the places of channels itself.
 */
#ifndef OUTPUTS
#define OUTPUTS 1
#endif
#ifdef INTEGER
#define VECTOR uvec4
#else
#define VECTOR vec4
#endif
#ifdef DUAL
layout(location = 0, index = 0) out VECTOR color0;
layout(location = 0, index = 1) out VECTOR second;
#elif defined(ARRAY)
layout(location = 0) out VECTOR colors[OUTPUTS];
#elif defined(SPLIT)
layout(location = 0, component = 0) out vec2 color0_rg;
layout(location = 0, component = 2) out vec2 color0_ba;
#elif defined(CHANNELS)
#if CHANNELS == 1
layout(location = 0) out float color0;
#else
layout(location = 0) out vec3 color0;
#endif
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
#ifdef INTEGER
    source = source * 15.0 + 0.5;
#endif
#ifdef NEGATIVE
    source = source * 3.0 - 1.25;
#endif
#ifdef ARRAY
    colors[0] = VECTOR(source);
    colors[1] = VECTOR(source.yzwx);
    colors[2] = VECTOR(source.zwxy);
#elif defined(SPLIT)
    color0_rg = source.rg;
    color0_ba = source.ba;
#elif defined(CHANNELS)
#if CHANNELS == 1
    color0 = source.r;
#else
    color0 = source.rgb;
#endif
#elif defined(PLACED)
    color0 = PLACED;
#else
    color0 = VECTOR(source);
#ifdef DUAL
    second = VECTOR(1.0 - source.wxyz);
#endif
#if OUTPUTS > 1
    color1 = VECTOR(source.yzwx);
#endif
#if OUTPUTS > 2
    color2 = VECTOR(source.zwxy);
#endif
#endif
}
