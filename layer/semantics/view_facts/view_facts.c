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
static uint8_t stored(struct format_info format, uint8_t selector, uint8_t alpha_in)
{
    if (selector < R)
        return selector;
    uint8_t channel = selector != A || alpha_in == VIEW_ALPHA_IN_A ? selector : alpha_in == VIEW_ALPHA_IN_R ? R : G;
    return format_has(format, channel) ? channel : channel == A ? ONE : ZERO;
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
        facts->swizzle[i] = stored(format, selector, VIEW_ALPHA_IN_A);
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

/* The channel that has alpha, for base formats without a VkFormat of their own. */
static uint8_t alpha_of(uint32_t base, struct format_info format)
{
    if (format.bits & FORMAT_A)
        return VIEW_ALPHA_IN_A;
    return base == TOKEN_ALPHA ? VIEW_ALPHA_IN_R : base == TOKEN_LUMINANCE_ALPHA ? VIEW_ALPHA_IN_G : VIEW_ALPHA_IN_A;
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

/* Base format or depth mode first, then the swizzle picks from what they show. */
static void compose(const uint8_t shown[4], const uint8_t selectors[4], struct view_facts *facts,
                    VkComponentMapping *mapping)
{
    struct format_info format = format_info(facts->format);
    VkComponentSwizzle components[4];
    bool identity = true;
    for (uint32_t i = 0; i < 4; i++) {
        uint8_t selector = selectors[i] < R ? selectors[i] : shown[selectors[i] - R];
        uint8_t channel = stored(format, selector, facts->alpha_in);
        facts->swizzle[i] = channel < R ? channel : selector;
        components[i] = component_of(channel);
        identity &= channel == stored(format, (uint8_t)(R + i), VIEW_ALPHA_IN_A);
    }
    facts->mapping = identity ? VIEW_MAPPING_IDENTITY : VIEW_MAPPING_EXACT;
    if (identity)
        memset(components, 0, sizeof(components));
    _Static_assert(VK_COMPONENT_SWIZZLE_IDENTITY == 0, "as memset leaves it");
    *mapping = (VkComponentMapping){components[0], components[1], components[2], components[3]};
}

static bool read_gl_view(const VkImageViewGLStateCreateInfoCLAMPLER *gl, const VkComponentMapping *components,
                         struct view_facts *facts, VkComponentMapping *mapping, const char **why)
{
    struct format_info format = format_info(facts->format);
    const struct base_rule *mode = gl->depthMode ? FIND(depth_modes, gl->depthMode) : depth_modes;
    uint32_t base = 0;
    uint8_t selectors[4];
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
    facts->alpha_in = alpha_of(base, format);
    bool color = !(format.bits & (FORMAT_DEPTH | FORMAT_STENCIL));
    compose(color ? FIND(color_bases, base ? base : TOKEN_RGBA)->shown : mode->shown, selectors, facts, mapping);
    facts->compared = compared_through(facts, mode, selectors[0]);
    /* Equal meanings have equal facts: where no channel shows alpha, its place is fixed. */
    if (!memchr(facts->swizzle, A, 4))
        facts->alpha_in = VIEW_ALPHA_IN_A;
    return true;
}

bool view_facts_from_gl(const VkImageViewGLStateCreateInfoCLAMPLER *gl, const VkImageViewCreateInfo *info,
                        struct view_facts *facts, VkComponentMapping *mapping, const char **why)
{
    *why = NULL;
    read_format(info, gl->stencilSampling || gl->baseFormat == TOKEN_STENCIL_INDEX, facts);
    if (read_gl_view(gl, &info->components, facts, mapping, why))
        return true;
    memset(facts, 0, sizeof(*facts));
    *mapping = (VkComponentMapping){VK_COMPONENT_SWIZZLE_IDENTITY, VK_COMPONENT_SWIZZLE_IDENTITY,
                                    VK_COMPONENT_SWIZZLE_IDENTITY, VK_COMPONENT_SWIZZLE_IDENTITY};
    return false;
}

/* ---- The key ---- */

/* A digit of the key in its own base: the product of all bases is how many classes of views there are. */
static void digit(uint32_t *key, uint32_t base, uint32_t value)
{
    *key = *key * base + value;
}

enum { RECTANGLE_TYPE = VK_IMAGE_VIEW_TYPE_CUBE_ARRAY + 1, TYPES };
_Static_assert(6ull * 6 * 6 * 6 * 4 * 3 * FORMAT_COUNT * TYPES * 3 * 2 * 2 * 7 < UINT32_MAX,
               "all digits of view_facts_key");

/* 0: the format's own range; else the index of another range among those of the format's kind. */
static uint32_t range_digit(const struct view_facts *view, struct format_info format)
{
    static const uint8_t digits[] = {
        [VIEW_RANGE_UNORM] = 1,  [VIEW_RANGE_SNORM] = 2, [VIEW_RANGE_HALF] = 3,   [VIEW_RANGE_UHALF] = 4,
        [VIEW_RANGE_UF11] = 5,   [VIEW_RANGE_E5B9] = 6,  [VIEW_RANGE_UINT8] = 1,  [VIEW_RANGE_UINT10] = 2,
        [VIEW_RANGE_UINT16] = 3, [VIEW_RANGE_SINT8] = 1, [VIEW_RANGE_SINT10] = 2, [VIEW_RANGE_SINT16] = 3,
        [VIEW_RANGE_SINT32] = 0,
    };
    return view->stencil || view->range == format.range ? 0 : digits[view->range];
}

uint32_t view_facts_key(const struct view_facts *view)
{
    struct format_info format = format_info(view->format);
    uint32_t key = 0;
    for (uint32_t i = 0; i < 4; i++)
        digit(&key, 6, view->swizzle[i]);
    digit(&key, 4, view->stencil ? 3u : view->depth_aspect ? view->compared : view->alpha_in);
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
