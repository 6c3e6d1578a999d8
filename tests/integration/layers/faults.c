/* SPDX-License-Identifier: MIT */
#include "integration/layers/faults.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/device/vulkan.h"

void *test_layer_open(const char *name, const char *symbol)
{
    char folder[PATH_MAX], path[2 * PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
    if (length <= 0)
        harness_fail("cannot read /proc/self/exe");
    folder[length] = '\0';
    *strrchr(folder, '/') = '\0';
    snprintf(path, sizeof(path), "%s/%s_layer/libVkLayer_%s.so", folder, name, name);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *control = object ? dlsym(object, symbol) : NULL;
    if (!control)
        harness_fail("cannot open the %s layer: %s", name, dlerror());

    /* VK_LAYER_PATH makes the loader ignore VK_ADD_LAYER_PATH. */
    const char *variable = getenv("VK_LAYER_PATH") ? "VK_LAYER_PATH" : "VK_ADD_LAYER_PATH";
    const char *before = getenv(variable);
    snprintf(path, sizeof(path), "%s/%s_layer%s%s", folder, name, before ? ":" : "", before ? before : "");
    setenv(variable, path, 1);
    return control;
}

struct fault_control *faults_open(void)
{
    static struct fault_control *control;
    if (!control)
        control = test_layer_open("fault", FAULT_CONTROL_SYMBOL);
    return control;
}

void faults_arm(struct fault_control *control, uint32_t number, VkResult result)
{
    atomic_store(&control->calls, 0);
    atomic_store(&control->failed, 0);
    atomic_store(&control->result, (int32_t)result);
    atomic_store(&control->fail, number);
}
