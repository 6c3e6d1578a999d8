/* SPDX-License-Identifier: MIT */
/* Writes each line that older assemblers do not know as words, by their notation "!number". */
#define _POSIX_C_SOURCE 200809L
#include "heap_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spirv/module/inst.h"

enum { TOKENS_MOST = 16 };
static const enum text_environment environment = TEXT_VULKAN_1_3;

/* Names and their numbers; instructions also say whether a type stands in front of the result. */
static const struct {
    const char *name;
    uint32_t number;
    bool newer, typed;
} names[] = {
    {"OpCapability", 17, false, false},
    {"OpDecorate", 71, false, false},
    {"OpDecorateId", 332, false, false},
    {"OpTypeUntypedPointerKHR", 4417, true, false},
    {"OpUntypedVariableKHR", 4418, true, true},
    {"OpUntypedAccessChainKHR", 4419, true, true},
    {"OpUntypedInBoundsAccessChainKHR", 4420, true, true},
    {"OpUntypedPtrAccessChainKHR", 4423, true, true},
    {"OpTypeBufferEXT", 5115, true, false},
    {"OpBufferPointerEXT", 5119, true, true},
    {"OpMemberDecorateIdEXT", 5127, true, false},
    {"OpConstantSizeOfEXT", 5129, true, true},
    {"UntypedPointersKHR", 4473, true, false},
    {"DescriptorHeapEXT", 5128, true, false},
    {"BuiltIn", 11, false, false},
    {"SamplerHeapEXT", 5122, true, false},
    {"ResourceHeapEXT", 5123, true, false},
    {"ArrayStrideIdEXT", 5124, true, false},
    {"OffsetIdEXT", 5125, true, false},
    {"ArrayStride", 6, false, false},
    {"UniformConstant", 0, false, false},
    {"Uniform", 2, false, false},
    {"PushConstant", 9, false, false},
    {"StorageBuffer", 12, false, false},
};
enum { NAME_COUNT = sizeof(names) / sizeof(names[0]), NO_NAME = NAME_COUNT };

static unsigned name_of(const char *token)
{
    unsigned i = 0;
    while (i < NAME_COUNT && strcmp(names[i].name, token) != 0)
        i++;
    return i;
}

/* Cuts a line into its words; returns how many there are. */
static unsigned cut(char *line, char *tokens[TOKENS_MOST])
{
    unsigned count = 0;
    for (char *rest = NULL, *token = strtok_r(line, " ", &rest); token && count < TOKENS_MOST;
         token = strtok_r(NULL, " ", &rest))
        tokens[count++] = token;
    return count;
}

static char *put_word(char *to, const char *token)
{
    unsigned name = name_of(token);
    return to + (name == NO_NAME ? sprintf(to, " %s", token) : sprintf(to, " !%u", names[name].number));
}

/* A line as words; NULL if the assembler knows all of it. `line` is cut. */
static char *put_line(char *to, char *line)
{
    char *tokens[TOKENS_MOST];
    unsigned count = cut(line, tokens), newer = 0;
    for (unsigned i = 0; i < count; i++)
        newer += name_of(tokens[i]) != NO_NAME && names[name_of(tokens[i])].newer;
    if (newer == 0)
        return NULL;
    bool result = count > 2 && strcmp(tokens[1], "=") == 0;
    unsigned instruction = name_of(tokens[result ? 2 : 0]), next = result ? 3 : 1;
    to += sprintf(to, "!0x%08x", inst_word0(names[instruction].number, result ? count - 1 : count));
    if (result && names[instruction].typed)
        to = put_word(to, tokens[next++]);
    if (result)
        to = put_word(to, tokens[0]);
    while (next < count)
        to = put_word(to, tokens[next++]);
    return to + sprintf(to, "\n");
}

/* An instruction of any number of operands takes the words of the next line for its own. */
static bool is_whole(const struct spirv_words *words, unsigned lines)
{
    for (size_t at = HEADER_WORDS; at < words->count; at += inst_length(words->words + at))
        lines--;
    if (lines != 0)
        fprintf(stderr, "heap_assemble: %d lines were taken for another's operands\n", (int)lines);
    return lines == 0;
}

struct spirv_words heap_assemble(const char *text)
{
    char *written = malloc(4 * strlen(text) + 64), *to = written;
    char line[512];
    unsigned lines = 0;
    for (const char *at = text; *at != '\0' && written;) {
        size_t length = strcspn(at, "\n");
        snprintf(line, sizeof(line), "%.*s", (int)length, at);
        char *end = put_line(to, line);
        to = end ? end : to + sprintf(to, "%.*s\n", (int)length, at);
        lines += length != 0;
        at += length + (at[length] == '\n');
    }
    struct spirv_words words = {NULL, 0};
    if (written)
        words = text_assemble(environment, written);
    if (words.words && !is_whole(&words, lines)) {
        free(words.words);
        words = (struct spirv_words){NULL, 0};
    }
    free(written);
    return words;
}

/* Some know untyped pointers, as Debian 13's, and not the heaps that lie behind them. */
bool heap_validator_knows(void)
{
    static const char smallest[] =
        "OpCapability Shader\nOpCapability UntypedPointersKHR\nOpCapability DescriptorHeapEXT\n"
        "OpExtension \"SPV_KHR_untyped_pointers\"\nOpMemoryModel Logical GLSL450\n"
        "%p = OpTypeUntypedPointerKHR Uniform\n";
    struct spirv_words words = heap_assemble(smallest);
    char *text = words.words ? text_disassemble(words.words, words.count) : NULL;
    bool knows = text && strstr(text, "OpTypeUntypedPointerKHR");
    free(text);
    free(words.words);
    return knows;
}

bool heap_validate(const uint32_t *words, size_t count, const char *what)
{
    return !heap_validator_knows() || text_validate(environment, words, count, what);
}
