/* SPDX-License-Identifier: MIT */
/*
 * The program's stack and its allocation callbacks: recording takes at most 4 KiB of stack more than the driver alone,
 * whatever the layer has compiled for it, and what is allocated for that is asked of the program on its own thread,
 * where no lock of the layer's is held. What the layer makes up takes little stack in all calls of a program.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gl/gl_tokens.h"
#include "harness/device/environment.h"
#include "harness/drawing/shader_objects.h"
#include "integration/attachments/alpha_scene.h"
#include "integration/recording/blit_scene.h"
#include "integration/device/layer_locks.h"
#include "integration/shared/parts.h"
#include "integration_guest_stack_compute.h"
#include "integration_guest_stack_single.h"

/* ---- The program's callbacks, which instances and devices of the harness get beside what it gives them ---- */

enum given { NOTHING, OF_DEVICE, OF_INSTANCE, REPORTS, GIVEN };
static const char *const given_names[GIVEN] = {"no callbacks", "the device's", "the instance's", "memory reports"};
static enum given given;

static _Thread_local bool records; /* this thread records what is measured */
static _Atomic(uint32_t) asked, strange, locked;
static bool asks;         /* the driver, where it compiles */
static int leave_by = -1; /* the status to exit() with in a callback */

static void called(void)
{
    char name[17] = "";
    prctl(PR_GET_NAME, name);
    atomic_fetch_add(&strange, !strncmp(name, "clampler", 8)); /* threads of the driver's are its own affair */
    atomic_fetch_add(&locked, records && layer_locks_held() != 0);
    atomic_fetch_add(&asked, records);
    if (leave_by >= 0 && records)
        exit(leave_by);
}

static VKAPI_ATTR void *VKAPI_CALL take(void *user, size_t size, size_t alignment, VkSystemAllocationScope scope)
{
    (void)scope;
    assert_ptr_equal(user, &asked);
    called();
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static VKAPI_ATTR void *VKAPI_CALL take_again(void *user, void *old, size_t size, size_t alignment,
                                              VkSystemAllocationScope scope)
{
    (void)alignment, (void)scope;
    assert_ptr_equal(user, &asked);
    called();
    return realloc(old, size);
}

static VKAPI_ATTR void VKAPI_CALL give_back(void *user, void *memory)
{
    assert_ptr_equal(user, &asked);
    called();
    free(memory);
}

static const VkAllocationCallbacks callbacks = {
    .pUserData = &asked, .pfnAllocation = take, .pfnReallocation = take_again, .pfnFree = give_back};

static VKAPI_ATTR void VKAPI_CALL hear_report(const VkDeviceMemoryReportCallbackDataEXT *data, void *user)
{
    (void)data, (void)user; /* Vulkan allows it on any thread */
}

/* The test's own functions stand in the place of the loader's for the harness. */
#define LOADER(NAME) ((PFN_##NAME)(uintptr_t)dlsym(RTLD_NEXT, #NAME))

VKAPI_ATTR VkResult VKAPI_CALL vkCreateInstance(const VkInstanceCreateInfo *pCreateInfo,
                                                const VkAllocationCallbacks *pAllocator, VkInstance *pInstance)
{
    return LOADER(vkCreateInstance)(pCreateInfo, given == OF_INSTANCE ? &callbacks : pAllocator, pInstance);
}

VKAPI_ATTR void VKAPI_CALL vkDestroyInstance(VkInstance instance, const VkAllocationCallbacks *pAllocator)
{
    LOADER(vkDestroyInstance)(instance, given == OF_INSTANCE ? &callbacks : pAllocator);
}

/* No driver at hand has the extension; what is unknown in a chain is passed over, by drivers and not by the layer. */
VKAPI_ATTR VkResult VKAPI_CALL vkCreateDevice(VkPhysicalDevice physicalDevice, const VkDeviceCreateInfo *pCreateInfo,
                                              const VkAllocationCallbacks *pAllocator, VkDevice *pDevice)
{
    VkDeviceCreateInfo info = *pCreateInfo;
    const VkDeviceDeviceMemoryReportCreateInfoEXT report = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_DEVICE_MEMORY_REPORT_CREATE_INFO_EXT,
        .pNext = info.pNext,
        .pfnUserCallback = hear_report};
    if (given == REPORTS)
        info.pNext = &report;
    return LOADER(vkCreateDevice)(physicalDevice, &info, given == OF_DEVICE ? &callbacks : pAllocator, pDevice);
}

VKAPI_ATTR void VKAPI_CALL vkDestroyDevice(VkDevice device, const VkAllocationCallbacks *pAllocator)
{
    LOADER(vkDestroyDevice)(device, given == OF_DEVICE ? &callbacks : pAllocator);
}

/* ---- Stacks ---- */

enum { STACK = 1 << 20, ALLOWED = 4096, VIEW_ALLOWED = 12 * 1024 };

/* What a thread does: `run`, which is all that counts. */
struct recording {
    void (*run)(struct recording *recording);
    struct harness_vulkan *vk;
    VkCommandBuffer commands;
    struct blits_one *blit;
    const struct harness_image *image;
    const struct blending_pass *pass;
    uint32_t base_format;
    VkImageView view;
};

static void *record(void *user)
{
    struct recording *recording = user;
    records = true;
    recording->run(recording);
    records = false;
    return NULL;
}

/* Bytes of a thread's stack that a function takes: what is written to. */
static size_t stack_of(struct recording *recording)
{
    pthread_attr_t attributes;
    pthread_t thread;
    unsigned char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    size_t untouched = 0;
    assert_true(stack != MAP_FAILED);
    memset(stack, 0xa5, STACK);
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, record, recording), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    while (untouched < STACK && stack[untouched] == 0xa5)
        untouched++;
    munmap(stack, STACK);
    return STACK - untouched;
}

static void run_nothing(struct recording *recording)
{
    (void)recording;
}

static void run_draw(struct recording *recording)
{
    vkCmdDraw(recording->commands, 3, 1, 0, 0);
}

static void run_dispatch(struct recording *recording)
{
    vkCmdDispatch(recording->commands, 1, 1, 1);
}

static void run_blit(struct recording *recording)
{
    blits_record(recording->commands, recording->blit);
}

static void run_view(struct recording *recording)
{
    recording->view = blending_view(recording->vk, recording->image, recording->base_format);
}

static void run_pass(struct recording *recording)
{
    blending_pass_begin(recording->pass, recording->commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
}

/* ---- What is measured: with the layer and a sampler, or the driver alone ---- */

struct measured {
    bool layer;
    const char *tiers;
    enum harness_linking linking;
    enum scene_sampler sampler;
};

struct fixture {
    struct scene scene;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set;
};

static void open_fixture(struct fixture *f, const struct measured *m, const VkDescriptorSetLayoutBinding *bindings,
                         uint32_t count)
{
    memset(f, 0, sizeof(*f));
    if (m->layer) {
        scene_open_with_setting(&f->scene, "TIERS", m->tiers,
                                &(struct harness_vulkan_params){.layers = "clampler", .linking = m->linking});
        layer_locks_begin();
    } else {
        harness_vulkan_open(&f->scene.vk, &(struct harness_vulkan_params){.layers = "none", .linking = m->linking});
        scene_make(&f->scene, false);
    }
    harness_one_set(&f->scene.vk, bindings, count, &f->set_layout, &f->layout, &f->set);
    scene_write(&f->scene, f->set, 0, 0, SCENE_COMBINED, m->sampler, SCENE_STEPS);
}

static uint64_t close_fixture(struct fixture *f, const struct measured *m)
{
    const uint64_t at_draws = m->layer ? harness_counters(&f->scene.vk).compiled_at_draws : 0;
    harness_layouts_destroy(&f->scene.vk, f->layout, f->set_layout);
    scene_close(&f->scene);
    return at_draws;
}

static const VkDescriptorSetLayoutBinding texture = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
static const VkDescriptorSetLayoutBinding computed[2] = {
    {0, SCENE_COMBINED, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
    {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};

static uint64_t draw(const struct measured *m, size_t *took)
{
    struct fixture f;
    open_fixture(&f, m, &texture, 1);
    VkPipeline pipeline =
        harness_graphics_pipeline(&f.scene.vk, &f.scene.target,
                                  &(struct harness_graphics_params){
                                      .fragment = HARNESS_SPIRV(integration_guest_stack_single), .layout = f.layout});
    VkCommandBuffer commands = scene_begin(&f.scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.layout, 0, 1, &f.set, 0, NULL);
    *took = stack_of(&(struct recording){.run = run_draw, .commands = commands});
    scene_end(&f.scene, commands);
    if (m->layer)
        scene_expect_tier(&f.scene, m->sampler == SCENE_EDGE ? 0 : m->sampler == SCENE_CLAMP ? 1 : 2);
    harness_graphics_pipeline_destroy(&f.scene.vk, pipeline);
    return close_fixture(&f, m);
}

static uint64_t draw_with_objects(const struct measured *m, size_t *took)
{
    struct measured objects = *m;
    struct fixture f;
    struct harness_objects shaders;
    objects.linking = HARNESS_OBJECTS;
    open_fixture(&f, &objects, &texture, 1);
    harness_objects_create(&f.scene.vk, &shaders,
                           &(struct harness_objects_params){.fragment = HARNESS_SPIRV(integration_guest_stack_single),
                                                            .set_layouts = &f.set_layout,
                                                            .set_layout_count = 1});
    VkCommandBuffer commands = harness_begin(&f.scene.vk);
    harness_target_begin_rendering(&f.scene.target, commands);
    harness_objects_bind(&f.scene.vk, &shaders, &f.scene.target, commands);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.layout, 0, 1, &f.set, 0, NULL);
    *took = stack_of(&(struct recording){.run = run_draw, .commands = commands});
    harness_target_end_rendering(&f.scene.target, commands);
    harness_submit(&f.scene.vk, commands);
    harness_objects_destroy(&f.scene.vk, &shaders);
    return close_fixture(&f, m);
}

static uint64_t dispatch(const struct measured *m, size_t *took)
{
    struct fixture f;
    struct harness_buffer pixels;
    open_fixture(&f, m, computed, 2);
    VkPipeline pipeline =
        harness_compute_pipeline(&f.scene.vk, HARNESS_SPIRV(integration_guest_stack_compute), f.layout);
    harness_buffer_create(&f.scene.vk, &pixels, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, sizeof(f.scene.pixels), NULL);
    harness_write_buffer(&f.scene.vk, f.set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, pixels.buffer);
    VkCommandBuffer commands = harness_begin(&f.scene.vk);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, f.layout, 0, 1, &f.set, 0, NULL);
    *took = stack_of(&(struct recording){.run = run_dispatch, .commands = commands});
    harness_submit(&f.scene.vk, commands);
    harness_buffer_destroy(&f.scene.vk, &pixels);
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    return close_fixture(&f, m);
}

/* The first one makes the pipeline of blits. */
static uint64_t blit(const struct measured *m, size_t *took)
{
    struct blits_one b = {.name = "larger",
                          .source = BLITS_IMAGE(2D, 1, 1, 7, 5, 1),
                          .target = BLITS_IMAGE(2D, 1, 1, 16, 11, 1),
                          .offsets = {{{0, 0, 0}, {7, 5, 1}}, {{0, 0, 0}, {16, 11, 1}}}};
    struct blits_fixture f;
    if (m->layer) {
        blits_open(&f, "include no-linear-float32", "shader", false,
                   &(struct harness_vulkan_params){.layers = "clampler:limited"});
        layer_locks_begin();
    } else {
        harness_vulkan_open(&f.vk, &(struct harness_vulkan_params){.layers = "none"});
    }
    b.source.format = b.target.format = blit_format(VK_FORMAT_R32G32B32A32_SFLOAT);
    blits_prepare(&f.vk, &b);
    VkCommandBuffer commands = harness_begin(&f.vk);
    blits_change_layout(commands, &b.source, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    blits_change_layout(commands, &b.target, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    *took = stack_of(&(struct recording){.run = run_blit, .commands = commands, .blit = &b});
    harness_submit(&f.vk, commands);
    blits_discard(&f.vk, &b);
    if (m->layer) {
        blits_expect(&f, 0, 1);
        blits_close(&f);
    } else {
        harness_vulkan_close(&f.vk);
    }
    return m->layer;
}

/*
 * The first view without alpha makes the pipeline that fills it, and a pass that loads it draws with that. The view is
 * not recorded: beside it the driver makes modules, a layout and a render pass, which takes Mesa 25 some 9 KiB; a
 * compilation takes 29 and more.
 */
static uint64_t fill(const struct measured *m, size_t *took)
{
    struct alpha_scene scene;
    struct harness_image image;
    struct blending_pass pass;
    alpha_open_with(&scene, (struct harness_vulkan_params){.layers = m->layer ? "clampler" : "none",
                                                           .gl_sampler = m->layer,
                                                           .alpha_to_one = m->layer});
    if (m->layer)
        layer_locks_begin();
    alpha_target(&scene, &image, 0, false);
    struct recording view = {
        .run = run_view, .vk = &scene.vk, .image = &image, .base_format = m->layer ? GL_RGB_BASE : 0};
    const size_t first = stack_of(&view);
    const struct blending_pass_params params = alpha_pass(BLENDING_PASS, view.view, VK_ATTACHMENT_LOAD_OP_LOAD);
    blending_pass_create(&scene.vk, &pass, &params);
    VkCommandBuffer commands = harness_begin(&scene.vk);
    const size_t second = stack_of(&(struct recording){.run = run_pass, .commands = commands, .pass = &pass});
    blending_pass_end(&pass, commands);
    harness_submit(&scene.vk, commands);
    const uint64_t filled = m->layer ? harness_counters(&scene.vk).alpha_fills : 0;
    assert_int_equal(filled, m->layer);
    blending_pass_destroy(&scene.vk, &pass);
    vkDestroyImageView(scene.vk.device, view.view, NULL);
    harness_image_destroy(&scene.vk, &image);
    alpha_close(&scene);
    if (first >= second + VIEW_ALLOWED)
        print_message("the view alone: %zu bytes, the pass %zu\n", first, second);
    *took = first < second + VIEW_ALLOWED ? second : first;
    return filled;
}

/* Whether the driver asks a device's callbacks for memory where a pipeline is made without any; SwiftShader does not.
 */
static bool driver_asks(void)
{
    struct fixture f;
    const struct measured m = {.sampler = SCENE_EDGE};
    given = OF_DEVICE;
    open_fixture(&f, &m, computed, 2);
    atomic_store(&asked, 0);
    records = true;
    VkPipeline pipeline =
        harness_compute_pipeline(&f.scene.vk, HARNESS_SPIRV(integration_guest_stack_compute), f.layout);
    records = false;
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    close_fixture(&f, &m);
    given = NOTHING;
    return atomic_load(&asked) > 0;
}

static const struct {
    const char *name;
    uint64_t (*run)(const struct measured *m, size_t *took); /* what was compiled for it */
} kinds[] = {{"draw", draw}, {"dispatch", dispatch}, {"blit", blit}, {"fill", fill}, {"objects", draw_with_objects}};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]), WITH_TIERS = 2, BLIT = 2, OBJECTS = 4 };

/*
 * Also asks whether the program's callbacks were called where they may be. Scratch memory of a blit is taken under the
 * lock of the memory's heap, which nothing needs that a callback may do.
 */
static uint64_t measure(unsigned kind, const struct measured *m, size_t drivers, size_t *out)
{
    size_t took;
    atomic_store(&asked, 0);
    atomic_store(&strange, 0);
    atomic_store(&locked, 0);
    const uint64_t compiled = kinds[kind].run(m, &took);
    if (kind == BLIT)
        atomic_store(&locked, 0);
    if (took > drivers + ALLOWED || atomic_load(&strange) || atomic_load(&locked))
        print_message(
            "%s, %s, tiers=%s linking %u sampler %u: %zu bytes, %u calls on the layer's threads, %u under a lock\n",
            kinds[kind].name, given_names[given], m->tiers, (unsigned)m->linking, (unsigned)m->sampler, took,
            atomic_load(&strange), atomic_load(&locked));
    assert_int_equal(atomic_load(&strange), 0);
    assert_int_equal(atomic_load(&locked), 0);
    if (compiled && asks && (given == OF_DEVICE || given == OF_INSTANCE))
        assert_true(atomic_load(&asked) > 0);
    *out = took;
    return compiled;
}

/*
 * The least of three: what the layer does takes the same stack each time. The system may take more once, where a thread
 * cannot be started or a library is loaded.
 */
static uint64_t expect_little(unsigned kind, const struct measured *m, size_t drivers, size_t *most)
{
    size_t least = SIZE_MAX;
    uint64_t compiled = 0;
    for (unsigned i = 0; i < 3 && least > drivers + ALLOWED; i++) {
        size_t took;
        compiled = measure(kind, m, drivers, &took);
        least = took < least ? took : least;
    }
    *most = least > *most ? least : *most;
    return compiled;
}

/* All ways of linking, samplers of all tiers, and when they are compiled. */
static uint64_t expect_little_of_all(unsigned kind, size_t drivers, size_t *most)
{
    static const char *const tiers[] = {"lazy", "ahead", "eager"};
    static const enum scene_sampler samplers[] = {SCENE_EDGE, SCENE_CLAMP, SCENE_MIXED};
    static const enum harness_linking ways[] = {HARNESS_MONOLITHIC, HARNESS_LIBRARY, HARNESS_FAST_LINKED};
    uint64_t compiled = 0;
    for (unsigned i = 0; i < 3 * 3 * 3; i++) {
        const struct measured m = {true, tiers[i % 3], ways[i / 9], samplers[i / 3 % 3]};
        if ((kind >= WITH_TIERS && kind != OBJECTS && i) || (kind && i >= 9))
            break;
        compiled += expect_little(kind, &m, drivers, most);
    }
    return compiled;
}

static bool kind_is_there(unsigned kind)
{
    if (kind != OBJECTS || harness_driver_has(VK_EXT_SHADER_OBJECT_EXTENSION_NAME))
        return true;
    print_message("objects: the driver lacks " VK_EXT_SHADER_OBJECT_EXTENSION_NAME "\n");
    return false;
}

static void recording_takes_at_most_four_kib_more_stack_than_the_driver(void **state)
{
    (void)state;
#if HARNESS_SANITIZED
    skip(); /* whose stacks are others */
#endif
    static const char *const levels[] = {"warn", "info"};
    bool right = true;
    asks = driver_asks();
    print_message("a thread: %zu bytes\n", stack_of(&(struct recording){.run = run_nothing}));
    setenv("VK_CLAMPLER_LOG_FILE", "/dev/null", 1);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        size_t drivers, most = 0;
        if (!kind_is_there(kind))
            continue;
        given = NOTHING;
        kinds[kind].run(&(struct measured){.sampler = SCENE_EDGE}, &drivers);
        for (unsigned i = 0; i < 2 + GIVEN - 1; i++) {
            setenv("VK_CLAMPLER_LOG_LEVEL", levels[i == 1], 1);
            given = i < 2 ? NOTHING : (enum given)(i - 1);
            assert_true(expect_little_of_all(kind, drivers, &most) > 0);
        }
        given = NOTHING;
        print_message("%s: the driver's own %zu bytes, at most %zu\n", kinds[kind].name, drivers, most);
        right &= most <= drivers + ALLOWED;
    }
    unsetenv("VK_CLAMPLER_LOG_LEVEL");
    unsetenv("VK_CLAMPLER_LOG_FILE");
    assert_true(right);
}

/* ---- What the layer makes up: a sampler, a view and a pipeline come, are drawn with, and go ---- */

/* Where tiers are compiled as pipelines are created (eager), that is the driver's compiler, of larger code. */
enum { EAGER_ALLOWED = 48 * 1024 }; /* of 64 KiB, which some programs' threads have */

#define GL_SAMPLER(...)                                                                                                \
    {                                                                                                                  \
        .sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER, .maxLod = 1000, __VA_ARGS__                  \
    }
static const VkSamplerGLStateCreateInfoCLAMPLER
    gl_clamp = GL_SAMPLER(.wrapS = TOKEN_CLAMP, .minFilter = TOKEN_LINEAR, .magFilter = TOKEN_LINEAR),
    gl_mixed = GL_SAMPLER(.wrapS = TOKEN_CLAMP, .minFilter = TOKEN_LINEAR, .magFilter = TOKEN_NEAREST),
    gl_cubic = GL_SAMPLER(.wrapS = TOKEN_CLAMP_TO_EDGE, .minFilter = TOKEN_CUBIC_IMG, .magFilter = TOKEN_CUBIC_IMG),
    gl_anisotropic = GL_SAMPLER(.wrapS = TOKEN_CLAMP_TO_EDGE, .minFilter = TOKEN_LINEAR, .magFilter = TOKEN_LINEAR,
                                .maxAnisotropy = 16);
static const VkSamplerCustomBorderColorCreateInfoEXT own_border = {
    .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
    .customBorderColor.float32 = {0.25f, 0.5f, 0.75f, 1},
    .format = VK_FORMAT_R8_UNORM};
static const VkImageViewGLTextureStateCreateInfoCLAMPLER
    incomplete = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER, .incomplete = VK_TRUE},
    bordered = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER,
                .borderWidth = 1,
                .extent = {6, 6, 1}};

static const struct made_up {
    const char *name;
    const void *sampler; /* chained to it */
    VkSamplerAddressMode mode;
    VkFilter filter;
    const void *view; /* likewise */
    bool turned;      /* the attachment's channels */
} made_up[] = {
    {.name = "nothing"},
    {.name = "GL_CLAMP", .sampler = &gl_clamp},
    {.name = "mixed filters", .sampler = &gl_mixed},
    {.name = "cubic filters", .sampler = &gl_cubic},
    {.name = "anisotropy", .sampler = &gl_anisotropic},
    {.name = "offered border colours", .sampler = &own_border, .mode = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER},
    {.name = "offered mirrors", .mode = VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE},
    {.name = "offered cubic filters", .filter = VK_FILTER_CUBIC_EXT},
    {.name = "incomplete textures", .view = &incomplete},
    {.name = "border texels", .view = &bordered},
    {.name = "orders of channels", .turned = true},
};
enum { MADE_UP = sizeof(made_up) / sizeof(made_up[0]), SIDE = 8 };

struct making {
    struct recording recording; /* first */
    struct fixture *fixture;
    const struct made_up *what;
    struct harness_image *image, *target;
};

/* All calls of a program but for those that wait. */
static void run_making(struct recording *recording)
{
    const struct making *m = (const struct making *)recording;
    const struct made_up *what = m->what;
    struct harness_vulkan *vk = &m->fixture->scene.vk;
    const VkClearColorValue clear = {.float32 = {0, 0, 0, 0}};
    const VkSamplerCreateInfo sampler_info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                              .pNext = what->sampler,
                                              .magFilter = what->filter,
                                              .minFilter = what->filter,
                                              .addressModeU = what->mode,
                                              .addressModeV = what->mode,
                                              .addressModeW = what->mode,
                                              .borderColor = what->sampler == &own_border
                                                                 ? VK_BORDER_COLOR_FLOAT_CUSTOM_EXT
                                                                 : VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK};
    VkImageViewCreateInfo view_info = harness_image_view_info(m->image);
    VkImageView view;
    struct blending_pass pass;
    view_info.pNext = what->view;
    VkSampler sampler = harness_sampler(vk, &sampler_info);
    HARNESS_VK(vkCreateImageView(vk->device, &view_info, NULL, &view));
    harness_write_image(vk, m->fixture->set, 0, 0, SCENE_COMBINED, sampler, view);
    const VkImageView attachment =
        what->turned ? blending_view_in_order(vk, m->target, TOKEN_RGBA,
                                              (VkComponentMapping){VK_COMPONENT_SWIZZLE_A, VK_COMPONENT_SWIZZLE_B,
                                                                   VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_R})
                     : m->target->view;
    blending_pass_create(vk, &pass,
                         &(struct blending_pass_params){.style = BLENDING_PASS,
                                                        .count = 1,
                                                        .views = {attachment},
                                                        .formats = {m->target->params.format},
                                                        .width = SIDE,
                                                        .height = SIDE,
                                                        .load = VK_ATTACHMENT_LOAD_OP_CLEAR});
    VkPipeline pipeline =
        blending_pipeline(vk, &pass,
                          &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_guest_stack_single),
                                                             .layout = m->fixture->layout,
                                                             .states = {{.colorWriteMask = 0xf}}});
    blending_pass_begin(&pass, recording->commands, &clear, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(recording->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(recording->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, m->fixture->layout, 0, 1,
                            &m->fixture->set, 0, NULL);
    vkCmdDraw(recording->commands, 3, 1, 0, 0);
    blending_pass_end(&pass, recording->commands);
    HARNESS_VK(vkEndCommandBuffer(recording->commands));
    vkDestroyPipeline(vk->device, pipeline, NULL);
    blending_pass_destroy(vk, &pass);
    if (what->turned)
        vkDestroyImageView(vk->device, attachment, NULL);
    vkDestroyImageView(vk->device, view, NULL);
    vkDestroySampler(vk->device, sampler, NULL);
}

static size_t stack_of_making(struct fixture *f, const struct made_up *what, struct harness_image *image,
                              struct harness_image *target)
{
    VkCommandBuffer commands = harness_begin(&f->scene.vk);
    const size_t took =
        stack_of(&(struct making){{.run = run_making, .commands = commands}, f, what, image, target}.recording);
    vkFreeCommandBuffers(f->scene.vk.device, f->scene.vk.pool, 1, &commands);
    return took;
}

/* Each by the driver alone means the first of all. */
static void measure_made_up(bool layer, const char *tiers, size_t most[MADE_UP], struct clampler_counters *counters)
{
    struct fixture f;
    struct harness_image image, target;
    const struct harness_vulkan_params params = {.layers = layer ? "clampler:limited" : "none",
                                                 .sampling_features = true,
                                                 .filter_cubic = layer,
                                                 .alpha_to_one = layer,
                                                 .gl_image_view = layer,
                                                 .filter_emulation = layer};
    memset(&f, 0, sizeof(f));
    setenv("LIMITED_DRIVER_PROFILE", "bare-samplers", 1);
    setenv("VK_CLAMPLER_OFFER", "missing", 1);
    if (layer) {
        scene_open_with_setting(&f.scene, "TIERS", tiers, &params);
    } else {
        harness_vulkan_open(&f.scene.vk, &params);
        scene_make(&f.scene, false);
    }
    unsetenv("VK_CLAMPLER_OFFER");
    unsetenv("LIMITED_DRIVER_PROFILE");
    harness_one_set(&f.scene.vk, &texture, 1, &f.set_layout, &f.layout, &f.set);
    harness_image_create(
        &f.scene.vk, &image,
        &(struct harness_image_params){
            .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R8_UNORM, .width = SIDE, .height = SIDE},
        (uint8_t[SIDE * SIDE]){0});
    blending_image_create(
        &f.scene.vk, &target,
        &(struct blending_image_params){.format = VK_FORMAT_R8G8B8A8_UNORM, .width = SIDE, .height = SIDE}, NULL);
    for (unsigned i = 0; i < (layer ? (unsigned)MADE_UP : 1); i++)
        for (unsigned time = 0; time < 2; time++) { /* the second finds what the first has made */
            const size_t took = stack_of_making(&f, &made_up[i], &image, &target);
            most[i] = took > most[i] ? took : most[i];
        }
    *counters = harness_counters(&f.scene.vk);
    harness_image_destroy(&f.scene.vk, &target);
    harness_image_destroy(&f.scene.vk, &image);
    harness_layouts_destroy(&f.scene.vk, f.layout, f.set_layout);
    scene_close(&f.scene);
}

static void what_is_made_up_takes_little_stack(void **state)
{
    (void)state;
#if HARNESS_SANITIZED
    skip(); /* whose stacks are others */
#endif
    static const char *const tiers[] = {"lazy", "ahead", "eager"};
    struct clampler_counters counters;
    size_t drivers[MADE_UP] = {0};
    measure_made_up(false, NULL, drivers, &counters);
    for (unsigned i = 0; i < 3; i++) {
        const size_t allowed = i == 2 ? (size_t)EAGER_ALLOWED : drivers[0] + ALLOWED;
        size_t least[MADE_UP];
        bool little = false;
        memset(least, 0xff, sizeof(least));
        for (unsigned attempt = 0; attempt < 3 && !little; attempt++) { /* as expect_little() does */
            size_t most[MADE_UP] = {0};
            measure_made_up(true, tiers[i], most, &counters);
            assert_true(counters.draws[1] > 0 && counters.draws[2] >= 2 * 6 && counters.outputs_moved > 0);
            little = true;
            for (unsigned what = 0; what < MADE_UP; what++) {
                least[what] = most[what] < least[what] ? most[what] : least[what];
                little &= least[what] <= allowed;
            }
        }
        for (unsigned what = 0; what < MADE_UP; what++) {
            print_message("tiers=%s, %s: %zu bytes, the driver alone %zu\n", tiers[i], made_up[what].name, least[what],
                          drivers[0]);
            assert_true(least[what] <= allowed);
        }
    }
}

/* With memory reports tiers are compiled ahead, since those may come on any thread; with allocation callbacks not. */
static void callbacks_decide_whether_tiers_are_compiled_ahead(void **state)
{
    (void)state;
    for (given = NOTHING; given < GIVEN; given++) {
        struct fixture f;
        const bool ahead = given == NOTHING || given == REPORTS;
        open_fixture(&f, &(struct measured){true, "ahead", HARNESS_MONOLITHIC, SCENE_MIXED}, &texture, 1);
        VkPipeline pipeline = harness_graphics_pipeline(
            &f.scene.vk, &f.scene.target,
            &(struct harness_graphics_params){.fragment = HARNESS_SPIRV(integration_guest_stack_single),
                                              .layout = f.layout});
        for (unsigned i = 0; i < 12000 && ahead && harness_counters(&f.scene.vk).compiled_ahead < 2; i++)
            nanosleep(&(struct timespec){.tv_nsec = 5 * 1000 * 1000}, NULL);
        scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_MIXED, 2);
        const struct clampler_counters counters = harness_counters(&f.scene.vk);
        assert_int_equal(counters.compiled_ahead, ahead ? 2 : 0);
        assert_int_equal(counters.compiled_at_draws, ahead ? 0 : 1);
        harness_graphics_pipeline_destroy(&f.scene.vk, pipeline);
        close_fixture(&f, &(struct measured){.layer = true});
    }
    given = NOTHING;
}

/* In a process of its own. The first allocation of what a draw has compiled ends it. */
static int leave_in_an_allocation(void)
{
    struct measured m = {true, "lazy", HARNESS_MONOLITHIC, SCENE_MIXED};
    size_t took;
    given = OF_DEVICE;
    leave_by = 3;
    draw(&m, &took);
    return 1;
}

static void a_process_may_end_in_an_allocation_callback(void **state)
{
    (void)state;
#if HARNESS_SANITIZED
    skip(); /* all of it is a leak */
#endif
    int status = -1;
    if (!driver_asks()) {
        print_message("the driver asks a device's callbacks for nothing where it compiles\n");
        skip();
    }
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        alarm(60);
        execl("/proc/self/exe", "integration_guest_stack", "leave", (char *)NULL);
        _exit(1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 3);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "leave"))
        return leave_in_an_allocation();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recording_takes_at_most_four_kib_more_stack_than_the_driver),
        cmocka_unit_test(what_is_made_up_takes_little_stack),
        cmocka_unit_test(callbacks_decide_whether_tiers_are_compiled_ahead),
        cmocka_unit_test(a_process_may_end_in_an_allocation_callback),
    };
    return cmocka_run_group_tests_name("guest_stack", tests, NULL, NULL);
}
