/* SPDX-License-Identifier: MIT */
/*
 * Reads a program's GL sampler structure, checks its tokens, and brings it to the canonical form that equal states
 * share.
 */
#include "resolve/resolve.h"

#include <math.h>
#include <string.h>

#include "resolve/border.h"
#include "gl/gl_tokens.h"
#include "resolve/wrap.h"

#define MOST_STATE_BIAS 127.0f /* levels; records have 16 bits for it */
#define DEFAULT_MIN_LOD -1000.0f
#define DEFAULT_MAX_LOD 1000.0f /* also the greatest kept: VK_LOD_CLAMP_NONE */

static bool read_mag_filter(uint32_t token, struct sampler_state *state)
{
    state->mag_linear = token == TOKEN_CUBIC_IMG ? SAMPLER_CUBIC : token != TOKEN_NEAREST;
    return token == 0 || token == TOKEN_NEAREST || token == TOKEN_LINEAR || token == TOKEN_CUBIC_IMG;
}

static bool read_min_filter(uint32_t token, struct sampler_state *state)
{
    if (token == 0)
        token = TOKEN_NEAREST_MIPMAP_LINEAR;
    state->min_linear = token >= TOKEN_CUBIC_IMG ? SAMPLER_CUBIC : token & 1u; /* so the registry numbered them */
    switch (token) {
    case TOKEN_NEAREST:
    case TOKEN_LINEAR:
    case TOKEN_CUBIC_IMG:
        state->mip_mode = 0;
        return true;
    case TOKEN_NEAREST_MIPMAP_NEAREST:
    case TOKEN_LINEAR_MIPMAP_NEAREST:
    case TOKEN_CUBIC_MIPMAP_NEAREST_IMG:
        state->mip_mode = 1;
        return true;
    case TOKEN_NEAREST_MIPMAP_LINEAR:
    case TOKEN_LINEAR_MIPMAP_LINEAR:
    case TOKEN_CUBIC_MIPMAP_LINEAR_IMG:
        state->mip_mode = 2;
        return true;
    default:
        return false;
    }
}

static bool read_compare(uint32_t mode, uint32_t func, struct sampler_state *state, const char **why)
{
    if (mode != 0 && mode != TOKEN_COMPARE_REF_TO_TEXTURE) {
        *why = "compareMode is neither GL_NONE nor GL_COMPARE_REF_TO_TEXTURE";
        return false;
    }
    if (func == 0)
        func = TOKEN_LEQUAL;
    if (func < TOKEN_NEVER || func > TOKEN_ALWAYS) {
        *why = "compareFunc is none of GL_NEVER, GL_LESS, GL_EQUAL, GL_LEQUAL, GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, "
               "GL_ALWAYS";
        return false;
    }
    state->compare = mode ? (uint8_t)(func - TOKEN_NEVER + 1) : 0;
    return true;
}

static bool read_reduction(uint32_t token, struct sampler_state *state)
{
    switch (token) {
    case 0:
    case TOKEN_WEIGHTED_AVERAGE:
        state->reduction = VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE;
        return true;
    case TOKEN_MIN:
        state->reduction = VK_SAMPLER_REDUCTION_MODE_MIN;
        return true;
    case TOKEN_MAX:
        state->reduction = VK_SAMPLER_REDUCTION_MODE_MAX;
        return true;
    default:
        return false;
    }
}

static bool read_wraps(const VkSamplerGLStateCreateInfoCLAMPLER *gl, struct sampler_state *state, const char **why)
{
    const uint32_t tokens[3] = {gl->wrapS, gl->wrapT, gl->wrapR};
    for (uint32_t axis = 0; axis < 3; axis++) {
        if (!wrap_from_token(tokens[axis], &state->wrap[axis])) {
            *why = wrap_no_mode(axis);
            return false;
        }
    }
    return true;
}

static bool read_tokens(const VkSamplerGLStateCreateInfoCLAMPLER *gl, struct sampler_state *state, const char **why)
{
    if (!read_wraps(gl, state, why))
        return false;
    if (!read_min_filter(gl->minFilter, state))
        *why = "minFilter is none of GL_NEAREST, GL_LINEAR, GL_NEAREST_MIPMAP_NEAREST, GL_LINEAR_MIPMAP_NEAREST, "
               "GL_NEAREST_MIPMAP_LINEAR, GL_LINEAR_MIPMAP_LINEAR, GL_CUBIC_IMG, GL_CUBIC_MIPMAP_NEAREST_IMG, "
               "GL_CUBIC_MIPMAP_LINEAR_IMG";
    else if (!read_mag_filter(gl->magFilter, state))
        *why = "magFilter is none of GL_NEAREST, GL_LINEAR, GL_CUBIC_IMG";
    else if (!read_compare(gl->compareMode, gl->compareFunc, state, why))
        return false;
    else if (gl->srgbDecode != 0 && gl->srgbDecode != TOKEN_DECODE && gl->srgbDecode != TOKEN_SKIP_DECODE)
        *why = "srgbDecode is neither GL_DECODE_EXT nor GL_SKIP_DECODE_EXT";
    else if (!read_reduction(gl->reductionMode, state))
        *why = "reductionMode is none of GL_WEIGHTED_AVERAGE_ARB, GL_MIN, GL_MAX";
    else
        return true;
    return false;
}

static float finite_or(float value, float otherwise)
{
    return isfinite(value) ? value : otherwise;
}

static float bounded(float value, float low, float high)
{
    if (value <= low)
        return low; /* never -0.0 */
    return value < high ? value : high;
}

static void read_lod_range(const VkSamplerGLStateCreateInfoCLAMPLER *gl, struct sampler_state *state)
{
    float low = bounded(finite_or(gl->minLod, DEFAULT_MIN_LOD), 0.0f, DEFAULT_MAX_LOD);
    float high = bounded(finite_or(gl->maxLod, DEFAULT_MAX_LOD), 0.0f, DEFAULT_MAX_LOD);
    float greatest = state->mip_mode ? DEFAULT_MAX_LOD : LOD_BASE_LEVEL_MAX;
    state->min_lod = bounded(low < high ? low : high, 0.0f, greatest);
    state->max_lod = bounded(low < high ? high : low, 0.0f, greatest);

    /* A level of detail of 0 and below magnifies, anything above minifies (section 8.14). */
    if (state->max_lod == 0.0f) {
        state->min_linear = state->mag_linear;
        if (state->max_anisotropy == 0.0f)
            state->mip_mode = 0;
    } else if (state->min_lod > 0.0f) {
        state->mag_linear = state->min_linear;
    }
    if (state->mip_mode == 0 && state->min_linear == state->mag_linear) {
        state->min_lod = 0.0f; /* one level, one filter: the range decides nothing */
        state->max_lod = LOD_BASE_LEVEL_MAX;
    }
}

bool resolve_gl_state(const VkSamplerGLStateCreateInfoCLAMPLER *gl, VkSamplerCreateFlags flags,
                      const struct resolve_caps *caps, struct sampler_state *state, const char **why)
{
    memset(state, 0, sizeof(*state));
    if (!read_tokens(gl, state, why)) {
        memset(state, 0, sizeof(*state));
        return false;
    }
    float bias = finite_or(gl->lodBias, 0.0f) + finite_or(gl->unitLodBias, 0.0f);
    /*
     * The sum of two finite numbers may be infinite. The range of a record's field is beyond every bias that a shader
     * could undo.
     */
    bias = bounded(bias, -MOST_STATE_BIAS, MOST_STATE_BIAS) * 256.0f;
    state->lod_bias = (float)(int)(bias + (bias < 0.0f ? -0.5f : 0.5f)) / 256.0f;

    float anisotropy = finite_or(gl->maxAnisotropy, 1.0f);
    const bool cubic = sampler_is_cubic(state); /* isotropic */
    if (!cubic && caps->anisotropy && anisotropy > 1.0f && caps->max_anisotropy > 1.0f)
        state->max_anisotropy = anisotropy < caps->max_anisotropy ? anisotropy : caps->max_anisotropy;
    state->linear_asked = any_linear(state);
    read_lod_range(gl, state);

    state->seamless = gl->cubeMapSeamless ? 1 : 0;
    state->srgb_skip = gl->srgbDecode == TOKEN_SKIP_DECODE;
    state->gl = 1;
    state->create_flags = flags & ~(VkSamplerCreateFlags)VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT;
    if (border_is_reachable(state)) {
        state->border_kind = SAMPLER_BORDER_BY_VIEW;
        memcpy(state->border, &gl->borderColor, sizeof(state->border));
    }
    *why = NULL;
    return true;
}
