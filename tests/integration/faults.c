/* SPDX-License-Identifier: MIT */
#include "integration/faults.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/vulkan.h"

struct fault_control *faults_open(void)
{
    static struct fault_control *control;
    char folder[PATH_MAX], path[2 * PATH_MAX];
    if (control)
        return control;
    ssize_t length = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
    if (length <= 0)
        harness_fail("cannot read /proc/self/exe");
    folder[length] = '\0';
    *strrchr(folder, '/') = '\0';
    snprintf(path, sizeof(path), "%s/fault_layer/libVkLayer_fault.so", folder);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    control = object ? dlsym(object, FAULT_CONTROL_SYMBOL) : NULL;
    if (!control)
        harness_fail("cannot open the fault layer: %s", dlerror());

    /* VK_LAYER_PATH makes the loader ignore VK_ADD_LAYER_PATH. */
    const char *variable = getenv("VK_LAYER_PATH") ? "VK_LAYER_PATH" : "VK_ADD_LAYER_PATH";
    const char *before = getenv(variable);
    snprintf(path, sizeof(path), "%s/fault_layer%s%s", folder, before ? ":" : "", before ? before : "");
    setenv(variable, path, 1);
    return control;
}

void faults_arm(struct fault_control *control, uint32_t number, VkResult result)
{
    atomic_store(&control->calls, 0);
    atomic_store(&control->failed, 0);
    atomic_store(&control->result, (int32_t)result);
    atomic_store(&control->fail, number);
}
