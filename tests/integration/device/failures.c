/* SPDX-License-Identifier: MIT */
/*
 * Memory that runs out, in the driver, in the program's allocation callbacks, and in the layer's own allocations: each
 * call of each hook fails once. The program hears of it, nothing is leaked, nothing crashes, and what it does next
 * works.
 */
#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "harness/device/environment.h"
#include "integration/layers/faults.h"
#include "integration/shared/parts.h"
#include "integration/shared/scenario.h"
#include "integration_failing.h"
#include "integration_single.h"
#include "integration_solid.h"

static struct harness_vulkan_params faulty_params(const char *layers)
{
    struct harness_vulkan_params params = scenario_params;
    params.layers = layers;
    return params;
}

#define VALIDATED "clampler:validation:" FAULT_LAYER
#define UNVALIDATED "clampler:" FAULT_LAYER

/* ---- The driver ---- */

/* With two settings, each NULL or a value: capabilities that count as missing, and attachments without alpha. */
static void sweep_driver(const char *missing, const char *alpha_to_one)
{
    struct fault_control *control = faults_open();
    struct harness_vulkan_params params = faulty_params(VALIDATED);
    struct scene scene;
    if (alpha_to_one)
        setenv("VK_CLAMPLER_ALPHA_TO_ONE", alpha_to_one, 1);
    if (missing)
        scene_open_with_setting(&scene, "ASSUME_MISSING", missing, &params);
    else
        scene_open(&scene, &params);
    unsetenv("VK_CLAMPLER_ALPHA_TO_ONE");

    /* Twice without a fault, for what stays: one block of record memory, rewritten modules, spare command buffers. */
    faults_arm(control, 0, VK_SUCCESS);
    assert_int_equal(scenario_run(&scene, NULL, false), VK_SUCCESS);
    uint32_t calls = atomic_load(&control->calls);
    assert_int_equal(scenario_run(&scene, NULL, false), VK_SUCCESS);
    struct clampler_counters before = harness_counters(&scene.vk);
    int64_t objects = atomic_load(&control->objects);
    assert_true(calls > 40);

    for (uint32_t number = 1; number <= calls; number++) {
        VkResult wanted = number % 2 ? VK_ERROR_OUT_OF_DEVICE_MEMORY : VK_ERROR_OUT_OF_HOST_MEMORY;
        faults_arm(control, number, wanted);
        VkResult result = scenario_run(&scene, NULL, true);
        bool failed = atomic_load(&control->failed) != 0;
        faults_arm(control, 0, VK_SUCCESS);
        if (!failed) /* one block of record memory is there already: a few calls fewer than the first time */
            break;
        struct clampler_counters now = harness_counters(&scene.vk);
        if (result != wanted || now.live_objects != before.live_objects || now.live_bytes != before.live_bytes ||
            atomic_load(&control->objects) != objects)
            print_error("call %u, %s: result %d, objects %ld, live objects %ld, live bytes %ld more\n", number,
                        control->name, (int)result, (long)(atomic_load(&control->objects) - objects),
                        (long)(now.live_objects - before.live_objects), (long)(now.live_bytes - before.live_bytes));
        assert_int_equal(result, wanted);
        assert_int_equal(now.live_objects, before.live_objects);
        assert_int_equal(now.live_bytes, before.live_bytes);
        assert_int_equal(atomic_load(&control->objects), objects);
        if (number % 8 == 0)
            assert_int_equal(scenario_run(&scene, NULL, false), VK_SUCCESS);
    }
    assert_int_equal(scenario_run(&scene, NULL, false), VK_SUCCESS);
    scene_close(&scene);
    assert_int_equal(atomic_load(&control->objects), 0);
}

static void each_call_of_the_driver_may_run_out_of_memory(void **state)
{
    (void)state;
    sweep_driver(NULL, NULL);
}

static void each_call_of_the_driver_may_run_out_of_memory_without_push_slots(void **state)
{
    (void)state;
    sweep_driver("push_slot", NULL);
}

static void each_call_of_the_driver_may_run_out_of_memory_with_attachments_without_alpha(void **state)
{
    (void)state;
    sweep_driver(NULL, "R32G32B32A32_SFLOAT");
}

static void each_call_of_the_driver_may_run_out_of_memory_with_variants_for_them(void **state)
{
    (void)state;
    sweep_driver("dynamic_blend", "R32G32B32A32_SFLOAT");
}

/* A creation that fails may leave the program's variables as they were: another pipeline in them stays what it is. */
static void pipelines_that_fail_are_not_taken_for_those_before_them(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {
        {.descriptorType = SCENE_COMBINED, .descriptorCount = 1, .stageFlags = VK_SHADER_STAGE_ALL},
        {.binding = 1,
         .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
         .descriptorCount = 1,
         .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT},
    };
    struct fault_control *control = faults_open();
    struct harness_vulkan_params params = faulty_params(VALIDATED);
    struct scene scene;
    struct scene_program program;
    struct parts other;
    faults_arm(control, 0, VK_SUCCESS);
    scene_open(&scene, &params);
    scene_program_create(&scene, &program, HARNESS_SPIRV(integration_single), bindings, 2, 0, NULL);
    parts_open(&scene, &other, HARNESS_SPIRV(integration_solid), program.layout);
    const VkComputePipelineCreateInfo compute = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = harness_module(&scene.vk, HARNESS_SPIRV(integration_failing)),
                  .pName = "main"},
        .layout = program.layout,
    };
    for (unsigned i = 0; i < 2; i++) {
        VkPipeline pipeline = program.pipeline;
        faults_arm(control, 1, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        VkResult result =
            i ? vkCreateComputePipelines(scene.vk.device, VK_NULL_HANDLE, 1, &compute, NULL, &pipeline)
              : vkCreateGraphicsPipelines(scene.vk.device, VK_NULL_HANDLE, 1, &other.info, NULL, &pipeline);
        faults_arm(control, 0, VK_SUCCESS);
        assert_int_equal(result, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        assert_string_equal(control->name, i ? "vkCreateComputePipelines" : "vkCreateGraphicsPipelines");
        assert_null(pipeline);
    }
    VkDescriptorSet set = harness_set(&scene.vk, program.set_layout);
    scene_write(&scene, set, 0, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_RAMP);
    scene_draw(&scene, program.pipeline, program.layout, 1, &set);
    scene_expect_tier(&scene, 1);
    scene_expect_row(&scene, 2, SCENE_CLAMP, SCENE_RAMP);
    vkDestroyShaderModule(scene.vk.device, compute.stage.module, NULL);
    parts_close(&scene, &other);
    scene_program_destroy(&scene, &program);
    scene_close(&scene);
    assert_int_equal(atomic_load(&control->objects), 0);
}

static void a_device_that_cannot_be_created_leaves_nothing(void **state)
{
    (void)state;
    struct fault_control *control = faults_open();
    struct harness_vulkan_params params = faulty_params(VALIDATED);
    struct scene scene;
    faults_arm(control, 0, VK_SUCCESS);
    scene_open(&scene, &params);
    int64_t objects = atomic_load(&control->objects);
    faults_arm(control, 1, VK_ERROR_OUT_OF_HOST_MEMORY);
    assert_int_equal(scenario_create_device(&scene, NULL), VK_ERROR_OUT_OF_HOST_MEMORY);
    assert_string_equal(control->name, "vkCreateDevice");
    faults_arm(control, 2, VK_ERROR_OUT_OF_HOST_MEMORY); /* the layer's pipeline cache, which it can do without */
    assert_int_equal(scenario_create_device(&scene, NULL), VK_SUCCESS);
    assert_string_equal(control->name, "vkCreatePipelineCache");
    faults_arm(control, 0, VK_SUCCESS);
    assert_int_equal(atomic_load(&control->objects), objects);
    scene_close(&scene);
}

/* ---- The program's allocation callbacks ---- */

/* Where the layer's code lies, to know its allocations from the driver's. */
struct range {
    uintptr_t first, last;
};
static struct range layer_code;

static int find_layer(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size;
    (void)user;
    if (!info->dlpi_name || !strstr(info->dlpi_name, "libVkLayer_clampler_gl_sampler"))
        return 0;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
            layer_code.first = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            layer_code.last = layer_code.first + info->dlpi_phdr[i].p_memsz;
        }
    }
    return 1;
}

static void learn_layer_code(void)
{
    layer_code = (struct range){0, 0};
    dl_iterate_phdr(find_layer, NULL);
    assert_true(layer_code.first != 0);
}

static bool is_layer(const void *address)
{
    return (uintptr_t)address >= layer_code.first && (uintptr_t)address < layer_code.last;
}

struct allocations {
    uint32_t calls, fail; /* of the layer: made, and the number of the one that fails (0: none) */
    bool failed;
    long live; /* of everybody */
    size_t bad_frees;
};

enum { CANARY = 0x51ab1e5, HEADER = 64 };

struct header {
    uint32_t canary;
    size_t size;
    size_t alignment;
};

static void *take(struct allocations *a, size_t size, size_t alignment)
{
    size_t offset = alignment > HEADER ? alignment : HEADER;
    char *block = aligned_alloc(offset, (size + offset + offset - 1) / offset * offset);
    if (!block)
        return NULL;
    struct header *header = (struct header *)(void *)(block + offset - sizeof(struct header));
    *header = (struct header){CANARY, size, offset};
    a->live++;
    return block + offset;
}

static VKAPI_ATTR void VKAPI_CALL give(void *user, void *memory)
{
    struct allocations *a = user;
    if (!memory)
        return;
    struct header *header = (struct header *)(void *)((char *)memory - sizeof(struct header));
    if (header->canary != CANARY) {
        a->bad_frees++;
        return;
    }
    header->canary = 0;
    a->live--;
    free((char *)memory - header->alignment);
}

static VKAPI_ATTR void *VKAPI_CALL allocate(void *user, size_t size, size_t alignment, VkSystemAllocationScope scope)
{
    struct allocations *a = user;
    (void)scope;
    if (is_layer(__builtin_return_address(0)) && ++a->calls == a->fail) {
        a->failed = true;
        return NULL;
    }
    return take(a, size, alignment);
}

static VKAPI_ATTR void *VKAPI_CALL reallocate(void *user, void *memory, size_t size, size_t alignment,
                                              VkSystemAllocationScope scope)
{
    if (!memory)
        return allocate(user, size, alignment, scope);
    if (!size) {
        give(user, memory);
        return NULL;
    }
    void *next = take(user, size, alignment);
    const struct header *header = (const struct header *)(const void *)((char *)memory - sizeof(struct header));
    if (next) {
        memcpy(next, memory, header->size < size ? header->size : size);
        give(user, memory);
    }
    return next;
}

static void allocation_callbacks_are_balanced_and_may_fail(void **state)
{
    (void)state;
    faults_open();
    struct harness_vulkan_params params = faulty_params(VALIDATED);
    struct scene scene;
    struct allocations a = {.calls = 0};
    const VkAllocationCallbacks callbacks = {
        .pUserData = &a, .pfnAllocation = allocate, .pfnReallocation = reallocate, .pfnFree = give};
    scene_open(&scene, &params);
    learn_layer_code();
    for (unsigned i = 0; i < 2; i++) {
        a.calls = 0;
        assert_int_equal(scenario_run(&scene, &callbacks, false), VK_SUCCESS);
        assert_int_equal(scenario_create_device(&scene, &callbacks), VK_SUCCESS);
        assert_int_equal(a.live, 0);
    }
    uint32_t calls = a.calls;
    struct clampler_counters before = harness_counters(&scene.vk);
    assert_true(calls > 8);
    for (uint32_t number = 1; number <= calls; number++) {
        a = (struct allocations){.fail = number};
        VkResult result = scenario_run(&scene, &callbacks, true);
        if (result == VK_SUCCESS)
            result = scenario_create_device(&scene, &callbacks);
        struct clampler_counters now = harness_counters(&scene.vk);
        if (!a.failed || result != VK_ERROR_OUT_OF_HOST_MEMORY || a.live)
            print_error("allocation %u of %u: result %d, %ld left\n", number, calls, (int)result, a.live);
        assert_true(a.failed);
        assert_int_equal(result, VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_int_equal(a.live, 0);
        assert_int_equal(a.bad_frees, 0);
        assert_int_equal(now.live_objects, before.live_objects);
        assert_int_equal(now.live_bytes, before.live_bytes);
    }
    a = (struct allocations){.fail = 0};
    assert_int_equal(scenario_run(&scene, &callbacks, false), VK_SUCCESS);
    scene_close(&scene);
}

/* ---- The layer's own allocations ---- */

#if !HARNESS_SANITIZED

static struct {
    bool armed, failed;
    uint32_t calls, fail;
} own;

static bool own_fails(const void *caller)
{
    if (!own.armed || !is_layer(caller) || ++own.calls != own.fail)
        return false;
    own.failed = true;
    return true;
}

/* The C library's own names for its allocator; the program's definitions below come before them for every library. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

void *malloc(size_t size)
{
    return own_fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return own_fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return own_fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

/* A device of its own for each failure, so that nothing is in the caches; only VK_ERROR_OUT_OF_HOST_MEMORY may come. */
static void sweep_layer(void)
{
    struct fault_control *control = faults_open();
    struct harness_vulkan_params params = faulty_params(UNVALIDATED);
    uint32_t calls = 0, stopped = 0;
    struct clampler_counters most = {.live_objects = 0};
    for (uint32_t number = 0; number <= calls; number++) {
        struct scene scene;
        faults_arm(control, 0, VK_SUCCESS);
        scene_open(&scene, &params);
        learn_layer_code();
        own.fail = number;
        own.calls = 0;
        own.failed = false;
        own.armed = true;
        VkResult result = scenario_run(&scene, NULL, number > 0);
        if (result == VK_SUCCESS)
            result = scenario_create_device(&scene, NULL);
        own.armed = false;
        struct clampler_counters now = harness_counters(&scene.vk);
        if (number == 0) {
            calls = own.calls;
            most = now;
            assert_int_equal(result, VK_SUCCESS);
            assert_true(calls > 60);
        } else {
            assert_true(own.failed);
            assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
            stopped += result != VK_SUCCESS;
            if (now.live_objects > most.live_objects || now.live_bytes > most.live_bytes)
                print_error("allocation %u of %u: %ld objects and %ld bytes left\n", number, calls,
                            (long)(now.live_objects - most.live_objects), (long)(now.live_bytes - most.live_bytes));
            assert_true(now.live_objects <= most.live_objects);
            assert_true(now.live_bytes <= most.live_bytes);
        }
        assert_int_equal(scenario_run(&scene, NULL, false), VK_SUCCESS);
        scene_close(&scene);
        if (atomic_load(&control->objects))
            print_error("allocation %u of %u: %ld objects of the driver left\n", number, calls,
                        (long)atomic_load(&control->objects));
        assert_int_equal(atomic_load(&control->objects), 0);
    }
    assert_true(stopped > calls / 2);
}

#else

static void sweep_layer(void)
{
    skip(); /* a sanitizer's allocator cannot be replaced */
}

#endif

static void each_allocation_of_the_layer_may_fail(void **state)
{
    (void)state;
    sweep_layer();
}

static void each_allocation_of_the_layer_may_fail_with_attachments_without_alpha(void **state)
{
    (void)state;
    setenv("VK_CLAMPLER_ALPHA_TO_ONE", "R32G32B32A32_SFLOAT", 1);
    sweep_layer();
    unsetenv("VK_CLAMPLER_ALPHA_TO_ONE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_call_of_the_driver_may_run_out_of_memory),
        cmocka_unit_test(each_call_of_the_driver_may_run_out_of_memory_without_push_slots),
        cmocka_unit_test(each_call_of_the_driver_may_run_out_of_memory_with_attachments_without_alpha),
        cmocka_unit_test(each_call_of_the_driver_may_run_out_of_memory_with_variants_for_them),
        cmocka_unit_test(pipelines_that_fail_are_not_taken_for_those_before_them),
        cmocka_unit_test(a_device_that_cannot_be_created_leaves_nothing),
        cmocka_unit_test(allocation_callbacks_are_balanced_and_may_fail),
        cmocka_unit_test(each_allocation_of_the_layer_may_fail),
        cmocka_unit_test(each_allocation_of_the_layer_may_fail_with_attachments_without_alpha),
    };
    return cmocka_run_group_tests_name("failures", tests, NULL, NULL);
}
