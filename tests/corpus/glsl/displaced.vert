#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D waves;
layout(set = 0, binding = 1) uniform sampler2DArray ripples;
layout(push_constant) uniform Push
{
    mat4 view_projection;
    float time;
};
layout(location = 0) in vec3 position;
layout(location = 0) out vec3 normal;
void main()
{
    vec2 at = position.xz * 0.01;
    vec4 wave = textureLod(waves, at + time * 0.01, 0.0);
    wave += 0.25 * texture(ripples, vec3(at * 8.0, floor(time)));
    normal = normalize(vec3(wave.y, 1.0, wave.z));
    gl_Position = view_projection * vec4(position + vec3(0.0, wave.x, 0.0), 1.0);
}
