/* SPDX-License-Identifier: MIT */
/*
 * Attachments without alpha in every kind of pass and command buffer: secondaries and what they inherit, subpasses,
 * multiview, suspended rendering, resolves, settings, devices without independent blending; and what the program itself
 * sets while recording.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/drawing/passes.h"
#include "integration/attachments/alpha_scene.h"
#include "integration_blend_2.h"
#include "integration_blend_plain.h"

/* ---- Secondary command buffers ---- */

static VkCommandBuffer begin_secondary(struct alpha_scene *scene, const VkCommandBufferInheritanceInfo *inheritance)
{
    VkCommandBuffer commands;
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                            .pInheritanceInfo = inheritance};
    harness_commands(&scene->vk, VK_COMMAND_BUFFER_LEVEL_SECONDARY, 1, &commands);
    HARNESS_VK(vkBeginCommandBuffer(commands, &begin));
    return commands;
}

enum inherits { BY_FRAMEBUFFER, BY_STRUCTURE, BY_STRUCTURE_RENDERING, BY_NOTHING };

static void draw_in_secondary(struct alpha_scene *scene, enum inherits inherits, alpha_pixels found)
{
    struct harness_image image;
    struct blending_pass pass;
    alpha_target(scene, &image, GL_RGB_BASE, false);
    const struct blending_pass_params params = alpha_pass(
        inherits == BY_STRUCTURE_RENDERING ? BLENDING_DYNAMIC : BLENDING_PASS, image.view, VK_ATTACHMENT_LOAD_OP_LOAD);
    blending_pass_create(&scene->vk, &pass, &params);
    VkPipeline pipeline = alpha_pipeline(scene, &pass, &alpha_reads_alpha);
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = params.formats,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkCommandBufferInheritanceGLStateCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_STATE_CLAMPLER,
        .pNext = inherits == BY_STRUCTURE_RENDERING ? &rendering : NULL,
        .alphaToOneMask = 1};
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pNext = inherits == BY_STRUCTURE || inherits == BY_STRUCTURE_RENDERING ? &gl : NULL,
        .renderPass = pass.pass,
        .framebuffer = inherits == BY_FRAMEBUFFER ? pass.framebuffer : VK_NULL_HANDLE};
    VkCommandBuffer secondary = begin_secondary(scene, &inheritance);
    vkCmdBindPipeline(secondary, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(secondary, 3, 1, 0, 0);
    HARNESS_VK(vkEndCommandBuffer(secondary));
    VkCommandBuffer commands = harness_begin(&scene->vk);
    blending_pass_begin(&pass, commands, NULL, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vkCmdExecuteCommands(commands, 1, &secondary);
    blending_pass_end(&pass, commands);
    harness_submit(&scene->vk, commands);
    blending_image_read(&scene->vk, &image, found);
    vkFreeCommandBuffers(scene->vk.device, scene->vk.pool, 1, &secondary);
    vkDestroyPipeline(scene->vk.device, pipeline, NULL);
    alpha_detach(scene, &image, &pass);
}

static void secondaries_know_from_framebuffers_and_from_the_structure(void **state)
{
    (void)state;
    struct alpha_scene scene;
    alpha_pixels expected, found;
    /* The validation layer of Debian 12 above Clampler does not know the structure in that chain. */
    alpha_open(&scene);
    alpha_native(&scene, &alpha_reads_alpha, expected);
    for (enum inherits inherits = BY_FRAMEBUFFER; inherits <= BY_STRUCTURE_RENDERING; inherits++) {
        draw_in_secondary(&scene, inherits, found);
        alpha_expect_colors(found, expected);
        alpha_expect_alpha(found, 255);
    }
    assert_int_equal(harness_layer_messages(), 0);
    draw_in_secondary(&scene, BY_NOTHING, found); /* said in the log, and blended with what is in memory */
    assert_int_equal(harness_layer_messages(), 1);
    alpha_close(&scene);
}

/* ---- Subpasses and multiview ---- */

/* The first subpass draws to an attachment without alpha, the second to one with alpha. */
static void subpasses_have_masks_of_their_own(void **state)
{
    (void)state;
    struct alpha_scene scene;
    alpha_pixels one, other, found;
    alpha_open(&scene);
    alpha_native(&scene, &alpha_reads_alpha, one);
    alpha_drawn(&scene, GL_RGBA_BASE, false, &alpha_reads_alpha, other);
    struct harness_image images[2];
    alpha_target(&scene, &images[0], GL_RGB_BASE, false);
    alpha_target(&scene, &images[1], GL_RGBA_BASE, false);
    VkAttachmentDescription attachments[2];
    for (unsigned i = 0; i < 2; i++)
        attachments[i] = harness_attachment(ALPHA_FORMAT, VK_ATTACHMENT_LOAD_OP_LOAD);
    const VkAttachmentReference references[2] = {{0, VK_IMAGE_LAYOUT_GENERAL}, {1, VK_IMAGE_LAYOUT_GENERAL}};
    const VkSubpassDescription subpasses[2] = {{.colorAttachmentCount = 1, .pColorAttachments = &references[0]},
                                               {.colorAttachmentCount = 1, .pColorAttachments = &references[1]}};
    const VkImageView views[2] = {images[0].view, images[1].view};
    struct blending_pass pass = {
        .params = {.count = 1, .formats = {ALPHA_FORMAT}, .width = ALPHA_SIZE, .height = ALPHA_SIZE}};
    pass.pass = harness_pass(&scene.vk, attachments, 2, subpasses, 2);
    pass.framebuffer = harness_framebuffer(&scene.vk, pass.pass, views, 2, ALPHA_SIZE, ALPHA_SIZE);
    VkPipeline pipelines[2];
    for (uint32_t i = 0; i < 2; i++)
        pipelines[i] =
            blending_pipeline(&scene.vk, &pass,
                              &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_blend_plain),
                                                                 .layout = scene.layout,
                                                                 .states = {alpha_reads_alpha},
                                                                 .subpass = i});
    VkCommandBuffer commands = harness_begin(&scene.vk);
    harness_pass_begin(commands, pass.pass, pass.framebuffer, ALPHA_SIZE, ALPHA_SIZE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[0]);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[1]);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdEndRenderPass(commands);
    harness_submit(&scene.vk, commands);
    blending_image_read(&scene.vk, &images[0], found);
    alpha_expect_colors(found, one);
    alpha_expect_alpha(found, 255);
    blending_image_read(&scene.vk, &images[1], found);
    assert_memory_equal(found, other, sizeof(found));
    for (uint32_t i = 0; i < 2; i++) {
        vkDestroyPipeline(scene.vk.device, pipelines[i], NULL);
        harness_image_destroy(&scene.vk, &images[i]);
    }
    blending_pass_destroy(&scene.vk, &pass);
    alpha_close(&scene);
}

/*
 * What is first read as an input attachment alone must not be cleared (VUID-VkSubpassDescription-loadOp-00846, …00836):
 * its alpha, undefined as all of it, is filled before the next pass that loads it.
 */
static void what_is_read_first_is_not_cleared(void **state)
{
    (void)state;
    for (unsigned second = 0; second < 2; second++) {
        struct alpha_scene scene;
        struct harness_image images[2];
        struct blending_pass pass, loads;
        alpha_pixels found;
        alpha_open(&scene);
        alpha_noise(found, false);
        for (unsigned i = 0; i < 2; i++)
            blending_image_create(&scene.vk, &images[i],
                                  &(struct blending_image_params){.format = ALPHA_FORMAT,
                                                                  .width = ALPHA_SIZE,
                                                                  .height = ALPHA_SIZE,
                                                                  .base_format = GL_RGB_BASE,
                                                                  .usage = VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT},
                                  found);
        const VkImageView views[2] = {images[0].view, images[1].view};
        VkAttachmentDescription attachments[2] = {{.format = ALPHA_FORMAT,
                                                   .samples = VK_SAMPLE_COUNT_1_BIT,
                                                   .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                                   .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                   .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                                   .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                                   .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                   .finalLayout = VK_IMAGE_LAYOUT_GENERAL}};
        attachments[1] = attachments[0];
        const VkAttachmentReference reads = {0, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
                                    writes[2] = {{1, VK_IMAGE_LAYOUT_GENERAL}, {0, VK_IMAGE_LAYOUT_GENERAL}};
        const VkSubpassDescription subpasses[2] = {{.inputAttachmentCount = 1,
                                                    .pInputAttachments = &reads,
                                                    .colorAttachmentCount = 1,
                                                    .pColorAttachments = &writes[0]},
                                                   {.colorAttachmentCount = 1, .pColorAttachments = &writes[1]}};
        const VkSubpassDependency dependency = {.dstSubpass = 1,
                                                .srcStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                                                .dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                                .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT};
        const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                             .attachmentCount = 2,
                                             .pAttachments = attachments,
                                             .subpassCount = 1 + second,
                                             .pSubpasses = subpasses,
                                             .dependencyCount = second,
                                             .pDependencies = &dependency};
        pass = (struct blending_pass){
            .params = {.count = 1, .formats = {ALPHA_FORMAT}, .width = ALPHA_SIZE, .height = ALPHA_SIZE}};
        HARNESS_VK(vkCreateRenderPass(scene.vk.device, &info, NULL, &pass.pass));
        pass.framebuffer = harness_framebuffer(&scene.vk, pass.pass, views, 2, ALPHA_SIZE, ALPHA_SIZE);
        const struct blending_pass_params params = alpha_pass(BLENDING_PASS, views[0], VK_ATTACHMENT_LOAD_OP_LOAD);
        blending_pass_create(&scene.vk, &loads, &params);
        VkCommandBuffer commands = harness_begin(&scene.vk);
        harness_pass_begin(commands, pass.pass, pass.framebuffer, ALPHA_SIZE, ALPHA_SIZE);
        if (second)
            vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
        vkCmdEndRenderPass(commands);
        const uint64_t before = harness_counters(&scene.vk).alpha_fills;
        blending_pass_begin(&loads, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
        blending_pass_end(&loads, commands);
        assert_int_equal(harness_counters(&scene.vk).alpha_fills - before, 1);
        harness_submit(&scene.vk, commands);
        for (unsigned i = 0; i < 2; i++) {
            blending_image_read(&scene.vk, &images[i], found);
            alpha_expect_alpha(found, 255); /* of the second by a clear */
            harness_image_destroy(&scene.vk, &images[i]);
        }
        blending_pass_destroy(&scene.vk, &loads);
        blending_pass_destroy(&scene.vk, &pass);
        alpha_close(&scene);
    }
}

static void every_view_of_multiview_is_drawn_and_filled(void **state)
{
    (void)state;
    struct alpha_scene scene;
    alpha_pixels expected, found;
    alpha_open(&scene);
    alpha_native(&scene, &alpha_reads_alpha, expected);
    for (enum blending_style style = BLENDING_PASS; style < BLENDING_STYLES; style++) {
        struct harness_image image;
        struct blending_pass pass;
        static uint8_t texels[2][ALPHA_PIXELS][4];
        if (style == BLENDING_IMAGELESS)
            continue;
        alpha_noise(texels[0], false);
        alpha_noise(texels[1], false);
        blending_image_create(&scene.vk, &image,
                              &(struct blending_image_params){.format = ALPHA_FORMAT,
                                                              .width = ALPHA_SIZE,
                                                              .height = ALPHA_SIZE,
                                                              .layers = 2,
                                                              .base_format = GL_RGB_BASE},
                              texels);
        struct blending_pass_params params = alpha_pass(style, image.view, VK_ATTACHMENT_LOAD_OP_LOAD);
        params.view_mask = 3;
        blending_pass_create(&scene.vk, &pass, &params);
        VkPipeline pipeline = alpha_pipeline(&scene, &pass, &alpha_reads_alpha);
        blending_draw(&scene.vk, &pass, NULL, pipeline);
        for (uint32_t layer = 0; layer < 2; layer++) {
            harness_image_read(&scene.vk, &image, VK_IMAGE_LAYOUT_GENERAL, 0, layer, found);
            alpha_expect_colors(found, expected);
            alpha_expect_alpha(found, 255);
        }
        vkDestroyPipeline(scene.vk.device, pipeline, NULL);
        alpha_detach(&scene, &image, &pass);
    }
    alpha_close(&scene);
}

/* ---- Suspended and resumed rendering ---- */

static void resumed_rendering_goes_on_as_it_began(void **state)
{
    (void)state;
    struct alpha_scene scene;
    struct harness_image image;
    struct blending_pass pass;
    alpha_pixels found;
    alpha_open(&scene);
    alpha_attach(&scene, &image, &pass, BLENDING_DYNAMIC, GL_RGB_BASE, false, VK_ATTACHMENT_LOAD_OP_DONT_CARE);
    VkPipeline replaces = alpha_pipeline(&scene, &pass, &alpha_replaces);
    VkPipeline blends = alpha_pipeline(&scene, &pass, &alpha_reads_alpha);
    const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                             .imageView = image.view,
                                             .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                             .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                             .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                            .flags = VK_RENDERING_SUSPENDING_BIT,
                            .renderArea = {{0, 0}, {ALPHA_SIZE, ALPHA_SIZE}},
                            .layerCount = 1,
                            .colorAttachmentCount = 1,
                            .pColorAttachments = &color};
    VkCommandBuffer commands = harness_begin(&scene.vk);
    vkCmdBeginRendering(commands, &info);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, replaces);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdEndRendering(commands);
    info.flags = VK_RENDERING_RESUMING_BIT;
    vkCmdBeginRendering(commands, &info);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, blends);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdEndRendering(commands);
    harness_submit(&scene.vk, commands);
    blending_image_read(&scene.vk, &image, found);
    alpha_expect_alpha(found, 255);
    for (unsigned i = 0; i < ALPHA_PIXELS; i++) { /* source x 1 + what was there x 0 */
        assert_int_equal(found[i][0], i % ALPHA_SIZE * 17);
        assert_int_equal(found[i][1], i / ALPHA_SIZE * 17);
    }
    vkDestroyPipeline(scene.vk.device, replaces, NULL);
    vkDestroyPipeline(scene.vk.device, blends, NULL);
    alpha_detach(&scene, &image, &pass);
    alpha_close(&scene);
}

/* ---- What the program sets while recording ---- */

static void open_dynamic(struct alpha_scene *scene)
{
    static const char *const extensions[] = {VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME};
    static const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
        .extendedDynamicState3ColorBlendEnable = VK_TRUE,
        .extendedDynamicState3ColorBlendEquation = VK_TRUE,
        .extendedDynamicState3ColorWriteMask = VK_TRUE};
    alpha_open(scene);
    const bool possible = scene->dynamic;
    alpha_close(scene);
    if (!possible)
        skip();
    alpha_open_with(scene, (struct harness_vulkan_params){.gl_sampler = true,
                                                          .alpha_to_one = true,
                                                          .device_extensions = extensions,
                                                          .device_extension_count = 1,
                                                          .device_next = &features});
}

static VkPipeline dynamic_pipeline(struct alpha_scene *scene, const struct blending_pass *pass)
{
    static const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
                                             VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
                                             VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT};
    return blending_pipeline(&scene->vk, pass,
                             &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_blend_plain),
                                                                .layout = scene->layout,
                                                                .dynamic = dynamic,
                                                                .dynamic_count = 3});
}

/* The state is alpha_reads_alpha. */
static void bind_and_set(struct alpha_scene *scene, VkCommandBuffer commands, VkPipeline pipeline)
{
    const VkPipelineColorBlendAttachmentState *s = &alpha_reads_alpha;
    const VkColorBlendEquationEXT equation = {s->srcColorBlendFactor, s->dstColorBlendFactor, s->colorBlendOp,
                                              s->srcAlphaBlendFactor, s->dstAlphaBlendFactor, s->alphaBlendOp};
    const VkBool32 enable = VK_TRUE;
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    HARNESS_PROC(&scene->vk, vkCmdSetColorBlendEnableEXT)(commands, 0, 1, &enable);
    HARNESS_PROC(&scene->vk, vkCmdSetColorBlendEquationEXT)(commands, 0, 1, &equation);
    HARNESS_PROC(&scene->vk, vkCmdSetColorWriteMaskEXT)(commands, 0, 1, &s->colorWriteMask);
}

static void the_programs_own_dynamic_state_is_honoured(void **state)
{
    (void)state;
    struct alpha_scene scene;
    alpha_pixels one, other, found;
    open_dynamic(&scene);
    alpha_native(&scene, &alpha_reads_alpha, one);
    alpha_drawn(&scene, GL_RGBA_BASE, false, &alpha_reads_alpha, other);
    struct harness_image images[2];
    struct blending_pass passes[2];
    for (unsigned i = 0; i < 2; i++) {
        alpha_attach(&scene, &images[i], &passes[i], BLENDING_PASS, i ? GL_RGBA_BASE : GL_RGB_BASE, false,
                     VK_ATTACHMENT_LOAD_OP_LOAD);
    }
    VkPipeline pipeline = dynamic_pipeline(&scene, &passes[0]);
    VkCommandBuffer commands = harness_begin(&scene.vk);
    /* Set once, before any pass: the second pass has another mask. */
    bind_and_set(&scene, commands, pipeline);
    for (unsigned i = 0; i < 2; i++) {
        blending_pass_begin(&passes[i], commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
        vkCmdDraw(commands, 3, 1, 0, 0);
        blending_pass_end(&passes[i], commands);
    }
    harness_submit(&scene.vk, commands);
    blending_image_read(&scene.vk, &images[0], found);
    alpha_expect_colors(found, one);
    alpha_expect_alpha(found, 255);
    blending_image_read(&scene.vk, &images[1], found);
    assert_memory_equal(found, other, sizeof(found));
    vkDestroyPipeline(scene.vk.device, pipeline, NULL);
    for (unsigned i = 0; i < 2; i++) {
        alpha_detach(&scene, &images[i], &passes[i]);
    }
    alpha_close(&scene);
}

/* The layer draws before the pass; what the program bound and set before that still counts. */
static void what_was_set_before_a_fill_is_put_back(void **state)
{
    (void)state;
    static const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR,
                                             VK_DYNAMIC_STATE_BLEND_CONSTANTS, VK_DYNAMIC_STATE_CULL_MODE,
                                             VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY};
    static const float constants[4] = {0.2f, 0.4f, 0.6f, 0.8f};
    struct alpha_scene scene;
    struct harness_image image;
    struct blending_pass pass;
    alpha_pixels noise, found;
    alpha_open(&scene);
    alpha_attach(&scene, &image, &pass, BLENDING_PASS, GL_RGB_BASE, false, VK_ATTACHMENT_LOAD_OP_LOAD);
    alpha_noise(noise, false);
    const VkPipelineColorBlendAttachmentState state_of = {VK_TRUE,
                                                          VK_BLEND_FACTOR_ZERO,
                                                          VK_BLEND_FACTOR_CONSTANT_COLOR,
                                                          VK_BLEND_OP_ADD,
                                                          VK_BLEND_FACTOR_ZERO,
                                                          VK_BLEND_FACTOR_ZERO,
                                                          VK_BLEND_OP_ADD,
                                                          ALPHA_RGBA};
    VkPipeline pipeline =
        blending_pipeline(&scene.vk, &pass,
                          &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_blend_plain),
                                                             .layout = scene.layout,
                                                             .states = {state_of},
                                                             .dynamic = dynamic,
                                                             .dynamic_count = 5});
    /* The left half only, and one triangle that a wrong cull mode or topology would lose. */
    const VkViewport viewport = {0, 0, 2 * ALPHA_SIZE, 2 * ALPHA_SIZE, 0, 1};
    const VkRect2D scissor = {{0, 0}, {ALPHA_SIZE / 2, ALPHA_SIZE}};
    VkCommandBuffer commands = harness_begin(&scene.vk);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdSetViewport(commands, 0, 1, &viewport);
    vkCmdSetScissor(commands, 0, 1, &scissor);
    vkCmdSetBlendConstants(commands, constants);
    vkCmdSetCullMode(commands, VK_CULL_MODE_NONE);
    vkCmdSetPrimitiveTopology(commands, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
    blending_pass_begin(&pass, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdDraw(commands, 3, 1, 0, 0);
    blending_pass_end(&pass, commands);
    harness_submit(&scene.vk, commands);
    assert_true(harness_counters(&scene.vk).alpha_fills >= 1);
    blending_image_read(&scene.vk, &image, found);
    alpha_expect_alpha(found, 255);
    for (unsigned i = 0; i < ALPHA_PIXELS; i++) {
        for (unsigned c = 0; c < 3; c++) {
            const float factor = i % ALPHA_SIZE < ALPHA_SIZE / 2 ? constants[c] : 1.0f;
            assert_true(abs((int)(noise[i][c] * factor + 0.5f) - found[i][c]) <= 1);
        }
    }
    vkDestroyPipeline(scene.vk.device, pipeline, NULL);
    alpha_detach(&scene, &image, &pass);
    alpha_close(&scene);
}

/*
 * The first pass is filled, and nothing is drawn in it; the second one's target has alpha, and nothing is bound or set
 * in between: blend state is what the program set, and no more the fill's.
 */
static void blend_state_of_before_a_fill_counts_without_a_bind(void **state)
{
    (void)state;
    struct alpha_scene scene;
    struct harness_image images[2];
    struct blending_pass passes[2];
    alpha_pixels expected, found;
    open_dynamic(&scene);
    alpha_drawn(&scene, GL_RGBA_BASE, false, &alpha_reads_alpha, expected);
    for (unsigned i = 0; i < 2; i++) {
        alpha_attach(&scene, &images[i], &passes[i], BLENDING_PASS, i ? GL_RGBA_BASE : GL_RGB_BASE, false,
                     VK_ATTACHMENT_LOAD_OP_LOAD);
    }
    VkPipeline pipeline = dynamic_pipeline(&scene, &passes[1]);
    const uint64_t fills = harness_counters(&scene.vk).alpha_fills;
    VkCommandBuffer commands = harness_begin(&scene.vk);
    bind_and_set(&scene, commands, pipeline);
    for (unsigned i = 0; i < 2; i++) {
        blending_pass_begin(&passes[i], commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
        if (i)
            vkCmdDraw(commands, 3, 1, 0, 0);
        blending_pass_end(&passes[i], commands);
    }
    harness_submit(&scene.vk, commands);
    assert_int_equal(harness_counters(&scene.vk).alpha_fills, fills + 1);
    blending_image_read(&scene.vk, &images[1], found);
    assert_memory_equal(found, expected, sizeof(found));
    vkDestroyPipeline(scene.vk.device, pipeline, NULL);
    for (unsigned i = 0; i < 2; i++) {
        alpha_detach(&scene, &images[i], &passes[i]);
    }
    alpha_close(&scene);
}

/* ---- Pipelines that were made before anybody knew, and libraries ---- */

static void pipelines_made_before_any_such_view_get_one_variant(void **state)
{
    (void)state;
    struct alpha_scene scene;
    alpha_pixels expected, found;
    alpha_open(&scene);
    alpha_native(&scene, &alpha_reads_alpha, expected);
    struct harness_image plain;
    struct blending_pass plain_pass;
    alpha_attach(&scene, &plain, &plain_pass, BLENDING_PASS, GL_RGBA_BASE, false, VK_ATTACHMENT_LOAD_OP_LOAD);
    VkPipeline pipeline = alpha_pipeline(&scene, &plain_pass, &alpha_reads_alpha);
    for (unsigned round = 0; round < 3; round++) {
        struct harness_image image;
        struct blending_pass pass;
        blending_draw(&scene.vk, &plain_pass, NULL, pipeline);
        alpha_attach(&scene, &image, &pass, BLENDING_PASS, GL_RGB_BASE, false, VK_ATTACHMENT_LOAD_OP_LOAD);
        blending_draw(&scene.vk, &pass, NULL, pipeline);
        blending_image_read(&scene.vk, &image, found);
        alpha_expect_colors(found, expected);
        alpha_detach(&scene, &image, &pass);
        assert_int_equal(harness_counters(&scene.vk).blend_variants, 1);
    }
    vkDestroyPipeline(scene.vk.device, pipeline, NULL);
    alpha_detach(&scene, &plain, &plain_pass);
    alpha_close(&scene);
}

/* ---- Other state ---- */

static void logic_operations_leave_alpha_one(void **state)
{
    (void)state;
    struct alpha_scene scene;
    struct harness_image image;
    struct blending_pass pass;
    alpha_pixels noise, found;
    alpha_open(&scene);
    if (!scene.vk.features.logicOp) {
        alpha_close(&scene);
        harness_lacking("logicOp");
    }
    alpha_attach(&scene, &image, &pass, BLENDING_PASS, GL_RGB_BASE, false, VK_ATTACHMENT_LOAD_OP_LOAD);
    alpha_noise(noise, false);
    VkPipeline pipeline =
        blending_pipeline(&scene.vk, &pass,
                          &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_blend_plain),
                                                             .layout = scene.layout,
                                                             .states = {alpha_replaces},
                                                             .logic = true,
                                                             .logic_op = VK_LOGIC_OP_INVERT});
    blending_draw(&scene.vk, &pass, NULL, pipeline);
    blending_image_read(&scene.vk, &image, found);
    alpha_expect_alpha(found, 255);
    for (unsigned i = 0; i < ALPHA_PIXELS; i++)
        assert_int_equal(found[i][0], 255 - noise[i][0]);
    vkDestroyPipeline(scene.vk.device, pipeline, NULL);
    alpha_detach(&scene, &image, &pass);
    alpha_close(&scene);
}

/* A multisampled attachment with alpha, resolved into one without. */
static void resolves_write_one(void **state)
{
    (void)state;
    static const VkClearColorValue color = {.float32 = {0.2f, 0.4f, 0.6f, 0.0f}};
    struct alpha_scene scene;
    struct harness_image image;
    alpha_pixels found;
    alpha_open(&scene);
    alpha_target(&scene, &image, GL_RGB_BASE, false);
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = ALPHA_FORMAT,
                                    .extent = {ALPHA_SIZE, ALPHA_SIZE, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_4_BIT,
                                    .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
    struct harness_image multisampled = {.params = image.params};
    HARNESS_VK(vkCreateImage(scene.vk.device, &info, NULL, &multisampled.image));
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(scene.vk.device, multisampled.image, &needs);
    const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = needs.size,
                                         .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
    HARNESS_VK(vkAllocateMemory(scene.vk.device, &memory, NULL, &multisampled.memory));
    HARNESS_VK(vkBindImageMemory(scene.vk.device, multisampled.image, multisampled.memory, 0));
    for (unsigned round = 0; round < 2; round++) {
        multisampled.view = blending_view(&scene.vk, &multisampled, round ? GL_RGB_BASE : GL_RGBA_BASE);
        const VkRenderingAttachmentInfo attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                      .imageView = multisampled.view,
                                                      .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                                      .resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT,
                                                      .resolveImageView = image.view,
                                                      .resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                      .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                                      .clearValue = {.color = color}};
        const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                           .renderArea = {{0, 0}, {ALPHA_SIZE, ALPHA_SIZE}},
                                           .layerCount = 1,
                                           .colorAttachmentCount = 1,
                                           .pColorAttachments = &attachment};
        const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                              .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                              .newLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                              .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                              .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                              .image = multisampled.image,
                                              .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
        VkCommandBuffer commands = harness_begin(&scene.vk);
        vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                             0, 0, NULL, 0, NULL, 1, &barrier);
        vkCmdBeginRendering(commands, &rendering);
        vkCmdEndRendering(commands);
        harness_submit(&scene.vk, commands);
        blending_image_read(&scene.vk, &image, found);
        alpha_expect_alpha(found, 255);
        assert_int_equal(found[0][2], 153);
        vkDestroyImageView(scene.vk.device, multisampled.view, NULL);
    }
    vkDestroyImage(scene.vk.device, multisampled.image, NULL);
    vkFreeMemory(scene.vk.device, multisampled.memory, NULL);
    harness_image_destroy(&scene.vk, &image);
    alpha_close(&scene);
}

/* ---- Settings: programs that know nothing of the extension ---- */

/* One draw to a new target of a format, in a view without GL state; its alpha is noise, or 1 and not written. */
static void drawn_in(struct alpha_scene *scene, VkFormat format, bool ones, alpha_pixels pixels)
{
    struct harness_image image;
    struct blending_pass pass;
    alpha_pixels texels;
    VkPipelineColorBlendAttachmentState state = alpha_reads_alpha;
    state.colorWriteMask = ones ? ALPHA_RGB : ALPHA_RGBA;
    alpha_noise(texels, ones);
    blending_image_create(&scene->vk, &image,
                          &(struct blending_image_params){.format = format, .width = ALPHA_SIZE, .height = ALPHA_SIZE},
                          texels);
    struct blending_pass_params params = alpha_pass(BLENDING_PASS, image.view, VK_ATTACHMENT_LOAD_OP_LOAD);
    params.formats[0] = format;
    blending_pass_create(&scene->vk, &pass, &params);
    VkPipeline pipeline = alpha_pipeline(scene, &pass, &state);
    blending_draw(&scene->vk, &pass, NULL, pipeline);
    blending_image_read(&scene->vk, &image, pixels);
    vkDestroyPipeline(scene->vk.device, pipeline, NULL);
    alpha_detach(scene, &image, &pass);
}

/* Those have no alpha, and no other has lost it: what is drawn to them is as without the setting, bit by bit. */
static void a_setting_names_the_formats(void **state)
{
    (void)state;
    enum { FORMATS = 2 };
    static const VkFormat formats[FORMATS] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_B8G8R8A8_UNORM};
    static const struct {
        const char *value;
        bool one[FORMATS];
        uint32_t messages;
    } rows[] = {{"VK_FORMAT_B8G8R8A8_UNORM, r8g8b8a8_unorm", {true, true}, 0},
                {"VK_FORMAT_B8G8R8A8_UNORM", {false, true}, 0},
                {"VK_FORMAT_R8_UNORM,R8G8B8A8_UNORM", {true, false}, 1}};
    static alpha_pixels with_alpha[FORMATS], without[FORMATS];
    struct alpha_scene scene;
    alpha_open_with(&scene, (struct harness_vulkan_params){.layers = NULL});
    for (unsigned f = 0; f < FORMATS; f++) {
        drawn_in(&scene, formats[f], false, with_alpha[f]);
        drawn_in(&scene, formats[f], true, without[f]);
        assert_memory_not_equal(with_alpha[f], without[f], sizeof(without[f]));
    }
    alpha_close(&scene);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        alpha_pixels found;
        setenv("VK_CLAMPLER_ALPHA_TO_ONE", rows[i].value, 1);
        alpha_open_with(&scene, (struct harness_vulkan_params){.layers = NULL});
        unsetenv("VK_CLAMPLER_ALPHA_TO_ONE");
        assert_int_equal(harness_layer_messages(), rows[i].messages);
        for (unsigned f = 0; f < FORMATS; f++) {
            const uint64_t fills = harness_counters(&scene.vk).alpha_fills;
            drawn_in(&scene, formats[f], false, found);
            assert_memory_equal(found, rows[i].one[f] ? without[f] : with_alpha[f], sizeof(found));
            assert_int_equal(harness_counters(&scene.vk).alpha_fills, fills + rows[i].one[f]);
        }
        alpha_close(&scene);
    }
}

/* ---- What is refused, and what cannot be had ---- */

/* Two attachments, by base format; what the layer says. */
static void draw_two(struct alpha_scene *scene, uint32_t first, uint32_t second, alpha_pixels found)
{
    struct harness_image images[2];
    struct blending_pass pass;
    alpha_target(scene, &images[0], first, false);
    alpha_target(scene, &images[1], second, false);
    const struct blending_pass_params params = {.style = BLENDING_PASS,
                                                .count = 2,
                                                .views = {images[0].view, images[1].view},
                                                .formats = {ALPHA_FORMAT, ALPHA_FORMAT},
                                                .width = ALPHA_SIZE,
                                                .height = ALPHA_SIZE,
                                                .load = VK_ATTACHMENT_LOAD_OP_LOAD};
    blending_pass_create(&scene->vk, &pass, &params);
    VkPipeline pipeline =
        blending_pipeline(&scene->vk, &pass,
                          &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_blend_2),
                                                             .layout = scene->layout,
                                                             .states = {alpha_reads_alpha, alpha_reads_alpha}});
    blending_draw(&scene->vk, &pass, NULL, pipeline);
    blending_image_read(&scene->vk, &images[1], found);
    vkDestroyPipeline(scene->vk.device, pipeline, NULL);
    alpha_detach(scene, &images[0], &pass);
    harness_image_destroy(&scene->vk, &images[1]);
}

static void without_independent_blending_attachments_that_agree_work_and_others_are_told(void **state)
{
    (void)state;
    struct alpha_scene scene;
    alpha_pixels expected, found;
    setenv("LIMITED_DRIVER_RULES", "hide feature independentBlend", 1);
    alpha_open_with(&scene, (struct harness_vulkan_params){
                                .layers = "clampler:validation:limited", .gl_sampler = true, .alpha_to_one = true});
    unsetenv("LIMITED_DRIVER_RULES");
    alpha_native(&scene, &alpha_reads_alpha, expected);
    draw_two(&scene, GL_RGB_BASE, GL_RGB_BASE, found);
    alpha_expect_colors(found, expected);
    assert_int_equal(harness_layer_messages(), 0);
    draw_two(&scene, GL_RGBA_BASE, GL_RGB_BASE, found);
    assert_int_equal(harness_layer_messages(), 1);
    assert_non_null(strstr(harness_layer_message(0), "independent blending"));
    alpha_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(secondaries_know_from_framebuffers_and_from_the_structure),
        cmocka_unit_test(subpasses_have_masks_of_their_own),
        cmocka_unit_test(what_is_read_first_is_not_cleared),
        cmocka_unit_test(every_view_of_multiview_is_drawn_and_filled),
        cmocka_unit_test(resumed_rendering_goes_on_as_it_began),
        cmocka_unit_test(the_programs_own_dynamic_state_is_honoured),
        cmocka_unit_test(what_was_set_before_a_fill_is_put_back),
        cmocka_unit_test(blend_state_of_before_a_fill_counts_without_a_bind),
        cmocka_unit_test(pipelines_made_before_any_such_view_get_one_variant),
        cmocka_unit_test(logic_operations_leave_alpha_one),
        cmocka_unit_test(resolves_write_one),
        cmocka_unit_test(a_setting_names_the_formats),
        cmocka_unit_test(without_independent_blending_attachments_that_agree_work_and_others_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
