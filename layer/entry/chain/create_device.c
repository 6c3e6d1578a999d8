/* SPDX-License-Identifier: MIT */
/*
 * vkCreateDevice and vkDestroyDevice: has layer/entry/device_plan make the driver's create-info, fills
 * `struct device_caps` from it, and calls layer/entry/track to make and free the subsystems. The log's line about each
 * device and its warnings are written here.
 */
#include <string.h>

#include "ahead/program_allocator.h"
#include "chain/chain.h"
#include "device/allocate.h"
#include "deviations/deviations.h"
#include "device/device.h"
#include "device/instance.h"
#include "device/message.h"
#include "device/object_names.h"
#include "device/structure_chain.h"
#include "device_plan/device_plan.h"
#include "queries/offers.h"
#include "queries/queries.h"
#include "resolve/resolve.h"
#include "settings/settings.h"
#include "spirv/spirv.h"
#include "track/lifecycle.h"
#include "vulkan_clampler.h"

/* The loader's own structures in the chain are meant to be written to. */
static VkLayerDeviceCreateInfo *find_loader_info(const void *chain, VkLayerFunction function)
{
    VkLayerDeviceCreateInfo *info = (void *)(uintptr_t)chain;
    while (info && (info->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO || info->function != function))
        info = (void *)(uintptr_t)info->pNext;
    return info;
}

/* Asks the driver for the properties of a chain; they stay as they are where it cannot be asked. */
static void read_properties(const struct device *device, void *chain)
{
    const PFN_vkGetPhysicalDeviceProperties2 query = instance_properties2(device->instance, device->physical);
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = chain};
    if (query)
        query(device->physical, &properties);
}

/* As many as programs see in maxCustomBorderColorSamplers. */
static uint32_t border_indices(const struct device *device)
{
    const struct instance *instance = device->instance;
    VkPhysicalDeviceCustomBorderColorPropertiesEXT border = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &border};
    if (instance->next.GetPhysicalDeviceProperties2)
        hook_GetPhysicalDeviceProperties2(device->physical, &properties);
    else if (instance->next.GetPhysicalDeviceProperties2KHR)
        hook_GetPhysicalDeviceProperties2KHR(device->physical, &properties);
    return border.maxCustomBorderColorSamplers < OFFERED_BORDER_COLORS_MOST ? border.maxCustomBorderColorSamplers
                                                                            : OFFERED_BORDER_COLORS_MOST;
}

static void read_limits(const struct device *device, const struct device_plan *plan, struct device_caps *caps)
{
    VkPhysicalDeviceMaintenance3Properties sets = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES};
    VkPhysicalDevicePushDescriptorPropertiesKHR push = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PUSH_DESCRIPTOR_PROPERTIES_KHR};
    if (caps->api_version >= VK_API_VERSION_1_1) /* programs of Vulkan 1.0 cannot ask for the limit either */
        read_properties(device, &sets);
    if (plan->push_descriptors)
        read_properties(device, &push);
    caps->indexing.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES;
    read_properties(device, &caps->indexing);
    caps->max_per_set = sets.maxPerSetDescriptors;
    caps->max_push_descriptors = push.maxPushDescriptors;
    caps->tight = limits_are_tight(device->instance, &device->properties, &caps->indexing);
    caps->room_for_sampler = limits_have_room_for_sampler(&device->properties.limits);
    if (plan->descriptor_buffers)
        app_descriptors_read(device->instance, device->physical, &device->properties.limits, &caps->app_descriptors);
    if (plan->descriptor_heaps)
        app_heaps_read(device->instance, device->physical, &caps->app_descriptors);
    if (plan->descriptor_heaps && plan->border_commands)
        caps->border_indices = border_indices(device);
    caps->app_descriptors.late_root =
        caps->app_descriptors.buffers && (device->deviations & DEVIATION_LINKED_PUSH_CONSTANTS);
}

static uint8_t resolve_fallback(enum setting_linear_fallback fallback)
{
    return fallback == FALLBACK_SHADER    ? RESOLVE_FALLBACK_SHADER
           : fallback == FALLBACK_NEAREST ? RESOLVE_FALLBACK_NEAREST
                                          : RESOLVE_FALLBACK_OFF;
}

/* 0, which is no VkDriverId, for drivers that do not report one. */
static VkDriverId driver_of(const struct device *device)
{
    VkPhysicalDeviceDriverProperties driver = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    if (device->properties.apiVersion >= VK_API_VERSION_1_2)
        read_properties(device, &driver);
    return driver.driverID;
}

/* The plan's, completed from the driver's limits and deviations and from the settings. */
static struct device_caps caps_of(const struct device *device, const struct device_plan *plan)
{
    const struct settings *settings = &device->instance->settings;
    const bool cpu = device->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    struct device_caps caps = plan->caps;
    caps.linear_fallback = linear_fallback_of(device, &caps.enabled);
    caps.api_version = instance_version_with(device->instance, &device->properties);
    caps.resolve.gl_fallback = resolve_fallback(caps.linear_fallback);
    /* The feature holds for all samplers of the program. */
    caps.resolve.gl_views = caps.enabled.glImageView;
    caps.resolve.vk_fallback = resolve_fallback(caps.enabled.linearFilterEmulation
                                                    ? caps.linear_fallback
                                                    : linear_fallback_unasked(device->instance, device->physical));
    caps.resolve.border_in_shader = settings->border_color == BORDER_COLOR_SHADER;
    caps.resolve.trilinear = settings->anisotropy == ANISOTROPY_TRILINEAR;
    caps.resolve.integer_incomplete = settings->integer_linear == INTEGER_LINEAR_INCOMPLETE;
    caps.alpha_kept = settings->alpha_write == ALPHA_WRITE_KEEP || (settings->alpha_write == ALPHA_WRITE_AUTO && !cpu);
    caps.alpha_written = settings->alpha_write != ALPHA_WRITE_MASK;
    caps.record_storage = limits_put_records_in_storage(&device->properties.limits) ||
                          (settings->assume_missing & MISSING_UNIFORM_RECORDS);
    caps.form = form_of(device);
    caps.gradients_in_front =
        (device->deviations & DEVIATION_GRADIENT_BRANCHES) || (settings->assume_missing & MISSING_GRADIENT_BRANCHES);
    caps.texels_sampled =
        (device->deviations & DEVIATION_FETCH_LEVELS) || (settings->assume_missing & MISSING_FETCH_LEVELS);
    read_limits(device, plan, &caps);
    return caps;
}

/* Why the device is active: the features that the program enabled, or a setting. */
static const char *features_words(const struct device *device, char *text, size_t size)
{
    const VkPhysicalDeviceGLSamplerFeaturesCLAMPLER *enabled = &device->caps.enabled;
    const struct {
        const char *name;
        VkBool32 enabled;
    } features[] = {{"glSampler", enabled->glSampler},
                    {"glImageView", enabled->glImageView},
                    {"glBufferView", enabled->glBufferView},
                    {"alphaToOneAttachments", enabled->alphaToOneAttachments},
                    {"linearFilterEmulation", enabled->linearFilterEmulation}};
    size_t used = 0;
    for (size_t i = 0; i < sizeof(features) / sizeof(features[0]) && used < size; i++) {
        if (features[i].enabled)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", features[i].name);
    }
    if (!used)
        snprintf(text, size, "%s",
                 acts_unasked(device->instance, device->physical) ? "by setting" : "no feature enabled");
    return text;
}

static const char *tiers_words(const struct device *device)
{
    const enum setting_tiers tiers = device->instance->settings.tiers;
    return tiers == TIERS_EAGER                                 ? "eagerly"
           : tiers == TIERS_AHEAD && !device->program_allocates ? "ahead of draws"
           : tiers == TIERS_AHEAD ? "when needed (the program's allocation callbacks need its threads)"
                                  : "when needed";
}

static const char *texel_words(const struct device *device)
{
    return !device->caps.texel_buffers          ? ""
           : device->caps.texel.addresses_first ? ", texel buffers by address"
           : device->caps.texel.addresses       ? ", texel buffers by views, the largest by address"
                                                : ", texel buffers by views";
}

/* The log's one line about the device: the layer is active or inert, and what it emulates. */
static void announce(struct device *device)
{
    char features[128];
    struct instance *instance = device->instance;
    if (instance->settings.log_level < LOG_INFO)
        return;
    char changes[512], settings[900];
    settings_changes(&instance->settings, changes, sizeof(changes));
    snprintf(settings, sizeof(settings), "%s%s%s%s", instance->settings_source, changes[0] ? " (" : "", changes,
             changes[0] ? ")" : "");
    if (!device->active) {
        message_about(device, LOG_INFO, NULL,
                      "version " CLAMPLER_VERSION " on %s, settings from %s: inert, %u entry points hooked",
                      device->properties.deviceName, settings, hooked_entry_points(device));
        return;
    }
    message_about(device, LOG_INFO, NULL,
                  "version " CLAMPLER_VERSION
                  " on %s, settings from %s: active (%s), %u entry points hooked, records in %s "
                  "buffers, %s form, tiers compiled %s%s%s",
                  device->properties.deviceName, settings, features_words(device, features, sizeof(features)),
                  hooked_entry_points(device), device->caps.record_storage ? "storage" : "uniform",
                  device->caps.form == SPIRV_FORM_CPU ? "CPU"
                  : device->caps.votes                ? "GPU (voting)"
                                                      : "GPU",
                  tiers_words(device), texel_words(device), device->caps.private_data ? "" : ", no private data");
}

/* The program sees Vulkan's required limits even where the driver leaves no room for records beside them. */
static void warn_of_low_limits(struct device *device)
{
    const VkPhysicalDeviceLimits *limits = &device->properties.limits;
    const uint32_t sets = limits->maxBoundDescriptorSets;
    const uint32_t all = device->caps.record_storage ? limits->maxPerStageDescriptorStorageBuffers
                                                     : limits->maxPerStageDescriptorUniformBuffers;
    const uint32_t required = device->caps.record_storage ? REQUIRED_STORAGE_BUFFERS : REQUIRED_UNIFORM_BUFFERS;
    if (all < (uint64_t)sets + required)
        message_about(
            device, LOG_WARN, NULL,
            "%s has %u %s buffers a stage: up to %u of them hold records, which leaves less than the %u that Vulkan "
            "requires: pipeline layouts with as many and with records are refused",
            device->properties.deviceName, all, device->caps.record_storage ? "storage" : "uniform", sets, required);
}

/* Everything that can fail once the driver's device is there. */
static VkResult finish_device(struct device *device, const struct device_plan *plan, VkDevice handle)
{
    device->handle = handle;
    device->active = plan->active;
    device->caps = caps_of(device, plan);
    if (!device_publish(device))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkResult result = device->active ? track_create(device) : VK_SUCCESS;
    if (result != VK_SUCCESS)
        device_withdraw(handle);
    return result;
}

static bool any_feature(const VkPhysicalDeviceGLSamplerFeaturesCLAMPLER *enabled)
{
    return enabled->glSampler || enabled->glImageView || enabled->glBufferView || enabled->alphaToOneAttachments ||
           enabled->linearFilterEmulation;
}

/* Without a feature the extension does nothing, and no result would tell the program so. */
static void warn_of_no_feature(struct device *device, const struct device_plan *plan)
{
    if (plan->extension && !any_feature(&plan->caps.enabled))
        message_about(
            device, LOG_WARN, NULL,
            VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME
            " is enabled and none of its features, so none of its structures and address modes may be used (chain "
            "VkPhysicalDeviceGLSamplerFeaturesCLAMPLER to VkDeviceCreateInfo; a validation layer above this one drops "
            "it, unless its setting custom_stype_list or a place nearer to the driver keeps it)");
}

/* The allocator of the driver's device; on inert devices the program's own. */
static const VkAllocationCallbacks *driver_allocator(const struct device *device, const VkAllocationCallbacks *program)
{
    return device->active ? program_allocator_driver(&device->allocator) : program;
}

/* Of an instance's extension: the next layer may have them there alone. */
static void find_debug_utils(struct device *device, PFN_vkGetInstanceProcAddr get_instance)
{
    struct device_dispatch *next = &device->next;
    const VkInstance instance = device->instance->handle;
    if (!next->SetDebugUtilsObjectNameEXT)
        next->SetDebugUtilsObjectNameEXT =
            (PFN_vkSetDebugUtilsObjectNameEXT)get_instance(instance, "vkSetDebugUtilsObjectNameEXT");
    if (!next->SetDebugUtilsObjectTagEXT)
        next->SetDebugUtilsObjectTagEXT =
            (PFN_vkSetDebugUtilsObjectTagEXT)get_instance(instance, "vkSetDebugUtilsObjectTagEXT");
}

static VkResult create_device(struct device *device, const VkDeviceCreateInfo *program, VkLayerDeviceCreateInfo *link,
                              const VkAllocationCallbacks *allocator, VkDevice *out)
{
    const PFN_vkGetInstanceProcAddr get_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    const PFN_vkGetDeviceProcAddr get_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    const PFN_vkCreateDevice create = (PFN_vkCreateDevice)get_instance(device->instance->handle, "vkCreateDevice");
    if (!create)
        return VK_ERROR_INITIALIZATION_FAILED;

    /* Advanced before the plan, which may copy the loader's structures. */
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;

    struct device_plan plan;
    VkResult result = device_plan_make(&plan, device, program);
    if (result == VK_SUCCESS) {
        /* The loader gives its own unfinished handle in *out, and expects it at the end of the chain. */
        const VkDevice unfinished = *out;
        const VkAllocationCallbacks *for_driver =
            plan.active ? program_allocator_init(&device->allocator, allocator) : allocator;
        result = create(device->physical, &plan.info, for_driver, out);
        if (result == VK_SUCCESS) {
            device_dispatch_load(&device->next, *out, get_device);
            find_debug_utils(device, get_instance);
            result = finish_device(device, &plan, *out);
            if (result == VK_SUCCESS) {
                warn_of_no_feature(device, &plan);
            } else {
                device->next.DestroyDevice(*out, for_driver);
                *out = unfinished;
            }
        }
    }
    device_plan_free(&plan);
    return result;
}

/* Saves the families of the program's queues, if there are several: all of them read the layer's buffers. */
static bool keep_families(struct device *device, const VkDeviceCreateInfo *program,
                          const VkAllocationCallbacks *allocator)
{
    const uint32_t count = program->queueCreateInfoCount;
    if (count < 2)
        return true;
    device->families = allocate(allocator, count * sizeof(*device->families), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    for (uint32_t i = 0; device->families && i < count; i++) {
        const uint32_t family = program->pQueueCreateInfos[i].queueFamilyIndex;
        uint32_t known = 0;
        while (known < device->family_count && device->families[known] != family)
            known++;
        device->families[known] = family;
        device->family_count += known == device->family_count;
    }
    return device->families;
}

static void device_delete(struct device *device, const VkAllocationCallbacks *allocator)
{
    object_names_finish(&device->names);
    release(allocator, device->families);
    release(allocator, device);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateDevice(VkPhysicalDevice physicalDevice, const VkDeviceCreateInfo *pCreateInfo,
                                                 const VkAllocationCallbacks *pAllocator, VkDevice *pDevice)
{
    VkLayerDeviceCreateInfo *link = find_loader_info(pCreateInfo->pNext, VK_LAYER_LINK_INFO);
    VkLayerDeviceCreateInfo *data = find_loader_info(pCreateInfo->pNext, VK_LOADER_DATA_CALLBACK);
    struct instance *instance = instance_of(physicalDevice);
    if (!link || !link->u.pLayerInfo || !instance)
        return VK_ERROR_INITIALIZATION_FAILED;

    struct device *device = allocate(pAllocator, sizeof(*device), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!device)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    device->instance = instance;
    device->physical = physicalDevice;
    /* Callbacks of VK_EXT_device_memory_report may come on any thread (VkDeviceDeviceMemoryReportCreateInfoEXT). */
    device->program_allocates = pAllocator || program_allocator_driver(&instance->allocator);
    const VkDeviceGroupDeviceCreateInfo *group =
        pnext_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO);
    device->group = group && group->physicalDeviceCount > 1;
    device->set_loader_data = data ? data->u.pfnSetDeviceLoaderData : NULL;
    instance->next.GetPhysicalDeviceProperties(physicalDevice, &device->properties);
    instance->next.GetPhysicalDeviceMemoryProperties(physicalDevice, &device->memory);
    device->deviations = deviations_of(&device->properties, driver_of(device));

    if (!object_names_init(&device->names)) {
        release(pAllocator, device);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    const VkResult result = keep_families(device, pCreateInfo, pAllocator)
                                ? create_device(device, pCreateInfo, link, pAllocator, pDevice)
                                : VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result == VK_SUCCESS && device->active)
        warn_of_low_limits(device);
    if (result == VK_SUCCESS && device->active)
        opaque_warn(device, pCreateInfo);
    if (result == VK_SUCCESS) {
        announce(device);
    } else {
        device_delete(device, pAllocator);
    }
    return result;
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyDevice(VkDevice device, const VkAllocationCallbacks *pAllocator)
{
    if (!device)
        return;
    struct device *known = device_of(device);
    if (!known)
        return;
    track_quiet(known);
    stats_write(known);
    if (known->active)
        track_destroy(known);
    device_withdraw(device);
    known->next.DestroyDevice(device, driver_allocator(known, pAllocator));
    device_delete(known, pAllocator);
}
