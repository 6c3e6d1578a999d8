/* SPDX-License-Identifier: MIT */
/* Clamps border colours as OpenGL does, on the host and, by the bounds that records carry, in shaders. */
#include "format/range.h"

#include <math.h>
#include <stdbool.h>

#include "record/layout.h"
#include "record/record.h"

/*
 * Numbers of floats, unsigned and signed integers alike; all channels have the same bounds but for one: blue of floats,
 * alpha of integers, whose least value is the complement of its greatest.
 */
struct number_range {
    uint8_t kind; /* RECORD_BORDER_KIND_* */
    uint8_t rank; /* of ranges of one kind, the narrower one has the higher rank */
    double least, greatest;
    double own; /* the greatest value of the channel that differs */
};

#define FLOATS RECORD_BORDER_KIND_FLOAT
#define UNSIGNED RECORD_BORDER_KIND_UINT
#define SIGNED RECORD_BORDER_KIND_SINT

static const struct number_range all[] = {
    [VIEW_RANGE_NONE] = {FLOATS, 0, -(double)INFINITY, (double)INFINITY, (double)INFINITY},
    [VIEW_RANGE_HALF] = {FLOATS, 1, -65504, 65504, 65504},
    [VIEW_RANGE_UHALF] = {FLOATS, 2, 0, 65504, 65504},
    [VIEW_RANGE_E5B9] = {FLOATS, 3, 0, 65408, 65408},
    [VIEW_RANGE_UF11] = {FLOATS, 4, 0, 65024, 64512},
    [VIEW_RANGE_SNORM] = {FLOATS, 5, -1, 1, 1},
    [VIEW_RANGE_UNORM] = {FLOATS, 6, 0, 1, 1},
    [VIEW_RANGE_UINT32] = {UNSIGNED, 0, 0, UINT32_MAX, UINT32_MAX},
    [VIEW_RANGE_UINT16] = {UNSIGNED, 1, 0, 65535, 65535},
    [VIEW_RANGE_UINT10] = {UNSIGNED, 2, 0, 1023, 3},
    [VIEW_RANGE_UINT8] = {UNSIGNED, 3, 0, 255, 255},
    [VIEW_RANGE_SINT32] = {SIGNED, 0, INT32_MIN, INT32_MAX, INT32_MAX},
    [VIEW_RANGE_SINT16] = {SIGNED, 1, -32768, 32767, 32767},
    [VIEW_RANGE_SINT10] = {SIGNED, 2, -512, 511, 1},
    [VIEW_RANGE_SINT8] = {SIGNED, 3, -128, 127, 127},
};

static bool has_own_bound(const struct number_range *bounds, uint32_t channel)
{
    return channel == (bounds->kind == FLOATS ? 2u : 3u);
}

static uint32_t clamp_float(double least, double greatest, uint32_t bits)
{
    const float value = record_float(bits);
    if (isnan(value) || value == 0.0f)
        return 0;
    return (double)value < least      ? record_bits((float)least)
           : (double)value > greatest ? record_bits((float)greatest)
                                      : bits;
}

static uint32_t clamp_signed(double least, double greatest, uint32_t bits)
{
    const int32_t value = (int32_t)bits;
    return (double)value < least ? (uint32_t)(int32_t)least : (double)value > greatest ? (uint32_t)greatest : bits;
}

uint32_t range_clamp(enum view_range range, uint32_t channel, uint32_t bits)
{
    const struct number_range *bounds = &all[range];
    const bool own = has_own_bound(bounds, channel);
    const double greatest = own ? bounds->own : bounds->greatest;
    switch (bounds->kind) {
    case UNSIGNED:
        return (double)bits > greatest ? (uint32_t)greatest : bits;
    case SIGNED:
        return clamp_signed(-greatest - 1, greatest, bits);
    default:
        return clamp_float(bounds->least, greatest, bits);
    }
}

static uint32_t bits_of(uint8_t kind, double value)
{
    return kind == FLOATS ? record_bits((float)value) : kind == SIGNED ? (uint32_t)(int32_t)value : (uint32_t)value;
}

void range_in_record(enum view_range range, uint32_t border[4])
{
    const struct number_range *bounds = &all[range];
    border[0] = (uint32_t)bounds->kind << RECORD_BORDER_KIND_SHIFT;
    border[1] = bits_of(bounds->kind, bounds->least);
    border[2] = bits_of(bounds->kind, bounds->greatest);
    border[3] = bits_of(bounds->kind, bounds->own);
}

enum view_range range_kept(enum view_range texture, enum view_range format)
{
    return all[texture].kind == all[format].kind && all[texture].rank > all[format].rank ? texture : format;
}
