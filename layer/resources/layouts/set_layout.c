/* SPDX-License-Identifier: MIT */
/*
 * Hooks that create, query and destroy set layouts. layout_plan.c makes the driver's create-info. Counted: the table
 * has one reference, and sets, pools and pipeline layouts have others.
 */
#include <stdlib.h>
#include <string.h>

#include "layouts/set_layout.h"
#include "device/device.h"
#include "device/message.h"
#include "device/structure_chain.h"
#include "layouts/kept_layout.h"
#include "layouts/layout_plan.h"
#include "layouts/layouts.h"
#include "layouts/app_layout.h"
#include "layouts/pipeline_layout.h"
#include "objects/pnext.h"
#include "objects/table.h"
#include "objects/track.h"
#include "record/record.h"
#include "resolve/wrap.h"
#include "sampling/sampler.h"
#include "sampling/surplus.h"
#include "spirv/spirv.h"

/*
 * Checks for arrays of immutable samplers in which some must be the driver's own and others require emulation: the
 * driver's layout has all of them immutable, but which sampler those need depends on views that are not known yet.
 * Vulkan forbids such arrays of YCbCr conversions (VUID-VkDescriptorSetLayoutBinding-descriptorType-12200). Where only
 * a setting makes samplers require emulation, the array keeps the driver's semantics.
 */
static VkResult judge_mixture(struct track *track, const VkDescriptorSetLayoutBinding *binding)
{
    static struct message_place said;
    const VkSampler *immutable = immutable_of(binding);
    uint64_t opaque = 0, emulated = 0;
    bool gl = false;
    for (uint32_t i = 0; immutable && i < binding->descriptorCount; i++) {
        const struct sampler sampler = sampler_find(track, immutable[i]);
        if (sampler.bits & SAMPLER_OPAQUE)
            opaque = HANDLE_KEY(immutable[i]);
        if (!sampler.state || (sampler.bits & SAMPLER_NEVER_EMULATED))
            continue;
        emulated = HANDLE_KEY(immutable[i]);
        gl |= track->device->caps.enabled.glSampler &&
              (sampler.state->state.gl || wrap_any_private(&sampler.state->state));
    }
    if (!opaque || !emulated)
        return VK_SUCCESS;
    const struct message_object *about = ABOUT({VK_OBJECT_TYPE_SAMPLER, emulated}, {VK_OBJECT_TYPE_SAMPLER, opaque});
    if (gl)
        return refuse_about(track, about, "vkCreateDescriptorSetLayout",
                            "an array of immutable samplers has GL sampler semantics beside a YCbCr conversion, a "
                            "subsampled image's sampler, or one of image processing");
    message_about_once(&said, track->device, LOG_WARN, about,
                       "an array of immutable samplers has a YCbCr conversion, or a sampler of subsampled images or "
                       "image processing, among others: all of them get the driver's own semantics");
    return VK_SUCCESS;
}

static VkResult judge_arrays(struct track *track, const VkDescriptorSetLayoutCreateInfo *info)
{
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < info->bindingCount && result == VK_SUCCESS; i++)
        result = judge_mixture(track, &info->pBindings[i]);
    return result;
}

/*
 * The driver's layout cannot have a surplus sampler, which is mutable there (layout_plan.c) but where the whole layout,
 * or an array, has the driver's own semantics.
 */
static VkResult judge_surplus(struct track *track, const VkDescriptorSetLayoutCreateInfo *for_driver)
{
    for (uint32_t i = 0; i < for_driver->bindingCount; i++) {
        const VkSampler *immutable = immutable_of(&for_driver->pBindings[i]);
        for (uint32_t j = 0; immutable && j < for_driver->pBindings[i].descriptorCount; j++) {
            if (!device_has_surplus(track->device, HANDLE_KEY(immutable[j])) ||
                !is_surplus(sampler_find(track, immutable[j])))
                continue;
            refuse_about(track, ABOUT({VK_OBJECT_TYPE_SAMPLER, HANDLE_KEY(immutable[j])}),
                         "vkCreateDescriptorSetLayout",
                         "an immutable sampler is beyond the driver's number, and only the driver's own can be in this "
                         "layout");
            return VK_ERROR_OUT_OF_DEVICE_MEMORY;
        }
    }
    return VK_SUCCESS;
}

/* Makes the driver's layout and the layer's. Nothing is left on failure. */
static VkResult create_layout(struct track *track, struct layout_plan *plan,
                              const VkDescriptorSetLayoutCreateInfo *for_driver, const VkAllocationCallbacks *callbacks,
                              VkDescriptorSetLayout *created)
{
    struct device *device = track->device;
    VkResult result = VK_SUCCESS;
    if (plan->layout && plan->layout->push_converted)
        result =
            OR_NULL(device->next.CreateDescriptorSetLayout(device->handle, for_driver, NULL, &plan->layout->duplicate),
                    &plan->layout->duplicate);
    if (result == VK_SUCCESS)
        result = device->next.CreateDescriptorSetLayout(device->handle, for_driver, callbacks, created);
    if (result != VK_SUCCESS)
        return result;
    if (plan->layout && plan->layout->app_descriptors)
        app_layout_made(track, *created, plan->layout);
    result = layout_keep(track, *created, for_driver);
    if (result == VK_SUCCESS && plan->layout &&
        !table_insert(&track->layouts->set_layouts, HANDLE_KEY(*created), plan->layout)) {
        layout_unref(track, *created);
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (result != VK_SUCCESS)
        device->next.DestroyDescriptorSetLayout(device->handle, *created, callbacks);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateDescriptorSetLayout(VkDevice handle,
                                                              const VkDescriptorSetLayoutCreateInfo *pCreateInfo,
                                                              const VkAllocationCallbacks *pAllocator,
                                                              VkDescriptorSetLayout *pSetLayout)
{
    struct track *track = device_of(handle)->track;
    struct layout_plan plan;
    VkResult result = judge_arrays(track, pCreateInfo);
    if (result == VK_SUCCESS)
        result = layout_plan_open(track, pCreateInfo, &plan);
    if (result != VK_SUCCESS)
        return result;
    VkDescriptorSetLayout created = VK_NULL_HANDLE;
    const VkDescriptorSetLayoutCreateInfo *for_driver = plan.layout ? &plan.info : pCreateInfo;
    result = judge_surplus(track, for_driver);
    if (result == VK_SUCCESS)
        result = create_layout(track, &plan, for_driver, pAllocator, &created);
    if (result == VK_SUCCESS) {
        if (plan.layout && plan.layout->push_converted)
            count(&track->counters.push_sets_converted, 1);
        plan.layout = NULL; /* the table's now */
        *pSetLayout = created;
    }
    layout_plan_finish(track, &plan);
    return result;
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyDescriptorSetLayout(VkDevice handle, VkDescriptorSetLayout layout,
                                                           const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct set_layout *known = table_remove(&device->track->layouts->set_layouts, HANDLE_KEY(layout));
    dynamic_layouts_retire(device->track, layout);
    layout_unref(device->track, layout);
    device->next.DestroyDescriptorSetLayout(handle, layout, pAllocator);
    set_layout_unref(device->track, known);
}

/*
 * A layout whose binding of a variable count has the count 0: the query takes it to have one descriptor (section
 * "Descriptor Set Layout"), and so it has records. Returns a copy of the bindings with count 1 to free(), which *info
 * then names. NULL: there is no such binding, or, with info->pBindings NULL, no memory.
 */
static VkDescriptorSetLayoutBinding *count_variable(const VkDescriptorSetLayoutCreateInfo *program,
                                                    VkDescriptorSetLayoutCreateInfo *info)
{
    const VkDescriptorBindingFlags *flags = layout_binding_flags(program);
    for (uint32_t i = 0; flags && i < program->bindingCount; i++) {
        if (!(flags[i] & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT) ||
            program->pBindings[i].descriptorCount ||
            program->pBindings[i].descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
            continue;
        VkDescriptorSetLayoutBinding *bindings = malloc(program->bindingCount * sizeof(*bindings));
        info->pBindings = bindings;
        if (!bindings)
            return NULL;
        memcpy(bindings, program->pBindings, program->bindingCount * sizeof(*bindings));
        bindings[i].descriptorCount = 1;
        bindings[i].pImmutableSamplers = NULL;
        return bindings;
    }
    return NULL;
}

/* Bounds the greatest variable count, so that the set can be made with its records. */
static void bound_variable(const struct device *device, const struct set_layout *layout,
                           VkDescriptorSetLayoutSupport *support)
{
    VkDescriptorSetVariableDescriptorCountLayoutSupport *most =
        (void *)pnext_find(support->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT);
    if (!most || layout->variable == UINT32_MAX)
        return;
    const struct binding *variable = &layout->bindings[layout->variable];
    if (variable->first_record == SPIRV_NO_RECORD)
        return;
    const uint32_t others = layout->record_count - variable->count;
    const uint32_t reachable = reachable_records(&device->properties.limits);
    const uint32_t room = reachable > others ? reachable - others : 0;
    if (variable->scale)
        most->maxVariableDescriptorCount /= variable->scale;
    if (most->maxVariableDescriptorCount > room)
        most->maxVariableDescriptorCount = room;
}

VKAPI_ATTR void VKAPI_CALL hook_GetDescriptorSetLayoutSupport(VkDevice handle,
                                                              const VkDescriptorSetLayoutCreateInfo *pCreateInfo,
                                                              VkDescriptorSetLayoutSupport *pSupport)
{
    struct device *device = device_of(handle);
    struct layout_plan plan;
    VkDescriptorSetLayoutCreateInfo info = *pCreateInfo;
    VkDescriptorSetLayoutBinding *counted = count_variable(pCreateInfo, &info);
    VkResult result =
        !info.pBindings && info.bindingCount ? VK_ERROR_OUT_OF_HOST_MEMORY : judge_arrays(device->track, &info);
    if (result == VK_SUCCESS)
        result = layout_plan_open(device->track, &info, &plan);
    if (result != VK_SUCCESS) {
        if (result == VK_ERROR_OUT_OF_HOST_MEMORY)
            message_about(device, LOG_WARN, NULL,
                          "vkGetDescriptorSetLayoutSupport: out of memory, the layout counts as not supported");
        pSupport->supported = VK_FALSE;
        free(counted);
        return;
    }
    const VkDescriptorSetLayoutCreateInfo *for_driver = plan.layout ? &plan.info : pCreateInfo;
    if (judge_surplus(device->track, for_driver) == VK_SUCCESS)
        device->next.GetDescriptorSetLayoutSupport(handle, for_driver, pSupport);
    else
        pSupport->supported = VK_FALSE;
    if (plan.layout)
        bound_variable(device, plan.layout, pSupport);
    layout_plan_finish(device->track, &plan);
    free(counted);
}

/*
 * Bindings have the numbers of the driver's layout. Descriptors that the host writes then have no records
 * (queries/opaque.c).
 */
VKAPI_ATTR void VKAPI_CALL hook_GetDescriptorSetLayoutHostMappingInfoVALVE(
    VkDevice handle, const VkDescriptorSetBindingReferenceVALVE *pBindingReference,
    VkDescriptorSetLayoutHostMappingInfoVALVE *pHostMapping)
{
    struct device *device = device_of(handle);
    VkDescriptorSetBindingReferenceVALVE for_driver = *pBindingReference;
    const struct set_layout *layout = set_layout_find(device->track, for_driver.descriptorSetLayout);
    const struct binding *binding = layout ? set_layout_binding(layout, for_driver.binding) : NULL;
    if (binding)
        for_driver.binding = binding->new_binding;
    device->next.GetDescriptorSetLayoutHostMappingInfoVALVE(handle, &for_driver, pHostMapping);
}

void set_layout_assign_bits(struct set_layout *layout, bool room)
{
    const bool may = room && !layout->relaxed && !layout->app_descriptors;
    uint32_t bits = 0;
    for (uint32_t i = 0; i < layout->binding_count; i++) {
        struct binding *binding = &layout->bindings[i];
        const bool has = may && bits < RECORD_MASK_BITS && binding->first_record != SPIRV_NO_RECORD &&
                         binding->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
        const uint32_t left = RECORD_MASK_BITS - bits;
        binding->first_bit = has ? bits : RECORD_MASK_BITS;
        bits += !has ? 0 : binding->count < left ? binding->count : left;
    }
    layout->masks = bits != 0;
}

struct set_layout *set_layout_ref(struct set_layout *layout)
{
    if (layout)
        reference_add(&layout->references);
    return layout;
}

void set_layout_unref(struct track *track, struct set_layout *layout)
{
    if (!layout || !reference_drop(&layout->references))
        return;
    if (layout->duplicate)
        track->device->next.DestroyDescriptorSetLayout(track->device->handle, layout->duplicate, NULL);
    for (uint32_t i = 0; layout->bindings && i < layout->binding_count; i++) {
        const struct binding *binding = &layout->bindings[i];
        for (uint32_t j = 0; binding->immutable && j < binding->count; j++)
            sampler_state_unref(track, binding->immutable[j].sampler.state);
        free(binding->immutable);
        free(binding->native_handles);
        app_binding_finish(track, binding);
    }
    free(layout->bindings);
    free(layout->spirv_bindings);
    free(layout->index_of);
    free(layout->briefs);
    object_free(track, NULL, layout, sizeof(*layout));
}

const struct binding *set_layout_search(const struct set_layout *layout, uint32_t number)
{
    uint32_t low = 0, high = layout->binding_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (layout->bindings[middle].binding == number)
            return &layout->bindings[middle];
        if (layout->bindings[middle].binding < number)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}
