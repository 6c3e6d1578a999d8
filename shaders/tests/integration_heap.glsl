#version 460
/* SPDX-License-Identifier: MIT */
/*
 * Textures and samplers that the shader itself takes out of heaps (SPV_EXT_descriptor_heap). A row looks up with the
 * texture and the sampler whose numbers are pushed.
 *
 *   FRAGMENT, COMPUTE   who looks up; the latter writes pixels into a buffer in the heap
 *   STRIDE=bytes        textures lie so far from each other, else as far as descriptors of images are large
 *   FUNCTION            textures and samplers are passed to functions
 *   MANY                green is the next row's red, and blue the mean of three rows, which a loop takes
 *   CONSTANT            all rows use texture and sampler 0 and 1 of the heaps
 *   MEMBERS             textures are members of structs that lie behind each other from byte 64 on, samplers of one
 * that begins at a byte that is pushed
 */
#extension GL_EXT_descriptor_heap : require
#extension GL_EXT_nonuniform_qualifier : require
#ifdef MEMBERS
#extension GL_EXT_structured_descriptor_heap : require
#endif

layout(push_constant) uniform Push
{
    uint textures[6];
    uint samplers[6];
    uint pixels;
    uint samplers_at;
} push;

#ifdef MEMBERS
struct Material {
    texture2D first;
    uint between;
    texture2D second;
};
layout(heap_offset = 64) resourceheap Materials
{
    uint count;
    Material list[16];
} materials;
layout(heap_offset = push.samplers_at) samplerheap Samplers
{
    sampler list[16];
} sampler_heap;
#else
#ifdef STRIDE
layout(descriptor_heap, descriptor_stride = STRIDE) uniform texture2D textures[];
#else
layout(descriptor_heap) uniform texture2D textures[];
#endif
layout(descriptor_heap) uniform sampler samplers[];
#endif

#if defined(FUNCTION)
/* Through a function that calls another one. */
vec4 look_up(texture2D image, sampler by, vec2 at)
{
    return texture(sampler2D(image, by), at);
}
vec4 look_further(sampler by, vec2 at, texture2D image)
{
    return look_up(image, by, at);
}
#endif

#if defined(CONSTANT)
#define LOOKED_UP sampler2D(textures[0], samplers[1])
#elif defined(MEMBERS)
#define LOOKED_UP                                                                                                      \
    sampler2D(materials.list[nonuniformEXT(push.textures[row])].second,                                                \
              sampler_heap.list[nonuniformEXT(push.samplers[row])])
#else
#define PAIR(row)                                                                                                      \
    sampler2D(textures[nonuniformEXT(push.textures[(row) % 6])], samplers[nonuniformEXT(push.samplers[(row) % 6])])
#define LOOKED_UP PAIR(row)
#endif

#ifdef COMPUTE
layout(local_size_x = 8, local_size_y = 6) in;
layout(descriptor_heap) buffer Pixels
{
    vec4 list[48];
} pixels[];
void main()
{
    uint row = gl_LocalInvocationID.y;
    vec2 at = vec2((float(gl_LocalInvocationID.x) + 0.5) * 3.0 / 8.0 - 1.0, 0.5);
    pixels[push.pixels].list[gl_LocalInvocationIndex] = vec4(textureLod(LOOKED_UP, at, 0.0).r, 0.0, 0.0, 1.0);
}
#else
layout(location = 0) out vec4 color;
void main()
{
    uint row = uint(gl_FragCoord.y);
    vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, 0.5);
#ifdef FUNCTION
    color = vec4(look_further(samplers[push.samplers[row]], at, textures[push.textures[row]]).r, 0.0, 0.0, 1.0);
#else
    color = vec4(texture(LOOKED_UP, at).r, 0.0, 0.0, 1.0);
#endif
#ifdef MANY
    color.g = texture(PAIR(row + 1), at).r;
    for (uint i = 0; i < 3; i++)
        color.b += texture(PAIR(row + i), at).r / 3.0;
#endif
}
#endif
