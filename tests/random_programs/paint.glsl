#version 450
// SPDX-License-Identifier: MIT
// Draws to one or two attachments: a colour that changes along both axes, or that times a lookup. TYPE: what outputs
// are.
#ifdef VULKAN
layout(push_constant) uniform Parameters
{
    vec4 p[8]; // the last one: where descriptors lie in heaps
};
#else
uniform vec4 p[7];
uniform vec3 moved, steps, up; // what the judge rounds OpenGL's coordinates to
uniform vec2 result;           // and adds to what it looks up: to colours, and to alpha
#endif
#ifdef LOOKUP
#ifdef SEPARATE
layout(set = 0, binding = 0) uniform texture2D image;
layout(set = 0, binding = 1) uniform sampler state;
#define S sampler2D(image, state)
#elif defined(VULKAN)
layout(set = 0, binding = 0) uniform sampler2D combined;
#define S combined
#else
layout(binding = 0) uniform sampler2D combined;
#define S combined
#endif
#endif
layout(location = 0) out TYPE color0;
layout(location = 1) out TYPE color1;
void main()
{
    vec2 at = gl_FragCoord.xy;
    vec4 first = p[0] + p[1] * at.x + p[2] * at.y, second = p[3] + p[4] * at.x + p[5] * at.y;
#ifdef LOOKUP
    vec2 place = at * p[6].xy;
#ifndef VULKAN
    place += moved.xy;
    if (steps.x > 0.0)
        place = floor(place * steps.xy + up.xy) / steps.xy;
#endif
    vec4 seen = textureLod(S, place, p[6].z);
#ifndef VULKAN
    seen += result.xxxy * max(vec4(1.0), abs(seen));
#endif
    first *= seen;
#endif
    color0 = TYPE(first);
    color1 = TYPE(second);
}
