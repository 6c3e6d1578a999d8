#version 450
/* SPDX-License-Identifier: MIT */
/* The target's pixels by dispatch: one work group of eight columns by six rows. PUSHED: times what is pushed. */
layout(local_size_x = 8, local_size_y = 6) in;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 1) buffer Pixels
{
    vec4 pixels[48];
};
#ifdef PUSHED
layout(push_constant) uniform Pushed
{
    float factor;
};
#else
const float factor = 1.0;
#endif
void main()
{
    vec2 at = vec2((float(gl_LocalInvocationID.x) + 0.5) * 3.0 / 8.0 - 1.0, 0.5);
    pixels[gl_LocalInvocationIndex] = vec4(textureLod(image, at, 0.0).r * factor, 0.0, 0.0, 1.0);
}
