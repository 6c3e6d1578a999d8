/* SPDX-License-Identifier: MIT */
/* One table from needs to the facts of a shader (spirv_scan): which needs a shader follows. */
#include "need/need.h"

uint32_t needs_followed(const struct spirv_facts *facts)
{
    const struct {
        bool does; /* the shader executes instructions that these needs change */
        uint32_t needs;
    } rows[] = {
        {facts->samples, RECORD_NEED_COORDS | RECORD_NEED_FILTER | RECORD_NEED_FILTER_IF_MIPS | RECORD_NEED_MIPS},
        {facts->samples, RECORD_NEED_LINEAR | RECORD_NEED_UNFILTERABLE | RECORD_NEED_BORDER | RECORD_NEED_BORDER_OTHER},
        {facts->samples, RECORD_NEED_SRGB_SKIP | RECORD_NEED_SRGB},
        {facts->samples, RECORD_NEED_REDUCTION | RECORD_NEED_NO_MINMAX | RECORD_NEED_PAIR_REDUCTION},
        {facts->samples, RECORD_NEED_VIEW_EXTRAS | RECORD_NEED_TEXELS | RECORD_NEED_PROBES | RECORD_NEED_BOUNDS},
        {facts->offsets, RECORD_NEED_FILTER_IF_OFFSET},
        {facts->gathers, RECORD_NEED_FILTER_IF_GATHER},
        {facts->biases, RECORD_NEED_COORDS_IF_BIAS},
        {facts->biases && facts->offsets, RECORD_NEED_FILTER_IF_BIAS_OFFSET},
        {facts->queries, RECORD_NEED_COORDS_IF_QUERY},
        {facts->fetches_images, RECORD_NEED_COORDS_IF_FETCH | RECORD_NEED_VIEW_EXTRAS},
        {facts->least_lods, RECORD_NEED_COORDS_IF_LEAST_LOD},
        {facts->drefs, RECORD_NEED_COORDS_IF_DREF | RECORD_NEED_FILTER_IF_DREF},
        {facts->uncompared, RECORD_NEED_FILTER_IF_UNCOMPARED},
        {facts->samples && facts->integers, NEEDS_OF_INTEGERS},
        {facts->cubes, RECORD_NEED_FILTER_IF_CUBE},
        {facts->cubes && facts->gathers, RECORD_NEED_FILTER_IF_CUBE_GATHER},
        {facts->fetches_buffers, RECORD_NEED_TEXEL_BUFFER},
        {facts->reads_inputs, RECORD_NEED_INPUT},
    };
    uint32_t follows = 0;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        follows |= rows[i].does ? rows[i].needs : 0u;
    return follows;
}
