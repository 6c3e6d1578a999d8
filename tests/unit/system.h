/* SPDX-License-Identifier: MIT */
/*
 * What tests ask of the system beyond C11, under the names that POSIX has for it: the layer has layer/base/platform,
 * which is what some of these tests are about. Static functions, because one test takes a few of them each.
 */
#ifndef CLAMPLER_TESTS_SYSTEM_H
#define CLAMPLER_TESTS_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN /* without sockets, whose names tests have for themselves */
#include <windows.h>

#define PROGRAM_SUFFIX ".exe"

/* ---- Variables: those of the system, which the C library's copy does not follow ---- */

static inline void setenv(const char *name, const char *value, int overwrite)
{
    (void)overwrite;
    SetEnvironmentVariableA(name, value);
}

static inline void unsetenv(const char *name)
{
    SetEnvironmentVariableA(name, NULL);
}

/* Those that the layer reads: Windows itself needs others. */
static inline void clearenv(void)
{
    char *block = GetEnvironmentStringsA();
    static const char *const read[] = {"HOME=", "USERPROFILE=", "XDG_", "VK_"};
    for (const char *entry = block; *entry; entry += strlen(entry) + 1) {
        char name[512];
        bool ours = false;
        for (size_t i = 0; i < sizeof(read) / sizeof(*read); i++)
            ours |= !_strnicmp(entry, read[i], strlen(read[i]));
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(entry + 1, "=") + 1, entry);
        if (ours)
            SetEnvironmentVariableA(name, NULL);
    }
    FreeEnvironmentStringsA(block);
}

/* ---- Folders and files ---- */

#define mkdir(path, mode) CreateDirectoryA(path, NULL)
#define chdir(path) (SetCurrentDirectoryA(path) ? 0 : -1)

/* The template is "/tmp/NAME-XXXXXX"; the folder is in that of temporary files. */
static inline char *mkdtemp_of(char *template, size_t size)
{
    char folder[MAX_PATH], name[MAX_PATH];
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(template + 5, "X"), template + 5);
    if (!GetTempPathA(sizeof(folder), folder))
        return NULL;
    for (int i = 0; i < 1000; i++) { /* others are of tests that were ended */
        if (snprintf(template, size, "%s%s%d", folder, name, i) < (int)size && CreateDirectoryA(template, NULL))
            return template;
    }
    return NULL;
}

static inline int remove_folder_of(const char *folder)
{
    char command[512];
    snprintf(command, sizeof(command), "cmd /c rmdir /s /q \"%s\"", folder);
    return chdir("C:\\") || system(command);
}

static inline int truncate(const char *path, long length)
{
    const HANDLE file = CreateFileA(path, GENERIC_WRITE, 0, NULL, OPEN_EXISTING, 0, NULL);
    const bool done = SetFilePointer(file, length, NULL, FILE_BEGIN) == (DWORD)length && SetEndOfFile(file);
    CloseHandle(file);
    return done ? 0 : -1;
}

/* ---- Memory and time ---- */

static inline size_t page_size(void)
{
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    return system.dwPageSize;
}

/* Two pages, of which the second one must not be touched; NULL if there are none to be had. */
static inline char *fenced_page(void)
{
    DWORD before;
    const size_t page = page_size();
    char *memory = VirtualAlloc(NULL, 2 * page, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    return memory && VirtualProtect(memory + page, page, PAGE_NOACCESS, &before) ? memory : NULL;
}

static inline void free_fenced_page(char *memory)
{
    VirtualFree(memory, 0, MEM_RELEASE);
}

static inline DWORD WINAPI ring(void *seconds)
{
    Sleep((DWORD)(uintptr_t)seconds * 1000);
    ExitProcess(14);
}

/* Ends a process that is still there then; 0: it may stay, for those who ask once. */
static inline void alarm(unsigned seconds)
{
    static HANDLE thread;
    if (seconds)
        thread = CreateThread(NULL, 0, ring, (void *)(uintptr_t)seconds, 0, NULL);
    else
        TerminateThread(thread, 0);
}

#else

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROGRAM_SUFFIX ""

#define mkdtemp_of(template, size) mkdtemp(template)

static inline int remove_folder_of(const char *folder)
{
    char command[512];
    snprintf(command, sizeof(command), "/bin/rm -rf %s", folder);
    return chdir("/") || system(command);
}

static inline size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static inline char *fenced_page(void)
{
    const size_t page = page_size();
    char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED && !mprotect(memory + page, page, PROT_NONE) ? memory : NULL;
}

static inline void free_fenced_page(char *memory)
{
    munmap(memory, 2 * page_size());
}

#endif

#endif
