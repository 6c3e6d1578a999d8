#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform sampler2D current;
layout(set = 0, binding = 1) uniform sampler2D history;
layout(set = 0, binding = 2) uniform sampler2D velocity;
layout(location = 0) in vec2 coord;
layout(location = 0) out vec4 color;
vec4 bicubic(sampler2D s, vec2 at)
{
    vec2 size = vec2(textureSize(s, 0));
    vec2 p = at * size, c = floor(p - 0.5) + 0.5, f = p - c;
    vec2 w0 = f * (-0.5 + f * (1.0 - 0.5 * f)), w1 = 1.0 + f * f * (-2.5 + 1.5 * f);
    vec2 w2 = f * (0.5 + f * (2.0 - 1.5 * f)), w3 = f * f * (-0.5 + 0.5 * f);
    vec2 w12 = w1 + w2, p0 = (c - 1.0) / size, p3 = (c + 2.0) / size, p12 = (c + w2 / w12) / size;
    return textureLod(s, vec2(p12.x, p0.y), 0.0) * w12.x * w0.y + textureLod(s, vec2(p0.x, p12.y), 0.0) * w0.x * w12.y +
           textureLod(s, p12, 0.0) * w12.x * w12.y + textureLod(s, vec2(p3.x, p12.y), 0.0) * w3.x * w12.y +
           textureLod(s, vec2(p12.x, p3.y), 0.0) * w12.x * w3.y;
}
void main()
{
    vec4 low = vec4(1e9), high = vec4(-1e9);
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++) {
            vec4 c = texelFetch(current, ivec2(gl_FragCoord.xy) + ivec2(x, y), 0);
            low = min(low, c);
            high = max(high, c);
        }
    vec2 before = coord - texture(velocity, coord).xy;
    vec4 old = clamp(bicubic(history, before), low, high);
    bool outside = before != clamp(before, 0.0, 1.0);
    color = mix(old, texture(current, coord), outside ? 1.0 : 0.1);
}
