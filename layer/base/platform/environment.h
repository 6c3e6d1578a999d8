/* SPDX-License-Identifier: MIT */
/* The environment of the process: its variables, and whether it has more rights than its user. */
#ifndef CLAMPLER_PLATFORM_ENVIRONMENT_H
#define CLAMPLER_PLATFORM_ENVIRONMENT_H

#include <stdbool.h>

/* The variables as they are when it is opened, UTF-8 on Windows. */
struct environment {
    const char *const *entries; /* NAME=value each, then NULL; NULL: none */
    void *copy;                 /* of the system's, or NULL */
};

/*
 * The caller sees to it that nobody changes the environment until it is closed. Where memory runs out it has no
 * variables.
 */
struct environment environment_open(void);
void environment_close(struct environment *environment);

/*
 * The value of a variable, which lives until the environment is closed or changed. NULL: there is none, or the process
 * is privileged and must not believe it.
 */
const char *environment_value(const struct environment *environment, const char *name);

/* The home folder of the user, like environment_value(), and what it is called. */
const char *environment_home(const struct environment *environment);

/*
 * True: the process has more rights than its user, so that variables and files of the user's must be ignored. POSIX:
 * setuid, setgid and file capabilities (AT_SECURE). Windows: a token of more than medium integrity, as of a program
 * that is run as administrator; the Vulkan loader tests the same.
 */
bool environment_is_privileged(void);

#endif
