#version 450
/* SPDX-License-Identifier: MIT */
/* One lookup at a linear function of the pixel, whose slope changes in the middle of the target's first axis. */
layout(push_constant) uniform Push
{
    vec2 at, dx, dy, bend;
    float middle;
};
layout(set = 0, binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main()
{
    vec2 pixel = gl_FragCoord.xy;
    color = texture(image, at + dx * pixel.x + dy * pixel.y + bend * max(pixel.x - middle, 0.0));
}
