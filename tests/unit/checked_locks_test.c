/* SPDX-License-Identifier: MIT */
/* What debug builds put in front of every source (layer/base/platform/posix/checked_locks.h): each wrong use ends the
 * process. */
#include "platform/posix/checked_locks.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static pthread_mutex_t fixed = PTHREAD_MUTEX_INITIALIZER, made;

static void lock_twice(pthread_mutex_t *lock)
{
    pthread_mutex_lock(lock);
    pthread_mutex_lock(lock);
}

static void give_what_is_not_had(pthread_mutex_t *lock)
{
    pthread_mutex_unlock(lock);
}

static void destroy_what_is_locked(pthread_mutex_t *lock)
{
    pthread_mutex_lock(lock);
    pthread_mutex_destroy(lock);
}

static void use_rightly(pthread_mutex_t *lock)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(lock);
        pthread_mutex_unlock(lock);
    }
    pthread_mutex_destroy(lock);
}

static void wrong_uses_end_the_process(void **state)
{
    static void (*const uses[])(pthread_mutex_t *) = {lock_twice, give_what_is_not_had, destroy_what_is_locked,
                                                      use_rightly};
    enum { USES = sizeof(uses) / sizeof(*uses) };
    (void)state;
    for (unsigned i = 0; i < 2 * USES; i++) {
        int status;
        const pid_t child = fork();
        if (!child) {
            pthread_mutex_t *lock = i < USES ? &fixed : &made;
            signal(SIGABRT, SIG_DFL); /* not cmocka's */
            alarm(30);
            fclose(stderr);
            if (i >= USES && pthread_mutex_init(lock, NULL))
                _exit(2);
            uses[i % USES](lock);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        if (i % USES == USES - 1)
            assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        else
            assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_uses_end_the_process),
    };
    return cmocka_run_group_tests_name("checked_locks", tests, NULL, NULL);
}
