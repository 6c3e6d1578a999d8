#version 460
// SPDX-License-Identifier: MIT
// Looks up through descriptors in every way that a shader has of naming one. All images are the same, and each lookup's
// result tells which records moved its coordinate.
layout(local_size_x = 1) in;

layout(set = 0, binding = 0) uniform sampler2D single;
layout(set = 0, binding = 0) uniform texture2D single_image; // the image of the same descriptor
layout(set = 0, binding = 1) uniform sampler2D many[4];
layout(set = 1, binding = 0) uniform texture2D images[3];
layout(set = 1, binding = 3) uniform sampler samplers[3];
layout(set = 2, binding = 0) writeonly buffer Results
{
    float results[];
};

layout(push_constant) uniform Push
{
    uint element; // of arrays
    uint index;   // that a mapping multiplies
    uvec2 address;
};

const vec2 at = vec2(0.001, 0.5);

float look(sampler2D s)
{
    return textureLod(s, at, 0.0).r;
}

float look_further(sampler2D s)
{
    return look(s);
}

float look_element(sampler2D s[4])
{
    return textureLod(s[element], at, 0.0).r;
}

float look_pair(texture2D i, sampler s)
{
    return textureLod(sampler2D(i, s), at, 0.0).r;
}

void main()
{
    results[0] = textureLod(single, at, 0.0).r;
    results[1] = textureLod(many[1], at, 0.0).r;
    results[2] = textureLod(many[element], at, 0.0).r;
    results[3] = textureLod(many[3], at, 0.0).r;
    results[4] = textureLod(many[element + 1], at, 0.0).r;
    results[5] = look(single);
    results[6] = look_further(many[1]);
    results[7] = look_element(many);
    results[8] = textureLod(sampler2D(images[1], samplers[element]), at, 0.0).r;
    results[9] = textureLod(sampler2D(single_image, samplers[1]), at, 0.0).r;
    results[10] = look_pair(images[element], samplers[0]);
    results[11] = look_pair(single_image, samplers[element]);
    if (index == 77u)
        results[12] = look(many[element]);
}
