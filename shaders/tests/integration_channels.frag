#version 450
/* SPDX-License-Identifier: MIT */
/*
 * All channels of one lookup at the column's coordinate. INTEGER: of unsigned texels; SEPARATE: image and sampler are
 * descriptors of their own; ROWS: the other coordinate is the row's.
 */
layout(location = 0) out vec4 color;
#ifdef INTEGER
layout(set = 0, binding = 0) uniform usampler2D image;
#elif defined(SEPARATE)
layout(set = 0, binding = 0) uniform texture2D texels;
layout(set = 0, binding = 1) uniform sampler how;
#else
layout(set = 0, binding = 0) uniform sampler2D image;
#endif
void main()
{
    vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, 0.5);
#ifdef ROWS
    at.y = gl_FragCoord.y * 0.37 - 0.7;
#endif
#ifdef SEPARATE
    color = vec4(texture(sampler2D(texels, how), at));
#else
    color = vec4(texture(image, at));
#endif
}
