/* SPDX-License-Identifier: MIT */
// A shader's source text, ready for glslang.
#pragma once

#include "pack.h"

#include <string>
#include <vector>

struct Source {
    std::string name;
    std::string text;
    std::string stage; // glslang's suffix: "vert", "frag", "rgen", ...
    pack_origin origin = PACK_GLSL;
    unsigned since = 10; // the first Vulkan version that can take it: 10 .. 13
    std::string folder;  // what it includes is there; empty: nothing can be included
};

// The shaders of this project under `folder`: NAME.STAGE is GLSL, NAME.STAGE.hlsl is HLSL, NAME.STAGE.spvasm is SPIR-V.
// A line `// since: 1.2` says that older Vulkan versions cannot take it. Sorted by name.
std::vector<Source> project_sources(const std::string &folder, pack_origin origin);

// Shaders that other software left under `folder`: files with a stage's suffix, and the sections of piglit's
// .shader_test files. OpenGL's older dialects are brought to GLSL 4.50 as far as macros can. Sorted by path, each text
// once, at most `limit` of them.
std::vector<Source> installed_sources(const std::string &folder, size_t limit);

// SPIR-V files that other software left under `folder`.
std::vector<std::string> installed_modules(const std::string &folder);
