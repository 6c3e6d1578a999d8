#version 450

// Four texels of a texel buffer and its size, and the first texel of another.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform samplerBuffer texels;
layout(set = 0, binding = 1) uniform samplerBuffer others[2];
layout(std430, set = 0, binding = 2) writeonly buffer Seen
{
    vec4 of[6];
} seen;

void main()
{
    for (int i = 0; i < 4; i++) {
        seen.of[i] = texelFetch(texels, i);
    }
    seen.of[4] = vec4(float(textureSize(texels)), 0.0, 0.0, 0.0);
    seen.of[5] = texelFetch(others[1], 0);
}
