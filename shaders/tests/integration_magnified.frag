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
    vec2 coordinate = at + dx * pixel.x + dy * pixel.y + bend * max(pixel.x - middle, 0.0);
#ifdef GRADIENTS
    color = textureGrad(image, coordinate, dFdx(coordinate), dFdy(coordinate));
#else
    color = texture(image, coordinate);
#endif
}
