#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_EXT_nonuniform_qualifier : require

// Samplers, images and arrays of them as variables and as function parameters, with every kind of index.

layout(set = 0, binding = 0) uniform sampler2D array[4];
layout(set = 1, binding = 1) uniform sampler2D one;
layout(set = 1, binding = 2) uniform texture2D images[3];
layout(set = 2, binding = 3) uniform sampler samplers[2];
layout(set = 3, binding = 7) uniform sampler2D many[];

layout(location = 0) in vec4 c;
layout(location = 1) flat in ivec2 n;
layout(location = 0) out vec4 o;

vec4 leaf(sampler2D t, vec2 uv)
{
    return texture(t, uv) + textureLod(t, uv, 1.0);
}

vec4 two(sampler2D t, vec2 uv, sampler2D u)
{
    return leaf(t, uv) + leaf(u, uv);
}

vec4 of_array(sampler2D t[4], int i, vec2 uv)
{
    return texture(t[i], uv) + leaf(t[2], uv);
}

vec4 of_pair(texture2D t, sampler s, vec2 uv)
{
    return texture(sampler2D(t, s), uv);
}

vec4 of_pairs(texture2D t[3], sampler s[2], vec2 uv, int i)
{
    return texture(sampler2D(t[i], s[i]), uv) + of_pair(t[i], s[1], uv);
}

vec4 never_called(sampler2D t, vec2 uv)
{
    return textureLod(t, uv, 0);
}

void main()
{
    o = leaf(one, c.xy) + leaf(array[2], c.xy) + leaf(array[n.x], c.zw) + two(array[1], c.xy, one);
    o += of_array(array, n.x, c.xy) + of_pair(images[n.x], samplers[n.y], c.xy);
    o += of_pairs(images, samplers, c.xy, n.x) + texture(sampler2D(images[1], samplers[n.x]), c.xy);
    o += texture(many[nonuniformEXT(n.x)], c.xy) + textureLod(many[nonuniformEXT(n.y)], c.xy, 2);
    o += texture(many[3], c.xy) + texture(sampler2D(images[nonuniformEXT(n.x)], samplers[1]), c.xy);
    o += leaf(many[nonuniformEXT(n.y)], c.xy);
}
