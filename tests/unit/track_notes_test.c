/* SPDX-License-Identifier: MIT */
/*
 * What is saved of descriptors and made into records later, what samplers and views came to last
 * (layer/resources/descriptors/records.c), and the mark that says whether anybody has to look
 * (layer/resources/sampling/device_needs.c), above a driver that gives out the handles that it is told to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "descriptors/save.h"
#include "descriptors/update.h"
#include "gl/gl_tokens.h"
#include "layouts/set_layout.h"
#include "need/need.h"
#include "fake_driver.h"
#include "objects/track.h"
#include "sampling/format.h"
#include "sampling/device_needs.h"
#include "sampling/pair.h"
#include "vulkan_clampler.h"

/* ---- The driver ---- */

static VKAPI_ATTR VkResult VKAPI_CALL take_image(VkDevice handle, const VkImageCreateInfo *info,
                                                 const VkAllocationCallbacks *callbacks, VkImage *image)
{
    (void)handle, (void)info, (void)callbacks;
    *image = HANDLE(VkImage, fake_driver.last++);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL drop_image(VkDevice handle, VkImage image, const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)image, (void)callbacks;
}

static VKAPI_ATTR VkResult VKAPI_CALL take_view(VkDevice handle, const VkImageViewCreateInfo *info,
                                                const VkAllocationCallbacks *callbacks, VkImageView *view)
{
    (void)handle, (void)info, (void)callbacks;
    *view = HANDLE(VkImageView, fake_driver.last++);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL drop_view(VkDevice handle, VkImageView view, const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)view, (void)callbacks;
}

static VkResult mutable_formats;

static VKAPI_ATTR VkResult VKAPI_CALL take_format(VkPhysicalDevice physical, VkFormat format, VkImageType type,
                                                  VkImageTiling tiling, VkImageUsageFlags usage,
                                                  VkImageCreateFlags flags, VkImageFormatProperties *properties)
{
    (void)physical, (void)format, (void)type, (void)tiling, (void)usage, (void)flags;
    *properties =
        (VkImageFormatProperties){.sampleCounts = VK_SAMPLE_COUNT_1_BIT, .maxMipLevels = 16, .maxArrayLayers = 16};
    return mutable_formats;
}

static struct instance instance = {.next = {.GetPhysicalDeviceImageFormatProperties = take_format}};
struct device device;

static struct format_features features_of(VkFormat format)
{
    const VkFormatFeatureFlags2 sampled = VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT,
                                linear = sampled | VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    const bool filtered = format != VK_FORMAT_R32_SFLOAT && format != VK_FORMAT_R8G8B8A8_UINT;
    return (struct format_features){.linear = filtered ? linear : sampled, .optimal = filtered ? linear : sampled};
}

/* ---- The program ---- */

static int open_track(void **state)
{
    (void)state;
    fake_features = features_of;
    fake_track_begin();
    device = (struct device){.next = {.CreateSampler = fake_sampler,
                                      .DestroySampler = fake_sampler_drop,
                                      .CreateImage = take_image,
                                      .DestroyImage = drop_image,
                                      .CreateImageView = take_view,
                                      .DestroyImageView = drop_view},
                             .instance = &instance,
                             .properties.limits.maxSamplerAllocationCount = 4000,
                             .caps.resolve = {.mirror_clamp_to_edge = true,
                                              .gl_fallback = RESOLVE_FALLBACK_SHADER,
                                              .vk_fallback = RESOLVE_FALLBACK_OFF,
                                              .non_seamless_cube = true,
                                              .max_lod_bias = 16},
                             .caps.enabled = {.glSampler = VK_TRUE, .glImageView = VK_TRUE},
                             .caps.record_storage = true,
                             .track = &track};
    atomic_store(&track.serial, new_serial());
    fake_driver = (struct fake_driver){.last = 0x1000};
    if (!sampling_init(&track))
        return -1;
    sampling_read_limits(&track);
    return 0;
}

static int close_track(void **state)
{
    (void)state;
    sampling_finish(&track);
    return 0;
}

static VkSampler sampler_of(const VkSamplerGLStateCreateInfoCLAMPLER *gl)
{
    VkSamplerGLStateCreateInfoCLAMPLER chained = *gl;
    chained.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER;
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &chained};
    VkSampler sampler;
    assert_int_equal(hook_CreateSampler(NULL, &info, NULL, &sampler), VK_SUCCESS);
    return sampler;
}

/* Linear, with that wrap mode. GL_REPEAT: the driver's own sampler serves; GL_CLAMP asks for tier 1. */
static VkSampler linear_sampler(uint32_t wrap)
{
    return sampler_of(&(VkSamplerGLStateCreateInfoCLAMPLER){.wrapS = wrap,
                                                            .wrapT = TOKEN_REPEAT,
                                                            .wrapR = TOKEN_REPEAT,
                                                            .minFilter = TOKEN_LINEAR,
                                                            .magFilter = TOKEN_LINEAR,
                                                            .maxLod = 1000,
                                                            .cubeMapSeamless = VK_TRUE});
}

/* A set of one sampler of its own. */
struct one_set {
    struct binding binding;
    struct binding_brief brief;
    struct set_layout layout;
    struct records records;
    struct record memory[4];
};

static void open_set(struct one_set *set)
{
    memset(set, 0, sizeof(*set));
    set->binding = (struct binding){.type = VK_DESCRIPTOR_TYPE_SAMPLER, .count = 1};
    set->brief = (struct binding_brief){.count = 1, .one = 1, .saved_as = VK_DESCRIPTOR_TYPE_SAMPLER};
    set->layout =
        (struct set_layout){.bindings = &set->binding, .binding_count = 1, .briefs = &set->brief, .index_count = 1};
    assert_true(shadow_bytes(1) <= sizeof(set->memory));
    records_place(&set->records, &set->layout, set->memory, 1);
}

/* False: it could not be saved, and its record was made at once. */
static bool write_sampler(struct one_set *set, VkSampler sampler, VkImageLayout layout)
{
    const VkDescriptorImageInfo info = {.sampler = sampler, .imageLayout = layout};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER,
                                        .pImageInfo = &info};
    if (records_save_one_write(&track, &set->records, &write))
        return true;
    records_write(&track, &set->records, &set->layout, &write);
    return false;
}

/* ---- Notes ---- */

/* A set may be bound with a sampler that is gone. Nothing is kept for its handle, which comes again without a word. */
static void a_handle_of_nothing_is_not_remembered(void **state)
{
    (void)state;
    struct one_set set, other;
    open_set(&set);
    open_set(&other);
    const VkSampler sampler = linear_sampler(TOKEN_REPEAT);
    assert_true(write_sampler(&set, sampler, VK_IMAGE_LAYOUT_UNDEFINED));
    hook_DestroySampler(NULL, sampler, NULL);
    records_flush(&track, &set.records, &set.layout);
    assert_true(record_is_zero(&set.records.store.shadow[0]));

    fake_driver.last = (uintptr_t)HANDLE_KEY(sampler);
    const VkSampler again = linear_sampler(TOKEN_CLAMP);
    assert_true(HANDLE_KEY(again) == HANDLE_KEY(sampler));
    assert_false(write_sampler(&other, again, VK_IMAGE_LAYOUT_UNDEFINED));
    assert_true(other.records.store.shadow[0].flags & RECORD_COORDS);
    assert_true(other.records.store.needs.any & RECORD_NEED_COORDS);
    hook_DestroySampler(NULL, again, NULL);
}

/* What samplers of their own have as a layout is ignored, and may be what stands for nothing elsewhere. */
static void samplers_have_any_layout(void **state)
{
    (void)state;
    const VkSampler sampler = linear_sampler(TOKEN_REPEAT);
    static const VkImageLayout layouts[] = {VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_MAX_ENUM};
    for (unsigned i = 0; i < 2; i++) {
        struct one_set set;
        open_set(&set);
        assert_true(write_sampler(&set, sampler, layouts[i]));
        records_flush(&track, &set.records, &set.layout);
        assert_true(set.records.store.needs.any & RECORD_NEED_LINEAR);
    }
    hook_DestroySampler(NULL, sampler, NULL);
}

/* Not saved: the record is made at once. */
static struct record written(VkDescriptorType type, VkSampler sampler, VkImageView view)
{
    struct one_set set;
    open_set(&set);
    set.binding.type = set.brief.saved_as = type;
    const VkDescriptorImageInfo info = {sampler, view, VK_IMAGE_LAYOUT_GENERAL};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .descriptorCount = 1,
                                        .descriptorType = type,
                                        .pImageInfo = &info};
    records_write(&track, &set.records, &set.layout, &write);
    return set.records.store.shadow[0];
}

static VkImageView view_of(VkFormat format, VkImageAspectFlags aspect, VkImageViewType type, VkImage *image);
static uint32_t one_of(uint32_t count);

/*
 * The sampler beside an image of its own is ignored (section "Descriptor Set Updates"), as the view beside a sampler of
 * its own is: also where the same two were written as a pair just before.
 */
static void what_a_type_does_not_take_is_ignored(void **state)
{
    (void)state;
    VkImage image;
    const VkSampler sampler = linear_sampler(TOKEN_CLAMP);
    const VkImageView view = view_of(VK_FORMAT_R32_SFLOAT, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_VIEW_TYPE_2D, &image);
    const struct record image_alone = written(VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE, view);
    const struct record sampler_alone = written(VK_DESCRIPTOR_TYPE_SAMPLER, sampler, VK_NULL_HANDLE);
    for (int again = 0; again < 3; again++) {
        const struct record pair = written(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, sampler, view);
        const struct record one = written(VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, sampler, view);
        const struct record other = written(VK_DESCRIPTOR_TYPE_SAMPLER, sampler, view);
        assert_memory_equal(&one, &image_alone, sizeof(one));
        assert_memory_equal(&other, &sampler_alone, sizeof(other));
        assert_memory_not_equal(&pair, &image_alone, sizeof(pair));
        assert_memory_not_equal(&pair, &sampler_alone, sizeof(pair));
    }
    hook_DestroyImageView(NULL, view, NULL);
    hook_DestroyImage(NULL, image, NULL);
    hook_DestroySampler(NULL, sampler, NULL);
}

/* ---- Large sets ---- */

enum { LARGE = 16384, PLACES_BEFORE = 3 };

/* A set of many samplers of their own, whose records begin behind others, and the memory that shaders read. */
struct large_set {
    struct binding binding;
    struct binding_brief brief;
    struct set_layout layout;
    struct set *set;
    struct record *gpu;
    struct record expected[LARGE];
    uint64_t made, uploaded; /* counted so far */
};

static uint64_t records_made(void)
{
    uint64_t made = 0;
    for (uint32_t i = 0; i < COUNT_SHARDS; i++)
        made += atomic_load(&track.shards[i].records_written);
    return made;
}

static void open_large(struct large_set *large)
{
    memset(large, 0, sizeof(*large));
    large->binding = (struct binding){.type = VK_DESCRIPTOR_TYPE_SAMPLER, .count = LARGE, .first_place = PLACES_BEFORE};
    large->brief = (struct binding_brief){.count = LARGE, .one = 1, .saved_as = VK_DESCRIPTOR_TYPE_SAMPLER};
    large->layout =
        (struct set_layout){.bindings = &large->binding, .binding_count = 1, .briefs = &large->brief, .index_count = 1};
    large->set = calloc(1, sizeof(struct set) + shadow_bytes(LARGE));
    large->gpu = calloc(PLACES_BEFORE + LARGE, sizeof(struct record));
    assert_true(large->set && large->gpu);
    large->set->layout = &large->layout;
    large->set->place_count = PLACES_BEFORE + LARGE;
    records_place(&large->set->records, &large->layout, large->set->shadow, LARGE);
    large->set->records.upload.gpu = large->gpu;
}

static void write_large(struct large_set *large, uint32_t first, uint32_t count, VkSampler sampler)
{
    static VkDescriptorImageInfo infos[LARGE];
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstArrayElement = first,
                                        .descriptorCount = count,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER,
                                        .pImageInfo = infos};
    const struct record record = written(VK_DESCRIPTOR_TYPE_SAMPLER, sampler, VK_NULL_HANDLE);
    assert_false(record_is_zero(&record));
    for (uint32_t i = 0; i < count; i++) {
        infos[i] = (VkDescriptorImageInfo){.sampler = sampler};
        large->expected[first + i] = record;
    }
    large->made = records_made(); /* without that of the record here */
    if (!records_save_one_write(&track, &large->set->records, &write))
        records_write(&track, &large->set->records, &large->layout, &write);
}

/* What a draw does: so many records are made, and so many sent, and all are as they were written. */
static void send_large(struct large_set *large, uint64_t made, uint64_t uploaded)
{
    records_flush(&track, &large->set->records, &large->layout);
    assert_true(records_not_uploaded(&large->set->records));
    set_upload(&track, large->set);
    assert_false(records_not_uploaded(&large->set->records));
    assert_int_equal(records_made() - large->made, made);
    assert_int_equal(atomic_load(&track.counters.records_uploaded) - large->uploaded, uploaded);
    large->uploaded += uploaded;
    assert_memory_equal(large->gpu + PLACES_BEFORE, large->expected, sizeof(large->expected));
}

/* Wherever in a large array descriptors are written, no others are made and sent anew. */
static void scattered_writes_cost_what_they_are(void **state)
{
    static struct large_set large;
    (void)state;
    const VkSampler samplers[] = {linear_sampler(TOKEN_REPEAT), linear_sampler(TOKEN_CLAMP_TO_EDGE),
                                  linear_sampler(TOKEN_CLAMP)}; /* the last asks: its record is made at once */
    open_large(&large);
    write_large(&large, 0, LARGE, samplers[0]);
    send_large(&large, LARGE, LARGE);
    for (uint32_t other = 1; other < LARGE; other = other * 2 + 1) {
        write_large(&large, 0, 1, samplers[1]);
        write_large(&large, other, 1, samplers[1]);
        send_large(&large, 2, 2);
    }
    for (uint32_t round = 0; round < 20; round++) {
        const uint32_t first = one_of(LARGE / 2 - 200), last = LARGE / 2 + one_of(LARGE / 2 - 200);
        write_large(&large, last, 1 + round, samplers[round % 2]);
        write_large(&large, first, 100, samplers[round % 2]);
        send_large(&large, 101 + round, 101 + round);
    }
    uint64_t asked = records_made();
    write_large(&large, LARGE - 1, 1, samplers[2]);
    asked = records_made() - asked;
    write_large(&large, 5, 1, samplers[2]);
    records_flush(&track, &large.set->records, &large.layout);
    set_upload(&track, large.set);
    large.uploaded += 2;
    assert_int_equal(atomic_load(&track.counters.records_uploaded), large.uploaded);
    assert_int_equal(asked, 2); /* with that of the record that is compared */
    assert_memory_equal(large.gpu + PLACES_BEFORE, large.expected, sizeof(large.expected));
    free(large.set);
    free(large.gpu);
    for (unsigned i = 0; i < 3; i++)
        hook_DestroySampler(NULL, samplers[i], NULL);
}

/* ---- The mark ---- */

/* Another thread has raised it, and has not said yet that draws must look: whoever finds it raised says so. */
static void the_mark_is_never_found_without_its_word(void **state)
{
    (void)state;
    device_needs_raise(&track, RECORD_NEED_LINEAR);
    assert_false(atomic_load(&track.may_emulate));
    atomic_fetch_or(&subsystems.sampling.device_needs.needs,
                    RECORD_NEED_UNFILTERABLE | (uint64_t)RECORD_NEED_UNFILTERABLE << 32);
    device_needs_raise(&track, RECORD_NEED_UNFILTERABLE);
    assert_true(atomic_load(&track.may_emulate));
}

static uint32_t one_of(uint32_t count)
{
    return (uint32_t)rand() % count;
}

static VkImageView view_of(VkFormat format, VkImageAspectFlags aspect, VkImageViewType type, VkImage *image)
{
    const bool volume = type == VK_IMAGE_VIEW_TYPE_3D, cube = type == VK_IMAGE_VIEW_TYPE_CUBE;
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = volume ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D,
                                    .format = format,
                                    .extent = {8, 8, volume ? 8 : 1},
                                    .mipLevels = 1 + one_of(3),
                                    .arrayLayers = cube ? 6 : 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    assert_int_equal(hook_CreateImage(NULL, &info, NULL, image), VK_SUCCESS);
    const VkImageViewCreateInfo view_info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = *image,
        .viewType = type,
        .format = format,
        .components = {one_of(4) ? VK_COMPONENT_SWIZZLE_IDENTITY : VK_COMPONENT_SWIZZLE_ONE, 0, 0, 0},
        .subresourceRange = {aspect, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
    VkImageView view;
    assert_int_equal(hook_CreateImageView(NULL, &view_info, NULL, &view), VK_SUCCESS);
    return view;
}

static VkSampler any_sampler(void)
{
    static const uint32_t wraps[] = {TOKEN_REPEAT, TOKEN_REPEAT, TOKEN_CLAMP_TO_EDGE, TOKEN_CLAMP_TO_BORDER,
                                     TOKEN_CLAMP};
    static const uint32_t filters[] = {TOKEN_NEAREST, TOKEN_LINEAR};
    static const uint32_t mips[] = {TOKEN_NEAREST, TOKEN_LINEAR, TOKEN_NEAREST_MIPMAP_NEAREST,
                                    TOKEN_LINEAR_MIPMAP_LINEAR, TOKEN_NEAREST_MIPMAP_LINEAR};
    const uint32_t wrap = wraps[one_of(5)];
    return sampler_of(&(VkSamplerGLStateCreateInfoCLAMPLER){
        .wrapS = wrap,
        .wrapT = wrap,
        .wrapR = wrap,
        .minFilter = mips[one_of(5)],
        .magFilter = filters[one_of(2)],
        .maxLod = 1000,
        .compareMode = one_of(4) ? 0 : TOKEN_COMPARE_REF_TO_TEXTURE,
        .srgbDecode = one_of(4) ? 0 : TOKEN_SKIP_DECODE,
        .reductionMode = one_of(4) ? 0 : TOKEN_MIN,
        .cubeMapSeamless = one_of(2),
        .borderColor = {.float32 = {one_of(2) ? 0.5f : 0, 0, 0, 0}},
    });
}

static uint32_t needs_of(VkDescriptorType type, VkSampler sampler, VkImageView view)
{
    const VkDescriptorImageInfo info = {sampler, view, VK_IMAGE_LAYOUT_GENERAL};
    VkDescriptorImageInfo for_driver;
    struct record record;
    descriptor_resolve(&track, type, &info, NULL, false, &for_driver, &record);
    return record_needs(&record);
}

/* Draws look at no set while the mark asks for nothing: records ask for no more than it does, whatever shaders follow.
 */
static void no_record_asks_for_more_than_the_mark(void **state)
{
    enum { ROUNDS = 2000, MOST = 3 };
    static const struct {
        VkFormat format;
        VkImageAspectFlags aspect;
    } formats[] = {{VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_ASPECT_COLOR_BIT},
                   {VK_FORMAT_R8G8B8A8_SRGB, VK_IMAGE_ASPECT_COLOR_BIT},
                   {VK_FORMAT_R32_SFLOAT, VK_IMAGE_ASPECT_COLOR_BIT},
                   {VK_FORMAT_R8G8B8A8_UINT, VK_IMAGE_ASPECT_COLOR_BIT},
                   {VK_FORMAT_D32_SFLOAT, VK_IMAGE_ASPECT_DEPTH_BIT}};
    static const VkImageViewType types[] = {VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_3D, VK_IMAGE_VIEW_TYPE_CUBE};
    unsigned plain = 0, asking = 0, fewer = 0;
    srand(1);
    close_track(state);
    for (unsigned round = 0; round < ROUNDS; round++) {
        assert_int_equal(open_track(state), 0);
        device.caps.resolve.non_seamless_cube = one_of(2);
        device.caps.resolve.integer_incomplete = one_of(2);
        device.caps.resolve.vk_fallback = one_of(2) ? RESOLVE_FALLBACK_OFF : RESOLVE_FALLBACK_SHADER;
        device.caps.resolve.gl_fallback = (uint8_t)one_of(3);
        device.caps.resolve.sampler_filter_minmax = one_of(2);
        mutable_formats = one_of(2) ? VK_SUCCESS : VK_ERROR_FORMAT_NOT_SUPPORTED;
        VkSampler samplers[MOST];
        VkImageView views[MOST];
        VkImage images[MOST];
        bool integers[MOST];
        const unsigned count = 1 + one_of(MOST);
        for (unsigned i = 0; i < count; i++) {
            samplers[i] = any_sampler();
            const unsigned format = one_of(5), type = format == 4 ? 0 : one_of(3);
            integers[i] = formats[format].format == VK_FORMAT_R8G8B8A8_UINT;
            views[i] = view_of(formats[format].format, formats[format].aspect, types[type], &images[i]);
        }
        const uint32_t device_needs = device_needs_now(&track);
        assert_int_equal(atomic_load(&track.may_emulate), needs_tier(device_needs) != TIER_PASSTHROUGH);
        const uint32_t floats = device_needs_of(device_needs_word(&track), 0);
        assert_int_equal(device_needs_of(device_needs_word(&track), NEEDS_OF_INTEGERS), device_needs);
        uint32_t needs = 0, needs_of_floats = 0;
        for (unsigned i = 0; i < count; i++) {
            needs_of_floats |= needs_of(VK_DESCRIPTOR_TYPE_SAMPLER, samplers[i], VK_NULL_HANDLE);
            uint32_t *of_view = integers[i] ? &needs : &needs_of_floats;
            *of_view |= needs_of(VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE, views[i]);
            for (unsigned j = 0; j < count; j++)
                *of_view |= needs_of(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, samplers[j], views[i]);
        }
        needs |= needs_of_floats;
        if (needs & ~device_needs || needs_of_floats & ~floats)
            print_error("round %u: needs 0x%x, mark 0x%x; of floats 0x%x, 0x%x\n", round, (unsigned)needs,
                        (unsigned)device_needs, (unsigned)needs_of_floats, (unsigned)floats);
        assert_int_equal(needs & ~device_needs, 0);
        assert_int_equal(needs_of_floats & ~floats, 0);
        fewer += floats != device_needs;
        *(needs_tier(needs) == TIER_PASSTHROUGH ? &plain : &asking) += 1;
        for (unsigned i = 0; i < count; i++) {
            hook_DestroyImageView(NULL, views[i], NULL);
            hook_DestroyImage(NULL, images[i], NULL);
            hook_DestroySampler(NULL, samplers[i], NULL);
        }
        if (round + 1 < ROUNDS)
            close_track(state);
    }
    assert_true(plain > ROUNDS / 20 && asking > ROUNDS / 20 && fewer > ROUNDS / 20);
}

int main(void)
{
#define TEST(NAME) cmocka_unit_test_setup_teardown(NAME, open_track, close_track)
    const struct CMUnitTest tests[] = {
        TEST(a_handle_of_nothing_is_not_remembered), TEST(samplers_have_any_layout),
        TEST(what_a_type_does_not_take_is_ignored),  TEST(the_mark_is_never_found_without_its_word),
        TEST(scattered_writes_cost_what_they_are),   TEST(no_record_asks_for_more_than_the_mark),
    };
    return cmocka_run_group_tests_name("notes", tests, NULL, NULL);
}
