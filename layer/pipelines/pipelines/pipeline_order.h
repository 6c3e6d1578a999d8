/* SPDX-License-Identifier: MIT */
/*
 * Variants of pipelines and fragment shaders for passes whose attachments have their channels elsewhere
 * (blend/order.h).
 *
 *   orders of the pass, the program's blend state ──► order_pass_solve() ──► the driver's state, and the key of what a
 *                                                                            variant has: a struct order_variant
 *
 * A device numbers the variants that occur. Finding a known one takes no lock and allocates nothing. Thread-safe.
 */
#ifndef CLAMPLER_PIPELINES_PIPELINE_ORDER_H
#define CLAMPLER_PIPELINES_PIPELINE_ORDER_H

#include "attachments/attachments.h"
#include "blend/order.h"
#include "spirv/outputs.h"

struct track;

/*
 * Numbers that outputs and input attachments have in shaders, by colour attachment (VK_KHR_dynamic_rendering_local_
 * read): those of the attachments themselves, unless the program maps them.
 */
enum { ORDER_UNMAPPED = 0xff };
struct order_numbers {
    uint8_t locations[COLOR_ATTACHMENTS], inputs[COLOR_ATTACHMENTS]; /* ORDER_UNMAPPED: none */
};

struct order_numbers order_numbers_own(void);
/* `numbers` as Vulkan's structures have them, NULL for the attachments' own; mapped: one of the members above. */
void order_numbers_read(const uint32_t *numbers, uint32_t count, uint8_t mapped[COLOR_ATTACHMENTS]);
/* The structures in a chain of a pipeline or of inheritance. True if there is one. */
bool order_numbers_chained(const void *chain, struct order_numbers *numbers);

/* The colour attachments and input attachments of a subpass, or of a rendering. All zero: none has an order. */
struct order_pass {
    uint32_t used;                       /* bit i: there is colour attachment i */
    uint32_t moved;                      /* those that have an order */
    bool inputs_moved;                   /* some input attachment has one */
    VkFormat formats[COLOR_ATTACHMENTS]; /* of those that are used */
    uint32_t orders[COLOR_ATTACHMENTS];  /* order_key(), or 0 */
    bool local;                          /* dynamic rendering: colour attachments may be read as input attachments */
    uint32_t inputs[SPIRV_INPUTS];       /* order_input(), by InputAttachmentIndex; not `local` */
};

static inline bool order_pass_any(const struct order_pass *pass)
{
    return pass->moved || pass->inputs_moved;
}

/* A draw's part in such a pass. */
struct order_drawing {
    uint32_t count;                /* colour attachments that have blend state */
    uint32_t mask, keep, negative; /* attachments without alpha, as struct pass_state has them */
    uint32_t dynamic;              /* BLEND_PARTS that are set while recording */
    bool logic, coverage, one;     /* logic operations, alpha-to-coverage and alpha-to-one are on */
    bool reads_inputs;             /* a shader may read input attachments */
    struct order_numbers numbers;
    VkPipelineColorBlendAttachmentState states[COLOR_ATTACHMENTS]; /* the program's */
};

/* A kind of variants. Dynamic parts of `states` are zero. */
struct order_variant {
    struct spirv_moves moves[COLOR_ATTACHMENTS]; /* by location */
    uint32_t inputs[SPIRV_INPUTS];
    uint32_t integers; /* locations whose attachments have integers */
    uint32_t count;    /* of `states` */
    VkPipelineColorBlendAttachmentState states[COLOR_ATTACHMENTS];
    uint8_t constants[4];    /* struct order_solution */
    uint32_t constants_move; /* they are not the program's */
    uint32_t one_off;        /* alphaToOneEnable is off: the shader does it */
};

/* The driver's state of a draw. */
struct order_solved {
    uint32_t key; /* of its variant; 0: the program's own does */
    uint32_t count;
    VkPipelineColorBlendAttachmentState states[COLOR_ATTACHMENTS];
    uint8_t constants[4];
    bool constants_move;
};

/* False: *why says what cannot be expressed, a static string, or is NULL if memory ran out. */
bool order_pass_solve(struct track *track, const struct order_pass *pass, const struct order_drawing *drawing,
                      struct order_solved *solved, const char **why);

/* The variant of a key (pipeline_blend.h: key_is_order); it stays until the device goes. */
const struct order_variant *order_variant_find(struct track *track, uint32_t key);

static inline bool order_variant_moves(const struct order_variant *variant)
{
    bool any = false;
    for (uint32_t i = 0; i < COLOR_ATTACHMENTS; i++)
        any |= spirv_moves_any(&variant->moves[i]);
    for (uint32_t i = 0; i < SPIRV_INPUTS; i++)
        any |= variant->inputs[i] != 0;
    return any;
}

/* The changes of its fragment shaders; `entry` is the caller's to set. */
struct spirv_outputs order_variant_outputs(const struct order_variant *variant);

/* The blend constants of the driver, for the program's. */
void order_solved_constants(const uint8_t constants[4], const float program[4], float driver[4]);

/* This part's state of one device. */
enum { ORDER_BUCKETS = 64 };
struct order_node;
struct order_variants {
    _Atomic(struct order_node *) buckets[ORDER_BUCKETS]; /* by content */
    struct table by_key;
    pthread_mutex_t lock; /* to insert one */
    uint32_t count;
};

bool order_variants_init(struct order_variants *variants); /* False: out of memory. */
void order_variants_finish(struct order_variants *variants);

#endif
