#version 450
/* SPDX-License-Identifier: MIT */
/* One descriptor of every kind in one set; a row of the target shows what each holds. INLINE: one more, in row 2. */
layout(set = 0, binding = 0) uniform sampler2D combined;
layout(set = 0, binding = 1) uniform Uniform
{
    float uniform_value;
};
layout(set = 0, binding = 2) readonly buffer Storage
{
    float storage_value;
};
layout(set = 0, binding = 3) uniform texture2D image;
layout(set = 0, binding = 4) uniform sampler separate;
layout(set = 0, binding = 5) uniform samplerBuffer texels;
layout(set = 0, binding = 6, rgba32f) readonly uniform image2D stored;
#ifdef INLINE
layout(set = 0, binding = 7) uniform Block
{
    float inline_value;
};
#else
const float inline_value = 0.0;
#endif
layout(location = 0) out vec4 color;
void main()
{
    vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, 0.5);
    float rows[6] =
        float[](texture(combined, at).r, texture(sampler2D(image, separate), at).r, uniform_value + inline_value,
                storage_value, texelFetch(texels, 0).r, imageLoad(stored, ivec2(0)).r);
    color = vec4(rows[int(gl_FragCoord.y)], 0.0, 0.0, 1.0);
}
