/* SPDX-License-Identifier: MIT */
// Shares of a cubic filter, for lookups (filter.glsl) and blits (blit.comp).

#ifndef CUBIC_GLSL
#define CUBIC_GLSL

// The share of the texel that lies `o` behind the second of four, along each axis, where the coordinate is `t` behind
// the second ("Texel Cubic Filtering"). Weights are those of VkCubicFilterWeightsQCOM: powers of t, of which the outer
// texels and the inner ones have polynomials of their own; those of the last two are mirrored.
vec3 cubic_shares(const in vec3 t, const in vec3 o, const in int weights)
{
    const bool odd = (weights & 1) != 0;
    const bool upper = weights > 1;
    const vec4 sharp_outer = mix(vec4(0.0, -0.5, 1.0, -0.5), vec4(0.0, -1.0, 2.0, -1.0), bvec4(odd));
    const vec4 sharp_inner = mix(vec4(1.0, 0.0, -2.5, 1.5), vec4(1.0, 0.0, -2.0, 1.0), bvec4(odd));
    const vec4 soft_outer = mix(vec4(1.0, -3.0, 3.0, -1.0) / 6.0, vec4(1.0, -9.0, 15.0, -7.0) / 18.0, bvec4(odd));
    const vec4 soft_inner = mix(vec4(4.0, 0.0, -6.0, 3.0) / 6.0, vec4(16.0, 0.0, -36.0, 21.0) / 18.0, bvec4(odd));
    const vec4 outer = mix(sharp_outer, soft_outer, bvec4(upper));
    const vec4 inner = mix(sharp_inner, soft_inner, bvec4(upper));
    const vec3 u = mix(t, 1.0 - t, greaterThan(o, vec3(0.5)));
    const vec3 far = outer.x + u * (outer.y + u * (outer.z + u * outer.w));
    const vec3 near = inner.x + u * (inner.y + u * (inner.z + u * inner.w));
    return mix(near, far, greaterThan(abs(o - 0.5), vec3(1.0)));
}

#endif
