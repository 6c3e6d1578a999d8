#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_EXT_nonuniform_qualifier : require

// As in pairs.frag, where pixels of a quad may follow different records.

layout(set = 0, binding = 0) uniform texture2D t;
layout(set = 0, binding = 1) uniform texture2D images[4];
layout(set = 1, binding = 0) uniform sampler s;
layout(set = 1, binding = 1) uniform sampler samplers[2];

layout(location = 0) in vec4 c;
layout(location = 1) flat in ivec2 n;
layout(location = 0) out vec4 o;

void main()
{
    o = vec4(0.0);
    o += texture(sampler2D(images[nonuniformEXT(n.x)], s), c.xy);
    o += texture(sampler2D(images[nonuniformEXT(n.y)], s), c.xy, c.z);
    if (c.x > 0.7) {
        o += textureOffset(sampler2D(images[nonuniformEXT(n.x)], s), c.xy, ivec2(1, 2), c.w);
    }
    if (c.y > 0.7) {
        o += textureProj(sampler2D(t, samplers[nonuniformEXT(n.x)]), c.xyz);
    }
}
