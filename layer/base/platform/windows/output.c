/* SPDX-License-Identifier: MIT */
/*
 * Windows: opens the files that settings name so that no other user can choose which file is written, and finds out
 * whether the process has a standard error. Reparse points (links, junctions) are opened themselves, not followed, and
 * judged by their handle.
 */
#include "platform/output.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include <aclapi.h>

#include "platform/paths.h"
#include "platform/windows/wide.h"

struct output_folder {
    HANDLE handle; /* nobody may remove or rename it meanwhile */
    char path[PATH_ROOM];
};

/* The errno of a system error; EACCES for the rest. */
static int error_of(DWORD error)
{
    switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
    case ERROR_BAD_NETPATH:
        return ENOENT;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
        return EEXIST;
    case ERROR_DIRECTORY:
        return ENOTDIR;
    case ERROR_DISK_FULL:
        return ENOSPC;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
        return ENOMEM;
    default:
        return EACCES;
    }
}

/* ---- Files ---- */

/* Names that only the system makes. */
static bool is_systems_own(const char *path)
{
    return !_stricmp(path, "NUL") || !_stricmp(path, "CONOUT$");
}

/* 0, or why a handle is not written to. */
static int judge(HANDLE handle)
{
    BY_HANDLE_FILE_INFORMATION about;
    if (GetFileType(handle) != FILE_TYPE_DISK)
        return EEXIST;
    if (!GetFileInformationByHandle(handle, &about))
        return error_of(GetLastError());
    return about.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT ? ELOOP : 0;
}

/* The C library appends by seeking first; with this right alone the system appends, whoever else does so. */
static DWORD access_of(enum output_mode mode, bool systems_own)
{
    if (systems_own || mode == OUTPUT_REPLACE)
        return GENERIC_WRITE;
    return FILE_APPEND_DATA | FILE_READ_ATTRIBUTES | SYNCHRONIZE;
}

static HANDLE open_handle(const char *path, enum output_mode mode)
{
    wchar_t wide[PATH_ROOM];
    const bool systems_own = mode == OUTPUT_APPEND && is_systems_own(path);
    if (!wide_from(path, wide, PATH_ROOM)) {
        errno = ENAMETOOLONG;
        return INVALID_HANDLE_VALUE;
    }
    const HANDLE handle = CreateFileW(
        wide, access_of(mode, systems_own), FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
        systems_own ? OPEN_EXISTING : OPEN_ALWAYS,
        FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT | SECURITY_SQOS_PRESENT | SECURITY_ANONYMOUS, NULL);
    int wrong = handle == INVALID_HANDLE_VALUE ? error_of(GetLastError()) : systems_own ? 0 : judge(handle);
    /* Only now: what a link leads to is not cut off. */
    if (!wrong && mode == OUTPUT_REPLACE && !SetEndOfFile(handle))
        wrong = error_of(GetLastError());
    if (wrong && handle != INVALID_HANDLE_VALUE)
        CloseHandle(handle);
    if (wrong)
        errno = wrong == EACCES && output_is_refused_link(path) ? ELOOP : wrong;
    return wrong ? INVALID_HANDLE_VALUE : handle;
}

FILE *output_open(const char *path, enum output_mode mode)
{
    const HANDLE handle = open_handle(path, mode);
    if (handle == INVALID_HANDLE_VALUE)
        return NULL;
    /* The C library never assigns 0 to 2 here, even if the standard streams are closed. */
    const int descriptor = _open_osfhandle((intptr_t)handle, _O_BINARY | _O_NOINHERIT);
    if (descriptor < 0) {
        CloseHandle(handle);
        return NULL;
    }
    FILE *file = _fdopen(descriptor, "wb");
    if (!file)
        _close(descriptor);
    return file;
}

FILE *output_open_in(const struct output_folder *folder, const char *name, enum output_mode mode)
{
    char path[PATH_ROOM + 256];
    if (snprintf(path, sizeof(path), "%s\\%s", folder->path, name) < (int)sizeof(path))
        return output_open(path, mode);
    errno = ENAMETOOLONG;
    return NULL;
}

/* ---- Writing ---- */

/* Windows raises no signals. */
void output_quietly(void (*work)(void *user), void *user)
{
    work(user);
}

struct output_log {
    FILE *file;
};

/* This C library has no line buffering, so each line is flushed. Handles cannot be taken over as descriptors can. */
struct output_log *output_open_log(const char *path)
{
    FILE *file = output_open(path, OUTPUT_APPEND);
    struct output_log *log = file ? malloc(sizeof(*log)) : NULL;
    if (!log) {
        const int error = errno;
        if (file)
            fclose(file);
        errno = error;
        return NULL;
    }
    setvbuf(file, NULL, _IONBF, 0);
    log->file = file;
    return log;
}

void output_log_line(const struct output_log *log, const char *text)
{
    fputs(text, log->file);
}

void output_close_log(struct output_log *log)
{
    if (log)
        fclose(log->file);
    free(log);
}

/* ---- Folders ---- */

static bool is_owner(HANDLE token, TOKEN_INFORMATION_CLASS which, PSID owner)
{
    union {
        TOKEN_USER user;
        TOKEN_OWNER owner;
        unsigned char bytes[sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE];
    } known;
    DWORD size;
    if (!GetTokenInformation(token, which, &known, sizeof(known), &size))
        return false;
    return EqualSid(owner, which == TokenUser ? known.user.User.Sid : known.owner.Owner);
}

/* Files that a user creates as an administrator are owned by the administrators. */
static bool belongs_to_user_or_system(HANDLE folder)
{
    PSID owner = NULL;
    PSECURITY_DESCRIPTOR descriptor = NULL;
    HANDLE token = NULL;
    if (GetSecurityInfo(folder, SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION, &owner, NULL, NULL, NULL, &descriptor) !=
        ERROR_SUCCESS)
        return false;
    bool belongs =
        owner && (IsWellKnownSid(owner, WinLocalSystemSid) || IsWellKnownSid(owner, WinBuiltinAdministratorsSid));
    if (owner && !belongs && OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token)) {
        belongs = is_owner(token, TokenUser, owner) || is_owner(token, TokenOwner, owner);
        CloseHandle(token);
    }
    LocalFree(descriptor);
    return belongs;
}

static int judge_folder(HANDLE handle)
{
    BY_HANDLE_FILE_INFORMATION about;
    if (!GetFileInformationByHandle(handle, &about))
        return error_of(GetLastError());
    if (about.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT)
        return ELOOP;
    if (!(about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY))
        return ENOTDIR;
    return belongs_to_user_or_system(handle) ? 0 : EPERM;
}

static HANDLE open_folder(const char *path)
{
    wchar_t wide[PATH_ROOM];
    if (!wide_from(path, wide, PATH_ROOM)) {
        errno = ENAMETOOLONG;
        return INVALID_HANDLE_VALUE;
    }
    if (!CreateDirectoryW(wide, NULL) && GetLastError() != ERROR_ALREADY_EXISTS) {
        errno = error_of(GetLastError());
        return INVALID_HANDLE_VALUE;
    }
    const HANDLE handle =
        CreateFileW(wide, FILE_LIST_DIRECTORY | FILE_READ_ATTRIBUTES | READ_CONTROL, FILE_SHARE_READ | FILE_SHARE_WRITE,
                    NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    const int wrong = handle == INVALID_HANDLE_VALUE ? error_of(GetLastError()) : judge_folder(handle);
    if (wrong && handle != INVALID_HANDLE_VALUE)
        CloseHandle(handle);
    if (wrong)
        errno = wrong;
    return wrong ? INVALID_HANDLE_VALUE : handle;
}

struct output_folder *output_open_folder(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && strchr("/\\", path[length - 1]) && path[length - 2] != ':') /* would lead through a link */
        length--;
    struct output_folder *folder = malloc(sizeof(*folder));
    if (!folder || length >= sizeof(folder->path)) {
        errno = folder ? ENAMETOOLONG : ENOMEM;
        free(folder);
        return NULL;
    }
    memcpy(folder->path, path, length);
    folder->path[length] = '\0';
    folder->handle = open_folder(folder->path);
    if (folder->handle != INVALID_HANDLE_VALUE)
        return folder;
    free(folder); /* which leaves errno as it is */
    return NULL;
}

void output_close_folder(struct output_folder *folder)
{
    CloseHandle(folder->handle);
    free(folder);
}

/* ---- What is said of them ---- */

const char *output_reason(int error)
{
    return error == ELOOP ? "it is a symbolic link, and these are not followed" : strerror(error);
}

bool output_is_refused_link(const char *path)
{
    wchar_t wide[PATH_ROOM];
    const DWORD attributes = wide_from(path, wide, PATH_ROOM) ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    return !is_systems_own(path) && attributes != INVALID_FILE_ATTRIBUTES &&
           (attributes & FILE_ATTRIBUTE_REPARSE_POINT);
}

/* ---- Standard error ---- */

/* Programs with windows have none. Handles that others put in its place cannot be distinguished from it, as numbers are
 * on POSIX.
 */
static HANDLE standard_error(void)
{
    const HANDLE handle = GetStdHandle(STD_ERROR_HANDLE);
    const bool there = handle && handle != INVALID_HANDLE_VALUE && GetFileType(handle) != FILE_TYPE_UNKNOWN;
    return there ? handle : INVALID_HANDLE_VALUE;
}

bool output_has_standard_error(void)
{
    static bool missing;
    if (!__atomic_load_n(&missing, __ATOMIC_RELAXED) && standard_error() == INVALID_HANDLE_VALUE)
        __atomic_store_n(&missing, true, __ATOMIC_RELAXED);
    return !__atomic_load_n(&missing, __ATOMIC_RELAXED);
}

/* Consoles take UTF-16, whatever their code page. */
static bool write_to_console(HANDLE handle, const char *text)
{
    DWORD mode, written;
    wchar_t wide[2048];
    return GetConsoleMode(handle, &mode) && wide_from(text, wide, sizeof(wide) / sizeof(*wide)) &&
           WriteConsoleW(handle, wide, (DWORD)wcslen(wide), &written, NULL);
}

void output_standard_error(const char *text)
{
    size_t left = strlen(text);
    const HANDLE handle = output_has_standard_error() ? standard_error() : INVALID_HANDLE_VALUE;
    if (handle == INVALID_HANDLE_VALUE || write_to_console(handle, text))
        return;
    while (left) {
        DWORD written = 0;
        if (!WriteFile(handle, text, (DWORD)left, &written, NULL) || !written)
            return;
        text += written;
        left -= written;
    }
}
