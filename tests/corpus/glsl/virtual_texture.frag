#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_ARB_sparse_texture2 : require
#extension GL_ARB_sparse_texture_clamp : require
layout(set = 0, binding = 0) uniform sampler2D pages;
layout(set = 0, binding = 1) uniform sampler2DArray page_layers;
layout(std430, set = 0, binding = 2) buffer Feedback
{
    uint missing[];
};
layout(location = 0) in vec3 coord;
layout(location = 0) out vec4 color;
void main()
{
    float level = 0.0;
    int code = sparseTextureARB(pages, coord.xy, color);
    while (!sparseTexelsResidentARB(code) && level < 8.0) {
        level += 1.0;
        code = sparseTextureClampARB(pages, coord.xy, level, color);
    }
    if (level > 0.0)
        atomicOr(missing[uint(coord.x * 16.0)], 1u << uint(level));
    vec4 layer;
    if (sparseTexelsResidentARB(sparseTextureLodARB(page_layers, coord, level, layer)))
        color = mix(color, layer, 0.5);
}
