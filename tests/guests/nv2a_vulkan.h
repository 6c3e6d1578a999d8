/* SPDX-License-Identifier: MIT */
/* Textures of NV2A as Vulkan keeps them. */
#ifndef CLAMPLER_GUESTS_NV2A_VULKAN_H
#define CLAMPLER_GUESTS_NV2A_VULKAN_H

#include "guests/nv2a.h"
#include "guests/nvidia_vulkan.h"

/* The caller frees its texels. */
struct nvidia_host nv2a_host(const struct nv2a_stage *stage);

#endif
