/* SPDX-License-Identifier: MIT */
/* Threads on Windows: those of winpthreads, with priorities, names and times that the system gives. */
#include "platform/threads.h"

#include <time.h>
#include <windows.h>

#include "platform/windows/wide.h"

enum { STACK_BYTES = sizeof(void *) >= 8 ? 8 << 20 : 2 << 20 }; /* compilers recurse: no less than on other systems */
enum { SECOND = 1000 * 1000 * 1000, TICK = 100 };               /* nanoseconds; a tick of the system's times */

/* ---- Workers ---- */

/* Windows 10 and later have it. */
static void name_thread(pthread_t thread, const char *name)
{
    typedef HRESULT(WINAPI * set_description)(HANDLE thread, PCWSTR description);
    const FARPROC found = GetProcAddress(GetModuleHandleW(L"kernel32.dll"), "SetThreadDescription");
    const set_description set = (set_description)(void (*)(void))found;
    const HANDLE handle = (HANDLE)pthread_gethandle(thread);
    wchar_t wide[16];
    if (set && handle && wide_from(name, wide, sizeof(wide) / sizeof(*wide)))
        set(handle, wide);
}

bool thread_start(pthread_t *thread, const char *name, void *(*run)(void *), void *user)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes))
        return false;
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    const int failed = pthread_create(thread, &attributes, run, user);
    pthread_attr_destroy(&attributes);
    if (failed)
        return false;
    name_thread(*thread, name);
    return true;
}

/* Not THREAD_MODE_BACKGROUND_BEGIN: that slows the disk down as well, which the driver may read shaders from. */
void thread_lower_priority(void)
{
    (void)SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_IDLE);
}

uint32_t thread_processors(void)
{
    DWORD_PTR process, machine;
    uint32_t count = 0;
    if (GetProcessAffinityMask(GetCurrentProcess(), &process, &machine)) {
        for (; process; process &= process - 1)
            count++;
    }
    if (count)
        return count; /* of its group of at most 64 */
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    return system.dwNumberOfProcessors ? system.dwNumberOfProcessors : 1;
}

uint32_t thread_process(void)
{
    typedef BOOLEAN(NTAPI * in_progress)(void);
    const FARPROC found = GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "RtlDllShutdownInProgress");
    const in_progress ending = (in_progress)(void (*)(void))found;
    return ending && ending() ? 0 : GetCurrentProcessId();
}

bool thread_at_end(void (*end)(void))
{
    (void)end;
    return true;
}

bool thread_at_own_exit(void (*end)(void))
{
    (void)end;
    return false;
}

int thread_uncancelled(void)
{
    int before = PTHREAD_CANCEL_ENABLE;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

void thread_cancelled_again(int before)
{
    (void)pthread_setcancelstate(before, NULL);
}

void thread_at_fork(void (*forked)(void))
{
    (void)forked;
}

/* ---- Time ---- */

int64_t thread_time(void)
{
    LARGE_INTEGER now, rate;
    QueryPerformanceCounter(&now); /* neither fails since Windows XP */
    QueryPerformanceFrequency(&rate);
    return now.QuadPart / rate.QuadPart * SECOND + now.QuadPart % rate.QuadPart * SECOND / rate.QuadPart;
}

thread_clock thread_own_clock(void)
{
    return (thread_clock)GetCurrentThreadId();
}

static int64_t nanoseconds(FILETIME time)
{
    return (int64_t)((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime) * TICK;
}

int64_t thread_worked(thread_clock clock)
{
    FILETIME created, ended, system, own;
    const HANDLE thread = OpenThread(THREAD_QUERY_LIMITED_INFORMATION, FALSE, (DWORD)clock);
    int64_t worked = 0;
    if (!thread)
        return 0;
    if (GetThreadTimes(thread, &created, &ended, &system, &own))
        worked = nanoseconds(system) + nanoseconds(own);
    CloseHandle(thread);
    return worked;
}

bool thread_condition_init(pthread_cond_t *condition)
{
    return pthread_cond_init(condition, NULL) == 0;
}

/* Conditions wait for a time of the wall clock, which may be set, or for a duration; so this waits for durations. */
bool thread_wait_until(pthread_cond_t *condition, pthread_mutex_t *lock, int64_t until)
{
    const int64_t left = until - thread_time();
    const struct timespec span = {.tv_sec = left > 0 ? (time_t)(left / SECOND) : 0,
                                  .tv_nsec = left > 0 ? (long)(left % SECOND) : 0};
    return pthread_cond_timedwait_relative_np(condition, lock, &span) == 0;
}
