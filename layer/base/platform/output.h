/* SPDX-License-Identifier: MIT */
/* Writes for the user: to files that settings name, and to standard error. Thread-safe. */
#ifndef CLAMPLER_PLATFORM_OUTPUT_H
#define CLAMPLER_PLATFORM_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

enum output_mode {
    OUTPUT_APPEND,  /* lines are added; a pipe of another user or without a reader is refused */
    OUTPUT_REPLACE, /* a new file, or a file's new content; only a regular file is opened */
};

/*
 * Opens a file, which is made if it is missing; NULL with errno. Symbolic links, and Windows' other reparse points, are
 * not followed (ELOOP): in /tmp another user could point a name that he can guess at any file of the user's. Folders of
 * the path may be links if these are the user's or the system's, on Windows always. The system's own links to the
 * standard streams, descriptors and terminals are followed, on Windows NUL and CONOUT$. The descriptor is never 0 to 2,
 * which the program takes for its standard streams, and is closed on exec. Line ends are not translated.
 */
FILE *output_open(const char *path, enum output_mode mode);

/*
 * Calls `work`, which writes to files, so that nothing of it reaches the program: no signal that writing raises on
 * POSIX (SIGPIPE, SIGXFSZ, SIGTTOU), and no pthread_cancel() in its midst. The thread's blocked and pending signals are
 * the same afterwards. The program's functions must not be called meanwhile.
 */
void output_quietly(void (*work)(void *user), void *user);

/*
 * A file for lines, opened like output_open(..., OUTPUT_APPEND): each goes out at once and quietly. If the program has
 * closed the descriptor, as daemons close all they do not know, and has opened another file under its number, nothing
 * is written there, and it is not closed. NULL with errno.
 */
struct output_log;
struct output_log *output_open_log(const char *path);
void output_log_line(const struct output_log *log, const char *text);
void output_close_log(struct output_log *log); /* accepts NULL */

/*
 * A folder for files, which is made if it is missing; NULL with errno. It is no link, and belongs to the user or the
 * system: another owner could exchange its files. It cannot be exchanged while it is open.
 */
struct output_folder *output_open_folder(const char *path);
void output_close_folder(struct output_folder *folder);

/* output_open() of a name in such a folder. */
FILE *output_open_in(const struct output_folder *folder, const char *name, enum output_mode mode);

/* The reason, by errno, why a file could not be opened or written. */
const char *output_reason(int error);

/* True: output_open() refuses this name, because it is a symbolic link or behind one. */
bool output_is_refused_link(const char *path);

/*
 * True: descriptor 2, Windows' STD_ERROR_HANDLE, is a standard error that may be written to. A program that was started
 * without one may have another file there, such as its connection to the window system. So on POSIX the first call
 * decides which file is standard error; if descriptor 2 is another file later, there is none for the rest of the
 * process.
 */
bool output_has_standard_error(void);

/*
 * Writes to standard error, if there is one: a line in one piece, by output_quietly(), whatever the program has made of
 * `stderr`.
 */
void output_standard_error(const char *text);

#endif
