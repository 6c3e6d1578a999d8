/* SPDX-License-Identifier: MIT */
#include "chaos/objects.h"

#include <math.h>
#include <string.h>

#include "chaos/model.h"
#include "chaos/palette.h"

/* ---- Places ---- */

static const unsigned places[OBJECT_KINDS] = {
    [OBJECT_SAMPLER] = SAMPLERS, [OBJECT_VIEW] = VIEWS,         [OBJECT_TEXEL_VIEW] = TEXEL_VIEWS,
    [OBJECT_LAYOUT] = LAYOUTS,   [OBJECT_TEMPLATE] = TEMPLATES, [OBJECT_PIPELINE] = PIPELINES};

unsigned object_places(enum object_kind kind)
{
    return places[kind];
}

struct life *object_life(struct store *store, enum object_kind kind, unsigned place)
{
    switch (kind) {
    case OBJECT_SAMPLER:
        return &store->samplers[place].life;
    case OBJECT_VIEW:
        return &store->views[place].life;
    case OBJECT_TEXEL_VIEW:
        return &store->texel_views[place].life;
    case OBJECT_LAYOUT:
        return &store->layouts[place].life;
    case OBJECT_TEMPLATE:
        return &store->templates[place].life;
    default:
        return &store->pipelines[place].life;
    }
}

/* ---- Samplers ---- */

static void choose_border(VkSamplerGLStateCreateInfoCLAMPLER *state, enum mood mood, struct dice *dice)
{
    const bool white = dice_one_in(dice, 2);
    for (unsigned c = 0; c < 4; c++)
        state->borderColor.float32[c] = mood == MOOD_WILD ? (float)dice_below(dice, 65) / 64.0f : white ? 1 : 0;
}

/*
 * Vulkan's sampler that means the same, of a state in the first mood; of any other that has no wraps of GL's alone
 * where the device has the extensions for it, which are chained by then.
 */
static VkSamplerCreateInfo plain_info(const VkSamplerGLStateCreateInfoCLAMPLER *state, bool custom)
{
    const bool cubic = state->magFilter == REFERENCE_CUBIC;
    const uint32_t wraps[3] = {state->wrapS, state->wrapT, state->wrapR};
    VkSamplerAddressMode modes[3];
    for (unsigned i = 0; i < 3; i++)
        modes[i] = wraps[i] == GL_REPEAT                     ? VK_SAMPLER_ADDRESS_MODE_REPEAT
                   : wraps[i] == GL_CLAMP_TO_EDGE            ? VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE
                   : wraps[i] == GL_CLAMP_TO_BORDER          ? VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER
                   : wraps[i] == GL_MIRROR_CLAMP_TO_EDGE_EXT ? VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE
                                                             : VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT;
    const VkFilter mag = cubic                           ? VK_FILTER_CUBIC_EXT
                         : state->magFilter == GL_LINEAR ? VK_FILTER_LINEAR
                                                         : VK_FILTER_NEAREST;
    const VkFilter min = cubic ? VK_FILTER_CUBIC_EXT
                         : state->minFilter == GL_LINEAR || state->minFilter == GL_LINEAR_MIPMAP_NEAREST ||
                                 state->minFilter == GL_LINEAR_MIPMAP_LINEAR
                             ? VK_FILTER_LINEAR
                             : VK_FILTER_NEAREST;
    const bool between = state->minFilter == GL_LINEAR_MIPMAP_LINEAR || state->minFilter == GL_NEAREST_MIPMAP_LINEAR;
    const bool levels =
        between || state->minFilter == GL_LINEAR_MIPMAP_NEAREST || state->minFilter == GL_NEAREST_MIPMAP_NEAREST;
    return (VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                 .magFilter = mag,
                                 .minFilter = min,
                                 .mipmapMode = between ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                 .addressModeU = modes[0],
                                 .addressModeV = modes[1],
                                 .addressModeW = modes[2],
                                 .anisotropyEnable = state->maxAnisotropy > 1,
                                 .maxAnisotropy = state->maxAnisotropy,
                                 .borderColor = custom ? VK_BORDER_COLOR_FLOAT_CUSTOM_EXT
                                                       : VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK,
                                 .maxLod = levels ? 1000 : 0.25f};
}

void object_make_sampler(struct device *device, struct sampler *sampler, enum mood mood, struct dice *dice)
{
    VkSamplerGLStateCreateInfoCLAMPLER *state = &sampler->state;
    mood = !device->gl ? MOOD_CALM : device->mild && mood == MOOD_WILD ? MOOD_COORDINATES : mood;
    *state = device->palette.samplers[mood];
    if (dice_one_in(dice, 128) && !device->mild)
        palette_choose_state(device, state, mood, dice);
    choose_border(state, mood, dice);
    sampler->mood = mood;
    sampler->offered = false;
    sampler->gl = (mood != MOOD_CALM || dice_one_in(dice, 2)) && device->gl;
    if (!device->filters_all && !sampler->gl) { /* Vulkan's samplers may not filter what the driver cannot */
        state->magFilter = GL_NEAREST;
        state->minFilter = GL_NEAREST_MIPMAP_NEAREST;
    }
    const VkSamplerCreateInfo info = object_sampler_info(sampler);
    HARNESS_VK(vkCreateSampler(device->vk.device, &info, NULL, &sampler->handle));
}

VkSamplerCreateInfo object_sampler_info(const struct sampler *sampler)
{
    if (sampler->gl)
        return (VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &sampler->state};
    VkSamplerCreateInfo info = plain_info(&sampler->state, sampler->offered);
    info.pNext = sampler->offered ? &sampler->border : NULL;
    return info;
}

/* In Vulkan's words, of extensions that the layer offers; such samplers may not be immutable. */
static void make_offered_sampler(struct device *device, struct sampler *sampler, struct dice *dice)
{
    const float color = (float)dice_below(dice, 65) / 64.0f;
    sampler->state = device->palette.offered;
    sampler->mood = MOOD_WILD;
    sampler->gl = false;
    sampler->offered = true;
    for (unsigned c = 0; c < 4; c++)
        sampler->state.borderColor.float32[c] = color;
    sampler->reduction = (VkSamplerReductionModeCreateInfo){
        .sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
        .reductionMode = sampler->state.reductionMode == GL_MIN   ? VK_SAMPLER_REDUCTION_MODE_MIN
                         : sampler->state.reductionMode == GL_MAX ? VK_SAMPLER_REDUCTION_MODE_MAX
                                                                  : VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE};
    sampler->border = (VkSamplerCustomBorderColorCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
        .pNext = sampler->state.reductionMode ? &sampler->reduction : NULL,
        .customBorderColor = sampler->state.borderColor};
    const VkSamplerCreateInfo info = object_sampler_info(sampler);
    HARNESS_VK(vkCreateSampler(device->vk.device, &info, NULL, &sampler->handle));
}

/* ---- Views ---- */

/* By dice of their own: what came before does what it did. */
static void choose_levels(const struct device *device, struct view *view, struct dice aside)
{
    static const uint8_t firsts[] = {1, 1, 2};
    static const float least[] = {0.25f, 0.5f, 1, 1.25f};
    view->first = (uint8_t)(device->first_levels && dice_one_in(&aside, 2) ? firsts[dice_below(&aside, 3)] : 0);
    view->least = (VkImageViewMinLodCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT,
        .minLod = device->least_levels && dice_one_in(&aside, 2)
                      ? fminf((float)view->first + least[dice_below(&aside, 4)], IMAGE_LEVELS - 1)
                      : 0};
}

/* What is not the texels': likewise. Images that have a margin are only seen without it. */
static void choose_texture_state(const struct device *device, struct view *view, struct dice aside)
{
    const uint32_t margin = device->textures[view->image].margin, size = 4u >> view->first;
    const bool incomplete = device->texture_states && dice_one_in(&aside, 12);
    view->stated = incomplete || margin;
    view->texture = (VkImageViewGLTextureStateCreateInfoCLAMPLER){
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER,
        .pNext = view->gl ? &view->state : NULL,
        .incomplete = incomplete,
        .borderWidth = margin,
        .extent = {size, size, 1}};
    view->least.pNext = view->stated ? (const void *)&view->texture : view->texture.pNext;
}

static void make_view(struct device *device, struct view *view, struct dice *dice)
{
    view->image = (uint8_t)dice_below(dice, IMAGES);
    const struct palette *palette = &device->palette;
    const unsigned kind = palette->formats[0] == palette->formats[1] ? dice_below(dice, 2) : view->image % 2u;
    view->gl = palette->views[kind].gl;
    view->state =
        (VkImageViewGLStateCreateInfoCLAMPLER){.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
                                               .baseFormat = palette->views[kind].base_format,
                                               .depthMode = palette->views[kind].depth_mode};
    memcpy(view->state.swizzle, palette->views[kind].swizzle, sizeof(view->state.swizzle));
    choose_levels(device, view, dice_of(dice->state));
    choose_texture_state(device, view, dice_of(~dice->state));
    const VkImageViewCreateInfo info = object_view_info(device, view);
    HARNESS_VK(vkCreateImageView(device->vk.device, &info, NULL, &view->handle));
}

VkImageViewCreateInfo object_view_info(const struct device *device, const struct view *view)
{
    VkImageViewCreateInfo info = harness_image_view_info(&device->textures[view->image].image);
    info.pNext = view->least.minLod > 0 ? (const void *)&view->least : view->least.pNext;
    info.subresourceRange.baseMipLevel = view->first;
    info.subresourceRange.levelCount -= view->first;
    return info;
}

const void *object_texel_chain(const struct texel_view *view, VkBufferViewGLStateCreateInfoCLAMPLER *state)
{
    *state =
        (VkBufferViewGLStateCreateInfoCLAMPLER){.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
                                                .baseFormat = texel_formats[view->kind].base_format};
    return state->baseFormat ? state : NULL;
}

static void make_texel_view(struct device *device, struct texel_view *view, struct dice *dice)
{
    do
        view->kind = (uint8_t)dice_below(dice, TEXEL_FORMATS);
    while (texel_formats[view->kind].emulated && (!device->buffer_views || device->mild));
    const struct texel_format *format = &texel_formats[view->kind];
    const uint32_t alignment = (uint32_t)device->vk.properties.limits.minTexelBufferOffsetAlignment;
    view->offset = dice_below(dice, 128 / alignment + 1) * alignment;
    view->count = 20 + dice_below(dice, 4);
    VkBufferViewGLStateCreateInfoCLAMPLER state;
    const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                         .pNext = object_texel_chain(view, &state),
                                         .buffer = device->texels.buffer,
                                         .format = format->vulkan,
                                         .offset = view->offset,
                                         .range = (VkDeviceSize)view->count * format->size};
    HARNESS_VK(vkCreateBufferView(device->vk.device, &info, NULL, &view->handle));
}

/* ---- Layouts ---- */

struct key object_choose_key(const struct device *device, unsigned set, struct dice *dice)
{
    const bool has[FLAVOURS] = {true, device->partial, device->after_bind, device->push && set, device->mutable_types};
    struct key key = {.shape = (uint8_t)(set ? SHAPE_FIRSTS + 1 + dice_below(dice, SHAPES - SHAPE_FIRSTS - 1)
                                             : 1 + dice_below(dice, SHAPE_FIRSTS))};
    if (dice_one_in(dice, 2))
        do
            key.flavour = (uint8_t)dice_below(dice, FLAVOURS);
        while (!has[key.flavour]);
    if (key.flavour == FLAVOUR_MUTABLE && key.shape != SHAPE_MIXED && key.shape != SHAPE_SEPARATE)
        key.flavour = FLAVOUR_PLAIN;
    if (key.shape == SHAPE_IMMUTABLE)
        key.group = (uint8_t)dice_below(dice, IMMUTABLE_GROUPS);
    return key;
}

uint32_t object_unwritable(struct key key)
{
    const struct shape *shape = shape_of(key.shape);
    uint32_t bits = 0, element;
    for (unsigned i = 0; i < shape->descriptor_count; i++) {
        const struct shape_binding *binding = shape_binding_of(shape, i, &element);
        bits |= (uint32_t)(binding->immutable && binding->type == VK_DESCRIPTOR_TYPE_SAMPLER) << i;
    }
    return bits;
}

bool object_is_mutable(struct key key, const struct shape_binding *binding)
{
    return key.flavour == FLAVOUR_MUTABLE && (binding->type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE ||
                                              binding->type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER);
}

VkDescriptorSetLayout object_new_layout(struct device *device, struct key key)
{
    static const VkDescriptorType either[] = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                              VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER};
    VkMutableDescriptorTypeListEXT lists[SHAPE_BINDINGS] = {{0, NULL}};
    const struct shape *shape = shape_of(key.shape);
    VkDescriptorSetLayoutBinding bindings[SHAPE_BINDINGS];
    VkDescriptorBindingFlags flags[SHAPE_BINDINGS];
    VkSampler samplers[SHAPE_DESCRIPTORS];
    const bool after = key.flavour == FLAVOUR_AFTER_BIND, partial = after || key.flavour == FLAVOUR_PARTIAL;
    for (unsigned i = 0, first = 0; i < shape->binding_count; first += shape->bindings[i++].count) {
        const struct shape_binding *binding = &shape->bindings[i];
        for (unsigned j = 0; j < binding->count && binding->immutable; j++)
            samplers[first + j] = device->immutable[key.group][first + j].handle;
        const bool mutable = object_is_mutable(key, binding);
        if (mutable)
            lists[i] = (VkMutableDescriptorTypeListEXT){2, either};
        bindings[i] = (VkDescriptorSetLayoutBinding){
            binding->number, mutable ? VK_DESCRIPTOR_TYPE_MUTABLE_EXT : binding->type, binding->count,
            VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, binding->immutable ? &samplers[first] : NULL};
        flags[i] = (after ? (VkFlags)VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT : 0) |
                   (partial ? (VkFlags)VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT : 0) |
                   (partial && device->pending ? (VkFlags)VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT : 0) |
                   (partial && binding->varies && device->variable
                        ? (VkFlags)VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT
                        : 0);
    }
    const VkMutableDescriptorTypeCreateInfoEXT mutables = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = shape->binding_count,
        .pMutableDescriptorTypeLists = lists};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo with_flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = shape->binding_count,
        .pBindingFlags = flags};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = key.flavour == FLAVOUR_MUTABLE ? (const void *)&mutables
                 : partial                      ? (const void *)&with_flags
                                                : NULL,
        .flags =
            (key.flavour == FLAVOUR_BUFFER ? (VkFlags)VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT : 0) |
            (after ? (VkFlags)VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT : 0) |
            (key.flavour == FLAVOUR_PUSH ? (VkFlags)VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR : 0),
        .bindingCount = shape->binding_count,
        .pBindings = bindings};
    VkDescriptorSetLayout layout;
    HARNESS_VK(vkCreateDescriptorSetLayout(device->vk.device, &info, NULL, &layout));
    return layout;
}

void object_new_pipeline_layout(struct device *device, const struct key keys[2], struct pipeline_layout *layout)
{
    VkDescriptorSetLayout layouts[3] = {object_results_layout(device, keys), VK_NULL_HANDLE, VK_NULL_HANDLE};
    for (unsigned i = 0; i < 2; i++)
        layouts[i + 1] = object_new_layout(device, keys[i]);
    *layout = (struct pipeline_layout){harness_pipeline_layout(&device->vk, layouts, 3, sizeof(struct pushed)),
                                       {keys[0], keys[1]},
                                       {VK_NULL_HANDLE, VK_NULL_HANDLE}};
    for (unsigned i = 0; i < 2; i++) {
        if (device->validated)
            layout->sets[i] = layouts[i + 1];
        else
            vkDestroyDescriptorSetLayout(device->vk.device, layouts[i + 1], NULL);
    }
}

void object_destroy_pipeline_layout(struct device *device, struct pipeline_layout *layout)
{
    vkDestroyPipelineLayout(device->vk.device, layout->handle, NULL);
    for (unsigned i = 0; i < 2; i++)
        vkDestroyDescriptorSetLayout(device->vk.device, layout->sets[i], NULL);
    *layout = (struct pipeline_layout){.handle = VK_NULL_HANDLE};
}

unsigned object_pipeline_layout(struct actor *actor, const struct key keys[2], uint32_t used, struct dice *dice)
{
    struct pipeline_layout *all = actor->pipeline_layouts;
    for (unsigned i = 0; i < PIPELINE_LAYOUTS; i++)
        if (all[i].handle && key_equal(all[i].keys[0], keys[0]) && key_equal(all[i].keys[1], keys[1]))
            return i;
    unsigned place = dice_below(dice, PIPELINE_LAYOUTS);
    while (used >> place & 1)
        place = (place + 1) % PIPELINE_LAYOUTS;
    object_destroy_pipeline_layout(actor->device, &all[place]);
    object_new_pipeline_layout(actor->device, keys, &all[place]);
    return place;
}

static void make_layout(struct device *device, struct set_layout *layout, struct dice *dice)
{
    do
        layout->key = object_choose_key(device, dice_below(dice, 2), dice);
    while (layout->key.flavour == FLAVOUR_PUSH);
    layout->handle = object_new_layout(device, layout->key);
}

/* ---- Templates ---- */

/*
 * Some leave descriptors out. An array is one entry, or one for each descriptor. Immutable samplers may have entries,
 * for which nothing is read; validation layers take those for writes.
 */
static void make_template(struct device *device, struct template *template, struct dice *dice)
{
    VkDescriptorUpdateTemplateEntry entries[SHAPE_DESCRIPTORS];
    uint32_t count = 0;
    do
        template->key = object_choose_key(device, dice_below(dice, 2), dice);
    while (template->key.flavour == FLAVOUR_PUSH || template->key.flavour == FLAVOUR_MUTABLE ||
           template->key.shape == SHAPE_VARIABLE);
    const struct shape *shape = shape_of(template->key.shape);
    const uint32_t unwritable = object_unwritable(template->key),
                   standing = unwritable && !device->validated && dice_below(dice, 2) && device->immutable_entries
                                  ? unwritable
                                  : 0;
    template->skipped = (uint8_t)unwritable;
    if (dice_one_in(dice, 3))
        template->skipped |= (uint8_t)(1u << dice_below(dice, shape->descriptor_count));
    for (unsigned i = 0; i < shape->descriptor_count; i++) {
        uint32_t element;
        const struct shape_binding *binding = shape_binding_of(shape, i, &element);
        if (template->skipped >> i & 1 && !(standing >> i & 1))
            continue;
        VkDescriptorUpdateTemplateEntry *last = count ? &entries[count - 1] : NULL;
        const bool joins = last && element && last->dstBinding == binding->number &&
                           last->dstArrayElement + last->descriptorCount == element && dice_below(dice, 4);
        if (joins)
            last->descriptorCount++;
        else
            entries[count++] = (VkDescriptorUpdateTemplateEntry){binding->number,
                                                                 element,
                                                                 1,
                                                                 binding->type,
                                                                 descriptor_info_offset(binding->type, i),
                                                                 sizeof(struct descriptor_info)};
    }
    const VkDescriptorSetLayout layout = object_new_layout(device, template->key);
    template->handle = harness_template(&device->vk, layout, entries, count);
    template->layout = device->validated ? layout : VK_NULL_HANDLE;
    vkDestroyDescriptorSetLayout(device->vk.device, device->validated ? VK_NULL_HANDLE : layout, NULL);
}

/* ---- All kinds ---- */

static void make_stored_sampler(struct device *device, struct sampler *sampler, enum mood mood, struct dice *dice)
{
    struct dice aside = dice_of(dice->state);
    if (device->offered && mood == MOOD_WILD && dice_one_in(&aside, 2))
        make_offered_sampler(device, sampler, &aside);
    else
        object_make_sampler(device, sampler, mood, dice);
}

static enum mood mood_of_place(unsigned place)
{
    return place < 4 ? MOOD_CALM : place < 7 ? MOOD_COORDINATES : MOOD_WILD;
}

bool object_make(struct device *device, struct store *store, enum object_kind kind, unsigned place, struct dice *dice)
{
    struct life *life = object_life(store, kind, place);
    bool made = true;
    switch (kind) {
    case OBJECT_SAMPLER:
        make_stored_sampler(device, &store->samplers[place], mood_of_place(place), dice);
        break;
    case OBJECT_VIEW:
        make_view(device, &store->views[place], dice);
        break;
    case OBJECT_TEXEL_VIEW:
        make_texel_view(device, &store->texel_views[place], dice);
        break;
    case OBJECT_LAYOUT:
        make_layout(device, &store->layouts[place], dice);
        break;
    case OBJECT_TEMPLATE:
        make_template(device, &store->templates[place], dice);
        break;
    default:
        made = object_make_pipeline(device, &store->pipelines[place], dice);
        break;
    }
    life->lives = made;
    life->generation += made;
    return made;
}

void object_destroy(struct device *device, struct store *store, enum object_kind kind, unsigned place)
{
    const VkDevice handle = device->vk.device;
    switch (kind) {
    case OBJECT_SAMPLER:
        vkDestroySampler(handle, store->samplers[place].handle, NULL);
        break;
    case OBJECT_VIEW:
        vkDestroyImageView(handle, store->views[place].handle, NULL);
        break;
    case OBJECT_TEXEL_VIEW:
        vkDestroyBufferView(handle, store->texel_views[place].handle, NULL);
        break;
    case OBJECT_LAYOUT:
        vkDestroyDescriptorSetLayout(handle, store->layouts[place].handle, NULL);
        break;
    case OBJECT_TEMPLATE:
        vkDestroyDescriptorUpdateTemplate(handle, store->templates[place].handle, NULL);
        vkDestroyDescriptorSetLayout(handle, store->templates[place].layout, NULL);
        break;
    default:
        object_destroy_pipeline(device, &store->pipelines[place]);
        break;
    }
}

/* ---- Choosing ---- */

bool object_choose(struct actor *actor, enum object_kind kind, struct dice *dice, struct ref *ref)
{
    struct store *const stores[2] = {&actor->own, &actor->device->shared};
    const unsigned all = 2 * places[kind], start = dice_below(dice, all);
    for (unsigned i = 0; i < all; i++) {
        const unsigned number = (start + i) % all, place = number / 2;
        const struct life *life = object_life(stores[number % 2], kind, place);
        if (!life->lives)
            continue;
        *ref = (struct ref){(uint8_t)(number % 2), (uint8_t)place, life->generation};
        return true;
    }
    return false;
}

bool object_choose_sampler(struct actor *actor, enum mood mood, struct dice *dice, struct ref *ref)
{
    const bool exact = dice_below(dice, 64);
    for (unsigned tries = 0; tries < 16; tries++)
        if (object_choose(actor, OBJECT_SAMPLER, dice, ref) &&
            (exact ? object_sampler(actor, *ref)->mood == mood : object_sampler(actor, *ref)->mood <= mood))
            return true;
    return object_choose(actor, OBJECT_SAMPLER, dice, ref);
}

static bool lives(const struct life *life, struct ref ref)
{
    return ref.generation && life->lives && life->generation == ref.generation;
}

static const struct store *store_of(const struct actor *actor, struct ref ref)
{
    return ref.shared ? &actor->device->shared : &actor->own;
}

const struct sampler *object_sampler(const struct actor *actor, struct ref ref)
{
    const struct sampler *sampler = &store_of(actor, ref)->samplers[ref.index];
    return lives(&sampler->life, ref) ? sampler : NULL;
}

const struct view *object_view(const struct actor *actor, struct ref ref)
{
    const struct view *view = &store_of(actor, ref)->views[ref.index];
    return lives(&view->life, ref) ? view : NULL;
}

const struct texel_view *object_texel_view(const struct actor *actor, struct ref ref)
{
    const struct texel_view *view = &store_of(actor, ref)->texel_views[ref.index];
    return lives(&view->life, ref) ? view : NULL;
}
