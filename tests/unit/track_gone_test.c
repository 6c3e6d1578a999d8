/* SPDX-License-Identifier: MIT */
/*
 * What ends with an object, in every hook that destroys one, above a driver that notes when it is asked: the name is
 * forgotten and what threads remember by handles is void before the driver is, which may give the handle out at once
 * (layer/device/device/object_names.h, layer/resources/sampling/saved_writes.h).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "creation/creation.h"
#include "fake_driver.h"
#include "sampling/image.h"
#include "sampling/saved_writes.h"
#include "sampling/sampler.h"

enum { KNOWN = 0x5000, IMAGES = 3, FIRST_IMAGE = 0x6000, MOST = 8 };

/* ---- Saved writes ---- */

static struct {
    struct {
        VkObjectType type;
        uint64_t handle;
    } names[MOST];
    unsigned forgotten, destroyed;
    uint64_t counts[GONE_KINDS], counts_then[GONE_KINDS];
} saved;

void __wrap_object_names_forget(struct object_names *names, VkObjectType type, uint64_t handle);

void __wrap_object_names_forget(struct object_names *names, VkObjectType type, uint64_t handle)
{
    assert_ptr_equal(names, &device.names);
    assert_int_equal(saved.destroyed, 0);
    assert_true(saved.forgotten < MOST);
    saved.names[saved.forgotten].type = type;
    saved.names[saved.forgotten++].handle = handle;
}

static void note_end(uint64_t handle)
{
    assert_int_equal(handle, KNOWN);
    saved.destroyed++;
    for (int kind = 0; kind < GONE_KINDS; kind++)
        saved.counts_then[kind] = gone_count((enum gone)kind);
}

/* ---- Everything that is destroyed and has a name ---- */

#define KINDS(ROW)                                                                                                     \
    ROW(Buffer, BUFFER, 0, 0)                                                                                          \
    ROW(Image, IMAGE, 0, 1)                                                                                            \
    ROW(ImageView, IMAGE_VIEW, 1, 0)                                                                                   \
    ROW(Sampler, SAMPLER, 1, 0)                                                                                        \
    ROW(ShaderModule, SHADER_MODULE, 0, 0)                                                                             \
    ROW(Pipeline, PIPELINE, 0, 0)                                                                                      \
    ROW(ShaderEXT, SHADER_EXT, 0, 0)

#define DRIVERS(NAME, TYPE, HANDLES, IMAGES_TOO)                                                                       \
    VKAPI_ATTR void VKAPI_CALL hook_Destroy##NAME(VkDevice, Vk##NAME, const VkAllocationCallbacks *);                  \
    static VKAPI_ATTR void VKAPI_CALL driver_##NAME(VkDevice handle, Vk##NAME gone, const VkAllocationCallbacks *own)  \
    {                                                                                                                  \
        (void)handle, (void)own;                                                                                       \
        note_end(HANDLE_KEY(gone));                                                                                    \
    }                                                                                                                  \
    static void end_##NAME(void)                                                                                       \
    {                                                                                                                  \
        hook_Destroy##NAME(NULL, (Vk##NAME)(uintptr_t)KNOWN, NULL);                                                    \
    }
KINDS(DRIVERS)

static VKAPI_ATTR VkResult VKAPI_CALL make_swapchain(VkDevice handle, const VkSwapchainCreateInfoKHR *info,
                                                     const VkAllocationCallbacks *own, VkSwapchainKHR *made)
{
    (void)handle, (void)info, (void)own;
    *made = (VkSwapchainKHR)(uintptr_t)KNOWN;
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL images_of_swapchain(VkDevice handle, VkSwapchainKHR swapchain, uint32_t *count,
                                                          VkImage *images)
{
    (void)handle, (void)swapchain;
    const uint32_t room = *count;
    *count = !images || room > IMAGES ? IMAGES : room;
    for (uint32_t i = 0; images && i < *count; i++)
        images[i] = (VkImage)(uintptr_t)(FIRST_IMAGE + i);
    return images && room < IMAGES ? VK_INCOMPLETE : VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL driver_swapchain(VkDevice handle, VkSwapchainKHR gone,
                                                   const VkAllocationCallbacks *own)
{
    (void)handle, (void)own;
    note_end(HANDLE_KEY(gone));
}

static struct instance instance;
#define NEXT(NAME, TYPE, HANDLES, IMAGES_TOO) .Destroy##NAME = driver_##NAME,
struct device device = {.instance = &instance,
                        .track = &track,
                        .next = {KINDS(NEXT).CreateSwapchainKHR = make_swapchain,
                                 .GetSwapchainImagesKHR = images_of_swapchain,
                                 .DestroySwapchainKHR = driver_swapchain}};

static void begin(void)
{
    memset(&saved, 0, sizeof(saved));
    for (int kind = 0; kind < GONE_KINDS; kind++)
        saved.counts[kind] = gone_count((enum gone)kind);
}

static void an_object_ends_with_its_name_and_its_notes_before_the_driver_is_asked(void **state)
{
    static const struct {
        VkObjectType type;
        void (*end)(void);
        bool gone[GONE_KINDS];
    } rows[] = {
#define ROW(NAME, TYPE, HANDLES, IMAGES_TOO) {VK_OBJECT_TYPE_##TYPE, end_##NAME, {HANDLES, IMAGES_TOO}},
        KINDS(ROW)};
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        for (int named = 0; named < 2; named++) {
            atomic_store(&device.names.any, named);
            begin();
            rows[i].end();
            assert_int_equal(saved.destroyed, 1);
            assert_int_equal(saved.forgotten, named);
            if (named) {
                assert_int_equal(saved.names[0].type, rows[i].type);
                assert_int_equal(saved.names[0].handle, KNOWN);
            }
            for (int kind = 0; kind < GONE_KINDS; kind++)
                if (rows[i].gone[kind])
                    assert_true(saved.counts_then[kind] > saved.counts[kind]);
        }
    }
}

static void images_of_a_swapchain_end_with_it(void **state)
{
    const VkSwapchainCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                           .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
                                           .imageExtent = {4, 4},
                                           .imageArrayLayers = 1,
                                           .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
    VkSwapchainKHR swapchain = VK_NULL_HANDLE;
    VkImage images[IMAGES];
    uint32_t count = IMAGES;
    (void)state;
    assert_int_equal(hook_CreateSwapchainKHR(NULL, &info, NULL, &swapchain), VK_SUCCESS);
    for (int again = 0; again < 2; again++)
        assert_int_equal(hook_GetSwapchainImagesKHR(NULL, swapchain, &count, images), VK_SUCCESS);
    for (uint32_t i = 0; i < IMAGES; i++)
        assert_non_null(table_find(&subsystems.sampling.images, HANDLE_KEY(images[i])));
    atomic_store(&device.names.any, true);
    begin();
    hook_DestroySwapchainKHR(NULL, swapchain, NULL);
    assert_int_equal(saved.destroyed, 1);
    assert_true(saved.counts_then[GONE_IMAGES] > saved.counts[GONE_IMAGES]);
    assert_int_equal(saved.forgotten, IMAGES);
    for (uint32_t i = 0; i < IMAGES; i++) {
        assert_int_equal(saved.names[i].type, VK_OBJECT_TYPE_IMAGE);
        assert_int_equal(saved.names[i].handle, FIRST_IMAGE + i);
        assert_null(table_find(&subsystems.sampling.images, HANDLE_KEY(images[i])));
    }
    assert_null(table_find(&subsystems.sampling.swapchains, KNOWN));
    assert_int_equal(track.counters.live_objects, 0);
}

static void *ask_for_images(void *swapchain)
{
    VkImage images[IMAGES];
    for (uint32_t i = 0; i < 100; i++) {
        uint32_t count = 1 + i % IMAGES;
        hook_GetSwapchainImagesKHR(NULL, HANDLE(VkSwapchainKHR, swapchain), &count, images);
    }
    return NULL;
}

/* vkGetSwapchainImagesKHR asks for no synchronisation: what ThreadSanitizer sees. */
static void threads_ask_for_the_images_of_a_swapchain_at_once(void **state)
{
    const VkSwapchainCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                           .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
                                           .imageExtent = {4, 4},
                                           .imageArrayLayers = 1};
    VkSwapchainKHR swapchain = VK_NULL_HANDLE;
    pthread_t threads[4];
    (void)state;
    assert_int_equal(hook_CreateSwapchainKHR(NULL, &info, NULL, &swapchain), VK_SUCCESS);
    for (size_t i = 0; i < sizeof(threads) / sizeof(*threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_for_images, (void *)(uintptr_t)swapchain), 0);
    for (size_t i = 0; i < sizeof(threads) / sizeof(*threads); i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    begin();
    hook_DestroySwapchainKHR(NULL, swapchain, NULL);
    for (uint32_t i = 0; i < IMAGES; i++)
        assert_null(table_find(&subsystems.sampling.images, FIRST_IMAGE + i));
}

static int open_track(void **state)
{
    (void)state;
    return !(sampling_init(&track) && modules_init(&track) && pipelines_init(&track) && shader_objects_init(&track) &&
             texel_buffers_init(&track));
}

static int close_track(void **state)
{
    (void)state;
    texel_buffers_finish(&track);
    shader_objects_finish(&track);
    pipelines_finish(&track);
    modules_finish(&track);
    sampling_finish(&track);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_object_ends_with_its_name_and_its_notes_before_the_driver_is_asked),
        cmocka_unit_test(images_of_a_swapchain_end_with_it),
        cmocka_unit_test(threads_ask_for_the_images_of_a_swapchain_at_once),
    };
    return cmocka_run_group_tests_name("track_gone", tests, open_track, close_track);
}
