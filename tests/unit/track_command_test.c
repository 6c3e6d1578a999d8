/* Which of a pipeline's tiers vkCmdBindPipeline binds before a draw says what is needed (layer/track/command.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "track/track.h"

#define HANDLE(TYPE, NUMBER) ((TYPE)(uintptr_t)(NUMBER))

static VkPipeline bound; /* the driver's */

static VKAPI_ATTR void VKAPI_CALL take_bind(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipeline pipeline)
{
    (void)commands, (void)point;
    bound = pipeline;
}

static struct track track;
static struct device device = {.next = {.CmdBindPipeline = take_bind}, .track = &track};
static struct command command = {.device = &device, .track = &track};

struct device *device_of(const void *dispatchable)
{
    (void)dispatchable;
    return &device;
}

struct format_features chain_format_features(const struct device *known, VkFormat format)
{
    (void)known, (void)format;
    return (struct format_features){0};
}

PFN_vkGetPhysicalDeviceProperties2 instance_properties2(const struct instance *instance, VkPhysicalDevice physical)
{
    (void)instance, (void)physical;
    return NULL;
}

void message(struct instance *instance, enum log_level level, VkObjectType type, uint64_t object, const char *format,
             ...)
{
    (void)instance, (void)level, (void)type, (void)object, (void)format;
}

/* Binds a pipeline with the tiers 0 to `most` after a draw of the tier `last`. */
static uint32_t bind_after(uint32_t last, uint32_t most, bool fixed)
{
    const VkCommandBuffer commands = HANDLE(VkCommandBuffer, &command);
    struct pipeline pipeline = {.handle = HANDLE(VkPipeline, 10), .follows = UINT32_MAX, .fixed = fixed};
    for (uint32_t tier = 0; tier <= most; tier++)
        atomic_init(&pipeline.tiers[tier], HANDLE(VkPipeline, 10 + tier));
    assert_true(table_init(&track.pipelines));
    assert_true(table_insert(&track.pipelines, HANDLE_KEY(pipeline.handle), &pipeline));
    atomic_store(&command.handle, commands);
    last_command = (struct last_command){commands, &command, atomic_load(&command_epoch)};
    command.points[POINT_GRAPHICS].tier = last;
    hook_CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline.handle);
    table_finish(&track.pipelines);
    const uint32_t tier = command.points[POINT_GRAPHICS].tier;
    assert_int_equal(HANDLE_KEY(bound), 10 + tier);
    return tier;
}

static void the_tier_of_the_last_draw_is_bound(void **state)
{
    (void)state;
    for (uint32_t last = 0; last <= TIER_EXTRAS; last++)
        assert_int_equal(bind_after(last, TIER_EXTRAS, false), last);
    assert_int_equal(bind_after(TIER_NEAREST, TIER_EXTRAS, false), 1); /* which others have in its place */
}

static void pipelines_without_extras_are_bound_in_their_filter(void **state)
{
    (void)state;
    assert_int_equal(bind_after(TIER_EXTRAS, TIER_FILTER, false), TIER_FILTER);
    assert_int_equal(bind_after(TIER_EXTRAS, 1, false), 0);
}

static void what_was_never_compiled_is_bound_plain(void **state)
{
    (void)state;
    assert_int_equal(bind_after(TIER_FILTER, 1, false), 0);
    assert_int_equal(bind_after(TIER_EXTRAS, 0, true), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tier_of_the_last_draw_is_bound),
        cmocka_unit_test(pipelines_without_extras_are_bound_in_their_filter),
        cmocka_unit_test(what_was_never_compiled_is_bound_plain),
    };
    return cmocka_run_group_tests_name("track_command", tests, NULL, NULL);
}
