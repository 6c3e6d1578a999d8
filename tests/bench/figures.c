/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/figures.h"
#include "harness/text/json.h"
#include "harness/device/vulkan.h"

enum rule { REPORTED, AT_MOST, AT_LEAST };

#define NOTE_MAX 160
#define KEY_MAX 64

struct figure {
    char key[KEY_MAX];
    const char *unit;
    enum rule rule;
    double bound;
    double value; /* NAN: not measured */
    char note[NOTE_MAX];
};

#define NOT_MEASURED "not measured"
#define FIGURE(key, unit, rule, bound)                                                                                 \
    {                                                                                                                  \
        key, unit, rule, bound, NAN, NOT_MEASURED                                                                      \
    }

/* Operations beside the real driver; native.c has their bounds. */
#define NATIVE_FIGURE(world, operation) FIGURE(world #operation "_ratio", "x", AT_MOST, 1)
#define NATIVE(world)                                                                                                  \
    NATIVE_FIGURE(world, draw), NATIVE_FIGURE(world, bind), NATIVE_FIGURE(world, bind16),                              \
        NATIVE_FIGURE(world, combined), NATIVE_FIGURE(world, combined16), NATIVE_FIGURE(world, image),                 \
        NATIVE_FIGURE(world, image16), NATIVE_FIGURE(world, sampler), NATIVE_FIGURE(world, texels),                    \
        NATIVE_FIGURE(world, texels16), NATIVE_FIGURE(world, buffer), NATIVE_FIGURE(world, buffer16),                  \
        NATIVE_FIGURE(world, template), NATIVE_FIGURE(world, template16), NATIVE_FIGURE(world, push),                  \
        NATIVE_FIGURE(world, push16), NATIVE_FIGURE(world, push_template), NATIVE_FIGURE(world, push_template16),      \
        NATIVE_FIGURE(world, copy), NATIVE_FIGURE(world, copy16)

static struct figure figures[] = {
    FIGURE("inert.draw_ratio", "x", AT_MOST, 1.02),
    FIGURE("inert.bind_ratio", "x", AT_MOST, 1.02),
    FIGURE("inert.update_ratio", "x", AT_MOST, 1.02),
    FIGURE("inert.create_ms", "ms", REPORTED, 0),
    FIGURE("tier0.draw_ns", "ns", AT_MOST, 5),
    FIGURE("tier0.bind_ns", "ns", AT_MOST, 15),
    FIGURE("tier0.update_ns", "ns", AT_MOST, 25),
    FIGURE("tier0.pipeline_create_ratio", "x", AT_MOST, 1.05),
    FIGURE("linked.draw_ratio", "x", AT_MOST, 1.05),
    FIGURE("linked.bind_ratio", "x", AT_MOST, 1.05),
    FIGURE("linked.switch_ratio", "x", AT_MOST, 1.05),
    FIGURE("linked.frame_ratio", "x", AT_MOST, 1.02),
    FIGURE("objects.draw_ratio", "x", AT_MOST, 1.05),
    FIGURE("objects.bind_ratio", "x", AT_MOST, 1.05),
    FIGURE("objects.switch_ratio", "x", REPORTED, 0),
    FIGURE("objects.frame_ratio", "x", AT_MOST, 1.02),
    FIGURE("tier1.frame_ratio", "x", AT_MOST, 1.25),
    FIGURE("tier1.pipeline_create_ratio", "x", REPORTED, 0),
    FIGURE("one_sample.1_ratio", "x", AT_MOST, 1.7),
    FIGURE("one_sample.8_ratio", "x", AT_MOST, 1.7),
    FIGURE("one_sample.16_ratio", "x", AT_MOST, 1.7),
    FIGURE("one_sample.8_blocks_ratio", "x", AT_MOST, 1.7),
    FIGURE("one_sample.16_blocks_ratio", "x", AT_MOST, 1.7),
    FIGURE("rays.trace_ratio", "x", REPORTED, 0),
    FIGURE("texelbuffer.rgb32_ratio", "x", AT_MOST, 2.3),
    FIGURE("texelbuffer.rgb32_scattered_ratio", "x", AT_MOST, 2.3),
    FIGURE("texelbuffer.native_tier1_ratio", "x", REPORTED, 0),
    FIGURE("tier2.frame_ratio", "x", AT_MOST, 4.5),
    FIGURE("anisotropy.2_ratio", "x", REPORTED, 0),
    FIGURE("anisotropy.8_ratio", "x", REPORTED, 0),
    FIGURE("anisotropy.16_ratio", "x", REPORTED, 0),
    FIGURE("tier2.pipeline_create_ratio", "x", AT_MOST, 6),
    FIGURE("tier2.blocks_ratio", "x", AT_MOST, 8),
    FIGURE("tier2.shaders_ratio", "x", AT_MOST, 8),
    FIGURE("first.recording_ratio", "x", AT_MOST, 0.5),
    FIGURE("first.beside_ratio", "x", AT_MOST, 1.02),
    FIGURE("first.loading_ratio", "x", REPORTED, 0),
    FIGURE("combinations.pipelines", "", AT_MOST, 2),
    FIGURE("combinations.cpu_ratio", "x", AT_MOST, 1.1),
    FIGURE("combinations.levels_ratio", "x", REPORTED, 0),
    FIGURE("combinations.first_ratio", "x", REPORTED, 0),
    FIGURE("rewrite.mb_per_s", "MB/s", AT_LEAST, 300),
    FIGURE("rewrite.vs_spirv_opt", "x", AT_LEAST, 4),
    FIGURE("rewrite.pass_through_vs_spirv_opt", "x", AT_LEAST, 20),
    FIGURE("rebind.creates_after_warmup", "", AT_MOST, 0),
    FIGURE("rebind.slowest_ms", "ms", REPORTED, 0),
    FIGURE("alpha.draw_ns", "ns", AT_MOST, 5),
    FIGURE("alpha.switch_ns", "ns", REPORTED, 0),
    FIGURE("alpha.frame_ratio", "x", AT_MOST, 1.02),
    FIGURE("alpha.float_frame_ratio", "x", AT_MOST, 2),
    FIGURE("alpha.float_opaque_ratio", "x", AT_MOST, 2),
    FIGURE("alpha.float_weigh_ratio", "x", AT_MOST, 2),
    FIGURE("orders.frame_ratio", "x", AT_MOST, 1.05),
    FIGURE("orders.compiled_after_warmup", "", AT_MOST, 0),
    FIGURE("resolve.miss_ns", "ns", REPORTED, 0),
    FIGURE("resolve.table_ns", "ns", AT_MOST, 15),
    FIGURE("update.ns", "ns", AT_MOST, 25),
    FIGURE("update.scaling_2threads", "x", AT_LEAST, 1.7),
    FIGURE("update.driver_samplers", "", AT_MOST, 1),
    NATIVE("native.nothing."),
    NATIVE("native.beside."),
    NATIVE("native.asking."),
    FIGURE("app.buffer_combined_ratio", "x", AT_MOST, 1.25),
    FIGURE("app.buffer_image_ratio", "x", AT_MOST, 1.25),
    FIGURE("app.buffer_sampler_ratio", "x", AT_MOST, 1.25),
    FIGURE("app.buffer_combined_gl_ratio", "x", REPORTED, 0),
    FIGURE("app.buffer_sampler_gl_ratio", "x", REPORTED, 0),
    FIGURE("app.heap_image_ratio", "x", AT_MOST, 1.25),
    FIGURE("app.heap_sampler_ratio", "x", AT_MOST, 1.25),
    FIGURE("app.heap_sampler_gl_ratio", "x", REPORTED, 0),
    FIGURE("app.buffer_combined_many_ratio", "x", REPORTED, 0),
    FIGURE("app.buffer_image_many_ratio", "x", REPORTED, 0),
    FIGURE("app.heap_image_many_ratio", "x", REPORTED, 0),
    FIGURE("app.offsets_tier0_ratio", "x", REPORTED, 0),
    FIGURE("app.offsets_tier1_ratio", "x", REPORTED, 0),
    FIGURE("app.offsets_tier2_ratio", "x", REPORTED, 0),
    FIGURE("app.frame_tier0_ratio", "x", AT_MOST, 1.05),
    FIGURE("app.frame_tier1_ratio", "x", AT_MOST, 1.05),
    FIGURE("app.frame_tier2_ratio", "x", AT_MOST, 1.05),
    FIGURE("app.heap_frame_tier0_ratio", "x", AT_MOST, 1.05),
    FIGURE("app.heap_frame_tier1_ratio", "x", AT_MOST, 1.05),
    FIGURE("app.heap_frame_tier2_ratio", "x", AT_MOST, 1.05),
    FIGURE("memory.bytes_per_1000_pipelines", "B", REPORTED, 0),
    FIGURE("memory.bytes_per_10000_sets", "B", REPORTED, 0),
    FIGURE("memory.bytes_per_sampler", "B", AT_MOST, 64),
    FIGURE("memory.bytes_per_1000000_in_buffers", "B", REPORTED, 0),
    FIGURE("memory.bytes_per_1000000_in_heaps", "B", REPORTED, 0),
    FIGURE("memory.bytes_per_10000_records", "B", REPORTED, 0),
};
enum { FIGURES = sizeof(figures) / sizeof(figures[0]), BESIDE_MAX = 128, CONDITIONS_MAX = 24 };

static struct figure beside[BESIDE_MAX];
static uint32_t beside_count;

static struct condition {
    char name[KEY_MAX], value[NOTE_MAX * 2];
} conditions[CONDITIONS_MAX];
static uint32_t condition_count;

static struct figure *find(const char *key)
{
    for (uint32_t i = 0; i < FIGURES; i++)
        if (strcmp(figures[i].key, key) == 0)
            return &figures[i];
    harness_fail("no figure is named %s", key);
}

void figure_set(const char *key, double value, const char *note, ...)
{
    struct figure *figure = find(key);
    va_list arguments;
    va_start(arguments, note);
    vsnprintf(figure->note, sizeof(figure->note), note, arguments);
    va_end(arguments);
    figure->value = value;
}

void figure_lacking(const char *prefix, const char *why)
{
    for (uint32_t i = 0; i < FIGURES; i++)
        if (strncmp(figures[i].key, prefix, strlen(prefix)) == 0)
            snprintf(figures[i].note, sizeof(figures[i].note), "%s: the driver lacks %s", NOT_MEASURED, why);
}

bool figures_whole(void)
{
    bool whole = true;
    for (uint32_t i = 0; i < FIGURES; i++) {
        if (!isnan(figures[i].value) || strcmp(figures[i].note, NOT_MEASURED) != 0)
            continue;
        fprintf(stderr, "bench: %s was not measured, and nothing says why\n", figures[i].key);
        whole = false;
    }
    return whole;
}

void figure_bound_set(const char *key, double bound)
{
    find(key)->bound = bound;
}

double figure_bound(const char *key)
{
    return find(key)->bound;
}

void figure_beside(const char *key, const char *unit, double value, const char *note, ...)
{
    if (beside_count == BESIDE_MAX)
        harness_fail("more than %d numbers beside the figures", BESIDE_MAX);
    struct figure *figure = &beside[beside_count++];
    va_list arguments;
    va_start(arguments, note);
    vsnprintf(figure->note, sizeof(figure->note), note, arguments);
    va_end(arguments);
    snprintf(figure->key, sizeof(figure->key), "%s", key);
    figure->unit = unit;
    figure->value = value;
}

void figure_condition(const char *name, const char *value, ...)
{
    if (condition_count == CONDITIONS_MAX)
        harness_fail("more than %d conditions", CONDITIONS_MAX);
    struct condition *condition = &conditions[condition_count++];
    va_list arguments;
    va_start(arguments, value);
    vsnprintf(condition->value, sizeof(condition->value), value, arguments);
    va_end(arguments);
    snprintf(condition->name, sizeof(condition->name), "%s", name);
}

static bool is_met(const struct figure *figure)
{
    switch (figure->rule) {
    case AT_MOST:
        return figure->value <= figure->bound;
    case AT_LEAST:
        return figure->value >= figure->bound;
    default:
        return true;
    }
}

bool figures_met(bool all)
{
    bool combination = true;
    for (uint32_t i = 0; i < FIGURES; i++)
        combination = combination && (is_met(&figures[i]) || (!all && isnan(figures[i].value)));
    return combination;
}

static const char *bound_text(const struct figure *figure, char *text, size_t size)
{
    if (figure->rule == REPORTED)
        return "reported";
    snprintf(text, size, "%s %.4g", figure->rule == AT_MOST ? "<=" : ">=", figure->bound);
    return text;
}

static const char *value_text(const struct figure *figure, char *text, size_t size)
{
    double value = figure->value;
    if (isnan(value))
        return "-";
    snprintf(text, size,
             fabs(value) >= 1e5   ? "%.0f %s"
             : fabs(value) >= 100 ? "%.1f %s"
                                  : "%.3f %s",
             value, figure->unit);
    return text;
}

static void print_row(const struct figure *figure, bool bounded)
{
    char value[48], bound[32];
    value_text(figure, value, sizeof(value));
    printf("%-42s %16s", figure->key, isnan(figure->value) ? "-" : value);
    if (bounded)
        printf("  %-9s %-4s", bound_text(figure, bound, sizeof(bound)),
               figure->rule == REPORTED ? ""
               : is_met(figure)         ? "yes"
                                        : "NO");
    printf("  %s\n", figure->note);
}

void figures_print(void)
{
    for (uint32_t i = 0; i < condition_count; i++)
        printf("%-12s %s\n", conditions[i].name, conditions[i].value);
    printf("\n%-42s %16s  %-9s %-4s  %s\n", "figure", "", "must be", "met", "with the layer / without");
    for (uint32_t i = 0; i < FIGURES; i++)
        print_row(&figures[i], true);
    printf("\nbeside them\n");
    for (uint32_t i = 0; i < beside_count; i++)
        print_row(&beside[i], false);
    fflush(stdout);
}

static void write_figure(struct harness_json *json, const struct figure *figure, bool bounded)
{
    char bound[32];
    harness_json_object(json, NULL);
    harness_json_string(json, "key", figure->key);
    harness_json_number(json, "value", figure->value);
    harness_json_string(json, "unit", figure->unit);
    if (bounded) {
        harness_json_string(json, "must_be", bound_text(figure, bound, sizeof(bound)));
        if (figure->rule != REPORTED)
            harness_json_bool(json, "met", is_met(figure));
    }
    harness_json_string(json, "how", figure->note);
    harness_json_end(json);
}

void figures_write(const char *path)
{
    struct harness_json json;
    harness_json_open(&json, path);
    harness_json_object(&json, NULL);
    for (uint32_t i = 0; i < FIGURES; i++)
        harness_json_number(&json, figures[i].key, figures[i].value);
    harness_json_array(&json, "figures");
    for (uint32_t i = 0; i < FIGURES; i++)
        write_figure(&json, &figures[i], true);
    harness_json_end(&json);
    harness_json_array(&json, "beside");
    for (uint32_t i = 0; i < beside_count; i++)
        write_figure(&json, &beside[i], false);
    harness_json_end(&json);
    harness_json_object(&json, "conditions");
    for (uint32_t i = 0; i < condition_count; i++)
        harness_json_string(&json, conditions[i].name, conditions[i].value);
    harness_json_end(&json);
    harness_json_end(&json);
    harness_json_close(&json);
}
