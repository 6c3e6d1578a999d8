/* SPDX-License-Identifier: MIT */
/* The report: lines for people, JSON for programs, and a page with pictures. */
#ifndef CLAMPLER_DIFFERENTIAL_REPORT_H
#define CLAMPLER_DIFFERENTIAL_REPORT_H

#include "differential/judge.h"

struct report_family {
    uint32_t total, failed, deviating;
    uint32_t reference_alone;      /* cases that OpenGL cannot express here */
    uint32_t within_specification; /* cases with values that are allowed, though not ideal */
    uint32_t tiers[3];             /* cases that each tier drew */
    uint32_t by_driver;            /* of those of tier 2, by the driver's own filter */
    uint32_t pictured[2];          /* pictures kept of deviating and of failed cases */
    uint32_t excused[2];           /* deviating cases by side: OpenGL, Vulkan */
};

struct report_picture {
    struct diff_case one;
    struct judgement judgement;
    uint8_t *pixels[4]; /* OpenGL, Vulkan with the layer, reference, difference: RGB, CASE_GRID x CASE_GRID; owned */
};

#define REPORT_REASONS 32

struct report {
    const char *profile, *driver, *gl;
    uint32_t seed;
    double seconds;
    uint32_t skipped; /* cases without a place on this device */
    struct {
        const char *why;
        uint32_t count;
    } reasons[REPORT_REASONS]; /* of those that standard words cannot say */
    struct report_family families[FAMILIES];
    struct report_picture *pictures;
    size_t picture_count;
};

/* Counts a case and keeps its pictures: the first few of each family that fail or deviate. */
void report_case(struct report *report, const struct diff_case *one, const struct judgement *judgement,
                 const struct judge_pictures *pictures);

/* Counts a case that is left out; why: NULL, or a reason to be said by itself. */
void report_skip(struct report *report, const char *why, uint32_t count);

/* Adds what `part` counted, and takes its pictures. */
void report_add(struct report *report, struct report *part);

/* All families together. */
struct report_family report_total(const struct report *report);

void report_print(const struct report *report);
void report_write_json(const struct report *report, const char *path);
void report_write_page(const struct report *report, const char *path);
void report_free(struct report *report);

#endif
