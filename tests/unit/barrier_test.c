/* SPDX-License-Identifier: MIT */
/* What reaches the driver of barriers that name only sampled reads or writes of attachments
 * (layer/resources/barriers/barrier.c, layer/recording/recording/barriers.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "alpha/change.h"
#include "barriers/barrier.h"
#include "commands/command_buffer.h"
#include "objects/track.h"
#include "track/subsystems.h"

#define SAMPLED VK_ACCESS_2_SHADER_SAMPLED_READ_BIT
#define STORAGE VK_ACCESS_2_SHADER_STORAGE_READ_BIT
#define COMPUTE VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT
#define COPY VK_PIPELINE_STAGE_2_COPY_BIT
#define WRITE VK_ACCESS_2_TRANSFER_WRITE_BIT

enum { KEPT = 80 };

/* The driver: what it was told last, and what before that. */
static struct {
    VkMemoryBarrier2 memory[KEPT];
    VkDependencyInfo info;
    const VkDependencyInfo *given, *before;
    uint32_t calls;
    VkAccessFlags passes[KEPT]; /* that render passes were made with: of their first dependency */
    uint32_t pass_count;
} driver;

static VKAPI_ATTR void VKAPI_CALL take_barrier(VkCommandBuffer commands, const VkDependencyInfo *info)
{
    (void)commands;
    driver.before = driver.given;
    driver.given = info;
    driver.info = *info;
    assert_true(info->memoryBarrierCount <= KEPT);
    memcpy(driver.memory, info->pMemoryBarriers, info->memoryBarrierCount * sizeof(driver.memory[0]));
    driver.calls++;
}

static VKAPI_ATTR void VKAPI_CALL take_set(VkCommandBuffer commands, VkEvent event, const VkDependencyInfo *info)
{
    (void)event;
    take_barrier(commands, info);
}

static VKAPI_ATTR void VKAPI_CALL take_wait(VkCommandBuffer commands, uint32_t count, const VkEvent *events,
                                            const VkDependencyInfo *infos)
{
    (void)events;
    for (uint32_t i = 0; i < count; i++)
        take_barrier(commands, &infos[i]);
}

static VkResult take_pass(VkAccessFlags access, VkRenderPass *pass)
{
    assert_true(driver.pass_count < KEPT);
    driver.passes[driver.pass_count++] = access;
    *pass = (VkRenderPass)(uintptr_t)driver.pass_count;
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_pass(VkDevice handle, const VkRenderPassCreateInfo *info,
                                                  const VkAllocationCallbacks *callbacks, VkRenderPass *pass)
{
    (void)handle, (void)callbacks;
    return take_pass(info->pDependencies[0].dstAccessMask, pass);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_pass2(VkDevice handle, const VkRenderPassCreateInfo2 *info,
                                                   const VkAllocationCallbacks *callbacks, VkRenderPass *pass)
{
    (void)handle, (void)callbacks;
    return take_pass(info->pDependencies[0].dstAccessMask, pass);
}

static VKAPI_ATTR void VKAPI_CALL destroy_pass(VkDevice handle, VkRenderPass pass,
                                               const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)pass, (void)callbacks;
}

static struct subsystems subsystems;
static struct track track = {SUBSYSTEMS_OF(subsystems)};
static struct device device = {
    .next = {.CmdPipelineBarrier2 = take_barrier,
             .CmdSetEvent2 = take_set,
             .CmdWaitEvents2 = take_wait,
             .CreateRenderPass = create_pass,
             .CreateRenderPass2 = create_pass2,
             .DestroyRenderPass = destroy_pass},
    .caps.texel = {.addresses = true},
    .track = &track,
};

void change_barriers(struct command *command, const VkDependencyInfo *info)
{
    (void)command, (void)info;
}

void change_waits(struct command *command, uint32_t count, const VkDependencyInfo *infos)
{
    (void)command, (void)count, (void)infos;
}

void *object_alloc(struct track *owner, const VkAllocationCallbacks *callbacks, size_t size)
{
    (void)owner, (void)callbacks;
    return calloc(1, size);
}

void object_free(struct track *owner, const VkAllocationCallbacks *callbacks, void *object, size_t size)
{
    (void)owner, (void)callbacks, (void)size;
    free(object);
}

struct device *device_of(const void *dispatchable)
{
    (void)dispatchable;
    return &device;
}

/* Commands are recorded for this family of queues. */
enum { FAMILY = 1, OTHER_FAMILY };
static struct command_pool pool = {.family = FAMILY};
static struct command command = {.pool = &pool};
_Atomic(uint64_t) command_epoch = 1;
THREAD_LOCAL struct last_command last_command;

struct command *command_find(VkCommandBuffer handle)
{
    (void)handle;
    return &command;
}

static bool no_memory;
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return no_memory ? NULL : __real_malloc(size);
}

static VkMemoryBarrier2 memory_barrier(VkAccessFlags2 access)
{
    return (VkMemoryBarrier2){VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, NULL, COPY, WRITE, COMPUTE, access};
}

static VkDependencyInfo dependency(const VkMemoryBarrier2 *barriers, uint32_t count)
{
    return (VkDependencyInfo){
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = count, .pMemoryBarriers = barriers};
}

static void barriers_that_cover_storage_reads_go_down_untouched(void **state)
{
    (void)state;
    static const VkAccessFlags2 covering[] = {
        STORAGE, SAMPLED | STORAGE,           VK_ACCESS_2_SHADER_READ_BIT, SAMPLED | VK_ACCESS_2_MEMORY_READ_BIT,
        0,       VK_ACCESS_2_UNIFORM_READ_BIT};
    for (size_t i = 0; i < sizeof(covering) / sizeof(covering[0]); i++) {
        const VkMemoryBarrier2 barrier = memory_barrier(covering[i]);
        const VkDependencyInfo info = dependency(&barrier, 1);
        hook_CmdPipelineBarrier2(NULL, &info);
        assert_ptr_equal(driver.given, &info);
    }
}

static void a_sampled_read_brings_a_storage_read_along(void **state)
{
    (void)state;
    const VkMemoryBarrier2 barriers[2] = {memory_barrier(SAMPLED), memory_barrier(STORAGE)};
    const VkDependencyInfo info = dependency(barriers, 2);
    hook_CmdPipelineBarrier2(NULL, &info);
    assert_int_equal(driver.info.memoryBarrierCount, 3);
    assert_int_equal(driver.memory[0].dstAccessMask, STORAGE);
    assert_int_equal(driver.memory[0].dstStageMask, COMPUTE);
    assert_int_equal(driver.memory[0].srcAccessMask, WRITE);
    assert_int_equal(driver.memory[0].srcStageMask, COPY);
    assert_memory_equal(&driver.memory[1], barriers, sizeof(barriers));
}

static void a_buffers_barrier_brings_one_along_too(void **state)
{
    (void)state;
    const VkBufferMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                            .srcStageMask = COPY,
                                            .srcAccessMask = WRITE,
                                            .dstStageMask = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
                                            .dstAccessMask = SAMPLED};
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .bufferMemoryBarrierCount = 1, .pBufferMemoryBarriers = &barrier};
    hook_CmdSetEvent2(NULL, VK_NULL_HANDLE, &info);
    assert_int_equal(driver.info.memoryBarrierCount, 1);
    assert_int_equal(driver.memory[0].dstStageMask, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT);
    assert_int_equal(driver.info.bufferMemoryBarrierCount, 1);
    assert_ptr_equal(driver.info.pBufferMemoryBarriers, &barrier);
}

static void an_images_barrier_does_not(void **state)
{
    (void)state;
    const VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2, .dstStageMask = COMPUTE, .dstAccessMask = SAMPLED};
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
    hook_CmdPipelineBarrier2(NULL, &info);
    assert_ptr_equal(driver.given, &info);
}

/* Each with what its chain says: in barriers, and where events are set and waited for. */
static void any_number_of_barriers_goes_down_beside_the_added_one(void **state)
{
    (void)state;
    static VkMemoryBarrier2 barriers[KEPT - 1];
    static const VkBaseInStructure more = {.sType = VK_STRUCTURE_TYPE_MAX_ENUM};
    const VkEvent event = VK_NULL_HANDLE;
    for (uint32_t count = 14; count < KEPT; count++) {
        for (uint32_t i = 0; i < count; i++) {
            barriers[i] = memory_barrier(i == count / 2 ? SAMPLED : VK_ACCESS_2_UNIFORM_READ_BIT);
            barriers[i].pNext = i % 2 ? &more : NULL;
        }
        const VkDependencyInfo info = dependency(barriers, count);
        for (uint32_t way = 0; way < 3; way++) {
            memset(driver.memory, 0, sizeof(driver.memory));
            driver.calls = 0;
            if (way == 0)
                hook_CmdPipelineBarrier2(NULL, &info);
            else if (way == 1)
                hook_CmdSetEvent2(NULL, event, &info);
            else
                hook_CmdWaitEvents2(NULL, 1, &event, &info);
            assert_int_equal(driver.memory[0].dstAccessMask, STORAGE);
            if (way == 0 && count >= 16) { /* not copied: the other one comes behind */
                assert_int_equal(driver.calls, 2);
                assert_ptr_equal(driver.before, &info);
                assert_int_equal(driver.info.memoryBarrierCount, 1);
                assert_int_equal(driver.memory[0].srcStageMask, COPY);
                continue;
            }
            assert_int_equal(driver.calls, 1);
            assert_int_equal(driver.info.memoryBarrierCount, count + 1);
            assert_memory_equal(&driver.memory[1], barriers, count * sizeof(*barriers));
        }
    }
}

static void events_are_waited_for_with_what_they_were_set_with(void **state)
{
    (void)state;
    const VkMemoryBarrier2 barriers[2] = {memory_barrier(VK_ACCESS_2_UNIFORM_READ_BIT), memory_barrier(SAMPLED)};
    const VkDependencyInfo infos[2] = {dependency(&barriers[0], 1), dependency(&barriers[1], 1)};
    const VkEvent events[2] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
    hook_CmdSetEvent2(NULL, VK_NULL_HANDLE, &infos[1]);
    VkMemoryBarrier2 set[2];
    memcpy(set, driver.memory, sizeof(set));
    driver.calls = 0;
    hook_CmdWaitEvents2(NULL, 2, events, infos);
    assert_int_equal(driver.calls, 2);
    assert_int_equal(driver.info.memoryBarrierCount, 2);
    for (unsigned i = 0; i < 2; i++) { /* member by member: there is padding */
        assert_ptr_equal(driver.memory[i].pNext, set[i].pNext);
        assert_true(driver.memory[i].srcStageMask == set[i].srcStageMask);
        assert_true(driver.memory[i].srcAccessMask == set[i].srcAccessMask);
        assert_true(driver.memory[i].dstStageMask == set[i].dstStageMask);
        assert_true(driver.memory[i].dstAccessMask == set[i].dstAccessMask);
    }
}

static void events_without_memory_stay_as_they_are_and_tell(void **state)
{
    (void)state;
    static VkMemoryBarrier2 barriers[16];
    for (uint32_t i = 0; i < 16; i++)
        barriers[i] = memory_barrier(SAMPLED);
    const VkDependencyInfo info = dependency(barriers, 16);
    no_memory = true;
    hook_CmdSetEvent2(NULL, VK_NULL_HANDLE, &info);
    no_memory = false;
    assert_ptr_equal(driver.given, &info);
    assert_int_equal(command.error, VK_ERROR_OUT_OF_HOST_MEMORY);
    command.error = VK_SUCCESS;
}

/* A barrier of a buffer, or of a range of addresses, from one family to another. */
struct transfer {
    VkBufferMemoryBarrier2 buffer;
    VkMemoryRangeBarrierKHR range;
    VkMemoryRangeBarriersInfoKHR ranges;
    VkDependencyInfo info;
};

static const VkDependencyInfo *transfer(struct transfer *t, bool range, uint32_t from, uint32_t to)
{
    *t = (struct transfer){
        .buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                   .srcStageMask = COPY,
                   .srcAccessMask = WRITE,
                   .dstStageMask = COMPUTE,
                   .dstAccessMask = SAMPLED,
                   .srcQueueFamilyIndex = from,
                   .dstQueueFamilyIndex = to},
        .range = {.srcStageMask = COPY,
                  .srcAccessMask = WRITE,
                  .dstStageMask = COMPUTE,
                  .dstAccessMask = SAMPLED,
                  .srcQueueFamilyIndex = from,
                  .dstQueueFamilyIndex = to},
        .ranges = {.sType = VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR, .memoryRangeBarrierCount = 1},
        .info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .dependencyFlags = 0x21},
    };
    t->ranges.pMemoryRangeBarriers = &t->range;
    t->info.pNext = range ? &t->ranges : NULL;
    t->info.bufferMemoryBarrierCount = range ? 0 : 1;
    t->info.pBufferMemoryBarriers = &t->buffer;
    return &t->info;
}

/* Its own queues may lack the stages that another family's reads have (09674), and nothing reads here. */
static void what_another_family_gets_is_not_widened(void **state)
{
    (void)state;
    static const uint32_t to[] = {OTHER_FAMILY, VK_QUEUE_FAMILY_EXTERNAL, VK_QUEUE_FAMILY_FOREIGN_EXT};
    const VkEvent event = VK_NULL_HANDLE;
    struct transfer t;
    for (unsigned i = 0; i < 6; i++) {
        const VkDependencyInfo *info = transfer(&t, i % 2, FAMILY, to[i / 2]);
        driver.calls = 0;
        hook_CmdPipelineBarrier2(NULL, info);
        assert_ptr_equal(driver.given, info);
        hook_CmdSetEvent2(NULL, event, info);
        assert_ptr_equal(driver.given, info);
        hook_CmdWaitEvents2(NULL, 1, &event, info);
        assert_ptr_equal(driver.given, info);
        assert_int_equal(driver.calls, 3);
    }
}

/* Its queues may lack the stages that the other family wrote in (09673): what is added waits for the acquire. */
static void what_another_family_gives_is_read_behind_it(void **state)
{
    (void)state;
    static const uint32_t from[] = {OTHER_FAMILY, VK_QUEUE_FAMILY_EXTERNAL, VK_QUEUE_FAMILY_FOREIGN_EXT};
    const VkEvent event = VK_NULL_HANDLE;
    struct transfer t;
    for (unsigned i = 0; i < 12; i++) {
        const VkDependencyInfo *info = transfer(&t, i % 2, from[i / 2 % 3], FAMILY);
        driver.calls = 0;
        if (i < 6)
            hook_CmdPipelineBarrier2(NULL, info);
        else
            hook_CmdWaitEvents2(NULL, 1, &event, info);
        assert_int_equal(driver.calls, 2);
        assert_ptr_equal(driver.before, info);
        assert_null(driver.info.pNext);
        assert_int_equal(driver.info.dependencyFlags, VK_DEPENDENCY_BY_REGION_BIT);
        assert_int_equal(driver.info.bufferMemoryBarrierCount, 0);
        assert_int_equal(driver.info.memoryBarrierCount, 1);
        assert_int_equal(driver.memory[0].srcStageMask, COMPUTE);
        assert_int_equal(driver.memory[0].srcAccessMask, 0);
        assert_int_equal(driver.memory[0].dstStageMask, COMPUTE);
        assert_int_equal(driver.memory[0].dstAccessMask, STORAGE);
        driver.calls = 0;
        hook_CmdSetEvent2(NULL, event, info); /* with the dependency that is waited for, with no further stages */
        assert_int_equal(driver.calls, 1);
        assert_ptr_equal(driver.given, info);
    }
}

static void without_addresses_nothing_is_widened(void **state)
{
    (void)state;
    const VkMemoryBarrier2 barrier = memory_barrier(SAMPLED);
    const VkDependencyInfo info = dependency(&barrier, 1);
    device.caps.texel.addresses = false;
    hook_CmdPipelineBarrier2(NULL, &info);
    device.caps.texel.addresses = true;
    assert_ptr_equal(driver.given, &info);
}

static void dependencies_of_passes_are_widened_in_a_copy(void **state)
{
    (void)state;
    const VkMemoryBarrier2 barrier = memory_barrier(SAMPLED);
    const VkSubpassDependency2 dependencies[2] = {
        {.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2},
        {.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2, .pNext = &barrier, .dstSubpass = 1},
    };
    const VkRenderPassCreateInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2, .dependencyCount = 2, .pDependencies = dependencies};
    struct barrier_pass pass;
    assert_true(barrier_pass_open(&device, &info, false, &pass));
    assert_int_equal(pass.info.dependencyCount, 2);
    assert_null(pass.info.pDependencies[0].pNext);
    assert_int_equal(pass.info.pDependencies[1].dstSubpass, 1);
    const VkMemoryBarrier2 *for_driver = pass.info.pDependencies[1].pNext;
    assert_int_equal(for_driver->dstAccessMask, SAMPLED | STORAGE);
    assert_int_equal(for_driver->srcAccessMask, WRITE);
    assert_int_equal(barrier.dstAccessMask, SAMPLED);
    barrier_pass_close(&pass);

    const VkRenderPassCreateInfo2 first = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2, .dependencyCount = 1, .pDependencies = dependencies};
    assert_true(barrier_pass_open(&device, &first, false, &pass));
    assert_ptr_equal(pass.info.pDependencies, dependencies);
    barrier_pass_close(&pass);
}

#define COLOR_READ VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT
#define COLOR_WRITE VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT

/* Its own masks count only where no barrier is chained. */
static void writes_of_attachments_are_read_where_alpha_is_kept(void **state)
{
    (void)state;
    const VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, .dstAccessMask = COLOR_WRITE};
    const VkSubpassDependency2 dependencies[3] = {
        {.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2, .dstAccessMask = COLOR_WRITE},
        {.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2, .pNext = &barrier},
        {.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2, .dstAccessMask = VK_ACCESS_SHADER_READ_BIT},
    };
    const VkRenderPassCreateInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2, .dependencyCount = 3, .pDependencies = dependencies};
    struct barrier_pass pass;
    assert_true(barrier_pass_open(&device, &info, true, &pass));
    assert_int_equal(pass.info.pDependencies[0].dstAccessMask, COLOR_WRITE | COLOR_READ);
    const VkMemoryBarrier2 *for_driver = pass.info.pDependencies[1].pNext;
    assert_int_equal(for_driver->dstAccessMask, COLOR_WRITE | COLOR_READ);
    assert_int_equal(pass.info.pDependencies[2].dstAccessMask, VK_ACCESS_SHADER_READ_BIT);
    barrier_pass_close(&pass);
    assert_true(barrier_pass_open(&device, &info, false, &pass));
    assert_ptr_equal(pass.info.pDependencies, dependencies);
    barrier_pass_close(&pass);
}

static void the_first_version_of_passes_is_widened_too(void **state)
{
    (void)state;
    const VkSubpassDependency dependencies[2] = {{.dstSubpass = 1, .dstAccessMask = (VkAccessFlags)COLOR_WRITE},
                                                 {.dstAccessMask = VK_ACCESS_SHADER_READ_BIT}};
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .dependencyCount = 2, .pDependencies = dependencies};
    struct barrier_pass1 pass;
    assert_true(barrier_pass1_open(&info, true, &pass));
    assert_int_equal(pass.info.pDependencies[0].dstAccessMask, COLOR_WRITE | COLOR_READ);
    assert_int_equal(pass.info.pDependencies[0].dstSubpass, 1);
    assert_int_equal(pass.info.pDependencies[1].dstAccessMask, VK_ACCESS_SHADER_READ_BIT);
    free(pass.dependencies);
    assert_true(barrier_pass1_open(&info, false, &pass));
    assert_ptr_equal(pass.info.pDependencies, dependencies);
}

/* All that is made of a pass: its own, the duplicate, and the one that clears. */
static void passes_are_widened_where_some_attachment_keeps_alpha(void **state)
{
    (void)state;
    static const struct {
        VkFormat format;
        VkAccessFlags access;
    } cases[] = {{VK_FORMAT_R8G8B8A8_UNORM, (VkAccessFlags)(COLOR_WRITE | COLOR_READ)},
                 {VK_FORMAT_R32G32B32A32_SFLOAT, (VkAccessFlags)COLOR_WRITE},
                 {VK_FORMAT_R8_UNORM, (VkAccessFlags)COLOR_WRITE}};
    const VkSubpassDependency before = {.dstAccessMask = (VkAccessFlags)COLOR_WRITE};
    const VkSubpassDependency2 before2 = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
                                          .dstAccessMask = (VkAccessFlags)COLOR_WRITE};
    const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
    const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &reference};
    const VkAttachmentReference2 reference2 = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                               .layout = VK_IMAGE_LAYOUT_GENERAL};
    const VkSubpassDescription2 subpass2 = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2, .colorAttachmentCount = 1, .pColorAttachments = &reference2};
    track.device = &device;
    assert_true(table_init(&subsystems.attachments.render_passes));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const VkAttachmentDescription attachment = {.format = cases[i].format,
                                                    .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE};
        const VkAttachmentDescription2 attachment2 = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                                      .format = cases[i].format,
                                                      .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE};
        const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                             .attachmentCount = 1,
                                             .pAttachments = &attachment,
                                             .subpassCount = 1,
                                             .pSubpasses = &subpass,
                                             .dependencyCount = 1,
                                             .pDependencies = &before};
        const VkRenderPassCreateInfo2 info2 = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                               .attachmentCount = 1,
                                               .pAttachments = &attachment2,
                                               .subpassCount = 1,
                                               .pSubpasses = &subpass2,
                                               .dependencyCount = 1,
                                               .pDependencies = &before2};
        VkRenderPass pass, pass2;
        driver.pass_count = 0;
        assert_int_equal(hook_CreateRenderPass(VK_NULL_HANDLE, &info, NULL, &pass), VK_SUCCESS);
        assert_int_equal(hook_CreateRenderPass2(VK_NULL_HANDLE, &info2, NULL, &pass2), VK_SUCCESS);
        assert_int_equal(driver.pass_count, cases[i].format == VK_FORMAT_R8_UNORM ? 4 : 6);
        for (uint32_t made = 0; made < driver.pass_count; made++)
            assert_int_equal(driver.passes[made], cases[i].access);
        hook_DestroyRenderPass(VK_NULL_HANDLE, pass, NULL);
        hook_DestroyRenderPass(VK_NULL_HANDLE, pass2, NULL);
    }
    table_finish(&subsystems.attachments.render_passes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barriers_that_cover_storage_reads_go_down_untouched),
        cmocka_unit_test(a_sampled_read_brings_a_storage_read_along),
        cmocka_unit_test(a_buffers_barrier_brings_one_along_too),
        cmocka_unit_test(an_images_barrier_does_not),
        cmocka_unit_test(any_number_of_barriers_goes_down_beside_the_added_one),
        cmocka_unit_test(events_are_waited_for_with_what_they_were_set_with),
        cmocka_unit_test(events_without_memory_stay_as_they_are_and_tell),
        cmocka_unit_test(what_another_family_gets_is_not_widened),
        cmocka_unit_test(what_another_family_gives_is_read_behind_it),
        cmocka_unit_test(without_addresses_nothing_is_widened),
        cmocka_unit_test(dependencies_of_passes_are_widened_in_a_copy),
        cmocka_unit_test(writes_of_attachments_are_read_where_alpha_is_kept),
        cmocka_unit_test(the_first_version_of_passes_is_widened_too),
        cmocka_unit_test(passes_are_widened_where_some_attachment_keeps_alpha),
    };
    return cmocka_run_group_tests_name("barrier", tests, NULL, NULL);
}
