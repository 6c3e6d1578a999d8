/* SPDX-License-Identifier: MIT */
/* Update templates: reads the program's raw memory as descriptor writes. */
#include <string.h>

#include "descriptors/template.h"
#include "descriptors/descriptors.h"
#include "descriptors/split.h"
#include "descriptors/save.h"
#include "descriptors/update.h"
#include "device/device.h"
#include "descriptor_type/descriptor_type.h"
#include "layouts/pipeline_layout.h"
#include "layouts/set_layout.h"
#include "objects/table.h"
#include "objects/track.h"
#include "spirv/spirv.h"

/* ---- Reading ---- */

/* An array for the infos of one entry, copied from the program's stride; large enough for every kind of info. */
union chunk {
    VkDescriptorImageInfo images[WRITE_CHUNK];
    VkDescriptorBufferInfo buffers[WRITE_CHUNK];
    VkBufferView texel_buffers[WRITE_CHUNK];
    VkAccelerationStructureKHR structures[WRITE_CHUNK];
    VkAccelerationStructureNV structures_nv[WRITE_CHUNK];
};
_Static_assert(sizeof(VkAccelerationStructureKHR) == sizeof(VkAccelerationStructureNV), "handles of one size");

static size_t info_bytes(VkDescriptorType type)
{
    switch (descriptor_type_infos(type)) {
    case INFO_IMAGES:
        return sizeof(VkDescriptorImageInfo);
    case INFO_BUFFERS:
        return sizeof(VkDescriptorBufferInfo);
    case INFO_TEXEL_BUFFERS:
        return sizeof(VkBufferView);
    default:
        return sizeof(VkAccelerationStructureKHR);
    }
}

/* Inline uniform blocks are bytes in one piece; `descriptorCount` is their number. */
static void visit_inline(const VkDescriptorUpdateTemplateEntry *entry, const char *data,
                         void (*visit)(const VkWriteDescriptorSet *write, void *user), void *user)
{
    const VkWriteDescriptorSetInlineUniformBlock block = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK,
        .dataSize = entry->descriptorCount,
        .pData = data + entry->offset,
    };
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .pNext = &block,
        .dstBinding = entry->dstBinding,
        .dstArrayElement = entry->dstArrayElement,
        .descriptorCount = entry->descriptorCount,
        .descriptorType = entry->descriptorType,
    };
    visit(&write, user);
}

static void visit_entry(const VkDescriptorUpdateTemplateEntry *entry, const char *data,
                        void (*visit)(const VkWriteDescriptorSet *write, void *user), void *user)
{
    union chunk chunk;
    VkWriteDescriptorSetAccelerationStructureKHR structures = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .pAccelerationStructures = chunk.structures,
    };
    VkWriteDescriptorSetAccelerationStructureNV structures_nv = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_NV,
        .pAccelerationStructures = chunk.structures_nv,
    };
    size_t bytes = info_bytes(entry->descriptorType);
    const void *chain = entry->descriptorType == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR  ? (void *)&structures
                        : entry->descriptorType == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV ? &structures_nv
                                                                                                : NULL;
    for (uint32_t done = 0; done < entry->descriptorCount;) {
        uint32_t batch = entry->descriptorCount - done < WRITE_CHUNK ? entry->descriptorCount - done : WRITE_CHUNK;
        for (uint32_t i = 0; i < batch; i++)
            memcpy((char *)&chunk + i * bytes, data + entry->offset + (done + i) * entry->stride, bytes);
        structures.accelerationStructureCount = structures_nv.accelerationStructureCount = batch;
        const VkWriteDescriptorSet write = {
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .pNext = chain,
            .dstBinding = entry->dstBinding,
            .dstArrayElement = entry->dstArrayElement + done,
            .descriptorCount = batch,
            .descriptorType = entry->descriptorType,
            .pImageInfo = chunk.images,
            .pBufferInfo = chunk.buffers,
            .pTexelBufferView = chunk.texel_buffers,
        };
        visit(&write, user);
        done += batch;
    }
}

/*
 * Visits a SAMPLER binding with immutable samplers, whose infos are not read: the memory may have any content. A push
 * makes the samplers current (section "Push Descriptor Updates"), by a write without infos. Sets have them already; a
 * write would be harmful, because a driver may read its infos.
 */
static void visit_standing(const struct update_template *update, const VkDescriptorUpdateTemplateEntry *entry,
                           void (*visit)(const VkWriteDescriptorSet *write, void *user), void *user)
{
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstBinding = entry->dstBinding,
        .dstArrayElement = entry->dstArrayElement,
        .descriptorCount = entry->descriptorCount,
        .descriptorType = entry->descriptorType,
    };
    if (update->push)
        visit(&write, user);
}

static void template_visit_entry(const struct update_template *update, const VkDescriptorUpdateTemplateEntry *entry,
                                 const void *data, void (*visit)(const VkWriteDescriptorSet *write, void *user),
                                 void *user)
{
    const struct binding *binding = update->layout ? set_layout_binding(update->layout, entry->dstBinding) : NULL;
    if (binding && binding_stands(binding))
        visit_standing(update, entry, visit, user);
    else if (entry->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
        visit_inline(entry, data, visit, user);
    else if (descriptor_type_is_known(entry->descriptorType))
        visit_entry(entry, data, visit, user);
}

void template_visit(const struct update_template *update, const void *data,
                    void (*visit)(const VkWriteDescriptorSet *write, void *user), void *user)
{
    for (uint32_t i = 0; i < update->entry_count; i++)
        template_visit_entry(update, &update->entries[i], data, visit, user);
}

/* ---- Objects ---- */

static size_t template_bytes(const struct update_template *update)
{
    return sizeof(*update) + update->entry_count * (sizeof(update->entries[0]) + sizeof(update->runs[0]));
}

/* True: it has samplers, and nothing that cannot be written. */
static bool names_samplers(const struct update_template *update)
{
    bool samplers = false, known = true;
    for (uint32_t i = 0; i < update->entry_count; i++) {
        const VkDescriptorType type = update->entries[i].descriptorType;
        samplers |= type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
        known &= descriptor_type_is_known(type);
    }
    return samplers && known;
}

/* Makes the runs, of memory that has room for one an entry. */
static void compile_runs(struct update_template *update)
{
    const struct set_layout *layout = update->layout;
    update->runs = (struct template_run *)(void *)&update->entries[update->entry_count];
    update->samplers = !layout && names_samplers(update);
    if (update->samplers)
        return;
    if (layout && (!layout->briefs || layout_is_special(layout)))
        return;
    for (uint32_t i = 0; layout && i < update->entry_count; i++) {
        const VkDescriptorUpdateTemplateEntry *entry = &update->entries[i];
        const struct binding_brief *brief =
            entry->dstBinding < layout->index_count ? &layout->briefs[entry->dstBinding] : NULL;
        if (!entry->descriptorCount)
            continue;
        if (!brief || !brief_has(brief, entry->dstArrayElement, entry->descriptorCount))
            return;
        if (brief->first_record == SPIRV_NO_RECORD)
            continue;
        if (brief->saved_as != entry->descriptorType)
            return;
        const uint32_t first = brief->first_record + entry->dstArrayElement, end = first + entry->descriptorCount;
        update->runs[update->run_count++] =
            (struct template_run){entry->offset, entry->stride, first, entry->descriptorCount, entry->descriptorType};
        if (update->record_end < end)
            update->record_end = end;
        for (uint32_t r = first; entry->descriptorType != VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER && r < end; r++)
            update->stale |= UINT64_C(1) << r % 64;
    }
    const bool one = update->run_count == 1 && update->runs[0].count == 1;
    update->how = !update->run_count ? TEMPLATE_PASSES : one ? TEMPLATE_SAVES_ONE : TEMPLATE_SAVES_RUNS;
    update->offset = one ? update->runs[0].offset : 0;
}

/*
 * Creates the driver's template with the binding numbers of the driver's layout, of all entries, or of those that the
 * layer cannot write itself.
 */
static VkResult create_driver_template(struct device *device, const VkDescriptorUpdateTemplateCreateInfo *info,
                                       const struct update_template *update, bool all,
                                       const VkAllocationCallbacks *callbacks, VkDescriptorUpdateTemplate *created)
{
    const struct set_layout *layout = update->layout;
    VkDescriptorUpdateTemplateCreateInfo for_driver = *info;
    if (update->push && layout && layout->push_converted) {
        /* For the driver the set is no push set. */
        for_driver.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET;
        for_driver.descriptorSetLayout = layout->duplicate;
    }
    if (all && !(layout && (layout->renumbered || layout->push_converted)))
        return device->next.CreateDescriptorUpdateTemplate(device->handle, &for_driver, callbacks, created);

    struct update_template *scratch = object_alloc(device->track, NULL, template_bytes(update));
    if (!scratch)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < update->entry_count; i++) {
        const VkDescriptorUpdateTemplateEntry *entry = &update->entries[i];
        const struct binding *binding = layout ? set_layout_binding(layout, entry->dstBinding) : NULL;
        if (!all && descriptor_type_is_known(entry->descriptorType))
            continue;
        scratch->entries[scratch->entry_count] = *entry;
        if (binding)
            scratch->entries[scratch->entry_count].dstBinding = binding->new_binding;
        scratch->entry_count++;
    }
    for_driver.descriptorUpdateEntryCount = scratch->entry_count;
    for_driver.pDescriptorUpdateEntries = scratch->entries;
    const VkResult result =
        device->next.CreateDescriptorUpdateTemplate(device->handle, &for_driver, callbacks, created);
    object_free(device->track, NULL, scratch, template_bytes(update));
    return result;
}

/*
 * Creates a template of the entries that the layer cannot write itself, for templates that the layer may have to
 * replace by writes.
 */
static VkResult create_rest(struct device *device, const VkDescriptorUpdateTemplateCreateInfo *info,
                            struct update_template *update)
{
    bool any = false;
    for (uint32_t i = 0; update->layout && i < update->entry_count; i++)
        any |= !descriptor_type_is_known(update->entries[i].descriptorType);
    return any ? OR_NULL(create_driver_template(device, info, update, false, NULL, &update->rest), &update->rest)
               : VK_SUCCESS;
}

static void template_delete(struct device *device, const VkAllocationCallbacks *callbacks,
                            struct update_template *update)
{
    if (update->rest)
        device->next.DestroyDescriptorUpdateTemplate(device->handle, update->rest, NULL);
    set_layout_unref(device->track, update->layout);
    object_free(device->track, callbacks, update, template_bytes(update));
}

static struct set_layout *layout_of(struct track *track, const VkDescriptorUpdateTemplateCreateInfo *info)
{
    if (info->templateType == VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET)
        return set_layout_find(track, info->descriptorSetLayout);
    struct pipeline_layout *layout = pipeline_layout_find(track, info->pipelineLayout);
    return layout && info->set < layout->set_count ? layout->sets[info->set] : NULL;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateDescriptorUpdateTemplate(
    VkDevice handle, const VkDescriptorUpdateTemplateCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator,
    VkDescriptorUpdateTemplate *pDescriptorUpdateTemplate)
{
    struct device *device = device_of(handle);
    struct track *track = device->track;
    uint32_t entries = pCreateInfo->descriptorUpdateEntryCount;
    struct set_layout *layout = layout_of(track, pCreateInfo);
    struct update_template *update = object_alloc(
        track, pAllocator, sizeof(*update) + entries * (sizeof(update->entries[0]) + sizeof(update->runs[0])));
    if (!update)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    update->layout = set_layout_ref(layout);
    update->push = pCreateInfo->templateType != VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET;
    update->bind_point = pCreateInfo->pipelineBindPoint;
    update->entry_count = entries;
    memcpy(update->entries, pCreateInfo->pDescriptorUpdateEntries, entries * sizeof(update->entries[0]));
    compile_runs(update);

    VkDescriptorUpdateTemplate created = VK_NULL_HANDLE;
    VkResult result = create_rest(device, pCreateInfo, update);
    if (result == VK_SUCCESS)
        result = create_driver_template(device, pCreateInfo, update, true, pAllocator, &created);
    if (result == VK_SUCCESS && !table_insert(&track->descriptors->templates, HANDLE_KEY(created), update)) {
        device->next.DestroyDescriptorUpdateTemplate(handle, created, pAllocator);
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (result != VK_SUCCESS) {
        template_delete(device, pAllocator, update);
        return result;
    }
    *pDescriptorUpdateTemplate = created;
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyDescriptorUpdateTemplate(VkDevice handle,
                                                                VkDescriptorUpdateTemplate descriptorUpdateTemplate,
                                                                const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct update_template *update =
        table_remove(&device->track->descriptors->templates, HANDLE_KEY(descriptorUpdateTemplate));
    device->next.DestroyDescriptorUpdateTemplate(handle, descriptorUpdateTemplate, pAllocator);
    if (update)
        template_delete(device, pAllocator, update);
}

/* ---- vkUpdateDescriptorSetWithTemplate ---- */

struct templated {
    struct track *track;
    struct set *set;
    bool differs; /* the driver must get other data than the program's */
};

static void visit_records(const VkWriteDescriptorSet *write, void *user)
{
    struct templated *to = user;
    to->differs |= records_write(to->track, &to->set->records, to->set->layout, write);
}

void template_write(struct track *track, struct records *records, const struct update_template *update,
                    const char *data, void (*visit)(const VkWriteDescriptorSet *write, void *user), void *user)
{
    for (uint32_t i = 0; i < update->entry_count; i++) {
        const VkDescriptorUpdateTemplateEntry *entry = &update->entries[i];
        const struct binding_brief *brief =
            records_brief(records, entry->dstBinding, entry->dstArrayElement, entry->descriptorCount);
        if (brief && brief->first_record == SPIRV_NO_RECORD)
            continue;
        if (!brief || !records_save_write(track, records, brief, entry->dstArrayElement, entry->descriptorCount,
                                          entry->descriptorType, data + entry->offset, entry->stride))
            template_visit_entry(update, entry, data, visit, user);
    }
}

/* Writes one entry to a set whose records require emulation: the driver is called for each entry. */
static void visit_set(const VkWriteDescriptorSet *write, void *user)
{
    const struct templated *to = user;
    VkWriteDescriptorSet for_driver = *write;
    for_driver.dstSet = to->set->handle;
    set_write(to->track, to->set, &for_driver);
}

static void visit_split(const VkWriteDescriptorSet *write, void *user)
{
    const struct templated *to = user;
    split_put_written(to->track, &to->set->records, to->set->layout, write);
}

static void emit_to_set(const VkWriteDescriptorSet *write, void *user)
{
    const struct templated *to = user;
    VkWriteDescriptorSet for_driver = *write;
    for_driver.dstSet = to->set->handle;
    emit_update(&for_driver, to->track->device);
}

static void visit_driver(const VkWriteDescriptorSet *write, void *user)
{
    const struct templated *to = user;
    driver_write(to->track, to->set->layout, write, emit_to_set, user);
}

/* Replaces the program's template by writes, and a template for the rest. */
static void update_by_writes(const struct templated *to, const struct update_template *update, const void *data,
                             void (*visit)(const VkWriteDescriptorSet *write, void *user))
{
    const struct device *device = to->track->device;
    template_visit(update, data, visit, (void *)(uintptr_t)to);
    if (update->rest)
        device->next.UpdateDescriptorSetWithTemplate(device->handle, to->set->handle, update->rest, data);
}

/* True: none of the runs' samplers requires emulation, nor does a view. */
static bool runs_require_nothing(struct track *track, const struct update_template *update, const char *data)
{
    for (uint32_t i = 0; i < update->run_count; i++) {
        const struct template_run *run = &update->runs[i];
        for (uint32_t d = 0; d < run->count; d++) {
            if (!requires_nothing(track, run->type, data + run->offset + d * run->stride))
                return false;
        }
    }
    return true;
}

struct unresolved {
    const struct device *device;
    VkDescriptorSet set;
};

static void visit_unresolved(const VkWriteDescriptorSet *write, void *user)
{
    const struct unresolved *to = user;
    struct device *device = to->device->track->device;
    VkWriteDescriptorSet for_driver = *write;
    for_driver.dstSet = to->set;
    if (write_names_surplus(device->track, write))
        write_unresolved(device->track, &for_driver, emit_update, device);
    else
        emit_update(&for_driver, device);
}

AS_CALLED void update_set(const struct device *device, VkDescriptorSet descriptorSet,
                          VkDescriptorUpdateTemplate descriptorUpdateTemplate, const void *pData)
{
    struct track *track = device->track;
    struct update_template *update = template_find(track, descriptorUpdateTemplate);
    struct templated to = {track, set_find(track, descriptorSet), false};
    if (update && template_resolves(track, update)) {
        struct unresolved unresolved = {device, descriptorSet};
        template_visit(update, pData, visit_unresolved, &unresolved);
        return;
    }
    if (update && to.set && template_is_saved(update, &to.set->records) && runs_require_nothing(track, update, pData)) {
        template_save(update, &to.set->records, pData);
        device->next.UpdateDescriptorSetWithTemplate(device->handle, descriptorSet, descriptorUpdateTemplate, pData);
        return;
    }
    if (update && to.set && records_are(&to.set->records, RECORDS_NEEDED) &&
        !records_are(&to.set->records, RECORDS_NOT_SAVED | RECORDS_SPLIT_WANTED)) {
        update_by_writes(&to, update, pData, visit_set);
        return;
    }
    if (update && to.set)
        template_write(track, &to.set->records, update, pData, visit_records, &to);
    if (update && to.set && split_follow(&to.set->records, to.set->layout))
        template_visit(update, pData, visit_split, &to);
    if (update && to.set && (to.differs || records_are(&to.set->records, RECORDS_SPECIAL)))
        update_by_writes(&to, update, pData, visit_driver);
    else
        device->next.UpdateDescriptorSetWithTemplate(device->handle, descriptorSet, descriptorUpdateTemplate, pData);
}

/* The runs of one that saves; `one`: TEMPLATE_SAVES_ONE. */
AT_ONCE void update_saved(const struct device *device, VkDescriptorSet handle, const struct update_template *update,
                          const void *data, VkDescriptorUpdateTemplate program, bool one)
{
    struct track *track = device->track;
    struct set *set = table_probe(&track->sets, HANDLE_KEY(handle));
    if (set && !atomic_load_explicit(&track->requires_emulation, memory_order_relaxed) &&
        template_save_at_once(update, one, &set->records, data))
        device->next.UpdateDescriptorSetWithTemplate(device->handle, handle, program, data);
    else
        update_set(device, handle, program, data);
}

AS_CALLED void update_one_saved(const struct device *device, VkDescriptorSet set, VkDescriptorUpdateTemplate program,
                                const void *data, const struct update_template *update)
{
    update_saved(device, set, update, data, program, true);
}

AS_CALLED void update_runs_saved(const struct device *device, VkDescriptorSet set, VkDescriptorUpdateTemplate program,
                                 const void *data, const struct update_template *update)
{
    update_saved(device, set, update, data, program, false);
}

AT_ONCE void update_with(const struct device *device, VkDescriptorSet set, VkDescriptorUpdateTemplate program,
                         const void *data)
{
    const struct update_template *update = table_probe(&device->track->descriptors->templates, HANDLE_KEY(program));
    if (!update || update->how == TEMPLATE_WRITTEN)
        update_set(device, set, program, data);
    else if (update->how == TEMPLATE_PASSES)
        device->next.UpdateDescriptorSetWithTemplate(device->handle, set, program, data);
    else if (update->how == TEMPLATE_SAVES_ONE)
        update_one_saved(device, set, program, data, update);
    else
        update_runs_saved(device, set, program, data, update);
}

/* Of another device than the known one. */
AS_CALLED void update_with_other(VkDevice handle, VkDescriptorSet set, VkDescriptorUpdateTemplate program,
                                 const void *data)
{
    update_with(device_of(handle), set, program, data);
}

/* As hook_UpdateDescriptorSets(): most templates affect no record, or only have to be saved. */
VKAPI_ATTR void VKAPI_CALL hook_UpdateDescriptorSetWithTemplate(VkDevice device, VkDescriptorSet descriptorSet,
                                                                VkDescriptorUpdateTemplate descriptorUpdateTemplate,
                                                                const void *pData)
{
    if (device_is_known(device))
        update_with(known_device.device, descriptorSet, descriptorUpdateTemplate, pData);
    else
        update_with_other(device, descriptorSet, descriptorUpdateTemplate, pData);
}
