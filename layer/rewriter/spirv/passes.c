/* SPDX-License-Identifier: MIT */
/* The table of passes: which code plans and rewrites each kind of site. */
#include "spirv/passes.h"

#include "spirv/lookup/image_fetch.h"
#include "spirv/lookup/lod_query.h"
#include "spirv/lookup/lookup.h"
#include "spirv/sites/input.h"
#include "spirv/sites/texel_buffer.h"

const struct pass passes[SITE_KINDS] = {
    [SITE_LOOKUP] = {true, lookup_plan, lookup_rewrite},
    [SITE_LOD_QUERY] = {true, lod_query_plan, lod_query_rewrite},
    [SITE_TEXEL_FETCH] = {false, texel_buffer_plan, texel_buffer_rewrite},
    [SITE_TEXEL_COUNT] = {false, texel_buffer_plan, texel_buffer_rewrite},
    [SITE_IMAGE_FETCH] = {false, image_fetch_plan, image_fetch_rewrite},
    [SITE_LEVEL_SIZE] = {false, level_size_plan, level_size_rewrite},
    [SITE_INPUT_READ] = {false, input_plan, input_rewrite},
    [SITE_DRIVERS] = {false, lookup_plan_drivers, NULL},
};
