/* SPDX-License-Identifier: MIT */
/*
 * Modules by their identifiers (VK_EXT_shader_module_identifier). A stage may name a module by its identifier alone: of
 * a module that was created on this device, of a create-info whose identifier was queried, or of code that was inline
 * in another pipeline, even if it was destroyed since. Drivers look such a stage up in their caches. The layer needs
 * the words, so it keeps those of known modules, up to a limit of bytes. For other identifiers creation returns
 * VK_PIPELINE_COMPILE_REQUIRED, and the program provides the words.
 */
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "hash.h"
#include "modules/lru.h"
#include "modules/modules.h"
#include "modules/shader_module.h"
#include "objects/track.h"

enum { IDENTIFIED_BYTES = 64 << 20 };

struct identified {
    struct lru_entry entry;
    struct shader_module *module; /* referenced */
    uint32_t size;
    uint8_t identifier[VK_MAX_SHADER_MODULE_IDENTIFIER_SIZE_EXT];
};

static void release(struct track *track, struct lru_entry *entry)
{
    struct identified *identified = (struct identified *)entry;
    module_unref(track, identified->module);
    object_free(track, NULL, identified, sizeof(*identified));
}

bool identifiers_init(struct track *track)
{
    return lru_init(&track->modules->identified, IDENTIFIED_BYTES, release);
}

static uint64_t hash_of(const uint8_t *identifier, uint32_t size)
{
    uint32_t words[VK_MAX_SHADER_MODULE_IDENTIFIER_SIZE_EXT / sizeof(uint32_t)] = {0};
    memcpy(words, identifier, size);
    return hash_words(size, words, sizeof(words) / sizeof(words[0]));
}

/* The caller holds the lock. */
static struct identified *find(struct lru *lru, uint64_t hash, const uint8_t *identifier, uint32_t size)
{
    for (struct lru_entry *entry = lru_bucket(lru, hash); entry; entry = entry->chain) {
        struct identified *identified = (struct identified *)entry;
        if (entry->hash == hash && identified->size == size && !memcmp(identified->identifier, identifier, size)) {
            lru_use(lru, entry);
            return identified;
        }
    }
    return NULL;
}

struct shader_module *module_identified(struct track *track, const uint8_t *identifier, uint32_t size)
{
    struct lru *lru = &track->modules->identified;
    if (!size || size > VK_MAX_SHADER_MODULE_IDENTIFIER_SIZE_EXT)
        return NULL;
    const uint64_t hash = hash_of(identifier, size);
    pthread_mutex_lock(&lru->lock);
    struct identified *found = find(lru, hash, identifier, size);
    struct shader_module *module = found ? module_ref(found->module) : NULL;
    pthread_mutex_unlock(&lru->lock);
    return module;
}

/* Where memory runs out, the module counts as unknown. */
static void keep(struct track *track, const VkShaderModuleIdentifierEXT *identifier, struct shader_module *module)
{
    struct lru *lru = &track->modules->identified;
    const uint32_t size = identifier->identifierSize;
    if (!module || !size || size > VK_MAX_SHADER_MODULE_IDENTIFIER_SIZE_EXT)
        return;
    const uint64_t hash = hash_of(identifier->identifier, size);
    pthread_mutex_lock(&lru->lock);
    struct identified *identified =
        find(lru, hash, identifier->identifier, size) ? NULL : object_alloc(track, NULL, sizeof(*identified));
    if (identified) {
        identified->entry.hash = hash;
        identified->entry.bytes = sizeof(*identified) + sizeof(*module) + module->word_count * sizeof(uint32_t);
        identified->module = module_ref(module);
        identified->size = size;
        memcpy(identified->identifier, identifier->identifier, size);
        lru_add(track, lru, &identified->entry);
    }
    pthread_mutex_unlock(&lru->lock);
}

void module_identify(struct track *track, VkShaderModule handle, const VkShaderModuleCreateInfo *info,
                     struct shader_module *module)
{
    struct device *device = track->device;
    VkShaderModuleIdentifierEXT identifier = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT};
    if (!device->caps.module_identifiers || !device->next.GetShaderModuleIdentifierEXT)
        return; /* the feature without its extension has no commands */
    if (handle)
        device->next.GetShaderModuleIdentifierEXT(device->handle, handle, &identifier);
    else
        device->next.GetShaderModuleCreateInfoIdentifierEXT(device->handle, info, &identifier);
    keep(track, &identifier, module);
}

VKAPI_ATTR void VKAPI_CALL hook_GetShaderModuleIdentifierEXT(VkDevice handle, VkShaderModule shaderModule,
                                                             VkShaderModuleIdentifierEXT *pIdentifier)
{
    struct device *device = device_of(handle);
    device->next.GetShaderModuleIdentifierEXT(handle, shaderModule, pIdentifier);
    keep(device->track, pIdentifier, module_find(device->track, shaderModule));
}

VKAPI_ATTR void VKAPI_CALL hook_GetShaderModuleCreateInfoIdentifierEXT(VkDevice handle,
                                                                       const VkShaderModuleCreateInfo *pCreateInfo,
                                                                       VkShaderModuleIdentifierEXT *pIdentifier)
{
    struct device *device = device_of(handle);
    device->next.GetShaderModuleCreateInfoIdentifierEXT(handle, pCreateInfo, pIdentifier);
    /* Programs query the same code often: known code is not scanned again. */
    struct shader_module *module =
        module_identified(device->track, pIdentifier->identifier, pIdentifier->identifierSize);
    if (!module) {
        module = module_create(device->track, pCreateInfo->pCode, pCreateInfo->codeSize / sizeof(uint32_t));
        keep(device->track, pIdentifier, module);
    }
    module_unref(device->track, module);
}
