/* SPDX-License-Identifier: MIT */
/*
 * Text that is the same in every locale: letters as ASCII has them, UTF-8, and numbers with a point. The C library
 * follows the program's locale: in a Turkish one tolower('I') is no 'i', in a German one printf() writes commas. So the
 * layer calls no function that follows it (tests/unit/exports_test.sh). Pure.
 */
#ifndef CLAMPLER_TEXT_TEXT_H
#define CLAMPLER_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* ---- ASCII ---- */

char text_lower(char c);
char text_upper(char c);

/* isspace() of the locale "C". */
bool text_is_space(char c);

/* Whether two texts, or their first `length` bytes, are the same but for the case of ASCII's letters. */
bool text_same(const char *a, const char *b);
bool text_same_start(const char *a, const char *b, size_t length);

/* ---- UTF-8 ---- */

enum {
    TEXT_QUOTED = 512, /* bytes of a buffer for most texts from outside */
};

/*
 * A text from outside as it may stand between quotes in a line: in the place of control characters, of those that break
 * or turn lines, and of bytes that are no UTF-8 stands '?', and in that of quotes stands '\''. It has no more bytes
 * than the text. Cut to `size` between characters; returns the bytes without the zero at the end.
 */
size_t text_show(const char *from, char *text, size_t size);

/*
 * The same for a whole line, in place: its quotes stay, and the piece of a character at its end, where it was cut,
 * goes.
 */
void text_clean(char *line);

/* Takes the piece of a character away that may stand at the end of a text that was cut. */
void text_cut(char *text);

/*
 * A text as it stands between the quotes of a JSON string: UTF-8 (RFC 8259, 8.1), with U+FFFD in the place of bytes
 * that are none. Cut to `size` between characters, of which one has at most six bytes.
 */
void text_json(const char *from, char *text, size_t size);

/* ---- Numbers ---- */

enum { TEXT_NUMBER = 32 }; /* bytes of text_number(), with the zero at the end */

/* With at most three digits behind the point, rounded, without zeros at the end. Returns `text`. */
const char *text_number(double value, char text[TEXT_NUMBER]);

#endif
