/* SPDX-License-Identifier: MIT */
#include "spirv_text.h"

#include "arguments.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv-tools/libspirv.h>

static const spv_target_env targets[TEXT_ENVIRONMENT_COUNT] = {
    SPV_ENV_VULKAN_1_0, SPV_ENV_VULKAN_1_1, SPV_ENV_VULKAN_1_1_SPIRV_1_4, SPV_ENV_VULKAN_1_2, SPV_ENV_VULKAN_1_3};

struct spirv_words text_assemble(enum text_environment environment, const char *text)
{
    struct spirv_words result = {NULL, 0};
    spv_context context = spvContextCreate(targets[environment]);
    spv_binary binary = NULL;
    spv_diagnostic diagnostic = NULL;
    if (spvTextToBinary(context, text, strlen(text), &binary, &diagnostic) == SPV_SUCCESS) {
        result.words = malloc(binary->wordCount * sizeof(uint32_t));
        if (result.words) {
            memcpy(result.words, binary->code, binary->wordCount * sizeof(uint32_t));
            result.count = binary->wordCount;
        }
    } else if (diagnostic) {
        fprintf(stderr, "assembler: line %zu: %s\n", diagnostic->position.line + 1, diagnostic->error);
    }
    spvDiagnosticDestroy(diagnostic);
    spvBinaryDestroy(binary);
    spvContextDestroy(context);
    return result;
}

bool text_validate(enum text_environment environment, const uint32_t *words, size_t count, const char *what)
{
    spv_context context = spvContextCreate(targets[environment]);
    spv_diagnostic diagnostic = NULL;
    spv_const_binary_t binary = {words, count};
    bool valid = spvValidate(context, &binary, &diagnostic) == SPV_SUCCESS;
    if (!valid)
        fprintf(stderr, "%s: invalid: %s\n", what, diagnostic ? diagnostic->error : "no reason given");
    const uint32_t relaxed = valid ? arguments_find_relaxed(words, count) : 0;
    if (relaxed != 0)
        fprintf(stderr, "%s: %%%u, an argument of the layer's, is of relaxed precision\n", what, relaxed);
    spvDiagnosticDestroy(diagnostic);
    spvContextDestroy(context);
    return valid && relaxed == 0;
}

char *text_disassemble(const uint32_t *words, size_t count)
{
    spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
    spv_text text = NULL;
    char *result = NULL;
    uint32_t options = SPV_BINARY_TO_TEXT_OPTION_NO_HEADER | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES;
    if (spvBinaryToText(context, words, count, options, &text, NULL) == SPV_SUCCESS) {
        result = malloc(text->length + 1);
        if (result) {
            memcpy(result, text->str, text->length);
            result[text->length] = '\0';
        }
    }
    spvTextDestroy(text);
    spvContextDestroy(context);
    return result;
}

static bool is_name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Does the line mention the id %name (of the given length)? */
static bool mentions(const char *line, const char *name, size_t length)
{
    for (const char *at = strchr(line, '%'); at; at = strchr(at + 1, '%')) {
        if (strncmp(at + 1, name, length) == 0 && !is_name_character(at[1 + length]))
            return true;
    }
    return false;
}

/* Marks what a kept line mentions. A name or decoration is kept if what it is about is kept. */
static void keep_mentioned(char **lines, bool *keep, size_t globals_end, size_t count)
{
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < globals_end; i++) {
            bool about = strncmp(lines[i], "OpName", 6) == 0 || strncmp(lines[i], "OpDecorate", 10) == 0 ||
                         strncmp(lines[i], "OpMember", 8) == 0;
            const char *id = about ? strchr(lines[i], '%') : lines[i];
            if (keep[i] || !id || id[0] != '%')
                continue;
            size_t length = 0;
            while (is_name_character(id[1 + length]))
                length++;
            for (size_t j = 0; j < count && !keep[i]; j++) {
                bool is_about = strncmp(lines[j], "OpName", 6) == 0 || strncmp(lines[j], "OpDecorate", 10) == 0 ||
                                strncmp(lines[j], "OpMember", 8) == 0;
                keep[i] = keep[j] && !is_about && mentions(lines[j], id + 1, length);
            }
            again |= keep[i];
        }
    }
}

char *text_essence(const uint32_t *words, size_t count)
{
    char *text = text_disassemble(words, count);
    size_t line_count = 0;
    for (const char *at = text; at && *at != '\0'; at++)
        line_count += *at == '\n';
    char **lines = calloc(line_count + 1, sizeof(*lines));
    bool *keep = calloc(line_count + 1, sizeof(*keep));
    char *result = text ? malloc(strlen(text) + 1) : NULL;
    if (!lines || !keep || !result) {
        free(text);
        free(lines);
        free(keep);
        free(result);
        return NULL;
    }
    size_t globals_end = line_count;
    bool linked = false;
    char *at = text;
    for (size_t i = 0; i < line_count; i++) {
        lines[i] = at;
        at = strchr(at, '\n');
        *at++ = '\0';
        bool function = strstr(lines[i], "= OpFunction ") != NULL;
        globals_end = function && globals_end == line_count ? i : globals_end;
        linked = function ? strncmp(lines[i], "%clampler_", 10) == 0 : linked;
        bool head = lines[i][0] != '%' && strncmp(lines[i], "OpName", 6) != 0 &&
                    strncmp(lines[i], "OpDecorate", 10) != 0 && strncmp(lines[i], "OpMember", 8) != 0;
        keep[i] = globals_end < line_count ? !linked : head;
    }
    keep_mentioned(lines, keep, globals_end, line_count);
    char *to = result;
    for (size_t i = 0; i < line_count; i++) {
        if (keep[i])
            to += sprintf(to, "%s\n", lines[i]);
    }
    *to = '\0';
    free(text);
    free(lines);
    free(keep);
    return result;
}
