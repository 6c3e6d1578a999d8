/* SPDX-License-Identifier: MIT */
#include <string.h>

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

static uint32_t axes_of(enum lookup_dimension dimension)
{
    static const uint32_t axes[LOOKUP_DIMENSIONS] = {1, 1, 2, 2, 3, 2, 2, 2};
    return axes[dimension];
}

void lookup_level_size(const struct lookup_texture *texture, uint32_t level, uint32_t size[3])
{
    size[0] = at_least_one(texture->width >> level);
    size[1] = at_least_one(texture->height >> level);
    size[2] = at_least_one(texture->depth >> level);
}

void lookup_level_memory(const struct lookup_texture *texture, uint32_t level, uint32_t size[3])
{
    lookup_level_size(texture, level, size);
    for (uint32_t axis = 0; axis < axes_of(texture->dimension) && texture->bordered; axis++)
        size[axis] += 2;
}

size_t lookup_texel_count(const struct lookup_texture *texture)
{
    size_t count = 0;
    for (uint32_t level = 0; level < at_least_one(texture->levels); level++) {
        uint32_t size[3];
        lookup_level_memory(texture, level, size);
        count += (size_t)size[0] * size[1] * size[2] * at_least_one(texture->layers);
    }
    return count;
}

size_t lookup_texture_size(const struct lookup_texture *texture)
{
    size_t size = 0;
    for (uint32_t level = 0; level < at_least_one(texture->levels); level++) {
        uint32_t memory[3];
        lookup_level_memory(texture, level, memory);
        size += format_level_size(texture->format, memory[0], memory[1], memory[2], at_least_one(texture->layers));
    }
    return size;
}

/* Copies a level, rows of texels at a time; `margin`: texels of the image in front of the texture's. */
static void copy_level(const struct lookup_texture *texture, const struct lookup_texture *image, uint32_t level,
                       uint32_t margin, const uint8_t *from, uint8_t *to)
{
    const size_t texel = lookup_texel_size(texture->format);
    const uint32_t axes = axes_of(texture->dimension);
    uint32_t own[3], all[3];
    lookup_level_memory(texture, level, own);
    lookup_level_memory(image, level, all);
    const uint32_t front[3] = {margin - 1, axes > 1 ? margin - 1 : 0, axes > 2 ? margin - 1 : 0};
    for (uint32_t layer = 0; layer < at_least_one(texture->layers); layer++)
        for (uint32_t z = 0; z < own[2]; z++)
            for (uint32_t y = 0; y < own[1]; y++, from += own[0] * texel) {
                const size_t row = ((size_t)layer * all[2] + z + front[2]) * all[1] + y + front[1];
                memcpy(to + (row * all[0] + front[0]) * texel, from, own[0] * texel);
            }
}

struct lookup_texture lookup_margined(const struct lookup_texture *texture, uint32_t margin)
{
    struct lookup_texture image = *texture;
    uint32_t *const sizes[3] = {&image.width, &image.height, &image.depth};
    image.bordered = false;
    for (uint32_t axis = 0; axis < axes_of(texture->dimension); axis++)
        for (uint32_t level = 0; level < at_least_one(texture->levels); level++) {
            uint32_t size[3];
            lookup_level_size(texture, level, size);
            const uint32_t needed = (size[axis] + margin + 1) << level;
            *sizes[axis] = *sizes[axis] < needed ? needed : *sizes[axis];
        }
    uint8_t *texels = harness_alloc(lookup_texture_size(&image), 1);
    memset(texels, 0x2d, lookup_texture_size(&image));
    const uint8_t *from = texture->texels;
    uint8_t *to = texels;
    for (uint32_t level = 0; level < at_least_one(texture->levels); level++) {
        uint32_t own[3], all[3];
        copy_level(texture, &image, level, margin, from, to);
        lookup_level_memory(texture, level, own);
        lookup_level_memory(&image, level, all);
        from += format_level_size(texture->format, own[0], own[1], own[2], at_least_one(texture->layers));
        to += format_level_size(texture->format, all[0], all[1], all[2], at_least_one(texture->layers));
    }
    image.texels = texels;
    return image;
}
