/* SPDX-License-Identifier: MIT */
/* Threads on a scene's device: each has pools and a target of its own, and one body is run by all at once. */
#ifndef CLAMPLER_INTEGRATION_WORKERS_H
#define CLAMPLER_INTEGRATION_WORKERS_H

#include <pthread.h>

#include "integration/shared/scene.h"

enum { WORKERS = 8 };

struct shared; /* the test's own: what its threads share */

struct worker {
    struct shared *shared;
    unsigned index;
    pthread_t handle;
    struct harness_vulkan vk; /* the scene's device with pools of the thread's own */
    struct harness_target target;
    float pixels[SCENE_ROWS][SCENE_COLUMNS][4]; /* for what is read of it */
    unsigned wrong;                             /* the body counts what no test may have */
    bool lost;                                  /* it found the device lost */
};

/* `sets`: of one combined image sampler each, that a thread holds at a time. Returns how many found the device lost. */
unsigned workers_run(const struct scene *scene, struct shared *shared, uint32_t sets, void *(*body)(void *worker));

#endif
