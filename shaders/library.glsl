#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_GOOGLE_include_directive : require

// What the rewriter links from. Every function here can be called from programs' shaders;
// scripts/generate/generate_shader_library.py digests the compiled module into a table of relocatable functions.

layout(local_size_x = 1) in;

#include "bordered.glsl"
#include "texel_buffer.glsl"

void main()
{
}
