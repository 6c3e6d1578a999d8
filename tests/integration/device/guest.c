/* SPDX-License-Identifier: MIT */
/*
 * The manners of a guest: a program's signals, threads, callbacks and end are as without the layer, while the layer
 * compiles on threads of its own and for draws. Its stack: guest_stack.c.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/device/environment.h"
#include "integration/layers/faults.h"
#include "integration/device/layer_locks.h"
#include "integration/shared/parts.h"
#include "integration/layers/talker_layer/talker.h"
#include "integration_guest_single.h"

static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
static struct talker_control *talker;

struct fixture {
    struct scene scene;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set;
};

static void finish_fixture(struct fixture *f)
{
    harness_one_set(&f->scene.vk, &binding, 1, &f->set_layout, &f->layout, &f->set);
}

static void open_fixture(struct fixture *f, const char *tiers, const struct harness_vulkan_params *params)
{
    memset(f, 0, sizeof(*f));
    scene_open_with_setting(&f->scene, "TIERS", tiers, params);
    finish_fixture(f);
}

static void close_fixture(struct fixture *f)
{
    harness_layouts_destroy(&f->scene.vk, f->layout, f->set_layout);
    scene_close(&f->scene);
}

static VkPipeline make(struct fixture *f)
{
    return harness_graphics_pipeline(
        &f->scene.vk, &f->scene.target,
        &(struct harness_graphics_params){.fragment = HARNESS_SPIRV(integration_guest_single), .layout = f->layout});
}

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 5 * 1000 * 1000}, NULL);
}

static void wait_for(const struct fixture *f, uint64_t ahead)
{
    for (unsigned i = 0; i < 12000 && harness_counters(&f->scene.vk).compiled_ahead < ahead; i++)
        nap();
    assert_true(harness_counters(&f->scene.vk).compiled_ahead >= ahead);
}

/* ---- Callbacks ---- */

static pthread_t program;
static _Atomic(uint32_t) heard, strange, locked;
static int leave_by = -1; /* the status to exit() with in a callback */

static void hear(const char *text)
{
    atomic_fetch_add(&heard, strstr(text, TALKER_TEXT) != NULL);
    atomic_fetch_add(&strange, !pthread_equal(pthread_self(), program));
    atomic_fetch_add(&locked, layer_locks_held() != 0);
    if (leave_by >= 0)
        exit(leave_by);
}

static VKAPI_ATTR VkBool32 VKAPI_CALL listen(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                             VkDebugUtilsMessageTypeFlagsEXT types,
                                             const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    (void)severity, (void)types;
    assert_ptr_equal(user, &heard);
    if (!strcmp(data->pMessage, TALKER_TEXT)) {
        assert_string_equal(data->pMessageIdName, "tables");
        assert_string_equal(data->pObjects[0].pObjectName, "tables");
    }
    hear(data->pMessage);
    return VK_FALSE;
}

static VKAPI_ATTR VkBool32 VKAPI_CALL listen_to_reports(VkDebugReportFlagsEXT flags, VkDebugReportObjectTypeEXT type,
                                                        uint64_t object, size_t location, int32_t code,
                                                        const char *prefix, const char *text, void *user)
{
    (void)type, (void)object;
    assert_ptr_equal(user, &strange);
    if (!strcmp(text, TALKER_TEXT)) {
        assert_int_equal(flags, VK_DEBUG_REPORT_INFORMATION_BIT_EXT);
        assert_int_equal(location, 1);
        assert_int_equal(code, 2);
        assert_string_equal(prefix, "tables");
    }
    hear(text);
    return VK_FALSE;
}

struct listeners {
    VkDebugUtilsMessengerEXT messenger;
    VkDebugReportCallbackEXT callback;
};

static const char *const report[] = {VK_EXT_DEBUG_REPORT_EXTENSION_NAME};
#define TALKED .layers = "clampler:" TALKER_LAYER, .instance_extensions = report, .instance_extension_count = 1

#define INSTANCE_PROC(f, NAME) ((PFN_##NAME)vkGetInstanceProcAddr((f)->scene.vk.instance, #NAME))

static void listen_begin(struct fixture *f, struct listeners *l)
{
    const VkDebugUtilsMessengerCreateInfoEXT utils = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
                                                      .messageSeverity =
                                                          VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT |
                                                          VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                                                          VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                                                      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
                                                      .pfnUserCallback = listen,
                                                      .pUserData = &heard};
    const VkDebugReportCallbackCreateInfoEXT reports = {.sType =
                                                            VK_STRUCTURE_TYPE_DEBUG_REPORT_CALLBACK_CREATE_INFO_EXT,
                                                        .flags = VK_DEBUG_REPORT_INFORMATION_BIT_EXT,
                                                        .pfnCallback = listen_to_reports,
                                                        .pUserData = &strange};
    program = pthread_self();
    atomic_store(&heard, 0);
    atomic_store(&strange, 0);
    atomic_store(&locked, 0);
    atomic_store(&talker->said, 0);
    atomic_store(&talker->compiled, 0);
    atomic_store(&talker->milliseconds, 0);
    layer_locks_begin();
    HARNESS_VK(INSTANCE_PROC(f, vkCreateDebugUtilsMessengerEXT)(f->scene.vk.instance, &utils, NULL, &l->messenger));
    HARNESS_VK(INSTANCE_PROC(f, vkCreateDebugReportCallbackEXT)(f->scene.vk.instance, &reports, NULL, &l->callback));
}

static void listen_end(struct fixture *f, struct listeners *l)
{
    INSTANCE_PROC(f, vkDestroyDebugUtilsMessengerEXT)(f->scene.vk.instance, l->messenger, NULL);
    INSTANCE_PROC(f, vkDestroyDebugReportCallbackEXT)(f->scene.vk.instance, l->callback, NULL);
}

/* Messages of what is below, while workers compile and while a draw waits. */
static void callbacks_run_on_the_threads_of_calls_and_under_no_lock(void **state)
{
    (void)state;
    static const char *const tiers[] = {"ahead", "lazy", "eager"};
    for (unsigned i = 0; i < 3; i++) {
        struct fixture f;
        struct listeners l;
        open_fixture(&f, tiers[i], &(struct harness_vulkan_params){TALKED});
        listen_begin(&f, &l);
        VkPipeline pipeline = make(&f);
        if (!i)
            wait_for(&f, 2);
        scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_CLAMP, 1);
        scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_MIXED, 2);
        assert_int_equal(harness_counters(&f.scene.vk).compiled_at_draws, i == 1 ? 2 : 0);
        assert_true(atomic_load(&talker->compiled) >= 3);
        assert_int_equal(atomic_load(&heard), atomic_load(&talker->said)); /* the next calls have come */
        assert_int_equal(atomic_load(&talker->said), 2 * atomic_load(&talker->compiled));
        assert_int_equal(atomic_load(&strange), 0);
        assert_int_equal(atomic_load(&locked), 0);
        harness_graphics_pipeline_destroy(&f.scene.vk, pipeline);
        listen_end(&f, &l);
        close_fixture(&f);
    }
}

enum { MANY = 24 };

/* Vulkan allows that only where no other command runs (vkDestroyDebugUtilsMessengerEXT): the talker sees to it. */
static void messengers_go_while_no_worker_compiles(void **state)
{
    (void)state;
    struct fixture f;
    VkPipeline pipelines[MANY];
    open_fixture(&f, "ahead", &(struct harness_vulkan_params){TALKED});
    for (unsigned round = 0; round < 4; round++) {
        struct listeners l;
        listen_begin(&f, &l);
        for (unsigned i = 0; i < MANY; i++)
            pipelines[i] = make(&f);
        atomic_store(&talker->milliseconds, 3);
        for (unsigned i = 0; i < 200 && !atomic_load(&talker->compiling); i++)
            nap();
        listen_end(&f, &l);
        assert_int_equal(atomic_load(&strange), 0);
        for (unsigned i = 0; i < MANY; i++)
            vkDestroyPipeline(f.scene.vk.device, pipelines[i], NULL);
    }
    atomic_store(&talker->milliseconds, 0);
    close_fixture(&f);
}

/* A worker destroys what was destroyed while it compiled for it, and compiles nothing afterwards. */
static void what_workers_say_at_their_end_is_heard(void **state)
{
    (void)state;
    struct fixture f;
    struct listeners l;
    open_fixture(&f, "ahead", &(struct harness_vulkan_params){TALKED});
    listen_begin(&f, &l);
    atomic_store(&talker->milliseconds, 100);
    VkPipeline pipeline = make(&f);
    for (unsigned i = 0; i < 2000 && !atomic_load(&talker->compiling); i++)
        nap();
    assert_true(atomic_load(&talker->compiling) > 0);
    atomic_store(&talker->destruction, true);
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    for (unsigned i = 0; i < 2000 && atomic_load(&talker->compiling); i++)
        nap();
    listen_end(&f, &l); /* waits for workers, and for what they say */
    atomic_store(&talker->destruction, false);
    atomic_store(&talker->milliseconds, 0);
    assert_true(atomic_load(&talker->said) > 2 * atomic_load(&talker->compiled));
    assert_int_equal(atomic_load(&heard), atomic_load(&talker->said));
    assert_int_equal(atomic_load(&strange), 0);
    close_fixture(&f);
}

/* What the layer itself takes, beside what others do with the same callbacks. */
static void *taken[8];

static uint32_t count_taken(void)
{
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
        count += taken[i] != NULL;
    return count;
}

/* Puts `to` where `from` is. */
static void change_taken(const void *from, void *to)
{
    for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
        if (taken[i] == from) {
            taken[i] = to;
            return;
        }
    assert_non_null(from); /* there is room */
}

/* What there is before memory runs out, for callbacks that have this for their user's data. */
struct allowance {
    unsigned left;
    bool ran_out;
};

static VKAPI_ATTR void *VKAPI_CALL take(void *user, size_t size, size_t alignment, VkSystemAllocationScope scope)
{
    struct allowance *allowance = user;
    (void)scope;
    if (allowance && !allowance->left) {
        allowance->ran_out = true;
        return NULL;
    }
    if (allowance)
        allowance->left--;
    void *memory = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (layer_has(__builtin_return_address(0)))
        change_taken(NULL, memory);
    return memory;
}

/* Nobody asks for another size here. */
static VKAPI_ATTR void *VKAPI_CALL take_again(void *user, void *before, size_t size, size_t alignment,
                                              VkSystemAllocationScope scope)
{
    (void)user, (void)before, (void)size, (void)alignment, (void)scope;
    return NULL;
}

static VKAPI_ATTR void VKAPI_CALL give_back(void *user, void *memory)
{
    (void)user;
    if (memory)
        change_taken(memory, NULL);
    free(memory);
}

/* Of both kinds, in either order. */
static void messengers_give_back_what_they_took(void **state)
{
    (void)state;
    const VkAllocationCallbacks callbacks = {
        .pfnAllocation = take, .pfnReallocation = take_again, .pfnFree = give_back};
    const VkDebugUtilsMessengerCreateInfoEXT utils = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
                                                      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                                                      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
                                                      .pfnUserCallback = listen,
                                                      .pUserData = &heard};
    const VkDebugReportCallbackCreateInfoEXT reports = {.sType =
                                                            VK_STRUCTURE_TYPE_DEBUG_REPORT_CALLBACK_CREATE_INFO_EXT,
                                                        .flags = VK_DEBUG_REPORT_ERROR_BIT_EXT,
                                                        .pfnCallback = listen_to_reports,
                                                        .pUserData = &strange};
    struct fixture f;
    open_fixture(&f, "lazy", &(struct harness_vulkan_params){TALKED});
    const VkInstance instance = f.scene.vk.instance;
    layer_locks_begin();
    for (unsigned order = 0; order < 2; order++) {
        struct listeners l;
        HARNESS_VK(INSTANCE_PROC(&f, vkCreateDebugUtilsMessengerEXT)(instance, &utils, &callbacks, &l.messenger));
        HARNESS_VK(INSTANCE_PROC(&f, vkCreateDebugReportCallbackEXT)(instance, &reports, &callbacks, &l.callback));
        assert_int_equal(count_taken(), 2);
        for (unsigned i = 0; i < 2; i++) {
            if (i == order)
                INSTANCE_PROC(&f, vkDestroyDebugUtilsMessengerEXT)(instance, l.messenger, &callbacks);
            else
                INSTANCE_PROC(&f, vkDestroyDebugReportCallbackEXT)(instance, l.callback, &callbacks);
            assert_int_equal(count_taken(), 1 - i);
        }
    }
    close_fixture(&f);
}

/* Wherever memory runs out, in the layer or below, nothing is left and the program is told. */
static void messengers_that_find_no_memory_leave_nothing(void **state)
{
    (void)state;
    struct allowance allowance;
    const VkAllocationCallbacks callbacks = {
        .pUserData = &allowance, .pfnAllocation = take, .pfnReallocation = take_again, .pfnFree = give_back};
    const VkDebugUtilsMessengerCreateInfoEXT utils = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
                                                      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                                                      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
                                                      .pfnUserCallback = listen,
                                                      .pUserData = &heard};
    const VkDebugReportCallbackCreateInfoEXT reports = {.sType =
                                                            VK_STRUCTURE_TYPE_DEBUG_REPORT_CALLBACK_CREATE_INFO_EXT,
                                                        .flags = VK_DEBUG_REPORT_ERROR_BIT_EXT,
                                                        .pfnCallback = listen_to_reports,
                                                        .pUserData = &strange};
    uint32_t loader = 0;
    HARNESS_VK(vkEnumerateInstanceVersion(&loader));
    if (loader >= VK_MAKE_API_VERSION(0, 1, 4, 0) && loader < VK_MAKE_API_VERSION(0, 1, 4, 363)) {
        print_message("lavapipe of this loader's time (25.0.7) crashes where it has found no memory for a messenger\n");
        skip();
    }
    struct fixture f;
    open_fixture(&f, "lazy", &(struct harness_vulkan_params){TALKED});
    const VkInstance instance = f.scene.vk.instance;
    layer_locks_begin();
    for (unsigned kind = 0; kind < 2; kind++) {
        unsigned found_none = 0;
        for (VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY; result != VK_SUCCESS && found_none < 100;
             found_none += result != VK_SUCCESS) {
            struct listeners l = {0};
            allowance = (struct allowance){.left = found_none};
            result =
                kind ? INSTANCE_PROC(&f, vkCreateDebugUtilsMessengerEXT)(instance, &utils, &callbacks, &l.messenger)
                     : INSTANCE_PROC(&f, vkCreateDebugReportCallbackEXT)(instance, &reports, &callbacks, &l.callback);
            assert_int_equal(result, allowance.ran_out ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_SUCCESS);
            assert_int_equal(count_taken(), result == VK_SUCCESS);
            if (result == VK_SUCCESS && kind)
                INSTANCE_PROC(&f, vkDestroyDebugUtilsMessengerEXT)(instance, l.messenger, &callbacks);
            else if (result == VK_SUCCESS)
                INSTANCE_PROC(&f, vkDestroyDebugReportCallbackEXT)(instance, l.callback, &callbacks);
            assert_int_equal(count_taken(), 0);
        }
        assert_true(found_none > 1 && found_none < 100); /* the layer's, and others' below it */
    }
    close_fixture(&f);
}

/* ---- The end ---- */

static int end_of(const char *what)
{
    int status = -1;
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        execl("/proc/self/exe", "integration_guest", what, (char *)NULL);
        _exit(1);
    }
    for (unsigned i = 0; i < 6000; i++) {
        if (waitpid(child, &status, WNOHANG) == child)
            return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
        nap();
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return -1;
}

/* The first message that comes while much is compiled ends the process. */
static int leave_in_a_callback(void)
{
    struct fixture f;
    struct listeners l;
    open_fixture(&f, "ahead", &(struct harness_vulkan_params){TALKED});
    listen_begin(&f, &l);
    for (unsigned i = 0; i < MANY; i++) {
        leave_by = i < MANY / 2 ? -1 : 3;
        make(&f);
    }
    return 1;
}

/* While workers compile, whose driver has made static objects since the device came. */
static int leave_while_workers_compile(void)
{
    struct fixture f;
    open_fixture(&f, "ahead", &(struct harness_vulkan_params){TALKED});
    for (unsigned i = 0; i < 8; i++)
        make(&f);
    atomic_store(&talker->milliseconds, 100);
    for (unsigned i = 0; i < 200 && !atomic_load(&talker->compiling); i++)
        nap();
    exit(0);
}

/* While a worker compiles, whose driver has made static objects for that. */
static int leave_beside_new_statics(void)
{
    struct fixture f;
    open_fixture(&f, "ahead", &(struct harness_vulkan_params){TALKED});
    atomic_store(&talker->others_only, true);
    atomic_store(&talker->milliseconds, 100);
    make(&f);
    for (unsigned i = 0; i < 2000 && !atomic_load(&talker->made); i++)
        nap();
    exit(atomic_load(&talker->made) && atomic_load(&talker->compiling) ? 0 : 1);
}

static struct fixture drawn;

static void *draw_late(void *user)
{
    (void)user;
    VkPipeline pipeline = make(&drawn);
    atomic_store(&talker->milliseconds, 200);
    scene_write(&drawn.scene, drawn.set, 0, 0, SCENE_COMBINED, SCENE_MIXED, SCENE_STEPS);
    /* Nothing is submitted: the driver compiles by itself then, on threads that no layer ends. */
    VkCommandBuffer commands = scene_begin(&drawn.scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, drawn.layout, 0, 1, &drawn.set, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    return NULL;
}

/* While a thread of the program's waits for a helper at a draw. */
static int leave_while_a_draw_waits(void)
{
    pthread_t thread;
    open_fixture(&drawn, "lazy", &(struct harness_vulkan_params){TALKED});
    if (pthread_create(&thread, NULL, draw_late, NULL))
        return 1;
    for (unsigned i = 0; i < 2000 && (atomic_load(&talker->milliseconds) == 0 || !atomic_load(&talker->compiling)); i++)
        nap();
    exit(0);
}

static void a_process_may_end_at_any_time(void **state)
{
    (void)state;
#if HARNESS_SANITIZED
    skip(); /* all of it is a leak */
#endif
    assert_int_equal(end_of("callback"), 3);
    assert_int_equal(end_of("statics"), 0);
    assert_int_equal(end_of("new statics"), 0);
    assert_int_equal(end_of("draw"), 0);
}

/* ---- Signals and refused calls ---- */

static _Atomic(uint32_t) trapped;

/* As sandboxes do: the call is refused by the handler, in the place of the kernel. */
static void refuse(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)info;
    ucontext_t *state = context;
    atomic_fetch_add(&trapped, 1);
#if defined(__x86_64__)
    state->uc_mcontext.gregs[REG_RAX] = -EPERM;
#elif defined(__aarch64__)
    state->uc_mcontext.regs[0] = (uint64_t)-EPERM;
#else
    (void)state;
#endif
}

static bool filter(const int *calls, unsigned count, uint32_t answer)
{
    struct sock_filter program[32] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    unsigned length = 1;
    for (unsigned i = 0; i < count; i++)
        program[length++] =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i], (uint8_t)(count - i), 0);
    program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, answer);
    const struct sock_fprog all = {(unsigned short)length, program};
    return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all);
}

/* A filter that answers by SIGSYS what workers ask of the system, and a program that handles it. */
static int sandboxed(void)
{
    static const int calls[] = {SYS_sched_setscheduler, SYS_setpriority, SYS_prctl};
    struct fixture f;
    const struct sigaction action = {.sa_sigaction = refuse, .sa_flags = SA_SIGINFO};
    if (sigaction(SIGSYS, &action, NULL) || !filter(calls, 3, SECCOMP_RET_TRAP))
        return 77;
    open_fixture(&f, "ahead", &(struct harness_vulkan_params){.layers = "clampler"});
    VkPipeline pipeline = make(&f);
    wait_for(&f, 2);
    scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_MIXED, 2);
    harness_graphics_pipeline_destroy(&f.scene.vk, pipeline);
    close_fixture(&f);
    return atomic_load(&trapped) ? 0 : 1;
}

/* No thread can be started any more: draws compile on their own. */
static int without_threads(const char *tiers)
{
    static const int calls[] = {SYS_clone, SYS_clone3};
    struct fixture f;
    open_fixture(&f, tiers, &(struct harness_vulkan_params){.layers = "clampler"});
    /* The driver has its threads. */
    if (!filter(calls, 2, SECCOMP_RET_ERRNO | EPERM))
        return 77;
    VkPipeline pipeline = make(&f);
    scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_MIXED, 2);
    const bool right = harness_counters(&f.scene.vk).compiled_at_draws == 1;
    harness_graphics_pipeline_destroy(&f.scene.vk, pipeline);
    close_fixture(&f);
    return right ? 0 : 1;
}

static void refused_calls_are_survived(void **state)
{
    (void)state;
#if HARNESS_SANITIZED
    skip(); /* which want the calls themselves */
#endif
    static const char *const what[] = {"sandboxed", "no threads, lazy", "no threads, ahead"};
    for (unsigned i = 0; i < 3; i++) {
        const int status = end_of(what[i]);
        if (status == 77)
            print_message("skipped: there are no filters here\n");
        else
            assert_int_equal(status, 0);
    }
}

/* ---- The log ---- */

/* Lines that say a draw waited are there exactly where draws_waited counts one. */
static void the_log_says_that_a_draw_waited_where_one_did(void **state)
{
    (void)state;
    char name[] = "/tmp/clampler-guest-XXXXXX", line[1000];
    const int log = mkstemp(name);
    unsigned compiled = 0, waited = 0;
    struct fixture f;
    assert_true(log >= 0);
    close(log);
    setenv("VK_CLAMPLER_LOG_LEVEL", "info", 1);
    setenv("VK_CLAMPLER_LOG_FILE", name, 1);
    open_fixture(&f, "lazy", NULL);
    unsetenv("VK_CLAMPLER_LOG_LEVEL");
    unsetenv("VK_CLAMPLER_LOG_FILE");
    VkPipeline pipeline = make(&f);
    scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_CLAMP, 1);
    scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_MIXED, 2);
    assert_int_equal(harness_counters(&f.scene.vk).draws_waited, 0);
    harness_graphics_pipeline_destroy(&f.scene.vk, pipeline);
    close_fixture(&f);
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file)) {
        compiled += strstr(line, "at a draw") != NULL;
        waited += strstr(line, "waited") != NULL;
    }
    fclose(file);
    unlink(name);
    assert_int_equal(compiled, 2);
    assert_int_equal(waited, 0);
}

int main(int argc, char **argv)
{
    talker = test_layer_open("talker", TALKER_CONTROL_SYMBOL);
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "callback"))
        return leave_in_a_callback();
    if (!strcmp(what, "statics"))
        return leave_while_workers_compile();
    if (!strcmp(what, "new statics"))
        return leave_beside_new_statics();
    if (!strcmp(what, "draw"))
        return leave_while_a_draw_waits();
    if (!strcmp(what, "sandboxed"))
        return sandboxed();
    if (!strncmp(what, "no threads, ", 12))
        return without_threads(what + 12);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callbacks_run_on_the_threads_of_calls_and_under_no_lock),
        cmocka_unit_test(messengers_go_while_no_worker_compiles),
        cmocka_unit_test(what_workers_say_at_their_end_is_heard),
        cmocka_unit_test(messengers_give_back_what_they_took),
        cmocka_unit_test(messengers_that_find_no_memory_leave_nothing),
        cmocka_unit_test(a_process_may_end_at_any_time),
        cmocka_unit_test(refused_calls_are_survived),
        cmocka_unit_test(the_log_says_that_a_draw_waited_where_one_did),
    };
    return cmocka_run_group_tests_name("guest", tests, NULL, NULL);
}
