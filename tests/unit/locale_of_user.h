/* SPDX-License-Identifier: MIT */
/*
 * Takes the user's locale, as every GTK or Qt program does. locales_test.sh runs such tests in locales that are unlike
 * C's; there it is checked that they are.
 */
#ifndef CLAMPLER_TESTS_UNIT_LOCALE_OF_USER_H
#define CLAMPLER_TESTS_UNIT_LOCALE_OF_USER_H

#include <ctype.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void locale_of_user(void)
{
    const char *wanted = getenv("CLAMPLER_TEST_LOCALE"), *taken = setlocale(LC_ALL, "");
    char number[16];
    if (!wanted)
        return;
    snprintf(number, sizeof(number), "%.1f", 0.5);
    const int capital_i = 'I'; /* not folded by the compiler */
    const int turkish = !strncmp(wanted, "tr_", 3) || !strncmp(wanted, "az_AZ", 5);
    const int comma = turkish || !strncmp(wanted, "lt", 2) || !strncmp(wanted, "de_DE", 5);
    if (!taken || strcmp(taken, wanted) || (comma && strcmp(number, "0,5")) || (turkish && tolower(capital_i) == 'i')) {
        fprintf(stderr, "locale_of_user: \"%s\" is not taken\n", wanted);
        exit(1);
    }
}

#endif
