#version 450
/* SPDX-License-Identifier: MIT */
/*
 * Shows what a fetch returns at the same place, as numbers. SAMPLED: what a lookup returns around it, of a texture of
 * 16 x 16 texels. INTEGER: of unsigned texels.
 */
#ifdef INTEGER
layout(set = 0, binding = 0) uniform usampler2D texture_unit;
#else
layout(set = 0, binding = 0) uniform sampler2D texture_unit;
#endif
layout(location = 0) out vec4 color;
void main()
{
#ifdef SAMPLED
    color = vec4(texture(texture_unit, gl_FragCoord.xy / 16.0 * 1.5 - 0.25));
#else
    color = vec4(texelFetch(texture_unit, ivec2(gl_FragCoord.xy), 0));
#endif
}
