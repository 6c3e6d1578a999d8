/* SPDX-License-Identifier: MIT */
/*
 * What a program sees of what the layer enables for itself, through the real loader, on the real driver: nothing. In
 * every combination of what settings, versions and programs ask for, a device is made, and every command of the
 * registry is found where it is found without the layer. With AddressSanitizer nothing is written behind an array
 * meanwhile.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "counters.h"
#include "harness/device/environment.h"
#include "loader_fixture.h"
#include "registry.h"
#include "vulkan_wanted.h"

/* Values of what decides which extensions the layer wants (layer/entry/device_plan); NULL: the default. */
enum { VALUES = 2 };
static const struct {
    const char *variable;
    const char *values[VALUES];
} choices[] = {
    {"VK_CLAMPLER_FORCE_ACTIVE", {NULL, "true"}},
    {"VK_CLAMPLER_ALPHA_TO_ONE", {NULL, "R8G8B8A8_UNORM"}},
    {"VK_CLAMPLER_LINEAR_FALLBACK", {NULL, "shader"}},
    {"VK_CLAMPLER_TEXEL_BUFFERS", {NULL, "emulate"}},
    {"VK_CLAMPLER_TEXEL_PATH", {NULL, "addresses"}},
    {"VK_CLAMPLER_FORM", {"cpu", "gpu"}},
    {"VK_CLAMPLER_ASSUME_MISSING", {NULL, "dynamic_blend,subgroup_vote"}},
};
enum { CHOICES = sizeof(choices) / sizeof(*choices), COMBINATIONS = 1 << CHOICES };

/* All values of all settings beside the one that makes every device active. */
static const char *const others[][2] = {
    {"VK_CLAMPLER_GL_CLAMP", "edge"},
    {"VK_CLAMPLER_GL_CLAMP", "border"},
    {"VK_CLAMPLER_LINEAR_FALLBACK", "nearest"},
    {"VK_CLAMPLER_LINEAR_FALLBACK", "off"},
    {"VK_CLAMPLER_TEXEL_PATH", "views"},
    {"VK_CLAMPLER_ALPHA_TO_ONE", "swapchain"},
    {"VK_CLAMPLER_ALPHA_WRITE", "keep"},
    {"VK_CLAMPLER_ALPHA_WRITE", "mask"},
    {"VK_CLAMPLER_INTEGER_LINEAR", "incomplete"},
    {"VK_CLAMPLER_BORDER_COLOR", "shader"},
    {"VK_CLAMPLER_TIERS", "lazy"},
    {"VK_CLAMPLER_TIERS", "eager"},
    {"VK_CLAMPLER_VALIDATE_REWRITES", "true"},
    {"VK_CLAMPLER_ASSUME_MISSING", "mirror_clamp_to_edge"},
    {"VK_CLAMPLER_ASSUME_MISSING", "uniform_records"},
    {"VK_CLAMPLER_ASSUME_MISSING", "push_slot"},
    {"VK_CLAMPLER_ASSUME_MISSING", "linear_all"},
    {"VK_CLAMPLER_ASSUME_MISSING", "custom_border_color"},
    {"VK_CLAMPLER_ASSUME_MISSING", "border_color_swizzle"},
    {"VK_CLAMPLER_ASSUME_MISSING", "non_seamless_cube"},
    {"VK_CLAMPLER_ASSUME_MISSING", "gradient_branches"},
    {"VK_CLAMPLER_ASSUME_MISSING", "fetch_levels"},
};

static const uint32_t versions[] = {VK_API_VERSION_1_0, VK_API_VERSION_1_1, VK_API_VERSION_1_2, VK_API_VERSION_1_3};
enum { VERSIONS = sizeof(versions) / sizeof(*versions) };

static const char *const nothing[] = {NULL};
static const char *const ours[] = {CLAMPLER, NULL};

/* ---- Programs: what they enable themselves ---- */

enum program { PROGRAM_PLAIN, PROGRAM_USES_EXTENSION, PROGRAM_ENABLES_WANTED, PROGRAM_ENABLES_OTHERS, PROGRAMS };

enum { MOST_NAMES = WANTED_EXTENSIONS + WANTED_OTHERS + 2 };

static bool is_listed(VkPhysicalDevice physical, const char *name)
{
    static VkExtensionProperties list[1024];
    uint32_t count = 1024;
    assert_int_equal(vkEnumerateDeviceExtensionProperties(physical, NULL, &count, list), VK_SUCCESS);
    for (uint32_t i = 0; i < count; i++) {
        if (!strcmp(list[i].extensionName, name))
            return true;
    }
    return false;
}

/* `names` ends with NULL. */
static void list_names(VkPhysicalDevice physical, enum program program, bool layered, const char *names[MOST_NAMES])
{
    uint32_t count = 0;
    if (program == PROGRAM_USES_EXTENSION && layered)
        names[count++] = VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME;
    for (uint32_t i = 0; program == PROGRAM_ENABLES_WANTED && i < WANTED_EXTENSIONS; i++) {
        if (is_listed(physical, wanted_extensions[i]))
            names[count++] = wanted_extensions[i];
    }
    for (uint32_t i = 0; program == PROGRAM_ENABLES_OTHERS && i < WANTED_OTHERS; i++) {
        if (is_listed(physical, wanted_others[i]))
            names[count++] = wanted_others[i];
    }
    names[count] = NULL;
}

static VkDevice make_device(const struct fixture *fixture, enum program program, bool layered)
{
    const VkPhysicalDeviceGLSamplerFeaturesCLAMPLER all = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER,
        .glSampler = VK_TRUE,
        .glImageView = VK_TRUE,
        .glBufferView = VK_TRUE,
        .alphaToOneAttachments = VK_TRUE,
        .linearFilterEmulation = VK_TRUE};
    const char *names[MOST_NAMES];
    VkDevice device;
    list_names(fixture->physical, program, layered, names);
    const bool uses = program == PROGRAM_USES_EXTENSION && layered;
    assert_int_equal(fixture_device(fixture, names, uses ? &all : NULL, NULL, &device), VK_SUCCESS);
    return device;
}

/* ---- Which commands there are ---- */

static bool *found_without[VERSIONS][PROGRAMS];

static void find_commands(VkDevice device, bool *found)
{
    for (uint32_t i = 0; i < registry_command_count; i++)
        found[i] = vkGetDeviceProcAddr(device, registry_commands[i].name) != NULL;
}

static int find_all_without(void **state)
{
    struct fixture fixture;
    (void)state;
    for (uint32_t v = 0; v < VERSIONS; v++) {
        assert_int_equal(fixture_open(&fixture, versions[v], nothing, NULL), VK_SUCCESS);
        for (enum program program = 0; program < PROGRAMS; program++) {
            const VkDevice device = make_device(&fixture, program, false);
            found_without[v][program] = calloc(registry_command_count, sizeof(bool));
            assert_non_null(found_without[v][program]);
            find_commands(device, found_without[v][program]);
            vkDestroyDevice(device, NULL);
        }
        fixture_close(&fixture);
    }
    return 0;
}

static int forget_all(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < VERSIONS; v++) {
        for (uint32_t program = 0; program < PROGRAMS; program++)
            free(found_without[v][program]);
    }
    return 0;
}

/* The driver has commands of wanted extensions, and tells them only to who enabled these: else nothing is shown here.
 */
static void the_driver_has_something_to_hide(void **state)
{
    const bool *plain = found_without[VERSIONS - 1][PROGRAM_PLAIN];
    const bool *wanted = found_without[VERSIONS - 1][PROGRAM_ENABLES_WANTED];
    uint32_t more = 0;
    (void)state;
    for (uint32_t i = 0; i < registry_command_count; i++)
        more += wanted[i] && !plain[i];
    if (!more)
        skip();
}

static uint32_t devices, active_devices, wrong;

/* How many commands are found otherwise than without the layer. */
static uint32_t wrong_commands(VkDevice device, const bool *without, const char *about)
{
    uint32_t otherwise = 0;
    for (uint32_t i = 0; i < registry_command_count; i++) {
        const bool found = vkGetDeviceProcAddr(device, registry_commands[i].name) != NULL;
        if (found != without[i]) {
            print_message("%s: %s %s\n", about, registry_commands[i].name, found ? "is a function" : "is missing");
            otherwise++;
        }
    }
    return otherwise;
}

static void check_devices(const char *about)
{
    struct fixture fixture;
    for (uint32_t v = 0; v < VERSIONS; v++) {
        assert_int_equal(fixture_open(&fixture, versions[v], ours, NULL), VK_SUCCESS);
        for (enum program program = 0; program < PROGRAMS; program++) {
            char text[600];
            const VkDevice device = make_device(&fixture, program, true);
            snprintf(text, sizeof(text), "Vulkan 1.%u, program %u,%s", v, program, about);
            devices++;
            active_devices += vkGetDeviceProcAddr(device, CLAMPLER_GET_COUNTERS) != NULL;
            wrong += wrong_commands(device, found_without[v][program], text);
            vkDestroyDevice(device, NULL);
        }
        fixture_close(&fixture);
    }
}

static void choose(uint32_t combination, char *about, size_t size)
{
    size_t used = 0;
    about[0] = '\0';
    for (uint32_t i = 0; i < CHOICES; i++) {
        const char *value = choices[i].values[combination >> i & 1];
        if (value)
            setenv(choices[i].variable, value, 1);
        else
            unsetenv(choices[i].variable);
        if (value && used < size)
            used += (size_t)snprintf(about + used, size - used, " %s=%s", choices[i].variable, value);
    }
}

static void unset_all(void)
{
    for (uint32_t i = 0; i < CHOICES; i++)
        unsetenv(choices[i].variable);
}

static void every_combination_leaves_the_program_its_own_commands(void **state)
{
    (void)state;
    devices = active_devices = wrong = 0;
    for (uint32_t combination = 0; combination < COMBINATIONS; combination++) {
        char about[512];
        choose(combination, about, sizeof(about));
        check_devices(about);
    }
    unset_all();
    assert_int_equal(wrong, 0);
    assert_int_equal(devices, COMBINATIONS * VERSIONS * PROGRAMS);
    assert_true(active_devices > devices / 2);
}

static void every_other_value_leaves_the_program_its_own_commands(void **state)
{
    (void)state;
    devices = active_devices = wrong = 0;
    setenv("VK_CLAMPLER_FORCE_ACTIVE", "true", 1);
    for (uint32_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
        char about[512];
        setenv(others[i][0], others[i][1], 1);
        snprintf(about, sizeof(about), " %s=%s", others[i][0], others[i][1]);
        check_devices(about);
        unsetenv(others[i][0]);
    }
    unset_all();
    assert_int_equal(wrong, 0);
    assert_int_equal(active_devices, devices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_driver_has_something_to_hide),
        cmocka_unit_test(every_combination_leaves_the_program_its_own_commands),
        cmocka_unit_test(every_other_value_leaves_the_program_its_own_commands),
    };
    harness_environment_vulkan();
    return cmocka_run_group_tests_name("chain_guest", tests, find_all_without, forget_all);
}
