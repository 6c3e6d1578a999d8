/* SPDX-License-Identifier: MIT */
#include "chaos/apart.h"
#include "harness/lookups/lookup.h"
#include "harness/lookups/lookup_reference.h"

enum { SIDE = 4, GRID = 8, PIXELS = GRID * GRID, NEVER = 0x0200, FUNCTIONS = 8 };

static VkSamplerGLStateCreateInfoCLAMPLER choose_state(struct dice *dice)
{
    static const uint32_t wraps[] = {GL_REPEAT, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_BORDER, GL_CLAMP};
    const uint32_t filter = dice_one_in(dice, 2) ? GL_LINEAR : GL_NEAREST;
    return (VkSamplerGLStateCreateInfoCLAMPLER){.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                .wrapS = wraps[dice_below(dice, 4)],
                                                .wrapT = wraps[dice_below(dice, 4)],
                                                .minFilter = filter,
                                                .magFilter = filter,
                                                .maxLod = 1000,
                                                .compareMode = GL_COMPARE_REF_TO_TEXTURE,
                                                .compareFunc = NEVER + dice_below(dice, FUNCTIONS),
                                                .borderColor.float32[0] = (float)dice_below(dice, 9) / 8};
}

/* Coordinates and values on quarters of texels and sixteenths, which no rounding of hardware's moves. */
static void choose_inputs(struct lookup_input inputs[PIXELS], struct dice *dice)
{
    for (unsigned i = 0; i < PIXELS; i++)
        inputs[i] = (struct lookup_input){.p = {((float)dice_below(dice, 32) + 0.5f) / 16 - 0.5f,
                                                ((float)dice_below(dice, 32) + 0.5f) / 16 - 0.5f, 0, 0},
                                          .extra = {0, ((float)dice_below(dice, 16) + 0.5f) / 16}};
}

static void look_up(struct harness_vulkan *vk, const struct lookup_texture *texture, const struct lookup *lookup,
                    const VkSamplerGLStateCreateInfoCLAMPLER *state,
                    const VkImageViewGLTextureStateCreateInfoCLAMPLER *given, const struct lookup_input *inputs,
                    float *found)
{
    const VkImageViewGLStateCreateInfoCLAMPLER gl = {0};
    struct lookup_vulkan lookups;
    struct harness_image image;
    lookup_vulkan_open(&lookups, vk, (struct lookup_grid){GRID, GRID});
    lookup_vulkan_image(vk, &image, texture);
    VkImageView view = lookup_vulkan_view(vk, &image, &gl, given, 0, 0);
    VkSampler sampler = lookup_vulkan_sampler(vk, state, LOOKUP_SAMPLER_GL, false);
    lookup_vulkan_run(&lookups, lookup, view, sampler, inputs, found);
    vkDestroySampler(vk->device, sampler, NULL);
    vkDestroyImageView(vk->device, view, NULL);
    harness_image_destroy(vk, &image);
    lookup_vulkan_close(&lookups);
}

bool apart_compare(struct actor *actor, struct dice *dice)
{
    struct device *device = actor->device;
    float texels[SIDE * SIDE], found[PIXELS * 4];
    struct lookup_input inputs[PIXELS];
    struct lookup_reference reference;
    struct reference_result results[PIXELS];
    for (unsigned i = 0; i < SIDE * SIDE; i++)
        texels[i] = (float)dice_below(dice, 17) / 16;
    const struct lookup_texture texture = {.dimension = LOOKUP_2D,
                                           .format = LOOKUP_DEPTH32F,
                                           .width = SIDE,
                                           .height = SIDE,
                                           .levels = 1,
                                           .texels = texels};
    const struct lookup lookup = {.dimension = LOOKUP_2D,
                                  .operation = LOOKUP_LOD,
                                  .kind = LOOKUP_SHADOW,
                                  .stage = dice_one_in(dice, 2) ? LOOKUP_COMPUTE : LOOKUP_FRAGMENT,
                                  .separate = dice_one_in(dice, 2)};
    const VkSamplerGLStateCreateInfoCLAMPLER state = choose_state(dice);
    const VkImageViewGLTextureStateCreateInfoCLAMPLER given = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER,
        .incomplete = dice_one_in(dice, 8),
        .compareFailValue = (float)dice_below(dice, 9) / 8};
    choose_inputs(inputs, dice);
    if (!device->texture_states || !lookup_exists(&lookup))
        return false;
    pthread_mutex_lock(&device->queue);
    look_up(&device->vk, &texture, &lookup, &state, &given, inputs, found);
    pthread_mutex_unlock(&device->queue);
    lookup_reference_open(&reference, &texture);
    reference.texture.compare_fail = given.compareFailValue;
    lookup_reference_run(&reference, &lookup, &state, NULL, (struct lookup_grid){GRID, GRID}, inputs, NULL, results);
    lookup_reference_close(&reference);
    for (unsigned i = 0; i < PIXELS; i++) {
        const union reference_color seen = {.f = {found[i * 4]}};
        const bool right =
            given.incomplete ? seen.f[0] == 0 : reference_accepts(&results[i], REFERENCE_FLOAT, &seen, 1.0f / 128, 1);
        if (!right)
            chaos_fail(
                actor,
                "%scomparison %x by filter %x, wraps %x %x, of %g with a border of %g and a fail value of %g at %g "
                "%g gives %g, not %g to %g",
                given.incomplete ? "incomplete: " : "", state.compareFunc, state.minFilter, state.wrapS, state.wrapT,
                (double)inputs[i].extra[1], (double)state.borderColor.float32[0], (double)given.compareFailValue,
                (double)inputs[i].p[0], (double)inputs[i].p[1], (double)seen.f[0], (double)results[i].low.f[0],
                (double)results[i].high.f[0]);
    }
    actor->judged_comparisons++;
    return true;
}
