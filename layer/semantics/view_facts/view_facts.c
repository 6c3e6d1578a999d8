/* SPDX-License-Identifier: MIT */
/*
 * Reads an image view's create-info, and its GL structure if it has one: target, internal format, swizzle, depth mode.
 * The result is one set of facts, with a key that pairs use.
 */
#include "view_facts/view_facts.h"

#include <string.h>

#include "format/format.h"
#include "format/range.h"
#include "gl/gl_format.h"
#include "gl/gl_tokens.h"
#include "record/layout.h"

/* Selectors of a border translation: what a channel shows. */
enum {
    ZERO = RECORD_BORDER_ZERO,
    ONE = RECORD_BORDER_ONE,
    R = RECORD_BORDER_R,
    G = RECORD_BORDER_G,
    B = RECORD_BORDER_B,
    A = RECORD_BORDER_A,
};

/* The channels of each base format as R, G, B and A (OpenGL 4.6 compatibility, table 8.18). */
struct base_rule {
    uint32_t token;
    uint8_t shown[4];
};

static const struct base_rule color_bases[] = {
    {TOKEN_RED, {R, ZERO, ZERO, ONE}},     {TOKEN_RG, {R, G, ZERO, ONE}},
    {TOKEN_RGB, {R, G, B, ONE}},           {TOKEN_RGBA, {R, G, B, A}},
    {TOKEN_ALPHA, {ZERO, ZERO, ZERO, A}},  {TOKEN_LUMINANCE, {R, R, R, ONE}},
    {TOKEN_LUMINANCE_ALPHA, {R, R, R, A}}, {TOKEN_INTENSITY, {R, R, R, R}},
};

/* Depth is the first channel, of border colours as well (section 8.23.1). Index 0: the default. */
static const struct base_rule depth_modes[] = {
    {TOKEN_RED, {R, ZERO, ZERO, ONE}},
    {TOKEN_LUMINANCE, {R, R, R, ONE}},
    {TOKEN_INTENSITY, {R, R, R, R}},
    {TOKEN_ALPHA, {ZERO, ZERO, ZERO, R}},
};

static const struct base_rule *find_rule(const struct base_rule *rules, size_t count, uint32_t token)
{
    for (size_t i = 0; i < count; i++)
        if (rules[i].token == token)
            return &rules[i];
    return NULL;
}

#define FIND(RULES, TOKEN) find_rule(RULES, sizeof(RULES) / sizeof(*(RULES)), TOKEN)

/* ---- What every view says: format and aspect ---- */

static void read_format(const VkImageViewCreateInfo *info, bool stencil_sampling, struct view_facts *facts)
{
    struct format_info format = format_info(info->format);
    VkImageAspectFlags aspects = info->subresourceRange.aspectMask;
    bool has_depth = format.bits & FORMAT_DEPTH, has_stencil = format.bits & FORMAT_STENCIL;
    memset(facts, 0, sizeof(*facts));
    facts->levels = 1;
    facts->type =
        (uint8_t)((uint32_t)info->viewType <= VK_IMAGE_VIEW_TYPE_CUBE_ARRAY ? info->viewType : VK_IMAGE_VIEW_TYPE_2D);
    facts->format = info->format;
    /* A view of both aspects is sampled by an auxiliary view for one of them. */
    facts->stencil = has_stencil && (stencil_sampling || !has_depth || aspects == VK_IMAGE_ASPECT_STENCIL_BIT);
    facts->depth_aspect = has_depth && !facts->stencil;
    facts->integer = facts->stencil || (format.bits & FORMAT_INTEGER);
    facts->srgb = format.bits & FORMAT_SRGB;
    facts->range = facts->stencil ? VIEW_RANGE_UINT8 : format.range;
    facts->depth_fixed = facts->depth_aspect && format.range == VIEW_RANGE_UNORM;
}

static bool format_has(struct format_info format, uint8_t selector)
{
    return format.bits >> (selector - R) & 1;
}

/* Which channel of the texels a selector shows; ZERO or ONE if the format lacks it. */
static uint8_t stored(struct format_info format, uint8_t selector)
{
    if (selector < R || format_has(format, selector))
        return selector;
    return selector == A ? ONE : ZERO;
}

/* ---- Orders of channels ---- */

static const char not_in_format[] = "channels names a channel that the view's format lacks";
static const char twice[] = "channels keeps two channels in one, and the view may be an attachment";
static const char other_size[] =
    "channels keeps alpha and another channel in each other's place, in an sRGB format or one whose integers have "
    "several sizes";

bool view_order_is_unsupported(const char *why)
{
    return why == not_in_format || why == twice || why == other_size;
}

/* The channel that has alpha, for base formats without a VkFormat of their own. */
static uint8_t alpha_of(uint32_t base, struct format_info format)
{
    if (format.bits & FORMAT_A)
        return A;
    return base == TOKEN_ALPHA ? R : base == TOKEN_LUMINANCE_ALPHA ? G : A;
}

/* Whether alpha has another encoding or size than the other channels. */
static bool alpha_is_apart(struct format_info format)
{
    return (format.bits & FORMAT_SRGB) || format.range == VIEW_RANGE_UINT10 || format.range == VIEW_RANGE_SINT10;
}

/* A bit for each channel of a base format, red first. */
static uint32_t channels_of(uint32_t base)
{
    switch (base) {
    case TOKEN_RED:
    case TOKEN_LUMINANCE:
    case TOKEN_INTENSITY:
        return FORMAT_R;
    case TOKEN_RG:
        return FORMAT_R | FORMAT_G;
    case TOKEN_RGB:
        return FORMAT_R | FORMAT_G | FORMAT_B;
    case TOKEN_ALPHA:
        return FORMAT_A;
    case TOKEN_LUMINANCE_ALPHA:
        return FORMAT_R | FORMAT_A;
    default:
        return FORMAT_R | FORMAT_G | FORMAT_B | FORMAT_A;
    }
}

/* Where the program says that a channel of the base format is kept. `has`: the base format's channels. */
static void read_place(VkComponentSwizzle said, uint32_t channel, uint32_t has, struct format_info format, uint8_t *at,
                       const char **why)
{
    static const uint8_t places[] = {
        [VK_COMPONENT_SWIZZLE_ZERO] = ZERO, [VK_COMPONENT_SWIZZLE_ONE] = ONE, [VK_COMPONENT_SWIZZLE_R] = R,
        [VK_COMPONENT_SWIZZLE_G] = G,       [VK_COMPONENT_SWIZZLE_B] = B,     [VK_COMPONENT_SWIZZLE_A] = A,
    };
    if (said == VK_COMPONENT_SWIZZLE_IDENTITY)
        return;
    if ((uint32_t)said >= sizeof(places) / sizeof(*places))
        *why = "channels is no VkComponentSwizzle";
    else if (!(has >> channel & 1))
        *why = "channels names a place for a channel that the base format lacks: it must be "
               "VK_COMPONENT_SWIZZLE_IDENTITY";
    else if (places[said] >= R && !format_has(format, places[said]))
        *why = not_in_format;
    else if (places[said] >= R && places[said] != *at && (channel == 3) != (places[said] == A) &&
             alpha_is_apart(format))
        *why = other_size;
    else
        *at = places[said];
}

bool view_order_read(const VkComponentMapping *channels, uint32_t base, VkFormat vk_format, uint8_t at[4],
                     const char **why)
{
    static const VkComponentMapping none = {VK_COMPONENT_SWIZZLE_IDENTITY, VK_COMPONENT_SWIZZLE_IDENTITY,
                                            VK_COMPONENT_SWIZZLE_IDENTITY, VK_COMPONENT_SWIZZLE_IDENTITY};
    const struct format_info format = format_info(vk_format);
    const VkComponentMapping *order = channels ? channels : &none;
    const VkComponentSwizzle said[4] = {order->r, order->g, order->b, order->a};
    const uint32_t has = channels_of(base);
    *why = NULL;
    if (channels && (format.bits & (FORMAT_DEPTH | FORMAT_STENCIL)))
        *why = "channels: depth and stencil formats have no order of channels";
    for (uint32_t i = 0; i < 4 && !*why; i++) {
        const uint8_t own = i == 3 ? alpha_of(base, format) : (uint8_t)(R + i);
        at[i] = has >> i & 1 ? stored(format, own) : i == 3 ? ONE : ZERO;
        read_place(said[i], i, has, format, &at[i], why);
    }
    return !*why;
}

bool view_order_of_attachment(const VkComponentMapping *channels, uint32_t base, VkFormat format, uint8_t at[4],
                              const char **why)
{
    if (!view_order_read(channels, base, format, at, why))
        return false;
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (at[i] >= R && at[i] == at[j])
                *why = twice;
        }
    }
    return !*why;
}

uint32_t view_base_format(uint32_t base_format, uint32_t internal_format)
{
    struct gl_format gl;
    if (base_format)
        return base_format;
    return gl_format_find(internal_format, &gl) ? gl.base : TOKEN_RGBA;
}

/* ---- Views without GL state ---- */

static uint8_t selector_of(VkComponentSwizzle swizzle, uint32_t component)
{
    static const uint8_t selectors[] = {
        [VK_COMPONENT_SWIZZLE_ZERO] = ZERO, [VK_COMPONENT_SWIZZLE_ONE] = ONE, [VK_COMPONENT_SWIZZLE_R] = R,
        [VK_COMPONENT_SWIZZLE_G] = G,       [VK_COMPONENT_SWIZZLE_B] = B,     [VK_COMPONENT_SWIZZLE_A] = A,
    };
    if (swizzle < VK_COMPONENT_SWIZZLE_ZERO || swizzle > VK_COMPONENT_SWIZZLE_A)
        return (uint8_t)(R + component);
    return selectors[swizzle];
}

static uint8_t compared_of(const struct view_facts *facts, uint8_t selector)
{
    if (!facts->depth_aspect || selector >= R)
        return VIEW_COMPARED_RESULT;
    return selector == ONE ? VIEW_COMPARED_ONE : VIEW_COMPARED_ZERO;
}

void view_facts_from_vk(const VkImageViewCreateInfo *info, struct view_facts *facts)
{
    const VkComponentSwizzle components[4] = {info->components.r, info->components.g, info->components.b,
                                              info->components.a};
    struct format_info format = format_info(info->format);
    read_format(info, false, facts);
    bool identity = true, exact = true;
    for (uint32_t i = 0; i < 4; i++) {
        uint8_t selector = selector_of(components[i], i);
        facts->swizzle[i] = stored(format, selector);
        identity &= selector == R + i;
        exact &= selector == facts->swizzle[i];
    }
    facts->mapping = identity ? VIEW_MAPPING_IDENTITY : exact ? VIEW_MAPPING_EXACT : VIEW_MAPPING_OTHER;
    facts->compared = compared_of(facts, facts->swizzle[0]);
}

/* ---- Views with GL state ---- */

static bool read_target(uint32_t token, struct view_facts *facts, const char **why)
{
    static const struct {
        uint32_t token;
        VkImageViewType type, or_type; /* programs keep 1D textures in 2D images where drivers do little for 1D */
    } targets[] = {
        {TOKEN_TEXTURE_1D, VK_IMAGE_VIEW_TYPE_1D, VK_IMAGE_VIEW_TYPE_2D},
        {TOKEN_TEXTURE_2D, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D},
        {TOKEN_TEXTURE_3D, VK_IMAGE_VIEW_TYPE_3D, VK_IMAGE_VIEW_TYPE_3D},
        {TOKEN_TEXTURE_RECTANGLE, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D},
        {TOKEN_TEXTURE_CUBE_MAP, VK_IMAGE_VIEW_TYPE_CUBE, VK_IMAGE_VIEW_TYPE_CUBE},
        {TOKEN_TEXTURE_1D_ARRAY, VK_IMAGE_VIEW_TYPE_1D_ARRAY, VK_IMAGE_VIEW_TYPE_2D_ARRAY},
        {TOKEN_TEXTURE_2D_ARRAY, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_IMAGE_VIEW_TYPE_2D_ARRAY},
        {TOKEN_TEXTURE_CUBE_MAP_ARRAY, VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, VK_IMAGE_VIEW_TYPE_CUBE_ARRAY},
        {TOKEN_TEXTURE_2D_MULTISAMPLE, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D},
        {TOKEN_TEXTURE_2D_MULTISAMPLE_ARRAY, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_IMAGE_VIEW_TYPE_2D_ARRAY},
    };
    if (token == 0)
        return true;
    for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
        if (targets[i].token != token)
            continue;
        facts->rectangle = token == TOKEN_TEXTURE_RECTANGLE;
        if (facts->type == (uint8_t)targets[i].type || facts->type == (uint8_t)targets[i].or_type)
            return true;
        *why = "target does not fit viewType: GL_TEXTURE_RECTANGLE is 2D, the others are what their names say";
        return false;
    }
    *why = "target is none of GL_TEXTURE_1D, GL_TEXTURE_2D, GL_TEXTURE_3D, GL_TEXTURE_RECTANGLE, GL_TEXTURE_CUBE_MAP, "
           "GL_TEXTURE_1D_ARRAY, GL_TEXTURE_2D_ARRAY, GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_2D_MULTISAMPLE, "
           "GL_TEXTURE_2D_MULTISAMPLE_ARRAY";
    return false;
}

static bool is_depth_or_stencil(uint32_t base)
{
    return base == TOKEN_DEPTH_COMPONENT || base == TOKEN_DEPTH_STENCIL || base == TOKEN_STENCIL_INDEX;
}

/* The texture's own format bounds what its texels and its border can be, wherever it is kept. */
static bool read_internal_format(uint32_t token, struct view_facts *facts, uint32_t *base, const char **why)
{
    struct format_info format = format_info(facts->format);
    struct gl_format gl;
    if (token == 0)
        return true;
    if (!gl_format_find(token, &gl)) {
        *why = "internalFormat is no internal format of an OpenGL texture: GL_RGBA8, GL_DEPTH_COMPONENT24 and so on";
        return false;
    }
    *base = gl.base;
    if (is_depth_or_stencil(gl.base) != ((format.bits & (FORMAT_DEPTH | FORMAT_STENCIL)) != 0)) {
        *why =
            "internalFormat and the view's format: one is a GL_DEPTH or GL_STENCIL format, the other a colour format";
        return false;
    }
    if (!is_depth_or_stencil(gl.base) && gl.kind != GL_FORMAT_ANY &&
        (gl.kind == GL_FORMAT_INTEGER) != ((format.bits & FORMAT_INTEGER) != 0)) {
        *why = "internalFormat and the view's format: one is an integer format (GL_R8UI and so on), the other is not";
        return false;
    }
    if (facts->stencil || gl.kind == GL_FORMAT_ANY || gl.kind == GL_FORMAT_STENCIL)
        return true;
    facts->range = (uint8_t)range_kept(gl.range, (enum view_range)facts->range);
    facts->depth_promoted = facts->depth_aspect && facts->range == VIEW_RANGE_UNORM && !facts->depth_fixed;
    facts->depth_fixed |= facts->depth_promoted;
    return true;
}

static bool check_base(uint32_t base, struct format_info format, const char **why)
{
    bool depth = format.bits & FORMAT_DEPTH, stencil = format.bits & FORMAT_STENCIL;
    if (!is_depth_or_stencil(base) && !FIND(color_bases, base)) {
        *why = "baseFormat is none of GL_RED, GL_RG, GL_RGB, GL_RGBA, GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA, "
               "GL_INTENSITY, GL_DEPTH_COMPONENT, GL_DEPTH_STENCIL, GL_STENCIL_INDEX";
        return false;
    }
    if (is_depth_or_stencil(base) ? !depth && !stencil : depth || stencil)
        *why = "baseFormat and the view's format: one is GL_DEPTH_COMPONENT, GL_DEPTH_STENCIL or GL_STENCIL_INDEX, the "
               "other a colour format";
    else if ((base == TOKEN_DEPTH_COMPONENT || base == TOKEN_DEPTH_STENCIL) && !depth)
        *why = "baseFormat is GL_DEPTH_COMPONENT or GL_DEPTH_STENCIL, but the view's format has no depth";
    else if (base == TOKEN_STENCIL_INDEX && !stencil)
        *why = "baseFormat is GL_STENCIL_INDEX, but the view's format has no stencil";
    else if (base == TOKEN_LUMINANCE_ALPHA && !(format.bits & (FORMAT_G | FORMAT_A)))
        *why = "baseFormat is GL_LUMINANCE_ALPHA, but the view's format has one channel";
    else if (!is_depth_or_stencil(base) && base != TOKEN_ALPHA && !(format.bits & FORMAT_R))
        *why = "baseFormat is not GL_ALPHA, but the view's format has no other channel";
    else
        return true;
    return false;
}

/* Four zeros are the identity, unless the components are four zeros as well: so four times GL_ZERO can be said. */
static bool read_swizzle(const uint32_t swizzle[4], const VkComponentMapping *mapping, uint8_t selectors[4],
                         const char **why)
{
    const bool identity =
        !swizzle[0] && !swizzle[1] && !swizzle[2] && !swizzle[3] && !view_components_are_zero(mapping);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t token = swizzle[i];
        if (token != TOKEN_ZERO && token != TOKEN_ONE && (token < TOKEN_RED || token > TOKEN_ALPHA)) {
            *why = "swizzle is none of GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA, GL_ZERO, GL_ONE";
            return false;
        }
        selectors[i] = (uint8_t)(identity ? R + i : token >= TOKEN_RED ? R + (token - TOKEN_RED) : token);
    }
    return true;
}

/*
 * The swizzle's first component of a comparison's result, which stands in the channels of the depth mode. GL_ALPHA has
 * it in alpha alone, which a lookup that returns one value would seldom show: lookups that compare take it for
 * GL_INTENSITY.
 */
static uint8_t compared_through(const struct view_facts *facts, const struct base_rule *mode, uint8_t selector)
{
    const struct base_rule *seen = mode->token == TOKEN_ALPHA ? FIND(depth_modes, TOKEN_INTENSITY) : mode;
    return compared_of(facts, selector < R ? selector : seen->shown[selector - R]);
}

static VkComponentSwizzle component_of(uint8_t selector)
{
    static const VkComponentSwizzle components[] = {
        [ZERO] = VK_COMPONENT_SWIZZLE_ZERO, [ONE] = VK_COMPONENT_SWIZZLE_ONE, [R] = VK_COMPONENT_SWIZZLE_R,
        [G] = VK_COMPONENT_SWIZZLE_G,       [B] = VK_COMPONENT_SWIZZLE_B,     [A] = VK_COMPONENT_SWIZZLE_A};
    return components[selector];
}

/* Base format or depth mode first, then the swizzle picks from what they show. `at`: see view_order_read(). */
static void compose(const uint8_t shown[4], const uint8_t at[4], const uint8_t selectors[4], struct view_facts *facts,
                    VkComponentMapping *mapping)
{
    struct format_info format = format_info(facts->format);
    VkComponentSwizzle components[4];
    bool identity = true;
    for (uint32_t i = 0; i < 4; i++) {
        uint8_t selector = selectors[i] < R ? selectors[i] : shown[selectors[i] - R];
        uint8_t channel = selector < R ? selector : at[selector - R];
        facts->swizzle[i] = channel < R ? channel : selector;
        if (channel >= R && channel != selector)
            facts->kept_in[selector - R] = (uint8_t)(channel - R + 1);
        components[i] = component_of(channel);
        identity &= channel == stored(format, (uint8_t)(R + i));
    }
    facts->mapping = identity ? VIEW_MAPPING_IDENTITY : VIEW_MAPPING_EXACT;
    if (identity)
        memset(components, 0, sizeof(components));
    _Static_assert(VK_COMPONENT_SWIZZLE_IDENTITY == 0, "as memset leaves it");
    *mapping = (VkComponentMapping){components[0], components[1], components[2], components[3]};
}

static bool read_gl_view(const VkImageViewGLStateCreateInfoCLAMPLER *gl, const VkComponentMapping *channels,
                         const VkComponentMapping *components, struct view_facts *facts, VkComponentMapping *mapping,
                         const char **why)
{
    struct format_info format = format_info(facts->format);
    const struct base_rule *mode = gl->depthMode ? FIND(depth_modes, gl->depthMode) : depth_modes;
    uint32_t base = 0;
    uint8_t selectors[4], at[4];
    if (!read_target(gl->target, facts, why) || !read_internal_format(gl->internalFormat, facts, &base, why))
        return false;
    if (gl->baseFormat)
        base = gl->baseFormat;
    if (base && !check_base(base, format, why))
        return false;
    if (!read_swizzle(gl->swizzle, components, selectors, why))
        return false;
    if (!mode) {
        *why = "depthMode is none of GL_LUMINANCE, GL_INTENSITY, GL_ALPHA, GL_RED";
        return false;
    }
    if (facts->stencil)
        mode = depth_modes;
    const bool color = !(format.bits & (FORMAT_DEPTH | FORMAT_STENCIL));
    const uint32_t token = color && base ? base : TOKEN_RGBA; /* depth and stencil are in red */
    if (!view_order_read(channels, token, facts->format, at, why))
        return false;
    compose(color ? FIND(color_bases, token)->shown : mode->shown, at, selectors, facts, mapping);
    facts->compared = compared_through(facts, mode, selectors[0]);
    return true;
}

bool view_facts_from_gl_order(const VkImageViewGLStateCreateInfoCLAMPLER *gl, const VkComponentMapping *channels,
                              const VkImageViewCreateInfo *info, struct view_facts *facts, VkComponentMapping *mapping,
                              const char **why)
{
    *why = NULL;
    read_format(info, gl->stencilSampling || gl->baseFormat == TOKEN_STENCIL_INDEX, facts);
    if (read_gl_view(gl, channels, &info->components, facts, mapping, why))
        return true;
    memset(facts, 0, sizeof(*facts));
    *mapping = (VkComponentMapping){VK_COMPONENT_SWIZZLE_IDENTITY, VK_COMPONENT_SWIZZLE_IDENTITY,
                                    VK_COMPONENT_SWIZZLE_IDENTITY, VK_COMPONENT_SWIZZLE_IDENTITY};
    return false;
}

/* ---- The texture's own state ---- */

/* Section 8.17 and 11.1.3.5: R, G and B are 0, A is 1, whatever the type. */
static void show_incomplete(struct view_facts *facts, VkComponentMapping *mapping)
{
    static const uint8_t incomplete[] = {ZERO, ZERO, ZERO, ONE};
    memcpy(facts->swizzle, incomplete, sizeof(incomplete));
    facts->mapping = VIEW_MAPPING_EXACT;
    memset(facts->kept_in, 0, sizeof(facts->kept_in));
    facts->compared = facts->depth_aspect ? VIEW_COMPARED_ZERO : VIEW_COMPARED_RESULT;
    *mapping = (VkComponentMapping){VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_ZERO,
                                    VK_COMPONENT_SWIZZLE_ONE};
}

void view_facts_add_texture(const VkImageViewGLTextureStateCreateInfoCLAMPLER *texture, struct view_facts *facts,
                            VkComponentMapping *mapping)
{
    const float fail = texture->compareFailValue;
    if (texture->incomplete)
        show_incomplete(facts, mapping);
    if (facts->depth_aspect && facts->compared == VIEW_COMPARED_RESULT && fail > 0.0f) /* not NaN */
        facts->compare_fail = fail < 1.0f ? fail : 1.0f;
}

/* ---- The key ---- */

/* A digit of the key in its own base: the product of all bases is how many classes of views there are. */
static void digit(uint32_t *key, uint32_t base, uint32_t value)
{
    *key = *key * base + value;
}

enum { RECTANGLE_TYPE = VK_IMAGE_VIEW_TYPE_CUBE_ARRAY + 1, TYPES };
_Static_assert(6ull * 6 * 6 * 6 * 4 * 3 * FORMAT_COUNT * TYPES * 3 * 2 * 2 * 7 < VIEW_FACTS_KEYS,
               "all digits of view_facts_key");

enum { ALPHA_IN_R = 1u << 9, ALPHA_IN_G = 2u << 9 }; /* as view_order() has them */

bool view_facts_key_is_whole(const struct view_facts *view)
{
    const uint32_t order = view_order(view);
    if (view->border)
        return false;
    return !order || order == ALPHA_IN_R || order == ALPHA_IN_G;
}

static uint32_t order_digit(const struct view_facts *view)
{
    const uint32_t order = view_order(view);
    return order == ALPHA_IN_R ? 1 : order == ALPHA_IN_G ? 2 : 0;
}
/* Depth has few ranges: digits from here on say that comparisons which fail give something. */
#define FAILING_RANGES 3u

/* 0: the format's own range; else the index of another range among those of the format's kind. */
static uint32_t range_digit(const struct view_facts *view, struct format_info format)
{
    static const uint8_t digits[] = {
        [VIEW_RANGE_UNORM] = 1,  [VIEW_RANGE_SNORM] = 2, [VIEW_RANGE_HALF] = 3,   [VIEW_RANGE_UHALF] = 4,
        [VIEW_RANGE_UF11] = 5,   [VIEW_RANGE_E5B9] = 6,  [VIEW_RANGE_UINT8] = 1,  [VIEW_RANGE_UINT10] = 2,
        [VIEW_RANGE_UINT16] = 3, [VIEW_RANGE_SINT8] = 1, [VIEW_RANGE_SINT10] = 2, [VIEW_RANGE_SINT16] = 3,
        [VIEW_RANGE_SINT32] = 0,
    };
    const uint32_t own = view->stencil || view->range == format.range ? 0 : digits[view->range];
    return view->compare_fail > 0.0f ? own + FAILING_RANGES : own;
}

uint32_t view_facts_key(const struct view_facts *view)
{
    struct format_info format = format_info(view->format);
    uint32_t key = 0;
    for (uint32_t i = 0; i < 4; i++)
        digit(&key, 6, view->swizzle[i]);
    digit(&key, 4, view->stencil ? 3u : view->depth_aspect ? view->compared : order_digit(view));
    digit(&key, 3, view->mapping);
    digit(&key, FORMAT_COUNT, format_index(view->format));
    digit(&key, TYPES, view->rectangle ? RECTANGLE_TYPE : view->type);
    digit(&key, 3, view->levels <= 1 ? 0u : view->least_level > 0.0f ? 2u : 1u);
    digit(&key, 2, view->linear);
    digit(&key, 2, view->minmax);
    /* Texels decoded from sRGB have their own range. */
    digit(&key, 7, view->srgb ? view->unorm_auxiliary : range_digit(view, format));
    return key + 1;
}
