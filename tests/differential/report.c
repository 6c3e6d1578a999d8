/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential/report.h"
#include "harness/text/json.h"

#define PICTURES_OF_FAILED 6
#define PICTURES_OF_DEVIATING 2
#define GAIN 4.0f

/* ---- Counting and keeping ---- */

static uint8_t byte_of(float value)
{
    return value >= 1 ? 255 : value > 0 ? (uint8_t)(value * 255 + 0.5f) : 0;
}

/* Integers are shown as 8-bit values, comparisons and depth in grey. */
static void set_pixel(const struct diff_case *one, const float *value, uint8_t *pixel)
{
    bool grey = lookup_reference_channels(&one->lookup) == 1;
    float scale = case_is_integer(one) ? 1.0f / 255 : 1;
    for (int c = 0; c < 3; c++)
        pixel[c] = byte_of(value[grey ? 0 : c] * scale);
}

static void expected_value(const struct diff_case *one, const struct reference_result *result, float value[4])
{
    const enum reference_kind kind = case_kind(one);
    for (int c = 0; c < 4; c++)
        value[c] = kind == REFERENCE_UINT  ? (float)result->rgba.u[c]
                   : kind == REFERENCE_INT ? (float)result->rgba.i[c]
                                           : result->rgba.f[c];
}

static void paint(struct report_picture *picture, const struct judge_pictures *drawn)
{
    for (int i = 0; i < 4; i++)
        picture->pixels[i] = harness_alloc(VOICES_VALUES, 3);
    for (size_t i = 0; i < VOICES_VALUES; i++) {
        const float *vulkan = drawn->vulkan + i * 4, *gl = drawn->gl + i * 4;
        float expected[4] = {0, 0, 0, 0}, difference[4];
        if (drawn->has_reference)
            expected_value(&picture->one, &drawn->expected[i], expected);
        if (drawn->has_gl)
            set_pixel(&picture->one, gl, picture->pixels[0] + i * 3);
        set_pixel(&picture->one, vulkan, picture->pixels[1] + i * 3);
        set_pixel(&picture->one, expected, picture->pixels[2] + i * 3);
        for (int c = 0; c < 4; c++)
            difference[c] = GAIN * fabsf(vulkan[c] - (drawn->has_gl ? gl[c] : expected[c]));
        set_pixel(&picture->one, difference, picture->pixels[3] + i * 3);
    }
}

static void keep_picture(struct report *report, const struct diff_case *one, const struct judgement *judgement,
                         const struct judge_pictures *drawn)
{
    struct report_picture *grown = realloc(report->pictures, (report->picture_count + 1) * sizeof(*grown));
    if (!grown)
        harness_fail("out of memory for %zu pictures", report->picture_count + 1);
    report->pictures = grown;
    struct report_picture *picture = &grown[report->picture_count++];
    *picture = (struct report_picture){.one = *one, .judgement = *judgement};
    paint(picture, drawn);
}

void report_case(struct report *report, const struct diff_case *one, const struct judgement *judgement,
                 const struct judge_pictures *drawn)
{
    static const uint32_t most[2] = {PICTURES_OF_DEVIATING, PICTURES_OF_FAILED};
    struct report_family *family = &report->families[one->family];
    bool failed = judgement->verdict == VERDICT_FAILED, deviating = judgement->verdict == VERDICT_DEVIATING;
    family->total++;
    family->failed += failed;
    family->deviating += deviating;
    family->reference_alone += judgement->reference_alone;
    family->within_specification += judgement->within_specification > 0;
    family->tiers[judgement->tier]++;
    family->by_driver += judgement->by_driver;
    family->excused[judgement->vulkan_deviates.count > 0] += deviating;
    if ((failed || deviating) && family->pictured[failed]++ < most[failed])
        keep_picture(report, one, judgement, drawn);
}

static void add_family(struct report_family *sum, const struct report_family *family)
{
    sum->total += family->total;
    sum->failed += family->failed;
    sum->deviating += family->deviating;
    sum->reference_alone += family->reference_alone;
    sum->within_specification += family->within_specification;
    for (int tier = 0; tier < 3; tier++)
        sum->tiers[tier] += family->tiers[tier];
    sum->by_driver += family->by_driver;
    for (int side = 0; side < 2; side++) {
        sum->pictured[side] += family->pictured[side];
        sum->excused[side] += family->excused[side];
    }
}

struct report_family report_total(const struct report *report)
{
    struct report_family sum = {0};
    for (int i = 0; i < FAMILIES; i++)
        add_family(&sum, &report->families[i]);
    return sum;
}

void report_skip(struct report *report, const char *why, uint32_t count)
{
    uint32_t i = 0;
    report->skipped += count;
    while (why && i < REPORT_REASONS && report->reasons[i].why && strcmp(report->reasons[i].why, why) != 0)
        i++;
    if (!why || i == REPORT_REASONS)
        return;
    report->reasons[i].why = why;
    report->reasons[i].count += count;
}

void report_add(struct report *report, struct report *part)
{
    const size_t count = report->picture_count + part->picture_count;
    for (uint32_t i = 0; i < REPORT_REASONS && part->reasons[i].why; i++) {
        report_skip(report, part->reasons[i].why, part->reasons[i].count);
        part->skipped -= part->reasons[i].count;
    }
    report->skipped += part->skipped;
    for (int i = 0; i < FAMILIES; i++)
        add_family(&report->families[i], &part->families[i]);
    if (part->picture_count == 0)
        return;
    struct report_picture *grown = realloc(report->pictures, count * sizeof(*grown));
    if (!grown)
        harness_fail("out of memory for %zu pictures", count);
    memcpy(grown + report->picture_count, part->pictures, part->picture_count * sizeof(*grown));
    free(part->pictures);
    part->pictures = NULL;
    part->picture_count = 0;
    report->pictures = grown;
    report->picture_count = count;
}

void report_free(struct report *report)
{
    for (size_t i = 0; i < report->picture_count; i++)
        for (int p = 0; p < 4; p++)
            free(report->pictures[i].pixels[p]);
    free(report->pictures);
}

/* ---- Lines ---- */

static void print_family(const char *name, const struct report_family *family)
{
    printf("%-24s %6u passed %6u failed %6u deviating driver; tiers 0, 1, 2: %u, %u, %u", name,
           family->total - family->failed - family->deviating, family->failed, family->deviating, family->tiers[0],
           family->tiers[1], family->tiers[2]);
    if (family->by_driver)
        printf(" (%u by the driver's filter)", family->by_driver);
    if (family->reference_alone)
        printf("; %u decided by the reference sampler alone", family->reference_alone);
    putchar('\n');
}

void report_print(const struct report *report)
{
    struct report_family sum = report_total(report);
    putchar('\n');
    for (int i = 0; i < FAMILIES; i++)
        if (report->families[i].total)
            print_family(family_name((enum family)i), &report->families[i]);
    print_family("all", &sum);
    printf("%u cases left out, which this device has no place for; OpenGL deviates in %u cases, the Vulkan driver in "
           "%u\n%u cases, %u comparisons of values, in %.1f s: %.0f cases/s\n",
           report->skipped, sum.excused[0], sum.excused[1], sum.total, sum.total * (uint32_t)VOICES_VALUES,
           report->seconds, (double)sum.total / report->seconds);
    for (uint32_t i = 0; i < REPORT_REASONS && report->reasons[i].why; i++)
        printf("left out: %u cases, %s\n", report->reasons[i].count, report->reasons[i].why);
}

/* ---- JSON ---- */

static void write_counts(struct harness_json *json, const struct report_family *family)
{
    harness_json_integer(json, "total", family->total);
    harness_json_integer(json, "failed", family->failed);
    harness_json_integer(json, "deviating", family->deviating);
}

void report_write_json(const struct report *report, const char *path)
{
    struct report_family sum = report_total(report);
    struct harness_json json;
    harness_json_open(&json, path);
    harness_json_object(&json, NULL);
    harness_json_string(&json, "profile", report->profile);
    harness_json_string(&json, "driver", report->driver);
    harness_json_string(&json, "gl", report->gl);
    harness_json_number(&json, "seconds", report->seconds);
    write_counts(&json, &sum);
    harness_json_array(&json, "families");
    for (int i = 0; i < FAMILIES; i++) {
        if (!report->families[i].total)
            continue;
        harness_json_object(&json, NULL);
        harness_json_string(&json, "name", family_name((enum family)i));
        write_counts(&json, &report->families[i]);
        harness_json_end(&json);
    }
    harness_json_end(&json);
    harness_json_end(&json);
    harness_json_close(&json);
}
