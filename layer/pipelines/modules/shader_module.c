/* SPDX-License-Identifier: MIT */
/* Shader modules of the program, and rewrites of them for a tier. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/object_names.h"
#include "modules/shader_module.h"
#include "device/device.h"
#include "device/message.h"
#include "hash.h"
#include "layouts/pipeline_layout.h"
#include "modules/modules.h"
#include "need/need.h"
#include "objects/table.h"
#include "objects/track.h"
#include "resolve/resolve.h"
#include "spirv/outputs.h"
#include "spirv/spirv.h"

/* ---- Modules ---- */

uint64_t module_hash(const uint32_t *words, size_t word_count)
{
    return hash_words(word_count, words, word_count);
}

struct shader_module *module_create(struct track *track, const uint32_t *words, size_t word_count)
{
    struct shader_module *module = object_alloc(track, NULL, sizeof(*module) + word_count * sizeof(*words));
    if (!module)
        return NULL;
    atomic_init(&module->references, 1);
    memcpy(module->words, words, word_count * sizeof(*words));
    module->word_count = word_count;
    module->hash = module_hash(module->words, word_count);
    module->malformed = spirv_scan(module->words, word_count, &module->facts) == SPIRV_MALFORMED;
    if (module->malformed)
        message_about(track->device, LOG_WARN, NULL,
                      "a shader module of %zu words does not parse as SPIR-V: it is passed on unchanged", word_count);
    return module;
}

struct shader_module *module_ref(struct shader_module *module)
{
    if (module)
        reference_add(&module->references);
    return module;
}

void module_unref(struct track *track, struct shader_module *module)
{
    if (module && reference_drop(&module->references))
        object_free(track, NULL, module, sizeof(*module) + module->word_count * sizeof(module->words[0]));
}

size_t module_describe(const struct shader_module *module, char *text, size_t size, size_t used)
{
    if (!module || !spirv_follows_records(&module->facts) || used >= size)
        return used;
    const int length = snprintf(text + used, size - used, "%smodule %016llx (%u lookups)", used ? ", " : "",
                                (unsigned long long)module->hash, module->facts.lookups);
    return length < 0 || (size_t)length >= size - used ? size : used + (size_t)length;
}

/* The driver's layout is not the program's, and no module can be made for it: handed on, it would read other memory. */
static VkResult refuse_module(struct track *track, const struct shader_module *module, const char *why)
{
    message_about(track->device, LOG_WARN, ABOUT_MODULE(module),
                  "shader module %016llx cannot be used with this layout: %s", (unsigned long long)module->hash, why);
    return VK_ERROR_UNKNOWN;
}

VkResult module_at_tier(struct track *track, const struct shader_module *module, const struct pipeline_layout *layout,
                        uint32_t tier, uint32_t **words, size_t *word_count)
{
    *words = NULL;
    *word_count = 0;
    if (!module)
        return VK_SUCCESS;
    const bool always = layout->renumbered || (layout->model == BINDING_HEAPS && module->facts.descriptor_sizes);
    if (module->malformed)
        return always ? refuse_module(track, module, "it does not parse as SPIR-V") : VK_SUCCESS;
    if (!always && (tier == 0 || !spirv_follows_records(&module->facts)))
        return VK_SUCCESS;
    if (module_cache_get(track, module, layout, tier, words, word_count))
        return VK_SUCCESS;

    const float bias = track->device->caps.resolve.max_lod_bias;
    const float own_bias = track->device->properties.limits.maxSamplerLodBias;
    const struct spirv_options options = {
        .tier = tier_reported(tier),
        .filter = tier == TIER_FILTER          ? SPIRV_FILTER_LEVEL
                  : tier == TIER_FILTER_LEVELS ? SPIRV_FILTER_LEVELS
                  : tier == TIER_FILTER_PROBES ? SPIRV_FILTER_PROBES
                                               : SPIRV_FILTER_TEXELS,
        .extras = tier == TIER_FILTER_EXTRAS,
        .masks = tier == TIER_CLAMP,
        .form = track->device->caps.form,
        .max_lod_bias = resolve_lod_bias_is_native(bias) ? 0.0f : bias,
        .own_lod_bias = track->device->caps.resolve.max_lod_bias_assumed ? own_bias : 0.0f,
        .most_lod_bias = resolve_most_lod_bias(bias),
        .rectangles = track->device->caps.enabled.glImageView,
        .votes = track->device->caps.votes,
        .gradients_in_front = track->device->caps.gradients_in_front,
        .texels_sampled = track->device->caps.texels_sampled,
        .texel_paths = (track->device->caps.texel.views ? SPIRV_TEXEL_VIEWS : 0u) |
                       (track->device->caps.texel.addresses ? SPIRV_TEXEL_ADDRESSES : 0u) |
                       (track->device->caps.texel.narrow ? SPIRV_TEXEL_NARROW : 0u),
    };
    struct spirv_output output;
    enum spirv_result result =
        spirv_rewrite(module->words, module->word_count, &layout->spirv, &options, NULL, &output);
    if (result == SPIRV_OUT_OF_MEMORY)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result == SPIRV_UNSUPPORTED)
        return refuse_module(track, module, output.message);
    if (output.message[0])
        message_about(track->device, LOG_WARN, ABOUT_MODULE(module), "shader module %016llx: %s",
                      (unsigned long long)module->hash, output.message);
    if (result == SPIRV_REWRITTEN && !inspect_rewrite(track, module, layout, tier, &output)) {
        /*
         * A refused rewrite is not used, except one of binding numbers, without which the module does not fit the
         * layout.
         */
        if (tier > 0) {
            free(output.words);
            return module_at_tier(track, module, layout, 0, words, word_count);
        }
    }
    if (result == SPIRV_REWRITTEN) {
        count(&track->counters.modules_rewritten, 1);
        *words = output.words;
        *word_count = output.word_count;
    }
    module_cache_put(track, (struct shader_module *)(uintptr_t)module, layout, tier, *words, *word_count);
    return VK_SUCCESS;
}

VkResult module_find_pairs(const struct track *track, const struct shader_module *module,
                           const struct pipeline_layout *layout, struct spirv_pairing *pairing)
{
    /* Only samplers with GL state have RECORD_NEED_FILTER_IF_UNCOMPARED, and the sets' contents must be known to draws.
     */
    const bool uncompared =
        module && module->facts.uncompared && track->device->caps.enabled.glSampler && layout->model == BINDING_SETS;
    if (!module || !module->facts.pairs || !((layout->split && !pairing->splits) || uncompared))
        return VK_SUCCESS;
    const enum spirv_result result = spirv_find_pairs(module->words, module->word_count, &layout->spirv, NULL, pairing);
    return result == SPIRV_OUT_OF_MEMORY ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_SUCCESS;
}

static VkResult create_driver_module(struct track *track, const uint32_t *words, size_t word_count,
                                     VkShaderModule *created)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = word_count * sizeof(*words), .pCode = words};
    return OR_NULL(track->device->next.CreateShaderModule(track->device->handle, &info, NULL, created), created);
}

VkResult module_driver(struct track *track, const struct shader_module *module, const struct pipeline_layout *layout,
                       uint32_t tier, bool always, VkShaderModule *created)
{
    uint32_t *words;
    size_t word_count;
    *created = VK_NULL_HANDLE;
    VkResult result = module_at_tier(track, module, layout, tier, &words, &word_count);
    if (result != VK_SUCCESS || (!words && !always))
        return result;
    result = words ? create_driver_module(track, words, word_count, created)
                   : create_driver_module(track, module->words, module->word_count, created);
    free(words);
    return result;
}

uint32_t module_finds_alpha_one(const struct shader_module *module, const struct spirv_alpha_one *wanted)
{
    return module->malformed ? 0 : spirv_find_alpha_one(module->words, module->word_count, wanted, NULL);
}

VkResult module_words_with_alpha_one(struct track *track, const struct shader_module *module,
                                     const struct pipeline_layout *layout, uint32_t tier,
                                     const struct spirv_alpha_one *alpha_one, uint32_t **words, size_t *word_count)
{
    struct spirv_output output;
    VkResult result = module_at_tier(track, module, layout, tier, words, word_count);
    if (result != VK_SUCCESS)
        return result;
    const enum spirv_result written =
        *words ? spirv_write_alpha_one(*words, *word_count, alpha_one, NULL, &output)
               : spirv_write_alpha_one(module->words, module->word_count, alpha_one, NULL, &output);
    free(*words);
    *words = NULL;
    if (written != SPIRV_REWRITTEN)
        return written == SPIRV_OUT_OF_MEMORY ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_ERROR_UNKNOWN;
    snprintf(output.message, sizeof(output.message), "alpha is 1 at the locations %#x", (unsigned)alpha_one->locations);
    /*
     * The variant's masks require that the shader writes 1: a refused rewrite fails the variant, and draws keep their
     * shader.
     */
    if (!inspect_rewrite(track, module, layout, tier, &output)) {
        free(output.words);
        return VK_ERROR_UNKNOWN;
    }
    *words = output.words;
    *word_count = output.word_count;
    return VK_SUCCESS;
}

/* A shader in which there is nothing to move: *words become a copy of the module's own where they are NULL. */
static VkResult keep_words(const struct shader_module *module, uint32_t **words, size_t *word_count)
{
    if (*words)
        return VK_SUCCESS;
    *words = malloc(module->word_count * sizeof(**words));
    *word_count = module->word_count;
    if (*words)
        memcpy(*words, module->words, module->word_count * sizeof(**words));
    return *words ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VkResult module_words_with_outputs(struct track *track, const struct shader_module *module,
                                   const struct pipeline_layout *layout, uint32_t tier,
                                   const struct spirv_outputs *outputs, uint32_t **words, size_t *word_count)
{
    struct spirv_output output;
    const char *why = NULL;
    *words = NULL;
    if (module->malformed ||
        spirv_find_outputs(module->words, module->word_count, outputs, NULL, &why) != SPIRV_OUTPUTS_ALL) {
        if (!why && !module->malformed)
            return VK_ERROR_OUT_OF_HOST_MEMORY;
        message_about(track->device, LOG_ERROR, ABOUT_MODULE(module),
                      "a fragment shader draws to attachments in another order of channels, and its outputs cannot be "
                      "moved: %s",
                      why ? why : "the layer cannot read it");
        return VK_ERROR_VALIDATION_FAILED_EXT;
    }
    VkResult result = module_at_tier(track, module, layout, tier, words, word_count);
    if (result != VK_SUCCESS)
        return result;
    const enum spirv_result written =
        *words ? spirv_write_outputs(*words, *word_count, outputs, NULL, &output)
               : spirv_write_outputs(module->words, module->word_count, outputs, NULL, &output);
    if (written == SPIRV_UNCHANGED)
        return keep_words(module, words, word_count);
    free(*words);
    *words = NULL;
    if (written != SPIRV_REWRITTEN)
        return written == SPIRV_OUT_OF_MEMORY ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_ERROR_UNKNOWN;
    snprintf(output.message, sizeof(output.message), "outputs and input attachments are moved");
    if (!inspect_rewrite(track, module, layout, tier, &output)) {
        free(output.words);
        return VK_ERROR_UNKNOWN;
    }
    *words = output.words;
    *word_count = output.word_count;
    return VK_SUCCESS;
}

VkResult module_changed(struct track *track, const struct shader_module *module, const struct pipeline_layout *layout,
                        uint32_t tier, const struct fragment_change *change, const char *entry, VkShaderModule *created)
{
    struct spirv_alpha_one alpha_one = change->alpha_one;
    struct spirv_outputs outputs = change->outputs;
    uint32_t *words;
    size_t word_count;
    alpha_one.entry = outputs.entry = entry;
    *created = VK_NULL_HANDLE;
    if (!change->moves && !alpha_one.locations)
        return module_driver(track, module, layout, tier, true, created);
    VkResult result = change->moves
                          ? module_words_with_outputs(track, module, layout, tier, &outputs, &words, &word_count)
                          : module_words_with_alpha_one(track, module, layout, tier, &alpha_one, &words, &word_count);
    if (result == VK_SUCCESS)
        result = create_driver_module(track, words, word_count, created);
    free(words);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateShaderModule(VkDevice handle, const VkShaderModuleCreateInfo *pCreateInfo,
                                                       const VkAllocationCallbacks *pAllocator,
                                                       VkShaderModule *pShaderModule)
{
    struct device *device = device_of(handle);
    struct track *track = device->track;
    struct shader_module *module = module_create(track, pCreateInfo->pCode, pCreateInfo->codeSize / sizeof(uint32_t));
    if (!module)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkShaderModule created = VK_NULL_HANDLE;
    VkResult result = device->next.CreateShaderModule(handle, pCreateInfo, pAllocator, &created);
    result = TRACKED_INSERT(result, track, &track->modules->modules, ShaderModule, created, module, pAllocator);
    if (result != VK_SUCCESS) {
        module_unref(track, module);
        return result;
    }
    atomic_store_explicit(&module->handle, HANDLE_KEY(created), memory_order_relaxed);
    module_identify(track, created, pCreateInfo, module);
    *pShaderModule = created;
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyShaderModule(VkDevice handle, VkShaderModule shaderModule,
                                                    const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct shader_module *module = table_remove(&device->track->modules->modules, HANDLE_KEY(shaderModule));
    object_gone(&device->names, VK_OBJECT_TYPE_SHADER_MODULE, HANDLE_KEY(shaderModule));
    if (module)
        atomic_store_explicit(&module->handle, 0, memory_order_relaxed);
    device->next.DestroyShaderModule(handle, shaderModule, pAllocator);
    module_unref(device->track, module);
}
