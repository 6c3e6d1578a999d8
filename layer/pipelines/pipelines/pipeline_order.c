/* SPDX-License-Identifier: MIT */
/* Finds the driver's blend state of draws to attachments in other orders of channels, and numbers what variants need.
 */
#include "pipelines/pipeline_order.h"

#include <stdlib.h>
#include <string.h>

#include "attachments/attachments.h"
#include "blend/blend.h"
#include "blend/order.h"
#include "hash.h"
#include "device/structure_chain.h"
#include "newer_vulkan.h"
#include "objects/table.h"
#include "objects/track.h"
#include "pipelines/pipeline_blend.h"
#include "pipelines/pipelines.h"
#include "spirv/outputs.h"

struct order_node {
    struct order_node *next;
    uint32_t key;
    struct order_variant variant;
};

bool order_variants_init(struct order_variants *variants)
{
    return table_init(&variants->by_key) && pthread_mutex_init(&variants->lock, NULL) == 0;
}

void order_variants_finish(struct order_variants *variants)
{
    for (uint32_t i = 0; i < ORDER_BUCKETS; i++) {
        struct order_node *node = atomic_load(&variants->buckets[i]);
        while (node) {
            struct order_node *next = node->next;
            free(node);
            node = next;
        }
    }
    table_finish(&variants->by_key);
    pthread_mutex_destroy(&variants->lock);
}

const struct order_variant *order_variant_find(struct track *track, uint32_t key)
{
    const struct order_node *node = table_find(&track->pipelines->orders.by_key, key);
    return node ? &node->variant : NULL;
}

static const struct order_node *node_find(const struct order_variants *variants, uint32_t bucket,
                                          const struct order_variant *variant)
{
    const struct order_node *node = atomic_load_explicit(&variants->buckets[bucket], memory_order_acquire);
    while (node && memcmp(&node->variant, variant, sizeof(*variant)) != 0)
        node = node->next;
    return node;
}

/* Under the lock. */
static const struct order_node *node_add(struct order_variants *variants, uint32_t bucket,
                                         const struct order_variant *variant)
{
    struct order_node *node = variants->count < KEY_ORDERS ? calloc(1, sizeof(*node)) : NULL;
    if (!node)
        return NULL;
    node->key = KEY_ORDER | variants->count;
    node->variant = *variant;
    node->next = atomic_load_explicit(&variants->buckets[bucket], memory_order_relaxed);
    if (!table_insert(&variants->by_key, node->key, node)) {
        free(node);
        return NULL;
    }
    variants->count++;
    atomic_store_explicit(&variants->buckets[bucket], node, memory_order_release);
    return node;
}

/* `variant` has no padding that differs: it was zeroed first. 0: out of memory. */
static uint32_t key_of(struct track *track, const struct order_variant *variant)
{
    struct order_variants *variants = &track->pipelines->orders;
    const uint64_t hash = hash_words(0, (const uint32_t *)(const void *)variant, sizeof(*variant) / sizeof(uint32_t));
    const uint32_t bucket = (uint32_t)(hash >> 32) % ORDER_BUCKETS;
    const struct order_node *node = node_find(variants, bucket, variant);
    if (!node) {
        pthread_mutex_lock(&variants->lock);
        node = node_find(variants, bucket, variant);
        if (!node)
            node = node_add(variants, bucket, variant);
        pthread_mutex_unlock(&variants->lock);
    }
    return node ? node->key : 0;
}

struct spirv_outputs order_variant_outputs(const struct order_variant *variant)
{
    struct spirv_outputs outputs = {.integers = variant->integers};
    _Static_assert((uint32_t)SPIRV_LOCATIONS == (uint32_t)COLOR_ATTACHMENTS, "a location is an attachment");
    memcpy(outputs.locations, variant->moves, sizeof(outputs.locations));
    memcpy(outputs.inputs, variant->inputs, sizeof(outputs.inputs));
    return outputs;
}

void order_solved_constants(const uint8_t constants[4], const float program[4], float driver[4])
{
    struct order_solution solution = {.state = {.blendEnable = VK_FALSE}};
    memcpy(solution.constants, constants, sizeof(solution.constants));
    order_constants(&solution, program, driver);
}

/* ---- Numbers of outputs and input attachments ---- */

struct order_numbers order_numbers_own(void)
{
    struct order_numbers numbers;
    order_numbers_read(NULL, 0, numbers.locations);
    order_numbers_read(NULL, 0, numbers.inputs);
    return numbers;
}

void order_numbers_read(const uint32_t *numbers, uint32_t count, uint8_t mapped[COLOR_ATTACHMENTS])
{
    for (uint32_t i = 0; i < COLOR_ATTACHMENTS; i++) {
        const uint32_t number = numbers && i < count ? numbers[i] : i;
        mapped[i] = (uint8_t)(number < ORDER_UNMAPPED ? number : ORDER_UNMAPPED);
    }
}

bool order_numbers_chained(const void *chain, struct order_numbers *numbers)
{
    const VkRenderingAttachmentLocationInfoKHR *locations =
        pnext_find(chain, VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR);
    const VkRenderingInputAttachmentIndexInfoKHR *inputs =
        pnext_find(chain, VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR);
    if (locations)
        order_numbers_read(locations->pColorAttachmentLocations, locations->colorAttachmentCount, numbers->locations);
    if (inputs)
        order_numbers_read(inputs->pColorAttachmentInputIndices, inputs->colorAttachmentCount, numbers->inputs);
    return locations || inputs;
}

/* Fills order_variant.inputs, where they are read. NULL, or a reason why that cannot be. */
static const char *read_inputs(const struct order_pass *pass, const struct order_drawing *drawing,
                               uint32_t inputs[SPIRV_INPUTS])
{
    if (!drawing->reads_inputs)
        return NULL;
    memcpy(inputs, pass->inputs, sizeof(pass->inputs));
    for (uint32_t i = 0; pass->local && i < COLOR_ATTACHMENTS; i++) {
        const struct channel_order order = order_of_key(pass->orders[i]);
        const uint8_t index = drawing->numbers.inputs[i];
        if (!(pass->moved >> i & 1) || index == ORDER_UNMAPPED)
            continue;
        if (index >= SPIRV_INPUTS)
            return "an input attachment behind the eighth has its channels in another order";
        inputs[index] = order_input(&order);
    }
    return NULL;
}

/* ---- One attachment ---- */

static bool is_constant(VkBlendFactor factor)
{
    return factor >= VK_BLEND_FACTOR_CONSTANT_COLOR && factor <= VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA;
}

static bool reads_constants(const VkPipelineColorBlendAttachmentState *state)
{
    return state->blendEnable && (is_constant(state->srcColorBlendFactor) || is_constant(state->dstColorBlendFactor) ||
                                  is_constant(state->srcAlphaBlendFactor) || is_constant(state->dstAlphaBlendFactor));
}

/* Attachments whose state reads the blend constants. */
static uint32_t constant_readers(const struct order_pass *pass, const struct order_drawing *drawing)
{
    uint32_t readers = 0;
    for (uint32_t i = 0; i < drawing->count; i++) {
        if ((pass->used >> i & 1) && reads_constants(&drawing->states[i]))
            readers |= 1u << i;
    }
    return readers;
}

static const char *solve_moved(const struct track *track, const struct order_pass *pass,
                               const struct order_drawing *drawing, uint32_t i, struct order_solution *solution)
{
    const struct channel_order order = order_of_key(pass->orders[i]);
    const struct order_draw draw = {
        .format = pass->formats[i],
        .shader = true, /* checked when the variant is made */
        .products = true,
        .second = track->device->caps.blend.dual && pass->used == 1 && drawing->numbers.locations[0] == 0,
        .constants = !(constant_readers(pass, drawing) & ~(1u << i)),
        .logic = drawing->logic,
        .coverage = drawing->coverage && drawing->numbers.locations[i] == 0,
        .one = drawing->one,
    };
    return order_solve(&order, &draw, &drawing->states[i], solution);
}

/* An attachment in its own order, perhaps without alpha. */
static VkPipelineColorBlendAttachmentState solve_own(const struct order_drawing *drawing, uint32_t i)
{
    if (!(drawing->mask >> i & 1))
        return drawing->states[i];
    return blend_state(&drawing->states[i], drawing->keep >> i & 1 ? BLEND_KEPT : BLEND_MASKED, drawing->logic,
                       drawing->negative >> i & 1);
}

/* ---- All attachments ---- */

static bool same_state(const VkPipelineColorBlendAttachmentState *a, const VkPipelineColorBlendAttachmentState *b)
{
    return memcmp(a, b, sizeof(*a)) == 0; /* of nothing but 32-bit members */
}

/* One state for all, where the device has no other way. */
static const char *make_one_state(const struct order_pass *pass, struct order_solved *solved)
{
    uint32_t first = COLOR_ATTACHMENTS;
    for (uint32_t i = 0; i < solved->count; i++) {
        if (!(pass->used >> i & 1))
            continue;
        if (first < COLOR_ATTACHMENTS && !same_state(&solved->states[i], &solved->states[first]))
            return "attachments need different blend states, but the device has no independentBlend";
        first = first < COLOR_ATTACHMENTS ? first : i;
    }
    for (uint32_t i = 0; i < solved->count && first < COLOR_ATTACHMENTS; i++)
        solved->states[i] = solved->states[first];
    return NULL;
}

/* Dynamic parts are set while recording, and are no part of the variant. */
static void forget_dynamic(uint32_t dynamic, VkPipelineColorBlendAttachmentState *state)
{
    static const VkColorBlendEquationEXT none;
    if (dynamic & BLEND_EQUATION)
        blend_set_equation(state, &none);
    if (dynamic & BLEND_ENABLE)
        state->blendEnable = VK_FALSE;
    if (dynamic & BLEND_WRITE_MASK)
        state->colorWriteMask = 0;
}

static const char *solve_all(const struct track *track, const struct order_pass *pass,
                             const struct order_drawing *drawing, struct order_solved *solved,
                             struct order_variant *variant)
{
    static const uint8_t same[4] = {0, 1, 2, 3};
    memcpy(solved->constants, same, sizeof(same));
    solved->constants_move = false;
    solved->count = drawing->count;
    if (drawing->one && (pass->used & ~pass->moved))
        return "alphaToOneEnable, and some attachments have an order of channels, others not";
    for (uint32_t i = 0; i < drawing->count; i++) {
        struct order_solution solution;
        if (!(pass->moved >> i & 1)) {
            solved->states[i] = solve_own(drawing, i);
            continue;
        }
        if (!drawing->states[i].colorWriteMask) { /* nothing is written, in whatever order */
            solved->states[i] = drawing->states[i];
            continue;
        }
        const char *why = solve_moved(track, pass, drawing, i, &solution);
        if (why)
            return why;
        solved->states[i] = solution.state;
        const uint8_t location = drawing->numbers.locations[i];
        if (location != ORDER_UNMAPPED && location >= SPIRV_LOCATIONS)
            return "an output behind the eighth goes to an attachment whose channels are in another order";
        if (location != ORDER_UNMAPPED) {
            variant->moves[location] = solution.moves;
            variant->integers |= order_number(pass->formats[i]) == ORDER_INTEGER ? 1u << location : 0;
        }
        if (reads_constants(&solution.state) && !order_constants_same(&solution)) {
            memcpy(solved->constants, solution.constants, sizeof(solved->constants));
            solved->constants_move = true;
        }
    }
    return track->device->caps.blend.independent ? NULL : make_one_state(pass, solved);
}

/* Whether the program's own shader and state do. */
static bool is_own(const struct order_drawing *drawing, const struct order_solved *solved,
                   const struct order_variant *variant)
{
    bool own = !order_variant_moves(variant) && !solved->constants_move && !drawing->one;
    for (uint32_t i = 0; i < drawing->count; i++)
        own &= same_state(&drawing->states[i], &solved->states[i]);
    return own;
}

bool order_pass_solve(struct track *track, const struct order_pass *pass, const struct order_drawing *drawing,
                      struct order_solved *solved, const char **why)
{
    struct order_variant variant;
    memset(&variant, 0, sizeof(variant));
    memset(solved, 0, sizeof(*solved));
    *why = read_inputs(pass, drawing, variant.inputs);
    if (!*why)
        *why = solve_all(track, pass, drawing, solved, &variant);
    if (*why)
        return false;
    if (is_own(drawing, solved, &variant))
        return true;
    memcpy(variant.constants, solved->constants, sizeof(variant.constants));
    variant.constants_move = solved->constants_move;
    variant.one_off = drawing->one;
    variant.count = drawing->count;
    for (uint32_t i = 0; i < drawing->count; i++) {
        variant.states[i] = solved->states[i];
        forget_dynamic(drawing->dynamic, &variant.states[i]);
    }
    solved->key = key_of(track, &variant);
    return solved->key != 0;
}
