/* SPDX-License-Identifier: MIT */
/* Opens DLLs: by a path, or from the folders of the system and the program. */
#include "platform/library.h"

#include <string.h>
#include <windows.h>

#include "platform/paths.h"
#include "platform/windows/wide.h"

void *library_open(const char *path)
{
    wchar_t wide[PATH_ROOM], whole[PATH_ROOM];
    const DWORD usual = LOAD_LIBRARY_SEARCH_SYSTEM32 | LOAD_LIBRARY_SEARCH_APPLICATION_DIR;
    if (!wide_from(path, wide, PATH_ROOM))
        return NULL;
    if (!strpbrk(path, "/\\"))
        return (void *)LoadLibraryExW(wide, NULL, usual);
    /*
     * The library's own dependencies may be in the same folder. For that, the loader needs a whole path with
     * backslashes.
     */
    const DWORD length = GetFullPathNameW(wide, PATH_ROOM, whole, NULL);
    if (!length || length >= PATH_ROOM)
        return NULL;
    return (void *)LoadLibraryExW(whole, NULL, usual | LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR);
}

void library_close(void *library)
{
    FreeLibrary((HMODULE)library);
}

void *library_function(void *library, const char *name)
{
    const FARPROC function = GetProcAddress((HMODULE)library, name);
    void *found = NULL;
    memcpy(&found, &function, sizeof(found));
    return found;
}

/* GCC's thread-local words are found through an index of winpthreads, of which a process has about a thousand. */
void library_keep_own(void)
{
    static const char here;
    HMODULE unused;
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                       (LPCWSTR)(const void *)&here, &unused);
}
