#version 450
/* SPDX-License-Identifier: MIT */
// The colour that was pushed.
layout(push_constant) uniform Push
{
    vec4 color;
};
layout(location = 0) out vec4 target;
void main()
{
    target = color;
}
