/* SPDX-License-Identifier: MIT */
/*
 * What reaches the driver of advanced blend operations beside attachments without alpha
 * (layer/recording/alpha/blend.c), on a device where all blend state can be dynamic: vkCmdSetColorBlendEquationEXT
 * takes none of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "alpha/change.h"
#include "alpha/pass.h"
#include "pipelines/pipeline_blend.h"
#include "pipelines/graphics_state.h"
#include "commands/command_buffer.h"
#include "pipelines/tiers.h"
#include "objects/track.h"
#include "track/subsystems.h"

#define F(NAME) VK_BLEND_FACTOR_##NAME
#define RGB (VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT)
#define RGBA (RGB | VK_COLOR_COMPONENT_A_BIT)

/* The driver: what it was told last. */
static struct {
    VkColorComponentFlags masks[COLOR_ATTACHMENTS];
    VkColorBlendEquationEXT equations[COLOR_ATTACHMENTS];
    VkBool32 enables[COLOR_ATTACHMENTS];
    VkColorBlendAdvancedEXT advanced[COLOR_ATTACHMENTS];
    uint32_t masks_set, equations_set, enables_set, advanced_set;
} driver;

static VKAPI_ATTR void VKAPI_CALL take_equations(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                                 const VkColorBlendEquationEXT *equations)
{
    (void)commands;
    for (uint32_t i = 0; i < count; i++) {
        assert_false(blend_is_advanced(equations[i].colorBlendOp)); /* VUID-VkColorBlendEquationEXT-…-07361 */
        assert_false(blend_is_advanced(equations[i].alphaBlendOp));
        driver.equations[first + i] = equations[i];
        driver.equations_set |= 1u << (first + i);
    }
}

static VKAPI_ATTR void VKAPI_CALL take_masks(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                             const VkColorComponentFlags *masks)
{
    (void)commands;
    for (uint32_t i = 0; i < count; i++) {
        driver.masks[first + i] = masks[i];
        driver.masks_set |= 1u << (first + i);
    }
}

static VKAPI_ATTR void VKAPI_CALL take_enables(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                               const VkBool32 *enables)
{
    (void)commands;
    for (uint32_t i = 0; i < count; i++) {
        driver.enables[first + i] = enables[i];
        driver.enables_set |= 1u << (first + i);
    }
}

static VKAPI_ATTR void VKAPI_CALL take_advanced(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                                const VkColorBlendAdvancedEXT *advanced)
{
    (void)commands;
    for (uint32_t i = 0; i < count; i++) {
        driver.advanced[first + i] = advanced[i];
        driver.advanced_set |= 1u << (first + i);
    }
}

static struct device device = {
    .next = {.CmdSetColorBlendEquationEXT = take_equations,
             .CmdSetColorWriteMaskEXT = take_masks,
             .CmdSetColorBlendEnableEXT = take_enables,
             .CmdSetColorBlendAdvancedEXT = take_advanced},
    .caps.rgbx_attachments = true,
    .caps.alpha_kept = true,
    .caps.alpha_written = true,
    .caps.blend = {.equation = true, .write_mask = true, .enable = true, .independent = true},
};
static struct subsystems subsystems;
static struct track track = {.device = &device, SUBSYSTEMS_OF(subsystems)};
static struct command command = {.device = &device, .track = &track};
_Thread_local struct last_command last_command;
_Atomic(uint64_t) command_epoch;

struct dispatch_map device_map; /* empty: nobody is found at once */

uint32_t module_finds_alpha_one(const struct shader_module *module, const struct spirv_alpha_one *wanted)
{
    (void)module;
    return wanted->locations;
}

struct device *device_of(const void *dispatchable)
{
    (void)dispatchable;
    return &device;
}

struct command *command_find(VkCommandBuffer handle)
{
    (void)handle;
    return &command;
}

/* Every pipeline here can be changed. */
void change_all(struct command *known, enum filled_way way)
{
    (void)known, (void)way;
    fail();
}

/* ---- A pipeline, and one draw with it ---- */

static VkPipelineColorBlendAttachmentState state_of(VkBool32 enable, VkBlendOp op)
{
    return (VkPipelineColorBlendAttachmentState){enable, F(ONE), F(ZERO), op, F(ONE), F(ZERO), op, RGBA};
}

/* Reads the blend state of attachments of one format. */
static void read_in_format(VkFormat format, const VkPipelineColorBlendAttachmentState *states, uint32_t count,
                           const VkDynamicState *dynamic, uint32_t dynamic_count, struct pipeline_blend *blend)
{
    const VkFormat formats[2] = {format, format};
    const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                     .colorAttachmentCount = count,
                                                     .pColorAttachmentFormats = formats};
    const VkPipelineColorBlendStateCreateInfo colors = {.sType =
                                                            VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                        .attachmentCount = count,
                                                        .pAttachments = states};
    const VkPipelineDynamicStateCreateInfo dynamics = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                       .dynamicStateCount = dynamic_count,
                                                       .pDynamicStates = dynamic};
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &rendering,
                                               .pColorBlendState = &colors,
                                               .pDynamicState = &dynamics};
    struct graphics_state state;
    assert_true(graphics_state_open(&track, &info, &state));
    pipeline_blend_read(&track, &state, blend);
    graphics_state_close(&state);
}

/* In one whose alpha blending keeps. */
static void read_states(const VkPipelineColorBlendAttachmentState *states, uint32_t count,
                        const VkDynamicState *dynamic, uint32_t dynamic_count, struct pipeline_blend *blend)
{
    read_in_format(VK_FORMAT_R8G8B8A8_UNORM, states, count, dynamic, dynamic_count, blend);
}

/* The states that a variant is made with. */
static void apply_key(const struct pipeline_blend *blend, uint32_t key, VkPipelineColorBlendAttachmentState *states)
{
    const VkPipelineColorBlendStateCreateInfo colors = {.sType =
                                                            VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                        .attachmentCount = blend->count,
                                                        .pAttachments = blend->states};
    VkGraphicsPipelineCreateInfo info = {.pColorBlendState = &colors};
    void *memory;
    assert_true(pipeline_blend_apply(blend, key, &info, &memory));
    memcpy(states, info.pColorBlendState->pAttachments, blend->count * sizeof(*states));
    free(memory);
}

/* That of all attachments. */
static void apply(const struct pipeline_blend *blend, VkPipelineColorBlendAttachmentState *states)
{
    apply_key(blend, (1u << blend->count) - 1, states);
}

static const struct written_alpha none = {.all = 0};

static void draw_variant(const struct pipeline_blend *blend, uint32_t key)
{
    struct pipeline pipeline = {.blend = *blend};
    const uint32_t all = (1u << blend->count) - 1;
    struct bind_point point = {.pipeline = &pipeline, .driver.key = key};
    memset(&driver, 0, sizeof(driver));
    command.pass = (struct pass_state){.mask = all, .keep = all};
    blend_reset(&command);
    blend_flush(&command, &point);
}

static void draw(const struct pipeline_blend *blend)
{
    draw_variant(blend, pipeline_blend_key(blend, (1u << blend->count) - 1, none));
}

/* ---- Tests ---- */

/* Of two attachments of floats the one that is not blended; the mask of each is what its variant asks. */
static void shaders_write_alpha_of_what_is_not_blended(void **state)
{
    (void)state;
    VkPipelineColorBlendAttachmentState states[2] = {state_of(VK_TRUE, VK_BLEND_OP_ADD),
                                                     state_of(VK_FALSE, VK_BLEND_OP_ADD)};
    states[0].dstColorBlendFactor = F(ONE_MINUS_SRC_ALPHA);
    static const VkDynamicState logic = VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT;
    struct pipeline_blend blend;
    read_in_format(VK_FORMAT_R32G32B32A32_SFLOAT, states, 2, &logic, 1, &blend);
    assert_int_equal(blend.keep, 0);
    assert_int_equal(blend.written.all, 2);
    assert_int_equal(blend.integers, 0);
    const uint32_t key = pipeline_blend_key(&blend, 3, blend.written);
    assert_int_equal(pipeline_blend_written(key).all, 2);
    assert_int_equal(pipeline_blend_mask(key), 3);
    assert_int_equal(pipeline_blend_key(&blend, 1, none), VARIANT_DYNAMIC);
    assert_int_equal(pipeline_blend_written(VARIANT_DYNAMIC).all, 0);
    draw(&blend);
    assert_int_equal(driver.masks[0], RGB);
    assert_int_equal(driver.masks[1], RGB); /* the variant without */
    draw_variant(&blend, key);
    assert_int_equal(driver.masks[0], RGB);
    assert_int_equal(driver.masks[1], RGBA);
    read_in_format(VK_FORMAT_R16G16B16A16_UINT, &states[1], 1, NULL, 0, &blend);
    assert_int_equal(blend.written.all, 1);
    assert_int_equal(blend.integers, 1);
    read_in_format(VK_FORMAT_A2B10G10R10_UNORM_PACK32, &states[1], 1, NULL, 0, &blend);
    assert_int_equal(blend.written.all, 0);
    read_states(&states[1], 1, NULL, 0, &blend);
    assert_int_equal(blend.written.all, 0);
}

/* The equations that a variant has whose shader writes alpha, and what the shader does before. */
static void shaders_multiply_what_is_blended_by_their_alpha(void **state)
{
    (void)state;
    VkPipelineColorBlendAttachmentState states[2] = {state_of(VK_TRUE, VK_BLEND_OP_ADD),
                                                     state_of(VK_TRUE, VK_BLEND_OP_SUBTRACT)},
                                        made[2];
    struct pipeline_blend blend;
    states[0].srcColorBlendFactor = F(SRC_ALPHA);
    states[1].srcColorBlendFactor = F(ONE_MINUS_SRC_ALPHA);
    read_in_format(VK_FORMAT_R32G32B32A32_SFLOAT, states, 2, NULL, 0, &blend);
    assert_int_equal(blend.written.all, 3);
    assert_int_equal(blend.written.times_alpha, 1);
    assert_int_equal(blend.written.times_rest, 2);
    assert_int_equal(blend.multiplied, 3);
    const uint32_t key = pipeline_blend_key(&blend, 3, blend.written);
    const struct written_alpha written = pipeline_blend_written(key);
    assert_memory_equal(&written, &blend.written, sizeof(written));
    assert_int_equal(pipeline_blend_mask(key), 3);
    assert_int_equal(pipeline_blend_written(pipeline_blend_key(&blend, 2, blend.written)).times_alpha, 0);
    apply_key(&blend, key, made);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(made[i].srcColorBlendFactor, F(ONE));
        assert_int_equal(made[i].dstColorBlendFactor, F(ZERO));
        assert_int_equal(made[i].colorBlendOp, states[i].colorBlendOp);
        assert_int_equal(made[i].srcAlphaBlendFactor, F(ONE));
        assert_int_equal(made[i].dstAlphaBlendFactor, F(ZERO));
        assert_int_equal(made[i].alphaBlendOp, VK_BLEND_OP_ADD);
        assert_int_equal(made[i].colorWriteMask, RGBA);
    }
    draw_variant(&blend, key);
    assert_int_equal(driver.masks[0], RGBA);
}

/* A draw's variant where the program sets whether and how it blends. */
static void shaders_follow_equations_that_are_dynamic(void **state)
{
    (void)state;
    static const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
                                             VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT};
    static const struct {
        VkBlendFactor source, destination;
        bool written, times_alpha, times_rest;
    } rows[] = {
        {F(ONE), F(ZERO), true, false, false},
        {F(SRC_ALPHA), F(ZERO), true, true, false},
        {F(ONE_MINUS_SRC_ALPHA), F(ONE_MINUS_DST_ALPHA), true, false, true},
        {F(SRC_ALPHA), F(ONE_MINUS_SRC_ALPHA), false, false, false},
    };
    VkPipelineColorBlendAttachmentState garbage = state_of(VK_FALSE, VK_BLEND_OP_MAX), made;
    struct pipeline_blend blend;
    VkBool32 enable = VK_FALSE;
    read_in_format(VK_FORMAT_R32G32B32A32_SFLOAT, &garbage, 1, dynamic, 2, &blend);
    assert_int_equal(blend.written.all, 1);
    assert_false(blend.at_once);
    blend_reset(&command);
    command.pass = (struct pass_state){.mask = 1};
    assert_int_equal(pipeline_blend_written(blend_key(&command, &blend)).all, 0);
    hook_CmdSetColorBlendEnableEXT((VkCommandBuffer)&command, 0, 1, &enable);
    assert_int_equal(pipeline_blend_written(blend_key(&command, &blend)).all, 1);
    enable = VK_TRUE;
    hook_CmdSetColorBlendEnableEXT((VkCommandBuffer)&command, 0, 1, &enable);
    assert_int_equal(pipeline_blend_written(blend_key(&command, &blend)).all, 0); /* no equation yet */
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const VkColorBlendEquationEXT equation = {rows[i].source, rows[i].destination, VK_BLEND_OP_ADD,
                                                  F(SRC_ALPHA),   F(DST_ALPHA),        VK_BLEND_OP_MAX};
        hook_CmdSetColorBlendEquationEXT((VkCommandBuffer)&command, 0, 1, &equation);
        const uint32_t key = blend_key(&command, &blend);
        const struct written_alpha written = pipeline_blend_written(key);
        assert_int_equal(written.all, rows[i].written);
        assert_int_equal(written.times_alpha, rows[i].times_alpha);
        assert_int_equal(written.times_rest, rows[i].times_rest);
        struct pipeline pipeline = {.blend = blend};
        struct bind_point point = {.pipeline = &pipeline, .driver.key = key};
        blend_flush(&command, &point);
        assert_int_equal(driver.masks[0], rows[i].written ? (unsigned)RGBA : (unsigned)RGB);
        if (!rows[i].written)
            continue;
        assert_int_equal(driver.equations[0].srcColorBlendFactor, F(ONE));
        assert_int_equal(driver.equations[0].dstAlphaBlendFactor, F(ZERO));
        apply_key(&blend, key, &made);
        assert_int_equal(made.colorWriteMask, RGBA);
    }
    struct pipeline_blend plain = blend; /* a shader whose outputs cannot be multiplied */
    plain.multiplied = 0;
    const VkColorBlendEquationEXT times = {F(SRC_ALPHA), F(ZERO), VK_BLEND_OP_ADD,
                                           F(SRC_ALPHA), F(ZERO), VK_BLEND_OP_ADD};
    hook_CmdSetColorBlendEquationEXT((VkCommandBuffer)&command, 0, 1, &times);
    assert_int_equal(pipeline_blend_written(blend_key(&command, &plain)).all, 0);
}

static void an_advanced_operation_under_dynamic_enables_is_masked(void **state)
{
    (void)state;
    static const VkDynamicState enable = VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT;
    const VkPipelineColorBlendAttachmentState advanced = state_of(VK_FALSE, VK_BLEND_OP_MULTIPLY_EXT);
    struct pipeline_blend blend;
    read_states(&advanced, 1, &enable, 1, &blend);
    assert_int_equal(blend.keep, 0);
    assert_int_equal(blend.layer_dynamic, BLEND_WRITE_MASK);
    draw(&blend);
    assert_int_equal(driver.equations_set, 0);
    assert_int_equal(driver.masks_set, 1);
    assert_int_equal(driver.masks[0], RGB);
}

static void an_advanced_operation_beside_another_attachment_is_masked(void **state)
{
    (void)state;
    const VkPipelineColorBlendAttachmentState states[2] = {state_of(VK_TRUE, VK_BLEND_OP_MULTIPLY_EXT),
                                                           state_of(VK_FALSE, VK_BLEND_OP_ADD)};
    struct pipeline_blend blend;
    read_states(states, 2, NULL, 0, &blend);
    assert_int_equal(blend.layer_dynamic, BLEND_WRITE_MASK);
    draw(&blend);
    assert_int_equal(driver.equations_set, 0);
    assert_int_equal(driver.masks_set, 3);
    assert_int_equal(driver.masks[0], RGB);
    assert_int_equal(driver.masks[1], RGB);
}

/* The other attachment's factors read alpha: its equation changes, and is static in the variant. */
static void equations_that_change_beside_an_advanced_operation_are_those_of_a_variant(void **state)
{
    (void)state;
    VkPipelineColorBlendAttachmentState states[2] = {state_of(VK_TRUE, VK_BLEND_OP_MULTIPLY_EXT),
                                                     state_of(VK_TRUE, VK_BLEND_OP_ADD)},
                                        made[2];
    struct pipeline_blend blend;
    states[1].srcColorBlendFactor = F(DST_ALPHA);
    read_states(states, 2, NULL, 0, &blend);
    assert_int_equal(blend.parts, BLEND_EQUATION | BLEND_WRITE_MASK);
    assert_int_equal(blend.layer_dynamic, BLEND_WRITE_MASK);
    assert_int_equal(pipeline_blend_key(&blend, 3, none), 3);
    draw(&blend);
    assert_int_equal(driver.equations_set, 0);
    assert_int_equal(driver.masks_set, 3);
    apply(&blend, made);
    assert_int_equal(made[0].colorBlendOp, VK_BLEND_OP_MULTIPLY_EXT);
    assert_int_equal(made[1].srcColorBlendFactor, F(ONE));
}

/* An equation of the program's own, set as an advanced one while recording. */
static void equations_are_not_set_where_advanced_ones_are_dynamic(void **state)
{
    (void)state;
    static const VkDynamicState dynamic = VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT;
    VkPipelineColorBlendAttachmentState one = state_of(VK_TRUE, VK_BLEND_OP_ADD);
    struct pipeline_blend blend;
    one.dstColorBlendFactor = F(ONE_MINUS_DST_ALPHA);
    read_states(&one, 1, &dynamic, 1, &blend);
    draw(&blend);
    assert_int_equal(driver.equations_set, 0);
    assert_int_equal(driver.masks[0], RGB);
}

/* So that the tests above do not pass because nothing is ever kept. */
static void without_advanced_operations_alpha_is_kept(void **state)
{
    (void)state;
    const VkPipelineColorBlendAttachmentState one = state_of(VK_FALSE, VK_BLEND_OP_ADD);
    struct pipeline_blend blend;
    read_states(&one, 1, NULL, 0, &blend);
    assert_int_equal(blend.keep, 1);
    draw(&blend);
    assert_int_equal(driver.equations_set, 1);
    assert_int_equal(driver.equations[0].srcAlphaBlendFactor, F(ZERO));
    assert_int_equal(driver.equations[0].dstAlphaBlendFactor, F(ONE));
}

/* After a draw of the layer's: as the program did it, and of an equation and an advanced one the last. */
static void what_the_program_set_is_set_again(void **state)
{
    (void)state;
    const VkBool32 enables[2] = {VK_TRUE, VK_FALSE};
    const VkColorComponentFlags masks[2] = {VK_COLOR_COMPONENT_R_BIT, RGBA};
    const VkColorBlendEquationEXT equations[2] = {
        {F(DST_ALPHA), F(ONE), VK_BLEND_OP_ADD, F(ONE), F(ZERO), VK_BLEND_OP_ADD},
        {F(ONE), F(ZERO), VK_BLEND_OP_ADD, F(ONE), F(ZERO), VK_BLEND_OP_ADD}};
    const VkColorBlendAdvancedEXT advanced = {VK_BLEND_OP_SCREEN_EXT, VK_TRUE, VK_TRUE, VK_BLEND_OVERLAP_CONJOINT_EXT,
                                              VK_FALSE};
    VkCommandBuffer commands = (VkCommandBuffer)&command;
    blend_reset(&command);
    hook_CmdSetColorBlendEnableEXT(commands, 1, 2, enables);
    hook_CmdSetColorWriteMaskEXT(commands, 3, 2, masks);
    hook_CmdSetColorBlendEquationEXT(commands, 5, 2, equations);
    hook_CmdSetColorBlendAdvancedEXT(commands, 6, 1, &advanced);
    memset(&driver, 0, sizeof(driver));
    blend_restore(&command);
    assert_int_equal(driver.enables_set, 3u << 1);
    assert_memory_equal(driver.enables + 1, enables, sizeof(enables));
    assert_int_equal(driver.masks_set, 3u << 3);
    assert_memory_equal(driver.masks + 3, masks, sizeof(masks));
    assert_int_equal(driver.equations_set, 1u << 5);
    assert_memory_equal(&driver.equations[5], &equations[0], sizeof(equations[0]));
    assert_int_equal(driver.advanced_set, 1u << 6);
    assert_memory_equal(&driver.advanced[6], &advanced, sizeof(advanced));
    blend_reset(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shaders_write_alpha_of_what_is_not_blended),
        cmocka_unit_test(shaders_multiply_what_is_blended_by_their_alpha),
        cmocka_unit_test(shaders_follow_equations_that_are_dynamic),
        cmocka_unit_test(an_advanced_operation_under_dynamic_enables_is_masked),
        cmocka_unit_test(an_advanced_operation_beside_another_attachment_is_masked),
        cmocka_unit_test(equations_that_change_beside_an_advanced_operation_are_those_of_a_variant),
        cmocka_unit_test(equations_are_not_set_where_advanced_ones_are_dynamic),
        cmocka_unit_test(without_advanced_operations_alpha_is_kept),
        cmocka_unit_test(what_the_program_set_is_set_again),
    };
    return cmocka_run_group_tests_name("track_blend", tests, NULL, NULL);
}
