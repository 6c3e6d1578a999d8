#version 450
// SPDX-License-Identifier: MIT
// One lookup for each pixel, from any stage: the same text for OpenGL and Vulkan. Defined by compile_shaders.py:
// STAGE_..., SAMPLER, RESULT (the lookup, as uvec4), SEPARATE with TEXTURE and STATE, ARRAY. HELPER: without a lookup.
// TOGETHER, for Vulkan: two lookups, of which the one is shown that is chosen, or one in an array whose index is
// chosen.
#ifdef VULKAN
layout(push_constant) uniform Parameters
{
    vec4 p[8]; // the last one: where descriptors lie in heaps
};
#define VERTEX gl_VertexIndex
#else
uniform vec4 p[7];
uniform vec3 moved, steps, up; // what the judge rounds OpenGL's coordinates to
uniform samplerBuffer levels;  // and, pixel by pixel, the level or bias that it has lookups take
uniform bool leveled;
uniform vec3 inner, low, high, mirrors; // sizes without border, bounds of coordinates; 1: mirrored
uniform vec3 bounded;                   // 1: mirrored and bounded, without a border
#define VERTEX gl_VertexID
#endif

#ifndef HELPER
#ifdef TOGETHER
#if defined(TOGETHER_ARRAY)
layout(set = 0, binding = 0) uniform SAMPLER0 combined[3];
#define S0 combined[int(p[7].z)]
#elif defined(TOGETHER_ARRAYS)
layout(set = 0, binding = 0) uniform TEXTURE0 images[3];
layout(set = 0, binding = 1) uniform STATE0 states[3];
#define S0 SAMPLER0(images[int(p[7].z)], states[int(p[7].z)])
#elif defined(TOGETHER_SAMPLERS)
layout(set = 0, binding = 0) uniform TEXTURE0 image;
layout(set = 0, binding = 1) uniform STATE0 first;
layout(set = 0, binding = 3) uniform STATE1 second;
#define S0 SAMPLER0(image, first)
#define S1 SAMPLER1(image, second)
#elif defined(TOGETHER_IMAGES)
layout(set = 0, binding = 0) uniform TEXTURE0 first;
layout(set = 0, binding = 1) uniform STATE0 state;
layout(set = 0, binding = 3) uniform TEXTURE1 second;
#define S0 SAMPLER0(first, state)
#define S1 SAMPLER1(second, state)
#else
layout(set = 0, binding = 0) uniform SAMPLER0 first;
#define S0 first
#ifdef TOGETHER_BESIDE
layout(set = 0, binding = 1) uniform TEXTURE1 image;
layout(set = 0, binding = 3) uniform STATE1 state;
#define S1 SAMPLER1(image, state)
#elif defined(TOGETHER_SETS)
layout(set = 1, binding = 0) uniform SAMPLER1 second;
#define S1 second
#else
layout(set = 0, binding = 1) uniform SAMPLER1 second;
#define S1 second
#endif
#endif
#ifdef S1
#define RESULT chosen(RESULT0, RESULT1)
uvec4 chosen(uvec4 first, uvec4 second)
{
    return p[7].z < 0.5 ? first : second;
}
#else
#define RESULT RESULT0
#endif
#elif defined(SEPARATE)
layout(set = 0, binding = 0) uniform TEXTURE image;
layout(set = 0, binding = 1) uniform STATE state;
#define S SAMPLER(image, state)
#elif defined(ARRAY)
layout(set = 0, binding = 0) uniform SAMPLER combined[3];
#define S combined[2]
#elif defined(VULKAN)
layout(set = 0, binding = 0) uniform SAMPLER combined;
#define S combined
#else
layout(binding = 0) uniform SAMPLER combined;
#define S combined
#endif

uvec4 lookup(vec2 at)
{
    vec4 c = p[0] + p[1] * at.x + p[2] * at.y;
    float ref = p[5].x + p[5].y * at.x, extra = p[5].z + p[5].w * at.y;
    vec3 gx = p[3].xyz, gy = p[4].xyz;
    ivec2 off = ivec2(p[6].xy);
    int level = int(p[6].z);
#ifndef VULKAN
#ifdef FACES // along the face
    float far = max(max(abs(c.x), abs(c.y)), abs(c.z));
    c.xyz += moved * far;
#else
    c.xyz += moved * PROJECTED;
#endif
    if (leveled) {
        float more = texelFetch(levels, int(at.y) * 64 + int(at.x)).x;
        extra += more;
        gx *= exp2(more);
        gy *= exp2(more);
    }
    if (steps.x > 0.0) {
#ifdef FACES
        vec3 whole = 2.0 * floor((0.5 * c.xyz / far + 0.5) * steps + up) / steps - 1.0;
        c.xyz = mix(far * whole, c.xyz, equal(abs(c.xyz), vec3(far)));
#else
        vec3 whole = floor(c.xyz / PROJECTED * steps + up) / max(steps, 1.0);
        c.xyz = mix(c.xyz, PROJECTED * whole, greaterThan(steps, vec3(0.0)));
#endif
    }
    c.xyz = mix(c.xyz, (clamp(mix(c.xyz, abs(c.xyz), mirrors), low, high) * inner + 1.0) / (inner + 2.0),
                greaterThan(inner, vec3(0.0)));
    c.xyz = mix(c.xyz, clamp(abs(c.xyz), low, high) + moved, bounded);
#endif
    return RESULT;
}
#endif

#ifdef STAGE_FRAG
layout(location = 0) out uvec4 color;
#ifdef HELPER
layout(location = 0) flat in uvec4 found;
void main()
{
    color = found;
}
#else
void main()
{
    color = lookup(gl_FragCoord.xy - vec2(0.0, p[6].w));
}
#endif
#endif

#ifdef STAGE_VERT
#ifdef FULL
void main()
{
    gl_Position = vec4(VERTEX == 1 ? 3.0 : -1.0, VERTEX == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
#else
vec2 pixel()
{
    return vec2(float(VERTEX % 64), float(VERTEX / 64)) + 0.5;
}
#ifndef HELPER
layout(location = 0) flat out uvec4 found;
#endif
void main()
{
    gl_Position = vec4(pixel() / 32.0 - 1.0, 0.0, 1.0);
    gl_PointSize = 1.0;
#ifndef HELPER
    found = lookup(pixel());
#endif
}
#endif
#endif

#if defined(STAGE_TESC) || defined(STAGE_TESE) || defined(STAGE_GEOM)
vec2 pixel(vec4 position)
{
    return (position.xy + 1.0) * 32.0;
}
#endif

#ifdef STAGE_TESC
layout(vertices = 1) out;
#ifndef HELPER
layout(location = 0) patch out uvec4 early;
#endif
void main()
{
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = 1.0;
    gl_TessLevelInner[0] = gl_TessLevelInner[1] = 1.0;
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
#ifndef HELPER
    early = lookup(pixel(gl_in[gl_InvocationID].gl_Position));
#endif
}
#endif

#ifdef STAGE_TESE
layout(quads, point_mode) in;
layout(location = 0) flat out uvec4 found;
#ifdef HELPER
layout(location = 0) patch in uvec4 early;
#endif
void main()
{
    gl_Position = gl_in[0].gl_Position;
    gl_PointSize = 1.0;
#ifdef HELPER
    found = early;
#else
    found = lookup(pixel(gl_in[0].gl_Position));
#endif
}
#endif

#ifdef STAGE_GEOM
layout(points) in;
layout(points, max_vertices = 1) out;
layout(location = 0) flat out uvec4 found;
void main()
{
    gl_Position = gl_in[0].gl_Position;
    gl_PointSize = 1.0;
    found = lookup(pixel(gl_in[0].gl_Position));
    EmitVertex();
    EndPrimitive();
}
#endif

#ifdef STAGE_COMP
layout(local_size_x = 8, local_size_y = 8) in;
#ifdef VULKAN
layout(set = 0, binding = 2, std430) buffer Results
{
    uvec4 results[];
};
#else
layout(binding = 0, std430) buffer Results
{
    uvec4 results[];
};
#endif
void main()
{
    results[(gl_GlobalInvocationID.y + uint(p[6].w)) * 64u + gl_GlobalInvocationID.x] =
        lookup(vec2(gl_GlobalInvocationID.xy) + 0.5);
}
#endif
