#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D depth_map;
layout(set = 0, binding = 1) uniform sampler2D decals[16];
layout(set = 0, binding = 2) uniform Decal
{
    mat4 to_decal;
    vec4 tint;
    int image;
};
layout(location = 0) in vec2 coord;
layout(location = 0) out vec4 color;
void main()
{
    vec4 p = to_decal * vec4(coord * 2.0 - 1.0, texture(depth_map, coord).r, 1.0);
    p.xyz /= p.w;
    if (any(greaterThan(abs(p.xyz), vec3(1.0))))
        discard;
    vec2 at = p.xy * 0.5 + 0.5;
    vec2 dx = dFdx(at), dy = dFdy(at);
    if (length(dx) > 0.1)
        dx = vec2(0.0);
    if (length(dy) > 0.1)
        dy = vec2(0.0);
    color = textureGrad(decals[image], at, dx, dy) * tint;
}
