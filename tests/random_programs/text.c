/* SPDX-License-Identifier: MIT */
/* Programs as text: a line for each operation, its name and key=value; numbers behind a colon. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

/* What an integer is written as. */
enum field_type { INT, TOKEN, TARGET, FORMAT, FUNCTION, STAGE, PARAMETER, TOGETHER };

struct field {
    const char *name;
    enum field_type type;
};

static const struct form {
    const char *name;
    int numbers;
    struct field fields[INTEGERS];
} forms[OPERATION_KINDS] = {
    [OPERATION_TEXTURE] = {"texture",
                           0,
                           {{"slot", INT},
                            {"target", TARGET},
                            {"format", FORMAT},
                            {"width", INT},
                            {"height", INT},
                            {"depth", INT},
                            {"layers", INT},
                            {"levels", INT},
                            {"seed", INT},
                            {"like", INT},
                            {"border", INT}}},
    [OPERATION_INCOMPLETE] = {"incomplete", 0, {{"slot", INT}, {"way", INT}}},
    [OPERATION_SAMPLER] = {"sampler", 0, {{"slot", INT}}},
    [OPERATION_PARAMETER] = {"parameter", 1, {{"object", INT}, {"slot", INT}, {"name", PARAMETER}, {"token", TOKEN}}},
    [OPERATION_BORDER] = {"border", 4, {{"object", INT}, {"slot", INT}}},
    [OPERATION_SWIZZLE] = {"swizzle", 0, {{"slot", INT}, {"r", TOKEN}, {"g", TOKEN}, {"b", TOKEN}, {"a", TOKEN}}},
    [OPERATION_LEVELS] = {"levels", 0, {{"slot", INT}, {"base", INT}, {"greatest", INT}}},
    [OPERATION_UNIT] = {"unit", 1, {{"unit", INT}, {"texture", INT}, {"sampler", INT}}},
    [OPERATION_UPLOAD] = {"upload", 0, {{"slot", INT}, {"level", INT}, {"seed", INT}}},
    [OPERATION_COPY] = {"copy", 0, {{"from", INT}, {"to", INT}}},
    [OPERATION_TARGET] = {"target",
                          0,
                          {{"count", INT},
                           {"texture0", INT},
                           {"level0", INT},
                           {"layer0", INT},
                           {"texture1", INT},
                           {"level1", INT},
                           {"layer1", INT}}},
    [OPERATION_BLEND] = {"blend",
                         0,
                         {{"attachment", INT},
                          {"on", INT},
                          {"source", TOKEN},
                          {"destination", TOKEN},
                          {"equation", TOKEN},
                          {"source_alpha", TOKEN},
                          {"destination_alpha", TOKEN},
                          {"equation_alpha", TOKEN},
                          {"mask", TOKEN}}},
    [OPERATION_CONSTANT] = {"constant", 4, {{NULL, INT}}},
    [OPERATION_CLEAR] = {"clear", 4, {{"attachment", INT}}},
    [OPERATION_PAINT] = {"paint", NUMBERS, {{"lookup", INT}}},
    [OPERATION_DRAW] = {"draw", NUMBERS, {{"function", FUNCTION}, {"stage", STAGE}, {"unit", INT}}},
    [OPERATION_TOGETHER] = {"together", 0, {{"form", TOGETHER}}},
    [OPERATION_SUBMIT] = {"submit", 0, {{"views", INT}, {"samplers", INT}}},
};

static const char *const targets[] = {"1D",       "2D",         "3D",        "CUBE",   "1D_ARRAY",
                                      "2D_ARRAY", "CUBE_ARRAY", "RECTANGLE", "BUFFER", NULL};
static const char *const functions[] = {"texture",     "bias",         "lod",       "grad",       "proj",
                                        "projLod",     "offset",       "lodOffset", "gradOffset", "gather",
                                        "gatherAlpha", "gatherOffset", "fetch",     "size",       NULL};
static const char *const stages[] = {"frag", "vert", "tesc", "tese", "geom", "comp", NULL};
static const char *const parameters[] = {"wrap_s",       "wrap_t",       "wrap_r",     "min_filter", "mag_filter",
                                         "compare_mode", "compare_func", "decode",     "min_lod",    "max_lod",
                                         "lod_bias",     "seamless",     "depth_mode", "stencil",    NULL};
static const char *const togethers[] = {"bindings", "sets", "beside", "samplers", "images", "array", "arrays", NULL};
static const char *const bindings[] = {"combined", "separate", "push", "template",      "after-bind",   "immutable",
                                       "buffer",   "array",    "heap", "heap-embedded", "heap-untyped", NULL};
static const char *const pipelines[] = {"static", "dynamic", "library", "fast-linked", "objects", NULL};
static const char *const throughs[] = {"gl", "modes", "standard", NULL};

static const char *const *names_of(enum field_type type)
{
    switch (type) {
    case TARGET:
        return targets;
    case FUNCTION:
        return functions;
    case STAGE:
        return stages;
    case PARAMETER:
        return parameters;
    case TOGETHER:
        return togethers;
    default:
        return NULL;
    }
}

static int place_of(const char *const *names, const char *name)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

static void write_operation(const struct operation *o, FILE *file)
{
    const struct form *form = &forms[o->kind];
    fprintf(file, "%s", form->name);
    for (int i = 0; i < INTEGERS && form->fields[i].name; i++) {
        const int32_t value = o->integers[i];
        const enum field_type type = form->fields[i].type;
        fprintf(file, " %s=", form->fields[i].name);
        if (type == INT)
            fprintf(file, "%d", (int)value);
        else if (type == TOKEN)
            fprintf(file, "0x%04x", (unsigned)value);
        else
            fputs(type == FORMAT ? random_formats[value].name : names_of(type)[value], file);
    }
    for (int i = 0; i < form->numbers; i++)
        fprintf(file, "%s%.9g", i ? " " : " : ", (double)o->numbers[i]);
    fputc('\n', file);
}

void program_write(const struct program *program, FILE *file)
{
    fprintf(file, "manner binding=%s pipelines=%s through=%s pass=%d secondary=%d\n", bindings[program->manner.binding],
            pipelines[program->manner.pipelines], throughs[program->manner.through], program->manner.render_pass,
            program->manner.secondary);
    for (uint32_t i = 0; i < program->count; i++)
        write_operation(&program->operations[i], file);
}

static bool read_value(const struct field *field, const char *text, int32_t *value)
{
    char *end;
    if (field->type == INT || field->type == TOKEN) {
        errno = 0;
        *value = (int32_t)strtoll(text, &end, 0);
        return end != text && !*end && !errno;
    }
    *value = -1;
    if (field->type != FORMAT)
        *value = place_of(names_of(field->type), text);
    else
        for (int i = 0; i < random_format_count; i++)
            if (strcmp(random_formats[i].name, text) == 0)
                *value = i;
    return *value >= 0;
}

static bool read_manner(struct manner *manner, char *rest)
{
    char binding[32], kind[32], through[32];
    int pass, secondary = 0, b, p, t;
    if (sscanf(rest, "binding=%31s pipelines=%31s through=%31s pass=%d secondary=%d", binding, kind, through, &pass,
               &secondary) < 4 ||
        (b = place_of(bindings, binding)) < 0 || (p = place_of(pipelines, kind)) < 0 ||
        (t = place_of(throughs, through)) < 0)
        return false;
    *manner = (struct manner){(enum random_binding)b, (enum random_pipelines)p, (enum random_through)t, pass != 0,
                              secondary != 0};
    return true;
}

static bool read_operation(struct operation *o, char *line)
{
    char *save, *word = strtok_r(line, " \n", &save);
    int kind = 0;
    while (kind < OPERATION_KINDS && strcmp(forms[kind].name, word) != 0)
        kind++;
    if (kind == OPERATION_KINDS)
        return false;
    *o = (struct operation){.kind = (enum random_kind)kind};
    int number = -1;
    while ((word = strtok_r(NULL, " \n", &save)) != NULL) {
        if (number >= 0) {
            if (number == NUMBERS)
                return false;
            o->numbers[number++] = strtof(word, NULL);
            continue;
        }
        char *value = strchr(word, '=');
        if (strcmp(word, ":") == 0) {
            number = 0;
            continue;
        }
        if (!value)
            return false;
        *value++ = '\0';
        int i = 0;
        while (i < INTEGERS && forms[kind].fields[i].name && strcmp(forms[kind].fields[i].name, word) != 0)
            i++;
        if (i == INTEGERS || !forms[kind].fields[i].name || !read_value(&forms[kind].fields[i], value, &o->integers[i]))
            return false;
    }
    return true;
}

bool program_read(struct program *program, FILE *file)
{
    char line[2048];
    *program = (struct program){0};
    for (unsigned number = 1; fgets(line, sizeof(line), file); number++) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        char copy[64];
        snprintf(copy, sizeof(copy), "%.60s", line);
        const bool manner = strncmp(line, "manner ", 7) == 0;
        if (program->count == OPERATIONS_MAX ||
            !(manner ? read_manner(&program->manner, line + 7)
                     : read_operation(&program->operations[program->count], line))) {
            fprintf(stderr, "random_programs: line %u is no operation: %s\n", number, copy);
            return false;
        }
        program->count += !manner;
    }
    return program->count > 0;
}
