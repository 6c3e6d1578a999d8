/* SPDX-License-Identifier: MIT */
/*
 * Images (image.c), and the structures of views, which layer/resources/views creates. Owned by the tables of `struct
 * track`; constant after creation but for what is atomic; looked up without a lock between creation and destruction.
 */
#ifndef CLAMPLER_SAMPLING_IMAGE_H
#define CLAMPLER_SAMPLING_IMAGE_H

#include "device/device.h"
#include "device/structure_chain.h"
#include "filled/filled.h"
#include "objects/resource_flags.h"
#include "objects/table.h"
#include "objects/track.h"
#include "record/record.h"
#include "record_table/record_table.h"
#include "resolve/resolve.h"
#include "sampling/sampling.h"

struct fill;
struct filled;
struct blend_format;

enum { IMAGE_ORDERS = INT32_MAX };

struct image {
    VkImageType type;
    VkFormat format;
    VkExtent3D extent;
    uint32_t levels, layers;
    VkImageTiling tiling;
    VkFlags64 flags;
    VkSampleCountFlagBits samples;
    VkFlags64 usage, stencil_usage;
    bool unorm_views;       /* sRGB: views without decoding are available */
    bool other_unorm_views; /* of views of other formats than the image's, too */
    bool swapchain;
    _Atomic(bool) unseen;                   /* it may be written by others than recorded commands (filled_unseen) */
    bool shared;                            /* other images may have the same memory */
    _Atomic(bool) alpha_views, other_views; /* it has had views that have no alpha, and others */
    _Atomic(uint32_t) order;                /* order_key() of its views; 0: it has had none, IMAGE_ORDERS: several */
    struct index_list record_indices;       /* of views of it that are no objects, by the hash of their records */
    _Atomic(struct filled *) filled;        /* where alpha is 1; NULL: it has had no view that is filled */
};

/* The size of a level of an image whose base level has `size` texels along an axis. */
static inline uint32_t level_size(uint32_t size, uint32_t level)
{
    return size >> level ? size >> level : 1;
}

/* Gives the message that an attachment without alpha shares its memory, which costs fills. */
void image_say_shared(const struct track *track, VkObjectType type, uint64_t handle);

/*
 * Whether layers in barriers of the image count slices (VK_KHR_maintenance9): of 3D images that have 2D views, which
 * change their layout slice by slice then.
 */
static inline bool image_slice_barriers(const struct device *device, const struct image *image)
{
    return device->caps.slice_barriers && image->type == VK_IMAGE_TYPE_3D &&
           (image->flags & VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT);
}

/* True: the driver alone knows the place of texels: subsampled and corner-sampled images. */
static inline bool image_is_opaque(const struct image *image)
{
    return image->flags & (VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT | VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV);
}

static inline struct image *image_find(struct track *track, VkImage handle)
{
    return table_find(&track->sampling->images, HANDLE_KEY(handle));
}

/* Where alpha is 1 in the image's memory; NULL: no view of it is filled. */
static inline struct filled *image_filled(struct image *image)
{
    return image ? atomic_load_explicit(&image->filled, memory_order_acquire) : NULL;
}

/* A view as a colour attachment. Filled when the view is created (attachments/attachment_view.h). */
struct attachment_view {
    const struct blend_format *format; /* NULL: it cannot be one without alpha */
    struct image *image;
    struct fill *fill;             /* owned; NULL: its alpha cannot be filled, or need not be */
    struct filled_range range;     /* of the image's alpha states */
    VkImage handle;                /* the image's */
    VkImageSubresourceRange shown; /* as barriers take it */
    bool one;                      /* without alpha */
    uint32_t order;                /* order_key() of channels that are elsewhere (blend/order.h), 0 of others */
};

enum { RESOLVE_VIEWS = RESOLVE_VIEW_INCOMPLETE + 1 };

struct view {
    VkImageView handle;
    VkImageView driver[RESOLVE_VIEWS]; /* by enum resolve_view: an auxiliary view, or the handle */
    uint32_t key;                      /* of the facts */
    bool gl;                           /* has GL view state */
    bool opaque;             /* YCbCr conversion, or only the driver knows the place of texels: is not changed */
    bool requires_emulation; /* samplers that require emulation with some views do so with this one */
    struct view_facts facts;
    struct record alone; /* of a SAMPLED_IMAGE descriptor */
    uint32_t alone_needs;
    uint32_t terms_needs;    /* added to the needs of a pair that requires emulation */
    struct view_terms terms; /* for the record of a pair */
    struct attachment_view attachment;
    struct index_list
        record_indices;   /* of application-managed descriptors, by the key of the sampler state; INDEX_ALONE */
    bool rgbx_attachment; /* sampling gives alpha 1 whatever is in memory */
};

static inline struct view *view_find(struct track *track, VkImageView handle)
{
    return table_find(&track->sampling->views, HANDLE_KEY(handle));
}

/* True: a view of the layer's may have a usage of its own: since Vulkan 1.1, or where the program's view has one. */
static inline bool view_takes_usage(const struct device *device, const VkImageViewCreateInfo *program)
{
    return device->caps.api_version >= VK_API_VERSION_1_1 || image_view_has_usage(program);
}

#endif
