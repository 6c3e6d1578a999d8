/* Samplers: GL state and private address modes become driver samplers; what is left over is kept for records. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "track/pnext.h"
#include "track/track.h"

/* Whether a record is needed hangs on the view as well (type, levels, what its format can do): any view must do. */
static bool asks_for_nothing(const struct sampler *sampler)
{
    bool nothing = true;
    for (unsigned kind = 0; kind < 8; kind++) {
        const struct view_facts view = {
            .width = 2,
            .height = 2,
            .depth = 2,
            .levels = 2,
            .type = kind & 1 ? VK_IMAGE_VIEW_TYPE_2D : VK_IMAGE_VIEW_TYPE_3D,
            .linear = kind & 2,
            .integer = kind & 4,
            .swizzle = {RECORD_BORDER_R, RECORD_BORDER_G, RECORD_BORDER_B, RECORD_BORDER_A},
        };
        struct record record;
        nothing &= resolve_record(&sampler->state, &view, sampler->caps, &record) == 0 && record.flags == 0;
    }
    return nothing;
}

static void sampler_forget(struct track *track, const VkAllocationCallbacks *callbacks, struct sampler *sampler)
{
    if (sampler && sampler->border_slot)
        atomic_fetch_sub(&track->border_samplers, 1);
    object_free(track, callbacks, sampler, sizeof(*sampler));
}

/* A program's own custom border colour counts too, and is the driver's to refuse. */
static void take_own_border(struct track *track, const VkSamplerCreateInfo *info, struct sampler *sampler)
{
    sampler->border_slot =
        info->borderColor == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT || info->borderColor == VK_BORDER_COLOR_INT_CUSTOM_EXT;
    if (sampler->border_slot)
        atomic_fetch_add(&track->border_samplers, 1);
}

/* Refuses a token: `why` begins with its field's name, and the value is the program's own. */
static VkResult refuse_token(struct track *track, const VkSamplerGLStateCreateInfoCLAMPLER *gl, const char *why)
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
        return refuse(track, "vkCreateSampler", text);
    }
    return refuse(track, "vkCreateSampler", why);
}

/* What the program asks for as canonical state; *gl_state says that the GL structure gave it. */
static VkResult read_state(struct track *track, const VkSamplerCreateInfo *info, struct sampler_state *state,
                           bool *gl_state)
{
    const VkSamplerGLStateCreateInfoCLAMPLER *gl =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER);
    bool private_modes = resolve_has_private_modes(info);
    *gl_state = gl != NULL;
    if ((gl || private_modes) && !track->device->enabled.glSampler)
        return refuse(track, "vkCreateSampler",
                      gl ? "VkSamplerGLStateCreateInfoCLAMPLER needs the feature glSampler, which is not enabled"
                         : "the address modes of VK_CLAMPLER_gl_sampler need the feature glSampler, which is not "
                           "enabled");
    if ((gl || private_modes) && pnext_find(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO))
        return refuse(track, "vkCreateSampler",
                      "GL sampler semantics and a sampler YCbCr conversion exclude each other");
    if (!gl) {
        resolve_vk_state(info, state);
        return VK_SUCCESS;
    }
    const char *why = "";
    if (!resolve_gl_state(gl, info->flags, &track->device->caps, state, &why))
        return refuse_token(track, gl, why);
    return VK_SUCCESS;
}

/*
 * The driver takes a limited number of samplers with custom border colours (24 on some). Nothing fails for that: later
 * ones get a standard colour below, and their records have the shader place the border.
 */
static void resolve_within_limit(struct track *track, struct sampler *sampler, struct resolve_result *resolved)
{
    resolve_pair(&sampler->state, NULL, sampler->caps, resolved);
    if (!resolved->driver.custom_border)
        return;
    sampler->border_slot = atomic_fetch_add(&track->border_samplers, 1) < track->border_limit;
    if (sampler->border_slot || !sampler->state.gl) {
        sampler->border_slot = true;
        return;
    }
    atomic_fetch_sub(&track->border_samplers, 1);
    sampler->caps = &track->caps_without_border;
    resolve_pair(&sampler->state, NULL, sampler->caps, resolved);
}

/* The driver's sampler for state that Vulkan does not have as it is. */
static VkResult create_below(struct track *track, const VkSamplerCreateInfo *info, struct sampler *sampler,
                             bool gl_state, const VkAllocationCallbacks *callbacks)
{
    static const VkStructureType replaced[] = {
        VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
        VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
        VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
    };
    void *rest = NULL, *memory = NULL;
    if (!pnext_copy_without(info->pNext, replaced, 3, &rest, &memory))
        return VK_ERROR_OUT_OF_HOST_MEMORY;

    struct resolve_result resolved;
    struct driver_sampler_chain chain;
    resolve_within_limit(track, sampler, &resolved);
    VkSamplerCreateInfo below = *resolve_driver_info(&resolved.driver, &chain);
    message(track->device->instance, LOG_INFO, VK_OBJECT_TYPE_DEVICE, HANDLE_KEY(track->device->handle),
            "sampler (%s): %s",
            gl_state                                     ? "GL state"
            : track->device->instance->settings.gl_clamp ? "setting gl_clamp"
                                                         : "private address modes",
            resolved.reason);

    /* The resolver's own structures first, then the rest of the program's chain. */
    VkBaseOutStructure *last = (VkBaseOutStructure *)(void *)&below;
    while (last->pNext)
        last = last->pNext;
    last->pNext = rest;
    VkResult result = track->device->next.CreateSampler(track->device->handle, &below, callbacks, &sampler->handle);
    free(memory);
    return result;
}

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
static const VkSamplerCreateInfo *clamp_by_setting(const struct track *track, const VkSamplerCreateInfo *info,
                                                   VkSamplerCreateInfo *clamped)
{
    const struct settings *settings = &track->device->instance->settings;
    if (track->device->enabled.glSampler || (info->flags & VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT) ||
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO))
        return info;
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

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateSampler(VkDevice handle, const VkSamplerCreateInfo *pCreateInfo,
                                                  const VkAllocationCallbacks *pAllocator, VkSampler *pSampler)
{
    struct device *device = device_of(handle);
    struct track *track = device->track;
    struct sampler_state state;
    bool gl_state;
    VkResult result = refuse_misplaced(track, "vkCreateSampler", pCreateInfo->pNext,
                                       VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER);
    if (result == VK_SUCCESS)
        result = read_state(track, pCreateInfo, &state, &gl_state);
    if (result != VK_SUCCESS)
        return result;
    VkSamplerCreateInfo clamped;
    if (!gl_state && device->instance->settings.gl_clamp) {
        pCreateInfo = clamp_by_setting(track, pCreateInfo, &clamped);
        resolve_vk_state(pCreateInfo, &state);
    }

    struct sampler *sampler = object_alloc(track, pAllocator, sizeof(*sampler));
    if (!sampler)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    sampler->state = state;
    sampler->caps = &device->caps;
    if (gl_state || resolve_has_private_modes(pCreateInfo)) {
        result = create_below(track, pCreateInfo, sampler, gl_state, pAllocator);
    } else {
        take_own_border(track, pCreateInfo, sampler);
        result = device->next.CreateSampler(handle, pCreateInfo, pAllocator, &sampler->handle);
    }
    sampler->opaque = pnext_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO) ||
                      (pCreateInfo->flags & VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT);
    sampler->plain = sampler->opaque || asks_for_nothing(sampler);
    if (!sampler->plain)
        resolve_record(&state, NULL, sampler->caps, &sampler->alone);
    if (result == VK_SUCCESS && !table_insert(&track->samplers, HANDLE_KEY(sampler->handle), sampler)) {
        device->next.DestroySampler(handle, sampler->handle, pAllocator);
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (result != VK_SUCCESS) {
        sampler_forget(track, pAllocator, sampler);
        return result;
    }
    *pSampler = sampler->handle;
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL hook_DestroySampler(VkDevice handle, VkSampler sampler,
                                               const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct sampler *known = table_remove(&device->track->samplers, HANDLE_KEY(sampler));
    device->next.DestroySampler(handle, sampler, pAllocator);
    sampler_forget(device->track, pAllocator, known);
}
