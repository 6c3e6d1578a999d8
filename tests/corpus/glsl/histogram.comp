#version 450
/* SPDX-License-Identifier: MIT */
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) uniform sampler2D source;
layout(std430, set = 0, binding = 1) buffer Histogram
{
    uint bins[256];
};
shared uint local_bins[256];
layout(push_constant) uniform Push
{
    vec2 texel;
};
void main()
{
    local_bins[gl_LocalInvocationIndex] = 0u;
    barrier();
    vec3 c = textureLod(source, (vec2(gl_GlobalInvocationID.xy) + 0.5) * texel, 0.0).rgb;
    float l = clamp((log2(dot(c, vec3(0.2126, 0.7152, 0.0722)) + 0.001) + 10.0) / 16.0, 0.0, 1.0);
    atomicAdd(local_bins[uint(l * 255.0)], 1u);
    barrier();
    atomicAdd(bins[gl_LocalInvocationIndex], local_bins[gl_LocalInvocationIndex]);
}
