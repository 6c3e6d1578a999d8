#version 450
/* SPDX-License-Identifier: MIT */
#ifdef MIN_LOD
#extension GL_ARB_sparse_texture_clamp : require
#endif
/*
 * One lookup for each element of `inputs`, for Vulkan (compiled at build time) and OpenGL (at run time) alike.
 *
 * STAGE_VERTEX, STAGE_FRAGMENT or STAGE_COMPUTE chooses the stage. LOOKUP is the expression that samples: it reads
 * S (a combined image sampler, or one put together from TEXTURE and `sampler`) at `d`, an element of `inputs`.
 */
struct lookup_input {
    vec4 p;     /* coordinates s, t, r; w: array layer, or q of projective lookups */
    vec4 extra; /* x: level of detail or bias, y: compare value, z and w: dynamic texel offsets */
    vec4 dx;    /* derivatives of s, t, r; w: least level of detail of lookups that have one */
    vec4 dy;
};

#ifdef VULKAN
#define BINDING(n) set = 0, binding = n
layout(push_constant) uniform Grid
{
    int width;
    int height;
    vec4 p, dx, dy;
} grid;
#define GRID_WIDTH grid.width
#define GRID_HEIGHT grid.height
#define INDEX gl_VertexIndex
#else
#define BINDING(n) binding = n
uniform int grid_width;
uniform int grid_height;
#define GRID_WIDTH grid_width
#define GRID_HEIGHT grid_height
#define INDEX gl_VertexID
#endif

layout(BINDING(1), std430) readonly buffer Inputs
{
    lookup_input inputs[];
};
#ifdef SEPARATE
layout(BINDING(0)) uniform TEXTURE separate_texture;
layout(BINDING(2)) uniform SAMPLER_STATE separate_sampler;
#define S SAMPLER(separate_texture, separate_sampler)
#else
layout(BINDING(0)) uniform SAMPLER combined;
#define S combined
#endif

/*
 * In company: `ahead` is of the neighbour, with levels that differ from pixel to pixel, and of S at another place.
 * Not all drivers load from buffers in helper invocations, so coordinates are made of push constants.
 */
#ifdef ELSEWHERE
layout(BINDING(4)) uniform sampler2D neighbour;
#define AHEAD                                                                                                          \
    d.p = PLACE;                                                                                                       \
    vec4 ahead = texture(neighbour, d.p.xy * d.p.xy * 3.0) + vec4(ELSEWHERE);
#define PLACE grid.p + grid.dx *floor(gl_FragCoord.x) + grid.dy *floor(gl_FragCoord.y)
#else
#define AHEAD
#endif

/*
 * Without a function, and with members loaded one by one: what NVIDIA's compiler makes wrong of gradients behind
 * branches shows in such shaders alone (family `gradients`).
 */
#define LOOK_UP(result, index)                                                                                         \
    {                                                                                                                  \
        lookup_input d = lookup_input(inputs[index].p, inputs[index].extra, inputs[index].dx, inputs[index].dy);       \
        AHEAD                                                                                                          \
        result = vec4(LOOKUP);                                                                                         \
    }

#if defined STAGE_FRAGMENT
layout(location = 0) out vec4 color;
void main()
{
    int index = int(gl_FragCoord.y) * GRID_WIDTH + int(gl_FragCoord.x);
    LOOK_UP(color, index)
}
#elif defined STAGE_VERTEX
layout(location = 0) flat out vec4 looked_up;
void main()
{
    vec2 pixel = vec2(INDEX % GRID_WIDTH, INDEX / GRID_WIDTH) + 0.5;
    gl_Position = vec4(pixel / vec2(GRID_WIDTH, GRID_HEIGHT) * 2.0 - 1.0, 0.0, 1.0);
    gl_PointSize = 1.0;
    LOOK_UP(looked_up, INDEX)
}
#elif defined STAGE_COMPUTE
layout(local_size_x = 64) in;
layout(BINDING(3), std430) writeonly buffer Results
{
    vec4 results[];
};
void main()
{
    int index = int(gl_GlobalInvocationID.x);
    if (index < GRID_WIDTH * GRID_HEIGHT)
        LOOK_UP(results[index], index)
}
#endif
