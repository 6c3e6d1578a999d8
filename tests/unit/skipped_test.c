/* SPDX-License-Identifier: MIT */
/*
 * Groups of tests that all skip are told apart from those that pass, and those whose tear-down fails have failed
 * (tests/cmocka/cmocka.h): ctest counts by that.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void skips(void **state)
{
    (void)state;
    skip();
}

static void passes(void **state)
{
    (void)state;
}

static void fails(void **state)
{
    (void)state;
    fail();
}

static int works(void **state)
{
    (void)state;
    return 0;
}

static int breaks(void **state)
{
    (void)state;
    return -1;
}

static int asserts(void **state)
{
    (void)state;
    fail();
    return 0;
}

static int expect(int status, int expected, const char *what)
{
    if (status != expected)
        printf("%s: status %d for %d\n", what, status, expected);
    return status != expected;
}

/* A group inside a test would be lost to cmocka, so this program is none of its own. */
int main(void)
{
    const struct CMUnitTest all[] = {cmocka_unit_test(skips), cmocka_unit_test_setup_teardown(skips, NULL, NULL)};
    const struct CMUnitTest some[] = {cmocka_unit_test(skips), cmocka_unit_test(passes)};
    const struct CMUnitTest one_fails[] = {cmocka_unit_test(skips), cmocka_unit_test(fails)};
    const struct CMUnitTest none[] = {cmocka_unit_test(passes)};
    struct CMUnitTest many[77];
    for (size_t i = 0; i < 77; i++)
        many[i] = (struct CMUnitTest)cmocka_unit_test(fails);
    int wrong = 0;
    for (int round = 0; round < 2; round++) { /* a program may run more than one group */
        wrong += expect(cmocka_run_group_tests(all, NULL, NULL), 77, "all skip");
        wrong += expect(cmocka_run_group_tests_name("some", some, NULL, NULL), 0, "one skips");
        wrong += expect(cmocka_run_group_tests_name("one_fails", one_fails, NULL, NULL), 1, "one skips, one fails");
        wrong += expect(cmocka_run_group_tests(none, NULL, NULL), 0, "none skips");
        wrong += expect(cmocka_run_group_tests(many, NULL, NULL), 1, "77 fail");
        wrong += expect(cmocka_run_group_tests(none, breaks, NULL), 1, "the set-up fails");
        wrong += expect(cmocka_run_group_tests(none, NULL, breaks), 1, "the tear-down fails");
        wrong += expect(cmocka_run_group_tests(all, works, breaks), 1, "all skip, the tear-down fails");
        wrong += expect(cmocka_run_group_tests(none, NULL, asserts), 1, "the tear-down asserts");
        wrong += expect(cmocka_run_group_tests(none, works, works), 0, "both work");
    }
    printf("%d of 20 groups are taken for what they are not\n", wrong);
    return wrong != 0;
}
