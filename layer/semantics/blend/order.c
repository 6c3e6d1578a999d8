/* SPDX-License-Identifier: MIT */
/* Orders of channels: what a base format and a view's channels make, and what moves with them but for blending. */
#include "blend/order.h"

#include <string.h>

#include "format/format.h"
#include "format/range.h"
#include "gl/gl_tokens.h"
#include "spirv/outputs.h"

enum { R, G, B, A };

/* The channels of each base format as lookups and blending read them (OpenGL 4.6 compatibility, tables 8.11 and 8.18).
 */
static const struct base {
    uint32_t token;
    uint8_t shown[4]; /* a channel that is kept, ORDER_ZERO, ORDER_ONE */
} bases[] = {
    {TOKEN_RED, {R, ORDER_ZERO, ORDER_ZERO, ORDER_ONE}},
    {TOKEN_RG, {R, G, ORDER_ZERO, ORDER_ONE}},
    {TOKEN_RGB, {R, G, B, ORDER_ONE}},
    {TOKEN_RGBA, {R, G, B, A}},
    {TOKEN_ALPHA, {ORDER_ZERO, ORDER_ZERO, ORDER_ZERO, A}},
    {TOKEN_LUMINANCE, {R, R, R, ORDER_ONE}},
    {TOKEN_LUMINANCE_ALPHA, {R, R, R, A}},
    {TOKEN_INTENSITY, {R, R, R, R}},
};

static const struct base *find_base(uint32_t token)
{
    for (uint32_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
        if (bases[i].token == token)
            return &bases[i];
    }
    return NULL;
}

static bool keeps(const struct base *base, uint32_t channel)
{
    for (uint32_t i = 0; i < 4; i++) {
        if (base->shown[i] == channel)
            return true;
    }
    return false;
}

/* Where a channel is without a word of the program's; what the format lacks is 0, alpha 1. */
static uint8_t natural_place(uint32_t channel, uint32_t base, struct format_info format)
{
    if (format.bits >> channel & 1)
        return (uint8_t)channel;
    if (channel == A && base == TOKEN_ALPHA && (format.bits & FORMAT_R))
        return R;
    if (channel == A && base == TOKEN_LUMINANCE_ALPHA && (format.bits & FORMAT_G))
        return G;
    return channel == A ? ORDER_ONE : ORDER_ZERO;
}

static enum order_result said_place(VkComponentSwizzle said, struct format_info format, uint8_t *place,
                                    const char **why)
{
    switch (said) {
    case VK_COMPONENT_SWIZZLE_IDENTITY:
        return ORDER_MADE;
    case VK_COMPONENT_SWIZZLE_ZERO:
        *place = ORDER_ZERO;
        return ORDER_MADE;
    case VK_COMPONENT_SWIZZLE_ONE:
        *place = ORDER_ONE;
        return ORDER_MADE;
    case VK_COMPONENT_SWIZZLE_R:
    case VK_COMPONENT_SWIZZLE_G:
    case VK_COMPONENT_SWIZZLE_B:
    case VK_COMPONENT_SWIZZLE_A:
        *place = (uint8_t)(said - VK_COMPONENT_SWIZZLE_R);
        if (format.bits >> *place & 1)
            return ORDER_MADE;
        *why = "channels names a channel that the view's format does not have";
        return ORDER_UNSUPPORTED;
    default:
        *why = "a member of channels is no VkComponentSwizzle";
        return ORDER_INVALID;
    }
}

/* The format's own order. */
static struct channel_order own_order(struct format_info format)
{
    struct channel_order order;
    for (uint32_t i = 0; i < 4; i++) {
        order.at[i] = natural_place(i, TOKEN_RGBA, format);
        order.from[i] = (uint8_t)(format.bits >> i & 1 ? i : ORDER_NONE);
    }
    return order;
}

static enum order_result place_channels(const struct base *base, const VkComponentMapping *channels,
                                        struct format_info format, bool attachment, struct channel_order *order,
                                        const char **why)
{
    const VkComponentSwizzle said[4] = {channels->r, channels->g, channels->b, channels->a};
    uint8_t places[4];
    for (uint32_t i = 0; i < 4; i++)
        order->from[i] = ORDER_NONE;
    for (uint32_t i = 0; i < 4; i++) {
        places[i] = natural_place(i, base->token, format);
        if (!keeps(base, i)) {
            if (said[i] == VK_COMPONENT_SWIZZLE_IDENTITY)
                continue;
            *why = "channels must be VK_COMPONENT_SWIZZLE_IDENTITY for a channel that the base format does not have";
            return ORDER_INVALID;
        }
        const enum order_result result = said_place(said[i], format, &places[i], why);
        if (result != ORDER_MADE)
            return result;
        if (places[i] > A)
            continue;
        if (attachment && order->from[places[i]] != ORDER_NONE) {
            *why = "channels names one channel twice, and the view may be a colour attachment";
            return ORDER_UNSUPPORTED;
        }
        order->from[places[i]] = (uint8_t)i;
    }
    for (uint32_t i = 0; i < 4; i++)
        order->at[i] = base->shown[i] > A ? base->shown[i] : places[base->shown[i]];
    return ORDER_MADE;
}

enum order_result order_make(uint32_t base, const VkComponentMapping *channels, VkFormat format, bool attachment,
                             struct channel_order *order, const char **why)
{
    static const VkComponentMapping identity = {VK_COMPONENT_SWIZZLE_IDENTITY, VK_COMPONENT_SWIZZLE_IDENTITY,
                                                VK_COMPONENT_SWIZZLE_IDENTITY, VK_COMPONENT_SWIZZLE_IDENTITY};
    const struct format_info info = format_info(format);
    const struct base *known = find_base(base ? base : TOKEN_RGBA);
    *why = NULL;
    *order = own_order(info);
    if (!known || (info.bits & (FORMAT_DEPTH | FORMAT_STENCIL))) {
        if (!channels || memcmp(channels, &identity, sizeof(identity)) == 0)
            return ORDER_MADE;
        *why = "channels are those of a colour format, but the view has depth or stencil";
        return ORDER_UNSUPPORTED;
    }
    const enum order_result result =
        place_channels(known, channels ? channels : &identity, info, attachment, order, why);
    if (result != ORDER_MADE)
        *order = own_order(info);
    return result;
}

bool order_is_natural(const struct channel_order *order)
{
    for (uint32_t i = 0; i < 4; i++) {
        if (order->from[i] != i && order->from[i] != ORDER_NONE)
            return false;
    }
    return order->at[A] == A || order->at[A] == ORDER_ONE;
}

/* ---- Keys ---- */

uint32_t order_key(const struct channel_order *order)
{
    uint32_t key = 0;
    for (uint32_t i = 0; i < 4; i++)
        key |= (uint32_t)order->at[i] << 3 * i | (uint32_t)order->from[i] << (12 + 3 * i);
    return key;
}

struct channel_order order_of_key(uint32_t key)
{
    struct channel_order order;
    for (uint32_t i = 0; i < 4; i++) {
        order.at[i] = key >> 3 * i & 7;
        order.from[i] = key >> (12 + 3 * i) & 7;
    }
    return order;
}

/* ---- What moves ---- */

VkColorComponentFlags order_write_mask(const struct channel_order *order, VkColorComponentFlags mask)
{
    VkColorComponentFlags moved = 0, unkept = 0;
    bool all = true;
    for (uint32_t i = 0; i < 4; i++) {
        if (order->from[i] == ORDER_NONE)
            unkept |= 1u << i;
        else if (mask >> order->from[i] & 1)
            moved |= 1u << i;
        else
            all = false;
    }
    return all ? moved | unkept : moved;
}

void order_clear_value(const struct channel_order *order, VkClearColorValue *color)
{
    const VkClearColorValue program = *color;
    for (uint32_t i = 0; i < 4; i++)
        color->uint32[i] = order->from[i] == ORDER_NONE ? 0 : program.uint32[order->from[i]];
}

uint32_t order_input(const struct channel_order *order)
{
    uint32_t selects = 0;
    bool same = true;
    for (uint32_t i = 0; i < 4; i++) {
        const enum spirv_select select = order->at[i] <= A ? (enum spirv_select)(SPIRV_SELECT_R + order->at[i])
                                         : order->at[i] == ORDER_ONE ? SPIRV_SELECT_ONE
                                                                     : SPIRV_SELECT_ZERO;
        selects |= (uint32_t)select << 3 * i;
        same &= order->at[i] == i;
    }
    return same ? 0 : selects;
}

enum order_number order_number(VkFormat format)
{
    const struct format_info info = format_info(format);
    if (info.bits & FORMAT_INTEGER)
        return ORDER_INTEGER;
    return info.range == VIEW_RANGE_UNORM ? ORDER_UNORM : info.range == VIEW_RANGE_SNORM ? ORDER_SNORM : ORDER_FLOAT;
}
