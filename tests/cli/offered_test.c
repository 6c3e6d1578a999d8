/* SPDX-License-Identifier: MIT */
/* Remarks on what is offered (cli/offered.c), of devices that no driver here is: with protected memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "offered.h"

/* ---- A device that lacks one linear filter and one texel buffer, under a layer that offers both ---- */

static struct {
    uint32_t version;
    bool addresses, protected_memory;
    bool filters; /* the layer offers linear filters */
} device;

static bool offers(void)
{
    const char *offer = getenv("VK_CLAMPLER_GL_SAMPLER_OFFER");
    return offer && !strcmp(offer, "missing");
}

static VKAPI_ATTR void VKAPI_CALL features(VkPhysicalDevice physical, VkPhysicalDeviceFeatures *answer)
{
    (void)physical;
    memset(answer, 0, sizeof(*answer));
}

static VKAPI_ATTR void VKAPI_CALL features2(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2 *answer)
{
    (void)physical;
    for (VkBaseOutStructure *node = answer->pNext; node; node = node->pNext) {
        if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES)
            ((VkPhysicalDeviceBufferDeviceAddressFeatures *)(void *)node)->bufferDeviceAddress = device.addresses;
        if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES)
            ((VkPhysicalDeviceProtectedMemoryFeatures *)(void *)node)->protectedMemory = device.protected_memory;
    }
}

static VKAPI_ATTR void VKAPI_CALL properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties *answer)
{
    (void)physical;
    memset(answer, 0, sizeof(*answer));
}

static VKAPI_ATTR void VKAPI_CALL properties2(VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *answer)
{
    (void)physical, (void)answer;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get(VkInstance instance, const char *name)
{
    (void)instance;
    return !strcmp(name, "vkGetPhysicalDeviceFeatures")      ? (PFN_vkVoidFunction)features
           : !strcmp(name, "vkGetPhysicalDeviceFeatures2")   ? (PFN_vkVoidFunction)features2
           : !strcmp(name, "vkGetPhysicalDeviceProperties")  ? (PFN_vkVoidFunction)properties
           : !strcmp(name, "vkGetPhysicalDeviceProperties2") ? (PFN_vkVoidFunction)properties2
                                                             : NULL;
}

VkResult vulkan_start(struct vulkan *vk, const char *layer)
{
    (void)vk, (void)layer;
    return VK_SUCCESS;
}

void vulkan_stop(struct vulkan *vk)
{
    (void)vk;
}

unsigned vulkan_devices(const struct vulkan *vk, struct device_facts *devices, unsigned room)
{
    (void)vk, (void)room;
    *devices = (struct device_facts){.properties.apiVersion = device.version};
    return 1;
}

VkExtensionProperties *vulkan_extensions(const struct vulkan *vk, VkPhysicalDevice physical, uint32_t *count)
{
    (void)vk, (void)physical;
    *count = 0;
    return calloc(1, sizeof(VkExtensionProperties));
}

VkFormatProperties vulkan_format_properties(const struct vulkan *vk, const struct device_facts *facts, VkFormat format,
                                            VkGLSamplerFormatPropertiesCLAMPLER *gl)
{
    (void)vk, (void)facts;
    const bool poor = format == VK_FORMAT_R32G32B32_SFLOAT;
    *gl = (VkGLSamplerFormatPropertiesCLAMPLER){.emulatedFeatures =
                                                    poor ? VK_GL_FORMAT_FEATURE_LINEAR_FILTER_BIT_CLAMPLER : 0};
    return (VkFormatProperties){.optimalTilingFeatures = !poor || (device.filters && offers())
                                                             ? VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT
                                                             : 0,
                                .bufferFeatures = !poor || offers() ? VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT : 0};
}

/* ---- What is said of it ---- */

static void expect(const struct offered *offered, const char *name, const char *state, const char *remark)
{
    unsigned i = 0;
    while (i < OFFERS && strcmp(offer_names[i], name))
        i++;
    assert_true(i < OFFERS);
    assert_string_equal(offered->state[i], state);
    assert_string_equal(offered->remark[i], remark);
}

static void remarks_follow_the_device(void **state)
{
    (void)state;
    static const char nearest[] = "linear blits of protected images are nearest",
                      views[] = "addresses do not reach protected buffers, texel_path=views does",
                      addresses[] =
                          "linear blits need buffer device addresses; linear_fallback=shader filters lookups alone",
                      setting[] = "linear_fallback is not auto";
    static const struct {
        uint32_t version;
        bool addresses, protected_memory, filters;
        const char *linear, *texels;
    } rows[] = {
        {VK_API_VERSION_1_2, true, true, true, nearest, views},
        {VK_API_VERSION_1_2, true, false, true, "", ""},
        {VK_API_VERSION_1_2, false, true, false, addresses, ""},
        {VK_API_VERSION_1_2, true, true, false, setting, views},
        {VK_API_VERSION_1_1, true, true, false, addresses, ""},
        {VK_API_VERSION_1_0, true, true, false, addresses, ""},
    };
    const struct vulkan vk = {.get = get};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct device_facts facts;
        struct offered offered;
        device.version = rows[i].version;
        device.addresses = rows[i].addresses;
        device.protected_memory = rows[i].protected_memory;
        device.filters = rows[i].filters;
        vulkan_devices(&vk, &facts, 1);
        offered_find(&vk, &facts, 1, &offered);
        expect(&offered, "linear_filter", rows[i].filters ? "offered" : "missing", rows[i].linear);
        expect(&offered, "texel_buffers", "offered", rows[i].texels);
        expect(&offered, "lod_bias", "missing", "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(remarks_follow_the_device),
    };
    return cmocka_run_group_tests_name("offered", tests, NULL, NULL);
}
