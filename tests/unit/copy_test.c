/* SPDX-License-Identifier: MIT */
/* Deep copies of create-infos and the sizes of chained structures (layer/base/vulkan_compat). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <vulkan/vulkan.h>

#include <vulkan/vk_layer.h>

#include "gl/gl_tokens.h"
#include "vulkan_copy.h"

/* Reading through it would fault. */
#define WILD ((void *)(uintptr_t)16)

/* With this, the next malloc() fails (the test is linked with --wrap=malloc). */
static bool out_of_memory;
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return out_of_memory ? NULL : __real_malloc(size);
}

/* A copy on the heap of its own, so that it can be scribbled over and freed before the deep copy is read. */
static void *heap(const void *source, size_t size)
{
    void *memory = malloc(size);
    assert_non_null(memory);
    return memcpy(memory, source, size);
}
#define HEAP(type, ...) ((type *)heap((type[]){__VA_ARGS__}, sizeof((type[]){__VA_ARGS__})))

struct garbage {
    void *pieces[64];
    size_t sizes[64];
    size_t count;
};

static void *keep(struct garbage *garbage, void *piece, size_t size)
{
    assert_true(garbage->count < 64);
    garbage->pieces[garbage->count] = piece;
    garbage->sizes[garbage->count++] = size;
    return piece;
}
#define KEEP(garbage, type, ...) ((type *)keep((garbage), HEAP(type, __VA_ARGS__), sizeof((type[]){__VA_ARGS__})))

static void scribble_and_free(struct garbage *garbage)
{
    for (size_t i = 0; i < garbage->count; i++) {
        memset(garbage->pieces[i], 0xa5, garbage->sizes[i]);
        free(garbage->pieces[i]);
    }
}

static VkGraphicsPipelineCreateInfo *make_pipeline(struct garbage *g)
{
    const VkSpecializationInfo *special = KEEP(g, VkSpecializationInfo,
                                               {.mapEntryCount = 2,
                                                .pMapEntries = KEEP(g, VkSpecializationMapEntry, {1, 0, 4}, {2, 4, 1}),
                                                .dataSize = 5,
                                                .pData = KEEP(g, uint8_t, 1, 2, 3, 4, 5)});
    const VkShaderModuleCreateInfo *code = KEEP(g, VkShaderModuleCreateInfo,
                                                {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                                 .codeSize = 12,
                                                 .pCode = KEEP(g, uint32_t, 0x07230203, 7, 9)});
    char name[] = "entry";
    const VkPipelineShaderStageCreateInfo *stages = KEEP(g, VkPipelineShaderStageCreateInfo,
                                                         {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                          .pNext = code,
                                                          .pName = keep(g, heap(name, sizeof(name)), sizeof(name)),
                                                          .pSpecializationInfo = special},
                                                         {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                          .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
                                                          .pName = keep(g, heap("f", 2), 2)});
    const VkPipelineVertexInputDivisorStateCreateInfoEXT *divisors =
        KEEP(g, VkPipelineVertexInputDivisorStateCreateInfoEXT,
             {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT,
              .vertexBindingDivisorCount = 1,
              .pVertexBindingDivisors = KEEP(g, VkVertexInputBindingDivisorDescriptionEXT, {3, 4})});
    const VkPipelineVertexInputStateCreateInfo *input =
        KEEP(g, VkPipelineVertexInputStateCreateInfo,
             {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
              .pNext = divisors,
              .vertexBindingDescriptionCount = 1,
              .pVertexBindingDescriptions = KEEP(g, VkVertexInputBindingDescription, {3, 16, 0}),
              .vertexAttributeDescriptionCount = 0,
              .pVertexAttributeDescriptions = WILD});
    const VkPipelineMultisampleStateCreateInfo *samples =
        KEEP(g, VkPipelineMultisampleStateCreateInfo,
             {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
              .rasterizationSamples = VK_SAMPLE_COUNT_64_BIT,
              .pSampleMask = KEEP(g, VkSampleMask, 0x11111111, 0x22222222)});
    const VkPipelineRenderingCreateInfo *rendering =
        KEEP(g, VkPipelineRenderingCreateInfo,
             {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
              .colorAttachmentCount = 2,
              .pColorAttachmentFormats = KEEP(g, VkFormat, VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM)});
    const VkPipelineCreateFlags2CreateInfoKHR *flags =
        KEEP(g, VkPipelineCreateFlags2CreateInfoKHR,
             {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR, .pNext = rendering, .flags = 77});
    return KEEP(g, VkGraphicsPipelineCreateInfo,
                {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                 .pNext = flags,
                 .stageCount = 2,
                 .pStages = stages,
                 .pVertexInputState = input,
                 .pMultisampleState = samples,
                 .subpass = 5});
}

static void a_copied_graphics_pipeline_does_not_need_its_source(void **state)
{
    struct garbage garbage = {.count = 0};
    enum copy_result result;
    (void)state;
    VkGraphicsPipelineCreateInfo *copy = copy_VkGraphicsPipelineCreateInfo(make_pipeline(&garbage), &result);
    scribble_and_free(&garbage);
    assert_int_equal(result, COPY_OK);

    const VkPipelineCreateFlags2CreateInfoKHR *flags = copy->pNext;
    const VkPipelineRenderingCreateInfo *rendering = flags->pNext;
    assert_int_equal(flags->flags, 77);
    assert_int_equal(rendering->pColorAttachmentFormats[1], VK_FORMAT_R8G8_UNORM);
    assert_null(rendering->pNext);

    const VkShaderModuleCreateInfo *code = copy->pStages[0].pNext;
    const VkSpecializationInfo *special = copy->pStages[0].pSpecializationInfo;
    assert_int_equal(code->pCode[2], 9);
    assert_string_equal(copy->pStages[0].pName, "entry");
    assert_string_equal(copy->pStages[1].pName, "f");
    assert_null(copy->pStages[1].pSpecializationInfo);
    assert_int_equal(special->pMapEntries[1].constantID, 2);
    assert_int_equal(((const uint8_t *)special->pData)[4], 5);

    const VkPipelineVertexInputDivisorStateCreateInfoEXT *divisors = copy->pVertexInputState->pNext;
    assert_int_equal(divisors->pVertexBindingDivisors[0].divisor, 4);
    assert_int_equal(copy->pVertexInputState->pVertexBindingDescriptions[0].stride, 16);
    assert_null(copy->pVertexInputState->pVertexAttributeDescriptions);
    assert_int_equal(copy->pMultisampleState->pSampleMask[1], 0x22222222);
    assert_null(copy->pViewportState);
    assert_int_equal(copy->subpass, 5);
    free(copy);
}

static void long_chains_are_copied_whole_and_in_order(void **state)
{
    enum { LENGTH = 5000 };
    VkSamplerReductionModeCreateInfo *nodes = calloc(LENGTH, sizeof(*nodes));
    VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = nodes, .minLod = 2.5f};
    enum copy_result result;
    (void)state;
    for (int i = 0; i < LENGTH; i++) {
        nodes[i].sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO;
        nodes[i].pNext = i + 1 < LENGTH ? &nodes[i + 1] : NULL;
        nodes[i].reductionMode = (VkSamplerReductionMode)i;
    }
    VkSamplerCreateInfo *copy = copy_VkSamplerCreateInfo(&info, &result);
    free(nodes);
    assert_int_equal(result, COPY_OK);
    int count = 0;
    for (const VkSamplerReductionModeCreateInfo *node = copy->pNext; node; node = node->pNext)
        assert_int_equal(node->reductionMode, count++);
    assert_int_equal(count, LENGTH);
    assert_true(copy->minLod == 2.5f);
    free(copy);
}

static void the_projects_own_structures_are_known(void **state)
{
    VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                             .wrapT = TOKEN_CLAMP,
                                             .reductionMode = TOKEN_WEIGHTED_AVERAGE};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl};
    enum copy_result result;
    (void)state;
    VkSamplerCreateInfo *copy = copy_VkSamplerCreateInfo(&info, &result);
    gl = (VkSamplerGLStateCreateInfoCLAMPLER){.wrapT = 0};
    assert_int_equal(result, COPY_OK);
    const VkSamplerGLStateCreateInfoCLAMPLER *copied = copy->pNext;
    assert_int_equal(copied->wrapT, TOKEN_CLAMP);
    assert_int_equal(copied->reductionMode, TOKEN_WEIGHTED_AVERAGE);
    free(copy);
}

static void immutable_samplers_of_other_descriptor_types_are_not_read(void **state)
{
    const VkSampler samplers[2] = {(VkSampler)(uintptr_t)1, (VkSampler)(uintptr_t)2};
    const VkDescriptorSetLayoutBinding bindings[] = {
        {.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .descriptorCount = 4, .pImmutableSamplers = WILD},
        {.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
         .descriptorCount = 2,
         .pImmutableSamplers = samplers},
        {.descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER, .descriptorCount = 0, .pImmutableSamplers = WILD},
    };
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 3, .pBindings = bindings};
    enum copy_result result;
    (void)state;
    VkDescriptorSetLayoutCreateInfo *copy = copy_VkDescriptorSetLayoutCreateInfo(&info, &result);
    assert_int_equal(result, COPY_OK);
    assert_null(copy->pBindings[0].pImmutableSamplers);
    assert_ptr_not_equal(copy->pBindings[1].pImmutableSamplers, samplers);
    assert_memory_equal(copy->pBindings[1].pImmutableSamplers, samplers, sizeof(samplers));
    assert_null(copy->pBindings[2].pImmutableSamplers);
    free(copy);
}

static void queue_families_are_read_for_concurrent_sharing_only(void **state)
{
    const uint32_t families[] = {4, 5};
    VkSwapchainCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                     .imageSharingMode = VK_SHARING_MODE_CONCURRENT,
                                     .queueFamilyIndexCount = 2,
                                     .pQueueFamilyIndices = families};
    enum copy_result result;
    (void)state;
    VkSwapchainCreateInfoKHR *copy = copy_VkSwapchainCreateInfoKHR(&info, &result);
    assert_int_equal(copy->pQueueFamilyIndices[1], 5);
    free(copy);
    info.imageSharingMode = VK_SHARING_MODE_EXCLUSIVE;
    info.pQueueFamilyIndices = WILD;
    copy = copy_VkSwapchainCreateInfoKHR(&info, &result);
    assert_null(copy->pQueueFamilyIndices);
    free(copy);
}

static void subpasses_keep_their_attachments_and_absent_ones_stay_absent(void **state)
{
    const VkAttachmentReference2 color[2] = {{.attachment = 3}, {.attachment = 1}}, depth = {.attachment = 7};
    const VkSubpassDescriptionDepthStencilResolve resolve = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE, .pDepthStencilResolveAttachment = &depth};
    const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                           .pNext = &resolve,
                                           .colorAttachmentCount = 2,
                                           .pColorAttachments = color};
    const VkRenderPassCreateInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2, .subpassCount = 1, .pSubpasses = &subpass};
    enum copy_result result;
    (void)state;
    VkRenderPassCreateInfo2 *copy = copy_VkRenderPassCreateInfo2(&info, &result);
    assert_int_equal(result, COPY_OK);
    const VkSubpassDescriptionDepthStencilResolve *copied = copy->pSubpasses[0].pNext;
    assert_ptr_not_equal(copied->pDepthStencilResolveAttachment, &depth);
    assert_int_equal(copied->pDepthStencilResolveAttachment->attachment, 7);
    assert_int_equal(copy->pSubpasses[0].pColorAttachments[1].attachment, 1);
    assert_null(copy->pSubpasses[0].pResolveAttachments);
    free(copy);
}

/* What newer headers have, and what belongs elsewhere as far as these headers say. */
static void structures_are_copied_wherever_they_stand(void **state)
{
    struct garbage garbage = {.count = 0};
    enum copy_result result;
    (void)state;
    const VkValidationFeaturesEXT *checks =
        KEEP(&garbage, VkValidationFeaturesEXT,
             {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
              .disabledValidationFeatureCount = 2,
              .pDisabledValidationFeatures = KEEP(&garbage, VkValidationFeatureDisableEXT, 1, 2)});
    const VkCustomResolveCreateInfoEXT *resolve =
        KEEP(&garbage, VkCustomResolveCreateInfoEXT,
             {.sType = VK_STRUCTURE_TYPE_CUSTOM_RESOLVE_CREATE_INFO_EXT,
              .pNext = checks,
              .colorAttachmentCount = 2,
              .pColorAttachmentFormats = KEEP(&garbage, VkFormat, VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM)});
    const VkExternalFormatANDROID *external =
        KEEP(&garbage, VkExternalFormatANDROID,
             {.sType = VK_STRUCTURE_TYPE_EXTERNAL_FORMAT_ANDROID, .pNext = (void *)(uintptr_t)resolve, 9});
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = external};
    VkGraphicsPipelineCreateInfo *copy = copy_VkGraphicsPipelineCreateInfo(&info, &result);
    scribble_and_free(&garbage);
    assert_int_equal(result, COPY_OK);
    external = copy->pNext;
    resolve = external->pNext;
    checks = resolve->pNext;
    assert_int_equal(external->externalFormat, 9);
    assert_int_equal(resolve->pColorAttachmentFormats[1], VK_FORMAT_R8G8_UNORM);
    assert_int_equal(checks->pDisabledValidationFeatures[1], 2);
    assert_null(checks->pEnabledValidationFeatures);
    free(copy);
}

/* Of a union only the member that is selected has a pointer that may be read. */
static void descriptor_mappings_are_copied_with_their_samplers(void **state)
{
    struct garbage garbage = {.count = 0};
    enum copy_result result;
    (void)state;
    const VkSamplerReductionModeCreateInfo *reduction =
        KEEP(&garbage, VkSamplerReductionModeCreateInfo,
             {.sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO, .reductionMode = 2});
    const VkSamplerCreateInfo *sampler =
        KEEP(&garbage, VkSamplerCreateInfo,
             {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = reduction, .maxLod = 7});
    VkDescriptorSetAndBindingMappingEXT *mappings =
        KEEP(&garbage, VkDescriptorSetAndBindingMappingEXT,
             {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT, .source = 1},
             {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT, .source = 4});
    mappings[0].sourceData.pushIndex.pEmbeddedSampler = sampler;
    mappings[1].sourceData.constantOffset.pEmbeddedSampler = WILD; /* RESOURCE_HEAP_DATA has none */
    const VkShaderDescriptorSetAndBindingMappingInfoEXT *mapping =
        KEEP(&garbage, VkShaderDescriptorSetAndBindingMappingInfoEXT,
             {.sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
              .mappingCount = 2,
              .pMappings = mappings});
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .pNext = mapping}};
    VkComputePipelineCreateInfo *copy = copy_VkComputePipelineCreateInfo(&info, &result);
    scribble_and_free(&garbage);
    assert_int_equal(result, COPY_OK);
    mapping = copy->stage.pNext;
    sampler = mapping->pMappings[0].sourceData.pushIndex.pEmbeddedSampler;
    reduction = sampler->pNext;
    assert_float_equal(sampler->maxLod, 7, 0);
    assert_int_equal(reduction->reductionMode, 2);
    assert_int_equal(mapping->pMappings[1].source, 4);
    free(copy);
}

/* The registry does not say how much the pointer leads to. */
static void a_structure_that_cannot_be_copied_stops_the_copy(void **state)
{
    const VkImportMemoryHostPointerInfoEXT host = {.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
                                                   .pHostPointer = WILD};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &host};
    enum copy_result result;
    (void)state;
    assert_null(copy_VkSamplerCreateInfo(&info, &result));
    assert_int_equal(result, COPY_UNKNOWN_STRUCTURE);
}

static void an_unknown_structure_stops_the_copy_and_is_named(void **state)
{
    const VkBaseInStructure unknown = {.sType = (VkStructureType)1999999123};
    const VkSamplerReductionModeCreateInfo known = {.sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
                                                    .pNext = &unknown};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &known};
    const VkSamplerCreateInfo plain = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    enum copy_result result;
    (void)state;
    assert_null(copy_VkSamplerCreateInfo(&info, &result));
    assert_int_equal(result, COPY_UNKNOWN_STRUCTURE);
    assert_int_equal(unknown_in_VkSamplerCreateInfo(&info), 1999999123);
    assert_int_equal(unknown_in_VkSamplerCreateInfo(&plain), VK_STRUCTURE_TYPE_MAX_ENUM);
}

static void running_out_of_memory_gives_null(void **state)
{
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    const uint32_t word = 0;
    const VkShaderModuleCreateInfo endless = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = SIZE_MAX, .pCode = &word};
    enum copy_result result;
    (void)state;
    out_of_memory = true;
    void *copy = copy_VkSamplerCreateInfo(&info, &result);
    out_of_memory = false;
    assert_null(copy);
    assert_int_equal(result, COPY_OUT_OF_MEMORY);
    assert_null(copy_VkShaderModuleCreateInfo(&endless, &result));
    assert_int_equal(result, COPY_OUT_OF_MEMORY);
}

static void sizes_of_chained_structures_are_those_of_the_headers(void **state)
{
    (void)state;
    assert_int_equal(pnext_size(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES),
                     sizeof(VkPhysicalDeviceVulkan12Features));
    assert_int_equal(pnext_size(VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO), sizeof(VkLayerDeviceCreateInfo));
    assert_int_equal(pnext_size(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER),
                     sizeof(VkPhysicalDeviceGLSamplerFeaturesCLAMPLER));
    assert_int_equal(pnext_size((VkStructureType)1000545005), sizeof(VkPushDescriptorSetInfoKHR));
    assert_int_equal(pnext_size((VkStructureType)1999999123), 0);
    /* Of features that older registries lack: VK_EXT_shader_object, VK_EXT_nested_command_buffer. */
    struct features {
        VkBaseInStructure base;
        VkBool32 booleans[3];
    };
    assert_int_equal(pnext_size((VkStructureType)1000482000), sizeof(VkPhysicalDeviceShaderObjectFeaturesEXT));
    assert_int_equal(pnext_size((VkStructureType)1000451000), sizeof(struct features));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copied_graphics_pipeline_does_not_need_its_source),
        cmocka_unit_test(long_chains_are_copied_whole_and_in_order),
        cmocka_unit_test(the_projects_own_structures_are_known),
        cmocka_unit_test(immutable_samplers_of_other_descriptor_types_are_not_read),
        cmocka_unit_test(queue_families_are_read_for_concurrent_sharing_only),
        cmocka_unit_test(subpasses_keep_their_attachments_and_absent_ones_stay_absent),
        cmocka_unit_test(structures_are_copied_wherever_they_stand),
        cmocka_unit_test(descriptor_mappings_are_copied_with_their_samplers),
        cmocka_unit_test(a_structure_that_cannot_be_copied_stops_the_copy),
        cmocka_unit_test(an_unknown_structure_stops_the_copy_and_is_named),
        cmocka_unit_test(running_out_of_memory_gives_null),
        cmocka_unit_test(sizes_of_chained_structures_are_those_of_the_headers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
