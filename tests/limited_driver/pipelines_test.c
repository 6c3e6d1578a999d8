/* SPDX-License-Identifier: MIT */
/* Blend state in pipelines and in command buffers, vertex formats, blits. */
#include "limited_fixture.h"

#include "harness/drawing/pipeline.h"
#include "limited_fullscreen.h"
#include "limited_solid.h"

static const char *const dynamic_state3[] = {VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME};

/* What a pipeline is made of, beyond a triangle that covers everything. */
struct saved_info {
    const VkPipelineColorBlendAttachmentState *blends;
    uint32_t attachment_count;
    VkFormat format; /* of all attachments */
    bool dynamic_rendering;
    bool logic_op;
    bool discard;
    const VkDynamicState *dynamic_states;
    uint32_t dynamic_count;
    VkFormat vertex_format; /* 0: no vertex buffer */
};

static VkRenderPass pass_create(struct harness_vulkan *vk, VkFormat format, uint32_t count, bool second_version)
{
    VkRenderPass pass;
    if (second_version) {
        VkAttachmentDescription2 attachments[4];
        VkAttachmentReference2 references[4];
        for (uint32_t i = 0; i < count; i++) {
            attachments[i] = (VkAttachmentDescription2){.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                                        .format = format,
                                                        .samples = VK_SAMPLE_COUNT_1_BIT,
                                                        .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
            references[i] = (VkAttachmentReference2){
                .sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, .attachment = i, .layout = VK_IMAGE_LAYOUT_GENERAL};
        }
        VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                         .colorAttachmentCount = count,
                                         .pColorAttachments = references};
        VkRenderPassCreateInfo2 info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                        .attachmentCount = count,
                                        .pAttachments = attachments,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass};
        HARNESS_VK(vkCreateRenderPass2(vk->device, &info, NULL, &pass));
        return pass;
    }
    VkAttachmentDescription attachments[4];
    VkAttachmentReference references[4];
    for (uint32_t i = 0; i < count; i++) {
        attachments[i] = (VkAttachmentDescription){
            .format = format, .samples = VK_SAMPLE_COUNT_1_BIT, .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
        references[i] = (VkAttachmentReference){i, VK_IMAGE_LAYOUT_GENERAL};
    }
    VkSubpassDescription subpass = {.colorAttachmentCount = count, .pColorAttachments = references};
    VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                   .attachmentCount = count,
                                   .pAttachments = attachments,
                                   .subpassCount = 1,
                                   .pSubpasses = &subpass};
    HARNESS_VK(vkCreateRenderPass(vk->device, &info, NULL, &pass));
    return pass;
}

static void create_pipeline(struct harness_vulkan *vk, const struct saved_info *saved_info, VkRenderPass pass,
                            VkPipelineLayout layout, const VkPipelineShaderStageCreateInfo stages[2])
{
    const VkViewport viewport = {.width = 8, .height = 8, .maxDepth = 1};
    const VkRect2D scissor = {{0, 0}, {8, 8}};
    VkVertexInputBindingDescription binding = {.stride = 16};
    VkVertexInputAttributeDescription attribute = {.format = saved_info->vertex_format};
    VkPipelineVertexInputStateCreateInfo input = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                  .vertexBindingDescriptionCount = saved_info->vertex_format != 0,
                                                  .pVertexBindingDescriptions = &binding,
                                                  .vertexAttributeDescriptionCount = saved_info->vertex_format != 0,
                                                  .pVertexAttributeDescriptions = &attribute};
    VkPipelineInputAssemblyStateCreateInfo assembly = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    VkPipelineViewportStateCreateInfo view = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                              .viewportCount = 1,
                                              .pViewports = &viewport,
                                              .scissorCount = 1,
                                              .pScissors = &scissor};
    VkPipelineRasterizationStateCreateInfo raster = {.sType =
                                                         VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
                                                     .rasterizerDiscardEnable = saved_info->discard,
                                                     .lineWidth = 1};
    VkPipelineMultisampleStateCreateInfo samples = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                    .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                 .logicOpEnable = saved_info->logic_op,
                                                 .attachmentCount = saved_info->attachment_count,
                                                 .pAttachments = saved_info->blends};
    VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                .dynamicStateCount = saved_info->dynamic_count,
                                                .pDynamicStates = saved_info->dynamic_states};
    VkFormat formats[4] = {saved_info->format, saved_info->format, saved_info->format, saved_info->format};
    VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                               .colorAttachmentCount = saved_info->attachment_count,
                                               .pColorAttachmentFormats = formats};
    VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         .pNext = saved_info->dynamic_rendering ? &rendering : NULL,
                                         .stageCount = saved_info->discard ? 1 : 2,
                                         .pStages = stages,
                                         .pVertexInputState = &input,
                                         .pInputAssemblyState = &assembly,
                                         .pViewportState = &view,
                                         .pRasterizationState = &raster,
                                         .pMultisampleState = &samples,
                                         /* Where nothing is rasterised this may point anywhere. */
                                         .pColorBlendState = saved_info->discard ? (void *)16 : &blend,
                                         .pDynamicState = &dynamic,
                                         .layout = layout,
                                         .renderPass = saved_info->dynamic_rendering ? VK_NULL_HANDLE : pass};
    VkPipeline pipeline;
    HARNESS_VK(vkCreateGraphicsPipelines(vk->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    vkDestroyPipeline(vk->device, pipeline, NULL);
}

static void make_pipeline(struct harness_vulkan *vk, const struct saved_info *saved_info)
{
    VkPipelineLayout layout = harness_pipeline_layout(vk, NULL, 0, 0);
    VkShaderModule vertex = harness_module(vk, HARNESS_SPIRV(limited_fullscreen));
    VkShaderModule fragment = harness_module(vk, HARNESS_SPIRV(limited_solid));
    const VkPipelineShaderStageCreateInfo stages[2] = {{.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .stage = VK_SHADER_STAGE_VERTEX_BIT,
                                                        .module = vertex,
                                                        .pName = "main"},
                                                       {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
                                                        .module = fragment,
                                                        .pName = "main"}};
    VkRenderPass pass =
        pass_create(vk, saved_info->format, saved_info->attachment_count, saved_info->attachment_count > 1);
    create_pipeline(vk, saved_info, pass, layout, stages);
    vkDestroyRenderPass(vk->device, pass, NULL);
    vkDestroyShaderModule(vk->device, vertex, NULL);
    vkDestroyShaderModule(vk->device, fragment, NULL);
    vkDestroyPipelineLayout(vk->device, layout, NULL);
}

static const VkPipelineColorBlendAttachmentState blended = {.blendEnable = VK_TRUE,
                                                            .srcColorBlendFactor = VK_BLEND_FACTOR_ONE,
                                                            .dstColorBlendFactor = VK_BLEND_FACTOR_ONE,
                                                            .colorWriteMask = 0xf};
static const VkPipelineColorBlendAttachmentState plain = {.colorWriteMask = 0xf};

static void open_rules(struct harness_vulkan *vk, const char *rules)
{
    limited_fixture_open(
        vk, &(struct limited_fixture_params){.rules = rules, .extensions = dynamic_state3, .extension_count = 1});
}

static void blending_needs_a_format_that_blends(void **state)
{
    (void)state;
    for (int dynamic_rendering = 0; dynamic_rendering < 2; dynamic_rendering++) {
        struct harness_vulkan vk;
        open_rules(&vk, "hide format VK_FORMAT_R32G32B32A32_SFLOAT image COLOR_ATTACHMENT_BLEND");
        struct saved_info saved_info = {.blends = &blended,
                                        .attachment_count = 1,
                                        .format = VK_FORMAT_R8G8B8A8_UNORM,
                                        .dynamic_rendering = dynamic_rendering};
        make_pipeline(&vk, &saved_info);
        saved_info.format = VK_FORMAT_R32G32B32A32_SFLOAT;
        saved_info.blends = &plain;
        make_pipeline(&vk, &saved_info);
        saved_info.blends = &blended;
        saved_info.discard = true;
        make_pipeline(&vk, &saved_info);
        saved_info.discard = false;
        assert_int_equal(violation_count(&vk), 0);
        make_pipeline(&vk, &saved_info);
        expect_violations(&vk, 1, LIMITED_DRIVER_FORMAT, "COLOR_ATTACHMENT_BLEND", "vkCreateGraphicsPipelines");
        harness_vulkan_close(&vk);
    }
}

static void blend_features_are_needed_where_they_are_used(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    open_rules(&vk, "hide feature independentBlend dualSrcBlend logicOp");
    VkPipelineColorBlendAttachmentState second_source = blended;
    second_source.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
    const VkPipelineColorBlendAttachmentState same[2] = {blended, blended}, different[2] = {blended, plain};
    struct saved_info saved_info = {.blends = same, .attachment_count = 2, .format = VK_FORMAT_R8G8B8A8_UNORM};
    make_pipeline(&vk, &saved_info);
    assert_int_equal(violation_count(&vk), 0);
    saved_info.blends = different;
    make_pipeline(&vk, &saved_info);
    expect_violations(&vk, 1, LIMITED_DRIVER_FEATURE, "independentBlend", "vkCreateGraphicsPipelines");
    saved_info.attachment_count = 1;
    saved_info.blends = &second_source;
    make_pipeline(&vk, &saved_info);
    expect_violations(&vk, 2, LIMITED_DRIVER_FEATURE, "dualSrcBlend", "vkCreateGraphicsPipelines");
    saved_info.blends = &plain;
    saved_info.logic_op = true;
    make_pipeline(&vk, &saved_info);
    expect_violations(&vk, 3, LIMITED_DRIVER_FEATURE, "logicOp", "vkCreateGraphicsPipelines");
    harness_vulkan_close(&vk);
}

static void dynamic_blend_state_needs_its_features(void **state)
{
    (void)state;
    static const struct {
        VkDynamicState state;
        const char *feature;
    } rows[] = {
        {VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, "extendedDynamicState3ColorBlendEnable"},
        {VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, "extendedDynamicState3ColorBlendEquation"},
        {VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, "extendedDynamicState3ColorWriteMask"},
    };
    struct harness_vulkan vk;
    limited_fixture_open(&vk, &(struct limited_fixture_params){.profile = "no-eds3"});
    for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct saved_info saved_info = {.blends = &plain,
                                        .attachment_count = 1,
                                        .format = VK_FORMAT_R8G8B8A8_UNORM,
                                        .dynamic_states = &rows[i].state,
                                        .dynamic_count = 1};
        make_pipeline(&vk, &saved_info);
        expect_violations(&vk, i + 1, LIMITED_DRIVER_FEATURE, rows[i].feature, "vkCreateGraphicsPipelines");
    }
    harness_vulkan_close(&vk);
}

static void dynamic_blend_commands_need_their_features(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    open_rules(&vk, "hide feature extendedDynamicState3ColorBlendEnable extendedDynamicState3ColorBlendEquation "
                    "extendedDynamicState3ColorWriteMask");
    const VkBool32 enable = VK_TRUE;
    const VkColorBlendEquationEXT equation = {.srcColorBlendFactor = VK_BLEND_FACTOR_ONE};
    const VkColorComponentFlags mask = 0xf;
    VkCommandBuffer commands = harness_begin(&vk);
    HARNESS_PROC(&vk, vkCmdSetColorBlendEnableEXT)(commands, 0, 1, &enable);
    expect_violations(&vk, 1, LIMITED_DRIVER_FEATURE, "extendedDynamicState3ColorBlendEnable",
                      "vkCmdSetColorBlendEnableEXT");
    HARNESS_PROC(&vk, vkCmdSetColorBlendEquationEXT)(commands, 0, 1, &equation);
    expect_violations(&vk, 2, LIMITED_DRIVER_FEATURE, "extendedDynamicState3ColorBlendEquation",
                      "vkCmdSetColorBlendEquationEXT");
    HARNESS_PROC(&vk, vkCmdSetColorWriteMaskEXT)(commands, 0, 1, &mask);
    expect_violations(&vk, 3, LIMITED_DRIVER_FEATURE, "extendedDynamicState3ColorWriteMask",
                      "vkCmdSetColorWriteMaskEXT");
    harness_submit(&vk, commands);
    harness_vulkan_close(&vk);

    open_rules(&vk, "hide feature logicOp");
    commands = harness_begin(&vk);
    HARNESS_PROC(&vk, vkCmdSetColorBlendEnableEXT)(commands, 0, 1, &enable);
    HARNESS_PROC(&vk, vkCmdSetColorBlendEquationEXT)(commands, 0, 1, &equation);
    harness_submit(&vk, commands);
    assert_int_equal(violation_count(&vk), 0);
    harness_vulkan_close(&vk);
}

static void vertex_formats_can_be_hidden(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    open_rules(&vk, "hide format VK_FORMAT_R16G16_UNORM buffer VERTEX_BUFFER");
    struct saved_info saved_info = {.blends = &plain,
                                    .attachment_count = 1,
                                    .format = VK_FORMAT_R8G8B8A8_UNORM,
                                    .vertex_format = VK_FORMAT_R16G16_SFLOAT};
    make_pipeline(&vk, &saved_info);
    assert_int_equal(violation_count(&vk), 0);
    saved_info.vertex_format = VK_FORMAT_R16G16_UNORM;
    make_pipeline(&vk, &saved_info);
    expect_violations(&vk, 1, LIMITED_DRIVER_FORMAT, "VERTEX_BUFFER", "vkCreateGraphicsPipelines");
    harness_vulkan_close(&vk);
}

/* What a library does not define is ignored, whatever it is: here it would end the process. */
static void what_libraries_ignore_is_not_followed(void **state)
{
    (void)state;
    static const char *const extensions[] = {VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                                             VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME};
    VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
        .graphicsPipelineLibrary = VK_TRUE};
    VkPhysicalDeviceDynamicRenderingFeatures dynamic_rendering = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES,
        .pNext = &features,
        .dynamicRendering = VK_TRUE};
    struct harness_vulkan vk;
    limited_fixture_open(
        &vk, &(struct limited_fixture_params){.rules = "hide format VK_FORMAT_R16G16_UNORM buffer VERTEX_BUFFER; "
                                                       "hide format VK_FORMAT_R8_UNORM image COLOR_ATTACHMENT_BLEND",
                                              .extensions = extensions,
                                              .extension_count = 2,
                                              .device_next = &dynamic_rendering});
    const VkFormat *const nowhere = (void *)16; /* lavapipe follows other pointers itself */
    const VkFormat format = VK_FORMAT_R8_UNORM;
    VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                               .colorAttachmentCount = 1};
    VkGraphicsPipelineLibraryCreateInfoEXT library = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, .pNext = &rendering};
    const VkVertexInputBindingDescription binding = {.stride = 4};
    const VkVertexInputAttributeDescription attribute = {.format = VK_FORMAT_R16G16_UNORM};
    const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                            VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                        .vertexBindingDescriptionCount = 1,
                                                        .pVertexBindingDescriptions = &binding,
                                                        .vertexAttributeDescriptionCount = 1,
                                                        .pVertexAttributeDescriptions = &attribute};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkPipelineColorBlendStateCreateInfo blend = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                       .attachmentCount = 1,
                                                       .pAttachments = &blended};
    const VkPipelineMultisampleStateCreateInfo samples = {.sType =
                                                              VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                          .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkViewport viewport = {.width = 8, .height = 8, .maxDepth = 1};
    const VkRect2D scissor = {{0, 0}, {8, 8}};
    const VkPipelineViewportStateCreateInfo view = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                    .viewportCount = 1,
                                                    .pViewports = &viewport,
                                                    .scissorCount = 1,
                                                    .pScissors = &scissor};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    const VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    const VkShaderModule vertex = harness_module(&vk, HARNESS_SPIRV(limited_fullscreen));
    const VkShaderModule fragment = harness_module(&vk, HARNESS_SPIRV(limited_solid));
    const VkPipelineShaderStageCreateInfo stages[2] = {{.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .stage = VK_SHADER_STAGE_VERTEX_BIT,
                                                        .module = vertex,
                                                        .pName = "main"},
                                                       {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
                                                        .module = fragment,
                                                        .pName = "main"}};
    const VkPipelineLayout layout = harness_pipeline_layout(&vk, NULL, 0, 0);
    const struct {
        VkGraphicsPipelineLibraryFlagsEXT part;
        VkGraphicsPipelineCreateInfo info;
        const VkFormat *formats;
        const char *uses;
    } rows[] = {
        {VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
             VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
         {.stageCount = 2,
          .pStages = stages,
          .pViewportState = &view,
          .pRasterizationState = &raster,
          .pMultisampleState = &samples,
          .pDepthStencilState = &depth},
         nowhere,
         NULL},
        {VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
         {.pVertexInputState = &input, .pInputAssemblyState = &assembly},
         nowhere,
         "VERTEX_BUFFER"},
        {VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT,
         {.pMultisampleState = &samples, .pColorBlendState = &blend},
         &format,
         "COLOR_ATTACHMENT_BLEND"},
    };
    uint32_t used = 0;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        library.flags = rows[i].part;
        rendering.pColorAttachmentFormats = rows[i].formats;
        VkGraphicsPipelineCreateInfo info = rows[i].info;
        info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
        info.pNext = &library;
        info.layout = layout;
        info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
        VkPipeline pipeline;
        HARNESS_VK(vkCreateGraphicsPipelines(vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
        vkDestroyPipeline(vk.device, pipeline, NULL);
        if (rows[i].uses)
            expect_violations(&vk, ++used, LIMITED_DRIVER_FORMAT, rows[i].uses, "vkCreateGraphicsPipelines");
        assert_int_equal(violation_count(&vk), used);
    }
    vkDestroyPipelineLayout(vk.device, layout, NULL);
    vkDestroyShaderModule(vk.device, vertex, NULL);
    vkDestroyShaderModule(vk.device, fragment, NULL);
    harness_vulkan_close(&vk);
}

static void blits_need_their_bits(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    open_rules(&vk, "hide format VK_FORMAT_R32_SFLOAT image SAMPLED_IMAGE_FILTER_LINEAR; "
                    "hide format VK_FORMAT_R16_SFLOAT image BLIT_SRC; "
                    "hide format VK_FORMAT_R8_UNORM image BLIT_DST");
    struct harness_image images[3];
    const VkFormat formats[3] = {VK_FORMAT_R32_SFLOAT, VK_FORMAT_R16_SFLOAT, VK_FORMAT_R8_UNORM};
    for (int i = 0; i < 3; i++) {
        struct harness_image_params params = {.type = VK_IMAGE_VIEW_TYPE_2D,
                                              .format = formats[i],
                                              .width = 4,
                                              .height = 4,
                                              .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                                       VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_STORAGE_BIT};
        harness_image_create(&vk, &images[i], &params, NULL);
    }
    VkImageBlit region = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                          .srcOffsets = {{0, 0, 0}, {4, 4, 1}},
                          .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                          .dstOffsets = {{0, 0, 0}, {2, 2, 1}}};
    const VkImageLayout layout = VK_IMAGE_LAYOUT_GENERAL;
    VkCommandBuffer commands = harness_begin(&vk);
    vkCmdBlitImage(commands, images[0].image, layout, images[1].image, layout, 1, &region, VK_FILTER_NEAREST);
    assert_int_equal(violation_count(&vk), 0);
    vkCmdBlitImage(commands, images[0].image, layout, images[1].image, layout, 1, &region, VK_FILTER_LINEAR);
    expect_violations(&vk, 1, LIMITED_DRIVER_FORMAT, "SAMPLED_IMAGE_FILTER_LINEAR", "vkCmdBlitImage");
    vkCmdBlitImage(commands, images[1].image, layout, images[0].image, layout, 1, &region, VK_FILTER_LINEAR);
    expect_violations(&vk, 2, LIMITED_DRIVER_FORMAT, "BLIT_SRC", "vkCmdBlitImage");
    VkImageBlit2 region2 = {.sType = VK_STRUCTURE_TYPE_IMAGE_BLIT_2,
                            .srcSubresource = region.srcSubresource,
                            .srcOffsets = {{0, 0, 0}, {4, 4, 1}},
                            .dstSubresource = region.dstSubresource,
                            .dstOffsets = {{0, 0, 0}, {2, 2, 1}}};
    VkBlitImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2,
                             .srcImage = images[0].image,
                             .srcImageLayout = layout,
                             .dstImage = images[2].image,
                             .dstImageLayout = layout,
                             .regionCount = 1,
                             .pRegions = &region2};
    vkCmdBlitImage2(commands, &info);
    expect_violations(&vk, 3, LIMITED_DRIVER_FORMAT, "BLIT_DST", "vkCmdBlitImage2");
    harness_submit(&vk, commands);
    for (int i = 0; i < 3; i++)
        harness_image_destroy(&vk, &images[i]);
    harness_vulkan_close(&vk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blending_needs_a_format_that_blends),
        cmocka_unit_test(blend_features_are_needed_where_they_are_used),
        cmocka_unit_test(dynamic_blend_state_needs_its_features),
        cmocka_unit_test(dynamic_blend_commands_need_their_features),
        cmocka_unit_test(vertex_formats_can_be_hidden),
        cmocka_unit_test(what_libraries_ignore_is_not_followed),
        cmocka_unit_test(blits_need_their_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
