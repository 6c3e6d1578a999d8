/* SPDX-License-Identifier: MIT */
/* Orders of channels: what a base format and a view's channels make, and what moves with them but for blending. */
#include "blend/order.h"

#include "format/format.h"
#include "format/range.h"
#include "gl/gl_tokens.h"
#include "record/layout.h"
#include "spirv/outputs.h"
#include "view_facts/view_facts.h"

enum { A = 3 };

static struct channel_order order_of(const uint8_t at[4])
{
    struct channel_order order = {.from = {ORDER_NONE, ORDER_NONE, ORDER_NONE, ORDER_NONE}};
    for (uint32_t i = 0; i < 4; i++) {
        order.at[i] = (uint8_t)(at[i] >= RECORD_BORDER_R     ? at[i] - RECORD_BORDER_R
                                : at[i] == RECORD_BORDER_ONE ? ORDER_ONE
                                                             : ORDER_ZERO);
        if (order.at[i] <= A && order.from[order.at[i]] == ORDER_NONE)
            order.from[order.at[i]] = (uint8_t)i;
    }
    return order;
}

enum order_result order_make(uint32_t base, const VkComponentMapping *channels, VkFormat format, bool attachment,
                             struct channel_order *order, const char **why)
{
    uint8_t at[4];
    const uint32_t token = base ? base : TOKEN_RGBA;
    if (attachment ? view_order_of_attachment(channels, token, format, at, why)
                   : view_order_read(channels, token, format, at, why)) {
        *order = order_of(at);
        return ORDER_MADE;
    }
    const char *none;
    view_order_read(NULL, TOKEN_RGBA, format, at, &none);
    *order = order_of(at);
    return view_order_is_unsupported(*why) ? ORDER_UNSUPPORTED : ORDER_INVALID;
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
