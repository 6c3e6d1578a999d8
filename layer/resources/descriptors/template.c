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
    return sizeof(*update) + update->entry_count * sizeof(update->entries[0]);
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
    struct update_template *update =
        object_alloc(track, pAllocator, sizeof(*update) + entries * sizeof(update->entries[0]));
    if (!update)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    update->layout = set_layout_ref(layout);
    update->push = pCreateInfo->templateType != VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET;
    update->bind_point = pCreateInfo->pipelineBindPoint;
    update->entry_count = entries;
    memcpy(update->entries, pCreateInfo->pDescriptorUpdateEntries, entries * sizeof(update->entries[0]));

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

static __attribute__((noinline)) void update_set(VkDevice handle, VkDescriptorSet descriptorSet,
                                                 VkDescriptorUpdateTemplate descriptorUpdateTemplate, const void *pData)
{
    struct device *device = device_of(handle);
    struct track *track = device->track;
    struct update_template *update = template_find(track, descriptorUpdateTemplate);
    struct templated to = {track, set_find(track, descriptorSet), false};
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
        device->next.UpdateDescriptorSetWithTemplate(handle, descriptorSet, descriptorUpdateTemplate, pData);
}

/* Saves the writes if a quick look shows that saving is enough. False: nothing was done. */
static inline __attribute__((always_inline)) bool save_template(struct track *track, struct records *records,
                                                                const struct update_template *update, const char *data)
{
    for (uint32_t i = 0; i < update->entry_count; i++) {
        const VkDescriptorUpdateTemplateEntry *entry = &update->entries[i];
        const struct binding_brief *brief =
            records_brief(records, entry->dstBinding, entry->dstArrayElement, entry->descriptorCount);
        if (brief && brief->first_record == SPIRV_NO_RECORD)
            continue;
        if (!brief || entry->descriptorType != brief->saved_as)
            return false;
        const char *at = data + entry->offset;
        for (uint32_t d = 0; d < entry->descriptorCount; d++, at += entry->stride) {
            if (!requires_nothing(track, entry->descriptorType, at))
                return false;
            save_one(records, brief->first_record + entry->dstArrayElement + d, entry->descriptorType, at);
        }
    }
    return true;
}

/* As hook_UpdateDescriptorSets(): most templates only have to be saved, which needs no stack. */
VKAPI_ATTR void VKAPI_CALL hook_UpdateDescriptorSetWithTemplate(VkDevice handle, VkDescriptorSet descriptorSet,
                                                                VkDescriptorUpdateTemplate descriptorUpdateTemplate,
                                                                const void *pData)
{
    const struct device *device = device_at_once(handle);
    struct track *track = device ? device->track : NULL;
    const struct update_template *update =
        track ? table_glance(&track->descriptors->templates, HANDLE_KEY(descriptorUpdateTemplate)) : NULL;
    struct set *set = update ? table_glance(&track->sets, HANDLE_KEY(descriptorSet)) : NULL;
    if (set && records_follow_saved_writes(&set->records, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER) &&
        save_template(track, &set->records, update, pData))
        device->next.UpdateDescriptorSetWithTemplate(handle, descriptorSet, descriptorUpdateTemplate, pData);
    else
        update_set(handle, descriptorSet, descriptorUpdateTemplate, pData);
}
