#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_EXT_nonuniform_qualifier : require
/*
 * A cube of integers through a sampler for each row. Columns 0 to 3 look up themselves, in the others a function does
 * that gets the sampler as a parameter; in the last it gets one of another binding. ONE_BINDING: the cube and the
 * samplers are elements of one binding, whose descriptors are either.
 */
#ifdef ONE_BINDING
layout(set = 0, binding = 0) uniform utextureCube images[];
layout(set = 0, binding = 0) uniform sampler samplers[];
#define IMAGE images[6]
#define OTHER samplers[1]
#else
layout(set = 0, binding = 0) uniform utextureCube image;
layout(set = 0, binding = 1) uniform sampler samplers[6];
layout(set = 0, binding = 2) uniform sampler other;
#define IMAGE image
#define OTHER other
#endif
layout(location = 0) out vec4 color;
const vec3 at = vec3(1.0, -0.3, -0.3);
uint looked_up(sampler how)
{
    return textureLod(usamplerCube(IMAGE, how), at, 0.0).r;
}
void main()
{
    int row = int(gl_FragCoord.y), column = int(gl_FragCoord.x);
    uint looked = 0u;
    if (column < 4) {
        looked = textureLod(usamplerCube(IMAGE, samplers[nonuniformEXT(row)]), at, 0.0).r;
    } else {
        uint rows[6] = uint[](looked_up(samplers[0]), looked_up(samplers[1]), looked_up(samplers[2]),
                              looked_up(samplers[3]), looked_up(samplers[4]), looked_up(samplers[5]));
        looked = column < 7 ? rows[row] : looked_up(OTHER);
    }
    color = vec4(float(looked), 0.0, 0.0, 1.0);
}
