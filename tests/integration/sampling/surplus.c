/* SPDX-License-Identifier: MIT */
/*
 * Samplers beyond the driver's number: all that a program holds at once are what it asked for, whether the driver has
 * one for each, one for several, or a common one beside which the shader filters. The limited driver counts.
 */
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/shared/scene.h"
#include "integration_single.h"
#include "limited_driver/limited_driver.h"

enum { TEXELS = 4, MANY = 2000 };

static const uint8_t bytes[TEXELS] = {20, 180, 60, 240};

struct fixture {
    struct scene scene;
    struct scene_program program;
    VkDescriptorSet set;
    struct harness_image image;
};

static void finish_opening(struct fixture *f)
{
    static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    scene_program_create(&f->scene, &f->program, HARNESS_SPIRV(integration_single), &binding, 1, 0, NULL);
    f->set = harness_set(&f->scene.vk, f->program.set_layout);
    const struct harness_image_params params = {
        .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R8_UNORM, .width = TEXELS, .height = 1};
    harness_image_create(&f->scene.vk, &f->image, &params, bytes);
}

/* `rules` of the limited driver, after those of its profile. */
static void open_limited(struct fixture *f, const char *rules, const struct harness_vulkan_params *params)
{
    setenv("LIMITED_DRIVER_RULES", rules, 1);
    scene_open(&f->scene, params);
    unsetenv("LIMITED_DRIVER_RULES");
    finish_opening(f);
}

static void expect_no_violations(const struct fixture *f)
{
    struct limited_driver_violation violation;
    const PFN_limitedDriverGetViolations get =
        (PFN_limitedDriverGetViolations)vkGetDeviceProcAddr(f->scene.vk.device, "vkGetViolationsLIMITED");
    assert_non_null(get);
    const uint32_t count = get(f->scene.vk.device, 1, &violation);
    if (count)
        print_error("%u violations, the first of %s\n", count, violation.name);
    assert_int_equal(count, 0);
}

static void close_fixture(struct fixture *f)
{
    harness_image_destroy(&f->scene.vk, &f->image);
    scene_program_destroy(&f->scene, &f->program);
    scene_close(&f->scene);
}

/* ---- What is asked for, and what must be seen ---- */

struct wanted {
    bool gl, linear, clamps;
    float border; /* of GL states: red outside */
    float most;   /* of Vulkan's: maxLod, which changes nothing in an image of one level */
};

/* Of the `i`th state of a kind; all differ. */
static struct wanted vulkan_state(uint32_t i)
{
    return (struct wanted){.linear = i & 1, .clamps = true, .most = 1.0f + (float)i / 1024.0f};
}
static struct wanted gl_state(uint32_t i)
{
    return (struct wanted){.gl = true, .linear = i & 1, .border = (float)(i + 1) / 8192.0f};
}

static VkResult try_sampler(const struct fixture *f, const struct wanted *wanted, VkSampler *sampler)
{
    const uint32_t filter = wanted->linear ? TOKEN_LINEAR : TOKEN_NEAREST;
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                   .wrapS = TOKEN_CLAMP_TO_BORDER,
                                                   .wrapT = TOKEN_CLAMP_TO_EDGE,
                                                   .minFilter = filter,
                                                   .magFilter = filter,
                                                   .maxLod = 1000,
                                                   .borderColor = {.float32 = {wanted->border, 0, 0, 1}}};
    const VkSamplerAddressMode mode =
        wanted->clamps ? VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE : VK_SAMPLER_ADDRESS_MODE_REPEAT;
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .pNext = wanted->gl ? &gl : NULL,
                                      .magFilter = wanted->linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST,
                                      .minFilter = wanted->linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST,
                                      .addressModeU = mode,
                                      .addressModeV = mode,
                                      .addressModeW = mode,
                                      .maxLod = wanted->most};
    return vkCreateSampler(f->scene.vk.device, &info, NULL, sampler);
}

static VkSampler make_sampler(const struct fixture *f, const struct wanted *wanted)
{
    VkSampler sampler;
    HARNESS_VK(try_sampler(f, wanted, &sampler));
    return sampler;
}

static double texel_of(const struct wanted *wanted, int index)
{
    if (index >= 0 && index < TEXELS)
        return bytes[index] / 255.0;
    if (wanted->gl)
        return (double)wanted->border;
    if (wanted->clamps)
        return texel_of(wanted, index < 0 ? 0 : TEXELS - 1);
    return texel_of(wanted, (index + TEXELS) % TEXELS);
}

/* Section 8.14 of OpenGL 4.6 compatibility. */
static double expected(const struct wanted *wanted, unsigned column)
{
    const double u = (((double)column + 0.5) * 3.0 / SCENE_COLUMNS - 1.0) * TEXELS;
    if (!wanted->linear)
        return texel_of(wanted, (int)floor(u));
    const double base = floor(u - 0.5), weight = u - 0.5 - base;
    return texel_of(wanted, (int)base) * (1 - weight) + texel_of(wanted, (int)base + 1) * weight;
}

static void expect_picture(const struct fixture *f, const struct wanted *wanted)
{
    for (unsigned x = 0; x < SCENE_COLUMNS; x++) {
        const double right = expected(wanted, x), found = (double)f->scene.pixels[0][x][0];
        if (!(fabs(right - found) <= 4.0 / 256))
            print_error("column %u: %.4f, not %.4f (%s, %s, border %.4f)\n", x, found, right,
                        wanted->gl ? "GL" : "Vulkan", wanted->linear ? "linear" : "nearest", (double)wanted->border);
        assert_true(fabs(right - found) <= 4.0 / 256);
    }
}

/* Returns the tier that drew. */
static unsigned draw_with(struct fixture *f, VkSampler sampler, const struct wanted *wanted)
{
    harness_write_image(&f->scene.vk, f->set, 0, 0, SCENE_COMBINED, sampler, f->image.view);
    scene_draw(&f->scene, f->program.pipeline, f->program.layout, 1, &f->set);
    expect_picture(f, wanted);
    for (unsigned tier = 0; tier < 3; tier++)
        if (f->scene.drew[tier])
            return tier;
    return 3;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void expect_all_differ(const VkSampler *samplers, uint32_t count)
{
    uint64_t *handles = harness_alloc(count, sizeof(*handles));
    for (uint32_t i = 0; i < count; i++)
        handles[i] = (uint64_t)samplers[i];
    qsort(handles, count, sizeof(*handles), by_value);
    for (uint32_t i = 0; i + 1 < count; i++)
        assert_true(handles[i] != handles[i + 1]);
    free(handles);
}

/* ---- All at once ---- */

enum { VULKAN, GL, EQUAL, KINDS };

static struct wanted state_of(unsigned kind, uint32_t i)
{
    return kind == GL ? gl_state(i) : vulkan_state(kind == EQUAL ? 1 : i);
}

/*
 * States of Vulkan, of GL with a border each, and equal ones: `many` of each. The program's own first ones are the
 * driver's, and draw by tier 0; the last ones of Vulkan have neither, nor has their pair: the shader filters. Equal
 * ones share what a pair has.
 */
static void hold(struct fixture *f, uint32_t allowed, uint32_t many)
{
    VkSampler *samplers = harness_alloc(KINDS * many, sizeof(*samplers));
    const struct clampler_counters before = harness_counters(&f->scene.vk);
    for (uint32_t i = 0; i < KINDS * many; i++) {
        const struct wanted wanted = state_of(i / many, i % many);
        samplers[i] = make_sampler(f, &wanted);
    }
    const struct clampler_counters made = harness_counters(&f->scene.vk);
    const uint64_t surplus = made.samplers_surplus - before.samplers_surplus;
    assert_true(surplus >= KINDS * many - allowed && surplus <= KINDS * many - allowed / 2);
    assert_true(made.pairs_common > before.pairs_common);
    expect_all_differ(samplers, KINDS * many);

    const uint32_t some[] = {0, 1, many / 2, many - 2, many - 1};
    for (uint32_t i = 0; i < KINDS * sizeof(some) / sizeof(*some); i++) {
        const uint32_t number = some[i % (sizeof(some) / sizeof(*some))];
        const unsigned kind = i / (sizeof(some) / sizeof(*some));
        const struct wanted wanted = state_of(kind, number);
        const unsigned tier = draw_with(f, samplers[kind * many + number], &wanted);
        if (kind == VULKAN && number <= 1)
            assert_int_equal(tier, 0);
        if (kind == VULKAN && number >= many - 2)
            assert_int_equal(tier, 2);
    }
    expect_no_violations(f);
    for (uint32_t i = 0; i < KINDS * many; i++)
        vkDestroySampler(f->scene.vk.device, samplers[i], NULL);
    free(samplers);

    /* The driver has room again. */
    const struct wanted one = vulkan_state(7);
    VkSampler again = make_sampler(f, &one);
    assert_int_equal(draw_with(f, again, &one), 0);
    assert_int_equal(harness_counters(&f->scene.vk).samplers_surplus, made.samplers_surplus);
    vkDestroySampler(f->scene.vk.device, again, NULL);
}

/* Twice: what stays is what draws needed. */
static void hold_all(const char *profile, uint32_t allowed, uint32_t many)
{
    struct fixture f;
    setenv("LIMITED_DRIVER_PROFILE", profile, 1);
    open_limited(&f, "", &(struct harness_vulkan_params){.layers = "clampler:validation:limited"});
    unsetenv("LIMITED_DRIVER_PROFILE");
    assert_int_equal(f.scene.vk.properties.limits.maxSamplerAllocationCount, allowed);
    hold(&f, allowed, many);
    const struct clampler_counters before = harness_counters(&f.scene.vk);
    hold(&f, allowed, many);
    const struct clampler_counters after = harness_counters(&f.scene.vk);
    assert_int_equal(after.live_objects, before.live_objects);
    assert_int_equal(after.live_bytes, before.live_bytes);
    expect_no_violations(&f);
    close_fixture(&f);
}

/* So few that memory can run out at each place of it (tests/failures). */
static void some_are_held_where_the_driver_takes_24(void **state)
{
    (void)state;
    hold_all("samplers-24", 24, 40);
}

static void all_are_held_where_the_driver_takes_1024(void **state)
{
    (void)state;
    hold_all("samplers-1024", 1024, MANY);
}

static void all_are_held_where_the_driver_takes_4000(void **state)
{
    (void)state;
    hold_all("samplers-4000", 4000, 2 * MANY + 500);
}

/* Equal ones alone: the driver has one for all that it has none for, and they draw as its own do. */
static void equal_ones_cost_no_tier(void **state)
{
    (void)state;
    struct fixture f;
    VkSampler samplers[300];
    const struct wanted wanted = vulkan_state(1);
    open_limited(&f, "limit maxSamplerAllocationCount 100",
                 &(struct harness_vulkan_params){.layers = "clampler:validation:limited"});
    const struct clampler_counters before = harness_counters(&f.scene.vk);
    for (uint32_t i = 0; i < 300; i++)
        samplers[i] = make_sampler(&f, &wanted);
    const struct clampler_counters made = harness_counters(&f.scene.vk);
    assert_true(made.samplers_surplus - before.samplers_surplus >= 200);
    assert_int_equal(made.driver_samplers - before.driver_samplers, 2); /* of the pair alone, and the common one */
    for (uint32_t i = 0; i < 300; i += 50)
        assert_int_equal(draw_with(&f, samplers[i], &wanted), 0);
    assert_int_equal(draw_with(&f, samplers[299], &wanted), 0);
    assert_int_equal(harness_counters(&f.scene.vk).pairs_common, before.pairs_common);
    for (uint32_t i = 0; i < 300; i++)
        vkDestroySampler(f.scene.vk.device, samplers[i], NULL);
    expect_no_violations(&f);
    close_fixture(&f);
}

/* ---- What cannot be shared ---- */

static VkResult try_converting(const struct fixture *f, VkSamplerYcbcrConversion conversion, VkSampler *sampler)
{
    const VkSamplerYcbcrConversionInfo chained = {.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO,
                                                  .conversion = conversion};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .pNext = &chained,
                                      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
    return vkCreateSampler(f->scene.vk.device, &info, NULL, sampler);
}

static void what_only_the_driver_has_ends_with_its_number(void **state)
{
    (void)state;
    struct fixture f;
    VkSampler samplers[64], refused = (VkSampler)(uintptr_t)0x77;
    uint32_t count = 0;
    const VkPhysicalDeviceSamplerYcbcrConversionFeatures feature = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES,
        .samplerYcbcrConversion = VK_TRUE};
    open_limited(&f, "limit maxSamplerAllocationCount 64",
                 &(struct harness_vulkan_params){.layers = "clampler:validation:limited", .device_next = &feature});
    const VkSamplerYcbcrConversionCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO,
                                                     .format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM};
    VkSamplerYcbcrConversion conversion;
    HARNESS_VK(vkCreateSamplerYcbcrConversion(f.scene.vk.device, &info, NULL, &conversion));
    while (count < 64 && try_converting(&f, conversion, &samplers[count]) == VK_SUCCESS)
        count++;
    assert_true(count >= 40 && count <= 60); /* the scene has some, and the common ones keep their place */
    const struct clampler_counters full = harness_counters(&f.scene.vk);
    harness_messages_reset();
    assert_int_equal(try_converting(&f, conversion, &refused), VK_ERROR_TOO_MANY_OBJECTS);
    assert_ptr_equal(refused, (void *)(uintptr_t)0x77);
    assert_true(harness_layer_messages() > 0);
    harness_messages_reset();
    assert_int_equal(harness_counters(&f.scene.vk).live_objects, full.live_objects);
    assert_int_equal(harness_counters(&f.scene.vk).live_bytes, full.live_bytes);

    /* Others go on. */
    const struct wanted wanted = vulkan_state(1);
    VkSampler other = make_sampler(&f, &wanted);
    assert_int_equal(draw_with(&f, other, &wanted), 2);
    vkDestroySampler(f.scene.vk.device, other, NULL);
    vkDestroySampler(f.scene.vk.device, samplers[--count], NULL);
    assert_int_equal(try_converting(&f, conversion, &samplers[count]), VK_SUCCESS);
    for (count++; count; count--)
        vkDestroySampler(f.scene.vk.device, samplers[count - 1], NULL);
    vkDestroySamplerYcbcrConversion(f.scene.vk.device, conversion, NULL);
    expect_no_violations(&f);
    close_fixture(&f);
}

/* ---- Descriptor buffers whose descriptors have no record ---- */

/*
 * A driver that keeps images and samplers in arrays of their own leaves no room for record indices, and a program that
 * enables descriptor buffers there has the driver's descriptors. A surplus sampler's is that of a driver's sampler.
 */
static void descriptors_without_records_are_of_the_drivers_samplers(void **state)
{
    (void)state;
    enum { ASKED = 100, BYTES = 512 };
    static const char extension[] = VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME;
    static const char *const names[] = {extension};
    struct fixture f;
    VkSampler samplers[ASKED];
    VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES, .bufferDeviceAddress = VK_TRUE};
    const VkPhysicalDeviceDescriptorBufferFeaturesEXT buffers = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
        .pNext = &addresses,
        .descriptorBuffer = VK_TRUE};
    VkPhysicalDeviceDescriptorBufferPropertiesEXT sizes = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &sizes};
    scene_skip_without(extension);
    if (VK_HEADER_VERSION <= 309) {
        print_message("skipped: the registry of these headers does not say that "
                      "combinedImageSamplerDescriptorSingleArray is a limit\n");
        skip();
    }
    open_limited(&f, "limit combinedImageSamplerDescriptorSingleArray 0; limit maxSamplerAllocationCount 64",
                 &(struct harness_vulkan_params){.layers = "clampler:validation:limited",
                                                 .device_next = &buffers,
                                                 .device_extensions = names,
                                                 .device_extension_count = 1});
    vkGetPhysicalDeviceProperties2(f.scene.vk.physical, &properties);
    assert_false(sizes.combinedImageSamplerDescriptorSingleArray);
    const PFN_vkGetDescriptorEXT get =
        (PFN_vkGetDescriptorEXT)vkGetDeviceProcAddr(f.scene.vk.device, "vkGetDescriptorEXT");
    const struct wanted wanted = vulkan_state(1);
    for (uint32_t i = 0; i < ASKED; i++)
        samplers[i] = make_sampler(&f, &wanted);
    assert_true(harness_counters(&f.scene.vk).samplers_surplus >= ASKED - 64);
    for (unsigned combined = 0; combined < 2; combined++) {
        const size_t size = combined ? sizes.combinedImageSamplerDescriptorSize : sizes.samplerDescriptorSize;
        char found[2][BYTES];
        memset(found, 0, sizeof(found));
        assert_true(size <= BYTES);
        for (unsigned i = 0; i < 2; i++) { /* both are surplus, and share what the driver has for their state */
            const VkSampler sampler = samplers[ASKED - 1 - i];
            const VkDescriptorImageInfo image = {sampler, f.image.view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
            const VkDescriptorGetInfoEXT info = {
                .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT,
                .type = combined ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER : VK_DESCRIPTOR_TYPE_SAMPLER,
                .data = combined ? (VkDescriptorDataEXT){.pCombinedImageSampler = &image}
                                 : (VkDescriptorDataEXT){.pSampler = &sampler}};
            get(f.scene.vk.device, &info, size, found[i]);
        }
        assert_memory_equal(found[0], found[1], size);
    }
    for (uint32_t i = 0; i < ASKED; i++)
        vkDestroySampler(f.scene.vk.device, samplers[i], NULL);
    expect_no_violations(&f);
    close_fixture(&f);
}

/* ---- Handles ---- */

/* Private data and names belong to one handle each, though equal samplers share all that the driver has. */
static void each_has_its_own_data_and_name(void **state)
{
    (void)state;
    struct fixture f;
    VkSampler samplers[3];
    VkPrivateDataSlot slots[2];
    uint64_t data = 0;
    const struct wanted wanted = vulkan_state(1);
    const VkPhysicalDevicePrivateDataFeatures feature = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIVATE_DATA_FEATURES, .privateData = VK_TRUE};
    const VkPrivateDataSlotCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
    scene_open_with_setting(&f.scene, "ASSUME_MISSING", "samplers",
                            &(struct harness_vulkan_params){.device_next = &feature});
    finish_opening(&f);
    const VkDevice device = f.scene.vk.device;
    for (unsigned i = 0; i < 2; i++)
        HARNESS_VK(vkCreatePrivateDataSlot(device, &info, NULL, &slots[i]));
    for (unsigned i = 0; i < 3; i++)
        samplers[i] = make_sampler(&f, &wanted);
    expect_all_differ(samplers, 3);
    for (unsigned i = 0; i < 2; i++)
        HARNESS_VK(vkSetPrivateData(device, VK_OBJECT_TYPE_SAMPLER, (uint64_t)samplers[i], slots[i], 100 + i));
    for (unsigned i = 0; i < 6; i++) {
        vkGetPrivateData(device, VK_OBJECT_TYPE_SAMPLER, (uint64_t)samplers[i / 2], slots[i % 2], &data);
        assert_int_equal(data, i == 0 ? 100 : i == 3 ? 101 : 0);
    }
    HARNESS_VK(vkSetPrivateData(device, VK_OBJECT_TYPE_SAMPLER, (uint64_t)samplers[0], slots[0], 7));
    vkGetPrivateData(device, VK_OBJECT_TYPE_SAMPLER, (uint64_t)samplers[0], slots[0], &data);
    assert_int_equal(data, 7);
    vkDestroyPrivateDataSlot(device, slots[0], NULL);
    /* Objects of the driver's keep theirs there. */
    HARNESS_VK(vkSetPrivateData(device, VK_OBJECT_TYPE_IMAGE_VIEW, (uint64_t)f.image.view, slots[1], 9));
    vkGetPrivateData(device, VK_OBJECT_TYPE_IMAGE_VIEW, (uint64_t)f.image.view, slots[1], &data);
    assert_int_equal(data, 9);

    const PFN_vkSetDebugUtilsObjectNameEXT name =
        (PFN_vkSetDebugUtilsObjectNameEXT)vkGetInstanceProcAddr(f.scene.vk.instance, "vkSetDebugUtilsObjectNameEXT");
    const PFN_vkSetDebugUtilsObjectTagEXT tag =
        (PFN_vkSetDebugUtilsObjectTagEXT)vkGetInstanceProcAddr(f.scene.vk.instance, "vkSetDebugUtilsObjectTagEXT");
    for (unsigned i = 0; i < 3; i++) {
        const VkDebugUtilsObjectNameInfoEXT named = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
                                                     .objectType = VK_OBJECT_TYPE_SAMPLER,
                                                     .objectHandle = (uint64_t)samplers[i],
                                                     .pObjectName = "beyond the number"};
        const VkDebugUtilsObjectTagInfoEXT tagged = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_TAG_INFO_EXT,
                                                     .objectType = VK_OBJECT_TYPE_SAMPLER,
                                                     .objectHandle = (uint64_t)samplers[i],
                                                     .tagSize = sizeof(bytes),
                                                     .pTag = bytes};
        HARNESS_VK(name(device, &named));
        HARNESS_VK(tag(device, &tagged));
        assert_int_equal(draw_with(&f, samplers[i], &wanted), 0);
        vkDestroySampler(device, samplers[i], NULL);
    }
    /* A handle is never another sampler's, and data is gone with its object. */
    VkSampler later = make_sampler(&f, &wanted);
    for (unsigned i = 0; i < 3; i++)
        assert_true(later != samplers[i]);
    vkGetPrivateData(device, VK_OBJECT_TYPE_SAMPLER, (uint64_t)later, slots[1], &data);
    assert_int_equal(data, 0);
    vkDestroySampler(device, later, NULL);
    vkDestroyPrivateDataSlot(device, slots[1], NULL);
    close_fixture(&f);
}

/* ---- Threads ---- */

enum { THREADS = 4, ROUNDS = 400, EACH = 8 };

static void *come_and_go(void *fixture)
{
    const struct fixture *f = fixture;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        VkSampler samplers[EACH];
        for (uint32_t i = 0; i < EACH; i++) {
            const struct wanted wanted = state_of(i % KINDS, (round + i) % 16);
            samplers[i] = make_sampler(f, &wanted);
        }
        for (uint32_t i = 0; i < EACH; i++)
            vkDestroySampler(f->scene.vk.device, samplers[(i + round) % EACH], NULL);
    }
    return NULL;
}

static void threads_make_and_destroy_them_together(void **state)
{
    (void)state;
    struct fixture f;
    pthread_t threads[THREADS];
    const struct wanted wanted = gl_state(5);
    scene_open_with_setting(&f.scene, "ASSUME_MISSING", "samplers", NULL);
    finish_opening(&f);
    const struct clampler_counters before = harness_counters(&f.scene.vk);
    VkSampler kept = make_sampler(&f, &wanted);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, come_and_go, &f), 0);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    const struct clampler_counters after = harness_counters(&f.scene.vk);
    assert_int_equal(after.samplers_surplus - before.samplers_surplus, 1 + THREADS * ROUNDS * EACH);
    draw_with(&f, kept, &wanted);
    vkDestroySampler(f.scene.vk.device, kept, NULL);
    assert_int_equal(harness_counters(&f.scene.vk).live_objects, before.live_objects);
    close_fixture(&f);
}

/* ---- A million ---- */

enum { STATES = 100000, LIVE = 1000000 };

static size_t heap(void)
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/*
 * A program that knows nothing of the layer, by the setting `offer`: as many as are shown, of so many states. A sampler
 * takes two slots of the table at most (objects/table.c), a state its object and that of its pair alone.
 */
static void a_million_of_a_hundred_thousand_states(void **state)
{
    (void)state;
    enum { BYTES_OF_SAMPLER = 128, BYTES_OF_STATE = 1024 };
    struct fixture f;
    setenv("VK_CLAMPLER_OFFER", "samplers", 1);
    setenv("LIMITED_DRIVER_PROFILE", "samplers-4000", 1);
    scene_open_device(&f.scene, &(struct harness_vulkan_params){.layers = "clampler:limited"});
    scene_make(&f.scene, false);
    unsetenv("LIMITED_DRIVER_PROFILE");
    unsetenv("VK_CLAMPLER_OFFER");
    finish_opening(&f);
    assert_int_equal(f.scene.vk.properties.limits.maxSamplerAllocationCount, LIVE);
    VkSampler *samplers = harness_alloc(LIVE, sizeof(*samplers));
    const size_t before = heap();
    for (uint32_t i = 0; i < LIVE - 16; i++) {
        const struct wanted wanted = vulkan_state(i % STATES);
        samplers[i] = make_sampler(&f, &wanted);
    }
    const size_t taken = heap() - before;
    print_message("%d samplers of %d states take %.1f MiB\n", LIVE - 16, STATES, (double)taken / (1 << 20));
    assert_true(taken <= (size_t)LIVE * BYTES_OF_SAMPLER + (size_t)STATES * BYTES_OF_STATE);
    const uint32_t some[] = {0, 3998, STATES - 1, STATES, LIVE / 2, LIVE - 17};
    for (unsigned i = 0; i < sizeof(some) / sizeof(*some); i++) {
        const struct wanted wanted = vulkan_state(some[i] % STATES);
        draw_with(&f, samplers[some[i]], &wanted);
    }
    expect_no_violations(&f);
    for (uint32_t i = 0; i < LIVE - 16; i++)
        vkDestroySampler(f.scene.vk.device, samplers[i], NULL);
    free(samplers);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(some_are_held_where_the_driver_takes_24),
        cmocka_unit_test(all_are_held_where_the_driver_takes_1024),
        cmocka_unit_test(all_are_held_where_the_driver_takes_4000),
        cmocka_unit_test(equal_ones_cost_no_tier),
        cmocka_unit_test(what_only_the_driver_has_ends_with_its_number),
        cmocka_unit_test(descriptors_without_records_are_of_the_drivers_samplers),
        cmocka_unit_test(each_has_its_own_data_and_name),
        cmocka_unit_test(threads_make_and_destroy_them_together),
        cmocka_unit_test(a_million_of_a_hundred_thousand_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
