/* SPDX-License-Identifier: MIT */
/*
 * What a device lacks (layer/entry/queries/lacking.c): asked once, and again where it could not be asked; and the table
 * of extensions (offers.c), of which some only come beside another.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "device/instance.h"
#include "newer_vulkan.h"
#include "queries/offers.h"
#include "queries/queries.h"

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
        assert_int_equal(offers_of_extensions(offers.absent), OFFER_CUSTOM_BORDER_COLOR);
        const uint32_t before = driver.calls;
        assert_int_equal(offers_of(&instance, physical).offered, WANTED);
        assert_true(i < 16 ? driver.calls == before : driver.calls > before);
    }
}

/* ---- The table ---- */

/*
 * Cubic filters have three extensions. Where the driver has the first, all of them are its own, and none is offered;
 * where it lacks that, so are the two others that it lists, and those that it does not list are offered beside the
 * first.
 */
static void cubic_filters_of_drivers_stay_theirs(void **state)
{
    (void)state;
    static const char *const names[] = {VK_EXT_FILTER_CUBIC_EXTENSION_NAME, VK_IMG_FILTER_CUBIC_EXTENSION_NAME,
                                        VK_QCOM_FILTER_CUBIC_WEIGHTS_EXTENSION_NAME};
    for (uint32_t has = 0; has < 8; has++) {
        VkExtensionProperties list[3 + OFFERED_EXTENSIONS] = {{.extensionName = ""}};
        uint32_t count = 0, appended = 0;
        for (uint32_t i = 0; i < 3; i++) {
            if (has >> i & 1)
                strcpy(list[count++].extensionName, names[i]);
        }
        const bool offered = !(has & 1);
        struct offers offers = {.absent = offers_unlisted(list, count)};
        assert_int_equal(offers_of_extensions(offers.absent) & OFFER_FILTER_CUBIC, offered ? OFFER_FILTER_CUBIC : 0);
        offers.offered = offers_of_extensions(offers.absent) & OFFER_FILTER_CUBIC;
        offers.absent &= offers_extensions(offers.offered);
        assert_int_equal(offers_unknown_cubic(&offers), offered);
        for (uint32_t i = 0; i < 3; i++) {
            const bool adds = offered && !(has >> i & 1);
            assert_int_equal(offers_names(&offers, names[i]), adds);
            appended += adds;
        }
        assert_int_equal(offers_structure(&offers, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUBIC_WEIGHTS_FEATURES_QCOM),
                         offered && !(has & 4));
        assert_int_equal(offers_list(&offers, list, count), count + appended);
        for (uint32_t i = 0; i < 3 && offered; i++)
            assert_true(extension_listed(list, count + appended, names[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_that_fails_is_asked_for_again),
        cmocka_unit_test(cubic_filters_of_drivers_stay_theirs),
    };
    return cmocka_run_group_tests_name("offers", tests, NULL, NULL);
}
