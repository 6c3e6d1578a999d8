/* SPDX-License-Identifier: MIT */
/* A device that did not ask for the extension: the layer is not there but for the calls that every device has hooked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chain/entry_points.h"
#include "integration/shared/scene.h"
#include "integration_single.h"
#include "vulkan_commands.h"

static const char *const hooked[] = {
#define NAME(name) "vk" #name,
#define ALIAS(alias, name) "vk" #alias,
#define NAMES(name) NAME(name) ALIASES_##name(ALIAS)
    ACTIVE_HOOKS(NAMES)
#undef NAME
#undef ALIAS
#undef NAMES
};
enum { HOOKED = sizeof(hooked) / sizeof(hooked[0]) };

static void look_up(const char *layers, bool gl_sampler, PFN_vkVoidFunction found[HOOKED])
{
    struct harness_vulkan vk;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = layers, .gl_sampler = gl_sampler});
    for (unsigned i = 0; i < HOOKED; i++)
        found[i] = vkGetDeviceProcAddr(vk.device, hooked[i]);
    assert_int_equal(vk.counters != NULL, gl_sampler);
    harness_vulkan_close(&vk);
}

static void an_inert_device_hands_out_the_drivers_entry_points(void **state)
{
    (void)state;
    PFN_vkVoidFunction without[HOOKED], inert[HOOKED], active[HOOKED];
    struct harness_vulkan keep; /* holds the driver's library in its place */
    unsigned changed = 0;
    harness_vulkan_open(&keep, &(struct harness_vulkan_params){.layers = "none"});
    look_up("none", false, without);
    look_up("clampler", false, inert);
    look_up("clampler", true, active);
    for (unsigned i = 0; i < HOOKED; i++) {
        /* Of an instance's extension: the loader asks the instance for it, not the device. The hook passes it on. */
        if (!strcmp(hooked[i], "vkSetDebugUtilsObjectNameEXT") || !strcmp(hooked[i], "vkSetDebugUtilsObjectTagEXT"))
            continue;
        if (inert[i] != without[i])
            print_error("%s: %p without the layer, %p with it inert\n", hooked[i], *(void **)&without[i],
                        *(void **)&inert[i]);
        assert_true(inert[i] == without[i]);
        assert_true((active[i] != NULL) == (without[i] != NULL)); /* NULL stays NULL */
        changed += active[i] != without[i];
    }
    assert_true(changed > 40);
    harness_vulkan_close(&keep);
}

static void draw_plain(const char *layers, const char *setting, bool counters, float pixels[][SCENE_COLUMNS][4])
{
    static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    struct scene scene;
    struct scene_program program;
    memset(&scene, 0, sizeof(scene));
    harness_messages_reset();
    if (setting)
        setenv(setting, "true", 1);
    harness_vulkan_open(&scene.vk, &(struct harness_vulkan_params){.layers = layers});
    if (setting)
        unsetenv(setting);
    assert_int_equal(scene.vk.counters != NULL, counters);
    scene_make(&scene, false);
    scene_program_create(&scene, &program, HARNESS_SPIRV(integration_single), &binding, 1, 0, NULL);
    VkDescriptorSet set = harness_set(&scene.vk, program.set_layout);
    scene_write(&scene, set, 0, 0, SCENE_COMBINED, SCENE_BORDER, SCENE_STEPS);
    scene_draw(&scene, program.pipeline, program.layout, 1, &set);
    if (counters)
        scene_expect_tier(&scene, 0);
    memcpy(pixels, scene.pixels, sizeof(scene.pixels));
    scene_program_destroy(&scene, &program);
    scene_close(&scene);
}

static void a_program_draws_the_same_without_and_with_the_layer_inert_or_active(void **state)
{
    (void)state;
    static float without[SCENE_ROWS][SCENE_COLUMNS][4], with[SCENE_ROWS][SCENE_COLUMNS][4];
    draw_plain("validation", NULL, false, without);
    draw_plain("clampler:validation", NULL, false, with);
    assert_memory_equal(with, without, sizeof(with));
    memset(with, 0, sizeof(with));
    draw_plain("validation:clampler", NULL, false, with);
    assert_memory_equal(with, without, sizeof(with));
    memset(with, 0, sizeof(with));
    draw_plain("clampler:validation", "VK_CLAMPLER_FORCE_ACTIVE", true, with);
    assert_memory_equal(with, without, sizeof(with));
}

static void the_extension_is_listed_once_and_offered(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    VkExtensionProperties extensions[512];
    uint32_t count = 512, times = 0;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "clampler"});
    HARNESS_VK(vkEnumerateDeviceExtensionProperties(vk.physical, NULL, &count, extensions));
    for (uint32_t i = 0; i < count; i++)
        times += strcmp(extensions[i].extensionName, VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME) == 0;
    assert_int_equal(times, 1);
    VkPhysicalDeviceGLSamplerFeaturesCLAMPLER features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER};
    VkPhysicalDeviceFeatures2 query = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &features};
    vkGetPhysicalDeviceFeatures2(vk.physical, &query);
    assert_true(features.glSampler);
    VkPhysicalDeviceGLSamplerPropertiesCLAMPLER properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_PROPERTIES_CLAMPLER};
    VkPhysicalDeviceProperties2 about = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &properties};
    vkGetPhysicalDeviceProperties2(vk.physical, &about);
    assert_true(properties.emulatedSemantics & VK_GL_SEMANTIC_CLAMP_BIT_CLAMPLER);
    assert_int_equal(properties.emulatedSemantics & properties.nativeSemantics, 0);
    harness_vulkan_close(&vk);
}

#define NAME(name) "vk" #name,
#define ALIAS(alias, name) "vk" #alias,
#define NAMES(name) NAME(name) ALIASES_##name(ALIAS)
static const char *const hooked_for_alpha[] = {ALPHA_HOOKS(NAMES)};
static const char *const hooked_for_texels[] = {TEXEL_HOOKS(NAMES)};
static const char *const hooked_for_both[] = {BARRIER_HOOKS(NAMES)};
static const char *const hooked_always[] = {DEVICE_HOOKS(NAME)};
#undef NAME
#undef ALIAS
#undef NAMES
#define COUNT(names) (sizeof(names) / sizeof(*(names)))

static uint32_t count_existing(const struct harness_vulkan *vk, const char *const *names, size_t count)
{
    uint32_t existing = 0;
    for (size_t i = 0; i < count; i++)
        existing += vkGetDeviceProcAddr(vk->device, names[i]) != NULL;
    return existing;
}

/* The number in the log's one line that has it; 0 if there is none, or another one. */
static unsigned logged_hooks(const char *path)
{
    char line[4096];
    unsigned hooks = 0, lines = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file)) {
        const char *words = strstr(line, " entry points hooked");
        const char *number = words;
        while (number && number > line && strchr("0123456789", number[-1]))
            number--;
        lines += words != NULL;
        hooks = words ? (unsigned)strtoul(number, NULL, 10) : hooks;
    }
    fclose(file);
    return lines == 1 ? hooks : 0;
}

static void the_log_says_how_many_entry_points_a_device_has_hooked(void **state)
{
    (void)state;
    char log[64];
    snprintf(log, sizeof(log), "inert.%d.log", (int)getpid());
    for (unsigned i = 0; i < 5; i++) {
        const bool active = i > 0, alpha = i & 2, texels = i > 2;
        struct harness_vulkan vk;
        remove(log);
        setenv("VK_CLAMPLER_LOG_FILE", log, 1);
        setenv("VK_CLAMPLER_LOG_LEVEL", "info", 1);
        setenv("VK_CLAMPLER_ALPHA_TO_ONE", alpha ? "R8G8B8A8_UNORM" : "", 1);
        setenv("VK_CLAMPLER_TEXEL_BUFFERS", texels ? "emulate" : "native", 1);
        harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "clampler", .gl_sampler = active});
        unsetenv("VK_CLAMPLER_TEXEL_BUFFERS");
        unsetenv("VK_CLAMPLER_ALPHA_TO_ONE");
        unsetenv("VK_CLAMPLER_LOG_LEVEL");
        unsetenv("VK_CLAMPLER_LOG_FILE");
        uint32_t wanted = COUNT(hooked_always);
        if (active)
            wanted += count_existing(&vk, hooked, HOOKED);
        if (alpha)
            wanted += count_existing(&vk, hooked_for_alpha, COUNT(hooked_for_alpha));
        if (texels)
            wanted += count_existing(&vk, hooked_for_texels, COUNT(hooked_for_texels));
        if (alpha || texels)
            wanted += count_existing(&vk, hooked_for_both, COUNT(hooked_for_both));
        assert_int_equal(logged_hooks(log), wanted);
        harness_vulkan_close(&vk);
    }
    remove(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_inert_device_hands_out_the_drivers_entry_points),
        cmocka_unit_test(a_program_draws_the_same_without_and_with_the_layer_inert_or_active),
        cmocka_unit_test(the_extension_is_listed_once_and_offered),
        cmocka_unit_test(the_log_says_how_many_entry_points_a_device_has_hooked),
    };
    return cmocka_run_group_tests_name("inert", tests, NULL, NULL);
}
