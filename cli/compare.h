/* SPDX-License-Identifier: MIT */
/* clampler caps --compare: what differs between two files that clampler caps --json has written. */
#ifndef CLAMPLER_CLI_COMPARE_H
#define CLAMPLER_CLI_COMPARE_H

/* Prints the differences. The process's status: 0 if there are none, 1 if there are, 2 if a file cannot be read. */
int compare_caps(const char *first, const char *second);

#endif
