/* SPDX-License-Identifier: MIT */
/* clampler rewrite: the rewriter without a device. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv/unified1/spirv.h>
#include <vulkan/vulkan_core.h>

#include "auto_layout.h"
#include "cli.h"
#include "spirv/module/inst.h"
#include "spirv_tools/spirv_tools.h"

struct request {
    const char *in, *out;
    bool explain, validate;
    unsigned layout_options;
    struct spirv_options options;
};

static const char usage[] = "clampler rewrite: rewrite IN.spv [-o OUT.spv] [--explain] [--tier 1|2] [--form gpu|cpu] "
                            "[--storage] [--renumber] [--texel-paths MASK] [--validate]\n";

/* ---- Arguments ---- */

static bool read_option(struct request *request, const char *name, const char *value, int *used)
{
    if (!strcmp(name, "--explain")) {
        request->explain = true;
    } else if (!strcmp(name, "--validate")) {
        request->validate = true;
    } else if (!strcmp(name, "--storage")) {
        request->layout_options |= AUTO_LAYOUT_STORAGE;
    } else if (!strcmp(name, "--renumber")) {
        request->layout_options |= AUTO_LAYOUT_RENUMBER;
    } else if (!strcmp(name, "-o") && value) {
        request->out = value;
        *used = 2;
    } else if (!strcmp(name, "--tier") && value && (!strcmp(value, "1") || !strcmp(value, "2"))) {
        request->options.tier = (uint32_t)(value[0] - '0');
        *used = 2;
    } else if (!strcmp(name, "--form") && value && (!strcmp(value, "gpu") || !strcmp(value, "cpu"))) {
        request->options.form = value[0] == 'c' ? SPIRV_FORM_CPU : SPIRV_FORM_GPU;
        *used = 2;
    } else if (!strcmp(name, "--texel-paths") && value) {
        request->options.texel_paths = (uint32_t)strtoul(value, NULL, 0);
        *used = 2;
    } else if (name[0] != '-' && !request->in) {
        request->in = name;
    } else {
        fprintf(stderr, "clampler rewrite: \"%s\" is not known, or lacks a value\n%s", name, usage);
        return false;
    }
    return true;
}

static bool read_arguments(struct request *request, int count, char **arguments)
{
    for (int i = 1, used; i < count; i += used) {
        used = 1;
        if (!read_option(request, arguments[i], i + 1 < count ? arguments[i + 1] : NULL, &used))
            return false;
    }
    if (!request->in || (!request->out && !request->explain)) {
        fprintf(stderr, "clampler rewrite: %s\n%s", request->in ? "neither -o OUT.spv nor --explain" : "no module",
                usage);
        return false;
    }
    return true;
}

/* ---- Files ---- */

/* NULL if it cannot be read whole, or is no whole number of words. */
static uint32_t *read_words(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rbe");
    if (!file)
        return NULL;
    const long size = !fseek(file, 0, SEEK_END) ? ftell(file) : -1;
    rewind(file);
    const size_t bytes = size > 0 ? (size_t)size : 0;
    uint32_t *words = size >= 0 && bytes % sizeof(*words) == 0 ? malloc(bytes + sizeof(*words)) : NULL;
    *count = bytes / sizeof(*words);
    if (words && fread(words, sizeof(*words), *count, file) != *count) {
        free(words);
        words = NULL;
    }
    fclose(file);
    return words;
}

static bool write_words(const char *path, const uint32_t *words, size_t count)
{
    FILE *file = fopen(path, "wbe");
    if (!file)
        return false;
    const size_t written = fwrite(words, sizeof(*words), count, file);
    return !fclose(file) && written == count;
}

/* ---- Explanations ---- */

#define LOOKUP(name)                                                                                                   \
    {                                                                                                                  \
        SpvOpImage##name, #name                                                                                        \
    }
static const struct {
    SpvOp opcode;
    const char *name;
} lookups[] = {
    LOOKUP(SampleImplicitLod),
    LOOKUP(SampleExplicitLod),
    LOOKUP(SampleDrefImplicitLod),
    LOOKUP(SampleDrefExplicitLod),
    LOOKUP(SampleProjImplicitLod),
    LOOKUP(SampleProjExplicitLod),
    LOOKUP(SampleProjDrefImplicitLod),
    LOOKUP(SampleProjDrefExplicitLod),
    LOOKUP(Gather),
    LOOKUP(DrefGather),
    LOOKUP(SparseSampleImplicitLod),
    LOOKUP(SparseSampleExplicitLod),
    LOOKUP(SparseSampleDrefImplicitLod),
    LOOKUP(SparseSampleDrefExplicitLod),
    LOOKUP(SparseGather),
    LOOKUP(SparseDrefGather),
    LOOKUP(QueryLod),
    LOOKUP(Fetch),
    LOOKUP(QueryLod),
    LOOKUP(QuerySizeLod),
};
#undef LOOKUP

/* A module that parses. */
static void explain_input(const uint32_t *words, size_t count, const struct spirv_facts *facts)
{
    printf("SPIR-V %u.%u, %zu words\n", (unsigned)(facts->version >> 16 & 0xff), (unsigned)(facts->version >> 8 & 0xff),
           count);
    for (size_t i = 0; i < sizeof(lookups) / sizeof(*lookups); i++) {
        unsigned found = 0;
        for (size_t at = HEADER_WORDS; at < count; at += inst_length(words + at))
            found += inst_opcode(words + at) == (uint32_t)lookups[i].opcode;
        if (found)
            printf("  %u x OpImage%s\n", found, lookups[i].name);
    }
    if (!facts->samples)
        printf("no lookup through a sampler\n");
    if (facts->offsets)
        printf("some lookups have texel offsets: with mip levels and GL_CLAMP they take tier 2\n");
    if (facts->gathers)
        printf("some lookups are gathers: their footprint is linear whatever the filters are\n");
}

static void explain_layout(const struct spirv_layout *layout)
{
    printf("assumed layout, for want of the program's: a record for every descriptor\n");
    for (uint32_t i = 0; i < layout->set_count; i++) {
        const struct spirv_set *set = &layout->sets[i];
        if (set->record_binding == SPIRV_NO_RECORD)
            continue;
        printf("  set %u: %u records in a %s buffer at binding %u\n", (unsigned)i, (unsigned)set->record_count,
               set->storage ? "storage" : "uniform", (unsigned)set->record_binding);
        for (uint32_t j = 0; j < set->binding_count; j++) {
            const struct spirv_binding *binding = &set->bindings[j];
            printf("    binding %u", (unsigned)binding->binding);
            if (binding->new_binding != binding->binding)
                printf(" moves to %u", (unsigned)binding->new_binding);
            if (binding->first_record == SPIRV_NO_RECORD)
                printf(": no records\n");
            else
                printf(": records %u to %u\n", (unsigned)binding->first_record,
                       (unsigned)(binding->first_record + binding->count - 1));
        }
    }
}

static void explain_result(const struct request *request, enum spirv_result result, const struct spirv_output *output)
{
    if (result == SPIRV_UNCHANGED)
        printf("nothing to rewrite: the module is passed on unchanged\n");
    else
        printf("tier %u, %s form: %u lookups rewritten, %u other reads, %zu words\n", (unsigned)request->options.tier,
               request->options.form == SPIRV_FORM_CPU ? "CPU" : "GPU", (unsigned)output->rewritten_lookups,
               (unsigned)output->rewritten_reads, output->word_count);
    if (output->message[0])
        printf("%s\n", output->message);
}

/* ---- The command ---- */

static bool validate(const uint32_t *words, size_t count)
{
    char why[400];
    if (!spirv_tools_found()) {
        fprintf(stderr, "clampler rewrite: --validate: SPIRV-Tools is not there (looked for: %s)\n",
                spirv_tools_searched());
        return false;
    }
    const bool valid = spirv_tools_validate(words, count, VK_API_VERSION_1_3, why, sizeof(why));
    if (!valid)
        fprintf(stderr, "clampler rewrite: the result is not valid: %s\n", why);
    return valid;
}

/* Everything after the module has been read: the process's status. */
static int rewrite_words(const struct request *request, const uint32_t *words, size_t count)
{
    static struct auto_layout layout;
    struct spirv_facts facts;
    struct spirv_output output;
    auto_layout(words, count, request->layout_options, &layout);
    const bool parses = spirv_scan(words, count, &facts) != SPIRV_MALFORMED;
    const enum spirv_result result = spirv_rewrite(words, count, &layout.layout, &request->options, NULL, &output);
    if (!parses || (result != SPIRV_REWRITTEN && result != SPIRV_UNCHANGED)) {
        fprintf(stderr, "clampler rewrite: %s: %s\n", request->in,
                result == SPIRV_OUT_OF_MEMORY ? "out of memory"
                : output.message[0]           ? output.message
                                              : "is not SPIR-V");
        return 1;
    }
    if (layout.beyond)
        fprintf(stderr,
                "clampler rewrite: %u variables get no records: only sets below %u are followed, and %u bindings\n",
                (unsigned)layout.beyond, AUTO_LAYOUT_SETS, AUTO_LAYOUT_BINDINGS);
    if (request->explain) {
        explain_input(words, count, &facts);
        explain_layout(&layout.layout);
        explain_result(request, result, &output);
    }
    const uint32_t *after = result == SPIRV_REWRITTEN ? output.words : words;
    const size_t after_count = result == SPIRV_REWRITTEN ? output.word_count : count;
    bool good = !request->validate || validate(after, after_count);
    if (good && request->out && !write_words(request->out, after, after_count)) {
        fprintf(stderr, "clampler rewrite: %s: cannot be written\n", request->out);
        good = false;
    }
    free(output.words);
    return good ? 0 : 1;
}

int rewrite(int count, char **arguments)
{
    struct request request = {.options = {.tier = 1}};
    if (!read_arguments(&request, count, arguments))
        return STATUS_USAGE;
    size_t word_count = 0;
    uint32_t *words = read_words(request.in, &word_count);
    if (!words) {
        fprintf(stderr, "clampler rewrite: %s: cannot be read as 32-bit words\n", request.in);
        return 1;
    }
    const int status = rewrite_words(&request, words, word_count);
    free(words);
    return status;
}
