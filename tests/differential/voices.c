/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential/standard.h"
#include "differential/voices.h"
#include "limited_driver/limited_driver.h"

/* ---- Opening and closing ---- */

enum voice_name voice_of(const struct diff_case *one)
{
    return (enum voice_name)((one->gpu_form ? VOICE_GPU_FORM : 0) | (one->shader_fallback ? VOICE_SHADER_FALLBACK : 0) |
                             (one->incomplete ? VOICE_INCOMPLETE : 0));
}

static void set_or_not(const char *name, const char *value, bool wanted)
{
    if (wanted)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static void open_voice(struct voices *voices, enum voice_name name)
{
    struct voice *voice = &voices->voice[name];
    bool native = name == VOICE_NATIVE;
    const bool gl = !native && !voices->standard;
    struct harness_vulkan_params params = {.layers = native ? "none" : voices->layers,
                                           .gl_sampler = gl,
                                           .gl_image_view = gl,
                                           .non_seamless_cube = !gl,
                                           .filter_cubic = !gl,
                                           .border_color_swizzle = !gl && !native,
                                           .sampling_features = true,
                                           .linking = native ? HARNESS_MONOLITHIC : voices->linking,
                                           .sets = native ? HARNESS_SETS_PLAIN : voices->sets};
    setenv("VK_CLAMPLER_GL_SAMPLER_FORM", name & VOICE_GPU_FORM ? "gpu" : "cpu", 1);
    set_or_not("VK_CLAMPLER_GL_SAMPLER_LINEAR_FALLBACK", "shader", name & VOICE_SHADER_FALLBACK);
    set_or_not("VK_CLAMPLER_GL_SAMPLER_INTEGER_LINEAR", "incomplete", name & VOICE_INCOMPLETE);
    set_or_not("VK_CLAMPLER_GL_SAMPLER_OFFER", "missing", voices->standard);
    harness_vulkan_open(&voice->vk, &params);
    if (voices->standard && !native && !voice->vk.counters)
        harness_fail("the layer offers nothing: this device lacks nothing of it");
    lookup_vulkan_open(&voice->lookups, &voice->vk, (struct lookup_grid){CASE_GRID, CASE_GRID});
    voice->open = true;
}

/* A profile may hide what says so; the driver alone, without layers, tells then. */
static void read_driver_info(struct voices *voices)
{
    const struct harness_vulkan *vk = &voices->voice[0].vk;
    if (vk->properties.apiVersion < VK_API_VERSION_1_2) {
        open_voice(voices, VOICE_NATIVE);
        vk = &voices->voice[VOICE_NATIVE].vk;
    }
    harness_driver_info(vk, voices->driver_info, sizeof(voices->driver_info));
}

/*
 * Heaps are hidden where a setting acts on programs that know nothing of the layer, and descriptors with numbers of
 * records would be larger than Vulkan allows (docs/limits.md). Asked for on a device of its own, of any sets.
 */
static bool fallback_hides_sets(const struct voices *voices)
{
    if (!harness_sets_are_heaps(voices->sets))
        return false;
    struct harness_vulkan vk;
    setenv("VK_CLAMPLER_GL_SAMPLER_LINEAR_FALLBACK", "shader", 1);
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = voices->layers});
    unsetenv("VK_CLAMPLER_GL_SAMPLER_LINEAR_FALLBACK");
    const bool hides = !harness_has_extension(&vk, VK_EXT_DESCRIPTOR_HEAP_EXTENSION_NAME);
    harness_vulkan_close(&vk);
    return hides;
}

/* What the layer's device has that is not the driver's. */
static void read_offers(struct voices *voices)
{
    const char *below = strcmp(voices->profile, "full") == 0 ? "none" : "limited";
    struct facts driver;
    struct harness_vulkan vk;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = below, .sampling_features = true});
    facts_read(&driver, &vk);
    harness_vulkan_close(&vk);
    standard_read_offers(&voices->facts, &driver);
}

void voices_open(struct voices *voices, const char *profile, bool standard, enum harness_linking linking,
                 enum harness_sets sets, bool validation)
{
    bool full = strcmp(profile, "full") == 0;
    *voices = (struct voices){.profile = profile, .standard = standard, .linking = linking, .sets = sets};
    voices->layers = full         ? validation ? "clampler:validation" : "clampler"
                     : validation ? "clampler:validation:limited"
                                  : "clampler:limited";
    if (!full)
        setenv("LIMITED_DRIVER_PROFILE", profile, 1);
    open_voice(voices, (enum voice_name)0);
    facts_read(&voices->facts, &voices->voice[0].vk);
    voices->facts.views = voices->voice[0].vk.gl_image_view;
    if (standard)
        read_offers(voices);
    voices->facts.fallback_hides_sets = fallback_hides_sets(voices);
    read_driver_info(voices);
    voices->has_gl = harness_gl_open(&voices->gl, voices->no_gl, sizeof(voices->no_gl));
    if (voices->has_gl)
        lookup_gl_open(&voices->lookups_gl, &voices->gl, (struct lookup_grid){CASE_GRID, CASE_GRID});
}

static void destroy_crowd(struct voice *voice)
{
    for (uint32_t i = 0; i < CASE_CROWD && voice->crowded; i++)
        vkDestroySampler(voice->vk.device, voice->crowd[i], NULL);
    voice->crowded = false;
}

static void destroy_texture(struct voices *voices, struct voice_texture *texture)
{
    for (int i = 0; i < VOICES; i++)
        if (texture->uploaded[i])
            harness_image_destroy(&voices->voice[i].vk, &texture->image[i]);
    if (voices->has_gl)
        for (uint32_t i = 0; i < texture->gl_count; i++)
            glDeleteTextures(1, &texture->gl[i].name);
    lookup_reference_close(&texture->reference);
    free(texture->texels);
    free(texture);
}

void voices_close(struct voices *voices)
{
    for (size_t i = 0; i < voices->texture_count; i++)
        destroy_texture(voices, voices->textures[i]);
    free(voices->textures);
    if (voices->has_gl) {
        lookup_gl_close(&voices->lookups_gl);
        /*
         * llvmpipe of Mesa 22.3 frees memory twice in eglDestroyContext after thousands of shader variants (backtrace:
         * all in swrast_dri.so); the process ends soon, so its context is left to that.
         */
        if (!voices->gl.mesa_software)
            harness_gl_close(&voices->gl);
    }
    for (int i = 0; i < VOICES; i++) {
        if (!voices->voice[i].open)
            continue;
        destroy_crowd(&voices->voice[i]);
        mark_free(&voices->voice[i].mark);
        lookup_vulkan_close(&voices->voice[i].lookups);
        harness_vulkan_close(&voices->voice[i].vk);
    }
}

uint32_t voices_violations(const struct voices *voices)
{
    struct limited_driver_violation list[8];
    uint32_t total = 0;
    if (strcmp(voices->profile, "full") == 0)
        return 0;
    for (int i = 0; i < VOICE_NATIVE; i++) {
        if (!voices->voice[i].open)
            continue;
        VkDevice device = voices->voice[i].vk.device;
        PFN_limitedDriverGetViolations get =
            (PFN_limitedDriverGetViolations)vkGetDeviceProcAddr(device, "vkGetViolationsLIMITED");
        if (!get)
            harness_fail("the limited driver is not loaded: profile %s was not tested", voices->profile);
        uint32_t count = get(device, 8, list);
        for (uint32_t v = 0; v < count && v < 8; v++)
            printf("violation: %s\n", list[v].text);
        total += count;
    }
    return total;
}

/* ---- Textures ---- */

static uint32_t scrambled(uint32_t x)
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

static void fill_texel(const struct case_texture *about, uint32_t index, uint32_t level, uint8_t *texel)
{
    const float color[4] = {0.9f - 0.1f * (float)level, 0, 0, 1};
    if (about->contents == CONTENTS_LEVELS)
        memcpy(texel, color, sizeof(color));
    else
        format_fill(about->format, scrambled(index + level * 7919), level, texel);
}

static struct lookup_texture shape_of(const struct diff_case *one)
{
    const uint32_t *size = one->texture.size;
    const int axes = case_axes(one);
    uint32_t layers = 1;
    if (one->lookup.dimension == LOOKUP_1D_ARRAY || one->lookup.dimension == LOOKUP_2D_ARRAY)
        layers = size[2];
    if (case_is_cube(one))
        layers = one->lookup.dimension == LOOKUP_CUBE_ARRAY ? 6 * size[2] : 6;
    return (struct lookup_texture){.dimension = one->lookup.dimension,
                                   .format = one->texture.format,
                                   .width = size[0],
                                   .height = case_is_cube(one) ? size[0]
                                             : axes > 1        ? size[1]
                                                               : 1,
                                   .depth = axes > 2 ? size[2] : 1,
                                   .layers = layers,
                                   .levels = case_level_count(one),
                                   .bordered = one->texture.border != 0};
}

static struct voice_texture *create_texture(const struct diff_case *one)
{
    struct voice_texture *texture = harness_alloc(1, sizeof(*texture));
    *texture =
        (struct voice_texture){.dimension = one->lookup.dimension, .about = one->texture, .texture = shape_of(one)};
    const size_t texel_size = lookup_texel_size(one->texture.format);
    uint8_t *texels = harness_alloc(lookup_texture_size(&texture->texture), 1);
    size_t index = 0;
    for (uint32_t level = 0; level < texture->texture.levels; level++) {
        struct lookup_texture until = texture->texture;
        until.levels = level + 1;
        for (size_t end = lookup_texture_size(&until) / texel_size; index < end; index++)
            fill_texel(&one->texture, (uint32_t)index, level, texels + index * texel_size);
    }
    texture->texels = texels;
    texture->texture.texels = texels;
    lookup_reference_open(&texture->reference, &texture->texture);
    return texture;
}

struct voice_texture *voices_texture(struct voices *voices, const struct diff_case *one)
{
    for (size_t i = 0; i < voices->texture_count; i++) {
        struct voice_texture *texture = voices->textures[i];
        if (texture->dimension == one->lookup.dimension &&
            memcmp(&texture->about, &one->texture, sizeof(one->texture)) == 0)
            return texture;
    }
    struct voice_texture **grown = realloc(voices->textures, (voices->texture_count + 1) * sizeof(*grown));
    if (!grown)
        harness_fail("out of memory for %zu textures", voices->texture_count + 1);
    voices->textures = grown;
    grown[voices->texture_count] = create_texture(one);
    return grown[voices->texture_count++];
}

/* ---- Drawing ---- */

/* More samplers with colours of their own than some drivers take, each bound with a texture. */
static void arrange_crowd(struct voice *voice, VkImageView view, bool wanted)
{
    if (voice->crowded == wanted)
        return;
    destroy_crowd(voice);
    for (uint32_t i = 0; i < CASE_CROWD && wanted; i++) {
        VkSamplerGLStateCreateInfoCLAMPLER state = {.wrapS = GL_CLAMP_TO_BORDER,
                                                    .minFilter = GL_LINEAR,
                                                    .maxLod = 1000,
                                                    .borderColor = {.float32 = {(float)(i + 1) / 64, 0.3f, 0.2f, 1}}};
        const struct lookup_border border = {.color = state.borderColor};
        voice->crowd[i] = voice->vk.gl_sampler ? lookup_vulkan_sampler(&voice->vk, &state, LOOKUP_SAMPLER_GL, false)
                                               : lookup_vulkan_standard_sampler(&voice->vk, &state, &border, false);
        lookup_vulkan_write_spare(&voice->lookups, view, voice->crowd[i]);
    }
    voice->crowded = wanted;
}

static struct harness_image *image_of(struct voices *voices, enum voice_name name, const struct diff_case *one)
{
    struct voice_texture *texture = voices_texture(voices, one);
    if (!texture->uploaded[name] && one->texture.border) {
        const struct lookup_texture margined = lookup_margined(&texture->texture, one->texture.border);
        lookup_vulkan_image(&voices->voice[name].vk, &texture->image[name], &margined);
        free((void *)(uintptr_t)margined.texels);
    } else if (!texture->uploaded[name]) {
        lookup_vulkan_image(&voices->voice[name].vk, &texture->image[name], &texture->texture);
    }
    texture->uploaded[name] = true;
    return &texture->image[name];
}

/* The same behind `first` more levels, whose texels are all alike. */
static void create_deep(struct harness_vulkan *vk, const struct lookup_texture *texture, uint32_t first,
                        struct harness_image *image)
{
    const bool planar = texture->dimension != LOOKUP_1D && texture->dimension != LOOKUP_1D_ARRAY,
               solid = texture->dimension == LOOKUP_3D;
    struct lookup_texture deep = *texture;
    deep.width <<= first;
    deep.height <<= planar ? first : 0;
    deep.depth <<= solid ? first : 0;
    deep.levels += first;
    const size_t all = lookup_texture_size(&deep), own = lookup_texture_size(texture);
    uint8_t *texels = harness_alloc(all, 1);
    memset(texels, 0x5a, all - own);
    memcpy(texels + all - own, texture->texels, own);
    deep.texels = texels;
    lookup_vulkan_image(vk, image, &deep);
    free(texels);
}

bool voices_have_mark(const struct voices *voices)
{
    return voices->sets == HARNESS_SETS_AFTER_BIND || voices->sets >= HARNESS_SETS_DESCRIPTOR_BUFFER;
}

struct tier_range voices_tiers(struct voices *voices, const struct diff_case *one)
{
    struct mark *mark = &voices->voice[voice_of(one)].mark;
    if (!voices_have_mark(voices))
        return facts_tiers(&voices->facts, one);
    return voices->raises ? (struct tier_range){2, 2} : mark_tiers(mark, &voices->facts, one);
}

static VkSampler sampler_of(struct voices *voices, enum voice_name name, const struct diff_case *one)
{
    struct voice *voice = &voices->voice[name];
    const bool native = name == VOICE_NATIVE;
    const bool unnormalized = one->lookup.dimension == LOOKUP_RECTANGLE && !(one->viewed && !native);
    if (!native && one->form == LOOKUP_SAMPLER_STANDARD) {
        const struct lookup_border border = standard_border(&voices->facts, one);
        return lookup_vulkan_standard_sampler(&voice->vk, &one->state, &border, unnormalized);
    }
    return lookup_vulkan_sampler(&voice->vk, &one->state, native ? LOOKUP_SAMPLER_NAIVE : one->form, unnormalized);
}

static VkImageView view_of(struct voice *voice, const struct diff_case *one, const struct harness_image *image,
                           bool viewed)
{
    if (viewed && one->form == LOOKUP_SAMPLER_STANDARD)
        return lookup_vulkan_mapped_view(&voice->vk, image, standard_mapping(one), one->view.stencilSampling,
                                         one->view_first, one->view_least);
    const struct lookup_texture shape = shape_of(one);
    const VkImageViewGLTextureStateCreateInfoCLAMPLER texture = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER,
        .incomplete = one->texture_incomplete,
        .borderWidth = one->texture.border,
        .compareFailValue = one->compare_fail,
        .extent = {shape.width, shape.height, shape.depth}};
    const bool stated = viewed && (one->texture_incomplete || one->compare_fail > 0 || one->texture.border);
    return lookup_vulkan_view(&voice->vk, image, viewed ? &one->view : NULL, stated ? &texture : NULL, one->view_first,
                              one->view_least);
}

void voices_draw_vulkan(struct voices *voices, enum voice_name name, const struct diff_case *one, float *rgba,
                        uint64_t draws[4])
{
    struct voice *voice = &voices->voice[name];
    if (!voice->open)
        open_voice(voices, name);
    const struct harness_image *image = image_of(voices, name, one);
    bool viewed = one->viewed && name != VOICE_NATIVE;
    if (name != VOICE_NATIVE) {
        if (voices->raises && !voice->mark.raised)
            lookup_vulkan_raise_mark(&voice->lookups);
        voice->mark.raised = voices->raises;
        mark_take(&voice->mark, one);
        arrange_crowd(voice, image->view, one->crowded);
        lookup_vulkan_set_beside_filter(&voice->lookups, one->beside_filter);
    }
    VkSampler sampler = sampler_of(voices, name, one);
    /* What a program does without the layer: a view of the format that is not decoded. */
    const bool undecoded = name == VOICE_NATIVE && format_of(one->texture.format)->srgb &&
                           one->state.srgbDecode == GL_SKIP_DECODE_EXT && one->lookup.operation != LOOKUP_FETCH;
    const bool own_view = viewed || one->view_first || one->view_least > 0;
    struct harness_image deep;
    if (one->view_first)
        create_deep(&voice->vk, &voices_texture(voices, one)->texture, one->view_first, &deep);
    VkImageView view = own_view    ? view_of(voice, one, one->view_first ? &deep : image, viewed)
                       : undecoded ? lookup_vulkan_undecoded(&voice->vk, image)
                                   : image->view;
    struct clampler_counters before = harness_counters(&voice->vk);
    lookup_vulkan_run(&voice->lookups, &one->lookup, view, sampler, voices->inputs, rgba);
    struct clampler_counters after = harness_counters(&voice->vk);
    vkDestroySampler(voice->vk.device, sampler, NULL);
    if (view != image->view)
        vkDestroyImageView(voice->vk.device, view, NULL);
    if (one->view_first)
        harness_image_destroy(&voice->vk, &deep);
    for (int i = 0; i < 3 && draws; i++)
        draws[i] = after.draws[i] - before.draws[i];
    if (draws)
        draws[3] = after.draws_texels - before.draws_texels;
}

/* ---- OpenGL ---- */

/* Once for each target and format: an OpenGL that has no such textures, or a mistake of this suite. */
static void note_refusal(struct voices *voices, GLenum target, GLenum internal_format, GLenum error)
{
    for (uint32_t i = 0; i < voices->refusal_count; i++)
        if (voices->refusals[i].target == target && voices->refusals[i].internal_format == internal_format)
            return;
    if (voices->refusal_count == VOICES_REFUSALS)
        harness_fail("OpenGL refuses more than %d kinds of textures", VOICES_REFUSALS);
    voices->refusals[voices->refusal_count].target = target;
    voices->refusals[voices->refusal_count++].internal_format = internal_format;
    printf("OpenGL refuses textures of format 0x%04x for target 0x%04x (error 0x%04x): the reference sampler alone "
           "decides\n",
           internal_format, target, error);
}

/* 0: OpenGL refuses such a texture. */
static GLuint gl_texture_of(struct voices *voices, const struct diff_case *one)
{
    struct voice_texture *texture = voices_texture(voices, one);
    const GLenum base = format_is_depth(one->texture.format) ? 0 : case_base(one);
    for (uint32_t i = 0; i < texture->gl_count; i++)
        if (texture->gl[i].base == base)
            return texture->gl[i].name;
    if (texture->gl_count == VOICES_BASES)
        harness_fail("a texture in more than %d base formats", VOICES_BASES);
    GLenum error;
    const GLuint name = lookup_gl_try_image(&voices->gl, &texture->texture, base, &error);
    if (!name)
        note_refusal(voices, lookup_gl_target(one->lookup.dimension),
                     lookup_gl_internal_format(one->texture.format, base), error);
    texture->gl[texture->gl_count].base = base;
    texture->gl[texture->gl_count].name = name;
    return texture->gl[texture->gl_count++].name;
}

/* What Vulkan has in the view, OpenGL has in the texture. */
static void set_gl_view(const struct diff_case *one)
{
    static const GLint identity[4] = {GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA};
    const VkImageViewGLStateCreateInfoCLAMPLER *view = &one->view;
    const GLenum target = lookup_gl_target(one->lookup.dimension);
    bool swizzled = view->swizzle[0] | view->swizzle[1] | view->swizzle[2] | view->swizzle[3];
    for (GLenum c = 0; c < 4; c++)
        glTexParameteri(target, GL_TEXTURE_SWIZZLE_R + c, swizzled ? (GLint)view->swizzle[c] : identity[c]);
    if (!format_is_depth(one->texture.format))
        return;
    glTexParameteri(target, GL_DEPTH_TEXTURE_MODE, view->depthMode ? (GLint)view->depthMode : GL_RED);
    if (one->texture.format == LOOKUP_DEPTH32F_STENCIL8)
        glTexParameteri(target, GL_DEPTH_STENCIL_TEXTURE_MODE,
                        view->stencilSampling ? GL_STENCIL_INDEX : GL_DEPTH_COMPONENT);
}

#define MISSING_LEVEL 20 /* which no texture of the suite has */

void voices_draw_gl(struct voices *voices, const struct diff_case *one, float *rgba)
{
    static const enum harness_gl_border borders[] = {[REFERENCE_FLOAT] = HARNESS_GL_BORDER_FLOAT,
                                                     [REFERENCE_INT] = HARNESS_GL_BORDER_INT,
                                                     [REFERENCE_UINT] = HARNESS_GL_BORDER_UINT,
                                                     [REFERENCE_DEPTH_UNORM] = HARNESS_GL_BORDER_FLOAT,
                                                     [REFERENCE_DEPTH_FLOAT] = HARNESS_GL_BORDER_FLOAT};
    const VkSamplerGLStateCreateInfoCLAMPLER state = facts_effective(&voices->facts, one);
    const GLuint texture = gl_texture_of(voices, one);
    GLuint sampler = harness_gl_sampler(&voices->gl, &state, borders[case_kind(one)]);
    voices->gl.ActiveTexture(GL_TEXTURE0);
    glTexEnvf(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, state.unitLodBias);
    if (state.cubeMapSeamless)
        glEnable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
    else
        glDisable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
    glBindTexture(lookup_gl_target(one->lookup.dimension), texture);
    set_gl_view(one);
    glTexParameteri(lookup_gl_target(one->lookup.dimension), GL_TEXTURE_BASE_LEVEL,
                    one->texture_incomplete ? MISSING_LEVEL : 0);
    harness_gl_check("setting a texture's parameters");
    lookup_gl_run(&voices->lookups_gl, &one->lookup, texture, sampler, voices->inputs, rgba);
    voices->gl.DeleteSamplers(1, &sampler);
}

/* ---- The reference sampler ---- */

static void fill_incomplete(const struct diff_case *one, struct reference_result *results)
{
    const union reference_color one_float = {.f = {1}};
    const uint32_t alpha = case_is_integer(one) ? 1 : one_float.u[0];
    union reference_color color = {.u = {0, 0, 0, alpha}};
    for (int c = 0; c < 4 && case_gathers(one); c++)
        color.u[c] = one->lookup.component == 3 && !case_compares(one) ? alpha : 0;
    for (size_t i = 0; i < VOICES_VALUES; i++)
        results[i] = (struct reference_result){.rgba = color, .low = color, .high = color};
}

void voices_reference(struct voices *voices, const struct diff_case *one, const struct reference_precision *precision,
                      struct reference_result *results)
{
    VkSamplerGLStateCreateInfoCLAMPLER state = facts_effective(&voices->facts, one);
    if (facts_incomplete(one) || one->texture_incomplete) {
        fill_incomplete(one, results);
        return;
    }
    if (!facts_probes(&voices->facts, one))
        state.maxAnisotropy = 1;
    struct lookup_reference *reference = &voices_texture(voices, one)->reference;
    reference->most_bias = voices->facts.most_bias;
    reference->texture.least_level = one->view_least;
    reference->texture.compare_fail = one->compare_fail;
    lookup_reference_run(reference, &one->lookup, &state, one->viewed ? &one->view : NULL,
                         (struct lookup_grid){CASE_GRID, CASE_GRID}, voices->inputs, precision, results);
}

/* ---- Witnesses ---- */

static bool gl_has_format(const struct harness_gl *gl, const struct diff_case *one)
{
    const struct format *format = format_of(one->texture.format);
    if (format->class == FORMAT_COMPRESSED && one->texture.format != LOOKUP_BC4 && !gl->s3tc)
        return false;
    return lookup_gl_internal_format(one->texture.format, case_base(one)) != 0;
}

/*
 * OpenGL drivers may strip borders (Mesa's StripTextureBorder): a lookup that shows nothing but border texels and their
 * neighbours tells, once. Its values are judged as the others are.
 */
static bool gl_has_borders(struct voices *voices, const struct diff_case *one)
{
    if (voices->gl_borders == BORDERS_UNKNOWN) {
        struct diff_case probe = *one;
        struct reference_result *expected = harness_alloc(VOICES_VALUES, sizeof(*expected));
        float *drawn = harness_alloc(VOICES_VALUES, 4 * sizeof(*drawn));
        uint32_t off = 0;
        probe.texture = (struct case_texture){LOOKUP_RGBA8, CONTENTS_SCRAMBLED, {16, 8, 1}, 1, 1};
        probe.lookup = (struct lookup){.dimension = LOOKUP_2D, .operation = LOOKUP_LOD};
        probe.view = (VkImageViewGLStateCreateInfoCLAMPLER){0};
        probe.state = (VkSamplerGLStateCreateInfoCLAMPLER){.wrapS = GL_CLAMP_TO_BORDER,
                                                           .wrapT = GL_CLAMP_TO_BORDER,
                                                           .minFilter = GL_NEAREST,
                                                           .magFilter = GL_NEAREST,
                                                           .maxLod = 1000};
        probe.pattern = (struct case_pattern){.kind = PATTERN_SWEEP};
        case_inputs(&probe, voices->inputs);
        voices_draw_gl(voices, &probe, drawn);
        voices_reference(voices, &probe, NULL, expected);
        for (size_t i = 0; i < VOICES_VALUES; i++) {
            union reference_color value;
            memcpy(value.f, drawn + i * 4, sizeof(value.f));
            off += !reference_accepts(&expected[i], REFERENCE_FLOAT, &value, 0.001f, 15);
        }
        case_inputs(one, voices->inputs);
        voices->gl_borders = off ? BORDERS_STRIPPED : BORDERS_SHOWN;
        printf("OpenGL %s border texels (%u of %d values differ)%s\n", off ? "does not show" : "shows", off,
               (int)VOICES_VALUES, off ? ": the reference sampler alone decides" : "");
        free(expected);
        free(drawn);
    }
    return voices->gl_borders == BORDERS_SHOWN;
}

bool voices_gl_is_witness(struct voices *voices, const struct diff_case *one)
{
    const struct harness_gl *gl = &voices->gl;
    const VkSamplerGLStateCreateInfoCLAMPLER *state = &one->state;
    if (!voices->has_gl || !gl_has_format(gl, one) || one->view_least > 0 || one->compare_fail > 0 ||
        case_is_cubic(one))
        return false;
    if (one->texture.border && !gl_has_borders(voices, one))
        return false;
    if (case_mirrors(one) && !gl->mirror_clamp)
        return false;
    if (lookup_has_min_lod(one->lookup.operation) && !gl->min_lod)
        return false;
    if ((state->reductionMode && !gl->reduction) || (state->srgbDecode && !gl->srgb_decode))
        return false;
    if (gl->lod_bias < voices->facts.most_bias && fabsf(state->lodBias + state->unitLodBias) + 1 > gl->lod_bias)
        return false;
    /* Section 8.14.1 leaves such a range undefined; the layer swaps the two. */
    if (state->minLod > state->maxLod)
        return false;
    /* OpenGL has no form of anisotropic filters: drivers' own are other ones than the layer's. */
    return (state->maxAnisotropy <= 1 || (gl->anisotropy && !facts_probes(&voices->facts, one))) &&
           gl_texture_of(voices, one) != 0;
}

bool voices_reference_is_witness(const struct voices *voices, const struct diff_case *one)
{
    return one->state.maxAnisotropy <= 1 || facts_probes(&voices->facts, one);
}
