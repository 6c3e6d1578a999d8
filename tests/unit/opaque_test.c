/* SPDX-License-Identifier: MIT */
/* What is hidden of descriptors that programs place themselves, and what is reported (layer/entry/queries/opaque.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "queries/queries.h"

static unsigned warnings, remarks;
static char warning[512];

/* The layer's own, which opaque.c speaks through. */
static void report(enum log_level level, const char *format, va_list arguments)
{
    vsnprintf(warning, sizeof(warning), format, arguments);
    *(level == LOG_WARN ? &warnings : &remarks) += 1;
}

void message(struct instance *instance, enum log_level level, VkObjectType type, uint64_t object, const char *format,
             ...)
{
    va_list arguments;
    (void)instance, (void)type, (void)object;
    va_start(arguments, format);
    report(level, format, arguments);
    va_end(arguments);
}

void message_about(const struct device *device, enum log_level level, const struct message_object *objects,
                   const char *format, ...)
{
    va_list arguments;
    (void)device, (void)objects;
    va_start(arguments, format);
    report(level, format, arguments);
    va_end(arguments);
}

/* Whether descriptor buffers have room for numbers of records, which layer/entry/queries/app_descriptors.c asks the
 * driver. */
static bool native_alone, heaps_serve = true;
bool app_heaps_supported(const struct instance *instance, VkPhysicalDevice physical)
{
    (void)instance;
    (void)physical;
    return heaps_serve;
}

/* Nothing is offered. */
struct offers offers_of(const struct instance *instance, VkPhysicalDevice physical)
{
    (void)instance, (void)physical;
    return (struct offers){.result = VK_SUCCESS};
}

bool app_descriptors_supported(const struct instance *instance, VkPhysicalDevice physical)
{
    (void)instance;
    (void)physical;
    return native_alone;
}

static uint32_t left(struct instance *instance, bool *first_is_maintenance)
{
    VkExtensionProperties list[] = {{.extensionName = "VK_EXT_descriptor_buffer"},
                                    {.extensionName = "VK_KHR_maintenance1"},
                                    {.extensionName = "VK_EXT_descriptor_heap"},
                                    {.extensionName = "VK_NVX_image_view_handle"},
                                    {.extensionName = "VK_EXT_descriptor_indexing"}};
    const uint32_t count = opaque_hide_extensions(instance, NULL, list, 5);
    *first_is_maintenance = !strcmp(list[0].extensionName, "VK_KHR_maintenance1");
    return count;
}

static void descriptor_buffers_without_room_are_hidden_where_a_setting_is_active(void **state)
{
    struct instance instance = {.api_version = VK_API_VERSION_1_3};
    bool first;
    (void)state;
    assert_int_equal(left(&instance, &first), 5);
    instance.settings.gl_clamp = GL_CLAMP_FOR_EDGE;
    assert_int_equal(left(&instance, &first), 4);
    assert_true(first);
    assert_int_equal(left(&instance, &first), 4);
    assert_int_equal(remarks, 1); /* said once */
    assert_non_null(strstr(warning, "VK_EXT_descriptor_buffer is hidden"));
}

static void their_features_are_hidden_with_them(void **state)
{
    struct {
        VkStructureType type;
        void *next;
        VkBool32 flags[4];
    } heap = {(VkStructureType)1000135009, NULL, {1, 1, 7, 7}},
      buffer = {(VkStructureType)1000316002, &heap, {1, 1, 1, 1}};
    VkPhysicalDeviceVulkan13Features other = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = &buffer, .robustImageAccess = VK_TRUE};
    struct instance instance = {.api_version = VK_API_VERSION_1_3};
    (void)state;
    opaque_hide_features(&instance, NULL, &other);
    assert_true(buffer.flags[0] && buffer.flags[1] && heap.flags[0] && heap.flags[1]);
    instance.settings.gl_clamp = GL_CLAMP_FOR_BORDER;
    opaque_hide_features(&instance, NULL, &other);
    assert_true(other.robustImageAccess);
    for (unsigned i = 0; i < 4; i++)
        assert_false(buffer.flags[i]);
    assert_true(heap.flags[0]);      /* heaps have room here */
    assert_false(heap.flags[1]);     /* capture and replay */
    assert_true(heap.flags[2] == 7); /* behind the structure's end */
}

static void heaps_are_hidden_where_their_descriptors_would_be_too_large(void **state)
{
    struct {
        VkStructureType type;
        void *next;
        VkBool32 flags[4];
    } heap = {(VkStructureType)1000135009, NULL, {1, 1, 7, 7}};
    struct instance instance = {.api_version = VK_API_VERSION_1_3};
    bool first;
    (void)state;
    heaps_serve = false;
    native_alone = true;
    assert_int_equal(left(&instance, &first), 5);
    opaque_hide_features(&instance, NULL, &heap);
    assert_true(heap.flags[0]);
    instance.settings.gl_clamp = GL_CLAMP_FOR_EDGE;
    assert_int_equal(left(&instance, &first), 4);
    assert_non_null(strstr(warning, "VK_EXT_descriptor_heap is hidden"));
    opaque_hide_features(&instance, NULL, &heap);
    assert_false(heap.flags[0] || heap.flags[1]);
    assert_true(heap.flags[2] == 7);
    heaps_serve = true;
    native_alone = false;
}

static void descriptor_buffers_stay_where_numbers_have_room(void **state)
{
    struct {
        VkStructureType type;
        void *next;
        VkBool32 flags[4];
    } buffer = {(VkStructureType)1000316002, NULL, {1, 1, 1, 1}};
    struct instance instance = {.api_version = VK_API_VERSION_1_3, .settings.gl_clamp = GL_CLAMP_FOR_EDGE};
    bool first;
    (void)state;
    native_alone = true;
    assert_int_equal(left(&instance, &first), 5);
    assert_false(first);
    opaque_hide_features(&instance, NULL, &buffer);
    assert_true(buffer.flags[0] && buffer.flags[2] && buffer.flags[3]);
    assert_false(buffer.flags[1]); /* capture and replay */
    native_alone = false;
}

static void a_program_that_enables_one_is_told(void **state)
{
    const char *const names[] = {"VK_KHR_maintenance1", "VK_EXT_descriptor_buffer"};
    const VkDeviceCreateInfo info = {.enabledExtensionCount = 2, .ppEnabledExtensionNames = names};
    struct device device = {.active = true};
    (void)state;
    opaque_warn(&device, &info);
    assert_int_equal(warnings, 1);
    assert_non_null(strstr(warning, "VK_EXT_descriptor_buffer"));
    assert_non_null(strstr(warning, "driver's own semantics"));
}

/* Each warning names what it is about; what is served, and what is no descriptor of the program's placing, has none. */
static void each_that_the_layer_cannot_follow_is_told_once(void **state)
{
    static const struct {
        const char *name, *said;
    } rows[] = {
        {"VK_NVX_image_view_handle", "VK_NVX_image_view_handle"},
        {"VK_AMDX_shader_enqueue", "VK_AMDX_shader_enqueue"},
        {"VK_EXT_descriptor_buffer", "VK_EXT_descriptor_buffer"},
        {"VK_EXT_descriptor_heap", NULL},
        {"VK_EXT_descriptor_indexing", NULL},
        {"VK_NVX_image_view", NULL},
    };
    struct device device = {.active = true};
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const VkDeviceCreateInfo info = {.enabledExtensionCount = 1, .ppEnabledExtensionNames = &rows[i].name};
        warnings = 0;
        warning[0] = 0;
        opaque_warn(&device, &info);
        assert_int_equal(warnings, rows[i].said ? 1 : 0);
        if (rows[i].said)
            assert_non_null(strstr(warning, rows[i].said));
    }
    native_alone = true;
    const VkDeviceCreateInfo served = {.enabledExtensionCount = 1, .ppEnabledExtensionNames = &rows[2].name};
    warnings = 0;
    opaque_warn(&device, &served);
    assert_int_equal(warnings, 0);
    native_alone = false;
}

static void capture_and_replay_of_either_kind_is_told(void **state)
{
    struct device device = {.active = true};
    (void)state;
    for (unsigned wanted = 0; wanted < 4; wanted++) {
        VkPhysicalDeviceDescriptorBufferFeaturesEXT buffers = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
            .descriptorBuffer = VK_TRUE,
            .descriptorBufferCaptureReplay = wanted & 1};
        VkPhysicalDeviceDescriptorHeapFeaturesEXT heaps = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT,
            .pNext = &buffers,
            .descriptorHeap = VK_TRUE,
            .descriptorHeapCaptureReplay = wanted >> 1};
        const VkDeviceCreateInfo info = {.pNext = &heaps};
        warnings = 0;
        opaque_warn(&device, &info);
        assert_int_equal(warnings, wanted ? 1 : 0);
        if (wanted)
            assert_non_null(strstr(warning, "capture and replay"));
    }
    const VkDeviceCreateInfo none = {.pNext = NULL};
    warnings = 0;
    opaque_warn(&device, &none);
    assert_int_equal(warnings, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptor_buffers_without_room_are_hidden_where_a_setting_is_active),
        cmocka_unit_test(their_features_are_hidden_with_them),
        cmocka_unit_test(heaps_are_hidden_where_their_descriptors_would_be_too_large),
        cmocka_unit_test(descriptor_buffers_stay_where_numbers_have_room),
        cmocka_unit_test(a_program_that_enables_one_is_told),
        cmocka_unit_test(each_that_the_layer_cannot_follow_is_told_once),
        cmocka_unit_test(capture_and_replay_of_either_kind_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
