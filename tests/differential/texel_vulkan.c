/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "differential/texel_sides.h"
#include "texel_fullscreen.h"
#include "texel_modules.h"

enum { COLUMNS = 64, GROUP = 64, ARRAY = 3 };

/* ---- The device ---- */

static void set_variable(const char *key, const char *value)
{
    char name[64] = "VK_CLAMPLER_GL_SAMPLER_";
    strncat(name, key, sizeof(name) - strlen(name) - 1);
    setenv(name, value, 1);
}

/* What the driver can do: asked of a device without the layer. */
static void read_driver(struct texel_driver *driver, const struct texel_vulkan_params *params)
{
    const bool limited = strstr(params->layers, "limited") != NULL;
    struct harness_vulkan probe;
    harness_vulkan_open(&probe, &(struct harness_vulkan_params){.layers = limited ? "limited" : NULL});
    VkPhysicalDeviceDescriptorIndexingFeatures indexing = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &indexing};
    vkGetPhysicalDeviceFeatures2(probe.physical, &features);
    const bool vertex = features.features.vertexPipelineStoresAndAtomics;
    *driver = (struct texel_driver){
        .forms = {true, true, indexing.shaderUniformTexelBufferArrayDynamicIndexing,
                  indexing.shaderUniformTexelBufferArrayNonUniformIndexing},
        .stages = {true, vertex, features.features.fragmentStoresAndAtomics, vertex && features.features.geometryShader,
                   vertex && features.features.tessellationShader, vertex && features.features.tessellationShader},
        .most_elements = probe.properties.limits.maxTexelBufferElements,
        .alignment = (uint32_t)probe.properties.limits.minTexelBufferOffsetAlignment,
    };
    if (strstr(params->missing, "large") && driver->most_elements > 65536)
        driver->most_elements = 65536;
    for (uint32_t row = 0; row < texel_row_count; row++) {
        VkFormatProperties properties;
        vkGetPhysicalDeviceFormatProperties(probe.physical, texel_rows[row].format, &properties);
        driver->formats[row] = (properties.bufferFeatures & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT) &&
                               !(texel_rows[row].components == 3 && strstr(params->missing, "rgb32"));
        driver->others[row] = properties.bufferFeatures & ~(VkFlags)VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT;
    }
    harness_vulkan_close(&probe);
}

static void open_device(struct texel_vulkan *side, const struct texel_vulkan_params *params)
{
    const struct texel_driver *driver = &side->driver;
    read_driver(&side->driver, params);
    static const char *const extension[] = {VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME};
    VkPhysicalDeviceDescriptorIndexingFeatures indexing = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES,
        .shaderUniformTexelBufferArrayDynamicIndexing = driver->forms[FORM_DYNAMIC],
        .shaderUniformTexelBufferArrayNonUniformIndexing = driver->forms[FORM_NON_UNIFORM]};
    VkPhysicalDeviceGLSamplerFeaturesCLAMPLER gl = {.sType =
                                                        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER,
                                                    .pNext = &indexing,
                                                    .glBufferView = VK_TRUE};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = params->by_setting ? (void *)&indexing : (void *)&gl,
                                          .features = {.geometryShader = driver->stages[STAGE_GEOMETRY],
                                                       .tessellationShader = driver->stages[STAGE_TESS_CONTROL],
                                                       .vertexPipelineStoresAndAtomics = driver->stages[STAGE_VERTEX],
                                                       .fragmentStoresAndAtomics = driver->stages[STAGE_FRAGMENT]}};
    const VkValidationFeatureEnableEXT assisted = VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT;
    const VkValidationFeaturesEXT validation = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                                .enabledValidationFeatureCount = 1,
                                                .pEnabledValidationFeatures = &assisted};
    set_variable("TEXEL_PATH", params->path);
    set_variable("ASSUME_MISSING", params->missing);
    set_variable("TEXEL_BUFFERS", params->by_setting && !params->offered ? "emulate" : "native");
    set_variable("OFFER", params->offered ? "missing" : "");
    harness_vulkan_open(&side->vk, &(struct harness_vulkan_params){
                                       .layers = params->layers,
                                       .device_next = &features,
                                       .device_extensions = extension,
                                       .device_extension_count = params->by_setting ? 0 : 1,
                                       .instance_next = params->gpu_assisted ? &validation : NULL,
                                   });
}

/* The extension's property, which the core limit repeats where a setting promises it to all programs. */
static void read_promise(struct texel_vulkan *side, const struct texel_vulkan_params *params)
{
    VkPhysicalDeviceGLSamplerPropertiesCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_PROPERTIES_CLAMPLER};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &gl};
    if (side->vk.properties.apiVersion >= VK_API_VERSION_1_1)
        vkGetPhysicalDeviceProperties2(side->vk.physical, &properties);
    else /* no way to ask for the property */
        gl.maxTexelBufferElements = (properties.properties = side->vk.properties).limits.maxTexelBufferElements;
    side->most_elements = gl.maxTexelBufferElements;
    const VkDeviceSize limit = properties.properties.limits.maxTexelBufferElements;
    if (params->by_setting ? limit < gl.maxTexelBufferElements
                           : !params->missing[0] && limit != side->driver.most_elements)
        harness_fail("maxTexelBufferElements is %llu, the property %llu, the driver's %u", (unsigned long long)limit,
                     (unsigned long long)gl.maxTexelBufferElements, side->driver.most_elements);
    for (uint32_t row = 0; row < texel_row_count; row++) {
        VkFormatProperties format;
        vkGetPhysicalDeviceFormatProperties(side->vk.physical, texel_rows[row].format, &format);
        const bool has = format.bufferFeatures & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT;
        if (params->by_setting ? !has : !params->missing[0] && has != side->driver.formats[row])
            harness_fail("what is said of the format of %s is wrong", texel_rows[row].name);
        if ((format.bufferFeatures & ~(VkFlags)VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT) != side->driver.others[row])
            harness_fail("the format of %s is offered for more than uniform texel buffers", texel_rows[row].name);
    }
}

static void make_layouts(struct texel_vulkan *side)
{
    for (unsigned array = 0; array < 2; array++) {
        const VkDescriptorSetLayoutBinding bindings[] = {
            {0, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, array ? ARRAY : 1, VK_SHADER_STAGE_ALL, NULL},
            {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
            {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL}};
        side->set_layout[array] = harness_set_layout(&side->vk, bindings, 3);
        side->layout[array] = harness_pipeline_layout(&side->vk, &side->set_layout[array], 1, 8);
    }
}

void texel_vulkan_open(struct texel_vulkan *side, const struct texel_vulkan_params *params)
{
    *side = (struct texel_vulkan){.by_setting = params->by_setting,
                                  .above = strncmp(params->layers, "validation:", 11) == 0};
    open_device(side, params);
    read_promise(side, params);
    make_layouts(side);
    harness_target_create(&side->vk, &side->target, VK_FORMAT_R8G8B8A8_UNORM, COLUMNS, 1);
    harness_buffer_create(&side->vk, &side->indices, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, COLUMNS * sizeof(int32_t),
                          NULL);
    harness_buffer_create(&side->vk, &side->texels, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, COLUMNS * 16, NULL);
}

void texel_vulkan_close(struct texel_vulkan *side)
{
    VkDevice device = side->vk.device;
    for (unsigned i = 0; i < CLASSES * STAGES * FORMS; i++)
        vkDestroyPipeline(device, (&side->pipelines[0][0][0])[i], NULL);
    harness_buffer_destroy(&side->vk, &side->indices);
    harness_buffer_destroy(&side->vk, &side->texels);
    harness_target_destroy(&side->vk, &side->target);
    for (unsigned i = 0; i < 2; i++) {
        vkDestroyPipelineLayout(device, side->layout[i], NULL);
        vkDestroyDescriptorSetLayout(device, side->set_layout[i], NULL);
    }
    harness_vulkan_close(&side->vk);
}

bool texel_vulkan_must_emulate(const struct texel_vulkan *side, const struct texel_case *one)
{
    return !side->driver.formats[one->row] || one->elements > side->driver.most_elements ||
           texel_is_legacy(&texel_rows[one->row]);
}

/* ---- Pipelines ---- */

static VkPipelineShaderStageCreateInfo stage_info(struct texel_vulkan *side, VkShaderStageFlagBits stage,
                                                  struct harness_spirv code)
{
    return (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                             .stage = stage,
                                             .module = harness_module(&side->vk, code),
                                             .pName = "main"};
}

static VkPipeline make_graphics(struct texel_vulkan *side, enum texel_class class, enum texel_stage stage)
{
    VkPipelineShaderStageCreateInfo stages[4];
    uint32_t count = 0;
    const struct harness_spirv code = texel_module(class, stage, FORM_SINGLE);
    const bool tessellates = stage == STAGE_TESS_CONTROL || stage == STAGE_TESS_EVALUATION;
    stages[count++] = stage_info(side, VK_SHADER_STAGE_VERTEX_BIT,
                                 stage == STAGE_VERTEX     ? code
                                 : stage == STAGE_FRAGMENT ? HARNESS_SPIRV(texel_fullscreen)
                                                           : HARNESS_SPIRV(texel_pass));
    if (tessellates) {
        stages[count++] = stage_info(side, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                     stage == STAGE_TESS_CONTROL ? code : HARNESS_SPIRV(texel_tess_pass));
        stages[count++] = stage_info(side, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                                     stage == STAGE_TESS_EVALUATION ? code : HARNESS_SPIRV(texel_evaluate));
    }
    if (stage == STAGE_GEOMETRY)
        stages[count++] = stage_info(side, VK_SHADER_STAGE_GEOMETRY_BIT, code);
    if (stage == STAGE_FRAGMENT)
        stages[count++] = stage_info(side, VK_SHADER_STAGE_FRAGMENT_BIT, code);
    const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                            VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = tessellates               ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST
                    : stage == STAGE_FRAGMENT ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST
                                              : VK_PRIMITIVE_TOPOLOGY_POINT_LIST};
    const VkPipelineTessellationStateCreateInfo tessellation = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = 1};
    const VkViewport viewport = {0, 0, 2 * COLUMNS, 2, 0, 1};
    const VkRect2D scissor = {{0, 0}, {COLUMNS, 1}};
    const VkPipelineViewportStateCreateInfo view = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                    .viewportCount = 1,
                                                    .pViewports = &viewport,
                                                    .scissorCount = 1,
                                                    .pScissors = &scissor};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .rasterizerDiscardEnable = stage != STAGE_FRAGMENT,
        .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo samples = {.sType =
                                                              VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                          .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 15};
    const VkPipelineColorBlendStateCreateInfo blend = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                       .attachmentCount = 1,
                                                       .pAttachments = &attachment};
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .stageCount = count,
                                               .pStages = stages,
                                               .pVertexInputState = &input,
                                               .pInputAssemblyState = &assembly,
                                               .pTessellationState = tessellates ? &tessellation : NULL,
                                               .pViewportState = &view,
                                               .pRasterizationState = &raster,
                                               .pMultisampleState = &samples,
                                               .pColorBlendState = &blend,
                                               .layout = side->layout[0],
                                               .renderPass = side->target.pass};
    VkPipeline pipeline;
    HARNESS_VK(vkCreateGraphicsPipelines(side->vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    for (uint32_t i = 0; i < count; i++)
        vkDestroyShaderModule(side->vk.device, stages[i].module, NULL);
    return pipeline;
}

static VkPipeline pipeline_of(struct texel_vulkan *side, const struct texel_case *one)
{
    const enum texel_class class = texel_class_of(&texel_rows[one->row]);
    VkPipeline *pipeline = &side->pipelines[class][one->stage][one->form];
    if (!*pipeline)
        *pipeline = one->stage == STAGE_COMPUTE
                        ? harness_compute_pipeline(&side->vk, texel_module(class, STAGE_COMPUTE, one->form),
                                                   side->layout[one->form != FORM_SINGLE])
                        : make_graphics(side, class, one->stage);
    return *pipeline;
}

/* ---- One case ---- */

static VkBufferView make_view(struct texel_vulkan *side, const struct texel_case *one, VkBuffer buffer)
{
    const struct texel_row *row = &texel_rows[one->row];
    const VkBufferViewGLStateCreateInfoCLAMPLER gl = {.sType =
                                                          VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
                                                      .internalFormat = one->seed & 1 ? row->internal : 0,
                                                      .baseFormat = one->seed & 2 || !(one->seed & 1) ? row->base : 0};
    /* A range that is not VK_WHOLE_SIZE must be whole texels. */
    const VkBufferViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .pNext = !side->by_setting && (one->gl_state || texel_is_legacy(row)) ? &gl : NULL,
        .buffer = buffer,
        .format = row->format,
        .offset = one->offset,
        .range = one->behind == 0 && one->whole ? VK_WHOLE_SIZE : (VkDeviceSize)one->elements * texel_row_bytes(row)};
    VkBufferView view;
    HARNESS_VK(vkCreateBufferView(side->vk.device, &info, NULL, &view));
    return view;
}

static void write_set(struct texel_vulkan *side, VkDescriptorSet set, uint32_t count, VkBufferView view)
{
    const VkBufferView views[ARRAY] = {view, view, view};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set,
                                        .descriptorCount = count,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                                        .pTexelBufferView = views};
    vkUpdateDescriptorSets(side->vk.device, 1, &write, 0, NULL);
    harness_write_buffer(&side->vk, set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, side->indices.buffer);
    harness_write_buffer(&side->vk, set, 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, side->texels.buffer);
}

static void record(struct texel_vulkan *side, const struct texel_case *one, VkCommandBuffer commands,
                   VkDescriptorSet set, uint32_t count)
{
    const VkPipelineLayout layout = side->layout[one->form != FORM_SINGLE];
    const VkPipelineBindPoint point =
        one->stage == STAGE_COMPUTE ? VK_PIPELINE_BIND_POINT_COMPUTE : VK_PIPELINE_BIND_POINT_GRAPHICS;
    const uint32_t pushed[2] = {count, one->seed % ARRAY};
    vkCmdBindPipeline(commands, point, pipeline_of(side, one));
    vkCmdBindDescriptorSets(commands, point, layout, 0, 1, &set, 0, NULL);
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_ALL, 0, sizeof(pushed), pushed);
    if (one->stage == STAGE_COMPUTE) {
        vkCmdDispatch(commands, (count + GROUP) / GROUP, 1, 1);
        return;
    }
    harness_target_begin(&side->target, commands);
    vkCmdDraw(commands, one->stage == STAGE_FRAGMENT ? 3 : count + 1, 1, 0, 0);
    harness_target_end(commands);
}

/*
 * The property holds for every format. Fetches of 128-bit blocks reach further where texels are smaller: that is looked
 * at too, although programs cannot count on it.
 */
static bool reaches(const struct texel_vulkan *side, const struct texel_case *one)
{
    const uint32_t block = 16, size = texel_row_bytes(&texel_rows[one->row]);
    const uint64_t bytes = (uint64_t)one->elements * size + one->offset % 256;
    return one->elements <= side->most_elements ||
           (!side->by_setting && size < block && bytes <= (side->most_elements - 1) * block);
}

enum texel_outcome texel_vulkan_draw(struct texel_vulkan *side, const struct texel_case *one, const void *bytes,
                                     const int32_t *indices, uint32_t count, uint32_t bits[][4], uint32_t *size,
                                     uint32_t *tier)
{
    const bool array = one->form != FORM_SINGLE;
    if (!side->driver.forms[one->form] || !side->driver.stages[one->stage] || !reaches(side, one) ||
        (side->by_setting && texel_is_legacy(&texel_rows[one->row])))
        return TEXEL_LEFT_OUT;
    /* The driver's own views begin where the driver allows; emulated ones anywhere, though a validation layer above
     * does not know that. */
    const bool own_view = side->driver.formats[one->row] && one->elements <= side->driver.most_elements;
    if ((own_view || side->above) && one->offset % side->driver.alignment != 0)
        return TEXEL_LEFT_OUT;
    struct harness_buffer buffer;
    harness_buffer_create(&side->vk, &buffer, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, texel_buffer_bytes(one), bytes);
    const VkBufferView view = make_view(side, one, buffer.buffer);
    VkDescriptorSet set = harness_set(&side->vk, side->set_layout[array]);
    write_set(side, set, array ? ARRAY : 1, view);
    memcpy(side->indices.map, indices, count * sizeof(*indices));
    memset(side->texels.map, 0xcd, side->texels.size);

    const struct clampler_counters before = harness_counters(&side->vk);
    VkCommandBuffer commands = harness_begin(&side->vk);
    record(side, one, commands, set, count);
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0,
                         NULL, 0, NULL);
    harness_submit(&side->vk, commands);
    const struct clampler_counters after = harness_counters(&side->vk);
    *tier = after.draws[1] > before.draws[1] ? 1 : after.draws[2] > before.draws[2] ? 2 : 0;
    memcpy(bits, side->texels.map, count * sizeof(*bits));
    *size = ((const uint32_t *)side->texels.map)[count * 4];

    vkFreeDescriptorSets(side->vk.device, side->vk.descriptors, 1, &set);
    vkDestroyBufferView(side->vk.device, view, NULL);
    harness_buffer_destroy(&side->vk, &buffer);
    return TEXEL_DRAWN;
}
