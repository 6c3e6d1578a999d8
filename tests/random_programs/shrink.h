/* SPDX-License-Identifier: MIT */
/* The shortest program that still fails. */
#ifndef RANDOM_SHRINK_H
#define RANDOM_SHRINK_H

#include "program.h"

/* `fails` is asked again and again, with `user`. */
void program_shrink(struct program *program, bool (*fails)(const struct program *, void *user), void *user);

#endif
