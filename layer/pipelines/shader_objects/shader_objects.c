/* SPDX-License-Identifier: MIT */
/*
 * Shader objects. The program's handle is the passthrough shader; a draw that needs a higher tier binds unlinked
 * shaders of that tier instead, which are made when they are first needed.
 */
#include "shader_objects/shader_objects.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "ahead/ahead.h"
#include "attachments/attachments.h"
#include "device/device.h"
#include "device/held.h"
#include "device/object_names.h"
#include "layouts/heap_layout.h"
#include "layouts/kept_layout.h"
#include "layouts/layouts.h"
#include "layouts/pipeline_layout.h"
#include "modules/shader_module.h"
#include "need/need.h"
#include "objects/table.h"
#include "objects/track.h"
#include "pipelines/pipeline_blend.h"
#include "pipelines/pipeline_order.h"
#include "pipelines/pipelines.h"
#include "vulkan_copy.h"

bool shader_objects_init(struct track *track)
{
    return table_init(&track->shader_objects->objects);
}

void shader_objects_finish(struct track *track)
{
    table_finish(&track->shader_objects->objects);
}

static void destroy(struct track *track, uint64_t made)
{
    track->device->next.DestroyShaderEXT(track->device->handle, HANDLE_OF(VkShaderEXT, made), NULL);
}

static void object_delete(struct track *track, struct shader_object *object)
{
    for (uint32_t tier = 1; tier < TIER_COUNT; tier++) {
        const uint64_t made = atomic_load_explicit(&object->tiers[tier].made, memory_order_relaxed);
        if (made && !object->tiers[tier].borrowed)
            destroy(track, made);
    }
    variants_free(track, &object->variants, destroy);
    for (uint32_t i = 0; object->kept && i < object->info.setLayoutCount; i++)
        kept_layout_unref(track, object->kept[i]);
    module_unref(track, object->module);
    pipeline_layout_unref(track, object->layout);
    free(object->stage_copy);
    free(object->ranges);
    free(object->set_layouts);
    free(object->kept);
    object_free(track, NULL, object, sizeof(*object));
}

/* ---- Saved create-infos ---- */

/* A stage of a pipeline has the same name, specialization and chain; its copy is one block. */
static VkResult copy_stage(struct shader_object *object, const VkShaderCreateInfoEXT *info)
{
    const VkComputePipelineCreateInfo as_stage = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = info->pNext,
                  .stage = info->stage,
                  .pName = info->pName,
                  .pSpecializationInfo = info->pSpecializationInfo}};
    enum copy_result copied;
    object->stage_copy = copy_VkComputePipelineCreateInfo(&as_stage, &copied);
    return copied == COPY_OK                  ? VK_SUCCESS
           : copied == COPY_UNKNOWN_STRUCTURE ? VK_INCOMPLETE
                                              : VK_ERROR_OUT_OF_HOST_MEMORY;
}

static VkResult keep_info(struct track *track, struct shader_object *object, const VkShaderCreateInfoEXT *info)
{
    object->info = *info;
    object->ranges = calloc(info->pushConstantRangeCount + 1, sizeof(*object->ranges));
    object->set_layouts = calloc(info->setLayoutCount + 1, sizeof(*object->set_layouts));
    object->kept = calloc(info->setLayoutCount + 1, sizeof(*object->kept));
    if (!object->ranges || !object->set_layouts || !object->kept)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (info->pushConstantRangeCount)
        memcpy(object->ranges, info->pPushConstantRanges, info->pushConstantRangeCount * sizeof(*object->ranges));
    for (uint32_t i = 0; i < info->setLayoutCount; i++) {
        object->kept[i] = kept_layout_ref(track, info->pSetLayouts[i]);
        object->set_layouts[i] = object->kept[i] ? object->kept[i]->duplicate : VK_NULL_HANDLE;
    }
    const VkResult result = copy_stage(object, info);
    object->info.flags &= ~(VkShaderCreateFlagsEXT)VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;
    /* With heaps both must be NULL, not only empty. */
    object->info.pPushConstantRanges = info->pushConstantRangeCount ? object->ranges : NULL;
    object->info.pSetLayouts = info->setLayoutCount ? object->set_layouts : NULL;
    if (result == VK_SUCCESS) {
        object->info.pNext = object->stage_copy->stage.pNext;
        object->info.pName = object->stage_copy->stage.pName;
        object->info.pSpecializationInfo = object->stage_copy->stage.pSpecializationInfo;
    }
    return result;
}

/* ---- Tiers ---- */

static VkResult moved_words(struct track *track, const struct shader_object *object, uint32_t tier,
                            const struct order_variant *variant, uint32_t **words, size_t *word_count)
{
    struct spirv_outputs outputs = order_variant_outputs(variant);
    outputs.entry = object->info.pName;
    const VkResult result =
        module_words_with_outputs(track, object->module, object->layout, tier, &outputs, words, word_count);
    if (result == VK_SUCCESS)
        count(&track->counters.outputs_moved, 1);
    return result;
}

static VkResult variant_words(struct track *track, const struct shader_object *object, uint32_t tier, uint32_t key,
                              uint32_t **words, size_t *word_count)
{
    const struct order_variant *variant = key_is_order(key) ? order_variant_find(track, key) : NULL;
    if (variant)
        return moved_words(track, object, tier, variant, words, word_count);
    const struct written_alpha written = pipeline_blend_written(key);
    const struct spirv_alpha_one alpha_one = {.entry = object->info.pName,
                                              .locations = written.all,
                                              .integers = object->writable.integers & written.all,
                                              .times_alpha = written.times_alpha,
                                              .times_rest = written.times_rest};
    const VkResult result =
        module_words_with_alpha_one(track, object->module, object->layout, tier, &alpha_one, words, word_count);
    if (result == VK_SUCCESS)
        count(&track->counters.alpha_written, 1);
    return result;
}

static VkResult make_tier(struct track *track, void *owner, uint32_t tier, uint32_t key, enum tier_cause cause,
                          struct tier_slot *made)
{
    const struct shader_object *object = owner;
    (void)cause; /* shader objects have no flags of calls */
    VkShaderEXT shader;
    uint32_t *words;
    size_t word_count;
    VkResult result = key ? variant_words(track, object, tier, key, &words, &word_count)
                          : module_at_tier(track, object->module, object->layout, tier, &words, &word_count);
    if (result != VK_SUCCESS)
        return result;
    if (!words && !object->linked) {
        made->borrowed = true;
        atomic_store_explicit(&made->made, HANDLE_KEY(object->handle), memory_order_relaxed);
        return VK_SUCCESS;
    }
    VkShaderCreateInfoEXT info = object->info;
    info.codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT;
    info.pCode = words ? words : object->module->words;
    info.codeSize = (words ? word_count : object->module->word_count) * sizeof(uint32_t);
    result = OR_NULL(track->device->next.CreateShadersEXT(track->device->handle, 1, &info, NULL, &shader), &shader);
    atomic_store_explicit(&made->made, HANDLE_KEY(shader), memory_order_relaxed);
    free(words);
    return result;
}

static void report(const void *object, char *text, size_t size)
{
    text[0] = 0;
    module_describe(((const struct shader_object *)object)->module, text, size, 0);
}

static struct tier_owner owner_of(struct shader_object *object)
{
    return (struct tier_owner){object, VK_OBJECT_TYPE_SHADER_EXT, &object->lives, make_tier, destroy, report};
}

static VkShaderEXT object_tier(struct track *track, struct shader_object *object, uint32_t tier, enum tier_cause cause,
                               VkResult *error)
{
    const struct tier_owner owner = owner_of(object);
    return HANDLE_OF(VkShaderEXT, tier_made(track, &object->tiers[tier], &owner, tier, 0, cause, error));
}

static VkShaderEXT object_variant(struct track *track, struct shader_object *object, uint32_t tier, uint32_t key,
                                  enum tier_cause cause)
{
    const struct tier_owner owner = owner_of(object);
    struct tier_slot *slot = variant_slot(track, object, &object->variants, tier, key);
    VkResult ignored;
    return slot ? HANDLE_OF(VkShaderEXT, tier_made(track, slot, &owner, tier, key, cause, &ignored)) : VK_NULL_HANDLE;
}

VkShaderEXT shader_object_variant(struct track *track, struct shader_object *object, uint32_t tier, uint32_t key)
{
    return object_variant(track, object, tier, key, TIER_AT_DRAW);
}

VkShaderEXT shader_object_tier(struct track *track, struct shader_object *object, uint32_t tier, VkResult *error)
{
    const VkShaderEXT shader = object_tier(track, object, tier, TIER_AT_DRAW, error);
    return shader ? shader : object->handle;
}

static struct shader_object *object_of(struct ahead_item *item)
{
    return (struct shader_object *)(void *)((char *)item - offsetof(struct shader_object, ahead.item));
}

static void make_ahead(struct track *track, struct ahead_item *item, uint32_t tier)
{
    VkResult ignored;
    object_tier(track, object_of(item), tier, TIER_AHEAD, &ignored);
}

static void release(struct track *track, struct ahead_item *item)
{
    object_delete(track, object_of(item));
}

static const struct ahead_kind objects_kind = {make_ahead, release};

VkShaderEXT shader_object_bound(struct track *track, struct shader_object *object, uint32_t tier, VkResult *error)
{
    *error = VK_SUCCESS;
    if (!tier || object->fixed || !(object->follows || object->linked))
        return object->handle;
    return shader_object_tier(track, object, tier, error);
}

/* ---- Creation ---- */

struct object_creation {
    bool rooted;                  /* it has all push constants */
    struct shader_object *object; /* NULL: the driver has it, or nobody */
    struct shader_module *module; /* referenced: of a binary of the layer's; else NULL */
    uint32_t *words;              /* of the passthrough shader, where binding numbers moved */
    struct heap_chain mapped;     /* its chain with other mappings to heaps */
};

/*
 * One that the GPU selects by its handle, or whose chain cannot be copied, is made in the tier that it has for its
 * whole life.
 */
static void fix_tier(struct track *track, struct shader_object *object)
{
    object->fixed = true;
    object->fixed_tier = fixed_tier(track, object->follows);
    object->linked = false;
}

/* Whether it may have variants that write the alpha of attachments without alpha. */
static bool may_write_alpha(const struct track *track, const VkShaderCreateInfoEXT *info)
{
    return info->stage == VK_SHADER_STAGE_FRAGMENT_BIT && track->device->caps.rgbx_attachments &&
           track->device->caps.alpha_written;
}

static void find_writable(struct shader_object *object)
{
    struct writable_alpha *found = &object->writable;
    struct spirv_alpha_one alpha_one = {.entry = object->info.pName, .locations = (1u << COLOR_ATTACHMENTS) - 1};
    found->floats = module_finds_alpha_one(object->module, &alpha_one);
    alpha_one.integers = alpha_one.locations & ~found->floats;
    found->integers = alpha_one.integers ? module_finds_alpha_one(object->module, &alpha_one) & alpha_one.integers : 0;
    alpha_one =
        (struct spirv_alpha_one){.entry = object->info.pName, .locations = found->floats, .times_alpha = found->floats};
    found->multiplied = found->floats ? module_finds_alpha_one(object->module, &alpha_one) : 0;
}

/* SPIR-V of the tier that the program's handle has. */
static VkResult give_words(struct track *track, VkShaderCreateInfoEXT *info, struct object_creation *creation)
{
    const struct shader_object *object = creation->object;
    size_t word_count = 0;
    const VkResult result =
        module_at_tier(track, object->module, object->layout, object->fixed_tier, &creation->words, &word_count);
    if (result != VK_SUCCESS)
        return result;
    shader_code_of_module(object->module, info);
    if (creation->words) {
        info->pCode = creation->words;
        info->codeSize = word_count * sizeof(uint32_t);
    }
    return VK_SUCCESS;
}

/* The object of a shader; *info is what the driver gets. */
static VkResult open_object(struct track *track, VkShaderCreateInfoEXT *info, struct object_creation *creation)
{
    struct shader_object *object = creation->object;
    object->module = creation->module ? module_ref(creation->module)
                                      : module_create(track, info->pCode, info->codeSize / sizeof(uint32_t));
    if (!object->module)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    object->linked = info->flags & VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;
    object->rooted = creation->rooted;
    object->follows = object->layout->records ? pipeline_layout_follows(object->layout, &object->module->facts) : 0;
    VkResult result = module_find_pairs(track, object->module, object->layout, &object->pairing);
    if (object->pairing.splits)
        atomic_store(&track->split, true);
    if (result == VK_SUCCESS)
        result = keep_info(track, object, info);
    if (result == VK_INCOMPLETE || (info->flags & VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT))
        fix_tier(track, object);
    if (result == VK_INCOMPLETE)
        result = VK_SUCCESS;
    if (may_write_alpha(track, info) && !object->fixed && !object->linked)
        find_writable(object);
    /* A binary may be that of the passthrough shader. */
    if (result == VK_SUCCESS && (info->codeType == VK_SHADER_CODE_TYPE_SPIRV_EXT || object->fixed_tier))
        result = give_words(track, info, creation);
    return result;
}

static void creation_close(struct track *track, struct object_creation *creation)
{
    if (creation->object)
        object_delete(track, creation->object);
    heap_chain_finish(&creation->mapped);
    module_unref(track, creation->module);
    free(creation->words);
}

/* The layout of its sets, or of its mappings to heaps. NULL: *result says why. */
static struct pipeline_layout *layout_of(struct track *track, VkShaderCreateInfoEXT *info,
                                         struct object_creation *creation, VkResult *result)
{
    if (track->device->caps.app_descriptors.heaps && (info->flags & VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT))
        return heap_layout_of_stage(track, true, &info->pNext, &creation->mapped, result);
    struct pipeline_layout *layout = pipeline_layout_create(track);
    *result = layout && pipeline_layout_fill(track, info->setLayoutCount, info->pSetLayouts, layout)
                  ? pipeline_layout_check(track, layout, "vkCreateShadersEXT")
                  : VK_ERROR_OUT_OF_HOST_MEMORY;
    if (*result == VK_SUCCESS)
        return layout;
    pipeline_layout_unref(track, layout);
    return NULL;
}

static VkResult creation_open(struct track *track, VkShaderCreateInfoEXT *info, struct object_creation *creation)
{
    VkResult result;
    struct pipeline_layout *layout = layout_of(track, info, creation, &result);
    if (!layout)
        return result;
    if (info->codeType == VK_SHADER_CODE_TYPE_BINARY_EXT)
        result = shader_binary_open(track, info, creation->rooted, &creation->module);
    if (result == VK_SUCCESS) {
        creation->object = object_alloc(track, NULL, sizeof(*creation->object));
        if (creation->object) {
            creation->object->layout = pipeline_layout_ref(layout);
            result = open_object(track, info, creation);
        } else {
            result = VK_ERROR_OUT_OF_HOST_MEMORY;
        }
    }
    pipeline_layout_unref(track, layout);
    return result;
}

/* After the driver has made it. */
static bool adopt(struct track *track, struct object_creation *creation, VkShaderEXT shader)
{
    struct shader_object *object = creation->object;
    if (!object)
        return true;
    object->handle = shader;
    atomic_init(&object->lives, HANDLE_KEY(shader));
    object->tiers[object->fixed_tier].borrowed = true;
    atomic_store_explicit(&object->tiers[object->fixed_tier].made, HANDLE_KEY(shader), memory_order_relaxed);
    if (object->fixed)
        count(&track->counters.pipelines[tier_reported(object->fixed_tier)], 1);
    if (!table_insert(&track->shader_objects->objects, HANDLE_KEY(shader), object))
        return false;
    /* The usual variant, so that draws do not wait for it: most shaders write one colour. */
    if ((object->writable.floats & 1) && alpha_writes_floats(track) &&
        track->device->instance->settings.tiers != TIERS_LAZY)
        object_variant(track, object, 0, written_alpha_key((struct written_alpha){.all = 1}), TIER_AT_CREATION);
    object->ahead.kind = &objects_kind;
    if (!object->fixed && pipeline_layout_lasts(track, object->layout))
        ahead_add(track, &object->ahead, object->follows);
    creation->object = NULL;
    return true;
}

/*
 * Stages that are linked must be bound together (VUID-vkCmdDraw-None-08698), so they change their tiers together. Where
 * one has a fixed tier, or some are binaries and others are not, none is linked: linking affects nothing but speed.
 */
static VkResult unlink_unlike(struct track *track, uint32_t count, VkShaderCreateInfoEXT *infos,
                              struct object_creation *creations)
{
    const VkShaderCreateInfoEXT *first = NULL;
    bool unlike = false;
    for (uint32_t i = 0; i < count; i++) {
        if (!(infos[i].flags & VK_SHADER_CREATE_LINK_STAGE_BIT_EXT))
            continue;
        first = first ? first : &infos[i];
        unlike |= infos[i].codeType != first->codeType || creations[i].object->fixed;
    }
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < count && unlike && result == VK_SUCCESS; i++) {
        if (!(infos[i].flags & VK_SHADER_CREATE_LINK_STAGE_BIT_EXT))
            continue;
        infos[i].flags &= ~(VkShaderCreateFlagsEXT)VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;
        creations[i].object->linked = false;
        if (infos[i].codeType == VK_SHADER_CODE_TYPE_BINARY_EXT) /* of a shader that was linked */
            result = give_words(track, &infos[i], &creations[i]);
    }
    return result;
}

/* The first shader that fails is known by the first null handle: those before it are made. */
VKAPI_ATTR VkResult VKAPI_CALL hook_CreateShadersEXT(VkDevice handle, uint32_t createInfoCount,
                                                     const VkShaderCreateInfoEXT *pCreateInfos,
                                                     const VkAllocationCallbacks *pAllocator, VkShaderEXT *pShaders)
{
    struct device *device = device_of(handle);
    struct track *track = device->track;
    VkShaderCreateInfoEXT *infos = calloc(createInfoCount, sizeof(*infos));
    struct object_creation *creations = calloc(createInfoCount, sizeof(*creations));
    VkResult opened = infos && creations ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY, result = VK_SUCCESS;
    uint32_t ready = 0;
    messages_report_left(device->instance);
    const bool rooted = layouts_rooted(track); /* for all of a call alike: linked ones must have the same ranges */
    memset(pShaders, 0, createInfoCount * sizeof(*pShaders)); /* as for pipelines */
    while (ready < createInfoCount && opened == VK_SUCCESS) {
        infos[ready] = pCreateInfos[ready];
        const bool heaps = infos[ready].flags & VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT; /* which have no layouts */
        creations[ready].rooted = rooted && !heaps;
        if (creations[ready].rooted) { /* as in pipeline_layout_driver */
            infos[ready].pushConstantRangeCount = 1;
            infos[ready].pPushConstantRanges = &track->layouts->pushes;
        }
        opened = creation_open(track, &infos[ready], &creations[ready]);
        ready += opened == VK_SUCCESS;
    }
    const VkResult unlinked = ready ? unlink_unlike(track, ready, infos, creations) : VK_SUCCESS;
    if (unlinked != VK_SUCCESS) {
        ready = 0;
        opened = unlinked;
    }
    if (ready)
        result = device->next.CreateShadersEXT(handle, ready, infos, pAllocator, pShaders);
    for (uint32_t i = 0; i < ready; i++) {
        if (pShaders[i] && !adopt(track, &creations[i], pShaders[i])) {
            device->next.DestroyShaderEXT(handle, pShaders[i], pAllocator);
            pShaders[i] = VK_NULL_HANDLE;
            result = VK_ERROR_OUT_OF_HOST_MEMORY;
        }
    }
    for (uint32_t i = 0; creations && i < createInfoCount; i++)
        creation_close(track, &creations[i]);
    free(creations);
    free(infos);
    return result != VK_SUCCESS ? result : opened;
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyShaderEXT(VkDevice handle, VkShaderEXT shader,
                                                 const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct shader_object *object = table_remove(&device->track->shader_objects->objects, HANDLE_KEY(shader));
    object_gone(&device->names, VK_OBJECT_TYPE_SHADER_EXT, HANDLE_KEY(shader));
    if (object)
        atomic_store_explicit(&object->lives, 0, memory_order_relaxed);
    if (object && ahead_remove(device->track, &object->ahead))
        object_delete(device->track, object);
    device->next.DestroyShaderEXT(handle, shader, pAllocator);
}
