#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler3D frames;
layout(set = 0, binding = 1) uniform sampler2D sheet;
layout(push_constant) uniform Push
{
    float time;
    ivec2 grid;
};
layout(location = 0) in vec2 coord;
layout(location = 0) out vec4 color;
void main()
{
    int count = grid.x * grid.y, frame = int(time) % count;
    vec2 cell = 1.0 / vec2(grid);
    vec2 a = (coord + vec2(frame % grid.x, frame / grid.x)) * cell;
    int next = (frame + 1) % count;
    vec2 b = (coord + vec2(next % grid.x, next / grid.x)) * cell;
    vec2 dx = dFdx(coord) * cell, dy = dFdy(coord) * cell;
    color = mix(textureGrad(sheet, a, dx, dy), textureGrad(sheet, b, dx, dy), fract(time));
    color += texture(frames, vec3(coord, fract(time / float(count)))) * 0.5;
}
