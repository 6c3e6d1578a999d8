// Texels of buffer textures by index, in every stage, for OpenGL and Vulkan alike.
//
// Defines: SAMPLER (samplerBuffer, isamplerBuffer, usamplerBuffer), TEXEL (vec4, ivec4, uvec4), and for Vulkan STAGE_… and
// ARRAY (elements of the array of samplers, 0: none). Vulkan writes the bits of texel i and behind the last one textureSize;
// OpenGL draws one pixel for each index.

#ifdef VULKAN
#if ARRAY > 0
#ifdef NON_UNIFORM
#extension GL_EXT_nonuniform_qualifier : require
#define CHOSEN(i) textures[nonuniformEXT(indices.of[(i)] & 1)]
#else
#define CHOSEN(i) textures[pushed.element]
#endif
layout(set = 0, binding = 0) uniform SAMPLER textures[ARRAY];
#else
#define CHOSEN(i) texture_buffer
layout(set = 0, binding = 0) uniform SAMPLER texture_buffer;
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
#endif

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
    look(int(gl_FragCoord.y) * 64 + int(gl_FragCoord.x));
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
    gl_TessLevelOuter[0] = 0.0;
    gl_TessLevelOuter[1] = 0.0;
    gl_TessLevelOuter[2] = 0.0;
    gl_TessLevelOuter[3] = 0.0;
    gl_TessLevelInner[0] = 0.0;
    gl_TessLevelInner[1] = 0.0;
}
#elif defined(STAGE_TESS_EVALUATION)
layout(triangles, point_mode) in;

void main()
{
    look(gl_PrimitiveID);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
    gl_PointSize = 1.0;
}
#elif defined(GL_FRAGMENT)
uniform SAMPLER texture_buffer;
uniform isamplerBuffer indices;
out TEXEL color;

void main()
{
    color = texelFetch(texture_buffer, texelFetch(indices, int(gl_FragCoord.x)).x);
}
#endif
