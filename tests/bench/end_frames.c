/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into a program of SDL 2: it draws FRAMES frames, an environment variable, and is then asked to quit. A
 * frame is a twentieth of a second whatever it takes, so that every run draws the same pictures.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { FRAME_MS = 50, SDL_QUIT = 0x100 };

/* As SDL declares them. */
struct SDL_Window;
union SDL_Event {
    uint32_t type;
    uint8_t padding[56];
};
uint32_t SDL_GetTicks(void);
void SDL_Delay(uint32_t ms);
void SDL_GL_SwapWindow(struct SDL_Window *window);

static uint32_t frames, ticks;

/* A millisecond a call: programs wait for time to pass. */
uint32_t SDL_GetTicks(void)
{
    return frames * FRAME_MS + ++ticks;
}

void SDL_Delay(uint32_t ms)
{
    ticks += ms;
}

void SDL_GL_SwapWindow(struct SDL_Window *window)
{
    __typeof__(SDL_GL_SwapWindow) *next = (__typeof__(SDL_GL_SwapWindow) *)dlsym(RTLD_NEXT, "SDL_GL_SwapWindow");
    int (*push)(union SDL_Event *) = (int (*)(union SDL_Event *))dlsym(RTLD_DEFAULT, "SDL_PushEvent");
    const char *most = getenv("FRAMES");
    next(window);
    if (++frames != (uint32_t)atoi(most ? most : "200"))
        return;
    fprintf(stderr, "frames: %u\n", frames);
    push(&(union SDL_Event){.type = SDL_QUIT});
}
