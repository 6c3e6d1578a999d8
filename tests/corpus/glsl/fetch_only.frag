#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_EXT_samplerless_texture_functions : require
layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform texture2DArray layers;
layout(location = 0) out vec4 color;
void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    color =
        texelFetch(source, at, 0) + texelFetchOffset(source, at, 1, ivec2(1, -1)) + texelFetch(layers, ivec3(at, 2), 0);
    color *= float(textureQueryLevels(source)) / float(textureSize(layers, 0).z);
}
