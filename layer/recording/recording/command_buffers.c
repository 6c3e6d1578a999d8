/* SPDX-License-Identifier: MIT */
/*
 * Hooks of command buffers and binds. They track the bindings, by which a draw chooses its tier. They take no lock,
 * unless a draw makes the records of split samplers (split.c), and allocate only at a command buffer's first use.
 */
#include <stdlib.h>
#include <string.h>

#include "alpha/order.h"
#include "alpha/change.h"
#include "alpha/pass.h"
#include "blits/blit.h"
#include "commands/command_buffer.h"
#include "commands/commands.h"
#include "commands/dynamic_state.h"
#include "commands/ring.h"
#include "descriptors/pool.h"
#include "descriptors/records.h"
#include "device/device.h"
#include "device/held.h"
#include "device/object_names.h"
#include "device/structure_chain.h"
#include "modules/shader_module.h"
#include "need/need.h"
#include "objects/pnext.h"
#include "objects/table.h"
#include "objects/track.h"
#include "pipelines/pipeline_order.h"
#include "pipelines/tiers.h"
#include "pipelines/pipeline_blend.h"
#include "pipelines/pipelines.h"
#include "recording/bound.h"
#include "push/push.h"
#include "recording/recording.h"
#include "resolve/resolve.h"
#include "vulkan_clampler.h"

/* ---- State ---- */

static void clear(struct command *command)
{
    ring_reset(command);
    push_reset(command);
    bound_reset(command);
    blit_reset(command);
    for (uint32_t p = 0; p < POINT_COUNT; p++) {
        struct bound_set *sets = command->points[p].sets;
        command->points[p] = (struct bind_point){.sets = sets};
    }
    memset(command->set_storage, 0, POINT_COUNT * command->set_limit * sizeof(*command->set_storage));
    memset(command->draws, 0, sizeof(command->draws));
    memset(command->open_follows, 0, sizeof(command->open_follows));
    pass_reset(command);
    dynamic_state_reset(command->dynamic);
    blend_reset(command);
    command->shader_count = 0;
    command->inherits_condition = false;
    command->condition.begun = CONDITION_NONE;
    command->error = VK_SUCCESS;
    command->feedback = false;
    change_begin(command);
}

static void command_delete(struct track *track, struct command *command)
{
    bound_finish(command);
    pass_finish(command);
    dynamic_state_delete(track, command->dynamic);
    object_free(track, NULL, command->set_storage, POINT_COUNT * command->set_limit * sizeof(*command->set_storage));
    object_free(track, NULL, command, sizeof(*command));
}

/* A spare one, or a new one. NULL if memory runs out. */
static struct command *command_acquire(struct track *track)
{
    pthread_mutex_lock(&track->commands->lock);
    struct command *command = track->commands->spare;
    if (command)
        track->commands->spare = command->next;
    pthread_mutex_unlock(&track->commands->lock);
    if (command)
        return command;

    command = object_alloc(track, NULL, sizeof(*command));
    if (!command)
        return NULL;
    uint32_t limit = track->device->properties.limits.maxBoundDescriptorSets;
    command->device = track->device;
    command->track = track;
    command->set_limit = limit < 256 ? limit : 256;
    command->set_storage = object_alloc(track, NULL, POINT_COUNT * command->set_limit * sizeof(*command->set_storage));
    const bool alpha = track->device->caps.rgbx_attachments;
    if (alpha)
        command->dynamic = dynamic_state_create(track);
    if (!command->set_storage || (alpha && (!command->dynamic || !pass_init(command))) || !bound_init(command)) {
        command_delete(track, command);
        return NULL;
    }
    for (uint32_t p = 0; p < POINT_COUNT; p++)
        command->points[p].sets = command->set_storage + p * command->set_limit;
    return command;
}

/* The program has freed it, or its creation failed. */
static void command_spare(struct track *track, struct command *command)
{
    push_finish(command);
    ring_finish(command);
    blit_finish(command);
    object_gone(&track->device->names, VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE_KEY(command->handle));
    command->handle = VK_NULL_HANDLE;
    pthread_mutex_lock(&track->commands->lock);
    command->next = track->commands->spare;
    track->commands->spare = command;
    pthread_mutex_unlock(&track->commands->lock);
}

void recording_finish(struct track *track)
{
    atomic_fetch_add(&command_epoch, 1);
    while (track->commands->spare) {
        struct command *command = track->commands->spare;
        track->commands->spare = command->next;
        command_delete(track, command);
    }
}

/* ---- Pools ---- */

static void pool_add(struct command_pool *pool, struct command *command)
{
    command->pool = pool;
    command->previous = NULL;
    command->next = pool->commands;
    if (command->next)
        command->next->previous = command;
    pool->commands = command;
}

static void pool_remove(struct command *command)
{
    if (command->previous)
        command->previous->next = command->next;
    else
        command->pool->commands = command->next;
    if (command->next)
        command->next->previous = command->previous;
}

/* False: out of memory. */
static bool family_flags(const struct device *device, uint32_t family, VkQueueFlags *flags)
{
    uint32_t count = 0;
    device->instance->next.GetPhysicalDeviceQueueFamilyProperties(device->physical, &count, NULL);
    VkQueueFamilyProperties *families = calloc(count, sizeof(*families));
    if (families)
        device->instance->next.GetPhysicalDeviceQueueFamilyProperties(device->physical, &count, families);
    *flags = families && family < count ? families[family].queueFlags : 0;
    free(families);
    return families;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateCommandPool(VkDevice handle, const VkCommandPoolCreateInfo *pCreateInfo,
                                                      const VkAllocationCallbacks *pAllocator,
                                                      VkCommandPool *pCommandPool)
{
    struct device *device = device_of(handle);
    struct command_pool *pool = object_alloc(device->track, pAllocator, sizeof(*pool));
    if (!pool)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const bool blits =
        device->caps.linear_fallback == FALLBACK_SHADER || device->caps.resolve.offered & RESOLVE_OFFER_CUBIC;
    pool->family = pCreateInfo->queueFamilyIndex;
    VkResult result = VK_SUCCESS;
    if ((blits || device->caps.max_push_descriptors) && !family_flags(device, pool->family, &pool->queue_flags))
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    pool->compute = blits && (pool->queue_flags & VK_QUEUE_COMPUTE_BIT);
    VkCommandPool created = VK_NULL_HANDLE;
    if (result == VK_SUCCESS)
        result = device->next.CreateCommandPool(handle, pCreateInfo, pAllocator, &created);
    result =
        TRACKED_INSERT(result, device->track, &device->track->commands->pools, CommandPool, created, pool, pAllocator);
    if (result != VK_SUCCESS) {
        object_free(device->track, pAllocator, pool, sizeof(*pool));
        return result;
    }
    *pCommandPool = created;
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyCommandPool(VkDevice handle, VkCommandPool commandPool,
                                                   const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct track *track = device->track;
    struct command_pool *pool = table_remove(&track->commands->pools, HANDLE_KEY(commandPool));
    while (pool && pool->commands) {
        struct command *command = pool->commands;
        pool_remove(command);
        table_remove(&track->commands->buffers, HANDLE_KEY(command->handle));
        command_spare(track, command);
    }
    device->next.DestroyCommandPool(handle, commandPool, pAllocator);
    object_free(track, pAllocator, pool, sizeof(*pool));
}

VKAPI_ATTR VkResult VKAPI_CALL hook_ResetCommandPool(VkDevice handle, VkCommandPool commandPool,
                                                     VkCommandPoolResetFlags flags)
{
    struct device *device = device_of(handle);
    struct command_pool *pool = table_find(&device->track->commands->pools, HANDLE_KEY(commandPool));
    for (struct command *command = pool ? pool->commands : NULL; command; command = command->next)
        clear(command);
    return device->next.ResetCommandPool(handle, commandPool, flags);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_AllocateCommandBuffers(VkDevice handle,
                                                           const VkCommandBufferAllocateInfo *pAllocateInfo,
                                                           VkCommandBuffer *pCommandBuffers)
{
    struct device *device = device_of(handle);
    struct track *track = device->track;
    struct command_pool *pool = table_find(&track->commands->pools, HANDLE_KEY(pAllocateInfo->commandPool));
    VkResult result = device->next.AllocateCommandBuffers(handle, pAllocateInfo, pCommandBuffers);
    if (result != VK_SUCCESS || !pool)
        return result;
    uint32_t done = 0;
    for (; done < pAllocateInfo->commandBufferCount; done++) {
        struct command *command = command_acquire(track);
        if (!command)
            break;
        if (!table_insert(&track->commands->buffers, HANDLE_KEY(pCommandBuffers[done]), command)) {
            command_spare(track, command);
            break;
        }
        command->handle = pCommandBuffers[done];
        command->secondary = pAllocateInfo->level == VK_COMMAND_BUFFER_LEVEL_SECONDARY;
        pool_add(pool, command);
        clear(command);
    }
    if (done == pAllocateInfo->commandBufferCount)
        return VK_SUCCESS;
    while (done-- > 0) {
        struct command *command = table_remove(&track->commands->buffers, HANDLE_KEY(pCommandBuffers[done]));
        pool_remove(command);
        command_spare(track, command);
    }
    device->next.FreeCommandBuffers(handle, pAllocateInfo->commandPool, pAllocateInfo->commandBufferCount,
                                    pCommandBuffers);
    memset(pCommandBuffers, 0, pAllocateInfo->commandBufferCount * sizeof(*pCommandBuffers));
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL hook_FreeCommandBuffers(VkDevice handle, VkCommandPool commandPool,
                                                   uint32_t commandBufferCount, const VkCommandBuffer *pCommandBuffers)
{
    struct device *device = device_of(handle);
    struct track *track = device->track;
    for (uint32_t i = 0; i < commandBufferCount; i++) {
        struct command *command = table_remove(&track->commands->buffers, HANDLE_KEY(pCommandBuffers[i]));
        if (!command)
            continue;
        pool_remove(command);
        command_spare(track, command);
    }
    device->next.FreeCommandBuffers(handle, commandPool, commandBufferCount, pCommandBuffers);
}

/* ---- Recording ---- */

static bool inherits_condition(const VkCommandBufferInheritanceInfo *inherits)
{
    const VkCommandBufferInheritanceConditionalRenderingInfoEXT *conditional =
        pnext_find(inherits->pNext, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT);
    return conditional && conditional->conditionalRenderingEnable;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_BeginCommandBuffer(VkCommandBuffer commandBuffer,
                                                       const VkCommandBufferBeginInfo *pBeginInfo)
{
    static const VkStructureType own[] = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_STATE_CLAMPLER,
                                          VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_CHANNEL_ORDER_CLAMPLER};
    struct device *device = device_of(commandBuffer);
    struct command *command = command_of(commandBuffer);
    messages_report_left(device->instance);
    if (!command)
        return device->next.BeginCommandBuffer(commandBuffer, pBeginInfo);
    clear(command);
    /* Of a primary command buffer it is ignored, and may lead anywhere. */
    const VkCommandBufferInheritanceInfo *inherits = command->secondary ? pBeginInfo->pInheritanceInfo : NULL;
    command->inherits_condition = inherits && inherits_condition(inherits);
    if (inherits)
        bound_inherit(command, inherits->pNext);
    if (inherits && device->caps.rgbx_attachments &&
        (pBeginInfo->flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT))
        pass_inherit(command, inherits);
    const bool state = inherits && pnext_find(inherits->pNext, own[0]);
    if (!state && !(inherits && pnext_find(inherits->pNext, own[1])))
        return device->next.BeginCommandBuffer(commandBuffer, pBeginInfo);

    if (!device->caps.enabled.alphaToOneAttachments)
        return refuse_about(
            device->track, ABOUT({VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE_KEY(commandBuffer)}), "vkBeginCommandBuffer",
            state
                ? "VkCommandBufferInheritanceGLStateCLAMPLER needs the feature alphaToOneAttachments, which is not "
                  "enabled"
                : "VkCommandBufferInheritanceGLChannelOrderCLAMPLER needs the feature alphaToOneAttachments, which is "
                  "not enabled");
    VkCommandBufferInheritanceInfo inheritance = *inherits;
    VkCommandBufferBeginInfo info = *pBeginInfo;
    void *rest, *memory;
    if (!pnext_copy_without(inherits->pNext, own, 2, &rest, &memory))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    inheritance.pNext = rest;
    info.pInheritanceInfo = &inheritance;
    const VkResult result = device->next.BeginCommandBuffer(commandBuffer, &info);
    free(memory);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_ResetCommandBuffer(VkCommandBuffer commandBuffer, VkCommandBufferResetFlags flags)
{
    struct command *command = command_of(commandBuffer);
    if (command)
        clear(command);
    return device_of(commandBuffer)->next.ResetCommandBuffer(commandBuffer, flags);
}

/* Returns errors of void commands (section "Command Buffer Recording"). */
VKAPI_ATTR VkResult VKAPI_CALL hook_EndCommandBuffer(VkCommandBuffer commandBuffer)
{
    struct command *command = command_of(commandBuffer);
    struct device *device = device_of(commandBuffer);
    messages_report_left(device->instance);
    VkResult result = device->next.EndCommandBuffer(commandBuffer);
    if (!command)
        return result;
    for (uint32_t tier = 0; tier < TIER_COUNT; tier++)
        count(&command->track->counters.draws[tier_reported(tier)], command->draws[tier]);
    count(&command->track->counters.draws_masks, command->draws[TIER_CLAMP]);
    for (uint32_t tier = TIER_FILTER_TEXELS; tier < TIER_COUNT; tier++)
        count(&command->track->counters.draws_texels, command->draws[tier]);
    memset(command->draws, 0, sizeof(command->draws));
    return result == VK_SUCCESS ? result_within(command->error) : result;
}

/* True: a bind only saves the handles of sets. */
static inline bool nothing_required(const struct command *command, const struct bind_point *point)
{
    const struct track *track = command->track;
    return point->driver.tier == 0 && !atomic_load_explicit(&track->may_emulate, memory_order_relaxed) &&
           !atomic_load_explicit(&track->open_sets, memory_order_relaxed) &&
           !atomic_load_explicit(&track->split, memory_order_relaxed);
}

/*
 * Binds a set that has the same needs as the one it replaces, or any set while no draw can have needs: the next draw
 * keeps its tier. False: nothing was done.
 */
static inline bool bind_at_once(const struct command *command, const struct bind_point *point, struct bound_set *bound,
                                VkDescriptorSet handle)
{
    struct track *track = command->track;
    if (bound->push)
        return false;
    if (nothing_required(command, point)) {
        *bound = (struct bound_set){.unknown = true, .set = handle};
        return true;
    }
    const struct set *set = table_find(&track->sets, HANDLE_KEY(handle));
    /* Which bindings have the last of these needs, they do not say. */
    if (!set || records_are(&set->records, RECORDS_SHARED) || records_are_stale(&set->records) || bound->unknown ||
        records_needs(&set->records) != bound->needs || bound->needs & RECORD_NEED_FILTER_IF_UNCOMPARED ||
        atomic_load_explicit(&track->split, memory_order_relaxed))
        return false;
    const bool not_uploaded = records_not_uploaded(&set->records);
    if (not_uploaded && point->driver.tier > 0)
        return false;
    bound->not_uploaded = not_uploaded;
    bound->set = handle;
    return true;
}

/*
 * If the new set has the same needs as the one that it replaces, the next draw need not choose a tier again. In tier 0
 * nothing reads records, and they need not be uploaded.
 */
static void bind_set(struct command *command, struct bind_point *point, struct bound_set *bound, VkDescriptorSet handle)
{
    const uint32_t known = bound->needs;
    const bool other = handle != bound->set, pushed = bound->push, unknown = bound->unknown;
    bound->set = handle;
    push_unbind(bound);
    bound_look_up(command->track, bound);
    if (known != bound->needs || unknown || pushed || (other && known & RECORD_NEED_FILTER_IF_UNCOMPARED) ||
        (bound->not_uploaded && point->driver.tier > 0) ||
        (other && atomic_load_explicit(&command->track->split, memory_order_relaxed)))
        point->dirty = BIND_CHANGED;
}

static void remember_sets(struct command *command, uint32_t point_index, uint32_t first, uint32_t set_count,
                          const VkDescriptorSet *sets)
{
    struct bind_point *point = &command->points[point_index];
    const uint32_t end = first < command->set_limit ? command->set_limit - first : 0;
    for (uint32_t i = 0; i < set_count && i < end; i++) {
        struct bound_set *bound = &point->sets[first + i];
        if (!bind_at_once(command, point, bound, sets[i]))
            bind_set(command, point, bound, sets[i]);
    }
}

static __attribute__((noinline)) void bind_saved(VkCommandBuffer handle, VkPipelineBindPoint bind_point,
                                                 VkPipelineLayout layout, uint32_t first, uint32_t set_count,
                                                 const VkDescriptorSet *sets, uint32_t offset_count,
                                                 const uint32_t *offsets)
{
    struct command *command = command_of(handle);
    if (command)
        remember_sets(command, point_of(bind_point), first, set_count, sets);
    const struct device *device = command ? command->device : device_of(handle);
    device->next.CmdBindDescriptorSets(handle, bind_point, layout, first, set_count, sets, offset_count, offsets);
}

_Static_assert((int)VK_PIPELINE_BIND_POINT_GRAPHICS == POINT_GRAPHICS &&
                   (int)VK_PIPELINE_BIND_POINT_COMPUTE == POINT_COMPUTE,
               "the usual bind points are numbered as Vulkan's");

/* Most binds are of one set, and can be done at once. */
VKAPI_ATTR void VKAPI_CALL hook_CmdBindDescriptorSets(VkCommandBuffer commandBuffer,
                                                      VkPipelineBindPoint pipelineBindPoint, VkPipelineLayout layout,
                                                      uint32_t firstSet, uint32_t descriptorSetCount,
                                                      const VkDescriptorSet *pDescriptorSets,
                                                      uint32_t dynamicOffsetCount, const uint32_t *pDynamicOffsets)
{
    struct command *command = command_last(commandBuffer);
    if (command && descriptorSetCount == 1 && (uint32_t)pipelineBindPoint <= POINT_COMPUTE &&
        firstSet < command->set_limit &&
        bind_at_once(command, &command->points[pipelineBindPoint], &command->points[pipelineBindPoint].sets[firstSet],
                     pDescriptorSets[0]))
        command->device->next.CmdBindDescriptorSets(commandBuffer, pipelineBindPoint, layout, firstSet,
                                                    descriptorSetCount, pDescriptorSets, dynamicOffsetCount,
                                                    pDynamicOffsets);
    else
        bind_saved(commandBuffer, pipelineBindPoint, layout, firstSet, descriptorSetCount, pDescriptorSets,
                   dynamicOffsetCount, pDynamicOffsets);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdBindDescriptorSets2KHR(VkCommandBuffer commandBuffer,
                                                          const VkBindDescriptorSetsInfoKHR *pInfo)
{
    struct command *command = command_of(commandBuffer);
    for (uint32_t point = 0; command && point < POINT_COUNT; point++) {
        if (pInfo->stageFlags & point_stages(point))
            remember_sets(command, point, pInfo->firstSet, pInfo->descriptorSetCount, pInfo->pDescriptorSets);
    }
    device_of(commandBuffer)->next.CmdBindDescriptorSets2KHR(commandBuffer, pInfo);
}

/*
 * The program binds a pipeline: returns the driver's pipeline to bind. The sets of the next draw may not be bound yet,
 * so this guesses the tier of the last draw, if the pipeline has it already; the draw corrects a wrong guess.
 */
static VkPipeline remember_pipeline(VkCommandBuffer handle, VkPipelineBindPoint bind_point, VkPipeline pipeline,
                                    uint32_t group)
{
    struct command *command = command_of(handle);
    if (!command)
        return pipeline;
    struct pipeline *known = pipeline_find(command->track, pipeline);
    struct bind_point *point = &command->points[point_of(bind_point)];
    VkPipeline for_driver = pipeline;
    uint32_t tier = 0, key = 0;
    if (known) {
        tier = known->fixed ? known->fixed_tier : point->shaders ? 0 : point->driver.tier;
        key = order_pass_any(&command->orders) ? order_pipeline_key(command, known, false)
                                               : blend_key(command, &known->blend);
        for_driver = pipeline_compiled(known, tier, key);
        while (!for_driver && tier != 0 && tier_reported(tier - 1) == tier_reported(tier) && !known->fixed)
            for_driver = pipeline_compiled(known, --tier, key);
        if (!for_driver) {
            for_driver = pipeline;
            tier = known->fixed_tier;
            key = 0;
        }
    }
    if (point == &command->points[POINT_GRAPHICS] && point->driver.pipeline != for_driver)
        command->blend.stale = true;
    if (point->shaders)
        shaders_unbind(command, point_stages((uint32_t)(point - command->points)));
    point->pipeline = known;
    point->shaders = false;
    point->driver = (struct driver_state){for_driver, group, tier, key};
    point->dirty = BIND_CHANGED;
    return for_driver;
}

VKAPI_ATTR void VKAPI_CALL hook_CmdBindPipeline(VkCommandBuffer commandBuffer, VkPipelineBindPoint pipelineBindPoint,
                                                VkPipeline pipeline)
{
    const VkPipeline for_driver = remember_pipeline(commandBuffer, pipelineBindPoint, pipeline, 0);
    device_of(commandBuffer)->next.CmdBindPipeline(commandBuffer, pipelineBindPoint, for_driver);
}

/*
 * Binds one of several groups of shaders in a pipeline. Such a pipeline has a fixed tier, so draws do not exchange it.
 */
VKAPI_ATTR void VKAPI_CALL hook_CmdBindPipelineShaderGroupNV(VkCommandBuffer commandBuffer,
                                                             VkPipelineBindPoint pipelineBindPoint, VkPipeline pipeline,
                                                             uint32_t groupIndex)
{
    const VkPipeline for_driver = remember_pipeline(commandBuffer, pipelineBindPoint, pipeline, groupIndex + 1);
    device_of(commandBuffer)
        ->next.CmdBindPipelineShaderGroupNV(commandBuffer, pipelineBindPoint, for_driver, groupIndex);
}

/*
 * Shader objects take the place of a pipeline (section "Binding Shader Objects"): no draw may bring it back. The
 * passthrough shaders are bound; the draw exchanges them if it needs a higher tier.
 */
VKAPI_ATTR void VKAPI_CALL hook_CmdBindShadersEXT(VkCommandBuffer commandBuffer, uint32_t stageCount,
                                                  const VkShaderStageFlagBits *pStages, const VkShaderEXT *pShaders)
{
    struct command *command = command_of(commandBuffer);
    VkShaderStageFlags stages = 0;
    for (uint32_t i = 0; i < stageCount; i++)
        stages |= (VkShaderStageFlags)pStages[i];
    if (command)
        shaders_bound(command, stageCount, pStages, pShaders);
    for (uint32_t p = 0; command && p < POINT_COUNT; p++) {
        struct bind_point *point = &command->points[p];
        if (!(stages & point_stages(p)))
            continue;
        /* If the other stages have passthrough shaders, all have. */
        point->driver.tier = point->shaders && point->driver.tier == 0 ? 0 : SHADERS_MIXED;
        if (!point->shaders || (stages & VK_SHADER_STAGE_FRAGMENT_BIT))
            point->driver.key = 0;
        point->pipeline = NULL;
        point->shaders = true;
        point->driver.pipeline = VK_NULL_HANDLE;
        point->dirty = BIND_CHANGED;
    }
    const struct device *device = command ? command->device : device_of(commandBuffer);
    device->next.CmdBindShadersEXT(commandBuffer, stageCount, pStages, pShaders);
}

/* Secondary command buffers that continue a pass were recorded for certain orders of its attachments. */
static void compare_orders(struct command *command, const struct command *secondary)
{
    const struct order_pass *own = &command->orders, *inherited = &secondary->orders;
    if (memcmp(own->orders, inherited->orders, sizeof(own->orders)) != 0 ||
        memcmp(own->inputs, inherited->inputs, sizeof(own->inputs)) != 0)
        order_refuse(command, "vkCmdExecuteCommands",
                     "a secondary command buffer was recorded for attachments whose channels are in another order "
                     "(VkCommandBufferInheritanceGLChannelOrderCLAMPLER)");
}

/*
 * The images that secondary command buffers write are not known here; the needs that their draws follow are checked
 * when the primary is submitted (submit.c).
 */
static void remember_secondaries(struct command *command, uint32_t secondary_count, const VkCommandBuffer *secondaries)
{
    for (uint32_t i = 0; i < secondary_count; i++) {
        const struct command *secondary = table_find(&command->track->commands->buffers, HANDLE_KEY(secondaries[i]));
        change_execute(command, secondary);
        if (secondary)
            compare_orders(command, secondary);
        for (uint32_t tier = 0; secondary && tier < TIER_COUNT; tier++)
            command->open_follows[tier] |= secondary->open_follows[tier];
    }
}

/* Bound state is undefined after secondary command buffers: the program must bind everything again. */
VKAPI_ATTR void VKAPI_CALL hook_CmdExecuteCommands(VkCommandBuffer commandBuffer, uint32_t commandBufferCount,
                                                   const VkCommandBuffer *pCommandBuffers)
{
    struct command *command = command_of(commandBuffer);
    for (uint32_t p = 0; command && p < POINT_COUNT; p++) {
        struct bind_point *point = &command->points[p];
        memset(point->sets, 0, command->set_limit * sizeof(*point->sets));
        *point = (struct bind_point){.sets = point->sets, .dirty = BIND_CHANGED};
    }
    if (command) {
        blend_reset(command);
        command->shader_count = 0;
        dynamic_state_reset(command->dynamic);
        bound_forget_pushed(command);
        remember_secondaries(command, commandBufferCount, pCommandBuffers);
    }
    device_of(commandBuffer)->next.CmdExecuteCommands(commandBuffer, commandBufferCount, pCommandBuffers);
}
