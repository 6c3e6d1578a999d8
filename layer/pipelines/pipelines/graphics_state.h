/* SPDX-License-Identifier: MIT */
/*
 * The members of a VkGraphicsPipelineCreateInfo that Vulkan does not ignore. It ignores dynamic state, parts of a
 * library that are not made here, and state that has no meaning with rasterizer discard, without a depth attachment or
 * beside a render pass. Ignored pointers may be invalid. So the layer reads such create-infos only after
 * graphics_state_open(); the driver gets the program's own.
 */
#ifndef CLAMPLER_PIPELINES_GRAPHICS_STATE_H
#define CLAMPLER_PIPELINES_GRAPHICS_STATE_H

#include <stdbool.h>

#include <vulkan/vulkan_core.h>

#include "attachments/attachments.h"

struct render_pass;
struct track;

enum { GRAPHICS_CHAINS = 3 };

struct graphics_state {
    /*
     * The program's create-info without what is ignored: such pointers and handles are null, such counts 0. Everything
     * that is left may be followed, and copied deeply. It points within this structure, which must not move.
     */
    VkGraphicsPipelineCreateInfo info;

    VkFlags64 flags;                         /* of either width */
    VkGraphicsPipelineLibraryFlagsEXT parts; /* that this create-info itself describes; all of them without libraries */
    bool linked;                             /* it names libraries */
    bool output;                             /* it describes the fragment output interface, which blending is part of */
    bool color, depth;                       /* it draws to such attachments, as far as is known here */
    uint32_t format_count;                   /* with `output`: colour attachments, those that are followed */
    VkFormat formats[COLOR_ATTACHMENTS];     /* of them; VK_FORMAT_UNDEFINED: not used */
    struct render_pass *pass;                /* that it is made for; borrowed. NULL: none, or one not known */

    /* Shallow copies of changed structures. */
    VkPipelineViewportStateCreateInfo viewports;
    VkPipelineMultisampleStateCreateInfo samples;
    VkPipelineColorBlendStateCreateInfo blend;
    void *chains[GRAPHICS_CHAINS];
};

/* False, with nothing kept, if memory runs out. The program's create-info must live as long as the state. */
bool graphics_state_open(const struct track *track, const VkGraphicsPipelineCreateInfo *program,
                         struct graphics_state *state);
void graphics_state_close(struct graphics_state *state);

/* True: the state is dynamic in this pipeline. */
bool graphics_state_is_dynamic(const struct graphics_state *state, VkDynamicState dynamic);

#endif
