/* SPDX-License-Identifier: MIT */
/* What a program should not do: the right VkResult, a message that says what is wrong, nothing made, nothing lost. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/shared/scene.h"
#include "integration_single.h"

static const VkDescriptorSetLayoutBinding single_binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);

/* Whether some message of the layer since the last reset holds all the words. */
static bool said(const char *first, const char *second)
{
    for (uint32_t i = 0; i < harness_layer_messages(); i++) {
        const char *text = harness_layer_message(i);
        if (strstr(text, first) && strstr(text, second))
            return true;
    }
    for (uint32_t i = 0; i < harness_layer_messages(); i++)
        print_error("the layer said: %s\n", harness_layer_message(i));
    print_error("but nothing with \"%s\" and \"%s\"\n", first, second);
    return false;
}

/* Calls vkCreateSampler, which must refuse: nothing is made, the handle is not touched, a message tells. */
static void expect_refused(struct harness_vulkan *vk, const VkSamplerCreateInfo *info, const char *first,
                           const char *second)
{
    const VkSampler untouched = (VkSampler)(uintptr_t)0x5eed;
    VkSampler sampler = untouched;
    struct clampler_counters before = harness_counters(vk);
    harness_messages_reset();
    assert_int_equal(vkCreateSampler(vk->device, info, NULL, &sampler), VK_ERROR_VALIDATION_FAILED_EXT);
    assert_ptr_equal(sampler, untouched);
    assert_true(said(first, second));
    struct clampler_counters after = harness_counters(vk);
    assert_int_equal(after.live_objects, before.live_objects);
    assert_int_equal(after.live_bytes, before.live_bytes);
    assert_int_equal(harness_messages(), 0);
}

static void every_illegal_token_is_refused_by_field_and_value(void **state)
{
    (void)state;
#define TOKEN(field, value)                                                                                            \
    {                                                                                                                  \
#field, offsetof(VkSamplerGLStateCreateInfoCLAMPLER, field), value                                             \
    }
    static const struct {
        const char *name;
        size_t offset;
        uint32_t value;
    } tokens[] = {
        TOKEN(wrapS, TOKEN_LINEAR),                   /* GL_LINEAR */
        TOKEN(wrapS, 1),                              /* GL_LINES */
        TOKEN(wrapT, 0x2902),                         /* next to GL_REPEAT */
        TOKEN(wrapT, 0x812E),                         /* between GL_CLAMP_TO_BORDER and GL_CLAMP_TO_EDGE */
        TOKEN(wrapR, UINT32_MAX),                     /* nothing */
        TOKEN(wrapR, 1000999006),                     /* Vulkan's number for it, not GL's */
        TOKEN(minFilter, TOKEN_CLAMP),                /* GL_CLAMP */
        TOKEN(minFilter, 0x2602),                     /* next to GL_LINEAR */
        TOKEN(minFilter, 0x2704),                     /* next to GL_LINEAR_MIPMAP_LINEAR */
        TOKEN(magFilter, TOKEN_LINEAR_MIPMAP_LINEAR), /* GL_LINEAR_MIPMAP_LINEAR: for minification only */
        TOKEN(magFilter, 1),                          /* Vulkan's LINEAR */
        TOKEN(compareMode, TOKEN_LINEAR),             /* GL_LINEAR */
        TOKEN(compareMode, 1),                        /* GL_TRUE */
        TOKEN(compareFunc, 0x0208),                   /* next to GL_ALWAYS */
        TOKEN(compareFunc, 0x01FF),                   /* before GL_NEVER */
        TOKEN(srgbDecode, 0x8A48),                    /* GL_TEXTURE_SRGB_DECODE_EXT itself */
        TOKEN(srgbDecode, 1),                         /* GL_TRUE */
        TOKEN(reductionMode, 0x8006),                 /* GL_FUNC_ADD */
        TOKEN(reductionMode, 2),                      /* Vulkan's MAX */
    };
#undef TOKEN
    struct scene scene;
    scene_open(&scene, NULL);
    for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++) {
        VkSamplerGLStateCreateInfoCLAMPLER gl;
        VkSamplerCreateInfo info = scene_sampler_info(SCENE_CLAMP, &gl);
        char value[16];
        memcpy((char *)&gl + tokens[i].offset, &tokens[i].value, sizeof(uint32_t));
        snprintf(value, sizeof(value), "0x%04X", (unsigned)tokens[i].value);
        expect_refused(&scene.vk, &info, tokens[i].name, value);
    }
    scene_close(&scene);
}

static void a_refusal_leaves_the_programs_objects_intact(void **state)
{
    (void)state;
    struct scene scene;
    struct scene_program program;
    scene_open(&scene, NULL);
    scene_program_create(&scene, &program, HARNESS_SPIRV(integration_single), &single_binding, 1, 0, NULL);
    VkDescriptorSet set = harness_set(&scene.vk, program.set_layout);
    scene_write(&scene, set, 0, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_RAMP);
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_CLAMP, &gl);
    gl.wrapS = 7;
    expect_refused(&scene.vk, &info, "wrapS", "0x0007");
    scene_draw(&scene, program.pipeline, program.layout, 1, &set);
    scene_expect_tier(&scene, 1);
    scene_expect_row(&scene, 0, SCENE_CLAMP, SCENE_RAMP);
    scene_program_destroy(&scene, &program);
    scene_close(&scene);
}

/* Infinite and NaN numbers count as GL's defaults, and as 0 in a border colour: the same picture. */
static void numbers_that_are_none_count_as_defaults(void **state)
{
    (void)state;
    struct scene scene;
    struct scene_program program;
    scene_open(&scene, NULL);
    scene_program_create(&scene, &program, HARNESS_SPIRV(integration_single), &single_binding, 1, 0, NULL);
    VkDescriptorSet set = harness_set(&scene.vk, program.set_layout);
    const float requires_emulation[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f};
    for (size_t i = 0; i < sizeof(requires_emulation) / sizeof(requires_emulation[0]); i++)
        for (unsigned border = 0; border < 2; border++) {
            VkSamplerGLStateCreateInfoCLAMPLER gl;
            VkSamplerCreateInfo info = scene_sampler_info(SCENE_CLAMP, &gl);
            gl.minLod = gl.maxLod = gl.lodBias = gl.unitLodBias = gl.maxAnisotropy = requires_emulation[i];
            if (border)
                gl.borderColor = (VkClearColorValue){.float32 = {requires_emulation[i], requires_emulation[i],
                                                                 requires_emulation[i], requires_emulation[i]}};
            VkSampler sampler = harness_sampler(&scene.vk, &info);
            harness_write_image(&scene.vk, set, 0, 0, SCENE_COMBINED, sampler, scene.textures[SCENE_STEPS].view);
            scene_draw(&scene, program.pipeline, program.layout, 1, &set);
            scene_expect_tier(&scene, 1);
            if (!border || requires_emulation[i] > 1) { /* as white as the scene's: clamped to what the format holds */
                scene_expect_row(&scene, 0, SCENE_CLAMP, SCENE_STEPS);
            } else { /* black: half of the outermost texel */
                const float edge = scene_expected(SCENE_EDGE, SCENE_STEPS, 0);
                assert_true(fabsf(scene.pixels[0][0][0] - edge / 2) < 1.5f / 255);
            }
            vkDestroySampler(scene.vk.device, sampler, NULL);
        }
    scene_program_destroy(&scene, &program);
    scene_close(&scene);
}

static void a_ycbcr_conversion_beside_gl_state_is_refused(void **state)
{
    (void)state;
    struct scene scene;
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    /* Below only: a validation layer above would refuse the conversion for what it is. */
    scene_open(&scene, &(struct harness_vulkan_params){.layers = "clampler:validation"});
    VkSamplerYcbcrConversionInfo conversion = {.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO};
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_CLAMP, &gl);
    gl.pNext = &conversion;
    expect_refused(&scene.vk, &info, "YCbCr", "vkCreateSampler");
    info = scene_sampler_info(SCENE_EDGE, &gl);
    info.pNext = &conversion;
    info.addressModeU = VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER;
    expect_refused(&scene.vk, &info, "YCbCr", "vkCreateSampler");
    scene_close(&scene);
}

/* Their texels are found by the driver alone (VK_EXT_fragment_density_map, VK_QCOM_image_processing). */
static void samplers_of_subsampled_images_have_no_gl_state(void **state)
{
    (void)state;
    static const VkSamplerCreateFlags flags[] = {VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT,
                                                 VK_SAMPLER_CREATE_SUBSAMPLED_COARSE_RECONSTRUCTION_BIT_EXT,
                                                 0x10 /* IMAGE_PROCESSING_BIT_QCOM */};
    struct scene scene;
    scene_open(&scene, &(struct harness_vulkan_params){.layers = "clampler:validation"});
    for (unsigned i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        VkSamplerGLStateCreateInfoCLAMPLER gl;
        VkSamplerCreateInfo info = scene_sampler_info(SCENE_CLAMP, &gl);
        info.flags = flags[i];
        expect_refused(&scene.vk, &info, "subsampled", "vkCreateSampler");
        info = scene_sampler_info(SCENE_EDGE, &gl);
        info.addressModeU = VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER;
        info.flags = flags[i];
        expect_refused(&scene.vk, &info, "subsampled", "vkCreateSampler");
    }
    scene_close(&scene);
}

static void the_private_address_modes_do_what_the_structure_does(void **state)
{
    (void)state;
    static const VkSamplerAddressMode modes[] = {VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER,
                                                 VK_SAMPLER_ADDRESS_MODE_GL_MIRROR_CLAMP_CLAMPLER};
    static const enum scene_sampler expected[] = {SCENE_CLAMP, SCENE_MIRROR};
    struct scene scene;
    struct scene_program program;
    scene_open(&scene, &(struct harness_vulkan_params){.layers = "clampler:validation"});
    scene_program_create(&scene, &program, HARNESS_SPIRV(integration_single), &single_binding, 1, 0, NULL);
    VkDescriptorSet set = harness_set(&scene.vk, program.set_layout);
    for (unsigned i = 0; i < 2; i++) {
        VkSamplerCreateInfo info = scene_sampler_info(SCENE_EDGE, NULL);
        info.addressModeU = modes[i];
        VkSampler sampler = harness_sampler(&scene.vk, &info);
        harness_write_image(&scene.vk, set, 0, 0, SCENE_COMBINED, sampler, scene.textures[SCENE_STEPS].view);
        scene_draw(&scene, program.pipeline, program.layout, 1, &set);
        scene_expect_tier(&scene, 1);
        scene_expect_row(&scene, 0, expected[i], SCENE_STEPS);
        vkDestroySampler(scene.vk.device, sampler, NULL);
    }
    scene_program_destroy(&scene, &program);
    scene_close(&scene);
}

/* A device with the extension, but not the feature. */
static void without_the_feature_its_structures_and_modes_are_refused(void **state)
{
    (void)state;
    static const char *const extensions[] = {VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME};
    struct harness_vulkan vk;
    harness_messages_reset();
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "clampler:validation",
                                                             .device_extensions = extensions,
                                                             .device_extension_count = 1});
    assert_non_null(vk.counters);
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_CLAMP, &gl);
    expect_refused(&vk, &info, "VkSamplerGLStateCreateInfoCLAMPLER", "glSampler");
    for (unsigned i = 0; i < 3; i++) {
        info = scene_sampler_info(SCENE_EDGE, NULL);
        VkSamplerAddressMode *modes[] = {&info.addressModeU, &info.addressModeV, &info.addressModeW};
        *modes[i] = VK_SAMPLER_ADDRESS_MODE_GL_MIRROR_CLAMP_TO_BORDER_CLAMPLER;
        expect_refused(&vk, &info, "address modes", "glSampler");
    }
    VkSampler plain = harness_sampler(&vk, &(VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO});
    vkDestroySampler(vk.device, plain, NULL);
    harness_vulkan_close(&vk);
    scene_expect_silence();
}

static VkResult try_features(const VkPhysicalDeviceGLSamplerFeaturesCLAMPLER *features, bool extension)
{
    static const char *const extensions[] = {VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME};
    struct harness_vulkan vk;
    harness_messages_reset();
    VkResult result = harness_vulkan_try(&vk, &(struct harness_vulkan_params){.layers = "clampler:validation",
                                                                              .device_extensions = extensions,
                                                                              .device_extension_count = extension,
                                                                              .device_next = features});
    if (result == VK_SUCCESS)
        harness_vulkan_close(&vk);
    return result;
}

static void features_need_the_extension_and_an_offer(void **state)
{
    (void)state;
    VkPhysicalDeviceGLSamplerFeaturesCLAMPLER features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER};
    assert_int_equal(try_features(&features, false), VK_SUCCESS);
    assert_int_equal(harness_messages(), 0);
    assert_int_equal(try_features(&features, true), VK_SUCCESS);
    features.glSampler = VK_TRUE;
    assert_int_equal(try_features(&features, false), VK_ERROR_VALIDATION_FAILED_EXT);
    assert_true(said("glSampler", VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME));
    assert_int_equal(try_features(&features, true), VK_SUCCESS);

    /* Every feature that vkGetPhysicalDeviceFeatures2 does not offer is refused by name. */
    struct harness_vulkan vk;
    VkPhysicalDeviceGLSamplerFeaturesCLAMPLER offered = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER};
    VkPhysicalDeviceFeatures2 query = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &offered};
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "clampler:validation"});
    vkGetPhysicalDeviceFeatures2(vk.physical, &query);
    harness_vulkan_close(&vk);
    static const char *const names[] = {"glSampler", "glImageView", "glBufferView", "alphaToOneAttachments",
                                        "linearFilterEmulation"};
    for (unsigned i = 0; i < 5; i++) {
        memset(&features.glSampler, 0, 5 * sizeof(VkBool32));
        (&features.glSampler)[i] = VK_TRUE;
        bool offer = (&offered.glSampler)[i];
        assert_int_equal(try_features(&features, true), offer ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT);
        assert_true(offer || said(names[i], "does not offer"));
    }
    scene_expect_silence();
}

/* A structure of the extension in a chain where it has no meaning, and the views' own without their features. */
static void structures_in_the_wrong_place_are_refused(void **state)
{
    (void)state;
    struct scene scene;
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    scene_open(&scene, &(struct harness_vulkan_params){.layers = "clampler:validation"});
    VkDevice device = scene.vk.device;
    (void)scene_sampler_info(SCENE_CLAMP, &gl);
    struct clampler_counters before = harness_counters(&scene.vk);

    VkImageViewGLStateCreateInfoCLAMPLER view_state = {.sType =
                                                           VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER};
    VkSamplerCreateInfo sampler_info = scene_sampler_info(SCENE_EDGE, NULL);
    sampler_info.pNext = &view_state;
    expect_refused(&scene.vk, &sampler_info, "vkCreateSampler", "VkImageViewGLStateCreateInfoCLAMPLER");
    sampler_info = scene_sampler_info(SCENE_CLAMP, &gl);
    gl.pNext = &view_state;
    expect_refused(&scene.vk, &sampler_info, "vkCreateSampler", "VkImageViewGLStateCreateInfoCLAMPLER");
    gl.pNext = NULL;

    const void *chains[] = {&gl, &view_state};
    for (unsigned i = 0; i < 2; i++) {
        VkImageView view = (VkImageView)(uintptr_t)0x5eed;
        VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                      .pNext = chains[i],
                                      .image = scene.textures[SCENE_RAMP].image,
                                      .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                      .format = VK_FORMAT_R8_UNORM,
                                      .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
        harness_messages_reset();
        assert_int_equal(vkCreateImageView(device, &info, NULL, &view), VK_ERROR_VALIDATION_FAILED_EXT);
        assert_ptr_equal(view, (VkImageView)(uintptr_t)0x5eed);
        assert_true(said("vkCreateImageView", i ? "glImageView" : "VkSamplerGLStateCreateInfoCLAMPLER"));
        assert_int_equal(harness_messages(), 0);
    }

    VkImage image = (VkImage)(uintptr_t)0x5eed;
    VkImageCreateInfo image_info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .pNext = &gl,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = VK_FORMAT_R8_UNORM,
                                    .extent = {4, 4, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    harness_messages_reset();
    assert_int_equal(vkCreateImage(device, &image_info, NULL, &image), VK_ERROR_VALIDATION_FAILED_EXT);
    assert_ptr_equal(image, (VkImage)(uintptr_t)0x5eed);
    assert_true(said("vkCreateImage", "VkSamplerGLStateCreateInfoCLAMPLER"));

    struct harness_buffer buffer;
    harness_buffer_create(&scene.vk, &buffer, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, 64, NULL);
    VkBufferViewGLStateCreateInfoCLAMPLER buffer_state = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER};
    VkBufferViewCreateInfo buffer_info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                          .pNext = &buffer_state,
                                          .buffer = buffer.buffer,
                                          .format = VK_FORMAT_R32G32B32A32_SFLOAT,
                                          .range = VK_WHOLE_SIZE};
    VkBufferView buffer_view = (VkBufferView)(uintptr_t)0x5eed;
    harness_messages_reset();
    assert_int_equal(vkCreateBufferView(device, &buffer_info, NULL, &buffer_view), VK_ERROR_VALIDATION_FAILED_EXT);
    assert_ptr_equal(buffer_view, (VkBufferView)(uintptr_t)0x5eed);
    assert_true(said("vkCreateBufferView", "glBufferView"));
    assert_int_equal(harness_messages(), 0);
    harness_buffer_destroy(&scene.vk, &buffer);

    struct clampler_counters after = harness_counters(&scene.vk);
    assert_int_equal(after.live_objects, before.live_objects);
    scene_close(&scene);
}

/* Modules that do not parse are the driver's business, with a word of warning. */
static void malformed_modules_are_handed_on(void **state)
{
    (void)state;
    enum { WORDS = sizeof(integration_single) / sizeof(uint32_t) };
    struct scene scene;
    /* No validation: it would judge the modules. The driver takes the words without a look, until a pipeline comes. */
    scene_open(&scene, &(struct harness_vulkan_params){.layers = "clampler"});
    struct clampler_counters before = harness_counters(&scene.vk);
    for (unsigned kind = 0; kind < 9; kind++) {
        uint32_t words[WORDS];
        size_t bytes = sizeof(words);
        memcpy(words, integration_single, sizeof(words));
        switch (kind) {
        case 0:
            words[0] = 0xdeadbeef; /* no magic number */
            break;
        case 1:
            words[0] = 0x03022307; /* the other byte order */
            break;
        case 2:
            bytes = 4 * sizeof(uint32_t); /* shorter than a header */
            break;
        case 3:
            bytes -= 3 * sizeof(uint32_t); /* ends within the last OpStore */
            break;
        case 4:
            words[5] &= 0xffff; /* an instruction of no words */
            break;
        case 5:
            words[5] |= 0xffff0000; /* one that is longer than the module */
            break;
        case 6:
            words[3] = 0; /* no ids at all */
            break;
        case 7:
            words[3] = UINT32_MAX; /* more ids than there can be */
            break;
        default:
            memset(words + 5, 0xff, sizeof(words) - 5 * sizeof(uint32_t));
            break;
        }
        VkShaderModule module;
        VkShaderModuleCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = bytes, .pCode = words};
        harness_messages_reset();
        assert_int_equal(vkCreateShaderModule(scene.vk.device, &info, NULL, &module), VK_SUCCESS);
        /* The bound of ids is looked at when the module is rewritten, which it is for a pipeline only. */
        assert_true(kind == 6 || kind == 7 || said("does not parse", "SPIR-V"));
        vkDestroyShaderModule(scene.vk.device, module, NULL);
        struct clampler_counters after = harness_counters(&scene.vk);
        assert_int_equal(after.live_objects, before.live_objects);
        assert_int_equal(after.live_bytes, before.live_bytes);
    }
    scene_close(&scene);
}

/* A set may name samplers and views that are gone, as long as nobody draws with them. */
static void sets_may_name_what_is_gone(void **state)
{
    (void)state;
    struct scene scene;
    struct scene_program program;
    scene_open(&scene, NULL);
    scene_program_create(&scene, &program, HARNESS_SPIRV(integration_single), &single_binding, 1, 0, NULL);
    VkDescriptorSet set = harness_set(&scene.vk, program.set_layout);
    for (unsigned round = 0; round < 50; round++) {
        VkSamplerGLStateCreateInfoCLAMPLER gl;
        struct harness_image image;
        const uint8_t texels[4] = {1, 2, 3, 4};
        VkSamplerCreateInfo info = scene_sampler_info(round % 2 ? SCENE_CLAMP : SCENE_MIXED, &gl);
        VkSampler doomed = harness_sampler(&scene.vk, &info);
        harness_image_create(&scene.vk, &image,
                             &(struct harness_image_params){
                                 .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R8_UNORM, .width = 4, .height = 1},
                             texels);
        harness_write_image(&scene.vk, set, 0, 0, SCENE_COMBINED, doomed, image.view);
        vkDestroySampler(scene.vk.device, doomed, NULL);
        harness_image_destroy(&scene.vk, &image);
        if (round % 5)
            continue;
        enum scene_sampler sampler = round % 2 ? SCENE_EDGE : SCENE_CLAMP;
        scene_write(&scene, set, 0, 0, SCENE_COMBINED, sampler, SCENE_STEPS);
        scene_draw(&scene, program.pipeline, program.layout, 1, &set);
        scene_expect_tier(&scene, round % 2 ? 0 : 1);
        scene_expect_row(&scene, 0, sampler, SCENE_STEPS);
    }
    scene_program_destroy(&scene, &program);
    scene_close(&scene);
}

/* A copy takes the record of a sampler that is gone along, and writes to the copy still find everything in order. */
static void records_of_samplers_that_are_gone_can_be_copied(void **state)
{
    (void)state;
    struct scene scene;
    struct scene_program program;
    /* No validation: a descriptor that names a destroyed sampler may not be copied, but that must not crash. */
    scene_open(&scene, &(struct harness_vulkan_params){.layers = "clampler"});
    scene_program_create(&scene, &program, HARNESS_SPIRV(integration_single), &single_binding, 1, 0, NULL);
    VkDescriptorSet from = harness_set(&scene.vk, program.set_layout), to = harness_set(&scene.vk, program.set_layout);
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_CLAMP, &gl);
    VkSampler doomed = harness_sampler(&scene.vk, &info);
    harness_write_image(&scene.vk, from, 0, 0, SCENE_COMBINED, doomed, scene.textures[SCENE_RAMP].view);
    vkDestroySampler(scene.vk.device, doomed, NULL);
    VkCopyDescriptorSet copy = {
        .sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, .srcSet = from, .dstSet = to, .descriptorCount = 1};
    vkUpdateDescriptorSets(scene.vk.device, 0, NULL, 1, &copy);
    scene_write(&scene, to, 0, 0, SCENE_COMBINED, SCENE_EDGE, SCENE_STEPS);
    scene_draw(&scene, program.pipeline, program.layout, 1, &to);
    scene_expect_tier(&scene, 0);
    scene_expect_row(&scene, 0, SCENE_EDGE, SCENE_STEPS);
    scene_program_destroy(&scene, &program);
    scene_close(&scene);
}

/* Handles that the layer has never seen, where Vulkan allows VK_NULL_HANDLE. */
static void null_handles_are_destroyed_in_peace(void **state)
{
    (void)state;
    struct scene scene;
    scene_open(&scene, NULL);
    VkDevice device = scene.vk.device;
    vkDestroySampler(device, VK_NULL_HANDLE, NULL);
    vkDestroyImage(device, VK_NULL_HANDLE, NULL);
    vkDestroyImageView(device, VK_NULL_HANDLE, NULL);
    vkDestroyDescriptorSetLayout(device, VK_NULL_HANDLE, NULL);
    vkDestroyPipelineLayout(device, VK_NULL_HANDLE, NULL);
    vkDestroyDescriptorPool(device, VK_NULL_HANDLE, NULL);
    vkDestroyDescriptorUpdateTemplate(device, VK_NULL_HANDLE, NULL);
    vkDestroyShaderModule(device, VK_NULL_HANDLE, NULL);
    vkDestroyRenderPass(device, VK_NULL_HANDLE, NULL);
    vkDestroyPipeline(device, VK_NULL_HANDLE, NULL);
    vkDestroyCommandPool(device, VK_NULL_HANDLE, NULL);
    const VkCommandBuffer none[] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
    vkFreeCommandBuffers(device, scene.vk.pool, 2, none);
    const VkDescriptorSet nothing[] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
    HARNESS_VK(vkFreeDescriptorSets(device, scene.vk.descriptors, 2, nothing));
    vkUpdateDescriptorSets(device, 0, NULL, 0, NULL);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_illegal_token_is_refused_by_field_and_value),
        cmocka_unit_test(a_refusal_leaves_the_programs_objects_intact),
        cmocka_unit_test(numbers_that_are_none_count_as_defaults),
        cmocka_unit_test(a_ycbcr_conversion_beside_gl_state_is_refused),
        cmocka_unit_test(samplers_of_subsampled_images_have_no_gl_state),
        cmocka_unit_test(the_private_address_modes_do_what_the_structure_does),
        cmocka_unit_test(without_the_feature_its_structures_and_modes_are_refused),
        cmocka_unit_test(features_need_the_extension_and_an_offer),
        cmocka_unit_test(structures_in_the_wrong_place_are_refused),
        cmocka_unit_test(malformed_modules_are_handed_on),
        cmocka_unit_test(sets_may_name_what_is_gone),
        cmocka_unit_test(records_of_samplers_that_are_gone_can_be_copied),
        cmocka_unit_test(null_handles_are_destroyed_in_peace),
    };
    return cmocka_run_group_tests_name("bad_input", tests, NULL, NULL);
}
