#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform samplerCube sky;
layout(set = 0, binding = 1) uniform samplerCubeArray probes;
layout(location = 0) in vec3 normal;
layout(location = 1) in vec3 view;
layout(location = 2) flat in vec4 probe;
layout(location = 0) out vec4 color;
void main()
{
    vec3 r = reflect(view, normalize(normal));
    vec4 inside = texture(probes, vec4(r, probe.x), 0.5), near = textureLod(probes, vec4(r, probe.y), probe.w);
    vec4 bent = texture(sky, refract(normalize(view), normalize(normal), 0.75));
    float f = pow(1.0 - abs(dot(normalize(view), normalize(normal))), 5.0);
    color = mix(bent, mix(mix(inside, near, probe.z), texture(sky, r), 0.3), f);
}
