#version 450
/* SPDX-License-Identifier: MIT */

// Lookups wherever a block can be split: loop headers, continue targets, conditions, switches, selections.

layout(set = 0, binding = 0) uniform sampler2D s;
layout(set = 1, binding = 0) uniform texture2D image;
layout(set = 1, binding = 1) uniform sampler pair;

layout(location = 0) in vec4 c;
layout(location = 0) out vec4 o;

void main()
{
    vec4 a = vec4(0);
    for (int i = 0; texture(s, c.xy * float(i)).x < 0.5; i++) {
        if (i > 10)
            break;
        if (i == 3)
            continue;
        a += texture(s, a.xy);
    }
    do {
        a += texture(s, a.xy) + textureLod(sampler2D(image, pair), a.xy, 0);
    } while (a.x < texture(s, a.zw).x);
    while (true) {
        a *= texture(sampler2D(image, pair), a.xy);
        if (a.x > 3.)
            break;
    }
    switch (int(c.x)) {
    case 0:
        a += texture(s, c.zw);
    case 1:
        a += texture(s, c.yx);
        break;
    default:
        a = texture(s, a.yx);
    }
    if (a.x > 1. && texture(s, a.yy).x > .2 || texture(s, a.xx).y < .3)
        a.y = a.z > 0. ? texture(s, a.xy).x : texture(s, a.yx).y;
    else if (a.y < 0.)
        discard;
    o = a + texture(s, c.xy);
}
