#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_EXT_nonuniform_qualifier : require
/* A texture in binding 0 (rows 0 and 1) and a variable-count array of storage buffers in binding 3 (the other rows). */
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 3) readonly buffer Buffer
{
    float value;
} buffers[];
layout(location = 0) out vec4 color;
void main()
{
    vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, 0.5);
    float looked_up = texture(image, at).r;
    float rows[6] =
        float[](looked_up, looked_up, buffers[0].value, buffers[1].value, buffers[2].value, buffers[3].value);
    color = vec4(rows[int(gl_FragCoord.y)], 0.0, 0.0, 1.0);
}
