#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_EXT_nonuniform_qualifier : require
// since: 1.2
struct Material {
    uint albedo;
    uint normal;
    uint sampler_index;
    float rough;
};
layout(std430, set = 0, binding = 0) readonly buffer Materials
{
    Material materials[];
};
layout(set = 1, binding = 0) uniform sampler samplers[8];
layout(set = 1, binding = 1) uniform texture2D images[];
layout(location = 0) in vec2 coord;
layout(location = 1) flat in uint material;
layout(location = 0) out vec4 color;
vec4 look(uint image, uint s, vec2 at)
{
    return texture(sampler2D(images[nonuniformEXT(image)], samplers[nonuniformEXT(s)]), at);
}
void main()
{
    Material m = materials[material];
    color = look(m.albedo, m.sampler_index, coord);
    vec3 n = look(m.normal, m.sampler_index, coord * 2.0).xyz * 2.0 - 1.0;
    color.rgb *= max(n.z, m.rough);
}
