/* SPDX-License-Identifier: MIT */
/*
 * Violates every valid-usage statement of docs/VK_CLAMPLER_gl_sampler.adoc: the call is refused, a message says why,
 * nothing is made. tests/packaging/registry_test.py sees to it that each statement is named here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "harness/drawing/passes.h"
#include "integration/shared/scene.h"

#define GLS_FEATURES VkPhysicalDeviceGLSamplerFeaturesCLAMPLER

static const char *const extension[] = {VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME};

static VkResult try_device(struct harness_vulkan *vk, const GLS_FEATURES *wanted, bool named)
{
    GLS_FEATURES features = *wanted;
    VkPhysicalDeviceImagelessFramebufferFeatures imageless = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGELESS_FRAMEBUFFER_FEATURES, .imagelessFramebuffer = VK_TRUE};
    VkPhysicalDeviceDynamicRenderingFeatures rendering = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES,
        .pNext = &imageless,
        .dynamicRendering = VK_TRUE};
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER;
    features.pNext = &rendering;
    harness_messages_reset();
    return harness_vulkan_try(vk, &(struct harness_vulkan_params){.layers = "clampler:validation",
                                                                  .device_extensions = extension,
                                                                  .device_extension_count = named,
                                                                  .device_next = &features});
}

static const GLS_FEATURES no_feature,
    sampling = {.glSampler = VK_TRUE, .glImageView = VK_TRUE, .glBufferView = VK_TRUE},
    attachments = {.glImageView = VK_TRUE, .alphaToOneAttachments = VK_TRUE};

static void open_device(struct harness_vulkan *vk, const GLS_FEATURES *features)
{
    assert_int_equal(try_device(vk, features, true), VK_SUCCESS);
    harness_messages_reset();
}

static void close_device(struct harness_vulkan *vk)
{
    harness_vulkan_close(vk);
    assert_int_equal(harness_messages(), 0);
}

/* The statement was violated and the call refused, with one message that holds the word. */
static void expect_result(const char *statement, VkResult wanted, VkResult result, const char *word)
{
    if (result != wanted)
        fail_msg("%s: VkResult %d", statement, result);
    if (harness_layer_messages() != 1 || !strstr(harness_layer_message(0), word))
        fail_msg("%s: %u messages, the first is \"%s\", without \"%s\"", statement, harness_layer_messages(),
                 harness_layer_message(0), word);
    assert_int_equal(harness_messages(), 0);
    harness_messages_reset();
}

static void expect(const char *statement, VkResult result, const char *word)
{
    expect_result(statement, VK_ERROR_VALIDATION_FAILED_EXT, result, word);
}

#define UNTOUCHED(TYPE) ((TYPE)(uintptr_t)0x5eed)

/* ---- Samplers ---- */

static void expect_sampler(struct harness_vulkan *vk, const char *statement, const VkSamplerCreateInfo *info,
                           const char *word)
{
    const uint64_t live = harness_counters(vk).live_objects;
    VkSampler sampler = UNTOUCHED(VkSampler);
    expect(statement, vkCreateSampler(vk->device, info, NULL, &sampler), word);
    assert_ptr_equal(sampler, UNTOUCHED(VkSampler));
    assert_int_equal(harness_counters(vk).live_objects, live);
}

static void samplers(void **state)
{
    (void)state;
#define GL_STATE "VUID-VkSamplerGLStateCreateInfoCLAMPLER-"
#define TOKEN(FIELD, NUMBER)                                                                                           \
    {                                                                                                                  \
        GL_STATE #FIELD "-" NUMBER, offsetof(VkSamplerGLStateCreateInfoCLAMPLER, FIELD), #FIELD                        \
    }
    static const struct {
        const char *statement;
        size_t offset;
        const char *field;
    } tokens[] = {TOKEN(wrapS, "00008"),       TOKEN(wrapT, "00009"),      TOKEN(wrapR, "00010"),
                  TOKEN(minFilter, "00011"),   TOKEN(magFilter, "00012"),  TOKEN(compareMode, "00013"),
                  TOKEN(compareFunc, "00014"), TOKEN(srgbDecode, "00015"), TOKEN(reductionMode, "00016")};
#undef TOKEN
    struct harness_vulkan vk;
    VkSamplerYcbcrConversionInfo conversion = {.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO};
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    open_device(&vk, &sampling);
    for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++) {
        const uint32_t wrong = TOKEN_TEXTURE_2D; /* allowed nowhere in a sampler */
        VkSamplerCreateInfo info = scene_sampler_info(SCENE_CLAMP, &gl);
        memcpy((char *)&gl + tokens[i].offset, &wrong, sizeof(wrong));
        expect_sampler(&vk, tokens[i].statement, &info, tokens[i].field);
    }
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_CLAMP, &gl);
    gl.pNext = &conversion;
    expect_sampler(&vk, GL_STATE "pNext-00007", &info, "YCbCr");
    info = scene_sampler_info(SCENE_EDGE, NULL);
    info.addressModeV = VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER;
    info.pNext = &conversion;
    expect_sampler(&vk, "VUID-VkSamplerCreateInfo-addressModeU-00018", &info, "YCbCr");
    const VkImageViewGLStateCreateInfoCLAMPLER misplaced = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER};
    info = scene_sampler_info(SCENE_EDGE, NULL);
    info.pNext = &misplaced;
    expect_sampler(&vk, "VUID-VkSamplerCreateInfo-pNext-00002", &info, "VkImageViewGLStateCreateInfoCLAMPLER");
    info = scene_sampler_info(SCENE_CLAMP, &gl); /* and as it should be */
    vkDestroySampler(vk.device, harness_sampler(&vk, &info), NULL);
    close_device(&vk);

    open_device(&vk, &no_feature);
    info = scene_sampler_info(SCENE_CLAMP, &gl);
    expect_sampler(&vk, GL_STATE "glSampler-00006", &info, "feature glSampler");
    info = scene_sampler_info(SCENE_EDGE, NULL);
    info.addressModeW = VK_SAMPLER_ADDRESS_MODE_GL_MIRROR_CLAMP_CLAMPLER;
    expect_sampler(&vk, "VUID-VkSamplerCreateInfo-addressModeU-00017", &info, "feature glSampler");
    close_device(&vk);
#undef GL_STATE
}

/* Of images whose texels only the driver finds. */
static void samplers_of_other_images(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    open_device(&vk, &sampling);
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_CLAMP, &gl);
    info.flags = VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT;
    expect_sampler(&vk, "VUID-VkSamplerGLStateCreateInfoCLAMPLER-flags-00046", &info, "subsampled");
    info = scene_sampler_info(SCENE_EDGE, NULL);
    info.addressModeV = VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER;
    info.flags = VK_SAMPLER_CREATE_SUBSAMPLED_COARSE_RECONSTRUCTION_BIT_EXT;
    expect_sampler(&vk, "VUID-VkSamplerCreateInfo-flags-00047", &info, "subsampled");
    close_device(&vk);
}

/* ---- Image views ---- */

static void expect_view(struct harness_vulkan *vk, const char *statement, const VkImageViewCreateInfo *info,
                        const char *word)
{
    const uint64_t live = harness_counters(vk).live_objects;
    VkImageView view = UNTOUCHED(VkImageView);
    expect(statement, vkCreateImageView(vk->device, info, NULL, &view), word);
    assert_ptr_equal(view, UNTOUCHED(VkImageView));
    assert_int_equal(harness_counters(vk).live_objects, live);
}

/* 00050 to 00056; 00054 asks the usage of the view, not the image's alone. */
static void channel_orders(struct harness_vulkan *vk, VkImageViewCreateInfo info)
{
#define ORDERS "VUID-VkImageViewGLChannelOrderCreateInfoCLAMPLER-"
#define SWIZZLE(NAME) VK_COMPONENT_SWIZZLE_##NAME
    static const struct {
        const char *statement;
        VkFormat format;
        uint32_t base;
        VkComponentMapping channels;
        bool unsupported;
        const char *word;
    } rows[] = {
        {ORDERS "channels-00051",
         VK_FORMAT_R8G8B8A8_UNORM,
         TOKEN_RGBA,
         {.r = (VkComponentSwizzle)7},
         false,
         "no VkComponentSwizzle"},
        {ORDERS "channels-00052", VK_FORMAT_R8G8B8A8_UNORM, TOKEN_RGB, {.a = SWIZZLE(A)}, false, "base format lacks"},
        {ORDERS "channels-00053", VK_FORMAT_R8G8_UNORM, TOKEN_ALPHA, {.a = SWIZZLE(B)}, true, "format lacks"},
        {ORDERS "channels-00054", VK_FORMAT_R8G8B8A8_UNORM, TOKEN_RGBA, {.a = SWIZZLE(R)}, true, "two channels"},
        {ORDERS "channels-00055", VK_FORMAT_R8G8B8A8_SRGB, TOKEN_RGB, {.b = SWIZZLE(A)}, true, "sRGB"},
        {ORDERS "format-00056", VK_FORMAT_D16_UNORM, 0, {.r = SWIZZLE(R)}, false, "depth"},
    };
    VkImageViewGLChannelOrderCreateInfoCLAMPLER order = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_CHANNEL_ORDER_CREATE_INFO_CLAMPLER};
    VkImageViewGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
                                               .pNext = &order};
    struct harness_image image;
    harness_image_create(
        vk, &image,
        &(struct harness_image_params){.type = VK_IMAGE_VIEW_TYPE_2D,
                                       .format = VK_FORMAT_R8G8B8A8_UNORM,
                                       .width = 4,
                                       .height = 4,
                                       .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT},
        NULL);
    info.image = image.image;
    info.pNext = &order;
    expect_view(vk, ORDERS "pNext-00050", &info, "VkImageViewGLStateCreateInfoCLAMPLER");
    info.pNext = &gl;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const uint64_t live = harness_counters(vk).live_objects;
        VkImageView view = UNTOUCHED(VkImageView);
        info.format = rows[i].format;
        gl.baseFormat = rows[i].base;
        order.channels = rows[i].channels;
        expect_result(rows[i].statement,
                      rows[i].unsupported ? VK_ERROR_FORMAT_NOT_SUPPORTED : VK_ERROR_VALIDATION_FAILED_EXT,
                      vkCreateImageView(vk->device, &info, NULL, &view), rows[i].word);
        assert_ptr_equal(view, UNTOUCHED(VkImageView));
        assert_int_equal(harness_counters(vk).live_objects, live);
    }
    /* Sampled views may show one channel twice. */
    const VkImageViewUsageCreateInfo usage = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
                                              .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    VkImageView view;
    order = (VkImageViewGLChannelOrderCreateInfoCLAMPLER){
        .sType = order.sType, .pNext = &usage, .channels = {.a = SWIZZLE(R)}};
    gl.baseFormat = TOKEN_RGBA;
    info.format = VK_FORMAT_R8G8B8A8_UNORM;
    HARNESS_VK(vkCreateImageView(vk->device, &info, NULL, &view));
    vkDestroyImageView(vk->device, view, NULL);
    harness_image_destroy(vk, &image);
#undef SWIZZLE
#undef ORDERS
}

/* Images of 8 x 8 x 8 texels and two levels. */
static void borders(struct harness_vulkan *vk)
{
#define BORDER "VUID-VkImageViewGLTextureStateCreateInfoCLAMPLER-"
    static const struct {
        const char *statement;
        VkImageViewType type;
        uint32_t target, border;
        VkExtent3D extent;
        uint32_t first; /* level of the view */
        const char *word;
    } rows[] = {
        {BORDER "borderWidth-00062", VK_IMAGE_VIEW_TYPE_2D, 0, 1024, {1, 1, 1}, 0, "at most 1023"},
        {BORDER "borderWidth-00063", VK_IMAGE_VIEW_TYPE_2D, TOKEN_TEXTURE_RECTANGLE, 1, {4, 4, 1}, 1, "RECTANGLE"},
        {BORDER "extent-00065", VK_IMAGE_VIEW_TYPE_2D, 0, 1, {4, 0, 1}, 0, "no zero"},
        {BORDER "extent-00065", VK_IMAGE_VIEW_TYPE_2D, 0, 1, {4, 4, 0}, 0, "no zero"},
        {BORDER "extent-00066", VK_IMAGE_VIEW_TYPE_2D, 0, 1, {2, 2, 2}, 0, "axes that the view does not have"},
        {BORDER "extent-00066", VK_IMAGE_VIEW_TYPE_1D, 0, 1, {2, 2, 1}, 0, "axes that the view does not have"},
        {BORDER "extent-00067", VK_IMAGE_VIEW_TYPE_CUBE, 0, 1, {2, 3, 1}, 0, "square"},
        {BORDER "borderWidth-00068", VK_IMAGE_VIEW_TYPE_2D, 0, 1, {6, 6, 1}, 0, "too small"}, /* level 1: 3 + 2 > 4 */
        {BORDER "borderWidth-00068", VK_IMAGE_VIEW_TYPE_2D, 0, 2, {2, 6, 1}, 0, "too small"},
        {BORDER "borderWidth-00068", VK_IMAGE_VIEW_TYPE_3D, 0, 1, {2, 2, 3}, 1, "too small"},
        {BORDER "borderWidth-00068", VK_IMAGE_VIEW_TYPE_2D, 0, 4, {4, 4, 1}, 0, "too small"},
        {NULL, VK_IMAGE_VIEW_TYPE_2D, 0, 1, {4, 5, 1}, 0, NULL},
        {NULL, VK_IMAGE_VIEW_TYPE_2D, 0, 2, {3, 2, 1}, 0, NULL},
        {NULL, VK_IMAGE_VIEW_TYPE_3D, 0, 1, {2, 1, 2}, 1, NULL},
        {NULL, VK_IMAGE_VIEW_TYPE_CUBE, 0, 1, {4, 4, 1}, 0, NULL},
        {NULL, VK_IMAGE_VIEW_TYPE_1D, 0, 1, {5, 1, 1}, 0, NULL},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const bool solid = rows[i].type == VK_IMAGE_VIEW_TYPE_3D, line = rows[i].type == VK_IMAGE_VIEW_TYPE_1D;
        const bool cube = rows[i].type == VK_IMAGE_VIEW_TYPE_CUBE;
        struct harness_image image;
        harness_image_create(vk, &image,
                             &(struct harness_image_params){.type = rows[i].type,
                                                            .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                            .width = 8,
                                                            .height = line ? 1 : 8,
                                                            .depth = solid ? 8 : 1,
                                                            .layers = cube ? 6 : 1,
                                                            .levels = 2},
                             NULL);
        VkImageViewGLTextureStateCreateInfoCLAMPLER texture = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER,
            .borderWidth = rows[i].border,
            .extent = rows[i].extent};
        const VkImageViewGLStateCreateInfoCLAMPLER gl = {.sType =
                                                             VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
                                                         .pNext = &texture,
                                                         .target = rows[i].target};
        VkImageViewCreateInfo info = harness_image_view_info(&image);
        info.pNext = &gl;
        info.subresourceRange.baseMipLevel = rows[i].first;
        info.subresourceRange.levelCount = 2 - rows[i].first;
        VkImageView view;
        if (rows[i].statement) {
            expect_view(vk, rows[i].statement, &info, rows[i].word);
        } else {
            HARNESS_VK(vkCreateImageView(vk->device, &info, NULL, &view));
            vkDestroyImageView(vk->device, view, NULL);
        }
        harness_image_destroy(vk, &image);
    }
    const VkImageCreateInfo several = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                       .imageType = VK_IMAGE_TYPE_2D,
                                       .format = VK_FORMAT_R8G8B8A8_UNORM,
                                       .extent = {8, 8, 1},
                                       .mipLevels = 1,
                                       .arrayLayers = 1,
                                       .samples = VK_SAMPLE_COUNT_4_BIT,
                                       .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    const VkImageViewGLTextureStateCreateInfoCLAMPLER texture = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER,
        .borderWidth = 1,
        .extent = {4, 4, 1}};
    VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                  .pNext = &texture,
                                  .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                  .format = several.format,
                                  .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    HARNESS_VK(vkCreateImage(vk->device, &several, NULL, &info.image));
    expect_view(vk, BORDER "borderWidth-00064", &info, "several samples");
    vkDestroyImage(vk->device, info.image, NULL);
#undef BORDER
}

static void image_views(void **state)
{
    (void)state;
#define GL_STATE "VUID-VkImageViewGLStateCreateInfoCLAMPLER-"
#define TEXTURE "VUID-VkImageViewGLTextureStateCreateInfoCLAMPLER-"
    enum { A8 = 1000470001, RGBA8 = VK_FORMAT_R8G8B8A8_UNORM, RGBA8_TOKEN = 0x8058, DEPTH24_TOKEN = 0x81A6 };
    enum { RGBA8UI_TOKEN = 0x8D7C, GREEN = TOKEN_GREEN };
    static const struct {
        const char *statement;
        uint32_t format;
        VkImageViewGLStateCreateInfoCLAMPLER gl;
        const char *word;
    } rows[] = {
        {GL_STATE "target-00021", RGBA8, {.target = TOKEN_RGBA}, "target is none of"},
        {GL_STATE "target-00022", RGBA8, {.target = TOKEN_TEXTURE_3D}, "target does not fit viewType"},
        {GL_STATE "internalFormat-00023", RGBA8, {.internalFormat = TOKEN_CLAMP}, "internalFormat is no internal"},
        {GL_STATE "internalFormat-00024", RGBA8, {.internalFormat = DEPTH24_TOKEN}, "GL_DEPTH"},
        {GL_STATE "internalFormat-00024", VK_FORMAT_D16_UNORM, {.internalFormat = RGBA8_TOKEN}, "GL_DEPTH"},
        {GL_STATE "internalFormat-00025", RGBA8, {.internalFormat = RGBA8UI_TOKEN}, "integer"},
        {GL_STATE "internalFormat-00025", VK_FORMAT_R8_UINT, {.internalFormat = RGBA8_TOKEN}, "integer"},
        {GL_STATE "baseFormat-00026", RGBA8, {.baseFormat = GREEN}, "baseFormat is none of"},
        {GL_STATE "baseFormat-00027", RGBA8, {.baseFormat = TOKEN_DEPTH_COMPONENT}, "the other a colour format"},
        {GL_STATE "baseFormat-00027", VK_FORMAT_D16_UNORM, {.baseFormat = TOKEN_RED}, "the other a colour format"},
        {GL_STATE "baseFormat-00028", VK_FORMAT_S8_UINT, {.baseFormat = TOKEN_DEPTH_STENCIL}, "no depth"},
        {GL_STATE "baseFormat-00029", VK_FORMAT_D16_UNORM, {.baseFormat = TOKEN_STENCIL_INDEX}, "no stencil"},
        {GL_STATE "baseFormat-00030", VK_FORMAT_R8_UNORM, {.baseFormat = TOKEN_LUMINANCE_ALPHA}, "one channel"},
        {GL_STATE "baseFormat-00031", A8, {.baseFormat = TOKEN_RED}, "no other channel"},
        {GL_STATE "swizzle-00032", RGBA8, {.swizzle = {TOKEN_RED, GREEN, TOKEN_RGB, 1}}, "swizzle is none of"},
        {GL_STATE "depthMode-00033", VK_FORMAT_D16_UNORM, {.depthMode = GREEN}, "depthMode is none of"},
    };
    struct harness_vulkan vk;
    struct harness_image image;
    VkImageViewGLStateCreateInfoCLAMPLER gl;
    VkSamplerYcbcrConversionInfo conversion = {.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO};
    for (unsigned with = 0; with < 2; with++) {
        open_device(&vk, with ? &sampling : &no_feature);
        harness_image_create(
            &vk, &image,
            &(struct harness_image_params){
                .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R8G8B8A8_UNORM, .width = 4, .height = 4},
            NULL);
        VkImageViewCreateInfo info = harness_image_view_info(&image);
        info.pNext = &gl;
        gl =
            (VkImageViewGLStateCreateInfoCLAMPLER){.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER};
        if (!with)
            expect_view(&vk, GL_STATE "glImageView-00019", &info, "feature glImageView");
        for (size_t i = 0; with && i < sizeof(rows) / sizeof(rows[0]); i++) {
            gl = rows[i].gl;
            gl.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER;
            info.format = (VkFormat)rows[i].format; /* refused before anybody asks whether the image has it */
            expect_view(&vk, rows[i].statement, &info, rows[i].word);
        }
        VkImageViewGLTextureStateCreateInfoCLAMPLER texture = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER};
        info.pNext = &texture;
        info.format = VK_FORMAT_R8G8B8A8_UNORM;
        if (!with)
            expect_view(&vk, TEXTURE "glImageView-00060", &info, "feature glImageView");
        else
            borders(&vk);
        info.pNext = &gl;
        if (with)
            channel_orders(&vk, info);
        info.format = VK_FORMAT_R8G8B8A8_UNORM;
        gl = (VkImageViewGLStateCreateInfoCLAMPLER){.sType = gl.sType, .pNext = &conversion};
        if (with)
            expect_view(&vk, GL_STATE "pNext-00020", &info, "YCbCr");
        const VkBufferViewGLStateCreateInfoCLAMPLER misplaced = {
            .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER};
        info.pNext = &misplaced;
        expect_view(&vk, "VUID-VkImageViewCreateInfo-pNext-00003", &info, "VkBufferViewGLStateCreateInfoCLAMPLER");
        harness_image_destroy(&vk, &image);
        close_device(&vk);
    }
#undef TEXTURE
#undef GL_STATE
}

/* No validation: few drivers have such images and samplers, and no lookup asks for one here. */
static void what_needs_images_of_other_kinds(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    struct harness_image image;
    VkSamplerGLStateCreateInfoCLAMPLER gl_sampler;
    const VkImageViewGLStateCreateInfoCLAMPLER gl = {.sType =
                                                         VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER};
    harness_vulkan_open(
        &vk, &(struct harness_vulkan_params){.layers = "clampler", .gl_sampler = true, .gl_image_view = true});
    for (unsigned corner = 0; corner < 2; corner++) {
        harness_image_create(&vk, &image,
                             &(struct harness_image_params){.type = VK_IMAGE_VIEW_TYPE_2D,
                                                            .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                            .width = 4,
                                                            .height = 4,
                                                            .flags = corner ? VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV
                                                                            : VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT},
                             NULL);
        VkImageViewCreateInfo info = harness_image_view_info(&image);
        info.pNext = &gl;
        harness_messages_reset();
        expect_view(&vk, "VUID-VkImageViewGLStateCreateInfoCLAMPLER-image-00048", &info, "exclude each other");
        harness_image_destroy(&vk, &image);
    }
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_EDGE, NULL);
    info.flags = VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT;
    VkSampler samplers[2] = {harness_sampler(&vk, &info)};
    info = scene_sampler_info(SCENE_CLAMP, &gl_sampler);
    samplers[1] = harness_sampler(&vk, &info);
    VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 2);
    binding.pImmutableSamplers = samplers;
    const VkDescriptorSetLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
    VkDescriptorSetLayout layout = UNTOUCHED(VkDescriptorSetLayout);
    harness_messages_reset();
    expect("VUID-VkDescriptorSetLayoutBinding-pImmutableSamplers-00049",
           vkCreateDescriptorSetLayout(vk.device, &layout_info, NULL, &layout), "immutable samplers");
    assert_ptr_equal(layout, UNTOUCHED(VkDescriptorSetLayout));
    for (unsigned i = 0; i < 2; i++)
        vkDestroySampler(vk.device, samplers[i], NULL);
    close_device(&vk);
}

static void images(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    open_device(&vk, &sampling);
    const VkImageViewGLStateCreateInfoCLAMPLER gl = {.sType =
                                                         VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER};
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .pNext = &gl,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = VK_FORMAT_R8_UNORM,
                                    .extent = {4, 4, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    VkImage image = UNTOUCHED(VkImage);
    expect("VUID-VkImageCreateInfo-pNext-00005", vkCreateImage(vk.device, &info, NULL, &image),
           "VkImageViewGLStateCreateInfoCLAMPLER");
    assert_ptr_equal(image, UNTOUCHED(VkImage));
    close_device(&vk);
}

/* ---- Buffer views ---- */

static void expect_buffer_view(struct harness_vulkan *vk, const char *statement, const struct harness_buffer *buffer,
                               VkFormat format, const void *next, const char *word)
{
    const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                         .pNext = next,
                                         .buffer = buffer->buffer,
                                         .format = format,
                                         .range = VK_WHOLE_SIZE};
    const uint64_t live = harness_counters(vk).live_objects;
    VkBufferView view = UNTOUCHED(VkBufferView);
    expect(statement, vkCreateBufferView(vk->device, &info, NULL, &view), word);
    assert_ptr_equal(view, UNTOUCHED(VkBufferView));
    assert_int_equal(harness_counters(vk).live_objects, live);
}

static void buffer_views(void **state)
{
    (void)state;
#define GL_STATE "VUID-VkBufferViewGLStateCreateInfoCLAMPLER-"
    static const struct {
        const char *statement;
        VkFormat format;
        uint32_t internal, base;
        const char *word;
    } rows[] = {
        {GL_STATE "internalFormat-00036", VK_FORMAT_R8_UNORM, 0x8D7D, 0, "internalFormat is 0x8D7D"}, /* GL_RGB8UI */
        {GL_STATE "baseFormat-00037", VK_FORMAT_R8_UNORM, 0, TOKEN_DEPTH_COMPONENT, "no base format of a buffer"},
        {GL_STATE "baseFormat-00038", VK_FORMAT_R8_UNORM, 0x8040, TOKEN_ALPHA, "that of internalFormat"},
        {GL_STATE "baseFormat-00039", VK_FORMAT_R8_UNORM, 0, TOKEN_RG, "more channels"},
        {GL_STATE "baseFormat-00039", VK_FORMAT_R32G32B32_SFLOAT, 0, TOKEN_LUMINANCE_ALPHA, "more channels"},
        {GL_STATE "baseFormat-00040", VK_FORMAT_R5G6B5_UNORM_PACK16, 0, TOKEN_LUMINANCE, "no row of GL's table"},
    };
    struct harness_vulkan vk;
    struct harness_buffer buffer, other;
    VkBufferViewGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER};
    open_device(&vk, &sampling);
    harness_buffer_create(&vk, &buffer, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, 64, NULL);
    harness_buffer_create(&vk, &other, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 64, NULL);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        gl.internalFormat = rows[i].internal;
        gl.baseFormat = rows[i].base;
        expect_buffer_view(&vk, rows[i].statement, &buffer, rows[i].format, &gl, rows[i].word);
    }
    gl.internalFormat = gl.baseFormat = 0;
    expect_buffer_view(&vk, GL_STATE "buffer-00035", &other, VK_FORMAT_R8_UNORM, &gl, "UNIFORM_TEXEL_BUFFER");
    const VkImageViewGLStateCreateInfoCLAMPLER misplaced = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER};
    expect_buffer_view(&vk, "VUID-VkBufferViewCreateInfo-pNext-00004", &buffer, VK_FORMAT_R8_UNORM, &misplaced,
                       "VkImageViewGLStateCreateInfoCLAMPLER");
    harness_buffer_destroy(&vk, &other);
    harness_buffer_destroy(&vk, &buffer);
    close_device(&vk);

    open_device(&vk, &no_feature);
    harness_buffer_create(&vk, &buffer, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, 64, NULL);
    expect_buffer_view(&vk, GL_STATE "glBufferView-00034", &buffer, VK_FORMAT_R8_UNORM, &gl, "feature glBufferView");
    harness_buffer_destroy(&vk, &buffer);
    close_device(&vk);

    /* What views reach with 65,536 texels each, the least that Vulkan asks for. */
    setenv("VK_CLAMPLER_TEXEL_PATH", "views", 1);
    setenv("VK_CLAMPLER_ASSUME_MISSING", "large_texel_buffer", 1);
    open_device(&vk, &sampling);
    unsetenv("VK_CLAMPLER_TEXEL_PATH");
    unsetenv("VK_CLAMPLER_ASSUME_MISSING");
    harness_buffer_create(&vk, &buffer, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, 2 << 20, NULL);
    gl.baseFormat = TOKEN_LUMINANCE;
    expect_buffer_view(&vk, GL_STATE "range-00041", &buffer, VK_FORMAT_R8G8B8A8_UNORM, &gl, "reaches no such buffer");
    harness_buffer_destroy(&vk, &buffer);
    close_device(&vk);
#undef GL_STATE
}

/* ---- Devices, command buffers, attachments ---- */

static void features_without_the_extension(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    expect("VUID-VkPhysicalDeviceGLSamplerFeaturesCLAMPLER-glSampler-00001", try_device(&vk, &sampling, false),
           "ppEnabledExtensionNames");
}

static void secondary_command_buffers(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    VkCommandBuffer secondary;
    open_device(&vk, &sampling);
    const VkCommandBufferInheritanceGLStateCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_STATE_CLAMPLER, .alphaToOneMask = 1};
    const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                        .pNext = &gl};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .pInheritanceInfo = &inheritance};
    harness_commands(&vk, VK_COMMAND_BUFFER_LEVEL_SECONDARY, 1, &secondary);
    expect("VUID-VkCommandBufferInheritanceGLStateCLAMPLER-alphaToOneAttachments-00042",
           vkBeginCommandBuffer(secondary, &begin), "feature alphaToOneAttachments");
    vkFreeCommandBuffers(vk.device, vk.pool, 1, &secondary);
    close_device(&vk);
}

static void orders_of_secondary_command_buffers(void **state)
{
    (void)state;
    const VkFormat format = VK_FORMAT_R8G8_UNORM;
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    VkGLAttachmentChannelsCLAMPLER channels = {.baseFormat = TOKEN_ALPHA};
    const VkCommandBufferInheritanceGLChannelOrderCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_CHANNEL_ORDER_CLAMPLER,
        .pNext = &rendering,
        .colorAttachmentCount = 1,
        .pColorAttachments = &channels};
    const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                        .pNext = &gl};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                            .pInheritanceInfo = &inheritance};
    struct harness_vulkan vk;
    VkCommandBuffer secondary;
    for (unsigned with = 0; with < 2; with++) {
        open_device(&vk, with ? &attachments : &sampling);
        harness_commands(&vk, VK_COMMAND_BUFFER_LEVEL_SECONDARY, 1, &secondary);
        channels.channels.a = with ? VK_COMPONENT_SWIZZLE_B : VK_COMPONENT_SWIZZLE_IDENTITY;
        const VkResult result = vkBeginCommandBuffer(secondary, &begin);
        if (with)
            expect("VUID-VkGLAttachmentChannelsCLAMPLER-channels-00059", vkEndCommandBuffer(secondary), "channels");
        else
            expect("VUID-VkCommandBufferInheritanceGLChannelOrderCLAMPLER-alphaToOneAttachments-00058", result,
                   "feature alphaToOneAttachments");
        vkFreeCommandBuffers(vk.device, vk.pool, 1, &secondary);
        close_device(&vk);
    }
}

static void orders_of_resolves(void **state)
{
    (void)state;
    const VkImageViewGLChannelOrderCreateInfoCLAMPLER order = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_CHANNEL_ORDER_CREATE_INFO_CLAMPLER,
        .channels = {VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_A}};
    const VkImageViewGLStateCreateInfoCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, .pNext = &order, .baseFormat = TOKEN_RGBA};
    const struct harness_image_params params = {.type = VK_IMAGE_VIEW_TYPE_2D,
                                                .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                .width = 4,
                                                .height = 4,
                                                .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
    struct harness_vulkan vk;
    struct harness_image samples, resolved;
    open_device(&vk, &attachments);
    struct harness_image_params one = params;
    one.samples = VK_SAMPLE_COUNT_4_BIT;
    harness_image_create(&vk, &samples, &one, NULL);
    one = params;
    one.view_next = &gl;
    harness_image_create(&vk, &resolved, &one, NULL);
    const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                             .imageView = samples.view,
                                             .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                             .resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT,
                                             .resolveImageView = resolved.view,
                                             .resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                             .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR};
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea = {.extent = {4, 4}},
                                  .layerCount = 1,
                                  .colorAttachmentCount = 1,
                                  .pColorAttachments = &color};
    VkCommandBuffer commands = harness_begin(&vk);
    vkCmdBeginRendering(commands, &info);
    vkCmdEndRendering(commands);
    expect("VUID-VkImageViewGLChannelOrderCreateInfoCLAMPLER-channels-00057", harness_try_submit(&vk, commands),
           "resolve attachment");
    harness_image_destroy(&vk, &resolved);
    harness_image_destroy(&vk, &samples);
    close_device(&vk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_without_the_extension),
        cmocka_unit_test(samplers),
        cmocka_unit_test(samplers_of_other_images),
        cmocka_unit_test(image_views),
        cmocka_unit_test(what_needs_images_of_other_kinds),
        cmocka_unit_test(images),
        cmocka_unit_test(buffer_views),
        cmocka_unit_test(secondary_command_buffers),
        cmocka_unit_test(orders_of_secondary_command_buffers),
        cmocka_unit_test(orders_of_resolves),
    };
    return cmocka_run_group_tests_name("valid_usage", tests, NULL, NULL);
}
