/* SPDX-License-Identifier: MIT */
/*
 * VkGLSamplerFormatPropertiesCLAMPLER: what it says of a format is what happens with it. Native bits are the driver's
 * own, emulated filters draw in tier 2, and every format with a bit for texel buffers can be that of a buffer view.
 */
#include <stdlib.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/shared/scene.h"
#include "integration_channels.h"
#include "vulkan_clampler.h"

#define LINEAR VK_GL_FORMAT_FEATURE_LINEAR_FILTER_BIT_CLAMPLER
#define TEXELS VK_GL_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT_CLAMPLER
#define ALPHA VK_GL_FORMAT_FEATURE_ALPHA_TO_ONE_BIT_CLAMPLER
#define ORDER VK_GL_FORMAT_FEATURE_CHANNEL_ORDER_BIT_CLAMPLER
#define ORDER_BLEND VK_GL_FORMAT_FEATURE_CHANNEL_ORDER_BLEND_BIT_CLAMPLER

enum { CORE_FORMATS = 185, BUFFER_BYTES = 48 * 4 };

/* Without validation above, which does not know that views of emulated formats are allowed. */
static void open_device(struct harness_vulkan *vk, const char *missing)
{
    static const char *const extensions[] = {VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME};
    const VkPhysicalDeviceGLSamplerFeaturesCLAMPLER features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER,
        .glSampler = VK_TRUE,
        .glBufferView = VK_TRUE,
        .linearFilterEmulation = VK_TRUE};
    if (missing)
        setenv("VK_CLAMPLER_ASSUME_MISSING", missing, 1);
    harness_vulkan_open(vk, &(struct harness_vulkan_params){.layers = "clampler",
                                                            .device_extensions = extensions,
                                                            .device_extension_count = 1,
                                                            .device_next = &features});
    unsetenv("VK_CLAMPLER_ASSUME_MISSING");
}

static VkGLSamplerFormatPropertiesCLAMPLER ask(const struct harness_vulkan *vk, VkFormat format,
                                               VkFormatProperties *plain)
{
    VkGLSamplerFormatPropertiesCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_GL_SAMPLER_FORMAT_PROPERTIES_CLAMPLER,
                                              .nativeFeatures = 0x55,
                                              .emulatedFeatures = 0xaa};
    VkFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &gl};
    vkGetPhysicalDeviceFormatProperties2(vk->physical, format, &properties);
    assert_ptr_equal(properties.pNext, &gl); /* the chain is whole again */
    *plain = properties.formatProperties;
    return gl;
}

static void native_is_what_the_driver_says(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    uint32_t emulated[3] = {0};
    open_device(&vk, NULL);
    for (uint32_t i = 0; i < CORE_FORMATS; i++) {
        VkFormatProperties plain, alone;
        const VkGLSamplerFormatPropertiesCLAMPLER gl = ask(&vk, (VkFormat)i, &plain);
        vkGetPhysicalDeviceFormatProperties(vk.physical, (VkFormat)i, &alone);
        assert_memory_equal(&plain, &alone, sizeof(plain));
        const VkFormatFeatureFlags filters =
            VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
        assert_int_equal(!!(gl.nativeFeatures & LINEAR), (plain.optimalTilingFeatures & filters) == filters);
        assert_int_equal(!!(gl.nativeFeatures & TEXELS),
                         !!(plain.bufferFeatures & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT));
        assert_int_equal(gl.nativeFeatures & gl.emulatedFeatures, 0);
        assert_int_equal((gl.nativeFeatures | gl.emulatedFeatures) & ~(LINEAR | TEXELS | ALPHA | ORDER | ORDER_BLEND),
                         0);
        assert_int_equal(!!(gl.emulatedFeatures & ORDER),
                         !!(plain.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT));
        if (gl.emulatedFeatures & ORDER_BLEND)
            assert_true(plain.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT);
        if (gl.emulatedFeatures & ALPHA)
            assert_true(plain.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT);
        for (unsigned bit = 0; bit < 3; bit++)
            emulated[bit] += gl.emulatedFeatures >> bit & 1;
    }
    assert_true(emulated[2] >= 8); /* RGBA of 8, 16 and 32 bits at least */
    harness_vulkan_close(&vk);
}

/* Formats with alpha, formats without, and what is no colour. */
static void attachments_without_alpha_are_in_formats_that_have_it(void **state)
{
    (void)state;
    static const struct {
        VkFormat format;
        bool alpha, order_blend;
    } rows[] = {
        {VK_FORMAT_R8G8B8A8_UNORM, true, false},
        {VK_FORMAT_B8G8R8A8_SRGB, true, false},
        {VK_FORMAT_R8G8B8A8_UINT, true, false},
        {VK_FORMAT_A2B10G10R10_UNORM_PACK32, true, false},
        {VK_FORMAT_R16G16B16A16_SFLOAT, true, false},
        {VK_FORMAT_R32G32B32A32_SINT, true, false},
        {VK_FORMAT_R8_UNORM, false, true},
        {VK_FORMAT_R32G32_SFLOAT, false, false},
        {VK_FORMAT_B10G11R11_UFLOAT_PACK32, false, false},
        {VK_FORMAT_D32_SFLOAT, false, false},
        {VK_FORMAT_BC3_UNORM_BLOCK, false, false},
        {VK_FORMAT_UNDEFINED, false, false},
    };
    struct harness_vulkan vk;
    open_device(&vk, NULL);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        VkFormatProperties plain;
        const VkGLSamplerFormatPropertiesCLAMPLER gl = ask(&vk, rows[i].format, &plain);
        assert_int_equal(!!(gl.emulatedFeatures & ALPHA), rows[i].alpha);
        assert_int_equal(!!(gl.emulatedFeatures & ORDER_BLEND), rows[i].order_blend);
        if (rows[i].format == VK_FORMAT_UNDEFINED)
            assert_int_equal(gl.nativeFeatures | gl.emulatedFeatures, 0);
    }
    harness_vulkan_close(&vk);
}

/* Whether a view with GL state may be made of an image, and be its attachment. */
static void image_formats_with_gl_state(void **state)
{
    (void)state;
    static const struct {
        VkFormat format;
        uint32_t base;
        VkComponentMapping channels;
        VkImageUsageFlags usage;
        VkResult result;
    } rows[] = {
        {VK_FORMAT_R8_UNORM, TOKEN_ALPHA, {.r = 0}, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_SUCCESS},
        {VK_FORMAT_R8G8B8A8_UNORM,
         TOKEN_RGB,
         {.r = VK_COMPONENT_SWIZZLE_A, .b = VK_COMPONENT_SWIZZLE_R},
         VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
         VK_SUCCESS},
        {VK_FORMAT_R8_UNORM,
         TOKEN_ALPHA,
         {.a = VK_COMPONENT_SWIZZLE_G},
         VK_IMAGE_USAGE_SAMPLED_BIT,
         VK_ERROR_FORMAT_NOT_SUPPORTED},
        {VK_FORMAT_R8G8B8A8_UNORM,
         TOKEN_RGBA,
         {.a = VK_COMPONENT_SWIZZLE_R},
         VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
         VK_ERROR_FORMAT_NOT_SUPPORTED},
        {VK_FORMAT_R8G8B8A8_UNORM, TOKEN_RGBA, {.a = VK_COMPONENT_SWIZZLE_R}, VK_IMAGE_USAGE_SAMPLED_BIT, VK_SUCCESS},
        {VK_FORMAT_R8G8B8A8_UNORM,
         TOKEN_RGB,
         {.a = VK_COMPONENT_SWIZZLE_R},
         VK_IMAGE_USAGE_SAMPLED_BIT,
         VK_ERROR_VALIDATION_FAILED_EXT},
    };
    struct harness_vulkan vk;
    open_device(&vk, NULL);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const VkImageViewGLChannelOrderCreateInfoCLAMPLER order = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_CHANNEL_ORDER_CREATE_INFO_CLAMPLER, .channels = rows[i].channels};
        const VkImageViewGLStateCreateInfoCLAMPLER gl = {.sType =
                                                             VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
                                                         .pNext = &order,
                                                         .baseFormat = rows[i].base};
        const VkPhysicalDeviceImageFormatInfo2 info = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
                                                       .pNext = &gl,
                                                       .format = rows[i].format,
                                                       .type = VK_IMAGE_TYPE_2D,
                                                       .usage = rows[i].usage};
        VkImageFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
        const VkResult result = vkGetPhysicalDeviceImageFormatProperties2(vk.physical, &info, &properties);
        if (result != rows[i].result)
            fail_msg("row %zu: VkResult %d, not %d", i, result, rows[i].result);
        assert_int_equal(properties.imageFormatProperties.maxExtent.width != 0, result == VK_SUCCESS);
    }
    harness_messages_reset();
    harness_vulkan_close(&vk);
}

/* One linear lookup of the format; the tier that drew it. */
static unsigned tier_of_lookup(struct scene *scene, VkFormat format)
{
    static const uint8_t texels[4 * 16];
    struct harness_image image;
    struct scene_program program;
    const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_EDGE, NULL);
    VkSampler sampler = harness_sampler(&scene->vk, &info);
    harness_image_create(
        &scene->vk, &image,
        &(struct harness_image_params){.type = VK_IMAGE_VIEW_TYPE_2D, .format = format, .width = 4, .height = 1},
        texels);
    scene_program_create(scene, &program, HARNESS_SPIRV(integration_channels), &binding, 1, 0, NULL);
    VkDescriptorSet set = harness_set(&scene->vk, program.set_layout);
    const VkDescriptorImageInfo pair = {sampler, image.view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    harness_write_images(&scene->vk, set, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, &pair);
    scene_draw(scene, program.pipeline, program.layout, 1, &set);
    scene_program_destroy(scene, &program);
    harness_image_destroy(&scene->vk, &image);
    vkDestroySampler(scene->vk.device, sampler, NULL);
    return scene->drew[2] ? 2 : scene->drew[1] ? 1 : 0;
}

static void emulated_filters_draw_in_the_shader(void **state)
{
    (void)state;
    static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM,      VK_FORMAT_R16_UNORM,    VK_FORMAT_R32_SFLOAT,
                                       VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_D16_UNORM,    VK_FORMAT_D32_SFLOAT,
                                       VK_FORMAT_R8G8B8A8_SRGB,       VK_FORMAT_R32G32_SFLOAT};
    static const char *const missing[] = {NULL, "linear_float32", "linear_all"};
    unsigned emulated = 0, native = 0;
    for (unsigned m = 0; m < 3; m++) {
        struct scene scene = {.drew = {0}};
        open_device(&scene.vk, missing[m]);
        scene_make(&scene, false);
        for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
            VkFormatProperties plain;
            const VkGLSamplerFormatPropertiesCLAMPLER gl = ask(&scene.vk, formats[i], &plain);
            if (!(plain.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT))
                continue;
            assert_true((gl.nativeFeatures | gl.emulatedFeatures) & LINEAR);
            assert_int_equal(tier_of_lookup(&scene, formats[i]), gl.emulatedFeatures & LINEAR ? 2 : 0);
            *(gl.emulatedFeatures & LINEAR ? &emulated : &native) += 1;
            if (m == 2)
                assert_true(gl.emulatedFeatures & LINEAR);
        }
        /* Integers have no linear filter, whoever would do it. */
        VkFormatProperties plain;
        assert_int_equal(ask(&scene.vk, VK_FORMAT_R32_UINT, &plain).emulatedFeatures & LINEAR, 0);
        assert_int_equal(ask(&scene.vk, VK_FORMAT_S8_UINT, &plain).emulatedFeatures & LINEAR, 0);
        scene_close(&scene);
    }
    assert_true(emulated >= 8 && native >= 4);
}

static void formats_of_texel_buffers_make_views(void **state)
{
    (void)state;
    for (unsigned m = 0; m < 2; m++) {
        struct harness_vulkan vk;
        uint32_t views = 0, emulated = 0;
        open_device(&vk, m ? "rgb32_texel_buffer" : NULL);
        struct harness_buffer buffer;
        harness_buffer_create(&vk, &buffer, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, BUFFER_BYTES, NULL);
        for (uint32_t i = 1; i < CORE_FORMATS; i++) {
            VkFormatProperties plain;
            VkBufferView view = VK_NULL_HANDLE;
            const VkGLSamplerFormatPropertiesCLAMPLER gl = ask(&vk, (VkFormat)i, &plain);
            if (!((gl.nativeFeatures | gl.emulatedFeatures) & TEXELS))
                continue;
            const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                                 .buffer = buffer.buffer,
                                                 .format = (VkFormat)i,
                                                 .range = VK_WHOLE_SIZE};
            assert_int_equal(vkCreateBufferView(vk.device, &info, NULL, &view), VK_SUCCESS);
            vkDestroyBufferView(vk.device, view, NULL);
            views++;
            emulated += gl.emulatedFeatures & TEXELS ? 1 : 0;
        }
        assert_true(views >= 30);
        if (m)
            assert_int_equal(emulated >= 3, true);
        const VkFormat rgb32[] = {VK_FORMAT_R32G32B32_SFLOAT, VK_FORMAT_R32G32B32_UINT, VK_FORMAT_R32G32B32_SINT};
        for (size_t i = 0; i < 3; i++) {
            VkFormatProperties plain;
            const VkGLSamplerFormatPropertiesCLAMPLER gl = ask(&vk, rgb32[i], &plain);
            assert_true((gl.nativeFeatures | gl.emulatedFeatures) & TEXELS);
            assert_int_equal(!!(gl.emulatedFeatures & TEXELS),
                             m || !(plain.bufferFeatures & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT));
        }
        harness_buffer_destroy(&vk, &buffer);
        harness_vulkan_close(&vk);
    }
}

/* What a query in all its forms says of a format; structures that nobody fills keep what stood there. */
struct said {
    VkFormatProperties plain;
    VkFormatProperties3 three;
    struct {
        VkStructureType sType;
        void *pNext;
        VkFlags64 linear, optimal, buffer;
    } four; /* VkFormatProperties4KHR */
};

static struct said ask_all(const struct harness_vulkan *vk, VkFormat format)
{
    enum { FORMAT_PROPERTIES_4 = 1000668000 };
    struct said said = {.four = {(VkStructureType)FORMAT_PROPERTIES_4, NULL, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT,
                                 VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_BLIT_SRC_BIT,
                                 VK_FORMAT_FEATURE_2_VERTEX_BUFFER_BIT}};
    said.three = (VkFormatProperties3){.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3, .pNext = &said.four};
    VkFormatProperties2 two = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &said.three};
    vkGetPhysicalDeviceFormatProperties2(vk->physical, format, &two);
    vkGetPhysicalDeviceFormatProperties(vk->physical, format, &said.plain);
    assert_memory_equal(&said.plain, &two.formatProperties, sizeof(said.plain));
    said.three.pNext = NULL;
    return said;
}

/* The filter is added where images are sampled, and nothing else is changed. */
static bool expect_filter(VkFlags64 driver, VkFlags64 said, bool emulated)
{
    const VkFlags64 filter = VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    assert_int_equal(said & ~filter, driver & ~filter);
    assert_true((said & filter) >= (driver & filter));
    if (!(driver & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT))
        assert_int_equal(said, driver);
    else if (emulated)
        assert_true(said & filter);
    return said != driver;
}

static void expect_texels(VkFlags64 driver, VkFlags64 said, bool emulated)
{
    assert_int_equal(said, driver | (emulated ? VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT : 0));
}

/* Programs that do not know the extension are promised the same by every form of the query, beside all that is there.
 */
static void promises_stand_beside_what_the_driver_says(void **state)
{
    (void)state;
    static struct said driver[CORE_FORMATS];
    struct harness_vulkan vk;
    uint32_t filters = 0, texels = 0, beside = 0;
    setenv("LIMITED_DRIVER_RULES",
           "hide format * image SAMPLED_IMAGE_FILTER_LINEAR; hide format * buffer UNIFORM_TEXEL_BUFFER", 1);
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "limited"});
    for (uint32_t i = 0; i < CORE_FORMATS; i++)
        driver[i] = ask_all(&vk, (VkFormat)i);
    harness_vulkan_close(&vk);
    setenv("VK_CLAMPLER_LINEAR_FALLBACK", "shader", 1);
    setenv("VK_CLAMPLER_TEXEL_BUFFERS", "emulate", 1);
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "clampler:limited"});
    unsetenv("LIMITED_DRIVER_RULES");
    unsetenv("VK_CLAMPLER_LINEAR_FALLBACK");
    unsetenv("VK_CLAMPLER_TEXEL_BUFFERS");
    for (uint32_t i = 0; i < CORE_FORMATS; i++) {
        VkFormatProperties plain;
        const VkGLSamplerFormatPropertiesCLAMPLER gl = ask(&vk, (VkFormat)i, &plain);
        const struct said said = ask_all(&vk, (VkFormat)i);
        const bool filter = gl.emulatedFeatures & LINEAR, texel = gl.emulatedFeatures & TEXELS;
        expect_filter(driver[i].plain.linearTilingFeatures, said.plain.linearTilingFeatures, filter);
        filters += expect_filter(driver[i].plain.optimalTilingFeatures, said.plain.optimalTilingFeatures, filter);
        expect_filter(driver[i].three.linearTilingFeatures, said.three.linearTilingFeatures, filter);
        expect_filter(driver[i].three.optimalTilingFeatures, said.three.optimalTilingFeatures, filter);
        expect_filter(driver[i].four.linear, said.four.linear, filter);
        expect_filter(driver[i].four.optimal, said.four.optimal, filter);
        expect_texels(driver[i].plain.bufferFeatures, said.plain.bufferFeatures, texel);
        expect_texels(driver[i].three.bufferFeatures, said.three.bufferFeatures, texel);
        if (!(driver[i].four.buffer & VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT))
            assert_int_equal(said.four.buffer & ~VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT, driver[i].four.buffer);
        if (texel)
            assert_true(said.four.buffer & VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT);
        texels += texel;
        beside += texel && driver[i].plain.bufferFeatures;
    }
    assert_true(filters >= 20 && texels >= 20 && beside >= 20);
    harness_vulkan_close(&vk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(native_is_what_the_driver_says),
        cmocka_unit_test(attachments_without_alpha_are_in_formats_that_have_it),
        cmocka_unit_test(image_formats_with_gl_state),
        cmocka_unit_test(emulated_filters_draw_in_the_shader),
        cmocka_unit_test(formats_of_texel_buffers_make_views),
        cmocka_unit_test(promises_stand_beside_what_the_driver_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
