/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/device/messages.h"
#include "harness/device/vulkan.h"
#include "text/text.h"

#define PRINTED_MAX 20
#define LAYER_MESSAGES_MAX 256

/* `read` of `foreign` were in a count that the program took; `unread`: what was never in one, of before the reset. */
static struct {
    pthread_mutex_t lock;
    uint32_t foreign, read, unread, excused;
    enum harness_excuse excuse;
    uint32_t layer;
    char *layer_texts[LAYER_MESSAGES_MAX];
} messages = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Of every message of the layer's, whatever it is about: one line of UTF-8 (VkDebugUtilsMessengerCallbackDataEXT). */
static void expect_a_line(const char *text)
{
    const size_t length = strlen(text);
    char *cleaned = strdup(text);
    if (cleaned)
        text_clean(cleaned);
    if (cleaned && (strlen(cleaned) != length || memcmp(cleaned, text, length))) {
        fprintf(stderr, "harness: a message is no line of UTF-8: %s\n", cleaned);
        abort();
    }
    free(cleaned);
}

static void count_layer_message(const char *text)
{
    expect_a_line(text);
    pthread_mutex_lock(&messages.lock);
    if (messages.layer < LAYER_MESSAGES_MAX) {
        char *copy = strdup(text);
        messages.layer_texts[messages.layer] = copy;
        if (copy)
            messages.layer++;
    }
    pthread_mutex_unlock(&messages.lock);
}

static bool is_excused(const char *id, const char *text)
{
    switch (messages.excuse) {
    case EXCUSE_FILTERS:
        return strstr(id, "magFilter-04553") || strstr(id, "mipmapMode-04770") || strstr(id, "magFilter-09598") ||
               strstr(id, "CustomBorderColorCreateInfoEXT-format-04015");
    case EXCUSE_POOLS:
        return strcmp(id, "WARNING-CoreValidation-AllocateDescriptorSets-WrongType") == 0 ||
               strcmp(id, "WARNING-VkDescriptorSetAllocateInfo-descriptorCount") == 0;
    case EXCUSE_SET_LAYOUTS:
        return strstr(id, "layout-parameter") && strstr(text, "references deleted object VkDescriptorSetLayout");
    default:
        return false;
    }
}

/*
 * What validation 1.4.309, Debian 13's, says of valid programs, each shown without this layer by a small program:
 * of a push with an immutable sampler (whose own is ignored); of shader objects with set layouts that are defined
 * alike; of a pipeline without descriptors behind offsets into descriptor buffers; of a type in the list of a mutable
 * binding whose number is not its place in the array; of a set that was bound with a layout defined alike, with an
 * immutable sampler; of a library that is linked from libraries, of which one has the state of depth; of dynamic
 * blending in a subpass that has fewer attachments than one before it.
 */
static const char *const faults_of_309[] = {"VUID-VkWriteDescriptorSet-descriptorType-00325",
                                            "-None-08879",
                                            "-None-08117",
                                            "VUID-VkWriteDescriptorSet-dstSet-04611",
                                            "-None-08600",
                                            "VUID-VkGraphicsPipelineCreateInfo-renderPass-09035",
                                            "VUID-vkCmdDraw-firstAttachment-07477",
                                            "VUID-vkCmdDraw-firstAttachment-07478"};

static atomic_bool validation_is_309;

void harness_messages_ask_validation(void)
{
    VkLayerProperties *layers = NULL;
    uint32_t count = 0;
    if (vkEnumerateInstanceLayerProperties(&count, NULL) == VK_SUCCESS && count)
        layers = calloc(count, sizeof(*layers));
    if (layers && vkEnumerateInstanceLayerProperties(&count, layers) >= VK_SUCCESS) {
        for (uint32_t i = 0; i < count; i++)
            if (!strcmp(layers[i].layerName, "VK_LAYER_KHRONOS_validation"))
                validation_is_309 = layers[i].specVersion == VK_MAKE_API_VERSION(0, 1, 4, 309);
    }
    free(layers);
}

static bool is_a_fault_of_validations(const char *id)
{
    for (size_t i = 0; validation_is_309 && i < sizeof(faults_of_309) / sizeof(faults_of_309[0]); i++)
        if (strstr(id, faults_of_309[i]))
            return true;
    return false;
}

static void count_foreign_message(const char *id, const char *text)
{
    if (is_a_fault_of_validations(id)) {
        fprintf(stderr, "validation 1.4.309, of valid programs: %s: %.400s\n", id, text);
        return;
    }
    pthread_mutex_lock(&messages.lock);
    bool excused = is_excused(id, text);
    uint32_t index = excused ? messages.excused++ : messages.foreign++;
    pthread_mutex_unlock(&messages.lock);
    if (index < PRINTED_MAX && !excused)
        fprintf(stderr, "validation: %s: %s\n", id, text);
}

/*
 * A validation layer above Clampler is told of the extension's structures (its custom_stype_list), but nothing tells it
 * of the extension's name: it says once a device that it does not know it, and checks on. Newer ones also repeat their
 * own settings, and what they enable for themselves.
 */
static bool is_about_the_set_up(const char *id, const char *text)
{
    return strstr(text, "Device Extension " VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME " is not supported by this layer") ||
           strstr(text, VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME " is not a known extension string") ||
           strcmp(id, "VALIDATION-SETTINGS") == 0 || strcmp(id, "WARNING-Setting-Limit-Adjusted") == 0 ||
           (strcmp(id, "WARNING-GPU-Assisted-Validation") == 0 && strstr(text, "(): Internal Warning: ") &&
            (strncmp(text, "vkCreateDevice(", 15) == 0 || strncmp(text, "vkGetPhysicalDeviceProperties2(", 31) == 0));
}

VKAPI_ATTR VkBool32 VKAPI_CALL harness_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                               VkDebugUtilsMessageTypeFlagsEXT types,
                                               const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    (void)types;
    (void)user;
    const char *id = data->pMessageIdName ? data->pMessageIdName : "";
    const char *text = data->pMessage ? data->pMessage : "";
    if (strcasestr(id, "clampler")) {
        count_layer_message(text);
    } else if (strcmp(id, "Loader Message") == 0) {
        /* The loader warns of files on the machine that are none of the test's business. */
        if (severity & VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT)
            fprintf(stderr, "loader: %s\n", text);
    } else if (strncmp(id, "../src/", 7) == 0 || strncmp(id, "src/", 4) == 0) {
        /*
         * Mesa's drivers speak too, under the name of their source file: about shaders as glslang writes them, and of
         * features that a device is refused for.
         */
        fprintf(stderr, "driver: %s\n", text);
    } else if (!is_about_the_set_up(id, text)) {
        count_foreign_message(id, text);
    }
    return VK_FALSE;
}

/*
 * The program ends: a message that it never asked about, or that came after it had asked (when a device goes, those
 * about what was not destroyed), is a failure of its own. Under cmocka too, whose status is that of its tests.
 */
static void fail_by_unread_messages(void)
{
    const uint32_t unread = messages.unread + messages.foreign - messages.read;
    if (!unread)
        return;
    fprintf(stderr, "harness: %u messages of validation, which this program did not count\n", unread);
    fflush(NULL);
    _exit(1);
}

__attribute__((constructor)) static void watch_for_unread_messages(void)
{
    atexit(fail_by_unread_messages);
}

uint32_t harness_messages(void)
{
    pthread_mutex_lock(&messages.lock);
    uint32_t count = messages.read = messages.foreign;
    pthread_mutex_unlock(&messages.lock);
    return count;
}

void harness_messages_excuse(enum harness_excuse kind)
{
    pthread_mutex_lock(&messages.lock);
    messages.excuse = kind;
    pthread_mutex_unlock(&messages.lock);
}

uint32_t harness_messages_excused(void)
{
    pthread_mutex_lock(&messages.lock);
    uint32_t count = messages.excused;
    pthread_mutex_unlock(&messages.lock);
    return count;
}

uint32_t harness_layer_messages(void)
{
    pthread_mutex_lock(&messages.lock);
    uint32_t count = messages.layer;
    pthread_mutex_unlock(&messages.lock);
    return count;
}

const char *harness_layer_message(uint32_t index)
{
    pthread_mutex_lock(&messages.lock);
    const char *text = index < messages.layer ? messages.layer_texts[index] : "";
    pthread_mutex_unlock(&messages.lock);
    return text;
}

void harness_messages_reset(void)
{
    pthread_mutex_lock(&messages.lock);
    for (uint32_t i = 0; i < messages.layer; i++)
        free(messages.layer_texts[i]);
    messages.layer = 0;
    messages.unread += messages.foreign - messages.read;
    messages.foreign = messages.read = messages.excused = 0;
    pthread_mutex_unlock(&messages.lock);
}

void harness_messages_provoked(void)
{
    (void)harness_messages();
    harness_messages_reset();
}

void harness_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("harness: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

void *harness_alloc(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory)
        harness_fail("out of memory: %zu times %zu bytes", count, size);
    return memory;
}

const char *harness_result_name(VkResult result)
{
    switch (result) {
#define NAME(name)                                                                                                     \
    case name:                                                                                                         \
        return #name;
        NAME(VK_SUCCESS)
        NAME(VK_NOT_READY)
        NAME(VK_TIMEOUT)
        NAME(VK_INCOMPLETE)
        NAME(VK_ERROR_OUT_OF_HOST_MEMORY)
        NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY)
        NAME(VK_ERROR_INITIALIZATION_FAILED)
        NAME(VK_ERROR_DEVICE_LOST)
        NAME(VK_ERROR_MEMORY_MAP_FAILED)
        NAME(VK_ERROR_LAYER_NOT_PRESENT)
        NAME(VK_ERROR_EXTENSION_NOT_PRESENT)
        NAME(VK_ERROR_FEATURE_NOT_PRESENT)
        NAME(VK_ERROR_INCOMPATIBLE_DRIVER)
        NAME(VK_ERROR_TOO_MANY_OBJECTS)
        NAME(VK_ERROR_FORMAT_NOT_SUPPORTED)
        NAME(VK_ERROR_FRAGMENTED_POOL)
        NAME(VK_ERROR_OUT_OF_POOL_MEMORY)
        NAME(VK_ERROR_UNKNOWN)
        NAME(VK_ERROR_VALIDATION_FAILED_EXT)
        NAME(VK_ERROR_INVALID_SHADER_NV)
        NAME(VK_PIPELINE_COMPILE_REQUIRED)
#undef NAME
    default:
        return "an unnamed VkResult";
    }
}

void harness_check_result(VkResult result, const char *call, const char *file, int line)
{
    if (result != VK_SUCCESS)
        harness_fail("%s:%d: %s (%d) from %s", file, line, harness_result_name(result), (int)result, call);
}
