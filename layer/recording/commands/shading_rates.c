/* SPDX-License-Identifier: MIT */
/*
 * Palettes of shading rates and orders of coarse samples (VK_NV_shading_rate_image). A pipeline for which they are not
 * dynamic makes them invalid (section "Dynamic State"), and one for which they are needs an order to draw
 * (VUID-vkCmdDraw-shadingRateImage-09233), which the program may not have set. So they are remembered, with what they
 * point to.
 */
#include <string.h>

#include "commands/command_buffer.h"
#include "commands/dynamic_state.h"
#include "device/device.h"
#include "objects/track.h"

/* Room for the palette's entries: its own, if it has been as long, else behind all others'. NULL: no memory. */
static VkShadingRatePaletteEntryNV *entries_of(struct command *command, struct shading_palette *palette, uint32_t count)
{
    struct dynamic_state *state = command->dynamic;
    if (count > palette->room) {
        const uint64_t end = (uint64_t)state->palette_entries + count;
        if (!dynamic_values(command, VALUES_PALETTE_ENTRIES, end))
            return NULL;
        palette->first = state->palette_entries;
        palette->room = count;
        state->palette_entries = (uint32_t)end;
    }
    palette->count = count;
    return (VkShadingRatePaletteEntryNV *)state->arrays[VALUES_PALETTE_ENTRIES].values + palette->first;
}

static void remember_palettes(struct command *command, uint32_t first, uint32_t count,
                              const VkShadingRatePaletteNV *palettes)
{
    struct dynamic_values *array = dynamic_values(command, VALUES_PALETTES, (uint64_t)first + count);
    for (uint32_t i = 0; array && i < count; i++) {
        struct shading_palette *palette = (struct shading_palette *)array->values + first + i;
        VkShadingRatePaletteEntryNV *entries = entries_of(command, palette, palettes[i].shadingRatePaletteEntryCount);
        if (!entries)
            return;
        memcpy(entries, palettes[i].pShadingRatePaletteEntries, palette->count * sizeof(*entries));
        array->set[first + i] = true;
        array->end = array->end > first + i + 1 ? array->end : first + i + 1;
    }
}

VKAPI_ATTR void VKAPI_CALL hook_CmdSetViewportShadingRatePaletteNV(VkCommandBuffer commandBuffer,
                                                                   uint32_t firstViewport, uint32_t viewportCount,
                                                                   const VkShadingRatePaletteNV *pShadingRatePalettes)
{
    struct command *command = command_of(commandBuffer);
    if (command && command->dynamic)
        remember_palettes(command, firstViewport, viewportCount, pShadingRatePalettes);
    device_of(commandBuffer)
        ->next.CmdSetViewportShadingRatePaletteNV(commandBuffer, firstViewport, viewportCount, pShadingRatePalettes);
}

static void remember_orders(struct command *command, VkCoarseSampleOrderTypeNV type, uint32_t count,
                            const VkCoarseSampleOrderCustomNV *orders)
{
    struct dynamic_state *state = command->dynamic;
    uint64_t locations = 0;
    for (uint32_t i = 0; i < count; i++)
        locations += orders[i].sampleLocationCount;
    if (!dynamic_values(command, VALUES_SAMPLE_ORDERS, count) ||
        !dynamic_values(command, VALUES_COARSE_LOCATIONS, locations))
        return;
    VkCoarseSampleOrderCustomNV *to = state->arrays[VALUES_SAMPLE_ORDERS].values;
    VkCoarseSampleLocationNV *at = state->arrays[VALUES_COARSE_LOCATIONS].values;
    for (uint32_t i = 0; i < count; i++) {
        to[i] = orders[i];
        to[i].pSampleLocations = at;
        memcpy(at, orders[i].pSampleLocations, to[i].sampleLocationCount * sizeof(*at));
        at += to[i].sampleLocationCount;
    }
    state->sample_order_set = true;
    state->sample_order_type = type;
    state->sample_order_count = count;
}

VKAPI_ATTR void VKAPI_CALL hook_CmdSetCoarseSampleOrderNV(VkCommandBuffer commandBuffer,
                                                          VkCoarseSampleOrderTypeNV sampleOrderType,
                                                          uint32_t customSampleOrderCount,
                                                          const VkCoarseSampleOrderCustomNV *pCustomSampleOrders)
{
    struct command *command = command_of(commandBuffer);
    if (command && command->dynamic)
        remember_orders(command, sampleOrderType, customSampleOrderCount, pCustomSampleOrders);
    device_of(commandBuffer)
        ->next.CmdSetCoarseSampleOrderNV(commandBuffer, sampleOrderType, customSampleOrderCount, pCustomSampleOrders);
}

void shading_rates_restore(struct command *command)
{
    const struct device *device = command->device;
    const struct dynamic_state *state = command->dynamic;
    const struct dynamic_values *array = &state->arrays[VALUES_PALETTES];
    const VkShadingRatePaletteEntryNV *entries = state->arrays[VALUES_PALETTE_ENTRIES].values;
    for (uint32_t i = 0; i < array->end; i++) {
        const struct shading_palette *known = (const struct shading_palette *)array->values + i;
        const VkShadingRatePaletteNV palette = {known->count, entries + known->first};
        if (array->set[i])
            device->next.CmdSetViewportShadingRatePaletteNV(command->handle, i, 1, &palette);
    }
    if (state->sample_order_set)
        device->next.CmdSetCoarseSampleOrderNV(command->handle, state->sample_order_type, state->sample_order_count,
                                               state->arrays[VALUES_SAMPLE_ORDERS].values);
}
