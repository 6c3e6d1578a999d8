/* SPDX-License-Identifier: MIT */
/*
 * The Windows form of layer/base/platform, and the layer as a DLL without a loader. Arguments: the layer, and a folder
 * in which `link` is a symbolic link to the folder `target`; it was made by the system below Wine.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <windows.h>

#include <cmocka.h>

#include <vulkan/vulkan.h>

#include <vulkan/vk_layer.h>

#include "platform/environment.h"
#include "platform/input.h"
#include "platform/library.h"
#include "platform/output.h"
#include "platform/paths.h"
#include "platform/threads.h"

#define SETTINGS_KEY L"SOFTWARE\\Khronos\\Vulkan\\Settings"

static const char *layer_path, *links;

/* ---- The system's word on the process ---- */

static DWORD integrity = SECURITY_MANDATORY_MEDIUM_RID;

extern BOOL(WINAPI *__real___imp_GetTokenInformation)(HANDLE, TOKEN_INFORMATION_CLASS, void *, DWORD, DWORD *);

/* Wine's word is always that its processes are an administrator's. */
static BOOL WINAPI word_on_token(HANDLE token, TOKEN_INFORMATION_CLASS which, void *about, DWORD size, DWORD *used)
{
    static SID level = {SID_REVISION, 1, {SECURITY_MANDATORY_LABEL_AUTHORITY}, {0}};
    if (which != TokenIntegrityLevel)
        return __real___imp_GetTokenInformation(token, which, about, size, used);
    level.SubAuthority[0] = integrity;
    *(TOKEN_MANDATORY_LABEL *)about = (TOKEN_MANDATORY_LABEL){{&level, SE_GROUP_INTEGRITY}};
    *used = sizeof(TOKEN_MANDATORY_LABEL);
    return TRUE;
}
BOOL(WINAPI *__wrap___imp_GetTokenInformation)
(HANDLE, TOKEN_INFORMATION_CLASS, void *, DWORD, DWORD *) = word_on_token;

/* ---- A folder of the test's own, with letters in its name that no code page of Western Europe has ---- */

static char own_folder[MAX_PATH];

static int make_folder(void **state)
{
    wchar_t temporary[MAX_PATH], wide[MAX_PATH];
    (void)state;
    GetTempPathW(MAX_PATH, temporary);
    bool made = false;
    for (DWORD i = 0; i < 1000 && !made; i++) { /* others are of tests that were ended */
        swprintf(wide, MAX_PATH, L"%lsclampler-Ж-%lu", temporary, i);
        made = CreateDirectoryW(wide, NULL);
    }
    return made && SetCurrentDirectoryW(wide) &&
                   WideCharToMultiByte(CP_UTF8, 0, wide, -1, own_folder, sizeof(own_folder), NULL, NULL)
               ? 0
               : -1;
}

static int remove_folder(void **state)
{
    wchar_t command[MAX_PATH + 32], wide[MAX_PATH];
    (void)state;
    MultiByteToWideChar(CP_UTF8, 0, own_folder, -1, wide, MAX_PATH);
    swprintf(command, MAX_PATH + 32, L"cmd /c rmdir /s /q \"%ls\"", wide);
    return SetCurrentDirectoryW(L"C:\\") ? _wsystem(command) : -1;
}

static void put(const char *path, enum output_mode mode, const char *text)
{
    FILE *file = output_open(path, mode);
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void expect_content(const char *path, const char *wanted)
{
    char text[256];
    bool refused;
    FILE *file = input_open(path, sizeof(text) - 1, &refused);
    assert_non_null(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, wanted);
}

/* ---- Environment ---- */

static void variables_are_the_systems_own_in_utf_8(void **state)
{
    (void)state;
    SetEnvironmentVariableW(L"Clampler_Test", L"Жук=1");
    struct environment environment = environment_open();
    assert_string_equal(environment_value(&environment, "CLAMPLER_TEST"), "\xd0\x96\xd1\x83\xd0\xba=1");
    assert_null(environment_value(&environment, "CLAMPLER_TES"));
    bool listed = false;
    for (const char *const *entry = environment.entries; *entry; entry++)
        listed |= !strcmp(*entry, "Clampler_Test=\xd0\x96\xd1\x83\xd0\xba=1");
    assert_true(listed);
    environment_close(&environment);
    SetEnvironmentVariableW(L"Clampler_Test", NULL);
    environment = environment_open();
    assert_null(environment_value(&environment, "CLAMPLER_TEST"));
    environment_close(&environment);
}

static void home_is_the_users_profile(void **state)
{
    (void)state;
    SetEnvironmentVariableW(L"HOME", NULL);
    SetEnvironmentVariableW(L"USERPROFILE", L"C:\\users\\somebody");
    struct environment environment = environment_open();
    assert_string_equal(environment_home(&environment), "C:\\users\\somebody");
    environment_close(&environment);
    SetEnvironmentVariableW(L"HOME", L"C:\\home");
    environment = environment_open();
    assert_string_equal(environment_home(&environment), "C:\\home");
    environment_close(&environment);
}

static void programs_of_more_than_medium_integrity_are_told_nothing(void **state)
{
    static const struct {
        DWORD level;
        bool privileged;
    } levels[] = {{SECURITY_MANDATORY_LOW_RID, false},
                  {SECURITY_MANDATORY_MEDIUM_RID, false},
                  {SECURITY_MANDATORY_MEDIUM_RID + 0x100, true},
                  {SECURITY_MANDATORY_HIGH_RID, true},
                  {SECURITY_MANDATORY_SYSTEM_RID, true}};
    (void)state;
    SetEnvironmentVariableW(L"CLAMPLER_TEST", L"here");
    for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++) {
        integrity = levels[i].level;
        assert_int_equal(environment_is_privileged(), levels[i].privileged);
        struct environment environment = environment_open();
        assert_int_equal(environment_value(&environment, "CLAMPLER_TEST") == NULL, levels[i].privileged);
        environment_close(&environment);
    }
    integrity = SECURITY_MANDATORY_MEDIUM_RID;
}

/* ---- Paths ---- */

static void a_program_knows_its_file_and_its_folder(void **state)
{
    char program[PATH_ROOM], folder[PATH_ROOM];
    (void)state;
    path_of_program(program, sizeof(program));
    assert_string_equal(strrchr(program, '\\'), "\\windows_test.exe");
    assert_string_equal(path_started_as(), program);
    assert_true(path_of_own_folder(folder));
    assert_int_equal(folder[strlen(folder) - 1], '\\');
    assert_int_equal(strncmp(program, folder, strlen(folder)), 0);
    assert_string_equal(program + strlen(folder), "windows_test.exe");
}

static void patterns_are_fnmatchs_in_any_case(void **state)
{
    static const struct {
        const char *pattern, *name;
        bool fits;
    } cases[] = {
        {"game.exe", "GAME.exe", true},
        {"game.exe", "game.ex", false},
        {"game", "game.exe", false},
        {"*", "", true},
        {"*", "anything", true},
        {"", "", true},
        {"", "a", false},
        {"old*.exe", "OldGame.exe", true},
        {"old*.exe", "OldGame.com", false},
        {"*a*b*c", "xxaxxbxxbxc", true},
        {"*a*b*c", "xxaxxcxxb", false},
        {"g?me", "game", true},
        {"g?me", "gme", false},
        {"game?", "game", false},
        {"[fg]ame", "Game", true},
        {"[!fg]ame", "game", false},
        {"[!fg]ame", "name", true},
        {"[a-f]1", "E1", true},
        {"[a-f]1", "g1", false},
        {"[]x]1", "]1", true},
        {"[ab", "[ab", true},
        {"[ab", "a", false},
        {"a\\*b", "a*b", true},
        {"a\\*b", "axb", false},
        {"a**b", "ab", true},
        {"*.exe*", "game.exe", true},
        {"[!a]", "", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        if (path_matches(cases[i].pattern, cases[i].name) != cases[i].fits)
            fail_msg("\"%s\" and \"%s\"", cases[i].pattern, cases[i].name);
    }
}

static void set_value(const wchar_t *path, DWORD value)
{
    assert_int_equal(RegSetKeyValueW(HKEY_CURRENT_USER, SETTINGS_KEY, path, REG_DWORD, &value, sizeof(value)),
                     ERROR_SUCCESS);
}

static void the_registry_names_vkconfigs_file(void **state)
{
    char path[PATH_ROOM], small[8];
    wchar_t wide[MAX_PATH];
    struct environment none = {.entries = NULL};
    (void)state;
    RegDeleteTreeW(HKEY_CURRENT_USER, SETTINGS_KEY);
    assert_false(path_of_vkconfigs_file(&none, "vk_layer_settings.txt", path, sizeof(path)));
    put("named.txt", OUTPUT_REPLACE, "text");
    assert_non_null(_wfullpath(wide, L"named.txt", MAX_PATH));
    set_value(L"C:\\nowhere\\vk_layer_settings.txt", 0);
    assert_false(path_of_vkconfigs_file(&none, "vk_layer_settings.txt", path, sizeof(path)));
    set_value(wide, 1); /* off */
    assert_false(path_of_vkconfigs_file(&none, "vk_layer_settings.txt", path, sizeof(path)));
    set_value(wide, 0);
    assert_true(path_of_vkconfigs_file(&none, "vk_layer_settings.txt", path, sizeof(path)));
    expect_content(path, "text");
    assert_false(path_of_vkconfigs_file(&none, "vk_layer_settings.txt", small, sizeof(small)));
    assert_int_equal(RegDeleteTreeW(HKEY_CURRENT_USER, SETTINGS_KEY), ERROR_SUCCESS);
}

/* ---- Files that are read ---- */

static void plain_files_of_the_right_size_are_read(void **state)
{
    bool refused = true;
    (void)state;
    put("input", OUTPUT_REPLACE, "a\r\nb\x1a");
    expect_content("input", "a\r\nb\x1a"); /* nothing is translated, and nothing ends it */
    assert_null(input_open("input", 4, &refused));
    assert_true(refused);
    assert_null(input_open("nothing", 5, &refused));
    assert_false(refused);
    assert_null(input_open(".", 5, &refused));
    assert_false(refused);
}

static void pipes_and_devices_are_refused(void **state)
{
    bool refused;
    (void)state;
    const HANDLE server =
        CreateNamedPipeW(L"\\\\.\\pipe\\clampler-test", PIPE_ACCESS_DUPLEX, PIPE_TYPE_BYTE, 2, 0, 0, 0, NULL);
    assert_ptr_not_equal(server, INVALID_HANDLE_VALUE);
    assert_null(input_open("\\\\.\\pipe\\clampler-test", 100, &refused));
    assert_true(refused);
    CloseHandle(server);
    assert_null(input_open("NUL", 100, &refused));
    assert_true(refused);
}

/* ---- Files that are written ---- */

static void lines_are_added_or_the_file_is_replaced(void **state)
{
    (void)state;
    put("lines", OUTPUT_APPEND, "one\n");
    struct output_log *first = output_open_log("lines"), *second = output_open_log("lines");
    assert_true(first && second);
    output_log_line(first, "two\n"); /* each where the other has ended, and at once */
    output_log_line(second, "three\n");
    output_log_line(first, "four\n");
    expect_content("lines", "one\ntwo\nthree\nfour\n");
    output_close_log(first);
    output_close_log(second);
    put("lines", OUTPUT_REPLACE, "5\n");
    expect_content("lines", "5\n");
}

static void names_are_utf_8(void **state)
{
    (void)state;
    put("\xd0\x96.log", OUTPUT_APPEND, "text");
    assert_int_not_equal(GetFileAttributesW(L"Ж.log"), INVALID_FILE_ATTRIBUTES);
}

static void devices_are_written_to_under_the_systems_names_alone(void **state)
{
    (void)state;
    put("NUL", OUTPUT_APPEND, "nowhere");
    assert_null(output_open("NUL", OUTPUT_REPLACE));
    assert_null(output_open(".\\NUL", OUTPUT_APPEND));
    const HANDLE server =
        CreateNamedPipeW(L"\\\\.\\pipe\\clampler-test", PIPE_ACCESS_DUPLEX, PIPE_TYPE_BYTE, 2, 0, 0, 0, NULL);
    assert_null(output_open("\\\\.\\pipe\\clampler-test", OUTPUT_APPEND));
    CloseHandle(server);
}

static void a_folder_cannot_be_exchanged_while_it_is_open(void **state)
{
    (void)state;
    struct output_folder *folder = output_open_folder("folder/");
    assert_non_null(folder);
    FILE *file = output_open_in(folder, "within", OUTPUT_REPLACE);
    assert_non_null(file);
    fputs("text", file);
    fclose(file);
    expect_content("folder\\within", "text");
    DeleteFileW(L"folder\\within");
    assert_false(RemoveDirectoryW(L"folder"));
    output_close_folder(folder);
    assert_true(RemoveDirectoryW(L"folder"));
    put("file", OUTPUT_APPEND, "");
    assert_null(output_open_folder("file"));
    assert_null(output_open_folder("no\\such\\folder"));
    assert_int_equal(errno, ENOENT);
}

/* By their names. Wine has no handle of a link itself, by which files and folders are judged when they are opened. */
static void links_are_known(void **state)
{
    char path[PATH_ROOM];
    (void)state;
    snprintf(path, sizeof(path), "%s/link", links);
    assert_true(output_is_refused_link(path));
    assert_non_null(strstr(output_reason(ELOOP), "symbolic link"));
    snprintf(path, sizeof(path), "%s/target", links);
    assert_false(output_is_refused_link(path));
    assert_false(output_is_refused_link("NUL"));
}

/* ---- Standard error; last, because one that was missing stays so ---- */

static void lines_go_to_standard_error_if_there_is_one(void **state)
{
    const HANDLE before = GetStdHandle(STD_ERROR_HANDLE);
    const HANDLE file = CreateFileW(L"error", GENERIC_WRITE, FILE_SHARE_READ, NULL, CREATE_ALWAYS, 0, NULL);
    (void)state;
    SetStdHandle(STD_ERROR_HANDLE, file);
    assert_true(output_has_standard_error());
    output_standard_error("a line\n");
    SetStdHandle(STD_ERROR_HANDLE, NULL);
    assert_false(output_has_standard_error());
    SetStdHandle(STD_ERROR_HANDLE, file);
    assert_false(output_has_standard_error());
    output_standard_error("not written\n");
    SetStdHandle(STD_ERROR_HANDLE, before);
    CloseHandle(file);
    expect_content("error", "a line\n");
}

/* ---- Threads ---- */

struct work {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool waits, go;
    int priority;
    thread_clock clock;
};

static void *work(void *user)
{
    struct work *work = user;
    thread_lower_priority();
    pthread_mutex_lock(&work->lock);
    work->priority = GetThreadPriority(GetCurrentThread());
    work->clock = thread_own_clock();
    work->waits = true;
    pthread_cond_broadcast(&work->changed);
    while (!work->go)
        pthread_cond_wait(&work->changed, &work->lock);
    pthread_mutex_unlock(&work->lock);
    return work;
}

static void workers_have_the_lowest_priority_and_end(void **state)
{
    struct work shared = {.waits = false};
    pthread_t thread;
    void *result = NULL;
    (void)state;
    pthread_mutex_init(&shared.lock, NULL);
    assert_true(thread_condition_init(&shared.changed));
    assert_true(thread_start(&thread, "clampler:tiers", work, &shared));
    pthread_mutex_lock(&shared.lock);
    while (!shared.waits)
        pthread_cond_wait(&shared.changed, &shared.lock);
    assert_int_equal(shared.priority, THREAD_PRIORITY_IDLE);
    assert_int_not_equal(shared.clock, thread_own_clock());
    assert_true(thread_worked(shared.clock) >= 0);
    shared.go = true;
    pthread_cond_broadcast(&shared.changed);
    pthread_mutex_unlock(&shared.lock);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, &shared);
    pthread_cond_destroy(&shared.changed);
    pthread_mutex_destroy(&shared.lock);
    assert_true(thread_processors() >= 1);
    assert_int_equal(thread_process(), GetCurrentProcessId());
}

/* It ends when the thread has worked for more than it had, however long that takes. */
static void work_takes_processor_time(void **state)
{
    const int64_t before = thread_worked(thread_own_clock());
    (void)state;
    while (thread_worked(thread_own_clock()) <= before)
        ;
    assert_int_equal(thread_worked(-1), 0);
}

static void waiting_ends_when_its_time_comes(void **state)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t never;
    (void)state;
    assert_true(thread_condition_init(&never));
    pthread_mutex_lock(&lock);
    const int64_t until = thread_time() + 20 * 1000 * 1000;
    while (thread_wait_until(&never, &lock, until))
        assert_true(thread_time() < until); /* woken by nobody */
    assert_true(thread_time() + 1000 * 1000 >= until);
    assert_false(thread_wait_until(&never, &lock, 0));
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&never);
}

/* ---- The layer ---- */

static PFN_vkVoidFunction layer_function(const VkNegotiateLayerInterface *layer, const char *name)
{
    const PFN_vkVoidFunction function = layer->pfnGetInstanceProcAddr(NULL, name);
    assert_non_null(function);
    return function;
}

static void the_layer_tells_its_names_without_a_loader(void **state)
{
    VkNegotiateLayerInterface layer = {.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT, .loaderLayerInterfaceVersion = 2};
    PFN_vkNegotiateLoaderLayerInterfaceVersion negotiate;
    VkExtensionProperties extensions[2];
    VkLayerProperties layers[2];
    uint32_t count = 2;
    void *library = library_open(layer_path);
    (void)state;
    assert_non_null(library);
    *(void **)&negotiate = library_function(library, "vkNegotiateLoaderLayerInterfaceVersion");
    assert_non_null(negotiate);
    assert_int_equal(negotiate(&layer), VK_SUCCESS);

    const PFN_vkEnumerateInstanceLayerProperties list_layers =
        (PFN_vkEnumerateInstanceLayerProperties)layer_function(&layer, "vkEnumerateInstanceLayerProperties");
    assert_int_equal(list_layers(&count, layers), VK_SUCCESS);
    assert_int_equal(count, 1);
    assert_string_equal(layers[0].layerName, "VK_LAYER_CLAMPLER_gl_sampler");

    const PFN_vkEnumerateDeviceExtensionProperties list_extensions =
        (PFN_vkEnumerateDeviceExtensionProperties)layer_function(&layer, "vkEnumerateDeviceExtensionProperties");
    count = 2;
    assert_int_equal(list_extensions(NULL, "VK_LAYER_CLAMPLER_gl_sampler", &count, extensions), VK_SUCCESS);
    assert_int_equal(count, 1);
    assert_string_equal(extensions[0].extensionName, "VK_CLAMPLER_gl_sampler");
    library_close(library);
}

static void the_layer_is_unloaded_as_often_as_it_is_loaded(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        void *library = library_open(layer_path);
        assert_non_null(library);
        assert_non_null(GetModuleHandleW(L"VkLayer_clampler_gl_sampler.dll"));
        library_close(library);
        assert_null(GetModuleHandleW(L"VkLayer_clampler_gl_sampler.dll"));
    }
}

/* The layer does so with its first instance: what threads have of it has no end of its own. */
static VKAPI_ATTR VkResult VKAPI_CALL fail_to_create(const VkInstanceCreateInfo *info,
                                                     const VkAllocationCallbacks *callbacks, VkInstance *instance)
{
    (void)info, (void)callbacks, (void)instance;
    return VK_ERROR_INCOMPATIBLE_DRIVER;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL below(VkInstance instance, const char *name)
{
    (void)instance;
    return !strcmp(name, "vkCreateInstance") ? (PFN_vkVoidFunction)fail_to_create : NULL;
}

static void the_layer_stays_once_an_instance_was_asked_for(void **state)
{
    VkNegotiateLayerInterface layer = {.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT, .loaderLayerInterfaceVersion = 2};
    VkLayerInstanceLink next = {.pfnNextGetInstanceProcAddr = below};
    const VkLayerInstanceCreateInfo link = {
        .sType = VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO, .function = VK_LAYER_LINK_INFO, .u.pLayerInfo = &next};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pNext = &link};
    PFN_vkNegotiateLoaderLayerInterfaceVersion negotiate;
    VkInstance instance = NULL;
    void *library = library_open(layer_path);
    (void)state;
    *(void **)&negotiate = library_function(library, "vkNegotiateLoaderLayerInterfaceVersion");
    assert_int_equal(negotiate(&layer), VK_SUCCESS);
    const PFN_vkCreateInstance create = (PFN_vkCreateInstance)layer_function(&layer, "vkCreateInstance");
    assert_int_equal(create(&info, NULL, &instance), VK_ERROR_INCOMPATIBLE_DRIVER);
    library_close(library);
    assert_non_null(GetModuleHandleW(L"VkLayer_clampler_gl_sampler.dll"));
}

static void libraries_are_not_taken_out_of_the_working_folder(void **state)
{
    wchar_t layer[MAX_PATH];
    (void)state;
    MultiByteToWideChar(CP_UTF8, 0, layer_path, -1, layer, MAX_PATH);
    assert_true(CopyFileW(layer, L"clampler-beside.dll", FALSE));
    assert_null(library_open("clampler-beside.dll"));
    void *library = library_open(".\\clampler-beside.dll");
    assert_non_null(library);
    assert_null(library_function(library, "vkCreateInstance"));
    library_close(library);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_are_the_systems_own_in_utf_8),
        cmocka_unit_test(home_is_the_users_profile),
        cmocka_unit_test(programs_of_more_than_medium_integrity_are_told_nothing),
        cmocka_unit_test(a_program_knows_its_file_and_its_folder),
        cmocka_unit_test(patterns_are_fnmatchs_in_any_case),
        cmocka_unit_test(the_registry_names_vkconfigs_file),
        cmocka_unit_test(plain_files_of_the_right_size_are_read),
        cmocka_unit_test(pipes_and_devices_are_refused),
        cmocka_unit_test(lines_are_added_or_the_file_is_replaced),
        cmocka_unit_test(names_are_utf_8),
        cmocka_unit_test(devices_are_written_to_under_the_systems_names_alone),
        cmocka_unit_test(a_folder_cannot_be_exchanged_while_it_is_open),
        cmocka_unit_test(links_are_known),
        cmocka_unit_test(workers_have_the_lowest_priority_and_end),
        cmocka_unit_test(work_takes_processor_time),
        cmocka_unit_test(waiting_ends_when_its_time_comes),
        cmocka_unit_test(the_layer_tells_its_names_without_a_loader),
        cmocka_unit_test(the_layer_is_unloaded_as_often_as_it_is_loaded),
        cmocka_unit_test(libraries_are_not_taken_out_of_the_working_folder),
        cmocka_unit_test(the_layer_stays_once_an_instance_was_asked_for),
        cmocka_unit_test(lines_go_to_standard_error_if_there_is_one),
    };
    static char layer[MAX_PATH], folder[MAX_PATH];
    if (argc != 3 || !_fullpath(layer, argv[1], MAX_PATH) || !_fullpath(folder, argv[2], MAX_PATH))
        return 2;
    layer_path = layer;
    links = folder;
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
