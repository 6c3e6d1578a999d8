#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_EXT_nonuniform_qualifier : require
/*
 * Binding 0 is one ordinary texture (row 0), binding 1 the variable-count array of the set. Constant indices by
 * default; NONUNIFORM looks up the index that the pixel says, which differs within a quad.
 */
layout(set = 0, binding = 0) uniform sampler2D ordinary;
layout(set = 0, binding = 1) uniform sampler2D many[];
layout(location = 0) out vec4 color;
void main()
{
    vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, 0.5);
    int row = int(gl_FragCoord.y);
#ifdef NONUNIFORM
    float looked_up = textureGrad(many[nonuniformEXT(row)], at, vec2(3.0 / 8.0, 0.0), vec2(0.0)).r;
    color = vec4(row == 0 ? texture(ordinary, at).r : looked_up, 0.0, 0.0, 1.0);
#else
    float rows[6] = float[](texture(ordinary, at).r, texture(many[0], at).r, texture(many[1], at).r,
                            texture(many[2], at).r, texture(many[3], at).r, texture(many[4], at).r);
    color = vec4(rows[row], 0.0, 0.0, 1.0);
#endif
}
