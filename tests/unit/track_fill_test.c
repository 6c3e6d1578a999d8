/* SPDX-License-Identifier: MIT */
/* What views without alpha are filled with is made when it is first needed (layer/recording/alpha/fill.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "gl/gl_tokens.h"
#include "fake_driver.h"
#include "alpha/change.h"
#include "alpha/fill.h"
#include "alpha/pass.h"
#include "attachments/attachment_view.h"
#include "attachments/fill_view.h"
#include "commands/command_buffer.h"
#include "filled/filled.h"
#include "sampling/format.h"
#include "sampling/image.h"
#include "sampling/device_needs.h"
#include "objects/track.h"

/* ---- A driver that counts ---- */

static struct {
    uint32_t views, framebuffers, passes; /* alive */
    uint32_t last_layer;                  /* of the view that was made last */
    uint32_t draws;
    VkRenderPass pass;
    VkImageLayout layouts[4]; /* of the barriers of one fill */
    uint32_t barriers, custom_resolves;
    uint32_t strange_chains;
    VkPipeline bound;
    uint32_t group;             /* of shaders; UINT32_MAX: bound without one */
    uint32_t framebuffers_left; /* that can be made before memory runs out */
    VkResult modules;           /* what modules end with */
} got;

static VKAPI_ATTR VkResult VKAPI_CALL create_view(VkDevice handle, const VkImageViewCreateInfo *info,
                                                  const VkAllocationCallbacks *callbacks, VkImageView *view)
{
    (void)handle, (void)callbacks;
    /* What is the layer's own is not for drivers; what else the program chains is. */
    const VkBaseInStructure *usage = info->pNext;
    if (!usage || usage->sType != VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO || usage->pNext)
        got.strange_chains++;
    got.last_layer = info->subresourceRange.baseArrayLayer;
    *view = HANDLE(VkImageView, 100 + ++got.views);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL destroy_view(VkDevice handle, VkImageView view,
                                               const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)callbacks;
    got.views -= view != VK_NULL_HANDLE;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_framebuffer(VkDevice handle, const VkFramebufferCreateInfo *info,
                                                         const VkAllocationCallbacks *callbacks,
                                                         VkFramebuffer *framebuffer)
{
    (void)handle, (void)info, (void)callbacks;
    if (!got.framebuffers_left)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    got.framebuffers_left--;
    *framebuffer = HANDLE(VkFramebuffer, 100 + ++got.framebuffers);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL destroy_framebuffer(VkDevice handle, VkFramebuffer framebuffer,
                                                      const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)callbacks;
    got.framebuffers -= framebuffer != VK_NULL_HANDLE;
}

static VKAPI_ATTR void VKAPI_CALL take_barrier(VkCommandBuffer commands, VkPipelineStageFlags before,
                                               VkPipelineStageFlags after, VkDependencyFlags flags,
                                               uint32_t memory_count, const VkMemoryBarrier *memory,
                                               uint32_t buffer_count, const VkBufferMemoryBarrier *buffers,
                                               uint32_t image_count, const VkImageMemoryBarrier *images)
{
    (void)commands, (void)before, (void)after, (void)flags, (void)memory_count, (void)memory, (void)buffer_count,
        (void)buffers, (void)image_count;
    got.layouts[got.barriers++ % 2 * 2] = images->oldLayout;
    got.layouts[(got.barriers - 1) % 2 * 2 + 1] = images->newLayout;
}

static VKAPI_ATTR void VKAPI_CALL take_begin(VkCommandBuffer commands, const VkRenderPassBeginInfo *info,
                                             VkSubpassContents contents)
{
    (void)commands, (void)contents;
    assert_non_null(info->framebuffer);
    got.pass = info->renderPass;
}

static VKAPI_ATTR void VKAPI_CALL take_end(VkCommandBuffer commands)
{
    (void)commands;
}

static VKAPI_ATTR void VKAPI_CALL take_bind(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipeline pipeline)
{
    (void)commands, (void)point;
    got.bound = pipeline;
    got.group = UINT32_MAX;
}

static VKAPI_ATTR void VKAPI_CALL take_rendering(VkCommandBuffer commands, const VkRenderingInfo *info)
{
    (void)commands, (void)info;
}

static VKAPI_ATTR void VKAPI_CALL take_custom_resolve(VkCommandBuffer commands, const VkBeginCustomResolveInfoEXT *info)
{
    (void)commands, (void)info;
    got.custom_resolves++;
}

static VKAPI_ATTR void VKAPI_CALL take_group(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipeline pipeline,
                                             uint32_t group)
{
    (void)commands, (void)point;
    got.bound = pipeline;
    got.group = group;
}

static VKAPI_ATTR void VKAPI_CALL take_viewport(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                                const VkViewport *viewports)
{
    (void)commands, (void)first, (void)count, (void)viewports;
}

static VKAPI_ATTR void VKAPI_CALL take_scissor(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                               const VkRect2D *scissors)
{
    (void)commands, (void)first, (void)count, (void)scissors;
}

static VKAPI_ATTR void VKAPI_CALL take_draw(VkCommandBuffer commands, uint32_t vertices, uint32_t instances,
                                            uint32_t first_vertex, uint32_t first_instance)
{
    (void)commands, (void)vertices, (void)instances, (void)first_vertex, (void)first_instance;
    got.draws++;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_pass(VkDevice handle, const VkRenderPassCreateInfo *info,
                                                  const VkAllocationCallbacks *callbacks, VkRenderPass *pass)
{
    (void)handle, (void)info, (void)callbacks;
    *pass = HANDLE(VkRenderPass, 100 + ++got.passes);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL destroy_pass(VkDevice handle, VkRenderPass pass,
                                               const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)callbacks;
    got.passes -= pass != VK_NULL_HANDLE;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_module(VkDevice handle, const VkShaderModuleCreateInfo *info,
                                                    const VkAllocationCallbacks *callbacks, VkShaderModule *module)
{
    return got.modules == VK_SUCCESS ? fake_module(handle, info, callbacks, module) : got.modules;
}

static VKAPI_ATTR void VKAPI_CALL destroy_pipeline(VkDevice handle, VkPipeline pipeline,
                                                   const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)callbacks;
    assert_null(pipeline);
}

static struct instance instance;
struct device device = {.next = {.CreateImageView = create_view,
                                 .DestroyImageView = destroy_view,
                                 .CreateFramebuffer = create_framebuffer,
                                 .DestroyFramebuffer = destroy_framebuffer,
                                 .CmdPipelineBarrier = take_barrier,
                                 .CmdBeginRenderPass = take_begin,
                                 .CmdEndRenderPass = take_end,
                                 .CmdBindPipeline = take_bind,
                                 .CmdBindPipelineShaderGroupNV = take_group,
                                 .CmdBeginRendering = take_rendering,
                                 .CmdEndRendering = take_end,
                                 .CmdBeginCustomResolveEXT = take_custom_resolve,
                                 .CmdSetViewport = take_viewport,
                                 .CmdSetScissor = take_scissor,
                                 .CmdDraw = take_draw,
                                 .CreatePipelineLayout = fake_layout,
                                 .DestroyPipelineLayout = fake_layout_drop,
                                 .CreateRenderPass = create_pass,
                                 .DestroyRenderPass = destroy_pass,
                                 .CreateShaderModule = create_module,
                                 .DestroyShaderModule = fake_module_drop,
                                 .DestroyPipeline = destroy_pipeline},
                        .instance = &instance,
                        .track = &track,
                        .caps.rgbx_attachments = true,
                        .caps.enabled = {.alphaToOneAttachments = VK_TRUE, .glImageView = VK_TRUE}};
static struct command command = {.device = &device, .track = &track};

/* ---- Views ---- */

enum { LAYERS = 2048 };

static struct image image = {.type = VK_IMAGE_TYPE_2D,
                             .format = VK_FORMAT_R8G8B8A8_UNORM,
                             .extent = {16, 16, 1},
                             .levels = 1,
                             .layers = LAYERS,
                             .samples = VK_SAMPLE_COUNT_1_BIT,
                             .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};

static struct fill_kind kind = {
    .pass = HANDLE(VkRenderPass, 20), .shared = HANDLE(VkRenderPass, 22), .pipeline = HANDLE(VkPipeline, 21)};

static int open_track(void **state)
{
    (void)state;
    fake_track_begin();
    got.views = got.framebuffers = got.draws = 0;
    got.framebuffers_left = UINT32_MAX;
    got.barriers = got.custom_resolves = 0;
    command.error = VK_SUCCESS;
    atomic_store(&command.handle, HANDLE(VkCommandBuffer, &command));
    last_command = (struct last_command){HANDLE(VkCommandBuffer, &command), &command, atomic_load(&command_epoch)};
    /* The kind is there already: its pipeline is not what this is about. */
    return device_needs_init(&subsystems.sampling.device_needs) && table_init(&subsystems.sampling.images) &&
                   table_init(&subsystems.sampling.views) && table_init(&subsystems.sampling.formats) &&
                   table_init(&subsystems.attachments.fills) && table_init(&subsystems.pipelines.pipelines) &&
                   table_insert(&subsystems.sampling.images, 10, &image) &&
                   table_insert(&subsystems.attachments.fills, (uint64_t)image.format << 8 | image.samples, &kind)
               ? 0
               : -1;
}

static void free_visited(void *value, void *user)
{
    (void)user;
    free(value);
}

static int close_track(void **state)
{
    (void)state;
    object_free(&track, NULL, atomic_exchange(&image.filled, NULL), filled_bytes(image.levels, image.layers));
    table_visit(&subsystems.sampling.formats, free_visited, NULL);
    device_needs_finish(&subsystems.sampling.device_needs);
    table_finish(&subsystems.sampling.images);
    table_finish(&subsystems.sampling.views);
    table_finish(&subsystems.sampling.formats);
    table_finish(&subsystems.attachments.fills);
    table_finish(&subsystems.pipelines.pipelines);
    return 0;
}

/* A view of all layers from the fourth on, without alpha. */
static VkResult create_view_without_alpha(VkImageView *handle)
{
    const VkImageViewUsageCreateInfo usage = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
                                              .usage =
                                                  VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
    const VkImageViewGLStateCreateInfoCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
        .pNext = &usage,
        .target = TOKEN_TEXTURE_2D_ARRAY,
        .internalFormat = 0x8051,
        .baseFormat = TOKEN_RGB /* GL_TEXTURE_2D_ARRAY, GL_RGB8, GL_RGB */};
    const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .pNext = &gl,
                                        .image = HANDLE(VkImage, 10),
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                        .format = image.format,
                                        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 3, LAYERS - 3}};
    return hook_CreateImageView(NULL, &info, NULL, handle);
}

static struct view *open_view(void)
{
    VkImageView handle;
    got.strange_chains = 0;
    assert_int_equal(create_view_without_alpha(&handle), VK_SUCCESS);
    assert_int_equal(got.strange_chains, 0); /* of the view, and of its auxiliary views */
    struct view *view = view_find(&track, handle);
    assert_true(view->attachment.one);
    assert_non_null(view->attachment.fill);
    return view;
}

static void close_view(const struct view *view)
{
    hook_DestroyImageView(NULL, view->handle, NULL);
    assert_int_equal(got.views, 0);
    assert_int_equal(got.framebuffers, 0);
    /* The marks are the image's. */
    assert_int_equal(atomic_load(&track.counters.live_bytes), filled_bytes(image.levels, image.layers));
}

static void views_that_are_never_filled_make_nothing_of_their_layers(void **state)
{
    (void)state;
    const struct view *view = open_view();
    assert_true(got.views >= 1 && got.views <= 3); /* its own, and what is sampled */
    assert_int_equal(got.framebuffers, 0);
    close_view(view);
}

static void layers_are_made_once_by_the_first_fill(void **state)
{
    (void)state;
    const struct view *view = open_view();
    const uint32_t before = got.views;
    for (uint32_t i = 1; i <= 3; i++) {
        fill_record(&command, view->attachment.fill, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
        assert_int_equal(command.error, VK_SUCCESS);
        assert_int_equal(got.draws, i * (LAYERS - 3));
        assert_int_equal(got.views, before + LAYERS - 3);
        assert_int_equal(got.framebuffers, LAYERS - 3);
        assert_int_equal(got.last_layer, LAYERS - 1);
    }
    close_view(view);
}

/* The error is the command buffer's; the next recording tries again. */
static void a_fill_without_memory_leaves_nothing_and_may_be_tried_again(void **state)
{
    (void)state;
    const struct view *view = open_view();
    const uint32_t before = got.views;
    got.framebuffers_left = 100;
    fill_record(&command, view->attachment.fill, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
    assert_int_equal(command.error, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_int_equal(got.draws, 0);
    assert_int_equal(got.views, before);
    assert_int_equal(got.framebuffers, 0);
    got.framebuffers_left = UINT32_MAX;
    command.error = VK_SUCCESS;
    fill_record(&command, view->attachment.fill, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
    assert_int_equal(command.error, VK_SUCCESS);
    assert_int_equal(got.draws, LAYERS - 3);
    close_view(view);
}

/* A pass of a group clears and fills on the devices of its mask. */
static void what_is_clean_of_a_groups_devices_is_not_known(void **state)
{
    (void)state;
    struct view *view = open_view();
    for (unsigned group = 0; group < 2; group++) {
        device.group = group;
        change_begin(&command);
        assert_true(change_needs_fill(&command, &view->attachment));
        change_view(&command, &view->attachment, FILLED_FILLS);
        assert_int_equal(change_needs_fill(&command, &view->attachment), group);
    }
    device.group = false;
    close_view(view);
}

/* What the program had bound is bound again behind a fill, as it was. */
static void groups_of_shaders_are_bound_again(void **state)
{
    (void)state;
    struct bind_point *point = &command.points[POINT_GRAPHICS];
    const struct view *view = open_view();
    for (uint32_t group = 0; group < 3; group++) {
        hook_CmdBindPipelineShaderGroupNV(HANDLE(VkCommandBuffer, &command), VK_PIPELINE_BIND_POINT_GRAPHICS,
                                          HANDLE(VkPipeline, 30), group);
        fill_record(&command, view->attachment.fill, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
        assert_ptr_equal(got.bound, HANDLE(VkPipeline, 30));
        assert_int_equal(got.group, group);
    }
    hook_CmdBindPipeline(HANDLE(VkCommandBuffer, &command), VK_PIPELINE_BIND_POINT_GRAPHICS, HANDLE(VkPipeline, 31));
    fill_record(&command, view->attachment.fill, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
    assert_ptr_equal(got.bound, HANDLE(VkPipeline, 31));
    assert_int_equal(got.group, UINT32_MAX);
    *point = (struct bind_point){.sets = NULL};
    close_view(view);
}

/* An image that the presentation engine shares may be in no other layout; a barrier waits all the same. */
static void shared_presentable_images_stay_in_their_layout(void **state)
{
    (void)state;
    const VkImageLayout shared = VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR;
    const struct view *view = open_view();
    fill_record(&command, view->attachment.fill, shared, shared);
    assert_int_equal(got.barriers, 2);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(got.layouts[i], shared);
    assert_ptr_equal(got.pass, kind.shared);
    fill_record(&command, view->attachment.fill, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
    assert_int_equal(got.layouts[1], VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    assert_ptr_equal(got.pass, kind.pass);
    close_view(view);
}

/* Draws of the program's resolve (VK_EXT_custom_resolve): they go to the target, whose alpha nothing else makes 1. */
static void targets_of_custom_resolves_are_masked_and_filled(void **state)
{
    (void)state;
    const struct view *view = open_view();
    VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                       .imageView = view->handle,
                                       .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                       .resolveImageView = view->handle,
                                       .resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                       .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                       .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea = {{0, 0}, {16, 16}},
                                  .layerCount = LAYERS - 3,
                                  .colorAttachmentCount = 1,
                                  .pColorAttachments = &color};
    assert_true(pass_init(&command));
    for (unsigned custom = 0; custom < 2; custom++) {
        const uint32_t before = got.draws;
        change_begin(&command);
        color.resolveMode = custom ? (VkResolveModeFlagBits)0x20 : VK_RESOLVE_MODE_AVERAGE_BIT;
        hook_CmdBeginRendering(HANDLE(VkCommandBuffer, &command), &info);
        assert_int_equal(command.pass.mask, 1);
        if (custom)
            hook_CmdBeginCustomResolveEXT(HANDLE(VkCommandBuffer, &command), NULL);
        assert_int_equal(command.pass.mask, 1);
        assert_ptr_equal(command.pass.formats[0], view->attachment.format);
        assert_int_equal(got.custom_resolves, custom);
        hook_CmdEndRendering(HANDLE(VkCommandBuffer, &command));
        assert_int_equal(got.draws - before, custom ? LAYERS - 3 : 0);
    }
    pass_finish(&command);
    command.pass_memory = (struct pass_memory){.capacity = 0};
    close_view(view);
}

/* A condition that the command buffer inherits cannot be suspended: perhaps nothing was drawn. */
static void fills_under_an_inherited_condition_count_as_not_done(void **state)
{
    (void)state;
    struct view *view = open_view();
    const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                             .imageView = view->handle,
                                             .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                             .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                             .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea = {{0, 0}, {16, 16}},
                                  .layerCount = LAYERS - 3,
                                  .colorAttachmentCount = 1,
                                  .pColorAttachments = &color};
    assert_true(pass_init(&command));
    for (unsigned inherits = 0; inherits < 2; inherits++) {
        const uint32_t before = got.draws;
        command.inherits_condition = inherits;
        change_begin(&command);
        for (uint32_t pass = 1; pass <= 2; pass++) {
            hook_CmdBeginRendering(HANDLE(VkCommandBuffer, &command), &info);
            hook_CmdEndRendering(HANDLE(VkCommandBuffer, &command));
            assert_int_equal(got.draws - before, (inherits ? pass : 1) * (LAYERS - 3));
        }
        assert_int_equal(command.filled.dirties, inherits); /* nor does the command buffer know that executes it */
    }
    command.inherits_condition = false;
    pass_finish(&command);
    command.pass_memory = (struct pass_memory){.capacity = 0};
    close_view(view);
}

/* The first view of its kind has a pipeline compiled; what refuses its code has results that views do not have. */
static void results_are_those_of_the_command(void **state)
{
    static const struct {
        VkResult modules, due;
    } rows[] = {{VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_HOST_MEMORY},
                {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY},
                {VK_ERROR_INVALID_SHADER_NV, VK_ERROR_UNKNOWN}};
    (void)state;
    assert_ptr_equal(table_remove(&subsystems.attachments.fills, (uint64_t)image.format << 8 | image.samples), &kind);
    for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        VkImageView handle;
        got.modules = rows[i].modules;
        assert_int_equal(create_view_without_alpha(&handle), rows[i].due);
        assert_int_equal(got.views, 0);
        assert_int_equal(got.passes, 0);
    }
    got.modules = VK_SUCCESS;
}

#define TEST(NAME) cmocka_unit_test_setup_teardown(NAME, open_track, close_track)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(views_that_are_never_filled_make_nothing_of_their_layers),
        TEST(what_is_clean_of_a_groups_devices_is_not_known),
        TEST(layers_are_made_once_by_the_first_fill),
        TEST(groups_of_shaders_are_bound_again),
        TEST(targets_of_custom_resolves_are_masked_and_filled),
        TEST(shared_presentable_images_stay_in_their_layout),
        TEST(fills_under_an_inherited_condition_count_as_not_done),
        TEST(a_fill_without_memory_leaves_nothing_and_may_be_tried_again),
        TEST(results_are_those_of_the_command),
    };
    return cmocka_run_group_tests_name("track_fill", tests, NULL, NULL);
}
