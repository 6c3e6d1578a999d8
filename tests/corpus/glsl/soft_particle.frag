#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D sprite;
layout(set = 0, binding = 1) uniform sampler2D depth_map;
layout(set = 0, binding = 2) uniform sampler1DArray palettes;
layout(location = 0) in vec2 coord;
layout(location = 1) in float age;
layout(location = 2) flat in int palette;
layout(location = 0) out vec4 color;
void main()
{
    vec4 c = texture(sprite, coord) * texture(palettes, vec2(age, float(palette)));
    float behind = texelFetch(depth_map, ivec2(gl_FragCoord.xy), 0).r;
    color = c * clamp((behind - gl_FragCoord.z) * 200.0, 0.0, 1.0);
}
