/* SPDX-License-Identifier: MIT */
/*
 * A fuzzing target: what is made of random bytes, and what must hold of it. Each target is one program, whose loop
 * (loop.c) and coverage (coverage.c) are the same for all.
 */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* How much is checked: judges that take longer than the thing itself see a share, and what reached new code. */
enum fuzz_depth { FUZZ_QUICK, FUZZ_DEEP };

typedef void (*fuzz_take)(void *user, const uint8_t *data, size_t size);

struct fuzz_target {
    const char *name;
    size_t most;         /* bytes of an input */
    uint32_t deep_share; /* one input in so many is checked deeply, whatever it reached */
    /* Calls `take` with each seed. `file` is what --seeds names, or NULL. 0 with a message if it is not there. */
    int (*seeds)(const char *file, fuzz_take take, void *user);
    /* Changes an input in place; returns its new size. */
    size_t (*mutate)(uint8_t *data, size_t size, size_t most, uint64_t *random);
    /* Aborts with the reason on stderr if something does not hold. */
    void (*check)(const uint8_t *data, size_t size, enum fuzz_depth depth);
    /* Was the input that was checked last one of those that changes are best made to? NULL: all are. */
    int (*good)(void);
    /* How many bytes from `at` on belong together, for findings to be made small. NULL: each for itself. */
    size_t (*piece)(const uint8_t *data, size_t size, size_t at);
    /* What the inputs came to, as "name=count name=count"; counts are added up over runs. May be NULL. */
    void (*report)(char *text, size_t size);
};

/* The one that a program is of. */
extern const struct fuzz_target fuzz_target;

/* xorshift; the state must not be 0. */
uint32_t fuzz_random(uint64_t *state);

/* Changes of bytes and of words that know nothing of what they mean; for targets to use among their own. */
size_t fuzz_mutate_bytes(uint8_t *data, size_t size, size_t most, uint64_t *random);

/* Ends the process: what does not hold, and more of it. */
void fuzz_broken(const char *what, const char *detail);

#endif
