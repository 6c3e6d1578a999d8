/* SPDX-License-Identifier: MIT */
/* What the figures were measured on: they are nothing without it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/figures.h"
#include "harness/device/vulkan.h"

static void device_conditions(const struct harness_vulkan *vk)
{
    VkPhysicalDeviceDriverProperties driver = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &driver};
    vkGetPhysicalDeviceProperties2(vk->physical, &properties);
    figure_condition("device", "%s, Vulkan %u.%u.%u", properties.properties.deviceName,
                     VK_API_VERSION_MAJOR(properties.properties.apiVersion),
                     VK_API_VERSION_MINOR(properties.properties.apiVersion),
                     VK_API_VERSION_PATCH(properties.properties.apiVersion));
    figure_condition("driver", "%s, %s", driver.driverName, driver.driverInfo);
}

/* The layer says its mode in one line of its log. */
static void layer_conditions(void)
{
    char path[] = "/tmp/clampler-bench-XXXXXX", line[512], mode[320] = "not known";
    struct harness_vulkan vk;
    int file = mkstemp(path);
    if (file < 0)
        harness_fail("no file can be made in /tmp");
    close(file);
    setenv("VK_CLAMPLER_LOG_LEVEL", "info", 1);
    setenv("VK_CLAMPLER_LOG_FILE", path, 1);
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "clampler", .gl_sampler = true});
    device_conditions(&vk);
    harness_vulkan_close(&vk);
    unsetenv("VK_CLAMPLER_LOG_LEVEL");
    unsetenv("VK_CLAMPLER_LOG_FILE");
    FILE *log = fopen(path, "r");
    while (log && fgets(line, sizeof(line), log)) {
        const char *active = strstr(line, ": active");
        if (active)
            snprintf(mode, sizeof(mode), "%.*s", (int)strcspn(active + 2, "\n"), active + 2);
    }
    if (log)
        fclose(log);
    unlink(path);
    figure_condition("layer", "%s", mode);
}

static void machine_conditions(const struct bench_options *options)
{
    static const char *const sizes[BENCH_SIZES] = {"full", "quick: fewer pairs, wider ranges",
                                                   "least: every stage, and no number that says anything"};
    char line[256], model[200] = "unknown processor";
    FILE *info = fopen("/proc/cpuinfo", "r");
    while (info && fgets(line, sizeof(line), info)) {
        const char *colon = strchr(line, ':');
        if (colon && strncmp(line, "model name", 10) == 0) {
            snprintf(model, sizeof(model), "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (info)
        fclose(info);
    double load[1] = {0};
    if (getloadavg(load, 1) != 1)
        load[0] = -1;
    figure_condition("machine", "%s, %ld cores, load %.1f at the start", model, sysconf(_SC_NPROCESSORS_ONLN), load[0]);
#ifdef __OPTIMIZE__
    const char *build = "optimised build";
#else
    const char *build = "build without optimisation: times mean little";
#endif
    figure_condition("run", "%s, %s", sizes[options->size], build);
    figure_condition(
        "method",
        "medians of interleaved pairs in one process; [ranges] hold the median in 19 of 20 runs (calls: all rounds)");
}

void bench_conditions(const struct bench_options *options)
{
    layer_conditions();
    machine_conditions(options);
}
