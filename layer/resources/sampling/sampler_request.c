/* SPDX-License-Identifier: MIT */
/* Reads a program's sampler create-info, refuses invalid ones, and applies the setting gl_clamp. */
#include "sampling/sampler_request.h"

#include <stdio.h>
#include <string.h>

#include "device/device.h"
#include "device/message.h"
#include "objects/track.h"
#include "resolve/resolve.h"
#include "vulkan_clampler.h"

/* Refuses a token: `why` begins with its field's name, and the value is the program's own. */
static VkResult refuse_token(struct track *track, const char *call, const VkSamplerGLStateCreateInfoCLAMPLER *gl,
                             const char *why)
{
#define FIELD(NAME)                                                                                                    \
    {                                                                                                                  \
#NAME, gl->NAME                                                                                                \
    }
    const struct {
        const char *name;
        uint32_t value;
    } fields[] = {FIELD(wrapS),       FIELD(wrapT),       FIELD(wrapR),      FIELD(minFilter),    FIELD(magFilter),
                  FIELD(compareMode), FIELD(compareFunc), FIELD(srgbDecode), FIELD(reductionMode)};
#undef FIELD
    char text[400];
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        size_t length = strlen(fields[i].name);
        if (strncmp(why, fields[i].name, length) != 0 || why[length] != ' ')
            continue;
        snprintf(text, sizeof(text), "VkSamplerGLStateCreateInfoCLAMPLER::%s is 0x%04X, but %s", fields[i].name,
                 (unsigned)fields[i].value, why);
        return refuse(track, call, text);
    }
    return refuse(track, call, why);
}

/* Lookups through such samplers cannot be described by a record, nor computed by a shader. */
static const VkSamplerCreateFlags opaque_flags = VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT |
                                                 VK_SAMPLER_CREATE_SUBSAMPLED_COARSE_RECONSTRUCTION_BIT_EXT |
                                                 0x10; /* IMAGE_PROCESSING_BIT_QCOM */

static bool clamp_axis(const struct settings *settings, VkSamplerAddressMode *mode)
{
    const uint32_t asked = *mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE     ? GL_CLAMP_FOR_EDGE
                           : *mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER ? GL_CLAMP_FOR_BORDER
                                                                              : 0;
    if (!(settings->gl_clamp & asked))
        return false;
    *mode = VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER;
    return true;
}

/*
 * The setting gl_clamp, for programs that know nothing of the extension: `info` as it is, or *clamped with other
 * address modes. Vulkan ignores the border colour of samplers without a border mode, so that it may hold anything: GL's
 * default.
 */
static const VkSamplerCreateInfo *clamp_by_setting(const struct settings *settings, const VkSamplerCreateInfo *info,
                                                   VkSamplerCreateInfo *clamped)
{
    *clamped = *info;
    if (info->addressModeU != VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER &&
        info->addressModeV != VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER &&
        info->addressModeW != VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER)
        clamped->borderColor = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
    bool changed = clamp_axis(settings, &clamped->addressModeU);
    changed |= clamp_axis(settings, &clamped->addressModeV);
    changed |= clamp_axis(settings, &clamped->addressModeW);
    return changed ? clamped : info;
}

static VkResult check(struct track *track, const char *call, const struct sampler_request *request)
{
    if (!track->device->caps.enabled.glSampler)
        return refuse(track, call,
                      request->chain.gl
                          ? "VkSamplerGLStateCreateInfoCLAMPLER needs the feature glSampler, which is not enabled"
                          : "the address modes of VK_CLAMPLER_gl_sampler need the feature glSampler, which is not "
                            "enabled");
    if (request->chain.conversion)
        return refuse(track, call, "GL sampler semantics and a sampler YCbCr conversion exclude each other");
    if (request->opaque)
        return refuse(track, call,
                      "GL sampler semantics and samplers of subsampled images (VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT, "
                      "..._COARSE_RECONSTRUCTION_BIT_EXT), or of image processing, exclude each other");
    return VK_SUCCESS;
}

/*
 * The driver must not see anything that the layer offers, even where it cannot show: colours that no address mode
 * reaches, weighted averages by name, and weights of a filter that is not cubic.
 */
static bool names_offered(const struct sampler_request *request, uint32_t offered)
{
    const struct sampler_chain *chain = &request->chain;
    const VkBorderColor border = request->info->borderColor;
    return (offered & RESOLVE_OFFER_BORDER_COLOR &&
            (chain->border || chain->border_index || border == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT ||
             border == VK_BORDER_COLOR_INT_CUSTOM_EXT)) ||
           (offered & RESOLVE_OFFER_BORDER_SWIZZLE && chain->mapping) ||
           (offered & RESOLVE_OFFER_MINMAX && chain->reduction) || (offered & RESOLVE_OFFER_CUBIC && chain->weights);
}

/*
 * Samplers with a conversion may use nothing that can be offered (VUID-VkSamplerCreateInfo-addressModeU-01646 and
 * -None-01647), those of subsampled images may.
 */
static void warn_of_opaque(const struct track *track, const char *call, const struct sampler_request *request)
{
    static struct message_place said;
    const bool unknown = !request->chain.gl && resolve_has_unknown_modes(request->info);
    if ((request->info->flags & opaque_flags || unknown) && request->emulated)
        message_about_once(
            &said, track->device, LOG_WARN, NULL,
            "%s: samplers of subsampled images, of image processing, and with address modes that Vulkan does not "
            "know are the driver's: what `offer` adds to its samplers, they do not have",
            call);
}

VkResult sampler_request_parse(struct track *track, const char *call, const VkSamplerCreateInfo *info,
                               struct sampler_request *request)
{
    const struct device *device = track->device;
    const struct settings *settings = &device->instance->settings;
    const char *why = "";
    request->info = info;
    resolve_chain(info->pNext, &request->chain);
    if (request->chain.misplaced)
        return refuse_misplaced(track, call, info->pNext, VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER);
    request->opaque = (info->flags & opaque_flags) || request->chain.conversion;
    request->emulated = request->chain.gl || resolve_has_private_modes(info);
    const VkResult result = request->emulated ? check(track, call, request) : VK_SUCCESS;
    if (result != VK_SUCCESS)
        return result;
    if (!request->emulated && resolve_has_unknown_modes(info))
        request->opaque = true;
    if (request->chain.gl)
        return resolve_gl_state(request->chain.gl, info->flags, &device->caps.resolve, &request->state, &why)
                   ? VK_SUCCESS
                   : refuse_token(track, call, request->chain.gl, why);
    if (settings->gl_clamp && !device->caps.enabled.glSampler && !request->opaque) {
        request->info = clamp_by_setting(settings, info, &request->clamped);
        request->emulated = request->info != info;
    }
    resolve_vk_state(request->info, &request->chain, &request->state);
    request->emulated |= resolve_is_emulated(&request->state, &device->caps.resolve);
    warn_of_opaque(track, call, request);
    request->emulated |= names_offered(request, device->caps.resolve.offered);
    return VK_SUCCESS;
}
