/* SPDX-License-Identifier: MIT */
// glslang, spirv-as and spirv-opt in this process: a process of its own for each of some thousands of modules would
// take minutes.
#pragma once

#include "source.hpp"

#include <glslang/Public/ShaderLang.h>
#include <spirv-tools/libspirv.hpp>

#include <cstdint>
#include <string>
#include <vector>

using Words = std::vector<uint32_t>;

struct Target {
    unsigned version; // as in pack_module::environment
    glslang::EShTargetClientVersion client;
    glslang::EShTargetLanguageVersion language;
    spv_target_env tools;
};

// Vulkan 1.0 to 1.3.
extern const Target targets[4];

// False for what is no stage's suffix.
bool is_stage(const std::string &stage);

// glslang's, between InitializeProcess and FinalizeProcess. Empty words and a text in `log` where the shader does not
// compile.
Words compile(const Source &source, const Target &target, pack_variant variant, std::string &log);

// spirv-as's, with numbers of ids kept. Empty words and a text in `log` where the text is not taken.
Words assemble(const std::string &text, spv_target_env environment, std::string &log);

// What spirv-opt has: -O; -Os, with loops peeled and unrolled and branches made selections; and what makes HLSL legal.
enum class Recipe { performance, size, legalization };

// Empty words where spirv-opt fails.
Words optimized(const Words &words, spv_target_env environment, Recipe recipe);
