/* SPDX-License-Identifier: MIT */
/*
 * The loop of every target, in one process that goes on: an input of the corpus, changed, checked; what goes over an
 * edge that none did before, or another class of times, joins the corpus. The same seed gives the same inputs as long
 * as the corpus is the same.
 *
 *   fuzz_NAME [--time SECONDS | --count N] [--seed N] [--corpus FOLDER] [--seeds FILE] [--quick] [INPUT...]
 *   fuzz_NAME --shrink FILE
 *
 * --shrink FILE takes pieces out of a finding as long as it still ends the process, and leaves it in FILE.
 * With INPUTs (files or folders) these are checked, deeply, and nothing else. Else the loop runs in a child. Inputs lie
 * in memory that both processes have, so that the one that ended the child is there whatever ended it: it is kept in
 * FOLDER/findings, and another child goes on. FOLDER/corpus and FOLDER/good are read by later runs. Without a corpus
 * folder nothing is kept but such an input, in fuzz-finding.bin. The last line is "NAME: key=count ..." for
 * scripts/fuzz, which adds them up.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "coverage.h"
#include "target.h"

enum { MOST_FINDINGS = 20, MOST_SECONDS_EACH = 20, PATH_SIZE = 4096 };

/* What parent and child share: the input that is being checked, and what came of those before. */
struct shared {
    uint64_t checked, deep, kept, met, all, seconds_unchanged;
    uint64_t size;
    bool done;
    char reported[512];
    uint8_t data[];
};

struct input {
    uint8_t *data;
    size_t size;
    bool good;
};

struct loop {
    const struct fuzz_target *target;
    const char *folder, *seeds;
    uint64_t random, seconds, most;
    bool quick;
    bool judged; /* what is read now was checked deeply when it was kept, and then it was */
    bool was_good;
    struct shared *shared;
    struct input *corpus;
    size_t count, room;
};

/* Leaks are counted by the targets; stacks of allocations are cut, and freed memory is kept less long, for the speed.
 */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "detect_leaks=0:malloc_context_size=4:quarantine_size_mb=16:abort_on_error=1";
}

/* ---- What targets may call ---- */

uint32_t fuzz_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 16);
}

void fuzz_broken(const char *what, const char *detail)
{
    fprintf(stderr, "broken promise: %s%s%s\n", what, detail[0] ? ": " : "", detail);
    abort();
}

static size_t insert_bytes(uint8_t *data, size_t size, size_t most, size_t at, uint64_t *random)
{
    size_t count = 1 + fuzz_random(random) % 16;
    count = count < most - size ? count : most - size;
    memmove(data + at + count, data + at, size - at);
    for (size_t i = 0; i < count; i++)
        data[at + i] = fuzz_random(random) % 2 ? (uint8_t)fuzz_random(random) : data[(at + i) % (size + 1)];
    return size + count;
}

size_t fuzz_mutate_bytes(uint8_t *data, size_t size, size_t most, uint64_t *random)
{
    static const uint8_t requires_emulation[] = {0,   1,   0x7f, 0x80, 0xff, ' ', '\n', '=',
                                                 '#', '@', '*',  ',',  '.',  '~', '/',  '"'};
    uint32_t changes = 1 + fuzz_random(random) % 4;
    for (uint32_t i = 0; i < changes; i++) {
        const size_t at = size ? fuzz_random(random) % size : 0;
        const uint32_t choice = fuzz_random(random) % 8;
        if (size == 0 || choice == 0) {
            size = insert_bytes(data, size, most, at, random);
        } else if (choice == 1) {
            size_t count = 1 + fuzz_random(random) % (fuzz_random(random) % 4 ? 4 : 64);
            count = count < size - at ? count : size - at;
            memmove(data + at, data + at + count, size - at - count);
            size -= count;
        } else if (choice == 2) {
            data[at] ^= (uint8_t)(1u << fuzz_random(random) % 8);
        } else if (choice == 3) {
            data[at] = requires_emulation[fuzz_random(random) % sizeof(requires_emulation)];
        } else if (choice == 4) {
            data[at] = (uint8_t)(data[at] + fuzz_random(random) % 9 - 4);
        } else if (choice == 5) { /* a piece again, somewhere else */
            size_t from = fuzz_random(random) % size, count = 1 + fuzz_random(random) % 32;
            const size_t far = from > at ? from : at;
            count = count < size - far ? count : size - far;
            memmove(data + at, data + from, count);
        } else {
            data[at] = (uint8_t)fuzz_random(random);
        }
    }
    return size;
}

/* ---- Files ---- */

static uint8_t *read_file(const char *path, size_t most, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = file ? malloc(most + 1) : NULL;
    *size = data ? fread(data, 1, most, file) : 0;
    if (file)
        fclose(file);
    return data;
}

static void write_file(const char *path, const uint8_t *data, size_t size)
{
    char under[PATH_SIZE + 16];
    snprintf(under, sizeof(under), "%s.%d", path, (int)getpid());
    FILE *file = fopen(under, "wb");
    if (!file)
        return;
    const bool good = fwrite(data, 1, size, file) == size;
    if (fclose(file) != 0 || !good || rename(under, path) != 0)
        unlink(under);
}

static uint64_t hash_of(const uint8_t *data, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Calls `take` with the files of a folder, by name, or with one file; false if there is none. */
static bool each_file(const char *path, size_t most, fuzz_take take, void *user)
{
    struct dirent **entries;
    struct stat status;
    char name[PATH_SIZE];
    size_t size;
    if (stat(path, &status) != 0)
        return false;
    if (!S_ISDIR(status.st_mode)) {
        uint8_t *data = read_file(path, most, &size);
        if (data)
            take(user, data, size);
        free(data);
        return data != NULL;
    }
    const int count = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof(name), "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && stat(name, &status) == 0 && S_ISREG(status.st_mode)) {
            uint8_t *data = read_file(name, most, &size);
            if (data)
                take(user, data, size);
            free(data);
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return count > 0;
}

/* ---- The child ---- */

static void keep(struct loop *loop, const uint8_t *data, size_t size)
{
    if (loop->count == loop->room) {
        loop->room = loop->room ? 2 * loop->room : 256;
        loop->corpus = realloc(loop->corpus, loop->room * sizeof(*loop->corpus));
        if (!loop->corpus)
            _exit(2);
    }
    uint8_t *copy = malloc(size + 1);
    if (!copy)
        _exit(2);
    memcpy(copy, data, size);
    const bool good = loop->judged ? loop->was_good : loop->target->good && loop->target->good();
    loop->corpus[loop->count++] = (struct input){copy, size, good};
    loop->shared->kept = loop->count;
}

/* Checks what lies in the shared memory; true if it reached something new. */
static bool check(struct loop *loop, enum fuzz_depth depth)
{
    struct shared *shared = loop->shared;
    coverage_clear();
    loop->target->check(shared->data, shared->size, depth);
    const bool fresh = coverage_new() != 0;
    shared->met = coverage_met();
    shared->checked++;
    shared->deep += depth == FUZZ_DEEP;
    if (fresh && depth == FUZZ_QUICK && !loop->quick && !loop->judged) {
        loop->target->check(shared->data, shared->size, FUZZ_DEEP);
        shared->deep++;
    }
    return fresh;
}

/* What lies in the shared memory, for runs to come. */
static void store(const struct loop *loop)
{
    const struct shared *shared = loop->shared;
    char path[PATH_SIZE];
    if (!loop->folder)
        return;
    snprintf(path, sizeof(path), "%s/%s/%016" PRIx64, loop->folder,
             loop->corpus[loop->count - 1].good ? "good" : "corpus", hash_of(shared->data, shared->size));
    write_file(path, shared->data, shared->size);
}

static void put(struct loop *loop, const uint8_t *data, size_t size)
{
    loop->shared->size = size < loop->target->most ? size : loop->target->most;
    memcpy(loop->shared->data, data, loop->shared->size);
}

/* Seeds and the corpus of earlier runs: kept whatever they reach, as far as one may be changed. */
static void take_seed(void *user, const uint8_t *data, size_t size)
{
    struct loop *loop = user;
    put(loop, data, size);
    if (!check(loop, FUZZ_QUICK) && coverage_all())
        return;
    keep(loop, data, loop->shared->size);
    if (!loop->judged)
        store(loop);
}

static bool over(const struct loop *loop, const struct timespec *began)
{
    struct timespec now;
    if (loop->most)
        return loop->shared->checked >= loop->most;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)(now.tv_sec - began->tv_sec) >= loop->seconds;
}

static const struct shared *watched;

/* Once a second. An input that takes so long is a finding. */
static void tick(int number)
{
    static uint64_t last, seconds;
    (void)number;
    seconds = watched->checked == last ? seconds + 1 : 0;
    last = watched->checked;
    if (seconds < MOST_SECONDS_EACH)
        return;
    static const char text[] = "broken promise: an input takes too long\n";
    if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
        _exit(3);
    abort();
}

static void watch(const struct loop *loop)
{
    const struct itimerval second = {{1, 0}, {1, 0}};
    const struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
    watched = loop->shared;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &second, NULL);
}

static void report(struct loop *loop)
{
    if (loop->target->report)
        loop->target->report(loop->shared->reported, sizeof(loop->shared->reported));
}

/* The better of a few: good ones, then the latest, which reach what is new, then small ones. */
static const struct input *choose(struct loop *loop)
{
    const size_t latest = loop->count < 64 ? loop->count : 64;
    const struct input *best = NULL;
    for (int i = 0; i < 3; i++) {
        const bool late = fuzz_random(&loop->random) % 4 == 0;
        const struct input *one = &loop->corpus[late ? loop->count - 1 - fuzz_random(&loop->random) % latest
                                                     : fuzz_random(&loop->random) % loop->count];
        if (!best || one->good > best->good || (one->good == best->good && one->size < best->size))
            best = one;
    }
    return best;
}

static void run(struct loop *loop, const struct timespec *began)
{
    struct shared *shared = loop->shared;
    char path[PATH_SIZE];
    watch(loop);
    shared->all = coverage_all();
    if (loop->folder) {
        loop->judged = true;
        for (int good = 1; good >= 0; good--) {
            snprintf(path, sizeof(path), "%s/%s", loop->folder, good ? "good" : "corpus");
            mkdir(path, 0777);
            loop->was_good = good;
            each_file(path, loop->target->most, take_seed, loop);
        }
        loop->judged = false;
    }
    if (!loop->target->seeds(loop->seeds, take_seed, loop))
        _exit(2);
    if (!loop->count)
        keep(loop, (const uint8_t *)"", 0);
    while (!over(loop, began)) {
        for (int i = 0; i < 64; i++) { /* the clock is asked now and then */
            const struct input *one = choose(loop);
            put(loop, one->data, one->size);
            shared->size = loop->target->mutate(shared->data, shared->size, loop->target->most, &loop->random);
            const bool deep = !loop->quick && fuzz_random(&loop->random) % loop->target->deep_share == 0;
            if (!check(loop, deep ? FUZZ_DEEP : FUZZ_QUICK))
                continue;
            keep(loop, shared->data, shared->size);
            store(loop);
        }
        report(loop);
    }
    report(loop);
    shared->done = true;
    _exit(0);
}

/* ---- The parent ---- */

static void save_finding(const struct loop *loop)
{
    const struct shared *shared = loop->shared;
    char path[PATH_SIZE] = "fuzz-finding.bin";
    if (loop->folder) {
        snprintf(path, sizeof(path), "%s/findings", loop->folder);
        mkdir(path, 0777);
        snprintf(path, sizeof(path), "%s/findings/%016" PRIx64, loop->folder, hash_of(shared->data, shared->size));
    }
    write_file(path, shared->data, shared->size);
    fprintf(stderr, "finding of %" PRIu64 " bytes: %s\n", shared->size, path);
}

static int fuzz(struct loop *loop)
{
    struct timespec began;
    unsigned findings = 0;
    loop->shared = mmap(NULL, sizeof(struct shared) + loop->target->most + 1, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (loop->shared == MAP_FAILED)
        return 2;
    clock_gettime(CLOCK_MONOTONIC, &began);
    while (!loop->shared->done && findings < MOST_FINDINGS) {
        int status = 0;
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            run(loop, &began);
        }
        if (child < 0 || waitpid(child, &status, 0) != child || (WIFEXITED(status) && WEXITSTATUS(status) == 2))
            return 2;
        if (loop->shared->done)
            break;
        save_finding(loop);
        findings++;
        loop->random = loop->random * UINT64_C(0x9E3779B97F4A7C15) + findings;
        if (over(loop, &began))
            break;
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double seconds = (double)(now.tv_sec - began.tv_sec) + 1e-9 * (double)(now.tv_nsec - began.tv_nsec);
    const struct shared *s = loop->shared;
    printf("%s: checked=%" PRIu64 " deep=%" PRIu64 " milliseconds=%.0f findings=%u kept=%" PRIu64 " edges=%" PRIu64
           "/%" PRIu64 "%s%s\n",
           loop->target->name, s->checked, s->deep, 1e3 * seconds, findings, s->kept, s->met, s->all,
           s->reported[0] ? " " : "", s->reported);
    return findings != 0;
}

/* ---- Small findings ---- */

/* Where it was: the line of a sanitizer that sums up, or the promise that was broken. */
static void sum_up(char *said, char *line, size_t size)
{
    line[0] = '\0';
    for (char *one = strtok(said, "\n"); one; one = strtok(NULL, "\n")) {
        if (strncmp(one, "SUMMARY", 7) == 0 || strncmp(one, "broken", 6) == 0)
            snprintf(line, size, "%.*s", (int)strcspn(one, "\""), one);
    }
}

/* Does the input end the process? `line`: how. */
static bool ends(const uint8_t *data, size_t size, char line[256])
{
    static char said[65536];
    int status = 0, ways[2];
    size_t used = 0;
    if (pipe(ways))
        exit(2);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ways[1], STDERR_FILENO);
        alarm(MOST_SECONDS_EACH);
        fuzz_target.check(data, size, FUZZ_DEEP);
        _exit(0);
    }
    close(ways[1]);
    for (ssize_t got = 1; got > 0; used += got > 0 ? (size_t)got : 0)
        got = read(ways[0], said + used, sizeof(said) - 1 - used);
    close(ways[0]);
    said[used] = '\0';
    sum_up(said, line, 256);
    return child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status);
}

/* In the same way as before? */
static bool still_ends(const uint8_t *data, size_t size, const char *line)
{
    char now[256];
    return ends(data, size, now) && strcmp(now, line) == 0;
}

/* One pass that takes out `count` pieces at a time; the size that is left. */
static size_t shrink_by(uint8_t *data, size_t size, unsigned count, uint8_t *trial, const char *line)
{
    for (size_t at = 0; at < size;) {
        size_t end = at, next = 0;
        for (unsigned i = 0; i < count && end < size; i++) {
            end += fuzz_target.piece ? fuzz_target.piece(data, size, end) : 1;
            next = next ? next : end;
        }
        end = end < size ? end : size;
        memcpy(trial, data, at);
        memcpy(trial + at, data + end, size - end);
        if (still_ends(trial, size - (end - at), line)) {
            size -= end - at;
            memcpy(data, trial, size);
        } else {
            at = next;
        }
    }
    return size;
}

static int shrink(const char *path)
{
    char line[256];
    size_t size;
    uint8_t *data = read_file(path, fuzz_target.most, &size), *trial = malloc(fuzz_target.most + 1);
    if (!data || !trial || !ends(data, size, line))
        return fprintf(stderr, "%s: is no finding\n", path), 2;
    for (size_t before = size + 1; size < before;) {
        before = size;
        for (unsigned count = 256; count != 0; count /= 4)
            size = shrink_by(data, size, count, trial, line);
    }
    write_file(path, data, size);
    free(data);
    free(trial);
    return printf("%s: %zu bytes: %s\n", path, size, line) < 0;
}

static void replay(void *user, const uint8_t *data, size_t size)
{
    unsigned *replayed = user;
    uint8_t *copy = malloc(size ? size : 1); /* of just this size, for AddressSanitizer */
    if (!copy)
        return;
    memcpy(copy, data, size);
    fuzz_target.check(copy, size, FUZZ_DEEP);
    free(copy);
    ++*replayed;
}

int main(int count, char **arguments)
{
    struct loop loop = {.target = &fuzz_target, .random = 1};
    unsigned replayed = 0;
    bool replays = false;
    for (int i = 1; i < count; i++) {
        const char *name = arguments[i], *value = i + 1 < count ? arguments[i + 1] : "";
        const bool option = name[0] == '-';
        if (!strcmp(name, "--quick")) {
            loop.quick = true;
            continue;
        }
        if (!strcmp(name, "--time"))
            loop.seconds = strtoull(value, NULL, 10);
        else if (!strcmp(name, "--count"))
            loop.most = strtoull(value, NULL, 10);
        else if (!strcmp(name, "--seed"))
            loop.random = strtoull(value, NULL, 10);
        else if (!strcmp(name, "--corpus"))
            loop.folder = value;
        else if (!strcmp(name, "--seeds"))
            loop.seeds = value;
        else if (!strcmp(name, "--shrink"))
            return shrink(value);
        else if (!option && !(replays = each_file(name, fuzz_target.most, replay, &replayed)))
            return fprintf(stderr, "%s: cannot be read\n", name), 2;
        else if (option)
            return fprintf(stderr, "%s: not known\n", name), 2;
        i += option;
    }
    loop.random = loop.random * UINT64_C(0x9E3779B97F4A7C15) + 1;
    if (replays)
        return printf("%u inputs replayed\n", replayed) < 0;
    if (!loop.most && !loop.seconds)
        return fprintf(stderr, "fuzz_%s: neither --time nor --count\n", fuzz_target.name), 2;
    if (loop.folder && mkdir(loop.folder, 0777) != 0 && errno != EEXIST)
        return perror(loop.folder), 2;
    return fuzz(&loop);
}
