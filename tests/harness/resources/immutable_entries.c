/* SPDX-License-Identifier: MIT */
#include "harness/resources/immutable_entries.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/resources/resources.h"

static void update(struct harness_vulkan *vk, bool push, VkDescriptorSetLayout layout,
                   VkDescriptorUpdateTemplate template, VkPipelineLayout pipelines)
{
    VkDescriptorImageInfo info;
    memset(&info, 0x7a, sizeof(info));
    if (push) {
        VkCommandBuffer commands = harness_begin(vk);
        HARNESS_PROC(vk, vkCmdPushDescriptorSetWithTemplateKHR)(commands, template, pipelines, 0, &info);
        harness_submit(vk, commands);
    } else {
        vkUpdateDescriptorSetWithTemplate(vk->device, harness_set(vk, layout), template, &info);
    }
}

static void try(bool push)
{
    struct harness_vulkan vk;
    VkSampler sampler;
    VkDescriptorSetLayout layout;
    VkPipelineLayout pipelines;
    VkDescriptorUpdateTemplate template;
    harness_vulkan_open(
        &vk, &(struct harness_vulkan_params){.wanted_extension = push ? VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME : NULL});
    if (push && !vk.has_wanted)
        return;
    const VkSamplerCreateInfo plain = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    HARNESS_VK(vkCreateSampler(vk.device, &plain, NULL, &sampler));
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_COMPUTE_BIT,
                                                  &sampler};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = push ? (VkFlags)VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR : 0,
        .bindingCount = 1,
        .pBindings = &binding};
    HARNESS_VK(vkCreateDescriptorSetLayout(vk.device, &set, NULL, &layout));
    const VkPipelineLayoutCreateInfo all = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &layout};
    HARNESS_VK(vkCreatePipelineLayout(vk.device, &all, NULL, &pipelines));
    const VkDescriptorUpdateTemplateEntry entry = {
        .descriptorCount = 1, .descriptorType = binding.descriptorType, .stride = sizeof(VkDescriptorImageInfo)};
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = push ? VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR
                             : VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = layout,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE,
        .pipelineLayout = pipelines};
    HARNESS_VK(vkCreateDescriptorUpdateTemplate(vk.device, &info, NULL, &template));
    update(&vk, push, layout, template, pipelines);
}

bool harness_survives_immutable_entries(bool push)
{
    enum { SURVIVED = 42, SKIPPED = 77 };
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        try(push);
        _exit(SURVIVED);
    }
    /* A sanitizer makes an exit of the signal. */
    return child < 0 || waitpid(child, &status, 0) != child ||
           (WIFEXITED(status) && (WEXITSTATUS(status) == SURVIVED || WEXITSTATUS(status) == SKIPPED));
}
