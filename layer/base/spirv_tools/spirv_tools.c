/* SPDX-License-Identifier: MIT */
/*
 * Opens SPIRV-Tools at the first call and keeps its functions. Every caller must do without it, because most systems of
 * users do not have it.
 */
#include "spirv_tools/spirv_tools.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv-tools/libspirv.h>
#include <vulkan/vulkan_core.h>

#include "platform/library.h"
#include "platform/paths.h"

#define SHARED CLAMPLER_SPIRV_TOOLS_SHARED
#define OWN CLAMPLER_SPIRV_TOOLS_OWN

static struct {
    bool found;
    __typeof__(&spvContextCreate) context_create;
    __typeof__(&spvContextDestroy) context_destroy;
    __typeof__(&spvValidatorOptionsCreate) options_create;
    __typeof__(&spvValidatorOptionsDestroy) options_destroy;
    __typeof__(&spvValidatorOptionsSetScalarBlockLayout) set_scalar_block_layout;
    __typeof__(&spvValidatorOptionsSetWorkgroupScalarBlockLayout) set_workgroup_scalar_block_layout;
    __typeof__(&spvValidatorOptionsSetAllowLocalSizeId) set_allow_local_size_id;
    __typeof__(&spvValidateWithOptions) validate;
    __typeof__(&spvBinaryToText) to_text;
    __typeof__(&spvTextDestroy) text_destroy;
    __typeof__(&spvDiagnosticDestroy) diagnostic_destroy;
} tools;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool find_functions(void *library)
{
#define FIND(member, name) (*(void **)&tools.member = library_function(library, name))
    return FIND(context_create, "spvContextCreate") && FIND(context_destroy, "spvContextDestroy") &&
           FIND(options_create, "spvValidatorOptionsCreate") && FIND(options_destroy, "spvValidatorOptionsDestroy") &&
           FIND(set_scalar_block_layout, "spvValidatorOptionsSetScalarBlockLayout") &&
           FIND(set_workgroup_scalar_block_layout, "spvValidatorOptionsSetWorkgroupScalarBlockLayout") &&
           FIND(set_allow_local_size_id, "spvValidatorOptionsSetAllowLocalSizeId") &&
           FIND(validate, "spvValidateWithOptions") && FIND(to_text, "spvBinaryToText") &&
           FIND(text_destroy, "spvTextDestroy") && FIND(diagnostic_destroy, "spvDiagnosticDestroy");
#undef FIND
}

static bool open_library(const char *path)
{
    void *library = library_open(path);
    if (!library)
        return false;
    tools.found = find_functions(library);
    if (!tools.found)
        library_close(library);
    return tools.found;
}

static void open_once(void)
{
    static const char *const folders[] = {"clampler/", CLAMPLER_LIBRARIES_FROM_PROGRAMS "/clampler/",
                                          "../lib/clampler/"};
    char own[PATH_ROOM], path[PATH_ROOM * 2];
    if (open_library(SHARED) || !path_of_own_folder(own))
        return;
    for (size_t i = 0; i < sizeof(folders) / sizeof(*folders) && !tools.found; i++) {
        snprintf(path, sizeof(path), "%s%s" OWN, own, folders[i]);
        open_library(path);
    }
}

bool spirv_tools_found(void)
{
    pthread_once(&once, open_once);
    return tools.found;
}

const char *spirv_tools_searched(void)
{
    return SHARED " in the system's library folders, clampler/" OWN " beside the layer";
}

static spv_target_env environment_of(const uint32_t *words, size_t word_count, uint32_t vulkan_version)
{
    const uint32_t spirv_1_4 = 0x00010400;
    if (vulkan_version >= VK_API_VERSION_1_3)
        return SPV_ENV_VULKAN_1_3;
    if (vulkan_version >= VK_API_VERSION_1_2)
        return SPV_ENV_VULKAN_1_2;
    if (vulkan_version >= VK_API_VERSION_1_1)
        return word_count > 1 && words[1] >= spirv_1_4 ? SPV_ENV_VULKAN_1_1_SPIRV_1_4 : SPV_ENV_VULKAN_1_1;
    return SPV_ENV_VULKAN_1_0;
}

bool spirv_tools_validate(const uint32_t *words, size_t word_count, uint32_t vulkan_version, char *why, size_t size)
{
    why[0] = '\0';
    if (!spirv_tools_found())
        return true;
    spv_context context = tools.context_create(environment_of(words, word_count, vulkan_version));
    spv_validator_options options = tools.options_create();
    spv_diagnostic diagnostic = NULL;
    spv_const_binary_t binary = {words, word_count};
    tools.set_scalar_block_layout(options, true);
    tools.set_workgroup_scalar_block_layout(options, true);
    tools.set_allow_local_size_id(options, true);
    const bool valid = tools.validate(context, options, &binary, &diagnostic) == SPV_SUCCESS;
    if (!valid)
        snprintf(why, size, "%s", diagnostic && diagnostic->error ? diagnostic->error : "no reason given");
    why[strcspn(why, "\n")] = '\0';
    tools.diagnostic_destroy(diagnostic);
    tools.options_destroy(options);
    tools.context_destroy(context);
    return valid;
}

char *spirv_tools_text(const uint32_t *words, size_t word_count, uint32_t vulkan_version)
{
    if (!spirv_tools_found())
        return NULL;
    spv_context context = tools.context_create(environment_of(words, word_count, vulkan_version));
    spv_diagnostic diagnostic = NULL;
    spv_text text = NULL;
    char *copy = NULL;
    const uint32_t options = SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES;
    if (tools.to_text(context, words, word_count, options, &text, &diagnostic) == SPV_SUCCESS && text) {
        copy = malloc(text->length + 1);
        if (copy) {
            memcpy(copy, text->str, text->length);
            copy[text->length] = '\0';
        }
    }
    tools.text_destroy(text);
    tools.diagnostic_destroy(diagnostic);
    tools.context_destroy(context);
    return copy;
}
