/* SPDX-License-Identifier: MIT */
/* Samplers and views: OpenGL's state in the extension's structures, or in Vulkan's own words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "vulkan_voice.h"

static VkClearColorValue border_of(const struct lookup *l)
{
    VkClearColorValue border;
    for (int i = 0; i < 4; i++) {
        const int32_t integer = (int32_t)lrintf(l->sampler.border[i]);
        if (l->type == SAMPLE_FLOAT)
            border.float32[i] = l->sampler.border[i];
        else
            border.int32[i] = l->type == SAMPLE_UINT && integer < 0 ? 0 : integer;
    }
    return border;
}

static VkSampler gl_sampler(struct voice_device *d, const struct lookup *l)
{
    const struct sampler_state *s = &l->sampler;
    const VkSamplerGLStateCreateInfoCLAMPLER state = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                      .wrapS = s->wrap[0],
                                                      .wrapT = s->wrap[1],
                                                      .wrapR = s->wrap[2],
                                                      .minFilter = s->min_filter,
                                                      .magFilter = s->mag_filter,
                                                      .minLod = s->min_lod,
                                                      .maxLod = s->max_lod,
                                                      .lodBias = s->bias,
                                                      .unitLodBias = l->unit_bias,
                                                      .compareMode = s->compare_mode,
                                                      .compareFunc = s->compare_func,
                                                      .borderColor = border_of(l),
                                                      .cubeMapSeamless = s->seamless,
                                                      .srgbDecode = s->decode};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &state};
    return harness_sampler(&d->vk, &info);
}

static VkSamplerAddressMode mode_of(uint32_t wrap)
{
    switch (wrap) {
    case GL_CLAMP:
        return VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER;
    case GL_MIRROR_CLAMP_EXT:
        return VK_SAMPLER_ADDRESS_MODE_GL_MIRROR_CLAMP_CLAMPLER;
    case GL_MIRROR_CLAMP_TO_BORDER_EXT:
        return VK_SAMPLER_ADDRESS_MODE_GL_MIRROR_CLAMP_TO_BORDER_CLAMPLER;
    case GL_CLAMP_TO_EDGE:
        return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    case GL_CLAMP_TO_BORDER:
        return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    case GL_MIRRORED_REPEAT:
        return VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT;
    case GL_MIRROR_CLAMP_TO_EDGE:
        return VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE;
    default:
        return VK_SAMPLER_ADDRESS_MODE_REPEAT;
    }
}

/*
 * Does Vulkan define what this border looks like? It does not clamp colours to formats, nor take them through swizzles
 * and base formats.
 */
static bool plain_border(const struct lookup *l)
{
    const struct texture_state *t = l->texture;
    const struct format *f = t->format;
    if ((f->base != GL_RED && f->base != GL_RG && f->base != GL_RGBA && !f->depth) || f->ordered || f->srgb ||
        (f->vulkan_channels && f->channels != f->vulkan_channels) || f->depth || t->swizzle[0] != GL_RED ||
        t->swizzle[1] != GL_GREEN || t->swizzle[2] != GL_BLUE || t->swizzle[3] != GL_ALPHA)
        return false;
    for (int i = 0; i < 4; i++)
        if (l->type == SAMPLE_FLOAT && f->step > 0 && (l->sampler.border[i] < 0 || l->sampler.border[i] > 1))
            return false;
    return true;
}

/* Can Vulkan's own members say it? Borders only as custom colours, other cubes only with the extension for them. */
bool voice_can_say(const struct voice_device *d, const struct lookup *l)
{
    const struct sampler_state *s = &l->sampler;
    const bool cube = l->texture->target == RANDOM_CUBE || l->texture->target == RANDOM_CUBE_ARRAY;
    if (l->incomplete || l->texture->border)
        return false;
    if (l->texture->target == RANDOM_RECTANGLE || (cube && !s->seamless && !d->non_seamless) ||
        (l->texture->format->srgb && s->decode == GL_SKIP_DECODE_EXT))
        return false;
    for (int i = 0; i < 3; i++)
        if (s->wrap[i] != GL_REPEAT && s->wrap[i] != GL_CLAMP_TO_EDGE && s->wrap[i] != GL_MIRRORED_REPEAT &&
            s->wrap[i] != GL_MIRROR_CLAMP_TO_EDGE && (!d->custom_border || !plain_border(l)))
            return false;
    return true;
}

/* With what the layer offers: custom border colours and cubes that are not seamless. */
bool vulkan_voice_offers(const struct lookup *lookup)
{
    const struct voice_device offered = {.custom_border = true, .non_seamless = true};
    return voice_can_say(&offered, lookup);
}

static VkCompareOp compare_of(uint32_t function)
{
    return (VkCompareOp)(function - GL_NEVER); /* both count in one order */
}

static VkSampler plain_sampler(struct voice_device *d, const struct lookup *l)
{
    const struct sampler_state *s = &l->sampler;
    const bool cube = l->texture->target == RANDOM_CUBE || l->texture->target == RANDOM_CUBE_ARRAY;
    const bool levels = s->min_filter != GL_NEAREST && s->min_filter != GL_LINEAR;
    const bool linear = s->min_filter == GL_LINEAR || s->min_filter == GL_LINEAR_MIPMAP_NEAREST ||
                        s->min_filter == GL_LINEAR_MIPMAP_LINEAR;
    const bool between = s->min_filter == GL_NEAREST_MIPMAP_LINEAR || s->min_filter == GL_LINEAR_MIPMAP_LINEAR;
    bool border = false;
    for (int i = 0; i < 3; i++)
        border |= s->wrap[i] == GL_CLAMP || s->wrap[i] == GL_CLAMP_TO_BORDER || s->wrap[i] == GL_MIRROR_CLAMP_EXT ||
                  s->wrap[i] == GL_MIRROR_CLAMP_TO_BORDER_EXT;
    const VkSamplerCustomBorderColorCreateInfoEXT colour = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT, .customBorderColor = border_of(l)};
    /* Filters of the base level alone: levels up to a quarter, which are rounded to none, but minify. */
    const float least = s->min_lod < 0 ? 0 : s->min_lod;
    const VkSamplerCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .pNext = border ? &colour : NULL,
        .flags = cube && !s->seamless ? (VkFlags)VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT : 0,
        .magFilter = s->mag_filter == GL_LINEAR ? VK_FILTER_LINEAR : VK_FILTER_NEAREST,
        .minFilter = linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST,
        .mipmapMode = between ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST,
        .addressModeU = mode_of(s->wrap[0]),
        .addressModeV = mode_of(s->wrap[1]),
        .addressModeW = mode_of(s->wrap[2]),
        .mipLodBias = s->bias + l->unit_bias,
        .compareEnable = l->shadow,
        .compareOp = l->shadow ? compare_of(s->compare_func) : VK_COMPARE_OP_NEVER,
        .minLod = levels ? least : fminf(least, 0.25f),
        .maxLod = levels ? fmaxf(s->max_lod, least) : fminf(fmaxf(s->max_lod, 0), 0.25f),
        .borderColor = !border                   ? VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK
                       : l->type == SAMPLE_FLOAT ? VK_BORDER_COLOR_FLOAT_CUSTOM_EXT
                                                 : VK_BORDER_COLOR_INT_CUSTOM_EXT};
    return harness_sampler(&d->vk, &info);
}

VkSampler voice_sampler(struct voice_device *d, const struct lookup *l)
{
    for (const struct voice_sampler *s = d->samplers; s; s = s->next)
        if (memcmp(&s->state, &l->sampler, sizeof(s->state)) == 0 && s->unit_bias == l->unit_bias && s->type == l->type)
            return s->sampler;
    struct voice_sampler *made = harness_alloc(1, sizeof(*made));
    *made = (struct voice_sampler){.next = d->samplers, .unit_bias = l->unit_bias, .type = l->type};
    memcpy(&made->state, &l->sampler, sizeof(made->state));
    const bool plain = d->manner.through != THROUGH_GL && voice_can_say(d, l);
    if (!plain && (d->native || d->standard))
        harness_fail("a sampler that Vulkan has no words for");
    made->sampler = plain ? plain_sampler(d, l) : gl_sampler(d, l);
    /* Others are found by their state alone: those of Vulkan's words say something of the texture as well. */
    if (plain)
        made->unit_bias = NAN;
    for (uint32_t i = 0; i < VOICE_SETS && i < d->gone_count; i++)
        if (d->gone[i] == made->sampler && !d->native) {
            voice_counts.samplers_again++;
            break;
        }
    voice_keep(d, KEPT_SAMPLER, (uint64_t)made->sampler, 0);
    d->samplers = made;
    return made->sampler;
}

VkSampler voice_nearest_sampler(struct voice_device *d, const struct lookup *l)
{
    struct lookup plain = *l;
    plain.sampler = (struct sampler_state){.wrap = {GL_CLAMP_TO_EDGE, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_EDGE},
                                           .min_filter = GL_NEAREST_MIPMAP_NEAREST,
                                           .mag_filter = GL_NEAREST,
                                           .compare_mode = l->shadow ? l->sampler.compare_mode : GL_NONE,
                                           .compare_func = l->sampler.compare_func,
                                           .decode = GL_DECODE_EXT,
                                           .max_lod = 1000,
                                           .seamless = true};
    plain.unit_bias = 0;
    return voice_sampler(d, &plain);
}

static VkComponentSwizzle swizzle_of(uint32_t token)
{
    switch (token) {
    case GL_RED:
        return VK_COMPONENT_SWIZZLE_R;
    case GL_GREEN:
        return VK_COMPONENT_SWIZZLE_G;
    case GL_BLUE:
        return VK_COMPONENT_SWIZZLE_B;
    case GL_ALPHA:
        return VK_COMPONENT_SWIZZLE_A;
    case GL_ZERO:
        return VK_COMPONENT_SWIZZLE_ZERO;
    default:
        return VK_COMPONENT_SWIZZLE_ONE;
    }
}

static uint32_t target_token(enum random_target target)
{
    static const uint32_t targets[RANDOM_TARGETS] = {GL_TEXTURE_1D,
                                                     GL_TEXTURE_2D,
                                                     GL_TEXTURE_3D,
                                                     GL_TEXTURE_CUBE_MAP,
                                                     GL_TEXTURE_1D_ARRAY,
                                                     GL_TEXTURE_2D_ARRAY,
                                                     GL_TEXTURE_CUBE_MAP_ARRAY,
                                                     GL_TEXTURE_RECTANGLE,
                                                     GL_TEXTURE_BUFFER};
    return targets[target];
}

/* The swizzle of a view of stencil as section 8.23.1 has it, by the depth mode: issue 13 of the extension. */
static void say_depth_mode(uint32_t depth_mode, uint32_t swizzle[4])
{
    static const struct {
        uint32_t mode, said[4];
    } modes[] = {{GL_LUMINANCE, {GL_RED, GL_RED, GL_RED, GL_ONE}},
                 {GL_INTENSITY, {GL_RED, GL_RED, GL_RED, GL_RED}},
                 {GL_ALPHA, {GL_ZERO, GL_ZERO, GL_ZERO, GL_RED}}};
    for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
        for (int c = 0; modes[i].mode == depth_mode && c < 4; c++) {
            if (swizzle[c] != GL_ZERO && swizzle[c] != GL_ONE)
                swizzle[c] = modes[i].said[swizzle[c] - GL_RED];
        }
    }
}

/* A view with OpenGL's state chained, or with what of it Vulkan has. */
static VkImageView make_view(struct voice_device *d, VkImageViewCreateInfo *info, const struct texture_state *t,
                             uint32_t target, bool swizzled, bool incomplete)
{
    uint32_t swizzle[4] = {t->swizzle[0], t->swizzle[1], t->swizzle[2], t->swizzle[3]};
    if (t->stencil && !random_drawable.stencil_red)
        say_depth_mode(t->depth_mode, swizzle);
    const bool zeros = swizzled && !swizzle[0] && !swizzle[1] && !swizzle[2] && !swizzle[3];
    const VkImageViewGLTextureStateCreateInfoCLAMPLER texture = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER,
        .incomplete = incomplete,
        .borderWidth = t->border,
        .extent = {(uint32_t)t->width, (uint32_t)t->height, (uint32_t)t->depth}};
    VkImageViewGLStateCreateInfoCLAMPLER state = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
                                                  .pNext = incomplete || t->border ? &texture : NULL,
                                                  .target = target,
                                                  .internalFormat = t->format->internal,
                                                  .baseFormat =
                                                      t->version % 2 && !t->format->depth ? t->format->base : 0,
                                                  .depthMode = t->depth_mode,
                                                  .stencilSampling = t->stencil};
    const VkImageViewGLChannelOrderCreateInfoCLAMPLER order = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_CHANNEL_ORDER_CREATE_INFO_CLAMPLER,
        .pNext = &state,
        .channels = t->format->order};
    VkComponentMapping *c = &info->components;
    if (swizzled) {
        memcpy(state.swizzle, swizzle, sizeof(state.swizzle));
        if (d->native || d->standard || zeros)
            *c = (VkComponentMapping){swizzle_of(swizzle[0]), swizzle_of(swizzle[1]), swizzle_of(swizzle[2]),
                                      swizzle_of(swizzle[3])};
    }
    if (!d->native && !d->standard)
        info->pNext = t->format->ordered ? (const void *)&order : &state;
    VkImageView view;
    HARNESS_VK(vkCreateImageView(d->vk.device, info, NULL, &view));
    harness_known_view(&d->vk, view, info);
    for (uint32_t i = 0; i < VOICE_SETS && i < d->gone_view_count; i++)
        if (d->gone_views[i] == view && !d->native) {
            voice_counts.views_at_handle++;
            break;
        }
    voice_keep(d, KEPT_VIEW, (uint64_t)view, 0);
    return view;
}

VkImageView voice_view(struct voice_device *d, const struct lookup *l)
{
    static const VkImageViewType types[RANDOM_TARGETS] = {
        VK_IMAGE_VIEW_TYPE_1D,         VK_IMAGE_VIEW_TYPE_2D,       VK_IMAGE_VIEW_TYPE_3D,
        VK_IMAGE_VIEW_TYPE_CUBE,       VK_IMAGE_VIEW_TYPE_1D_ARRAY, VK_IMAGE_VIEW_TYPE_2D_ARRAY,
        VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, VK_IMAGE_VIEW_TYPE_2D,       VK_IMAGE_VIEW_TYPE_2D};
    const struct texture_state *t = l->texture;
    struct voice_texture *own = &d->textures[l->texture_slot];
    if (own->view && own->version == t->version && own->incomplete == l->incomplete)
        return own->view;
    voice_counts.views_again += own->view && !d->native;
    const VkImageAspectFlags aspect = !t->format->depth ? VK_IMAGE_ASPECT_COLOR_BIT
                                      : t->stencil      ? VK_IMAGE_ASPECT_STENCIL_BIT
                                                        : VK_IMAGE_ASPECT_DEPTH_BIT;
    VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = own->image,
        .viewType = types[t->target],
        .format = t->format->vulkan,
        .subresourceRange = {aspect, (uint32_t)t->base, (uint32_t)texture_levels(t), 0, (uint32_t)texture_faces(t)}};
    own->view = make_view(d, &info, t, target_token(t->target), true, l->incomplete);
    own->version = t->version;
    own->incomplete = l->incomplete;
    return own->view;
}

VkImageView voice_attachment_view(struct voice_device *d, const struct attachment_state *a)
{
    const struct texture_state *t = &d->machine.textures[a->texture];
    VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = d->textures[a->texture].image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = t->format->vulkan,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, (uint32_t)a->level, 1, (uint32_t)a->layer, 1}};
    return make_view(d, &info, t, 0, false, false);
}

VkBufferView voice_buffer_view(struct voice_device *d, int slot)
{
    const struct texture_state *t = &d->machine.textures[slot];
    struct voice_texture *own = &d->textures[slot];
    if (own->buffer_view)
        return own->buffer_view;
    const VkBufferViewGLStateCreateInfoCLAMPLER state = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, .internalFormat = t->format->internal};
    const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                         .pNext = d->native || d->standard ? NULL : &state,
                                         .buffer = own->buffer.buffer,
                                         .format = t->format->vulkan,
                                         .range = VK_WHOLE_SIZE};
    HARNESS_VK(vkCreateBufferView(d->vk.device, &info, NULL, &own->buffer_view));
    voice_keep(d, KEPT_BUFFER_VIEW, (uint64_t)own->buffer_view, 0);
    return own->buffer_view;
}
