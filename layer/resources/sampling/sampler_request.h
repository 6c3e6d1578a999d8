/* SPDX-License-Identifier: MIT */
/*
 * The way of a sampler from vkCreateSampler to its place in the table:
 *
 *   hook_CreateSampler
 *     sampler_request_parse     the create-info and its chain, read once: the request, and the driver's create-info
 *     sampler_state_intern      the state as an identity; a new one is classified by rules
 *       sampler_state_classify  requires emulation never, with some views, always (resolve/classify.h)
 *     driver_sampler_create     the program's own handle
 *     sampler_insert            the handle's state and conversion, or nothing is left behind
 *
 * The state is resolved with views when descriptors are written (pair.h). Samplers that are no objects begin with the
 * same request (sampler_make_bare). Any thread.
 */
#ifndef CLAMPLER_SAMPLING_SAMPLER_REQUEST_H
#define CLAMPLER_SAMPLING_SAMPLER_REQUEST_H

#include "objects/track.h"
#include "resolve/resolve.h"

/* The contents of a create-info, with or without an object. It must not move. */
struct sampler_request {
    const VkSamplerCreateInfo *info; /* the program's, or `clamped` where a setting changes it */
    VkSamplerCreateInfo clamped;
    struct sampler_chain chain;
    struct sampler_state state;
    bool emulated; /* resolve_is_emulated, or it names what the driver lacks: the driver gets another create-info */
    bool opaque;   /* converts colours, belongs to subsampled images, processes images, or has modes that only the
                      driver may know: is not changed */
};

/* VK_ERROR_VALIDATION_FAILED_EXT, with a message in the name of `call`, where what is chained is refused. */
VkResult sampler_request_parse(struct track *track, const char *call, const VkSamplerCreateInfo *info,
                               struct sampler_request *request);

/* VK_NULL_HANDLE: colours are not converted. */
static inline VkSamplerYcbcrConversion sampler_request_conversion(const struct sampler_request *request)
{
    return request->chain.conversion ? request->chain.conversion->conversion : VK_NULL_HANDLE;
}

#endif
