#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential/voices.h"
#include "limited_driver/limited_driver.h"

/* ---- Opening and closing ---- */

static void open_voice(struct voices *voices, enum voice_name name, const char *layers)
{
    struct voice *voice = &voices->voice[name];
    bool native = name == VOICE_NATIVE;
    setenv("VK_CLAMPLER_GL_SAMPLER_FORM", name == VOICE_GPU_FORM ? "gpu" : "cpu", 1);
    harness_vulkan_open(&voice->vk, &(struct harness_vulkan_params){
                                        .layers = layers, .gl_sampler = !native, .sampling_features = true});
    lookup_vulkan_open(&voice->lookups, &voice->vk, (struct lookup_grid){CASE_GRID, CASE_GRID});
    voice->open = true;
}

/* A profile may hide what says so; the driver alone, without layers, tells then. */
static void read_driver_info(struct voices *voices)
{
    VkPhysicalDeviceDriverProperties driver = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &driver};
    const struct harness_vulkan *vk = &voices->voice[VOICE_CPU_FORM].vk;
    if (vk->properties.apiVersion < VK_API_VERSION_1_2) {
        open_voice(voices, VOICE_NATIVE, "none");
        vk = &voices->voice[VOICE_NATIVE].vk;
    }
    if (vk->properties.apiVersion >= VK_API_VERSION_1_2)
        vkGetPhysicalDeviceProperties2(vk->physical, &properties);
    snprintf(voices->driver_info, sizeof voices->driver_info, "%s", driver.driverInfo);
}

void voices_open(struct voices *voices, const char *profile, bool validation)
{
    bool full = strcmp(profile, "full") == 0;
    *voices = (struct voices){.profile = profile};
    voices->layers = full         ? validation ? "clampler:validation" : "clampler"
                     : validation ? "clampler:validation:limited"
                                  : "clampler:limited";
    if (!full)
        setenv("LIMITED_DRIVER_PROFILE", profile, 1);
    open_voice(voices, VOICE_CPU_FORM, voices->layers);
    open_voice(voices, VOICE_GPU_FORM, voices->layers);
    facts_read(&voices->facts, &voices->voice[VOICE_CPU_FORM].vk);
    read_driver_info(voices);
    voices->has_gl = harness_gl_open(&voices->gl, voices->no_gl, sizeof voices->no_gl);
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
        glDeleteTextures(1, &texture->gl);
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
    for (int i = VOICE_CPU_FORM; i <= VOICE_GPU_FORM; i++) {
        VkDevice device = voices->voice[i].vk.device;
        PFN_limitedDriverGetViolations get =
            (PFN_limitedDriverGetViolations)vkGetDeviceProcAddr(device, "limitedDriverGetViolations");
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
    uint32_t random = scrambled(index + level * 7919);
    float depth = (float)(13 + random % 41) / 64.0f; /* exact, as compare values are: equality can be asked for */
    float color[4] = {0.9f - 0.1f * (float)level, 0, 0, 1};
    uint16_t depth16 = (uint16_t)(depth * 65535.0f);
    switch (about->format) {
    case LOOKUP_RGBA8:
    case LOOKUP_RGBA8UI:
        for (uint32_t c = 0; c < 4; c++)
            texel[c] = (uint8_t)(70 + 12 * (level % 5) + ((random >> (8 * c)) & 63));
        break;
    case LOOKUP_RGBA32F:
        for (uint32_t c = 0; c < 4 && about->contents == CONTENTS_SCRAMBLED; c++)
            color[c] = 0.25f + 0.05f * (float)(level % 5) + (float)((random >> (8 * c)) & 255) / 1024.0f;
        memcpy(texel, color, sizeof color);
        break;
    case LOOKUP_DEPTH32F:
        memcpy(texel, &depth, sizeof depth);
        break;
    case LOOKUP_DEPTH16:
        memcpy(texel, &depth16, sizeof depth16);
        break;
    }
}

static struct lookup_texture shape_of(const struct diff_case *one)
{
    const uint32_t *size = one->texture.size;
    int axes = case_axes(one);
    bool array = one->lookup.dimension == LOOKUP_1D_ARRAY || one->lookup.dimension == LOOKUP_2D_ARRAY;
    return (struct lookup_texture){.dimension = one->lookup.dimension,
                                   .format = one->texture.format,
                                   .width = size[0],
                                   .height = axes > 1 ? size[1] : 1,
                                   .depth = axes > 2 ? size[2] : 1,
                                   .layers = array ? size[2] : 1,
                                   .levels = case_level_count(one)};
}

static struct voice_texture *create_texture(struct voices *voices, const struct diff_case *one)
{
    struct voice_texture *texture = harness_alloc(1, sizeof *texture);
    *texture =
        (struct voice_texture){.dimension = one->lookup.dimension, .about = one->texture, .texture = shape_of(one)};
    size_t texel_size = lookup_texel_size(one->texture.format), count = lookup_texel_count(&texture->texture);
    uint8_t *texels = harness_alloc(count, texel_size);
    size_t index = 0;
    for (uint32_t level = 0; level < texture->texture.levels; level++) {
        struct lookup_texture until = texture->texture;
        until.levels = level + 1;
        for (size_t end = lookup_texel_count(&until); index < end; index++)
            fill_texel(&one->texture, (uint32_t)index, level, texels + index * texel_size);
    }
    texture->texels = texels;
    texture->texture.texels = texels;
    if (voices->has_gl)
        texture->gl = lookup_gl_image(&voices->gl, &texture->texture, 0);
    lookup_reference_open(&texture->reference, &texture->texture);
    return texture;
}

struct voice_texture *voices_texture(struct voices *voices, const struct diff_case *one)
{
    for (size_t i = 0; i < voices->texture_count; i++) {
        struct voice_texture *texture = voices->textures[i];
        if (texture->dimension == one->lookup.dimension &&
            memcmp(&texture->about, &one->texture, sizeof one->texture) == 0)
            return texture;
    }
    struct voice_texture **grown = realloc(voices->textures, (voices->texture_count + 1) * sizeof *grown);
    if (!grown)
        harness_fail("out of memory for %zu textures", voices->texture_count + 1);
    voices->textures = grown;
    grown[voices->texture_count] = create_texture(voices, one);
    return grown[voices->texture_count++];
}

/* ---- Drawing ---- */

/* More samplers with colours of their own than some drivers take. */
static void arrange_crowd(struct voice *voice, bool wanted)
{
    if (voice->crowded == wanted)
        return;
    destroy_crowd(voice);
    for (uint32_t i = 0; i < CASE_CROWD && wanted; i++) {
        VkSamplerGLStateCreateInfoCLAMPLER state = {.wrapS = GL_CLAMP_TO_BORDER,
                                                    .minFilter = GL_LINEAR,
                                                    .maxLod = 1000,
                                                    .borderColor = {.float32 = {(float)(i + 1) / 64, 0.3f, 0.2f, 1}}};
        voice->crowd[i] = lookup_vulkan_sampler(&voice->vk, &state, LOOKUP_SAMPLER_GL, false);
    }
    voice->crowded = wanted;
}

void voices_draw_vulkan(struct voices *voices, enum voice_name name, const struct diff_case *one, float *rgba,
                        uint64_t draws[3])
{
    struct voice *voice = &voices->voice[name];
    struct voice_texture *texture = voices_texture(voices, one);
    if (!voice->open)
        open_voice(voices, name, "none");
    if (!texture->uploaded[name])
        lookup_vulkan_image(&voice->vk, &texture->image[name], &texture->texture);
    texture->uploaded[name] = true;
    if (name != VOICE_NATIVE)
        arrange_crowd(voice, one->crowded);
    VkSampler sampler =
        lookup_vulkan_sampler(&voice->vk, &one->state, name == VOICE_NATIVE ? LOOKUP_SAMPLER_NAIVE : one->form,
                              one->lookup.dimension == LOOKUP_RECTANGLE);
    struct clampler_counters before = harness_counters(&voice->vk);
    lookup_vulkan_run(&voice->lookups, &one->lookup, texture->image[name].view, sampler, voices->inputs, rgba);
    struct clampler_counters after = harness_counters(&voice->vk);
    vkDestroySampler(voice->vk.device, sampler, NULL);
    for (int i = 0; i < 3 && draws; i++)
        draws[i] = after.draws[i] - before.draws[i];
}

void voices_draw_gl(struct voices *voices, const struct diff_case *one, float *rgba)
{
    GLuint sampler = harness_gl_sampler(&voices->gl, &one->state, HARNESS_GL_BORDER_FLOAT);
    voices->gl.ActiveTexture(GL_TEXTURE0);
    glTexEnvf(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, one->state.unitLodBias);
    lookup_gl_run(&voices->lookups_gl, &one->lookup, voices_texture(voices, one)->gl, sampler, voices->inputs, rgba);
    voices->gl.DeleteSamplers(1, &sampler);
}

void voices_reference(struct voices *voices, const struct diff_case *one, const struct reference_precision *precision,
                      struct reference_result *results)
{
    VkSamplerGLStateCreateInfoCLAMPLER state = one->state;
    if (one->texture.format == LOOKUP_RGBA8 || one->texture.format == LOOKUP_DEPTH16)
        for (int c = 0; c < 4; c++) {
            float value = state.borderColor.float32[c];
            state.borderColor.float32[c] = value < 0 ? 0 : value > 1 ? 1 : value;
        }
    lookup_reference_run(&voices_texture(voices, one)->reference, &one->lookup, &state, NULL,
                         (struct lookup_grid){CASE_GRID, CASE_GRID}, voices->inputs, precision, results);
}

/* ---- Witnesses ---- */

bool voices_gl_is_witness(const struct voices *voices, const struct diff_case *one)
{
    if (!voices->has_gl)
        return false;
    if (case_mirrors(one) && !voices->gl.mirror_clamp)
        return false;
    /* Section 8.14.1 leaves such a range undefined; the layer swaps the two. */
    if (one->state.minLod > one->state.maxLod)
        return false;
    return one->state.maxAnisotropy <= 1 || voices->gl.anisotropy;
}

bool voices_reference_is_witness(const struct diff_case *one)
{
    return one->state.maxAnisotropy <= 1 && one->lookup.dimension != LOOKUP_CUBE;
}
