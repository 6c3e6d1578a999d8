/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Preloaded into programs that close their window after a number of frames, or draw by the clock, so that two runs can
 * be compared: the window stays open with its last frame (unless CLAMPLER_CLOSES is set), and time stands still.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

unsigned xcb_destroy_window(void *connection, uint32_t window);
int gettimeofday(struct timeval *restrict now, void *restrict zone);

unsigned xcb_destroy_window(void *connection, uint32_t window)
{
    unsigned (*next)(void *, uint32_t) = (unsigned (*)(void *, uint32_t))dlsym(RTLD_NEXT, "xcb_destroy_window");
    if (getenv("CLAMPLER_CLOSES"))
        return next(connection, window);
    for (;;)
        pause();
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    (void)zone;
    *now = (struct timeval){.tv_sec = 1000000000};
    return 0;
}
