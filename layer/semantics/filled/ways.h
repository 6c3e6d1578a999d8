/* SPDX-License-Identifier: MIT */
/*
 * The table of all ways in which memory changes or a pass loads, with the effect of each on the states of filled.h. All
 * hooks use it (layer/recording/alpha/change.h). tests/unit/filled_commands_test.py checks the first list against the
 * registry.
 *
 * Not in the table: what happens between recordings, since each begins with everything unknown (presenting, binding
 * memory, copies by the host), and what a recording cannot see. Images that shaders, the host or other processes write
 * (filled_unseen) are unknown whenever a pass loads them.
 */
#ifndef CLAMPLER_FILLED_WAYS_H
#define CLAMPLER_FILLED_WAYS_H

#include <vulkan/vulkan_core.h>

#include "filled/filled.h"

/* ---- Commands that change images outside of passes ---- */

#define FILLED_COMMANDS(ROW)                                                                                           \
    ROW(CmdBlitImage, DIRTIES)                                                                                         \
    ROW(CmdBlitImage2, DIRTIES)                                                                                        \
    ROW(CmdClearColorImage, DIRTIES) /* where the program's alpha is stored */                                         \
    ROW(CmdCopyBufferToImage, DIRTIES)                                                                                 \
    ROW(CmdCopyBufferToImage2, DIRTIES)                                                                                \
    ROW(CmdCopyImage, DIRTIES)                                                                                         \
    ROW(CmdCopyImage2, DIRTIES)                                                                                        \
    ROW(CmdCopyMemoryToImageKHR, DIRTIES)                                                                              \
    ROW(CmdCopyMemoryToImageIndirectKHR, DIRTIES)                                                                      \
    ROW(CmdCopyMemoryToImageIndirectNV, DIRTIES)                                                                       \
    ROW(CmdResolveImage, DIRTIES)                                                                                      \
    ROW(CmdResolveImage2, DIRTIES)

/* ---- Everything else that is not a pass ---- */

#define FILLED_EVENTS(ROW)                                                                                             \
    ROW(CLEAR_TO_ONE, FILLS)     /* vkCmdClearColorImage where alpha 1 is stored in the place of the program's */      \
    ROW(FILL, FILLS)             /* the layer's own draw */                                                            \
    ROW(GATED_FILL, FORGETS)     /* the same under a condition that the command buffer inherits: perhaps not drawn */  \
    ROW(HOST_WAIT, FORGETS)      /* vkCmdWaitEvents for the host: other queues may have been at work meanwhile */      \
    ROW(MIXED_PASS, FORGETS)     /* draws whose alpha nothing keeps: no independent blending */                        \
    ROW(UNCHANGED_DRAW, FORGETS) /* draws of a pipeline whose blend state cannot be changed */                         \
    ROW(UNKNOWING_PASS, FORGETS) /* draws of a secondary that knows of no attachment without alpha */                  \
    ROW(SECONDARY, FORGETS)      /* vkCmdExecuteCommands, where filled_execute() says so */                            \
    ROW(BARRIER_KEPT, LEAVES)    /* barriers: contents stay, or no layout changes */                                   \
    ROW(BARRIER_UNDEFINED, DIRTIES) /* contents are gone */                                                            \
    ROW(BARRIER_INITIAL, DIRTIES)   /* contents are the host's, or zeros: PREINITIALIZED, ZERO_INITIALIZED */          \
    ROW(TRANSFER, FORGETS)          /* between queue families, or to and from others: they may have written it */

enum filled_way {
#define ROW(NAME, EFFECT) FILLED_##NAME,
    FILLED_COMMANDS(ROW) FILLED_EVENTS(ROW)
#undef ROW
        FILLED_WAYS
};

enum filled_effect filled_effect(enum filled_way way);

/* The way of a barrier's layouts and queue families. */
enum filled_way filled_barrier(VkImageLayout before, VkImageLayout after, uint32_t from, uint32_t to);

/* ---- Images that are written where no recording sees it ---- */

bool filled_unseen(VkFlags64 flags, VkFlags64 usage, VkImageTiling tiling);
bool filled_shares_memory(VkFlags64 flags); /* with other images, which have states of their own */

/* ---- Passes ---- */

enum filled_layout { FILLED_LAYOUT_KEPT = 1, FILLED_LAYOUT_UNDEFINED = 2, FILLED_LAYOUT_INITIAL = 4 };
enum filled_layout filled_layout(VkImageLayout layout);

/* How a pass uses an attachment. */
struct filled_load {
    bool fills;    /* the view has no alpha: what the pass itself writes is alpha 1 */
    bool used;     /* by some subpass: else its load and store operations are ignored */
    bool covered;  /* the pass's area is all of the view */
    bool fillable; /* a fill can be recorded in front of the pass */
    bool resumed;  /* a suspended rendering goes on: nothing is loaded */
    VkAttachmentLoadOp load;
    enum filled_layout layout; /* that the pass takes it from */
    VkAttachmentStoreOp store;
};

struct filled_loaded {
    enum filled_effect before; /* FILLED_FILLS: unless it is one, it must be filled in front of the pass */
    enum filled_effect after;  /* of the pass, whatever it draws */
};

struct filled_loaded filled_load(const struct filled_load *load);

/* A resolve within a pass. `end`: FILLED_FILLS: the target must be filled when the pass has ended, and is one then. */
struct filled_resolve {
    bool fills;     /* the target's view has no alpha */
    bool alpha_one; /* nor has the source */
    bool covered;   /* the pass's area is all of the target */
    bool fillable;  /* the target */
    VkAttachmentStoreOp store;
};

struct filled_resolved {
    enum filled_effect begin, end;
};

struct filled_resolved filled_resolve(const struct filled_resolve *resolve);

#endif
