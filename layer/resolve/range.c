#include "range.h"

#include <math.h>
#include <string.h>

static uint32_t clamp_float(float low, float high, uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    if (isnan(value) || value == 0.0f)
        value = 0.0f;
    else if (value < low)
        value = low;
    else if (value > high)
        value = high;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t clamp_unsigned(uint32_t width, uint32_t bits)
{
    uint32_t most = (1u << width) - 1;
    return bits < most ? bits : most;
}

static uint32_t clamp_signed(uint32_t width, uint32_t bits)
{
    int32_t most = (int32_t)((1u << (width - 1)) - 1), value;
    memcpy(&value, &bits, sizeof value);
    if (value > most)
        value = most;
    else if (value < -most - 1)
        value = -most - 1;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

uint32_t range_clamp(enum view_range range, uint32_t channel, uint32_t bits)
{
    switch (range) {
    case VIEW_RANGE_NONE:
        return clamp_float(-INFINITY, INFINITY, bits);
    case VIEW_RANGE_UNORM:
        return clamp_float(0.0f, 1.0f, bits);
    case VIEW_RANGE_SNORM:
        return clamp_float(-1.0f, 1.0f, bits);
    case VIEW_RANGE_HALF:
        return clamp_float(-65504.0f, 65504.0f, bits);
    case VIEW_RANGE_UHALF:
        return clamp_float(0.0f, 65504.0f, bits);
    case VIEW_RANGE_UF11:
        return clamp_float(0.0f, channel == 2 ? 64512.0f : 65024.0f, bits);
    case VIEW_RANGE_E5B9:
        return clamp_float(0.0f, 65408.0f, bits);
    case VIEW_RANGE_UINT8:
        return clamp_unsigned(8, bits);
    case VIEW_RANGE_UINT10:
        return clamp_unsigned(channel == 3 ? 2 : 10, bits);
    case VIEW_RANGE_UINT16:
        return clamp_unsigned(16, bits);
    case VIEW_RANGE_SINT8:
        return clamp_signed(8, bits);
    case VIEW_RANGE_SINT10:
        return clamp_signed(channel == 3 ? 2 : 10, bits);
    case VIEW_RANGE_SINT16:
        return clamp_signed(16, bits);
    case VIEW_RANGE_UINT32:
    case VIEW_RANGE_SINT32:
        break;
    }
    return bits;
}
