/* SPDX-License-Identifier: MIT */
/*
 * Input attachments in descriptor buffers and heaps (layer/resources/app_descriptors/descriptor.c, heap.c): behind the
 * driver's bytes stands the number of a record that makes shaders read alpha as 1, where the view is an attachment
 * without alpha, and of no other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "attachments/attachments.h"
#include "gl/gl_tokens.h"
#include "newer_vulkan.h"
#include "objects/memory.h"
#include "fake_driver.h"
#include "record/layout.h"
#include "record_table/record_table.h"
#include "sampling/format.h"
#include "sampling/image.h"
#include "sampling/device_needs.h"
#include "vulkan_clampler.h"

enum { BYTES = 32, SCALE = 2 };

/* ---- A driver that notes what it gets ---- */

static struct {
    VkDescriptorType type;
    VkImageView view; /* of the descriptor buffer's */
    VkImage image;    /* of the heap's */
    unsigned asked;
} driver;

static VKAPI_ATTR void VKAPI_CALL take_descriptor(VkDevice handle, const VkDescriptorGetInfoEXT *info, size_t size,
                                                  void *bytes)
{
    (void)handle;
    assert_int_equal(size, BYTES);
    memset(bytes, 0xdd, size);
    driver.type = info->type;
    driver.view = info->type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT && info->data.pInputAttachmentImage
                      ? info->data.pInputAttachmentImage->imageView
                      : VK_NULL_HANDLE;
    driver.asked++;
}

static VKAPI_ATTR VkResult VKAPI_CALL take_resource(VkDevice handle, uint32_t count,
                                                    const VkResourceDescriptorInfoEXT *info,
                                                    const VkHostAddressRangeEXT *ranges)
{
    (void)handle;
    assert_int_equal(count, 1);
    assert_int_equal(ranges->size, BYTES);
    memset(ranges->address, 0xdd, ranges->size);
    driver.type = info->type;
    driver.image = info->data.pImage ? info->data.pImage->pView->image : VK_NULL_HANDLE;
    driver.asked++;
    return VK_SUCCESS;
}

static struct instance instance;
struct device device = {
    .instance = &instance,
    .caps.rgbx_attachments = true,
    .caps.buffer_address = true,
    .caps.enabled = {.glImageView = VK_TRUE, .alphaToOneAttachments = VK_TRUE},
    .caps.app_descriptors = {.buffers = true,
                             .sizes = {[APP_INPUT] = {BYTES, SCALE, BYTES}, [APP_SAMPLER] = {BYTES, 4, 3 * BYTES}},
                             .heaps = true,
                             .heap_image = {BYTES, SCALE, BYTES}},
    .next = {MADE_MEMORY, .GetDescriptorEXT = take_descriptor, .WriteResourceDescriptorsEXT = take_resource},
    .track = &track};

static const void *dispatch = &device; /* what the loader has in front of every handle */

static int open_track(void **state)
{
    (void)state;
    memset(&driver, 0, sizeof(driver));
    made_memory_open(&device);
    fake_track_begin();
    return table_init(&subsystems.sampling.views) && table_init(&subsystems.sampling.samplers) &&
                   table_init(&subsystems.sampling.images) && table_init(&subsystems.sampling.formats) &&
                   record_table_init(&track) && device_needs_init(&subsystems.sampling.device_needs) &&
                   memory_heap_init(&track.heap, false)
               ? 0
               : -1;
}

static int close_track(void **state)
{
    (void)state;
    record_table_finish(&track);
    memory_heap_finish(&device, &track.heap);
    device_needs_finish(&subsystems.sampling.device_needs);
    table_finish(&subsystems.sampling.samplers);
    table_finish(&subsystems.sampling.views);
    table_finish(&subsystems.sampling.images);
    formats_finish(&track);
    table_finish(&subsystems.sampling.formats);
    return 0;
}

/* What a descriptor says behind the driver's bytes, which are as the driver wrote them. */
static uint32_t number_in(const unsigned char *bytes)
{
    uint32_t record_index;
    for (unsigned i = 0; i < BYTES; i++)
        assert_int_equal(bytes[i], 0xdd);
    memcpy(&record_index, bytes + BYTES, sizeof(record_index));
    for (unsigned i = BYTES + sizeof(record_index); i < BYTES * SCALE; i++)
        assert_int_equal(bytes[i], 0);
    return record_index;
}

static void expect_input(uint32_t record_index)
{
    static const struct record reads = {.flags = RECORD_OTHER | RECORD_OTHER_INPUT};
    assert_int_not_equal(record_index, 0);
    assert_true(record_table_is(track.record_table, record_index, &reads));
}

/* ---- Tests ---- */

static uint32_t get(VkImageView view, bool null)
{
    unsigned char bytes[BYTES * SCALE];
    const VkDescriptorImageInfo image = {.imageView = view, .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkDescriptorGetInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT,
                                         .type = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
                                         .data.pInputAttachmentImage = null ? NULL : &image};
    memset(bytes, 0xee, sizeof(bytes));
    hook_GetDescriptorEXT(HANDLE(VkDevice, &dispatch), &info, sizeof(bytes), bytes);
    assert_int_equal(driver.type, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT);
    assert_ptr_equal(driver.view, null ? VK_NULL_HANDLE : view);
    return number_in(bytes);
}

static void input_attachments_in_descriptor_buffers_have_a_record_where_they_have_no_alpha(void **state)
{
    static struct view without = {.handle = HANDLE(VkImageView, 1), .rgbx_attachment = true};
    static struct view with = {.handle = HANDLE(VkImageView, 2)};
    (void)state;
    assert_true(table_insert(&subsystems.sampling.views, HANDLE_KEY(without.handle), &without));
    assert_true(table_insert(&subsystems.sampling.views, HANDLE_KEY(with.handle), &with));
    const uint32_t record_index = get(without.handle, false);
    expect_input(record_index);
    assert_int_equal(get(without.handle, false), record_index); /* kept */
    assert_int_equal(get(with.handle, false), 0);
    assert_int_equal(get(HANDLE(VkImageView, 3), false), 0); /* that the layer does not know */
    assert_int_equal(get(VK_NULL_HANDLE, true), 0);          /* a null descriptor */
    assert_int_equal(driver.asked, 5);
    assert_non_null(table_remove(&subsystems.sampling.views, HANDLE_KEY(without.handle)));
    assert_non_null(table_remove(&subsystems.sampling.views, HANDLE_KEY(with.handle)));
    indices_release(&track, &without.record_indices);
}

static unsigned entries(struct index_list *list)
{
    unsigned count = 0;
    for (const struct index_entry *entry = atomic_load(&list->first); entry; entry = entry->next)
        count++;
    return count;
}

/* What has no number for lack of memory is asked for anew, and leaves nothing behind each time. */
static void records_without_memory_are_not_remembered(void **state)
{
    static struct view view = {.handle = HANDLE(VkImageView, 4), .rgbx_attachment = true};
    static struct image image;
    static const struct record record = {.flags = RECORD_OTHER | RECORD_OTHER_INPUT}, zero;
    (void)state;
    assert_true(table_insert(&subsystems.sampling.views, HANDLE_KEY(view.handle), &view));
    device.memory.memoryTypeCount = 0;
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(get(view.handle, false), 0);
        assert_int_equal(index_add(&track, &image.record_indices, 1, &record, 1), 0);
    }
    assert_int_equal(entries(&view.record_indices), 0);
    assert_int_equal(entries(&image.record_indices), 0);
    assert_int_equal(index_add(&track, &image.record_indices, 3, &zero, 1), 0); /* which needs no memory */
    assert_int_equal(entries(&image.record_indices), 1);
    device.memory.memoryTypeCount = 1;
    expect_input(get(view.handle, false));
    assert_non_null(table_remove(&subsystems.sampling.views, HANDLE_KEY(view.handle)));
    indices_release(&track, &view.record_indices);
    indices_release(&track, &image.record_indices);
}

/* Between a sampler and its number are nearest samplers, zeros where there is none to be had. */
static void samplers_in_descriptor_buffers_are_followed_by_nearest_ones(void **state)
{
    static char nearest[BYTES];
    const VkSampler sampler = HANDLE(VkSampler, 7);
    const VkDescriptorGetInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT,
                                         .type = VK_DESCRIPTOR_TYPE_SAMPLER,
                                         .data.pSampler = &sampler};
    (void)state;
    memset(nearest, 0xaa, sizeof(nearest));
    for (unsigned there = 0; there < 2; there++) {
        unsigned char bytes[BYTES * 4];
        memset(bytes, 0xee, sizeof(bytes));
        subsystems.layouts.nearest_bytes = there ? nearest : NULL;
        hook_GetDescriptorEXT(HANDLE(VkDevice, &dispatch), &info, sizeof(bytes), bytes);
        assert_int_equal(driver.type, VK_DESCRIPTOR_TYPE_SAMPLER);
        for (unsigned i = 0; i < sizeof(bytes); i++)
            assert_int_equal(bytes[i], i < BYTES ? 0xdd : i < 3 * BYTES ? (there ? 0xaa : 0) : 0);
    }
    subsystems.layouts.nearest_bytes = NULL;
}

static uint32_t put(VkImage image, VkDescriptorType type, uint32_t base, bool null)
{
    unsigned char bytes[BYTES * SCALE];
    const VkImageViewGLStateCreateInfoCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, .baseFormat = base};
    const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .pNext = base ? &gl : NULL,
                                        .image = image,
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                        .format = VK_FORMAT_R8G8B8A8_UNORM,
                                        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    const VkImageDescriptorInfoEXT described = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT, .pView = &view, .layout = VK_IMAGE_LAYOUT_GENERAL};
    const VkResourceDescriptorInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT, .type = type, .data.pImage = null ? NULL : &described};
    const VkHostAddressRangeEXT range = {bytes, sizeof(bytes)};
    memset(bytes, 0xee, sizeof(bytes));
    assert_int_equal(hook_WriteResourceDescriptorsEXT(HANDLE(VkDevice, &dispatch), 1, &info, &range), VK_SUCCESS);
    assert_int_equal(driver.type, type);
    assert_ptr_equal(driver.image, null ? VK_NULL_HANDLE : image);
    return number_in(bytes);
}

static void input_attachments_in_heaps_have_a_record_where_they_have_no_alpha(void **state)
{
    static struct image known = {.type = VK_IMAGE_TYPE_2D,
                                 .format = VK_FORMAT_R8G8B8A8_UNORM,
                                 .extent = {4, 4, 1},
                                 .levels = 1,
                                 .layers = 1,
                                 .samples = VK_SAMPLE_COUNT_1_BIT,
                                 .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT};
    const VkImage image = HANDLE(VkImage, 1);
    (void)state;
    assert_true(table_insert(&subsystems.sampling.images, HANDLE_KEY(image), &known));
    assert_int_equal(put(image, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 0, false), 0);
    assert_int_equal(put(image, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, TOKEN_RGBA, false), 0);
    assert_false(device_needs_now(&track) & RECORD_NEED_INPUT);
    const uint32_t record_index = put(image, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, TOKEN_RGB, false);
    expect_input(record_index);
    assert_true(device_needs_now(&track) & RECORD_NEED_INPUT); /* draws with heaps take a tier that follows it */
    assert_int_equal(put(image, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, TOKEN_RGB, false), record_index);
    assert_int_equal(put(image, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, TOKEN_RGB, true), 0);
    assert_int_equal(driver.asked, 5);
    assert_non_null(table_remove(&subsystems.sampling.images, HANDLE_KEY(image)));
    indices_release(&track, &known.record_indices);
}

/* The driver's bytes are copied from the second time on, whatever the image; no record says what only the driver knows.
 */
static void subsampled_images_in_heaps_are_written_every_time(void **state)
{
    static struct image known = {.type = VK_IMAGE_TYPE_2D,
                                 .format = VK_FORMAT_R8G8B8A8_UNORM,
                                 .extent = {4, 4, 1},
                                 .levels = 1,
                                 .layers = 1,
                                 .flags = VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT,
                                 .samples = VK_SAMPLE_COUNT_1_BIT,
                                 .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    const VkImage image = HANDLE(VkImage, 2);
    (void)state;
    assert_true(table_insert(&subsystems.sampling.images, HANDLE_KEY(image), &known));
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(put(image, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 0, false), 0);
    assert_int_equal(driver.asked, 2);
    assert_non_null(table_remove(&subsystems.sampling.images, HANDLE_KEY(image)));
    indices_release(&track, &known.record_indices);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, open_track, close_track)
    const struct CMUnitTest tests[] = {
        CASE(input_attachments_in_descriptor_buffers_have_a_record_where_they_have_no_alpha),
        CASE(records_without_memory_are_not_remembered),
        CASE(samplers_in_descriptor_buffers_are_followed_by_nearest_ones),
        CASE(input_attachments_in_heaps_have_a_record_where_they_have_no_alpha),
        CASE(subsampled_images_in_heaps_are_written_every_time),
    };
    return cmocka_run_group_tests_name("track_placed", tests, NULL, NULL);
}
