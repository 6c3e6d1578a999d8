#version 460
#ifdef RAYGEN
#extension GL_EXT_ray_tracing : require
#endif
/* SPDX-License-Identifier: MIT */
/*
 * The pixels of integration_lookup.comp by any stage, through the second element of a binding that may have a variable
 * count, and so stands behind the buffer of the pixels. DEFINES: FRAGMENT, COMPUTE or RAYGEN.
 */
layout(set = 0, binding = 1) uniform sampler2D images[2];

vec4 looked_up(float column)
{
    return vec4(textureLod(images[1], vec2(column * 3.0 / 8.0 - 1.0, 0.5), 0.0).r, 0.0, 0.0, 1.0);
}

#ifdef FRAGMENT
layout(location = 0) out vec4 color;
void main()
{
    color = looked_up(gl_FragCoord.x);
}
#else
layout(set = 0, binding = 0) buffer Pixels
{
    vec4 pixels[48];
};
#ifdef COMPUTE
layout(local_size_x = 8, local_size_y = 6) in;
#define AT gl_LocalInvocationID
#else
#define AT gl_LaunchIDEXT
#endif
void main()
{
    pixels[AT.y * 8u + AT.x] = looked_up(float(AT.x) + 0.5);
}
#endif
