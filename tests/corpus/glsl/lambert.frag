#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in vec3 normal;
layout(location = 1) in vec3 albedo;
layout(push_constant) uniform Light
{
    vec4 direction;
    vec4 tint;
};
layout(location = 0) out vec4 color;
void main()
{
    float lit = max(dot(normalize(normal), -direction.xyz), 0.0);
    color = vec4(albedo * (tint.rgb * lit + 0.1), 1.0);
}
