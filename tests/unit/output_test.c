/* SPDX-License-Identifier: MIT */
/* Files that settings name, and what counts as standard error (layer/base/settings/output.h). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "platform/output.h"

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/clampler-output-XXXXXX");
    return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[96];
    (void)state;
    snprintf(command, sizeof(command), "/bin/rm -rf %s", folder);
    return chdir("/") || system(command);
}

static void put(const char *path, enum output_mode mode, const char *text)
{
    FILE *file = output_open(path, mode);
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void expect_content(const char *path, const char *wanted)
{
    char text[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, wanted);
}

static void lines_are_added_or_the_file_is_replaced(void **state)
{
    (void)state;
    put("lines", OUTPUT_APPEND, "one\n");
    put("lines", OUTPUT_APPEND, "two\n");
    expect_content("lines", "one\ntwo\n");
    put("lines", OUTPUT_REPLACE, "3\n");
    expect_content("lines", "3\n");
}

/* Whoever owns a link on the way says where files go (fs.protected_symlinks need not be on). */
static void links_on_the_way_are_followed_where_they_are_the_users_or_the_systems(void **state)
{
    enum { SOMEBODY = 12345 };
    static const char *const refused[] = {"theirs/file", "ours_to_theirs/file", "real/../theirs/./file",
                                          "absolute/file", "ours/up/file"};
    char target[128];
    (void)state;
    assert_int_equal(mkdir("real", 0777), 0);
    assert_int_equal(symlink("real", "ours"), 0);
    put("ours/file", OUTPUT_APPEND, "one\n");
    put("./real//../ours///file", OUTPUT_APPEND, "two\n");
    snprintf(target, sizeof(target), "%s/ours/", folder);
    assert_int_equal(symlink(target, "whole"), 0);
    put("whole/file", OUTPUT_APPEND, "three\n");
    snprintf(target, sizeof(target), "%s/whole/file", folder);
    put(target, OUTPUT_APPEND, "four\n");
    expect_content("real/file", "one\ntwo\nthree\nfour\n");
    assert_false(output_is_refused_link("whole/file"));

    assert_int_equal(symlink("round", "round"), 0);
    assert_null(output_open("round/file", OUTPUT_APPEND));
    assert_int_equal(errno, ELOOP);
    assert_null(output_open("nowhere/file", OUTPUT_APPEND));
    assert_int_equal(errno, ENOENT);
    assert_null(output_open("real/file/file", OUTPUT_APPEND));
    assert_int_equal(errno, ENOTDIR);
    assert_null(output_open("real/", OUTPUT_APPEND));
    assert_int_equal(errno, EISDIR);

    if (geteuid() != 0)
        skip(); /* nobody else makes links of somebody else's */
    assert_int_equal(symlink("real", "theirs"), 0);
    assert_int_equal(lchown("theirs", SOMEBODY, SOMEBODY), 0);
    assert_int_equal(symlink("theirs", "ours_to_theirs"), 0);
    snprintf(target, sizeof(target), "%s/theirs", folder);
    assert_int_equal(symlink(target, "absolute"), 0);
    assert_int_equal(symlink("../theirs", "real/up"), 0);
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        for (unsigned mode = OUTPUT_APPEND; mode <= OUTPUT_REPLACE; mode++) {
            assert_null(output_open(refused[i], mode));
            assert_int_equal(errno, ELOOP);
        }
        assert_true(output_is_refused_link(refused[i]));
    }
    assert_null(output_open_folder("theirs/dump"));
    assert_int_equal(errno, ELOOP);
    expect_content("real/file", "one\ntwo\nthree\nfour\n");
    assert_int_equal(access("real/dump", F_OK), -1);
    struct output_folder *dumps = output_open_folder("ours/dump//");
    assert_non_null(dumps);
    output_close_folder(dumps);
    assert_int_equal(access("real/dump", F_OK), 0);
    for (int descriptor = 3; descriptor < 16; descriptor++) /* nothing of the way is left open */
        assert_int_equal(fcntl(descriptor, F_GETFD) < 0 || !(fcntl(descriptor, F_GETFL) & O_PATH), 1);
}

static void links_are_not_followed_but_for_the_systems_own(void **state)
{
    (void)state;
    put("victim", OUTPUT_APPEND, "as it was");
    assert_int_equal(symlink("victim", "link"), 0);
    assert_int_equal(symlink("new", "dangling"), 0);
    for (unsigned mode = OUTPUT_APPEND; mode <= OUTPUT_REPLACE; mode++) {
        assert_null(output_open("link", mode));
        assert_int_equal(errno, ELOOP);
        assert_null(output_open("dangling", mode));
        assert_int_equal(errno, ELOOP);
    }
    assert_non_null(strstr(output_reason(ELOOP), "symbolic link"));
    expect_content("victim", "as it was");
    assert_int_equal(access("new", F_OK), -1);
    assert_true(output_is_refused_link("link"));
    assert_false(output_is_refused_link("victim"));
    assert_false(output_is_refused_link("/dev/stdout"));

    const int before = dup(STDOUT_FILENO);
    FILE *instead = fopen("stdout", "w");
    dup2(fileno(instead), STDOUT_FILENO); /* the test's own may be closed to others */
    put("/dev/stdout", OUTPUT_APPEND, "through a link of the system's\n");
    dup2(before, STDOUT_FILENO);
    close(before);
    fclose(instead);
    expect_content("stdout", "through a link of the system's\n");
}

/* Anybody may make links in some folders of /dev, and links in /proc lead to any folder. */
/* As long as the system takes it, and no longer, as a whole and by the name. */
static void paths_are_as_long_as_the_system_takes_them(void **state)
{
    (void)state;
    char path[PATH_MAX + 2], name[NAME_MAX + 2];
    for (size_t i = 0; i < sizeof(path); i++)
        path[i] = i % 2 ? '/' : '.';
    path[PATH_MAX - 2] = 'f';
    path[PATH_MAX - 1] = '\0';
    put(path, OUTPUT_REPLACE, "there\n");
    expect_content("f", "there\n");
    path[PATH_MAX - 2] = '/';
    path[PATH_MAX - 1] = 'f';
    path[PATH_MAX] = '\0';
    assert_null(output_open(path, OUTPUT_REPLACE));
    assert_int_equal(errno, ENAMETOOLONG);
    assert_false(output_is_refused_link(path));
    memset(name, 'n', sizeof(name));
    name[NAME_MAX] = '\0';
    put(name, OUTPUT_REPLACE, "long\n");
    expect_content(name, "long\n");
    name[NAME_MAX] = 'n';
    name[NAME_MAX + 1] = '\0';
    assert_null(output_open(name, OUTPUT_REPLACE));
    assert_int_equal(errno, ENAMETOOLONG);
}

static void links_elsewhere_in_the_systems_folders_are_not_followed(void **state)
{
    (void)state;
    char path[128];
    snprintf(path, sizeof(path), "/proc/self/cwd/%s", "link");
    assert_true(output_is_refused_link(path));
    assert_null(output_open(path, OUTPUT_APPEND));
    assert_int_equal(errno, ELOOP);
    snprintf(path, sizeof(path), "/dev/..%s/link", folder);
    assert_true(output_is_refused_link(path));
    assert_null(output_open(path, OUTPUT_APPEND));
    snprintf(path, sizeof(path), "/dev/shm/clampler-output-%ld", (long)getpid());
    if (symlink("/tmp/clampler-output-none", path))
        return; /* there is no such folder */
    FILE *file = output_open(path, OUTPUT_APPEND);
    assert_int_equal(unlink(path), 0);
    assert_null(file);
    expect_content("victim", "as it was");
}

static void nobody_waits_for_a_pipes_reader(void **state)
{
    (void)state;
    assert_int_equal(mkfifo("log", 0600), 0);
    assert_null(output_open("log", OUTPUT_APPEND));
    assert_int_equal(errno, ENXIO);
    const int reader = open("log", O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    FILE *file = output_open("log", OUTPUT_APPEND);
    assert_non_null(file);
    assert_false(fcntl(fileno(file), F_GETFL) & O_NONBLOCK); /* writes wait for room */
    fclose(file);
    if (!geteuid()) { /* who may give it to others */
        assert_int_equal(chown("log", 12345, 12345), 0);
        assert_int_equal(chmod("log", 0666), 0);
        assert_null(output_open("log", OUTPUT_APPEND));
    }
    close(reader);
}

static void folders_are_the_users_own(void **state)
{
    (void)state;
    struct output_folder *made = output_open_folder("folder/");
    assert_non_null(made);
    FILE *file = output_open_in(made, "within", OUTPUT_REPLACE);
    assert_non_null(file);
    fclose(file);
    assert_int_equal(access("folder/within", F_OK), 0);
    output_close_folder(made);
    assert_int_equal(symlink("folder", "link-to-folder"), 0);
    assert_null(output_open_folder("link-to-folder"));
    assert_int_equal(errno, ELOOP);
    assert_null(output_open_folder("link-to-folder/"));
    assert_null(output_open_folder("victim"));
    if (!geteuid()) {
        assert_int_equal(chown("folder", 12345, 12345), 0);
        assert_null(output_open_folder("folder"));
        assert_int_equal(errno, EPERM);
    }
}

static void only_plain_files_are_replaced(void **state)
{
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_null(output_open("pipe", OUTPUT_REPLACE)); /* and nobody waits for a reader */
    const int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_null(output_open("pipe", OUTPUT_REPLACE));
    close(reader);
}

/* ---- What happens with other descriptors in the place of the first three: in a process of its own ---- */

static bool in_child(bool (*holds)(void))
{
    int status;
    fflush(NULL);
    const pid_t child = fork();
    if (!child)
        _exit(holds() ? 0 : 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return !WEXITSTATUS(status);
}

static bool stays_above_standard_error(void)
{
    close(STDIN_FILENO);
    close(STDERR_FILENO);
    FILE *file = output_open("above", OUTPUT_APPEND);
    return file && fileno(file) > STDERR_FILENO && (fcntl(fileno(file), F_GETFD) & FD_CLOEXEC);
}

static void a_file_never_becomes_standard_error(void **state)
{
    (void)state;
    assert_true(in_child(stays_above_standard_error));
}

/* Puts a descriptor in the place of standard error, as exec leaves it there. What it is it stays. */
static bool inherits(int descriptor)
{
    const bool first =
        descriptor >= 0 && dup2(descriptor, STDERR_FILENO) == STDERR_FILENO && output_has_standard_error();
    assert_int_equal(output_has_standard_error(), first);
    return first;
}

static bool file(void)
{
    return inherits(open("error", O_WRONLY | O_CREAT | O_APPEND, 0600));
}

static bool null_device(void)
{
    return inherits(open("/dev/null", O_RDWR));
}

static bool terminal(void)
{
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    return master < 0 || grantpt(master) || unlockpt(master) || inherits(open(ptsname(master), O_RDWR | O_NOCTTY));
}

static bool pipe_end(void)
{
    int ends[2];
    return !pipe(ends) && inherits(ends[1]);
}

static bool socket_of_a_pair(void)
{
    int ends[2];
    return !socketpair(AF_UNIX, SOCK_STREAM, 0, ends) && inherits(ends[1]);
}

static void what_a_shell_or_a_service_manager_gives_is_standard_error(void **state)
{
    (void)state;
    assert_true(in_child(file));
    assert_true(in_child(null_device));
    assert_true(in_child(terminal));
    assert_true(in_child(pipe_end));
    assert_true(in_child(socket_of_a_pair));
}

static bool closed(void)
{
    close(STDERR_FILENO);
    return output_has_standard_error();
}

/* A connection to a server as window systems have them, in the place of the closed standard error. */
static bool connected(int flags, bool abstract)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int server = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path + abstract, sizeof(address.sun_path) - 1, "%s/server%d", folder, flags);
    if (bind(server, (const struct sockaddr *)&address, sizeof(address)) || listen(server, 1))
        return true;
    close(STDERR_FILENO);
    const int client = socket(AF_UNIX, SOCK_STREAM | flags, 0);
    if (client != STDERR_FILENO || connect(client, (const struct sockaddr *)&address, sizeof(address)))
        return true;
    return output_has_standard_error();
}

static bool window_system(void)
{
    return connected(SOCK_CLOEXEC, false);
}

static bool window_system_of_older_libraries(void)
{
    return connected(0, false);
}

static bool window_system_without_a_file(void)
{
    return connected(0, true);
}

static bool librarys_file(void)
{
    close(STDERR_FILENO);
    return open("data", O_WRONLY | O_CREAT | O_CLOEXEC, 0600) != STDERR_FILENO || output_has_standard_error();
}

static bool file_to_read(void)
{
    return inherits(open("/proc/self/status", O_RDONLY));
}

static bool event(void)
{
    return inherits(eventfd(0, 0));
}

static bool programs_file_later(void)
{
    closed();
    return open("data", O_WRONLY | O_CREAT, 0600) != STDERR_FILENO || output_has_standard_error();
}

static bool programs_data(void)
{
    return inherits(open("data", O_RDWR | O_CREAT, 0600));
}

/* As test runners do that read the file afterwards. */
static bool file_for_both(void)
{
    const int both = open("both", O_RDWR | O_CREAT, 0600);
    return dup2(both, STDOUT_FILENO) == STDOUT_FILENO && inherits(both);
}

static bool another_file_later(void)
{
    if (!inherits(open("first", O_WRONLY | O_CREAT, 0600)))
        return true;
    return inherits(open("second", O_WRONLY | O_CREAT, 0600)) || inherits(open("first", O_WRONLY));
}

static void what_took_its_number_is_not(void **state)
{
    (void)state;
    assert_false(in_child(closed));
    assert_false(in_child(window_system));
    assert_false(in_child(window_system_of_older_libraries));
    assert_false(in_child(window_system_without_a_file));
    assert_false(in_child(librarys_file));
    assert_false(in_child(file_to_read));
    assert_false(in_child(event));
    assert_false(in_child(programs_file_later));
    assert_false(in_child(programs_data));
    assert_false(in_child(another_file_later));
    assert_true(in_child(file_for_both));
}

static bool writes_nothing_there(void)
{
    struct stat status;
    close(STDERR_FILENO);
    open("untouched", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    output_standard_error("a line\n");
    return !stat("untouched", &status) && status.st_size == 0;
}

static bool writes_a_line(void)
{
    const int target = open("line", O_WRONLY | O_CREAT, 0600);
    dup2(target, STDERR_FILENO);
    fclose(stderr); /* closes the descriptor with it */
    dup2(target, STDERR_FILENO);
    output_standard_error("a line\n");
    return true;
}

static void lines_go_to_it_alone(void **state)
{
    (void)state;
    assert_true(in_child(writes_nothing_there));
    assert_true(in_child(writes_a_line));
    expect_content("line", "a line\n");
}

/* ---- What writing raises stays with the layer ---- */

static bool mask_is_empty(void)
{
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    return !sigismember(&mask, SIGPIPE) && !sigismember(&mask, SIGXFSZ) && !sigismember(&mask, SIGTTOU);
}

static bool waits(int signal)
{
    sigset_t pending;
    return !sigpending(&pending) && sigismember(&pending, signal);
}

/* How many of them wait, of the thread and the process together; takes them. */
static unsigned take_all(int signal)
{
    const struct timespec now = {.tv_sec = 0};
    unsigned count = 0;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    while (sigtimedwait(&set, NULL, &now) == signal)
        count++;
    return count;
}

static bool pipe_without_reader(void)
{
    int ends[2];
    if (pipe(ends) || dup2(ends[1], STDERR_FILENO) != STDERR_FILENO || close(ends[1]) || close(ends[0]))
        return false;
    errno = EDOM;
    for (unsigned i = 0; i < 3; i++)
        output_standard_error("a line\n");
    return errno == EDOM && mask_is_empty() && !waits(SIGPIPE);
}

static bool file_at_its_limit(void)
{
    const struct rlimit limit = {4, RLIM_INFINITY};
    struct stat status;
    if (setrlimit(RLIMIT_FSIZE, &limit) || !inherits(open("limited", O_WRONLY | O_CREAT, 0600)))
        return false;
    output_standard_error("a line\n");
    output_standard_error("a line\n");
    return mask_is_empty() && !waits(SIGXFSZ) && !stat("limited", &status) && status.st_size == 4;
}

static bool log_at_its_limit(void)
{
    const struct rlimit limit = {4, RLIM_INFINITY};
    struct output_log *log = output_open_log("limited-log");
    if (!log || setrlimit(RLIMIT_FSIZE, &limit))
        return false;
    output_log_line(log, "a line\n");
    output_close_log(log);
    return mask_is_empty() && !waits(SIGXFSZ);
}

static bool log_without_reader(void)
{
    const int reader = mkfifo("log-pipe", 0600) ? -1 : open("log-pipe", O_RDONLY | O_NONBLOCK);
    struct output_log *log = output_open_log("log-pipe");
    if (reader < 0 || !log)
        return false;
    close(reader);
    output_log_line(log, "a line\n");
    output_close_log(log);
    return mask_is_empty() && !waits(SIGPIPE);
}

/* What the program has blocked and waits for is what it was: one of the thread's, or of the process. */
static bool own_signals_stay(bool of_thread)
{
    sigset_t set;
    int ends[2];
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (pipe(ends) || dup2(ends[1], STDERR_FILENO) != STDERR_FILENO || close(ends[1]) || close(ends[0]))
        return false;
    if (of_thread ? pthread_kill(pthread_self(), SIGPIPE) : kill(getpid(), SIGPIPE))
        return false;
    output_standard_error("a line\n");
    pthread_sigmask(SIG_SETMASK, NULL, &set);
    return sigismember(&set, SIGPIPE) && take_all(SIGPIPE) == 1;
}

static bool threads_signal_stays(void)
{
    return own_signals_stay(true);
}

static bool process_signal_stays(void)
{
    return own_signals_stay(false);
}

static void writing_raises_nothing_in_the_program(void **state)
{
    (void)state;
    assert_true(in_child(pipe_without_reader));
    assert_true(in_child(file_at_its_limit));
    assert_true(in_child(log_at_its_limit));
    assert_true(in_child(log_without_reader));
    assert_true(in_child(threads_signal_stays));
    assert_true(in_child(process_signal_stays));
}

/* Programs that close all that they do not know get numbers again for files of their own. */
static void a_file_with_the_logs_number_is_the_programs(void **state)
{
    (void)state;
    struct output_log *log = output_open_log("own-log");
    struct stat before, after;
    assert_non_null(log);
    output_log_line(log, "one\n");
    assert_int_equal(stat("own-log", &before), 0);
    int number = -1;
    for (int i = STDERR_FILENO + 1; i < 64 && number < 0; i++) {
        if (!fstat(i, &after) && after.st_ino == before.st_ino && after.st_dev == before.st_dev)
            number = i;
    }
    assert_true(number > STDERR_FILENO);
    close(number);
    const int data = open("own-data", O_RDWR | O_CREAT, 0600);
    assert_int_equal(dup2(data, number), number);
    output_log_line(log, "two\n");
    output_close_log(log);
    assert_int_equal(fstat(number, &after), 0); /* still open */
    assert_int_equal(after.st_size, 0);
    expect_content("own-log", "one\n");
    close(number);
    if (data != number)
        close(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_added_or_the_file_is_replaced),
        cmocka_unit_test(links_on_the_way_are_followed_where_they_are_the_users_or_the_systems),
        cmocka_unit_test(links_are_not_followed_but_for_the_systems_own),
        cmocka_unit_test(paths_are_as_long_as_the_system_takes_them),
        cmocka_unit_test(links_elsewhere_in_the_systems_folders_are_not_followed),
        cmocka_unit_test(nobody_waits_for_a_pipes_reader),
        cmocka_unit_test(folders_are_the_users_own),
        cmocka_unit_test(only_plain_files_are_replaced),
        cmocka_unit_test(a_file_never_becomes_standard_error),
        cmocka_unit_test(what_a_shell_or_a_service_manager_gives_is_standard_error),
        cmocka_unit_test(what_took_its_number_is_not),
        cmocka_unit_test(lines_go_to_it_alone),
        cmocka_unit_test(writing_raises_nothing_in_the_program),
        cmocka_unit_test(a_file_with_the_logs_number_is_the_programs),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
