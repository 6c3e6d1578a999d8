/* SPDX-License-Identifier: MIT */
/*
 * Opens regular files to read, on Windows. A name may lead to a device (CON, COM1) or to the pipe of another process:
 * both are found out by the handle before anything is read, so that the pipe's server sees nothing but a connection.
 */
#include "platform/input.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include "platform/paths.h"
#include "platform/windows/wide.h"

enum found { NOTHING, PLAIN, OTHER };

static enum found what_is(HANDLE handle, long most)
{
    BY_HANDLE_FILE_INFORMATION about;
    if (GetFileType(handle) != FILE_TYPE_DISK)
        return OTHER;
    if (!GetFileInformationByHandle(handle, &about) || (about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY))
        return NOTHING;
    return about.nFileSizeHigh || about.nFileSizeLow > (DWORD)most ? OTHER : PLAIN;
}

FILE *input_open(const char *path, long most, bool *refused)
{
    wchar_t wide[PATH_ROOM];
    *refused = false;
    if (!wide_from(path, wide, PATH_ROOM))
        return NULL;
    const HANDLE handle = CreateFileW(wide, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                      OPEN_EXISTING, SECURITY_SQOS_PRESENT | SECURITY_ANONYMOUS, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        return NULL;
    const enum found found = what_is(handle, most);
    *refused = found == OTHER;
    const int descriptor =
        found == PLAIN ? _open_osfhandle((intptr_t)handle, _O_RDONLY | _O_BINARY | _O_NOINHERIT) : -1;
    if (descriptor < 0) {
        CloseHandle(handle);
        return NULL;
    }
    FILE *file = _fdopen(descriptor, "rb");
    if (!file)
        _close(descriptor);
    return file;
}
