#version 450
/* SPDX-License-Identifier: MIT */
/*
 * A picture drawn larger along its edges: 13 texels around, a direction from their differences, and along it further
 * steps as long as the edge goes on, each behind what the step before it found. 18 lookups
 * are written, of which functions hold two.
 */
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(set = 0, binding = 1) uniform Settings
{
    vec4 sizes;  /* of the picture, and one over them */
    vec4 window; /* likewise */
    float threshold, least, strength;
} settings;
layout(location = 0) out vec4 color;

float luma(vec3 c)
{
    return dot(c, vec3(0.299, 0.587, 0.114));
}

vec3 texel(vec2 at, float x, float y)
{
    return textureLod(picture, at + vec2(x, y) * settings.sizes.zw, 0.0).rgb;
}

bool goes_on(vec2 at, float end, float range, out float difference)
{
    difference = luma(texture(picture, at).rgb) - end;
    return abs(difference) < range;
}

void main()
{
    vec2 at = gl_FragCoord.xy * settings.window.zw;
    vec2 centre = (floor(at * settings.sizes.xy) + 0.5) * settings.sizes.zw;
    vec3 e = texture(picture, at).rgb;
    float m = luma(e);
    float n = luma(texel(at, 0.0, -1.0)), s = luma(texel(at, 0.0, 1.0));
    float w = luma(texel(at, -1.0, 0.0)), o = luma(texel(at, 1.0, 0.0));
    float high = max(m, max(max(n, s), max(w, o))), low = min(m, min(min(n, s), min(w, o)));
    if (high - low < max(settings.least, high * settings.threshold)) {
        color = vec4(texture(picture, mix(centre, at, 0.5)).rgb, 1.0);
        return;
    }
    float nw = luma(texture(picture, centre - settings.sizes.zw).rgb);
    float so = luma(texture(picture, centre + settings.sizes.zw).rgb);
    float no = luma(texture(picture, centre + vec2(1.0, -1.0) * settings.sizes.zw).rgb);
    float sw = luma(texture(picture, centre + vec2(-1.0, 1.0) * settings.sizes.zw).rgb);
    float rows = abs(nw + no - 2.0 * n) + 2.0 * abs(w + o - 2.0 * m) + abs(sw + so - 2.0 * s);
    float columns = abs(nw + sw - 2.0 * w) + 2.0 * abs(n + s - 2.0 * m) + abs(no + so - 2.0 * o);
    bool flat_edge = columns >= rows;
    float one = flat_edge ? n : w, other = flat_edge ? s : o;
    float stride = flat_edge ? settings.sizes.w : settings.sizes.z;
    if (abs(one - m) >= abs(other - m))
        stride = -stride;
    float mean = 0.5 * (m + (stride < 0.0 ? one : other));
    float range = 0.25 * max(abs(one - m), abs(other - m));
    vec2 across = flat_edge ? vec2(0.0, stride) : vec2(stride, 0.0);
    vec2 along = flat_edge ? vec2(settings.sizes.z, 0.0) : vec2(0.0, settings.sizes.w);
    vec2 left = at + 0.5 * across - along, right = at + 0.5 * across + along;
    float to_left, to_right;
    bool more_left = goes_on(left, mean, range, to_left), more_right = goes_on(right, mean, range, to_right);
    if (more_left) {
        left -= 1.5 * along;
        more_left = goes_on(left, mean, range, to_left);
    }
    if (more_right) {
        right += 1.5 * along;
        more_right = goes_on(right, mean, range, to_right);
    }
    if (more_left || more_right) {
        if (more_left) {
            left -= 2.0 * along;
            to_left = luma(texture(picture, left).rgb) - mean;
        }
        if (more_right) {
            right += 2.0 * along;
            to_right = luma(texture(picture, right).rgb) - mean;
        }
        if (abs(to_left) < range) {
            left -= 4.0 * along;
            to_left = luma(texture(picture, left).rgb) - mean;
        }
        if (abs(to_right) < range) {
            right += 4.0 * along;
            to_right = luma(texture(picture, right).rgb) - mean;
        }
    }
    float before = flat_edge ? at.x - left.x : at.y - left.y, behind = flat_edge ? right.x - at.x : right.y - at.y;
    bool nearer = before < behind;
    float share =
        ((nearer ? to_left : to_right) < 0.0) != (m < mean) ? 0.5 - min(before, behind) / (before + behind) : 0.0;
    float blur = clamp(abs((2.0 * (n + s + w + o) + nw + no + sw + so) / 12.0 - m) / (high - low), 0.0, 1.0);
    share = max(share, blur * blur * settings.strength);
    vec3 smooth_one = texture(picture, at + share * across).rgb;
    if (settings.strength > 1.0) {
        vec3 wide = texture(picture, at + across + along).rgb + texture(picture, at + across - along).rgb;
        if (luma(wide) < 2.0 * mean)
            wide += texture(picture, at - across + along).rgb + texture(picture, at - across - along).rgb;
        else
            wide += 2.0 * texture(picture, at + 2.0 * across).rgb;
        smooth_one = mix(smooth_one, 0.25 * wide, 0.25);
    }
    color = vec4(smooth_one, 1.0);
}
