/* SPDX-License-Identifier: MIT */
#include "plumbing.h"

#include <stdio.h>
#include <stdlib.h>

#include "quad_frag.h"
#include "quad_vert.h"

void check(VkResult result, const char *call)
{
    if (result == VK_SUCCESS)
        return;
    fprintf(stderr, "%s: VkResult %d\n", call, (int)result);
    exit(1);
}

static VkDeviceMemory allocate(const struct plumbing *p, const VkMemoryRequirements *needs, VkMemoryPropertyFlags flags)
{
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(p->physical, &memory);
    uint32_t type = 0;
    while (type < memory.memoryTypeCount &&
           (!(needs->memoryTypeBits >> type & 1) || (memory.memoryTypes[type].propertyFlags & flags) != flags))
        type++;
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs->size, .memoryTypeIndex = type};
    VkDeviceMemory result = VK_NULL_HANDLE;
    CHECK(vkAllocateMemory(p->device, &info, NULL, &result));
    return result;
}

static VkImage make_image(const struct plumbing *p, VkFormat format, uint32_t size, VkImageUsageFlags usage,
                          VkDeviceMemory *memory)
{
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = format,
                                    .extent = {size, size, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = usage};
    VkImage image;
    CHECK(vkCreateImage(p->device, &info, NULL, &image));
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(p->device, image, &needs);
    *memory = allocate(p, &needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    CHECK(vkBindImageMemory(p->device, image, *memory, 0));
    return image;
}

static VkShaderModule make_shader(const struct plumbing *p, const uint32_t *words, size_t size)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = words};
    VkShaderModule module;
    CHECK(vkCreateShaderModule(p->device, &info, NULL, &module));
    return module;
}

static void make_layouts(struct plumbing *p)
{
    const VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                                  .descriptorCount = 1,
                                                  .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
    CHECK(vkCreateDescriptorSetLayout(p->device, &set, NULL, &p->set_layout));
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &p->set_layout};
    CHECK(vkCreatePipelineLayout(p->device, &layout, NULL, &p->layout));
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1};
    const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &size};
    CHECK(vkCreateDescriptorPool(p->device, &pool, NULL, &p->pool));
    const VkCommandPoolCreateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    CHECK(vkCreateCommandPool(p->device, &commands, NULL, &p->commands));
}

static void make_pipeline(struct plumbing *p)
{
    const VkPipelineShaderStageCreateInfo stages[2] = {{.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .stage = VK_SHADER_STAGE_VERTEX_BIT,
                                                        .module = make_shader(p, quad_vert, sizeof(quad_vert)),
                                                        .pName = "main"},
                                                       {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
                                                        .module = make_shader(p, quad_frag, sizeof(quad_frag)),
                                                        .pName = "main"}};
    const VkPipelineVertexInputStateCreateInfo vertices = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP};
    const VkViewport area = {0, 0, (float)p->target_size, (float)p->target_size, 0, 1};
    const VkRect2D scissor = {{0, 0}, {p->target_size, p->target_size}};
    const VkPipelineViewportStateCreateInfo viewport = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                        .viewportCount = 1,
                                                        .pViewports = &area,
                                                        .scissorCount = 1,
                                                        .pScissors = &scissor};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo samples = {.sType =
                                                              VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                          .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 0xf};
    const VkPipelineColorBlendStateCreateInfo blend = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                       .attachmentCount = 1,
                                                       .pAttachments = &attachment};
    const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                     .colorAttachmentCount = 1,
                                                     .pColorAttachmentFormats = &format};
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &rendering,
                                               .stageCount = 2,
                                               .pStages = stages,
                                               .pVertexInputState = &vertices,
                                               .pInputAssemblyState = &assembly,
                                               .pViewportState = &viewport,
                                               .pRasterizationState = &raster,
                                               .pMultisampleState = &samples,
                                               .pColorBlendState = &blend,
                                               .layout = p->layout};
    CHECK(vkCreateGraphicsPipelines(p->device, VK_NULL_HANDLE, 1, &info, NULL, &p->pipeline));
    vkDestroyShaderModule(p->device, stages[0].module, NULL);
    vkDestroyShaderModule(p->device, stages[1].module, NULL);
}

uint8_t *plumbing_make(struct plumbing *p, VkPhysicalDevice physical, VkDevice device, uint32_t texture_size,
                       uint32_t target_size)
{
    *p = (struct plumbing){
        .physical = physical, .device = device, .texture_size = texture_size, .target_size = target_size};
    p->texture = make_image(p, VK_FORMAT_R8_UNORM, texture_size,
                            VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT, &p->texture_memory);
    p->target = make_image(p, VK_FORMAT_R8G8B8A8_UNORM, target_size,
                           VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT, &p->target_memory);
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = (VkDeviceSize)4 * target_size * target_size,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    CHECK(vkCreateBuffer(device, &info, NULL, &p->shared));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, p->shared, &needs);
    p->shared_memory = allocate(p, &needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    CHECK(vkBindBufferMemory(device, p->shared, p->shared_memory, 0));
    make_layouts(p);
    make_pipeline(p);
    void *mapped;
    CHECK(vkMapMemory(device, p->shared_memory, 0, VK_WHOLE_SIZE, 0, &mapped));
    return mapped;
}

static void change_layout(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to)
{
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                          .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                          .oldLayout = from,
                                          .newLayout = to,
                                          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .image = image,
                                          .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL,
                         0, NULL, 1, &barrier);
}

static VkDescriptorSet make_set(const struct plumbing *p, VkSampler sampler, VkImageView texture)
{
    const VkDescriptorSetAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                    .descriptorPool = p->pool,
                                                    .descriptorSetCount = 1,
                                                    .pSetLayouts = &p->set_layout};
    VkDescriptorSet set;
    CHECK(vkAllocateDescriptorSets(p->device, &allocation, &set));
    const VkDescriptorImageInfo image = {sampler, texture, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                        .pImageInfo = &image};
    vkUpdateDescriptorSets(p->device, 1, &write, 0, NULL);
    return set;
}

void plumbing_draw(const struct plumbing *p, VkQueue queue, VkSampler sampler, VkImageView texture, VkImageView target)
{
    const VkDescriptorSet set = make_set(p, sampler, texture);
    const VkCommandBufferAllocateInfo allocation = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = p->commands, .commandBufferCount = 1};
    VkCommandBuffer commands;
    CHECK(vkAllocateCommandBuffers(p->device, &allocation, &commands));
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    CHECK(vkBeginCommandBuffer(commands, &begin));

    VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                              .imageExtent = {p->texture_size, p->texture_size, 1}};
    change_layout(commands, p->texture, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    vkCmdCopyBufferToImage(commands, p->shared, p->texture, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
    change_layout(commands, p->texture, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);

    change_layout(commands, p->target, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    const VkRenderingAttachmentInfo attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                  .imageView = target,
                                                  .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                                  .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                  .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                  .clearValue = {.color = {.float32 = {0, 0.2f, 0.4f, 1}}}};
    const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                       .renderArea = {{0, 0}, {p->target_size, p->target_size}},
                                       .layerCount = 1,
                                       .colorAttachmentCount = 1,
                                       .pColorAttachments = &attachment};
    vkCmdBeginRendering(commands, &rendering);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, p->pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, p->layout, 0, 1, &set, 0, NULL);
    vkCmdDraw(commands, 4, 1, 0, 0);
    vkCmdEndRendering(commands);

    change_layout(commands, p->target, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    copy.imageExtent = (VkExtent3D){p->target_size, p->target_size, 1};
    vkCmdCopyImageToBuffer(commands, p->target, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, p->shared, 1, &copy);
    const VkMemoryBarrier to_host = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host, 0, NULL,
                         0, NULL);
    CHECK(vkEndCommandBuffer(commands));
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    CHECK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
    CHECK(vkQueueWaitIdle(queue));
}

void plumbing_destroy(struct plumbing *p)
{
    vkDestroyCommandPool(p->device, p->commands, NULL);
    vkDestroyPipeline(p->device, p->pipeline, NULL);
    vkDestroyDescriptorPool(p->device, p->pool, NULL);
    vkDestroyPipelineLayout(p->device, p->layout, NULL);
    vkDestroyDescriptorSetLayout(p->device, p->set_layout, NULL);
    vkDestroyImage(p->device, p->texture, NULL);
    vkDestroyImage(p->device, p->target, NULL);
    vkDestroyBuffer(p->device, p->shared, NULL);
    vkFreeMemory(p->device, p->texture_memory, NULL);
    vkFreeMemory(p->device, p->target_memory, NULL);
    vkFreeMemory(p->device, p->shared_memory, NULL);
}
