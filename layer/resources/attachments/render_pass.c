/* SPDX-License-Identifier: MIT */
/*
 * Render passes. The layer keeps two duplicates of the program's. Pipelines that are compiled later need a compatible
 * one, when the program's may be gone; passes with attachments without alpha may need one that clears.
 */
#include <stdlib.h>

#include "attachments/render_pass.h"
#include "attachments/attachments.h"
#include "blend/blend.h"
#include "device/device.h"
#include "device/structure_chain.h"
#include "objects/table.h"
#include "objects/track.h"
#include "barriers/barrier.h"

static size_t pass_bytes(uint32_t subpass_count, uint32_t attachment_count, uint32_t input_count)
{
    return sizeof(struct render_pass) + subpass_count * sizeof(struct subpass_facts) +
           attachment_count * sizeof(struct pass_attachment) + input_count * sizeof(uint32_t);
}

struct render_pass *render_pass_ref(struct render_pass *pass)
{
    if (pass)
        reference_add(&pass->references);
    return pass;
}

void render_pass_unref(struct track *track, struct render_pass *pass)
{
    if (!pass || !reference_drop(&pass->references))
        return;
    if (pass->duplicate)
        track->device->next.DestroyRenderPass(track->device->handle, pass->duplicate, NULL);
    if (pass->prepared)
        track->device->next.DestroyRenderPass(track->device->handle, pass->prepared, NULL);
    object_free(track, NULL, pass, pass_bytes(pass->subpass_count, pass->attachment_count, pass->input_count));
}

static struct render_pass *pass_create(struct track *track, uint32_t subpass_count, uint32_t attachment_count,
                                       uint32_t input_count)
{
    struct render_pass *pass = object_alloc(track, NULL, pass_bytes(subpass_count, attachment_count, input_count));
    if (pass) {
        atomic_init(&pass->references, 1);
        pass->subpass_count = subpass_count;
        pass->attachment_count = attachment_count;
        pass->input_count = input_count;
        pass->attachments = (struct pass_attachment *)(void *)(pass->subpasses + subpass_count);
    }
    return pass;
}

/* VkSubpassDescription and VkSubpassDescription2, VkAttachmentDescription and …2 have members of the same names. */
#define READ_SUBPASS(FACTS, SUBPASS, INPUTS)                                                                           \
    do {                                                                                                               \
        (FACTS)->depth = (SUBPASS)->pDepthStencilAttachment &&                                                         \
                         (SUBPASS)->pDepthStencilAttachment->attachment != VK_ATTACHMENT_UNUSED;                       \
        for (uint32_t c = 0; c < (SUBPASS)->colorAttachmentCount && c < COLOR_ATTACHMENTS; c++) {                      \
            (FACTS)->colors[c] = (SUBPASS)->pColorAttachments[c].attachment;                                           \
            (FACTS)->color |= (FACTS)->colors[c] != VK_ATTACHMENT_UNUSED;                                              \
            (FACTS)->resolves[c] =                                                                                     \
                (SUBPASS)->pResolveAttachments ? (SUBPASS)->pResolveAttachments[c].attachment : VK_ATTACHMENT_UNUSED;  \
            (FACTS)->color_count = c + 1;                                                                              \
        }                                                                                                              \
        (FACTS)->inputs = (INPUTS);                                                                                    \
        (FACTS)->input_count = (SUBPASS)->inputAttachmentCount;                                                        \
        for (uint32_t n = 0; n < (SUBPASS)->inputAttachmentCount; n++)                                                 \
            (FACTS)->inputs[n] = (SUBPASS)->pInputAttachments[n].attachment;                                           \
    } while (0)

static uint32_t with_alpha(VkFormat format)
{
    const struct blend_format *known = blend_format(format);
    return known ? blend_format_index(known) + 1 : 0;
}

#define READ_ATTACHMENT(FACTS, ATTACHMENT)                                                                             \
    (*(FACTS) = (struct pass_attachment){(ATTACHMENT)->format, with_alpha((ATTACHMENT)->format), (ATTACHMENT)->loadOp, \
                                         (ATTACHMENT)->storeOp, (ATTACHMENT)->initialLayout,                           \
                                         (ATTACHMENT)->finalLayout, false})

/* The views that all subpasses render; 0: no multiview, or there is none that all do. */
static uint32_t common_views(const VkRenderPassCreateInfo *info)
{
    const VkRenderPassMultiviewCreateInfo *multiview =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO);
    uint32_t views = multiview && multiview->subpassCount ? UINT32_MAX : 0;
    for (uint32_t i = 0; views && i < multiview->subpassCount; i++)
        views &= multiview->pViewMasks[i];
    return views;
}

static uint32_t common_views2(const VkRenderPassCreateInfo2 *info)
{
    uint32_t views = UINT32_MAX;
    for (uint32_t i = 0; i < info->subpassCount; i++)
        views &= info->pSubpasses[i].viewMask;
    return views;
}

/* Attachments that need not be loaded, but must have alpha 1 all the same if they turn out to be without alpha. */
static bool cleared_instead(const struct track *track, const struct pass_attachment *attachment)
{
    return pass_attachment_undefined(attachment) && alpha_possible(track, attachment->format);
}

/* True: the attachment must be filled before the pass then, in a layout that barriers transition it to. */
static bool moved_before(const struct track *track, const struct pass_attachment *attachment)
{
    return pass_attachment_moved(attachment) && alpha_possible(track, attachment->format);
}

static bool wants_preparing(const struct track *track, const struct render_pass *pass)
{
    for (uint32_t i = 0; i < pass->attachment_count; i++) {
        if (cleared_instead(track, &pass->attachments[i]) || moved_before(track, &pass->attachments[i]))
            return true;
    }
    return false;
}

/* Whether draws in it may keep alpha by blending, which reads what the program only writes. */
static bool keeps_alpha(const struct track *track, const struct render_pass *pass)
{
    for (uint32_t i = 0; i < pass->attachment_count; i++) {
        const struct pass_attachment *attachment = &pass->attachments[i];
        if (attachment->with_alpha && alpha_possible(track, attachment->format) &&
            alpha_keeps(track, blend_format_at(attachment->with_alpha - 1)))
            return true;
    }
    return false;
}

/* A subpass names it: for its colour, as a target of resolves, or to read it. */
static void use(struct render_pass *pass, uint32_t attachment)
{
    if (attachment < pass->attachment_count) /* VK_ATTACHMENT_UNUSED is not */
        pass->attachments[attachment].used = true;
}

/*
 * Functions of both versions; VERSION is empty or `2`:
 *
 * is_read_first: whether the first subpass that uses an attachment reads it as an input attachment alone. read_pass:
 * what is kept of the program's pass, without its views. NULL: out of memory. create_prepared: pass->prepared, in which
 * load operations clear what cleared_instead() names, and take what moved_before() names from GENERAL. create_passes:
 * the pass for the program, the layer's own, and the prepared one where it is wanted, all from `info`.
 */
#define IS_READ_FIRST(VERSION)                                                                                         \
    static bool is_read_first##VERSION(const VkRenderPassCreateInfo##VERSION *info, uint32_t attachment)               \
    {                                                                                                                  \
        bool read = false, color = false, resolved = false;                                                            \
        for (uint32_t i = 0; i < info->subpassCount && !(read || color || resolved); i++) {                            \
            const VkSubpassDescription##VERSION *subpass = &info->pSubpasses[i];                                       \
            for (uint32_t j = 0; j < subpass->inputAttachmentCount; j++)                                               \
                read |= subpass->pInputAttachments[j].attachment == attachment;                                        \
            for (uint32_t j = 0; j < subpass->colorAttachmentCount; j++) {                                             \
                color |= subpass->pColorAttachments[j].attachment == attachment;                                       \
                resolved |= subpass->pResolveAttachments && subpass->pResolveAttachments[j].attachment == attachment;  \
            }                                                                                                          \
        }                                                                                                              \
        return read && !color;                                                                                         \
    }
IS_READ_FIRST()
IS_READ_FIRST(2)

#define READ_PASS(VERSION)                                                                                             \
    static struct render_pass *read_pass##VERSION(struct track *track, const VkRenderPassCreateInfo##VERSION *info)    \
    {                                                                                                                  \
        uint32_t inputs = 0;                                                                                           \
        for (uint32_t i = 0; i < info->subpassCount; i++)                                                              \
            inputs += info->pSubpasses[i].inputAttachmentCount;                                                        \
        struct render_pass *pass = pass_create(track, info->subpassCount, info->attachmentCount, inputs);              \
        uint32_t *next = pass ? (uint32_t *)(void *)(pass->attachments + info->attachmentCount) : NULL;                \
        for (uint32_t i = 0; pass && i < info->attachmentCount; i++)                                                   \
            READ_ATTACHMENT(&pass->attachments[i], &info->pAttachments[i]);                                            \
        for (uint32_t i = 0; pass && i < info->subpassCount; i++) {                                                    \
            const VkSubpassDescription##VERSION *subpass = &info->pSubpasses[i];                                       \
            READ_SUBPASS(&pass->subpasses[i], subpass, next);                                                          \
            next += subpass->inputAttachmentCount;                                                                     \
            for (uint32_t j = 0; j < subpass->inputAttachmentCount; j++)                                               \
                use(pass, subpass->pInputAttachments[j].attachment);                                                   \
            for (uint32_t j = 0; j < subpass->colorAttachmentCount; j++) {                                             \
                use(pass, subpass->pColorAttachments[j].attachment);                                                   \
                use(pass,                                                                                              \
                    subpass->pResolveAttachments ? subpass->pResolveAttachments[j].attachment : VK_ATTACHMENT_UNUSED); \
            }                                                                                                          \
        }                                                                                                              \
        for (uint32_t i = 0; pass && i < info->attachmentCount; i++) {                                                 \
            if (pass_attachment_undefined(&pass->attachments[i]) && is_read_first##VERSION(info, i))                   \
                pass->attachments[i].load = VK_ATTACHMENT_LOAD_OP_NONE_EXT;                                            \
        }                                                                                                              \
        return pass;                                                                                                   \
    }
READ_PASS()
READ_PASS(2)

#define CREATE_PREPARED(VERSION)                                                                                       \
    static VkResult create_prepared##VERSION(struct track *track, const VkRenderPassCreateInfo##VERSION *info,         \
                                             struct render_pass *pass)                                                 \
    {                                                                                                                  \
        VkRenderPassCreateInfo##VERSION prepared = *info;                                                              \
        VkAttachmentDescription##VERSION *attachments = calloc(info->attachmentCount, sizeof(*attachments));           \
        if (!attachments)                                                                                              \
            return VK_ERROR_OUT_OF_HOST_MEMORY;                                                                        \
        for (uint32_t i = 0; i < info->attachmentCount; i++) {                                                         \
            attachments[i] = info->pAttachments[i];                                                                    \
            if (cleared_instead(track, &pass->attachments[i]))                                                         \
                attachments[i].loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;                                                   \
            if (moved_before(track, &pass->attachments[i]))                                                            \
                attachments[i].initialLayout = VK_IMAGE_LAYOUT_GENERAL;                                                \
        }                                                                                                              \
        prepared.pAttachments = attachments;                                                                           \
        const struct device *device = track->device;                                                                   \
        VkResult result =                                                                                              \
            OR_NULL(device->next.CreateRenderPass##VERSION(device->handle, &prepared, NULL, &pass->prepared),          \
                    &pass->prepared);                                                                                  \
        free(attachments);                                                                                             \
        return result;                                                                                                 \
    }
CREATE_PREPARED()
CREATE_PREPARED(2)

#define CREATE_PASSES(VERSION)                                                                                         \
    static VkResult create_passes##VERSION(struct track *track, const VkRenderPassCreateInfo##VERSION *info,           \
                                           const VkAllocationCallbacks *callbacks, struct render_pass *pass,           \
                                           VkRenderPass *created)                                                      \
    {                                                                                                                  \
        const struct device *device = track->device;                                                                   \
        VkResult result =                                                                                              \
            OR_NULL(device->next.CreateRenderPass##VERSION(device->handle, info, callbacks, created), created);        \
        if (result == VK_SUCCESS)                                                                                      \
            result = OR_NULL(device->next.CreateRenderPass##VERSION(device->handle, info, NULL, &pass->duplicate),     \
                             &pass->duplicate);                                                                        \
        if (result == VK_SUCCESS && wants_preparing(track, pass))                                                      \
            result = create_prepared##VERSION(track, info, pass);                                                      \
        return result;                                                                                                 \
    }
CREATE_PASSES()
CREATE_PASSES(2)

/* After the driver has made both, the program's pass and the duplicate: inserts them. */
static VkResult pass_adopt(struct track *track, struct render_pass *pass, VkResult result, VkRenderPass created,
                           const VkAllocationCallbacks *callbacks, VkRenderPass *out)
{
    if (result == VK_SUCCESS && !table_insert(&track->attachments->render_passes, HANDLE_KEY(created), pass))
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result != VK_SUCCESS) {
        track->device->next.DestroyRenderPass(track->device->handle, created, callbacks);
        render_pass_unref(track, pass);
        return result;
    }
    *out = created;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateRenderPass(VkDevice handle, const VkRenderPassCreateInfo *pCreateInfo,
                                                     const VkAllocationCallbacks *pAllocator, VkRenderPass *pRenderPass)
{
    struct track *track = device_of(handle)->track;
    struct render_pass *pass = read_pass(track, pCreateInfo);
    if (!pass)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    pass->views = common_views(pCreateInfo);
    VkRenderPass created = VK_NULL_HANDLE;
    struct barrier_pass1 for_driver;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (barrier_pass1_open(pCreateInfo, keeps_alpha(track, pass), &for_driver))
        result = create_passes(track, &for_driver.info, pAllocator, pass, &created);
    free(for_driver.dependencies);
    return pass_adopt(track, pass, result, created, pAllocator, pRenderPass);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateRenderPass2(VkDevice handle, const VkRenderPassCreateInfo2 *pCreateInfo,
                                                      const VkAllocationCallbacks *pAllocator,
                                                      VkRenderPass *pRenderPass)
{
    struct device *device = device_of(handle);
    struct track *track = device->track;
    struct render_pass *pass = read_pass2(track, pCreateInfo);
    if (!pass)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    pass->views = common_views2(pCreateInfo);
    VkRenderPass created = VK_NULL_HANDLE;
    struct barrier_pass for_driver;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (barrier_pass_open(device, pCreateInfo, keeps_alpha(track, pass), &for_driver))
        result = create_passes2(track, &for_driver.info, pAllocator, pass, &created);
    barrier_pass_close(&for_driver);
    return pass_adopt(track, pass, result, created, pAllocator, pRenderPass);
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyRenderPass(VkDevice handle, VkRenderPass renderPass,
                                                  const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct render_pass *pass = table_remove(&device->track->attachments->render_passes, HANDLE_KEY(renderPass));
    device->next.DestroyRenderPass(handle, renderPass, pAllocator);
    render_pass_unref(device->track, pass);
}
