/* SPDX-License-Identifier: MIT */
/*
 * A set layout whose descriptors have records gets one more binding: the record buffer. Its number is the highest plus
 * 1. A binding of a variable count must stay the highest, so there the buffer takes its number, and it moves up. Where
 * a set has samplers of their own, a nearest sampler has the number behind the buffer's. Where there are no higher
 * numbers both take the highest that are free.
 *
 * All of it is a function of the create-info and the device's limits alone, so that layouts that are equal for the
 * program are compatible for the driver.
 */
#include <stdlib.h>
#include <string.h>

#include "layouts/layout_plan.h"
#include "device/device.h"
#include "device/message.h"
#include "device/structure_chain.h"
#include "descriptor_type/descriptor_type.h"
#include "layouts/kept_layout.h"
#include "layouts/layouts.h"
#include "layouts/app_layout.h"
#include "objects/pnext.h"
#include "descriptor_type/relaxed.h"
#include "objects/track.h"
#include "record/record.h"
#include "sampling/sampler.h"
#include "spirv/spirv.h"

void layout_plan_finish(struct track *track, struct layout_plan *plan)
{
    free(plan->bindings);
    free(plan->binding_flags);
    free(plan->type_lists);
    free(plan->chain_memory);
    set_layout_unref(track, plan->layout);
}

/*
 * Descriptors in these layouts are bytes that the program places itself: there is no place for a record. Push
 * descriptors are not of this kind.
 */
static bool is_app_layout(const VkDescriptorSetLayoutCreateInfo *info)
{
    const VkFlags app_descriptors = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT |
                                    VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT;
    return (info->flags & app_descriptors) && !(info->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR);
}

const VkDescriptorBindingFlags *layout_binding_flags(const VkDescriptorSetLayoutCreateInfo *info)
{
    const VkDescriptorSetLayoutBindingFlagsCreateInfo *flags =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
    return flags && flags->bindingCount == info->bindingCount ? flags->pBindingFlags : NULL;
}

const VkMutableDescriptorTypeListEXT *mutable_types(const void *chain, uint32_t index)
{
    const VkMutableDescriptorTypeCreateInfoEXT *types =
        pnext_find(chain, VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT);
    return types && index < types->mutableDescriptorTypeListCount ? &types->pMutableDescriptorTypeLists[index] : NULL;
}

static bool mutable_holds_records(const struct device *device, const VkDescriptorSetLayoutCreateInfo *info,
                                  uint32_t index)
{
    const VkMutableDescriptorTypeListEXT *list = mutable_types(info->pNext, index);
    for (uint32_t i = 0; list && i < list->descriptorTypeCount; i++) {
        if (type_has_records(device, list->pDescriptorTypes[i]))
            return true;
    }
    return false;
}

bool mutable_holds_samplers(const void *chain, uint32_t index)
{
    const VkMutableDescriptorTypeListEXT *list = mutable_types(chain, index);
    for (uint32_t i = 0; list && i < list->descriptorTypeCount; i++) {
        if (list->pDescriptorTypes[i] == VK_DESCRIPTOR_TYPE_SAMPLER)
            return true;
    }
    return false;
}

/*
 * Sets of such a layout are bound by stage (VK_NV_per_stage_descriptor_set), so that the set number does not identify
 * the record buffer. VK_DESCRIPTOR_SET_LAYOUT_CREATE_PER_STAGE_BIT_NV is newer than some headers.
 */
static bool is_bound_by_stage(const VkDescriptorSetLayoutCreateInfo *info)
{
    return info->flags & (VkFlags)0x40;
}

static bool wants_records(struct track *track, const VkDescriptorSetLayoutCreateInfo *info, uint32_t index)
{
    const VkDescriptorSetLayoutBinding *binding = &info->pBindings[index];
    const VkSampler *immutable = immutable_of(binding);
    if (!binding->descriptorCount || is_bound_by_stage(info))
        return false;
    switch (binding->descriptorType) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
        for (uint32_t i = 0; immutable && i < binding->descriptorCount; i++) {
            if (sampler_find(track, immutable[i]).bits & SAMPLER_OPAQUE)
                return false;
        }
        return true;
    case VK_DESCRIPTOR_TYPE_MUTABLE_EXT:
        return mutable_holds_records(track->device, info, index);
    default:
        return type_has_records(track->device, binding->descriptorType);
    }
}

static bool copy_native_handles(const VkDescriptorSetLayoutBinding *from, struct binding *to)
{
    const size_t bytes = from->descriptorCount * sizeof(*to->native_handles);
    to->native_handles = malloc(bytes);
    if (to->native_handles)
        memcpy(to->native_handles, from->pImmutableSamplers, bytes);
    return to->native_handles;
}

/* Copies of a binding's immutable samplers if some of them must be written by the layer. False: out of memory. */
static bool take_immutable(struct track *track, const VkDescriptorSetLayoutBinding *from, struct binding *to)
{
    const VkSampler *immutable = immutable_of(from);
    bool special = false;
    for (uint32_t i = 0; immutable && i < from->descriptorCount; i++) {
        const struct sampler sampler = sampler_find(track, immutable[i]);
        special |= sampler.state && !(sampler.bits & SAMPLER_NEVER_EMULATED);
    }
    special &= to->first_record != SPIRV_NO_RECORD;
    to->immutable_native = immutable && !special;
    if (!special)
        return !immutable || copy_native_handles(from, to);
    to->immutable = calloc(from->descriptorCount, sizeof(*to->immutable));
    if (!to->immutable)
        return false;
    for (uint32_t i = 0; i < from->descriptorCount; i++) {
        to->immutable[i] = (struct immutable){immutable[i], sampler_find(track, immutable[i])};
        sampler_state_ref(track, to->immutable[i].sampler.state);
    }
    return true;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = ((const struct binding *)a)->binding, y = ((const struct binding *)b)->binding;
    return x < y ? -1 : x > y;
}

/* Sets that other threads may write or upload meanwhile have no stale records. */
static VkDescriptorType saved_as(const struct set_layout *layout, const struct binding *binding)
{
    const bool saves = binding->first_record != SPIRV_NO_RECORD && !binding->immutable && !binding->immutable_native &&
                       !(layout->relaxed & RELAXED_THREADS);
    switch (binding->type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
        return saves ? binding->type : VK_DESCRIPTOR_TYPE_MAX_ENUM;
    default:
        return VK_DESCRIPTOR_TYPE_MAX_ENUM;
    }
}

static bool index_bindings(struct set_layout *layout)
{
    enum { DENSE = 1024 };
    if (!layout->binding_count)
        return true;
    uint32_t highest = layout->bindings[layout->binding_count - 1].binding;
    if (highest >= DENSE)
        return true;
    layout->index_of = malloc((highest + 1) * sizeof(*layout->index_of));
    layout->briefs = calloc(highest + 1, sizeof(*layout->briefs));
    if (!layout->index_of || !layout->briefs)
        return false;
    layout->index_count = highest + 1;
    memset(layout->index_of, 0xff, layout->index_count * sizeof(*layout->index_of));
    for (uint32_t i = 0; i < layout->binding_count; i++) {
        const struct binding *binding = &layout->bindings[i];
        layout->index_of[binding->binding] = (uint16_t)i;
        layout->briefs[binding->binding] =
            (struct binding_brief){binding->count, binding->first_record, 1, saved_as(layout, binding)};
    }
    return true;
}

/* A binding with more combined image samplers than this has no records for splitting them. */
enum { SPLIT_MOST = 1 << 20 };

/* Assigns the bindings their places in the buffer. The records of split samplers get the places that are left. */
static void assign_places(const struct device *device, struct set_layout *layout)
{
    const uint32_t most = reachable_records(&device->properties.limits);
    uint32_t left = most > layout->record_count ? most - layout->record_count : 0;
    set_layout_assign_bits(layout, left != 0);
    layout->place_count = layout->masks;
    left -= layout->masks;
    for (uint32_t i = 0; i < layout->binding_count; i++) {
        struct binding *binding = &layout->bindings[i];
        if (binding->first_record == SPIRV_NO_RECORD)
            continue;
        const uint32_t more = SPIRV_RECORDS_OF_SPLIT - 1;
        binding->split = binding->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER && binding->count <= SPLIT_MOST &&
                         binding->count <= left / more;
        if (binding->split)
            left -= binding->count * more;
        layout->split |= binding->split;
        binding->first_place = layout->place_count;
        layout->place_count += binding->count * (binding->split ? SPIRV_RECORDS_OF_SPLIT : 1u);
    }
}

/* Fills the layout's bindings in the order of their numbers, and counts records. False: out of memory. */
static bool fill_bindings(struct track *track, const VkDescriptorSetLayoutCreateInfo *info,
                          const VkDescriptorBindingFlags *flags, struct set_layout *layout)
{
    layout->bindings = calloc(info->bindingCount, sizeof(*layout->bindings));
    layout->spirv_bindings = calloc(info->bindingCount, sizeof(*layout->spirv_bindings));
    if (!layout->bindings || !layout->spirv_bindings)
        return false;
    /* first_record holds the index into the create-info until the order is known. */
    for (uint32_t i = 0; i < info->bindingCount; i++) {
        if (info->pBindings[i].descriptorCount)
            layout->bindings[layout->binding_count++] = (struct binding){
                .binding = info->pBindings[i].binding,
                .new_binding = info->pBindings[i].binding,
                .type = info->pBindings[i].descriptorType,
                .count = info->pBindings[i].descriptorCount,
                .first_record = i,
            };
    }
    qsort(layout->bindings, layout->binding_count, sizeof(*layout->bindings), by_number);
    layout->variable = UINT32_MAX;
    layout->relaxed = relaxed_by_layout(info->flags);
    for (uint32_t i = 0; i < layout->binding_count; i++) {
        struct binding *binding = &layout->bindings[i];
        uint32_t index = binding->first_record;
        binding->first_record = SPIRV_NO_RECORD;
        if (wants_records(track, info, index)) {
            if (binding->count > UINT32_MAX / sizeof(struct record) - layout->record_count)
                return false;
            binding->first_record = layout->record_count;
            layout->record_count += binding->count;
            layout->samplers |=
                binding->type == VK_DESCRIPTOR_TYPE_SAMPLER ||
                (binding->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER && track->device->caps.texels_sampled) ||
                (binding->type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT && mutable_holds_samplers(info->pNext, index));
            layout->mutable_records |= binding->type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT;
            layout->relaxed |= flags ? relaxed_by_binding(flags[index]) : 0;
        }
        if (flags && (flags[index] & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT))
            layout->variable = i;
        if (!take_immutable(track, &info->pBindings[index], binding))
            return false;
        layout->driver_immutable |= binding->immutable != NULL;
        layout->immutable_combined |= binding->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER &&
                                      binding->first_record != SPIRV_NO_RECORD &&
                                      (binding->immutable || binding->immutable_native);
    }
    assign_places(track->device, layout);
    return index_bindings(layout);
}

/* The highest number that no binding of the program's has, from this one downwards. There are fewer than numbers. */
static uint32_t free_number(const VkDescriptorSetLayoutCreateInfo *info, uint32_t number)
{
    for (uint32_t i = 0; i < info->bindingCount; i++) {
        if (info->pBindings[i].binding == number) {
            number--;
            i = UINT32_MAX; /* from the first one on */
        }
    }
    return number;
}

/*
 * Assigns numbers to the layer's own bindings, and moves the program's binding of a variable count. Layouts of
 * application-managed descriptors have none.
 */
static void number_layer_bindings(const VkDescriptorSetLayoutCreateInfo *info, bool nearest, struct set_layout *layout)
{
    const uint32_t own = nearest ? 2 : 1;
    uint32_t highest = 0;
    layout->record_binding = layout->nearest_binding = SPIRV_NO_RECORD;
    if (layout->app_descriptors)
        return;
    for (uint32_t i = 0; i < info->bindingCount; i++) {
        if (info->pBindings[i].binding > highest)
            highest = info->pBindings[i].binding;
    }
    if (highest > SPIRV_NO_RECORD - 1 - own) {
        layout->record_binding = free_number(info, highest - 1);
        layout->nearest_binding = nearest ? free_number(info, layout->record_binding - 1) : SPIRV_NO_RECORD;
        layout->renumbered = true;
        return;
    }
    layout->record_binding = highest + 1;
    layout->nearest_binding = nearest ? highest + 2 : SPIRV_NO_RECORD;
    if (layout->variable != UINT32_MAX) {
        struct binding *variable = &layout->bindings[layout->variable];
        layout->record_binding = variable->binding;
        layout->nearest_binding = nearest ? variable->binding + 1 : SPIRV_NO_RECORD;
        variable->new_binding = variable->binding + own;
        layout->renumbered = true;
    }
}

static void fill_spirv_bindings(struct set_layout *layout)
{
    for (uint32_t i = 0; i < layout->binding_count; i++) {
        const struct binding *binding = &layout->bindings[i];
        layout->spirv_bindings[i] = (struct spirv_binding){
            .binding = binding->binding,
            .new_binding = binding->new_binding,
            .first_record = binding->first_record == SPIRV_NO_RECORD ? SPIRV_NO_RECORD : binding->first_place,
            .count = binding->count,
            .split = binding->split,
            .scale = binding->scale,
            .mask_bit = binding->first_bit < RECORD_MASK_BITS ? binding->first_bit + 1 : 0,
        };
    }
}

/* True: with the layer's own bindings there are too many push descriptors, so a set of the layer's is bound instead. */
static bool push_needs_converting(const struct device *device, const VkDescriptorSetLayoutCreateInfo *info,
                                  uint32_t own)
{
    uint64_t descriptors = own;
    for (uint32_t i = 0; i < info->bindingCount; i++)
        descriptors += info->pBindings[i].descriptorCount;
    return descriptors > device->caps.max_push_descriptors ||
           (device->instance->settings.assume_missing & MISSING_PUSH_SLOT);
}

/*
 * True: pushed descriptors can be saved, and written to a set of the layer's. Not on layouts with descriptor buffers,
 * where sets have no handles, nor for descriptor types that the layer does not know.
 */
static bool push_can_be_converted(const VkDescriptorSetLayoutCreateInfo *info)
{
    bool known = !(info->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT);
    for (uint32_t i = 0; i < info->bindingCount; i++)
        known &= !info->pBindings[i].descriptorCount || descriptor_type_is_known(info->pBindings[i].descriptorType);
    return known;
}

/* The number of the layer's bindings, of one descriptor each. */
static uint32_t layer_bindings(const struct set_layout *layout)
{
    return (layout->record_binding == SPIRV_NO_RECORD ? 0u : 1u) +
           (layout->nearest_binding == SPIRV_NO_RECORD ? 0u : 1u);
}

/* A driver's binding, with its elements of the chained arrays. */
struct driver_binding {
    VkDescriptorSetLayoutBinding binding;
    VkDescriptorBindingFlags flags;
    VkMutableDescriptorTypeListEXT types;
};

static int by_driver_number(const void *a, const void *b)
{
    uint32_t x = ((const struct driver_binding *)a)->binding.binding,
             y = ((const struct driver_binding *)b)->binding.binding;
    return x < y ? -1 : x > y;
}

static struct driver_binding driver_binding(const VkDescriptorSetLayoutCreateInfo *info,
                                            const VkDescriptorBindingFlags *flags, const struct set_layout *layout,
                                            uint32_t index)
{
    const VkDescriptorSetLayoutBinding *from = &info->pBindings[index];
    const VkMutableDescriptorTypeListEXT *types = mutable_types(info->pNext, index);
    struct driver_binding to = {.binding = *from};
    if (flags)
        to.flags = flags[index];
    if (types)
        to.types = *types;
    if (!from->descriptorCount) { /* nothing to vary, and no longer the highest binding */
        to.flags &= ~(VkDescriptorBindingFlags)VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
        return to;
    }
    const struct binding *binding = set_layout_binding(layout, from->binding);
    to.binding.binding = binding->new_binding;
    if (binding->immutable)
        to.binding.pImmutableSamplers = NULL;
    if (layout->app_descriptors)
        app_binding_driver(binding, &to.binding);
    return to;
}

/* The stages of all bindings with records. */
static VkShaderStageFlags record_stages(const VkDescriptorSetLayoutCreateInfo *info, const struct set_layout *layout)
{
    VkShaderStageFlags stages = 0;
    for (uint32_t i = 0; i < info->bindingCount; i++) {
        const struct binding *binding = set_layout_binding(layout, info->pBindings[i].binding);
        if (info->pBindings[i].descriptorCount && binding->first_record != SPIRV_NO_RECORD)
            stages |= info->pBindings[i].stageFlags;
    }
    return stages;
}

/*
 * The driver's bindings by number, the layer's own among them: drivers (lavapipe of Mesa 26) look mutable types up by
 * the order of numbers.
 */
static void list_driver_types(const struct track *track, const VkDescriptorSetLayoutCreateInfo *info,
                              const VkDescriptorBindingFlags *flags, const struct set_layout *layout,
                              struct driver_binding *bindings)
{
    const VkShaderStageFlags stages = record_stages(info, layout);
    uint32_t count = info->bindingCount;
    for (uint32_t i = 0; i < count; i++)
        bindings[i] = driver_binding(info, flags, layout, i);
    if (layout->record_binding != SPIRV_NO_RECORD)
        bindings[count++].binding = (VkDescriptorSetLayoutBinding){
            .binding = layout->record_binding,
            .descriptorType = layout->storage ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
            .descriptorCount = 1,
            .stageFlags = stages,
        };
    if (layout->nearest_binding != SPIRV_NO_RECORD)
        bindings[count++].binding = (VkDescriptorSetLayoutBinding){
            .binding = layout->nearest_binding,
            .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER,
            .descriptorCount = 1,
            .stageFlags = stages,
            .pImmutableSamplers = layout->push ? NULL : &track->layouts->nearest_sampler,
        };
    qsort(bindings, count, sizeof(*bindings), by_driver_number);
}

/* Copies the program's chain, with flags and lists of types for all bindings of the driver's. False: out of memory. */
static bool driver_chain(const VkDescriptorSetLayoutCreateInfo *info, bool flags, bool types, struct layout_plan *plan)
{
    static const VkStructureType replaced[] = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
                                               VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT};
    void *rest;
    if (!pnext_copy_without(info->pNext, replaced, 2, &rest, &plan->chain_memory))
        return false;
    plan->info.pNext = rest;
    if (types) {
        plan->types = (VkMutableDescriptorTypeCreateInfoEXT){
            .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
            .pNext = plan->info.pNext,
            .mutableDescriptorTypeListCount = plan->info.bindingCount,
            .pMutableDescriptorTypeLists = plan->type_lists,
        };
        plan->info.pNext = &plan->types;
    }
    if (flags) {
        plan->flags = (VkDescriptorSetLayoutBindingFlagsCreateInfo){
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
            .pNext = plan->info.pNext,
            .bindingCount = plan->info.bindingCount,
            .pBindingFlags = plan->binding_flags,
        };
        plan->info.pNext = &plan->flags;
    }
    return true;
}

/* The create-info for the driver, from the program's and the finished layout. False: out of memory. */
static bool plan_driver_layout(const struct track *track, const VkDescriptorSetLayoutCreateInfo *info,
                               const VkDescriptorBindingFlags *flags, struct layout_plan *plan)
{
    const bool types = pnext_find(info->pNext, VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT);
    const uint32_t count = info->bindingCount + layer_bindings(plan->layout);
    struct driver_binding *bindings = calloc(count, sizeof(*bindings));
    plan->bindings = calloc(count, sizeof(*plan->bindings));
    plan->binding_flags = calloc(count, sizeof(*plan->binding_flags));
    plan->type_lists = types ? calloc(count, sizeof(*plan->type_lists)) : NULL;
    if (!bindings || !plan->bindings || !plan->binding_flags || (types && !plan->type_lists)) {
        free(bindings);
        return false;
    }
    list_driver_types(track, info, flags, plan->layout, bindings);
    for (uint32_t i = 0; i < count; i++) {
        plan->bindings[i] = bindings[i].binding;
        plan->binding_flags[i] = bindings[i].flags;
        if (types)
            plan->type_lists[i] = bindings[i].types;
    }
    free(bindings);
    plan->info = *info;
    plan->info.pBindings = plan->bindings;
    plan->info.bindingCount = count;
    if (plan->layout->push_converted)
        plan->info.flags &= ~(VkFlags)VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;
    return !(flags || types) || driver_chain(info, flags, types, plan);
}

static uint64_t descriptors_of(const VkDescriptorSetLayoutCreateInfo *info)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < info->bindingCount; i++)
        count += info->pBindings[i].descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK
                     ? 1
                     : info->pBindings[i].descriptorCount;
    return count;
}

/*
 * Programs are promised as many descriptors of a set as Vulkan requires, with which the layer's own may be more than
 * the driver promises; more may still be supported (section "Descriptor Set Layout").
 */
static bool fits_set(const struct device *device, const VkDescriptorSetLayoutCreateInfo *program,
                     const VkDescriptorSetLayoutCreateInfo *for_driver)
{
    VkDescriptorSetLayoutSupport support = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
    if (!device->caps.max_per_set || descriptors_of(for_driver) <= device->caps.max_per_set ||
        descriptors_of(program) > device->caps.max_per_set || !device->next.GetDescriptorSetLayoutSupport)
        return true;
    device->next.GetDescriptorSetLayoutSupport(device->handle, for_driver, &support);
    return support.supported;
}

VkResult layout_plan_open(struct track *track, const VkDescriptorSetLayoutCreateInfo *info, struct layout_plan *plan)
{
    static struct message_place said, said_pushed, said_large, said_staged;
    *plan = (struct layout_plan){0};
    const bool app_descriptors = is_app_layout(info);
    bool any = false;
    if (is_bound_by_stage(info))
        message_about_once(&said_staged, track->device, LOG_WARN, NULL,
                           "a descriptor set layout is of sets that are bound by stage "
                           "(VK_NV_per_stage_descriptor_set): samplers in it get the driver's own semantics");
    for (uint32_t i = 0; i < info->bindingCount; i++)
        any |= wants_records(track, info, i) || (app_descriptors && app_binding_scales(track->device, info, i));
    if (!any)
        return VK_SUCCESS;
    if (app_descriptors && !track->device->caps.app_descriptors.buffers) {
        message_about_once(
            &said, track->device, LOG_WARN, NULL,
            "a descriptor set layout has application-managed descriptors (descriptor buffer or embedded samplers), "
            "and the feature descriptorBuffer is not enabled: samplers in it get the driver's own semantics");
        return VK_SUCCESS;
    }

    const VkDescriptorBindingFlags *flags = layout_binding_flags(info);
    struct set_layout *layout = object_alloc(track, NULL, sizeof(*layout));
    if (!layout)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    atomic_init(&layout->references, 1);
    plan->layout = layout;
    layout->app_descriptors = app_descriptors;
    layout->by_stage = is_bound_by_stage(info);
    if (app_descriptors)
        atomic_store(&track->layouts->places, true);
    if (!fill_bindings(track, info, flags, layout))
        goto out_of_memory;
    VkResult result = app_descriptors ? app_layout_fill(track, info, layout) : VK_SUCCESS;
    if (result != VK_SUCCESS) {
        layout_plan_finish(track, plan);
        return result;
    }
    layout->push = info->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;
    /*
     * Separate samplers may be used with cubes, whose texels only a sampler reads
     * (layer/rewriter/spirv/lookup/filter_tap.c), and some drivers have to read all texels so.
     */
    number_layer_bindings(info, layout->samplers && track->layouts->nearest_sampler, layout);
    fill_spirv_bindings(layout);
    layout->storage = track->device->caps.record_storage || layout->place_count * sizeof(struct record) >
                                                                track->device->properties.limits.maxUniformBufferRange;
    layout->push_converted = layout->push && push_needs_converting(track->device, info, layer_bindings(layout));
    if (layout->push_converted && !push_can_be_converted(info)) {
        message_about_once(
            &said_pushed, track->device, LOG_WARN, NULL,
            "a set that is pushed beside descriptor buffers, or with descriptors of a type that the layer does not "
            "know, has no descriptor left for records: samplers in it get the driver's own semantics");
        layout_plan_finish(track, plan);
        *plan = (struct layout_plan){0};
        return VK_SUCCESS;
    }
    if (!plan_driver_layout(track, info, flags, plan))
        goto out_of_memory;
    if (!app_descriptors && !fits_set(track->device, info, &plan->info)) {
        message_about_once(&said_large, track->device, LOG_WARN, NULL,
                           "a descriptor set layout has as many descriptors as the driver can have in a set "
                           "(maxPerSetDescriptors) and none left for records: samplers in it get the driver's own "
                           "semantics");
        layout_plan_finish(track, plan);
        *plan = (struct layout_plan){0};
    }
    return VK_SUCCESS;
out_of_memory:
    layout_plan_finish(track, plan);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}
