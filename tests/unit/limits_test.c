/* SPDX-License-Identifier: MIT */
/* Which buffers records live in, and that no limit wraps around below zero (layer/entry/queries/limits.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "queries/queries.h"

/* limits.c also has the hooks that need these; nothing here calls them. */
struct instance *instance_of(const void *dispatchable)
{
    (void)dispatchable;
    return NULL;
}

void semantics_offered(const struct instance *instance, VkPhysicalDevice physical,
                       VkPhysicalDeviceGLSamplerPropertiesCLAMPLER *properties)
{
    (void)instance;
    (void)physical;
    (void)properties;
}

void texel_raise_limit(const struct instance *instance, VkPhysicalDevice physical,
                       VkPhysicalDeviceProperties *properties)
{
    (void)instance;
    (void)physical;
    (void)properties;
}

void app_descriptors_show(const struct instance *instance, VkPhysicalDevice physical, bool asked, void *chain)
{
    (void)instance;
    (void)physical;
    (void)asked;
    (void)chain;
}

void app_descriptors_lower(const struct instance *instance, VkPhysicalDevice physical, bool asked,
                           VkPhysicalDeviceLimits *limits)
{
    (void)instance;
    (void)physical;
    (void)asked;
    (void)limits;
}

/* Nothing is offered. */
struct offers offers_of(const struct instance *instance, VkPhysicalDevice physical)
{
    (void)instance;
    (void)physical;
    return (struct offers){.result = VK_SUCCESS};
}

bool extension_listed(const VkExtensionProperties *list, uint32_t count, const char *name)
{
    (void)list, (void)count, (void)name;
    return false;
}

static bool in_storage(uint32_t sets, uint32_t uniform, uint32_t storage)
{
    const VkPhysicalDeviceLimits limits = {.maxBoundDescriptorSets = sets,
                                           .maxPerStageDescriptorUniformBuffers = uniform,
                                           .maxPerStageDescriptorStorageBuffers = storage};
    return limits_put_records_in_storage(&limits);
}

static void records_live_in_uniform_buffers_where_the_required_minimum_is_left(void **state)
{
    (void)state;
    assert_false(in_storage(4, 16, 1000));
    assert_false(in_storage(32, 1048576, 1048576));
    assert_false(in_storage(8, UINT32_MAX, UINT32_MAX));
}

static void else_in_storage_buffers_where_their_minimum_is_left(void **state)
{
    (void)state;
    assert_true(in_storage(4, 15, 8));
    assert_true(in_storage(8, 15, 32)); /* lavapipe of Mesa 22.3.6 */
}

static void else_where_more_is_left(void **state)
{
    (void)state;
    assert_false(in_storage(4, 12, 4)); /* Vulkan's required minimum */
    assert_true(in_storage(32, 12, 16));
}

static void limits_stay_at_what_vulkan_requires_or_the_driver_has(void **state)
{
    (void)state;
    for (uint32_t newer = 0; newer < 2; newer++) {
        const struct instance instance = {.api_version = VK_API_VERSION_1_0};
        VkPhysicalDeviceMaintenance3Properties sets = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES, .maxPerSetDescriptors = 1024};
        VkPhysicalDeviceProperties properties = {.apiVersion = VK_MAKE_API_VERSION(0, 1, newer ? 4 : 3, 0),
                                                 .limits = {.maxBoundDescriptorSets = 32,
                                                            .maxStorageBufferRange = 1u << 27,
                                                            .maxPerStageDescriptorUniformBuffers = 50,
                                                            .maxDescriptorSetUniformBuffers = 100,
                                                            .maxPerStageDescriptorStorageBuffers = 3,
                                                            .maxDescriptorSetStorageBuffers = 1000,
                                                            .maxPerStageResources = 220}};
        limits_lower(&instance, NULL, true, &properties, (VkBaseOutStructure *)&sets);
        assert_int_equal(properties.limits.maxPerStageDescriptorUniformBuffers, 18);
        assert_int_equal(properties.limits.maxDescriptorSetUniformBuffers, newer ? 90 : 72);
        assert_int_equal(properties.limits.maxPerStageDescriptorStorageBuffers, 3); /* the driver's own */
        assert_int_equal(properties.limits.maxDescriptorSetStorageBuffers, 968);    /* of large sets */
        assert_int_equal(properties.limits.maxPerStageResources, newer ? 200 : 188);
        assert_int_equal(sets.maxPerSetDescriptors, 1024);
    }
}

static void limits_are_the_drivers_where_the_layer_is_inert(void **state)
{
    struct instance instance = {.api_version = VK_API_VERSION_1_0};
    VkPhysicalDeviceProperties properties = {
        .limits = {.maxBoundDescriptorSets = 4, .maxPerStageDescriptorUniformBuffers = 100}};
    (void)state;
    limits_lower(&instance, NULL, false, &properties, NULL);
    assert_int_equal(properties.limits.maxPerStageDescriptorUniformBuffers, 100);
    instance.settings.force_active = true;
    limits_lower(&instance, NULL, false, &properties, NULL);
    assert_int_equal(properties.limits.maxPerStageDescriptorUniformBuffers, 96);
}

/* Samplers of the layer's are in sets only where Vulkan's minimum is left. */
static void samplers_are_taken_where_the_required_minimum_is_left(void **state)
{
    const struct instance instance = {.api_version = VK_API_VERSION_1_0};
    (void)state;
    for (uint32_t less = 0; less < 2; less++) {
        VkPhysicalDeviceMaintenance3Properties sets = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES, .maxPerSetDescriptors = 2048};
        VkPhysicalDeviceProperties properties = {.limits = {.maxBoundDescriptorSets = 8,
                                                            .maxStorageBufferRange = 1u << 27,
                                                            .maxPerStageDescriptorUniformBuffers = 64,
                                                            .maxPerStageDescriptorSamplers = 24 - less,
                                                            .maxDescriptorSetSamplers = 104}};
        assert_int_equal(limits_have_room_for_sampler(&properties.limits), !less);
        limits_lower(&instance, NULL, true, &properties, (VkBaseOutStructure *)&sets);
        assert_int_equal(properties.limits.maxPerStageDescriptorSamplers, less ? 23 : 16);
        assert_int_equal(properties.limits.maxDescriptorSetSamplers, less ? 104 : 96);
        assert_int_equal(sets.maxPerSetDescriptors, less ? 2047 : 2046);
    }
}

/* The layer makes samplers, too, and its own replace the program's where the driver has no more. */
static void samplers_are_the_drivers_number_or_more(void **state)
{
    const struct instance instance = {.api_version = VK_API_VERSION_1_0};
    const struct instance forced = {.api_version = VK_API_VERSION_1_0, .settings.force_active = true};
    static const uint32_t limits[][2] = {
        {4000, 1000000}, {100, 1000000}, {0, 1000000}, {1000001, 1000001}, {UINT32_MAX, UINT32_MAX}};
    (void)state;
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        VkPhysicalDeviceProperties asked = {.limits = {.maxSamplerAllocationCount = limits[i][0]}}, unasked = asked;
        limits_lower(&instance, NULL, true, &asked, NULL);
        assert_int_equal(asked.limits.maxSamplerAllocationCount, limits[i][1]);
        limits_lower(&forced, NULL, false, &unasked, NULL);
        assert_int_equal(unasked.limits.maxSamplerAllocationCount, limits[i][0]);
    }
}

/* A driver with room for records of all sets beside what Vulkan requires, and no more. */
static VkPhysicalDeviceProperties enough(bool newer, VkPhysicalDeviceDescriptorIndexingProperties *indexing)
{
    enum { SETS = 4 };
    const uint32_t stage = (newer ? 15 : 12) + SETS, all = (newer ? 90 : 72) + SETS, changing = 500000 + SETS;
    *indexing = (VkPhysicalDeviceDescriptorIndexingProperties){
        .maxPerStageDescriptorUpdateAfterBindUniformBuffers = stage,
        .maxDescriptorSetUpdateAfterBindUniformBuffers = all,
        .maxPerStageDescriptorUpdateAfterBindStorageBuffers = changing,
        .maxDescriptorSetUpdateAfterBindStorageBuffers = changing,
        .maxPerStageUpdateAfterBindResources = changing,
    };
    return (VkPhysicalDeviceProperties){.apiVersion = VK_MAKE_API_VERSION(0, 1, newer ? 4 : 3, 0),
                                        .limits = {.maxBoundDescriptorSets = SETS,
                                                   .maxStorageBufferRange = 1u << 27,
                                                   .maxPerStageDescriptorUniformBuffers = stage,
                                                   .maxDescriptorSetUniformBuffers = all,
                                                   .maxPerStageDescriptorStorageBuffers = 4 + SETS,
                                                   .maxDescriptorSetStorageBuffers = (newer ? 96 : 24) + SETS,
                                                   .maxPerStageResources = (newer ? 200 : 128) + SETS}};
}

static void a_driver_is_tight_where_it_has_one_less_than_records_may_take(void **state)
{
    const struct instance instance = {.api_version = VK_API_VERSION_1_0};
    VkPhysicalDeviceDescriptorIndexingProperties indexing;
    VkPhysicalDeviceProperties properties;
    uint32_t *const limits[] = {&properties.limits.maxDescriptorSetUniformBuffers,
                                &properties.limits.maxPerStageDescriptorStorageBuffers,
                                &properties.limits.maxDescriptorSetStorageBuffers,
                                &properties.limits.maxPerStageResources,
                                &indexing.maxPerStageDescriptorUpdateAfterBindUniformBuffers,
                                &indexing.maxDescriptorSetUpdateAfterBindUniformBuffers,
                                &indexing.maxPerStageDescriptorUpdateAfterBindStorageBuffers,
                                &indexing.maxDescriptorSetUpdateAfterBindStorageBuffers,
                                &indexing.maxPerStageUpdateAfterBindResources};
    (void)state;
    for (unsigned newer = 0; newer < 2; newer++) {
        properties = enough(newer, &indexing);
        assert_false(limits_are_tight(&instance, &properties, &indexing));
        for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
            properties = enough(newer, &indexing);
            --*limits[i];
            assert_true(limits_are_tight(&instance, &properties, &indexing));
        }
        properties = enough(newer, &indexing);
        indexing = (VkPhysicalDeviceDescriptorIndexingProperties){.maxUpdateAfterBindDescriptorsInAllPools = 0};
        assert_false(limits_are_tight(&instance, &properties, &indexing)); /* no set changes after it is bound */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_live_in_uniform_buffers_where_the_required_minimum_is_left),
        cmocka_unit_test(else_in_storage_buffers_where_their_minimum_is_left),
        cmocka_unit_test(else_where_more_is_left),
        cmocka_unit_test(limits_stay_at_what_vulkan_requires_or_the_driver_has),
        cmocka_unit_test(limits_are_the_drivers_where_the_layer_is_inert),
        cmocka_unit_test(samplers_are_the_drivers_number_or_more),
        cmocka_unit_test(a_driver_is_tight_where_it_has_one_less_than_records_may_take),
        cmocka_unit_test(samplers_are_taken_where_the_required_minimum_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
