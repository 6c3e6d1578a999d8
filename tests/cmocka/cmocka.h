/* SPDX-License-Identifier: MIT */
/*
 * cmocka, whose groups also say that they skipped every test: the program's status is 77 then, which ctest counts as
 * skipped and not as passed. This folder stands first on the path of headers (tests/CMakeLists.txt), so that no program
 * of tests can forget it.
 */
#ifndef CLAMPLER_CMOCKA_H
#define CLAMPLER_CMOCKA_H
#pragma GCC system_header /* #include_next is no C11 */
#include_next <cmocka.h>

#define CMOCKA_ALL_SKIPPED 77

/* One variable for all files of a program: helpers skip tests, too, and ask whether one is running. */
#ifdef _WIN32
#define CMOCKA_ONE __attribute__((selectany))
#else
#define CMOCKA_ONE __attribute__((weak))
#endif
CMOCKA_ONE int cmocka_skipped = 0;
CMOCKA_ONE int cmocka_running = 0;

#undef skip
#define skip() ((void)cmocka_skipped++, _skip(__FILE__, __LINE__))

/*
 * The status of a program that runs this group: 1 where a test failed, 77 where all skipped. A group that a filter
 * (cmocka_set_test_filter) cuts down never comes to 77.
 */
static inline int cmocka_run_all(const char *name, const struct CMUnitTest *tests, size_t count,
                                 CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    const int before = cmocka_skipped;
    cmocka_running++;
    const int failed = _cmocka_run_group_tests(name, tests, count, set_up, tear_down);
    cmocka_running--;
    if (failed)
        return 1; /* not their number, which may be 77 or 256 */
    return count && (size_t)(cmocka_skipped - before) == count ? CMOCKA_ALL_SKIPPED : 0;
}

#undef cmocka_run_group_tests
#undef cmocka_run_group_tests_name
#define cmocka_run_group_tests_name(name, tests, set_up, tear_down)                                                    \
    cmocka_run_all(name, tests, sizeof(tests) / sizeof((tests)[0]), set_up, tear_down)
#define cmocka_run_group_tests(tests, set_up, tear_down) cmocka_run_group_tests_name(#tests, tests, set_up, tear_down)

#endif
