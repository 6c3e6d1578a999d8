/* SPDX-License-Identifier: MIT */
/* Passes with attachments without alpha end with every command that ends one (layer/recording/alpha/attachment.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_driver.h"
#include "alpha/pass.h"
#include "commands/command_buffer.h"
#include "sampling/format.h"
#include "objects/track.h"

#define COMMANDS ((VkCommandBuffer)(uintptr_t)&command)

/* ---- A driver that notes what it gets ---- */

static uint32_t ended; /* passes */
static const void *last_info;

static VKAPI_ATTR void VKAPI_CALL end(VkCommandBuffer commands)
{
    (void)commands;
    ended++;
}

static VKAPI_ATTR void VKAPI_CALL end_pass2(VkCommandBuffer commands, const VkSubpassEndInfo *info)
{
    (void)commands;
    last_info = info;
    ended++;
}

static VKAPI_ATTR void VKAPI_CALL end_rendering2(VkCommandBuffer commands, const VkRenderingEndInfoEXT *info)
{
    (void)commands;
    last_info = info;
    ended++;
}

static struct instance instance;
struct device device = {.instance = &instance,
                        .next = {.CmdEndRenderPass = end,
                                 .CmdEndRenderPass2 = end_pass2,
                                 .CmdEndRendering = end,
                                 .CmdEndRendering2EXT = end_rendering2},
                        .caps.rgbx_attachments = true,
                        .track = &track};
static struct command command = {.device = &device, .track = &track};

static int open_pass(void **state)
{
    (void)state;
    atomic_store(&command.handle, COMMANDS);
    last_command = (struct last_command){COMMANDS, &command, atomic_load(&command_epoch)};
    command.pass = (struct pass_state){.mask = 1, .clears = 1};
    command.points[POINT_GRAPHICS].dirty = false;
    ended = 0;
    last_info = NULL;
    return 0;
}

static void expect_end(const void *info)
{
    assert_int_equal(ended, 1);
    assert_ptr_equal(last_info, info);
    assert_int_equal(command.pass.mask | command.pass.clears, 0);
    assert_true(command.points[POINT_GRAPHICS].dirty); /* the next draw blends as the program says */
}

/* ---- Tests ---- */

static void render_passes_end(void **state)
{
    (void)state;
    hook_CmdEndRenderPass(COMMANDS);
    expect_end(NULL);
}

static void render_passes_end_with_a_structure(void **state)
{
    (void)state;
    const VkSubpassEndInfo info = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
    hook_CmdEndRenderPass2(COMMANDS, &info);
    expect_end(&info);
}

static void rendering_ends(void **state)
{
    (void)state;
    hook_CmdEndRendering(COMMANDS);
    expect_end(NULL);
}

static void rendering_ends_with_a_structure(void **state)
{
    (void)state;
    const VkRenderingEndInfoEXT info = {.pNext = NULL};
    hook_CmdEndRendering2EXT(COMMANDS, &info);
    expect_end(&info);
}

/* Of secondary command buffers within rendering that has no colour attachment: there is no array of formats then. */
static void passes_without_colours_are_inherited(void **state)
{
    (void)state;
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .depthAttachmentFormat = VK_FORMAT_D16_UNORM,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkCommandBufferInheritanceInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                 .pNext = &rendering};
    assert_true(table_init(&subsystems.attachments.render_passes) && table_init(&subsystems.attachments.framebuffers));
    pass_inherit(&command, &info);
    assert_int_equal(command.pass.mask, 0);
    table_finish(&subsystems.attachments.render_passes);
    table_finish(&subsystems.attachments.framebuffers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(render_passes_end, open_pass),
        cmocka_unit_test_setup(render_passes_end_with_a_structure, open_pass),
        cmocka_unit_test_setup(rendering_ends, open_pass),
        cmocka_unit_test_setup(rendering_ends_with_a_structure, open_pass),
        cmocka_unit_test_setup(passes_without_colours_are_inherited, open_pass),
    };
    return cmocka_run_group_tests_name("track_pass", tests, NULL, NULL);
}
