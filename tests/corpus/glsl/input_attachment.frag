#version 450
/* SPDX-License-Identifier: MIT */
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput albedo;
layout(input_attachment_index = 1, set = 0, binding = 1) uniform subpassInput normal;
layout(location = 0) out vec4 color;
void main()
{
    color = subpassLoad(albedo) * max(subpassLoad(normal).z, 0.0);
}
