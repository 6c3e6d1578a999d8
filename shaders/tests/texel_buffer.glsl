#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_EXT_nonuniform_qualifier : enable

// Texels of a texel buffer by index, in every stage. Defines: SAMPLER (samplerBuffer, isamplerBuffer, usamplerBuffer),
// STAGE_…, and ARRAY: 0 one texel buffer, 1 an array by a constant, 2 by a value that is the same everywhere, 3 by one
// that is not. Writes the bits of texel i and, behind the last one, textureSize.

#if ARRAY == 0
#define CHOSEN(i) texture_buffer
layout(set = 0, binding = 0) uniform SAMPLER texture_buffer;
#else
layout(set = 0, binding = 0) uniform SAMPLER textures[3];
#if ARRAY == 1
#define CHOSEN(i) textures[2]
#elif ARRAY == 2
#define CHOSEN(i) textures[pushed.element]
#else
#define CHOSEN(i) textures[nonuniformEXT((i) % 3)]
#endif
#endif
layout(std430, set = 0, binding = 1) readonly buffer Indices
{
    int of[];
} indices;
layout(std430, set = 0, binding = 2) writeonly buffer Texels
{
    uvec4 of[];
} texels;
layout(push_constant) uniform Pushed
{
    int count;
    int element;
} pushed;

uvec4 bits(const in vec4 texel)
{
    return floatBitsToUint(texel);
}

uvec4 bits(const in ivec4 texel)
{
    return uvec4(texel);
}

uvec4 bits(const in uvec4 texel)
{
    return texel;
}

void look(const in int i)
{
    if (i < pushed.count) {
        texels.of[i] = bits(texelFetch(CHOSEN(i), indices.of[i]));
    } else if (i == pushed.count) {
        texels.of[i] = uvec4(textureSize(CHOSEN(0)));
    }
}

#if defined(STAGE_COMPUTE)
layout(local_size_x = 64) in;

void main()
{
    look(int(gl_GlobalInvocationID.x));
}
#elif defined(STAGE_VERTEX)
void main()
{
    look(gl_VertexIndex);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
    gl_PointSize = 1.0;
}
#elif defined(STAGE_FRAGMENT)
layout(location = 0) out vec4 color;

void main()
{
    look(int(gl_FragCoord.x));
    color = vec4(1.0);
}
#elif defined(STAGE_GEOMETRY)
layout(points) in;
layout(points, max_vertices = 1) out;

void main()
{
    look(gl_PrimitiveIDIn);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
    EmitVertex();
}
#elif defined(STAGE_TESS_CONTROL)
layout(vertices = 1) out;

void main()
{
    look(gl_PrimitiveID);
    gl_TessLevelOuter[0] = 1.0;
    gl_TessLevelOuter[1] = 1.0;
    gl_TessLevelOuter[2] = 1.0;
    gl_TessLevelInner[0] = 1.0;
}
#elif defined(STAGE_TESS_PASS)
layout(vertices = 1) out;

void main()
{
    gl_TessLevelOuter[0] = 1.0;
    gl_TessLevelOuter[1] = 1.0;
    gl_TessLevelOuter[2] = 1.0;
    gl_TessLevelInner[0] = 1.0;
}
#elif defined(STAGE_PASS)
void main()
{
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
    gl_PointSize = 1.0;
}
#elif defined(STAGE_EVALUATE)
layout(triangles, point_mode) in;

void main()
{
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
#elif defined(STAGE_TESS_EVALUATION)
layout(triangles, point_mode) in;

void main()
{
    look(gl_PrimitiveID);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
#endif
