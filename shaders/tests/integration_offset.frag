#version 450
/* SPDX-License-Identifier: MIT */
/* One lookup at a constant offset, behind a gather at one that is pushed, which counts for nothing. */
layout(set = 0, binding = 0) uniform sampler2D image;
layout(push_constant) uniform Pushed
{
    int offset;
};
layout(location = 0) out vec4 color;
void main()
{
    vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, 0.5);
    float nothing = textureGatherOffset(image, at, ivec2(offset, 0)).x * 0.0;
    color = vec4(textureOffset(image, at, ivec2(3, 0)).r + nothing, 0.0, 0.0, 1.0);
}
