/* SPDX-License-Identifier: MIT */
/*
 * cmocka, whose groups also say that they skipped every test: the program's status is 77 then, which ctest counts as
 * skipped and not as passed. And a group whose tear-down fails has failed, which cmocka prints and does not count. This
 * folder stands first on the path of headers (tests/CMakeLists.txt), so that no program of tests can forget it.
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
/* The tear-down of the group that runs now, and whether it failed. */
CMOCKA_ONE CMFixtureFunction cmocka_tear_down = 0;
CMOCKA_ONE int cmocka_tear_down_failed = 0;

/* The harness's (tests/harness/device/settings.c): notes the environment's settings, or gives the noted ones back. */
CMOCKA_ONE void (*cmocka_settings)(int give_back) = 0;

static inline void cmocka_skips(void)
{
    cmocka_skipped++;
    if (cmocka_settings)
        cmocka_settings(1);
}

#undef skip
#define skip() (cmocka_skips(), _skip(__FILE__, __LINE__))

static inline int cmocka_tear_down_counted(void **state)
{
    cmocka_tear_down_failed = 1; /* an assertion leaves it without a status */
    cmocka_tear_down_failed = cmocka_tear_down(state) != 0;
    return cmocka_tear_down_failed;
}

/*
 * The status of a program that runs this group: 1 where a test, the set-up or the tear-down failed, 77 where all
 * skipped. A group that a filter (cmocka_set_test_filter) cuts down never comes to 77.
 */
static inline int cmocka_run_all(const char *name, const struct CMUnitTest *tests, size_t count,
                                 CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    const int before = cmocka_skipped;
    const CMFixtureFunction tear_down_before = cmocka_tear_down;
    cmocka_tear_down = tear_down;
    cmocka_tear_down_failed = 0;
    if (!cmocka_running++ && cmocka_settings)
        cmocka_settings(0);
    const int failed = _cmocka_run_group_tests(name, tests, count, set_up,
                                               tear_down ? cmocka_tear_down_counted : (CMFixtureFunction)0);
    cmocka_running--;
    cmocka_tear_down = tear_down_before;
    if (failed || cmocka_tear_down_failed)
        return 1; /* not their number, which may be 77 or 256 */
    return count && (size_t)(cmocka_skipped - before) == count ? CMOCKA_ALL_SKIPPED : 0;
}

#undef cmocka_run_group_tests
#undef cmocka_run_group_tests_name
#define cmocka_run_group_tests_name(name, tests, set_up, tear_down)                                                    \
    cmocka_run_all(name, tests, sizeof(tests) / sizeof((tests)[0]), set_up, tear_down)
#define cmocka_run_group_tests(tests, set_up, tear_down) cmocka_run_group_tests_name(#tests, tests, set_up, tear_down)

#endif
