/* SPDX-License-Identifier: MIT */
#include "differential/blend_deviations.h"

#include <math.h>
#include <string.h>

#include "differential/versions.h"

/* Linear colours off by less than 3 steps of 255: 0.0101 is the most that was seen. */
static bool subtracts_srgb(const struct blend_deviating *pixel)
{
    const struct blend_draw *draw = &pixel->one->draw;
    if (draw->family != BLEND_SRGB8 || !draw->blends ||
        (draw->op != VK_BLEND_OP_SUBTRACT && draw->op != VK_BLEND_OP_REVERSE_SUBTRACT))
        return false;
    for (unsigned c = 0; c < 3; c++) {
        if (fabsf(blend_linear(pixel->found[c]) - blend_linear(pixel->expected[c])) > 3.0f / 255.0f)
            return false;
    }
    return true;
}

static bool saturates_nothing(const struct blend_deviating *pixel)
{
    const struct blend_draw *draw = &pixel->one->draw;
    return draw->family == BLEND_FLOAT16 && pixel->one->alpha && draw->blends &&
           draw->source == VK_BLEND_FACTOR_SRC_ALPHA_SATURATE &&
           (draw->destination == VK_BLEND_FACTOR_ONE || draw->destination == VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA) &&
           blend_source_alpha(pixel->index) == 0.0f;
}

static const struct blend_deviation deviations[] = {
    {"NVIDIA", "580.159", "sRGB attachments under SUBTRACT and REVERSE_SUBTRACT",
     "Where source and destination nearly cancel out, the linear difference has about 8 bits: 0.6 - 0.5972 (0.7961 as "
     "sRGB) becomes 0, which is encoded as 0, not as 0.0362. Vulkan, OpenGL and the driver alone agree; the other "
     "equations, and UNORM under all of them, are right.",
     subtracts_srgb},
    {"NVIDIA", "580.159",
     "floats with alpha, SRC_ALPHA_SATURATE with ONE or ONE_MINUS_SRC_ALPHA, where the source's alpha is 0",
     "Memory stays as it is: 1.2246 where 1 x min(0, 1 - 1.8535) + 1.2246 is 0.3711. The factor is negative where the "
     "destination's alpha is above 1, which only floats can be. Vulkan, OpenGL and the driver alone agree; other "
     "destination factors, and other source alphas, are right.",
     saturates_nothing},
};

const struct blend_deviation *blend_deviation_find(const char *driver, const char *version,
                                                   const struct blend_deviating *pixel)
{
    for (size_t i = 0; i < sizeof(deviations) / sizeof(deviations[0]); i++) {
        const struct blend_deviation *entry = &deviations[i];
        if (strstr(driver, entry->driver) && version_is_in(version, entry->version) && entry->applies(pixel))
            return entry;
    }
    return NULL;
}
