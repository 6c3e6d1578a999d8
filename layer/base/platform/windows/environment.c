/* SPDX-License-Identifier: MIT */
/*
 * The environment of a process on Windows. The C library has a copy of the variables in a code page, which another C
 * library in the same process does not change; so they are asked of the system.
 */
#include "platform/environment.h"

#include <stdlib.h>
#include <string.h>
#include <windows.h>

/* A block of NAME=value, each with a zero behind it, that ends in an empty one. */
static size_t block_length(const wchar_t *block, size_t *count)
{
    const wchar_t *at = block;
    for (*count = 0; *at; ++*count)
        at += wcslen(at) + 1;
    return (size_t)(at - block);
}

/* The pointers and the text behind them, in one piece. */
static char **copy_block(const wchar_t *block)
{
    size_t count;
    const int length = (int)block_length(block, &count);
    const int bytes = length ? WideCharToMultiByte(CP_UTF8, 0, block, length, NULL, 0, NULL, NULL) : 0;
    char **entries = malloc((count + 1) * sizeof(*entries) + (size_t)bytes);
    if (!entries)
        return NULL;
    char *text = (char *)(entries + count + 1);
    if (bytes)
        WideCharToMultiByte(CP_UTF8, 0, block, length, text, bytes, NULL, NULL);
    for (size_t i = 0; i < count; i++) {
        entries[i] = text;
        text += strlen(text) + 1;
    }
    entries[count] = NULL;
    return entries;
}

struct environment environment_open(void)
{
    wchar_t *block = GetEnvironmentStringsW();
    char **entries = block ? copy_block(block) : NULL;
    if (block)
        FreeEnvironmentStringsW(block);
    return (struct environment){.entries = (const char *const *)entries, .copy = entries};
}

void environment_close(struct environment *environment)
{
    free(environment->copy);
    *environment = (struct environment){.entries = NULL};
}

/* Names of variables are the same in any case. */
const char *environment_value(const struct environment *environment, const char *name)
{
    const size_t length = strlen(name);
    if (!environment->entries || environment_is_privileged())
        return NULL;
    for (const char *const *entry = environment->entries; *entry; entry++) {
        if (!_strnicmp(*entry, name, length) && (*entry)[length] == '=')
            return *entry + length + 1;
    }
    return NULL;
}

const char *environment_home(const struct environment *environment)
{
    const char *home = environment_value(environment, "HOME");
    return home && *home ? home : environment_value(environment, "USERPROFILE");
}

/* The integrity level is the last part of its SID. What cannot be found out is believed to be high. */
static bool is_high_integrity(HANDLE token)
{
    union {
        TOKEN_MANDATORY_LABEL label;
        unsigned char bytes[sizeof(TOKEN_MANDATORY_LABEL) + SECURITY_MAX_SID_SIZE];
    } level;
    DWORD size;
    if (!GetTokenInformation(token, TokenIntegrityLevel, &level, sizeof(level), &size))
        return true;
    const DWORD parts = *GetSidSubAuthorityCount(level.label.Label.Sid);
    return !parts || *GetSidSubAuthority(level.label.Label.Sid, parts - 1) > SECURITY_MANDATORY_MEDIUM_RID;
}

bool environment_is_privileged(void)
{
    HANDLE token;
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token))
        return true;
    const bool high = is_high_integrity(token);
    CloseHandle(token);
    return high;
}
