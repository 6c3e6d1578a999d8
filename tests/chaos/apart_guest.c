/* SPDX-License-Identifier: MIT */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chaos/apart.h"
#include "chaos/objects.h"
#include "harness/device/environment.h"

/* ---- Allocation callbacks ---- */

/* Each piece of memory has its size in front, and is filled when it goes. */
struct counted {
    atomic_int alive, all;
};
enum { HEAD = 64, FREED = 0x5a };

static VKAPI_ATTR void *VKAPI_CALL take(void *user, size_t size, size_t alignment, VkSystemAllocationScope scope)
{
    struct counted *counted = user;
    const size_t head = alignment > HEAD ? alignment : HEAD;
    char *memory = aligned_alloc(head, (size + head - 1) / head * head + head);
    (void)scope;
    if (!memory)
        return NULL;
    atomic_fetch_add(&counted->alive, 1);
    atomic_fetch_add(&counted->all, 1);
    memcpy(memory + head - sizeof(size), &size, sizeof(size));
    memcpy(memory + head - 2 * sizeof(size), &head, sizeof(head));
    return memory + head;
}

static VKAPI_ATTR void VKAPI_CALL give(void *user, void *memory)
{
    struct counted *counted = user;
    size_t size, head;
    if (!memory)
        return;
    memcpy(&size, (char *)memory - sizeof(size), sizeof(size));
    memcpy(&head, (char *)memory - 2 * sizeof(head), sizeof(head));
    memset(memory, FREED, size);
    atomic_fetch_sub(&counted->alive, 1);
    free((char *)memory - head);
}

static VKAPI_ATTR void *VKAPI_CALL take_again(void *user, void *before, size_t size, size_t alignment,
                                              VkSystemAllocationScope scope)
{
    void *memory = size ? take(user, size, alignment, scope) : NULL;
    size_t had = 0;
    if (before)
        memcpy(&had, (char *)before - sizeof(had), sizeof(had));
    if (memory && before)
        memcpy(memory, before, had < size ? had : size);
    if (memory || !size)
        give(user, before);
    return memory;
}

/* Objects of all kinds that the layer keeps something of, made and destroyed with the program's callbacks. */
static void own_allocations(struct actor *actor, struct dice *dice)
{
    struct device *device = actor->device;
    struct counted counted;
    atomic_init(&counted.alive, 0);
    atomic_init(&counted.all, 0);
    const VkAllocationCallbacks callbacks = {
        .pUserData = &counted, .pfnAllocation = take, .pfnReallocation = take_again, .pfnFree = give};
    struct sampler like = {.life = {.lives = false}};
    struct view seen = {.life = {.lives = false}};
    object_make_sampler(device, &like, (enum mood)dice_below(dice, MOODS), dice);
    seen.image = (uint8_t)dice_below(dice, IMAGES);
    const VkSamplerCreateInfo sampler_info = object_sampler_info(&like);
    const VkImageViewCreateInfo view_info = object_view_info(device, &seen);
    VkSampler sampler;
    VkImageView view;
    VkDescriptorSetLayout layout;
    VkPipelineLayout pipelines;
    HARNESS_VK(vkCreateSampler(device->vk.device, &sampler_info, &callbacks, &sampler));
    HARNESS_VK(vkCreateImageView(device->vk.device, &view_info, &callbacks, &view));
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 3, VK_SHADER_STAGE_ALL, NULL},
        {1, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_ALL, &sampler}};
    const VkDescriptorSetLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 2, .pBindings = bindings};
    HARNESS_VK(vkCreateDescriptorSetLayout(device->vk.device, &layout_info, &callbacks, &layout));
    const VkPipelineLayoutCreateInfo pipelines_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &layout};
    HARNESS_VK(vkCreatePipelineLayout(device->vk.device, &pipelines_info, &callbacks, &pipelines));
    vkDestroyPipelineLayout(device->vk.device, pipelines, &callbacks);
    vkDestroyDescriptorSetLayout(device->vk.device, layout, &callbacks);
    vkDestroyImageView(device->vk.device, view, &callbacks);
    vkDestroySampler(device->vk.device, sampler, &callbacks);
    vkDestroySampler(device->vk.device, like.handle, NULL);
    if (atomic_load(&counted.alive))
        chaos_fail(actor, "%d of %d pieces of the program's memory are not given back", atomic_load(&counted.alive),
                   atomic_load(&counted.all));
}

/* ---- Names ---- */

/* Of extensions that the chaos never enables, though the layer may for itself. */
static void hidden_names(struct actor *actor, struct dice *dice)
{
    static const char *const hidden[] = {
        "vkCreateIndirectExecutionSetEXT", "vkCmdExecuteGeneratedCommandsEXT", "vkGetImageViewHandleNVX",
        "vkCreateRayTracingPipelinesKHR",  "vkGetPipelineBinaryDataKHR",       "vkCmdExecuteGeneratedCommandsNV",
        "vkGetShaderModuleIdentifierEXT",  "vkDebugMarkerSetObjectNameEXT",    "vkCmdBindShadingRateImageNV",
        "vkGetMemoryWin32HandleKHR",       "vkCmdSetColorBlendEquationEXT",    "vkCmdSetColorWriteMaskEXT",
    };
    static const char *const shown[] = {"vkCreateSampler", "vkUpdateDescriptorSets", "vkCmdDraw", "vkQueueSubmit2",
                                        "vkCreateGraphicsPipelines"};
    enum { HIDDEN = sizeof(hidden) / sizeof(hidden[0]), SHOWN = sizeof(shown) / sizeof(shown[0]) };
    const VkDevice device = actor->device->vk.device;
    for (unsigned i = 0; i < 8; i++) {
        const char *name = hidden[dice_below(dice, HIDDEN)];
        /* Shader objects have the commands of dynamic state. */
        if (!(actor->device->objects && strstr(name, "vkCmdSetColor")) && vkGetDeviceProcAddr(device, name))
            chaos_fail(actor, "%s has an address", name);
    }
    for (unsigned i = 0; i < SHOWN; i++)
        if (!vkGetDeviceProcAddr(device, shown[i]))
            chaos_fail(actor, "%s has no address", shown[i]);
}

/* ---- A messenger whose callback calls Vulkan ---- */

struct listener {
    struct device *device;
    char note[32];    /* what it is said: other threads say something else */
    pthread_t thread; /* that says something itself */
    atomic_uint heard;
    atomic_bool elsewhere; /* what it said was heard on another thread */
};

static VKAPI_ATTR VkBool32 VKAPI_CALL listen(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                             VkDebugUtilsMessageTypeFlagsEXT types,
                                             const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    struct listener *listener = user;
    const struct harness_vulkan *vk = &listener->device->vk;
    VkPhysicalDeviceProperties properties;
    (void)severity;
    (void)types;
    vkGetPhysicalDeviceProperties(vk->physical, &properties);
    if (!vkGetDeviceProcAddr(vk->device, "vkCreateSampler"))
        atomic_store(&listener->elsewhere, true);
    if (data->pMessageIdName && strcmp(data->pMessageIdName, listener->note) == 0) {
        const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
        VkSampler sampler;
        HARNESS_VK(vkCreateSampler(vk->device, &info, NULL, &sampler));
        vkDestroySampler(vk->device, sampler, NULL);
        atomic_fetch_add(&listener->heard, 1);
        if (!pthread_equal(listener->thread, pthread_self()))
            atomic_store(&listener->elsewhere, true);
    }
    return VK_FALSE;
}

/* While it listens a pipeline is made, of whose tiers the layer may have something to say. */
static void calling_messenger(struct actor *actor, struct dice *dice)
{
    struct device *device = actor->device;
    struct listener listener = {.device = device, .thread = pthread_self()};
    snprintf(listener.note, sizeof(listener.note), "chaos %p", (void *)&listener);
    VkDebugUtilsMessengerEXT messenger;
    const VkDebugUtilsMessengerCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity =
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_VERBOSE_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT |
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
        .pfnUserCallback = listen,
        .pUserData = &listener};
    const VkDebugUtilsMessengerCallbackDataEXT said = {.sType =
                                                           VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
                                                       .pMessageIdName = listener.note,
                                                       .pMessage = listener.note};
    struct pipeline pipeline = {.life = {.lives = false}};
    const VkInstance instance = device->vk.instance;
#define FIND(NAME) ((PFN_##NAME)vkGetInstanceProcAddr(instance, #NAME))
    HARNESS_VK(FIND(vkCreateDebugUtilsMessengerEXT)(instance, &info, NULL, &messenger));
    const bool made = object_make_pipeline(device, &pipeline, dice);
    FIND(vkSubmitDebugUtilsMessageEXT)
    (instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT, VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT, &said);
    FIND(vkDestroyDebugUtilsMessengerEXT)(instance, messenger, NULL);
#undef FIND
    if (made)
        object_destroy_pipeline(device, &pipeline);
    if (atomic_load(&listener.heard) != 1 || atomic_load(&listener.elsewhere))
        chaos_fail(actor, "a message of the program's was heard %u times%s", atomic_load(&listener.heard),
                   atomic_load(&listener.elsewhere) ? ", on another thread" : "");
}

/* ---- A child, while a device is made ---- */

static void *make_device(void *user)
{
    const struct harness_vulkan *vk = user;
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = vk->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue};
    VkDevice device;
    HARNESS_VK(vkCreateDevice(vk->physical, &info, NULL, &device));
    vkDestroyDevice(device, NULL);
    return NULL;
}

/* The child has the device as it was, without other threads, and a minute. */
static _Noreturn void live_as_child(struct device *device, struct dice *dice)
{
    alarm(60);
    for (unsigned i = 0; i < 8; i++) {
        struct sampler sampler = {.life = {.lives = false}};
        object_make_sampler(device, &sampler, (enum mood)dice_below(dice, MOODS), dice);
        vkDestroySampler(device->vk.device, sampler.handle, NULL);
    }
    _exit(42);
}

/* Where other threads make objects, a driver's own locks may be theirs in the child. */
static bool forked_child(struct actor *actor, struct dice *dice)
{
    pthread_t thread;
    int status = 0;
    if (HARNESS_SANITIZED || actor->device->validated || actor->device->actor_count > 1 || actor->device->number ||
        actor->device->several)
        return false;
    if (pthread_create(&thread, NULL, make_device, &actor->device->vk))
        chaos_fail(actor, "no thread");
    for (unsigned i = dice_below(dice, 64); i; i--)
        sched_yield();
    const pid_t child = fork();
    if (child == 0)
        live_as_child(actor->device, dice);
    pthread_join(thread, NULL);
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 42)
        chaos_fail(actor, "a child that was forked while a device was made ends with %x", (unsigned)status);
    return true;
}

bool apart_guest(struct actor *actor, struct dice *dice)
{
    switch (dice_below(dice, 4)) {
    case 0:
        own_allocations(actor, dice);
        return true;
    case 1:
        hidden_names(actor, dice);
        return true;
    case 2:
        calling_messenger(actor, dice);
        return true;
    default:
        return forked_child(actor, dice);
    }
}
