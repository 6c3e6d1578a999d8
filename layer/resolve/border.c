#include "border.h"

#include <string.h>

#define ONE_FLOAT 0x3F800000u

static bool reads_border(uint8_t wrap)
{
    return wrap == RECORD_WRAP_CLAMP_TO_BORDER || wrap == RECORD_WRAP_CLAMP || wrap == RECORD_WRAP_MIRROR_CLAMP ||
           wrap == RECORD_WRAP_MIRROR_CLAMP_TO_BORDER;
}

bool border_is_reachable(const struct sampler_state *state)
{
    return reads_border(state->wrap[0]) || reads_border(state->wrap[1]) || reads_border(state->wrap[2]);
}

/* The standard colours are black without alpha, black, and white: rgb equal, alpha 0 only with black. */
static bool standard_color(const uint32_t border[4], bool integer, VkBorderColor *color)
{
    uint32_t one = integer ? 1u : ONE_FLOAT;
    uint32_t bits[4];
    for (int i = 0; i < 4; i++)
        bits[i] = !integer && border[i] == 0x80000000u ? 0 : border[i];
    if (bits[0] != bits[1] || bits[0] != bits[2] || (bits[0] && bits[0] != one) || (bits[3] && bits[3] != one) ||
        (bits[0] && !bits[3]))
        return false;
    if (bits[0])
        *color = integer ? VK_BORDER_COLOR_INT_OPAQUE_WHITE : VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
    else if (bits[3])
        *color = integer ? VK_BORDER_COLOR_INT_OPAQUE_BLACK : VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK;
    else
        *color = integer ? VK_BORDER_COLOR_INT_TRANSPARENT_BLACK : VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
    return true;
}

static float channel_as_float(uint32_t bits, bool integer)
{
    if (integer)
        return bits ? 1.0f : 0.0f;
    float value;
    memcpy(&value, &bits, sizeof value);
    if (!(value > 0.0f)) /* NaN as well */
        return 0.0f;
    return value < 1.0f ? value : 1.0f;
}

static VkBorderColor nearest_standard_color(const uint32_t border[4], bool integer)
{
    float sum = 0.0f;
    for (int i = 0; i < 3; i++)
        sum += channel_as_float(border[i], integer);
    float alpha = channel_as_float(border[3], integer);
    if (alpha < 0.5f)
        return integer ? VK_BORDER_COLOR_INT_TRANSPARENT_BLACK : VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
    if (sum < 1.5f)
        return integer ? VK_BORDER_COLOR_INT_OPAQUE_BLACK : VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK;
    return integer ? VK_BORDER_COLOR_INT_OPAQUE_WHITE : VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
}

/* Formats whose channels drivers store in another order need naming even where the feature makes names optional. */
static bool format_must_be_named(VkFormat format)
{
    return format == VK_FORMAT_B4G4R4A4_UNORM_PACK16 || format == VK_FORMAT_B5G6R5_UNORM_PACK16 ||
           format == VK_FORMAT_B5G5R5A1_UNORM_PACK16 || format == (VkFormat)1000470000 /* A1B5G5R5_UNORM_PACK16 */;
}

const char *border_for_driver(const struct sampler_state *state, const struct view_facts *view,
                              const struct resolve_caps *caps, struct driver_sampler *driver)
{
    const VkSamplerCreateInfo *info = &driver->info;
    if (info->addressModeU != VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER &&
        info->addressModeV != VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER &&
        info->addressModeW != VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER)
        return NULL; /* transparent black, as zeroed */

    bool integer = state->border_kind == SAMPLER_BORDER_INT ||
                   (state->border_kind == SAMPLER_BORDER_BY_VIEW && view && view->integer);
    if (standard_color(state->border, integer, &driver->info.borderColor))
        return NULL;

    VkFormat format = (VkFormat)state->border_format;
    if (format == VK_FORMAT_UNDEFINED && view &&
        (!caps->custom_border_color_without_format || format_must_be_named(view->format)))
        format = view->format;
    /* A Vulkan program that gave a custom colour has enabled the feature and obeys its rules. */
    bool named = caps->custom_border_color_without_format || format != VK_FORMAT_UNDEFINED;
    if (!state->gl || (caps->custom_border_color && named)) {
        driver->info.borderColor = integer ? VK_BORDER_COLOR_INT_CUSTOM_EXT : VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
        driver->custom_border = true;
        memcpy(&driver->border, state->border, sizeof driver->border);
        driver->border_format = format;
        return NULL;
    }
    driver->info.borderColor = nearest_standard_color(state->border, integer);
    return "the driver cannot show the border colour: the shader places it";
}

bool border_driver_lacks(const struct sampler_state *state, const struct view_facts *view,
                         const struct resolve_caps *caps)
{
    VkBorderColor color;
    if (!state->gl || state->border_kind == SAMPLER_BORDER_NONE)
        return false;
    if (view && view->integer)
        return state->border[0] || state->border[1] || state->border[2] || state->border[3];
    return !(caps->custom_border_color && caps->custom_border_color_without_format) &&
           !standard_color(state->border, false, &color);
}
