/* SPDX-License-Identifier: MIT */
#include "harness/drawing/passes.h"
#include "chaos/devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chaos/actors.h"
#include "chaos/objects.h"
#include "chaos/palette.h"
#include "chaos/placed.h"
#include "chaos/window.h"
#include "newer_vulkan.h"
#include "harness/resources/immutable_entries.h"

/* ---- What the driver has ---- */

struct features {
    VkPhysicalDeviceFeatures2 base;
    VkPhysicalDeviceVulkan12Features vulkan12;
    VkPhysicalDeviceCustomBorderColorFeaturesEXT border;
    VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT mutables;
    VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries;
    VkPhysicalDeviceShaderObjectFeaturesEXT objects;
    VkPhysicalDeviceVulkan13Features vulkan13;
    VkPhysicalDeviceDescriptorBufferFeaturesEXT buffers;
    VkPhysicalDeviceDescriptorHeapFeaturesEXT heaps;
    struct harness_features maintenance5;
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR statistics;
    VkPhysicalDeviceImageViewMinLodFeaturesEXT least_levels;
    VkPhysicalDeviceGLSamplerFeaturesCLAMPLER gl;
    const char *extensions[17];
    uint32_t extension_count;
    bool push, cubic;
};

static bool has(struct features *features, const struct harness_vulkan *vk, const char *extension)
{
    const bool there = harness_has_extension(vk, extension);
    if (there)
        features->extensions[features->extension_count++] = extension;
    return there;
}

static void chain(struct features *features, bool there, void *next)
{
    VkBaseOutStructure *last = (VkBaseOutStructure *)&features->base;
    while (last->pNext)
        last = last->pNext;
    if (there)
        last->pNext = next;
}

/* Those whose combined image samplers are whole: the tests write no others. */
static bool has_buffers(struct features *features, const struct harness_vulkan *vk)
{
    VkPhysicalDeviceDescriptorBufferPropertiesEXT buffers = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &buffers};
    if (!harness_has_extension(vk, VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME))
        return false;
    vkGetPhysicalDeviceProperties2(vk->physical, &properties);
    return buffers.combinedImageSamplerDescriptorSingleArray &&
           has(features, vk, VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME);
}

static void ask(struct features *features, const struct harness_vulkan *vk)
{
    *features = (struct features){
        .base = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2},
        .vulkan12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES},
        .vulkan13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES},
        .buffers = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT},
        .heaps = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT},
        .maintenance5 = {.sType = (VkStructureType)1000470000},
        .statistics = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR},
        .least_levels = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_VIEW_MIN_LOD_FEATURES_EXT},
        .border = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT},
        .mutables = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT},
        .libraries = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT},
        .objects = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT},
        .gl = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER},
        .extension_count = 0};
    chain(features, true, &features->vulkan12);
    chain(features, vk->properties.apiVersion >= VK_API_VERSION_1_3, &features->vulkan13);
    chain(features, has(features, vk, VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME), &features->border);
    chain(features, has(features, vk, VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME), &features->mutables);
    if (has(features, vk, VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME))
        chain(features, has(features, vk, VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME), &features->libraries);
    chain(features, has(features, vk, VK_EXT_SHADER_OBJECT_EXTENSION_NAME), &features->objects);
    chain(features, has_buffers(features, vk), &features->buffers);
    if (has(features, vk, VK_KHR_MAINTENANCE_5_EXTENSION_NAME)) {
        chain(features, true, &features->maintenance5);
        chain(features, has(features, vk, VK_EXT_DESCRIPTOR_HEAP_EXTENSION_NAME), &features->heaps);
    }
    chain(features, has(features, vk, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME), &features->statistics);
    chain(features, has(features, vk, VK_EXT_IMAGE_VIEW_MIN_LOD_EXTENSION_NAME), &features->least_levels);
    chain(features, has(features, vk, VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME), &features->gl);
    features->push = has(features, vk, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME);
    features->cubic = has(features, vk, VK_EXT_FILTER_CUBIC_EXTENSION_NAME);
    vkGetPhysicalDeviceFeatures2(vk->physical, &features->base);
    if (!features->vulkan13.maintenance4 || !features->base.features.fragmentStoresAndAtomics) {
        printf("chaos: skipped: it needs maintenance4, to destroy layouts early, and fragmentStoresAndAtomics\n");
        exit(77);
    }
}

static bool is_limited(const char *layers)
{
    return strstr(layers, "limited") != NULL;
}

/* Leaves only what is used enabled: layers and drivers may take other paths for what is. */
static void restrict_features(struct features *features, bool limited)
{
    const VkPhysicalDeviceFeatures base = features->base.features;
    const VkPhysicalDeviceVulkan12Features v = features->vulkan12;
    features->base.features = (VkPhysicalDeviceFeatures){.shaderSampledImageArrayDynamicIndexing =
                                                             base.shaderSampledImageArrayDynamicIndexing,
                                                         .textureCompressionBC = base.textureCompressionBC,
                                                         .fragmentStoresAndAtomics = base.fragmentStoresAndAtomics,
                                                         .samplerAnisotropy = limited && base.samplerAnisotropy};
    features->vulkan12 = (VkPhysicalDeviceVulkan12Features){
        .sType = v.sType,
        .pNext = v.pNext,
        .shaderUniformTexelBufferArrayDynamicIndexing = v.shaderUniformTexelBufferArrayDynamicIndexing,
        .descriptorIndexing = v.descriptorIndexing,
        .descriptorBindingSampledImageUpdateAfterBind = v.descriptorBindingSampledImageUpdateAfterBind,
        .descriptorBindingUniformTexelBufferUpdateAfterBind = v.descriptorBindingUniformTexelBufferUpdateAfterBind,
        .descriptorBindingPartiallyBound = v.descriptorBindingPartiallyBound,
        .descriptorBindingUpdateUnusedWhilePending = v.descriptorBindingUpdateUnusedWhilePending,
        .descriptorBindingVariableDescriptorCount = v.descriptorBindingVariableDescriptorCount,
        .samplerMirrorClampToEdge = limited && v.samplerMirrorClampToEdge,
        .samplerFilterMinmax = limited && v.samplerFilterMinmax,
        .bufferDeviceAddress = v.bufferDeviceAddress};
    const VkPhysicalDeviceVulkan13Features w = features->vulkan13;
    features->vulkan13 =
        (VkPhysicalDeviceVulkan13Features){.sType = w.sType,
                                           .pNext = w.pNext,
                                           .pipelineCreationCacheControl = w.pipelineCreationCacheControl,
                                           .synchronization2 = w.synchronization2,
                                           .dynamicRendering = w.dynamicRendering,
                                           .maintenance4 = w.maintenance4};
    features->buffers.descriptorBufferCaptureReplay = VK_FALSE;
    features->buffers.descriptorBufferImageLayoutIgnored = VK_FALSE;
    features->buffers.descriptorBufferPushDescriptors = VK_FALSE;
    features->heaps.descriptorHeapCaptureReplay = VK_FALSE;
}

/* Leaves out what the device lacks, or what CHAOS_WITHOUT has the name of, as --without says it. */
static void have(bool *what, const char *name, bool there, bool said)
{
    const char *without = getenv("CHAOS_WITHOUT");
    const bool unwanted = without && strstr(without, name);
    *what = there && !unwanted;
    if (said && !*what)
        printf("chaos: %s: left out, as %s\n", name, unwanted ? "wished" : "the device has none");
}

static bool survives_immutable_entries;

void devices_try_driver(void)
{
    survives_immutable_entries = harness_survives_immutable_entries(false);
}

/* What was added to lookups and views; views of few devices have least levels, as these ask much of samplers. */
static void note_lookups(struct device *device, const struct features *features, uint64_t seed, bool said)
{
    have(&device->fetches, "fetches", true, said);
    have(&device->queries, "level-queries", true, said);
    have(&device->first_levels, "first-levels", true, said);
    have(&device->least_levels, "least-levels", features->least_levels.minLod, said);
    device->least_levels &= !device->mild && seed / 4 % 2;
}

/* What came last: cubic filters, textures' states, orders of channels, offered extensions. */
static void note_capabilities(struct device *device, const struct features *features, bool limited, bool said)
{
    const VkPhysicalDeviceVulkan12Features *v = &features->vulkan12;
    have(&device->cubic, "cubic-filters", device->gl && features->gl.linearFilterEmulation, said);
    have(&device->texture_states, "texture-states", device->gl && features->gl.glImageView && !device->mild, said);
    have(&device->orders, "channel-orders", device->without_alpha && !device->mild, said);
    have(&device->offered, "offered-extensions",
         limited && device->gl && !device->mild && features->border.customBorderColorWithoutFormat &&
             v->samplerMirrorClampToEdge && v->samplerFilterMinmax && features->cubic &&
             features->base.features.samplerAnisotropy,
         said && limited);
    device->cubic &= !device->mild;
}

static void note_features(struct device *device, const struct features *features, uint64_t seed, bool more, bool said)
{
    const bool raised = device->raised;
    char driver[256];
    harness_driver_info(&device->vk, driver, sizeof(driver));
    device->keep_libraries = strstr(driver, "LLVM") != NULL; /* lavapipe */
    const VkPhysicalDeviceVulkan12Features *v = &features->vulkan12;
    have(&device->dynamic, "dynamic-indices",
         features->base.features.shaderSampledImageArrayDynamicIndexing &&
             v->shaderUniformTexelBufferArrayDynamicIndexing,
         said);
    have(&device->partial, "partially-bound", device->dynamic && v->descriptorBindingPartiallyBound, said);
    have(&device->pending, "written-while-pending", device->partial && v->descriptorBindingUpdateUnusedWhilePending,
         said);
    have(&device->after_bind, "after-bind",
         device->partial && raised && v->descriptorBindingSampledImageUpdateAfterBind &&
             v->descriptorBindingUniformTexelBufferUpdateAfterBind,
         said && raised);
    have(&device->variable, "variable-counts", device->partial && v->descriptorBindingVariableDescriptorCount, said);
    have(&device->mutable_types, "mutable-types", features->mutables.mutableDescriptorType, said);
    have(&device->libraries, "libraries", features->libraries.graphicsPipelineLibrary, said);
    have(&device->objects, "shader-objects", features->objects.shaderObject, said);
    have(&device->push, "pushes", features->push, said);
    if (more) {
        const bool addresses = v->bufferDeviceAddress && features->vulkan13.synchronization2 && device->dynamic;
        have(&device->graphics_objects, "graphics-objects", device->objects && features->vulkan13.dynamicRendering,
             said);
        have(&device->buffers, "descriptor-buffers",
             addresses && raised && features->buffers.descriptorBuffer && (!device->keep_libraries || seed % 4 == 1),
             said && raised);
        have(&device->heaps, "descriptor-heaps", addresses && raised && features->heaps.descriptorHeap, said && raised);
    }
    /* lavapipe adds up the push constants of linked libraries' layouts, which then are of all bytes (docs/limits.md).
     */
    device->libraries &= !(device->keep_libraries && device->buffers);
    have(&device->immutable_entries, "entries-of-immutable-samplers", survives_immutable_entries, said);
    have(&device->gl, "gl-samplers", features->gl.glSampler, said);
    have(&device->without_alpha, "without-alpha",
         more && device->gl && features->gl.alphaToOneAttachments && features->gl.glImageView, said);
    have(&device->blocks, "blocks", features->base.features.textureCompressionBC && features->vulkan13.dynamicRendering,
         said);
    have(&device->cache_control, "cache-control", features->vulkan13.pipelineCreationCacheControl, said);
    have(&device->statistics, "statistics", features->statistics.pipelineExecutableInfo, said);
    device->flags2 = features->maintenance5.enabled[0];
    device->rendering = features->vulkan13.dynamicRendering;
    have(&device->buffer_views, "gl-buffer-views", features->gl.glBufferView, said);
}

/* ---- Settings ---- */

/* What the user set counts. */
static void choose_settings(uint64_t seed)
{
    static const char *const missing[] = {
        "rgb32_texel_buffer",
        "rgb32_texel_buffer,custom_border_color,border_color_swizzle,linear_float32",
        "rgb32_texel_buffer,push_slot,srgb_views,lod_bias,custom_border_color",
        "rgb32_texel_buffer,linear_all,uniform_records",
    };
    static const char *const tiers[] = {"lazy", "ahead", "eager"};
    static bool own_missing, own_tiers, asked;
    if (!asked) {
        own_missing = getenv("VK_CLAMPLER_ASSUME_MISSING") != NULL;
        own_tiers = getenv("VK_CLAMPLER_TIERS") != NULL;
        asked = true;
    }
    if (!own_missing)
        setenv("VK_CLAMPLER_ASSUME_MISSING", missing[seed % 4], 1);
    if (!own_tiers)
        setenv("VK_CLAMPLER_TIERS", tiers[seed % 3], 1);
}

/* ---- What never changes ---- */

/* `border`: 1 has border texels, in a larger image; OpenGL's margin, or NV2A's. */
static void fill_texture(struct device *device, struct texture *texture, struct dice *dice, uint32_t border)
{
    const struct format *format = format_of(texture->format);
    uint8_t texels[(6 * 6 + 4 * 4 + 3 * 3) * 16];
    size_t filled = 0;
    for (unsigned level = 0; level < IMAGE_LEVELS; level++) {
        const uint32_t side = (4 >> level) + 2 * border;
        for (uint32_t i = 0; i < side * side; i++)
            format_fill(texture->format, dice_below(dice, UINT32_MAX), level, texels + filled++ * format->size);
    }
    const struct lookup_texture what = {.dimension = LOOKUP_2D,
                                        .format = texture->format,
                                        .width = 4,
                                        .height = 4,
                                        .levels = IMAGE_LEVELS,
                                        .texels = texels,
                                        .bordered = border != 0};
    struct lookup_texture image = what;
    if (border) {
        texture->margin = dice_one_in(dice, 2) ? 4 : 1;
        image = lookup_margined(&what, texture->margin);
    }
    harness_image_create(&device->vk, &texture->image,
                         &(struct harness_image_params){.type = VK_IMAGE_VIEW_TYPE_2D,
                                                        .format = format->vulkan,
                                                        .width = image.width,
                                                        .height = image.height,
                                                        .levels = IMAGE_LEVELS},
                         image.texels);
    if (border)
        free((void *)(uintptr_t)image.texels);
    lookup_reference_open(&texture->reference, &what);
}

static void open_texture(struct device *device, unsigned number, struct dice *dice)
{
    struct texture *texture = &device->textures[number];
    struct dice aside = dice_of(dice->state);
    texture->format = device->palette.formats[number % 2];
    fill_texture(device, texture, dice, 0);
    if (device->texture_states && number % 4 == 3) {
        harness_image_destroy(&device->vk, &texture->image);
        lookup_reference_close(&texture->reference);
        fill_texture(device, texture, &aside, 1);
    }
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(device->vk.physical, format_of(texture->format)->vulkan, &properties);
    device->filters_all &= (properties.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT) != 0;
}

/* Results are in a buffer; the attachment is one as programs have it. */
static void open_target(struct device *device)
{
    const VkAttachmentDescription attachment = {.format = VK_FORMAT_R8G8B8A8_UNORM,
                                                .samples = VK_SAMPLE_COUNT_1_BIT,
                                                .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                                .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                                .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                                .finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass = {
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS, .colorAttachmentCount = 1, .pColorAttachments = &color};
    const VkSubpassDependency before = {.srcSubpass = VK_SUBPASS_EXTERNAL,
                                        .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                        .dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                        .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                        .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT};
    const VkRenderPassCreateInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = 1,
                                         .pAttachments = &attachment,
                                         .subpassCount = 1,
                                         .pSubpasses = &subpass,
                                         .dependencyCount = 1,
                                         .pDependencies = &before};
    HARNESS_VK(vkCreateRenderPass(device->vk.device, &pass, NULL, &device->pass));
    harness_image_create(
        &device->vk, &device->target,
        &(struct harness_image_params){.type = VK_IMAGE_VIEW_TYPE_2D,
                                       .format = attachment.format,
                                       .width = 8,
                                       .height = 2,
                                       .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT},
        NULL);
    /* Render passes leave it so; where there is none, it must be so from the beginning. */
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                          .newLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .image = device->target.image,
                                          .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    VkCommandBuffer commands = harness_begin(&device->vk);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0,
                         0, NULL, 0, NULL, 1, &barrier);
    harness_submit(&device->vk, commands);
    device->framebuffer = harness_framebuffer(&device->vk, device->pass, &device->target.view, 1, 8, 2);
}

/* What few samplers ask for, and each of those of a palette may. */
static void raise_extras(struct device *device)
{
    struct sampler sampler = {.gl = true, .state = device->palette.samplers[MOOD_WILD]};
    sampler.state.magFilter = GL_LINEAR;
    sampler.state.minFilter = GL_LINEAR_MIPMAP_LINEAR;
    sampler.state.wrapS = GL_CLAMP;
    sampler.state.wrapT = GL_MIRROR_CLAMP_EXT;
    sampler.state.srgbDecode = GL_SKIP_DECODE_EXT;
    sampler.state.reductionMode = GL_MIN;
    sampler.state.borderColor.float32[1] = 0.25f;
    const VkSamplerCreateInfo info = object_sampler_info(&sampler);
    HARNESS_VK(vkCreateSampler(device->vk.device, &info, NULL, &sampler.handle));
    vkDestroySampler(device->vk.device, sampler.handle, NULL);
}

/* Objects of all kinds come and go, so that none that comes later asks for anything new. */
static void raise_all(struct device *device, struct dice *dice)
{
    static const enum object_kind kinds[] = {OBJECT_SAMPLER, OBJECT_VIEW, OBJECT_TEXEL_VIEW};
    for (unsigned i = 0; i < 600; i++) {
        const enum object_kind kind = kinds[i % 3];
        const unsigned place = i / 3 % object_places(kind);
        object_make(device, &device->shared, kind, place, dice);
        object_destroy(device, &device->shared, kind, place);
        object_life(&device->shared, kind, place)->lives = false;
    }
}

static void fill_immutable(struct device *device, struct dice *dice)
{
    for (unsigned group = 0; group < IMMUTABLE_GROUPS; group++)
        for (unsigned i = 0; i < SHAPE_DESCRIPTORS; i++)
            object_make_sampler(device, &device->immutable[group][i], group ? MOOD_WILD : MOOD_CALM, dice);
}

static void destroy_immutable(struct device *device)
{
    for (unsigned i = 0; i < IMMUTABLE_GROUPS * SHAPE_DESCRIPTORS; i++)
        vkDestroySampler(device->vk.device, device->immutable[i / SHAPE_DESCRIPTORS][i % SHAPE_DESCRIPTORS].handle,
                         NULL);
}

static VkDescriptorSetLayout results_layout(struct device *device)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 1,
                                                  VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
    return harness_set_layout(&device->vk, &binding, 1);
}

static void open_rest(struct device *device, struct dice *dice)
{
    float numbers[TEXEL_BYTES / sizeof(float)];
    for (unsigned i = 0; i < TEXEL_BYTES / sizeof(float); i++)
        numbers[i] = (float)dice_below(dice, 1 << 20) / 1024.0f;
    harness_buffer_create(
        &device->vk, &device->texels,
        VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
            (device->buffers || device->heaps ? (VkFlags)VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0),
        TEXEL_BYTES, numbers);
    fill_immutable(device, dice);
    device->results_layout = results_layout(device);
    open_target(device);
    placed_open_device(device);
    if (device->push) {
        device->push_descriptors = HARNESS_PROC(&device->vk, vkCmdPushDescriptorSetKHR);
        device->push_template = HARNESS_PROC(&device->vk, vkCmdPushDescriptorSetWithTemplateKHR);
    }
}

/* ---- Peers ---- */

static void ask_identity(const struct harness_vulkan *vk, VkPhysicalDeviceShaderObjectPropertiesEXT *objects)
{
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = objects};
    *objects = (VkPhysicalDeviceShaderObjectPropertiesEXT){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_PROPERTIES_EXT};
    vkGetPhysicalDeviceProperties2(vk->physical, &properties);
}

static void close_peer(struct device *peer)
{
    destroy_immutable(peer);
    vkDestroyDescriptorSetLayout(peer->vk.device, peer->results_layout, NULL);
    harness_vulkan_close(&peer->vk);
    free(peer);
}

/* Without descriptor buffers, heaps and, with some seeds, emulated texel buffers: other layouts, the same binaries. */
static struct device *open_peer(const struct device *device, const char *layers, struct features *features,
                                uint64_t seed)
{
    struct device *peer = harness_alloc(1, sizeof(*peer));
    VkPhysicalDeviceShaderObjectPropertiesEXT ours, theirs;
    struct dice dice = dice_of(seed);
    restrict_features(features, is_limited(layers));
    features->buffers.descriptorBuffer = VK_FALSE;
    features->heaps.descriptorHeap = VK_FALSE;
    features->gl.glBufferView &= seed / 2 % 2;
    harness_vulkan_open(&peer->vk, &(struct harness_vulkan_params){.layers = layers,
                                                                   .device_extensions = features->extensions,
                                                                   .device_extension_count = features->extension_count,
                                                                   .device_next = &features->base});
    peer->gl = device->gl;
    peer->mild = device->mild;
    peer->filters_all = device->filters_all;
    peer->variable = device->variable;
    peer->mutable_types = device->mutable_types;
    peer->pending = device->pending;
    peer->palette = device->palette;
    peer->fetches = device->fetches;
    peer->queries = device->queries;
    peer->least_levels = device->least_levels;
    peer->cubic = device->cubic;
    peer->results_layout = results_layout(peer);
    fill_immutable(peer, &dice);
    ask_identity(&device->vk, &ours);
    ask_identity(&peer->vk, &theirs);
    if (memcmp(ours.shaderBinaryUUID, theirs.shaderBinaryUUID, VK_UUID_SIZE) == 0 &&
        ours.shaderBinaryVersion == theirs.shaderBinaryVersion)
        return peer;
    close_peer(peer);
    return NULL;
}

/* ---- Devices ---- */

void device_open(struct device *device, unsigned number, const char *layers, const struct operations *operations,
                 bool said)
{
    const uint64_t seed = operations->seed;
    const unsigned threads = operations->threads;
    struct dice dice = dice_of(seed * CHAOS_DEVICES + number);
    struct harness_vulkan asked;
    struct features features, others;
    *device = (struct device){.number = number,
                              .filters_all = true,
                              .actor_count = threads,
                              .several = operations->devices > 1,
                              .raised = seed % 2,
                              .mild = operations->more && seed % 6 == 3};
    choose_settings(device->mild ? 0 : seed + number);
    if (is_limited(layers)) {
        setenv("LIMITED_DRIVER_PROFILE", "bare-samplers:samplers-24:small-window", 0);
        setenv("VK_CLAMPLER_OFFER", "missing", 0);
    }
    harness_vulkan_open(&asked, &(struct harness_vulkan_params){.layers = layers});
    ask(&features, &asked);
    ask(&others, &asked);
    harness_vulkan_close(&asked);
    restrict_features(&features, is_limited(layers));
    harness_vulkan_open(&device->vk, &(struct harness_vulkan_params){.layers = layers,
                                                                     .device_extensions = features.extensions,
                                                                     .device_extension_count = features.extension_count,
                                                                     .device_next = &features.base});
    device->validated = strstr(layers, "validation") != NULL;
    note_features(device, &features, seed, operations->more, said);
    if (operations->lookups)
        note_lookups(device, &features, seed, said);
    if (operations->capabilities)
        note_capabilities(device, &features, is_limited(layers), said);
    if (operations->capabilities && is_limited(layers))
        window_open(device, seed % 4 < 2);
    pthread_mutex_init(&device->queue, NULL);
    palette_choose(device, &dice);
    for (unsigned i = 0; i < IMAGES; i++)
        open_texture(device, i, &dice);
    open_rest(device, &dice);
    if (device->raised)
        raise_all(device, &dice);
    if (device->raised && device->gl && operations->more && !device->mild)
        raise_extras(device);
    if (device->objects && device->gl && operations->more)
        device->peer = open_peer(device, layers, &others, seed);
    device->actors = harness_alloc(threads, sizeof(*device->actors));
    for (unsigned i = 0; i < threads; i++)
        actor_open(&device->actors[i], device, i);
}

static void close_shared(struct device *device)
{
    for (unsigned kind = 0; kind < OBJECT_KINDS; kind++)
        for (unsigned i = 0; i < object_places((enum object_kind)kind); i++) {
            const struct life *life = object_life(&device->shared, (enum object_kind)kind, i);
            if (life->lives || life->retired)
                object_destroy(device, &device->shared, (enum object_kind)kind, i);
        }
}

void device_close(struct device *device)
{
    const VkDevice handle = device->vk.device;
    for (unsigned i = 0; i < device->actor_count; i++)
        actor_close(&device->actors[i]);
    free(device->actors);
    close_shared(device);
    if (device->peer)
        close_peer(device->peer);
    destroy_immutable(device);
    vkDestroyFramebuffer(handle, device->framebuffer, NULL);
    vkDestroyRenderPass(handle, device->pass, NULL);
    harness_image_destroy(&device->vk, &device->target);
    vkDestroyDescriptorSetLayout(handle, device->results_layout, NULL);
    placed_close_device(device);
    window_close(device);
    harness_buffer_destroy(&device->vk, &device->texels);
    for (unsigned i = 0; i < IMAGES; i++) {
        harness_image_destroy(&device->vk, &device->textures[i].image);
        lookup_reference_close(&device->textures[i].reference);
    }
    pthread_mutex_destroy(&device->queue);
    harness_vulkan_close(&device->vk);
}
