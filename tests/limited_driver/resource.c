/* SPDX-License-Identifier: MIT */
/* Buffers, images, their views, and samplers: what they use of what is hidden. */
#include <math.h>
#include <string.h>

#include "layer.h"

/* An entry for a new object; call with the lock held. */
static struct object *remember(struct device *device, VkObjectType type, uint64_t handle, bool *known)
{
    return object_add(&device->objects, type, handle, known);
}

static void forget(struct device *device, VkObjectType type, uint64_t handle)
{
    pthread_mutex_lock(&device->lock);
    object_remove(&device->objects, type, handle);
    pthread_mutex_unlock(&device->lock);
}

/* ---- Buffers ---- */

VKAPI_ATTR VkResult hook_CreateBuffer(VkDevice handle, const VkBufferCreateInfo *info,
                                      const VkAllocationCallbacks *allocator, VkBuffer *buffer)
{
    struct device *device = device_of(handle);
    VkResult result = device->next.CreateBuffer(handle, info, allocator, buffer);
    if (result == VK_SUCCESS) {
        bool known;
        pthread_mutex_lock(&device->lock);
        struct object *object = remember(device, VK_OBJECT_TYPE_BUFFER, HANDLE(*buffer), &known);
        const VkBufferUsageFlags2CreateInfoKHR *wide =
            chained(info->pNext, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR);
        if (object)
            object->buffer = (struct buffer){info->size, wide ? (VkBufferUsageFlags)wide->usage : info->usage};
        pthread_mutex_unlock(&device->lock);
    }
    return result;
}

VKAPI_ATTR void hook_DestroyBuffer(VkDevice handle, VkBuffer buffer, const VkAllocationCallbacks *allocator)
{
    struct device *device = device_of(handle);
    forget(device, VK_OBJECT_TYPE_BUFFER, HANDLE(buffer));
    device->next.DestroyBuffer(handle, buffer, allocator);
}

/* Bytes of a texel of the formats that texel buffers can have; 0: unknown. */
static uint32_t texel_bytes(VkFormat format)
{
    if (format >= VK_FORMAT_R8_UNORM && format <= VK_FORMAT_R8_SRGB)
        return 1;
    if (format >= VK_FORMAT_R8G8_UNORM && format <= VK_FORMAT_R8G8_SRGB)
        return 2;
    if (format >= VK_FORMAT_R4G4B4A4_UNORM_PACK16 && format <= VK_FORMAT_A1R5G5B5_UNORM_PACK16)
        return 2;
    if (format >= VK_FORMAT_R8G8B8_UNORM && format <= VK_FORMAT_B8G8R8_SRGB)
        return 3;
    if (format >= VK_FORMAT_R8G8B8A8_UNORM && format <= VK_FORMAT_A2B10G10R10_SINT_PACK32)
        return 4;
    if (format >= VK_FORMAT_R16_UNORM && format <= VK_FORMAT_R16G16B16A16_SFLOAT)
        return 2 + 2 * ((uint32_t)(format - VK_FORMAT_R16_UNORM) / 7);
    if (format >= VK_FORMAT_R32_UINT && format <= VK_FORMAT_R32G32B32A32_SFLOAT)
        return 4 + 4 * ((uint32_t)(format - VK_FORMAT_R32_UINT) / 3);
    if (format >= VK_FORMAT_R64_UINT && format <= VK_FORMAT_R64G64B64A64_SFLOAT)
        return 8 + 8 * ((uint32_t)(format - VK_FORMAT_R64_UINT) / 3);
    return format == VK_FORMAT_B10G11R11_UFLOAT_PACK32 || format == VK_FORMAT_E5B9G9R9_UFLOAT_PACK32 ? 4 : 0;
}

static void judge_buffer_view(struct device *device, const VkBufferViewCreateInfo *info)
{
    static const struct {
        VkBufferUsageFlags usage;
        VkFormatFeatureFlags feature;
        const char *name;
    } uses[] = {
        {VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT, "UNIFORM_TEXEL_BUFFER"},
        {VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT, VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT, "STORAGE_TEXEL_BUFFER"},
    };
    const char *command = "vkCreateBufferView";
    const struct object *object = object_find(&device->objects, VK_OBJECT_TYPE_BUFFER, HANDLE(info->buffer));
    if (!object)
        return;
    uint64_t hidden = profile_hidden_format_features(device->profile, info->format, PROFILE_BUFFER);
    for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++)
        if ((object->buffer.usage & uses[i].usage) && (hidden & uses[i].feature))
            violation(device->instance, LIMITED_DRIVER_FORMAT, uses[i].name, command, "format %d", (int)info->format);
    VkDeviceSize bytes = info->range == VK_WHOLE_SIZE ? object->buffer.size - info->offset : info->range;
    uint32_t texel = texel_bytes(info->format);
    if (texel)
        use_limit(device, ENFORCED_maxTexelBufferElements, bytes / texel, command);
}

VKAPI_ATTR VkResult hook_CreateBufferView(VkDevice handle, const VkBufferViewCreateInfo *info,
                                          const VkAllocationCallbacks *allocator, VkBufferView *view)
{
    struct device *device = device_of(handle);
    pthread_mutex_lock(&device->lock);
    judge_buffer_view(device, info);
    pthread_mutex_unlock(&device->lock);
    return device->next.CreateBufferView(handle, info, allocator, view);
}

/* ---- Images ---- */

static void judge_image(struct device *device, const VkImageCreateInfo *info)
{
    const char *command = "vkCreateImage";
    VkExtent3D extent = info->extent;
    uint32_t longest = extent.width > extent.height ? extent.width : extent.height;
    longest = longest > extent.depth ? longest : extent.depth;
    if (info->imageType == VK_IMAGE_TYPE_1D)
        use_limit(device, ENFORCED_maxImageDimension1D, longest, command);
    else if (info->imageType == VK_IMAGE_TYPE_3D)
        use_limit(device, ENFORCED_maxImageDimension3D, longest, command);
    else if (info->flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT)
        use_limit(device, ENFORCED_maxImageDimensionCube, longest, command);
    else
        use_limit(device, ENFORCED_maxImageDimension2D, longest, command);
    use_limit(device, ENFORCED_maxImageArrayLayers, info->arrayLayers, command);
    if (!(info->flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT))
        use_format(device, info->format, info->tiling, format_features_of_usage(info->usage), command);
}

VKAPI_ATTR VkResult hook_CreateImage(VkDevice handle, const VkImageCreateInfo *info,
                                     const VkAllocationCallbacks *allocator, VkImage *image)
{
    struct device *device = device_of(handle);
    judge_image(device, info);
    VkResult result = device->next.CreateImage(handle, info, allocator, image);
    if (result == VK_SUCCESS) {
        bool known;
        pthread_mutex_lock(&device->lock);
        struct object *object = remember(device, VK_OBJECT_TYPE_IMAGE, HANDLE(*image), &known);
        if (object)
            object->image = (struct image){info->format, info->tiling, info->usage};
        pthread_mutex_unlock(&device->lock);
    }
    return result;
}

VKAPI_ATTR void hook_DestroyImage(VkDevice handle, VkImage image, const VkAllocationCallbacks *allocator)
{
    struct device *device = device_of(handle);
    forget(device, VK_OBJECT_TYPE_IMAGE, HANDLE(image));
    device->next.DestroyImage(handle, image, allocator);
}

static bool moved(VkComponentSwizzle swizzle, VkComponentSwizzle own)
{
    return swizzle != VK_COMPONENT_SWIZZLE_IDENTITY && swizzle != own;
}

static bool is_swizzled(const VkComponentMapping *mapping)
{
    return moved(mapping->r, VK_COMPONENT_SWIZZLE_R) || moved(mapping->g, VK_COMPONENT_SWIZZLE_G) ||
           moved(mapping->b, VK_COMPONENT_SWIZZLE_B) || moved(mapping->a, VK_COMPONENT_SWIZZLE_A);
}

static void judge_image_view(struct device *device, const VkImageViewCreateInfo *info, const struct image *image)
{
    const char *command = "vkCreateImageView";
    const VkImageViewUsageCreateInfo *own = chained(info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO);
    VkImageUsageFlags usage = own ? own->usage : image->usage;
    usage &= ~(VkImageUsageFlags)(VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    use_format(device, info->format, image->tiling, format_features_of_usage(usage), command);
    if (info->viewType == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY)
        use_feature(device, ENFORCED_imageCubeArray, command);
}

VKAPI_ATTR VkResult hook_CreateImageView(VkDevice handle, const VkImageViewCreateInfo *info,
                                         const VkAllocationCallbacks *allocator, VkImageView *view)
{
    struct device *device = device_of(handle);
    /* Images of swapchains are made without vkCreateImage; they are optimal and sampled at most. */
    struct image image = {info->format, VK_IMAGE_TILING_OPTIMAL, 0};
    pthread_mutex_lock(&device->lock);
    const struct object *object = object_find(&device->objects, VK_OBJECT_TYPE_IMAGE, HANDLE(info->image));
    if (object)
        image = object->image;
    judge_image_view(device, info, &image);
    pthread_mutex_unlock(&device->lock);

    VkResult result = device->next.CreateImageView(handle, info, allocator, view);
    if (result == VK_SUCCESS) {
        bool known;
        pthread_mutex_lock(&device->lock);
        struct object *entry = remember(device, VK_OBJECT_TYPE_IMAGE_VIEW, HANDLE(*view), &known);
        if (entry)
            entry->view = (struct view){info->format, image.tiling, is_swizzled(&info->components), info->components};
        pthread_mutex_unlock(&device->lock);
    }
    return result;
}

VKAPI_ATTR void hook_DestroyImageView(VkDevice handle, VkImageView view, const VkAllocationCallbacks *allocator)
{
    struct device *device = device_of(handle);
    forget(device, VK_OBJECT_TYPE_IMAGE_VIEW, HANDLE(view));
    device->next.DestroyImageView(handle, view, allocator);
}

/* ---- Samplers ---- */

static bool uses_mode(const VkSamplerCreateInfo *info, VkSamplerAddressMode mode)
{
    return info->addressModeU == mode || info->addressModeV == mode || info->addressModeW == mode;
}

static struct sampler describe_sampler(const VkSamplerCreateInfo *info)
{
    const VkSamplerReductionModeCreateInfo *reduction =
        chained(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO);
    bool border = uses_mode(info, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER);
    bool custom =
        info->borderColor == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT || info->borderColor == VK_BORDER_COLOR_INT_CUSTOM_EXT;
    bool black = info->borderColor == VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK ||
                 info->borderColor == VK_BORDER_COLOR_INT_OPAQUE_BLACK;
    bool linear = info->magFilter == VK_FILTER_LINEAR || info->minFilter == VK_FILTER_LINEAR ||
                  info->mipmapMode == VK_SAMPLER_MIPMAP_MODE_LINEAR;
    const VkSamplerCustomBorderColorCreateInfoEXT *color =
        chained(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT);
    const uint32_t one =
        info->borderColor == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT || info->borderColor == VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK
            ? 0x3f800000u
            : 1u;
    bool minmax = reduction && reduction->reductionMode != VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE;
    struct sampler sampler = {
        .linear = linear && !info->compareEnable && !minmax, /* they need a feature of their own, and not this one */
        .cubic = info->magFilter == VK_FILTER_CUBIC_EXT || info->minFilter == VK_FILTER_CUBIC_EXT,
        .minmax = minmax,
        .compare = info->compareEnable,
        .border = border && (custom || black),
        .border_mapping =
            chained(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT),
        .custom_border = custom,
        .border_color = {0, 0, 0, one},
        .border_one = one,
    };
    if (custom && color)
        memcpy(sampler.border_color, color->customBorderColor.uint32, sizeof(sampler.border_color));
    return sampler;
}

static void judge_custom_border(struct device *device, const VkSamplerCreateInfo *info)
{
    const char *command = "vkCreateSampler";
    const VkSamplerCustomBorderColorCreateInfoEXT *color =
        chained(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT);
    use_feature(device, ENFORCED_customBorderColors, command);
    if (color && color->format == VK_FORMAT_UNDEFINED)
        use_feature(device, ENFORCED_customBorderColorWithoutFormat, command);
}

static void judge_real_limit(struct device *device, enum enforced_limit limit, const char *name, float used)
{
    /* The limit as queries report it, a float. */
    if (device->limits[limit].set && used > (float)device->limits[limit].value.real)
        violation(device->instance, LIMITED_DRIVER_LIMIT, name, "vkCreateSampler", "%g used, the limit is %g",
                  (double)used, device->limits[limit].value.real);
}

static void judge_sampler(struct device *device, const VkSamplerCreateInfo *info, const struct sampler *sampler)
{
    const char *command = "vkCreateSampler";
    if (sampler->custom_border)
        judge_custom_border(device, info);
    if (sampler->border_mapping)
        use_feature(device, ENFORCED_borderColorSwizzle, command);
    if (uses_mode(info, VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE))
        use_feature(device, ENFORCED_samplerMirrorClampToEdge, command);
    if (info->flags & VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT)
        use_feature(device, ENFORCED_nonSeamlessCubeMap, command);
    judge_real_limit(device, ENFORCED_maxSamplerLodBias, "maxSamplerLodBias", fabsf(info->mipLodBias));
    if (info->anisotropyEnable) {
        use_feature(device, ENFORCED_samplerAnisotropy, command);
        judge_real_limit(device, ENFORCED_maxSamplerAnisotropy, "maxSamplerAnisotropy", info->maxAnisotropy);
    }
}

VKAPI_ATTR VkResult hook_CreateSampler(VkDevice handle, const VkSamplerCreateInfo *info,
                                       const VkAllocationCallbacks *allocator, VkSampler *result)
{
    struct device *device = device_of(handle);
    const VkSamplerYcbcrConversionInfo *conversion =
        chained(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
    struct sampler sampler = describe_sampler(info);
    sampler.conversion = conversion ? conversion->conversion : VK_NULL_HANDLE;
    judge_sampler(device, info, &sampler);
    VkResult created = device->next.CreateSampler(handle, info, allocator, result);
    if (created != VK_SUCCESS)
        return created;
    pthread_mutex_lock(&device->lock);
    use_limit(device, ENFORCED_maxSamplerAllocationCount, ++device->sampler_count, "vkCreateSampler");
    if (sampler.custom_border)
        use_limit(device, ENFORCED_maxCustomBorderColorSamplers, ++device->custom_border_count, "vkCreateSampler");
    bool known;
    struct object *object = remember(device, VK_OBJECT_TYPE_SAMPLER, HANDLE(*result), &known);
    if (object)
        object->sampler = sampler;
    pthread_mutex_unlock(&device->lock);
    return created;
}

VKAPI_ATTR void hook_DestroySampler(VkDevice handle, VkSampler sampler, const VkAllocationCallbacks *allocator)
{
    struct device *device = device_of(handle);
    pthread_mutex_lock(&device->lock);
    const struct object *object = object_find(&device->objects, VK_OBJECT_TYPE_SAMPLER, HANDLE(sampler));
    if (object) {
        device->sampler_count--;
        device->custom_border_count -= object->sampler.custom_border;
        object_remove(&device->objects, VK_OBJECT_TYPE_SAMPLER, HANDLE(sampler));
    }
    pthread_mutex_unlock(&device->lock);
    device->next.DestroySampler(handle, sampler, allocator);
}

VKAPI_ATTR VkResult hook_CreateSamplerYcbcrConversion(VkDevice handle, const VkSamplerYcbcrConversionCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkSamplerYcbcrConversion *result)
{
    struct device *device = device_of(handle);
    VkResult created = device->next.CreateSamplerYcbcrConversion(handle, info, allocator, result);
    if (created != VK_SUCCESS)
        return created;
    bool known;
    pthread_mutex_lock(&device->lock);
    remember(device, VK_OBJECT_TYPE_SAMPLER_YCBCR_CONVERSION, HANDLE(*result), &known);
    pthread_mutex_unlock(&device->lock);
    return created;
}

VKAPI_ATTR void hook_DestroySamplerYcbcrConversion(VkDevice handle, VkSamplerYcbcrConversion conversion,
                                                   const VkAllocationCallbacks *allocator)
{
    struct device *device = device_of(handle);
    pthread_mutex_lock(&device->lock);
    object_remove(&device->objects, VK_OBJECT_TYPE_SAMPLER_YCBCR_CONVERSION, HANDLE(conversion));
    pthread_mutex_unlock(&device->lock);
    device->next.DestroySamplerYcbcrConversion(handle, conversion, allocator);
}
