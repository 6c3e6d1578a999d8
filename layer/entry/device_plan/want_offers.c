/* SPDX-License-Identifier: MIT */
/*
 * Offers, which the layer fulfils in the driver's place: the program's names and features are taken out of the copies
 * that the next layer gets. Features that the driver has after all are enabled again by the other want_*.c files.
 */
#include "copy.h"
#include "device_plan/device_plan.h"
#include "queries/offers.h"
#include "resolve/resolve.h"

static void strip_names(struct device_plan *plan)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < plan->info.enabledExtensionCount; i++) {
        if (!offers_names(&plan->offers, plan->names[i]))
            plan->names[kept++] = plan->names[i];
    }
    plan->info.enabledExtensionCount = kept;
}

/* Of the copied part of the chain; what follows a structure of unknown size is the program's own memory. */
static void strip_features(struct device_plan *plan)
{
    VkBaseOutStructure *before = (VkBaseOutStructure *)(void *)&plan->info;
    while (before->pNext && pnext_size(before->pNext->sType)) {
        VkBaseOutStructure *node = before->pNext;
        offers_clear(&plan->offers, node);
        if (offers_structure(&plan->offers, node->sType))
            before->pNext = node->pNext;
        else
            before = node;
    }
    if (plan->asked & OFFER_ANISOTROPY && plan->info.pEnabledFeatures) {
        plan->core_features = *plan->info.pEnabledFeatures;
        plan->core_features.samplerAnisotropy = VK_FALSE;
        plan->info.pEnabledFeatures = &plan->core_features;
    }
}

void want_offers(struct device_plan *plan, const VkDeviceCreateInfo *program)
{
    if (!plan->offers.offered)
        return;
    plan->asked = offers_asked(&plan->offers, program);
    plan->border_commands = offers_border_commands(&plan->offers, program);
    strip_names(plan);
    strip_features(plan);
}

void keep_offers(struct device_plan *plan)
{
    struct resolve_caps *caps = &plan->caps.resolve;
    caps->offered = offers_resolve(plan->asked);
    if (caps->mirror_clamp_to_edge) /* a feature without the extension's name */
        caps->offered &= ~(uint32_t)RESOLVE_OFFER_MIRROR_CLAMP;
    if (caps->non_seamless_cube)
        caps->offered &= ~(uint32_t)RESOLVE_OFFER_CUBE_FACES;
    if (caps->border_swizzle_from_image)
        caps->offered &= ~(uint32_t)RESOLVE_OFFER_BORDER_SWIZZLE;
    if (caps->offered & RESOLVE_OFFER_ANISOTROPY) { /* GL states have it by this, up to the limit that programs see */
        caps->anisotropy = true;
        if (caps->max_anisotropy < OFFERED_ANISOTROPY)
            caps->max_anisotropy = OFFERED_ANISOTROPY;
    }
}
