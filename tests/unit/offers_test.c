/* SPDX-License-Identifier: MIT */
/* What a device lacks (layer/entry/queries/lacking.c): asked once, and again where it could not be asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device/instance.h"
#include "queries/offers.h"

/* ---- A driver of Vulkan 1.0 without any extension ---- */

static struct {
    VkResult result; /* of the list of extensions */
    uint32_t calls;  /* for it */
} driver;

static VKAPI_ATTR VkResult VKAPI_CALL enumerate(VkPhysicalDevice physical, const char *layer, uint32_t *count,
                                                VkExtensionProperties *properties)
{
    (void)physical, (void)layer, (void)properties;
    driver.calls++;
    *count = 0;
    return driver.result;
}

static VKAPI_ATTR void VKAPI_CALL give_properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties *properties)
{
    (void)physical;
    *properties = (VkPhysicalDeviceProperties){.apiVersion = VK_API_VERSION_1_0};
}

static VKAPI_ATTR void VKAPI_CALL give_features(VkPhysicalDevice physical, VkPhysicalDeviceFeatures *features)
{
    (void)physical;
    *features = (VkPhysicalDeviceFeatures){.samplerAnisotropy = VK_FALSE};
}

static struct instance instance = {.api_version = VK_API_VERSION_1_0,
                                   .next = {.EnumerateDeviceExtensionProperties = enumerate,
                                            .GetPhysicalDeviceProperties = give_properties,
                                            .GetPhysicalDeviceFeatures = give_features}};

/* ---- What is found ---- */

#define WANTED ((uint32_t)OFFER_CUSTOM_BORDER_COLOR | OFFER_ANISOTROPY)

static void a_list_that_fails_is_asked_for_again(void **state)
{
    (void)state;
    static const VkResult failures[] = {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY};
    for (uintptr_t i = 0; i < 20; i++) { /* more devices than there is room for */
        const VkPhysicalDevice physical = (VkPhysicalDevice)(16 * (i + 1));
        instance.settings.offer = WANTED;
        driver.result = failures[i % 2];
        assert_int_equal(offers_of(&instance, physical).offered, 0);
        assert_int_equal(offers_of(&instance, physical).result, driver.result);
        driver.result = VK_SUCCESS;
        const struct offers offers = offers_of(&instance, physical);
        assert_int_equal(offers.result, VK_SUCCESS);
        assert_int_equal(offers.offered, WANTED);
        assert_int_equal(offers.absent, OFFER_CUSTOM_BORDER_COLOR);
        const uint32_t before = driver.calls;
        assert_int_equal(offers_of(&instance, physical).offered, WANTED);
        assert_true(i < 16 ? driver.calls == before : driver.calls > before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_that_fails_is_asked_for_again),
    };
    return cmocka_run_group_tests_name("offers", tests, NULL, NULL);
}
