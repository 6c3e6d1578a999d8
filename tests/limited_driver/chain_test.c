/* SPDX-License-Identifier: MIT */
/*
 * The layer against a driver of a few lines, without the loader: negotiation, and what the loader would catch before
 * the layer sees it, but layers above may send (a hidden extension at vkCreateDevice).
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include "limited_driver.h"
#include "newer.h"

/* ---- The driver ---- */

/* Dispatchable objects begin with a pointer that all objects of an instance, or of a device, share. */
static int instance_table, device_table;
static struct {
    void *table;
} fake_instance = {&instance_table}, fake_physical = {&instance_table}, fake_device = {&device_table};
static int devices_created, pushes;

static VKAPI_ATTR VkResult VKAPI_CALL fake_create_instance(const VkInstanceCreateInfo *info,
                                                           const VkAllocationCallbacks *allocator, VkInstance *result)
{
    (void)info;
    (void)allocator;
    *result = (VkInstance)&fake_instance;
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL fake_destroy_instance(VkInstance instance, const VkAllocationCallbacks *allocator)
{
    (void)instance;
    (void)allocator;
}

static VKAPI_ATTR VkResult VKAPI_CALL fake_create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                                         const VkAllocationCallbacks *allocator, VkDevice *result)
{
    (void)physical;
    (void)info;
    (void)allocator;
    devices_created++;
    *result = (VkDevice)&fake_device;
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL fake_destroy_device(VkDevice device, const VkAllocationCallbacks *allocator)
{
    (void)device;
    (void)allocator;
}

static VKAPI_ATTR void VKAPI_CALL fake_command(void)
{
}

static VKAPI_ATTR void VKAPI_CALL fake_push(VkCommandBuffer commands, const VkPushDescriptorSetInfoKHR *info)
{
    (void)commands;
    pushes += (int)info->set;
}

/* A driver without the first push descriptors, and with a command that no header knows. */
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL fake_device_proc(VkDevice device, const char *name)
{
    (void)device;
    if (!strcmp(name, "vkDestroyDevice"))
        return (PFN_vkVoidFunction)fake_destroy_device;
    if (!strcmp(name, "vkCmdPushDescriptorSet2"))
        return (PFN_vkVoidFunction)fake_push;
    return strstr(name, "Push") ? NULL : (PFN_vkVoidFunction)fake_command;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL fake_instance_proc(VkInstance instance, const char *name)
{
    (void)instance;
    if (!strcmp(name, "vkCreateInstance"))
        return (PFN_vkVoidFunction)fake_create_instance;
    if (!strcmp(name, "vkDestroyInstance"))
        return (PFN_vkVoidFunction)fake_destroy_instance;
    if (!strcmp(name, "vkCreateDevice"))
        return (PFN_vkVoidFunction)fake_create_device;
    return NULL;
}

/* ---- The loader's part ---- */

static VkNegotiateLayerInterface layer = {.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT, .loaderLayerInterfaceVersion = 2};
static void *library;
static PFN_vkNegotiateLoaderLayerInterfaceVersion negotiate;

static int load_layer(void **state)
{
    (void)state;
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 64);
    assert_true(length > 0);
    path[length] = '\0';
    strcpy(strrchr(path, '/'), "/libVkLayer_limited_driver.so");
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail_msg("%s", dlerror());
    /* dlsym returns functions as objects, which POSIX allows and ISO C does not. */
    *(void **)&negotiate = dlsym(library, "vkNegotiateLoaderLayerInterfaceVersion");
    assert_non_null(negotiate);
    assert_int_equal(negotiate(&layer), VK_SUCCESS);
    return 0;
}

static VkInstance open_instance(const char *rules)
{
    unsetenv("LIMITED_DRIVER_PROFILE");
    setenv("LIMITED_DRIVER_RULES", rules, 1);
    VkLayerInstanceLink link = {.pfnNextGetInstanceProcAddr = fake_instance_proc};
    VkLayerInstanceCreateInfo chain = {
        .sType = VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO, .function = VK_LAYER_LINK_INFO, .u.pLayerInfo = &link};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pNext = &chain};
    VkInstance instance = VK_NULL_HANDLE;
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)layer.pfnGetInstanceProcAddr(NULL, "vkCreateInstance");
    assert_int_equal(create(&info, NULL, &instance), VK_SUCCESS);
    assert_null(chain.u.pLayerInfo); /* advanced for the next layer */
    return instance;
}

static void close_instance(VkInstance instance)
{
    ((PFN_vkDestroyInstance)layer.pfnGetInstanceProcAddr(instance, "vkDestroyInstance"))(instance, NULL);
}

static VkResult open_device(VkInstance instance, const char *extension, VkDevice *device)
{
    VkLayerDeviceLink link = {.pfnNextGetInstanceProcAddr = fake_instance_proc,
                              .pfnNextGetDeviceProcAddr = fake_device_proc};
    VkLayerDeviceCreateInfo chain = {
        .sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO, .function = VK_LAYER_LINK_INFO, .u.pLayerInfo = &link};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &chain,
                               .enabledExtensionCount = extension != NULL,
                               .ppEnabledExtensionNames = &extension};
    PFN_vkCreateDevice create = (PFN_vkCreateDevice)layer.pfnGetInstanceProcAddr(instance, "vkCreateDevice");
    return create((VkPhysicalDevice)&fake_physical, &info, NULL, device);
}

static void close_device(VkDevice device)
{
    ((PFN_vkDestroyDevice)layer.pfnGetDeviceProcAddr(device, "vkDestroyDevice"))(device, NULL);
}

/* ---- Tests ---- */

static void the_older_of_two_interface_versions_is_answered(void **state)
{
    (void)state;
    VkNegotiateLayerInterface newer = {.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT, .loaderLayerInterfaceVersion = 9};
    assert_int_equal(negotiate(&newer), VK_SUCCESS);
    assert_int_equal(newer.loaderLayerInterfaceVersion, 2);
    VkNegotiateLayerInterface older = {.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT, .loaderLayerInterfaceVersion = 1};
    assert_int_equal(negotiate(&older), VK_ERROR_INITIALIZATION_FAILED);
    assert_int_equal(negotiate(NULL), VK_ERROR_INITIALIZATION_FAILED);
}

static void one_symbol_is_exported(void **state)
{
    (void)state;
    assert_null(dlsym(library, "vkGetInstanceProcAddr"));
    assert_null(dlsym(library, "hook_CreateDevice"));
    assert_null(dlsym(library, "profile_create"));
}

static void hidden_extensions_cannot_be_enabled(void **state)
{
    (void)state;
    VkInstance instance = open_instance("hide extension VK_EXT_custom_border_color");
    VkDevice device;
    devices_created = 0;
    assert_int_equal(open_device(instance, VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME, &device),
                     VK_ERROR_EXTENSION_NOT_PRESENT);
    assert_int_equal(devices_created, 0);
    PFN_limitedDriverGetPhysicalDeviceViolations get =
        (PFN_limitedDriverGetPhysicalDeviceViolations)layer.pfnGetPhysicalDeviceProcAddr(
            instance, "vkGetPhysicalDeviceViolationsLIMITED");
    struct limited_driver_violation entry;
    assert_int_equal(get((VkPhysicalDevice)&fake_physical, 1, &entry), 1);
    assert_int_equal(entry.kind, LIMITED_DRIVER_EXTENSION);
    assert_string_equal(entry.name, VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME);
    assert_string_equal(entry.command, "vkCreateDevice");
    assert_int_equal(open_device(instance, VK_KHR_SWAPCHAIN_EXTENSION_NAME, &device), VK_SUCCESS);
    assert_int_equal(devices_created, 1);
    assert_int_equal(get((VkPhysicalDevice)&fake_physical, 0, NULL), 1);
    close_device(device);
    close_instance(instance);
}

static void commands_are_hooked_only_where_they_are_below(void **state)
{
    (void)state;
    VkInstance instance = open_instance("hide extension VK_EXT_extended_dynamic_state3 ?VK_EXT_shader_object");
    VkDevice device;
    assert_int_equal(open_device(instance, NULL, &device), VK_SUCCESS);
    PFN_vkGetDeviceProcAddr get = layer.pfnGetDeviceProcAddr;
    assert_ptr_equal(get(device, "vkCmdDraw"), fake_command);
    assert_ptr_equal(get(device, "vkCommandOfTheFuture"), fake_command);
    assert_ptr_not_equal(get(device, "vkCreateSampler"), fake_command);
    assert_ptr_equal(get(device, "vkCmdBlitImage2KHR"), get(device, "vkCmdBlitImage2"));
    assert_null(get(device, "vkCmdPushDescriptorSetKHR"));
    assert_null(get(device, "vkCmdSetColorBlendEnableEXT"));
    assert_ptr_equal(get(device, "vkCmdSetColorWriteEnableEXT"), fake_command);
    assert_null(layer.pfnGetInstanceProcAddr(instance, "vkNoSuchCommand"));
    assert_null(layer.pfnGetInstanceProcAddr(NULL, "vkCreateDevice"));
    close_device(device);
    close_instance(instance);
}

static void a_command_is_found_below_by_either_of_its_names(void **state)
{
    (void)state;
    VkInstance instance = open_instance("");
    VkDevice device;
    assert_int_equal(open_device(instance, NULL, &device), VK_SUCCESS);
    PFN_vkCmdPushDescriptorSet2KHR push =
        (PFN_vkCmdPushDescriptorSet2KHR)layer.pfnGetDeviceProcAddr(device, "vkCmdPushDescriptorSet2");
    VkPushDescriptorSetInfoKHR info = {.set = 7};
    pushes = 0;
    assert_ptr_not_equal(push, fake_push);
    push((VkCommandBuffer)&fake_device, &info);
    assert_int_equal(pushes, 7);
    assert_null(layer.pfnGetDeviceProcAddr(device, "vkCmdPushDescriptorSet2KHR"));
    close_device(device);
    close_instance(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_older_of_two_interface_versions_is_answered),
        cmocka_unit_test(one_symbol_is_exported),
        cmocka_unit_test(hidden_extensions_cannot_be_enabled),
        cmocka_unit_test(commands_are_hooked_only_where_they_are_below),
        cmocka_unit_test(a_command_is_found_below_by_either_of_its_names),
    };
    return cmocka_run_group_tests(tests, load_layer, NULL);
}
