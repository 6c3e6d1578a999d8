/* SPDX-License-Identifier: MIT */
/* For tests of single subsystems: attachments of every format may be without alpha, and keep it where they can. */
#include "attachments/attachments.h"
#include "alpha/pass.h"
#include "objects/track.h"

bool alpha_possible(const struct track *known, VkFormat format)
{
    (void)known;
    return blend_format(format) != NULL;
}

bool alpha_keeps(const struct track *known, const struct blend_format *format)
{
    (void)known;
    return format && format->keeps >= BLEND_KEEPS_VALUES;
}

bool alpha_is_negative(const struct track *known, const struct blend_format *format)
{
    (void)known;
    return format && blend_is_signed(format);
}

bool alpha_writes(const struct track *known, const struct blend_format *format)
{
    (void)known;
    return format && format->keeps == BLEND_SHADER_WRITES;
}
