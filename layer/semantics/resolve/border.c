/* SPDX-License-Identifier: MIT */
/*
 * Decides the border colour that a view shows, and the driver's border colour. In this order: a standard colour that
 * looks the same, a custom colour, the same with the format or mapping named, and at last tier 2 in the shader.
 */
#include "resolve/border.h"

#include <string.h>

#include "format/format.h"
#include "format/range.h"
#include "record/layout.h"
#include "view_facts/view_facts.h"
#include "resolve/wrap.h"

#define ONE_FLOAT 0x3F800000u

enum { ZERO = RECORD_BORDER_ZERO, ONE = RECORD_BORDER_ONE, R = RECORD_BORDER_R, A = RECORD_BORDER_A };

bool border_is_reachable(const struct sampler_state *state)
{
    return wrap_reads_border(state->wrap[0]) || wrap_reads_border(state->wrap[1]) || wrap_reads_border(state->wrap[2]);
}

/* ---- The colour that lookups return (semantics: base format, depth mode, swizzle, clamping to the format) ---- */

/* An identity view with all channels: what the sampler alone is made for. */
static const struct view_facts any_view = {.swizzle = {R, R + 1, R + 2, A}, .mapping = VIEW_MAPPING_IDENTITY};

static bool is_integer(const struct resolved_pair *pair)
{
    uint32_t kind = pair->state->border_kind;
    return kind == SAMPLER_BORDER_INT || (kind == SAMPLER_BORDER_BY_VIEW && pair->view && pair->view->integer);
}

static void shown_color(const struct resolved_pair *pair, uint32_t shown[4])
{
    static const uint8_t compared[4] = {R, ZERO, ZERO, ONE};
    const struct view_facts *view = pair->view ? pair->view : &any_view;
    const uint8_t *swizzle = pair->compares ? compared : view->swizzle;
    uint32_t one = is_integer(pair) ? 1 : ONE_FLOAT;
    for (uint32_t i = 0; i < 4; i++) {
        uint8_t selector = swizzle[i];
        if (selector < R)
            shown[i] = selector == ONE ? one : 0;
        else
            shown[i] = range_clamp((enum view_range)view->range, selector - R, pair->state->border[selector - R]);
    }
}

/* ---- What the driver would show ---- */

static void driver_shows(const struct resolved_pair *pair, const uint32_t color[4], uint32_t shown[4])
{
    const struct view_facts *view = pair->view ? pair->view : &any_view;
    uint32_t one = is_integer(pair) ? 1 : ONE_FLOAT;
    for (uint32_t i = 0; i < 4; i++) {
        uint8_t channel = view_channel(view, view->swizzle[i]);
        shown[i] = channel < R ? (channel == ONE ? one : 0) : color[channel - R];
    }
}

/* The driver is known to show a border through the mapping of the view that is bound. */
static bool follows_mapping(const struct resolved_pair *pair)
{
    const struct view_facts *view = pair->view;
    if (!view || view->mapping == VIEW_MAPPING_IDENTITY || pair->variant == RESOLVE_VIEW_UNMAPPED)
        return true;
    return pair->caps->border_swizzle && (pair->caps->border_swizzle_from_image || view->mapping == VIEW_MAPPING_EXACT);
}

static bool same(const uint32_t a[4], const uint32_t b[4])
{
    return memcmp(a, b, 4 * sizeof(*a)) == 0;
}

/*
 * Does the driver show `wanted` if its sampler has `color`? Where it is unknown whether borders follow the mapping,
 * only colours that look alike both ways match. Comparisons see the first channel of an unmapped view.
 */
static bool shows(const struct resolved_pair *pair, const uint32_t color[4], const uint32_t wanted[4])
{
    uint32_t mapped[4];
    if (pair->compares)
        return color[0] == wanted[0];
    driver_shows(pair, color, mapped);
    return same(mapped, wanted) && (follows_mapping(pair) || same(color, wanted));
}

/* ---- Standard colours ---- */

static const struct {
    VkBorderColor as_float, as_integer;
    uint8_t is_one[4];
} standard[] = {
    {VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK, VK_BORDER_COLOR_INT_TRANSPARENT_BLACK, {0, 0, 0, 0}},
    {VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK, VK_BORDER_COLOR_INT_OPAQUE_BLACK, {0, 0, 0, 1}},
    {VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE, VK_BORDER_COLOR_INT_OPAQUE_WHITE, {1, 1, 1, 1}},
};
#define STANDARD (sizeof(standard) / sizeof(*standard))
#define OPAQUE_BLACK 1u

static void standard_bits(size_t index, bool integer, uint32_t color[4])
{
    for (uint32_t i = 0; i < 4; i++)
        color[i] = !standard[index].is_one[i] ? 0 : integer ? 1 : ONE_FLOAT;
}

static void set_standard(size_t index, bool integer, VkSamplerCreateInfo *info)
{
    info->borderColor = integer ? standard[index].as_integer : standard[index].as_float;
}

static float as_float(uint32_t bits, bool integer)
{
    float value;
    if (integer)
        return bits ? 1.0f : 0.0f;
    memcpy(&value, &bits, sizeof(value));
    if (!(value > 0.0f)) /* NaN as well */
        return 0.0f;
    return value < 1.0f ? value : 1.0f;
}

/* Alpha first, then brightness: for pipelines whose tier cannot place the border itself. */
static size_t nearest_standard(const uint32_t color[4], bool integer)
{
    if (as_float(color[3], integer) < 0.5f)
        return 0;
    float sum = as_float(color[0], integer) + as_float(color[1], integer) + as_float(color[2], integer);
    return sum < 1.5f ? 1 : 2;
}

/* ---- The ladder ---- */

static bool take_if_shown(const struct resolved_pair *pair, size_t index, const uint32_t wanted[4],
                          VkSamplerCreateInfo *info)
{
    uint32_t color[4];
    standard_bits(index, is_integer(pair), color);
    if (!shows(pair, color, wanted))
        return false;
    set_standard(index, is_integer(pair), info);
    return true;
}

/*
 * (1) A standard colour that differs from the wanted one only where the view does not show it: first the one of the
 * program's own sampler, so that no variant is needed.
 */
static bool take_standard(const struct resolved_pair *pair, const uint32_t wanted[4], VkSamplerCreateInfo *info)
{
    if (take_if_shown(pair, nearest_standard(pair->state->border, false), wanted, info))
        return true;
    for (size_t i = 0; i < STANDARD; i++)
        if (take_if_shown(pair, i, wanted, info))
            return true;
    return false;
}

bool border_needs_name(const struct view_facts *view, const struct resolve_caps *caps)
{
    return caps->custom_border_color &&
           (!caps->custom_border_color_without_format || format_must_be_named(view->format));
}

static bool name_format(const struct resolved_pair *pair, VkFormat *format)
{
    const struct view_facts *view = pair->view;
    *format = VK_FORMAT_UNDEFINED;
    if (!view)
        return pair->caps->custom_border_color_without_format;
    if (!border_needs_name(view, pair->caps))
        return true;
    *format = pair->variant == RESOLVE_VIEW_UNORM ? format_unorm(view->format) : view->format;
    return format_info(*format).is_known;
}

/* (2), (3) A custom colour. The caller shares identical samplers and counts them against the driver's limit. */
static bool take_custom(struct resolved_pair *pair, const uint32_t wanted[4], struct driver_sampler *driver)
{
    const struct view_facts *view = pair->view ? pair->view : &any_view;
    uint32_t color[4];
    VkFormat format;
    if (!pair->caps->custom_border_color || pair->caps->border_in_shader) {
        pair_says(pair, pair->caps->custom_border_color ? WHY_BORDER_SETTING : WHY_BORDER_DEVICE);
        return false;
    }
    if (!name_format(pair, &format)) {
        pair_says(pair, WHY_BORDER_FORMAT);
        return false;
    }
    memcpy(color, wanted, sizeof(color));
    for (uint32_t i = 0; i < 4 && !pair->compares; i++) {
        uint8_t channel = view_channel(view, view->swizzle[i]);
        if (channel >= R && follows_mapping(pair))
            color[channel - R] = wanted[i];
    }
    if (!shows(pair, color, wanted)) {
        pair_says(pair, WHY_BORDER_SWIZZLE);
        return false;
    }
    driver->info.borderColor = is_integer(pair) ? VK_BORDER_COLOR_INT_CUSTOM_EXT : VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
    driver->custom_border = true;
    memcpy(&driver->border, color, sizeof(color));
    driver->border_format = format;
    return true;
}

static VkComponentSwizzle component_of(const struct view_facts *view, uint32_t place)
{
    static const VkComponentSwizzle components[] = {VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_ONE,
                                                    VK_COMPONENT_SWIZZLE_R,    VK_COMPONENT_SWIZZLE_G,
                                                    VK_COMPONENT_SWIZZLE_B,    VK_COMPONENT_SWIZZLE_A};
    return components[view_channel(view, view->swizzle[place])];
}

/*
 * Is the border a standard colour other than opaque black? Those look alike with and without the mapping, so that they
 * are defined either way.
 */
static bool mapping_is_moot(const struct resolved_pair *pair, const uint32_t wanted[4],
                            const struct driver_sampler *driver)
{
    for (size_t i = 0; i < STANDARD && !driver->custom_border; i += 2) {
        uint32_t color[4];
        standard_bits(i, is_integer(pair), color);
        VkBorderColor name = is_integer(pair) ? standard[i].as_integer : standard[i].as_float;
        if (driver->info.borderColor == name && same(color, wanted))
            return true;
    }
    return false;
}

/* Names the mapping of the view to the driver (VK_EXT_border_color_swizzle), where it is required. */
static void name_mapping(const struct resolved_pair *pair, const uint32_t wanted[4], struct driver_sampler *driver)
{
    const struct view_facts *view = pair->view;
    if (!view || view->mapping != VIEW_MAPPING_EXACT || pair->variant == RESOLVE_VIEW_UNMAPPED ||
        !pair->caps->border_swizzle || pair->caps->border_swizzle_from_image || mapping_is_moot(pair, wanted, driver))
        return;
    driver->border_mapping = true;
    driver->border_srgb = view->srgb && pair->variant != RESOLVE_VIEW_UNORM;
    driver->mapping = (VkComponentMapping){component_of(view, 0), component_of(view, 1), component_of(view, 2),
                                           component_of(view, 3)};
}

/*
 * A sampler without a view may be used with views that clamp its colour: the driver's sampler is right for the others.
 */
static void mind_any_view(struct resolved_pair *pair, const uint32_t wanted[4])
{
    for (uint32_t i = 0; i < 4; i++)
        if (range_clamp(VIEW_RANGE_UNORM, i, wanted[i]) != wanted[i]) {
            pair_filters(pair, WHY_BORDER_ANY_VIEW);
            return;
        }
}

/*
 * The mapping that the program's own sampler names. The driver's view differs from the program's for comparisons and
 * for views with GL state, so that its mapping is another one than the program's components.
 */
static void take_program_mapping(const struct resolved_pair *pair, struct driver_sampler *driver)
{
    const struct sampler_state *state = pair->state;
    const struct view_facts *view = pair->view;
    if (!state->border_mapping || (pair->caps->offered & RESOLVE_OFFER_BORDER_SWIZZLE && !pair->caps->border_swizzle) ||
        (view && view->mapping != VIEW_MAPPING_IDENTITY && pair->variant == RESOLVE_VIEW_UNMAPPED))
        return;
    driver->border_mapping = true;
    driver->border_srgb = state->border_mapping & SAMPLER_MAPPING_SRGB;
    driver->mapping = (VkComponentMapping){state->border_components[0] & 0xF, state->border_components[0] >> 4,
                                           state->border_components[1] & 0xF, state->border_components[1] >> 4};
    if (view && view->mapping == VIEW_MAPPING_EXACT)
        driver->mapping = (VkComponentMapping){component_of(view, 0), component_of(view, 1), component_of(view, 2),
                                               component_of(view, 3)};
}

/* The driver's sampler may have no custom colour: the driver's limit is reached, or a setting forbids it. */
static bool has_no_custom_color(struct resolved_pair *pair)
{
    const struct resolve_caps *caps = pair->caps;
    const bool unnamed = !pair->view && !pair->state->border_format && !caps->custom_border_color_without_format;
    const bool lacks = caps->border_full || (pair->emulated && (!caps->custom_border_color || unnamed));
    const bool set = pair->emulated && caps->border_in_shader;
    if (lacks || set)
        pair_says(pair, lacks ? WHY_BORDER_DEVICE : WHY_BORDER_SETTING);
    return lacks || set;
}

/*
 * A Vulkan program that gave a custom colour has enabled the feature and obeys its rules. False: the driver's sampler
 * cannot have it.
 */
static bool take_program_color(struct resolved_pair *pair, const uint32_t wanted[4], struct driver_sampler *driver)
{
    const struct sampler_state *state = pair->state;
    bool integer = state->border_kind == SAMPLER_BORDER_INT;
    if (pair->caps->offered & RESOLVE_OFFER_BORDER_SWIZZLE && pair->view &&
        pair->view->mapping != VIEW_MAPPING_IDENTITY && !border_ignores_mapping(state) &&
        !shows(pair, state->border, wanted)) {
        pair_says(pair, WHY_BORDER_SWIZZLE);
        return false;
    }
    for (size_t i = 0; i < STANDARD; i++) {
        uint32_t color[4];
        standard_bits(i, integer, color);
        if (!same(color, state->border))
            continue;
        set_standard(i, integer, &driver->info);
        return true;
    }
    if (has_no_custom_color(pair))
        return false;
    driver->info.borderColor = integer ? VK_BORDER_COLOR_INT_CUSTOM_EXT : VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
    driver->custom_border = true;
    memcpy(&driver->border, state->border, sizeof(driver->border));
    driver->border_format = (VkFormat)state->border_format;
    /* Some formats must be named even with customBorderColorWithoutFormat. */
    if (driver->border_format == VK_FORMAT_UNDEFINED && pair->view && border_needs_name(pair->view, pair->caps))
        driver->border_format = pair->view->format;
    return true;
}

/* Of the axes that the view has, or of all. */
static bool driver_reads_border(const struct resolved_pair *pair, uint32_t axes)
{
    for (uint32_t axis = 0; axis < axes; axis++)
        if (pair->driver_wrap[axis] == RECORD_WRAP_CLAMP_TO_BORDER)
            return true;
    return false;
}

void border_on_view(struct resolved_pair *pair, struct driver_sampler *driver, uint32_t shown[4])
{
    const struct sampler_state *state = pair->state;
    memset(shown, 0, 4 * sizeof(*shown));
    if (!border_is_reachable(&pair->wanted))
        return;
    shown_color(pair, shown);
    if (!driver_reads_border(pair, 3))
        return; /* transparent black, as zeroed */
    if (!state->gl && take_program_color(pair, shown, driver)) {
        take_program_mapping(pair, driver);
        if (pair->caps->offered & RESOLVE_OFFER_BORDER_SWIZZLE && !driver->border_mapping &&
            !border_ignores_mapping(state))
            name_mapping(pair, shown, driver);
        return;
    }
    bool read = driver_reads_border(pair, wrap_axes(pair)), integer = read && is_integer(pair);
    if (read && !pair->view && state->gl)
        mind_any_view(pair, shown);
    /* A sampler alone gets its colour even if the shader filters: pipelines whose tier is fixed show it. */
    if (read && (!pair->filtered || !pair->view)) {
        if (state->gl && (take_standard(pair, shown, &driver->info) || take_custom(pair, shown, driver))) {
            name_mapping(pair, shown, driver);
            return;
        }
        pair->filtered = true;
    }
    /* The driver's border colour is not used, or the shader places it: floats keep the program's. */
    size_t index = nearest_standard(state->border, integer);
    /* Opaque black is the one standard colour that a swizzle makes undefined, seen or not. */
    if (index == OPAQUE_BLACK && !follows_mapping(pair))
        index = 0;
    set_standard(index, integer, &driver->info);
}
