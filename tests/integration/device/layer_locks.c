/* SPDX-License-Identifier: MIT */
#include "integration/device/layer_locks.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/device/environment.h"

static uintptr_t layer_begin, layer_end;

static int find_layer(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size, (void)user;
    if (!strstr(info->dlpi_name, "libVkLayer_clampler_gl_sampler"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_LOAD && (header->p_flags & PF_X)) {
            layer_begin = info->dlpi_addr + header->p_vaddr;
            layer_end = layer_begin + header->p_memsz;
        }
    }
    return 1;
}

void layer_locks_begin(void)
{
    dl_iterate_phdr(find_layer, NULL);
    assert_true(layer_end > layer_begin);
}

bool layer_has(const void *code)
{
    return (uintptr_t)code - layer_begin < layer_end - layer_begin;
}

#if !HARNESS_SANITIZED
enum { HELD_MOST = 16 };
static _Thread_local const pthread_mutex_t *holds[HELD_MOST];
static _Thread_local unsigned held;

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    static int (*real)(pthread_mutex_t * mutex);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_mutex_lock");
    const int result = real(mutex);
    if (!result && layer_has(__builtin_return_address(0)) && held < HELD_MOST)
        holds[held++] = mutex;
    return result;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    static int (*real)(pthread_mutex_t * mutex);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_mutex_unlock");
    for (unsigned i = held; i-- > 0;) { /* unlocking may be the last thing that a hook does: who calls says nothing */
        if (holds[i] == mutex) {
            holds[i] = holds[--held];
            break;
        }
    }
    return real(mutex);
}

unsigned layer_locks_held(void)
{
    return held;
}
#else
unsigned layer_locks_held(void)
{
    return 0;
}
#endif
