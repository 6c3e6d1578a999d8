#version 450
/* SPDX-License-Identifier: MIT */
/*
 * Three sampled images of set 0 through two samplers, in all channels: row = sampler * 3 + image. The samplers are in
 * set 1; TOGETHER: at the next binding of set 0. COMPUTE: the target's pixels by dispatch.
 */
#ifdef TOGETHER
#define SAMPLERS set = 0, binding = 1
#else
#define SAMPLERS set = 1, binding = 0
#endif
layout(set = 0, binding = 0) uniform texture2D images[3];
layout(SAMPLERS) uniform sampler samplers[2];
#ifdef COMPUTE
layout(local_size_x = 8, local_size_y = 6) in;
layout(set = 1, binding = 1) buffer Pixels
{
    vec4 pixels[48];
};
#define COLUMN (float(gl_LocalInvocationID.x) + 0.5)
#define ROW int(gl_LocalInvocationID.y)
#define LOOK_UP(image, how) textureLod(sampler2D(image, how), at, 0.0)
#define RESULT pixels[gl_LocalInvocationIndex]
#else
layout(location = 0) out vec4 color;
#define COLUMN gl_FragCoord.x
#define ROW int(gl_FragCoord.y)
#define LOOK_UP(image, how) texture(sampler2D(image, how), at)
#define RESULT color
#endif
void main()
{
    vec2 at = vec2(COLUMN * 3.0 / 8.0 - 1.0, 0.5);
    vec4 rows[6] =
        vec4[](LOOK_UP(images[0], samplers[0]), LOOK_UP(images[1], samplers[0]), LOOK_UP(images[2], samplers[0]),
               LOOK_UP(images[0], samplers[1]), LOOK_UP(images[1], samplers[1]), LOOK_UP(images[2], samplers[1]));
    RESULT = rows[ROW];
}
