/* SPDX-License-Identifier: MIT */
/*
 * The environment of tests on Windows, under Wine: the registry leads the loader to the driver, which is Wine's, and to
 * the layer (scripts/suites/test-windows). There is nothing of OpenGL.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "harness/device/environment.h"
#include "harness/device/variation.h"
#include "harness/device/vulkan.h"

/* ---- Rights ---- */

typedef LONG(NTAPI *query_information_token)(HANDLE token, TOKEN_INFORMATION_CLASS kind, void *data, ULONG size,
                                             ULONG *needed);
static query_information_token query_information;

/* What ADVAPI32's function does, but for the answer to TokenIntegrityLevel. */
static BOOL WINAPI get_token_information(HANDLE token, TOKEN_INFORMATION_CLASS kind, void *data, DWORD size,
                                         DWORD *needed)
{
    const LONG status = query_information(token, kind, data, size, needed);
    if (status < 0) {
        SetLastError(ERROR_INSUFFICIENT_BUFFER);
        return FALSE;
    }
    if (kind == TokenIntegrityLevel) {
        const TOKEN_MANDATORY_LABEL *label = data;
        *GetSidSubAuthority(label->Label.Sid, *GetSidSubAuthorityCount(label->Label.Sid) - 1u) =
            SECURITY_MANDATORY_MEDIUM_RID;
    }
    return TRUE;
}

/*
 * Wine says of each process that it is run as an administrator, so that neither the loader nor the layer would believe
 * a variable. Programs of a user have medium integrity: from here on this one has, for the loader and the layer too.
 */
static void become_a_user(void)
{
    unsigned char jump[] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0}; /* mov rax, address; jmp rax */
    void *const to = (void *)(uintptr_t)get_token_information;
    DWORD before;
    void *const from = (void *)(uintptr_t)GetProcAddress(GetModuleHandleA("advapi32.dll"), "GetTokenInformation");
    query_information = (query_information_token)(void (*)(void))GetProcAddress(GetModuleHandleA("ntdll.dll"),
                                                                                "NtQueryInformationToken");
    memcpy(jump + 2, &to, sizeof(to));
    if (!from || !query_information || !VirtualProtect(from, sizeof(jump), PAGE_EXECUTE_READWRITE, &before))
        harness_fail("the rights of this process cannot be set");
    memcpy(from, jump, sizeof(jump));
    VirtualProtect(from, sizeof(jump), before, &before);
    FlushInstructionCache(GetCurrentProcess(), from, sizeof(jump));
}

/* ---- Variables ---- */

void harness_environment_vulkan(void)
{
    static bool done;
    if (done)
        return;
    done = true;
    become_a_user();
    /* These are meant for the Linux loader below Wine's driver, which has read them already. */
    static const char *const of_linux[] = {"VK_DRIVER_FILES", "VK_ICD_FILENAMES", "VK_LAYER_PATH", "VK_ADD_LAYER_PATH"};
    for (size_t i = 0; i < sizeof(of_linux) / sizeof(of_linux[0]); i++)
        unsetenv(of_linux[i]);
    setenv("VK_CLAMPLER_TIERS", "lazy", 0); /* as elsewhere: counters are compared */
}

void harness_environment_plant(const char *fault)
{
    if (fault)
        harness_fail("no fault is planted on Windows: %s", fault);
}

void harness_environment_gl(void)
{
}

void harness_environment_pin_libraries(void)
{
}

void harness_variation_device(const char *layers)
{
    (void)layers; /* the tests that run here have no variations */
}
