#version 450
/* SPDX-License-Identifier: MIT */
// A combined image sampler that is used as two types through aliased bindings.
layout(set = 0, binding = 0) uniform sampler2D color_map;
layout(set = 0, binding = 0) uniform sampler2DShadow depth_map;
layout(location = 0) in vec3 coord;
layout(location = 0) out vec4 color;
void main()
{
    color = coord.z > 0.5 ? texture(color_map, coord.xy) : vec4(texture(depth_map, coord));
}
