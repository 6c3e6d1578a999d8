/* SPDX-License-Identifier: MIT */
#include "compiler.hpp"

#include <glslang/Public/ResourceLimits.h>
#include <glslang/SPIRV/GlslangToSpv.h>
#include <spirv-tools/optimizer.hpp>

#include <fstream>
#include <iterator>
#include <map>

const Target targets[4] = {
    {10, glslang::EShTargetVulkan_1_0, glslang::EShTargetSpv_1_0, SPV_ENV_VULKAN_1_0},
    {11, glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_3, SPV_ENV_VULKAN_1_1},
    {12, glslang::EShTargetVulkan_1_2, glslang::EShTargetSpv_1_5, SPV_ENV_VULKAN_1_2},
    {13, glslang::EShTargetVulkan_1_3, glslang::EShTargetSpv_1_6, SPV_ENV_VULKAN_1_3},
};

static const std::map<std::string, EShLanguage> &languages()
{
    static const std::map<std::string, EShLanguage> by_stage = {
        {"vert", EShLangVertex},    {"frag", EShLangFragment},    {"comp", EShLangCompute},
        {"geom", EShLangGeometry},  {"tesc", EShLangTessControl}, {"tese", EShLangTessEvaluation},
        {"mesh", EShLangMesh},      {"task", EShLangTask},        {"rgen", EShLangRayGen},
        {"rint", EShLangIntersect}, {"rahit", EShLangAnyHit},     {"rchit", EShLangClosestHit},
        {"rmiss", EShLangMiss},     {"rcall", EShLangCallable},
    };
    return by_stage;
}

bool is_stage(const std::string &stage)
{
    return languages().count(stage) != 0;
}

// Files beside the shader; none where no folder is known.
class Includer : public glslang::TShader::Includer
{
  public:
    explicit Includer(const std::string &folder) : folder(folder)
    {
    }

    IncludeResult *includeLocal(const char *name, const char *, size_t) override
    {
        const std::string path = folder + "/" + name;
        std::ifstream file(path, std::ios::binary);
        if (folder.empty() || !file)
            return nullptr;
        auto *text = new std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        return new IncludeResult(path, text->data(), text->size(), text);
    }

    void releaseInclude(IncludeResult *result) override
    {
        if (result)
            delete static_cast<std::string *>(result->userData);
        delete result;
    }

  private:
    const std::string folder;
};

Words compile(const Source &source, const Target &target, pack_variant variant, std::string &log)
{
    const EShLanguage stage = languages().at(source.stage);
    const bool hlsl = source.origin == PACK_HLSL;
    const bool installed = source.origin == PACK_INSTALLED;
    const bool debug = variant == PACK_DEBUG || variant == PACK_DEBUG_VS;
    glslang::TShader shader(stage);
    glslang::TProgram program;
    Includer includer(source.folder);
    int messages = EShMsgSpvRules | EShMsgVulkanRules;
    const char *text = source.text.c_str();
    const char *name = source.name.c_str();
    const int length = int(source.text.size());
    glslang::SpvOptions options;
    Words words;

    shader.setStringsWithLengthsAndNames(&text, &length, &name, 1);
    shader.setEnvInput(hlsl ? glslang::EShSourceHlsl : glslang::EShSourceGlsl, stage, glslang::EShClientVulkan, 100);
    shader.setEnvClient(glslang::EShClientVulkan, target.client);
    shader.setEnvTarget(glslang::EShTargetSpv, target.language);
    shader.setEntryPoint("main");
    shader.setSourceEntryPoint("main");
    if (hlsl)
        messages |= EShMsgReadHlsl | EShMsgHlslLegalization;
    if (debug) {
        messages |= EShMsgDebugInfo;
        shader.setDebugInfo(variant == PACK_DEBUG_VS); // scopes in the tree, which only that form can take
        options.generateDebugInfo = true;
        options.emitNonSemanticShaderDebugInfo = variant == PACK_DEBUG_VS;
        options.emitNonSemanticShaderDebugSource = variant == PACK_DEBUG_VS;
    }
    if (installed) {
        shader.setEnvInputVulkanRulesRelaxed();
        shader.setAutoMapBindings(true);
        shader.setAutoMapLocations(true);
    }
    options.disableOptimizer = !hlsl;

    if (!shader.parse(GetDefaultResources(), 450, false, EShMessages(messages), includer)) {
        log = shader.getInfoLog();
        return {};
    }
    program.addShader(&shader);
    if (!program.link(EShMessages(messages)) || (installed && !program.mapIO())) {
        log = program.getInfoLog();
        return {};
    }
    glslang::GlslangToSpv(*program.getIntermediate(stage), words, &options);
    return words;
}

Words assemble(const std::string &text, spv_target_env environment, std::string &log)
{
    spvtools::SpirvTools tools(environment);
    Words words;
    tools.SetMessageConsumer([&](spv_message_level_t, const char *, const spv_position_t &at, const char *message) {
        log += "line " + std::to_string(at.line + 1) + ": " + message + "\n";
    });
    if (!tools.Assemble(text, &words, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS))
        return {};
    return words;
}

Words optimized(const Words &words, spv_target_env environment, Recipe recipe)
{
    spvtools::Optimizer optimizer(environment);
    spvtools::OptimizerOptions options;
    Words result;
    options.set_run_validator(false);
    optimizer.SetMessageConsumer([](spv_message_level_t, const char *, const spv_position_t &, const char *) {});
    switch (recipe) {
    case Recipe::performance:
        optimizer.RegisterPerformancePasses();
        break;
    case Recipe::legalization:
        optimizer.RegisterLegalizationPasses();
        break;
    case Recipe::size:
        optimizer.RegisterSizePasses();
        optimizer.RegisterPass(spvtools::CreateLoopPeelingPass());
        optimizer.RegisterPass(spvtools::CreateLoopUnrollPass(false, 3));
        optimizer.RegisterPass(spvtools::CreateIfConversionPass());
        optimizer.RegisterPass(spvtools::CreateBlockMergePass());
        optimizer.RegisterPass(spvtools::CreateRedundancyEliminationPass());
        optimizer.RegisterPass(spvtools::CreateCodeSinkingPass());
        break;
    }
    return optimizer.Run(words.data(), words.size(), &result, options) ? result : Words();
}
