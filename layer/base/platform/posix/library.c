/* SPDX-License-Identifier: MIT */
/* Opens libraries by the dynamic linker, on POSIX. */
#include "platform/library.h"

#include <dlfcn.h>

void *library_open(const char *path)
{
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

void library_close(void *library)
{
    dlclose(library);
}

void *library_function(void *library, const char *name)
{
    return dlsym(library, name);
}

void library_keep_own(void)
{
}
