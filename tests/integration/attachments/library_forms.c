/* SPDX-License-Identifier: MIT */
/*
 * Attachments without alpha are drawn alike by pipelines in every form of libraries (VK_EXT_graphics_pipeline_library),
 * for formats of every way to keep alpha, and whenever tiers are compiled: as whole pipelines draw where alpha is 1 in
 * memory and not written. Nothing is compiled of a library, which is no whole pipeline; the variant that is made with a
 * pipeline is made with the link. Skipped where the driver has no libraries.
 */
#include <stdlib.h>
#include <string.h>

#include "blend/blend.h"
#include "harness/drawing/pipeline_parts.h"
#include "integration/attachments/alpha_scene.h"
#include "integration_forms_float.h"
#include "integration_forms_signed.h"
#include "integration_forms_unsigned.h"
#include "integration_forms_vertex.h"

enum {
    INPUT = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
    BEFORE = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
    FRAGMENT = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
    OUTPUT = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT,
    ALL = PIPELINE_ALL_PARTS,
    LIBRARIES_MOST = 5,
    BYTES_MOST = ALPHA_PIXELS * 16,
};

/* A pipeline: libraries of these parts, of which the first `nested` are linked into one first, and what is its own. */
struct form {
    const char *name;
    VkFlags libraries[4];
    unsigned nested;
    VkFlags own;
    bool optimized; /* linked with LINK_TIME_OPTIMIZATION */
};

static const struct form whole = {.name = "whole", .own = ALL};
static const struct form forms[] = {
    {"a library a part", {INPUT, BEFORE, FRAGMENT, OUTPUT}, 0, 0, false},
    {"a library a part, optimized", {INPUT, BEFORE, FRAGMENT, OUTPUT}, 0, 0, true},
    {"two libraries", {INPUT | BEFORE, FRAGMENT | OUTPUT}, 0, 0, false},
    {"the output apart", {INPUT | BEFORE | FRAGMENT, OUTPUT}, 0, 0, true},
    {"the link brings the output", {INPUT, BEFORE, FRAGMENT}, 0, OUTPUT, false},
    {"the link brings the shaders", {INPUT, OUTPUT}, 0, BEFORE | FRAGMENT, false},
    {"the link brings all but the output", {OUTPUT}, 0, INPUT | BEFORE | FRAGMENT, false},
    {"a library of the shaders' libraries", {BEFORE, FRAGMENT, INPUT, OUTPUT}, 2, 0, false},
    {"a library of the output's library", {FRAGMENT, OUTPUT, INPUT, BEFORE}, 2, 0, true},
    {"a library of three libraries", {INPUT, BEFORE, OUTPUT, FRAGMENT}, 3, 0, false},
    {"a library of libraries, and the shaders", {INPUT, OUTPUT}, 2, BEFORE | FRAGMENT, false},
};
enum { FORMS = sizeof(forms) / sizeof(forms[0]) };

/* ---- Making ---- */

struct target {
    struct alpha_scene *scene;
    const struct blend_format *format;
    const VkPipelineColorBlendAttachmentState *state;
    struct blending_pass pass;
    VkShaderModule modules[2];
};

static struct harness_spirv fragment_of(const struct blend_format *format)
{
    switch (format->number) {
    case BLEND_UINT:
        return HARNESS_SPIRV(integration_forms_unsigned);
    case BLEND_SINT:
        return HARNESS_SPIRV(integration_forms_signed);
    default:
        return HARNESS_SPIRV(integration_forms_float);
    }
}

/* One create-info of some parts, linked with `count` libraries; a library itself if `library`. */
static VkPipeline make(const struct target *target, VkFlags brings, bool library, bool optimized,
                       const VkPipeline *libraries, uint32_t count)
{
    const struct pipeline_parts parts = {.vk = &target->scene->vk,
                                         .pass = &target->pass,
                                         .format = target->format->format,
                                         .layout = target->scene->layout,
                                         .state = target->state,
                                         .modules = {target->modules[0], target->modules[1]}};
    return pipeline_of_parts(&parts, brings, library, optimized, libraries, count);
}

struct made {
    VkPipeline pipeline, libraries[LIBRARIES_MOST];
    uint32_t library_count;
};

static void create(const struct target *target, const struct form *form, struct made *made)
{
    const struct clampler_counters before = harness_counters(&target->scene->vk);
    VkPipeline linked[LIBRARIES_MOST];
    uint32_t link_count = 0;
    *made = (struct made){.library_count = 0};
    for (unsigned i = 0; i < 4 && form->libraries[i]; i++) {
        linked[link_count++] = made->libraries[made->library_count++] =
            make(target, form->libraries[i], true, false, NULL, 0);
        if (i + 1 != form->nested)
            continue;
        made->libraries[made->library_count] = make(target, 0, true, false, linked, link_count);
        linked[0] = made->libraries[made->library_count++];
        link_count = 1;
    }
    const struct clampler_counters after = harness_counters(&target->scene->vk);
    assert_int_equal(after.blend_variants, before.blend_variants); /* nothing is compiled of libraries */
    assert_int_equal(after.alpha_written, before.alpha_written);
    made->pipeline = make(target, form->own, false, form->optimized, linked, link_count);
}

static void destroy(const struct target *target, struct made *made)
{
    vkDestroyPipeline(target->scene->vk.device, made->pipeline, NULL);
    for (uint32_t i = 0; i < made->library_count; i++)
        vkDestroyPipeline(target->scene->vk.device, made->libraries[i], NULL);
}

/* ---- Drawing ---- */

/* Blended with a clear colour, which is there; its alpha is 1 where `one`. */
static VkClearColorValue clear_of(const struct blend_format *format, bool one)
{
    VkClearColorValue color = {.float32 = {0.75f, 0.25f, 0.5f, one ? 1 : 0.375f}};
    if (format->number != BLEND_FLOAT)
        color = (VkClearColorValue){.uint32 = {3, 1, 2, one ? 1 : 3}};
    return color;
}

/* What a form draws to an attachment of a base format, or to one of Vulkan's; *made_with: what its creation made. */
static void draw(struct alpha_scene *scene, const struct blend_format *format, uint32_t base_format,
                 const VkPipelineColorBlendAttachmentState *state, enum blending_style style, const struct form *form,
                 uint8_t pixels[BYTES_MOST], struct clampler_counters *created, struct clampler_counters *drawn)
{
    struct target target = {scene, format, state, .pass = {.pass = VK_NULL_HANDLE}};
    struct harness_image image;
    struct made made;
    blending_image_create(
        &scene->vk, &image,
        &(struct blending_image_params){
            .format = format->format, .width = ALPHA_SIZE, .height = ALPHA_SIZE, .base_format = base_format},
        NULL);
    struct blending_pass_params params = alpha_pass(style, image.view, VK_ATTACHMENT_LOAD_OP_CLEAR);
    params.formats[0] = format->format;
    blending_pass_create(&scene->vk, &target.pass, &params);
    target.modules[0] = harness_module(&scene->vk, HARNESS_SPIRV(integration_forms_vertex));
    target.modules[1] = harness_module(&scene->vk, fragment_of(format));
    create(&target, form, &made);
    for (unsigned i = 0; i < 2; i++)
        vkDestroyShaderModule(scene->vk.device, target.modules[i], NULL);
    *created = harness_counters(&scene->vk);
    const VkClearColorValue clear = clear_of(format, !base_format);
    blending_draw(&scene->vk, &target.pass, &clear, made.pipeline);
    *drawn = harness_counters(&scene->vk);
    memset(pixels, 0, BYTES_MOST);
    blending_image_read(&scene->vk, &image, pixels);
    destroy(&target, &made);
    alpha_detach(scene, &image, &target.pass);
}

/* ---- Formats and states ---- */

static bool can_be_drawn(const struct alpha_scene *scene, const struct blend_format *format)
{
    VkFormatProperties properties;
    if (format->format == (VkFormat)1000470000) /* A1B5G5R5_UNORM_PACK16, of maintenance5 */
        return false;
    vkGetPhysicalDeviceFormatProperties(scene->vk.physical, format->format, &properties);
    const VkFormatFeatureFlags needed = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_TRANSFER_SRC_BIT |
                                        VK_FORMAT_FEATURE_TRANSFER_DST_BIT |
                                        (format->number == BLEND_FLOAT ? VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT
                                                                       : VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT);
    return (properties.optimalTilingFeatures & needed) == needed;
}

/* Whether another format of the table is of the same way and numbers, and comes first. */
static bool is_like_an_earlier(const struct alpha_scene *scene, uint32_t index)
{
    const struct blend_format *format = blend_format_at(index);
    for (uint32_t i = 0; i < index; i++) {
        const struct blend_format *other = blend_format_at(i);
        if (other->keeps == format->keeps && other->number == format->number && can_be_drawn(scene, other))
            return true;
    }
    return false;
}

#define F(NAME) VK_BLEND_FACTOR_##NAME
static const struct {
    VkPipelineColorBlendAttachmentState state;
    bool blends;
    bool written; /* shaders may write alpha: blending takes nothing of what is there, where alpha is 1 */
} states[] = {
    {{.colorWriteMask = ALPHA_RGBA}, false, true},
    {{.colorWriteMask = VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_A_BIT}, false, true},
    {{VK_TRUE, F(SRC_ALPHA), F(ZERO), VK_BLEND_OP_ADD, F(ONE), F(ZERO), VK_BLEND_OP_ADD, ALPHA_RGBA}, true, true},
    {{VK_TRUE, F(SRC_ALPHA), F(ONE_MINUS_SRC_ALPHA), VK_BLEND_OP_ADD, F(ONE), F(ONE), VK_BLEND_OP_ADD, ALPHA_RGBA},
     true,
     false},
    {{VK_TRUE, F(DST_ALPHA), F(ONE_MINUS_DST_ALPHA), VK_BLEND_OP_ADD, F(DST_ALPHA), F(ONE), VK_BLEND_OP_ADD,
      ALPHA_RGBA},
     true,
     true},
};
enum { STATES = sizeof(states) / sizeof(states[0]) };

static void expect_alike(struct alpha_scene *scene, const struct blend_format *format, unsigned state, bool lazy)
{
    static uint8_t expected[BYTES_MOST], found[BYTES_MOST];
    struct clampler_counters before, created, drawn;
    VkPipelineColorBlendAttachmentState control = states[state].state;
    control.colorWriteMask &= ALPHA_RGB;
    if (control.dstColorBlendFactor == F(ONE_MINUS_DST_ALPHA)) {
        control.srcColorBlendFactor = F(ONE);
        control.dstColorBlendFactor = F(ZERO);
    }
    draw(scene, format, 0, &control, BLENDING_PASS, &whole, expected, &created, &drawn);
    const bool written = states[state].written && format->keeps == BLEND_SHADER_WRITES && alpha_is_written();
    for (unsigned i = 0; i <= FORMS; i++) {
        const struct form *form = i ? &forms[i - 1] : &whole;
        before = harness_counters(&scene->vk);
        draw(scene, format, GL_RGB_BASE, &states[state].state, (state + i) % 2 ? BLENDING_DYNAMIC : BLENDING_PASS, form,
             found, &created, &drawn);
        if (memcmp(found, expected, sizeof(found)) != 0)
            fail_msg("%s, state %u, %s", format->name, state, form->name);
        assert_true(drawn.blend_updates + drawn.blend_variants > before.blend_updates + before.blend_variants);
        assert_int_equal(drawn.alpha_written - before.alpha_written, written);
        assert_int_equal(created.alpha_written - before.alpha_written, written && !lazy);
    }
}

static void run(const char *tiers)
{
    static const char *const extensions[] = {VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                                             VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME};
    static const VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT library = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
        .graphicsPipelineLibrary = VK_TRUE};
    static const VkPhysicalDeviceVulkan13Features features13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .pNext = (void *)(uintptr_t)&library,
        .dynamicRendering = VK_TRUE};
    static const VkPhysicalDeviceFeatures core = {.independentBlend = VK_TRUE};
    struct alpha_scene scene;
    unsigned formats = 0, written = 0;
    if (!harness_driver_has(VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME)) {
        print_message("the driver has no pipeline libraries\n");
        skip();
    }
    setenv("VK_CLAMPLER_TIERS", tiers, 1);
    alpha_open_with(&scene, (struct harness_vulkan_params){.gl_sampler = true,
                                                           .alpha_to_one = true,
                                                           .device_extensions = extensions,
                                                           .device_extension_count = 2,
                                                           .device_next = &features13,
                                                           .features = &core});
    unsetenv("VK_CLAMPLER_TIERS");
    for (uint32_t i = 0; i < BLEND_FORMATS; i++) {
        const struct blend_format *format = blend_format_at(i);
        if (!can_be_drawn(&scene, format) || is_like_an_earlier(&scene, i))
            continue;
        formats++;
        written += format->keeps == BLEND_SHADER_WRITES;
        for (unsigned state = 0; state < STATES; state++) {
            if (format->number == BLEND_FLOAT || !states[state].blends)
                expect_alike(&scene, format, state, strcmp(tiers, "lazy") == 0);
        }
    }
    assert_true(formats >= 4 && written >= 2);
    alpha_close(&scene);
}

static void tiers_that_are_compiled_lazily(void **state)
{
    (void)state;
    run("lazy");
}

static void tiers_that_are_compiled_with_the_pipeline(void **state)
{
    (void)state;
    run("eager");
}

static void tiers_that_are_compiled_ahead(void **state)
{
    (void)state;
    run("ahead");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiers_that_are_compiled_lazily),
        cmocka_unit_test(tiers_that_are_compiled_with_the_pipeline),
        cmocka_unit_test(tiers_that_are_compiled_ahead),
    };
    return cmocka_run_group_tests_name("library_forms", tests, NULL, NULL);
}
