#version 450
/* SPDX-License-Identifier: MIT */
/*
 * One row of the target, by generated commands: the texture in red, and in green the number of the shader, so that it
 * shows which one the GPU has chosen. DEFINES: COMPUTE or FRAGMENT.
 */
layout(constant_id = 0) const int NUMBER = 0;
layout(push_constant) uniform Row
{
    uint row;
};
layout(set = 0, binding = 0) uniform sampler2D image;

vec4 looked_up(float column)
{
    vec2 at = vec2(column * 3.0 / 8.0 - 1.0, 0.5);
    return vec4(textureLod(image, at, 0.0).r, float(NUMBER), 0.0, 1.0);
}

#ifdef COMPUTE
layout(local_size_x = 8) in;
layout(set = 0, binding = 1) buffer Pixels
{
    vec4 pixels[48];
};
void main()
{
    pixels[row * 8u + gl_LocalInvocationID.x] = looked_up(float(gl_LocalInvocationID.x) + 0.5);
}
#else
layout(location = 0) out vec4 color;
void main()
{
    if (uint(gl_FragCoord.y) != row)
        discard;
    color = looked_up(gl_FragCoord.x);
}
#endif
