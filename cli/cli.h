/* SPDX-License-Identifier: MIT */
/* The commands of `clampler`. Each gets its own name as arguments[0] and returns the process's status. */
#ifndef CLAMPLER_CLI_H
#define CLAMPLER_CLI_H

int doctor(int count, char **arguments);
int caps(int count, char **arguments);
int rewrite(int count, char **arguments);
int run(int count, char **arguments);

/* Status of a command that was given wrong arguments; 1 is for what it found to be wrong. */
enum { STATUS_USAGE = 2 };

#endif
