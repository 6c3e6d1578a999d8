/* SPDX-License-Identifier: MIT */
/*
 * Shader modules (shader_module.c), dumps and validation (inspect.c), modules by their identifiers (identifiers.c), and
 * rewritten modules by content (module_cache.c). Modules are counted; any thread.
 */
#ifndef CLAMPLER_MODULES_SHADER_MODULE_H
#define CLAMPLER_MODULES_SHADER_MODULE_H

#include <stdatomic.h>

#include "layouts/pipeline_layout.h"
#include "modules/modules.h"
#include "objects/table.h"
#include "objects/track.h"
#include "spirv/outputs.h"
#include "spirv/spirv.h"

struct shader_module {
    atomic_uint references;
    struct spirv_facts facts; /* zero if the words do not parse: the module is never changed */
    bool malformed;
    uint64_t hash;            /* of the words */
    _Atomic(uint64_t) handle; /* the program's, while it has one: for messages */
    size_t word_count;
    uint32_t words[];
};

static inline struct shader_module *module_find(struct track *track, VkShaderModule handle)
{
    return table_find(&track->modules->modules, HANDLE_KEY(handle));
}

/* The object of messages about a module. */
#define ABOUT_MODULE(module)                                                                                           \
    ABOUT({VK_OBJECT_TYPE_SHADER_MODULE, atomic_load_explicit(&(module)->handle, memory_order_relaxed)})

/* The hash of a module's words, which messages and dumps show. */
uint64_t module_hash(const uint32_t *words, size_t word_count);

/* A module object for these words, with one reference, or NULL if memory runs out. */
struct shader_module *module_create(struct track *track, const uint32_t *words, size_t word_count);
struct shader_module *module_ref(struct shader_module *module);
void module_unref(struct track *track, struct shader_module *module);

/* Appends a description of a module and its lookups to `text`; returns the new length. */
size_t module_describe(const struct shader_module *module, char *text, size_t size, size_t used);

/* ---- Dumps and validation (inspect.c) ---- */

/*
 * Dumps and validates a rewritten module where the settings say so. False, after a message: it is not valid and must
 * not be used. Thread-safe.
 */
bool inspect_rewrite(struct track *track, const struct shader_module *module, const struct pipeline_layout *layout,
                     uint32_t tier, const struct spirv_output *output);

/*
 * The words of a module at a tier, under a pipeline layout. VK_SUCCESS with *words NULL: the module's own. Else *words
 * belongs to the caller, who frees it with free().
 */
VkResult module_at_tier(struct track *track, const struct shader_module *module, const struct pipeline_layout *layout,
                        uint32_t tier, uint32_t **words, size_t *word_count);

/* Adds what it puts together of these sets, as far as draws ask for it. VK_ERROR_OUT_OF_HOST_MEMORY: not known. */
VkResult module_find_pairs(const struct track *track, const struct shader_module *module,
                           const struct pipeline_layout *layout, struct spirv_pairing *pairing);

/*
 * The same as a driver's module; *created stays VK_NULL_HANDLE if the module's own words are unchanged and `always` is
 * false.
 */
VkResult module_driver(struct track *track, const struct shader_module *module, const struct pipeline_layout *layout,
                       uint32_t tier, bool always, VkShaderModule *created);

/* The colours of which a shader can be made of the module that writes 1 (spirv_find_alpha_one). */
uint32_t module_finds_alpha_one(const struct shader_module *module, const struct spirv_alpha_one *wanted);

/*
 * The words at a tier of a module that writes 1 as the alpha of colours that module_finds_alpha_one has found, for the
 * caller to free; NULL on failure.
 */
VkResult module_words_with_alpha_one(struct track *track, const struct shader_module *module,
                                     const struct pipeline_layout *layout, uint32_t tier,
                                     const struct spirv_alpha_one *alpha_one, uint32_t **words, size_t *word_count);

/* Changes of a fragment shader in a variant. All zero: nothing. */
struct fragment_change {
    struct spirv_alpha_one alpha_one; /* without its entry */
    bool moves;
    struct spirv_outputs outputs; /* likewise; if it moves */
};

/*
 * The words at a tier of a module whose outputs and input attachments are moved, for the caller to free.
 * VK_ERROR_VALIDATION_FAILED_EXT, with a message, for shaders that cannot be changed so.
 */
VkResult module_words_with_outputs(struct track *track, const struct shader_module *module,
                                   const struct pipeline_layout *layout, uint32_t tier,
                                   const struct spirv_outputs *outputs, uint32_t **words, size_t *word_count);

/* A driver's module with a change, for the function `entry`. */
VkResult module_changed(struct track *track, const struct shader_module *module, const struct pipeline_layout *layout,
                        uint32_t tier, const struct fragment_change *change, const char *entry,
                        VkShaderModule *created);

/* ---- Modules by their identifiers (identifiers.c); thread-safe ---- */

bool identifiers_init(struct track *track); /* False: out of memory. modules_finish ends it */

/* The module whose identifier it is, with a reference, or NULL if none is known. */
struct shader_module *module_identified(struct track *track, const uint8_t *identifier, uint32_t size);

/* Remembers a module by the driver's identifier of the handle or, without one, of the create-info. */
void module_identify(struct track *track, VkShaderModule handle, const VkShaderModuleCreateInfo *info,
                     struct shader_module *module);

/* ---- Rewritten modules by content (module_cache.c); thread-safe ---- */

bool module_cache_init(struct track *track); /* False: out of memory. modules_finish ends it */

/* True with a copy (malloc) of the cached words, or *words NULL if rewriting left the module as it was. */
bool module_cache_get(struct track *track, const struct shader_module *module, const struct pipeline_layout *layout,
                      uint32_t tier, uint32_t **words, size_t *word_count);
/* Keeps a copy; forgets what was used longest ago where that exceeds the byte limit. Fails silently. */
void module_cache_put(struct track *track, struct shader_module *module, const struct pipeline_layout *layout,
                      uint32_t tier, const uint32_t *words, size_t word_count);

#endif
