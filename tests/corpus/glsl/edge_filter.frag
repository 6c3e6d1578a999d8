#version 450
/* SPDX-License-Identifier: MIT */
// Smooths along edges that luma finds.
layout(set = 0, binding = 0) uniform sampler2D scene;
layout(push_constant) uniform Push
{
    vec2 texel;
};
layout(location = 0) in vec2 coord;
layout(location = 0) out vec4 color;
float luma(vec3 c)
{
    return dot(c, vec3(0.299, 0.587, 0.114));
}
void main()
{
    vec3 middle = textureLod(scene, coord, 0.0).rgb;
    float m = luma(middle);
    float nw = luma(textureLodOffset(scene, coord, 0.0, ivec2(-1, -1)).rgb);
    float ne = luma(textureLodOffset(scene, coord, 0.0, ivec2(1, -1)).rgb);
    float sw = luma(textureLodOffset(scene, coord, 0.0, ivec2(-1, 1)).rgb);
    float se = luma(textureLodOffset(scene, coord, 0.0, ivec2(1, 1)).rgb);
    float low = min(m, min(min(nw, ne), min(sw, se))), high = max(m, max(max(nw, ne), max(sw, se)));
    if (high - low < max(0.03, high * 0.125)) {
        color = vec4(middle, 1.0);
        return;
    }
    vec2 direction = vec2(sw + se - nw - ne, nw + sw - ne - se);
    float small = min(abs(direction.x), abs(direction.y)) + max((nw + ne + sw + se) * 0.03125, 0.0078125);
    direction = clamp(direction / small, -8.0, 8.0) * texel;
    vec3 narrow = 0.5 * (textureLod(scene, coord - direction / 6.0, 0.0).rgb +
                         textureLod(scene, coord + direction / 6.0, 0.0).rgb);
    vec3 wide = narrow * 0.5 + 0.25 * (textureLod(scene, coord - direction * 0.5, 0.0).rgb +
                                       textureLod(scene, coord + direction * 0.5, 0.0).rgb);
    float l = luma(wide);
    color = vec4(l < low || l > high ? narrow : wide, 1.0);
}
