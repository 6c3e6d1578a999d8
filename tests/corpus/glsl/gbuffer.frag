#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 1, binding = 0) uniform sampler2D diffuse_map;
layout(set = 1, binding = 1) uniform sampler2D normal_map;
layout(set = 1, binding = 2) uniform sampler2D mask_map;
layout(location = 0) in vec3 normal;
layout(location = 1) in vec3 tangent;
layout(location = 2) in vec3 bitangent;
layout(location = 3) in vec2 coord;
layout(location = 0) out vec4 out_albedo;
layout(location = 1) out vec4 out_normal;
layout(location = 2) out uvec2 out_packed;
vec2 octahedron(vec3 n)
{
    n /= abs(n.x) + abs(n.y) + abs(n.z);
    return n.z >= 0.0 ? n.xy : (1.0 - abs(n.yx)) * sign(n.xy);
}
void main()
{
    if (texture(mask_map, coord).r < 0.3)
        discard;
    vec3 bump;
    bump.xy = texture(normal_map, coord).rg * 2.0 - 1.0;
    bump.z = sqrt(max(1.0 - dot(bump.xy, bump.xy), 0.0));
    out_albedo = texture(diffuse_map, coord, -0.5);
    out_normal = vec4(octahedron(normalize(mat3(tangent, bitangent, normal) * bump)), 0.0, 1.0);
    out_packed = uvec2(packUnorm4x8(out_albedo), packHalf2x16(out_normal.xy));
}
