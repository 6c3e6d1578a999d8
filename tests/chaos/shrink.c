/* SPDX-License-Identifier: MIT */
#include "chaos/shrink.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/device/vulkan.h"

struct run {
    const struct shrink_params *params;
    char said[512]; /* the line of the last failure */
    unsigned runs;
};

/* ---- One process ---- */

static pid_t start(const struct run *run, int output)
{
    const pid_t child = fork();
    if (child != 0)
        return child;
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    alarm(run->params->timeout_seconds);
    execl(run->params->program, run->params->program, "--replay", run->params->file, "--layers", run->params->layers,
          (char *)NULL);
    _exit(0);
}

static void note_line(struct run *run, const char *line)
{
    if (strstr(line, "FAILED") || strstr(line, "ERROR: AddressSanitizer") || strstr(line, "runtime error") ||
        strstr(line, "WARNING: ThreadSanitizer") || strstr(line, "validation: "))
        snprintf(run->said, sizeof(run->said), "%.300s%s", line, strlen(line) < 300 ? "" : "\n");
}

static bool fails_once(struct run *run, const struct operations *operations)
{
    int pipes[2], status = 0;
    char line[2048];
    if (!operations_write(operations, run->params->file, NULL) || pipe(pipes) != 0)
        harness_fail("nothing can be tried");
    const pid_t child = start(run, pipes[1]);
    close(pipes[1]);
    FILE *output = fdopen(pipes[0], "r");
    run->said[0] = '\0';
    run->runs++;
    while (output && fgets(line, sizeof(line), output))
        note_line(run, line);
    if (output)
        fclose(output);
    if (child < 0 || waitpid(child, &status, 0) != child)
        harness_fail("no process could be started");
    if (WIFSIGNALED(status) && !run->said[0])
        snprintf(run->said, sizeof(run->said), "signal %d\n", WTERMSIG(status));
    return !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static bool fails(struct run *run, const struct operations *operations)
{
    for (unsigned i = 0; i < run->params->tries; i++)
        if (fails_once(run, operations))
            return true;
    return false;
}

/* ---- Cutting ---- */

/* Leaves out `length` operations from `first` on, if what is left fails. */
static bool cut(struct run *run, struct operations *operations, size_t first, size_t length)
{
    struct operations shorter = *operations;
    shorter.count -= length;
    shorter.list = harness_alloc(shorter.count + 1, sizeof(*shorter.list));
    memcpy(shorter.list, operations->list, first * sizeof(*shorter.list));
    memcpy(shorter.list + first, operations->list + first + length, (shorter.count - first) * sizeof(*shorter.list));
    if (!fails(run, &shorter)) {
        free(shorter.list);
        return false;
    }
    free(operations->list);
    *operations = shorter;
    return true;
}

/* The operation that failed is named in the message; what stands behind it is not needed where one thread runs. */
static void cut_end(struct run *run, struct operations *operations)
{
    const char *place = strstr(run->said, "operation ");
    const unsigned long long number = place ? strtoull(place + strlen("operation "), NULL, 10) : 0;
    if (place && number + 1 < operations->count)
        cut(run, operations, (size_t)number + 1, operations->count - (size_t)number - 1);
}

/* The same operations by one thread, and on one device, where that fails too. */
static void cut_threads(struct run *run, struct operations *operations)
{
    struct operations one = *operations;
    one.threads = 1;
    one.list = harness_alloc(one.count + 1, sizeof(*one.list));
    for (unsigned actor = 0; actor < operations->threads && operations->threads > 1; actor++) {
        one.count = 0;
        for (size_t i = 0; i < operations->count; i++)
            if (operations->list[i].actor < 0 || operations->list[i].actor == (int)actor) {
                one.list[one.count] = operations->list[i];
                one.list[one.count].actor = operations->list[i].actor < 0 ? -1 : 0;
                one.count++;
            }
        if (!fails(run, &one))
            continue;
        free(operations->list);
        *operations = one;
        return;
    }
    free(one.list);
}

bool shrink(struct operations *operations, const struct shrink_params *params)
{
    struct run run = {.params = params};
    char comment[1024];
    if (!fails(&run, operations))
        return false;
    printf("chaos: shrinks %zu operations: %s", operations->count, run.said);
    fflush(stdout);
    cut_threads(&run, operations);
    fails(&run, operations);
    cut_end(&run, operations);
    for (size_t length = operations->count / 2; length; length = length == 1 ? 0 : (length + 1) / 2) {
        bool any = false;
        for (size_t first = 0; first < operations->count;) {
            const size_t now = first + length > operations->count ? operations->count - first : length;
            if (cut(&run, operations, first, now))
                any = true;
            else
                first += now;
        }
        printf("chaos: %zu operations are left after %u runs\n", operations->count, run.runs);
        fflush(stdout);
        if (any && length == 1)
            length = 2; /* once more, as others may not be needed any longer */
    }
    fails(&run, operations);
    snprintf(comment, sizeof(comment), "# %s", run.said[0] ? run.said : "fails\n");
    return operations_write(operations, params->file, comment);
}
