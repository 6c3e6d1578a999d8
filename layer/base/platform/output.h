/* SPDX-License-Identifier: MIT */
/* Where the layer writes for its user: files that settings name, and standard error. Thread-safe. */
#ifndef CLAMPLER_PLATFORM_OUTPUT_H
#define CLAMPLER_PLATFORM_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

enum output_mode {
    OUTPUT_APPEND,  /* lines are added; a pipe of others is refused, and one that nobody reads */
    OUTPUT_REPLACE, /* a new file, or a file's new content; nothing but a plain file is opened */
};

/*
 * Opens a file, which is made if it is missing; NULL with errno. Symbolic links are not followed (ELOOP), nor what else
 * Windows calls a reparse point: where others may make files as well, in /tmp say, they could point a name that they
 * can guess at any file of the user's. On the way to the name, links count that are the user's or the system's, on
 * Windows all. The system's own links to the standard streams, descriptors and terminals are followed, on Windows NUL
 * and CONOUT$. The descriptor is never one of the first three, which would make a file out of what the program takes
 * for standard error, and programs that this one starts do not get it. Nothing in it is translated.
 */
FILE *output_open(const char *path, enum output_mode mode);

/*
 * Does what writes to files so that nothing of it reaches the program: no signal that writing raises on POSIX (SIGPIPE,
 * SIGXFSZ, SIGTTOU), no end of the thread by pthread_cancel() in its midst. Which signals the thread blocks, and which
 * wait for it, is as it was. The program's functions must not be called meanwhile.
 */
void output_quietly(void (*work)(void *user), void *user);

/*
 * A file for lines, opened like output_open(..., OUTPUT_APPEND): each goes out at once and quietly. Where the program
 * has closed the descriptor, as those do that close all they do not know, and has something else under its number,
 * nothing is written there, and it is not closed. NULL with errno.
 */
struct output_log;
struct output_log *output_open_log(const char *path);
void output_log_line(const struct output_log *log, const char *text);
void output_close_log(struct output_log *log); /* accepts NULL */

/*
 * A folder for files, which is made if it is missing; NULL with errno. It is no link, and belongs to the user or the
 * system: whoever else owned it would say what becomes of what is written there. It cannot be exchanged while it is
 * open.
 */
struct output_folder *output_open_folder(const char *path);
void output_close_folder(struct output_folder *folder);

/* output_open() of a name in such a folder. */
FILE *output_open_in(const struct output_folder *folder, const char *name, enum output_mode mode);

/* What errno says of a file that could not be opened or written. */
const char *output_reason(int error);

/* Whether this name is a symbolic link that output_open() refuses, or behind one. */
bool output_is_refused_link(const char *path);

/*
 * Whether descriptor 2, Windows' STD_ERROR_HANDLE, is a standard error that may be written to. A program that was
 * started without one has something else there, say its connection to the window system, or gets something there when
 * it next opens a file. So on POSIX it is what has the number at the first call, if that may be one, and whenever
 * something else has it later there is none any more, for the rest of the process.
 */
bool output_has_standard_error(void);

/* Writes to standard error, if there is one: a line in one piece, quietly, whatever the program has made of `stderr`.
 */
void output_standard_error(const char *text);

#endif
