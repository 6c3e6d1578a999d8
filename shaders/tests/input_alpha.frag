#version 450
/* SPDX-License-Identifier: MIT */
/* Shows the alpha that an input attachment reads, and its red. */
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput before;
layout(location = 0) out vec4 color;
void main()
{
    vec4 texel = subpassLoad(before);
    color = vec4(texel.a, texel.r, 0.0, 1.0);
}
