#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler3D density;
layout(set = 0, binding = 1) uniform sampler1D transfer;
layout(set = 0, binding = 2) uniform sampler2D noise;
layout(location = 0) in vec3 front;
layout(location = 1) in vec3 direction;
layout(constant_id = 3) const int STEPS = 96;
layout(location = 0) out vec4 color;
vec3 gradient(vec3 p)
{
    const vec2 e = vec2(0.01, 0.0);
    return vec3(textureLod(density, p + e.xyy, 0.0).r - textureLod(density, p - e.xyy, 0.0).r,
                textureLod(density, p + e.yxy, 0.0).r - textureLod(density, p - e.yxy, 0.0).r,
                textureLod(density, p + e.yyx, 0.0).r - textureLod(density, p - e.yyx, 0.0).r);
}
void main()
{
    vec3 d = normalize(direction) / float(STEPS) * 1.732;
    vec3 p = front + d * texture(noise, gl_FragCoord.xy / 64.0).r;
    color = vec4(0.0);
    for (int i = 0; i < STEPS; i++) {
        float value = textureLod(density, p, 0.0).r;
        if (value > 0.05) {
            vec4 c = textureLod(transfer, value, 0.0);
            c.rgb *= 0.4 + 0.6 * abs(dot(normalize(gradient(p) + 1e-5), vec3(0.577)));
            c.a *= 1.0 - exp(-value * 0.5);
            color.rgb += (1.0 - color.a) * c.a * c.rgb;
            color.a += (1.0 - color.a) * c.a;
        }
        if (color.a > 0.98)
            break;
        p += d;
        if (any(lessThan(p, vec3(0.0))) || any(greaterThan(p, vec3(1.0))))
            break;
    }
}
