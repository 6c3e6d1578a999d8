/* SPDX-License-Identifier: MIT */
/* Opens devices with what a manner needs, and asks drivers what they have. */
#include <stdlib.h>
#include <string.h>

#include "vulkan_voice.h"

/* The features that devices are asked about and opened with. */
struct features {
    VkPhysicalDeviceFeatures2 base;
    VkPhysicalDeviceVulkan12Features vulkan12;
    VkPhysicalDeviceVulkan13Features vulkan13;
    VkPhysicalDeviceCustomBorderColorFeaturesEXT border;
    VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT cube;
    VkPhysicalDeviceBorderColorSwizzleFeaturesEXT border_swizzle;
    VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries;
    VkPhysicalDeviceShaderObjectFeaturesEXT objects;
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic;
    VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptor_buffers;
    VkPhysicalDeviceGLSamplerFeaturesCLAMPLER gl;
    const char *extensions[16];
    uint32_t extension_count;
};

static void chain(struct features *f, void *structure, VkStructureType type)
{
    VkBaseOutStructure *head = structure;
    head->sType = type;
    head->pNext = f->base.pNext;
    f->base.pNext = head;
}

static bool extension(struct features *f, const struct harness_vulkan *vk, const char *name)
{
    if (!harness_has_extension(vk, name))
        return false;
    f->extensions[f->extension_count++] = name;
    return true;
}

/* All that the device has. */
static void ask(const struct harness_vulkan *vk, struct features *f)
{
    *f = (struct features){.base.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    chain(f, &f->vulkan12, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    chain(f, &f->vulkan13, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
    if (extension(f, vk, VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME))
        chain(f, &f->border, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT);
    if (extension(f, vk, VK_EXT_NON_SEAMLESS_CUBE_MAP_EXTENSION_NAME))
        chain(f, &f->cube, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NON_SEAMLESS_CUBE_MAP_FEATURES_EXT);
    if (extension(f, vk, VK_EXT_BORDER_COLOR_SWIZZLE_EXTENSION_NAME))
        chain(f, &f->border_swizzle, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BORDER_COLOR_SWIZZLE_FEATURES_EXT);
    if (extension(f, vk, VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME))
        chain(f, &f->libraries, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT);
    if (extension(f, vk, VK_EXT_SHADER_OBJECT_EXTENSION_NAME))
        chain(f, &f->objects, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT);
    if (extension(f, vk, VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME))
        chain(f, &f->dynamic, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT);
    if (extension(f, vk, VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME))
        chain(f, &f->descriptor_buffers, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT);
    vkGetPhysicalDeviceFeatures2(vk->physical, &f->base);
}

static bool has_dynamic_blend(const struct features *f)
{
    return f->dynamic.extendedDynamicState3ColorBlendEnable && f->dynamic.extendedDynamicState3ColorBlendEquation &&
           f->dynamic.extendedDynamicState3ColorWriteMask;
}

/* Heaps, which the harness enables. */
static enum harness_sets sets_of(const struct manner *manner)
{
    switch (manner->binding) {
    case BINDING_HEAP:
    case BINDING_HEAP_EMBEDDED:
        return HARNESS_SETS_HEAP;
    case BINDING_HEAP_UNTYPED:
        return HARNESS_SETS_HEAP_UNTYPED;
    default:
        return HARNESS_SETS_PLAIN;
    }
}

/* What a device of a manner is opened with, of what there is. */
static void want(struct features *w, const struct features *has, const struct manner *manner, bool layer, bool standard)
{
    const VkPhysicalDeviceFeatures *base = &has->base.features;
    *w = (struct features){
        .base.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .base.features = {.geometryShader = base->geometryShader,
                          .tessellationShader = base->tessellationShader,
                          .shaderTessellationAndGeometryPointSize = base->shaderTessellationAndGeometryPointSize,
                          .independentBlend = base->independentBlend,
                          .dualSrcBlend = base->dualSrcBlend,
                          .textureCompressionBC = base->textureCompressionBC,
                          .textureCompressionETC2 = base->textureCompressionETC2,
                          .shaderImageGatherExtended = base->shaderImageGatherExtended,
                          .shaderSampledImageArrayDynamicIndexing = base->shaderSampledImageArrayDynamicIndexing,
                          .imageCubeArray = base->imageCubeArray}};
    chain(w, &w->vulkan12, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    chain(w, &w->vulkan13, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
    w->vulkan12.samplerMirrorClampToEdge = has->vulkan12.samplerMirrorClampToEdge;
    w->vulkan12.bufferDeviceAddress = manner->binding == BINDING_BUFFER || sets_of(manner) != HARNESS_SETS_PLAIN;
    if (manner->binding == BINDING_AFTER_BIND) {
        w->vulkan12.descriptorBindingSampledImageUpdateAfterBind = VK_TRUE;
        w->vulkan12.descriptorBindingUniformTexelBufferUpdateAfterBind = VK_TRUE;
    }
    w->vulkan13.dynamicRendering = VK_TRUE;
    if (manner->binding == BINDING_PUSH)
        w->extensions[w->extension_count++] = VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME;
    if (has->border.customBorderColors && has->border.customBorderColorWithoutFormat) {
        chain(w, &w->border, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT);
        w->border.customBorderColors = w->border.customBorderColorWithoutFormat = VK_TRUE;
        w->extensions[w->extension_count++] = VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME;
    }
    if (has->cube.nonSeamlessCubeMap) {
        chain(w, &w->cube, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NON_SEAMLESS_CUBE_MAP_FEATURES_EXT);
        w->cube.nonSeamlessCubeMap = VK_TRUE;
        w->extensions[w->extension_count++] = VK_EXT_NON_SEAMLESS_CUBE_MAP_EXTENSION_NAME;
    }
    if (standard && has->border_swizzle.borderColorSwizzle && has->border_swizzle.borderColorSwizzleFromImage) {
        chain(w, &w->border_swizzle, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BORDER_COLOR_SWIZZLE_FEATURES_EXT);
        w->border_swizzle.borderColorSwizzle = w->border_swizzle.borderColorSwizzleFromImage = VK_TRUE;
        w->extensions[w->extension_count++] = VK_EXT_BORDER_COLOR_SWIZZLE_EXTENSION_NAME;
    }
    if (manner->pipelines == PIPELINES_LIBRARY || manner->pipelines == PIPELINES_FAST_LINKED) {
        chain(w, &w->libraries, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT);
        w->libraries.graphicsPipelineLibrary = VK_TRUE;
        w->extensions[w->extension_count++] = VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME;
        w->extensions[w->extension_count++] = VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME;
    } else if (manner->pipelines == PIPELINES_OBJECTS) {
        chain(w, &w->objects, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT);
        w->objects.shaderObject = VK_TRUE;
        w->extensions[w->extension_count++] = VK_EXT_SHADER_OBJECT_EXTENSION_NAME;
    } else if (manner->pipelines == PIPELINES_DYNAMIC) {
        chain(w, &w->dynamic, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT);
        w->dynamic.extendedDynamicState3ColorBlendEnable = VK_TRUE;
        w->dynamic.extendedDynamicState3ColorBlendEquation = VK_TRUE;
        w->dynamic.extendedDynamicState3ColorWriteMask = VK_TRUE;
        w->extensions[w->extension_count++] = VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME;
    }
    if (manner->binding == BINDING_BUFFER) {
        chain(w, &w->descriptor_buffers, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT);
        w->descriptor_buffers.descriptorBuffer = VK_TRUE;
        w->extensions[w->extension_count++] = VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME;
    }
    if (layer && !standard) {
        chain(w, &w->gl, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER);
        w->gl.glSampler = w->gl.glImageView = w->gl.glBufferView = VK_TRUE;
        w->gl.alphaToOneAttachments = w->gl.linearFilterEmulation = VK_TRUE;
        w->extensions[w->extension_count++] = VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME;
    }
}

/* What the driver has, without the layer or under it: asked once in a process, since drivers open slowly. */
static const struct features *features_of(const char *layers, bool native)
{
    static struct features known[2];
    static bool is_known[2];
    if (!is_known[native]) {
        struct harness_vulkan vk;
        harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = layers});
        ask(&vk, &known[native]);
        harness_vulkan_close(&vk);
        is_known[native] = true;
    }
    return &known[native];
}

void voice_open(struct voice_device *d, const char *layers)
{
    struct features wanted;
    want(&wanted, features_of(layers, d->native), &d->opened, !d->native, d->standard);
    harness_vulkan_open(&d->vk, &(struct harness_vulkan_params){.layers = layers,
                                                                .device_extensions = wanted.extensions,
                                                                .device_extension_count = wanted.extension_count,
                                                                .device_next = &wanted.base,
                                                                .sets = sets_of(&d->opened)});
    d->custom_border = wanted.border.customBorderColors;
    d->non_seamless = wanted.cube.nonSeamlessCubeMap;
    d->vk.gl_sampler = !d->native && !d->standard; /* for sizes of descriptors */
    d->vk.linking = d->opened.pipelines == PIPELINES_LIBRARY       ? HARNESS_LIBRARY
                    : d->opened.pipelines == PIPELINES_FAST_LINKED ? HARNESS_FAST_LINKED
                                                                   : HARNESS_MONOLITHIC;
    if (d->opened.binding == BINDING_BUFFER) {
        d->vk.sets = HARNESS_SETS_DESCRIPTOR_BUFFER;
        harness_descriptors_open(&d->descriptors, &d->vk);
        harness_descriptor_buffer_create(&d->descriptors, &d->descriptor_buffer, 0, 1 << 20);
    }
    voice_sets_open(d);
}

static bool has_format(const struct harness_vulkan *vk, const struct format *f, enum random_target target,
                       const struct features *has)
{
    VkImageFormatProperties properties;
    VkFormatProperties about;
    const bool cube = target == RANDOM_CUBE || target == RANDOM_CUBE_ARRAY;
    if (target == RANDOM_BUFFER)
        return f->buffer;
    if (f->texels == TEXEL_BLOCK && target != RANDOM_2D && target != RANDOM_2D_ARRAY && !cube)
        return false;
    if (target == RANDOM_CUBE_ARRAY && !has->base.features.imageCubeArray)
        return false;
    vkGetPhysicalDeviceFormatProperties(vk->physical, f->vulkan, &about);
    return about.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT &&
           vkGetPhysicalDeviceImageFormatProperties(
               vk->physical, f->vulkan, voice_image_type(target), VK_IMAGE_TILING_OPTIMAL, voice_usage(f, target),
               cube ? (VkFlags)VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0, &properties) == VK_SUCCESS;
}

static bool has_attachment(const struct harness_vulkan *vk, const struct format *f)
{
    VkFormatProperties about;
    vkGetPhysicalDeviceFormatProperties(vk->physical, f->vulkan, &about);
    const VkFlags needed = VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT |
                           (format_is_integer(f) ? 0 : (VkFlags)VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT);
    return f->attachment && (about.optimalTilingFeatures & needed) == needed;
}

/* Asked of the layer: what it says of devices that have the features which voice_open() enables. */
static bool has_every_blend(const struct harness_vulkan *vk, const struct format *f)
{
    VkGLSamplerFormatPropertiesCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_GL_SAMPLER_FORMAT_PROPERTIES_CLAMPLER};
    VkFormatProperties2 about = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &gl};
    vkGetPhysicalDeviceFormatProperties2(vk->physical, f->vulkan, &about);
    return (gl.nativeFeatures | gl.emulatedFeatures) & VK_GL_FORMAT_FEATURE_CHANNEL_ORDER_BLEND_BIT_CLAMPLER;
}

void vulkan_voice_ask(const char *layers, uint32_t *bindings, uint32_t *pipelines)
{
    struct harness_vulkan vk;
    struct features has;
    char driver[256];
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = layers});
    ask(&vk, &has);
    const VkPhysicalDeviceFeatures *base = &has.base.features;
    for (int i = 0; i < random_format_count; i++) {
        random_drawable.attachment[i] = has_attachment(&vk, &random_formats[i]);
        random_drawable.every_blend[i] = has_every_blend(&vk, &random_formats[i]);
        for (int k = 0; k < RANDOM_TARGETS; k++)
            random_drawable.format[i][k] = has_format(&vk, &random_formats[i], (enum random_target)k, &has);
    }
    for (int i = 0; i < RANDOM_STAGES; i++)
        random_drawable.stage[i] = true;
    random_drawable.gather_offset = base->shaderImageGatherExtended;
    /* lavapipe of Mesa 22.3 has it and does not say so (tests/integration/descriptors/arrays.c). */
    harness_driver_info(&vk, driver, sizeof(driver));
    random_drawable.array_index = base->shaderSampledImageArrayDynamicIndexing || strstr(driver, "Mesa 22.3");
    random_drawable.stage[STAGE_GEOM] = base->geometryShader && base->shaderTessellationAndGeometryPointSize;
    random_drawable.stage[STAGE_TESC] = random_drawable.stage[STAGE_TESE] =
        base->tessellationShader && base->shaderTessellationAndGeometryPointSize;
    *bindings = 1u << BINDING_COMBINED | 1u << BINDING_SEPARATE | 1u << BINDING_TEMPLATE | 1u << BINDING_IMMUTABLE |
                1u << BINDING_ARRAY;
    if (harness_has_extension(&vk, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME))
        *bindings |= 1u << BINDING_PUSH;
    if (has.vulkan12.descriptorBindingSampledImageUpdateAfterBind &&
        has.vulkan12.descriptorBindingUniformTexelBufferUpdateAfterBind)
        *bindings |= 1u << BINDING_AFTER_BIND;
    if (has.descriptor_buffers.descriptorBuffer && has.vulkan12.bufferDeviceAddress)
        *bindings |= 1u << BINDING_BUFFER;
    if (!harness_lacks(&vk, HARNESS_MONOLITHIC, HARNESS_SETS_HEAP))
        *bindings |= 1u << BINDING_HEAP | 1u << BINDING_HEAP_EMBEDDED | 1u << BINDING_HEAP_UNTYPED;
    *pipelines = 1u << PIPELINES_STATIC;
    if (has_dynamic_blend(&has))
        *pipelines |= 1u << PIPELINES_DYNAMIC;
    if (has.libraries.graphicsPipelineLibrary)
        *pipelines |= 1u << PIPELINES_LIBRARY | 1u << PIPELINES_FAST_LINKED;
    if (has.objects.shaderObject)
        *pipelines |= 1u << PIPELINES_OBJECTS;
    harness_vulkan_close(&vk);
}

float vulkan_voice_most_bias(const char *layers)
{
    struct harness_vulkan vk;
    const char *below = strchr(layers, ':');
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = below ? below + 1 : "none"});
    const float most = vk.properties.limits.maxSamplerLodBias;
    harness_vulkan_close(&vk);
    return most;
}
