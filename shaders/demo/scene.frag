#version 450
/* SPDX-License-Identifier: MIT */
/* The demo's scene, for Vulkan and OpenGL alike: one ordinary texture lookup with implicit level of detail. */
#ifdef VULKAN
layout(set = 0, binding = 0) uniform sampler2D picture;
#else
layout(binding = 0) uniform sampler2D picture;
#endif
layout(location = 0) in vec2 texture_coordinate;
layout(location = 1) in vec4 texture_shade;
layout(location = 0) out vec4 color;
void main()
{
    vec3 texel = texture(picture, texture_coordinate).rgb;
    color = vec4(mix(texture_shade.rgb, texel * texture_shade.rgb, texture_shade.a), 1.0);
}
