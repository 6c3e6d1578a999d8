/* SPDX-License-Identifier: MIT */
/* The list of extensions (layer/entry/queries/enumerate.c) above next layers that are odd about it. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device/instance.h"
#include "queries/queries.h"
#include "system.h"
#include "vulkan_clampler.h"

/* ---- The next layer ---- */

static struct {
    uint32_t count;    /* how many extensions there are */
    uint32_t grows;    /* by so many each time it is asked for them */
    bool grows_once;   /* by one, the next time */
    bool incomplete;   /* it always says so */
    uint32_t claims;   /* it says so many more than there was room for */
    uint32_t calls;    /* that asked for extensions */
    const char *layer; /* the last name that it was asked with */
} next;

static VKAPI_ATTR VkResult VKAPI_CALL enumerate(VkPhysicalDevice physical, const char *layer, uint32_t *count,
                                                VkExtensionProperties *properties)
{
    (void)physical;
    next.layer = layer;
    if (!properties) {
        *count = next.count;
        return VK_SUCCESS;
    }
    next.calls++;
    next.count += next.grows + next.grows_once;
    next.grows_once = false;
    const uint32_t room = *count, filled = room < next.count ? room : next.count;
    for (uint32_t i = 0; i < filled; i++)
        snprintf(properties[i].extensionName, sizeof(properties[i].extensionName), "VK_TEST_%u", i);
    *count = filled + next.claims;
    return next.incomplete || filled < next.count ? VK_INCOMPLETE : VK_SUCCESS;
}

static struct instance instance = {.next.EnumerateDeviceExtensionProperties = enumerate};

struct instance *instance_of(const void *dispatchable)
{
    (void)dispatchable;
    return &instance;
}

static struct offers offered;

struct offers offers_of(const struct instance *of, VkPhysicalDevice physical)
{
    (void)of, (void)physical;
    return offered;
}

uint32_t opaque_hide_extensions(struct instance *of, VkPhysicalDevice physical, VkExtensionProperties *list,
                                uint32_t count)
{
    (void)of, (void)physical, (void)list;
    return count;
}

/* ---- What the layer says ---- */

static VkPhysicalDevice const PHYSICAL = (VkPhysicalDevice)(uintptr_t)16;

/* Returns how many it lists; each is named. */
static uint32_t list_all(const char *layer, bool *ours)
{
    static VkExtensionProperties list[64];
    uint32_t count = 64;
    *ours = false;
    memset(list, 0, sizeof(list));
    assert_int_equal(hook_EnumerateDeviceExtensionProperties(PHYSICAL, layer, &count, list), VK_SUCCESS);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(list[i].extensionName[0]);
        *ours |= !strcmp(list[i].extensionName, VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME);
    }
    return count;
}

static void a_list_that_grows_is_asked_for_again(void **state)
{
    bool ours;
    (void)state;
    memset(&next, 0, sizeof(next));
    next.count = 3;
    assert_int_equal(list_all(NULL, &ours), 4);
    assert_true(ours);
    assert_int_equal(next.calls, 1);
    next.grows_once = true;
    assert_int_equal(list_all(NULL, &ours), 5);
    assert_true(ours);
    assert_int_equal(next.calls, 3);
}

static void a_next_layer_that_always_says_incomplete_is_believed_once(void **state)
{
    bool ours;
    (void)state;
    alarm(20);
    for (uint32_t claims = 0; claims < 2; claims++) {
        for (uint32_t grows = 0; grows < 2; grows++) {
            memset(&next, 0, sizeof(next));
            next.count = 3;
            next.grows = grows;
            next.incomplete = true;
            next.claims = claims * 1000;
            assert_true(list_all(NULL, &ours) >= 4);
            assert_true(ours);
            assert_true(next.calls < 100);
        }
    }
    alarm(0);
}

/* Loaders take it for none ("vkEnumerateDeviceExtensionProperties" asks layers by name). */
static void an_empty_name_is_none(void **state)
{
    bool ours;
    (void)state;
    memset(&next, 0, sizeof(next));
    next.count = 3;
    assert_int_equal(list_all("", &ours), 4);
    assert_true(ours);
    assert_int_equal(list_all("VK_LAYER_CLAMPLER_gl_sampler", &ours), 1);
    assert_true(ours);
    assert_int_equal(list_all("VK_LAYER_another", &ours), 3);
    assert_false(ours);
    assert_string_equal(next.layer, "VK_LAYER_another");
}

/* A list without what is offered is no list. */
static void offers_that_cannot_be_found_are_an_error(void **state)
{
    uint32_t count = 0;
    (void)state;
    memset(&next, 0, sizeof(next));
    next.count = 3;
    offered.result = VK_ERROR_OUT_OF_HOST_MEMORY;
    assert_int_equal(hook_EnumerateDeviceExtensionProperties(PHYSICAL, NULL, &count, NULL),
                     VK_ERROR_OUT_OF_HOST_MEMORY);
    offered.result = VK_SUCCESS;
    assert_int_equal(hook_EnumerateDeviceExtensionProperties(PHYSICAL, NULL, &count, NULL), VK_SUCCESS);
    assert_int_equal(count, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_that_grows_is_asked_for_again),
        cmocka_unit_test(a_next_layer_that_always_says_incomplete_is_believed_once),
        cmocka_unit_test(an_empty_name_is_none),
        cmocka_unit_test(offers_that_cannot_be_found_are_an_error),
    };
    return cmocka_run_group_tests_name("enumerate", tests, NULL, NULL);
}
