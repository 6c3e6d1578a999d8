/* SPDX-License-Identifier: MIT */
/*
 * Seeds are quoted: the programs of a seed must not hang on the compiler. CMakeLists.txt builds this by each that there
 * is, and what they generate has one sum. It is another one where programs are meant to be others: more formats, say.
 */
#include <stdlib.h>
#include <string.h>

#include "drawable.h"
#include "program.h"

/* As if the drivers had everything as specified. */
static void have_everything(void)
{
    struct drawable *d = &random_drawable;
    for (int i = 0; i < random_format_count; i++) {
        d->attachment[i] = random_formats[i].attachment;
        for (int k = 0; k < RANDOM_TARGETS; k++)
            d->format[i][k] = k != RANDOM_BUFFER || random_formats[i].buffer;
    }
    for (int i = 0; i < RANDOM_STAGES; i++)
        d->stage[i] = true;
    for (int i = 0; i < RANDOM_TARGETS * INCOMPLETE_KINDS; i++)
        d->incomplete[i / INCOMPLETE_KINDS][i % INCOMPLETE_KINDS] = true;
    d->mirror_clamp = d->mirror_line = d->depth_alpha = d->compared_alpha = d->stencil_red = d->level_offset = true;
    d->unsigned_border = d->decode = d->exact_border = d->blend_off = d->gather_mirrors = d->gather_bounds = true;
    d->array_index = d->block_compute = d->fetch_base = d->integer_base = d->cube_wraps = d->array_levels =
        d->gather_offset = true;
    d->cube_clamp = d->mirror_gather = d->mirror_offset = d->rectangle_gradient = d->rectangle_levels = true;
    d->incomplete_border = d->alpha_apart = true;
}

/* FNV-1a of the text, but for gradients: they come from the C library's powers of two. */
static uint64_t add_text(uint64_t sum, struct program *program)
{
    enum { GRADIENTS = offsetof(struct parameters, gradient_x) / sizeof(float) };
    char *text = NULL;
    size_t size = 0;
    for (uint32_t i = 0; i < program->count; i++)
        if (program->operations[i].kind == OPERATION_DRAW)
            memset(&program->operations[i].numbers[GRADIENTS], 0, 8 * sizeof(float));
    FILE *file = open_memstream(&text, &size);
    if (!file)
        abort();
    program_write(program, file);
    fclose(file);
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ (unsigned char)text[i]) * 0x100000001b3u;
    free(text);
    return sum;
}

int main(void)
{
    enum { SEEDS = 4, PROGRAMS = 24 };
    enum { ALL, ALONE, STANDARD, KINDS };
    static const char *const names[KINDS] = {"all", "without the fourth end", "standard"};
    /* The second one is of what is in front of the fourth end; the last one of what standard Vulkan has words for. */
    static const uint64_t known[KINDS] = {0xa00a10cb3d9419dfu, 0x90495d077bfbcce8u, 0x1070fe0aba051570u};
    static struct program program;
    int others = 0;
    have_everything();
    for (int kind = 0; kind < KINDS; kind++) {
        const struct generate_params params = {.alone = kind == ALONE,
                                               .standard = kind == STANDARD,
                                               .bindings = (1u << RANDOM_BINDINGS) - 1,
                                               .pipelines = (1u << RANDOM_PIPELINES) - 1};
        uint64_t sum = 0xcbf29ce484222325u;
        for (uint64_t i = 0; i < (uint64_t)SEEDS * PROGRAMS; i++) {
            program_generate(&program, 1 + i / PROGRAMS, i % PROGRAMS, &params);
            sum = add_text(sum, &program);
        }
        others += sum != known[kind];
        printf("%s: the text of %d programs sums to %#llx, known is %#llx\n", names[kind], (int)SEEDS * PROGRAMS,
               (unsigned long long)sum, (unsigned long long)known[kind]);
    }
    return others != 0;
}
