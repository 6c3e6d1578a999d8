/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "differential/parts.h"

#define PART_CASES 400u
#define PROCESSES 16
#define PICTURE_BYTES (VOICES_VALUES * 3)

/* ---- An outcome on its way from one process to another; both have the same program at the same addresses ---- */

static void put(FILE *file, const void *bytes, size_t size)
{
    if (fwrite(bytes, size, 1, file) != 1)
        harness_fail("cannot write what came of a part of the cases");
}

static void get(FILE *file, void *bytes, size_t size)
{
    if (fread(bytes, size, 1, file) != 1)
        harness_fail("cannot read what came of a part of the cases");
}

static void put_outcome(FILE *file, const struct part_outcome *outcome)
{
    put(file, outcome, sizeof(*outcome));
    for (size_t i = 0; i < outcome->report.picture_count; i++) {
        const struct report_picture *picture = &outcome->report.pictures[i];
        put(file, picture, sizeof(*picture));
        for (int side = 0; side < 4; side++)
            put(file, picture->pixels[side], PICTURE_BYTES);
    }
}

static void get_outcome(FILE *file, struct part_outcome *outcome)
{
    get(file, outcome, sizeof(*outcome));
    struct report *report = &outcome->report;
    report->pictures = report->picture_count ? harness_alloc(report->picture_count, sizeof(*report->pictures)) : NULL;
    for (size_t i = 0; i < report->picture_count; i++) {
        get(file, &report->pictures[i], sizeof(*report->pictures));
        for (int side = 0; side < 4; side++) {
            report->pictures[i].pixels[side] = harness_alloc(PICTURE_BYTES, 1);
            get(file, report->pictures[i].pixels[side], PICTURE_BYTES);
        }
    }
}

/* ---- Parts ---- */

/* `part`'s pictures become the sum's. */
static void add(struct part_outcome *sum, struct part_outcome *part)
{
    memcpy(sum->driver, part->driver, sizeof(sum->driver));
    memcpy(sum->gl, part->gl, sizeof(sum->gl));
    sum->unexplained += part->unexplained;
    sum->messages += part->messages;
    sum->excused += part->excused;
    sum->no_plain |= part->no_plain;
    sum->violations += part->violations;
    report_add(&sum->report, &part->report);
}

/* Processes at work, and where each writes what came of its part. */
struct crew {
    pid_t process[PROCESSES];
    FILE *file[PROCESSES];
    int count;
};

static void start(struct crew *crew, const struct case_list *cases, bool first, part_function run, const void *user)
{
    FILE *file = tmpfile();
    fflush(NULL);
    const pid_t child = file ? fork() : -1;
    if (child < 0)
        harness_fail("no process for a part of the cases");
    if (child == 0) {
        struct part_outcome *outcome = harness_alloc(1, sizeof(*outcome));
        run(cases, first, user, outcome);
        put_outcome(file, outcome);
        fflush(NULL);
        _exit(0);
    }
    crew->process[crew->count] = child;
    crew->file[crew->count++] = file;
}

/* Waits for one of them. */
static void collect(struct crew *crew, struct part_outcome *sum)
{
    int status = 0, i = 0;
    const pid_t child = wait(&status);
    if (child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        harness_fail("a part of the cases ended with status 0x%x", (unsigned)status);
    while (crew->process[i] != child)
        i++;
    struct part_outcome *part = harness_alloc(1, sizeof(*part));
    rewind(crew->file[i]);
    get_outcome(crew->file[i], part);
    fclose(crew->file[i]);
    add(sum, part);
    free(part);
    crew->process[i] = crew->process[--crew->count];
    crew->file[i] = crew->file[crew->count];
}

void parts_run(const struct case_list *list, part_function run, const void *user, struct part_outcome *outcome)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const int most = cores < 2 ? 1 : cores < PROCESSES ? (int)cores : PROCESSES;
    struct crew crew = {.count = 0};
    if (list->count <= PART_CASES) {
        run(list, true, user, outcome);
        return;
    }
    for (size_t first = 0; first < list->count; first += PART_CASES) {
        const size_t left = list->count - first;
        const struct case_list some = {.cases = list->cases + first, .count = left < PART_CASES ? left : PART_CASES};
        if (crew.count == most)
            collect(&crew, outcome);
        start(&crew, &some, first == 0, run, user);
    }
    while (crew.count)
        collect(&crew, outcome);
}
