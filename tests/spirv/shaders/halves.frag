#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_EXT_nonuniform_qualifier : require

// Textures and samplers that are declared at the bindings of combined image samplers, and passed to functions with
// others.

layout(set = 0, binding = 0) uniform sampler2D combined[4];
layout(set = 0, binding = 0) uniform texture2D images[4];
layout(set = 0, binding = 0) uniform sampler samplers[4];
layout(set = 1, binding = 1) uniform texture2D image;
layout(set = 1, binding = 1) uniform sampler how;
layout(set = 2, binding = 0) uniform texture2D own_images[4];
layout(set = 2, binding = 1) uniform sampler own_samplers[4];

layout(location = 0) in vec4 c;
layout(location = 1) flat in ivec2 n;
layout(location = 0) out vec4 o;

vec4 of_pair(texture2D t, sampler s, vec2 uv)
{
    return texture(sampler2D(t, s), uv);
}

vec4 of_pairs(texture2D t[4], sampler s[4], vec2 uv, int i)
{
    return texture(sampler2D(t[i], s[2]), uv) + of_pair(t[3], s[i], uv);
}

void main()
{
    o = texture(sampler2D(image, how), c.xy) + texture(sampler2D(images[n.x], samplers[n.x]), c.xy);
    o += texture(sampler2D(images[n.x], samplers[n.y]), c.xy) + textureLod(sampler2D(images[1], how), c.xy, 1.0);
    o += texture(sampler2D(image, own_samplers[n.x]), c.xy) + texture(sampler2D(own_images[2], samplers[2]), c.xy);
    o += of_pair(image, how, c.xy) + of_pair(images[n.x], own_samplers[1], c.xy) + texture(combined[n.y], c.zw);
    o += of_pairs(images, samplers, c.xy, n.x) + of_pairs(own_images, own_samplers, c.xy, n.y);
    o += of_pairs(own_images, samplers, c.xy, 1) + of_pairs(images, own_samplers, c.xy, n.x);
    o += texture(sampler2D(images[nonuniformEXT(n.x)], samplers[nonuniformEXT(n.x)]), c.xy);
}
