#version 450
/* SPDX-License-Identifier: MIT */
/*
 * Four lookups in a row whose levels differ from pixel to pixel, a channel each. Their images show one value a level.
 * DEPENDENT: the coordinate of each is the one before's, plus what that shows. ALONE: each stands in a block of its
 * own. SEPARATE: images and samplers are descriptors of their own.
 */
#ifdef SEPARATE
layout(set = 0, binding = 0) uniform texture2D images[4];
layout(set = 0, binding = 1) uniform sampler samplers[4];
#define UNIT(i) sampler2D(images[i], samplers[i])
#else
layout(set = 0, binding = 0) uniform sampler2D units[4];
#define UNIT(i) units[i]
#endif
layout(location = 0) out vec4 color;
#ifdef ALONE
#define PLACE if (gl_FragCoord.z >= 0.0)
#else
#define PLACE
#endif
#ifdef DEPENDENT
#define NEXT(seen) (0.0 * (seen))
#else
#define NEXT(seen) 0.0
#endif

void main()
{
    const vec2 p = gl_FragCoord.xy / 16.0;
    vec4 sum = vec4(0.0);
    PLACE sum.r = texture(UNIT(0), vec2(0.1 + 0.7 * p.x * p.x, 0.2 + p.y * 0.1)).r;
    PLACE sum.g = texture(UNIT(1), vec2(0.2 + p.x * 0.05, 0.1 + p.y * p.y * 0.7) + NEXT(sum.r)).r;
    PLACE sum.b = texture(UNIT(2), vec2(0.1 + 0.7 * p.x * p.y, 0.2 + p.x * 0.02) + NEXT(sum.g)).r;
    PLACE sum.a = texture(UNIT(3), vec2(0.5 + 0.3 * sin(p.x * 9.0), 0.2 + 0.01 * p.y) + NEXT(sum.b)).r;
    color = sum;
}
