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
    first *= textureLod(S, at * p[6].xy, p[6].z);
#endif
    color0 = TYPE(first);
    color1 = TYPE(second);
}
