/* SPDX-License-Identifier: MIT */
/* Conversion of text by Windows' own functions. */
#include "platform/windows/wide.h"

#include <windows.h>

bool wide_from(const char *text, wchar_t *wide, size_t size)
{
    return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, (int)size) > 0 ||
           (GetLastError() == ERROR_NO_UNICODE_TRANSLATION &&
            MultiByteToWideChar(CP_ACP, 0, text, -1, wide, (int)size) > 0);
}

bool narrow_from(const wchar_t *wide, char *text, size_t size)
{
    return WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, (int)size, NULL, NULL) > 0;
}
