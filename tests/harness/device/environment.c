/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <glob.h>
#include <dlfcn.h>
#include <link.h>

#include "harness/device/environment.h"
#include "harness/device/vulkan.h"

/* A list of paths with ':' between them, as the loader takes it. */
struct path_list {
    char text[4 * PATH_MAX];
};

static void path_append(struct path_list *list, const char *path)
{
    size_t used = strlen(list->text);
    if (used + strlen(path) + 2 > sizeof(list->text))
        harness_fail("the list of layer folders is too long at %s", path);
    snprintf(list->text + used, sizeof(list->text) - used, "%s%s", used ? ":" : "", path);
}

static bool has_manifest(const char *folder)
{
    char pattern[PATH_MAX];
    glob_t found = {0};
    int length = snprintf(pattern, sizeof(pattern), "%s/*.json", folder);
    if (length < 0 || (size_t)length >= sizeof(pattern))
        return false;
    bool any = glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc > 0;
    globfree(&found);
    return any;
}

/* The build folder that holds the running executable: the first upwards with manifests in json/. False: there is none.
 */
static bool find_build_folder(char root[PATH_MAX])
{
    char folder[PATH_MAX + 32];
    ssize_t length = readlink("/proc/self/exe", root, PATH_MAX - 1);
    if (length <= 0)
        return false;
    root[length] = '\0';
    for (char *slash = strrchr(root, '/'); slash; slash = strrchr(root, '/')) {
        *slash = '\0';
        snprintf(folder, sizeof(folder), "%s/json", root);
        if (has_manifest(folder))
            return true;
    }
    return false;
}

/* Adds what the build folder has: json/ and tests/limited_driver/. */
static void add_build_folder(struct path_list *list)
{
    static const char *const subfolders[] = {"json", "tests/limited_driver/json", "tests/limited_driver"};
    char root[PATH_MAX], folder[PATH_MAX + 32];
    if (!find_build_folder(root))
        return;
    for (size_t i = 0; i < sizeof(subfolders) / sizeof(subfolders[0]); i++) {
        snprintf(folder, sizeof(folder), "%s/%s", root, subfolders[i]);
        if (has_manifest(folder))
            path_append(list, folder);
    }
}

static void set_layer_path(void)
{
    struct path_list list = {""};
    const char *own = getenv("CLAMPLER_LAYER_PATH");
    const char *user = getenv("VK_LAYER_PATH");
    if (own && own[0])
        path_append(&list, own);
    else
        add_build_folder(&list);
    if (user && user[0]) {
        /* VK_LAYER_PATH replaces the loader's own places and makes it ignore VK_ADD_LAYER_PATH. */
        path_append(&list, user);
        setenv("VK_LAYER_PATH", list.text, 1);
    } else if (list.text[0]) {
        const char *added = getenv("VK_ADD_LAYER_PATH");
        if (added && added[0])
            path_append(&list, added);
        setenv("VK_ADD_LAYER_PATH", list.text, 1);
    }
}

static void set_driver(void)
{
    static const char *const patterns[] = {"/usr/share/vulkan/icd.d/lvp_icd*.json", "/etc/vulkan/icd.d/lvp_icd*.json",
                                           "/usr/local/share/vulkan/icd.d/lvp_icd*.json"};
    if (getenv("VK_DRIVER_FILES") || getenv("VK_ICD_FILENAMES"))
        return;
    for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
        glob_t found = {0};
        if (glob(patterns[i], 0, NULL, &found) == 0 && found.gl_pathc > 0) {
            setenv("VK_DRIVER_FILES", found.gl_pathv[0], 1);
            setenv("VK_ICD_FILENAMES", found.gl_pathv[0], 1); /* loaders before 1.3.207 know only this name */
            globfree(&found);
            return;
        }
        globfree(&found);
    }
}

/* Tells a validation layer above Clampler that the extension's structures are known, and how long they are. */
static void set_custom_stypes(void)
{
    static const struct {
        VkStructureType type;
        size_t size;
    } structures[] = {
        {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER,
         sizeof(VkPhysicalDeviceGLSamplerFeaturesCLAMPLER)},
        {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_PROPERTIES_CLAMPLER,
         sizeof(VkPhysicalDeviceGLSamplerPropertiesCLAMPLER)},
        {VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER, sizeof(VkSamplerGLStateCreateInfoCLAMPLER)},
        {VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, sizeof(VkImageViewGLStateCreateInfoCLAMPLER)},
        {VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, sizeof(VkBufferViewGLStateCreateInfoCLAMPLER)},
        {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_STATE_CLAMPLER,
         sizeof(VkCommandBufferInheritanceGLStateCLAMPLER)},
        {VK_STRUCTURE_TYPE_GL_SAMPLER_FORMAT_PROPERTIES_CLAMPLER, sizeof(VkGLSamplerFormatPropertiesCLAMPLER)},
        {VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_CHANNEL_ORDER_CREATE_INFO_CLAMPLER,
         sizeof(VkImageViewGLChannelOrderCreateInfoCLAMPLER)},
        {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_CHANNEL_ORDER_CLAMPLER,
         sizeof(VkCommandBufferInheritanceGLChannelOrderCLAMPLER)},
        {VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER,
         sizeof(VkImageViewGLTextureStateCreateInfoCLAMPLER)},
    };
    char text[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < sizeof(structures) / sizeof(structures[0]); i++)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%u:%zu", used ? ":" : "",
                                 (unsigned)structures[i].type, structures[i].size);
    setenv("VK_LAYER_CUSTOM_STYPE_LIST", text, 0);
}

/* The folder of the fault goes in front of all others: loaders take the first manifest of a name. */
void harness_environment_plant(const char *fault)
{
    static struct path_list without; /* the list that stood in the variable before */
    harness_environment_vulkan();
    const char *variable = getenv("VK_LAYER_PATH") ? "VK_LAYER_PATH" : "VK_ADD_LAYER_PATH", *others = getenv(variable);
    if (!without.text[0] && others)
        path_append(&without, others);
    if (!fault) {
        setenv(variable, without.text, 1);
        return;
    }
    char root[PATH_MAX], folder[PATH_MAX + 64];
    struct path_list list = {""};
    if (!find_build_folder(root))
        harness_fail("planted faults lie in the build folder, and this program does not");
    snprintf(folder, sizeof(folder), "%s/tests/faults/%s", root, fault);
    if (!has_manifest(folder))
        harness_fail("%s is not there: build the target planted_%s", folder, fault);
    path_append(&list, folder);
    path_append(&list, without.text);
    setenv(variable, list.text, 1);
}

void harness_environment_vulkan(void)
{
    static bool done;
    /* Counters are compared: what is compiled must not depend on what worker threads come to. */
    setenv("VK_CLAMPLER_TIERS", "lazy", 0);
    if (done)
        return;
    done = true;
    /* Mesa's implicit layer stands above all others and makes calls of its own, not all of them valid. */
    setenv("NODEVICE_SELECT", "1", 0);
    set_layer_path();
    set_driver();
    set_custom_stypes();
    if (getenv("CLAMPLER_TEST_FAULT"))
        harness_environment_plant(getenv("CLAMPLER_TEST_FAULT"));
}

void harness_environment_gl(void)
{
    if (getenv("__EGL_VENDOR_LIBRARY_FILENAMES") || getenv("__EGL_VENDOR_LIBRARY_DIRS") ||
        getenv("LIBGL_ALWAYS_SOFTWARE") || access("/dev/nvidiactl", F_OK) == 0)
        return;
    setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
}

#if HARNESS_SANITIZED
#define LIBRARIES_MAX 256

struct libraries {
    char paths[LIBRARIES_MAX][PATH_MAX];
    size_t count;
};

static int note_library(struct dl_phdr_info *info, size_t size, void *user)
{
    struct libraries *libraries = user;
    (void)size;
    if (info->dlpi_name && info->dlpi_name[0] == '/' && libraries->count < LIBRARIES_MAX)
        snprintf(libraries->paths[libraries->count++], PATH_MAX, "%s", info->dlpi_name);
    return 0;
}

void harness_environment_pin_libraries(void)
{
    struct libraries *libraries = harness_alloc(1, sizeof(*libraries));
    dl_iterate_phdr(note_library, libraries);
    for (size_t i = 0; i < libraries->count; i++) {
        void *library = dlopen(libraries->paths[i], RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
        if (library)
            dlclose(library);
    }
    free(libraries);
}
#else
void harness_environment_pin_libraries(void)
{
}
#endif
