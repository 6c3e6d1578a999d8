/* SPDX-License-Identifier: MIT */
/*
 * Image views. The program's handle is an unmapped view, for framebuffers, input attachments and storage images. For
 * sampling, descriptor writes may put in an auxiliary view: with the swizzle of GL's view state, without sRGB decoding,
 * or a constant. Auxiliary views are made with the view.
 */
#include <stdio.h>
#include <stdlib.h>

#include "attachments/attachment_view.h"
#include "attachments/fill_view.h"
#include "device/device.h"
#include "device/message.h"
#include "device/object_names.h"
#include "device/structure_chain.h"
#include "format/format.h"
#include "need/need.h"
#include "objects/pnext.h"
#include "objects/resource_flags.h"
#include "objects/table.h"
#include "objects/track.h"
#include "record/layout.h"
#include "resolve/classify.h"
#include "resolve/resolve.h"
#include "sampling/format.h"
#include "sampling/image.h"
#include "sampling/device_needs.h"
#include "sampling/saved_writes.h"
#include "sampling/sampling.h"
#include "view_facts/view_facts.h"
#include "views/view.h"
#include "vulkan_clampler.h"
#include "record_table/record_table.h"
/* ---- Facts ---- */

/* Slices of a 3D image are the layers of its 2D views (VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT). */
static uint32_t layer_count(const struct image *image, const VkImageSubresourceRange *range)
{
    uint32_t all =
        image->type == VK_IMAGE_TYPE_3D ? level_size(image->extent.depth, range->baseMipLevel) : image->layers;
    return range->layerCount == VK_REMAINING_ARRAY_LAYERS ? all - range->baseArrayLayer : range->layerCount;
}

/*
 * Width and height of a level of the image, as the view has it (section "Image Views"): a plane may be smaller than the
 * image, and texels of an uncompressed view of a compressed image are its blocks
 * (VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT).
 */
static VkExtent2D view_size(const struct image *image, const VkImageViewCreateInfo *info, uint32_t level)
{
    const VkExtent2D plane = format_plane_divisor(image->format, info->subresourceRange.aspectMask);
    VkExtent2D size = {level_size(image->extent.width / plane.width, level),
                       level_size(image->extent.height / plane.height, level)};
    const VkExtent2D blocks = format_block(image->format), own = format_block(info->format);
    if (own.width == 1 && own.height == 1) {
        size.width = (size.width + blocks.width - 1) / blocks.width;
        size.height = (size.height + blocks.height - 1) / blocks.height;
    }
    return size;
}

/* The structure counts from the image's first level on. */
static float least_level(const VkImageViewCreateInfo *info)
{
    const VkImageViewMinLodCreateInfoEXT *least =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT);
    const float base = (float)info->subresourceRange.baseMipLevel;
    return least && least->minLod > base ? least->minLod - base : 0.0f;
}

/* Adds the facts that view_facts_from_gl and view_facts_from_vk leave to the caller. */
static void add_image_facts(struct track *track, const struct image *image, const VkImageViewCreateInfo *info,
                            struct view_facts *facts)
{
    const VkImageSubresourceRange *range = &info->subresourceRange;
    facts->linear = facts->minmax = true;
    facts->levels = 1;
    if (!image)
        return;
    uint32_t levels =
        range->levelCount == VK_REMAINING_MIP_LEVELS ? image->levels - range->baseMipLevel : range->levelCount;
    const VkExtent2D size = view_size(image, info, range->baseMipLevel);
    const VkFormatFeatureFlags2 features = format_features(track, info->format, image->tiling);
    facts->levels = (uint8_t)(levels > RECORD_LEVELS_MASK ? RECORD_LEVELS_MASK : levels);
    facts->least_level = least_level(info);
    facts->width = size.width;
    facts->height = size.height;
    facts->depth = image->type == VK_IMAGE_TYPE_3D && info->viewType == VK_IMAGE_VIEW_TYPE_3D
                       ? level_size(image->extent.depth, range->baseMipLevel)
                       : layer_count(image, range);
    facts->linear = features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    facts->minmax = features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_MINMAX_BIT;
}

/* ---- Borders ---- */

/* The size of a level that the structure tells, and of the image's that has it, along the axes of the view. */
struct level_extents {
    uint32_t axes;
    uint32_t texture[3], image[3];
};

static void level_extents(const struct image *image, const VkImageViewCreateInfo *info, const VkExtent3D *extent,
                          uint32_t level, struct level_extents *extents)
{
    const uint32_t own = info->subresourceRange.baseMipLevel + level;
    const VkExtent2D size = view_size(image, info, own);
    const bool line = info->viewType == VK_IMAGE_VIEW_TYPE_1D || info->viewType == VK_IMAGE_VIEW_TYPE_1D_ARRAY;
    *extents = (struct level_extents){.axes = line                                      ? 1
                                              : info->viewType == VK_IMAGE_VIEW_TYPE_3D ? 3
                                                                                        : 2,
                                      .texture = {level_size(extent->width, level), level_size(extent->height, level),
                                                  level_size(extent->depth, level)},
                                      .image = {size.width, size.height, level_size(image->extent.depth, own)}};
}

/* Adds the border of VkImageViewGLTextureStateCreateInfoCLAMPLER. Returns why it is refused, or NULL. */
static const char *add_border(const struct image *image, const VkImageViewCreateInfo *info,
                              const VkImageViewGLTextureStateCreateInfoCLAMPLER *texture, struct view_facts *facts)
{
    const VkExtent3D *extent = &texture->extent;
    const uint32_t border = texture->borderWidth;
    const bool cube = view_type_is_cube(info->viewType);
    struct level_extents level = {0};
    if (border > RECORD_MORE_BORDER_MASK)
        return "borderWidth must be at most 1023";
    if (facts->rectangle)
        return "borderWidth must be 0 of GL_TEXTURE_RECTANGLE, which has no border";
    if (!image || image->samples != VK_SAMPLE_COUNT_1_BIT)
        return "borderWidth must be 0 of an image of several samples";
    if (!extent->width || !extent->height || !extent->depth)
        return "extent must have no zero beside a borderWidth";
    if (cube && extent->width != extent->height)
        return "extent must be square: it is that of a cube's face";
    for (uint32_t i = 0; i < facts->levels; i++) {
        level_extents(image, info, extent, i, &level);
        for (uint32_t axis = 0; axis < level.axes; axis++)
            if ((uint64_t)level.texture[axis] + border + 1 > level.image[axis])
                return "borderWidth: a level of the image is too small for a level of extent and its border";
        for (uint32_t axis = level.axes; axis < 3; axis++)
            if (level.texture[axis] != 1)
                return "extent must be 1 along axes that the view does not have";
    }
    level_extents(image, info, extent, 0, &level);
    facts->border = (uint16_t)border;
    facts->width = level.texture[0];
    facts->height = level.texture[1];
    facts->depth = level.axes == 3 ? level.texture[2] : facts->depth;
    memcpy(facts->stored, level.image, sizeof(facts->stored));
    return NULL;
}

/*
 * While no view that requires emulation is alive, writes with samplers that do so with some views alone need not look
 * at views. Decoding is the sampler's to leave out.
 */
static bool view_requires_emulation(const struct view *view)
{
    bool auxiliary = false;
    for (int i = 0; i < RESOLVE_VIEWS; i++)
        auxiliary |= i != RESOLVE_VIEW_UNORM && view->driver[i] != view->handle;
    return auxiliary || view_facts_require_emulation(&view->facts);
}

/* ---- Auxiliary views ---- */

/* Structures for the layer alone. */
#define GL_STRUCTURES                                                                                                  \
    VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,                                                        \
        VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_CHANNEL_ORDER_CREATE_INFO_CLAMPLER,                                            \
        VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER

static bool is_identity(const VkComponentMapping *mapping)
{
    return (mapping->r == VK_COMPONENT_SWIZZLE_IDENTITY || mapping->r == VK_COMPONENT_SWIZZLE_R) &&
           (mapping->g == VK_COMPONENT_SWIZZLE_IDENTITY || mapping->g == VK_COMPONENT_SWIZZLE_G) &&
           (mapping->b == VK_COMPONENT_SWIZZLE_IDENTITY || mapping->b == VK_COMPONENT_SWIZZLE_B) &&
           (mapping->a == VK_COMPONENT_SWIZZLE_IDENTITY || mapping->a == VK_COMPONENT_SWIZZLE_A);
}

/* A view's usage is the image's, or part of it. */
static VkFlags64 used_as(const struct image *image, const VkImageViewCreateInfo *info)
{
    VkFlags64 all = image ? image->usage : 0;
    if (image && info->subresourceRange.aspectMask == VK_IMAGE_ASPECT_STENCIL_BIT)
        all = image->stencil_usage;
    return image_view_usage(info, all);
}

/* True: the view can have auxiliary views. */
static bool is_sampled(const struct image *image, const VkImageViewCreateInfo *info)
{
    return used_as(image, info) & VK_IMAGE_USAGE_SAMPLED_BIT;
}

/* One more view of the same subresources, for sampling only. */
static VkResult create_auxiliary_view(struct device *device, const VkImageViewCreateInfo *info, VkFormat format,
                                      VkImageAspectFlags aspect, VkComponentMapping mapping,
                                      const VkAllocationCallbacks *callbacks, VkImageView *auxiliary)
{
    static const VkStructureType left_out[] = {
        GL_STRUCTURES, IMAGE_VIEW_USAGE_TYPES,
        (VkStructureType)1000316010, /* VkOpaqueCaptureDescriptorDataCreateInfoEXT */
    };
    const VkImageViewCreateFlags capture = 0x4; /* DESCRIPTOR_BUFFER_CAPTURE_REPLAY */
    void *rest = NULL, *memory = NULL;
    if (!pnext_copy_without(info->pNext, left_out, sizeof(left_out) / sizeof(left_out[0]), &rest, &memory))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkImageViewUsageCreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO, .pNext = rest, .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    VkImageViewCreateInfo for_driver = *info;
    for_driver.pNext = view_takes_usage(device, info) ? &usage : rest;
    for_driver.flags &= ~capture;
    for_driver.format = format;
    for_driver.components = mapping;
    for_driver.subresourceRange.aspectMask = aspect;
    VkImageView created = VK_NULL_HANDLE;
    VkResult result = device->next.CreateImageView(device->handle, &for_driver, callbacks, &created);
    if (result == VK_SUCCESS)
        *auxiliary = created;
    free(memory);
    return result;
}

static bool has_unorm_view(const struct image *image, VkFormat format)
{
    return image && image->unorm_views && (format == image->format || image->other_unorm_views);
}

static void destroy_auxiliary_views(struct device *device, struct view *view, const VkAllocationCallbacks *callbacks)
{
    for (int i = RESOLVE_VIEWS; i-- > 0;) {
        VkImageView auxiliary = view->driver[i];
        for (int j = 0; j < RESOLVE_VIEWS; j++) { /* several places may have the same one */
            if (view->driver[j] == auxiliary)
                view->driver[j] = view->handle;
        }
        if (auxiliary != view->handle)
            device->next.DestroyImageView(device->handle, auxiliary, callbacks);
    }
}

/* Makes the auxiliary views, after the view's own handle. After a failure call destroy_auxiliary_views(). */
static VkResult create_auxiliary_views(struct device *device, const struct image *image,
                                       const VkImageViewCreateInfo *info, VkComponentMapping mapping,
                                       const VkAllocationCallbacks *callbacks, struct view *view)
{
    static const VkComponentMapping incomplete = {VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_ZERO,
                                                  VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_ONE};
    struct view_facts *facts = &view->facts;
    VkImageAspectFlags aspect = info->subresourceRange.aspectMask;
    for (int i = 0; i < RESOLVE_VIEWS; i++)
        view->driver[i] = view->handle;
    if (view->opaque || !is_sampled(image, info))
        return VK_SUCCESS;
    if (facts->stencil || facts->depth_aspect)
        aspect = facts->stencil ? VK_IMAGE_ASPECT_STENCIL_BIT : VK_IMAGE_ASPECT_DEPTH_BIT;
    VkResult result = VK_SUCCESS;
    /* Comparisons take a view without components, of the one aspect that a descriptor may have. */
    const bool mapped = view->gl || view->rgbx_attachment;
    if (view->gl ? aspect != info->subresourceRange.aspectMask : facts->depth_aspect && !is_identity(&info->components))
        result = create_auxiliary_view(device, info, info->format, aspect, (VkComponentMapping){0}, callbacks,
                                       &view->driver[RESOLVE_VIEW_UNMAPPED]);
    if (mapped && result == VK_SUCCESS) {
        view->driver[RESOLVE_VIEW_SAMPLED] = view->driver[RESOLVE_VIEW_UNMAPPED];
        if (!is_identity(&mapping))
            result = create_auxiliary_view(device, info, info->format, aspect, mapping, callbacks,
                                           &view->driver[RESOLVE_VIEW_SAMPLED]);
    }
    view->driver[RESOLVE_VIEW_UNORM] = view->driver[RESOLVE_VIEW_SAMPLED];
    view->driver[RESOLVE_VIEW_INCOMPLETE] = view->driver[RESOLVE_VIEW_SAMPLED];
    if (result == VK_SUCCESS && facts->srgb && has_unorm_view(image, info->format)) {
        result = create_auxiliary_view(device, info, format_unorm(info->format), aspect, mapping, callbacks,
                                       &view->driver[RESOLVE_VIEW_UNORM]);
        facts->unorm_auxiliary = result == VK_SUCCESS;
    }
    if (result == VK_SUCCESS && facts->integer && device->caps.resolve.integer_incomplete)
        result = create_auxiliary_view(device, info, info->format, aspect, incomplete, callbacks,
                                       &view->driver[RESOLVE_VIEW_INCOMPLETE]);
    return result;
}

/* ---- Views ---- */

/* The program's own components, with ONE where they show alpha. */
static VkComponentMapping without_alpha(VkComponentMapping mapping)
{
    VkComponentSwizzle *components[] = {&mapping.r, &mapping.g, &mapping.b, &mapping.a};
    for (int i = 0; i < 4; i++) {
        if (*components[i] == VK_COMPONENT_SWIZZLE_A || (i == 3 && *components[i] == VK_COMPONENT_SWIZZLE_IDENTITY))
            *components[i] = VK_COMPONENT_SWIZZLE_ONE;
    }
    return mapping;
}

/* Programs for the extension's versions 2 and 3 may expect that they have an effect. */
static void say_ignored_components(struct track *track, const struct message_object *about,
                                   const VkComponentMapping *components)
{
    if (!is_identity(components) && !view_components_are_zero(components))
        message_about(
            track->device, LOG_INFO, about,
            "components are ignored beside VkImageViewGLStateCreateInfoCLAMPLER: its swizzle takes their place");
}

static VkResult read_view(struct track *track, const char *call, struct image *image, const VkImageViewCreateInfo *info,
                          struct view *view, VkComponentMapping *mapping)
{
    static const VkImageViewGLStateCreateInfoCLAMPLER zeros;
    const VkImageViewGLTextureStateCreateInfoCLAMPLER *texture =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER);
    const VkImageViewGLStateCreateInfoCLAMPLER *gl =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER);
    if (!gl && texture)
        gl = &zeros;
    const struct message_object *about = ABOUT({VK_OBJECT_TYPE_IMAGE, HANDLE_KEY(info->image)});
    const char *why = NULL; /* set where GL's state is refused */
    char text[400];
    uint8_t at[4];
    *mapping = info->components;
    view->gl = gl != NULL;
    view->opaque = pnext_find(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO) != NULL;
    if (gl && !track->device->caps.enabled.glImageView)
        return refuse_about(track, about, call,
                            gl == &zeros ? "VkImageViewGLTextureStateCreateInfoCLAMPLER needs the feature glImageView, "
                                           "which is not enabled"
                                         : "VkImageViewGLStateCreateInfoCLAMPLER needs the feature glImageView, which "
                                           "is not enabled");
    if (gl && view->opaque)
        return refuse_about(track, about, call, "GL view state and a sampler YCbCr conversion exclude each other");
    if (gl && image && image_is_opaque(image))
        return refuse_about(
            track, about, call,
            "GL view state and subsampled or corner-sampled images (VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT, "
            "VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV) exclude each other");
    view->opaque |= image && image_is_opaque(image);
    const VkImageViewGLChannelOrderCreateInfoCLAMPLER *order =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_CHANNEL_ORDER_CREATE_INFO_CLAMPLER);
    if (order && !gl)
        return refuse_about(track, about, call,
                            "VkImageViewGLChannelOrderCreateInfoCLAMPLER needs VkImageViewGLStateCreateInfoCLAMPLER "
                            "beside it");
    const bool drawn = used_as(image, info) & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    const uint32_t base = gl ? view_base_format(gl->baseFormat, gl->internalFormat) : 0;
    view->rgbx_attachment =
        attachment_view(track, image, info, base, order ? &order->channels : NULL, drawn, &view->attachment);
    if (!gl) {
        VkImageViewCreateInfo sampled = *info;
        if (view->rgbx_attachment)
            sampled.components = *mapping = without_alpha(info->components);
        view_facts_from_vk(&sampled, &view->facts);
    } else if (!view_facts_from_gl_order(gl, order ? &order->channels : NULL, info, &view->facts, mapping, &why)) {
        const bool unsupported = view_order_is_unsupported(why);
        snprintf(text, sizeof(text), "VkImageViewGL%sCreateInfoCLAMPLER: %s",
                 !strncmp(why, "channels", 8) ? "ChannelOrder" : "State", why);
        const VkResult result = refuse_about(track, about, call, text);
        return unsupported ? VK_ERROR_FORMAT_NOT_SUPPORTED : result;
    } else {
        say_ignored_components(track, about, &info->components);
    }
    if (texture)
        view_facts_add_texture(texture, &view->facts, mapping);
    add_image_facts(track, image, info, &view->facts);
    const char *refused = texture && texture->borderWidth ? add_border(image, info, texture, &view->facts) : NULL;
    if (refused) {
        snprintf(text, sizeof(text), "VkImageViewGLTextureStateCreateInfoCLAMPLER: %s", refused);
        return refuse_about(track, about, call, text);
    }
    if (order && drawn && !view_order_of_attachment(&order->channels, base, info->format, at, &why)) {
        snprintf(text, sizeof(text), "VkImageViewGLChannelOrderCreateInfoCLAMPLER: %s", why);
        refuse_about(track, about, call, text);
        return VK_ERROR_FORMAT_NOT_SUPPORTED;
    }
    return VK_SUCCESS;
}

/* Needs of a view's terms that no terms of a sampler know of. */
#define NEEDS_OF_TERMS (RECORD_NEED_MIPS | RECORD_NEED_VIEW_EXTRAS | RECORD_NEED_COORDS_IF_FETCH)

static void describe_records(struct device *device, struct view *view)
{
    resolve_view_terms(&view->facts, &view->terms);
    resolve_image_record(&view->facts, &device->caps.resolve, &view->alone);
    view->alone_needs = record_needs(&view->alone);
    view->terms_needs = record_needs(&view->terms.record) & NEEDS_OF_TERMS;
}

/* The unmapped view of a view with GL state: identity, without the structure. */
static VkResult create_plain(struct device *device, const VkImageViewCreateInfo *info,
                             const VkAllocationCallbacks *callbacks, VkImageView *handle)
{
    static const VkStructureType left_out[] = {GL_STRUCTURES};
    void *rest = NULL, *memory = NULL;
    if (!pnext_copy_without(info->pNext, left_out, sizeof(left_out) / sizeof(left_out[0]), &rest, &memory))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkImageViewCreateInfo for_driver = *info;
    for_driver.pNext = rest;
    for_driver.components = (VkComponentMapping){0};
    VkResult result = device->next.CreateImageView(device->handle, &for_driver, callbacks, handle);
    free(memory);
    return result;
}

static void destroy_driver_views(struct device *device, struct view *view, const VkAllocationCallbacks *callbacks)
{
    fill_destroy(device->track, view->attachment.fill);
    destroy_auxiliary_views(device, view, callbacks);
    device->next.DestroyImageView(device->handle, view->handle, callbacks);
}

/* Makes all driver views of a view; nothing is left behind on failure. */
static VkResult create_driver_views(struct device *device, struct image *image, const VkImageViewCreateInfo *info,
                                    VkComponentMapping mapping, const VkAllocationCallbacks *callbacks,
                                    struct view *view)
{
    VkResult result = view->gl ? create_plain(device, info, callbacks, &view->handle)
                               : device->next.CreateImageView(device->handle, info, callbacks, &view->handle);
    if (result != VK_SUCCESS)
        return result;
    result = create_auxiliary_views(device, image, info, mapping, callbacks, view);
    if (result == VK_SUCCESS && view->attachment.one)
        result = fill_create(device->track, info, image, view->attachment.format,
                             view_size(image, info, info->subresourceRange.baseMipLevel), &view->attachment.fill);
    if (result != VK_SUCCESS)
        destroy_driver_views(device, view, callbacks);
    return result;
}

/* The sampled view of a view that is no object, as create_auxiliary_views() makes it for views that are. */
static VkResult describe_sampled(struct track *track, const VkImageViewCreateInfo *info, VkComponentMapping mapping,
                                 struct view_description *d)
{
    static const VkStructureType left_out[] = {GL_STRUCTURES, IMAGE_VIEW_USAGE_TYPES};
    const struct view_facts *facts = &d->view.facts;
    void *rest = NULL;
    if (!d->view.gl && !d->view.rgbx_attachment)
        return VK_SUCCESS;
    if (!pnext_copy_without(info->pNext, left_out, sizeof(left_out) / sizeof(left_out[0]), &rest, &d->memory))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    d->usage = (VkImageViewUsageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO, .pNext = rest, .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    d->driver.pNext = view_takes_usage(track->device, info) ? (const void *)&d->usage : rest;
    d->driver.components = mapping;
    if (facts->stencil || facts->depth_aspect)
        d->driver.subresourceRange.aspectMask =
            facts->stencil ? VK_IMAGE_ASPECT_STENCIL_BIT : VK_IMAGE_ASPECT_DEPTH_BIT;
    return VK_SUCCESS;
}

VkResult view_describe(struct track *track, const VkImageViewCreateInfo *info, struct view_description *d)
{
    static const char call[] = "vkWriteResourceDescriptorsEXT";
    const VkStructureType belongs = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER;
    VkComponentMapping mapping;
    *d = (struct view_description){.driver = *info, .image = image_find(track, info->image)};
    VkResult result = refuse_misplaced(track, call, info->pNext, belongs);
    if (result == VK_SUCCESS)
        result = read_view(track, call, d->image, info, &d->view, &mapping);
    if (result != VK_SUCCESS)
        return result;
    d->sampled = !d->view.opaque && is_sampled(d->image, info);
    result = describe_sampled(track, info, mapping, d);
    if (result != VK_SUCCESS || !d->sampled)
        return result;
    if (!view_key(track, &d->view.facts, &d->view.key))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    describe_records(track->device, &d->view);
    d->view.requires_emulation = true; /* for other views view_requires_emulation() decides this */
    device_needs_of_view(track, &d->view);
    return VK_SUCCESS;
}

void view_description_finish(struct view_description *description)
{
    free(description->memory);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateImageView(VkDevice handle, const VkImageViewCreateInfo *pCreateInfo,
                                                    const VkAllocationCallbacks *pAllocator, VkImageView *pView)
{
    struct device *device = device_of(handle);
    struct track *track = device->track;
    static const char call[] = "vkCreateImageView";
    const VkStructureType belongs = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER;
    if (refuse_misplaced(track, call, pCreateInfo->pNext, belongs) != VK_SUCCESS)
        return VK_ERROR_VALIDATION_FAILED_EXT;
    struct image *image = image_find(track, pCreateInfo->image);
    struct view *view = object_alloc(track, pAllocator, sizeof(*view));
    if (!view)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkComponentMapping mapping;
    VkResult result = read_view(track, call, image, pCreateInfo, view, &mapping);
    if (result == VK_SUCCESS)
        result = create_driver_views(device, image, pCreateInfo, mapping, pAllocator, view);
    if (result == VK_SUCCESS) {
        describe_records(device, view);
        view->requires_emulation = view_requires_emulation(view);
        if (!view_key(track, &view->facts, &view->key) ||
            !table_insert(&track->sampling->views, HANDLE_KEY(view->handle), view)) {
            destroy_driver_views(device, view, pAllocator);
            result = VK_ERROR_OUT_OF_HOST_MEMORY;
        }
    }
    if (result != VK_SUCCESS) {
        object_free(track, pAllocator, view, sizeof(*view));
        return result;
    }
    if (view->requires_emulation)
        atomic_fetch_add_explicit(&track->requires_emulation, EMULATED_VIEW, memory_order_relaxed);
    if (!view->opaque && is_sampled(image, pCreateInfo))
        device_needs_of_view(track, view);
    if (view->rgbx_attachment)
        device_needs_raise(track, RECORD_NEED_INPUT);
    *pView = view->handle;
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyImageView(VkDevice handle, VkImageView view,
                                                 const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct view *known = table_remove(&device->track->sampling->views, HANDLE_KEY(view));
    object_gone(&device->names, VK_OBJECT_TYPE_IMAGE_VIEW, HANDLE_KEY(view));
    if (known && known->requires_emulation)
        atomic_fetch_sub_explicit(&device->track->requires_emulation, EMULATED_VIEW, memory_order_relaxed);
    saved_writes_forget(device->track);
    if (known)
        indices_release(device->track, &known->record_indices);
    if (known)
        destroy_driver_views(device, known, pAllocator);
    else
        device->next.DestroyImageView(handle, view, pAllocator);
    object_free(device->track, pAllocator, known, sizeof(*known));
}
