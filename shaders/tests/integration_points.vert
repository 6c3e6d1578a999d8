#version 450
/* SPDX-License-Identifier: MIT */
/*
 * One point a pixel of the target, eight columns. LOOKUP: this stage looks the texture up. CAPTURE: and transform
 * feedback captures what it found.
 */
#ifdef LOOKUP
layout(set = 0, binding = 0) uniform sampler2D image;
#endif
#ifdef CAPTURE
layout(xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0, location = 0) flat out vec4 looked_up;
#else
layout(location = 0) flat out vec4 looked_up;
#endif
void main()
{
    vec2 pixel = vec2(gl_VertexIndex % 8, gl_VertexIndex / 8) + 0.5;
    gl_Position = vec4(pixel / vec2(8.0, 6.0) * 2.0 - 1.0, 0.0, 1.0);
    gl_PointSize = 1.0;
    vec2 at = vec2(pixel.x * 3.0 / 8.0 - 1.0, 0.5);
#ifdef LOOKUP
    looked_up = vec4(textureLod(image, at, 0.0).r, 0.0, 0.0, 1.0);
#else
    looked_up = vec4(at, 0.0, 1.0);
#endif
}
