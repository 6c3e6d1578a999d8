#version 450
/* SPDX-License-Identifier: MIT */
/*
 * What shaders read and write wrong where sets are laid out otherwise than their code was made for: beside a combined
 * image sampler a texel buffer and as many storage buffers as the set has, each of which gets the texel and its index.
 */
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 1) in;
#ifndef PLAIN /* without the sampler */
layout(set = 0, binding = 0) uniform sampler2D image;
#endif
layout(set = 1, binding = 0) uniform samplerBuffer texels;
layout(set = 1, binding = 1) buffer Results
{
    float value;
} results[];
layout(push_constant) uniform Pushed
{
    float pushed;
};

void main()
{
#ifdef PLAIN
    float nothing = 0.0;
#else
    float nothing = textureLod(image, vec2(0.5), 0.0).x * 0.0;
#endif
    for (int i = 0; i < 4; i++)
        results[i].value = texelFetch(texels, 0).x + float(i) + pushed + nothing;
}
