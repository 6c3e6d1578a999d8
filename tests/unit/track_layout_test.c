/* SPDX-License-Identifier: MIT */
/*
 * What set layouts and pools become below (layer/resources/layouts/set_layout.c, layer/resources/descriptors/pool.c):
 * bindings by number, each with its own flags and its own list of types where descriptors are mutable.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "descriptor_type/relaxed.h"
#include "sampling/format.h"
#include "system.h"
#include "layouts/set_layout.h"
#include "fake_driver.h"
#include "objects/track.h"

/* ---- A driver that notes what it gets ---- */

enum { MOST = 8, RECORDS = 1 << 20 };

static struct {
    VkDescriptorSetLayoutCreateInfo layout;
    VkDescriptorSetLayoutBinding bindings[MOST];
    VkDescriptorBindingFlags flags[MOST];
    VkDescriptorPoolCreateInfo pool;
    VkDescriptorPoolSize sizes[MOST];
    uint32_t list_count; /* UINT32_MAX: no structure */
    VkMutableDescriptorTypeListEXT lists[MOST];
    uint32_t asked;   /* whether a layout is supported */
    bool unsupported; /* it is not */
} got;

static void note_lists(const void *chain)
{
    const VkMutableDescriptorTypeCreateInfoEXT *types =
        pnext_find(chain, VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT);
    got.list_count = types ? types->mutableDescriptorTypeListCount : UINT32_MAX;
    for (uint32_t i = 0; types && i < types->mutableDescriptorTypeListCount; i++) {
        assert_true(i <= MOST - 1);
        got.lists[i] = types->pMutableDescriptorTypeLists[i];
    }
}

static void remember_layout(const VkDescriptorSetLayoutCreateInfo *info)
{
    const VkDescriptorSetLayoutBindingFlagsCreateInfo *flags =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
    got.layout = *info;
    for (uint32_t i = 0; i < info->bindingCount; i++) {
        assert_true(i <= MOST - 1);
        got.bindings[i] = info->pBindings[i];
        got.flags[i] = flags ? flags->pBindingFlags[i] : 0;
    }
    if (flags)
        assert_int_equal(flags->bindingCount, info->bindingCount);
    note_lists(info->pNext);
}

static VKAPI_ATTR VkResult VKAPI_CALL take_layout(VkDevice handle, const VkDescriptorSetLayoutCreateInfo *info,
                                                  const VkAllocationCallbacks *callbacks, VkDescriptorSetLayout *layout)
{
    (void)handle, (void)callbacks;
    remember_layout(info);
    *layout = HANDLE(VkDescriptorSetLayout, 10);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL drop_layout(VkDevice handle, VkDescriptorSetLayout layout,
                                              const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)layout, (void)callbacks;
}

static VKAPI_ATTR void VKAPI_CALL take_support(VkDevice handle, const VkDescriptorSetLayoutCreateInfo *info,
                                               VkDescriptorSetLayoutSupport *support)
{
    (void)handle;
    remember_layout(info);
    got.asked++;
    support->supported = !got.unsupported;
    VkDescriptorSetVariableDescriptorCountLayoutSupport *most =
        (void *)pnext_find(support->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT);
    if (most)
        most->maxVariableDescriptorCount = UINT32_MAX;
}

static VKAPI_ATTR VkResult VKAPI_CALL take_pool(VkDevice handle, const VkDescriptorPoolCreateInfo *info,
                                                const VkAllocationCallbacks *callbacks, VkDescriptorPool *pool)
{
    (void)handle, (void)callbacks;
    got.pool = *info;
    for (uint32_t i = 0; i < info->poolSizeCount; i++) {
        assert_true(i <= MOST - 1);
        got.sizes[i] = info->pPoolSizes[i];
    }
    note_lists(info->pNext);
    *pool = HANDLE(VkDescriptorPool, 11);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL drop_pool(VkDevice handle, VkDescriptorPool pool,
                                            const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)pool, (void)callbacks;
}

struct device device = {.next = {.CreateDescriptorSetLayout = take_layout,
                                 .DestroyDescriptorSetLayout = drop_layout,
                                 .GetDescriptorSetLayoutSupport = take_support,
                                 .CreateDescriptorPool = take_pool,
                                 .DestroyDescriptorPool = drop_pool},
                        .caps.record_storage = true,
                        .track = &track};

static int open_track(void **state)
{
    static struct instance instance;
    (void)state;
    fake_track_begin();
    device.instance = &instance;
    device.caps.record_storage = true;
    device.properties.limits.maxUniformBufferRange = 65536;
    device.properties.limits.maxStorageBufferRange = RECORDS * sizeof(struct record);
    return table_init(&subsystems.sampling.samplers) && table_init(&subsystems.layouts.set_layouts) &&
                   table_init(&subsystems.descriptors.pools) && table_init(&subsystems.layouts.kept) &&
                   holds_init(&subsystems.sampling.held_samplers)
               ? 0
               : -1;
}

static int close_track(void **state)
{
    (void)state;
    table_finish(&subsystems.sampling.samplers);
    table_finish(&subsystems.layouts.set_layouts);
    table_finish(&subsystems.descriptors.pools);
    table_finish(&subsystems.layouts.kept);
    holds_finish(&subsystems.sampling.held_samplers);
    return 0;
}

/* ---- Layouts ---- */

static const VkDescriptorType image_types[] = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};
static const VkDescriptorType sampler_types[] = {VK_DESCRIPTOR_TYPE_SAMPLER};
static const VkDescriptorType buffer_types[] = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER};

#define LIST(TYPES)                                                                                                    \
    {                                                                                                                  \
        sizeof(TYPES) / sizeof((TYPES)[0]), TYPES                                                                      \
    }
#define BINDING(NUMBER, TYPE, COUNT)                                                                                   \
    {                                                                                                                  \
        .binding = (NUMBER), .descriptorType = VK_DESCRIPTOR_TYPE_##TYPE, .descriptorCount = (COUNT),                  \
        .stageFlags = VK_SHADER_STAGE_ALL                                                                              \
    }

enum { VARIABLE = VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT | VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT };

/* A chain of flags and lists, as programs have it. */
struct chain {
    VkDescriptorSetLayoutBindingFlagsCreateInfo flags;
    VkMutableDescriptorTypeCreateInfoEXT types;
};

static void create(const VkDescriptorSetLayoutBinding *bindings, const VkDescriptorBindingFlags *flags, uint32_t count,
                   const VkMutableDescriptorTypeListEXT *lists, uint32_t list_count)
{
    struct chain chain = {
        .flags = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
                  .pNext = lists ? &chain.types : NULL,
                  .bindingCount = count,
                  .pBindingFlags = flags},
        .types = {.sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
                  .mutableDescriptorTypeListCount = list_count,
                  .pMutableDescriptorTypeLists = lists},
    };
    const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                  .pNext = &chain.flags,
                                                  .bindingCount = count,
                                                  .pBindings = bindings};
    VkDescriptorSetLayoutSupport support = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
    hook_GetDescriptorSetLayoutSupport(NULL, &info, &support);
    assert_true(support.supported);
    const uint32_t asked = got.layout.bindingCount, asked_lists = got.list_count;
    VkDescriptorSetLayout layout;
    assert_int_equal(hook_CreateDescriptorSetLayout(NULL, &info, NULL, &layout), VK_SUCCESS);
    assert_int_equal(asked, got.layout.bindingCount);
    assert_int_equal(asked_lists, got.list_count);
    hook_DestroyDescriptorSetLayout(NULL, layout, NULL);
}

static void expect_binding(uint32_t index, uint32_t number, VkDescriptorType type, VkDescriptorBindingFlags flags)
{
    assert_int_equal(got.bindings[index].binding, number);
    assert_int_equal(got.bindings[index].descriptorType, type);
    assert_int_equal(got.flags[index], flags);
}

static void expect_list(uint32_t index, const VkDescriptorType *types, uint32_t count)
{
    assert_int_equal(got.lists[index].descriptorTypeCount, count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(got.lists[index].pDescriptorTypes[i], types[i]);
}

/* The query takes a variable count of zero for one, so that what the layer adds is asked for, too. */
static void support_of_no_descriptors_is_that_of_one(void **state)
{
    (void)state;
    static const VkDescriptorBindingFlags flags[] = {VARIABLE};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo binding_flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 1,
        .pBindingFlags = flags};
    for (uint32_t count = 0; count < 2; count++) {
        const VkDescriptorSetLayoutBinding binding = BINDING(0, COMBINED_IMAGE_SAMPLER, count);
        const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                      .pNext = &binding_flags,
                                                      .bindingCount = 1,
                                                      .pBindings = &binding};
        VkDescriptorSetLayoutSupport support = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
        hook_GetDescriptorSetLayoutSupport(NULL, &info, &support);
        assert_true(support.supported);
        assert_int_equal(got.layout.bindingCount, 2);
        assert_int_equal(got.bindings[1].descriptorType, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
        assert_int_equal(got.bindings[1].descriptorCount, 1);
    }
}

/* Flags of other bindings than there are, which Vulkan forbids, are nobody's. */
static void flags_of_more_bindings_than_there_are_are_not_read(void **state)
{
    (void)state;
    static const VkDescriptorBindingFlags flags[] = {0, VARIABLE};
    static const VkDescriptorSetLayoutBinding bindings[] = {BINDING(0, COMBINED_IMAGE_SAMPLER, 1),
                                                            BINDING(1, COMBINED_IMAGE_SAMPLER, 0)};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo binding_flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 2,
        .pBindingFlags = flags};
    const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                  .pNext = &binding_flags,
                                                  .bindingCount = 1,
                                                  .pBindings = bindings};
    VkDescriptorSetLayoutSupport support = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
    hook_GetDescriptorSetLayoutSupport(NULL, &info, &support);
    assert_true(support.supported);
    assert_int_equal(got.layout.bindingCount, 2);
    assert_int_equal(got.bindings[1].descriptorCount, 1);
}

/* A driver may promise more descriptors than the set could have records. What is promised can be asked for. */
static void the_greatest_variable_count_has_records(void **state)
{
    (void)state;
    static const VkDescriptorBindingFlags flags[] = {0, VARIABLE};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo binding_flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 2,
        .pBindingFlags = flags};
    VkDescriptorSetLayoutBinding bindings[] = {BINDING(0, COMBINED_IMAGE_SAMPLER, 5), BINDING(1, SAMPLED_IMAGE, 1)};
    const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                  .pNext = &binding_flags,
                                                  .bindingCount = 2,
                                                  .pBindings = bindings};
    VkDescriptorSetVariableDescriptorCountLayoutSupport most = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT};
    VkDescriptorSetLayoutSupport support = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT, .pNext = &most};
    hook_GetDescriptorSetLayoutSupport(NULL, &info, &support);
    assert_true(support.supported);
    assert_int_equal(most.maxVariableDescriptorCount, RECORDS - 5);
    bindings[1].descriptorCount = most.maxVariableDescriptorCount;
    hook_GetDescriptorSetLayoutSupport(NULL, &info, &support);
    assert_true(support.supported);
    assert_int_equal(most.maxVariableDescriptorCount, RECORDS - 5);
    /* Bindings without records are the driver's alone. */
    bindings[1] = (VkDescriptorSetLayoutBinding)BINDING(1, STORAGE_BUFFER, 1);
    hook_GetDescriptorSetLayoutSupport(NULL, &info, &support);
    assert_true(most.maxVariableDescriptorCount == UINT32_MAX);
}

/* Drivers may look lists up by the order of numbers: both ascend together, whatever the program's order is. */
static void bindings_ascend_with_their_flags_and_lists(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {
        BINDING(3, MUTABLE_EXT, 8), BINDING(0, COMBINED_IMAGE_SAMPLER, 1), BINDING(2, MUTABLE_EXT, 1)};
    static const VkDescriptorBindingFlags flags[] = {VARIABLE, 0, VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT};
    static const VkMutableDescriptorTypeListEXT lists[] = {LIST(image_types), {0, NULL}, LIST(buffer_types)};
    create(bindings, flags, 3, lists, 3);
    assert_int_equal(got.layout.bindingCount, 4);
    assert_int_equal(got.list_count, 4);
    expect_binding(0, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0);
    expect_binding(1, 2, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT);
    expect_binding(2, 3, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0);
    expect_binding(3, 4, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, VARIABLE);
    expect_list(0, NULL, 0);
    expect_list(1, buffer_types, 1);
    expect_list(2, NULL, 0);
    expect_list(3, image_types, 2);
}

/* The one list that there is stands at the end of a page: what reads a second one, or passes it down, faults. */
static void a_mutable_binding_of_variable_count_takes_its_list_along(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding binding = BINDING(0, MUTABLE_EXT, 8);
    static const VkDescriptorBindingFlags flags = VARIABLE | VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
    char *memory = fenced_page();
    assert_non_null(memory);
    VkMutableDescriptorTypeListEXT *list = (void *)(memory + page_size() - sizeof(*list));
    *list = (VkMutableDescriptorTypeListEXT)LIST(image_types);
    create(&binding, &flags, 1, list, 1);
    free_fenced_page(memory);
    assert_int_equal(got.layout.bindingCount, 2);
    assert_int_equal(got.list_count, 2);
    expect_binding(0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0);
    expect_binding(1, 1, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, flags);
    expect_list(0, NULL, 0);
    expect_list(1, image_types, 2);
}

/* Bindings beyond the program's lists have none below either, and other layouts get no structure of lists. */
static void lists_may_be_fewer_than_bindings(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {BINDING(1, MUTABLE_EXT, 1), BINDING(0, STORAGE_BUFFER, 1),
                                                            BINDING(2, SAMPLED_IMAGE, 1)};
    static const VkDescriptorBindingFlags flags[] = {0, 0, VARIABLE};
    static const VkMutableDescriptorTypeListEXT lists[] = {LIST(image_types)};
    create(bindings, flags, 3, lists, 1);
    assert_int_equal(got.list_count, 4);
    expect_list(0, NULL, 0);
    expect_list(1, image_types, 2);
    expect_list(2, NULL, 0);
    expect_list(3, NULL, 0);
    create(bindings, flags, 3, NULL, 0);
    assert_int_equal(got.list_count, UINT32_MAX);
    expect_binding(3, 3, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VARIABLE);
}

/* A binding without descriptors varies nothing, and keeps its number beside the records. */
static void a_variable_count_of_nothing_is_dropped(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {BINDING(5, MUTABLE_EXT, 0), BINDING(0, MUTABLE_EXT, 1)};
    static const VkDescriptorBindingFlags flags[] = {VARIABLE, 0};
    static const VkMutableDescriptorTypeListEXT lists[] = {LIST(buffer_types), LIST(image_types)};
    create(bindings, flags, 2, lists, 2);
    assert_int_equal(got.layout.bindingCount, 3);
    expect_binding(0, 0, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 0);
    expect_binding(1, 5, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT);
    expect_binding(2, 6, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0);
    expect_list(0, image_types, 2);
    expect_list(1, buffer_types, 1);
}

static void mutable_samplers_get_a_nearest_sampler_beside_them(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding binding = BINDING(0, MUTABLE_EXT, 8);
    static const VkDescriptorBindingFlags flags = VARIABLE;
    static const VkMutableDescriptorTypeListEXT samplers = LIST(sampler_types), images = LIST(image_types);
    subsystems.layouts.nearest_sampler = HANDLE(VkSampler, 7);
    create(&binding, &flags, 1, &samplers, 1);
    assert_int_equal(got.layout.bindingCount, 3);
    assert_int_equal(got.list_count, 3);
    expect_binding(1, 1, VK_DESCRIPTOR_TYPE_SAMPLER, 0);
    expect_binding(2, 2, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, VARIABLE);
    expect_list(1, NULL, 0);
    expect_list(2, sampler_types, 1);
    create(&binding, &flags, 1, &images, 1);
    assert_int_equal(got.layout.bindingCount, 2);
}

/*
 * What the driver gets of bindings without regard to what they are: each number once, none of them the one that means
 * none, the program's own at their numbers where nothing varies, and what varies at the highest.
 */
/* The layer's own descriptor may be the one too many; the driver is asked whether it is. Inline blocks count as one. */
static void sets_that_are_full_ask_the_driver(void **state)
{
    (void)state;
    enum { LARGEST = 8, BLOCK_BYTES = 64 };
    static const struct {
        uint32_t images, largest;
        bool asked, unsupported, records;
    } cases[] = {
        {4, LARGEST, false, true, true},           /* there is room */
        {LARGEST - 2, LARGEST, false, true, true}, /* with it the set is full */
        {LARGEST - 1, LARGEST, true, false, true}, /* and here too full */
        {LARGEST - 1, LARGEST, true, true, false},
        {LARGEST, LARGEST, false, true, true}, /* the program's are already */
        {LARGEST - 1, 0, false, true, true},   /* nobody knows */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const VkDescriptorSetLayoutBinding bindings[] = {BINDING(0, INLINE_UNIFORM_BLOCK, BLOCK_BYTES),
                                                         BINDING(1, COMBINED_IMAGE_SAMPLER, cases[i].images)};
        const VkDescriptorSetLayoutCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 2, .pBindings = bindings};
        VkDescriptorSetLayout layout;
        got.asked = 0;
        got.unsupported = cases[i].unsupported;
        device.caps.max_per_set = cases[i].largest;
        assert_int_equal(hook_CreateDescriptorSetLayout(NULL, &info, NULL, &layout), VK_SUCCESS);
        assert_int_equal(got.asked, cases[i].asked);
        assert_int_equal(got.layout.bindingCount, cases[i].records ? 3 : 2);
        hook_DestroyDescriptorSetLayout(NULL, layout, NULL);
    }
    got.unsupported = false;
    device.caps.max_per_set = 0;
}

static void expect_numbers(const VkDescriptorSetLayoutBinding *bindings, uint32_t count, uint32_t own, bool varies)
{
    assert_int_equal(got.layout.bindingCount, count + own);
    for (uint32_t i = 1; i < count + own; i++)
        assert_true(got.bindings[i - 1].binding < got.bindings[i].binding);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t times = 0;
        for (uint32_t j = 0; j < count + own; j++)
            times += got.bindings[j].binding == bindings[i].binding &&
                     got.bindings[j].descriptorType == bindings[i].descriptorType;
        assert_true(times == 1 || (varies && i == count - 1));
    }
    if (varies)
        assert_int_equal(got.flags[count + own - 1], VARIABLE);
    for (uint32_t j = 0; j < count + own - (varies ? 1 : 0); j++)
        assert_int_equal(got.flags[j], 0);
}

static void the_highest_numbers_of_bindings_leave_room_for_records(void **state)
{
    static const uint32_t lasts[] = {
        2, 1023, 1024, UINT32_MAX - 4, UINT32_MAX - 3, UINT32_MAX - 2, UINT32_MAX - 1, UINT32_MAX};
    (void)state;
    subsystems.layouts.nearest_sampler = HANDLE(VkSampler, 7);
    for (size_t i = 0; i < sizeof(lasts) / sizeof(*lasts); i++) {
        for (uint32_t form = 0; form < 8; form++) {
            const bool varies = form & 1, beside = form & 2, samplers = form & 4;
            const VkDescriptorSetLayoutBinding bindings[] = {
                BINDING(0, COMBINED_IMAGE_SAMPLER, 1),
                BINDING(beside ? lasts[i] - 1 : 1, COMBINED_IMAGE_SAMPLER, 1),
                {.binding = lasts[i],
                 .descriptorType = samplers ? VK_DESCRIPTOR_TYPE_SAMPLER : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                 .descriptorCount = 3,
                 .stageFlags = VK_SHADER_STAGE_ALL},
            };
            const VkDescriptorBindingFlags flags[] = {0, 0, varies ? VARIABLE : 0};
            create(bindings, flags, 3, NULL, 0);
            expect_numbers(bindings, 3, samplers ? 2 : 1, varies);
        }
    }
}

/* ---- Pools ---- */

static void create_pool(const VkDescriptorPoolSize *sizes, uint32_t count, const VkMutableDescriptorTypeListEXT *lists,
                        uint32_t list_count)
{
    const VkMutableDescriptorTypeCreateInfoEXT types = {.sType =
                                                            VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
                                                        .mutableDescriptorTypeListCount = list_count,
                                                        .pMutableDescriptorTypeLists = lists};
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .pNext = lists ? &types : NULL,
                                             .maxSets = 3,
                                             .poolSizeCount = count,
                                             .pPoolSizes = sizes};
    VkDescriptorPool pool;
    assert_int_equal(hook_CreateDescriptorPool(NULL, &info, NULL, &pool), VK_SUCCESS);
    hook_DestroyDescriptorPool(NULL, pool, NULL);
}

static void expect_size(uint32_t index, VkDescriptorType type, uint32_t count)
{
    assert_int_equal(got.sizes[index].type, type);
    assert_int_equal(got.sizes[index].descriptorCount, count);
}

static void sizes_of_pools_keep_their_lists(void **state)
{
    (void)state;
    static const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 8},
                                                 {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2}};
    static const VkMutableDescriptorTypeListEXT lists[] = {LIST(image_types)}, samplers[] = {LIST(sampler_types)};
    subsystems.layouts.nearest_sampler = HANDLE(VkSampler, 7);
    create_pool(sizes, 2, lists, 1);
    assert_int_equal(got.pool.poolSizeCount, 3);
    assert_int_equal(got.list_count, 3);
    expect_size(0, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 8);
    expect_size(1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2);
    expect_size(2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3);
    expect_list(0, image_types, 2);
    expect_list(1, NULL, 0);
    expect_list(2, NULL, 0);

    create_pool(sizes, 1, samplers, 1); /* and room for the nearest sampler */
    assert_int_equal(got.pool.poolSizeCount, 3);
    expect_size(2, VK_DESCRIPTOR_TYPE_SAMPLER, 3);
    create_pool(sizes, 1, NULL, 0); /* of any types */
    assert_int_equal(got.pool.poolSizeCount, 3);
    assert_int_equal(got.list_count, UINT32_MAX);
    expect_size(2, VK_DESCRIPTOR_TYPE_SAMPLER, 3);
}

/* Room for halves is what the records of all descriptors leave of the largest buffer. */
static void halves_get_no_more_room_than_a_buffer_has(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {BINDING(0, COMBINED_IMAGE_SAMPLER, 1 << 20),
                                                            BINDING(1, SAMPLED_IMAGE, 4),
                                                            BINDING(2, COMBINED_IMAGE_SAMPLER, 4)};
    static const VkDescriptorBindingFlags flags[] = {0, 0, VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo chained = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 3,
        .pBindingFlags = flags};
    const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                  .pNext = &chained,
                                                  .bindingCount = 3,
                                                  .pBindings = bindings};
    for (unsigned large = 0; large < 2; large++) {
        VkDescriptorSetLayout handle;
        device.properties.limits.maxStorageBufferRange = large ? 1u << 28 : 1u << 27;
        assert_int_equal(hook_CreateDescriptorSetLayout(NULL, &info, NULL, &handle), VK_SUCCESS);
        const struct set_layout *layout = set_layout_find(&track, handle);
        assert_int_equal(layout->bindings[0].split, large);
        assert_false(layout->bindings[1].split);
        assert_true(layout->bindings[2].split);
        assert_true(layout->place_count > 0);
        assert_true(layout->place_count * sizeof(struct record) <= device.properties.limits.maxStorageBufferRange);
        assert_int_equal(layout->bindings[2].first_place, (large ? 3u << 20 : 1u << 20) + 4);
        assert_true(layout->relaxed == RELAXED_THREADS);
        hook_DestroyDescriptorSetLayout(NULL, handle, NULL);
    }
}

/* Each of two bindings has room for its halves, and both have not: the first takes it. */
static void halves_of_a_binding_leave_the_rest_to_the_next(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {BINDING(0, COMBINED_IMAGE_SAMPLER, 1 << 20),
                                                            BINDING(1, COMBINED_IMAGE_SAMPLER, 1 << 20)};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 2, .pBindings = bindings};
    VkDescriptorSetLayout handle;
    device.properties.limits.maxStorageBufferRange = (1u << 28) + sizeof(struct record_masks);
    assert_int_equal(hook_CreateDescriptorSetLayout(NULL, &info, NULL, &handle), VK_SUCCESS);
    const struct set_layout *layout = set_layout_find(&track, handle);
    assert_true(layout->masks);
    assert_true(layout->bindings[0].split);
    assert_false(layout->bindings[1].split);
    assert_int_equal(layout->place_count, (4u << 20) + 1);
    assert_true(layout->place_count * sizeof(struct record) <= device.properties.limits.maxStorageBufferRange);
    hook_DestroyDescriptorSetLayout(NULL, handle, NULL);
}

/*
 * The first 32 combined image samplers have bits in mask words, in front of the records: not where descriptors may be
 * written while others are read, and not where all that a buffer holds are records.
 */
static void the_first_combined_image_samplers_have_mask_bits(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {
        BINDING(0, SAMPLED_IMAGE, 2), BINDING(3, COMBINED_IMAGE_SAMPLER, 30), BINDING(4, SAMPLER, 1),
        BINDING(5, COMBINED_IMAGE_SAMPLER, 4), BINDING(6, COMBINED_IMAGE_SAMPLER, 1)};
    static const VkDescriptorBindingFlags flags[] = {VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT,
                                                     VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT,
                                                     VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT};
    static const uint32_t first_bits[] = {RECORD_MASK_BITS, 0, RECORD_MASK_BITS, 30, RECORD_MASK_BITS};
    device.properties.limits.maxStorageBufferRange = 1u << 27;
    for (uint32_t kind = 0; kind < 3; kind++) {
        const VkDescriptorBindingFlags of_each[5] = {0, 0, flags[kind]};
        const VkDescriptorSetLayoutBindingFlagsCreateInfo chained = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
            .bindingCount = 5,
            .pBindingFlags = of_each};
        const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                      .pNext = &chained,
                                                      .bindingCount = 5,
                                                      .pBindings = bindings};
        VkDescriptorSetLayout handle;
        assert_int_equal(hook_CreateDescriptorSetLayout(NULL, &info, NULL, &handle), VK_SUCCESS);
        const struct set_layout *layout = set_layout_find(&track, handle);
        const uint32_t has = kind == 0;
        assert_int_equal(layout->masks, has);
        assert_int_equal(layout->place_count, has + 2 + 1 + 35 * SPIRV_RECORDS_OF_SPLIT);
        for (uint32_t i = 0; i < 5; i++) {
            const uint32_t first = has ? first_bits[i] : RECORD_MASK_BITS;
            assert_int_equal(layout->bindings[i].first_bit, first);
            assert_int_equal(layout->spirv_bindings[i].mask_bit, first < RECORD_MASK_BITS ? first + 1 : 0);
        }
        assert_int_equal(layout->spirv_bindings[0].first_record, has);
        hook_DestroyDescriptorSetLayout(NULL, handle, NULL);
    }
    static const VkDescriptorSetLayoutBinding most = BINDING(0, COMBINED_IMAGE_SAMPLER, 1 << 21);
    const VkDescriptorSetLayoutCreateInfo full = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &most};
    VkDescriptorSetLayout handle;
    assert_int_equal(hook_CreateDescriptorSetLayout(NULL, &full, NULL, &handle), VK_SUCCESS);
    assert_false(set_layout_find(&track, handle)->masks);
    assert_int_equal(set_layout_find(&track, handle)->place_count, 1 << 21);
    hook_DestroyDescriptorSetLayout(NULL, handle, NULL);
}

/* The upper bound of a variable count makes a layout outgrow uniform buffers, however few descriptors a pool has. */
static void small_pools_have_room_for_sets_of_large_layouts(void **state)
{
    (void)state;
    static const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2};
    static const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1 << 16,
                                                         VK_SHADER_STAGE_ALL, NULL};
    static const VkDescriptorBindingFlags flags = VARIABLE;
    device.caps.record_storage = false;
    device.properties.limits.maxUniformBufferRange = 1 << 14;
    create(&binding, &flags, 1, NULL, 0);
    expect_binding(0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0);
    create_pool(&size, 1, NULL, 0);
    assert_int_equal(got.pool.poolSizeCount, 3);
    expect_size(1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 3);
    expect_size(2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3);
}

/* Whatever the sizes name, sets from the pool may have records: every pool is known. */
static void pools_that_name_nothing_sampled_have_room_for_records(void **state)
{
    (void)state;
    static const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2}};
    subsystems.layouts.nearest_sampler = HANDLE(VkSampler, 7);
    create_pool(sizes, 1, NULL, 0);
    assert_int_equal(got.pool.poolSizeCount, 3);
    expect_size(0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2);
    expect_size(1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3);
    expect_size(2, VK_DESCRIPTOR_TYPE_SAMPLER, 3);
    create_pool(NULL, 0, NULL, 0);
    assert_int_equal(got.pool.poolSizeCount, 2);
    expect_size(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3);
}

/* VK_NV_descriptor_pool_overallocation: more sets than the pool says have more descriptors of the layer's, too. */
static void pools_that_give_more_sets_give_more_descriptors(void **state)
{
    (void)state;
    const VkFlags more_sets = 0x8, more_descriptors = 0x10;
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .flags = more_sets};
    VkDescriptorPool pool;
    assert_int_equal(hook_CreateDescriptorPool(NULL, &info, NULL, &pool), VK_SUCCESS);
    assert_non_null(table_find(&subsystems.descriptors.pools, HANDLE_KEY(pool)));
    hook_DestroyDescriptorPool(NULL, pool, NULL);
    assert_int_equal(got.pool.flags, more_sets | more_descriptors);
    assert_int_equal(got.pool.poolSizeCount, 0); /* which may name no descriptors, not none of them */
    create_pool(NULL, 0, NULL, 0);
    assert_int_equal(got.pool.flags, 0);
}

#define TEST(NAME) cmocka_unit_test_setup_teardown(NAME, open_track, close_track)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_greatest_variable_count_has_records),
        TEST(support_of_no_descriptors_is_that_of_one),
        TEST(flags_of_more_bindings_than_there_are_are_not_read),
        TEST(bindings_ascend_with_their_flags_and_lists),
        TEST(a_mutable_binding_of_variable_count_takes_its_list_along),
        TEST(lists_may_be_fewer_than_bindings),
        TEST(a_variable_count_of_nothing_is_dropped),
        TEST(sets_that_are_full_ask_the_driver),
        TEST(the_highest_numbers_of_bindings_leave_room_for_records),
        TEST(mutable_samplers_get_a_nearest_sampler_beside_them),
        TEST(sizes_of_pools_keep_their_lists),
        TEST(halves_get_no_more_room_than_a_buffer_has),
        TEST(halves_of_a_binding_leave_the_rest_to_the_next),
        TEST(the_first_combined_image_samplers_have_mask_bits),
        TEST(small_pools_have_room_for_sets_of_large_layouts),
        TEST(pools_that_name_nothing_sampled_have_room_for_records),
        TEST(pools_that_give_more_sets_give_more_descriptors),
    };
    return cmocka_run_group_tests_name("track_layout", tests, NULL, NULL);
}
