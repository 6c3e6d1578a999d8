#include "resolve.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "border.h"
#include "wrap.h"

#ifndef VK_EXT_non_seamless_cube_map
#define VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT ((VkSamplerCreateFlagBits)0x00000004)
#endif

/* Reasons are collected into one line; what does not fit is cut off. */
struct line {
    char *text;
    size_t size, length;
};

static void line_add(struct line *line, const char *format, ...)
{
    if (line->length + 1 >= line->size)
        return;
    va_list arguments;
    va_start(arguments, format);
    char *end = line->text + line->length;
    size_t space = line->size - line->length;
    int separator = line->length ? snprintf(end, space, "; ") : 0;
    if (separator >= 0 && (size_t)separator < space) {
        int added = vsnprintf(end + separator, space - (size_t)separator, format, arguments);
        if (added > 0)
            line->length += (size_t)separator + (size_t)added;
    }
    va_end(arguments);
    if (line->length >= line->size)
        line->length = line->size - 1;
}

static const char *wrap_name(uint8_t wrap)
{
    static const char *const names[] = {
        [RECORD_WRAP_REPEAT] = "REPEAT",
        [RECORD_WRAP_MIRRORED_REPEAT] = "MIRRORED_REPEAT",
        [RECORD_WRAP_CLAMP_TO_EDGE] = "CLAMP_TO_EDGE",
        [RECORD_WRAP_CLAMP_TO_BORDER] = "CLAMP_TO_BORDER",
        [RECORD_WRAP_MIRROR_CLAMP_TO_EDGE] = "MIRROR_CLAMP_TO_EDGE",
        [RECORD_WRAP_CLAMP] = "CLAMP",
        [RECORD_WRAP_MIRROR_CLAMP] = "MIRROR_CLAMP",
        [RECORD_WRAP_MIRROR_CLAMP_TO_BORDER] = "MIRROR_CLAMP_TO_BORDER",
    };
    return names[wrap & RECORD_WRAP_MASK];
}

static VkFilter vk_filter(uint8_t linear)
{
    return linear == 2 ? VK_FILTER_CUBIC_EXT : linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
}

/* With texel coordinates Vulkan allows two modes; a mode that is neither becomes the edge, and *replaced says so. */
static VkSamplerAddressMode legal_mode(const struct sampler_state *state, uint8_t driver, bool *replaced)
{
    if (state->unnormalized && driver != RECORD_WRAP_CLAMP_TO_EDGE && driver != RECORD_WRAP_CLAMP_TO_BORDER) {
        *replaced = true;
        driver = RECORD_WRAP_CLAMP_TO_EDGE;
    }
    return (VkSamplerAddressMode)driver;
}

/*
 * The modes depend on state and capabilities alone, not on the view's levels or axes, so that one driver sampler serves
 * as many views as possible.
 */
static void set_address_modes(const struct sampler_state *state, const struct view_facts *view,
                              const struct resolve_caps *caps, VkSamplerCreateInfo *info, struct line *line)
{
    VkSamplerAddressMode *modes[3] = {&info->addressModeU, &info->addressModeV, &info->addressModeW};
    if (!state->gl && !wrap_is_private(state)) {
        for (int axis = 0; axis < 3; axis++)
            *modes[axis] = (VkSamplerAddressMode)state->wrap[axis];
        return;
    }
    enum filter_pair filters = wrap_filters(state);
    bool mirror_is_native = wrap_mirror_is_native(state, caps);
    bool mirrors = false, replaced = false;
    for (uint32_t axis = 0; axis < 3; axis++) {
        uint8_t wrap = state->wrap[axis];
        const struct wrap_rule *rule = wrap_rule(wrap, filters, mirror_is_native);
        *modes[axis] = legal_mode(state, rule->driver, &replaced);
        mirrors |= wrap == RECORD_WRAP_MIRROR_CLAMP || wrap == RECORD_WRAP_MIRROR_CLAMP_TO_BORDER ||
                   wrap == RECORD_WRAP_MIRROR_CLAMP_TO_EDGE;
        /* Programs set all axes alike: once is enough. */
        if (rule->reason && axis < wrap_axes(view) && (axis == 0 || wrap != state->wrap[axis - 1]))
            line_add(line, "%s: %s", wrap_name(wrap), rule->reason);
    }
    if (state->unnormalized && (mirrors || replaced))
        line_add(line, "mirroring and repeating are not allowed with unnormalised coordinates");
}

static void set_lod(const struct sampler_state *state, const struct resolve_caps *caps, VkSamplerCreateInfo *info,
                    struct line *line)
{
    info->mipLodBias = state->lod_bias;
    info->minLod = state->min_lod;
    info->maxLod = state->max_lod;
    if (!state->gl)
        return;
    float limit = caps->max_lod_bias;
    if (state->lod_bias > limit || state->lod_bias < -limit) {
        info->mipLodBias = state->lod_bias < 0.0f ? -limit : limit;
        line_add(line, "LOD bias cut to the device's %g", (double)limit);
    }
}

static void set_reduction(const struct sampler_state *state, const struct resolve_caps *caps,
                          struct driver_sampler *driver, struct line *line)
{
    driver->reduction = (VkSamplerReductionMode)state->reduction;
    if (!state->gl || state->reduction == VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE)
        return;
    const char *why = NULL;
    if (!caps->sampler_filter_minmax)
        why = "the device has no minimum and maximum filters";
    else if (driver->info.compareEnable) /* VUID-VkSamplerCreateInfo-compareEnable-01423 */
        why = "no minimum or maximum of comparisons";
    if (why) {
        driver->reduction = VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE;
        line_add(line, "weighted average: %s", why);
    }
}

/*
 * A moved coordinate is looked up with the gradients of the one that was asked for. Where a driver ignores those under
 * anisotropy it would sample level 0 at every clamped border: the right level matters more than sharpness at a slant.
 */
static void set_anisotropy(const struct sampler_state *state, const struct resolve_caps *caps, bool moves,
                           VkSamplerCreateInfo *info, struct line *line)
{
    info->anisotropyEnable = state->max_anisotropy != 0.0f;
    if (info->anisotropyEnable && moves && caps->anisotropy_ignores_gradients) {
        info->anisotropyEnable = VK_FALSE;
        line_add(line, "isotropic: the driver ignores gradients under anisotropy");
    }
    info->maxAnisotropy = info->anisotropyEnable ? state->max_anisotropy : 1.0f;
}

static void set_driver_sampler(const struct sampler_state *state, const struct view_facts *view,
                               const struct resolve_caps *caps, bool moves, struct driver_sampler *driver,
                               struct line *line)
{
    VkSamplerCreateInfo *info = &driver->info;
    info->sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
    info->flags = state->create_flags;
    if (state->gl && !state->seamless && caps->non_seamless_cube)
        info->flags |= VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT;
    info->magFilter = vk_filter(state->mag_linear);
    info->minFilter = vk_filter(state->min_linear);
    info->mipmapMode = state->mip_mode == 2 ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST;
    info->compareEnable = state->compare != 0;
    info->compareOp = state->compare ? (VkCompareOp)(state->compare - 1) : VK_COMPARE_OP_NEVER;
    info->unnormalizedCoordinates = state->unnormalized;
    set_address_modes(state, view, caps, info, line);
    set_anisotropy(state, caps, moves, info, line);
    set_lod(state, caps, info, line);
    set_reduction(state, caps, driver, line);
    const char *border = border_for_driver(state, view, caps, driver);
    if (border)
        line_add(line, "%s", border);
}

void resolve_pair(const struct sampler_state *state, const struct view_facts *view, const struct resolve_caps *caps,
                  struct resolve_result *result)
{
    memset(result, 0, sizeof *result);
    struct line line = {result->reason, sizeof result->reason, 0};
    result->needs = record_decision(state, view, caps, &result->decision);
    struct record part = {0};
    if (view)
        resolve_image_part(view, &part);
    resolve_join(&result->decision, &part, &result->record);
    result->view = RESOLVE_VIEW_SAMPLED;
    result->tier = result->needs & RECORD_NEED_FILTER ? 2 : result->needs & RECORD_NEED_COORDS ? 1 : 0;

    struct sampler_state storage;
    const struct sampler_state *acting = wrap_state_on_view(state, view, &storage);
    if (acting != state && acting->mag_linear + acting->min_linear + acting->mip_mode !=
                               state->mag_linear + state->min_linear + state->mip_mode)
        line_add(&line, "nearest filters: the view's format cannot be filtered");
    set_driver_sampler(acting, view, caps, result->needs & RECORD_NEED_COORDS, &result->driver, &line);
    if (result->needs & RECORD_NEED_FILTER && wrap_filters(acting) == FILTERS_LINEAR)
        line_add(&line, "filtered in the shader: the bounds differ from level to level");
    if (result->needs & RECORD_NEED_FILTER_IF_GATHER)
        line_add(&line,
                 line.length ? "gathers filtered in the shader" : "native, but for gathers: filtered in the shader");
    if (!line.length)
        line_add(&line, "native");
    struct driver_sampler own;
    resolve_own_sampler(state, caps, &own);
    result->own = memcmp(&own, &result->driver, sizeof own) == 0;
}

void resolve_own_sampler(const struct sampler_state *state, const struct resolve_caps *caps,
                         struct driver_sampler *driver)
{
    struct resolve_caps without = *caps;
    struct record record;
    char unused[1];
    struct line line = {unused, sizeof unused, 0};
    without.custom_border_color &= !state->gl;
    memset(driver, 0, sizeof *driver);
    uint32_t needs = record_decision(state, NULL, &without, &record);
    set_driver_sampler(state, NULL, &without, needs & RECORD_NEED_COORDS, driver, &line);
}

const VkSamplerCreateInfo *resolve_driver_info(const struct driver_sampler *driver, struct driver_sampler_chain *chain)
{
    chain->info = driver->info;
    const void **next = &chain->info.pNext;
    *next = NULL;
    if (driver->reduction != VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE) {
        chain->reduction = (VkSamplerReductionModeCreateInfo){
            .sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO, .reductionMode = driver->reduction};
        *next = &chain->reduction;
        next = &chain->reduction.pNext;
    }
    if (driver->custom_border) {
        chain->border = (VkSamplerCustomBorderColorCreateInfoEXT){
            .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
            .customBorderColor = driver->border,
            .format = driver->border_format};
        *next = &chain->border;
        next = &chain->border.pNext;
    }
    if (driver->border_mapping) {
        chain->mapping = (VkSamplerBorderColorComponentMappingCreateInfoEXT){
            .sType = VK_STRUCTURE_TYPE_SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT,
            .components = driver->mapping,
            .srgb = driver->border_srgb};
        *next = &chain->mapping;
    }
    return &chain->info;
}
