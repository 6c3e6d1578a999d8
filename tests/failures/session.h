/* SPDX-License-Identifier: MIT */
/*
 * One run in a process of its own: what shall fail in it, and what came of it. The structure lies in memory that the
 * process shares with the one that started it, and which outlives it.
 */
#ifndef CLAMPLER_FAILURES_SESSION_H
#define CLAMPLER_FAILURES_SESSION_H

#include <stdatomic.h>

#include "failures/control.h"

enum what { ALLOCATION, CALL, CALLBACK, WHATS };

/*
 * After a failure the program calls again what failed, or gives up and destroys what it has; or it does that while
 * everything else of the kind fails as well.
 */
enum way { AGAIN, GIVE_UP, LASTING, WAYS };

enum { PROBLEMS = 12, PROBLEM_SIZE = 400, STACK = 8, SITES_MAX = 16384 };

/* One thing that may fail, in the order in which they come. */
struct site {
    uint32_t number; /* among its kind, from 1 on */
    uint8_t what;
    uint16_t hook;         /* HOOK_COUNT: a thread of the layer's own */
    uint32_t mask;         /* of calls: results that the registry allows */
    char name[40];         /* the function that fails */
    uint32_t stack[STACK]; /* offsets in the layer's code, from the inside out; 0 ends */
};

struct session {
    /* What is asked. */
    bool listing;   /* sites are noted */
    bool callbacks; /* the program gives allocation callbacks wherever it gave none */
    enum what what;
    uint32_t number; /* of the site, as it was listed */
    uint32_t fail;   /* which fails of the allocations, or of the calls that can return the code: from 1 on; 0: none */
    VkResult code;   /* of calls */
    enum way way;

    /* What came of it. */
    _Atomic uint32_t numbers[WHATS]; /* how many there were */
    _Atomic uint32_t candidates;     /* of these, for `fail` */
    _Atomic uint32_t touched[HOOK_COUNT];
    _Atomic bool failed; /* the chosen one was met */
    unsigned hook;       /* in which hook (HOOK_COUNT: a worker) */
    char name[64];       /* what failed */
    bool came_out;       /* a hook returned an error after that */
    unsigned came_hook;
    VkResult came_result;
    bool reported; /* by a result that is no error */
    bool again;    /* and was called again */
    uint32_t problem_count;
    char problems[PROBLEMS][PROBLEM_SIZE];
    uint32_t step;          /* how far the process came */
    uint32_t left_by_layer; /* allocations of the layer that are still there at the end */
    uint32_t most_objects;  /* objects of the layer's own that devices took along */
    uint32_t messages;      /* of the layer, in the run with the failure */
    int first, second;      /* failed assertions in the run with the failure, and in the one after it */
    bool skipped;
    double seconds;
    uint32_t site_count;
    struct site sites[];
};

/* The session of this process; never NULL. Outside of a session nothing fails. */
extern struct session *session;

void session_begin(struct session *shared);
void session_arm(bool armed);
void session_promise(bool promise, bool mute);

/* Something that must not be. */
void problem(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* In the calling thread: the outermost hook (HOOK_COUNT: none), and whether the layer itself runs, not the driver. */
unsigned session_hook(void);
bool session_in_layer(void);

/* Whether the address is in the layer's code. */
bool session_is_layer(const void *address);

/* The bit of a result in failures_call()'s mask; 0: calls do not fail with it. */
unsigned session_result_bit(VkResult result);

/* Whether the next of its kind fails; for callbacks.c. */
bool session_fails(enum what what, const char *name, unsigned mask);

/* ---- objects.c ---- */

struct object {
    uint64_t handle, parent, owner;
    const void *device;
    const VkAllocationCallbacks *below, *program; /* at the driver, and the program's */
    uint32_t serial, next, references;
    uint16_t kind;
    bool of_program, live;
};

/* Destroys what the program has left, as it would do after a failure. */
void objects_clean_up(void);
uint32_t objects_live(void);

/* ---- callbacks.c ---- */

/* Callbacks of an object's own; NULL where none are asked for. */
const VkAllocationCallbacks *callbacks_take(void);

/* Whether memory that was taken through either can be freed through the other. */
bool callbacks_match(const VkAllocationCallbacks *a, const VkAllocationCallbacks *b);

/* The object is gone: what the layer took for it must be as well. */
void callbacks_done(const VkAllocationCallbacks *callbacks, const char *what);

/* ---- allocations of the layer, in control.c ---- */

uint32_t layer_allocations(void);
void layer_allocations_print(uint32_t most);

#endif
