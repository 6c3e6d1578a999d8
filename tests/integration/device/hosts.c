/* SPDX-License-Identifier: MIT */
/*
 * Processes of every kind as hosts of the layer: that fork, exit, load and unload, are locked up, have little of what a
 * process has, or another language. Each is a process of its own that does the same work several times: with the driver
 * alone, and with the layer, whose tiers are compiled when needed, ahead or at once, or which offers whatever the
 * driver lacks. The layer is judged by the difference: what the driver does not survive alone is said, and nothing can
 * be said of the layer there. Its signals, callbacks and ends beside compilations: guest.c. Its stack: guest_stack.c.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/device/environment.h"
#include "integration/device/layer_locks.h"
#include "integration/shared/scene.h"
#include "integration_hosts_single.h"

enum { UNABLE = 77, LAYER_CRASHED = 99, OTHERS_CRASHED = 98, PATIENCE = 120 };

/* How the process is: its own state, set in main() from its arguments. */
static struct {
    bool layer;        /* the layer is there, and draws with all tiers */
    const char *tiers; /* its setting */
    bool offers;       /* likewise: offer=missing */
} host;

/* What a process says beside its status: numbers, in memory that it shares with the one that started it. */
static _Atomic(uint64_t) *report;
enum { REPORTS = 8 };

/* ---- What happens in front of calls, in the place of the loader's functions ---- */

static void (*before_instance)(void), (*before_device)(void);

#define LOADER(NAME) ((PFN_##NAME)(uintptr_t)dlsym(RTLD_NEXT, #NAME))

VKAPI_ATTR VkResult VKAPI_CALL vkCreateInstance(const VkInstanceCreateInfo *pCreateInfo,
                                                const VkAllocationCallbacks *pAllocator, VkInstance *pInstance)
{
    if (before_instance)
        before_instance();
    before_instance = NULL;
    return LOADER(vkCreateInstance)(pCreateInfo, pAllocator, pInstance);
}

VKAPI_ATTR VkResult VKAPI_CALL vkCreateDevice(VkPhysicalDevice physicalDevice, const VkDeviceCreateInfo *pCreateInfo,
                                              const VkAllocationCallbacks *pAllocator, VkDevice *pDevice)
{
    if (before_device)
        before_device();
    before_device = NULL;
    return LOADER(vkCreateDevice)(physicalDevice, pCreateInfo, pAllocator, pDevice);
}

/* ---- The work ---- */

struct fixture {
    struct scene scene;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set;
};

static void open_fixture(struct fixture *f)
{
    static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    memset(f, 0, sizeof(*f));
    if (host.layer) {
        scene_open_with_setting(&f->scene, "TIERS", host.tiers,
                                &(struct harness_vulkan_params){.layers = "clampler", .filter_cubic = host.offers});
    } else {
        harness_vulkan_open(&f->scene.vk, &(struct harness_vulkan_params){.layers = "none"});
        scene_make(&f->scene, false);
    }
    harness_one_set(&f->scene.vk, &binding, 1, &f->set_layout, &f->layout, &f->set);
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
        &(struct harness_graphics_params){.fragment = HARNESS_SPIRV(integration_hosts_single), .layout = f->layout});
}

static void nap(long milliseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000 * 1000}, NULL);
}

/* Nothing is submitted: the driver would compile, on threads of its own that nobody ends. */
static void record(struct fixture *f, VkPipeline pipeline)
{
    VkCommandBuffer commands = scene_begin(&f->scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->layout, 0, 1, &f->set, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdEndRenderPass(commands);
    HARNESS_VK(vkEndCommandBuffer(commands));
    vkFreeCommandBuffers(f->scene.vk.device, f->scene.vk.pool, 1, &commands);
}

/* Through a filter that none of the drivers here has. */
static void draw_offered(struct fixture *f, VkPipeline pipeline)
{
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .magFilter = VK_FILTER_CUBIC_EXT,
                                      .minFilter = VK_FILTER_CUBIC_EXT};
    assert_true(f->scene.vk.filter_cubic);
    VkSampler sampler = harness_sampler(&f->scene.vk, &info);
    harness_write_image(&f->scene.vk, f->set, 0, 0, SCENE_COMBINED, sampler, f->scene.textures[SCENE_STEPS].view);
    scene_draw(&f->scene, pipeline, f->layout, 1, &f->set);
    scene_expect_tier(&f->scene, 2);
    vkDestroySampler(f->scene.vk.device, sampler, NULL);
}

/* A pipeline is made and drawn with; with the layer, in all three tiers. */
static void draw(struct fixture *f)
{
    VkPipeline pipeline = make(f);
    if (host.layer) {
        scene_expect_drawn(&f->scene, pipeline, f->layout, f->set, SCENE_EDGE, 0);
        scene_expect_drawn(&f->scene, pipeline, f->layout, f->set, SCENE_CLAMP, 1);
        scene_expect_drawn(&f->scene, pipeline, f->layout, f->set, SCENE_MIXED, 2);
        if (host.offers)
            draw_offered(f, pipeline);
    } else {
        scene_write(&f->scene, f->set, 0, 0, SCENE_COMBINED, SCENE_EDGE, SCENE_STEPS);
        scene_draw(&f->scene, pipeline, f->layout, 1, &f->set);
        scene_expect_row(&f->scene, 0, SCENE_EDGE, SCENE_STEPS);
    }
    harness_graphics_pipeline_destroy(&f->scene.vk, pipeline);
}

static int work(void)
{
    struct fixture f;
    open_fixture(&f);
    draw(&f);
    draw(&f);
    close_fixture(&f);
    return 0;
}

static void *work_in_thread(void *user)
{
    *(int *)user = work();
    return NULL;
}

static struct fixture of_handlers; /* for what runs at the end */

/* ---- Hosts: each is the whole of a process ---- */

static int ended(pid_t child)
{
    int status = -1;
    if (waitpid(child, &status, 0) != child)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/*
 * The first code on the stack that is the layer's, or a library's of Vulkan, says who has crashed, or waits for ever.
 * Nobody knows who has spoilt the heap when the C library finds out.
 */
static void crash(int signal)
{
    void *frames[32];
    const int count = backtrace(frames, 32);
    for (int i = 1; i < count && signal != SIGABRT; i++) {
        Dl_info info;
        if (host.layer && layer_has(frames[i])) {
            dprintf(STDERR_FILENO, "signal %d in the layer, or waiting in it:\n", signal);
            backtrace_symbols_fd(frames, count, STDERR_FILENO);
            _exit(LAYER_CRASHED);
        }
        if (dladdr(frames[i], &info) && info.dli_fname && strstr(info.dli_fname, "libvulkan"))
            break; /* loader and drivers */
    }
    _exit(OTHERS_CRASHED);
}

/* From here on the process ends by crash(). The layer is there. */
static void watch(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGALRM};
    static char stack[1 << 16];
    const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
    const struct sigaction action = {.sa_handler = crash, .sa_flags = SA_ONSTACK};
    void *warm[4];
    if (host.layer)
        layer_locks_begin();
    backtrace(warm, 4); /* loads a library */
    sigaltstack(&alternate, NULL);
    for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
        sigaction(signals[i], &action, NULL);
}

/*
 * What children of fork() do while the parent's device lives: nothing, or all of it with an instance of their own.
 * lavapipe's end waits there for threads that the child has not, and may crash, with the layer and without.
 */
static int forks(void)
{
    struct fixture f;
    open_fixture(&f);
    draw(&f);
    watch();
    for (int kind = 0; kind < 3; kind++) {
        fflush(NULL);
        VkPipeline pipeline = make(&f); /* workers compile meanwhile */
        const pid_t child = fork();
        if (!child) {
            alarm(PATIENCE / 4);
            if (kind == 0)
                _exit(0);
            if (kind == 1)
                exit(0);
            exit(work());
        }
        atomic_store(&report[kind], (uint64_t)ended(child));
        harness_graphics_pipeline_destroy(&f.scene.vk, pipeline);
        draw(&f);
    }
    close_fixture(&f);
    return 0;
}

/*
 * A thread makes pipelines and records, and all comes and goes; another one ends the process in the midst. lavapipe's
 * destructors take away what its own calls use at that moment: some ends in a hundred are crashes without the layer.
 */
static void *come_and_go(void *user)
{
    (void)user;
    for (;;) {
        struct fixture f;
        open_fixture(&f);
        for (int i = 0; i < 4; i++) {
            VkPipeline pipeline = make(&f);
            scene_write(&f.scene, f.set, 0, 0, SCENE_COMBINED, host.layer ? i % SCENE_SAMPLERS : SCENE_EDGE,
                        SCENE_STEPS);
            record(&f, pipeline);
            harness_graphics_pipeline_destroy(&f.scene.vk, pipeline);
        }
        close_fixture(&f);
        atomic_fetch_add(&report[1], 1);
    }
    return NULL;
}

static int ends_at_any_moment(void)
{
    enum { ENDS = 24 };
    for (long i = 0; i < ENDS; i++) {
        fflush(NULL);
        const pid_t child = fork();
        if (!child) {
            pthread_t thread;
            open_fixture(&of_handlers); /* the layer is known */
            watch();
            alarm(PATIENCE); /* an end waits for workers, which have what a loaded machine leaves to nice 19 */
            atomic_store(&report[1], 0);
            if (pthread_create(&thread, NULL, come_and_go, NULL))
                _exit(1);
            while (i % 2 && !atomic_load(&report[1])) /* before the first round has ended, or behind it */
                nap(1);
            nap(i * 5);
            exit(0);
        }
        const int status = ended(child);
        if (status && status != OTHERS_CRASHED)
            fprintf(stderr, "end %ld has status %d\n", i, status);
        atomic_fetch_add(&report[0], status && status != OTHERS_CRASHED);
        atomic_fetch_add(&report[2], status == OTHERS_CRASHED);
    }
    atomic_store(&report[1], 0);
    return 0;
}

static void draw_at_the_end(void)
{
    if (of_handlers.scene.vk.device) {
        VkPipeline pipeline = make(&of_handlers);
        scene_write(&of_handlers.scene, of_handlers.set, 0, 0, SCENE_COMBINED, host.layer ? SCENE_MIXED : SCENE_EDGE,
                    SCENE_STEPS);
        record(&of_handlers, pipeline);
        harness_graphics_pipeline_destroy(&of_handlers.scene.vk, pipeline);
        close_fixture(&of_handlers);
        of_handlers.scene.vk.device = VK_NULL_HANDLE;
    }
    atomic_store(&report[0], 1);
}

/* What was registered last runs first: in front of all that the layer and the driver have registered. */
static int calls_at_the_end(void)
{
    open_fixture(&of_handlers);
    draw(&of_handlers);
    atexit(draw_at_the_end);
    exit(0);
}

/* And behind all of it: the layer's threads have ended. */
static int calls_behind_the_end(void)
{
    atexit(draw_at_the_end);
    open_fixture(&of_handlers);
    draw(&of_handlers);
    exit(0);
}

static unsigned count_entries(const char *folder)
{
    unsigned count = 0;
    DIR *open = opendir(folder);
    while (open && readdir(open))
        count++;
    if (open)
        closedir(open);
    return count;
}

/* Bytes of the process's memory: what it has reserved, or what it uses. */
static uint64_t memory_of(bool used)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, used ? "%*u %lu" : "%lu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* The loader loads the layer with each instance, and gives it back with it; nothing may gather. */
static int loads_again_and_again(void)
{
    enum { ROUNDS = 24, WARM = 8 };
    uint64_t memory = 0;
    unsigned files = 0, threads = 0;
    for (int i = 0; i < ROUNDS; i++) {
        struct fixture f;
        open_fixture(&f);
        VkPipeline pipeline = make(&f);
        record(&f, pipeline);
        harness_graphics_pipeline_destroy(&f.scene.vk, pipeline);
        close_fixture(&f);
        if (i == WARM) {
            memory = memory_of(true);
            files = count_entries("/proc/self/fd");
            threads = count_entries("/proc/self/task");
        }
    }
    atomic_store(&report[0], count_entries("/proc/self/fd") - files);
    atomic_store(&report[1], count_entries("/proc/self/task") - threads);
    atomic_store(&report[2], memory_of(true) > memory ? (memory_of(true) - memory) >> 20 : 0); /* MiB */
    return 0;
}

/* ---- Sandboxes ---- */

/* Calls that end the process: all that reaches beyond it, or starts another one. */
static const int forbidden[] = {
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_execve,
    SYS_execveat,
    SYS_ptrace,
    SYS_kill,
    SYS_unlinkat,
    SYS_renameat2,
    SYS_mkdirat,
    SYS_symlinkat,
    SYS_linkat,
    SYS_fchmodat,
    SYS_truncate,
    SYS_mknodat,
    SYS_process_vm_writev,
    SYS_process_vm_readv,
    SYS_mount,
    SYS_chdir,
    SYS_chroot,
    SYS_setuid,
    SYS_setgid,
    SYS_perf_event_open,
    SYS_unshare,
    SYS_setns,
    SYS_inotify_init1,
    SYS_timer_create,
#ifdef SYS_fork
    SYS_fork,
    SYS_vfork,
    SYS_unlink,
    SYS_rename,
    SYS_mkdir,
    SYS_rmdir,
    SYS_creat,
    SYS_link,
    SYS_symlink,
    SYS_chmod,
    SYS_mknod,
#endif
};

enum { FORBIDDEN = sizeof(forbidden) / sizeof(*forbidden) };

static void lock_up(void)
{
    static struct sock_filter program[FORBIDDEN * 2 + 32];
    unsigned short length = 0;
#define NEXT program[length++] = (struct sock_filter)
#define LOAD(MEMBER) NEXT BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, MEMBER))
#define ANSWER(VALUE) NEXT BPF_STMT(BPF_RET | BPF_K, (VALUE))
    LOAD(nr);
    for (int i = 0; i < FORBIDDEN; i++) {
        NEXT BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)forbidden[i], 0, 1);
        ANSWER(SECCOMP_RET_KILL_PROCESS);
    }
    /* Whose flags lie in memory: glibc takes clone then. */
    NEXT BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)SYS_clone3, 0, 1);
    ANSWER(SECCOMP_RET_ERRNO | ENOSYS);
    NEXT BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)SYS_clone, 0, 4);
    LOAD(args[0]);
    NEXT BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1);
    ANSWER(SECCOMP_RET_ALLOW);
    ANSWER(SECCOMP_RET_KILL_PROCESS);
    NEXT BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)SYS_openat, 0, 4);
    LOAD(args[2]);
    NEXT BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0, 1);
    ANSWER(SECCOMP_RET_KILL_PROCESS);
    ANSWER(SECCOMP_RET_ALLOW);
#ifdef SYS_open
    NEXT BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)SYS_open, 0, 3);
    LOAD(args[1]);
    NEXT BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0, 1);
    ANSWER(SECCOMP_RET_KILL_PROCESS);
#endif
    ANSWER(SECCOMP_RET_ALLOW);
    const struct sock_fprog all = {length, program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all))
        _exit(UNABLE);
    atomic_store(&report[0], 1);
}

static int is_locked_up(void)
{
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1); /* which the driver would write */
    setenv("MESA_GLSL_CACHE_DISABLE", "true", 1);
    before_instance = lock_up;
    return work();
}

/* As browsers' GPU processes do: the device is there first. */
static int is_locked_up_with_a_device(void)
{
    struct fixture f;
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    setenv("MESA_GLSL_CACHE_DISABLE", "true", 1);
    open_fixture(&f);
    lock_up();
    draw(&f);
    close_fixture(&f);
    return 0;
}

/* An empty folder in the place of what was there; so that nothing is written into it, of no size. */
static void cover(const char *folder)
{
    if (mount("none", folder, "tmpfs", MS_RDONLY, "size=4k"))
        _exit(UNABLE);
}

static void leave_mounts(void)
{
    if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
        _exit(UNABLE);
}

static void hide_shared_memory(void)
{
    leave_mounts();
    cover("/dev/shm");
}

static int has_no_shared_memory(void)
{
    before_instance = hide_shared_memory;
    return work();
}

static void hide_system(void)
{
    leave_mounts();
    cover("/dev/shm");
    cover("/etc");
    cover("/proc");
    cover("/sys");
    if (chroot("/") || chdir("/"))
        _exit(UNABLE);
}

static int has_neither_etc_nor_proc(void)
{
    before_instance = hide_system;
    return work();
}

/* ---- Little of what a process has ---- */

static void bound(int what, rlim_t most)
{
    struct rlimit limit;
    if (getrlimit(what, &limit))
        _exit(UNABLE);
    limit.rlim_cur = most;
    if (setrlimit(what, &limit))
        _exit(UNABLE);
}

static void exhaust_files(void)
{
    const int next = open("/", O_RDONLY | O_CLOEXEC);
    if (next < 0)
        _exit(UNABLE);
    close(next);
    bound(RLIMIT_NOFILE, (rlim_t)next);
}

static int has_no_files_for_a_device(void)
{
    harness_vulkan_hold_driver(); /* which has a device of its own */
    before_device = exhaust_files;
    return work();
}

static int has_no_files_left(void)
{
    struct fixture f;
    open_fixture(&f);
    exhaust_files();
    draw(&f);
    close_fixture(&f);
    return 0;
}

/* So many KiB more than there are with a device. */
static void open_narrow(struct fixture *f, struct rlimit *before, rlim_t kib)
{
    open_fixture(f);
    draw(f);
    watch();
    if (getrlimit(RLIMIT_AS, before))
        _exit(UNABLE);
    bound(RLIMIT_AS, (rlim_t)memory_of(false) + kib * 1024);
}

/* Samplers of states that all differ, until a call says that memory is out; without them there is room again. */
static int has_little_memory(rlim_t kib)
{
    enum { MOST = 1 << 18 };
    static VkSampler samplers[MOST];
    struct fixture f;
    struct rlimit before;
    VkResult result = VK_SUCCESS;
    uint32_t count = 0;
    open_narrow(&f, &before, kib);
    while (count < MOST) {
        VkSamplerGLStateCreateInfoCLAMPLER gl;
        VkSamplerCreateInfo info = scene_sampler_info(host.layer ? SCENE_CLAMP : SCENE_EDGE, &gl);
        if (host.layer)
            gl.lodBias = (float)count / MOST;
        info.mipLodBias = (float)count / MOST;
        result = vkCreateSampler(f.scene.vk.device, &info, NULL, &samplers[count]);
        if (result != VK_SUCCESS)
            break;
        count++;
    }
    /* What other libraries give back meanwhile may be enough for all. */
    atomic_store(&report[0], result != VK_SUCCESS && result != VK_ERROR_OUT_OF_HOST_MEMORY &&
                                 result != VK_ERROR_OUT_OF_DEVICE_MEMORY);
    while (count)
        vkDestroySampler(f.scene.vk.device, samplers[--count], NULL);
    setrlimit(RLIMIT_AS, &before);
    draw(&f);
    close_fixture(&f);
    return 0;
}

static int has_64_kib_more(void)
{
    return has_little_memory(64);
}

static int has_1_mib_more(void)
{
    return has_little_memory(1024);
}

static int has_16_mib_more(void)
{
    return has_little_memory(16 * 1024);
}

/*
 * Pipelines of all tiers until memory is out. The harness ends the process where a call says that it failed, which is
 * right; lavapipe's compiler does not ask whether it has got memory, and crashes.
 */
static int compiles_in_little_memory(void)
{
    struct fixture f;
    struct rlimit before;
    open_narrow(&f, &before, 4 * 1024);
    for (int i = 0; i < 200; i++) {
        VkPipeline pipeline = make(&f); /* and stays */
        scene_write(&f.scene, f.set, 0, 0, SCENE_COMBINED,
                    host.layer ? SCENE_CLAMP + (enum scene_sampler)i % 3 : SCENE_EDGE, SCENE_STEPS);
        record(&f, pipeline);
    }
    return 0;
}

/* Of threads that draw: all calls from vkCreateInstance to vkDestroyInstance. */
static int has_small_stacks(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int status = 1;
    if (pthread_attr_init(&attributes) || pthread_attr_setstacksize(&attributes, 64 * 1024) ||
        pthread_create(&thread, &attributes, work_in_thread, &status))
        return UNABLE;
    pthread_join(thread, NULL);
    return status;
}

/* ---- Numbers and letters of others ---- */

static const char locale_name[] = "de_DE.UTF-8";

/* setlocale() for the process, and one of its threads has another, by uselocale(). */
static int has_a_decimal_comma(void)
{
    char folder[] = "/tmp/clampler-locale-XXXXXX", command[200], number[16];
    if (!mkdtemp(folder))
        return UNABLE;
    snprintf(command, sizeof(command), "localedef -i de_DE -f UTF-8 %s/%s >/dev/null 2>&1", folder, locale_name);
    if (system(command) < 0)
        return UNABLE;
    setenv("LOCPATH", folder, 1);
    const bool taken = setlocale(LC_ALL, locale_name);
    locale_t other = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t own = newlocale(LC_NUMERIC_MASK, locale_name, (locale_t)0);
    snprintf(command, sizeof(command), "rm -r %s", folder);
    const int removed = system(command);
    snprintf(number, sizeof(number), "%.1f", 0.5);
    if (removed || !taken || strcmp(number, "0,5") || !other || !own) {
        printf("no locale with a decimal comma can be made\n");
        return UNABLE;
    }
    uselocale(other);
    const int first = work();
    uselocale(own);
    const int second = work();
    uselocale(LC_GLOBAL_LOCALE);
    const int third = work();
    snprintf(number, sizeof(number), "%.1f", 0.5);
    return first | second | third | (strcmp(number, "0,5") ? 1 : 0);
}

/* ---- Streams ---- */

/* Which of the numbers 0 to 2 are files in the folder: what threads of the driver's have open for a while is theirs. */
static uint64_t streams_now(const char *folder)
{
    uint64_t open = 0;
    for (int i = 0; i < 3; i++) {
        char link[32], path[200] = "";
        snprintf(link, sizeof(link), "/proc/self/fd/%d", i);
        if (readlink(link, path, sizeof(path) - 1) > 0 && !strncmp(path, folder, strlen(folder)))
            open |= 1u << i;
    }
    return open;
}

/*
 * Those that stay so: a file has the least number until the thread that opens it has moved it. Threads that compile
 * ahead may wait for seconds between the two where the processors are busy.
 */
static uint64_t streams(const char *folder)
{
    uint64_t open = streams_now(folder);
    for (int i = 0; i < 1000 && open; i++) {
        usleep(10000);
        open &= streams_now(folder);
    }
    return open;
}

/* All are closed, while the layer writes all that it can write. */
static int has_no_streams(void)
{
    char folder[] = "/tmp/clampler-streams-XXXXXX", path[100], command[100];
    struct fixture f;
    if (!mkdtemp(folder))
        return UNABLE;
    snprintf(path, sizeof(path), "%s/log", folder);
    setenv("VK_CLAMPLER_LOG_FILE", path, 1);
    setenv("VK_CLAMPLER_LOG_LEVEL", "info", 1);
    snprintf(path, sizeof(path), "%s/stats", folder);
    setenv("VK_CLAMPLER_STATS_FILE", path, 1);
    snprintf(path, sizeof(path), "%s/dumps", folder);
    if (mkdir(path, 0700))
        return UNABLE;
    setenv("VK_CLAMPLER_DUMP_DIR", path, 1);
    for (int i = 0; i < 3; i++)
        close(i);
    open_fixture(&f);
    atomic_fetch_or(&report[0], streams(folder));
    draw(&f);
    atomic_fetch_or(&report[0], streams(folder));
    close_fixture(&f);
    atomic_fetch_or(&report[0], streams(folder));
    snprintf(path, sizeof(path), "%s/log", folder);
    atomic_store(&report[1], !host.layer || !access(path, F_OK)); /* something was written */
    snprintf(command, sizeof(command), "rm -r %s 2>/dev/null", folder);
    return system(command) < 0;
}

/* ---- Signals ---- */

static _Atomic(uint32_t) ticks, strange;

static void tick(int signal)
{
    char name[17] = "";
    stack_t stack;
    (void)signal;
    atomic_fetch_add(&ticks, 1);
    prctl(PR_GET_NAME, name);
    if (!strncmp(name, "clampler", 8)) /* threads of the driver's are its own affair */
        atomic_fetch_add(&strange, 1);
    else if (syscall(SYS_gettid) == getpid() && (sigaltstack(NULL, &stack) || !(stack.ss_flags & SS_ONSTACK)))
        atomic_fetch_add(&strange, 1);
}

static bool same_handler(int signal, const struct sigaction *before)
{
    struct sigaction now;
    return sigaction(signal, NULL, &now) || (now.sa_handler == before->sa_handler && now.sa_flags == before->sa_flags);
}

/* A timer strikes each millisecond, on a stack of its own; handlers, masks and that stack are as before. */
static int has_signals(void)
{
    static char stack[1 << 16];
    static struct sigaction before[65];
    const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
    const struct sigaction action = {.sa_handler = tick,
                                     .sa_flags = SA_ONSTACK}; /* not SA_RESTART: calls end by EINTR */
    const struct itimerval each = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    sigset_t blocked, mask;
    stack_t now;
    bool same = true;
    sigaltstack(&alternate, NULL);
    sigaction(SIGALRM, &action, NULL);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    sigaddset(&blocked, SIGCHLD);
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
    for (int i = 1; i < 65; i++)
        sigaction(i, NULL, &before[i]);
    setitimer(ITIMER_REAL, &each, NULL);
    const int status = work();
    setitimer(ITIMER_REAL, &never, NULL);
    for (int i = 1; i < 65; i++)
        same &= same_handler(i, &before[i]);
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    for (int i = 1; i < 65; i++)
        same &= sigismember(&mask, i) == sigismember(&blocked, i);
    same &= !sigaltstack(NULL, &now) && now.ss_sp == alternate.ss_sp && now.ss_size == alternate.ss_size;
    atomic_store(&report[0], !same);
    atomic_store(&report[1], atomic_load(&strange));
    return status || !atomic_load(&ticks);
}

static int is_bound_at_once(void)
{
    return getenv("LD_BIND_NOW") ? work() : 1;
}

/* ---- The judge ---- */

/* What the numbers of a report may be, where the driver alone has reported `drivers`. */
enum compare { ANY, AS_THE_DRIVER, AT_MOST_THE_DRIVER, WITHIN_SOME, ENDED };

static const struct kind {
    const char *name;
    int (*run)(void);
    enum compare reports[REPORTS];
    bool may_fail;  /* a call may say that it failed: status 1 */
    bool sanitized; /* sanitizers bear it */
} kinds[] = {
    {"forks", forks, {ENDED, ENDED, ENDED}, false, false},
    {"ends at any moment", ends_at_any_moment, {AT_MOST_THE_DRIVER, AS_THE_DRIVER, WITHIN_SOME}, false, false},
    {"calls Vulkan at the end", calls_at_the_end, {AS_THE_DRIVER}, false, false},
    {"calls Vulkan behind the end", calls_behind_the_end, {AS_THE_DRIVER}, false, false},
    {"loads again and again",
     loads_again_and_again,
     {AT_MOST_THE_DRIVER, AT_MOST_THE_DRIVER, WITHIN_SOME},
     false,
     false},
    {"is locked up", is_locked_up, {AS_THE_DRIVER}, false, false},
    {"is locked up with a device", is_locked_up_with_a_device, {AS_THE_DRIVER}, false, false},
    {"has no /dev/shm", has_no_shared_memory, {ANY}, false, true},
    {"has neither /etc nor /proc", has_neither_etc_nor_proc, {ANY}, false, false},
    {"has no files for a device", has_no_files_for_a_device, {ANY}, true, false},
    {"has no files left", has_no_files_left, {ANY}, false, false},
    {"has 64 KiB more", has_64_kib_more, {AT_MOST_THE_DRIVER}, false, false},
    {"has 1 MiB more", has_1_mib_more, {AT_MOST_THE_DRIVER}, false, false},
    {"has 16 MiB more", has_16_mib_more, {AT_MOST_THE_DRIVER}, false, false},
    {"compiles in little memory", compiles_in_little_memory, {ANY}, true, false},
    {"has small stacks", has_small_stacks, {ANY}, false, false},
    {"has a decimal comma", has_a_decimal_comma, {ANY}, false, true},
    {"has no streams", has_no_streams, {AT_MOST_THE_DRIVER, AS_THE_DRIVER}, false, false},
    {"has signals", has_signals, {AS_THE_DRIVER, AT_MOST_THE_DRIVER}, false, false},
    {"is bound at once", is_bound_at_once, {ANY}, false, true},
};
enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

/* The driver alone, settings of `tiers`, and `offer` beside tiers that are compiled ahead. */
static const char *const ways[] = {"none", "lazy", "ahead", "eager", "offer"};
enum { WAYS = sizeof(ways) / sizeof(*ways) };

/* Runs the host in a process of its own; its status, 1000 and the number of the signal that ended it, or -1. */
static int run(const struct kind *kind, const char *way, uint64_t *numbers)
{
    char text[16];
    const int file = memfd_create("report", 0);
    assert_true(file >= 0 && !ftruncate(file, REPORTS * sizeof(*report)));
    report = mmap(NULL, REPORTS * sizeof(*report), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    assert_true(report != MAP_FAILED);
    snprintf(text, sizeof(text), "%d", file);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        if (kind->run == is_bound_at_once)
            setenv("LD_BIND_NOW", "1", 1);
        execl("/proc/self/exe", "integration_hosts", kind->name, way, text, (char *)NULL);
        _exit(1);
    }
    const int status = ended(child);
    for (int i = 0; i < REPORTS; i++)
        numbers[i] = atomic_load(&report[i]);
    munmap(report, REPORTS * sizeof(*report));
    close(file);
    return status;
}

static bool is_fine(const struct kind *kind, int i, uint64_t number, uint64_t drivers)
{
    enum { SOME = 4 };
    switch (kind->reports[i]) {
    case AS_THE_DRIVER:
        return number == drivers;
    case AT_MOST_THE_DRIVER:
        return number <= drivers;
    case WITHIN_SOME:
        return number <= drivers + SOME;
    case ENDED:
        return !number || number == drivers || number == OTHERS_CRASHED;
    default:
        return true;
    }
}

/*
 * glibc ends a process with this where thread-local words of a library that was loaded later find no memory: drivers in
 * C++ have such. The layer's are in the room that glibc has set aside (THREAD_LOCAL).
 */
enum { ENDED_BY_GLIBC = 127 };

/* May a process of this kind end so, whoever is in it? */
static bool may_end(const struct kind *kind, int status)
{
    return kind->may_fail && (status == 1 || status == OTHERS_CRASHED || status == ENDED_BY_GLIBC);
}

static void judge(const struct kind *kind)
{
    uint64_t drivers[REPORTS], numbers[REPORTS];
    const int alone = run(kind, "none", drivers);
    bool right = true;
    if (alone == UNABLE) {
        print_message("%s: cannot be had here\n", kind->name);
        skip();
    }
    if (alone && !may_end(kind, alone))
        print_message("%s: the driver alone does not survive it (%d)\n", kind->name, alone);
    for (int way = 1; way < WAYS; way++) {
        const int status = run(kind, ways[way], numbers);
        bool fine = !status || status == alone || may_end(kind, status);
        for (int i = 0; i < REPORTS && !alone; i++)
            fine &= is_fine(kind, i, numbers[i], drivers[i]);
        if (fine && status)
            print_message("%s, %s: status %d\n", kind->name, ways[way], status);
        if (!fine)
            print_error("%s, %s: status %d, the driver alone %d\n", kind->name, ways[way], status, alone);
        for (int i = 0; i < REPORTS && kind->reports[i] != ANY; i++)
            if (numbers[i] != drivers[i])
                print_message("%s, %s: number %d is %d, the driver's %d\n", kind->name, ways[way], i, (int)numbers[i],
                              (int)drivers[i]);
        right &= fine;
    }
    assert_true(right);
}

static void the_layer_survives_what_the_driver_does(void **state)
{
    const struct kind *kind = *state;
#if HARNESS_SANITIZED
    if (!kind->sanitized)
        skip();
#endif
    judge(kind);
}

int main(int argc, char **argv)
{
    struct CMUnitTest tests[KINDS];
    if (argc == 4) {
        report = mmap(NULL, REPORTS * sizeof(*report), PROT_READ | PROT_WRITE, MAP_SHARED, atoi(argv[3]), 0);
        host.layer = strcmp(argv[2], "none") != 0;
        host.offers = !strcmp(argv[2], "offer");
        host.tiers = host.offers ? "ahead" : argv[2];
        if (host.offers)
            setenv("VK_CLAMPLER_OFFER", "missing", 1);
        alarm(PATIENCE);
        for (int i = 0; i < KINDS && report != MAP_FAILED; i++)
            if (!strcmp(argv[1], kinds[i].name))
                return kinds[i].run();
        return 1;
    }
    for (int i = 0; i < KINDS; i++)
        tests[i] = (struct CMUnitTest){.name = kinds[i].name,
                                       .test_func = the_layer_survives_what_the_driver_does,
                                       .initial_state = (void *)(uintptr_t)&kinds[i]};
    if (argc == 2)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests_name("hosts", tests, NULL, NULL);
}
