/* SPDX-License-Identifier: MIT */
/*
 * Instructions of the layer in calls that write descriptors while nobody asked for GL state (quiet_calls.h). The
 * program runs itself under valgrind's tool callgrind, which counts them: a count knows no noise, so each kind of call
 * has a bound. Counted is what the layer's shared object executes, and what it calls in libc; the driver is not.
 *
 *   instructions_test               the tests
 *   instructions_test --figures     the table of docs/figures.md: instructions, and times on the driver
 *   instructions_test --calls       what runs under callgrind
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/quiet_calls.h"
#include "bench/pairs.h"

#ifdef __has_include
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define HAS_CALLGRIND 1
#endif
#endif

enum { CALLS = 1024 };

/* ---- What runs under callgrind ---- */

#ifdef HAS_CALLGRIND
static void count_calls(struct quiet *quiet, enum quiet_call call)
{
    quiet_run(quiet, call, QUIET_SETS); /* finds what is found at the first call only */
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
    quiet_run(quiet, call, CALLS);
    CALLGRIND_DUMP_STATS_AT(quiet_rows[call].name);
    CALLGRIND_STOP_INSTRUMENTATION;
}

static int run_calls(void)
{
    static struct quiet quiet, other;
    quiet_open(&quiet, true);
    quiet_begin(&quiet);
    for (enum quiet_call call = 0; call < QUIET_OTHER_DEVICE; call++)
        count_calls(&quiet, call);
    quiet_end(&quiet);
    quiet_open(&other, true);
    count_calls(&other, QUIET_OTHER_DEVICE);
    quiet_close(&other);
    quiet_close(&quiet);
    return 0;
}
#else
static int run_calls(void)
{
    return CMOCKA_ALL_SKIPPED;
}
#endif

/* ---- What callgrind wrote ---- */

static double counted[QUIET_CALLS]; /* instructions a call; negative: not counted */

/* Why nothing could be counted: a static string, or NULL. */
static const char *missing;

static bool is_layer(const char *object)
{
    return strstr(object, "VkLayer_clampler_gl_sampler");
}

static bool is_libc(const char *object)
{
    const char *slash = strrchr(object, '/'), *name = slash ? slash + 1 : object;
    return !strncmp(name, "libc.", 5) || !strncmp(name, "libc-", 5) || !strncmp(name, "libpthread", 10) ||
           !strncmp(name, "ld-", 3);
}

/*
 * One dump, without compressed names: `ob=` names the object whose functions follow, `cob=` that of the next call,
 * whose cost is in the line behind `calls=`. Of the other lines with a cost, each is the function's own.
 */
static void read_dump(FILE *file)
{
    char line[4096], object[2048] = "", callee[2048] = "";
    static const char trigger[] = "desc: Trigger: Client Request: ";
    enum quiet_call call = QUIET_CALLS;
    bool inclusive = false;
    uint64_t sum = 0;
    while (fgets(line, sizeof(line), file)) {
        unsigned long long cost;
        line[strcspn(line, "\n")] = '\0';
        if (!strncmp(line, trigger, sizeof(trigger) - 1)) {
            for (call = 0; call < QUIET_CALLS && strcmp(line + sizeof(trigger) - 1, quiet_rows[call].name);)
                call++;
        } else if (!strncmp(line, "ob=", 3)) {
            snprintf(object, sizeof(object), "%.2000s", line + 3);
        } else if (!strncmp(line, "cob=", 4)) {
            snprintf(callee, sizeof(callee), "%.2000s", line + 4);
        } else if (!strncmp(line, "calls=", 6)) {
            inclusive = true;
        } else if (line[0] >= '0' && line[0] <= '9' && sscanf(line, "%*s %llu", &cost) == 1) {
            if (is_layer(object) && (!inclusive || is_libc(callee)))
                sum += cost;
            if (inclusive)
                callee[0] = '\0'; /* the caller's own, unless it is named */
            inclusive = false;
        }
    }
    if (call < QUIET_CALLS)
        counted[call] = (double)sum / CALLS;
}

static void read_dumps(const char *folder)
{
    for (uint32_t part = 1; part <= QUIET_CALLS; part++) {
        char path[PATH_MAX + 64];
        snprintf(path, sizeof(path), "%s/calls.%u", folder, part);
        FILE *file = fopen(path, "r");
        if (!file)
            continue;
        read_dump(file);
        fclose(file);
        unlink(path);
    }
}

/* Counts all rows; `missing` says why not. */
static void count_all(void)
{
    char folder[] = "/tmp/clampler-instructions-XXXXXX", self[PATH_MAX + 1] = "", out[PATH_MAX + 64];
    for (uint32_t i = 0; i < QUIET_CALLS; i++)
        counted[i] = -1;
    const ssize_t length = readlink("/proc/self/exe", self, PATH_MAX);
    if (length <= 0 || !mkdtemp(folder)) {
        missing = "no folder for callgrind's output";
        return;
    }
    snprintf(out, sizeof(out), "--callgrind-out-file=%s/calls", folder);
    const pid_t child = fork();
    if (!child) {
        execlp("valgrind", "valgrind", "--tool=callgrind", "-q", "--instr-atstart=no", "--compress-strings=no",
               "--compress-pos=no", out, self, "--calls", (char *)NULL);
        _exit(errno == ENOENT ? CMOCKA_ALL_SKIPPED : 126);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) != child)
        status = -1;
    read_dumps(folder);
    snprintf(out, sizeof(out), "%s/calls", folder);
    unlink(out);
    rmdir(folder);
    if (WIFEXITED(status) && WEXITSTATUS(status) == CMOCKA_ALL_SKIPPED)
        missing = "valgrind is not installed, or the driver lacks push descriptors";
    else if (!WIFEXITED(status) || WEXITSTATUS(status))
        missing = ""; /* a failure, which the tests say */
}

/* ---- The tests ---- */

static int set_up(void **state)
{
    (void)state;
    count_all();
    return 0;
}

static void the_layer_takes_few_instructions(void **state)
{
    const struct quiet_row *row = *state;
    const double count = counted[row - quiet_rows];
    if (missing && *missing) {
        print_message("%s\n", missing);
        skip();
    }
    if (count < 0)
        fail_msg("%s: callgrind counted nothing", row->name);
    print_message("%s: %.1f of %u\n", row->name, count, row->most);
    if (count < 5)
        fail_msg("%s: %.1f instructions: the layer was not there", row->name, count);
#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__) && defined(__x86_64__)
    if (count > row->most)
        fail_msg("%s: %.1f instructions, not more than %u", row->name, count, row->most);
#else
    skip();
#endif
}

static int run_rows(void)
{
    static struct CMUnitTest tests[QUIET_CALLS];
    for (uint32_t i = 0; i < QUIET_CALLS; i++)
        tests[i] = (struct CMUnitTest){quiet_rows[i].name, the_layer_takes_few_instructions, NULL, NULL,
                                       (void *)(uintptr_t)&quiet_rows[i]};
    return cmocka_run_group_tests_name("instructions", tests, set_up, NULL);
}

/* ---- The table ---- */

enum { ROUNDS = 31, TIMED = 8192 };

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Nanoseconds a call, the median of both devices in turn. */
static void time_calls(struct quiet *sides, enum quiet_call call, double *medians)
{
    double values[2][ROUNDS];
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t k = 0; k < 2; k++) {
            struct quiet *quiet = &sides[(round + k) % 2];
            quiet_begin(quiet);
            const double start = bench_now(BENCH_THREAD);
            quiet_run(quiet, call, TIMED);
            values[(round + k) % 2][round] = (bench_now(BENCH_THREAD) - start) / TIMED;
            quiet_end(quiet);
        }
    }
    for (uint32_t side = 0; side < 2; side++) {
        qsort(values[side], ROUNDS, sizeof(double), compare);
        medians[side] = values[side][ROUNDS / 2];
    }
}

static int print_figures(void)
{
    static struct quiet sides[2];
    count_all();
    quiet_open(&sides[0], false);
    quiet_open(&sides[1], true);
    printf("| call | instructions of the layer | ns without the layer | ns with it | ratio |\n"
           "| --- | --- | --- | --- | --- |\n");
    for (enum quiet_call call = 0; call < QUIET_OTHER_DEVICE; call++) {
        double medians[2];
        time_calls(sides, call, medians);
        printf("| %s | %.0f | %.0f | %.0f | %.2f |\n", quiet_rows[call].text, counted[call], medians[0], medians[1],
               medians[0] / medians[1]);
    }
    quiet_close(&sides[1]);
    quiet_close(&sides[0]);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--calls"))
        return run_calls();
    if (argc > 1 && !strcmp(argv[1], "--figures"))
        return print_figures();
    return run_rows();
}
