/* SPDX-License-Identifier: MIT */
/* The environment of a process on Linux: the C library's variables, and the kernel's word on its rights. */
#define _GNU_SOURCE /* secure_getenv, environ */

#include "platform/environment.h"

#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

struct environment environment_open(void)
{
    return (struct environment){.entries = (const char *const *)environ};
}

void environment_close(struct environment *environment)
{
    environment->entries = NULL;
}

const char *environment_value(const struct environment *environment, const char *name)
{
    return environment->entries ? secure_getenv(name) : NULL;
}

const char *environment_home(const struct environment *environment)
{
    return environment_value(environment, "HOME");
}

bool environment_is_privileged(void)
{
    return getauxval(AT_SECURE) != 0;
}
