// SPDX-License-Identifier: MIT
#version 440
layout(location = 0) in vec2 qt_TexCoord0;
layout(location = 0) out vec4 color;
layout(std140, binding = 0) uniform Item
{
    mat4 qt_Matrix;
    float qt_Opacity;
} item;
layout(binding = 1) uniform sampler2D source;

void main()
{
    color = vec4(texture(source, qt_TexCoord0 * 2.0 - 0.5).rgb * item.qt_Opacity, 1.0);
}
