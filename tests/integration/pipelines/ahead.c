/* SPDX-License-Identifier: MIT */
/*
 * Tiers that worker threads compile ahead of draws (tiers=ahead): that they do, that draws which come earlier are
 * right, and that everything may be destroyed in the midst, the process among it. Run under a thread sanitizer, too.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/device/environment.h"
#include "harness/drawing/shader_objects.h"
#include "integration/shared/parts.h"
#include "integration/shared/scenario.h"
#include "integration_ahead_compute.h"
#include "integration_ahead_offset.h"
#include "integration_ahead_single.h"

static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);

struct fixture {
    struct scene scene;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set;
};

/* ---- Workers, as the system sees them ---- */

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 5 * 1000 * 1000}, NULL);
}

/* Of this process; `task`, if not NULL, is the folder of the last one. */
static unsigned workers(char *task, size_t size)
{
    unsigned count = 0;
    DIR *folder = opendir("/proc/self/task");
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char path[300], name[32] = "";
        snprintf(path, sizeof(path), "/proc/self/task/%s/comm", entry->d_name);
        FILE *file = fopen(path, "r");
        if (!file)
            continue;
        if (fgets(name, sizeof(name), file) && !strcmp(name, "clampler:tiers\n")) {
            count++;
            if (task)
                snprintf(task, size, "/proc/self/task/%s", entry->d_name);
        }
        fclose(file);
    }
    if (folder)
        closedir(folder);
    return count;
}

/* ---- The scene ---- */

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
    assert_int_equal(workers(NULL, 0), 0);
}

/* Why the driver has none of such pipelines; NULL: it has. */
static const char *lacks(enum harness_linking linking)
{
    struct harness_vulkan vk;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){0});
    const char *why = harness_lacks(&vk, linking, HARNESS_SETS_PLAIN);
    harness_vulkan_close(&vk);
    return why;
}

static VkPipeline make(struct fixture *f)
{
    return harness_graphics_pipeline(
        &f->scene.vk, &f->scene.target,
        &(struct harness_graphics_params){.fragment = HARNESS_SPIRV(integration_ahead_single), .layout = f->layout});
}

/* Until so many tiers were compiled ahead, or for a minute, which fails. */
static void wait_for(const struct fixture *f, uint64_t ahead)
{
    for (unsigned i = 0; i < 12000 && harness_counters(&f->scene.vk).compiled_ahead < ahead; i++)
        nap();
    assert_int_equal(harness_counters(&f->scene.vk).compiled_ahead, ahead);
}

/* ---- Tests ---- */

static void tiers_are_there_before_a_draw_needs_them(void **state)
{
    (void)state;
    static const struct harness_vulkan_params ways[] = {{.linking = HARNESS_MONOLITHIC}, {.linking = HARNESS_LIBRARY}};
    for (unsigned way = 0; way < 2; way++) {
        struct fixture f;
        if (lacks(ways[way].linking))
            continue;
        open_fixture(&f, "ahead", &ways[way]);
        VkPipeline pipeline = make(&f);
        wait_for(&f, 2);
        scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_EDGE, 0);
        scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_CLAMP, 1);
        scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_MIXED, 2);
        struct clampler_counters counters = harness_counters(&f.scene.vk);
        assert_int_equal(counters.compiled_at_draws, 0);
        assert_int_equal(counters.draws_waited, 0);
        assert_int_equal(counters.pipelines[1], 1);
        assert_int_equal(counters.pipelines[2], 1);
        harness_graphics_pipeline_destroy(&f.scene.vk, pipeline);
        close_fixture(&f);
    }
}

/*
 * GL_CLAMP between levels requires tier 2 of lookups with offsets. The shader has one, which most often reads through
 * another sampler, so its tier 2 is compiled when a draw has shown that the pipeline is used: from the submission on.
 */
static void offsets_are_compiled_ahead_once_drawn(void **state)
{
    (void)state;
    const VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                .features.shaderImageGatherExtended = VK_TRUE};
    static const struct harness_image_params levels = {
        .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R8_UNORM, .width = 4, .height = 1, .levels = 2};
    static const uint8_t texels[4 + 2] = {0};
    const VkPushConstantRange pushed = {VK_SHADER_STAGE_FRAGMENT_BIT, 0, 4};
    struct fixture f;
    struct harness_image image;
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_CLAMP, &gl);
    VkPipeline pipelines[2];
    memset(&f, 0, sizeof(f));
    setenv("VK_CLAMPLER_TIERS", "ahead", 1);
    scene_open_device(&f.scene, &(struct harness_vulkan_params){.device_next = &features});
    setenv("VK_CLAMPLER_TIERS", "lazy", 1);
    scene_make(&f.scene, false);
    gl.minFilter = 0x2703; /* GL_LINEAR_MIPMAP_LINEAR */
    VkSampler clamp = harness_sampler(&f.scene.vk, &info);
    f.set_layout = harness_set_layout(&f.scene.vk, &binding, 1);
    HARNESS_VK(
        vkCreatePipelineLayout(f.scene.vk.device,
                               &(VkPipelineLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                                             .setLayoutCount = 1,
                                                             .pSetLayouts = &f.set_layout,
                                                             .pushConstantRangeCount = 1,
                                                             .pPushConstantRanges = &pushed},
                               NULL, &f.layout));
    f.set = harness_set(&f.scene.vk, f.set_layout);
    for (unsigned i = 0; i < 2; i++)
        pipelines[i] = harness_graphics_pipeline(
            &f.scene.vk, &f.scene.target,
            &(struct harness_graphics_params){.fragment = HARNESS_SPIRV(integration_ahead_offset), .layout = f.layout});
    wait_for(&f, 2); /* tier 1 of both */
    assert_int_equal(harness_counters(&f.scene.vk).pipelines[2], 0);
    scene_write(&f.scene, f.set, 0, 0, SCENE_COMBINED, SCENE_EDGE, SCENE_STEPS);
    for (unsigned i = 0; i < 2; i++) {
        VkCommandBuffer commands = scene_begin(&f.scene);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[0]);
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.layout, 0, 1, &f.set, 0, NULL);
        vkCmdPushConstants(commands, f.layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0, 4, &(int32_t){0});
        vkCmdDraw(commands, 3, 1, 0, 0);
        scene_end(&f.scene, commands);
        scene_expect_tier(&f.scene, i ? 2 : 0);
        if (i)
            break;
        wait_for(&f, 3);
        harness_image_create(&f.scene.vk, &image, &levels, texels);
        wait_for(&f, 4); /* and that of several levels */
        harness_write_image(&f.scene.vk, f.set, 0, 0, SCENE_COMBINED, clamp, image.view);
    }
    assert_int_equal(harness_counters(&f.scene.vk).compiled_at_draws, 0);
    assert_int_equal(harness_counters(&f.scene.vk).pipelines[2], 2);
    for (unsigned i = 0; i < 2; i++)
        vkDestroyPipeline(f.scene.vk.device, pipelines[i], NULL);
    harness_image_destroy(&f.scene.vk, &image);
    vkDestroySampler(f.scene.vk.device, clamp, NULL);
    close_fixture(&f);
}

static void compute_pipelines_are_compiled_ahead(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, "ahead", NULL);
    VkDescriptorSetLayoutBinding bindings[2] = {binding, {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, 0, NULL}};
    bindings[0].stageFlags = bindings[1].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    VkDescriptorSetLayout set_layout = harness_set_layout(&f.scene.vk, bindings, 2);
    VkPipelineLayout layout = harness_pipeline_layout(&f.scene.vk, &set_layout, 1, 0);
    VkPipeline pipeline = harness_compute_pipeline(&f.scene.vk, HARNESS_SPIRV(integration_ahead_compute), layout);
    wait_for(&f, 2);
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    harness_layouts_destroy(&f.scene.vk, layout, set_layout);
    close_fixture(&f);
}

static void shader_objects_are_made_ahead(void **state)
{
    (void)state;
    static const struct harness_vulkan_params params = {.linking = HARNESS_OBJECTS};
    struct fixture f;
    const char *why = lacks(params.linking);
    if (why) {
        print_message("skipped: %s\n", why);
        skip();
    }
    open_fixture(&f, "ahead", &params);
    struct harness_objects objects;
    harness_objects_create(&f.scene.vk, &objects,
                           &(struct harness_objects_params){.fragment = HARNESS_SPIRV(integration_ahead_single),
                                                            .set_layouts = &f.set_layout,
                                                            .set_layout_count = 1});
    wait_for(&f, 2);
    harness_objects_destroy(&f.scene.vk, &objects);
    close_fixture(&f);
}

/* The device has no state that asks for anything, then one appears, and a draw needs it at once. */
static void a_draw_right_after_the_mark_rises_is_right(void **state)
{
    (void)state;
    static const enum scene_sampler kinds[] = {SCENE_CLAMP, SCENE_MIXED};
    for (unsigned round = 0; round < 8; round++) {
        enum { PIPELINES = 6 };
        const enum scene_sampler kind = kinds[round % 2];
        VkPipeline pipelines[PIPELINES];
        struct fixture f;
        memset(&f, 0, sizeof(f));
        setenv("VK_CLAMPLER_TIERS", "ahead", 1);
        scene_open_device(&f.scene, NULL);
        setenv("VK_CLAMPLER_TIERS", "lazy", 1);
        scene_make(&f.scene, false);
        finish_fixture(&f);
        for (unsigned i = 0; i < PIPELINES; i++)
            pipelines[i] = make(&f);
        assert_int_equal(workers(NULL, 0), 0);
        scene_expect_drawn(&f.scene, pipelines[PIPELINES - 1], f.layout, f.set, SCENE_EDGE, 0);
        scene_add_sampler(&f.scene, kind);
        for (unsigned i = PIPELINES; i-- > 0;)
            scene_expect_drawn(&f.scene, pipelines[i], f.layout, f.set, kind, kind == SCENE_CLAMP ? 1 : 2);
        struct clampler_counters counters = harness_counters(&f.scene.vk);
        assert_int_equal(counters.compiled_ahead + counters.compiled_at_draws,
                         counters.pipelines[1] + counters.pipelines[2]);
        for (unsigned i = 0; i < PIPELINES; i++)
            vkDestroyPipeline(f.scene.vk.device, pipelines[i], NULL);
        close_fixture(&f);
    }
}

static void lazy_tiers_start_no_thread(void **state)
{
    (void)state;
    static const char *const tiers[] = {"lazy", "eager"};
    for (unsigned i = 0; i < 2; i++) {
        struct fixture f;
        open_fixture(&f, tiers[i], NULL);
        VkPipeline pipeline = make(&f);
        scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_MIXED, 2);
        assert_int_equal(workers(NULL, 0), 0);
        assert_int_equal(harness_counters(&f.scene.vk).compiled_ahead, 0);
        assert_int_equal(harness_counters(&f.scene.vk).compiled_at_draws, i == 0 ? 1 : 0);
        vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
        close_fixture(&f);
    }
}

/* What the system says of a worker: its signals are blocked, its priority is the lowest. */
static void workers_keep_out_of_the_programs_way(void **state)
{
    (void)state;
    struct fixture f;
    char task[300] = "", path[340], line[300];
    unsigned long long blocked = 0;
    long nice = 0;
    open_fixture(&f, "ahead", NULL);
    VkPipeline pipeline = make(&f);
    wait_for(&f, 2);
    assert_true(workers(task, sizeof(task)) >= 1);
    snprintf(path, sizeof(path), "%s/status", task);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file))
        sscanf(line, "SigBlk: %llx", &blocked);
    fclose(file);
    const unsigned first = 1u << 0 | 1u << 1 | 1u << 13 | 1u << 14 | 1u << 16; /* HUP INT ALRM TERM CHLD, and 15 */
    assert_int_equal((unsigned)blocked & first, first);
    snprintf(path, sizeof(path), "%s/stat", task);
    file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(
        fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %ld", &nice), 1);
    fclose(file);
    assert_int_equal(nice, 19);
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    close_fixture(&f);
}

enum { MANY = 40 };

/* Everything that pipelines are made of goes at once; some are drawn with first. */
static void destroying_in_the_midst_is_clean(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, "ahead", NULL);
    VkPipeline first = make(&f); /* for what stays: rewritten modules, spare command buffers */
    wait_for(&f, 2);
    scene_expect_drawn(&f.scene, first, f.layout, f.set, SCENE_MIXED, 2);
    vkDestroyPipeline(f.scene.vk.device, first, NULL);
    const struct clampler_counters before = harness_counters(&f.scene.vk);
    for (unsigned round = 0; round < 10; round++) {
        VkPipeline pipelines[MANY];
        for (unsigned i = 0; i < MANY; i++)
            pipelines[i] = make(&f);
        if (round % 2)
            scene_expect_drawn(&f.scene, pipelines[round], f.layout, f.set, SCENE_MIXED, 2);
        for (unsigned i = 0; i < MANY; i++)
            vkDestroyPipeline(f.scene.vk.device, pipelines[i], NULL);
    }
    /* What a worker has in hand is freed when it is done; nothing is compiled any more then. */
    for (unsigned i = 0; i < 12000 && harness_counters(&f.scene.vk).live_objects > before.live_objects; i++)
        nap();
    const struct clampler_counters now = harness_counters(&f.scene.vk);
    assert_int_equal(now.live_objects, before.live_objects);
    assert_int_equal(now.live_bytes, before.live_bytes);
    print_message("%u of %u tiers were compiled meanwhile\n", (unsigned)(now.compiled_ahead - before.compiled_ahead),
                  10 * MANY * 2);
    nap();
    assert_int_equal(harness_counters(&f.scene.vk).compiled_ahead, now.compiled_ahead);
    close_fixture(&f);
}

static void a_device_goes_while_much_is_waiting(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 6; round++) {
        VkPipeline pipelines[MANY];
        struct fixture f;
        open_fixture(&f, "ahead", NULL);
        for (unsigned i = 0; i < MANY; i++)
            pipelines[i] = make(&f);
        for (unsigned i = 0; i < MANY; i++)
            vkDestroyPipeline(f.scene.vk.device, pipelines[i], NULL);
        close_fixture(&f);
    }
}

/* Drivers call the allocation callbacks of a device wherever they allocate for it. */
static VKAPI_ATTR void *VKAPI_CALL take(void *user, size_t size, size_t alignment, VkSystemAllocationScope scope)
{
    (void)user, (void)scope;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static VKAPI_ATTR void *VKAPI_CALL take_again(void *user, void *old, size_t size, size_t alignment,
                                              VkSystemAllocationScope scope)
{
    (void)user, (void)alignment, (void)scope;
    return realloc(old, size);
}

static VKAPI_ATTR void VKAPI_CALL give_back(void *user, void *memory)
{
    (void)user;
    free(memory);
}

static void callbacks_of_the_program_are_called_by_its_own_threads(void **state)
{
    (void)state;
    const VkAllocationCallbacks callbacks = {
        .pfnAllocation = take, .pfnReallocation = take_again, .pfnFree = give_back};
    char name[] = "/tmp/clampler-ahead-XXXXXX", line[1000];
    const int log = mkstemp(name);
    unsigned ahead = 0, needed = 0;
    struct scene scene;
    assert_true(log >= 0);
    close(log);
    setenv("VK_CLAMPLER_LOG_LEVEL", "info", 1);
    setenv("VK_CLAMPLER_LOG_FILE", name, 1);
    scene_open_with_setting(&scene, "TIERS", "ahead", &scenario_params);
    unsetenv("VK_CLAMPLER_LOG_LEVEL");
    unsetenv("VK_CLAMPLER_LOG_FILE");
    assert_int_equal(scenario_create_device(&scene, &callbacks), VK_SUCCESS);
    scene_close(&scene);
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file)) {
        ahead += strstr(line, "tiers compiled ahead of draws") != NULL;
        needed +=
            strstr(line, "tiers compiled when needed (the program's allocation callbacks need its threads)") != NULL;
    }
    fclose(file);
    unlink(name);
    assert_int_equal(ahead, 1);
    assert_int_equal(needed, 1);
}

/* ---- The end of processes ---- */

/* In a process of its own: leaves by exit() while much is waiting; what it had is lost with it. */
static int leave(void)
{
    struct fixture f;
    open_fixture(&f, "ahead", &(struct harness_vulkan_params){.layers = "clampler"});
    for (unsigned i = 0; i < MANY; i++)
        make(&f);
    exit(0);
}

static int status_of(pid_t child)
{
    int status = -1;
    for (unsigned i = 0; i < 12000; i++) {
        if (waitpid(child, &status, WNOHANG) == child)
            return status;
        nap();
    }
    return -1;
}

static void a_process_may_end_without_destroying_anything(void **state)
{
    (void)state;
#if HARNESS_SANITIZED
    skip(); /* all of it is a leak */
#endif
    for (unsigned i = 0; i < 5; i++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (!child) {
            execl("/proc/self/exe", "integration_ahead", "leave", (char *)NULL);
            _exit(1);
        }
        assert_int_equal(status_of(child), 0);
    }
}

static pid_t parent;

/* By one fork, which destroys a pipeline that may be waiting or compiled at that moment, and ends. */
static bool fork_ends(VkDevice device, VkPipeline pipeline)
{
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        alarm(10);
        vkDestroyPipeline(device, pipeline, NULL);
        exit(0);
    }
    return status_of(child) == 0;
}

static void leave_fork(void)
{
    if (getpid() != parent)
        _exit(0);
}

/*
 * A fork has none of the workers, and must not wait for them. It leaves between the layer's end and lavapipe's, which
 * waits for threads of its own that are not there, with the layer and without: what was registered last runs first.
 * One of some forks has to end: lavapipe destroys shaders under a lock, which a worker may have held at a fork.
 */
static void a_fork_ends_by_itself(void **state)
{
    (void)state;
#if HARNESS_SANITIZED
    skip(); /* which do not like forks of what has threads */
#endif
    struct fixture f;
    VkPipeline pipelines[MANY];
    harness_vulkan_hold_driver();
    lacks(HARNESS_MONOLITHIC); /* the driver registers what it does at the end */
    parent = getpid();
    assert_int_equal(atexit(leave_fork), 0);
    open_fixture(&f, "ahead", &(struct harness_vulkan_params){.layers = "clampler"});
    for (unsigned i = 0; i < MANY; i++)
        pipelines[i] = make(&f);
    bool ended = false;
    for (unsigned i = 0; i < 8 && !ended; i++)
        ended = fork_ends(f.scene.vk.device, pipelines[i]);
    assert_true(ended);
    for (unsigned i = 0; i < MANY; i++)
        vkDestroyPipeline(f.scene.vk.device, pipelines[i], NULL);
    close_fixture(&f);
}

int main(int count, char **words)
{
    if (count > 1 && !strcmp(words[1], "leave"))
        return leave();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiers_are_there_before_a_draw_needs_them),
        cmocka_unit_test(offsets_are_compiled_ahead_once_drawn),
        cmocka_unit_test(compute_pipelines_are_compiled_ahead),
        cmocka_unit_test(shader_objects_are_made_ahead),
        cmocka_unit_test(a_draw_right_after_the_mark_rises_is_right),
        cmocka_unit_test(lazy_tiers_start_no_thread),
        cmocka_unit_test(workers_keep_out_of_the_programs_way),
        cmocka_unit_test(destroying_in_the_midst_is_clean),
        cmocka_unit_test(a_device_goes_while_much_is_waiting),
        cmocka_unit_test(callbacks_of_the_program_are_called_by_its_own_threads),
        cmocka_unit_test(a_process_may_end_without_destroying_anything),
        cmocka_unit_test(a_fork_ends_by_itself),
    };
    return cmocka_run_group_tests_name("ahead", tests, NULL, NULL);
}
