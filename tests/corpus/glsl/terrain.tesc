#version 450
/* SPDX-License-Identifier: MIT */
layout(vertices = 4) out;
layout(set = 0, binding = 0) uniform sampler2D height_map;
layout(push_constant) uniform Push
{
    vec4 eye;
    float detail;
};
layout(location = 0) in vec2 in_coord[];
layout(location = 0) out vec2 out_coord[];
float level(int a, int b)
{
    vec2 middle = (in_coord[a] + in_coord[b]) * 0.5;
    vec3 p = vec3(middle.x, textureLod(height_map, middle, 2.0).r, middle.y);
    return clamp(detail / distance(p, eye.xyz), 1.0, 64.0);
}
void main()
{
    out_coord[gl_InvocationID] = in_coord[gl_InvocationID];
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    if (gl_InvocationID == 0) {
        gl_TessLevelOuter[0] = level(3, 0);
        gl_TessLevelOuter[1] = level(0, 1);
        gl_TessLevelOuter[2] = level(1, 2);
        gl_TessLevelOuter[3] = level(2, 3);
        gl_TessLevelInner[0] = mix(gl_TessLevelOuter[0], gl_TessLevelOuter[3], 0.5);
        gl_TessLevelInner[1] = mix(gl_TessLevelOuter[2], gl_TessLevelOuter[1], 0.5);
    }
}
