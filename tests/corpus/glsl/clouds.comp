#version 450
/* SPDX-License-Identifier: MIT */
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, rgba16f) uniform writeonly image2D target;
layout(set = 0, binding = 1) uniform sampler3D shape;
layout(set = 0, binding = 2) uniform sampler3D detail;
layout(set = 0, binding = 3) uniform sampler2D weather;
layout(push_constant) uniform Push
{
    mat4 inverse_view;
    vec4 sun;
    vec2 size;
    float time;
};
float cloud(vec3 p, bool fine)
{
    float cover = textureLod(weather, p.xz * 0.0001, 0.0).r;
    float d = textureLod(shape, p * 0.0005 + vec3(time, 0.0, 0.0), 1.0).r - (1.0 - cover);
    if (fine && d > 0.0)
        d -= textureLod(detail, p * 0.005, 0.0).r * 0.2;
    return max(d, 0.0);
}
void main()
{
    vec2 at = (vec2(gl_GlobalInvocationID.xy) + 0.5) / size;
    vec3 direction = normalize((inverse_view * vec4(at * 2.0 - 1.0, 1.0, 0.0)).xyz);
    float passed = 1.0;
    vec3 light = vec3(0.0);
    for (int i = 0; i < 64 && passed > 0.01; i++) {
        vec3 p = direction * (1500.0 + float(i) * 50.0);
        float d = cloud(p, true);
        if (d <= 0.0)
            continue;
        float shade = 0.0;
        for (int j = 0; j < 6; j++)
            shade += cloud(p + sun.xyz * float(j * j) * 20.0, j < 3);
        light += passed * d * exp(-shade * 2.0);
        passed *= exp(-d * 3.0);
    }
    imageStore(target, ivec2(gl_GlobalInvocationID.xy), vec4(light, 1.0 - passed));
}
