/* SPDX-License-Identifier: MIT */
#include "harness/lookups/lookup.h"
#include "harness/lookups/lookup_table.h"

const struct lookup_module *lookup_find(const struct lookup *lookup)
{
    for (size_t i = 0; i < lookup_module_count; i++) {
        const struct lookup_module *module = &lookup_modules[i];
        if (module->dimension == lookup->dimension && module->operation == lookup->operation &&
            module->kind == lookup->kind && module->stage == lookup->stage && module->separate == lookup->separate &&
            module->component == lookup->component && module->company == lookup->company)
            return module;
    }
    return NULL;
}

bool lookup_has_min_lod(enum lookup_operation operation)
{
    return (operation >= LOOKUP_MIN_LOD && operation <= LOOKUP_MIN_LOD_GRAD) || operation == LOOKUP_MIN_LOD_OFFSET;
}

bool lookup_exists(const struct lookup *lookup)
{
    return lookup_find(lookup) != NULL;
}

size_t lookup_texel_size(enum lookup_format format)
{
    return format_of(format)->size;
}

static uint32_t at_least_one(uint32_t value)
{
    return value ? value : 1;
}

size_t lookup_texel_count(const struct lookup_texture *texture)
{
    size_t count = 0;
    for (uint32_t level = 0; level < at_least_one(texture->levels); level++)
        count += (size_t)at_least_one(texture->width >> level) * at_least_one(texture->height >> level) *
                 at_least_one(texture->depth >> level) * at_least_one(texture->layers);
    return count;
}

size_t lookup_texture_size(const struct lookup_texture *texture)
{
    size_t size = 0;
    for (uint32_t level = 0; level < at_least_one(texture->levels); level++)
        size += format_level_size(texture->format, at_least_one(texture->width >> level),
                                  at_least_one(texture->height >> level), at_least_one(texture->depth >> level),
                                  at_least_one(texture->layers));
    return size;
}
