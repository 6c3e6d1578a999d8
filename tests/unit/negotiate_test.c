/* SPDX-License-Identifier: MIT */
/* The layer's one exported function and the look-ups it hands out, without a loader. Its argument is the layer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <vulkan/vulkan.h>

#include <vulkan/vk_layer.h>

#include "platform/library.h"

static PFN_vkNegotiateLoaderLayerInterfaceVersion negotiate;

static VkNegotiateLayerInterface offer(uint32_t version)
{
    return (VkNegotiateLayerInterface){.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT,
                                       .loaderLayerInterfaceVersion = version};
}

static void the_lower_version_is_agreed_on(void **state)
{
    VkNegotiateLayerInterface newer = offer(77), same = offer(2), older = offer(1);
    (void)state;
    assert_int_equal(negotiate(&newer), VK_SUCCESS);
    assert_int_equal(newer.loaderLayerInterfaceVersion, 2);
    assert_non_null(newer.pfnGetInstanceProcAddr);
    assert_non_null(newer.pfnGetDeviceProcAddr);
    assert_non_null(newer.pfnGetPhysicalDeviceProcAddr);
    assert_int_equal(negotiate(&same), VK_SUCCESS);
    assert_int_equal(same.loaderLayerInterfaceVersion, 2);
    assert_int_equal(negotiate(&older), VK_SUCCESS);
    assert_int_equal(older.loaderLayerInterfaceVersion, 1);
}

static void other_structures_are_refused(void **state)
{
    VkNegotiateLayerInterface wrong = offer(2);
    (void)state;
    wrong.sType = LAYER_NEGOTIATE_UNINTIALIZED;
    assert_int_equal(negotiate(&wrong), VK_ERROR_INITIALIZATION_FAILED);
    assert_null(wrong.pfnGetInstanceProcAddr);
    assert_int_equal(negotiate(NULL), VK_ERROR_INITIALIZATION_FAILED);
}

static void look_ups_without_instance_or_device_never_crash(void **state)
{
    VkNegotiateLayerInterface layer = offer(2);
    (void)state;
    assert_int_equal(negotiate(&layer), VK_SUCCESS);
    assert_non_null(layer.pfnGetInstanceProcAddr(NULL, "vkCreateInstance"));
    assert_ptr_equal(layer.pfnGetInstanceProcAddr(NULL, "vkGetInstanceProcAddr"),
                     (PFN_vkVoidFunction)layer.pfnGetInstanceProcAddr);
    assert_null(layer.pfnGetInstanceProcAddr(NULL, "vkNoSuchCommand"));
    assert_null(layer.pfnGetInstanceProcAddr(NULL, ""));
    assert_null(layer.pfnGetInstanceProcAddr(NULL, NULL));
    assert_null(layer.pfnGetDeviceProcAddr(NULL, "vkCmdDraw"));
    assert_null(layer.pfnGetDeviceProcAddr(NULL, NULL));
    assert_null(layer.pfnGetPhysicalDeviceProcAddr(NULL, "vkGetPhysicalDeviceProperties"));
}

/* Vulkan's four global commands, and vkGetInstanceProcAddr itself ("vkGetInstanceProcAddr behavior"). */
static void every_global_command_is_answered_before_there_is_an_instance(void **state)
{
    static const char *const names[] = {"vkGetInstanceProcAddr", "vkEnumerateInstanceVersion",
                                        "vkEnumerateInstanceExtensionProperties", "vkEnumerateInstanceLayerProperties",
                                        "vkCreateInstance"};
    VkNegotiateLayerInterface layer = offer(2);
    VkLayerProperties properties;
    uint32_t version = 0, count = 1;
    (void)state;
    assert_int_equal(negotiate(&layer), VK_SUCCESS);
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (!layer.pfnGetInstanceProcAddr(NULL, names[i]))
            fail_msg("%s", names[i]);
    }
    const PFN_vkEnumerateInstanceVersion ask =
        (PFN_vkEnumerateInstanceVersion)layer.pfnGetInstanceProcAddr(NULL, "vkEnumerateInstanceVersion");
    const PFN_vkEnumerateInstanceLayerProperties list =
        (PFN_vkEnumerateInstanceLayerProperties)layer.pfnGetInstanceProcAddr(NULL,
                                                                             "vkEnumerateInstanceLayerProperties");
    assert_int_equal(ask(&version), VK_SUCCESS);
    assert_int_equal(list(&count, &properties), VK_SUCCESS);
    assert_int_equal(version, properties.specVersion);
}

static void creation_without_the_loaders_link_fails_cleanly(void **state)
{
    VkNegotiateLayerInterface layer = offer(2);
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    VkInstance instance = (VkInstance)(uintptr_t)16;
    (void)state;
    assert_int_equal(negotiate(&layer), VK_SUCCESS);
    const PFN_vkCreateInstance create = (PFN_vkCreateInstance)layer.pfnGetInstanceProcAddr(NULL, "vkCreateInstance");
    assert_int_equal(create(&info, NULL, &instance), VK_ERROR_INITIALIZATION_FAILED);
    assert_ptr_equal(instance, (void *)(uintptr_t)16);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lower_version_is_agreed_on),
        cmocka_unit_test(other_structures_are_refused),
        cmocka_unit_test(every_global_command_is_answered_before_there_is_an_instance),
        cmocka_unit_test(look_ups_without_instance_or_device_never_crash),
        cmocka_unit_test(creation_without_the_loaders_link_fails_cleanly),
    };
    void *layer = argc > 1 ? library_open(argv[1]) : NULL;
    if (!layer)
        return 1;
    *(void **)&negotiate = library_function(layer, "vkNegotiateLoaderLayerInterfaceVersion");
    return negotiate ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
