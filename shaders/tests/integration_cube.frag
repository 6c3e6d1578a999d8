#version 450
/* SPDX-License-Identifier: MIT */
/*
 * One lookup of a cube for each pixel: the column is a direction near an edge of a face, the row what is asked for.
 * Red is the answer. SEPARATE: image and sampler are descriptors of their own. COMPARED: the cube has depth, and every
 * row is a gather that compares with half. CORNERS: directions of all corners instead.
 */
layout(location = 0) out vec4 color;
#ifdef COMPARED
#define COMBINED samplerCubeShadow
#define SAMPLER samplerShadow
#else
#define COMBINED samplerCube
#define SAMPLER sampler
#endif
#ifdef SEPARATE
layout(set = 0, binding = 0) uniform textureCube texels;
layout(set = 0, binding = 1) uniform SAMPLER how;
#define CUBE COMBINED(texels, how)
#else
layout(set = 0, binding = 0) uniform COMBINED cube;
#define CUBE cube
#endif
#ifdef CORNERS
const vec3 directions[8] = {vec3(1, 0.999, 0.999),   vec3(1, 0.999, -0.999),  vec3(1, -0.999, 0.999),
                            vec3(1, -0.999, -0.999), vec3(-1, 0.999, 0.999),  vec3(-1, 0.999, -0.999),
                            vec3(-1, -0.999, 0.999), vec3(-1, -0.999, -0.999)};
#else
const vec3 directions[8] = {vec3(1, 0.1, 0.93), vec3(0.93, 0.1, 1), vec3(-0.93, -0.2, 1), vec3(-1, -0.2, -0.93),
                            vec3(0.2, 1, 0.93), vec3(0.3, 0.93, 1), vec3(0.3, -1, -0.93), vec3(0.92, 0.93, -1)};
#endif
void main()
{
    const vec3 direction = directions[int(gl_FragCoord.x) & 7];
#ifdef COMPARED
    color = textureGather(CUBE, direction, 0.5);
#else
    const int row = int(gl_FragCoord.y);
    if (row == 0)
        color = textureLod(CUBE, direction, 0.0);
    else if (row == 1)
        color = textureLod(CUBE, direction, 1.0);
    else
        color = textureGather(CUBE, direction, 0);
#endif
}
