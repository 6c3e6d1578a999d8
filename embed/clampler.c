/* SPDX-License-Identifier: MIT */
#include "clampler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blend/blend.h"
#include "resolve/resolve.h"
#include "spirv/spirv.h"

_Static_assert(sizeof(((struct clampler_resolved *)0)->record) == sizeof(struct record), "records are copied");

uint32_t clampler_version(void)
{
    return CLAMPLER_INTERFACE_VERSION;
}

static struct resolve_caps caps_of(const struct clampler_device *device)
{
    return (struct resolve_caps){
        .mirror_clamp_to_edge = device->mirror_clamp_to_edge,
        .anisotropy = device->anisotropy,
        .custom_border_color = device->custom_border_color,
        .custom_border_color_without_format = device->custom_border_color_without_format,
        .border_swizzle = device->border_swizzle,
        .border_swizzle_from_image = device->border_swizzle_from_image,
        .non_seamless_cube = device->non_seamless_cube,
        .least_lods = device->shader_resource_min_lod,
        .sampler_filter_minmax = device->filter_minmax,
        .minmax_swizzle = device->minmax_swizzle,
        .gl_fallback = RESOLVE_FALLBACK_SHADER,
        .max_lod_bias = device->max_lod_bias,
        .max_anisotropy = device->max_anisotropy,
    };
}

/* Copies the driver's sampler with the structures that it needs; they are where the result has its own. */
static void take_sampler(const struct driver_sampler *driver, struct clampler_resolved *resolved)
{
    struct driver_sampler_chain chain;
    const VkSamplerCreateInfo *info = resolve_driver_info(driver, &chain);
    resolved->sampler = *info;
    resolved->sampler.pNext = NULL;
    for (const VkBaseInStructure *next = info->pNext; next; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO) {
            memcpy(&resolved->reduction, next, sizeof(resolved->reduction));
            resolved->reduction.pNext = resolved->sampler.pNext;
            resolved->sampler.pNext = &resolved->reduction;
        } else if (next->sType == VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT) {
            memcpy(&resolved->border, next, sizeof(resolved->border));
            resolved->border.pNext = resolved->sampler.pNext;
            resolved->sampler.pNext = &resolved->border;
        } else {
            memcpy(&resolved->mapping, next, sizeof(resolved->mapping));
            resolved->mapping.pNext = resolved->sampler.pNext;
            resolved->sampler.pNext = &resolved->mapping;
        }
    }
}

enum clampler_result clampler_resolve(const VkSamplerGLStateCreateInfoCLAMPLER *sampler, VkSamplerCreateFlags flags,
                                      const struct clampler_view *view, const struct clampler_device *device,
                                      struct clampler_resolved *resolved)
{
    *resolved = (struct clampler_resolved){0};
    const struct resolve_caps caps = caps_of(device);
    struct sampler_state state;
    struct view_facts facts;
    const char *why = "";
    bool good = resolve_gl_state(sampler, flags, &caps, &state, &why);
    if (good && view->gl)
        good = view_facts_from_gl(view->gl, view->info, &facts, &resolved->components, &why);
    else if (good) {
        view_facts_from_vk(view->info, &facts);
        resolved->components = view->info->components;
    }
    if (!good) {
        snprintf(resolved->message, sizeof(resolved->message), "%s", why);
        return CLAMPLER_BAD_INPUT;
    }
    facts.width = view->width;
    facts.height = view->height;
    facts.depth = view->depth;
    facts.levels = (uint8_t)(view->levels < 1 ? 1 : view->levels > 31 ? 31 : view->levels);
    facts.linear = view->linear;
    facts.minmax = view->minmax;
    facts.unorm_auxiliary = view->unorm_twin;

    struct resolve_result result;
    resolve_decide(&state, &facts, &caps, &result);
    take_sampler(&result.driver, resolved);
    static const enum clampler_view_kind kinds[] = {[RESOLVE_VIEW_UNMAPPED] = CLAMPLER_VIEW_PLAIN,
                                                    [RESOLVE_VIEW_SAMPLED] = CLAMPLER_VIEW_SAMPLED,
                                                    [RESOLVE_VIEW_UNORM] = CLAMPLER_VIEW_UNORM,
                                                    [RESOLVE_VIEW_INCOMPLETE] = CLAMPLER_VIEW_INCOMPLETE};
    resolved->view = kinds[result.view];
    memcpy(resolved->record, &result.record, sizeof(resolved->record));
    resolved->tier = result.tier;
    resolve_explain(&state, &facts, &caps, resolved->message, sizeof(resolved->message));
    return CLAMPLER_SUCCESS;
}

static void *reallocate_by_libc(void *user, void *memory, size_t size)
{
    (void)user;
    if (size == 0) {
        free(memory);
        return NULL;
    }
    return realloc(memory, size);
}

enum clampler_result clampler_rewrite(const struct clampler_rewrite_info *info, struct clampler_rewritten *rewritten)
{
    *rewritten = (struct clampler_rewritten){0};
    const struct spirv_allocator allocator = {info->reallocate ? info->reallocate : reallocate_by_libc,
                                              info->reallocate ? info->user : NULL};
    uint64_t total = 0;
    for (uint32_t i = 0; i < info->set_count; i++)
        total += info->sets[i].binding_count;
    const uint64_t bytes = info->set_count * sizeof(struct spirv_set) + total * sizeof(struct spirv_binding);
    if (bytes > SIZE_MAX / 2)
        return CLAMPLER_OUT_OF_MEMORY;
    struct spirv_set *sets = allocator.reallocate(allocator.user, NULL, bytes ? (size_t)bytes : 1);
    if (!sets)
        return CLAMPLER_OUT_OF_MEMORY;
    struct spirv_binding *bindings = (struct spirv_binding *)(void *)(sets + info->set_count);
    for (uint32_t i = 0; i < info->set_count; i++) {
        const struct clampler_set *set = &info->sets[i];
        sets[i] = (struct spirv_set){.bindings = bindings,
                                     .binding_count = set->binding_count,
                                     .record_binding = set->record_binding,
                                     .record_count = set->record_count,
                                     .storage = set->storage};
        for (uint32_t j = 0; j < set->binding_count; j++)
            *bindings++ = (struct spirv_binding){.binding = set->bindings[j].binding,
                                                 .new_binding = set->bindings[j].binding,
                                                 .first_record = set->bindings[j].first_record,
                                                 .count = set->bindings[j].count};
    }
    const struct spirv_layout layout = {.sets = sets, .set_count = info->set_count};
    const struct spirv_options options = {.tier = info->tier,
                                          .form = info->cpu ? SPIRV_FORM_CPU : SPIRV_FORM_GPU,
                                          .max_lod_bias = info->max_lod_bias,
                                          .most_lod_bias = resolve_most_lod_bias(info->max_lod_bias),
                                          .extras = true,
                                          .rectangles = true,
                                          .gradients_in_front = true};
    struct spirv_output output;
    const enum spirv_result result =
        spirv_rewrite(info->words, info->word_count, &layout, &options, &allocator, &output);
    allocator.reallocate(allocator.user, sets, 0);
    rewritten->words = output.words;
    rewritten->word_count = output.word_count;
    rewritten->lookups = output.rewritten_lookups;
    snprintf(rewritten->message, sizeof(rewritten->message), "%s", output.message);
    static const enum clampler_result results[] = {[SPIRV_UNCHANGED] = CLAMPLER_UNCHANGED,
                                                   [SPIRV_REWRITTEN] = CLAMPLER_SUCCESS,
                                                   [SPIRV_MALFORMED] = CLAMPLER_BAD_INPUT,
                                                   [SPIRV_OUT_OF_MEMORY] = CLAMPLER_OUT_OF_MEMORY,
                                                   [SPIRV_UNSUPPORTED] = CLAMPLER_UNSUPPORTED};
    return results[result];
}

VkPipelineColorBlendAttachmentState clampler_blend(const VkPipelineColorBlendAttachmentState *state, bool logic)
{
    return blend_state(state, BLEND_MASKED, logic, false);
}
