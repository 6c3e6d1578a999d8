/* SPDX-License-Identifier: MIT */
/*
 * The chapters of the scenario: tests of tests/integration, taken in as they are, and those of commands.c. A chapter
 * runs any number of times in one process.
 */
#ifndef CLAMPLER_FAILURES_CHAPTERS_H
#define CLAMPLER_FAILURES_CHAPTERS_H

#include <stdbool.h>
#include <stdint.h>

struct chapter {
    char name[128];   /* FILE.TEST */
    bool counting;    /* counts what was compiled: scenario.h */
    bool in_scenario; /* of the scenario that touches every hook; others are for --all */
};

/* All that there are, in a fixed order. Before any call of Vulkan. */
uint32_t chapters_collect(void);
const struct chapter *chapter_at(uint32_t index);

/* Runs it: how many assertions failed. `skipped`: it said that it cannot run here. */
int chapter_run(uint32_t index, bool *skipped);

/* Warnings and errors of the layer since the process began. */
uint32_t chapter_messages(void);

#endif
