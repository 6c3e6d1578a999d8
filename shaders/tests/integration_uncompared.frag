#version 450
/* SPDX-License-Identifier: MIT */
// Two pairs of separate descriptors: depth with a sampler that compares, a colour with one that does not. Column 0 to 3
// of the colour is looked up, at the centres of its texels.
// PLAIN: the colour through the sampler that compares. PASSED: by a function that is given image and sampler. SPLIT:
// the sampler that compares is half of a combined image sampler.
layout(set = 0, binding = 0) uniform texture2D depth;
#ifdef SPLIT
layout(set = 0, binding = 0) uniform sampler comparing;
#else
layout(set = 0, binding = 1) uniform sampler comparing;
#endif
layout(set = 0, binding = 2) uniform texture2D colour;
layout(set = 0, binding = 3) uniform sampler ordinary;
layout(location = 0) out vec4 color;

vec4 look(texture2D image, sampler through, vec2 at)
{
    return textureLod(sampler2D(image, through), at, 0.0);
}

#ifdef PLAIN
#define THROUGH comparing
#else
#define THROUGH ordinary
#endif

void main()
{
    vec2 at = vec2(gl_FragCoord.x / 4.0, 0.5);
    float shadow = textureLod(sampler2DShadow(depth, comparing), vec3(at, 0.5), 0.0);
#ifdef PASSED
    vec4 own = look(colour, THROUGH, at);
#else
    vec4 own = textureLod(sampler2D(colour, THROUGH), at, 0.0);
#endif
    color = vec4(own.rgb, shadow);
}
