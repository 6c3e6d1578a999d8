/* SPDX-License-Identifier: MIT */
/*
 * Lets memory run out everywhere in the layer, once in each process: see tests/README.md.
 *
 *   failures [--list] [--all | --chapter WORD] [--every | --keep N] [--most N] [--what LETTERS] [--callbacks]
 *            [--way both|either|again|give-up|lasting] [--jobs N] [--verbose] [--scenario]
 *            [--site CHAPTER:WHAT:NUMBER:CODE:WAY]
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "failures/chapters.h"
#include "failures/choosing.h"
#include "failures/session.h"
#include "harness/device/environment.h"
#include "harness/device/vulkan.h"

enum { JOBS_MAX = 64, PATIENCE = 300 };

static struct {
    bool list, all, every, scenario, verbose, callbacks;
    const char *chapter, *what, *way, *site;
    uint32_t most;
    int jobs;
    int output;
    uint32_t keep; /* how often each place */
} options = {.what = WHAT_LETTERS, .way = "both", .output = STDOUT_FILENO, .keep = 1};

static const char letters[] = WHAT_LETTERS;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static size_t session_size(bool listing)
{
    return sizeof(struct session) + (listing ? SITES_MAX : 0) * sizeof(struct site);
}

static struct session *session_new(bool listing)
{
    struct session *made =
        mmap(NULL, session_size(listing), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED)
        harness_fail("mmap: %s", strerror(errno));
    made->listing = listing;
    return made;
}

/* ---- In the child ---- */

#if defined(__SANITIZE_ADDRESS__)
int __lsan_do_recoverable_leak_check(void);
const char *__asan_default_options(void);

/* Chapters have some shaders twice, under one name (CMakeLists.txt). */
const char *__asan_default_options(void)
{
    return "detect_odr_violation=0";
}

static int leaks(void)
{
    return __lsan_do_recoverable_leak_check();
}
#else
static int leaks(void)
{
    return 0;
}
#endif

static char **environment_copy(void)
{
    size_t count = 0;
    while (environ[count])
        count++;
    char **copy = harness_alloc(count + 1, sizeof(*copy));
    for (size_t i = 0; i < count; i++)
        copy[i] = strdup(environ[i]);
    return copy;
}

static void environment_restore(char **copy)
{
    clearenv();
    for (size_t i = 0; copy[i]; i++)
        putenv(copy[i]);
}

static int run_once(uint32_t chapter, char **environment)
{
    bool skipped = false;
    const int failed = chapter_run(chapter, &skipped);
    session->skipped |= skipped;
    objects_clean_up();
    harness_messages_reset();
    harness_messages_excuse(EXCUSE_NOTHING);
    environment_restore(environment);
    return failed;
}

static void child(uint32_t chapter, struct session *shared)
{
    const double begin = now();
    session_begin(shared);
    char **environment = environment_copy();
    environment_restore(environment);
    alarm(PATIENCE);
    shared->step = 1;
    session_arm(true);
    shared->first = run_once(chapter, environment);
    shared->messages = chapter_messages();
    session_arm(false);
    shared->step = 2;
    shared->seconds = now() - begin;
    if (!shared->skipped)
        shared->second = run_once(chapter, environment);
    shared->step = 3;
    shared->left_by_layer = layer_allocations();
    if (shared->fail && !shared->first && leaks())
        problem("the leak sanitizer has found something");
    shared->step = 4;
}

/* ---- In the parent ---- */

struct job {
    pid_t process;
    int output;
    uint32_t chapter;
    struct session *session;
    uint32_t baseline_left;
};

static struct job jobs[JOBS_MAX];
static uint32_t bad_count, run_count, met_count, came_count, again_count;
static uint32_t touched[HOOK_COUNT];

static void start(struct job *job, uint32_t chapter, struct session *shared)
{
    fflush(NULL);
    job->chapter = chapter;
    job->session = shared;
    job->output = memfd_create("failures", 0);
    job->process = fork();
    if (job->process < 0)
        harness_fail("fork: %s", strerror(errno));
    if (job->process == 0) {
        if (!options.verbose) {
            dup2(job->output, STDOUT_FILENO);
            dup2(job->output, STDERR_FILENO);
        }
        child(chapter, shared);
        fflush(NULL);
        _exit(0);
    }
}

static void print_output(const struct job *job)
{
    char text[6000];
    const off_t size = lseek(job->output, 0, SEEK_END);
    const off_t from = size > (off_t)sizeof(text) ? size - (off_t)sizeof(text) : 0;
    const ssize_t length = pread(job->output, text, sizeof(text), from);
    if (length > 0)
        printf("  | %.*s\n", (int)length, text);
}

static bool said(const struct job *job, const char *words)
{
    static char text[1 << 20];
    const ssize_t length = pread(job->output, text, sizeof(text) - 1, 0);
    text[length < 0 ? 0 : length] = '\0';
    return strstr(text, words) != NULL;
}

static const char *const way_names[WAYS] = {"again", "give-up", "lasting"};

static const char *what_name(enum what what)
{
    return what == ALLOCATION ? "allocation" : what == CALL ? "call" : "callback";
}

static const char *hook_name(unsigned hook)
{
    return hook < HOOK_COUNT ? failures_hooks[hook].name : "a worker";
}

/* Whether the program, which went on after a failure, may have drawn something else: it was told. */
static bool is_excused(const struct session *s, const struct chapter *chapter)
{
    if (chapter->counting || s->reported)
        return true;
    if (s->way != AGAIN || (s->what == CALL && s->code == VK_ERROR_DEVICE_LOST))
        return s->came_out || s->messages;
    if (s->came_out && (!s->again || failures_hooks[s->came_hook].once))
        return true;
    return s->messages > 0;
}

static void judge(struct job *job, int status)
{
    struct session *s = job->session;
    bool bad = false;
    char why[512] = "";
    if (WIFSIGNALED(status)) {
        snprintf(why, sizeof(why), "ends by signal %d (%s) in step %u", WTERMSIG(status), strsignal(WTERMSIG(status)),
                 s->step);
        bad = true;
    } else if (WEXITSTATUS(status) || s->step != 4) {
        snprintf(why, sizeof(why), "ends with status %d in step %u", WEXITSTATUS(status), s->step);
        bad = true;
    } else if (said(job, "runtime error:")) {
        snprintf(why, sizeof(why), "undefined behaviour");
        bad = true;
    } else if (!s->failed) {
        snprintf(why, sizeof(why), "number %u was not met", s->number);
        bad = false;
    } else if (s->first && !is_excused(s, chapter_at(job->chapter))) {
        snprintf(why, sizeof(why), "the program went on and fails, though nobody told it");
        bad = true;
    } else if (s->second) {
        snprintf(why, sizeof(why), "it does not work afterwards");
        bad = true;
    } else if (s->left_by_layer > job->baseline_left) {
        snprintf(why, sizeof(why), "%u allocations of the layer stay, %u do without the failure", s->left_by_layer,
                 job->baseline_left);
        bad = true;
    }
    bad |= s->problem_count > 0;
    run_count++;
    met_count += s->failed;
    came_count += s->came_out;
    again_count += s->again;
    if (bad) {
        bad_count++;
        printf("FAILED --site %s:%c:%u:%d:%s%s  %s in %s\n", chapter_at(job->chapter)->name, letters[s->what],
               s->number, (int)s->code, way_names[s->way], s->callbacks ? " --callbacks" : "", s->name,
               hook_name(s->hook));
        if (why[0])
            printf("  %s\n", why);
        for (uint32_t i = 0; i < s->problem_count; i++)
            printf("  %s\n", s->problems[i]);
        if (s->came_out)
            printf("  %s returned %s%s, %u messages\n", hook_name(s->came_hook), harness_result_name(s->came_result),
                   s->again ? " and was called again" : "", s->messages);
        print_output(job);
        fflush(stdout);
    }
}

/* Waits for one child. */
static struct job *reap(int *status)
{
    pid_t process;
    do
        process = waitpid(-1, status, 0);
    while (process < 0 && errno == EINTR);
    for (int i = 0; i < options.jobs; i++)
        if (jobs[i].process == process && process > 0)
            return &jobs[i];
    return NULL;
}

static struct job *free_job(void (*done)(struct job *, int))
{
    for (int i = 0; i < options.jobs; i++)
        if (!jobs[i].process)
            return &jobs[i];
    int status = 0;
    struct job *job = reap(&status);
    if (!job)
        harness_fail("waitpid: %s", strerror(errno));
    done(job, status);
    close(job->output);
    job->process = 0;
    return job;
}

static void finish_jobs(void (*done)(struct job *, int))
{
    for (;;) {
        bool any = false;
        for (int i = 0; i < options.jobs; i++)
            any |= jobs[i].process != 0;
        if (!any)
            return;
        int status = 0;
        struct job *job = reap(&status);
        if (!job)
            return;
        done(job, status);
        close(job->output);
        job->process = 0;
    }
}

/* ---- Listing ---- */

static struct session **lists;
static bool *usable;

static void listed(struct job *job, int status)
{
    struct session *s = job->session;
    const char *name = chapter_at(job->chapter)->name;
    const bool crashed = WIFSIGNALED(status) || WEXITSTATUS(status) || s->step != 4;
    usable[job->chapter] = !crashed && !s->first && !s->second && !s->skipped && s->site_count > 0;
    for (unsigned i = 0; i < HOOK_COUNT && usable[job->chapter]; i++)
        touched[i] += s->touched[i];
    if (options.list || (!usable[job->chapter] && chapter_at(job->chapter)->in_scenario && !s->skipped))
        printf("%-90s %5.2f s %6u allocations %5u calls %5u callbacks %s\n", name, s->seconds, s->numbers[ALLOCATION],
               s->numbers[CALL], s->numbers[CALLBACK],
               crashed      ? "CRASHED"
               : s->skipped ? "skipped"
               : s->first   ? "FAILED"
               : s->second  ? "FAILED the second time"
                            : "");
    for (uint32_t i = 0; i < s->problem_count; i++)
        printf("  PROBLEM %s: %s\n", name, s->problems[i]);
    bad_count += s->problem_count > 0;
    if ((crashed || s->first || s->second) && options.verbose)
        print_output(job);
    if (s->site_count >= SITES_MAX)
        printf("  %s: more than %d sites\n", name, SITES_MAX);
    fflush(stdout);
}

/*
 * Left out of --all: tests that count what worker threads compile, and may wait for them for ever where there are none,
 * that draw from several threads, and that take long.
 */
static bool is_left_out(const char *name)
{
    static const char *const words[] = {"ahead.",          "large_blits",           "instances.",   "thread.",
                                        "any_part_may_be", "every_pair_of_formats", "ten_thousand", "soak",
                                        "a_million",       "threads_make"};
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (strstr(name, words[i]))
            return true;
    return false;
}

static bool is_chosen(uint32_t index)
{
    const struct chapter *chapter = chapter_at(index);
    if (options.all && is_left_out(chapter->name))
        return false;
    if (options.chapter)
        return strstr(chapter->name, options.chapter) != NULL;
    return options.all || chapter->in_scenario;
}

static void list_chapters(uint32_t count)
{
    lists = harness_alloc(count, sizeof(*lists));
    usable = harness_alloc(count, sizeof(*usable));
    for (uint32_t i = 0; i < count; i++) {
        if (!is_chosen(i))
            continue;
        struct job *job = free_job(listed);
        lists[i] = session_new(true);
        lists[i]->callbacks = options.callbacks;
        start(job, i, lists[i]);
    }
    finish_jobs(listed);
}

/* ---- Sweeping ---- */

static void swept(struct job *job, int status)
{
    judge(job, status);
    munmap(job->session, session_size(false));
}

/* Of calls, which it is of those that can return the code: threads of the layer's own make theirs in any order. */
static uint32_t place_among(const struct session *list, uint32_t chosen, VkResult code)
{
    const struct site *site = &list->sites[chosen];
    if (site->what != CALL)
        return site->number;
    const uint32_t bit = session_result_bit(code);
    uint32_t place = 0;
    for (uint32_t i = 0; i <= chosen; i++)
        place += list->sites[i].what == CALL && (list->sites[i].mask & bit);
    return site->mask & bit ? place : 0;
}

static void sweep_one(uint32_t chapter, uint32_t chosen, VkResult code, enum way way)
{
    const struct session *list = lists[chapter];
    struct job *job = free_job(swept);
    struct session *s = session_new(false);
    s->what = (enum what)list->sites[chosen].what;
    s->number = list->sites[chosen].number;
    s->fail = place_among(list, chosen, code);
    s->code = code;
    s->way = way;
    s->callbacks = options.callbacks;
    job->baseline_left = list->left_by_layer;
    start(job, chapter, s);
}

static void sweep(const struct choice *chosen, uint32_t count)
{
    const double begin = now();
    double next = begin + 60;
    for (uint32_t i = 0; i < count; i++) {
        const struct choice *c = &chosen[i];
        const struct site *site = &lists[c->chapter]->sites[c->site];
        const bool both = !strcmp(options.way, "both"), lost = site->what == CALL && c->code == VK_ERROR_DEVICE_LOST;
        const bool either = !strcmp(options.way, "either");
        const unsigned one = lost && c->key % WAYS == AGAIN ? GIVE_UP : (unsigned)(c->key % WAYS);
        for (unsigned way = 0; way < WAYS; way++) {
            const bool wanted = both ? way != LASTING : either ? one == way : !strcmp(options.way, way_names[way]);
            if (wanted && !(lost && way == AGAIN)) /* a lost device is lost */
                sweep_one(c->chapter, c->site, c->code, (enum way)way);
        }
        if (now() > next) {
            printf("... %u of %u sites, %.0f s, %u failed\n", i, count, now() - begin, bad_count);
            fflush(stdout);
            next = now() + 60;
        }
    }
    finish_jobs(swept);
}

static int one_site(uint32_t chapters)
{
    char name[256], letter, way[16];
    unsigned number;
    int code;
    if (sscanf(options.site, "%255[^:]:%c:%u:%d:%15s", name, &letter, &number, &code, way) != 5)
        harness_fail("--site wants CHAPTER:WHAT:NUMBER:CODE:WAY");
    const char *what = strchr(letters, letter);
    for (uint32_t i = 0; i < chapters && what; i++) {
        if (strcmp(chapter_at(i)->name, name) != 0)
            continue;
        options.chapter = name;
        list_chapters(chapters);
        if (!usable[i])
            harness_fail("%s does not run here", name);
        const struct session *list = lists[i];
        uint32_t chosen = 0;
        while (chosen < list->site_count &&
               (list->sites[chosen].what != (uint8_t)(what - letters) || list->sites[chosen].number != number))
            chosen++;
        if (chosen == list->site_count)
            break;
        printf("%s %u: %s in %s, at", what_name((enum what)(what - letters)), number, list->sites[chosen].name,
               hook_name(list->sites[chosen].hook));
        for (unsigned k = 0; k < STACK && list->sites[chosen].stack[k]; k++)
            printf(" %#x", list->sites[chosen].stack[k]);
        printf("\n");
        if (!place_among(list, chosen, (VkResult)code))
            harness_fail("%s cannot return %d", list->sites[chosen].name, code);
        options.verbose = true;
        for (unsigned j = 0; j < WAYS; j++)
            if (!strcmp(way, way_names[j]))
                sweep_one(i, chosen, (VkResult)code, (enum way)j);
        finish_jobs(swept);
        return bad_count ? 1 : 0;
    }
    harness_fail("no such site");
}

/* ---- Beginning ---- */

static void read_options(int count, char **words)
{
    options.jobs = (int)sysconf(_SC_NPROCESSORS_ONLN);
    for (int i = 1; i < count; i++) {
        const char *word = words[i], *value = i + 1 < count ? words[i + 1] : NULL;
        if (!strcmp(word, "--list"))
            options.list = true;
        else if (!strcmp(word, "--all"))
            options.all = true;
        else if (!strcmp(word, "--scenario"))
            options.scenario = options.all = true;
        else if (!strcmp(word, "--every"))
            options.every = true;
        else if (!strcmp(word, "--verbose"))
            options.verbose = true;
        else if (!strcmp(word, "--callbacks"))
            options.callbacks = true;
        else if (value && !strcmp(word, "--chapter"))
            options.chapter = words[++i];
        else if (value && !strcmp(word, "--what"))
            options.what = words[++i];
        else if (value && !strcmp(word, "--way"))
            options.way = words[++i];
        else if (value && !strcmp(word, "--site"))
            options.site = words[++i];
        else if (value && !strcmp(word, "--most"))
            options.most = (uint32_t)strtoul(words[++i], NULL, 10);
        else if (value && !strcmp(word, "--keep"))
            options.keep = (uint32_t)strtoul(words[++i], NULL, 10);
        else if (value && !strcmp(word, "--jobs"))
            options.jobs = atoi(words[++i]);
        else
            harness_fail("unknown option %s", word);
    }
    if (options.jobs < 1 || options.jobs > JOBS_MAX)
        options.jobs = 2;
}

/* The driver's library is loaded once, before the processes part, which takes longer than all that they do. */
static void load_driver(void)
{
    static char text[4096];
    char path[1024];
    const char *manifest = getenv("VK_DRIVER_FILES");
    FILE *file = manifest ? fopen(manifest, "re") : NULL;
    if (!file)
        return;
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    const char *at = strstr(text, "\"library_path\"");
    if (at && sscanf(at, "\"library_path\" : \"%1023[^\"]", path) == 1)
        dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void set_environment(void)
{
    char folder[1024], path[2200];
    const ssize_t length = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
    folder[length < 0 ? 0 : length] = '\0';
    *strrchr(folder, '/') = '\0';
    snprintf(path, sizeof(path), "%s/layers:%s/../limited_driver", folder, folder);
    setenv("CLAMPLER_LAYER_PATH", path, 1);
    setenv("LP_NUM_THREADS", "1", 0);
    harness_environment_vulkan();
    load_driver();
    void *frame[1];
    backtrace(frame, 1); /* loads what it needs */
}

int main(int count, char **words)
{
    const double begin = now();
    read_options(count, words);
    set_environment();
    const uint32_t chapters = chapters_collect();
    if (options.site)
        return one_site(chapters);
    list_chapters(chapters);
    uint32_t used = 0;
    for (uint32_t i = 0; i < chapters; i++)
        used += usable[i];
    struct counts counts = {0};
    const struct choosing how = {chapters,      lists,        usable,       options.what,
                                 options.every, options.keep, options.most, &counts};
    if (options.scenario) {
        choose_scenario(&how);
        return 0;
    }
    const uint32_t untouched = options.chapter ? 0 : untouched_hooks(touched);
    struct choice *chosen = NULL;
    const uint32_t number = choose(&how, &chosen);
    printf("%u chapters, %u sites, %u distinct places, %u chosen, %.1f s\n", used, counts.sites, counts.places, number,
           now() - begin);
    fflush(stdout);
    if (!options.list)
        sweep(chosen, number);
    printf("%u runs: %u met their site, %u hooks returned an error, %u were called again; %u failed; %.1f s\n",
           run_count, met_count, came_count, again_count, bad_count, now() - begin);
    free(chosen);
    return bad_count || untouched ? 1 : 0;
}
