/* SPDX-License-Identifier: MIT */
/*
 * What a dispatch is without its descriptors: pipelines and shader objects are bound, and do their work in a render
 * pass, in dynamic rendering or in neither, in a primary or in a secondary command buffer. For record.c.
 */
#ifndef CLAMPLER_CHAOS_DRAWS_H
#define CLAMPLER_CHAOS_DRAWS_H

#include "chaos/commands.h"

/* Where commands are recorded to: a primary command buffer, or a secondary one of it. */
struct recorder {
    struct actor *actor;
    struct commands *commands;
    unsigned number;
    VkCommandBuffer handle;
    struct binding_state *bound; /* of the two bind points */
    bool secondary;
    int point;      /* the bind point that a secondary command buffer is for; -1: any */
    bool rendering; /* what a secondary command buffer draws in */
};

/* Of a dispatch: the bind point, and the pipeline, which lives. */
VkPipelineBindPoint draw_point(const struct dispatch *dispatch);
const struct pipeline *draw_pipeline(const struct actor *actor, const struct dispatch *dispatch);

/* Binds it; of shader objects that draw, with all state. */
void draw_bind_pipeline(const struct recorder *r, VkPipelineBindPoint point, const struct dispatch *dispatch);

/* One dispatch, or one draw; a primary command buffer begins and ends what is around it. */
void draw_work(const struct recorder *r, VkPipelineBindPoint point, bool rendering);

/* A secondary command buffer begins; ends, and is executed by its primary one. */
void draw_begin_secondary(const struct recorder *r);
void draw_execute_secondary(const struct recorder *r);

#endif
