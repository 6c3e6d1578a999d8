/* SPDX-License-Identifier: MIT */
/*
 * Placed descriptors of objects that were destroyed and whose handles came again: what the layer remembers of the old
 * ones must not be given for the new ones, whichever thread made them. Numbers of records tell the objects apart; what
 * they must be is told by objects that live all the time. Without the validation layer, which gives handles of its own.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "harness/device/environment.h"
#include "harness/resources/heap.h"
#include "integration/app_descriptors/descriptor_scene.h"
#include "integration/app_descriptors/heap_scene.h"

enum { KINDS = 2, TURNS = 400, TIMES = 4, BYTES_MOST = 4096 };

static uint32_t word_at(const unsigned char *bytes, size_t offset)
{
    uint32_t word;
    memcpy(&word, bytes + offset, sizeof(word));
    return word;
}

/* ---- Views and samplers ---- */

struct fixture {
    struct descriptor_scene scene;
    struct harness_vulkan *vk;
    VkPhysicalDeviceDescriptorBufferPropertiesEXT driver;
    struct harness_image images[KINDS]; /* of different sizes, so that the records of their views differ */
};

static void open_fixture(struct fixture *f)
{
    descriptor_scene_open(&f->scene, &(struct descriptor_scene_params){.alone = true});
    if (f->scene.native) {
        descriptor_scene_close(&f->scene);
        skip();
    }
    f->vk = &f->scene.scene.vk;
    f->driver = descriptor_scene_driver();
    for (uint32_t i = 0; i < KINDS; i++)
        harness_image_create(
            f->vk, &f->images[i],
            &(struct harness_image_params){
                .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R8G8B8A8_UNORM, .width = 16u << i, .height = 8},
            NULL);
}

static void close_fixture(struct fixture *f)
{
    for (uint32_t i = 0; i < KINDS; i++)
        harness_image_destroy(f->vk, &f->images[i]);
    descriptor_scene_close(&f->scene);
}

static VkImageView new_view(const struct fixture *f, uint32_t kind)
{
    const VkImageViewCreateInfo info = harness_image_view_info(&f->images[kind]);
    VkImageView view;
    HARNESS_VK(vkCreateImageView(f->vk->device, &info, NULL, &view));
    return view;
}

/* One that asks for nothing, and one that asks for something. */
static VkSampler new_sampler(const struct fixture *f, uint32_t kind)
{
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                   .wrapS = TOKEN_CLAMP,
                                                   .wrapT = TOKEN_CLAMP,
                                                   .wrapR = TOKEN_CLAMP,
                                                   .minFilter = TOKEN_LINEAR,
                                                   .magFilter = TOKEN_LINEAR,
                                                   .maxLod = 1000.0f};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = kind ? &gl : NULL};
    VkSampler sampler;
    HARNESS_VK(vkCreateSampler(f->vk->device, &info, NULL, &sampler));
    return sampler;
}

/* Bytes in front of the number: the driver's, and those of nearest samplers (layer/device/device/app_descriptors.h). */
static size_t number_at(const struct fixture *f, VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_SAMPLER         ? 3 * f->driver.samplerDescriptorSize
           : type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE ? f->driver.sampledImageDescriptorSize
                                                      : f->driver.combinedImageSamplerDescriptorSize;
}

/* The number, which is the same however often it is asked for; the last times what is remembered answers. */
static uint32_t number_of(const struct fixture *f, VkDescriptorType type, VkSampler sampler, VkImageView view)
{
    unsigned char first[BYTES_MOST] = {0}, bytes[BYTES_MOST]; /* drivers leave holes */
    const size_t size = number_at(f, type) + sizeof(uint32_t);
    assert_true(harness_descriptor_size(&f->scene.descriptors, type) <= sizeof(bytes));
    harness_descriptor_image(&f->scene.descriptors, type, sampler, view, first);
    for (uint32_t i = 1; i < TIMES; i++) {
        memset(bytes, 0, sizeof(bytes));
        harness_descriptor_image(&f->scene.descriptors, type, sampler, view, bytes);
        assert_memory_equal(bytes, first, size);
    }
    return word_at(first, size - sizeof(uint32_t));
}

/* Sanitizers keep freed memory away for a while, and with it the handles that drivers make of addresses. */
static void expect_again(uint32_t again)
{
    assert_true(HARNESS_SANITIZED || again > TURNS / 4);
}

static void views_whose_handles_come_again(void **state)
{
    (void)state;
    static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                             VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER};
    struct fixture f;
    open_fixture(&f);
    VkSampler sampler = new_sampler(&f, 1);
    for (uint32_t t = 0; t < 2; t++) {
        uint32_t expected[KINDS], again = 0;
        VkImageView last = VK_NULL_HANDLE;
        for (uint32_t i = 0; i < KINDS; i++)
            expected[i] = number_of(&f, types[t], sampler, f.images[i].view);
        assert_int_not_equal(expected[0], expected[1]);
        for (uint32_t turn = 0; turn < TURNS; turn++) {
            VkImageView view = new_view(&f, turn % KINDS);
            again += view == last;
            assert_int_equal(number_of(&f, types[t], sampler, view), expected[turn % KINDS]);
            vkDestroyImageView(f.vk->device, view, NULL);
            last = view;
        }
        expect_again(again);
    }
    vkDestroySampler(f.vk->device, sampler, NULL);
    close_fixture(&f);
}

static void samplers_whose_handles_come_again(void **state)
{
    (void)state;
    static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_SAMPLER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER};
    struct fixture f;
    open_fixture(&f);
    VkSampler living[KINDS];
    for (uint32_t i = 0; i < KINDS; i++)
        living[i] = new_sampler(&f, i);
    for (uint32_t t = 0; t < 2; t++) {
        uint32_t expected[KINDS], again = 0;
        VkSampler last = VK_NULL_HANDLE;
        for (uint32_t i = 0; i < KINDS; i++)
            expected[i] = number_of(&f, types[t], living[i], f.images[0].view);
        assert_int_not_equal(expected[0], expected[1]);
        for (uint32_t turn = 0; turn < TURNS; turn++) {
            VkSampler sampler = new_sampler(&f, turn % KINDS);
            again += sampler == last;
            assert_int_equal(number_of(&f, types[t], sampler, f.images[0].view), expected[turn % KINDS]);
            vkDestroySampler(f.vk->device, sampler, NULL);
            last = sampler;
        }
        expect_again(again);
    }
    for (uint32_t i = 0; i < KINDS; i++)
        vkDestroySampler(f.vk->device, living[i], NULL);
    close_fixture(&f);
}

/* ---- Threads ---- */

/* One thread makes and destroys views; this one writes descriptors of them in between. */
struct exchange {
    const struct fixture *f;
    VkImageView view;       /* written before `made` grows */
    _Atomic(uint32_t) made; /* turns */
    _Atomic(uint32_t) used;
    uint32_t again;
};

static void *make_views(void *user)
{
    struct exchange *x = user;
    VkImageView last = VK_NULL_HANDLE;
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        x->view = new_view(x->f, turn % KINDS);
        x->again += x->view == last;
        last = x->view;
        atomic_store_explicit(&x->made, turn + 1, memory_order_release);
        while (atomic_load_explicit(&x->used, memory_order_acquire) != turn + 1)
            sched_yield();
        vkDestroyImageView(x->f->vk->device, last, NULL);
    }
    return NULL;
}

/* Another thread's descriptors, of views that live: they are right all the time. */
static void *use_images(void *user)
{
    struct exchange *x = user;
    uint32_t wrong = 0, expected[KINDS];
    for (uint32_t i = 0; i < KINDS; i++)
        expected[i] = number_of(x->f, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE, x->f->images[i].view);
    for (uint32_t i = 0; atomic_load_explicit(&x->used, memory_order_relaxed) < TURNS; i++)
        wrong += number_of(x->f, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE, x->f->images[i % KINDS].view) !=
                 expected[i % KINDS];
    return (void *)(uintptr_t)wrong;
}

static void views_of_another_thread(void **state)
{
    (void)state;
    struct fixture f;
    struct exchange x = {.f = &f};
    pthread_t maker, user;
    uint32_t expected[KINDS];
    void *wrong;
    open_fixture(&f);
    for (uint32_t i = 0; i < KINDS; i++)
        expected[i] = number_of(&f, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE, f.images[i].view);
    assert_int_equal(pthread_create(&maker, NULL, make_views, &x), 0);
    assert_int_equal(pthread_create(&user, NULL, use_images, &x), 0);
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        while (atomic_load_explicit(&x.made, memory_order_acquire) != turn + 1)
            sched_yield();
        assert_int_equal(number_of(&f, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE, x.view),
                         expected[turn % KINDS]);
        atomic_store_explicit(&x.used, turn + 1, memory_order_release);
    }
    assert_int_equal(pthread_join(maker, NULL), 0);
    assert_int_equal(pthread_join(user, &wrong), 0);
    assert_null(wrong);
    expect_again(x.again);
    close_fixture(&f);
}

/* ---- Heaps ---- */

static void skip_without_heaps(void)
{
    struct harness_vulkan vk;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "none"});
    const char *lacks = harness_lacks(&vk, HARNESS_MONOLITHIC, HARNESS_SETS_HEAP);
    harness_vulkan_close(&vk);
    if (lacks || strcmp(harness_test_layers("clampler"), "none") == 0)
        skip();
}

static void open_heaps(struct harness_vulkan *vk, struct harness_heaps *heaps)
{
    const VkPhysicalDeviceBufferDeviceAddressFeatures address = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES, .bufferDeviceAddress = VK_TRUE};
    harness_vulkan_open(
        vk, &(struct harness_vulkan_params){
                .layers = "clampler", .gl_sampler = true, .device_next = &address, .sets = HARNESS_SETS_HEAP});
    harness_heaps_open(heaps, vk, true, 1 << 12, 1 << 12);
}

static void close_heaps(struct harness_vulkan *vk, struct harness_heaps *heaps)
{
    harness_heaps_close(heaps);
    harness_vulkan_close(vk);
}

static void images_in_heaps_whose_handles_come_again(void **state)
{
    (void)state;
    static const struct harness_image_params params[KINDS] = {
        {.type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R8G8B8A8_UNORM, .width = 16, .height = 8},
        {.type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R8G8B8A8_UNORM, .width = 32, .height = 8}};
    struct harness_vulkan vk;
    struct harness_heaps heaps;
    struct harness_image living[KINDS];
    uint32_t expected[KINDS], again = 0;
    VkImage last = VK_NULL_HANDLE;
    skip_without_heaps();
    const size_t size = (size_t)heap_scene_driver().imageDescriptorSize;
    open_heaps(&vk, &heaps);
    const uint32_t offset = harness_heaps_take(&heaps, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1);
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        struct harness_image image;
        harness_image_create(&vk, turn < KINDS ? &living[turn] : &image, &params[turn % KINDS], NULL);
        const struct harness_image *used = turn < KINDS ? &living[turn] : &image;
        again += used->image == last;
        last = used->image;
        for (uint32_t i = 0; i < TIMES; i++) {
            memset(heaps.resources.bytes + offset, 0xff, size + sizeof(uint32_t));
            harness_heap_put_image(&heaps, offset, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, used);
            const uint32_t number = word_at(heaps.resources.bytes + offset, size);
            if (turn < KINDS)
                expected[turn] = number;
            assert_int_equal(number, expected[turn % KINDS]);
        }
        if (turn >= KINDS)
            harness_image_destroy(&vk, &image);
    }
    assert_int_not_equal(expected[0], expected[1]);
    expect_again(again);
    for (uint32_t i = 0; i < KINDS; i++)
        harness_image_destroy(&vk, &living[i]);
    close_heaps(&vk, &heaps);
}

/* Handles of devices come again as well, with another table of records: these number as they are first asked for. */
static void samplers_in_heaps_of_devices_that_come_again(void **state)
{
    (void)state;
    enum { DEVICES = 8 };
    struct harness_vulkan keeper; /* or the layer would be loaded anew each time */
    const void *last = NULL;      /* what the loader knows a device by */
    uint32_t again = 0;
    static const VkSamplerAddressMode modes[KINDS] = {VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER,
                                                      VK_SAMPLER_ADDRESS_MODE_GL_MIRROR_CLAMP_CLAMPLER};
    skip_without_heaps();
    const size_t size = (size_t)heap_scene_driver().samplerDescriptorSize;
    harness_vulkan_open(&keeper, &(struct harness_vulkan_params){.layers = "clampler", .gl_sampler = true});
    for (uint32_t d = 0; d < DEVICES; d++) {
        struct harness_vulkan vk;
        struct harness_heaps heaps;
        uint32_t numbers[KINDS];
        open_heaps(&vk, &heaps);
        again += *(const void *const *)vk.device == last;
        last = *(const void *const *)vk.device;
        const uint32_t offset = harness_heaps_take(&heaps, VK_DESCRIPTOR_TYPE_SAMPLER, 1);
        for (uint32_t i = 0; i < KINDS * TIMES; i++) {
            const VkSamplerAddressMode mode = modes[(d + i) % KINDS];
            const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                              .magFilter = VK_FILTER_LINEAR,
                                              .minFilter = VK_FILTER_LINEAR,
                                              .addressModeU = mode,
                                              .addressModeV = mode,
                                              .addressModeW = mode};
            harness_heap_put_sampler(&heaps, offset, &info);
            const uint32_t number = word_at(heaps.samplers.bytes + offset, size);
            if (i < KINDS)
                numbers[i] = number;
            assert_int_equal(number, numbers[i % KINDS]);
        }
        assert_true(numbers[0] < numbers[1]);
        close_heaps(&vk, &heaps);
    }
    harness_vulkan_close(&keeper);
    if (!again)
        print_message("no device came again\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_whose_handles_come_again),
        cmocka_unit_test(samplers_whose_handles_come_again),
        cmocka_unit_test(views_of_another_thread),
        cmocka_unit_test(images_in_heaps_whose_handles_come_again),
        cmocka_unit_test(samplers_in_heaps_of_devices_that_come_again),
    };
    return cmocka_run_group_tests_name("descriptor_reuse", tests, NULL, NULL);
}
